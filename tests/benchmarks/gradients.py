"""Gradients: sizes and times against `import sympy`, growth with the depth, and two rivals, all in one run.

    python tests/benchmarks/gradients.py

The rivals are SymPy's `diff` on explicit entries, and tensorgrad 0.3.0 where it is installed (it
needs torch, networkx and opt_einsum). Prints figures; nothing is asserted.
"""

from __future__ import annotations

import importlib.util
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

ROUNDS = 9
FRESH = """
import time
start = time.process_time()
import sympy
loaded = time.process_time()
from symtransformer import derive, differentiate
from symtransformer.models import BASE, encoder_decoder
ready = time.process_time()
steps = derive(encoder_decoder(BASE, symbolic=True))
derived = time.process_time()
gradient = differentiate(steps)
formulas = gradient.formulas
done = time.process_time()
gradient.derivation
print(loaded - start, done - derived, done - ready, time.process_time() - ready)
"""


def fastest(call: Callable[[], Any], rounds: int = 5) -> float:
    """In processor time, so that what else runs on the machine does not count."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def sizes() -> None:
    """Distinct nodes of all results, written in inputs: forward, and with the gradients by everything."""
    from symtransformer import derive, differentiate, dimension, matrix
    from symtransformer.models import BASE, encoder_decoder
    from symtransformer.node import postorder
    from symtransformer.operations import EncoderLayer

    n, d, d_k, d_ff, h = map(dimension, ("n", "d_model", "d_k", "d_ff", "h"))
    weights = [matrix(w, d, d_k) for w in ("W_Q", "W_K", "W_V")]
    ffn = [matrix("W_1", d, d_ff), matrix("b_1", d_ff, 1), matrix("W_2", d_ff, d), matrix("b_2", d, 1)]
    norms = [matrix(name, d, 1) for name in ("gamma_1", "beta_1", "gamma_2", "beta_2")]
    layer = EncoderLayer(matrix("X", n, d), *weights, matrix("W_O", h * d_k, d), *ffn, *norms, heads=h)
    subjects = {
        "one encoder layer": (derive(layer), 130),
        "base model (6 + 6 layers)": (derive(encoder_decoder(BASE, symbolic=True)), 2100),
    }
    for name, (steps, wanted) in subjects.items():
        whole = differentiate(steps).derivation.steps
        forward = len(set(postorder(*(step.stands_for for step in steps.steps))))
        both = len(set(postorder(*(step.stands_for for step in whole))))
        print(f"{name:45} {forward:6} nodes forward, {both:6} with gradients, {both / forward:5.2f} times", end="")
        print(f"  (wanted: at most {wanted} and 3 times)")


def against_import() -> None:
    """Each in a fresh process, as a share of `import sympy` in that process."""
    shares: list[list[float]] = []
    for _ in range(ROUNDS):
        found = subprocess.run([sys.executable, "-c", FRESH], check=True, capture_output=True, text=True)
        load, *times = map(float, found.stdout.split())
        shares.append([time / load for time in times])
    names = ("gradients of the base model", "with building and deriving it", "and with the words of all steps")
    for name, of_name in zip(names, zip(*shares, strict=True), strict=True):
        wanted = "  (wanted: at most 0.05)" if name == names[0] else ""
        print(f"{name + ' / import sympy':55} {statistics.median(of_name):6.3f}  best {min(of_name):6.3f}{wanted}")


def growth() -> None:
    """t(2N) / t(N) for stacks of N encoder layers, and public calls on 6 layers against 1."""
    from dataclasses import replace

    from sympy import Integer

    from symtransformer import derive, differentiate, dimension, render, verify
    from symtransformer.models import BASE, encoder
    from symtransformer.numpy_code import numpy_function

    numbers = {dimension("h"): Integer(8)}

    def stack(layers: int) -> Any:
        return encoder(replace(BASE, layers=layers), symbolic=True)

    times = {}
    for count in (4, 8, 16, 32, 64):
        times[count] = fastest(lambda c=count: differentiate(derive(stack(c))))  # type: ignore[misc]
    for count in (4, 8, 16, 32):
        print(f"{f't({2 * count}) / t({count})':45} {times[2 * count] / times[count]:8.2f}  (wanted: at most 2.2)")
    calls: dict[str, Callable[[Any], Any]] = {
        "derive": derive,
        "differentiate": lambda model: differentiate(derive(model)),
        "verify": lambda model: verify(derive(model)),
        "verify a gradient": lambda model: verify(differentiate(derive(model)).derivation),
        "render": lambda model: render(verify(derive(model)), "tex", "en"),
        "numpy_function": lambda model: numpy_function(model.xreplace(numbers)),
        "str": str,
        "count_ops": lambda model: model.count_ops(),
    }
    for name, call in calls.items():
        shallow, deep = (fastest(lambda c=call, n=count: c(stack(n)), 3) for count in (1, 6))  # type: ignore[misc]
        print(f"{name + ', 6 layers / 1 layer':45} {deep / shallow:8.2f}  (wanted: at most 8)")


def rivals() -> None:
    """The gradient of attention by Q, K and V."""
    import sympy

    from symtransformer import differentiate, dimension, matrix, verify
    from symtransformer.operations import ScaledDotProductAttention

    n, m, d_k, d_v = map(dimension, ("n", "m", "d_k", "d_v"))
    Q, K, V = matrix("Q", n, d_k), matrix("K", m, d_k), matrix("V", m, d_v)
    attention = ScaledDotProductAttention(Q, K, V)
    ours = fastest(lambda: differentiate(attention, "Q,K,V"))
    judged = fastest(lambda: verify(differentiate(attention, "Q,K,V").derivation), 2)
    print(f"{'attention, formulas for all sizes':45} {ours:10.5f} s, judged {judged:.3f} s")
    for rows, keys, inner, outer in ((1, 2, 2, 1), (2, 3, 2, 2), (3, 4, 3, 2)):
        found = fastest(lambda r=rows, k=keys, i=inner, o=outer: entrywise(sympy, r, k, i, o), 2)  # type: ignore[misc]
        name = f"SymPy diff of entries, {rows} x {keys}, d_k {inner}, d_v {outer}"
        print(f"{name:45} {found:10.5f} s  ({found / ours:.0f} times; formulas of one size)")
    if importlib.util.find_spec("tensorgrad") is None:
        print("tensorgrad is not installed; left out")
        return
    found = fastest(tensorgrad_attention, 2)
    print(f"{'tensorgrad, formulas for all sizes':45} {found:10.5f} s  ({found / ours:.0f} times)")


def entrywise(sympy: Any, rows: int, keys: int, inner: int, outer: int) -> Any:
    """Every entry written out and differentiated by every entry; SymPy's own matrices."""
    shapes = (rows, inner), (keys, inner), (keys, outer), (rows, outer)
    Q, K, V, G = (
        sympy.Matrix(r, c, sympy.symbols(f"{name}:{r * c}")) for name, (r, c) in zip("qkvg", shapes, strict=True)
    )
    powers = (Q * K.T / sympy.sqrt(inner)).applyfunc(sympy.exp)
    weights = sympy.Matrix(rows, keys, lambda i, j: powers[i, j] / sum(powers[i, :]))
    loss = sum((weights * V).multiply_elementwise(G))
    return [sympy.diff(loss, x) for x in (*Q, *K, *V)]


def tensorgrad_attention() -> Any:
    import tensorgrad.functions as F
    from sympy import symbols
    from tensorgrad import Derivative, Variable

    n, m, d, e = symbols("n m d e")
    Q, K, V, G = Variable("Q", n, d), Variable("K", m, d), Variable("V", m, e), Variable("G", n, e)
    weights = F.softmax(F.dot(Q, K, ("d", "d")), dim="m")
    loss = F.sum(F.dot(weights, V, ("m", "m")) * G)
    return [Derivative(loss, x).full_simplify() for x in (Q, K, V)]


def main() -> None:
    sizes()
    against_import()
    growth()
    rivals()


if __name__ == "__main__":
    main()
