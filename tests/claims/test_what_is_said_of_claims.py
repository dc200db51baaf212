r"""What stands beside a verdict on a claim, and the small steps by which one is decided: places, deltas, ranges, values."""

from itertools import product

import pytest
from sympy import ImmutableDenseMatrix, Integer, KroneckerDelta, Mod, S, Symbol, floor

from symtransformer import derive, dimension, matrix, verify
from symtransformer.claims.claim import Claim
from symtransformer.claims.counterexamples import (
    LARGE,
    Counterexample,
    Trial,
    _exact,
    _has_no_value,
    _with_zero,
    find,
    find_soon,
    jumps,
    trials,
    without_value,
)
from symtransformer.claims.jacobians import _counter, _deltas, _pins, _place, jacobian_names
from symtransformer.claims.sides import as_matrix, free_indices, most_telling
from symtransformer.claims.statement import _Statements, with_own_loss
from symtransformer.claims.subject import _names_in, subject_of
from symtransformer.errors import UnreadableInput
from symtransformer.judge import Verdict
from symtransformer.node import postorder
from symtransformer.reading import ReadingError, ReadingShapeError, read_expression
from symtransformer.reading.index_grammar import parsed_formula
from symtransformer.reading.index_marks import marked
from symtransformer.reading.index_tokens import IndexTokenizer
from symtransformer.reading.problems import Span
from symtransformer.symbols import Letter

ATTENTION = "S = Q K^T / sqrt(d_k)\nA = softmax(S)\nZ = A V"
SIZED = "X: 2 3\nW: 3 4\nY = X W"
FORWARD = ("S = Q K^T / sqrt(d_k)", "A = softmax(S)", "Z = A V")
BACK = ("dZ = ∂L/∂Z", "dA = dZ V^T", "dS = A ⊙ (dA - broadcast(rowsum(A ⊙ dA), m))")
OF_A = "Σ_ij G_ij ∂A_ij/∂S = softmax(S) ⊙ (G - broadcast(rowsum(softmax(S) ⊙ G), m))"

SAID = [  # claim, about, kind, what is derived, what was read, for which sizes, the steps behind it
    ("dQ = dS K / sqrt(d_k)", ATTENTION, "proved", "dQ = dS K / sqrt(d_k)", "dQ = dS K / sqrt(d_k)", "for all sizes", (*FORWARD, *BACK)),
    ("dQ = dS K", ATTENTION, "refuted", "dQ = dS K / sqrt(d_k)", "dQ = dS K", "at the sizes d_k = 2, d_v = 2, m = 2, n = 3", (*FORWARD, *BACK)),
    ("A = softmax(S)", ATTENTION, "proved", "A = softmax(S)", "A = softmax(S)", "for all sizes", FORWARD[:1]), ("dV = A^T dZ", ATTENTION, "proved", "dV = A^T dZ", "dV = A^T dZ", "for all sizes", (*FORWARD, *BACK[:1])),
    ("∂a_ij/∂s_il = a_ij (δ_jl - a_il)", ATTENTION, "proved", OF_A, "∂A_ij/∂S_il = A_ij (δ_jl - A_il)", "for all sizes", FORWARD[:2]), ("∂a_ij/∂s_il = a_ij", ATTENTION, "refuted", OF_A, "∂A_ij/∂S_il = A_ij", "at the sizes d_k = 2, m = 2, n = 3", FORWARD[:2]),
    ("ds_ij = a_ij (da_ij - Σ_l a_il da_il)", ATTENTION, "proved", BACK[2], "dS_ij = A_ij (dA_ij - Σ_l A_il dA_il)", "for all sizes", (*FORWARD, *BACK[:2])), ("Q K^T = S sqrt(d_k)", ATTENTION, "proved", "Q K^T", "Q K^T = sqrt(d_k) S", "for all sizes", FORWARD[:1]),
    ("Q K^T = S", ATTENTION, "refuted", "Q K^T", "Q K^T = S", "at the sizes d_k = 2, m = 2, n = 3", FORWARD[:1]), ("dQ = dS Q", ATTENTION, "shapes", "", "dQ = dS Q", "for all sizes", ()), ("Σ_j a_ij = 1", ATTENTION, "proved", "Σ_j A_ij", "Σ_j A_ij = 1", "for all sizes", FORWARD[:2]),
    ("dX = dY W^T", SIZED, "proved", "dX = dY W^T", "dX = dY W^T", "for the sizes named", ("Y = X W", "dY = ∂L/∂Y")), ("dX = 2 dY W^T", SIZED, "refuted", "dX = dY W^T", "dX = 2 dY W^T", "for the sizes named", ("Y = X W", "dY = ∂L/∂Y")),
    ("X^T X = X^T X", "Y = X W", "proved", "X^T X", "X^T X = X^T X", "for all sizes", ()), ("Y = X W", "Y = X W", "proved", "Y = X W", "Y = X W", "for all sizes", ()),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "of", "kind", "derived", "read", "scope", "steps"), SAID, ids=[s[0] for s in SAID])
def test_what_was_derived_and_read_and_for_which_sizes(claim, of, kind, derived, read, scope, steps):
    found = verify(claim, of=of)
    assert (found.kind, found.derived, found.claimed, found.scope.en, found.steps) == (
        kind,
        derived,
        read,
        scope,
        steps,
    )
    assert found.is_accepted is (kind == "proved")
    assert (found.counterexample is not None) is (kind == "refuted")
    assert found.text == claim


def test_sizes_that_do_not_fit_are_told_with_what_would_make_them_fit():
    found = verify("dQ = dS Q", of=ATTENTION).verdict
    assert found.reason.endswith("m and n must be equal; they fit only if m = n")
    assert found.reason_ja == "大きさが合わない。m と n は等しくなければならない。m = n のときだけ合う"
    found = verify("dX = dY", of=SIZED).verdict
    assert (
        found.reason
        == "the sizes do not fit: the two sides have the sizes 2 x 3 and 2 x 4: 3 and 4 columns must be equal"
    )
    assert found.reason_ja == "大きさが合わない。3 と 4 は等しくなければならない"


HEADS = "MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads=2)"


def test_a_claim_for_every_head_says_so():
    right, wrong = (verify(f"dW_Q^(i) = {factor}X^T dQ^(i)", of=HEADS) for factor in ("", "2 "))
    assert [note.en for note in right.notes] == ["judged for each of the 2 heads; head 1 is shown."]
    assert [note.en for note in wrong.notes] == ["judged for each of the 2 heads; what is said is of head 1."]
    assert [note.ja for note in wrong.notes] == [
        "2 個のヘッドのそれぞれについて判定しました。結果はヘッド 1 についてのものです。"
    ]
    assert right.claimed == "dW_Q1 = X^T dQ_1"


@pytest.mark.parametrize(
    ("kind", "accepted"),
    [("proved", True), ("tested", True), ("refuted", False), ("undecidable", False), ("shapes", False)],
)
def test_which_kinds_are_accepted(kind, accepted):
    claim = Claim("", Verdict(kind, "so", reason_ja="そう"), "", "", verify("Y = X W", of="Y = X W").scope)
    assert (claim.kind, claim.is_accepted) == (kind, accepted)
    with pytest.raises(TypeError):
        bool(claim)


@pytest.mark.parametrize(
    ("given", "names"),
    [("Y, T", ("Y", "T")), ("Y", ("Y",)), ("", ()), (" , Y ,", ("Y",)), ((), ()), (["Y", " T "], ("Y", "T")), (matrix("Y", 2, 3), ("Y",)), ([matrix("Y", 2, 3), "T"], ("Y", "T"))],
)  # fmt: skip
def test_names_of_distributions(given, names):
    assert _names_in(given) == names


@pytest.mark.parametrize("more", [{"of": "Y = X W"}, {"names": {"G": "dS"}}, {"distributions": "Y"}])
def test_a_derivation_is_verified_without_what_belongs_to_a_claim(more):
    with pytest.raises(UnreadableInput, match="belong to the text of a claim"):
        verify(derive({"Y": matrix("X", 2, 3) @ matrix("W", 3, 4)}), **more)


# -- numbers ---------------------------------------------------------------------------------------------------------
n, d, m = dimension("n"), dimension("d"), dimension("m")
X, Y, W = matrix("X", n, d), matrix("Y", n, d), matrix("W", d, m)


def node(text):
    return read_expression(text).expression


def test_numbers_that_refute():
    found = find(X, Y)
    assert found.entry == "(1, 1)"
    assert dict(found.sizes).keys() == {"d", "n"}
    shown = dict(found.matrices)
    assert (shown["X"][0][0], shown["Y"][0][0]) == (found.derived, found.claimed)
    assert found.derived != found.claimed
    assert find(X, X) is None
    assert find(X, Y, first=0) is None
    doubled = find(X @ W, X @ W * 2)
    assert int(doubled.claimed) == 2 * int(doubled.derived) != 0


def test_how_numbers_are_shown():
    example = Counterexample(
        (("n", 2),), (("c", "1/2"),), (("X", (("1", "2"), ("3", "4"))), ("v", (("0",),))), "(1, 2)", "1", "2"
    )
    assert example.shown == "n = 2, c = 1/2, X = [[1, 2], [3, 4]], v = [[0]]"
    assert Counterexample((), (), (), "", "", "").shown == ""


def test_a_few_trials_come_first_where_the_sides_are_large():
    def nodes(side):
        return len(list(postorder(side, Y)))

    small = X
    while nodes(small @ W @ W.T) <= LARGE:
        small = small @ W @ W.T
    assert LARGE - 2 <= nodes(small) <= LARGE
    assert find_soon(small, Y) is None
    large = small @ W @ W.T
    assert nodes(large) > LARGE
    assert find_soon(large, Y) is not None


def test_what_jumps():
    assert jumps(node("heaviside(X)"))
    assert jumps(X, node("X + heaviside(X)"))
    assert not jumps(node("ReLU(X)"))
    assert not jumps(X, Y)
    assert not jumps()


def test_numbers_for_which_one_side_has_no_value():
    inverse = node("X ⊘ X")
    assert without_value(X, inverse) is not None
    assert without_value(inverse, X) is None
    assert without_value(X, X) is None


def trial(**matrices):
    made = Trial({}, {}, False, False, None)
    made.matrices = {name: ImmutableDenseMatrix(rows) for name, rows in matrices.items()}
    return made


def test_a_value_that_is_none():
    inverse = node("X: 1 1\nX ⊘ X")
    assert _has_no_value(inverse, trial(X=[[0]]))
    assert not _has_no_value(inverse, trial(X=[[2]]))
    assert not _has_no_value(matrix("X", 1, 1), trial(X=[[0]]))


def test_exact_values_where_both_are_rational():
    x, y = matrix("X", 1, 2), matrix("Y", 1, 2)
    numbers = trial(X=[[1, Integer(1) / 2]], Y=[[1, 2]])
    assert _exact(x, y, numbers, 0, 1) == ("1/2", "2")
    assert _exact(x, y, numbers, 0, 0) is None  # equal
    assert _exact(x, read_expression("softmax(Y)").expression, numbers, 0, 1) is None


def test_0_is_shown_as_0_where_it_certainly_is():
    x = matrix("X", 1, 1)
    numbers = trial(X=[[0]], Y=[[5]])
    assert _with_zero(("≈ 0", "2"), (x, x), numbers, 0, 0) == ("0", "2")
    assert _with_zero(("≈ 0", "≈ 0"), (matrix("Y", 1, 1), x), numbers, 0, 0) == ("≈ 0", "0")
    assert _with_zero(("1", "≈ 2"), (x, x), numbers, 0, 0) == ("1", "≈ 2")


# -- derivatives of entries ------------------------------------------------------------------------------------------
KNOWN = ("A", "S", "Y", "x", "L")
DERIVATIVES = [
    ("∂a_ij/∂s_il", (("A", "ij"), ("S", "il"))), ("∂a_ij / (∂s_il)", (("A", "ij"), ("S", "il"))), (r"\frac{\partial a_{ij}}{\partial s_{il}}", (("A", "ij"), ("S", "il"))), (r"\dfrac{\partial a_i}{\partial s_j}", (("A", "i"), ("S", "j"))),
("∂a_{1,2}/∂s_{i,1}", (("A", "12"), ("S", "i1"))), ("∂A/∂S", None), ("∂A/∂s_ij", None), ("a_ij/s_il", None), ("∂(a_ij s_ij)/∂s_il", None), ("a_ij", None), ("∂a_ij", None), (r"\frac{a_{ij}}{s_{il}}", None), ("∂a_ij/∂s_il + 1", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), DERIVATIVES)
def test_the_upper_and_the_lower_entry_of_a_derivative(text, expected):
    found = jacobian_names(text, Span(0, len(text)), KNOWN)
    if expected is None:
        assert found is None
    else:
        assert tuple((name.name, "".join(name.indices)) for name in found) == expected


i, j, k = (Symbol(x, integer=True, nonnegative=True) for x in "ijk")


def test_the_place_of_an_entry():
    symbols = {}
    matrix_place = _place(Letter("A", n, d), ("i", "2"), symbols)
    assert matrix_place == (symbols["i"], Integer(1))
    assert _place(Letter("r", S.One, d), ("i",), symbols) == (0, symbols["i"])
    assert _place(Letter("c", n, S.One), ("3",), symbols) == (Integer(2), 0)
    assert _place(Letter("A", n, d), ("i", "j"), symbols) == (symbols["i"], symbols["j"])
    for letter, indices in (
        (Letter("A", n, d), ("i",)),
        (Letter("r", S.One, d), ("i", "j")),
        (Letter("o", S.One, S.One), ("i",)),
    ):
        with pytest.raises(UnreadableInput, match=f"has {2 if letter.name != 'r' else 1} indices"):
            _place(letter, indices, symbols)


def test_one_letter_counts_all_values_of_several_indices():
    head, at, total = _counter([], {})
    assert (at, total) == ({}, 1)
    head, at, total = _counter([i], {i: n})
    assert (at, total) == ({i: head}, n)
    head, at, total = _counter([i, j, k], {i: n, j: d, k: m})
    assert at == {i: Mod(head, n), j: Mod(floor(head / n), d), k: floor(head / (n * d))}
    assert total == n * d * m
    values = {tuple(int(x.subs({head: t, n: 2, d: 3, m: 4})) for x in at.values()) for t in range(24)}
    assert values == {(a, b, c) for a in range(2) for b in range(3) for c in range(4)}


def test_what_is_fixed_of_an_entry():
    p, q = Symbol("p"), Symbol("q")
    letter, row = Letter("A", n, d), Letter("r", S.One, d)
    assert _pins((i, j), (p, q), letter, {}) == []
    assert _pins((i, Integer(1)), (p, q), letter, {}) == [KroneckerDelta(q, 1)]
    assert _pins((i, j), (p, q), letter, {i: k}) == [KroneckerDelta(p, k)]
    assert _pins((S.Zero, j), (p, q), row, {j: k}) == [KroneckerDelta(q, k)]
    assert _pins((S.Zero, S.Zero), (p, q), Letter("o", S.One, S.One), {}) == []
    assert _deltas((i, j), (p, q), letter) == [KroneckerDelta(p, i), KroneckerDelta(q, j)]
    assert _deltas((S.Zero, j), (p, q), row) == [KroneckerDelta(q, j)]


# -- sides -----------------------------------------------------------------------------------------------------------
FREE = [
    ("A_ij", "ij"), ("A_ij S_jk", "ijk"), ("Σ_j A_ij", "i"), ("Σ_{j≠i} A_kj", "ki"), ("A_{1,2}", ""), ("δ_ij", "ij"), ("δ_i1 A_ij", "ij"), ("Σ_j δ_ij", "i"), ("A_i1", "i"), ("A_ji + A_ij", "ji"), ("2", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FREE)
def test_free_indices_in_order(text, expected):
    tokens = IndexTokenizer(text, {"A", "S"}, 0, len(text), {}).all()
    assert "".join(free_indices(parsed_formula(text, tokens))) == expected


def test_a_number_is_a_matrix_of_one_entry():
    assert as_matrix(X) is X
    assert as_matrix(Integer(3)).shape == (1, 1)


def test_the_error_that_tells_most():
    first, second = (ReadingError("a", Span(0, 1), "index", x) for x in ("one", "two"))
    shapes = ReadingShapeError("a", Span(0, 1), "shapes", "three")
    assert most_telling([first, second]) is first
    assert most_telling([first, shapes, second]) is shapes


OWN_LOSS = [  # about, claim, how it is read
    ("E = CrossEntropy(Z, Y)", "∂E/∂Z = 2", "∂L/∂Z = 2"), ("E = CrossEntropy(Z, Y)", "∂e/∂Z = 2", "∂L/∂Z = 2"), ("E = CrossEntropy(Z, Y)", r"\frac{\partial E}{\partial Z}", r"\frac{\partial L}{\partial Z}"),
    ("E = CrossEntropy(Z, Y)", "∂E/∂Z where E = 2", None), ("E = CrossEntropy(Z, Y)", "E = ∂E/∂Z", None), ("E = CrossEntropy(Z, Y)", "∂E", None), ("E = CrossEntropy(Z, Y)", "2 E/∂Z", None), ("L = CrossEntropy(Z, Y)", "∂E/∂Z = 2", None),
    (ATTENTION, "∂Z/∂S = 2", None), (ATTENTION, "∂A/∂S = 2", None), ("y = CrossEntropy(Z, T)", "∂y/∂Z = 2", "∂L/∂Z = 2"), ("loss = CrossEntropy(Z, Y)", "∂loss/∂Z = 2", "∂L   /∂Z = 2"),
]  # fmt: skip


@pytest.mark.parametrize(("of", "claim", "expected"), OWN_LOSS)
def test_a_name_of_the_loss_stands_for_it_in_derivatives(of, claim, expected):
    subject = subject_of(of)
    assert with_own_loss(claim, subject) == (expected or claim)
    assert with_own_loss(claim, subject, {"E", "e", "y", "loss"}) == claim  # the claim gives it another meaning


ONE, SISTERS = "T = X W\nT_1 = T ⊙ T\nY = T_1 B", "T_1 = X W\nT_2 = T_1 ⊙ T_1\nY = T_1 + T_2"
COUNTED = [
    (ONE, "Y = Concat(T^(i), i = 1..1) B", "proved", "Y = T_1 B"), (ONE, "Y = Sum(T^(i), i = 1..1) B", "proved", "Y = T_1 B"), (ONE, "Y = Sum(T^(i), i = 1..1)", "shapes", "Y = Sum(T^(i), i = 1..1)"), (SISTERS, "Y = Sum(T^(i), i = 1..2)", "proved", "Y = T_1 + T_2"), (SISTERS, "Y = Σ_i T^(i)", "proved", "Y = T_1 + T_2"),
    (SISTERS, "Y = 2 Sum(T^(i), i = 1..2)", "refuted", "Y = 2 (T_1 + T_2)"), (SISTERS, "Y = Concat(T^(i), i = 1..2)", "shapes", "Y = Concat(T^(i), i = 1..2)"),
]  # fmt: skip


@pytest.mark.parametrize(("of", "claim", "kind", "read"), COUNTED)
def test_a_sum_over_members_that_have_names_of_their_own(of, claim, kind, read):
    found = verify(claim, of=of)
    assert (found.kind, found.claimed) == (kind, read)


def test_a_sum_goes_over_all_members():
    with pytest.raises(ReadingError, match="the sum over i ends at 3, and there are 2"):
        verify("Y = Sum(T^(i), i = 1..3)", of=SISTERS)
    with pytest.raises(ReadingError, match="nothing in this sum depends on i"):
        verify("dX = Sum(dQ^(i) W_Q^(i)^T, i = 1..1)", of="MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads=1)")


# -- names that a claim defines --------------------------------------------------------------------------------------
NEW = [
    ("G", True), ("S", False), ("g_ij", True), ("s_ij", False), ("2x", False), ("a b", False), ("c_{12}", True), ("d_k", False), ("dS", False), ("W_Q", True), ("S_2", False), ("q_i", False), ("pi", False), ("n", False), (" G ", True), ("G^T", False), ("x" * 16, True), ("x" * 17, False),
]  # fmt: skip


@pytest.mark.parametrize(("left", "expected"), NEW)
def test_a_name_that_nothing_bears(left, expected):
    assert _Statements(marked("a = b"), subject_of(ATTENTION), {}).is_new(left) is expected


DEFINED = [  # kind and what was read, or the code and the place of what is refused
    ("G = dS/sqrt(d_k); dQ = G K", "proved", "dQ = (dS / sqrt(d_k)) K"), ("G = Q K^T; dQ = dG K", "proved", "dQ = dG K"), ("G = Q K^T; dQ = dG K / 2", "refuted", "dQ = dG K / 2"), ("g_ij = q_i · k_j; dQ = dG K", "proved", "dQ = dG K"), ("P = A; dV = P^T dZ", "proved", "dV = A^T dZ"),
    ("P = softmax(S); dP = dZ V^T", "proved", "dA = dZ V^T"), ("P = softmax(S); dP = 2 dZ V^T", "refuted", "dA = 2 dZ V^T"), ("k = 2; dQ = k dS K", "refuted", "dQ = 2 dS K"), ("dG = dS; dQ = dG K / sqrt(d_k)", "proved", "dQ = dS K / sqrt(d_k)"), ("c = 1/sqrt(d_k); C = Q K^T c; dQ = dC K c", "proved", "dQ = (1/sqrt(d_k)) dS K"),
    ("T = S; dQ = dT K / sqrt(d_k)", "proved", "dQ = dS K / sqrt(d_k)"), ("U = Q K^T; S = U / sqrt(d_k)", "proved", "S = U / sqrt(d_k)"), ("U = Q K^T; S = U", "refuted", "S = U"),
    ("H = dS; H = dA; dQ = H K", "twice", 9), ("S = A; dQ = dS K", "twice", 1), ("Q = S; dQ = dS K", "twice", 1), ("T = 2 S; dQ = dT K / sqrt(d_k)", "unknown_name", 15), ("G + 1 = S; dQ = G K", "definition", 1), ("g_ij = s_ij + t_k; dQ = G K", "unknown_name", 15),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "kind", "expected"), DEFINED)
def test_lines_that_define_names(claim, kind, expected):
    if isinstance(expected, str):
        found = verify(claim, of=ATTENTION)
        assert (found.kind, found.claimed) == (kind, expected)
    else:
        with pytest.raises(ReadingError) as caught:
            verify(claim, of=ATTENTION)
        assert (caught.value.code, caught.value.column) == (kind, expected)


def test_heads_are_shown_counted_from_1_and_other_numbers_as_they_are():
    i, k = Symbol("i", integer=True, nonnegative=True), Symbol("k", integer=True, positive=True)
    found = Trial(
        {n: Integer(2)}, {i: Integer(0), k: Integer(2), Symbol("x"): Integer(1) / 2}, False, False, None
    ).found("(1, 1)", "1", "2")
    assert found.sizes == (("n", 2),)
    assert found.numbers == (("i", "1"), ("k", "2"), ("x", "1/2"))


def test_of_three_sizes_those_that_are_not_all_equal_come_first():
    tried = [tuple(int(t.sizes[s]) for s in (d, m, n)) for t in trials(X @ W, X @ W)]
    assert set(tried[:6]) == {c for c in product((2, 3), repeat=3) if len(set(c)) > 1}
    assert set(tried[6:8]) == {(2, 2, 2), (3, 3, 3)}
    assert tried[8] == tried[0]


def test_of_many_sizes_two_take_turns():
    letters = [dimension(x) for x in ("d", "n", "m", "h", "N", "d_k")]
    made = (
        matrix("A", letters[0], letters[1])
        @ matrix("B", letters[1], letters[2])
        @ matrix("C", letters[2], letters[3])
        @ matrix("D", letters[3], letters[4])
        @ matrix("E", letters[4], letters[5])
    )
    (first, *_, last) = trials(made, made)
    assert sorted(map(int, first.sizes.values())) == [2, 2, 2, 3, 3, 3]
    assert first.sizes == last.sizes


def test_a_size_that_is_a_letter_beside_one_that_is_a_number():
    found = verify("dX = dY", of="X: n 3\nW: 3 m\nY = X W").verdict
    assert found.reason.endswith("3 and m columns must be equal; they fit only if 3 = m")


def test_a_step_that_is_called_l_is_the_loss_where_it_is_one_number():
    assert "L" not in subject_of("L = CrossEntropy(Z, Y)").no_loss
    assert "L" in subject_of("L = X W").no_loss
    assert "X" in subject_of("L = X W").no_loss
