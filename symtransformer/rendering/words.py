"""The catalogues of words: sentences of the pages by key, and further languages by the English sentence.

English and Japanese stand beside what they explain. A further language is one file, `languages/xx.toml`, with
lines `"English sentence." = "The same in it."`; what it lacks is shown in English.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from symtransformer.errors import UnreadableInput
from symtransformer.notation import Words

BUILT_IN = ("en", "ja")


@cache
def catalogue() -> dict[str, dict[str, str]]:
    """key → language → sentence."""
    text = (files(__package__) / "words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def languages() -> tuple[str, ...]:
    """The languages of pages, those with a catalogue of their own last."""
    folder = files(__package__) / "languages"
    further = sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml"))
    return (*BUILT_IN, *further)


@cache
def translations(language: str) -> dict[str, str]:
    """English sentence → sentence of a further language."""
    found: dict[str, str] = tomllib.loads((files(__package__) / "languages" / f"{language}.toml").read_text("utf-8"))
    return found


def in_words(words: Words, language: str) -> str:
    """The text in any language of the pages."""
    if language in BUILT_IN:
        return words.in_language(language)
    return translations(language).get(words.en, words.en)


def sentence(key: str, language: str, fields: dict[str, Any] | None = None) -> str:
    """One sentence of the catalogue, its placeholders filled in."""
    entry = catalogue()[key]
    text = entry[language] if language in entry else translations(language).get(entry["en"], entry["en"])
    return text.format(**(fields or {}))


def checked_language(language: str) -> str:
    if language not in (known := languages()):
        raise UnreadableInput(f"language: expected {' or '.join(known)}, got {language[:40]!r}")
    return language
