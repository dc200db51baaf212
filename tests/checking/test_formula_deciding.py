"""Two sides in terms of their letters: which letters there are, which sizes fit, what is proved, refuted, or left open."""

import pytest
from sympy import Symbol

from symtransformer.checking.formula_deciding import _is_letter, compare, of_shapes, readable, words_in
from symtransformer.checking.formulas import judge_formula
from symtransformer.errors import ShapeError
from symtransformer.reading import ReadingError


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("h", "h W", True), ("h", "x / h", False), ("n", "n W", True), ("n", "n + 1", True), ("n", "sqrt(n) n W", False), ("n", "f(n)", True), ("n", "ones(n, 1)", False), ("n", "causal(n)", False), ("n", "zeros(n, n)", False), ("n", "x ⊙ n", True), ("n", "n ⊙ x", True),
        ("d_k", "d_k W", False), ("attn", "x", True), ("pi", "x", False), ("alpha", "x", False), ("eps", "x", False), ("W_out", "x", False), ("A", "x", False), ("x12", "x", False), ("ab1", "x", True), ("n", "x + n", True), ("n", "x + n_1", False), ("n", "W n", False),
        ("n", "/ n + 1", False), ("n", "x", False), ("n", "2 n W", True), ("ab_c", "x", True),
    ],
)  # fmt: skip
def test_letters_that_the_reader_has_to_be_told(name, text, expected):
    assert _is_letter(name, [text]) is expected
    assert _is_letter(name, ["y", text]) is expected


@pytest.mark.parametrize(
    ("letters", "shapes", "lines", "sides", "found"),
    [
        ((), {}, [("A", "softmax(h W)")], ("h W + n", "beta x"), {"h", "n"}), (("h", "foo"), {}, [], ("foo(h, x)",), {"h", "foo"}), ((), {}, [], ("attn x",), {"attn"}), ((), {"attn": "2 3"}, [], ("attn x",), set()), ((), {}, [("attn", "x")], ("attn x",), set()),
        ((), {}, [], ("softmax x",), set()), (("softmax",), {}, [], ("softmax x",), {"softmax"}), ((), {}, [], ("x_attn.y",), set()),
    ],
)  # fmt: skip
def test_words_in_formulas(letters, shapes, lines, sides, found):
    assert words_in(letters, shapes, lines, *sides) == found


@pytest.mark.parametrize(
    ("lines", "left", "right", "kind"),
    [
        ([], "A B", "B A", "shapes"), ([], "(A B)^T", "B^T A^T", "proved"), ([("S", "Q K^T")], "S^T", "K Q^T", "proved"), ([("S", "Q K^T")], "S^T", "Q K^T", "shapes"), ([("S", "Q Q^T + Q K^T K Q^T")], "S^T", "2 S", "refuted"), ([], "A + A", "2 A", "proved"), ([], "A", "A", "proved"), ([], "A", "B", "refuted"), ([("S", "Q K^T")], "S", "Q", "refuted"),
        ([], "P^T P", "P P^T", "shapes"), ([], "P A", "A", "refuted"), ([], "P^T P A", "A", "undecidable"), ([], "P A P^T P", "P A", "undecidable"), ([("P", "B C")], "P^T P A", "A", "refuted"), ([], "softmax(S + S)", "softmax(2 S)", "proved"), ([], "softmax(S)", "S", "refuted"),
    ],
)  # fmt: skip
def test_two_sides(lines, left, right, kind):
    letters = {c for c in left + right if c in "ABPQKSV"}
    decision = compare(lines, left, right, letters, {})
    assert decision.kind == kind
    assert decision.is_accepted is (kind in ("proved", "tested"))
    assert bool(decision.counterexample) is (kind == "refuted")
    assert bool(decision.reason_ja) is True
    assert ("permutation matrix" in decision.reason) is (kind == "undecidable")


def test_a_permutation_whose_size_is_told_is_any_matrix():
    assert compare([], "P^T P A", "A", {"A", "P"}, {"P": "n n"}).kind == "refuted"


@pytest.mark.parametrize(
    ("left", "right", "code"),
    [("x W", "W x", "single"), ("softmax(x)", "ones(n, 1)", "single"), ("Q K^T", "Q + 1", "number_and_matrix"), ("A", "foo(A)", "unknown_function")],
)  # fmt: skip
def test_what_would_prove_too_much_is_refused(left, right, code):
    with pytest.raises(ReadingError) as caught:
        compare([], left, right, {c for c in left + right if c in "ABPQKSVWx"}, {})
    assert caught.value.code == code


def test_lines_that_cannot_be_read_are_left_out():
    lines = [("S", "Q K^T"), ("B", "foo(S)"), ("A", "softmax(S)")]
    assert readable(lines, {}) == [lines[0], lines[2]]
    assert readable(lines[:1], {}) == lines[:1]
    assert readable([], {}) == []


n, m = Symbol("n"), Symbol("m")


@pytest.mark.parametrize(
    ("sides", "english", "japanese"),
    [((n, m), "; they fit only if n = m", "大きさが合わない（n と m）。n = m のときだけ合う"), ((Symbol("n") - n + 2, Symbol("n") - n + 3), "", "大きさが合わない（2 と 3）"), ((n, n - n + 3), "; they fit only if n = 3", "大きさが合わない（n と 3）。n = 3 のときだけ合う")],
)  # fmt: skip
def test_sizes_that_do_not_fit(sides, english, japanese):
    decision = of_shapes(ShapeError("A is told", sides=sides))
    assert (decision.kind, decision.reason, decision.reason_ja, decision.sizes) == (
        "shapes",
        f"the sizes do not fit: A is told{english}",
        japanese,
        sides,
    )
    without = of_shapes(ShapeError("A is told"))
    assert (without.reason, without.reason_ja, without.sizes) == (
        "the sizes do not fit: A is told",
        "大きさが合わない：A is told",
        None,
    )


# -- derivatives --------------------------------------------------------------------------------------------------------
F, LOSS = [("f(x)", "x^2")], [("p", "softmax(z)"), ("L", r"-\sum_i y_i \log p_i")]


@pytest.mark.parametrize(
    ("left", "right", "given", "kind", "code"),
    [
        (r"(x \log x)'", r"\log x + 1", (), "proved", ""), ("(x y)'", "y", (), "undecidable", "derivative"), ("(f(x))'", "2 x", F, "proved", ""), ("(f(x))'", "3 x", F, "refuted", ""), ("(x^2)'", "2 x", (), "proved", ""), ("(x^2)'", "3 x", (), "refuted", ""),
        ("(u^2)'", "2 u", (), "undecidable", "derivative"), ("(x^2)''", "2", (), "undecidable", "derivative"), (r"(\sigma(x))'", r"\sigma(x)", (), "refuted", ""), ("(x)(x)'", "2 x", (), "unparsed", "character"), ("(e^x)'", "e^x", (), "proved", ""), (r"(\beta^2)'", r"2 \beta", (), "proved", ""),
        ("(ab)'", "b", (), "undecidable", "derivative"), ("(x^2)'", "2 x", [("x", "z + 1")], "undecidable", "derivative"),
        (r"\frac{d}{dx} x^2", "2 x", (), "proved", ""), (r"\frac{d}{dx} x^2", "3 x", (), "refuted", ""), (r"\frac{d}{dx}", "2 x", (), "undecidable", "derivative"), (r"\frac{d}{dx} (x^2 + \frac{d}{dx} x)", "2 x", (), "undecidable", "derivative"), ("3", r"\frac{d}{dx} x^2", (), "undecidable", "derivative"),
        (r"\frac{d}{dx} \sigma(x)", r"\sigma(x) (1 - \sigma(x))", (), "proved", ""), (r"\frac{d}{dx} \sigma(x)", r"1 - \sigma(x)^2", (), "undecidable", "own_function"), (r"\frac{d}{dx} \sigma(x)", r"2 - \sigma(x)^2", (), "refuted", ""),
        (r"\frac{d}{dx} \sigma(x)", r"1 - \sigma(x)^2", [(r"\sigma(x)", "x^2")], "refuted", ""), (r"\frac{dy}{dx}", "2 x", [("y", "x^2")], "proved", ""), (r"\frac{dy}{dx}", "3 x", [("y", "x^2")], "refuted", ""), (r"\frac{dy}{dx}", "2 x", [("y(x)", "x^2")], "proved", ""),
        (r"\frac{dy}{dx}", "2 x", [("y(z)", "z^2")], "unparsed", "derivative"), (r"\frac{dy}{dx}", "2 W", [("y", "x W")], "unparsed", "derivative"), (r"\frac{dy}{dx}", "2 x", (), "unparsed", "derivative"),
        (r"\sigma'(x)", r"\sigma(x) (1 - \sigma(x))", (), "proved", ""), (r"\sigma'(x)", r"\sigma(x)", (), "refuted", ""), ("f'(x)", "2 x", F, "proved", ""), ("f'(x)", "3 x", F, "refuted", ""), ("f'(x)", "2 x", (), "definition", ""), ("f'(x)", "2 f(x)", (), "undecidable", "new_name"),
        (r"\sigma''(x)", r"\sigma(x)", (), "undecidable", "derivative"), (r"\sigma'", r"\sigma (1 - \sigma)", (), "undecidable", "derivative"), (r"\sigma'", "x", (), "definition", ""), (r"\tanh'(x)", r"1 - \tanh(x)^2", (), "proved", ""), (r"\tanh'(x)", r"1 + \tanh(x)^2", (), "refuted", ""),
        (r"\frac{\partial L}{\partial z}", "p - y", LOSS, "proved", ""), (r"\frac{\partial L}{\partial z}", "y - p", LOSS, "refuted", ""), (r"\frac{\partial L}{\partial z}", "p - y", LOSS[:1], "unparsed", "unknown_name"), (r"\frac{\partial L}{\partial Q}", "dS K", [("S", "Q K^T")], "proved", ""),
        (r"\frac{\partial L}{\partial Q}", "dS Q", [("S", "Q K^T")], "shapes", ""), (r"\frac{\partial L}{\partial Q}", "-dS K", [("S", "Q K^T")], "refuted", ""),
    ],
)  # fmt: skip
def test_what_is_claimed_of_a_derivative(left, right, given, kind, code):
    found = judge_formula(left, right, given)
    assert (found.kind, found.code) == (kind, code)


def test_what_is_equal_everywhere_is_said_so():
    assert compare([("S", "Q K^T")], "S^T", "K Q^T", {"S", "Q", "K"}, {}).reason == "both sides have the same entries"
