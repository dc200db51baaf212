"""det, trace, rank, max and min of what has a value in fractions, and never definitions of them; parameters of norms."""

import pytest

from symtransformer.checking.checks import check
from symtransformer.checking.function_values import ENTRIES_AT_MOST

A = "$A = [[1, 2], [3, 5]]$. "


def last(text):
    found = check(text, name="a.md").equations[-1]
    return found.verdict if found.verdict != "undecidable" else found.code


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (A + r"$\det(A) = -1$.", "right"),
        (A + "$det(A) = -1$.", "right"),
        (A + r"$\operatorname{det}(A) = 11$.", "wrong"),
        (A + "determinant(A) = -1", "right"),
        (A + r"$\det\left(A\right) = -1$.", "right"),
        (A + r"$\operatorname{tr}(A) = 6$.", "right"),
        (A + r"$\mathrm{trace}(A) = 5$.", "last_place"),
        (A + r"$\operatorname{rank}(A) = 2$.", "right"),
        (A + r"$\operatorname{rank}(A) = 1$.", "last_place"),
        (A + r"$\max(A) = 5$.", "right"),
        (A + r"$\min(A) = 2$.", "last_place"),
        (A + r"$\max(2A) = 10$.", "right"),
        ("$v = [3, -1, 2]$. $\\max(v) = 3$.", "right"),
        ("$v = [3, -1, 2]$. $\\min(v) = 2$.", "wrong"),
        ("$v = [3, -1, 2]$. $\\operatorname{tr}(v) = 3$.", "unknown_function"),  # of no square
        ("$v = [3, -1, 2]$. $\\det(v) = 3$.", "unparsed"),
        ("$B = [[1, 2], [2, 4]]$. $\\operatorname{rank}(B) = 1$.", "right"),
        ("$B = [[1, 2], [2, 4]]$. $\\det(B) = 0$.", "right"),
        ("$det(M) = 3$.", "unknown_function"),  # M has no value
        ("$\\det(M) = 3$.", "unparsed"),
        (A + r"$argmax(A) = 3$.", "unknown_function"),
        (A + r"$\arg\max(A) = 3$.", "unparsed"),
        (A + r"$\operatorname{argmin}(A) = 0$.", "unknown_function"),
    ],
)
def test_values_of_functions(text, expected):
    assert last(text) == expected


def test_a_function_is_not_defined_by_one_value():
    found = check("$det(M) = 3$.", name="a.md").equations[-1]
    assert "det is a known function, and what it is taken of has no value here" in found.words.en
    assert "det は決まった関数で" in found.words.ja
    found = check(A + "$argmax(A) = 3$.", name="a.md").equations[-1]
    assert "argmax counts from 0 or from 1, which is not told" in found.words.en
    assert "argmax の番号が 0 からか 1 からか定まらない" in found.words.ja


@pytest.mark.parametrize(("entries", "expected"), [(ENTRIES_AT_MOST, "right"), (ENTRIES_AT_MOST + 1, "unparsed")])
def test_so_many_entries_and_no_more(entries, expected):
    numbers = ", ".join(str(k) for k in range(1, entries + 1))
    assert last(f"$v = [{numbers}]$. $\\max(v) = {entries}$.") == expected


def test_roundings_that_change_the_value():
    """a = 1/3 is shown as 0.33, so that max(a, ...) is another number by what is shown."""
    given = "$a = [1/3, 0] = [0.33, 0]$. "
    assert last(given + r"$\max(a) = 0.33$.") not in ("right", "wrong", "last_place")
    assert last(given + r"$\min(a) = 0$.") == "right"


# -- γ and β, which may belong to a norm or not -------------------------------------------------------------------------
X = "$x = [1, 3]$. "  # mean 2, deviation 1


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("", "right"),
        ("$\\gamma = [2, 3]$. ", "norm_parameters"),
        ("$\\gamma = [1, 1]$. ", "right"),
        ("$\\gamma = [1, 2]$. ", "norm_parameters"),
        ("$\\gamma = [2, 3, 4]$. ", "right"),  # of other rows
        ("$\\gamma = 2$. ", "norm_parameters"),
        ("$\\gamma = 1$. ", "right"),
        ("$\\beta = [0, 0]$. ", "right"),
        ("$\\beta = [0, 1]$. ", "norm_parameters"),
        ("$\\beta = 0$. ", "right"),
        ("$\\beta = 0.5$. ", "norm_parameters"),
        ("$\\gamma = [1, 1]$. $\\beta = [0, 0]$. ", "right"),
        ("$\\gamma = [1, 1]$. $\\beta = [1, 0]$. ", "norm_parameters"),
    ],
)
def test_a_norm_beside_parameters(given, expected):
    assert last(X + given + r"$\mathrm{LayerNorm}(x) ≈ [-1.00, 1.00]$.") == expected
    if expected == "norm_parameters":
        assert last(X + given + r"$\mathrm{LayerNorm}(x) ≈ [-1.50, 1.50]$.") == expected
