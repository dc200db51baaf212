r"""The tokenizer: plain text and LaTeX become the same tokens, each with its place in the text.

A run of letters is one name if it is defined, a known function or a Greek word, or d before a
defined name; otherwise a run of capitals is a product, and in LaTeX so is any run. Digits are 0
to 9 only. Whatever has no single reading is refused here or by the grammar.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from symtransformer.reading import patterns
from symtransformer.reading.limits import DEPTH, DIGITS, EXPONENT, FORMULA_CHARACTERS, TOKENS
from symtransformer.reading.problems import ReadingError, Span, quoted
from symtransformer.reading.unclear import Unclear
from symtransformer.reading.vocabulary import (
    BOLD,
    COMMANDS,
    FUNCTIONS_IN_LATEX,
    GREEK_SIGNS,
    MATRIX_ENVIRONMENTS,
    SIGNS,
    SPACES,
    UPRIGHT,
)
from symtransformer.scalars import GREEK

OPENING, CLOSING = {"LPAR", "LSQB", "LBRACE", "BEGIN"}, {"RPAR", "RSQB", "RBRACE", "END"}


@dataclass(frozen=True)
class Token:
    """Kind, text (a name or a number as it is meant) and place."""

    kind: str
    text: str
    span: Span


class Tokenizer(Unclear):
    """One pass over the text; `is_function` and `defined` decide what a run of letters is."""

    def __init__(self, text: str, is_function: Callable[[str], bool], defined: Iterable[str]) -> None:
        self.text, self.is_function, self.defined = text, is_function, set(defined)
        self.latex = "\\" in re.sub(r"#[^\n]*", "", text)
        self.at = 0
        self.depth = 0
        self.raised_until = -1  # where the last superscript ended
        self.tokens: list[Token] = []

    def all(self) -> list[Token]:
        if len(self.text) > FORMULA_CHARACTERS:
            span = Span(FORMULA_CHARACTERS, FORMULA_CHARACTERS)
            raise ReadingError(self.text, span, "too_long", f"more than {FORMULA_CHARACTERS} characters")
        while self.at < len(self.text):
            self._next()
        return self.tokens

    def _add(self, kind: str, text: str, end: int) -> None:
        if kind in OPENING:
            self.depth += 1
            if self.depth > DEPTH:
                raise self.refuse("too_deep", f"more than {DEPTH} brackets inside each other")
        elif kind in CLOSING:
            self.depth -= 1
        self.tokens.append(Token(kind, text, Span(self.at, end)))
        if len(self.tokens) > TOKENS:
            raise self.refuse("too_long", f"more than {TOKENS} signs, names and numbers")
        self.at = end

    # -- one token -----------------------------------------------------------------------------------------
    def _next(self) -> None:
        c = self.text[self.at]
        if c in " \t\r~\u3000":
            self.at += 1
        elif c == "\n":
            if self.depth <= 0:
                self._add("NEWLINE", c, self.at + 1)
            else:
                self.at += 1
        elif c == "#":
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end
        elif self._raised():
            return
        elif c == "\\":
            self._command()
        elif c.isascii() and c.isdigit():
            self._number()
        elif c.isascii() and c.isalpha():
            self._run()
        elif c in GREEK_SIGNS:
            self._name(GREEK_SIGNS[c], self.at + 1)
        else:
            self._sign(c)

    def _sign(self, c: str) -> None:
        if (
            c == "_" and self.tokens[-1:] and self.tokens[-1].kind == "TRANSPOSE"
        ) or patterns.RAISED_T_WITH_INDEX.match(self.text, self.at):
            raise self.refuse("subscript", "an index stands before the transpose, as in X_Q^T")
        if self.text.startswith(".T", self.at) and not self.text[self.at + 2 : self.at + 3].isalnum():
            self._add("TRANSPOSE", ".T", self.at + 2)
        elif self.text.startswith("{,}", self.at):
            raise self.refuse("thousands", "a comma inside a number; write it without, or with a decimal point")
        elif self.text.startswith("**", self.at):
            raise self.refuse("power", "write ^ for a power")
        elif c == "{" and re.match(r"\{\s*\}", self.text[self.at :]):
            self.at = self.text.index("}", self.at) + 1
        elif c in SIGNS:
            self._add(SIGNS[c], c, self.at + 1)
        elif c in "'′":
            raise self.refuse("prime", "a prime is no transpose; write K^T or K.T")
        elif c == "_":
            raise self.refuse("subscript", "an index belongs to a name of one part, as in W_Q or b_1")
        else:
            name = unicodedata.name(c, "a control character").lower()
            raise self.refuse("character", f"the character U+{ord(c):04X} ({name}) has no meaning here")

    def _raised(self) -> bool:
        """A transpose written above the line."""
        found = (patterns.RAISED_T_IN_LATEX if self.latex else patterns.RAISED_T).match(self.text, self.at)
        if found is None:
            if self.text[self.at] == "^" and self.raised_until == len(self.tokens):
                raise self.refuse(
                    "two_superscripts", "two superscripts on one another; use brackets to say which is meant"
                )
            return False
        if self.raised_until == len(self.tokens):
            raise self.refuse("two_superscripts", "two superscripts on one another; use brackets to say which is meant")
        self._add("TRANSPOSE", "^T", found.end())
        self.raised_until = len(self.tokens)
        return True

    def _number(self) -> None:
        number = patterns.NUMBER.match(self.text, self.at).group()  # type: ignore[union-attr]
        mantissa, _, exponent = number.lower().partition("e")
        if len(mantissa.replace(".", "")) > DIGITS:
            raise self.refuse("too_many_digits", f"a number of more than {DIGITS} digits")
        if exponent and (len(exponent.lstrip("+-0")) > 3 or abs(int(exponent)) > EXPONENT):
            raise self.refuse("exponent", f"a power of ten beyond 10^{EXPONENT}")
        self._add("NUMBER", number, self.at + len(number))
        if re.compile(r"\.(?!T(?![A-Za-z0-9]))").match(self.text, self.at):
            raise self.refuse("number", "a decimal point needs digits on both sides")

    def _command(self) -> None:
        found = patterns.COMMAND.match(self.text, self.at)
        command = found.group(1) if found else ""
        assert found is not None or self.at == len(self.text) - 1
        end = found.end() if found else self.at + 1
        if command in SPACES:
            self.at = end
        elif command == "\\":
            kind = "ROWEND" if self.depth > 0 else "NEWLINE"
            self._add(kind, "\\\\", end)
        elif command in ("begin", "end"):
            self._environment(command, end)
        elif command in COMMANDS:
            self._add(COMMANDS[command], "\\" + command, end)
            if command in ("frac", "dfrac", "tfrac") and (bare := re.compile(r"\s*[^\s{]").match(self.text, self.at)):
                self.at = bare.end() - 1
                raise self.refuse("fraction", r"a fraction has both parts in braces, as in \frac{1}{2}")
        elif command in FUNCTIONS_IN_LATEX:
            self._name(command, end)
        elif command in GREEK or command in ("varepsilon", "varphi", "vartheta"):
            self._name(command.removeprefix("var"), end)
        elif command in UPRIGHT or command in BOLD:
            self._set_in(command, end)
        else:
            raise self.refuse(
                "command", f"the command {quoted(found.group() if found else chr(92))} has no meaning here"
            )

    def _environment(self, command: str, end: int) -> None:
        word = patterns.WORD_IN_BRACES.match(self.text, end)
        if word is None or word.group(1) not in MATRIX_ENVIRONMENTS:
            known = ", ".join(sorted(MATRIX_ENVIRONMENTS))
            raise self.refuse("environment", f"expected a matrix after \\{command}: one of {known}")
        self._add(command.upper(), word.group(1), word.end())

    def _set_in(self, command: str, end: int) -> None:
        r"""\operatorname{softmax}, \mathrm{FFN}, \mathbf{X}, \mathbf{1}."""
        if self.text.startswith("*", end):
            end += 1
        found = patterns.WORD_IN_BRACES.match(self.text, end) or patterns.ONE_SYMBOL.match(self.text, end)
        if found is None:
            raise self.refuse("command", f"expected a name in braces after \\{command}")
        word = found.group(1)
        if word == "1" and command in BOLD:
            self._add("ONES", word, found.end())
        elif patterns.RUN.fullmatch(word):
            self._name(word, found.end())
        else:
            raise self.refuse("name", f"{quoted(word)} is no name")

    # -- names ---------------------------------------------------------------------------------------------------
    def _run(self) -> None:
        start = self.at
        namespace = patterns.NAMESPACE.match(self.text, self.at)
        prefix = namespace.group() if namespace else ""
        found = patterns.RUN.match(self.text, self.at + len(prefix))
        assert found is not None
        run, end = found.group(), found.end()
        if prefix:
            self._name(prefix + run, end)
            return
        low = patterns.LOW.match(self.text, end)
        whole = f"{run}_{_word(low)}" if low else run
        if whole in self.defined or self._is_one_name(run) or self.is_function(run) or self._is_keyword(whole, end):
            self._name(run, end)
            return
        letters = re.findall(r"[A-Za-z][0-9]*", run)
        called = len(letters) > 1 and patterns.OPENS.match(self.text, low.end() if low else end)
        if not (run.isupper() or self.latex) or any(c.isdigit() for c in run[:-1]) or called:
            self.at = end
            raise self._unknown(run, start)
        for letter in letters[:-1]:
            self._add("NAME", letter, self.at + len(letter))
        self._name(letters[-1], end)

    def _unknown(self, run: str, start: int) -> ReadingError:
        low = patterns.LOW.match(self.text, self.at)
        if patterns.OPENS.match(self.text, low.end() if low else self.at):
            return self._unknown_function(run, start)
        if any(map(str.isupper, run)):
            hint = "write a product with spaces, as in Q K^T"
        else:
            hint = f"if it is a name of yours, give its shape, as in {run[:16]}: n d"
        message = f"{quoted(run)} is neither a letter, a product of capitals nor a known function; {hint}"
        return self.refuse("unknown_name", message, start)

    def _is_keyword(self, run: str, end: int) -> bool:
        """eps=..., activation=GELU: a word before or after a single = inside brackets."""
        if self.depth <= 0:
            return False
        if re.compile(r"[A-Za-z0-9_]*\s*=").match(self.text, end):
            return True
        calls = self.is_function(run) and patterns.OPENS.match(self.text, end)
        return not calls and bool(self.tokens) and self.tokens[-1].kind == "EQUALS"

    def _name(self, base: str, end: int) -> None:
        """A name with what stands below and above it: W_Q, W^Q; an index may follow in braces."""
        name = base
        if self._is_keyword(base, end):
            found = patterns.REST_OF_WORD.match(self.text, end)
            assert found is not None
            self._add("WORD", base + found.group(), found.end())
            return
        self._refuse_power_of_e(base, end)
        low = patterns.LOW.match(self.text, end)
        if low is not None:
            index = _word(low)
            if self.latex and low.group(1) and len(index) > 1 and f"{base}_{index}" not in self.defined:
                self.at = end
                raise self.refuse("subscript", f"in LaTeX only one character stands below; write {base}_{{{index}}}")
            name, end = f"{base}_{index}", low.end()
            name, end = self._in_namespace(name, end)
        elif (
            not self.latex
            or self.text.startswith("^{", end)
            or re.compile(r"\^[A-Z](?![A-Za-z0-9_])").match(self.text, end)
        ):
            name, end = self._in_namespace(name, end)
            raised = patterns.RAISED_NAME.match(self.text, end)
            mark = raised and _word(raised)
            if raised and mark and mark != "T" and not self.is_function(base):
                self._refuse_unclear_mark(base, mark)
                name, end = f"{base}_{mark}", raised.end()
                self.raised_until = len(self.tokens) + 1
        if self.text.startswith("_", end):
            self.at = end
            raise self.refuse("subscript", "a name has one index of letters and digits, as in W_Q or d_{model}")
        parts = name.rpartition(".")[2].split("_")
        if not self._is_call(name, end) and (len(parts[0]) > 16 or any(len(p) > 15 for p in parts[1:])):
            raise self.refuse("name", f"{quoted(name)} is too long for a name: 16 characters, and 15 of an index")
        if not self._is_call(name, end):
            self._refuse_unclear_call(base, name, end)
        infinite = name in ("oo", "inf") and name not in self.defined
        kind = "INFINITY" if infinite else "FUNCTION" if self._is_call(name, end) else "NAME"
        self._add(kind, name, end)

    def _in_namespace(self, name: str, end: int) -> tuple[str, int]:
        """W_Q^{\\mathrm{enc1}} is enc1.W_Q, as it is printed."""
        raised = patterns.RAISED_NAMESPACE.match(self.text, end)
        if raised is None or "." in name or f"{name}_{raised.group(1)}" in self.defined:
            return name, end
        self.raised_until = len(self.tokens) + 1
        return f"{raised.group(1)}.{name}", raised.end()

    def _is_call(self, name: str, end: int) -> bool:
        known = name not in self.defined and (name == "sqrt" or self.is_function(name))
        return known and patterns.OPENS.match(self.text, end) is not None


def _word(found: re.Match[str]) -> str:
    """The one group that matched."""
    return next(group for group in found.groups() if group)
