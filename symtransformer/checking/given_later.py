"""`2y = 6 with y = 3`, where y had another value: what a sentence gives anew at its end may be meant before it too."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from symtransformer.checking import equation_words as words
from symtransformer.checking.doubts import undecided
from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation
from symtransformer.checking.opaque_names import names_in
from symtransformer.documents import Document, Relation
from symtransformer.reading.sides import read_name

# the words right before what is given, and right behind it, that say that it is given for what the sentence said
FOR_IT = re.compile(
    r"(?:\b(?:with|where|for|when|if|given|taking|using|assuming|at|here)|ただし|ここで)[\s$(（、,\\]*\Z", re.IGNORECASE
)
OF_IT = re.compile(r"[\s$)）\\]*(?:の?とき|の?場合|とする|とした)")


def as_given_later(document: Document, found: Sequence[Relation], equations: Sequence[Equation]) -> list[Equation]:
    """Nobody is accused by a value that the same sentence replaces, nor told right by it where it says so."""
    anew = {(e.file, e.line, e.column) for e in equations if any(note.name == "redefined" for note in e.remarks)}
    given = [Given(r, _name(document, r)) for r in found if (r.file, r.line, r.column) in anew]
    if not given:
        return list(equations)
    given.sort(key=_start)
    places = {(r.file, r.line, r.column): r for r in found}
    return [_judged_again(document, e, places.get((e.file, e.line, e.column)), given) for e in equations]


class Given(NamedTuple):
    """A relation that gives a name another value."""

    relation: Relation
    name: str | None


def _start(given: Given) -> int:
    return given.relation.left.origins[0]


def _judged_again(document: Document, equation: Equation, relation: Relation | None, given: list[Given]) -> Equation:
    if relation is None or equation.verdict not in (*ACCUSING, *ACCEPTED):
        return equation
    for later, name in _in_the_sentence_behind(document, relation, given):
        between = _between(document, relation, later)
        if name is None or between is None or not _is_used(document, relation, name):
            continue
        if equation.verdict in ACCUSING:
            return undecided(equation, words.GIVEN_LATER, "given_later")
        if any(g.name == name and _between(document, g.relation, relation) is not None for g in given):
            continue  # it was given for this one, in front of it
        behind = document.sources.sentence(later.left.origins[0], later.right.origins[-1])[1]
        if FOR_IT.search(between) or OF_IT.match(behind):
            return undecided(equation, words.GIVEN_LATER, "given_later")
    return equation


def _in_the_sentence_behind(document: Document, relation: Relation, given: list[Given]) -> list[Given]:
    end = relation.right.origins[-1]
    first = bisect_right(given, end, key=_start)
    if first == len(given):
        return []
    behind = document.sources.sentence(relation.left.origins[0], end)[1]
    return given[first : bisect_right(given, document.sources.ending(end, behind), first, key=_start)]


def _name(document: Document, relation: Relation) -> str | None:
    return read_name(relation.left.text, document.passages[relation.passage].language)


def _is_used(document: Document, relation: Relation, name: str) -> bool:
    language = document.passages[relation.passage].language
    return any(name in (names_in(side.text, language) or ()) for side in (relation.left, relation.right))


def _between(document: Document, relation: Relation, later: Relation) -> str | None:
    """What stands between the two where both are in one sentence, in this order."""
    end, start = relation.right.origins[-1], later.left.origins[0]
    if relation.file != later.file or end >= start:
        return None
    behind = document.sources.sentence(relation.left.origins[0], end)[1]
    between = document.sources.between(end, start)
    return between if behind.startswith(between) else None
