"""What readers met: claims that were proved though wrong, refused though right, or refused without saying why."""

import random
from fractions import Fraction

import pytest
from claim_spellings import ATTENTION, LOSS
from sympy import ImmutableDenseMatrix, Integer

from symtransformer import derive, differentiate, dimension, evaluate, matrix, verify
from symtransformer.claims import counterexamples
from symtransformer.claims.statement import read_statement
from symtransformer.derivation import written_out
from symtransformer.errors import ShapeError, SymtransformerError, UnreadableInput
from symtransformer.operation import unfolded
from symtransformer.operations import CrossEntropy, Logarithm, Softmax
from symtransformer.reading import ReadingError, read_expression
from symtransformer.symbols import distribution

HEADS, FAMILY = (f"MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads={h})" for h in ("2", "h"))
LOGITS = "L = X W\nCrossEntropy(L, Y)"
NORM = "LayerNorm(X, gamma, beta)"
RIGHT = {
    "Y = X W + b": ["db = colsum(dY)", "db = colsum(dY)^T", "db = sum(dY, axis=0)", "db = n * mean(dY, axis=0)"],
    "LayerNorm(X, g, b)": ["dg = colsum(dN ⊙ L)", r"\mathrm{d}g = \operatorname{colsum}(\mathrm{d}N \odot L)"],
    NORM: ["N = L ⊙ gamma + beta", "N = L * gamma + beta", "sigma_i = sqrt(Σ_k (x_ik - Σ_l x_il/d_model)^2/d_model + 0.00001)"],
    ATTENTION: [
        "rowsum(A) = 1", "1 = rowsum(A)", "rowsum(dS) = 0", "dQ - dS K / sqrt(d_k) = 0", "Σ_j a_ij = 1",
        r"dq_i = \sum_j dL/ds_ij k_j / \sqrt{d_k}", "dQ = c dS K where c = 1/sqrt(d_k)", r"dQ = \frac{1}{\sqrt{d_k}} dS K \quad (2)",
        r"dQ = dS K / \sqrt d_k \tag{3.1}", r"dQ~=~dS K / \sqrt{d_k}", "dq_{1,2} = Σ_j ds_{1j} k_{j2} / sqrt(d_k)", "dQ\u00a0=\u00a0dS K / sqrt(d_k)",
        "∂a_{1,1}/∂s_{1,2} = -a_{1,1} a_{1,2}", "∂a_{1,1}/∂s_{1,1} = a_{1,1} (1 - a_{1,1})", "∂a_{i,1}/∂s_{i,2} = -a_{i,1} a_{i,2}",
    ],
    "Attention(Q, K, V, mask=causal(n))": [r"z_i = Σ_{j \le i} a_ij v_j", r"z_i = \sum_{j \leq i} a_ij v_j"],
    "Y = pi X": ["dX = pi dY", "dx_ij = π dy_ij", r"\bar{x}_{ij} = \pi \bar{y}_{ij}"],
    "Y = tanh(X)": [r"\mathit{dX} = \mathit{dY} \odot (\mathbf{1} - Y \odot Y)", "dX = dY ⊙ (1 - Y**2)"],
    HEADS: [
        "dW_Q^(1) = X^T dQ^(1)", "∂L/∂W_Q^(2) = X^T dQ_2", "Q_1 = X W_Q^(1)", r"{\mathit{dW}_{Q}^{(2)}} = X^{\mathsf T} \mathit{dQ}_{2}",
        "dX = dQ_1 W_Q^(1)^T + dQ_2 W_Q^(2)^T + dK_1 W_K^(1)^T + dK_2 W_K^(2)^T + dV_1 W_V^(1)^T + dV_2 W_V^(2)^T",
    ],
    FAMILY: ["dW_Q^(i) = X^T dQ^(i)", r"\frac{\partial L}{\partial W_Q^{(i)}} = X^T \frac{\partial L}{\partial Q^{(i)}}", "dV^(i) = A^(i)^T dZ^(i)"],
    "rotate(Q)": ["dQ = dR ⊙ C - turn(dT, interleaved)"],
    LOGITS: ["∂J/∂W = X^T dL"],
    "y = W x": ["∂L/∂w_i = dy_i x^T"],
}  # fmt: skip
WRONG = {
    "Y = X W + b": ["db = rowsum(dY)", "db = 2 colsum(dY)", "db = mean(dY, axis=0)", "db = colsum(X)"],
    "LayerNorm(X, g, b)": ["dg = colsum(dN)", "db = colsum(dN ⊙ L)"],
    NORM: ["N = L ⊙ beta + gamma", "N = X ⊙ gamma + beta", "sigma_i = sqrt(Σ_k (x_ik - Σ_l x_il)^2/d_model + 0.00001)"],
    ATTENTION: ["rowsum(A) = 2", "rowsum(S) = 1", "rowsum(dS) = 1", "dQ = 0", "A = 1", "dQ = c dS K where c = 1/d_k", "dQ = dS K \\quad (2)",
                "∂a_{1,1}/∂s_{1,2} = a_{1,1} a_{1,2}", "∂a_{1,1}/∂s_{1,2} = -a_{1,1} a_{2,1}", "∂a_{1,1}/∂s_{2,1} = -a_{1,1} a_{2,1}"],
    "Attention(Q, K, V, mask=causal(n))": [r"z_i = Σ_{j < i} a_ij v_j"],
    "Y = pi X": ["dX = 3 dY", "dX = dY"],
    HEADS: ["dW_Q^(2) = X^T dQ^(1)", "Q_1 = X W_Q^(2)", "dW_Q^(1) = X^T dK^(1)"],
    FAMILY: ["dW_Q^(i) = X^T dK^(i)"],
    "rotate(Q)": ["dQ = dR ⊙ C + turn(dT, interleaved)", "dQ = dR ⊙ C - turn(dT, halves)"],
    LOGITS: ["∂J/∂W = X^T Y"],
    "y = W x": ["∂L/∂w_i = 2 dy_i x^T"],
}  # fmt: skip
REFUSED = [  # code, what is said, claim, expression
    ("empty", "there is no claim", "", "Q K^T"),
    ("unknown_name", "would be the gradient with respect to S", "dq_i = Σ_j g_ij k_j where g_ij = ∂L/∂s_ij", "Q K^T"),
    ("unknown_name", "would be the gradient with respect to S", "dQ = dS K", "Q K^T"),
    ("derivative", "write ∂J/∂", "∂L/∂W = X^T dL", LOGITS),
    ("derivative", "write ∂J/∂", r"\frac{\partial L}{\partial W} = X^T dL", LOGITS),
    ("unknown_name", "'W_Q' is nothing", "Q_1 = X W_Q", HEADS),
    ("ambiguous", "write I or ones", "Y = 1", "X: n n\nY = X X"),
    ("after_slash", "use brackets", "a_ij = n exp(s_ij)/Σ_l exp(s_il) · n", ATTENTION),
    ("after_slash", "use brackets", "z_ic = Σ_j exp(s_ij)/Σ_l exp(s_il) v_jc", ATTENTION),
    ("keyword", "write np.mean", "dX = (dN - np.mean(dN) - N * np.mean(dN * N)) / sigma", "LayerNorm(X)"),
    ("keyword", "write np.sum", "dS = A * (dA - np.sum(A * dA, axis=1))", ATTENTION),
    ("no_equation", "~= is no equality", "dQ ~= dS K / sqrt(d_k)", ATTENTION),
    ("index", "write {1,2}", "dq_{12} = Σ_j ds_{1j} k_{j2} / sqrt(d_k)", ATTENTION),
    ("index", "no head that is known", "dX = 2 X^(1) ⊙ dY", "Y = X ⊙ X"),
    ("index", "no head that is known", "dW_Q = X^T dQ^(1)", FAMILY),
    ("too_deep", "more than 8 sums", "dq_i = " + " ".join(f"Σ_{x}" for x in "abcdefghjklop") + " k_j", ATTENTION),
]


def flat(table):
    return [(of, claim) for of, claims in table.items() for claim in claims]


@pytest.mark.parametrize(("of", "claim"), flat(RIGHT))
def test_a_right_claim_is_proved(of, claim):
    assert verify(claim, of=of).kind == "proved"


@pytest.mark.parametrize(("of", "claim"), flat(WRONG))
def test_a_wrong_one_is_not(of, claim):
    assert verify(claim, of=of).kind in ("refuted", "shapes")


@pytest.mark.parametrize(("code", "said", "claim", "of"), REFUSED)
def test_what_is_refused_says_what_to_write(code, said, claim, of):
    with pytest.raises(ReadingError) as refused:
        verify(claim, of=of)
    assert refused.value.code == code
    assert said in refused.value.message


# -- a column beside its own matrix ---------------------------------------------------------------------------------
OWN_COLUMNS = ["X - mean(X)", "X - rowsum(X)", "X ⊙ rowsum(X)", "X - std(X, 0)", "X - rms(X, 0)", "X - logsumexp(X)", "X - 2 mean(X)",
               "mean(X) + X", "X - colsum(X)", "M = mean(X)\nX - M", "S = Q K^T\nS - mean(S)", "softmax(X - mean(X) / 2)"]  # fmt: skip


@pytest.mark.parametrize("text", OWN_COLUMNS)
def test_a_column_beside_its_own_matrix_does_not_leave_it_one_column(text):
    with pytest.raises(ReadingError, match=r"write broadcast\(") as refused:
        read_expression(text)
    assert refused.value.code == "column"


def test_with_sizes_or_a_broadcast_it_is_read():
    assert read_expression("X: n 1\nX - mean(X)").shapes["X"][1] == 1
    assert verify("dX = dY - broadcast(mean(dY), d)", of="Y = X - broadcast(mean(X), d)").kind == "proved"
    assert verify("dX = 0 dY", of="Y = X - broadcast(mean(X), d)").kind == "refuted"
    with pytest.raises(ShapeError):
        evaluate(read_expression("X: n d\nX - mean(X)"), {})


def test_sizes_of_1_that_nobody_gave_are_told(command):
    assert [note.en for note in verify("db = colsum(dY)", of="Y = X W + b").notes] == ["inferred sizes: b: d x 1"]
    assert verify("db = colsum(dY)", of="b: d 1\nY = X W + b").notes == ()
    assert [note.en for note in verify("dg = dY", of="Y = X ⊙ (ones(n, 1) g^T)").notes] == [
        "inferred sizes: X: n x 1, g: 1 x 1"
    ]
    assert "\n  inferred sizes: Z: n x 1\n" in command("verify", "dZ = dY", "--for", "Y = Z - mean(X)")[1]


# -- rows that add up to 1 --------------------------------------------------------------------------------------------
CLAIM = "dL = (softmax(L) - Y) / n"


def test_the_assumption_under_which_a_claim_holds_is_named(command):
    found = verify(CLAIM, of=LOSS)
    assert found.kind == "refuted"
    assert "--distributions Y" in found.notes[-1].en
    assert "--distributions Y" in found.notes[-1].ja
    assert not any("holds" in note.en for note in verify("dL = (softmax(L) - 2 Y) / n", of=LOSS).notes)
    code, out, _ = command("verify", CLAIM, "--for", LOSS, "--distributions", "Y", "--lang", "en,ja")
    assert (code, out.count("Every row of Y is assumed"), out.count("どの行も合計が 1")) == (0, 1, 1)
    assert command("verify", CLAIM, "--for", LOSS)[0] == 1


def test_with_the_assumption_only_what_follows_from_it_is_proved():
    n, m = dimension("n"), dimension("m")
    L, Y = matrix("L", n, m), matrix("Y", n, m)
    given = differentiate(CrossEntropy(L, Y), "L", distributions="Y")
    made = CrossEntropy(L, distribution("Y", n, m))
    for of, more in ((LOSS, {"distributions": "Y"}), (LOSS, {"distributions": ["Y"]}), (given, {}), (made, {}), (derive(made), {})):  # fmt: skip
        for claim in (CLAIM, "dl_ij = (p_ij - y_ij) / n", "rowsum(Y) = 1", "Σ_j y_ij = 1"):
            assert verify(claim, of=of, **more).kind == "proved", (of, claim)
        for claim in (
            "dL = (softmax(L) - 2 Y) / n",
            "dL = softmax(L) - Y",
            "rowsum(Y) = 2",
            "rowsum(L) = 1",
            "colsum(Y) = 1",
        ):
            assert verify(claim, of=of, **more).kind in ("refuted", "shapes"), (of, claim)
    example = verify("dL = softmax(L) - Y", of=LOSS, distributions="Y").counterexample
    for row in dict(example.matrices)["Y"]:
        assert sum(map(Fraction, row)) == 1


def test_a_distribution_that_is_none_is_told():
    with pytest.raises(UnreadableInput, match="'T' is no letter"):
        verify(CLAIM, of=LOSS, distributions="T")
    with pytest.raises(UnreadableInput, match="belong to the text"):
        verify(derive(Softmax(matrix("S", 2, 3))), distributions="S")


# -- what is said and shown ---------------------------------------------------------------------------------------------
def test_a_claim_and_a_verified_derivation_have_no_truth_of_their_own():
    with pytest.raises(TypeError, match="is_accepted"):
        bool(verify("dQ = dS K", of=ATTENTION))
    with pytest.raises(TypeError, match="require_true"):
        bool(verify(derive(Softmax(matrix("S", 2, 3)))))


@pytest.mark.parametrize("claim", ["dX = dY ⊘ Y", "dX = dY ⊘ X", "dX = 2 dY ⊘ Y"])
def test_numbers_are_small_where_the_domain_asks_for_positive_ones(claim):
    example = verify(claim, of="Y = SquareRoot(X)").counterexample
    assert {k for _, k in example.sizes} <= {1, 2, 3}
    assert all(x in ("1", "2", "3") for row in dict(example.matrices)["X"] for x in row)


def test_what_is_0_is_shown_as_0():
    for claim in ("dS = A ⊙ dA", "rowsum(dS) = 1", "rowsum(A ⊙ (dA - rowsum(A ⊙ dA))) = 1"):
        example = verify(claim, of=ATTENTION).counterexample
        assert not any("e-" in x for x in (example.derived, example.claimed))
    assert example.derived == "0"


def test_how_a_jacobian_of_rows_was_read_is_told():
    for right, layout in (("W", "columns"), ("W^T", "rows")):
        found = verify(f"∂y_i/∂x_i = {right}", of="Y = X W")
        assert (found.kind, found.notes[-1].en) == (
            "proved",
            f"read with the {layout} of the right side for the entries of Y",
        )


def test_heads_are_counted_from_1_in_a_counterexample():
    example = verify("dQ = dS K", of=FAMILY).counterexample
    head = dict(example.numbers)["i"]
    assert {name.partition("^")[2] for name, _ in example.matrices if "^" in name} == {f"({head})"}


def test_a_ball_around_0_is_not_taken_for_a_number_without_a_value():
    read = read_statement("sigma_i = sqrt(Σ_k (x_ik - Σ_l x_il/d_model)^2/d_model + 0.00001)", "LayerNorm(X)", {})
    side = unfolded(written_out(read.readings[0].right, read.subject.behind))
    trial = counterexamples.Trial(
        {dimension("n"): Integer(2), dimension("d_model"): Integer(3)}, {}, False, False, random.Random(1)
    )
    trial.matrices["X"] = ImmutableDenseMatrix([[1, -1, 0], [-1, -1, 2]])  # with the variances 2/3 and 2
    assert not counterexamples._has_no_value(side, trial)
    trial.matrices["X"] = ImmutableDenseMatrix([[0, -1, 0], [-1, -1, 2]])
    assert counterexamples._has_no_value(unfolded(Logarithm(matrix("X", 2, 3))), trial)


SQUARE = "A = softmax(X X^T)\nA X"
TWO_READINGS = [  # sign, claim, expression: both readings fit, and one of them is right
    ("*", "dS = A * (dA - rowsum(A * dA))", SQUARE), ("*", "dB = A * dY", "A: n n\nB: n n\nY = A ⊙ B"),
    ("*", "dX = dY * (1 - Y ⊙ Y)", "X: n n\nY = tanh(X)"), ("^", "dX = dY ⊙ (1 - Y^2)", "X: n n\nY = tanh(X)"),
    ("^", "dX = dY (X^2)^T + X^T dY X^T + (X X)^T dY", "Y = X X X"), ("*", "dX = dY ⊙ (1 - Y**2)", "X: n n\nY = tanh(X)"),
]  # fmt: skip


@pytest.mark.parametrize(("sign", "claim", "of"), TWO_READINGS)
def test_a_sign_that_has_two_meanings_is_told_where_it_stands(sign, claim, of):
    with pytest.raises(ReadingError) as refused:
        verify(claim, of=of)
    assert refused.value.code == "ambiguous"
    assert refused.value.column == claim.index(sign) + 1
    is_power = "^2" in claim or "**" in claim
    assert refused.value.message.startswith("a power could be" if is_power else "* could be")


@pytest.mark.parametrize(("factor", "kind"), [("", "proved"), ("2 * ", "refuted")])
def test_a_sign_that_has_one_meaning_only_is_read(factor, kind):
    for right in ("A * (dA - np.sum(A * dA, axis=1, keepdims=True))", "A * (dA - sum(A * dA, axis=1))",
                  "A ⊙ (dA - rowsum(A ⊙ dA))", "A * (dA - rowsum((dA @ A.T) * ones(n, n)))"):  # fmt: skip
        wanted = "refuted" if "@" in right else kind
        assert verify(f"dS = {factor}{right}", of=SQUARE).kind == wanted, right
    assert verify(f"dS = {factor}A * (dA - rowsum(A * dA))", of=ATTENTION).kind == kind
    assert verify(f"dX = {factor}dY * (1 - Y^2)", of="Y = tanh(X)").kind == kind
    assert verify(f"dX = {factor}(X^2 @ dY)", of="X: n n\nY = X ⊙ X").kind == "refuted"


DOTS = [
    "dV = A^T dZ{}",
    "dv_j = Σ_i a_ij dz_i{}",
    "dV = A^T dZ +{}",
    "dV = A^T dZ; {}",
    "dV = A^T dZ where {}",
    "∂z_ic/∂v_jc = a_ij{}",
]


@pytest.mark.parametrize("claim", DOTS)
def test_what_dots_leave_out_is_not_dropped(claim):
    for dots in (" ...", "...", "…", " . . .", r" \dots", r" \cdots", " ..", r" \ldots."):
        with pytest.raises(ReadingError, match="dots stand for something that is left out"):
            verify(claim.format(dots), of=ATTENTION)


@pytest.mark.parametrize("end", ["", ".", ",", " .", r" \\", "&"])
def test_a_sign_at_the_end_of_a_sentence_is(end):
    assert verify(f"dV = A^T dZ{end}", of=ATTENTION).kind == "proved"
    assert verify(f"dV = 2 A^T dZ{end}", of=ATTENTION).kind == "refuted"


TRANSPOSED = [
    ("Y = X W", "dX = dY W⊤", "dX = 2 dY W⊤"), ("Y = X W", "dX = dY W^⊤", "dX = dY W^⊤ W W^⊤"), ("Y = X W", "dW = X⊤dY", "dW = -X⊤dY"),
    ("Y = X W", "dX = (W dY^{⊤})⊤", "dX = (W dY^{⊤})"), ("Y = X W", "∂L/∂x_i = ∂L/∂y_i W⊤", "∂L/∂x_i = 2 ∂L/∂y_i W⊤"),
]  # fmt: skip


@pytest.mark.parametrize(("of", "right", "wrong"), TRANSPOSED)
def test_a_transpose_may_be_written_as_pages_print_it(of, right, wrong):
    assert verify(right, of=of).kind == "proved"
    assert verify(wrong, of=of).kind in ("refuted", "shapes")


@pytest.mark.parametrize("claim", ["dX = ⊤ dY", "dX = dY W^T⊤"])
def test_a_transpose_of_nothing_is_refused(claim):
    with pytest.raises(ReadingError):
        verify(claim, of="Y = X W")


def test_a_loss_that_has_a_name_may_be_written_by_it_or_as_l():
    assert verify("∂y/∂x_i = 2 x_i", of="y = x^T x").kind == "proved"
    assert verify("∂y/∂x_i = 3 x_i", of="y = x^T x").kind == "refuted"
    assert verify("∂L/∂x_i = 2 x_i", of="y = x^T x").kind == "proved"
    assert verify("∂L/∂x_i = 3 x_i", of="y = x^T x").kind == "refuted"


def test_what_the_claim_is_about_is_given_once(command):
    code, _, err = command("verify", "dX = dY W^T", "--for", "Y = X W", "--file", "x.txt")
    assert (code, "both --for and --file are given" in err) == (2, True)


def test_names_are_given_once(command):
    code, _, err = command("verify", "dK = G^T Q", "--for", ATTENTION, "--name", "G=dS", "--name", "G=dA")
    assert (code, "'G' is given twice" in err) == (2, True)


@pytest.mark.parametrize(
    "claim",
    ["=", "= 1", "1 =", "n = n", "1 = 1", "dQ = n", "dQ = [[1]]", "^(1) = 0", "{Q^{(1)} = 0", "colsum( = 0", "pi = pi"],
)
def test_odd_claims_are_read_or_refused(claim):
    try:
        assert verify(claim, of=ATTENTION).kind in ("proved", "refuted", "shapes")
    except SymtransformerError:
        return
