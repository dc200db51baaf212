r"""The tokens of a formula with letters, in LaTeX or plain text: names of any script, with what stands below and above.

A run of letters is one name if the document knows it, a function before a bracket, a product if it is all capitals
or one capital beside one small letter that is known; in LaTeX single letters are separate, as they are set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from symtransformer.checking.formula_names import CAPITAL_GREEK, COMMANDS, SIGNS, Names, indices_of, is_index
from symtransformer.checking.formula_signs import (
    BRACED,
    COMMAND_SIGNS,
    DERIVATIVE,
    DOTS,
    JOINING_WORDS,
    LOSS_ALONE,
    NO_LETTERS,
    OPERATORS,
    PAIRS,
    PLAIN_FUNCTIONS,
    PRIME,
    RAISED_WORD,
    RANGE,
    RELATIONS,
    SET,
    SKIPPED,
    SUM,
    TRANSPOSED,
    WORDS,
    WORDS_WITH_BRACKETS,
)  # fmt: skip
from symtransformer.checking.formula_token import Token
from symtransformer.reading.limits import DEPTH, DIGITS, TOKENS
from symtransformer.reading.problems import ReadingError, Span, quoted
from symtransformer.reading.vocabulary import function_named, known_functions

BEFORE_BRACKET = re.compile(r"'*(?:_(?:\{[A-Za-z0-9]+\}|[A-Za-z0-9]+))?(?:\\[!,]|\\left|\s)*\(")  # FFN_1(x)


class Tokenizer:
    """One pass over one side; `functions` are names that take brackets."""

    def __init__(self, text: str, names: Names, functions: Iterable[str], latex: bool = False) -> None:
        self.text, self.names, self.functions = text, names, set(functions)
        self.at, self.depth, self.latex = 0, 0, latex or "\\" in text
        self.tokens: list[Token] = []
        self.library = known_functions()

    def refuse(self, code: str, message: str) -> ReadingError:
        return ReadingError(self.text, Span(self.at, self.at + 1), code, message)

    def all(self) -> list[Token]:
        while self.at < len(self.text):
            self._next()
            if len(self.tokens) > TOKENS:
                raise self.refuse("too_long", f"more than {TOKENS} signs, names and numbers")
        return self.tokens

    def _add(self, kind: str, end: int, text: str = "", **more: object) -> None:
        self.depth += (kind in PAIRS) - (kind in PAIRS.values())
        if self.depth > DEPTH:
            raise self.refuse("too_deep", f"more than {DEPTH} brackets inside each other")
        self.tokens.append(Token(kind, text or self.text[self.at : end], Span(self.at, end), **more))  # type: ignore[arg-type]
        self.at = end

    def _next(self) -> None:
        c = self.text[self.at]
        if DOTS.match(self.text, self.at):
            raise self.refuse("dots", "dots leave out a part of the formula; write it in full")
        if c.isspace() or c == "~":
            self.at += 1
        elif found := SUM.match(self.text, self.at):
            self._sum(found.end())
        elif found := TRANSPOSED.match(self.text, self.at):
            self._add("T", found.end())
        elif (found := DERIVATIVE.match(self.text, self.at)) is not None:
            self._derivative(found)
        elif c in "0123456789":
            self._number()
        elif c == "\\":
            self._command()
        elif c in PAIRS or c in PAIRS.values():
            self._add(c, self.at + 1)
        elif c in OPERATORS:
            self._add(OPERATORS[c], self.at + 1) if OPERATORS[c] else self._skip(self.at + 1)
        elif c in SIGNS:
            self._marked_name(SIGNS[c], c, self.at + 1)
        elif c.isalpha():
            self._run()
        elif c == "_" and self.tokens and self.tokens[-1].kind in PAIRS.values():
            self._below()
        else:
            raise self.refuse("character", f"{quoted(c)} has no meaning in a formula")

    def _skip(self, end: int) -> None:
        self.at = end

    def _number(self) -> None:
        unit = re.compile(r"[0-9.]+([KMGTB])(?![A-Za-z0-9_^'(])").match(self.text, self.at)
        if unit is not None and unit.group(1) not in self.names.known:
            raise self.refuse("unit", f"{quoted(unit.group(1))} behind a number may be a unit; write * before a letter")
        found = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]{1,3}(?![A-Za-z0-9]))?").match(self.text, self.at)
        assert found is not None
        if len(found.group()) > DIGITS:
            raise self.refuse("number", f"a number of more than {DIGITS} digits")
        if re.compile(r"\{,\}|\.[0-9]").match(self.text, found.end()):
            raise self.refuse("number", "a number has one decimal point and no comma")
        self._add("NUMBER", found.end())

    def _command(self) -> None:
        found = re.compile(r"\\([A-Za-z]+|.)", re.DOTALL).match(self.text, self.at)
        command, end = (found.group(1), found.end()) if found else ("", self.at + 1)
        if command in SKIPPED:
            self.at = end
        elif command == "sqrt" and re.compile(r"\s*\[").match(self.text, end):
            raise self.refuse("root", "only square roots are read in a formula")
        elif command in COMMAND_SIGNS:
            self._add(COMMAND_SIGNS[command], end)
        elif command in SET:
            inside = re.compile(rf"\*?\s*(?:{BRACED}|([A-Za-z0-9]))").match(self.text, end)
            if inside is None:
                raise self.refuse("command", f"expected a name after \\{command}")
            self._set(command, inside.group(1) or inside.group(2) or "", inside.end())
        elif command in COMMANDS or command in CAPITAL_GREEK:
            self._marked_name(COMMANDS.get(command, command), f"\\{command}", end)
        elif command in PLAIN_FUNCTIONS and PRIME.match(self.text, end):
            self._marked_name(command, command, end)
        elif command in PLAIN_FUNCTIONS:
            self._add("NAME", end, command, base=command, bare=True)
        elif command == "\\":
            self.at = end
        else:
            raise self.refuse("command", f"the command {quoted(chr(92) + command)} has no meaning in a formula")

    def _set(self, command: str, inner: str, end: int) -> None:
        inner = " ".join(inner.replace("\\_", "_").split())
        if inner == "1" and command in ("mathbf", "bm", "boldsymbol"):
            raise self.refuse("ones", "write a column of ones with its size, as in ones(n, 1)")
        found = re.fullmatch(r"(.+?)_\{?([A-Za-z0-9]+)\}?", inner)
        if found:  # \text{W_Q}
            self._add("NAME", end, self.names.safe(found.group(1), found.group(2), inner), base=found.group(1))
            return
        if not inner or not re.fullmatch(r"[^\W_][\w '-]*", inner):
            raise self.refuse("name", f"{quoted(inner)} is no name")
        self._check_word(inner, end)
        self._marked_name(inner, inner, end)

    def _check_word(self, word: str, end: int) -> None:
        """Words that operate on what stands beside them are no factors: a \\text{ minus } b."""
        before, after = self.text[: self.at].strip(), self.text[end:].lstrip()
        if word.casefold() in JOINING_WORDS and before and after:
            raise self.refuse("name", f"{quoted(word)} joins what stands beside it, and is no name")
        if word.casefold() in WORDS_WITH_BRACKETS and re.compile(r"[A-Za-z\\]").match(after):
            raise self.refuse("brackets", f"{word} needs brackets: {word}(...)")

    def _derivative(self, found: re.Match[str]) -> None:
        """∂L/∂S' is dS', and ∂a_i/∂z_j stays what it is."""
        above, below = (found.group(a) or found.group(b) for a, b in (("above", "up"), ("below", "low")))
        names = [self._one_name(text) for text in (above, below)]
        if names[1] is None or (names[0] is None and not LOSS_ALONE.fullmatch(above)):
            raise self.refuse("command", "a derivative is that of one name by one name")
        if LOSS_ALONE.fullmatch(above):
            kept = names[1]
            self._add("NAME", found.end(), f"d{kept.text}", base=f"d{kept.base}", indices=kept.indices)
        else:
            self._add("DERIVATIVE", found.end(), pair=tuple(names))

    def _one_name(self, text: str) -> Token | None:
        try:
            tokens = Tokenizer(text, self.names, self.functions, self.latex).all()
        except ReadingError:
            return None
        return tokens[0] if len(tokens) == 1 and tokens[0].kind == "NAME" else None

    # -- names ----------------------------------------------------------------------------------------------------
    def _run(self) -> None:
        found = re.compile(r"[A-Za-z]+[0-9]*(?=[^A-Za-z0-9]|$)|[A-Za-z]+").match(self.text, self.at)
        if found is None:  # letters of another script
            end = self.at
            while (
                end < len(self.text)
                and self.text[end].isalpha()
                and not self.text[end].isascii()
                and self.text[end] not in NO_LETTERS
            ):
                end += 1
            self._marked_name(self.text[self.at : end], self.text[self.at : end], end)
            return
        if re.compile(r"O\([^(),]*\)").match(self.text, self.at):
            raise self.refuse("big_o", "O(...) says how something grows, which is not checked")
        run, end = found.group(), found.end()
        if run in self.names.phrases:
            self._marked_name(run, self.names.phrases[run], end)
            return
        longer = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*").match(self.text, self.at)
        if longer is not None and "_" in longer.group() and not self.latex and self._is_word(longer.group()):
            self._add("NAME", longer.end(), self._spelled(longer.group()), base=longer.group())
            return
        if self._is_one(run, end):
            self._check_word(run, end)
            self._marked_name(run, run, end)
            return
        if run in PLAIN_FUNCTIONS:  # log p is \log p
            self._add("NAME", end, run, base=run, bare=True)
            return
        if len(run) > 3 and function_named(run, self.library) is not None:
            raise self.refuse("brackets", f"{quoted(run)} is a function; write brackets around what it is of")
        letters = re.findall(r"[A-Za-z][0-9]*", run)
        for letter in letters[:-1]:
            self._add("NAME", self.at + len(letter), letter, base=letter)
        self._marked_name(letters[-1], letters[-1], end)

    def _is_word(self, name: str) -> bool:
        """seq_len, decoder_hidden: words joined by _, where no single mark stands."""
        parts = name.split("_")
        is_long = len(parts) > 2 or len(re.sub("[^a-z]", "", parts[0])) > 1
        if parts[0] in PLAIN_FUNCTIONS and parts[-1].isdigit():  # log_2 x
            is_long = False
        return name in self.names.known or (is_long and all(parts) and not is_index(parts[0], parts[-1]))

    def _spelled(self, name: str) -> str:
        base, _, low = name.partition("_")
        return self.names.safe(base, low, name) if "_" not in low else self.names.safe("‹" + name, "", name)

    def _is_one(self, run: str, end: int) -> bool:
        called = BEFORE_BRACKET.match(self.text, end) is not None
        letters = re.sub("[0-9]", "", run)
        if re.fullmatch("[A-Za-z](?:hat|tilde)", run) or re.fullmatch("d[A-Za-z](?:hat|tilde)", run):
            return True  # what marked() made of \\hat{x}
        if run[0] == "d" and (run[1:] in self.names.known or run[1:] in COMMANDS or run[1:] in CAPITAL_GREEK):
            return True  # and of d\\Delta, \\mathrm{dVar}
        if len(letters) == 1 or run in self.names.known or run in self.functions or run in WORDS:
            return True
        low = re.compile(r"_\{?([A-Za-z0-9]+)\}?").match(self.text, end)
        if low and f"{run}_{low.group(1)}" in self.names.known:
            return True
        if run in PLAIN_FUNCTIONS:
            return called
        if letters[0] == "d" and len(letters) <= 3 and (letters[1].isupper() or len(letters) == 2) and not self.latex:
            return True
        if letters[0] == "d" and len(letters) == 2 and self.latex:
            return True  # what marked() made of \partial L/\partial q_i
        if called and (len(letters) > 2 or function_named(run, self.library) is not None):
            return True
        if self.latex or run.isupper():
            return False
        if len(letters) == 2 and letters[1].islower() and letters[0].isupper():
            return not (letters[1] in self.names.known or letters[1] in "xyhz") or letters[1] in "qkvo"
        return not (len(letters) == 2 and letters[0].islower() and letters[1].isupper())

    def _marked_name(self, base: str, shown: str, end: int) -> None:
        """A name with what stands below and above it."""
        lows: list[str] = []
        highs: list[str] = []
        start = end
        while end < len(self.text):
            if self.text[end] == "'":
                base, end = f"{base}prime", end + 1
                continue
            below = re.compile(rf"\s*_\s*(?:{BRACED}|([A-Za-z0-9{''.join(SIGNS)}]))" if self.latex else rf"_(?:{BRACED}|([0-9]+(?=[A-Za-z])|[A-Za-z0-9]+|[{''.join(SIGNS)}]))").match(self.text, end)  # fmt: skip
            pair = re.compile(
                r"_([ijkl][ijklmn])(?![A-Za-z])|_([a-z])(?=(?:log|ln|exp)\s*\()"  # a_ij without braces, y_klog(p_k)
            ).match(self.text, end)
            below = pair or below
            if below is not None and not lows:
                lows += [self._mark(group) for group in below.groups() if group][:1]  # none of T_{}
                end = below.end()
                continue
            above = re.compile(rf"\s*\^\s*(?:{BRACED}|([A-Z*+](?![A-Za-z0-9_])|-(?![0-9A-Za-z])))").match(
                self.text, end
            )
            if above is not None and not highs and not TRANSPOSED.match(self.text, end):
                inner = (above.group(1) or above.group(2) or "").strip()
                word = RAISED_WORD.fullmatch(inner)
                if word is not None and not (word.group(2) and base in self.names.powers):
                    highs.append(
                        {"*": "star", "+": "plus", "-": "minus"}.get(
                            inner, (word.group(1) or word.group(2)).strip("()")
                        )
                    )
                    end = above.end()
                    continue
            break
        whole = shown + self.text[start:end]
        low = lows[0] if lows else ""
        split = bool(low) and is_index(base, low) and f"{base}_{low}" not in self.names.known
        mark = "".join(highs) + ("" if split else low)
        name = self.names.safe(base, mark, whole if not split else shown + ("'" * base.count("prime")))
        self._add("NAME", end, name, base=base, indices=indices_of(low) if split else ())

    def _mark(self, text: str) -> str:
        text = re.sub(r"\\(?:mathrm|text|operatorname|textrm|mathsf|mathit|mathbf)\s*\{([^{}]*)\}", r"\1", text)
        text = "".join(SIGNS.get(c, c) for c in re.sub(r"\\[,;! ]|\\(?=[A-Za-z])", "", text))
        return re.sub(r"\s", "", text)

    def _below(self) -> None:
        found = re.compile(rf"_(?:{BRACED}|([A-Za-z0-9]+))").match(self.text, self.at)
        low = self._mark(found.group(1) or found.group(2) or "") if found else ""
        if found is None or not re.fullmatch(r"[a-z0-9,]{1,8}", low):
            raise self.refuse("index", "expected indices, as in (S K)_{ia}")
        self._add("BELOW", found.end(), indices=tuple(re.findall(r"[a-z]|[0-9]+", low)))

    def _sum(self, end: int) -> None:
        lower = re.compile(rf"\s*_\s*(?:{BRACED}|([a-z]))").match(self.text, end)
        if lower is None:
            raise self.refuse("sum", "a sum says over which letter it goes, as in Σ_j")
        upper = re.compile(rf"\s*\^\s*(?:{BRACED}|([A-Za-z0-9](?:_[A-Za-z0-9]+)?))").match(self.text, lower.end())
        one = RANGE.fullmatch((lower.group(1) or lower.group(2)).strip())
        if one is None:
            raise self.refuse("sum", "a range of a sum is written Σ_j, \\sum_{j=1}^{n} or Σ_{l≠j}")
        condition = (RELATIONS[one.group(3)], one.group(4)) if one.group(3) else None
        top = re.sub(r"[{} ]", "", self._mark(upper.group(1) or upper.group(2))) if upper else ""
        self._add("SUM", upper.end() if upper else lower.end(), range=(one.group(1), top, condition))
