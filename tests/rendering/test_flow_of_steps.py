"""The drawing of a derivation: what uses what, nothing over anything else; and the whole as one formula."""

import re
from itertools import pairwise

import pytest
from test_pages import chapter
from tex_runs import article, compiled, needs_tex

from symtransformer import derive, dimension, matrix, render, verify
from symtransformer.cli.derivations import known_derivations, load
from symtransformer.operations import ScaledDotProductAttention, Softmax
from symtransformer.reading import read_expression
from symtransformer.rendering.flow import flow_of

n, m, d, d_k, d_v = map(dimension, ("n", "m", "d", "d_k", "d_v"))


def head():
    X, W_Q, W_K, W_V = matrix("X", n, d), matrix("W_Q", d, d_k), matrix("W_K", d, d_k), matrix("W_V", d, d_v)
    return derive(
        {"Q": (Q := X @ W_Q), "K": (K := X @ W_K), "V": (V := X @ W_V), "Z": ScaledDotProductAttention(Q, K, V)}
    )


def arrows(flow):
    names = [str(node.letter) for node in flow.nodes]
    return {(names[edge.start], names[edge.end]) for edge in flow.edges}


def shown(derivation):
    sections = derivation.sections
    return [name for s in sections for name in s.steps] if sections else [step.name for step in derivation.steps]


def test_arrows_go_from_what_is_used_to_what_uses_it():
    flow = flow_of(head(), shown(head()))
    assert arrows(flow) == {
        ("X", "Q"), ("X", "K"), ("X", "V"), ("Q", "S"), ("K", "S"), ("S", "A"), ("A", "Z"), ("V", "Z"),
    }  # fmt: skip
    asides = {str(node.letter): [str(x) for x in node.aside] for node in flow.nodes if node.aside}
    assert asides == {"Q": ["W_Q"], "K": ["W_K"], "V": ["W_V"]}
    assert [str(node.letter) for node in flow.nodes if not node.is_step] == ["X"]


@pytest.mark.parametrize("name", known_derivations())
def test_every_drawing_is_a_graph_in_layers(name):
    derivation = load(name)[1]
    flow = flow_of(derivation, shown(derivation))
    if flow is None:
        return
    places = [(node.x, node.y) for node in flow.nodes] + [place for edge in flow.edges for place in edge.through]
    assert len(set(places)) == len(places)  # nothing stands over anything else
    for edge in flow.edges:
        a, b = flow.nodes[edge.start], flow.nodes[edge.end]
        path = [(a.x, a.y), *edge.through, (b.x, b.y)]
        assert all(later[0] - earlier[0] == 1 for earlier, later in pairwise(path))
        used = {str(x) for x in derivation[b.letter.name].expression.atoms(type(a.letter))}
        assert str(a.letter) in used
    drawn = {str(node.letter) for node in flow.nodes} | {str(x) for node in flow.nodes for x in node.aside}
    for node in flow.nodes:
        if node.is_step:
            letters = derivation[node.letter.name].expression.atoms(type(node.letter))
            assert {str(x) for x in letters} <= drawn


def test_at_least_one_derivation_is_drawn_and_one_is_too_large():
    drawn = [name for name in known_derivations() if flow_of(load(name)[1], shown(load(name)[1])) is not None]
    assert "explainer_chapter_4" in drawn
    assert "backpropagation_layer" not in drawn
    assert flow_of(derive(Softmax(matrix("S", n, m))), ["Y"]) is None


def group(text, command):
    """Where the argument of a command begins and ends."""
    start = text.index(command) + len(command) + 1
    end, depth = start, 1
    while depth:
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    return start, end - 1


def as_read(text):
    """A formula without what only makes room in it."""
    while r"\vphantom" in text:
        _, end = group(text, r"\vphantom")
        text = text[: text.index(r"\vphantom")] + text[end + 1 :]
    while r"\smash" in text:
        start, end = group(text, r"\smash")
        text = text[: text.index(r"\smash")] + text[start:end] + text[end + 1 :]
    return text


def test_brackets_of_the_summary_are_as_high_as_what_they_hold():
    page = render(verify(head()), "tex")
    (line,) = [line for line in page.splitlines() if "underbrace" in line]
    start, end = group(line, r"\left(\vphantom")
    assert line[start:end] == r"\frac{Q K^{\mathsf T}}{\sqrt{d_{k}}}"  # without the name below it


def test_no_line_runs_across_a_box():
    page = render(chapter(), "tex")
    drawn = re.findall(r"\\draw\[->\] (.*);", page)
    assert len(drawn) > 10
    place = r"\(-?[0-9.]+,(-?[0-9.]+)\)"
    turn = re.escape("to[out=0,in=180]")
    for line in drawn:  # curves lie between layers; a layer is crossed straight on
        assert re.fullmatch(rf"\(n\d+\.east\)(?: {turn} {place} -- {place})* {turn} \(n\d+\.west\)", line), line
        heights = re.findall(place, line)
        assert heights[::2] == heights[1::2]


def test_the_summary_is_the_formula_of_the_result():
    page = render(verify(head()), "tex")
    (line,) = [line for line in page.splitlines() if "underbrace" in line]
    assert line.startswith("Z = ")
    assert r"_{\textstyle S}" in line
    assert r"_{\textstyle A}" in line
    plain = as_read(line.removeprefix("Z = "))
    while r"\underbrace" in plain:
        plain = re.sub(
            r"\\underbrace\{((?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)\}_\{\\textstyle [^{}]*\}",
            r"(\1)",
            plain,
        )
    sizes = {"X": "n d", "Q": "n d_k", "K": "n d_k", "W_V": "d d_v"}  # with X W_Q for Q it would not fit into a line
    expected = read_expression("softmax(Q K^T / sqrt(d_k)) (X W_V)", shapes=sizes).expression
    assert read_expression(plain, shapes=sizes).expression is expected


def test_other_targets_draw_nothing_and_stay_as_they_were():
    for form in ("txt", "md", "html", "typ"):
        assert "tikz" not in render(chapter(), form)
        assert "_{\\textstyle" not in render(chapter(), form)


def test_results_worksheets_and_single_steps_have_no_drawing():
    assert "tikzpicture" in render(chapter(), "tex")
    for options in ({"detail": "results"}, {"detail": "problem"}, {"only": ("S",)}, {"row": 1}):
        assert "tikz" not in render(chapter(), "tex", **options)


@needs_tex
@pytest.mark.parametrize("engine", ["lualatex", "pdflatex"])
def test_a_reference_to_a_step_is_its_number(tmp_path, engine):
    page = render(chapter(), "tex").replace(r"\end{document}", r"See \ref{step:S}. \end{document}")
    compiled(tmp_path, page, engine)
    code, log, words = compiled(tmp_path, page, engine)
    assert code == 0, log[-800:]
    number = re.search(r"([0-9]+\.[0-9]+)\s+\S+\s+Scaled scores", words)[1]
    assert f"See {number}." in words
    assert "undefined" in compiled(tmp_path, article(r"See \ref{step:none}."), engine)[1]


def test_every_label_stands_once():
    twice = 0
    for name in ("proof_query_key_index", "explainer_chapter_4"):
        derivation = load(name)[1]
        page = render(derivation, "tex")
        labels = re.findall(r"\\label\{([^}]*)\}", page)
        assert len(set(labels)) == len(labels)
        twice += len(shown(derivation)) - len(set(shown(derivation)))
    assert twice  # of steps that stand on a page again
