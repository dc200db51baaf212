"""Which inputs are masks, into which a reader of a page may put −∞: it is added to scores and ends in a softmax."""

from __future__ import annotations

from symtransformer.derivation import Derivation, Step
from symtransformer.node import Node, postorder
from symtransformer.operation import unfolded
from symtransformer.operations.exponential import Exponential
from symtransformer.operations.mask import Mask
from symtransformer.operations.softmax import Softmax
from symtransformer.symbols import Letter

ENDS = (Softmax, Exponential)  # −∞ gives exactly 0 there


def what_it_means(step: Step, proved: frozenset[str], rounding: bool = False) -> Node:
    """What a page computes a step from: its definition, where that is proved, otherwise what it must stand for.

    Where every line is rounded before the next one uses it, that is the line as it stands.
    """
    return step.expression if rounding else step.definition if step.name in proved else step.stands_for


def masks_of(derivation: Derivation, proved: frozenset[str], rounding: bool = False) -> frozenset[str]:
    """The names of inputs that are nothing but masks, whose −∞ reaches no operation but Mask, Softmax and Exponential.

    >>> from symtransformer import derive, matrix
    >>> from symtransformer.operations import Mask, Softmax
    >>> S, M = matrix("S", 2, 3), matrix("M", 2, 3)
    >>> sorted(masks_of(derive(Softmax(Mask(S, M))), frozenset()))
    ['M']
    >>> masks_of(derive(Mask(S, M) @ matrix("V", 3, 1)), frozenset())
    frozenset()
    """
    trees: list[tuple[str, Node]] = [(s.name, unfolded(what_it_means(s, proved, rounding))) for s in derivation.steps]
    nodes = dict.fromkeys(node for _, tree in trees for node in postorder(tree))
    masks = {
        node._children[1].name
        for node in nodes
        if isinstance(node, Mask) and isinstance(node._children[1], Letter) and node.shape[1] != 1
    }
    return frozenset(name for name in masks & {x.name for x in derivation.inputs} if _only_hides(name, trees))


def _only_hides(mask: str, trees: list[tuple[str, Node]]) -> bool:
    infinite = {mask}  # names of letters whose entries may be −∞
    for name, tree in trees:
        reached: set[Node] = set()
        for node in postorder(tree):
            if isinstance(node, Letter):
                if node.name in infinite:
                    reached.add(node)
                continue
            if isinstance(node, ENDS) or not reached.intersection(node._children):
                continue
            if not isinstance(node, Mask) or getattr(node._children[0], "name", "") == mask:
                return False
            reached.add(node)
        if tree in reached:
            infinite.add(name)
    return True
