"""In a real browser: 100 random settings of a page, each number of which is the one that Python shows, and so are its tables."""

import random
import sys
from pathlib import Path

import pytest
from chromium import browser

sys.path.insert(0, str(Path(__file__).parents[1] / "rendering"))
from golden_cases import masked_attention
from test_html_numbers import Page, settings_of

from symtransformer import Style, verify
from symtransformer.cli.derivations import load
from symtransformer.errors import NotSupported

pytestmark = pytest.mark.browser
assert browser  # the fixture
SETTINGS = 100

# All settings in one call: numbers into the cells at once, the slider moved by its own event, and what then is on the page.
RUN = """
return arguments[0].map(({ cells, parameters }) => {
  const numbers = cells.map((text, k) => [k, S.read(text, ".")]);
  if (numbers.some(([, number]) => number === null)) return { error: "unread" };
  const problem = take(numbers);
  if (problem !== null) return { error: problem };
  update(() => true);
  tell();
  for (const [k, box] of [...document.querySelectorAll(".slider")].entries()) {
    const input = box.querySelector("input[type=range]");
    input.value = Number(parameters[k].split("/")[0]) / Number(parameters[k].split("/")[1] ?? 1);
    input.dispatchEvent(new Event("input"));
  }
  return {
    numbers: state.shown.map(({ text, power, exact }) => [power === undefined ? text : `${text}e${power}`, exact]),
    cells: [...document.querySelectorAll("td[data-n]")].map((cell) => [Number(cell.dataset.n), cell.textContent]),
  };
});
"""


def of_chapter_4(folder):
    return Page(verify(load("explainer_chapter_4")[1]), folder)


def of_rounded_steps(folder):
    return Page(masked_attention(), folder, Style(round_steps=2))


def shown_by(browser, page, chosen):
    browser.get(page.path.as_uri())
    return browser.execute_script(RUN, [page.setting(*setting) for setting in chosen])


def faults(page, chosen, results):
    """Numbers other than those of Python, and cells of tables other than these numbers; and how many were compared."""
    found, compared = [], 0
    for (cells, slider), result in zip(chosen, results, strict=True):
        if "error" in result:  # as where a sum of rounded exponentials is 0
            assert "0" in result["error"], (cells, result)
            with pytest.raises(NotSupported, match="division by 0"):
                page.differences(cells, slider, {"numbers": [("", True)] * len(page.live.numbers)})
            continue
        wrong, same = page.differences(cells, slider, result)
        texts = [number[0].replace("-", "−", 1) for number in result["numbers"]]
        found += wrong + [(n, text, texts[n]) for n, text in result["cells"] if text != texts[n]]
        compared += same + len(result["cells"])
    return found, compared


@pytest.mark.parametrize(
    ("build", "least"), [(of_chapter_4, 170), (of_rounded_steps, 50)], ids=["chapter 4", "rounded"]
)
def test_random_settings_show_the_digits_of_python(browser, tmp_path, build, least):
    page = build(tmp_path)
    chosen = list(settings_of(page, random.Random(100), SETTINGS))
    found, compared = faults(page, chosen, shown_by(browser, page, chosen))
    assert found == []
    assert compared > 0.9 * SETTINGS * least
    print(f"{compared} numbers under {SETTINGS} settings")


@pytest.mark.parametrize(
    ("old", "new"), [("twice > d ||", "twice > 3n * d ||"), ("cell.textContent = cell.now = text", "cell.now = text")]
)
def test_another_rounding_and_a_table_that_stays_are_found(browser, tmp_path, old, new):
    from pages import planted

    page = of_chapter_4(tmp_path)
    page.path.write_text(planted(page.path.read_text("utf-8"), old, new), "utf-8")
    chosen = list(settings_of(page, random.Random(1), 2))
    assert faults(page, chosen, shown_by(browser, page, chosen))[0]
