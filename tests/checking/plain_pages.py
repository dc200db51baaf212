"""The equations of a page that `build` writes, as plain trees: a reader for tests that knows nothing of the package.

A tree is a tuple: ("number", text, span), ("name", name, span), ("matrix", rows, span), ("call", function, arguments,
span), ("-", x, span), ("T", x, span), ("row", x, i), ("()", x) or (operator, left, right, span), where "·" is a product
without a sign; a span is (start, end) in the source.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plain_html import html_groups
from plain_tex import markdown_groups, tex_groups
from plain_tokens import NotRead, Token, text_groups

Tree = tuple[Any, ...]
GROUPS = {"txt": text_groups, "tex": tex_groups, "html": html_groups}  # and the profiles of Markdown


@dataclass(frozen=True)
class PlainSide:
    """One side of a chain: its text's place and its tree, None if it was not read."""

    start: int
    end: int
    tree: Tree | None


@dataclass(frozen=True)
class PlainChain:
    """Sides joined by relation signs; `places` are line and column of each sign."""

    sides: tuple[PlainSide, ...]
    signs: tuple[str, ...]
    places: tuple[tuple[int, int], ...]


def chains_of(source: str, language: str) -> list[PlainChain]:
    """Every chain of equations outside prose, in the order of the page."""
    groups = GROUPS.get(language, markdown_groups)(source)
    starts = [0, *(i + 1 for i, char in enumerate(source) if char == "\n")]
    found = []
    for tokens in groups:
        chain = _chain(tokens, source, starts)
        if chain is not None:
            found.append(chain)
    return found


def _chain(tokens: list[Token], source: str, starts: list[int]) -> PlainChain | None:
    parts: list[list[Token]] = [[]]
    signs: list[Token] = []
    depth = 0
    for token in tokens:
        depth += (token.text in "([") - (token.text in ")]") if token.kind == "sign" else 0
        if token.kind == "relation" and depth == 0:
            signs.append(token)
            parts.append([])
        else:
            parts[-1].append(token)
    if not signs or not all(parts):
        return None
    lines = [sum(s <= sign.start for s in starts) for sign in signs]
    places = tuple((line, sign.start - starts[line - 1] + 1) for line, sign in zip(lines, signs, strict=True))
    sides = tuple(PlainSide(p[0].start, p[-1].end, _tree(p)) for p in parts)
    return PlainChain(sides, tuple(sign.text for sign in signs), places)


def _tree(tokens: list[Token]) -> Tree | None:
    try:
        return Parser(tokens).whole()
    except NotRead:
        return None


class Parser:
    """Sums of products of factors, the way a page is written."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens, self.at = tokens, 0

    def peek(self) -> Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else Token("end", "", -1, -1)

    def take(self, text: str = "") -> Token:
        token = self.peek()
        if token.kind == "end" or (text and token.text != text):
            raise NotRead(token.text)
        self.at += 1
        return token

    def whole(self) -> Tree:
        tree = self.sum()
        if self.at < len(self.tokens):
            raise NotRead(self.peek().text)
        return tree

    def sum(self) -> Tree:
        if self.peek().text == "-":
            minus = self.take()
            tree: Tree = ("-", self.product(), (minus.start, minus.end))
        else:
            tree = self.product()
        while self.peek().text in ("+", "-"):
            sign = self.take()
            tree = (sign.text, tree, self.product(), (sign.start, sign.end))
        return tree

    def product(self) -> Tree:
        tree = self.power()
        while True:
            token = self.peek()
            if token.kind == "sign" and token.text in "*/×⊙⊘":
                self.take()
                tree = (token.text, tree, self.power(), (token.start, token.end))
            elif token.kind in ("number", "name", "call", "infinity") or token.text in ("(", "["):
                tree = ("·", tree, self.power(), (token.start, token.start))
            else:
                return tree

    def power(self) -> Tree:
        tree = self.atom()
        while True:
            token = self.peek()
            if token.kind == "T":
                self.take()
                tree = ("T", tree, (token.start, token.end))
            elif token.kind == "sup":
                self.take()
                tree = ("^", tree, self.atom(), (token.start, token.end))
            elif token.text == "[" and tree[0] == "call" and self.tokens[self.at + 1].kind == "number":
                self.take()
                tree = ("row", tree, int(self.take().text))
                self.take("]")
            else:
                return tree

    def atom(self) -> Tree:
        token = self.take()
        if token.kind == "number":
            return ("number", token.text, (token.start, token.end))
        if token.kind == "infinity":
            return ("infinity", token.text, (token.start, token.end))
        if token.kind == "name":
            return ("name", token.text, (token.start, token.end))
        if token.kind == "call":
            return ("call", token.text, self.arguments(), (token.start, token.end))
        if token.text == "(":
            tree = self.sum()
            self.take(")")
            return ("()", tree)
        if token.text == "[":
            return self.matrix(token)
        raise NotRead(token.text)

    def arguments(self) -> tuple[Tree, ...]:
        self.take("(")
        found = [self.sum()]
        while self.peek().text == ",":
            self.take()
            found.append(self.sum())
        self.take(")")
        return tuple(found)

    def matrix(self, first: Token) -> Tree:
        rows = []
        while True:
            self.take("[")
            row = [self.sum()]
            while self.peek().text == ",":
                self.take()
                row.append(self.sum())
            self.take("]")
            rows.append(tuple(row))
            if self.peek().text != ",":
                break
            self.take()
        last = self.take("]")
        if len({len(row) for row in rows}) != 1:
            raise NotRead("rows")
        return ("matrix", tuple(rows), (first.start, last.end))
