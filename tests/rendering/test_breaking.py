"""Where what is too wide for a line is broken, and that nothing becomes too small to read."""

import re

import pytest
from pdf_reading import reader_of
from sympy import symbols

from symtransformer import derive, matrix, render
from symtransformer.operations import Hadamard, RowDivision, RowMean
from symtransformer.rendering import render_file
from symtransformer.rendering.breaking import lines_of, parts_of
from symtransformer.rendering.latex_chains import MARKS
from symtransformer.rendering.latex_text import width_of
from symtransformer.rendering.typst import MARKS as TYPST

ROOM = 20
MATRIX = r"\begin{bmatrix}1 & 2 \\ 3 & 4\end{bmatrix}"


def lines(text, room=ROOM, more=0):
    return lines_of(text, MARKS, width_of, room, more)


def test_a_sum_is_broken_before_its_signs():
    assert lines("a + b") == ["a + b"]
    assert lines(" + ".join(["abcdefgh"] * 5)) == ["abcdefgh + abcdefgh", "+ abcdefgh + abcdefgh", "+ abcdefgh"]
    assert lines(r"abcdefgh \odot ijklmnop - qrstuvwx") == [r"abcdefgh \odot ijklmnop", "- qrstuvwx"]
    assert lines(r"abcdefgh - ijklmnop \odot qrstuvwx") == [
        "abcdefgh",
        r"- ijklmnop \odot qrstuvwx",
    ]  # not before the product


def test_signs_outside_of_brackets_come_first():
    text = r"abcdefghij + f\left(klm - nop\right)"
    assert lines(text) == ["abcdefghij", r"+ f\left(klm - nop\right)"]  # the bracket stays whole, and grows as before
    assert lines(r"\left(abcdefghij + klmnopqrst\right) + u") == [r"\bigl(abcdefghij", r"+ klmnopqrst\bigr) + u"]
    assert lines(r"f\left(abcdefghij + klmnopqrst\right)", more=30) == [r"f\left(abcdefghij + klmnopqrst\right)"]


@pytest.mark.parametrize(("rows", "size"), [(1, "big"), (2, "bigg"), (3, "Bigg"), (5, "Bigg")])
def test_both_halves_of_a_bracket_are_as_high_as_the_matrices_between(rows, size):
    high = r"\begin{bmatrix}" + r" \\ ".join(["1 & 2"] * rows) + r"\end{bmatrix}"
    assert lines(rf"f\!\left({high} - {high}, c\right)^{{2}}", room=6) == [
        rf"f\!\{size}l({high}", rf"- {high}, c\{size}r)^{{2}}"
    ]  # fmt: skip


@pytest.mark.parametrize("text", [
    r"\frac{abcdefgh + ijklmnop}{qrstuvwx - yz}", r"e^{abcdefgh + ijklmnop + qrstuvwx}", r"- abcdefghijklmnopqrstuvwxyz",
    r"\begin{bmatrix}abcdefgh + i & jklmnopq - r\end{bmatrix}", r"\left|abcdefgh - ijklmnop + qrst\right|",
    r"\sqrt{\left(abcdefgh + ijklmnop\right) - q}", r"\text{abcdefgh - ijklmnop (qrst)}",
])  # fmt: skip
def test_no_line_ends_in_a_fraction_an_exponent_a_root_a_matrix_or_words(text):
    assert lines(text) == [text]


def typst(text):
    return [(part.level, part.text) for part in parts_of(text, TYPST)]


def test_typst_is_parted_at_the_same_signs():
    assert typst('op("f") (A - B dot.o D, c) + frac(a + b, c)') == [
        (0, r'op("f") lr(size: #1.4em, \()A'), (2, "- B"), (3, r"dot.o D, c lr(size: #1.4em, \))"), (0, "+ frac(a + b, c)"),
    ]  # fmt: skip
    high = 'display(mat(delim: "(", 1, 2; 3, frac(1, 2)))'
    assert typst(f"({high} dot.o A)^(2)") == [
        (0, rf"lr(size: #2.7em, \(){high}"), (3, r"dot.o A lr(size: #2.7em, \))^(2)"),
    ]  # fmt: skip
    assert typst('"a - (b + c)" + attach((a - b), t: 2)') == [(0, '"a - (b + c)"'), (0, "+ attach((a - b), t: 2)")]


def wide():
    A, B, c = matrix("A", 2, 4), matrix("B", 2, 4), matrix("c", 2, 1)
    numbers = [[-0.3964, 0.3684, -0.3404, -0.3964], [0.0191, -0.2574, 0.4957, 0.0191]]
    difference = RowDivision(A - Hadamard(A, B) - B, c)
    return derive({"D": difference, "M": RowMean(difference)}, values={A: numbers, B: numbers, c: [[2], [3]]})


def sizes_in(content):
    found = []
    for page in reader_of(content).pages:

        def visit(text, user, matrix, font, size):
            if text.strip():
                found.append(size * abs(matrix[3] * user[3]))

        page.extract_text(visitor_text=visit)
    return found


def test_a_wide_call_is_parted_and_stays_as_large_as_the_rest():
    page = render(wide(), "tex")
    assert r"\operatorname{divide}\!\biggl(\begin{bmatrix}" in page
    assert re.search(r"^&\\quad - .*\\biggr\)", page, re.M)
    assert "narrowed" not in page
    assert min(sizes_in(render_file(wide(), "pdf"))) > 7


def test_a_matrix_that_is_too_wide_is_made_smaller_alone():
    A = matrix("A", 1, 16)
    page = render(derive(A + A, values={A: [[k + 0.5432 for k in range(16)]]}), "tex")
    assert page.count(r"\narrowed{1}{\begin{bmatrix}") == 2
    assert r"\newcommand{\narrowed}[2]" in page
    assert "Y &= A + A" in page


def test_a_row_of_long_formulas_stands_as_a_column():
    t, u = symbols("t u")
    A = matrix("A", 1, 4)
    long = [1 / (1 + t**k + u**k + (t + u) ** (k + 2) + 3 * t * u) for k in (2, 3, 4, 5)]
    steps = derive(A + A, values={A: [long]})
    assert render(steps, "tex").count(r"\end{bmatrix}^{\mathsf T}}") == 4  # what is given, both terms, the result
    assert "t: upright(sans(T)))" in render(steps, "typ")
    short = derive(A + A, values={A: [[t, u, t * u, 1]]})
    assert "mathsf T" not in render(short, "tex")
    assert "sans(T)" not in render(short, "typ")
