r"""Markdown and plain text: math between dollars or brackets, fenced blocks, tables, and formulas among prose."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from symtransformer.documents.collecting import Collector
from symtransformer.documents.limits import FORMULA_CHARACTERS, JOINED_LINES
from symtransformer.documents.placed import LINE_END, Placed, joined, made
from symtransformer.documents.rows import Atom, read_line, read_table
from symtransformer.documents.signs import RELATING, ROWS

OPENING = re.compile(
    r"""(?P<comment><!--)|(?P<fence>^[ ]{0,3}(?:`{3,}|~{3,}))|(?P<escaped>\\[\\$`])|(?P<display>\$\$|\\\[)|(?P<inline>\$|\\\()
    |(?P<environment>\\begin\s*\{(?P<name>[A-Za-z]+\*?)\})|(?P<code>`+)""",
    re.MULTILINE | re.VERBOSE,
)
FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})[ \t]*\{?\.?([\w+-]*)[^\r\n]*(?:\r\n|\r|\n|\Z)")
CLOSING = {"$": "$", "$$": "$$", r"\(": r"\)", r"\[": r"\]"}
LONGEST = 4 * FORMULA_CHARACTERS  # a formula that is longer is none, but an end that is missing
PARAGRAPH_END = re.compile(r"(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)")
MATH_FENCES, TEXT_FENCES = (
    ("math", "latex", "tex", "katex"),
    ("", "text", "txt", "plain", "plaintext", "output", "console"),
)
UNFORMATTED = re.compile(r"\\(?:text|mbox|textrm)\s*\{[^{}]*\}")
WORDS = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff、。]|(?<![A-Za-z])[A-Za-z]{3,}[ ,]{1,9}[A-Za-z]{2,}[ ,]")
BULLET = re.compile(r"\s*(?:>[ \t]*)*(?:[-*•・▪◦‣][ \t]+(?:\[[ x]\][ \t]+)?|[(（]?[0-9]{1,3}[.)）][ \t]+|#{1,6}[ \t]+|[①-⑳][ \t]*)?")  # fmt: skip
SEPARATOR = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")


@dataclass(frozen=True)
class Region:
    """A piece of the text that is no prose: math, code, or a comment."""

    kind: str
    start: int
    end: int
    inner: tuple[int, int]


def read_prose(text: Placed, found: Collector, where: str = "line", tables: bool = True) -> None:
    """Puts all passages of the text into `found`."""
    done = 0
    atoms: list[Region] = []
    for region in regions(text, found):
        if region.kind in ("inline", "code"):
            atoms.append(region)
            continue
        read_lines(text, done, region.start, atoms, found, where, tables)
        done, atoms = region.end, []
        inner = text.cut(*region.inner)
        if region.kind == "display":
            found.passage(inner, "latex", "display")
        elif region.kind == "text":
            read_lines(inner, 0, len(inner.text), _dollars_in(inner, found), found, "code", False)
    read_lines(text, done, len(text.text), atoms, found, where, tables)


def _dollars_in(text: Placed, found: Collector) -> list[Region]:
    return [r for r in regions(text, found) if r.kind == "inline"]


# -- what is no prose ------------------------------------------------------------------------------------------
class Finder:
    """Where something comes next; each is looked for once, however often it is asked for."""

    def __init__(self, whole: str) -> None:
        self.whole = whole
        self.next: dict[str, int] = {}

    def find(self, wanted: str, start: int) -> int:
        """The place, or the end of the text."""
        if self.next.get(wanted, -1) < start:
            found = self.whole.find(wanted, start)
            self.next[wanted] = found if found >= 0 else len(self.whole)
        return self.next[wanted]

    def match(self, pattern: re.Pattern[str], start: int) -> int:
        if self.next.get(pattern.pattern, -1) < start:
            found = pattern.search(self.whole, start)
            self.next[pattern.pattern] = found.start() if found else len(self.whole)
        return self.next[pattern.pattern]


def regions(text: Placed, found: Collector) -> list[Region]:
    """Math, code and comments, in order."""
    whole, result, at = text.text, [], 0
    finder = Finder(whole)
    while (opening := OPENING.search(whole, at)) is not None:
        kind = "environment" if opening.group("environment") else opening.lastgroup or ""
        region = _region(finder, kind, opening)
        if region is not None:
            result += [region] if region.kind else []
            at = max(region.end, opening.end())
            continue
        at = opening.end()
        if kind == "display" or (kind == "environment" and opening.group("name") in ROWS):
            found.problem("unclosed", "a formula begins here and does not end", text.origins[opening.start()])
    return result


def _region(finder: Finder, kind: str, opening: re.Match[str]) -> Region | None:
    """The whole of what begins here, or nothing if it does not end."""
    start, after = opening.span()
    end = len(finder.whole)
    if kind == "escaped":
        return Region("", start, after, (after, after))
    if kind == "fence":
        return _fenced(finder.whole, start)
    if kind == "comment":
        end = finder.find("-->", after)
        return Region("comment", start, end + 3, (after, end)) if end < len(finder.whole) else None
    if kind == "code":
        return _code(finder, opening)
    if kind == "environment":
        closing = f"\\end{{{opening.group('name')}}}"
        end = finder.find(closing, after) if opening.group("name") in ROWS else end
        whole = (start, end + len(closing))
        closed = end < len(finder.whole) and end - after <= LONGEST
        return Region("display", *whole, whole) if closed else None
    return _between_signs(finder, kind, opening)


def _code(finder: Finder, opening: re.Match[str]) -> Region | None:
    ticks, after = opening.group(), opening.end()
    end = finder.find(ticks, after) if len(ticks) <= 9 else len(finder.whole)
    close = end + len(ticks)
    if end == len(finder.whole) or finder.match(LINE_END, after) < end or finder.whole[close : close + 1] == "`":
        return None
    return Region("code", opening.start(), close, (after, end))


def _between_signs(finder: Finder, kind: str, opening: re.Match[str]) -> Region | None:
    after, whole = opening.end(), finder.whole
    closing = CLOSING[opening.group()]
    end = finder.find(closing, after)
    while end < len(whole) and closing == "$" and whole[end - 1] == "\\":
        end = finder.find(closing, end + 1)
    if end == len(whole) or end - after > LONGEST or finder.match(PARAGRAPH_END, after) < end:
        return None
    if closing == "$" and not _is_math(whole, after, end):
        return None
    return Region(kind, opening.start(), end + len(closing), (after, end))


def _fenced(whole: str, start: int) -> Region:
    head = FENCE.match(whole, start)
    assert head is not None
    fence = head.group(1)
    close = re.compile(rf"^[ ]{{0,3}}{re.escape(fence[0])}{{{min(len(fence), 50)},}}[ \t]*$", re.MULTILINE).search(
        whole, head.end()
    )
    inner = (head.end(), close.start() if close else len(whole))
    language = head.group(2).lower()
    kind = "display" if language in MATH_FENCES else "text" if language in TEXT_FENCES else "program"
    return Region(kind, start, close.end() if close else len(whole), inner)


def _is_math(whole: str, start: int, end: int) -> bool:
    r"""Whether dollars around this are no prices: `$5と$6`, `$5 and $6`."""
    inner = whole[start:end]
    if not inner.strip() or len(inner) > FORMULA_CHARACTERS or whole[end + 1 : end + 2].isdigit():
        return False
    bare = UNFORMATTED.sub("", inner)
    if inner[0].isspace() != inner[-1].isspace() and not re.search(r"\\[A-Za-z]|[_^]|=", bare):
        return False
    if inner[0].isdigit() and inner[-1].isspace():
        return False
    return not WORDS.search(bare) or bool(
        re.search(r"\\[A-Za-z]+|[_^]\{", bare) and not re.match(r"[0-9.,]+\s*[^\s\\0-9.,=+*/^_-]", inner)
    )


# -- prose -------------------------------------------------------------------------------------------------------
def read_lines(text: Placed, start: int, end: int, atoms: list[Region], found: Collector, where: str, tables: bool) -> None:  # fmt: skip
    """Lines and tables between two places; `atoms` are the formulas and code in them."""
    lines = _logical_lines(text.text, start, end, atoms)
    at = 0
    while at < len(lines):
        rows = _table_from(text.text, lines, at) if tables else 0
        if rows:
            read_table([_cells(text, *lines[i], atoms) for i in range(at, at + rows) if not _separates(text.text[slice(*lines[i])])], found)  # fmt: skip
            at += rows
            continue
        first, last = lines[at]
        if _has_relation(text.text, first, last) or _within(atoms, first, last):
            bullet = BULLET.match(text.text, first, last)
            read_line(*_view(text, bullet.end() if bullet else first, last, atoms), found, where)
        elif text.text.startswith("\\", first) or text.text[first:last].lstrip().startswith("\\begin{"):
            found.passage(text.cut(first, last), "latex", "line")
        at += 1


def _has_relation(text: str, start: int, end: int) -> bool:
    return RELATING.search(text, start, end) is not None


def _within(atoms: list[Region], start: int, end: int) -> list[Region]:
    low = bisect_left(atoms, start, key=lambda r: r.start)
    high = bisect_left(atoms, end, key=lambda r: r.start)
    return atoms[low:high]


def _view(text: Placed, start: int, end: int, atoms: list[Region]) -> tuple[Placed, list[Atom]]:
    """The line as it is read: formulas in place of what fences them off."""
    pieces, inside, length, done = [], [], 0, start
    for region in _within(atoms, start, end):
        pieces += [text.cut(done, region.start), made(" ", text.origins[region.start]), text.cut(*region.inner)]
        pieces.append(made(" ", text.origins[region.end - 1]))
        length += region.start - done + 1
        inside.append(Atom(region.kind, length, length + region.inner[1] - region.inner[0]))
        length += region.inner[1] - region.inner[0] + 1
        done = region.end
    pieces.append(text.cut(done, max(done, end)))
    return (joined(pieces) if inside else pieces[0]), inside


def _logical_lines(text: str, start: int, end: int, atoms: list[Region]) -> list[tuple[int, int]]:
    """Lines; one goes on where a bracket of numbers or an environment, or math, is still open at its end."""
    lines: list[tuple[int, int]] = []
    at, taken, first, opened = start, 0, start, 0
    while at < end:
        found = LINE_END.search(text, at, end)
        stop, after = (found.start(), found.end()) if found else (end, end)
        piece = text[at:stop]
        opened += piece.count("[") - piece.count("]") + 2 * (piece.count("\\begin{") - piece.count("\\end{"))
        crossing = _is_inside(atoms, stop)
        following = text[after : after + 80].lstrip()
        joins = opened > 0 and taken < JOINED_LINES and following[:1] in "[0123456789-−.]\\" and following != ""
        if (crossing or joins) and after < end and after - first < 2 * FORMULA_CHARACTERS:
            taken += 1
            at = after
            continue
        lines.append((first, stop))
        at, first, taken, opened = after, after, 0, 0
    return lines


# -- tables ---------------------------------------------------------------------------------------------------------
def _table_from(text: str, lines: list[tuple[int, int]], at: int) -> int:
    """How many lines from here on are a table: columns parted by bars with a separating line, or by tabs."""
    if "\t" in text[slice(*lines[at])].strip():
        count = 0
        while at + count < len(lines) and "\t" in text[slice(*lines[at + count])].strip():
            count += 1
        return count
    if "|" not in text[slice(*lines[at])] or at + 1 >= len(lines):
        return 0
    second = text[slice(*lines[at + 1])]
    if "|" not in second or not _separates(second):
        return 0
    count = 2
    while at + count < len(lines) and "|" in text[slice(*lines[at + count])]:
        count += 1
    return count


def _separates(line: str) -> bool:
    line = line.strip()
    return len(line) <= 2_000 and SEPARATOR.fullmatch(line) is not None


def _is_inside(atoms: list[Region], at: int) -> bool:
    before = bisect_right(atoms, at, key=lambda r: r.start) - 1
    return before >= 0 and at < atoms[before].end


def _cells(text: Placed, start: int, end: int, atoms: list[Region]) -> list[tuple[Placed, list[Atom]]]:
    """The cells of a row; a bar inside a formula or after a backslash parts nothing."""
    inside = _within(atoms, start, end)
    sign = "\t" if "\t" in text.text[start:end].strip() else "|"
    cells, done = [], start
    for found in re.finditer(re.escape(sign), text.text[start:end]):
        at = start + found.start()
        if text.text[at - 1 : at] == "\\" or _is_inside(inside, at):
            continue
        cells.append((done, at))
        done = at + 1
    cells.append((done, end))
    if sign == "|":
        cells = cells[1:] if not text.text[slice(*cells[0])].strip() else cells
        cells = cells[:-1] if len(cells) > 1 and not text.text[slice(*cells[-1])].strip() else cells
    return [_view(text, *cell, inside) for cell in cells]


def cell_of(text: Placed, found: Collector) -> tuple[Placed, list[Atom]]:
    """A cell of a table that is no line of text, with its formulas."""
    return _view(text, 0, len(text.text), [r for r in regions(text, found) if r.kind in ("inline", "display", "code")])
