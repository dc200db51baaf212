"""Inequalities: which hold is school arithmetic, and what a rounded value leaves open is not decided."""

import pytest

from symtransformer import check

RIGHT, WRONG, OPEN = "right", "wrong", "undecidable"


def last(*lines):
    return check(" ".join(f"${line}$." for line in lines), name="a.md").equations[-1]


@pytest.mark.parametrize(
    ("line", "verdict", "said"),
    [
        ("2 < 3", RIGHT, ""), ("3 < 2", WRONG, "left side is 3, and the right side is 2"), ("2 < 2", WRONG, ""), ("2 ≤ 2", RIGHT, ""),
        ("3 ≤ 2", WRONG, ""), ("3 > 2", RIGHT, ""), ("2 > 2", WRONG, ""), ("2 ≥ 2", RIGHT, ""), ("2 ≥ 3", WRONG, ""), ("2 ≠ 3", RIGHT, ""),
        ("2 ≠ 2", WRONG, "left side is 2, and the right side is 2"), ("√2 > 1.4142", RIGHT, ""), ("√2 < 1.4142", WRONG, "≈ 1.414214, and the right side is 1.4142"),
        ("1.4143 > √2", RIGHT, ""), ("1.4142 > √2", WRONG, "left side is 1.4142, and the right side is ≈ 1.414214"), ("√2 < √3", RIGHT, ""),
        ("√3 < √2", WRONG, "≈ 1.732051, and the right side is ≈ 1.414214"), ("√8 ≤ 2√2", RIGHT, ""), ("√8 < 2√2", WRONG, ""), ("√8 ≠ 2√2", WRONG, ""),
        ("0.5 - 1 > 0", WRONG, "left side is -0.5, and the right side is 0"), ("1/3 < 0.25", WRONG, "≈ 0.333333, and the right side is 0.25"),
        ("[1, 2] < 3", RIGHT, ""), ("[1, 4] < 3", WRONG, "in entry (1, 2) the left side is 4, and the right side is 3"), ("3 > [1, 2]", RIGHT, ""),
        ("[1, 2] < [2, 3]", RIGHT, ""), ("[1, 3] < [2, 3]", WRONG, "in entry (1, 2) the left side is 3, and the right side is 3"),
        ("[5, 5] < [2, 3]", WRONG, "in entry (1, 1)"), ("[[1], [9]] < 3", WRONG, "in entry (2, 1)"), ("[1, 2] < [1, 2, 3]", OPEN, "different sizes"),
        ("log 0 < 3", RIGHT, ""), ("log 0 > 3", WRONG, "left side is −∞, and the right side is 3"), ("-log 0 < 3", WRONG, "left side is ∞"),
        ("log 0 < -log 0", RIGHT, ""), ("z < 3", OPEN, "'z' is not defined"), ("2 < 3 < 4", RIGHT, ""),
    ],
)  # fmt: skip
def test_what_holds_entry_by_entry(line, verdict, said):
    found = last(line)
    assert found.verdict == verdict
    assert said in found.words.en


GIVEN, SHOWN = "may be rounded", "otherwise than without rounding"
NEAR = "x ≈ 0.33"  # 1/3, or 0.3299


@pytest.mark.parametrize(
    ("before", "line", "verdict", "said"),
    [
        (NEAR, "x > 0.33", OPEN, GIVEN), (NEAR, "x < 0.33", OPEN, GIVEN), (NEAR, "x ≥ 0.33", OPEN, GIVEN), (NEAR, "x ≠ 0.33", OPEN, GIVEN),
        (NEAR, "3x < 1", OPEN, GIVEN), (NEAR, "1 > 3x", OPEN, GIVEN), (NEAR, "3x < 1.02", RIGHT, ""), (NEAR, "3x > 1.02", WRONG, ""),
        (NEAR, "x < 0.34", RIGHT, ""), (NEAR, "x > 0.34", WRONG, ""), (NEAR, "x ≠ 1", RIGHT, ""), ("x = 0.33", "x > 0.33", WRONG, ""),
        ("x = 0.33", "3x < 1", RIGHT, ""), ("x = 0.333", "3x < 0.999", OPEN, GIVEN), ("x = 0.333", "3x < 1", RIGHT, ""),
        ("x = 0.333", "x ≤ 0.333", RIGHT, ""), ("x = 0.333", "x > 0.34", WRONG, ""), ("x ≈ 3", "x < 3", OPEN, GIVEN), ("x ≈ 3", "x < 4", RIGHT, ""),
        ("w ≈ [0.1, 0.2]", "w < 0.3", RIGHT, ""), ("w ≈ [0.1, 0.2]", "w < 0.2", OPEN, GIVEN), ("w ≈ [0.1, 0.2]", "w > 0.2", WRONG, "entry (1, 1)"),
        ("w ≈ [0.1, 0.2]", "w < [0.2, 0.3]", RIGHT, ""), ("w ≈ [0.1, 0.2]", "[0.2, 0.2] > w", OPEN, GIVEN), ("w = [0.1, 0.2]", "w < 0.2", WRONG, "entry (1, 2)"),
        ("x = 1/3 ≈ 0.33", "x > 0.33", OPEN, SHOWN), ("x = 1/3 ≈ 0.33", "3x < 1", OPEN, SHOWN), ("x = 1/3 ≈ 0.33", "3x < 2", RIGHT, ""),
        ("x = 1/3 ≈ 0.33", "3x > 2", WRONG, ""), ("x = 3", "x > 2 + 1", WRONG, ""), ("x = 3", "x^2 > 8", RIGHT, ""),
    ],
)  # fmt: skip
def test_what_a_rounding_leaves_open_is_not_decided(before, line, verdict, said):
    found = last(before, line)
    assert (found.verdict, found.code) == (verdict, "rounded_operands" if verdict == OPEN else "")
    assert said in found.words.en


@pytest.mark.parametrize("line", ["If $x < 3$, then so.", "$x ≤ 2$ のとき、次に進む。"])
def test_a_condition_is_no_claim(line):
    found = check(f"$x = 5$. {line}", name="a.md").equations[-1]
    assert (found.verdict, found.code) in {(OPEN, "condition"), (OPEN, "conditional")}
