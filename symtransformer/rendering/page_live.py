"""What a page has to know to compute itself again: programs, the numbers that it shows, and where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from sympy import S

from symtransformer.derivation import Derivation
from symtransformer.errors import LimitExceeded, NotSupported
from symtransformer.notation import Words
from symtransformer.operation import Operation, Primitive
from symtransformer.rendering.document import (
    Behind,
    EntryFormula,
    EntryOf,
    Filled,
    Formula,
    Grid,
    Slider,
    Term,
)
from symtransformer.rendering.numbers import BLANK, NOTHING, Shown, Source
from symtransformer.rendering.page_masks import masks_of
from symtransformer.rendering.page_script import Inputs, Place, Program, editable, input_function
from symtransformer.symbols import Letter

# Around the number of a hole: digits to whoever sets a sign between digits, and what no text that somebody wrote holds.
OPEN, CLOSE = "\U00011da0\ue000", "\ue001\U00011da0"
_HOLES = re.compile(rf"{OPEN}(\d+)([(+]?){CLOSE}")
CELLS_AT_MOST = 2000  # a browser takes about half a second to compute with so many


def hole(number: int, how: str = "") -> str:
    return f"{OPEN}{number}{how}{CLOSE}"


def with_signs(negative: str, positive: str, parentheses: str) -> str:
    """Holes with brackets that only a negative number needs, and holes behind a + that it turns to a -.

    The same template comes written for negative and for positive numbers.

    >>> written = with_signs(f"f({hole(1)}) + 2 ({hole(2)})", f"f({hole(1)}) + 2 {hole(2)}", "({})")
    >>> written == f"f({hole(1)}) + 2 {hole(2, '(')}"
    True
    """
    before, after = parentheses.split("{}")
    parts: list[str] = []
    end = 0
    for own, other in zip(_HOLES.finditer(negative), _HOLES.finditer(positive), strict=True):
        fenced = _is_between(negative, own, before, after) > _is_between(positive, other, before, after)
        start = own.start() - len(before) * fenced
        text, how = negative[end:start], "(" * fenced
        if not fenced and text.endswith("+ "):
            text, how = text[:-2], "+"
        parts += [text, hole(int(own[1]), how)]
        end = own.end() + len(after) * fenced
    return "".join([*parts, negative[end:]])


def _is_between(text: str, found: re.Match[str], before: str, after: str) -> int:
    """How many pairs of brackets stand directly around a hole."""
    count = 0
    while text[: found.start()].endswith(before * (count + 1)) and text[found.end() :].startswith(after * (count + 1)):
        count += 1
    return count


def pieces(template: str) -> list[Any]:
    """A template as texts and numbers of holes, those with a sign of their own as a pair.

    >>> pieces("[" + hole(3) + "]" + hole(4, "("))
    ['[', 3, ']', [4, '(']]
    """
    parts: list[Any] = []
    end = 0
    for found in _HOLES.finditer(template):
        parts += [template[end : found.start()], [int(found[1]), found[2]] if found[2] else int(found[1])]
        end = found.end()
    return [part for part in (*parts, template[end:]) if part != ""]


def shown_in(term: Term) -> list[Shown]:
    """The numbers that a side of an equation shows."""
    if isinstance(term, Shown):
        return [term]
    if isinstance(term, Grid):
        return [shown for row in term.cells for shown in row]
    if isinstance(term, Filled):
        return [shown for _, grid in term.grids for shown in shown_in(grid)]
    if isinstance(term, EntryFormula):
        own = [leaf.parts[0] for leaf in term.tree.leaves() if leaf.kind == "shown"]
        return [*own, *(shown for _, shown in term.numbers or ())]
    return []


class Live:
    """The numbers that a page shows, each with the place where it is computed."""

    def __init__(self, behind: Behind) -> None:
        self.behind = behind
        self.evaluations = dict(behind.scopes)
        style = behind.style
        self.rounding = None if style.round_steps is None else (style.decimals, style.rounding == "half-even")
        self.masks = masks_of(behind.derivation, behind.proved)
        if self.rounding is not None:
            self.masks &= masks_of(behind.derivation, behind.proved, rounding=True)
        self.base = Inputs(behind.derivation, behind.proved, self.masks, behind.base)
        self.cells = self._cells()
        self.inputs: dict[int, Inputs] = {}
        self.programs: dict[Any, Program] = {}
        self.sliders: dict[int, Slider] = {}  # by the scope that they move
        self.scopes: dict[
            tuple[int, bool], int
        ] = {}  # those in use, by number of the document, and whether steps are rounded
        self.kinds: dict[tuple[Any, ...], int] = {}
        self.numbers: dict[tuple[int, ...], int] = {}
        self.known: dict[Source, int | None] = {}
        self.too_long = bool(self.cells) and not behind.blank and self._is_too_long()
        if self.too_long:
            self.cells = {}

    def _cells(self) -> dict[Place, int]:
        """The entries of inputs that a reader may change."""
        found = [
            (letter.name, letter.head, i, j)
            for letter, rows in self.base.rows.items()
            for i, row in enumerate(rows)
            for j, value in enumerate(row)
            if editable(letter, value, self.masks)
        ]
        self.too_many = len(found) if len(found) > CELLS_AT_MOST else 0
        return {} if self.too_many else {place: k for k, place in enumerate(found)}

    def _is_too_long(self) -> bool:
        """Whether some step takes more arithmetic than a page may hold, so that not every result would follow."""
        try:
            for rounded in (False, True) if self.rounding else (False,):
                program = self._program(self.base, rounded)
                for step in self.behind.derivation.steps:
                    if step.letter.head is None:
                        program.trace(step.letter)
        except LimitExceeded:
            return True
        except NotSupported:  # of this step alone; what is shown of it is marked
            return False
        return False

    def of(self, shown: Shown) -> int | None:
        """The number of what is shown; None where it cannot be computed again."""
        source = shown.source
        if source is None or shown in (BLANK, NOTHING):
            return None
        if source not in self.known:
            self.known[source] = self._found(source)
        return self.known[source]

    def _found(self, source: Source) -> int | None:
        """Scope and place, and the kind; of a difference also where the first number is; where steps are rounded, the true ones."""
        sources = [source] if source.minus is None else [source, source.minus]
        rounded = [self.rounding is not None and not self._is_input(x) for x in sources]
        try:
            shown = [self._address(x, r) for x, r in zip(sources, rounded, strict=True)]
            true = [self._address(x, False) for x in sources] if any(rounded) else []
        except (NotSupported, LimitExceeded):
            return None
        parts = [*shown[0], self._kind(source), *(shown[1] if len(shown) > 1 else (-1, -1) if true else ())]
        number = (*parts, *(part for address in true for part in address))
        return self.numbers.setdefault(number, len(self.numbers))

    def _is_input(self, source: Source) -> bool:
        return any(letter.name == source.name for letter in self.behind.derivation.inputs)

    def _address(self, source: Source, rounded: bool) -> tuple[int, int]:
        place = self._place(source, rounded)
        return self.scope(source.scope, rounded), place

    def _kind(self, source: Source) -> int:
        return self.kinds.setdefault((source.percent, source.places, source.given), len(self.kinds))

    def _inputs(self, scope: int) -> Inputs:
        if scope not in self.inputs:
            self.inputs[scope] = Inputs(self.behind.derivation, self.behind.proved, self.masks, self.evaluations[scope])
        return self.inputs[scope]

    def scope(self, scope: int, rounded: bool = False) -> int:
        """The number of these values in the script."""
        self._inputs(scope)
        return self.scopes.setdefault((scope, rounded), len(self.scopes))

    def _place(self, source: Source, rounded: bool) -> int:
        inputs = self._inputs(source.scope)
        program = self._program(inputs, rounded)
        place: Place = (source.name, source.head, source.i, source.j)
        if not program.can_compute(place):
            raise NotSupported(f"{source.name} depends on a letter without a rational value")
        if source.given:
            value = inputs.entries[place].xreplace(inputs.given.parameters)
            if not (value.is_infinite or value.is_Rational):
                raise NotSupported(f"an entry of {source.name} is shown as a formula")
        return program.output(place)

    def _program(self, inputs: Inputs, rounded: bool) -> Program:
        if (inputs.kind, rounded) not in self.programs:
            self.programs[inputs.kind, rounded] = Program(inputs, self.rounding if rounded else None)
        return self.programs[inputs.kind, rounded]

    def term(self, term: Term) -> str:
        """f: a formula, in which there are no numbers; n: numbers that are all computed again; gone: others."""
        if isinstance(term, (Formula, EntryOf)) or (isinstance(term, EntryFormula) and term.numbers is None):
            return "f"
        shown = [x for x in shown_in(term) if x is not BLANK]
        return "n" if shown and all(self.of(x) is not None for x in shown) else "f" if not shown else "gone"

    def follows_base(self, letter: Letter, scope: int) -> bool:
        """Whether this input has, under these values, the entries that a reader may change."""
        return self._inputs(scope).rows.get(letter) == self.base.rows.get(letter) is not None

    # -- for the script ---------------------------------------------------------------------------------
    def script(self) -> str:
        """The programs, the functions from cells and parameters to inputs, and what the page holds beside them."""
        programs = ",\n".join(program.text() for program in self.programs.values())
        inputs = ",\n".join(input_function(self.inputs[scope], self.cells, self.base) for scope, _ in self.scopes)
        data = 'JSON.parse(document.getElementById("data").textContent)'
        return (
            f'"use strict";\nconst DATA = {data};\nconst PROGRAMS = [\n{programs}\n];\nconst INPUTS = [\n{inputs}\n];\n'
        )

    def data(self) -> dict[str, Any]:
        style, programs = self.behind.style, list(self.programs)
        sliders = list(self.sliders)
        return {
            "style": {
                "places": style.decimals, "zeros": style.zeros, "rounding": style.rounding,
                "percent_places": style.percent_places, "significant": style.significant,
            },
            "kinds": [{"percent": p, "places": k, "given": g} for p, k, g in self.kinds],
            "numbers": [list(number) for number in self.numbers],
            "cells": [_fraction(self.base.entries[place]) for place in self.cells],
            "hides": [number for place, number in self.cells.items() if place[0] in self.masks],
            "scopes": [
                {
                    "program": programs.index((self.inputs[scope].kind, rounded)),
                    "parameters": {
                        str(k): _fraction(v) for k, v in self.inputs[scope].given.parameters.items() if v.is_Rational
                    },
                    "slider": sliders.index(scope) if scope in self.sliders else None,
                }
                for scope, rounded in self.scopes
            ],
            "sliders": [{"name": str(slider.parameter)} for slider in self.sliders.values()],
        }  # fmt: skip


def general_words(derivation: Derivation) -> Iterator[Words]:
    """What operations say of themselves and of their stages."""
    for step in derivation.steps:
        for side in (step.definition, step.expression):
            if not isinstance(side, Operation):
                continue
            yield side.explanation
            stages = side.stages() if isinstance(side, Primitive) else None
            yield from () if stages is None else (words for _, words in stages.words.values())


def _fraction(value: Any) -> str:
    value = S(value)
    if value is S.NegativeInfinity:
        return "-inf"
    return str(value.p) if value.q == 1 else f"{value.p}/{value.q}"
