"""What else an equation may mean: units behind numbers, lists put together, constants, and what a number counts."""

import pytest

from symtransformer.checking.checks import check
from symtransformer.checking.other_readings import (
    are_shares,
    counts_a_set,
    counts_other_hundredths,
    is_number_with_unit,
    meanings,
)
from symtransformer.documents import read_document, relations
from symtransformer.reading.sides import Known

MATRIX, NUMBER = Known((2, 2)), Known(None)


def read(left, right, scope=(), shown=()):
    return [(m.left, m.right, m.code) for m in meanings(left, right, dict(scope), dict(shown))]


@pytest.mark.parametrize(
    ("text", "tens", "twos"),
    [
        ("2k", "2e3", None),
        ("2K", "2e3", "(2 · 1024)"),
        ("2M", "2e6", "(2 · 1048576)"),
        ("2B", "2e9", None),
        ("2G", "2e9", "(2 · 1073741824)"),
        ("2T", "2e12", "(2 · 1099511627776)"),
        ("2.5 K", "2.5e3", "(2.5 · 1024)"),
        ("3 + 2K", "3 + 2e3", "3 + (2 · 1024)"),
    ],
)
def test_letters_behind_numbers_count_thousands(text, tens, twos):
    """10³ or 2¹⁰ and so on; k and B are no powers of two."""
    assert read(text, "1") == [(tens, "1", "unit"), (twos or tens, "1", "unit")]
    assert read("1", text) == [("1", tens, "unit"), ("1", twos or tens, "unit")]


@pytest.mark.parametrize("text", ["2M_1", "x2K", "2Ka", "2K(3)", "2^2K", "2K'", "2.5", "K", "M^2"])
def test_other_letters_are_no_units(text):
    assert read(text, "1") == []


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        ("3 million", "4", [("3", "4", "unit")]),
        ("4", r"3\text{ billion}", [("4", "3", "unit")]),
        ("4", "3 百万", [("4", "3", "unit")]),
        ("4", "3万", [("4", "3", "unit")]),
        ("million", "4", []),
        ("2", "200 percent", [("2", "200", "unit")]),
        ("2", "200パーセント", [("2", "200", "unit")]),
        ("200 percent", "2", []),  # the number that is claimed counts them
        ("0.375 - 0.125", "25 percent", []),  # of shares they are hundredths
        ("37.5% - 12.5%", "25 percent", []),
        ("37.5 - 12.5", "25 percent", [("37.5 - 12.5", "25", "unit")]),
        ("[1] + [2]", "[1, 2]", [("[1, 2]", "[1, 2]", "lists")]),
        ("[1, 2]", "[1]+[2]", [("[1, 2]", "[1, 2]", "lists")]),
        ("[1] + [2] + [3]", "[1, 2, 3]", [("[1, 2, 3]", "[1, 2, 3]", "lists")]),
        ("[1] + 2", "3", []),
        ("2[1] + [2]", "3", []),
        ("1 + 1", "2", []),
    ],
)
def test_other_readings_of_both_sides(left, right, found):
    assert read(left, right) == found


def test_constants_that_the_document_calls_otherwise():
    scope = {"e": NUMBER, "x": NUMBER}
    (found,) = meanings("e + x", "1", scope, {"e": "2.7"})
    assert (found.left, found.right, found.code, [*found.scope]) == ("e + x", "1", "constant", ["x"])
    assert read("e + x", "1", {"x": NUMBER}, {"e": "2.7"}) == [("(2.7) + x", "1", "constant")]
    assert read("1", "e^2", {}, {"e": "2.7"}) == [("1", "(2.7)^2", "constant")]
    assert read("2π", r"\pi + e", {}, {"e": "2.7", "pi": "3.1"}) == [
        ("2π", r"\pi + (2.7)", "constant"),
        ("2(3.1)", "(3.1) + e", "constant"),
    ]
    assert read("e + 1", "1", {}, {}) == []
    assert read("exp(1) + e_1", "the", scope, {}) == []
    assert read("1", "2", scope, {"pi": "3"}) == []


@pytest.mark.parametrize(
    ("text", "is_it"),
    [
        ("0.375 - 0.125", True),
        (".5", True),
        ("00.5", True),
        ("0.5 - 1", False),
        ("0.5 + 1.5", False),
        ("0", False),
        ("x", False),
        ("", False),
    ],
)
def test_shares_are_below_1_with_decimals(text, is_it):
    assert are_shares(text) is is_it


@pytest.mark.parametrize(
    ("text", "is_it"),
    [("18.9M", True), ("20M", True), ("2M", False), ("2.0M", True), ("20K", False), ("20x", False), ("M", False), ("20M + 1", False)],
)  # fmt: skip
def test_a_multiple_of_a_matrix_or_millions(text, is_it):
    assert is_number_with_unit(text, {"M": MATRIX, "k": NUMBER}) is is_it
    assert not is_number_with_unit(text, {})
    assert not is_number_with_unit(text, {"M": NUMBER})


@pytest.mark.parametrize(
    ("text", "is_it"), [(r"|\{1, 2\}|", True), (r"\lvert \{a\} \rvert", True), ("|[1, 2]|", False), (r"\{1\}", False)]
)
def test_the_size_of_a_set(text, is_it):
    assert counts_a_set(text) is is_it


@pytest.mark.parametrize(
    ("text", "told", "is_it"),
    [
        ("0.375 - 0.125 = 0.25", "points", True),
        ("0.375 - 0.125 = 25", "points", True),
        ("37.5% - 12.5% = 25", "points", True),
        ("37.5% - 12.5% = 25", "percent", True),
        ("37.5 - 12.5 = 25", "points", False),
        ("37.5 - 12.5 = 1", "points", False),
        ("37.5 - 36.6 = 0.9", "points", True),
        ("37.5 - 38.4 = -0.9", "points", True),
        ("37.5 - 38.4 = −0.9", "percent", True),
        ("37.5 - 38.5 = -1", "percent", False),
        ("0.375 - 0.125 = 0.25", "perhaps", False),
        ("0.375 - 0.125 = 0.25", "", False),
        ("0.375 - 0.125 = x", "points", False),
    ],
)
def test_what_a_sentence_says_that_a_number_counts(text, told, is_it):
    (relation,) = relations(read_document(f"${text}$".encode(), "a.md"))
    assert counts_other_hundredths(relation, told) is is_it


@pytest.mark.parametrize(
    ("text", "expected"),
    [  # who is right by one of the readings is not accused
        ("$37.5 - 12.5 = 25$ percent", "unit"),
        ("$37.5 - 12.5 = 26$ percent", "wrong"),
        ("$0.375 - 0.125 = 25$ percent", "right"),
        ("$0.375 - 0.125 = 26$ percent", "last_place"),
        ("$0.375 - 0.125 = 0.25$ percent", "wrong"),
        ("The difference is $0.375 - 0.125 = 25$ percentage points.", "by_convention"),
        ("The difference is $0.375 - 0.125 = 26$ percentage points.", "wrong"),
        ("The difference is $0.375 - 0.125 = 0.25$ percentage points.", "unit"),
        ("$[1] + [2] = [1, 2]$", "lists"),
        ("$[1] + [2] = [1, 3]$", "shapes"),
        ("$[1] + [2] = [3]$", "right"),
        ("$e = 2.7$. $e^2 = 7.29$.", "constant"),
        ("$e = 2.7$. $e^2 ≈ 7.39$.", "right"),
        ("$e = 2.7$. $e^2 = 7.5$.", "last_place"),
        (r"$1500 + 1500 = 3\text{ thousand}$", "right"),
        (r"$1500 + 1500 = 4\text{ thousand}$", "last_place"),
    ],
)
def test_nobody_is_accused_who_is_right_otherwise(text, expected):
    found = check(text, name="a.md").equations[-1]
    assert (found.code if found.verdict == "undecidable" else found.verdict) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [  # values by 1/(1 + e^(-x)): 0.7310586, 0.1269280 = -ln 0.8807971
        (r"$\sigma(0) = 0.5$", "by_convention"),
        (r"$\sigma(1) = 0.731$", "by_convention"),
        (r"$\sigma(1) = 0.713$", "unparsed"),
        (r"$\sigma(0) = 1$", "unparsed"),
        (r"$\sigma(5) = 1$", "unparsed"),
        (r"$\sigma(5) \approx 1$", "by_convention"),
        (r"$\sigma\left(\ln 3\right) = 3/4$", "by_convention"),
        (r"$-\ln \sigma(2) = 0.127$", "by_convention"),
        (r"$-\ln \sigma(2) = 0.126$", "unparsed"),
        ("σ(0) + σ(1) = 1.231", "by_convention"),
        ("σ(0) + σ(1) = 1.331", "unparsed"),
        (r"$\sigma([0, 1]) = [0.5, 0.7311]$", "by_convention"),
        (r"$\sigma([0, 1]) = [0.5, 0.7310]$", "unparsed"),
        (r"$\sigma_1(0) = 0.5$", "unparsed"),
        (r"$\sigma^2(0) = 0.25$", "unparsed"),
        (r"Here σ is the ReLU. $\sigma(0) = 0.5$", "told_in_words"),
        (r"Let $\sigma(x) = \max(0, x)$. $\sigma(1) = 0.731$", "told_in_words"),
        (r"$\mu = 1$, $\sigma = 2$. Behind it $\sigma(1) = 0.731$", "by_convention"),
        (r"$\mu = 1$, $\sigma = 2$. Behind it $\sigma(1) = 2$", "unknown_function"),
        (r"$\mu = 1$, $\sigma = 2$. Behind it $\sigma(1) = 5$", "wrong"),
        (r"$\mu = 1$, $\sigma = 2$. Behind it $\sigma(1 + 3) = 8$", "right"),
        (r"$\mu = 1$, $\sigma = 2$. Behind it $\frac{3 - \mu}{\sigma} = 1$", "right"),
    ],
)
def test_sigma_of_a_number_is_the_logistic_function_to_most(text, expected):
    found = check(text, name="a.md").equations[-1]
    assert (found.code if found.verdict == "undecidable" else found.verdict) == expected
