"""Names as documents write them and as the program does: one safe spelling each, and back to what was written."""

import pytest

from symtransformer.checking.formula_names import Names, indices_of, is_index
from symtransformer.checking.formula_verdicts import (
    FORMULA_KINDS,
    FormulaVerdict,
    by_library,
    entry_or_name,
    former,
    given,
    in_names,
    new_names,
    not_compared,
    not_used,
    other_uses,
    redefined,
    square_given,
    undecidable,
    unparsed,
    unread_before,
    values_unused,
)
from symtransformer.checking.number_words import Note
from symtransformer.notation import Words

SAFE = [
    (("x", "", "x"), "x", ""), (("W", "Q", "W_Q"), "W_Q", ""), (("W", "Q", "W_{Q}"), "W_Q", "W_{Q}"), (("漆器", "", "漆器"), "Word1", "漆器"),
    (("W", "Q,1", "W_{Q,1}"), "W_word1", "W_{Q,1}"), (("a", "21", "a_{21}"), "a_21", "a₂₁"), (("a", "21", "a_21"), "a_21", ""), (("漆器", "重み", "漆器_重み"), "Word1_word2", "漆器_重み"),
    (("x" * 16, "", "x" * 16), "x" * 16, ""), (("x" * 17, "", "x" * 17), "Word1", "x" * 17), (("W", "a" * 15, "W_" + "a" * 15), "W_" + "a" * 15, ""),
    (("W", "a" * 16, "W_" + "a" * 16), "W_word1", "W_" + "a" * 16), (("alpha", "", "α"), "alpha", "α"), (("x", "2b", "x_{2b}"), "x_2b", "x_{2b}"), (("2x", "", "2x"), "Word1", "2x"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "name", "shown"), SAFE)
def test_a_name_has_one_safe_spelling(given, name, shown):
    names = Names()
    assert names.safe(*given) == name
    assert names.safe(*given) == name
    assert names.shown == ({name: shown} if shown else {})


def test_words_are_counted_and_the_first_way_of_writing_is_shown():
    names = Names()
    assert [names.safe(x, "", x) for x in ("重み", "入力", "重み")] == ["Word1", "Word2", "Word1"]
    names.safe("W", "Q", "W_{Q}")
    names.safe("W", "Q", "W^Q")
    assert names.shown["W_Q"] == "W_{Q}"


INDICES = [
    ("q", "i", True), ("s", "ij", True), ("x", "ijk", True), ("x", "ijkl", False), ("x", "i,j", True), ("x", "2,1", True), ("x", "i,2", True), ("x", "i,j,k", True), ("x", "i,j,k,l", False),
    ("a", "21", False), ("W", "Q", False), ("x", "I", False), ("x", "i1", False), ("x", ",", False), ("x", "i,", False), ("x", ",j", False), ("x", "ij,k", False), ("x", "d,i", False), ("x", "", False), ("x", "d", False), ("x", "e", False),
    ("x", "ixj", False), ("x", "Ij", False), ("x", "éj", False), ("x", "o", False), ("x", "x", False), ("x", "z", False), ("x", "w", True), ("x", "c", True), ("x", "t", True),
    *((base, "i", False) for base in "dnNhHTL"), *((base, low, False) for base in "Wwb" for low in "qkvo"), ("W", "i", True), ("W", "qk", True), ("x", "q", True), ("w", "m", True),
]  # fmt: skip


@pytest.mark.parametrize(("base", "low", "expected"), INDICES)
def test_what_is_an_index_and_what_a_part_of_the_name(base, low, expected):
    assert is_index(base, low) is expected


def test_indices_are_letters_and_numbers():
    assert indices_of("i12j") == ("i", "12", "j")
    assert indices_of("i,2") == ("i", "2")
    assert indices_of("") == indices_of("Q") == ()


POWERS = [
    ((), (), ["e"]), (("x^a",), (), ["e", "x"]), (("x^{ab}",), (), ["e"]), (("x^a y^{b}",), (), ["e", "x", "y"]), ((r"\alpha^t",), (), ["alpha", "e"]), (("α^t",), (), ["alpha", "e"]),
    (("x^2",), (), ["e"]), (("W^Q",), (), ["e"]), (("x^ab",), (), ["e"]), (("x^{ab}",), ("x", "a", "b"), ["e", "x"]), (("x^{ab}",), ("x", "a"), ["e"]), (("x^{ab}",), ("a", "b"), ["e"]),
    (("x^a",), ("e",), ["e", "x"]), ((r"\varphi^n",), (), ["e", "phi"]), (("max^a",), (), ["e"]), (("W^{enc}",), ("W", "e", "n", "c"), ["W", "e"]),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "known", "expected"), POWERS)
def test_what_is_raised_to_powers(texts, known, expected):
    names = Names()
    names.raise_powers(texts, known)
    assert sorted(names.powers) == expected


def test_e_that_is_a_name_of_the_document_is_no_base_of_its_own():
    names = Names({"e"})
    names.raise_powers(("x^a",), ())
    assert names.powers == {"x"}


PHRASES = [
    ("Attention Weight", True), ("Attention  weight", True), ("A B", False), ("Attention", False), ("attention weight", True), ("Attention Weight Matrix Of Heads", True),
    ("Attention Weight Matrix Of All Heads", False), ("Attention B", False), ("Attention Weight2", False), ("Attention weIght", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_one"), PHRASES)
def test_several_words_may_be_one_name(text, is_one):
    names = Names()
    assert names.phrase(text) == ("Word1" if is_one else None)
    assert names.phrases == ({"Word1": " ".join(text.split())} if is_one else {})
    assert names.known == ({"Word1"} if is_one else set())


def test_words_that_are_one_name_are_put_in_where_they_stand_as_words():
    names = Names()
    names.phrase("Attention Weight")
    assert (
        names.with_phrases("2 Attention Weight + xAttention Weight - Attention Weights")
        == "2 Word1 + xAttention Weight - Attention Weights"
    )
    assert Names().with_phrases("a b") == "a b"
    names.safe("重み", "", "重み")
    assert names.phrase("重み") == "Word2"  # a word that it knows


def test_a_copy_keeps_what_it_knows_and_learns_for_itself():
    names = Names({"x"})
    names.safe("重み", "", "重み")
    names.phrase("Attention Weight")
    names.raise_powers(("y^a",), ())
    names.keep_former("xold1", "x", 1)
    other = names.copy()
    assert (other.known, other.shown, other.words, other.phrases, other.powers) == (
        names.known,
        names.shown,
        names.words,
        names.phrases,
        names.powers,
    )
    other.safe("入力", "", "入力")
    other.phrase("Second Name")
    other.known.add("z")
    assert "z" not in names.known
    assert names.shown.keys() == {"Word1", "Word2"}
    assert names.phrases.keys() == {"Word2"}
    assert other.back("xold1") == "x⁽¹⁾"


BACK = [
    ("Word1 + 2", "重み + 2"), ("Word12", "Word12"), ("xWord1", "xWord1"), ("dWord1 = 1", "d重み = 1"), ("ddWord1", "dd重み"), ("dddWord1", "dddWord1"), ("Word1_i", "Word1_i"), ("(Word1)", "(重み)"),
    ("alpha x", "α x"), ("W_Q", "W_Q"), ("Qprime^T", "Q'^T"), ("xold1 y", "x⁽¹⁾ y"), ("Word1old12", "重み⁽¹²⁾"), ("", ""), ("beta", "beta"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), BACK)
def test_a_text_in_the_documents_own_names(text, expected):
    names = Names()
    for base, low, shown in (
        ("重み", "", "重み"),
        ("alpha", "", "α"),
        ("W", "Q", "W_{Q}"),
        ("Qprime", "", "Q'"),
        ("beta", "", r"\beta"),
    ):
        names.safe(base, low, shown)
    names.keep_former("xold1", "x", 1)
    names.keep_former("Word1old12", "Word1", 12)
    assert names.back(text) == expected


# -- verdicts --------------------------------------------------------------------------------------------------------
def test_a_verdict_has_no_truth_of_its_own():
    accepted = {kind for kind in FORMULA_KINDS if FormulaVerdict(kind, Words("so", "そう")).is_accepted}
    assert accepted == {"proved", "tested", "by_convention"}
    with pytest.raises(TypeError):
        bool(FormulaVerdict("proved", Words("so", "そう")))


def test_every_text_of_a_verdict_is_shown_in_the_names_of_the_document():
    note = Note("own", Words("of x", "x の"))
    found = FormulaVerdict("refuted", Words("x is not", "x は違う"), None, "x = 2", remarks=(note,), right="2 x")
    made = in_names(found, lambda text: text.replace("x", "y"))
    assert (made.words, made.counterexample, made.right) == (Words("y is not", "y は違う"), "y = 2", "2 y")
    assert made.remarks == (Note("own", Words("of y", "y の")),)
    assert in_names(FormulaVerdict("proved", Words("so", "そう")), str).counterexample is None


@pytest.mark.parametrize("place", ["words", "counterexample", "right"])
def test_a_former_value_is_explained_once_where_it_is_shown(place):
    texts = {"words": "so", "counterexample": "", "right": "", place: "A⁽¹⁾ B"}
    found = FormulaVerdict(
        "refuted", Words(texts["words"], "そう"), counterexample=texts["counterexample"], right=texts["right"]
    )
    assert in_names(found, str).remarks == (former("A"),)
    assert former("A").words.en.startswith("A with a number above it in brackets is one of the former meanings of A")


def test_words_name_what_they_are_about():
    assert given("S", redefined("S")).kind == "definition"
    assert given("S").words.en == "A formula for S is given; there is nothing to check."
    assert [note.name for note in given("S", redefined("S"), not_used("S", "why")).remarks] == ["redefined", "not_used"]
    assert square_given("s").words.en == "The formula given for the square of s is not the square of this."
    assert "for those that the document gives x" in values_unused("x").words.en
    assert other_uses("x").words.en.startswith("It holds as far as x goes through these steps")
    assert unread_before("S").words.en == "Not decided: the formula given for S could not be read."
    codes = [said("x").code for said in (square_given, values_unused, other_uses, unread_before)]
    assert codes == ["square", "values", "other_uses", "unread_before"]
    title = Words("Softmax", "ソフトマックス")
    assert by_library(title) == Words("judged against the library's softmax", "ライブラリの「ソフトマックス」と比べた")
    assert by_library(title, "eps = 0") == Words(
        "judged against the library's softmax with eps = 0", "ライブラリの「ソフトマックス」（eps = 0）と比べた"
    )
    assert not_used("S", "why").words.en == "The formula of S is not used to judge later ones: why"
    assert new_names("a, b").code == "new_name"
    assert new_names("a, b").words.en.startswith("a, b: nothing given before")
    assert entry_or_name("p_2").code == "entry_or_name"
    assert undecidable("c", "en", "ja") == FormulaVerdict("undecidable", Words("en", "ja"), code="c")
    assert (
        not_compared(Words("Softmax of each row", "行ごとのソフトマックス")).words.en
        == "It could not be compared with the library's softmax of each row."
    )
    assert (unparsed("dots", "write it").kind, unparsed("dots", "write it").code) == ("unparsed", "dots")
