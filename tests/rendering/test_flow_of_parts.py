"""The drawing of a long page: its parts below each other, an arrow for whatever goes from one to a later one."""

import re

import pytest

from symtransformer import render
from symtransformer.cli.derivations import known_derivations, load
from symtransformer.rendering.document import FlowLink, FlowPart, PartsFlow
from symtransformer.rendering.flow import flow_of
from symtransformer.rendering.latex import LatexPrinter
from symtransformer.rendering.latex_parts import column
from symtransformer.rendering.parts_flow import lanes_of, parts_of

CHAPTERS = [f"explainer_chapter_{k}" for k in (5, 6, 7, 8)]
BLOCKS = [*CHAPTERS, "two_layers", "backpropagation_layer", "explainer_models", "explainer_demo"]


def drawn(name):
    derivation = load(name)[1]
    return derivation, parts_of(derivation, derivation.sections)


def titles(flow):
    return [part.title.en if part.title else str(part.results[0]) for part in flow.parts]


def test_an_encoder_layer_shows_both_residual_arrows():
    flow = drawn("explainer_chapter_7")[1]
    names = titles(flow)
    arrows = {(names[x.start], names[x.end], str(x.letters[0])) for x in flow.links}
    first, second = (next(t for t in names if t.startswith(f"{k} Add & Norm")) for k in ("First", "Second"))
    network = next(t for t in names if t.startswith("Feed-forward"))
    assert {("X", first, "X"), (first, network, "H"), (first, second, "H"), (network, second, "G")} <= arrows
    heads = [t for t in names if t.endswith("queries, keys and values")]
    assert len(heads) == 2
    assert {("X", head, "X") for head in heads} <= arrows
    given = {titles(flow)[k]: [str(x) for x in part.given] for k, part in enumerate(flow.parts)}
    assert given[network] == ["W_1", "W_2", "b_1", "b_2"] or set(given[network]) == {"W_1", "W_2", "b_1", "b_2"}


@pytest.mark.parametrize("name", known_derivations())
def test_every_arrow_is_a_use_and_every_use_is_an_arrow(name):
    derivation, flow = drawn(name)
    if flow is None:
        assert name not in BLOCKS
        return
    boxes = [part for part in flow.parts if part.title is not None]
    shown = dict.fromkeys(name for section in derivation.sections for name in section.steps)
    by_title = {s.title.en: s.steps for s in derivation.sections if s.title.en in titles(flow)}
    for link in flow.links:
        assert link.start < link.end
        names = by_title.get(titles(flow)[link.end]) or [x.name for x in flow.parts[link.end].results]
        made_of, waiting = set(), list(names)
        while waiting:  # also by way of what the page does not show as a step
            letters = {x.name for x in derivation[waiting.pop()].definition._letters}
            waiting += [x for x in letters - made_of if x in {s.name for s in derivation.steps} and x not in shown]
            made_of |= letters
        assert {x.name for x in link.letters} <= made_of
    reached = {link.end for link in flow.links} | {link.start for link in flow.links}
    assert reached == set(range(len(flow.parts)))
    assert len(boxes) >= 4


def test_blocks_are_drawn_and_proofs_are_not():
    for name in BLOCKS:
        derivation, flow = drawn(name)
        assert flow is not None
        assert flow_of(derivation, [x for s in derivation.sections for x in s.steps]) is None
    assert drawn("proof_softmax_shift")[1] is None
    assert drawn("proof_variance_of_scores")[1] is None


@pytest.mark.parametrize("name", BLOCKS)
def test_no_two_lines_run_in_one_lane(name):
    flow = drawn(name)[1]
    lanes = lanes_of(flow)
    ends = {start: max(x.end for x in flow.links if x.start == start) for start in lanes}
    for a in lanes:
        for b in lanes:
            if a < b <= ends[a]:
                assert lanes[a] != lanes[b]
    assert {x.start for x in flow.links if x.end > x.start + 1} <= set(lanes)


@pytest.mark.parametrize("name", BLOCKS)
def test_the_drawing_fits_on_a_page_as_it_is(name):
    """A4 with margins of 22 mm leaves 166 mm: nothing is set smaller, and the smallest index has 7 points."""
    derivation, flow = drawn(name)
    page = column_of(derivation, flow)
    widths = [float(w) for w in re.findall(r"text width=([0-9.]+)mm", page)]
    lanes = [float(w) for w in re.findall(r"\+\+\(([0-9.]+)mm,0\)", page)]
    beside = min(widths) + 4 if len(set(widths)) > 1 else 0
    assert max(widths) + beside + max(lanes, default=0) + 4 < 166
    assert "scriptsize" not in page
    assert r"\tiny" not in page


def column_of(derivation, flow):
    letters = {x.name: x for x in derivation.inputs} | {s.name: s.letter for s in derivation.steps}
    return column(LatexPrinter("en", letters), flow)


def test_lanes_of_lines_that_touch():
    part = FlowPart(None, (), ())
    links = tuple(FlowLink(a, b, ()) for a, b in ((0, 2), (2, 4), (0, 1), (1, 4), (3, 4)))
    lanes = lanes_of(PartsFlow((part,) * 5, links))
    assert set(lanes) == {0, 1, 2}
    assert len(set(lanes.values())) == 3


def test_the_drawing_says_what_the_page_says():
    derivation = load("explainer_models")[1]  # which has no numbers to be computed
    for language in ("en", "ja"):
        page = render(derivation, "tex", language)
        assert page.count(r"\begin{tikzpicture}") == 1
        picture = page[page.index(r"\begin{tikzpicture}") : page.index(r"\end{tikzpicture}")]
        for section in derivation.sections:
            if section.steps and getattr(section.title, language) in picture:
                assert rf"\section{{{getattr(section.title, language)}}}" in page
        assert len(re.findall(r"\\node\[draw", picture)) >= 4
        assert "followed" not in picture  # black and gray alone
    assert "tikz" not in render(derivation, "txt")


@pytest.mark.parametrize("name", ["explainer_models", "explainer_chapter_8"])
def test_what_is_given_stands_in_the_row_of_its_box_so_that_no_two_lists_overlap(name):
    derivation, flow = drawn(name)
    page = render(derivation, "tex")
    picture = page[page.index(r"\matrix[") : page.index(r"\end{tikzpicture}")]
    rows = picture[picture.index("\n") + 1 : picture.index("\n};")].split("\n")
    assert len(rows) == len(flow.parts)
    for k, (row, part) in enumerate(zip(rows, flow.parts, strict=True)):
        left, right = row.split(r"\pgfmatrixnextcell")
        assert (f"(g{k})" in left) is bool(part.given)
        assert left.count("$") == 2 * len(part.given)  # each letter, however many
        assert f"(p{k})" in right
        assert right.endswith(r"\\")
        order = [x.name for x in derivation.inputs]
        assert [x.name for x in part.given] == sorted((x.name for x in part.given), key=order.index)
