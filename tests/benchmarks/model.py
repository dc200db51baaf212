"""The paper's base model as one tree against `import sympy`, each in a fresh interpreter, side by side.

    python tests/benchmarks/model.py

Prints ratios of medians and numbers of nodes; nothing is asserted.
"""

from __future__ import annotations

import statistics
import subprocess
import sys

ROUNDS = 15
BUILD = """
import time
start = time.perf_counter()
import sympy
loaded = time.perf_counter()
from symtransformer.models import BASE, encoder_decoder
ready = time.perf_counter()
model = encoder_decoder(BASE)
print(loaded - start, time.perf_counter() - ready)
"""
WORK = """
import time
from symtransformer import derive, matrix, dimension, render, verify
from symtransformer.models import BASE, DEMO, counts_of, decoder_only, encoder_decoder, random_weights
from symtransformer.node import postorder
from symtransformer.operation import unfolded

def measured(what, call):
    start = time.perf_counter()
    result = call()
    print(f"{what:42} {time.perf_counter() - start:8.4f} s")
    return result

model = measured("build the base model", lambda: encoder_decoder(BASE))
primitives = measured("unfold it", lambda: unfolded(model))
measured("count its parameters from its letters", lambda: counts_of(model))
print(f"distinct nodes: {len(list(postorder(model)))} as built, {len(list(postorder(primitives)))} unfolded")
steps = measured("derive its steps, head by head", lambda: derive(model))
print(f"steps: {len(steps.steps)}")
layer = decoder_only(DEMO)
rows = matrix("X", dimension("n"), 8)
values = random_weights(layer, DEMO, 1) | {rows: [[(3 * i + 5 * j) % 7 - 3 for j in range(8)] for i in range(3)]}
derivation = measured("derive one layer of 8 components", lambda: derive(layer, values=values))
verified = measured("verify it with values", lambda: verify(derivation))
measured("render it", lambda: render(verified, "tex", "en"))
"""


def main() -> None:
    shares = []
    for _ in range(ROUNDS):
        found = subprocess.run([sys.executable, "-c", BUILD], check=True, capture_output=True, text=True)
        load, build = map(float, found.stdout.split())
        shares.append(build / load)
    print(f"building / import sympy: {statistics.median(shares):.3f}  (wanted: at most 0.05)")
    subprocess.run([sys.executable, "-c", WORK], check=True)


if __name__ == "__main__":
    main()
