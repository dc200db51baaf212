"""All worked derivations as PDF, in both languages: their numbers, their margins, the starts of their lines."""

from __future__ import annotations

import re

import pytest
from pdf_reading import starts_of_text, text_of

from symtransformer.cli.derivations import known_derivations, load
from symtransformer.judge import verify
from symtransformer.rendering import render, render_file
from symtransformer.rendering.text import NEVER_FIRST

NUMBER = re.compile(r"\d+\.\d+")
WIDTH, HEIGHT, SIDE, ABOVE, BELOW = 595.28, 841.89, 68.0, 66.0, 34.0  # points; the page number stands in the margin
JAPANESE_FIRST = set(NEVER_FIRST) - set(",.:;!?)]}")
PAIRS = [(name, language) for name in known_derivations() for language in ("en", "ja")]


def outside(places):
    """What begins beyond the margins; a bracket of Japanese text is half empty, and may begin in front of them."""
    return [
        (page, x, y) for page, x, y in places
        if not (SIDE - 6 <= x <= WIDTH - SIDE and BELOW <= y <= HEIGHT - ABOVE + 1)
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("name", "language"), PAIRS)
def test_a_page_shows_all_numbers_between_its_margins(name, language):
    subject = verify(load(name)[1])
    content = render_file(subject, "pdf", language)
    lines = render(subject, "txt", language).splitlines()
    shown = set(NUMBER.findall("\n".join(line for line in lines if not re.match("#|Shades:|濃淡：", line))))
    text = text_of(content)
    assert not shown - set(NUMBER.findall(text))
    assert not outside(starts_of_text(content))


def test_margins_are_looked_at():
    assert outside([(0, 20.0, 400.0), (0, 100.0, 10.0), (0, 590.0, 400.0), (1, 100.0, 400.0)]) == [
        (0, 20.0, 400.0), (0, 100.0, 10.0), (0, 590.0, 400.0),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["explainer_chapter_4", "proof_query_key_index"])
def test_no_line_of_japanese_begins_with_what_must_not_stand_there(name):
    lines = text_of(render_file(verify(load(name)[1]), "pdf", "ja")).splitlines()
    assert len(lines) > 60
    assert not [line for line in lines if line.strip()[:1] in JAPANESE_FIRST and line.strip()]
