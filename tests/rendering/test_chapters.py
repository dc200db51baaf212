"""Explainer, chapters 5 to 7 and the models, as printed: every value of the oracle in its line, under its label."""

import json
import re
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path

import pytest
from chapter_lines import LINES, E
from page_reading import HasLetters, chains, table, value

from symtransformer import Style, render, verify

ROOT = Path(__file__).parents[2]
PLACES = {5: 3, 6: 4, 7: 4}
PAGES = {5: "explainer_chapter_5", 6: "explainer_chapter_6", 7: "explainer_chapter_7"}
ALL = [*PAGES.values(), "explainer_models", "explainer_demo"]
TOKENS = {"neko": "猫", "start": "開始", "wa": "は", "cat": "猫", "sleeps": "眠る"}


@cache
def verified(name):
    namespace = {"__name__": "chapter"}
    path = ROOT / "derivations" / f"{name}.py"
    exec(compile(path.read_text("utf-8"), str(path), "exec"), namespace)
    return verify(namespace["derivation"])


@cache
def page(name, language="en", detail="steps", style=None, form="txt"):
    return render(verified(name), form, language, detail=detail, style=style)


@cache
def as_in_the_source(chapter, detail):
    """The page with the digits of the chapter, zeros at the end left out."""
    return page(PAGES[chapter], detail=detail, style=Style(places=PLACES[chapter], zeros="trim"))


@cache
def oracle(chapter):
    path = ROOT / "tests" / "oracle" / f"explainer-ch{chapter}.json"
    return json.loads(path.read_text("utf-8"), parse_float=Decimal, parse_int=Decimal)


def claims(chapter, kind="value"):
    return {claim["id"]: claim for claim in oracle(chapter)["claims"] if claim["kind"] == kind}


def line_of(chapter, left, label, detail="steps"):
    """The chain with this left side under this label; one label stands in two comparisons, the first counts."""
    found = [c for c in chains(as_in_the_source(chapter, detail)) if c.left == left and c.label == label]
    assert found, f"no line {label}: {left}"
    return found[0]


ELSEWHERE = {  # each has a test of its own below
    "ch5.wo.col1", "ch5.wo.col2", "ch5.wo.col3", "ch5.wo.col4", "ch5.wo.col2_used", "ch5.add1.c12", "ch5.ffn.w1col5",
    "ch5.ffn.w2col2", "ch5.ffn.relu_changed", "ch6.softmax.cat.pct", "ch6.allowed", "ch6.A.rowsums", "ch6.kv.cat_en",
    "ch6.kv.sleeps_en", "ch6.cross.pct.cat", "ch7.h1.pct", "ch7.h2.pct",
}  # fmt: skip


def rounded(number, places):
    if isinstance(number, list):
        return [rounded(x, places) for x in number]
    return number if not Decimal(number).is_finite() else Decimal(number).quantize(Decimal(1).scaleb(-places))


def taken(rows, which):
    if which is None:
        return rows
    return rows[which] if isinstance(which, int) else rows[which[0]][which[1]]


def numbers(expected):
    """As decimals, −∞ too."""
    if isinstance(expected, list):
        return [numbers(x) for x in expected]
    return Decimal("-Infinity") if expected == "-oo" else Decimal(expected)


def flat(x):
    return [y for z in x for y in flat(z)] if isinstance(x, list) else [x]


def test_no_value_claim_is_left_out():
    claimed = {key for chapter in PAGES for key in claims(chapter)}
    assert claimed == {key for lines in LINES.values() for key in lines} | ELSEWHERE
    assert len(claimed) == 37 + 56 + 37


@pytest.mark.parametrize(("chapter", "claim"), [(c, key) for c in LINES for key in LINES[c]])
def test_values_stand_in_the_line_of_their_step_as_the_chapter_prints_them(chapter, claim):
    left, label, which = LINES[chapter][claim]
    item = claims(chapter)[claim]
    chain = line_of(chapter, left, label)
    found = taken(value(chain.terms[-1]), which)
    assert found == numbers(item["expected"])
    assert all(not re.search(r"\.\d*0$", text) for text in re.findall(r"[\d.]+", chain.terms[-1]))
    true = flat(numbers(item["independently_computed"]))
    if any(abs(a - b) > Decimal("1e-9") for a, b in zip(flat(found), true, strict=True) if b.is_finite()):
        assert chain.rights[-1][0] == "≈"
    lines = item.get("printed_arithmetic", [])
    if any(not line["reproduces_printed"] for line in lines):
        assert chain.rounded


# -- those that stand elsewhere ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("claim", "letter", "column"),
    [(f"ch5.wo.col{k + 1}", "W_O", k) for k in range(4)] + [("ch5.ffn.w1col5", "W_1", 4), ("ch5.ffn.w2col2", "W_2", 1)],
)
def test_columns_of_weights(claim, letter, column):
    rows = value(line_of(5, letter, E).terms[-1])
    assert [row[column] for row in rows] == claims(5)[claim]["expected"]


def test_component_two_takes_a_component_of_each_head():
    products = re.findall(r"(\d+) × \(?(-?[\d.]+)\)?", line_of(5, "o_12", E).terms[1])
    used = [Decimal(component) for component, weight in products if Decimal(weight) != 0]
    assert len(products) == 4
    assert used == claims(5)["ch5.wo.col2_used"]["expected"]


def test_the_first_sum_is_worked_out():
    sums = [line_of(5, f"r^A_1{k}", E, "entries") for k in (1, 2)]
    assert [chain.terms[1] for chain in sums] == ["1 + 1", "0 + 0"]
    assert [value(chain.terms[-1])[0][0] for chain in sums] == claims(5)["ch5.add1.c12"]["expected"]


def test_relu_says_what_it_keeps():
    _, rows = table(as_in_the_source(5, "steps"), "What F does to each component")
    assert {row[0] for row in rows} == {"sleeps"}
    zeroed = [Decimal(" ".join(row[4:]) == "set to 0") for row in rows]
    assert zeroed == claims(5)["ch5.ffn.relu_changed"]["expected"]
    assert [Decimal(row[2]) for row in rows] == claims(5)["ch5.ffn.pre"]["expected"]
    assert [Decimal(row[3]) for row in rows] == claims(5)["ch5.ffn.relu"]["expected"]


@pytest.mark.parametrize(
    ("chapter", "letter", "row", "claim"),
    [
        (6, "A", "neko", "ch6.softmax.cat.pct"), (6, "A_cross", "neko", "ch6.cross.pct.cat"),
        (7, "A_1", "sleeps", "ch7.h1.pct"), (7, "A_2", "sleeps", "ch7.h2.pct"),
    ],
)  # fmt: skip
def test_percentages_stand_in_the_row_of_the_token(chapter, letter, row, claim):
    _, rows = table(as_in_the_source(chapter, "steps"), f"{letter} in percent (rows: queries, columns: keys)")
    (cells,) = [cells for label, *cells in rows if label == row]
    assert [Decimal(cell.removesuffix("%")) for cell in cells] == claims(chapter)[claim]["expected"]


def test_the_mask_is_shown_as_usable_and_hidden_and_rows_add_up_to_1():
    head, rows = table(as_in_the_source(6, "steps"), "What M leaves usable and what it hides")
    assert head == [row[0] for row in rows] == ["start", "neko", "wa"]
    assert [[Decimal(c == "usable") for c in row[1:]] for row in rows] == claims(6)["ch6.allowed"]["expected"]
    weights = value(line_of(6, "A", E).terms[-1])
    assert [sum(row).quantize(Decimal("0.001")) for row in weights] == claims(6)["ch6.A.rowsums"]["expected"]
    assert [[x == 0 for x in row] for row in weights] == [[False, True, True], [False, False, True], [False] * 3]


@pytest.mark.parametrize(("claim", "row"), [("ch6.kv.cat_en", 1), ("ch6.kv.sleeps_en", 2)])
def test_keys_and_values_of_the_source(claim, row):
    found = [value(line_of(6, letter, E).terms[-1])[row] for letter in ("K_cross", "V_cross")]
    assert found == claims(6)[claim]["expected"]


# -- what the oracle derived --------------------------------------------------------------------------------------
DERIVED = {
    6: {"S_self": "D", "scaled_self": "S", "Z_self": "Z", "add1": "R_self", "mean1": "mu_self", "std1": "sigma_self",
        "s_dec": "S_dec", "Q_cross": "Q_cross", "S_cross": "D_cross", "scaled_cross": "S_cross", "add2": "R_cross",
        "norm2": "H_dec", "nomask.A": "A_open", "nomask.Z": "Z_open"},
    7: {"h1.S": "D_1", "h1.A": "A_1", "h1.Z": "Z_1", "h2.S": "D_2", "h2.A": "A_2", "h2.Z": "Z_2", "concat": "Y", "O": "O",
        "add1": "R_A", "mean1": "mu_A", "std1": "sigma_A", "norm1": "H", "ffn_pre": "P", "ffn_relu": "F", "ffn_out": "G",
        "add2": "R_F", "mean2": "mu_F", "std2": "sigma_F", "out": "X_next", "layer2.Q": "next.Q"},
}  # fmt: skip


@pytest.mark.parametrize(("chapter", "item", "step"), [(c, k, s) for c in DERIVED for k, s in DERIVED[c].items()])
def test_derived_rows_to_ten_decimals(chapter, item, step):
    found = [x["independently_computed"] for x in oracle(chapter)["derived"] if x["id"] == f"ch{chapter}.d.{item}"]
    cells = verified(PAGES[chapter]).evaluation_of({}).cells(step)
    rows, cols = cells.shape
    shown = [[Decimal(cells.rounded(i, j, 10, False)[0]).scaleb(-10) for j in range(cols)] for i in range(rows)]
    assert flat(shown) == flat(rounded(found[0], 10))


def test_a_score_of_0_hides_nothing():
    (expected,) = [x["independently_computed"] for x in oracle(6)["derived"] if x["id"] == "ch6.d.zero_instead_of_mask"]
    assert value(line_of(6, "A_zero", "score 0").terms[-1])[1] == rounded(expected, 4)


# -- counts -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "sentences"),
    [
        ("explainer_chapter_5", ["2 × 2 = 4", "6 − 1 = 5", "bias of the first Linear 6", "together 58",
                                 "inside the feed-forward network 6 2048", "of all heads side by side 4 512"]),
        ("explainer_chapter_6", ["3 queries and 4 keys of 2 components: 3 rows of 4 scores", "8 heads in each attention"]),
        ("explainer_chapter_7", ["2 × 3 = 6. Every one has 4 rows and 2 columns", "8 × 64 = 512", "6 × 1 = 6", "6 × 2 = 12",
                                 "6 + 12 = 18", "18 × 8 = 144", "inside the network 2 6 2048", "output of the layer 2 4 512"]),
        ("explainer_models", ["4 × 512 × 512 = 1,048,576", "18 × 1,048,576 = 18,874,368", "12 × 2,099,712 = 25,196,544",
                              "together 63,045,632 124,439,808", "components of a head 64 64 4", "heads in all 144 144 2",
                              "components inside the network 2048 3072 16", "decoder: weights over the source n m m"]),
    ],
)  # fmt: skip
def test_counts_stand_on_the_page(name, sentences):
    text = " ".join(page(name).split())
    assert [s for s in sentences if s not in text] == []


# -- each page read back -------------------------------------------------------------------------------------------
def recomputed(term):
    try:
        return value(term.replace(" - ∞", " + -∞"))
    except HasLetters:
        return None


def unexplained(text):
    """The chains whose last number does not follow from the numbers before it, and how many were read."""
    read, found = 0, []
    for chain in chains(text):
        if len(chain.rights) < 2 or re.search(r"[a-z]\(\d\)\[|\d\)*[*]", " ".join(chain.terms)):
            continue  # one row of a constant; exact forms
        before, shown = (recomputed(term) for term in chain.terms[-2:])
        if before is None or shown is None:
            continue
        read += 1
        pairs = list(zip(flat(before), flat(shown), strict=True))
        agree = all(a == b or a.quantize(Decimal("0.0001"), ROUND_HALF_UP) == b for a, b in pairs)
        same = all(a == b for a, b in pairs)
        if agree == chain.rounded or (chain.rights[-1][0] == "=" and not same):
            found.append(chain)
    return found, read


@pytest.mark.parametrize("name", PAGES.values())
@pytest.mark.parametrize(("detail", "at_least"), [("steps", 20), ("entries", 90)])
def test_every_number_follows_from_the_numbers_before_it(name, detail, at_least):
    found, read = unexplained(page(name, detail=detail))
    assert found == []
    assert read >= at_least


@pytest.mark.parametrize(
    ("chapter", "right", "wrong"),
    [
        (5, "= [[0, -2, 2, 0]]", "= [[0, 2, 2, 0]]"), (5, "≈ 1.0715", "≈ 1.0714"), (6, "≈ 3.4522", "≈ 3.4521"),
        (6, "0.7955]]  (operands are rounded)", "0.7955]]"), (7, "≈ 1.8302", "≈ 1.8302  (operands are rounded)"),
        (7, "≈ [[0.3302, 0.6698]]", "≈ [[0.6698, 0.3302]]"),
    ],
)  # fmt: skip
def test_planted_errors_on_a_page_are_found(chapter, right, wrong):
    text = page(PAGES[chapter])
    assert right in text
    assert unexplained(text.replace(right, wrong))[0]


@pytest.mark.parametrize("name", ALL)
def test_both_languages_show_the_same_mathematics_under_their_own_labels(name):
    english, japanese = (chains(page(name, language)) for language in ("en", "ja"))
    assert len(english) == len(japanese) > 4
    for a, b in zip(english, japanese, strict=True):
        assert (a.rights, a.followed, a.rounded) == (b.rights, b.followed, b.rounded)
        assert b.label == TOKENS.get(a.label, b.label)
        assert a.left in (b.left, "difference")


@pytest.mark.parametrize("name", ALL)
def test_every_step_is_proved_and_the_page_stays_readable(name):
    assert {v.kind for v in verified(name).verdicts.values()} == {"proved"}
    for language in ("en", "ja"):
        assert "!!" not in page(name, language)
        assert len(page(name, language).splitlines()) <= 420
    assert re.search(r"[γβ]", page(name, form="tex")) is None
