"""Pages in a real browser: without errors and requests, dark, on paper, without scripts, with hostile names."""

import base64
import io

import pypdf
import pytest
from chromium import browser
from pages import (
    find,
    opened,
    rendered,
    requests,
    typed,
)
from sympy import Rational

from symtransformer import Section, Words, derive, matrix, render, verify

pytestmark = pytest.mark.browser
FIXTURES = browser, opened


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
