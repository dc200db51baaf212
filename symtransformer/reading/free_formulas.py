r"""The usual notation of mathematics in LaTeX, read whatever its letters mean: every sign in its place, or refused.

    formula   := items                      terms with , ; : | and what relates them, as far as the place allows them
    term      := [±] product (± product)*
    product   := factor ([operator] factor)*
    factor    := atom (_ script | ^ script | ' | !)*
    atom      := number | letter | word | function | big operator | ( items ) | |term| | \frac | \sqrt | rows | dots

What stands beside one another is a product or a function of something: here that need not be told apart.
"""

from __future__ import annotations

from symtransformer.reading import free_signs as signs
from symtransformer.reading import free_syntax as kinds
from symtransformer.reading.free_atoms import LONG, Atoms
from symtransformer.reading.free_signs import Sign, signs_of
from symtransformer.reading.free_syntax import Free
from symtransformer.reading.limits import DEPTH


def read_free(text: str) -> Free:
    r"""The tree of one side of an equation; a ReadingError where a sign has no place.

    >>> read_free(r"\sum_i x_i").kind
    'product'
    >>> read_free("x +")
    Traceback (most recent call last):
    ...
    symtransformer.reading.problems.ReadingError: line 1, column 4: something is missing here [incomplete]
      x +
         ^
    """
    reader = _Reader(text, signs_of(text))
    found = reader.items("top")
    if reader.sign is not None:
        raise reader.refuse()
    return found


class _Reader(Atoms):
    # -- several terms with signs between them ------------------------------------------------------------------------
    def items(self, place: str) -> Free:
        """Terms up to a bracket that closes. `place` is top, inside (of brackets), script, or row (of an environment)."""
        self.depth += 1
        if self.depth > DEPTH:
            raise self.refuse("too_deep", f"nested more than {DEPTH} deep")
        parts: list[Free] = []
        between = ""
        while True:
            parts.append(self._item(place, bool(between)))
            mark = self._separator(place, between)
            if mark is None:
                break
            between += mark
        self.depth -= 1
        return parts[0] if not between else Free(kinds.ITEMS, between, tuple(parts))

    def _item(self, place: str, is_later: bool) -> Free:
        if place in ("inside", "script", "row") and self._ends_item(place):
            return Free(kinds.SLOT)  # [:, i], or what is left out between & and &
        return self.term(place, words_are_free=place == "row" or is_later)

    def _ends_item(self, place: str) -> bool:
        if self.sign is None or self.what in signs.CLOSING or self.sign.kind in ("row", "end") or self.what == "&":
            return True
        if place == "script" and self.what in signs.RELATING:  # x_{<t}
            return True
        return place != "row" and self.what in (":", ";", ",", r"\forall", "∀")

    def _separator(self, place: str, before: str) -> str | None:
        what = self.what
        if what in (",", ";"):
            if what == ";" and place == "top":
                raise self.refuse()
            self.at += 1
            return what
        is_free = place != "top" or "," in before or what in (r"\forall", "∀")
        if what == ":" and place != "top":
            self.at += 1
            return ":"
        if what in signs.RELATING and is_free:
            self.at += 1
            return signs.RELATING[what]
        bar = signs.BARS.get(what)
        if bar is not None and place in ("inside", "script") and not self.bars and what not in signs.ONE_SIDED:
            self.at += 1
            return bar
        return None

    # -- sums and products --------------------------------------------------------------------------------------------
    def term(self, place: str, words_are_free: bool = False) -> Free:
        signs_between = ""
        if signs.OPERATORS.get(self.what) in ("+", "-", "±", "∓"):
            signs_between = signs.OPERATORS[self.take().text]
            if place == "script" and self._ends_item("script"):
                return Free(kinds.NAME, signs_between)  # x^+
        parts = [self.product(place, words_are_free)]
        while signs.OPERATORS.get(self.what, " ") in signs.ADDING:
            signs_between += signs.OPERATORS[self.take().text]
            parts.append(self.product(place, words_are_free))
        return parts[0] if not signs_between else Free(kinds.SUM, signs_between, tuple(parts))

    def product(self, place: str, words_are_free: bool) -> Free:
        parts = [self.factor(place)]
        between = ""
        while True:
            operator = signs.OPERATORS.get(self.what)
            if operator in ("-", "+") and parts[-1].kind == kinds.BIG:  # \sum_j -2 x_j
                self.at += 1
                parts.append(Free(kinds.SUM, operator, (self.factor(place),)))
                between += " "
            elif operator is not None and operator not in signs.ADDING:
                self.at += 1
                between += operator[0]
                minus = signs.OPERATORS.get(self.what) == "-"
                self.at += minus
                part = self.factor(place)
                parts.append(Free(kinds.SUM, "-", (part,)) if minus else part)
            elif self._begins_factor(place):
                self._check_beside(parts[-1], words_are_free, place)
                parts.append(self.factor(place))
                between += " "
            else:
                break
        if parts[-1].kind in (kinds.FUNCTION, kinds.BIG) and place != "script":
            raise self.refuse("brackets", f"{parts[-1].text} of nothing")
        return parts[0] if not between else Free(kinds.PRODUCT, between, tuple(parts))

    def _check_beside(self, before: Free, words_are_free: bool, place: str) -> None:
        """No number behind anything, and no two words side by side: 2 3, how surprised."""
        sign = self.sign
        assert sign is not None
        is_mark = place == "script" and before.kind == kinds.NAME and not sign.gap  # j1 below a sum
        if sign.kind == "number" and before.kind not in (kinds.FUNCTION, kinds.BIG) and not is_mark:
            raise self.refuse("number_after", "a number after something without a sign; write · between them")
        is_word = sign.kind == "words" or (sign.kind == signs.RUN and len(sign.text) >= LONG)
        if is_word and before.kind == kinds.WORD and sign.gap and not words_are_free:
            raise self.refuse("name", "words beside each other are no formula")

    def _begins_factor(self, place: str) -> bool:
        sign = self.sign
        if sign is None or sign.kind in ("row", "end") or sign.text in signs.CLOSING or sign.text in signs.RELATING:
            return False
        if sign.text in signs.BARS:
            is_shut = signs.BARS[sign.text] in self.bars
            return sign.text in signs.ONE_SIDED[:2] or not (is_shut or place in ("inside", "script"))
        return not (sign.kind == "sign" and sign.text in "_^&,;:!%") and sign.text not in signs.OPERATORS

    # -- what is dressed ----------------------------------------------------------------------------------------------
    def factor(self, place: str) -> Free:
        made = self.atom(place)
        while True:
            sign = self.sign
            if sign is not None and sign.text in ("_", "^"):
                self.at += 1
                made = Free(kinds.SCRIPTED, sign.text, (made, self.script()))
            elif sign is not None and sign.kind == "prime":
                self.at += 1
                made = Free(kinds.DECORATED, "'", (made,))
            elif sign is not None and sign.text == "!" and made.kind != kinds.NUMBER:
                raise self.refuse()
            else:
                return self._still(made)

    def script(self) -> Free:
        """One sign, or what stands in braces."""
        sign = self.sign
        if sign is not None and sign.text == "{":
            return self.argument("script")
        if sign is not None and signs.OPERATORS.get(sign.text) in ("+", "-", "*", "∘", "⋆"):
            self.at += 1
            return Free(kinds.NAME, sign.text)
        if sign is not None and sign.kind == signs.RUN and len(sign.text) > 1:  # x_ij is x_{i}j in TeX
            self.signs[self.at : self.at + 1] = [
                Sign(signs.RUN, sign.text[:1], sign.span), Sign(signs.RUN, sign.text[1:], sign.span)
            ]  # fmt: skip
        if sign is not None and sign.kind == "prime":
            self.at += 1
            return Free(kinds.NAME, "'")
        return self.atom("script")
