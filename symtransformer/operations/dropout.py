"""Dropout with its mask as a symbol."""

from __future__ import annotations

from sympy import S

from symtransformer.arguments import SCALAR, Parameter
from symtransformer.errors import UnreadableInput
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.scaling import Scaling


class Dropout(Composite):
    """Dropout(X, D, p) = X ⊙ D / (1 − p), with D of the size of X, entries 1 (kept) or 0 (dropped), 0 ≤ p < 1.

    Each entry of D is 1 with probability 1 − p, so the mean of the result is X. Outside of
    training there is no dropout: D is all ones and p is 0.

    >>> from symtransformer import dimension, matrix, parameter
    >>> n, d = dimension("n"), dimension("d")
    >>> Dropout(matrix("X", n, d), matrix("D", n, d), parameter("p")).shape
    (n, d)
    """

    __slots__ = ()
    parameters = (Parameter("input"), Parameter("kept"), Parameter("rate", SCALAR))
    title = Words("Dropout", "Dropout（ドロップアウト）")
    explanation = Words(
        "The mask holds 1 where an entry is kept and 0 where it is dropped. If each is 1 at random with the probability "
        "by which the entries are divided, the expected value stays what it was. In use nothing is dropped.",
        "マスクの成分は、残す位置で 1、落とす位置で 0 です。どの成分も、割る数に等しい確率でランダムに 1 になるなら、期待値は変わりません。"
        "学習後に使うときは何も落としません。",
    )
    source = Words(
        "Srivastava et al. 2014, section 10 (scaling while training); Vaswani et al. 2017, section 5.4",
        "Srivastava ほか 2014, 10 節（学習時に拡大する形）。Vaswani ほか 2017, 5.4 節",
    )
    notation = Call("Dropout")
    letter = "Y"

    def definition(self) -> Stages:
        argument, kept, rate = self.args
        if rate.is_negative or (rate - 1).is_nonnegative:
            raise UnreadableInput(f"Dropout: the rate must be at least 0 and below 1, not {rate}")
        return Stages((), Scaling(Hadamard(argument, kept), S.One, 1 - rate))
