r"""What a formula is put together from: numbers, letters, words, brackets, fractions, rows; its terms are read elsewhere."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from symtransformer.reading import free_signs as signs
from symtransformer.reading import free_syntax as kinds
from symtransformer.reading.free_signs import Sign
from symtransformer.reading.free_syntax import Free
from symtransformer.reading.problems import ReadingError, Span, quoted

WORDS_AT_MOST = 2  # of a name in \text{}: more of them say something
LONG = 3  # letters of a run that is one name: pos, sim, RoPE; two such beside each other are prose


class Atoms(ABC):
    """A place in the signs of a formula, and what begins there."""

    def __init__(self, text: str, found: list[Sign]) -> None:
        self.text, self.signs = text, found
        self.at = self.depth = self.open = 0
        self.bars: list[str] = []  # that are open

    @property
    def sign(self) -> Sign | None:
        return self.signs[self.at] if self.at < len(self.signs) else None

    @property
    def what(self) -> str:
        return self.signs[self.at].text if self.at < len(self.signs) else ""

    def take(self) -> Sign:
        sign = self.sign
        if sign is None:
            raise self.refuse()
        self.at += 1
        return sign

    def refuse(self, code: str = "syntax", message: str = "") -> ReadingError:
        if self.sign is None:
            end = len(self.text)
            return ReadingError(self.text, Span(end, end), "incomplete", "something is missing here")
        return ReadingError(self.text, self.sign.span, code, message or f"{quoted(self.what)} cannot stand here")

    @abstractmethod
    def items(self, place: str) -> Free:
        """Terms up to a bracket that closes."""

    @abstractmethod
    def term(self, place: str, words_are_free: bool = False) -> Free:
        """Products with + and - between them."""

    def _still(self, made: Free) -> Free:
        """A function with an index or an exponent is one still: it has to be followed by something."""
        inner = made
        while inner.kind == kinds.SCRIPTED:
            inner = inner.parts[0]
        is_dressed = inner is not made and inner.kind in (kinds.FUNCTION, kinds.BIG)
        return Free(inner.kind, inner.text, (made,)) if is_dressed else made

    def atom(self, place: str) -> Free:
        sign = self.sign
        if sign is None:
            raise self.refuse()
        if sign.text == "{":
            return self.argument()
        if sign.text in signs.OPENING:
            return self.brackets()
        if sign.text in signs.BARS:
            behind = self.signs[self.at + 1].text if self.at + 1 < len(self.signs) else ""
            if signs.BARS[sign.text] == "‖" and behind == "_":  # \Vert_{k=1}^{K}: all beside each other
                self.at += 1
                return Free(kinds.BIG, "‖")
            return self.between_bars()
        if sign.kind == "prime" and place == "script":
            return Free(kinds.NAME, self.take().text)
        handler = getattr(self, f"_{sign.kind}", None)
        if handler is None:
            raise self.refuse()
        return handler(self.take())  # type: ignore[no-any-return]

    def _number(self, sign: Sign) -> Free:
        if self.what == "," and self.at + 1 < len(self.signs):
            after, is_close = self.signs[self.at + 1], not self.signs[self.at].gap
            if after.kind == "number" and not after.gap and is_close and (len(after.text) == 3 or not self.open):
                raise self.refuse("thousands", "a comma inside of a number")
        if self.what in ("%", "!"):
            raise self.refuse("number", "a sign behind a number that is not read here")
        return Free(kinds.NUMBER, sign.text)

    def _letters(self, sign: Sign) -> Free:
        if len(sign.text) >= LONG and not sign.text.isupper():
            is_function = sign.text in signs.FUNCTIONS or sign.text in signs.BIG
            return Free(kinds.FUNCTION if is_function else kinds.WORD, sign.text)
        if len(sign.text) > 1:  # letters beside each other; the last one takes what stands below it
            rest = Sign(signs.RUN, sign.text[1:], Span(sign.span.start + 1, sign.span.end))
            self.signs[self.at - 1 : self.at] = [Sign(signs.RUN, sign.text[:1], sign.span), rest]
        return Free(kinds.NAME, sign.text[:1])

    def _letter(self, sign: Sign) -> Free:
        return Free(kinds.NAME, sign.text)

    def _dots(self, sign: Sign) -> Free:
        return Free(kinds.DOTS, "…")

    def _words(self, sign: Sign) -> Free:
        inner = " ".join(sign.text[sign.text.index("{") + 1 : -1].replace("\\", "").replace("_", " ").split())
        letters = re.sub(r"[ '-]|^\w+\(([^()]+)\)$", r"\1", inner).replace(" ", "")  # P(task success)
        if not letters or len(inner.split()) > WORDS_AT_MOST or not letters.isalnum():
            self.at -= 1
            raise self.refuse("name", f"{quoted(inner)} is no name")
        is_function = inner in signs.FUNCTIONS or inner in signs.BIG
        return Free(kinds.FUNCTION if is_function else kinds.WORD, inner)

    def _command(self, sign: Sign) -> Free:
        name = sign.text[1:]
        if name in signs.SWITCHES:
            return self.atom("inside")
        if name in signs.LETTERS:
            return Free(kinds.NAME, name)
        if name in signs.FUNCTIONS:
            return Free(kinds.FUNCTION, name)
        if name in signs.BIG:
            return Free(kinds.BIG, name)
        if name in signs.DOTS:
            return Free(kinds.DOTS, "…")
        if name in signs.ACCENTS:
            return Free(kinds.DECORATED, name, (self.argument(),))
        if name in signs.BOLD:
            return Free(kinds.DECORATED, "bold", (self.argument(),))
        if name in signs.FONTS:
            return self.argument()
        if name in ("frac", "dfrac", "tfrac", "cfrac", "binom"):
            return Free(kinds.FRACTION, name[-4:], (self.argument(), self.argument()))
        if name == "sqrt":
            root = self.brackets() if self.what == "[" else None
            return Free(kinds.ROOT, "sqrt", (self.argument(), *((root,) if root else ())))
        if name in ("underset", "overset", "stackrel"):
            below, inner = self.argument(), self.argument()
            return self._still(Free(kinds.SCRIPTED, "_" if name == "underset" else "^", (inner, below)))
        self.at -= 1
        raise self.refuse("command", f"the command {quoted(sign.text)} has no meaning in a formula")

    def argument(self, place: str = "inside") -> Free:
        """What a command dresses: braces, or one sign."""
        if self.what == "{":
            self.at += 1
            bars, self.bars = self.bars, []
            inner = self.items(place)
            if self.what != "}":
                raise self.refuse()
            self.at += 1
            self.bars = bars
            return inner
        sign = self.sign
        if sign is not None and sign.kind in (signs.RUN, "number") and len(sign.text) > 1:
            self.signs[self.at : self.at + 1] = [
                Sign(sign.kind, sign.text[:1], sign.span),
                Sign(sign.kind, sign.text[1:], sign.span),
            ]
        return self.atom("inside")

    def brackets(self) -> Free:
        opening = signs.OPENING[self.take().text]
        bars, self.bars = self.bars, []
        self.open += 1
        inner = self.items("inside")
        self.open -= 1
        if signs.CLOSING.get(self.what, " ") not in signs.MATCHING[opening]:
            raise self.refuse()
        self.at += 1
        self.bars = bars
        return Free(kinds.BRACKETS, opening + signs.MATCHING[opening][0], (inner,))

    def between_bars(self) -> Free:
        if self.what in signs.ONE_SIDED[2:]:
            raise self.refuse()
        bar = signs.BARS[self.take().text]
        self.bars.append(bar)
        inner = self.term("inside")
        if signs.BARS.get(self.what) != bar:
            raise self.refuse()
        self.at += 1
        self.bars.pop()
        return Free(kinds.BRACKETS, bar * 2, (inner,))

    def _begin(self, sign: Sign) -> Free:
        name = sign.text[sign.text.index("{") + 1 : -1]
        if name.rstrip("*") not in signs.ENVIRONMENTS:
            self.at -= 1
            raise self.refuse("environment", "expected a matrix or cases here")
        if name == "array" and self.what == "{":  # how its columns are set
            while self.take().text != "}":
                pass
        bars, self.bars = self.bars, []
        parts = []
        while True:
            parts.append(self.items("row"))
            if self.what == "&" or (self.sign is not None and self.sign.kind == "row"):
                self.at += 1
            elif self.sign is not None and self.sign.kind == "end" and self.what.endswith(f"{{{name}}}"):
                break
            else:
                raise self.refuse()
        self.at += 1
        self.bars = bars
        return Free(kinds.ROWS, name, tuple(parts))
