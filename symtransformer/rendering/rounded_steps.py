"""Lines computed from rounded lines, as with a pocket calculator, and how far that leads from the truth."""

from __future__ import annotations

from typing import Any

from sympy import Expr, Rational, S

from symtransformer.derivation import Step
from symtransformer.enclosures import ball, precision, rounded
from symtransformer.errors import NotSupported
from symtransformer.evaluation import Evaluation
from symtransformer.exact import Exact, Rows
from symtransformer.node import substitute
from symtransformer.operation import compute
from symtransformer.rendering.numbers import Style, show
from symtransformer.symbols import Letter

BITS = 256  # to find the largest difference; its digits are decided apart


class RoundedSteps:
    """The rows of every step, each rounded once, from those of the steps it uses; inputs as given."""

    def __init__(self, evaluation: Evaluation, style: Style) -> None:
        assert style.round_steps is not None
        self.evaluation, self.places = evaluation, style.round_steps
        self.half_even = style.rounding == "half-even"
        self.known: dict[Letter, Rows] = {}

    def rows(self, letter: Letter) -> Rows:
        """Rounded rows of a step, exact rows of an input."""
        if letter not in self.known:
            found = next((s for s in self.evaluation.derivation.steps if self._gives(s, letter)), None)
            self.known[letter] = self.evaluation.given.rows(letter) if found is None else self._computed(found, letter)
        return self.known[letter]

    @staticmethod
    def _gives(step: Step, letter: Letter) -> bool:
        if letter.head is not None and step.letter.head is not None:
            return step.letter.family is letter.family
        return step.name == letter.name

    def _computed(self, step: Step, letter: Letter) -> Rows:
        given = self.evaluation.given
        of_head = {} if letter.head is None else {step.letter.head: letter.head}
        expression = substitute(step.expression, {**of_head, **given.parameters})
        try:
            rows = compute(expression, Exact(), self.rows, given.scalars)
        except NotSupported as error:
            raise NotSupported(
                f"step {step.name}, with every line rounded to {self.places} decimals: {error}; round to more decimals"
            ) from error
        return [[self.rounded(x) for x in row] for row in rows]

    def rounded(self, x: Any) -> Any:
        """A number with so many decimals."""
        if x in (S.Infinity, S.NegativeInfinity) or x.free_symbols:
            return x
        units, _ = rounded(lambda bits: ball(x), x, self.places, self.half_even)
        return Rational(units) / S(10) ** self.places

    def farthest(self, step: Step) -> Any:
        """The largest difference from the unrounded value, in units of the last place; None without numbers."""
        if step.letter.head is not None and step.letter.head.is_Symbol:
            return None
        cells, true = self.evaluation.cells(step.name), self.evaluation.true_value(step.name)
        rows = self.rows(step.letter)
        if any(number.free_symbols for row in rows for number in row):
            return None
        most: tuple[Any, Expr | None, Any] | None = None
        for i, row in enumerate(rows):
            for j, number in enumerate(row):
                if not number.is_finite:
                    continue
                at = self._apart(cells.ball_at(i, j), number)
                with precision(BITS):
                    size = at(BITS)
                    if most is None or size > most[0]:
                        most = size, None if true is None else _absolute(true[i, j] - number) * 10**self.places, at
        return None if most is None else show(most[1], most[2], Style(2))

    def _apart(self, true_at: Any, number: Expr) -> Any:
        return lambda bits: abs(true_at(bits) - ball(number)) * 10**self.places


def _absolute(difference: Expr) -> Expr:
    with precision(BITS):
        return -difference if ball(difference) < 0 else difference
