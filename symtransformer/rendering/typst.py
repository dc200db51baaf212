"""Typst of a neutral document: a page that holds all it needs, for `typst compile` or the `pdf` format."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from symtransformer.notation import Words
from symtransformer.rendering.breaking import Marks, Part, parts_of
from symtransformer.rendering.displays import with_joined_displays
from symtransformer.rendering.document import (
    Block,
    Cell,
    Chain,
    Document,
    EntryOf,
    Equations,
    Flow,
    Grid,
    Heading,
    HeatMap,
    IndexEquations,
    NumberedLine,
    Paragraph,
    PartsFlow,
    Remark,
    RuleNote,
    Statement,
    Table,
    VerdictBlock,
)  # fmt: skip
from symtransformer.rendering.elision import upright
from symtransformer.rendering.html_assets import macro
from symtransformer.rendering.html_blocks import HtmlBlocks
from symtransformer.rendering.html_drawings import told
from symtransformer.rendering.index_formulas import IndexFormulas
from symtransformer.rendering.numbers import BLANK, Shown
from symtransformer.rendering.printer import Printer
from symtransformer.rendering.text import TextPrinter
from symtransformer.rendering.ties import tied
from symtransformer.rendering.typst_drawings import WESTERN_STYLE, in_two_fonts
from symtransformer.rendering.typst_terms import TypstTerms
from symtransformer.rendering.typst_text import escape, quoted
from symtransformer.rendering.visible import visible
from symtransformer.symbols import Letter

_DISPLAYED = ("#chains", "#aside", "#numbered", "#lined-table", "#heat-map")
_SIGNS, _SPOKEN = {"=": "=", "≈": "approx"}, {"=": "=", "≈": "≈"}
OPERAND, SIGN = r'#f\("[^"\\]*", \$[^$]*\$\);|[0-9](?:[0-9.,]*[0-9])?', r"−|×|\\[=+/]|[≥≤≈]"  # among words
_GREEK = re.compile(r'#f\("[^"\\]*", \$[^$]*\$\);|([α-ω])')  # small Greek letters among words are mathematics
_STRING = r'"(?:[^"\\]|\\.)*"'
_WITHIN = rf'(?:{_STRING}|[^()"])*'  # brackets, and in brackets four deep
for _ in range(4):
    _WITHIN = rf'(?:{_STRING}|[^()"]|\({_WITHIN}\))*'


def _high(rows: int) -> tuple[str, str]:
    size = f"{1.3 * max(rows, 1) + 0.1:.4g}em"
    return rf"lr(size: #{size}, \()", rf" lr(size: #{size}, \))"


MARKS = Marks(
    re.compile(
        rf'(?P<text>{_STRING})|(?P<whole>\bmat\({_WITHIN}\))|(?P<open>(?<![\w)"^_])\()|(?P<inner>\()|(?P<close>\))'
        r"|(?P<sign> [-+] )|(?P<tight> (?:dot|slash)\.o )"
    ),
    "(", ")", _high, lambda matrix: matrix.count(";") + 1,
)  # fmt: skip
_BLANK_FORMULA = re.compile(r'#f\("___", \$blank\$\);')
LIGHTEST, DARKEST, BLACK_ON = 6, 85, 45  # percent of black in a shaded cell, and up to where its number is black


FEW_WORDS = 1000  # signs of markup
SLICES = 690, 880  # how much of a long drawing the first page holds, and each other one
_STYLE = (
    "path{fill:none;stroke:#444;stroke-width:1.3}.head{fill:#444;stroke:none}rect{fill:#fff;stroke:#000;stroke-width:1.2}"
    ".given{fill:#e4e4e4;stroke:none}text{font-family:'New Computer Modern','BIZ UDMincho'}"
    ".said{font-size:14px;text-anchor:middle}.alone{fill:#444}.i{font-style:italic}.b{font-weight:bold}"
)


class TypstPrinter(TypstTerms):
    """Blocks as calls of the functions at the head of the page; these measure, and break or shrink what is too wide."""

    template = "page.typ.j2"

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.spoken = TextPrinter(*arguments, **options)
        self.drawing = HtmlBlocks(*arguments, **options)

    def page(self, document: Document) -> str:
        return super().page(with_joined_displays(document))

    def laid_out(self, document: Document, blocks: list[str]) -> str:
        for k, following in enumerate(blocks[1:]):
            if following.startswith(_DISPLAYED):
                blocks[k] = re.sub("^#words", "#lead", blocks[k])
        for k in range(len(blocks) - 1, 0, -1):  # and so do the few words before those
            if blocks[k].startswith(("#lead", "#verdict")) and len(blocks[k - 1]) < FEW_WORDS:
                blocks[k - 1] = re.sub("^#words", "#lead", blocks[k - 1])
        return super().laid_out(document, blocks)

    def comment(self, lines: tuple[str, ...]) -> str:
        return "\n".join("// " + visible(line) for line in lines)

    # -- formulas, for the eye and for the ear -----------------------------------------------------
    def formula(self, write: Callable[[Printer], str]) -> str:
        return f"#{self.code(write)};"

    def code(self, write: Callable[[Printer], str]) -> str:
        """Mathematics with what it is read as: the formula of the text page."""
        return f"f({quoted(write(self.spoken))}, {self.inline(write(self))})"

    def grid(self, grid: Grid) -> str:
        if (column := upright(grid)) is not None:
            return str(self.dialect.suffix["transpose"].format(super().grid(column)))
        return super().grid(grid)

    # -- blocks -----------------------------------------------------------------------------
    def block(self, block: Block) -> str:
        text = super().block(block)
        if isinstance(block, (Paragraph, RuleNote)):
            text = _GREEK.sub(lambda found: f'#f("{found[1]}", ${found[1]}$);' if found[1] else found[0], text)
        return tied(text, OPERAND, SIGN) if isinstance(block, (Paragraph, Remark, Statement)) else text

    def heading(self, block: Heading) -> str:
        if block.level == 1:
            return ""  # the template has it
        title = self.with_letters(self.words(block.words)) if block.letter else escape(self.words(block.words))
        letter = "" if block.letter is None else self.formula(lambda p: p.symbol(block.letter)) + "#h(1em)"
        return f"#heading(level: {block.level - 1})[{letter}{title}]"

    def paragraph(self, block: Paragraph) -> str:
        return f"#words[{self.with_letters(self.words(block.words))}]"

    def remark(self, remark: Remark) -> str:
        return f"#words[{super().remark(remark)}]"

    def statement(self, block: Statement) -> str:
        return f"#words[{_BLANK_FORMULA.sub('#gap;', super().statement(block))}]"

    def verdict(self, block: VerdictBlock) -> str:
        return f"#verdict[{escape(self.verdict_sentence(block))}]"

    def flow(self, flow: Flow | PartsFlow) -> str:
        words, description, drawing = told(self.drawing, flow)
        slices = drawing.slices(*SLICES)
        japanese = self.language == "ja"
        style = _STYLE.replace(".said{", ".said{font-family:'BIZ UDMincho';") + WESTERN_STYLE if japanese else _STYLE
        shown = []
        for top, height in slices:
            boxes = tuple(box for box in drawing.boxes if top <= box.y <= top + height)  # others would be words unseen
            svg = str(macro("standing_alone", replace(drawing, boxes=boxes), style, top, height))
            svg = in_two_fonts(svg) if japanese else svg
            most = "170mm" if len(slices) == 1 else "240mm"
            shown.append(f"#drawing({drawing.width}pt, {height}pt, {most}, {quoted(description)}, {quoted(svg)})")
        return "\n".join([f"#lead[{escape(words)}]\n", *shown])

    parts_flow = flow

    def equations(self, block: Equations) -> str:
        if block.side_by_side:
            return "#aside(\n" + "".join(f"  {self._in_one(chain)},\n" for chain in block.chains) + ")"
        return "#chains(\n" + "".join(self._chain(chain) for chain in block.chains) + ")"

    def _in_one(self, chain: Chain) -> str:
        """A short chain as one formula."""

        def write(printer: Printer) -> str:
            signs = _SIGNS if printer is self else _SPOKEN
            return printer.term(chain.left) + "".join(
                f" {signs[sign]} {right}" for sign, right, _ in printer.rights(chain)
            )

        return self.code(write)

    def _chain(self, chain: Chain) -> str:
        lines = [f"  (left: {self.code(lambda p: p.term(chain.left))}, rights: (\n"]
        for sign, text, term in self.rights(chain):
            lines.append(f"    {self._side(sign, self.spoken.term(term), parts_of(text, MARKS), text)},\n")
        label = "none" if chain.label is None else f"[{escape(self.words(chain.label))}{self.colon.strip()}]"
        note = f"[{escape(self.sentence('operands_rounded'))}]" if chain.operands_rounded else "none"
        lines.append(f"  ), label: {label}, note: {note}, marked: {str(chain.followed).lower()}),\n")
        return "".join(lines)

    def _side(self, sign: str, spoken: str, parts: list[Part], text: str = "") -> str:
        """A sign and what stands behind it, in parts between which a line may end; whole, if a bracket is among these."""
        first, *others = (part.text for part in parts)
        shown = [f"{_SIGNS[sign]} {first}", *others]
        whole = "" if text in ("", " ".join([first, *others])) else f", whole: {self.inline(f'{_SIGNS[sign]} {text}')}"
        if any(part.level for part in parts):
            whole += f", levels: ({', '.join(str(part.level) for part in parts)})"
        return f"side({quoted(f'{sign} {spoken}')}, {', '.join(map(self.inline, shown))}{whole})"

    # -- numbered lines ------------------------------------------------------------------------
    def index_equations(self, block: IndexEquations) -> str:
        return "#numbered(\n" + "".join(self._numbered(block, item) for item in block.lines) + ")"

    def _numbered(self, block: IndexEquations, item: NumberedLine) -> str:
        formulas, spoken = (IndexFormulas(item.line, p.dialect, self.heads) for p in (self, self.spoken))
        words = BLANK.text if block.blank else " ".join(spoken.right())
        parts = [Part(0, text) for text in (["blank"] if block.blank else formulas.right())]
        side = self._side("=", words, parts)
        rule = f"[{escape(self.words(item.line.rule))}]" if block.rules else "none"
        left = f"f({quoted(spoken.left())}, {self.inline(formulas.left())})"
        return (
            f"  (number: {item.number}, left: {left}, again: {str(item.goes_on).lower()}, "
            f"side: {side}, rule: {rule}),\n"
        )

    def rule_note(self, block: RuleNote) -> str:
        rule, words = escape(self.words(block.rule)), self.with_letters(self.words(block.explanation))
        rule = f"#emph[{rule}]" if self.language == "en" else rule  # Japanese has no italics
        return f"#rule-note({block.number})[{rule}{self.colon}][{words}]"

    # -- tables ----------------------------------------------------------------------------------
    def table(self, block: Table) -> str:
        words = block.columns_of_words
        columns = ["left"] * bool(block.labels)
        columns += ["left" if k in words else "right" for k in range(len(block.rows[0]))]
        heads = "".join(f"[{self.head(head)}], " for head in block.heads)
        lines = []
        for i, row in enumerate(block.rows):
            cells = [f"[{escape(self.words(block.labels[i]))}]"] if block.labels else []
            cells += [
                self._cell(cell, ("row", i) in block.marks or ("column", j) in block.marks)
                for j, cell in enumerate(row)
            ]
            lines.append("  " + ", ".join(cells) + ",\n")
        caption = f"[{self.plain_caption(block.caption)}]" if block.caption else "none"
        return f"#lined-table({caption}, ({', '.join(columns)},), ({heads}),\n{''.join(lines)})"

    def plain_caption(self, caption: Remark | Words) -> str:
        return escape(self.words(caption)) if isinstance(caption, Words) else Printer.remark(self, caption)

    def _cell(self, cell: Cell, followed: bool) -> str:
        if cell is None:
            return "[]"
        if isinstance(cell, Words):
            return f"[{escape(self.words(cell))}]"
        if isinstance(cell, Letter):
            return self.code(lambda p: p.symbol(cell))
        if cell is BLANK:
            return "blank"
        if isinstance(cell, EntryOf):
            return self.code(lambda p: p.symbol(cell))
        return self._number(cell, self.marked(cell, followed))

    def _number(self, shown: Shown, math: str) -> str:
        return f"f({quoted(self.spoken.number(shown))}, {self.inline(math)})"

    def heat_map(self, block: HeatMap) -> str:
        heads = "".join(f"[{self.head(head)}], " for head in block.heads)
        lines = []
        for i, (label, row) in enumerate(zip(block.labels, block.rows, strict=True)):
            bold = [("row", i) in block.marks or ("column", j) in block.marks for j in range(len(row))]
            cells = [self._shaded(*cell) for cell in zip(row, block.shades[i], bold, strict=True)]
            lines.append(f"  [{escape(self.words(label))}], " + ", ".join(cells) + ",\n")
        text = f"#heat-map([{self.plain_caption(block.caption)}], {len(block.rows[0])}, ({heads}),\n{''.join(lines)})"
        if block.rows[0][0] is BLANK:
            return text
        if block.ends is None:
            return f"{text}\n#legend[{escape(self.sentence('heat_from_white'))}]"
        low, high = (self.formula(lambda p, x=end: p.number(x)) for end in block.ends)  # type: ignore[misc]
        legend = escape(self.sentence("heat_from_least", low="⟦0⟧", high="⟦1⟧"))
        return f"{text}\n#legend[{legend.replace('⟦0⟧', low).replace('⟦1⟧', high)}]"

    def _shaded(self, shown: Shown, shade: int | None, bold: bool) -> str:
        if shown is BLANK:
            return "blank"
        text = self._number(shown, self.bold(shown) if bold else self.number(shown))
        if shade is None:
            return text
        ink = LIGHTEST + shade * (DARKEST - LIGHTEST) // 100
        return f"shaded({ink}, {text})"
