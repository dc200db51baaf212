"""A formula for a function of the library: which variant is meant, by its ε, its gain, its masks, weights and activation."""

import pytest
from sympy import Rational, S
from test_formula_document import document_of

from symtransformer.checking.formula_calls import (
    _calls,
    _epsilons,
    _same_number,
    _small_number,
    approximates,
    is_usual,
    judge_call,
    operation_of,
)
from symtransformer.checking.formula_eps import with_eps_0
from symtransformer.checking.formula_syntax import Call, Indexed, Named, Number, names_in
from symtransformer.checking.formula_writing import written
from symtransformer.operation import REGISTRY


def read(text):
    return document_of().read(text, "\\" in text)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0.00001", Rational(1, 10**5)), ("1e-5", Rational(1, 10**5)), ("10^{-5}", Rational(1, 10**5)), ("10^(-12)", Rational(1, 10**12)), ("1.5", Rational(3, 2)), ("2^{-5}", None), ("10^5", None), ("10^{-x}", None), ("x", None), ("5", None), ("10^{-2-3}", None),
        ("10^{2}", None), ("10^{x}", None), ("x^{-5}", None), ("10^(2 - 5)", None), ("sin(x)", None),
    ],
)  # fmt: skip
def test_a_number_that_may_be_epsilon(text, number):
    assert _small_number(read(text)) == number


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"\frac{x}{\sqrt{v + \epsilon}}", ["ε"]), ("x / sqrt(v)", ["ε = 0"]), ("x / sqrt(v + 0.001)", ["ε = 1/1000", "ε = 0"]), ("x / sqrt(v + 10^{-5})", ["ε = 1/100000", "ε = 0"]), ("0.5 x + 0.25 + 0.125 + 0.1", ["ε = 1/2", "ε = 1/4", "ε = 1/8", "ε = 0"]),
        ("0.5 x + 0.5 y", ["ε = 1/2", "ε = 0"]), ("x + eps", ["ε"]), (r"x + 0.5 \epsilon", ["ε"]),
    ],
)  # fmt: skip
def test_epsilon_as_it_stands_in_a_formula(text, shown):
    part = read(text)
    found = [*_epsilons(part, names_in(part))]
    assert [text for _, _, text in found] == shown
    for value, symbol, said in found:
        assert bool(symbol) is (said == "ε")
        assert symbol in ("", "epsilon", "eps")
        assert (value == S(said.partition("= ")[2])) if "=" in said else str(value) in ("epsilon", "eps", "ε")


@pytest.mark.parametrize(
    ("name", "operation", "expected"),
    [
        ("gamma", "LayerNorm", True), ("eps", "RMSNorm", True), ("W_1", "FeedForward", True), ("b_2", "FeedForward", True), ("M", "ScaledDotProductAttention", True), ("z", "LayerNorm", False), ("gamma", "GELU", False), ("d", "GELU", True), ("d_k", "Softmax", True),
        ("mu", "Standardization", True), ("sigma", "Standardization", True), ("x", "Softmax", False), ("alpha", "SmoothedTargets", True), ("M", "Softmax", False),
    ],
)  # fmt: skip
def test_letters_that_formulas_of_an_operation_use(name, operation, expected):
    assert is_usual(name, REGISTRY[operation]) is expected


@pytest.mark.parametrize(("function", "name"), [("softmax", "Softmax"), ("SoftMax", "Softmax"), ("sigma", "Sigmoid"), ("LayerNorm", "LayerNorm"), ("foo", None), ("Relu", "ReLU")])  # fmt: skip
def test_the_operation_of_a_name(function, name):
    found = operation_of(Call(function, ()))
    assert (found and found.__name__) == name


@pytest.mark.parametrize(
    ("name", "parameter", "expected"),
    [("W_1", "weight_1", True), ("W_2", "weight_1", False), ("W", "weight_1", True), ("W_1", "weight", True), ("W1", "weight_1", True), ("W2", "weight_1", False), ("W_12", "weight_2", True), ("W_Q", "weight_1", True)],
)  # fmt: skip
def test_weights_have_the_number_of_their_place(name, parameter, expected):
    assert _same_number(name, parameter) is expected


@pytest.mark.parametrize(
    ("operation", "arguments", "extras", "right", "found"),
    [
        ("FeedForward", "X", "W_1 b_1 W_2 b_2", "max(0, X W_1 + b_1) W_2 + b_2", ["FeedForward(X, weight_1=W_1, bias_1=b_1, weight_2=W_2, bias_2=b_2)"]), ("FeedForward", "X", "W_1 b_1 W_2", "ReLU(X W_1 + b_1) W_2", []), ("FeedForward", "X", "W_1 W_2 b_2", "ReLU(X W_1) W_2", []),
        ("FeedForward", "X", "W_1 W_2", "GELU(X W_1) W_2", ["FeedForward(X, weight_1=W_1, weight_2=W_2, activation=GELU)", "FeedForward(X, weight_1=W_1, weight_2=W_2)"]), ("FeedForward", "X", "W_2 W_1", "X", ["FeedForward(X, weight_1=W_1, weight_2=W_2)"]),
        ("FeedForward", "X", "U W_1", "X", ["FeedForward(X, weight_1=W_1)"]), ("LayerNorm", "x", "gamma beta", "x", ["LayerNorm(x, gain=gamma, shift=beta)"]), ("LayerNorm", "x", "beta", "x", ["LayerNorm(x, shift=beta)"]), ("LayerNorm", "x g", "b", "x", ["LayerNorm(x, g, shift=b)"]),
        ("Softmax", "S", "M", "S", ["Softmax(S)"]), ("LayerNorm", "x", "", "x", ["LayerNorm(x)"]), ("LayerNorm", "x", "w g", "x", ["LayerNorm(x, gain=w)"]), ("LayerNorm", "x", "w_1 b_x", "x", ["LayerNorm(x, gain=w_1, shift=b_x)"]),
    ],
)  # fmt: skip
def test_how_the_operation_is_called(operation, arguments, extras, right, found):
    call = Call(operation, tuple(map(Named, arguments.split())))
    made = [*_calls(REGISTRY[operation], call, arguments.split(), extras.split(), read(right))]
    assert [text for text, _ in made] == found
    assert [variant for _, variant in made] == [
        ", ".join(p for p in text[:-1].partition("(")[2].split(", ") if "=" in p) for text in found
    ]


def test_words_that_are_given_stand_in_the_call():
    call = Call("LayerNorm", (Named("x"),), (("eps", Number("0")),))
    assert [*_calls(REGISTRY["LayerNorm"], call, ["x"], ["g"], read("x"))] == [
        ("LayerNorm(x, eps=0, gain=g)", "eps=0, gain=g")
    ]


# -- the best variant first ---------------------------------------------------------------------------------------------
def best(function, right, *lines, argument="x", index=()):
    document = document_of(*lines)
    call = Call(function, (Named(argument),))
    found = judge_call(document, Indexed(call, index) if index else call, document.read(right, "\\" in right))
    return (found[0].decision.kind, found[0].variant, found[0].note and found[0].note.name) if found else None


@pytest.mark.parametrize(
    ("function", "right", "kind", "variant", "note"),
    [
        ("LayerNorm", r"\frac{x - \mu}{\sigma}", "proved", "ε = 0", None), ("LayerNorm", r"\gamma \odot \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta", "proved", "gamma, beta, ε", None), ("LayerNorm", r"\gamma \odot \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} - \beta", "refuted", None, None),
        ("LayerNorm", r"\frac{x - \mu}{\sqrt{\sigma^2 + 0.001}}", "proved", "ε = 1/1000", None), ("LayerNorm", r"\frac{x - \mu}{\sigma + \epsilon}", "proved", "ε", "eps_outside"), ("LayerNorm", r"\gamma \odot \frac{x - \mu}{\sigma + \epsilon} + \beta", "proved", "gamma, beta, ε", "eps_outside"),
        ("LayerNorm", r"\frac{x + \mu}{\sigma}", "refuted", None, None), ("RMSNorm", r"g \odot \frac{x}{\sqrt{mean(x^2) + \epsilon}}", "proved", "g, ε", None), ("RMSNorm", r"\frac{x}{\sqrt{mean(x^2)} + \epsilon}", "proved", "ε", "eps_outside"), ("RMSNorm", r"\frac{x}{mean(x^2)}", "refuted", None, None),
        ("GELU", r"x \Phi(x)", "proved", "", None), ("GELU", r"x \sigma(1.702 x)", "proved", "", "sigmoid_gelu"), ("GELU", r"x \sigma(1.6 x)", "refuted", None, None), ("sigmoid", r"\frac{1}{1 + e^{-x}}", "proved", "", None), ("sigmoid", r"\frac{1}{1 + e^{x}}", "refuted", None, None),
    ],
)  # fmt: skip
def test_the_variant_that_is_meant(function, right, kind, variant, note):
    found = best(function, right)
    assert found[0] == kind
    assert variant is None or found[1:] == (variant, note)


def test_what_is_no_function_of_the_library_has_no_variant():
    assert judge_call(document_of(), Call("foo", (Named("x"),)), Named("x")) == []


def test_statistics_that_the_document_gives():
    assert best("LayerNorm", r"\frac{x - \mu}{s}", r"s = \sqrt{var(x)}")[0] == "proved"
    assert best("LayerNorm", r"\frac{x - \mu}{s}", r"s = var(x)")[0] == "refuted"
    assert best("LayerNorm", r"\frac{x - m}{\sqrt{\sigma^2}}", r"\sigma^2 = var(x)", "m = mean(x)")[0] == "proved"
    assert best("LayerNorm", r"\frac{x - m}{\sqrt{\sigma^2}}", r"\sigma^2 = var(x)", "m = sum(x)")[0] == "refuted"


@pytest.mark.parametrize(
    ("left", "right", "note"),
    [
        (r"x \Phi(x)", r"0.5 x (1 + \tanh(\sqrt{2/\pi} (x + 0.044715 x^3)))", "tanh_gelu"), (r"0.5 x (1 + \tanh(\sqrt{2/\pi} (x + 0.044715 x^3)))", r"x \Phi(x)", "tanh_gelu"), (r"x \Phi(x)", r"x \sigma(1.702 x)", "sigmoid_gelu"), (r"x \Phi(x)", r"x \sigma(1.8 x)", None),
        (r"x \Phi(x)", r"x \Phi(x)", None), (r"x \Phi(x)", r"y \sigma(1.702 y)", None), (r"X \Phi(X)", r"X \sigma(1.702 X)", None), (r"x_i \Phi(x_i)", r"x_i \sigma(1.702 x_i)", None), ("2", "3", None),
    ],
)  # fmt: skip
def test_one_side_is_the_usual_stand_in_of_the_other(left, right, note):
    found = approximates(document_of(), read(left), read(right))
    assert (found and found.name) == note


# -- ε = 0 ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("lines", "sides", "found"),
    [
        ((), ("LayerNorm(2 x)", "LayerNorm(x)"), ["LayerNorm(2 x, eps=0)", "LayerNorm(x, eps=0)"]), ((), ("softmax(x)", "x"), None), ((), ("LayerNorm(x, eps=1)", "x"), None), (("y = LayerNorm(x)",), ("2 y", "y"), ["2 y", "y"]), (("y = softmax(x)",), ("2 y", "y"), None),
        ((), ("LayerNorm(x) + eps", "x"), None), (("eps = 3",), ("LayerNorm(x)", "x"), None), (("z = x + eps",), ("LayerNorm(x)", "x"), None), (("LayerNorm(x) = x / sqrt(v + 0.001)",), ("LayerNorm(2 x)", "x"), None), (("LayerNorm(x) = x / 2",), ("LayerNorm(x)", "x"), ["LayerNorm(x, eps=0)", "x"]),
        (("LayerNorm(x) = x / 0.5 + 0 + 1",), ("LayerNorm(x)", "x"), ["LayerNorm(x, eps=0)", "x"]), (("LayerNorm(x) = x / (v + 3)",), ("LayerNorm(x)", "x"), None), ((), ("RMSNorm(LayerNorm(x))", "x"), ["RMSNorm(LayerNorm(x, eps=0), eps=0)", "x"]),
    ],
)  # fmt: skip
def test_a_document_that_says_no_epsilon_means_none(lines, sides, found):
    document = document_of(*lines)
    made = with_eps_0(document, *map(document.read, sides))
    assert (made and ["".join(written(side)) for side in made[1]]) == found
    if made and "y" in document.definitions:
        assert written(made[0].definitions["y"].right) == "LayerNorm(x, eps=0)"
        assert written(document.definitions["y"].right) == "LayerNorm(x)"
