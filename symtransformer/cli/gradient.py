"""The command that derives a gradient: `gradient`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import click

from symtransformer.cli.gradient_text import COLON, formula, shown_names, text_lines
from symtransformer.cli.loading import load_numpy_when_used
from symtransformer.cli.messages import quoted
from symtransformer.cli.own_numbers import read_text
from symtransformer.cli.pages import NOTATION, listed, notation_of
from symtransformer.errors import UnreadableInput

JSON_VERSION = 1


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
@NOTATION
def gradient_command(
    expression: str, file: str, wrt: str, cotangent: str, distributions: str, form: str, languages: str, detail: str,
    notation: str,
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
    if wrt and asked is None:
        raise UnreadableInput(f"wrt: expected letters, as in Q,K; got {quoted(wrt)}")
    forward, order = _read(text)
    given = _cotangent(forward, cotangent) if cotangent else None
    if form == "numpy":
        from symtransformer.numpy_module import as_numpy_module

        if distributions:
            raise UnreadableInput(
                "--distributions: a NumPy module is for any numbers; leave it out with --format numpy"
            )
        click.echo(as_numpy_module(forward, asked, order, "" if cotangent == "1" else cotangent), nl=False)
        return
    gradient = _gradient(forward, asked, given, distributions)
    chosen = notation_of(notation)
    _require_unambiguous(chosen, gradient)
    if form == "json":
        from symtransformer.judge import verify

        verified = verify(gradient.derivation)
        click.echo(json.dumps(_as_json(text, gradient, verified, chosen), ensure_ascii=False, indent=2))
    else:
        verified = (_text if form == "text" else _latex)(gradient, listed(languages, _language), detail, chosen)
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

    if not forward.inputs:
        raise UnreadableInput("differentiating: no letter stands in it, so that there is no gradient")
    return differentiate(forward, wrt, cotangent=cotangent, distributions=distributions or ())


def _cotangent(forward: Any, name: str) -> Any:
    """The letter of this name, unless something else has it; none where it is the 1 of a loss."""
    from symtransformer.symbols import Letter

    shape = forward.steps[-1].letter.shape
    if name == "1":
        if shape != (1, 1):
            size = " x ".join(map(str, shape))
            raise UnreadableInput(
                f"--cotangent: 1 is for a loss, which is one number; the result is {size}, so give a name"
            )
        return None  # as it is for a loss where nothing is said
    known = {x.name for step in forward.steps for x in step.definition._mentions} | {s.name for s in forward.steps}
    if name in known:
        raise UnreadableInput(f"--cotangent: {name} stands for something else already; choose another name")
    return Letter(name, *shape)


def _require_unambiguous(notation: Any, gradient: Any) -> None:
    if notation.is_usual:
        return
    from symtransformer.rendering import require_unambiguous

    require_unambiguous(notation, gradient.derivation)


def _latex(gradient: Any, languages: list[str], detail: str, notation: Any) -> Any:
    """A whole document in each language."""
    from symtransformer.judge import verify
    from symtransformer.rendering import render

    verified = verify(in_sections(gradient, detail, notation))
    pages = (render(verified, "tex", language, detail=detail, notation=notation) for language in languages)
    click.echo("\n".join(pages), nl=False)
    return verified


def _text(gradient: Any, languages: list[str], detail: str, notation: Any) -> Any:
    """Each step with its rule and its verdict; the formulas that were asked for stand last."""
    from symtransformer.judge import verify

    verified = verify(in_sections(gradient, detail, notation))
    pages = ["\n".join(text_lines(gradient, verified, language, detail, notation)) for language in languages]
    click.echo("\n\n".join(pages))
    return verified


def in_sections(gradient: Any, detail: str, notation: Any) -> Any:
    """The derivation with a title, its steps forward and its steps backward, and if asked for its index forms."""
    from dataclasses import replace

    from symtransformer.notation import Words
    from symtransformer.sections import Section

    steps = gradient.derivation.steps
    forward = tuple(step.name for step in gradient.forward.steps)
    backward = tuple(step.name for step in steps if step.name not in forward)
    shown = shown_names(notation)
    by, output = ", ".join(map(shown, gradient.formulas)), shown(gradient.output.name)
    return replace(
        gradient.derivation,
        title=Words(f"Gradient of {output} with respect to {by}", f"{output} の {by} に関する勾配"),
        sections=(
            Section(Words("Forward", "順方向"), steps=forward),
            Section(Words("Backward", "逆方向"), _about(gradient), steps=backward),
            *(_entry_by_entry(gradient, shown) if detail == "entries" else ()),
        ),
    )


def _entry_by_entry(gradient: Any, shown: Callable[[str], str]) -> Iterator[Any]:
    """A section for each gradient in index notation; one that says why, where there is none."""
    from symtransformer.errors import NotSupported
    from symtransformer.index_notation import index_form
    from symtransformer.notation import Words
    from symtransformer.sections import Section

    for name in gradient.formulas:
        title = Words(f"Entry by entry: {shown(name)}", f"成分ごとに：{shown(name)}")
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
            f"{{{cotangent}}} stands for the gradient of a loss with respect to {{{output}}}, and has the size of {{{output}}}.",
            f"{{{cotangent}}} は損失の {{{output}}} に関する勾配で、大きさは {{{output}}} と同じです。",
        )
    return Words(
        f"{{{output}}} is the loss: its gradient with respect to itself is 1.",
        f"{{{output}}} が損失で、それ自身に関する勾配は 1 です。",
    )


def _as_json(text: str, gradient: Any, verified: Any, notation: Any) -> dict[str, Any]:
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
                **formula(step, notation),
                "rule": _both(step.explanation),
                "verdict": verified.verdicts[step.name].kind,
            }
            for step in steps
        ],
        "gradients": {name: formula(gradient[name], notation) for name in gradient.formulas},
        "assumptions": [_both(words) for words in gradient.assumptions],
    }


def _both(words: Any) -> dict[str, str]:
    return {language: words.plain(language) for language in ("en", "ja")}
