r"""The sign of a sum in an index formula: over which letters it goes, how far, and under which condition."""

from __future__ import annotations

import re
from collections.abc import Callable

from symtransformer.reading.index_marks import LOW, plain_base, plain_mark
from symtransformer.reading.index_places import plain
from symtransformer.reading.index_signs import BETWEEN, INDEX, LATEX_LOW
from symtransformer.reading.problems import ReadingError, quoted

SUM = re.compile(r"(?:Σ|∑|\\sum(?![A-Za-z])|sum(?=\s*_))\s*(?:\\(?:no)?limits)?\s*")
UPPER = re.compile(
    r"\s*\^\s*(?:\{((?:[^{}\n]|\{(?:[^{}\n]|\{[^{}\n]{1,16}\}){1,40}\}){1,60})\}"
    r"|\(([^()\n]{1,40})\)|([A-Za-z0-9](?:_[A-Za-z0-9]+)?))"
)
RANGE = rf"\s*({INDEX})\s*(?:=\s*([01])(?![0-9])|=\s*((?:{INDEX})(?:\s*\+\s*1)?)(?![0-9])|(≠|!=|\\neq?(?![A-Za-z])|<=|≤|\\leq?(?![A-Za-z])|<|>=|≥|\\geq?(?![A-Za-z])|>)\s*({INDEX}))?\s*"
RELATIONS = {"≠": "!=", "!=": "!=", "ne": "!=", "neq": "!=", "<=": "<=", "≤": "<=", "le": "<=", "leq": "<=", "<": "<",
             ">=": ">=", "≥": ">=", "ge": ">=", "geq": ">=", ">": ">"}  # fmt: skip

SumRanges = tuple[tuple[str, str, tuple[str, str] | None, bool], ...]  # letter, upper end, condition, whether from 0
Refuse = Callable[..., ReadingError]


def sum_sign(text: str, start: int, latex: bool, refuse: Refuse) -> tuple[int, SumRanges]:
    """Where the sign that was found ends, and what it says; `start` is behind the Σ."""
    lower = re.compile(LATEX_LOW if latex else LOW).match(text, start)
    if lower is None:
        raise refuse("sum", "a sum says over which letter it goes, as in Σ_j or \\sum_{j=1}^{n}")
    inside = lower.group()[1:].strip()
    inside = inside[1:-1] if inside[:1] in ("{", "(") else inside
    upper = UPPER.match(text, lower.end())
    top = plain(plain_mark(next(g for g in upper.groups() if g))) if upper else ""
    return upper.end() if upper else lower.end(), _ranges(inside, top, refuse)


def _ranges(inside: str, top: str, refuse: Refuse) -> SumRanges:
    ranges: list[tuple[str, str, tuple[str, str] | None, bool]] = []
    at = 0
    while at < len(inside):
        if between := re.compile(BETWEEN).match(inside, at):
            at = between.end()
            continue
        one = re.compile(RANGE).match(inside, at)
        if one is None or one.group(1)[0].isdigit():
            message = f"{quoted(inside)} is no range of a sum; write Σ_j, \\sum_{{j=1}}^{{n}} or Σ_{{l≠j}}"
            raise refuse("sum", message)
        condition = (RELATIONS[one.group(4).lstrip("\\")], plain_base(one.group(5))) if one.group(4) else None
        if begin := one.group(3):  # Σ_{i=j}^{n}, Σ_{i=j+1}^{n}
            condition = ">" if "+" in begin else ">=", plain_base(begin.partition("+")[0].strip())
        if (begin or one.group(2) == "0") and not top:
            raise refuse("sum", f"a sum from {begin or 0} says where it ends, as in \\sum_{{i=j}}^{{n}}")
        ranges.append((plain_base(one.group(1)), top, condition, one.group(2) == "0"))
        at = one.end()
    if not ranges or (top and len(ranges) > 1):
        raise refuse("sum", "a sum with an upper end goes over one letter")
    return tuple(ranges)
