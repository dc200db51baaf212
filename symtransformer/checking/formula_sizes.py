"""Sizes written as formulas: [n, d_k] @ [d_k, m] = [n, m], also behind the names of the matrices."""

from __future__ import annotations

import re
from itertools import pairwise

from symtransformer.checking.formula_verdicts import PROVED, SHAPES, FormulaVerdict
from symtransformer.notation import Words

SIZE = r"[A-Za-z][A-Za-z_]{0,20}[0-9]?|[0-9]{1,6}"
ANNOTATED = re.compile(
    rf"\s*[^\W\d][\w.'^]{{0,30}}?\s*[\[(]\s*({SIZE})\s*,\s*({SIZE})\s*[\])]\s*|\s*\[\s*({SIZE})\s*,\s*({SIZE})\s*\]\s*"
)
AGAINST = Words("judged by the sizes that are written", "書かれた大きさで判定した")


def judge_sizes(left: str, right: str) -> FormulaVerdict | None:
    """None where the sides are not products of sizes; numbers alone are no sizes."""
    sides = [[ANNOTATED.fullmatch(piece) for piece in re.split(r"@|×|\*", side)] for side in (left, right)]
    if not all(found for side in sides for found in side) or len(sides[0]) + len(sides[1]) < 3:
        return None
    pairs = [[tuple(g for g in found.groups() if g) for found in side if found] for side in sides]
    if not any(not size.isdigit() for side in pairs for pair in side for size in pair):
        return None
    results = []
    for side in pairs:
        for before, after in pairwise(side):
            if before[1] != after[0]:
                return _unlike(before[1], after[0])
        results.append((side[0][0], side[-1][1]))
    for a, b in zip(*results, strict=True):
        if a != b:
            return _unlike(a, b)
    words = Words(
        "The sizes fit: the inner ones are equal, and the outer ones are those of the result.",
        "大きさは合う。内側どうしが等しく、外側が結果の大きさになっている。",
    )
    return FormulaVerdict(PROVED, words, AGAINST)


def _unlike(a: str, b: str) -> FormulaVerdict:
    return FormulaVerdict(
        SHAPES,
        Words(
            f"The sizes do not fit: {a} and {b} must be equal.",
            f"大きさが合わない：{a} と {b} は等しくなければならない。",
        ),
        AGAINST,
    )
