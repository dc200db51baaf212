"""What a reader does with a page in a real browser, and what is then on it."""

import base64
import hashlib
import json
import re
from functools import cache

import pytest

from symtransformer import render, verify
from symtransformer.cli.derivations import load


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


def planted(page, old, new):
    """The page with something else in one of its scripts, which its head then names."""
    (script,) = [script for script in re.findall(r"<script>(.*?)</script>", page, re.DOTALL) if old in script]
    assert script.count(old) == 1
    digests = [
        base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in (script, script.replace(old, new))
    ]
    assert digests[0] in page
    return page.replace(script, script.replace(old, new)).replace(*digests)


def put_at_once(browser, name, text):
    """As if it had been pasted."""
    browser.execute_script(
        "const field = document.querySelector(`input[aria-label=\"${arguments[0]}\"]`);"
        "document.querySelector('.editor').open = true; field.value = arguments[1]; field.dispatchEvent(new Event('input'));",
        name, text,
    )  # fmt: skip
