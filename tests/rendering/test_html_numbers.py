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
from sympy import Rational

from symtransformer import Style, Words, derive, matrix, parameter, verify
from symtransformer.cli.derivations import load
from symtransformer.evaluation import Evaluation
from symtransformer.operations import GELU, LayerNorm, Softmax, Tanh
from symtransformer.rendering.compose import compose
from symtransformer.rendering.html import HtmlPrinter
from symtransformer.rendering.numbers import show, show_exact, show_given

RUNNER = Path(__file__).with_name("run_page.mjs")
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed: no JavaScript can be run")


class Page:
    """A page, and what its scripts and Python show for other inputs."""

    def __init__(self, subject, folder, style=None):
        self.derivation = getattr(subject, "derivation", subject)
        self.style = style or Style()
        self.document = compose(subject, live=True, style=style)
        letters = {x.name: x for x in self.derivation.inputs} | {s.name: s.letter for s in self.derivation.steps}
        self.printer = HtmlPrinter("en", letters)
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
        return {"cells": [str(x) for x in cells], "parameters": [str(x) for x in start]}

    def evaluation(self, scope, cells, slider):
        """Python's values of one part of the page."""
        inputs = self.live.inputs[scope]
        values = {}
        for letter, rows in inputs.rows.items():
            own = self.live.base.rows[letter] == rows
            values[letter] = [
                [
                    Rational(cells[self.live.cells[place]]) if own and place in self.live.cells else value
                    for j, value in enumerate(row)
                    for place in [(letter.name, letter.head, i, j)]
                ]
                for i, row in enumerate(rows)
            ]
        parameters = dict(inputs.given.parameters)
        if scope in slider:
            parameters[self.live.sliders[scope].parameter] = slider[scope]
        return Evaluation(self.derivation, {**values, **parameters})

    def expected(self, source, evaluation, first=None):
        if source.minus is not None:  # `first` are the values that are taken away
            return show_exact(self.exact(source, evaluation) - self.exact(source.minus, first), self.style)
        if source.head is not None:
            return (
                show_exact(self.exact(source, evaluation), self.style, source.percent, source.places)
                if not source.given
                else (show_given(self.exact(source, evaluation)))
            )
        if source.name in {x.name for x in self.derivation.inputs}:
            letter = next(x for x in self.live.base.rows if (x.name, x.head) == (source.name, source.head))
            value = evaluation.given.rows(letter)[source.i][source.j]
            return show_exact(value, self.style, True, source.places) if source.percent else show_given(value)
        value = evaluation.true_value(source.name)
        at = evaluation.cells(source.name).ball_at(source.i, source.j)
        return show(None if value is None else value[source.i, source.j], at, self.style, source.percent, source.places)

    @staticmethod
    def exact(source, evaluation):
        """The exact number, also of one head."""
        named = {x.name: x for x in evaluation.derivation.inputs} | {
            s.name: s.letter for s in evaluation.derivation.steps
        }
        letter = named[source.name]
        letter = letter if source.head is None else letter.of_head(source.head)
        return evaluation._rows(letter)[source.i][source.j]

    def differences(self, cells, slider, result):
        """Numbers that the page and Python show differently; zeros at the end of what is not called exact do not count."""
        known, wrong, same = {}, [], 0
        for source, number in self.live.known.items():
            if number is None:
                continue
            for scope in (source.scope, (source.minus or source).scope):
                if scope not in known:
                    known[scope] = self.evaluation(scope, cells, slider)
            text, exact = result["numbers"][number]
            if text == "–":
                assert source.minus is not None
                continue
            shown = self.expected(source, known[source.scope], known[(source.minus or source).scope])
            want = text_of(shown)
            if text == want and exact == shown.exact:
                same += 1
            elif exact or not shown.exact or trimmed(text) != want:
                wrong.append((source, text, exact, want, shown.exact))
        assert same > 0
        return wrong, same


def text_of(shown):
    if shown.formula is not None and not shown.text:
        return str(shown.formula)
    return shown.text if shown.power is None else f"{shown.text}e{shown.power}"


def trimmed(text):
    number = text.rstrip("%")
    return (number.rstrip("0").rstrip(".") if "." in number else number) + text[len(number) :]


def random_number(chance, near):
    kind = chance.randrange(8)
    if kind < 3:
        return near
    if kind == 3:
        return Fraction(chance.randint(-7, 7), chance.choice((3, 6, 7)))
    below = chance.choice((1, 4, 10, 100, 1000))
    return Fraction(chance.randint(-4 * below, 4 * below), below)


def settings_of(page, chance, count):
    printed = [Fraction(str(page.live.base.entries[place])) for place in page.live.cells]
    for _ in range(count):
        cells = [random_number(chance, x) for x in printed]
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


def test_hundred_settings_of_chapter_4_show_the_digits_of_python(tmp_path):
    page = Page(verify(load("explainer_chapter_4")[1]), tmp_path)
    assert len(page.live.cells) == 28
    assert len(page.live.sliders) == 1
    assert agree(page, 4, 100) > 100 * 130


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
        (with_tables, Style(places=3), 6),
        (two_heads, Style(places=3), 10),
        (layers, None, 10),
        pytest.param(lambda: load("two_layers")[1], None, 3, marks=pytest.mark.slow),
    ],
    ids=["decimals", "half even", "significant", "tables", "two heads", "layers", "two layers"],
)
def test_other_pages_show_the_digits_of_python(tmp_path, build, style, count):
    assert agree(Page(build(), tmp_path, style), 7, count) > 0


def test_planted_errors_are_found(tmp_path):
    """The comparison sees another rounding, a swapped entry and another operation."""
    page = Page(verify(load("explainer_chapter_4")[1]), tmp_path)
    text = page.path.read_text(encoding="utf-8")
    chosen = list(settings_of(page, random.Random(1), 3))
    for old, new in (
        ("twice > d ||", "twice > 3n * d ||"), ("N.divide(", "N.multiply("), ("c[0], c[1]", "c[1], c[0]"),
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
        ("0,5", "0.5"), ("+3", "3"), ("-0", "0"),
        ("", False), ("x", False), ("1e5", False), ("1/0", False), ("--1", False), ("1.2.3", False), ("NaN", False),
        ("9" * 13, False), ("1/", False), ("∞", False), ("<b>", False), (".", False), ("-", False),
        ("3²", False), ("½", False), ("x₁", False), ("１，５", "1.5"), ("－２／３", "-2/3"), ("１２", "12"),
    ],
)  # fmt: skip
def test_what_a_reader_types(tmp_path, typed, read):
    page = Page(verify(derive(Softmax(S := matrix("S", 1, 2)), values={S: [[0, 1]]})), tmp_path)
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
