"""A further language is one more catalogue: it is used, what it lacks is told, and what it says wrongly is refused."""

import ast
import functools
import re
import shutil
import tomllib
from pathlib import Path

import pytest

import symtransformer.rendering
from symtransformer import derive, matrix, render, verify
from symtransformer.operations import Softmax
from symtransformer.rendering import words as catalogues

ROOT = Path(__file__).parents[2]
FOLDER = Path(symtransformer.rendering.__file__).parent
PLACEHOLDER = re.compile(r"\{[^{}]*\}")


@functools.cache
def sentences():
    """Every English sentence of the library and of the worked derivations: `Words("...", "...")`, and words.toml."""
    found = {entry["en"] for entry in tomllib.loads((FOLDER / "words.toml").read_text("utf-8")).values()}
    for path in [*(ROOT / "symtransformer").rglob("*.py"), *(ROOT / "derivations").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Words" and node.args:
                if isinstance(node.args[0], ast.Constant):
                    found.add(node.args[0].value)
    return frozenset(found)


def lacking(catalogue):
    return sorted(sentences() - catalogue.keys())


def faults(catalogue):
    """Sentences that the library does not say, and translations with other placeholders."""
    unknown = sorted(catalogue.keys() - sentences())
    return unknown + sorted(
        english for english, other in catalogue.items()
        if sorted(PLACEHOLDER.findall(english)) != sorted(PLACEHOLDER.findall(other))
    )  # fmt: skip


@pytest.fixture
def german(tmp_path, monkeypatch):
    """A small catalogue as somebody would begin it."""
    shutil.copy(FOLDER / "words.toml", tmp_path)
    (tmp_path / "languages").mkdir()
    path = tmp_path / "languages/de.toml"
    path.write_text(
        '"Softmax of each row" = "Softmax jeder Zeile"\n'
        '"Numbers after ≈ are rounded for display only; every step uses the unrounded values." = '
        '"Zahlen nach ≈ sind nur für die Anzeige gerundet."\n',
        "utf-8",
    )
    monkeypatch.setattr(catalogues, "files", lambda package: tmp_path)
    catalogues.translations.cache_clear()
    yield path
    catalogues.translations.cache_clear()


def test_there_is_much_to_say():
    assert len(sentences()) > 1000


@pytest.mark.parametrize("path", sorted((FOLDER / "languages").glob("*.toml")), ids=lambda path: path.stem)
def test_a_catalogue_lacks_nothing_and_says_nothing_else(path):
    catalogue = tomllib.loads(path.read_text("utf-8"))
    assert faults(catalogue) == []
    assert lacking(catalogue) == []


def test_a_page_in_a_further_language(german):
    S = matrix("S", 1, 2)
    derivation = verify(derive(Softmax(S), values={S: [[0, 1]]}))
    page, english = render(derivation, "txt", "de"), render(derivation, "txt", "en")
    assert "Softmax jeder Zeile" in page
    assert "Zahlen nach ≈ sind nur für die Anzeige gerundet." in page
    assert "Each score" in page  # what is lacking is in English
    assert page.count("0.7311") == english.count("0.7311") > 0
    for form in symtransformer.rendering.FORMATS.values():
        if not form.finish and not form.of_values:
            assert "Softmax jeder Zeile" in render(derivation, form.name, "de"), form.name


def test_the_command_line_knows_it(german, command):
    assert "Softmax jeder Zeile" in command("glossary", "--lang", "de")[1]
    code, out, err = command("show", "explainer_chapter_4", "--lang", "fr")
    assert (code, out) == (2, "")
    assert err == "symtransformer: language: expected en or ja or de, got 'fr'\n"


def test_what_a_catalogue_lacks_is_told(german):
    catalogue = tomllib.loads(german.read_text("utf-8"))
    assert "Softmax of each row" not in lacking(catalogue)
    assert len(lacking(catalogue)) == len(sentences()) - 2


def test_faults_of_a_catalogue_are_told():
    assert faults({"Softmax of each row": "Softmax"}) == []
    assert faults({"Softmax of every row": "Softmax"}) == ["Softmax of every row"]
    assert faults({"rows: {labels}": "Zeilen"}) == ["rows: {labels}"]
    assert faults({"rows: {labels}": "Zeilen: {label}"}) == ["rows: {labels}"]
