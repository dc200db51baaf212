"""A template of one's own places the blocks, and can do nothing else; what is wrong in it is told with its line."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from test_pages import chapter
from tex_runs import compiled, needs_tex

from symtransformer import render
from symtransformer.cli.commands import cli
from symtransformer.errors import UnreadableInput
from symtransformer.rendering import OwnTemplate

MINE = r"""\VAR{comment}
\documentclass[twoside]{report}
\VAR{packages}
\VAR{definitions}
\begin{document}
\chapter{\VAR{title}}
\BLOCK{for block in blocks if "Notation" not in block}
\VAR{block}
\BLOCK{endfor}
\end{document}
"""


def test_blocks_stand_where_the_template_wants_them():
    page = render(chapter(), "tex", template=OwnTemplate(MINE))
    usual = render(chapter(), "tex")
    assert r"\chapter{One attention head, row by row}" in page
    assert r"\section{Notation}" in usual
    assert r"\section{Notation}" not in page
    assert r"\newcommand{\followed}" in page
    display = usual.split(r"\section{Scores}")[1].split(r"\begin{align*}")[1].split(r"\end{align*}")[0]
    assert display in page


@needs_tex
def test_the_page_compiles(tmp_path):
    code, log, words = compiled(tmp_path, render(chapter(), "tex", template=OwnTemplate(MINE)))
    assert code == 0, log[-800:]
    assert "One attention head, row by" in words


@needs_tex
@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_template_of_the_readme_sets_both_languages(tmp_path, language):
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    template = readme.partition("```tex\n\\VAR{comment}")[2].partition("```")[0]
    page = render(chapter(), "tex", language, template=OwnTemplate("\\VAR{comment}" + template))
    code, log, words = compiled(tmp_path, page, "lualatex")
    assert code == 0, log[-800:]
    assert "Missing character" not in log
    assert {"en": "Weighted sum", "ja": "係数"}[language] in words


@needs_tex
def test_a_character_that_no_font_has_is_told(tmp_path):
    page = render(chapter(), "tex").replace("Queries", "Queries \u0628")
    assert "Missing character" in compiled(tmp_path, page, "lualatex")[1]
    assert "\\tracinglostchars=2" in page


def test_other_text_formats_take_one_and_html_says_that_it_does_not():
    plain = OwnTemplate("\\VAR{title}\n\\BLOCK{for block in blocks}\n* \\VAR{block}\n\\BLOCK{endfor}\n")
    for form in ("txt", "md", "typ", "tex-fragment"):
        assert "One attention head, row by row\n* " in render(chapter(), form, template=plain)
    for form in ("html", "texmacros"):
        with pytest.raises(UnreadableInput, match="has no place for one"):
            render(chapter(), form, template=plain)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("a\n\\VAR{titel}\n", 2, "'titel' is undefined"),
        ("a\nb\n\\BLOCK{for x in blocks}\n", 3, "Unexpected end of template"),
        ("\\VAR{title.__class__}", 1, "unsafe"),
        ("\n\\VAR{title.__class__.__mro__[1].__subclasses__()}", 2, "unsafe"),
        ("\\VAR{blocks.__len__()}", 1, "unsafe"),
        ("\\VAR{''.__class__}", 1, "unsafe"),
        ("\\VAR{title.format.__globals__}", 1, "unsafe"),
        ("\\VAR{'{0.__class__}'.format(title)}", 1, "unsafe"),
        ("\\VAR{cycler.__init__.__globals__.os}", 1, "unsafe"),
        ("\n\n\\BLOCK{include '/etc/passwd'}", 3, "/etc/passwd"),
        ("\\BLOCK{extends 'page.tex.j2'}", 1, "page.tex.j2"),
        ("\\VAR{range(10000000)}", 1, "too big"),
        ("x\n\\VAR{1 // 0}", 2, "by zero"),
        ("x\n\\VAR{blocks[9999].x}", 2, "tuple object has no element 9999"),
        ("\\VAR{title|nofilter}", 1, "nofilter"),
    ],
)
def test_what_is_wrong_is_told_in_one_line_with_its_place(text, line, said):
    with pytest.raises(UnreadableInput) as caught:
        render(chapter(), "tex", template=OwnTemplate(text, "mine.tex"))
    message = str(caught.value)
    assert message.startswith(f"mine.tex, line {line}: ")
    assert said in message
    assert "\n" not in message


def test_the_command_line_takes_a_file(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.tex").write_text(MINE, "utf-8")
    arguments = ["show", "explainer_chapter_4", "--format", "tex", "--template", "mine.tex"]
    shown = CliRunner().invoke(cli, arguments)
    assert shown.exit_code == 0
    assert r"\chapter{" in shown.output
    assert "--template mine.tex" in shown.output
    assert "no such file" in str(CliRunner().invoke(cli, [*arguments[:-1], "none.tex"]).exception).lower()
