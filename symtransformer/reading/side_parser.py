r"""One side of an equation, read from left to right into values at once: signs by precedence, then powers, then atoms."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import S

from symtransformer.reading.side_counted import Counted
from symtransformer.reading.side_fractions import NAMES, Fractions
from symtransformer.reading.side_functions import Functions
from symtransformer.reading.side_matrices import Matrices
from symtransformer.reading.side_names import Known
from symtransformer.reading.side_naming import Naming
from symtransformer.reading.side_numbers import decimal
from symtransformer.reading.side_ones import FILL
from symtransformer.reading.side_powers import Powers
from symtransformer.reading.side_tens import Tens
from symtransformer.reading.side_tokens import Token
from symtransformer.reading.side_values import Part

LINKS = frozenset((".", "x", "*", "@", "/"))
BEGINS = frozenset(("number", "(", "[", "{", "begin", "frac", "root", "sum", "<", "infinity", "ones")) | NAMES
STEPS = 5_000  # atoms read, those of a sum once for each of its terms
_ATOMS = {
    "(": "group", "{": "group", "[": "listing", "begin": "environment", "frac": "fraction", "root": "bracketed_root",
    "|": "norm", "<": "bracketed_pair", "sum": "counted_sum", "word": "named", "greek": "named", "upright": "named",
}  # fmt: skip


class Reader(Functions, Matrices, Counted, Powers, Naming, Tens, Fractions):
    """The parser of one side; `bound` are the letters of sums, with the value that they have at the moment."""

    def __init__(self, text: str, seen: str, tokens: list[Token], scope: Mapping[str, Known], is_latex: bool) -> None:
        self.text, self.seen, self.tokens, self.scope, self.is_latex = text, seen, tokens, scope, is_latex
        self.i = self.depth = self.steps = self.bars = 0
        self.undefined: Token | None = None
        self.bound: dict[str, int] = {}
        self.ranges: dict[str, set[int]] = {}
        self.used: dict[str, None] = {}

    def whole(self) -> Part:
        part = self.sum()
        if self.i < len(self.tokens):
            raise self.unexpected()
        return part

    # -- sums and products ------------------------------------------------------------------------------------------
    def sum(self) -> Part:
        self.deeper(1)
        start = self.token().start
        sign = self._sign()
        part = self.entrywise_product(sign)
        part.start = start
        while (kind := self.kind) in ("+", "-"):
            self.i += 1
            sign = self._sign() if kind == "+" else -self._sign()
            part = self.added(part, self.entrywise_product(sign), "+" if sign > 0 else "-")
        self.deeper(-1)
        return part

    def _sign(self) -> int:
        if self.kind not in ("+", "-"):
            return 1
        self.i += 1
        if self.kind in ("+", "-"):
            raise self.refuse(self.token(), "sign", "two signs in a row; use brackets")
        return 1 if self.tokens[self.i - 1].kind == "+" else -1

    def entrywise_product(self, sign: int) -> Part:
        parts = self.product_parts()
        if self.kind not in ("o", "//"):
            return self.chained(parts, sign)
        part = self._divided_entrywise(parts)
        while self.kind == "o":
            self.i += 1
            part = self.entrywise("o", part, self._divided_entrywise(self.product_parts()))
        if sign < 0:
            part.factor = S.NegativeOne
        return part

    def _divided_entrywise(self, parts: list[tuple[str, Part]]) -> Part:
        part = self.chained(parts, 1)
        while self.kind == "//":
            self.i += 1
            part = self.entrywise("//", part, self.chained(self.product_parts(), 1))
        return part

    def product_parts(self) -> list[tuple[str, Part]]:
        """Factors with the sign before each; what has no single reading side by side is refused."""
        parts = [("", self.operand())]
        while True:
            kind = self.kind
            if kind in LINKS:
                self.i += 1
                negative = self.kind == "-" and self.i + 1 < len(self.tokens) and self.tokens[self.i + 1].kind == "number"  # fmt: skip
                self.i += negative
                part = self.below(parts, self.operand()) if kind == "/" else self.operand()
                parts.append((kind, self.chained([("", part)], -1) if negative else part))
            elif kind in BEGINS or (kind == "|" and not self.bars):
                self._check_side_by_side(parts[-1])
                parts.append(("", self.operand()))
                if parts[-1][1].name and parts[-1][1].node is not None and self._is_one(parts[-2][1]):
                    message = "1 before a name is 1 times it, or a column of ones; write 1 · for the first"
                    raise self.refuse(parts[-2][1], "ones", message)
            else:
                return parts

    def _is_one(self, part: Part) -> bool:
        return part.form == "number" and self.text[part.start : part.end] == "1"

    def _check_side_by_side(self, before: tuple[str, Part]) -> None:
        token, (sign, part) = self.token(), before
        if sign == "/":
            message = "what stands below the / is not clear; use brackets, or · after it"
            raise self.refuse(token, "after_slash", message)
        if token.kind == "{" and self.i + 1 < len(self.tokens) and self.tokens[self.i + 1].kind in ("+", "-"):
            raise self.refuse(token, "sign", "a group that begins with a sign: a sum is written without braces")
        mixed = token.kind == "frac" and part.form == "number" and self._has_digits_above()
        if token.kind == "number" or mixed:
            message = "a number after something without a sign; write · between them"
            raise self.refuse(token, "number_after", message)
        if part.form == "bare" and token.tight:
            raise self.refuse(token, "exponent", "how far the exponent goes is not clear; use brackets")
        if part.form == "open" and token.tight:
            raise self.refuse(token, "root", "how far the root goes is not clear; use brackets")
        if part.form == "call without brackets":
            raise self.refuse(token, "brackets", "how far the function goes is not clear; use brackets")
        inside = self.tokens[self.i : self.i + 3]
        is_called = token.kind == "(" and token.tight and part.name and part.node is not None
        if is_called and len(inside) == 3 and inside[1].text in self.bound and inside[2].kind == ")":
            raise self.refuse(token, "index", "a letter in brackets that is counted may be an index; write p_i")
        is_one = [t.kind for t in inside] == ["[", "number", "]"]
        if is_one and part.node is None:
            message = "a number and [one number] side by side: a product, a source, or a note? write · between them"
            raise self.refuse(token, "list_after", message)
        if token.kind == "[" and token.tight and (part.name or is_one):
            raise self.refuse(
                token, "index", "an index in brackets counts from 0 or from 1; write q_1, a_{21} (from 1)"
            )

    def _has_digits_above(self) -> bool:
        following = [t.kind for t in self.tokens[self.i + 1 : self.i + 4]]
        return following[:1] == ["number"] or following == ["{", "number", "}"]

    def chained(self, parts: list[tuple[str, Part]], sign: int) -> Part:
        """From left to right; the numbers in front scale the whole product up to a division."""
        first = parts[0][1]
        if len(parts) == 1 and sign == 1:
            return first
        if first.node is None:
            factor = self.negated(first.factor) if sign < 0 else first.factor
            whole = Part(factor, None, first.start, first.end, first.listed, open=first.open)
        else:
            name = first.name if len(parts) == 1 else ""
            front = S.One if sign > 0 else S.NegativeOne
            if first.open:
                front, inner = front * first.factor, first.node
            else:
                inner = self.value(first)
            whole = Part(front, inner, first.start, first.end, first.listed, name=name, open=first.open)
        for link, part in parts[1:]:
            if link == "/":
                self.divided(whole, part)
            else:
                self.times(link, whole, part)
            whole.end = part.end
        return whole

    # -- atoms ------------------------------------------------------------------------------------------------------
    def operand(self) -> Part:
        """An atom with what stands behind and above it."""
        part = self.atom()
        raised = False
        while True:
            kind = self.kind
            if kind == "T" or kind in ("^", "raised"):
                if raised and self.token().text[:1] not in (".", "ᵀ"):
                    message = "two superscripts on one another; use brackets to say which is meant"
                    raise self.refuse(self.token(), "two_superscripts", message)
                raised = True
                part = self.transposed(part) if kind == "T" else self.power(part)
            elif kind == "%" and part.form == "number":
                part = Part(part.factor / 100, None, part.start, self.take("%").end, form="percent")
            elif kind == "low":
                part = self.entry_of_value(part)
            elif kind == "degree":
                part = self.degrees(part)
            elif kind == "[" and part.is_mask and not part.name and self.token().tight:
                part = self.row_of_mask(part)
            else:
                return part

    def atom(self) -> Part:
        self.steps += 1
        if self.steps > STEPS:
            raise self.refuse(self.token(), "too_long", "a sum of too many terms")
        token = self.token()
        kind = token.kind
        if kind == "number":
            self.i += 1
            return Part(decimal(token.text), None, token.start, token.end, form="number")
        if kind == "infinity":
            self.i += 1
            return Part(S.Infinity, None, token.start, token.end)
        if kind == "ones":
            self.i += 1
            return Part(S.One, None, token.start, token.end, form="ones", open=FILL)
        if kind in _ATOMS:
            return getattr(self, _ATOMS[kind])()  # type: ignore[no-any-return]
        raise self.unexpected()

    def group(self) -> Part:
        """What stands in braces or brackets: a unit of its own."""
        start = self.token()
        if start.kind == "{" and self._unwrapped():
            return self.atom()
        closing = {"{": "}", "(": ")"}[start.kind]
        self.i += 1
        bars, self.bars = self.bars, 0
        part = self.sum()
        if self.kind == "," and closing == ")":
            part = self.rest_of_list(part, start, ")")
        end = self.take(closing)
        self.bars = bars
        if not part.open:
            self.value(part)
        made = Part(part.factor, part.node, start.start, end.end, part.listed, "group", "", part.is_mask, part.cells)
        made.open = part.open
        return made

    def _unwrapped(self) -> bool:
        """{W}_{Q} is W_{Q}: the braces around one name are taken off; around a product they say how far a root goes."""
        i, tokens = self.i, self.tokens
        one = i + 2 < len(tokens) and tokens[i + 1].kind in NAMES and tokens[i + 2].kind == "}"
        if not one or (tokens[i + 1].kind == "word" and self.is_product(tokens[i + 1].text, i + 3)):
            return False
        self.tokens = [*tokens[:i], tokens[i + 1], *tokens[i + 3 :]]
        return True
