"""Two hundred hostile names in every format that a page can have; what each format makes of one is tried beside its printer."""

import re
from xml.etree import ElementTree

import pytest
from hostile_names import NAMES

from symtransformer import Section, Words, derive, matrix, verify
from symtransformer.rendering import FORMATS, render, render_pieces
from symtransformer.rendering.visible import visible

# where the names are looked for in what a reader sees, and who looks for commands
TRIED_BY = {
    "tex": "test_hostile_tex", "tex-fragment": "test_hostile_tex", "texmacros": "test_hostile_tex", "tex-pdf": "test_hostile_tex",
    "typ": "test_typst_hostile", "pdf": "test_typst_hostile", "html": "test_html", "md": "test_markdown",
    "md-github": "test_markdown", "md-jupyter": "test_markdown", "txt": "here", "terminal": "here",
}  # fmt: skip
NO_TEXT = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ue000-\uf8ff]")
COLOR = re.compile(r"\x1b\[[0-9;]*m")  # what the terminal's own printer writes
SHOWN = [name for name in NAMES if visible(name).strip()]


def pages(names):
    """Each name as a label of a row, and in the title of a section where its braces stand for nothing."""
    A, B = matrix("A", len(names), 2), matrix("B", 2, 1)
    titles = [Words(name, name) for name in names if "{" not in name]
    sections = [
        Section(title, inputs=("A", "B") * (k == 0), steps=(step,), percent=(step,))
        for k, (title, step) in enumerate(zip(titles, ("P", "R", "T", "U"), strict=False))
    ]
    steps = {"P": (P := A @ B), "R": (R := P + P), "T": (T := R + P), "U": T + R}
    labels = {str(len(names)): [Words(name, name) for name in names]}
    values = {A: [[k, 1] for k in range(len(names))], B: [[1], [2]]}
    return verify(derive(steps, sections=tuple(sections), labels=labels, values=values))


PAGES = [pages(SHOWN[k : k + 12]) for k in range(0, len(SHOWN), 12)]


def test_every_format_is_tried_by_somebody():
    assert len(NAMES) >= 200
    assert set(TRIED_BY) == set(FORMATS)


@pytest.mark.parametrize("form", [name for name, form in FORMATS.items() if not form.finish])
def test_no_format_holds_a_sign_that_is_not_seen(form):
    for page in PAGES[::3]:
        text = render(page, form, "ja", command="a\x1b[31m\u202eb")
        assert not NO_TEXT.search(COLOR.sub("", text) if form == "terminal" else text)


@pytest.mark.parametrize("form", ["txt", "terminal"])
def test_a_terminal_shows_each_name_on_its_line(form):
    tried = 0
    for k, page in enumerate(PAGES):
        lines = [line.strip("│ ") for line in COLOR.sub("", render(page, form)).splitlines()]
        for name in SHOWN[12 * k : 12 * k + 12]:
            label = " ".join(visible(name).split())
            assert any(" ".join(line.split()).startswith(f"{label} ") for line in lines), name
            tried += 1
    assert tried >= 200


def test_a_drawing_in_a_notebook_holds_no_markup_of_a_name():
    drawn = 0
    for page in PAGES:
        for description, svg in render_pieces(page)[1]:
            picture = ElementTree.fromstring(svg)
            kinds = {x.tag.partition("}")[2] for x in picture.iter()}
            assert kinds <= {"svg", "desc", "style", "rect", "path", "text", "tspan"}
            assert not NO_TEXT.search(description + svg)
            drawn += 1
    assert drawn > 10
