r"""The drawing of how the parts of a page follow from one another, by TikZ: boxes below each other, the rest beside them."""

from __future__ import annotations

from collections.abc import Iterable

from symtransformer.rendering.document import FlowPart, PartsFlow
from symtransformer.rendering.parts_flow import lanes_of
from symtransformer.rendering.printer import Printer
from symtransformer.symbols import Letter
from symtransformer.writing import written

WIDE, BESIDE = "88mm", "32mm"  # of a box, and of what is given beside it
GAP, LANE, PORT = 4, 3.4, 1.1  # millimeters between boxes, between lanes, and between arrows at a box


def column(printer: Printer, flow: PartsFlow) -> str:
    """An arrow from each part to the next; what is used later goes down in a lane on the right.

    A row holds a box and, on its left, what is given to it, and is as high as the higher of them.
    """
    return "\n".join(
        [
            r"\begin{tikzpicture}[>=stealth, semithick, rounded corners=2pt, font=\small]",
            rf"\matrix[row sep={GAP}mm, column sep=4mm, inner sep=0pt]{{",
            *(_row(printer, k, part) for k, part in enumerate(flow.parts)),
            "};",
            *(rf"\draw[->, black!50] (g{k}) -- (p{k});" for k, part in enumerate(flow.parts) if part.given),
            *_arrows(flow),
            r"\end{tikzpicture}",
        ]
    )


def _row(printer: Printer, k: int, part: FlowPart) -> str:
    style = "draw" if part.title is not None else "fill=black!7"
    box = rf"\node[{style}, text width={WIDE}, align=flush center, inner sep=3pt] (p{k}) {{{_text(printer, part)}}};"
    given = (
        rf"\node[text width={BESIDE}, align=flush right, inner sep=2pt, font=\small\lineskiplimit2pt\lineskip2pt\relax, text=black!70] (g{k}) {{{_letters(printer, part.given)}}};"
        if part.given
        else ""
    )
    return rf"{given}\pgfmatrixnextcell{box}\\"  # an & may not stand in what another macro reads


def _arrows(flow: PartsFlow) -> Iterable[str]:
    lanes = lanes_of(flow)
    arriving: dict[int, list[int]] = {}
    for link in flow.links:
        if link.end > link.start + 1:
            arriving.setdefault(link.end, []).append(link.start)
    for link in flow.links:
        if link.end == link.start + 1:
            yield rf"\draw[->] (p{link.start}) -- (p{link.end});"
            continue
        lane = (lanes[link.start] + 1) * LANE
        # the nearer lane comes in above, so that no two arrows meet
        sources = sorted(arriving[link.end], key=lambda start: lanes[start])
        up = PORT * ((len(sources) - 1) / 2 - sources.index(link.start)) + PORT / 2
        yield (
            rf"\draw[->] ([yshift=-{PORT}mm]p{link.start}.east) -- ++({lane}mm,0) |- ([yshift={up:g}mm]p{link.end}.east);"
        )


def _text(printer: Printer, part: FlowPart) -> str:
    letters = _letters(printer, part.results)
    if part.title is None:
        return letters
    title = printer.with_letters(printer.words(part.title))
    return rf"{title}\quad \mbox{{{letters}}}" if letters else title


def _letters(printer: Printer, letters: Iterable[Letter]) -> str:
    return ", ".join(f"${written(letter, printer.dialect)}$" for letter in letters)
