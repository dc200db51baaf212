"""Two letters that a notation would write alike are refused before a page is made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sympy import Integer

from symtransformer.chosen_notation import Notation
from symtransformer.derivation import Derivation
from symtransformer.dialects import LATEX, Dialect
from symtransformer.errors import UnreadableInput
from symtransformer.node import postorder
from symtransformer.symbols import Letter

HEADS_TRIED = 9  # Q_{2} could be head 2 of Q or the second Q


def require_unambiguous(notation: Notation, derivation: Derivation) -> None:
    """Refuses two letters that would look the same, or whose entries would, and one that would look transposed."""
    if notation.is_usual:
        return
    letters = _letters(derivation)
    numbers = _symbols(derivation)
    before = _looks(letters, LATEX, numbers)
    for (kind, look), names in _looks(letters, LATEX.chosen(notation), numbers).items():
        if len(names) > 1 and not any(names <= others for (other, _), others in before.items() if other == kind):
            first, second = sorted(names)[:2]
            raise UnreadableInput(f"notation: {first} and {second} would both be written ${look}$; rename one of them")
    for letter in letters:
        label = notation.renamed(letter.name).rpartition(".")[2].partition("_")[2]
        if notation.is_raised(label) and label == "T":
            raise UnreadableInput(
                f"notation: labels: {letter.name} with its label above would look transposed; rename it in [names]"
            )


def _letters(derivation: Derivation) -> list[Letter]:
    found = dict.fromkeys((*derivation.inputs, *(step.letter for step in derivation.steps)))
    for step in derivation.steps:
        found |= dict.fromkeys(x for x in postorder(step.expression, step.stands_for) if isinstance(x, Letter))
    return list(found)


def _symbols(derivation: Derivation) -> set[str]:
    return {str(s) for step in derivation.steps for s in step.expression._mentions if not isinstance(s, Letter)}


def _looks(letters: list[Letter], dialect: Dialect, symbols: set[str]) -> dict[tuple[str, str], set[str]]:
    """What is printed, a letter or an entry, and the names of all that is printed so."""
    looks: dict[tuple[str, str], set[str]] = {}
    for letter in letters:
        for spelling in _spellings(letter, dialect):
            looks.setdefault(spelling, set()).add(letter.name)
    for name in symbols - {x.name for x in letters}:
        if "." not in name:
            looks.setdefault(("letter", dialect.letter(name)), set()).add(name)
    return looks


def _spellings(letter: Letter, dialect: Dialect) -> Iterator[tuple[str, str]]:
    heads: list[Any] = [None] if letter.head is None else [Integer(k) for k in range(HEADS_TRIED)]
    for head in heads:
        yield "letter", dialect.letter(letter.name, head)
        yield "entry", dialect.entry_of(letter.name, head, ["i", "j"])
