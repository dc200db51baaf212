"""Where pages of LaTeX may end: not behind a heading or the words below it, and not beside a row that would stand alone."""

import re

import pytest
from tex_runs import compiled, needs_tex

from symtransformer import Section, Words, derive, matrix, render
from symtransformer.cli.derivations import load
from symtransformer.rendering.displays import with_joined_displays
from symtransformer.rendering.document import Chain, Document, Equations, Paragraph
from symtransformer.rendering.latex import LatexPrinter, _display
from symtransformer.rendering.latex_lines import together


def parted(rows, starts, **near):
    """The numbers of the rows in front of which a page may end."""
    text = together([f"r{k}" for k in range(rows)], starts, **near)
    assert re.findall("r[0-9]+", text) == [f"r{k}" for k in range(rows)]
    return [int(k) for k in re.findall(r"\\\\\nr([0-9]+)", text)]


def test_no_row_stands_alone():
    assert parted(5, {0}) == []
    assert parted(8, {0}) == [3, 4, 5]
    assert parted(10, {0, 4}) == [4, 6, 7]  # 3 and 5 would leave a row of an equation alone
    assert parted(7, {0, 4, 6}) == [4]
    assert parted(9, set(range(9))) == [3, 4, 5, 6]
    assert parted(4, {0, 1, 2, 3}, near=4) == []
    assert parted(4, {0, 1, 2, 3}, near=2) == [2]
    assert parted(1, {0}) == []


def test_what_a_step_uses_and_its_own_formula_are_one_display():
    words = [Words(letter, letter) for letter in "abcdef"]
    a, b, c, d, e, f = (Chain(word, (("=", word),)) for word in words)
    blocks = (
        Equations((a,)), Equations((b, c)), Paragraph(words[0]), Equations((d,)), Equations((e,), side_by_side=True),
        Equations((f,)),
    )  # fmt: skip
    document = Document(words[0], blocks, ())
    joined = (Equations((a, b, c)), *blocks[2:])
    assert with_joined_displays(document).blocks == joined
    page = LatexPrinter("en", {}).page(document)
    assert page.count(r"\begin{align*}") == 3
    assert "\\end{gather*}\n\\predisplaypenalty=0\n\\begin{align*}" in page  # nothing may stand in between


def test_tall_equations_may_be_parted():
    rows = "a &= b \\\\*\n&= c \\\\*\n&= d"
    assert _display([rows] * 3).count(" \\\\\n") == 2
    assert _display([rows] * 2).count(" \\\\\n") == 0
    assert _display(["a &= b", rows, rows]).count(" \\\\\n") == 0
    assert _display(["a &= b", rows, rows, rows]).count(" \\\\\n") == 1  # not beside the first


def section(number, words):
    told = None if words is None else Words(words, words)
    return Section(Words(f"Part {number}", f"第 {number} 部"), text=told, steps=(f"Y_{number}",))


def pages(sections):
    A = matrix("A", 2, 2)
    steps, power = {}, A
    for k in range(1, sections + 1):
        steps[f"Y_{k}"] = power = power @ A
    told = [section(k, f"About part {k}: " + "words that fill a line or two. " * 8) for k in range(1, sections + 1)]
    return derive(steps, sections=told)


def test_a_section_is_joined_to_its_first_step_by_its_words_only():
    page = render(load("explainer_chapter_4")[1], "tex")
    for before in page.split("\\joined\n\\subsection")[:-1]:
        words = before.rpartition(r"\section{")[2].partition("}\n")[2]
        assert words.strip()
        assert r"\begin{" not in words
        assert r"\subsection{" not in words
    assert page.count("\\joined\n\\subsection") == 5  # queries, scores, scaling, softmax, weighted sum
    assert "joined" not in render(load("proof_softmax_shift")[1], "txt")
    fragment = render(load("explainer_chapter_4")[1], "tex-fragment")
    assert "joined" not in fragment
    A = matrix("A", 2, 2)
    assert "joined" not in render(derive(A + A), "tex")  # nothing is said there


@needs_tex
@pytest.mark.slow
@pytest.mark.parametrize("count", [9])
def test_pages_end_behind_formulas(tmp_path, count):
    code, log, words = compiled(tmp_path, render(pages(count), "tex"))
    assert code == 0, log[-800:]
    shown = [[line for line in page.splitlines() if line.strip()] for page in words.split("\f") if page.strip()]
    assert len(shown) > 1
    for page in shown[:-1]:
        assert "=" in page[-2], page[-4:]  # above the number of the page stands a formula
    for page in shown[1:]:
        assert re.match(r"\s*[0-9.]+ +\S", page[0]), page[0]  # and a heading comes first
    plain = render(pages(count), "tex").replace("\\joined\n", "").replace(r"\interlinepenalty=10000", "")
    _, _, words = compiled(tmp_path, plain)
    shown = [[line for line in page.splitlines() if line.strip()] for page in words.split("\f") if page.strip()]
    assert not all("=" in page[-2] for page in shown[:-1])  # without the rule some page ends elsewhere
