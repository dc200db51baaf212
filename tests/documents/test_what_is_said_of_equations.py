"""What the words around an equation say of it: taken back, supposed, restricted, given for values, told in passing."""

import pytest

from symtransformer.documents import Saying, read_document, relations, said_of
from symtransformer.documents.assertions import (
    _given,
    _plain,
    _running_off,
    _running_on,
    conditions,
    is_asked,
    is_denied,
)


def sayings(text):
    document = read_document(text.encode(), "a.md")
    found = relations(document)
    chains = [[r for r in found if r.chain == number] for number in dict.fromkeys(r.chain for r in found)]
    return [said_of(document, chain) for chain in chains]


MENTIONED = {"gives": "mentioned"}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("x = 2", [{}]), ("Let $x = 2$.", [{"gives": "clear"}]), ("Note that $x = 2$.", [{"gives": "reminded"}]), ("Now let $x = 2$.", [{"gives": "anew"}]), ("A larger model might use $n = 100$.", [MENTIONED]),
        ("Then $y = 3$.", [{"gives": "drawn", "goes_on": True}]), ("So $y = 3$.", [MENTIONED | {"goes_on": True}]), ("Now let $x := 2$.", [{}]),
        ("It is wrong that $2 + 2 = 5$.", [MENTIONED | {"takes_back": "denied"}]), ("2 + 2 = 5 is wrong.", [MENTIONED | {"takes_back": "denied"}]), ("A common mistake: $2 + 2 = 5$", [MENTIONED | {"takes_back": "denied"}]), ("~~2 + 2 = 5~~", [{"takes_back": "denied"}]), ("$x = 2$. It is wrong.", [{"takes_back": "denied"}]),
        ("2 + 2 = 5 は誤りである。", [MENTIONED | {"takes_back": "denied"}]), ("2 + 2 = 5 ではない。", [MENTIONED | {"takes_back": "denied"}]),
        ("Is $2 + 2 = 5$?", [MENTIONED | {"takes_back": "asked"}]), ("2 + 2 = 5?", [MENTIONED | {"takes_back": "asked"}]), ("2 + 2 = 5 ですか。", [MENTIONED | {"takes_back": "asked"}]),
        ("If 2 + 2 were 5, i.e. $2 + 2 = 5$, then", [MENTIONED | {"takes_back": "supposed", "supposes": "if"}]), ("If $x = 4$, then $2x = 8$.", [MENTIONED | {"takes_back": "supposed", "supposes": "if"}, MENTIONED]), ("Suppose $x = 4$.", [MENTIONED | {"takes_back": "supposed"}]),
        ("もし $x = 4$ なら $2x = 8$", [MENTIONED | {"takes_back": "supposed", "supposes": "if"}, MENTIONED]), ("For $n = 3$, $y = 2$.", [MENTIONED | {"supposes": "for"}, MENTIONED]), ("$x = 4$ のとき $2x = 8$", [MENTIONED | {"supposes": "for"}, MENTIONED]),
        ("If $x > 0$, then $y = 2$.", [MENTIONED | {"conditions": {"x"}}]), ("$y = 2$ when $x > 0$.", [MENTIONED | {"conditions": {"x"}}]), ("as x → 0, $y = 2$.", [MENTIONED | {"conditions": {"x"}}]), ("$y = 2$ (x ≠ 0)", [{"conditions": {"x"}}]), ("$y = 2$, x > 0", [{"conditions": {"x"}}]),
        ("$2x = 8$ if $x = 4$.", [MENTIONED | {"given": (("x", "4"),)}, MENTIONED | {"takes_back": "supposed", "supposes": "if"}]), ("$2x = 8$ for x = 4 and y = 3.", [MENTIONED | {"given": (("x", "4"), ("y", "3"))}, MENTIONED | {"supposes": "for"}, MENTIONED]),
        ("$y = 2$ where $x = 3$, $z = -0.5$.", [MENTIONED | {"given": (("x", "3"), ("z", "-0.5"))}, MENTIONED, MENTIONED]),
        ("In binary, 1 + 1 = 10.", [MENTIONED | {"takes_back": "other_arithmetic", "of_digits": True}]), ("Modulo 3, 2 + 2 = 1.", [MENTIONED | {"takes_back": "other_arithmetic"}]),
        ("$7200 = 2$ hours", [MENTIONED | {"has_unit": True}]), ("The gap is $0.25 = 25$ percentage points.", [MENTIONED | {"hundredths": "points"}]),
    ],
)  # fmt: skip
def test_sayings(text, wanted):
    found = sayings(text)
    assert len(found) == len(wanted)
    for saying, expected in zip(found, wanted, strict=True):
        for name in (
            "takes_back",
            "supposes",
            "conditions",
            "given",
            "of_digits",
            "has_unit",
            "hundredths",
            "gives",
            "goes_on",
        ):
            assert getattr(saying, name) == expected.get(name, getattr(Saying(), name)), name


def test_where_a_sentence_and_its_lines_begin():
    first, second = sayings("Suppose $x = 1$. Then $y = 2$.")
    assert (first.sentence, first.clause) == (0, 0)
    assert (second.sentence, second.clause) == (16, 16)
    (told,) = sayings("The others use 3.\nIn fact, ours gives $y = 2$.")
    assert (told.sentence, told.clause) == (17, -1)
    assert said_of(read_document(b"x = 1", "a.md"), [relations(read_document(b"$= 1$", "a.md"))[0]]).takes_back == ""


@pytest.mark.parametrize("heading", ["Wrong", "A common mistake"])
def test_a_heading_that_denies(heading):
    document = read_document(b"2 + 2 = 5", "a.md")
    assert said_of(document, list(relations(document)), heading).takes_back == "denied"
    assert said_of(document, list(relations(document)), "Scores").takes_back == ""


@pytest.mark.parametrize(
    ("before", "behind", "beyond", "denied"),
    [
        ("It is wrong that ", "", "", True), ("", " is wrong", "", True), ("", "ではない", "", True), ("誤り: ", "", "", True), ("", "", " This is wrong.", True), ("", " and", " This is wrong.", False), ("", ".", ". This is wrong.", True), ("We know that ", "", "", False),
        ("It is wrong to say that 1 = 2, but ", "", "", False), ("", "", "", False),
    ],
)  # fmt: skip
def test_what_is_denied(before, behind, beyond, denied):
    assert is_denied(before, behind, beyond) is denied


def test_what_is_asked():
    assert [is_asked(*words) for words in (("Is ", "?"), ("Why is ", "?"), ("", "?"), ("", "."), ("", "でしょうか。"), ("Whether ", "."))] == [True, False, True, False, True, True]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "behind", "names"),
    [
        ("for x > 0, ", "", {"x"}), ("", " if n is even", {"n"}), ("for the x ", "", set()), ("n が偶数のとき", "", {"n"}), ("", ", x > 0", {"x"}), ("for x ∈ ℝ, ", "", set()), ("for x ∈ ℝ and y > 0, ", "", {"y"}), ("for positive x, ", "", {"x"}), ("if 0 < x, ", "", {"x"}),
        ("for x > 0, ", " if y < 0", {"x", "y"}), (r"for \sigma > 0, ", "", {"sigma"}), ("", "", set()),
    ],
)  # fmt: skip
def test_names_that_a_clause_restricts(before, behind, names):
    assert conditions(before, behind) == names


@pytest.mark.parametrize(
    ("behind", "given"),
    [(" if x = 4", (("x", "4"),)), (" if x = −4.5", (("x", "-4.5"),)), (". Now x = 4", ()), (" if x = 4y", ()), (r" for \sigma = 2", (("sigma", "2"),)), (" and x = 4", ())],
)  # fmt: skip
def test_values_for_which_alone_it_is_said(behind, given):
    assert _given(behind) == given


@pytest.mark.parametrize(
    ("before", "line"),
    [("a\nb ", "a\nb "), ("A\nB ", "B "), ("A,\nB ", "A,\nB "), ("a b", "a b"), ("", ""), ("A\nB\nc ", "B\nc "), ("A\n", "A\n"), ("A\n\nB", "B"), ("A\n> b", "A\n> b")],
)  # fmt: skip
def test_lines_that_run_on_to_an_equation(before, line):
    assert _running_on(before) == line


@pytest.mark.parametrize(
    ("behind", "line"),
    [(" a\nb", " a b"), (" a\nB", " a"), (" a\nb\nc", " a b c"), (" a\nb\nC", " a b"), ("", ""), (" a\nである", " aである"), (" a\n値", " a"), (" a\n", " a")],
)  # fmt: skip
def test_lines_that_run_on_behind_an_equation(behind, line):
    assert _running_off(behind).replace(" である", "である") == line


def test_words_without_what_sets_them():
    assert _plain("it’s  a\n\tb") == "it's a b"
