"""The catalogue of words of the reports: every key in both languages, with the same placeholders."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def catalogue() -> dict[str, dict[str, str]]:
    """key → language → words."""
    return tomllib.loads((files(__package__) / "words.toml").read_text(encoding="utf-8"))


@cache
def _reasons() -> dict[str, list[str]]:
    return tomllib.loads((files(__package__) / "reasons.toml").read_text(encoding="utf-8"))


def reason(code: str, language: str) -> str:
    """Why something is not read or not decided, in a few words.

    >>> reason("unknown_name", "en"), reason("unknown_name", "ja")
    ('name without a value', '値のない名前')
    """
    words = _reasons()
    return words.get(code, words["other"])[language == "ja"]


def said(key: str, language: str, **fields: Any) -> str:
    """The words of a key, their placeholders filled in.

    >>> said("entry_in_row", "ja", row=2, column=1)
    '第 2 行第 1 列'
    """
    return catalogue()[key][language].format(**fields)
