"""Chains of which a link is not judged: in `A = B = c`, where A may not have its value here, B = c is judged by B alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symtransformer.checking.doubts import undecided
from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation
from symtransformer.checking.number_words import UNDECIDABLE
from symtransformer.checking.situation import Asked

# why a link is open: what stands before it may have another value there than is known, so that nothing goes on from it
OTHER_VALUES = frozenset(("assigned", "changed", "conditional", "supposed", "in_passing"))
CLAIMED = (*ACCEPTED, *ACCUSING)


def behind_open_links(
    items: Sequence[Asked],
    found: list[Equation],
    alone: Callable[[Sequence[Asked]], list[Equation]],
    forget: Callable[[Sequence[Asked]], None],
) -> list[Equation]:
    """The verdicts on a chain, those behind an open link by what stands there: `alone` judges a chain of its own.

    What the chain defines is forgotten where its numbers are right by themselves, and not by what was known before.
    """
    for k in range(len(found) - 1):
        if not _is_open(found[k]):
            continue
        own = alone(items[k + 1 :])
        if any(f.verdict not in ACCEPTED and o.verdict in ACCEPTED for f, o in zip(found[k + 1 :], own, strict=True)):
            forget(items)
        found = [
            *found[: k + 1],
            *(_by_itself(f, o, found[k]) for f, o in zip(found[k + 1 :], own, strict=True)),
        ]
    return found


def _is_open(equation: Equation) -> bool:
    return equation.verdict == UNDECIDABLE and equation.code in OTHER_VALUES


def _by_itself(equation: Equation, own: Equation, link: Equation) -> Equation:
    """`own`: the verdict without what stands before; a definition says nothing of what is claimed."""
    if own.verdict in CLAIMED or (_is_open(own) and equation.verdict in CLAIMED):
        return own
    return undecided(equation, link.words, link.code) if equation.verdict in ACCUSING else equation
