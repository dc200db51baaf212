"""Members of a family of heads as they are printed: W_Q^(1), dQ^(i), and in LaTeX {W_{Q}^{(1)}}."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from symtransformer.derivation import Step
from symtransformer.gradients import cotangent_name
from symtransformer.node import Node
from symtransformer.reading.index_marks import BASE, LOW, plain_base, plain_mark, spellings
from symtransformer.symbols import Letter

HEAD = re.compile(r"\(\s*([0-9]{1,3}|[a-z])\s*\)")
HEADED = re.compile(r"\^\((?P<head>[a-z])\)")
WORD = re.compile(r"(?:\\(?:mathrm|text|operatorname|textrm|mathsf)\s*\{\s*)?([A-Za-z][A-Za-z0-9]{0,14})\s*\}?")
MARKED = re.compile(  # a name with something above it
    rf"(?<![A-Za-z0-9_])(?P<open>\{{\s*)?(?P<base>{BASE})(?P<low>{LOW})?\s*\^\s*"
    r"(?:\{(?P<braced>(?:[^{}\n]|\{[^{}\n]{1,20}\}){1,60})\}"
    r"|(?P<plain>(?:[A-Za-z0-9]{1,15},)?\((?:[0-9]{1,3}|[a-z])\)|[A-Za-z][A-Za-z0-9]{1,14}(?=_)))"
    r"(?(open)(?P<close>\s*\})?)"
)

Members = Mapping[tuple[str, str], str]


def members_of(letters: Iterable[Letter], steps: Iterable[Step], nodes: dict[str, Node]) -> Members:
    """The name under which each member is known, by its family and the head as it is printed; new names go to `nodes`.

    A family of which several members are known is no name any more.
    """
    found: dict[tuple[str, str], str] = {}
    counted: set[str] = set()
    for letter in (*letters, *(step.letter for step in steps)):
        if letter.head is not None and letter.head.is_Integer:
            name = f"{letter.name}{'' if '_' in letter.name else '_'}{letter.head + 1}"
            if nodes.setdefault(name, letter) is letter:
                found[letter.name, str(letter.head + 1)] = name
                counted.add(letter.name)
    for name in counted:
        nodes.pop(name, None)
    for step in steps:
        by = step.derivative.letter if step.derivative is not None else None
        if by is not None and by.head is not None and by.head.is_Integer:
            found[cotangent_name(by.name), str(by.head + 1)] = step.name
    for name in [*nodes]:  # the steps of single heads are Q_1, dQ_1
        base, _, low = name.partition("_")
        if low.isdigit():
            found.setdefault((base, low), name)
    return found


def families_of(members: Members, nodes: Mapping[str, Node]) -> set[str]:
    """Names that a head may follow: those of families over a letter, and of those whose members are counted."""
    letters = {name for name, x in nodes.items() if isinstance(x, Letter) and x.head is not None and x.head.is_Symbol}
    return letters | {family for family, head in members if head.isdigit()}


@dataclass(frozen=True)
class _Above:
    """What stands above a name: Q,(i) or a number of primes, or the layer that the name belongs to."""

    words: tuple[str, ...] = ()
    head: str = ""
    primes: int = 0

    @classmethod
    def of(cls, text: str) -> _Above | None:
        words, head, primes = list[str](), "", 0
        for piece in text.split(","):
            if found := HEAD.fullmatch(piece.strip()):
                head = found.group(1)
            elif re.fullmatch(r"(?:\s*\\prime(?![A-Za-z]))+\s*", piece):
                primes = piece.count("prime")
            elif found := WORD.fullmatch(piece.strip()):
                words.append(found.group(1))
            else:
                return None
        return cls(tuple(words), head, primes)

    @property
    def is_a_mark(self) -> bool:
        """Whether it can be no power: X^T and x^Q_a are read where they stand."""
        return bool(self.head or self.primes or any(len(word) > 1 for word in self.words))


def with_names(text: str, members: Members, nodes: Mapping[str, Node]) -> str:
    """The text with the name of each known member in its place, and blanks, so that places stay.

    W_Q^(1) and its entry w^Q,(1)_ab are W_Q1 and w_Q1_ab; a head that is a letter stays, behind the name: w_Q^(i)_ab.
    """
    families = families_of(members, nodes)
    places = {name.partition(".")[0] for name in nodes if "." in name}

    def named(match: re.Match[str]) -> str:
        above = _Above.of(match.group("braced") or match.group("plain"))
        base, given = plain_base(match.group("base")), match.group("low")
        if above is None or not above.is_a_mark:
            return match.group()
        place = next((word for word in above.words if word in places), "")
        low = plain_mark(given[1:]) if given else next((word for word in above.words if word != place), "")
        whole = f"{place}." if place else ""
        start = match.group("open") if match.group("open") and not match.group("close") else ""
        is_entry = text.startswith("_", match.end())
        for spelled in spellings(base) if is_entry else [base]:
            own = f"{spelled}{above.primes + 1}" if above.primes else spelled
            family = f"{whole}{own}_{low}" if low else f"{whole}{own}"
            name = _name_of(family, above.head, families, members, nodes, is_entry and not low)
            if name:
                rest, mark = name[len(whole) + len(spelled) :].partition("_")[::2]
                head = f"^({above.head})" if above.head.isalpha() and name in families else ""
                for shown in (f"_{{{mark}}}" if mark else "", f"_{mark}"):
                    made = f"{start}{whole}{base if rest or place else match.group('base')}{rest}{shown}{head}"
                    if len(made) <= len(match.group()):
                        return made.rjust(len(match.group()))
                return match.group()
        return match.group()

    return MARKED.sub(named, text)


def _name_of(
    family: str, head: str, families: Collection[str], members: Members, nodes: Mapping[str, Node], counted: bool
) -> str:
    """The known name of a member; q^(1)_jc is also an entry of a step that is called Q_1."""
    if not head:
        return family if family in nodes else ""
    if head.isalpha():
        return family if family in families else members.get((family, head), "")
    return members.get((family, head)) or (f"{family}_{head}" if counted and f"{family}_{head}" in nodes else "")


def without_heads(text: str) -> str:
    """The text without the heads that are letters, which say of a formula that it holds for every head."""
    return HEADED.sub(lambda found: " " * len(found.group()), text)


def without_its_head(text: str, nodes: Mapping[str, Node], symbol: Any = None) -> str:
    """A name of a family, over this letter, that stands in the text without a head."""
    names = [n for n, x in nodes.items() if isinstance(x, Letter) and x.head is not None and x.head.is_Symbol]
    names = [n for n in names if symbol is None or nodes[n].head == symbol]  # type: ignore[attr-defined]
    return next((n for n in names if re.search(rf"{spelled_in(n)}(?![A-Za-z0-9_({{]|\s*\^\()", text)), "")


def spelled_in(name: str) -> str:
    """The pattern of a name in a text, its index with and without braces."""
    base, _, low = name.partition("_")
    return (
        rf"(?<![A-Za-z0-9_.])(?<!_\{{){re.escape(base)}"
        + (rf"(?:_\{{{low}\}}|_{low})" if low else "")
        + r"(?![A-Za-z0-9])"
    )
