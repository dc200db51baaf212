r"""Derivatives by the document's own loss, and d/dx: what finite differences confirm is accepted, neighbours are not."""

import numpy as np
import pytest

from symtransformer.checking.formulas import judge_formula
from symtransformer.documents.conditions import condition_of

SOFT = [("p", r"\operatorname{softmax}(z)"), ("L", r"-\sum_i y_i \log p_i")]
BY_Z = r"\frac{\partial L}{\partial z}"


def slope(function, x, step=1e-6):
    return np.array([(function(x + e) - function(x - e)) / (2 * step) for e in step * np.eye(x.size)])


def softmax(z):
    return np.exp(z) / np.exp(z).sum()


Y, Z = np.array([0.2, 0.5, 0.3]), np.array([0.4, -1.0, 1.3])
LOSS = slope(lambda z: -(Y * np.log(softmax(z))).sum(), Z)
X = np.array([0.7])

TABLE = [
    (BY_Z, "p - y", SOFT, LOSS, softmax(Z) - Y),
    (BY_Z, "y - p", SOFT, LOSS, Y - softmax(Z)),
    ("dz", "y - p", SOFT, LOSS, Y - softmax(Z)),
    (BY_Z, "p - y", [SOFT[0], ("L", r"-y^T \log p")], LOSS, softmax(Z) - Y),
    (BY_Z, "p - y", [*SOFT, (r"\delta", "y - p")], LOSS, softmax(Z) - Y),
    (BY_Z, "y - p", [*SOFT, ("dz", "y - p")], LOSS, Y - softmax(Z)),
    (r"\frac{\partial L}{\partial x}", r"\frac{1}{x}", [("L", r"\log x")], slope(np.log, X), 1 / X),
    (r"\frac{\partial L}{\partial x}", "x", [("L", r"\log x")], slope(np.log, X), X),
    (r"\frac{\partial L}{\partial Y}", "2 (Y - t)", [("Y", "X W"), ("L", "(Y - t)^2")], slope(lambda y: (y - 2) ** 2, X), 2 * (X - 2)),
    (r"\frac{\partial L}{\partial Y}", "2 (Y + t)", [("Y", "X W"), ("L", "(Y - t)^2")], slope(lambda y: (y - 2) ** 2, X), 2 * (X + 2)),
    (r"\frac{d}{dx} \log x", "1/x", [], slope(np.log, X), 1 / X),
    (r"\frac{d}{dx} x^2", "2x", [], slope(np.square, X), 2 * X),
    (r"\frac{d}{dx} x^2", "3x", [], slope(np.square, X), 3 * X),
    (r"\frac{d}{dx} e^x", "e^x", [], slope(np.exp, X), np.exp(X)),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "before", "derived", "claimed"), TABLE)
def test_a_derivative_is_accepted_where_it_is_true(left, right, before, derived, claimed):
    found = judge_formula(left, right, before)
    assert found.kind in (("proved", "tested") if np.allclose(derived.ravel(), claimed) else ("refuted",)), found


def test_what_must_add_up_to_1_is_named():
    assert [note.name for note in judge_formula(BY_Z, "p - y", SOFT).remarks] == ["adds_up"]


@pytest.mark.parametrize(
    ("left", "right", "before"),
    [
        (r"\frac{\partial L}{\partial z_c}", "p_c - 1", [SOFT[0], ("L", r"-\log p_c")]),
        (BY_Z, "p - y", SOFT[:1]),
        (r"\frac{\partial f}{\partial X}", "W", [("f", "X W")]),  # of a product of matrices, by all entries
        (r"\frac{\partial f}{\partial X}", "2 X", [("f", "X X")]),
    ],
)
def test_what_is_not_read_by_the_loss_is_open(left, right, before):
    assert judge_formula(left, right, before).kind in ("undecidable", "unparsed")


@pytest.mark.parametrize(
    ("left", "right", "before", "is_true"),
    [
        ("Z_{ij}", r"\sum_k A_{ik} V_{kj}", [("Z", "A V")], True),
        ("Z_{ij}", r"\sum_k A_{ki} V_{kj}", [("Z", "A V")], False),
        ("A_{ij}", r"\exp(S_{ij})/\sum_k \exp(S_{ik})", [("A", "softmax(S)")], True),
        ("A_{ij}", r"\exp(S_{ij})/\sum_k \exp(S_{kj})", [("A", "softmax(S)")], False),
    ],
)
def test_entries_of_a_name_with_a_formula_are_a_claim(left, right, before, is_true):
    found = judge_formula(left, right, before)
    assert found.is_accepted if is_true else found.kind in ("refuted", "shapes")


def test_a_condition_may_stand_in_brackets():
    given = [("a", "softmax(s)")]
    made = [
        judge_formula(r"\frac{\partial a_i}{\partial s_j}", right, given, condition=condition_of(r"(i \neq j)"))
        for right in ("-a_i a_j", "a_i a_j")
    ]
    assert [found.kind for found in made] == ["tested", "refuted"]
