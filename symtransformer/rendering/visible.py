"""Text of which every character is seen."""

from __future__ import annotations


def visible(text: str) -> str:
    """Text without control and direction characters; whatever kind of space is a space."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else "" for c in text)
