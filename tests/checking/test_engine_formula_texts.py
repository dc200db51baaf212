"""Formulas as records and the texts that the readers take of them: signs, brackets, indices, names."""

import pytest

from symtransformer.checking.formula_names import Names, indices_of, is_index
from symtransformer.checking.formula_syntax import (
    Call,
    Delta,
    Derivative,
    Factors,
    Indexed,
    Named,
    Number,
    Power,
    Terms,
    Total,
    Transposed,
    every_part,
    free_indices,
    names_in,
    put_in,
    renamed,
)
from symtransformer.checking.formula_writing import is_number, with_stars_entrywise, without_scale, written
from symtransformer.checking.formulas import judge_formula

A, B, C, x = (Named(name) for name in "ABCx")
TWO = Number("2")


def product(*parts):
    """A, "*", B: each sign before its factor."""
    signs = ["", *(p for p in parts if isinstance(p, str))]
    return Factors(tuple(zip(signs, (p for p in parts if not isinstance(p, str)), strict=True)))


def total(*parts):
    return Terms(tuple(zip(parts[::2], parts[1::2], strict=True)))


A_PLUS_B = total("+", A, "+", B)


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (Named("s", ("i", "j")), "s_{i,j}"),
        (Named("q", ("3",)), "q_{3}"),
        (Derivative(Named("a", ("i",)), Named("z", ("j",))), "∂a_{i}/∂z_{j}"),
        (Delta("i", "j"), "δ_{i,j}"),
        (Indexed(product(A, "", B), ("i",)), "(A B)_{i}"),
        (Total("i", "", None, Named("x", ("i",))), "Σ_{i} x_{i}"),
        (Total("i", "n", None, Named("x", ("i",))), "Σ_{i=1}^{n} x_{i}"),
        (Total("j", "", ("!=", "i"), A_PLUS_B), "Σ_{j≠i} (A + B)"),
        (Total("j", "", ("<=", "i"), A), "Σ_{j≤i} A"),
        (Total("j", "", ("<", "i"), A), "Σ_{j<i} A"),
        (A_PLUS_B, "A + B"),
        (total("+", A, "-", B), "A - B"),
        (total("-", A, "+", B), "-A + B"),
        (total("-", A, "-", B), "-A - B"),
        (total("+", A), "A"),
        (total("-", A), "-A"),
        (total("+", A, "-", A_PLUS_B), "A - (A + B)"),
        (total("+", A, "-", Total("i", "", None, x)), "A - (Σ_{i} x)"),
        (product(A, "", B), "A B"),
        (product(A, "@", B), "A B"),
        (product(A, ".", B), "A · B"),
        (product(A, "*", B), "A * B"),
        (product(A, "", TWO), "(A) * 2"),
        (product(A, "/", B, "", C), "(A / B) C"),
        (product(A, "/", B, "*", C), "(A / B) * C"),
        (product(A, "/", B, "/", C), "(A / B) / C"),
        (product(A, "⊙", A_PLUS_B), "A ⊙ (A + B)"),
        (product(A, "/", B), "A / B"),
        (product(A, "", B, "/", C), "(A B) / C"),
        (product(Number("1"), "/", B), "1 / B"),
        (product(Number("1"), "", B), "1.0 B"),
        (Power(A, TWO), "A^2"),
        (Power(A_PLUS_B, x), "(A + B)^(x)"),
        (Power(A, product(Number("1"), "/", TWO)), "A^(1 / 2)"),
        (Transposed(A), "A^T"),
        (Transposed(product(A, "", B)), "(A B)^T"),
        (product(Transposed(A), "", B), "A^T B"),
        (product(Transposed(product(A, "", B)), "", C), "((A B)^T) C"),
        (Call("max", (Number("0"), x)), "ReLU(x)"),
        (Call("max", (x, Number("0"))), "ReLU(x)"),
        (Call("max", (x, Number("1"))), "max(x, 1)"),
        (Call("max", (x,)), "max(x)"),
        (Call("Softmax", (x,)), "softmax(x)"),
        (Call("Softmax", (A_PLUS_B,), (("mask", B),)), "softmax(A + B, mask=B)"),
    ],
)
def test_a_formula_is_written_with_its_signs_and_brackets(part, text):
    assert " ".join(written(part).split()) == text


@pytest.mark.parametrize(
    ("part", "is_one"),
    [
        (TWO, True),
        (Named("pi"), True),
        (Named("d_k"), True),
        (A, False),
        (Call("sqrt", (Named("d_k"),)), True),
        (Call("sqrt", (A,)), False),
        (product(Number("1"), "/", TWO), True),
        (product(TWO, "", A), False),
        (Total("i", "", None, TWO), False),
        (Delta("i", "j"), False),
    ],
)
def test_what_is_certainly_a_number(part, is_one):
    assert is_number(part) == is_one


ROOT = Call("sqrt", (Named("d_k"),))


@pytest.mark.parametrize(
    ("part", "bare"),
    [
        (product(A, "", Transposed(B), "/", ROOT), product(A, "", Transposed(B))),
        (total("+", product(A, "", B, "/", ROOT)), product(A, "", B)),
        (product(TWO, "", A), A),
        (product(TWO, "*", A, "", B), product(A, "", B)),
        (product(A, "", B), None),
        (product(TWO, "/", A), None),
        (product(TWO, "", TWO), None),
        (total("-", product(A, "/", TWO)), None),
        (A, None),
    ],
)
def test_a_product_without_its_scale(part, bare):
    assert without_scale(part) == bare


@pytest.mark.parametrize(
    ("part", "meant"),
    [
        (product(A, "*", B), product(A, "⊙", B)),
        (product(A, "@", B), product(A, "", B)),
        (product(TWO, "*", A), product(TWO, "*", A)),
        (product(A, "*", TWO), product(A, "*", TWO)),
        (product(A, "@", B, "*", C), product(product(A, "", B), "⊙", C)),
        (product(A, "*", B, "/", TWO), product(product(A, "⊙", B), "/", TWO)),
        (Call("f", (product(A, "*", B),)), Call("f", (product(A, "⊙", B),))),
    ],
)
def test_a_star_of_numpy_goes_entry_by_entry(part, meant):
    assert with_stars_entrywise(part) == meant


# -- names --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("base", "low", "is_one"),
    [
        ("q", "i", True), ("s", "ij", True), ("s", "i,j", True), ("s", "ijk", True), ("s", "ijkl", False), ("a", "2,1", True),
        ("a", "i,j,k", True), ("a", "1,2,3,4", False), ("a", ",", False), ("a", "i,", False), ("a", "i,model", False), ("W", "q", False), ("W", "i", True),
        ("q", "o", False), ("b", "k", False), ("x", "k", True), ("W", "Q", False), ("d", "k", False), ("n", "i", False), ("V", "1", False),
        ("x", "model", False), ("x", "d", False), ("x", "", False),
    ],
)  # fmt: skip
def test_what_stands_below_is_an_index_or_a_name(base, low, is_one):
    assert is_index(base, low) == is_one


def test_indices_are_letters_and_whole_numbers():
    assert (indices_of("ij"), indices_of("i,j"), indices_of("21"), indices_of("i,21")) == (
        ("i", "j"),
        ("i", "j"),
        ("21",),
        ("i", "21"),
    )


def test_what_is_told_uses_the_names_that_the_document_has():
    names = Names()
    first, second = names.safe("注意", "", "注意"), names.safe("出力", "1", "出力_{1}")
    assert (first, second) == ("Word1", "Word2_1")
    assert names.safe("注意", "", "注意") == "Word1"
    names.keep_former("Aold1", "A", 1)
    names.inner["fof"] = "f"
    assert names.back("Word1 Word2_1 Word11 dWord1 ddWord1 dddWord1") == "注意 出力₁ Word11 d注意 dd注意 dddWord1"
    assert names.back("Aold1 + Aold12 - dAold1, fof_1") == "A⁽¹⁾ + Aold12 - dA⁽¹⁾, fof_1"
    assert names.copy().safe("重み", "", "重み") == "Word3"
    assert names.safe("値", "", "値") == "Word3"  # the copy has names of its own


# -- what a formula holds -------------------------------------------------------------------------------------------
def test_names_and_free_letters():
    row = Named("x", ("i", "2"))
    body = product(row, "", Delta("i", "k"))
    assert names_in(product(A, "", Call("f", (B, A)), "", row)) == ("A", "B", "x")
    assert free_indices(body) == {"i", "k"}
    assert free_indices(Total("i", "n", None, body)) == {"k"}
    assert free_indices(Total("i", "", ("!=", "j"), row)) == {"j"}
    assert free_indices(Indexed(A, ("i", "1"))) == {"i"}
    assert [p for p in every_part(total("+", A, "-", product(B, "", C))) if isinstance(p, Named)] == [A, B, C]


def test_formulas_are_put_in_for_names():
    rule = {"A": A_PLUS_B, "B": C}
    assert put_in(product(A, "", B), rule) == product(A_PLUS_B, "", C)
    assert put_in(Named("A", ("i",)), rule) == Indexed(A_PLUS_B, ("i",))
    assert put_in(Named("B", ("i",)), rule) == Named("C", ("i",))
    assert put_in(Named("B", ("i",)), {"B": Named("C", ("j",))}) == Indexed(Named("C", ("j",)), ("i",))
    assert renamed(Call("f", (Call("f", (A,)), Call("g", (A,)))), "f", "h") == Call(
        "h", (Call("h", (A,)), Call("g", (A,)))
    )


# -- what is read -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("(" * 41 + "B" + ")" * 41, "too_deep", "more than 40 brackets"), ("B " * 1001, "too_long", "more than 1000 signs"), ("1" * 41 + " B", "number", "more than 40 digits"),
        ("1.2.3 B", "number", "one decimal point"), (r"\frac{}{B}", "syntax", "'}' cannot stand here"), ("B \\", "command", "the command"),
        (r"\unknown B", "command", "unknown"), (r"\mathbf{1} B", "ones", "a column of ones with its size"), ("1 1^T", "number_after", "a number after something"),
        (r"\frac{\partial A B}{\partial C}", "command", "one name by one name"), (r"\frac{\partial A}{\partial (B + C)}", "command", "one name by one name"),
        ("O(n^2)", "big_o", "how something grows"), (r"\sum B", "sum", "over which letter"), (r"\sum_{j<3>k} B", "sum", "a range of a sum"), (r"\sum_{j=0}^{n} b_j", "sum", "a range of a sum"),
        ("B^T^T", "two_superscripts", "use brackets"), ("B^{T}^{T}", "two_superscripts", "use brackets"), ("softmax(B", "incomplete", "')' is missing"), ("B)", "syntax", "')' cannot"),
        ("B + ", "incomplete", "not complete"), ("* B", "syntax", "'*' cannot"), ("1,2 B", "syntax", "',' cannot"), ("--B", "syntax", "'-' cannot"), ("B / / C", "syntax", "'/' cannot"),
        ("B / C D", "after_slash", "what stands below the / is not clear"), ("f(B; C)", "character", "';' has no meaning"), ("B | C", "incomplete", "'|' is missing"),
        ("B ≠ C", "character", "'≠' has no meaning"), ("", "incomplete", "not complete"),
    ],
)  # fmt: skip
def test_what_is_no_formula_is_told_with_its_reason(text, code, message):
    found = judge_formula("A", text, [])
    assert (found.kind, found.code) == ("unparsed", code)
    assert message in found.words.en


@pytest.mark.parametrize(
    "text",
    [
        "(" * 30 + "B" + ")" * 30, "B " * 1000, "1" * 40 + " B", r"\ B", r"\mathbb{1}^T B", "Σ_j^n b_j", "B'^T", "B ** C", "-(-B)", "+B", "{B}_{i}", r"\left(B\right)_{ij}",
        r"B_{ij}^T", "B_{i,j,k}", r"\delta_{ij} B", r"\hat{B} C", r"\bar{x}", r"\text{Attention Weight} V", "softmax(B, axis=1)", "‖B‖", "|B|", "B / C * D",
    ],
)  # fmt: skip
def test_what_is_a_formula_of_a_new_name_defines_it(text):
    assert judge_formula("A", text, []).kind == "definition"


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [  # each reading shows in what is equal to what
        ("-(-B)", "B", "proved"), ("3 B ** 2", "3 B^2", "proved"), ("(B)", "B", "proved"), ("B · 2", "2 B", "proved"),
        ("2^3 B", "8 B", "proved"), ("2^3 B", "6 B", "refuted"), ("(B C)^T", "C^T B^T", "proved"),
        (r"\frac{1}{2} B", "0.5 B", "proved"), (r"\frac{1}{2} B", "2 B", "refuted"), ("√4 B", "2 B", "proved"), (r"\sqrt{9} B", "3 B", "proved"), (r"\sqrt{9} B", "9 B", "refuted"),
        ("B (C + D)", "B C + B D", "proved"), ("B (C + D)", "B C + D", "refuted"), ("(B + C) D", "B D + C D", "proved"), ("B - (C - D)", "B - C + D", "proved"),
        ("B - (C - D)", "B - C - D", "refuted"),
    ],
)  # fmt: skip
def test_signs_and_brackets_mean_what_they_say(left, right, kind):
    assert judge_formula(left, right, []).kind == kind
