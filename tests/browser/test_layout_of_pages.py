"""Where things stand on a page in a real browser: `python -m pytest tests/browser -m browser -s`."""

import base64
import io

import pypdf
import pytest
from chromium import browser
from pages import (
    find,
    opened,
    planted,
    put_at_once,
    rendered,
)

from symtransformer import Fact, Section, Words, derive, matrix, render, verify

pytestmark = pytest.mark.browser
FIXTURES = browser, opened


@pytest.mark.parametrize("width", [360, 412, 1000])
@pytest.mark.parametrize("name", ["explainer_chapter_4", "proof_softmax_gradient", "two_layers"])
def test_nothing_is_wider_than_the_page(opened, name, width):
    browser = opened(rendered(name, "ja"), width)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    boxes = browser.execute_script(
        "return [...document.querySelectorAll('.term, .left, .scrolls')].filter(b => b.scrollWidth > b.clientWidth + 1).map(b => b.tabIndex)"
    )
    assert set(boxes) <= {0}  # what scrolls can be reached by keyboard
    assert browser.execute_script(LINES_THAT_END_IN_A_SIGN) == []
    wide = browser.execute_script(
        "return [...document.querySelectorAll('.term, .left, .scrolls')].filter(b => b.scrollWidth > b.clientWidth + 1)"
        ".map(b => [b.dataset.more, getComputedStyle(b).maskImage])"
    )
    assert all(more == "after" and "gradient" in mask for more, mask in wide)  # and is seen to go on
    if width == 360 and name == "two_layers":
        assert len(wide) > 3


@pytest.mark.parametrize("width", [360, 1000])
@pytest.mark.parametrize(
    ("name", "language"),
    [("explainer_chapter_4", "en"), ("two_layers", "en"), ("two_layers", "ja"), ("explainer_models", "ja")],
)
def test_what_stands_in_a_drawing_is_within_its_box(opened, name, language, width):
    browser = opened(rendered(name, language), width)
    found = browser.execute_script(
        "let rect = null; const found = []; for (const e of document.querySelectorAll('.flow rect, .flow text')) {"
        " const b = e.getBoundingClientRect(); if (e.tagName === 'rect') rect = b; else found.push([b.left - rect.left, rect.right - b.right,"
        " b.top - rect.top, rect.bottom - b.bottom, parseFloat(getComputedStyle(e.querySelector('tspan') ?? e).fontSize)"
        " * e.ownerSVGElement.getScreenCTM().a]); } return found"
    )
    assert len(found) > 10
    assert min(min(sides[:4]) for sides in found) > 0
    assert min(size for *_, size in found) > 9  # of its letters, in pixels
    strokes = browser.execute_script(
        "return [...document.querySelectorAll('.flow path')].map((e) => getComputedStyle(e).display)"
    )
    assert strokes == ["inline", "inline"]


def among_words():
    """Formulas before commas and behind brackets at every place of a line, a long number, a long sum, a wide table."""
    A, B = matrix("A", 5, 5), matrix("B", 5, 5)
    places = "".join(f"{'あ' * k}{{A}}、{'い' * k}（{{B}}）" for k in range(1, 26))
    number = Fact(Words("{0} is a number.", "{0} は数です。"), (2**128,))
    section = Section(
        Words("Words", "言葉"), Words(places, places), inputs=("A", "B"), steps=("Y",), heat=("Y",), facts=(number,)
    )
    values = {A: [[1000] * 5] * 5, B: [[100] * 5] * 5}
    return render(verify(derive(A + B, values=values, sections=[section])), "html", "ja")


AT_THE_EDGES = """
const found = [];
for (const node of [...document.querySelectorAll("main section p .m")].flatMap((m) => [m.nextSibling, m.previousSibling])) {
  if (node?.nodeType !== Node.TEXT_NODE) continue;
  const box = (at) => { const r = document.createRange(); r.setStart(node, at); r.setEnd(node, at + 1); return r.getBoundingClientRect(); };
  const left = node.parentElement.closest("p").getBoundingClientRect().left, end = node.length - 1;
  if (node.data[0] === "、" && box(0).left < left + 3) found.push("begins with a comma");
  if (node.data[end] === "（" && node.nextSibling.getBoundingClientRect().left < box(end).left) found.push("ends with a bracket");
}
return found;
"""
BETWEEN_LINES = """
return [...document.querySelectorAll("main .term .katex-html")].flatMap((formula) => {
  const struts = [...formula.children].map((piece) => piece.firstElementChild.getBoundingClientRect());
  return struts.slice(1).map((box, k) => (box.left <= struts[k].left ? box.top - struts[k].bottom : null));
}).filter((gap) => gap !== null);
"""


def test_a_narrow_page_breaks_its_lines_where_a_reader_would(opened):
    page = among_words()
    browser = opened(page, 390)
    assert browser.execute_script("return document.documentElement.scrollWidth") == 390
    assert browser.execute_script(AT_THE_EDGES) == []
    gaps = browser.execute_script(BETWEEN_LINES)
    assert len(gaps) == 1
    assert gaps[0] > 3
    caption, table = browser.execute_script(
        "const e = document.querySelector('.heat caption'); const box = (x) => { const r = x.getBoundingClientRect(); return [r.left, r.right]; };"
        "return [box(e.firstElementChild), box(e.closest('table'))]"
    )
    assert table[1] > 390
    assert 0 <= caption[0] < caption[1] <= 390
    found = opened(planted(page, "keepTogether(element);", "void 0;"), 390).execute_script(AT_THE_EDGES)
    assert set(found) == {"begins with a comma", "ends with a bracket"}


def test_fields_that_are_scrolled_keep_the_name_of_their_matrix(opened):
    """What fades at its end is the row of fields, and not the name above it; a complaint is all that the bar says then."""
    browser = opened(among_words(), 390)
    put_at_once(browser, "A の第 1 行・第 1 列", "2")
    (fields, name), *_ = browser.execute_script(
        "return [...document.querySelectorAll('.fields[data-more=after]')].map((e) => [e.tabIndex, e.contains(e.parentElement.querySelector('legend'))])"
    )
    assert (fields, name) == (0, False)
    assert find(browser, "#differs")[0].is_displayed()
    put_at_once(browser, "A の第 1 行・第 1 列", "x")
    assert find(browser, "#message")[0].text.startswith("A の第 1 行・第 1 列：")
    assert not find(browser, "#differs")[0].is_displayed()


# lines of the formulas: what is read at the same height in the pieces between which a line may end
LINES_THAT_END_IN_A_SIGN = """
const wrong = [];
for (const formula of document.querySelectorAll(".katex-html")) {
  if (!formula.getClientRects().length) continue;
  const lines = [];
  for (const piece of formula.children) {
    const strut = piece.firstElementChild.getBoundingClientRect(), last = lines.at(-1);
    if (last && strut.left >= last.right - 1) last.pieces.push(piece), last.right = piece.getBoundingClientRect().right;
    else lines.push({ pieces: [piece], right: piece.getBoundingClientRect().right });
  }
  for (const [k, { pieces }] of lines.entries()) {
    const read = pieces.flatMap((piece) => [...piece.children]).filter((part) => part.textContent.trim());
    const sign = (part) => part.matches(".mrel, .mbin");
    if (!read.length || (lines.length > 1 && (sign(read.at(-1)) || (k > 0 && !sign(read[0]))))) wrong.push(formula.textContent);
  }
}
return wrong;
"""


def test_a_sign_stands_in_the_middle_of_its_terms_and_a_label_moves_no_equation(opened):
    browser = opened(rendered("proof_softmax_gradient", "en"))
    gaps = browser.execute_script(
        "const edge = (e) => { const r = document.createRange(); r.selectNodeContents(e); return r.getBoundingClientRect(); };"
        "return [...document.querySelectorAll('.lines .term + .term')].map((t) => {"
        "  const [sign, next] = [...t.querySelectorAll('.katex-base > *')].filter((p) => p.textContent.trim());"
        "  const before = [...t.previousElementSibling.querySelectorAll('.katex-base > *')].filter((p) => p.textContent.trim()).at(-1);"
        "  return [edge(sign).left - edge(before).right, edge(next).left - edge(sign).right]; })"
    )
    assert len(gaps) > 3
    assert all(abs(before - behind) < 2 for before, behind in gaps)
    browser = opened(rendered("explainer_chapter_4", "en"))
    lefts = browser.execute_script(
        "return [...document.querySelectorAll('.equations:not(.labeled) .left:first-child + .right .term:first-child')]"
        ".filter((e) => e.getClientRects().length && !e.closest('.followed, .slider'))"
        ".map((e) => e.getBoundingClientRect().left - e.closest('.equations').getBoundingClientRect().left)"
    )
    assert len(lefts) > 10
    assert max(lefts) < 60


SCROLLED = """
return [...document.querySelectorAll(".left, .term, .scrolls")]
  .filter((box) => box.clientWidth && box.scrollWidth > box.clientWidth).map((box) => box.textContent);
"""
AROUND_THE_SIGN = """
const ink = (node) => { const range = document.createRange(); range.selectNodeContents(node); return range.getBoundingClientRect(); };
const box = document.querySelector(".beside > .chain");
const letter = ink(box.querySelector(".left .katex-html .mord"));
const sign = ink(box.querySelector(".term .katex-html .mrel"));
const next = ink(box.querySelector(".term .katex-html .minner"));
return [sign.left - letter.right, next.left - sign.right];
"""


def test_nothing_that_fits_is_scrolled_and_a_sign_stands_in_the_middle(opened):
    browser = opened(rendered("explainer_chapter_4", "en"))
    assert browser.execute_script(SCROLLED) == []
    before, behind = browser.execute_script(AROUND_THE_SIGN)
    assert abs(before - behind) < 2


def test_a_drawing_that_is_longer_than_a_sheet_begins_on_the_first_and_goes_on(opened):
    browser = opened(rendered("two_layers", "en"))
    pdf = base64.b64decode(
        browser.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})["data"]
    )
    first, second, *_ = (page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages)
    titles = ("Queries", "Scaled scores", "First Add & Norm")
    assert all(text.count(title) == 1 for title in titles for text in (first, second)), (first, second)
    # what is used again is styled by its own classes, not by those around it
    assert browser.execute_script(
        "return [...document.querySelectorAll('.on-paper use')].map((e) => document.querySelector(e.getAttribute('href')).matches('g.flow'))"
    ) == [True, True]
