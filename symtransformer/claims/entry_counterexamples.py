"""Indices and small numbers for which an entry of a Jacobian is not what is claimed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

from sympy import Integer, Symbol

from symtransformer.claims.counterexamples import BITS, NO_VALUE, Counterexample, Trial, shown_values, trials
from symtransformer.enclosures import Balls, precision
from symtransformer.exact import Rows
from symtransformer.judge.trials import apart_at_most
from symtransformer.node import Node
from symtransformer.operation import compute, unfolded
from symtransformer.operations.entry_formula import EntryFormula
from symtransformer.symbols import Letter


def find_at_entries(
    jacobian: Any,
    write_out: Callable[[Node], Node],
    where: Callable[[Mapping[str, int]], bool] | None = None,
    numbers: type[Balls] = Balls,
) -> tuple[Counterexample | None, int]:
    """Indices and numbers for which one entry of a Jacobian differs from what is claimed, and how many were compared.

    Only the indices that fulfil `where` count. Of `numbers` is what is derived.
    """
    compared = 0
    derived = unfolded(write_out(jacobian.derived))
    whole = unfolded(write_out(jacobian.sides[1]))
    i, j = (Symbol(x, integer=True, nonnegative=True) for x in ("i′", "j′"))
    for trial in trials(derived, whole):
        try:
            ranges = [range(int(size.xreplace(trial.known))) for size in jacobian.sizes.values()]
            for place in product(*ranges):
                rule = dict(zip(jacobian.sizes, map(Integer, place), strict=True))
                if where is not None and not where(
                    {str(s).rstrip("′"): k for s, k in zip(jacobian.sizes, place, strict=True)}
                ):
                    continue
                (p, q), (r, c) = ([x.xreplace(rule) for x in at] for _, at in (jacobian.above, jacobian.below))
                claimed = EntryFormula.of(1, 1, i, j, jacobian.claimed.xreplace(rule))
                found = _at_entry(
                    derived,
                    unfolded(write_out(claimed)),
                    jacobian.cotangent,
                    (int(p), int(q)),
                    (int(r), int(c)),
                    trial,
                    numbers(),
                )
                compared += 1
                if found is not None:
                    shown = ", ".join(
                        f"{str(s).rstrip('′')} = {k + 1}" for s, k in zip(jacobian.sizes, place, strict=True)
                    )
                    return trial.found(shown, *found), compared
        except NO_VALUE:
            continue
    return None, compared


def _at_entry(
    derived: Node, claimed: Node, cotangent: Letter, above: Any, below: Any, trial: Trial, numbers: Balls
) -> tuple[str, str] | None:
    def leaf(letter: Letter) -> Rows:
        if letter is cotangent:
            rows, columns = (int(s) for s in letter.xreplace(trial.known).shape)
            return [[Balls().scalar(Integer((i, j) == above)) for j in range(columns)] for i in range(rows)]
        return [[Balls().scalar(x) for x in row] for row in trial.matrix(letter).tolist()]

    with precision(BITS[0]):
        a = compute(derived.xreplace(trial.numbers), numbers, leaf, trial.sizes)[below[0]][below[1]]
        b = compute(claimed.xreplace(trial.numbers), Balls(), leaf, trial.sizes)[0][0]
        if apart_at_most(a, b) is None:
            return shown_values(a, b)  # type: ignore[return-value]
    return None
