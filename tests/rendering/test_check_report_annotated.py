"""A document with what is said of it below each line: the text stays, carets stand under the signs."""

import re

import check_report_cases as cases
import pytest

from symtransformer.checking.equations import Equation, FileReport, Report
from symtransformer.errors import NotSupported
from symtransformer.rendering.check_report import render_report as shown
from symtransformer.rendering.check_report import why_not_annotated
from symtransformer.rendering.check_report.escaping import columns


def one(*equations, name="notes.md", **options):
    return Report((FileReport(name, equations, **options),))


def test_the_text_stays_and_carets_stand_under_the_sign():
    page = shown(Report(cases.EVERYTHING.files[:1]), "annotated")
    kept = [line for line in page.split("\n") if not re.match(r"<!--[ \t]+\^ ", line)]
    assert "\n".join(kept).removesuffix("\n") == cases.SOURCE.removesuffix("\n")
    lines = page.split("\n")
    at = lines.index("重みは $softmax([2.1, 0.5, -0.3]) ≈ [0.7736, 0.1664, 0.0701]$")
    sign = cases.SOURCE.split("\n")[6]
    assert lines[at + 1].index("^") == columns(sign[: cases.WEIGHTS.column - 1])
    assert lines[at + 1].endswith(" -->")


def test_line_ends_tabs_and_included_files_are_kept_in_order():
    page = shown(cases.INCLUDED, "annotated")
    assert page == (
        "\\input{part}\r\n% 行\r\n\t1 + 2 = 4\n% \t     ^ wrong: it is 3.\n% part.tex:2:3: wrong: it is 2.\n"
    )


@pytest.mark.parametrize(
    ("name", "source", "start"),
    [
        ("a.txt", "1 + 1 = 3", "#     ^ wrong"),
        ("a.tex", "1 + 1 = 3", "%     ^ wrong"),
        ("a.html", "<p>1 + 1 = 3", "<!--     ^ wrong"),
    ],
)
def test_comments_are_those_of_the_kind(name, source, start):
    column = source.index("=") + 1
    page = shown(
        one(Equation(name, 1, column, "1 + 1 = 3", "number", "wrong", cases.it_is("2")), name=name, source=source),
        "annotated",
    )
    first, second = page.splitlines()
    assert first == source
    assert second.startswith(start)
    assert second.index("^") == column - 1


@pytest.mark.parametrize(
    ("name", "source"), [("a.ipynb", "{}"), ("a.json", "[]"), ("a", '{"nbformat": 4, "cells": []}')]
)
def test_notebooks_and_json_are_not_annotated(name, source):
    report = one(name=name, source=source)
    with pytest.raises(NotSupported, match="has no comments; choose another format"):
        shown(report, "annotated")
    assert "kind" in why_not_annotated(report.files[0])
    assert why_not_annotated(cases.EVERYTHING.files[0]) == ""
