"""The engine on two expressions with values: equal, only here, by the numbers shown, term by term, of roundings.

What is right is worked out with mpmath at 50 digits, or by hand in the margin.
"""

import mpmath as mp
import pytest
from engine_documents import equations, last, names, verdicts

from symtransformer import check
from symtransformer.checking.termwise import parts_of, terms_of

mp.mp.dps = 50
RIGHT, WRONG, DEFINED, FOLLOWS, OPEN = "right", "wrong", "definition", "follows", "undecidable"
PUT_IN, TERMS, EQUAL = "Right: the numbers put in are right.", "Right: every term is right to the digits shown.", "Right: both sides are equal."  # fmt: skip


def told(*lines):
    found = last(*lines)
    return found.verdict, found.words.en


# -- equal ------------------------------------------------------------------------------------------------------------
def test_equal_and_not():
    found = last("q = [1, 2]", "k = [3, 4]", "q · k = 1·3 + 2·4")
    assert (found.verdict, found.words.en, found.right_value, found.code) == (RIGHT, EQUAL, None, "")
    found = last("q = [1, 2]", "k = [3, 4]", "q · k = 1·3 + 2·5")
    assert (found.verdict, found.right_value) == (WRONG, "11")
    found = last("[1, 2] + [3, 5] = [1, 1] + [3, 5]")
    assert (found.verdict, found.right_value) == (WRONG, "[4, 7]")
    found = last("[1, 2, 3] + [1, 1, 1] = [1, 2] + [1, 1]")
    assert (found.verdict, found.code) == ("shapes", "shapes")


def test_what_has_no_value_is_not_decided():
    found = last("log(0) + 1 = 2 + 3")
    assert found.verdict == OPEN
    found = last("0/0 + 1 = 2 + 3")
    assert (found.verdict, found.right_value) == (WRONG, "undefined")


# -- only here --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("given", "line", "verdict"),
    [
        ("τ = 1", "1 τ = 1/τ", OPEN), ("τ = 1", "2 τ = τ + 1", OPEN), ("τ = 1", "τ + 0 = τ", RIGHT), ("τ = 1", "2τ = τ + τ", RIGHT),
        ("d = 1", "d + 1 = 2d", OPEN), ("d_k = 2", "d_k + 2 = 2 d_k", RIGHT), ("d_k = 2", "d_k^2 = 2 d_k", RIGHT), ("d_k = 1", "d_k^2 = 2 d_k", WRONG),
    ],
)  # fmt: skip
def test_what_holds_for_the_value_given_only(given, line, verdict):
    """1·1 = 1/1, and 1.7 is not 1/1.7; d_k = 2 is meant as it is given."""
    found = last(given, line)
    assert found.verdict == verdict
    assert found.code == ("only_here" if verdict == OPEN else "")


# -- numbers put in, as shown -----------------------------------------------------------------------------------------
def test_the_digits_shown_are_put_in():
    """1/3 = 0.333, 2/3 = 0.667; their quotient is 1/2."""
    given = ["u = 1/3 ≈ 0.333", "c = 2/3 ≈ 0.667"]
    for line in ("u / c = 0.333 / 0.667", "0.333 / 0.667 = u / c", "u - c = 0.333 - 0.667"):
        assert told(*given, line) == (RIGHT, PUT_IN)
    assert told(*given, "u + c = 0.333 + 0.667") == (RIGHT, EQUAL)
    found = last(*given, "u / c = 0.333 / 0.767")
    assert (found.verdict, found.right_value, found.follows_from) == (WRONG, "0.5", None)
    assert told(*given, "u / c = (1/3) / (2/3)") == (RIGHT, EQUAL)


def test_the_digits_of_a_wrong_line_are_put_in():
    """3² is 9, not 90."""
    given = ["x = 3", "y = x^2 = 90"]
    for line in ("y + 1 = 90 + 1", "y + 1 = 91 + 0"):
        found = last(*given, line)
        assert (found.verdict, found.follows_from, found.right_value, found.code) == (FOLLOWS, 2, "10", "")
        assert "line 2" in found.words.en
    assert told(*given, "y + 1 = 9 + 1") == (RIGHT, EQUAL)
    found = last(*given, "y + 1 = 60 + 1")
    assert (found.verdict, found.right_value, found.follows_from) == (WRONG, "10", None)


def test_a_wrong_part_is_not_excused_by_rounding():
    """p = 1/(1 + e) = 0.269, p (1 − p) = 0.19661."""
    p = 1 / (1 + mp.e)
    given = "p = exp(1)/(exp(1)+exp(2)) ≈ 0.269"
    for line in ("1 - p = 1 - 0.269", "p (1 - p) = 0.269 · 0.731", "p(1-p) = 0.269(1 - 0.269)"):
        assert told(given, line) == (RIGHT, PUT_IN)
    found = last(given, "p (1-p) = 0.269 · 0.721")
    assert (found.verdict, found.right_value) == (WRONG, mp.nstr(p * (1 - p), 6))
    found = last(given, "p (1-p) = p · 0.731")
    assert (found.verdict, found.code, found.right_value) == (OPEN, "rounded_operands", None)


# -- term by term -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("sign", ["+", "-", "/", "·"])
def test_each_term_is_right_or_not(sign):
    """e³ = 20.0855, e² = 7.38906."""
    e3, e2 = mp.e**3, mp.e**2
    value = {"+": e3 + e2, "-": e3 - e2, "/": e3 / e2, "·": e3 * e2}[sign]
    assert (mp.nstr(e3, 5), mp.nstr(e2, 4)) == ("20.086", "7.389")
    assert told(f"e^3 {sign} e^2 = 20.086 {sign} 7.389") == (RIGHT, TERMS)
    for first, second in (("20.086", "7.489"), ("20.186", "7.389")):
        found = last(f"e^3 {sign} e^2 = {first} {sign} {second}")
        assert (found.verdict, found.code) == (WRONG, "")
        assert abs(mp.mpf(found.right_value) - value) < 1e-6


def test_the_signs_between_factors():
    """e³ · e² = 148.41, and 20.086 / 7.389 = 2.72: two signs alone have nothing to be taken apart."""
    for sign in ("×", "·", "*"):
        assert told(f"e^3 · e^2 = 20.086 {sign} 7.389") == (RIGHT, TERMS)
    for line in ("e^3 · e^2 = 20.086 / 7.389", "√2 · √3 = 1.414 / 1.732 + 0"):
        assert last(line).verdict == WRONG
    assert last("e^3 / e^2 = 20.086 · 7.389").verdict == WRONG


def test_terms_of_a_few_digits():
    """√2 = 1.41421."""
    for shown in ("1.414", "1.41", "1.4"):
        assert told(f"√2 + 1 = {shown} + 1") == (RIGHT, TERMS)
    found = last("√2 + 1 = 1.51 + 1")
    assert (found.verdict, found.right_value) == (WRONG, "2.414214")
    assert told("√2 · √3 = 1.414 · 1.732") == (RIGHT, TERMS)
    assert told("√2 + 1 = 1.5 + 1")[0] == WRONG


# -- roundings --------------------------------------------------------------------------------------------------------
def test_what_roundings_may_give_is_not_told():
    """1.414 for √2: 11/√2 = 7.778 = 11/1.414 to three decimals, and 11/1.514 is 7.27."""
    given = ["q = [1, 2]", "k = [3, 4]"]
    found = last(*given, "q·k / √2 = (3 + 8)/1.414")
    assert (found.verdict, found.code, found.right_value) == (OPEN, "rounded_operands", None)
    found = last(*given, "q·k / √2 = (3+8)/1.514")
    assert (found.verdict, found.right_value) == (WRONG, mp.nstr(11 / mp.sqrt(2), 7))
    for line in ("0.577 + 1 = √(1/3) + 1", "0.577 + 0.25 = 1/√3 + 1/4", "0.123456 + 1 = 0.123457 + 1.0"):
        assert last(line).code == "rounded_operands"
    assert last("0.123456 + 1 = 0.123458 + 1.0").verdict == WRONG


def test_what_is_known_unrounded_decides():
    """1/7 = 0.142857; 7 times it is 1, and 0.1430 has come from nowhere."""
    given = ["a = 1/7 ≈ 0.1429"]
    assert told(*given, "0.1429 · 7 = 1 + 0") == (RIGHT, PUT_IN)
    for number, value in (("0.1430", "1.001"), ("0.1529", "1.0703"), ("0.15", "1.05")):
        found = last(*given, f"{number} · 7 = 1 + 0")
        assert (found.verdict, found.right_value) == (WRONG, value)
    found = equations(*given, "b = 1/70 ≈ 0.0143", "0.1429 + 0.0143 = 11/70 + 0", "0.1429 + 0.0143 = 12/70 + 0")
    assert [e.verdict for e in found][-2:] == [RIGHT, WRONG]


# -- texts taken apart ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("a + b", ["a", "b"]), ("a - b", ["a", "- b"]), ("-a + b", ["-a", "b"]), ("a·-b", ["a·-b"]), ("(a + b) + c", ["(a + b)", "c"]), ("f(a + b)", ["f(a + b)"]), ("1e-5 + 2", ["1e-5", "2"]),
        ("x_2e - 1", ["x_2e", "- 1"]), ("x² − 1", ["x²", "− 1"]), ("[1, 2] + [3, 4]", ["[1, 2]", "[3, 4]"]), ("a +", ["a +"]), ("a＋b", ["a", "b"]), ("1.5E+3", ["1.5E+3"]), ("a + b - c", ["a", "b", "- c"]),
    ],
)  # fmt: skip
def test_terms(text, terms):
    assert terms_of(text) == terms


@pytest.mark.parametrize(
    ("left", "right", "parts"),
    [
        ("sqrt(v + 0.1)", "sqrt(0.9 + 0.1)", [("v", "0.9")]),
        ("a / b", "0.9", None),
        ("a", "1", None),
        ("a + b", "a + b", None),
        ("a + b", "1 + b", [("a", "1")]),
        ("a + b", "1 + 2", [("a", "1"), ("b", "2")]),
        ("a · b", "1 · 2", [("a", "1"), ("b", "2")]),
        ("a · b", "1 / 2", [("a", "1"), ("·", "/"), ("b", "2")]),
        (r"a \times b ÷ c", "1 * 2 / 3", [("a", "1"), ("b", "2"), ("c", "3")]),
        ("·", "/", None),
        ("a + b", "1 + 2 + 3", None),
        ("(a + b) / c", "(1 + 2) / 3", [("a", "1"), ("b", "2"), ("c", "3")]),
        ("f(a, b)", "f(1, 2)", [("a", "1"), ("b", "2")]),
        ("f(a, [b, c])", "f(1, [2, 3])", [("a", "1"), ("[b, c]", "[2, 3]")]),
        ("f(a)", "g(1)", [("f", "g"), ("a", "1")]),
        (r"\frac{a}{b}", r"\frac{1}{2}", [("a", "1"), ("b", "2")]),
        (r"\frac{a + c}{b}", r"\frac{1 + 3}{2}", [("a", "1"), ("c", "3"), ("b", "2")]),
        ("((a + b))", "1 + 2", [("a", "1"), ("b", "2")]),
        ("(a) + (b)", "(1) + (2)", [("a", "1"), ("b", "2")]),
        ("(a + b)(c)", "1", None),
        ("f(a,b)", "f(1,2)", [("a", "1"), ("b", "2")]),
        ("f()", "g()", [("f", "g")]),
        ("f(a", "f(1", None),
        ("f(a) b", "f(1) 2", None),
        ("x  +  y", "x + y", None),
        (r"a \cdot b", r"1 \cdot 2", [("a", "1"), ("b", "2")]),
        ("(a / b) / c", "(a / 2) / c", [("b", "2")]),
    ],
)
def test_parts(left, right, parts):
    assert parts_of(left, right) == parts


def test_parts_are_limited():
    def row(letter, n):
        return " + ".join(f"{letter}{k}" for k in range(n))

    assert len(parts_of(row("a", 64), row("b", 64))) == 64
    assert parts_of(row("a", 65), row("b", 65)) is None


def test_a_slip_between_two_expressions_has_a_name():
    found = last("S = [1, 2]", "softmax(S) = exp(S)")
    assert "exponentials_not_divided" in names(found.slips)
    assert verdicts("S = [1, 2]", "softmax(S) = exp(S)/(e + e^2)")[-1] == RIGHT


def test_two_decimals_in_the_middle_may_be_a_rounding():
    """√(1/3) = 0.577."""
    assert last("0.58 + 1 = √(1/3) + 1").code == "rounded_operands"
    assert last("0.6 + 1 = √(1/3) + 1").verdict == WRONG


@pytest.mark.parametrize(
    ("line", "verdict", "code", "value"),
    [
        ("2 + 2 = 1 + 3", "right", "", None), ("2 + 2 = 2 · 3", "wrong", "", "4"), ("√2 · √2 = 1 + 1", "right", "", None), ("√8 = 2√2", "right", "", None),
        ("√8 = 2√3", "wrong", "", "2.828427"), ("exp(1) · exp(2) = exp(3)", "right", "", None), ("exp(1) + exp(2) = exp(3)", "wrong", "", "10.107338"),
        ("[1, 2] + [1, 1] = 2 [1, 1.5]", "right", "", None), ("[1, 2] + [1, 1] = 2 [1, 1]", "wrong", "", "[2, 3]"), ("[1, 2] + [1, 1] = [1, 2, 3] + [1, 1, 1]", "shapes", "shapes", None),
        ("log 0 = log 0", "right", "", None), ("1/0 = 1/0", "undecidable", "no_value", None), ("log 0 = 1/0", "undecidable", "no_value", None),
        ("log 0 - log 0 = 0", "undecidable", "no_value", "0"), ("-log 0 = log 0", "undecidable", "no_value", None),
        ("exp(-log 0) = 2 exp(-log 0)", "undecidable", "precision", None), ("log([1, 2]) = log([2, 4])", "wrong", "", "[0, 0.693147]"), ("log([0, 0]) = log(0 [1, 2])", "right", "", None),
    ],
)  # fmt: skip
def test_two_sides_are_equal_or_not_by_their_numbers_alone(line, verdict, code, value):
    found = check(f"${line}$", name="a.md").equations[-1]
    assert (found.verdict, found.code, found.right_value) == (verdict, code, value)


@pytest.mark.parametrize(
    ("left", "right", "parts"),
    [  # more factors on one side: what stands between those that are the same
        ("10 · 2 / 3", "10 · 0.667", [("2 / 3", "0.667")]),
        ("4 · 2 / 3 · 10", "4 · 0.667 · 10", [("2 / 3", "0.667")]),
        ("1 + 2 / 3 · 10", "1 + 0.667 · 10", [("2 / 3", "0.667")]),
        ("a · b · c", "a · c", [("b · c", "c")]),
        ("a · b · c · d", "a · e · d", [("b · c", "e")]),
        ("a / b · c", "e · c", [("a / b", "e")]),
        ("c / a / b", "c / e", None),  # 6 / 2 / 3 is no 6 / 0.667
        ("a · b · c", "d", None),
        ("a · b", "a", None),
        ("a · b · a", "a", None),
        ("2 / 3 · 10", "10", None),
        ("a · b", "c · d / e", None),
    ],
)
def test_factors_that_are_worked_out_together(left, right, parts):
    assert parts_of(left, right) == parts
    assert parts_of(right, left) == (parts and [(b, a) for a, b in parts])


def test_sixty_four_of_them():
    def sums(number):
        return " + ".join(["2 / 3 · 10"] * number), " + ".join(["0.667 · 10"] * number)

    assert parts_of(*sums(64)) == [("2 / 3", "0.667")] * 64
    assert parts_of(*sums(65)) is None
