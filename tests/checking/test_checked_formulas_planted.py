"""Changed formulas: what NumPy says is false is accepted by nobody, and what it says is true is accused by nobody."""

import ast

import numpy as np
import pytest
from formula_mutants import FUNCTIONS, holds, mutants, text, value

from symtransformer.checking.formulas import judge_formula

HEAD = [
    ("Q", "X @ W_Q"),
    ("K", "X @ W_K"),
    ("V", "X @ W_V"),
    ("S", "Q @ K.T / sqrt(d_k)"),
    ("A", "softmax(S)"),
    ("Z", "A @ V"),
]
HEAD_SHAPES = {"X": ("n", "d_model"), "W_Q": ("d_model", "d_k"), "W_K": ("d_model", "d_k"), "W_V": ("d_model", "d_v")}
CORE = [("S", "Q @ K.T / sqrt(d_k)"), ("A", "softmax(S)"), ("Z", "A @ V")]
CORE_SHAPES = {"Q": ("n", "d_k"), "K": ("m", "d_k"), "V": ("m", "d_v")}
TWO = [("Y", "X @ W_1"), ("Z", "Y @ W_2")]
TWO_SHAPES = {"X": ("n", "d_model"), "W_1": ("d_model", "d_ff"), "W_2": ("d_ff", "d_v")}
CASES = [  # left, right, forward, shapes
    ("Q @ K.T", "X @ W_Q @ W_K.T @ X.T", HEAD[:2], {k: HEAD_SHAPES[k] for k in ("X", "W_Q", "W_K")}),
    ("(Q @ K.T).T", "K @ Q.T", [], {k: CORE_SHAPES[k] for k in "QK"}),
    ("Z", "softmax(Q @ K.T / sqrt(d_k)) @ V", CORE, CORE_SHAPES),
    ("A @ V + A @ V", "2 * (A @ V)", CORE, CORE_SHAPES),
    ("Y @ W_2", "X @ (W_1 @ W_2)", TWO, TWO_SHAPES),
    ("dV", "A.T @ dZ", CORE, CORE_SHAPES),
    ("dA", "dZ @ V.T", CORE, CORE_SHAPES),
    ("dS", "A * (dA - rowsum(A * dA))", CORE, CORE_SHAPES),
    ("dQ", "dS @ K / sqrt(d_k)", CORE, CORE_SHAPES),
    ("dK", "dS.T @ Q / sqrt(d_k)", CORE, CORE_SHAPES),
    ("dX", "dQ @ W_Q.T + dK @ W_K.T + dV @ W_V.T", HEAD, HEAD_SHAPES),
    ("dW_K", "X.T @ dK", HEAD, HEAD_SHAPES),
    ("dX", "dY @ W_1.T", TWO, TWO_SHAPES),
    ("dW_1", "X.T @ dZ @ W_2.T", TWO, TWO_SHAPES),
]  # fmt: skip


def letters_of(*sources):
    names = {n.id for s in sources for n in ast.walk(ast.parse(s)) if isinstance(n, ast.Name)}
    return sorted(n for n in names if n[0].isupper() or (n[0] == "d" and n[1:2].isupper()))


def judged(left, right, lines):
    return judge_formula(text(left), text(right), [(name, text(source)) for name, source in lines])


@pytest.mark.parametrize(("left", "right", "lines", "shapes"), CASES, ids=[f"{a} = {b}" for a, b, *_ in CASES])
def test_a_true_formula_is_accepted_and_no_change_that_is_false(left, right, lines, shapes):
    assert holds(left, right, lines, shapes)
    found = judged(left, right, lines)
    assert found.is_accepted, (found.words.en, text(right))
    changed = mutants(right, letters_of(right))
    false = 0
    for mutant in changed:
        verdict = judged(left, mutant, lines)
        if holds(left, mutant, lines, shapes):
            assert verdict.kind not in ("refuted", "shapes"), mutant
        else:
            false += 1
            assert not verdict.is_accepted, (mutant, verdict.words.en)
    assert false >= 3


# -- functions of one vector, against the library's operations ----------------------------------------------------------
def normalized(x, gamma, beta, eps):
    return gamma * (x - x.mean()) / np.sqrt(x.var() + eps) + beta


FUNCTIONS_OF_X = {  # left side, right side, what it is
    "LayerNorm(x)": ("gamma * ((x - mu) / sqrt(sigma ** 2 + eps)) + beta", lambda v: normalized(v["x"], v["gamma"], v["beta"], v["eps"])),
    "RMSNorm(x)": ("gamma * (x / sqrt(mean(x ** 2) + eps))", lambda v: v["gamma"] * v["x"] / np.sqrt((v["x"] ** 2).mean() + v["eps"])),
    "sigmoid(x)": ("1 / (1 + exp(-x))", lambda v: 1 / (1 + np.exp(-v["x"]))),
    "GELU(x)": ("x * Phi(x)", lambda v: v["x"] * FUNCTIONS["Phi"](v["x"])),
    "GELU(x) ": ("x / 2 * (1 + erf(x / sqrt(2)))", lambda v: v["x"] * FUNCTIONS["Phi"](v["x"])),
    "SiLU(x)": ("x * sigmoid(x)", lambda v: v["x"] / (1 + np.exp(-v["x"]))),
    "tanh(x)": ("(exp(x) - exp(-x)) / (exp(x) + exp(-x))", lambda v: np.tanh(v["x"])),
}  # fmt: skip


def vector_values(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=4)
    return {
        "x": x,
        "gamma": rng.normal(size=4),
        "beta": rng.normal(size=4),
        "eps": 0.3,
        "mu": x.mean(),
        "sigma": x.std(),
    }


def is_function(source, meant):
    """A gain, a shift or an ε that the formula leaves out is left out of the operation too."""
    used = {n.id for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Name)}
    for seed in (1, 2, 3):
        values = vector_values(seed)
        values |= {name: neutral for name, neutral in (("gamma", 1.0), ("beta", 0.0), ("eps", 0.0)) if name not in used}
        with np.errstate(all="ignore"):
            got = np.broadcast_to(np.asarray(value(source, values), dtype=float), (4,))
        if not np.allclose(got, meant(values), rtol=1e-9):
            return False
    return True


@pytest.mark.parametrize("left", FUNCTIONS_OF_X)
def test_a_function_is_known_and_no_change_of_it(left):
    right, meant = FUNCTIONS_OF_X[left]
    assert is_function(right, meant)
    assert judge_formula(left.strip(), text(right)).kind in ("proved", "tested")
    false = 0
    for mutant in mutants(right, ["x", "gamma", "beta", "mu", "sigma"] if "mu" in right else ["x"]):
        verdict = judge_formula(left.strip(), text(mutant))
        if is_function(mutant, meant):
            assert verdict.kind not in ("refuted", "shapes"), mutant
        else:
            false += 1
            assert verdict.kind not in ("proved", "tested"), (mutant, verdict.words.en)
    assert false >= 1
