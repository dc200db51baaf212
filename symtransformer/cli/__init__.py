"""The command line. Nothing heavy is loaded before an argument is read."""

from __future__ import annotations

import codecs
import os
import sys

import click

from symtransformer.cli.commands import cli
from symtransformer.cli.completion import COMPLETE
from symtransformer.cli.messages import fail, spelled_out
from symtransformer.errors import OutOfDate, Refuted, SymtransformerError


def main() -> None:
    """Run the command line; one clear line for whatever was wrong."""
    codecs.register_error("spelled_out", spelled_out)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="spelled_out")
    try:
        if instruction := os.environ.get(COMPLETE):
            from click.shell_completion import shell_complete

            sys.exit(shell_complete(cli, {}, "symtransformer", COMPLETE, instruction))
        with cli.make_context("symtransformer", sys.argv[1:]) as context:
            cli.invoke(context)
        if sys.stdout is not None:
            sys.stdout.flush()
        sys.exit(0)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except getattr(click.exceptions, "NoArgsIsHelpError", ()) as error:  # not in click 8.1
        click.echo(error.ctx.get_help())
        sys.exit(0)
    except click.ClickException as error:
        fail(error.format_message(), 2)
    except (Refuted, OutOfDate) as error:
        fail(str(error), 1)
    except SymtransformerError as error:
        fail(str(error), 2, getattr(error, "has_caret", False))
    except (KeyboardInterrupt, click.Abort):
        fail("stopped; nothing half-written", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the reader has seen enough
        sys.exit(0)
    except OSError as error:  # a full disk, say
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        fail(f"standard output: {error.strerror or error}", 2)
    except RecursionError:
        fail("the input is nested too deeply", 2)
    except Exception as error:
        if isinstance(error, ValueError) and "integer string conversion" in str(error):
            fail("a number of more digits than can be written", 2)
        if os.environ.get("SYMTRANSFORMER_TRACEBACK"):
            raise
        hint = "set SYMTRANSFORMER_TRACEBACK=1 to see where; if your file is right, please report it"
        fail(f"{type(error).__name__}: {error} ({hint})", 2)
