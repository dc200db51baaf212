"""Members of a family of heads as they are printed: W_Q^(1), dQ^(i), and in LaTeX {W_{Q}^{(1)}}."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from symtransformer.derivation import Step
from symtransformer.gradients import cotangent_name
from symtransformer.node import Node
from symtransformer.reading.index_marks import BASE, GREEK_NAME, LOW, plain_base, plain_mark, spellings
from symtransformer.scalars import primed
from symtransformer.symbols import Letter

HEAD = re.compile(r"\(\s*([0-9]{1,3}|[a-z])\s*\)")
HEADED = re.compile(r"\^\((?P<head>[a-z])\)")
WORD = re.compile(r"(?:\\(?:mathrm|text|operatorname|textrm|mathsf)\s*\{\s*)?([A-Za-z][A-Za-z0-9]{0,14})\s*\}?")
MARKED = re.compile(  # a name with something above it
    rf"(?<![A-Za-z0-9_])(?P<open>\{{\s*)?(?P<base>{BASE})(?P<low>{LOW})?(?:(?P<ticks>'{{1,3}})|\s*\^\s*"
    r"(?:\{(?P<braced>(?:[^{}\n]|\{[^{}\n]{1,20}\}){1,60})\}"
    r"|(?P<plain>(?:[A-Za-z0-9]{1,15},)?\((?:[0-9]{1,3}|[a-z])\)|[A-Za-z][A-Za-z0-9]{1,14}(?=_)|[A-Za-z0-9]{1,15},[a-z][A-Za-z0-9]{0,14}(?=_)|'{1,3})))"
    r"(?(open)(?P<close>\s*\})?)"
)

OF_HEAD = re.compile(  # dW_{Q}^(i)
    r"(?<![A-Za-z0-9_\\.])(?P<base>(?:[a-z][a-z0-9]{0,7}\.)?[A-Za-z][A-Za-z0-9]{0,15})"
    r"(?:_(?:\{(?P<braced>[A-Za-z0-9]{1,15})\}|(?P<low>[A-Za-z0-9]{1,15})))?\^\((?P<head>[a-z])\)"
)
HEADS_AT_MOST = 16
ARGUMENT = re.compile(r"(?:\}|\\[dt]?frac|\\sqrt)\s*\Z")  # what stands in front of the braces of an argument
INDICES = re.compile(rf"_(?:\{{(?:[a-z0-9,\s]|\\(?:{GREEK_NAME})(?![A-Za-z])|\\,)+\}}|[a-z0-9]+)")

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
            elif re.fullmatch(r"(?:\s*\\prime(?![A-Za-z]))+\s*|'{1,3}", piece):
                primes = piece.count("prime") + piece.count("'")
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
        above = _Above.of(match.group("braced") or match.group("plain") or match.group("ticks"))
        base, given = plain_base(match.group("base")), match.group("low") or ""
        if above is None or not above.is_a_mark:
            return match.group()
        place = next((word for word in above.words if word in places), "")
        word = next((word for word in above.words if word != place), "")
        whole = f"{place}." if place else ""
        braces = bool(match.group("close")) and ARGUMENT.search(text, 0, match.start())
        start = "{" if braces else match.group("open") if match.group("open") and not match.group("close") else ""
        is_entry = text.startswith("_", match.end())
        readings = [] if given and word else [(plain_mark(given[1:]) if given else word, "", is_entry)]
        if INDICES.fullmatch(given) and not is_entry and (above.primes or not any(x in nodes and getattr(nodes[x], "head", None) is None for x in spellings(base))):  # fmt: skip
            readings.append((word, given, True))  # q_{ic}^{(2)}
        for low, indices, of_entry in readings:
            for spelled in spellings(base) if of_entry else [base]:
                if above.primes and not primed(f"{spelled}2")[1]:
                    continue  # X' is no X
                own = f"{spelled}{above.primes + 1}" if above.primes else spelled
                family = f"{whole}{own}_{low}" if low else f"{whole}{own}"
                name = _name_of(family, above.head, families, members, nodes, of_entry and not low)
                if not name:
                    continue
                rest, mark = name[len(whole) + len(spelled) :].partition("_")[::2]
                head = f"^({above.head})" if above.head.isalpha() and name in families else ""
                for shown in (f"_{{{mark}}}" if mark else "", f"_{mark}"):
                    made = f"{start}{whole}{spelled}{rest}{shown}{head}{indices}{'}' if braces else ''}"
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


def of_each_head(text: str, members: Members, left: tuple[int, int]) -> list[str]:
    """A claim with dW_Q^(i) on its left side, where heads are counted, once for each of them; nothing where it has none.

    `ValueError` says why it is not clear what is meant.
    """
    named = {(_family_in(x), x.group("head")) for x in OF_HEAD.finditer(text)}
    counts = {name: sum(name == family and head.isdigit() for family, head in members) for name, _ in named}
    letters = {x.group("head") for x in OF_HEAD.finditer(text, *left) if counts[_family_in(x)]}
    if len(letters) != 1:
        return []
    (letter,) = letters
    counted = sorted(name for name, head in named if head == letter)
    size, one = max(counts[name] for name in counted), f"{counted[0]}^(1)"
    if {counts[name] for name in counted} != {size} or any((name, str(k)) not in members for name in counted for k in range(1, size + 1)):  # fmt: skip
        raise ValueError(f"{letter} counts heads of which there are not equally many; write a claim for each, as {one}")
    if size > HEADS_AT_MOST:
        raise ValueError(f"a claim for each of {size} heads at once; write a claim for each, as {one}")
    if re.search(rf"(?<![A-Za-z\\]){letter}(?![A-Za-z])|[_,{{(][a-z]{{0,3}}{letter}[a-z]{{0,3}}(?![A-Za-z{{(])", OF_HEAD.sub(" ", text)):  # fmt: skip
        raise ValueError(f"{letter} counts heads and is an index in the same formula, or summed over; rename one")
    return [OF_HEAD.sub(lambda x: _member_in(x, letter, k, members), text) for k in range(1, size + 1)]  # noqa: B023


def _family_in(found: re.Match[str]) -> str:
    low = found.group("braced") or found.group("low")
    return f"{found.group('base')}_{low}" if low else found.group("base")


def _member_in(found: re.Match[str], letter: str, k: int, members: Members) -> str:
    """The name of head k in its place, and blanks."""
    if found.group("head") != letter:
        return found.group()
    name = members[_family_in(found), str(k)]
    base, _, low = name.partition("_")
    return min((f"{base}_{{{low}}}", name), key=lambda x: len(x) > len(found.group())).rjust(len(found.group()))


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
