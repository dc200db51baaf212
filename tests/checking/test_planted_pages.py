"""Changes planted in the pages of output/: what NumPy says became false is found, and nothing right is accused.

`python -m pytest tests/checking/test_planted_pages.py -m slow -s` plants more than 2,000 and prints the figures.
"""

import random

import pytest
from planted_pages import FLAGGED, MISSED, NOT_TOLD, PAGES, Page, figures, plant, plant_definitions

SHORT = ("explainer_chapter_4", "training", "attention_article", "backpropagation_head", "geometry")


def faults(found):
    return [str(outcome) for outcome in found if outcome.outcome in (MISSED, FLAGGED, NOT_TOLD)]


@pytest.mark.parametrize("name", SHORT)
def test_what_became_false_is_found(name):
    words = random.Random(name).choice(("en", "ja"))
    found = plant(Page(name, words, "txt"), 2, 8, 1) + plant(Page(name, words, "tex"), 2, 8, 1)
    assert len(found) > 25, figures(found)
    assert not faults(found)


@pytest.mark.slow
def test_two_thousand_changes(capsys):
    found = []
    for name in PAGES:
        for words in ("en", "ja"):
            for language in ("txt", "tex"):
                page = Page(name, words, language)
                found += plant(page, 5, 8, 2)
                found += plant_definitions(Page(name, words, language, against=False), 2, 2)
    with capsys.disabled():
        print(figures(found))
    assert sum(outcome.kind != "elsewhere" for outcome in found) > 2000
    assert not faults(found)
