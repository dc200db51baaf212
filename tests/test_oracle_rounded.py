"""Lines whose printed operands do not give their printed result: a page says there that operands are rounded."""

import re
from functools import cache

import pytest
from oracle_tables import TABLES, chapter_7
from oracle_tables import chapter_6_numbers as chapter_6
from sympy import Rational
from test_worked_proofs import derivation_of

from symtransformer import Style, evaluate, render
from symtransformer.operations import Linear
from symtransformer.rendering.numbers import show_exact
from symtransformer.rendering.recomputing import as_shown, gives

REMARK = "  (operands are rounded)"
PLACES = {"chapter_5": 3, "chapter_6": 4, "chapter_7": 4, "chapter_8": 4}

# (claim, its line with the printed operands): the page, and the line as the page has it
LINES = {
    ("ch5.sq2", "0.905**2"): ("chapter_5", "≈ 0.905 × 0.905 ≈ 0.82"),
    ("ch5.var2", "(0.009+2.945+0.82+0.82)/4"): ("chapter_5", "≈ (0.009 + 2.945 + 0.82 + 0.82) / 4 ≈ 1.148"),
    ("ch5.std2", "sqrt(1.148+0.00001)"): ("chapter_5", "≈ sqrt(1.148 + 0.00001) ≈ 1.072"),
    ("ch5.out", "-0.095/1.072"): ("chapter_5", "≈ (-0.095) / 1.072 ≈ -0.088"),
    ("ch5.out", "0.905/1.072"): ("chapter_5", "≈ 0.905 / 1.072 ≈ 0.845"),
    ("ch6.exp.cat", "exp(0.3536)"): ("chapter_6", "≈ exp(0.3536) ≈ 1.4241"),
    ("ch6.z.cat.c2", "0.4125*4"): ("chapter_6", "≈ 0.5875 × 0 + 0.4125 × 4 + 0 × 4 ≈ 1.6501"),
    ("ch6.mean1.cat", "(1.175+2.6501)/2"): ("chapter_6", "≈ (1.175 + 2.6501) / 2 ≈ 1.9125"),
    ("ch6.diff1.cat", "1.175-1.9125"): ("chapter_6", "≈ 1.175 - 1.9125 ≈ -0.7376"),
    ("ch6.cross.wv.cat", "2*0.4034"): (
        "chapter_6", "≈ 0.1989 × 0 + 0.4034 × 2 + 0.1989 × 0 + 0.1989 × 0 ≈ 0.8067",
    ),
    ("ch6.cross.wv.sleeps", "4*0.1989"): (
        "chapter_6", "≈ 0.1989 × 0 + 0.4034 × 0 + 0.1989 × 4 + 0.1989 × 0 ≈ 0.7955",
    ),
    ("ch7.h1.z", "0.3302*2+0.6698*0"): ("chapter_7", "≈ 0.3302 × 2 + 0.6698 × 0 ≈ 0.6605"),
    ("ch7.h1.z", "0.3302*0+0.6698*2"): ("chapter_7", "≈ 0.3302 × 0 + 0.6698 × 2 ≈ 1.3395"),
    ("ch7.h2.z", "0.6698*0+0.3302*3"): ("chapter_7", "≈ 0.6698 × 0 + 0.3302 × 3 ≈ 0.9907"),
    ("ch7.o1", "0.6605+0.6698"): (
        "chapter_7", "≈ 0.6605 × 1 + 1.3395 × 0 + 0.6698 × 1 + 0.9907 × 0 ≈ 1.3302",
    ),
    ("ch8.expsum", "0.3679+2.7183+7.3891+2.7183+0.1353"): (
        "chapter_8", "≈ 0.3679 + 2.7183 + 7.3891 + 2.7183 + 0.1353 ≈ 13.3288",
    ),
}  # fmt: skip
NO_LINE = {("ch6.softmax.cat.pct", "100*0.5875")}  # a page shows percentages of the unrounded weights, without a line


@cache
def page(name):
    """The worked page of a chapter with the arithmetic of every entry, each chain in one line."""
    style = Style(places=PLACES[name], zeros="trim")
    text = render(derivation_of(f"explainer_{name}"), "txt", detail="entries", style=style)
    return re.sub(r"\n[> ] +(?=[=≈] )", " ", text)


def lines_not_reproduced():
    for table in TABLES:
        for name, claim in table.document.claims.items():
            for line in claim.get("printed_arithmetic", []):
                if not line["reproduces_printed"]:
                    yield name, line["expression"]


def test_every_such_line_of_the_oracle_is_here():
    assert set(lines_not_reproduced()) == LINES.keys() | NO_LINE
    assert len(LINES) + len(NO_LINE) == 17


@pytest.mark.parametrize("key", LINES, ids=" ".join)
def test_the_page_says_that_operands_are_rounded(key):
    name, line = LINES[key]
    found = [text for text in page(name).splitlines() if line in text]
    assert found, f"no line {line}"
    assert all(text.endswith(line + REMARK) for text in found)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("chapter_5", "≈ (-1.716) / 1.072 ≈ -1.601"),
        ("chapter_5", "≈ (-1.716) × (-1.716) ≈ 2.945"),
        ("chapter_6", "≈ exp(0.7071) ≈ 2.0281"),
        ("chapter_7", "≈ 0.6698 × 1 + 0.3302 × 0 ≈ 0.6698"),
    ],
)
def test_lines_that_come_out_say_nothing(name, line):
    found = [text for text in page(name).splitlines() if line in text]
    assert found
    assert all(text.endswith(line) for text in found)


def test_percentages_are_those_of_the_unrounded_weights():
    weight = chapter_6.NUMBERS["ch6.softmax.cat.pct"].numbers("exact")[0]
    style = Style(places=4, percent_places=1, zeros="trim")
    shown, percent = show_exact(weight, style), show_exact(weight, style, percent=True)
    assert (shown.text, percent.text) == ("0.5875", "58.7%")
    assert not gives(100 * as_shown(shown), percent, Style(places=1))
    assert gives(100 * weight, percent, Style(places=1))


def test_an_attention_output_is_not_computed_from_what_is_shown():
    """The line of the output Linear in chapter 7 once more, with the printed operands put in as inputs."""
    weights = evaluate(Linear(chapter_7.printed("0.6605 1.3395 0.6698 0.9907"), chapter_7.GIVEN["W_O"]))
    assert weights[0, 0] == Rational(13303, 10000) != chapter_7.dec("1.3302")
