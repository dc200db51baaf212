"""The line as it should stand: names of matrices with their numbers put in, places from 1, the sign, and the right value."""

import pytest
from sympy import Integer

from symtransformer.checking.checks import check
from symtransformer.checking.right_lines import CHARACTERS_AT_MOST, right_line
from symtransformer.reading.sides import Side

A = "$A = [[1, 2], [3, 4]]$. "
WIDE = f"$B = [{', '.join(str(k) for k in range(1, 13))}]$. "


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("$2 + 3 = 6$.", "2 + 3 = 5"),
        (r"$\sqrt{2} = 1.5$.", r"\sqrt{2} ≈ 1.4"),
        ("$x = 3$. $2x = 7$.", "2x = 6"),
        ("$q = [1, 2]$. $K = [[1, 0], [0.5, 1]]$. $q K^T = [9, 9]$.", "[1, 2] [[1, 0], [0.5, 1]]^T = [1, 2.5]"),
        ("$p = [0.1, 0.9]$. $p_2 = 0.8$.", "[0.1, 0.9]_2 = 0.9"),
        ("$p = [0.10, 0.9]$. $2 p = [0.2, 1.9]$.", "2 [0.10, 0.9] = [0.2, 1.8]"),
        (A + "$A_{12} + 1 = 9$.", "([[1, 2], [3, 4]])_{12} + 1 = 3"),
        (A + r"$A_{21} \cdot 2 = 9$.", "2 ([[1, 2], [3, 4]])_{21} = 6"),
        (A + r"$\mathrm{softmax}(A)_{12} = 0.9$.", "softmax([[1, 2], [3, 4]])_{12} ≈ 0.73"),
        ("$v = [1, 2]$. $(2v)_2 = 5$.", "(2 [1, 2])_2 = 4"),
        (WIDE + "$B_{12} + 1 = 9$.", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]_{12} + 1 = 13"),
        ("$v = [1, 2]$. $v = [1, 2]$. $v_1 + 1 = 3$.", "[1, 2]_1 + 1 = 2"),
        ("$s = [1, 2]$. $w = 2s$. $w + w = [9, 9]$.", "w + w = [4, 8]"),
        (r"$x = \sqrt{2}$. $v = [x, 1]$. $2v = [1, 1]$.", "2 [sqrt(2), 1] ≈ [2.8, 2]"),
        (
            r"$x = \sqrt{2}$. $M = [[x, 1], [0, 1]]$. $2M = [[1, 1], [0, 1]]$.",
            "2 [[sqrt(2), 1], [0, 1]] ≈ [[2.8, 2], [0, 2]]",
        ),
        (r"$x = \sqrt{2}$. $M = [[x], [1]]$. $2M = [[1], [1]]$.", "2 [[sqrt(2)], [1]] ≈ [[2.8], [2]]"),
        # an entry of what is worked out is told with what it is worked out of
        (r"$s = [1, 2]$. $p = \mathrm{softmax}(s)$. $p_2 = 0.9$.", "softmax([1, 2])_2 ≈ 0.73"),
        (r"$s = [1, 2]$. $p = \mathrm{softmax}(s) = [0.9, 0.1]$. $p_2 = 0.5$.", "softmax([1, 2])_2 ≈ 0.73"),
        (r"$s = [1, 2]$. $p = \mathrm{softmax}(s)$. $p_2 + 1 = 1.9$.", "p_2 + 1 ≈ 1.7"),
        (r"$s = [1, 2]$. $p = \mathrm{softmax}(s)$. $2p = [0.9, 1.1]$.", "2 p ≈ [0.54, 1.5]"),
        # digits that are wrong give no right line: the name stands there
        ("$s = [1, 2]$. $w = 2 s = [2, 5]$. $w + w = [9, 9]$.", "w + w = [4, 8]"),
        ("$2 + 3 = 5$.", ""),
    ],
)
def test_the_line_as_it_should_stand(text, line):
    assert check(text, name="a.md").equations[-1].right_line == line


def test_a_long_line_is_left_out():
    for length, is_told in ((CHARACTERS_AT_MOST - 4, True), (CHARACTERS_AT_MOST - 3, False)):
        side = Side("1" * length, Integer(1))
        assert bool(right_line(side, None, "=", "2")) is is_told
    assert right_line(Side("1  +\n 2", Integer(3)), None, "≈", "3") == "1 + 2 ≈ 3"
