"""Rows and columns of a matrix, places that are worked out, the loss under its own name, numbers of equations, carets."""

import pytest

from symtransformer import dimension, matrix, verify
from symtransformer.errors import UnreadableInput
from symtransformer.gradients import differentiate
from symtransformer.index_notation import index_form
from symtransformer.judge import judge_line
from symtransformer.operations import ColumnPad, ColumnSlice, Product, Row, RowPad, RowSlice, Tanh
from symtransformer.reading import ReadingError

n, d, m, k = map(dimension, ("n", "d", "m", "k"))
X, W, C = matrix("X", n, d), matrix("W", d, m), matrix("C", k, d)
SLICES = [
    RowSlice(X, 0, 2), ColumnSlice(X, 1, 2), RowSlice(X, k, m), ColumnSlice(X, d - 1, 1), Row(X, 1), RowSlice(Tanh(X), 1, 3),
]  # fmt: skip


@pytest.mark.parametrize("expression", SLICES, ids=str)
def test_every_line_about_a_part_is_proved(expression):
    gradient = differentiate(expression)
    lines = index_form(gradient, "X").every_line
    assert [judge_line(line, gradient.derivation).kind for line in lines] == ["proved"] * len(lines)


@pytest.mark.parametrize(
    ("expression", "claim", "kind"),
    [
        (RowSlice(X, 0, 2), "∂L/∂x_jc = Σ_(i=1..2) Σ_a ∂L/∂y_ia ∂x_ia/∂x_jc", "proved"),
        (RowSlice(X, 0, 2), "∂L/∂x_jc = Σ_(i=1..2) ∂L/∂y_ic δ_ij", "proved"),
        (RowSlice(X, 0, 2), "∂L/∂x_jc = Σ_i ∂L/∂y_ic δ_ij", "proved"),
        (RowSlice(X, 0, 2), "∂L/∂x_jc = Σ_i ∂L/∂y_ic δ_(i,j + 1)", "refuted"),
        (RowSlice(X, 0, 2), "∂L/∂x_jc = Σ_(i=1..3) ∂L/∂y_ic δ_ij", "shapes"),
        (RowSlice(X, 0, 2), "∂L/∂x_jc = ∂L/∂y_jc", "shapes"),
        (RowSlice(X, k, m), "∂L/∂x_jc = Σ_i Σ_a ∂L/∂y_ia ∂x_(i + k,a)/∂x_jc", "proved"),
        (RowSlice(X, k, m), r"\frac{\partial L}{\partial x_{jc}} = \sum_{i=1}^{m} \frac{\partial L}{\partial y_{ic}} \delta_{j,i + k}", "proved"),
        (RowSlice(X, k, m), "∂L/∂x_jc = Σ_i ∂L/∂y_ic δ_(j,i + m)", "refuted"),
        (RowSlice(X, k, m), "∂L/∂X = padrow[k + 1 of n](∂L/∂Y)", "proved"),
        (RowSlice(X, k, m), "∂L/∂X = padrow[k of n](∂L/∂Y)", "refuted"),
        (RowPad(C, 1, k + 3), "∂L/∂C = dY[2:k + 1, :]", "proved"),
        (RowPad(C, 1, k + 3), "∂L/∂C = dY[1:k + 1, :]", "proved"),  # as in Python
        (RowPad(C, 1, k + 3), "∂L/∂C = dY[1:k, :]", "refuted"),
        (ColumnPad(C, 2, d + 2), "dC = dY[:, 3:]", "proved"), (ColumnPad(C, 2, d + 2), "dC = dY[:, 2:]", "proved"),
        (ColumnPad(C, 2, d + 2), "dC = dY[:, :d]", "refuted"), (ColumnPad(C, 2, d + 2), "dC = dY[:, 4:]", "shapes"),
        (ColumnPad(C, 2, d + 2), r"dC = \left(dY\right)_{:,\,3:d + 2}", "proved"),
        (Product(X, W), "∂L/∂x_jc = Σ_(i=1..2) Σ_a ∂L/∂y_ia ∂y_ia/∂x_jc", "refuted"),
    ],
    ids=str,
)  # fmt: skip
def test_parts_are_read_and_judged(expression, claim, kind):
    assert verify(claim, of={"Y": expression}).kind == kind


def test_a_product_over_a_part_that_counts_both_ways_is_not_decided():
    with pytest.raises(ReadingError, match="counts from 1 on a page and from 0 in Python"):
        verify("dX = dY[:, 1:3] W[:, 1:3]^T", of={"Y": Product(X, matrix("W", d, 3))})


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        ("rowsum(Q ⊙ dQ) = rowsum(R ⊙ dR)", "tested"), ("rowsum(Q ⊙ dQ) = 2 rowsum(R ⊙ dR)", "refuted"),
        ("rowsum(Q ⊙ Q) = rowsum(R ⊙ R)", "tested"), ("rowsum(Q ⊙ R) = rowsum(R ⊙ R)", "refuted"),
    ],
)  # fmt: skip
def test_a_rotation_keeps_lengths(claim, kind):
    assert verify(claim, of="R = rotate(Q)").kind == kind


# -- the loss under its own name ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("of", "claim", "kind"),
    [
        ("y = x^T x", "∂y/∂x_i = 2 x_i", "proved"), ("y = x^T x", "∂y/∂x_i = x_i", "refuted"),
        ("Y = x^T x", "∂y/∂x = 2 x", "proved"), ("y = x^T x", "dy/dx_i = 2 x_i", "proved"),
        ("y = x^T A x", r"\frac{\partial y}{\partial x} = (A + A^T) x", "proved"),
        ("y = x^T A x", r"\frac{\partial y}{\partial x} = 2 A x", "refuted"),
        ("h = W x\ny = h^T h", "∂y/∂x_i = Σ_j ∂y/∂h_j ∂h_j/∂x_i", "proved"),
        ("h = W x\ny = h^T h", "∂y/∂x_i = Σ_j ∂y/∂h_j ∂h_j/∂x_i / 2", "refuted"),
    ],
)  # fmt: skip
def test_a_loss_has_its_own_name(of, claim, kind):
    assert verify(claim, of=of).kind == kind


def test_the_name_of_a_matrix_is_no_loss():
    with pytest.raises(ReadingError, match="alone on the left side"):
        verify("∂Y/∂X = W^T", of="Y = X W")


# -- the number of an equation -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("number", ["(3)", "(3.1)", "(2.14.3)", "(12a)"])
def test_the_number_of_an_equation_is_no_factor(number):
    for set_off in ("   ", "\t\t\t", r" \quad "):
        assert verify(f"dX = dY W^T{set_off}{number}", of="Y = X W").kind == "proved"
        assert verify(f"dX = 2 dY W^T{set_off}{number}", of="Y = X W").kind == "refuted"
    wrong = verify(f"dX = 2 dY W^T {number}", of="Y = X W")
    assert (wrong.kind, wrong.claimed) == ("refuted", "dX = 2 dY W^T")


@pytest.mark.parametrize(
    ("of", "claim"),
    [
        ("Y = X W", "dX = dY W^T (3)"),
        ("Y = X W", "dX = dY W^T (0.5)"),
        ("y = x^T x", "∂y/∂x = x (2)"),
        ("Y = X W", "dX = 0.5 dY W^T (2.0)"),
    ],
)
def test_what_may_be_a_factor_or_a_number_is_not_decided(of, claim):
    with pytest.raises(ReadingError, match="number of the equation, or a factor") as refused:
        verify(claim, of=of)
    assert claim[refused.value.column - 1 :].lstrip().startswith("(")


@pytest.mark.parametrize("number", ["(3.1)", "(3a)", "(2.14.3)", "(3.1)."])
def test_a_number_with_a_point_or_a_letter_is_that_of_the_equation_and_told(number):
    found = verify(f"dX = dY W^T {number}", of="Y = X W")
    told = any("number of the equation" in words.plain("en") for words in found.notes)
    assert found.kind == "proved"
    assert told == number.startswith("(3.1)")  # 3.1 alone is a number that could be a factor
    for wrong in ("dX = dY W {}", "dX = 2 dY W^T {}", "dX = -dY W^T {}", "dW = X dY {}"):
        assert verify(wrong.format(number), of="Y = X W").kind in ("refuted", "shapes")


def test_where_it_makes_no_difference_it_may_be_either():
    assert verify("dX = dY W^T (1)", of="Y = X W").kind == "proved"
    assert verify("dX = dY W^T (12a)", of="Y = X W").kind == "proved"
    assert verify("dX = dY W^T * (3)", of="Y = X W").kind == "refuted"


# -- where an error is, and what it says -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("of", "claim", "marked"),
    [
        ("softmax(Q K^T) V", "∂L/∂Q = ∂L/∂S K + dQ", "∂L/∂S K"),
        ("softmax(Q K^T) V", "∂L/∂Q = ∂L/∂S ∂A/∂S K", "∂A/∂S"),
        ("softmax(Q K^T) V", "∂L/∂K = \\frac{\\partial L}{\\partial S} = Q", "= Q"),
        ("sin(X)", "∂L/∂X = dY ⊙ sin(pi n)", "pi n"),
    ],
)
def test_the_caret_stands_where_the_error_is_behind_a_derivative(of, claim, marked):
    with pytest.raises(ReadingError) as refused:
        verify(claim, of=of)
    assert claim[refused.value.column - 1 :].startswith(marked)


def test_an_input_with_the_name_of_a_gradient_does_not_mislead():
    gradient = differentiate(Product(X, matrix("dX", d, m)))
    assert [gradient["X"].name, gradient["dX"].name] == ["dX2", "ddX"]
    assert [index_form(gradient, name).letter.name for name in ("X", "dX")] == ["X", "dX"]
    with pytest.raises(UnreadableInput, match="no gradient with respect to X2; there are those with respect to X, dX"):
        index_form(gradient, "X2")


@pytest.mark.parametrize(
    ("claim", "said"), [("dC = dY[:, 3:]", "count from 1 and"), ("dC = dY[:, 2:]", "count from 0, as in Python")]
)
def test_how_parts_were_counted_is_told(claim, said):
    assert any(said in note.en for note in verify(claim, of={"Y": ColumnPad(C, 2, d + 2)}).notes)


def test_text_is_refused_with_what_to_do():
    for given in ("X W", "X W + " * 20 + "b"):
        with pytest.raises(UnreadableInput, match=r"read it first: read_expression\(text\)\.expression"):
            differentiate(given)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("dX[:, 1:1] = 2 (dY ⊙ X)[:, 1:1]", "proved"),
        ("dX[:, 1:1] = 3 (dY ⊙ X)[:, 1:1]", "refuted"),
        ("dX[:, 2:1] = 2 (dY ⊙ X)[:, 2:1]", "holds no column"),
        ("dX[:0, :] = 2 (dY ⊙ X)[:0, :]", "holds no row"),
    ],
)
def test_a_part_without_rows_or_columns_is_told(claim, said):
    of = "X: 2 2\nY = X ⊙ X"
    if said in ("proved", "refuted"):
        assert verify(claim, of=of).kind == said
    else:
        with pytest.raises(ReadingError, match=said):
            verify(claim, of=of)


def test_both_sides_count_the_heads_alike():
    """dZ^(i) is the i-th part of dY, and what is shown beside a claim says so, as the same words are read back."""
    model = "MultiHead(X, W_Q, W_K, W_V, W_O, h)"
    right, wrong = (f"dZ^(i) = dY[:, {part}]" for part in ("(i - 1) d_v + 1 : i d_v", "i d_v + 1 : (i + 1) d_v"))
    found, refused = (verify(claim, of=model) for claim in (right, wrong))
    assert (found.kind, found.claimed, found.derived) == ("proved", right, right)
    assert (refused.kind, refused.claimed, refused.derived) == ("refuted", wrong, right)
    assert right in verify("dW_Q^(i) = X^T dQ^(i)", of=model).steps
