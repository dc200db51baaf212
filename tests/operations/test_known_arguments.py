"""What was looked at once is taken as it is: everything else is still refused, also right after what is fit."""

import pytest
from sympy import Float, I, Rational, S, Symbol, sqrt

from symtransformer import dimension, head_index, matrix
from symtransformer.errors import ShapeError, UnreadableInput
from symtransformer.operations import Broadcast, ColumnPad, ColumnSlice, HeadSum, Product, Scaling, Standardization

n, d, h = dimension("n"), dimension("d"), dimension("h")
i = head_index()
X = matrix("X", n, d)


def test_a_number_that_is_known_gives_the_same_node():
    first, again = Scaling(X, Rational(2, 7), sqrt(d)), Scaling(X, Rational(2, 7), sqrt(d))
    assert first is again
    assert first.args == (X, Rational(2, 7), sqrt(d))


@pytest.mark.parametrize(
    "unfit", [S.NaN, S.Infinity, S.ComplexInfinity, I, d * I, Symbol("d; import os"), Symbol("d", commutative=False), X]
)
def test_what_is_unfit_is_refused_each_time(unfit):
    for _ in range(3):
        Scaling(X, sqrt(d), d)  # known from here on
        with pytest.raises(UnreadableInput):
            Scaling(X, unfit, d)
        with pytest.raises(UnreadableInput):
            Scaling(X, 1 + unfit if unfit is not X else X, sqrt(d))


def test_a_float_becomes_the_number_that_was_meant_each_time():
    for _ in range(3):
        assert Scaling(X, Float("0.1"), 1).args[1] == Rational(1, 10)
        assert Scaling(X, Float("0.1") * d, 1).args[1] == d / 10


def test_a_number_is_no_matrix_and_a_matrix_no_number():
    Broadcast(matrix("c", n, 1), d)
    with pytest.raises(UnreadableInput):
        Broadcast(d, d)
    with pytest.raises(UnreadableInput):
        Broadcast(matrix("c", n, 1), matrix("c", n, 1))
    with pytest.raises(UnreadableInput):
        Product(X, d)


def test_a_number_of_the_right_kind_is_still_refused_where_it_makes_no_sense():
    Standardization(X, Rational(1, 3))
    assert Scaling(X, 2, 3) is Scaling(X, 2, 3)
    with pytest.raises(UnreadableInput, match="must not be negative"):
        Standardization(X, Rational(-1, 3))
    with pytest.raises(UnreadableInput, match="divided by 0"):
        Scaling(X, 2, 0)
    with pytest.raises(UnreadableInput, match="a size may not depend on the head letter"):
        HeadSum(matrix("A", n, d).of_head(i), i, h * i)


@pytest.mark.parametrize(
    ("start", "width", "columns"),
    [(d, d, d), (h * d, d, h * d), ((i + 1) * d, d, d), (h * d + 1, d - 1, h * d - 1), (-1, d, h * d), (5, 3, 7)],
)
def test_columns_beyond_the_last_are_refused(start, width, columns):
    with pytest.raises(ShapeError, match="do not exist"):
        ColumnSlice(matrix("G", n, columns), start, width)
    with pytest.raises(ShapeError, match="do not exist"):
        ColumnPad(matrix("G", n, width), start, columns)


def test_columns_of_a_head_may_be_taken_out_of_all_heads():
    assert ColumnSlice(matrix("G", n, h * d), i * d, d).shape == (n, d)
    assert ColumnPad(matrix("G", n, d), i * d, h * d).shape == (n, h * d)
