"""What slips look for: operations behind what is written out, names and parts of expressions, swapped rows and digits."""

from fractions import Fraction

import pytest
from sympy import Integer, Rational, S, Symbol, exp, sqrt

from symtransformer import matrix
from symtransformer.checking import number, read_number
from symtransformer.checking.slips import patterns
from symtransformer.checking.slips.arithmetic import rounded_between, swapped_digits
from symtransformer.checking.slips.places import LINES_AT_MOST, misplaced, other_sign
from symtransformer.checking.slips.recognition import recognized
from symtransformer.checking.slips.records import ball_rows, nearest, put_in, replaced, whole
from symtransformer.checking.slips.views import views
from symtransformer.checking.slips.written_norms import variance_and_eps
from symtransformer.checking.values import UNDEFINED, Comparisons
from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.operations.addition import Addition
from symtransformer.operations.cross_entropy import CrossEntropy
from symtransformer.operations.exponential import Exponential
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.layer_norm import LayerNorm
from symtransformer.operations.log_sum_exp import LogSumExp
from symtransformer.operations.logarithm import Logarithm
from symtransformer.operations.mask import Mask
from symtransformer.operations.masks import CausalMask
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.rms_division import RMSDivision
from symtransformer.operations.root_mean_square import RootMeanSquare
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_mean import RowMean, repeated_mean, row_mean
from symtransformer.operations.row_sum import Broadcast, RowSum
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.square_root import SquareRoot
from symtransformer.operations.standard_deviation import StandardDeviation
from symtransformer.operations.standardization import Standardization
from symtransformer.operations.transpose import Transpose
from symtransformer.symbols import Literal

X, Y, W, C = matrix("X", 3, 4), matrix("Y", 3, 4), matrix("W", 4, 2), matrix("c", 3, 1)
EPS = Rational(1, 10)
DEV = Addition(X, -repeated_mean(X))
SQUARES = row_mean(Hadamard(DEV, DEV))


def column(number, rows=3):
    return Scaling(Ones(rows, 1), number, S.One)


# -- what is written out ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (RowDivision(Exponential(X), RowSum(Exponential(X))), Softmax(X)),
        (Product(RowDivision(Exponential(X), RowSum(Exponential(X))), W), Product(Softmax(X), W)),
        (Addition(X, -Broadcast(LogSumExp(X), 4)), Logarithm(Softmax(X))),
        (SquareRoot(SQUARES, EPS), StandardDeviation(X, EPS)),
        (SquareRoot(row_mean(Hadamard(X, X)), EPS), RootMeanSquare(X, EPS)),
        (SquareRoot(Addition(SQUARES, column(EPS)), S.Zero), StandardDeviation(X, EPS)),
        (SquareRoot(Addition(column(EPS), SQUARES), Rational(1, 5)), StandardDeviation(X, Rational(3, 10))),
        (SquareRoot(Addition(SQUARES, Product(Ones(3, 1), Literal([[EPS]]))), S.Zero), StandardDeviation(X, EPS)),
        (RowDivision(DEV, StandardDeviation(X, EPS)), Standardization(X, EPS)),
        (RowDivision(DEV, SquareRoot(SQUARES, EPS)), Standardization(X, EPS)),
        (RowDivision(X, RootMeanSquare(X, EPS)), RMSDivision(X, EPS)),
        (RowDivision(X, SquareRoot(row_mean(Hadamard(X, X)), EPS)), RMSDivision(X, EPS)),
        (Broadcast(-C, 4), -Broadcast(C, 4)),
        (RowMean(X), row_mean(X)),
    ],
)
def test_what_is_written_out_is_the_operation(written, meant):
    assert next(views(written)) is meant


@pytest.mark.parametrize(
    "written",
    [
        RowDivision(Exponential(X), RowSum(Exponential(Y))),
        RowDivision(Exponential(X), RowSum(X)),
        RowDivision(X, RowSum(X)),
        Addition(X, -Broadcast(LogSumExp(Y), 4)),
        Addition(X, Broadcast(LogSumExp(X), 4)),
        Addition(X, Y, -Broadcast(LogSumExp(X), 4)),
        RowDivision(DEV, StandardDeviation(Y, EPS)),
        RowDivision(X, StandardDeviation(X, EPS)),
        RowDivision(Y, RootMeanSquare(X, EPS)),
        SquareRoot(RowSum(Hadamard(DEV, DEV)), EPS),
        SquareRoot(row_mean(Hadamard(X, Y)), EPS),
        SquareRoot(Addition(C, C, column(EPS)), EPS),
        SquareRoot(Addition(C, matrix("b", 3, 1)), EPS),
        SquareRoot(C, EPS),
        Broadcast(C, 4),
        X,
    ],
)
def test_what_only_looks_like_it_stays(written):
    assert type(next(views(written))) is type(written)


def test_every_level_is_written_out_once():
    assert [str(view) for view in views(LayerNorm(X, eps=EPS))] == [
        str(LayerNorm(X, eps=EPS)),
        str(Standardization(X, EPS)),
    ]
    logs = -RowSum(Hadamard(Y, Logarithm(Softmax(X))))
    for reduction, total in (
        ("none", logs),
        ("sum", Product(Ones(1, 3), logs)),
        ("mean", Scaling(Product(Ones(1, 3), logs), S.One, Integer(3))),
    ):
        entropy = CrossEntropy(X, Y, reduction)
        assert [str(view) for view in views(entropy)] == [str(entropy), str(total)]
        scaled = Scaling(entropy, Integer(2), S.One)
        assert [str(view) for view in views(scaled)] == [str(scaled), str(Scaling(total, Integer(2), S.One))]
    assert [*views(Product(X, W))] == [Product(X, W)]


# -- names and parts ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "base"), [("K", "K"), ("K_1", "K"), ("enc1.K", "K"), ("enc1.K_2", "K"), ("dK", "dK")])
def test_the_name_without_its_index(name, base):
    assert patterns.base_name(matrix(name, 2, 2)) == base
    assert patterns.base_name(-matrix(name, 2, 2)) == ""


@pytest.mark.parametrize(
    ("name", "is_it"),
    [
        ("dS", True), ("dX_1", True), ("G", True), ("g", True), ("G_1", True), ("delta", True), ("grad_2", True), ("enc.dS", True),
        ("d", False), ("ds", False), ("X", False), ("GG", False), ("delt", False), ("gradX", True), ("gQ", True), ("g2", True),
        ("gamma", False), ("gain", False), ("gate_1", False),
    ],
)  # fmt: skip
def test_a_gradient_by_its_name(name, is_it):
    letter = matrix(name, 2, 2)
    assert patterns.is_gradient(letter) is is_it
    assert patterns.is_gradient(-letter) is False
    assert patterns.mentions_gradient(Addition(matrix("Z", 2, 2), -letter)) is is_it


@pytest.mark.parametrize(
    ("name", "scores", "weights"),
    [
        ("S", True, False), ("s_1", True, False), ("scores", True, False), ("Score_2", True, False), ("A", False, True), ("a_1", False, True),
        ("P", False, True), ("alpha", False, True), ("attn", False, True), ("weight", False, True), ("A_12", False, True), ("X", False, False),
        ("W", False, False), ("dS", False, False), ("dA", False, False),
    ],
)  # fmt: skip
def test_scores_and_weights_by_their_names(name, scores, weights):
    letter = matrix(name, 2, 2)
    assert patterns.is_scores(letter, {}) is scores
    assert patterns.is_scores(Scaling(letter, S.One, sqrt(2)), {}) is scores
    assert patterns.is_weights(letter, {}) is weights


def test_scores_and_weights_by_what_they_are():
    Q, K, T, V = (matrix(name, 2, 2) for name in ("Q", "K", "T", "V"))
    product = Product(Q, Transpose(K))
    assert patterns.is_scores(product, {})
    assert patterns.is_scores(T, {T: Scaling(product, S.One, sqrt(2))})
    assert patterns.is_scores(T, {T: V, V: product})
    assert not patterns.is_scores(T, {T: Product(Q, K)})
    assert not patterns.is_scores(T, {T: T})
    assert patterns.is_weights(T, {T: Softmax(product)})
    assert not patterns.is_weights(T, {T: product})


@pytest.mark.parametrize(
    ("rows", "are"),
    [
        ([[Rational(1, 2), Rational(1, 2)]], True),
        ([[1, 0], [0, 1]], True),
        ([[Rational(49, 100), Rational(49, 100)]], True),  # 0.98, rounded twice
        ([[Rational(51, 100), Rational(51, 100)]], True),
        ([[Rational(48, 100), Rational(49, 100)]], False),
        ([[Rational(52, 100), Rational(51, 100)]], False),
        ([[1, 0], [1, 1]], False),
        ([[2, -1]], False),
        ([[1 + EPS, -EPS]], False),
        ([[exp(-1), 1 - exp(-1)]], False),
    ],
)
def test_rows_that_add_up_to_1(rows, are):
    assert patterns.probabilities(Literal(rows), {}) is are
    name = matrix("T", len(rows), 2)
    assert patterns.probabilities(name, {name: Literal(rows)}) is are
    assert patterns.probabilities(name, {}) is False


def test_numbers_before_a_matrix():
    assert patterns.without_factor(X) == (X, 1)
    assert patterns.without_factor(Scaling(X, Integer(2), Integer(3))) == (X, Rational(2, 3))
    assert patterns.without_factor(Scaling(Scaling(X, Integer(2), S.One), S.One, Integer(5))) == (X, Rational(2, 5))
    assert patterns.negated(-X) is X
    assert patterns.negated(X) is None
    assert patterns.negated(Scaling(X, Integer(-2), S.One)) is None
    assert patterns.negated(Scaling(X, Integer(-2), Integer(2))) is X


MASK = [[0, S.NegativeInfinity], [0, 0]]


def test_masks():
    s, m = matrix("T", 2, 2), matrix("M", 2, 2)
    known = {m: Literal(MASK)}
    assert patterns.hides(CausalMask(2), {})
    assert patterns.hides(Transpose(CausalMask(2)), {})
    assert patterns.hides(m, known)
    assert not patterns.hides(m, {})
    assert not patterns.hides(m, {m: Literal([[0, 1], [0, 0]])})
    assert patterns.masked(Mask(s, m), {}) == (s, m)
    assert patterns.masked(Addition(s, m), known) == (s, m)
    assert patterns.masked(Addition(m, s), known) == (s, m)
    assert patterns.masked(Addition(s, m), {}) is None
    assert patterns.masked(Addition(s, m, s), known) is None
    assert patterns.masked(s, known) is None


def test_the_same_row_everywhere():
    b, g = matrix("b", 4, 1), matrix("g", 1, 4)
    assert patterns.is_repeated_row(Product(Ones(3, 1), Transpose(b)))
    assert patterns.is_repeated_row(g)
    assert patterns.is_repeated_row(Transpose(b))
    assert patterns.is_repeated_row(Literal([[1, 2]]))
    for other in (X, Product(X, W), Transpose(X), Addition(g, g), Transpose(-b)):
        assert patterns.is_repeated_row(other) is False


def test_factors_of_projections():
    Q = matrix("Q", 3, 2)
    assert set(patterns.projections(Product(X, W), {})) == {(X, W)}
    assert set(patterns.projections(Q, {Q: Product(X, W)})) == {(X, W)}
    assert patterns.projections(Product(Q, Transpose(Q)), {}) == []
    assert set(patterns.projections(Product(Q, Transpose(Q)), {Q: Product(X, W)})) == {(X, W)}


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("absolute", [[1, 2], [3, 4]]),
        ("row_total", [[-1, -1], [1, 1]]),
        ("column_total", [[-2, 2], [-2, 2]]),
        ("table_total", [[0, 0], [0, 0]]),
        ("zeros", [[0, 0], [0, 0]]),
        ("ones", [[1, 1], [1, 1]]),
    ],
)
def test_sums_and_sizes(name, rows):
    found = ball_rows(getattr(patterns, name)(Literal([[1, -2], [-3, 4]])))
    assert [[int(x.unique_fmpz()) for x in row] for row in found] == rows


# -- a formula of entries ----------------------------------------------------------------------------------------------
def test_other_expressions_are_recognized_as_themselves():
    assert recognized(X, {}) is X


# -- (x − μ) / √(v + ε) ------------------------------------------------------------------------------------------------
v, eps, d, m = Symbol("v"), Symbol("eps"), Symbol("d_k"), Symbol("mu")


@pytest.mark.parametrize(
    ("below", "found"),
    [
        (sqrt(v + eps), (v, eps)),
        (sqrt(v + EPS), (v, EPS)),
        (sqrt(v), (v, 0)),
        (sqrt(v + m + eps + EPS), (v + m, eps + EPS)),
        (sqrt(d), None),
        (sqrt(d + EPS), None),
        (v + eps, None),
        (1 / sqrt(v), None),
        (sqrt(S(2)), None),
        ((v + eps) ** Rational(1, 3), None),
    ],
)
def test_a_variance_and_eps(below, found):
    assert variance_and_eps(Scaling(X, S.One, below), {}) == found
    assert variance_and_eps(Scaling(X, Integer(2), below), {}) is None
    assert variance_and_eps(Scaling(matrix("S", 3, 4), S.One, below), {}) is None
    assert variance_and_eps(X, {}) is None


# -- sizes, values ------------------------------------------------------------------------------------------------------
def test_a_size_is_a_number():
    assert whole(Integer(3)) == 3
    for size in (Symbol("n"), Rational(1, 2), "n"):
        with pytest.raises(NotSupported):
            whole(size)


def test_values_are_put_in():
    a, b, x = matrix("A", 1, 1), matrix("B", 1, 1), Symbol("x")
    assert put_in(Addition(a, b), {a: b, b: Literal([[2]])}) is Addition(Literal([[2]]), Literal([[2]]))
    assert put_in(Scaling(a, x, S.One), {a: Literal([[2]]), x: Integer(3)}) is Scaling(
        Literal([[2]]), Integer(3), S.One
    )
    assert put_in(a, {b: Literal([[2]])}) is a
    assert replaced(Addition(a, b), {a: b}) is Addition(b, b)
    assert replaced(a, {b: a}) is a
    with pytest.raises(UnreadableInput):
        ball_rows(a)


@pytest.mark.parametrize(
    ("value", "places", "found"),
    [("0.125", 2, "0.13"), ("-0.125", 2, "-0.13"), ("0.124", 2, "0.12"), ("2.5", 0, "3"), ("-0.004", 2, "0"), ("7", 1, "7")],
)  # fmt: skip
def test_a_ball_is_rounded_half_away_from_0(value, places, found):
    ((ball,),) = ball_rows(Literal([[Rational(value)]]))
    assert nearest(ball, places) == Rational(found)
    assert nearest(S.Infinity, places) is S.Infinity


def test_an_intermediate_result_is_rounded():
    assert rounded_between(1).altered(Exponential(Literal([[1, -2]])), {}) == [
        Literal([[Rational(27, 10), Rational(1, 10)]])
    ]
    assert rounded_between(3).altered(Scaling(X, S.One, Integer(3)), {X: Literal([[1, 2, 4, 5]] * 3)}) == [
        Literal([[Rational(333, 1000), Rational(667, 1000), Rational(1333, 1000), Rational(1667, 1000)]] * 3)
    ]
    for other in (Transpose(X), Broadcast(C, 4), Ones(2, 2)):
        assert rounded_between(1).altered(other, {X: Literal([[1, 2, 4, 5]] * 3), C: Literal([[1]] * 3)}) == []
    assert "1 decimal before" in rounded_between(1).words.en
    assert "2 decimals before" in rounded_between(2).words.en


# -- digits, rows and signs ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "value", "is_swapped"),
    [
        ("0.21", "0.12", True), ("0.12", "0.12", False), ("1.0", "0.1", True), ("0.1", "1.0", True), ("-0.21", "-0.12", True),
        ("-0.21", "0.12", False), ("0.321", "0.123", False), ("0.132", "0.123", True), ("0.213", "0.123", True), ("0.11", "0.12", False),
        ("21", "12", True), ("0.03", "0.30", True), ("21%", "0.12", True), ("0.21...", "0.12", False), ("2/1", "0.5", False), ("0.21", "0.1249", True),
    ],
)  # fmt: skip
def test_two_neighboring_digits(text, value, is_swapped):
    found = swapped_digits(read_number(text), Comparisons(number(Fraction(value))))
    assert (found is not None and found.name == "digits_swapped") is is_swapped


def table(rows):
    return [[read_number(x) for x in row.split()] for row in rows]


def counted(i, j):
    return number(10 * (i + 1) + j + 1)  # 11 12 13, 21 22 23


@pytest.mark.parametrize(
    ("rows", "name", "words"),
    [
        (["11 12 13", "21 22 23"], None, ""),
        (["21 22 23", "11 12 13"], "rows_swapped", "rows 1 and 2"),
        (["31 32", "21 22", "11 12"], "rows_swapped", "rows 1 and 3"),
        (["12 11 13", "22 21 23"], "columns_swapped", "columns 1 and 2"),
        (["11 13 12", "21 23 22"], "columns_swapped", "columns 2 and 3"),
        (["13 12 11"], "entries_swapped", "entries 1 and 3"),
        (["11 21", "12 22"], "result_transposed", "transposed"),
        (["21 22 23", "12 11 13"], None, ""),
        (["11 12", "21 99"], None, ""),
        (["99"], None, ""),
    ],
)
def test_what_stands_in_another_place(rows, name, words):
    found = misplaced(table(rows), counted)
    assert (None if found is None else found.name) == name
    assert found is None or words in found.words.en


def test_large_tables_are_not_searched():
    for size, found in ((LINES_AT_MOST, "entries_swapped"), (LINES_AT_MOST + 1, None)):
        row = [str(11 + k) for k in range(size)]
        row[0], row[1] = row[1], row[0]
        note = misplaced(table([" ".join(row)]), counted)
        assert (note and note.name) == found
    assert misplaced(table(["11"]), lambda i, j: UNDEFINED) is None


@pytest.mark.parametrize(
    ("rows", "says", "is_all"),
    [
        (["-11 -12"], "With the other sign it would be right.", True),
        (["-11 12"], "in the entry (1, 1).", True),
        (["11 -12", "-21 22"], "in the entries (1, 2), (2, 1).", True),
        (["-11 99"], "in the entry (1, 1).", False),
        (["11 12"], None, None),
        (["99 98"], None, None),
        (["0 -12"], "in the entry (1, 2).", False),
    ],
)
def test_the_other_sign(rows, says, is_all):
    found = other_sign(table(rows), counted)
    assert (found is None) is (says is None)
    assert found is None or (found[1] is is_all and says in found[0].words.en)


def test_a_zero_has_no_sign():
    found = other_sign(table(["0 -12"]), lambda i, j: number(0) if j == 0 else number(12))
    assert found == (found[0], True)
    assert found[0].words.en == "With the other sign it would be right."
