"""Where letters stand in a term, and the orders of letters that their places leave open."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations
from itertools import product as every_choice
from math import factorial, prod

from symtransformer.errors import LimitExceeded
from symtransformer.formulas.terms import Call, Index, Sum, Term

ORDERS_AT_MOST = 120


def calls_in(term: Term) -> Iterator[Call]:
    """Every call in a term, also inside others."""
    for factor, _ in term.factors:
        if isinstance(factor, Sum):
            yield from calls_in(factor.body)
        elif isinstance(factor, Call):
            yield factor
            for arg in factor.args:
                for inner, _ in arg.terms:
                    yield from calls_in(inner)


def orders_of(letters: list[Index], body: Term) -> Iterator[list[Index]]:
    """The orders that the places of the letters leave open; one, if all places differ."""
    if len(letters) == 1:
        return iter([letters])
    places = list(_places(body, ""))
    color = dict.fromkeys((x.key for x in letters), "")
    for _ in range(len(letters)):
        signs = {x.key: (x.size.key, _seen_from(x.key, places, color)) for x in letters}
        ranks = {sign: f"?{rank}" for rank, sign in enumerate(sorted(set(signs.values())))}
        finer = {key: ranks[sign] for key, sign in signs.items()}
        if len(set(finer.values())) == len(set(color.values())):
            break
        color = finer
    classes: dict[str, list[Index]] = {}
    for letter in sorted(letters, key=lambda x: color[x.key]):
        classes.setdefault(color[letter.key], []).append(letter)
    if prod(factorial(len(c)) for c in classes.values()) > ORDERS_AT_MOST:
        raise LimitExceeded("too many letters with places alike")
    return ([x for part in choice for x in part] for choice in every_choice(*(map(list, permutations(c)) for c in classes.values())))  # fmt: skip


def _seen_from(letter: str, places: list[str], color: dict[str, str]) -> tuple[str, ...]:
    def shown(match: re.Match[str]) -> str:
        name = match.group()
        return "*" if name == letter else color.get(name, "#" if "." in name else name)

    return tuple(sorted(re.sub("‹[^›]*›", shown, place) for place in places if letter in place))


def _places(term: Term, path: str) -> Iterator[str]:
    """The places where letters stand, with the way to them; sums and products of any order."""
    for factor, power in term.factors:
        here = f"{path}^{power}"
        if isinstance(factor, Index):
            yield f"{here}{factor.key}"
        elif isinstance(factor, Sum):
            yield from _places(factor.body, f"{here}Σ")
        else:
            direct = any(isinstance(f, Index) for a in factor.args for t, _ in a.terms for f, _ in t.factors)
            if direct:
                yield f"{here}{factor.key}"
            for k, arg in enumerate(factor.args):
                for inner, number in arg.terms:
                    yield from _places(inner, f"{here}{factor.name}{k}:{number}")
