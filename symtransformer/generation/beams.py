"""Beam search: the k most probable sequences, compared exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from typing import Any

import flint
from sympy import Add, Expr, Mul, Rational, S, exp, log

from symtransformer.enclosures import precision, rounded
from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.generation.choosing import ranking
from symtransformer.generation.loop import Model, row_for
from symtransformer.generation.rows import Entries, sign_of_difference


@dataclass(frozen=True)
class Beam:
    """A sequence of chosen tokens, and its probability: the product of those of its steps."""

    tokens: tuple[Any, ...]
    indices: tuple[int, ...]
    parts: tuple[tuple[Entries, int], ...]
    finished: bool = False

    @property
    def log_probability(self) -> Expr | None:
        """The exact logarithm Σ (l − log Σ e^l); None where the logits are too long to be written out."""
        terms = []
        for entries, j in self.parts:
            row = entries.exact
            if row is None:
                return None
            terms.append(row[j] - log(_total(row)))
        return Add(*terms)

    def ball(self, bits: int) -> Any:
        """The logarithm of the probability as a ball."""
        with precision(bits):
            terms = (entries.balls(bits)[j] - entries.log_total(bits) for entries, j in self.parts)
            return sum(terms, flint.arb(0))

    def rounded(self, places: int = 4) -> Rational:
        """The logarithm of the probability, correctly rounded to so many decimals."""
        units, _ = rounded(self.ball, self.log_probability, places)
        return Rational(units, 10**places)


def _total(row: list[Any]) -> Expr:
    return Add(*(exp(x) for x in row if x is not S.NegativeInfinity))


def _compare_beams(left: Beam, right: Beam) -> int:
    """The sign of the difference of two log-probabilities; a tie only where the products are proved equal."""
    mine = [p for p in left.parts if p not in right.parts]
    others = [p for p in right.parts if p not in left.parts]

    def exactly() -> Expr | None:
        if any(entries.exact is None for entries, _ in [*mine, *others]):
            return None
        sides = []
        for ours, theirs in ((mine, others), (others, mine)):  # e^l times the totals below the other side
            above = exp(Add(*(entries.exact[j] for entries, j in ours)))  # type: ignore[index]
            sides.append(Mul(above, *(_total(entries.exact) for entries, _ in theirs)))  # type: ignore[arg-type]
        return sides[0] - sides[1]

    def gap(bits: int) -> Any:
        return left.ball(bits) - right.ball(bits)

    return sign_of_difference(gap, exactly, f"{left.tokens} and {right.tokens}")


def beam_search(
    model: Model, start: Iterable[Any], vocabulary: Sequence[Any], end: Any, at_most: int, width: int
) -> tuple[Beam, ...]:
    """The `width` best sequences, best first: in every step each unfinished one is continued by every candidate.

    Sequences are compared by their probability, without any correction for length; one that has
    reached `end` stays as it is and keeps its place while it is among the best. The search stops
    when all are finished, or after `at_most` steps.

    >>> best, second = beam_search(lambda tokens: [-1, 1, 2, 1, -2], [], "abcde", "c", 3, 2)
    >>> best.tokens, second.tokens
    (('c',), ('b', 'c'))
    """
    if width < 1 or end not in vocabulary or at_most < 1:
        raise UnreadableInput("beam search: the end token must be a candidate, width and limit at least 1")
    first = tuple(start)
    beams = [Beam((), (), ())]
    for _ in range(at_most):
        found: list[Beam] = []
        for beam in beams:
            if beam.finished:
                found.append(beam)
                continue
            entries = Entries(row_for(vocabulary, model(first + beam.tokens)))
            if not entries.usable:
                raise NotSupported(f"beam search: after {beam.tokens} every logit is −∞, so there is nothing to choose")
            best = [j for group in ranking(entries) for j in group][:width]  # no other can be among the best of all
            for j in best:
                if j in entries.usable:
                    longer, token = (*beam.indices, j), vocabulary[j]
                    found.append(Beam((*beam.tokens, token), longer, (*beam.parts, (entries, j)), token == end))
        found.sort(key=lambda beam: beam.indices)  # the tie rule; the next sort keeps equal ones in this order
        found.sort(key=cmp_to_key(lambda a, b: -_compare_beams(a, b)))
        beams = found[:width]
        if all(beam.finished for beam in beams):
            break
    return tuple(beams)
