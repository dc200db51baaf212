"""The pages that the library writes are read back: every relation sign outside of bounds, arguments and prose is found."""

import re
from pathlib import Path

import pytest

from symtransformer.documents import read_document, relations

OUTPUT = Path(__file__).resolve().parents[2] / "output"
PAGES = sorted(path for path in OUTPUT.rglob("*") if path.suffix in (".tex", ".txt"))
SIGN = re.compile(r":=|(?<!=)(?<!penalty)=(?!=)|[≈≡]|\\(?:approx|equiv)(?![a-z])")  # a penalty is one of TeX
DRAWING = re.compile(r"\\begin\{tikzpicture\}.*?\\end\{tikzpicture\}", re.DOTALL)  # its equals signs are options
# bounds of sums, keywords in brackets, the sentence about rounding, what no text shows
BOUND = re.compile(r"_\{[^{}]*$")
BEHIND = re.compile(r" ?1\.\.[a-z]|[$ ]*(?:are rounded|の後)")


def is_no_claim(line, start, end):
    before, after = line[:start], line[end:]
    return BEHIND.match(after) is not None or (BOUND.search(before) is not None and "}" in after)


def claims_by_scan(path, text):
    """Places of the signs, by line and column."""
    text = DRAWING.sub(lambda drawing: "\n" * drawing[0].count("\n"), text)
    first = text[: text.index("\\begin{document}")].count("\n") + 1 if path.suffix == ".tex" else 0
    return {
        (number, sign.start() + 1)
        for number, line in enumerate(text.split("\n"), 1)
        for sign in SIGN.finditer(line)
        if number > first and not is_no_claim(line, sign.start(), sign.end())
    }


def test_there_are_pages():
    assert len(PAGES) > 60


@pytest.mark.parametrize("path", PAGES, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_every_sign_is_found_and_none_is_invented(path):
    text = path.read_text(encoding="utf-8")
    document = read_document(path.read_bytes(), path.name)
    found = relations(document)
    assert {(r.line, r.column) for r in found} == claims_by_scan(path, text)
    assert [p for p in document.problems if p.code != "too_long"] == []
    assert all(r.left.text and r.right.text for r in found)
