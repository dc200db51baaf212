"""A gradient as lines of text for a terminal: each step with its rule and its verdict."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from symtransformer.cli.messages import VERDICTS

GRADIENTS = {"en": "Gradients", "ja": "勾配"}
SIZES = {"en": "Sizes", "ja": "大きさ"}
COLON = {"en": ": ", "ja": "："}


def text_lines(gradient: Any, verified: Any, language: str, detail: str, notation: Any) -> Iterator[str]:
    yield verified.derivation.title.plain(language)
    shown = shown_names(notation)
    sizes = (
        f"{shown(x.name)}: {x.shape[0]} x {x.shape[1]}" for x in {x.name: x for x in gradient.forward.inputs}.values()
    )
    yield "\n" + textwrap.fill(SIZES[language] + COLON[language] + ", ".join(sizes), 100)
    index_lines = _index_lines(verified, language, notation) if detail == "entries" else None
    said = _words(verified, language, notation)
    for section in verified.derivation.sections:
        yield f"\n{said(section.title)}"
        if section.text is not None:
            yield "\n" + "\n".join(_filled(said(section.text), language, "  "))
        if detail == "results":
            yield ""
        for name in section.steps:
            step = verified.derivation[name]
            yield ("" if detail == "results" else "\n") + f"  {_equation(step, verified, language, notation)}"
            if detail != "results":
                yield from _filled(f"{said(step.title)}{COLON[language]}{said(step.explanation)}", language)
        if index_lines is not None and section.lines:
            yield from ("", *index_lines(section))
    yield f"\n{GRADIENTS[language]}\n"
    yield from (f"  {said(words)}" for words in gradient.assumptions)
    yield from (f"  {_equation(gradient[letter], verified, language, notation)}" for letter in gradient.wrt)


def _words(verified: Any, language: str, notation: Any) -> Callable[[Any], str]:
    """Words with their letters in the notation."""
    if notation.is_usual:
        return lambda words: str(words.plain(language))
    printer = _printer(verified, language, notation)
    return lambda words: printer.with_letters(printer.words(words))


def _printer(verified: Any, language: str, notation: Any) -> Any:
    from symtransformer.rendering.text import TextPrinter
    from symtransformer.writing import heads_of

    steps = verified.derivation.steps
    letters = {x.name: x for x in (*verified.derivation.inputs, *(step.letter for step in steps))}
    heads = heads_of(*(side for step in steps for side in (step.letter, step.expression)))
    return TextPrinter(language, letters, heads, notation)


def _index_lines(verified: Any, language: str, notation: Any) -> Callable[[Any], list[str]]:
    """Writes the lines of a section, each with its rule; numbers go on, and each rule is explained once."""
    from symtransformer.rendering.page_lines import PageLines

    printer, lines = _printer(verified, language, notation), PageLines(verified, "steps")
    return lambda section: [printer.block(block) for block in lines.blocks(section)]


def _equation(step: Any, verified: Any, language: str, notation: Any) -> str:
    """A formula with what the judge says of it, and why where it is not proved."""
    verdict = verified.verdicts[step.name]
    said = VERDICTS[language][verdict.kind]
    reason = "" if verdict.kind == "proved" else f"{COLON[language]}{verdict.words.plain(language)}"
    return f"{formula(step, notation)['text']}  [{said}{reason}]"


def _filled(text: str, language: str, indent: str = "    ") -> list[str]:
    """Lines of a paragraph; Japanese is broken by the terminal itself, which may do so anywhere."""
    if language == "ja":
        return [f"{indent}{text}"]
    return textwrap.wrap(text, 100, initial_indent=indent, subsequent_indent=indent)


def shown_names(notation: Any) -> Callable[[str], str]:
    from symtransformer.dialects import TEXT

    return TEXT.chosen(notation).letter


def formula(step: Any, notation: Any) -> dict[str, str]:
    """The equation of a step, in text and LaTeX."""
    from symtransformer.dialects import LATEX, TEXT
    from symtransformer.writing import heads_of, piece_of

    heads = heads_of(step.letter, step.expression)
    return {
        key: " = ".join(piece_of(side, dialect, heads=heads).text for side in (step.letter, step.expression))
        for key, dialect in (("text", TEXT.chosen(notation)), ("latex", LATEX.chosen(notation)))
    }
