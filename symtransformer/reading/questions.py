"""A question: what is to be worked out, with the values, labels and words that a file gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sympy import Basic, Integer, S

from symtransformer.arguments import SIZE
from symtransformer.derivation import Derivation
from symtransformer.errors import UnreadableInput
from symtransformer.notation import Words
from symtransformer.operation import Operation
from symtransformer.reading.expressions import names_with_sizes, read_expression
from symtransformer.reading.extent import check_extent
from symtransformer.reading.heads import families, misfit
from symtransformer.reading.operation_letters import (
    arguments_of,
    as_expression,
    missing_arguments,
    operation_named,
)
from symtransformer.reading.problems import ReadingError, did_you_mean, quoted
from symtransformer.reading.result import Reading
from symtransformer.reading.values_file import Entry, ValuesFile
from symtransformer.reading.vocabulary import is_bias_name, is_vector_name
from symtransformer.unfolding import derive
from symtransformer.usual_names import derive_named


@dataclass(frozen=True)
class Question:
    """An expression that was read, with what is given for it."""

    reading: Reading
    values: Mapping[Any, Any]
    labels: Mapping[str, tuple[Words, ...]]
    title: Words | None
    operation: type[Operation] | None = None
    sizes: Mapping[Any, Any] = field(default_factory=dict)  # the numbers of sizes, as far as they are known

    def require_values(self) -> None:
        """Every letter has a value."""
        named = {key if isinstance(key, str) else key.name for key in self.values}
        for name, letter in self.reading.letters.items():
            if name not in named:
                rows, columns = letter.shape
                raise UnreadableInput(
                    f"{name} ({rows} x {columns}) has no value; give it in [values], or by a line {name} = [[...]]"
                )

    def derivation(self, stages: bool = True) -> Derivation:
        """The steps from the inputs to the last line."""
        title = self.title or (self.operation.title if self.operation else None)
        check_extent(self.reading, self.sizes)
        named: dict[Any, str] = {}  # a line that says the same as one before it is no step of its own
        for name, node in self.reading.lines:
            named.setdefault(node, name)
        names = {name: node for node, name in named.items()}
        given: dict[str, Any] = {"stages": stages, "title": title, "values": self.values, "labels": self.labels}
        if self.operation is None:
            return derive_named(names, **given)
        return derive(names if len(names) > 1 or "" not in names else self.reading.expression, **given)

    def shapes_text(self) -> str:
        """The sizes of all letters and of the result, as numbers where values say them."""
        return self.reading.shapes_text(self.sizes)


def question(file: ValuesFile, operation: str = "", expression: str = "") -> Question:
    """What a values file asks; `operation` or `expression` stand for what the file does not name."""
    if expression or file.expression:
        if operation or file.operation:
            raise file.error(("expression",), "an operation and an expression; give one of them")
        return _Assembly(file, None, expression or file.expression, own=not expression).question()
    named = operation or file.operation
    if operation and file.operation and operation_named(operation) is not operation_named(file.operation):
        raise file.error(("operation",), f"the file is for {file.operation}, not for {operation}")
    if not named:
        raise file.error((), "there is neither an operation nor an expression; name one of them")
    chosen = operation_named(named)
    return _Assembly(file, chosen, _expression_of(file, chosen), own=True).question()


def _expression_of(file: ValuesFile, operation: type[Operation]) -> str:
    given: dict[str, str] = {}
    entries = {**file.sizes, **file.values}
    for argument in arguments_of(operation):
        entry = entries.get(argument.key)
        if entry is None or argument.is_matrix:
            continue
        if argument.is_word != (entry.levels == -1):
            what = f"one of {', '.join(argument.parameter.choices)}" if argument.parameter.choices else "a name"
            what = (
                what
                if argument.is_word
                else "a whole number of at least 1"
                if argument.parameter.kind == SIZE
                else "a number"
            )
            raise _at(file, argument.key, f"{argument.key}: expected {what}")
        if argument.parameter.choices and entry.value not in argument.parameter.choices:
            hint = did_you_mean(str(entry.value), argument.parameter.choices)
            message = f"expected one of {', '.join(argument.parameter.choices)}, got {quoted(str(entry.value))}; {hint}"
            raise _at(file, argument.key, f"{argument.key}: {message}")
        least = 0 if argument.key in ("start", "index") else 1  # places are counted from 0
        if argument.parameter.kind == SIZE and not (entry.value.is_Integer and entry.value >= least):
            raise _at(
                file, argument.key, f"{argument.key}: expected a whole number of at least {least}, got {entry.value}"
            )
        given[argument.key] = str(entry.value)
    missing = missing_arguments(operation, given)
    if missing:
        where = "sizes" if missing[0].parameter.kind == "size" else "values"
        raise file.error((where,), f"{operation.__name__} needs {missing[0].key}; give it in [{where}]")
    return as_expression(operation, given, [name for name, entry in file.values.items() if entry.levels > 0])


def _at(file: ValuesFile, key: str, message: str) -> UnreadableInput:
    table = "sizes" if key in file.sizes else "values"
    return file.error((table, *key.split(".")), message)


class _Assembly:
    """The parts of a file put together with the letters of the expression, each checked against them."""

    def __init__(self, file: ValuesFile, operation: type[Operation] | None, text: str, own: bool) -> None:
        self.file, self.operation, self.text, self.own = file, operation, text, own
        arguments = {a.key for a in arguments_of(operation) if not a.is_matrix} if operation else set()
        self.values = {name: entry for name, entry in file.values.items() if name not in arguments}
        self.given_sizes = {name: entry for name, entry in file.sizes.items() if name not in arguments}
        self.sizes: dict[Basic, tuple[Any, str]] = {}  # each with where it is known from

    def question(self) -> Question:
        reading = self._read()
        self.families = families(reading)
        self.symbols = {symbol.name: symbol for symbol in self._symbols(reading)}
        self._take_sizes(reading)
        values: dict[Any, Any] = dict(reading.values)
        for name, entry in self.values.items():
            letter = reading.letters.get(name)
            if name in reading.numbers:
                values[reading.numbers[name]] = self._number(name, reading.numbers[name], entry)
            elif letter is None and not self.own:
                continue  # the file is for more than this expression
            elif letter is None:
                names = sorted({*reading.letters, *reading.numbers})
                raise _at(self.file, name, f"{name} is no letter of the expression; {did_you_mean(name, names)}")
            elif letter in values:
                raise _at(self.file, name, f"{name} has a value in the expression already")
            else:
                values[name] = self._fitted(name, letter.shape, entry)
        self._check_compound(reading)
        self._check_complete(reading, values)
        values |= {s: n for s, (n, _) in self.sizes.items() if s.name in self.given_sizes}
        known = {size: number for size, (number, _) in self.sizes.items()}
        return Question(reading, values, self._labels(), self.file.title, self.operation, known)

    def _number(self, name: str, symbol: Any, entry: Entry) -> Any:
        finite = entry.levels == 0 and entry.value.is_finite
        if not finite or (symbol.is_integer and not (entry.value.is_Integer and entry.value >= 1)):
            wanted = "a whole number of at least 1" if symbol.is_integer else "a finite number"
            got = "rows of numbers" if entry.levels > 0 else quoted(str(entry.value))
            raise _at(self.file, name, f"{name}: expected {wanted}, got {got}")
        return entry.value

    def _read(self) -> Reading:
        matrices = {name for name, entry in self.values.items() if entry.levels > 0}
        masks = [name for name in matrices if _holds_infinity(self.values[name].value)]
        shapes: dict[str, Any] = {name: "number" for name in self.values if name not in matrices}
        shapes |= dict.fromkeys(self.given_sizes, "size")
        shapes |= {name: side for name in matrices if (side := _side(name, self.values[name]))}
        for name in names_with_sizes(self.text):
            shapes.pop(name, None)
        try:
            return read_expression(self.text, shapes, masks=masks, matrices=matrices)
        except ReadingError as error:
            if not self.file.expression or not self.own:
                raise
            raise self.file.in_expression(error) from error

    def _symbols(self, reading: Reading) -> set[Any]:
        sizes = {s for shape in reading.shapes.values() for size in shape for s in size.free_symbols}
        return sizes | set(reading.numbers.values())

    # -- sizes --------------------------------------------------------------------------------------------------------
    def _take_sizes(self, reading: Reading) -> None:
        for name, entry in self.given_sizes.items():
            if name not in self.symbols and not self.own:
                continue
            if name not in self.symbols:
                raise _at(self.file, name, f"{name} is no size here; {did_you_mean(name, sorted(self.symbols))}")
            if not (entry.value.is_Integer and entry.value >= 1):
                raise _at(self.file, name, f"the size {name}: expected a whole number of at least 1, got {entry.value}")
            self.sizes[self.symbols[name]] = (entry.value, "[sizes]")
        for key, value in reading.values.items():
            shape = getattr(key, "shape", None)
            for size, number in zip(shape or (), getattr(value, "shape", ()), strict=False):
                self._know(size, number, key.name)

    def _know(self, size: Any, number: Any, source: str) -> bool:
        """Whether the size may be this number."""
        known = size.xreplace({s: n for s, (n, _) in self.sizes.items()})
        if known.is_Symbol:
            self.sizes[known] = (Integer(number), source)
            return True
        return bool(known.free_symbols) or known == number

    def _fitted(self, name: str, shape: tuple[Any, Any], entry: Entry) -> Any:
        value = self._bracketed(name, shape, entry)
        if name in self.families:
            known = {size: number for size, (number, _) in self.sizes.items()}
            wrong = misfit(name, self.families[name], value, entry.levels, known)
        else:
            wrong = f"{name}: expected one matrix, got {len(value)}" if entry.levels == 3 else ""
        if wrong:
            raise _at(self.file, name, wrong)
        for member in value if entry.levels == 3 else [value]:
            found = (len(member), len(member[0]))
            fits = [self._know(size, n, name) for size, n in zip(shape, found, strict=True)]
            if not all(fits):
                raise self._misfit(name, shape, found)
        return value

    def _bracketed(self, name: str, shape: tuple[Any, Any], entry: Entry) -> Any:
        if entry.levels == 1:
            if shape[0] == 1:
                return [entry.value]
            if shape[1] == 1:
                return [[x] for x in entry.value]
            wanted = f"expected rows of numbers, {shape[0]} x {shape[1]}"
            raise _at(self.file, name, f"{name}: {wanted}, got one list of {len(entry.value)} numbers")
        if entry.levels < 1:
            raise _at(self.file, name, f"{name}: expected a matrix, {shape[0]} x {shape[1]}, got {entry.value}")
        if entry.levels == 2 and shape[1] == 1 and len(entry.value) == 1 and len(entry.value[0]) > 1:
            if is_bias_name(name) or name.rpartition(".")[2].partition("_")[0] in ("gamma", "beta"):
                return [[x] for x in entry.value[0]]  # a bias, a gain, a shift, written as the row that is added
        return entry.value

    def _misfit(self, name: str, shape: tuple[Any, Any], found: tuple[int, int]) -> UnreadableInput:
        known = {s: n for s, (n, source) in self.sizes.items() if source != name}
        numbers = " x ".join(str(size.xreplace(known)) for size in shape)
        letters = f"{shape[0]} x {shape[1]}"
        sources = sorted({f"{s} from {src}" for s, (_, src) in self.sizes.items()
                          if src != name and any(s in size.free_symbols for size in shape)})  # fmt: skip
        because = f" ({letters}; {', '.join(sources)})" if sources else ""
        return _at(
            self.file, name, f"{name}: expected a matrix of size {numbers}{because}, got {found[0]} x {found[1]}"
        )

    def _check_compound(self, reading: Reading) -> None:
        """Sizes such as h d_v, once their letters are known."""
        known = {s: n for s, (n, _) in self.sizes.items()}
        for name, entry in self.values.items():
            if name in reading.letters and entry.levels > 0:
                value = self._bracketed(name, reading.letters[name].shape, entry)
                member = value[0] if entry.levels == 3 else value
                shape = reading.letters[name].shape
                found = (len(member), len(member[0]))
                for size, number in zip(shape, found, strict=True):
                    meant = size.xreplace(known)
                    if not meant.free_symbols and meant != number:
                        raise self._misfit(name, shape, found)

    def _check_complete(self, reading: Reading, values: dict[Any, Any]) -> None:
        named = {key if isinstance(key, str) else key.name for key in values}
        missing = [name for name in reading.letters if name not in named]
        if missing and len(missing) < len(reading.letters):
            name = missing[0]
            rows, columns = reading.letters[name].shape
            raise self.file.error(("values",), f"{name} ({rows} x {columns}) has no value; give it in [values]")

    # -- words ---------------------------------------------------------------------------------------------------------
    def _labels(self) -> dict[str, tuple[Words, ...]]:
        for axis, listed in self.file.labels.items():
            symbol = self.symbols.get(axis)
            if symbol is None and not self.own:
                continue
            if symbol is None:
                message = f"labels: {quoted(axis)[1:-1]} is no size here; {did_you_mean(axis, sorted(self.symbols))}"
                raise self.file.error(("labels", axis), message)
            number = self.sizes.get(symbol, (None, ""))[0]
            if number is not None and number != len(listed):
                raise self.file.error(("labels", axis), f"labels of {axis}: expected {number}, got {len(listed)}")
        return {axis: listed for axis, listed in self.file.labels.items() if axis in self.symbols}


def _holds_infinity(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_holds_infinity, value))
    return value is S.NegativeInfinity


def _side(name: str, entry: Entry) -> str:
    """Whether a small letter is a row, a column, or no vector at all; nothing where its value does not say it."""
    if entry.levels != 2:
        return ""
    rows, columns = len(entry.value), len(entry.value[0])
    if rows > 1 and columns > 1:
        return "matrix"
    return "" if rows == columns or not is_vector_name(name) else "row" if rows == 1 else "column"
