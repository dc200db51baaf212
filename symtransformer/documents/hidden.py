"""What a web page holds and does not show: hidden elements, and what a script has drawn of a formula."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from symtransformer.documents.markup import Tag

RENDERED = ("katex-html", "mathjax_preview", "mathjax", "mathjax_display", "mathjax_svg", "mathjax_chtml", "mjx-chtml")
NOT_SHOWN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:opacity|font-size)\s*:\s*0(?![.0-9]*[1-9])",
    re.IGNORECASE,
)
STYLES = re.compile(r"<style\b[^>]{0,500}>(.*?)</style", re.DOTALL | re.IGNORECASE)
IN_PRINT = re.compile(r"@media[^{}]*print[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", re.IGNORECASE)
RULE = re.compile(r"([^{}]{1,500})\{([^{}]{0,2000})\}")
CLASS = re.compile(r"\s*(?:[a-z0-9]{1,10})?\.([\w-]{1,60})\s*", re.IGNORECASE)
HIDDEN = "an equation that the page hides; it is not read"


@dataclass
class Hidden:
    """An element that a page does not show: what it says."""

    origin: int
    texts: list[str] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)


def classes_not_shown(page: str) -> frozenset[str]:
    """The classes of which a style sheet in the page says that they are not shown.

    >>> sorted(classes_not_shown("<style>p.a, .b {display: none} @media print {.c {display: none}}</style>"))
    ['a', 'b']
    """
    rules = (rule for sheet in STYLES.findall(page) for rule in RULE.findall(IN_PRINT.sub("", sheet)))
    found = (CLASS.fullmatch(part) for heads, said in rules if NOT_SHOWN.search(said) for part in heads.split(","))
    return frozenset(match.group(1) for match in found if match is not None)


def is_hidden(tag: Tag, classes: frozenset[str] = frozenset()) -> bool:
    """By an attribute or by its style; `classes` are not shown."""
    hidden = tag.attributes.get("hidden", "until-found")
    return hidden != "until-found" or tag.attributes.get("aria-hidden") == "true" or is_styled_away(tag, classes)


def is_styled_away(tag: Tag, classes: frozenset[str]) -> bool:
    """But for a formula, which is read for what is drawn beside it."""
    own = tag.attributes.get("class", "")
    if is_rendered(tag) or "math" in own.lower() or "katex" in own.lower():
        return False
    is_closed = tag.name == "dialog" and "open" not in tag.attributes
    is_styled = NOT_SHOWN.search(tag.attributes.get("style", "")) is not None
    return is_closed or is_styled or not classes.isdisjoint(own.split())


def is_rendered(tag: Tag) -> bool:
    """What KaTeX or MathJax drew."""
    classes = tag.attributes.get("class", "").lower().split()
    return any(word in RENDERED for word in classes)
