"""Why something is not read or not computed, as a clause in Japanese that says as much as the English one."""

import pytest

from symtransformer.checking.refusals import _NAMED, FITTING, JAPANESE, in_japanese, plain, reason_of, refusal
from symtransformer.errors import LimitExceeded, NotSupported
from symtransformer.reading.problems import START, ReadingError


def error(code, message):
    return ReadingError("x", START, code, message)


@pytest.mark.parametrize(
    ("message", "clause"),
    [
        ("K is 2 x 3, V is 4 x 5; 3 and 4 must be equal", "K は 2 × 3、V は 4 × 5 で、3 と 4 は等しくなければならない"),
        ("the sizes do not fit: K is 2 x 3; 3 and n must be equal", "K は 2 × 3 で、3 と n は等しくなければならない"),
        ("in a sum, 2 and 3 must be equal", "和では、2 と 3 は等しくなければならない"),
        ("in an inner product, 2 and 3 must be equal", "内積では、2 と 3 は等しくなければならない"),
        ("in a riddle, 2 and 3 must be equal", "2 と 3 は等しくなければならない"),
        ("K is 2 x 3, V is 4 x 5; both must be equal", "K は 2 × 3、V は 4 × 5 で、同じ大きさでなければならない"),
        ("K is 2 x 3; a power needs a square matrix", "K は 2 × 3：冪は正方行列にだけある"),
        ("2 x 3, beside 4 x 5", "2 × 3 と 4 × 5 は合わない"),
        ("row 1 has 2 entries, and this one has 3", "1 行目の成分は 2 個、この行は 3 個である"),
        ("index (3, 1) of a matrix of size 2 x 4", "2 × 4 の行列に番号 (3, 1) の成分はない"),
        ("K is 2 x 3", "K は 2 × 3 である"),
        ("they do not fit", "行や列の数が合わない"),
        ("K is 2 x d; they fit only if d = 3", "K は 2 × d である（d = 3 のときだけ合う）"),
    ],
)
def test_sizes(message, clause):
    assert in_japanese("shapes", message) == clause
    said = refusal(error("shapes", message))
    assert (said.en, said.ja) == (f"The sizes do not fit: {message}.", f"大きさが合わない。{clause}。")


@pytest.mark.parametrize(
    ("message", "clause"),
    [
        ("'y' is not defined before this", "y はここまでに定義されていない"),
        ("a name no line defines: 'y' is not defined before this", "y はここまでに定義されていない"),
        ("'y' is nothing that is known here", "y が何を表すか、ここまでに書かれていない"),
        ("y is nothing that is known here", "y が何を表すか、ここまでに書かれていない"),
        ("W_1 has no value here", "W_1 にはまだ値がない"),
        ("no operation is called 'foo'; known are: a, b", "foo という演算は知られていない"),
        ("the character U+00A7 has no meaning", "文字 U+00A7 は式の中では意味を持たない"),
        (r"the command '\\foo' has no meaning", r"命令 \foo は式の中では意味を持たない"),
        ("'§' has no meaning", "§ は式の中では意味を持たない"),
        ("')' cannot stand here", ") はここに置けない"),
        ("'s' behind a number", "数のすぐ後の s が単位かどうか定まらない"),
        ("the expression is not complete; ')' is missing", "式が途中で終わっている。')' が足りない"),
        ("a number and a matrix are not added", "数と行列は足せない"),
    ],
)
def test_a_name_is_told_whatever_the_code(message, clause):
    for code in ("unknown_name", "axis", "of_no_such_code"):
        assert in_japanese(code, message) == clause


def test_the_clause_of_the_code_with_what_is_quoted():
    assert in_japanese("axis", "along which axis is not told") == JAPANESE["axis"]
    assert in_japanese("axis", "which axis of 'A' is not told") == f"{JAPANESE['axis']}（A）"
    assert in_japanese("of_no_such_code", "whatever") == "式として読めないところがある"
    assert all(text and not text.endswith("。") for text in (*JAPANESE.values(), *FITTING.values()))
    assert all("{0}" in japanese or "(" not in message for message, japanese in _NAMED if "(.+" in message)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (r"the command '\\foo'", r"the command '\foo'"),
        ("no operation is called 'f'; known are: a, b\nand c.", "no operation is called 'f'"),
        ("so it is.", "so it is"),
        ("so it is...", "so it is.."),
    ],
)
def test_a_message_as_it_is_written(message, text):
    assert plain(message) == text


def test_not_read_or_not_decided():
    found = error("axis", "the axis is not told")
    assert refusal(found).en == "Not read: the axis is not told."
    assert refusal(found).ja.startswith("読めない。")
    assert refusal(found, None, True).en == "Not decided: the axis is not told."
    assert refusal(found, None, True).ja.startswith("判定できない。")


def test_where_a_formula_stands_for_a_name_without_a_value():
    found = error("unknown_name", "'y' is not defined before this")
    assert refusal(found, {"x": 3}).en == "Not read: 'y' is not defined before this."
    said = refusal(found, {"y": 3})
    assert said.en == "Not read: line 3 has a formula for y, but y has no value yet."
    assert said.ja == "読めない。3 行目に y の式はあるが、y の値はまだない。"
    said = refusal(found, {"y": 3}, True, {"y": "W"}.get)
    assert said.en == "Not decided: line 3 has a formula for y, but y has no value yet, as W has none."
    assert said.ja == "判定できない。3 行目に y の式はあるが、W の値がないので、y の値はまだない。"


@pytest.mark.parametrize(
    ("message", "clause"),
    [
        ("−∞ times a number that is not positive", "−∞ に正でない数を掛けている"),
        ("A B: −∞ times a number that is not positive", "−∞ に正でない数を掛けている"),
        ("A: an entry is +∞", "+∞ になる成分がある"),
        ("the product is infinite", "無限大になる成分がある"),
        ("it has ∞", "無限大になる成分がある"),
        ("softmax takes (x, axis); missing: axis", "引数が足りない（axis）"),
        ("softmax takes (x, axis)", "引数の数が合わない"),
        ("the mean is undefined", "値が定義されない"),
        ("a division by 0", "値が定義されない"),
        ("more than 4096 entries", "大きさの上限を超える"),
        ("A is 2 x 3", "大きさが合わない"),
        ("", "この式の値を求める方法がない"),
        ("nothing of that kind", "この式の値を求める方法がない"),
    ],
)
def test_why_something_is_not_computed(message, clause):
    for kind in (NotSupported, LimitExceeded, ValueError):
        said = reason_of(kind(message))
        assert said.ja == clause
        assert said.en == (plain(message) or kind.__name__)


@pytest.mark.parametrize(
    ("code", "clause"),
    [
        ("axis", JAPANESE["axis"]),
        ("shapes", "行や列の数が合わない"),
        ("too_many_digits", "40 桁を超える数"),
        ("of_no_such_code", "大きさの上限を超える"),
    ],
)
def test_a_readers_message_is_told_by_its_code(code, clause):
    found = error(code, "it is more than one")
    found.args = ("it is more than one",)
    assert reason_of(found).ja == clause
