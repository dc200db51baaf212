"""How a formula is written for the library's readers, and what is a number, a scale, a name, an index in it."""

import pytest
from formula_trees import read, tree

from symtransformer.checking.formula_syntax import (
    Call,
    Delta,
    Derivative,
    Factors,
    Named,
    Number,
    Terms,
    Total,
    changed,
    every_part,
    free_indices,
    functions_in,
    names_in,
    parts_of,
    put_in,
    renamed,
)
from symtransformer.checking.formula_writing import is_number, with_stars_entrywise, without_scale, written
from symtransformer.checking.formulas import judge_formula

WRITTEN = [
    ("2.50", "2.50"), ("x", "x"), ("x_i", "x_{i}"), ("x_{i,j}", "x_{i,j}"), (r"\frac{\partial a_i}{\partial z_j}", "∂a_{i}/∂z_{j}"),
    (r"\delta_{ij}", "δ_{i,j}"), ("(A B)_{ia}", "(A B)_{i,a}"), ("softmax(x)_i", "(softmax(x))_{i}"),
    ("Σ_j a_j", "Σ_{j} a_{j}"), (r"\sum_{j=1}^{n} a_j", "Σ_{j=1}^{n} a_{j}"), (r"\sum_{j \neq i} a_j", "Σ_{j≠i} a_{j}"),
    (r"\sum_{j \leq i} a_j", "Σ_{j≤i} a_{j}"), (r"\sum_{j \geq i} a_j", "Σ_{j≥i} a_{j}"), (r"\sum_{j<i} a_j", "Σ_{j<i} a_{j}"),
    ("Σ_j a_j b_j", "Σ_{j} (a_{j} b_{j})"), ("Σ_j (a_j + b_j)", "Σ_{j} (a_{j} + b_{j})"),
    ("a + b", "a + b"), ("a - b", "a - b"), ("-a", "-a"), ("-a + b", "-a + b"), ("-a - b", "-a - b"), ("a - b + c", "a - b + c"),
    ("a - (b - c)", "a - (b - c)"), ("-(a - b)", "-(a - b)"), ("a + Σ_j b_j", "a + (Σ_{j} b_{j})"), ("(a)", "a"), ("((a + b))", "a + b"),
    ("A ⊙ B", "A ⊙ B"), ("A B ⊙ C", "(A B) ⊙ C"), ("(A + B) ⊙ C", "(A + B) ⊙ C"), ("A^T ⊙ B", "A^T ⊙ B"),
    ("A B", "A B"), ("a · b", "a · b"), ("a * b", "a * b"), ("A @ B", "A B"), ("a / b", "a / b"), ("a / b / c", "(a / b) / c"),
    ("a b / c", "(a b) / c"), ("a / b * c", "(a / b) * c"), ("a / b · c", "(a / b) · c"), ("a * 2", "(a) * 2"), ("2 a", "2 a"),
    ("1 a", "1.0 a"), ("1 / a", "1 / a"), ("1 / a * b", "(1 / a) * b"), ("1", "1"), ("(1 + a) b", "(1 + a) b"),
    ("x^2", "x^2"), ("x^n", "x^(n)"), ("x^{-1}", "x^(-1)"), ("(a + b)^2", "(a + b)^2"), ("f(x)^2", "f(x)^2"), ("x^{n+1}", "x^(n + 1)"),
    ("A^T", "A^T"), ("(A B)^T", "(A B)^T"), ("(A^T)^T", "(A^T)^T"), ("A^T B", "A^T B"), ("f(A)^T B", "f(A)^T B"), ("(A B)^T C", "((A B)^T) C"),
    ("f(x)", "f(x)"), ("f(x, y)", "f(x, y)"), ("f(x, a=2)", "f(x, a=2)"), ("f(a=2)", "f(a=2)"), ("f(a + b)", "f(a + b)"),
    ("max(x, 0)", "ReLU(x)"), ("max(0, x)", "ReLU(x)"), ("Max(0, x)", "ReLU(x)"), ("max(x, y)", "max(x, y)"), ("max(x)", "max(x)"), ("max(0, x, y)", "max(0, x, y)"),
    ("min(0, x)", "min(0, x)"), ("Softmax(x)", "softmax(x)"), ("SoftMax(x)", "softmax(x)"), ("σ(x)", "sigmoid(x)"), ("RoPE(x)", "rotate(x)"), ("relu(x)", "ReLU(x)"),
    ("Relu(x)", "ReLU(x)"), ("gelu(x)", "GELU(x)"), ("tanh(x)", "tanh(x)"), ("e^x", "exp(x)"), ("√x", "sqrt(x)"),
    (r"\frac{a + b}{c}", "(a + b) / c"), (r"\frac{a}{b + c}", "a / (b + c)"), (r"\frac{a}{b} c", "(a / b) c"), ("⟨x, y⟩", "x · y"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), WRITTEN)
def test_a_formula_is_written_with_every_sign_and_bracket_that_it_needs(text, expected):
    assert written(read(text)) == expected


def bare(part):
    """Without brackets around one part, or around the first factors of a product."""
    part = changed(part, bare)
    if isinstance(part, Terms) and len(part.terms) == 1 and part.terms[0][0] == "+":
        return part.terms[0][1]
    if isinstance(part, Factors) and isinstance(part.factors[0][1], Factors):
        return Factors((*part.factors[0][1].factors, *part.factors[1:]))
    return Number("1") if part == Number("1.0") else part


@pytest.mark.parametrize("text", [text for text, _ in WRITTEN if text[0] not in "mMSRrgσ" and "@" not in text])
def test_what_is_written_is_read_as_the_same(text):
    assert bare(read(written(read(text)))) == bare(read(text))


NUMBERS = [
    ("2", True), ("1/2", True), ("√d_k", True), ("d_k", True), ("d_{model}", True), ("n", True), ("pi", True), ("-d_k", True), ("d_k + 1", True), ("2^n", True),
    ("x", False), ("2 x", False), ("d_k + x", False), ("x^2", False), ("exp(x)", False), ("√2", True), ("Σ_j 1", False), ("Σ_j n", False), ("f(n)", True),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), NUMBERS)
def test_what_is_certainly_a_number(text, expected):
    assert is_number(read(text)) is expected


SCALES = [
    ("Q K^T / √d_k", "{Q Kᵀ}"), ("2 Q", "Q"), ("Q / 2", "Q"), ("Q * 2", "Q"), ("2 Q K", "{Q K}"), ("(Q K^T / 2)", "{Q Kᵀ}"), ("2 Q * K", "{Q *K}"),
    ("2 Q / K", "{Q /K}"), (r"\frac{Q K^T}{\sqrt{d_k}}", "{Q Kᵀ}"),
    ("Q", None), ("Q K", None), ("2", None), ("2 / 3", None), ("2 / Q", None), ("Q + 2", None), ("-2 Q", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), SCALES)
def test_a_product_without_the_numbers_in_it(text, expected):
    found = without_scale(read(text))
    assert (found if found is None else tree(found)) == expected


STARS = [
    ("A * B", "{A ⊙B}"), ("A @ B", "{A B}"), ("A @ B * C", "{{A B} ⊙C}"), ("A * B @ C", "{{A ⊙B} C}"), ("2 * A", "{2 *A}"), ("A * 2", "{A *2}"),
    ("A * d_k", "{A *d_k}"), ("A * B * C", "{{A ⊙B} ⊙C}"), ("A / B", "{A /B}"), ("A @ B / 2", "{A B /2}"), ("f(A * B)", "f({A ⊙B})"), ("A * B + C @ D", "(+{A ⊙B} +{C D})"),
    ("A", "A"), ("2 * 3 * A", "{2 *3 *A}"), ("A ⊙ B", "{A ⊙B}"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), STARS)
def test_stars_as_numpy_means_them(text, expected):
    assert tree(with_stars_entrywise(read(text))) == expected


# -- what stands inside --------------------------------------------------------------------------------------------
def test_parts_stand_from_left_to_right():
    part = read("f(a, b_i, c=d) + Σ_j (e^x / y)")
    assert [tree(p) for p in parts_of(part)] == ["f(a, b[i], c=d)", "Σ[j](+{exp(x) /y})"]
    assert [tree(p) for p in parts_of(read("f(a, b_i, c=d)"))] == ["a", "b[i]", "d"]
    assert [p.name for p in every_part(part) if isinstance(p, Named)] == ["a", "b", "d", "x", "y"]
    assert parts_of(Number("2")) == parts_of(Delta("i", "j")) == ()
    assert parts_of(Derivative(Named("a"), Named("b"))) == (Named("a"), Named("b"))


def test_names_and_functions():
    assert names_in(read("b a + f(b) g(c) - q_i")) == ("b", "a", "c", "q")
    assert names_in(read("2")) == ()
    assert functions_in(read("f(g(x))"), read("h(x) y")) == {"f", "g", "h"}
    assert functions_in(read("x")) == functions_in() == set()


INDICES = [
    ("x_i", "i"), ("x_{i,j} y_k", "ijk"), ("x_{2,1}", ""), ("Σ_j a_j", ""), ("Σ_j a_ij", "i"), (r"\sum_{j \neq i} a_j", "i"), (r"\delta_{ij}", "ij"),
    (r"Σ_j \delta_{ij}", "i"), ("a_j Σ_j b_j", "j"), ("(A B)_{ia}", "ia"), ("x", ""), ("f(x_i)", "i"), (r"\sum_{j \neq i} a_i", "i"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), INDICES)
def test_indices_that_no_sum_binds(text, expected):
    assert free_indices(read(text)) == set(expected)


def test_a_change_goes_one_level_down():
    seen = []
    changed(read("f(a, x=b c)"), lambda part: seen.append(part) or part)
    assert [tree(p) for p in seen] == ["a", "{b c}"]
    assert changed(read("a + b"), lambda part: Number("1")) == read("1 + 1")
    assert changed(Number("2"), lambda part: None) == Number("2")


def test_other_parts_for_names():
    rule = {"a": read("b + 1"), "c": Named("d")}
    assert tree(put_in(read("a x + f(a)"), rule)) == "(+{(+b +1) x} +f((+b +1)))"
    assert tree(put_in(read("a_i"), rule)) == "<(+b +1)>[i]"
    assert tree(put_in(read("c_i c"), rule)) == "{d[i] d}"
    assert tree(put_in(read("c_i"), {"c": Named("d", ("j",))})) == "<d[j]>[i]"
    assert tree(put_in(read("x"), rule)) == "x"


def test_another_function():
    assert tree(renamed(read("f(f(x)) g(f(y))"), "f", "h")) == "{h(h(x)) g(h(y))}"
    assert renamed(read("x"), "f", "h") == Named("x")


def test_parts_are_equal_if_they_say_the_same():
    assert read("a b + c") == Terms((("+", Factors((("", Named("a")), ("", Named("b"))))), ("+", Named("c"))))
    assert read("f(x)") == Call("f", (Named("x"),))
    assert read(r"\sum_{j \neq i}^{n} a_j") == Total("j", "n", ("!=", "i"), Named("a", ("j",)))


SCALED = [("S", "Q K^T / √d_k")]
TWINS = [  # what it is, and what it is not
    ("s_ij", "q_i / √d_k · k_j", "q_i / d_k · k_j", SCALED), ("x^Ty", "y^Tx", "x^Tx", ()), ("s", "k^Tq", "q^Tq", [("s", "q^Tk")]),
    ("exp(a + b)", "exp a exp b", "exp a + exp b", ()), ("sin(x + y)", "sin x cos y + cos x sin y", "sin x cos y - cos x sin y", ()), ("log x", "ln x", "2 ln x", ()),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "wrong", "before"), TWINS)
def test_what_it_is_and_what_it_is_not(left, right, wrong, before):
    assert judge_formula(left, right, before).kind == "proved"
    assert not judge_formula(left, wrong, before).is_accepted


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("log a b", "log b a"),
        ("log_2 a b", "log_2 b a"),
        ("sum a b", "sum b a"),
        ("softmax a b", "softmax b a"),
        ("log x", "x log"),
    ],
)
def test_functions_without_brackets_are_no_letters_that_may_change_places(left, right):
    assert judge_formula(left, right).kind == "unparsed"
    assert not judge_formula(left.replace("_", r"\_"), right + " ").is_accepted
