r"""Which letters of a formula are numbers, entries of a list and entries of a table, by how they are written."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from symtransformer.reading import free_syntax as kinds
from symtransformer.reading.free_syntax import Free

COUNTING = frozenset("ijklmnt")  # letters that count entries
SIZED = frozenset("dnN")  # d_k, n_h: sizes, whose index is part of the name
ACCENTS = frozenset(("hat", "tilde", "bar", "widehat", "widetilde", "overline", "'", "dot"))
GREEK = frozenset((  # that nobody writes for a matrix
    "alpha", "beta", "gamma", "epsilon", "varepsilon", "zeta", "eta", "theta", "vartheta", "kappa", "lambda", "mu", "nu", "xi", "rho", "sigma",
    "tau", "omega", "phi", "psi", "chi",
))  # fmt: skip
TRANSPOSING = frozenset(("T", "top", "intercal", "prime", "dagger"))
TRIGONOMETRIC = frozenset(("sin", "cos", "tan"))


class NotEntries(Exception):
    """The formula is not one of numbers, or cannot be seen to be."""


@dataclass(frozen=True)
class Entry:
    """A letter with its accents and marks, and the indices below it."""

    key: str
    indices: tuple[str, ...] = ()


def entry_of(part: Free, plain: frozenset[str]) -> Entry | None:
    r"""x, x_i, \hat{x}_{ij}, x^{(1)}_m; None if it is something else. `plain` are letters that stand alone as numbers."""
    if part.kind in (kinds.NAME, kinds.WORD):
        return None if part.text in ("nabla", "partial", "infty") else Entry(part.text)
    if part.kind == kinds.DECORATED and part.text in ACCENTS:
        inner = entry_of(part.parts[0], plain)
        return inner and Entry(f"{part.text}({inner.key})", inner.indices)
    if part.kind != kinds.SCRIPTED:
        return None
    inner, script = entry_of(part.parts[0], plain), part.parts[1]
    if inner is None:
        return None
    if part.text == "^":
        mark = _mark_of(script)
        return Entry(f"{inner.key}^{mark}", inner.indices) if mark else None
    letters = None if inner.key in SIZED else _letters_of(script)
    if letters is None or inner.indices or not all(x.isdigit() or x.rstrip("'") in COUNTING for x in letters):
        return Entry(f"{inner.key}_{kinds.spelled(script)}", inner.indices)
    if all(x in plain for x in letters) or all(x.isdigit() for x in letters):
        return Entry(f"{inner.key}_{kinds.spelled(script)}")
    return Entry(inner.key, letters)


def _mark_of(script: Free) -> str:
    r"""What marks a name above it: (i), new, *; empty where it is an exponent."""
    if (
        script.kind == kinds.BRACKETS
        and script.text == "()"
        and script.parts[0].kind in (kinds.NAME, kinds.NUMBER, kinds.WORD)
    ):
        return f"({script.parts[0].text})"
    if script.kind == kinds.WORD or (script.kind == kinds.NAME and script.text in ("*", "+", "-", "'", "⋆")):
        return script.text
    return ""


def _letters_of(script: Free) -> tuple[str, ...] | None:
    """The letters and numbers of an index; None for anything computed."""
    if script.kind in (kinds.NAME, kinds.NUMBER):
        return (script.text,)
    if script.kind == kinds.DECORATED and script.text == "'" and script.parts[0].kind == kinds.NAME:
        return (script.parts[0].text + "'",)
    is_row = (script.kind == kinds.PRODUCT and not script.text.strip()) or (
        script.kind == kinds.ITEMS and set(script.text) == {","}
    )
    if not is_row:
        return None
    found = [_letters_of(part) for part in script.parts]
    return None if None in found else tuple(x for letters in found for x in letters or ())


def plain_letters(*trees: Free) -> frozenset[str]:
    """Letters that stand somewhere outside of an index: m in cos(mθ)."""
    return frozenset(x for tree in trees for x in _plain(tree))


def _plain(part: Free) -> Iterator[str]:
    if part.kind == kinds.NAME:
        yield part.text
    inside = part.parts[:1] if part.kind == kinds.SCRIPTED and part.text == "_" else part.parts
    for inner in inside:
        yield from _plain(inner)


def entries_in(part: Free, plain: frozenset[str]) -> Iterator[Entry]:
    """All letters, with what stands in exponents, and no indices."""
    found = entry_of(part, plain)
    if found is not None:
        yield found
        return
    inside = part.parts[:1] if part.kind == kinds.SCRIPTED and part.text == "_" else part.parts
    for inner in inside:
        yield from entries_in(inner, plain)


def numbers_by_use(part: Free, plain: frozenset[str]) -> Iterator[tuple[str, bool]]:
    """Letters that can only be numbers, or entry by entry: below a fraction (True), in an exponent, a root, log, squared."""
    held: tuple[Free, ...] = ()
    below: tuple[Free, ...] = ()
    if part.kind == kinds.FRACTION and not is_derivative(part):
        below = part.parts[1:]
    elif part.kind == kinds.ROOT:
        held = part.parts
    elif part.kind == kinds.SCRIPTED and part.text == "^" and not _mark_of(part.parts[1]):
        held = part.parts if part.parts[1].text not in TRANSPOSING else ()
    elif part.kind == kinds.PRODUCT:
        pairs = zip(part.parts, part.parts[1:], strict=False)
        held = tuple(b for a, b in pairs if a.kind == kinds.FUNCTION)
        below = tuple(p for sign, p in zip(part.text, part.parts[1:], strict=False) if sign == "/")
    for inner in held:
        yield from ((entry.key, False) for entry in entries_in(inner, plain))
    for inner in below:
        yield from ((entry.key, True) for entry in entries_in(inner, plain))
    for inner in part.parts:
        yield from numbers_by_use(inner, plain)


def is_derivative(part: Free) -> bool:
    r"""\frac{\partial L}{\partial x}, \frac{\partial}{\partial x}, and what some write for it, \frac{\partial}{x}."""
    return part.kind == kinds.FRACTION and any(
        p == Free(kinds.NAME, "partial") for p in (part.parts[0], *part.parts[0].parts[:1])
    )


Trees = Mapping[str, tuple[Free, frozenset[str]]]


def no_numbers(entries: Iterable[Entry], used: Mapping[str, bool], lists: Collection[str], formulas: Trees) -> set[str]:
    """Letters that may be more than a number, or an entry of a list of numbers, as far as their use, and formulas, tell.

    A capital without an index may be a matrix whose exponential is meant; it has to stand below a fraction.
    """
    doubtful: set[str] = set()
    known: set[str] = set()

    def doubt(entry: Entry, path: tuple[str, ...]) -> bool:
        key = entry.key
        if key in known or key in path or len(entry.indices) > 1 or "^(" in key or _bare(key) in GREEK:
            return False
        if key in doubtful:
            return True
        is_entry = bool(entry.indices) or key in lists
        if key in used and (used[key] or is_entry or not _bare(key)[:1].isupper()):
            known.add(key)
            return False
        if key in formulas and not any(doubt(e, (*path, key)) for e in entries_in(*formulas[key])):
            known.add(key)
            return False
        doubtful.add(key)
        return True

    for entry in entries:
        doubt(entry, ())
    return doubtful


def multiplied(part: Free, plain: frozenset[str], keys: Collection[str]) -> bool:
    """Whether two letters of these are multiplied, or something is derived by one, so that it matters what they are."""
    found = sum(e.key in keys for e in entries_in(part, plain))
    if is_derivative(part):
        return any(e.key in keys for e in entries_in(part.parts[1], plain))
    if found > 1 and part.kind in (kinds.PRODUCT, kinds.FRACTION):
        return True
    return any(multiplied(inner, plain, keys) for inner in part.parts)


def base_of(part: Free) -> str:
    r"""The letter with its accents, without what stands below and above it: \hat{x} of \hat{x}_i."""
    while part.kind == kinds.SCRIPTED:
        part = part.parts[0]
    found = entry_of(part, frozenset())
    return found.key if found is not None else ""


def without_marks(key: str) -> str:
    return key.split("_", maxsplit=1)[0].split("^", maxsplit=1)[0]


def _bare(key: str) -> str:
    while "(" in key and key.endswith(")"):
        key = key[key.index("(") + 1 : -1]
    return key.split("_")[0].split("^")[0]
