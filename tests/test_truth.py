"""Things that were once shown as true and were not, or were close to it: each stays refused."""

from dataclasses import replace

import mpmath
import numpy as np
import pytest
from sympy import Abs, Float, I, Max, Rational, Symbol, oo, simplify, sqrt

from symtransformer import (
    Section,
    Sweep,
    Words,
    derive,
    dimension,
    evaluate,
    head_index,
    matrix,
    parameter,
    render,
    verify,
)
from symtransformer.derivation import Column, Derivation, Step
from symtransformer.errors import LimitExceeded, NotSupported, ShapeError, UnreadableInput
from symtransformer.judge import judge_equation
from symtransformer.operations import (
    ColumnSlice,
    HeadConcatenation,
    HeadSum,
    Mask,
    Ones,
    Row,
    RowDivision,
    RowSum,
    Scaling,
    SingleHead,
    Softmax,
)  # fmt: skip

n, d, h = dimension("n"), dimension("d"), dimension("h")
i, j = head_index("i"), head_index("j")
t = parameter("t")
X, Z, Y = matrix("X", n, d), matrix("Z", n, d), matrix("Y", n, d)
A, B = matrix("A", 2, 2), matrix("B", 2, 2)
x = matrix("x", 1, 1)
WORDS = Words("words", "言葉")


def lines(derivation, *parts, form="txt", **options):
    page = render(verify(derivation), form, **options)
    return [line.strip() for line in page.splitlines() if all(part in line for part in parts)]


@pytest.mark.parametrize(
    ("made", "text", "tex"),
    [
        (lambda a, b: a @ b, "Y = W V = 2 × 3 = 6", r"Y &= W V = 2 \times 3 = 6"),
        (lambda a, b: 2 * b, "Y = 2 V = 2 × 3 = 6", r"Y &= 2 V = 2 \times 3 = 6"),
    ],
)
def test_two_numbers_side_by_side_are_not_one(made, text, tex):
    weight, value = matrix("W", 1, 1), matrix("V", 1, 1)
    inputs = {"W": [[2]], "V": [[3]]}
    product = made(weight, value)
    values = {k: v for k, v in inputs.items() if k in str(product)}
    assert text in lines(derive(product, values=values), "Y =")[0]
    assert lines(derive(product, values=values), "Y &=", form="tex") == [tex]


def test_a_step_of_one_head_is_a_letter_of_that_head():
    body = X.of_head(i) @ matrix("B", d, d).of_head(j)
    one = Step(Z.of_head(i), body, body, WORDS, WORDS)
    whole = HeadSum(X.of_head(j) @ matrix("B", d, d).of_head(j), j, h)
    with pytest.raises(UnreadableInput, match="depends on the head j"):
        Derivation((one, Step(Y, HeadSum(Z.of_head(j), j, h), whole, WORDS, WORDS)), WORDS)
    plain = Step(Z, X * i, X * i, WORDS, WORDS)
    with pytest.raises(UnreadableInput, match="depends on the head i"):
        Derivation((plain, Step(Y, HeadSum(Z, i, h), HeadSum(X * i, i, h), WORDS, WORDS)), WORDS)


@pytest.mark.parametrize("name", ["s", "w", "x", "y", "z", "q", "eps"])
def test_an_absolute_value_is_met_at_a_negative_number(name):
    number = Symbol(name, real=True)
    assert judge_equation(X * Abs(number), X * number).kind == "refuted"
    assert judge_equation(X * Abs(number) * t, X * number * Abs(t)).kind in ("refuted", "undecidable")
    assert judge_equation(X * sqrt(Symbol(name) ** 2), X * Symbol(name)).kind != "tested"


def test_a_function_in_pieces_is_never_tested_by_points():
    verdict = judge_equation(X * Max(t, -(10**9)), X * t)
    assert verdict.kind == "undecidable"
    assert "Max" in verdict.reason


def test_a_proof_that_cancels_a_division_says_where_it_holds():
    assert "wherever both are defined" in judge_equation(Scaling(X, t, t), X).reason
    assert "defined" not in judge_equation(RowSum(X), RowSum(X)).reason


def test_the_value_of_a_parameter_is_put_in():
    derivation = derive(X * t, values={X: [[1, 3]], t: 2})
    assert lines(derivation, "Y =") == ["Y = t X = 2 [[1, 3]] = [[2, 6]]"]
    assert lines(derivation, "y_12", detail="entries") == ["y_12 = t x_12 = 2 × 3 = 6"]


def test_no_number_of_one_head_stands_for_all():
    weights = [matrix(name, d, d).of_head(i) for name in ("W_Q", "W_K", "W_V")]
    family = derive(HeadConcatenation(SingleHead(X, *weights), i, h))
    heads = {name: [[[1]], [[2]]] for name in ("W_Q", "W_K", "W_V")}
    page = render(verify(family, {X: [[1]], h: 2, **heads}), detail="entries")
    assert "= [[1, 2]]" in page  # Concat of 1 W_V for both heads
    assert " × " not in page
    known = derive(HeadConcatenation(SingleHead(X, *weights), i, h), values={X: [[1]], h: 2, **heads})
    assert [step.name for step in known.steps] == [
        "Q_1",
        "K_1",
        "V_1",
        "Q_2",
        "K_2",
        "V_2",
        "S_1",
        "A_1",
        "S_2",
        "A_2",
        "Y",
    ]


def test_a_derivative_reaches_into_the_operation():
    weight = Softmax(A * t)[0, 0].diff(t).doit()
    numbers = {A[a, b]: Rational(3 * a - b + 1, 5) for a in range(2) for b in range(2)} | {t: 1}
    with mpmath.workdps(40):
        p = 1 / (1 + mpmath.exp(mpmath.mpf(0) / 5 - mpmath.mpf(1) / 5))
        assert abs(mpmath.mpf(str(weight.subs(numbers).evalf(40))) - p * (1 - p) / 5) < mpmath.mpf("1e-35")
    assert simplify(RowSum(A * t)[0, 0].diff(t).doit() - A[0, 0] - A[0, 1]) == 0


@pytest.mark.parametrize("backend", ["exact", "numpy"])
def test_rows_and_columns_that_do_not_exist_are_refused_once_sizes_are_known(backend):
    values = {X: [[1, 2], [3, 4]]}
    for expression in (Row(X, n - 3), Row(X, 5), ColumnSlice(X, d - 3, 3), ColumnSlice(X, 1, 2)):
        with pytest.raises(ShapeError, match=r"do(es)? not exist"):
            evaluate(expression, values, backend=backend)
    with pytest.raises(ShapeError):
        Row(Ones(2, 3), 5)


def test_given_numbers_stay_what_they_are():
    with mpmath.workdps(60):
        third = mpmath.mpf(1) / 3
        assert str(evaluate(x + x, {x: [[third]]}, digits=40)[0, 0]) == "0." + "6" * 39 + "7"
    assert evaluate(x + x, {x: [[Float("1e-400")]]})[0, 0] == Rational(2, 10**400)
    single = evaluate(x + x, {x: np.full((1, 1), 0.1, dtype=np.float32)})[0, 0]
    assert single == Rational(1, 5)
    for bad in (I, oo, 1 + 2 * I):
        with pytest.raises((UnreadableInput, NotSupported)):
            evaluate(x + x, {x: [[bad]]})
        with pytest.raises(UnreadableInput):
            x * bad


def test_values_that_print_alike_are_two_values():
    near = 0.1 + 0.2
    one = Section(WORDS, steps=("Y",), values={"x": [[Float(0.3)]]})
    two = replace(one, values={"x": [[Float(near)]]})
    page = render(verify(derive(x + x, values={x: [[1]]}, sections=[one, two])), detail="results", style=None)
    assert "0.6" in page
    sweep = Sweep(t, (0.3, near), (Column("Y", 0, 0, places=17),))
    table = derive(Scaling(x, t, 1), values={x: [[1]]}, sections=[Section(WORDS, sweep=sweep)])
    rows = [line.split() for line in render(verify(table)).splitlines() if line.strip().startswith("0.3")]
    assert rows == [["0.3", "0.3"], ["0.30000000000000004", "0.30000000000000004"]]


def test_one_name_is_one_thing():
    with pytest.raises(UnreadableInput, match="X stands for two different things"):
        derive(matrix("X", n, 2) @ matrix("X", 2, 2))
    with pytest.raises(UnreadableInput, match="would be written alike"):
        render(derive(matrix("Q", 1, 2) + matrix("q", 1, 2)))


def test_a_division_by_a_hidden_0_has_no_value():
    zero = (1 + sqrt(2)) ** 2 - 3 - 2 * sqrt(2)
    with pytest.raises(NotSupported, match="division by 0"):
        evaluate(RowDivision(x, matrix("y", 1, 1)), {"x": [[1]], "y": [[zero]]})


def test_divisors_keep_their_brackets():
    shown = [str(X / divisor) for divisor in (1 / t, 1 / sqrt(d), 2 * t, sqrt(d), 2, Rational(1, 2))]
    assert shown == ["X / (1/t)", "X / (1/sqrt(d))", "X / (2*t)", "X / sqrt(d)", "X / 2", "X / (1/2)"]


def test_a_mask_of_minus_a_thousand_million_ends_at_once():
    scores = matrix("S", 1, 2)
    with pytest.raises(LimitExceeded, match="below 1e-500000"):
        evaluate(Softmax(scores), {scores: [[0, -(10**9)]]}, digits=5)
    assert lines(derive(Softmax(scores), values={scores: [[0, -(10**9)]]}), "Y =")[0].endswith("≈ [[1.0000, 0.0000]]")


def test_a_temperature_after_the_mask_needs_a_sign():
    with pytest.raises(NotSupported, match="scale before the mask"):
        evaluate(Softmax(Mask(A, B) / t), {A: [[1, 2], [3, 4]], B: [[0, -oo], [0, 0]]})


def test_a_refuted_step_shows_no_number():
    steps = derive(Softmax(matrix("S", 1, 2)), stages=True, values={"S": [[1, 2]]})
    wrong = replace(steps.steps[0], expression=steps.steps[0].expression * 2)
    page = render(verify(replace(steps, steps=(wrong, *steps.steps[1:]))), detail="entries")
    assert "U = 2 exp(S)\n" in page
    assert "u_1 = 2" not in page
    assert "u_1 = exp" not in page
