"""Values files, in TOML or JSON: what is to be worked out, and with which numbers.

    expression = "softmax(Q K^T / sqrt(d_k)) V"     # or: operation = "ScaledDotProductAttention"
    [values]
    Q = [[1, 0.50], [0, 2]]
    [labels]
    n = ["cat", { en = "sleeps", ja = "眠る" }]

Numbers are exact as written: 0.50 is 1/2. What a number of TOML cannot say stands in a string:
"1/3", "sqrt(2)", "-inf". A table inside [values] is a namespace: W_Q in [values.enc1] is the
letter enc1.W_Q. Three levels of brackets are one matrix for each head, one level a row or a column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from sympy import Expr, Integer, S

from symtransformer.notation import Words
from symtransformer.reading.documents import ValuesError, Written, tree_of
from symtransformer.reading.expressions import read_number
from symtransformer.reading.free_text import FreeTextError, words
from symtransformer.reading.limits import DIGITS
from symtransformer.reading.line_index import Path, json_lines, toml_lines
from symtransformer.reading.numbers import NumberError, decimal
from symtransformer.reading.problems import ReadingError, did_you_mean, quoted
from symtransformer.symbols import MATRIX_ENTRIES_AT_MOST, NAME

WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,30}")
KEYS = ("operation", "expression", "sizes", "values", "labels", "lang", "title", "options")
OPTIONS = (
    "format", "lang", "detail", "follow", "digits", "significant", "round_steps", "zeros", "rounding", "only", "row",
)  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """What stands for one name: a number, a word, a row of numbers, a matrix, or a matrix for each head."""

    value: Any
    levels: int  # of brackets; 0 for a number, -1 for a word
    line: int | None


@dataclass(frozen=True)
class ValuesFile:
    """A values file as read; nothing in it has been compared with the expression yet."""

    file: str
    operation: str = ""
    expression: str = ""
    sizes: dict[str, Entry] = field(default_factory=dict)
    values: dict[str, Entry] = field(default_factory=dict)
    labels: dict[str, tuple[Words, ...]] = field(default_factory=dict)
    language: str = ""
    title: Words | None = None
    options: dict[str, Any] = field(default_factory=dict)
    lines: dict[Path, int] = field(default_factory=dict)
    text: str = ""  # of a TOML file

    def error(self, path: Path, message: str) -> ValuesError:
        """Pointing at the line of a key."""
        while path and path not in self.lines:
            path = path[:-1]
        return ValuesError(self.file, self.lines.get(path), message)

    def in_expression(self, error: ReadingError) -> ValuesError:
        """The same error, at the line of the file where an expression of several lines stands."""
        key = self.lines.get(("expression",), 1)
        lines = self.text.split("\n")
        begin = re.match(r"""[^=]*=\s*(\"{3}|'{3})(.*)$""", lines[key - 1]) if self.text else None
        line = key + (0 if begin and begin.group(2) else 1) + error.line - 1 if begin else key
        is_there = begin and line <= len(lines) and self.expression.split("\n")[error.line - 1] in lines[line - 1]
        where = f"column {error.column}" if is_there or error.line == 1 else f"line {error.line}, column {error.column}"
        shown = str(error).partition("\n")[2]
        message = f"expression, {where}: {error.message} [{error.code}]\n{shown}"
        pointing = ValuesError(self.file, line if is_there else key, message)
        pointing.has_caret = True
        return pointing


def read_values(text: str, file: str = "values") -> ValuesFile:
    """Read a values file; JSON where the text begins with a brace, TOML otherwise.

    >>> from symtransformer.reading import read_values
    >>> read = read_values('expression = "A B"\\n[values]\\nA = [[0.50, "1/3"]]')
    >>> read.values["A"].value
    [[1/2, 1/3]]
    """
    tree, is_json = tree_of(text, file)
    bare = ValuesFile(file, lines=json_lines(text) if is_json else toml_lines(text), text="" if is_json else text)
    return _Contents(bare, tree).read()


class _Contents:
    """The tables of a file, each checked."""

    def __init__(self, bare: ValuesFile, tree: dict[str, Any]) -> None:
        self.bare, self.tree = bare, tree

    def refuse(self, path: Path, message: str) -> ValuesError:
        return self.bare.error(path, message)

    def read(self) -> ValuesFile:
        for key in self.tree:
            if key not in KEYS:
                raise self.refuse((key,), f"there is no key {quoted(key)}; {did_you_mean(key, KEYS)}")
        return ValuesFile(
            file=self.bare.file,
            operation=self._text("operation"),
            expression=self._text("expression"),
            sizes=self._numbers("sizes"),
            values=self._all_values(),
            labels={axis: self._labels(axis, listed) for axis, listed in self._table("labels").items()},
            language=self._text("lang"),
            title=self._words(("title",), self.tree["title"]) if "title" in self.tree else None,
            options=self._options(),
            lines=self.bare.lines,
            text=self.bare.text,
        )

    def _text(self, key: str) -> str:
        value = self.tree.get(key, "")
        if not isinstance(value, str) or isinstance(value, Written):
            raise self.refuse((key,), f"{key}: expected a text")
        return value

    def _table(self, key: str) -> dict[str, Any]:
        value = self.tree.get(key, {})
        if not isinstance(value, dict):
            raise self.refuse((key,), f"{key}: expected a table, as in [{key}]")
        return value

    def _options(self) -> dict[str, Any]:
        options = self._table("options")
        for key, value in options.items():
            if key not in OPTIONS:
                raise self.refuse(("options", key), f"there is no option {quoted(key)}; {did_you_mean(key, OPTIONS)}")
            if isinstance(value, (dict, list, bool)):
                raise self.refuse(("options", key), f"{key}: expected a text or a number")
        return {key: str(value) for key, value in options.items()}

    def _words(self, path: Path, value: Any) -> Words:
        try:
            return words(value)
        except FreeTextError as error:
            raise self.refuse(path, f"{path[0]}: {error}") from None

    def _labels(self, axis: str, listed: Any) -> tuple[Words, ...]:
        if not isinstance(listed, list):
            raise self.refuse(("labels", axis), f"labels of {quoted(axis)[1:-1]}: expected a list of texts")
        return tuple(self._words(("labels", axis), value) for value in listed)

    # -- numbers -----------------------------------------------------------------------------------------------------
    def _numbers(self, key: str) -> dict[str, Entry]:
        found = {}
        for name, value in self._table(key).items():
            entry = self._entry((key, name), value)
            if entry.levels != 0:
                raise self.refuse((key, name), f"{name}: expected a number")
            found[name] = entry
        return found

    def _all_values(self) -> dict[str, Entry]:
        found: dict[str, Entry] = {}
        for name, entry in self._values(("values",), self._table("values")):
            if name in found or name in self._table("sizes"):
                raise self.refuse(("values", *name.split(".")), f"{name} is given twice")
            found[name] = entry
        return found

    def _values(self, path: Path, table: dict[str, Any]) -> Iterable[tuple[str, Entry]]:
        for key, value in table.items():
            name = ".".join((*path[1:], key))
            if isinstance(value, dict):
                yield from self._values((*path, key), value)
            elif not NAME.fullmatch(name):
                raise self.refuse((*path, key), f"{quoted(name)} is no name of a letter")
            else:
                yield name, self._entry((*path, key), value)

    def _entry(self, path: Path, value: Any) -> Entry:
        line = self.bare.error(path, "").line
        if (
            isinstance(value, str)
            and not isinstance(value, Written)
            and WORD.fullmatch(value)
            and value not in INFINITIES
        ):
            return Entry(value, -1, line)
        levels, first = 0, value
        while isinstance(first, list) and first:
            levels, first = levels + 1, first[0]
        name = ".".join(path[1:])
        if levels > 3 or isinstance(first, list):
            raise self.refuse(path, f"{name}: expected rows of numbers, as in [[1, 0], [0.5, 1]]")
        count = [0]
        return Entry(self._level(path, value, levels, count), levels, line)

    def _level(self, path: Path, value: Any, levels: int, count: list[int]) -> Any:
        name = ".".join(path[1:])
        if levels == 0:
            count[0] += 1
            if count[0] > MATRIX_ENTRIES_AT_MOST:
                raise self.refuse(path, f"{name}: more than {MATRIX_ENTRIES_AT_MOST} entries")
            return self._number(path, value)
        if not isinstance(value, list) or not value:
            raise self.refuse(path, f"{name}: expected {_LISTS[levels]}, got {_kind(value)}")
        made = [self._level(path, item, levels - 1, count) for item in value]
        lengths = [len(row) for row in made] if levels > 1 else []
        for k, length in enumerate(lengths):
            if length != lengths[0]:
                raise self.refuse(path, f"{name}: row 1 has {lengths[0]} entries, row {k + 1} has {length}")
        return made

    def _number(self, path: Path, value: Any) -> Expr:
        name = ".".join(path[1:])
        if isinstance(value, str) and value in INFINITIES:
            return INFINITIES[value]
        try:
            if isinstance(value, Written):
                return decimal(value.replace("_", ""))
            if isinstance(value, int) and not isinstance(value, bool):
                if abs(value) >= 10**DIGITS:
                    raise NumberError("too_many_digits", f"a number of more than {DIGITS} digits")
                return Integer(value)
            if isinstance(value, str):
                return read_number(value)
        except ReadingError as error:
            raise self.refuse(
                path, f"{name}: {_NO_CALLS if error.code == 'unknown_function' else error.message}"
            ) from None
        except NumberError as error:
            raise self.refuse(path, f"{name}: {error}") from None
        except ValueError:  # nan
            raise self.refuse(path, f"{name}: {quoted(value)} is no number") from None
        raise self.refuse(path, f"{name}: expected a number, got {_kind(value)}")


_NO_CALLS = "a value cannot use operations; give rows of numbers, for a mask of 0 and -inf, or write mask=causal(n) in an expression"
_LISTS = {1: "a list of numbers", 2: "a list of rows", 3: "one matrix for each head"}
INFINITIES = {
    **dict.fromkeys(("-inf", "-oo", "-∞", "−∞", "-Infinity"), S.NegativeInfinity),
    **dict.fromkeys(("inf", "+inf", "oo", "∞"), S.Infinity),
}


def _kind(value: Any) -> str:
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if isinstance(value, dict):
        return "a table"
    return quoted(str(value))
