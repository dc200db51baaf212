"""The numbers of chapter 5 of the explainer: output Linear, Add & Norm, feed-forward network, Add & Norm, one token."""

from oracle_reading import Document, of
from sympy import Rational

from symtransformer import matrix
from symtransformer.operations import (
    AddNorm,
    Concatenation,
    FeedForward,
    Hadamard,
    Heaviside,
    Linear,
    ReLU,
    Row,
    RowConcatenation,
    RowDivision,
    RowSum,
    Scaling,
    SquareRoot,
    Standardization,
)  # fmt: skip

DOCUMENT = Document("explainer-ch5")
GIVEN = DOCUMENT.inputs
HALF, EPS = Rational(1, 2), Rational(1, 100_000)

Z_1, Z_2, W_O, X = matrix("Z_1", 1, 2), matrix("Z_2", 1, 2), matrix("W_O", 4, 4), matrix("X", 1, 4)
W_1, b_1, W_2, b_2 = matrix("W_1", 4, 6), matrix("b_1", 6, 1), matrix("W_2", 6, 4), matrix("b_2", 4, 1)
VALUES = {
    Z_1: [GIVEN["head1"]],
    Z_2: [GIVEN["head2"]],
    X: [GIVEN["x"]],
    **{letter: GIVEN[letter.name] for letter in (W_O, W_1, W_2)},
    **{letter: [[x] for x in GIVEN[letter.name]] for letter in (b_1, b_2)},
}
CONCAT = Concatenation(Z_1, Z_2)
OUT = Linear(CONCAT, W_O)
SUM_1, NORM_1 = X + OUT, AddNorm(X, OUT)
PRE = Linear(NORM_1, W_1, b_1)
HIDDEN = ReLU(PRE)
FFN = FeedForward(NORM_1, W_1, b_1, W_2, b_2)
FFN_OF_X = FeedForward(X, W_1, b_1, W_2, b_2)
SUM_2, NORM_2 = NORM_1 + FFN, AddNorm(NORM_1, FFN)


def stages_of(total):
    """Mean, deviations, squares, variance and root of a layer normalization."""
    return [part for _, part in Standardization(total).stages().parts]


MEAN_1, DIFF_1, SQUARES_1, VAR_1, ROOT_1 = stages_of(SUM_1)
MEAN_2, DIFF_2, SQUARES_2, VAR_2, ROOT_2 = stages_of(SUM_2)


def by_sample_variance(total):
    """Another convention, told apart by its digits: the squares are divided by one less than their number."""
    _, deviations, squares, _, _ = stages_of(total)
    return RowDivision(deviations, SquareRoot(Scaling(RowSum(squares), 1, 3), EPS))


SAMPLE_1 = by_sample_variance(SUM_1)


def number(expression, *place):
    return of(expression, VALUES, *place)


def column(letter, j):
    return number(Row(letter.T, j), 0)


NUMBERS = {
    "ch5.concat": number(CONCAT, 0),
    **{f"ch5.wo.col{j + 1}": column(W_O, j) for j in range(4)},
    **{f"ch5.o{j + 1}": number(OUT, 0, j) for j in range(4)},
    "ch5.o": number(OUT, 0),
    "ch5.wo.col2_used": number(RowConcatenation(Row(CONCAT.T, 1), Row(CONCAT.T, 3))),
    "ch5.add1": number(SUM_1, 0),
    "ch5.add1.c12": [number(SUM_1, 0, 0), number(SUM_1, 0, 1)],
    "ch5.mean1": number(MEAN_1, 0, 0),
    "ch5.diff1": number(DIFF_1, 0),
    "ch5.sq1": number(SQUARES_1, 0),
    "ch5.var1": number(VAR_1, 0, 0),
    "ch5.std1": number(ROOT_1, 0, 0),
    "ch5.norm1": number(NORM_1, 0),
    "ch5.ffn.pre": number(PRE, 0),
    "ch5.ffn.w1col5": column(W_1, 4),
    "ch5.ffn.b1_5": number(Row(b_1, 4), 0, 0),
    "ch5.ffn.pre5": number(PRE, 0, 4),
    "ch5.ffn.relu": number(HIDDEN, 0),
    "ch5.ffn.relu_changed": number(Heaviside(-PRE), 0),
    "ch5.ffn.out": number(FFN, 0),
    "ch5.ffn.w2col2": column(W_2, 1),
    "ch5.ffn.w2_half": number(Row(W_2, 4), 0, 1),
    "ch5.ffn.b2_2": number(Row(b_2, 1), 0, 0),
    "ch5.ffn.out2": number(FFN, 0, 1),
    "ch5.add2": number(SUM_2, 0),
    "ch5.mean2": number(MEAN_2, 0, 0),
    "ch5.diff2": number(DIFF_2, 0),
    "ch5.sq2": number(SQUARES_2, 0),
    "ch5.var2": number(VAR_2, 0, 0),
    "ch5.std2": number(ROOT_2, 0, 0),
    "ch5.out": number(NORM_2, 0),
    "ch5.d.a": number(NORM_1, 0, 2),
    "ch5.d.var2": number(VAR_2, 0, 0),
    "ch5.d.out.sum": number(RowSum(NORM_2), 0, 0),
    "ch5.d.out.var": number(Scaling(RowSum(Hadamard(NORM_2, NORM_2)), 1, 4), 0, 0),
    "ch5.d.out.noeps": number(
        AddNorm(AddNorm(X, OUT, eps=0), FeedForward(AddNorm(X, OUT, eps=0), W_1, b_1, W_2, b_2), eps=0), 0
    ),
    "ch5.d.out.samplevar": number(by_sample_variance(SAMPLE_1 + FeedForward(SAMPLE_1, W_1, b_1, W_2, b_2)), 0),
    "ch5.d.out.prenorm": number(SUM_1 + FFN, 0),
}
