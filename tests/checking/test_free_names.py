"""Which letters of a formula are numbers, entries and tables: by what stands beside, below and above them."""

import pytest

from symtransformer.checking.free_doubts import check_brackets, check_differentials
from symtransformer.checking.free_names import (
    NotEntries,
    base_of,
    entries_in,
    entry_of,
    is_derivative,
    multiplied,
    no_numbers,
    numbers_by_use,
    plain_letters,
)
from symtransformer.reading.free_formulas import read_free


def entries(text, plain=""):
    return [(e.key, *e.indices) for e in entries_in(read_free(text), frozenset(plain))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x", [("x",)]),
        ("x_i", [("x", "i")]),
        ("x_{ij} y_j", [("x", "i", "j"), ("y", "j")]),
        ("x_{i,j}", [("x", "i", "j")]),
        ("x_{i'}", [("x", "i'")]),
        (r"\hat{x}_i", [("hat(x)", "i")]),
        ("x^{(1)}_m", [("x^(1)", "m")]),
        ("x_2", [("x_2",)]),  # a name
        ("d_k", [("d_k",)]),  # a size
        ("W_Q", [("W_Q",)]),
        ("x^2", [("x",)]),
        ("x^y", [("x",), ("y",)]),  # what stands in exponents
        ("x_{i+1}", [("x_+(i,1)",)]),
        (r"\sqrt{a} + \frac{b}{c}", [("a",), ("b",), ("c",)]),
        (r"f(x)_i", [("f",), ("x",)]),  # no index
        (r"\frac{\partial L}{\partial x}", [("L",), ("x",)]),
    ],
)
def test_letters_with_their_indices(text, expected):
    assert entries(text) == expected


def test_a_letter_that_stands_alone_elsewhere_counts_nothing():
    assert entries("x_m", "m") == [("x_m",)]
    assert entries("x_{mi}", "m") == [("x", "m", "i")]
    assert plain_letters(read_free(r"\cos(m\theta) x_i"), read_free("y^k")) == frozenset(["m", "theta", "x", "y", "k"])


def test_what_is_no_entry():
    assert [entry_of(read_free(text), frozenset()) for text in (r"\nabla", r"\infty", "x + y", "2")] == [None] * 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\frac{a}{b}", [("b", True)]),
        ("a / b", [("b", True)]),
        ("a / b c", [("b", True)]),
        ("a b", []),
        (r"\sqrt{a}", [("a", False)]),
        ("a^b", [("a", False), ("b", False)]),
        ("a^T", []),
        (r"a^\top", []),
        ("a^{(1)}", []),
        (r"\log a", [("a", False)]),
        (r"\log a + b", [("a", False)]),
        (r"\frac{\partial L}{\partial x}", []),
        (r"\sqrt{\frac{a}{b}}", [("a", False), ("b", False), ("b", True)]),
    ],
)
def test_what_can_only_be_a_number(text, expected):
    assert list(numbers_by_use(read_free(text), frozenset())) == expected


def test_derivatives_and_quotients():
    texts = (r"\frac{\partial L}{\partial x}", r"\frac{\partial}{\partial x}", r"\frac{L}{x}", r"\frac{x \partial}{x}")
    assert [is_derivative(read_free(text)) for text in texts] == [True, True, False, False]


def doubtful(text, used=None, lists=(), formulas=None):
    trees = {key: (read_free(tree), frozenset()) for key, tree in (formulas or {}).items()}
    return no_numbers(entries_in(read_free(text), frozenset()), used or {}, lists, trees)


def test_letters_that_may_be_more_than_numbers():
    assert doubtful("a x_i y_{ij} c^{(1)} \\mu") == {"a", "x"}
    assert doubtful("a b", {"a": False}) == {"b"}
    assert doubtful("A B", {"A": False, "B": True}) == {
        "A"
    }  # a capital may be a matrix unless something is divided by it
    assert doubtful("A", {"A": False}, ["A"]) == set()  # but not where it is the name of a list
    assert doubtful("A_i", {"A": False}) == set()
    assert doubtful("a", formulas={"a": "2"}) == set()
    assert doubtful("a", formulas={"a": "b"}) == {"a", "b"}
    assert doubtful("a", {"b": False}, formulas={"a": "b + 1"}) == set()
    assert doubtful("a", formulas={"a": "a"}) == set()  # it leads to itself and nothing else


def test_two_doubtful_letters_multiplied():
    def together(text, keys="ab"):
        return multiplied(read_free(text), frozenset(), keys)

    assert all(map(together, ("a b", r"\frac{a}{b}", "1 + (a b)", r"\sqrt{2 a a}", r"\frac{\partial L}{\partial a}")))
    assert not any(map(together, ("a + b", "a c", "2 a + b d", r"\frac{\partial a}{\partial c}")))


def test_the_letter_of_a_part():
    assert [base_of(read_free(text)) for text in (r"\hat{x}_i", "W_Q^T", "2")] == ["hat(x)", "W", ""]


def brackets(left, right, used=None):
    trees = {key: ((), read_free(tree), frozenset()) for key, tree in (used or {}).items()}
    try:
        check_brackets((read_free(left), read_free(right)), frozenset(), trees)
    except NotEntries:
        return "function"
    return "product"


def test_a_letter_before_brackets():
    assert brackets("y", "a(1 - a)") == "product"
    assert brackets("y", "a(1 - b)") == "function"  # nowhere does a stand alone
    assert brackets("y", "a[1 - a]") == "product"
    assert brackets("a", "a(1 - b)") == "product"
    assert brackets("a", "a(b)") == "function"  # an argument and no sum
    assert brackets("f", "f(1 - f)") == "function"  # a usual name of functions
    assert brackets("y", "a_i(1 - b)") == "product"
    assert brackets("y", "a(1 - b)", {"a": "2"}) == "product"
    assert brackets("y", "a + (1 - b)") == "product"
    assert brackets("y", "c", {"c": "a(1 - b)"}) == "function"


def differentials(left, right="1"):
    try:
        check_differentials((read_free(left), read_free(right)), {})
    except NotEntries:
        return True
    return False


def test_quotients_of_differentials():
    quotients = (r"\frac{dy}{dx}", r"\frac{\Delta y}{\Delta x}", "dy/dx", r"\frac{\delta y}{\delta x}")
    assert all(map(differentials, quotients))
    assert differentials("1", r"\frac{d}{dx}")
    assert not any(map(differentials, (r"\frac{dy}{x}", r"\frac{ay}{ax}", "d y")))
