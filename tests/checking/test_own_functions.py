"""A document's own functions at numbers; the values by hand, 1/(1 + e^-1) = 0.73106 and √2 = 1.41421 by mpmath."""

import pytest

from symtransformer.checking.checks import check
from symtransformer.checking.own_functions import OwnFunction, OwnFunctions


def verdicts(text):
    return [e.verdict for e in check(text, name="a.md").equations]


@pytest.mark.parametrize(
    ("given", "claim", "verdict"),
    [
        ("$f(x) = x^2 + 1$", "$f(2) = 5$", "right"), ("$f(x) = x^2 + 1$", "$f(2) = 6$", "last_place"), ("$f(x) = x^2 + 1$", "$f(-1) = 2$", "right"),
        ("$f(x) = x^2 + 1$", "$f(-1) = 0$", "wrong"), ("$f(x) = x^2 + 1$", "$f(2) + f(1) = 7$", "right"), ("$f(x) = x^2 + 1$", "$f(f(1)) = 5$", "right"),
        ("$f(x) = x^2 + 1$", "$f(f(1)) = 2$", "wrong"), ("$f(x) = x^2 + 1$", "$2 f(2) = 10$", "right"), ("$f(x) = -x^2$", "$f(3) = -9$", "right"),
        ("$f(x) = 3x - 2x$", "$f(7) = 7$", "right"), ("f(x) = 2^x", "f(0.5) ≈ 1.414", "right"), ("f(x) = 2^x", "f(-1) = 0.5", "right"), ("$f(x) = 2^x$", "$f(3) = 6$", "wrong"),
        (r"$\sigma(z) = \frac{1}{1 + e^{-z}}$", r"$\sigma(1) \approx 0.731$", "right"), (r"$\sigma(z) = \frac{1}{1 + e^{-z}}$", "σ(1) ≈ 0.739", "wrong"),
        (r"$\sigma(z) = \frac{1}{1 + e^{-z}}$", r"$\sigma(-1) \approx 0.269$", "right"), (r"$f(\theta) = \cos\theta$", "$f(0) = 1$", "right"),
        (r"$f(x, y) = x^2 - y$", "$f(3, 4) = 5$", "right"), (r"$f(x, y) = x^2 - y$", "$f(4, 3) = 5$", "wrong"), (r"$f\left(x\right) = x + 1$", r"$f\left(2\right) = 3$", "right"),
        ("$f(x) = a x$, $a = 3$", "$f(2) = 6$", "right"), (r"$f(x) = \max(0, x)$", "$f(-2) = 0$", "right"), (r"$f(x) = \exp(x) - x$", "$f(0) = 1$", "right"),
        ("$C(n, d) = 4 n d^2 + 2 n^2 d$", "$C(10, 2) = 560$", "right"),
        ("$C(n, d) = 4 n d^2 + 2 n^2 d$", "$C(2, 10) = 560$", "wrong"),
        (r"$s(q, k) = q \cdot k / 2$", "$s([1, 2], [3, 4]) = 5.5$", "right"),
        (r"$s(q, k) = q \cdot k / 2$", "$s([1, 2], [1, 1]) = 4$", "wrong"),
        ("$K(x, y) = e^{-(x-y)^2}$", r"$K(0, 1) \approx 0.368$", "right"),
        ("$K(x, y) = e^{-(x-y)^2}$", r"$K(0, 2) \approx 0.135$", "wrong"),
        ("$e(x) = x + 1$", "$e(3) = 4$", "right"),
        ("$e(x) = x + 1$", "$e(3) = 6$", "wrong"),
        ("$e(x) = x + 1$", "$e(3, 4) = 6$", "unparsed"),
    ],
)  # fmt: skip
def test_a_function_at_a_number(given, claim, verdict):
    assert verdicts(f"{given}\n\n{claim}")[-1] == verdict


def test_a_derivative_that_is_given_has_values():
    given = "$g(t) = 3t^2 - t$, $g'(t) = 6t - 1$"
    assert verdicts(f"{given}\n\n$g'(2) = 11$, $g'(2) = 10$, $g^{{\\prime}}(1) = 5$, $g(2) = 10$") == [
        "definition", "proved", "right", "last_place", "right", "right",
    ]  # fmt: skip
    assert verdicts("$u(t) = t^2$, $u'(t) = 3t$, $u'(2) = 6$, $u'(2) = 4$") == [
        "definition",
        "refuted",
        "unparsed",
        "unparsed",
    ]


def test_with_gives_and_if_supposes():
    assert verdicts("With $f(x) = x + 1$ we get $f(2) = 3$.") == ["definition", "right"]
    assert verdicts("If $f(x) = x + 1$, then\n\n$f(2) = 4$")[-1] in ("unparsed", "undecidable")


@pytest.mark.parametrize(
    ("given", "claim"),
    [
        ("$f(x) = x + 1$ for $x > 0$.", "$f(-3) = -2$"), ("$f(x) = xy + 1$", "$f(2) = 3$"), ("$f(x) = x^2 + 1$", "$f(2, 3) = 5$"), ("If $f(x) = x + 1$, all is well.", "$f(1) = 3$"),
        ("It is wrong that $f(x) = x + 1$.", "$f(1) = 3$"), ("$f(x) ≈ x + 1$", "$f(1) = 3$"), ("$f(x) = 5$", "$f(1) = 3$"), ("$f(x) = f(x - 1) + 1$", "$f(1) = 3$"),
        ("", "$f(1) = 3$"), ("$f(x) = x^2$", "$f'(2) = 5$"), ("$f(x) = x^2$", "$f(2 = 4$"), ("$f(x) = f(x)^2$", "$f(2) = 7$"),
    ],
)  # fmt: skip
def test_where_it_is_not_clear_nobody_is_accused_or_right(given, claim):
    assert verdicts(f"{given}\n\n{claim}")[-1] in ("unparsed", "undecidable", "definition")


def test_a_formula_anew_behind_a_heading_replaces_and_else_it_is_judged():
    apart = "# Part one\n\n$f(x) = x^2 + 1$\n\n# Part two\n\n$f(x) = x^2 + 2$\n\n$f(1) = 3$\n\n$f(y) = y^2 + 1$"
    assert verdicts(apart) == ["definition", "definition", "right", "refuted"]
    assert verdicts("$f(x) = x^2 + 1$\n\n$f(x) = x^2 + 2$\n\n$f(1) = 3$") == ["definition", "refuted", "unparsed"]
    assert verdicts("$f(x) = (x + 1)^2$\n\nTherefore $f(x) = x^2 + 2x + 2$.") == ["definition", "refuted"]
    assert verdicts("$f(x) = (x + 1)^2$\n\n$f(x) = x^2 + 2x + 1$\n\n$f(2) = 9$") == ["definition", "proved", "right"]


def test_a_letter_that_has_a_value():
    assert verdicts("f(x) = x^2 + 1\n\nx = 4\n\nf(x) = 17\n\nf(x) = 18") == [
        "definition",
        "definition",
        "right",
        "last_place",
    ]
    assert verdicts("f(x) = x^2 + 1\n\nx = 4\n\nf(x) = x^2 + 7\n\nf(1) = 8") == [
        "definition",
        "definition",
        "undecidable",
        "unparsed",
    ]


def test_a_function_that_has_become_a_number_is_a_factor():
    assert verdicts("f(x) = x^2 + 1\n\nf = 3\n\nf(2) = 6")[-1] != "wrong"


@pytest.mark.parametrize(
    ("letters", "body", "arguments", "written"),
    [
        (("x",), "x^2 + 2x", ["3"], "3^2 + 2(3)"), (("x",), "2^x", ["a + 1"], "2^{a + 1}"), (("x", "y"), "x - y", ["y", "x"], "(y) - (x)"), (("x",), "xy", ["3"], None),
        (("x",), r"\exp(x)", ["0"], r"\exp(0)"), (("x",), "max(0, x)", ["1"], "max(0, 1)"), (("z",), r"e^{-z}", ["1"], "e^{-1}"), (("theta",), r"\cos θ", ["0"], r"\cos (0)"),
    ],
)  # fmt: skip
def test_letters_alone_are_put_in(letters, body, arguments, written):
    assert OwnFunction(letters, body).at(arguments) == written


def test_what_grows_without_end_is_left():
    functions = OwnFunctions()
    functions.by_name = {"f": OwnFunction(("x",), "x + x + x + x"), "g": OwnFunction(("x",), "f(f(x))")}
    assert functions.put_in("f(1)") == "1 + 1 + 1 + 1"
    assert functions.put_in("h(1)") is None
    assert functions.put_in(" + ".join(["f(1)"] * 16)) is not None
    assert functions.put_in(" + ".join(["f(1)"] * 17)) is None
    assert functions.put_in("f(" * 9 + "1" + ")" * 9) is None
    assert functions.put_in(f"f(f({'1' * 2000}))") is None
    assert functions.put_in("f(1, 2)") is None
    assert functions.put_in("f(1") is None
    assert functions.put_in("g(1)") is not None
