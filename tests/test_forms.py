"""Every form that an operation may declare is written by every dialect, and by the printers of pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import pytest
from sympy import Rational, Symbol, latex

import symtransformer.operations as ops
from symtransformer import derive, dimension, head_index, matrix, parameter, verify
from symtransformer.dialects import LATEX, TEXT
from symtransformer.errors import NotSupported
from symtransformer.notation import Form, Piece
from symtransformer.operation import REGISTRY
from symtransformer.rendering import render

n, m, d = (dimension(name) for name in ("n", "m", "d"))
A, B, Q = matrix("A", n, m), matrix("B", n, m), matrix("W_Q", n, m)
h, i = dimension("h"), head_index("i")
WIDE, TALL = matrix("W_K", n, h * d), matrix("W_O", h * m, m)
FORMS = set(get_args(Form))


def test_every_form_is_declared_by_an_operation():
    row = ops.RowDivision(matrix("a", 1, m), matrix("c", 1, 1))
    assert {type(op.notation) for op in REGISTRY.values()} | {type(row.form())} == FORMS


@dataclass(frozen=True)
class Unknown:
    """A form that no dialect knows."""


@pytest.mark.parametrize("dialect", [LATEX, TEXT], ids=lambda x: x.name)
def test_an_unknown_form_is_refused(dialect):
    with pytest.raises(NotSupported, match="the form Unknown is not written"):
        dialect.write(Unknown(), [Piece("A")], [])


WRITTEN = {
    ops.SquareRoot(A): ("sqrt(A)", r"\sqrt{A}"),
    ops.SquareRoot(A, Rational(1, 100000)): ("sqrt(A + 0.00001)", r"\sqrt{A + 0.00001}"),
    ops.SquareRoot(A, Rational(-5, 2)): ("sqrt(A - 2.5)", r"\sqrt{A - 2.5}"),
    ops.SquareRoot(A, parameter("epsilon")): ("sqrt(A + epsilon)", r"\sqrt{A + \epsilon}"),
    ops.SquareRoot(A - B, Rational(3, 10)): ("sqrt(A - B + 0.3)", r"\sqrt{A - B + 0.3}"),
    2 * ops.SquareRoot(A): ("2 sqrt(A)", r"2 \sqrt{A}"),
    ops.SquareRoot(A) @ B.T: ("sqrt(A) B^T", r"\sqrt{A} B^{\mathsf T}"),
    ops.EntryDivision(A, B + Q): ("A ⊘ (B + W_Q)", r"A \oslash \left(B + W_{Q}\right)"),
    ops.EntryDivision(ops.Hadamard(A, B), Q): ("(A ⊙ B) ⊘ W_Q", r"\left(A \odot B\right) \oslash W_{Q}"),
    ops.Standardization(A): ("norm(A, 0.00001)", r"\operatorname{norm}\!\left(A, 0.00001\right)"),
    ops.Identity(n) @ A: ("I A", r"\mathbf{I} A"),
    ops.RowSlice(Q, 1, 3): ("W_Q[2:4, :]", r"\left(W_{Q}\right)_{2:4,\,:}"),
    ops.RowSlice(A + B, 1, 3): ("(A + B)[2:4, :]", r"\left(A + B\right)_{2:4,\,:}"),
    ops.ColumnSlice(Q, 0, 1): ("W_Q[:, 1]", r"\left(W_{Q}\right)_{:,\,1}"),
    ops.RowSlice(A, 1, 2): ("A[2:3, :]", r"A_{2:3,\,:}"),
    ops.HeadConcatenation(ops.ColumnSlice(WIDE, i * d, d), i, h): (
        "Concat(W_K[:, (i - 1) d + 1 : i d], i = 1..h)",
        r"\operatorname*{Concat}_{i=1}^{h}\!\left(\left(W_{K}\right)_{:,\,\left(i - 1\right) d + 1:i d}\right)",
    ),
    ops.HeadSum(A.of_head(i) @ ops.RowSlice(TALL, i * m, m), i, h) @ B.T: (
        "Sum(A^(i) W_O[(i - 1) m + 1 : i m, :], i = 1..h) B^T",
        r"\left(\sum_{i=1}^{h} {A^{(i)}} \left(W_{O}\right)_{\left(i - 1\right) m + 1:i m,\,:}\right) B^{\mathsf T}",
    ),
    ops.HeadSum(A.of_head(i), i, h) + B: ("Sum(A^(i), i = 1..h) + B", r"\sum_{i=1}^{h} {A^{(i)}} + B"),
    ops.HeadSum(A.of_head(i) + B, i, h): ("Sum(A^(i) + B, i = 1..h)", r"\sum_{i=1}^{h} \left({A^{(i)}} + B\right)"),
    ops.EntryDivision(A @ B.T, B @ A.T): (
        "(A B^T) ⊘ (B A^T)",
        r"\left(A B^{\mathsf T}\right) \oslash \left(B A^{\mathsf T}\right)",
    ),
    ops.Hadamard(ops.Hadamard(2 * A, B), A): ("(2 A) ⊙ B ⊙ A", r"\left(2 A\right) \odot B \odot A"),
    ops.Hadamard(ops.EntryDivision(A, B), A): ("(A ⊘ B) ⊙ A", r"\left(A \oslash B\right) \odot A"),
    ops.Ones(n, 1) @ matrix("b", m, 1).T: ("ones(n, 1) b^T", r"\mathbf{1} b^{\mathsf T}"),
    ops.Scaling(ops.Ones(1, m), Rational(1, 10), m): ("0.1 ones(1, m) / m", None),
    ops.CausalMask(n): ("causal(n)", r"\operatorname{causal}\!\left(n\right)"),
    ops.CausalMask(n, m): ("causal(n, m)", r"\operatorname{causal}\!\left(n, m\right)"),
    ops.SinusoidalEncoding(n, d): ("PE(n, d, 0, 10000)", r"\operatorname{PE}\!\left(n, d, 0, 10000\right)"),
    ops.PairTurn(matrix("Q", n, 2 * d), "halves"): ("turn(Q, halves)", None),
    ops.RowConcatenation(A, B): ("Stack(A, B)", r"\operatorname{Stack}\!\left(A, B\right)"),
    ops.NormalDistribution(A): ("Phi(A)", r"\operatorname{\Phi}\!\left(A\right)"),
}


@pytest.mark.parametrize("expression", WRITTEN, ids=lambda e: type(e).__name__)
def test_written(expression):
    text, typeset = WRITTEN[expression]
    assert str(expression) == text
    assert typeset is None or latex(expression) == typeset


def test_different_numbers_below_a_root_are_written_differently():
    added = [0, Rational(1, 3), Rational(3, 10), 3, Rational(3, 100), Symbol("x", real=True), -3, Rational(-3, 10)]
    for print_it in (str, latex):
        assert len({print_it(ops.SquareRoot(A, x)) for x in added}) == len(added)


@pytest.mark.parametrize("target", ["latex", "text"])
@pytest.mark.parametrize("operation", [ops.Standardization, ops.RMSDivision, ops.GELU, ops.GELUTanh, ops.LogSumExp])
def test_pages_with_every_stage(operation, target):
    X = matrix("X", 2, 3)
    derivation = derive(operation(X), stages=True, values={X: [[1, 2, 4], [-1, 0, Rational(1, 2)]]})
    verified = verify(derivation)
    assert {v.kind for v in verified.verdicts.values()} <= {"proved", "tested"}
    for language in ("en", "ja"):
        page = render(verified, target, language)
        assert "0.00001" in page or operation not in (ops.Standardization, ops.RMSDivision)
        assert "None" not in page
