"""NumPy functions: batch axes in front, the head axis of a family before the rows, and never one for the other."""

import numpy as np
import pytest
from sympy import Symbol

from symtransformer import dimension, evaluate, head_index, matrix
from symtransformer.errors import UnreadableInput
from symtransformer.numpy_code import numpy_function
from symtransformer.operations import ColumnPad, ColumnSlice, Concatenation, HeadConcatenation, HeadSum, Scaling

n, d, k = dimension("n"), dimension("d"), dimension("k")
i = head_index()
X, Y = matrix("X", n, d), matrix("Y", n, k)
V = matrix("V", d, k).of_head(i)
RANDOM = np.random.default_rng(20)
BATCH, ROWS, WIDTH, HEADS, OUT = 2, 4, 3, 2, 5  # as many heads as members of the batch, on purpose
x = RANDOM.normal(size=(BATCH, ROWS, WIDTH))
v = RANDOM.normal(size=(HEADS, WIDTH, OUT))
y = RANDOM.normal(size=(ROWS, OUT))


def value(expression):
    function, letters = numpy_function(expression)
    arrays = {"X": x, "V": v, "Y": y}
    return function(*(arrays[letter.name] for letter in letters))


def test_a_batch_of_inputs_meets_every_head():
    expected = np.stack([np.concatenate([x[b] @ v[h] for h in range(HEADS)], axis=-1) for b in range(BATCH)])
    np.testing.assert_allclose(value(HeadConcatenation(X @ V, i, HEADS)), expected, rtol=1e-14)


def test_a_part_that_all_heads_share_is_repeated_for_each():
    expected = np.stack(
        [
            np.concatenate([np.concatenate([x[b] @ v[h], y], axis=-1) for h in range(HEADS)], axis=-1)
            for b in range(BATCH)
        ]
    )
    np.testing.assert_allclose(value(HeadConcatenation(Concatenation(X @ V, Y), i, HEADS)), expected, rtol=1e-14)


def test_a_sum_over_heads_of_what_does_not_depend_on_them_is_a_multiple():
    np.testing.assert_allclose(value(HeadSum(X, i, 3)), 3 * x, rtol=1e-15)


def test_columns_cut_head_by_head_come_back_in_order():
    np.testing.assert_array_equal(value(HeadConcatenation(ColumnSlice(X, i, 1), i, WIDTH)), x)
    np.testing.assert_array_equal(value(HeadSum(ColumnPad(ColumnSlice(X, i, 1), i, WIDTH), i, WIDTH)), x)


def test_a_name_is_never_code_and_never_another_name():
    hostile = Symbol("print('run')or 2", real=True)
    with pytest.raises(UnreadableInput, match="is not a name"):
        Scaling(matrix("X", 1, 2), hostile, 1)
    with pytest.raises(UnreadableInput, match="is not a name"):
        matrix("X", Symbol("zz := print('run'), (q", integer=True, positive=True), 2)
    with pytest.raises(UnreadableInput, match="is not a name"):
        evaluate(X, {"X": [[hostile]]})
    with pytest.raises(UnreadableInput, match="t has no value"):
        numpy_function(Scaling(X, Symbol("t", real=True), 1))
    for name in ("a0", "b0", "Softmax", "lambda", "numpy"):
        size = dimension(name)
        expression = Scaling(matrix("X", size, 2), size, 1)
        np.testing.assert_array_equal(
            evaluate(expression, {"X": [[1, 2], [3, 4], [5, 6]]}, backend="numpy"),
            3 * np.array([[1, 2], [3, 4], [5, 6]]),
        )
