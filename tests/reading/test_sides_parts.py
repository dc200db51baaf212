"""Slices, roots, powers of one number and lists with a comma at their end, by plain arithmetic."""

import pytest
from mpmath import mp, mpf
from test_sides import NUMBERS, SCOPE, M, T, by, mul, plus, softmax, value_of

from symtransformer.operations import SinusoidalEncoding
from symtransformer.reading import ReadingError
from symtransformer.reading.side_cursor import DEPTH_OF_PARTS
from symtransformer.reading.sides import Known, read_side

SCORES = mul(M("Q"), T(M("K")))
LENGTH = sum(x * x for x in M("x")[0])  # 13
READ = [
    ("(Q K^T)_{:,1:2}", [row[:2] for row in SCORES]),
    ("(Q K^T)_{:,2:2}", [row[1:2] for row in SCORES]),
    ("(Q K^T)_{2:2,:}", SCORES[1:]),
    ("softmax(Q)_{:,2:3}", [row[1:] for row in softmax(M("Q"))]),
    ("softmax(Q)_{1:1,:}", softmax(M("Q"))[:1]),
    ("(x x^T)^{-1/2}", [[1 / mp.sqrt(LENGTH)]]),
    ("(x x^T)^{1/2}", [[mp.sqrt(LENGTH)]]),
    ("(x x^T)^{-1}", [[1 / LENGTH]]),
    ("(3,)", [[mpf(3)]]),
    ("(1, 2,)", [[mpf(1), mpf(2)]]),
    ("[1, 2,]", [[mpf(1), mpf(2)]]),
    ("[[1, 2,], [3, 4]]", [[mpf(1), mpf(2)], [mpf(3), mpf(4)]]),
    ("eQ", by(M("Q"), mp.e)),
    ("Qe", by(M("Q"), mp.e)),
    ("Concat(Q, j = 1..2)", [row * 2 for row in M("Q")]),
    (" + ".join(["√2"] * 90), [[90 * mp.sqrt(2)]]),
    (" + ".join(["√(d_k)"] * 60), [[60 * mp.sqrt(64)]]),
]

ONES = [[mpf(1)] * 3] * 2
TWICE = [row * 2 for row in M("Q")]
COUNTED = [  # every term written out
    (r"\operatorname*{Concat}_{j=1}^{2}(Q)", TWICE),
    (r"\operatorname*{Concat}_{j=1}^2(Q)", TWICE),
    (r"\operatorname*{Sum}_{j=1}^{2}(x_j)", [[mpf(1)]]),
    (r"\operatorname*{Sum}_{j=2}^{2}(x_j)", [[mpf(-2)]]),
    (r"\operatorname*{Sum}_{j=0}^{2}(Q)", by(M("Q"), 3)),
    (r"Concat(x_j, j = 1..2)", M("x")),
    (r"Concat(x_j + 1, j = 1..2)", [[mpf(4), mpf(-1)]]),
    (r"Sum(x_j, j = 1..2)", [[mpf(1)]]),
    (r"Sum(x_j^2, j = 2..2) + 1", [[mpf(5)]]),
    (r"Sum(Q, j = 1..3)", by(M("Q"), 3)),
    (r"\sum_{j=1}^{2} x_j", [[mpf(1)]]),
    (r"\sum_{j=2}^{2} x_j", [[mpf(-2)]]),
    (r"\sum_j x_j", [[mpf(1)]]),
    (r"\sum_j x_j^2 + 1", [[mpf(14)]]),
    (r"\sum_{i=1}^{2}\sum_{j=1}^{4} A_{ij}", [[mpf(2)]]),
    (r"\sum_{i=1}^{2} A_{i2} + \sum_{i=1}^{2} A_{i1}", [[mpf("1.625")]]),
    (r"\sum_{j=1}^{2} \delta_{j2} x_j", [[mpf(-2)]]),
    (r"\delta_{12} + 3", [[mpf(3)]]),
    (r"\delta_{22} + 3", [[mpf(4)]]),
]
OF_ONES = [  # a bold 1 is of ones, as many as fit
    (r"\mathbf{1}^T K", [[sum(column) for column in T(M("K"))]]),
    (r"2 \mathbf{1}^T K", [[2 * sum(column) for column in T(M("K"))]]),
    (r"K \mathbf{1}", [[sum(row)] for row in M("K")]),
    (r"K \mathbf{1} \cdot 3", [[3 * sum(row)] for row in M("K")]),
    (r"x \mathbf{1}", [[mpf(1)]]),
    (r"Q - \mathbf{1}", plus(M("Q"), by(ONES, -1))),
    (r"Q + 2\mathbf{1}", plus(M("Q"), by(ONES, 2))),
    (r"\mathbf{1} - Q", plus(by(M("Q"), -1), ONES)),
    (r"Q - \frac{\mathbf{1}}{2}", plus(M("Q"), by(ONES, mpf(-1) / 2))),
    (r"\exp(\mathbf{1}) + Q", plus(M("Q"), by(ONES, mp.e))),
    (r"Q \odot \mathbf{1}", M("Q")),
    (r"\mathbf{1} \odot Q", M("Q")),
    (r"\mathbf{1} x + W", plus(M("W"), M("x") * 3)),
    (r"c \mathbf{1}^T + A", plus(M("A"), [[x[0]] * 4 for x in M("c")])),
]
READ_AS_TEXT = ("softmax(Q)_{1:1", "Concat(", "Sum(", "√", "(3", "(1", "[")


@pytest.mark.parametrize(("text", "expected"), READ + COUNTED + OF_ONES)
def test_a_part_is_what_plain_arithmetic_gives(text, expected):
    found = value_of(text, "text" if text.startswith(READ_AS_TEXT) else "latex")
    assert len(found) == len(expected)
    for row, right in zip(found, expected, strict=True):
        assert row == pytest.approx(right, abs=1e-25)


REFUSED = [
    "softmax(Q)_{:,2:9}", "softmax(Q)_{:,0:1}", "softmax(Q)_{:,3:2}", "[1, 2,,]", "[1, 2,,3]", "zQ", "QzK", "eW_z", "Concat(, j = 1..2)",
    "Concat(x_j, j = 1..3)", "Sum(x_j, j = 0..2)", "Sum(x_j, j = 1..5000)", "Sum(Q, j = 1..5000)", r"\sum_{j=2}^{1} x_j", r"\sum_{j=1}^{3} x_j",
    r"\sum_{i=1}^{2}\sum_{i=1}^{2} A_{ii}", r"\sum_{i} 2", r"\mathbf{1}", r"\mathbf{1} + \mathbf{1}", r"\mathbf{1} x", r"c \mathbf{1}^T", r"x / \mathbf{1}",
    r"\mathbf{1} \mathbf{1}^T + Q", r"\mathbf{1} x + Q", r"\mathbf{1} c + A", "causal(3)[4]", "causal(3)[0]", "causal(3)[x]", "causal(3)[1, 2]", "K_{5}",
    "K_{,1}", "K_{1,2,3}", "A_{i}", "A_{35}", "A_{3,1}", "A_{1,5}", "A_{0,1}", "x_{3}", "x_{0}", "v_{1}",
]  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_outside_ambiguous_or_unknown_is_refused(text):
    with pytest.raises(ReadingError):
        read_side(text, SCOPE, "latex" if "_{" in text or "\\" in text else "text")


def test_parts_inside_each_other_have_a_limit():
    scope = {"s": Known()}
    assert read_side("log " * (DEPTH_OF_PARTS - 1) + "s", scope, "text")  # and the whole
    with pytest.raises(ReadingError) as refused:
        read_side("log " * DEPTH_OF_PARTS + "s", scope, "text")
    assert refused.value.code == "too_deep"


def test_an_entry_of_the_encoding_of_positions_has_the_wavelengths_of_the_article():
    """PE(3, 2) of four columns is sin(3 / 10000^(2/4))."""
    scope = {"d_model": Known(whole=4), **{name: Known() for name in NUMBERS}}
    side = read_side("PE(3, 2)", scope, "text")
    (encoding,) = (x for x in side.value.atoms() if isinstance(x, SinusoidalEncoding))
    assert [int(x) for x in encoding.args] == [1, 4, 3, 10_000]
