"""・ multiplies beside letters, numbers and brackets, as · does; among words it parts them, and begins an item of a list."""

import pytest

from symtransformer.checking.checks import check

GIVEN = "q = [1, 2], k = [3, 4]\n\n"


def verdicts(text):
    return [e.verdict for e in check(GIVEN + text, name="a.txt").equations[2:]]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("[1, 2]・[3, 4] = 11", "[1, 2]・[3, 4] = 10"),
        ("[1, 2] ・ [3, 4] = 11", "[1, 2] ・ [3, 4] = 12"),
        ("（1, 2）・（3, 4） = 11", "（1, 2）・（3, 4） = 7"),
        ("q・k = 11", "q・k = 4"),
        ("q・k/√2 ≈ 7.78", "q・k/√2 ≈ 7.87"),
        ("内積は q・k = 11 です。", "内積は q・k = 12 です。"),
        ("2・3 = 6", "2・3 = 3"),
    ],
)
def test_it_multiplies(right, wrong):
    assert verdicts(right) == ["right"]
    assert verdicts(wrong)[0] in ("wrong", "last_place")


@pytest.mark.parametrize("text", ["・x = 3", "・ x = 3", "温度・損失 x = 3", "重み W・バイアス x = 3"])
def test_it_parts_words(text):
    assert verdicts(text) == ["definition"]
    assert verdicts(f"{text}\n\nx + 1 = 4") == ["definition", "right"]
    assert verdicts(f"{text}\n\nx + 1 = 5") == ["definition", "last_place"]
