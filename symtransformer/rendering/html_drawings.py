"""The drawings of a page for the web: SVG within it, and the same told in sentences to whoever does not see it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from markupsafe import Markup

from symtransformer.rendering.document import Flow, PartsFlow
from symtransformer.rendering.html_assets import macro
from symtransformer.rendering.html_terms import HtmlTerms
from symtransformer.rendering.svg_drawing import Drawing, column, graph
from symtransformer.rendering.visible import visible
from symtransformer.symbols import Letter
from symtransformer.writing import written

TALLEST = 1300  # pixels that may be made so small that they stand on one sheet of paper
ON_PAPER = 0.75  # of the size on a screen, where a drawing takes several sheets
SLICES = 900, 1180  # of such a drawing, on the first sheet and on each other one


def drawn(printer: HtmlTerms, flow: Flow | PartsFlow) -> Markup:
    """The drawing with the words above it."""
    words, description, drawing = told(printer, flow)
    place = "flow-" + hashlib.sha256(repr((description, drawing)).encode()).hexdigest()[:8]
    slices = drawing.slices(*SLICES) if drawing.height > TALLEST else []
    return macro("drawing", place, words, printer.sentence("flow_name"), description, drawing, slices, ON_PAPER)


def told(printer: HtmlTerms, flow: Flow | PartsFlow) -> tuple[str, str, Drawing]:
    """The words above a drawing, the sentences that say the same as it does, and the drawing."""
    if isinstance(flow, PartsFlow):
        return printer.sentence("flow_parts_down"), *_parts(printer, flow)
    return printer.sentence("flow_down"), *_steps(printer, flow)


def _steps(printer: HtmlTerms, flow: Flow) -> tuple[str, Drawing]:
    drawing = graph(flow, lambda letter: written(letter, printer.dialect))
    made = {k: [flow.nodes[edge.start].letter for edge in flow.edges if edge.end == k] for k in range(len(flow.nodes))}
    given = [node.letter for node in flow.nodes if not node.is_step]
    steps = [
        (_names(printer, [node.letter]), [*made[k], *node.aside]) for k, node in enumerate(flow.nodes) if node.is_step
    ]
    return _described(printer, given, steps), drawing


def _parts(printer: HtmlTerms, flow: PartsFlow) -> tuple[str, Drawing]:
    twin = printer.twin
    titles = ["" if part.title is None else twin.with_letters(twin.words(part.title)) for part in flow.parts]
    drawing = column(flow, lambda letter: written(letter, printer.dialect), titles)
    carried = [[x for link in flow.links if link.end == k for x in link.letters] for k in range(len(flow.parts))]
    given = [x for part in flow.parts if part.title is None for x in part.results]
    parts = [
        (f"{title} ({_names(printer, part.results)})" if part.results else title, [*carried[k], *part.given])
        for k, (title, part) in enumerate(zip(titles, flow.parts, strict=True))
        if title
    ]
    return _described(printer, given, parts), drawing


def _described(printer: HtmlTerms, given: list[Letter], made: list[tuple[str, list[Letter]]]) -> str:
    """What is given, and from what each of the others is made."""
    sentences = [printer.sentence("flow_given", names=_names(printer, given))] if given else []
    sentences += [
        printer.sentence("flow_made", name=name, names=_names(printer, dict.fromkeys(letters)))
        for name, letters in made
        if letters
    ]
    return visible(("" if printer.language == "ja" else " ").join(sentences))


def _names(printer: HtmlTerms, letters: Iterable[Letter]) -> str:
    return printer.twin.dialect.list_separator.join(written(letter, printer.twin.dialect) for letter in letters)
