"""Words as Typst: whatever somebody wrote stands there as text, and nothing of it is read as markup or code."""

from __future__ import annotations

from symtransformer.rendering.printer import visible

_PLAIN = frozenset(" ,;:?!()")  # signs of ASCII that mean nothing inside of a line


def escape(text: str) -> str:
    r"""Words as markup: every sign that could mean something goes behind a backslash.

    >>> escape("#import 50% [x]")
    '\\#import 50\\% \\[x\\]'
    """
    shown = visible(text)
    return "".join(
        c if c.isalnum() or c in _PLAIN or not c.isascii() or _is_plain(shown, k) else f"\\{c}"
        for k, c in enumerate(shown)
    )


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
