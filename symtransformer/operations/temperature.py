"""Softmax with a temperature, and what it becomes at both ends."""

from __future__ import annotations

from typing import Any

from sympy import S

from symtransformer.arguments import SCALAR, Parameter
from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.exact import Exact
from symtransformer.node import Node, as_node, postorder
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages, compute, unfolded
from symtransformer.operations.hardmax import Hardmax
from symtransformer.operations.mask import Mask
from symtransformer.operations.masks import CausalMask, PaddingMask
from symtransformer.operations.ones import Ones
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.softmax import Softmax
from symtransformer.symbols import Letter, Literal


class TemperatureSoftmax(Composite):
    """TemperatureSoftmax(L, T) = softmax(L / T), with a temperature T > 0; T = 1 is softmax itself.

    Named part: S = L / T.

    >>> from symtransformer import dimension, matrix, parameter
    >>> TemperatureSoftmax(matrix("L", dimension("n"), dimension("K")), parameter("tau")).shape
    (n, K)
    """

    __slots__ = ()
    parameters = (Parameter("logits"), Parameter("temperature", SCALAR))
    title = Words("Softmax with a temperature", "温度付きの Softmax")
    explanation = Words(
        "The logits are divided by the temperature before softmax. Below 1 the largest gains, above 1 the "
        "distribution becomes flatter; the order of the candidates stays the same.",
        "Softmax の前に、ロジットを温度で割ります。1 より小さいと最大の候補に集中し、1 より大きいと平らになります。"
        "候補の順位は変わりません。",
    )
    source = Words("Hinton, Vinyals and Dean 2015, eq. (1)", "Hinton・Vinyals・Dean 2015, 式 (1)")
    notation = Call("TemperatureSoftmax")
    letter = "P"

    def definition(self) -> Stages:
        logits, temperature = self.args
        if temperature.is_nonpositive:
            raise UnreadableInput(f"TemperatureSoftmax: the temperature must be above 0, not {temperature}")
        scaled = Scaling(logits, S.One, temperature)
        return Stages((("S", scaled),), Softmax(scaled), _WORDS)


def temperature_limits(logits: Any) -> tuple[Node, Node]:
    """What softmax(L / T) tends to as T goes to 0 from above, and as T grows without bound.

    The first is Hardmax(L), the largest logits alone, which share the weight where they are equal;
    the second gives the same to each of the K candidates, except those with −∞, which get 0 at every
    T. Letters in L stand for finite numbers; a mask beside them is refused.

    >>> from symtransformer import evaluate
    >>> [evaluate(limit) for limit in temperature_limits([[1, 3, 3, 0]])]
    [Matrix([[0, 1/2, 1/2, 0]]), Matrix([[1/4, 1/4, 1/4, 1/4]])]
    >>> evaluate(temperature_limits([[0, float("-inf"), 1]])[1])
    Matrix([[1/2, 0, 1/2]])
    """
    rows = as_node(logits)
    return Hardmax(rows), _even(rows)


def _even(rows: Node) -> Node:
    """The same weight for every candidate of a row that is not −∞."""
    nodes = list(postorder(unfolded(rows)))
    if any(_hides(node) for node in nodes):
        if any(isinstance(node, Letter) for node in nodes):
            raise NotSupported("temperature limits: letters beside −∞; put numbers in first")
        marks = compute(rows, Exact(), lambda letter: [])
        hidden = [[x if x is S.NegativeInfinity else S.Zero for x in row] for row in marks]
        return Softmax(Literal(hidden))  # type: ignore[no-any-return]
    return Scaling(Ones(*rows.shape), S.One, rows.shape[1])  # type: ignore[no-any-return]


def _hides(node: Node) -> bool:
    """Whether −∞ comes in here."""
    return isinstance(node, (Mask, CausalMask, PaddingMask)) or (
        isinstance(node, Literal) and node.matrix.has(S.NegativeInfinity)
    )


_WORDS = {
    "S": (
        Words("Logits divided by the temperature", "温度で割ったロジット"),
        Words("Every logit is divided by the same positive number.", "どのロジットも同じ正の数で割ります。"),
    ),
}
