"""A claim of some entries alone is judged at those, and names that a claim defines may stand in any order."""

from fractions import Fraction

import pytest
from claim_spellings import ATTENTION, LINEAR, LOSS

from symtransformer import verify
from symtransformer.claims.deciding import decided
from symtransformer.reading import ReadingError

WEIGHTS = "S: n m\nA = softmax(S)"
SAME, OTHER = "∂a_ij/∂s_il = a_ij (1 - a_il)", "∂a_ij/∂s_il = -a_ij a_il"  # right for j = l, and for j ≠ l
SHOWN = {
    "j = l": "j = l", "j ≠ l": "j ≠ l", "j != l": "j ≠ l", r"j \ne l": "j ≠ l", r"j\neq l": "j ≠ l", "j < l": "j < l", "j > l": "j > l",
    " l<j ": "l < j",
}  # fmt: skip
WITH_BOTH = [
    "j <= l",
    "j ≤ l",
    r"j \le l",
    r"j \leq l",
    "j >= l",
    "j ≥ l",
    r"j \ge l",
    r"j \geq l",
    "i = j",
    "i ≠ j",
    "i < l",
]


@pytest.mark.parametrize("condition", ["j = l", " l<j "])
def test_what_holds_under_a_condition_is_told_to_have_been_compared_there(condition):
    right = SAME if condition == "j = l" else OTHER
    found = decided(right, WEIGHTS, {}, condition=condition)
    assert (found.kind, found.scope.en) == ("tested", "at the points that were tried")
    assert f"entries with {SHOWN[condition]} that were compared" in found.verdict.reason


@pytest.mark.parametrize("condition", SHOWN)
def test_what_does_not_hold_under_a_condition_is_refuted_by_an_entry_that_fulfils_it(condition):
    wrong = OTHER if condition == "j = l" else SAME
    found = decided(wrong, WEIGHTS, {}, condition=condition)
    assert found.kind == "refuted"
    at = dict(part.split(" = ") for part in found.counterexample.entry.split(", "))
    one, sign, other = SHOWN[condition].split()
    assert {"=": int.__eq__, "≠": int.__ne__, "<": int.__lt__, ">": int.__gt__}[sign](int(at[one]), int(at[other]))


@pytest.mark.parametrize("condition", WITH_BOTH)
def test_a_condition_that_leaves_both_kinds_of_entries_makes_neither_formula_right(condition):
    assert {decided(claim, WEIGHTS, {}, condition=condition).kind for claim in (SAME, OTHER)} == {"refuted"}


@pytest.mark.parametrize("condition", ["k < j", "j ~ l", "j = k", "1 = j", "j = l = i"])
def test_a_condition_that_is_not_read_decides_nothing(condition):
    for claim in (SAME, OTHER):
        found = decided(claim, WEIGHTS, {}, condition=condition)
        assert (found.kind, found.verdict.reason) == ("undecidable", "the condition is not read")


def test_few_entries_decide_nothing():
    one_column = "Q: n 2\nK: 1 2\nV: 1 2\nS = Q K^T\nA = softmax(S)\nZ = A V"
    found = decided("∂z_ij/∂q_kl = 5 z_ij", one_column, {}, condition="i < i")
    assert (found.kind, found.verdict.reason) == ("undecidable", "too few entries could be compared")


# -- definitions ------------------------------------------------------------------------------------------------------
RIGHT = {
    ATTENTION: [
        "dQ = H K\nH = c G\nG = dS\nc = 1/sqrt(d_k)",
        "dQ = G K\nB = C K^T\nC = Q\nG = dS / sqrt(d_k)",
        "dQ = G K\nB = C K^T\nC = Q\nG = dB",
        "dV = c A^T dZ\nc = b\nb = 1",
        "rowsum(H) = rowsum(S ⊙ S)\nH = S ⊙ S\nB = C K^T\nC = Q",
        "B_{12} = dS\ndQ = B_{12} K / sqrt(d_k)",
    ],
    WEIGHTS: ["∂a_ij/∂s_ij = a_ij (1 - a_ij)", "∂a_ij/∂s_ij = a_ij - a_ij^2"],
    "Y = sigmoid(X)": ["∂y_ij/∂x_ij = y_ij (1 - y_ij)", "∂y_ij/∂x_kj = δ_ik y_ij (1 - y_ij)"],
    LINEAR: ["dW_1 = X^T G\nG = dY", "db_1 = colsum(G)\nG = dY"],
    "X: n n\nY = 2 X": ["dX = c G\nc = 2\nG = dY"],
}  # fmt: skip
WRONG = {
    ATTENTION: ["dQ = H K\nH = c G\nG = dS\nc = 1/d_k", "dQ = G K\nB = C K^T\nC = Q\nG = dB / sqrt(d_k)", "dV = c A^T dZ\nc = b\nb = 2",
        "rowsum(H) = rowsum(S)\nH = S ⊙ S\nB = C K^T\nC = Q"],
    WEIGHTS: ["∂a_ij/∂s_ij = a_ij (1 - a_ij^2)", "∂a_ij/∂s_ij = -a_ij^2"],
    "Y = sigmoid(X)": ["∂y_ij/∂x_ij = y_ij (1 + y_ij)", "∂y_ij/∂x_kj = y_ij (1 - y_ij)"],
    LINEAR: ["dW_1 = X^T G\nG = 2 dY", "db_1 = colsum(G)\nG = -dY"],
    "X: n n\nY = 2 X": ["dX = c G\nc = 3\nG = dY"],
}  # fmt: skip


@pytest.mark.parametrize(("of", "claim"), [(of, claim) for of, claims in RIGHT.items() for claim in claims])
def test_definitions_are_taken_in_the_order_in_which_they_can_be_read(of, claim):
    assert verify(claim, of=of).kind == "proved"


@pytest.mark.parametrize(("of", "claim"), [(of, claim) for of, claims in WRONG.items() for claim in claims])
def test_a_wrong_definition_is_refuted(of, claim):
    assert verify(claim, of=of).kind == "refuted"


def test_what_is_not_defined_anywhere_is_refused():
    with pytest.raises(ReadingError) as refused:
        verify("dQ = H K\nH = c G\nG = foo", of=ATTENTION)
    assert (refused.value.code, refused.value.line) == ("unknown_name", 2)


# -- words -------------------------------------------------------------------------------------------------------------
def test_a_value_that_is_a_whole_number_is_shown_without_a_sign_of_rounding():
    example = verify("rowsum(A) = 2", of=ATTENTION).counterexample
    assert (example.derived, example.claimed) == ("≈ 1", "2")


def test_the_sizes_that_differ_are_named():
    reason = verify("dq_i = a_i", of=ATTENTION).verdict.reason
    assert reason.startswith(
        "the sizes do not fit: the left side is 1 x d_k and the right side 1 x m: d_k and m must be"
    )
    assert verify("dq_i = Σ_j a_ij", of=ATTENTION).verdict.reason.count("a number") == 1


# -- numbers between the whole ones ---------------------------------------------------------------------------------------
def test_a_claim_that_holds_for_the_small_whole_numbers_is_refuted_by_halves():
    """x + (x + 1) x (x - 1) (x - 2) (x - 3) is x for each of -1, 0, 1, 2, 3."""
    factors = "(x_ij + 1) x_ij (x_ij - 1) (x_ij - 2) (x_ij - 3)"
    found = verify(f"dx_ij = dy_ij + {factors}", of="Y = 2 X - X")
    assert found.kind == "refuted"
    example = found.counterexample
    i, j = (int(k) - 1 for k in example.entry.strip("()").split(","))
    matrices = {name: [[Fraction(x) for x in row] for row in rows] for name, rows in example.matrices}
    x, dy = matrices["X"][i][j], matrices["dY"][i][j]
    assert x.denominator == 2
    assert Fraction(example.derived) == dy
    assert Fraction(example.claimed) == dy + (x + 1) * x * (x - 1) * (x - 2) * (x - 3)


ADDING_UP = 'It holds if every row of {0} adds up to 1: --distributions {0}, in Python distributions="{0}".'
ONLY_IF = {  # (of, claim): the letter whose rows have to add up to 1
    (LOSS, "dL = (softmax(L) - Y) / n"): "Y",
    ("Y = rowsum(X)", "Y = ones(n, 1)"): "X",
    ("X: n 2\nY = rowsum(X)", "Y = ones(n, 1)"): "X",
    ("X: n d\nW: d m\nY = X W", "rowsum(X W) = rowsum(X)"): "W",
    ("X: n d\nW: d 1\nY = X W", "rowsum(X W) = rowsum(X)"): "",
    ("X: n d\nW: d m\nY = X W", "rowsum(X W) = ones(n, 1)"): "",
    (LOSS, "dL = softmax(L) - Y"): "",
    (ATTENTION, "Σ_j s_ij = 1"): "",
}


@pytest.mark.parametrize(("of", "claim"), ONLY_IF)
def test_what_holds_for_rows_that_add_up_to_1_alone_is_refuted_and_says_so(of, claim):
    found, letter = verify(claim, of=of), ONLY_IF[of, claim]
    assert found.kind == "refuted"
    assert [note.en for note in found.notes] == ([ADDING_UP.format(letter)] if letter else [])


def test_the_side_that_is_derived_is_told():
    for claim, derived in {"Σ_j a_ij = 1": "Σ_j A_ij", "z_ij - Σ_k a_ik v_kj = 0": "Z_ij - Σ_k A_ik V_kj"}.items():
        found = verify(claim, of=ATTENTION)
        assert (found.kind, found.derived) == ("proved", derived)


@pytest.mark.parametrize("right", ["W", "W^T"])
def test_a_square_jacobian_whose_layout_matters_is_not_guessed(right):
    """∂y_ij/∂x_ik = w_kj, so that it is W where its rows are those of x, and W^T where they are those of y."""
    square = "X: 2 2\nW: 2 2\nY = X W"
    with pytest.raises(ReadingError, match="the rows of the right side, or its columns, could stand") as refused:
        verify(f"∂y_i/∂x_i = {right}", of=square)
    assert refused.value.code == "ambiguous"
    assert verify("∂y_ij/∂x_ik = w_kj", of=square).kind == "proved"
    assert verify("∂y_ij/∂x_ik = w_jk", of=square).kind == "refuted"
    assert verify(f"∂y_i/∂x_i = 2 {right}", of=square).kind == "refuted"


@pytest.mark.parametrize("right", ["W", "W^T"])
def test_a_layout_that_matters_is_not_guessed_under_a_condition(right):
    """W is right where its rows are those of x, W^T where they are those of y."""
    square = "X: 2 2\nW: 2 2\nY = X W"
    with pytest.raises(ReadingError, match="the rows of the right side, or its columns, could stand"):
        decided(f"∂y_i/∂x_k = {right}", square, {}, condition="i = k")
