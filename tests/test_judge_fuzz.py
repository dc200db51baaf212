"""Random pairs of small expressions: what the judge says of them, against plain NumPy."""

import hypothesis.strategies as st
import numpy as np
from hypothesis import given, settings
from plain_numpy import plain
from sympy import Rational, sqrt

import symtransformer.judge as judge_module
from symtransformer import matrix
from symtransformer.judge import judge_equation
from symtransformer.operations import Broadcast, Exponential, Hadamard, Ones, RowDivision, RowSum, Scaling, Softmax
from symtransformer.symbols import Literal


def letters(rows, cols):
    return st.sampled_from([matrix(f"{name}{rows}{cols}", rows, cols) for name in "GH"])


@st.composite
def expressions(draw, rows, cols, depth):
    if depth == 0:
        return draw(letters(rows, cols))
    inner = st.sampled_from([2, 3]).flatmap(
        lambda k: st.tuples(expressions(rows, k, depth - 1), expressions(k, cols, depth - 1))
    )
    same = expressions(rows, cols, depth - 1)
    kind = draw(
        st.sampled_from(["product", "transpose", "add", "hadamard", "scale", "softmax", "divide", "leaf", "sum"])
    )
    if kind == "product":
        left, right = draw(inner)
        return left @ right
    if kind == "transpose":
        return draw(expressions(cols, rows, depth - 1)).T
    if kind in ("add", "hadamard"):
        left, right = draw(same), draw(same)
        return left + right if kind == "add" else Hadamard(left, right)
    if kind == "scale":
        return Scaling(
            draw(same), draw(st.sampled_from([1, -1, 2, Rational(1, 3)])), draw(st.sampled_from([1, 2, sqrt(2), 3]))
        )
    if kind == "softmax":
        return Softmax(draw(same))
    if kind == "divide":
        return RowDivision(draw(same), RowSum(Exponential(draw(letters(rows, cols)))))
    if kind == "sum":
        return Broadcast(RowSum(draw(same)), cols)
    return draw(letters(rows, cols))


@st.composite
def pairs(draw):
    """An expression, and another of its size: rewritten truly, changed a little, or any other."""
    rows, cols = draw(st.sampled_from([(2, 3), (3, 2), (2, 2), (1, 3)]))
    left = draw(expressions(rows, cols, draw(st.integers(1, 3))))
    rewritten = [
        left.T.T + left - left,
        Scaling(left + left, 1, 2),
        (left.T @ Literal(np.eye(rows, dtype=int).tolist())).T,
        Softmax(left),
    ]
    if isinstance(left, Softmax):
        powers = Exponential(left.args[0])
        rewritten += [
            RowDivision(powers, RowSum(powers)),
            Softmax(left.args[0] + Ones(rows, cols)),
            Softmax(-left.args[0]),
        ]
    if type(left).__name__ == "Product":
        a, b = left.args
        rewritten += [(b.T @ a.T).T, (a + a) @ b - a @ b, (b.T @ a.T + b.T @ a.T / 1000).T]
    changed = [Scaling(left, Rational(1001, 1000), 1), -left, left + Ones(rows, cols) / 1000]
    return left, draw(st.one_of(st.sampled_from(rewritten), st.sampled_from(changed), expressions(rows, cols, 2)))


MET = {}


@settings(max_examples=400, derandomize=True, deadline=None, database=None)
@given(pairs())
def check(pair):
    left, right = pair
    source = np.random.default_rng(7)
    names = {str(node): node.shape for side in pair for node in (*side.free_symbols, *right.free_symbols)}
    gaps = []
    for _ in range(3):
        arrays = {name: source.uniform(-1.5, 1.5, tuple(int(s) for s in shape)) for name, shape in names.items()}
        one, other = plain(left, arrays), plain(right, arrays)
        gaps.append(np.max(np.abs(one - other)) / max(1e-3, np.max(np.abs(one)), np.max(np.abs(other))))
    verdict = judge_equation(left, right)
    MET[verdict.kind] = MET.get(verdict.kind, 0) + 1
    assert verdict.kind in (("proved", "tested") if max(gaps) < 1e-10 else ("refuted",)), (left, right, gaps, verdict)
    if verdict.kind == "refuted":
        arrays = dict(verdict.counterexample)
        assert np.max(np.abs(plain(left, arrays) - plain(right, arrays))) > 1e-12


def test_verdicts_agree_with_plain_numpy():
    MET.clear()
    check()
    assert MET.keys() == {"proved", "refuted"}
    assert min(MET.values()) >= 100, MET


def test_points_alone_agree_with_plain_numpy(monkeypatch):
    monkeypatch.setattr(judge_module, "have_same_formula", lambda left, right: False)
    MET.clear()
    check()
    assert min(MET["tested"], MET["refuted"]) >= 100, MET
    assert MET.get("undecidable", 0) == 0
