"""Checking documents: equations read, and equations checked, in a second of one core.

    python tests/benchmarks/check.py

A document of numeric equations as people write them (scores, softmax, weighted sums, arithmetic, norms) is generated,
a tenth of its lines with a wrong digit; it is so long that reading it takes about a second. Prints figures; nothing is asserted.
"""

from __future__ import annotations

import random
import time

import numpy as np

EQUATIONS = 3000
WANTED = {"read": 3000, "checked": 300}


def document(seed: int = 5) -> str:
    """Lines `expression ≈ numbers` with definitions before them."""
    rng = random.Random(seed)
    lines = []
    while len(lines) < EQUATIONS:
        q, k = ([rng.randint(-3, 3) for _ in range(2)] for _ in range(2))
        scores = [round(rng.uniform(-2, 2), 2) for _ in range(3)]
        weights = np.exp(scores) / np.exp(scores).sum()
        values = np.array([[rng.randint(-3, 3) for _ in range(2)] for _ in range(3)])
        lines += [
            f"q = {q}, k = {k}",
            f"q · k = {q[0]}×({k[0]}) + {q[1]}×({k[1]}) = {q[0] * k[0] + q[1] * k[1]}",
            f"s = {scores}",
            f"a = softmax(s) ≈ {_shown(weights, rng)}",
            f"V = {values.tolist()}",
            f"a V ≈ {_shown(weights @ values, rng)}",
            f"{scores[0]}×2 + {abs(scores[1])}×3 = {2 * scores[0] + 3 * abs(scores[1]):.2f}",
            f"√{abs(scores[2]) + 1:.2f} ≈ {np.sqrt(round(abs(scores[2]) + 1, 2)):.3f}",
        ]
    return "\n\n".join(lines)


def _shown(row: np.ndarray, rng: random.Random) -> str:
    digits = [f"{x + (0.03 if rng.random() < 0.05 else 0):.4f}" for x in row]
    return "[" + ", ".join(digits) + "]"


def main() -> None:
    from symtransformer import check
    from symtransformer.checking.definitions import Definitions
    from symtransformer.documents import read_document, relations
    from symtransformer.errors import SymtransformerError
    from symtransformer.reading.sides import read_side

    text = document()
    check("a = 1 + 1 = 2")  # everything loaded
    start = time.process_time()
    found = relations(read_document(text.encode(), "benchmark.md"))
    split = time.process_time()
    scope = Definitions().scope
    for relation in found:
        for side in (relation.left, relation.right):
            try:
                read_side(side.text, scope)
            except SymtransformerError:
                continue
    read = time.process_time()
    report = check(text, name="benchmark.md")
    done = time.process_time()
    count = len(report.equations)
    print(f"{count} equations, {report.counts}")
    for name, seconds in (("read", read - start), ("checked", done - read)):
        print(f"{name:8} {count / seconds:8.0f} a second of one core  (wanted: {WANTED[name]})")
    print(f"of reading, splitting the document takes {(split - start) / (read - start):.0%}")


if __name__ == "__main__":
    main()
