"""What the equations of a page are worth, by NumPy: which relation signs are true, which are false, to the digits shown.

Nothing of the package is used. A side is a value with a radius: a number that is shown with four decimals or more
stands for all that are rounded to it, what is written shorter stands for itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from plain_pages import Tree

Array = Any
TINY = 1e-9
EXACT = {"0.00001", "0.000001"}  # the small number under a root is no rounded one


class Unknown(Exception):
    """A name or function without a value here."""


class Misfit(Exception):
    """Sizes that do not go together."""


@dataclass(frozen=True)
class Valued:
    """A side's value at the numbers as they are written, and how far the roundings of these may take it."""

    value: Array
    radius: Array
    shown: bool = False  # nothing but numbers


def column_means(x: Array) -> Array:
    return x.mean(axis=1, keepdims=True)


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def log_sum_exp(x: Array) -> Array:
    if x.shape[0] > x.shape[1] == 1:
        raise Unknown("of a vector that stands upright it is one number, by rows it would be the vector itself")
    return np.log(np.exp(x).sum(axis=1, keepdims=True))


def deviation(x: Array, eps: Array) -> Array:
    return np.sqrt(((x - column_means(x)) ** 2).mean(axis=1, keepdims=True) + eps)


def causal(n: Array) -> Array:
    k = int(n[0, 0])
    return np.where(np.tril(np.ones((k, k))) > 0, 0.0, -np.inf)


def padding(n: Array, m: Array, used: Array) -> Array:
    made = np.zeros((int(n[0, 0]), int(m[0, 0])))
    made[:, int(used[0, 0]) :] = -np.inf
    return made


def positions(n: Array, d: Array, start: Array, base: Array) -> Array:
    rows, columns = int(n[0, 0]), int(d[0, 0])
    made = np.zeros((rows, columns))
    for i in range(rows):
        for j in range(columns):
            angle = (i + start[0, 0]) / base[0, 0] ** (2 * (j // 2) / columns)
            made[i, j] = math.cos(angle) if j % 2 else math.sin(angle)
    return made


def normal_share(x: Array) -> Array:
    return np.vectorize(lambda t: 0.5 * (1 + math.erf(t / math.sqrt(2))))(x)


def lengths(x: Array) -> Array:
    return np.sqrt((x**2).sum(axis=1, keepdims=True))


def divide(x: Array, c: Array) -> Array:
    if c.shape != (x.shape[0], 1):
        raise Misfit
    return x / c


def broadcast(c: Array, n: Array) -> Array:
    if c.shape[1] != 1:
        raise Misfit
    return np.repeat(c, int(n[0, 0]), axis=1)


def side_by_side(*parts: Array) -> Array:
    if len({p.shape[0] for p in parts}) != 1:
        raise Misfit
    return np.concatenate(parts, axis=1)


def hardmax(x: Array) -> Array:
    return (x == x.max(axis=1, keepdims=True)).astype(float)


CALLS: dict[str, Callable[..., Array]] = {
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
    "sin": np.sin,
    "cos": np.cos,
    "softmax": softmax,
    "rowsum": lambda x: x.sum(axis=1, keepdims=True),
    "colsum": lambda x: x.sum(axis=0, keepdims=True).T,
    "logsumexp": log_sum_exp,
    "divide": divide,
    "mean": column_means,
    "std": deviation,
    "norm": lambda x, eps: (x - column_means(x)) / deviation(x, eps),
    "rmsnorm": lambda x, eps: x / np.sqrt((x**2).mean(axis=1, keepdims=True) + eps),
    "ReLU": lambda x: np.maximum(x, 0),
    "step": lambda x: (x > 0).astype(float),
    "Phi": normal_share,
    "GELU": lambda x: x * normal_share(x),
    "ones": lambda n, m: np.ones((int(n[0, 0]), int(m[0, 0]))),
    "causal": causal,
    "padding": padding,
    "broadcast": broadcast,
    "Concat": side_by_side,
    "hardmax": hardmax,
    "PE": positions,
    "erf": np.vectorize(math.erf),
    "erfc": np.vectorize(math.erfc),
    "GELUTanh": lambda x: x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2,
    "TemperatureSoftmax": lambda x, tau: softmax(x / tau),
    "CosineSimilarity": lambda x, y: (x @ y.T) / (lengths(x) * lengths(y).T),
    "Stack": lambda *parts: np.concatenate(parts, axis=0),
}


class Values:
    """The values of names, in the order of the page; `given` and `hidden` are those that it does not show."""

    def __init__(self, given: dict[str, float] | None = None, hidden: dict[str, Array] | None = None) -> None:
        self.known: dict[str, Array] = {}
        self.hidden = hidden or {}
        self.used: set[str] = set()  # the hidden ones that the unchanged page uses
        self.may_use_more = True
        self.given = {name: np.array([[x]], dtype=float) for name, x in (given or {}).items()}

    def side(self, tree: Tree | None) -> Valued:
        if tree is None:
            raise Unknown
        with np.errstate(all="ignore"):
            middle = self.value(tree, {})
            radius = np.where(np.isfinite(middle), np.abs(middle) * TINY + TINY, 0.0)
            for leaf in leaves(tree, "number"):
                if len(leaf[1].partition(".")[2]) >= 4 and leaf[1] not in EXACT:
                    moved = self.value(tree, {leaf[2]: 0.5 * 10.0 ** -len(leaf[1].partition(".")[2])})
                    change = np.abs(moved - middle)
                    radius = radius + np.where(np.isfinite(change), change, 0.0)
        return Valued(middle, radius, is_shown(tree))

    def value(self, tree: Tree, moved: dict[Any, float]) -> Array:
        kind = tree[0]
        if kind == "number":
            return np.array([[float(tree[1]) + moved.get(tree[2], 0.0)]])
        if kind == "infinity":
            return np.array([[np.inf]])
        if kind == "name":
            return self.name(tree[1])
        if kind == "matrix":
            cells = [[self.value(cell, moved) for cell in row] for row in tree[1]]
            if any(cell.shape != (1, 1) for row in cells for cell in row):
                raise Misfit
            return np.array([[cell[0, 0] for cell in row] for row in cells])
        if kind == "call":
            if tree[1] not in CALLS:
                raise Unknown(tree[1])
            arguments = [self.value(x, moved) for x in tree[2]]
            try:
                return np.asarray(CALLS[tree[1]](*arguments), dtype=float)
            except TypeError as error:
                raise Misfit from error
        if kind == "()":
            return self.value(tree[1], moved)
        if kind == "-" and len(tree) == 3:
            return -self.value(tree[1], moved)
        if kind == "T":
            return self.value(tree[1], moved).T
        if kind == "row":
            return self.value(tree[1], moved)[tree[2] - 1 : tree[2]]
        a, b = self.value(tree[1], moved), self.value(tree[2], moved)
        if kind in "+-" and a.shape != b.shape and "number" not in (tree[1][0], tree[2][0]):
            raise Misfit  # only a number that is written out is added to every entry
        return combined(kind, a, b)

    def name(self, name: str) -> Array:
        if name in self.known:
            return self.known[name]
        found = self.part(name, self.known)
        if found is not None:
            return found
        if name in ("e", "pi"):
            return np.array([[math.e if name == "e" else math.pi]])
        if name in self.given:
            return self.given[name]
        found = self.hidden.get(name, self.part(name, self.hidden))
        if found is not None and (self.may_use_more or name in self.used):
            self.used.add(name)
            return found
        raise Unknown(name)

    def is_above(self, name: str) -> bool:
        """Whether the page itself has given the name a value, by itself or as a part of a matrix."""
        return name in self.known or self.part(name, self.known) is not None or name in self.used

    def part(self, name: str, known: dict[str, Array]) -> Array | None:
        """q^(1)_2 is row 2 of Q_1, w^O_21 an entry of W_O, c_2 an entry of the column c."""
        body, _, index = name.rpartition("_")
        if not index.isdigit() or (len(body) == 1 and body.isupper()):
            return None  # W_3 is a matrix of its own
        base, _, mark = body.partition("^")
        mark = mark.strip("()")
        wanted = {base} if not mark else {f"{base}_{mark}", f"{mark}.{base}", f"{base}^{mark}"}
        whole = [v for n, v in known.items() if n in wanted or n.lower() in {w.lower() for w in wanted}]
        if not whole:
            return None
        x = whole[-1]
        rows, columns = x.shape
        i, j = (int(index[0]), int(index[1])) if len(index) == 2 else (int(index), 0)
        if j == 0 and rows == 1 and columns > 1:
            i, j = 1, i
        if j == 0:
            return x[i - 1 : i] if i <= rows else None
        return x[i - 1 : i, j - 1 : j] if i <= rows and j <= columns else None


def combined(sign: str, a: Array, b: Array) -> Array:
    one = (1, 1) in (a.shape, b.shape)
    if sign in "+-":
        if a.shape != b.shape and not one:
            raise Misfit
        return a + b if sign == "+" else a - b
    if sign == "/":
        if b.shape != (1, 1):
            raise Misfit
        return a / b
    if sign == "^":
        if b.shape != (1, 1):
            raise Misfit
        return a**b
    if sign in "⊙⊘":
        if a.shape != b.shape:
            raise Misfit
        return a * b if sign == "⊙" else a / b
    if one:
        return a * b
    if a.shape[1] != b.shape[0]:
        raise Misfit
    return a @ b


def leaves(tree: Any, kind: str) -> list[Tree]:
    """All parts of a kind, from left to right."""
    if not isinstance(tree, tuple) or not tree:
        return []
    own = [tree] if tree[0] == kind and not isinstance(tree[0], tuple) else []
    return own + [leaf for part in tree for leaf in leaves(part, kind)]


def is_shown(tree: Tree) -> bool:
    """A number or a matrix of numbers, and nothing that is to be worked out."""
    if tree[0] == "matrix":
        return all(is_shown(cell) for row in tree[1] for cell in row)
    if tree[0] == "()":
        return is_shown(tree[1])
    if tree[0] == "-" and len(tree) == 3:
        return tree[1][0] in ("number", "infinity")
    return tree[0] in ("number", "infinity")


def apart(a: Valued, b: Valued) -> bool | None:
    """True where two sides cannot be equal, False where they are within their roundings, None on the edge."""
    if a.value.shape != b.value.shape:
        return True
    with np.errstate(all="ignore"):
        same = (a.value == b.value) | (np.isnan(a.value) & np.isnan(b.value))
        gap = np.where(same, 0.0, np.abs(a.value - b.value))
        room = a.radius + b.radius
    gap = np.where(np.isnan(gap), np.inf, gap)
    if (gap > room * 1.001 + TINY).any():
        return True
    edge = gap > room * 0.999 + TINY / 10  # half way between two numbers: rounded away from 0 is right
    outside = np.abs(b.value) < np.abs(a.value) if b.shown else np.abs(a.value) < np.abs(b.value)
    return None if (edge & outside).any() else False
