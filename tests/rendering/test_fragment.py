"""A fragment holds the equations of the page, leaves nothing behind, and fits wherever it is read."""

import re

import pytest
from golden_cases import DERIVATIONS
from test_pages import chapter
from tex_runs import article, compiled, needs_tex

from symtransformer import render
from symtransformer.cli.derivations import load
from symtransformer.rendering.latex_fragment import _lines_of


def numbers(text):
    return re.findall(r"[0-9]+\.[0-9]+", text)


@pytest.mark.parametrize("name", DERIVATIONS)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_numbers_are_those_of_the_page(name, language):
    subject = DERIVATIONS[name]()
    page = render(subject, "tex", language, detail="entries").partition(r"\begin{document}")[2]
    fragment = render(subject, "tex-fragment", language, detail="entries")
    body = fragment.partition("\\jot=5pt\n")[2]
    assert body
    body = body.replace("}{%\n\\begin{tikzpicture}", "}\\begin{tikzpicture}")
    in_one = re.sub(r"\}\{%\n.*?\}\n(?=\n|\\symlines)", "}\n", body, flags=re.S)  # without the second form
    assert sorted(set(numbers(page))) == sorted(set(numbers(in_one)))


def test_there_is_no_preamble_and_every_command_is_in_a_group():
    fragment = render(chapter(), "tex-fragment")
    lines = [line for line in fragment.splitlines() if not line.startswith("%")]
    assert lines[0] == r"\begingroup"
    assert lines[-1] == r"\endgroup"
    assert not re.search(r"\\(documentclass|usepackage|begin\{document\}|newcommand|gdef|global)", "\n".join(lines))
    assert "amsmath, amssymb, booktabs, graphicx, xcolor" in fragment


CLASSES = [
    (r"\documentclass{article}", "", ""),
    (r"\documentclass[twocolumn]{article}", "", ""),
    (r"\documentclass{beamer}", r"\begin{frame}[allowframebreaks=0.8]{A}", r"\end{frame}"),
]


@needs_tex
@pytest.mark.parametrize("engine", ["lualatex", "pdflatex"])
@pytest.mark.parametrize(("head", "before", "behind"), CLASSES, ids=["article", "columns", "slides"])
def test_it_is_set_in_any_class(tmp_path, head, before, behind, engine):
    (tmp_path / "fragment.tex").write_text(render(DERIVATIONS["with_tables"](), "tex-fragment"), "utf-8")
    body = rf"{before}\def\followed{{mine}}\input{{fragment}}\followed{behind}"
    code, log, words = compiled(tmp_path, article(body, head), engine)
    assert code == 0, log[-800:]
    assert not re.search(r"Overfull \\hbox", log)
    assert "mine" in words  # the author's own command of that name is as it was


@needs_tex
def test_a_wide_matrix_is_set_smaller(tmp_path):
    (tmp_path / "fragment.tex").write_text(render(DERIVATIONS["wide"](), "tex-fragment"), "utf-8")
    code, log, _ = compiled(tmp_path, article(r"\input{fragment}", r"\documentclass[twocolumn]{article}"))
    assert code == 0, log[-800:]
    assert "Overfull" not in log
    planted = article(r"\hbox to \linewidth{\hskip 2\linewidth}")
    assert "Overfull" in compiled(tmp_path, planted)[1]  # the check can fail


@needs_tex
@pytest.mark.slow
def test_a_drawing_too_large_for_a_slide_is_left_out_with_its_words(tmp_path):
    (tmp_path / "fragment.tex").write_text(render(load("explainer_models")[1], "tex-fragment"), "utf-8")
    for head, before, behind in CLASSES[::2]:
        code, log, words = compiled(tmp_path, article(rf"{before}\input{{fragment}}{behind}", head))
        assert code == 0, log[-800:]
        assert ("How the parts of this page" in words) is ("article" in head)
        assert "A layer of the encoder" in words


def test_a_numbered_line_has_a_second_form_for_narrow_places():
    fragment = render(load("proof_softmax_gradient")[1], "tex-fragment")
    displays = [text.partition("}\n")[0] for text in fragment.split("\\symlines{%\n") if text.startswith("(")]
    forms = [display.split("}{%\n") for display in displays if "}{%\n" in display]
    assert len(forms) > 5
    for wide, narrow in forms:
        assert narrow.count("&") > wide.count("&")
        assert re.sub(r"\s|&|\\\\\*|\\quad", "", wide) == re.sub(r"\s|&|\\\\\*|\\quad", "", narrow)


def test_a_box_holds_few_lines_of_matrices():
    fragment = render(DERIVATIONS["masked_attention"](), "tex-fragment")
    boxes = re.findall(r"\}\{%\n(.*?)\}\n", fragment, re.DOTALL)
    several = [box for box in boxes if box.count("\\operatorname") + box.count(" &=") > 2]
    assert all(sum(_lines_of(row) for row in box.split("\\\\*\n")) <= 12 for box in several)
    assert _lines_of(r"A \begin{bmatrix}1 \\ 2 \\ 3\end{bmatrix} \begin{bmatrix}1 \\ 2\end{bmatrix}") == 3
    assert _lines_of("A B") == 1
