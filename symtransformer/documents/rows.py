"""A line, or the cells of a table, of which the formulas between dollars are known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from symtransformer.documents.bars import with_bars
from symtransformer.documents.beside import (
    GOES_ON_BEHIND,
    begins_with_relation,
    goes_on_between,
    named,
    unit_behind,
    with_unit,
    with_what_touches,
    words_as_name,
)
from symtransformer.documents.collecting import Collector
from symtransformer.documents.grouping import with_groups
from symtransformer.documents.inequalities import COMPARES, TAG, comparing_spans
from symtransformer.documents.lines import Span, formula_spans
from symtransformer.documents.operands import is_mathy, is_operator
from symtransformer.documents.placed import LINE_END, Placed
from symtransformer.documents.records import Cell
from symtransformer.documents.signs import RELATING, Sign, match_brackets, signs_of, unmatched
from symtransformer.documents.unread_signs import ABOUT, NOT_CLEAR, tell_unread

COMMAND = re.compile(r"\\(?:text|mathrm|operatorname)?\s*\{?([A-Za-z]+)")
NUMERIC = re.compile(r"[-+−－(（\[]*[0-9０-９][0-9０-９.,．\s%％)）\]−+×·*/-]*|[-−－]?∞")
ALONE = re.compile(r"[=≈≒≃＝<>≤≥≠]")  # in a cell of its own, its sides in those beside it
# 2 (3 + 4) may be a product, 128 (16 × 8) a remark
AMBIGUOUS = re.compile(r"(?:[ \t]+[(]|[ \t]*（)[ \t]*[0-9.]+(?:[ \t]*[-+−×·*/÷][ \t]*[0-9.]+)+[ \t]*[)）]")
EDGE = re.compile(r"\s*(?:[-+−×÷·⋅*/@=≈≒≡＝＋]|\\(?:times|cdot|div|approx|equiv|odot|pm)(?![A-Za-z]))")
EDGE_BEHIND = re.compile(r"(?:[-+−×÷·⋅*/@=≈≒≡＝＋]|\\(?:times|cdot|div|approx|equiv|odot|pm))\s*\Z")


@dataclass(frozen=True)
class Atom:
    """A formula between dollars, or a piece of code, by its place in the line."""

    kind: str
    start: int
    end: int


def read_line(line: Placed, atoms: Sequence[Atom], found: Collector, where: str, cell: Cell | None = None) -> bool:
    """Puts the formulas of a line into `found`; says whether there are any."""
    line = _without_double(line.folded(in_prose=True), atoms, found)
    signs = _signs(line.text, [a for a in atoms if a.kind == "inline"], [a for a in atoms if a.kind == "code"])
    has_signs = any(s.kind == "relation" for s in signs)
    goes_on = has_signs and _may_continue(line, found, where)
    spans = formula_spans(signs, goes_on or where == "code") if has_signs else []
    spans += comparing_spans(signs)
    whole = [(span.start, span.end, span.continues and goes_on, False) for span in spans]
    merged = _merged(whole + _clusters(line.text, signs))
    if has_signs or COMPARES.search(line.text) or ABOUT.search(line.text):
        tell_unread(line, signs, [(start, end) for start, end, _, _ in merged], where, found)
    for start, end, begins, is_math in merged:
        piece, continues = line.cut(start, end), begins
        if not is_math and AMBIGUOUS.match(line.text, end) and line.text[end - 1].isdigit():
            message = "a product, or a number and a remark in brackets? write × or leave the brackets out"
            found.problem("ambiguous", message, piece.origins[0])
            continue
        inside = any(a.kind == "inline" and a.start < end and start < a.end for a in atoms)
        if is_math and begins_with_relation(piece.text):
            continues = not line.text[:start].strip() and _may_continue(line, found, where)
            piece = piece if continues else named(piece, line, signs, start)
        if is_math:
            whole_piece = with_what_touches(piece, line, start, found.sources.between)
            if whole_piece is None or (RELATING.search(piece.text) and GOES_ON_BEHIND.match(line.text, end)):
                found.problem("not_clear", NOT_CLEAR, piece.origins[0])
                continue
            piece = whole_piece
        if is_math and (unit := unit_behind(line.text, end)):
            piece = with_unit(piece, unit)
        if where == "line" and not is_math and piece.text.endswith("!") and not line.text[end:].strip():
            piece = piece.cut(0, len(piece.text) - 1)  # a loud sentence, no factorial
        if inside and not any(a.kind == "inline" and a.start <= start < a.end for a in atoms):
            piece = words_as_name(piece)
        language = "latex" if is_math or inside or "\\" in piece.text else "text"
        found.passage(piece, language, "table" if cell else "inline" if inside else where, cell, continues)
    for atom in atoms:
        if atom.kind == "code" and RELATING.search(line.text, atom.start, atom.end):
            read_line(line.cut(atom.start, atom.end), [], found, "code", cell)
    return bool(merged)


def _may_continue(line: Placed, found: Collector, where: str) -> bool:
    """A line may begin with a relation if the line before, or the one before that, was a formula."""
    if not found.passages or not line.text:
        return False
    last = found.passages[-1]
    ended, begins = found.sources.place(last.origins[-1]), found.sources.place(line.origins[0])
    if last.file != begins.file or begins.line < ended.line:
        return False
    between = found.sources.between(last.origins[-1], line.origins[0])
    if begins.line - ended.line <= 2:
        return not any(_is_a_side(words.strip(" \t>*_")) for words in LINE_END.split(between)[1:-1])
    return where == "code" and goes_on_between(between)


def _is_a_side(words: str) -> bool:
    """A line of mathematics alone, with which the next one goes on."""
    signs = signs_of(words)
    solid = [at for at, sign in enumerate(signs) if sign.kind != "space"]
    return bool(solid) and all(is_mathy(signs, at) or is_operator(signs[at]) for at in solid)


def _signs(text: str, atoms: Sequence[Atom], code: Sequence[Atom]) -> list[Sign]:
    signs: list[Sign] = []
    done = 0
    for atom in sorted([*atoms, *code], key=lambda a: a.start):
        signs += unmatched(text, done, atom.start)
        end = _before_last_relation(text, atom)
        if text[atom.start : end].strip() and not _is_result(text, atom):
            signs.append(Sign("atom" if atom.kind == "inline" else "stop", "", atom.start, end))
        signs += unmatched(text, atom.start if _is_result(text, atom) else end, atom.end)
        done = atom.end
    signs = with_bars(_with_tags(with_groups([*signs, *unmatched(text, done)]), text))
    match_brackets(signs)
    return signs


def _is_result(text: str, atom: Atom) -> bool:
    """2 + 2 = `4`: a number in code behind a sign that relates."""
    before = text[max(0, atom.start - 40) : atom.start].rstrip()
    is_number = atom.kind == "code" and NUMERIC.fullmatch(text, atom.start, atom.end) is not None
    return is_number and re.search(rf"(?:{RELATING.pattern})\Z", before) is not None


def _before_last_relation(text: str, atom: Atom) -> int:
    r"""`$x =$ 3` and `$x$ $\approx$ 3`: the right side stands outside of the dollars."""
    found = list(RELATING.finditer(text, atom.start, atom.end))
    if atom.kind != "inline" or not found or text[found[-1].end() : atom.end].strip():
        return atom.end
    return found[-1].start()


def _clusters(text: str, signs: list[Sign]) -> list[tuple[int, int, bool, bool]]:
    r"""Formulas between dollars; `$1\times2$ $+3$ $=5$` are pieces of one."""
    result: list[tuple[int, int, bool, bool]] = []
    between = ""
    for sign in signs:
        if sign.kind != "atom":
            between += sign.text if sign.kind in ("space", "operator", "relation") else "\0"
            continue
        inner = text[sign.start : sign.end]
        if result and "\0" not in between:
            before = text[max(result[-1][0], result[-1][1] - 40) : result[-1][1]]
            if between.strip() or EDGE.match(inner) or EDGE_BEHIND.search(before):
                result[-1] = (result[-1][0], sign.end, False, True)
                between = ""
                continue
        result.append((sign.start, sign.end, False, True))
        between = ""
    return result


def _merged(pieces: list[tuple[int, int, bool, bool]]) -> list[tuple[int, int, bool, bool]]:
    """Pieces that overlap are one."""
    result: list[tuple[int, int, bool, bool]] = []
    for start, end, continues, is_math in sorted(pieces):
        if result and start < result[-1][1]:
            first, last, began, was_math = result[-1]
            result[-1] = (first, max(last, end), began, is_math or was_math)
        else:
            result.append((start, end, continues, is_math))
    return result


def _with_tags(signs: list[Sign], text: str) -> list[Sign]:
    """<b> and </b> of a web page among Markdown compare nothing: each is one sign."""
    ends = {found.start(): found.end() for found in TAG.finditer(text)} if "<" in text else {}
    if not ends:
        return signs
    made: list[Sign] = []
    for sign in signs:
        if made and made[-1].kind == "url" and sign.start < made[-1].end:
            continue  # inside of the tag
        end = ends.get(sign.start)
        made.append(sign if end is None or sign.text != "<" else Sign("url", text[sign.start : end], sign.start, end))
    return made


def _without_double(line: Placed, atoms: Sequence[Atom], found: Collector) -> Placed:
    """Text copied from a page may hold a formula twice, as it is seen and as LaTeX: the LaTeX is read."""
    at = line.text.find("\\")
    if atoms or at <= 0 or len(line.text) > 4_000 or not RELATING.search(line.text, 0, at):
        return line
    visible = re.sub(
        r"[^A-Za-z0-9]", "", COMMAND.sub(lambda m: m.group(1) if _is_shown(m.group()) else "", line.text[at:])
    )
    start, left = at, len(visible)
    while start > 0 and left:
        start -= 1
        left -= line.text[start].isascii() and line.text[start].isalnum()
    if not visible or re.sub(r"[^A-Za-z0-9]", "", line.text[start:at]) != visible:
        return line
    found.problem(
        "doubled", "a formula without its structure; the same follows as LaTeX, which is read", line.origins[start]
    )
    return Placed(line.text[:start] + " " * (at - start) + line.text[at:], line.origins)


def _is_shown(command: str) -> bool:
    return "{" in command and re.match(r"\\(?:text|mathrm|operatorname)\s*\{", command) is not None


# -- tables ----------------------------------------------------------------------------------------------------
def read_table(rows: list[list[tuple[Placed, list[Atom]]]], found: Collector) -> None:
    """Every cell that holds a formula or a number, with the head of its column and the label of its row."""
    found.tables += 1
    heads = [_shown(cell) for cell, _ in rows[0]] if rows else []
    for row, cells in enumerate(rows, 1):
        label = _shown(cells[0][0]) if cells else ""
        for column, (cell, atoms) in enumerate(cells, 1):
            heading = heads[column - 1] if column <= len(heads) and row > 1 else ""
            place = Cell(found.tables, row, column, heading, label if column > 1 else "")
            if ALONE.fullmatch(cell.text.strip()) and 1 < column < len(cells):
                found.problem("not_clear", NOT_CLEAR, cell.strip().origins[0])
                continue
            if read_line(cell, atoms, found, "table", place) or any(a.kind == "inline" for a in atoms):
                continue
            if row > 1 and NUMERIC.fullmatch(cell.text.strip()):
                found.passage(cell, "text", "table", place)


def _shown(cell: Placed) -> str:
    return " ".join(cell.folded().text.split())[:120]


__all__ = ["Atom", "Span", "read_line", "read_table"]
