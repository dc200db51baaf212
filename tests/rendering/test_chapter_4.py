"""Explainer, chapter 4, as printed: every value of the oracle stands on the page, in its place."""

import json
from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest
from page_reading import chains, section, table, value

from symtransformer import render, verify

ROOT = Path(__file__).parents[2]
ORACLE = json.loads(
    (ROOT / "tests" / "oracle" / "explainer-ch4.json").read_text("utf-8"), parse_float=Decimal, parse_int=Decimal
)
CLAIMS = {claim["id"]: claim for claim in ORACLE["claims"]}
DERIVED = {item["id"]: item["independently_computed"] for item in ORACLE["derived"]}
CAT, SLEEPS = 0, 1
TITLES = {"Q": "Q: Queries", "K": "K: Keys", "V": "V: Values", "R": "R: Scores before scaling", "S": "S: Scaled scores",
          "U": "U: Exponentials", "A": "A: Attention weights", "Z": "Z: Weighted sum of the values", "Y": "Y: Concatenation",
          "O": "O: Linear map"}  # fmt: skip
SWEEP = "Values as t changes"


@cache
def page(form="txt", language="en", detail="entries"):
    namespace = {"__name__": "chapter"}
    path = ROOT / "derivations" / "explainer_chapter_4.py"
    exec(compile(path.read_text("utf-8"), str(path), "exec"), namespace)
    return render(verify(namespace["derivation"]), form, language, detail=detail)


def lines_of(step, left):
    """The chains of one step whose left side is this."""
    found = [chain for chain in chains(section(page(), TITLES[step])) if chain.left == left]
    assert found, f"{left} is not printed in {TITLES[step]}"
    return found


def printed(step, left):
    """The last term of the first line of a step that begins so."""
    return value(lines_of(step, left)[0].terms[-1])


def rounded(number, places):
    """As the oracle has it, to so many decimals."""
    if isinstance(number, list):
        return [rounded(x, places) for x in number]
    return Decimal(number).quantize(Decimal(1).scaleb(-places))


def row_of_sweep(at, column):
    head, rows = table(page(), SWEEP)
    (row,) = [row for row in rows if row[0] == at]
    return row[head.index(column)]


# id: (step, the left side of its line, the row that is claimed; None for all)
LINES = {
    "ch4.q.cat": ("Q", "Q", CAT), "ch4.k.cat": ("K", "K", CAT), "ch4.v.cat": ("V", "V", CAT),
    "ch4.q.nemuru": ("Q", "q_2", 0), "ch4.k.nemuru": ("K", "K", SLEEPS), "ch4.v.nemuru": ("V", "V", SLEEPS),
    "ch4.K": ("K", "K", None), "ch4.V": ("V", "V", None), "ch4.scores": ("R", "R", None),
    "ch4.concat": ("Y", "Y", 0), "ch4.wo.out": ("O", "O", 0),
}  # fmt: skip
ELSEWHERE = {  # each has a test of its own below
    "ch4.KT", "ch4.k.nemuru.product", "ch4.v.nemuru.product", "ch4.slider.left.q", "ch4.slider.right.q", "ch4.e",
    "ch4.weight_cat.q10", "ch4.weight_cat.q01", "ch4.wo.terms1", "ch4.wo.terms2", "ch4.wo.out1", "ch4.wo.out2",
}  # fmt: skip


def test_no_value_claim_of_the_oracle_is_left_out():
    claimed = {key for key, claim in CLAIMS.items() if claim["kind"] == "value"}
    assert claimed == LINES.keys() | ELSEWHERE
    assert len(claimed) == 23


@pytest.mark.parametrize("claim", LINES)
def test_values_stand_in_the_line_of_their_step(claim):
    step, left, row = LINES[claim]
    found = printed(step, left)
    expected, places = CLAIMS[claim]["expected"], int(CLAIMS[claim]["shown_digits"])
    assert (found if row is None else found[row]) == expected == rounded(expected, places)
    assert lines_of(step, left)[0].rights[-1][0] == CLAIMS[claim]["relation"]


@pytest.mark.parametrize(
    ("claim", "step", "entries"),
    [("ch4.k.nemuru.product", "K", ("k_21", "k_22")), ("ch4.v.nemuru.product", "V", ("v_21", "v_22"))],
)
def test_rows_that_are_not_followed_are_worked_out_entry_by_entry(claim, step, entries):
    assert [printed(step, left)[0][0] for left in entries] == CLAIMS[claim]["expected"]


def test_the_transpose_of_k_stands_in_the_line_of_the_scores():
    (line,) = [chain for chain in lines_of("R", "R") if "^T" in chain.terms[1]]
    keys = line.terms[1].split(" [[")[1]
    assert value("[[" + keys) == CLAIMS["ch4.KT"]["expected"]
    assert line.terms[0] == "Q K^T"


def test_e_is_given_to_the_digits_of_the_chapter():
    assert f"with e ≈ {CLAIMS['ch4.e']['expected']}." in section(page(), TITLES["U"])


@pytest.mark.parametrize(("claim", "at"), [("ch4.slider.left.q", "0"), ("ch4.slider.right.q", "1")])
def test_the_ends_of_the_slider_give_the_query(claim, at):
    assert [Decimal(row_of_sweep(at, name)) for name in ("q_21", "q_22")] == CLAIMS[claim]["expected"]


@pytest.mark.parametrize(
    ("claim", "at", "shown"), [("ch4.weight_cat.q01", "0", "33%"), ("ch4.weight_cat.q10", "1", "59%")]
)
def test_the_share_of_the_cat_stands_in_the_table(claim, at, shown):
    assert (
        row_of_sweep(at, "a_21")
        == shown
        == f"{CLAIMS[claim]['expected']}%"
        == CLAIMS[claim]["as_printed"].removeprefix("約")
    )


@pytest.mark.parametrize(
    ("terms", "out", "left", "written"),
    [
        ("ch4.wo.terms1", "ch4.wo.out1", "o_1", "1 + 0 + 3 + 4"),
        ("ch4.wo.terms2", "ch4.wo.out2", "o_2", "0 + 2 + 3 - 4"),
    ],
)
def test_the_output_projection_is_written_term_by_term(terms, out, left, written):
    (line,) = lines_of("O", left)
    assert line.terms[-2:] == [written, str(CLAIMS[out]["expected"])]
    assert [Decimal(term) for term in written.replace("- ", "-").replace("+ ", "").split()] == CLAIMS[terms]["expected"]
    assert [sign for sign, _ in line.rights] == ["=", "=", "=", "="]


# -- what the oracle derived ----------------------------------------------------------------------------
@pytest.mark.parametrize(("item", "step"), [("Q", "Q"), ("scaled", "S"), ("exp", "U"), ("A", "A"), ("Z", "Z")])
def test_derived_matrices_are_printed_to_four_decimals(item, step):
    expected = DERIVED[f"ch4.d.{item}"]
    assert rounded(printed(step, step), 4) == rounded(expected, 4)
    followed = rounded(printed(step, f"{step.lower()}_2"), 4)
    assert followed == [rounded(expected[SLEEPS], 4)]


@pytest.mark.parametrize(("step", "item"), [("S", "scaled"), ("U", "exp"), ("A", "A"), ("Z", "Z")])
@pytest.mark.parametrize("i", [0, 1])
@pytest.mark.parametrize("j", [0, 1])
def test_derived_entries_are_printed_in_their_own_line(step, item, i, j):
    left = f"{step.lower()}_{i + 1}{j + 1}"
    for line in lines_of(step, left):
        assert rounded(value(line.terms[-1])[0][0], 4) == rounded(DERIVED[f"ch4.d.{item}"][i][j], 4)
        assert line.followed == (i == SLEEPS)


def test_the_sweep_holds_every_number_of_the_oracle():
    head, rows = table(page(), SWEEP)
    assert head == ["t", "q_21", "q_22", "r_21", "r_22", "a_21", "a_22", "z_21", "z_22"]
    assert [row[0] for row in rows] == ["0", "0.25", "0.5", "2/3", "0.75", "1"]
    assert len(rows) == len(DERIVED["ch4.d.slider"])
    for row, expected in zip(rows, DERIVED["ch4.d.slider"], strict=True):
        for shown, number in zip(row[1:], expected[1:], strict=True):
            if shown.endswith("%"):
                assert Decimal(shown[:-1]) == rounded(number * 100, 0)
            else:
                assert rounded(Decimal(shown), 4) == rounded(number, 4)


def test_percentages_have_one_decimal_and_labels_on_both_sides():
    head, rows = table(page(), "A in percent (rows: queries, columns: keys)")
    expected = [[f"{rounded(x * 100, 1)}%" for x in row] for row in DERIVED["ch4.d.A"]]
    assert (head, rows) == (["cat", "sleeps"], [["cat", *expected[CAT]], ["sleeps", *expected[SLEEPS]]])


# -- as the chapter writes it ------------------------------------------------------------------------------
@pytest.mark.parametrize("language", ["en", "ja"])
def test_exact_forms_stand_beside_the_digits(language):
    assert "> a_21 = 1/(1 + exp(-sqrt(2)/4)) ≈ 0.5875" in page(language=language, detail="steps").splitlines()
    assert r"= \frac{1}{1 + e^{-\sqrt{2}/4}} \approx 0.5875" in page("tex", language, "steps")


@pytest.mark.parametrize(
    "formula",
    ["Q &= X W_{Q}", "K &= X W_{K}", "V &= X W_{V}", "R &= Q K^{\\mathsf T}", "Z &= A V",
     r"Z &= \operatorname{softmax}\!\left(\frac{Q K^{\mathsf T}}{\sqrt{d_{k}}}\right) V",
     r"W_{K} = \begin{bmatrix}1 & 0 \\ 0.5 & 1\end{bmatrix}", r"O &= Y W_{O}",
     r"Y &= \operatorname{Concat}\!\left(Z_{1}, Z_{2}\right)"],
)  # fmt: skip
@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_formulas_of_the_chapter_are_typeset(formula, language):
    assert formula in page("tex", language, "steps")


def test_tokens_are_named_in_the_language_of_the_page():
    english, japanese = page(), page(language="ja")
    assert "> sleeps: q_2 = x_2 W_Q = [[0, 1]] [[0, 1], [1, 0]] = [[1, 0]]" in english.splitlines()
    assert "> 眠る: q_2 = x_2 W_Q = [[0, 1]] [[0, 1], [1, 0]] = [[1, 0]]" in japanese.splitlines()
    for token in ORACLE["labels"]["tokens_ja"]:
        assert token in japanese
        assert token not in english


def test_the_three_levels_of_detail_build_on_each_other():
    results, steps, entries = (page(detail=detail) for detail in ("results", "steps", "entries"))
    assert ["\n  Z ≈ [[0.6605, 2.6790]" in text for text in (results, steps, entries)] == [True, False, False]
    assert ["Z = A V" in text for text in (results, steps, entries)] == [False, True, True]
    assert [
        "k_21 = x_21 w^K_11 + x_22 w^K_21 = 0 × 1 + 1 × 0.5 = 0.5" in text for text in (results, steps, entries)
    ] == [False, False, True]


def test_every_step_is_proved_and_the_comment_says_so():
    assert page().splitlines()[1] == "# steps: 11: 11 proved, 0 tested, 0 undecidable, 0 refuted"
    assert "!!" not in page()
