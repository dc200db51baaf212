"""Claimed numbers read and judged a second, against entries of an attention of 16 queries and keys.

    python tests/benchmarks/number_verdicts.py

Prints rates of one run on one core; nothing is asserted.
"""

from __future__ import annotations

import time
from decimal import Decimal
from random import Random

from sympy import Rational

from symtransformer import derive, evaluate, matrix
from symtransformer.checking import entry, judge_number, read_number
from symtransformer.operations import ScaledDotProductAttention

N, D = 16, 8


def cells(seed: int):  # type: ignore[no-untyped-def]
    random = Random(seed)
    letters = [matrix(name, N, D) for name in "QKV"]
    values = {x: [[Rational(random.randint(-20, 20), 10) for _ in range(D)] for _ in range(N)] for x in letters}
    steps = derive(ScaledDotProductAttention(*letters))
    return evaluate(steps, values).cells(steps.steps[-1].name)


def main() -> None:
    start, judged = time.perf_counter(), 0
    for seed in range(4):
        found = cells(seed)
        for i in range(N):
            for j in range(D):
                value = entry(found, i, j)
                shown = Decimal(str(float(value.ball_at(64).mid()))).quantize(Decimal("0.0001"))
                for off in (0, 1, 3):
                    judge_number(read_number(str(shown + off * Decimal("0.0001"))), value, relation="=")
                    judged += 1
    print(f"verdicts a second, evaluation included: {judged / (time.perf_counter() - start):,.0f}")
    texts = ["0.3302", "66.5%", "-1.2624", r"1.2 \times 10^{-3}", r"\frac{1}{\sqrt{2}}", "-∞"] * 1000
    start = time.perf_counter()
    for text in texts:
        read_number(text)
    print(f"numbers read a second: {len(texts) / (time.perf_counter() - start):,.0f}")


if __name__ == "__main__":
    main()
