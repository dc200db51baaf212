"""Claims about a document's own formulas: which of them a gradient goes through, to which ends, and what else it may be about."""

import pytest
from test_formula_document import document_of

from symtransformer.checking.formula_claims import (
    ATTENTION,
    _numbers,
    _rows,
    _subjects,
    _where,
    has_indices,
    judge_claim,
    reached,
    variables,
)
from symtransformer.checking.formula_syntax import Delta, Named, Number, Total, names_in
from symtransformer.checking.formula_verdicts import OWN_FORMULAS
from symtransformer.reading import ReadingError

SCORES, WEIGHTS, VALUES, OTHER = ("S", "Q K^T"), ("A", "softmax(S)"), ("Z", "A V"), ("Y", "S W")
THREE = ["S = Q K^T", "A = softmax(S)", "Z = A V"]
TWO_ENDS = [*THREE, "Y = S W"]
WHOLE = [SCORES, WEIGHTS, VALUES]


@pytest.mark.parametrize(
    ("lines", "names", "others", "found"),
    [
        (THREE, "Q", "", [WHOLE]), (THREE, "S", "", [WHOLE]), (THREE, "Z", "", [WHOLE]), (THREE, "x", "", []), (THREE, "", "", []), (TWO_ENDS, "V", "", [WHOLE]), (TWO_ENDS, "Q", "", [[*WHOLE, OTHER, ("Joined", "Concat(Z, Y)")], [SCORES, OTHER], WHOLE]),
        (["O = softmax(Q K^T) V", "S = Q K^T"], "Q", "", [[SCORES, ("O", "softmax(Q K^T) V")]]), (["O = softmax(Q K^T) V", "S = Q K^T"], "S", "", [[SCORES, ("O", "softmax(Q K^T) V")]]), (["O = softmax(Q K^T) V", "S = Q R^T"], "S", "", [[("S", "Q R^T")]]),
        ([*THREE, "R = sin(t_i)"], "Q", "", [WHOLE]), (["S = Q K^T", "T = foo(S)", "Z = T V"], "Q", "", []), (["S = Q K^T", "A = §", "Z = A V"], "Q", "", [[SCORES]]), (["S = Q K^T", "A = §", "Z = S A"], "Q", "", []), (["S = Q K^T", "Z = dS Q"], "Q", "", [[SCORES]]),
        (["Y = X", "Z = Y W"], "X", "", [[("Z", "X W")]]), (["Y = X W", "H = Y", "Z = H V"], "X", "", [[("Y", "X W"), ("Z", "Y V")]]), ([r"s_{ij} = q_i \cdot k_j", "A = softmax(S)"], "q", "", [[SCORES, WEIGHTS]]), ([r"s_{ij} = q_i \cdot k_j", "A = softmax(S)"], "Q", "", [[SCORES, WEIGHTS]]),
        (["M = 2 B", *THREE], "Q", "M", [WHOLE]),
    ],
)  # fmt: skip
def test_the_formulas_that_a_letter_goes_into(lines, names, others, found):
    made = reached(document_of(*lines), {*names}, {*names, *others})
    assert [row for row in made if row[0][0] != "M"] == list(made) or others
    assert [[line for line in row if line[0] != "M"] for row in made] == found


@pytest.mark.parametrize(("count", "is_found"), [(40, True), (41, False)])
def test_not_through_too_many(count, is_found):
    lines = [f"A_{{{k + 1}}} = A_{{{k}}} B" for k in range(1, count + 1)]
    made = reached(document_of(*lines), {"A_1"}, {"A_1"})
    assert [len(row) for row in made] == ([count] if is_found else [])


@pytest.mark.parametrize(
    ("text", "found", "letters"),
    [
        ("q_i", Named("Q", ("i",)), {"q"}), ("dq_i", Named("dQ", ("i",)), {"q"}), ("Q", Named("Q"), {"Q"}), ("q_{ij}", Named("q", ("i", "j")), {"q"}), ("x_i", Named("x", ("i",)), {"x"}), ("q", Named("q"), {"q"}), ("Q_i", Named("Q", ("i",)), {"Q"}), ("dQ", Named("dQ"), {"Q"}),
        ("a_i", Named("A", ("i",)), {"a"}),
    ],
)  # fmt: skip
def test_rows_of_matrices_that_the_document_has(text, found, letters):
    document = document_of(*THREE)
    part = document.read(text)
    assert _rows(document, part) == found
    assert variables((part, Number("1"))) == letters


def test_rows_with_formulas_of_their_own():
    document = document_of(*THREE, "q = 2 b")
    assert _rows(document, Named("q", ("i",))) == Named("Q", ("i",))
    document = document_of(*THREE, "q_i = 2 b_i")
    assert _rows(document, Named("q", ("i",))) == Named("q", ("i",))
    inside = document_of(*THREE).read("q_i + 2 v_j")
    assert names_in(_rows(document_of(*THREE), inside)) == ("Q", "V")


@pytest.mark.parametrize(
    ("lines", "text", "numbers"),
    [
        ((), "t S", ("t",)), ((), "t S + alpha V", ("alpha", "t")), ((), "c + n", ("c",)), ((), "beta x", ("beta",)), (("t = 2 b",), "t S", ("b",)), (("Y = tau X",), "Y", ("tau",)), ((), "S", ()), (("Y = c X", "Z = Y a"), "Z + k", ("a", "c", "k")), ((), "dt S", ("t",)),
    ],
)  # fmt: skip
def test_letters_that_may_be_numbers(lines, text, numbers):
    document = document_of(*lines)
    assert _numbers(document, (document.read(text),)) == numbers


def test_names_that_stand_for_gradients():
    document = document_of("g_{ij} = dL S_{ij}", "h = dL", "S = Q K^T")
    assert _where(document, {"g", "h", "S"}) == "; g_{i,j} = dL S_{i,j}; h = dL"
    assert _where(document, {"h"}) == "; h = dL"
    assert _where(document, {"S", "x"}) == ""


@pytest.mark.parametrize(
    ("lines", "sides", "subjects"),
    [
        ((), ("S", "Q"), ["attention"]), ((), ("dS", "A"), ["attention"]), ((), ("S", "x"), []), ((), ("Q", "K"), []), ((), ("p", "z", "p - y"), [[("p", "softmax(z)")]]), ((), ("p", "z"), []), ((), ("P", "S", "x"), [[("P", "softmax(S)")]]), ((), ("P", "S"), [[("P", "softmax(S)")]]),
        ((), ("y", "x", "x"), [[("y", "softmax(x)")]]), ((), ("Y", "X", "W"), [[("Y", "X W")]]), ((), ("s", "z", "s"), ["attention", [("s", "softmax(z)")]]), (("p = 2 z",), ("p", "z", "p"), [[("p", "2 z")]]), (("B = 2 z",), ("p", "z", "p"), [[("B", "2 z")], [("p", "softmax(z)")]]),
        (THREE, ("S", "Q"), [WHOLE]), (THREE, ("Z", "V", "x"), [WHOLE]), (("Y = X V",), ("Y", "X", "W"), [[("Y", "X V")]]),
    ],
)  # fmt: skip
def test_what_a_claim_may_be_about(lines, sides, subjects):
    document = document_of(*lines)
    made = [*_subjects(document, tuple(map(document.read, sides)))]
    assert ["attention" if rows is ATTENTION else rows for rows, _, _ in made] == subjects
    own = {name for line in lines for name in line.split(" = ")[:1]}
    for rows, against, is_part in made:
        assert (against is OWN_FORMULAS) is bool(lines and rows[-1][0] in own)
        assert is_part is False


def test_one_end_of_two_is_a_part():
    document = document_of(*TWO_ENDS)
    made = [*_subjects(document, tuple(map(document.read, ("dQ", "dS K"))))]
    assert [part for _, _, part in made] == [False, True, True]


@pytest.mark.parametrize(
    ("lines", "sides", "kind", "is_usual", "is_partial"),
    [
        (THREE, ("dQ", "dS K"), "proved", False, False), (THREE, ("dQ", "dS^T K"), "shapes", False, False), (THREE, ("dQ", "-dS K"), "refuted", False, False), (THREE, ("dV", "A^T dZ"), "proved", False, False), (TWO_ENDS, ("dS", "dY W^T"), "proved", False, True),
        ((), ("p_i", "z_j", r"p_i (\delta_{ij} - p_j)"), "proved", True, False), ((), ("p_i", "z_j", r"p_i (\delta_{ij} + p_j)"), "refuted", True, False), (["Y = t X"], ("dX", "t dY"), "proved", False, False), (["Y = t X"], ("dX", "2 t dY"), "refuted", False, False),
        (THREE, ("dq_i", r"\sum_j ds_{ij} k_j"), "proved", False, False), (THREE, ("dq_i", r"\sum_j ds_{ji} k_j"), None, False, False),
    ],
)  # fmt: skip
def test_claims_are_judged(lines, sides, kind, is_usual, is_partial):
    document = document_of(*lines)
    found = judge_claim(document, *(document.read(side, "\\" in side) for side in sides))
    if kind is None:
        assert not found.claim.is_accepted
        return
    assert (found.claim.kind, found.is_usual, found.is_partial) == (kind, is_usual, is_partial)


def test_what_cannot_be_read_is_the_reason():
    document = document_of(*THREE)
    found = judge_claim(document, document.read("dQ"), document.read("dS foo"))
    assert found is None or isinstance(found, ReadingError) or not found.claim.is_accepted
    assert judge_claim(document_of(), document_of().read("u"), document_of().read("v")) is None


@pytest.mark.parametrize(
    ("part", "expected"),
    [(Named("q"), False), (Named("q", ("i",)), True), (Delta("i", "j"), True), (Total("i", "", None, Named("q")), True), (Number("2"), False)],
)  # fmt: skip
def test_whether_indices_stand_in_it(part, expected):
    assert has_indices(part) is expected
    assert has_indices(Number("1"), part) is expected
