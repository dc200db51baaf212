"""A heat map of one step: a cell for each entry with its number, dark where it is large."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from symtransformer.derivation import Derivation, Section
from symtransformer.errors import UnreadableInput
from symtransformer.judge import Verified
from symtransformer.notation import Words
from symtransformer.pictures.drawing import as_svg, figure, mathematics, printer_of
from symtransformer.rendering.compose import compose
from symtransformer.rendering.document import HeatMap
from symtransformer.rendering.numbers import Style
from symtransformer.rendering.visible import visible
from symtransformer.symbols import Letter

CELL, MARGIN = 0.75, 1.6  # inches
WHITE_ON = 55  # from this shade on, the number is white
CELLS_AT_MOST = 1600
QUERIES, KEYS = Words("queries", "クエリ"), Words("keys", "キー")


def heat_map(
    subject: Derivation | Verified, step: str, language: str = "en", *, style: Style | None = None
) -> str:  # fmt: skip
    """The entries of a step as cells, darker where they are larger, each with its number, as SVG.

    Of weights, white is 0 and black is 1; of other numbers, white is the least and black the greatest.

    >>> from symtransformer import derive, matrix
    >>> from symtransformer.operations import Softmax
    >>> S = matrix("S", 1, 2)
    >>> picture = heat_map(derive(Softmax(S), values={S: [[0, 1]]}), "Y")
    >>> picture.startswith("<?xml"), "0.7311" in picture
    (True, True)
    """
    block = _block(subject, step, style)
    printer = printer_of(subject, language)
    rows, columns = len(block.rows), len(block.rows[0])
    derivation = subject.derivation if isinstance(subject, Verified) else subject
    title = _caption(derivation, step, printer)
    with figure(columns * CELL + MARGIN, rows * CELL * 0.7 + MARGIN) as (drawn, axes):
        for i, (numbers, shades) in enumerate(zip(block.rows, block.shades, strict=True)):
            for j, (shown, shade) in enumerate(zip(numbers, shades, strict=True)):
                ink = 0 if shade is None else shade
                axes.add_patch(_cell(i, j, ink))
                followed = ("row", i) in block.marks or ("column", j) in block.marks
                color = "white" if ink >= WHITE_ON else "black"
                text = mathematics(printer.number(shown)) if shown.formula is not None else shown.text
                axes.text(j, i, text, ha="center", va="center", color=color, fontweight="bold" if followed else None)
        labels = [visible(printer.words(words)) for words in block.labels]
        heads = [visible(head if isinstance(head, str) else printer.words(head)) for head in block.heads[1:]]
        axes.set_xticks(range(columns), heads, parse_math=False)
        axes.set_yticks(range(rows), labels, parse_math=False)
        axes.set_xlim(-0.5, columns - 0.5)
        axes.set_ylim(rows - 0.5, -0.5)
        axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
        axes.spines[:].set_visible(False)
        if block.caption.key == "heat_weights":
            axes.set_ylabel(printer.words(QUERIES))
            axes.set_xlabel(printer.words(KEYS))
            axes.xaxis.set_label_position("top")
        axes.set_title(visible(title), parse_math=False)
        return as_svg(drawn, title)


def _block(subject: Derivation | Verified, step: str, style: Style | None) -> HeatMap:
    """The map as pages show it, under the values of the derivation."""
    derivation = subject.derivation if isinstance(subject, Verified) else subject
    _letter(derivation, step)
    whole = Section(derivation.title, heat=(step,))
    document = compose(replace(derivation, sections=(whole,)), style=style)
    found = [block for block in document.blocks if isinstance(block, HeatMap)]
    if not found:
        raise UnreadableInput(f"a heat map: {step} has no numbers; give the derivation values")
    if len(found[0].rows) * len(found[0].rows[0]) > CELLS_AT_MOST:
        raise UnreadableInput(f"a heat map: {step} has more than {CELLS_AT_MOST} entries")
    return found[0]


def _letter(derivation: Derivation, name: str) -> Letter:
    letters = {letter.name: letter for letter in derivation.inputs} | {s.name: s.letter for s in derivation.steps}
    if name not in letters:
        raise UnreadableInput(f"a heat map: nothing is named {name[:40]!r}; there are {', '.join(letters)}")
    return letters[name]


def _caption(derivation: Derivation, step: str, printer: Any) -> str:
    """A: attention weights."""
    titles = {s.name: s.title for s in derivation.steps}
    return step + (
        printer.colon + printer.words(titles[step]).replace("{", "").replace("}", "") if step in titles else ""
    )


def _cell(i: int, j: int, shade: int) -> Any:
    from matplotlib.patches import Rectangle

    level = 1 - shade / 100 * 0.95
    return Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor=(level, level, level), edgecolor="0.6", linewidth=0.5)
