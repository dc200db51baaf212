"""Markdown and plain text: formulas in the order of the lines, tables, and formulas among prose."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import pairwise

from symtransformer.documents.abreast import columns, parted
from symtransformer.documents.beside import goes_on_between
from symtransformer.documents.collecting import Collector
from symtransformer.documents.inequalities import COMPARES
from symtransformer.documents.limits import FORMULA_CHARACTERS, JOINED_LINES, LINE_CHARACTERS
from symtransformer.documents.placed import LINE_END, Placed, joined, made
from symtransformer.documents.regions import Region, regions
from symtransformer.documents.rows import Atom, read_line, read_table
from symtransformer.documents.signs import RELATING
from symtransformer.documents.unread_signs import ABOUT

# (2) is a number of a list, but not in (2) + 3; (a) is the letter of an exercise
LABEL = r"[(（](?:[0-9]{1,3}|[a-h]|[ivx]{1,4}|[ア-オ])[)）][ \t]+(?![-+−][ \t]|[×·⋅*/÷=≈^@⊙])"
BULLET = re.compile(
    rf"\s*(?:>[ \t]*)*(?:[-*•・▪◦‣][ \t]+(?:\[[ x]\][ \t]+|{LABEL})?|[0-9]{{1,3}}[.)）][ \t]+|{LABEL}|#{{1,6}}[ \t]+|[①-⑳][ \t]*)?"
)
BOLD = re.compile(
    r"(?<![^\s(=≈≒:：、。\u3041-\u9fff])(\*\*|__)(?=[^\s*_])([^*\r\n]{1,200}?)(?<=[^\s*_])\1(?![A-Za-z0-9_*])"
)
ENDS_OPEN = re.compile(r"[=≈≒≡+−×·⋅⊙⊘@(\[][ \t]*\Z|\\(?:approx|times|cdot)[ \t]*\Z")
BEGINS_WITH_OPERATOR = re.compile(r"([ \t]*)(?:[-+−*/][ \t]|[×·⋅⊙⊘@÷\[]|\\(?:times|cdot|odot)(?![A-Za-z]))")
GOES_ON = re.compile(r"(?:\\[ ,;:!]|[ \t\r\n])*(?:[+×·]|\{\}\s*[-−+]|\\(?:times|cdot|odot|circ)(?![A-Za-z]))")
EMPTY_GROUP = re.compile(r"\s*\{\}")  # what makes a sign stand between two things
BESIDE = " \t\r\n>$\\[]().,:;*"  # what may stand between two displays that are one chain
QUOTED_FURTHER = re.compile(r"(?<=\n)>(?=[ \t]{2})")  # the mark of a line that goes on with the marked line before
WRAPPED_WORD = re.compile(r"[,;:.)][ \t]+(?:and[ \t]+)?[A-Za-z][A-Za-z0-9_]*[ \t]*\Z")
ARITHMETIC = re.compile(r"[ \t]*[-−]?[0-9(][0-9.() \t]* [-+−×·*/÷][-0-9.+−×·*/÷() \t]*")  # a line of numbers only
WRAPPED_SUM = re.compile(r"[0-9)\]][ \t]*\+[ \t]*[0-9][0-9.]*[ \t]*\Z")  # 48 + 16 + 58, and in the next line + 12 = 134
WRAPPED_PRODUCT = re.compile(r"[0-9)\]][ \t]*\Z")
FOOTNOTE = re.compile(r"(?<=[\w$).,:;%。、）])\[\^[\w-]{1,20}\](?!:)")  # 2 + 3 = 5[^1]
SEPARATOR = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")


def read_prose(text: Placed, found: Collector, where: str = "line", tables: bool = True) -> None:
    """Puts all passages of the text into `found`."""
    done = 0
    plain = FOOTNOTE.sub(lambda mark: " " * len(mark.group()), QUOTED_FURTHER.sub(" ", text.text))
    text = Placed(BOLD.sub(_without_stars, plain), text.origins)
    atoms: list[Region] = []
    for region in regions(text, found):
        if region.kind in ("inline", "code"):
            atoms.append(region)
            continue
        read_lines(text, done, region.start, atoms, found, where, tables)
        done, atoms = region.end, []
        inner = text.cut(*region.inner)
        if region.kind == "display":
            _display(inner, found)
        elif region.kind == "text":
            read_lines(inner, 0, len(inner.text), _dollars_in(inner, found), found, "code", False)
    read_lines(text, done, len(text.text), atoms, found, where, tables)


def _without_stars(found: re.Match[str]) -> str:
    """As many characters, so that every place is kept."""
    return f"  {found.group(2)}  "


def _display(formula: Placed, found: Collector) -> None:
    r"""`$$= b$$` takes up what stands directly before it, and `$$+ b$$` goes on with a display before it."""
    begin = len(formula.text) - len(formula.text.lstrip())
    last = found.passages[-1] if found.passages and begin < len(formula.text) else None
    between = found.sources.between(last.origins[-1], formula.origins[begin]) if last is not None else ""
    if last is None or (between.strip(BESIDE) and not goes_on_between(between)):
        found.passage(formula, "latex", "display")
    elif (
        last.where == "display"
        and not between.strip(BESIDE)
        and GOES_ON.match(formula.text, begin)
        and RELATING.search(last.text)
    ):
        found.passages.pop()
        after = EMPTY_GROUP.match(formula.text)
        further = formula.cut(after.end() if after else 0)
        whole = joined([last.placed, made(" ", formula.origins[begin]), further])
        found.passage(whole, "latex", "display", continues=last.continues)
    else:
        found.passage(formula, "latex", "display", continues=RELATING.match(formula.text, begin) is not None)


def _dollars_in(text: Placed, found: Collector) -> list[Region]:
    return [r for r in regions(text, found) if r.kind == "inline"]


# -- prose -------------------------------------------------------------------------------------------------------
def read_lines(text: Placed, start: int, end: int, atoms: list[Region], found: Collector, where: str, tables: bool) -> None:  # fmt: skip
    """Lines and tables between two places; `atoms` are the formulas and code in them."""
    lines = _logical_lines(text.text, start, end, atoms, where == "code")
    at = 0
    while at < len(lines):
        is_long = lines[at][1] - lines[at][0] > LINE_CHARACTERS
        rows = _table_from(text.text, lines, at) if tables and not is_long else 0
        if rows:
            read_table([_cells(text, *lines[i], atoms) for i in range(at, at + rows) if not _separates(text.text[slice(*lines[i])])], found)  # fmt: skip
            at += rows
            continue
        first, last = lines[at]
        if is_long:
            message = f"a line of {last - first} characters; at most {LINE_CHARACTERS}"
            found.problem("too_long", message, text.origins[first])
            at += 1
            continue
        if _has_relation(text.text, first, last) or _within(atoms, first, last):
            bullet = BULLET.match(text.text, first, last)
            line, inside = _view(text, bullet.end() if bullet else first, last, atoms)
            for piece in [line] if inside else _side_by_side(line, found):
                read_line(piece, inside, found, where)
        elif text.text.startswith("\\", first) or text.text[first:last].lstrip().startswith("\\begin{"):
            found.passage(text.cut(first, last), "latex", "line")
        at += 1


def _side_by_side(line: Placed, found: Collector) -> list[Placed]:
    """The equations of a line, each for itself; where bold type stood between them, nothing is parted."""
    pieces: list[Placed] = []
    for part in parted(line):
        beside = columns(part)
        gaps = [found.sources.between(a.origins[-1], b.origins[0]) for a, b in pairwise(beside)]
        pieces += beside if all(not gap.strip() for gap in gaps) else [part]
    return pieces


def _has_relation(text: str, start: int, end: int) -> bool:
    """Whether there may be a claim: also where the sign is < or ≥, or a ~ between numbers."""
    return any(sign.search(text, start, end) is not None for sign in (RELATING, COMPARES, ABOUT))


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


def _logical_lines(text: str, start: int, end: int, atoms: list[Region], in_code: bool) -> list[tuple[int, int]]:
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
        if (
            (crossing or joins or _goes_on(text[first:stop], text[after : after + 200], in_code))
            and after < end
            and after - first < 2 * FORMULA_CHARACTERS
        ):
            taken += 1
            at = after
            continue
        lines.append((first, stop))
        at, first, taken, opened = after, after, 0, 0
    return lines


def _goes_on(line: str, following: str, in_code: bool) -> bool:
    """`x = a`, and deeper in the next line `+ b`: one formula; as is a line that ends with an operator."""
    if _is_wrapped(line, following):
        return True
    if not RELATING.search(line):
        return False
    if ENDS_OPEN.search(line[-40:]):
        return following.strip() != ""
    operator = BEGINS_WITH_OPERATOR.match(following)
    if operator is None:
        return False
    indent = len(line) - len(line.lstrip())
    if in_code and operator.group().strip() in tuple("+×·⋅⊙*/"):
        return len(operator.group(1)) >= indent  # a block of text that has no bullets
    is_bullet = operator.group().strip() in ("-", "*") and RELATING.match(line, indent) is None
    return len(operator.group(1)) > indent + 2 * is_bullet


def _is_wrapped(line: str, following: str) -> bool:
    """`with gamma = 1, beta` and in the next line `= 0`; `4 × 4` and `+ 128 = 144`; `N(H` and `+ F(H))`."""
    rest = following.partition("\n")[0]
    if ARITHMETIC.fullmatch(line) and GOES_ON.match(following) and RELATING.search(rest):
        return True
    if following[:1].isspace() or not line[:1].strip():
        return False
    if RELATING.match(following):
        return WRAPPED_WORD.search(line[-60:]) is not None
    if BEGINS_WITH_OPERATOR.match(following) is None:
        return False
    tail = re.split(RELATING, line)[-1]
    if tail != line and tail.count("(") > tail.count(")"):
        return True
    ends = WRAPPED_SUM if following[:1] == "+" else WRAPPED_PRODUCT if following[:1] in "×·" else None
    return ends is not None and RELATING.search(rest) is not None and ends.search(line[-40:]) is not None


# -- tables ---------------------------------------------------------------------------------------------------------
def _table_from(text: str, lines: list[tuple[int, int]], at: int) -> int:
    """How many lines from here on are a table: columns parted by bars with a separating line, or by tabs."""
    if "\t" in text[slice(*lines[at])].strip():
        count = 0
        while at + count < len(lines) and "\t" in text[slice(*lines[at + count])].strip():
            count += 1
        return count if count > 1 or text[slice(*lines[at])].strip().count("\t") > 1 else 0
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
