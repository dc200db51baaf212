"""The command that checks what somebody worked out: `check`."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

import click

from symtransformer.cli.claims import named
from symtransformer.cli.completion import names_of_derivations
from symtransformer.cli.derivations import load
from symtransformer.cli.loading import load_numpy_when_used
from symtransformer.cli.messages import one_line, progress, quoted, shows_color
from symtransformer.cli.own_numbers import read_file
from symtransformer.cli.pages import NOTATION, notation_of
from symtransformer.errors import UnreadableInput

FORMATS = ("terminal", "lines", "markdown", "json", "annotated")
KINDS = ("latex", "markdown", "text", "notebook", "html", "json")
STDIN = "<stdin>"
BYTES_READ = 8_000_001  # one more than any kind of document may have


@click.command("check")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--format", "form", default="terminal", show_default=True, type=click.Choice(FORMATS))
@click.option("--lang", "language", default="en", show_default=True, type=click.Choice(["en", "ja"]))
@click.option("--all", "everything", is_flag=True, help="Also what is right, what is defined, and what is not read.")
@click.option(
    "--strict", is_flag=True, help="Exit with 1 also where an equation is not read or not decided, and show it."
)
@click.option("--kind", default=None, type=click.Choice(KINDS), help="Seen from the file unless given.")
@click.option("--encoding", default="", metavar="NAME", help="UTF-8 or UTF-16 unless given: Shift_JIS or EUC-JP.")
@click.option("--together", is_flag=True, help="The files share their definitions, in the order given.")
@click.option(
    "--against",
    shell_complete=names_of_derivations,
    default="",
    metavar="DERIVATION|FILE",
    help="A worked derivation, or a values file: its inputs count as defined, its steps as what ought to be found.",
)
@click.option(
    "--name", "names", multiple=True, metavar="S=Scores", help="The file's S is Scores in --against; repeatable."
)
@NOTATION
@click.option("--folder", default=None, metavar="DIR", help="Files of \\input are read below it; none unless given.")
@click.option(
    "--jobs", type=int, default=None, metavar="N", help="Processes for several files; one a core unless given."
)
@click.pass_context
def check_command(
    context: click.Context,
    /,
    files: tuple[str, ...],
    form: str,
    language: str,
    everything: bool,
    strict: bool,
    kind: str | None,
    encoding: str,
    together: bool,
    against: str,
    names: tuple[str, ...],
    notation: str,
    folder: str | None,
    jobs: int | None,
) -> None:
    """Check the equations in FILE..., and show what is not right, what is right, and the likely mistake.

    LaTeX, Markdown, plain text, notebooks, web pages, JSON; - reads standard input. Nothing in a file is run.
    The format annotated is for files that have comments: no notebooks and no JSON.

    \b
    symtransformer check notes.md homework.tex
    symtransformer check --all --lang ja notes.md      what is right, too
    symtransformer check --format lines *.md           file:line:column: verdict: message
    symtransformer check --against explainer_chapter_4 --name Score=S notes.md
    A comment in the file:  symtransformer: skip       leave the next equation out
                            symtransformer: expect wrong
                            symtransformer: let d_k = 64

    With --against, a path ending in .py is run as a program: give only files that you trust.
    With --format json, standard output is one object whose schema comes with the package.

    Exit code 0: nothing is wrong; 1: something is; 2: a file could not be read (the others are checked).
    """
    load_numpy_when_used()
    if names and not against:
        raise UnreadableInput("--name: names are those of --against; say what is checked against")
    if jobs == 0:
        raise UnreadableInput("--jobs: expected a number of processes, or -1 for one a core; got 0")
    options: dict[str, Any] = {"kind": kind or "", "encoding": _encoding(encoding), "folder": _folder(folder)}
    chosen = options["notation"] = notation_of(notation)
    options |= _reference(against, named(names), chosen)
    report = _report(files, together, -1 if jobs is None else jobs, options)
    if form == "annotated":
        report = _annotatable(report, options["kind"])
    for file in report.files:
        if file.error:
            click.echo(f"symtransformer: {_problem(file.file, file.error)}", err=True)
    _print(report, form, language, everything, strict, options["kind"])
    if code := report.exit_code(strict):
        context.exit(code)


def _encoding(name: str) -> str:
    from symtransformer.documents.decoding import decoded

    decoded(b"", "--encoding", name)  # raises with the names that are known
    return name


def _folder(name: str | None) -> Path | None:
    if name is not None and not Path(name).is_dir():
        raise UnreadableInput(f"--folder: there is no folder {quoted(name)}")
    return None if name is None else Path(name).absolute()


def _reference(against: str, names: dict[str, str], notation: Any) -> dict[str, Any]:
    """What is checked against, and which of its names those of the documents are."""
    if not against:
        return {}
    from symtransformer.checking.against import reference_of

    found: Any
    if Path(against).suffix.lower() in (".toml", ".json") or against == "-":
        given = read_file(against)
        if given.expression or given.operation:
            from symtransformer.reading.questions import question

            found = question(given).derivation()
        else:
            found = {name: entry.value for name, entry in given.values.items()}
    else:
        found = load(against)[1]
    reference_of(found, names, notation)  # a name that is not there is told once, and not for every file
    return {"against": found, "names": names or None}


def _report(files: tuple[str, ...], together: bool, jobs: int, options: dict[str, Any]) -> Any:
    """All files, each of them whatever becomes of the others."""
    from symtransformer.checking.equations import Report
    from symtransformer.checking.many_files import checked_files

    if files.count("-") > 1 or (together and len(files) > 1 and "-" in files):
        raise UnreadableInput("check: standard input can be read once, and not together with files")
    if together and len(files) > 1:
        from symtransformer.checking.checks import check

        return check([Path(file) for file in files], together=True, **options)
    content = sys.stdin.buffer.read(BYTES_READ) if "-" in files else b""
    found = checked_files(files, partial(check_one, here=Path.cwd(), given=content, options=options), jobs)
    if len(files) == 1:
        return Report(tuple(found))
    with progress(found, "checking", len(files)) as reports:
        return Report(tuple(reports))


def check_one(file: str, here: Path, given: bytes, options: dict[str, Any]) -> Any:
    """The report on one file of the folder `here`; `given` is what came from standard input."""
    from symtransformer.checking.checks import check

    content = given if file == "-" else _content(here / file)
    (report,) = check(content, name=STDIN if file == "-" else file, **options).files
    return report


def _content(path: Path) -> bytes:
    if path.exists() and not path.is_file() and not path.is_dir():
        raise UnreadableInput("this is no file; - reads standard input")
    with path.open("rb") as stream:
        return stream.read(BYTES_READ)


def _annotatable(report: Any, kind: str) -> Any:
    """The report without files that have no comments; for these an error says so."""
    from symtransformer.checking.equations import FileReport, Report
    from symtransformer.rendering.check_report import why_not_annotated

    problems = ["" if file.error else why_not_annotated(file, kind) for file in report.files]
    return Report(
        tuple(
            FileReport(file.file, error=problem) if problem else file
            for file, problem in zip(report.files, problems, strict=True)
        )
    )


def _print(report: Any, form: str, language: str, everything: bool, strict: bool, kind: str) -> None:
    from symtransformer.rendering.check_report import render_report

    color = form == "terminal" and shows_color()
    shown = render_report(
        report, form, language, everything=everything, strict=strict, color=color, kind=kind, width=_width()
    )
    click.echo(shown, nl=False, color=color)


def _width() -> int:
    """Columns of the terminal, or what COLUMNS says."""
    if (said := os.environ.get("COLUMNS", "")).isdecimal():
        return int(said)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else 100
    except (OSError, ValueError):
        return 100


def _problem(file: str, error: str) -> str:
    """One line that begins with the name of the file, once."""
    from symtransformer.rendering.check_report.escaping import escaped

    name = escaped(file)
    said = one_line(escaped(error))
    return said if said.startswith(name) else f"{name}: {said}"
