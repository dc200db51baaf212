"""One side of a claim: which names may stand in it, and what it is as an expression."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product
from typing import Any

from sympy import S, Symbol

from symtransformer.claims.heads import families_of, without_heads
from symtransformer.claims.parts import PARTS, Parts, counts_both_ways, is_cut
from symtransformer.claims.subject import Subject
from symtransformer.errors import UnreadableInput
from symtransformer.formulas import have_same_formula
from symtransformer.gradients import cotangent_name
from symtransformer.node import Node, as_node, substitute
from symtransformer.operation import unfolded
from symtransformer.operations.entry_formula import EntryFormula
from symtransformer.reading import ReadingError, ReadingShapeError
from symtransformer.reading.claimed_lines import read_matrix_line
from symtransformer.reading.index_formulas import Value
from symtransformer.reading.index_grammar import parsed_formula
from symtransformer.reading.index_heads import heads_apart
from symtransformer.reading.index_marks import Marked, marked
from symtransformer.reading.index_ranges import parts_of, symbol_of
from symtransformer.reading.index_syntax import Delta, Indexed, Named, Part, Total
from symtransformer.reading.index_tokens import IndexTokenizer, Token
from symtransformer.reading.problems import Span, did_you_mean, quoted
from symtransformer.symbols import NAME, Letter

TWO_MEANINGS = re.compile(
    r"\*|\^\s*(?:[0-9]|\{\s*[0-9]+\s*\})"
)  # of A * B, A^2: a product of matrices, or entry by entry
BOLD_ONE = re.compile(r"\\(?:mathbf|mathbb|bm|boldsymbol)\s*\{?\s*1")
IN_NUMPY = re.compile(r"@|(?<![A-Za-z])(?:axis|dim|keepdims?)\s*=")
COLUMN_SUMS = re.compile(r"(?<![A-Za-z])(?:col(?:sum|mean)|axis|dim|(?:sum|mean)[\\!,\s]*\()")


class Sides:
    """The names that may stand in a claim, and its sides read with them."""

    def __init__(self, whole: Marked, subject: Subject, names: Mapping[str, str]) -> None:
        self.whole, self.subject, self.names = whole, subject, dict(names)
        self.text = whole.text
        self.defined: dict[str, Node] = {}
        self.used: set[str] = set()  # names in lines that define
        self.chosen: dict[Node, str] = {}  # parts of the expression to which the claim gives names
        self.heads: dict[str, Symbol] = {}  # letters of heads on the left side, and those of the expression
        self.from_zero: dict[Any, bool] = {}  # of formulas with parts such as [:, 1:3]: how they were counted
        self.beginnings: dict[int, Part] = {}  # where its lines count places from 0, and where from 1
        self.tight = False  # whether A ⊙ B C is (A ⊙ B) C in a formula of matrices
        self.rows = False  # whether a_4 may be row 4 of A in a formula of matrices
        self.numbers: dict[str, Any] = dict(subject.numbers)
        self.take_names()
        if "pi" not in self.nodes:
            self.numbers.setdefault("pi", S.Pi)

    # -- names -------------------------------------------------------------------------------------------------
    def take_names(self) -> None:
        self.nodes = dict(self.subject.nodes)
        for own, meant in self.names.items():
            if not isinstance(own, str) or not NAME.fullmatch(own):
                raise UnreadableInput(f"names: {quoted(str(own))} is not a name of a letter")
            target = marked(str(meant)).text.strip().replace("{", "").replace("}", "")
            if target in self.subject.numbers and target not in self.subject.nodes and own not in self.subject.nodes:
                if self.subject.numbers.get(own, self.numbers[target]) != self.numbers[target]:
                    raise UnreadableInput(f"names: {own} is a size or a number already; choose another name")
                self.numbers[own] = self.numbers[target]
                continue
            known = self.subject.nodes
            if target not in known:
                hint = did_you_mean(target, sorted(known))
                raise UnreadableInput(f"names: {own} is to stand for {quoted(target)}, which is not known here; {hint}")
            hides = own in known and own not in self.subject.usual and known[own] is not known[target]
            gradients = cotangent_name(own), self.subject.gradients.get(target, "")
            if hides or own in self.subject.numbers or self.is_input(gradients[0]):
                raise UnreadableInput(f"names: {own} stands for something else already; choose another name")
            self.nodes[own] = known[target]
            if gradients[0] not in self.names:  # the gradient by it goes with it
                self.nodes.pop(gradients[0], None)
                if gradients[1] in known:
                    self.nodes[gradients[0]] = known[gradients[1]]

    def is_input(self, name: str) -> bool:
        return any(letter.name == name for letter in self.subject.forward.inputs)

    def alone(self, span: Span) -> str:
        """A side alone, everything around it blank, so that places stay."""
        return "".join(c if c == "\n" else " " for c in self.text[: span.start]) + self.text[span.start : span.end]

    # -- sides -------------------------------------------------------------------------------------------------
    def tokens(self, span: Span) -> list[Token]:
        known = {*self.nodes, *self.numbers}
        families = families_of(self.subject.members, self.nodes)
        return IndexTokenizer(self.text, known, span.start, span.end, self.numbers, families).all()

    def parsed(self, span: Span) -> Part:
        part = parsed_formula(self.text, self.tokens(span))
        return heads_apart(
            part, self.subject.members, lambda x, code, said: ReadingError(self.text, x.span, code, said)
        )  # type: ignore[no-any-return]

    def has_indices(self, span: Span) -> bool:
        if is_cut(self.text[span.start : span.end]):
            return False
        try:
            tokens = self.tokens(span)
        except ReadingError as error:
            return error.code == "index" or bool(
                re.search(r"Σ|∑|\\sum(?![A-Za-z])|(?<![A-Za-z])sum\s*_", self.text[span.start : span.end])
            )
        return any(t.kind in ("SUM", "DELTA", "BELOW") or t.indices for t in tokens)

    def matrix(self, span: Span) -> Node:
        return as_matrix(self.matrices(span)[0])

    def matrices(self, span: Span, wanted: Any = None) -> list[Any]:
        """The readings of a matrix formula, or the number that it is; `wanted` are its rows and columns, if known.

        * is the product of matrices, or goes entry by entry; sums of columns are a column or a row.
        """
        text = self.alone(span)
        made, errors = self._readings(text, wanted, False)
        if BOLD_ONE.search(text) and not any(_fits(value, wanted) for value in made):  # ones that are no column
            wider, _ = self._readings(text, wanted, True)
            made = [value for value in wider if _fits(value, wanted)] or made
        if not made and counts_both_ways(text) and isinstance(unlike := most_telling(errors), ReadingShapeError):
            message = f"a part [a:b] counts from 1 here, and ends at b; {unlike.message}"
            raise ReadingError(self.text, span, "part", message)
        if not made:
            raise most_telling(errors)
        return list(dict.fromkeys(made))

    def _readings(self, text: str, wanted: Any, wide: bool) -> tuple[list[Any], list[ReadingError]]:
        made: list[Any] = []
        errors: list[ReadingError] = []
        lying_too, from_zero_too = COLUMN_SUMS.search(text), counts_both_ways(text)
        for lying, from_zero in product((False, True)[: 2 if lying_too else 1], (False, True)[: 2 if from_zero_too else 1]):  # fmt: skip
            found: dict[bool, Any] = {}
            for entrywise, repeating in (False, False), (True, True), (False, True):
                if repeating and not entrywise and (False in found or not TWO_MEANINGS.search(text)):
                    continue  # columns are repeated where a sign may mean the product of matrices, too
                try:
                    how = {
                        "entrywise": entrywise,
                        "repeating": repeating,
                        "lying": lying,
                        "wide": wide,
                        "tight": self.tight,
                    }
                    found[entrywise] = self._read(text, how, wanted, from_zero)
                    if from_zero_too:
                        self.from_zero.setdefault(found[entrywise], from_zero)
                except ReadingError as error:
                    errors.append(error)
            made += self._without_repetition([found[x] for x in sorted(found)], bool(IN_NUMPY.search(text)))
        return made, errors

    def _read(self, text: str, how: Mapping[str, bool], wanted: Any, from_zero: bool = False) -> Any:
        def read(part: str, nodes: Mapping[str, Node], is_whole: bool = True) -> Any:
            value = read_matrix_line(part, nodes, self.numbers, how, wanted if is_whole else None)
            if not isinstance(value, Node):
                return value
            plain = (Letter(n, *node.shape) for n, node in nodes.items())
            rule = {letter: nodes[letter.name] for letter in plain if letter is not nodes[letter.name]}
            return substitute(value, rule) if rule else value

        if not (self.rows or PARTS.search(text)):
            return read(without_heads(text), self.nodes)
        return Parts(self.subject, self.nodes, self.numbers, read, from_zero, self.rows, self.heads).value(text, True)

    def _without_repetition(self, pair: list[Any], entrywise: bool) -> list[Any]:
        """One reading where both say the same; in a text with an @ or an axis, as in NumPy, * goes entry by entry."""
        if len(pair) < 2 or pair[0] is pair[1] or not all(isinstance(x, Node) for x in pair):
            return pair[:1]
        if entrywise:
            return pair[1:]
        return pair[:1] if have_same_formula(unfolded(pair[0]), unfolded(pair[1])) else pair


def _fits(value: Any, wanted: Any) -> bool:
    if wanted is None or not isinstance(value, Node):
        return True
    return all((a - b).expand() == 0 for a, b in zip(value.shape, wanted, strict=True))  # type: ignore[operator]


def as_matrix(value: Any) -> Node:
    """A number as the 1 x 1 matrix that it is."""
    return value if isinstance(value, Node) else as_node([[value]])


def most_telling(errors: list[ReadingError]) -> ReadingError:
    """Sizes that do not fit, rather than what only another way of writing would need."""
    return next((e for e in errors if isinstance(e, ReadingShapeError)), errors[0])


def shape_of(value: Value) -> tuple[Any, Any]:
    return value.rows, value.columns


def matrix_of(value: Value, letters: list[tuple[str, Any]], symbols: dict[str, Symbol], refuse: Any) -> Node:
    """The matrix whose entries are the value for every index; a row fills the columns."""
    i, j = symbol_of("‹i›", symbols), symbol_of("‹j›", symbols)
    sizes: list[Any] = [size for _, size in letters]
    own = [symbol_of(name, symbols) for name, _ in letters]
    if value.is_number and len(letters) <= 2:
        rows, columns = (*sizes, S.One, S.One)[:2]
        row, column = (*own, *(i, j)[len(own) :])
        return EntryFormula.of(rows, columns, row, column, value.number)
    if not letters:
        return EntryFormula.of(value.rows, value.columns, i, j, value.at(i, j))
    if len(letters) == 1 and not value.is_number and (value.rows == 1 or value.columns == 1):
        length = value.columns if value.rows == 1 else value.rows
        return EntryFormula.of(
            sizes[0], length, own[0], j, value.at(S.Zero, j) if value.rows == 1 else value.at(j, S.Zero)
        )
    raise refuse()


def free_indices(part: Any) -> list[str]:
    """The indices of the left side, in order of appearance; what it sums over is not free."""
    found: list[str] = []
    if isinstance(part, (Named, Indexed)):
        found += [x for x in part.indices if not x.isdigit()]
    if isinstance(part, Delta):
        found += [x for x in (part.left, part.right) if not x.isdigit()]
    inner = [x for p in parts_of(part) for x in free_indices(p)]
    if isinstance(part, Total):
        inner = [x for x in inner if x != part.letter] + ([part.condition[1]] if part.condition else [])
    return list(dict.fromkeys([*found, *inner]))
