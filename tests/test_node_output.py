"""What a node gives away: entries, explicit matrices, NumPy functions, and print."""

from __future__ import annotations

import re

import numpy as np
import pytest
from sympy import E, Matrix, Rational, Sum, exp, lambdify, latex, pretty, sqrt

import symtransformer.operations as ops
from symtransformer.errors import LimitExceeded, NotSupported, UnreadableInput
from symtransformer.exact import Exact
from symtransformer.node import as_node
from symtransformer.operation import compute
from symtransformer.symbols import Entry, dimension, head_index, matrix, parameter

n, d, m, d_k, t, i = *map(dimension, ("n", "d", "m", "d_k")), parameter("t"), head_index()
X, W, A = matrix("X", n, d), matrix("W", d, m), matrix("A", 2, 2)
RNG = np.random.default_rng(7)


# -- entries ------------------------------------------------------------------------------------------
def test_an_entry_is_one_level():
    entry = ops.Softmax(A @ A)[1, 0]
    assert entry.atoms(Entry) >= {Entry(A @ A, 1, 0)}
    assert not any(e.parent is A for e in entry.atoms(Entry))
    k = next(iter(entry.atoms(Sum))).variables[0]
    assert entry.func(*entry.args) == exp(Entry(A @ A, 1, 0)) / Sum(exp(Entry(A @ A, 1, k)), (k, 0, 1))


def test_an_entry_in_full():
    assert (A @ A).entry(0, 1, full=True).doit() == A[0, 0] * A[0, 1] + A[0, 1] * A[1, 1]
    deep = (A @ A @ A).entry(1, 0, full=True)
    assert {e.parent for e in deep.atoms(Entry)} == {A}
    indices = [s.variables[0] for s in deep.atoms(Sum)]
    assert len(indices) == len(set(indices)) == 2
    at = {A[r, c]: 2 * r + 3 * c + 1 for r in range(2) for c in range(2)}
    assert deep.doit().xreplace(at) == (Matrix([[1, 4], [3, 6]]) ** 3)[1, 0]


def test_index_letters_avoid_those_in_use():
    k = dimension("k")
    entry = (matrix("P", n, k) @ matrix("Q", k, m))[0, 0]
    assert entry.atoms(Sum).pop().variables[0].name != "k"


def test_entries_count_from_0_and_only_from_the_front():
    for e in (A, A @ A, as_node(Matrix([[1, 2], [3, 4]]))):
        assert e[1, 0] == e.entry(1, 0)
        for place in ((2, 0), (0, 2), (-1, 0), (0, -1), (-3, 0)):
            with pytest.raises(IndexError, match=r"\S"):
                e[place]
    assert X[5, 7].parent is X
    with pytest.raises(IndexError, match="row -1"):
        X[-1, 0]
    assert A[1] == A[0, 1]


def test_entry_limit():
    e = A
    for _ in range(14):
        e = e + A.T
        e = e.T
    with pytest.raises(LimitExceeded, match="named steps"):
        e.entry(0, 0, full=True)


def test_as_explicit():
    wanted = Matrix(2, 2, lambda r, c: A[r, c])
    assert A.as_explicit() == wanted
    assert (A @ A.T).as_explicit() == wanted * wanted.T
    assert (A @ A / 2 + A).as_explicit().expand() == wanted**2 / 2 + wanted
    weights = ops.Softmax(A).as_explicit()
    at = {A[0, 0]: 0, A[0, 1]: 1, A[1, 0]: 5, A[1, 1]: 5}
    assert weights.xreplace(at) == Matrix([[1 / (1 + exp(1)), 1 / (1 + exp(-1))], [Rational(1, 2)] * 2])
    with pytest.raises(NotSupported, match="not a number"):
        (X @ W).as_explicit()
    with pytest.raises(LimitExceeded, match="named steps"):
        (matrix("B", 70, 2) @ matrix("C", 2, 70)).as_explicit()


def test_entries_that_grow_inwards_are_limited_as_well():
    deep = A
    for _ in range(20):  # two terms an entry, each of them some hundred times larger inside than the last
        deep = ops.Softmax(deep @ A)
    numbers = Exact(terms_at_most=500)
    with pytest.raises(LimitExceeded, match="pass 500 terms"):
        compute(deep, numbers, lambda letter: [[letter[r, c] for c in range(2)] for r in range(2)])


# -- lambdify ----------------------------------------------------------------------------------------------
def softmax(s):
    s = np.exp(s - s.max(-1, keepdims=True))
    return s / s.sum(-1, keepdims=True)


def test_lambdify_over_letters():
    x, w = RNG.normal(size=(4, 3)), RNG.normal(size=(3, 5))
    wanted = softmax(x @ w / np.sqrt(3)) @ w.T + 0.25 * x
    e = ops.Softmax(X @ W / sqrt(d)) @ W.T + t * X
    assert np.allclose(lambdify([X, W, t], e)(x, w, 0.25), wanted, rtol=1e-14)
    assert np.allclose(lambdify([W, t, X], e, "numpy")(w, 0.25, x), wanted, rtol=1e-14)
    batch = np.stack([x, 2 * x])
    assert np.allclose(lambdify([X, W, t], e)(batch, w, 0.25)[0], wanted, rtol=1e-14)
    assert np.array_equal(lambdify([X], X)(x), x)


def test_lambdify_of_composites_and_numbers():
    x, q, k, v = RNG.normal(size=(4, 3)), *RNG.normal(size=(3, 3, 2))
    letters = [matrix(name, d, d_k) for name in ("W_Q", "W_K", "W_V")]
    wanted = softmax((x @ q) @ (x @ k).T / np.sqrt(2)) @ (x @ v)
    assert np.allclose(lambdify([X, *letters], ops.SingleHead(X, *letters))(x, q, k, v), wanted, rtol=1e-14)
    numbers = Matrix([[1, Rational(1, 2)], [0, -1], [3, 4]])
    function = lambdify([X], X.subs(d, 3) @ numbers)
    assert np.allclose(function(x), x @ np.array([[1, 0.5], [0, -1], [3, 4]]))


def test_lambdify_of_names_that_look_like_its_own():
    x = RNG.normal(size=(2, 3))
    for name in ("step0", "step1", "numpy", "array"):
        letter = matrix(name, n, d)
        assert np.allclose(lambdify([letter], ops.Softmax(2 * letter) + letter)(x), softmax(2 * x) + x)


def test_lambdify_of_families():
    x, v = RNG.normal(size=(4, 3)), RNG.normal(size=(5, 3, 2))
    family = ops.HeadConcatenation(X @ matrix("V", d, m).of_head(i), i, 5)
    from symtransformer.numpy_code import numpy_function

    function, letters = numpy_function(family)
    given = [x if letter is X else v for letter in letters]
    assert np.allclose(function(*given), np.concatenate([x @ one for one in v], axis=1), rtol=1e-14)


# -- print ------------------------------------------------------------------------------------------------------
def test_short_expressions_in_one_line():
    assert str(ops.Softmax(X @ W / sqrt(d_k))) == "softmax(X W / sqrt(d_k))"
    assert latex(X @ W.T.T + -X @ W) == r"X W + \left(-X\right) W"
    assert (
        latex(ops.Softmax(X / sqrt(d_k))).replace(r"\!", "")
        == r"\operatorname{softmax}\left(\frac{X}{\sqrt{d_{k}}}\right)"
    )
    assert str((X + X) @ W) == "(X + X) W"
    assert str(X @ (W @ W.T)) == "X (W W^T)"
    assert str(X @ W @ W.T) == "X W W^T"
    assert pretty(X.T) == "X^T"
    assert latex(A[1, 0]) == "a_{21}"
    assert str(A[1, 0]) == "A[1, 0]"


@pytest.mark.parametrize("show", [str, latex])
def test_nested_expressions_as_named_steps(show):
    e = X
    for _ in range(6):
        e = ops.Softmax(e @ W @ W.T) @ X.T @ e + e
    text = show(e)
    assert len(text) < 2500
    name = r"T_\{?(\d+)\}?"
    defined = [int(k) for k in re.findall(rf"(?:where |where \}}|\\text\{{where \}}|, |\\quad ){name} = ", text)]
    used = {int(k) for k in re.findall(name, text)}
    assert defined == list(range(1, len(defined) + 1))
    assert used == set(defined)
    assert len(defined) >= 5


def test_step_names_avoid_those_of_letters():
    T = matrix("T_1", n, n)
    e = ops.Softmax(X @ X.T + T)
    text = str(e @ T + e)
    assert "T_2 = softmax(X X^T + T_1)" in text
    assert "T_1 =" not in text


def test_a_letter_e_is_refused_since_eulers_number_is_printed_so():
    assert str(X * E) == "e X"
    for scaled in (lambda: X * parameter("e"), lambda: X / parameter("e"), lambda: matrix("B", dimension("e"), 2)):
        with pytest.raises(UnreadableInput, match="a letter e would be printed as Euler's number"):
            scaled()
