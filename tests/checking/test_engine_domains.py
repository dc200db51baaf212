"""Where both sides of a formula have a value: what below a line, a root or a logarithm is not asked of all letters alike."""

import pytest

from symtransformer import check
from symtransformer.checking.formula_domains import _conditions
from symtransformer.checking.formula_syntax import Call, Factors, Named, Number, Power, Terms, Total

a, b, i = Named("a"), Named("b"), ("i",)
ONE, TWO = Number("1"), Number("2")
SQUARE = Power(a, TWO)


def sum_of(*terms):
    return Terms(tuple(("+", term) for term in terms))


def over(below):
    return Factors((("", ONE), ("/", below)))


@pytest.mark.parametrize(
    ("part", "asked"),
    [
        (over(a), [("a", "≠")]), (over(TWO), []), (over(Named("d_k")), []), (over(Named("epsilon")), []), (over(Call("exp", (a,))), []),
        (over(Call("tanh", (a,))), [("tanh(a)", "≠")]), (over(SQUARE), [("a^2", "≠")]), (over(sum_of(SQUARE, ONE)), []), (over(sum_of(SQUARE, b)), [("a^2 + b", "≠")]),
        (over(Terms((("+", SQUARE), ("-", ONE)))), [("a^2 - 1", "≠")]), (over(sum_of(SQUARE, Power(b, TWO))), [("a^2 + b^2", "≠")]),
        (over(Total("j", "", None, Call("exp", (a,)))), []), (over(Total("j", "", None, a)), [("Σ_{j} a", "≠")]), (over(Call("sqrt", (SQUARE,))), []),
        (over(Call("sqrt", (b,))), [("sqrt(b)", "≠"), ("b", "≥")]), (over(Factors((("", Call("exp", (a,))), ("", TWO)))), []), (over(Factors((("", a), ("", TWO)))), [("(a) * 2", "≠")]),
        (Call("log", (a,)), [("a", ">")]), (Call("ln", (a,)), [("a", ">")]), (Call("log", (Call("softmax", (a,)),)), []), (Call("log", (SQUARE,)), [("a^2", ">")]),
        (Call("sqrt", (a,)), [("a", "≥")]), (Call("sqrt", (SQUARE,)), []), (Call("sqrt", (sum_of(SQUARE, Named("eps")),)), []), (Call("sqrt", (Call("var", (a,)),)), []),
        (Call("sqrt", (Call("mean", (SQUARE,)),)), []), (Call("sqrt", (Call("mean", (a,)),)), [("mean(a)", "≥")]), (Call("sqrt", (Total("j", "", None, SQUARE),)), []),
        (Call("sqrt", (Power(a, Number("3")),)), [("a^3", "≥")]), (Power(a, Terms((("-", ONE),))), [("a", "≠")]), (Power(Named("e"), Terms((("-", a),))), []),
        (Power(a, sum_of(ONE)), []), (sum_of(a, b), []),
    ],
)  # fmt: skip
def test_what_a_side_asks_of_its_letters(part, asked):
    assert [(" ".join(text.split()), sign) for text, sign in _conditions(part)] == asked


@pytest.mark.parametrize(
    ("formula", "told"),
    [
        (r"\frac{a^2}{a} = a", "for a ≠ 0."), (r"(\sqrt{a})^2 = a", "for a ≥ 0."), (r"e^{\log a} = a", "for a > 0."), (r"\frac{a}{b} \cdot b = a", "for b ≠ 0."),
        (r"\frac{x^2 - 1}{x - 1} = x + 1", "for x - 1 ≠ 0."), (r"\log(e^a) = a", None), (r"\frac{e^{2x}}{e^x} = e^x", None), (r"\frac{(x^2+1)^2}{x^2+1} = x^2 + 1", None),
        ("1/x = x^{-1}", None),
    ],
)  # fmt: skip
def test_what_one_side_alone_asks_is_told(formula, told):
    found = check(f"${formula}$", name="a.md").equations[-1]
    assert found.verdict == "proved"
    notes = [note.words.en for note in found.remarks if note.name == "domain"]
    assert [note.rpartition(": ")[2] for note in notes] == ([told] if told else [])


@pytest.mark.parametrize(
    ("lines", "english", "japanese"),
    [
        ("$A = [[1, 2], [3, 4]]$, $b = [1, 2, 3]$. $A b = [5]$", "A is 2 x 2, b is 1 x 3; 2 and 1 must be equal", "A は 2 × 2、b は 1 × 3 で、2 と 1 は等しくなければならない"),
        ("$A = [[1, 2], [3, 4]]$, $b = [1, 2, 3]$. $A + b = 3$", "b is 1 x 3; both must be equal", "同じ大きさでなければならない"),
        ("$A = [[1, 2, 3], [3, 4, 5]]$. $A^2 = 3$", "only a square matrix has powers", "A は 2 × 3：冪は正方行列にだけある"),
        ("$A = [[1, 2], [3]]$", "row 1 has 2 entries, and this one has 1", "1 行目の成分は 2 個、この行は 1 個である"),
        ("$A = [[1, 2], [3, 4]]$. $A_{3,1} = 3$", "index 3, 1 of a matrix of size 2 x 2", "2 × 2 の行列に番号 3, 1 の成分はない"),
        ("$x = [[1, 2]]$. $x x^T = [1, 2]$", "the value is 1 × 1, what is shown is 1 × 2", "1 × 1"),
    ],
)  # fmt: skip
def test_sizes_that_do_not_fit_are_told_in_both_languages(lines, english, japanese):
    found = check(lines, name="a.md").equations[-1]
    assert found.verdict == "shapes"
    assert english in found.words.en
    assert japanese in found.words.ja
