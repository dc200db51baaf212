"""The command that derives a gradient: `gradient`."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import click

from symtransformer.cli.loading import load_numpy_when_used
from symtransformer.cli.messages import VERDICTS, quoted
from symtransformer.cli.own_numbers import read_text
from symtransformer.cli.pages import listed
from symtransformer.errors import UnreadableInput

JSON_VERSION = 1
GRADIENTS = {"en": "Gradients", "ja": "勾配"}
SIZES = {"en": "Sizes", "ja": "大きさ"}
COLON = {"en": ": ", "ja": "："}


@click.command("gradient")
@click.argument("expression", default="", metavar="[EXPRESSION]")
@click.option("--file", default="", metavar="FILE", help="Lines `name = expression` instead; - reads standard input.")
@click.option(
    "--wrt",
    default="",
    metavar="Q,K,V",
    help="The letters, or results on the way, to differentiate with respect to; all letters unless given.",
)
@click.option(
    "--cotangent", default="", metavar="NAME", help="The gradient that comes in, dZ for Z unless given; 1 for a loss."
)
@click.option("--distributions", default="", metavar="Y", help="Letters whose rows are assumed to add up to 1.")
@click.option(
    "--format", "form", default="text", show_default=True, type=click.Choice(["text", "latex", "numpy", "json"])
)
@click.option(
    "--lang", "languages", default="en", show_default=True, metavar="LIST", help="en, ja, separated by commas."
)
@click.option(
    "--detail",
    default="steps",
    show_default=True,
    type=click.Choice(["results", "steps", "entries"]),
    help="Formulas only, every step with its rules in words, or also entry by entry in index notation.",
)
def gradient_command(
    expression: str, file: str, wrt: str, cotangent: str, distributions: str, form: str, languages: str, detail: str
) -> None:  # fmt: skip
    """The gradient of EXPRESSION as formulas in named steps, each of them verified.

    \b
    symtransformer gradient "softmax(Q K^T / sqrt(d_k)) V" --wrt Q,K,V
    symtransformer gradient "h = x ⊙ x
    y = h + h ⊙ h"                            several lines; the last one counts
    symtransformer gradient "CrossEntropy(L, Y)" --wrt L --distributions Y
    symtransformer gradient "Q K^T / sqrt(d_k)" --wrt Q --detail entries
    symtransformer gradient --file model.txt --format numpy > model_gradient.py

    The notation is that of `symtransformer evaluate`. With --format numpy a module is printed that
    needs NumPy alone, and that compares itself with finite differences when it is run; with
    --format json the steps, their rules and their verdicts.
    """
    load_numpy_when_used()
    if bool(expression) == bool(file):
        raise UnreadableInput("gradient: give an expression or --file, one of them")
    text = read_text("-" if expression == "-" else file) if file or expression == "-" else expression
    asked = [name.strip() for name in wrt.split(",") if name.strip()] or None
    forward, order = _read(text)
    given = _cotangent(forward, cotangent) if cotangent else None
    if form == "numpy":
        from symtransformer.numpy_module import as_numpy_module

        if distributions:
            raise UnreadableInput(
                "--distributions: a NumPy module is for any numbers; leave it out with --format numpy"
            )
        click.echo(as_numpy_module(forward, asked, order, cotangent), nl=False)
        return
    gradient = _gradient(forward, asked, given, distributions)
    if form == "json":
        from symtransformer.judge import verify

        verified = verify(gradient.derivation)
        click.echo(json.dumps(_as_json(text, gradient, verified), ensure_ascii=False, indent=2))
    else:
        verified = (_text if form == "text" else _latex)(gradient, listed(languages, _language), detail)
    verified.require_true()


def _language(name: str) -> str:
    if name not in COLON:
        raise UnreadableInput(f"--lang: expected en or ja, separated by commas, got {quoted(name)}")
    return name


def _read(text: str) -> tuple[Any, list[str]]:
    """The steps forward, and the letters in order of appearance."""
    from symtransformer.reading import read_expression
    from symtransformer.usual_names import derive_named

    reading = read_expression(text)
    targets: dict[Any, str] = {}
    for name, node in reading.lines:  # a line that says the same as one before it is no step of its own
        targets.setdefault(node, name)
    return derive_named({name: node for node, name in targets.items()}), list(reading.letters)


def _gradient(forward: Any, wrt: list[str] | None, cotangent: Any, distributions: str) -> Any:
    from symtransformer.gradients import differentiate

    return differentiate(forward, wrt, cotangent=cotangent, distributions=distributions or ())


def _cotangent(forward: Any, name: str) -> Any:
    """The letter of this name, unless something else has it."""
    from symtransformer.symbols import Letter

    known = {x.name for step in forward.steps for x in step.definition._mentions} | {s.name for s in forward.steps}
    if name in known:
        raise UnreadableInput(f"--cotangent: {name} stands for something else already; choose another name")
    return Letter(name, *forward.steps[-1].letter.shape)


def _latex(gradient: Any, languages: list[str], detail: str) -> Any:
    """A whole document in each language."""
    from symtransformer.judge import verify
    from symtransformer.rendering import render

    verified = verify(_in_sections(gradient, detail))
    click.echo("\n".join(render(verified, "tex", language, detail=detail) for language in languages), nl=False)
    return verified


def _text(gradient: Any, languages: list[str], detail: str) -> Any:
    """Each step with its rule and its verdict; the formulas that were asked for stand last."""
    from symtransformer.judge import verify

    verified = verify(_in_sections(gradient, detail))
    pages = ["\n".join(_text_lines(gradient, verified, language, detail)) for language in languages]
    click.echo("\n\n".join(pages))
    return verified


def _text_lines(gradient: Any, verified: Any, language: str, detail: str) -> Iterator[str]:
    yield verified.derivation.title.plain(language)
    sizes = (f"{x.name}: {x.shape[0]} x {x.shape[1]}" for x in {x.name: x for x in gradient.forward.inputs}.values())
    yield "\n" + textwrap.fill(SIZES[language] + COLON[language] + ", ".join(sizes), 100)
    index_lines = _index_lines(verified, language) if detail == "entries" else None
    for section in verified.derivation.sections:
        yield f"\n{section.title.plain(language)}"
        if detail == "results":
            yield ""
        elif section.text is not None:
            yield "\n" + "\n".join(_filled(section.text.plain(language), language, "  "))
        for name in section.steps:
            step = verified.derivation[name]
            yield ("" if detail == "results" else "\n") + f"  {_equation(step, verified, language)}"
            if detail != "results":
                yield from _filled(
                    f"{step.title.plain(language)}{COLON[language]}{step.explanation.plain(language)}", language
                )
        if index_lines is not None and section.lines:
            yield from ("", *index_lines(section))
    yield f"\n{GRADIENTS[language]}\n"
    yield from (f"  {words.plain(language)}" for words in gradient.assumptions)
    yield from (f"  {_equation(gradient[letter], verified, language)}" for letter in gradient.wrt)


def _index_lines(verified: Any, language: str) -> Callable[[Any], list[str]]:
    """Writes the lines of a section, each with its rule; numbers go on, and each rule is explained once."""
    from symtransformer.rendering.page_lines import PageLines
    from symtransformer.rendering.text import TextPrinter
    from symtransformer.writing import heads_of

    steps = verified.derivation.steps
    letters = {x.name: x for x in (*verified.derivation.inputs, *(step.letter for step in steps))}
    heads = heads_of(*(side for step in steps for side in (step.letter, step.expression)))
    printer, lines = TextPrinter(language, letters, heads), PageLines(verified, "steps")
    return lambda section: [printer.block(block) for block in lines.blocks(section)]


def _equation(step: Any, verified: Any, language: str) -> str:
    """A formula with what the judge says of it, and why where it is not proved."""
    verdict = verified.verdicts[step.name]
    said = VERDICTS[language][verdict.kind]
    reason = "" if verdict.kind == "proved" else f"{COLON[language]}{verdict.words.plain(language)}"
    return f"{_formula(step)['text']}  [{said}{reason}]"


def _filled(text: str, language: str, indent: str = "    ") -> list[str]:
    """Lines of a paragraph; Japanese is broken by the terminal itself, which may do so anywhere."""
    if language == "ja":
        return [f"{indent}{text}"]
    return textwrap.wrap(text, 100, initial_indent=indent, subsequent_indent=indent)


def _in_sections(gradient: Any, detail: str) -> Any:
    """The derivation with a title, its steps forward and its steps backward, and if asked for its index forms."""
    from dataclasses import replace

    from symtransformer.notation import Words
    from symtransformer.sections import Section

    steps = gradient.derivation.steps
    forward = tuple(step.name for step in gradient.forward.steps)
    backward = tuple(step.name for step in steps if step.name not in forward)
    by = ", ".join(gradient.formulas)
    output = gradient.output.name
    return replace(
        gradient.derivation,
        title=Words(f"Gradient of {output} with respect to {by}", f"{output} の {by} に関する勾配"),
        sections=(
            Section(Words("Forward", "順方向"), steps=forward),
            Section(Words("Backward", "逆方向"), _about(gradient), steps=backward),
            *(_entry_by_entry(gradient) if detail == "entries" else ()),
        ),
    )


def _entry_by_entry(gradient: Any) -> Iterator[Any]:
    """A section for each gradient in index notation; one that says why, where there is none."""
    from symtransformer.errors import NotSupported
    from symtransformer.index_notation import index_form
    from symtransformer.notation import Words
    from symtransformer.sections import Section

    for name in gradient.formulas:
        title = Words(f"Entry by entry: {name}", f"成分ごとに：{name}")
        try:
            yield Section(title, lines=index_form(gradient, name).every_line)
        except NotSupported as error:
            text = Words(f"There is no index form here ({error}).", f"添字による式はありません（{error}）。")
            yield Section(title, text)


def _about(gradient: Any) -> Any:
    """What comes in at the end of the expression."""
    from symtransformer.notation import Words
    from symtransformer.symbols import Letter

    output, cotangent = gradient.output.name, gradient.cotangent
    if isinstance(cotangent, Letter):
        return Words(
            f"{cotangent} stands for the gradient of a loss with respect to {{{output}}}, and has the size of {{{output}}}.",
            f"{cotangent} は損失の {{{output}}} に関する勾配で、大きさは {{{output}}} と同じです。",
        )
    return Words(
        f"{{{output}}} is the loss: its gradient with respect to itself is 1.",
        f"{{{output}}} が損失で、それ自身に関する勾配は 1 です。",
    )


def _as_json(text: str, gradient: Any, verified: Any) -> dict[str, Any]:
    """Version 1: the README says what stands where."""
    steps = gradient.derivation.steps
    forward = {step.name for step in gradient.forward.steps}
    return {
        "version": JSON_VERSION,
        "expression": text.strip(),
        "letters": {x.name: [str(size) for size in x.shape] for x in gradient.forward.inputs},
        "steps": [
            {
                "name": step.name,
                "kind": "forward" if step.name in forward else "gradient",
                **_formula(step),
                "rule": _both(step.explanation),
                "verdict": verified.verdicts[step.name].kind,
            }
            for step in steps
        ],
        "gradients": {name: _formula(gradient[name]) for name in gradient.formulas},
        "assumptions": [_both(words) for words in gradient.assumptions],
    }


def _both(words: Any) -> dict[str, str]:
    return {language: words.plain(language) for language in ("en", "ja")}


def _formula(step: Any) -> dict[str, str]:
    """The equation of a step, in text and LaTeX."""
    from symtransformer.dialects import LATEX, TEXT
    from symtransformer.writing import heads_of, piece_of

    heads = heads_of(step.letter, step.expression)
    return {
        key: " = ".join(piece_of(side, dialect, heads=heads).text for side in (step.letter, step.expression))
        for key, dialect in (("text", TEXT), ("latex", LATEX))
    }
