"""What compares two sides: the sign of their difference, entry by entry, and the numbers that are told where it fails."""

import pytest
from engine_documents import last

WRONG = "Wrong: the left side is {}, and the right side is {}."
PLACE = "Wrong: in entry {} the left side is {}, and the right side is {}."


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        *[(f"1 {sign} 2", "right") for sign in ("<", "≤", "≠")],
        *[(f"1 {sign} 2", "wrong") for sign in (">", "≥")],
        *[(f"2 {sign} 2", "right") for sign in ("≤", "≥")],
        *[(f"2 {sign} 2", "wrong") for sign in ("<", ">", "≠")],
        *[(f"3 {sign} 2", "right") for sign in (">", "≥", "≠")],
        *[(f"3 {sign} 2", "wrong") for sign in ("<", "≤")],
        *[(f"sqrt(2) {sign} 1.5", "right") for sign in ("<", "≤", "≠")],
        *[(f"1.5 {sign} sqrt(2)", "wrong") for sign in ("<", "≤")],
        *[(f"1.5 {sign} sqrt(2)", "right") for sign in (">", "≥", "≠")],
        *[(f"sqrt(2) · sqrt(2) {sign} exp(0) + 1", "right") for sign in ("≤", "≥")],
        *[(f"sqrt(8) {sign} 2·sqrt(2)", "right") for sign in ("≤", "≥")],
        *[(f"sqrt(8) {sign} 2·sqrt(2)", "wrong") for sign in ("<", ">", "≠")],
        *[(f"sqrt(3) {sign} sqrt(2)", "right") for sign in (">", "≥", "≠")],
        ("-∞ < 3", "right"),
        ("3 < ∞", "right"),
        ("∞ < 3", "wrong"),
        ("-∞ < ∞", "right"),
        ("∞ > ∞", "wrong"),
        ("∞ ≥ ∞", "right"),
        ("[1, 2] < [2, 3]", "right"),
        ("[1, 2] < [2, 2]", "wrong"),
        ("[1, 2] < 3", "right"),
        ("[1, 2] < 2", "wrong"),
        ("0 < [1, 2]", "right"),
        ("1 < [1, 2]", "wrong"),
        ("[1, 2] < [2, 3, 4]", "undecidable"),
    ],
)
def test_whether_it_holds(text, verdict):
    assert last(text).verdict == verdict


@pytest.mark.parametrize(
    ("text", "left", "right"),
    [
        ("3 < 2", "3", "2"),
        ("-3 > -2.5", "-3", "-2.5"),
        ("0 > 0.25", "0", "0.25"),
        ("1/3 > 1/2", "≈ 0.333333", "0.5"),
        ("-2/3 > 1", "≈ -0.666667", "1"),
        ("12 < 2", "12", "2"),
        ("1000 < 10", "1000", "10"),
        ("∞ < 3", "∞", "3"),
        ("3 < -∞", "3", "−∞"),
        ("1/3 < 0.3333333", "≈ 0.333333333333", "0.3333333"),  # to six decimals both look the same
        ("0.0000001 < 0", "0.0000001", "0"),
        ("0 > 10^{-20}", "0", "0.00000000000000000001"),
        ("0 > 10^{-60}", "0", "≈ 0"),  # as far as is shown
        ("0.00001 < 0", "0.00001", "0"),
    ],
)
def test_both_sides_are_told_so_that_they_differ(text, left, right):
    found = last(text)
    assert (found.verdict, found.words.en) == ("wrong", WRONG.format(left, right))
    assert f"左辺は {left}、右辺は {right} である" in found.words.ja


@pytest.mark.parametrize(
    ("text", "place", "left", "right"),
    [
        ("[1, 4] < [2, 3]", "(1, 2)", "4", "3"),
        ("[3, 4] < [2, 3]", "(1, 1)", "3", "2"),
        ("[1, 2] < 2", "(1, 2)", "2", "2"),
        ("2 > [1, 2, 3]", "(1, 2)", "2", "2"),
        ("[[1], [5]] < [[2], [3]]", "(2, 1)", "5", "3"),
    ],
)
def test_the_first_entry_for_which_it_fails(text, place, left, right):
    found = last(text)
    assert (found.verdict, found.words.en) == ("wrong", PLACE.format(place, left, right))
    assert f"成分 {place} で左辺は {left}、右辺は {right}" in found.words.ja
