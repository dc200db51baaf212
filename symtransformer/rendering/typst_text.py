"""Words as Typst: whatever somebody wrote stands there as text, and nothing of it is read as markup or code."""

from __future__ import annotations

import re
from functools import lru_cache

from symtransformer.rendering.visible import visible

_PLAIN = frozenset(" ,;:?!()")  # signs of ASCII that mean nothing inside of a line
_LONG, _PART = re.compile(r"[!-~]{33,}"), re.compile(r"[!-~]{12}")


@lru_cache(maxsize=4096)
def escape(text: str) -> str:
    r"""Words as markup: every sign that could mean something goes behind a backslash.

    >>> escape("#import 50% [x]")
    '\\#import 50\\% \\[x\\]'
    """
    shown = breakable(visible(text))
    return "".join(
        c if c.isalnum() or c in _PLAIN or not c.isascii() or _is_plain(shown, k) else f"\\{c}"
        for k, c in enumerate(shown)
    )


def breakable(text: str) -> str:
    """A word longer than any line may end a line within, at places that are not seen."""
    return _LONG.sub(lambda found: _PART.sub(lambda part: part[0] + "\u200b", found[0]), text)


def _is_plain(text: str, k: int) -> bool:
    """A full stop after a letter, and the apostrophe in a word, which is set as ’."""
    before, after = text[k - 1 : k] if k else "", text[k + 1 : k + 2]
    if text[k] == ".":
        return before.isalpha() and not after.startswith(".")
    return text[k] == "'" and before.isalpha() and after.isalpha()


def quoted(text: str) -> str:
    r"""Words as a string, for mathematics and for code.

    >>> quoted('say "a\\b"')
    '"say \\"a\\\\b\\""'
    """
    return '"' + visible(text).replace("\\", "\\\\").replace('"', '\\"') + '"'
