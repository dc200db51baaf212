"""HTML of a neutral document: one page that needs no other file, and computes itself again for a reader's numbers."""

from __future__ import annotations

import json
from typing import Any

from markupsafe import Markup

from symtransformer.rendering.document import (
    Block,
    Cell,
    Chain,
    Document,
    Equations,
    Flow,
    Formula,
    Grid,
    Heading,
    HeatMap,
    Paragraph,
    PartsFlow,
    Remark,
    Statement,
    Table,
)  # fmt: skip
from symtransformer.rendering.html_assets import asset, macro
from symtransformer.rendering.html_blocks import BLACK_ON, HtmlBlocks
from symtransformer.rendering.html_drawings import drawn
from symtransformer.rendering.html_terms import with_minus
from symtransformer.rendering.numbers import BLANK, Shown, show_given
from symtransformer.rendering.page_live import Live, general_words, hole, pieces, with_signs
from symtransformer.rendering.visible import visible
from symtransformer.symbols import Letter
from symtransformer.writing import written

HOW_FAR = ("rounded_steps_same", "rounded_steps_end")  # remarks about the numbers of the page


class HtmlPrinter(HtmlBlocks):
    """A whole page; its numbers follow what a reader puts in."""

    live = True

    def page(self, document: Document) -> str:
        self.behind = None if document.behind is None else Live(document.behind)
        self.unchanged = self._why_unchanged(document.refuted)  # as long as it is not said yet
        if (
            self.behind is not None
            and not self.behind.cells
            and not any(_has_slider(block) for block in document.blocks)
        ):
            self.behind = None  # there is nothing to change
        self.general = set() if document.behind is None else set(general_words(document.behind.derivation))
        self.holes = False  # whether numbers are being replaced by where they come from
        self.negative = False  # and are written as negative ones would be
        self.chains: list[dict[str, Any]] = []
        self.tables: list[dict[str, Any]] = []
        return super().page(document)

    def _why_unchanged(self, refuted: bool) -> str:
        """What a reader is told who could expect to change the inputs of such a page."""
        if self.behind is None:
            return self.sentence("html_refuted") if refuted else ""
        if self.behind.too_long:
            return self.sentence("html_too_long")
        return self.sentence("html_too_many", count=self.behind.too_many) if self.behind.too_many else ""

    def page_words(self) -> dict[str, str]:
        blank = self.behind is not None and self.behind.behind.blank
        differs = self.sentence("html_differs_blank") if blank else self.sentence("html_differs")
        own = {"state": self.sentence("html_state"), "differs": differs}
        return super().page_words() | own | {"reset": self.sentence("html_reset")}

    def scripts(self) -> dict[str, Any]:
        if self.behind is None or not self.behind.numbers:
            return {}
        words = {
            "unreadable": self.sentence("html_unreadable", mark=self.dialect.notation.decimal),
            "unhidden": self.sentence("html_unhidden"), "large": self.sentence("html_large"),
            "zero": self.sentence("html_zero"), "negative": self.sentence("html_negative"),
            "infinite": self.sentence("html_infinite"), "undecided": self.sentence("html_undecided"),
            "colon": self.colon, "digits": self.sentence("html_digits"), "from_white": self.sentence("heat_from_white"),
            "from_least": self.sentence("heat_from_least", low="{low}", high="{high}"),
        }  # fmt: skip
        data = self.behind.data() | {
            "chains": self.chains, "tables": self.tables, "words": words, "blackOn": BLACK_ON,
            "decimal": self.dialect.notation.decimal,
        }  # fmt: skip
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        own = [
            asset(name).decode() for name in ("numbers.js", "forms.js", "show.js", "compute.js", "patch.js", "live.js")
        ]
        return {"data": text, "live": [self.behind.script(), *own]}

    # -- numbers as holes ---------------------------------------------------------------------------
    def number(self, shown: Shown) -> str:
        if self.holes and self.behind is not None and (number := self.behind.of(shown)) is not None:
            return hole(number)
        return super().number(shown)

    def level(self, shown: Shown) -> int:
        """A hole stands in brackets wherever a negative number would."""
        if self.holes and self.behind is not None and self.behind.of(shown) is not None:
            return super().level(Shown("-" if self.negative else "0", False))
        return super().level(shown)

    def template_of(self, term: Any) -> list[Any]:
        self.holes = True
        written: dict[bool, str] = {}
        for self.negative in (True, False):
            written[self.negative] = self.term(term)
        self.holes = False
        return pieces(with_signs(written[True], written[False], self.dialect.parentheses))

    # -- what is computed again -----------------------------------------------------------------------
    def terms(self, chain: Chain) -> list[dict[str, Any]]:
        """All sides of an equation; those that look like the one before them are hidden, and may appear."""
        found: list[dict[str, Any]] = []
        sides = [(sign, self.term(term), term) for sign, term in chain.rights]
        start = 0  # of those that look alike
        for k, (_, tex, term) in enumerate(sides):
            if k and self.unmarked(sides[k - 1][1]) == self.unmarked(tex):
                found[-1]["hidden"] = True
            else:
                start = k
            found.append({"math": self.signed(sides[start][0], tex, term), "hidden": False})
        return found

    def chain(self, chain: Chain) -> dict[str, Any]:
        shown = super().chain(chain)
        if self.behind is None:
            return shown
        kinds = [self.behind.term(term) for _, term in chain.rights]
        if "n" not in kinds and "gone" not in kinds:
            return shown
        if kinds[-1] == "gone":
            return shown | {"mark": self.sentence("html_printed")}
        rights = [
            {
                "kind": kind, "sign": sign, "pieces": self.template_of(term) if kind != "gone" else [],
                "hidden": shown["rights"][k]["hidden"],
            }
            for k, (kind, (sign, term)) in enumerate(zip(kinds, chain.rights, strict=True))
        ]  # fmt: skip
        # where steps are rounded, what stands there is what the next line is computed from
        note = chain.operands_rounded if self.behind.rounding is None else None
        self.chains.append({"rights": rights, "note": note})
        return shown | {"key": len(self.chains) - 1}

    def cell_key(self, cell: Cell) -> str:
        number = (
            self.behind.of(cell) if self.behind is not None and self.following and isinstance(cell, Shown) else None
        )
        return "" if number is None else str(number)

    following = False  # whether the numbers of the table at hand are computed again

    def table_key(self, block: Table | HeatMap) -> str:
        if not self.following:
            return ""
        self.tables.append(
            {"heat": isinstance(block, HeatMap), "weights": isinstance(block, HeatMap) and block.ends is None}
        )
        return str(len(self.tables) - 1)

    def _is_followed(self, block: Table | HeatMap) -> bool:
        """Whether every number of a table can be computed again; the values of a parameter at its left stay."""
        if self.behind is None:
            return False
        first = 1 if isinstance(block, Table) and self._is_sweep(block) else 0
        cells = [cell for row in block.rows for cell in row[first:]]
        return all(isinstance(cell, Shown) and self.behind.of(cell) is not None for cell in cells)

    @staticmethod
    def _is_sweep(block: Table) -> bool:
        return getattr(block.caption, "key", "") == "sweep"

    def heat_map(self, block: HeatMap) -> str:
        self.following = self._is_followed(block)
        return super().heat_map(block)

    def table(self, block: Table) -> str:
        self.following = self._is_followed(block)
        text = super().table(block)
        if block.slider is None or self.behind is None or not self.following:
            return text
        return Markup("{}\n{}").format(text, self.moved(block))

    def mark(self, block: Block) -> str:
        """Of words with numbers, of an author's words, and of tables that stay as they are."""
        if self.behind is None:
            return ""
        if isinstance(block, Paragraph) and self.depth > 2:  # an operation's own words hold for all numbers
            general = block.words in self.general or not any(map(str.isdigit, self.words(block.words)))
            return "" if general else self.sentence("html_printed")
        if isinstance(block, (Table, HeatMap)) and (self.following or _is_blank(block)):
            return ""
        told = isinstance(block, (Paragraph, Statement, Table, HeatMap))
        told = told or (isinstance(block, Remark) and block.key in HOW_FAR)
        return self.sentence("html_printed") if told else ""

    def flow(self, flow: Flow) -> str:
        return drawn(self, flow)

    def parts_flow(self, flow: PartsFlow) -> str:
        return drawn(self, flow)

    def heading(self, block: Heading) -> str:
        """An author's title with numbers in it says that it was written for the original ones."""
        text = super().heading(block)
        if self.behind is None or block.level != 2 or not any(map(str.isdigit, self.words(block.words))):
            return text
        return Markup("{}\n{}").format(text, macro("mark", self.sentence("html_printed"), file="live.html.j2"))

    # -- what a reader changes ------------------------------------------------------------------------
    def equations(self, block: Equations) -> str:
        text = super().equations(block)
        if block.side_by_side and self.unchanged:
            words, self.unchanged = self.unchanged, ""
            return Markup("{}\n{}").format(text, macro("not_changed", words, file="live.html.j2"))
        if self.behind is None or not block.side_by_side:
            return text
        letters = [letter for chain in block.chains if (letter := self.cells_of(chain)) is not None]
        if not letters:
            return text
        blank = self.behind.behind.blank
        hint = self.sentence("html_change_hint_blank") if blank else self.sentence("html_change_hint")
        summary, hints = self.sentence("html_change"), [hint]
        if any(letter["hides"] for letter in letters):
            hints.append(self.sentence("html_change_mask"))
        return Markup("{}\n{}").format(
            text, macro("editor", summary, hints, letters, self.sentence("html_unchanged"), file="live.html.j2")
        )

    def cells_of(self, chain: Chain) -> dict[str, Any] | None:
        """The entries of an input as fields; None where none of them may be changed."""
        (_, grid), left = chain.rights[-1], chain.left
        if self.behind is None or not isinstance(grid, Grid) or not isinstance(left, Formula):
            return None
        if not isinstance(left.tree, Letter):
            return None
        letter, source = left.tree, grid.cells[0][0].source
        if source is None or not self.behind.follows_base(letter, source.scope):
            return None
        rows: list[dict[str, Any]] = []
        for i, row in enumerate(grid.cells):
            label = visible(self.words(grid.labels[i])) if grid.labels else ""
            cells = []
            for j, shown in enumerate(row):
                cell = self.behind.cells.get((letter.name, letter.head, i, j))
                place = {"name": written(letter, self.twin.dialect), "row": i + 1, "column": j + 1}
                name = (
                    self.sentence("html_cell_labeled", label=label, **place)
                    if label
                    else self.sentence("html_cell", **place)
                )
                cells.append({"cell": cell, "name": name, "text": self.typed(shown)})
            rows.append({"label": label, "cells": cells})
        if all(cell["cell"] is None for row in rows for cell in row["cells"]):
            return None
        return {"math": self.letter_of(letter), "rows": rows, "hides": letter.name in self.behind.masks}

    def typed(self, shown: Shown) -> str:
        """A number as a reader would type it."""
        return self.twin.number(shown)

    def moved(self, block: Table) -> Markup:
        slider = block.slider
        assert slider is not None
        assert self.behind is not None
        self.behind.sliders[slider.scope] = slider
        self.behind.scope(slider.scope)
        chains = macro("equations", [self.chain(chain) for chain in slider.chains], False)
        heads = self.heads_of(block)[1:]
        cells = [self.cell(shown, False) for shown in slider.row]
        row = [{"label": None, "followed": False, "cells": cells}]
        table = macro("table", "", heads, row, "", "", "", self.table_key(block))
        name = str(slider.parameter)
        return macro(
            "slider", len(self.behind.sliders) - 1, self.math(self.dialect.scalar(slider.parameter), name), name,
            *map(self.end, (slider.range.low, slider.range.high, slider.range.step, slider.range.start)), chains, table,
            file="live.html.j2",
        )  # fmt: skip

    def end(self, value: Any) -> dict[str, str]:
        """A place of a slider, for the browser and for a reader."""
        shown = show_given(value)
        return {"value": shown.text, "text": with_minus(self.twin.number(shown))}


def _is_blank(block: Table | HeatMap) -> bool:
    """Whether a table of a worksheet is to be filled in."""
    return any(cell is BLANK for row in block.rows for cell in row)


def _has_slider(block: Block) -> bool:
    return isinstance(block, Table) and block.slider is not None
