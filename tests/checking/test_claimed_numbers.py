"""Numbers as they are claimed: value, place, exactness; and what is refused, with code and place."""

from fractions import Fraction
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symtransformer.checking import judge_number, number, read_number
from symtransformer.errors import UnreadableInput
from symtransformer.reading import ReadingError
from symtransformer.reading.claimed_number_words import REFUSALS

DECIMALS = {
    # text: value, place
    "0.3302": (Fraction(3302, 10000), Fraction(1, 10000)),
    "0.50": (Fraction(1, 2), Fraction(1, 100)),
    "-1.414": (Fraction(-1414, 1000), Fraction(1, 1000)),
    "−1.414": (Fraction(-1414, 1000), Fraction(1, 1000)),
    "－2": (Fraction(-2), Fraction(1)),
    "+ 0.5": (Fraction(1, 2), Fraction(1, 10)),
    "66.5%": (Fraction(665, 1000), Fraction(1, 1000)),
    "66.5 \\%": (Fraction(665, 1000), Fraction(1, 1000)),
    "66.5％": (Fraction(665, 1000), Fraction(1, 1000)),
    "6.7e2": (Fraction(670), Fraction(10)),
    "6.7E+02": (Fraction(670), Fraction(10)),
    "1.2e-3": (Fraction(12, 10000), Fraction(1, 10000)),
    "1.2 × 10^{-3}": (Fraction(12, 10000), Fraction(1, 10000)),
    r"1.2\times 10^{-3}": (Fraction(12, 10000), Fraction(1, 10000)),
    r"1.2 \cdot 10^{ - 3 }": (Fraction(12, 10000), Fraction(1, 10000)),
    "1.2·10⁻³": (Fraction(12, 10000), Fraction(1, 10000)),
    "1.2 * 10^-3": (Fraction(12, 10000), Fraction(1, 10000)),
    r"1.2\,\times\,10^3": (Fraction(1200), Fraction(100)),
    "0.66...": (Fraction(66, 100), Fraction(1, 100)),
    r"0.66\ldots": (Fraction(66, 100), Fraction(1, 100)),
    "0.66…": (Fraction(66, 100), Fraction(1, 100)),
    "-0.00": (Fraction(0), Fraction(1, 100)),
    "665": (Fraction(665), Fraction(1)),
    "007": (Fraction(7), Fraction(1)),
}  # fmt: skip
EXACT = {
    # text: factor and radicand
    "2/3": (Fraction(2, 3), 1),
    "-2 / 4": (Fraction(-1, 2), 1),
    r"\frac{1}{3}": (Fraction(1, 3), 1),
    r"\frac{-1}{3}": (Fraction(-1, 3), 1),
    r"-\dfrac{1}{3}": (Fraction(-1, 3), 1),
    "√2": (Fraction(1), 2),
    "√4": (Fraction(2), 1),
    "sqrt(2)/2": (Fraction(1, 2), 2),
    "1/√2": (Fraction(1, 2), 2),
    r"\frac{1}{\sqrt{2}}": (Fraction(1, 2), 2),
    r"\frac{3\sqrt{2}}{4}": (Fraction(3, 4), 2),
    r"\frac{3}{4}\sqrt{2}": (Fraction(3, 4), 2),
    "3√2/4": (Fraction(3, 4), 2),
    "3·√2": (Fraction(3), 2),
    "1/(2√3)": (Fraction(1, 6), 3),
    "√(2/3)": (Fraction(1, 3), 6),
    r"\sqrt{\frac{2}{3}}": (Fraction(1, 3), 6),
    "10^{-9}": (Fraction(1, 10**9), 1),
    "-10^9": (Fraction(-(10**9)), 1),
}
REFUSED = {
    # text: code, column
    "": ("empty", 1),
    "  ": ("empty", 3),
    "-": ("empty", 2),
    "abc": ("form", 1),
    "0.5x": ("form", 4),
    "0.5 d": ("form", 5),
    "0.5/2": ("form", 4),
    "1/2%": ("form", 4),
    "50%%": ("form", 4),
    "0.665(3)": ("form", 6),
    "1.5 x 10^3": ("form", 5),
    "½": ("form", 1),
    "3^2": ("form", 2),
    "1 + 1": ("form", 3),
    "0.66...e2": ("form", 8),
    "--1": ("sign", 2),
    "±0.5": ("sign", 1),
    r"\pm 0.5": ("sign", 1),
    "0,665": ("comma", 2),
    "1,234": ("comma", 2),
    "1{,}000": ("comma", 2),
    "1，234": ("comma", 2),
    r"1\,000": ("comma", 2),
    "1'000": ("comma", 2),
    "2 3": ("two_numbers", 3),
    "1 1/2": ("mixed", 3),
    r"1\frac{1}{2}": ("mixed", 2),
    r"1\frac12": ("mixed", 2),
    r"\frac12": ("braces", 6),
    r"\sqrt2": ("braces", 6),
    r"1.2\times 10^12": ("braces", 13),
    "1/2√3": ("fraction", 3),
    "1/2/3": ("fraction", 4),
    "1/√2√3": ("fraction", 5),
    "1/0": ("division_by_zero", 3),
    "√-2": ("root", 2),
    r"\sqrt{\frac{-1}{2}}": ("root", 13),
    r"\sqrt{\frac12}": ("braces", 12),
    r"\sqrt{\frac{\sqrt{2}}{2}}": ("form", 13),
    r"\sqrt{1/0}": ("division_by_zero", 10),
    r"\sqrt[3]{2}": ("form", 6),
    "√(2": ("form", 4),
    "√(2}": ("form", 4),
    "1/(2√3": ("form", 7),
    "1/{2}": ("form", 3),
    r"\sqrt{-2}": ("root", 7),
    ".5": ("number", 1),
    "5.": ("number", 2),
    "1.2.3": ("number", 4),
    "0.5..": ("number", 4),
    "0.5....": ("form", 4),
    "5...": ("ellipsis", 1),
    "１２": ("digits", 1),
    "٣": ("digits", 1),
    "1٣": ("digits", 2),
    "2²": ("digits", 2),
    "1e9999": ("exponent", 3),
    "1e401": ("exponent", 1),
    "1 × 10^{401}": ("exponent", 1),
}  # fmt: skip


@pytest.mark.parametrize("text", DECIMALS)
def test_decimals(text):
    claim = read_number(text)
    assert (claim.kind, claim.value, claim.place) == ("decimal", *DECIMALS[text])
    assert claim.text == text


@pytest.mark.parametrize("text", EXACT)
def test_fractions_roots_and_powers_of_ten_are_exact(text):
    claim = read_number(text)
    assert (claim.kind, claim.value, claim.radicand, claim.place) == ("exact", *EXACT[text], None)


@pytest.mark.parametrize(
    ("text", "kind", "negative"),
    [
        ("∞", "infinite", False), ("-∞", "infinite", True), ("−∞", "infinite", True), (r"-\infty", "infinite", True),
        ("+∞", "infinite", False), ("-inf", "infinite", True), ("-oo", "infinite", True), ("nan", "undefined", False),
        ("NaN", "undefined", False), ("undefined", "undefined", False), ("未定義", "undefined", False),
        (r"\text{undefined}", "undefined", False), ("0/0", "undefined", False), (r"\frac{0}{0}", "undefined", False),
    ],
)  # fmt: skip
def test_infinities_and_the_undefined(text, kind, negative):
    claim = read_number(text)
    assert (claim.kind, claim.is_negative) == (kind, negative)


def test_marks():
    assert read_number("-0.00").is_negative_zero
    assert not read_number("0.00").is_negative_zero
    assert read_number("66%").is_percent
    assert read_number("0.66...").goes_on
    assert [read_number(t).places for t in ("0.3302", "66.5%", "6.7e2", "665", "1e-7")] == [4, 3, -1, 0, 7]


def test_zeros_at_the_end_of_a_whole_number_may_be_no_digits():
    wide = {
        "700": 100,
        "710": 10,
        "701": 1,
        "0": 1,
        "10%": Fraction(1, 10),
        "70e1": 100,
        "7.0e2": 10,
        "700.0": Fraction(1, 10),
    }
    for text, place in wide.items():
        assert read_number(text).widest == place


@pytest.mark.parametrize("text", REFUSED)
def test_refused_with_code_and_place(text):
    with pytest.raises(ReadingError) as error:
        read_number(text)
    assert (error.value.code, error.value.line, error.value.column) == (REFUSED[text][0], 1, REFUSED[text][1])


def test_every_code_is_met_and_has_words():
    declared = {"point", "thousands"}  # below
    limits = {"too_long", "too_many_digits"}
    assert {code for code, _ in REFUSED.values()} | declared | limits == REFUSALS.keys()
    for code in REFUSALS:
        assert REFUSALS[code].en.isascii()
        assert not REFUSALS[code].ja.isascii()


@pytest.mark.parametrize(
    ("text", "comma", "value", "place"),
    [
        ("1,234", "thousands", Fraction(1234), Fraction(1)), ("1{,}234{,}000", "thousands", Fraction(1234000), Fraction(1)),
        ("1,234.5", "thousands", Fraction(12345, 10), Fraction(1, 10)), ("0.5", "thousands", Fraction(1, 2), Fraction(1, 10)),
        ("0,665", "decimal", Fraction(665, 1000), Fraction(1, 1000)), ("1{,}234", "decimal", Fraction(1234, 1000), Fraction(1, 1000)),
        ("12", "decimal", Fraction(12), Fraction(1)), ("66,5%", "decimal", Fraction(665, 1000), Fraction(1, 1000)),
    ],
)  # fmt: skip
def test_declared_commas(text, comma, value, place):
    claim = read_number(text, comma)
    assert (claim.value, claim.place) == (value, place)
    named = [f"comma_{comma}"] if "," in text else []
    for true in (value, value + 1000):  # right, and wrong
        assert [n.name for n in judge_number(claim, number(true)).notes if n.name.startswith("comma")] == named


@pytest.mark.parametrize(
    ("text", "comma", "code"),
    [
        ("0,665", "thousands", "thousands"), ("1,23", "thousands", "thousands"), ("1234,567", "thousands", "thousands"),
        ("1,234,56", "thousands", "thousands"), ("0.5", "decimal", "point"), ("1,2,3", "decimal", "number"),
    ],
)  # fmt: skip
def test_what_a_declaration_does_not_cover(text, comma, code):
    with pytest.raises(ReadingError) as error:
        read_number(text, comma)
    assert error.value.code == code


def test_only_known_declarations():
    with pytest.raises(UnreadableInput, match="thousands, decimal or None"):
        read_number("1", "point")


@pytest.mark.parametrize(
    ("right", "too_much", "code"),
    [
        ("1" * 40, "1" * 41, "too_many_digits"), ("0." + "1" * 39, "0." + "1" * 40, "too_many_digits"),
        ("1e400", "1e401", "exponent"), ("1e-400", "1e-401", "exponent"), ("10^{400}", "10^{401}", "exponent"),
        ("1/" + "3" * 40, "1/" + "3" * 41, "too_many_digits"), ("√" + "3" * 40, "√" + "3" * 41, "too_many_digits"),
        (" " * 3999 + "1", " " * 4000 + "1", "too_long"), ("1e" + "0" * 3000 + "400", "1e" + "0" * 3000 + "401", "exponent"),
    ],
    ids=lambda text: text[:8],
)  # fmt: skip
def test_limits(right, too_much, code):
    read_number(right)
    with pytest.raises(ReadingError) as error:
        read_number(too_much)
    assert error.value.code == code


@pytest.mark.parametrize(
    "text",
    [
        "1" + " " * 3990 + "x", "√" * 4000, r"\frac{" * 660, r"\sqrt{\frac{" * 300, "(" * 4000, r"\," * 1900 + "x", "1/" * 2000,
        "-" * 4000, "1." * 2000, "1," * 2000, "9" * 4000, "1e" * 2000, "0." + "." * 3990, "1 " * 2000, "²" * 4000, "{,}" * 1300,
    ],
    ids=lambda text: text[:6],
)  # fmt: skip
def test_long_texts_are_refused_at_once(text):
    begin = process_time()
    assert isinstance(read(text), ReadingError)
    assert process_time() - begin < 2


def read(text):
    try:
        return read_number(text)
    except ReadingError as error:
        return error


@settings(max_examples=1500, deadline=None, database=None, derandomize=True)
@given(st.text(alphabet="0123456789.,-+−%eE^{}()/√\\ sqrtfacxnitymduo×·…∞⁻²½٣\n\x00~", max_size=24))
def test_any_text_is_read_or_refused(text):
    found = read(text)
    if isinstance(found, ReadingError):
        assert found.code in REFUSALS
        assert 1 <= found.column <= len(text) + 1
    assert judge_number(found, number(1)).kind in ("unparsed", "right", "last_place", "wrong")


@settings(max_examples=500, deadline=None, database=None, derandomize=True)
@given(st.integers(-(10**9), 10**9), st.integers(0, 12), st.integers(-20, 20))
def test_what_was_printed_is_read_back(units, places, power):
    sign, digits = "-" if units < 0 else "", str(abs(units)).rjust(places + 1, "0")
    text = sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)
    assert read_number(text).value == Fraction(units, 10**places)
    assert read_number(f"{text}e{power}").value == Fraction(units, 10**places) * Fraction(10) ** power
