r"""Formulas of numbers and entries, computed with numbers drawn for their letters: values, sums, and derivatives.

A letter that the document has a formula for is computed by it, so ∂σ/∂x_i goes through every formula between the two.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from flint import arb, fmpq

from symtransformer.checking.free_names import (
    TRANSPOSING,
    TRIGONOMETRIC,
    Entry,
    NotEntries,
    entries_in,
    entry_of,
    is_derivative,
)  # fmt: skip
from symtransformer.reading import free_syntax as kinds
from symtransformer.reading.free_syntax import Free

POSITIVE = frozenset(("epsilon", "varepsilon", "eps", "d", "n", "N"))
SPREAD = {"≷": (fmpq(1, 50), fmpq(1), fmpq(8), fmpq(90)), "∞": (fmpq(1, 10**15), fmpq(1), fmpq(10**15))}  # factors
HALF = 0.5
WORK_AT_MOST = 60_000  # parts computed for one equation
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "exp": lambda x: x.exp(), "log": lambda x: x.log(), "ln": lambda x: x.log(), "sin": lambda x: x.sin(), "cos": lambda x: x.cos(),
    "tanh": lambda x: x.tanh(),
}  # fmt: skip
SLOPES: dict[str, Callable[[Any], Any]] = {
    "exp": lambda x: x.exp(), "log": lambda x: 1 / x, "ln": lambda x: 1 / x, "sin": lambda x: x.cos(), "cos": lambda x: -x.sin(),
    "tanh": lambda x: 1 - x.tanh() ** 2,
}  # fmt: skip
Formulas = Mapping[
    str, tuple[tuple[str, ...], Free, frozenset[str]]
]  # a name -> its indices, its formula, plain letters


@dataclass(frozen=True)
class Dual:
    """A value and its slope."""

    value: Any
    slope: Any

    def __add__(self, other: Dual) -> Dual:
        return Dual(self.value + other.value, self.slope + other.slope)

    def __mul__(self, other: Dual) -> Dual:
        return Dual(self.value * other.value, self.value * other.slope + self.slope * other.value)

    def over(self, other: Dual) -> Dual:
        _away_from_zero(other.value)
        quotient = self.value / other.value
        return Dual(quotient, (self.slope - quotient * other.slope) / other.value)

    def to(self, power: Dual) -> Dual:
        """A power: a whole one of anything, another one of what is positive."""
        if power.slope == 0 and power.value.is_exact() and power.value.is_integer() and abs(power.value) <= 64:
            k = int(power.value.unique_fmpz())
            base = self if k >= 0 else constant(1).over(self)
            made = constant(1)
            for _ in range(abs(k)):
                made = made * base
            return made
        return (power * self.through("log")).through("exp")

    def through(self, function: str) -> Dual:
        if function in ("log", "ln") and not self.value > 0:
            raise NotEntries("a logarithm of what is not positive")
        return Dual(FUNCTIONS[function](self.value), SLOPES[function](self.value) * self.slope)


def _away_from_zero(value: Any) -> None:
    if value.contains(0):
        raise NotEntries("divided by zero")


def constant(number: Any) -> Dual:
    return Dual(arb(number), arb(0))


@dataclass
class Drawn:
    """Numbers for letters, the sizes of what they count, and the formulas that some of them have."""

    seed: int
    sizes: Mapping[str, int]  # the upper end of a sum -> how far it goes
    lengths: Mapping[tuple[str, str], int]  # a formula and an index letter in it, or a name and a position -> how far
    formulas: Formulas
    lists: frozenset[str]  # names that have an index somewhere
    plain: frozenset[str]
    loss: str = ""  # a letter for the loss, which is drawn
    signs: str = "+"  # of the numbers: + or -, or ± for some of each, or ≷ and ∞ for large ones and small ones too
    touched: bool = False  # what is differentiated rests on what it is differentiated by
    scope: str = ""  # whose formula is computed
    lift: int = 0  # the entry that is computed of a formula for a whole list
    work: int = 0
    by: tuple[str, tuple[int, ...]] | None = None  # the entry whose slope is 1
    kept: dict[Any, tuple[Dual, bool]] = field(default_factory=dict)
    open: set[Any] = field(default_factory=set)  # what is being computed

    def value(self, part: Free, at: Mapping[str, int]) -> Dual:
        """What a part is where the index letters have these values."""
        self.work += 1
        if self.work > WORK_AT_MOST:
            raise NotEntries("too much to compute")
        if part.kind == kinds.NUMBER:
            return constant(_fraction(part.text))
        if is_derivative(part):
            above = part.parts[0]
            if above.kind != kinds.PRODUCT or len(above.parts) != 2:
                raise NotEntries("an operator of nothing")
            return self.slope(above.parts[1], part.parts[1], at)
        if (gradient := _gradient(part)) is not None:
            return self.slope(Free(kinds.NAME, self.loss or "L"), gradient, at)
        if (delta := self._delta(part, at)) is not None:
            return delta
        entry = entry_of(part, self.plain)
        if entry is not None:
            return self.entry(entry, at)
        compute = getattr(self, f"_{part.kind}", None)
        if compute is None:
            raise NotEntries(part.kind)
        return compute(part, at)  # type: ignore[no-any-return]

    def _delta(self, part: Free, at: Mapping[str, int]) -> Dual | None:
        r"""1_{i = j}, \delta_{ij} where δ has no formula."""
        if part.kind != kinds.SCRIPTED or part.text != "_":
            return None
        base, script = part.parts
        if base == Free(kinds.NUMBER, "1") and script.kind == kinds.ITEMS and script.text == "=":
            sides = [entry_of(side, frozenset()) for side in script.parts]
        elif base == Free(kinds.NAME, "delta") and "delta" not in self.formulas:
            both = entry_of(part, self.plain)
            sides = [Entry(x) for x in both.indices] if both is not None else []
        else:
            return None
        if len(sides) != 2 or not all(side is not None and side.key in at for side in sides):
            raise NotEntries("a delta of what is no index")
        return constant(int(len({at[side.key] for side in sides if side is not None}) == 1))

    # -- letters --------------------------------------------------------------------------------------------------
    def entry(self, entry: Entry, at: Mapping[str, int]) -> Dual:
        if not entry.indices and entry.key in self.lists:
            if not self.lift:
                raise NotEntries("a whole list")
            return self.named(entry.key, (self.lift,))
        if not entry.indices:
            if entry.key in at:
                return constant(at[entry.key])
            if entry.key in self.sizes:
                return constant(self.sizes[entry.key])
            if entry.key in ("e", "pi") and entry.key not in self.formulas:
                return Dual(arb(1).exp() if entry.key == "e" else arb.pi(), arb(0))
        try:
            indices = tuple(int(x) if x.isdigit() else at[x] for x in entry.indices)
        except KeyError as error:
            raise NotEntries("an index that goes nowhere") from error
        return self.named(entry.key, indices)

    def named(self, key: str, indices: tuple[int, ...]) -> Dual:
        """An entry by its formula, or drawn; the one whose slope is asked for has 1."""
        if self.by is not None and self.by[0] == key:
            self.touched = True
            return Dual(self._without_slope(key, indices).value, arb(int(self.by[1] == indices)))
        place = (self.by, key, indices)
        if place not in self.kept:
            if place in self.open:
                raise NotEntries("a formula that rests on itself")
            self.open.add(place)
            before, self.touched = self.touched, False
            try:
                self.kept[place] = self._made(key, indices), self.touched
            finally:
                self.touched = before
                self.open.discard(place)
        made, touched = self.kept[place]
        self.touched = self.touched or touched
        return made

    def _without_slope(self, key: str, indices: tuple[int, ...]) -> Dual:
        by, self.by = self.by, None
        try:
            return self.named(key, indices)
        finally:
            self.by = by

    def _made(self, key: str, indices: tuple[int, ...]) -> Dual:
        if key in self.formulas:
            letters, formula, plain = self.formulas[key]
            is_whole = not letters and len(indices) == 1
            if len(letters) != len(indices) and not is_whole:
                raise NotEntries("another number of indices")
            before = self.plain, self.scope, self.lift
            self.plain, self.scope, self.lift = plain, key, indices[0] if is_whole else 0
            try:
                return self.value(formula, dict(zip(letters, indices, strict=False)))
            finally:
                self.plain, self.scope, self.lift = before
        if key == self.loss and not indices:
            return self._drawn_loss()
        rng = random.Random(f"{self.seed} {key} {indices}")
        number = fmpq(rng.randint(30, 190), 97)
        if self.signs in SPREAD:
            number *= rng.choice(SPREAD[self.signs])
            return constant(number if key in POSITIVE or rng.random() < HALF else -number)
        if key in POSITIVE or self.signs == "+":
            return constant(number)
        is_mixed = random.Random(f"{self.seed} {key}").random() < HALF
        is_negative = self.signs == "-" or (is_mixed and rng.random() < HALF)
        return constant(-number if is_negative else number)

    def _drawn_loss(self) -> Dual:
        """A loss of what no other formula uses, drawn as Σ (w t + t²/2) of its entries."""
        used = {e.key for _, tree, plain in self.formulas.values() for e in entries_in(tree, plain)}
        ends = {key for key in self.formulas if key in self.lists} - used
        if not ends and self.by is not None:
            ends = {self.by[0]}
        made = constant(0)
        for key in sorted(ends):
            for place in self._places(key):
                rng = random.Random(f"{self.seed} loss {key} {place}")
                entry = self.named(key, place)
                made = made + constant(fmpq(rng.randint(30, 190), 97)) * entry + constant(fmpq(1, 2)) * entry * entry
        return made

    def _places(self, key: str) -> list[tuple[int, ...]]:
        found: list[tuple[int, ...]] = [()]
        for position in range(9):
            size = self.lengths.get((key, f"[{position}]"))
            if size is None:
                return found
            found = [(*place, k) for place in found for k in range(1, size + 1)]
        raise NotEntries("too many indices")

    # -- what is put together -------------------------------------------------------------------------------------
    def _sum(self, part: Free, at: Mapping[str, int]) -> Dual:
        signs = part.text if len(part.text) == len(part.parts) else "+" + part.text
        if not set(signs) <= {"+", "-"}:
            raise NotEntries("another sign than + and -")
        made = constant(0)
        for sign, term in zip(signs, part.parts, strict=True):
            value = self.value(term, at)
            made = made + (value if sign == "+" else constant(-1) * value)
        return made

    def _fraction(self, part: Free, at: Mapping[str, int]) -> Dual:
        if part.text == "inom":
            raise NotEntries("a binomial")
        return self.value(part.parts[0], at).over(self.value(part.parts[1], at))

    def _root(self, part: Free, at: Mapping[str, int]) -> Dual:
        if len(part.parts) > 1:
            raise NotEntries("another root")
        return self.value(part.parts[0], at).to(constant(fmpq(1, 2)))

    def _brackets(self, part: Free, at: Mapping[str, int]) -> Dual:
        if part.text == "||":
            inner = self.value(part.parts[0], at)
            return inner if inner.value > 0 else constant(-1) * inner
        if part.text not in ("()", "[]"):
            raise NotEntries("other brackets")
        return self.value(part.parts[0], at)

    def _scripted(self, part: Free, at: Mapping[str, int]) -> Dual:
        base, power = part.parts
        if part.text != "^" or power.text in TRANSPOSING or power.kind == kinds.ITEMS:
            raise NotEntries("no power")
        if base == Free(kinds.NAME, "e") and "e" not in self.formulas:
            return self.value(power, at).through("exp")
        return self.value(base, at).to(self.value(power, at))

    def _product(self, part: Free, at: Mapping[str, int]) -> Dual:
        made, k, signs = constant(1), 0, " " + part.text
        while k < len(part.parts):
            sign, first = signs[k], part.parts[k]
            if sign not in (" ·×*/⊙" if self.lift else " ·×*/") or (sign == " " and k > 1 and signs[k - 1] == "/"):
                raise NotEntries("no product of numbers")
            if self.lift and sign != "⊙" and k and self._has_list(part.parts[k]) and self._has_list(*part.parts[:k]):
                raise NotEntries("a product of two lists")
            rest = Free(kinds.PRODUCT, part.text[k + 1 :], part.parts[k + 1 :])
            if first.kind == kinds.BIG:
                value, k = self._total(first, rest, at), len(part.parts)
            elif first.kind == kinds.FUNCTION:
                value, taken = self._called(first, rest, at)
                k += 1 + taken
            elif is_derivative(first) and first.parts[0] == Free(kinds.NAME, "partial"):
                value, taken = self._operated(first.parts[1], rest, at)
                k += 1 + taken
            else:
                value, k = self.value(first, at), k + 1
            made = made.over(value) if sign == "/" else made * value
        return made

    def _operated(self, by: Free, rest: Free, at: Mapping[str, int]) -> tuple[Dual, int]:
        """∂/∂x before brackets, a fraction or a power is of that alone; what stands behind it must not rest on x."""
        stops = (kinds.BRACKETS, kinds.FRACTION, kinds.SCRIPTED)
        if len(rest.parts) < 2 or rest.parts[0].kind not in stops:
            return self.slope(rest, by, at), len(rest.parts)
        value, whole = (self.slope(of, by, at) for of in (rest.parts[0], rest))
        behind = Free(kinds.PRODUCT, rest.text, (Free(kinds.NUMBER, "1"), *rest.parts[1:]))
        if not (value * self._product(behind, at)).value.overlaps(whole.value):
            raise NotEntries("how far the derivative goes is not clear")
        return value, 1

    def _total(self, big: Free, body: Free, at: Mapping[str, int]) -> Dual:
        if big.text not in ("sum", "prod") or not body.parts:
            raise NotEntries("no sum")
        letter, others = range_of(big)[::2]
        made = constant(int(big.text == "prod"))
        if letter in at or (others and others not in at):
            raise NotEntries("a letter that is counted twice, or not at all")
        for k in range(1, self.lengths[self.scope, letter] + 1):
            here = {**at, letter: k}
            if others and here.get(others) == k:
                continue
            value = self.value(body, here)
            made = made * value if big.text == "prod" else made + value
        return made

    def _called(self, function: Free, rest: Free, at: Mapping[str, int]) -> tuple[Dual, int]:
        """log(x), sin mθ: a bracket, one letter, or letters and numbers up to a sign or another function."""
        name, base = _function(function)
        taken = 1
        if not rest.parts:
            raise NotEntries("a function of nothing")
        if rest.parts[0].kind != kinds.BRACKETS:
            ends = [
                k
                for k, p in enumerate(rest.parts)
                if k
                and (rest.text[k - 1] != " " or p.kind in (kinds.FUNCTION, kinds.BIG, kinds.BRACKETS, kinds.FRACTION))
            ]
            taken = ends[0] if ends else len(rest.parts)
            if taken > 1 and name not in TRIGONOMETRIC:
                raise NotEntries("how far the function goes is not clear")
        elif (
            len(rest.parts) > 1
            and rest.text[0] == " "
            and name != "exp"
            and rest.parts[1].kind not in (kinds.FUNCTION, kinds.BRACKETS)
        ):
            raise NotEntries("how far the function goes is not clear")
        argument = rest.parts[0] if taken == 1 else Free(kinds.PRODUCT, rest.text[: taken - 1], rest.parts[:taken])
        if name not in FUNCTIONS:
            raise NotEntries("another function")
        made = self.value(argument, at).through(name)
        return (made.over(constant(base).through("log")) if base else made), taken

    def _has_list(self, *parts: Free) -> bool:
        return any(e.key in self.lists and not e.indices for part in parts for e in entries_in(part, self.plain))

    # -- derivatives ----------------------------------------------------------------------------------------------
    def slope(self, above: Free, below: Free, at: Mapping[str, int]) -> Dual:
        """∂above/∂below, of one entry by one entry."""
        if below.kind == kinds.PRODUCT and below.parts[0] == Free(kinds.NAME, "partial") and len(below.parts) == 2:
            below = below.parts[1]
        by = entry_of(below, self.plain)
        if by is None or self.by is not None:
            raise NotEntries("a derivative by no letter, or one inside of another")
        if not by.indices and (by.key in at or by.key in self.lists):
            raise NotEntries("a derivative by an index, or by a whole list")
        self.by, self.touched = (by.key, tuple(int(x) if x.isdigit() else at[x] for x in by.indices)), False
        try:
            made = Dual(self.value(above, at).slope, arb(0))
        finally:
            self.by = None
        if not self.touched:
            raise NotEntries("a derivative by what it does not rest on")
        return made


def range_of(big: Free) -> tuple[str, str, str]:
    """Over which letter a sum goes, up to which name, and which letter it leaves out."""
    scripts: dict[str, Free] = {}
    part = big
    while part.parts:
        if part.kind == kinds.SCRIPTED:
            scripts[part.text] = part.parts[1]
        part = part.parts[0]
    low, high = scripts.get("_"), scripts.get("^")
    if low is None:
        raise NotEntries("a sum that does not say over what")
    upper = kinds.spelled(high) if high is not None else ""
    entry = entry_of(high, frozenset()) if high is not None else None
    upper = entry.key if entry is not None and not entry.indices else upper
    if low.kind == kinds.ITEMS and len(low.parts) == 2 and low.text in ("=", "≠"):
        letter, other = (entry_of(p, frozenset()) for p in low.parts)
        if (
            letter is None
            or (low.text == "=" and low.parts[1] != Free(kinds.NUMBER, "1"))
            or (low.text == "≠" and (other is None or upper))
        ):
            raise NotEntries("another range")
        return letter.key, upper, other.key if low.text == "≠" and other is not None else ""
    alone = entry_of(low, frozenset())
    if alone is None or alone.indices:
        raise NotEntries("another range")
    return alone.key, upper, ""


def _function(part: Free) -> tuple[str, int]:
    """Its name, and the base of a logarithm."""
    if not part.parts:
        return part.text, 0
    script = part.parts[0].parts[1]
    if (
        part.text != "log"
        or part.parts[0].text != "_"
        or script.kind != kinds.NUMBER
        or part.parts[0].parts[0].kind != kinds.FUNCTION
    ):
        raise NotEntries("a function with marks")
    return part.text, int(script.text)


def _gradient(part: Free) -> Free | None:
    r"""x of \nabla_x."""
    is_nabla = part.kind == kinds.SCRIPTED and part.text == "_" and part.parts[0] == Free(kinds.NAME, "nabla")
    return part.parts[1] if is_nabla else None


def _fraction(text: str) -> Any:
    whole, _, decimals = text.partition(".")
    return fmpq(int(whole + decimals), 10 ** len(decimals))
