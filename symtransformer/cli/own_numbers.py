"""The commands for one's own numbers: `solve`, `evaluate`, `template`. No Python of anybody is run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from symtransformer.cli.completion import names_of_operations
from symtransformer.cli.derivations import NAME
from symtransformer.cli.files import write_all
from symtransformer.cli.messages import quoted
from symtransformer.cli.pages import Pages, page_options, with_file_options
from symtransformer.errors import UnreadableInput

FILE_BYTES = 2_000_000
VALUES = click.option("--values", "file", default="", metavar="FILE", help="TOML or JSON; - reads standard input.")
SHAPES = click.option("--shapes", is_flag=True, help="Print the sizes of all letters, inferred ones too, and stop.")


def read_file(name: str) -> Any:
    """A values file; an empty one where none is named."""
    from symtransformer.reading import ValuesFile, read_values

    if not name:
        return ValuesFile("the command line")
    return read_values(read_text(name), "standard input" if name == "-" else Path(name).name)


def read_text(name: str) -> str:
    """The text of a file, or of standard input where it is named -; in UTF-8, with a mark of it or none."""
    try:
        if name == "-":
            content = sys.stdin.buffer.read(FILE_BYTES + 1)
        else:
            if Path(name).exists() and not Path(name).is_file() and not Path(name).is_dir():
                raise UnreadableInput(f"reading {quoted(name)}: this is no file; - reads standard input")
            with Path(name).open("rb") as stream:
                content = stream.read(FILE_BYTES + 1)
    except OSError as error:
        raise UnreadableInput(f"reading {quoted(name)}: {error.strerror or error}") from error
    shown = "standard input" if name == "-" else Path(name).name
    if len(content) > FILE_BYTES:
        raise UnreadableInput(f"{shown}: more than {FILE_BYTES} bytes")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnreadableInput(f"{shown}, line {line}: this is not UTF-8") from None


@click.command("solve")
@click.argument("operation", default="", metavar="[OPERATION]", shell_complete=names_of_operations)
@VALUES
@click.option("--out", default="", metavar="DIR", help="Write DIR/LANG/NAME.EXT instead of printing.")
@SHAPES
@page_options("txt")
@click.pass_context
def solve_command(context: click.Context, /, operation: str, file: str, out: str, shapes: bool, **options: Any) -> None:
    """The worked solution of an operation or an expression for the numbers in a values file.

    \b
    symtransformer template LayerNorm > mine.toml
    symtransformer solve --values mine.toml
    symtransformer solve --values mine.toml --out pages --format tex --lang en,ja

    OPERATION is needed only if the file names neither an operation nor an expression.
    `symtransformer template OPERATION` prints a file to fill in. Options in the file count
    where the command line does not say otherwise.
    """
    from symtransformer.judge import verify
    from symtransformer.reading.questions import question

    if not file:
        raise UnreadableInput("solve: which numbers? name a file with --values; symtransformer template prints one")
    given = read_file(file)
    asked = question(given, operation)
    if shapes:
        click.echo(asked.shapes_text())
        return
    typed = ["solve", *([operation] if operation else []), "--values"]
    pages = Pages(" ".join(typed), with_file_options(context, options, given))
    name = "-" if file == "-" else Path(file).name
    stem = "solution" if file == "-" else Path(file).stem
    if out and not NAME.fullmatch(stem):
        raise UnreadableInput(f"{quoted(name)}: the file name must be lower-case letters, digits and _")
    if not out:
        pages.require_text("with --out DIR it is written to DIR")
    verified = verify(asked.derivation())
    if not out:
        click.echo(pages.shown(name, verified), nl=False, color=pages.keeps_color)
        verified.require_true()
        return
    verified.require_true()
    written = dict(pages.files(name, verified, out, stem))
    write_all(written)


@click.command("evaluate")
@click.argument("expression")
@VALUES
@SHAPES
@click.option("--digits", type=int, show_default="4", help="Decimals.")
@click.option("--significant", type=int, metavar="N", help="Significant digits instead of decimals.")
@click.option("--exact", is_flag=True, help="Exact values, with roots and exponentials as they are.")
@click.option("--numpy", "arrays", is_flag=True, help="Double precision, by the NumPy code of the operations.")
def evaluate_command(
    expression: str, file: str, shapes: bool, digits: int | None, significant: int | None, exact: bool, arrays: bool
) -> None:
    """The value of EXPRESSION, such as "softmax(Q K^T / sqrt(d_k)) V"; of every line, if it has several.

    Letters get their values from a file, or from lines of their own: "X = [[1, 0.5]]". With -
    the expression is read from standard input.

    \b
    Q K^T, Q @ K.T, QK^\\top       products; a run of capitals is one; * is a product too
    A + B, 2 A, A / sqrt(d_k), A ⊙ B
    alpha X, W - eta G            a Greek letter in front is a number; alpha: matrix makes it none
    h X, N X, d_k X               numbers too; what was taken for what: --shapes
    X W + b                       a bias is a column named b or b_1, added to every row
    S + causal(n)                 a mask: dropped scores, no sum; mask(S, M) for a letter
    Attention(Q, K, V, mask=causal(n)), LayerNorm(X, eps=1e-6)
                                  functions: symtransformer list operations
    I                             the identity matrix, unless I has a value or a size
    W_Q^(2)                       the matrix of head 2; W^2 W is a power
    Row(X, 1)                     counts from 0: this is row 2 on a page
    Q: n d_k                      a line that gives rows and columns
    A = softmax(S)                a line that names what later lines use
    1/2x, 2 3, a^b^c              refused, because they could mean two things

    Options go first, and -- before an expression that starts with a minus: evaluate -- "-A B".
    """
    from symtransformer.reading.questions import question

    if expression == "-":
        if file == "-":
            raise UnreadableInput("evaluate: only one of expression and values can be standard input")
        expression = read_text("-")
    given = read_file(file)
    asked = question(given, expression=expression)
    if shapes:
        click.echo(asked.shapes_text())
        return
    if sum(map(bool, (exact, arrays, digits is not None, significant is not None))) > 1:
        raise UnreadableInput("evaluate: choose one of --digits, --significant, --exact, --numpy")
    asked.require_values()
    for name, text in list(_values(asked, digits, significant, exact, arrays)):  # all of them, or an error alone
        click.echo(f"{name} {text}" if name else text.removeprefix("= ").removeprefix("≈ "))


def _written(cell: Any) -> str:
    text = cell.text or str(cell.formula)
    return text if cell.power is None else f"{text} × 10^{cell.power}"


def _values(asked: Any, digits: int | None, significant: int | None, exact: bool, arrays: bool) -> Any:
    """Each line's name, and its value behind the sign that is true of it."""
    from symtransformer.evaluation import evaluate
    from symtransformer.rendering.numbers import Style, show

    evaluation = evaluate(asked.derivation(stages=False))
    known = {step.name for step in evaluation.derivation.steps}
    first: dict[Any, str] = {}  # a line that says the same as one before it has its value
    for name, node in asked.reading.lines:
        step = first.setdefault(node, name if name in known else evaluation.derivation.steps[-1].name)
        if exact:
            yield name, f"= {evaluation[step].tolist()}"
            continue
        if arrays:
            yield name, f"≈ {evaluation.numpy(step).tolist()}"
            continue
        cells, value = evaluation.cells(step), evaluation.true_value(step)
        style = Style(digits, significant=significant)
        rows, columns = cells.shape
        shown = [
            [show(None if value is None else value[i, j], cells.ball_at(i, j), style) for j in range(columns)]
            for i in range(rows)
        ]
        sign = "=" if all(cell.exact for row in shown for cell in row) else "≈"
        body = ", ".join("[" + ", ".join(map(_written, row)) + "]" for row in shown)
        yield name, f"{sign} [{body}]"


@click.command("template")
@click.argument("operation", shell_complete=names_of_operations)
@click.option("--lang", "language", default="en", show_default=True, type=click.Choice(["en", "ja"]))
def template_command(operation: str, language: str) -> None:
    """Print a values file for OPERATION to fill in; the size of every letter stands in a comment.

    \b
    symtransformer template ScaledDotProductAttention > mine.toml
    """
    from symtransformer.reading.operation_letters import operation_named
    from symtransformer.reading.template import template

    click.echo(template(operation_named(operation), language), nl=False)
