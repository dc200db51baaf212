"""Jupyter: expressions, derivations, values, gradients, claims and reports as formulas, and the magic `%%check`."""

from __future__ import annotations

import os
import shlex
from functools import singledispatch
from typing import Any

from symtransformer.checking.equations import Report
from symtransformer.claims.claim import Claim
from symtransformer.derivation import Derivation, Step
from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.evaluation import Evaluation
from symtransformer.gradients import Gradient
from symtransformer.judge import Verdict, Verified, verify
from symtransformer.node import Node
from symtransformer.rendering import checked_language, render, render_pieces
from symtransformer.rendering.check_report import render_report
from symtransformer.rendering.check_report.escaping import markdown_code, markdown_words
from symtransformer.rendering.values_page import render_values

LANGUAGE = "SYMTRANSFORMER_LANG"  # the environment variable that says in which language notebooks show words
PLAIN, LATEX, MARKDOWN, SVG = "text/plain", "text/latex", "text/markdown", "image/svg+xml"
Bundle = dict[str, str]


def chosen_language() -> str:
    """English, unless the environment says another."""
    return checked_language(os.environ.get(LANGUAGE) or "en")


def shown(subject: Any) -> Bundle:
    """What a notebook shows, by the kind of text."""
    return bundle_of(subject, chosen_language())


@singledispatch
def bundle_of(subject: Any, language: str) -> Bundle:
    """Plain text, and LaTeX or Markdown."""
    raise NotSupported(f"a notebook: no form of {type(subject).__name__}")


@bundle_of.register
def _(subject: Node, language: str) -> Bundle:
    return {PLAIN: str(subject), LATEX: rf"$\displaystyle {subject._written('latex')}$"}


@bundle_of.register
def _(subject: Step, language: str) -> Bundle:
    left, right = (x._written("latex") for x in (subject.letter, subject.expression))
    return {PLAIN: f"{subject.letter} = {subject.expression}", LATEX: rf"$\displaystyle {left} = {right}$"}


@bundle_of.register(Derivation)
@bundle_of.register(Verified)
def _page(subject: Any, language: str) -> Bundle:
    return _bundle(*(render(subject, form, language) for form in ("txt", "md-jupyter")))


@bundle_of.register
def _(subject: Gradient, language: str) -> Bundle:
    return _page(_verified(subject), language)


def _verified(subject: Gradient) -> Verified:
    from symtransformer.chosen_notation import USUAL
    from symtransformer.cli.gradient import in_sections

    return verify(in_sections(subject, "steps", USUAL))


def show_with_drawing(subject: Derivation | Verified | Gradient) -> None:
    """The page of a derivation with its drawing as a picture; elsewhere than in a notebook IPython takes the bundle."""
    from IPython.core.getipython import get_ipython

    shell = get_ipython()  # type: ignore[no-untyped-call]
    if shell is None or getattr(shell, "kernel", None) is None:
        raise NotImplementedError
    bundles = in_pieces(subject, chosen_language())
    if len(bundles) == 1:
        raise NotImplementedError
    for bundle in bundles:
        shell.display_pub.publish(bundle)


def in_pieces(subject: Derivation | Verified | Gradient, language: str) -> list[Bundle]:
    """What stands in front of the drawing, the drawing, and the rest; the whole page where nothing is drawn."""
    page = _verified(subject) if isinstance(subject, Gradient) else subject
    before, drawings, behind = render_pieces(page, language)
    if not drawings:
        return [_page(page, language)]
    first = _bundle("", before)
    shown = [{PLAIN: description, SVG: svg} for description, svg in drawings]
    return [first | {PLAIN: first[MARKDOWN]}, *shown, _page(page, language) | {MARKDOWN: behind}]


@bundle_of.register
def _(subject: Evaluation, language: str) -> Bundle:
    return _bundle(*(render_values(subject, form, language) for form in ("txt", "md-jupyter")))


@bundle_of.register
def _(subject: Report, language: str) -> Bundle:
    return {PLAIN: render_report(subject, "terminal", language), MARKDOWN: render_report(subject, "markdown", language)}


@bundle_of.register
def _(subject: Verdict, language: str) -> Bundle:
    from symtransformer.cli.messages import VERDICTS

    kind, reason = VERDICTS[language][subject.kind], subject.reason_ja if language == "ja" else subject.reason
    if not reason:  # a proof need give none in Japanese
        return {PLAIN: kind, MARKDOWN: f"**{markdown_words(kind)}**"}
    colon = "：" if language == "ja" else ": "
    return {PLAIN: f"{kind}{colon}{reason}", MARKDOWN: f"**{markdown_words(kind)}**{colon}{markdown_words(reason)}"}


@bundle_of.register
def _(subject: Claim, language: str) -> Bundle:
    from symtransformer.cli.claims import WORDS, as_text, head_of, notes_of, rows_of

    colon = WORDS[language]["colon"]
    rows = [f"- {markdown_words(key)}{colon}{markdown_code(value)}" for key, value in rows_of(subject, language)]
    notes = map(markdown_words, notes_of(subject, language))
    blocks = [f"**{markdown_words(head_of(subject, language))}**", "\n".join(rows), *notes]
    return {PLAIN: "\n".join(as_text(subject, language)), MARKDOWN: "\n\n".join(filter(None, blocks))}


def _bundle(text: str, markdown: str) -> Bundle:
    """A page without the comment at its head."""
    plain = "\n".join(text.splitlines()[text.startswith("#") and text[: text.index("\n\n")].count("\n") + 1 :])
    return {PLAIN: plain.strip("\n"), MARKDOWN: markdown.partition("\n-->\n\n")[2] or markdown}


# -- the magic ----------------------------------------------------------------------------------------------------
def load_ipython_extension(shell: Any) -> None:
    """`%load_ext symtransformer` gives `%%check`."""

    def check_cell(line: str, cell: str) -> None:
        from IPython.core.error import UsageError

        try:
            bundle = checked_cell(line, cell, shell.user_ns)
        except UnreadableInput as error:
            raise UsageError(str(error)) from None
        if bundle:
            shell.display_pub.publish(bundle)

    check_cell.__doc__ = _command().help
    shell.register_magic_function(check_cell, "cell", "check")


def checked_cell(line: str, cell: str, names: dict[str, Any]) -> Bundle | None:
    """The report on what stands in a cell, by the options on its first line; nothing where help was asked for."""
    import click

    try:
        options = _command().main(shlex.split(line), prog_name="%%check", standalone_mode=False)
    except click.ClickException as error:
        raise UnreadableInput(f"%%check: {error.format_message()}") from None
    except ValueError as error:  # a quotation mark that is not closed
        raise UnreadableInput(f"%%check: {error}") from None
    if not isinstance(options, dict):
        return None
    from symtransformer.checking.checks import check

    language = checked_language(options["lang"]) if options["lang"] else chosen_language()
    against = _meant(options["against"], names) if options["against"] else None
    as_numbered = f"\n{cell}"  # by the notebook, which counts the line of the magic
    return bundle_of(check(as_numbered, name="cell", kind=options["kind"], against=against), language)


def _command() -> Any:
    import click

    @click.command("check")
    @click.option("--lang", default="", metavar="en|ja", help=f"The language of the report; {LANGUAGE} or en.")
    @click.option(
        "--against",
        default="",
        metavar="NAME",
        help="A derivation, or values by name, of this notebook; or the name of a worked derivation.",
    )
    @click.option(
        "--kind",
        default="markdown",
        show_default=True,
        type=click.Choice(["markdown", "latex", "text", "html"]),
        help="How the cell is written.",
    )
    def command(**options: Any) -> dict[str, Any]:
        """Check the equations that stand in the cell. Nothing in it is run."""
        return options  # fmt: skip

    return command


def _meant(name: str, names: dict[str, Any]) -> Any:
    """What a name stands for in the notebook, or else among the worked derivations."""
    if name in names:
        found = names[name]
        return found.derivation if isinstance(found, (Verified, Gradient, Evaluation)) else found
    from symtransformer.cli.derivations import known_derivations, load

    if name not in known_derivations():  # the path of a file would be run
        raise UnreadableInput(
            f"%%check: --against: no {name[:40]!r} in this notebook, nor among the worked derivations"
        )
    return load(name)[1]
