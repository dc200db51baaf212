"""By which route a shown number is judged: another reading, sizes, what is behind a number, exact numbers, powers of ten, roundings."""

import pytest

from symtransformer.checking.checks import check

OPEN = "undecidable"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # what has no finite value on either side
        ("$1/0 = 0/0$", ["no_value"]),
        ("$0/0 = 0/0$", ["no_value"]),
        ("$0/0 ≈ 0/0$", ["no_value"]),
        ("$0/0 = 1/0$", ["no_value"]),
        ("$3 = 0/0$", ["wrong"]),
        ("$2 - 2 = 0/0$", ["wrong"]),
        ("$0/0 = 3$", ["wrong"]),
        ("$1/0 = undefined$", ["right"]),
        # two readings: a number, or a matrix
        ("$p = [1, 2]$. $p^T p = 5$.", ["right"]),
        ("$p = [1, 2]$. $p^T p = [[1, 2], [2, 4]]$.", ["right"]),
        ("$p = [1, 2]$. $p^T p = 6$.", ["last_place"]),
        ("$p = [1, 2]$. $p^T p = [[1, 2], [2, 5]]$.", ["last_place"]),
        ("$p = [1, 2]$. $p^T p = [1, 2, 3]$.", ["shapes"]),
        # sizes
        ("$v = [1, 2]$. $2v = [2, 4, 6]$.", ["shapes"]),
        ("$v = [1, 2]$. $2v = [[2], [4]]$.", ["right"]),
        ("$v = [1, 2]$. $2v = [[2], [5]]$.", ["last_place"]),
        # what stands behind a number is claimed of all that stands before it
        ("$2 + 2 = 4 = 1 + 3$", ["right", "right"]),
        ("$2 + 2 = 4 = 2 + 3$", ["right", "wrong"]),
        ("$1 + 3 = 4.0 = 2 + 2.1$", ["right", "wrong"]),
        ("$w = 2$. $w = w - 0.5 = 1.5$. $w + 1 = 2.5$.", ["right", "right"]),
        ("$w = 2$. $w = w - 0.5 = 1.4$.", ["last_place"]),
        # how near an exact number is meant
        (r"$\pi ≈ 22/7$", ["how_near"]),
        ("$1 + 1/7 = 22/7$", ["wrong"]),
        (r"$\pi ≈ 3.1416 ≈ 22/7$", ["right", "how_near"]),
        (r"$22/7 ≈ 3.14 ≈ \pi$", ["right", "right"]),
        ("$22/7 ≈ 3.14159$", ["wrong"]),
        ("$0.67 ≈ 2/3$", ["right"]),
        ("$0.66 ≈ 2/3$", ["last_place"]),
        # powers of ten are roundings
        (r"$8.6 \times 10^9 / 2.15 = 4.0 \times 10^9$", ["right"]),
        (r"$8.6 \times 10^9 / 2 ≈ 4.29 \times 10^9$", ["rounded_operands"]),
        (r"$8.6 \times 10^9 / 2 ≈ 4.39 \times 10^9$", ["wrong"]),
        # decimals of the line that may be roundings
        (r"$3 \cdot 0.333 ≈ 1.000$", ["rounded_operands"]),
        (r"$3 \cdot 0.333 ≈ 1.002$", ["wrong"]),
        (r"$3 \cdot 0.33 ≈ 1.00$", ["last_place"]),
        ("$q = 0.333$. $3q ≈ 1.000$.", ["rounded_operands"]),
        ("$q = 0.333$. $3q ≈ 1.003$.", ["wrong"]),
        ("$q = 0.33$. $3q ≈ 1.00$.", ["last_place"]),
        ("$p = 0.107$. $1/p ≈ 9.35$.", ["right"]),
        ("$p = 0.107$. $1/p ≈ 9.30$.", ["wrong"]),
        # what was shown is traced to what it is a rounding of
        (r"$\sqrt{2} ≈ 1.414$. $1.414 \cdot 1.414 ≈ 2.000$.", ["right", "right"]),
        (r"$\sqrt{2} ≈ 1.414$. $1.414 \cdot 1.414 ≈ 1.999$.", ["right", "right"]),
        (r"$\sqrt{2} ≈ 1.414$. $1.414 \cdot 1.414 ≈ 2.003$.", ["right", "wrong"]),
        (r"$1.414 \cdot 1.414 ≈ 2.000$.", ["rounded_operands"]),
        (r"$\sqrt{2} ≈ 1.41$. $1.41 \cdot 1.41 ≈ 2.00$.", ["right", "rounded_operands"]),  # two decimals
        (r"$\sqrt{2} ≈ 1.41$. $1.41 \cdot 1.41 ≈ 2.01$.", ["right", "wrong"]),
        (r"$1/3 ≈ 0.333$. $3 \cdot 0.333 ≈ 1.000$.", ["right", "right"]),
        (r"$1/3 ≈ 0.333$. $3 \cdot 0.333 ≈ 0.999$.", ["right", "right"]),
        (r"$1/3 ≈ 0.333$. $3 \cdot 0.333 ≈ 1.002$.", ["right", "wrong"]),
        (r"$1/3 ≈ 0.333$. $0.3330 ≈ 0.333$. $3 \cdot 0.333 ≈ 1.000$.", ["right", "right", "right"]),
        (
            r"$\sqrt{2} ≈ 1.414$. $\sqrt{1.9994} ≈ 1.414$. $1.414 \cdot 1.414 ≈ 2.000$.",
            ["right", "right", "rounded_operands"],
        ),
        # a chain, the second number of which is put in with its decimals
        (r"$3 \sqrt{2} = 3 \cdot 1.414 = 4.242$", ["rounded_operands", "rounded_operands"]),
        (r"$3 \sqrt{2} = 3 \cdot 1.414 = 4.252$", ["rounded_operands", "wrong"]),
        (r"$3 \sqrt{2} = 3 \cdot 1.4 = 4.2$", ["wrong", "right"]),
        (r"$3 \sqrt{2} = 3 \cdot 1.4 = 4.3$", ["wrong", "last_place"]),
        # behind a wrong line: what follows from its digits, and what is right all the same
        ("$a = 2 + 2 = 5$. $a/3 ≈ 1.67$.", ["last_place", "follows"]),
        ("$a = 2 + 2 = 5$. $a/3 ≈ 1.33$.", ["last_place", "right"]),
        ("$a = 2 + 2 = 5$. $a/3 ≈ 1.5$.", ["last_place", "wrong"]),
        (r"$a = \sqrt{2} + 1 = 1.414$. $a^2 ≈ 1.999$.", ["wrong", "follows"]),
        (r"$a = \sqrt{2} + 1 = 1.414$. $a^2 ≈ 2.000$.", ["wrong", "wrong"]),
        (r"$a = \sqrt{2} + 1 = 1.414$. $a^2 ≈ 5.83$.", ["wrong", "right"]),
        # rounded in between, and put in with one decimal
        ("$e^2/3 = 7.4/3 ≈ 2.467$", ["right", "right_if_rounded"]),
        ("$e^2/3 = 7.389/3 ≈ 2.4630$", ["right", "right"]),
        ("$e^2/3 = 7.389/3 ≈ 2.4635$", ["right", "wrong"]),
        ("$x = 1/3 ≈ 0.33$. $3x = 0.99$.", ["right", "right_if_rounded"]),
        ("$x = 1/3 ≈ 0.33$. $3x = 1$.", ["right", "right"]),
        ("$x = 1/3 ≈ 0.33$. $3x = 0.98$.", ["right", "wrong"]),
        (r"$100/\sqrt{3} = 100 \cdot 0.577$", ["rounded_operands"]),
        (r"$100/\sqrt{3} = 100 \cdot 0.578$", ["wrong"]),
    ],
)
def test_by_which_route(text, expected):
    found = check(text, name="a.md").equations
    assert [e.code if e.verdict == OPEN else e.verdict for e in found if e.verdict != "definition"] == expected


@pytest.mark.parametrize(
    ("claim", "remarks"),
    [
        ("10 a ≈ 14.14", {"not_from_shown_operands", "result_right_expression_wrong"}),
        ("10 a ≈ 14.0", set()),
        ("10 a ≈ 14", set()),
    ],
)
def test_a_result_that_the_numbers_shown_do_not_give(claim, remarks):
    found = check(rf"$a = \sqrt{{2}} ≈ 1.4$. ${claim}$.", name="a.md").equations[-1]
    assert {note.name for note in found.remarks} == remarks
