"""Where lines may break, what is not said twice, and tables of one row."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import pytest

import symtransformer.operations as ops
from symtransformer import Section, derive, matrix, verify
from symtransformer.notation import Words
from symtransformer.rendering import render
from symtransformer.rendering.latex_text import escape
from symtransformer.rendering.text import WIDTH, display_width, wrapped
from symtransformer.symbols import Literal

SMALL, CLOSING, OPENING = "ーっゃゅょッャュョぁぃぅぇぉァィゥェォ", "、。）」・", "（「"


@pytest.mark.parametrize("seed", range(40))
def test_japanese_lines_neither_begin_nor_end_with_what_must_not_stand_there(seed):
    source = random.Random(seed)
    text = "".join(source.choice("行列の計算" * 3 + SMALL + CLOSING + OPENING + "x 1") for _ in range(400))
    lines = wrapped(text).split("\n")
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    for line, following in pairwise(lines):
        broken_at_a_space = f"{line[-1:]} {following[:1]}" in text
        assert broken_at_a_space or following[0] not in SMALL + CLOSING
        assert broken_at_a_space or line[-1] not in OPENING


def test_lines_are_as_long_as_they_may_be():
    lines = wrapped("行" * 49 + "ッ" + "行" * 60).split("\n")
    assert [display_width(line) for line in lines] == [WIDTH, WIDTH, 2 * 110 - 2 * WIDTH]
    pushed = wrapped("行" * 50 + "ー" + "行" * 30).split("\n")
    assert pushed[0] == "行" * 49
    assert pushed[1].startswith("行ー")


@pytest.mark.parametrize(("target", "log"), [("txt", "log([[2, 3]])"), ("tex", r"\operatorname{log}")])
def test_a_side_is_not_said_twice(target, log):
    X = matrix("X", 1, 2)
    steps = {"F": ops.Logarithm(Literal([[2, 3]])), "R": X + X}
    page = render(verify(derive(steps, values={X: [[1, 4]]})), target)
    assert page.count(log) == 1
    plus = "[[1, 4]] + [[1, 4]]" if target == "txt" else r"\end{bmatrix} + \begin{bmatrix}"
    assert page.count("X + X") == page.count(plus) == 1  # and what is not the same stays


def one_row(labels=()):
    S = matrix("S", 1, 3)
    section = Section(Words("Weights", "係数"), steps=("Y",), percent=("Y",))
    derivation = derive(ops.Softmax(S), values={S: [[0, 1, 2]]}, sections=(section,), labels=dict(labels))
    return {target: render(verify(derivation), target) for target in ("txt", "tex")}


def test_the_only_row_of_a_table_has_no_number():
    pages = one_row()
    rows = pages["txt"].split("in percent\n")[1].splitlines()
    assert rows[0].split() == ["1", "2", "3"]
    assert rows[1].split()[0].startswith("9")
    assert len(rows[1].split()) == 3
    assert r"\begin{tabular}{rrr}" in pages["tex"]


def test_a_label_of_the_only_row_stays():
    pages = one_row({"1": (Words("cat", "猫"),)})
    rows = pages["txt"].split("in percent\n")[1].splitlines()
    assert rows[1].split()[0] == "cat"
    assert r"\begin{tabular}{lrrr}" in pages["tex"]


def test_signs_that_text_fonts_lack_are_mathematics():
    assert escape("ε ≥ 0, x ≤ 1") == r"$\epsilon$ $\ge$ 0, x $\le$ 1"


def test_a_long_sum_of_matrices_is_broken_before_its_signs():
    A, B = matrix("A", 3, 4), matrix("B", 3, 4)
    rows = [[100 * i + j / 8 for j in range(1, 5)] for i in range(3)]
    page = render(verify(derive({"C": A + B, "D": A - B}, values={A: rows, B: rows})), "tex")
    for sign in "+-":
        assert re.search(
            rf"^&= \\begin{{bmatrix}}.*?\\end{{bmatrix}} \\\\\*\n&\\quad \{sign} \\begin{{bmatrix}}", page, re.M
        )
    text = page.partition(r"\begin{document}")[2]
    assert text.count(r"\begin{bmatrix}") == 2 + 2 * 3  # what is given; two operands and a result of each
