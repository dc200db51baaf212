"""A claim as two expressions that ought to be equal, in every reading that fits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sympy import S, Symbol

from symtransformer.claims.jacobians import Jacobian, jacobian_names
from symtransformer.claims.lines import Line, lines_of, without_display
from symtransformer.claims.subject import Subject, subject_of
from symtransformer.derivation import written_out
from symtransformer.errors import ShapeError, UnreadableInput
from symtransformer.formulas import have_same_formula
from symtransformer.node import Node, as_node, postorder, substitute
from symtransformer.operation import unfolded
from symtransformer.operations.entry_formula import EntryFormula
from symtransformer.reading import ReadingError, ReadingShapeError
from symtransformer.reading.claimed_matrices import read_matrix_line
from symtransformer.reading.index_formulas import HABITS, IndexFormula, Value
from symtransformer.reading.index_grammar import parsed_formula
from symtransformer.reading.index_marks import Marked, marked
from symtransformer.reading.index_ranges import Ranges, symbol_of
from symtransformer.reading.index_syntax import Indexed, Named, Part
from symtransformer.reading.index_tokens import IndexTokenizer
from symtransformer.reading.problems import Span, did_you_mean, quoted
from symtransformer.symbols import NAME, Letter

DEFINED = re.compile(r"\s*(?P<base>[A-Za-z][A-Za-z0-9]{0,15})(?:_(?:\{(?P<braced>[^{}]{1,12})\}|(?P<low>[A-Za-z0-9]{1,15})))?\s*")
INDICES = re.compile(r"[a-z](?:\s*,?\s*[a-z])?")


@dataclass(frozen=True)
class Reading:
    """Both sides in terms of the named letters; `habit` says what a row of a matrix was taken for, if it matters."""

    left: Node
    right: Node
    habit: str = ""


@dataclass(frozen=True)
class Statement:
    """What was read: the readings, and the letter whose derived formula is asked for, if it is one."""

    subject: Subject
    readings: tuple[Reading, ...]
    letter: Letter | None
    jacobian: Jacobian | None = None
    notes: tuple[str, ...] = ()


def read_statement(text: str, of: Any, names: Mapping[str, str]) -> Statement:
    """The claim in `text` about `of`; an error points into the text."""
    if not isinstance(text, str):
        raise UnreadableInput(f"verify: expected the text of a claim, got {type(text).__name__}")
    text = without_display(text.replace("\r\n", "\n"))
    subject = subject_of(of)
    last = subject.forward.steps[-1]
    is_loss = last.letter.shape == (1, 1)
    whole = marked(text, {n for n in subject.nodes if not (is_loss and n == last.name)})
    try:
        return _Statements(whole, subject, names).read()
    except ReadingError as error:
        raise whole.moved(error) from error.__cause__


class _Statements:
    def __init__(self, whole: Marked, subject: Subject, names: Mapping[str, str]) -> None:
        self.whole, self.subject, self.names = whole, subject, dict(names)
        self.text = whole.text
        self.defined: dict[str, Node] = {}
        self.numbers: dict[str, Symbol] = dict(subject.numbers)
        self._take_names()

    # -- names -------------------------------------------------------------------------------------------------
    def _take_names(self) -> None:
        self.nodes = dict(self.subject.nodes)
        for own, meant in self.names.items():
            if not isinstance(own, str) or not NAME.fullmatch(own):
                raise UnreadableInput(f"names: {quoted(str(own))} is no name of a letter")
            target = marked(str(meant)).text.strip().replace("{", "").replace("}", "")
            if target in self.numbers and target not in self.nodes:
                self.numbers[own] = self.numbers[target]
                continue
            if target not in self.nodes:
                hint = did_you_mean(target, sorted(self.nodes))
                raise UnreadableInput(f"names: {own} is to stand for {quoted(target)}, which is nothing here; {hint}")
            if own in self.nodes and own not in self.subject.usual and self.nodes[own] is not self.nodes[target]:
                raise UnreadableInput(f"names: {own} stands for something else already; choose another name")
            self.nodes[own] = self.nodes[target]

    # -- lines -------------------------------------------------------------------------------------------------
    def read(self) -> Statement:
        definitions, claim = lines_of(self.whole)
        for line in definitions:
            self._define(line)
        return self._claim(claim)

    def _slice(self, span: Span) -> str:
        """A side alone, everything around it blank, so that places stay."""
        return "".join(c if c == "\n" else " " for c in self.text[: span.start]) + self.text[span.start : span.end]

    def _define(self, line: Line) -> None:
        found = DEFINED.fullmatch(self.text[line.left.start : line.left.end])
        if found is None:
            raise self.whole.refuse(line.left, "definition", "a line that defines has a name on its left side, as in G = dS / sqrt(d_k) or g_ij = ds_ij / sqrt(d_k)")  # fmt: skip
        base, low = found.group("base"), found.group("braced") or found.group("low") or ""
        indices = re.findall(r"[a-z]", low) if INDICES.fullmatch(low) and not {*re.findall("[a-z]", low)} & self.numbers.keys() else []  # fmt: skip
        name = base if indices or not low else f"{base}_{low}"
        for other in {name, name[0].upper() + name[1:]} if indices else {name}:
            if other in self.defined or (other in self.nodes and other not in self.subject.usual) or other in self.numbers:
                if other == name or other in self.subject.steps or other in self.defined:
                    raise self.whole.refuse(line.left, "twice", f"{other} is the name of something else already; choose another")
        node = self._indexed_definition(line, indices) if indices else self._matrix(line.right)
        node = written_out(node, {}) if not self.defined else node
        self._remember(name if name not in self.subject.usual else name, node, line)

    def _indexed_definition(self, line: Line, indices: list[str]) -> Node:
        right = self._parsed(line.right)
        free = {x: x for x in indices}
        if len(free) != len(indices):
            raise self.whole.refuse(line.left, "index", "an index stands twice on the left side of a definition")
        made = []
        for habit in HABITS:
            ranges = Ranges(self.text, self.nodes, self.numbers)
            apart = ranges.bound_apart(right, free, [0])
            ranges.find(apart)
            for index in indices:
                if index not in ranges.sizes:
                    raise self.whole.refuse(line.left, "index", f"the index {index} stands nowhere on the right side")
            symbols: dict[str, Symbol] = {}
            value = IndexFormula(ranges, habit, symbols).value(apart)
            made.append(_matrix_of(value, [(x, ranges.sizes[x]) for x in indices], symbols, lambda: self.whole.refuse(line.right, "index", "more indices than a matrix has")))  # fmt: skip
        if made[0] is not made[1] and not have_same_formula(*map(unfolded, made)):
            raise self.whole.refuse(line.right, "ambiguous", "this depends on whether a row is meant as a row or as a column; write entries")
        return made[0]

    def _remember(self, name: str, node: Node, line: Line) -> None:
        """A defined name; where it is a part of the expression, derivatives by it are known as well."""
        forward_only = {s.name for s in node._free if isinstance(s, Letter)} <= (
            {step.name for step in self.subject.forward.steps} | {letter.name for letter in self.subject.forward.inputs}
        )
        if forward_only and self.subject.source is not None:
            whole = unfolded(written_out(node, self.subject.behind))
            for part in self._parts():
                if part.shape == whole.shape and not isinstance(part, Letter) and have_same_formula(unfolded(part), whole):
                    self._rename(part, name)
                    return
        if name in self.subject.nodes or name[0].upper() + name[1:] in self.subject.steps:
            raise self.whole.refuse(line.left, "twice", f"{name} is a step of the expression, and this is not what it is")
        self.defined[name] = node
        self.nodes[name] = node

    def _parts(self) -> list[Node]:
        return [p for p in postorder(*(unfolded(s.stands_for) for s in self.subject.forward.steps)) if p._children]

    def _rename(self, part: Node, name: str) -> None:
        chosen = {**getattr(self, "_chosen", {}), part: name}
        usable = name if name not in self.nodes or name in self.subject.usual else None
        if usable is None:
            return
        cap = name[0].upper() + name[1:]
        if len(name) == 1 and name.islower() and (cap not in self.nodes or cap in self.subject.usual):
            chosen[part] = cap  # s_ij are the entries of S
        self._chosen = chosen
        self.subject = subject_of(self.subject.source, chosen)
        self.numbers |= self.subject.numbers
        self._take_names()
        self.nodes |= self.defined

    # -- sides -------------------------------------------------------------------------------------------------
    def _parsed(self, span: Span) -> Part:
        known = {*self.nodes, *self.numbers}
        return parsed_formula(self.text, IndexTokenizer(self.text, known, span.start, span.end).all())

    def _has_indices(self, span: Span) -> bool:
        known = {*self.nodes, *self.numbers}
        try:
            tokens = IndexTokenizer(self.text, known, span.start, span.end).all()
        except ReadingError:
            return bool(re.search(r"Σ|∑|\\sum(?![A-Za-z])|(?<![A-Za-z])sum\s*_", self.text[span.start : span.end]))
        return any(t.kind in ("SUM", "DELTA", "BELOW") or t.indices for t in tokens)

    def _matrix(self, span: Span) -> Node:
        readings = self._matrices(span)
        return readings[0]

    def _matrices(self, span: Span) -> list[Node]:
        """The readings of a matrix formula: * as the product of matrices, and entry by entry."""
        text = self._slice(span)
        made: list[Node] = []
        errors: list[ReadingError] = []
        for entrywise in (False, True):
            try:
                _, value = read_matrix_line(text, self.nodes, self.numbers, entrywise)
            except ReadingError as error:
                errors.append(error)
                continue
            if not isinstance(value, Node):
                if value.is_number is False and not value.is_Symbol and value.free_symbols - set(self.numbers.values()):
                    raise self.whole.refuse(span, "number", "a number is no matrix")
                value = as_node([[value]])
            rule = {Letter(n, *node.shape): node for n, node in self.nodes.items() if not (isinstance(node, Letter) and node.name == n and node.head is None)}  # fmt: skip
            made.append(substitute(value, rule) if rule else value)
        if not made:
            raise _most_telling(errors)
        if len(made) == 2 and made[0] is not made[1]:
            if "@" in text:
                return [made[1]]
            if have_same_formula(unfolded(made[0]), unfolded(made[1])):
                return [made[0]]
            return made
        return made[:1]

    # -- the claim ---------------------------------------------------------------------------------------------
    def _claim(self, line: Line) -> Statement:
        pair = jacobian_names(self.text, line.left, {*self.nodes, *self.numbers})
        if pair is not None:
            return self._jacobian(line, *pair)
        if self._has_indices(line.left):
            return self._indexed(line, self._parsed(line.left))
        name = self.text[line.left.start : line.left.end].strip()
        known = IndexTokenizer(self.text, {*self.nodes, *self.numbers}, line.left.start, line.left.end)
        try:
            tokens = known.all()
        except ReadingError:
            tokens = []
        alone = tokens[0].text if len(tokens) == 1 and tokens[0].kind == "NAME" else ""
        if not alone and re.fullmatch(r"[A-Za-z][A-Za-z0-9_.]*", name):
            self._refuse_unknown(line.left, name)
        if alone and alone not in self.nodes:
            raise self.whole.refuse(line.left, "number", f"{alone} is a number; a claim is about a matrix")
        if self._has_indices(line.right):
            if not alone:
                raise self.whole.refuse(line.left, "index", "there are indices on the right side and none on the left side")
            return self._indexed(line, Named(line.left, alone, ()))
        lefts = [self.nodes[alone]] if alone else self._matrices(line.left)
        rights = self._matrices(line.right)
        readings = [self._same_size(line, left, right) for left in lefts for right in rights]
        return self._stated(line, readings, self.nodes[alone] if alone else None)

    def _refuse_unknown(self, span: Span, name: str) -> None:
        if self.subject.gradient is None and name[:1] == "d":
            raise self.whole.refuse(span, "no_gradient", f"there is no gradient of this expression: {self.subject.why_no_gradient}")
        hint = did_you_mean(name, sorted(self.nodes))
        raise self.whole.refuse(span, "unknown_name", f"{quoted(name)} is nothing that is known here; {hint}")

    def _same_size(self, line: Line, left: Node, right: Node) -> Reading:
        for a, b, what in zip(left.shape, right.shape, ("rows", "columns"), strict=True):
            if (a - b).expand() != 0:  # type: ignore[operator]
                shown = " and ".join(" x ".join(map(str, side.shape)) for side in (left, right))
                message = f"the two sides have the sizes {shown}: {a} and {b} {what} must be equal"
                error = ReadingShapeError(self.text, line.right, "shapes", message)
                raise error from ShapeError(message, sides=(a, b))
        return Reading(left, right)

    def _stated(self, line: Line, readings: list[Reading], meant: Node | None) -> Statement:
        letter = meant if isinstance(meant, Letter) and meant.name in self.subject.steps else None
        if letter is not None:
            for reading in readings:
                if letter in reading.right._free:
                    raise self.whole.refuse(line.right, "circular", f"the right side is made from {letter}, which it ought to give")
        return Statement(self.subject, tuple(readings), letter)

    def _indexed(self, line: Line, left: Part) -> Statement:
        right = self._parsed(line.right)
        free = {x: x for x in _free_indices(left)}
        for index in free:
            if index in self.numbers:
                raise self.whole.refuse(line.left, "index", f"{index} is a size or a number here, and no index; choose another letter")
        readings: list[Reading] = []
        errors: list[ReadingError] = []
        for habit in HABITS:
            try:
                readings.append(self._read_as(line, left, right, free, habit))
            except ReadingError as error:
                errors.append(error)
        if not readings:
            raise _most_telling(errors)
        if len(readings) == 2 and (readings[0].right is readings[1].right or have_same_formula(*(unfolded(r.right) for r in readings))):
            readings = readings[:1]
        meant = self.nodes.get(left.name) if isinstance(left, Named) else None
        return self._stated(line, readings, meant)

    def _read_as(self, line: Line, left: Part, right: Part, free: dict[str, str], habit: str) -> Reading:
        ranges = Ranges(self.text, self.nodes, self.numbers)
        sides = [ranges.bound_apart(side, free, [k * 1000]) for k, side in enumerate((left, right))]
        ranges.find(*sides)
        symbols: dict[str, Symbol] = {}
        formula = IndexFormula(ranges, habit, symbols)
        values = [formula.value(side) for side in sides]
        for index in free:
            if index not in ranges.sizes:
                raise self.whole.refuse(line.left, "index", f"it is not clear what {index} runs over")
        if values[0].is_number != values[1].is_number or any((a - b).expand() != 0 for a, b in zip(_shape(values[0]), _shape(values[1]), strict=True)):  # fmt: skip
            raise self._unlike(line, *values)
        letters = [(x, ranges.sizes[x]) for x in free]
        made = [_matrix_of(v, letters, symbols, lambda: self.whole.refuse(line.left, "index", "a claim about so many indices at once; claim entries")) for v in values]  # fmt: skip
        return Reading(made[0], made[1], habit)

    def _unlike(self, line: Line, left: Value, right: Value) -> ReadingError:
        shown = ["a number" if v.is_number else f"{v.rows} x {v.columns}" for v in (left, right)]
        a, b = next(((a, b) for a, b in zip(_shape(left), _shape(right), strict=True) if (a - b).expand() != 0), (left.columns, right.columns))
        message = f"the left side is {shown[0]} and the right side {shown[1]}: {a} and {b} must be equal"
        error = ReadingShapeError(self.text, line.right, "shapes", message)
        error.__cause__ = ShapeError(message, sides=(a, b))
        return error

    def _jacobian(self, line: Line, above: Named, below: Named) -> Statement:
        right = self._parsed(line.right)
        free = {x: x for x in (*above.indices, *below.indices) if not x.isdigit()}
        for name in (above, below):
            if name.name not in self.nodes or not isinstance(self.nodes[name.name], Letter):
                raise self.whole.refuse(name.span, "unknown_name", f"{name.name} is no letter and no step here")
        ranges = Ranges(self.text, self.nodes, self.numbers)
        apart = ranges.bound_apart(right, free, [0])
        ranges.find(above, below, apart)
        symbols: dict[str, Symbol] = {}
        value = IndexFormula(ranges, HABITS[0], symbols).value(apart)
        if not value.is_number:
            raise self.whole.refuse(line.right, "index", "the derivative of one entry by another is a number")
        try:
            jacobian = Jacobian.of(self.subject, self.nodes[above.name], above.indices, self.nodes[below.name], below.indices, value.number, symbols, ranges.sizes)  # type: ignore[arg-type]  # fmt: skip
        except UnreadableInput as error:
            raise self.whole.refuse(line.left, "derivative", str(error)) from error
        return Statement(self.subject, (Reading(*jacobian.sides),), None, jacobian)


def _most_telling(errors: list[ReadingError]) -> ReadingError:
    """Sizes that do not fit, rather than what only another way of writing would need."""
    return next((e for e in errors if isinstance(e, ReadingShapeError)), errors[0])


def _shape(value: Value) -> tuple[Any, Any]:
    return value.rows, value.columns


def _free_indices(part: Any) -> list[str]:
    """The indices of the left side, in order of appearance; what it sums over is not free."""
    from symtransformer.reading.index_ranges import parts_of
    from symtransformer.reading.index_syntax import Delta, Total

    found: list[str] = []
    if isinstance(part, (Named, Indexed)):
        found += [x for x in part.indices if not x.isdigit()]
    if isinstance(part, Delta):
        found += [x for x in (part.left, part.right) if not x.isdigit()]
    inner = [x for p in parts_of(part) for x in _free_indices(p)]
    if isinstance(part, Total):
        inner = [x for x in inner if x != part.letter] + ([part.condition[1]] if part.condition else [])
    return list(dict.fromkeys([*found, *inner]))


def _matrix_of(value: Value, letters: list[tuple[str, Any]], symbols: dict[str, Symbol], refuse: Any) -> Node:
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
        return EntryFormula.of(sizes[0], length, own[0], j, value.at(S.Zero, j) if value.rows == 1 else value.at(j, S.Zero))
    raise refuse()
