"""The entries of a list or matrix that are not right: which ones, and where they stand in the line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from symtransformer.checking.equations import ACCUSING, OPEN, EntryVerdict, Equation
from symtransformer.rendering.check_report.escaping import one_line
from symtransformer.rendering.check_report.sentences import said

_ROW = re.compile(r"\[([^\[\]]*)\]")
_GOES_ON = re.compile(r"\w|\.\d")


@dataclass(frozen=True)
class WrongEntry:
    """Which one, what is shown, what is right (empty where the sentence says it)."""

    which: str
    shown: str
    right: str
    sentence: str


def wrong_entries(equation: Equation) -> list[EntryVerdict]:
    """None where it is not decided whether the whole is right."""
    return [entry for entry in equation.entries if entry.verdict in ACCUSING and equation.verdict not in OPEN]


def described(entry: EntryVerdict, equation: Equation, language: str) -> WrongEntry:
    """A list has numbered entries, a matrix rows and columns."""
    cells = right_cells(equation)
    if len(cells) == 1:
        which = said("entry", language, number=entry.column)
    else:
        which = said("entry_in_row", language, row=entry.row, column=entry.column)
    if entry.right:
        sentence = said("entry_says", language, shown=entry.shown, right=entry.right)
    else:
        sentence = said("entry_is", language, shown=entry.shown, words=entry.words.in_language(language))
    return WrongEntry(which, entry.shown, entry.right, sentence)


def right_cells(equation: Equation) -> list[list[str]]:
    """The right value as rows of entries, `[[1, 0], [0.5, 1]]` or `[1, 0]`; () where it is no list and no matrix."""
    return [row.split(", ") for row in _ROW.findall(equation.right_value or "")]


def count_of_entries(equation: Equation) -> int:
    return sum(map(len, right_cells(equation)))


def marked(equation: Equation) -> tuple[tuple[int, int], ...]:
    """Where the entries that are not right stand in the line; nowhere, if that is not certain.

    All entries are looked for from the end, where the side that shows them stands, and no digit may be between them.
    """
    text, wrong = one_line(equation.text), {(e.row, e.column): e.shown for e in wrong_entries(equation)}
    cells = [
        (one_line(wrong.get((i, j), cell)), (i, j) in wrong)
        for i, row in enumerate(right_cells(equation), start=1)
        for j, cell in enumerate(row, start=1)
    ]
    found: list[tuple[int, int]] = []
    end = len(text)
    for cell, is_wrong in reversed(cells):
        written = (cell, cell.replace(".", ","))  # the document may have decimal commas
        shown = next((x for x in written if x and text.rfind(x, 0, end) >= 0), cell)
        start = text.rfind(shown, 0, end) if shown else -1
        if start < 0 or any(c.isdigit() for c in text[start + len(shown) : end]) or _is_inside(text, start, shown):
            return ()
        if is_wrong:
            found.append((start, start + len(shown)))
        end = start
    return tuple(reversed(found))


def _is_inside(text: str, start: int, shown: str) -> bool:
    """Whether a number or a name goes on before or behind it."""
    before, behind = text[max(0, start - 1) : start], text[start + len(shown) : start + len(shown) + 2]
    return bool(re.match(r"[\w.]", before) or _GOES_ON.match(behind))
