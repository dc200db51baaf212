"""One candidate from a row of logits: the best, or one that is drawn."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

import flint
from sympy import Add, S

from symtransformer.enclosures import ball
from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.generation.rows import Entries, as_row, sign_of_difference
from symtransformer.node import Node
from symtransformer.operations.mask import Mask
from symtransformer.operations.temperature import TemperatureSoftmax
from symtransformer.symbols import Literal, exact_number


@dataclass(frozen=True)
class Choice:
    """The number of a candidate (from 0), and all candidates that were exactly as good."""

    index: int
    ties: tuple[int, ...] = ()


def ranking(logits: Any) -> tuple[tuple[int, ...], ...]:
    """Candidates from the best down, those that tie in one group, by number.

    >>> ranking([-1, 1, 2, 1, -2])
    ((2,), (1, 3), (0,), (4,))
    """
    entries = logits if isinstance(logits, Entries) else Entries(logits)
    groups: list[tuple[int, ...]] = []

    def ahead(i: int, j: int) -> int:
        return -entries.compare(i, j) or i - j

    for j in sorted(range(len(entries)), key=cmp_to_key(ahead)):
        if groups and entries.compare(groups[-1][0], j) == 0:
            groups[-1] += (j,)
        else:
            groups.append((j,))
    return tuple(groups)


def greedy(logits: Any) -> Choice:
    """The candidate with the largest logit; of several the one with the lowest number, and `ties` names them all.

    >>> greedy([0, 3, 1, 3])
    Choice(index=1, ties=(1, 3))
    """
    entries = Entries(logits)
    best = ranking(entries)[0]
    if not entries.usable:
        raise NotSupported("greedy: every logit is −∞, so there is nothing to choose")
    return Choice(best[0], best if len(best) > 1 else ())


@dataclass(frozen=True)
class Distribution:
    """What is drawn from: the row of probabilities as an expression, which candidates are kept, and which only just not.

    A candidate with a logit of −∞ has probability 0, and is neither.
    """

    expression: Node
    kept: tuple[int, ...]
    dropped_ties: tuple[int, ...] = ()


def distribution(logits: Any, temperature: Any = 1, top_k: int | None = None) -> Distribution:
    """softmax(L / T), with `top_k` of the k best candidates only, the others at exactly 0.

    Where candidates tie for the last place kept, those with the lowest numbers are kept, and
    `dropped_ties` names the others.

    >>> found = distribution([-1, 1, 2, 1, -2], top_k=2)
    >>> found.kept, found.dropped_ties
    ((1, 2), (3,))
    >>> from symtransformer import evaluate
    >>> evaluate(found.expression, digits=4)
    Matrix([[0.0, 0.2689, 0.7311, 0.0, 0.0]])
    """
    row = as_row(logits)
    heat = exact_number(temperature, "a temperature")
    if not heat.is_positive:
        raise UnreadableInput(f"a distribution: the temperature must be above 0, not {heat}")
    entries = Entries(row)
    if not entries.usable:
        raise NotSupported("a distribution: every logit is −∞, so there is nothing to draw")
    if top_k is None:
        return Distribution(TemperatureSoftmax(row, heat), tuple(sorted(entries.usable)))
    if not 1 <= top_k <= len(entries):
        raise UnreadableInput(f"a distribution: top_k must be 1 to {len(entries)}, not {top_k}")
    groups = [group for group in ranking(entries) if group[0] in entries.usable]
    order = [j for group in groups for j in group][:top_k]
    kept, last = set(order), next(group for group in groups if order[-1] in group)
    mask = Literal([[S.Zero if j in kept else S.NegativeInfinity for j in range(len(entries))]])
    dropped = tuple(j for j in last if j not in kept)
    return Distribution(TemperatureSoftmax(Mask(row, mask), heat), tuple(sorted(kept)), dropped)


def sample(of: Distribution, source: random.Random) -> Choice:
    """A candidate drawn with its probability: the first whose running sum passes a number drawn from [0, 1).

    The same seed draws the same: `random.Random(7)`. The drawn number is a fraction of 53 bits,
    and is compared with the running sums by balls.

    >>> sample(distribution([0, 50, 0]), random.Random(7))
    Choice(index=1, ties=())
    """
    drawn = Fraction(source.getrandbits(53), 2**53)
    entries = Entries(of.expression)
    for j in of.kept[:-1]:

        def gap(bits: int, j: int = j) -> Any:
            return sum(entries.balls(bits)[: j + 1], flint.arb(0)) - ball(exact_number(drawn))

        def exactly(j: int = j) -> Any:
            return None if entries.exact is None else Add(*entries.exact[: j + 1]) - exact_number(drawn)

        if sign_of_difference(gap, exactly, f"the drawn number and the running sum of candidate {j}") > 0:
            return Choice(j)
    return Choice(of.kept[-1])
