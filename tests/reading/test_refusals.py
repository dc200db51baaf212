"""What has no single reading is refused: code, line, column, and a caret under the character."""

import contextlib
import time

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from symtransformer.errors import ShapeError, SymtransformerError, UnreadableInput
from symtransformer.reading import ReadingError, read_expression
from symtransformer.reading.expressions import read_number


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("2 3 A", "number_after", 3), ("A 2", "number_after", 3), ("1{,}000 A", "thousands", 2),
        ("1\\frac{1}{2} A", "number_after", 2), (r"\frac12 A", "fraction", 6), ("0,665 A", "syntax", 2),
        ("1/2x", "after_slash", 4), ("1/sqrt(d_k) Q", "after_slash", 13), ("A / 2 B", "after_slash", 7),
        ("a^b^c A", "two_superscripts", 4), ("A^T^T B", "two_superscripts", 4), ("A^2^T", "two_superscripts", 4),
        ("K'", "prime", 2), ("Q K′", "prime", 4), ("Q ** 2", "power", 3), ("K^{-1} A", "exponent", 4),
        ("A^{65}", "exponent", 4), ("A^{0.5}", "exponent", 4),
        ("foo + 1", "unknown_name", 1), ("A xW", "unknown_name", 3), ("foo(A)", "unknown_function", 1),
        ("sofmax(A)", "unknown_function", 1), ("softmax A", "brackets", 1), ("A softmax", "brackets", 3),
        ("softmax", "brackets", 1), ("sqrt A", "brackets", 1),
        ("A +", "incomplete", 4), ("(A B", "incomplete", 5), ("softmax(A", "incomplete", 10), ("A)", "syntax", 2),
        ("A + * B", "syntax", 5), ("* A", "syntax", 1), ("A = = B", "syntax", 5), ("[[1, 2], [3]] A", "shapes", 1),
        ("[1, 2] A", "matrix", 1), ("[[[1]]] A", "matrix", 1), ("A = [[1, A]] B", "before", 10),
        ("A & B", "syntax", 5), ("W_{Q}_1 A", "subscript", 6), ("W_1_2 A", "subscript", 4), ("_A", "subscript", 1),
        (r"\sqrt{2} W_out", "subscript", 11), (r"\foo A", "command", 1), (r"\begin{array} A", "environment", 1),
        ("A % B", "character", 3), ("A $ B", "character", 3), ("A; B", "character", 2), ('"A" B', "character", 1),
        ("A | B", "character", 3), ("１ A", "character", 1), ("٣ A", "character", 1), ("Ａ B", "character", 1),
        ("А B", "character", 1), ("A\u202eB", "character", 2), ("A\u200bB", "character", 2), ("A\x00B", "character", 2),
        ("A\x1b[31mB", "character", 2), ("1. A", "number", 2), (".5 A", "character", 1), ("1.2.3 A", "number", 4),
        ("A + 1", "number_and_matrix", 5), ("1 + A", "number_and_matrix", 5), ("2 / (A B)", "matrix", 5),
        ("oo A", "infinity", 1), ("softmax(2)", "refused", 9), ("LayerNorm(X, epsilon=1)", "keyword", 22),
        ("LayerNorm(X, eps=X^T)", "matrix", 18), ("FFN(X, W_1, W_2, activation=ELU)", "refused", 1),
        ("A", "nothing_to_do", 1), ("2 + 3", "nothing_to_do", 1), ("", "empty", 1), ("# A", "empty", 1),
        ("1/0 A", "division_by_zero", 1), ("sqrt(-2) A", "root", 1), ("A / 0", "refused", 1),
        ("softmax(A, B)", "refused", 1), ("Concat()", "refused", 1), ("causal(n, m, d)", "refused", 1),
        ("2^-1", "nothing_to_do", 1), ("2^{1/3} A", "exponent", 1), ("enc1. A", "unknown_name", 1),
        ("lambda x: x", "character", 9), ("A B if C else A", "unknown_name", 5), ("x for x in A", "unknown_name", 3),
        ("__import__('os')", "subscript", 1), ("eval('A')", "unknown_function", 1), ("A.__class__", "character", 2),
        ("A[0]", "matrix", 2), ("A.shape", "character", 2), ("exec(A)", "unknown_function", 1), ("A @ `id`", "character", 5),
    ],
)  # fmt: skip
def test_a_refusal_names_the_place(text, code, column):
    with pytest.raises(ReadingError) as caught:
        read_expression(text)
    assert (caught.value.code, caught.value.line, caught.value.column) == (code, 1, column)
    first, shown, caret = str(caught.value).split("\n")
    assert first.startswith(f"line 1, column {column}: ")
    assert first.endswith(f"[{code}]")
    assert shown.isprintable()
    assert caret == " " * (column + 1) + "^"


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("A = B C\nA = C", "twice", 2, 1), ("A B\nC D", "no_name", 1, 1), ("S = A B\nB = C D", "before", 1, 7),
        ("Q: n d\nQ: n m\nQ K", "twice", 2, 1), ("Q: n\nQ K", "size", 1, 1), ("Q: n 0\nQ K", "size", 1, 1),
        ("Q: n -1\nQ K", "size", 1, 1), ("Q: n d e\nQ K", "size", 1, 1), ("S = A B\n\n  Z = S 2", "number_after", 3, 9),
        ("S = (A +\n B) +\nZ = S", "syntax", 2, 6), ("A: number\nA B + A", "number_and_matrix", 2, 7),
    ],
)  # fmt: skip
def test_a_refusal_names_the_line(text, code, line, column):
    with pytest.raises(ReadingError) as caught:
        read_expression(text)
    assert (caught.value.code, caught.value.line, caught.value.column) == (code, line, column)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("Q: n d_k\nK: m d_v\nS = Q K^T", 5, "Q is n x d_k, K^T is d_v x m; d_k and d_v must be equal"),
        ("A: 2 3\nB: 2 3\nA B", 1, "A is 2 x 3, B is 2 x 3; 3 and 2 must be equal"),
        ("A: 2 3\nB: 3 2\nA + B", 1, "A is 2 x 3, B is 3 x 2; 2 and 3 must be equal"),
        ("K: 5 2\nV: 4 2\nAttention(Q, K, V)", 1, "Q is ? x 2, K is 5 x 2, V is 4 x 2; 5 and 4 must be equal"),
        ("W: 2 3\n \nX + X W", 5, ""),
        ("A: 2 3\nB: 2 4\nA ⊙ B", 1, "3 and 4 must be equal"),
        ("A: 2 3\nZ: 2 2\nZ = A B + A", 5, ""),
    ],
)
def test_sizes_that_do_not_fit_are_named(text, column, message):
    with pytest.raises(ShapeError) as caught:
        read_expression(text)
    assert isinstance(caught.value, UnreadableInput)
    assert message in str(caught.value)
    assert caught.value.code == "shapes"
    if message:
        assert (caught.value.line, caught.value.column) == (3, column)


def test_a_long_line_is_shown_around_the_place():
    with pytest.raises(ReadingError) as caught:
        read_expression("A + " * 60 + "? + " + "A + " * 60 + "A")
    _, shown, caret = str(caught.value).split("\n")
    assert len(shown) <= 80
    assert shown[len(caret) - 1] == "?"


# -- limits, n and n + 1 -------------------------------------------------------------------------------------------
def code_of(text):
    try:
        read_expression(text)
    except ReadingError as error:
        return error.code
    return ""


@pytest.mark.parametrize(
    ("within", "beyond", "code"),
    [
        ("A B".ljust(4000), "A B".ljust(4001), "too_long"),
        ("+".join(["A"] * 500) + " B", "+".join(["A"] * 500) + " B C", "too_long"),
        ("(" * 40 + "A" + ")" * 40 + " B", "(" * 41 + "A" + ")" * 41 + " B", "too_deep"),
        ("9" * 40 + " A", "9" * 41 + " A", "too_many_digits"),
        ("0." + "1" * 39 + " A", "0." + "1" * 40 + " A", "too_many_digits"),
        ("1e400 A", "1e401 A", "exponent"), ("1e-400 A", "1e-401 A", "exponent"),
        ("2^64 A", "2^65 A", "exponent"), ("A^64", "A^65", "exponent"), ("2^{-64} A", "2^{-65} A", "exponent"),
        ("(10^64)^64 A", "((10^64)^64)^64 A", "too_large"),
        ("sqrt(sqrt(sqrt(sqrt(2)))) A", "sqrt(sqrt(sqrt(sqrt(sqrt(2))))) A", "root"),
        ("W_" + "a" * 15 + " A", "W_" + "a" * 16 + " A", "name"),
    ],
)  # fmt: skip
def test_limits_hold_at_n_and_refuse_n_plus_1(within, beyond, code):
    assert (code_of(within), code_of(beyond)) == ("", code)


@pytest.mark.parametrize(
    "text",
    [
        "9**(9**9)", "((((9^64)^64)^64)^64) A", "1e999999999 A", "1e" + "9" * 3000 + " A", "(" * 3990, "[" * 3990,
        "A" * 4000, "A^T" * 1300, "-" * 3999 + "A", "\\left(" * 600, "sqrt(" * 700 + "A", "\\frac{" * 600, "A=" * 1500,
        "1 " * 30 + "(A)", "1 (" * 39 + "A" + ")" * 39 + " A", "exp(" * 39 + "A" + ")" * 39,
        "+".join(f"A{k} B{k}" for k in range(160)), " ".join(f"A{k}" for k in range(900)),
        "sqrt(" * 39 + "2" + ")" * 39 + " A", "(1+sqrt(2))^64 A", "((1+sqrt(2))^64)^64 A",
        "Concat(" + ",".join(f"A{k}" for k in range(300)) + ")", "\n".join(f"A{k} = A{k + 1} B" for k in range(200)),
        "#" * 4000, "\n" * 4000, "A_" * 2000, "^" * 4000, "{" * 39 + "}" * 39, "\\" * 3999, "\\\\" * 1999, "é" * 4000,
    ],
)  # fmt: skip
def test_hostile_text_ends_soon_with_an_answer_or_a_refusal(text):
    start = time.process_time()
    with contextlib.suppress(SymtransformerError):
        read_expression(text)
    assert time.process_time() - start < 20  # an endless or exponential one would take minutes


ALPHABET = st.sampled_from([*"ABQKVXWTbdnx0123459.,:;=+-*/@^_(){}[]|'\"\\&#~ \n", "⊙", "√", "∞", "ᵀ", "−", "é", "٣", "\u202e",
                            r"\frac", r"\sqrt", r"\left(", r"\right)", "softmax(", "LayerNorm", r"\begin{bmatrix}",
                            r"\end{bmatrix}", "sqrt(", "^T", "d_k", "W_Q", "eps=", "1e", "[[", "]]", "causal("])  # fmt: skip


@seed(11)
@settings(max_examples=1500, deadline=None, database=None)
@given(st.lists(ALPHABET, max_size=14).map("".join))
def test_any_text_is_read_or_refused(text):
    try:
        read_expression(text)
    except SymtransformerError as error:
        if isinstance(error, ReadingError):
            _, shown, caret = str(error).split("\n")
            assert caret.strip() == "^"
            assert len(caret) - 3 <= len(shown)


@pytest.mark.parametrize(
    "text", ["", "x", "1 2", "1/0", "A", "1,5", "__import__('os')", "sqrt(-1)", "1e401", "oo", "[[1]]", "n"]
)
def test_a_number_is_a_number_or_refused(text):
    with pytest.raises(ReadingError):
        read_number(text)
