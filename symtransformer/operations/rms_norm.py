"""RMSNorm: rows divided by their root mean square, scaled column by column."""

from __future__ import annotations

from sympy import Rational

from symtransformer.arguments import SCALAR, Parameter
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages
from symtransformer.operations.layer_norm import scaled_and_shifted
from symtransformer.operations.rms_division import RMSDivision


class RMSNorm(Composite):
    """RMSNorm(X, γ) = rmsnorm(X) ⊙ 1 γᵀ, with X: n x d, γ a column of d entries.

    rmsnorm(X) has the rows of X over √(mean of their squares + ε), ε being 1/100000 unless
    given; no mean is subtracted. Without γ nothing is scaled. Named part, where there is γ: L = rmsnorm(X).

    >>> from symtransformer import dimension, matrix
    >>> n, d = dimension("n"), dimension("d")
    >>> RMSNorm(matrix("X", n, d), matrix("gamma", d, 1)).shape
    (n, d)
    """

    __slots__ = ()
    parameters = (
        Parameter("input"), Parameter("gain", optional=True), Parameter("eps", SCALAR, default=Rational(1, 100_000)),
    )  # fmt: skip
    title = Words("RMS normalization", "RMS 正規化（RMSNorm）")
    explanation = Words(
        "Each row is divided by the root of the mean of its squares plus a small number ε ≥ 0; no mean is subtracted. Then "
        "each column may be scaled by a learned number.",
        "行ごとに、2 乗の平均に小さな数 ε（0 以上）を足した値の平方根で割ります。平均は引きません。"
        "そのあと必要なら、学習した倍率を列ごとに掛けます。",
    )
    source = Words(
        "Zhang and Sennrich 2019, eq. (4), with their gain g our γ; ε inside the root as in common code",
        "Zhang・Sennrich 2019, 式 (4)。そこでのゲイン g がここでの γ。ε は、広く使われるコードと同じく根号の中",
    )
    notation = Call("RMSNorm")
    letter = "N"

    def definition(self) -> Stages:
        rows, eps = self.argument("input"), self.argument("eps")
        return scaled_and_shifted(RMSDivision(rows, eps), self.argument("gain"), None)
