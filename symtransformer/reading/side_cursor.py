"""Where the reading of one side stands: its tokens, the next of them, and what is refused there."""

from __future__ import annotations

from symtransformer.reading.problems import ReadingError
from symtransformer.reading.side_ones import OfOnes
from symtransformer.reading.side_tokens import Token

DEPTH_OF_PARTS = 45  # roots, fractions, functions and sums inside each other; of brackets there are 40 at most


class Position(OfOnes):
    """The tokens of a side, and how far they are read."""

    tokens: list[Token]
    i: int
    depth: int

    @property
    def kind(self) -> str:
        return self.tokens[self.i].kind if self.i < len(self.tokens) else ""

    def token(self) -> Token:
        if self.i < len(self.tokens):
            return self.tokens[self.i]
        end = len(self.text.rstrip())
        return Token("", "", end, end)

    def take(self, kind: str) -> Token:
        token = self.token()
        if token.kind != kind:
            raise self.unexpected("" if token.kind else f"; {kind} is missing")
        self.i += 1
        return token

    def deeper(self, by: int) -> None:
        self.depth += by
        if self.depth > DEPTH_OF_PARTS:
            raise self.refuse(self.token(), "too_deep", "too many parts inside each other")

    def unexpected(self, hint: str = "") -> ReadingError:
        token = self.token()
        if not token.kind:
            return self.refuse(token, "incomplete", f"the expression is not complete{hint}")
        before = self.tokens[self.i - 1].kind if self.i else ""
        after = self.tokens[self.i + 1].kind if self.i + 1 < len(self.tokens) else ""
        if token.kind == "," and before == after == "number":
            message = "a comma inside a number has no single reading; write a decimal point, or nothing"
            return self.refuse(token, "comma", message)
        if token.kind == "'":
            return self.refuse(token, "prime", "a prime is no transpose; write K^T or K.T")
        shown = "".join(c if c.isprintable() else "?" for c in self.text[token.start : token.end][:20])
        return self.refuse(token, "syntax", f"{shown!r} cannot stand here{hint}")
