"""Cost of SymPy's calls on 6 layers' worth of nested operations against 1, and of building them.

    python tests/benchmarks/graph.py

Prints ratios of medians in one run; nothing is asserted.
"""

from __future__ import annotations

import pickle
import statistics
import time
from collections.abc import Callable
from typing import Any

from sympy import Basic, Matrix, lambdify, latex, srepr

from symtransformer import dimension, matrix
from symtransformer.operation import unfolded
from symtransformer.operations import Product, SingleHead

n, d = dimension("n"), dimension("d")
X = matrix("X", n, d)
OTHER = matrix("M", n, d)


def layers(count: int) -> Any:
    rows: Any = X
    for k in range(count):
        head = SingleHead(rows, *(matrix(f"W_{letter}{k}", d, d) for letter in "QKV"))
        rows = rows + head
        rows = rows + rows @ matrix(f"W_O{k}", d, d)
    return unfolded(rows)


CALLS: dict[str, Callable[[Any], Any]] = {
    "shape": lambda e: e.shape,
    "free_symbols": lambda e: e.free_symbols,
    "atoms": lambda e: e.atoms(Product),
    "has": lambda e: e.has(OTHER),
    "xreplace": lambda e: e.xreplace({X: OTHER}),
    "subs present": lambda e: e.subs(X, OTHER),
    "subs absent": lambda e: e.subs(OTHER, X),
    "replace": lambda e: e.replace(Product, lambda a, b: Product(b.T, a.T).T),
    "doit": lambda e: e.doit(),
    "==": lambda e: e == layers(1),
    "hash": hash,
    "str": str,
    "latex": latex,
    "srepr": srepr,
    "lambdify": lambda e: lambdify(sorted(e.free_symbols, key=str), e, modules="numpy"),
    "pickle": lambda e: pickle.loads(pickle.dumps(e)),
    "explicit doit": lambda e: e.subs({x: Matrix(2, 2, [1, 2, 0, 1]) for x in e.subs({n: 2, d: 2}).free_symbols}),
}


def seconds(call: Callable[[Any], Any], expression: Basic) -> float:
    times = []
    for _ in range(7):
        start = time.perf_counter()
        call(expression)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    one, six = layers(1), layers(6)
    for name, call in CALLS.items():
        ratio = seconds(call, six) / max(seconds(call, one), 1e-6)
        print(f"{name:15} {ratio:6.2f}  (wanted: at most 8)")


if __name__ == "__main__":
    main()
