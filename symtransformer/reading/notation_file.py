"""Notation files, in TOML (or JSON): how an author writes things.

labels = "superscript"     # W^Q instead of W_Q
decimal = ","
[names]
S = "Score"
"""

from __future__ import annotations

from symtransformer.chosen_notation import KEYS, Notation
from symtransformer.errors import UnreadableInput
from symtransformer.reading.documents import ValuesError, tree_of
from symtransformer.reading.line_index import json_lines, toml_lines
from symtransformer.reading.problems import did_you_mean, quoted
from symtransformer.symbols import NAME


def read_notation(text: str, file: str = "notation") -> Notation:
    """Read a notation file; every key may be left out.

    >>> read_notation('heads = "subscript"\\n[names]\\nS = "Score"').names
    {'S': 'Score'}
    """
    tree, is_json = tree_of(text, file)
    lines = json_lines(text) if is_json else toml_lines(text)
    for key, value in tree.items():
        if key not in KEYS:
            raise ValuesError(file, lines.get((key,)), f"there is no key {quoted(key)}; {did_you_mean(key, KEYS)}")
        if (key == "names") != isinstance(value, dict):
            wanted = 'a table [names] with lines such as S = "Score"' if key == "names" else "a text in quotes"
            raise ValuesError(file, lines.get((key,)), f"{key}: expected {wanted}")
        if key != "names" and (type(value) is not str or not value):
            raise ValuesError(file, lines.get((key,)), f"{key}: expected a text in quotes")
    for name in tree.get("names", {}):
        if not NAME.fullmatch(name):
            raise ValuesError(file, lines.get(("names", name)), f"names: {quoted(name)} is no name of a letter")
    try:
        return Notation(**tree)
    except UnreadableInput as error:
        message = str(error).removeprefix("notation: ")
        at = next((k for k in sorted(lines, key=lines.__getitem__, reverse=True) if _is_about(message, k)), ())
        raise ValuesError(file, lines.get(at), message) from None


def _is_about(message: str, path: tuple[str, ...]) -> bool:
    """Whether an error names this key: `names: S: ...`, `decimal and ...`."""
    words = message.replace(":", "").split()
    return all(part in words for part in path)
