"""The formulas of an HTML page as a browser sets them, found by Python's own parser: nothing of the package is used."""

from __future__ import annotations

import re
from html.parser import HTMLParser

VOID = {"meta", "input", "br", "link", "img", "hr"}
WITHOUT_WORDS = ("script", "style", "title")


class Formulas(HTMLParser):
    """What stands in data-tex of everything that is shown, and the words around."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.formulas: list[str] = []
        self.words: list[str] = []
        self.hidden: list[str] = []  # formulas
        self.open: list[tuple[bool, bool]] = []  # of each element, whether it is hidden, and a formula
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = dict(attrs)
        hidden = "hidden" in own or any(h for h, _ in self.open)
        if "data-tex" in own:
            (self.hidden if hidden else self.formulas).append(own["data-tex"] or "")
        if tag not in VOID:
            is_formula = "data-tex" in own or tag in WITHOUT_WORDS or any(f for _, f in self.open)
            self.open.append((hidden, is_formula))

    def handle_endtag(self, tag: str) -> None:
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if not any(hidden or formula for hidden, formula in self.open):
            self.words.append(data)


def signs_of_html(page: str) -> int:
    """How many signs relate, in formulas and in words, but for bounds of sums."""
    found = Formulas(page)
    formulas = re.sub(r"_\{[^{}]*\}", "", "\n".join(found.formulas))
    return len(re.findall(r"=|\\approx(?![A-Za-z])", formulas)) + len(re.findall("[=≈]", " ".join(found.words)))
