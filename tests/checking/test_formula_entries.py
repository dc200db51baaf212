"""p_2 and A_{12} where p and A have formulas: entries of them, where the right side has entries of what they are made of."""

import pytest
from test_formula_document import document_of

from symtransformer.checking.formula_entries import as_entries
from symtransformer.checking.formula_writing import written
from symtransformer.checking.formulas import judge_formula

SCORES, SOFTMAX = ["S = Q K^T"], ["p = softmax(z)"]


@pytest.mark.parametrize(
    ("lines", "left", "right", "found"),
    [
        (SCORES, "S_{21}", "q_2 · k_1", ("S_{2,1}", "q_{2} · k_{1}")), (SCORES, "s_{21}", "q_2 · k_1", ("s_{2,1}", "q_{2} · k_{1}")), (SCORES, "S_{2i}", "q_2 · k_i", ("S_{2,i}", "q_{2} · k_{i}")), (SCORES, "S_{2a}", "q_2", None), (SCORES, "S", "q_2", None),
        (SCORES, "S_{21}", "q · k", None), (SCORES, "S_{21}", "u_2 · k_1", None), (SOFTMAX, "p_2", "e^{z_2}", ("p_{2}", "exp(z_{2})")), (SOFTMAX, "p_2", "e^{u_2}", None), (SOFTMAX, "p_2", "3", None), (SOFTMAX, "p_2", "z_2 + p_1", None), (SOFTMAX, "r_2", "z_2", None),
        (SOFTMAX, "p + z_2", "z_2", None), (["Y = X W"], "Y_1", "X_1 W_1", None), (["Y = X W"], "Y_1", "X_1 W", ("Y_{1}", "X_{1} W")), ([*SCORES, "A = 2 S"], "A_{12}", "2 S_{12}", ("A_{1,2}", "2 S_{1,2}")), ([*SCORES, "A = 2 S"], "A_{12}", "2 Q_1 · K_2", ("A_{1,2}", "2 Q_{1} · K_{2}")),
        (["S = §"], "S_{12}", "Q_1", None), ([*SCORES, "S_2 = 3"], "S_2", "Q_2", None), (["s = Q k"], "s_1", "q_1 · k", ("s_{1}", "q_{1} · k")), (["Y = b + X"], "Y_1", "X_1 + b_1", None),
    ],
)  # fmt: skip
def test_both_sides_with_places(lines, left, right, found):
    document = document_of(*lines)
    made = as_entries(document, document.read(left), document.read(right))
    assert (made and tuple(map(written, made))) == found


@pytest.mark.parametrize(
    ("left", "right", "is_right"),
    [("S_{21}", r"q_2 \cdot k_1", True), ("S_{21}", r"q_1 \cdot k_2", False), ("S_{21}", r"2 q_2 \cdot k_1", False)],
)  # fmt: skip
def test_entries_are_judged(left, right, is_right):
    found = judge_formula(left, right, [("S", "Q K^T")])
    assert found.is_accepted is is_right
    assert is_right or found.kind in ("refuted", "undecidable")
