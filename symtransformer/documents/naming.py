r"""Names that a page writes with words in quotes, or with a word as an argument: each is one name, `\text{...}`."""

from __future__ import annotations

import re

from symtransformer.documents.operands import FUNCTIONS
from symtransformer.documents.placed import Placed, joined, made

WORD = r"""(?:"[^\W_][\w \-]{0,22}"|“[^\W_][\w \-]{0,22}”)"""
NAMES = re.compile(
    r"(?P<text>\\[a-zA-Z]+\{[^{}]*\})"
    rf"|(?<![\w\\}}])(?P<called>[A-Za-z][A-Za-z_]{{0,30}})\(\s*{WORD}(?:\s*(?:→|->|,)\s*{WORD}){{0,3}}\s*\)"
    rf"|(?<![\w\\}}])(?P<probability>[Pp])\(\\text\{{[\w \-]{{1,24}}\}}\)"
    rf"|(?P<word>{WORD})"
)


MARKS = re.compile(  # of a layer, a step or an example, and no power
    r"(?<=[A-Za-z}])\s*\^\s*\{\s*(?:\[\s*(?P<square>[0-9A-Za-z]{1,8})\s*\]|(?:<|\\langle(?![A-Za-z]))\s*(?P<angle>[0-9A-Za-z]{1,8})\s*(?:>|\\rangle(?![A-Za-z]))"
    r"|\\\{\s*(?P<curly>[0-9A-Za-z]{1,8})\s*\\\})\s*\}|(?<=[A-Za-z])\^\[(?P<bare>[0-9A-Za-z]{1,8})\]"
)


def with_names(side: Placed) -> Placed:
    r"""A side with each such name as one, and with h^{[1]} and a^{<1>} as h^{(1)} and a^{(1)}.

    >>> with_names(made('"cat" × W + Key("cat") - log P(\\text{cat})', 0)).text
    '\\text{cat} × W + \\text{Key(cat)} - log \\text{P(cat)}'
    >>> with_names(made("h^{[1]} + a^{<t>}", 0)).text
    'h^{(1)} + a^{(t)}'
    """
    side = _with_marks(side) if "^" in side.text else side
    pieces, done = [], 0
    for found in NAMES.finditer(side.text):
        if found["text"] or (found["called"] or "").lower() in FUNCTIONS:
            continue
        start, end = found.span()
        plain = re.sub(r'["“”]|\\text\{|\}', "", found.group())
        pieces += [side.cut(done, start), made(f"\\text{{{plain}}}", side.origins[start])]
        done = end
    return joined([*pieces, side.cut(done)]) if pieces else side


def _with_marks(side: Placed) -> Placed:
    pieces, done = [], 0
    for found in MARKS.finditer(side.text):
        start, end = found.span()
        inner = next(g for g in found.groups() if g)
        pieces += [side.cut(done, start), made(f"^{{({inner})}}", side.origins[start])]
        done = end
    return joined([*pieces, side.cut(done)]) if pieces else side
