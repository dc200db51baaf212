"""Layer normalization: standardized rows, scaled and shifted column by column."""

from __future__ import annotations

from typing import Any

from sympy import Rational, S

from symtransformer.arguments import SCALAR, Parameter
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages, require_equal_sizes
from symtransformer.operations.addition import Addition
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.standardization import Standardization
from symtransformer.operations.transpose import Transpose


class LayerNorm(Composite):
    """LayerNorm(X, γ, β) = norm(X) ⊙ 1 γᵀ + 1 βᵀ, with X: n x d, γ and β columns of d entries.

    norm(X) has the rows of X less their mean, over √(variance + ε); the variance is divided by
    d, and ε (1/100000 unless given) stands inside the root. Without γ nothing is scaled, without
    β nothing is shifted. Named part, where there is γ or β: L = norm(X).

    >>> from symtransformer import dimension, matrix
    >>> n, d = dimension("n"), dimension("d")
    >>> LayerNorm(matrix("X", n, d), matrix("gamma", d, 1), matrix("beta", d, 1)).shape
    (n, d)
    """

    __slots__ = ()
    parameters = (
        Parameter("input"), Parameter("gain", optional=True), Parameter("shift", optional=True),
        Parameter("eps", SCALAR, default=Rational(1, 100_000)),
    )  # fmt: skip
    title = Words("Layer normalization", "レイヤー正規化（LayerNorm）")
    explanation = Words(
        "Each row on its own is shifted to mean 0 and divided by the root of its variance plus a small number ε ≥ 0; then "
        "each column may be scaled and shifted by learned numbers.",
        "行ごとに、平均を 0 にそろえ、分散に小さな数 ε（0 以上）を足した値の平方根で割ります。"
        "そのあと必要なら、学習した倍率とシフト量で、列ごとに拡大とシフトをします。",
    )
    source = Words(
        "Ba et al. 2016, eq. (3) and (4), with their gain g and bias b our γ and β; ε inside the root",
        "Ba ほか 2016, 式 (3)・(4)。そこでのゲイン g とバイアス b がここでの γ と β。ε は根号の中",
    )
    notation = Call("LayerNorm")
    letter = "N"

    def definition(self) -> Stages:
        rows, eps = self.argument("input"), self.argument("eps")
        return scaled_and_shifted(Standardization(rows, eps), self.argument("gain"), self.argument("shift"))


def scaled_and_shifted(rows: Node, gain: Any, shift: Any) -> Stages:
    """rows ⊙ 1 γᵀ + 1 βᵀ, each as far as it is given."""
    whole = rows
    if gain is not None:
        whole = Hadamard(whole, _in_each_row(gain, rows, "gain"))
    if shift is not None:
        whole = Addition(whole, _in_each_row(shift, rows, "shift"))
    if whole is rows:
        return Stages((), rows)
    return Stages((("L", rows),), whole, _WORDS)


def _in_each_row(column: Any, rows: Node, what: str) -> Any:
    """1 cᵀ: the entries of a column in each row."""
    require_equal_sizes(lambda: f"the {what} {column}", "its rows and the columns", column.shape[0], rows.shape[1])
    require_equal_sizes(lambda: f"the {what} {column}", "its number of columns and 1", column.shape[1], S.One)
    return Product(Ones(rows.shape[0], S.One), Transpose(column))


_WORDS = {
    "L": (
        Words("Normalized rows", "正規化した行"),
        Words(
            "The rows before they are scaled and shifted column by column.",
            "列ごとの拡大とシフトをする前の値です。",
        ),
    ),
    "": (
        Words("Scaled and shifted", "拡大とシフト"),
        Words(
            "Each column has a number of its own to be multiplied by, and one to be added; all rows share them. "
            "The column of ones in the formula repeats them in every row.",
            "列ごとに決まった倍率を掛け、決まった値を足します。どの行にも同じ値を使います。"
            "式の中の 1 の列は、その値を各行に繰り返すためのものです。",
        ),
    ),
}
