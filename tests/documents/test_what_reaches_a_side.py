"""The questions by which a side is found among words, one by one: each at its limits, before and behind a place."""

import pytest

from symtransformer.documents.dressing import undressed
from symtransformer.documents.placed import made
from symtransformer.documents.prose import _goes_on as line_goes_on
from symtransformer.documents.prose import _is_wrapped, _separates
from symtransformer.documents.right_sides import (
    _goes_on,
    _gradient_of_word,
    _is_arithmetic,
    _is_factor,
    _is_grouped,
    _is_ordinal,
    _joins,
    _more_numbers,
    _name_after,
    _operand_after,
    _operand_of_words,
    _plain_inside,
)
from symtransformer.documents.sides import _is_capital, _is_counted, _may_count, _name_before, _operator_before
from symtransformer.documents.signs import signs_of
from symtransformer.documents.statements import _operates, statements_of


def at(text, character):
    """The signs of a text, and which of them begins there."""
    signs = signs_of(text)
    return signs, next((i for i, s in enumerate(signs) if s.start == character), len(signs))


@pytest.mark.parametrize(
    ("function", "cases"),
    [
        (_is_grouped, [("4,096", 1, True), ("4,096.5", 1, True), ("4,09", 1, False), ("4 ,096", 2, False), ("4, 096", 1, False), ("4,", 1, False), ("x,096", 1, False), ("4;096", 1, False), ("4,0961", 1, False)]),
        (_operand_of_words, [("3 plus 4", 2, True), ("3 plus x", 2, True), ("(3) plus 4", 4, True), ("x plus 4", 2, False), ("3 plus", 2, False), ("3 plus the", 2, False), ("3 plus a", 2, False)]),
        (_goes_on, [("loss + 3", 0, True), ("loss mean + 3", 0, True), ("loss", 0, False), ("loss mean", 0, False), ("and + 3", 0, False), ("is - 3", 0, False), ("loss - 3", 0, True), ("次元/ヘッド", 0, False), ("次元 × 3", 0, True), ("loss +", 0, False), ("loss 3", 0, False), ("値は - 3", 0, False)]),
        (_operand_after, [("x", 0, True), (" x", 0, True), ("- x", 0, True), ("|x", 0, True), ("", 0, False), (" ", 0, False), ("-", 0, False), ("the", 0, True), ("合計", 0, True), ("=", 0, False), (";", 0, False)]),
        (_more_numbers, [("1, 2", 1, True), ("1, 2.", 1, True), ("1, 2, 3", 1, True), ("1, x", 1, False), ("1, ", 1, False), ("1, -2", 1, True), ("1, 2 the", 1, False), ("1、2", 1, True), ("1,", 1, False)]),
        (_is_ordinal, [("1行目", 0, True), ("1番", 0, True), ("3個目", 0, True), ("1人", 0, False), ("1", 0, False), ("1 行目", 0, False)]),
    ],
)  # fmt: skip
def test_questions_up_to_the_end(function, cases):
    for text, place, expected in cases:
        signs, index = at(text, place)
        assert function(signs, index, len(signs)) is expected, text


def test_a_number_that_another_statement_begins_with():
    for text, expected in (("1, 2 = 3", False), ("1,2 = 3", True), ("1、2 = 3", False)):
        signs = signs_of(text)
        high = next(i for i, s in enumerate(signs) if s.kind == "relation")
        assert _more_numbers(signs, 1, high) is expected, text


@pytest.mark.parametrize(
    ("text", "expected"),
    [("(loss) + 3", True), ("(loss)+3", True), ("(loss) × x", True), ("(loss) 3", False), ("(loss) +", False), ("(loss)", False), ("(loss) | 3", False), ("(loss) + the", False)],
)  # fmt: skip
def test_brackets_that_are_a_factor(text, expected):
    signs = signs_of(text)
    assert _is_factor(signs, signs[0].partner, len(signs)) is expected


def test_names_behind_a_place():
    for text, end in (("loss", 4), ("loss mean", 9), ("loss mean + 3", 9), ("loss mean score", 15), ("loss 3", 4), ("loss; a", 4), ("合計です", 2), ("合計", 2), ("一二三四五六七八九十一二", 12), ("一二三四五六七八九十一二三", None)):  # fmt: skip
        signs = signs_of(text)
        found = _name_after(signs, 0, len(signs))
        assert (None if found is None else found[0]) == end, text


def test_gradients_of_words():
    for text, end in (
        ("d出力", 3),
        ("d出力です", 3),
        ("dの", None),
        ("d", None),
        ("x出力", None),
        ("d out", None),
        ("dデータ", 4),
    ):
        signs = signs_of(text)
        found = _gradient_of_word(signs, 0, len(signs))
        assert (None if found is None else found[0]) == end, text


def test_what_stands_in_brackets():
    for text, expected in (("(2 + 3)", True), ("(2)", True), ("(x + 3)", False), ("(2 + the)", False), ("()", True)):
        assert _is_arithmetic(signs_of(text), 0) is expected, text
    for text, expected in (("(2 + x)", True), ("(合計)", False), ("(50%)", False), ("(a. b)", False), ("(the)", True)):
        assert _plain_inside(signs_of(text), 0) is expected, text


@pytest.mark.parametrize(
    ("text", "place", "low", "expected"),
    [
        ("x + 2", 2, 0, True), ("x + 2", 3, 0, True), ("x + 2", 0, 0, False), ("+ 2", 0, 0, False), ("x 2", 1, 0, False), ("loss + 2", 5, 0, True), ("the + 2", 4, 0, False), ("is - 2", 3, 0, False), ("is × 2", 3, 0, True), ("損失は -2", 4, 0, False), ("損失は×2", 3, 0, True), ("合計 - 2", 3, 0, True),
        ("x + 2", 2, 1, False), ("x^ + 2", 3, 0, True), ("(see) + 2", 6, 0, True), ("(see) +2", 6, 0, False), ("(see)+2", 5, 0, True), ("(see) × 2", 6, 0, True), ("; - 2", 2, 0, False),
    ],
)  # fmt: skip
def test_operators_with_an_operand_before_them(text, place, low, expected):
    assert _operator_before(*at(text, place), low) is expected


def test_words_and_letters_before_a_side():
    for text, place, low, expected in (("step 3", 5, 0, True), ("Step 3", 5, 0, True), ("loss 3", 5, 0, False), ("3", 0, 0, False), ("step 3", 5, 1, False), ("第3", 1, 0, True)):  # fmt: skip
        assert _is_counted(*at(text, place), low) is expected, text
    for text, place, expected in (("A", 0, True), ("Aᵀ", 0, True), ("A_1", 0, True), ("a", 0, False), ("1", 0, False), ("", 0, False), ("the", 0, False), ("AB", 0, True)):  # fmt: skip
        assert _is_capital(*at(text, place)) is expected, text
    assert [_may_count(signs_of(text)[0]) for text in ("時間", "トークン", "トークン数", "時は", "loss")] == [True, True, False, False, False]  # fmt: skip
    assert [_joins(signs_of(text)[0]) for text in ("and", "is", "loss", "は", "値は", "値")] == [True, True, False, True, True, False]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "low", "alone", "start"),
    [
        ("loss", 0, True, 0), ("mean loss", 0, True, 0), ("the mean loss", 0, True, 4), ("one two three", 0, True, 0), ("one two three four", 0, True, 14), ("x is loss", 0, True, 5), ("mean loss", 0, False, 5), ("2 loss", 0, True, 2), ("and loss", 0, True, 4), ("and", 0, True, 0),
        ("mean loss", 1, True, 5), ("合計", 0, True, 0), ("また合計", 0, True, 2), ("値は合計", 0, True, 2), ("3合計", 0, True, 0), ("一二三四五六七八九十一二", 0, True, 0), ("一二三四五六七八九十一二三", 0, True, None), ("xは合計", 0, True, 2),
    ],
)  # fmt: skip
def test_names_before_a_place(text, low, alone, start):
    signs = signs_of(text)
    assert _name_before(signs, len(signs) - 1, low, alone) == start


@pytest.mark.parametrize(
    ("line", "following", "in_code", "expected"),
    [
        ("x = a", "+ b", False, False), ("x = a", " + b", False, True), ("x = a", "+ b", True, True), ("  x = a", " + b", True, False), ("x = a", "  - b", False, False), ("x = a", "   - b", False, True), ("x = a", "- b", True, False), ("= a", " - b", False, True), ("x = a +", "b", False, True), ("x = a +", "", False, False),
        ("x = a", "b", False, False), ("x a", " + b", False, False), ("x = a", "", False, False), ("with g = 1, b", "= 0", False, True), ("with g = 1 b", "= 0", False, False), ("x = f(a", "+ b)", False, True), ("x = f(a)", "+ b)", False, False), ("4 × 4", "× 2 = 32", False, True), ("4 × 4", "× 2", False, False), ("4 × a", "× 2 = 32", False, False),
        ("4 × 4", "+ 2 = 18", False, True), ("4 × 4", "+ 2", False, False), ("44", "+ 2 = 46", False, False), ("Step 4 × 4", "+ 2 = 2", False, False), ("in all 48 + 16 + 58", "+ 12 = 134", False, True), ("in all 58", "+ 12 = 134", False, False),
    ],
)  # fmt: skip
def test_lines_that_go_on(line, following, in_code, expected):
    assert line_goes_on(line, following, in_code) is expected


def test_wrapped_lines_and_rulers():
    assert [_is_wrapped(*pair) for pair in (("x, b", "= 0"), ("x, b", " = 0"), (" x, b", "= 0"), ("x", "y"), ("", "= 0"))] == [True, False, False, False, False]  # fmt: skip
    assert [_separates(line) for line in ("---", "|---|", "|:-|-:|", " --- ", "| a |", "", "-" * 2_000, "-" * 2_001)] == [True, True, True, True, False, False, True, False]  # fmt: skip


@pytest.mark.parametrize(
    ("formula", "wanted"),
    [
        ("a = 1, b = 2", [("a = 1", "a = 1"), ("b = 2", "b = 2")]), ("a = 1; b = 2", [("a = 1", "a = 1"), ("b = 2", "b = 2")]), ("a = 1,", [("a = 1", "a = 1")]), (", a = 1", [("a = 1", "a = 1")]), ("a = 1,000", [("a = 1,000", "a = 1,000")]), ("a = 1, 000", [("a = 1", "a = 1, 000")]), ("a = x,2", [("a = x", "a = x,2")]), ("a = 2,x", [("a = 2", "a = 2,x")]),
        ("a = (1, 2)", [("a = (1, 2)", "a = (1, 2)")]), ("a = 1, b", [("a = 1", "a = 1, b")]), (r"a = 1 \quad b = 2", [("a = 1", "a = 1"), ("b = 2", "b = 2")]), (r"a = 1 + \quad 2", [("a = 1 + 2", "a = 1 + 2")]), (r"a = 1 \quad + 2", [("a = 1 + 2", "a = 1 + 2")]), (r"a = 1 \quad -b = 2", [("a = 1", "a = 1"), ("-b = 2", "-b = 2")]),
        (r"a = 1 \times \quad 2", [(r"a = 1 \times 2", r"a = 1 \times 2")]), (r"a = |b| \quad c = 2", [("a = |b|", "a = |b|"), ("c = 2", "c = 2")]), (r"a = 1 \quad = 2", [("a = 1= 2", "a = 1 = 2")]), ("a = 1, = 2", [("a = 1 = 2", "a = 1, = 2")]), (r"a = 1 \quad (2)", [("a = 1", "a = 1")]), ("a = 1, (2)", [("a = 1", "a = 1, (2)")]), (r"a = 1 \quad (A.2)", [("a = 1", "a = 1")]), (r"a = 1, \quad (2)", [("a = 1", "a = 1")]),
        (r"\text{for all } i, a = 1", [("a = 1", "a = 1")]), (r"a = 1, i \in S", [("a = 1", "a = 1")]), (r"a = 1, (n \to 2)", [("a = 1", "a = 1")]), (r"a = 1, (\text{shape } n)", [("a = 1", "a = 1")]), ("a = 1, ()", [("a = 1", "a = 1, ()")]), ("a = 1, (b = 2)", [("a = 1", "a = 1"), ("(b = 2)", "(b = 2)")]), ("x > 0, a = 1", [("x > 0", "x > 0"), ("a = 1", "a = 1")]),
        (r"a = 1, \text{if } x > 0", [("a = 1", "a = 1")]), (r"a = 1 \quad (n > 2)", [("a = 1", "a = 1"), ("(n > 2)", "(n > 2)")]), ("a &= 1 & b &= 2", [("a = 1", "a = 1"), ("b = 2", "b = 2")]), ("f(a, b) = 1, c = 2", [("f(a, b) = 1", "f(a, b) = 1"), ("c = 2", "c = 2")]), ("a", []), ("a, b", []),
    ],
)  # fmt: skip
def test_statements_of_a_row_and_where_they_end(formula, wanted):
    text = undressed(made(formula, 0)).text
    found = [("".join(s.text for s in part), text[part[0].start : end]) for part, end in statements_of(signs_of(text))]
    assert [tuple(" ".join(words.split()) for words in pair) for pair in found] == wanted


def test_what_operates_beside_a_wide_space():
    assert [_operates(sign) for sign in (None, *signs_of(r"+|x\times"))] == [False, True, False, False, True]
