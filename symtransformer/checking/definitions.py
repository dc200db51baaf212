"""What a document has defined so far: each name with its exact value, the digits shown for it, and whether they are right."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Integer, S

from symtransformer.checking.faulty_line import FaultyLine
from symtransformer.checking.formulas import Formulas
from symtransformer.node import Node
from symtransformer.reading.claimed_numbers import ClaimedNumber
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.sides import Known, Side, letter_name, read_side
from symtransformer.symbols import Letter, Literal
from symtransformer.values import letters_in

IMPLIED = {
    "Q": ((0, "n"), (1, "d_k")),
    "K": ((0, "m"), (1, "d_k")),
    "V": ((0, "m"), (1, "d_v")),
    "X": ((0, "n"), (1, "d_model")),
}
ROW_OR_ENTRY = re.compile(r"[A-Za-zα-ω]\w*_[0-9i-n,]+")
NOT_DEFINED = re.compile(r"'(.+?)' is not defined before this")
SIZE_AT_MOST = 10**6  # larger ones cannot be the size of a matrix
Cells = tuple[tuple[ClaimedNumber, ...], ...]


@dataclass(frozen=True)
class Definition:
    """A name that has a value.

    `exact` is the value from the start: a matrix of numbers or an expression of such, or an exact number. `shown` are
    the digits that the document gives for it, `faulty` the line where they go wrong. `side` is what it was computed
    from, and None where it is given as it stands; `inputs` are the versions of the names in it, to see what has
    been defined anew since.
    """

    name: str
    exact: Any
    listed: bool
    line: int
    shown: Cells | None = None
    faulty: FaultyLine | None = None
    side: Side | None = None
    inputs: tuple[tuple[str, int], ...] = ()
    version: int = 0
    is_wrong: bool = False  # the digits shown go wrong here, and not because of others before
    is_reference: bool = False
    is_implied: bool = False  # a size that the shape of a matrix gives
    is_near: bool = False  # given behind ≈

    @property
    def known(self) -> Known:
        if not isinstance(self.exact, Node):
            is_size = isinstance(self.exact, Integer) and 0 < self.exact <= SIZE_AT_MOST
            return Known(None, whole=int(self.exact) if is_size else None)
        rows, columns = self.exact.shape
        return Known((int(rows), int(columns)), self.listed, _is_mask(self.exact))  # type: ignore[call-overload]


def _is_part_of(name: str, matrix: str) -> bool:
    """Whether q_2 may be a row of Q, or is it."""
    return name == matrix or name.partition("_")[0].lower() == matrix.partition("_")[0].lower()


def _is_mask(value: Node) -> bool:
    """A matrix of 0 and −∞."""
    entries = set(value.matrix.flat()) if isinstance(value, Literal) else set()
    return S.NegativeInfinity in entries and entries <= {S.NegativeInfinity, S.Zero}


_KEPT = ("by_name", "scope", "_names", "formulas", "lines", "own", "opaque", "judge")


class Definitions:
    """Names with their definitions; a later one of the same name replaces."""

    def __init__(self, reference: Mapping[str, Definition] | None = None) -> None:
        self.by_name: dict[str, Definition] = dict(reference or {})
        self.scope = {name: definition.known for name, definition in self.by_name.items()}
        self._names = {letter_name(name): name for name in self.by_name}
        self.formulas: dict[str, str] = {}  # name -> text of the right side, in document order
        self.lines: dict[str, int] = {}  # where a formula stands
        self.own: dict[str, int] = {}  # q_2 with a formula of its own, which is no row of Q
        self.opaque: dict[str, int] = {}  # names whose definition could not be read, with its line
        self.judge = Formulas()  # the same formulas, as equations with letters are judged by them
        self.file = ""  # of the present equation
        self.headings: tuple[int, ...] = ()  # lines where another part of the document begins
        self._versions = 0

    def __contains__(self, name: str | None) -> bool:
        return name in self.by_name

    def __getitem__(self, name: str) -> Definition:
        return self.by_name[name]

    def get(self, name: str | None) -> Definition | None:
        return None if name is None else self.by_name.get(name)

    def letters(self, side: Side) -> dict[str, Any]:
        """The letters and number symbols of a side, by the names that they stand for."""
        if isinstance(side.value, Node):
            found: Any = [*letters_in(side.value), *(s for s in side.value._mentions if not isinstance(s, Letter))]
        else:
            found = getattr(side.value, "free_symbols", ())
        named = {self._names[x.name]: x for x in found if getattr(x, "name", None) in self._names}
        return dict(sorted(named.items()))

    def define(self, definition: Definition) -> None:
        self._versions += 1
        made = {**definition.__dict__, "version": self._versions}
        self.by_name[definition.name] = kept = Definition(**made)
        self.scope[kept.name] = kept.known
        self._names[letter_name(kept.name)] = kept.name
        self.opaque.pop(kept.name, None)
        self.own = {
            n: line
            for n, line in self.own.items()
            if n != kept.name and (n[:1].isupper() or not _is_part_of(n, kept.name))
        }
        if not kept.is_implied and kept.known.shape is not None:
            self._imply_sizes(kept)

    def _imply_sizes(self, matrix: Definition) -> None:
        """d_k is the number of columns of K, and so on, unless the document says otherwise or K has several sizes."""
        for side, size in IMPLIED.get(matrix.name.partition("_")[0], ()):
            exact = Integer(matrix.exact.shape[side])
            old = self.by_name.get(size)
            if old is None:
                self.define(Definition(size, exact, False, matrix.line, is_implied=True))
            elif old.is_implied and old.exact != exact:
                if old.line == matrix.line or matrix.name.partition("_")[2]:
                    self.forget(size)
                else:
                    self.define(Definition(size, exact, False, matrix.line, is_implied=True))

    def forget(self, name: str) -> None:
        """A name that has no single value any more."""
        del self.by_name[name], self.scope[name]

    def show(self, name: str, shown: Cells, faulty: FaultyLine | None, is_wrong: bool) -> None:
        """New digits for a name whose value stays."""
        old = self.by_name[name]
        self.by_name[name] = Definition(**{**old.__dict__, "shown": shown, "faulty": faulty, "is_wrong": is_wrong})

    def add_formula(self, name: str, text: str) -> None:
        self.formulas.pop(name, None)
        self.formulas[name] = text
        self.judge.add(name, text)

    def lacks(self, name: str) -> str:
        """The name without a value or a formula that the formula of a name rests on; empty where none is told."""
        for _ in range(len(self.formulas)):
            try:
                read_side(self.formulas[name], self.scope)
            except ReadingError as error:
                found = NOT_DEFINED.match(error.message)
                if found is None or found.group(1) not in self.formulas:
                    return found.group(1) if found else ""
                name = found.group(1)
            else:
                return ""
        return ""

    def has_own(self, name: str, line: int) -> None:
        """The document has a formula for what might be a row or an entry of a matrix."""
        if ROW_OR_ENTRY.fullmatch(name) and name not in self.by_name:
            self.own[name] = line

    def redefine(self, name: str, text: str, line: int) -> None:
        """A formula without a value for a name: what it was before does not hold any more."""
        self.opaque.pop(name, None)
        if name in self.by_name:
            self.forget(name)
        self.has_own(name, line)
        self.lines[name] = line
        self.add_formula(name, text)

    def kept(self) -> tuple[Any, ...]:
        """All that is known, to come back to it."""
        return tuple(getattr(self, name).copy() for name in _KEPT)

    def bring_back(self, kept: tuple[Any, ...]) -> None:
        for name, known in zip(_KEPT, kept, strict=True):
            setattr(self, name, known)

    def versions(self, names: Iterable[str]) -> tuple[tuple[str, int], ...]:
        return tuple(sorted((name, self.by_name[name].version) for name in names if name in self.by_name))

    def is_stale(self, definition: Definition) -> bool:
        """Whether a name in what it was computed from has been defined anew."""
        return any(name not in self.by_name or self.by_name[name].version != v for name, v in definition.inputs)

    def are_apart(self, first: int, last: int) -> bool:
        """Whether a heading stands between two lines: the next exercise has a matrix of its own."""
        return any(first < line <= last for line in self.headings)

    def faulty_line(self, names: Iterable[str]) -> FaultyLine | None:
        """The first line that is not right among those that the names' digits go back to."""
        lines = [self.by_name[n].faulty for n in names if n in self.by_name]
        first = min((line for line in lines if line is not None), default=None)
        return None if first is None else first.seen_from(self.file)
