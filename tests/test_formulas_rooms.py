"""Sizes that a part of a matrix speaks of: columns 2 and 3 of d are there if d ≥ 3, and that is all that is known of d."""

import pytest
from sympy import S

from symtransformer import differentiate, dimension, matrix
from symtransformer.formulas import have_same_formula
from symtransformer.index_notation import index_form
from symtransformer.judge import judge_line
from symtransformer.operations import ColumnPad, ColumnSlice, ColumnSum, RowPad, RowSlice, RowSum, Scaling

n, m, d = map(dimension, ("n", "m", "d"))
X, W, G, H = matrix("X", n, m), matrix("W", m, d), matrix("G", n, 2), matrix("H", 2, d)
PAIRS = {  # equal for all sizes in which both are there
    "a padded block times W^T": (ColumnPad(G, 1, d) @ W.T, G @ RowSlice(W.T, 1, 2)),
    "a product with padded rows": (X @ RowPad(matrix("B", 2, 3), 1, m), ColumnSlice(X, 1, 2) @ matrix("B", 2, 3)),
    "a sum over padded columns": (RowSum(ColumnPad(G, 3, d)), RowSum(G)),
    "a sum over padded rows": (ColumnSum(RowPad(H, 0, n)), ColumnSum(H)),
}
WRONG = {
    "one place further": (ColumnPad(G, 1, d) @ W.T, G @ RowSlice(W.T, 2, 2)),
    "one place before": (ColumnPad(G, 1, d) @ W.T, G @ RowSlice(W.T, 0, 2)),
    "all columns": (RowSum(ColumnSlice(X @ W, 1, 2)), RowSum(X @ W)),
    "doubled": (RowSum(ColumnPad(G, 3, d)), Scaling(RowSum(G), S(2), S.One)),
    "d - 3 columns are none": (RowSum(ColumnSlice(X @ W, 3, d - 3)), RowSum(ColumnSlice(X @ W, 0, d))),
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_sum_over_a_padded_part_is_one_over_the_part(name):
    assert have_same_formula(*PAIRS[name])


@pytest.mark.parametrize("name", WRONG)
def test_another_part_is_another_formula(name):
    assert not have_same_formula(*WRONG[name])


def test_what_one_proof_knows_of_sizes_no_other_does():
    """X has three columns or more only while a part of it is spoken of."""
    assert have_same_formula(*PAIRS["a sum over padded columns"])
    assert not have_same_formula(RowSum(X), RowSum(ColumnSlice(X, 0, m - 1)))


@pytest.mark.parametrize("of", [ColumnSlice(X @ W, 1, 2), RowSlice(X @ W, 1, 2)])
def test_each_line_about_a_part_of_a_product_is_proved(of):
    gradient = differentiate(of)
    for name in gradient.formulas:
        assert {judge_line(line, gradient.derivation).kind for line in index_form(gradient, name).every_line} == {"proved"}  # fmt: skip
