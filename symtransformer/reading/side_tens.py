"""A number times a power of ten beside a slash: 8.80 × 10^12 / 6.87 × 10^10 divides one number by another."""

from __future__ import annotations

import re
from typing import Any

from symtransformer.reading.side_cursor import Position
from symtransformer.reading.side_values import Part

_OF_ONE_DIGIT = re.compile(r"[1-9](?:\.[0-9]+)?")
_SCIENTIFIC = re.compile(
    r"[0-9]+(?:\.[0-9]+)?\s*(?:×|\*|·|⋅|\\times|\\cdot)\s*10\s*(?:\^|\*\*|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]).*", re.DOTALL
)
TIMES = ("x", ".", "*")


class Tens(Position):
    """What stands below a slash, if it is such a number."""

    operand: Any
    times: Any
    seen: str

    def below(self, above: list[tuple[str, Part]], part: Part) -> Part:
        """The divisor; refused where it could also be the number alone, and the power of ten a further factor."""
        if part.form != "number" or not self._ten_follows():
            return part
        first, last = above[-2:] if len(above) == 2 else (above[0], above[0])
        written = self.seen[first[1].start : last[1].end]
        mantissa = self.seen[part.start : part.end]
        if not (_SCIENTIFIC.fullmatch(written) and _OF_ONE_DIGIT.fullmatch(mantissa)):
            message = "what stands below the / is not clear; use brackets"
            raise self.refuse(part, "after_slash", message)
        link = self.kind
        self.i += 1
        ten = self.operand()
        whole = Part(part.factor, None, part.start, ten.end, form="group")
        self.times(link, whole, ten)
        return whole

    def _ten_follows(self) -> bool:
        following = self.tokens[self.i : self.i + 3]
        return (
            [t.kind for t in following[:2]] == [self.kind, "number"]
            and self.kind in TIMES
            and following[1].text == "10"
            and len(following) == 3
            and following[2].kind in ("^", "raised")
        )
