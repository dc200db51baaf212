"""JavaScript that computes the numbers of a page again, from the same named steps.

Each step that the judge has proved is computed from its definition, any other from what it must stand for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from sympy import S

from symtransformer.derivation import Derivation, Step
from symtransformer.errors import NotSupported
from symtransformer.evaluation import Evaluation
from symtransformer.exact import Rows
from symtransformer.node import substitute
from symtransformer.operation import compute
from symtransformer.rendering.page_masks import what_it_means
from symtransformer.rendering.page_trace import Tape, Traced, Tracing
from symtransformer.symbols import DistributionLetter, Letter

OFTEN = {"add": "a", "multiply": "m", "divide": "d", "subtract": "s", "exp": "e"}
Place = tuple[str, Any, int, int]  # of an entry: name and head of its letter, row and column


def editable(letter: Letter, value: Any, masks: frozenset[str]) -> bool:
    """Whether a reader may put any number there, in a mask also where it is −∞."""
    free = not letter.is_permutation and not isinstance(letter, DistributionLetter)
    return bool(free and (value.is_Rational or (value is S.NegativeInfinity and letter.name in masks)))


class Inputs:
    """The entries of the inputs under some values, in one order, and the steps computed from them."""

    def __init__(
        self, derivation: Derivation, proved: frozenset[str], masks: frozenset[str], evaluation: Evaluation
    ) -> None:
        self.derivation, self.proved, self.masks, self.given = derivation, proved, masks, evaluation.given
        self.rows: dict[Letter, Rows] = {}
        for letter in derivation.inputs:
            for member in self._members(letter):
                self.rows[member] = self.given.written(member)
        self.entries: dict[Place, Any] = {
            (letter.name, letter.head, i, j): value
            for letter, rows in self.rows.items()
            for i, row in enumerate(rows)
            for j, value in enumerate(row)
        }

    def _members(self, letter: Letter) -> Iterable[Letter]:
        if letter.head is None or letter.head.is_Integer:
            return (letter,)
        return tuple(letter.of_head(k) for k in range(len(self.given.heads(letter))))

    @cached_property
    def kind(self) -> Any:
        """Equal for values that one program serves: the same sizes, and −∞ in the same places, masks aside."""
        sizes = tuple(sorted((str(k), str(v)) for k, v in self.given.sizes.items()))
        infinite = tuple(x for x, value in self.entries.items() if value.is_infinite and x[0] not in self.masks)
        return sizes, infinite, tuple(self.entries), tuple(sorted(self.known)), tuple(sorted(self.unknown))

    @property
    def known(self) -> set[str]:
        """The parameters with a rational value."""
        return {str(k) for k, value in self.given.parameters.items() if value.is_Rational}

    @cached_property
    def unknown(self) -> frozenset[int]:
        """Which entries depend on other letters."""
        known = self.known
        values = enumerate(self.entries.values())
        return frozenset(k for k, value in values if {str(s) for s in value.free_symbols} - known)


class Program:
    """One list of operations from the entries of inputs to those entries of steps that a page shows.

    With `rounding`, decimals and whether halves go to the even digit, each step is rounded before the next one uses it.
    """

    def __init__(self, inputs: Inputs, rounding: tuple[int, bool] | None = None) -> None:
        self.inputs, self.tape, self.rounding = inputs, Tape(), rounding
        self.known: dict[Letter, Rows] = {}
        self.outputs: dict[Place, int] = {}  # what is shown, and where it stands among the results
        self.results: list[Any] = []
        self._open: list[bool] = []  # by place on the tape: whether a letter without a value lies behind it
        for number, (letter, i, j) in enumerate(self._entries()):
            value = inputs.rows[letter][i][j]
            if value in (S.NegativeInfinity, S.Infinity) and letter.name not in inputs.masks:
                self.known[letter][i][j] = value
            else:
                self.known[letter][i][j] = self.tape.note("input", number)

    def _entries(self) -> Iterable[tuple[Letter, int, int]]:
        for letter, rows in self.inputs.rows.items():
            self.known[letter] = [[None] * len(row) for row in rows]
            for i, row in enumerate(rows):
                for j in range(len(row)):
                    yield letter, i, j

    def output(self, place: Place) -> int:
        """Where this entry stands among the results."""
        if place not in self.outputs:
            name, head, i, j = place
            value = self._rows_of(name, head)[i][j]
            self.outputs[place] = len(self.results)
            self.results.append(value.place if isinstance(value, Traced) else value)
        return self.outputs[place]

    def trace(self, letter: Letter) -> None:
        """Note the arithmetic of a step, down to the inputs."""
        self._rows(letter)

    def can_compute(self, place: Place) -> bool:
        """Whether this entry depends on nothing but numbers and on parameters with a value."""
        result = self._rows_of(place[0], place[1])[place[2]][place[3]]
        return not (isinstance(result, Traced) and self._is_open(result.place))

    def _is_open(self, place: int) -> bool:
        # arguments stand before what takes them, so each operation is looked at once however much uses it
        known, unknown = self.inputs.known, self.inputs.unknown
        for operation in self.tape.operations[len(self._open) : place + 1]:
            name, *rest = operation
            own = (name == "parameter" and rest[0] not in known) or (name == "input" and rest[0] in unknown)
            self._open.append(own or any(self._open[k] for k in _arguments(operation)))
        return self._open[place]

    def _rows_of(self, name: str, head: Any) -> Rows:
        found = [x for x in self.known if x.name == name and x.head == head]
        if found:
            return self.known[found[0]]
        step = next((s for s in self.inputs.derivation.steps if s.name == name), None)
        if step is None:
            raise NotSupported(f"{name} is no step and no input")
        return self._rows(step.letter if head is None else step.letter.of_head(head))

    def _rows(self, letter: Letter) -> Rows:
        if letter not in self.known:
            same = [x for x in self.known if x.name == letter.name and x.head == letter.head]
            steps = [s for s in self.inputs.derivation.steps if _gives(s, letter)]
            self.known[letter] = self.known[same[0]] if same else self._computed(steps[0], letter)
        return self.known[letter]

    def _computed(self, step: Step, letter: Letter) -> Rows:
        meant = what_it_means(step, self.inputs.proved, self.rounding is not None)
        of_head = {} if letter.head is None or step.letter.head is None else {step.letter.head: letter.head}
        rows = compute(substitute(meant, of_head), Tracing(self.tape), self._rows, self.inputs.given.sizes)
        return rows if self.rounding is None else [[self._rounded(x) for x in row] for row in rows]

    def _rounded(self, value: Any) -> Any:
        assert self.rounding is not None
        return value.applied("rounded", *self.rounding) if isinstance(value, Traced) else value

    # -- as JavaScript ----------------------------------------------------------------------------------
    def text(self) -> str:
        """A function of the kind of numbers, the inputs and the parameters."""
        needed = _needed(self.tape, [r for r in self.results if isinstance(r, int)])
        values = [f"v{k}={_called(self.tape.operations[k])}" for k in sorted(needed)]
        results = [
            f"v{r}" if isinstance(r, int) else "N.below" if r is S.NegativeInfinity else "N.above" for r in self.results
        ]
        return f"(N, x, p) => {{\n{_constants(values)}return [{', '.join(results)}];\n}}"


def _constants(values: list[str]) -> str:
    """Declared in one statement, with short names for what occurs often: a page may have tens of thousands."""
    often = ",".join(f"{short}=N.{name}" for name, short in OFTEN.items())
    return "const " + ",\n".join([often, *values]) + ";\n"


def input_function(inputs: Inputs, cells: dict[Place, int], base: Inputs) -> str:
    """A function from the numbers in the cells of a page and the parameters to the entries of all inputs."""
    tape, values = Tape(), []
    entries = iter(range(len(inputs.entries)))
    followed = {x for x, rows in inputs.rows.items() if base.rows.get(x) == rows}
    for letter, rows in inputs.rows.items():
        for i, row in enumerate(rows):
            for j, value in enumerate(row):
                place = (letter.name, letter.head, i, j)
                unknown = next(entries) in inputs.unknown
                if letter in followed and place in cells:
                    values.append(f"c[{cells[place]}]")
                elif unknown or value in (S.NegativeInfinity, S.Infinity):
                    values.append("N.below" if value is S.NegativeInfinity and letter.name in inputs.masks else "null")
                else:
                    values.append(f"v{tape.number(value).place}")
    known = [f"v{k}={_called(operation)}" for k, operation in enumerate(tape.operations)]
    return f"(N, c, p) => {{\n{_constants(known)}return [{', '.join(values)}];\n}}"


def _gives(step: Step, letter: Letter) -> bool:
    if letter.head is not None and step.letter.head is not None:
        return step.letter.family is letter.family
    return step.name == letter.name


def _needed(tape: Tape, results: Sequence[int]) -> set[int]:
    needed: set[int] = set()
    waiting = list(results)
    while waiting:
        place = waiting.pop()
        if place not in needed:
            needed.add(place)
            waiting += _arguments(tape.operations[place])
    return needed


def _arguments(operation: tuple[Any, ...]) -> tuple[int, ...]:
    """The places that an operation takes its numbers from."""
    name, *rest = operation
    if name in ("rational", "parameter", "pi", "input"):
        return ()
    return tuple(rest[:1]) if name in ("power", "rounded") else tuple(rest[1:]) if name == "share" else tuple(rest)


def _called(operation: tuple[Any, ...]) -> str:
    name, *rest = operation
    if name == "rational":
        return f"N.rational({rest[0]}n, {rest[1]}n)"
    if name == "parameter":
        return f"p[{_quoted(rest[0])}]"
    if name == "input":
        return f"x[{rest[0]}]"
    if name == "share":
        return f"N.share({rest[0]}, [{', '.join(f'v{k}' for k in rest[1:])}])"
    if name == "rounded":
        return f"S.nearest(v{rest[0]}, {rest[1]}, {'true' if rest[2] else 'false'})"
    if name == "power":
        return f"N.power(v{rest[0]}, {rest[1]}, {rest[2]})"
    return f"{OFTEN.get(name, f'N.{name}')}({','.join(f'v{k}' for k in rest)})"


def _quoted(name: str) -> str:
    """A name as a JavaScript string, whatever it holds."""
    return '"' + "".join(c if c.isascii() and c.isalnum() else f"\\u{ord(c):04x}" for c in name) + '"'
