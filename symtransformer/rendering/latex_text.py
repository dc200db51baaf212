"""Words as LaTeX, and how wide a formula will look."""

from __future__ import annotations

import re
from unicodedata import lookup

from symtransformer.rendering.printer import visible
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


def escape(text: str) -> str:
    """Text that somebody wrote, as text and nothing else."""
    shown = "".join(_ESCAPES.get(c, c) for c in visible(text))
    return shown.replace("--", "-{}-").replace("--", "-{}-").replace("''", "'{}'").replace("''", "'{}'")


def width_of(text: str) -> int:
    """A rough width of a formula, in characters as they will look; Japanese letters take two."""
    cells = 0
    while found := re.search(r"\\begin\{[bp]?matrix\}((?:(?!\\begin\{[bp]?matrix\}).)*?)\\end\{[bp]?matrix\}", text):
        rows = re.split(r"\\\\(?:\[[^]]*\])?", found[1])
        longest = max(rows, key=width_of)
        cells += 2 + 2 * longest.count("&")
        text = text[: found.start()] + longest.replace("&", "") + text[found.end() :]
    text = re.sub(
        r"\\d?frac\{((?:[^{}]|\{[^{}]*\})*)\}\{((?:[^{}]|\{[^{}]*\})*)\}", lambda m: max(m[1], m[2], key=len), text
    )
    text = re.sub(
        r"\\(followed|mathbf|boldsymbol|text|mathrm|mathit|mathsf|operatorname|left|right|small|colon|begin|end|!|;)",
        "",
        text,
    )
    text = re.sub(r"\\[a-zA-Z]+", "x", text.replace(r"\blank", "0" * BLANK_WIDTH))
    plain = re.sub(r"[{}_^\\&,; ]", "", text)
    return cells + sum(2 if ord(c) > 0x2E80 else 1 for c in plain) + plain.count("=")
