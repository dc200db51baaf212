"""The neutral document: blocks that carry trees, numbers and words, never anything's markup.

Every target prints these same blocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sympy import Expr

from symtransformer.derivation import Derivation
from symtransformer.evaluation import Evaluation
from symtransformer.node import Node
from symtransformer.notation import Words
from symtransformer.rendering.arithmetic import Arithmetic
from symtransformer.rendering.numbers import Shown, Style
from symtransformer.rendering.slider_range import SliderRange
from symtransformer.sections import IndexLine
from symtransformer.symbols import Letter

Mark = tuple[str, int]  # ("row", 1): row 1, counted from 0, is followed


@dataclass(frozen=True)
class Grid:
    """A matrix of shown numbers; some of its rows or columns may be followed."""

    cells: tuple[tuple[Shown, ...], ...]
    marks: frozenset[Mark] = frozenset()
    labels: tuple[Words, ...] = ()  # of the rows

    @property
    def exact(self) -> bool:
        return all(cell.exact for row in self.cells for cell in row)

    def is_marked(self, i: int, j: int) -> bool:
        return ("row", i) in self.marks or ("column", j) in self.marks


@dataclass(frozen=True)
class Formula:
    """An expression in letters."""

    tree: Node


@dataclass(frozen=True)
class Filled:
    """An expression with the numbers of its letters put in: whole matrices, or single rows (from 0)."""

    tree: Node
    grids: tuple[tuple[tuple[str, Any, int | None], Grid], ...]  # by name, head and row


@dataclass(frozen=True)
class EntryOf:
    """One entry of a letter, counted from 0."""

    letter: Letter
    i: int
    j: int


@dataclass(frozen=True)
class EntryFormula:
    """The arithmetic of one entry: in letters, or with numbers put in."""

    tree: Arithmetic
    numbers: tuple[tuple[tuple[str, Any, int, int], Shown], ...] | None = None  # by name, head and entry


Term = Grid | Formula | Filled | EntryOf | EntryFormula | Shown | Words


@dataclass(frozen=True)
class Chain:
    """left REL right REL right ...; `followed` where it belongs to the followed row or column."""

    left: Term
    rights: tuple[tuple[str, Term], ...]
    followed: bool = False
    label: Words | None = None
    operands_rounded: bool = False


@dataclass(frozen=True)
class Equations:
    """Chains that stand together: below each other, or, being short, side by side."""

    chains: tuple[Chain, ...]
    side_by_side: bool = False


@dataclass(frozen=True)
class NumberedLine:
    """A line in index notation; the left side is not said again where the line goes on from the one before."""

    number: int
    line: IndexLine
    goes_on: bool = False


@dataclass(frozen=True)
class IndexEquations:
    """Numbered lines below each other, each with the name of its rule; or with a gap for the right side."""

    lines: tuple[NumberedLine, ...]
    rules: bool = True
    blank: bool = False


@dataclass(frozen=True)
class RuleNote:
    """What a rule says, and the first line that uses it."""

    number: int
    rule: Words
    explanation: Words


@dataclass(frozen=True)
class Heading:
    """A title of the page (1), of a section (2), of a step (3)."""

    words: Words
    level: int
    letter: Letter | None = None


@dataclass(frozen=True)
class Paragraph:
    """Words, in which {Q} stands for a letter and {Q:2} for row 2 of it."""

    words: Words


@dataclass(frozen=True)
class Remark:
    """A short line from the catalogue, with what is to be put in."""

    key: str
    fields: tuple[tuple[str, Any], ...] = ()


Cell = Shown | Words | EntryOf | Letter | None


@dataclass(frozen=True)
class Slider:
    """A parameter that may be moved, and what is shown where it starts."""

    parameter: Expr
    range: SliderRange
    scope: int  # of the numbers shown
    chains: tuple[Chain, ...]
    row: tuple[Shown, ...]


@dataclass(frozen=True)
class Table:
    """Cells with a head for each column and, if any, a label for each row."""

    heads: tuple[Any, ...]  # Words, letters, EntryOf, SymPy expressions or texts
    labels: tuple[Words, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: Remark | Words | None = None
    marks: frozenset[Mark] = frozenset()
    slider: Slider | None = None

    @property
    def columns_of_words(self) -> set[int]:
        """The columns that hold words and no numbers."""
        columns = enumerate(zip(*self.rows, strict=True))
        return {k for k, cells in columns if all(c is None or isinstance(c, (Words, Letter)) for c in cells)}


@dataclass(frozen=True)
class HeatMap:
    """Shown numbers with a shade from 0 to 100 for each; None where nothing is shaded."""

    heads: tuple[Any, ...]
    labels: tuple[Words, ...]
    rows: tuple[tuple[Shown, ...], ...]
    shades: tuple[tuple[int | None, ...], ...]
    caption: Remark
    ends: tuple[Shown, Shown] | None = None  # the least and the greatest number; None for weights from 0 to 1
    marks: frozenset[Mark] = frozenset()


@dataclass(frozen=True)
class Statement:
    """Words in which {0}, {1}, ... are these numbers."""

    words: Words
    numbers: tuple[Shown, ...]


@dataclass(frozen=True)
class VerdictBlock:
    """What the judge says of a step, or of the line of this number, where it is not proved."""

    kind: str
    reason: Words | None
    number: int | None = None


@dataclass(frozen=True)
class FlowNode:
    """A step, or something given that several steps use; beside it, what it alone uses. x counts layers."""

    letter: Letter
    is_step: bool
    aside: tuple[Letter, ...]
    x: float
    y: float


@dataclass(frozen=True)
class FlowEdge:
    """From what is used to what uses it, by the numbers of the nodes, through these places."""

    start: int
    end: int
    through: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Flow:
    """How the steps use one another; the results, and the formulas that may stand in the place of their letters."""

    nodes: tuple[FlowNode, ...]
    edges: tuple[FlowEdge, ...]
    results: tuple[Letter, ...]  # which no other step uses
    formulas: tuple[tuple[Letter, Node], ...]


@dataclass(frozen=True)
class FlowPart:
    """A part of a page with its results, and beside it what it alone is given; without a title, a letter that is given."""

    title: Words | None
    results: tuple[Letter, ...]
    given: tuple[Letter, ...]


@dataclass(frozen=True)
class FlowLink:
    """What goes from one part to a later one, by their numbers."""

    start: int
    end: int
    letters: tuple[Letter, ...]


@dataclass(frozen=True)
class PartsFlow:
    """How the parts of a page follow from one another, from top to bottom."""

    parts: tuple[FlowPart, ...]
    links: tuple[FlowLink, ...]


@dataclass(frozen=True)
class LetterValues:
    """A letter by itself: what it is computed from, its numbers as pages show them, and their exact forms."""

    letter: Letter
    formula: Node | None
    grid: Grid | None
    exact: tuple[tuple[Shown | None, ...], ...]


@dataclass(frozen=True)
class ScalarValue:
    """A size or a parameter with its value."""

    symbol: Any
    value: Shown


Block = (
    Heading | Paragraph | Statement | Remark | Equations | Table | HeatMap | VerdictBlock | IndexEquations | RuleNote
    | Flow | PartsFlow | LetterValues | ScalarValue
)  # fmt: skip


@dataclass(frozen=True)
class Behind:
    """What the numbers of a page were computed from, so that they can be computed again for other inputs."""

    derivation: Derivation
    proved: frozenset[str]  # the steps whose definition is known to be what they stand for
    style: Style
    scopes: tuple[tuple[int, Evaluation], ...]  # the values that the sources of numbers speak of
    base: Evaluation  # those that a reader may change
    blank: bool = False  # whether it is a worksheet, which shows the inputs alone


@dataclass(frozen=True)
class Document:
    """A page: title, blocks, and what stands in the comment at its head."""

    title: Words
    blocks: tuple[Block, ...]
    comment: tuple[str, ...]
    behind: Behind | None = None
    name: str = ""  # what it is kept under
    refuted: bool = False  # whether nothing is computed again, since a step is not true
