"""Sides of claims: indices, numbers and matrices beside each other, what each stands for, and what is said where they do not fit."""

from itertools import count

import pytest
from sympy import Integer, S, Symbol

from symtransformer import derive, differentiate, dimension, matrix, read_expression, verify
from symtransformer.claims.deciding import _shallow, decided
from symtransformer.claims.sides import _fits, matrix_of
from symtransformer.claims.slopes import PARTS_AT_MOST, Slopes
from symtransformer.claims.statement import _Statements, read_statement
from symtransformer.claims.subject import subject_of
from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.operations.entry_formula import EntryFormula
from symtransformer.reading import ReadingError
from symtransformer.reading.index_marks import marked
from symtransformer.reading.index_values import Value
from symtransformer.reading.problems import Span
from symtransformer.symbols import Entry

ATTENTION, LINEAR, SQUARE = "S = Q K^T / sqrt(d_k)\nA = softmax(S)\nZ = A V", "Y = X W", "X: n n\nY = X X"
n, d, m = dimension("n"), dimension("d"), dimension("m")
X, W, ROW, COLUMN = matrix("X", n, d), matrix("W", d, m), matrix("r", 1, d), matrix("c", d, 1)

INDEXED = [
    ("dS K", False), ("Σ_j a_ij", True), ("δ_ij", True), ("a_ij", True), ("X_{:,1:2}", False), ("1", False), ("2 dS", False), ("∂a_ij/∂s_il", True), ("Q'", False), ("sum_j a_ij", True), (r"\sum_j A", True), ("sum(A)", False), ("a_4", True), ("q_i · k_j", True), ("S_{ij}", True), ("A V", False), ("softmax(S)", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), INDEXED)
def test_which_sides_have_indices(text, expected):
    made = _Statements(marked(text), subject_of(ATTENTION), {})
    assert made.has_indices(Span(0, len(made.text))) is expected


# -- matrices of entries -----------------------------------------------------------------------------------------------
def entries_of(letter):
    return Value(*letter.shape, lambda i, j: Entry(letter, i, j))


def refused():
    return ValueError("too many indices")


def made_of(value, letters):
    symbols = {}
    made = matrix_of(value, letters, symbols, refused)
    return made, {name: symbols.get(name, Symbol("?")) for name in ("i", "j", "‹i›", "‹j›")}


def test_the_matrix_whose_entries_are_a_value():
    number = Value(S.One, S.One, lambda i, j: Integer(7))
    for letters, shape in (([], (1, 1)), ([("i", n)], (n, 1)), ([("i", n), ("j", d)], (n, d))):
        made, _ = made_of(number, letters)
        assert made.shape == shape
        assert made.args[2] == 7
    made, at = made_of(entries_of(X), [])
    assert made is EntryFormula.of(n, d, at["‹i›"], at["‹j›"], Entry(X, at["‹i›"], at["‹j›"]))


def test_a_row_or_a_column_fills_the_columns():
    made, at = made_of(entries_of(ROW), [("i", n)])
    assert made.shape == (n, d)
    assert made is EntryFormula.of(n, d, at["i"], at["‹j›"], Entry(ROW, S.Zero, at["‹j›"]))
    made, at = made_of(entries_of(COLUMN), [("i", n)])
    assert made.shape == (n, d)
    assert made is EntryFormula.of(n, d, at["i"], at["‹j›"], Entry(COLUMN, at["‹j›"], S.Zero))


def test_the_indices_keep_their_order():
    i, j = Symbol("i", integer=True, nonnegative=True), Symbol("j", integer=True, nonnegative=True)
    symbols = {"i": i, "j": j}
    made = matrix_of(Value(S.One, S.One, lambda a, b: Entry(X, j, i)), [("i", d), ("j", n)], symbols, refused)
    assert made is EntryFormula.of(d, n, i, j, Entry(X, j, i))


@pytest.mark.parametrize(
    ("value", "letters"),
    [(entries_of(X), [("i", n)]), (entries_of(ROW), [("i", n), ("j", d)]), (Value(S.One, S.One, lambda i, j: S.One), [("i", n), ("j", d), ("k", m)])],
)  # fmt: skip
def test_more_indices_than_a_matrix_has(value, letters):
    with pytest.raises(ValueError, match="too many indices"):
        matrix_of(value, letters, {}, refused)


@pytest.mark.parametrize(
    ("value", "wanted", "expected"),
    [(X, (n, d), True), (X, (n, m), False), (X, (d, d), False), (X, None, True), (Integer(2), (n, d), True), (W, (d, m), True)],
)  # fmt: skip
def test_what_has_the_size_that_is_wanted(value, wanted, expected):
    assert _fits(value, wanted) is expected


# -- claims of numbers and ones ----------------------------------------------------------------------------------------
BESIDE = [  # claim, about, kind
    ("Y - X X = 0", SQUARE, "proved"), ("Y = 0", SQUARE, "refuted"), ("X - X = 0", LINEAR, "proved"), ("0 = X - X", LINEAR, "proved"), ("0 = X", LINEAR, "refuted"), ("Y = 1", LINEAR, "refuted"), ("X ⊘ X + 1 = 2", LINEAR, "proved"), ("X ⊘ X + 1 = 3", LINEAR, "refuted"), ("2 = X ⊘ X + X ⊘ X", LINEAR, "undecidable"), ("3 = X ⊘ X + X ⊘ X", LINEAR, "refuted"),
    ("Y = 1", "X: 1 n\nW: n 1\nY = X W", "refuted"), ("1 = 1", LINEAR, "proved"), ("1 = 2", LINEAR, "refuted"), ("2 + 2 = 4", LINEAR, "proved"), ("2 + 2 = 5", LINEAR, "refuted"), ("X W = Y", LINEAR, "proved"), ("W X = Y", LINEAR, "shapes"), ("dX W = dX W", LINEAR, "proved"),
    (r"R = X \mathbf{1}", "R = rowsum(X)", "proved"), (r"R = 2 X \mathbf{1}", "R = rowsum(X)", "refuted"), (r"dX = dR \mathbf{1}^T", "R = rowsum(X)", "proved"), (r"dX = 2 dR \mathbf{1}^T", "R = rowsum(X)", "refuted"), (r"R = X^T \mathbf{1}", "R = rowsum(X)", "shapes"), (r"dX = dR \mathbf{1}", "R = rowsum(X)", "proved"), (r"dX = 2 dR \mathbf{1}", "R = rowsum(X)", "refuted"),
    ("Y = X @ X", SQUARE, "proved"), ("Y = X ⊙ X", SQUARE, "refuted"), ("Y = X X^T", SQUARE, "refuted"), ("Y = X^2", "Y = X ⊙ X", "proved"), ("Y = X * X", "Y = X ⊙ X", "proved"), ("Y = 2 X * X", "Y = X ⊙ X", "refuted"), ("Y = X^3", "Y = X ⊙ X", "refuted"),
    (r"X \mathbf{1} = R", "R = rowsum(X)", "proved"), (r"2 X \mathbf{1} = R", "R = rowsum(X)", "refuted"), (r"\mathbf{1}^T X = C", "C: 1 d\nY = X + C", "refuted"),
    # entries
    ("s_ij = Σ_a q_ia k_ja / sqrt(d_k)", ATTENTION, "proved"), ("s_ij = Σ_a q_ia k_ja", ATTENTION, "refuted"), ("a_ij = exp(s_ij) / Σ_l exp(s_il)", ATTENTION, "proved"), ("a_ij = exp(s_ij) / Σ_l exp(s_lj)", ATTENTION, "refuted"), ("s_ij = 2", ATTENTION, "refuted"), ("a_ij = q_ij", ATTENTION, "shapes"), ("a_ij = s_i", ATTENTION, "shapes"), ("δ_ij = s_ij", ATTENTION, "refuted"), ("z_i = Σ_j a_ij v_j", ATTENTION, "proved"), ("z_i = Σ_j a_ji v_j", ATTENTION, "shapes"), ("z_1 = Σ_j a_1j v_j", ATTENTION, "proved"), ("z_1 = Σ_j a_2j v_j", ATTENTION, "refuted"), ("z_{1,2} = Σ_j a_1j v_j2", ATTENTION, "proved"), ("z_{1,2} = Σ_j a_1j v_j1", ATTENTION, "refuted"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "of", "kind"), BESIDE)
def test_numbers_ones_and_entries_beside_matrices(claim, of, kind):
    assert decided(claim, of, {}).kind == kind


SCORES = "Score = Q K^T\nA = softmax(Score)\nZ = A V"
NO_CLAIMS = [  # claim, about, code, column, what is said
    ("Y = 1", SQUARE, "ambiguous", 5, "1 beside a square matrix could be a multiple of I"), ("Y = 2", SQUARE, "ambiguous", 5, r"write I or ones\(n, n\)"), ("Y = X^2", SQUARE, "ambiguous", 6, "a power could be the product of matrices"), ("Y = X * X", SQUARE, "ambiguous", 7, r"\* could be the product of matrices"), ("Y = X**2", SQUARE, "ambiguous", 6, "a power could be"),
    ("Y = X[:, 1:2] W[1:2, :]", "X: n 2\nW: 2 d\nY = X W", "ambiguous", 1, "counts from 1 on a page and from 0 in Python"), ("n = 2", ATTENTION, "number", 1, "n is a number; a claim is about a matrix"), ("Y = Y", LINEAR, "circular", 5, "the right side contains Y"), ("dX = dX", LINEAR, "circular", 6, "the right side contains dX"), ("dX = ∂J/∂X", "L = X W", "circular", 6, "contains dX"),
    ("2 S = Σ_k q_ik k_jk", ATTENTION, "index", 1, "there are indices on the right side and none on the left side"), ("S = Σ_k q_ik k_jk", ATTENTION, "index", 9, "the index i is neither on the left side nor summed over"), ("s_in = 2", ATTENTION, "index", 1, "n is a size or a number here, not an index"), ("s_ijk = 2", ATTENTION, "index", 1, "3 indices do not fit"), ("a_i = s_ij", ATTENTION, "index", 7, "the index j is neither"),
    ("dX = ∂Y/∂X", LINEAR, "derivative", 6, "stands alone on the left side"), ("dX = dY/dX", LINEAR, "derivative", 6, "stands alone on the left side"), ("dX = ∂L/∂X", "L = X W", "derivative", 6, r"L is not read as the loss; write ∂J/∂\.\.\."), ("dX = ∂L/∂X", "J = X W\nL = J B", "derivative", 6, r"L is not read as the loss; write ∂loss/∂\.\.\."), ("dX = ∂J/∂X", "J = X W\nL = J B", "derivative", 6, r"J is not read as the loss; write ∂loss/∂\.\.\."),
    ("T = S", ATTENTION, "unknown_name", 1, "'T' is nothing that is known here"), ("q K = S", ATTENTION, "unknown_name", 1, "did you mean Q"), ("dT = S", ATTENTION, "unknown_name", 1, "nothing is called T here"), ("G = 2 Score; score = A; dQ = G K", SCORES, "twice", 14, "takes score for a step"), ("g_ij = a_ij a_ij; a_ij = 2; dQ = G K", ATTENTION, "twice", 19, "a is the name of something else|A is the name of something else"),
    (r"dR \mathbf{1}^T = dX", "R = rowsum(X)", "size", 1, "the size of this is not determined"), ("g_ii = s_ii; dQ = G K", ATTENTION, "index", 1, "an index appears twice"), ("g_ij = s_i1; dQ = G K", ATTENTION, "index", 1, "the index j does not appear on the right side"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "of", "code", "column", "said"), NO_CLAIMS)
def test_what_is_no_claim_is_refused_at_its_place(claim, of, code, column, said):
    with pytest.raises(ReadingError, match=said) as caught:
        decided(claim, of, {})
    assert (caught.value.code, caught.value.line, caught.value.column) == (code, 1, column)


# -- how deep a claim is looked into -----------------------------------------------------------------------------------
DEPTHS = [("A = softmax(S)", 1), ("dQ = dS K", 2), ("dV = A^T dZ", 2), ("Q K^T = S", 1), ("dS K = dQ", 1)]


@pytest.mark.parametrize(("claim", "depths"), DEPTHS)
def test_steps_are_written_out_no_further_than_needed(claim, depths):
    """A forward step by its own formula; a gradient by its own formula and with the backward steps written out."""
    statement = read_statement(claim, ATTENTION, {})
    found = _shallow(statement, statement.readings[0])
    assert len(found) == depths
    if statement.letter is not None:
        assert found[0] == (statement.subject.steps[statement.letter.name].definition, statement.readings[0].right)
    names = {x.name for side in found[-1] for x in side._free if hasattr(x, "name")}
    assert not names & {"dS", "dA", "dQ", "dV"}


LETTERS = [  # how many further letters; under so many letters it is not looked for what would make it right
    (1, True), (5, True), (6, False),
]  # fmt: skip


@pytest.mark.parametrize(("more", "is_told"), LETTERS)
def test_the_assumption_that_would_make_it_right_is_told_for_few_letters(more, is_told):
    rest = " + ".join(f"B_{k}" for k in range(1, more + 1))
    sizes = "\n".join(f"B_{k}: 3 1" for k in range(1, more + 1))
    found = verify(f"Y = ones(3, 1) + {rest}", of=f"X: 3 2\n{sizes}\nY = rowsum(X) + {rest}")
    assert found.kind == "refuted"
    assert any("every row of X adds up to 1" in note.en for note in found.notes) is is_told


def test_of_one_column_no_sum_is_told():
    found = verify("Y = ones(3, 1)", of="X: 3 1\nY = rowsum(X)")
    assert (found.kind, found.notes) == ("refuted", ())


# -- what a claim is about ---------------------------------------------------------------------------------------------
Y = X @ W
SUBJECTS = [  # what is given, the steps forward, those that nobody named
    ("softmax(Q K^T / sqrt(d_k)) V", ["S", "A", "Z"], {"S", "A", "Z"}), (ATTENTION, ["S", "A", "Z"], set()), ("A = softmax(Q K^T)", ["S", "A"], {"S"}), ({"Y": Y}, ["Y"], set()), (derive({"Y": Y}), ["Y"], set()), (differentiate(derive({"Y": Y})), ["Y"], set()), (read_expression("Y = X W"), ["Y"], set()), (subject_of("Y = X W"), ["Y"], set()),
]  # fmt: skip


@pytest.mark.parametrize(("given", "steps", "usual"), SUBJECTS)
def test_what_a_claim_may_be_about(given, steps, usual):
    found = subject_of(given)
    assert [step.name for step in found.forward.steps] == steps
    assert found.usual == usual
    assert {*steps, *(f"d{x}" for x in steps)} <= found.nodes.keys()
    assert found.no_loss >= {"d" + steps[-1]}
    assert (steps[-1] in found.no_loss) is (steps[-1] not in usual)


@pytest.mark.parametrize("given", [3, None, 2.5, object()])
def test_what_a_claim_may_not_be_about(given):
    with pytest.raises(UnreadableInput, match="expected an expression or a derivation, got"):
        subject_of(given)


def test_sizes_of_1_that_nobody_gave():
    assert [x.name for x in subject_of("Y = X W + b").inferred] == ["b"]
    assert subject_of("b: 1 d\nY = X W + b").inferred == ()
    assert subject_of("Y = X W").inferred == ()


def test_backward_steps_are_made_from_what_comes_in_and_forward_letters():
    found = subject_of(ATTENTION).cotangents
    assert {x.name for x in found} == {"dA", "dS", "dQ", "dK", "dV"}
    for side in found.values():
        assert {x.name for x in side._free if hasattr(x, "name")} <= {"dZ", "A", "V", "K", "Q", "d_k", "d_v", "n", "m"}


def test_letters_of_heads_are_no_numbers():
    found = subject_of("MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads=h)")
    assert [str(size) for size in found.heads.values()] == ["h"] * len(found.heads)
    assert "h" in found.numbers
    assert not {x.name for x in found.heads} & found.numbers.keys()


# -- derivatives that stand inside of a formula --------------------------------------------------------------------------
i, j, k, l_ = (Symbol(x, integer=True, nonnegative=True) for x in "ijkl")


def slope(of, above, below, **more):
    subject = subject_of(of, **more)
    body = Integer(1)
    for name in above.split():
        body = body * Entry(subject.nodes[name], i, j)
    return Slopes(subject)(body, Entry(subject.nodes[below], k, l_))


NO_SLOPES = [
    ("Y = X W", "Y", "dY", "a derivative by dY, which is neither an input nor a step forward"), ("Y = X W", "dY", "X", "it is not clear whether dY is held fixed"), ("Y = X W\nZ = Y + Y ⊙ Y", "dY", "X", "it is not clear whether dY is held fixed"), ("Y = tanh(X)\nZ = Y ⊙ X", "Z", "X", "X goes into Z itself and through another step"),
    ("Y = tanh(X)\nZ = Y ⊙ X\nT = Z B", "T", "X", "X goes into T itself and through another step"), ("Y = tanh(X)\nZ = tanh(Y)", "Y X", "X", "Y depends on X, too"), ("Y = tanh(X)\nZ = tanh(Y)", "Z Y", "Y", "Z depends on Y, too"),
]  # fmt: skip


@pytest.mark.parametrize(("of", "above", "below", "said"), NO_SLOPES)
def test_a_derivative_that_could_mean_two_things(of, above, below, said):
    with pytest.raises(NotSupported, match=said):
        slope(of, above, below)


@pytest.mark.parametrize(
    ("of", "above", "below"),
    [("Y = tanh(X)\nZ = Y ⊙ X", "Z", "Y"), ("Y = tanh(X)\nZ = Y ⊙ X", "Y", "X"), ("Y = tanh(X)\nZ = tanh(Y)", "Z", "X"), ("Y = tanh(X)\nZ = tanh(Y)", "Z Y", "X"), ("Y = X W", "Y W", "X")],
)  # fmt: skip
def test_a_derivative_that_means_one_thing(of, above, below):
    assert slope(of, above, below) != 0


def test_what_does_not_depend_on_it_has_no_slope():
    assert slope("Y = X W\nZ = Y B", "X", "Y") == 0
    assert slope("Y = X W\nZ = Y B", "X", "B") == 0


def test_rows_that_add_up_to_1_are_not_free():
    with pytest.raises(NotSupported, match="a derivative by X, whose entries are not free"):
        slope("Y = X W", "Y", "X", distributions="X")
    assert slope("Y = X W", "Y", "W", distributions="X") != 0


@pytest.mark.parametrize(("begun", "is_read"), [(PARTS_AT_MOST, True), (PARTS_AT_MOST + 1, False)])
def test_so_many_parts_and_no_more(begun, is_read):
    slopes = Slopes(subject_of("Y = X W"))
    slopes.numbers = count(begun)
    if is_read:
        assert slopes._in_letters(Integer(3)) == 3
    else:
        with pytest.raises(NotSupported, match="so long a formula"):
            slopes._in_letters(Integer(3))


def test_letters_of_sums_are_counted_from_1_and_are_all_different():
    slopes = Slopes(subject_of("Y = X W"))
    assert [str(slopes._fresh()) for _ in range(3)] == ["‹d1›", "‹d2›", "‹d3›"]


def test_where_no_letter_is_left_for_the_loss_it_is_said_what_it_is():
    for claim, of, said in (
        ("dJ = ∂E/∂J", "J = L W\nE = CrossEntropy(J, Y)", "E is the loss here"),
        ("dJ = ∂E/∂J", "J = L W\nE = J B", "stands alone on the left side"),
    ):
        with pytest.raises(ReadingError, match=said) as caught:
            decided(claim, of, {})
        assert (caught.value.code, caught.value.column) == ("derivative", 6)
