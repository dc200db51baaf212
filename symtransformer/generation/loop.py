"""The generation loop: one token at a time, each appended to the input of the next step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sympy import Rational, S

from symtransformer.enclosures import rounded
from symtransformer.errors import ShapeError, UnreadableInput
from symtransformer.generation.choosing import Choice, greedy
from symtransformer.generation.rows import Entries, as_row
from symtransformer.node import Node
from symtransformer.operations.temperature import TemperatureSoftmax

Model = Callable[[tuple[Any, ...]], Any]  # from the tokens so far to a row of logits


@dataclass(frozen=True)
class GenerationStep:
    """What went in, the logits of the last row, and what was taken; the probabilities are an expression."""

    tokens: tuple[Any, ...]
    logits: Node
    choice: Choice
    chosen: Any
    probabilities: Node

    def rounded(self, places: int = 4) -> Rational:
        """The probability of what was taken, correctly rounded to so many decimals."""
        entries, j = Entries(self.probabilities), self.choice.index
        exact = None if entries.exact is None else entries.exact[j]
        units, _ = rounded(lambda bits: entries.balls(bits)[j], exact, places)
        return Rational(units, 10**places)


@dataclass(frozen=True)
class Generation:
    """The steps, all tokens at the end, and whether the end token or the limit on the length stopped it."""

    steps: tuple[GenerationStep, ...]
    tokens: tuple[Any, ...]
    stopped_by: str  # "end" or "length"


def generate(
    model: Model, start: Iterable[Any], vocabulary: Sequence[Any], end: Any, at_most: int,
    choose: Callable[[Node], Choice] = greedy,
) -> Generation:  # fmt: skip
    """Tokens one at a time, each appended to the input of the next step, until `end` or `at_most` new tokens.

    The model is given all tokens so far; the start token need not be a candidate. For sampling,
    `choose` is such as `lambda logits: sample(distribution(logits, 2), source)`.

    >>> logits = {1: [0, 1, 2], 2: [3, 1, 2], 3: [1, 2, 0]}
    >>> run = generate(lambda tokens: logits[len(tokens)], ["start"], ["a", "end", "b"], "end", 9)
    >>> run.tokens, run.stopped_by
    (('start', 'b', 'a', 'end'), 'end')
    """
    if end not in vocabulary or at_most < 1:
        raise UnreadableInput("generating: the end token must be a candidate, and the limit at least 1")
    tokens, steps = tuple(start), []
    for _ in range(at_most):
        row = row_for(vocabulary, model(tokens))
        choice = choose(row)
        chosen = vocabulary[choice.index]
        steps.append(GenerationStep(tokens, row, choice, chosen, TemperatureSoftmax(row, S.One)))
        tokens += (chosen,)
        if chosen == end:
            return Generation(tuple(steps), tokens, "end")
    return Generation(tuple(steps), tokens, "length")


def row_for(vocabulary: Sequence[Any], logits: Any) -> Node:
    row = as_row(logits)
    if row.shape[1] != len(vocabulary):
        raise ShapeError(f"generating: {len(vocabulary)} candidates, but {row.shape[1]} logits")
    return row
