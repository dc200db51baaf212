"""What every printer of a neutral document does alike; a target adds its marks."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

from sympy import Expr, Symbol

from symtransformer.chosen_notation import USUAL, Notation
from symtransformer.dialects import Dialect
from symtransformer.errors import NotSupported
from symtransformer.node import Node
from symtransformer.notation import ADDITION, ATOM, PRODUCT, Piece, Words, from_one
from symtransformer.operations.rows import Row
from symtransformer.operations.transpose import Transpose
from symtransformer.rendering.arithmetic import Arithmetic
from symtransformer.rendering.document import (
    Block,
    Chain,
    Document,
    EntryFormula,
    EntryOf,
    Equations,
    Filled,
    Flow,
    Formula,
    Grid,
    Heading,
    HeatMap,
    IndexEquations,
    Paragraph,
    PartsFlow,
    Remark,
    RuleNote,
    Statement,
    Table,
    Term,
    VerdictBlock,
)  # fmt: skip
from symtransformer.rendering.layout import OwnTemplate, laid_out, laid_out_by
from symtransformer.rendering.numbers import Shown
from symtransformer.rendering.placeholders import PLACEHOLDER
from symtransformer.rendering.words import in_words, sentence
from symtransformer.scalars import decimal_of
from symtransformer.symbols import Letter
from symtransformer.writing import piece_of, written


def _is_minus_one(tree: Any) -> bool:
    return isinstance(tree, Arithmetic) and tree.kind == "number" and tree.parts[0] == -1


class Printer(ABC):
    """One target in one language."""

    template: ClassVar[str] = ""
    takes_template: ClassVar[bool] = True  # of the reader's own
    live: ClassVar[bool] = False  # whether its pages compute
    dialect: Dialect  # of the class: the usual one; of a printer: in its notation

    def __init__(
        self, language: str, letters: dict[str, Letter], heads: frozenset[Any] = frozenset(),
        notation: Notation = USUAL,
    ) -> None:  # fmt: skip
        self.language, self.letters, self.heads = language, letters, heads
        self.dialect = type(self).dialect.chosen(notation)
        self.own_template: OwnTemplate | None = None

    def page(self, document: Document) -> str:
        """The whole page."""
        blocks = [text for block in document.blocks if (text := self.block(block))]
        if self.own_template is not None:
            text = laid_out_by(self.own_template, self.context(document, blocks))
        else:
            text = self.laid_out(document, blocks)
        return "\n".join(line.rstrip() for line in text.rstrip().splitlines()) + "\n"

    def laid_out(self, document: Document, blocks: list[str]) -> str:
        """The blocks in the template of this target."""
        return laid_out(self.template, self.context(document, blocks))

    def context(self, document: Document, blocks: list[str]) -> dict[str, Any]:
        """What a template may use: texts of this target, and what they need."""
        return {
            "comment": self.comment(document.comment), "title": self.escape(self.words(document.title)),
            "blocks": tuple(blocks), "language": self.language, "widest": self.widest(blocks),
            "has_shades": any(isinstance(block, HeatMap) for block in document.blocks),
            "has_wide_tables": any(r"\fittedtable" in text for text in blocks),
            "has_narrowed": any(r"\narrowed" in text for text in blocks),
            "has_drawings": any(r"\begin{tikzpicture}" in text for text in blocks),
            "has_blanks": any(r"\blank" in text or r"\gap" in text for text in blocks),
        }  # fmt: skip

    def widest(self, blocks: list[str]) -> int:
        """Columns of the widest matrix, where a target has to be told."""
        return 0

    def block(self, block: Block) -> str:
        """One block."""
        if isinstance(block, Heading):
            return self.heading(block)
        if isinstance(block, Paragraph):
            return self.paragraph(block)
        if isinstance(block, Equations):
            return self.equations(block) if block.chains else ""
        if isinstance(block, Table):
            return self.table(block)
        if isinstance(block, HeatMap):
            return self.heat_map(block)
        if isinstance(block, Statement):
            return self.statement(block)
        if isinstance(block, VerdictBlock):
            return self.verdict(block)
        if isinstance(block, IndexEquations):
            return self.index_equations(block)
        if isinstance(block, RuleNote):
            return self.rule_note(block)
        if isinstance(block, Flow):
            return self.flow(block)
        if isinstance(block, PartsFlow):
            return self.parts_flow(block)
        if isinstance(block, Remark):
            return self.remark(block)
        raise NotSupported(f"a page has no place for {type(block).__name__}")

    def flow(self, flow: Flow) -> str:
        """How the steps use one another; nothing, where a target draws nothing."""
        return ""

    def parts_flow(self, flow: PartsFlow) -> str:
        """How the parts of the page follow from one another; nothing, where a target draws nothing."""
        return ""

    # -- words ------------------------------------------------------------------------------
    def words(self, words: Words) -> str:
        return self.dialect.notation.in_prose(in_words(words, self.language))

    @property
    def colon(self) -> str:
        return "：" if self.language == "ja" else ": "

    def sentence(self, key: str, **fields: Any) -> str:
        return sentence(key, self.language, fields)

    def remark(self, remark: Remark) -> str:
        fields = dict(remark.fields)
        if remark.key == "followed":
            return self.escape(self.sentence(self.followed_key, what=self._followed(fields)))
        holes = {key: "⟦⟧" if isinstance(value, Expr) else value for key, value in fields.items()}
        text = self.escape(self.sentence(remark.key, **holes))
        for value in fields.values():
            if isinstance(value, Expr):
                text = text.replace("⟦⟧", self.formula(lambda printer, x=value: printer.symbol(x)), 1)  # type: ignore[misc]
        return text

    followed_key: ClassVar[str] = "followed"

    def _followed(self, fields: dict[str, Any]) -> str:
        label = fields["label"]
        if label is None:
            return self.sentence(fields["axis"] + "_plain", number=fields["number"])
        return self.sentence(fields["axis"], number=fields["number"], label=self.words(label))

    def verdict_sentence(self, block: VerdictBlock) -> str:
        reason = "" if block.reason is None else self.words(block.reason)
        return self.sentence(block.kind, reason=reason, number=block.number)

    def with_letters(self, text: str) -> str:
        """Escaped words in which {Q}, {Q:2} and {A:2:1} are a letter, a row, an entry, {W_Q^(2)} that of head 2."""
        parts, end = [], 0
        for found in PLACEHOLDER.finditer(text):
            placed = self.formula(lambda printer, found=found: printer.placed(*found.groups()))  # type: ignore[misc]
            parts += [self.escape(text[end : found.start()]), placed]
            end = found.end()
        return "".join([*parts, self.escape(text[end:])])

    def placed(self, power: str | None, name: str, head: str | None, *indices: str | None) -> str:
        if power:
            return self.dialect.power_of_e.format(self.dialect.scalar(Symbol(name)))
        if name not in self.letters:
            return self.dialect.scalar(Symbol(name))  # a size or a parameter
        letter = self.letters[name] if head is None else self.letters[name].of_head(int(head) - 1)
        given = [k for k in indices if k]
        if not given:
            return written(letter, self.dialect)
        if len(given) == 1 and 1 not in letter.shape:
            return self.dialect.row_of(letter.name, letter.head, given[0])
        return self.dialect.entry_of(letter.name, letter.head, given)

    def statement(self, block: Statement) -> str:
        """Words with their numbers in place."""
        parts = re.split(r"\{(\d+)\}", self.words(block.words))
        numbers = [block.numbers[int(k)] for k in parts[1::2]]
        shown = [self.formula(lambda printer, x=number: printer.number(x)) for number in numbers]  # type: ignore[misc]
        words = [self.with_letters(part) for part in parts[::2]]
        return "".join(text for pair in zip(words, [*shown, ""], strict=True) for text in pair)

    def head(self, head: Any) -> str:
        """The head of a column: words, a letter, an entry, a parameter or plain text."""
        if isinstance(head, (Words, str)):
            return self.escape(head if isinstance(head, str) else self.words(head))
        return self.formula(lambda printer: printer.symbol(head))

    def symbol(self, symbol: Any) -> str:
        """A letter, an entry of it, a size or a number, as mathematics."""
        if isinstance(symbol, EntryOf):
            return self.entry(symbol.letter, symbol.i, symbol.j)
        return written(symbol, self.dialect) if isinstance(symbol, Node) else self.dialect.scalar(symbol)

    def formula(self, write: Callable[[Printer], str]) -> str:
        """Mathematics among words; a target that says formulas twice, for the eye and for the ear, writes it twice."""
        return self.inline(write(self))

    def caption(self, caption: Remark | Words) -> str:
        return self.escape(self.words(caption)) if isinstance(caption, Words) else self.remark(caption)

    # -- terms --------------------------------------------------------------------------------
    def rights(self, chain: Chain) -> list[tuple[str, str, Term]]:
        """The right sides with their signs; what looks like the side before it is not said twice."""
        sides: list[tuple[str, str, Term]] = []
        for sign, term in chain.rights:
            text = self.term(term)
            again = bool(sides) and self.unmarked(text) == self.unmarked(sides[-1][1])
            sides.append((sides.pop()[0] if again else sign, text, term))
        return sides

    def unmarked(self, text: str) -> str:
        """A side without the marks of what is followed."""
        return text

    def term(self, term: Term) -> str:
        """One side of an equation."""
        return self.piece(term).text

    def piece(self, term: Term) -> Piece:
        if isinstance(term, Grid):
            return self.grid_piece(term)
        if isinstance(term, Formula):
            return piece_of(term.tree, self.dialect, heads=self.heads)
        if isinstance(term, Filled):
            return piece_of(term.tree, self.dialect, self._filling(term), self.heads)
        if isinstance(term, EntryOf):
            return Piece(self.entry(term.letter, term.i, term.j))
        if isinstance(term, EntryFormula):
            numbers = None if term.numbers is None else dict(term.numbers)
            return self.arithmetic(term.tree, numbers)
        if isinstance(term, Words):
            return Piece(self.in_math(self.words(term)))
        return Piece(self.number(term))

    def grid_piece(self, grid: Grid) -> Piece:
        """A matrix; a single number stands without brackets."""
        if len(grid.cells) == len(grid.cells[0]) == 1:
            (shown,) = grid.cells[0]
            return Piece(self.number(shown), self.level(shown))
        return Piece(self.grid(grid), ATOM)

    def _filling(self, term: Filled) -> Any:
        grids = dict(term.grids)

        def leaf(node: Node) -> Piece | None:
            if isinstance(node, Letter) and (node.name, node.head, None) in grids:
                return self.grid_piece(grids[(node.name, node.head, None)])
            if isinstance(node, Transpose) and isinstance(letter := node.args[0], Letter):
                grid = grids.get((letter.name, letter.head, None))
                if grid is not None and len(grid.cells) == len(grid.cells[0]) == 1:  # 1 0^T looks like a power of ten
                    return self.dialect.write(node.form(), [Piece(self.grid(grid), ATOM)], [])
            if isinstance(node, Row) and isinstance(letter := node.args[0], Letter):
                return self.grid_piece(grids[(letter.name, letter.head, int(node.args[1]))])
            return None

        return leaf

    def entry(self, letter: Letter, i: int, j: int) -> str:
        # by the letter's own size, so that an entry keeps its name where sizes have become numbers
        rows, cols = self.letters.get(letter.name, letter).shape
        indices = [k for k, size in ((i, rows), (j, cols)) if size != 1] or [i]
        return self.dialect.entry_of(letter.name, from_one(letter.head, self.heads), [str(k + 1) for k in indices])

    def arithmetic(self, tree: Arithmetic, numbers: dict[tuple[str, Any, int, int], Shown] | None) -> Piece:
        """The arithmetic of one entry, in letters or with numbers put in."""
        if tree.kind == "entry":
            letter, i, j = tree.parts
            if numbers is None:
                return Piece(self.entry(letter, i, j))
            shown = numbers[(letter.name, letter.head, i, j)]
            return Piece(self.number(shown), self.level(shown))
        if tree.kind == "shown":
            return Piece(self.number(tree.parts[0]), self.level(tree.parts[0]))
        if tree.kind == "number":
            (value,) = tree.parts
            value = from_one(value, self.heads)
            text = self.dialect.scalar(value)
            return Piece(text, self.level_of(value))
        if tree.kind == "product" and _is_minus_one(tree.parts[0]) and len(tree.parts) > 1:
            rest = tree.parts[1] if len(tree.parts) == 2 else Arithmetic("product", tree.parts[1:])
            return Piece("-" + self.dialect.fenced(self.arithmetic(rest, numbers), PRODUCT), ADDITION)
        parts = [self.arithmetic(part, numbers) if isinstance(part, Arithmetic) else part for part in tree.parts]
        if tree.kind == "sum":
            return self._sum(parts)
        if tree.kind == "product":
            sign = " " if numbers is None else self.dialect.times
            # x / 2 (1 + t) would be read in two ways
            loose = [k == 0 and getattr(part, "kind", "") != "quotient" for k, part in enumerate(tree.parts)]
            fenced = [
                self.dialect.fenced(p, PRODUCT if first else PRODUCT + 1) for p, first in zip(parts, loose, strict=True)
            ]
            return Piece(sign.join(fenced), PRODUCT)
        if tree.kind == "quotient":
            return self.quotient(*parts)
        if tree.kind == "power":
            return self.power(parts[0], self.dialect.scalar(parts[1]))
        if tree.kind == "call":
            return self._call(*parts)
        return self.exponential(parts[0])

    def _call(self, *parts: Any) -> Piece:
        """tanh(x), the root of x, or entry 2 of hardmax(x, y)."""
        name, _, place, *operands = parts
        shown = [operand.text for operand in operands]
        if name == "sqrt":
            return Piece(self.dialect.radical.format(*shown))
        text = self.dialect.called(name, shown)
        return Piece(text if place is None else self.dialect.low(text, [str(place + 1)]))

    def _sum(self, parts: list[Piece]) -> Piece:
        text = parts[0].text
        for part in parts[1:]:
            text += f" - {part.text[1:].lstrip()}" if part.text.startswith("-") else f" + {part.text}"
        return Piece(text, ADDITION)

    def level(self, shown: Shown) -> int:
        """How tightly a shown number binds: -2 must be fenced in a product, 1/3 below a line."""
        if shown.formula is not None:
            return self.level_of(shown.formula)
        return ADDITION if shown.is_negative else ATOM if shown.power is None else PRODUCT - 1

    def level_of(self, value: Expr) -> int:
        if value.is_Add or value.could_extract_minus_sign():
            return ADDITION
        if decimal_of(value):
            return ATOM
        if value.is_Rational or value.is_Mul or value.is_Pow:
            if value.as_numer_denom()[1] != 1:
                return self.dialect.level_of_fraction
            return PRODUCT if value.is_Mul else ATOM
        return ATOM

    # -- what a target answers -------------------------------------------------------------------
    @abstractmethod
    def comment(self, lines: tuple[str, ...]) -> str: ...
    @abstractmethod
    def escape(self, text: str) -> str: ...
    @abstractmethod
    def inline(self, math: str) -> str: ...
    @abstractmethod
    def in_math(self, text: str) -> str: ...
    @abstractmethod
    def heat_map(self, block: HeatMap) -> str: ...
    @abstractmethod
    def heading(self, block: Heading) -> str: ...
    @abstractmethod
    def paragraph(self, block: Paragraph) -> str: ...
    @abstractmethod
    def equations(self, block: Equations) -> str: ...
    @abstractmethod
    def index_equations(self, block: IndexEquations) -> str: ...
    @abstractmethod
    def rule_note(self, block: RuleNote) -> str: ...
    @abstractmethod
    def table(self, block: Table) -> str: ...
    @abstractmethod
    def verdict(self, block: VerdictBlock) -> str: ...
    @abstractmethod
    def grid(self, grid: Grid) -> str: ...
    @abstractmethod
    def number(self, shown: Shown) -> str: ...
    @abstractmethod
    def power(self, base: Piece, exponent: str) -> Piece: ...
    @abstractmethod
    def quotient(self, above: Piece, below: Piece) -> Piece: ...
    @abstractmethod
    def exponential(self, argument: Piece) -> Piece: ...
