r"""Parts of a matrix formula that no expression is written with: Sum(..., i = 1..h), Y[:, 1:d_v], pad[2 of 5](X), a_4.

Each is read by itself and put in under a name of its own, so that what stands around it is read as ever.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from sympy import Expr, S, Symbol

from symtransformer.claims.heads import HEADED, families_of, spelled_in, with_names, without_heads, without_its_head
from symtransformer.claims.subject import Subject
from symtransformer.errors import SymtransformerError
from symtransformer.node import Node
from symtransformer.operation import REGISTRY
from symtransformer.reading import ReadingError
from symtransformer.reading.index_marks import spellings
from symtransformer.reading.index_places import plain, value_of
from symtransformer.reading.problems import Span
from symtransformer.symbols import head_index

NAMED = r"(?:[a-z][a-z0-9]{0,7}\.)?(?:\\(?:mathrm|mathit|text)\s*\{\s*[A-Za-z][A-Za-z0-9]*\s*\}|[A-Za-z][A-Za-z0-9]*)(?:_(?:\{[A-Za-z0-9]+\}|[A-Za-z0-9]+))?"
UPPER = r"\{(?P<upper>(?:[^{}\n]|\{[^{}\n]*\}){1,40})\}"
CALLED = re.compile(r"(?<![A-Za-z0-9_\\])(?P<name>Sum|Concat)\s*\(")
COUNTED = re.compile(r",\s*(?P<letter>[a-z])\s*=\s*1\s*\.\.\.?\s*(?P<upper>[^=,]{1,40})\Z")
CONCATENATED = re.compile(
    rf"\\operatorname\*?\s*\{{\s*Concat\s*\}}_\{{\s*(?P<letter>[a-z])\s*=\s*1\s*\}}\s*\^\s*{UPPER}(?:\\!|\s)*\\left\("
)
SUMMED = re.compile(
    rf"(?:Σ|∑|\\sum(?![A-Za-z])|(?<![A-Za-z])sum(?=_))\s*_\s*\{{?\s*(?P<letter>[a-z])\s*(?:=\s*1\s*)?\}}?"
    rf"(?:\s*\^\s*(?:{UPPER}|(?P<short>[A-Za-z0-9])(?:_[A-Za-z0-9]+)?))?"
)
PADDED = re.compile(
    r"(?<![A-Za-z0-9_\\])(?P<name>pad|padrow)\[(?P<first>[^\]]{1,40}?) of (?P<size>[^\]]{1,40})\]\s*\("
    r"|\\operatorname\s*\{\s*(?P<set>pad|padrow)\s*\}_\{(?P<low>(?:[^{}]|\{[^{}]*\}){1,60}?)(?:\\,)*\s*/\s*(?:\\,)*(?P<of>(?:[^{}]|\{[^{}]*\}){1,40})\}(?:\\!|\s)*\\left\("
)
CUT = re.compile(
    r"\[(?P<text>[^\[\]\n]{1,80})\]|_\s*\{(?P<low>[^{}\n]*(?:\{[^{}\n]*\}[^{}\n]*)*:[^{}\n]*(?:\{[^{}\n]*\}[^{}\n]*)*)\}"
)
ROW = re.compile(
    r"(?<![A-Za-z0-9_.\\{])(?P<base>\\mathrm\s*\{\s*[a-z][A-Za-z0-9]*\s*\}|[a-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+|_\{[A-Za-z0-9]+\})??)_(?P<index>\{\s*(?:[0-9]{1,9}|[a-z])\s*\}|[0-9]{1,9}|[a-z])(?![A-Za-z0-9_])"
)
OPEN, CLOSE = "([{", ")]}"
PARTS = re.compile(r"Sum|Concat|Σ|∑|sum|pad|\[|:")  # signs without which there is none
_Part = tuple[Node, int, int]


def is_cut(text: str) -> bool:
    """Whether rows or columns are taken with _{:,1:3}, which are no indices."""
    return any(found.group("low") for found in CUT.finditer(text))


def counts_both_ways(text: str) -> bool:
    """Whether rows or columns are taken with [...], which counts from 1 on a page and from 0 in Python."""
    return any(found.group("text") for found in CUT.finditer(text))


@dataclass
class Parts:
    """Reads the parts of one formula; `read` reads what is left of it, with the nodes that were put in."""

    subject: Subject
    nodes: Mapping[str, Node]
    numbers: Mapping[str, Any]
    read: Callable[[str, Mapping[str, Node], bool], Any]
    from_zero: bool = False  # X[:, 1:3] as in Python
    rows: bool = False  # a_4 is row 4 of A
    heads: dict[str, Symbol] = field(default_factory=dict)  # letters of heads, and those of the expression
    found: dict[str, Node] = field(default_factory=dict)

    def value(self, text: str, is_whole: bool) -> Any:
        """What the formula is; its places are those of the text."""
        return self.read(without_heads(self._put_in(text)), {**self.nodes, **self.found}, is_whole)

    # -- one part after the other ------------------------------------------------------------------------------
    def _put_in(self, text: str) -> str:
        while True:
            made = (put_in(text, found) for pattern, put_in in self._patterns() for found in pattern.finditer(text))
            one = next((x for x in made if x is not None), None)
            if one is None:
                return text
            text = self._with(text, one)

    def _patterns(self) -> Iterator[tuple[re.Pattern[str], Any]]:
        yield from ((CALLED, self._called), (CONCATENATED, self._concatenated), (SUMMED, self._summed), (PADDED, self._padded), (CUT, self._cut))  # fmt: skip
        if self.rows:
            yield ROW, self._row

    def _with(self, text: str, part: _Part) -> str:
        node, start, end = part
        taken = {*self.nodes, *self.numbers, *self.found}
        name = next(x for k in count(1) if (x := f"Pt{k}") not in taken and f"d{x}" not in taken)
        self.found[name] = node
        return text[:start] + (f"({name})" if end - start > len(name) + 1 else name).ljust(end - start) + text[end:]

    def _refuse(self, text: str, place: int, message: str) -> ReadingError:
        return ReadingError(text, Span(place, place), "part", message)

    def _alone(self, text: str, start: int, end: int) -> str:
        return "".join("\n" if c == "\n" else " " for c in text[:start]) + text[start:end]

    def _node(self, text: str, start: int, end: int) -> Node:
        value = self.value(self._alone(text, start, end), False)
        if not isinstance(value, Node):
            raise self._refuse(text, start, "a matrix is expected here, and this is a number")
        return value

    def _close(self, text: str, opening: int) -> int:
        depth = 0
        for k in range(opening, len(text)):
            depth += (text[k] in OPEN) - (text[k] in CLOSE)
            if depth == 0:
                return k
        raise self._refuse(text, opening, f"{text[opening]!r} is not closed")

    # -- all heads ---------------------------------------------------------------------------------------------
    def _called(self, text: str, found: re.Match[str]) -> _Part | None:
        opening = found.end() - 1
        end = self._close(text, opening)
        counted = COUNTED.search(text, opening + 1, end)
        if counted is None:
            return None
        family = "HeadSum" if found.group("name") == "Sum" else "HeadConcatenation"
        body = opening + 1, counted.start()
        return self._of_heads(text, family, counted.group("letter"), counted.group("upper"), *body), found.start(), end + 1  # fmt: skip

    def _concatenated(self, text: str, found: re.Match[str]) -> _Part:
        end = self._close(text, found.end() - 1)
        body = found.end(), end - len(r"\right")
        node = self._of_heads(text, "HeadConcatenation", found.group("letter"), found.group("upper"), *body)
        return node, found.start(), end + 1

    def _summed(self, text: str, found: re.Match[str]) -> _Part:
        end = self._end_of_term(text, found.end())
        upper = found.group("upper") or found.group("short") or ""
        node = self._of_heads(text, "HeadSum", found.group("letter"), upper, found.end(), end)
        return node, found.start(), end

    def _end_of_term(self, text: str, start: int) -> int:
        """A sum takes what is multiplied behind it, up to a + or -, or the end of the brackets around it."""
        depth = 0
        for k in range(start, len(text)):
            if text[k] == "," and text[k - 1] == "\\":  # a space
                continue
            depth += (text[k] in OPEN) - (text[k] in CLOSE)
            if depth < 0 or (depth == 0 and text[k] in "+-−,=" and text[start:k].strip(" \\,!;")):
                return k - len(r"\right") if text[:k].endswith(r"\right") and depth < 0 else k
        return len(text)

    def _of_heads(self, text: str, family: str, letter: str, upper: str, start: int, end: int) -> Node:
        """The family of what stands inside, or its members one by one where they have names of their own."""
        if letter in self.heads:
            raise self._refuse(text, start, f"{letter} is a head of the left side, or counted already; choose another")
        body = text[start:end]
        named = self._families_with(body, letter)
        counted = {name: n for name in named if (n := sum(family == name for family, _ in self.subject.members))}
        if counted and len(counted) == len(named) and len(set(counted.values())) == 1:
            n = next(iter(counted.values()))
            self._require_upper(text, start, upper, n, letter)
            members = [self._member(text, start, end, letter, k, counted) for k in range(1, n + 1)]
            kind = "Addition" if family == "HeadSum" else "Concatenation"
            return members[0] if n == 1 else self._made(text, start, REGISTRY[kind], *members)
        symbols = {getattr(self.nodes.get(name), "head", None) for name in named}
        symbol = next(iter(symbols)) if len(symbols) == 1 else head_index(letter) if not symbols else None
        if not isinstance(symbol, Symbol) or symbol in self.heads.values() or (symbol.name in self.numbers and not named):  # fmt: skip
            raise self._refuse(text, start, f"it is not clear which heads {letter} counts")
        size = self.subject.heads.get(symbol) if named else None
        size = self._number(text, start, upper) if size is None else size
        self._require_upper(text, start, upper, size, letter)
        self._require_every_head(text, start, body, letter, symbol)
        inside = Parts(self.subject, self.nodes, self.numbers, self.read, self.from_zero, self.rows, {**self.heads, letter: symbol}, self.found)  # fmt: skip
        node = inside._node(text, start, end)
        if symbol not in node._mentions:
            raise self._refuse(text, start, f"nothing in this sum depends on {letter}")
        return self._made(text, start, REGISTRY[family], node, symbol, size)

    def _families_with(self, body: str, letter: str) -> set[str]:
        families = families_of(self.subject.members, self.nodes)
        return {name for name in families if re.search(rf"{spelled_in(name)}\^\({letter}\)", body)}

    def _member(self, text: str, start: int, end: int, letter: str, k: int, counted: Mapping[str, int]) -> Node:
        members = {(name, letter): self.subject.members[name, str(k)] for name in counted}
        body = with_names(self._alone(text, start, end), members, {})
        if re.search(rf"\^\({letter}\)", body):
            raise self._refuse(text, start, f"it is not clear which heads {letter} counts")
        return self._node(body, start, end)

    def _require_every_head(self, text: str, start: int, body: str, letter: str, symbol: Symbol) -> None:
        """Which head of a family is meant is said of each: of no other letter, and never left open."""
        others = {x for x in HEADED.findall(body) if x != letter}
        bare = without_its_head(body, self.nodes, symbol)
        if others or bare:
            which = f"{bare}: write it as {bare}^({letter})" if bare else f"{min(others)} and {letter}"
            raise self._refuse(text, start, f"it is not clear which heads are meant by {which}")

    def _require_upper(self, text: str, start: int, upper: str, size: Any, letter: str) -> None:
        if upper and (self._number(text, start, upper) - size).expand() != 0:
            raise self._refuse(text, start, f"the sum over {letter} ends at {upper.strip()}, and there are {size}")

    # -- rows and columns --------------------------------------------------------------------------------------
    def _padded(self, text: str, found: re.Match[str]) -> _Part:
        name, first, size = (found.group(a) or found.group(b) for a, b in (("name", "set"), ("first", "low"), ("size", "of")))  # fmt: skip
        end = self._close(text, found.end() - 1)
        inner = self._node(text, found.end(), end - len(r"\right") * text[:end].endswith(r"\right"))
        kind = REGISTRY["ColumnPad" if name == "pad" else "RowPad"]
        places = self._number(text, found.start(), first) - 1, self._number(text, found.start(), size)
        return self._made(text, found.start(), kind, inner, *places), found.start(), end + 1

    def _cut(self, text: str, found: re.Match[str]) -> _Part | None:
        if ":" not in found.group() and not re.search(r"[A-Za-z0-9)\]}]\Z", text[: found.start()]):
            return None  # rows of a matrix of numbers
        start, end = self._before(text, found.start())
        node = self._node(text, start, end)
        low = found.group("text") is None
        pieces = [x.strip() for x in plain(found.group("low" if low else "text")).split(",")]
        if len(pieces) == 1 and not low and ":" not in pieces[0]:
            pieces.append(":")
        if len(pieces) != 2:
            raise self._refuse(text, found.start(), "expected rows and columns, as in X[:, 1:3] or X[2, :]")
        for axis, piece in enumerate(pieces):
            if piece != ":":
                first, last = self._range(text, found.start(), piece, node.shape[axis], self.from_zero and not low)
                kind, width = ("RowSlice", "ColumnSlice")[axis], (last - first).expand()
                if (width.is_Integer and width < 1) or (first.is_Integer and first < 0):
                    raise self._refuse(text, found.start(), f"{piece} holds no {('row', 'column')[axis]}")
                node = self._made(text, start, REGISTRY[kind], node, first, width)
        return node, start, found.end()

    def _range(self, text: str, place: int, piece: str, size: Any, from_zero: bool) -> tuple[Expr, Expr]:
        """From where to where, counted from 0, the end not included."""
        first, colon, last = (x.strip() for x in piece.partition(":"))
        ahead = 0 if from_zero else 1
        a = self._number(text, place, first, from_zero) if first else None
        if not colon:
            a = self._number(text, place, piece, from_zero)
            return a - ahead, a - ahead + 1
        b = self._number(text, place, last, from_zero) if last else size
        return (S.Zero if a is None else a - ahead), b

    def _row(self, text: str, found: re.Match[str]) -> _Part | None:
        base = plain(found.group("base")).replace(" ", "")
        index = found.group("index").strip("{} ")
        names = [x for x in spellings(base)[1:] if x in self.nodes]
        known = {*self.nodes, *self.numbers} & {base, f"{base}_{index}"}
        if not names or known or (index.isalpha() and index not in self.heads):
            return None
        node = self.nodes[names[0]]
        place = self._number(text, found.start(), index) - 1
        return self._made(text, found.start(), REGISTRY["Row"], node, place), found.start(), found.end()

    def _before(self, text: str, place: int) -> tuple[int, int]:
        """Where the matrix stands of which a part is taken: a name, or what is in brackets."""
        end = len(text[:place].rstrip())
        if (member := re.search(rf"(?<![A-Za-z0-9_\\]){NAMED}\^\([a-z]\)\Z", text[:end])) is not None:
            return member.start(), end
        last = text[end - 1 : end]
        if last in CLOSE and last:
            depth, k = 0, end - 1
            while k >= 0:
                depth += (text[k] in CLOSE) - (text[k] in OPEN)
                if depth == 0:
                    break
                k -= 1
            before = text[:k]
            if last == ")":
                k -= len(r"\left") * before.endswith(r"\left")
                of = re.search(r"(?:\\operatorname\s*\{\s*([A-Za-z]+)\s*\}(?:\\!)?|([A-Za-z][A-Za-z0-9]*))\Z", text[:k])
                called = of is not None and (of.group(1) or of.group(2)) not in self.nodes
                return (of.start() if of is not None and called else k), end
            if last == "}" and not re.search(r"[A-Za-z_^]\s*\Z", before):
                return k, end
        names = [x for x in re.finditer(rf"(?<![A-Za-z0-9_\\]){NAMED}", text[:end]) if x.end() == end]
        if not names:
            raise self._refuse(text, place, "it is not clear of what this is a part; put it in brackets")
        return names[-1].start(), end

    def _number(self, text: str, place: int, piece: str, from_zero: bool = False) -> Any:
        def meaning(name: str) -> Any:
            if name in self.heads:
                return self.heads[name] + (0 if from_zero else 1)
            return self.numbers[name]

        try:
            return value_of(plain(piece), meaning)
        except (ValueError, KeyError):
            raise self._refuse(text, place, f"{piece.strip()[:40]!r} is no place or size that is known here") from None

    def _made(self, text: str, place: int, kind: Any, *arguments: Any) -> Node:
        try:
            return kind(*arguments)  # type: ignore[no-any-return]
        except ReadingError:
            raise
        except SymtransformerError as error:
            raise self._refuse(text, place, str(error)) from error
