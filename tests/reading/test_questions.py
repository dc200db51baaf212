"""A file and its expression put together: what fits is worked out, what does not is named with both sizes."""

import re

import mpmath
import pytest

from symtransformer import evaluate, render, verify
from symtransformer.errors import LimitExceeded, UnreadableInput
from symtransformer.reading import ReadingShapeError, read_values
from symtransformer.reading.questions import question

ATTENTION = """
expression = "softmax(Q K^T / sqrt(d_k)) V"
[values]
Q = [[1, 0.5, 0], [0, 2, 1]]
K = [[1, 1, 0], [0.25, 1, 2], [2, 0, 1], ["1/3", 0, 0]]
V = [[1, 0], [0, 3], [1, 1], [-2, 0.5]]
"""


def test_an_attention_has_the_values_that_mpmath_finds():
    derivation = question(read_values(ATTENTION)).derivation()
    found = evaluate(derivation).digits(derivation.steps[-1].name, 30)
    with mpmath.workdps(50):
        Q = mpmath.matrix([[1, 0.5, 0], [0, 2, 1]])
        K = mpmath.matrix([[1, 1, 0], [0.25, 1, 2], [2, 0, 1], [mpmath.mpf(1) / 3, 0, 0]])
        V = mpmath.matrix([[1, 0], [0, 3], [1, 1], [-2, 0.5]])
        powers = (Q * K.T / mpmath.sqrt(3)).apply(mpmath.exp)
        for i in range(2):
            for j in range(2):
                total = sum(powers[i, k] * V[k, j] for k in range(4)) / sum(powers[i, k] for k in range(4))
                assert abs(mpmath.mpf(str(found[i, j])) - total) < mpmath.mpf(10) ** -28
    verify(derivation).require_true()


def test_an_operation_by_name_is_the_same_as_its_expression():
    by_name = ATTENTION.replace('expression = "softmax(Q K^T / sqrt(d_k)) V"', 'operation = "attention"')
    first, second = (evaluate(question(read_values(t)).derivation()) for t in (ATTENTION, by_name))
    assert second["Z"] == first["Z"]
    names = [[step.name for step in question(read_values(t)).derivation().steps] for t in (ATTENTION, by_name)]
    assert names[0] == names[1] == ["S", "U", "c", "A", "Z"]  # as people call them
    without = by_name.replace('operation = "attention"', "")
    assert question(read_values(without), "Attention").derivation().steps[-1].name == "Z"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ATTENTION.replace("[2, 0, 1], [\"1/3\", 0, 0]]", "[2, 0, 1]]"),
         "f.toml, line 6: V: expected a matrix of size 3 x d_v (m x d_v; m from K), got 4 x 2"),
        (ATTENTION.replace("[[1, 0.5, 0], [0, 2, 1]]", "[[1, 0.5], [0, 2]]"),
         "f.toml, line 5: K: expected a matrix of size m x 2 (m x d_k; d_k from Q), got 4 x 3"),
        (ATTENTION + "[sizes]\nd_k = 2", "f.toml, line 4: Q: expected a matrix of size n x 2 (n x d_k; d_k from [sizes]), got 2 x 3"),
        (ATTENTION + "[sizes]\nd_x = 2", "f.toml, line 8: d_x is no size here; did you mean d_"),
        (ATTENTION + "[sizes]\nd_k = 0.5", "f.toml, line 8: the size d_k: expected a whole number of at least 1, got 1/2"),
        (ATTENTION + "W = [[1]]", "f.toml, line 7: W is no letter of the expression; known are: K, Q, V, d_k"),
        (ATTENTION.replace("V = [[1, 0], [0, 3], [1, 1], [-2, 0.5]]", ""), "f.toml, line 3: V (m x d_v) has no value; give it in [values]"),
        (ATTENTION.replace("V = [[1, 0], [0, 3], [1, 1], [-2, 0.5]]", "V = [1, 2, 3]"),
         "f.toml, line 6: V: expected rows of numbers, m x d_v, got one list of 3 numbers"),
        (ATTENTION + '[labels]\nn = ["a"]', "f.toml, line 8: labels of n: expected 2, got 1"),
        (ATTENTION + '[labels]\nk = ["a"]', "f.toml, line 8: labels: k is no size here; did you mean d_k?"),
        ("[values]\nQ = [[1]]", "f.toml: there is neither an operation nor an expression; name one of them"),
        ("operation = 'Softmax'\nexpression = 'A B'", "f.toml, line 2: an operation and an expression; give one of them"),
        ("operation = 'Softmaxx'", "no operation is named 'Softmaxx'; did you mean Softmax?"),
        ("operation = 'Dropout'\n[values]\nX = [[1]]\nA = [[1]]", "f.toml, line 2: Dropout needs rate; give it in [values]"),
        ("operation = 'FFN'\n[values]\nactivation = 2", "f.toml, line 3: activation: expected one of ReLU, GELU"),
        ("operation = 'MHA'\n[values]\nX = [[1]]", "f.toml: MultiHeadAttention needs heads; give it in [sizes]"),
        ("expression = 'X = [[1]]\\nX X'".replace("'", '"'), ""),
        ('expression = """\nX = [[1]]\nX X"""\n[values]\nX = [[2]]', "f.toml, line 5: X has a value in the expression already"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_with_the_line(text, message):
    if not message:
        assert question(read_values(text, "f.toml")).values
        return
    with pytest.raises(UnreadableInput, match=re.escape(message)):
        question(read_values(text, "f.toml"))


def test_the_place_in_an_expression_is_kept():
    with pytest.raises(UnreadableInput) as caught:
        question(read_values('expression = """\nS = Q K^T\nA = sofmax(S)"""', "f.toml"))
    first, shown, caret = str(caught.value).split("\n")
    assert first.startswith("f.toml, line 3: expression, column 5: no operation is called 'sofmax'")
    assert (shown, caret) == ("  A = sofmax(S)", "      ^")
    with pytest.raises(ReadingShapeError):
        question(read_values("[values]\nQ = [[1]]"), expression="Q: 1 1\nK: 2 2\nQ K")


def test_vectors_are_rows_or_columns_where_the_size_says_so():
    text = "expression = 'LayerNorm(x W + b)'\n[values]\nx = [1, 2]\nW = [[1, 0, 1], [0, 1, 1]]\nb = [0, 1, 0.5]"
    asked = question(read_values(text))
    assert {str(k): v for k, v in asked.values.items()} == {"x": [[1, 2]], "W": [[1, 0, 1], [0, 1, 1]], "b": [[0], [1], [asked.values["b"][2][0]]]}  # fmt: skip
    verify(asked.derivation()).require_true()


def test_a_matrix_of_minus_infinity_is_a_mask():
    text = ATTENTION.replace("sqrt(d_k))", "sqrt(d_k) + M)") + 'M = [[0, 0, "-inf", 0], ["-inf", 0, 0, 0]]'
    derivation = question(read_values(text)).derivation()
    weights = next(step for step in derivation.steps if step.title.en.startswith("Softmax"))
    value = evaluate(derivation)[weights.name]
    assert (value[0, 2], value[1, 0]) == (0, 0)
    verify(derivation).require_true()


def test_heads_have_three_levels_of_brackets():
    text = """
operation = "MultiHead"
[sizes]
heads = 2
[values]
X = [[1, 0, 2], [0, 1, 1]]
W_Q = [[[1], [0], [1]], [[0], [1], [1]]]
W_K = [[[1], [1], [0]], [[0], [2], [1]]]
W_V = [[[1, 0], [0, 1], [0, 0]], [[0, 1], [1, 0], [1, 1]]]
W_O = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]
"""
    asked = question(read_values(text))
    verify(asked.derivation()).require_true()
    assert evaluate(asked.derivation())["O"].shape == (2, 3)
    with pytest.raises(
        UnreadableInput, match=re.escape("W_O: expected a matrix of size 4 x d (2*d_v x d; d_v from W_V), got 3 x 3")
    ):
        question(read_values(text.replace("[0, 0, 1], [1, 1, 1]]", "[0, 0, 1]]")))


def test_a_compound_size_is_checked_once_its_letters_are_known():
    text = "expression = 'Concat(A, B) W'\n[values]\nW = [[1], [2], [3]]\nA = [[1]]\nB = [[1]]"
    with pytest.raises(UnreadableInput, match=re.escape("values, line 3: W: expected a matrix of size 2 x")):
        question(read_values(text))
    assert question(read_values(text.replace("[[1], [2], [3]]", "[[1], [2]]"))).values


def test_layers_have_namespaces():
    text = "expression = 'softmax(X enc1.W) enc2.W'\n[values]\nX = [[1, 2]]\n[values.enc1]\nW = [[1, 0], [0, 1]]\n[values.enc2]\nW = [[1], [2]]"
    derivation = question(read_values(text)).derivation()
    assert "enc1.W" in render(verify(derivation), "txt")


def test_labels_and_title_are_on_the_page():
    text = 'title = { en = "Mine", ja = "私の" }\n' + ATTENTION + '[labels]\nn = ["猫", { en = "sleeps", ja = "眠る" }]'
    page = render(verify(question(read_values(text)).derivation()), "txt", "ja")
    assert "私の" in page
    assert "猫, 眠る" in page


def test_a_file_for_more_than_the_expression_serves_it_too():
    asked = question(read_values(ATTENTION), expression="softmax(Q K^T)")
    assert set(map(str, asked.values)) == {"Q", "K"}


def test_a_small_letter_with_rows_and_columns_is_a_matrix():
    text = (
        "expression = 'W x + b'\n[values]\nW = [[1, 0], [2, 1]]\nx = [[1, 2, 3], [0, 1, 1]]\nb = [[1, 1, 1], [2, 2, 2]]"
    )
    derivation = question(read_values(text)).derivation()
    assert evaluate(derivation)["Y"].tolist() == [[2, 3, 4], [4, 7, 9]]
    with_size = text.replace("'W x + b'", '"""\nx: d m\nW x + b"""')
    assert evaluate(question(read_values(with_size)).derivation())["Y"].tolist() == [[2, 3, 4], [4, 7, 9]]


def test_a_number_of_the_file_may_be_declared_in_the_expression():
    text = 'expression = """\nt: number\nt A"""\n[values]\nt = 0.5\nA = [[2, 4]]'
    assert evaluate(question(read_values(text)).derivation())["Y"].tolist() == [[1, 2]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('expression = "c X"\n[values]\nX = [[1]]\nc = "pi"', "line 4: c: expected a finite number, got 'pi'"),
        ('expression = "tau X"\n[values]\nX = [[1]]\ntau = inf', "line 4: tau: expected a finite number"),
        ('expression = "A / h"\n[values]\nh = 2.5\nA = [[1]]', "line 3: h: expected a whole number of at least 1, got '5/2'"),
        ('expression = "A B"\n[values]\nA = [[[1]]]\nB = [[1]]', "line 3: A: expected one matrix, got 1"),
        ('expression = "enc1.W B"\n[values]\n"enc1.W" = [[1]]\nB = [[1]]\n[values.enc1]\nW = [[2]]', "line 6: enc1.W is given twice"),
        ('expression = "A / sqrt(d_k)"\n[sizes]\nd_k = 2\n[values]\nd_k = 3\nA = [[1]]', "line 5: d_k is given twice"),
        ('expression = "softmax(S + M)"\n[values]\nS = [[1]]\nM = "causal(n)"', "line 4: M: a value cannot use operations"),
        ('operation = "FFN"\n[values]\nactivation = "gelu"', "line 3: activation: expected one of ReLU, GELU, GELUTanh, SiLU, got 'gelu'; did you mean GELU?"),
        ('operation = "MHA"\n[sizes]\nheads = 0', "line 3: heads: expected a whole number of at least 1, got 0"),
        ('operation = "MHA"\n[sizes]\nheads = 3\n[values]\nX = [[1]]\nW_Q = [[[1]], [[1]]]', "line 6: W_Q: expected 3 matrices, one for each head, got 2"),
        ('operation = "GQA"\n[sizes]\nheads = 4\ngroups = 2\n[values]\nX = [[1]]\nW_K = [[[1]], [[1]], [[1]], [[1]]]', "line 7: W_K: expected 2 matrices, one for each group, got 4"),
        ('operation = "GQA"\n[sizes]\nheads = 4\ngroups = 3\n[values]\nX = [[1]]', "must be a multiple of the number of groups"),
        ('operation = "MHA"\n[sizes]\nheads = 2\n[values]\nX = [[1]]\nW_Q = [[1]]', "line 6: W_Q: expected 2 matrices, one for each head"),
        ('operation = "MHA"\n[sizes]\nheads = 2\n[values]\nW_o = [[1]]', "line 5: W_o is no letter of the expression; did you mean W_O?"),
        ('expression = "X W_Q^(2)"\n[values]\nX = [[1]]\nW_Q = [[[1]]]', "line 4: W_Q: expected at least 2 matrices, for W_Q^(2), got 1"),
        ('expression = "A B"\n[values]\nB = [[1]]\nA = [[1], [2]', "line 4: Unclosed array"),
    ],
)  # fmt: skip
def test_a_value_of_the_wrong_kind_is_named_with_its_line(text, message):
    with pytest.raises(UnreadableInput, match=re.escape(message)):
        question(read_values(text, "f.toml"))


@pytest.mark.parametrize(
    ("expression", "values", "result"),
    [
        ("x y^T", "x = [[1], [2]]\ny = [[3], [4]]", [[3, 4], [6, 8]]), ("x y^T", "x = [[1, 2]]\ny = [[3, 4]]", [[11]]),
        ("X W + b", "X = [[1, 2]]\nW = [[3, 4], [1, 1]]\nb = [[10, 20]]", [[15, 26]]),
        ("X W_Q^(2)", "X = [[1, 2]]\nW_Q = [[[1], [2]], [[3], [4]]]", [[11]]),
        ("W - eta G", "W = [[1, 2]]\nG = [[4, 8]]\neta = 0.25", [[0, 0]]),
    ],
)  # fmt: skip
def test_values_say_what_a_letter_is(expression, values, result):
    derivation = question(read_values(f'expression = "{expression}"\n[values]\n{values}')).derivation(stages=False)
    assert evaluate(derivation)[derivation.steps[-1].name].tolist() == result


@pytest.mark.parametrize(
    "text", ["PE(100000, 100000)", "causal(65)", "ones(100000, 1000000)", "ones(64, 1) ones(1, 65)"]
)
def test_a_result_of_too_many_entries_is_refused_before_any_work(text):
    with pytest.raises(LimitExceeded, match="more than 4096 entries"):
        question(read_values(""), expression=text).derivation()
    assert question(read_values(""), expression="causal(64)").derivation()


def test_powers_of_e_are_not_too_deep_inside_each_other():
    def nested(count):
        return "softmax(" * count + "A" + ")" * count

    lines = "A_0 = [[1, 2]]\n" + "\n".join(f"A_{k} = softmax(A_{k - 1})" for k in range(1, 26))
    assert question(read_values(""), expression=nested(24)).derivation()
    for text in (nested(25), lines):
        with pytest.raises(LimitExceeded, match="more than 24 softmax"):
            question(read_values(""), expression=text).derivation()
