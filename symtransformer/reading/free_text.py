"""Titles and labels: free text of one line, which no printer could mistake for anything else."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from symtransformer.notation import Words
from symtransformer.reading.limits import LABEL_CHARACTERS
from symtransformer.reading.problems import quoted

UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")  # letters and marks that show nothing


class FreeTextError(Exception):
    """Why a text cannot be a title or a label."""


def free_text(value: Any) -> str:
    """The text in its composed form (NFC)."""
    if not isinstance(value, str):
        raise FreeTextError(f"expected text, got {type(value).__name__}")
    text = unicodedata.normalize("NFC", value)
    if not text.strip():
        raise FreeTextError("an empty text")
    if len(text) > LABEL_CHARACTERS:
        raise FreeTextError(f"a text of {len(text)} characters; at most {LABEL_CHARACTERS}")
    for c in text:
        if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") or c in UNSEEN:
            raise FreeTextError(f"the character U+{ord(c):04X} is not seen, or changes the direction of the text")
        if c in "{}":
            raise FreeTextError(f"{quoted(c)} has a meaning of its own on a page; leave it out")
    return text


def words(value: Any) -> Words:
    """One text for both languages, or one for each."""
    if isinstance(value, Mapping):
        if set(value) != {"en", "ja"}:
            raise FreeTextError("expected a text, or both languages as { en = ..., ja = ... }")
        return Words(free_text(value["en"]), free_text(value["ja"]))
    text = free_text(value)
    return Words(text, text)
