"""The tokens of the equations on a text page that `build` writes: for tests, knowing nothing of the package."""

from __future__ import annotations

import re
from dataclasses import dataclass

FUNCTIONS = {
    "exp", "log", "sqrt", "tanh", "softmax", "rowsum", "divide", "norm", "rmsnorm", "ReLU", "step", "GELU", "Phi",
    "ones", "causal", "padding", "broadcast", "Concat", "mean", "std", "var", "logsumexp", "hardmax", "PE", "sin",
    "cos", "erf", "erfc", "GELUTanh", "TemperatureSoftmax", "CosineSimilarity", "Stack", "colsum",
}  # fmt: skip
OPERATORS = "+-*/×⊙⊘"
TEXT = re.compile(
    r"(?P<number>\d+(?:\.\d+)?)|(?P<T>\^T(?![A-Za-z]))|(?P<sup>\^(?=[0-9(]))"
    r"|(?P<name>(?:[A-Za-z]\w*\.)?[A-Za-z][A-Za-z0-9]*(?:\^\(\w+\)|\^(?!T(?![A-Za-z]))[A-Za-z]+)?(?:_[A-Za-z0-9]+(?:\^\(\w+\))?)?)"
    r"|(?P<relation>[=≈])|(?P<infinity>∞)|(?P<sign>[-+*/×⊙⊘()\[\],])|(?P<space>\s+)|(?P<other>.)"
)


class NotRead(Exception):
    """A side that this reader does not understand: nothing is planted in it."""


@dataclass(frozen=True)
class Token:
    """A piece of a formula with its place in the source."""

    kind: str
    text: str
    start: int
    end: int


def text_groups(source: str) -> list[list[Token]]:
    """The tokens of each chain of a text page: a chain starts in column 3, its further lines stand further right."""
    groups: list[list[Token]] = []
    offset = 0
    is_open = False
    for line in source.splitlines(keepends=True):
        begins = re.match(r"(?:  |> )(?=\S)", line)
        further = is_open and re.match(r"(?:  |> ) +\S", line)
        if begins or further:
            begin = 2
            label = re.match(r"[^=≈\[(]*?[:：] ?(?=\S)", line[2:])
            if begins and label and ("=" in line or "≈" in line):
                begin += label.end()
            note = re.search(r"(?:\s{2,}\(|\s*（)[^\d].*$", line)
            end = note.start() if note else len(line.rstrip())
            tokens = text_tokens(line, begin, end, offset)
            if begins:
                groups.append(tokens)
                is_open = any(t.kind == "relation" for t in tokens)
            else:
                groups[-1] += tokens
        else:
            is_open = False
        offset += len(line)
    return [group for group in groups if any(t.kind == "relation" for t in group)]


def text_tokens(line: str, begin: int, end: int, offset: int) -> list[Token]:
    made: list[Token] = []
    for m in TEXT.finditer(line, begin, end):
        kind = str(m.lastgroup)
        if kind == "space":
            continue
        is_call = kind == "name" and m.group() in FUNCTIONS and line[m.end() : m.end() + 1] == "("
        made.append(Token("call" if is_call else kind, m.group(), offset + m.start(), offset + m.end()))
    return made
