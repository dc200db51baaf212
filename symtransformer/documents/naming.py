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


def with_names(side: Placed) -> Placed:
    r"""A side with each such name as one.

    >>> with_names(made('"cat" × W + Key("cat") - log P(\\text{cat})', 0)).text
    '\\text{cat} × W + \\text{Key(cat)} - log \\text{P(cat)}'
    """
    pieces, done = [], 0
    for found in NAMES.finditer(side.text):
        if found["text"] or (found["called"] or "").lower() in FUNCTIONS:
            continue
        start, end = found.span()
        plain = re.sub(r'["“”]|\\text\{|\}', "", found.group())
        pieces += [side.cut(done, start), made(f"\\text{{{plain}}}", side.origins[start])]
        done = end
    return joined([*pieces, side.cut(done)]) if pieces else side
