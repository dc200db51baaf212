"""Words in a drawing of a Japanese page: a text of SVG has one font as Typst sets it, so each script is a text of its own."""

from __future__ import annotations

import re
from html import unescape
from itertools import pairwise

from symtransformer.rendering.svg_drawing import WORDS
from symtransformer.rendering.svg_letters import UPRIGHT, metrics

WESTERN_STYLE = ".western{font-family:'New Computer Modern'}"
SPACE, UNKNOWN = 0.25, 0.5  # of the size: between scripts, and a sign that the font does not have
_SAID = re.compile(r'<text class="said" x="([-0-9.]+)" y="([-0-9.]+)">([^<]*)</text>')
_PARTS = re.compile(r"[!-~]+(?: [!-~]+)*|[^ -~]+")


def in_two_fonts(svg: str) -> str:
    """Each line of words as texts beside each other, Western ones by their own font.

    >>> in_two_fonts('<text class="said" x="50" y="9">出力 A</text>')
    '<text class="said" x="43.0" y="9">出力</text><text class="said western" x="65.75" y="9">A</text>'
    """
    return _SAID.sub(lambda found: _line(float(found[1]), found[2], found[3]), svg)


def _line(middle: float, y: str, words: str) -> str:
    parts = _PARTS.findall(words)
    widths = [_width(part) for part in parts]
    gaps = [SPACE * WORDS if f"{one} {other}" in words else 0.0 for one, other in pairwise(parts)]
    x = middle - (sum(widths) + sum(gaps)) / 2
    shown = []
    for part, width, gap in zip(parts, widths, [*gaps, 0.0], strict=True):
        kind = "said western" if part.isascii() else "said"
        shown.append(f'<text class="{kind}" x="{round(x + width / 2, 2)}" y="{y}">{part}</text>')
        x += width + gap
    return "".join(shown)


def _width(part: str) -> float:
    if not part.isascii():
        return float(WORDS * len(part))
    known = metrics(UPRIGHT)
    return WORDS * sum(SPACE if c == " " else known.get(c, (UNKNOWN, 0))[0] for c in unescape(part))
