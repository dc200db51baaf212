"""Changes planted in the pages of output/: what NumPy says became false is found, and nothing right is accused.

`python -m pytest tests/checking/test_planted_pages.py -m slow` plants more than 2,000 and prints the figures.
"""

import random

import pytest
from output_pages import PAGES, Page
from plain_truth import DEFINITION
from planted_pages import FLAGGED, FOUND, MISSED, NOT_TOLD, figures, plant, plant_definitions

SHORT = ("explainer_chapter_4", "training", "attention_article", "geometry", "explainer_chapter_5")


def of(found, *outcomes):
    return [str(outcome) for outcome in found if outcome.outcome in outcomes]


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("language", ["txt", "tex"])
def test_the_pages_are_true_as_they_are(name, language):
    """By NumPy: most signs can be told, and those are true."""
    page = Page(name, "ja", language).unchanged()
    told = [truth for truths in page.truths for truth in truths]
    assert told.count(True) + told.count(DEFINITION) > 0.8 * len(told)
    assert told.count(False) <= 3  # a letter with another value than above, in a line that compares two runs


def test_what_is_given_is_read_in_markdown():
    """Without the weights no letter but X has a value, and two roundings side by side hold for wrong last digits too."""
    page = Page("two_layers", "ja", "md").unchanged()
    told = [truth for truths in page.truths for truth in truths]
    assert told.count(None) <= 1, f"{told.count(None)} of {len(told)} signs cannot be told"
    assert {"enc1.W_O", "enc2.W_K", "enc1.O", "enc2.K"} <= page.values.known.keys()


@pytest.mark.parametrize("name", SHORT)
def test_what_became_false_is_found(name):
    words = random.Random(name).choice(("en", "ja"))
    found = plant(Page(name, words, "txt"), 1, 16, 1) + plant(Page(name, words, "tex"), 1, 16, 1)
    assert len(of(found, FOUND)) > 20, figures(found)
    assert not of(found, MISSED, FLAGGED)
    assert len(of(found, NOT_TOLD)) <= 1, of(found, NOT_TOLD)


@pytest.mark.parametrize(("name", "language"), [("training", "html"), ("explainer_chapter_4", "md")])
def test_what_became_false_is_found_in_pages_for_the_web(name, language):
    """Changed where a script takes a formula from; the text that stands there without it stays as it was."""
    found = plant(Page(name, random.Random(name).choice(("en", "ja")), language), 1, 10, 2)
    assert len(of(found, FOUND)) > 4, figures(found)
    assert not of(found, MISSED, FLAGGED)
    assert len(of(found, NOT_TOLD)) <= 1, of(found, NOT_TOLD)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["html", "md"])
def test_a_thousand_changes_in_pages_for_the_web(language, capsys):
    found = []
    for name in PAGES:
        for words in ("en", "ja"):
            found += plant(Page(name, words, language), 2, 24, 12)
    with capsys.disabled():
        print("\n" + figures(found))
        print("\n".join(of(found, MISSED, FLAGGED, NOT_TOLD)))
    assert sum(outcome.kind != "elsewhere" for outcome in found) > 800
    assert not of(found, MISSED, FLAGGED)
    assert len(of(found, NOT_TOLD)) < 0.03 * len(found)


@pytest.mark.slow
def test_two_thousand_changes(capsys):
    found = []
    for name in PAGES:
        for words in ("en", "ja"):
            for language in ("txt", "tex"):
                found += plant(Page(name, words, language), 2, 24, 11)
                found += plant_definitions(Page(name, words, language, against=False), 2, 11)
    with capsys.disabled():
        print("\n" + figures(found))
        print("\n".join(of(found, MISSED, FLAGGED, NOT_TOLD)))
    assert sum(outcome.kind != "elsewhere" for outcome in found) > 2000
    assert not of(found, MISSED, FLAGGED)
    assert len(of(found, NOT_TOLD)) < 0.03 * len(found)
