"""Shown numbers entry by entry: which verdict the whole has, what is said of each entry, and what should stand there."""

import flint
import pytest
from sympy import Rational, S, sqrt

from symtransformer.checking import Value, read_number
from symtransformer.checking.computing import Computed
from symtransformer.checking.number_equations import (
    Routes,
    fits_shape,
    gives,
    judge_cells,
    with_whole_numbers_exact,
    written_cells,
)
from symtransformer.symbols import Literal


def cells(text):
    return tuple(tuple(read_number(x) for x in row.split()) for row in text.split(";"))


def computed(text):
    rows = [[Rational(x) for x in row.split()] for row in text.split(";")]
    return Computed(rows[0][0] if len(rows) == len(rows[0]) == 1 else Literal(rows))


def judged(shown, start, relation="≈", local=None, listed=False, wrong_line=None, rounded_to=None):
    routes = Routes(
        None if start is None else computed(start),
        None if local is None else computed(local),
        None,
        rounded_to,
        wrong_line,
    )
    return judge_cells(cells(shown), routes, relation, listed)


@pytest.mark.parametrize(
    ("shown", "start", "kind", "right", "entries"),
    [
        ("0.33", "1/3", "right", None, []),
        ("0.34", "1/3", "last_place", "0.33", []),
        ("0.5", "1/3", "wrong", "0.33", []),
        ("0.33 0.67", "1/3 2/3", "right", None, []),
        ("0.33 0.66", "1/3 2/3", "last_place", "[[0.33, 0.67]]", [(1, 2, "0.66", "last_place", "0.67")]),
        (
            "0.9 0.66",
            "1/3 2/3",
            "wrong",
            "[[0.33, 0.67]]",
            [(1, 1, "0.9", "wrong", "0.33"), (1, 2, "0.66", "last_place", "0.67")],
        ),
        (
            "0.66 0.9",
            "2/3 1/3",
            "wrong",
            "[[0.67, 0.33]]",
            [(1, 1, "0.66", "last_place", "0.67"), (1, 2, "0.9", "wrong", "0.33")],
        ),
        ("0.3; 0.9", "1/3; 1/3", "wrong", "[[0.3], [0.33]]", [(2, 1, "0.9", "wrong", "0.33")]),
        ("0.3 1; 0.3 9", "1/3 1; 1/3 1", "wrong", "[[0.3, 1], [0.3, 1.0]]", [(2, 2, "9", "wrong", "1.0")]),
    ],
)
def test_the_worst_entry_decides(shown, start, kind, right, entries):
    found = judged(shown, start)
    assert (found.kind, found.right, found.from_start, found.local) == (kind, right, kind, None)
    assert [(e.row, e.column, e.shown, e.verdict, e.right) for e in found.entries] == entries


def test_a_list_is_told_as_a_list():
    assert judged("0.9 0.67", "1/3 2/3", listed=True).right == "[0.33, 0.67]"
    assert judged("0.9", "1/3", listed=True).right == "[0.33]"
    assert len(judged("0.9", "1/3", listed=True).entries) == 1
    assert len(judged("0.9", "1/3").entries) == 0


def test_both_routes():
    found = judged("0.33", "1/3", local="0.34")
    assert (found.kind, found.from_start, found.local) == ("right", "right", "last_place")
    assert [note.name for note in found.notes] == ["not_from_shown_operands"]
    found = judged("0.33", None, local="1/3")
    assert (found.kind, found.from_start, found.local) == ("right", None, "right")
    found = judged("0.33", "0.4", local="1/3", wrong_line="7")
    assert (found.kind, found.from_start, found.local) == ("follows", "wrong", "right")
    assert "line 7" in found.words.en
    assert found.right == "0.40"


def test_notes_come_once():
    found = judged("0.33 0.67 0.5", "1/3 2/3 1/2", "=")
    assert [note.name for note in found.notes] == ["equals_rounded"]


@pytest.mark.parametrize(
    ("shown", "start", "is_exact"),
    [
        ("0.9", "1/4", True),  # told as 0.25
        ("0.26", "1/8", False),  # told as 0.13
        ("0.99", "1/4", True),
        ("0.9 0.5", "3/10 1/2", True),
        ("0.9 0.3", "3/10 1/3", False),
        ("0.9 0.33", "3/10 33/100", True),
        ("3/4", "1/3", True),
    ],
)
def test_whether_what_is_right_is_told_with_all_its_digits(shown, start, is_exact):
    found = judged(shown, start)
    assert found.is_exact is is_exact
    assert judged("0.3", "3/10").is_exact is False  # nothing is told of what is right


def test_roundings_in_between_are_worked_out_once():
    asked = []

    def rounded_to(decimals):
        asked.append(decimals)
        return computed("0.5 0.25") if decimals == 2 else None

    found = judged("0.50 0.25", "0.4 0.25", rounded_to=rounded_to)
    assert found.kind == "right_if_rounded"
    assert asked == sorted(set(asked))


def test_what_is_not_told_accuses_nobody():
    found = judged("0.9 0.66", "1/3 2/3").not_told()
    assert (found.kind, found.entries, found.notes, found.code) == ("undecidable", (), (), "rounded_operands")


# -- sizes --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("shown", "start", "listed", "fits"),
    [
        ("1 2", "1 2", False, "1 2"),
        ("1 2", "1; 2", True, "1 2"),
        ("1 2", "1; 2", False, None),
        ("1; 2", "1 2", True, "1; 2"),
        ("1 2; 3 4", "1 3; 2 4", True, "1 3; 2 4"),
        ("1 2 3", "1; 2", True, None),
        ("1 2 3; 4 5 6", "1 4; 2 5; 3 6", True, None),
        ("1", "1", False, "1"),
    ],
)
def test_a_list_stands_for_a_column(shown, start, listed, fits):
    for routes in (
        Routes(computed(start), None),
        Routes(None, computed(start)),
        Routes(computed(start), computed(start)),
    ):
        found = fits_shape(cells(shown), listed, routes)
        assert (found is None) is (fits is None)
        for value in (found.start, found.local) if found else ():
            wanted = computed(fits)
            rows, columns = wanted.shape
            assert value is None or value.shape == wanted.shape
            places = [(i, j) for i in range(rows) for j in range(columns)]
            assert value is None or all(value.exact_entry(i, j) == wanted.exact_entry(i, j) for i, j in places)


def test_a_column_that_is_written_as_a_list():
    column = Computed(Literal([[1], [2]]), listed=True)
    assert fits_shape(cells("1 2"), False, Routes(column, None)).shape == (1, 2)
    assert fits_shape(cells("1 2"), False, Routes(None, column)).shape == (1, 2)


def test_what_is_turned_is_turned_in_every_route():
    column = computed("1; 2")
    turned = Routes(
        column, column, lambda i, j: (i, j), lambda decimals: column if decimals == 2 else None, "7", lambda: True
    ).turned()
    assert turned.start.shape == turned.local.shape == (1, 2)
    assert turned.range_at(0, 1) == (1, 0)
    assert turned.rounded_to(2).shape == (1, 2)
    assert turned.rounded_to(3) is None
    assert (turned.wrong_line, turned.expired()) == ("7", True)
    bare = Routes(column, None).turned()
    assert (bare.local, bare.range_at, bare.rounded_to) == (None, None, None)


# -- whole numbers among decimals ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("shown", "places"),
    [
        ("1 0.6698", ["1/10000", "1/10000"]),
        ("1 0.5 0.25", ["1/100", "1/10", "1/100"]),
        ("1 2", ["1", "1"]),
        ("50% 0.25", ["1/100", "1/100"]),
        ("100 0.5", ["1/10", "1/10"]),
        ("1 1/2", ["1", None]),
        ("1/2 1/3", [None, None]),
        ("∞ 0.5 1", [None, "1/10", "1/10"]),
        ("6e2 0.5", ["1/10", "1/10"]),
    ],
)
def test_a_whole_number_beside_decimals_has_as_many(shown, places):
    ((found),) = with_whole_numbers_exact(cells(shown))
    assert [None if c.place is None else Rational(c.place) for c in found] == [p and Rational(p) for p in places]
    assert all(
        c.widest == c.place
        for c in found
        if c.place is not None and not c.decimals and not c.is_percent and "0.5" in shown
    )


@pytest.mark.parametrize(
    ("shown", "value", "does"),
    [
        ("0.33 0.67", "1/3 2/3", True),
        ("0.33 0.66", "1/3 2/3", False),
        ("0.9 0.67", "1/3 2/3", False),
        ("1 0.67", "0.8 2/3", False),  # 1 stands for 1.00
        ("1 0.67", "1 2/3", True),
        ("0.33", "1/3 2/3", False),
        ("0.33; 0.67", "1/3 2/3", False),
    ],
)
def test_a_value_that_gives_all_digits(shown, value, does):
    assert gives(cells(shown), computed(value)) is does


def test_what_is_not_decided_gives_nothing():
    class Dark(Computed):
        def at(self, i, j):
            return Value(lambda bits: flint.arb(flint.fmpq(1, 8), flint.arb("0.01")))

    assert gives(cells("0.13"), Dark(S.Half)) is False
    assert gives(cells("1.4142"), Computed(sqrt(2))) is True


@pytest.mark.parametrize(
    ("rows", "is_number", "listed", "text"),
    [
        ([["1"]], True, False, "1"), ([["1"]], False, True, "[1]"), ([["1"]], False, False, "[[1]]"), ([["1", "2"]], False, True, "[1, 2]"),
        ([["1", "2"]], False, False, "[[1, 2]]"), ([["1"], ["2"]], False, True, "[[1], [2]]"), ([["1", "2"], ["3", "4"]], False, False, "[[1, 2], [3, 4]]"),
    ],
)  # fmt: skip
def test_how_entries_are_written(rows, is_number, listed, text):
    assert written_cells(rows, is_number, listed) == text


@pytest.mark.parametrize(
    ("shown", "start", "listed", "english", "japanese"),
    [
        ("0.33", "1/3", False, "Right to the digits shown.", "示された桁まで正しい。"),
        ("0.33 0.67", "1/3 2/3", False, "Right to the digits shown.", "示された桁まで正しい。"),
        ("0.9", "1/3", False, "Wrong: it is 0.33.", "誤り。正しくは 0.33 である。"),
        ("0.9", "1/3", True, "Entry (1, 1), shown as 0.9: wrong: it is 0.33.", "成分 (1, 1)（0.9）：誤り。正しくは 0.33 である。"),
        ("0.33 0.9", "1/3 2/3", False, "Entry (1, 2), shown as 0.9: wrong: it is 0.67.", "成分 (1, 2)（0.9）：誤り。正しくは 0.67 である。"),
        (
            "0.9 0.9", "1/3 2/3", False, "2 of 2 entries are not right. Entry (1, 1), shown as 0.9: wrong: it is 0.33.",
            "2 個の成分のうち 2 個が正しくない。成分 (1, 1)（0.9）：誤り。正しくは 0.33 である。",
        ),
        (
            "0.34 0.67 0.9", "1/3 2/3 1/5", False, "2 of 3 entries are not right. Entry (1, 3), shown as 0.9: wrong: it is 0.2.",
            "3 個の成分のうち 2 個が正しくない。成分 (1, 3)（0.9）：誤り。正しくは 0.2 である。",
        ),
    ],
)  # fmt: skip
def test_what_is_said_of_the_whole(shown, start, listed, english, japanese):
    found = judged(shown, start, listed=listed)
    assert (found.words.en, found.words.ja) == (english, japanese)
