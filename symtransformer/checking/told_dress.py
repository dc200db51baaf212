r"""One letter in two dresses that a document gives two meanings: \mathbf{x} and x, \epsilon and \varepsilon, which are one name here."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from symtransformer.checking.doubts import undecided
from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation
from symtransformer.documents import Relation
from symtransformer.notation import Words

VARIANT = {
    "varepsilon": "epsilon",
    "varphi": "phi",
    "vartheta": "theta",
    "varrho": "rho",
    "varsigma": "sigma",
    "ϵ": "epsilon",
    "ϕ": "phi",
}
DRESSED = re.compile(
    r"\\(?P<dress>mathbf|boldsymbol|bm|vec|mathrm|mathcal|mathbb|mathsf|mathfrak|mathscr|mathit)\s*(?:\{\s*(?P<held>\\?[A-Za-z]+)\s*\}|(?P<bare>\\?[A-Za-z]))|"
    r"\\(?P<variant>var(?:epsilon|phi|theta|rho|sigma))(?![A-Za-z])|(?P<sign>[ϵϕ])|\\(?P<greek>[A-Za-z]+)|(?P<letter>[A-Za-zα-ω])"
)
TWO_MEANINGS = Words(
    "Not decided: a letter stands here in another type than where it last got its value, and the document uses both.",
    "判定できない。文字の書体が、直前に値を与えられたときと異なり、文書は両方の書体を使い分けている。",
)


@dataclass
class ToldDress:
    """In which dresses the letters of a file have got values."""

    _last: dict[tuple[str, str], str] = field(default_factory=dict)
    _all: dict[tuple[str, str], set[str]] = field(default_factory=dict)

    def heeded(self, equation: Equation, relation: Relation) -> Equation:
        """The equation, or the same undecided where the value that was taken is that of the letter in another dress."""
        if equation.verdict == "definition":
            for letter, dress in letters_in(relation.left.text)[:1]:
                self._last[relation.file, letter] = dress
                self._all.setdefault((relation.file, letter), set()).add(dress)
        elif equation.verdict in (*ACCEPTED, *ACCUSING):
            for letter, dress in letters_in(relation.left.text) + letters_in(relation.right.text):
                key = relation.file, letter
                if dress in self._all.get(key, ()) and dress != self._last[key]:
                    return undecided(equation, TWO_MEANINGS, "own_letter")
        return equation


def letters_in(text: str) -> list[tuple[str, str]]:
    r"""Every letter with its dress.

    >>> letters_in(r"\mathbf{x} + y \varepsilon")
    [('x', 'mathbf'), ('y', ''), ('epsilon', 'var')]
    """
    found = []
    for m in DRESSED.finditer(text):
        if m["dress"]:
            found.append(((m["held"] or m["bare"]).lstrip("\\"), m["dress"]))
        elif m["variant"] or m["sign"]:
            found.append((VARIANT[m["variant"] or m["sign"]], "var"))
        else:
            found.append((m["greek"] or m["letter"], ""))
    return found
