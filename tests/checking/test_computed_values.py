"""What a side of an equation is worth: from the start, by the digits shown, by wrong ones, rounded in between, and within rounding."""

from fractions import Fraction

import pytest
from sympy import Integer, Rational, S, Symbol

from symtransformer import check
from symtransformer.checking import read_number
from symtransformer.checking.computing import Computed, computed_from, put_in
from symtransformer.checking.definitions import Definition
from symtransformer.checking.engine import Engine
from symtransformer.checking.faulty_line import FaultyLine
from symtransformer.checking.values import Comparisons, Undecided
from symtransformer.enclosures import precision
from symtransformer.node import Node
from symtransformer.reading.sides import read_side
from symtransformer.symbols import Literal

THIRD = Rational(1, 3)


def cells(*rows):
    return tuple(tuple(read_number(text) for text in row.split()) for row in rows)


def engine_of(**given):
    """An engine that knows the names; `name="text"`, or `name=("text", "digits shown")`, in order."""
    engine = Engine()
    for line, (name, told) in enumerate(given.items(), 1):
        text, shown = (told, None) if isinstance(told, str) else told
        assert engine.defining.define(name, read_side(text, engine.definitions.scope), line)
        if shown:
            engine.definitions.show(name, cells(shown), None, False)
    return engine


def side_of(engine, text):
    return read_side(text, engine.definitions.scope)


def entries(computed):
    rows, columns = computed.shape
    return [[computed.exact_entry(i, j) for j in range(columns)] for i in range(rows)]


def reach(ball):
    """From and to, as fractions."""
    with precision(256):
        return tuple(
            Fraction(int(x.man_exp()[0])) * Fraction(2) ** int(x.man_exp()[1]) for x in (ball.lower(), ball.upper())
        )


def is_about(ball, low, high):
    lower, upper = reach(ball)
    return lower <= low and high <= upper and low - lower < Fraction(1, 10**9) and upper - high < Fraction(1, 10**9)


# -- what a side is worth --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "shape", "found"),
    [
        ("2", (1, 1), [[2]]), ("[[1, 2, 3]]", (1, 3), [[1, 2, 3]]), ("[[1, 2], [3, 4], [5, 6]]", (3, 2), [[1, 2], [3, 4], [5, 6]]), ("2 A", (2, 2), [[2, 4], [6, 8]]), ("a + 1", (1, 1), [[4]]),
        ("softmax([[0, 0]])", (1, 2), [[S.Half, S.Half]]), ("A_{2,1}", (1, 1), [[3]]), ("log 0", (1, 1), [[None]]),
    ],
)  # fmt: skip
def test_from_the_start(text, shape, found):
    engine = engine_of(A="[[1, 2], [3, 4]]", a="3")
    value = engine.computing.from_start(side_of(engine, text))
    assert (value.shape, entries(value)) == (shape, found)


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("log 0", -1), ("-log 0", 1), ("2 log 0", -1), ("(log 0)/2", -1), ("-(log 0)/2", 1), ("exp(∞)", 1), ("log(∞)", 1), ("-exp(∞)", -1), ("sqrt(2) log 0", -1), ("log(1 - 1)", -1),
        ("exp(-∞)", 0), ("log 2", 0), ("tanh(∞)", 0), ("exp(0)", 0),
    ],
)  # fmt: skip
def test_what_goes_on_without_end_is_infinite(text, sign):
    assert Comparisons(Engine().computing.from_start(read_side(text, {})).at(0, 0)).infinite_sign() == sign


@pytest.mark.parametrize(
    ("text", "value"),
    [("exp(-∞)", 0), ("tanh(∞)", 1), ("tanh(-∞)", -1), ("sigmoid(-∞)", 0), ("sigmoid(∞)", 1), ("3 tanh(∞)", 3), ("-tanh(-∞)", 1), ("tanh(∞)/2", Fraction(1, 2)), ("tanh(0)", 0), ("log(1)", 0)],
)  # fmt: skip
def test_what_functions_tend_to(text, value):
    found = Engine().computing.from_start(read_side(text, {})).at(0, 0)
    assert Comparisons(found).sign_from(Fraction(value)) == 0


@pytest.mark.parametrize("text", ["log(-∞)", "0 log 0", "sin(∞)", "log(log 0)", "[[log 0, 1]] + [[-log 0, 1]]"])
def test_what_tends_to_nothing_is_not_decided(text):
    value = Engine().computing.from_start(read_side(text, {})).at(0, 0)
    assert not value.is_undefined
    with pytest.raises(Undecided):
        Comparisons(value).infinite_sign()


def test_one_row_may_have_no_value_and_the_others_one():
    mask = Literal([[S.NegativeInfinity, S.NegativeInfinity], [0, 0]])
    engine = engine_of(x="2")
    engine.definitions.define(Definition("S", mask, False, 1))
    value = engine.computing.from_start(side_of(engine, "softmax(S)"))
    assert [value.at(0, j).is_undefined for j in (0, 1)] == [True, True]
    assert [Comparisons(value.at(1, j)).sign_from(Fraction(1, 2)) for j in (0, 1)] == [0, 0]
    single = Literal([[S.NegativeInfinity, S.NegativeInfinity]])
    engine.definitions.define(Definition("S", single, False, 1))
    assert engine.computing.from_start(side_of(engine, "softmax(S)")).at(0, 1).is_undefined


@pytest.mark.parametrize("text", ["log 0 - log 0", "log 0 + 1", "log(-1)", "[[1, log 0]]"])
def test_what_has_no_finite_value_has_no_exact_one(text):
    value = Engine().computing.from_start(read_side(text, {}))
    assert value.exact_entry(0, value.shape[1] - 1) is None or not value.exact_entry(0, value.shape[1] - 1).is_finite


@pytest.mark.parametrize(
    ("node", "turned"), [(Literal([[1, 2, 3]]), [[1], [2], [3]]), (Literal([[1], [2]]), [[1, 2]]), (Integer(5), [[5]])]
)
def test_a_row_turned_is_a_column(node, turned):
    value = Computed(node, True).turned()
    assert entries(value) == turned
    assert value.listed


@pytest.mark.parametrize(
    ("rows", "is_number", "found"),
    [
        (("0.5",), True, S.Half), (("0.5",), False, [[S.Half]]), (("1 2", "3 4"), False, [[1, 2], [3, 4]]), (("nan",), True, S.NaN), (("nan",), False, S.NaN), (("1 nan",), False, None), (("1", "nan"), False, None),
        (("∞",), True, S.Infinity), (("1 -∞",), False, [[1, S.NegativeInfinity]]),
    ],
)  # fmt: skip
def test_digits_taken_for_exact(rows, is_number, found):
    value = computed_from(cells(*rows), is_number, True)
    if found is None:
        assert value is None
    elif isinstance(found, list):
        assert value.node == Literal(found)
        assert value.listed
    else:
        assert value.node is S(found)
        assert not isinstance(value.node, Node)


def test_by_the_digits_shown_and_from_the_start():
    engine = engine_of(x=("1/3", "0.33"), y="x + 1", B="[[1, 2]]")
    computing = engine.computing
    assert computing.from_start(side_of(engine, "3 x")).node == 1
    assert computing.by_shown(side_of(engine, "3 x")).node == Rational(99, 100)
    assert computing.by_shown(side_of(engine, "3 y")).node == 4  # of y no digits are shown
    assert computing.values(side_of(engine, "x + y"), True) == {
        Symbol("x"): Rational(33, 100),
        Symbol("y"): Rational(4, 3),
    } or {str(k): v for k, v in computing.values(side_of(engine, "x + y"), True).items()} == {
        "x": Rational(33, 100),
        "y": Rational(4, 3),
    }
    assert [*computing.values(side_of(engine, "x + y"), False).values()] == [THIRD, Rational(4, 3)]
    assert entries(computing.by_shown(side_of(engine, "x B"))) == [[Rational(33, 100), Rational(66, 100)]]


def test_a_name_that_has_lost_its_value_gives_none():
    engine = engine_of(x=("1/3", "0.33"), y="2")
    side = side_of(engine, "x y")
    engine.definitions.forget("x")
    computing = engine.computing
    assert computing.from_start(side) is None
    assert computing.by_shown(side) is None
    assert computing.range_of(side) is None
    assert computing.rounded(side, 1) is None
    assert computing.from_wrong(side) is None


def test_nan_alone_is_undefined_and_beside_numbers_nothing():
    computing = Engine().computing
    assert computing.from_start(read_side("nan", {})).node is S.NaN
    assert computing.from_start(read_side("[[1, nan]]", {})) is None
    assert computing.from_start(read_side("[[nan], [nan]]", {})) is None


def wrong_at(engine, name, digits, is_wrong=True):
    engine.definitions.show(name, cells(digits), FaultyLine(1, "a.md"), is_wrong)


def test_wrong_digits_go_on_and_right_ones_do_not():
    engine = engine_of(x="1/3", y="2 x", z="y + x", w="1/7")
    wrong_at(engine, "x", "0.5")
    engine.definitions.show("w", cells("0.14"), None, False)
    for name in ("y", "z"):
        wrong_at(engine, name, "9", is_wrong=False)  # shown, and wrong only because of x
    from_wrong = engine.computing.from_wrong
    assert from_wrong(side_of(engine, "x")).node == S.Half
    assert from_wrong(side_of(engine, "y")).node == 1
    assert from_wrong(side_of(engine, "z + w")).node == Rational(3, 2) + Rational(1, 7)
    assert from_wrong(side_of(engine, "z"), 3).node == Rational(3, 2)
    assert from_wrong(side_of(engine, "z"), 2).node == Rational(7, 6)  # 2 x as it should be, and x
    assert from_wrong(side_of(engine, "z"), 0).node == 1  # not followed: the exact z
    assert from_wrong(side_of(engine, "y"), 1).node == Rational(2, 3)
    engine.definitions.forget("x")
    assert from_wrong(side_of(engine, "y")) is None


def test_a_matrix_made_of_wrong_digits():
    engine = engine_of(A="[[1, 2]]", B="2 A", n="3", C="[[n]]")
    engine.definitions.show("A", cells("1 3"), FaultyLine(1, "a.md"), True)
    engine.definitions.show("B", cells("2 7"), FaultyLine(1, "a.md"), False)
    assert entries(engine.computing.from_wrong(side_of(engine, "B"))) == [[2, 6]]
    assert entries(engine.computing.from_wrong(side_of(engine, "B + A"))) == [[3, 9]]


def test_every_name_before_it_is_rounded():
    engine = engine_of(x="1/3", y="2/7 + x", z="y + y", M="[[1/3, 2/3]]", N="3 M")
    rounded = engine.computing.rounded
    assert rounded(side_of(engine, "x"), 2).node == THIRD  # as it is given
    assert rounded(side_of(engine, "y"), 2).node == Rational(62, 100)  # 13/21 = 0.619...
    assert rounded(side_of(engine, "z"), 1).node == Rational(12, 10)  # 0.6 + 0.6
    assert rounded(side_of(engine, "z"), 2, 1).node == Rational(124, 100)  # of 26/21 = 1.238...
    assert rounded(side_of(engine, "z"), 2, 0).node == Rational(26, 21)
    assert entries(rounded(side_of(engine, "N + M"), 1)) == [[1 + THIRD, 2 + 2 * THIRD]]


@pytest.mark.parametrize(
    ("text", "rounded"), [("n log 0", Literal([[S.NegativeInfinity]])), ("-n log 0", Literal([[S.Infinity]])), ("-2 n / 3", Rational(-67, 100)), ("-n/3", Rational(-33, 100)), ("n/200", Rational(1, 100)), ("n log(-n)", None)]
)  # fmt: skip
def test_what_is_infinite_stays_so_when_it_is_rounded_and_what_has_no_value_is_nothing(text, rounded):
    engine = engine_of(n="1", a=text)
    known = {}
    value = engine.computing.rounded(side_of(engine, "a"), 2, known=known)
    assert known == {("a", 12): rounded}
    assert (value is None) is (rounded is None)


def test_the_range_of_a_side_is_that_of_its_digits():
    engine = engine_of(x=("1/3", "0.33"), y="1 + 1", k=("4", "4"), A=("[[1, 2]]", "1.0 2.0"))

    def about(text, j, low, high):
        found = engine.computing.range_of(side_of(engine, text))
        return found is not None and is_about(found(0, j)(128), low, high)

    assert engine.computing.range_of(side_of(engine, "y + 1")) is None
    assert about("x + y", 0, Fraction(2325, 1000), Fraction(2335, 1000))
    assert about("A", 0, Fraction(95, 100), Fraction(105, 100))
    assert about("A", 1, Fraction(195, 100), Fraction(205, 100))
    assert about("A + A", 1, Fraction(39, 10), Fraction(41, 10))
    assert about("k A", 1, Fraction(78, 10), Fraction(82, 10))  # a whole number is itself
    assert about("exp(x) - exp(x)", 0, 0, 0) is False
    assert about(
        "x A", 0, Fraction(30825, 10**5), Fraction(35175, 10**5)
    )  # 0.33 more or less by 0.33 · 0.05 + 0.005 · 1.05


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [("3 x + y = 2.999", "right_if_rounded"), ("3 x + y = 3.000", "right"), ("3 x + y = 2.8", "wrong"), ("3 x y = 1.998", "right_if_rounded"), ("3 x y = 2.998", "wrong"), ("3 x + d_k = 2.999", "right_if_rounded"),
     ("3 x / y = 0.4995", "right_if_rounded"), ("[3 x + y, 1] = [2.999, 1]", "right_if_rounded")],
)  # fmt: skip
def test_a_number_without_digits_beside_one_with_rounded_ones(claim, verdict):
    given = "$x = 1/3 ≈ 0.333$. $y = 1 + 1$. $K = [[1, 2], [3, 4]]$."
    assert check(f"{given} ${claim}$", name="a.md").equations[-1].verdict == verdict


def test_values_are_put_in_for_numbers_and_matrices():
    x = Symbol("x")
    assert put_in(x + 1, {x: Integer(2)}) == 3
    engine = engine_of(A="[[1, 2]]")
    side = side_of(engine, "A")
    assert put_in(side.value, {side.value: Literal([[5, 6]])}) == Literal([[5, 6]])
