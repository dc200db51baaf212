"""From the tokens of an index formula to what it says; every token is accounted for."""

from __future__ import annotations

from symtransformer.reading.index_syntax import (
    Applied,
    Delta,
    Factors,
    Indexed,
    Inner,
    Named,
    Number,
    Part,
    Power,
    Slope,
    Terms,
    Total,
    Transposed,
)
from symtransformer.reading.index_tokens import Token
from symtransformer.reading.limits import DEPTH
from symtransformer.reading.problems import ReadingError, Span, quoted

LINKS = {"TIMES": "*", "DOT": ".", "SLASH": "/", "HADAMARD": "hadamard"}
STARTS = {"NUMBER", "NAME", "DELTA", "SUM", "OPEN", "FRAC", "SQRT", "FUNCTION", "LANGLE", "PARTIAL"}
SUMS = 8  # inside each other
CLOSES = {"(": ")", "[": "]", "{": "}"}


def parsed_formula(text: str, tokens: list[Token]) -> Part:
    """One formula; an error points at the first token that cannot stand where it stands."""
    reader = _Parser(text, tokens)
    part = reader.sum()
    if reader.token is not None:
        raise reader.unexpected()
    return part


class _Parser:
    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text, self.tokens, self.at, self.depth, self.sums = text, tokens, 0, 0, 0

    @property
    def token(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def kind(self) -> str:
        return self.tokens[self.at].kind if self.at < len(self.tokens) else ""

    def take(self, kind: str, text: str = "") -> Token:
        token = self.token
        if token is None or token.kind != kind or (text and token.text != text):
            raise self.unexpected(f"; {quoted(text)} is missing" if text else "")
        self.at += 1
        return token

    def unexpected(self, hint: str = "") -> ReadingError:
        token = self.token
        if token is None:
            end = self.tokens[-1].span.end if self.tokens else len(self.text)
            return ReadingError(self.text, Span(end, end), "incomplete", f"the formula is not complete{hint}")
        before = self.text[self.tokens[self.at - 1].span.start : self.tokens[self.at - 1].span.end] if self.at else ""
        after = f" after {quoted(before)}" if before else ""
        shown = quoted(self.text[token.span.start : token.span.end])
        return ReadingError(self.text, token.span, "syntax", f"{shown} cannot stand here{after}{hint}")

    # -- from sums down to names --------------------------------------------------------------------------
    def sum(self) -> Part:
        self.depth += 1
        if self.depth > DEPTH and self.token is not None:
            raise ReadingError(self.text, self.token.span, "too_deep", f"nested more than {DEPTH} deep")
        sign = "+"
        if self.kind() in ("MINUS", "PLUS"):
            sign = "-" if self.kind() == "MINUS" else "+"
            self.at += 1
        terms = [(sign, self.product())]
        while self.kind() in ("PLUS", "MINUS"):
            sign = "-" if self.kind() == "MINUS" else "+"
            self.at += 1
            terms.append((sign, self.product()))
        self.depth -= 1
        if len(terms) == 1 and terms[0][0] == "+":
            return terms[0][1]
        return Terms(terms[0][1].span.to(terms[-1][1].span), tuple(terms))

    def product(self) -> Part:
        factors = [("", self.factor())]
        while self.kind() in LINKS or self.kind() in STARTS:
            sign = LINKS.get(self.kind(), "")
            self.at += bool(sign)
            before = factors[-1]
            part = self.factor()
            inside = part
            while isinstance(inside, Total):
                inside = inside.body
            if sign == "/" and isinstance(part, Total) and isinstance(inside, Factors):
                raise self._refuse(part, "after_slash", "where the sum below the / ends is not clear; use brackets")
            if not sign and before[0] == "/":
                raise self._refuse(
                    part, "after_slash", "what stands below the / is not clear; use brackets, or * after it"
                )
            if not sign and isinstance(part, Number):
                raise self._refuse(
                    part, "number_after", "a number after something without a sign; write * between them"
                )
            factors.append((sign, part))
        if len(factors) == 1:
            return factors[0][1]
        return Factors(factors[0][1].span.to(factors[-1][1].span), tuple(factors))

    def _refuse(self, part: Part, code: str, message: str) -> ReadingError:
        return ReadingError(self.text, part.span, code, message)

    def factor(self) -> Part:
        if self.kind() == "SUM":
            return self.total()
        made = self.atom()
        raised = False
        while self.kind() in ("T", "CARET", "BELOW"):
            token = self.tokens[self.at]
            self.at += 1
            above = token.kind == "CARET" or token.text == "^T"
            if above and raised:
                message = "two superscripts on one another; use brackets to say which is meant"
                raise ReadingError(self.text, token.span, "two_superscripts", message)
            raised = raised or above
            if token.kind == "T":
                if len(getattr(made, "indices", ())) > 1:
                    message = "T above an entry: is it the entry of the transposed matrix, (A^T)_ij, or this one? write the one that is meant"
                    raise ReadingError(self.text, token.span, "ambiguous", message)
                made = Transposed(made.span.to(token.span), made)
            elif token.kind == "BELOW":
                made = Indexed(made.span.to(token.span), made, token.indices)
            else:
                self._refuse_mark(made)
                exponent = self.exponent()
                made = Power(made.span.to(exponent.span), made, exponent)
        return made

    def _refuse_mark(self, below: Part) -> None:
        """x_c^(2) may be the square, or an entry of another x."""
        at = self.at + (self.kind() == "OPEN" and self.token.text == "{")  # type: ignore[union-attr]
        tokens = self.tokens[at : at + 3]
        if (
            [t.kind for t in tokens] == ["OPEN", "NUMBER", "CLOSE"]
            and tokens[0].text == "("
            and hasattr(below, "indices")
        ):
            message = (
                "a power has no brackets; a mark in brackets, as that of a head, stands before the indices: x^(2)_ij"
            )
            raise ReadingError(self.text, tokens[0].span.to(tokens[2].span), "exponent", message)

    def exponent(self) -> Part:
        if self.kind() == "OPEN":
            return self.bracketed()
        if self.kind() == "NUMBER":
            token = self.take("NUMBER")
            return Number(token.span, token.text)
        minus = self.take("MINUS")
        token = self.take("NUMBER")
        return Terms(minus.span.to(token.span), (("-", Number(token.span, token.text)),))

    def total(self) -> Part:
        """Σ takes everything that is multiplied behind it, up to a + or -."""
        token = self.take("SUM")
        self.depth += 1
        self.sums += len(token.ranges)
        if self.depth > DEPTH or self.sums > SUMS:
            what = f"more than {SUMS} sums" if self.sums > SUMS else f"nested more than {DEPTH} deep"
            raise ReadingError(self.text, token.span, "too_deep", what)
        if self.kind() not in STARTS:
            raise self.unexpected()
        body = self.product()
        self.depth -= 1
        self.sums -= len(token.ranges)
        for letter, upper, condition, from_zero in reversed(token.ranges):
            body = Total(token.span.to(body.span), letter, upper, condition, body, from_zero)
        return body

    def slope(self, start: Token) -> Part:
        """∂y_j/∂x_i, ∂(S + B)_ij/∂b_ij, or ∂/∂x_i of what stands in brackets behind it."""
        above = self.differentiated()
        self.take("SLASH")
        self.take("PARTIAL")
        return self._slope(start, above, self.name())

    def slope_over_a_line(self, start: Token) -> Part:
        self.take("OPEN")
        self.take("PARTIAL")
        above = self.differentiated()
        self.take("CLOSE", "}")
        self.take("OPEN")
        self.take("PARTIAL")
        below = self.name()
        self.take("CLOSE", "}")
        return self._slope(start, above, below)

    def _slope(self, start: Token, above: Part | None, below: Part) -> Part:
        if above is None:
            if self.kind() != "OPEN":
                message = "what is differentiated stands in brackets behind the sign, as in ∂/∂x_ij (...)"
                raise ReadingError(self.text, start.span, "derivative", message)
            above = self.bracketed()
        return Slope(start.span.to(self.tokens[self.at - 1].span), above, below)

    def differentiated(self) -> Part | None:
        """What stands behind the upper ∂; nothing where it follows in brackets."""
        return self.name() if self.kind() == "NAME" else self.factor() if self.kind() == "OPEN" else None

    def name(self) -> Part:
        token = self.take("NAME")
        return Named(token.span, token.text, token.indices, token.head)

    def bracketed(self) -> Part:
        opening = self.take("OPEN")
        inner = self.sum()
        self.take("CLOSE", CLOSES[opening.text])
        return inner

    def atom(self) -> Part:
        token = self.token
        if token is None or token.kind not in STARTS:
            raise self.unexpected()
        if token.kind == "OPEN":
            inner = self.bracketed()
            return _spanning(inner, token.span.to(self.tokens[self.at - 1].span))
        self.at += 1
        if token.kind == "NUMBER":
            return Number(token.span, token.text)
        if token.kind == "NAME":
            return Named(token.span, token.text, token.indices, token.head)
        if token.kind == "PARTIAL":
            return self.slope(token)
        if token.kind == "DELTA":
            return Delta(token.span, *token.indices)
        if token.kind == "FRAC" and [t.kind for t in self.tokens[self.at : self.at + 2]] == ["OPEN", "PARTIAL"]:
            return self.slope_over_a_line(token)
        if token.kind == "FRAC":
            above, below = self.bracketed(), self.bracketed()
            return Factors(token.span.to(self.tokens[self.at - 1].span), (("", above), ("/", below)))
        if token.kind == "LANGLE":
            left = self.sum()
            self.take("COMMA")
            right = self.sum()
            return Inner(token.span.to(self.take("RANGLE").span), left, right)
        function = "sqrt" if token.kind == "SQRT" else token.text
        if self.kind() != "OPEN":
            raise ReadingError(self.text, token.span, "brackets", f"{function} needs brackets: {function}(...)")
        inner = self.bracketed()
        return Applied(token.span.to(self.tokens[self.at - 1].span), function, inner)


def _spanning(part: Part, span: Span) -> Part:
    """What stands in brackets is a unit of its own."""
    return Terms(span, (("+", part),))
