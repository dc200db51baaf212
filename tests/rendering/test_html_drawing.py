"""The drawing on a page for the web: what it joins is what the steps use, nothing lies over anything else, and it is told in words."""

import re
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import pytest
from golden_cases import hostile

from symtransformer import Section, Words, derive, matrix, render
from symtransformer.chosen_notation import Notation
from symtransformer.cli.derivations import known_derivations, load
from symtransformer.dialects import LATEX
from symtransformer.rendering.compose import compose
from symtransformer.rendering.document import Flow, PartsFlow
from symtransformer.rendering.flow import flow_of
from symtransformer.rendering.html import HtmlPrinter
from symtransformer.rendering.parts_flow import parts_of
from symtransformer.rendering.svg_drawing import HEAD, column, graph
from symtransformer.rendering.svg_letters import letter_line, listed
from symtransformer.writing import written

SVG = re.compile(r"<svg role=.*?</svg>", re.DOTALL)
NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"


@cache
def drawn(name):
    """What is to be drawn of a derivation, and where it stands."""
    derivation = load(name)[1]
    sections = derivation.sections
    shown = [x for s in sections for x in s.steps] or [step.name for step in derivation.steps]
    if (flow := flow_of(derivation, shown) or parts_of(derivation, sections)) is None:
        return None

    def latex(letter):
        return written(letter, LATEX)

    if isinstance(flow, Flow):
        return flow, graph(flow, latex)
    return flow, column(flow, latex, ["" if part.title is None else part.title.en for part in flow.parts])


def edges(flow):
    return [(x.start, x.end) for x in (flow.edges if isinstance(flow, Flow) else flow.links)]


def touches(box, x, y):
    """Whether a point lies on the border of a box."""
    right, low = abs(x - box.x) - box.width / 2, abs(y - box.y) - box.height / 2
    return max(right, low) <= 0.11 and max(right, low) > -0.11


def ends(path):
    """Where a line begins and ends: its coordinates, those that are relative added up."""
    x = y = 0.0
    begin = None
    for command, rest in re.findall(rf"([MVHCq])((?: ?{NUMBER})*)", path):
        numbers = [float(n) for n in re.findall(NUMBER, rest)]
        if command in "MC":
            x, y = numbers[-2:]
        elif command == "q":
            x, y = x + numbers[-2], y + numbers[-1]
        else:
            x, y = (numbers[-1], y) if command == "H" else (x, numbers[-1])
        begin = begin or (x, y)
    return begin, (x, y)


def joins_what_is_used(flow, drawing):
    """Whether each line goes from the border of a box to an arrowhead at the border of the one that uses it."""
    tips = [tuple(map(float, re.match(rf"M({NUMBER}) ({NUMBER})l", head).groups())) for head in drawing.heads]
    for (a, b), path in zip(edges(flow), drawing.lines, strict=True):
        start, end = ends(path)
        near = [tip for tip in tips if max(abs(tip[0] - end[0]), abs(tip[1] - end[1])) <= HEAD]
        if not touches(drawing.boxes[a], *start) or not any(touches(drawing.boxes[b], *tip) for tip in near):
            return False
    return True


@pytest.mark.parametrize("name", known_derivations())
def test_a_line_goes_from_each_thing_to_what_uses_it_and_nothing_lies_over_anything(name):
    if (found := drawn(name)) is None:
        return
    flow, drawing = found
    assert len(drawing.lines) == len(edges(flow)) >= 3
    assert joins_what_is_used(flow, drawing)
    shifted = (*drawing.lines[1:], drawing.lines[0])  # a planted error: each line belongs to the next use
    assert not joins_what_is_used(flow, replace(drawing, lines=shifted))
    for k, box in enumerate(drawing.boxes):
        assert 0 < box.x - box.width / 2 < box.x + box.width / 2 < drawing.width
        assert 0 < box.y - box.height / 2 < box.y + box.height / 2 < drawing.height
        for other in drawing.boxes[:k]:
            apart = abs(box.x - other.x) > (box.width + other.width) / 2 + 8
            assert apart or abs(box.y - other.y) > (box.height + other.height) / 2 + 8
        for run in (*box.letters, *box.small):
            assert box.x - box.width / 2 < run.x < box.x + box.width / 2
            assert box.y - box.height / 2 < run.y < box.y + box.height / 2


def test_no_line_runs_through_a_box():
    """The middle of a layer in between is passed where nothing stands."""
    for name in known_derivations():
        found = drawn(name)
        if found is None or not isinstance(found[0], Flow):
            continue
        flow, drawing = found
        for edge, path in zip(flow.edges, drawing.lines, strict=True):
            points = [tuple(map(float, p)) for p in re.findall(rf"[ M]({NUMBER}) ({NUMBER})(?=[CV]|$)", path)]
            for x, y in points[1:]:
                for k, box in enumerate(drawing.boxes):
                    if k not in (edge.start, edge.end):
                        assert abs(x - box.x) > box.width / 2 + 2 or abs(y - box.y) > box.height / 2 + 2


@pytest.mark.parametrize(("name", "language"), [("proof_softmax_saturation", "en"), ("explainer_models", "ja")])
def test_a_page_holds_the_drawing_once_and_says_it_in_words(name, language):
    derivation = load(name)[1]
    page = render(derivation, "html", language)
    (svg,) = SVG.findall(page)
    root = ElementTree.fromstring(svg)
    own = {e.get("id"): e.text for e in root.iter() if e.get("id")}
    assert own[root.get("aria-labelledby")] == {"en": "Data flow", "ja": "データの流れ"}[language]
    told = own[root.get("aria-describedby")]
    flow, drawing = drawn(name)
    if isinstance(flow, Flow):
        for edge in flow.edges:
            (sentence,) = re.findall(rf"(?:^|\. ){flow.nodes[edge.end].letter} is made from ([^.]*)\.", told)
            assert str(flow.nodes[edge.start].letter) in sentence.split(", ")
    else:
        for part in flow.parts:
            assert part.title is None or getattr(part.title, language) in told
        assert told.count("から求めます。") == len(
            {link.end for link in flow.links} | {k for k, p in enumerate(flow.parts) if p.given}
        )
    assert len(list(root.iter("rect"))) == len(drawing.boxes)
    assert not {"href", "src", "onload", "script", "image", "foreignObject", "use"} & {
        word for e in root.iter() for word in (e.tag, *e.attrib)
    }
    assert "url(" not in svg


def test_results_worksheets_texts_and_notebooks_are_without():
    derivation = load("explainer_chapter_4")[1]
    assert len(SVG.findall(render(derivation, "html"))) == 1
    for options in ({"detail": "results"}, {"detail": "problem"}, {"only": ("S",)}):
        assert SVG.findall(render(derivation, "html", **options)) == []
    assert all("<svg" not in render(derivation, form) for form in ("md", "txt", "tex"))


def test_letters_stand_as_katex_sets_them():
    """Widths from the tables of KaTeX 0.19: W 943, its slant 139, Q 791, an upright digit 500, a bracket 389 thousandths."""
    line = letter_line(r"{W_{Q}^{(1)}}", 10)
    assert [(r.text, r.kind, r.x, r.size) for r in line.runs] == [
        ("W", "i", 0, 10), ("Q", "i", 9.44, 7), ("(1)", "u", 10.83, 7),
    ]  # fmt: skip
    low, high = line.runs[1].y, line.runs[2].y
    assert high < 0 < low
    assert abs(line.width - (10.83 + 7 * (0.38889 * 2 + 0.5))) < 0.02
    prime = letter_line(r"\sigma^{\prime\prime}", 10)
    assert [r.text for r in prime.runs] == ["σ", "′′"]
    assert [(r.text, r.kind) for r in letter_line(r"\mathit{dW}_{\mathrm{new}}", 10).runs] == [
        ("dW", "i"),
        ("new", "u"),
    ]
    assert [(r.text, r.kind) for r in letter_line(r"\mathbf{Q}", 10).runs] == [("Q", "u b")]
    assert [r.text for r in letter_line(r"d\Lambda", 10).runs] == ["d", "Λ"]
    lines = listed(["A", "B", "C"], 10, 25)
    assert ["".join(r.text for r in x.runs) for x in lines] == ["A,B,", "C"]
    assert all(x.width <= 25 for x in lines)


def test_the_notation_of_an_author_is_drawn():
    A, B, C = matrix("A", 2, 2), matrix("W_B", 2, 2), matrix("C", 2, 2)
    derivation = derive({"Y": A @ B, "Z": (A @ B) @ C, "R": (A @ B) @ C + A})
    page = render(derivation, "html", notation=Notation(matrices="bold", labels="superscript"))
    (svg,) = SVG.findall(page)
    runs = re.findall(r'<tspan class="([^"]*)" x="[^"]*" y="([^"]*)" font-size="([^"]*)">([^<]*)<', svg)
    assert {kind for kind, _, size, text in runs if text in ("A", "C", "Y", "Z", "R")} == {"u b"}
    (low,) = [(float(y), float(size)) for _, y, size, text in runs if text == "B"]
    (letter,) = [(float(y), float(size)) for _, y, size, text in runs if text == "W"]
    assert low[0] < letter[0]
    assert low[1] < letter[1]


def test_titles_are_text():
    A = matrix("A", 1, 2)
    title = "</text><script>alert(1)</script>&{Q} \u202e"
    steps, names = {}, ["B", "C", "D", "E", "F"]
    X = A
    for name in names:
        X = X + A
        steps[name] = X
    sections = [Section(Words(f"{title} {k}", f"{title} {k}"), steps=(name,)) for k, name in enumerate(names)]
    derivation = derive(steps, values={A: [[1, 2]]}, sections=sections)
    page = render(derivation, "html")
    flow = next(b for b in compose(derivation).blocks if isinstance(b, (Flow, PartsFlow)))
    shown = HtmlPrinter("en", {}).block(flow)
    for text in (page, shown):
        (svg,) = SVG.findall(str(text))
        assert "script" not in {e.tag for e in ElementTree.fromstring(svg).iter()}
    assert SVG.findall(render(hostile(), "html")) == []
