"""Which expressions may hold −∞: masks, letters to which one is added or that a softmax reads, and what is made of these.

And which ones surely hold no 0, so that dividing by them needs no guard.
"""

from __future__ import annotations

from collections.abc import Iterable

from sympy import S

from symtransformer.derivation import Step
from symtransformer.node import Node, postorder
from symtransformer.operation import Primitive, unfolded
from symtransformer.operations.exponential import Exponential
from symtransformer.operations.gelu import NormalDistribution
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.hardmax import Hardmax
from symtransformer.operations.log_sum_exp import LogSumExp
from symtransformer.operations.mask import Mask
from symtransformer.operations.masks import CausalMask, PaddingMask
from symtransformer.operations.ones import Ones
from symtransformer.operations.relu import Heaviside, ReLU
from symtransformer.operations.root_mean_square import RootMeanSquare
from symtransformer.operations.row_sum import Broadcast
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.square_root import SquareRoot
from symtransformer.operations.standard_deviation import StandardDeviation
from symtransformer.operations.tanh import Tanh
from symtransformer.symbols import Letter, Literal

FINITE = (Exponential, Hadamard, Hardmax, Heaviside, LogSumExp, NormalDistribution, ReLU, Softmax, Tanh)
READS_SCORES = (Hardmax, LogSumExp, Mask, Softmax)


class Infinite:
    """Whether a node may hold −∞, for the steps of a derivation in order."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self.steps = {step.letter.family: unfolded(step.definition) for step in steps}
        self.found: dict[Node, bool] = {}
        self.letters: set[Letter] = set()
        waiting = [
            child
            for root in self.steps.values()
            for node in postorder(root)
            if isinstance(node, READS_SCORES)
            for child in node._children
        ]
        while waiting:  # the letters that scores are made of, as long as −∞ would stay −∞ on the way
            node = waiting.pop()
            if isinstance(node, Letter):
                if node.family not in self.steps:
                    self.letters.add(node.family)
                elif self.steps[node.family] not in self.found:
                    self.found[self.steps[node.family]] = False
                    waiting.append(self.steps[node.family])
            elif _passes(node):
                waiting.extend(node._children)
        self.found.clear()
        for root in self.steps.values():  # in order, so that no call goes deep
            self.may_be(root)

    def may_be(self, root: Node) -> bool:
        for node in postorder(root, stop=self.found.__contains__):
            if node not in self.found:
                self.found[node] = self._one(node)
        return self.found[root]

    def never_0(self, node: Node) -> bool:
        """Whether every entry is surely larger than 0: a root with a positive number below it."""
        while True:
            if isinstance(node, Letter) and node.family in self.steps:
                node = self.steps[node.family]
            elif isinstance(node, Broadcast):
                node = node._children[0]
            else:
                break
        roots = (RootMeanSquare, SquareRoot, StandardDeviation)
        return isinstance(node, Ones) or (isinstance(node, roots) and bool(node.args[1].is_positive))

    def _one(self, node: Node) -> bool:
        if isinstance(node, Letter):
            behind = self.steps.get(node.family)
            return node.family in self.letters if behind is None else self.may_be(behind)
        if isinstance(node, Literal):
            return bool(node.matrix.has(S.Infinity, S.NegativeInfinity))
        return isinstance(node, (CausalMask, PaddingMask)) or (
            _passes(node) and any(self.found[c] for c in node._children)
        )


def _passes(node: Node) -> bool:
    return isinstance(node, Primitive) and node.accepts_infinity and not isinstance(node, FINITE)
