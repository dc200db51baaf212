r"""Letters as pieces of text for an SVG drawing: {W_{Q}^{(1)}} is an italic W with a small Q below and a small (1) above.

How wide each sign is stands in KaTeX, whose fonts a page carries in itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from unicodedata import lookup

from symtransformer.rendering.html_assets import asset
from symtransformer.scalars import GREEK

SMALL, BELOW, ABOVE = (
    0.7,
    0.2,
    0.4,
)  # of an index: its size, and how far it stands from the line, in sizes of the letter
UPRIGHT, ITALIC, BOLD, BOLD_ITALIC = "Main-Regular", "Math-Italic", "Main-Bold", "Math-BoldItalic"
CLASSES = {UPRIGHT: "u", ITALIC: "i", BOLD: "u b", BOLD_ITALIC: "i b"}
_FACES = {
    "mathrm": UPRIGHT, "text": UPRIGHT, "operatorname": UPRIGHT, "mathit": ITALIC, "mathbf": BOLD, "boldsymbol": BOLD_ITALIC,
}  # fmt: skip
_TOKEN = re.compile(r"\\([A-Za-z]+)\s?|(\S)")
_METRICS = re.compile(r"([0-9]+):\[([-0-9.,e]*)\]")
UNKNOWN = 0.7  # of the size: how wide a sign is that the fonts do not have
SIGNS = {"prime": "′"} | {
    name: lookup(f"GREEK {'CAPITAL' if name[0].isupper() else 'SMALL'} LETTER {name.replace('ambda', 'amda')}")
    for name in GREEK
}


@dataclass(frozen=True)
class Run:
    """Text in one face, from x on; y counts downwards from the line."""

    text: str
    face: str
    x: float
    y: float
    size: float

    @property
    def kind(self) -> str:
        """The classes by which the style sheet sets it."""
        return CLASSES[self.face]


@dataclass(frozen=True)
class Line:
    """What stands on one line, and how wide it is."""

    runs: tuple[Run, ...]
    width: float

    def moved(self, x: float, y: float) -> tuple[Run, ...]:
        return tuple(replace(run, x=round(run.x + x, 2), y=round(run.y + y, 2)) for run in self.runs)


@cache
def metrics(face: str) -> dict[str, tuple[float, float]]:
    """Of each sign of a font: how wide it is, and how far an index above stands off from it."""
    text = asset("katex/katex.min.js").decode()
    start = text.index(f'"{face}":{{')
    found = _METRICS.finditer(text, start, text.index("}", start))
    numbers = {chr(int(m[1])): [float(x) for x in m[2].split(",")] for m in found}
    return {sign: (row[4], row[2]) for sign, row in numbers.items()}


def letter_line(latex: str, size: float) -> Line:
    """A letter as LaTeX writes it, from 0 on."""
    runs, width = _placed(_parsed(iter(_TOKEN.findall(latex)), ITALIC), size, 0, 0)
    return Line(tuple(runs), width)


def listed(letters: Iterable[str], size: float, room: float) -> list[Line]:
    """Letters with commas between them, in as many lines as they need."""
    comma, space = metrics(UPRIGHT)[","][0] * size, 0.3 * size
    lines: list[Line] = []
    shown = [letter_line(latex, size) for latex in letters]
    for k, letter in enumerate(shown):
        runs, width = letter.runs, letter.width
        if k < len(shown) - 1:
            runs, width = (*runs, Run(",", UPRIGHT, width, 0, size)), width + comma
        if lines and lines[-1].width + space + width <= room:
            before = lines.pop()
            start = before.width + space
            runs, width = (*before.runs, *Line(runs, width).moved(start, 0)), start + width
        lines.append(Line(runs, width))
    return lines


_Parsed = list[tuple[str, str, list]]  # kind (sign, low or high), face or "", and what it holds


def _parsed(tokens: Iterator[tuple[str, str]], face: str) -> _Parsed:
    """What stands up to the end of a group: signs with their faces, and what is set below and above."""
    found: _Parsed = []
    for command, sign in tokens:
        if sign == "}":
            break
        if sign in ("_", "^"):
            found.append(("low" if sign == "_" else "high", "", _argument(tokens, face)))
        elif command in _FACES:
            found += _argument(tokens, _FACES[command])
        elif sign == "{":
            found += _parsed(tokens, face)
        else:
            shown = SIGNS.get(command, command) or sign
            plain = face == ITALIC and (not shown[0].isalpha() or len(shown) > 1 or shown not in metrics(ITALIC))
            upright = plain or command[:1].isupper()
            found.append((shown, UPRIGHT if upright and face == ITALIC else face, []))
    return found


def _argument(tokens: Iterator[tuple[str, str]], face: str) -> _Parsed:
    """One sign, or a group."""
    command, sign = next(tokens)
    if command in _FACES:
        return _argument(tokens, _FACES[command])
    if sign == "{":
        return _parsed(tokens, face)
    return _parsed(iter([(command, sign)]), face)


def _placed(parts: _Parsed, size: float, x: float, y: float) -> tuple[list[Run], float]:
    """The runs and where they end; an index below and one above begin at the same place."""
    runs: list[Run] = []
    base, slanted, end = x, 0.0, x  # where an index begins, how much farther one above does, and what is taken
    for kind, face, inner in parts:
        if kind in ("low", "high"):
            down = BELOW if kind == "low" else -ABOVE
            own, last = _placed(inner, size * SMALL, base + (slanted if kind == "high" else 0), y + down * size)
            runs, end = runs + own, max(end, last)
            continue
        width, slant = metrics(face).get(kind, (UNKNOWN * len(kind), 0.0))
        if (
            runs
            and runs[-1].face == face
            and (runs[-1].size, runs[-1].y) == (round(size, 2), round(y, 2))
            and end == base
        ):
            runs[-1] = replace(runs[-1], text=runs[-1].text + kind)
        else:
            runs.append(Run(kind, face, round(end, 2), round(y, 2), round(size, 2)))
        base = end = end + width * size
        slanted = slant * size
    return runs, end
