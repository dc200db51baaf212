r"""A document's notation mapped to the usual one before it is read, every character with its place.

W^{Q,(2)} or W_{Q,2} becomes W_{Q}^{(2)}, 0{,}5 becomes 0.5. Names of letters are mapped where they are looked up.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from symtransformer.chosen_notation import Notation
from symtransformer.documents.placed import Placed, joined, made

# indices stay: w_{1,12} has two; so do entities of web pages and commands such as \;
_DECIMALS = re.compile(
    r"_\s*\{[^{}]*\}|_[0-9]+(?:,[0-9]+)+|_\([^()]*\)|&#?[A-Za-z0-9]{1,10};|\\[;,]"
    r"|(?P<comma>(?<=[0-9])(?:\{,\}|,)(?=[0-9]))|(?P<part>;)"
)
_BOLD = re.compile(r"\\(?:mathbf|boldsymbol)\{(?!I\})(\\[A-Za-z]+(?:\{[A-Za-z0-9]+\})?|[A-Za-z][A-Za-z0-9]*)\}")
_WORD = r"\\math(?:rm|it)\{[A-Za-z0-9]{1,20}\}"
_TEXT_LABEL = r"(?:[A-Z][A-Za-z0-9]{0,14}|[a-z][A-Za-z0-9]{1,14})"
_LABEL = rf"[A-Z]|{_WORD}"
_BASE = r"(?P<base>[A-Za-z](?<!e)|\\math(?:rm|it)\{[A-Za-z0-9]{1,20}\})"
_HEAD = r"(?P<head>[^{}(),^_=]{1,40})"
_SHORT_HEAD = r"(?:\((?P<head>[^{}(),^_=]{1,40})\)|(?P<short>[0-9]{1,3}|[a-z]))"
_REST = r"(?:[^{}]|\{[^{}]*\}){1,60}"
_NOT_T = r"(?!T\}|\\mathrm\{T\}|\\mathit\{T\})"

Replacement = Callable[[re.Match[str]], str]


@dataclass(frozen=True)
class Translation:
    """Patterns with what stands for them in the usual notation; at most one of each place is used."""

    rules: tuple[tuple[re.Pattern[str], Replacement], ...]
    comma_is_decimal: bool
    semicolons_part: bool

    def text(self, text: str) -> str:
        """A text in the usual notation."""
        return self.placed(made(text, 0)).text

    def placed(self, text: Placed) -> Placed:
        """The same, with the places in the document."""
        if self.comma_is_decimal or self.semicolons_part:
            text = _replaced(text, _DECIMALS, self._sign)
        for pattern, replacement in self.rules:
            text = _replaced(text, pattern, replacement)
        return text

    def _sign(self, m: re.Match[str]) -> str:
        if m["comma"] and self.comma_is_decimal:
            return "."
        return "," if m["part"] and self.semicolons_part else m.group()


def _replaced(text: Placed, pattern: re.Pattern[str], replacement: Replacement) -> Placed:
    pieces, done = [], 0
    for found in pattern.finditer(text.text):
        shown = replacement(found)
        if shown == found.group():
            continue
        start, end = found.span()
        pieces += [text.cut(done, start), made(shown, text.origins[start])]
        done = end
    return joined([*pieces, text.cut(done)]) if pieces else text


def as_usual(notation: Notation, known: frozenset[str] = frozenset()) -> Translation | None:
    """From this notation to the usual one, or None where there is nothing to do; `known` are names as they are.

    >>> as_usual(Notation(labels="superscript", decimal=",")).text("W^{Q} = [0,5; 1], W^{K,(2)}")
    'W_{Q} = [0.5, 1], {W_{K}^{(2)}}'
    """
    comma, semicolon = notation.decimal == ",", notation.separator == ";"
    bold = () if notation.matrices == "italic" else ((_BOLD, _thin),)
    if notation.letters_are_usual and not (comma or semicolon or bold):
        return None
    return Translation((*bold, *_letters(notation, known)), comma, semicolon)


def _letters(notation: Notation, known: frozenset[str]) -> tuple[tuple[re.Pattern[str], Replacement], ...]:
    raised, low = notation.labels == "superscript", notation.heads == "subscript"
    found: list[tuple[str, Replacement]] = []
    if raised and low:
        found += [
            (rf"{_BASE}_\{{{_HEAD}\}}\^\{{{_NOT_T}(?P<label>{_LABEL})(?:,(?P<rest>{_REST}))?\}}", _label_and_head),
            (rf"(?P<base>[A-Za-z])_{_SHORT_HEAD}\^(?P<label>{_TEXT_LABEL})(?![\w(])", _label_and_head_in_text),
        ]
    if raised:
        found += [
            (rf"{_BASE}\^\{{{_NOT_T}(?P<label>{_LABEL})(?:,(?P<rest>{_REST}))?\}}(?!_)", _label),
            (rf"(?P<base>[A-Za-z])\^\((?P<label>{_TEXT_LABEL}),{_HEAD}\)", _label_and_head_in_text),
            (
                rf"(?P<base>[A-Za-z](?<!e))\^(?!T(?![A-Za-z0-9]))(?P<label>{_TEXT_LABEL})(?![\w(])",
                _label_in_text,
            ),
        ]
    if low and not raised:
        found += [
            (rf"{_BASE}_\{{(?P<label>{_LABEL}),{_HEAD}\}}", _label_and_head),
            (rf"(?P<base>[A-Za-z]+)_\((?P<label>[A-Za-z][A-Za-z0-9]*),{_HEAD}\)", _label_and_head_in_text),
        ]
    if low:
        head = r"(?P<head>[0-9]{1,3}|[a-z])"
        found += [
            (rf"(?P<base>[A-Z]|{_WORD})_\{{{head}\}}", lambda m: _head(m, known)),
            (rf"\b(?P<base>[A-Z][A-Za-z]*)_{head}\b", lambda m: _head(m, known)),
        ]
    return tuple((re.compile(pattern), replacement) for pattern, replacement in found)


def _thin(m: re.Match[str]) -> str:
    word = m.group(1)
    return f"\\mathrm{{{word}}}" if len(word) > 1 and word[0] != "\\" else f" {word}"


def _label_and_head(m: re.Match[str]) -> str:
    rest = m.groupdict().get("rest")
    return f"{{{m['base']}_{{{m['label']}}}^{{{rest + ',' if rest else ''}({m['head']})}}}}"


def _label(m: re.Match[str]) -> str:
    low = f"{m['base']}_{{{m['label']}}}"
    return f"{{{low}^{{{m['rest']}}}}}" if m["rest"] else low


def _label_and_head_in_text(m: re.Match[str]) -> str:
    head = m["head"] or m.groupdict().get("short")
    return f"{m['base']}_{m['label']}^({head})"


def _label_in_text(m: re.Match[str]) -> str:
    return f"{m['base']}_{m['label']}"


def _head(m: re.Match[str], known: frozenset[str]) -> str:
    if f"{m['base']}_{m['head']}" in known:
        return m.group()
    in_latex = "{" in m.group()[len(m["base"]) :]
    return f"{{{m['base']}^{{({m['head']})}}}}" if in_latex else f"{m['base']}^({m['head']})"
