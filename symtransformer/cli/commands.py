"""The commands on worked derivations: `list`, `show`, `build`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from symtransformer import __version__
from symtransformer.cli.check import check_command
from symtransformer.cli.claims import verify_command
from symtransformer.cli.completion import completion_command, names_of_derivations
from symtransformer.cli.derivations import known_derivations, load, title_of
from symtransformer.cli.files import require_current, write_all
from symtransformer.cli.gradient import gradient_command
from symtransformer.cli.messages import progress, quoted
from symtransformer.cli.own_numbers import evaluate_command, solve_command, template_command
from symtransformer.cli.pages import Pages, page_options
from symtransformer.errors import UnreadableInput


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="symtransformer")
def cli() -> None:
    """The mathematics of the Transformer: worked solutions in which every number is computed.

    \b
    symtransformer list                              what there is
    symtransformer show explainer_chapter_4          a worked derivation on the terminal
    symtransformer build explainer_chapter_4 --lang en,ja
    symtransformer template LayerNorm > mine.toml    a file for your own numbers
    symtransformer solve --values mine.toml          the worked solution for them
    symtransformer evaluate "softmax(Q K^T / sqrt(d_k)) V" --values mine.toml
    symtransformer gradient "softmax(Q K^T / sqrt(d_k)) V" --wrt Q,K,V
    symtransformer check notes.md                    is what somebody wrote right?
    """


@cli.command("list")
@click.argument("what", default="all", type=click.Choice(["all", "derivations", "operations"]))
@click.option("--lang", "language", default="en", show_default=True, type=click.Choice(["en", "ja"]))
def list_command(what: str, language: str) -> None:
    """List the worked derivations and the operations, with how these are written in an expression.

    \b
    symtransformer list operations
    symtransformer list derivations --lang ja
    """
    rows: list[tuple[str, str]] = []
    if what in ("all", "derivations"):
        rows += [(name, title_of(name, language)) for name in known_derivations()]
    if what in ("all", "operations"):
        import symtransformer.operations
        from symtransformer.operation import REGISTRY
        from symtransformer.reading.operation_letters import signature

        assert symtransformer.operations
        rows += [
            (name, f"{REGISTRY[name].title.plain(language)}: {signature(REGISTRY[name])}") for name in sorted(REGISTRY)
        ]
    width = max(len(name) for name, _ in rows)
    for name, title in rows:
        click.echo(f"{name.ljust(width)}  {title}")


@cli.command()
@click.argument("name", shell_complete=names_of_derivations)
@page_options("txt")
def show(name: str, **options: Any) -> None:
    """Print the worked derivation NAME, or that of a Python file of your own.

    \b
    symtransformer show explainer_chapter_4
    symtransformer show explainer_chapter_4 --lang ja --detail entries --only S,A
    symtransformer show my_page.py --follow Z:row:1 --digits 6

    A path ending in .py is run as a program: give only files that you trust. The name of
    the file is of lower-case letters, digits and _; the file sets a variable `derivation`.
    """
    from symtransformer.judge import verify

    pages = Pages("show", options)
    pages.require_text(f"symtransformer build {quoted(name)[1:-1]} --format {','.join(pages.formats)} writes it")
    verified = verify(load(name)[1])
    click.echo(pages.shown(Path(name).name, verified), nl=False, color=pages.keeps_color)
    verified.require_true()


@cli.command()
@click.argument("names", nargs=-1, metavar="[NAME|PATH]...", shell_complete=names_of_derivations)
@click.option("--out", default="output", show_default=True, metavar="DIR", help="Where pages go, as DIR/LANG/NAME.EXT.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 and name the first line that differs, if one does.")
@page_options("tex,txt")
@click.pass_context
def build(context: click.Context, /, names: tuple[str, ...], out: str, check: bool, **options: Any) -> None:
    """Write worked derivations to files; if none is named all of them, and the glossary, as Markdown for code hosts, too.

    \b
    symtransformer build explainer_chapter_4 --lang en,ja
    symtransformer build my_page.py --format tex --detail entries --out pages
    symtransformer build --lang en,ja --check          are the files there still what would be written?

    A path ending in .py is run as a program: give only files that you trust. The name of
    the file is of lower-case letters, digits and _; the file sets a variable `derivation`.
    Files appear whole or not at all; nothing is written if a step is not true.
    """
    from symtransformer.judge import verify

    usual = context.get_parameter_source("formats") is click.core.ParameterSource.DEFAULT
    everything = not names and usual
    pages = Pages("build", options | {"formats": f"{options['formats']},md-github"} if everything else options)
    loaded: dict[str, Any] = {}
    for name in dict.fromkeys(names or known_derivations()):
        stem, derivation = load(name)
        if stem in loaded:
            raise UnreadableInput(f"two derivations are named {stem}; their pages would have the same file names")
        loaded[stem] = (Path(name).name, derivation)
    written: dict[Path, bytes] = {}
    with progress(loaded.items(), "working out") as items:
        for stem, (typed, derivation) in items:
            verified = verify(derivation).require_true()
            written.update(pages.files(typed, verified, out, stem))
    written.update(pages.glossaries(out) if everything else ())
    if check:
        require_current(written)
    else:
        write_all(written)


@cli.command("glossary")
@click.option("--format", "form", default="txt", show_default=True, metavar="NAME", help="A format of build.")
@click.option("--lang", "language", default="en", show_default=True, metavar="LANG", help="en or ja.")
def glossary_command(form: str, language: str) -> None:
    """Print the glossary: letters, operations, rules, conventions and verdicts, each in a sentence or two.

    \b
    symtransformer glossary
    symtransformer glossary --lang ja --format tex > glossary.tex
    """
    from symtransformer.rendering import render_glossary

    click.echo(render_glossary(form, language), nl=False)


@cli.command("picture")
@click.argument("name", shell_complete=names_of_derivations)
@click.option("--step", default="", metavar="STEP", help="A heat map of this step, or of this input.")
@click.option("--curve", is_flag=True, help="The entries of a table over a parameter, as curves.")
@click.option("--parameter", default="", metavar="NAME", help="Which, where there are tables over several.")
@click.option("--lang", "language", default="en", show_default=True, metavar="LANG", help="en or ja.")
@click.option("--out", default="", metavar="FILE.svg", help="Write a file instead of printing the picture.")
def picture_command(name: str, step: str, curve: bool, parameter: str, language: str, out: str) -> None:
    """Draw a step of the worked derivation NAME as SVG: its heat map, or how its entries change with a parameter.

    \b
    symtransformer picture explainer_chapter_4 --step A --out weights.svg
    symtransformer picture explainer_chapter_4 --curve --lang ja --out slider.svg

    It is drawn by matplotlib: pip install 'symtransformer[pictures]'. A path ending in .py is run as a
    program: give only files that you trust.
    """
    from symtransformer.judge import verify

    if bool(step) == curve:
        raise UnreadableInput("picture: give --step STEP or --curve, one of them")
    if out and Path(out).suffix.lower() != ".svg":
        raise UnreadableInput(f"picture: it is written as SVG, and --out {out[:80]!r} names no file that ends in .svg")
    verified = verify(load(name)[1]).require_true()
    from symtransformer import pictures

    drawn = pictures.curve(verified, parameter, language) if curve else pictures.heat_map(verified, step, language)
    if out:
        write_all({Path(out): drawn.encode()})
    else:
        click.echo(drawn, nl=False)


for _command in (
    gradient_command, verify_command, check_command, solve_command, evaluate_command, template_command, completion_command,
):  # fmt: skip
    cli.add_command(_command)
