"""Derivations: which steps there are, in which order, under which names, and what they stand for."""

from dataclasses import FrozenInstanceError, replace

import pytest
from sympy import Rational, Sum, sqrt

from symtransformer import (
    Column,
    Derivation,
    Follow,
    Section,
    Step,
    Sweep,
    Words,
    derive,
    dimension,
    head_index,
    matrix,
    parameter,
)
from symtransformer.derivation import row_of, with_values, written_out
from symtransformer.errors import NotSupported, ShapeError, UnreadableInput
from symtransformer.operations import (
    Concatenation,
    HeadConcatenation,
    HeadSum,
    Linear,
    Mask,
    Row,
    ScaledDotProductAttention,
    SingleHead,
    Softmax,
)  # fmt: skip

n, m, d, d_k, d_v, h = (dimension(name) for name in ("n", "m", "d_model", "d_k", "d_v", "h"))
i = head_index()
X, W_Q, W_K, W_V = matrix("X", n, d), matrix("W_Q", d, d_k), matrix("W_K", d, d_k), matrix("W_V", d, d_v)
HEAD = SingleHead(X, W_Q, W_K, W_V)
STEPS = derive(HEAD)
HEADS = HeadConcatenation(SingleHead(X, *(w.of_head(i) for w in (W_Q, W_K, W_V))), i, 2)


def equations(derivation):
    return [f"{step.letter} = {step.expression}" for step in derivation.steps]


def test_one_head_by_its_named_parts_in_order():
    assert equations(STEPS) == [
        "Q = X W_Q",
        "K = X W_K",
        "V = X W_V",
        "S = Q K^T / sqrt(d_k)",
        "A = softmax(S)",
        "Z = A V",
    ]
    assert [step.letter.shape for step in STEPS.steps] == [(n, d_k), (n, d_k), (n, d_v), (n, n), (n, n), (n, d_v)]
    assert STEPS.inputs == (X, W_Q, W_K, W_V)
    assert STEPS.title == HEAD.title


def test_stages_show_what_softmax_does():
    fine = derive(HEAD, stages=True)
    assert equations(fine)[4:] == ["U = exp(S)", "c = rowsum(U)", "A = divide(U, c)", "Z = A V"]
    assert str(fine["A"].definition) == "softmax(S)"
    assert fine["A"].stands_for is STEPS["A"].stands_for
    assert STEPS["A"].definition is STEPS["A"].expression


def test_cross_attention_of_unequal_lengths():
    steps = derive(ScaledDotProductAttention(matrix("Q", n, d_k), matrix("K", m, d_k), matrix("V", m, d_v)))
    assert equations(steps) == ["S = Q K^T / sqrt(d_k)", "A = softmax(S)", "Z = A V"]
    assert [step.letter.shape for step in steps.steps] == [(n, m), (n, m), (n, d_v)]


def test_mask_stands_inside_the_softmax():
    steps = derive(SingleHead(X, W_Q, W_K, W_V, matrix("M", n, n)))
    assert equations(steps)[3:5] == ["S = Q K^T / sqrt(d_k)", "A = softmax(S + M)"]
    assert [letter.name for letter in steps.inputs] == ["X", "W_Q", "W_K", "W_V", "M"]


def test_unequal_sizes_are_refused_before_anything_is_derived():
    with pytest.raises(ShapeError, match="columns of queries and keys"):
        derive(ScaledDotProductAttention(matrix("Q", n, d_k), matrix("K", m, d_v), matrix("V", m, d_v)))
    with pytest.raises(ShapeError, match="rows of keys and values"):
        derive(ScaledDotProductAttention(matrix("Q", n, d_k), matrix("K", m, d_k), matrix("V", n, d_v)))
    with pytest.raises(ShapeError):
        derive(SingleHead(X, W_Q.T, W_K, W_V))


# -- formulas of a step ---------------------------------------------------------------------------
def test_entry_is_one_step_down():
    Q, K = STEPS["Q"].letter, STEPS["K"].letter
    k = STEPS["S"].entry(1, 0).atoms(Sum).pop().limits[0][0]
    assert STEPS["S"].entry(1, 0) == Sum(Q[1, k] * K[0, k], (k, 0, d_k - 1)) / sqrt(d_k)
    (total,) = STEPS["Q"].entry(1, 0).atoms(Sum)
    assert total.function.args == (X[1, k], W_Q[k, 0])
    assert tuple(total.limits[0]) == (k, 0, d - 1)
    two = derive(SingleHead(matrix("X", 3, 2), *(matrix(w, 2, 4) for w in ("W_Q", "W_K", "W_V"))))
    A, V = two["A"].letter, two["V"].letter
    assert two["Z"].entry(2, 3).doit() == A[2, 0] * V[0, 3] + A[2, 1] * V[1, 3] + A[2, 2] * V[2, 3]
    with pytest.raises(IndexError, match="row 3 of a matrix with 3 rows"):
        two["Z"].entry(3, 0)


def test_row_is_taken_as_far_in_as_rows_go():
    expected = {"Q": "q_2 = x_2 W_Q", "S": "s_2 = q_2 K^T / sqrt(d_k)", "A": "a_2 = softmax(s_2)", "Z": "z_2 = a_2 V"}
    assert {name: " = ".join(map(str, STEPS[name].row(1))) for name in expected} == expected
    for step in STEPS.steps:
        assert step.row(1)[0].shape == step.row(1)[1].shape == (1, step.letter.shape[1])
    assert row_of(X.T, 1) is Row(X.T, 1)
    assert str(row_of(Linear(X, W_Q, matrix("b", d_k, 1)), 0)) == "x_1 W_Q + b^T"


@pytest.mark.parametrize(
    "expression", [HEAD, HEADS, Linear(X, W_Q, matrix("b", d_k, 1)), SingleHead(X, W_Q, W_K, W_V, matrix("M", n, n))]
)
def test_steps_put_into_one_another_are_what_they_stand_for(expression):
    steps = derive(expression)
    for step in steps.steps:
        assert steps.expanded(step.name) is step.stands_for
    assert steps.steps[-1].stands_for.shape == expression.shape


def test_family_of_a_symbolic_number_of_heads_is_put_together_again():
    family = HeadConcatenation(SingleHead(X, *(w.of_head(i) for w in (W_Q, W_K, W_V))), i, h)
    steps = derive(family)
    assert equations(steps)[-2:] == ["A^(i) = softmax(S^(i))", "Y = Concat(A^(i) V^(i), i = 1..h)"]
    for step in steps.steps:
        assert steps.expanded(step.name) is step.stands_for


def test_written_out_takes_the_head_that_is_asked_for():
    j = head_index("j")
    behind = {matrix("Y", n, d_k).of_head(i): X @ W_Q.of_head(i)}
    asked = matrix("Y", n, d_k)
    assert written_out(asked.of_head(1), behind) is X @ W_Q.of_head(1)
    assert written_out(HeadSum(asked.of_head(j), j, h), behind) is HeadSum(X @ W_Q.of_head(j), j, h)
    assert written_out(asked, behind) is asked


# -- names ----------------------------------------------------------------------------------------
def test_shared_parts_get_a_name():
    shared = Softmax(X)
    assert equations(derive(shared + shared @ W_Q @ W_Q.T)) == ["T = softmax(X)", "Y = T + T W_Q W_Q^T"]
    assert equations(derive(Softmax(X) @ W_Q)) == ["Y = softmax(X) W_Q"]


def test_names_are_given_to_parts():
    product = X @ W_Q
    assert equations(derive(Softmax(product), names={product: "P_1"})) == ["P_1 = X W_Q", "Y = softmax(P_1)"]
    assert equations(derive(HEAD, names={STEPS["S"].stands_for: "E"}))[3:5] == [
        "E = Q K^T / sqrt(d_k)",
        "A = softmax(E)",
    ]
    with pytest.raises(UnreadableInput, match="nothing to call P, because X W_V is no part of the expression"):
        derive(Softmax(product), names={X @ W_V: "P"})
    for wrong in ("", "1a", "a b", "a__b", "__import__", "Q\\input", "x" * 40):
        with pytest.raises(UnreadableInput, match="is not a name"):
            derive(Softmax(product), names={product: wrong})


def test_names_never_meet_those_of_inputs():
    inputs = [
        matrix(name, rows, cols) for name, rows, cols in (("Q", n, d), ("S", d, d_k), ("A", d, d_k), ("Y", d, d_v))
    ]
    steps = derive(SingleHead(*inputs))
    assert equations(steps) == [
        "B = Q S",
        "K = Q A",
        "V = Q Y",
        "C = B K^T / sqrt(d_k)",
        "D = softmax(C)",
        "Z = D V",
    ]
    assert steps.inputs == tuple(inputs)
    names = [step.name for step in steps.steps]
    assert len(set(names)) == len(names)


def test_several_expressions_at_once():
    steps = derive({"P": X @ W_Q, "R": Softmax(X @ W_Q)})
    assert equations(steps) == ["P = X W_Q", "R = softmax(P)"]


def test_a_bare_letter_has_no_step():
    for bare in (X, {"P": X}, {"P": X, "R": X @ W_Q}, [[1, 2]]):
        with pytest.raises(UnreadableInput, match="nothing to unfold"):
            derive(bare)


# -- heads ----------------------------------------------------------------------------------------
def test_heads_unfold_one_by_one_where_their_number_is_known():
    names = [step.name for step in derive(HEADS).steps]
    assert names == ["Q_1", "K_1", "V_1", "Q_2", "K_2", "V_2", "S_1", "A_1", "S_2", "A_2", "Y"]
    assert str(derive(HEADS)["Q_2"].expression) == "X W_Q^(2)"
    assert derive(HEADS)["Q_2"].stands_for is X @ W_Q.of_head(1)


def test_a_part_of_two_heads_at_once_is_refused():
    other = head_index("j")
    with pytest.raises(NotSupported, match="belongs to the heads i, j at once"):
        derive(W_Q.of_head(i).T @ X.T @ X @ W_K.of_head(other))


# -- records --------------------------------------------------------------------------------------
def test_unknown_step_names_list_those_that_exist():
    for look in (lambda: STEPS["B"], lambda: STEPS.expanded("B")):
        with pytest.raises(UnreadableInput, match="there is no step 'B'; the steps are Q, K, V, S, A, Z"):
            look()


@pytest.mark.parametrize(
    "record",
    [
        STEPS,
        STEPS.steps[0],
        Section(Words("a", "あ")),
        Column("A", 1, 0),
        Sweep(parameter("t"), (0, 1), ()),
        Follow("Z", "row", 1),
    ],
)
def test_records_are_frozen(record):
    field = next(iter(record.__dataclass_fields__))
    with pytest.raises(FrozenInstanceError):
        setattr(record, field, None)


def test_follow_takes_a_row_or_a_column():
    for axis, index in (("diagonal", 0), ("row", -1)):
        with pytest.raises(UnreadableInput, match="expected a row or a column"):
            Follow("Z", axis, index)


def test_values_are_kept_and_replaced_by_letter():
    steps = derive(X @ W_Q, values={X: [[1, 2]], W_Q: [[3], [4]]})
    assert dict(with_values(steps, {X: [[5, 6]]}).values) == {X: ((5, 6),), W_Q: ((3,), (4,))}
    assert dict(steps.values)[X] == ((1, 2),)


def test_a_derivation_gives_each_name_once_and_in_order():
    first, second = derive({"P": X @ W_Q, "R": Softmax(X @ W_Q)}).steps
    title = Words("two steps", "2 段")
    assert Derivation((first, second), title).expanded("R") is Softmax(X @ W_Q)
    with pytest.raises(UnreadableInput, match="the name P is given to two steps"):
        Derivation((first, replace(first, expression=X @ W_Q * Rational(1001, 1000))), title)
    with pytest.raises(UnreadableInput, match="step R uses P, which no earlier step defines"):
        Derivation((second, first), title)
    with pytest.raises(UnreadableInput, match="step P uses P"):
        Derivation((replace(first, expression=first.letter + first.letter),), title)
    with pytest.raises(UnreadableInput, match="step R must stand for inputs only, not for P"):
        Derivation((first, replace(second, stands_for=second.expression)), title)


def test_labels_of_an_axis():
    steps = derive(HEAD, labels={n: [Words("cat", "猫"), Words("sleeps", "眠る")]})
    assert steps.label_of("n", 1) == Words("sleeps", "眠る")
    assert steps.label_of("n", 2) is None
    assert steps.label_of("d_k", 0) is None


def test_a_step_is_made_of_its_letter_and_words_in_both_languages():
    for step in derive(HEAD, stages=True).steps:
        assert isinstance(step, Step)
        assert step.letter.name == step.name
        assert step.title.en
        assert step.title.ja
        assert step.explanation.en != step.explanation.ja
    assert Concatenation(X, X).shape == (n, 2 * d)
    assert Mask(X, X).shape == (n, d)
