"""The formulas of an HTML page as a browser sets them, found by Python's own parser: nothing of the package is used."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

from plain_tex import TexTokens
from plain_tokens import Token

VOID = {"meta", "input", "br", "link", "img", "hr"}
WITHOUT_WORDS = ("script", "style", "title")


CHAIN = re.compile(r'<div class="chain[^"]*"')
FORMULA = re.compile(
    r'<div class="(?:left|term)">(?:<span class="label">[^<]*</span>)?<span class="d" data-tex="([^"]*)"'
)
HIDDEN = re.compile(r'<div class="term" hidden>.*?</div>|<div class="slider".*?\n</tbody></table></div>', re.DOTALL)


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


def html_groups(source: str) -> list[list[Token]]:
    """The tokens of each chain of a page: what stands at its left and its terms, without those that are hidden."""
    shown = HIDDEN.sub(lambda found: " " * len(found.group()), source)
    blank = re.compile(r"&(?:amp|lt|gt|quot|#34|#39);")
    page = blank.sub(lambda found: unescape(found.group()).ljust(len(found.group())), shown)
    groups: list[list[Token]] = []
    chains = [found.start() for found in CHAIN.finditer(page)]
    for start, end in zip(chains, [*chains[1:], len(page)], strict=True):
        tokens: list[Token] = []
        for formula in FORMULA.finditer(page, start, end):
            tokens += [t for t in TexTokens(page, *formula.span(1)).all() if t.kind != "cut"]
            if page.startswith("</span></div>\n</div>\n</div>", page.find("</span>", formula.end())):
                break
        groups.append(tokens)
    return groups


def signs_of_html(page: str) -> int:
    """How many signs relate, in formulas and in words, but for bounds of sums."""
    found = Formulas(page)
    formulas = re.sub(r"_\{[^{}]*\}", "", "\n".join(found.formulas))
    return len(re.findall(r"=|\\approx(?![A-Za-z])", formulas)) + len(re.findall("[=≈]", " ".join(found.words)))
