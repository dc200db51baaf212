"""JSON: answers and notebooks. Every string knows where each of its characters stands; nothing is run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from symtransformer.documents.collecting import Collector
from symtransformer.documents.decoding import DocumentError
from symtransformer.documents.latex import LatexReader
from symtransformer.documents.limits import SIGNS, TREE_DEPTH
from symtransformer.documents.macros import Macros
from symtransformer.documents.placed import Placed, joined
from symtransformer.documents.prose import read_prose
from symtransformer.reading.problems import quoted

STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)", re.DOTALL)
NUMBER = re.compile(r"-?[0-9][0-9.eE+-]*")
ANSWER = re.compile(r'"[A-Za-z][A-Za-z0-9]{0,15}(?:_[A-Za-z0-9]{1,15})?"')  # a name of a formula
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Leaf:
    """A string, number or word as it is written, and the keys and indices that lead to it."""

    path: Path
    written: Placed

    @property
    def is_text(self) -> bool:
        return self.written.text.startswith('"')

    @property
    def value(self) -> Placed:
        return string_value(self.written)


def checked_json(text: str, name: str) -> None:
    """Refuses what is no JSON: doubled keys, NaN, and too many brackets inside each other as well."""
    bare = STRING.sub('""', text)
    if bare.count(",") + bare.count("[") + bare.count("{") > 4 * SIGNS:
        raise DocumentError(name, "too_many", f"more than {4 * SIGNS} values")
    depth = deepest = 0
    for sign in re.finditer(r"[\[{]|[\]}]", bare):
        depth += 1 if sign.group() in "[{" else -1
        deepest = max(deepest, depth)
    if deepest > TREE_DEPTH:
        raise DocumentError(name, "too_deep", f"more than {TREE_DEPTH} brackets inside each other")

    def pairs(found: list[tuple[str, object]]) -> None:
        seen: set[str] = set()
        for key, _ in found:
            if key in seen:
                raise DocumentError(name, "json", f"the key {quoted(key)} is given twice")
            seen.add(key)

    def refuse(word: str) -> None:
        raise DocumentError(name, "json", f"{word} is no number of JSON")

    try:
        json.loads(text, parse_float=str, parse_int=str, parse_constant=refuse, object_pairs_hook=pairs)
    except json.JSONDecodeError as error:
        raise DocumentError(name, "json", f"column {error.colno}: {error.msg}", error.lineno) from None


def leaves(text: Placed) -> Iterator[Leaf]:
    """All values of a well-formed text, in order."""
    path: list[str | int] = []
    kinds: list[str] = []
    key_is_next = False
    for token in TOKEN.finditer(text.text):
        sign = token.group()
        if sign in "{[":
            kinds.append(sign)
            path.append("" if sign == "{" else 0)
            key_is_next = sign == "{"
        elif sign in "}]":
            kinds.pop()
            path.pop()
            key_is_next = False
        elif sign == ",":
            key_is_next = kinds[-1] == "{"
            if not key_is_next:
                path[-1] = int(path[-1]) + 1
        elif sign == ":":
            key_is_next = False
        elif key_is_next:
            path[-1] = json.loads(sign)
        else:
            yield Leaf(tuple(path), text.cut(*token.span()))


def string_value(quoted_text: Placed) -> Placed:
    """What a string says; an escape has the place of its backslash."""
    inner = quoted_text.cut(1, len(quoted_text.text) - 1)
    pieces: list[str] = []
    origins: list[int] = []
    done = 0
    for found in ESCAPE.finditer(inner.text):
        meaning = _meaning(found.group())
        pieces += [inner.text[done : found.start()], meaning]
        origins += [*inner.origins[done : found.start()], *[inner.origins[found.start()]] * len(meaning)]
        done = found.end()
    return Placed("".join(pieces) + inner.text[done:], [*origins, *inner.origins[done:]]) if pieces else inner


def _meaning(escape: str) -> str:
    said = str(json.loads(f'"{escape}"'))
    return said if not any(0xD800 <= ord(c) < 0xE000 or c == "\0" for c in said) else "\ufffd" * len(said)


def read_answers(text: Placed, found: Collector) -> None:
    """Every string of a file of answers as if it were a document of its own."""
    checked_json(text.text, found.name)
    for leaf in leaves(text):
        if leaf.is_text:
            _read_text(leaf.value, found)
    for claim in named_numbers(text):
        found.passage(claim, "text", "line")


def named_numbers(text: Placed) -> Iterator[Placed]:
    """`"z_2": [1.175, 1.65]` says z_2 = [1.175, 1.65]; the sign has the place of the colon."""
    tokens = list(TOKEN.finditer(text.text))
    for at in range(len(tokens) - 2):
        key, colon = tokens[at], tokens[at + 1]
        if colon.group() != ":" or not ANSWER.fullmatch(key.group()):
            continue
        last, depth = at + 2, 0
        while last < len(tokens) and (tokens[last].group() in "[]," or NUMBER.fullmatch(tokens[last].group())):
            depth += {"[": 1, "]": -1}.get(tokens[last].group(), 0)
            if depth <= 0:
                break
            last += 1
        if last < len(tokens) and depth == 0 and tokens[last].group() not in "{},":
            if NUMBER.fullmatch(tokens[last].group()) or tokens[last].group() == "]":
                name = text.cut(key.start() + 1, key.end() - 1)
                sign = Placed(" = ", (text.origins[colon.start()],) * 3)
                yield joined([name, sign, text.cut(tokens[at + 2].start(), tokens[last].end())])


def _read_text(value: Placed, found: Collector) -> None:
    text = found.marks_in(value)
    if re.match(r"\s*\\begin\{document\}|\s*\\documentclass", text.text):
        LatexReader(found, Macros(), None).read(text)
    else:
        read_prose(text, found)


# -- notebooks -------------------------------------------------------------------------------------------------
def read_notebook(text: Placed, found: Collector) -> None:
    """Cells of text and the text of outputs, of each output the richest form; code is not mathematics."""
    checked_json(text.text, found.name)
    tree = json.loads(text.text)
    cells = tree.get("cells") if isinstance(tree, dict) else None
    if not isinstance(cells, list):
        raise DocumentError(found.name, "notebook", "no list of cells; a notebook of version 4 is expected")
    wanted = _wanted(cells)
    gathered: dict[Path, list[Placed]] = {}
    for leaf in leaves(text):
        for length in (3, 5, 6):
            if length <= len(leaf.path) <= length + 1 and leaf.path[:length] in wanted and leaf.is_text:
                gathered.setdefault(leaf.path[:length], []).append(leaf.value)
    for path, pieces in gathered.items():
        piece = found.marks_in(joined(pieces))
        if wanted[path] == "text":
            read_prose(piece, found)
        elif wanted[path] == "output":
            read_prose(piece, found, where="code", tables=False)


def _wanted(cells: list[object]) -> dict[Path, str]:
    """The paths of what is read. Of code only the author's marks are."""
    wanted: dict[Path, str] = {}
    for number, cell in enumerate(cells):
        if not isinstance(cell, dict):
            continue
        path: Path = ("cells", number)
        wanted[*path, "source"] = "marks" if cell.get("cell_type") == "code" else "text"
        outputs = cell.get("outputs")
        for index, output in enumerate(outputs if isinstance(outputs, list) else []):
            if not isinstance(output, dict):
                continue
            wanted[*path, "outputs", index, "text"] = "output"
            data = output.get("data")
            richest = [t for t in ("text/latex", "text/markdown", "text/plain") if isinstance(data, dict) and t in data]
            if richest:
                kind = "output" if richest[0] == "text/plain" else "text"
                wanted[*path, "outputs", index, "data", richest[0]] = kind
    return wanted
