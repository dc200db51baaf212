"""Real clicks and keys on pages in a real browser: `python -m pytest tests/browser -m browser -s`."""

import base64
import hashlib
import io
import json
import re
from functools import cache

import pypdf
import pytest
from chromium import browser
from sympy import Rational, oo

from symtransformer import Fact, Follow, Section, Style, Words, derive, matrix, render, verify, with_values
from symtransformer.chosen_notation import Notation
from symtransformer.cli.derivations import load
from symtransformer.operations import ScaledDotProductAttention

pytestmark = pytest.mark.browser
assert browser  # the fixture
FRAME = 16  # milliseconds


@cache
def rendered(name, language):
    return render(judged(name), "html", language)


@cache
def judged(name):
    return verify(load(name)[1])


@pytest.fixture
def opened(browser, tmp_path):
    """Opens a page under some width, in light or dark."""

    def open_page(page, width=1000, dark=False, scripts=True):
        path = tmp_path / "page.html"
        path.write_text(page, encoding="utf-8")
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", scheme)
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
        for kind in ("browser", "performance"):
            browser.get_log(kind)
        browser.get(path.as_uri())
        return browser

    yield open_page
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def find(browser, selector):
    return browser.find_elements("css selector", selector)


def requests(browser):
    messages = (json.loads(entry["message"])["message"] for entry in browser.get_log("performance"))
    urls = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    return [url for url in urls if not url.startswith(("data:", "file:", "chrome:"))]


def typed(field, text):
    field.clear()
    field.send_keys(text)


def put(browser, name, text):
    """Types into the field of this name, as the reader would."""
    (field,) = [f for f in find(browser, "input[data-cell]") if f.get_attribute("aria-label") == name]
    typed(field, text)
    return field


def mathematics(browser, selector):
    """The TeX of what is shown below a selector, without what is hidden."""
    return browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].filter(e => !e.closest('[hidden]'))"
        ".map(e => e.querySelector('annotation')?.textContent.replace('\\\\displaystyle ', ''))",
        selector,
    )


def current(browser):
    """The sides of equations that are shown as true of the numbers at hand, without the signs before them."""
    found = browser.execute_script(
        "return [...document.querySelectorAll('main .term')].filter(e => !e.closest('[hidden], .slider, details:not(.editor)')"
        " && ![...e.parentElement.querySelectorAll('.of-printed')].some(m => !m.hidden))"
        ".map(e => e.querySelector('annotation').textContent)"
    )
    return [text.removeprefix("\\displaystyle ").removeprefix("\\approx").removeprefix("=").strip() for text in found]


def cells(browser):
    return browser.execute_script(
        "return [...document.querySelectorAll('main td')].filter(e => !e.closest('[hidden], .editor, .slider')).map(e => e.textContent)"
    )


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_page_is_set_without_errors_and_without_requests(opened, language):
    browser = opened(rendered("explainer_chapter_4", language))
    assert browser.get_log("browser") == []
    assert requests(browser) == []
    assert find(browser, ".katex-error") == []
    assert len(find(browser, "[data-tex] .katex")) == len(find(browser, "[data-tex]")) > 100
    fonts = browser.execute_script(
        "return document.fonts.ready.then(() => [...document.fonts].map(f => [f.family, f.status]))"
    )
    assert all(status in ("loaded", "unloaded") for _, status in fonts)
    used = browser.execute_script(
        "return [...new Set([...document.querySelectorAll('.katex-html *')].filter(e => e.childNodes.length && [...e.childNodes]"
        ".some(n => n.nodeType === 3 && /[\\x20-\\x7e]/.test(n.data))).map(e => getComputedStyle(e).fontFamily.split(',')[0].replace(/\"/g, '')))]"
    )
    assert {name for name in used if name.startswith("KaTeX")} <= {family.strip('"') for family, _ in fonts}


CHANGE = {"en": ("Change these numbers", "X, row 1 (cat), column 2", "Back to the original numbers", "Expected a number"),
          "ja": ("これらの数を変更する", "X の第 1 行（猫）・第 2 列", "元の数に戻す", "数を入力してください")}  # fmt: skip


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_reader_changes_a_number_and_goes_back(opened, language):
    """What follows is what Python shows for this number; a bad one changes nothing; the button restores the page."""
    summary, name, reset, complaint = CHANGE[language]
    browser = opened(rendered("explainer_chapter_4", language))
    before = mathematics(browser, "main section .term"), cells(browser)
    (editor, *_) = [e for e in find(browser, ".editor summary") if e.text == summary]
    editor.click()
    put(browser, name, "1/4")
    derivation = judged("explainer_chapter_4").derivation
    X = next(letter for letter in derivation.inputs if letter.name == "X")
    changed = verify(with_values(derivation, {X: [[1, 0.25], [0, 1]]}))
    find(browser, "#state")
    after = current(browser), cells(browser)
    assert before[1] != after[1]
    assert len(after[0]) > 60
    other = opened(render(changed, "html", language))
    assert cells(other) == after[1]
    assert set(after[0]) - set(current(other)) == set()

    browser = opened(rendered("explainer_chapter_4", language))
    next(e for e in find(browser, ".editor summary") if e.text == summary).click()
    put(browser, name, "2")
    good = cells(browser)
    for bad in (
        "abc",
        "-",
        "<b>",
        "１e",
        "1,000",
        "9" * 20,
        "1/0",
    ):  # the last ones begin like numbers, and are typed one by one
        field = put(browser, name, bad)
        assert cells(browser) == good or bad[0] in "19１"
        assert complaint in find(browser, "#message")[0].text
        assert field.get_attribute("aria-invalid") == "true"
    marks = [e for e in find(browser, ".of-printed") if e.is_displayed()]
    assert len(marks) > 5
    assert not any(e.is_displayed() for e in find(browser, ".only-printed"))
    (button,) = [e for e in find(browser, "button") if e.text == reset]
    button.click()
    assert (mathematics(browser, "main section .term"), cells(browser)) == before
    assert not any(e.is_displayed() for e in [*find(browser, ".of-printed"), *find(browser, "#state")])
    assert browser.get_log("browser") == []
    assert requests(browser) == []


def planted(page, old, new):
    """The page with something else in one of its scripts, which its head then names."""
    (script,) = [script for script in re.findall(r"<script>(.*?)</script>", page, re.DOTALL) if old in script]
    assert script.count(old) == 1
    digests = [
        base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in (script, script.replace(old, new))
    ]
    assert digests[0] in page
    return page.replace(script, script.replace(old, new)).replace(*digests)


def test_a_side_that_stays_as_it_was_is_found(opened):
    """The comparison above sees an equation that is not computed again, and one that is no longer marked."""
    page = rendered("explainer_chapter_4", "en")
    broken = {
        "as it is": page,
        "not computed": planted(page, "updateChain(box, chain);", "restoreChain(box, chain);"),
        "not marked": planted(page, "element.hidden = !differs;", "element.hidden = true;"),
    }
    changed = {}
    for name, text in broken.items():
        browser = opened(text)
        before = current(browser)
        find(browser, ".editor summary")[0].click()
        put(browser, "X, row 1 (cat), column 1", "3")
        assert cells(browser)[1] != "33.0%"
        after = current(browser)
        changed[name] = len(set(after) - set(before)), len(after)
    assert changed["as it is"][0] > 15
    assert changed["not computed"][0] == 0
    assert changed["not marked"][1] > changed["as it is"][1]


def test_a_number_too_large_is_told_and_the_last_good_ones_stay(opened):
    browser = opened(rendered("explainer_chapter_4", "en"))
    find(browser, ".editor summary")[0].click()
    printed = cells(browser)
    field = put(browser, "W_K, row 1, column 1", "999999999999")  # typed digit by digit
    assert "too large" in find(browser, "#message")[0].text
    assert field.get_attribute("aria-invalid") == "true"
    typed(field, "1")
    assert field.get_attribute("aria-invalid") == "false"
    assert cells(browser) == printed
    assert not find(browser, "#state")[0].is_displayed()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_slider_moves_by_keyboard_within_a_frame(opened, language):
    browser = opened(rendered("explainer_chapter_4", language))
    (slider,) = find(browser, ".slider input")
    assert slider.get_attribute("aria-label") == "t"
    live = ".slider td[data-n]"
    before = [e.text for e in find(browser, live)]
    assert before == ["0.5", "0.5", "0.5", "0.75", "46%", "54%", "0.9118", "2.1763"]
    for _ in range(17):
        slider.send_keys("\ue014")  # arrow to the right
    assert slider.get_attribute("aria-valuetext") == "t = 0.67"
    assert [e.text for e in find(browser, live)] == ["0.67", "0.33", "0.67", "0.665", "50%", "50%", "1.0018", "1.9965"]
    slider.send_keys("\ue010")  # end
    assert [e.text for e in find(browser, live)] == ["1", "0", "1", "0.5", "59%", "41%", "1.1750", "1.6501"]
    assert not find(browser, "#state")[0].is_displayed()
    times = browser.execute_script(
        "const input = document.querySelector('.slider input'), times = []; for (let k = 0; k <= 200; k += 1) {"
        "input.value = (k % 101) / 100; const start = performance.now(); input.dispatchEvent(new Event('input'));"
        "document.body.offsetHeight; times.push(performance.now() - start); } return times.sort((a, b) => a - b)"
    )
    print(f"slider, {language}: {times[0]:.1f} to {times[180]:.1f} ms, in the middle {times[100]:.1f} ms")
    assert times[0] < FRAME  # a busy machine is slower now and then


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_row_of_the_table_keeps_the_values_of_its_label(opened, language):
    browser = opened(rendered("explainer_chapter_4", language))
    (slider,) = find(browser, ".slider input")
    (start,) = find(browser, ".slider td[data-n]")[:1]
    rows = (
        "return [...document.querySelectorAll('main table')].filter(t => !t.closest('.slider')).map(t => t.innerText)"
    )
    before = browser.execute_script(rows)
    for key in ("\ue014", "\ue014", "\ue014", "\ue010"):  # three steps to the right, then the end
        slider.send_keys(key)
        assert browser.execute_script(rows) == before
    assert start.text == "1"  # the slider's own numbers moved


SET_ANEW = """
const look = (e) => {
  const root = e.getBoundingClientRect(), found = [], walker = document.createTreeWalker(e.querySelector(".katex-html"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const range = document.createRange(), node = walker.currentNode;
    range.selectNodeContents(node);
    const own = range.getBoundingClientRect(), style = getComputedStyle(node.parentElement);
    found.push([node.data, style.fontWeight, style.color, ...[own.left - root.left, own.top - root.top, own.width].map(Math.round)].join(" "));
  }
  return found.join("; ") + e.querySelector("math").innerHTML;
};
const changed = [...document.querySelectorAll("[data-chain] .term [data-tex]")]
  .filter((e) => !e.closest("[hidden], details:not([open])") && e.now !== e.dataset.tex);
const found = changed.map((e) => [e.now, e.coded ?? false, look(e), e.skeleton, [...e.childNodes]]);
for (const [k, e] of changed.entries()) typeset(e, found[k][0]);
const anew = changed.map(look);
for (const [k, e] of changed.entries()) {
  e.skeleton = found[k][3];
  e.replaceChildren(...found[k][4]);
}
return found.map(([now, coded, own], k) => [now, coded, own === anew[k]]);
"""


def masked_attention():
    Q, K, V, M = matrix("Q", 2, 2), matrix("K", 3, 2), matrix("V", 3, 1), matrix("M", 2, 3)
    values = {Q: [[1, 0], [0, -1]], K: [[1, 2], [0, 1], [-1, 1]], V: [[1], [2], [-3]], M: [[0, -oo, -oo], [0, 0, -oo]]}
    return derive(ScaledDotProductAttention(Q, K, V, M), stages=True, values=values, follow=Follow("Z", "row", 1))


def put_at_once(browser, name, text):
    """As if it had been pasted."""
    browser.execute_script(
        "const field = document.querySelector(`input[aria-label=\"${arguments[0]}\"]`);"
        "document.querySelector('.editor').open = true; field.value = arguments[1]; field.dispatchEvent(new Event('input'));",
        name, text,
    )  # fmt: skip


def test_digits_that_are_written_alone_look_as_if_the_formula_were_set_anew(opened):
    found = []
    for decimal in (".", ","):
        page = render(verify(masked_attention()), "html", notation=Notation(decimal=decimal))
        browser = opened(page)
        for text in ("-2", "7", "1", f"0{decimal}375", "1/3", "-2"):
            put_at_once(browser, "Q, row 2, column 1", text)
            found += browser.execute_script(SET_ANEW)
    assert [tex for tex, _, same in found if not same] == []
    assert sum(coded for _, coded, _ in found) > 100
    browser = opened(planted(page, "runs[Number(found) - 700000000]", "runs[(Number(found) - 700000000) ^ 1]"))
    put_at_once(browser, "Q, row 2, column 1", "7")
    assert not all(same for _, _, same in browser.execute_script(SET_ANEW))


MASKED = {"en": ("M, row 1, column 2", "K, row 1, column 1", "−∞ is possible only in a mask", "softmax of a row that is −∞ throughout"),
          "ja": ("M の第 1 行・第 2 列", "K の第 1 行・第 1 列", "−∞ を入力できるのは", "すべての成分が −∞ の行の Softmax")}  # fmt: skip


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_reader_moves_a_mask(opened, language):
    entry, other, only_masks, no_softmax = MASKED[language]
    first = entry.replace("2", "1")
    browser = opened(render(verify(masked_attention()), "html", language))
    printed = mathematics(browser, "main section .term")
    put_at_once(browser, entry, "0")
    now = current(browser)
    for text in ("-inf", "−∞", "-∞"):
        put_at_once(browser, entry, text)
        assert mathematics(browser, "main section .term") == printed
    put_at_once(browser, other, "-∞")
    assert only_masks in find(browser, "#message")[0].text
    put_at_once(browser, other, "1")
    put_at_once(browser, first, "-∞")  # nothing is left in this row
    assert no_softmax in find(browser, "#message")[0].text
    put_at_once(browser, entry, "0")  # now there is: what was refused before counts
    assert find(browser, "#message")[0].text == ""
    assert {e.get_attribute("aria-invalid") for e in find(browser, "input[data-cell]")} <= {"false", None}
    hidden = current(browser)
    put_at_once(browser, first, "0")
    assert current(browser) == now
    M = next(letter for letter in masked_attention().inputs if letter.name == "M")
    for shown, mask in ((now, [[0, 0, -oo], [0, 0, -oo]]), (hidden, [[-oo, 0, -oo], [0, 0, -oo]])):
        page = render(verify(with_values(masked_attention(), {M: mask})), "html", language)
        assert len(shown) > 20
        assert set(shown) - set(current(opened(page))) == set()


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


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_page_of_rounded_steps_follows_and_a_worksheet_asks_about_other_numbers(opened, language):
    style, summary = Style(round_steps=2), "Q, row 2, column 1" if language == "en" else "Q の第 2 行・第 1 列"
    browser = opened(render(verify(masked_attention()), "html", language, style=style))
    put_at_once(browser, summary, "0.475")
    now = current(browser)
    put_at_once(browser, summary, "0")
    Q = next(letter for letter in masked_attention().inputs if letter.name == "Q")
    other = render(
        verify(with_values(masked_attention(), {Q: [[1, 0], [Rational("0.475"), -1]]})), "html", language, style=style
    )
    browser = opened(other)
    assert len(now) > 20
    assert set(now) - set(current(browser)) == set()
    browser = opened(render(verify(masked_attention()), "html", language, detail="problem"))
    blanks = len(find(browser, ".katex .fbox"))
    put_at_once(browser, summary, "1,000")
    assert find(browser, "#message")[0].is_displayed()
    assert not find(browser, "#differs")[0].is_displayed()  # nothing has been changed
    put_at_once(browser, summary, "0.475")
    assert any("0.475" in text for text in current(browser))
    assert len(find(browser, ".katex .fbox")) == blanks > 10


def contrast(browser, selector):
    """The least contrast of text on its background, below a selector."""
    return browser.execute_script(
        """
        const channel = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
        const light = (text) => { const [r, g, b] = text.match(/[\\d.]+/g).map(Number);
          return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
        const behind = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
          if (!/, 0\\)$/.test(c) && c !== 'transparent') return c; } return 'rgb(255, 255, 255)'; };
        let least = [99, ''];
        for (const e of document.querySelectorAll(arguments[0])) {
          if (e.closest('[hidden], .katex-mathml') || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
          const [a, b] = [light(getComputedStyle(e).color), light(behind(e))].sort((x, y) => x - y);
          const found = (b + 0.05) / (a + 0.05);
          if (found < least[0]) least = [found, e.outerHTML.slice(0, 200)];
        }
        return least;
        """,
        selector,
    )


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_text_stands_out(opened, dark):
    A, B = matrix("A", 1, 34), matrix("B", 1, 34)
    section = Section(Words("Shades", "濃淡"), heat=("Y",))
    values = {A: [[Rational(k, 33) for k in range(34)]], B: [[0] * 34]}
    shades = render(verify(derive(A + B, values=values, sections=[section])), "html")
    for page in (rendered("explainer_chapter_4", "en"), rendered("explainer_chapter_6", "ja"), shades):
        browser = opened(page, dark=dark)
        least, where = contrast(browser, "body *")
        assert least >= 4.5, where


def test_paper_shows_the_folded_parts_and_no_controls(opened):
    browser = opened(rendered("explainer_chapter_4", "en"))
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert not any(e.is_displayed() for e in find(browser, ".editor, .slider, nav, #reset"))
    pdf = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {})["data"])
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert pdf.startswith(b"%PDF")
    assert len(pdf) > 20_000


def sizes_on_paper(browser):
    """Of the letters, as they stand on paper, and where on it the last one begins."""
    pdf = base64.b64decode(
        browser.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})["data"]
    )
    sizes, right = [], 0.0

    def visit(text, user, matrix, font, size):
        nonlocal right
        if text.strip():
            sizes.append(round(size * abs(matrix[3] * user[3]), 1))
            right = max(right, matrix[4] * user[0] + user[4])

    for page in pypdf.PdfReader(io.BytesIO(pdf)).pages:
        page.extract_text(visitor_text=visit)
    return sizes, right


def test_a_wide_formula_is_made_smaller_on_paper_and_nothing_else(opened):
    A = matrix("A", 1, 16)
    pages = [
        render(verify(derive(A + A, values={A: [[k + shift for k in range(16)]]})), "html") for shift in (0, 0.1234)
    ]
    narrow, wide = (sizes_on_paper(opened(page)) for page in pages)
    assert abs(max(wide[0]) - max(narrow[0])) < 0.3  # the title
    assert min(wide[0]) > 5
    assert wide[1] < 595 - 40  # points; within the margin
    browser = opened(pages[1])
    browser.execute_script("document.head.insertAdjacentHTML('beforeend', '<style>.term{zoom:1!important}</style>')")
    assert max(sizes_on_paper(browser)[0]) < 0.95 * max(narrow[0])  # otherwise all of the page would be


def test_without_scripts_the_page_is_read_as_text(opened):
    browser = opened(rendered("explainer_chapter_4", "en"), scripts=False)
    text = find(browser, "main")[0].text
    assert "softmax(S)" in text
    assert "[[0.3302, 0.6698], [0.5875, 0.4125]]" in text
    assert not any(e.is_displayed() for e in find(browser, ".editor, .slider, #state, .of-printed"))


HOSTILE = ("<script>document.title='run'</script>", "<img src=x onerror=\"document.title='run'\">", "</script><script>document.title='run'</script>",
           r"\href{javascript:document.title='run'}{x}", "'\"`]]>&amp;", "\u202eabc", r"\htmlStyle{color:red}{x}", "$\\text{$")  # fmt: skip


def test_hostile_names_run_nothing(opened):
    X, W = matrix("X", len(HOSTILE), 1), matrix("W", 1, 2)
    words = [Words(text, text) for text in HOSTILE]
    derivation = derive(
        X @ W, title=words[0], labels={len(HOSTILE): words}, values={X: [[k] for k in range(len(HOSTILE))], W: [[1, 2]]},
        sections=[Section(words[1], words[2], inputs=("X", "W"), steps=("Y",), percent=("Y",), heat=("Y",))],
    )  # fmt: skip
    browser = opened(render(verify(derivation), "html"))
    find(browser, ".editor summary")[0].click()
    for field, text in zip(find(browser, "input[data-cell]"), HOSTILE, strict=False):
        typed(field, text[:30].replace("\u202e", ""))
    assert browser.title != "run"
    assert requests(browser) == []
    assert find(browser, "img") == []
    assert HOSTILE[0] in find(browser, "h1")[0].text


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
