"""Values: exact, with letters left free, by NumPy, and what is refused. Proven digits: test_evaluation_digits.py."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_numpy import plain
from sympy import Float, I, Matrix, Rational, S, exp, nan, oo, solve, sqrt, zoo

from symtransformer import derive, dimension, evaluate, head_index, matrix, parameter, verify
from symtransformer.derivation import with_values
from symtransformer.errors import LimitExceeded, NotSupported, ShapeError, UnreadableInput
from symtransformer.numpy_code import numpy_function
from symtransformer.operations import (
    Concatenation,
    Exponential,
    HeadConcatenation,
    HeadSum,
    Linear,
    Mask,
    RowDivision,
    RowSum,
    SingleHead,
    Softmax,
    Transpose,
)  # fmt: skip
from symtransformer.symbols import Literal

n, m, d, d_k, d_v, h = (dimension(name) for name in ("n", "m", "d", "d_k", "d_v", "h"))
t, i = parameter("t"), head_index()
X, W = matrix("X", n, d), matrix("W", d, m)
W_Q, W_K, W_V = matrix("W_Q", d, d_k), matrix("W_K", d, d_k), matrix("W_V", d, d_v)
HEAD = derive(SingleHead(X, W_Q, W_K, W_V))
SLIDER = {
    "X": [[1, 0], [0, 1]],
    "W_Q": Matrix([[0, 1], [t, 1 - t]]),
    "W_K": [[1, 0], [0.5, 1]],
    "W_V": [[2, 0], [0, 4]],
}
SCORES = matrix("S", n, m)


def floats(value):
    return [[float(x) for x in row] for row in value.tolist()]


# -- exact, and free ------------------------------------------------------------------------------
def test_exact_stays_exact():
    value = evaluate(HEAD, {**SLIDER, t: 1})["S"]
    assert value.tolist() == [[0, sqrt(2) / 2], [sqrt(2) / 2, sqrt(2) / 4]]
    assert not value.atoms(Float)
    weights = evaluate(HEAD, {**SLIDER, t: 1})["A"]
    assert weights[0, 0] == 1 / (1 + exp(sqrt(2) / 2))
    assert not weights.atoms(Float)


def test_letters_without_a_value_stay_free():
    coefficient = evaluate(HEAD, SLIDER)["A"][1, 0]
    assert coefficient.free_symbols == {t}
    # by hand: scores t and 1 - t/2, so the coefficient is 1 / (1 + exp((1 - 3t/2) / sqrt 2))
    by_hand = 1 / (1 + exp((1 - 3 * t / 2) / sqrt(2)))
    assert (coefficient - by_hand).simplify() == 0
    assert coefficient.subs(t, Rational(2, 3)) == Rational(1, 2)
    assert solve(coefficient - Rational(1, 2), t) == [Rational(2, 3)]
    slope = by_hand * (1 - by_hand) * 3 / (2 * sqrt(2))
    assert (coefficient.diff(t) - slope).simplify() == 0


def test_matrix_without_a_value_gives_its_own_entries():
    A, B = matrix("A", 1, 2), matrix("B", 2, 1)
    assert evaluate(A @ B, {B: [[3], [4]]})[0, 0] == 3 * A[0, 0] + 4 * A[0, 1]


def test_parameter_inside_a_literal_is_the_same_by_every_route():
    steps = derive({"Y": matrix("A", 1, 2) @ Literal([[0, 1], [t, 1 - t]])})
    values = {"A": [[3, 4]], t: Rational(1, 4)}
    assert evaluate(steps, values)["Y"].tolist() == [[1, 6]]
    assert floats(evaluate(steps, values).digits("Y", 5)) == [[1, 6]]
    assert evaluate(steps, values).numpy("Y").tolist() == [[1.0, 6.0]]
    assert evaluate(steps, {"A": [[3, 4]]})["Y"].tolist() == [[4 * t, 7 - 4 * t]]


# -- what a number means --------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("given_number", "meant"),
    [(0.1, (1, 10)), (1e-7, (1, 10**7)), (-2.50, (-5, 2)), (0.1 + 0.2, (30000000000000004, 10**17)), (1e22, (10**22, 1)), (5e-324, (5, 10**324)),
     (np.float64(0.3), (3, 10)), (np.int32(7), (7, 1)), (Fraction(1, 3), (1, 3)), (Float(0.1), (1, 10)), (Rational(2, 7), (2, 7))],
)  # fmt: skip
def test_a_float_means_its_decimal_text(given_number, meant):
    assert evaluate(matrix("A", 1, 1), {"A": [[given_number]]})[0, 0] == Rational(*meant)


@pytest.mark.parametrize(
    "wrong",
    [float("nan"), nan, zoo, True, np.bool_(True), "1", "__import__('os').getpid()", b"1", None, 1j, [1], {}, object()],
)
def test_what_is_no_number_is_refused(wrong):
    with pytest.raises(UnreadableInput, match="row 1, column 2: expected a number"):
        evaluate(matrix("A", 1, 2), {"A": [[0, wrong]]})


@pytest.mark.parametrize("infinite", [float("inf"), -float("inf"), oo, -oo])
def test_infinity_is_refused_outside_of_masks(infinite):
    with pytest.raises(NotSupported, match="infinite"):
        evaluate(X @ W, {X: [[1, infinite]], W: [[1], [1]]})


def test_hostile_text_is_never_evaluated(tmp_path):
    mark = tmp_path / "ran"
    text = f"open({str(mark)!r}, 'w').close()"
    for values in ({"X": text}, {"X": [[text]]}, {text: [[1]]}, {"X": [text]}, {t: text}, {"X": [[1]], t: text}):
        with pytest.raises(UnreadableInput):
            evaluate(matrix("X", 1, 1), values)
    assert not mark.exists()


@pytest.mark.parametrize("wrong", [[], [[]], [1, 2], 5, {}, None, "ab", [[1], "a"]])
def test_what_is_no_matrix_is_refused(wrong):
    with pytest.raises(UnreadableInput, match="reading a matrix"):
        evaluate(X, {X: wrong})


# -- sizes and names ------------------------------------------------------------------------------
def test_wrong_sizes_are_refused_with_both_shapes():
    with pytest.raises(ShapeError, match=r"the value of W: expected a matrix of size 2 x m \(d x m\), got 3 x 1"):
        evaluate(X @ W, {X: [[1, 2]], W: [[1], [2], [3]]})
    with pytest.raises(ShapeError, match=r"expected a matrix of size 2 x 3, got 1 x 2"):
        evaluate(matrix("A", 2, 3), {"A": [[1, 2]]})
    with pytest.raises(ShapeError, match="rows of 1 and of 2 entries"):
        evaluate(X, {X: [[1], [1, 2]]})


@pytest.mark.parametrize("order", [("Z_1", "Z_2", "W_O"), ("W_O", "Z_1", "Z_2")])
def test_composed_sizes_are_checked_in_any_order(order):
    output = Linear(Concatenation(matrix("Z_1", n, d), matrix("Z_2", n, d)), matrix("W_O", 2 * d, m))
    right = {"Z_1": [[1, 2]], "Z_2": [[3, 4]], "W_O": [[1], [10], [100], [1000]]}
    assert evaluate(output, {name: right[name] for name in order})[0, 0] == 1 + 20 + 300 + 4000
    wrong = {**right, "W_O": [[1]] * 5}
    with pytest.raises(ShapeError, match=r"4 x [1m] \(2\*d x m\), got 5 x 1"):
        evaluate(output, {name: wrong[name] for name in order})


def test_a_size_given_apart_must_fit_the_matrices():
    scaled = X / sqrt(d)
    assert evaluate(scaled, {X: [[3, 4]], d: 2}).tolist() == [[3 / sqrt(2), 4 / sqrt(2)]]
    with pytest.raises(ShapeError, match="got 1 x 2"):
        evaluate(scaled, {X: [[3, 4]], d: 9})
    for wrong in (0, -1, Rational(1, 2)):
        with pytest.raises(ShapeError, match="the size d: expected a whole number of at least 1"):
            evaluate(scaled, {d: wrong})


def test_unknown_names_are_refused_with_those_that_exist():
    with pytest.raises(UnreadableInput, match="'Y' is not an input; the inputs are W, X"):
        evaluate(X @ W, {"Y": [[1]]})
    with pytest.raises(UnreadableInput, match="nothing here depends on 'u'"):
        evaluate(X, {X: [[1]], parameter("u"): 1})
    with pytest.raises(UnreadableInput, match="expected a letter"):
        evaluate(X, {X: [[1]], t + 1: 2})
    with pytest.raises(UnreadableInput, match="backend must be 'exact' or 'numpy', not 'torch'"):
        evaluate(X, {X: [[1]]}, backend="torch")
    for how in ({}, {"digits": 5}, {"backend": "numpy"}):
        with pytest.raises(UnreadableInput, match="has no value, and its size"):
            evaluate(X @ W, {W: [[1]]}, **how)
    with pytest.raises(UnreadableInput, match="t has no value"):
        evaluate(HEAD, SLIDER).digits("A", 5)
    with pytest.raises(UnreadableInput, match="t has no value"):
        evaluate(HEAD, SLIDER).numpy("A")


def test_later_values_replace_earlier_ones_also_of_another_size():
    steps = with_values(HEAD, {"X": [[1, 0], [0, 1]], "W_Q": [[1], [2]], "W_K": [[1], [0]], "W_V": [[1], [1]]})
    for key in (X, "X"):
        assert evaluate(steps, {key: [[1, 1]] * 3})["Q"].tolist() == [[3], [3], [3]]
    assert evaluate(steps)["Q"].tolist() == [[1], [2]]


def test_division_by_zero_is_refused_by_every_route():
    quotient = RowDivision(X, RowSum(X))
    for options in ({}, {"digits": 10}):
        with pytest.raises(NotSupported, match="division"):
            evaluate(quotient, {X: [[1, -1]]}, **options)
    with pytest.raises(NotSupported, match="division"):
        evaluate(derive(quotient), {X: [[1, -1]]})["Y"]


# -- masks ----------------------------------------------------------------------------------------
def test_masked_softmax_drops_the_column():
    masked = Softmax(Mask(SCORES, matrix("M", n, m)))
    values = {SCORES: [[1, 2, 3], [4, 5, 6]], "M": [[0, -oo, 0], [0, 0, -oo]]}
    exact = evaluate(masked, values)
    for row, kept in ((0, [0, 2]), (1, [0, 1])):
        alone = evaluate(Softmax(matrix("P", 1, 2)), {"P": [[values[SCORES][row][k] for k in kept]]})
        assert [exact[row, k] for k in kept] == list(alone)
    assert [exact[0, 1], exact[1, 2]] == [0, 0]
    assert [place for place, x in enumerate(evaluate(masked, values, digits=40)) if x.is_zero] == [1, 5]
    array = evaluate(masked, values, backend="numpy")
    assert (array == 0).tolist() == [[False, True, False], [False, False, True]]


@pytest.mark.parametrize("options", [{}, {"digits": 20}, {"backend": "numpy"}])
def test_a_row_masked_altogether_is_refused_with_its_number(options):
    masked = Softmax(Mask(SCORES, matrix("M", n, m)))
    with pytest.raises(NotSupported, match="every entry of row 2 is −∞"):
        evaluate(masked, {SCORES: [[1, 2], [4, 5], [6, 7]], "M": [[0, -oo], [-oo, -oo], [-oo, -oo]]}, **options)


def test_minus_infinity_is_moved_but_not_computed_with():
    assert evaluate(Transpose(X), {X: [[0, -oo]]}).tolist() == [[0], [S.NegativeInfinity]]
    assert evaluate(Transpose(X), {X: [[0, -oo]]}, digits=9)[1, 0] is S.NegativeInfinity


# -- families of heads ----------------------------------------------------------------------------
FAMILY_W = [[[1], [2]], [[3], [4]], [[5], [7]]]


@pytest.mark.parametrize("count", [3, h])
@pytest.mark.parametrize("as_heads", [False, True])
def test_families_of_heads_by_every_route(count, as_heads):
    body = X @ matrix("W", d, 1).of_head(i)
    family = matrix("W", d, 1)
    values = {
        X: [[1, 10], [2, 0]],
        **({family.of_head(k): FAMILY_W[k] for k in range(3)} if as_heads else {"W": FAMILY_W}),
    }
    if count is h:
        values[h] = 3
    side_by_side, total = [[21, 43, 75], [2, 6, 10]], [[139], [18]]
    for operation, expected in ((HeadConcatenation, side_by_side), (HeadSum, total)):
        expression = operation(body, i, count)
        assert evaluate(expression, values).tolist() == expected
        assert floats(evaluate(expression, values, digits=9)) == expected
        assert evaluate(expression, values, backend="numpy").tolist() == expected
        steps = evaluate(derive({"Y": expression}), values)
        assert [floats(v) for v in (steps["Y"], steps.digits("Y", 9), steps.numpy("Y"))] == [expected] * 3


def test_steps_of_a_family_feed_the_whole():
    weights = (W_Q, W_K, W_V)
    family = HeadConcatenation(SingleHead(X, *(w.of_head(i) for w in weights)), i, h)
    one_head = SingleHead(X, *weights)
    sets = [
        {"W_Q": [[1], [0]], "W_K": [[1], [2]], "W_V": [[1], [1]]},
        {"W_Q": [[0], [3]], "W_K": [[1], [1]], "W_V": [[2], [5]]},
    ]
    values = {"X": [[1, 0], [1, 1]], h: 2, **{name: [s[name] for s in sets] for name in sets[0]}}
    whole = evaluate(derive(family), values)["Y"]
    for k, own in enumerate(sets):
        assert whole[:, k] == evaluate(one_head, {"X": values["X"], **own})[:, 0]


def test_a_family_needs_a_matrix_for_each_head():
    expression = HeadConcatenation(X @ matrix("W", d, 1).of_head(i), i, 3)
    with pytest.raises(ShapeError, match="only 2 heads have a value"):
        evaluate(expression, {X: [[1, 2]], "W": FAMILY_W[:2]})
    with pytest.raises(UnreadableInput, match="one matrix for each head"):
        evaluate(expression, {X: [[1, 2]], "W": FAMILY_W[0]})


# -- NumPy against exact --------------------------------------------------------------------------
@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(1, 5), st.integers(1, 4), st.integers(1, 4), st.integers(1, 4), st.integers(0, 10**6))
def test_numpy_agrees_with_exact(tokens, model, width, value_width, seed):
    source = np.random.default_rng(seed)
    shapes = {"X": (tokens, model), "W_Q": (model, width), "W_K": (model, width), "W_V": (model, value_width)}
    values = {name: source.integers(-20, 20, shape) / 8 for name, shape in shapes.items()}
    evaluation = evaluate(HEAD, values)
    numbers = {"n": tokens, "d": model, "d_k": width, "d_v": value_width}
    for name in "QSAZ":
        array = evaluation.numpy(name)
        exact = np.array(evaluation.digits(name, 25).tolist(), dtype=float)
        assert array.shape == exact.shape == tuple(numbers[str(s)] for s in HEAD[name].letter.shape)
        assert np.max(np.abs(array - exact)) <= 1e-13 * max(1, np.max(np.abs(exact)))
        assert np.allclose(array, plain(HEAD[name].stands_for, values, numbers), rtol=1e-12, atol=1e-13)


def test_complex_numbers_are_refused():
    with pytest.raises(UnreadableInput, match="expected a real number"):
        evaluate(X, {X: [[1 + 2 * I]]}, digits=5)


def test_a_row_that_a_mask_hides_completely_is_named_by_every_route():
    scores, hidden = matrix("S", 2, 2), {"S": [[0, -oo], [-oo, -oo]]}
    for stages in (False, True):
        with pytest.raises(NotSupported, match="row 2"):
            verify(derive(Softmax(scores), stages=stages, values=hidden))
    for route in ({}, {"digits": 5}, {"backend": "numpy"}):
        with pytest.raises(NotSupported, match="row 2"):
            evaluate(Softmax(scores), hidden, **route)


def test_arrays_of_any_length_go_through_numpy_and_what_is_undefined_is_refused():
    rows = np.random.default_rng(3).normal(size=(70, 60))
    long = matrix("L", dimension("n"), 60)
    assert np.allclose(evaluate(long @ long.T, {long: rows}, backend="numpy"), rows @ rows.T, rtol=1e-13)
    with pytest.raises(UnreadableInput, match="more than 4096"):
        evaluate(long @ long.T, {long: rows})
    with pytest.raises(UnreadableInput, match="nan"):
        evaluate(long @ long.T, {long: rows * np.nan}, backend="numpy")
    with pytest.raises(NotSupported, match="nan or inf"):
        evaluate(Exponential(long), {long: rows * 1e6}, backend="numpy")


def test_plus_infinity_is_refused_by_name_and_whole_numbers_are_doubles():
    scores = matrix("S", 1, 3)
    function, _ = numpy_function(Softmax(scores))
    with pytest.raises(NotSupported, match=r"Softmax: row 1 holds \+∞"):
        function(np.array([[0, np.inf, 1]]))
    left, right = matrix("A", 2, 2), matrix("B", 2, 2)
    a, b = np.array([[200, 100], [3, 250]], np.uint8), np.array([[250, 7], [9, 201]], np.uint8)
    function, _ = numpy_function(left @ right)
    assert function(a, b).dtype == np.float64
    assert function(a, b)[0, 0] == 200 * 250 + 100 * 9


def test_a_number_of_many_more_digits_than_can_be_written_is_refused_at_once():
    with pytest.raises(LimitExceeded, match="not written out"):
        evaluate(Exponential(matrix("S", 1, 1)), {"S": [[10**30]]}, digits=4)
