"""Whether two values are equal, entry by entry, and how a value is written for a reader."""

import flint
import pytest
from sympy import Integer, Rational, S, cos, exp, log, sqrt

from symtransformer.checking.computing import Computed
from symtransformer.checking.engine import Engine
from symtransformer.checking.equal_sides import judge_sides, written
from symtransformer.checking.values import UNDEFINED, Value
from symtransformer.errors import NotSupported
from symtransformer.reading.sides import read_side
from symtransformer.symbols import Literal

INF = S.Infinity
RIGHT, WRONG, OPEN, SHAPES, TESTED = "right", "wrong", "undecidable", "shapes", "tested"


def of(x):
    return Computed(S(x)).at(0, 0)


def number(text):
    return Engine().computing.from_start(read_side(text, {}))


def rows(*entries, listed=False):
    return Computed(Literal([*entries]), listed)


def judged(left, right):
    found = judge_sides(left, right)
    assert judge_sides(right, left).kind == found.kind
    return found


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        (rows([1, 2]), rows([1, 2]), RIGHT), (rows([1, 2]), rows([1, 3]), WRONG), (rows([1, 2], [3, 4]), rows([1, 2], [3, 4]), RIGHT), (rows([1, 2], [3, 4]), rows([1, 2], [5, 4]), WRONG),
        (rows([1, 2, 3]), rows([1, 2]), SHAPES), (rows([1, 2, 3]), rows([1], [2], [3]), SHAPES), (rows([1, 2, 3], listed=True), rows([1], [2], [3]), RIGHT), (rows([1, 2, 3], listed=True), rows([1], [2], [4]), WRONG),
        (rows([1, 2, 3]), rows([1], [2], [3], listed=True), RIGHT), (rows([1, 2, 3], [4, 5, 6], listed=True), rows([1, 4], [2, 5], [3, 6]), SHAPES), (rows([1, 2], listed=True), rows([1], [2], [3]), SHAPES),
        (rows([1, 2], [3, 4], listed=True), rows([1, 3], [2, 4]), WRONG), (Computed(Integer(5)), rows([5]), RIGHT), (Computed(Integer(5)), rows([6]), WRONG), (Computed(Integer(5)), rows([5, 5]), SHAPES),
        (rows([1, -INF]), rows([1, -INF]), RIGHT), (rows([1, -INF]), rows([1, INF]), WRONG), (rows([1, -INF]), rows([1, 0]), WRONG), (rows([INF, 2]), rows([INF, 2]), RIGHT), (rows([INF, 2]), rows([INF, 3]), WRONG),
        (rows([sqrt(2), 1]), rows([sqrt(8) / 2, 1]), RIGHT), (rows([sqrt(2), 1]), rows([Rational(14142, 10000), 1]), WRONG), (rows([exp(2), 1]), rows([exp(1) ** 2, 1]), RIGHT),
        (Computed(cos(1) ** 2), Computed(1 - S(1) / 2 + cos(2) / 2 - S(1) / 2 + S(0)), WRONG),
    ],
)  # fmt: skip
def test_sides_are_compared_entry_by_entry(left, right, kind):
    found = judged(left, right)
    assert (found.kind, found.code) == (kind, "shapes" if kind == SHAPES else "")
    assert (found.right is not None) is (kind == WRONG)


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        ("1/3", "2/6", RIGHT), ("1/3", "0.333", WRONG), ("√2 · √8", "4", RIGHT), ("√2 · √8", "4.0000000000001", WRONG), ("exp(1) exp(-1)", "1", RIGHT), ("log 8", "3 log 2", RIGHT), ("2 sin(1) cos(1)", "sin(2)", RIGHT), ("2 sin(1) cos(1)", "sin(3)", WRONG), ("log 8", "2 log 2", WRONG),
        ("sin(1)", "sin(1)", RIGHT), ("tanh(1)", "0.76", WRONG), ("log 0", "log 0", RIGHT), ("log 0", "2 log 0", OPEN), ("log 0", "-log 0", OPEN), ("log 0", "5", WRONG), ("5", "log 0", WRONG), ("1/0", "2", WRONG), ("1/0", "1/0", OPEN), ("1/0", "log 0", OPEN),
        ("log(log 0)", "2", OPEN), ("sigmoid(∞)", "1", RIGHT), ("softmax([1, 1])", "[0.5, 0.5]", RIGHT), ("softmax([1, 2])", "[0.5, 0.5]", WRONG),
    ],
)  # fmt: skip
def test_numbers_are_equal_proved_tested_or_not(left, right, kind):
    assert judged(*(Computed(S.NaN) if side == "1/0" else number(side) for side in (left, right))).kind == kind


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (Computed(Integer(3)), RIGHT), (Computed(S.NaN), OPEN), (Computed(INF), RIGHT), (rows([1, 2]), RIGHT), (rows([1, -INF]), RIGHT), (number("log 0"), RIGHT), (number("log 2"), RIGHT),
        (number("log(log 0)"), OPEN), (number("log 0 - log 0"), OPEN), (number("softmax([[-∞, -∞], [0, 0]])"), OPEN), (number("softmax([[0, -∞], [0, 0]])"), RIGHT), (number("log([1, 0])"), RIGHT),
        (number("0.3"), RIGHT),
    ],
)  # fmt: skip
def test_a_value_is_equal_to_itself_only_if_it_is_one(value, kind):
    found = judge_sides(value, value)
    assert (found.kind, found.code) == (kind, "" if kind == RIGHT else "no_value")


def test_one_undefined_entry_is_a_mistake_beside_a_number_and_two_say_nothing():
    undefined = number("softmax([[-∞, -∞], [0, 0]])")
    other = number("softmax([[-∞, -∞], [1, 1]])")
    assert judged(undefined, other).kind == OPEN
    assert judged(undefined, other).code == "no_value"
    assert judged(undefined, rows([S.Half, S.Half], [S.Half, S.Half])).kind == WRONG
    assert judged(undefined, number("softmax([[-∞, -∞], [0, 1]])")).kind == WRONG


class Entries:
    """Values side by side."""

    listed = False

    def __init__(self, *values):
        self.node, self.values, self.shape = self, values, (1, len(values))

    def at(self, i, j):
        return self.values[j]


ONE, TWO = of(1), of(2)
UNKNOWN = number("log(log 0)").at(0, 0)
NOT_ENCLOSED = Value(lambda bits: (_ for _ in ()).throw(NotSupported("no ball")) if bits > 64 else flint.arb(0, 1))
FINITE, LATE = Value(lambda bits: flint.arb(1)), Value(lambda bits: flint.arb(1) if bits < 512 else flint.arb(2))


@pytest.mark.parametrize(
    ("left", "right", "kind", "code"),
    [
        ((ONE, FINITE), (ONE, FINITE), TESTED, ""), ((FINITE, ONE), (FINITE, ONE), TESTED, ""), ((FINITE, ONE), (FINITE, TWO), WRONG, ""), ((ONE, UNKNOWN), (ONE, TWO), OPEN, "precision"), ((ONE, UNKNOWN), (TWO, TWO), WRONG, ""),
        ((UNKNOWN, FINITE), (ONE, FINITE), OPEN, "precision"), ((UNDEFINED, ONE), (UNDEFINED, ONE), OPEN, "no_value"), ((UNDEFINED, ONE), (UNDEFINED, TWO), WRONG, ""), ((UNDEFINED, ONE), (ONE, ONE), WRONG, ""),
        ((UNDEFINED, FINITE), (UNDEFINED, FINITE), OPEN, "no_value"), ((UNDEFINED, UNKNOWN), (UNDEFINED, ONE), OPEN, "no_value"), ((NOT_ENCLOSED, ONE), (FINITE, ONE), OPEN, "precision"), ((FINITE, ONE), (LATE, ONE), WRONG, ""), ((of(1), of(INF)), (of(1), of(INF)), RIGHT, ""), ((of(1), of(INF)), (of(1), of(-INF)), WRONG, ""), ((of(1), of(-INF)), (of(1), FINITE), WRONG, ""),
        ((of(INF),), (UNDEFINED,), OPEN, "no_value"), ((of(INF),), (UNKNOWN,), OPEN, "precision"), ((UNDEFINED,), (UNKNOWN,), OPEN, "precision"), ((UNDEFINED, ONE), (UNKNOWN, TWO), WRONG, ""), ((UNDEFINED, ONE), (FINITE, ONE), WRONG, ""), ((UNDEFINED, ONE), (of(INF), ONE), WRONG, ""),
    ],
)  # fmt: skip
def test_the_worst_entry_decides(left, right, kind, code):
    found = judged(Entries(*left), Entries(*right))
    assert (found.kind, found.code) == (kind, code)


def test_the_time_may_be_over():
    found = judge_sides(rows([1, 2]), rows([1, 3]), lambda: True)
    assert (found.kind, found.code, found.right) == (OPEN, "deadline", None)
    over = iter((False, True))
    assert judge_sides(rows([1, 2]), rows([5, 2]), lambda: next(over)).code == "deadline"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Computed(Integer(-3)), "-3"), (Computed(Rational(1, 2)), "0.5"), (Computed(Rational(-1, 3)), "-0.333333"), (Computed(Rational(2, 3)), "0.666667"), (Computed(Integer(0)), "0"), (Computed(Rational(1, 10**7)), "0"),
        (Computed(Rational(123456789, 1000)), "123456.789"), (Computed(Rational(1, 8)), "0.125"), (Computed(Rational(-1, 1000)), "-0.001"), (Computed(S.NaN), "undefined"), (Computed(INF), "∞"), (Computed(-INF), "-∞"),
        (rows([1, 2]), "[1, 2]"), (rows([1, 2], [3, 4]), "[[1, 2], [3, 4]]"), (rows([1], [2]), "[[1], [2]]"), (rows([5]), "5"), (rows([5], listed=True), "[5]"), (rows([1, -INF]), "[1, -∞]"), (rows([1, INF]), "[1, ∞]"),
        (Computed(sqrt(2)), "1.414214"), (Computed(-log(2)), "-0.693147"), (number("log(log 0)"), "?"), (number("log 0"), "-∞"), (number("-log 0"), "∞"), (number("softmax([-∞, -∞])"), "[undefined, undefined]"),
        (Computed(Integer(1200)), "1200"), (Computed(Rational(25, 10)), "2.5"), (Computed(Rational(3000001, 3000000)), "1"), (Computed(Integer(10)), "10"), (Computed(Rational(99999999, 10**7)), "10"),
    ],
)  # fmt: skip
def test_a_value_for_a_reader(value, text):
    assert written(value) == text


@pytest.mark.parametrize(("decimals", "text"), [(1, "0.7"), (2, "0.67"), (3, "0.667"), (10, "0.6666666667")])
def test_as_many_decimals_as_are_asked(decimals, text):
    assert written(Computed(Rational(2, 3)), decimals) == text
    assert written(Computed(Rational(-2, 3)), decimals) == f"-{text}"
