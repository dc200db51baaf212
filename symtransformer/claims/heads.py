"""Members of a family of heads as they are printed: W_Q^(1), dQ^(i), and in LaTeX {W_{Q}^{(1)}}."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from symtransformer.derivation import Step
from symtransformer.gradients import cotangent_name
from symtransformer.node import Node
from symtransformer.reading.index_marks import BASE, LOW, plain_base, plain_mark
from symtransformer.symbols import Letter

HEAD = r"(?:\((?P<head>[0-9]{1,3}|[a-z])\)|\{\s*\((?P<braced>[0-9]{1,3}|[a-z])\)\s*\})"
MEMBER = re.compile(
    rf"(?<![A-Za-z0-9_])(?P<open>\{{\s*)?(?P<base>{BASE})(?P<low>{LOW})?\s*\^\s*{HEAD}(?(open)(?P<close>\s*\}})?)"
)

Members = Mapping[tuple[str, str], str]


def members_of(letters: Iterable[Letter], steps: Iterable[Step], nodes: dict[str, Node]) -> Members:
    """The name under which each member is known, by its family and the head as it is printed; new names go to `nodes`.

    A family of which several members are known is no name any more.
    """
    found: dict[tuple[str, str], str] = {}
    counted: set[str] = set()
    for letter in (*letters, *(step.letter for step in steps)):
        if letter.head is not None and letter.head.is_Symbol:
            found[letter.name, str(letter.head)] = letter.name
        elif letter.head is not None and letter.head.is_Integer:
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


def with_names(text: str, members: Members) -> str:
    """The text with the name of each known member in its place, and blanks, so that places stay."""

    def named(match: re.Match[str]) -> str:
        low = plain_mark(match.group("low")[1:]) if match.group("low") else ""
        family = plain_base(match.group("base")) + (f"_{low}" if low else "")
        name = members.get((family, match.group("head") or match.group("braced")))
        if name is None:
            return match.group()
        base, _, low = name.partition("_")
        start = match.group("open") if match.group("open") and not match.group("close") else ""
        made = f"{start}{base}_{{{low}}}" if low else f"{start}{base}"
        return made.ljust(len(match.group())) if len(made) <= len(match.group()) else match.group()

    return MEMBER.sub(named, text)
