"""Hostile documents: each gives a document or one clear error, in little time, and every limit is where it is said."""

import time

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from symtransformer.documents import Document, DocumentError, read_document, relations
from symtransformer.documents.limits import (
    CLAIMS,
    DEPTH,
    DISPLAY_CHARACTERS,
    DOCUMENT_BYTES,
    FORMULA_CHARACTERS,
    LINE_CHARACTERS,
    NOTEBOOK_BYTES,
    SIGNS,
    TREE_DEPTH,
)

SUFFIXES = ("tex", "md", "txt", "html", "json", "ipynb", "")


def outcome(content, name, seconds=20.0):
    """What became of it; the time is generous, since a test machine may be busy."""
    started = time.process_time()
    refused = None
    try:
        document = read_document(content, name)
        found = relations(document)
    except DocumentError as error:
        refused = error
    assert time.process_time() - started < seconds
    if refused is not None:
        assert str(refused).isprintable()
        return refused.code
    assert isinstance(document, Document)
    for relation in found:
        place = document.place(relation.left.origins[0]) if relation.left.text else None
        assert place is None or place.line >= 1
    return len(found)


MILLION = 1_000_000
HOSTILE = {
    "dollars.md": "$" * MILLION, "dollars.tex": "$" * MILLION, "dollars2.md": "$a " * 600_000, "dollars2.tex": "$a " * 600_000,
    "open.md": r"\(" * 900_000 + r"\)", "paragraph.md": (r"\(" * 5_000 + "\n\n" + r"\)") * 100, "display.md": "$$a\n\n" * 300_000,
    "brackets.txt": "[" * MILLION, "equals.txt": "=" * MILLION, "pairs.txt": "a = " * 450_000, "lines.txt": "a=\n" * 600_000,
    "claims.txt": "a = 1\n" * 300_000, "parens.txt": "(" * 400_000 + "a=1" + ")" * 400_000, "prose.txt": "(a=1) " * 300_000,
    "ticks.md": "`" * MILLION, "ticks2.md": " ".join("`" * (i % 300 + 1) for i in range(12_000)), "fences.md": "```\n" * 400_000,
    "tildes.md": "~~~a\n" * 300_000, "comments.md": "<!--" * 400_000, "less.html": "<" * MILLION, "tags.html": "<a " * 600_000,
    "quotes.html": "<a '\"" * 400_000, "bang.html": "<!" * 900_000, "mrow.html": "<math>" + "<mrow>" * 200_000,
    "many.html": "<math><mi>x</mi></math>=" * 70_000, "div.html": "<div>" * 300_000, "amp.html": "&amp" * 400_000, "td.html": "<td>" * 400_000,
    "table.html": "<table>" * 90_000, "hidden.html": '<i aria-hidden="true">' * 60_000, "spaces.md": " " * MILLION + "|",
    "bars.md": "|" * 900_000 + "\n|-|", "cells.md": "$a$|" * 400_000 + "\n|-|", "tabs.txt": "\t" * MILLION, "atoms.md": "$+$ " * 400_000,
    "deep.json": "[" * 900_000, "numbers.json": '{"a": [' + "1," * 800_000 + "1]}", "text.json": '{"a": "' + "x=1;" * 400_000 + '"}',
    "escapes.json": '{"a": "' + r"\\n" * 500_000 + '"}', "macro.tex": r"\newcommand{\a}{\a\a}" + r"$\a$" * 100_000,
    "bomb.tex": r"\newcommand{\a}{xxxxxxxxxx}\newcommand{\b}{\a\a\a\a\a\a\a\a\a\a}\newcommand{\c}{\b\b\b\b\b\b\b}" + r"$\c$" * 100_000,
    "nested.tex": r"\newcommand{\a}[1]{#1#1}$" + r"\a{" * 1_000 + "x" + "}" * 1_000 + "$", "define.tex": r"\newcommand{\a}{" * 120_000,
    "begin.tex": r"\begin{align}" * 140_000, "begin.md": r"\begin{align}" * 140_000, "verb.tex": r"\verb|" * 300_000, "percent.tex": "%" * MILLION,
    "word.txt": "a" * MILLION + "=1", "japanese.txt": "あ1" * 400_000 + "=1", "minus.txt": "-" * 900_000 + "=1", "marks.txt": "# symtransformer: x\n" * 80_000,
    "bidi.txt": "\u202ea = 1\u202c\n" * 30_000, "mail.txt": "a@a.a@" * 300_000 + "=", "left.txt": r"\left(" * 300_000 + "=1",
    "notes.tex": ("$" + r"\footnote{" * 300 + "a=1" + "}" * 300 + "$\n") * 300, "rows.tex": (r"\begin{align}" + r"a&=1\\" * 600 + r"\end{align}" + "\n") * 480,
    "layers.tex": ("$" + "(" * 1_900 + "a=1" + ")" * 1_900 + "$\n") * 480, "matrices.txt": "\\begin{bmatrix}\n" * 110_000, "cr.txt": "\r" * MILLION,
    "nul.txt": "a = 1\0", "cut.html": "<math><mfrac><mi>a", "cut.json": '{"a": "x', "surrogate.json": r'{"a": "\ud800 = 1"}', "cut.tex": r"\newcommand",
    "name\u202e\n.txt": "a = \0",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(HOSTILE), ids=repr)
def test_hostile_documents_end_soon(name):
    outcome(HOSTILE[name].encode()[: DOCUMENT_BYTES - 1], name)


def test_limits_of_size():
    assert outcome(b" " * (DOCUMENT_BYTES - 5) + b"x = 1", "a.txt") == 0  # the line is too long
    assert outcome(b"\n" * 100 + b"x = 1", "a.txt") == 1
    assert outcome(b"%" * (DOCUMENT_BYTES - 6) + b"\n$a=1$", "a.tex") == 1
    assert outcome(b"%" * (DOCUMENT_BYTES - 5) + b"\n$a=1$", "a.tex") == "too_long"
    book = b'{"nbformat": 4, "cells": [{"source": "x = 1"}], "z": "%s"}'
    fill = NOTEBOOK_BYTES - len(book) + 2
    assert outcome(book % (b"A" * fill), "a.ipynb") == 1
    assert outcome(book % (b"A" * (fill + 1)), "a.ipynb") == "too_long"


def test_limits_of_number():
    assert outcome(b"$a=1$\n" * CLAIMS, "a.tex") == CLAIMS
    assert outcome(b"$a=1$\n" * (CLAIMS + 1), "a.tex") == "too_many"
    chains = b"$" + b"a=" * 99 + b"a$\n"
    whole, rest = divmod(CLAIMS, 99)
    exactly = chains * whole + b"$" + b"a=" * rest + b"a$\n"
    assert outcome(exactly, "a.tex") == CLAIMS
    assert outcome(exactly + b"$a = 1$", "a.tex") == "too_many"
    assert outcome(b"= \n" * SIGNS, "a.txt") == 0
    assert outcome(b"= \n" * (SIGNS + 1), "a.txt") == "too_many"


def test_limits_of_a_formula():
    fits = "x = " + "1+" * ((FORMULA_CHARACTERS - 6) // 2) + "11"
    assert len(fits) == FORMULA_CHARACTERS
    for name in ("a.tex", "a.md"):
        assert outcome(f"${fits}$".encode(), name) == 1
    document = read_document(f"a\n ${fits}1$ and $y = 1$".encode(), "a.tex")
    assert [p.text for p in document.passages] == ["y = 1"]
    assert [(p.code, p.line, p.column) for p in document.problems] == [("too_long", 2, 3)]
    deep = "(" * DEPTH + "x" + ")" * DEPTH
    assert outcome(f"$y = {deep}$".encode(), "a.tex") == 1
    document = read_document(f"$y = ({deep})$".encode(), "a.tex")
    assert [(p.code, p.line, p.column) for p in document.problems] == [("too_deep", 1, 2)]
    line = "x" * (LINE_CHARACTERS - 6) + " y = 1"
    assert outcome(line.encode(), "a.txt") == 1
    document = read_document(f"x{line}\nz = 2".encode(), "a.txt")
    assert [p.text for p in document.passages] == ["z = 2"]
    assert [p.code for p in document.problems] == ["too_long"]


def test_limits_of_a_display_go_by_its_rows():
    row = "&= " + "1+" * ((FORMULA_CHARACTERS - 4) // 2) + "1"  # and what ends it
    assert len(row) == FORMULA_CHARACTERS
    for name in ("a.tex", "a.md"):
        for body, count in ((f"x = 1\\\\{row}\\\\{row}\\\\= 1", 4), (f"x = 1\\\\{row}1\\\\= 1", 0)):
            document = read_document(f"\\begin{{gather}}{body}\\end{{gather}}".encode(), name)
            assert len(relations(document)) == count
            assert [p.code for p in document.problems] == ([] if count else ["too_long"])
    most = "x = 1\\\\" * (DISPLAY_CHARACTERS // 7)
    document = read_document(f"\\begin{{gather}}{most}{most}\\end{{gather}}".encode(), "a.tex")
    assert relations(document) == ()
    assert [p.code for p in document.problems] == ["unclosed"]


def test_limits_of_depth():
    inside = TREE_DEPTH - 1
    fits = f'{{"a": {"[" * inside}"x = 1"{"]" * inside}}}'
    assert outcome(fits.encode(), "a.json") == 1
    assert outcome(fits.replace('"x', '["x').replace('1"', '1"]').encode(), "a.json") == "too_deep"
    rows = TREE_DEPTH - 1
    math = "<mrow>" * rows + "<mi>x</mi><mo>=</mo><mn>1</mn>" + "</mrow>" * rows
    assert outcome(f"<math>{math}</math>".encode(), "a.html") == 0
    document = read_document(f"<math>{math}</math>".encode(), "a.html")
    assert [p.code for p in document.problems] == ["too_deep"]
    assert outcome(f"<math>{math[6:-7]}</math>".encode(), "a.html") == 1


PIECES = [
    "$", "$$", "\\(", "\\)", "\\[", "\\]", "=", "≈", " := ", "\\approx", "x", "12", "0.5", "猫", "は", "。", "、", "|", "|-|", "\n", "\n\n", "\t",
    " ", "`", "```", "\\begin{align}", "\\end{align}", "&", "\\\\", "{", "}", "(", ")", "[", "]", "（", "）", "\\frac{1}{2}", "_", "^", "+", "-",
    "\\text{a = b}", "\\newcommand{\\a}{x}", "\\a", "\\underbrace{", "\\left(", "\\right)", "%", "# symtransformer: skip", "<p>", "</p>", "<math>",
    "<mi>", "</math>", "<td>", "<table>", "</table>", "<!--", "-->", "&amp;", "&#61;", '"', ":", ",", '{"a": "', '"}', "\\input{a}", "\\quad", "\r",
    "\u202e", "\u2028", "\ud7ff", "１", "＝", "√", "K.T", "softmax(", "\\verb|", "\\end{document}", "\\begin{document}", ".", "...",
]  # fmt: skip


def whole_in_place(content, name):
    """Characters of passages stand where they are said to stand, and signs are signs."""
    try:
        document = read_document(content, name)
        found = relations(document)
    except DocumentError:
        return
    for passage in document.passages:
        assert len(passage.text) == len(passage.origins)
        assert passage.text == passage.text.strip()
        place = document.place(passage.origins[0])
        assert (place.line, place.column) == (passage.line, passage.column)
    assert len({(r.file, r.line, r.column) for r in found}) == len(found)


@seed(2_311)
@settings(max_examples=700, deadline=None, database=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30), st.sampled_from(SUFFIXES))
def test_any_mixture_of_pieces_is_read_or_refused(pieces, suffix):
    whole_in_place("".join(pieces).encode(), f"a.{suffix}" if suffix else "-")


@seed(2_312)
@settings(max_examples=300, deadline=None, database=None)
@given(st.binary(max_size=200), st.sampled_from(SUFFIXES), st.sampled_from(["", "Shift_JIS", "EUC-JP", "utf-16"]))
def test_any_bytes_are_read_or_refused(content, suffix, encoding):
    try:
        document = read_document(content, f"a.{suffix}", encoding=encoding)
    except DocumentError:
        return
    relations(document)


@seed(2_313)
@settings(max_examples=300, deadline=None, database=None)
@given(st.text(max_size=80), st.sampled_from(SUFFIXES))
def test_any_text_is_read_or_refused(text, suffix):
    whole_in_place(text.encode("utf-8", "surrogatepass"), f"a.{suffix}")
