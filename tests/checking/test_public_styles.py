"""Styles in which public pages calculate, in documents of our own: what is right is not accused, and a planted slip is.

The numbers are right by NumPy or fractions below; `public_documents.md` says which pages the styles were seen on.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from symtransformer.checking.checks import check
from symtransformer.checking.equations import ACCEPTED, ACCUSING


def verdicts(text: str) -> dict[int, list[str]]:
    """The verdicts of each line, in order."""
    found: dict[int, list[str]] = {}
    for equation in check(text, name="own.md").equations:
        found.setdefault(equation.line, []).append(equation.verdict)
    return found


def accused(text: str) -> list[int]:
    return sorted(line for line, said in verdicts(text).items() if set(said) & set(ACCUSING))


def accepted(text: str) -> list[int]:
    return sorted(line for line, said in verdicts(text).items() if set(said) & set(ACCEPTED))


COMPONENTS = """```
x_sea = [2, 0, 1]
W_K = [[1, 0],
       [3, 1],
       [0, 2]]
```
and one component after the other
```
k₁ = 2·1 + 0·3 + 1·0 = 2
k₂ = 2·0 + 0·1 + 1·2 = 2
```
so
```
k_sea = [2, 2]
s = [1, 3] · [2, 2]
  = 2 + 6
  = 8
```
"""


def test_components_one_after_the_other():
    assert (np.array([2, 0, 1]) @ np.array([[1, 0], [3, 1], [0, 2]])).tolist() == [2, 2]
    assert accused(COMPONENTS) == []
    assert set(accepted(COMPONENTS)) >= {9, 10, 16, 17}
    assert accused(COMPONENTS.replace("1·2 = 2", "1·2 = 3")) == [10]
    assert 16 in accused(COMPONENTS.replace("= 2 + 6", "= 2 + 7"))


ROUNDED = r"""Scores $[0.8, 0.3]$.

$$
e^{0.8} = 2.226, \quad e^{0.3} = 1.350
$$

$$
\text{Sum} = 2.226 + 1.350 = 3.576
$$

$$
w = \left[\frac{2.226}{3.576},\; \frac{1.350}{3.576}\right] = [0.622,\; 0.378]
$$

$$
o = 0.622 \times 0.5 + 0.378 \times 1 = 0.311 + 0.378 = 0.689
$$
"""


def test_sums_of_rounded_products():
    assert [round(math.exp(0.8), 3), round(math.exp(0.3), 3)] == [2.226, 1.350]
    assert [round(2.226 / 3.576, 3), round(1.350 / 3.576, 3)] == [0.622, 0.378]
    assert accused(ROUNDED) == []
    assert {4, 8, 12, 16} <= set(accepted(ROUNDED))
    assert accused(ROUNDED.replace("= 0.689", "= 0.698")) == [16]
    assert accused(ROUNDED.replace("1.350\n$$\n\n$$\n\\text", "1.530\n$$\n\n$$\n\\text")) == [4]


THIRDS = r"$$ o = 0.333 \times 1 + 0.333 \times 0.5 = 0.333 + 0.167 = 0.500 $$"


def test_a_product_that_is_rounded_on_its_way_is_no_error():
    assert Fraction("0.333") * Fraction("1.5") != Fraction("0.5")
    assert accused(THIRDS) == []
    assert verdicts(THIRDS.replace("0.167", "0.177"))[1][1] not in ACCEPTED


PERCENT = """```
e^0.5 = 1.65
e^0.2 = 1.22

Sum = 1.65 + 1.22 = 2.87

"sea":  1.65 / 2.87 = 0.57 = 57%
"salt": 1.22 / 2.87 = 0.43 = 43%
```
"""


def test_percentages_behind_quoted_names():
    assert [round(math.exp(0.5), 2), round(math.exp(0.2), 2)] == [1.65, 1.22]
    assert [round(1.65 / 2.87, 2), round(1.22 / 2.87, 2)] == [0.57, 0.43]
    assert accused(PERCENT) == []
    assert accepted(PERCENT) == [2, 3, 5, 7, 8]
    assert accused(PERCENT.replace("= 43%", "= 34%")) == [8]


MATRICES = r"""$$X = \begin{bmatrix} 1 & 0 & 2 \\ 0 & 1 & 1 \end{bmatrix}, \quad W^Q = \begin{bmatrix} 1 & 0 \\ 2 & 1 \\ 0 & 1 \end{bmatrix}, \quad W^K = \begin{bmatrix} 0 & 1 \\ 1 & 0 \\ 1 & 1 \end{bmatrix}$$

$$Q = XW^Q = \begin{bmatrix} 1 & 2 \\ 2 & 2 \end{bmatrix}$$

$$K = XW^K = \begin{bmatrix} 2 & 3 \\ 2 & 1 \end{bmatrix}$$

$$QK^T = \begin{bmatrix} 1 & 2 \\ 2 & 2 \end{bmatrix} \begin{bmatrix} 2 & 2 \\ 3 & 1 \end{bmatrix} = \begin{bmatrix} 8 & 4 \\ 10 & 6 \end{bmatrix}$$

$$\frac{QK^T}{\sqrt{2}} = \begin{bmatrix} 5.66 & 2.83 \\ 7.07 & 4.24 \end{bmatrix}$$
"""


def test_matrices_step_by_step():
    inputs = np.array([[1, 0, 2], [0, 1, 1]])
    queries = inputs @ np.array([[1, 0], [2, 1], [0, 1]])
    keys = inputs @ np.array([[0, 1], [1, 0], [1, 1]])
    assert (queries.tolist(), keys.tolist()) == ([[1, 2], [2, 2]], [[2, 3], [2, 1]])
    assert (queries @ keys.T).tolist() == [[8, 4], [10, 6]]
    assert np.round(queries @ keys.T / 2**0.5, 2).tolist() == [[5.66, 2.83], [7.07, 4.24]]
    assert accused(MATRICES) == []
    assert {3, 5, 7, 9} <= set(accepted(MATRICES))
    planted = MATRICES.replace("1 & 2 \\\\ 2 & 2 \\end{bmatrix}$$\n\n$$K", "1 & 2 \\\\ 2 & 5 \\end{bmatrix}$$\n\n$$K")
    assert accused(planted)[0] == 3
    assert accused(MATRICES.replace("7.07", "7.70")) == [9]


def test_a_general_formula_behind_an_example():
    text = r"""$$Q = \begin{bmatrix} 1 & 0 \\ 0 & 2 \\ 1 & 1 \end{bmatrix}, \quad d_k = 2$$

Now $d_k = 64$ in the paper:

$$\text{Attention}(Q, K, V) = \text{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V$$
"""
    assert accused(text) == []
    assert 5 in accused(text.replace("QK^T", "KQ^T"))


def test_conditions_on_the_indices():
    text = r"""$$a_j = \frac{e^{z_j}}{\sum_k e^{z_k}}$$

$$ \frac{\partial a_j}{\partial z_i} = a_i(1 - a_i), \quad i = j $$
$$ \frac{\partial a_j}{\partial z_i} = -a_i a_j, \quad i \neq j $$
"""
    assert accused(text) == []


def test_a_unit_behind_the_dollars_is_not_overlooked():
    text = "It has $2048 \\cdot 512 = 1048576 \\approx 1.05$M weights."
    assert accused(text) == []
    assert verdicts(text)[1][0] == "right"
    assert verdicts(text)[1][1] not in ACCEPTED


def test_softmax_of_one_number_is_a_component():
    text = r"""$$\text{softmax}(2) = \frac{7.389}{10.107} = 0.7311 \approx 73.11\%$$"""
    assert round(7.389 / 10.107, 4) == 0.7311
    assert accused(text) == []
    assert accused(text.replace("0.7311", "0.7113")) == [1]


def test_gradients_with_a_delta():
    text = r"""\begin{align}
Q &= X W^Q, & K &= X W^K \\
A &= \frac{Q K^\top}{\sqrt{d_k}} \\
\delta Q &= \delta A \, K / \sqrt{d_k}, \qquad \delta K = \delta A^\top Q / \sqrt{d_k}
\end{align}
"""
    assert accused(text) == []


def test_a_chain_over_several_displays():
    text = r"""> $$ \log(0.7/0.5) = \log 1.4 $$
> $$ = 0.3365 $$

KL $= 0.7 \cdot 0.3365 + 0.3 \cdot (-0.5108)$
$= 0.2356 - 0.1532$
$= 0.0824$ nats.
"""
    assert round(math.log(1.4), 4) == 0.3365
    assert [round(0.7 * 0.3365, 4), round(0.3 * 0.5108, 4), round(0.2356 - 0.1532, 4)] == [0.2356, 0.1532, 0.0824]
    assert accused(text) == []
    assert {1, 2, 6} <= set(accepted(text))
    assert accused(text.replace("0.3365 $$", "0.3356 $$")) == [2]


def test_thousands_are_not_cut_in_two():
    text = "$$= 24 \\times 1024 \\times 262144 = 6,442,450,944 \\approx 6.4 \\times 10^9$$"
    assert 24 * 1024 * 262144 == 6_442_450_944
    assert accused(text) == []


@pytest.mark.parametrize("document", [COMPONENTS, ROUNDED, THIRDS, PERCENT, MATRICES])
def test_every_sign_of_these_documents_is_read(document):
    assert [e.text for e in check(document, name="own.md").equations if e.verdict == "unparsed"] == []


def test_whole_numbers_beside_decimals_claim_those_decimals():
    text = "$$O = \\begin{pmatrix} 0.8 & 0.2 \\\\ 0.5 & 0.5 \\end{pmatrix}$$\n\n$$2 O = \\begin{pmatrix} 2 & 0 \\\\ 1.0 & 1.0 \\end{pmatrix}$$"
    assert accused(text) == [3]


def test_a_number_with_two_commas_says_what_the_others_are():
    text = "$1,048,576 + 2,048 = 1,050,624$\n\n$1{,}048{,}576 + 2{,}048 = 1{,}050{,}642$"
    assert accepted(text) == [1]
    assert accused(text) == [3]
