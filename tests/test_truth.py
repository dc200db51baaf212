"""Things that were once shown as true and were not, or were close to it: each stays refused."""

from dataclasses import replace

import mpmath
import numpy as np
import pytest
from sympy import Abs, Float, I, Max, Rational, Symbol, cos, exp, latex, log, oo, pi, simplify, sin, sqrt

from symtransformer import (
    Follow,
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
    Broadcast,
    ColumnPad,
    ColumnSlice,
    HeadConcatenation,
    HeadSum,
    Mask,
    Ones,
    Row,
    RowDivision,
    RowPad,
    RowSum,
    Scaling,
    SingleHead,
    Softmax,
)  # fmt: skip
from symtransformer.symbols import Literal

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
    assert shown == ["X / (1/t)", "X / (1/sqrt(d))", "X / (2*t)", "X / sqrt(d)", "X / 2", "X / 0.5"]


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


def test_columns_and_rows_are_printed_from_one_to_the_last():
    wide, tall = matrix("A", 2, 5), matrix("G", n, d)
    shown = [str(ColumnSlice(wide, a, b)) for a, b in ((0, 2), (0, 1), (2, 2), (3, 2), (1, 3))]
    assert shown == ["A[:, 1:2]", "A[:, 1]", "A[:, 3:4]", "A[:, 4:5]", "A[:, 2:4]"]
    assert str(ColumnSlice(matrix("X", n, 3 * d), d, d)) == "X[:, d + 1 : 2 d]"
    assert (str(Row(tall, n - 1)), str(Row(tall, 1))) == ("g_n", "g_2")
    assert latex(ColumnSlice(wide, 3, 2)) == r"A_{:,\,4:5}"


def test_heads_count_from_one_wherever_they_are_printed():
    family = X.of_head(i)
    assert str(HeadSum(family * (i + 1), i, 2)) == "Sum(i X^(i), i = 1..2)"
    assert str(HeadSum(X.of_head(h - 1 - i) * (i + 1), i, h)) == "Sum(i X^(1 + h - i), i = 1..h)"
    assert str(HeadSum(ColumnSlice(matrix("W", n, 4), i * 2, 2), i, 2)) == "Sum(W[:, 2 (i - 1) + 1 : 2 i], i = 1..2)"
    assert str(HeadSum(matrix("X", 2, 2) @ Literal([[i, 0], [0, 1]]), i, 2)) == "Sum(X [[-1 + i, 0], [0, 1]], i = 1..2)"
    count = Symbol("r", integer=True, nonnegative=True)  # an exponent, no head
    assert lines(derive(A * count, values={A: [[1, 2], [3, 4]], count: 2}), "Y =")[0].startswith("Y = r A = 2 [[1")


def test_what_is_put_among_zeros_says_where():
    shown = {str(ColumnPad(A, 0, 3)), str(ColumnPad(A, 1, 3)), str(ColumnPad(A, 0, 4))}
    assert len(shown) == 3
    assert str(ColumnPad(A, 1, 3)) == "pad[2 of 3](A)"
    assert str(RowPad(matrix("T", 1, 2), 1, 3)) == "padrow[2 of 3](T)"
    assert len({str(Broadcast(matrix("c", 2, 1), k)) for k in (2, 3)}) == 2


def test_a_number_of_its_own_for_each_head_is_the_same_by_every_route():
    family = matrix("F", n, d).of_head(i)
    values = {"F": [[[1, 2, 3], [4, 5, 6]], [[1, 0, 2], [3, 1, 1]]], h: 2}
    for expression in (
        HeadSum(family * (i + 1), i, h), HeadConcatenation(Softmax(family / (i + 2)), i, h),
        HeadSum(Row(matrix("A", 2, 3), i), i, h), HeadSum(RowPad(Row(matrix("A", 2, 3), i), i, 2), i, h),
    ):  # fmt: skip
        given = {**({} if "F" not in str(expression) else {"F": values["F"]}), h: 2}
        given |= {} if "F" in str(expression) else {"A": [[1, 2, 3], [4, 5, 6]]}
        exact = np.array(evaluate(expression, given, digits=20).tolist(), dtype=float)
        np.testing.assert_allclose(evaluate(expression, given, backend="numpy"), exact, rtol=1e-13)
    assert evaluate(HeadSum(family * (i + 1), i, h), values).tolist() == [[3, 2, 7], [10, 7, 8]]


def test_a_literal_takes_heads_and_sizes():
    two = matrix("X", 2, 2)
    assert evaluate(HeadSum(two @ Literal([[i, 0], [0, 1]]), i, 2), {two: [[1, 2], [3, 4]]}).tolist() == [
        [1, 4],
        [3, 8],
    ]
    tall = matrix("X", n, 2)
    derivation = derive(tall @ Literal([[n, 0], [0, 1]]), values={tall: [[1, 2], [3, 4]]})
    assert lines(derivation, "Y =")[0].endswith("= [[2, 2], [6, 4]]")


def test_proofs_and_tests_say_where_sides_have_values():
    assert "wherever both are defined" in judge_equation(X * (1 / t) * t, X).reason
    unmasked = judge_equation(Mask(A, Literal([[0, -oo], [0, 0]])) * 0, A * 0)
    assert unmasked.kind != "proved" or "wherever both are defined" in unmasked.reason
    partly = judge_equation(X * log(t**2), X * (2 * log(t)))
    assert partly.kind != "tested" or "left out" in partly.reason


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (X * sqrt(t**2 - 2 * 10**9 * t + 10**18), X * (10**9 - t)),
        (X * sqrt(n**2 - 4 * n + 4), X * (n - 2)),
        (X * 0 ** (n - 1), X * 0),
        (HeadSum(X * (i * (i - 1) * (i - 2) * (i - 3)), i, h), X * 0),
        (HeadSum(X.of_head(i), i, h) + Y * ((h - 1) * (h - 2) * (h - 3) * (h - 4)), HeadSum(X.of_head(i), i, h)),
    ],
)
def test_what_differs_at_one_head_or_far_away_is_never_tested(left, right):
    assert judge_equation(left, right).kind in ("refuted", "undecidable")


def test_sizes_reach_into_sums_of_entries():
    weight = matrix("W", d, 2)
    entry = Softmax(X @ weight)[0, 0].subs(d, 1).doit()
    scores = [X[0, 0].subs(d, 1) * weight[0, k].subs(d, 1) for k in range(2)]
    expected = 1 / (1 + exp(scores[1] - scores[0]))
    assert simplify(entry - expected) == 0


def test_a_derivative_by_one_head_is_never_silently_0():
    family = matrix("X", 2, 2).of_head(i)
    total = HeadSum(family, i, 2)
    with pytest.raises(NotSupported, match="write the heads out"):
        total[0, 0].diff(family.of_head(0)[0, 0])
    assert total[0, 0].doit().diff(family.of_head(0)[0, 0]) == 1


def test_a_number_of_thousands_of_digits_is_shown_as_a_formula():
    scores = matrix("S", 1, 2)
    page = lines(derive(Softmax(scores), stages=True, values={scores: [[20000, 0]]}), "U =")
    assert page[0].endswith("[[exp(20000), 1]]")


def test_entries_of_families_and_sums_are_printed_with_one_origin():
    family = matrix("F", 2, 2).of_head(i)
    assert str(HeadSum(family * (i + 1), i, h)[0, 0]) == "Sum(((1 + k) F^(1 + k))[0, 0], (k, 0, h - 1))"
    assert str(((X @ X.T) @ X)[0, 1]) == "Sum(X[k, 1]*(X X^T)[0, k], (k, 0, n - 1))"
    assert latex(Softmax(X)[1, 0]).count("1 + k") == 1  # the sum counts from 0, the entry from 1
    assert str(Row(X, n - 2) @ X.T) == "x_(n - 1) X^T"


def test_heads_in_another_order_are_taken_in_that_order_by_numpy():
    family = matrix("F", 1, 1)
    values = {"F": [[[1]], [[10]], [[100]]], h: 3}
    for expression in (
        HeadConcatenation(family.of_head(h - 1 - i), i, h),
        HeadSum(family.of_head(i) @ family.of_head(2 - i), i, 3),
        HeadConcatenation(family.of_head(h - 1 - i) * (h - i), i, h),
    ):
        given = values if h in expression.free_symbols else {"F": values["F"]}
        exact = np.array(evaluate(expression, given).tolist(), dtype=float)
        np.testing.assert_array_equal(evaluate(expression, given, backend="numpy"), exact)
    with pytest.raises(ShapeError, match="does not exist"):
        evaluate(HeadConcatenation(family.of_head(i - 1), i, 3), {"F": values["F"]}, backend="numpy")


def test_two_softmaxes_on_one_page_have_sums_of_two_names():
    steps = derive(Softmax(A @ Softmax(B)), stages=True).steps
    small = [step.name for step in steps if step.name[0].islower()]
    assert len(small) == len({name[0] for name in small}) == 2
    column, other = matrix("c", 2, 1), matrix("c_2", 2, 1)
    with pytest.raises(UnreadableInput, match="written as row 2 of c"):
        render(derive(column + other))


def test_periodic_functions_are_not_tested_at_their_zeros():
    for left, right in ((X * sin(997 * pi * t), X * 0), (X * exp(cos(1994 * pi * t)), X * exp(1))):
        assert judge_equation(left, right).kind != "tested"


@pytest.mark.parametrize("judged", [True, False])
def test_a_section_of_rows_alone_says_what_is_not_proved(judged):
    section = Section(WORDS, steps=("P", "Y"), rows_only=True)
    weight = matrix("W", 2, 3)
    made = derive(
        {"Y": Softmax(A @ weight)}, names={A @ weight: "P"}, values={A: [[1, 2], [3, 4]], weight: [[1, 0, 1], [0, 1, 0]]},
        sections=[section], follow=Follow("Y", "row", 1),
    )  # fmt: skip
    assert "!!" not in render(verify(made))
    wrong = replace(made.steps[0], expression=made.steps[0].expression * 2)
    planted = replace(made, steps=(wrong, made.steps[1]))
    page = render(verify(planted) if judged else planted)
    assert page.count("!!") == 2  # the step, and the one whose numbers come from it
    assert ("NOT true" in page) is judged
    if judged:
        assert "p_2 = " not in page
        assert "y_2 = " not in page
        assert "P = 2 A W\n" in page


def test_a_head_letter_names_nothing_else_in_its_family():
    number = head_index("n")
    with pytest.raises(UnreadableInput, match="also names something else"):
        HeadSum(Scaling(matrix("A", n, d), n * number, 1), number, h)
