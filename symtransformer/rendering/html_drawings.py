"""The drawings of a page for the web: SVG within it, and the same told in sentences to whoever does not see it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from markupsafe import Markup

from symtransformer.rendering.document import Flow, PartsFlow
from symtransformer.rendering.html_assets import macro
from symtransformer.rendering.html_terms import HtmlTerms
from symtransformer.rendering.svg_drawing import Drawing, column, graph
from symtransformer.rendering.visible import visible
from symtransformer.symbols import Letter
from symtransformer.writing import written


def drawn_steps(printer: HtmlTerms, flow: Flow) -> Markup:
    """How the steps use one another."""
    drawing = graph(flow, lambda letter: written(letter, printer.dialect))
    made = {k: [flow.nodes[edge.start].letter for edge in flow.edges if edge.end == k] for k in range(len(flow.nodes))}
    given = [node.letter for node in flow.nodes if not node.is_step]
    told = [
        (_names(printer, [node.letter]), [*made[k], *node.aside]) for k, node in enumerate(flow.nodes) if node.is_step
    ]
    return _figure(printer, drawing, printer.sentence("flow_down"), _told(printer, given, told))


def drawn_parts(printer: HtmlTerms, flow: PartsFlow) -> Markup:
    """How the parts of the page follow from one another."""
    twin = printer.twin
    titles = ["" if part.title is None else twin.with_letters(twin.words(part.title)) for part in flow.parts]
    drawing = column(flow, lambda letter: written(letter, printer.dialect), titles)
    carried = [[x for link in flow.links if link.end == k for x in link.letters] for k in range(len(flow.parts))]
    given = [x for part in flow.parts if part.title is None for x in part.results]
    told = [
        (f"{title} ({_names(printer, part.results)})" if part.results else title, [*carried[k], *part.given])
        for k, (title, part) in enumerate(zip(titles, flow.parts, strict=True))
        if title
    ]
    return _figure(printer, drawing, printer.sentence("flow_parts_down"), _told(printer, given, told))


def _told(printer: HtmlTerms, given: list[Letter], made: list[tuple[str, list[Letter]]]) -> Iterator[str]:
    """The sentences: what is given, and from what each of the others is made."""
    if given:
        yield printer.sentence("flow_given", names=_names(printer, given))
    for name, letters in made:
        if letters:
            yield printer.sentence("flow_made", name=name, names=_names(printer, dict.fromkeys(letters)))


def _names(printer: HtmlTerms, letters: Iterable[Letter]) -> str:
    return printer.twin.dialect.list_separator.join(written(letter, printer.twin.dialect) for letter in letters)


def _figure(printer: HtmlTerms, drawing: Drawing, words: str, told: Iterable[str]) -> Markup:
    name = printer.sentence("flow_name")
    description = visible((" " if printer.language != "ja" else "").join(told))
    place = "flow-" + hashlib.sha256(repr((description, drawing)).encode()).hexdigest()[:8]
    return macro("drawing", place, words, name, description, drawing)
