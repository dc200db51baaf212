"""What has no single reading is refused with code and place; every limit at n and n + 1; no text raises anything else."""

import contextlib
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symtransformer.reading.limits import DEPTH, DIGITS, EXPONENT, FORMULA_CHARACTERS, POWER, TOKENS
from symtransformer.reading.problems import ReadingError, ReadingShapeError
from symtransformer.reading.sides import Known, read_name, read_side
from symtransformer.symbols import MATRIX_ENTRIES_AT_MOST

SCOPE = {
    "Q": Known((2, 3)), "K": Known((4, 3)), "A": Known((2, 4)), "B": Known((12, 12)), "AB": Known((2, 2)), "G": Known((3, 3)),
    "x": Known((1, 3), True), "p": Known((1, 3), True), "z": Known((1, 2), True), "c": Known((3, 1)), "r": Known((1, 3)),
    "W_1": Known((3, 3)), "W": Known((3, 3)), "s": Known(), "t": Known(), "d_k": Known(), "V": Known((4, 2)), "v": Known((1, 2), True),
    "W'": Known((3, 3)), "mean": Known(), "u": Known((1, 12)),
}  # fmt: skip


def refused(text, language="text"):
    with pytest.raises(ReadingError) as caught:
        read_side(text, SCOPE, language)
    return caught.value


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("2 3", "number_after", 3),
        ("2 1/3", "number_after", 3),
        (r"1\frac12", "number_after", 2),
        (r"2\frac{1}{2}", "number_after", 2),
        ("s 2", "number_after", 3),
        ("(s)2", "number_after", 4),
        ("0,665", "comma", 2),
        ("1,000", "comma", 2),
        ("[1,000, 2]", "comma", 3),
        ("(0,665)", "comma", 3),
        ("1{,}000", "thousands", 2),
        ("1,234 + 2", "comma", 2),
        ("1/2s", "after_slash", 4),
        ("1/2(s)", "after_slash", 4),
        ("Q K^T/√d_k V", "after_slash", 12),
        ("2^3^2", "two_superscripts", 4),
        ("s^t^2", "exponent", 3),
        ("2^{3}^{2}", "two_superscripts", 6),
        ("2²^3", "two_superscripts", 3),
        ("G^2^T", "two_superscripts", 4),
        ("e^2s", "exponent", 4),
        ("√2s", "root", 3),
        ("√s^2", "root", 3),
        (r"2\cdot e^-1", "braces", 10),
        (r"\times 2", "syntax", 1),
        ("log 2s", "brackets", 6),
        ("log 2 · s", "brackets", 7),
        ("log", "brackets", 1),
        ("log(2)^2", "exponent", 7),
        ("mean(p)", "ambiguous", 1),
        ("[nan + 1, 2]", "undefined", 2),
        ("nan + 1", "undefined", 1),
        ("log^2(2)", "exponent", 4),
        ("log_b(2)", "subscript", 4),
        ("softmax_2(x)", "subscript", 8),
        ("norm(x)", "unknown_function", 1),
        ("sigma(x)", "unknown_function", 1),
        ("argmax(x)", "unknown_function", 1),
        ("max(x, 1)", "unknown_function", 1),
        ("abs(x)", "matrix", 5),
        ("exp(1, 2)", "arguments", 1),
        ("softmax(x, dim=0)", "keyword", 16),
        ("softmax(x, x)", "arguments", 1),
        ("LayerNorm(G, gain=x, gain=x)", "twice", 27),
        ("LayerNorm(G, foo=x)", "keyword", 18),
        ("exp(x=2)", "keyword", 1),
        ("cos(θ)", "unknown_name", 5),
        ("foo", "unknown_name", 1),
        ("2成分", "unknown_name", 2),
        ("1トークン", "unknown_name", 2),
        ("Q × R", "unknown_name", 5),
        ("QR", "unknown_name", 1),
        ("xy", "unknown_name", 1),
        ("V_1", "unknown_name", 1),
        ("Q'", "unknown_name", 1),
        ("s_1", "unknown_name", 1),
        ("W_2", "unknown_name", 1),
        (r"\mathrm{xy}", "unknown_name", 1),
        (r"2\text{ tokens}", "unknown_name", 2),
        ("v_1", "ambiguous", 1),
        ("b_{11}", "ambiguous", 1),
        ("x x", "vectors", 1),
        ("x p", "vectors", 1),
        ("x × p", "vectors", 1),
        ("x * p", "vectors", 1),
        ("c · r", "vectors", 1),
        ("c x", "vectors", 1),
        ("x^T r", "vectors", 1),
        ("[0,665]", "comma", 3),
        ("(1,234)", "comma", 3),
        ("a_{1,1,1}", "unknown_name", 1),
        ("k_{123}", "unknown_name", 1),
        ("1 x", "ones", 1),
        (r"\mathbf{1} x", "ones", 1),
        (r"\mathbf{1}", "ones", 1),
        (r"\frac{\mathbf{1}}{5}", "ones", 1),
        (r"\mathbf{1} + 2", "ones", 1),
        (r"\mathbf{1} \mathbf{1}^T", "ones", 1),
        (r"\operatorname{softmax}(\mathbf{1})", "ones", 24),
        ("softmax(2)", "one_number", 9),
        ("softmax(x_1)", "one_number", 9),
        ("2 [2]", "list_after", 3),
        ("s 30°", "number_after", 3),
        ("s°", "degrees", 2),
        ("ones(s, 1)", "size", 1),
        ("A[:, 1:2]", "index", 3),
        ("softmax(A)[1]", "index", 11),
        ("16,777", "comma", 3),
        ("(-8)^(1/3)", "exponent", 6),
        (r"\sqrt[3]{-8}", "exponent", 9),
        ("u_11", "ambiguous", 1),
        ("G + 1", "number_and_matrix", 5),
        ("2 ⊙ x", "number", 1),
        ("softmax(c)", "column", 9),
        ("std(c)", "column", 5),
        ("sum(G)", "axis", 5),
        ("|G|", "matrix", 2),
        ("‖x‖_1", "subscript", 4),
        ("G^{-1}", "exponent", 3),
        ("G^0.5", "exponent", 3),
        ("2^{0.3001}", "exponent", 3),
        ("2^x", "exponent", 3),
        ("e^G", "exponent", 3),
        ("W_1^2", "index", 5),
        ("G^(2)", "index", 3),
        (r"W^{(2)}", "index", 3),
        ("x[0]", "index", 2),
        ("[0.2, 0.8, ...]", "dots", 12),
        (r"[1, \ldots, 3]", "dots", 5),
        ("[1, …]", "dots", 5),
        ("1 + … + 3", "dots", 5),
        ("1/0", "division_by_zero", 3),
        ("x/0", "division_by_zero", 3),
        ("0/0 + 1", "division_by_zero", 3),
        ("√(-1)", "root", 2),
        ("∞ - ∞", "infinity", 1),
        ("s + ∞", "infinity", 5),
        ("∞ · 0", "infinity", 1),
        ("2 · ∞", "infinity", 5),
        ("1/∞", "infinity", 3),
        ("5.", "number", 2),
        ("1.2.3", "number", 4),
        (".5", "character", 1),
        ("--2", "sign", 2),
        ("1 + - - 2", "sign", 7),
        ("1 ± 2", "character", 3),
        ("٣ + 1", "character", 1),
        ("x_", "subscript", 2),
        ("2_1", "subscript", 2),
        ("K.transpose(0, 2)", "axis", 2),
        ("2^T", "matrix", 2),
        (r"\foo{2}", "command", 1),
        (r"\sqrt[12]{2}", "root", 6),
        (r"\begin{cases}1\end{cases}", "environment", 1),
        ("(1 + 2", "incomplete", 7),
        ("1 +", "incomplete", 4),
        ("", "empty", 1),
        ("   ", "empty", 1),
        ("1)", "syntax", 2),
        ("[1, 2", "incomplete", 6),
        ("[]", "syntax", 2),
        ("1 = 2", "syntax", 3),
        ("[1 2]", "number_after", 4),
        ("[x, p]", "matrix", 2),
        (r"\sum x", "sum", 1),
        (r"\sum_{i=1}^{i} x_i", "sum", 1),
        (r"\sum_{j=1}^{k} x_j", "sum", 1),
        (r"\sum_{i \ne 2} x_i", "sum", 1),
        (r"\sum_i 2", "sum", 1),
        (r"\sum_{i} x_i z_i", "sum", 1),
        (r"\sum_i \sum_i x_i", "sum", 8),
        (r"\sum_{i=3}^{2} x_i", "sum", 1),
        ("x_i", "unknown_name", 1),
        (r"\delta_{ij}", "unknown_name", 1),
    ],
)
def test_refusals(text, code, column):
    error = refused(text)
    assert (error.code, error.column) == (code, column), error


def test_two_readings_of_a_run_in_latex():
    """AB is defined, and so are A and B."""
    assert read_side("AB", SCOPE).names == ("AB",)
    assert refused("AB", "latex").code == "ambiguous"
    assert read_side(r"\mathrm{AB}", SCOPE).names == ("AB",)


@pytest.mark.parametrize(
    ("text", "sizes", "column"),
    [
        ("Q K", ("2 x 3", "4 x 3"), 1),
        ("Q @ K", ("2 x 3", "4 x 3"), 1),
        ("Q + A", ("2 x 3", "2 x 4"), 1),
        ("x · z", ("1 x 3", "1 x 2"), 1),
        ("x + z", ("1 x 3", "1 x 2"), 1),
        ("A z", ("2 x 4", "1 x 2"), 1),
        ("Q ⊙ A", ("2 x 3", "2 x 4"), 1),
        ("r + c", ("1 x 3", "3 x 1"), 1),
        ("W (Q)", ("3 x 3", "2 x 3"), 1),
        ("x_4", ("4", "1 x 3"), 1),
        ("q_3", ("3", "2 x 3"), 1),
        ("[[1, 2], [3]]", ("2", "row 1"), 10),
        (r"\begin{bmatrix}1&2\\3\end{bmatrix}", ("2", "row 1"), 21),
        ("Attention(Q, A, A)", ("3", "4"), 1),
        ("2/Q", ("1 x 1", "2 x 3"), 1),
    ],
)
def test_sizes_that_do_not_fit(text, sizes, column):
    error = refused(text)
    assert isinstance(error, ReadingShapeError)
    assert (error.code, error.column) == ("shapes", column)
    assert all(size in error.message for size in sizes), error.message


# -- limits ---------------------------------------------------------------------------------------------------------------
def reads(text):
    try:
        read_side(text, SCOPE)
    except ReadingError as error:
        return error.code
    return ""


@pytest.mark.parametrize(
    ("at_most", "make", "code"),
    [
        (FORMULA_CHARACTERS, lambda n: "s" + " " * (n - 1), "too_long"),
        (TOKENS, lambda n: ("-s" if n % 2 == 0 else "s") + "+1" * ((n - 1) // 2), "too_long"),
        (TOKENS, lambda n: ("-x" if n % 2 == 0 else "x") + "+x" * ((n - 1) // 2), "too_long"),
        (TOKENS, lambda n: ("-s" if n % 2 == 0 else "s") + "·s" * ((n - 1) // 2), "too_long"),
        (DEPTH, lambda n: "(" * n + "s" + ")" * n, "too_deep"),
        (DEPTH, lambda n: "{" * n + "s+1" + "}" * n, "too_deep"),
        (DIGITS, lambda n: "s+" + "1" * n, "too_many_digits"),
        (DIGITS, lambda n: "s+0." + "1" * (n - 1), "too_many_digits"),
        (EXPONENT, lambda n: f"s+1e{n}", "exponent"),
        (EXPONENT, lambda n: f"s+1e-{n}", "exponent"),
        (POWER, lambda n: f"s+2^{n}", "exponent"),
        (POWER, lambda n: f"G^{n}", "exponent"),
    ],
)  # fmt: skip
def test_limits(at_most, make, code):
    assert reads(make(at_most)) == ""
    assert reads(make(at_most + 1)) == code


def test_the_entries_of_a_matrix_are_counted(monkeypatch):
    import symtransformer.reading.side_matrices as matrices

    assert MATRIX_ENTRIES_AT_MOST == 4096 == matrices.MATRIX_ENTRIES_AT_MOST
    monkeypatch.setattr(matrices, "MATRIX_ENTRIES_AT_MOST", 6)
    for six, seven in [("[1,2,3,4,5,6]", "[1,2,3,4,5,6,7]"), ("[[1,2,3],[4,5,6]]", "[[1,2,3,4],[4,5,6,7]]"),
                       (r"\begin{matrix}1&2\\3&4\\5&6\end{matrix}", r"\begin{matrix}1&2\\3&4\\5&6\\7&8\end{matrix}")]:  # fmt: skip
        assert (reads(six), reads(seven)) == ("", "too_large")


@pytest.mark.parametrize(
    "text",
    ["√" * 900 + "2", "log " * 300 + "2", r"\frac" * 300 + "12", "(" * 5000, "[" * 41, "|" * 900, "^" * 900, "-" * 900, "2^{" * 41,
     "{" * 39 + "s" + "}" * 39, r"\sqrt{" * 40 + "2" + "}" * 40, "e^" * 300 + "2", r"\sum_{i=1}^{9999}" * 3 + "1",
     r"\sum_{i=1}^{4000}\sum_{j=1}^{4000} 1", "9^64^64", "(((9^64)^64)^64)^64", "2^{64}^{64}", "_" * 500, "'" * 900, "exp(" * 39 + "1" + ")" * 39,
     "√(" * 39 + "s" + ")" * 39, "G^64" * 200, "⟨" * 45, r"\begin{matrix}" * 50, r"\underbrace{" * 200 + "}" * 200, "a_{" * 600, r"\text{" * 500],
)  # fmt: skip
def test_no_text_takes_long(text):
    start = time.process_time()
    for language in ("text", "latex"):
        with contextlib.suppress(ReadingError):
            read_side(text, SCOPE, language)
        read_name(text, language)
    assert time.process_time() - start < 2


PIECES = [
    "Q", "K", "x", "W_1", "v", "s", "e", "pi", "1", "0.5", "2e3", "%", "+", "-", "·", "×", "*", "@", "/", "÷", "⊙", "^", "^T", "ᵀ", ".T", "_", "_1", "_{12}",
    "_{i}", "'", "(", ")", "[", "]", "{", "}", ",", "|", "‖", "√", "\\sqrt", "\\frac", "\\frac{1}{2}", "\\left(", "\\right)", "\\begin{bmatrix}",
    "\\end{bmatrix}", "&", "\\\\", "\\sum_{i=1}^{2}", "Σ_i", "\\text{a}", "\\mathbf{", "\\mathbf{1}", "\\operatorname{softmax}", "softmax", "log", "log_2",
    "exp(", "max(0,", "LayerNorm(", "dim=-1", "=", "∞", "\\infty", "...", "\\dots", "漆器", "₁", "²", "\\color{red}{", "\\underbrace{", "_{\\text{a}}",
    "\\delta_{11}", "⟨", "⟩", " ", "\n", "\\", "$", "__class__", "x.__class__", "lambda", "import os", "\x00", "\u202e", "９", "٣", "𝟏", "(0,665)",
]  # fmt: skip


def outcome(text, language):
    """The refusal, if there is one; anything else that is raised fails the test."""
    try:
        read_side(text, SCOPE, language)
    except ReadingError as error:
        return error
    return None


@settings(max_examples=1500, deadline=None, database=None, derandomize=True)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.sampled_from(["text", "latex"]))
def test_pieces_of_formulas_raise_nothing_else(text, language):
    error = outcome(text, language)
    assert error is None or (error.code and 1 <= error.column <= len(text) + 1)
    read_name(text, language)


@settings(max_examples=500, deadline=None, database=None, derandomize=True)
@given(st.text(max_size=40), st.sampled_from(["text", "latex"]))
def test_any_text_raises_nothing_else(text, language):
    error = outcome(text, language)
    assert error is None or error.code
    read_name(text, language)
