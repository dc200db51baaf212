r"""From a passage to its relations: one for each sign that relates, with both of its sides."""

from __future__ import annotations

import re
from dataclasses import replace

from symtransformer.documents.conditions import REACH, condition_beside, condition_of
from symtransformer.documents.decoding import DocumentError
from symtransformer.documents.dressing import COLUMN, QUAD, undressed
from symtransformer.documents.grouping import without_commas
from symtransformer.documents.inequalities import COMPARING, comparison
from symtransformer.documents.limits import CLAIMS
from symtransformer.documents.naming import with_names
from symtransformer.documents.placed import Placed, joined
from symtransformer.documents.records import Document, Relation
from symtransformer.documents.sides import JOINING
from symtransformer.documents.signs import BINARY, RELATIONS, Sign, signs_of
from symtransformer.documents.statements import statements_of, unwrapped
from symtransformer.documents.units import UNIT, with_units, without_repeated

PUNCTUATION = " \t\r\n.,;:、。，．\u2001\u2003"
SEPARATORS = {ord(COLUMN): " ", ord(QUAD): " "}
DOTS = re.compile(r"\.[0-9]+(?P<dots>\.\.\.)[\s.,;:、。]*\Z")
TIMES = re.compile(r"(?<=[0-9])\s*(?:\\times|×)\Z")  # 128× says how often
JOINING_TEXT = re.compile(
    rf"\s*\\(?:text|textrm|mathrm|mbox)\{{\s*(?:{'|'.join(JOINING)})\s*\}}(?=.)", re.IGNORECASE | re.DOTALL
)
MULTIPLIERS = ("thousand", "million", "billion", "trillion")
# words that make another number of what they stand beside: 5 \text{ dozen}, \text{twice } a
COUNTS = re.compile(
    r"\b(?:dozens?|hundreds?|thousands?|millions?|billions?|trillions?|percent|per cent|pct|k|times|pairs? of|score|half|halves|twice|double|"
    r"triple|third|quarter|squared?|cubed?|factorial|minus|plus|negative|max|min|maximum|minimum|sum|mean|average|product|root|log|mod|div|of)\b"
    r"|[百千万億兆割倍分]|乗|半|個分|ダース|パーセント",
    re.IGNORECASE,
)
COMPUTES = re.compile(r"[√²³¹\u2070-\u207e]|\\sqrt")  # in a word, as in x²
EMPTY = Placed("", ())
VALUES = ("number", "word", "raised", "begin")  # a row with one of these is more than dots or a remark
# (2), (3.1), (A.2), (2a), (*): the number of an equation


def relations(document: Document) -> tuple[Relation, ...]:
    """All equations of a document in its order; a row that begins with a sign has its left side in the row before.

    >>> from symtransformer.documents import read_document
    >>> [(r.left.text, r.sign, r.right.text) for r in relations(read_document(b"$1/3 + 1/3 = 2/3 ~= 0.67$", "a.md"))]
    [('1/3 + 1/3', '=', '2/3'), ('2/3', '≈', '0.67')]
    """
    return tuple(relation for relation in split(document)[0] if relation.sign not in COMPARING)


def split(document: Document) -> tuple[tuple[Relation, ...], frozenset[int]]:
    """All relations, inequalities too, and the places of the signs that have become one or are only spoken of."""
    splitter = Splitter(document)
    for index in range(len(document.passages)):
        splitter.passage(index)
    return tuple(splitter.found), frozenset(splitter.claimed)


class Splitter:
    """Goes through the passages; remembers the last side, which a row may take up."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.found: list[Relation] = []
        self.highest_chain = self.last_chain = 0
        self.last: Placed = EMPTY
        self.index = 0
        self.condition, self.condition_line = "", 0
        self.claimed: set[int] = set()  # places of signs that have become relations, or are only spoken of

    def passage(self, index: int) -> None:
        passage = self.document.passages[index]
        self.index = index
        if not passage.continues:
            self.last = EMPTY
        formula = without_commas(undressed(passage.placed))
        signs = signs_of(formula.text)
        formula, rows = _rows(formula, signs, "\\begin{multline" in passage.text)
        alone = condition_of(formula.text)
        if alone or passage.line > self.condition_line + REACH:
            self.condition, self.condition_line = alone, passage.line
        for row in rows:
            if row:
                self._row(formula, row)
        if not any(s.kind == "relation" for s in signs):
            self.last, self.last_chain = _tidied(formula), self._new_chain()

    def _row(self, formula: Placed, signs: list[Sign]) -> None:
        before, statements = len(self.found), statements_of(signs)
        if not statements and any(s.kind in VALUES for s in signs):  # the next row may go on with it
            self.last, self.last_chain = _tidied(formula.cut(signs[0].start, signs[-1].end)), self._new_chain()
        for number, (signs_of_piece, extra) in enumerate(statements):
            self._statement(formula, signs_of_piece, extra, may_continue=number == 0)
        condition = condition_beside(formula.text[signs[0].start : signs[-1].end]) or self.condition
        if condition:
            self.found[before:] = [replace(relation, condition=condition) for relation in self.found[before:]]

    def _statement(self, formula: Placed, signs: list[Sign], extra: int, may_continue: bool) -> None:
        """One chain: sides and the signs between them. `extra` is where its last side ends."""
        inner = unwrapped(signs)
        extra = extra if inner is signs else inner[-1].end
        between = [s for s in inner if s.depth == inner[0].depth and s.kind in ("relation", "other")]
        starts = [inner[0].start, *(s.end for s in between)]
        ends = [*(s.start for s in between), max(starts[-1], extra)]
        if between:
            for start, end in zip(starts, ends, strict=True):
                self._in_brackets(formula, [s for s in inner if start <= s.start and s.end <= end])
        starts[0] = _behind_label(inner, ends[0])
        sides = [formula.cut(*side) for side in zip(starts, ends, strict=True)]
        pieces = [_tidied(without_repeated(side), keeps) for side, keeps in with_units(sides)]
        above = may_continue and not pieces[0].text and bool(self.last.text)
        if above:
            pieces[0] = self.last
        chain = self.last_chain if above else self._new_chain()
        for at, sign in enumerate(between):
            is_above = above and at == 0
            if not (pieces[at].text or pieces[at + 1].text):
                self.claimed.add(formula.origins[sign.start])  # it is only spoken of
            elif sign.kind == "relation":
                self._add(pieces[at], sign, pieces[at + 1], formula.origins[sign.start], chain, is_above)
                continue
            elif comparison(sign):
                self._add(pieces[at], sign, pieces[at + 1], formula.origins[sign.start], self._new_chain(), is_above)
            if sign.kind == "other":
                chain = self._new_chain()
        if between and may_continue:
            self.last, self.last_chain = pieces[-1], chain

    def _new_chain(self) -> int:
        """A number that no relation has yet."""
        return self.highest_chain + 1

    def _in_brackets(self, formula: Placed, side: list[Sign]) -> None:
        """A side that is a statement in brackets itself, as in (x = 1) => (y = 2)."""
        inner = unwrapped(side)
        if inner is not side and any(s.kind == "relation" and s.depth == inner[0].depth for s in inner):
            self._statement(formula, side, side[-1].end, may_continue=False)

    def _add(self, left: Placed, sign: Sign, right: Placed, origin: int, chain: int, above: bool) -> None:
        place = self.document.place(origin)
        if len(self.found) >= CLAIMS:
            raise DocumentError(self.document.name, "too_many", f"more than {CLAIMS} relations", place.line)
        self.highest_chain = max(self.highest_chain, chain)
        meant = comparison(sign) or RELATIONS.get(sign.text, "=")
        left, right = with_names(left), with_names(right)
        self.claimed.add(origin)
        self.found.append(Relation(left, meant, right, place.file, place.line, place.column, chain, self.index, above))


def _rows(formula: Placed, signs: list[Sign], one_formula: bool) -> tuple[Placed, list[list[Sign]]]:
    """The rows; one that goes on with the formula of the row before is part of that."""
    rows: list[list[Sign]] = [[]]
    text = formula.text
    row_ends = [at for at, s in enumerate(signs) if s.kind == "row" and s.depth == 0]
    for begin, end in zip([-1, *row_ends], [*row_ends, len(signs)], strict=True):
        row = signs[begin + 1 : end]
        if begin >= 0 and (one_formula or _goes_on(rows[-1], row)):
            separator = signs[begin]
            text = text[: separator.start] + " " * (separator.end - separator.start) + text[separator.end :]
            rows[-1] += row
        elif any(s.kind != "space" for s in row):
            rows.append(row)
    return Placed(text, formula.origins), rows


def _goes_on(before: list[Sign], row: list[Sign]) -> bool:
    """`= a + b`, then `+ c`: a row that begins with an operator, or comes behind one."""
    solid = [s for s in row if s.kind != "space"]
    ended = [s for s in before if s.kind != "space"]
    if not solid or not ended:
        return False
    if ended[-1].kind in ("relation", "operator") or ended[-1].text in BINARY:
        return True
    if solid[0].kind != "operator" and solid[0].text not in BINARY:
        return False
    in_second_column = any(COLUMN in s.text for s in row[: row.index(solid[0])])
    aligned = any(COLUMN in s.text for s in (*before, *row))
    return solid[0].text not in ("-", "−") or in_second_column or not aligned


def _behind_label(signs: list[Sign], end: int) -> int:
    """Where the first side begins: `w_1: 0.5 + 0.2 = 0.7` claims nothing of w_1; a ratio 1 : 2 has no letter before it."""
    level = signs[0].depth
    colons = [at for at, s in enumerate(signs) if s.text == ":" and s.depth == level and s.end < end]
    if len(colons) != 1 or _may_be_divided(signs, colons[0]):
        return signs[0].start
    behind = [s for s in signs[colons[0] + 1 :] if s.kind != "space" and s.end <= end]
    return behind[0].start if behind else signs[0].start


def _may_be_divided(signs: list[Sign], colon: int) -> bool:
    r"""1 : 2 and \frac{2}{3} : \frac{3}{4} are divisions, and what has a letter or a word before the colon is a label.

    But (1 + x) : 2 and f(x):2 are none, as the colon of a label stands right behind it, and a space follows.
    """
    before = signs[:colon]
    if all(s.kind in ("number", "space") for s in before):
        return True
    computes = any(s.kind in ("operator", "raised") or s.text.endswith("frac") for s in before)
    kinds = ("number", "space", "operator", "raised", "command", "open", "close")
    if computes and all(s.kind in kinds for s in before):
        return True
    as_label = signs[colon - 1].kind != "space" and signs[colon + 1 : colon + 2] and signs[colon + 1].kind == "space"
    operates = any((s.kind == "operator" and s.text != "_") or s.text in BINARY for s in before)
    is_called = any((s.kind == "open" and s.text != "{") or COMPUTES.search(s.text) for s in before)
    return not as_label and (operates or is_called)


def _tidied(side: Placed, keeps_unit: bool = False) -> Placed:
    """Without remarks in words, and what ends a sentence; 0.66... goes on."""
    unit = UNIT.search(side.text)
    kept_from = unit.start() if unit and (keeps_unit or unit.group(1) in MULTIPLIERS) else len(side.text)
    kept_from = side.origins[kept_from] if kept_from < len(side.text) else -1
    if (joins := JOINING_TEXT.match(side.text)) is not None:
        side = side.cut(joins.end())
    whole, side = side, side.strip(PUNCTUATION)
    if (dots := DOTS.search(whole.text)) is not None:
        side = whole.cut(whole.text.index(side.text), dots.end("dots"))
    times = TIMES.search(side.text)
    side = side.cut(0, times.start()) if times else side
    side = Placed(side.text.translate(SEPARATORS), side.origins)
    if "\\" not in side.text:
        return side
    signs = [s for s in signs_of(side.text) if s.kind != "space"]
    gone = []
    for at, sign in enumerate(signs):
        inner = sign.text[sign.text.index("{") + 1 : -1] if sign.kind == "text" else ""
        if sign.kind != "text" or sign.depth > 0 or len(signs) == 1 or side.origins[sign.start] == kept_from:
            continue
        beside = [signs[i] for i in (at - 1, at + 1) if 0 <= i < len(signs)]
        operand = any(s.kind == "operator" or s.text in BINARY for s in beside) or (
            at + 1 < len(signs) and signs[at + 1].text == "("
        )
        if 0 < at < len(signs) - 1 and not operand and not inner.strip(" ~,;()[]").endswith((":", ".")):
            continue  # it joins what stands on both sides of it: a \text{ plus } a
        if COUNTS.search(inner):
            continue
        if (not operand and not inner.isascii()) or inner != inner.strip() or (" " in inner and not operand):
            gone.append((sign.start, sign.end))
    if not gone:
        return side
    kept, done = [], 0
    for start, end in gone:
        kept.append(side.cut(done, start))
        done = end
    rest = joined([*kept, side.cut(done)]).strip(PUNCTUATION)
    return rest if rest.text else side
