"""Claims: every correct spelling is proved, and no planted one is accepted; what is refuted is refuted by numbers that do."""

import dataclasses
import random

import numpy as np
import pytest
from claim_spellings import ATTENTION, RIGHT, SQUARE, STEPS
from planted_claims import LOSS, NORM, UNREADABLE, WRONG

from symtransformer import Verdict, derive, dimension, matrix, read_expression, verify
from symtransformer.errors import SymtransformerError, UnreadableInput
from symtransformer.gradients import differentiate
from symtransformer.judge import Verified
from symtransformer.operations import ScaledDotProductAttention, Softmax
from symtransformer.reading import ReadingError


def flat(table):
    return [(of, claim) for of, claims in table.items() for claim in claims]


@pytest.mark.parametrize(("of", "claim"), flat(RIGHT))
def test_a_correct_spelling_is_proved(of, claim):
    found = verify(claim, of=of)
    assert found.kind == "proved", found
    assert found.is_accepted
    assert found.scope.en == "for all sizes"
    assert found.counterexample is None
    if not any(sign in claim for sign in ("where", ";", "\n")):  # the claim as it was read is read again as the same
        again = verify(found.claimed, of=of)
        assert (again.kind, again.claimed) == ("proved", found.claimed)


@pytest.mark.parametrize(("of", "claim"), flat(WRONG))
def test_a_planted_claim_is_not_accepted(of, claim):
    found = verify(claim, of=of)
    assert found.kind in ("refuted", "shapes"), found
    assert not found.is_accepted
    if found.kind == "refuted":
        assert found.counterexample is not None, found
        assert {number for _, number in found.counterexample.sizes} <= {2, 3}
        assert found.counterexample.derived != found.counterexample.claimed


@pytest.mark.parametrize(("code", "claim"), flat(UNREADABLE))
def test_what_has_no_single_reading_is_refused_with_its_place(code, claim):
    with pytest.raises(ReadingError) as refused:
        verify(claim, of=ATTENTION)
    assert refused.value.code == code, refused.value
    line = claim.replace("\r\n", "\n").split("\n")[refused.value.line - 1]
    assert 1 <= refused.value.column <= len(line) + 1


def test_there_are_as_many_as_were_asked_for():
    assert len(flat(RIGHT)) >= 60
    assert len(set(flat(RIGHT))) == len(flat(RIGHT))
    assert len(flat(WRONG)) >= 120
    assert len(set(flat(WRONG))) == len(flat(WRONG))
    assert sum(map(len, UNREADABLE.values())) >= 40
    assert not set(flat(RIGHT)) & set(flat(WRONG))


# -- the place of an error ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("claim", "marked"),
    [
        (r"\frac{\partial L}{\partial Q} = \frac{\partial L}{\partial S} B", "B"),
        ("∂L/∂q_i = Σ_j ∂L/∂s_ij  x_j", "x_j"),
        (r"\bar{Q} = \bar{S} K + \bar{Z} ¿", "¿"),
        ("dQ = G K\nG = dS¿", "¿"),
    ],
)
def test_the_caret_points_into_the_text_that_was_given(claim, marked):
    with pytest.raises(ReadingError) as refused:
        verify(claim, of=ATTENTION)
    line = claim.split("\n")[refused.value.line - 1]
    assert line[refused.value.column - 1 :].startswith(marked)


# -- counterexamples by another route ----------------------------------------------------------------------------------
def rows(example, name):
    return np.array([[float(number_of(x)) for x in row] for row in dict(example.matrices)[name]])


def number_of(text):
    above, _, below = text.partition("/")
    return int(above) / int(below or 1)


def head(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    return weights, weights @ V


def by_differences(loss, variable, step=1e-6):
    found = np.zeros_like(variable)
    for place in np.ndindex(variable.shape):
        for sign in (1, -1):
            moved = variable.copy()
            moved[place] += sign * step
            found[place] += sign * loss(moved) / (2 * step)
    return found


CLAIMED = {
    "dQ = dS K": lambda dS, Q, K, dA, A: dS @ K,
    "dK = dS^T Q / d_k": lambda dS, Q, K, dA, A: dS.T @ Q / Q.shape[1],
    "dK = dA^T Q / sqrt(d_k)": lambda dS, Q, K, dA, A: dA.T @ Q / np.sqrt(Q.shape[1]),
    "dQ = 2 dS K / sqrt(d_k)": lambda dS, Q, K, dA, A: 2 * dS @ K / np.sqrt(Q.shape[1]),
    "∂L/∂q_i = Σ_j a_ij k_j / sqrt(d_k)": lambda dS, Q, K, dA, A: A @ K / np.sqrt(Q.shape[1]),
}


@pytest.mark.parametrize("claim", CLAIMED)
def test_the_numbers_of_a_counterexample_are_what_they_are_said_to_be(claim):
    example = verify(claim, of=ATTENTION).counterexample
    Q, K, V, dZ = (rows(example, name) for name in ("Q", "K", "V", "dZ"))
    A, _ = head(Q, K, V)
    dA = dZ @ V.T
    dS = A * (dA - (A * dA).sum(axis=1, keepdims=True))
    of_q = "q" in claim.split("=")[0].lower()
    loss = (lambda X: np.sum(dZ * head(X, K, V)[1])) if of_q else (lambda X: np.sum(dZ * head(Q, X, V)[1]))
    derived = by_differences(loss, Q if of_q else K)
    i, j = (int(x) - 1 for x in example.entry.strip("()").split(","))
    shown = [
        float(number_of(x)) if "/" in x else float(x.removeprefix("≈ ")) for x in (example.derived, example.claimed)
    ]
    assert shown[0] == pytest.approx(derived[i, j], abs=1e-5)
    assert shown[1] == pytest.approx(CLAIMED[claim](dS, Q, K, dA, A)[i, j], abs=1e-5)
    assert abs(shown[0] - shown[1]) > 1e-4


def test_a_counterexample_is_the_same_in_every_run():
    first, second = (verify("dQ = dS K", of=ATTENTION).counterexample for _ in range(2))
    assert first == second


def test_an_entry_of_a_jacobian_is_refuted_by_that_entry():
    example = verify("∂a_ij/∂s_il = a_ij (1 − a_il)", of=ATTENTION).counterexample
    Q, K = rows(example, "Q"), rows(example, "K")
    A, _ = head(Q, K, np.zeros((len(K), 1)))
    at = {name: int(value) - 1 for name, value in (part.split(" = ") for part in example.entry.split(", "))}
    i, j, k = at["i"], at["j"], at["l"]
    assert float(example.derived.removeprefix("≈ ")) == pytest.approx(A[i, j] * ((j == k) - A[i, k]), abs=1e-5)
    assert float(example.claimed.removeprefix("≈ ")) == pytest.approx(A[i, j] * (1 - A[i, k]), abs=1e-5)


# -- sizes --------------------------------------------------------------------------------------------------------------
def test_sizes_that_do_not_fit_are_told_with_both():
    found = verify("dK = dS Q / sqrt(d_k)", of=ATTENTION)
    assert found.kind == "shapes"
    assert "dS is n x m, Q is n x d_k" in found.verdict.reason
    assert found.verdict.reason.endswith("they fit only if m = n")
    assert "m = n のときだけ合う" in found.verdict.words.ja


def test_a_formula_that_fits_for_square_sizes_only_is_not_proved():
    assert verify("dQ = dS K / sqrt(d_k)", of="Q: 3 2\nK: 3 2\nV: 3 2\n" + STEPS).scope.en == "for the sizes named"
    found = verify("∂L/∂q_i = Σ_{j=1}^{n} ds_ij k_j / sqrt(d_k)", of=ATTENTION)
    assert found.kind == "shapes"
    assert verify("∂L/∂q_i = Σ_{j=1}^{n} ds_ij k_j / sqrt(d)", of=SQUARE).kind == "proved"


def test_a_number_of_rows_too_small_or_too_large_is_refused():
    small = "Q: 3 2\nK: 4 2\nV: 4 5\n" + STEPS
    assert verify("dq_3 = Σ_j ds0_3j k_j", of=small).kind == "proved"
    with pytest.raises(ReadingError, match="no place 4"):
        verify("dq_4 = Σ_j ds0_4j k_j", of=small)


# -- readings ---------------------------------------------------------------------------------------------------------
def test_two_products_that_both_fit_and_differ_are_not_guessed():
    with pytest.raises(ReadingError) as refused:
        verify("dQ = dS * K / sqrt(n)", of="Q: n n\nK: n n\nV: n n\nS = Q K^T / sqrt(n)\nA = softmax(S)\nZ = A V")
    assert refused.value.code == "ambiguous"


def test_rows_or_columns_are_not_guessed_where_it_matters():
    """(x_i · x_j) x_j where rows are rows, x_i (x_j · x_j) where they are columns."""
    with pytest.raises(ReadingError) as refused:
        verify("y_i = Σ_j x_i x_j^T x_j", of="X: n d\nY = X X^T X")
    assert refused.value.code == "ambiguous"
    assert verify("y_i = Σ_j (x_i · x_j) x_j", of="X: n d\nY = X X^T X").kind == "proved"


def test_both_habits_of_writing_rows_are_read():
    square = "X: n d\nW: d d\nY = X W"
    assert verify("y_i = x_i W", of=square).kind == "proved"
    assert verify("y_i = W^T x_i", of=square).kind == "proved"
    assert verify("y_i = W x_i", of=square).kind == "refuted"
    assert verify("y_i = x_i W^T", of=square).kind == "refuted"


# -- names -----------------------------------------------------------------------------------------------------------------
def test_other_names_by_a_mapping():
    names = {"G": "dZ", "P": "A", "D": "∂L/∂A"}
    assert verify("D = G V^T", of=ATTENTION, names=names).kind == "proved"
    assert verify("dS = P * (D - rowsum(P * D))", of=ATTENTION, names=names).kind == "proved"
    assert verify("dv_j = Σ_i p_ij g_i", of=ATTENTION, names=names).kind == "proved"
    assert verify(r"\bar{V} = P^\top G", of=ATTENTION, names=names).kind == "proved"
    assert verify(r"∂L/∂x_{ij} = (1/σ_i) * (\bar{N}_{ij} − Σ_k \bar{N}_{ik} / d_{model} − \hat{x}_{ij} Σ_k \bar{N}_{ik} \hat{x}_{ik} / d_{model})", of=NORM, names={"xhat": "N"}).kind == "proved"  # fmt: skip


@pytest.mark.parametrize(
    ("names", "message"),
    [({"Q": "K"}, "stands for something else"), ({"G": "dB"}, "which is not known here"), ({"1": "dZ"}, "not a name")],
)
def test_a_mapping_that_would_hide_a_name_is_refused(names, message):
    with pytest.raises(UnreadableInput, match=message):
        verify("dQ = dS K", of=ATTENTION, names=names)


def test_a_name_takes_the_gradient_by_it_along():
    assert verify("dS = P ⊙ (dP - rowsum(P ⊙ dP))", of=ATTENTION, names={"P": "A"}).kind == "proved"
    assert verify("dA = A", of=ATTENTION, names={"A": "S"}).kind == "refuted"
    swapped = {"A": "S", "S": "A"}
    assert verify("dA = S ⊙ (dS - rowsum(S ⊙ dS))", of=ATTENTION, names=swapped).kind == "proved"
    assert verify("dS = A ⊙ (dA - rowsum(A ⊙ dA))", of=ATTENTION, names=swapped).kind == "refuted"
    assert verify("A = softmax(S)", of=ATTENTION, names=swapped).kind == "refuted"
    assert verify("S = softmax(A)", of=ATTENTION, names=swapped).kind == "proved"
    with pytest.raises(ReadingError) as refused:
        verify("k_j = q_j; dq_i = Σ_j ds_ij k_j", of=ATTENTION)
    assert refused.value.code == "twice"


def test_a_defined_name_that_changes_the_meaning_of_another_is_refused():
    for claim in ("H = A V; A = Q K^T; dA = dH V^T", "H = 2 A; A = Q K^T; dV = H^T dZ"):
        with pytest.raises(ReadingError) as refused:
            verify(claim, of=ATTENTION)
        assert refused.value.code == "twice"
    assert verify("A = Q K^T; H = A dA^T; dS = H", of=ATTENTION).kind in ("refuted", "shapes")
    assert verify("s_ij = q_i · k_j; dq_i = Σ_j ds_ij k_j", of=ATTENTION).kind == "proved"
    assert verify("s_ij = q_i · k_j; dq_i = Σ_j ds_ij k_j / sqrt(d_k)", of=ATTENTION).kind == "refuted"


# -- what a claim may be about ------------------------------------------------------------------------------------------------
def test_subjects_in_python():
    n, m, d_k, d_v = map(dimension, ("n", "m", "d_k", "d_v"))
    attention = ScaledDotProductAttention(matrix("Q", n, d_k), matrix("K", m, d_k), matrix("V", m, d_v))
    right, wrong = "dK = dS^T Q / sqrt(d_k)", "dK = dS^T Q"
    for of in (attention, derive(attention), differentiate(attention), read_expression(ATTENTION), {"Z": attention}):
        assert verify(right, of=of).kind == "proved"
        assert verify(wrong, of=of).kind == "refuted"


def test_derivations_are_judged_as_before():
    verified = verify(derive(Softmax(matrix("S", 2, 3)), stages=True))
    assert isinstance(verified, Verified)
    with pytest.raises(UnreadableInput, match="give the expression"):
        verify("dQ = dS K")
    with pytest.raises(UnreadableInput, match="belong to the text"):
        verify(derive(Softmax(matrix("S", 2, 3))), of=ATTENTION)
    with pytest.raises(UnreadableInput, match="give no values"):
        verify("dQ = dS K", {"Q": [[1]]}, of=ATTENTION)


def test_models_and_losses():
    heads = "MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads=h)"
    assert verify("dW_Q = X^T dQ", of=heads).kind == "proved"
    assert verify("dK = dS^T Q / sqrt(d_k)", of=heads).kind == "proved"
    assert verify("dK = dS Q / sqrt(d_k)", of=heads).kind == "refuted"
    assert verify("dW_O = Y^T dO", of=heads).kind == "proved"
    assert verify("dX = (dN - mean(dN) - N * mean(dN * N)) / sigma", of=NORM).kind == "proved"
    assert verify("dX = (1/sigma) ⊙ (dN - mean(dN) - N ⊙ mean(dN ⊙ N))", of=NORM).kind == "proved"
    assert verify("dL = (P * rowsum(Y) - Y) / n", of=LOSS).kind == "proved"
    assert verify("∂J/∂l_ij = (p_ij Σ_k y_ik − y_ij) / n", of=LOSS).kind == "proved"
    causal = "Attention(Q, K, V, mask=causal(n))"
    assert verify("z_i = Σ_{j≤i} a_ij v_j", of=causal).kind == "proved"
    assert verify("z_i = Σ_{j<i} a_ij v_j", of=causal).kind == "refuted"


def test_every_use_counts():
    square = "Y = A B\nZ = Y Y^T"
    assert verify("dY = (dZ + dZ^T) Y", of=square).kind == "proved"
    assert verify("dY = 2 dZ Y", of=square).kind == "refuted"
    twice = "H = X ⊙ X\nY = H + H ⊙ H"
    assert verify("dx_ij = dy_ij (2 x_ij + 4 x_ij^3)", of=twice).kind == "proved"
    assert verify("dX = dY ⊙ (6 X + 8 X ⊙ X ⊙ X)", of=twice).kind == "refuted"


def test_an_input_that_is_named_like_a_gradient_is_told():
    of = "A = softmax(Q K^T)\nZ = A dZ"
    with pytest.raises(ReadingError, match=r"dZ is an input here.* is called dZ2; write dZ2 or ∂L/∂Z"):
        verify("dZ = dZ", of=of)
    found = verify("dQ = dS K", of=of)
    assert found.kind == verify("Z = A dZ", of=of).kind == "proved"
    assert [note.en for note in found.notes] == [
        "dZ is the input of that name; the gradient with respect to Z is called dZ2"
    ]


PLAIN, LOW, LAST, ONE = (
    "X: n d\ndX: d m\nY = X dX", "X: n d\nW_Q: d m\ndW_Q: n m\nY = X W_Q + dW_Q", "X: n d\ndY: n m\nW: d m\nY = X W + dY",
    "X: n d\ndJ: d 1\nJ = ones(1, n) X dJ",
)  # fmt: skip
INPUTS_LIKE_GRADIENTS = [  # expression, right claims, wrong ones
    (PLAIN, ["∂L/∂X = dY dX^T", "dX2 = dY dX^T", "ddX = X^T dY", "∂L/∂x_ij = Σ_k dy_ik dX_jk", r"\frac{\partial L}{\partial dX} = X^T dY"],
            ["∂L/∂X = 2 dY dX^T", "dX2 = dY dX", "ddX = -X^T dY", "∂L/∂x_ij = Σ_k dy_ik x_jk", r"\frac{\partial L}{\partial dX} = dY dX^T"]),
    (LOW, ["∂L/∂W_Q = X^T dY", "dW2_Q = X^T dY", "∂L/∂dW_Q = dY", "∂L/∂X = dY W_Q^T"], ["∂L/∂W_Q = dW_Q", "dW2_Q = X^T dW_Q", "∂L/∂dW_Q = dW_Q"]),
    (LAST, ["∂L/∂X = dY2 W^T", "∂L/∂X = ∂L/∂Y W^T"], ["∂L/∂X = dY W^T", "∂L/∂X = 2 ∂L/∂Y W^T"]),
    (ONE, ["∂L/∂X = ones(n, 1) dJ^T", "ddJ = X^T ones(n, 1)"], ["∂L/∂X = ones(n, 1) (2 dJ)^T", "ddJ = 2 X^T ones(n, 1)"]),
]  # fmt: skip


@pytest.mark.parametrize(("of", "right", "wrong"), INPUTS_LIKE_GRADIENTS)
def test_gradients_beside_an_input_that_is_named_like_one(of, right, wrong):
    for claim in right:
        assert verify(claim, of=of).kind == "proved", claim
    for claim in wrong:
        assert verify(claim, of=of).kind in ("refuted", "shapes"), claim


@pytest.mark.parametrize("claim", ["dX = dY dX^T", "dx_ij = Σ_k dy_ik dX_jk"])
def test_what_an_input_that_is_named_like_a_gradient_should_be_is_not_asked(claim):
    with pytest.raises(ReadingError, match="called dX2; write dX2 or ∂L/∂X"):
        verify(claim, of=PLAIN)


def test_names_may_not_make_an_input_a_gradient():
    with pytest.raises(UnreadableInput, match="stands for something else"):
        verify("X = X", of=PLAIN.replace("dX", "dG"), names={"G": "X"})
    with pytest.raises(ReadingError, match="something else"):
        verify("dX = dZ dG^T where G = X W", of="H = X W\ndG: n m\nZ = H ⊙ dG")


@pytest.mark.parametrize(
    "claim", ["dY = -Lambda / n", "dy_ij = -Lambda_ij / n", "dL = (P - Y) / n + 0 dY", "∂J/∂Y = Y"]
)
def test_why_a_letter_has_no_gradient_is_told(claim):
    with pytest.raises(ReadingError, match="rows of Y are assumed to add up to 1, so its entries are not free"):
        verify(claim, of="CrossEntropy(L, Y)", distributions="Y")


def test_a_step_that_the_result_is_not_made_from_has_no_gradient():
    with pytest.raises(ReadingError, match="Y is not made from B"):
        verify("dB = dY", of="B = X X\nY = X^T + X")
    assert verify("dX = dY + dY^T", of="B = X X\nY = X^T + X").kind == "proved"


def test_a_claim_without_a_value_somewhere_is_not_accepted():
    found = verify("dA = exp(log(dZ V^T))", of=ATTENTION)
    assert found.kind in ("undecidable", "refuted")
    assert not found.is_accepted


def test_a_record_is_frozen_and_says_what_was_derived():
    found = verify("dK = G^T Q", of=ATTENTION, names={"G": "dS"})
    assert found.derived == "dK = dS^T Q / sqrt(d_k)"
    assert found.claimed == "dK = dS^T Q"
    assert isinstance(found.verdict, Verdict)
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.text = ""


# -- hostile text -----------------------------------------------------------------------------------------------------------
PIECES = [
    "dQ",
    "dS",
    "A",
    "∂",
    "L",
    "/",
    "∂L/∂q_i",
    "Σ_j",
    "Σ",
    "_",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "^",
    "T",
    "^T",
    "\\",
    "\\frac",
    "k_j",
    "_ij",
    "δ",
    "=",
    "==",
    "where",
    ";",
    ",",
    "*",
    "⊙",
    "1",
    "2.5",
    "1e9",
    "sqrt",
    "d_k",
    "sum_{j=1}^{n}",
    "\\sum",
    "\\bar",
    "\u202e",
    "\x00",
    "\x1b",
    "é",
    "日",
    "$",
    "&",
    "\\\\",
    "exp(",
    "softmax(",
    "diag(",
    "@",
    "'",
    "__import__('os')",
    "lambda",
    "0",
    "^2",
    "^{-1}",
    "/0",
    "|",
    "⟨",
    "⟩",
    "∇_",
    "\\nabla_{q",
    "grad_",
    ".grad",
    ".T",
    "I",
    "e^",
    "-",
    "+",
    "−",
]


def test_any_text_is_read_or_refused():
    source = random.Random(20)
    every = [claim for _, claim in flat(RIGHT)]
    for _ in range(400):
        text = source.choice(every) if source.random() < 0.5 else "dQ = dS K"
        for _ in range(source.randint(1, 5)):
            place = source.randint(0, len(text))
            text = text[:place] + source.choice(PIECES) + text[place + source.randint(0, 2) :]
        try:
            assert verify(text, of=ATTENTION).kind in ("proved", "tested", "refuted", "undecidable", "shapes")
        except SymtransformerError:
            continue


@pytest.mark.parametrize(
    "text",
    ["∂L/∂" * 900, "dQ = " + "\\frac{" * 500, "d" * 3999, "dQ = " + "_" * 3900, "dQ = " + "\\bar{" * 700, "d " * 1999, "\\nabla_{" * 450, "dL/d" * 900,
     "where " * 600, "dQ = x where " + ", ".join(f"g{k} = dS" for k in range(300)), "dQ_ia = ((" * 20, "Σ_j" * 1000, "ds_ij = " + "exp(" * 30],
)  # fmt: skip
def test_long_text_is_refused(text):
    with pytest.raises(ReadingError):
        verify(text, of=ATTENTION)
