"""Color on a terminal: the same text as the page, with escape sequences of color and nothing else around it."""

import re
import sys

import pytest
from golden_cases import with_tables

from symtransformer import render, verify
from symtransformer.cli.derivations import load

COLOR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(scope="module")
def chapter():
    return verify(load("explainer_chapter_4")[1])


@pytest.mark.parametrize("language", ["en", "ja"])
def test_without_its_color_it_is_the_text_page_but_for_the_box(chapter, language):
    plain, colored = render(chapter, "txt", language), render(chapter, "terminal", language)
    shown = COLOR.sub("", colored).split("\n")
    top = next(k for k, line in enumerate(shown) if line.startswith("┌"))
    title = shown[top + 1].removeprefix("│ ").removesuffix(" │")
    assert shown[top + 2] == shown[top].replace("┌", "└").replace("┐", "┘")
    rest = [*shown[:top], title, plain.split("\n")[[*plain.split("\n")].index(title) + 1], *shown[top + 3 :]]
    assert "\n".join(rest) == plain


def test_what_is_followed_and_nothing_else_of_the_mathematics_is_colored(chapter):
    lines = render(chapter, "terminal").split("\n")
    followed = [line for line in lines if COLOR.sub("", line).startswith("> ")]
    assert len(followed) > 20
    assert all(line.startswith("\x1b[1;36m> ") and line.endswith("\x1b[0m") for line in followed)
    assert not any(COLOR.search(line) for line in lines if COLOR.sub("", line).startswith("  "))


def test_tables_and_shades_are_those_of_the_text_page():
    page = with_tables()
    colored = render(page, "terminal").split("\n")
    plain = render(page, "txt").split("\n")
    shades = plain.index("A in shades of gray (rows: queries, columns: keys)")
    start = [COLOR.sub("", line) for line in colored].index(plain[shades])
    assert [COLOR.sub("", line).rstrip() for line in colored[start:]] == plain[shades:]
    followed = [line for line in colored[start:] if COLOR.search(line)]
    assert followed[0].startswith("\x1b[1;36m> sleeps  0.6157 ▓")
    assert not COLOR.search(colored[start + 2])  # cat


@pytest.mark.parametrize(
    ("terminal", "setting", "dumb", "colored"),
    [(True, "", "xterm", True), (True, "1", "xterm", False), (True, "", "dumb", False), (False, "", "xterm", False)],
)
def test_color_is_for_terminals_that_want_it(small, terminal, setting, dumb, colored, monkeypatch, capsys):
    from symtransformer import cli

    monkeypatch.setenv("NO_COLOR", setting)
    monkeypatch.setenv("TERM", dumb)
    monkeypatch.setattr(sys, "argv", ["symtransformer", "show", str(small)])
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 0
    assert bool(COLOR.search(capsys.readouterr().out)) == colored


def test_color_that_is_asked_for_is_kept_in_a_pipe(command, small):
    assert COLOR.search(command("show", small, "--format", "terminal")[1])


def test_names_cannot_color_or_move_anything():
    from symtransformer import Words, derive, matrix
    from symtransformer.operations import Softmax

    S = matrix("S", 1, 2)
    hostile = Words("\x1b[2J\x1b]0;x\x07red\x1b[31m", "\x1b[2J赤\x9b31m")
    page = render(verify(derive(Softmax(S), values={S: [[0, 1]]}, title=hostile)), "terminal")
    assert "\x1b" not in COLOR.sub("", page)
    assert "\x1b[31m" not in page
    assert "\x1b[2J" not in page
