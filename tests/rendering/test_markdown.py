"""Markdown pages: words stay words in every renderer, formulas only use what KaTeX, MathJax and code hosts know."""

import html
import re
from dataclasses import replace
from html.parser import HTMLParser

import golden_cases
import pytest
from hostile_names import NAMES

from symtransformer import Section, Words, check, derive, differentiate, dimension, matrix, render, verify
from symtransformer.index_notation import index_form
from symtransformer.operations import Softmax
from symtransformer.rendering.markdown_text import (
    at_the_start,
    escape,
    escape_where_dollars_are_searched,
    in_math,
)
from symtransformer.rendering.visible import visible

MarkdownIt = pytest.importorskip("markdown_it").MarkdownIt
PROFILES = ("md", "md-github", "md-jupyter")
MATH = re.compile(
    r"^\$\$\n.*?\n\$\$$|^```math\n.*?\n```$|^\\begin\{align\*\}.*?\\end\{align\*\}$|(?<!\\)\$`[^`]*`\$|(?<!\\)\$[^$]*(?<!\\)\$",
    re.DOTALL | re.MULTILINE,
)


class Seen(HTMLParser):
    """Tags and text of a page; comments are not seen."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.text = [], ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, *attributes))

    def handle_data(self, text):
        self.text += text


def markdown(dialect="commonmark"):
    if dialect == "commonmark":
        return MarkdownIt("commonmark", {"html": True}).enable("table")
    parser = MarkdownIt("gfm-like", {"html": True, "linkify": True})
    parser.linkify.set({"fuzzy_link": False})  # code hosts link www. and http://, and no bare name with a dot
    return parser


def formulas(page):
    """Every formula with what fences it off."""
    return MATH.findall(re.sub(r"^<!--.*?-->$", "", page, flags=re.DOTALL | re.MULTILINE))


# -- words --------------------------------------------------------------------------------------------------
def plainly(name):
    """As a browser shows it: a line, without spaces at its ends."""
    return " ".join(visible(name.replace("\n", " ")).split())


def test_there_are_two_hundred_names():
    assert len(NAMES) >= 200


@pytest.mark.parametrize("dialect", ["commonmark", "gfm-like"])
@pytest.mark.parametrize("escaped", [escape, escape_where_dollars_are_searched])
def test_a_name_is_text_in_a_paragraph_a_heading_and_a_cell(dialect, escaped):
    places = {
        "p": at_the_start, "h2": lambda text: f"## {text}", "em": lambda text: f"(1) *{text}*: x",
        "td": lambda text: f"| a | b |\n| --- | --- |\n| {text} | $1$ |",
    }  # fmt: skip
    for name in NAMES:
        text = escaped(visible(name.replace("\n", " ")).strip())
        for tag, place in places.items():
            seen = Seen(markdown(dialect).render(place(text) if text or tag == "td" else "x"))
            allowed = {"p", "h2", "em", "span", "table", "thead", "tbody", "tr", "th", "td"}
            assert {t for t, *_ in seen.tags} <= allowed, (tag, name, seen.tags)
            assert not any(attributes for t, *attributes in seen.tags if t not in ("td", "th")), (tag, name)
            around = {"em": "(1) {}: x", "td": "a b {} $1$"}.get(tag, "{}")
            assert " ".join(seen.text.split()) == " ".join(around.format(plainly(name)).split()) or not text, (
                tag,
                name,
            )


def test_the_test_would_see_a_name_that_is_not_escaped():
    seen = [Seen(markdown("gfm-like").render(name)) for name in NAMES]
    assert sum({t for t, *_ in page.tags} != {"p"} for page in seen) > 40


@pytest.mark.parametrize("form", PROFILES)
def test_hostile_names_on_a_page_leave_tables_and_headings_as_they_are(form):
    """Each name as a label of a row, and as a label of a column of another table."""
    X, W = matrix("X", len(NAMES), 1), matrix("W", 1, 2)
    labels = {len(NAMES): [Words(name, name) for name in NAMES]}
    values = {X: [[k] for k in range(len(NAMES))], W: [[0.5, -1]]}
    plain = {len(NAMES): [Words(f"name{k}", f"name{k}") for k in range(len(NAMES))]}
    pages = [render(verify(derive(X @ W, values=values, labels=given, title=TITLE, sections=[SECTION])), form)
             for given in (labels, plain)]  # fmt: skip
    shown, wanted = (MATH.sub("F", page) for page in pages)
    tags = [[t for t in Seen(markdown().render(page)).tags if t != ("span",)] for page in (shown, wanted)]
    assert tags[0] == tags[1]
    assert len(formulas(pages[0])) == len(formulas(pages[1])) > len(NAMES)


TITLE = Words("A", "あ")
SECTION = Section(Words("All", "全部"), inputs=("X", "W"), steps=("Y",), percent=("Y",))


# -- words in formulas ---------------------------------------------------------------------------------------
WORDS_IN_MATH = re.compile(
    r"\\text\{[^{}\\$&#%_^~<>|*`\[\]≠⟦⟧]*\}|\{[≠⟦⟧]\}|\\[{}$&#%_]|\\(?:hat|grave)\{\\,\}|\{-\}"
    r"|\\(?:backslash|sim|lt|gt|vert|ast|[lr]brack|approx|infty|surd|cdot|times|odot|oslash|le|ge|epsilon|delta|partial|Sigma) "
)


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_name_in_a_formula_is_text_and_signs_alone(name):
    shown = in_math(name)
    assert WORDS_IN_MATH.sub("", shown) == ""
    assert r"\text{" in shown
    assert "--" not in shown
    assert "''" not in shown
    letters = "".join(re.findall(r"\\text\{([^{}]*)\}", shown))
    kept = re.sub(r"[\\{}$&#%_^~<>|*`\[\]≈−∞√·×⊙⊘≤≥εδ∂Σ≠⟦⟧]", "", visible(name.replace("\n", " ")))
    assert letters.replace("◌", "") == kept


def test_a_label_is_no_part_of_the_equation_behind_it():
    page = "\n\n".join(f"$$\n{in_math(name)}\\colon\\;\\; x = 1\n$$" for name in NAMES)
    equations = check(page, name="page.md").equations
    assert len(equations) == len(NAMES)
    assert {e.verdict for e in equations} == {"definition", "right"}


# -- profiles ------------------------------------------------------------------------------------------------
def test_code_hosts_get_no_command_that_they_refuse():
    for build in (golden_cases.with_tables, golden_cases.masked_attention, golden_cases.two_heads):
        page = render(build(), "md-github", "ja", detail="entries")
        assert not re.search(
            r"\\(?:operatorname|mbox|phantom|label|tag|definecolor|cellcolor|bm|intertext|color|footnotesize|small)\b",
            page,
        )
        assert not re.search(r"(?m)^\$\$$", page)
        assert not re.search(r"(?<![\\`])\$(?!`)", re.sub(r"`\$", "", page))
        assert not re.search(r"[^\s(\[|]\$`", page)  # nothing else may stand in front of a formula
        assert "softmax" not in page or r"\mathrm{softmax}" in page


def test_a_page_that_code_hosts_would_not_show_in_full_says_so_at_its_head():
    """Counted anew from the page: one for each formula, and one for each brace that opens."""
    word = re.compile(r"^formulas: (\d+) braces and formulas; GitHub shows 2000", re.MULTILINE)
    page = render(golden_cases.with_tables(), "md-github", detail="entries")
    assert not word.search(page)
    wide = matrix("A", 12, 20), matrix("B", 20, 12)
    values = {wide[0]: [[-k] * 20 for k in range(12)], wide[1]: [[0.5] * 12] * 20}
    page = render(verify(derive(wide[0] @ wide[1], values=values)), "md-github", detail="entries")
    found = re.findall(r"(?s)^```math\n.*?\n```$|\$`.*?`\$", page, re.MULTILINE)
    assert word.search(page)[1] == str(sum(1 + formula.count("{") for formula in found))


def test_numbered_lines():
    gradient = differentiate(Softmax(matrix("S", dimension("n"), dimension("m"))), "S")
    section = Section(Words("Lines", "式"), lines=index_form(gradient, "S").every_line)
    pages = [render(replace(gradient.derivation, sections=(section,), follow=None), form) for form in PROFILES]
    assert all(page.count("{align*}") == 2 for page in (pages[0], pages[2]))
    assert r"\tag{1}" in pages[0]
    assert "\n\n\\begin{align*}" in pages[2]  # alone, for notebooks
    assert r"\tag" not in pages[1]  # it collapses on code hosts
    assert r"\qquad\text{(1)}" in pages[1]


@pytest.mark.parametrize("form", PROFILES)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_no_japanese_stands_bare_in_a_formula(form, language):
    for build in (golden_cases.with_tables, golden_cases.masked_attention):
        for formula in formulas(render(build(), form, language, detail="entries")):
            bare = re.sub(r"\\text(?:bf)?\{[^{}]*\}", "", formula)
            assert bare.isascii(), formula


@pytest.mark.parametrize("form", ["md", "md-jupyter"])
def test_dollars_touch_no_letter_and_no_other_dollar(form):
    for build in (golden_cases.with_tables, golden_cases.swept, golden_cases.hostile):
        page = render(build(), form, "ja", detail="entries")
        for found in re.finditer(r"(?<![\\$])\$(?!\$)([^$\n]*)(?<!\\)\$(?!\$)", page):
            assert not re.match(r"\w", page[found.end() : found.end() + 1]), found[0]
            assert not re.match(r"\w", page[found.start() - 1]), found[0]
            assert found[1] == found[1].strip()


def test_what_is_followed_is_bold_and_said_to_be():
    page = render(golden_cases.masked_attention(), "md")
    assert "Row 2 (sleeps) is set in bold through the page." in page
    assert r"\textbf{sleeps}\colon" in page
    assert re.search(r"\\mathbf\{[\d.]+\}", page)
    assert "color" not in page


def test_heat_maps_show_numbers_and_shades_and_say_what_they_mean():
    page = render(golden_cases.with_tables(), "md")
    (row,) = (line for line in page.splitlines() if line.startswith("| cat | $1$"))
    assert "█" in row
    assert "none where the number is exactly 0, then ░ below 0.25" in page


def test_comments_cannot_be_left():
    page = render(verify(golden_cases.product()), "md", command="x --> <b> --!> y")
    assert Seen(markdown().render(page)).text.lstrip().startswith("A product")
    assert html.escape("<b>") not in markdown().render(page)
