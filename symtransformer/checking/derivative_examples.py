"""Small numbers for which a derivative is not what is claimed: the number x alone, or a short vector with its targets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import flint
from sympy import Integer

from symtransformer.checking.formula_deciding import Decision
from symtransformer.claims.counterexamples import BITS, NO_VALUE, Counterexample, shown_values, trials
from symtransformer.derivation import Derivative
from symtransformer.enclosures import Balls, precision
from symtransformer.exact import Rows
from symtransformer.judge import REFUTED
from symtransformer.judge.duals import Dual, Duals
from symtransformer.judge.trials import apart_at_most
from symtransformer.node import Node
from symtransformer.operation import compute
from symtransformer.symbols import Letter


def with_small_numbers(decision: Decision, claimed: Node, derivative: Derivative, is_number: bool) -> Decision:
    """The same refutation by small numbers, where such are found; `is_number`: the formula is of one number x."""
    found = _example(claimed, derivative, is_number)
    if found is None:
        return decision
    shown = found.shown.replace("[[", "").replace("]]", "") if is_number else found.shown
    place_en, place_ja = ("", "") if is_number else (f"entry {found.entry} of ", f"の {found.entry} 成分")
    en = f"for {shown}, {place_en}the derivative is {found.derived}, and what is written gives {found.claimed}"
    ja = f"{shown} のとき、微分{place_ja}は {found.derived} だが、書かれた式では {found.claimed} になる"
    return Decision(REFUTED, en, ja, counterexample=shown)


def _example(claimed: Node, derivative: Derivative, is_number: bool) -> Counterexample | None:
    """At the first trial where they certainly differ; the gradient that comes in from above is 1."""
    ((_, made, cotangent),) = derivative.uses
    x = derivative.letter
    for trial in trials(claimed, made):
        if is_number:
            trial.sizes = dict.fromkeys(trial.sizes, Integer(1))

        def values(letter: Letter, trial: Any = trial) -> Rows:
            if letter is cotangent:
                rows, columns = (int(s) for s in letter.xreplace(trial.known).shape)
                return [[flint.arb(1)] * columns for _ in range(rows)]
            return [[Balls().scalar(e) for e in row] for row in trial.matrix(letter).tolist()]

        try:
            with precision(BITS[0]):
                rows = compute(claimed.xreplace(trial.numbers), Balls(), values, trial.sizes)
                for place in ((i, j) for i, row in enumerate(rows) for j in range(len(row))):
                    written = rows[place[0]][place[1]]
                    slope = _slope(made.xreplace(trial.numbers), x, place, values, trial.sizes)
                    if apart_at_most(slope, written) is None:
                        values(x)
                        found = trial.found(f"({place[0] + 1}, {place[1] + 1})", *shown_values(slope, written))
                        return replace(found, sizes=()) if is_number else found
        except NO_VALUE:
            continue
    return None


def _slope(made: Node, x: Letter, place: tuple[int, int], values: Any, sizes: dict[Any, Any]) -> Any:
    """Of the sum of its entries, as the entry of x at this place grows."""

    def leaf(letter: Letter) -> Rows:
        return [
            [Dual(e, flint.arb(letter is x and (i, j) == place)) for j, e in enumerate(row)]
            for i, row in enumerate(values(letter))
        ]

    rows = compute(made, Duals(), leaf, sizes)
    slopes = [entry.t for row in rows for entry in row if isinstance(entry, Dual) and entry.t is not None]
    return sum(slopes, flint.arb(0))


__all__ = ["with_small_numbers"]
