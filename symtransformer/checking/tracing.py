"""Where a rounded number of a line comes from: 0.516 is the p_1 that an earlier line shows as 0.516."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from symtransformer.checking.computing import Computed, Computing, put_in
from symtransformer.checking.definitions import Cells, Definitions
from symtransformer.checking.number_equations import gives
from symtransformer.checking.rounded_operands import DECIMALS_OF_A_ROUNDING, Rounded, decimals_in
from symtransformer.checking.values import Comparisons, Undecided
from symtransformer.errors import SymtransformerError
from symtransformer.node import Node
from symtransformer.reading.claimed_numbers import DECIMAL
from symtransformer.reading.side_names import is_latex_text
from symtransformer.reading.sides import Known, Side, letter_name, read_side

NUMBERS_AT_MOST = 12
NAMES_BEHIND_AT_MOST = 60  # farther nobody looks: it may lean on roundings
DECIMALS_OF_A_TERM = 2  # what has so many in the middle of a calculation may be a rounding
NAMES = tuple(f"traced{chr(ord('a') + k)}" for k in range(NUMBERS_AT_MOST))


class Traces:
    """The exact values of which a document has shown roundings, by the digits shown."""

    def __init__(self, definitions: Definitions, computing: Computing) -> None:
        self.definitions, self.computing = definitions, computing
        self._found: dict[Fraction, list[tuple[Computed, int, int]]] = {}
        self._of_roundings: set[Fraction] = set()  # digits of which only a value by roundings is known

    def note(self, cells: Cells, source: Side, value: Computed, language: str) -> None:
        """Right digits, and what they are a rounding of: 0.5/1.118 where √1.25 is shown as 1.118 is 0.5/√1.25."""
        traced = self.rounded(source, language, DECIMALS_OF_A_TERM)
        is_of_roundings = traced.is_of_roundings or bool(decimals_in(traced.text)) or self._leans_on_decimals(source)
        if traced.text != source.text and not is_of_roundings:
            unrounded = self._value(traced)
            is_of_roundings = unrounded is None or not gives(cells, unrounded)
            value = value if unrounded is None or is_of_roundings else unrounded
        for i, row in enumerate(cells):
            for j, claim in enumerate(row):
                if claim.kind == DECIMAL and claim.decimals >= 2 and not claim.is_percent:
                    self._found.setdefault(abs(claim.value), []).append((value, i, j))
                    (self._of_roundings.add if is_of_roundings else self._of_roundings.discard)(abs(claim.value))

    def _leans_on_decimals(self, side: Side) -> bool:
        """c in u/c where c = 3.320 + 0.905: what is worked out from it is no value from the start."""
        seen: set[str] = set()
        waiting = [side]
        while waiting and len(seen) <= NAMES_BEHIND_AT_MOST:
            for name in self.definitions.letters(waiting.pop()).keys() - seen:
                seen.add(name)
                below = self.definitions[name].side if name in self.definitions else None
                if below is not None and decimals_in(below.text):
                    return True
                waiting += [below] if below is not None else []
        return bool(waiting)

    @staticmethod
    def _value(traced: Rounded) -> Computed | None:
        try:
            return traced.value(traced.text)
        except SymtransformerError:
            return None

    def rounded(self, side: Side, language: str, places: int = DECIMALS_OF_A_ROUNDING) -> Rounded:
        """A side with what its decimals are roundings of in their place, where that is known.

        Digits that two different values have been rounded to come from nowhere.
        """
        decimals = decimals_in(side.text, places)
        values = {name: self._exact(Fraction(m.group())) for name, m in zip(NAMES, decimals, strict=False)}
        known = {name: x for name, x in values.items() if x is not None}
        text, scope = side.text, dict(self.definitions.scope)
        is_latex = is_latex_text(text, language)
        for name, found in reversed(list(zip(NAMES, decimals, strict=False))):
            if name in known:
                put = rf"{{\mathrm{{{name}}}}}" if is_latex else name
                text = text[: found.start()] + put + text[found.end() :]
                scope[name] = Known(None)

        def value(text: str) -> Computed | None:
            return self._computed(read_side(text, scope, language), known)

        of_roundings = any(
            Fraction(m.group()) in self._of_roundings for name, m in zip(NAMES, decimals, strict=False) if name in known
        )
        return Rounded(text, value, places, len(known) == len(decimals) > 0, of_roundings)

    def _computed(self, side: Side, known: dict[str, Any]) -> Computed | None:
        rule = self.computing.values(side, shown=False)
        if rule is None:
            return None
        symbols = side.value._mentions if isinstance(side.value, Node) else side.value.free_symbols
        by_name = {letter_name(name): x for name, x in known.items()}
        rule |= {s: by_name[s.name] for s in symbols if getattr(s, "name", None) in by_name}
        return Computed(put_in(side.value, rule), side.listed)

    def _exact(self, shown: Fraction) -> Any:
        """The one number that was shown so; its size only, as the sign stands before the digits."""
        exact = {self._number(*place) for place in self._found.get(shown, ())[-4:]}
        return exact.pop() if len(exact) == 1 else None

    def _number(self, value: Computed, i: int, j: int) -> Any:
        found = value.exact_entry(i, j)
        if found is None:
            return None
        try:  # by balls: SymPy takes seconds to tell the sign of what a whole layer gives
            return -found if Comparisons(value.at(i, j)).sign_from(Fraction(0)) < 0 else found
        except Undecided:
            return None
