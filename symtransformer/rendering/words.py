"""The catalogue of words: every key in both languages, with the same placeholders."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from symtransformer.errors import UnreadableInput

LANGUAGES = ("en", "ja")


@cache
def catalogue() -> dict[str, dict[str, str]]:
    """key → language → sentence."""
    text = (files(__package__) / "words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def sentence(key: str, language: str, fields: dict[str, Any] | None = None) -> str:
    """One sentence of the catalogue, its placeholders filled in."""
    return catalogue()[key][language].format(**(fields or {}))


def checked_language(language: str) -> str:
    if language not in LANGUAGES:
        raise UnreadableInput(f"language: expected {' or '.join(LANGUAGES)}, got {language[:40]!r}")
    return language
