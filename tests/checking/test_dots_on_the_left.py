"""0.333... = 1/3 says the digits of 1/3, as 1/3 = 0.333... does: nobody is accused of the digits that were left off."""

import pytest

from symtransformer.checking.checks import check


def verdicts(text):
    return [e.verdict for e in check(text, name="a.txt").equations]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.333... = 1/3", ["right"]),
        ("0.334... = 1/3", ["last_place"]),
        ("0.433... = 1/3", ["wrong"]),
        ("0.333... = 1/3 = 2/6", ["right", "right"]),
        ("0.333... = 1/3 = 2/5", ["right", "wrong"]),
        ("1.414... = √2 ≈ 1.41", ["right", "right"]),
        ("1.415... = √2 ≈ 1.43", ["last_place", "wrong"]),
        ("0.999... = 1", ["right"]),
        ("0.666... ≈ 0.67", ["right"]),
        ("0.666... ≈ 0.8", ["wrong"]),
        ("x = 0.25... = 1/4", ["definition", "right"]),
        ("x = 0.35... = 1/4", ["definition", "wrong"]),
    ],
)
def test_digits_that_were_left_off(text, expected):
    assert verdicts(text) == expected
