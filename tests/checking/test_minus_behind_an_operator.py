"""2 × -3 without brackets is read to its beginning: right and wrong twins, so that 5 - -3 = 8 is not - -3 = 8."""

import pytest

from symtransformer.checking.checks import check


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("5 - -3 = 8", "right"), ("5 - -3 = 2", "wrong"), ("2 × -3 = -6", "right"), ("2 × -3 = 6", "wrong"), ("1 + 4 × -3 = -11", "right"),
        ("1 + 4 × -3 = -15", "wrong"), ("The sum 2 + -3 = -1.", "right"), ("The sum 2 + -3 = -3.", "wrong"), ("積は2×-3=-6です", "right"), ("積は2×-3=6です", "wrong"),
    ],
)  # fmt: skip
def test_the_whole_side_is_judged(line, verdict):
    assert [equation.verdict for equation in check(line, kind="markdown").equations] == [verdict]
