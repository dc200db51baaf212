"""Slices, roots, powers of one number and lists with a comma at their end, by plain arithmetic."""

import pytest
from mpmath import mp, mpf
from test_sides import NUMBERS, SCOPE, M, T, by, mul, softmax, value_of

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


@pytest.mark.parametrize(("text", "expected"), READ)
def test_a_part_is_what_plain_arithmetic_gives(text, expected):
    found = value_of(text, "latex" if "_{" in text or "^{" in text or "e" in (text[0], text[1]) else "text")
    assert len(found) == len(expected)
    for row, right in zip(found, expected, strict=True):
        assert row == pytest.approx(right, abs=1e-25)


@pytest.mark.parametrize(
    "text", ["softmax(Q)_{:,2:9}", "softmax(Q)_{:,0:1}", "softmax(Q)_{:,3:2}", "[1, 2,,]", "[1, 2,,3]", "zQ", "QzK", "eW_z", "Concat(, j = 1..2)"]
)  # fmt: skip
def test_what_is_outside_or_unknown_is_refused(text):
    with pytest.raises(ReadingError):
        read_side(text, SCOPE, "latex" if "_{" in text else "text")


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
