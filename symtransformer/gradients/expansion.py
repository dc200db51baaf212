"""What the steps of a gradient stand for, written in inputs: each distinct node is written once."""

from __future__ import annotations

from collections.abc import Iterable

from symtransformer.derivation import Step
from symtransformer.node import Node, postorder, substitute
from symtransformer.symbols import Letter


class Expansion:
    """Letters and what stands behind them; a letter of head i stands for a family."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self.behind: dict[str, tuple[Letter, Node]] = {step.name: (step.letter, step.stands_for) for step in steps}
        self.written: dict[Node, Node] = {}

    def define(self, letter: Letter, expression: Node) -> Node:
        """What an expression stands for, which the letter stands for from then on."""
        for node in postorder(expression, stop=self.written.__contains__):
            if node in self.written:
                continue
            if isinstance(node, Letter):
                self.written[node] = self._of_letter(node)
                continue
            args = [self.written[a] if isinstance(a, Node) else a for a in node.args]
            same = all(a is b for a, b in zip(args, node.args, strict=True))
            self.written[node] = node if same else node.func(*args)
        whole = self.written[expression]
        self.behind[letter.name] = letter, whole
        return whole

    def _of_letter(self, letter: Letter) -> Node:
        if letter.name not in self.behind:
            return letter
        defined, whole = self.behind[letter.name]
        if letter.head == defined.head or defined.head is None or not defined.head.is_Symbol:
            return whole if letter.head == defined.head else letter
        return substitute(whole, {defined.head: letter.head})  # type: ignore[no-any-return]
