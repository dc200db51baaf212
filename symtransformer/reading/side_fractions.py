r"""Fractions and roots as they are set: \frac{a}{b}, \frac12, \sqrt[3]{x}, √(x + 1)."""

from __future__ import annotations

from typing import Any

from sympy import Rational

from symtransformer.reading.numbers import root
from symtransformer.reading.side_cursor import Position
from symtransformer.reading.side_tokens import Token
from symtransformer.reading.side_values import Part

NAMES = frozenset(("word", "greek", "upright"))


class Fractions(Position):
    """What stands below a bar or a root."""

    sum: Any
    atom: Any
    divided: Any
    raised: Any
    entrywise_function: Any

    def fraction(self) -> Part:
        start = self.take("frac")
        above = self._braced()
        is_number = above.form == "number"
        below = self._braced()
        part = Part(above.factor, above.node, start.start, below.end, above.listed, open=above.open)
        self.divided(part, below)
        part.form = "frac number" if is_number else "group"
        if not part.open:
            self.value(part)
        return part

    def _braced(self) -> Part:
        r"""{...}, or the one digit or name of \frac12."""
        token = self.token()
        if token.kind == "{":
            self.i += 1
            part = self.sum()
            part.end = self.take("}").end
            return part
        if token.kind == "number" and token.text.isdigit():
            if len(token.text) > 1:  # TeX takes one digit
                cut = token.start + 1
                two = token._replace(text=token.text[0], end=cut), Token("number", token.text[1:], cut, token.end, True)
                self.tokens = [*self.tokens[: self.i], *two, *self.tokens[self.i + 1 :]]
            return self.atom()
        if token.kind in NAMES:
            return self.atom()
        raise self.refuse(token, "fraction", r"both parts belong in braces here, as in \frac{1}{2}")

    def bracketed_root(self) -> Part:
        start = self.take("root")
        degree = self._degree_of_root() if self.kind == "[" and start.text == "\\sqrt" else 2
        if start.text == "\\sqrt" and self.kind == "number" and len(self.token().text) > 1:
            raise self.refuse(self.token(), "root", r"TeX takes one digit: \sqrt42 is \sqrt{4}2; use braces")
        self.deeper(1)
        is_open = self.kind not in ("(", "{") and start.text == "√"
        part = self.atom()
        self.deeper(-1)
        if is_open and self.kind in ("^", "raised"):
            raise self.refuse(self.token(), "root", "how far the root goes is not clear; use brackets")
        made = (
            self.root_of(part)
            if degree == 2
            else self.raised(part, Part(Rational(1, degree), None, part.start, part.end))
        )
        made.start, made.form = start.start, "open" if is_open else "group"
        return made

    def _degree_of_root(self) -> int:
        token = self.take("[")
        kinds = [t.kind for t in self.tokens[self.i : self.i + 2]]
        if kinds != ["number", "]"] or self.token().text not in ("2", "3", "4", "5", "6", "7", "8", "9"):
            raise self.refuse(token, "root", "roots are read from the second to the ninth")
        self.i += 2
        return int(self.tokens[self.i - 2].text)

    def root_of(self, part: Part) -> Part:
        if part.node is None:
            number = self.number(part)
            return Part(self.made(part, lambda: root(number)), None, part.start, part.end)
        return self.entrywise_function("SquareRoot", part)
