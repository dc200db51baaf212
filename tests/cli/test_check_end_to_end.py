"""The command `check` on documents, with nothing made up: the README's example, many files, hostile ones."""

import json
import re
import subprocess
import sys
import time
from importlib.resources import files as resources
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
sys.path.insert(0, str(ROOT / "tests" / "rendering"))

from json_schema import misfits  # noqa: E402

SCHEMA = json.loads((resources("symtransformer.rendering.check_report") / "schema.json").read_text(encoding="utf-8"))


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Writes a file into the folder that the command runs in, and gives its name."""
    monkeypatch.chdir(tmp_path)

    def write(name, text, encoding="utf-8"):
        (tmp_path / name).write_text(text, encoding=encoding)
        return name

    return write


def verdicts(command, *arguments):
    _, out, err = command("check", "--format", "json", *arguments)
    assert err == ""
    data = json.loads(out)
    return [[equation["verdict"] for equation in file["equations"]] for file in data["files"]]


# -- the README -----------------------------------------------------------------------------------------------
def example():
    section = README.partition("## Check a calculation\n")[2].partition("\n## ")[0]
    (document,) = re.findall(r"```markdown\n(.*?)```", section, re.S)
    (printed,) = re.findall(r"```text\n(.*?)```", section, re.S)
    return document, printed


def test_the_example_of_the_readme_prints_what_it_shows(command, file, rewrite_golden):
    document, printed = example()
    code, out, err = command("check", file("notes.md", document))
    if rewrite_golden:
        (ROOT / "README.md").write_text(README.replace(printed, out, 1), encoding="utf-8", newline="\n")
        printed = out
    assert (code, out, err) == (1, printed, "")


def test_the_numbers_of_the_readme_are_those_of_another_route():
    """The document forgets √d_k; NumPy says what is right, and what it wrote."""
    import numpy as np

    scores = np.array([1, 3]) @ np.array([[2, 0], [0.5, 1]]).T
    shown = re.findall(r"right value +\[(.*)\]", example()[1])
    weights = [np.exp(s) / np.exp(s).sum() for s in (scores / np.sqrt(2), scores)]
    assert shown == [", ".join(f"{x:.2f}" for x in scores / np.sqrt(2)), ", ".join(f"{x:.3f}" for x in weights[0])]
    assert [f"{x:.3f}" for x in weights[1]] == ["0.182", "0.818"]


# -- many files ---------------------------------------------------------------------------------------------------
def test_many_files_are_checked_in_the_order_given(command, file, monkeypatch):
    right, wrong = "$2 + 2 = 4$", "$2 + 2 = 7$"
    names = [file(f"{k:02}.md", wrong if k % 3 == 0 else right) for k in range(12)]
    names.insert(5, "missing.md")
    (Path("binary.md")).write_bytes(b"\xff\xfe\x00")
    names.insert(9, "binary.md")
    code, out, err = command("check", "--format", "json", "--jobs", "2", *names)
    data = json.loads(out)
    assert code == 2
    assert [entry["file"] for entry in data["files"]] == names
    found = {entry["file"]: [e["verdict"] for e in entry["equations"]] for entry in data["files"]}
    for name in names:
        if name[:2].isdigit():
            assert found[name] == (["wrong"] if int(name[:2]) % 3 == 0 else ["right"])
    assert [line.split(": ")[1].rstrip(",") for line in err.splitlines()] == ["missing.md", "binary.md"]
    assert misfits(data, SCHEMA) == []


def test_files_together_share_definitions_and_apart_they_do_not(command, file):
    first, second = file("a.txt", "d_k = 64\n"), file("b.txt", "sqrt(d_k) = 8\n")
    assert verdicts(command, "--together", first, second) == [["definition"], ["right"]]
    assert verdicts(command, first, second)[1] != ["right"]


def test_standard_input_and_shift_jis(file):
    text = "重みの和は 0.5 + 0.25 = 0.76 である。"
    for encoding, options in (("utf-8", ()), ("shift_jis", ("--encoding", "Shift_JIS"))):
        command = [sys.executable, "-m", "symtransformer", "check", "-", "--format", "lines", *options]
        ran = subprocess.run(command, input=text.encode(encoding), capture_output=True, check=False, timeout=60)
        assert ran.returncode == 1, ran.stderr
        assert ran.stdout.decode().startswith("<stdin>:1:")
        assert "0.75" in ran.stdout.decode()
    command = [sys.executable, "-m", "symtransformer", "check", "-"]
    ran = subprocess.run(command, input=text.encode("shift_jis"), capture_output=True, check=False, timeout=60)
    assert ran.returncode == 2
    assert b"Shift_JIS" in ran.stderr
    assert ran.stderr.count(b"\n") == 1


# -- against -----------------------------------------------------------------------------------------------------------
VALUES = """
expression = "S = Q K^T / sqrt(d_k)\\nA = softmax(S)"
[values]
Q = [[1, 0]]
K = [[1, 2], [0, 1], [3, 1]]
"""


def test_a_document_is_checked_against_a_values_file(command, file):
    """1/√2, 0, 3/√2 are 0.7071, 0, 2.1213; their weights 0.179, 0.088, 0.733."""
    values = file("mine.toml", VALUES)
    right = file("right.md", "$S ≈ [0.707, 0, 2.121]$ and $A ≈ [0.178, 0.088, 0.734]$")
    wrong = file("wrong.md", "$Score ≈ [0.707, 2, 2.121]$")
    import numpy as np

    weights = np.exp(np.array([1, 0, 3]) / np.sqrt(2))
    assert [f"{x:.3f}" for x in weights / weights.sum()] == ["0.178", "0.088", "0.734"]
    assert verdicts(command, "--against", values, right) == [["right", "right"]]
    assert verdicts(command, "--against", values, "--name", "Score=S", wrong) == [["wrong"]]
    code, out, err = command("check", "--against", values, "--name", "Score=T", wrong)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "'T'" in err


def test_a_document_is_checked_against_a_worked_derivation(command, file):
    """Of chapter 4, in several processes."""
    files = [file("a.md", "$A ≈ [[0.5, 0.5], [0.5, 0.5]]$"), file("b.md", "no formula")]
    found = verdicts(command, "--against", "explainer_chapter_4", "--jobs", "2", *files)
    assert found == [["wrong"], []]


# -- documents that want to be more than documents --------------------------------------------------------------------
HOSTILE = {
    "empty.md": "",
    "escape.md": "$\x1b[31m1 + 1 = 3\x1b[0m$\n1 + 1 = 5",
    "bidi.md": "$\u202e1 + 1 = 3\u202c$ and $1 + 1 = 4$",
    "tag.html": "<p>$1 + 1 = 4$</p><script>alert(1)</script>",
    "shell.tex": r"\immediate\write18{touch owned} \input{/etc/passwd} $1 + 1 = 4$",
    "python.md": "$__import__('os').system('touch owned') = 1$, $1 + 1 = 4$",
    "pipe.md": "| a | b |\n| --- | --- |\n| $1 + 1 = 4$ | `x|y` |",
    "book.ipynb": '{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": ["$1 + 1 = 4$"]}]}',
    "broken.ipynb": '{"nbformat": 4, "cells": [',
    "deep.json": "[" * 5000,
    "long.md": "$" + "9" * 100_000 + " = 1$",
    "tower.md": "$9^{9^{9}} = 1$, $2^{100000000} = 3$",
    "many.md": "$1 + 1 = 4$\n" * 50,
}


@pytest.mark.parametrize("form", ["terminal", "lines", "markdown", "json"])
def test_hostile_documents_are_texts(command, file, form):
    names = [file(name, text) for name, text in HOSTILE.items()]
    begun = time.monotonic()
    code, out, err = command("check", "--all", "--jobs", "1", "--format", form, *names)
    assert code in (1, 2)
    assert time.monotonic() - begun < 30
    assert not Path("owned").exists()
    assert "Traceback" not in out + err
    assert "internal" not in out + err
    assert "root:" not in out
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", out + err)
    assert all(line.startswith("symtransformer: ") for line in err.splitlines())


def test_a_file_that_looks_like_an_option_is_one_after_two_dashes(command, file):
    name = file("--strict.md", "$1 + 1 = 4$")
    assert command("check", "--format", "lines", "--", name)[1].startswith("--strict.md:1:")
