"""Written modules: batch and head axes, names, types, masks, large numbers; and the check of itself refuses errors."""

import subprocess
import sys

import numpy as np
import pytest

from symtransformer import dimension, evaluate, matrix, parameter
from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.numpy_module import as_numpy_module
from symtransformer.operations import (
    GELU,
    CausalMask,
    CosineSimilarity,
    CrossEntropy,
    EntryDivision,
    LayerNorm,
    MultiHeadAttention,
    PaddingMask,
    RootMeanSquare,
    RowSum,
    ScaledDotProductAttention,
    Softmax,
    StandardDeviation,
    TemperatureSoftmax,
)
from symtransformer.symbols import distribution

n, m, d, d_k, d_v, h = map(dimension, ("n", "m", "d", "d_k", "d_v", "h"))
Q, K, V, M = matrix("Q", n, d_k), matrix("K", m, d_k), matrix("V", m, d_v), matrix("M", n, m)
ATTENTION = ScaledDotProductAttention(Q, K, V)
RANDOM = np.random.default_rng(4)


def run(text):
    defined = {"__name__": "written"}
    exec(compile(text, "written.py", "exec"), defined)
    return defined


def by_hand(q, k, v, dz):
    """Attention and its gradients for one member of a batch, one entry at a time."""
    rows, keys = len(q), len(k)
    dq, dk, dv = np.zeros_like(q), np.zeros_like(k), np.zeros_like(v)
    for i in range(rows):
        powers = np.array([np.exp(sum(q[i] * k[j]) / q.shape[1] ** 0.5) for j in range(keys)])
        a = powers / sum(powers)
        z = sum(a[j] * v[j] for j in range(keys))
        for j in range(keys):
            dv[j] += a[j] * dz[i]
            slope = a[j] * sum(dz[i] * (v[j] - z)) / q.shape[1] ** 0.5
            dq[i] += slope * k[j]
            dk[j] += slope * q[i]
    return dq, dk, dv


def test_each_argument_may_have_batch_axes_and_its_gradient_has_its_shape():
    module = run(as_numpy_module(ATTENTION))
    q, k, v = RANDOM.normal(size=(2, 3, 2)), RANDOM.normal(size=(4, 2)), RANDOM.normal(size=(6, 1, 4, 5))
    value = module["forward"](q, k, v)
    dz = RANDOM.normal(size=value.shape)
    found = module["gradient"](q, k, v, dz)
    assert value.shape == (6, 2, 3, 5)
    expected = {"Q": np.zeros_like(q), "K": np.zeros_like(k), "V": np.zeros_like(v)}
    for a in range(6):
        for b in range(2):
            dq, dk, dv = by_hand(q[b], k, v[a, 0], dz[a, b])
            expected["Q"][b] += dq
            expected["K"] += dk
            expected["V"][a, 0] += dv
    assert list(found) == ["Q", "K", "V"]
    for name, gradient in found.items():
        np.testing.assert_allclose(gradient, expected[name], rtol=1e-12)


def test_a_batch_that_only_the_cotangent_or_another_argument_has_is_added_up():
    module = run(as_numpy_module(matrix("A", n, m) + matrix("B", n, m)))
    a, b = RANDOM.normal(size=(2, 3)), RANDOM.normal(size=(5, 2, 3))
    found = module["gradient"](a, b, np.ones((2, 3)))
    np.testing.assert_array_equal(found["A"], np.full((2, 3), 5.0))
    np.testing.assert_array_equal(found["B"], np.ones((5, 2, 3)))
    found = module["gradient"](a, a, np.ones((7, 2, 3)))
    np.testing.assert_array_equal(found["A"], np.full((2, 3), 7.0))


@pytest.mark.parametrize("heads", [h, 3])
def test_the_head_axis_stands_before_rows_and_columns(heads):
    X = matrix("X", n, d)
    weights = [matrix("W_Q", d, d_k), matrix("W_K", d, d_k), matrix("W_V", d, d_v), matrix("W_O", heads * d_v, d)]
    module = run(as_numpy_module(MultiHeadAttention(X, *weights, heads)))
    x = RANDOM.normal(size=(2, 4, 5))
    w_q, w_k, w_v = (RANDOM.normal(size=(3, 5, k)) for k in (2, 2, 6))
    w_o = RANDOM.normal(size=(18, 5))
    value = module["forward"](x, w_q, w_k, w_v, w_o)
    do = RANDOM.normal(size=value.shape)
    found = module["gradient"](x, w_q, w_k, w_v, w_o, do)
    expected = np.zeros_like(w_q)
    for b in range(2):
        for i in range(3):
            dz = do[b] @ w_o[6 * i : 6 * i + 6].T
            dq, _, _ = by_hand(x[b] @ w_q[i], x[b] @ w_k[i], x[b] @ w_v[i], dz)
            expected[i] += x[b].T @ dq
    np.testing.assert_allclose(found["W_Q"], expected, rtol=1e-11)
    assert [gradient.shape for gradient in found.values()] == [a.shape for a in (x, w_q, w_k, w_v, w_o)]


@pytest.mark.parametrize("asked", [None, "W^(1)", "W^(3)"])
def test_each_head_has_its_own_gradient_and_one_that_is_not_used_has_0(asked):
    """Y_1 = X W^(1), Y_3 = Z W^(3): the gradient by head 1 is X^T dY, by head 3 Z^T dY, whichever is asked for."""
    W, X, Z = matrix("W", d, d_k), matrix("X", n, d), matrix("Z", n, d)
    module = run(as_numpy_module(X @ W.of_head(0) + Z @ W.of_head(2), asked))
    x, z, w, dy = (RANDOM.normal(size=s) for s in ((2, 3, 4), (3, 4), (3, 4, 5), (2, 3, 5)))
    gradient = module["gradient"](x, w, z, dy)
    assert list(gradient) == (["X", "W", "Z"] if asked is None else ["W"])
    expected = np.stack([x[0].T @ dy[0] + x[1].T @ dy[1], np.zeros((4, 5)), z.T @ (dy[0] + dy[1])])
    np.testing.assert_allclose(gradient["W"], expected, rtol=1e-12)


def test_a_single_head_leaves_the_heads_before_it_alone(capsys):
    module = run(as_numpy_module(matrix("X", n, d) @ matrix("W", d, d_k).of_head(1)))
    x, w, dy = RANDOM.normal(size=(2, 3)), RANDOM.normal(size=(2, 3, 4)), RANDOM.normal(size=(2, 4))
    np.testing.assert_allclose(module["gradient"](x, w, dy)["W"], [np.zeros((3, 4)), x.T @ dy], rtol=1e-12)
    assert module["check"](*(module[name] for name in ("forward", "gradient", "shapes")), ["n", "d", "d_k"]) == 0
    assert "a head that is not used has the gradient 0" in module["__doc__"]


H, ONE = matrix("H", n, d), np.ones((1, 1))
REFUSED = [
    (GELU(H), {"H": [[-np.inf, 1.0]]}, "forward", "undefined"),
    (GELU(H + matrix("M", n, d)), {"H": [[1.0, 1.0]], "M": [[0.0, -np.inf]]}, "forward", "undefined"),
    (StandardDeviation(H, 0), {"H": [[1.0, 1.0]]}, "gradient", "division by 0"),
    (RootMeanSquare(H, 0), {"H": [[0.0, 0.0]]}, "gradient", "division by 0"),
    (CosineSimilarity(H, matrix("Y", m, d)), {"H": [[0.0, 0.0]], "Y": [[1.0, 2.0]]}, "forward", "division by 0"),
    (EntryDivision(H, EntryDivision(H, matrix("Y", n, d))), {"H": [[1.0, 1.0]], "Y": [[0.0, 1.0]]}, "forward", "by 0"),
    (H @ matrix("Y", d, n), {"H": [[1e200, 1.0]], "Y": [[-1e200], [0.0]]}, "forward", "too large"),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("expression", "values", "where", "words"), REFUSED)
def test_what_is_undefined_is_an_error_as_it_is_for_the_operations(expression, values, where, words):
    module = run(as_numpy_module(expression))
    arrays = list(map(np.array, values.values()))
    if where == "forward":
        with pytest.raises(NotSupported):
            evaluate(expression, {name: np.array(rows) for name, rows in values.items()}, backend="numpy")
        with pytest.raises(ValueError, match=words):
            module["forward"](*arrays)
    else:
        assert np.isfinite(module["forward"](*arrays)).all()
    with pytest.raises(ValueError, match=words if where == "gradient" else "."):
        module["gradient"](*arrays, np.ones(module["forward"](*arrays).shape) if where == "gradient" else np.nan * ONE)


def test_a_mask_may_stay_in_the_value_and_nowhere_else():
    module = run(as_numpy_module(H + CausalMask(n, d)))
    np.testing.assert_array_equal(module["forward"]([[0.0, 1.0], [2.0, 3.0]]), [[0.0, -np.inf], [2.0, 3.0]])
    module = run(as_numpy_module(LayerNorm(H, matrix("gamma", d, 1), matrix("beta", d, 1))))
    with pytest.raises(ValueError, match="infinite, undefined or too large"):
        module["gradient"]([[1.0, 2.0]], [[1.0], [1.0]], [[0.0], [0.0]], [[np.nan, 0.0]])


def test_the_cotangent_bears_the_name_that_is_asked_for():
    text = as_numpy_module(ATTENTION, "V", cotangent="G")
    assert "def gradient(Q, K, V, G):" in text
    q, k, v, g = (RANDOM.normal(size=s) for s in ((2, 3), (4, 3), (4, 5), (2, 5)))
    dv = by_hand(q, k, v, g)[2]
    np.testing.assert_allclose(run(text)["gradient"](q, k, v, G=g)["V"], dv, rtol=1e-12)


def test_rows_that_are_assumed_to_add_up_to_1_are_refused():
    with pytest.raises(NotSupported, match=r"Every row of Y is assumed to add up to 1\. Use plain letters"):
        as_numpy_module(RowSum(distribution("Y", n, d)) @ matrix("B", 1, d), "B")


def test_single_precision_stays_and_whole_numbers_become_doubles():
    module = run(as_numpy_module(ScaledDotProductAttention(Q, K, V, CausalMask(n, m))))
    single = [np.ones((2, 3), np.float32), np.ones((4, 3), np.float32), np.ones((4, 5), np.float32)]
    assert module["forward"](*single).dtype == np.float32
    assert {g.dtype for g in module["gradient"](*single, np.ones((2, 5))).values()} == {np.dtype(np.float32)}
    assert module["forward"](*(a.astype(int) for a in single)).dtype == np.float64


def test_a_hidden_key_has_no_gradient_and_nothing_is_undefined():
    module = run(as_numpy_module(ScaledDotProductAttention(Q, K, V, M)))
    bare = run(as_numpy_module(ATTENTION))
    q, k, v, dz = (RANDOM.normal(size=s) for s in ((2, 3), (4, 3), (4, 5), (2, 5)))
    mask = np.zeros((2, 4))
    mask[:, 3] = -np.inf
    found = module["gradient"](q, k, v, mask, dz)
    expected = bare["gradient"](q, k[:3], v[:3], dz)
    np.testing.assert_allclose(found["Q"], expected["Q"], rtol=1e-13)
    for name in ("K", "V"):
        np.testing.assert_allclose(found[name][:3], expected[name], rtol=1e-13)
        np.testing.assert_array_equal(found[name][3], 0)
    assert np.isfinite(found["M"]).all()


def test_a_hidden_candidate_of_a_cross_entropy_counts_as_nothing():
    module = run(as_numpy_module(CrossEntropy(matrix("L", n, d), matrix("Y", n, d)), "L"))
    logits, targets = np.array([[1.0, 2.0, -np.inf]]), np.array([[0.0, 1.0, 0.0]])
    np.testing.assert_allclose(module["forward"](logits, targets), [[np.log1p(np.exp(-1.0))]])
    share = 1 / (1 + np.e)
    np.testing.assert_allclose(module["gradient"](logits, targets)["L"], [[share, -share, 0]], rtol=1e-13)
    np.testing.assert_allclose(
        module["gradient"](logits, targets, [[2]])["L"], [[2 * share, -2 * share, 0]], rtol=1e-13
    )


@pytest.mark.filterwarnings("error")
def test_large_numbers_and_tails_stay_stable():
    module = run(as_numpy_module(Softmax(matrix("S", n, m))))
    large = np.array([[1e4, 1e4 - 1, -1e4]])
    share = 1 / (1 + np.e)
    np.testing.assert_allclose(module["gradient"](large, [[1, 0, 0]])["S"][0, 1], -share * (1 - share), rtol=1e-12)
    module = run(as_numpy_module(GELU(matrix("H", n, m))))
    np.testing.assert_allclose(module["forward"]([[-20.0, 40.0]]), [[-5.507248237212467e-88, 40]], rtol=1e-12)
    np.testing.assert_allclose(module["gradient"]([[-1e3, 1e3]], [[1, 1]])["H"], [[0, 1]], atol=1e-300)


def test_names_never_shadow_and_never_are_code():
    names = ("lambda", "np", "of_shape", "cotangent", "forward", "enc1.W_Q", "enc1_W", "batch", "len", "math")
    letters = [matrix(name, n, n) for name in names]
    total = letters[0]
    for letter in letters[1:]:
        total = Softmax(total @ letter)
    text = as_numpy_module(total)
    found = run(text)
    arrays = [RANDOM.normal(size=(3, 3)) for _ in names]
    assert list(found["gradient"](*arrays, np.ones((3, 3)))) == list(names)
    assert "def forward(lambda_, np_, of_shape_, cotangent_, forward_, enc1_W_Q, enc1_W, batch, len_, math_):" in text


def test_a_letter_with_the_name_of_a_function_beside_it_is_refused():
    with pytest.raises(UnreadableInput, match="softmax is a letter here, and the function softmax"):
        as_numpy_module(Softmax(matrix("softmax", n, n)))


def test_sizes_and_numbers_that_no_array_tells_are_keywords(capsys):
    text = as_numpy_module(TemperatureSoftmax(matrix("L", n, d), parameter("tau")) @ matrix("E", d, h * d_k))
    assert "def gradient(L, E, cotangent, *, d_k, h, tau):" in text
    run(text)
    text = as_numpy_module(ScaledDotProductAttention(Q, K, V, PaddingMask(n, m, dimension("l"))), "Q")
    assert "def forward(Q, K, V, *, l):" in text
    module = run(text)
    q, k, v = np.ones((2, 3)), np.ones((4, 3)), np.ones((4, 5))
    assert module["forward"](q, k, v, l=3).shape == (2, 5)


def test_a_size_that_does_not_fit_is_named():
    module = run(as_numpy_module(ATTENTION))
    with pytest.raises(ValueError, match=r"K: expected an array of shape \(\.\.\., 4, 3\), got \(4, 2\)"):
        module["forward"](np.ones((2, 3)), np.ones((4, 2)), np.ones((4, 5)))
    with pytest.raises(ValueError, match=r"cotangent: expected an array of shape \(\.\.\., 2, 5\)"):
        module["gradient"](np.ones((2, 3)), np.ones((4, 3)), np.ones((4, 5)), np.ones((1, 5)))
    with pytest.raises(NotSupported, match="belongs to one head"):
        as_numpy_module(matrix("A", n, n).of_head(parameter("i")) @ matrix("B", n, m))


PLANTED = [
    ("dA - np.sum", "dA + np.sum"),
    ("dS @ K / math.sqrt(d_k)", "dS @ K"),
    ("dS @ K", "1.001 * dS @ K"),
    ("np.swapaxes(A, -1, -2) @ dZ", "1.0001 * np.swapaxes(A, -1, -2) @ dZ"),
    ("A * (dA - np.sum(A * dA, axis=-1, keepdims=True))", "A * dA"),
    ("np.sum(A * dA, axis=-1, keepdims=True)", "np.mean(A * dA, axis=-1, keepdims=True)"),
    ('"K": of_shape(dK, K)', '"K": of_shape(dK * (K != 0) * 0, K)'),
]


@pytest.mark.parametrize(("right", "wrong"), PLANTED)
def test_the_check_refuses_a_planted_error(right, wrong, capsys):
    text = as_numpy_module(ATTENTION)
    backward = text.index("    dA = ")
    assert right in text[backward:]
    for source, expected in ((text, 0), (text[:backward] + text[backward:].replace(right, wrong), 1)):
        module = run(source)
        check = [module[name] for name in ("forward", "gradient", "shapes")]
        assert module["check"](*check, ["n", "d_k", "m", "d_v"]) == expected


def test_a_gradient_that_is_undefined_is_refused(capsys):
    module = run(as_numpy_module(ATTENTION).replace('"V": of_shape(dV, V)', '"V": of_shape(dV * np.nan, V)'))
    assert module["check"](*(module[x] for x in ("forward", "gradient", "shapes")), ["n", "d_k", "m", "d_v"]) == 1


def test_the_module_runs_alone_and_reads_well(tmp_path):
    norm = LayerNorm(matrix("X", n, d), matrix("gamma", d, 1), matrix("beta", d, 1))
    path = tmp_path / "layer_norm.py"
    path.write_text(as_numpy_module(norm), encoding="utf-8")
    ran = subprocess.run([sys.executable, "-I", str(path)], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("largest error against central differences: ")
    linted = [sys.executable, "-m", "ruff", "check", "--isolated", str(path)]
    assert subprocess.run(linted, capture_output=True, check=False).returncode == 0
    assert as_numpy_module(norm) == path.read_text(encoding="utf-8")
