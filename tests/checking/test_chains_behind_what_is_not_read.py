"""Numbers put in behind ≈ where the side before cannot be read: they are roundings, and nobody is accused for that."""

import pytest

from symtransformer import check

PAGE = r"""
$S = \begin{bmatrix}2 & 1 & 0 \\ 0 & 0 & 3\end{bmatrix}, D = \begin{bmatrix}1 & 0 & -1 \\ 0.5 & 2 & 0\end{bmatrix}$

$A = \operatorname{softmax}(S) \approx \begin{bmatrix}0.6652 & 0.2447 & 0.0900 \\ 0.0453 & 0.0453 & 0.9094\end{bmatrix}$

$G = A \odot (D - \operatorname{broadcast}(\operatorname{rowsum}(A \odot D), m))
\approx \begin{bmatrix}0.6652 & 0.2447 & 0.0900 \\ 0.0453 & 0.0453 & 0.9094\end{bmatrix} \odot \left(
\begin{bmatrix}1 & 0 & -1 \\ 0.5 & 2 & 0\end{bmatrix} - \operatorname{broadcast}(\operatorname{rowsum}(
\begin{bmatrix}0.6652 & 0.2447 & 0.0900 \\ 0.0453 & 0.0453 & 0.9094\end{bmatrix} \odot
\begin{bmatrix}1 & 0 & -1 \\ 0.5 & 2 & 0\end{bmatrix}), 3)\right)
\approx \begin{bmatrix}0.2826 & -0.1408 & -0.1418 \\ 0.0175 & 0.0854 & RESULT\end{bmatrix}$
"""


def verdict(result):
    return check(PAGE.replace("RESULT", result), name="page.md").equations[-1].verdict


def test_the_result_of_unrounded_numbers_is_not_accused():
    # it is -0.10295...; by the printed numbers it would be -0.1030
    assert verdict("-0.1029") in ("right", "right_if_rounded", "undecidable")


@pytest.mark.parametrize("result", ["-0.1039", "0.1029", "-0.1129", "-0.0910"])
def test_what_no_rounding_gives_is_wrong(result):
    assert verdict(result) == "wrong"
