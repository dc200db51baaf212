"""Words as LaTeX, and how wide a formula will look."""

from __future__ import annotations

import re
from collections.abc import Set
from functools import lru_cache
from unicodedata import lookup

from symtransformer.rendering.visible import visible
from symtransformer.scalars import GREEK

BLANK_WIDTH = 8  # characters that an empty box takes
_ESCAPES = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
    "`": r"\textasciigrave{}", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "≈": r"$\approx$", "−": "$-$", "∞": r"$\infty$", "√": r"$\surd$", "·": r"$\cdot$", "×": r"$\times$",
    "⊙": r"$\odot$", "⊘": r"$\oslash$", "≤": r"$\le$", "≥": r"$\ge$", "ε": r"$\epsilon$",
    "δ": r"$\delta$", "∂": r"$\partial$", "Σ": r"$\sum$",
    "ᵀ": r"$^{\mathsf{T}}$", "±": r"$\pm$", "→": r"$\to$", "∈": r"$\in$", "⊗": r"$\otimes$",
}  # fmt: skip
for _name in GREEK:
    _case = "CAPITAL" if _name[0].isupper() else "SMALL"
    _ESCAPES.setdefault(lookup(f"GREEK {_case} LETTER {_name.replace('ambda', 'amda')}"), rf"$\{_name}$")


_TABLE = str.maketrans(_ESCAPES)
_ROWS = r"(?:[bp]?matrix|array)"
_INNERMOST = re.compile(rf"\\begin\{{{_ROWS}\}}(?:\{{l\}})?((?:(?!\\begin\{{{_ROWS}\}}).)*?)\\end\{{{_ROWS}\}}")
_ROW_END = re.compile(r"\\\\(?:\[[^]]*\])?")
_FRACTION = re.compile(r"\\d?frac\{((?:[^{}]|\{[^{}]*\})*)\}\{((?:[^{}]|\{[^{}]*\})*)\}")
_NO_WIDTH = re.compile(
    r"\\(followed|mathbf|boldsymbol|text|mathrm|mathit|mathsf|operatorname|left|right|small|colon|begin|end|!|;)"
)
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|.", re.DOTALL)
_COMMAND = re.compile(r"\\[a-zA-Z]+")
_SIGNS = str.maketrans("", "", "{}_^\\&,; ")


@lru_cache(maxsize=4096)
def escape(text: str) -> str:
    """Text that somebody wrote, as text and nothing else."""
    shown = visible(text).translate(_TABLE)
    return shown.replace("--", "-{}-").replace("--", "-{}-").replace("''", "'{}'").replace("''", "'{}'")


def displayed(formula: str) -> str:
    r"""Every fraction as large as one that stands alone, but not in an exponent or below a root: for entries of a matrix.

    >>> displayed(r"\frac{1}{2} + e^{\frac{a}{b}}")
    '\\dfrac{1}{2} + e^{\\frac{a}{b}}'
    """
    return readable(formula, {""})


def readable(formula: str, large: Set[str] = frozenset({"above", "below"})) -> str:
    r"""A fraction within a fraction is as large as one that stands alone, but not in an exponent or below a root.

    >>> readable(r"\frac{\left(\frac{a}{b}\right)^{2}}{c}")
    '\\frac{\\left(\\dfrac{a}{b}\\right)^{2}}{c}'
    """
    if r"\frac" not in formula:
        return formula
    text, groups, before, closed = "", [""], "", ""  # the groups that are open, each with what it belongs to
    for token in _TOKEN.findall(formula):
        if token == "{":
            second = before == "}" and closed == "above"
            groups.append("below" if second else "above" if before in (r"\frac", r"\dfrac") else before)
        elif token == "}":
            closed = groups.pop()
        inside = large & set(groups) and not {"^", "_", r"\sqrt"} & set(groups)
        text += r"\dfrac" if token == r"\frac" and inside else token
        before = token if token.strip() else before
    return text


@lru_cache(maxsize=8192)  # pages in further languages and formats hold the same formulas
def width_of(text: str) -> int:
    """A rough width of a formula, in characters as they will look; Japanese letters take two."""
    cells = 0
    if "\\" in text:
        while r"\begin{" in text and (found := _INNERMOST.search(text)):
            longest = max(_ROW_END.split(found[1]), key=width_of)
            cells += 2 + 2 * longest.count("&")
            text = text[: found.start()] + longest.replace("&", "") + text[found.end() :]
        if "frac{" in text:
            text = _FRACTION.sub(lambda m: max(m[1], m[2], key=len), text)
        text = _NO_WIDTH.sub("", text)
        text = _COMMAND.sub("x", text.replace(r"\blank", "0" * BLANK_WIDTH))
    plain = text.translate(_SIGNS)
    wide = 0 if plain.isascii() else sum(ord(c) > 0x2E80 for c in plain)
    return cells + len(plain) + wide + plain.count("=")
