"""The verdict on shown numbers, entry by entry, against what they claim to be the value of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

from symtransformer.checking import equation_words as words
from symtransformer.checking.claimed_values import NumberVerdict, judge_number
from symtransformer.checking.computing import Computed
from symtransformer.checking.definitions import Cells
from symtransformer.checking.equations import EntryVerdict
from symtransformer.checking.number_words import (
    FOLLOWS,
    LAST_PLACE,
    RIGHT,
    RIGHT_IF_ROUNDED,
    UNDECIDABLE,
    UNPARSED,
    WRONG,
    Note,
)
from symtransformer.checking.regions import is_right
from symtransformer.checking.values import Comparisons, Undecided, Value
from symtransformer.notation import Words
from symtransformer.reading.claimed_numbers import DECIMAL, EXACT, ClaimedNumber, read_number
from symtransformer.reading.problems import ReadingError

# The verdict on several entries is that on the first of these that one of them has.
WORST_FIRST = (UNPARSED, WRONG, LAST_PLACE, FOLLOWS, UNDECIDABLE, RIGHT_IF_ROUNDED, RIGHT)


@dataclass(frozen=True)
class Routes:
    """The values that shown numbers are compared with; see `judge_number`."""

    start: Computed | None
    local: Computed | None
    range_at: Callable[[int, int], Callable[[int], Any]] | None = None
    rounded_to: Callable[[int], Computed | None] | None = None
    wrong_line: str | None = None
    expired: Callable[[], bool] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        deciding = self.start or self.local
        assert deciding is not None
        return deciding.shape

    def turned(self) -> Routes:
        range_at, rounded_to = self.range_at, self.rounded_to
        return Routes(
            self.start and self.start.turned(),
            self.local and self.local.turned(),
            None if range_at is None else lambda i, j: range_at(j, i),
            None if rounded_to is None else lambda d: (found := rounded_to(d)) and found.turned(),
            self.wrong_line,
            self.expired,
        )


@dataclass(frozen=True)
class CellsVerdict:
    """The verdict on a number or on all entries of a matrix."""

    kind: str
    words: Words
    entries: tuple[EntryVerdict, ...]
    right: str | None
    local: str | None
    from_start: str | None
    notes: tuple[Note, ...]
    code: str = ""
    is_exact: bool = False  # whether what is right is shown with all its digits

    def not_told(self) -> CellsVerdict:
        """Undecided, since the numbers of the line may be roundings: no entry is accused, and nothing is explained."""
        return replace(self, kind=UNDECIDABLE, words=words.NOT_TOLD, entries=(), notes=(), code="rounded_operands")


def fits_shape(cells: Cells, listed: bool, routes: Routes) -> Routes | None:
    """The routes, turned if a list stands for a column; None where the sizes differ."""
    shape = len(cells), len(cells[0])
    if shape == routes.shape:
        return routes
    may_turn = listed or (routes.start or routes.local).listed  # type: ignore[union-attr]
    if may_turn and 1 in shape and shape == routes.shape[::-1]:
        return routes.turned()
    return None


def judge_cells(cells: Cells, routes: Routes, relation: str, listed: bool) -> CellsVerdict:
    """Every entry by its own; `routes` have the size of the cells.

    A value that does not exist by one route is left out there; where there is none at all it is undecidable.
    """
    cells = with_whole_numbers_exact(cells)
    if routes.rounded_to is not None:  # one value for all entries, which is computed once
        routes = replace(routes, rounded_to=cache(routes.rounded_to))
    judged = [[_judge(claim, routes, i, j, relation) for j, claim in enumerate(row)] for i, row in enumerate(cells)]
    every = [verdict for row in judged for verdict in row]
    kind = next(k for k in WORST_FIRST if any(v.kind == k for v in every))
    is_number = len(every) == 1 and not listed
    entries = tuple(
        EntryVerdict(i + 1, j + 1, cells[i][j].text.strip(), v.kind, v.right.en if v.right else "", v.words)
        for i, row in enumerate(judged)
        for j, v in enumerate(row)
        if v.kind not in (RIGHT, RIGHT_IF_ROUNDED) and not is_number
    )
    first = next(v for v in every if v.kind == kind)
    said = first.words if is_number or kind == RIGHT else words.of_entries(kind, entries, len(every), first.words)
    right = None if kind in (RIGHT, UNPARSED) else _right_value(cells, judged, routes, is_number, listed)
    notes = list(dict.fromkeys(note for v in every for note in v.notes))
    return CellsVerdict(
        kind,
        said,
        entries,
        right,
        _worst([v.local for v in every]),
        _worst([v.from_start for v in every]),
        tuple(notes),
        first.code,
        right is not None and _is_exact(cells, judged, routes),
    )


def with_whole_numbers_exact(cells: Cells) -> Cells:
    """1 beside 0.6698 stands for 1.0000: not for 0.8, as it would alone; and 20 beside 24 not for 25.

    1200 beside 350 may have two digits, as 350 has.
    """
    every = [claim for row in cells for claim in row if claim.kind == DECIMAL and claim.place is not None]
    finest = min((claim.place for claim in every), default=None)  # type: ignore[type-var]
    if finest is None:
        return cells
    if finest >= 1:
        finest = min((c.widest for c in every if c.widest and c.value), default=Fraction(1))
        digits = max((_digits(c) for c in every), default=0)
        return tuple(tuple(_with_digits(claim, finest, digits) for claim in row) for row in cells)
    return tuple(
        tuple(
            replace(claim, place=finest, widest=finest)
            if claim.kind == DECIMAL and claim.place is not None and not claim.decimals and not claim.is_percent
            else claim
            for claim in row
        )
        for row in cells
    )


def _digits(claim: ClaimedNumber) -> int:
    """How many there are before the zeros at the end of a whole number: 2 of 1200."""
    return len(str(int(abs(claim.value) / claim.widest))) if claim.value and claim.widest else 0


def _with_digits(claim: ClaimedNumber, finest: Fraction, digits: int) -> ClaimedNumber:
    """The claim with as many digits as another one beside it has, or as far down as that goes."""
    if claim.kind != DECIMAL or not claim.widest or claim.widest <= finest:
        return claim
    return replace(claim, widest=max(finest, claim.widest / Fraction(10) ** (digits - _digits(claim))))


def _worst(kinds: list[str | None]) -> str | None:
    return next((k for k in WORST_FIRST if k in kinds), None)


def _judge(claim: Any, routes: Routes, i: int, j: int, relation: str) -> NumberVerdict:
    rounded_to = routes.rounded_to

    def rounded(decimals: int) -> Value | None:
        assert rounded_to is not None
        found = rounded_to(decimals)
        return None if found is None else found.at(i, j)

    return judge_number(
        claim,
        None if routes.start is None else routes.start.at(i, j),
        operands=None if routes.local is None else routes.local.at(i, j),
        operand_range=None if routes.range_at is None else routes.range_at(i, j),
        relation=relation,
        wrong_line=routes.wrong_line,
        rounded_to=None if rounded_to is None else rounded,
        expired=routes.expired,
    )


def _is_exact(cells: Cells, judged: Any, routes: Routes) -> bool:
    deciding = routes.start or routes.local
    assert deciding is not None
    for i, row in enumerate(judged):
        for j, verdict in enumerate(row):
            shown = cells[i][j] if verdict.right is None else _read(verdict.right.en)
            if shown is None or shown.radicand != 1 or shown.kind not in (DECIMAL, EXACT):
                return False
            try:
                if Comparisons(deciding.at(i, j), routes.expired).is_apart_from(shown.value):
                    return False
            except Undecided:
                return False
    return True


def _read(text: str) -> ClaimedNumber | None:
    try:
        return read_number(text)
    except ReadingError:
        return None


def _right_value(cells: Cells, judged: Any, routes: Routes, is_number: bool, listed: bool) -> str | None:
    """What should stand there, each entry in the writer's own places."""
    rows = [
        [v.right.en if v.right is not None else claim.text.strip() for v, claim in zip(row, claims, strict=True)]
        for row, claims in zip(judged, cells, strict=True)
    ]
    return written_cells(rows, is_number, listed)


def written_cells(rows: list[list[str]], is_number: bool, listed: bool) -> str:
    """A number, a list, or a matrix row by row."""
    if is_number:
        return rows[0][0]
    shown = ["[" + ", ".join(row) + "]" for row in rows]
    return shown[0] if listed and len(shown) == 1 else "[" + ", ".join(shown) + "]"


def gives(cells: Cells, value: Computed) -> bool:
    """Whether a value gives all the digits shown; False where that is not decided."""
    if value.shape != (len(cells), len(cells[0])):
        return False
    cells = with_whole_numbers_exact(cells)
    try:
        return all(
            is_right(claim, Comparisons(value.at(i, j))) for i, row in enumerate(cells) for j, claim in enumerate(row)
        )
    except Undecided:
        return False
