"""What is said of an equation as a whole has its numbers in the right places, in both languages."""

import re

import pytest

from symtransformer.checking import equation_words as words
from symtransformer.checking.equations import EntryVerdict, Equation, FileReport, Report
from symtransformer.notation import Words

ALONE = Words("alone", "単独")


def numbers(said):
    """Of the English sentence and of the Japanese one, in order."""
    return re.findall(r"\d+", said.en), re.findall(r"\d+", said.ja)


def entry(row, column, verdict="wrong"):
    return EntryVerdict(row, column, f"{row}{column}", verdict, "9", Words(f"Wrong {row}.", f"誤り{row}。"))


@pytest.mark.parametrize(
    ("kind", "entries", "english", "japanese"),
    [
        ("wrong", [], "alone", "単独"), ("wrong", [entry(1, 2, "last_place")], "alone", "単独"), ("wrong", [entry(2, 3)], "Entry (2, 3), shown as 23: wrong 2.", "成分 (2, 3)（23）：誤り2。"),
        ("wrong", [entry(1, 1), entry(2, 3)], "2 of 6 entries are not right. Entry (1, 1), shown as 11: wrong 1.", "6 個の成分のうち 2 個が正しくない。成分 (1, 1)（11）：誤り1。"),
        ("wrong", [entry(1, 2, "last_place"), entry(2, 3)], "2 of 6 entries are not right. Entry (2, 3), shown as 23: wrong 2.", "6 個の成分のうち 2 個が正しくない。成分 (2, 3)（23）：誤り2。"),
        ("undecidable", [entry(1, 2, "undecidable")], "Entry (1, 2), shown as 12: wrong 1.", "成分 (1, 2)（12）：誤り1。"),
        ("undecidable", [entry(1, 2, "undecidable"), entry(2, 2, "undecidable")], "2 of 6 entries are not decided. Entry (1, 2), shown as 12: wrong 1.", "6 個の成分のうち 2 個が判定できない。成分 (1, 2)（12）：誤り1。"),
    ],
)  # fmt: skip
def test_how_many_entries_and_the_first_of_them(kind, entries, english, japanese):
    assert words.of_entries(kind, entries, 6, ALONE) == Words(english, japanese)


@pytest.mark.parametrize(
    ("said", "english", "japanese"),
    [
        (words.sizes_differ((2, 3), (4, 5)), "2 × 3, what is shown is 4 × 5", "2 × 3、書かれているのは 4 × 5"), (words.size_told((2, 3), (4, 5), 2), "says it is 2 × 3, what is given for it is 4 × 5", "2 × 3 だが、与えられているのは 4 × 5"),
        (words.size_told((1, 3), (4, 5), 1), "a vector of 3, what is given for it is 4 × 5", "長さ 3 のベクトル だが、与えられているのは 4 × 5"), (words.beyond("a_5", 2, 3), "a_5 would be a part of is 2 × 3", "a_5 を含むはずの行列は 2 × 3"),
        (words.another_row("q_5", 4).words, "q_5 could be a row of has 4 rows", "q_5 が表すかもしれない行列の行は 4 個"), (words.redefined(7).words, "what line 7 gave", "7 行目で与えた値"), (words.row_sum(2, "0.9").words, "row 2 add up to 0.9, not to 1", "2 行目の重みの和は 0.9"),
        (words.another_base(7), "line 7 right", "7 行目が正しくなる底"), (words.not_read_before("A", 7), "what line 7 says of A", "A についての 7 行目"), (words.own_letter("b"), "b is usually a number", "b はふつう"),
        (words.unequal("[1, 2]"), "the left side is [1, 2].", "左辺は [1, 2] である"), (words.not_of_expression("2.5"), "the expression before it has the value 2.5.", "その前の式の値は 2.5 である"),
    ],
)  # fmt: skip
def test_what_is_named_in_a_sentence(said, english, japanese):
    assert english in said.en
    assert japanese in said.ja
    assert sorted(numbers(said)[0]) == sorted(numbers(said)[1]) or "1" in numbers(said)[0] + numbers(said)[1]
    assert said.en.endswith(".")
    assert said.ja.endswith("。")


def test_notes_have_names():
    assert [note.name for note in (words.another_row("q", 1), words.redefined(1), words.row_sum(1, "1"), words.NO_SLIP, words.SLIPS_OPEN)] == ["another_row", "redefined", "row_sum", "no_slip", "slips_open"]  # fmt: skip


# -- reports -----------------------------------------------------------------------------------------------------------
def equation(verdict, expected_wrong=False):
    return Equation("a.md", 1, 1, "a = b", "number", verdict, ALONE, expected_wrong=expected_wrong)


@pytest.mark.parametrize(
    ("verdict", "fault", "expected_fault"),
    [("wrong", True, False), ("last_place", True, False), ("follows", True, False), ("refuted", True, False), ("shapes", True, False), ("right", False, True), ("right_if_rounded", False, True), ("by_convention", False, True),
     ("proved", False, True), ("tested", False, True), ("unparsed", False, False), ("undecidable", False, False), ("definition", False, False), ("skipped", False, False)],
)  # fmt: skip
def test_what_has_to_be_mended(verdict, fault, expected_fault):
    assert equation(verdict).is_fault is fault
    assert equation(verdict, True).is_fault is expected_fault


@pytest.mark.parametrize(
    ("verdicts", "error", "code", "strict"),
    [
        (["right"], "", 0, 0), (["right", "wrong"], "", 1, 1), (["undecidable"], "", 0, 1), (["unparsed", "right"], "", 0, 1), (["wrong", "undecidable"], "", 1, 1), (["right"], "gone", 2, 2), (["wrong"], "gone", 2, 2), ([], "", 0, 0),
        (["definition", "skipped"], "", 0, 0),
    ],
)  # fmt: skip
def test_the_code_of_an_exit(verdicts, error, code, strict):
    report = Report((FileReport("a.md", tuple(map(equation, verdicts))), FileReport("b.md", error=error)))
    assert (report.exit_code(), report.exit_code(strict=True)) == (code, strict)


def test_how_often_each_verdict_was_given():
    report = Report(
        (FileReport("a.md", (equation("right"), equation("wrong"))), FileReport("b.md", (equation("right"),)))
    )
    assert report.counts == {"wrong": 1, "right": 2}
    assert [*report.counts] == ["wrong", "right"]
    assert len(report.equations) == 3
