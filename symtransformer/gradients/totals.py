"""Rows whose sum is known: a softmax, one-hot rows, letters of which it is assumed, and mixtures of those."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import S

from symtransformer.node import Node
from symtransformer.notation import Words
from symtransformer.operations.addition import Addition
from symtransformer.operations.ones import Ones
from symtransformer.operations.row_sum import RowSum
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.softmax import Softmax
from symtransformer.rules import Rule
from symtransformer.symbols import DistributionLetter, Letter, Literal

KNOWN_SUMS = Words(
    "Where every row is known to add up to a number, its row sums are that number.",
    "どの行の合計も分かっているときは、行ごとの合計をその数で置き換えます。",
)


class RowTotals:
    """What every row of an expression adds up to, where that is the same known number for all of them."""

    def __init__(self, definitions: Mapping[int, Node]) -> None:
        self.behind = definitions  # by the numbers of letters
        self.known: dict[int, Any] = {}
        self.used: set[Node] = set()
        self.rule = Rule(
            Words("known row sums", "分かっている行の合計"), "rowsum(P) = 1", KNOWN_SUMS, (RowSum,), self._sum
        )

    def of(self, node: Any) -> Any:
        """The total, or None; the graph is walked once, and a letter stands for its definition."""
        if type(node) is Letter and node.number not in self.behind:
            return None
        known, stack = self.known, [node]
        while stack:
            top = stack[-1]
            if top.number in known:
                stack.pop()
                continue
            totals = []
            for part in self._asks(top):
                if part.number not in known:
                    stack.append(part)
                    break
                totals.append(known[part.number])
                if totals[-1] is None:  # whatever the others are
                    known[top.number] = None
                    break
            else:
                known[top.number] = self._total(top, totals)
        return known[node.number]

    def _asks(self, node: Any) -> tuple[Any, ...]:
        """What its total follows from."""
        kind = type(node)
        if kind is not DistributionLetter and node.number in self.behind:
            return (self.behind[node.number],)
        return node.args[:1] if kind is Scaling else node.args if kind is Addition else ()

    def _total(self, node: Any, totals: list[Any]) -> Any:
        kind = type(node)
        if kind is Softmax or kind is DistributionLetter:
            return S.One
        if kind is Ones:
            return node.shape[1]
        if kind is Literal:
            sums = {sum(row) for row in node.matrix.tolist()}
            return sums.pop() if len(sums) == 1 else None
        if kind is Scaling:
            return totals[0] * node.args[1] / node.args[2]
        return sum(totals).cancel() if totals else None

    def _sum(self, node: Node) -> Node | None:
        total = self.of(node.args[0])
        if total is None or not total.is_finite:
            return None
        self.used.add(node.args[0])  # type: ignore[arg-type]
        return Scaling(Ones(node.shape[0], S.One), total, S.One)  # type: ignore[no-any-return]

    def assumed(self) -> tuple[Letter, ...]:
        """The letters whose rows were taken to add up to 1, in what was used."""
        if not self.used:
            return ()
        stack, seen = list(self.used), set[Any]()
        while stack:
            node = stack.pop()
            if node not in seen:
                seen.add(node)
                stack.extend(self._asks(node))
        return tuple(sorted((x for x in seen if isinstance(x, DistributionLetter)), key=lambda x: x.name))
