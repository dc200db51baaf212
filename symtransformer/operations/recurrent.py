"""A recurrent network, one position after the other."""

from __future__ import annotations

from typing import Any

from sympy import S

from symtransformer.arguments import Parameter
from symtransformer.errors import UnreadableInput
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages, require_equal_sizes
from symtransformer.operations.addition import Addition
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.rows import Row
from symtransformer.operations.tanh import Tanh
from symtransformer.operations.transpose import Transpose


class RecurrentStep(Composite):
    """RecurrentStep(h, x, W_h, W_x, b) = tanh(h W_h + x W_x + 1 bᵀ), h: r x d_h, x: r x d, W_h: d_h x d_h, b: d_h x 1.

    Each of the r rows is a sequence of its own; without b nothing is added.

    >>> from symtransformer import dimension, matrix
    >>> d, d_h = dimension("d"), dimension("d_h")
    >>> W_h, W_x = matrix("W_h", d_h, d_h), matrix("W_x", d, d_h)
    >>> RecurrentStep(matrix("h", 1, d_h), matrix("x", 1, d), W_h, W_x).shape
    (1, d_h)
    """

    __slots__ = ()
    parameters = (
        Parameter("state"), Parameter("input"), Parameter("state_weight"), Parameter("input_weight"),
        Parameter("bias", optional=True),
    )  # fmt: skip
    title = Words("Step of a recurrent network", "RNN の 1 ステップ")
    explanation = Words(
        "The new state is made from the state before and the input of this position, with the same weights at every "
        "position. It cannot be computed before the state of the position before it.",
        "1 つ前の状態とこの位置の入力から、新しい状態を作ります。重みはどの位置でも同じです。"
        "1 つ前の状態が決まるまで、次の状態は計算できません。",
    )
    source = Words(
        "Elman 1990; Goodfellow, Bengio and Courville, Deep Learning, eqs. (10.8) and (10.9), with row vectors here",
        "Elman 1990。Goodfellow・Bengio・Courville, Deep Learning, 式 (10.8)・(10.9)。ここではベクトルは行",
    )
    notation = Call("RecurrentStep")
    letter = "H_new"

    def definition(self) -> Stages:
        state, argument, state_weight, input_weight = self.args[:4]
        require_equal_sizes(lambda: "a recurrent step", "rows and columns of the state's weight", *state_weight.shape)
        terms: list[Any] = [Product(state, state_weight), Product(argument, input_weight)]
        bias: Any = self.argument("bias")
        if bias is not None:
            require_equal_sizes(lambda: f"the bias {bias}", "its number of columns and 1", bias.shape[1], S.One)
            terms.append(Product(Ones(state.shape[0], S.One), Transpose(bias)))
        return Stages((), Tanh(Addition(*terms)))


def recurrent_chain(start: Node, inputs: Any, state_weight: Node, input_weight: Node, bias: Any = None) -> list[Node]:
    """The states after each row of `inputs` (n x d, n a number), each made from the one before.

    >>> from symtransformer import matrix
    >>> h, X, W_h, W_x = matrix("h", 1, 2), matrix("X", 4, 3), matrix("W_h", 2, 2), matrix("W_x", 3, 2)
    >>> len(recurrent_chain(h, X, W_h, W_x))
    4
    """
    if not inputs.shape[0].is_Integer:
        raise UnreadableInput(f"a recurrent chain: the number of positions must be a number, not {inputs.shape[0]}")
    states = [start]
    for position in range(int(inputs.shape[0])):
        states.append(RecurrentStep(states[-1], Row(inputs, position), state_weight, input_weight, bias=bias))
    return states[1:]
