"""Add & Norm: what a sub-layer read and what it made of it are added, and the sum is normalized."""

from __future__ import annotations

from sympy import Rational

from symtransformer.arguments import SCALAR, Parameter
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages, require_same_shape
from symtransformer.operations.addition import Addition
from symtransformer.operations.layer_norm import LayerNorm


class AddNorm(Composite):
    """AddNorm(X, Y, γ, β) = LayerNorm(X + Y, γ, β): X what the sub-layer read, Y what it gave, both n x d.

    Named part: R = X + Y (the residual connection). γ, β and ε are those of `LayerNorm`.

    >>> from symtransformer import dimension, matrix
    >>> n, d = dimension("n"), dimension("d")
    >>> X, O = matrix("X", n, d), matrix("O", n, d)
    >>> AddNorm(X, O), AddNorm(X, O).shape
    (AddNorm(X, O, 0.00001), (n, d))
    """

    __slots__ = ()
    parameters = (
        Parameter("residual"), Parameter("update"),
        Parameter("gain", optional=True), Parameter("shift", optional=True),
        Parameter("eps", SCALAR, default=Rational(1, 100_000)),
    )  # fmt: skip
    title = Words("Add & Norm", "残差の足し算と正規化（Add & Norm）")
    explanation = Words(
        "The rows that went into a sub-layer are added to the rows that came out of it, and each row of the sum is "
        "normalized.",
        "サブレイヤーに入った行と、そこから出てきた行を足し、その和を行ごとに正規化します。",
    )
    source = Words(
        "Vaswani et al. 2017, section 3.1: LayerNorm(x + Sublayer(x)), with x the residual here",
        "Vaswani ほか 2017, 3.1 節：LayerNorm(x + Sublayer(x))。x がここでの residual",
    )
    notation = Call("AddNorm")
    letter = "N"

    def definition(self) -> Stages:
        residual, update = self.args[:2]
        require_same_shape(lambda: f"{residual} + {update}", residual.shape, update.shape)
        total = Addition(residual, update)
        whole = LayerNorm(total, gain=self.argument("gain"), shift=self.argument("shift"), eps=self.argument("eps"))
        return Stages((("R", total),), whole, _WORDS)


_WORDS = {
    "R": (
        Words("Residual connection", "残差接続（Add）"),
        Words(
            "The input of the sub-layer is added to its output, entry by entry: the first term is what went in, "
            "the second what came out.",
            "サブレイヤーの入力を、その出力に成分ごとに足します。1 つ目の項が入力、2 つ目の項が出力です。",
        ),
    ),
    "": (
        Words("Normalized sum", "和の正規化（Norm）"),
        Words(
            "Each row of the sum is normalized on its own.",
            "和の各行を、行ごとに正規化します。",
        ),
    ),
}
