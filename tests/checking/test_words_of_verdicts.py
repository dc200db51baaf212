"""The words of verdicts and of places that are not read: in both languages, with names of the document and no others."""

import ast
import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from symtransformer import checking
from symtransformer.checking import judge_number, number, read_number
from symtransformer.checking.checks import check
from symtransformer.documents.bars import with_bars
from symtransformer.documents.inequalities import comparing_spans
from symtransformer.documents.signs import signs_of, unmatched
from symtransformer.errors import UnreadableInput
from symtransformer.rendering.check_report.sentences import catalogue, reason


@cache
def report(text):
    return check(text)


JAPANESE_SIGN = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]")
A_SENTENCE = re.compile(r"[A-Za-z]{2,}[ ,]+[A-Za-z]{2,}")


def test_a_reason_is_told_in_words_of_both_languages():
    found = report("M = [[0, -∞], [0, 0]]\nexp(-M) = [[1, 2], [3, 4]]").equations[-1]
    assert found.verdict == "undecidable"


def test_words_in_the_source_are_given_in_both_languages():
    """Constants alone: of Words("English.", "日本語。") the second is never English."""
    root = Path(checking.__file__).parent.parent
    count = 0
    for room in ("checking", "reading", "documents", "claims"):
        for path in sorted((root / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Words" and len(node.args) == 2:
                    count += 1
                    english, japanese = ("".join(_constants(argument)) for argument in node.args)
                    assert JAPANESE_SIGN.search(japanese) or not A_SENTENCE.search(english), (path.name, english)
    assert count >= 200


def _constants(node):
    return [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def test_every_code_of_a_place_has_its_words():
    root = Path(checking.__file__).parent.parent
    source = "".join(p.read_text(encoding="utf-8") for p in sorted((root / "documents").glob("*.py")))
    codes = {*re.findall(r'problem\(\s*"([a-z_]+)"', source), *re.findall(r'Problem\(\s*"([a-z_]+)"', source)}
    codes |= {"idle", "mark"}
    assert len(codes) >= 12
    for code in codes:
        assert f"unread_{code}" in catalogue(), code
        assert reason(code, "en") != reason("other", "en"), code


def test_what_lacks_a_value_is_named():
    found = report("S = [[1, 2], [3, 4]]\nA = softmax(S + M)\nZ = A V\nZ + S = [[1, 2], [3, 4]]").equations[-1]
    assert found.words.en.endswith("line 3 has a formula for Z, but Z has no value yet, as M has none.")
    assert found.words.ja.endswith("3 行目に Z の式はあるが、M の値がないので、Z の値はまだない。")


def test_former_values_are_shown_by_the_name_that_they_had():
    text = "S = Q K^T\nA = softmax(S)\nZ = A V\nA = softmax(S / 2)\ndS = A ⊙ (dA - rowsum(dA))"
    found = report(text).equations[-1]
    assert found.verdict == "refuted"
    assert "A⁽¹⁾" in found.right_value
    assert "former" in {note.name for note in found.remarks}


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("2/3 ≈ 0.66", "truncated"),
        ("1/3 ≈ 0.34", "rounded_away"),
        ("2/3 ≈ 0.68", "one_unit"),
        ("[2/3, 1] ≈ [0.66, 1]", "truncated"),
    ],
)
def test_the_last_place_is_explained_by_how_it_was_rounded(text, note):
    found = report(text).equations[-1]
    assert found.verdict == "last_place"
    assert note in {remark.name for remark in found.remarks}


def test_a_gradient_of_a_japanese_name_is_not_cut_in_two():
    found = report("注意 = softmax(S)\n\nd注意 = d出力 V").equations[-1]
    assert (found.text, found.verdict) == ("d注意 = d出力 V", "undecidable")
    assert report("y = dです").equations[-1].text == "y = d"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("so 3 < 4, and", ["3 < 4"]),
        ("a = 3 < 4 = b", ["3 < 4"]),
        ("3 < 4 < 5", ["3 < 4", "4 < 5"]),
        ("x (3 < 4) y", ["3 < 4"]),
        ("(1 + 2) < (3 + 4)", ["(1 + 2) < (3 + 4)"]),
        ("1 + (2 < 3", []),
        ("3 < 4. 5", ["3 < 4"]),
        ("f(x) ≥ 3 → 4", ["f(x) ≥ 3"]),
        ("few < many", []),
        ("< 3", []),
    ],
)
def test_how_far_a_comparison_reaches(line, wanted):
    assert [line[span.start : span.end] for span in comparing_spans(signs_of(line))] == wanted


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("so ||x|| = 3", "so, ,||x||, ,=, ,3"),
        ("|x| ≤ 3", "|x|, ,≤, ,3"),
        ("2|x| = 3", "2,|,x,|, ,=, ,3"),  # a product, or divides
        ("a | b | = 3", "a, ,|, ,b, ,|, ,=, ,3"),
        ("|x|", "|,x,|"),
        ("||x| = 3", "|,|,x,|, ,=, ,3"),
        ("|x|| = 3", "|,x,|,|, ,=, ,3"),
        ("|| = 3", "|,|, ,=, ,3"),
        ("|x, y| = 3", "|,x,,, ,y,|, ,=, ,3"),
    ],
)
def test_which_bars_are_a_pair(line, wanted):
    assert ",".join(sign.text for sign in with_bars(unmatched(line))) == wanted


def test_how_many_entries_are_not_right_or_not_decided_is_told_first():
    wrong = report("[1, 2] + [1, 1] = [9, 3]").equations[-1].words
    assert wrong.en.startswith("Entry (1, 1), shown as 9: wrong: it is 2")
    both = report("[1, 2] + [1, 1] = [9, 7]").equations[-1].words
    assert both.en.startswith("2 of 2 entries are not right. Entry (1, 1), shown as 9")
    assert both.ja.startswith("2 個の成分のうち 2 個が正しくない。成分 (1, 1)（9）")


def test_a_relation_that_is_none_is_quoted_with_forty_characters():
    with pytest.raises(UnreadableInput, match=r"not 'x{40}'$"):
        judge_number(read_number("1"), number(1), relation="x" * 60)


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ((3, 4), "last_place"),
        ((5, 4), "last_place"),
        ((996, 1000), "right"),
        ((1004, 1000), "right"),
        ((994, 1000), "last_place"),
    ],
)
def test_a_whole_number_behind_equals_is_right_for_what_is_very_near_alone(value, wanted):
    assert judge_number(read_number("1"), number(Fraction(*value)), relation="=").kind == wanted
