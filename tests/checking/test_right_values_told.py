"""What is told to be right is: a fraction is no whole number, something is not nothing, and = stands before all digits only."""

import pytest

from symtransformer import check


def told(text):
    equation = check(text, name="a.md").equations[-1]
    return equation.right_value, equation.right_line.rpartition(equation.right_value)[0].split()[-1]


@pytest.mark.parametrize(
    ("text", "right", "sign"),
    [
        ("$1/2 = 0$", "0.5", "="),
        ("$1/2 = 1$", "0.5", "="),
        (r"$3 \times 0.5 = 1$", "1.5", "="),
        ("$7/2 = 2$", "3.5", "="),
        ("$1/16 = 5$", "0.0625", "="),
        ("$1/32 = 5$", "0.031", "≈"),  # 0.03125
        ("$100/3 = 34$", "33.3", "≈"),
        ("$100/3 ≈ 34$", "33", "≈"),
        (r"$\sqrt{2} = 2$", "1.4", "≈"),
        (r"$\sqrt{2} ≈ 2$", "1", "≈"),
        ("$0.1 × 0.1 = 0.1$", "0.01", "="),
        ("$1/8 = 0.15$", "0.13", "≈"),
        ("$1/8 = 0.11$", "0.13", "≈"),
        ("$1/4 = 0.24$", "0.25", "="),
        ("$2 + 2 = 5$", "4", "="),
        (r"$\frac{1}{1+e^{-1}} = 0$", "0.73", "≈"),
        (r"$[0.1, 0.2] \odot [0.1, 0.2] = [0.1, 0.4]$", "[0.01, 0.04]", "="),
        ("$[2.5, 5.5] + [0, 0] = [7, 5]$", "[2.5, 5.5]", "="),
        (r"$\mathrm{softmax}([1, 2]) = [0, 1]$", "[0.27, 0.73]", "≈"),
        (r"$\mathrm{softmax}([1, 2]) = [0.3, 0.8]$", "[0.3, 0.7]", "≈"),  # one of both was right
    ],
)
def test_the_value_and_its_sign(text, right, sign):
    assert told(text) == (right, sign)


@pytest.mark.parametrize(
    ("shown", "right"), [("3 & 6", "[2.5, 5.5]"), ("7 & 5", "[2.5, 5.5]"), ("2.5 & 6", "[2.5, 5.5]")]
)
def test_entries_are_told_with_their_decimals(shown, right):
    product = r"\begin{pmatrix}0.5 & 1\end{pmatrix}\begin{pmatrix}1 & 3\\2 & 4\end{pmatrix}"
    found = check(rf"${product} = \begin{{pmatrix}}{shown}\end{{pmatrix}}$", name="a.md").equations[0]
    assert found.right_value.strip("[]") == right.strip("[]")
    assert all(entry.right in ("2.5", "5.5") for entry in found.entries)
