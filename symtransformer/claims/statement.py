"""A claim as two expressions that ought to be equal, in every reading that fits."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from sympy import Symbol

from symtransformer.claims.definitions import GRADIENT
from symtransformer.claims.heads import of_each_head, with_names
from symtransformer.claims.jacobians import jacobian_names
from symtransformer.claims.lines import Line, lines_of, without_display
from symtransformer.claims.matrix_lines import MatrixLines
from symtransformer.claims.parts import counts_both_ways
from symtransformer.claims.readings import Reading, Statement
from symtransformer.claims.sides import free_indices, matrix_of, most_telling, shape_of
from symtransformer.claims.slopes import Slopes
from symtransformer.claims.subject import Subject, subject_of
from symtransformer.dialects import LATEX, TEXT
from symtransformer.errors import ShapeError, UnreadableInput
from symtransformer.formulas import have_same_formula
from symtransformer.gradients import cotangent_name
from symtransformer.operation import unfolded
from symtransformer.reading import ReadingError, ReadingShapeError
from symtransformer.reading.index_formulas import HABITS, MIXED, IndexFormula, Value
from symtransformer.reading.index_heads import named_in
from symtransformer.reading.index_marks import PARTIAL, marked, spellings, unknown
from symtransformer.reading.index_ranges import Ranges
from symtransformer.reading.index_syntax import Named, Part
from symtransformer.reading.index_writing import written
from symtransformer.reading.problems import Span
from symtransformer.reading.short_fractions import with_braces
from symtransformer.symbols import Letter
from symtransformer.writing import heads_of, piece_of

QUOTIENT = re.compile(
    r"∂|\\partial(?![A-Za-z])|(?<![A-Za-z0-9_])d[A-Za-z][A-Za-z0-9_]*(?:\{[^{}]*\})?\s*/\s*\(?\s*(d[A-Za-z][A-Za-z0-9]*)"
    r"|\\[dt]?frac\s*\{\s*d[A-Za-z][^{}]*\}\s*\{\s*(d[A-Za-z][A-Za-z0-9]*)"
)

OF_L = re.compile(rf"(?:\\[dt]?frac\s*\{{\s*)?{PARTIAL}(?P<loss>[LJ])\s*(?:/|\}})")


def read_statement(
    text: str, of: Any, names: Mapping[str, str], distributions: Any = (), tight: bool = False
) -> Statement:
    """The claim in `text` about `of`; an error points into the text. `tight`: A ⊙ B C is (A ⊙ B) C."""
    if not isinstance(text, str):
        raise UnreadableInput(f"verify: expected the text of a claim, got {type(text).__name__}")
    text = without_display(with_braces(text.replace("\r\n", "\n")))
    subject = subject_of(of, distributions=distributions)
    if counts_both_ways(text) and (printed := _as_printed(text, subject)) is not None:
        return printed
    whole = marked(with_own_loss(text, subject, names), subject.no_loss, subject.gradients)
    whole = replace(whole, given=text, text=with_names(whole.text, subject.members, subject.nodes))
    try:
        statements = _Statements(whole, subject, names)
        statements.tight = tight
        return _of_every_head(statements)
    except ReadingError as error:
        if (printed := _as_printed(text, subject)) is not None:
            return printed
        raise whole.moved(_explained(error, subject)) from error.__cause__


def _of_every_head(statements: _Statements) -> Statement:
    """The claim; one with dW_Q^(i) on its left side, where the heads have names of their own, is a claim for each."""
    whole = statements.whole
    _, line = lines_of(whole, statements.is_new)
    try:
        texts = of_each_head(whole.text, statements.subject.members, (line.left.start, line.left.end))
    except ValueError as error:
        raise whole.refuse(line.left, "head", str(error)) from error
    if not texts:
        return statements.read()
    each = [replace(_with_text(statements, text).read(), head=str(k)) for k, text in enumerate(texts, 1)]
    return replace(each[0], of_other_heads=tuple(each[1:]))


def _with_text(statements: _Statements, text: str) -> _Statements:
    made = _Statements(replace(statements.whole, text=text), statements.subject, statements.names)
    made.tight = statements.tight
    return made


def with_own_loss(text: str, subject: Subject, others: Container[str] = ()) -> str:
    """∂y/∂x as ∂L/∂x, where y is what the expression is called, one number, and so the loss; places stay."""
    last = subject.forward.steps[-1].letter
    if last.shape != (1, 1) or subject.gradient is None or isinstance(subject.gradient.cotangent, Letter):
        return text
    loss = next((x for x in ("L", "J") if x not in subject.no_loss), "")
    names = {last.name, last.name.lower()} - (subject.nodes.keys() - {last.name}) - subject.numbers.keys()
    names = {x for x in names if x not in others and not re.search(rf"(?:^|[;,\n]|where)\s*{x}\s*=", text)}
    if not names:
        return text
    of_own = (
        rf"({PARTIAL})({'|'.join(map(re.escape, sorted(names)))})(?=\s*(?:/\s*\(?\s*{PARTIAL}|\}}\s*\{{\s*{PARTIAL}))"
    )
    return (
        re.sub(rf"(?<![A-Za-z0-9_]){of_own}", lambda m: m.group(1) + loss.ljust(len(m.group(2))), text)
        if loss
        else text
    )


def _explained(error: ReadingError, subject: Subject) -> ReadingError:
    """The same error; where it names a gradient that does not exist, it says why there is none."""
    found = re.match("'([A-Za-z0-9_.]+)' ", error.message) if error.code == "unknown_name" else None
    word = found.group(1) if found else ""
    names = (*spellings(word), *spellings(word.partition("_")[0]))  # with indices, where its sign is not known
    why = next((subject.without[x] for x in names if x in subject.without), "")
    if why:
        error.message, error.code = why, "no_gradient"
    return error


def _as_printed(text: str, subject: Subject) -> Statement | None:
    """A derived equation exactly as it is printed, where it has signs that are read in no other claim: dY[:, 1:d_v]."""
    given = re.sub(r"\s", "", text)
    for step in subject.steps.values():
        heads = heads_of(step.letter, step.expression)
        for dialect in (TEXT, LATEX):
            shown = " = ".join(piece_of(side, dialect, heads=heads).text for side in (step.letter, step.expression))
            if re.sub(r"\s", "", shown) == given:
                return Statement(subject, (Reading(step.letter, step.expression, shown=shown),), step.letter)
    return None


class _Statements(MatrixLines):
    @cached_property
    def slopes(self) -> Slopes:
        return Slopes(self.subject)

    # -- lines -------------------------------------------------------------------------------------------------
    def read(self) -> Statement:
        definitions, claim = lines_of(self.whole, self.is_new)
        waiting = sorted(
            definitions, key=lambda line: bool(GRADIENT.search(self.text, line.right.start, line.right.end))
        )
        while waiting:  # steps forward before what is made from gradients by them; each after what it is made from
            later: list[Line] = []
            for line in waiting:
                try:
                    self.define(line)
                except ReadingError as error:
                    if error.code != "unknown_name" or len(waiting) == 1:
                        raise
                    later.append(line)
            if len(later) == len(waiting):
                self.define(later[0])  # raises
            waiting = later
        return self._claim(claim)

    # -- the claim ---------------------------------------------------------------------------------------------
    def _claim(self, line: Line) -> Statement:
        pair = jacobian_names(self.text, line.left, self.nodes, self.numbers)
        worked_out = self.has_indices(line.right)  # ∂y_jc/∂x_ia among indices
        for side in (line.right,) if pair is not None else (line.left, line.right):
            self._refuse_derivatives(side, worked_out and side is line.right)
        if pair is not None:
            made = self.jacobians(line, *pair)
            shown = f"∂{written(pair[0])}/∂{written(pair[1])} = {written(self.parsed(line.right))}"
            return Statement(
                self.subject, tuple(Reading(*x.sides, shown=shown, jacobian=x) for x in made), None, made[0]
            )
        if self.has_indices(line.left):
            return self._indexed(line, self.parsed(line.left))
        name = self.text[line.left.start : line.left.end].strip()
        try:
            tokens = self.tokens(line.left)
        except ReadingError:
            tokens = []
        alone = tokens[0].text if len(tokens) == 1 and tokens[0].kind == "NAME" else ""
        if not alone and re.fullmatch(r"[A-Za-z][A-Za-z0-9_.]*", name):
            self._refuse_unknown(line.left, name)
        self._refuse_input(line.left, alone)
        if alone and alone not in self.nodes:
            raise self.whole.refuse(line.left, "number", f"{alone} is a number; a claim is about a matrix")
        if self.has_indices(line.right):
            if not alone:
                raise self.whole.refuse(
                    line.left, "index", "there are indices on the right side and none on the left side"
                )
            return self._indexed_or_of_rows(line, Named(line.left, alone, (), tokens[0].head))
        return self.matrix_claim(line, alone)

    def _refuse_derivatives(self, span: Span, worked_out: bool) -> None:
        """∂A/∂S is no quotient of matrices; among indices ∂a_ij/∂s_il is worked out."""
        for found in QUOTIENT.finditer(self.text, span.start, span.end):
            if (loss := OF_L.match(self.text, found.start())) and loss.group("loss") in self.subject.no_loss:
                name = loss.group("loss")
                other = next(x for x in ("J", "L", "loss") if x not in self.subject.no_loss)
                message = f"{name} is a letter or a step of the expression here, so {name} is not read as the loss; write ∂{other}/∂... or d..., as in dW"
                raise self.whole.refuse(Span(found.start(), found.end()), "derivative", message)
            name = next(filter(None, found.groups()), "")
            if worked_out and not name:
                continue
            if not name or name in self.nodes or f"d{name[1:2].upper()}{name[2:]}" in self.nodes:
                message = "a derivative of something other than the loss stands alone on the left side, as in ∂a_ij/∂s_il = ..., of entries or of rows"  # fmt: skip
                last = self.subject.forward.steps[-1].letter
                if last.shape == (1, 1) and re.match(rf"\W*\w*{PARTIAL}\s*{last.name}(?![A-Za-z0-9_])", self.text[found.start() : span.end]):  # fmt: skip
                    message = (
                        f"{last.name} is the loss here, which is written L in a derivative: ∂L/∂..., or d..., as in dW"
                    )
                raise self.whole.refuse(Span(found.start(), found.end()), "derivative", message)

    def _refuse_unknown(self, span: Span, name: str) -> None:
        if self.subject.gradient is None and name[:1] == "d":
            message = f"there is no gradient of this expression: {self.subject.why_no_gradient}"
            raise self.whole.refuse(span, "no_gradient", message)
        raise self.whole.refuse(span, "unknown_name", unknown(name, self.nodes))

    def _refuse_input(self, span: Span, name: str) -> None:
        """dX = ... where dX is an input: nothing gives it, and the gradient by X has another name."""
        of = next((x for x, made in self.subject.gradients.items() if cotangent_name(x) == name != made), "")
        if of and self.is_input(name):
            made = self.subject.gradients[of]
            why = self.subject.without.get(made) or f"the gradient with respect to {of} is called {made}; write {made} or ∂L/∂{of}"  # fmt: skip
            raise self.whole.refuse(span, "input", f"{name} is an input here, which no formula gives; {why}")

    def _indexed_or_of_rows(self, line: Line, left: Named) -> Statement:
        """In index notation; or, where it is none, of matrices among which a_4 is row 4 of A, or a sum goes over heads."""
        try:
            return self._indexed(line, left)
        except ReadingError:
            try:
                return self.matrix_claim(line, left.name)
            except ReadingError:
                pass
            raise

    def _indexed(self, line: Line, left: Part) -> Statement:
        right = self.parsed(line.right)
        if isinstance(left, Named):
            self._refuse_input(line.left, left.name)
        free = {x: x for x in free_indices(left)}
        heads = {x.head: x.head for x in named_in(left) if x.head}
        every = [*named_in(left), *named_in(right)]
        for name in every if any(x.head for x in every) else ():
            if not name.head and isinstance(getattr(self.nodes.get(name.name), "head", None), Symbol):
                message = (
                    f"which head of {name.name} is meant? write it as {name.name}^(...), as its neighbours have one"
                )
                raise self.whole.refuse(name.span, "head", message)
        if len(heads) > 1 or heads.keys() & free.keys():
            message = f"{' and '.join(heads)} cannot be told apart from other indices on the left side; rename a letter"
            raise self.whole.refuse(line.left, "head", message)
        for index in free:
            if index in self.numbers:
                raise self.whole.refuse(
                    line.left, "index", f"{index} is a size or a number here, not an index; choose another letter"
                )
        readings: list[Reading] = []
        errors: list[ReadingError] = []
        for habit in HABITS:
            try:
                readings.append(self._read_as(line, left, right, free, heads, habit))
            except ReadingError as error:
                errors.append(error)
        if not readings:  # rows of matrices as rows, and x as the column that it is: ∂L/∂w_i = dy_i x^T
            try:
                readings.append(self._read_as(line, left, right, free, heads, MIXED))
            except ReadingError:
                raise most_telling(errors) from None
        if len(readings) == 2 and (
            readings[0].right is readings[1].right or have_same_formula(*(unfolded(r.right) for r in readings))
        ):
            readings = readings[:1]
        meant = self.nodes.get(left.name) if isinstance(left, Named) else None
        return self.stated(line, readings, meant)

    def _read_as(
        self, line: Line, left: Part, right: Part, free: dict[str, str], heads: dict[str, str], habit: str
    ) -> Reading:
        ranges = Ranges(self.text, self.nodes, self.numbers, self.subject.heads, self.beginnings)
        sides = [ranges.bound_apart(side, {**free, **heads}, [k * 1000]) for k, side in enumerate((left, right))]
        ranges.find(*sides)
        symbols: dict[str, Symbol] = {}
        formula = IndexFormula(ranges, habit, symbols, self.slopes)
        values = [formula.value(side) for side in sides]
        for index in free:
            if index not in ranges.sizes:
                raise self.whole.refuse(line.left, "index", f"it is not clear what {index} runs over")
        if values[0].is_number != values[1].is_number or any((a - b).expand() != 0 for a, b in zip(shape_of(values[0]), shape_of(values[1]), strict=True)):  # fmt: skip
            raise self._unlike(line, *values)
        letters = [(x, ranges.sizes[x]) for x in free]
        made = [matrix_of(v, letters, symbols, lambda: self.whole.refuse(line.left, "index", "too many indices at once; claim entries")) for v in values]  # fmt: skip
        return Reading(made[0], made[1], habit, f"{written(left)} = {written(right)}")

    def _unlike(self, line: Line, left: Value, right: Value) -> ReadingError:
        shown = ["a number" if v.is_number else f"{v.rows} x {v.columns}" for v in (left, right)]
        a, b = next(
            ((a, b) for a, b in zip(shape_of(left), shape_of(right), strict=True) if (a - b).expand() != 0),
            (left.columns, right.columns),
        )
        message = f"the left side is {shown[0]} and the right side {shown[1]}: {a} and {b} must be equal"
        error = ReadingShapeError(self.text, line.right, "shapes", message)
        error.__cause__ = ShapeError(message, sides=(a, b))
        return error
