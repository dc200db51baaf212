"""Nobody's text gets out of a report: no escape of a terminal, no markup, no comment that ends early."""

import json
import re
import unicodedata

import check_report_cases as cases
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symtransformer.rendering.check_report import REPORT_FORMATS
from symtransformer.rendering.check_report import render_report as shown


def is_harmless(page, allowed="\n"):
    return all(c in allowed or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for c in page)


@pytest.mark.parametrize("text", cases.HOSTILE, ids=ascii)
@pytest.mark.parametrize("form", REPORT_FORMATS)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_hostile_texts_are_shown_and_do_nothing(form, language, text):
    report = cases.hostile(text)
    page = shown(report, form, language, everything=True, strict=True)
    # an annotated document keeps what is only not seen; it must be a text all the same
    assert is_harmless(page, "\n\r\u200b\ufeff" if form == "annotated" else "\n")
    page.encode("utf-8")
    if form == "lines":
        assert page.count("\n") == 3
    if form == "json":
        data = json.loads(page)
        assert data["files"][0]["file"] == f"a{text}.md"
        assert data["files"][0]["equations"][1]["text"] == text


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40) | st.text("`|\\<>-[]()*_#\n\x1b\u202e 0.5,", max_size=20))
def test_any_text_gives_a_report_in_every_format(text):
    report = cases.hostile(text)
    for form in REPORT_FORMATS:
        page = shown(report, form, "ja", everything=True)
        page.encode("utf-8")
        if form != "annotated":
            assert is_harmless(page)
    assert shown(report, "lines").count("\n") == 3
    assert json.loads(shown(report, "json"))["files"][0]["equations"][1]["text"] == text
    outside_code(shown(report, "markdown"))


def test_what_looks_for_harm_finds_it():
    for text in ("\x1b[31m", "\u202e", "\x9b", "\ud83d", "\x00", "a\tb"):
        assert not is_harmless(text)
    assert outside_code("a `b` <i>\n```\n<b>\n```\n") == "a CODE <i>\n"
    with pytest.raises(AssertionError):
        outside_code("```\nnever closed")


def outside_code(page):
    """A Markdown page without its fenced blocks and spans of code."""
    kept, fence = [], ""
    for line in page.split("\n"):
        ticks = re.match(r"`{3,}", line)
        if fence:
            if line == fence:
                fence = ""
            continue
        if ticks:
            fence = ticks.group()
            continue
        kept.append(re.sub(r"(?<![`\\])(`+)(?!`)(.+?)(?<!`)\1(?!`)", "CODE", line))
    assert fence == ""
    return "\n".join(kept)


@pytest.mark.parametrize("text", cases.HOSTILE, ids=ascii)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_markdown_shows_no_markup_of_others(text, language):
    page = outside_code(shown(cases.hostile(text), "markdown", language, everything=True))
    for sign in r"<>[]`$~":
        assert not re.search(rf"(?<!\\){re.escape(sign)}", page.replace("<!-- -->", "")), (sign, page)
    assert not re.search(r"@\w|#\d|https?://|www\.", page)
    heads = [line for line in page.split("\n") if line.startswith("#")]
    assert len(heads) == 5
    rows = [line for line in page.split("\n") if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {4}


def test_a_comment_cannot_be_left():
    for text in cases.HOSTILE:
        page = shown(cases.hostile(text), "annotated", everything=True)
        for line in page.splitlines():
            if line.startswith("<!--") and "^" in line:
                assert line.index("-->") == len(line) - 3
                assert "--" not in line[4:-3]
