"""MathML between the lines of Markdown: it is rewritten, and stands in dollars where it stood."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symtransformer.documents.collecting import Collector
from symtransformer.documents.markup import events
from symtransformer.documents.mathml import Element, as_latex, tex_annotation
from symtransformer.documents.placed import Placed, joined, made
from symtransformer.documents.regions import regions

OPENING = re.compile(r"<math(?=[\s>])[^<>]{0,2000}>", re.IGNORECASE)
CLOSING = re.compile(r"</math\s{0,9}>", re.IGNORECASE)
LONGEST, DEPTH = 16_000, 60


def without_elements(text: Placed, found: Collector) -> Placed:
    """The text with `$...$` for each element <math> that is not part of a block of code."""
    if "<math" not in text.text.lower():
        return text
    code = [
        r
        for r in regions(text, Collector(found.name, found.sources))
        if r.kind in ("text", "program", "code", "comment")
    ]
    pieces, done = [], 0
    for opening, end in _whole(text.text):
        start = opening.start()
        if any(r.start <= start < r.end for r in code):
            continue
        formula = _rewritten(text.cut(start, end))
        if formula is None:
            found.problem("mathml", "an element <math> that cannot be read", text.origins[start])
            continue
        sign = "$$" if re.search(r"""display\s*=\s*["']?block""", opening.group()) else "$"
        pieces += [text.cut(done, start), made(sign, text.origins[start]), formula, made(sign, text.origins[end - 1])]
        done = end
    return joined([*pieces, text.cut(done)]) if pieces else text


def _whole(text: str) -> Iterator[tuple[re.Match[str], int]]:
    """The opening tag of each element that ends, and where that is."""
    closing = CLOSING.search(text)
    done = 0
    for opening in OPENING.finditer(text):
        while closing is not None and closing.start() < opening.end():
            closing = CLOSING.search(text, opening.end())
        if closing is None:
            return
        if opening.start() >= done and closing.end() - opening.start() <= LONGEST:
            done = closing.end()
            yield opening, done


def _rewritten(source: Placed) -> Placed | None:
    """The formula of one element, or nothing where its tags do not fit."""
    open_ones: list[Element] = []
    for event in events(source):
        if isinstance(event, Placed):
            if open_ones:
                open_ones[-1].children.append(event)
            continue
        if not event.closes:
            element = Element(event.name, event.origin, event.attributes)
            if open_ones:
                open_ones[-1].children.append(element)
            if not event.empty or not open_ones:
                open_ones.append(element)
        elif not open_ones or open_ones[-1].name != event.name:
            return None
        elif len(open_ones) > 1:
            open_ones.pop()
        if len(open_ones) > DEPTH:
            return None
    whole = open_ones[0] if open_ones else None
    formula = (tex_annotation(whole) or as_latex(whole)).strip() if whole else None
    return formula if formula is not None and formula.text and "$" not in formula.text else None
