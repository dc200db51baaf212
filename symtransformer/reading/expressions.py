r"""Expressions as people write them, in plain text or LaTeX: `read_expression`.

One line is one expression, or `name = expression`; `name: rows columns` gives a size, `#` starts
a comment. A product needs no sign, and a run of capitals is one (`QK^T`); `@`, `*`, `\cdot` are
products too, `⊙` and `\odot` the product entry by entry. Signs of one strength go from left to
right, and what follows a `/` must be clear: `1/2x` is refused. A number in front scales the whole
product: `2 A B` is 2 times A B. A bias is a column named b or b_1, and `X W + b` adds it to every
row, which is the same as `X W + ones(n, 1) b^T` and as `X W + 1 b^T`. `S + causal(n)` is a mask, and
so is a letter whose entries are 0 and −∞; `mask(S, M)` says it in words. A Greek letter in front of
a matrix is a number (`W - eta G`), `W_Q^(2)` is the matrix of head 2, and I the identity matrix.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from sympy import Integer, S, Symbol

from symtransformer.errors import UnreadableInput
from symtransformer.node import Node
from symtransformer.operation import Operation
from symtransformer.reading.grammar import parsed
from symtransformer.reading.heads import with_and_without_head
from symtransformer.reading.names import Names, refuse_calls_of_letters
from symtransformer.reading.problems import START, ReadingError, Span, quoted
from symtransformer.reading.products import Calculation
from symtransformer.reading.result import SIZE, Reading
from symtransformer.reading.size_names import SizeNames, unclear_roots
from symtransformer.reading.sizes import Shape, Sizes
from symtransformer.reading.syntax import Given, Line, Sum, is_constant
from symtransformer.reading.tokens import Tokenizer
from symtransformer.reading.vocabulary import (
    function_named,
    is_size_name,
    known_functions,
)
from symtransformer.symbols import NAME, Letter, Literal, checked_name, dimension, parameter

SHAPE_LINE = re.compile(r"^[ \t]*([A-Za-z][A-Za-z0-9_.]*)[ \t]*:(?![=])[ \t]*([^\n#]*?)[ \t]*(#[^\n]*)?$", re.MULTILINE)
UNSEEN = {0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF, 0x2028, 0x2029}


def read_expression(
    text: str, shapes: Mapping[str, Any] | None = None, *, masks: Iterable[str] = (), matrices: Iterable[str] = ()
) -> Reading:
    """Read one expression, or several lines `name = expression`.

    `shapes` gives sizes by name, as ("n", 3) or "n 3", or says what a letter is: "number", "size",
    or "matrix", "row" or "column" for a small letter. The others are inferred and stand
    in the result. Letters in `masks` have entries 0 and −∞; words in `matrices` are letters.

    >>> from symtransformer.reading import read_expression
    >>> reading = read_expression(r"softmax(\\frac{QK^T}{\\sqrt{d_k}}) V")
    >>> reading.expression, reading.expression.shape
    (softmax(Q K^T / sqrt(d_k)) V, (n, d_v))
    >>> print(reading.shapes_text())
    Q: n d_k  # inferred
    K: m d_k  # inferred
    V: m d_v  # inferred
    # result: n d_v
    """
    if not isinstance(text, str):
        raise UnreadableInput(f"reading an expression: expected text, got {type(text).__name__}")
    return _Reader(text, dict(shapes or {}), frozenset(masks), set(matrices)).read()


def read_number(text: str) -> Any:
    """A number without letters, such as 1/3, -0.25 or sqrt(2)/2; exact.

    >>> from symtransformer.reading.expressions import read_number
    >>> read_number("sqrt(2)/4")
    sqrt(2)/4
    """
    _refuse_unseen(text)
    lines = parsed(text, Tokenizer(text, lambda word: False, ()).all())
    if len(lines) != 1 or lines[0].name or not is_constant(lines[0].value) or isinstance(lines[0].value, Given):
        raise ReadingError(text, Span(0, len(text)), "number", f"{quoted(text)} is no number")
    calculation = Calculation(text, Sizes(()), {}, {}, {}, {}, frozenset(), set(), final=True)
    return calculation.number(lines[0].value)


class _Reader:
    def __init__(self, text: str, shapes: dict[str, Any], masks: frozenset[str], matrices: set[str]) -> None:
        text = text.replace("\r\n", "\n")
        _refuse_unseen(text)
        self.text, self.masks = text, masks
        self.functions = known_functions()
        self.given: dict[str, Shape] = {}
        self.scalars: dict[str, Symbol] = {}
        self.matrices = matrices
        self.plain: set[str] = set()  # small letters of which it is known what they are
        self.sides: dict[str, str] = {}
        self.places: dict[str, Span] = {}  # of the lines that give sizes
        for name, shape in shapes.items():
            self._give(checked_name(name), shape, None)
        self.without_shapes = SHAPE_LINE.sub(self._shape_line, text)

    # -- sizes that are given ---------------------------------------------------------------------------------
    def _shape_line(self, found: re.Match[str]) -> str:
        """A line `Q: n d_k`; blanks stand in its place, so that places stay."""
        self.places[found.group(1)] = Span(found.start(1), found.end(2))
        self._give(found.group(1), found.group(2), self.places[found.group(1)])
        return " " * len(found.group())

    def _give(self, name: str, shape: Any, span: Span | None) -> None:
        def refused(code: str, message: str) -> UnreadableInput:
            if span is None:
                return UnreadableInput(f"the size of {name}: {message}")
            return ReadingError(self.text, span, code, message)

        if not NAME.fullmatch(name):
            raise refused("name", f"{quoted(name)} is no name of a letter")
        if name in self.given or name in self.scalars or name in self.plain:
            raise refused("twice", f"the size of {name} is given twice")
        words = shape.split() if isinstance(shape, str) else list(shape)
        if words in (["number"], ["size"]):
            whole = words == ["size"] or is_size_name(name)
            self.scalars[name] = dimension(name) if whole else parameter(name)
            return
        if words in (["matrix"], ["row"], ["column"]):
            self.plain.add(name)
            self.matrices.add(name)
            self.sides[name] = words[0]
            return
        if len(words) != 2:
            raise refused(
                "size", f"a size is rows and columns, as in {name}: n d_k, or one of number, size, matrix, row, column"
            )
        sizes = []
        for word in words:
            if isinstance(word, str) and not SIZE.fullmatch(word):
                raise refused("size", f"{quoted(word)} is no size; a whole number or a name such as d_k is")
            size: Any = dimension(word) if isinstance(word, str) and not word.isdigit() else word
            size = Integer(int(word)) if isinstance(word, (str, int)) and size is word else size
            if size == 0:
                raise refused("size", "a size is at least 1")
            sizes.append(size)
        self.given[name] = (sizes[0], sizes[1])

    # -- reading ----------------------------------------------------------------------------------------------------
    def read(self) -> Reading:
        named = set(re.findall(r"^[ \t]*([A-Za-z][A-Za-z0-9_]*)[ \t]*&?=", self.without_shapes, re.MULTILINE))
        known = {*self.given, *self.scalars, *named, *self.matrices}
        refuse_calls_of_letters(self.without_shapes, known, self.functions)
        tokens = Tokenizer(self.without_shapes, partial(self._is_function, known), known).all()
        lines = parsed(self.without_shapes, tokens)
        if not lines:
            raise ReadingError(self.text, START, "empty", "there is no expression")
        return self._elaborated(lines)

    def _is_function(self, known: set[str], word: str) -> bool:
        return word not in known and function_named(word, self.functions) is not None

    def _elaborated(self, lines: list[Line]) -> Reading:
        names = self._names(lines)
        for name, span in self.places.items():
            if name not in names.seen and name not in self._steps:
                raise self._refuse(span, "unused", f"{name} has a size, and does not occur")
        for name in names.seen.keys() - self.given.keys() - self.matrices - self.scalars.keys() - self._steps:
            row = None if name in names.numbers else re.fullmatch(r"([ac-z])_([1-9][0-9]*)", name)
            if row and row[1].upper() in names.seen and name not in self._constants:
                message = f"{name} could be row {row[2]} of {row[1].upper()}, which is Row({row[1].upper()}, {int(row[2]) - 1}); else give its size"
                raise self._refuse(names.seen[name], "row", message)
        in_shapes = {symbol.name for shape in self.given.values() for symbol in _symbols(shape)}
        sizes = Sizes({*names.seen, *in_shapes, *self._steps})
        letters = {
            name: self.given.get(name) or self._unknown_shape(name, sizes)
            for name in names.seen
            if name not in names.numbers and name not in self._steps
        }
        scalars = {
            name: self.scalars.get(name)
            or (
                S.Pi
                if name == "pi"
                else dimension(name)
                if name in in_shapes | names.sizes or is_size_name(name)
                else parameter(name)
            )
            for name in names.numbers
            if name not in self._steps
        }
        first = self._pass(lines, sizes, letters, scalars, None)
        first.refuse_repeated_columns()
        taken = {*names.seen, *self._steps, *in_shapes} - {n for n, s in scalars.items() if s.is_integer}
        namer = SizeNames(sizes, taken, {n for n, s in scalars.items() if s.is_integer})
        namer.name_all(letters, first.ones.values(), self.plain)
        final = {name: sizes.shape(shape) for name, shape in letters.items()}
        second = self._pass(lines, sizes, final, scalars, first)
        known = namer.known_by_convention(final)
        nodes = [node for node in second.lines.values() if isinstance(node, Node)]
        for name in with_and_without_head(nodes):
            raise self._refuse(names.seen[name], "index", f"{name} stands with and without the number of a head")
        for name in unclear_roots(nodes, final, known, names.numbers):
            message = (
                f"{name} is the columns of another letter than of what is multiplied; give the sizes, or the number"
            )
            raise self._refuse(names.seen[name], "size", message)
        return self._result(lines, second, scalars, known)

    def _unknown_shape(self, name: str, sizes: Sizes) -> Shape:
        side = self.sides.get(name)
        return (S.One if side == "row" else sizes.fresh(), S.One if side == "column" else sizes.fresh())

    def _names(self, lines: list[Line]) -> Names:
        """The names in use; a line is named once, and used only after it."""
        self._constants = {line.name for line in lines if line.name and is_constant(line.value)}
        numbers = {line.name for line in lines if line.name in self._constants and not isinstance(line.value, Given)}
        self._steps = {line.name for line in lines if line.name} - self._constants
        matrices = {*self.given, *self.matrices, *self._steps, *(self._constants - numbers)}
        names = Names(self.text, self.functions, matrices, {*self.scalars, *numbers})
        done: set[str] = set()
        for k, line in enumerate(lines):
            if line.name in done:
                raise self._refuse(line.name_span, "twice", f"{line.name} is defined twice")
            if not line.name and k > 0 and isinstance(line.value, Sum) and line.value.terms[0][0] == "-":
                message = "a minus at the start of a line without a name: brackets around both lines join them"
                raise self._refuse(line.span, "continuation", message)
            if not line.name and k < len(lines) - 1:
                raise self._refuse(line.span, "no_name", "every line but the last needs a name, as in S = Q K^T")
            before = set(names.seen)
            names.look(line.value)
            for name in names.seen.keys() - before if line.name not in self._constants else ():
                if name in self._steps and name not in done:
                    message = f"{name} is used before the line that defines it"
                    raise self._refuse(names.seen[name], "before", message)
            done.add(line.name)
        for name in self._constants:
            names.seen.setdefault(name, START)
        for name in numbers:
            names.numbers.setdefault(name, START)
        return names

    def _refuse(self, span: Span, code: str, message: str) -> ReadingError:
        return ReadingError(self.text, span, code, message)

    def _pass(
        self, lines: list[Line], sizes: Sizes, letters: Any, scalars: Any, first: Calculation | None
    ) -> Calculation:
        done = Calculation(
            self.text, sizes, letters, scalars, self.functions, self.given, self.masks, self.plain, first is not None
        )
        if first is not None:
            done.ones, done.added_as_columns = first.ones, first.added_as_columns
        for line in lines:  # a value may stand below the line that uses it
            if line.name in self._constants and done.is_mask(line.value):
                done.masks |= {line.name}
        for line in lines:
            if done.is_mask(line.value):
                done.masks |= {line.name}
            if line.name in self._constants:
                continue
            value = done.value(line.value)
            if line.name in self.given:
                if not isinstance(value, Node):
                    raise self._refuse(line.span, "number", f"{line.name} is a number, and a size was given for it")
                value = done.sized(line.value, value, self.given[line.name])
            done.lines[line.name] = value
        return done

    def _result(
        self, lines: list[Line], done: Calculation, scalars: dict[str, Symbol], known: dict[Any, Any]
    ) -> Reading:
        found, values = [], dict(known)
        letters = {name: Letter(name, *shape) for name, shape in done.letters.items()}
        for line in lines:
            if line.name in self._constants:
                value = done.value(line.value)
                values[letters[line.name] if isinstance(value, Literal) else scalars[line.name]] = value
                continue
            value = done.lines[line.name]
            if isinstance(value, Operation):
                found.append((line.name, value))
            elif isinstance(value, Node) or not line.name:
                what = "a bare matrix" if isinstance(value, Node) else "a number"
                raise self._refuse(line.span, "nothing_to_do", f"this is {what}; there is nothing to work out")
        if not found:
            raise self._refuse(lines[0].span, "nothing_to_do", "no line has anything to work out")
        symbols = {name: symbol for name, symbol in scalars.items() if symbol.is_Symbol}  # pi is no letter
        return Reading(self.text, tuple(found), letters, symbols, values, frozenset(self.given))


def names_with_sizes(text: str) -> set[str]:
    """The letters whose size stands in the text."""
    return {found.group(1) for found in SHAPE_LINE.finditer(text)}


def _symbols(shape: Shape) -> set[Any]:
    return {symbol for size in shape for symbol in size.free_symbols}


def _refuse_unseen(text: str) -> None:
    for k, c in enumerate(text):
        if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160 or ord(c) in UNSEEN:
            raise ReadingError(
                text, Span(k, k + 1), "character", f"the character U+{ord(c):04X} is not seen, and not allowed"
            )
