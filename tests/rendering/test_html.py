"""Pages for a browser: nothing outside of the file, nothing that runs but what is named, every word as text."""

import base64
import hashlib
import json
import random
import re
from functools import cache
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from golden_cases import (
    DERIVATIONS,
    hostile,
    letters_only,
    masked_attention,
    refuted,
    two_heads,
    unverified,
    with_tables,
)

from symtransformer import Section, Words, derive, matrix, render, verify
from symtransformer.chosen_notation import Notation
from symtransformer.cli.derivations import load
from symtransformer.operations import Softmax
from symtransformer.rendering import page_live, page_trace, render_glossary
from symtransformer.rendering.compose import compose
from symtransformer.rendering.html_fragment import html_fragment

ASSETS = files("symtransformer.rendering") / "assets"
VOID = {"meta", "input", "br", "link", "img"}
ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "a", "header", "h1", "h2", "h3", "nav", "details", "summary", "ol", "li",
    "main", "section", "p", "span", "div", "table", "caption", "thead", "tbody", "tr", "th", "td", "em", "aside", "button",
    "script", "input", "fieldset", "legend", "figure", "figcaption",
    "svg", "desc", "g", "use", "path", "rect", "text", "tspan",
}  # fmt: skip


class Reading(HTMLParser):
    """The elements of a page, checked to be closed in order; its text without scripts and styles."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.texts, self.scripts = [], [], [], []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)
        elif not self.open or self.open[-1] != "style":
            self.texts.append(data)

    @property
    def text(self):
        return "".join(self.texts)


@cache
def chapter(language="en"):
    return render(verify(load("explainer_chapter_4")[1]), "html", language)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_page_is_one_file_below_a_megabyte_that_asks_for_nothing(language):
    page = chapter(language)
    assert len(page.encode()) < 1_000_000
    reading = Reading(page)
    assert {tag for tag, _ in reading.elements} <= ALLOWED
    assert all(not {"src", "srcset", "action", "background", "poster"} & set(attrs) for _, attrs in reading.elements)
    assert all(attrs["href"].startswith("#") for tag, attrs in reading.elements if "href" in attrs)
    assert set(re.findall(r"url\((.{5})", page)) == {"data:"}
    assert "@import" not in page


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_page_can_be_walked_through_without_seeing_it(language):
    reading = Reading(chapter(language))
    tags = [tag for tag, _ in reading.elements]
    assert ("html", {"lang": language}) in reading.elements
    assert [tags.count(tag) for tag in ("main", "h1", "header")] == [1, 1, 1]
    assert tags.count("title") == 1 + tags.count("svg") == 2  # the page's, and that of its drawing
    labels = {attrs["aria-labelledby"] for tag, attrs in reading.elements if tag == "section"}
    assert len(labels) == tags.count("section") > 5
    ids = [attrs["id"] for _, attrs in reading.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert labels <= set(ids)
    assert all(attrs.get("scope") in ("row", "col") for tag, attrs in reading.elements if tag == "th")
    assert all(attrs.get("aria-label") for tag, attrs in reading.elements if tag == "input")


def test_only_the_scripts_that_are_named_may_run():
    page = chapter()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; font-src data:; script-src 'sha256-")
    assert "unsafe-eval" not in policy
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    named = [f"'sha256-{base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()}'" for s in scripts]
    assert re.findall(r"'sha256-[^']*'", policy) == named
    assert all(
        word not in script for script in scripts[1:] for word in ("eval(", "innerHTML", "fetch(", "document.write")
    )


def test_what_is_vendored_is_what_the_readme_says():
    lines = re.findall(r"^([0-9a-f]{64})  (\S+)$", (ASSETS / "katex" / "README.md").read_text("utf-8"), re.MULTILINE)
    assert {name for _, name in lines} == {
        "LICENSE", "katex.min.js", "katex.min.css", *(f"fonts/{path.name}" for path in (ASSETS / "katex" / "fonts").iterdir()),
    }  # fmt: skip
    for digest, name in lines:
        assert hashlib.sha256((ASSETS / "katex" / name).read_bytes()).hexdigest() == digest


def test_without_scripts_the_text_notation_is_read():
    text = re.sub(r"\s+", " ", Reading(chapter()).text)
    for part in (
        "= softmax(S)",
        "≈ divide([[1, 2.0281], [2.0281, 1.4241]], [[3.0281], [3.4522]])",
        "sqrt(2)/2",
        "58.7%",
    ):
        assert part in text


@pytest.mark.parametrize("name", sorted(DERIVATIONS))
@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_small_page_is_well_formed(name, language):
    for detail in ("steps", "entries", "problem"):
        reading = Reading(render(DERIVATIONS[name](), "html", language, detail=detail))
        assert {tag for tag, _ in reading.elements} <= ALLOWED


def test_verdicts_are_said():
    assert "This step has not been verified." in Reading(render(unverified(), "html")).text
    page = render(refuted(), "html")
    assert "This step is NOT true" in Reading(page).text
    for language, words in (("en", "A step of this page is not true"), ("ja", "正しくない段階があるため")):
        assert Reading(render(refuted(), "html", language)).text.count(words) == 1
        assert words not in render(letters_only(), "html", language)
        assert words not in render(masked_attention(), "html", language)
    assert "PROGRAMS" not in page  # nothing is computed from what is not true
    assert "PROGRAMS" not in render(letters_only(), "html")
    assert all("PROGRAMS" in render(build(), "html") for build in (masked_attention, two_heads, with_tables))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_worksheet_takes_other_numbers_and_holds_no_answers(language):
    page = render(with_tables(), "html", language, detail="problem")
    data = json.loads(re.search(r'id="data">(.*?)</script>', page)[1])
    letters = {x.name for x in with_tables().derivation.inputs}
    assert len(data["numbers"]) == len(data["cells"])  # of all numbers only the inputs are computed again
    assert len(letters) == len(re.findall("<fieldset>", page))
    assert re.sub(r"\s+", " ", Reading(page).text).count(BLANKS[language]) == 1
    assert "0.2689" not in page
    blank = [table for table in re.findall(r"<table.*?</table>", page, re.DOTALL) if 'class="blank"' in table]
    assert len(blank) > 1
    assert all("of-printed" not in table for table in blank)  # a blank says nothing of the original numbers


BLANKS = {"en": "the worksheet then asks about your numbers", "ja": "その数についての問題になります"}


@pytest.mark.parametrize(("language", "words"), [("en", "too much arithmetic"), ("ja", "計算の量が多いため")])
def test_a_page_whose_results_would_not_all_follow_offers_no_change(language, words, monkeypatch):
    A, B = matrix("A", 2, 3), matrix("B", 3, 2)
    derivation = derive(Softmax(A @ B), values={A: [[1, 2, 3], [4, 5, 6]], B: [[1, 0], [0, 1], [1, 1]]})
    assert words not in render(derivation, "html", language)
    monkeypatch.setattr(page_trace, "OPERATIONS_AT_MOST", 36)  # enough for the product, and not for softmax
    page = render(derivation, "html", language)
    assert Reading(page).text.count(words) == 1
    assert "<input" not in page


@pytest.mark.parametrize(
    ("language", "words"), [("en", "The inputs hold 6 numbers"), ("ja", "入力の数が 6 個あるため")]
)
def test_a_page_with_too_many_inputs_says_so_beside_them(language, words, monkeypatch):
    monkeypatch.setattr(page_live, "CELLS_AT_MOST", 5)
    A = matrix("A", 2, 3)
    page = render(derive(A.T, values={A: [[1, 2, 3], [4, 5, 6]]}), "html", language)
    assert Reading(page).text.count(words) == 1
    assert "<input" not in page


def test_the_notation_of_an_author_is_in_the_scripts_too():
    page = render(masked_attention(), "html", notation=Notation(decimal=","))
    assert '"decimal":","' in page
    assert "0{,}" in page


PARTS = (
    "<script>alert(1)</script>", "</script>", "<!--", "-->", "]]>", "<![CDATA[", "&amp;", "&", "'", '"', "`", "${x}", "\u202e", "\u2066",
    "\u200b", "\x00", "\x1b[31m", "<img src=x onerror=alert(1)>", r"\href{javascript:alert(1)}{x}", r"\htmlData{a=b}{x}", "$", "\\", "{Q}",
    "{{ 7*7 }}", "{% raw %}", "</style>", "</textarea>", "javascript:", " onload=alert(1) ", "\ue0003\ue001", "猫", "é", "é", "𑶠", "<",
    r"\input{x}", "#", "%", "~", "^", "_", "x" * 300, "\n\n", "\u2028",
)  # fmt: skip


def test_two_hundred_hostile_names_are_text():
    """They appear as they are (without control characters), and add no element, no attribute and no script."""
    chance = random.Random(9)
    names = ["".join(chance.choice(PARTS) for _ in range(chance.randint(1, 5))) + f" {k}" for k in range(200)]
    X, W = matrix("X", 20, 1), matrix("W", 1, 2)
    plain = None
    for start in range(0, 200, 20):
        own = names[start : start + 20]
        for labels in ([f"label {k}" for k in range(20)], own) if plain is None else (own,):
            words = [Words(text, text) for text in labels]
            sections = [Section(words[0], words[1], inputs=("X", "W"), steps=("Y",), percent=("Y",), heat=("Y",))]
            values = {X: [[k] for k in range(20)], W: [[0.5, -1]]}
            derivation = derive(X @ W, title=words[2], values=values, labels={20: words}, sections=sections)
            page = render(derivation, "html", command=f"--x {labels[3]}")
            reading = Reading(page)
            found = [(tag, sorted(attrs)) for tag, attrs in reading.elements if tag not in ("span",)]
            if labels is not own:
                plain = found
                continue
            assert found == plain
            assert len(reading.scripts) == 10
            visible = ["".join(c if c.isprintable() else " " if c.isspace() else "" for c in text) for text in own]
            for text in visible[2:]:
                assert text.strip() in reading.text


def test_the_check_sees_an_unescaped_name():
    page = chapter().replace("<title>", "<title></title><img src=x onerror=alert(1)><title>")
    assert {tag for tag, _ in Reading(page).elements} - ALLOWED == {"img"}
    with pytest.raises(AssertionError):
        Reading(chapter().replace("</main>", "</script></main>"))


def test_tables_hold_words_letters_and_numbers():
    """Numbers stand there as they are, with a true minus; only a letter is a formula."""
    page = render(with_tables(), "html")
    table = next(
        t for t in re.findall(r"<table.*?</table>", page, re.DOTALL) if "What <span" in t and "component</th>" in t
    )
    assert re.findall(r"<th scope=\"col\"[^>]*>(.*?)</th>", table) == ["component", "before", "after", "effect"]
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in table.split("<tr>")[1:]]
    letter = '<span class="m" data-tex="f_{12}">f_12</span>'
    assert [letter, "−0.75", "0", "set to 0"] in rows


def test_a_fragment_has_no_script_and_leaves_formulas_to_the_page_around():
    subject = with_tables()
    derivation = subject.derivation
    letters = {x.name: x for x in derivation.inputs} | {s.name: s.letter for s in derivation.steps}
    fragment = html_fragment(compose(subject), "ja", letters)
    reading = Reading(fragment)
    assert "script" not in {tag for tag, _ in reading.elements}
    assert r"\(" in reading.text
    assert "data-tex" not in fragment
    assert Reading(html_fragment(compose(hostile()), "en", letters)).scripts == []


def test_pages_are_the_same_bytes_again():
    assert render(masked_attention(), "html") == render(masked_attention(), "html")
    assert render(verify(with_tables().derivation), "html", "ja") == render(with_tables(), "html", "ja")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_heading_has_a_place_of_its_own(language):
    """In the glossary no heading of an entry has a letter."""
    for page in (render_glossary("html", language).decode(), render(verify(load("two_layers")[1]), "html", language)):
        body = page[page.index("<body") :]
        places = re.findall(r'<[a-z0-9]+[^>]*\sid="([^"]*)"', body)
        assert len(places) > 10
        assert len(places) == len(set(places))


def test_a_greek_letter_among_words_is_mathematics_and_a_greek_word_is_not():
    A = matrix("A", 1, 1)
    text = Words("A small ε and λόγος, Σ_k", "小さな ε")
    page = render(derive(A + A, sections=[Section(text, text, steps=("Y",))]), "html")
    assert re.findall(r'data-tex="([^"]*)">(\w+)</span> and λόγος, Σ_k', page) == [(r"\epsilon", "epsilon")]
