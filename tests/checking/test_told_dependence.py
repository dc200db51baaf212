"""A function that depends on a letter in two ways: gradients by that letter alone are left open, and no others."""

from types import SimpleNamespace

import pytest

from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation
from symtransformer.checking.told_dependence import ToldDependence, gradients_in, letters_of_ways
from symtransformer.documents import read_document
from symtransformer.notation import Words

WAYS = "The loss L depends on y and also on x directly."
OF_X = "The loss L uses x directly too."
CHAIN = (r"\frac{\partial L}{\partial x}", r"2 x \frac{\partial L}{\partial y}")
TURNED = (r"\frac{\partial L}{\partial y}", r"\frac{\partial L}{\partial x} / (2 x)")


def heeded(told, sides, formulas=None, verdict=ACCEPTED[0], kind="formula", file="a.md"):
    words = ToldDependence()
    words.add(read_document(told.encode(), "a.md"))
    equation = Equation(file, 9, 1, "", kind, verdict, Words("So.", "だ。"))
    relation = SimpleNamespace(file=file, left=SimpleNamespace(text=sides[0]), right=SimpleNamespace(text=sides[1]))
    found = words.heeded(equation, relation, formulas or {})
    assert found is equation or (found.verdict, found.code) == ("undecidable", "own_function")
    return found is equation


@pytest.mark.parametrize("verdict", [*ACCEPTED, *ACCUSING])
def test_a_second_way_leaves_it_open(verdict):
    assert not heeded(WAYS, CHAIN, verdict=verdict)


@pytest.mark.parametrize(
    ("told", "sides", "formulas", "stays"),
    [
        (WAYS, CHAIN, {"L": "y + x"}, True),  # its formula has both ways
        (WAYS, CHAIN, {"L": "y^2"}, False),
        (WAYS, CHAIN, {"y": "x^2"}, False),
        ("So it is.", CHAIN, {}, True),
        ("The loss L depends on y and also on z directly.", CHAIN, {}, True),
        (WAYS, (CHAIN[0], "2 x"), {}, True),  # by no other letter
        (WAYS, (CHAIN[0], r"2 x \frac{\partial M}{\partial y}"), {}, True),  # of another function
        (WAYS, (CHAIN[0], "2 x dy"), {}, False),  # of which function is not told
        (WAYS, TURNED, {}, False),  # y may have a second way as well
        (OF_X, TURNED, {"y": "x^2"}, False),  # y is made of x
        (OF_X, TURNED, {"y": "z^2"}, True),
        (OF_X, TURNED, {}, True),
        (OF_X, CHAIN, {}, False),
        (WAYS, ("2 x + y", "y + 2 x"), {}, True),  # no gradient
    ],
)
def test_for_which_gradients_it_matters(told, sides, formulas, stays):
    assert heeded(told, sides, formulas) is stays


def test_other_files_numbers_and_definitions_stay():
    assert heeded(WAYS, CHAIN, file="b.md")
    assert heeded(WAYS, CHAIN, kind="number")
    assert heeded(WAYS, CHAIN, verdict="definition")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"\frac{\partial L}{\partial x}", [("L", "x")]),
        ("∂L/∂x + ∂M/∂y", [("L", "x"), ("M", "y")]),
        (r"\frac{dL}{dx}", [("L", "x")]),
        (r"\nabla_x L + dW", [("", "x"), ("", "W")]),
        ("∇_{θ} L", [("", "θ")]),
        ("d x", []),
        ("2 x", []),
        ("", []),
    ],
)
def test_gradients_of_a_text(text, found):
    assert gradients_in(text) == found


@pytest.mark.parametrize(
    ("sentence", "letters"),
    [
        (WAYS, {"L", "x", "y"}),
        ("The loss L depends on x only through y", set()),
        ("The loss L depends on x through y", set()),
        ("The loss is L(y, x)", {"x", "y"}),
        ("The loss is L(y)", set()),
        ("The loss L depends on x and y", {"L", "x", "y"}),  # three letters
        ("The loss L depends on y", set()),
        ("The sum is large, and x also", set()),
        ("x is also used below", set()),
        ("", set()),
    ],
)
def test_letters_that_go_into_a_function_twice(sentence, letters):
    assert letters_of_ways(sentence) == letters
