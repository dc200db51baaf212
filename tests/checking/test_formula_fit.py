"""Whether an equation fits the sizes that words give its letters; each verdict follows from rows and columns, written beside it."""

import pytest
from test_formula_document import document_of

from symtransformer import check
from symtransformer.checking.formula_fit import unfit

TWO_BY_THREE = {"A": ("2", "3"), "B": ("2", "3")}
N_BY_M = {"A": ("n", "m"), "B": ("n", "m")}


def found(told, line, lines=(), known=None, numbers=()):
    document = document_of(*lines, known=known)
    document.told = told
    left, right = line.split(" = ")
    return unfit(document, document.left(left), document.read(right), set(numbers))


@pytest.mark.parametrize(
    ("told", "line", "kind", "sizes"),
    [
        (TWO_BY_THREE, "A B = C", "shapes", "3 2"), (TWO_BY_THREE, "C = A B", "shapes", "3 2"), (TWO_BY_THREE, "A B^T = C", None, ""), (TWO_BY_THREE, "A + B = B + A", None, ""), (TWO_BY_THREE, "(A B)^T = B^T A^T", "shapes", "3 2"),
        (N_BY_M, "(A B)^T = B^T A^T", "shapes", "m n"), (N_BY_M, "C = A B", None, ""),  # a new name: m may be n
        ({"A": ("2", "3"), "x": ("3",)}, "y = A x", None, ""), ({"A": ("2", "3"), "x": ("2",)}, "y = x A", None, ""), ({"A": ("2", "3"), "x": ("2",)}, "y = A x", "shapes", "3 1"), ({"A": ("2", "3"), "x": ("4",)}, "y = A x", "shapes", "3 1"),
        ({"y": ("2",), "A": ("2", "4"), "x": ("4",)}, "y = A x", None, ""), ({"y": ("3",), "A": ("2", "4"), "x": ("4",)}, "y = A x", "shapes", "2 3"), ({"y": ("3",), "A": ("4", "2"), "x": ("4",)}, "y = x A", "shapes", "2 3"),
        ({"C": ("2", "3"), "A": ("2", "4"), "B": ("4", "3")}, "C = A B", None, ""), ({"C": ("2", "5"), "A": ("2", "4"), "B": ("4", "3")}, "C = A B", "shapes", "3 5"), ({"C": ("5", "3"), "A": ("2", "4"), "B": ("4", "3")}, "C = A B", "shapes", "2 5"),
        ({"C": ("2", "3"), "A": ("2", "4")}, "C = A", "shapes", "4 3"), ({"C": ("2", "4"), "A": ("2", "4")}, "C = A", None, ""), ({"C": ("n", "3"), "A": ("2", "4")}, "C = A", "shapes", "4 3"), ({"C": ("n", "4"), "A": ("2", "4")}, "C = A", None, ""),
        ({"C": ("2", "3")}, "C = D E", None, ""), ({}, "A B = C", None, ""), ({"c": ("2",), "A": ("2", "3")}, "c = A", None, ""), ({"c": ("3",), "A": ("1", "3")}, "c = A", None, ""), ({"c": ("3",), "A": ("3", "1")}, "c = A", None, ""),
        ({"c": ("2",), "A": ("1", "3")}, "c = A", "shapes", "3 2"), ({"c": ("2",), "A": ("3", "1")}, "c = A", "shapes", "3 2"), ({"c": ("1",), "A": ("1", "1")}, "c = A", None, ""), ({"c": ("3", "1"), "A": ("1", "3")}, "c = A", "shapes", "1 3"),
        ({"a": ("2",), "b": ("3",)}, "a + b = b + a", "shapes", "2 3"), ({"a": ("2",), "b": ("3",)}, "c = a + b", "shapes", "2 3"), ({"a": ("2",), "b": ("3",), "c": ("2",), "e": ("2",)}, "a + b + c + e = b", None, ""),  # four vectors are too many
        ({"a": ("2",), "b": ("3",), "c": ("2",)}, "a + b + c = b + a", "shapes", "2 3"), ({"A": ("2", "3"), "B": ("3", "2")}, "C = A B + B A", "shapes", "2 3"), ({"A": ("n", "d")}, "A A = B", "shapes", "d n"),
        (TWO_BY_THREE, "dA = B A", None, ""), (TWO_BY_THREE, "B A = dA", None, ""), (TWO_BY_THREE, "a_{ij} = b_{ij}", None, ""), ({"A": ("2", "3"), "D": ("2", "3")}, "B = C", None, ""),
    ],
)  # fmt: skip
def test_what_fits_in_no_way(told, line, kind, sizes):
    decision = found(told, line)
    assert (decision and (decision.kind, " ".join(map(str, decision.sizes)))) == (kind and (kind, sizes))


@pytest.mark.parametrize(
    ("told", "line", "lines", "known", "kind"),
    [
        ({"B": ("2", "3")}, "A B = C", (), {"A": (2, 2)}, None), ({"B": ("2", "3")}, "A B = C", (), {"A": (2, 3)}, "shapes"), ({"B": ("2", "3")}, "t B = C", (), {"t": 5}, None), ({"B": ("2", "3")}, "S B = B", ["S = B B"], None, "shapes"),
        ({"B": ("2", "3")}, "S B = B", ["S = B B^T"], None, None), ({"B": ("2", "3")}, "S + B = B", ["S = B B^T"], None, "shapes"), ({"B": ("2", "3")}, "T = 2 S", ["S = B C"], None, None), ({"n": ("2", "3"), "B": ("n", "d")}, "B B = C", ["d = n + 1"], None, "undecidable"),
        ({"B": ("n", "d")}, "B B = C", (), {"n": 3}, "undecidable"), ({"B": ("n", "d")}, "B B = C", (), {"m": 3}, "shapes"), ({"B": ("n", "3")}, "B B = C", (), None, "undecidable"), ({"B": ("2", "3")}, "B B = C", (), {"B": (3, 3)}, None),
    ],
)  # fmt: skip
def test_sizes_of_what_has_values_or_formulas(told, line, lines, known, kind):
    decision = found(told, line, lines, known)
    assert (decision and decision.kind) == kind


@pytest.mark.parametrize(("numbers", "kind"), [((), "shapes"), (("c",), None), (("x",), "shapes"), (("A",), "shapes")])
def test_letters_that_may_be_numbers(numbers, kind):
    decision = found({"A": ("2", "3")}, "c A = A c", numbers=numbers)
    assert (decision and decision.kind) == kind
    assert found({"A": ("2", "2"), "t": ("3",)}, "A t = t A", numbers=("t",)).kind == "shapes"  # a vector is none


def test_the_reason_is_told_of_the_sides_where_each_has_a_size():
    decision = found({"y": ("3",), "A": ("2", "4"), "x": ("4",)}, "y = A x")
    assert "the right side is 2 x 1, and it is told to be 3" in decision.reason
    decision = found({"A": ("2", "4"), "B": ("3", "4"), "x": ("4",)}, "A x = B x")
    assert "the left side is 2 x 1 and the right side 3 x 1" in decision.reason
    assert "m = n" in found(N_BY_M, "A B = B A").reason


@pytest.mark.parametrize(("size", "verdict"), [(r"2 \times 3", "shapes"), (r"2 \times 4", "definition")])
def test_a_second_name_has_the_size_of_the_first(size, verdict):
    told = rf"$C \in \mathbb{{R}}^{{{size}}}$, $A \in \mathbb{{R}}^{{2 \times 4}}$."
    assert check(f"{told} $C = A$.", name="a.md").equations[-1].verdict == verdict
