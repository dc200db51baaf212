"""What an operation says about its gradient, against its gradient: every sentence is worked out in NumPy as it is told."""

from math import erf, pi

import numpy as np
import pytest

import symtransformer.operations as ops
from symtransformer import Words, differentiate, evaluate, matrix
from symtransformer.operation import REGISTRY, Primitive

PRIMITIVES = sorted(name for name, cls in REGISTRY.items() if issubclass(cls, Primitive))
A, B, c = matrix("A", 2, 4), matrix("B", 4, 3), matrix("c", 2, 1)
RIGHT = matrix("R", 2, 4)
CONSTANT, FLAT = "there is no gradient to take", "is 0, since"


def told_by(name):
    """What an operation says, for all arguments or for one after the other."""
    words = REGISTRY[name].gradient_words
    return (words,) if isinstance(words, Words) else words


def test_every_operation_says_it_in_both_languages():
    assert len(PRIMITIVES) >= 42
    for name in PRIMITIVES:
        assert len(told_by(name)) in (1, len(REGISTRY[name].parameters)), name
        for words in told_by(name):
            assert "cotangent" in words.en or "radient" in words.en, name
            assert "勾配" in words.ja, name
            assert words.en.endswith("."), name
            assert words.ja.endswith("。"), name
            assert words.en.count(". ") <= 1, name  # two sentences at most


def test_each_argument_of_a_product_is_told_its_own_gradient():
    steps = differentiate(A @ B, cotangent=matrix("G", 2, 3)).derivation
    left, right = told_by("Product")
    assert left.en in steps["dA"].explanation.en
    assert right.en not in steps["dA"].explanation.en
    assert right.ja in steps["dB"].explanation.ja
    assert left.ja not in steps["dB"].explanation.ja


def test_constants_are_told_apart_from_what_has_a_slope():
    takes = {n for n in PRIMITIVES if any(p.kind in ("matrix", "matrices") for p in REGISTRY[n].parameters)}
    assert {n for n in PRIMITIVES if CONSTANT in told_by(n)[0].en} == set(PRIMITIVES) - takes
    assert {n for n in PRIMITIVES if FLAT in told_by(n)[0].en} == {"Hardmax", "Heaviside"}


def mean(rows):
    return rows.mean(axis=-1, keepdims=True)


def total(rows):
    return rows.sum(axis=-1, keepdims=True)


def density(rows):
    return np.exp(-rows * rows / 2) / np.sqrt(2 * pi)


def below(rows):
    return (1 + np.vectorize(erf)(rows / np.sqrt(2))) / 2


def share(rows):
    return 1 / (1 + np.exp(-rows))


def bent(rows):
    """The tanh of GELUTanh, and its slope by a complex step."""
    turned = np.tanh(np.sqrt(2 / pi) * ((rows + 1e-30j) + 0.044715 * (rows + 1e-30j) ** 3))
    return turned.real, turned.imag / 1e-30


def padded(rows, start, size, axis):
    before_after = [(0, 0), (0, 0)]
    before_after[axis] = (start, size - start - rows.shape[axis])
    return np.pad(rows, before_after)


# operation, its arguments, and what its words say: cotangent g, result y, arguments
TOLD = [
    (ops.Addition(A, RIGHT), lambda g, y, a, b: (g, g)),
    (ops.Concatenation(A, c), lambda g, y, a, b: (g[:, :4], g[:, 4:])),
    (ops.ColumnSlice(A, 1, 2), lambda g, y, a: (padded(g, 1, 4, 1),)),
    (ops.ColumnPad(A, 1, 6), lambda g, y, a: (g[:, 1:5],)),
    (ops.EntryDivision(A, RIGHT), lambda g, y, a, b: (g / b, -g * y / b)),
    (ops.Exponential(A), lambda g, y, a: (g * np.exp(a),)),
    (ops.NormalDistribution(A), lambda g, y, a: (g * density(a),)),
    (ops.GELU(A), lambda g, y, a: (g * (below(a) + a * density(a)),)),
    (ops.GELUTanh(A), lambda g, y, a: (g * ((1 + bent(a)[0]) / 2 + a / 2 * bent(a)[1]),)),
    (ops.Hadamard(A, RIGHT), lambda g, y, a, b: (g * b, g * a)),
    (ops.Hardmax(A), lambda g, y, a: (0 * a,)),
    (ops.Heaviside(A), lambda g, y, a: (0 * a,)),
    (ops.LogSumExp(A), lambda g, y, a: (np.exp(a) / total(np.exp(a)) * g,)),
    (ops.Logarithm(A), lambda g, y, a: (g / a,)),
    (ops.Mask(A, RIGHT), lambda g, y, a, b: (g, g)),
    (ops.Product(A, B), lambda g, y, a, b: (g @ b.T, a.T @ g)),
    (ops.ReLU(A), lambda g, y, a: (np.where(a > 0, g, 0),)),
    (ops.RMSDivision(A), lambda g, y, a: ((g - y * mean(g * y)) / np.sqrt(mean(a * a) + 1e-5),)),
    (ops.PairTurn(A, "interleaved"), lambda g, y, a: (np.stack((g[:, 1::2], -g[:, ::2]), -1).reshape(2, 4),)),
    (ops.RowConcatenation(A, matrix("T", 3, 4)), lambda g, y, a, b: (g[:2], g[2:])),
    (ops.RowDivision(A, c), lambda g, y, a, b: (g / b, -total(g * y) / b)),
    (ops.RowSum(A), lambda g, y, a: (np.repeat(g, 4, axis=1),)),
    (ops.Broadcast(c, 5), lambda g, y, a: (total(g),)),
    (ops.Row(B, 2), lambda g, y, a: (padded(g, 2, 4, 0),)),
    (ops.RowSlice(B, 1, 2), lambda g, y, a: (padded(g, 1, 4, 0),)),
    (ops.RowPad(A, 1, 5), lambda g, y, a: (g[1:3],)),
    (ops.Scaling(A, 3, 7), lambda g, y, a: (g * 3 / 7,)),
    (ops.Sigmoid(A), lambda g, y, a: (g * y * (1 - y),)),
    (ops.SiLU(A), lambda g, y, a: (g * ((1 - share(a)) * a + 1) * share(a),)),
    (ops.Softmax(A), lambda g, y, a: (y * (g - total(y * g)),)),
    (ops.SquareRoot(A), lambda g, y, a: (g / (2 * y),)),
    (
        ops.Standardization(A),
        lambda g, y, a: ((g - mean(g) - y * mean(g * y)) / np.sqrt(mean((a - mean(a)) ** 2) + 1e-5),),
    ),
    (ops.Tanh(A), lambda g, y, a: (g * (1 - y * y),)),
    (ops.Transpose(A), lambda g, y, a: (g.T,)),
    (ops.Sine(A), lambda g, y, a: (g * np.cos(a),)),
    (ops.Cosine(A), lambda g, y, a: (-g * np.sin(a),)),
]  # fmt: skip


def of_a_case(node, told):
    """The operation's own product with the Jacobian, and what its words say, at drawn numbers."""
    draw, letters = np.random.default_rng(8), node.args
    matrices = [x for x in letters if hasattr(x, "shape")]
    values = {x: draw.uniform(0.2, 2, [int(s) for s in x.shape]) for x in matrices}
    if isinstance(node, (ops.ReLU, ops.Heaviside)):
        values[A] = np.array([[0.5, 0.0, -1.0, 2.0], [-0.1, 3.0, 0.0, 1.0]])  # 0 itself, too
    cotangent = matrix("G", *node.shape)
    values[cotangent] = draw.normal(size=[int(s) for s in node.shape])

    def number(root):
        return evaluate(root, {x: v for x, v in values.items() if x in root._free}, backend="numpy")

    own = [number(part) for part in node.vjp(cotangent)]
    return own, told(values[cotangent], number(node), *(values[x] for x in matrices))


@pytest.mark.parametrize(("node", "told"), TOLD, ids=lambda x: type(x).__name__ if hasattr(x, "args") else "")
def test_the_gradient_is_what_the_words_say(node, told):
    own, said = of_a_case(node, told)
    assert len(own) == len(said)
    for mine, by_words in zip(own, said, strict=True):
        assert mine.shape == by_words.shape
        assert np.allclose(mine, by_words, rtol=1e-12, atol=1e-13)


def test_what_is_not_worked_out_here():
    """Constants have no gradient, and the two that count heads have a test of their own."""
    worked_out = {type(node).__name__ for node, _ in TOLD}
    constant = {n for n in PRIMITIVES if CONSTANT in told_by(n)[0].en}
    assert set(PRIMITIVES) - worked_out - constant >= {"HeadConcatenation", "HeadSum"}


def test_words_that_are_off_by_a_thousandth_are_refused():
    for node, told in TOLD:
        own, said = of_a_case(node, told)
        for mine, by_words in zip(own, said, strict=True):
            assert not np.any(by_words) or not np.allclose(mine, 1.001 * by_words, rtol=1e-12, atol=1e-13)
