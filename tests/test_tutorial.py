"""The tutorial notebooks: what is committed is what a run gives, in both languages."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
JAPANESE = re.compile("[ぁ-ヿ一-鿿]")


@pytest.fixture(scope="module")
def tutorial():
    spec = importlib.util.spec_from_file_location("tutorial", ROOT / ".ci" / "tutorial.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def committed(language):
    return (ROOT / "tutorial" / f"tutorial.{language}.ipynb").read_text(encoding="utf-8")


@pytest.mark.once
@pytest.mark.pinned
def test_the_outputs_are_those_of_a_run():
    pytest.importorskip("nbclient")
    command = [sys.executable, str(ROOT / ".ci" / "tutorial.py"), "--check"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_changed_output_would_be_seen(tutorial):
    page = committed("en")
    assert tutorial.first_difference(page, page) == ""
    assert "0.5875" in tutorial.first_difference(page, page.replace("0.5875", "0.5785", 1))
    assert tutorial.first_difference(page, page + "x") != ""
    assert tutorial.first_difference("symtransformer 0.1.0", "symtransformer 0.2.0") == ""


def test_the_notebooks_are_made_of_the_cells_and_say_the_same_in_both_languages(tutorial):
    for language in ("en", "ja"):
        made = [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(committed(language))["cells"]]
        assert made == tutorial.cells(language)
    english, japanese = (tutorial.cells(language) for language in ("en", "ja"))
    assert [kind for kind, _ in english] == [kind for kind, _ in japanese]
    for (kind, en), (_, ja) in zip(english, japanese, strict=True):
        assert kind == "code" or (JAPANESE.search(ja) and not JAPANESE.search(en))
        assert set(re.findall("`[^`]+`", en)) <= {*re.findall("`[^`]+`", ja), "`%%check`"} or "dollars" in en


def test_every_person_finds_an_answer():
    for language in ("en", "ja"):
        cells = [cell for cell in json.loads(committed(language))["cells"] if cell["cell_type"] == "code"]
        shown = [
            "".join("".join(text) for text in x["data"].values())
            for cell in cells
            for x in cell["outputs"]
            if "data" in x
        ]
        whole = "\n".join(shown)
        assert "\\boxed" in whole  # a worksheet
        assert "`1.41`" in whole  # 2 / √2, a mistake that was found
        assert "\\mathit{dQ}" in whole  # a gradient
        assert ("refuted" if language == "en" else "誤り") in whole
        assert "Traceback" not in whole
