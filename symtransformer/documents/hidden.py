"""What a web page holds and does not show: hidden elements, and what a script has drawn of a formula."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from symtransformer.documents.markup import Tag

RENDERED = ("katex-html", "mathjax_preview", "mathjax", "mathjax_display", "mathjax_svg", "mathjax_chtml", "mjx-chtml")
NOT_SHOWN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
HIDDEN = "an equation that the page hides; it is not read"


@dataclass
class Hidden:
    """An element that a page does not show: what it says."""

    origin: int
    texts: list[str] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)


def is_hidden(tag: Tag) -> bool:
    """By an attribute or by its style."""
    hidden = tag.attributes.get("hidden", "until-found")
    return hidden != "until-found" or tag.attributes.get("aria-hidden") == "true" or is_styled_away(tag)


def is_styled_away(tag: Tag) -> bool:
    """But for a formula, which is read for what is drawn beside it."""
    is_formula = is_rendered(tag) or "math" in tag.attributes.get("class", "").lower()
    return not is_formula and NOT_SHOWN.search(tag.attributes.get("style", "")) is not None


def is_rendered(tag: Tag) -> bool:
    """What KaTeX or MathJax drew."""
    classes = tag.attributes.get("class", "").lower().split()
    return any(word in RENDERED for word in classes)
