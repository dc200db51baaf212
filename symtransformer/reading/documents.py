"""TOML and JSON as trees, numbers as they are written; what is not well-formed is refused at its line."""

from __future__ import annotations

import json
import tomllib
from typing import Any

from symtransformer.errors import UnreadableInput
from symtransformer.reading.limits import DIGITS, DOCUMENT_BYTES, TABLES_DEPTH
from symtransformer.reading.line_index import line_of_second, toml_lines
from symtransformer.reading.problems import quoted


class ValuesError(UnreadableInput):
    """Something in a values file, with the file's name and the line."""

    has_caret = False

    def __init__(self, file: str, line: int | None, message: str) -> None:
        self.line = line
        where = f"{file}, line {line}" if line else file
        super().__init__(f"{where}: {message}")


class Written(str):
    """A number as it stands in the file."""

    __slots__ = ()


def _depth(text: str) -> int:
    """How deep brackets and braces stand inside one another at most, wherever they stand."""
    depth = deepest = 0
    for sign in text:
        if sign in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in "]}":
            depth = max(0, depth - 1)
    return deepest


def tree_of(text: str, file: str) -> tuple[dict[str, Any], bool]:
    """The tables of a file, and whether it is JSON: one that begins with a brace."""
    if len(text.encode("utf-8", "replace")) > DOCUMENT_BYTES:
        raise ValuesError(file, None, f"more than {DOCUMENT_BYTES} bytes")
    if _depth(text) > TABLES_DEPTH:
        raise ValuesError(file, None, "brackets are nested too deeply")
    is_json = text.lstrip().startswith("{")
    try:
        tree = _read_json(text, file) if is_json else tomllib.loads(text, parse_float=Written)
    except tomllib.TOMLDecodeError as error:
        raise _undecoded(file, text, str(error)) from None
    except json.JSONDecodeError as error:
        raise ValuesError(file, error.lineno, f"column {error.colno}: {error.msg}") from None
    except ValuesError:
        raise
    except ValueError:
        raise ValuesError(file, None, f"a number of more than {DIGITS} digits") from None
    except RecursionError:
        raise ValuesError(file, None, "brackets are nested too deeply") from None
    if not isinstance(tree, dict):
        raise ValuesError(file, 1, "expected keys and values")
    return tree, is_json


def _undecoded(file: str, text: str, message: str) -> ValuesError:
    what, _, place = message.rpartition(" (at ")
    words_of_place = place.rstrip(")").replace(",", "").split()
    if what and words_of_place[:1] == ["line"]:
        return ValuesError(file, int(words_of_place[1]), f"column {words_of_place[3]}: {what}")
    return ValuesError(
        file, max(toml_lines(text).values(), default=None), f"{what or message}, until the end of the file"
    )


def _read_json(text: str, file: str) -> Any:
    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        table: dict[str, Any] = {}
        for key, value in found:
            if key in table:
                raise ValuesError(file, line_of_second(text), f"the key {quoted(key)} is given twice")
            table[key] = value
        return table

    def refuse(word: str) -> Any:
        raise ValuesError(file, None, f'{word} is no number of JSON; write "-inf" for a masked score')

    return json.loads(text, parse_float=Written, parse_int=Written, parse_constant=refuse, object_pairs_hook=pairs)
