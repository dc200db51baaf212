"""What a sentence, or a program, tells of letters, and where: asked of the text alone."""

import pytest

from symtransformer.checking.checks import check
from symtransformer.checking.told_bases import base_told
from symtransformer.checking.told_cases import cases_in
from symtransformer.checking.told_changes import Changed, changes_told
from symtransformer.checking.told_in_code import InCode, assigned_in_code
from symtransformer.checking.told_letters import letters_in, letters_told
from symtransformer.checking.told_premises import letters_of_premise
from symtransformer.checking.told_values import number_told, values_told
from symtransformer.checking.told_vectors import has_product
from symtransformer.documents import read_document


def document(text, name="a.md"):
    return read_document(text.encode(), name)


# -- values -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "told"),
    [  # name, digits, the characters before the name, line, whether it may hold for its sentence only
        ("Let x be 4.", [("x", "4", 4, 1, False)]),
        ("Let $x$ be $4$.", [("x", "4", 5, 1, False)]),
        (r"Let \(x\) be \(-2.5\).", [("x", "-2.5", 6, 1, False)]),
        ("Let x be −2.5%.", [("x", "-2.5%", 4, 1, False)]),
        ("So.\n\nNow set d_k to be 64, and so on.", [("d_k", "64", 13, 3, False)]),
        ("Let x be 4 and y be 5, z = 6.", [("x", "4", 4, 1, False), ("y", "5", 15, 1, False)]),
        ("Let x be four.", [("x", "4", 4, 1, False)]),
        ("Let x be twelve.", [("x", "12", 4, 1, False)]),
        ("Let x be zero.", [("x", "0", 4, 1, False)]),
        ("Let v be [1, 2].", [("v", "[1, 2]", 4, 1, False)]),
        ("x は 4 とする。", [("x", "4", 0, 1, False)]),
        ("x をゼロとする。", [("x", "0", 0, 1, False)]),
        ("If x is 4, then so.", [("x", "4", 3, 1, True)]),
        ("When x is 4 we stop.", []),
        ("When x is 4, we stop.", [("x", "4", 5, 1, True)]),
        ("x が 4 のとき、", [("x", "4", 0, 1, True)]),
        ("If we let x be 4, so.", [("x", "4", 10, 1, True)]),
        ("In an earlier version let x be 4.", [("x", "4", 30 - 4, 1, True)]),
        ("> Let x be 4.", [("x", "4", 6, 1, True)]),  # somebody else says it
        ("We do not let x be 4.", []),
        ("Let x be 4-dimensional.", []),
        ("Let x be 4 times z.", []),
        ("x is 4.", []),
        ("", []),
        ("Then y is now 3. From here on, x equals 7.", [("y", "3", 5, 1, False), ("x", "7", 31, 1, False)]),
    ],
)
def test_values_and_where_they_are_told(text, told):
    found = [(t.name, t.value, t.origin, t.line, t.is_supposed) for t in values_told(document(text))]
    for name, value, at, line, is_open in told:
        assert text[at:].startswith(name), (at, text[at:])
        assert (name, value, at, line, is_open) in found
    assert len(found) == len(told)


@pytest.mark.parametrize(
    ("word", "digits"), [("Four", "4"), ("ONE", "1"), ("ゼロ", "0"), ("−2.5", "-2.5"), ("17%", "17%"), ("ten", "10")]
)
def test_the_digits_of_a_word(word, digits):
    assert number_told(word) == digits


# -- bases of logarithms ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("We take log to base 2", ("2", False)),
        ("All logarithms are to base 10.", ("10", False)),
        ("log x = log_2 x", ("2", False)),
        ("log(x) := log_10(x)", ("10", False)),
        ("log x = log_2 y", None),
        ("底は二とする", ("2", False)),
        ("底は e とする", ("e", False)),
        ("底は 10 とし", ("10", False)),
        ("log は常用対数とする", ("10", False)),
        ("The entropy is given in bits", ("2", False)),
        ("情報量はビットで測る", ("2", False)),
        ("the base-2 log of 8 is 3", ("2", True)),
        ("the log of 8 to base 2", ("2", True)),
        ("log is the natural logarithm", ("e", False)),
        ("a natural log appears", None),  # nothing is said of log
        ("We use base 2", None),  # of no logarithm
        ("log to base 2, and log to base 10", None),
        ("the log is large", None),
        ("", None),
    ],
)
def test_the_base_that_a_sentence_tells(sentence, told):
    assert base_told(sentence) == told


# -- letters ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Let c and d be vectors", {"c", "d"}),
        ("Let c, d, and h be the matrices", {"c", "d", "h"}),
        ("c is a vector", {"c"}),
        ("c_1 denotes the vector of inputs", {"c"}),
        ("n is the number of rows", set()),
        ("n is the length of the vector", set()),
        ("d は行列とする", {"d"}),
        ("行列 d を用いる", {"d"}),
        ("ベクトル c と d", {"c", "d"}),
        ("the vector c", {"c"}),
        ("the vector c = [1, 2]", set()),
        ("x is a vector", set()),  # usually one
        ("I is the identity matrix", set()),
        ("I is the input of the layer", {"I"}),
        ("the identity matrix I", set()),
        ("δ is an error", {"delta"}),
        ("δ_ij is the Kronecker delta", set()),
        ("the error δ", {"delta"}),
        ("誤差 δ を求める", {"delta"}),
        ("δ is not the Kronecker delta", {"delta"}),
        ("γ is a vector", {"gamma"}),
        ("so be it", set()),
        ("", set()),
    ],
)
def test_letters_that_are_something_else(sentence, names):
    assert set(letters_in(sentence)) == names


def test_letters_of_a_document():
    assert letters_told(
        document("Let c be a vector. δ is not the Kronecker delta.\n\nHere d is the number of rows.")
    ) == {"c", "delta"}
    assert letters_told(document("")) == set()


@pytest.mark.parametrize(
    ("sentence", "letters"),
    [
        ("A is symmetric", {"A"}),
        ("Let A and B be diagonal matrices", {"A", "B"}),
        ("A is not symmetric", set()),
        ("A は対称である", {"A"}),
        ("A は対称でない", set()),
        ("W_Q and W_K are the same matrix", {"W", "Q", "K"}),
        ("a matrix A is orthogonal", {"A"}),
        ("queries and keys are equal", {"Q", "K"}),
        ("A is large", set()),
        ("", set()),
    ],
)
def test_letters_with_a_property(sentence, letters):
    assert letters_of_premise(sentence) == letters


@pytest.mark.parametrize(
    ("text", "is_latex", "has"),
    [
        ("x y", True, True), ("xy", True, True), ("xy", False, False), ("x * y", False, True), (r"x \cdot y", True, True), ("x^2", True, True),
        ("x²", True, True), ("x^{2}", True, True), ("x^-1", True, True), ("x^T y", True, False), ("x y^T", True, False), ("x_1 y", True, False),
        ("x + y", True, False), ("2 x", True, False), ("x a", True, False), (r"\exp x", True, False), ("x' y", True, False), (r"\mathbf{x} y", True, True),
        ("", True, False),
    ],
)  # fmt: skip
def test_products_and_powers_of_vectors(text, is_latex, has):
    assert has_product(text, {"x", "y"}, is_latex) is has
    assert has_product(text, {"u"}, is_latex) is False
    assert has_product(text, {"x", "y"}) is has or not is_latex


# -- cases ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("sentence", "keys"),
    [
        ("For the small model n = 2", {"small"}),
        ("In case 1, x = 2", {"case1"}),
        ("In Case (2), x = 2", {"case2"}),
        ("In layer A and in layer B", {"layera", "layerb"}),
        ("The large model has n = 3", {"large"}),
        ("Alice sets x = 2", {"alice"}),
        ("問 2 では", {"問2"}),
        ("第 2 章では", {"第2章"}),
        ("In both cases x = 2", set()),
        ("In this case x = 2", set()),
        ("Then x = 3", set()),
        ("", set()),
    ],
)
def test_the_cases_of_a_sentence(sentence, keys):
    assert cases_in(sentence) == keys


# -- programs and changes ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "name", "found"),
    [  # letter, line and column, and what is assigned
        ("a\n```\nu = 5\n```\n", "a.md", [("u", (3, 1), "5")]),
        ("a\n```\n  u = v + 1\n```\n", "a.md", [("u", (3, 3), "v + 1")]),
        ("a\n```\nu = u + 1\n```\n", "a.md", [("u", (3, 1), "")]),
        ("a\n```\nu = uv + 1\n```\n", "a.md", [("u", (3, 1), "uv + 1")]),
        ("a\n```\nu == 5\n```\n", "a.md", []),
        ("a\n```\nu[0] = 5\n```\n", "a.md", [("u", (3, 1), "")]),
        ("so `u += x` then", "a.md", [("u", (1, 5), "")]),
        ("so u -= 1; v++", "a.txt", [("u", (1, 4), ""), ("v", (1, 12), "")]),
        ("so v++;", "a.txt", [("v", (1, 4), "")]),
        ("u = 5", "a.txt", []),
        ("<p>a</p>\n<pre>u = 5\nv += 1</pre>", "a.html", [("u", (2, 6), "5"), ("v", (3, 1), "")]),
        ("a\n\\begin{verbatim}\nu = 5\n\\end{verbatim}\n", "a.tex", [("u", (3, 1), "5")]),
        ("a\n```\nu = 5\n```\n", "a.tex", []),
    ],
)
def test_what_programs_assign_and_where(text, name, found):
    assert {(c.name, c.at, c.value) for c in assigned_in_code(document(text, name))} == set(found)


@pytest.mark.parametrize(
    ("value", "text", "is_other"),
    [
        ("", "x^2", True), ("5", "5", False), ("5", "6", True), ("5.0", "5", False), ("x**2", "x^2", False), ("x**2", "x^3", True),
        ("x*2", "2x", False), ("x + y", "y + x", False), ("x + y", "x", True), ("W_Q", "W_{Q}", False), ("f(x)", "g(x)", False),
        ("a.b", "c", False),
    ],
)  # fmt: skip
def test_what_a_program_assigns_is_another_value(value, text, is_other):
    assert InCode("", "u", (1, 1), value).is_other_than(text) is is_other


@pytest.mark.parametrize(
    ("value", "text", "is_other"),
    [("", "3", True), ("4", "3", True), ("3.0", "3", False), ("3", " 3 ", False), ("-3", "−3", False), ("3", "x + 1", False)],
)  # fmt: skip
def test_what_words_say_is_another_value(value, text, is_other):
    assert Changed("", "x", (1, 1), value).is_other_than(text) is is_other


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x is 4.", [("x", (1, 1), "4")]),
        ("So.\n\nThen x is four.", [("x", (3, 1), "4")]),
        ("x has become −4.", [("x", (1, 1), "-4")]),
        ("x should be 4.", [("x", (1, 1), ""), ("x", (1, 1), "4")]),
        ("Then x is 4.", [("x", (1, 1), "4")]),
        ("so x is 4.", [("x", (1, 1), "4")]),
        ("Because x is 4.", []),
        ("x は 4 です。", [("x", (1, 1), "4")]),
        ("If so, x is 4.", []),
        ("We get that x is 4.", []),
        ("x is large.", []),
        ("x = 4.", []),
    ],
)
def test_changes_in_words_and_where(text, found):
    assert [(c.name, c.at, c.value) for c in changes_told(document(text))] == found


@pytest.mark.parametrize("word", ["Then", "Now", "So", "Here", "and"])
def test_nobody_is_accused_by_a_value_that_words_change(word):
    def last(value, claim):
        return check(f"$x = 3$. {word} x is {value}. ${claim}$.", name="a.md").equations[-1].verdict

    assert last(4, "2x = 8") != "wrong"
    assert last("large", "2x = 8") == last(3, "2x = 8") == "wrong"
    assert last(3, "2x = 6") == "right"
