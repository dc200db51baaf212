"""Planted slips in what is asked most: one entry, a product, a bias, an activation alone, a norm not divided."""

from attention_slips import attention, drawing
from mpmath import mpf, sqrt
from normalization_slips import EPS, around_mean, bare, gamma, layer_norm, plus, times
from planted_numbers import had, mul, scale, softmax, t
from slip_cases import Case

from symtransformer import matrix
from symtransformer.operations import Addition, ColumnSlice, Ones, Product, ReLU, RMSDivision, Softmax, Tanh, Transpose
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.rows import Row

SQUARE_SCORES = {"Q": (3, 3), "K": (3, 3), "V": (3, 2)}
X, W, b = matrix("X", 3, 4), matrix("W", 4, 2), matrix("b", 2, 1)
SHIFTED = drawing(X=(3, 4), W=(4, 2), b=(2, 1))


def entry(table):
    return lambda: ColumnSlice(Row(table, 1), 2, 1)


def shifted():
    return Addition(Product(X, W), Product(Ones(3, 1), Transpose(b)))


def product(left, right):
    return lambda: Product(matrix("X", *left), matrix("W", *right))


def of_product(slip, left, right, planted):
    return Case(slip, product(left, right), drawing(X=left, W=right), planted)


def around_mean_of(X):
    return [around_mean(row) for row in X]


def entry_by_entry(X, W):
    return had(X, W)


def multiplied(X, W):
    return mul(X, W)


def gained(X, gamma):
    return times(X, gamma)


def rms_norm():
    return Hadamard(RMSDivision(matrix("X", 3, 5), EPS), Product(Ones(3, 1), Transpose(gamma)))


ENTRIES = [
    Case("index_swapped", entry(matrix("M", 4, 3)), drawing(M=(4, 3)), lambda M: [[M[2][1]]]),
    Case("index_swapped", entry(Softmax(matrix("M", 4, 3))), drawing(M=(4, 3)), lambda M: [[softmax(M)[2][1]]]),
    Case("index_swapped", lambda: ColumnSlice(Row(Product(X, W), 0), 1, 1), drawing(X=(3, 4), W=(4, 2)), lambda X, W: [[mul(X, W)[1][0]]]),
    *(
        Case("neighboring_entry", entry(matrix("M", 4, 4)), drawing(M=(4, 4)), lambda M, i=i, j=j: [[M[i][j]]])
        for i, j in ((0, 2), (2, 2), (1, 1), (1, 3))
    ),
    Case("neighboring_entry", lambda: Row(matrix("M", 4, 3), 2), drawing(M=(4, 3)), lambda M: [M[3]]),
]  # fmt: skip
PRODUCTS = [
    Case("bias_left_out", shifted, SHIFTED, lambda X, W, b: mul(X, W)),
    Case("bias_subtracted", shifted, SHIFTED, lambda X, W, b: plus(mul(X, W), scale(b, -1))),
    of_product("factor_transposed", (3, 3), (3, 2), lambda X, W: mul(t(X), W)),
    of_product("factor_transposed", (2, 3), (3, 3), lambda X, W: mul(X, t(W))),
    of_product("factors_swapped", (3, 3), (3, 3), lambda X, W: mul(W, X)),
    of_product("factors_entry_by_entry", (3, 3), (3, 3), entry_by_entry),
    Case("query_transposed", attention(SQUARE_SCORES), drawing(**SQUARE_SCORES),
         lambda Q, K, V: mul(softmax(scale(mul(t(Q), K), 1 / sqrt(mpf(3)))), V)),
]  # fmt: skip
LEFT_OUT = [
    Case("activation_left_out", lambda: ReLU(X), drawing(X=(3, 4)), lambda X: X),
    Case("activation_left_out", lambda: Tanh(Product(X, W)), drawing(X=(3, 4), W=(4, 2)), multiplied),
    Case("deviation_not_divided", bare, drawing(7, X=(3, 5)), around_mean_of),
    Case("deviation_not_divided", layer_norm, drawing(7, X=(3, 5), gamma=(5, 1), beta=(5, 1)),
         lambda X, gamma, beta: plus(times(around_mean_of(X), gamma), beta)),
    Case("rms_not_divided", rms_norm, drawing(7, X=(3, 5), gamma=(5, 1)), gained),
]  # fmt: skip

CASES = [*ENTRIES, *PRODUCTS, *LEFT_OUT]
