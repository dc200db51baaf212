r"""Values and slopes of formulas of numbers and entries: each rule against plain arithmetic with the same numbers."""

import math
from itertools import product

import pytest
from flint import arb, fmpq

from symtransformer.checking import free_values
from symtransformer.checking.free_names import NotEntries
from symtransformer.checking.free_values import Drawn, Dual, constant, range_of
from symtransformer.enclosures import precision
from symtransformer.reading.free_formulas import read_free

LENGTHS = {("", "i"): 3, ("", "j"): 3, ("", "k"): 2, ("x", "[0]"): 3, ("y", "[0]"): 3, ("z", "[0]"): 3, ("z", "[1]"): 2}


def drawn(given=(), **more):
    formulas = {key: (tuple(letters), read_free(text), frozenset()) for key, letters, text in given}
    usual = {
        "seed": 1,
        "sizes": {"n": 3},
        "lengths": LENGTHS,
        "formulas": formulas,
        "lists": frozenset("xyz"),
        "plain": frozenset(),
    }
    return Drawn(**{**usual, **more})


def value(text, at=None, given=(), **more):
    with precision(200):
        return drawn(given, **more).value(read_free(text), at or {})


def number(key, *indices, **more):
    return float(drawn(**more).named(key, indices).value)


A, B, C = (number(x) for x in "abc")
X, Y = ([number(x, k) for k in (1, 2, 3)] for x in "xy")
Z = [[number("z", i, k) for k in (1, 2)] for i in (1, 2, 3)]
assert A < 1 < C < 2
assert A < B < 1

VALUES = [
    ("2", 2), ("2.5", 2.5), ("0.05", 0.05), ("a + b", A + B), ("a - b", A - B), ("-a + b", B - A), ("-a", -A), ("a - b + c", A - B + C), ("a b", A * B), (r"a \cdot b", A * B), (r"a \times b", A * B),
    ("a * b", A * B), ("a / b", A / B), ("a b / c", A * B / C), ("a / b / c", A / B / C), (r"\frac{a}{b}", A / B), (r"\frac{a}{b} c", A / B * C), (r"\sqrt{a}", math.sqrt(A)), ("a^2", A**2),
    ("a^{-2}", A**-2), ("a^0", 1), ("a^{0.5}", A**0.5), ("a^b", A**B), ("2^a", 2**A), ("(-a)^3", -(A**3)), ("(-a)^{-3}", -(A**-3)), ("e^a", math.exp(A)), ("e^{a - b}", math.exp(A - B)), ("|a - b|", B - A),
    ("|b - a|", B - A), ("(a)", A), ("[a]", A), (r"\log a", math.log(A)), (r"\ln a", math.log(A)), (r"\log_2 a", math.log2(A)), (r"\log_{10} a", math.log10(A)), (r"\log(a + b)", math.log(A + B)),
    (r"\exp a", math.exp(A)), (r"\exp(a) b", math.exp(A) * B), (r"\exp(a) / b", math.exp(A) / B), (r"\sin a", math.sin(A)), (r"\sin 2 a", math.sin(2 * A)), (r"\sin a b", math.sin(A * B)), (r"\sin a / b", math.sin(A) / B),
    (r"\cos(a)", math.cos(A)), (r"\cos a \sin b", math.cos(A) * math.sin(B)), (r"\cos 2 a \sin b c", math.cos(2 * A) * math.sin(B * C)), (r"\tanh(a)", math.tanh(A)), (r"\log(a) \sin b", math.log(A) * math.sin(B)),
    (r"\log(a)(b)", math.log(A) * B), (r"\log a + b", math.log(A) + B), (r"\log a \cdot b", math.log(A) * B), (r"\sin a \frac{b}{c}", math.sin(A) * B / C), (r"\sin a \sum_i x_i", math.sin(A) * sum(X)), (r"\sin a (b)", math.sin(A) * B),
    ("\\pi", math.pi), ("e", math.e), ("n", 3), (r"\sum_{i=1}^n x_i", sum(X)), (r"\sum_i x_i", sum(X)), (r"\sum_i x_i y_i", sum(p * q for p, q in zip(X, Y, strict=True))), (r"a \sum_i x_i", A * sum(X)), (r"a / \sum_i x_i", A / sum(X)),
    (r"\sum_i x_i + a", sum(X) + A), (r"\sum_i a", 3 * A), (r"\sum_{i=1}^n i", 6), (r"\prod_i x_i", X[0] * X[1] * X[2]), (r"\prod_{i=1}^n 2", 8), (r"\sum_i \sum_k z_{ik}", sum(map(sum, Z))), (r"\sum_i \prod_k z_{ik}", sum(p * q for p, q in Z)),
    (r"\sum_{i} \sum_{j \neq i} x_j", 2 * sum(X)), (r"\sum_i i x_i", X[0] + 2 * X[1] + 3 * X[2]), (r"\sum_{i} 1_{i = i}", 3), (r"\frac{1}{n} \sum_{i=1}^n x_i", sum(X) / 3),
    (r"\sum_{i=1}^n \sum_j 1_{i = j} x_i y_j", sum(p * q for p, q in zip(X, Y, strict=True))), (r"\sum_{i=1}^n \sum_j \delta_{ij} x_i y_j", sum(p * q for p, q in zip(X, Y, strict=True))), (r"\sum_i x_i^2", sum(p * p for p in X)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), VALUES, ids=[text for text, _ in VALUES])
def test_a_formula_of_numbers_has_its_value(text, expected):
    found = value(text)
    assert float(found.value) == pytest.approx(expected, rel=1e-12)
    assert found.slope == 0


PLACES = [
    ("x_i", {"i": 2}, X[1]), ("x_i x_j", {"i": 2, "j": 3}, X[1] * X[2]), ("z_{ik}", {"i": 3, "k": 1}, Z[2][0]), ("z_{3k}", {"k": 2}, Z[2][1]), (r"\sum_{i \neq j} x_i", {"j": 2}, X[0] + X[2]), ("i + 1", {"i": 3}, 4),
    ("1_{i = j}", {"i": 2, "j": 2}, 1), ("1_{i = j}", {"i": 2, "j": 3}, 0), (r"\delta_{ij}", {"i": 1, "j": 1}, 1), (r"\delta_{ij}", {"i": 1, "j": 3}, 0), ("x_i^2", {"i": 1}, X[0] ** 2),
]  # fmt: skip


@pytest.mark.parametrize(("text", "at", "expected"), PLACES)
def test_at_a_place(text, at, expected):
    assert float(value(text, at).value) == pytest.approx(expected, rel=1e-12)


REFUSED = [
    (r"\sqrt[3]{a}", "another root"), ("a / b c", "no product of numbers"), (r"a \odot b", "no product of numbers"), (r"\log^2 a", "a function with marks"), (r"\sin_2 a", "a function with marks"), (r"\log_b a", "a function with marks"),
    (r"\log a b", "how far the function goes is not clear"), (r"\log(a) b", "how far the function goes is not clear"), (r"\cos(a) \frac{b}{c}", "how far the function goes is not clear"), (r"\tan a", "another function"),
    (r"\int x", "no sum"), (r"\sum_{i=0}^n x_i", "another range"), (r"\sum_{i=a}^n x_i", "another range"), (r"\sum_{i \neq 2} x_i", "another range"), (r"\sum_{i \neq j}^n x_i", "another range"), (r"\sum_{ij} x_i", "another range"),
    (r"\sum^n x_i", "a sum that does not say over what"), (r"\sum_i \sum_i x_i", "a letter that is counted twice, or not at all"), (r"\sum_{i \neq j} x_i", "a letter that is counted twice, or not at all"),
    (r"\delta_{ij}", "a delta of what is no index"), ("1_{i = j}", "a delta of what is no index"), (r"\delta_{i}", "a delta of what is no index"), (r"\binom{a}{b}", "a binomial"), ("x", "a whole list"), ("x_i", "an index that goes nowhere"),
    ("a^T", "no power"), (r"a^\top", "no power"), (r"a^{(1, 2)}", None), (r"a \pm b", "another sign than + and -"), (r"\{a\}", "other brackets"), (r"\frac{1}{0}", "divided by zero"), (r"\frac{1}{a - a}", "divided by zero"), (r"(a - a)^{-1}", "divided by zero"),
    (r"\log(0)", "a logarithm of what is not positive"), (r"\frac{\partial a b}{\partial a}", "an operator of nothing"), ("1^{i = j}", "no power"), ("1_{i}", "no power"), (r"1_{i \neq j}", "no power"), ("2_{i = j}", "no power"),
    (r"\log(a - a)", "a logarithm of what is not positive"), (r"\log(-a)", "a logarithm of what is not positive"), (r"\ln(-a)", "a logarithm of what is not positive"), (r"\sqrt{-a}", "a logarithm of what is not positive"), ("(-a)^b", "a logarithm of what is not positive"),
    (r"\frac{\partial}{\partial a}", "an operator of nothing"), (r"\frac{\partial b}{\partial a}", "a derivative by what it does not rest on"), (r"\frac{\partial a}{\partial (a + b)}", "a derivative by no letter, or one inside of another"),
    (r"\frac{\partial}{\partial a} (\frac{\partial}{\partial a} a^2)", "a derivative by no letter, or one inside of another"), (r"\frac{\partial}{\partial x} x_i", "a derivative by an index, or by a whole list"), ("a, b", "items"), (r"\nabla_a", "a derivative by what it does not rest on"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_what_has_no_value_says_why(text, said):
    with pytest.raises(NotEntries) as caught:
        value(text)
    assert said is None or str(caught.value) == said


def test_a_derivative_by_an_index_is_none():
    with pytest.raises(NotEntries, match="by an index"):
        value(r"\frac{\partial}{\partial i} i^2", {"i": 2})


# -- slopes ----------------------------------------------------------------------------------------------------------
SLOPES = [
    (r"a^2", 2 * A), ("a b", B), ("(a + b)", 1), ("(b - a)", -1), (r"\frac{1}{a}", -1 / A**2), (r"\frac{a}{a + b}", B / (A + B) ** 2), (r"\sqrt{a}", 0.5 / math.sqrt(A)), ("(e^{2 a})", 2 * math.exp(2 * A)), (r"\log(a)", 1 / A),
    (r"\ln(a)", 1 / A), (r"\exp(a b)", B * math.exp(A * B)), (r"\sin(a)", math.cos(A)), (r"\cos(a)", -math.sin(A)), (r"\tanh(a)", 1 - math.tanh(A) ** 2), (r"\log_2 a", 1 / (A * math.log(2))), ("(a^3 + 2 a)", 3 * A**2 + 2), ("(2^a)", 2**A * math.log(2)),
    ("(b^a)", B**A * math.log(B)), ("(a^a)", A**A * (math.log(A) + 1)), ("(a^{-2})", -2 * A**-3), ("|a - c|", -1), ("|c - a|", -1), (r"\sum_i a^i", 1 + 2 * A + 3 * A**2), (r"\prod_i (a + i)", sum(math.prod(A + i for i in (1, 2, 3) if i != k) for k in (1, 2, 3))),
    (r"\frac{b}{a} c", -B * C / A**2), ("(a) b", B), ("a^2 b", 2 * A * B), ("a^2 / b", 2 * A / B), (r"b \cdot a", B), ("(a + b)^2", 2 * (A + B)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), SLOPES, ids=[text for text, _ in SLOPES])
def test_a_derivative_has_its_value(text, expected):
    found = value(rf"\frac{{\partial}}{{\partial a}} {text}")
    assert float(found.value) == pytest.approx(expected, rel=1e-12)
    assert found.slope == 0
    assert float(value(rf"c \cdot \frac{{\partial}}{{\partial a}} {text} + 1").value) == pytest.approx(
        C * expected + 1, rel=1e-12
    )


ENTRIES = [
    (r"\frac{\partial}{\partial x_i} \sum_k z_{1k} x_i", {"i": 2}, sum(Z[0])), (r"\frac{\partial}{\partial x_j} \sum_i x_i^2", {"j": 2}, 2 * X[1]), (r"\frac{\partial}{\partial x_2} \sum_i x_i^2", {}, None),
    (r"\frac{\partial}{\partial x_j} \sum_i x_i y_i", {"j": 3}, Y[2]), (r"\frac{\partial x_i}{\partial x_j}", {"i": 1, "j": 1}, 1), (r"\frac{\partial x_i}{\partial x_j}", {"i": 1, "j": 2}, 0), (r"\frac{\partial}{x_j} x_j^2", {"j": 1}, 2 * X[0]),
    (r"\frac{\partial u_i}{\partial x_i}", {"i": 2}, 3 * X[1] ** 2), (r"\frac{\partial v}{\partial x_j}", {"j": 2}, 3 * X[1] ** 2), (r"\frac{\partial v}{\partial u_j}", {"j": 2}, 1), (r"\frac{\partial v^2}{\partial v}", {}, 2 * sum(x**3 for x in X)),
]  # fmt: skip
GIVEN = [("u", "i", "x_i^3"), ("v", "", r"\sum_i u_i")]


@pytest.mark.parametrize(("text", "at", "expected"), ENTRIES)
def test_a_derivative_goes_through_the_formulas(text, at, expected):
    lengths = {**LENGTHS, ("u", "i"): 3, ("v", "i"): 3}
    if expected is None:
        with pytest.raises(NotEntries):
            value(text, at, GIVEN, lengths=lengths, lists=frozenset("xyzu"))
        return
    found = value(text, at, GIVEN, lengths=lengths, lists=frozenset("xyzu"))
    assert float(found.value) == pytest.approx(expected, rel=1e-12)


def test_rules_of_values_with_slopes():
    f, g = Dual(arb(3), arb(5)), Dual(arb(2), arb(7))
    assert (f + g) == Dual(arb(5), arb(12))
    assert (f * g) == Dual(arb(6), arb(31))
    assert f.over(g) == Dual(arb(1.5), arb(-2.75))  # (5·2 − 3·7) / 4
    assert f.to(constant(2)) == Dual(arb(9), arb(30))
    assert f.to(constant(0)) == constant(1)
    assert f.to(constant(1)) == f
    inverse = g.to(constant(-1))
    assert inverse == Dual(arb(0.5), arb(-1.75))
    assert constant(fmpq(1, 4)) == Dual(arb(0.25), arb(0))
    assert constant(-2).to(constant(63)).value == arb(-2) ** 63
    assert constant(-2).to(constant(64)).value == arb(2) ** 64
    for power in (constant(65), constant(fmpq(1, 2)), Dual(arb(2), arb(1))):
        with pytest.raises(NotEntries):
            constant(-2).to(power)
    with pytest.raises(NotEntries):
        f.over(constant(0))


# -- what is drawn ---------------------------------------------------------------------------------------------------
KEYS = [(key, (k,)) for key in ("u", "v", "w", "p", "q", "r", "s") for k in (1, 2, 3, 4, 5)]


def of_sign(sign, keys=KEYS):
    return [float(drawn(signs=sign).named(key, place).value) for key, place in keys]


def test_numbers_are_drawn():
    sizes = of_sign("+")
    assert all(30 / 97 <= x <= 190 / 97 for x in sizes)
    assert len(set(sizes)) > 20
    assert of_sign("+") == sizes  # the same in every run
    assert [float(drawn(seed=2).named(*key).value) for key in KEYS] != sizes


@pytest.mark.parametrize("key", KEYS[:3])
def test_negative_numbers_are_the_same_with_another_sign(key):
    assert float(drawn(signs="-").named(*key).value) == -float(drawn().named(*key).value)
    assert abs(float(drawn(signs="±").named(*key).value)) == float(drawn().named(*key).value)


def test_lists_are_of_one_sign_or_of_both():
    mixed = of_sign("±")
    by_key = [{x > 0 for x in mixed[k : k + 5]} for k in range(0, len(mixed), 5)]
    assert {True} in by_key
    assert {True, False} in by_key


@pytest.mark.parametrize(("sign", "factors"), [("≷", (1 / 50, 1, 8, 90)), ("∞", (1e-15, 1, 1e15))])
def test_numbers_of_every_size(sign, factors):
    wide, sizes = of_sign(sign), of_sign("+")
    found = {round(math.log10(abs(x) / y), 6) for x, y in zip(wide, sizes, strict=True)}
    assert found == {round(math.log10(f), 6) for f in factors}
    assert {x > 0 for x in wide} == {True, False}


@pytest.mark.parametrize(("key", "sign"), list(product(("epsilon", "varepsilon", "eps", "d", "n", "N"), "+-±≷∞")))
def test_sizes_and_small_numbers_are_positive(key, sign):
    assert all(float(drawn(signs=sign, seed=seed).named(key, ()).value) > 0 for seed in range(6))


def test_letters_that_count_or_end_a_sum_are_those_numbers():
    assert float(value("e", given=[("e", "", "2")]).value) == 2
    assert float(value(r"\delta", given=[("delta", "", "5")]).value) == 5
    assert float(value("a", given=[("a", "", "b + 1")]).value) == pytest.approx(B + 1)
    assert float(value("u_2", given=[("u", "i", "x_i + 1")], plain=frozenset("u"), lists=frozenset("xyzu")).value) != 0
    with pytest.raises(NotEntries, match="another number of indices"):
        drawn([("u", "ij", "x_i y_j")]).named("u", (1,))
    with pytest.raises(NotEntries, match="rests on itself"):
        value("u", given=[("u", "", "v + 1"), ("v", "", "u + 1")])


def test_a_formula_for_a_whole_list_is_computed_entry_by_entry():
    made = drawn([("u", "", r"a x + y")], lists=frozenset("xyu"))
    assert [float(made.named("u", (k,)).value) for k in (1, 2, 3)] == pytest.approx(
        [A * x + y for x, y in zip(X, Y, strict=True)]
    )
    made = drawn([("u", "", r"x \odot y")], lists=frozenset("xyu"))
    assert float(made.named("u", (2,)).value) == pytest.approx(X[1] * Y[1])
    for text in ("x y", r"x \cdot y"):
        with pytest.raises(NotEntries, match="a product of two lists"):
            drawn([("u", "", text)], lists=frozenset("xyu")).named("u", (1,))
    assert float(drawn([("u", "", r"a x / b")], lists=frozenset("xyu")).named("u", (1,)).value) == pytest.approx(
        A * X[0] / B
    )


def test_a_loss_is_drawn_of_what_nothing_else_is_made_of():
    """L = Σ (w t + t²/2) over the entries of u, so that ∂L/∂u_k = w_k + u_k, where the w_k are drawn."""
    lengths = {**LENGTHS, ("u", "i"): 3, ("u", "[0]"): 3, ("v", "i"): 3, ("v", "[0]"): 3}
    made = {
        "given": [("v", "i", "2 x_i"), ("u", "i", "v_i^2")],
        "lengths": lengths,
        "lists": frozenset("xyuv"),
        "loss": "L",
    }
    slopes = [float(value(r"\frac{\partial L}{\partial u_i}", {"i": k}, **made).value) for k in (1, 2, 3)]
    rests = [slope - float(value("u_i", {"i": k}, **made).value) for k, slope in enumerate(slopes, start=1)]
    assert all(30 / 97 <= rest <= 190 / 97 for rest in rests)
    assert len(set(rests)) == 3


def test_a_loss_goes_through_the_formulas():
    lengths = {**LENGTHS, ("u", "i"): 3, ("u", "[0]"): 3, ("v", "i"): 3, ("v", "[0]"): 3}
    made = {
        "given": [("v", "i", "2 x_i"), ("u", "i", "v_i^2")],
        "lengths": lengths,
        "lists": frozenset("xyuv"),
        "loss": "L",
    }
    slope = float(value(r"\frac{\partial L}{\partial u_i}", {"i": 2}, **made).value)
    by_x = float(value(r"\frac{\partial L}{\partial x_i}", {"i": 2}, **made).value)
    assert by_x == pytest.approx(slope * 8 * X[1])  # u = 4 x²
    assert float(value(r"\nabla_{x_i}", {"i": 2}, **made).value) == pytest.approx(by_x)


def test_a_loss_of_what_has_no_formula():
    alone = value(r"\frac{\partial L}{\partial x_i}", {"i": 2}, loss="L")  # nothing has a formula: of x itself
    assert 30 / 97 <= float(alone.value) - X[1] <= 190 / 97


def test_the_weights_of_a_loss_are_drawn():
    """∂L/∂x_k = w_k + x_k."""
    weights = [float(value(r"\frac{\partial L}{\partial x_i}", {"i": k}, loss="L").value) - X[k - 1] for k in (1, 2, 3)]
    assert len(set(weights)) == 3
    assert float(value(r"\frac{\partial L}{\partial a}", loss="L").value) != pytest.approx(1 + A)


def test_e_with_a_formula_is_raised_as_that_number():
    assert float(value("e^a", given=[("e", "", "2")]).value) == pytest.approx(2**A)
    assert constant(0).to(constant(0)) == constant(1)


def test_entry_by_entry_is_a_product_of_whole_lists_only():
    with pytest.raises(NotEntries, match="no product of numbers"):
        drawn([("u", "i", r"x_i \odot y_i")]).named("u", (1,))


def test_what_stands_behind_a_derivative_of_a_power_must_not_rest_on_the_letter():
    assert float(value(r"\frac{\partial}{\partial a} a^2 b").value) == pytest.approx(2 * A * B)
    for text in (
        r"\frac{\partial}{\partial a} a^2 u",
        r"\frac{\partial}{\partial a} (a + 1) u",
        r"\frac{\partial}{\partial a} \frac{1}{a} u",
    ):
        with pytest.raises(NotEntries, match="how far the derivative goes"):
            value(text, given=[("u", "", "3 a")])


def test_so_much_is_computed_and_no_more(monkeypatch):
    monkeypatch.setattr(free_values, "WORK_AT_MOST", 3)
    assert float(value("a + b").value) == pytest.approx(A + B)
    with pytest.raises(NotEntries, match="too much to compute"):
        value("a + b + c")


RANGES = [
    (r"\sum_i x", ("i", "", "")), (r"\sum_{i=1}^n x", ("i", "n", "")), (r"\sum_{i=1}^{d_k} x", ("i", "d_k", "")), (r"\sum_{i \neq j} x", ("i", "", "j")), (r"\prod_{k=1}^K x", ("k", "K", "")), (r"\sum_i^n x", ("i", "n", "")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), RANGES)
def test_the_range_of_a_sum(text, expected):
    assert range_of(read_free(text).parts[0]) == expected
