r"""Whether two formulas of numbers and entries have the same value for all letters: tested with numbers drawn for them.

Nobody is accused here: what differs may be meant otherwise. Three trials, each with other numbers and sizes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product

from symtransformer.checking.free_doubts import check_brackets, check_differentials, check_numbers, check_opaque
from symtransformer.checking.free_names import (
    Entry,
    NotEntries,
    entries_in,
    entry_of,
    is_derivative,
    plain_letters,
)  # fmt: skip
from symtransformer.checking.free_values import Drawn, Formulas, range_of
from symtransformer.enclosures import precision
from symtransformer.reading import free_syntax as kinds
from symtransformer.reading.free_syntax import Free

BITS = 200
EXTREME = "∞" * 10  # and these where numbers stand in it that are large or small
FAR = 40
NEAR = -120  # two values that differ by less than 2 to this are one
SIGNS = "+-±"  # of the numbers that are drawn, trial by trial
BENT = "≷" * 12  # and these too where a root or an absolute value stands: small ones and large ones of either sign
SIZES = ((3, 4, 2, 5), (4, 2, 5, 3))  # sizes that are not known to be equal are unequal
ENTRIES_AT_MOST = 400
SMALL_NUMBERS = frozenset(("epsilon", "varepsilon", "eps", "e", "pi"))  # beside a list, and no lists
STATISTICS = frozenset(("mean", "var", "Var", "sum"))  # a sum over an index
LOSSES = frozenset(("L", "J", "E", "ell", "loss"))


def formula_of(left: Free, right: Free) -> tuple[str, tuple[tuple[str, ...], Free, frozenset[str]]] | None:
    r"""A name with its indices and its formula; None for what gives no numbers. \sigma^2 = v says that σ is √v."""
    if left.kind == kinds.PRODUCT and len(left.parts) == 2 and left.parts[1].kind == kinds.BRACKETS:
        left = left.parts[0]  # L(N, D)
    is_square = left.kind == kinds.SCRIPTED and left.text == "^" and left.parts[1] == Free(kinds.NUMBER, "2")
    if is_square:
        left, right = left.parts[0], Free(kinds.ROOT, "sqrt", (right,))
    plain = plain_letters(right)
    entry = entry_of(left, plain)
    if is_square and not _is_deviation(entry, right):
        return None
    inside = [*entries_in(right, plain)]
    if (
        entry is None
        or not inside
        or any(x.isdigit() for x in entry.indices)
        or len({*entry.indices}) < len(entry.indices)
    ):
        return None
    if entry_of(right, plain) is not None:  # another name for it, or a condition
        return None
    return None if any(e.key == entry.key for e in inside) else (entry.key, (entry.indices, right, plain))


def _is_deviation(entry: Entry | None, square: Free) -> bool:
    """σ is never negative, nor is what has a mean or a sum as its square; of another square nobody knows the sign."""
    return (entry is not None and entry.key == "sigma") or any(part.text in STATISTICS for part in square)


def entries_equal(left: Free, right: Free, formulas: Formulas, opaque: Collection[str] = ()) -> int:
    """At how many entries the two sides have the same value; 0 where they differ, or are no formulas of numbers.

    Letters in `opaque` have a formula that is not known: what rests on them is not differentiated. The trials draw
    positive numbers, negative ones, and some of each; where a side has no value for them, it may hold under a condition
    that is not told: 0.

    >>> from symtransformer.reading.free_formulas import read_free
    >>> [entries_equal(read_free(r"\\frac{1}{p_k} p_k p_j"), read_free(text), {}) > 0 for text in ("p_j", "p_k")]
    [True, False]
    """
    counts: list[int] = []
    try:
        with precision(BITS):
            signs = SIGNS + _bent(left, right, formulas)
            for seed, sign in enumerate(signs):
                counts.append(_trial(left, right, formulas, opaque, (seed, sign)))
                if not counts[-1]:
                    break
    except (NotEntries, RecursionError, ValueError, LookupError, ArithmeticError):
        return 0
    return min(counts)


def _bent(left: Free, right: Free, formulas: Formulas) -> str:
    """More trials where a root or an absolute value stands in it, or behind it: it may hold for some signs and sizes only."""
    plain = plain_letters(left, right)
    trees = [left, right, *(formulas[key][1] for key in _behind([left, right], plain, formulas))]
    parts = [part for tree in trees for part in tree]
    if not any(p.kind == kinds.ROOT or (p.kind == kinds.BRACKETS and p.text == "||") for p in parts):
        return ""
    numbers = [float(p.text) for p in parts if p.kind == kinds.NUMBER and float(p.text)]
    numbers += [FAR for p in parts if p.kind == kinds.SCRIPTED and p.parts[0].text.isdigit()]
    return BENT + EXTREME * any(not 1 / FAR < number < FAR for number in numbers)


def _trial(left: Free, right: Free, formulas: Formulas, opaque: Collection[str], draw: tuple[int, str]) -> int:
    seed, sign = draw
    plain = plain_letters(left, right)
    used = {key: formulas[key] for key in _behind([left, right], plain, formulas)}
    check_differentials((left, right), used)
    check_brackets((left, right), plain, used)
    check_opaque((left, right), plain, used, opaque)
    loss = next(
        (
            e.key
            for side in (left, right)
            for e in _differentiated(side, plain)
            if e.key in LOSSES and e.key not in used
        ),
        "",
    )
    check_numbers((left, right), plain, used, loss, formulas)
    axes = _Axes()
    for key, (letters, tree, own) in used.items():
        axes.head(key, letters)
        axes.read(key, tree, own)
    for side in (left, right):
        axes.read("", side, plain)
    axes.whole_lists(used)
    sizes, lengths = axes.drawn(SIZES[seed % len(SIZES)])
    if sizes.keys() & used.keys():
        raise NotEntries("an end of a sum that has a formula")
    lists = frozenset(name for name, position in lengths if position == "[0]")
    drawn = Drawn(seed, sizes, lengths, used, lists, plain, loss, signs=sign)
    free = sorted({*_free(left, plain), *_free(right, plain)})
    places = [*product(*(range(1, lengths["", letter] + 1) for letter in free))]
    if len(places) > ENTRIES_AT_MOST:
        raise NotEntries("too many entries")
    is_zero = True
    for place in places:
        at = dict(zip(free, place, strict=True))
        values = [drawn.value(side, at).value for side in (left, right)]
        difference = values[0] - values[1]
        if not (difference.contains(0) and difference.rad() < 2.0**NEAR):
            return 0
        is_zero = is_zero and all(value.contains(0) for value in values)
    if is_zero and any(is_derivative(part) for side in (left, right) for part in side):
        raise NotEntries("a derivative that is 0 everywhere")  # it may rest on what is not known here
    return len(places)


def _behind(trees: list[Free], plain: frozenset[str], formulas: Formulas) -> list[str]:
    """The formulas that the letters rest on; and those that rest on them, where a loss does."""
    waiting = [e.key for tree in trees for e in entries_in(tree, plain)]
    found: list[str] = []
    while waiting:
        key = waiting.pop()
        if key in formulas and key not in found:
            found.append(key)
            waiting += [e.key for e in entries_in(formulas[key][1], formulas[key][2])]
    losses = [e.key for tree in trees for e in _differentiated(tree, plain)]
    if not any(key in LOSSES and key not in formulas for key in losses):
        return found
    inside = {key: {e.key for e in entries_in(tree, own)} for key, (_, tree, own) in formulas.items()}
    reached = {*found, *(e.key for tree in trees for e in entries_in(tree, plain))}
    for _ in formulas:
        reached |= {key for key, letters in inside.items() if letters & reached}
    return [*found, *(key for key in formulas if key in reached and key not in found)]


def _differentiated(side: Free, plain: frozenset[str]) -> Iterator[Entry]:
    for part in side:
        if is_derivative(part) and part.parts[0].kind == kinds.PRODUCT and len(part.parts[0].parts) == 2:
            found = entry_of(part.parts[0].parts[1], plain)
            if found is not None:
                yield found
        if part == Free(kinds.NAME, "nabla"):
            yield Entry("L")


def _free(part: Free, plain: frozenset[str], bound: frozenset[str] = frozenset()) -> Iterator[str]:
    """Index letters that no sum counts."""
    entry = entry_of(part, plain)
    if entry is not None:
        yield from (x for x in entry.indices if x not in bound and not x.isdigit())
        return
    if part.kind == kinds.SCRIPTED and part.text == "_":
        if part.parts[0] == Free(kinds.NUMBER, "1") and part.parts[1].kind == kinds.ITEMS:
            yield from (p.text for p in part.parts[1].parts if p.kind == kinds.NAME and p.text not in bound)
            return
        if part.parts[0] == Free(kinds.NAME, "nabla"):
            yield from _free(part.parts[1], plain, bound)
            return
    if part.kind == kinds.PRODUCT:
        for inner in part.parts:
            if inner.kind == kinds.BIG and inner.parts:
                letter, _, other = range_of(inner)
                if other and other not in bound:
                    yield other
                bound = bound | {letter}
            else:
                yield from _free(inner, plain, bound)
        return
    for inner in part.parts:
        yield from _free(inner, plain, bound)


class _Axes:
    """Which index letters and axes go equally far, and up to which letter."""

    def __init__(self) -> None:
        self.same: dict[tuple[str, str], tuple[str, str]] = {}

    def root(self, item: tuple[str, str]) -> tuple[str, str]:
        while self.same.setdefault(item, item) != item:
            item = self.same[item]
        return item

    def join(self, one: tuple[str, str], other: tuple[str, str]) -> None:
        self.same[self.root(one)] = self.root(other)

    def head(self, key: str, letters: tuple[str, ...]) -> None:
        for position, letter in enumerate(letters):
            self.join((key, f"[{position}]"), (key, letter))

    def read(self, scope: str, tree: Free, plain: frozenset[str]) -> None:
        for part in tree:
            entry = entry_of(part, plain)
            if entry is not None:
                for position, letter in enumerate(entry.indices):
                    self.root((entry.key, f"[{position}]"))
                    if not letter.isdigit():
                        self.join((entry.key, f"[{position}]"), (scope, letter))
            elif part.kind == kinds.BIG and part.parts:
                letter, upper, other = range_of(part)
                self.root((scope, letter))
                if upper:
                    self.join((scope, letter), ("", f"≤{upper}"))
                if other:
                    self.join((scope, letter), (scope, other))
            elif (
                part.kind == kinds.SCRIPTED
                and part.parts[0] == Free(kinds.NUMBER, "1")
                and part.parts[1].kind == kinds.ITEMS
            ):
                letters = [p.text for p in part.parts[1].parts]
                for letter in letters:
                    self.join((scope, letters[0]), (scope, letter))

    def whole_lists(self, formulas: Formulas) -> None:
        """Y = γ ⊙ X̂ + β: as many entries as X̂ has, and γ and β too, as nothing says that they are numbers."""
        for _ in formulas:
            for key, (letters, tree, plain) in formulas.items():
                inside = [e.key for e in entries_in(tree, plain) if not e.indices and e.key not in formulas]
                inside += [e.key for e in entries_in(tree, plain) if not e.indices and self.is_list(e.key)]
                if letters or not any(map(self.is_list, inside)):
                    continue
                for name in {key, *inside} - SMALL_NUMBERS:
                    self.join((key, "[0]"), (name, "[0]"))

    def is_list(self, key: str) -> bool:
        return (key, "[0]") in self.same

    def drawn(self, choice: tuple[int, ...]) -> tuple[dict[str, int], Mapping[tuple[str, str], int]]:
        roots: dict[tuple[str, str], int] = {}
        uppers: dict[tuple[str, str], set[str]] = {}
        for item in list(self.same):
            root = self.root(item)
            if root not in roots:
                if len(roots) >= len(choice):
                    raise NotEntries("too many sizes")
                roots[root] = choice[len(roots)]
            if item[1].startswith("≤"):
                uppers.setdefault(root, set()).add(item[1][1:])
        if any(len(names) > 1 for names in uppers.values()):
            raise NotEntries("two ends of one sum")
        sizes = {name: roots[root] for root, names in uppers.items() for name in names}
        return sizes, {item: roots[self.root(item)] for item in self.same}
