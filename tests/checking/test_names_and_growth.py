"""Names that stand in a text, what is found behind them, and how large a number becomes before it is built."""

import pytest
from sympy import Add, Integer, Mul, Pow, Rational, Symbol, exp, sqrt

from symtransformer import matrix
from symtransformer.checking.growth import limit_growth
from symtransformer.checking.opaque_names import names_behind, names_in, opaque_in
from symtransformer.errors import LimitExceeded


@pytest.mark.parametrize(
    ("text", "there", "not_there"),
    [
        ("x + 1", {"x", "X"}, {"y", "1"}),
        ("x_2 + y", {"x", "x_2", "X_2", "y"}, {"y_2", "2"}),
        ("q_2", {"q", "Q", "q_2", "Q_2"}, {"2"}),
        ("w_{ab}", {"w", "w_ab"}, {"a_b"}),
        ("QK", {"QK", "Q", "K"}, {"q"}),
        ("loss", {"loss", "Loss"}, {"l", "s"}),
        (r"\alpha + 1", {"alpha", "Alpha"}, {"a"}),
        (r"\frac{ab}{2}", {"a", "b"}, {"frac"}),
        ("2 + 3", set(), {"2"}),
        ("", set(), {""}),
    ],
)
def test_every_name_with_its_index_and_with_a_capital(text, there, not_there):
    found = names_in(text, "")
    assert there <= found
    assert not not_there & found


def test_a_text_that_is_no_formula_has_no_names():
    assert names_in("x \\nonsense{", "") is None
    assert names_in("x ; § y", "") is None


@pytest.mark.parametrize(
    ("texts", "opaque", "name"),
    [
        (("x + y", "3"), {"y": 1}, "y"),
        (("3", "x + y"), {"y": 1}, "y"),
        (("x + y", "z"), {"z": 1, "x": 2}, "x"),  # the first text first
        (("x + y",), {"y": 1, "x": 2}, "y"),  # then the order in which they were told
        (("x + y",), {"z": 1}, None),
        (("x + y",), {}, None),
        (("§",), {"z": 1, "x": 2}, "z"),  # what cannot be read may hold any
        (("§",), {}, None),
        ((), {"z": 1}, None),
    ],
)
def test_the_first_name_without_a_value(texts, opaque, name):
    assert opaque_in(texts, "", opaque) == name


def test_names_are_followed_through_the_formulas():
    formulas = {"a": "b + 1", "b": "c_2 · d", "d": "a", "z": "y"}
    assert names_behind(["a + 1"], "", formulas) >= {"a", "b", "c", "c_2", "d"}
    assert not names_behind(["a + 1"], "", formulas) & {"z", "y"}
    assert names_behind(["c", "z"], "", formulas) >= {"c", "z", "y"}
    assert not names_behind(["c", "z"], "", formulas) & {"a", "b", "d"}
    assert names_behind([], "", formulas) == set()
    assert names_behind(["§"], "", formulas) == set()


x, y = Symbol("x"), Symbol("y")
TWO = Integer(2)
BITS = TWO**5999  # 6000 bits


@pytest.mark.parametrize(
    ("value", "known", "too_large"),
    [
        (x, TWO**11999, False),  # 12000 bits
        (x, TWO**12000, True),
        (x, 1 / TWO**11999, False),
        (x, 1 / TWO**12000, True),
        (x**2, BITS, False),
        (x**2, 2 * BITS, True),
        (x**-2, BITS, False),
        (x**-2, 2 * BITS, True),
        (x * y, BITS, False),
        (x * y, 2 * BITS, True),
        (x + y, BITS, False),
        (x + y, 2 * BITS, True),
        (x + y + 1, BITS, True),
        (exp(x), 2 * BITS, False),
        (sqrt(x), TWO**999, False),  # 1000 bits
        (sqrt(x), TWO**1000, True),
        (x ** Rational(1, 3), TWO**1000, True),
        (exp(sqrt(x)), TWO**1000, True),
    ],
)
def test_numbers_of_up_to_12000_bits(value, known, too_large):
    rule = {x: known, y: known}
    if too_large:
        with pytest.raises(LimitExceeded):
            limit_growth(value, rule)
    else:
        limit_growth(value, rule)


def test_what_becomes_too_large_is_named():
    for value, words in ((x**3, "12000 bits"), (sqrt(x), "1000 bits")):
        with pytest.raises(LimitExceeded, match=words):
            limit_growth(value, {x: BITS})


def test_trees_of_up_to_4000_nodes():
    def known(terms):
        return Add(*[Pow(TWO, Rational(1, 3), evaluate=False)] * terms, evaluate=False)

    assert known(3).args[0].args
    limit_growth(x, {x: known(1333)})  # 1 + 3·1333 = 4000
    with pytest.raises(LimitExceeded, match="4000 nodes"):
        limit_growth(x, {x: known(1334)})
    half = known(666)
    limit_growth(Mul(x, y, evaluate=False), {x: half, y: half})
    with pytest.raises(LimitExceeded, match="4000 nodes"):
        limit_growth(Mul(x, y, x + y, evaluate=False), {x: half, y: half})


def test_matrices_and_nothing_put_in_are_not_measured():
    a = matrix("A", 2, 2)
    limit_growth(x**9000, {})
    limit_growth(x**9000, {y: a})
    limit_growth(a, {x: BITS**9})
