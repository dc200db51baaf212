"""Which relation signs of a page are true and which are false, by NumPy, from the page's own definitions."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from plain_pages import PlainChain, Tree, chains_of
from plain_values import Misfit, Unknown, Valued, Values, apart, is_shown, leaves

# Letters that no line of a page defines: the parameters of its formulas, at a point of our own, and sizes.
GIVEN = {
    "explainer_chapter_4": {"t": 0.37},
    "explainer_chapter_5": {"n": 1},
    "explainer_chapter_8": {"tau": 0.83},
    "explainer_demo": {"n": 3},
}
DEFINITION = "definition"


@dataclass
class Judged:
    """A page read and worked out: `truths[c][r]` is True, False, "definition" or None where it cannot be told."""

    source: str
    chains: list[PlainChain]
    truths: list[list[Any]] = field(default_factory=list)
    named: list[Any] = field(default_factory=list)  # what each chain's first side is worth
    defines: list[bool] = field(default_factory=list)
    values: Values = field(default_factory=Values)
    shapes: dict[str, tuple[int, int]] = field(default_factory=dict)
    shown: dict[str, Any] = field(default_factory=dict)  # names with the numbers shown for them
    before: list[set[str]] = field(default_factory=list)  # the names that are known before each chain
    has_moved: bool = False  # a name has another value than in the unchanged page: what is hidden may have another too


def judged(
    source: str, language: str, given: dict[str, float], hidden: Any = None, as_in: Judged | None = None
) -> Judged:
    """Works through the page; `as_in` is the unchanged page, which says which chains define their first name.

    `hidden` are the values of names that the page uses without showing how they were worked out.
    """
    page = Judged(source, chains_of(source, language))
    page.values = Values(given, hidden)
    if as_in is not None:
        page.values.given, page.values.used = as_in.values.given, as_in.values.used
        page.values.may_use_more = False
    for i, chain in enumerate(page.chains):
        defines = as_in.defines[i] if as_in is not None else None
        _work_out(page, chain, defines, as_in is None)
        if as_in is not None and not page.has_moved and _is_another(page.named[i], as_in.named[i]):
            page.has_moved, page.values.hidden = True, {}
    return page


def _is_another(new: Valued | None, old: Valued | None) -> bool:
    """Another value of the name that a chain begins with, or none any more."""
    if new is None or old is None or new.value.shape != old.value.shape:
        return (new is None) != (old is None) or new is not None
    finite = np.isfinite(new.value) & np.isfinite(old.value)
    return not np.allclose(new.value[finite], old.value[finite], rtol=1e-9, atol=1e-9)


def _work_out(page: Judged, chain: PlainChain, defines: bool | None, may_learn: bool) -> None:
    trees = [side.tree for side in chain.sides]
    page.before.append(set(page.values.known))
    if may_learn:
        for left, right in pairwise(trees[1:]):
            learn(page.values, left, right)
    found: list[Valued | str | None] = [valued(page.values, tree) for tree in trees]
    first = trees[0]
    if defines is False and first is not None and first[0] == "name" and not page.values.is_above(first[1]):
        found[0] = None  # a name of its own now
    name = first[1] if first is not None and first[0] == "name" else None
    source = next((v for v in found[1:] if isinstance(v, Valued) and _is_exact(v)), None)
    if defines is None:
        known = found[0] if name in page.values.known or name not in page.values.hidden else None
        new = not isinstance(known, Valued) or (isinstance(source, Valued) and apart(known, source) is not False)
        defines = name is not None and new and (source is not None or known is None)
    if name is not None and defines:
        if source is None and name in page.values.hidden and all(tree is None for tree in trees[1:2]):
            source = Valued(page.values.hidden[name], np.abs(page.values.hidden[name]) * 1e-9)
        found[0] = source
        if source is not None:
            page.values.known.pop(name, None)
            page.values.known[name] = source.value
        else:
            page.values.known.pop(name, None)
    if name is not None and isinstance(found[-1], Valued) and found[-1].shown:
        page.shown[name] = found[-1].value
    if name is not None and isinstance(found[0], Valued):
        page.shapes[name] = found[0].value.shape
    head = next((v for v in found if isinstance(v, Valued) and _is_exact(v) and not v.shown), None)
    head = found[0] if isinstance(found[0], Valued) else head
    page.defines.append(bool(defines))
    page.named.append(found[0] if isinstance(found[0], Valued) else None)
    told = [_truth(found[r], found[r + 1], head) for r in range(len(chain.signs))]
    if page.has_moved and not isinstance(found[0], Valued):
        told = [None for _ in told]  # what it is the value of is not known any more
    if defines:
        told[0] = DEFINITION if source is not None else None
    page.truths.append(told)


def valued(values: Values, tree: Tree | None) -> Valued | str | None:
    try:
        return values.side(tree)
    except (Unknown, KeyError, ValueError, IndexError, OverflowError):
        return None
    except Misfit:
        return "shapes"


def _is_exact(v: Valued) -> bool:
    finite = np.isfinite(v.value)
    return bool((v.radius[finite] <= 2e-9 * np.abs(v.value[finite]) + 2e-9).all())


def _truth(a: Any, b: Any, head: Valued | None) -> bool | None:
    if a is None or b is None:
        return None
    if "shapes" in (a if isinstance(a, str) else "", b if isinstance(b, str) else ""):
        return False
    if head is None:
        out = apart(a, b)
        return None if out is None else not out
    left, right = apart(a, head), apart(b, head)
    if left is None or right is None:
        return None
    if left != right:
        return False
    return True if not left else (False if apart(a, b) else None)


def learn(values: Values, formula: Tree | None, numbers: Tree | None) -> None:
    """A letter without a definition is what stands in its place in the next side: sqrt(d_k), and then sqrt(2)."""
    if formula is None or numbers is None:
        return
    here = numbers
    while here[0] == "()":
        here = here[1]
    if here[0] in ("number", "-") and is_shown(here):
        unknown = {leaf[1] for leaf in leaves(formula, "name") if valued(values, leaf) is None}
        text = here[1] if here[0] == "number" else ""
        if len(unknown) == 1 and len(text.partition(".")[2]) < 4 and is_plain(formula):
            _solve(values, unknown.pop(), formula, float(text) if text else None)
        return
    if formula[0] != numbers[0] or len(formula) != len(numbers):
        return
    for a, b in zip(formula, numbers, strict=True):
        for x, y in _pairs(a, b):
            learn(values, x, y)


def _pairs(a: Any, b: Any) -> list[tuple[Tree, Tree]]:
    if not (isinstance(a, tuple) and isinstance(b, tuple) and a and b):
        return []
    if isinstance(a[0], str) and isinstance(b[0], str):
        return [(a, b)]
    if len(a) != len(b):
        return []
    return [pair for x, y in zip(a, b, strict=True) for pair in _pairs(x, y)]


def is_plain(tree: Tree) -> bool:
    return all(call[1] in ("sqrt",) for call in leaves(tree, "call"))


def _solve(values: Values, name: str, formula: Tree, wanted: float | None) -> None:
    """The positive letter at which the formula is the number; by bisection over where it is monotone."""
    if wanted is None:
        return

    def gap(x: float) -> float:
        values.given[name] = np.array([[x]])
        return float(values.value(formula, {})[0, 0]) - wanted

    try:
        low, high = 1e-6, 1e6
        below, above = gap(low), gap(high)
        if below * above > 0:
            del values.given[name]
            return
        for _ in range(200):
            middle = (low + high) / 2
            if gap(middle) * below > 0:
                low = middle
            else:
                high = middle
        values.given[name] = np.array([[round((low + high) / 2, 9)]])
    except (Unknown, Misfit, IndexError):
        values.given.pop(name, None)
