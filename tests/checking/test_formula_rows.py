r"""Formulas of one vector, computed with numbers and compared with NumPy; and equations that are judged by them."""

import math

import numpy as np
import pytest
from formula_trees import read
from sympy import Integer, Rational

from symtransformer.checking.formula_rows import NoReading, RowFormula, row_of
from symtransformer.checking.formulas import judge_formula
from symtransformer.enclosures import Balls, precision
from symtransformer.operation import compute, unfolded
from symtransformer.symbols import Letter, parameter

X, Y, C = np.array([0.5, -1.25, 2.0]), np.array([1.5, 0.25, -0.75]), 1.75
NUMBERS = {"x": X, "y": Y, "o": np.array([3.0]), "t": Y}
SHAPES = {"x": (1, 3), "y": (1, 3), "o": (1, 1), "t": (3, 1)}
erf, phi = np.vectorize(math.erf), np.vectorize(lambda x: (1 + math.erf(x / math.sqrt(2))) / 2)


def formula(inner=False):
    letters = {name: Letter(name, *map(Integer, shape)) for name, shape in SHAPES.items()}
    return RowFormula(letters, {"c": parameter("c")}, Integer(3), inner=inner)


def entries(text, index="", inner=False):
    node = unfolded(formula(inner).node(read(text), index)).xreplace({parameter("c"): Rational(7, 4)})
    with precision(128):

        def leaf(letter):
            numbers = NUMBERS[letter.name].reshape(SHAPES[letter.name])
            return [[Balls().scalar(Rational(float(x)).limit_denominator(64)) for x in row] for row in numbers]

        return np.array([float(x) for row in compute(node, Balls(), leaf, {}) for x in row])


def normed(x):
    return (x - x.mean()) / np.sqrt(x.var())


def softmax(x):
    return np.exp(x) / np.exp(x).sum()


FORMULAS = [
    ("x", X), ("2", 2), ("2.5", 2.5), ("c", C), ("pi", np.pi), ("d", 3), ("x + y", X + Y), ("x - y", X - Y), ("-x", -X), ("-x + y - c", -X + Y - C), ("x + 1", X + 1), ("c x", C * X), ("x y", X * Y), ("x * y", X * Y), ("x · y", X * Y), ("x ⊙ y", X * Y), ("x / y", X / Y), ("x / 2", X / 2), ("2 / y", 2 / Y),
    ("x / y / c", X / Y / C), ("x^2", X**2), ("x^{-2}", X**-2.0), ("(x^2)^{1/2}", abs(X)), ("x^{-1}", 1 / X), ("c^{-1/2}", C**-0.5), ("√c", C**0.5), ("exp(x)", np.exp(X)), ("e^x", np.exp(X)), ("log(c)", np.log(C)), ("tanh(x)", np.tanh(X)), ("erf(x)", erf(X)), ("sin(x)", np.sin(X)), ("cos(x)", np.cos(X)),
    ("sqrt(x^2)", abs(X)), ("sigmoid(x)", 1 / (1 + np.exp(-X))), ("sigma(x)", 1 / (1 + np.exp(-X))), ("Phi(x)", phi(X)), ("x Phi(x)", X * phi(X)), ("softmax(x)", softmax(X)), ("Softmax(2 x)", softmax(2 * X)), ("ReLU(x)", np.maximum(X, 0)), ("relu(x)", np.maximum(X, 0)), ("gelu(x)", X * phi(X)), ("silu(x)", X / (1 + np.exp(-X))),
    ("swish(x)", X / (1 + np.exp(-X))), ("max(0, x)", np.maximum(X, 0)), ("max(x, 0)", np.maximum(X, 0)), ("Max(0, x)", np.maximum(X, 0)), ("mean(x)", X.mean()), ("E[x + y]", (X + Y).mean()), ("var(x)", X.var()), ("Var(x)", X.var()), ("std(x)", X.std()), ("sum(x)", X.sum()), ("‖x‖", np.linalg.norm(X)), ("|x|", np.linalg.norm(X)),
    ("(x - mean(x)) / std(x)", normed(X)), ("(x - mean(x)) / √(var(x) + c)", (X - X.mean()) / np.sqrt(X.var() + C)), ("Σ_i x_i", X.sum()), ("Σ_i x_i y_i", X @ Y), (r"\sum_{i=1}^{d} x_i^2", X @ X), ("Σ_i Σ_j x_i y_j", X.sum() * Y.sum()),   (r"\frac{1}{d} Σ_i x_i", X.mean()), ("Σ_i 1", 3),
    (r"Σ_i \sum_{j \neq i} x_j", 2 * X.sum()), (r"Σ_i \sum_{j < i} x_j", 2 * X[0] + X[1]), (r"Σ_i \sum_{j \leq i} x_j", 3 * X[0] + 2 * X[1] + X[2]), (r"Σ_i \sum_{j > i} x_j", X[1] + 2 * X[2]), (r"Σ_i \sum_{j \geq i} x_j", X[0] + 2 * X[1] + 3 * X[2]), ("x Σ_i y_i", X * Y.sum()), (r"Σ_i Σ_j \delta_{ij} x_i y_j", X @ Y),
    ("Σ_i softmax(x)_i y_i", softmax(X) @ Y), ("(x + y) c", (X + Y) * C), ("o", 3), ("o x", 3 * X), ("t", Y), ("x t", X * Y),  ("x^0", X**0), ("-5^{-2}", -1 / 25), ("x^3", X**3),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FORMULAS, ids=[text for text, _ in FORMULAS])
def test_a_formula_of_one_vector_is_that_of_numpy(text, expected):
    found = entries(text)
    assert found.shape == (() if np.isscalar(expected) else np.shape(expected)) or found.shape == (1,)
    assert found == pytest.approx(np.atleast_1d(expected), rel=1e-12, abs=1e-12)


INDEXED = [
    ("x_i", X), ("x_i y_i", X * Y), ("x_i Σ_j y_j", X * Y.sum()), (r"\frac{e^{x_i}}{Σ_j e^{x_j}}", softmax(X)), ("softmax(x)_i", softmax(X)), (r"Σ_j \delta_{ij} y_j", Y), (r"\sum_{j \neq i} x_j", X.sum() - X), ("c", np.full(3, C)), ("(x + y)_i", X + Y), (r"\sum_{j \leq i} x_j", np.cumsum(X)), ("mean(x) x_i", X.mean() * X),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), INDEXED, ids=[text for text, _ in INDEXED])
def test_entries_of_a_vector(text, expected):
    assert entries(text, "i") == pytest.approx(expected, rel=1e-12)


def test_a_dot_may_be_the_inner_product():
    assert entries("x · y", inner=True) == pytest.approx([X @ Y])
    assert entries("c · y", inner=True) == pytest.approx(C * Y)
    assert entries("x · c", inner=True) == pytest.approx(C * X)
    assert entries("x y", inner=True) == pytest.approx(X * Y)


UNREAD = [
    ("z", "z is nothing that is known here"), ("x^T", "a transpose in a formula of one vector"), ("x_{i,j}", "a vector has one index, and a number none"), ("c_i", "c is nothing that is known here"), ("o_i", None), ("x_i", "the index i is neither on the left side nor summed over"), ("Σ_i Σ_i x_i", "i is free here, and the sum goes over it too"),
    ("Σ_i x", "a sum of vectors"), (r"\sum_{i=1}^{k} x_i", "the sum ends at k, which is no length here"), ("d + n", "d and n could be two lengths"), ("x / 0", "a division by 0"), ("x^y", "an exponent is a whole or half number up to 64"), ("x^{1/3}", "an exponent is a whole or half number up to 64"), ("x^{65}", "an exponent is a whole or half number up to 64"),
    ("softmax(x, axis=1)", "softmax with keywords"), ("softmax(x, y)", "softmax of 2 arguments"), ("max(1, x)", "a maximum of two numbers of which none is 0"), ("mean(c)", "mean of a number"), ("foo(x)", "foo is no function of one vector that is known here"), ("max(c)", "max is no function of one vector that is known here"), ("f(x)", "f is no function of one vector that is known here"),
    ("d_i", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), UNREAD)
def test_what_is_no_formula_of_one_vector_says_why(text, said):
    with pytest.raises(NoReading) as caught:
        formula().node(read(text))
    assert said is None or str(caught.value) == said


def test_limits_of_powers_and_of_vectors_on_the_other_side():
    formula().node(read("x^{64}"))
    formula().node(read("x^{-64}"))
    with pytest.raises(NoReading, match="an entry on the left side, and a vector on the right side"):
        formula().node(read("x"), "i")
    assert formula().node(read("x")).shape == (1, 3)
    assert formula().node(read("c")).shape == (1, 1)
    assert formula().node(read("c"), "i").shape == (1, 3)


def test_a_largest_entry_is_any_number():
    made = formula()
    made.node(read("x - max(x)"))
    assert made.has_maximum
    assert not formula().has_maximum


def test_different_largest_entries_are_different_numbers():
    made = formula()
    names = {str(made.value(read(f"max({text})")).number) for text in ("x", "y", "2 x", "x + y", "x")}
    assert len(names) == 4
    other = formula().value(read("max(x)")).number  # in the formula of the other side
    assert other == made.value(read("max(x)")).number


def test_the_larger_of_two_entries_is_one_of_them():
    pair = RowFormula({"x": Letter("x", Integer(1), Integer(2))}, {}, Integer(2))
    node = unfolded(pair.node(read("2 max(x)")))
    assert not pair.has_maximum
    for entries in ((0.5, -1.25), (-1.25, 0.5), (2, 2)):
        with precision(128):
            row = [[Balls().scalar(Rational(x)) for x in entries]]
            assert float(compute(node, Balls(), lambda letter, row=row: row, {})[0][0]) == 2 * max(entries)


@pytest.mark.parametrize(
    ("left", "right", "wrong"),
    [
        ("softmax(x)", "softmax(x - max(x))", "softmax(2 x - max(x))"), ("softmax(x)_i", "exp(x_i - max(x)) / Σ_j exp(x_j - max(x))", "exp(x_i - max(x)) / Σ_j exp(x_j)"), ("sigmoid(x)", "sigmoid(x + max(x) - max(x))", "sigmoid(x) + max(x) - max(2 x)"),
    ],
)  # fmt: skip
def test_what_holds_for_any_number_is_proved_and_what_is_wrong_is_refuted_by_the_largest_entry_itself(
    left, right, wrong
):
    assert judge_formula(left, right).kind == "proved"
    found = judge_formula(left, wrong)
    assert found.kind == "refuted"
    assert "largest" not in found.counterexample


@pytest.mark.parametrize("right", ["sigmoid(x + ReLU(x - max(x)))", "sigmoid(x) + 2 max(x) - max(2 x)"])
def test_what_holds_for_the_largest_entry_only_is_not_refuted(right):
    assert judge_formula("sigmoid(x)", right).kind == "undecidable"


def test_rows_columns_and_numbers_as_rows():
    assert row_of(Letter("x", Integer(1), Integer(3))).columns == 3
    assert row_of(Letter("t", Integer(3), Integer(1))).columns == 3
    assert row_of(Letter("o", Integer(1), Integer(1))).columns == 1


# -- equations -------------------------------------------------------------------------------------------------------
NORM = [
    ("mu", "mean(x)"),
    ("sigma^2", "mean((x - mu)^2)"),
    ("z", "(x - mu) / sqrt(sigma^2 + eps)"),
    ("y", "gamma z + beta"),
]
SOFT = [("p_i", "exp(x_i) / Σ_j exp(x_j)")]
EQUATIONS = [  # before, left, what it is, what it is not
    (NORM, "z", "(x - mean(x)) / sqrt(var(x) + eps)", "(x - mean(x)) / (std(x) + eps)"), (NORM, "y_i", "gamma_i z_i + beta_i", "gamma_i x_i + beta_i"), (NORM[:2], "2 sigma", "2 std(x)", "2 var(x)"), (SOFT, "Σ_i p_i", "1", "2"), (SOFT, "p_i", r"1 / (Σ_j exp(x_j - x_i))", r"1 / (Σ_j exp(x_i - x_j))"),
    (SOFT, "log(p_i)", "x_i - log(Σ_j exp(x_j))", "x_i + log(Σ_j exp(x_j))"), ([], "(x_i + y_i)^2", "x_i^2 + 2 x_i y_i + y_i^2", "x_i^2 + y_i^2"), ([], "Σ_i (x_i + y_i)", "Σ_j x_j + Σ_j y_j", "Σ_j x_j"), ([("m", "mean(x)")], "Σ_i (x_i - m)", "0", "1"),
    (NORM[:1], "∂L/∂x_i", None, "2 ∂L/∂mu"), ([("u", "x^2"), ("v", "3 u")], "∂L/∂u", "3 ∂L/∂v", "2 ∂L/∂v"), ([("u", "x^2"), ("v", "3 u")], "∂L/∂x", "2 x ∂L/∂u", "x ∂L/∂u"), ([("u", "tanh(x)")], "∂L/∂x_i", "(1 - u_i^2) ∂L/∂u_i", "(1 + u_i^2) ∂L/∂u_i"), (SOFT, "∂L/∂x_i", "p_i (∂L/∂p_i - Σ_j p_j ∂L/∂p_j)", "p_i (∂L/∂p_i + Σ_j p_j ∂L/∂p_j)"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "left", "right", "wrong"), EQUATIONS, ids=[e[1] + " = " + (e[2] or e[3]) for e in EQUATIONS]
)
def test_an_equation_of_one_vector_and_its_wrong_twin(before, left, right, wrong):
    if right is not None:
        assert judge_formula(left, right, before).is_accepted
    assert not judge_formula(left, wrong, before).is_accepted
