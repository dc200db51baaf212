r"""From the text of one side to what it says; every token is accounted for, and what follows a / must be clear."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from symtransformer.checking.formula_names import Names
from symtransformer.checking.formula_signs import PAIRS
from symtransformer.checking.formula_syntax import (
    Call,
    Delta,
    Derivative,
    Factors,
    Indexed,
    Named,
    Number,
    Part,
    Power,
    Terms,
    Total,
    Transposed,
)  # fmt: skip
from symtransformer.checking.formula_token import Token, plain
from symtransformer.checking.formula_tokens import Tokenizer
from symtransformer.reading.limits import DEPTH
from symtransformer.reading.problems import START, ReadingError, Span, quoted
from symtransformer.reading.vocabulary import function_named, known_functions
from symtransformer.scalars import GREEK

STARTS = frozenset(("NUMBER", "NAME", "DERIVATIVE", "SUM", "FRAC", "SQRT", "(", "[", "{", "<", "|"))
LINKS = {"*": "*", "×": "", "@": "@", ".": ".", "/": "/"}
FACTORS = frozenset(
    ("alpha", "beta", "gamma", "lambda", "eta", "epsilon", "tau", "delta")
)  # they scale what is in brackets
OF_RANDOM_NUMBERS = frozenset(("E", "P"))  # before a bracket, unless the document says what they are
CALLED = frozenset(("sigma", "Phi", "f", "g", "phi"))  # single letters that are functions before a bracket
GRADIENT = re.compile(r"[d∂][A-Z]")


def read_formula(text: str, names: Names, functions: Iterable[str] = (), latex: bool = False) -> Part:
    """One side of an equation."""
    given = plain(text)
    reader = _Parser(given, Tokenizer(given, names, functions, latex).all(), set(functions), names.known)
    part = reader.sum()
    if reader.token is not None:
        raise reader.unexpected()
    return part


class _Parser:
    def __init__(self, text: str, tokens: list[Token], functions: set[str], letters: set[str]) -> None:
        self.text, self.tokens, self.functions, self.letters = text, tokens, functions, letters
        self.at = self.depth = self.bars = 0
        self.open_call = -1  # where the argument of a function without brackets ends
        self.known = known_functions()

    @property
    def token(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    @property
    def kind(self) -> str:
        return self.tokens[self.at].kind if self.at < len(self.tokens) else ""

    def take(self, kind: str) -> Token:
        if self.kind != kind:
            raise self.unexpected(f"; {quoted(kind)} is missing")
        self.at += 1
        return self.tokens[self.at - 1]

    def unexpected(self, hint: str = "") -> ReadingError:
        if self.token is None:
            end = len(self.text)
            return ReadingError(self.text, Span(end, end), "incomplete", f"the formula is not complete{hint}")
        return ReadingError(self.text, self.token.span, "syntax", f"{quoted(self.token.text)} cannot stand here{hint}")

    # -- from sums down to names ----------------------------------------------------------------------------------
    def deeper(self, read: Callable[[], Part]) -> Part:
        self.depth += 1
        if self.depth > DEPTH:
            raise ReadingError(self.text, START, "too_deep", f"nested more than {DEPTH} deep")
        part = read()
        self.depth -= 1
        return part

    def sum(self) -> Part:
        return self.deeper(self.terms)

    def terms(self) -> Part:
        sign = "+"
        if self.kind in ("-", "+"):
            sign = self.take(self.kind).kind
        terms = [(sign, self.entrywise())]
        while self.kind in ("+", "-"):
            sign = self.take(self.kind).kind
            terms.append((sign, self.entrywise()))
        return terms[0][1] if len(terms) == 1 and terms[0][0] == "+" else Terms(tuple(terms))

    def entrywise(self) -> Part:
        factors = [("", self.product())]
        while self.kind == "⊙":
            self.at += 1
            factors.append(("⊙", self.product()))
        return factors[0][1] if len(factors) == 1 else Factors(tuple(factors))

    def product(self) -> Part:
        factors = [("", self.factor())]
        while self.kind in LINKS or (self.kind in STARTS and not (self.kind == "|" and self.bars)):
            is_link = self.kind in LINKS
            if self.at == self.open_call and not self._begins_function(self.at + is_link):
                raise self._refuse("brackets", "how far the function goes is not clear; use brackets")
            sign = LINKS.get(self.kind, "")
            self.at += is_link
            if not is_link and factors[-1][0] == "/":
                raise self._refuse("after_slash", "what stands below the / is not clear; use brackets, or * after it")
            if not is_link and self.kind == "NUMBER":
                raise self._refuse("number_after", "a number after something without a sign; write * between them")
            minus = self.kind == "-" and is_link and bool(self.take("-"))
            part = self.factor()
            factors.append((sign, Terms((("-", part),)) if minus else part))
        return factors[0][1] if len(factors) == 1 else Factors(tuple(factors))

    def _begins_function(self, at: int) -> bool:
        r"""sin x cos y has one reading; sin 2x has two, sin(2x) and sin(2) x."""
        return at < len(self.tokens) and self.tokens[at].bare

    def _refuse(self, code: str, message: str) -> ReadingError:
        return ReadingError(self.text, self.tokens[min(self.at, len(self.tokens) - 1)].span, code, message)

    def factor(self) -> Part:
        if self.kind == "SUM":
            return self.total()
        made = self.atom()
        raised = False
        while self.kind in ("T", "^", "BELOW"):
            token = self.tokens[self.at]
            if token.kind != "BELOW" and raised:
                raise self._refuse(
                    "two_superscripts", "two superscripts on one another; use brackets to say which is meant"
                )
            raised = raised or token.kind != "BELOW"
            self.at += 1
            if token.kind == "T":
                made = Transposed(made)
            elif token.kind == "BELOW":
                made = Indexed(made, token.indices)
            else:
                exponent = self.exponent()
                is_e = isinstance(made, Named) and made.name == "e" and not made.indices
                made = Call("exp", (exponent,)) if is_e else Power(made, exponent)
        return made

    def exponent(self) -> Part:
        if self.kind in PAIRS:
            return self.bracketed()
        if self.kind == "-":
            self.at += 1
            return Terms((("-", self.atom()),))
        return self.atom()

    def total(self) -> Part:
        """Σ takes everything that is multiplied behind it, up to a + or -."""
        token = self.take("SUM")
        assert token.range is not None
        if self.kind not in STARTS:
            raise self.unexpected()
        return Total(*token.range, self.deeper(self.product))

    def bracketed(self) -> Part:
        if self.kind not in PAIRS:
            raise self.unexpected()
        opening = self.take(self.kind)
        bars, self.bars = self.bars, 0
        inner = self.sum()
        self.take(PAIRS[opening.kind])
        self.bars = bars
        return Terms((("+", inner),)) if opening.kind != "{" else inner

    def atom(self) -> Part:
        token = self.token
        if token is None or token.kind not in STARTS:
            raise self.unexpected()
        if token.kind in PAIRS:
            return self.bracketed()
        self.at += 1
        if token.kind == "NUMBER":
            return Number(token.text)
        if token.kind == "DERIVATIVE":
            return Derivative(*(Named(name.text, name.indices) for name in token.pair))
        if token.kind == "FRAC":
            above, below = self.bracketed(), self.bracketed()
            return Terms((("+", Factors((("", above), ("/", below)))),))
        if token.kind == "SQRT":
            number = self.token if self.kind == "NUMBER" else None
            if token.text.startswith("\\") and number is not None and len(number.text) > 1:
                message = r"TeX takes one digit: \sqrt42 is \sqrt{4}2; use braces"
                raise ReadingError(self.text, number.span, "root", message)
            return Call("sqrt", (self.bracketed() if self.kind in PAIRS else self.deeper(self.atom),))
        if token.kind == "<":
            left = self.sum()
            self.take(",")
            right = self.sum()
            self.take(">")
            return Factors((("", left), (".", right)))
        if token.kind == "|":
            return self.between_bars()
        return self.name(token)

    def between_bars(self) -> Part:
        double = self.kind == "|"
        self.at += double
        self.bars += 1
        inner = self.sum()
        for _ in range(2 if double else 1):
            self.take("|")
        self.bars -= 1
        return Call("norm2", (inner,))

    def name(self, token: Token) -> Part:
        if token.base in ("delta", "δ") and len(token.indices) == 2:
            return Delta(token.indices[0], token.indices[1])
        if self._is_call(token):
            return self.call(token)
        if token.bare:
            argument = self.deeper(self.factor)
            self.open_call = self.at
            return Call("log" if token.text == "ln" else token.text, (argument,))
        if self.kind in STARTS and not (self.kind == "|" and self.bars) and self._is_function(token):
            raise self._refuse("brackets", f"{quoted(token.text)} is a function; write brackets around what it is of")
        return Named(token.text, token.indices)

    def _is_function(self, token: Token) -> bool:
        """A known function of more than one letter that nothing gives another meaning, with an index or without."""
        if token.text in self.letters or token.indices or len(token.base) < 2:
            return False
        return function_named(token.base, self.known) is not None

    def _is_call(self, token: Token) -> bool:
        if self.kind not in ("(", "[") or token.indices:
            return False
        name = token.text
        if self.kind == "[":
            is_usual = name in ("E", "Var", "softmax", "Softmax") and name not in self.functions
            return is_usual or self._is_applied(token)
        if name in self.functions or token.base in CALLED or token.bare or self._is_applied(token):
            return True
        if name in self.letters or name in GREEK:
            return False  # gamma (x - mu)
        is_word = len(token.base) > 1 and token.base not in GREEK
        return is_word and (name == token.base or not GRADIENT.match(token.base))  # FFN_1(x), but dX_1 (A + B)

    def _is_applied(self, token: Token) -> bool:
        """F(X) without a gap, where nothing says that F is a matrix: nobody writes a product of two letters so."""
        if token.text in self.letters or token.base in FACTORS or token.span.end != self.tokens[self.at].span.start:  # fmt: skip
            return False
        if len(token.base) > 1 and token.base not in GREEK:
            return False
        kinds = [t.kind for t in self.tokens[self.at + 1 : self.at + 3]]
        is_one = kinds == ["NAME", PAIRS[self.kind]]
        return is_one or token.base in OF_RANDOM_NUMBERS

    def call(self, token: Token) -> Part:
        opening = self.take(self.kind)
        bars, self.bars = self.bars, 0
        arguments: list[Part] = []
        words: list[tuple[str, Part]] = []
        while True:
            is_word = self.kind == "NAME" and self.at + 1 < len(self.tokens) and self.tokens[self.at + 1].kind == "="
            if is_word:
                word = self.take("NAME").text
                self.take("=")
                words.append((word, self.sum()))
            else:
                arguments.append(self.sum())
            if self.kind != ",":
                break
            self.at += 1
        self.take(PAIRS[opening.kind])
        self.bars = bars
        name = "log" if token.text == "ln" else token.text
        return Call(name, tuple(arguments), tuple(words))
