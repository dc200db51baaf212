"""Names that lines of a claim define, and heads: which step each is, which gradient goes with it, and where it means two things."""

import pytest

from symtransformer import matrix, read_expression
from symtransformer.claims.counterexamples import Counterexample
from symtransformer.claims.deciding import _proved, _refuted, _without_slope, _without_value, decided
from symtransformer.claims.definitions import _meaning
from symtransformer.claims.lines import _pieces
from symtransformer.claims.statement import _Statements
from symtransformer.claims.subject import subject_of
from symtransformer.reading import ReadingError
from symtransformer.reading.index_marks import marked
from symtransformer.reading.problems import Span

NAMED, UNNAMED = "S = Q K^T / sqrt(d_k)\nA = softmax(S)\nZ = A V", "softmax(Q K^T / sqrt(d_k)) V"
FAMILY = "MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads=h)"

DEFINED = [  # claim, about, kind
    ("P = Q K^T; S = P / sqrt(d_k)", NAMED, "proved"), ("P = Q K^T; S = P", NAMED, "refuted"), ("p = Q K^T; s_ij = p_ij / sqrt(d_k)", NAMED, "proved"), ("p = Q K^T; s_ij = p_ij", NAMED, "refuted"), ("p_ij = q_i · k_j; s_ij = p_ij / sqrt(d_k)", NAMED, "proved"), ("p_ij = q_i · k_j; s_ij = p_ij", NAMED, "refuted"),
    # the gradient goes with the name
    ("p_ij = q_i · k_j; dp_ij = ds_ij / sqrt(d_k)", NAMED, "proved"), ("p_ij = q_i · k_j; dp_ij = ds_ij", NAMED, "refuted"), ("p_ij = a_ij; dp_ij = dz_i · v_j", NAMED, "proved"), ("p_ij = a_ij; dp_ij = 2 dz_i · v_j", NAMED, "refuted"), ("P = A; dP = dZ V^T", NAMED, "proved"), ("P = A; dP = dZ V^T / 2", NAMED, "refuted"),
    # a matrix that is called by a small letter, and the gradient by it
    ("p = Q K^T; S = p / sqrt(d_k)", NAMED, "proved"), ("p = Q K^T; S = p", NAMED, "refuted"), ("p = Q K^T; S = P / sqrt(d_k)", NAMED, "proved"), ("p = Q K^T; dQ = dp K", NAMED, "proved"), ("p = Q K^T; dQ = 2 dp K", NAMED, "refuted"), ("p = Q K^T; dQ = dp K / sqrt(d_k)", UNNAMED, "refuted"), ("p = Q K^T; dp = dS / sqrt(d_k)", NAMED, "proved"), ("p = Q K^T; dp = dS", NAMED, "refuted"), ("s = Q K^T; dQ = ds K", UNNAMED, "proved"), ("s = Q K^T; dQ = 2 ds K", UNNAMED, "refuted"),
    # numbers
    ("c = d_k; dQ = dS K / sqrt(c)", NAMED, "proved"), ("c = d_k; dQ = dS K / c", NAMED, "refuted"), ("c = 2; C = A; dQ = c dS K", NAMED, "refuted"), ("C = A; c = 2; dQ = c dS K", NAMED, "refuted"), ("c = 2; C = A; dQ = c dS K / (2 sqrt(d_k))", NAMED, "proved"), ("c = 1; c_2 = 3; dQ = (c_2 - 2 c) dS K / sqrt(d_k)", NAMED, "proved"), ("c = 1; c_2 = 3; dQ = (c_2 - c) dS K / sqrt(d_k)", NAMED, "refuted"),
    ("G = dA; P = Q K^T; dQ = dS K / sqrt(d_k)", NAMED, "proved"), ("T = 2 A; P = Q K^T; dQ = dS K / sqrt(d_k)", NAMED, "proved"), ("T = 2 A; dV = T^T dZ / 2", NAMED, "proved"), ("T = 2 A; dV = T^T dZ", NAMED, "refuted"),
    # names of steps that nobody chose may be taken for others
    ("a_ij = q_i · k_j; s_ij = a_ij / sqrt(d_k)", UNNAMED, "proved"), ("s_ij = q_i · k_j; dq_i = Σ_j ds_ij k_j", UNNAMED, "proved"), ("s_ij = q_i · k_j; dq_i = 2 Σ_j ds_ij k_j", UNNAMED, "refuted"), ("S = Q K^T; dQ = dS K", UNNAMED, "proved"), ("S = Q K^T; dQ = dS K / sqrt(d_k)", UNNAMED, "refuted"), ("dQ = dS K / sqrt(d_k)", UNNAMED, "proved"), ("dQ = dS K", UNNAMED, "refuted"),
    ("S = softmax(Q K^T / sqrt(d_k)); dS = dZ V^T", UNNAMED, "proved"), ("S = softmax(Q K^T / sqrt(d_k)); dS = 2 dZ V^T", UNNAMED, "refuted"), ("a_ij = z_ij; da_ij = 2", UNNAMED, "refuted"), ("s_ij = a_ij", UNNAMED, "refuted"),
    # heads
    ("q^(a)_ij = 2", FAMILY, "refuted"), ("q^(a)_ij = Σ_l x_il w^{Q,(a)}_lj", FAMILY, "proved"), ("q^(a)_ij = 2 Σ_l x_il w^{Q,(a)}_lj", FAMILY, "refuted"), ("s_ij = q_ij", FAMILY, "shapes"), ("Q = X W_Q", FAMILY, "proved"), ("Q = 2 X W_Q", FAMILY, "refuted"), ("X W_Q^(a) = Q^(a)", FAMILY, "proved"), ("X W_Q^(a) = K^(a)", FAMILY, "refuted"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "of", "kind"), DEFINED)
def test_names_that_are_defined_and_heads(claim, of, kind):
    assert decided(claim, of, {}).kind == kind


READ = [  # what the names are in the equation as it was read
    ("p_ij = q_i · k_j; s_ij = p_ij / sqrt(d_k)", NAMED, "S_ij = P_ij / sqrt(d_k)"), ("p_ij = q_i · k_j; dp_ij = ds_ij / sqrt(d_k)", NAMED, "dP_ij = dS_ij / sqrt(d_k)"), ("P = Q K^T; S = P / sqrt(d_k)", NAMED, "S = P / sqrt(d_k)"), ("pp = Q K^T; S = pp / sqrt(d_k)", NAMED, "S = pp / sqrt(d_k)"),
    ("P = A; dP = dZ V^T", NAMED, "dA = dZ V^T"), ("p_ij = a_ij; dp_ij = dz_i · v_j", NAMED, "dp_ij = dZ_i · V_j"), ("T = 2 A; dV = T^T dZ / 2", NAMED, "dV = (2 A)^T dZ / 2"), ("c = d_k; dQ = dS K / sqrt(c)", NAMED, "dQ = dS K / sqrt(d_k)"), ("a_ij = q_i · k_j; s_ij = a_ij / sqrt(d_k)", UNNAMED, "S_ij = A_ij / sqrt(d_k)"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "of", "read"), READ)
def test_what_the_names_are_in_what_was_read(claim, of, read):
    assert decided(claim, of, {}).claimed == read


def test_nothing_escapes_the_first_sign():
    assert _pieces(";a\\", 0, 3, ";") == [Span(1, 3)]
    assert _pieces("a\\;b", 0, 4, ";") == [Span(0, 4)]


REFUSED = [
    ("p = Q K^T; p = A; dQ = dp K", NAMED, "twice", 12, "p is the name of something else"), ("dp = A; p = Q K^T; dQ = dp K", NAMED, "twice", 9, "dp would be the gradient"), ("c = 2; c = 3; dQ = dS K", NAMED, "twice", 8, "c is the name of something else"), ("n = 2; dQ = dS K", NAMED, "twice", 1, "n is the name of something else"), ("T = X W_Q", "Q = X W_Q\nS = Q Q^T", "unknown_name", 1, "'T' is nothing that is known"),
    ("q^(a)_ij k^(b)_lj = 2", FAMILY, "head", 1, "a and b cannot be told apart"), ("q^(i)_ij = 2", FAMILY, "head", 1, "i cannot be told apart"), ("q^(a)_ij = Σ_l x_il w^{Q,(b)}_lj", FAMILY, "index", 21, "the index b is neither"), ("q^(a)_ij = Σ_l x_il w^{Q}_lj", FAMILY, "head", 21, "which head of W_Q is meant"),
    ("Q^(a) = X W_Q", FAMILY, "head", 9, "which head of W_Q is meant beside a head a"), ("Q = X W_Q^(a)", FAMILY, "head", 5, "which head of Q is meant beside a head a"), ("Q^(a) = X W_Q^(b)", FAMILY, "head", 9, "b is a head on the right side"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "of", "code", "column", "said"), REFUSED)
def test_names_and_heads_that_mean_two_things(claim, of, code, column, said):
    with pytest.raises(ReadingError, match=said) as caught:
        decided(claim, of, {})
    assert (caught.value.code, caught.value.line, caught.value.column) == (code, 1, column)


CAPITALS = [  # what the small letter is called where the step A is meant
    ("a", "A", UNNAMED, "a"), ("s", "A", UNNAMED, "S"), ("z", "A", UNNAMED, "Z"), ("p", "A", UNNAMED, "p"), ("S", "A", UNNAMED, "S"), ("s", "A", NAMED, "s"), ("q", "A", UNNAMED, "q"), ("ss", "A", UNNAMED, "ss"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "letter", "of", "expected"), CAPITALS)
def test_entries_are_those_of_the_matrix_with_the_capital(name, letter, of, expected):
    """S is then another step than the one that nobody called so."""
    subject = subject_of(of)
    assert _Statements(marked("a = b"), subject, {})._capital_of(name, subject.nodes[letter]) == expected


def test_what_a_letter_means_does_not_depend_on_what_it_is_called():
    one, other = subject_of("A = softmax(S)\nZ = A V"), subject_of("P = softmax(S)\nZ = P V")
    assert _meaning(one, one.nodes["A"]) is _meaning(other, other.nodes["P"])
    assert _meaning(one, one.nodes["dA"]) is _meaning(other, other.nodes["dP"])
    assert _meaning(one, one.nodes["dA"]) is _meaning(one, one.nodes["A"])
    assert _meaning(one, one.nodes["S"]) is one.nodes["S"]
    assert _meaning(one, one.nodes["A"]) is not _meaning(one, one.nodes["Z"])


def test_parts_of_an_expression_are_what_is_made_from_others():
    parts = _Statements(marked("a = b"), subject_of(NAMED), {})._parts()
    shown = {str(p) for p in parts}
    assert {"Q K^T", "softmax(Q K^T / sqrt(d_k))"} <= shown
    assert not {"Q", "K", "V"} & shown


# -- what is said ------------------------------------------------------------------------------------------------------
EXAMPLE = Counterexample((("n", 2),), (("c", "1/2"),), (("X", (("1",),)),), "(1, 2)", "3", "4")


def test_what_is_said_with_the_numbers_that_refute():
    found = _refuted(EXAMPLE)
    assert found.kind == "refuted"
    assert found.reason == "entry (1, 2) is 3 by the derived formula and 4 by the claim, for n = 2, c = 1/2, X = [[1]]"
    assert (
        found.reason_ja
        == "(1, 2) 成分は、導出した式では 3、書かれた式では 4 になる（n = 2, c = 1/2, X = [[1]] のとき）"
    )
    assert found.counterexample == (("n", 2), ("c", "1/2"), ("X", (("1",),)))


def test_what_is_said_where_something_has_no_value_or_slope():
    for verdict, said, ja in (
        (_without_value(EXAMPLE), "the claim has none for n = 2", "書かれた式には値がない"),
        (_without_slope(EXAMPLE), "ReLU is taken of 0, at which it has no slope", "ReLU の引数が 0 になるところだけ"),
    ):
        assert verdict.kind == "undecidable"
        assert said in verdict.reason
        assert ja in verdict.reason_ja
        assert "X = [[1]]" in verdict.reason_ja


def test_what_is_proved_everywhere_and_what_only_where_both_are_defined():
    x = matrix("X", 2, 2)
    found = _proved(x, x)
    assert (found.kind, found.where_defined) == ("proved", False)
    assert found.reason == "the claim and the derived formula have the same entries"
    assert found.reason_ja == "書かれた式と導出した式は成分ごとに一致する"
    found = _proved(x, read_expression("X: 2 2\nX ⊙ X ⊘ X").expression)
    assert (found.kind, found.where_defined) == ("proved", True)
    assert found.reason.endswith("have the same entries, wherever both are defined")
    assert found.reason_ja.endswith("（両辺がともに値を持つところで）")
    assert not _proved(x, x + x).where_defined  # no condition on either side
