r"""What only sets a formula, and says nothing: colors, labels under braces, \tag, \label."""

from __future__ import annotations

import re

GROUP = r"\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}"


def without_settings(text: str) -> str:
    r"""Colors, labels under braces, \tag and \label as spaces, so that everything else keeps its place."""
    for pattern, shown in _SETTINGS:
        text = pattern.sub(lambda found, shown=shown: _blanked(found, shown), text)  # type: ignore[misc]
    return text


def _blanked(found: re.Match[str], shown: int) -> str:
    whole = found.group()
    if not shown:
        return " " * len(whole)
    start, end = found.start(shown) - found.start(), found.end(shown) - found.start()
    return " " * start + whole[start:end] + " " * (len(whole) - end)


_SETTINGS = [
    (re.compile(r"\\(?:tag\*?|label|hspace\*?|vspace\*?|phantom|[hv]phantom)\s*\{[^{}]*\}"), 0),
    (re.compile(r"\\(?:textcolor|color|colorbox|cancel)\s*(?:\[[A-Za-z]*\])?\s*\{[#A-Za-z0-9!., ]*\}"), 0),
    (re.compile(rf"\\(?:under|over)brace\s*({GROUP})\s*[_^]\s*{GROUP}"), 1),
    (re.compile(rf"\\(?:under|over)set\s*{GROUP}\s*({GROUP})"), 2),
]
