"""From what was written to matrices and numbers: once to find the sizes, once to build the nodes.

In the first pass every result is a letter of its size, so that an operation sees sizes only. Where
it refuses two sizes that ought to be equal, unknown ones are chosen so that they are, and it is asked
again; so every operation says by itself what it needs. In the second pass all sizes are known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sympy import Expr, S, Symbol

from symtransformer.arguments import CHOICE, LABEL, LETTER, MATRICES, MATRIX
from symtransformer.errors import LimitExceeded, NotSupported, ShapeError, UnreadableInput
from symtransformer.node import Node
from symtransformer.operation import REGISTRY, Operation
from symtransformer.reading import numbers, syntax
from symtransformer.reading.calls import check_call, check_sizes
from symtransformer.reading.numbers import NumberError
from symtransformer.reading.problems import ReadingError, ReadingShapeError, Span, quoted
from symtransformer.reading.sizes import Shape, Sizes, is_one
from symtransformer.reading.vocabulary import function_named
from symtransformer.symbols import Letter, Literal, head_index

HEAD = head_index("i")
Value = Any  # a Node, or a SymPy number


class Elaboration:
    """One pass over the lines of a text."""

    def __init__(
        self, text: str, sizes: Sizes, letters: Mapping[str, Shape], scalars: Mapping[str, Symbol],
        functions: dict[str, type[Operation]], given: Mapping[str, Shape], masks: frozenset[str],
        plain: set[str], final: bool,
    ) -> None:  # fmt: skip
        self.text, self.sizes, self.letters, self.scalars = text, sizes, letters, scalars
        self.functions, self.given, self.masks, self.plain, self.final = functions, given, masks, plain, final
        self.lines: dict[str, Value] = {}
        self.ones: dict[Span, Any] = {}
        self.added_as_columns: dict[Span, bool] = {}  # sums with a bias
        self.statistics: list[
            tuple[syntax.Syntax, Any]
        ] = []  # columns made of a matrix, and the open size they are made over

    def is_mask(self, part: syntax.Syntax) -> bool:
        raise NotImplementedError

    # -- errors ------------------------------------------------------------------------------------------------
    def refuse(self, place: syntax.Syntax, code: str, message: str) -> ReadingError:
        return ReadingError(self.text, place.span, code, message)

    def slice(self, place: syntax.Syntax) -> str:
        return self.text[place.span.start : place.span.end]

    def apply(self, place: syntax.Syntax, make: Callable[..., Any], *arguments: tuple[syntax.Syntax, Value]) -> Value:
        """What an operation makes of its matrices, unknown sizes chosen as it asks for."""
        while True:
            current = [self.sizes.of(a) if isinstance(a, Letter) else a for _, a in arguments]
            try:
                made = make(*current)
            except ShapeError as error:
                if error.sides is None or not self.sizes.make_equal(*error.sides):
                    raise self._unfitting(place, arguments, error) from error
                continue
            except (UnreadableInput, NotSupported, LimitExceeded) as error:
                raise self.refuse(place, "refused", str(error)) from error
            if self.final or not isinstance(made, Node):
                return made
            self._note_column(place, [x for x in current if isinstance(x, Node)], made)
            return self._placeholder(made.shape)

    def _note_column(self, place: syntax.Syntax, of: list[Node], made: Node) -> None:
        """mean(X), rowsum(X), ...: X has more than one column, unless its size is given."""
        if len(of) == 1 and made.shape[1] == 1:
            self.statistics += [(place, x) for x in of[0].shape if self.sizes.open_in(x) and x not in made.shape]

    def refuse_repeated_columns(self) -> None:
        """X - mean(X), where a matrix would have only one column because a column stands beside it."""
        for place, over in self.statistics:
            if is_one(self.sizes.resolved(over)):
                x = quoted(self.slice(place))[1:-1]
                message = f"{x} is a column, and is not repeated beside a matrix here; write broadcast({x}, d) for d columns, or give the sizes, as in X: n 1"
                raise self.refuse(place, "column", message)

    def sized(self, place: syntax.Syntax, value: Node, shape: Shape) -> Node:
        """The same, its size as it was given."""
        for found, meant in zip(value.shape, shape, strict=True):
            equal = (self.sizes.resolved(found) - meant).expand() == 0
            if not equal and not self.sizes.make_equal(found, meant):
                error = ShapeError("", sides=(found, meant))
                raise self._unfitting(
                    place, [(place, self.sizes.of(value) if isinstance(value, Letter) else value)], error
                )
        return value

    def _placeholder(self, shape: Shape) -> Letter:
        return Letter(self.sizes.fresh_name(), *self.sizes.shape(shape))

    def _unfitting(self, place: syntax.Syntax, arguments: Any, error: ShapeError) -> ReadingShapeError:
        shown = []
        for at, value in arguments:
            if isinstance(value, Node):
                shape = " x ".join(self._size_text(s) for s in value.shape)
                shown.append(f"{quoted(self.slice(at))[1:-1]} is {shape}")
        sides = error.sides
        unequal = f"{self._size_text(sides[0])} and {self._size_text(sides[1])} must be equal" if sides else str(error)
        message = "; ".join(filter(None, [", ".join(shown), unequal]))
        return ReadingShapeError(self.text, place.span, "shapes", message)

    def _size_text(self, size: Any) -> str:
        size = self.sizes.resolved(size)
        return "?" if any(s in self.sizes.unknown for s in size.free_symbols) else str(size)

    # -- kinds -------------------------------------------------------------------------------------------------
    def value(self, place: syntax.Syntax) -> Value:
        return getattr(self, f"_{type(place).__name__.lower()}")(place)

    def matrix(self, place: syntax.Syntax) -> Node:
        value = self.value(place)
        if not isinstance(value, Node):
            raise self.refuse(place, "number", f"{quoted(self.slice(place))} is a number; a matrix is needed here")
        return value

    def number(self, place: syntax.Syntax) -> Expr:
        value = self.value(place)
        if isinstance(value, Node):
            raise self.refuse(place, "matrix", f"{quoted(self.slice(place))} is a matrix; a number is needed here")
        if value in (S.Infinity, S.NegativeInfinity):
            raise self.refuse(place, "infinity", "∞ can only be an entry of a matrix")
        return value

    def _counted(self, place: syntax.Syntax, make: Callable[..., Expr], *arguments: Any) -> Expr:
        try:
            return make(*arguments)
        except NumberError as error:
            raise self.refuse(place, error.code, str(error)) from None

    def _number(self, place: syntax.Number) -> Value:
        return self._counted(place, numbers.decimal, place.text)

    def _infinity(self, place: syntax.Infinity) -> Value:
        return S.Infinity

    def _word(self, place: syntax.Word) -> Value:
        return self._name(syntax.Name(place.span, place.text))

    def _name(self, place: syntax.Name) -> Value:
        if place.name in self.lines:
            return self.lines[place.name]
        if place.name in self.scalars:
            return self.scalars[place.name]
        if place.name == "I" and "I" not in self.letters:
            return self._identity(place)
        return Letter(place.name, *self.sizes.shape(self.letters[place.name]))

    def _grouped(self, place: syntax.Grouped) -> Value:
        return self.value(place.inner)

    def _onescolumn(self, place: syntax.OnesColumn) -> Value:
        if place.span not in self.ones:
            self.ones[place.span] = self.sizes.fresh()
        rows = self.sizes.resolved(self.ones[place.span])
        return REGISTRY["Ones"](rows, S.One) if self.final else Letter(self.sizes.fresh_name(), rows, 1)

    def _identity(self, place: syntax.Name) -> Value:
        size = self.sizes.resolved(self.ones.setdefault(place.span, self.sizes.fresh()))
        return REGISTRY["Identity"](size) if self.final else Letter(self.sizes.fresh_name(), size, size)

    def _root(self, place: syntax.Root) -> Value:
        value = self.value(place.argument)
        if isinstance(value, Node) and "SquareRoot" in REGISTRY:
            return self.apply(place, REGISTRY["SquareRoot"], (place.argument, value))
        return self._counted(place, numbers.root, self.number(place.argument))

    def _power(self, place: syntax.Power) -> Value:
        base = self.value(place.base)
        if isinstance(base, Node) and isinstance(place.exponent, syntax.Grouped):
            return self._member(place, base)
        if isinstance(base, Node) and _ends_in_transpose(place.exponent):
            raise self.refuse(place.exponent, "exponent", "the inverse of a matrix is no operation here")
        exponent = self.number(place.exponent)
        if not isinstance(base, Node):
            return self._counted(place, numbers.power, base, exponent)
        self._check_power(place, exponent)
        if not exponent.is_Integer or not 1 <= int(exponent) <= 64:  # type: ignore[call-overload]
            what = "the inverse of a matrix is no operation here" if exponent == -1 else "a matrix has powers 1 to 64"
            raise self.refuse(place.exponent, "exponent", what)
        result = base
        for _ in range(int(exponent) - 1):  # type: ignore[call-overload]
            result = self.apply(place, REGISTRY["Product"], (place.base, result), (place.base, base))
        return result

    def _member(self, place: syntax.Power, base: Node) -> Value:
        """W_Q^(2): the matrix of head 2, as it is printed."""
        exponent = self._bracketed_number(place.exponent)
        if exponent is not None and not (exponent.is_Integer and exponent >= 1):
            raise self.refuse(place.exponent, "exponent", "a matrix has powers 1 to 64, and heads 1, 2, ...")
        if exponent is None or not isinstance(place.base, syntax.Name) or place.base.name in self.lines:
            what = "a number in brackets above a letter is that of a head, as in W_Q^(2); a power has no brackets"
            raise self.refuse(place.exponent, "index", what)
        return base.of_head(exponent - 1)  # type: ignore[attr-defined]

    def _bracketed_number(self, place: syntax.Syntax) -> Expr | None:
        while isinstance(place, syntax.Grouped):
            place = place.inner
        plain = isinstance(place, syntax.Number) or (isinstance(place, syntax.Sum) and len(place.terms) == 1)
        return self.number(place) if plain else None

    def _check_power(self, place: syntax.Power, exponent: Expr) -> None:
        """No power that is rather an index, and none of a power."""
        inner = place.base
        while isinstance(inner, syntax.Grouped):
            inner = inner.inner
        if isinstance(inner, syntax.Power):
            raise self.refuse(place.exponent, "exponent", "a power of a power; multiply the exponents")
        if isinstance(place.base, syntax.Name) and exponent.is_Integer and exponent >= 1:
            name = place.base.name
            if exponent == 1 or "_" in name:
                what = f"write {name}^({exponent}) for head {exponent}, ({name})^{exponent} for a power, {name[0]}_{exponent} for a name"
                raise self.refuse(place.exponent, "index", f"{exponent} above {name} could be an index; {what}")

    def _transposed(self, place: syntax.Transposed) -> Value:
        value = self.matrix(place.argument)
        for _ in range(place.times % 2 or 2):
            value = self.apply(place, REGISTRY["Transpose"], (place.argument, value))
        return value

    def _given(self, place: syntax.Given) -> Value:
        rows = []
        for row in place.rows:
            if not isinstance(row, syntax.Given) or any(isinstance(cell, syntax.Given) for cell in row.rows):
                raise self.refuse(place, "matrix", "a matrix has two levels of brackets, as in [[1, 0], [0.5, 1]]")
            rows.append([self._cell(cell) for cell in row.rows])
        return self.apply(place, lambda: Literal(rows))

    def _cell(self, place: syntax.Syntax) -> Expr:
        value = self.value(place)
        if isinstance(value, Node):
            raise self.refuse(place, "matrix", "an entry of a matrix is a number")
        return value

    # -- calls -----------------------------------------------------------------------------------------------------------
    def _operation(self, place: syntax.Call) -> Any:
        return function_named(place.function, self.functions)

    def _call(self, place: syntax.Call) -> Value:
        operation = self._operation(place)
        if operation is None:
            raise self.refuse(place, "unknown_function", f"no operation is called {quoted(place.function)}")
        kinds = {p.name: p.kind for p in operation.parameters}
        arguments = [(part, self._argument(operation, part)) for part in place.arguments]
        for name, part in place.keywords:
            if name not in kinds:
                known = ", ".join(kinds)
                raise self.refuse(part, "keyword", f"{place.function} has no argument {quoted(name)}; it has {known}")
        check_call(place, operation, arguments, self.is_mask, self.refuse)
        keywords = [(part, self._keyword(kinds[name], part)) for name, part in place.keywords]
        check_sizes(place, operation, arguments, keywords, self.refuse)
        count = len(arguments)

        own = hasattr(operation, "of_each_head")  # it makes the families itself
        heads = [p.name for p in operation.parameters if p.kind == LETTER and not own]

        def make(*values: Any) -> Any:
            named = dict(zip((name for name, _ in place.keywords), values[count:], strict=True))
            if not heads or heads[0] in named:
                return operation(*values[:count], **named)
            # a family: its letters belong to the head that is counted
            given = {
                **dict(zip((p.name for p in operation.parameters if p.kind != LETTER), values, strict=False)),
                **named,
            }
            of_head = {k: v.of_head(HEAD) if isinstance(v, Letter) and v.head is None else v for k, v in given.items()}
            return operation(**of_head, **{heads[0]: HEAD})

        return self.apply(place, make, *arguments, *keywords)

    def _argument(self, operation: type[Operation], part: syntax.Syntax) -> Value:
        if isinstance(part, syntax.Name) and any(part.name in p.choices for p in operation.parameters):
            if part.name not in self.letters and part.name not in self.lines:
                return part.name
        return self.value(part)

    def _keyword(self, kind: str, part: syntax.Syntax) -> Value:
        if kind in (CHOICE, LABEL):
            if not isinstance(part, syntax.Word):
                raise self.refuse(part, "keyword", f"expected a word, got {quoted(self.slice(part))}")
            return part.text
        if kind in (MATRIX, MATRICES):
            return self.matrix(part)
        return self.number(part)


def _ends_in_transpose(place: syntax.Syntax) -> bool:
    """W^{-T}."""
    last = place.terms[-1][1] if isinstance(place, syntax.Sum) else place
    return isinstance(last, syntax.Name) and last.name == "T"
