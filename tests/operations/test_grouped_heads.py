"""Grouped-query attention and SwiGLU: against attention with repeated heads, plain formulas and their differences, and errors."""

from __future__ import annotations

import random

import numpy as np
import pytest
from mpmath import mp, mpf
from plain_layers import ACTIVATIONS, feed_forward
from references_layers import REFERENCES
from sympy import Integer, Mod, Rational, floor, oo
from test_planted_errors import REFUSALS, broken, run_all

import symtransformer.operations as ops
from symtransformer import derive, dimension, evaluate, matrix
from symtransformer.enclosures import Balls, precision
from symtransformer.errors import UnreadableInput
from symtransformer.gradients import differentiate
from symtransformer.judge import judge_equation
from symtransformer.numpy_code import numpy_function
from symtransformer.numpy_module import as_numpy_module
from symtransformer.operation import compute, unfolded
from symtransformer.symbols import Letter, head_index

n, m, d, d_k, d_v, d_ff, g, r, h = map(dimension, ("n", "m", "d_model", "d_k", "d_v", "d_ff", "g", "r", "h"))
i, j = head_index("i"), head_index("j")
X, Y, M = matrix("X", n, d), matrix("Y", m, d), matrix("M", n, m)
W_Q, W_K, W_V = matrix("W_Q", d, d_k), matrix("W_K", d, d_k), matrix("W_V", d, d_v)
BIASES = {"bias_Q": matrix("b_Q", d_k, 1), "bias_K": matrix("b_K", d_k, 1), "bias_V": matrix("b_V", d_v, 1)}
GATED = [matrix("W_1", d, d_ff), matrix("W_2", d_ff, d), matrix("W_3", d, d_ff)]


def grouped(heads, groups, **more):
    return ops.GroupedQueryAttention(
        X, W_Q, W_K, W_V, matrix("W_O", heads * d_v, d), heads=heads, groups=groups, **more
    )


def repeated(heads, place, **more):
    """Multi-head attention in which head i reads the keys and values at `place`."""
    biases = {name: b.of_head(i if name == "bias_Q" else place) for name, b in more.pop("biases", {}).items()}
    weights = (W_Q.of_head(i), W_K.of_head(place), W_V.of_head(place))
    return ops.MultiHeadAttention(X, *weights, matrix("W_O", heads * d_v, d), i, heads, **more, **biases)


# -- head i reads group ⌊i / r⌋ ---------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("left", "right"),
    [
        (grouped(6, 2), repeated(6, floor(i / 3))),
        (grouped(6, 3, memory=Y, mask=M, **BIASES), repeated(6, floor(i / 2), memory=Y, mask=M, biases=BIASES)),
        (grouped(g * r, g), repeated(g * r, floor(i / r))),
        (grouped(2 * g, g), repeated(2 * g, floor(i / 2))),
        (grouped(h, h), ops.MultiHeadAttention(X, W_Q, W_K, W_V, matrix("W_O", h * d_v, d), heads=h)),
        (grouped(h, h, memory=Y, mask=M, **BIASES), repeated(h, i, memory=Y, mask=M, biases=BIASES)),
        (grouped(1, 1), ops.MultiHeadAttention(X, W_Q, W_K, W_V, matrix("W_O", d_v, d))),
        (grouped(h, 1), ops.MultiHeadAttention(X, W_Q.of_head(i), W_K, W_V, matrix("W_O", h * d_v, d), i, h)),
    ],
)  # fmt: skip
def test_it_is_attention_with_repeated_keys_and_values(left, right):
    assert judge_equation(left, right).kind == "proved"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (grouped(6, 2), repeated(6, floor(i / 2))),
        (grouped(6, 2), repeated(6, Mod(i, 2))),
        (grouped(6, 2), repeated(6, floor((i + 1) / 3))),
        (grouped(6, 2, mask=matrix("M", n, n)), grouped(6, 2)),
        (grouped(g * r, g), repeated(g * r, floor(i / g))),
        (grouped(h, 1), ops.MultiHeadAttention(X, W_Q, W_K, W_V, matrix("W_O", h * d_v, d), heads=h)),
    ],
)  # fmt: skip
def test_heads_of_another_group_are_refuted(left, right):
    assert judge_equation(left, right).kind == "refuted"


def test_numbers_of_heads_that_do_not_fit_are_refused():
    for heads, groups in ((8, 3), (h, g), (2, 4), (3, h), (4, 0), (4, -2), (6, Rational(3, 2))):
        with pytest.raises(UnreadableInput, match="must be a multiple of the number of groups"):
            grouped(heads, groups)
    with pytest.raises(UnreadableInput, match="missing: groups"):
        ops.GroupedQueryAttention(X, W_Q, W_K, W_V, matrix("W_O", 4 * d_v, d), heads=4)


def test_one_letter_counts_heads_and_groups():
    plain, weight = grouped(4, 2), matrix("W_O", 4 * d_v, d)
    assert plain is ops.GroupedQueryAttention(X, W_Q, W_K, W_V, weight, 4, 2)
    assert plain is ops.GroupedQueryAttention(X, W_Q, W_K, W_V, weight, 4, groups=2)
    for of_groups in (i, j):
        members = W_K.of_head(of_groups), W_V.of_head(of_groups)
        assert plain is ops.GroupedQueryAttention(X, W_Q.of_head(i), *members, weight, heads=4, groups=2)
    assert grouped(g * r, g).xreplace({g: Integer(2), r: Integer(2)}) is plain
    names = [step.name for step in derive(plain).steps]
    assert [x for x in names if x[0] in "KVQ"] == ["Q_1", "Q_2", "Q_3", "Q_4", "K_1", "K_2", "V_1", "V_2"]
    slices = [ops.ColumnSlice(matrix(f"W_{x}", d, k * w), i * w, w) for x, k, w in (("Q", 4, d_k), ("K", 2, d_k), ("V", 2, d_v))]  # fmt: skip
    wide = ops.GroupedQueryAttention(X, *slices, weight, i, 4, 2)
    assert judge_equation(wide, ops.MultiHeadAttention(
        X, slices[0], *(w.xreplace({i: floor(i / 2)}) for w in slices[1:]), weight, i, 4)).kind == "proved"  # fmt: skip


# -- values and gradients, against the plain formula -------------------------------------------------------
SIZES = {n: 2, m: 3, d: 3, d_k: 2, d_v: 1, d_ff: 4, g: 2, r: 3}
NUMBERS = {size: Integer(k) for size, k in SIZES.items()}
GROUPED = ("X", "W_Q", "W_K", "W_V", "W_O", 6, 2, "Y", "M", "b_Q", "b_K", "b_V", "b_O")
B_O = matrix("b_O", d, 1)
CASES = {
    "heads by number": (grouped(6, 2, memory=Y, mask=M, **BIASES, bias_O=B_O), GROUPED),
    "heads by letters": (grouped(g * r, g, memory=Y, mask=M, **BIASES, bias_O=B_O), GROUPED),
    "one group": (grouped(6, 1), (*GROUPED[:5], 6, 1)),
    "SwiGLU": (ops.SwiGLU(X, *GATED, *(matrix(f"b_{k}", w, 1) for k, w in ((1, d_ff), (2, d), (3, d_ff)))),
               ("X", "W_1", "W_2", "W_3", "b_1", "b_2", "b_3")),
    "FFN with SiLU": (ops.FeedForward(X, *GATED[:2], activation="SiLU"), ("X", "W_1", None, "W_2", None, "SiLU")),
}  # fmt: skip


def drawn(expression, arguments):
    """Random rows for each letter by name: a list of such for a letter of each head or group."""
    rng, found = random.Random(len(arguments)), {}
    members = {"Q": arguments[5], "K": arguments[6], "V": arguments[6]} if "W_Q" in arguments else {}
    for letter in sorted((x for x in expression._free if isinstance(x, Letter)), key=str):
        rows, columns = (int(s) for s in letter.shape)
        count = members.get(letter.name[-1], 1) if letter.head is not None else 1
        made = [[[Rational(rng.randint(-9, 9), rng.randint(5, 8)) for _ in range(columns)] for _ in range(rows)] for _ in range(count)]  # fmt: skip
        found[letter.name] = made if letter.head is not None else made[0]
    if "M" in found:
        found["M"][0][-1] = -oo
    return found


def by_formula(name, arguments, values):
    def number(x):
        if isinstance(x, list):
            return [number(y) for y in x]
        return mp.ninf if x == -oo else mpf(int(x.p)) / int(x.q) if hasattr(x, "p") else x

    known = {k: number(v) for k, v in values.items()}
    if name == "GroupedQueryAttention" and arguments[6] == 1:
        known |= {k: [known[k]] for k in ("W_K", "W_V")}
    return REFERENCES[name](*(known.get(a) if isinstance(a, str) and a != "SiLU" else a for a in arguments))


def digits_of(root, values):
    def leaf(letter):
        rows = values[letter.name]
        return [[Balls().scalar(x) for x in row] for row in (rows if letter.head is None else rows[int(letter.head)])]

    with precision(400):
        return [[mpf(x.str(80, radius=False)) for x in row] for row in compute(root, Balls(), leaf)]


def slope(name, arguments, values, cotangent, place, at):
    """Central difference of Σ G Y by one entry, in 80 digits."""
    rows = values[place]
    for k in at[:-1]:
        rows = rows[k]
    kept, found = rows[at[-1]], []
    for step in (Rational(1, 10**20), -Rational(1, 10**20)):
        rows[at[-1]] = kept + step
        made = by_formula(name, arguments, values)
        found.append(mp.fsum(mpf(int(c)) * y for cs, ys in zip(cotangent, made, strict=True) for c, y in zip(cs, ys, strict=True)))  # fmt: skip
    rows[at[-1]] = kept
    return (found[0] - found[1]) * mpf(10) ** 20 / 2


def places_of(rows):
    if not isinstance(rows, list):
        return [()]
    return [(k, *rest) for k, row in enumerate(rows) for rest in places_of(row)]


@pytest.mark.parametrize("case", CASES)
def test_every_gradient_is_the_difference_of_the_plain_formula(case):
    subject, arguments = CASES[case]
    name = type(subject).__name__
    sized = subject.xreplace(NUMBERS)
    values = drawn(sized, arguments)
    rows, columns = (int(s) for s in sized.shape)
    cotangent = [[Integer(2 * a - 3 * b + 4) for b in range(columns)] for a in range(rows)]
    gradient = differentiate(subject)
    given = {**values, f"d{gradient.output.name}": cotangent}
    with mp.workdps(80):
        wanted = by_formula(name, arguments, values)
        for got, row in zip(digits_of(sized, values), wanted, strict=True):
            assert max(abs(x - y) for x, y in zip(got, row, strict=True)) < mpf("1e-40")
        for letter in {x.family: x for x in sized._free if isinstance(x, Letter) and x.name != "M"}.values():
            members = len(values[letter.name]) if letter.head is not None else 1
            for k in range(members):
                found = digits_of(_gradient_by(gradient, letter, k).xreplace(NUMBERS), given)
                for at in random.Random(k).sample(places_of(found), min(4, len(places_of(found)))):
                    place = (k, *at) if letter.head is not None else at
                    difference = slope(name, arguments, values, cotangent, letter.name, place)
                    assert abs(found[at[0]][at[1]] - difference) < mpf("1e-25"), (letter, place)


def _gradient_by(gradient, letter, member):
    """What the gradient by one letter, or one member of a family, stands for, in terms of inputs."""
    if letter.head is None:
        return gradient[letter.name].stands_for
    if any(x.head is not None and x.head.is_Integer for x in gradient.wrt):
        return gradient[f"{letter.name}^({member + 1})"].stands_for
    step = gradient[letter.name]
    return step.stands_for.xreplace({step.letter.head: Integer(member)})


def test_keys_and_values_add_up_over_the_heads_of_a_group():
    gradient = differentiate(grouped(4, 2))
    read = {s.name: {str(x) for x in s.expression._free} - {"d_k"} for s in gradient.derivation.steps}
    assert read["dV_1"] == {"A_1", "dZ_1", "A_2", "dZ_2"}
    assert read["dK_2"] == {"dS_3", "Q_3", "dS_4", "Q_4"}
    assert read["dQ_4"] == {"dS_4", "K_2"}


# -- NumPy ----------------------------------------------------------------------------------------------
def _many_heads(arrays, heads):
    x, sides = arrays["X"], []
    for k in range(heads):
        keys, values = (x @ arrays[w][0 if k < heads // 2 else 1] for w in ("W_K", "W_V"))
        weights = np.exp(x @ arrays["W_Q"][k] @ keys.T / np.sqrt(2))
        sides.append(weights / weights.sum(1, keepdims=True) @ values)
    return np.hstack(sides) @ arrays["W_O"]


def test_many_heads_in_numpy():
    """49 heads in one group of two: a quotient in doubles would put head 49 into the group before."""
    heads, rng = 98, np.random.default_rng(5)
    shapes = {"X": (2, 3), "W_Q": (heads, 3, 2), "W_K": (2, 3, 2), "W_V": (2, 3, 1), "W_O": (heads, 3)}
    arrays = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    root = unfolded(grouped(g * r, g)).xreplace({g: Integer(2), r: Integer(49)})
    for expression in (root, grouped(heads, 2)):
        function, letters = numpy_function(expression)
        found = function(*(arrays[x.name] for x in letters))
        assert np.allclose(found, _many_heads(arrays, heads), rtol=1e-12)
    written: dict = {"__name__": "written"}
    exec(compile(as_numpy_module(grouped(g * r, g)), "written.py", "exec"), written)
    assert np.allclose(written["forward"](**arrays), _many_heads(arrays, heads), rtol=1e-12)


def test_feed_forward_with_silu_in_numpy():
    rng = np.random.default_rng(6)
    w = {"W_1": rng.normal(size=(4, 5)), "b_1": rng.normal(size=(5, 1)), "W_2": rng.normal(size=(5, 4)), "b_2": rng.normal(size=(4, 1))}  # fmt: skip
    x = rng.normal(size=(3, 4))
    letters = [matrix(name, *value.shape) for name, value in w.items()]
    network = ops.FeedForward(matrix("X", 3, 4), *letters, activation="SiLU")
    found = np.array(evaluate(network, {"X": x, **w}, backend="numpy"))
    assert np.allclose(found, feed_forward(x, w, "SiLU"), rtol=1e-13)
    assert not np.allclose(found, feed_forward(x, w, "GELU"), rtol=1e-3)
    gate = ACTIVATIONS["SiLU"](x @ w["W_1"])
    gated = ops.SwiGLU(matrix("X", 3, 4), letters[0], letters[2], matrix("W_3", 4, 5))
    given = {"X": x, "W_1": w["W_1"], "W_2": w["W_2"], "W_3": w["W_1"] ** 2}
    wanted = (gate * (x @ w["W_1"] ** 2)) @ w["W_2"]
    assert np.allclose(np.array(evaluate(gated, given, backend="numpy")), wanted, rtol=1e-13)


# -- errors that people make --------------------------------------------------------------------------------
def _gate(function, swapped=False):
    def definition(self):
        first, third = (
            ops.Linear(self.argument("input"), self.argument(f"weight_{k}"), bias=self.argument(f"bias_{k}")) for k in (1, 3)
        )  # fmt: skip
        first, third = (third, first) if swapped else (first, third)
        whole = ops.Linear(function(first, third), self.argument("weight_2"), bias=self.argument("bias_2"))
        return ops.Linear(whole, ops.Identity(whole.shape[1])).definition()

    return {"definition": definition}


H = ops.Hadamard
GATES = {
    "the gate on the other map": _gate(lambda a, u: H(ops.SiLU(a), u), swapped=True),
    "a gate of sigmoid alone": _gate(lambda a, u: H(ops.Sigmoid(a), u)),
    "GELU for SiLU": _gate(lambda a, u: H(ops.GELU(a), u)),
    "both gated": _gate(lambda a, u: ops.SiLU(H(a, u))),
    "added for multiplied": _gate(lambda a, u: ops.SiLU(a) + u),
    "no gate": _gate(H),
}


@pytest.mark.parametrize("slip", GATES)
def test_a_slip_in_the_gate_is_refused(slip):
    with pytest.raises(REFUSALS):
        run_all(broken(ops.SwiGLU, **GATES[slip]))


def test_the_gate_written_once_more_is_not():
    run_all(broken(ops.SwiGLU, **_gate(lambda a, u: H(ops.SiLU(a), u))))
