"""Worksheets give nothing away; single steps and rows stand alone, and unknown ones are refused."""

import re
import tomllib
from pathlib import Path

import golden_cases
import pytest
from page_reading import chains

from symtransformer import Section, Style, Words, derive, matrix, render, verify
from symtransformer.errors import UnreadableInput
from symtransformer.operations import Softmax
from symtransformer.rendering.numbers import show, show_given

WORDS = tomllib.loads(
    (Path(golden_cases.__file__).parents[2] / "symtransformer/rendering/words.toml").read_text("utf-8")
)
CASES = ("with_tables", "masked_attention", "column_followed", "long_matrix", "wide", "two_heads")


def numbers_of(page):
    """Every number of the mathematics of a page, as printed."""
    page = page.partition(r"\begin{document}")[2] or page.partition("\n\n")[2]
    page = re.sub(r"\\(?:fontsize|rule|hspace|arraystretch|\\\[)[^\n]*", "", page)
    page = re.sub(r"[a-zA-Z]\^?(?:\{?\([^)]*\)\}?)?_\{?[\d,]+\}?", "", page)  # indices of entries
    return re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?|-∞|-\\infty", page)


def answers_of(verified):
    """Every number of a step that is shown, in every section, unless it is also given."""
    evaluations = [verified.evaluation_of(section.values) for section in verified.derivation.sections] or [
        verified.evaluation
    ]
    given, found = set(), set()
    for evaluation in evaluations:
        for letter in verified.derivation.inputs:
            for k in range(2) if letter.head is not None and letter.head.is_Symbol else (None,):
                rows = evaluation.given.rows(letter if k is None else letter.of_head(k))
                given |= {show_given(x).text for row in rows for x in row}
        for step in verified.derivation.steps:
            if step.letter.head is None:
                cells, value = evaluation.cells(step.name), evaluation.true_value(step.name)
                found |= {
                    show(value[i, j], cells.ball_at(i, j), Style()).text
                    for i in range(value.rows)
                    for j in range(value.cols)
                }
    return found - given - {""}


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("form", ["tex", "txt"])
@pytest.mark.parametrize("name", CASES)
def test_a_worksheet_shows_no_answer(name, form, language):
    verified = getattr(golden_cases, name)()
    answers = answers_of(verified)
    assert answers
    page = render(verified, form, language, detail="problem")
    assert page.count(r"\blank" if form == "tex" else "___") > 1
    assert not answers & set(numbers_of(page))
    full = numbers_of(render(verified, form, language))
    assert answers & set(full)  # the check sees answers where they stand


def test_a_planted_answer_is_seen():
    verified = golden_cases.with_tables()
    page = render(verified, detail="problem")
    assert not answers_of(verified) & set(numbers_of(page))
    assert answers_of(verified) & set(numbers_of(page.replace("___", "0.6157", 1)))


def test_a_worksheet_has_boxes_of_the_right_shape_and_says_how_to_round():
    page = render(golden_cases.with_tables(), detail="problem")
    lines = {chain.left: chain.terms for chain in chains(page)}
    assert lines["R"] == ["Q K^T / sqrt(d)", "[[ ___, ___, ___ ], [ ___, ___, ___ ]]"]
    assert lines["H"][-1] == "[[ ___, ___, ___, ___ ], [ ___, ___, ___, ___ ]]"
    assert lines["h_2"] == ["z_2 W_1", "[[ ___, ___, ___, ___ ]]"]
    assert lines["Q"] == ["[[1, 2], [1/3, -1]]"]
    assert "___ + 12 = ___ boxes." in page  # 6 is the answer of the other fact
    assert "Round answers to 4 decimals, and go on with the unrounded values." in page
    for style, sentence in (
        (Style(significant=3), WORDS["fill_in_significant"]["en"].format(number=3)),
        (Style(round_steps=2), WORDS["fill_in_rounded_steps"]["en"].format(number=2)),
    ):
        assert sentence in render(golden_cases.with_tables(), detail="problem", style=style)


def test_a_worksheet_of_letters_has_no_boxes_and_verdicts_stay():
    page = render(golden_cases.letters_only(), detail="problem")
    assert "Y = softmax(T) = divide(U, c)" in page
    assert "___" not in page
    assert "This step is NOT true" in render(golden_cases.refuted(), detail="problem")
    assert "has not been verified" in render(golden_cases.unverified(), detail="problem")
    assert "!!" not in render(golden_cases.with_tables(), detail="problem")


def test_a_table_over_a_parameter_is_empty_but_for_the_parameter():
    page = render(golden_cases.swept(), detail="problem")
    rows = [line.split() for line in page.partition("Values as t changes\n")[2].splitlines()]
    assert rows[1:] == [["0", "___", "___"], ["0.5", "___", "___"], ["2/3", "___", "___"]]


# -- some steps, one row ----------------------------------------------------------------------------------
def steps_of(page):
    return re.findall(r"^-- ([A-Za-z_]+):", page, re.M)


def test_only_the_named_steps_are_printed_in_the_order_of_the_page():
    page = render(golden_cases.with_tables(), only=("A", "S"))
    assert steps_of(page) == ["S", "A"]
    assert "A in shades of gray" in page
    assert "R in shades of gray" not in page
    for gone in ("Given", "Activation", "Without the mask", "boxes", "Q = "):
        assert gone not in page
    assert steps_of(render(golden_cases.masked_attention(), only=("Z",))) == ["Z"]


def test_a_step_that_no_section_shows_is_printed_all_the_same():
    scores = matrix("S", 1, 2)
    section = Section(Words("a", "あ"), steps=("U",))
    verified = verify(derive(Softmax(scores), stages=True, values={scores: [[0, 1]]}, sections=[section]))
    assert steps_of(render(verified)) == ["U"]
    assert steps_of(render(verified, only=("Y",))) == ["Y"]
    assert steps_of(render(verified, only=("Y", "U"))) == ["U", "Y"]


@pytest.mark.parametrize("detail", ["results", "steps", "entries", "problem"])
def test_one_row_is_printed_alone(detail):
    page = render(golden_cases.with_tables(), only=("S", "A"), row=0, detail=detail)
    lines = {chain.left for chain in chains(page)} - {"Q", "K", "V", "M", "W_1"}
    assert {re.sub(r"\d$", "", left) for left in lines if len(left) > 3} <= {"s_1", "a_1"}
    assert {"s_1", "a_1"} <= lines
    assert not lines & {"S", "A", "s_2", "a_2"}
    table = page.partition("What S leaves usable and what it hides\n")[2].splitlines()
    assert [line.split()[0] for line in table if line.strip()][1:] == ["cat"]


def test_one_row_of_every_step_leaves_out_steps_that_have_no_such_row():
    one, two = matrix("X", 1, 2), matrix("W", 3, 2)
    verified = verify(derive({"Y": one + one, "Z": two + two}, values={one: [[1, 2]], two: [[1, 2], [3, 4], [5, 6]]}))
    assert steps_of(render(verified, row=2)) == ["Z"]
    assert "z_3 = w_3 + w_3 = [[5, 6]] + [[5, 6]] = [[10, 12]]" in render(verified, row=2)
    assert steps_of(render(verified, row=0)) == ["Y", "Z"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"only": ("B",)}, "only: there is no step 'B'; the steps are R, S, A, Z, H, F"),
        ({"only": ("Q",)}, "there is no step 'Q'"),
        ({"only": "A"}, "expected a tuple"),
        ({"row": 2}, "row: there is no row 3, counted from 1; R has 2"),
        ({"only": ("A",), "row": -1}, "there is no row 0, counted from 1; A has 2"),
    ],
)
def test_unknown_steps_and_rows_are_refused_with_what_there_is(options, message):
    with pytest.raises(UnreadableInput, match=re.escape(message)):
        render(golden_cases.with_tables(), **options)


def test_a_named_step_must_have_the_row_and_verdicts_stay():
    one, two = matrix("X", 1, 2), matrix("W", 3, 2)
    verified = verify(derive({"Y": one + one, "Z": two + two}, values={one: [[1, 2]], two: [[1, 2], [3, 4], [5, 6]]}))
    with pytest.raises(UnreadableInput, match="no row 3, counted from 1; Y has 1"):
        render(verified, only=("Y", "Z"), row=2)
    page = render(golden_cases.refuted(), only=("Y",), row=1)
    assert "This step is NOT true" in page
    assert "y_2" not in page
