"""A chain as the engine goes through it: its first side, roundings, doubts, and two readings of one side."""

import pytest

from symtransformer.checking.engine_chain import Chain, open_equation
from symtransformer.checking.equations import Equation
from symtransformer.checking.faulty_line import FaultyLine
from symtransformer.checking.fitting_readings import with_fitting_readings
from symtransformer.checking.situation import Asked
from symtransformer.documents.placed import Placed
from symtransformer.documents.records import Relation
from symtransformer.notation import Words
from symtransformer.reading.problems import START, ReadingError
from symtransformer.reading.sides import Side
from symtransformer.symbols import Letter, Literal

SAID = Words("said", "言った")
ERROR = ReadingError("x", START, "no_value", "no value")
A, B, C = Side("a", 1), Side("b", 2), Side("c", 3)


def relation(left, sign, right):
    return Relation(Placed(left, ()), sign, Placed(right, ()), "a.md", 3, 5, 1, 0)


def chain_of(*sides, signs="=="):
    relations = [relation(*x) for x in zip("abc", signs, "bcd", strict=False)]
    return Chain(relations, "text", None, [*sides], Asked(relations[0], "text"))


@pytest.mark.parametrize(
    ("sides", "k", "first"),
    [((A, B, C), 0, A), ((A, B, C), 1, A), ((ERROR, B, C), 0, None), ((ERROR, B, C), 1, B), ((ERROR, ERROR, C), 1, None), ((ERROR, ERROR, C), 2, C)],
)  # fmt: skip
def test_the_first_side_that_can_be_read(sides, k, first):
    assert chain_of(*sides).first(k) is first


def test_what_stands_behind_a_rounding_sign():
    chain = chain_of(A, B, C, signs="≈=")
    assert [chain.is_rounded(side) for side in (A, B, C)] == [False, True, False]
    chain = chain_of(A, B, C, signs="=≈")
    assert [chain.is_rounded(side) for side in (A, B, C)] == [False, False, True]


@pytest.mark.parametrize(
    ("before", "verdict", "local", "is_open"),
    [
        ("undecidable", "right_if_rounded", "right", True), ("undecidable", "right", "wrong", True), ("undecidable", "right", "last_place", True), ("undecidable", "right", "right", False), ("undecidable", "right", None, False),
        ("undecidable", "wrong", "wrong", False), ("right", "right_if_rounded", "right", False), ("right", "right", "wrong", False), ("", "right", "wrong", False), ("wrong", "right_if_rounded", None, False),
    ],
)  # fmt: skip
def test_what_leans_on_something_open_is_open(before, verdict, local, is_open):
    chain = chain_of(A, B)
    chain.before = before
    equation = Equation("a.md", 1, 1, "a = b", "number", verdict, SAID, local)
    found = chain.with_doubt(equation)
    assert (found.verdict, found.code) == (("undecidable", "rounded_operands") if is_open else (verdict, ""))
    assert chain.before == verdict


def test_an_equation_of_which_nothing_is_known():
    found = open_equation(relation("a  +\n b", "≈", "3"))
    assert (found.text, found.kind, found.verdict, found.code) == ("a + b ≈ 3", "number", "undecidable", "no_value")
    assert (found.file, found.line, found.column) == ("a.md", 3, 5)


@pytest.mark.parametrize(
    ("line", "seen_from", "text"),
    [(FaultyLine(3, "a.md"), "a.md", "3"), (FaultyLine(3, "a.md"), "b.md", "a.md:3"), (FaultyLine(3, "a\n.md"), "a\n.md", "3"), (FaultyLine(3, "a\n.md"), "b.md", "a?.md:3")],
)  # fmt: skip
def test_a_faulty_line_names_its_file_elsewhere(line, seen_from, text):
    seen = line.seen_from(seen_from)
    assert str(seen) == text
    assert f"{seen}" == text
    assert f"{seen:>9}" == text.rjust(9)
    assert seen == 3
    assert text.rpartition(":")[0] in seen.note.words.en
    assert seen.note.words.ja.endswith(":3")


def test_of_two_readings_that_which_fits_the_other_sides():
    number, matrix, row = Side("5", 5), Side("M", Literal([[1, 2], [3, 4]])), Side("r", Literal([[1, 2]]))
    h, g = Letter("h", 1, 2), Letter("g", 1, 2)
    both = Side("h^T g", 1, other=Literal([[1, 2], [3, 4]]))
    other = Side("h^T g", Literal([[1, 2], [3, 4]]), other=7)
    assert h != g
    assert with_fitting_readings([both, matrix])[0].value == matrix.value
    assert with_fitting_readings([both, matrix])[0].other is None
    assert with_fitting_readings([both, number])[0] is both
    assert with_fitting_readings([both, row])[0] is both
    assert with_fitting_readings([both, ERROR, matrix])[0].value == matrix.value
    assert with_fitting_readings([both, ERROR]) == [both, ERROR]
    assert with_fitting_readings([other, number])[0].value == 7
    assert with_fitting_readings([other, matrix])[0] is other
    assert with_fitting_readings([both, both])[0] is both
