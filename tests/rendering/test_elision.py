"""A matrix that no page can hold shows its first and last rows and columns; a smaller one is shown whole."""

import re

import pytest
from tex_runs import compiled, needs_tex

from symtransformer import Follow, derive, matrix, render, verify
from symtransformer.operations import ReLU


def page(rows, columns, follow=None):
    X = matrix("X", rows, columns)
    numbers = [[1000 * (i + 1) + j + 1 for j in range(columns)] for i in range(rows)]
    return render(verify(derive({"Y": ReLU(X)}, values={X: numbers}, follow=follow)), "tex")


def last_matrix(text):
    body = re.findall(r"\\begin\{bmatrix\}(.*?)\\end\{bmatrix\}", text, re.S)[-1]
    plain = re.sub(r"\\followed |\\mathbf\{([0-9]*)\}", r"\1", body)
    return [[cell.strip() for cell in row.split("&")] for row in re.split(r"\\\\(?:\[[^]]*\])?", plain)]


@pytest.mark.parametrize(("rows", "columns"), [(2, 24), (30, 3), (2, 3)])
def test_what_a_page_can_hold_is_shown_whole(rows, columns):
    shown = last_matrix(page(rows, columns))
    assert shown == [[str(1000 * (i + 1) + j + 1) for j in range(columns)] for i in range(rows)]


def test_columns_in_between_are_dots():
    shown = last_matrix(page(2, 25))
    assert shown[1] == ["2001", "2002", "2003", "2004", "2005", "2006", "2007", "2008", r"\cdots", "2024", "2025"]


def test_rows_and_columns_in_between_are_dots():
    shown = last_matrix(page(31, 40))
    assert len(shown) == 11
    assert shown[8] == [r"\vdots"] * 8 + [r"\ddots"] + [r"\vdots"] * 2
    assert shown[10][10] == "31040"


def test_the_followed_row_is_still_the_one_that_is_followed():
    text = page(40, 2, Follow("Y", "row", 39))
    assert r"\followed \mathbf{40001} & \followed \mathbf{40002}\end{bmatrix}" in text


@needs_tex
def test_the_largest_matrices_stay_on_the_page(tmp_path):
    for rows, columns in ((30, 24), (40, 60)):
        code, log, _ = compiled(tmp_path, page(rows, columns))
        assert code == 0, log[-500:]
        assert "Overfull" not in log
