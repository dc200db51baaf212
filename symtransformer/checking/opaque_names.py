"""Names in a text that have no value: of what is made from them nobody is accused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from symtransformer.reading.problems import ReadingError
from symtransformer.reading.side_names import is_latex_text
from symtransformer.reading.side_tokens import folded, tokens_of


def opaque_in(texts: tuple[str, ...], language: str, opaque: Mapping[str, int]) -> str | None:
    """The first of them that stands in one of the texts; where that cannot be told, any."""
    if not opaque:
        return None
    for text in texts:
        found = names_in(text, language)
        if found is None:
            return next(iter(opaque))
        for name in opaque:
            if name in found:
                return name
    return None


def names_in(text: str, language: str) -> set[str] | None:
    """Every name, and every name with the index below it, with capitals too, as rows of Q are called q_2."""
    plain = folded(text)
    is_latex = is_latex_text(plain, language)
    try:
        tokens = tokens_of(plain, is_latex)
    except ReadingError:
        return None
    found = set()
    for k, token in enumerate(tokens):
        if token.kind not in ("word", "upright", "greek"):
            continue
        names = [token.text]
        marks = [t.text for t in tokens[k + 1 : k + 4] if t.kind in ("low", "word", "upright")]
        names += [f"{token.text}_{mark}" for mark in marks]
        found |= set(token.text) if token.kind == "word" and (token.text.isupper() or is_latex) else set()
        found |= {*names, *(name[:1].upper() + name[1:] for name in names)}
    return found


def names_behind(texts: Iterable[str], language: str, formulas: Mapping[str, str]) -> set[str]:
    """All names in the texts, and in the formulas of those, and so on."""
    found: set[str] = set()
    waiting = [*texts]
    while waiting:
        new = (names_in(waiting.pop(), language) or set()) - found
        found |= new
        waiting += [formulas[name] for name in new if name in formulas]
    return found
