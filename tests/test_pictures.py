"""Pictures: their numbers are those of the page, their shades and curves those of NumPy, and names are text in them."""

import re
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

from symtransformer import Section, Sweep, Words, derive, matrix, parameter
from symtransformer.cli.derivations import load
from symtransformer.derivation import Column
from symtransformer.errors import UnreadableInput
from symtransformer.operations import Softmax

pictures = pytest.importorskip("symtransformer.pictures")
pytest.importorskip("matplotlib")
SVG = "{http://www.w3.org/2000/svg}"
S = matrix("S", 2, 3)
SCORES = [[0, 1, 2], [3, 0, 1]]


@pytest.fixture(scope="module")
def small():
    t = parameter("t")
    return derive(
        Softmax(S), values={S: [[0, t, 2], [3, 0, t]], t: 1},
        sections=[Section(Words("a", "a"), sweep=Sweep(t, (0, 1, 4), (Column("Y", 0, 1), Column("Y", 1, 2))))],
    )  # fmt: skip


def texts(svg):
    root = ET.fromstring(svg)
    return ["".join(element.itertext()).strip() for element in root.iter(f"{SVG}text")]


def softmax(rows):
    powers = np.exp(np.array(rows, float))
    return powers / powers.sum(axis=1, keepdims=True)


def test_every_entry_is_there_with_its_digits(small):
    shown = texts(pictures.heat_map(small, "Y"))
    for number in softmax(SCORES).ravel():
        assert f"{number:.4f}" in shown


def test_shades_are_those_of_the_numbers(small):
    fills = re.findall(r"fill: #([0-9a-f]{6}); stroke: #999999", pictures.heat_map(small, "Y"))
    assert len(fills) == 6
    levels = [int(fill[:2], 16) / 255 for fill in fills]
    assert levels == pytest.approx(list(1 - 0.95 * softmax(SCORES).ravel()), abs=0.012)


def test_the_scores_are_shaded_from_the_least_to_the_greatest(small):
    fills = re.findall(r"fill: #([0-9a-f]{6}); stroke: #999999", pictures.heat_map(small, "S"))
    levels = np.array([int(fill[:2], 16) / 255 for fill in fills])
    assert levels == pytest.approx(list(1 - 0.95 * np.array(SCORES, float).ravel() / 3), abs=0.012)


def path_points(svg, dash):
    """The points of the first curve, in units of the picture."""
    found = re.findall(r'<path d="(M [^"]*)" clip-path[^>]*style="fill: none; stroke: (#\w+)', svg)
    lines = [points for points, color in found if color == dash and points.count("L") > 20]
    return np.array(re.findall(r"[ML] ([\d.-]+) ([\d.-]+)", lines[0].replace("\n", " ")), float)


def test_a_curve_goes_through_the_values_of_numpy(small):
    svg = pictures.curve(small)
    from symtransformer.pictures.curves import COLORS, POINTS

    at = np.linspace(0, 4, POINTS)
    wanted = np.array([softmax([[0, t, 2], [3, 0, t]])[0, 1] for t in at])
    points = path_points(svg, COLORS[0].lower())
    # heights of a picture go down linearly with the values
    heights = np.interp(np.linspace(0, 1, len(points)), np.linspace(0, 1, len(points)), points[:, 1])
    along = (points[:, 0] - points[0, 0]) / (points[-1, 0] - points[0, 0]) * 4
    expected = np.interp(along, at, wanted)
    slope, offset = np.polyfit(expected, heights, 1)
    assert slope < 0
    assert np.abs(slope * expected + offset - heights).max() < 0.5
    wrong = np.interp(along, at, wanted[::-1])
    slope, offset = np.polyfit(wrong, heights, 1)
    assert np.abs(slope * wrong + offset - heights).max() > 5


@pytest.mark.parametrize("language", ["en", "ja"])
def test_labels_and_titles_are_text_in_the_language(language):
    shown = texts(pictures.heat_map(load("explainer_chapter_4")[1], "A", language))
    wanted = {"en": ["cat", "sleeps", "keys", "queries"], "ja": ["猫", "眠る", "キー", "クエリ"]}
    assert set(wanted[language]) <= set(shown)


def test_the_same_bytes_twice_and_no_date(small):
    assert pictures.heat_map(small, "Y") == pictures.heat_map(small, "Y")
    assert pictures.curve(small) == pictures.curve(small)
    assert "<dc:date>" not in pictures.curve(small)


HOSTILE = ["<script>x</script>", "$\\frac{1}{0}$", "a & b", "\\write18", "]]>", "\u202eabc", "`x`", "$", "\x1b[31m"]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_text(name):
    derivation = derive(Softmax(S), values={S: SCORES}, title=Words(name, name))
    steps = tuple(replace(step, title=Words(name, name)) for step in derivation.steps)
    svg = pictures.heat_map(replace(derivation, steps=steps), "Y")
    root = ET.fromstring(svg)
    assert not list(root.iter(f"{SVG}script"))
    shown = "".join(c for c in name if c.isprintable() and c not in "{}")  # braces are those of {Q}
    assert f"Y: {shown}" in texts(svg)


def test_what_cannot_be_drawn_is_told(small):
    with pytest.raises(UnreadableInput, match="nothing is named 'Q'"):
        pictures.heat_map(small, "Q")
    with pytest.raises(UnreadableInput, match="no table over 'u'; there are tables over t"):
        pictures.curve(small, "u")
    with pytest.raises(UnreadableInput, match="no table over a parameter"):
        pictures.curve(derive(Softmax(S), values={S: SCORES}))
    with pytest.raises(UnreadableInput, match="has no numbers"):
        pictures.heat_map(derive(Softmax(S)), "Y")
    with pytest.raises(UnreadableInput, match="a start below its end"):
        pictures.curve(small, start=3, stop=3)


def test_on_the_command_line(command, tmp_path):
    path = tmp_path / "a.svg"
    code, out, err = command("picture", "explainer_chapter_4", "--step", "A", "--out", path)
    assert (code, out, err) == (0, f"{path}\n", "")
    assert path.read_text("utf-8") == command("picture", "explainer_chapter_4", "--step", "A")[1]
    assert command("picture", "explainer_chapter_4", "--curve", "--lang", "ja")[1].startswith("<?xml")
    code, out, err = command("picture", "explainer_chapter_4")
    assert (code, out) == (2, "")
    assert "give --step STEP or --curve" in err


def test_without_matplotlib_it_says_what_to_do(command, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, out, err = command("picture", "explainer_chapter_4", "--step", "A")
    assert (code, out) == (2, "")
    assert "pip install 'symtransformer[pictures]'" in err


def test_a_picture_is_no_png(tmp_path, command):
    path = tmp_path / "weights.png"
    code, out, err = command("picture", "explainer_chapter_4", "--step", "A", "--out", path)
    assert (code, out, path.exists()) == (2, "", False)
    assert "SVG" in err
    assert len(err.splitlines()) == 1
