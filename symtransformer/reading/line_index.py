"""On which line of a file each key stands; the files have been found well-formed before."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator

Path = tuple[str, ...]
WORD_OR_STRING = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)\s*""")
STRING = re.compile(r"\"\"\"(?:[^\\]|\\.)*?\"{3,5}|'''.*?'{3,5}|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'", re.DOTALL)


def toml_lines(text: str) -> dict[Path, int]:
    """The line (from 1) of every key and every table header, by its path."""
    found: dict[Path, int] = {}
    table: Path = ()
    at, line = 0, _line_of(text)
    while at < len(text):
        c = text[at]
        if c in " \t\r\n":
            at += 1
        elif c == "#":
            at = _end_of_line(text, at)
        elif c == "[":
            start = at
            at += 1 + (text[at + 1 : at + 2] == "[")
            table, at = _keys(text, at)
            found.setdefault(table, line(start))
            at = _end_of_line(text, at)
        else:
            start = at
            keys, at = _keys(text, at)
            found.setdefault(table + keys, line(start))
            at = _after_value(text, at)
    return found


def _line_of(text: str) -> Callable[[int], int]:
    """The line of a character."""
    ends = [found.start() for found in re.finditer("\n", text)]
    return lambda at: bisect_left(ends, at) + 1


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _keys(text: str, at: int) -> tuple[Path, int]:
    keys: list[str] = []
    while (found := WORD_OR_STRING.match(text, at)) is not None:
        word = found.group(1)
        keys.append(json.loads(word) if word[0] == '"' else word.strip("'"))
        at = found.end()
        if text[at : at + 1] != ".":
            break
        at += 1
    return tuple(keys), at + 1


def _after_value(text: str, at: int) -> int:
    depth = 0
    while at < len(text):
        c = text[at]
        if c in "\"'":
            string = STRING.match(text, at)
            at = string.end() if string else at + 1
            continue
        if c == "#":
            at = _end_of_line(text, at)
            continue
        depth += (c in "[{") - (c in "]}")
        if c == "\n" and depth <= 0:
            return at
        at += 1
    return at


def json_lines(text: str) -> dict[Path, int]:
    """The same for the objects of a JSON text."""
    found: dict[Path, int] = {}
    for keys, number in _json_keys(text):
        found.setdefault(keys, number)
    return found


def line_of_second(text: str) -> int | None:
    """The line of the first key that an object of a JSON text has twice."""
    seen: set[Path] = set()
    for keys, number in _json_keys(text):
        if keys in seen:
            return number
        seen.add(keys)
    return None


def _json_keys(text: str) -> Iterator[tuple[Path, int]]:
    path: list[str] = []
    key = ""
    at, line = 0, _line_of(text)
    while at < len(text):
        c = text[at]
        if c == '"':
            string = re.compile(r'"(?:[^"\\]|\\.)*"').match(text, at)
            if string is None:
                return
            rest = re.compile(r"\s*:").match(text, string.end())
            if rest is not None:
                key = json.loads(string.group())
                yield (*path, key)[1:], line(at)
            at = string.end()
            continue
        if c == "{":
            path.append(key)
        elif c == "}" and path:
            path.pop()
        at += 1
