"""Powers, bars, slices, counted sums and words of ten on one side: their numbers by hand and by NumPy, and what is refused."""

import math

import numpy as np
import pytest

from symtransformer.evaluation import cells_of
from symtransformer.node import Node, substitute
from symtransformer.reading import ReadingError
from symtransformer.reading.side_cursor import DEPTH_OF_PARTS
from symtransformer.reading.sides import Known, letter_name, read_side
from symtransformer.symbols import Literal
from symtransformer.values import letters_in

NUMBERS = {"A": [[1, 2, 4], [3, 5, 7]], "S": [[1, 2], [3, 4]], "r": [[2, 3, 5]], "c": [[2], [7]], "x": [[3, 4]]}
SCOPE = {name: Known((len(rows), len(rows[0])), name in "rx") for name, rows in NUMBERS.items()}
SCOPE |= {"d_model": Known(None, whole=4), "t": Known()}
A, S, r, c, x = (np.array(rows, dtype=float) for rows in NUMBERS.values())


def value(text):
    found = read_side(text, SCOPE).value
    if not isinstance(found, Node):
        return float(found)
    names = {letter_name(name): name for name in NUMBERS}
    rule = {letter: Literal(NUMBERS[names[letter.name]]) for letter in letters_in(found)}
    return np.array([[float(e) for e in row] for row in cells_of(substitute(found, rule)).exact()])


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        # powers
        ("r^2", r**2), ("c^3", c**3), ("S^2", S @ S), ("S^3", S @ S @ S), ("2^{-3}", 0.125), ("8^{1/3}", 2), ("4^{-1/2}", 0.5), ("4^{1/2}", 2),
        ("8^{2/3}", 4), ("½ x", x / 2), ("A ½", A / 2), ("½", 0.5), ("1 - ½", 0.5), ("e^{2}", math.e**2), ("(x x^T)^{1/2}", [[5]]), ("(x x^T)^{-1}", [[0.04]]),
        ("(x x^T)^{-1/2}", [[0.2]]), ("(x x^T)^2", [[625]]), ("2^{3.32}", 2**3.32), ("3^{-2.75}", 3**-2.75), ("2^{64.5}", 2**64.5), ("0.5^{1.999}", 0.5**1.999),
        ("10000^{-2/512}", 10000 ** (-2 / 512)), ("2^{64.999}", 2**64.999),
        # bars and brackets
        ("|x|", [[5]]), ("‖x‖", [[5]]), ("‖x‖_2", [[5]]), ("||x||", [[5]]), ("|c|", [[math.sqrt(53)]]), ("|-3|", 3), ("|3 - 5|", 2), ("⟨x, x⟩", [[25]]), ("⟨r, r⟩", [[38]]),
        ("x / |x|", x / 5),
        # entries and slices
        ("r_2", [[3]]), ("x_{2}", [[4]]), ("A_{2,3}", [[7]]), ("A_{1,3}", [[4]]), ("A_{:,2:3}", A[:, 1:]), ("A_{:,1:1}", A[:, :1]), ("A_{2:2,:}", A[1:]),
        ("A_{1:2,:}", A), ("(S x^T)_{2}", [[25]]), ("(2 x)_1", [[6]]), ("softmax(x)_1", [[1 / (1 + math.e)]]), ("(A A^T)_{:,2:2}", (A @ A.T)[:, 1:]),
        # counted
        ("Σ_{j=1}^{2} x_j", [[7]]), ("Σ_{j=1}^{3} r_j", [[10]]), ("Σ_{j=2}^{3} r_j", [[8]]), (r"\sum_{j=1}^{3} r_j^2", [[38]]), ("Concat(x_j, j=1..2)", x),
        ("Concat(r_j, j=2..3)", r[:, 1:]),
        # lists
        ("(1,)", [[1]]), ("[1,]", [[1]]), ("[1, 2,]", [[1, 2]]), ("[[1, 2], [3, 4]]", S), ("[1, 2] + [3, 4]", [[4, 6]]), ("[[1], [2]]", [[1], [2]]),
        # words of ten
        ("3 thousand", 3000), ("2 million", 2e6), ("1.5 billion", 1.5e9), ("2 trillion", 2e12), ("3千", 3000), ("1.2万", 12000), ("2百万", 2e6), ("3億", 3e8),
        ("4兆", 4e12), ("25 percent", 0.25), ("25 パーセント", 0.25), ("25%", 0.25),
        # functions
        ("erf(1)", [[math.erf(1)]]), ("erfc(1)", [[math.erfc(1)]]), ("erf(-0.5)", [[math.erf(-0.5)]]), ("matmul(A, r^T)", A @ r.T), ("transpose(A)", A.T),
        ("diag(x)", np.diag(x[0])), ("std(x)", [[0.5]]), ("var(x)", [[0.25]]), ("mean(x)", [[3.5]]), ("sum(x)", [[7]]), ("ReLU(x - 4)", [[0, 0]]),
        ("ReLU(x - 3)", [[0, 1]]), ("30°", math.pi / 6), ("sin(30°)", [[0.5]]), (r"\sin 30^\circ", [[0.5]]), ("cos(60°)", [[0.5]]), (r"\Phi(0)", [[0.5]]), ("Φ(0)", [[0.5]]),
        ("ln(2)", [[math.log(2)]]), ("log_2(8)", [[3]]), ("log_10(100)", [[2]]), (r"\log_{2} 8", [[3]]), ("sigmoid(0)", [[0.5]]), ("exp(0)", [[1]]), ("abs(-3)", 3),
        ("√√16", 2), ("max(3, 5)", 5), ("max(-1, -3, 1/2)", 0.5), ("min(2, 0.5)", 0.5), (r"\min(3, -5, 1)", -5), ("max(0, x - 3.5)", [[0, 0.5]]),
        ("sin²(0.5)", [[math.sin(0.5) ** 2]]), (r"\cos^2(0.3)", [[math.cos(0.3) ** 2]]), (r"\sin^{2} 1", [[math.sin(1) ** 2]]), (r"\tanh^3(0.5)", [[math.tanh(0.5) ** 3]]), ("softmax(x)", [[1 / (1 + math.e), math.e / (1 + math.e)]]),
        # signs between
        ("A * A", A * A), ("S * S", S @ S), ("A + c", A + c), ("A * r", A @ r.T), ("x ⊙ x", x * x), ("x · x", [[25]]), ("x.T", x.T),
        ("[1,2]·[3,4]", [[11]]), ("3 - -2", 5), ("2(3)", 6), ("(2)(3)", 6), ("-x", -x), ("+x", x), ("x/2", x / 2), ("2**3", 8), ("1e-3", 0.001), ("0^0", 1),
        ("x²", x**2), ("2²", 4), ("{-2}", -2),
        # digits in groups
        ("1,234,567", 1234567), ("1{,}234{,}567", 1234567), ("[1,234,567]", [[1, 234, 567]]), ("1,234,567.5", 1234567.5),
        # the encoding of positions
        ("PE(1, 0)", [[math.sin(1)]]), ("PE(1, 1)", [[math.cos(1)]]), ("PE(3, 2)", [[math.sin(0.03)]]), ("PE(3, 3)", [[math.cos(0.03)]]),
    ],
)  # fmt: skip
def test_a_side_has_the_numbers_that_are_meant(text, meant):
    assert np.allclose(value(text), meant, rtol=1e-12, atol=0)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("A^2", "shapes"), ("S^{65}", "exponent"), ("S^0", "exponent"), ("S^{1/2}", "exponent"), ("x^{-1}", "exponent"), ("S^{-1}", "exponent"),
        ("2^t", "exponent"), ("t^{1/3}", "exponent"), ("1½", "mixed"), ("½2", "mixed"), ("x½", "mixed"), ("½ + A", "number_and_matrix"),
        ("‖x‖_1", "subscript"), ("|S|", "matrix"), ("⟨x, t⟩", "matrix"), ("⟨x, r⟩", "shapes"), ("r_4", "shapes"), ("A_{3,1}", "shapes"), ("A_{2,4}", "shapes"),
        ("A_{:,2:4}", "shapes"), ("A_{:,0:1}", None), ("A_{:,3:2}", "shapes"), ("A_{1:3,:}", "shapes"), ("softmax(x)_{3}", "shapes"), ("(½", "incomplete"),
        ("erf(x)", "arguments"), ("matmul(A)", "arguments"), ("diag(S)", "matrix"), (r"\sqrt42", "root"), ("3{-2}", "sign"), ("x * x", "vectors"), ("x'", "unknown_name"),
        ("A[0]", "index"), ("x 2", "number_after"), ("2/S", "shapes"), ("1/0", "division_by_zero"), ("√(-1)", "root"), ("max(√2, 1)", "unknown_function"), ("max(3, S)", "unknown_function"), ("min(0, x)", "unknown_function"), ("max(3)", "unknown_function"),
        ("norm(x)", "unknown_function"), ("1_{2}", "subscript"), ("[x | x]", "syntax"), ("½²", "mixed"), ("S⁻¹", "exponent"), ("sin^{-1}(1)", "exponent"), ("sin⁻¹(1)", "exponent"), (r"\sin^{12}(1)", "exponent"), ("exp^2(1)", "exponent"),
        (r"\sin^2(1)^2", "exponent"), ("2^{65.5}", "exponent"), ("2^{0.0001}", "exponent"), ("2^{65}", "exponent"), ("A * c", "shapes"),
        ("--2", "sign"), ("A + r", "shapes"), ("√√√√√2", "root"), ("(" * 300 + "1" + ")" * 300, "too_deep"), ("1" * 2001, None), ("+".join(["1"] * 4000), None),
        ("[1, 2", "incomplete"), ("|x", None), ("Σ_{j=1}^{3} x_j", "shapes"), ("[[1, 2], [3]]", None),
    ],
)  # fmt: skip
def test_what_a_side_cannot_mean_is_refused(text, code):
    with pytest.raises(ReadingError) as refused:
        read_side(text, SCOPE)
    assert code is None or refused.value.code == code, refused.value


def test_powers_of_a_matrix_go_up_to_64():
    assert read_side("S^{64}", SCOPE).value is not None
    assert value("c^{64}")[0][0] == 2.0**64


@pytest.mark.parametrize("around", [("exp(", ")"), ("ReLU(", ")")])
def test_parts_are_inside_each_other_up_to_a_depth_and_as_many_beside_as_one_likes(around):
    opening, closing = around

    def nested(k):
        return opening * k + "t" + closing * k

    assert read_side(" + ".join(["exp(t)"] * (DEPTH_OF_PARTS + 5)), SCOPE).value is not None
    assert read_side(" + ".join([nested(3)] * DEPTH_OF_PARTS), SCOPE).value is not None
    with pytest.raises(ReadingError) as refused:
        read_side(nested(DEPTH_OF_PARTS + 1), SCOPE)
    assert refused.value.code in ("too_deep", "root")


def test_functions_without_brackets_go_as_deep_as_is_said():
    assert read_side("exp " * (DEPTH_OF_PARTS - 1) + "t", SCOPE).value is not None
    with pytest.raises(ReadingError) as refused:
        read_side("exp " * DEPTH_OF_PARTS + "t", SCOPE)
    assert refused.value.code == "too_deep"
