r"""Formulas in the spellings of public documents: what is true is accepted, and no neighbour that is false.

Whether an equation holds is decided here by NumPy, gradients by finite differences.
"""

import time

import numpy as np
import pytest

from symtransformer.checking.formulas import Formulas, judge_formula

SEEDS = (1, 2, 3)


def holds(sides):
    return all(np.allclose(*sides(np.random.default_rng(seed)), rtol=1e-5, atol=1e-6) for seed in SEEDS)


def softmax(x):
    made = np.exp(x - x.max(axis=-1, keepdims=True))
    return made / made.sum(axis=-1, keepdims=True)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def slope(function, x, weights, step=1e-6):
    """The gradient of Σ weights ⊙ function(x), by finite differences."""
    found = np.zeros_like(x)
    for at in np.ndindex(*x.shape):
        moved = np.zeros_like(x)
        moved[at] = step
        found[at] = ((function(x + moved) - function(x - moved)) * weights).sum() / (2 * step)
    return found


def head(rng):
    q, k, v, g = (rng.normal(size=shape) for shape in ((3, 4), (5, 4), (5, 2), (3, 2)))
    return q, k, v, g


def by_scores(rng):
    """P, S, and the gradients by P and S of softmax(Q Kᵀ) V."""
    q, k, v, g = head(rng)
    s = q @ k.T
    return q, k, v, g, softmax(s), slope(lambda p: p @ v, softmax(s), g), slope(lambda x: softmax(x) @ v, s, g)


WHOLE = [("S", r"QK^\top"), ("P", r"\mathrm{softmax}(S)"), ("O", r"\mathrm{softmax}(QK^\top) V")]
SUMS = [*WHOLE, ("D", r"\mathrm{rowsum}(dO \circ O)")]
OUT_OF_ORDER = [WHOLE[2], WHOLE[1], WHOLE[0], SUMS[3]]
HIDDEN = [("S'", r"\sigma(H)"), ("Y", "S' W_2")]
SCALED = [("A", r"QK^T/\sqrt{d_k}")]
SHIFTED = [("U", "exp(L)"), ("g", "exp(c)"), ("S", "L + broadcast(c, m)"), ("U_c", "exp(S)")]
SCORES = [("C", "t S"), ("A", "softmax(C)")]
NORM = [
    ("mu", "mean(X)"), ("Delta", "X - broadcast(mu, d_model)"), ("Var", "mean(Delta ⊙ Delta)"), ("sigma", "sqrt(Var + epsilon ones(n, 1))"),
    ("H", "divide(Delta, sigma)"), ("alpha", "mean(dH)"), ("beta", "mean(dH ⊙ H)"),
]  # fmt: skip
DROPPED = [("P", r"\operatorname{softmax}(S)"), ("O", r"(P \circ m) V")]


def hidden(rng):
    h, w, g = rng.normal(size=(3, 4)), rng.normal(size=(4, 2)), rng.normal(size=(3, 2))
    ds = slope(lambda s: s @ w, sigmoid(h), g)
    return h, w, g, ds, slope(lambda x: sigmoid(x) @ w, h, g)


def normed(rng):
    x, g = rng.normal(size=(3, 4)), rng.normal(size=(3, 4))

    def norm(x):
        return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 0.3)

    sigma = np.sqrt(x.var(1, keepdims=True) + 0.3)
    h, alpha = norm(x), g.mean(1, keepdims=True)
    return slope(norm, x, g), g, h, alpha, (g * h).mean(1, keepdims=True), sigma


def of_head(sides):
    return lambda rng: sides(*by_scores(rng))


def of_hidden(sides):
    return lambda rng: sides(*hidden(rng))


def of_norm(sides):
    return lambda rng: sides(*normed(rng))


def of_scaled(sides):
    def values(rng):
        q, k, _, _ = head(rng)
        g = rng.normal(size=(3, 5))
        return sides(q, k, g, slope(lambda q: q @ k.T / 2, q, g))

    return values


def of_vectors(sides):
    return lambda rng: sides(rng.uniform(0.2, 2, size=4), rng.uniform(0.2, 2, size=4))


def of_tables(sides, columns=3):
    return lambda rng: sides(rng.normal(size=(2, 3)), rng.normal(size=(2, columns)))


def of_dropped(sides):
    def values(rng):
        s, m, v, g = (rng.normal(size=shape) for shape in ((3, 5), (3, 5), (5, 2), (3, 2)))
        p = softmax(s)
        return sides(m, v, g, p, slope(lambda p: (p * m) @ v, p, g), slope(lambda v: (p * m) @ v, v, g))

    return values


def rows(x):
    return x.sum(axis=1, keepdims=True)


# left, right, formulas before, the two sides by NumPy
TABLE = [
    # parts that are named inside of other formulas
    ("dP", r"dO V^\top", WHOLE, of_head(lambda q, k, v, g, p, dp, ds: (dp, g @ v.T))),
    ("dP", r"V dO^\top", WHOLE, of_head(lambda q, k, v, g, p, dp, ds: (dp, (v @ g.T).T * 2))),
    ("dS", r"P \circ (dP - D)", SUMS, of_head(lambda q, k, v, g, p, dp, ds: (ds, p * (dp - rows(g * (p @ v)))))),
    ("dS", r"P \circ (dP - D)", OUT_OF_ORDER, of_head(lambda q, k, v, g, p, dp, ds: (ds, p * (dp - rows(g * (p @ v)))))),
    ("dS", r"P \circ (dP + D)", SUMS, of_head(lambda q, k, v, g, p, dp, ds: (ds, p * (dp + rows(g * (p @ v)))))),
    ("dS", r"P \circ dP", SUMS, of_head(lambda q, k, v, g, p, dp, ds: (ds, p * dp))),
    ("dQ", "dS K", OUT_OF_ORDER, of_head(lambda q, k, v, g, p, dp, ds: (slope(lambda q: softmax(q @ k.T) @ v, q, g), ds @ k))),
    ("dQ", "2 dS K", OUT_OF_ORDER, of_head(lambda q, k, v, g, p, dp, ds: (slope(lambda q: softmax(q @ k.T) @ v, q, g), 2 * ds @ k))),
    ("dV", r"(P \circ m)^\top dO", DROPPED, of_dropped(lambda m, v, g, p, dp, dv: (dv, (p * m).T @ g))),
    ("dV", r"P^\top dO", DROPPED, of_dropped(lambda m, v, g, p, dp, dv: (dv, p.T @ g))),
    ("dP", r"(dO V^\top) \circ m", DROPPED, of_dropped(lambda m, v, g, p, dp, dv: (dp, (g @ v.T) * m))),
    # primes, hats, δ for a gradient, T before the next letter
    (r"\frac{\partial L}{\partial S'}", r"\frac{\partial L}{\partial Y} W_2^T", HIDDEN, of_hidden(lambda h, w, g, ds, dh: (ds, g @ w.T))),
    (r"\frac{\partial L}{\partial H}", r"\frac{\partial L}{\partial S'} \odot S' \odot (1 - S')", HIDDEN, of_hidden(lambda h, w, g, ds, dh: (dh, ds * sigmoid(h) * (1 - sigmoid(h))))),
    (r"\frac{\partial L}{\partial H}", r"\frac{\partial L}{\partial S'} \odot S' \odot (1 + S')", HIDDEN, of_hidden(lambda h, w, g, ds, dh: (dh, ds * sigmoid(h) * (1 + sigmoid(h))))),
    (r"\delta Q", r"\delta A \, K / \sqrt{d_k}", SCALED, of_scaled(lambda q, k, g, dq: (dq, g @ k / 2))),
    (r"\delta Q", r"\delta A \, K", SCALED, of_scaled(lambda q, k, g, dq: (dq, g @ k))),
    ("dQ", r"\frac{dA K}{\sqrt{d_k}}", SCALED, of_scaled(lambda q, k, g, dq: (dq, g @ k / 2))),
    ("dK", r"\frac{dA^TQ}{\sqrt{d_k}}", SCALED, of_scaled(lambda q, k, g, dq: (slope(lambda k: q @ k.T / 2, k, g), g.T @ q / 2))),
    ("dK", r"\frac{dA^TQ}{d_k}", SCALED, of_scaled(lambda q, k, g, dq: (slope(lambda k: q @ k.T / 2, k, g), g.T @ q / 4))),
    # letters that are numbers
    ("dS", "t dC", SCORES, of_tables(lambda s, g: (slope(lambda s: 3 * s, s, g), 3 * g))),
    ("dS", "t^2 dC", SCORES, of_tables(lambda s, g: (slope(lambda s: 3 * s, s, g), 9 * g))),
    # a letter below a name
    ("exp(S)", "U ⊙ broadcast(g, m)", SHIFTED, of_tables(lambda x, c: (np.exp(x + c), np.exp(x) * np.exp(c)), 1)),
    ("rowsum(U_c)", "rowsum(U) ⊙ g", SHIFTED, of_tables(lambda x, c: (rows(np.exp(x + c)), rows(np.exp(x)) * np.exp(c)), 1)),
    ("rowsum(U_c)", "rowsum(U) + g", SHIFTED, of_tables(lambda x, c: (rows(np.exp(x + c)), rows(np.exp(x)) + np.exp(c)), 1)),
    # what the document defines, in a function of the library
    ("log(P)", "L - broadcast(lambda, m)", [("P", "softmax(L)"), ("lambda", "logsumexp(L)")], of_tables(lambda x, _: (np.log(softmax(x)), x - np.log(rows(np.exp(x)))))),
    ("log(P)", "L + broadcast(lambda, m)", [("P", "softmax(L)"), ("lambda", "logsumexp(L)")], of_tables(lambda x, _: (np.log(softmax(x)), x + np.log(rows(np.exp(x)))))),
    # means of rows
    ("dX", "divide(dH - broadcast(alpha, d_model) - (H ⊙ broadcast(beta, d_model)), sigma)", NORM, of_norm(lambda dx, g, h, alpha, beta, sigma: (dx, (g - alpha - h * beta) / sigma))),
    ("dX", "divide(dH - (H ⊙ broadcast(beta, d_model)), sigma)", NORM, of_norm(lambda dx, g, h, alpha, beta, sigma: (dx, (g - h * beta) / sigma))),
    # an index that stands on no left side, and small letters beside a matrix of that name
    (r"- \frac{1}{p_k} (p_k - (p_k)^2)", "p_k - 1", [], of_vectors(lambda p, q: (-(p - p**2) / p, p - 1))),
    (r"- \frac{1}{p_k} (p_k - (p_k)^2)", "p_k + 1", [], of_vectors(lambda p, q: (-(p - p**2) / p, p + 1))),
    (r"e^{a+b}", "e^a e^b", [("A", "softmax(S)")], of_vectors(lambda a, b: (np.exp(a + b), np.exp(a) * np.exp(b)))),
    (r"e^{a+b}", "e^a + e^b", [("A", "softmax(S)")], of_vectors(lambda a, b: (np.exp(a + b), np.exp(a) + np.exp(b)))),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "forward", "sides"), TABLE, ids=[f"{c[0]} = {c[1]}"[:80] for c in TABLE])
def test_what_holds_is_accepted_and_nothing_else(left, right, forward, sides):
    found = judge_formula(left, right, forward)
    if holds(sides):
        assert found.is_accepted, found.words.en
    else:
        assert not found.is_accepted


# -- conditions ---------------------------------------------------------------------------------------------------------
def jacobian(rng):
    """∂a_j/∂z_i in row j."""
    z = rng.normal(size=4)
    return softmax(z), np.array([slope(softmax, z, weights) for weights in np.eye(4)])


ROWS = [("a_j", r"\frac{e^{z_j}}{\sum_k e^{z_k}}")]
CONDITIONS = [
    (r"a_i (1 - a_i)", "i = j", lambda a, i, j: a[i] * (1 - a[i])), (r"- a_i a_j", r"i \neq j", lambda a, i, j: -a[i] * a[j]),
    (r"- a_i a_j", "i = j", lambda a, i, j: -a[i] * a[j]), (r"a_i a_j", r"i \neq j", lambda a, i, j: a[i] * a[j]),
    (r"a_i (1 - a_i)", r"i \neq j", lambda a, i, j: a[i] * (1 - a[i])), (r"a_i (1 + a_i)", "i = j", lambda a, i, j: a[i] * (1 + a[i])),
]  # fmt: skip


@pytest.mark.parametrize(("right", "condition", "entry"), CONDITIONS)
def test_a_condition_is_put_in(right, condition, entry):
    found = judge_formula(r"\frac{\partial a_j}{\partial z_i}", right, ROWS, condition=condition)
    places = [(i, j) for i in range(4) for j in range(4) if (i == j) == (condition == "i = j")]
    a, exact = jacobian(np.random.default_rng(1))
    is_true = all(abs(exact[j, i] - entry(a, i, j)) < 1e-6 for i, j in places)
    assert found.kind == ("tested" if is_true else "refuted")
    without = judge_formula(r"\frac{\partial a_j}{\partial z_i}", right, ROWS)
    assert without.kind == "refuted"


def test_a_condition_that_is_not_put_in_accuses_nobody():
    assert judge_formula("A B", "B A", condition="i = j").code == "condition"


# -- positions ----------------------------------------------------------------------------------------------------------
def encoding(position, column, width):
    pair = column // 2
    return (np.cos if column % 2 else np.sin)(position / 10000 ** (2 * pair / width))


POSITIONS = [
    (r"PE_{(pos,2i)}", r"\sin(pos/10000^{2i/d_{model}})", 0, lambda p, i, d: np.sin(p / 10000 ** (2 * i / d))),
    (r"\text{PE}_{(pos, 2i+1)}", r"\cos\left(\frac{pos}{10000^{2i/d_{\text{model}}}}\right)", 1, lambda p, i, d: np.cos(p / 10000 ** (2 * i / d))),
    (r"PE_{pos,2i}", r"\sin(pos \cdot 10000^{-2i/d})", 0, lambda p, i, d: np.sin(p * 10000 ** (-2 * i / d))),
    (r"PE(p, 2k)", r"\sin(p \exp(-2k \ln(10000)/d))", 0, lambda p, i, d: np.sin(p * np.exp(-2 * i * np.log(10000) / d))),
    (r"PE_{(pos,2i+1)}", r"\sin(pos/10000^{2i/d_{model}})", 1, lambda p, i, d: np.sin(p / 10000 ** (2 * i / d))),
    (r"PE_{(pos,2i+1)}", r"\cos(pos/10000^{(2i+1)/d_{model}})", 1, lambda p, i, d: np.cos(p / 10000 ** ((2 * i + 1) / d))),
    (r"PE_{(pos,2i)}", r"\sin(pos/1000^{2i/d_{model}})", 0, lambda p, i, d: np.sin(p / 1000 ** (2 * i / d))),
    (r"PE_{(pos,2i)}", r"\sin(pos/10000^{i/d_{model}})", 0, lambda p, i, d: np.sin(p / 10000 ** (i / d))),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "odd", "claimed"), POSITIONS)
def test_the_encoding_of_positions_is_known_however_its_entry_is_written(left, right, odd, claimed):
    places = [(p, i, 8) for p in range(5) for i in range(4)]
    is_true = all(abs(claimed(p, i, d) - encoding(p, 2 * i + odd, d)) < 1e-9 for p, i, d in places)
    assert judge_formula(left, right).kind in (("proved", "tested") if is_true else ("refuted",))


# -- what is left open --------------------------------------------------------------------------------------------------
def test_a_letter_that_may_be_a_vector_proves_nothing_by_being_a_number():
    rng = np.random.default_rng(1)
    x, b = rng.normal(size=4), rng.normal(size=4)
    assert not np.allclose(softmax(x + b), softmax(x))
    assert np.allclose(softmax(x + b[0]), softmax(x))
    assert judge_formula("softmax(x + b)", "softmax(x)").kind == "undecidable"
    assert judge_formula("softmax(x + b)", "softmax(x)", known={"b": None}).kind == "proved"
    assert judge_formula("softmax(x + c)", "softmax(x)").kind == "proved"


OPEN = [  # left, right, formulas before, code
    (r"\sum_i r_i", "1", [], "new_name"), ("softmax(L)", "U / c_top", [], "new_name"), ("causal(n)", "causal(5)", [], "new_name"),
    (r"a_i \sum_k y_k - y_i", "a_i - y_i", [("a_i", r"\frac{e^{z_i}}{\sum_k e^{z_k}}")], "new_name"),  # true where Σ y = 1
    ("8Td^2 + 4T^2d", r"8 \times 1024 \times 262144", [], "new_name"), ("A_P V_P", "P A V", [
        ("S", "Q K^T"), ("A", "softmax(S)"), ("S_P", "(P Q) (P K)^T"), ("A_P", "softmax(S_P)"), ("V_P", "P V")], "undecidable"),
    ("dQ", "dS K", [("S", "QK^T"), ("P", "softmax(S)"), ("S", r"Q_i K_j^\top")], "unknown_name"), ("dS_2", "dS", [("S", "Q K^T"), ("A", "softmax(S)")], "no_subject"),
    (r"\frac{\partial L}{\partial x_i}", r"\sum_j \frac{\partial L}{\partial y_j} \frac{\partial y_j}{\partial x_i}", [("y", "softmax(x)")], "derivative"),
    ("2.15G + 2.15G", "4.29G", [], "unit"), ("O(Tmd)", "O(Td^2)", [], "big_o"),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "forward", "code"), OPEN)
def test_nobody_is_accused_of_what_nothing_was_said_of(left, right, forward, code):
    found = judge_formula(left, right, forward)
    assert found.kind in ("undecidable", "unparsed"), found.words.en
    assert found.code == code


def test_values_that_are_not_put_in_refute_nothing():
    norm = [("x_norm", "(x-μ)/σ")]
    found = judge_formula("γ * x_norm + β", "x_norm", norm, {"γ": (1, 4), "β": (1, 4)})  # true for γ = 1 and β = 0
    assert (found.kind, found.code) == ("undecidable", "values")


def test_a_loss_that_could_not_be_read_decides_nothing_about_gradients():
    formulas = Formulas()
    formulas.add("E", "X W - T")
    formulas.add("S", "tanh(E)")
    assert formulas.judge("dE", "S").kind == "refuted"
    assert formulas.judge("J", r"\foo(E)").kind == "unparsed"
    assert formulas.judge("dE", "S").kind == "undecidable"


@pytest.mark.parametrize(("left", "right"), [("dE", "E"), (r"\frac{\partial L}{\partial E}", "E"), ("dE", "2 E")])
def test_the_gradient_of_what_comes_last_is_that_of_a_loss_that_may_be_told_in_words(left, right):
    """dE = E is right of half the squared error, and wrong of another loss; sizes that do not fit are wrong of every one."""
    given = [("E", "X W - T")]
    assert judge_formula(left, right, given).kind == "undecidable"
    assert judge_formula("dE", "E^T", given).kind == "shapes"
    assert judge_formula("dX", "dE W^T", given).kind == "proved"
    assert judge_formula("dX", "2 dE W^T", given).kind == "refuted"


DEFINED = [
    (r"\hat{x_i}", r"\frac{x_i - \mu}{\sigma}", []), (r"\hat{v}_t", r"\frac{v_t}{1 - \beta_2^t}", []), ("L", "-y_klog(p_k)", []), (r"\theta_i", "10000^{-2i/d}", []),
    ("s_{ij}", r"q_i \cdot k_j", [("S", r"QK^T/\sqrt{d_k}")]), (r"\tilde s_{ij}", r"s_{ij}/\sqrt{d_k}", [("s_{ij}", r"q_i \cdot k_j")]), ("U_c", "exp(S)", [("U", "exp(L)")]),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "forward"), DEFINED)
def test_a_formula_is_given(left, right, forward):
    assert judge_formula(left, right, forward).kind == "definition"


def test_the_entries_of_what_is_known_are_still_compared():
    scaled = [("S", r"QK^T/\sqrt{d_k}")]
    assert judge_formula("s_{ij}", r"\frac{q_i \cdot k_j}{\sqrt{d_k}}", scaled).kind == "proved"
    assert judge_formula("s_{ij}", r"q_j \cdot k_i", scaled).kind in ("refuted", "shapes")


def test_a_usual_approximation_is_named():
    right = r"0.5x(1+\tanh(\sqrt{2/\pi}(x+0.044715x^3)))"
    found = judge_formula(r"x\Phi(x)", right, relation="≈")
    assert (found.kind, [note.name for note in found.remarks]) == ("by_convention", ["tanh_gelu"])
    assert not judge_formula(r"x\Phi(x)", right.replace("0.044715", "0.44715"), relation="≈").is_accepted


# -- one document -------------------------------------------------------------------------------------------------------
def test_what_was_made_from_a_former_formula_stays_what_it_was():
    formulas = Formulas()
    for name, text in (("Q", "X W_Q"), ("K", "X W_K"), ("S", "QK^T"), ("Q", "X W_V")):
        formulas.add(name, text)
    assert formulas.judge("S", "X W_Q W_K^T X^T").kind == "proved"
    assert formulas.judge("QK^T", "X W_V W_K^T X^T").kind == "proved"
    assert formulas.judge("QK^T", "X W_Q W_K^T X^T").kind == "refuted"


def test_a_copy_does_not_change_with_what_it_was_taken_from():
    formulas = Formulas()
    formulas.add("Q", "X W_Q")
    before = formulas.copy()
    formulas.add("K", "X W_K")
    assert formulas.judge("QK^T", "X W_Q W_K^T X^T").kind == "proved"
    assert before.judge("QK^T", "X W_Q W_K^T X^T").kind == "undecidable"
    assert formulas.judge("QK^T", "X W_Q W_K^T X^T").kind == "proved"


def test_a_product_in_a_later_line_says_that_the_stars_before_go_entry_by_entry():
    formulas = Formulas()
    formulas.add("Y", "A * B")
    formulas.add("Z", "Y @ W")
    assert formulas.judge("Y", "A ⊙ B").kind == "proved"


def block():
    lines = [(name, f"X W_{name}") for name in "QKV"]
    lines += [("A", "softmax(Q K^T / sqrt(d_k))"), ("Z", "A V"), ("R", "LayerNorm(X + Z)")]
    return [*lines, ("Y", "LayerNorm(R + ReLU(R W_1) W_2)")]


@pytest.mark.parametrize(
    ("left", "right", "wanted"),
    [("dW_V", "X^T dV", "proved"), ("dW_V", "2 X^T dV", "refuted"), ("dX", "dQ W_Q^T", "refuted"), ("dX", "dR", "refuted")],
)  # fmt: skip
def test_a_formula_of_a_whole_block_is_decided_in_time(left, right, wanted):
    formulas = Formulas()
    for name, text in block():
        formulas.add(name, text)
    start = time.thread_time()
    assert formulas.judge(left, right).kind == wanted
    assert time.thread_time() - start < 2.5
