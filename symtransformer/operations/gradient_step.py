"""One step of gradient descent."""

from __future__ import annotations

from symtransformer.arguments import SCALAR, Parameter
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages
from symtransformer.operations.addition import Addition
from symtransformer.operations.scaling import Scaling


class GradientStep(Composite):
    """GradientStep(W, G, η) = W − η G, with the gradient G of the size of W and a learning rate η.

    >>> from symtransformer import dimension, matrix, parameter
    >>> d, m = dimension("d"), dimension("m")
    >>> GradientStep(matrix("W", d, m), matrix("G", d, m), parameter("eta")).shape
    (d, m)
    """

    __slots__ = ()
    parameters = (Parameter("weights"), Parameter("gradient"), Parameter("rate", SCALAR))
    title = Words("Step of gradient descent", "勾配降下の 1 ステップ")
    explanation = Words(
        "Each weight moves against its own slope, by the slope times the learning rate.",
        "各重みを、その傾きと逆の向きに、傾きと学習率の積だけ動かします。",
    )
    source = Words(
        "Cauchy 1847; Goodfellow, Bengio and Courville, Deep Learning, eq. (4.5)",
        "Cauchy 1847。Goodfellow・Bengio・Courville, Deep Learning, 式 (4.5)",
    )
    notation = Call("GradientStep")
    letter = "W_new"

    def definition(self) -> Stages:
        weights, gradient, rate = self.args
        return Stages((), Addition(weights, Scaling(gradient, -rate, 1)))
