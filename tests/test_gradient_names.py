"""No letter beside a printed formula bears the name of a function, or of a number, that stands in it."""

import re

import pytest

from symtransformer import differentiate, verify
from symtransformer.errors import UnreadableInput
from symtransformer.reading import ReadingError, read_expression
from symtransformer.usual_names import derive_named


def gradient(text):
    return differentiate(derive_named(dict(read_expression(text).lines)))


@pytest.mark.parametrize(
    ("name", "formula", "said"),
    [
        ("pi", "GELUTanh({})", "the number π"),
        ("step", "ReLU({})", "step(...)"),
        ("Phi", "GELU({})", "Phi(...)"),
        ("phi", "GELU({})", "phi(...)"),
        ("mean", "LayerNorm({})", "mean(...)"),
        ("divide", "RMSNorm({})", "divide(...)"),
        ("ones", "tanh({})", "ones(...)"),
        ("broadcast", "softmax({})", "broadcast(...)"),
    ],
)
def test_a_letter_that_would_be_taken_for_a_function_is_refused(name, formula, said):
    with pytest.raises(UnreadableInput, match=re.escape(said)):
        gradient(f"{name} = X W\nY = {formula.format(name)}")
    assert gradient(f"H = X W\nY = {formula.format('H')}").formulas


@pytest.mark.parametrize(
    "text", ["pi = softmax(X W)\nY = pi V", "Phi = X W\nY = Phi (A + B)", "mean = X W\nY = tanh(mean)"]
)
def test_it_stays_where_nothing_else_is_called_so(text):
    assert gradient(text).formulas


def test_a_name_that_is_found_gives_way():
    made = gradient("GELU(rotate(X))")
    names = {step.name for step in made.derivation.steps}
    assert "Phi(R)" in str(made["R"].expression)
    assert "Phi" not in names
    assert "Phi" in {step.name for step in gradient("rotate(X)").derivation.steps}


@pytest.mark.parametrize(
    "text", ["exp = X W\nY = exp(exp)", "Phi = X W\nY = Phi(A + B)", "mean: n d\nY = mean(X) + mean"]
)
def test_a_call_of_a_letter_is_refused(text):
    with pytest.raises(ReadingError) as refused:
        read_expression(text)
    assert refused.value.code == "ambiguous"


def test_the_function_and_the_product_with_a_space_are_read():
    assert str(read_expression("E = X W\nY = exp(E)").expression) == "exp(X W)"
    assert str(read_expression("Phi = X W\nY = Phi (A + B)").expression) == "X W (A + B)"


def test_so_is_one_in_a_claim():
    of = "Phi = X W\nY = Phi (A + B)"
    assert verify("Y = Phi (A + B)", of=of).kind == verify("dA = Phi^T dY", of=of).kind == "proved"
    with pytest.raises(ReadingError, match="a function, too"):
        verify("Y = Phi(A + B)", of=of)


def test_a_half_as_exponent_is_a_root():
    assert read_expression("2^{1/2} A").expression is read_expression("sqrt(2) A").expression
    assert read_expression("d_k^{-1/2} Q K^T").expression is read_expression("(1/sqrt(d_k)) Q K^T").expression
