"""Claims of rows, columns and sums over heads: first and last places, those beyond them, and what is put among zeros."""

import pytest

from symtransformer.claims.deciding import decided
from symtransformer.reading import ReadingError

SIZED = "X: 5 4\nW: 4 6\nY = X W"
HEADS = "MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads=h)"
EACH = "dQ^(i) W_Q^(i)^T + dK^(i) W_K^(i)^T + dV^(i) W_V^(i)^T"

CLAIMS = [  # claim, about, kind, what was read
    ("Y_{2:3,:} = X_{2:3,:} W", SIZED, "proved", "Y[2:3, :] = X[2:3, :] W"), ("Y_{2:3,:} = X_{3:4,:} W", SIZED, "refuted", "Y[2:3, :] = X[3:4, :] W"), ("Y_{2:3,1:6} = X_{2:3,:} W", SIZED, "proved", "Y[2:3, :] = X[2:3, :] W"), ("Y_{4:5,:} = X_{4:5,:} W", SIZED, "proved", "Y[4:5, :] = X[4:5, :] W"), ("Y_{1,:} = X_{1,:} W", SIZED, "proved", "y_1 = x_1 W"), ("Y_{1,:} = X_{2,:} W", SIZED, "refuted", "y_1 = x_2 W"),
    ("Y_{:,6} = X W_{:,6}", SIZED, "proved", "Y[:, 6] = X W[:, 6]"), ("Y_{:,:2} = X W_{:,:2}", SIZED, "proved", "Y[:, 1:2] = X W[:, 1:2]"), ("Y_{:,:2} = X W_{:,2:3}", SIZED, "refuted", "Y[:, 1:2] = X W[:, 2:3]"), ("Y_{:,5:} = X W_{:,5:6}", SIZED, "proved", "Y[:, 5:6] = X W[:, 5:6]"), ("Y_{:,5:} = X W_{:,4:5}", SIZED, "refuted", "Y[:, 5:6] = X W[:, 4:5]"),
    ("Y[5, :] = X[5, :] W", SIZED, "proved", "y_5 = x_5 W"), ("Y[0, :] = X[0, :] W", SIZED, "proved", "y_1 = x_1 W"), ("(X W)_{2:3,:} = X_{2:3,:} W", SIZED, "proved", "(X W)[2:3, :] = X[2:3, :] W"), ("(X W)_{2:3,:} = 2 X_{2:3,:} W", SIZED, "refuted", "(X W)[2:3, :] = 2 X[2:3, :] W"),
    ("tanh(X)_{1:2,:} = tanh(X_{1:2,:})", SIZED, "proved", "tanh(X)[1:2, :] = tanh(X[1:2, :])"), ("tanh(X)_{1:2,:} = tanh(X_{2:3,:})", SIZED, "refuted", "tanh(X)[1:2, :] = tanh(X[2:3, :])"), ("(X^T)_{1:2,:} = X_{:,1:2}^T", SIZED, "proved", "(X^T)[1:2, :] = X[:, 1:2]^T"), ("(X^T)_{1:2,:} = X_{:,2:3}^T", SIZED, "refuted", "(X^T)[1:2, :] = X[:, 2:3]^T"),
    ("y_4 = x_4 W", SIZED, "proved", "Y_4 = X_4 W"), ("y_4 = x_3 W", SIZED, "refuted", "Y_4 = X_3 W"), ("y_5 = x_5 W", SIZED, "proved", "Y_5 = X_5 W"), ("y_5 = 2 x_5 W", SIZED, "refuted", "Y_5 = 2 X_5 W"), ("y_i = x_i W", SIZED, "proved", "Y_i = X_i W"), ("y_i = 2 x_i W", SIZED, "refuted", "Y_i = 2 X_i W"),
    # among zeros
    ("W_{:,1:2} = pad[1 of 6](W_{:,1:2})", SIZED, "shapes", "W_{:,1:2} = pad[1 of 6](W_{:,1:2})"), ("W = pad[1 of 6](W_{:,1:2}) + pad[3 of 6](W_{:,3:6})", SIZED, "proved", "W = pad[1 of 6](W[:, 1:2]) + pad[3 of 6](W[:, 3:6])"), ("W = pad[1 of 6](W_{:,1:2}) + pad[2 of 6](W_{:,3:6})", SIZED, "refuted", "W = pad[1 of 6](W[:, 1:2]) + pad[2 of 6](W[:, 3:6])"),
    ("X = padrow[1 of 5](X_{1:2,:}) + padrow[3 of 5](X_{3:5,:})", SIZED, "proved", "X = padrow[1 of 5](X[1:2, :]) + padrow[3 of 5](X[3:5, :])"), ("X = padrow[3 of 5](X_{1:2,:}) + padrow[1 of 5](X_{3:5,:})", SIZED, "refuted", "X = padrow[3 of 5](X[1:2, :]) + padrow[1 of 5](X[3:5, :])"),
    # heads
    (f"dX = Sum({EACH}, i = 1..h)", HEADS, "proved", f"dX = Sum({EACH}, i = 1..h)"), (f"dX = Σ_i ({EACH})", HEADS, "proved", f"dX = Σ_i ({EACH})"), (f"dX = Sum({EACH}, i = 1..h) + X", HEADS, "refuted", f"dX = Sum({EACH}, i = 1..h) + X"), (f"dX = 2 Sum({EACH}, i = 1..h) / 2", HEADS, "proved", f"dX = 2 Sum({EACH}, i = 1..h) / 2"),
    ("Y = Concat(Z^(i), i = 1..h)", HEADS, "proved", "Y = Concat(Z^(i), i = 1..h)"), ("Y = 2 Concat(Z^(i), i = 1..h)", HEADS, "refuted", "Y = 2 Concat(Z^(i), i = 1..h)"), ("Y = Concat(Z^(i), i = 1..h) W_O", HEADS, "shapes", "Y = Concat(Z^(i), i = 1..h) W_O"), ("dX = Sum(dQ^(i), i = 1..h)", HEADS, "shapes", "dX = Sum(dQ^(i), i = 1..h)"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "of", "kind", "read"), CLAIMS)
def test_rows_columns_and_sums_over_heads(claim, of, kind, read):
    found = decided(claim, of, {})
    assert (found.kind, found.claimed) == (kind, read)


REFUSED = [
    ("Y_{4:6,:} = X_{4:6,:} W", SIZED, "part", 1, "there are 5"), ("Y_{0:1,:} = X_{0:1,:} W", SIZED, "part", 2, "0:1 holds no row"), ("Y_{:,7} = X W_{:,7}", SIZED, "part", 1, "there are 6"), ("Y_{:,0} = X W_{:,0}", SIZED, "part", 2, "0 holds no column"), ("Y[2] = X[2] W", SIZED, "ambiguous", 1, "counts from 1 on a page and from 0 in Python"), ("Y[2:3] = X[2:3] W", SIZED, "part", 2, "expected rows and columns"), ("Y[6, :] = X[6, :] W", SIZED, "part", 1, "there are 5 rows"),
    ("y_6 = x_6 W", SIZED, "index", 1, "there is no place 6 on an axis of 5"), ("y_0 = x_0 W", SIZED, "index", 1, "counted from 1"), ("W = pad[1 of 6](W_{:,1:2}) + pad[4 of 6](W_{:,3:6})", SIZED, "part", 30, "there are 6"), ("X = padrow[0 of 5](X_{1:2,:})", SIZED, "part", 5, "there are 5"),
    (f"dX = Sum({EACH}, i = 1..n)", HEADS, "part", 10, "ends at n, and there are h"), (f"dX = Sum({EACH}, i = 1..2 h)", HEADS, "part", 10, "ends at 2 h, and there are h"), (f"dX = Sum({EACH}, i = 1..k)", HEADS, "part", 10, "'k' is no place or size"), (f"dX = Sum({EACH}, j = 1..h)", HEADS, "head", 6, "i is a head on the right side"), ("dX = Sum(X, i = 1..h)", HEADS, "part", 10, "nothing in this sum depends on i"),
    ("dX = Sum(dQ^(i) W_Q^T, i = 1..h)", HEADS, "head", 6, "which head of W_Q is meant"), ("dX = Sum(dQ^(i) W_Q^(j)^T, i = 1..h)", HEADS, "head", 6, "j is a head on the right side"), ("dX = Sum(Sum(dQ^(i) W_Q^(i)^T, i = 1..h), i = 1..h)", HEADS, "part", 14, "counted already"), ("dX = Sum(3, i = 1..h)", HEADS, "part", 10, "a matrix is expected here"), ("dX = Sum(dQ^(i) W_Q^(i)^T, i = 1..h", HEADS, "part", 9, "is not closed"),
    ("dX = Sum(dQ^(i) W_Q^(i)^T + , i = 1..h)", HEADS, "incomplete", 28, "not complete"), ("dQ^(a) = Sum(dS^(a) K^(i), i = 1..h)", HEADS, "part", 14, "not clear which heads i counts"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "of", "code", "column", "said"), REFUSED)
def test_parts_that_are_not_there_are_refused_at_their_place(claim, of, code, column, said):
    with pytest.raises(ReadingError, match=said) as caught:
        decided(claim, of, {})
    assert (caught.value.code, caught.value.line, caught.value.column) == (code, 1, column)
