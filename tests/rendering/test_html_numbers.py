"""The scripts of a page, run by node: for other inputs they show the digits that Python shows."""

import json
import random
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest
from golden_cases import masked_attention, two_heads, with_tables
from mpmath import mp
from sympy import Rational, S

from symtransformer import Style, Words, derive, matrix, parameter, verify
from symtransformer.chosen_notation import Notation
from symtransformer.cli.derivations import load
from symtransformer.evaluation import Evaluation
from symtransformer.operations import GELU, LayerNorm, Softmax, Tanh
from symtransformer.rendering.compose import compose
from symtransformer.rendering.html import HtmlPrinter
from symtransformer.rendering.numbers import Shown
from symtransformer.rendering.page_sections import PageSections

RUNNER = Path(__file__).with_name("run_page.mjs")
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed: no JavaScript can be run")


class Page:
    """A page, and what its scripts and Python show for other inputs."""

    def __init__(self, subject, folder, style=None, decimal="."):
        self.derivation = getattr(subject, "derivation", subject)
        self.style = style or Style()
        self.document = compose(subject, live=True, style=style)
        letters = {x.name: x for x in self.derivation.inputs} | {s.name: s.letter for s in self.derivation.steps}
        self.printer = HtmlPrinter("en", letters, notation=Notation(decimal=decimal))
        self.path = folder / "page.html"
        self.path.write_text(self.printer.page(self.document), encoding="utf-8")
        self.live = self.printer.behind
        self.evaluations = dict(self.document.behind.scopes)

    def run(self, settings):
        given = json.dumps(settings)
        ran = subprocess.run([NODE, RUNNER, self.path], input=given, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)

    def setting(self, cells, slider):
        start = [slider.get(scope, s.range.start) for scope, s in self.live.sliders.items()]
        return {
            "cells": ["-inf" if x is S.NegativeInfinity else str(x) for x in cells],
            "parameters": [str(x) for x in start],
        }

    def evaluation(self, scope, cells, slider):
        """Python's values of one part of the page."""
        inputs = self.live.inputs[scope]
        values = {}
        for letter, rows in inputs.rows.items():
            own = self.live.base.rows[letter] == rows
            values[letter] = [
                [
                    cells[self.live.cells[place]] if own and place in self.live.cells else value
                    for j, value in enumerate(row)
                    for place in [(letter.name, letter.head, i, j)]
                ]
                for i, row in enumerate(rows)
            ]
        parameters = dict(inputs.given.parameters)
        if scope in slider:
            parameters[self.live.sliders[scope].parameter] = slider[scope]
        return Evaluation(self.derivation, {**values, **parameters})

    def shower(self, scope, cells, slider):
        """Python's page under these values."""
        page = PageSections(self.derivation, self.style)
        page.verified, page.evaluation = None, self.evaluation(scope, cells, slider)
        return page

    @staticmethod
    def expected(source, page, first):
        letters = page.inputs[source.name] if source.name in page.inputs else [page.derivation[source.name].letter]
        letter = letters[0] if source.head is None else letters[0].of_head(source.head)
        if source.minus is None:
            return page._shown(letter, source.i, source.j, source.percent, source.places)
        taken, of_first = source.minus, first._letter(source.minus.name)
        return page._difference(
            first._behind_shown(of_first, taken.i, taken.j), page._behind_shown(letter, source.i, source.j)
        )

    def differences(self, cells, slider, result):
        """Numbers that the page and Python show differently."""
        known, wrong, same = {}, [], 0
        for source, number in self.live.known.items():
            if number is None:
                continue
            for scope in (source.scope, (source.minus or source).scope):
                if scope not in known:
                    known[scope] = self.shower(scope, cells, slider)
            text, exact = result["numbers"][number]
            shown = self.expected(source, known[source.scope], known[(source.minus or source).scope])
            of = known[source.scope]
            if exact and not shown.exact and of._value(of._letter(source.name)) is None:
                shown = Shown(trimmed(shown.text), True, power=shown.power)  # too long for Python to be called exact
            if (text, exact) == (text_of(shown), shown.exact):
                same += 1
            else:
                wrong.append((source, text, exact, text_of(shown), shown.exact))
        assert same > 0
        return wrong, same


def trimmed(text):
    number = text.rstrip("%")
    return (number.rstrip("0").rstrip(".") if "." in number else number) + text[len(number) :]


def text_of(shown):
    if shown.formula is not None and not shown.text:
        return str(shown.formula)
    return shown.text if shown.power is None else f"{shown.text}e{shown.power}"


EQUAL = (S.Zero, S.Zero, S.One, S.One, -S.One, Rational(1, 2))


def masked(page, chance, printed, cells):
    """0 and −∞ in masks, so that some score of each row is left."""
    cells, rows = list(cells), {}
    for (name, head, i, _), k in page.live.cells.items():
        if name in page.live.masks:
            rows.setdefault((name, head, i), []).append(k)
    for row in rows.values():
        for k in row:
            cells[k] = chance.choice((S.Zero, S.Zero, S.NegativeInfinity, Rational(-1, 2), printed[k]))
        cells[chance.choice(row)] = S.Zero
    return cells


def random_number(chance, near):
    kind = chance.randrange(8)
    if kind < 3:
        return near
    if kind == 3:
        return Rational(chance.randint(-7, 7), chance.choice((3, 6, 7)))
    below = chance.choice((1, 4, 10, 100, 1000))
    return Rational(chance.randint(-4 * below, 4 * below), below)


def settings_of(page, chance, count):
    printed = [page.live.base.entries[place] for place in page.live.cells]
    for _ in range(count):
        cells = [random_number(chance, x) for x in printed]
        if len(printed) > 4 and chance.random() < 0.4:  # numbers that are often equal, or 0: exact results
            cells = [chance.choice(EQUAL) if x.is_finite else x for x in printed]
        cells = masked(page, chance, printed, cells)
        slider = {}
        for scope, own in page.live.sliders.items():
            steps = int((own.range.high - own.range.low) / own.range.step)
            slider[scope] = own.range.low + own.range.step * chance.randint(0, steps)
        yield cells, slider


def agree(page, seed, count):
    chosen = list(settings_of(page, random.Random(seed), count))
    results = page.run([page.setting(*setting) for setting in chosen])
    compared = 0
    for (cells, slider), result in zip(chosen, results, strict=True):
        assert "error" not in result, (cells, result)
        wrong, same = page.differences(cells, slider, result)
        assert wrong == []
        compared += same
    return compared


@pytest.mark.parametrize("count", [20, pytest.param(100, marks=pytest.mark.slow)])
def test_settings_of_chapter_4_show_the_digits_of_python(tmp_path, count):
    page = Page(verify(load("explainer_chapter_4")[1]), tmp_path)
    assert len(page.live.cells) == 28
    assert len(page.live.sliders) == 1
    assert agree(page, 4, count) > count * 130


def layers():
    X, gamma, beta = matrix("X", 2, 3), matrix("g", 3, 1), matrix("b", 3, 1)
    return derive(
        {"Y": GELU(Tanh(LayerNorm(X, gamma, beta)))},
        title=Words("Layers", "層"), values={X: [[1, 2, -1], [0, 0.5, 3]], gamma: [[1], [1], [2]], beta: [[0], [0.5], [0]]},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("build", "style", "count"),
    [
        (masked_attention, Style(places=2), 10),
        (masked_attention, Style(places=1, rounding="half-even", zeros="trim"), 10),
        (masked_attention, Style(significant=3), 10),
        (masked_attention, Style(round_steps=2), 10),
        (with_tables, Style(round_steps=1, rounding="half-even"), 8),
        (two_heads, Style(round_steps=3, zeros="trim"), 6),
        (with_tables, Style(places=3), 6),
        (two_heads, Style(places=3), 10),
        (layers, None, 10),
        pytest.param(lambda: load("two_layers")[1], None, 3, marks=pytest.mark.slow),
    ],
    ids=[
        "decimals",
        "half even",
        "significant",
        "rounded",
        "rounded half even",
        "rounded heads",
        "tables",
        "two heads",
        "layers",
        "two layers",
    ],
)
def test_other_pages_show_the_digits_of_python(tmp_path, build, style, count):
    assert agree(Page(build(), tmp_path, style), 7, count) > 0


def cancelling():
    """Differences of weights, which are exactly 0 where two scores are equal; the scores are products of four numbers."""
    Q, K, L, M, V = (
        matrix(name, *size)
        for name, size in (("Q", (1, 1)), ("K", (1, 1)), ("L", (1, 1)), ("M", (1, 3)), ("V", (3, 2)))
    )
    values = {Q: [[1]], K: [[1]], L: [[1]], M: [[0, 1, 2]], V: [[1, 1], [-1, 1], [0, 1]]}
    return derive({"Y": Softmax(Q @ K @ L @ M) @ V}, values=values)


TINY = "1/1000000000000000000000000"
ZEROS = (
    ["1", "1", "1", "2", "2", "5", "1", "1", "-1", "1", "0", "1"],  # two equal scores: 0, and all weights: 1
    [TINY, TINY, TINY, TINY, "0", "5", "1", "1", "-1", "1", "0", "1"],  # scores that differ by 10^-96
)


def test_a_zero_is_exact_where_it_is_proved_and_never_where_it_is_only_small(tmp_path):
    for style, small in ((None, "0.0000"), (Style(significant=3), "3.33e-97")):
        page = Page(verify(cancelling()), tmp_path, style)
        own = page.live.known
        zero, one = (next(n for s, n in own.items() if (s.name, s.j) == ("Y", j)) for j in (0, 1))
        at = list(page.live.cells)
        order = [
            ("Q", 0, 0),
            ("K", 0, 0),
            ("L", 0, 0),
            *(("M", 0, j) for j in range(3)),
            *(("V", i, j) for i in range(3) for j in range(2)),
        ]
        places = [order.index((name, i, j)) for name, _, i, j in at]
        equal, near = page.run([page.setting([given[k] for k in places], {}) for given in ZEROS])
        assert equal["numbers"][zero] == ["0", True]
        assert equal["numbers"][one] == near["numbers"][one] == ["1", True]
        assert near["numbers"][zero] == [small, False]
    text = page.path.read_text(encoding="utf-8")
    plant(page, text, "const named = (e, l) => `${written(e)};", "const named = (e, l) => `;")
    (near,) = page.run([page.setting([ZEROS[1][k] for k in places], {})])
    assert near["numbers"][zero] == ["0", True]  # powers of e with other exponents taken for equal: the test sees it


def plant(page, text, old, new):
    assert text.count(old) == 1, old
    page.path.write_text(text.replace(old, new), encoding="utf-8")


def test_planted_errors_are_found(tmp_path):
    """The comparison sees another rounding, a swapped entry and another operation."""
    page = Page(verify(load("explainer_chapter_4")[1]), tmp_path)
    text = page.path.read_text(encoding="utf-8")
    chosen = list(settings_of(page, random.Random(1), 3))
    for old, new in (
        ("twice > d ||", "twice > 3n * d ||"), ("d=N.divide", "d=N.multiply"), ("c[0], c[1]", "c[1], c[0]"),
        ('"places":4', '"places":3'),
    ):  # fmt: skip
        assert old in text
        page.path.write_text(text.replace(old, new, 1 if "c[" in old else -1), encoding="utf-8")
        results = page.run([page.setting(*setting) for setting in chosen])
        found = ["error" in r or page.differences(*s, r)[0] for s, r in zip(chosen, results, strict=True)]
        assert any(found), old


def test_printed_inputs_give_the_printed_page(tmp_path):
    """Signs and sides as well: = stands nowhere where Python does not write it."""
    for build in (masked_attention, with_tables, lambda: load("explainer_chapter_4")[1]):
        page = Page(build(), tmp_path)
        printed = [page.live.base.entries[place] for place in page.live.cells]
        (result,) = page.run([page.setting(printed, {})])
        shown = page.printer.chains
        for chain, sides in zip(shown, result["chains"], strict=True):
            visible = [k for k, right in enumerate(chain["rights"]) if not right["hidden"] and right["kind"] != "gone"]
            assert [side["k"] for side in sides] == visible
            for side in sides:
                assert side["relation"] != "=" or chain["rights"][side["k"]]["sign"] == "=" or side["k"] != visible[-1]


def test_what_does_not_depend_on_a_letter_without_a_value_is_computed(tmp_path):
    """One input holds a letter; the step that does not use it follows its inputs, the other one says what it is about."""
    A, B, C = matrix("A", 1, 2), matrix("B", 1, 2), matrix("C", 1, 2)
    derivation = derive({"Y": A + B, "Z": A + C}, values={A: [[1, 2]], B: [[3, 4]], C: [[parameter("t"), 1]]})
    page = Page(verify(derivation), tmp_path)
    assert {s.name for s, number in page.live.known.items() if number is not None} == {"A", "B", "Y"}
    found = {(s.name, s.j) for s, number in page.live.known.items() if number is None}
    assert found == {("C", 0), ("Z", 0)}
    (result,) = page.run([page.setting([5, 2, 3, 4, 1], {})])
    assert [text for text, _ in result["numbers"]].count("8") == 1
    assert page.path.read_text(encoding="utf-8").count('class="of-printed"') > 1


def test_a_row_that_a_mask_hides_has_no_value(tmp_path):
    S = matrix("S", 1, 2)
    page = Page(verify(derive(Softmax(S), stages=True, values={S: [[0, 1]]})), tmp_path)
    assert page.run([page.setting([10**12, 0], {}), page.setting([-1000, -1000], {})]) != []
    huge, low = page.run([page.setting([10**12, 0], {}), page.setting([-2000, 2000], {})])
    assert "error" in huge or huge["numbers"]
    assert "error" in low or low["numbers"]


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("0.5", "0.5"), ("-0.50", "-0.5"), ("2/3", "2/3"), ("−1", "-1"), ("１．５", "1.5"), (" 7 ", "7"), (".5", "0.5"), ("1.", "1"),
        ("+3", "3"), ("-0", "0"), ("1e-3", "0.001"), ("1.5E2", "150"), ("１ｅ３", "1000"), ("-2e0", "-2"),
        ("0,5", False), ("1,000", False), ("1,000.5", False), ("１，０００", False), ("1 000", False), ("1'000", False), ("1_000", False),
        ("1e", False), ("1e100", False), ("e5", False), ("1e2/3", False), ("√2", False), ("inf", False), ("+∞", False),
        ("-∞", "-∞"), ("−∞", "-∞"), ("-inf", "-∞"), ("－∞", "-∞"), ("-Infinity", "-∞"), ("-oo", "-∞"), ("-i", False), ("-infi", False),
        ("", False), ("x", False), ("1/0", False), ("--1", False), ("1.2.3", False), ("NaN", False),
        ("9" * 13, False), ("1/", False), ("∞", False), ("<b>", False), (".", False), ("-", False),
        ("3²", False), ("½", False), ("x₁", False), ("１，５", False), ("0。5", "0.5"), ("－２／３", "-2/3"), ("１２", "12"),
    ],
)  # fmt: skip
def test_what_a_reader_types(tmp_path, typed, read):
    page = Page(verify(derive(Softmax(S := matrix("S", 1, 2)), values={S: [[0, 1]]})), tmp_path)
    assert page.run([{"typed": [typed]}]) == [[read]]


@pytest.mark.parametrize(
    ("typed", "read"), [("0,5", "0.5"), ("-１，５", "-1.5"), ("1.000", False), ("1.5", False), ("1,5,0", False)]
)
def test_a_comma_is_read_where_the_page_writes_one(tmp_path, typed, read):
    page = Page(verify(derive(Softmax(S := matrix("S", 1, 2)), values={S: [[0, 1]]})), tmp_path, decimal=",")
    assert page.run([{"typed": [typed]}]) == [[read]]


FUNCTIONS = {
    "exp": mp.exp, "log": mp.log, "sqrt": mp.sqrt, "tanh": mp.tanh,
    "sin": mp.sin, "cos": mp.cos, "erf": mp.erf, "normal": mp.ncdf,
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_ball_holds_the_value_and_is_small(tmp_path, name):
    """For 400 arguments, against mpmath with 130 digits."""
    page = Page(verify(derive(Softmax(S := matrix("S", 1, 2)), values={S: [[0, 1]]})), tmp_path)
    chance = random.Random(name)
    points = [Fraction(chance.randint(-(10**6), 10**6), 10 ** chance.randint(4, 9)) for _ in range(400)]
    if name in ("log", "sqrt"):
        points = [abs(x) + (Fraction(1, 7) if name == "log" else 0) for x in points]
    found = page.run([{"functions": [[name, str(x)] for x in points]}])[0]
    with mp.workdps(130):
        for point, (middle, radius, power) in zip(points, found, strict=True):
            true = FUNCTIONS[name](mp.mpf(point.numerator) / point.denominator)
            scale = mp.mpf(2) ** power
            assert abs(int(middle) * scale - true) <= int(radius) * scale, point
            assert int(radius) * scale <= mp.mpf(10) ** -68 * max(abs(true), 1), point
