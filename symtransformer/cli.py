"""The command line: `list`, `show`, `build`. Nothing heavy is loaded before an argument is read."""

from __future__ import annotations

import codecs
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symtransformer import __version__
from symtransformer.errors import Refuted, SymtransformerError, UnreadableInput

if TYPE_CHECKING:
    from symtransformer.judge import Verified

NAME = re.compile(r"[a-z][a-z0-9_]{0,79}")
SPELLED_OUT = {"≈": "~=", "−": "-", "∞": "oo", "⊙": "(.)", "×": "x", "√": "sqrt", "·": ".", "…": "..."}
DETAILS = ("results", "steps", "entries")
STALE_AFTER = 3600  # seconds


# -- the derivations that come with the library, or a file ------------------------------------------
def folder_of_derivations() -> Path:
    """Inside an installed package, or beside it in a clone."""
    here = Path(__file__).resolve().parent
    installed = here / "_derivations"
    return installed if installed.is_dir() else here.parent / "derivations"


def known_derivations() -> list[str]:
    return sorted(p.stem for p in folder_of_derivations().glob("*.py") if NAME.fullmatch(p.stem))


def load(name: str) -> tuple[str, Any]:
    """The stem of the file and its derivation, by the name of a worked derivation or by the path of a file."""
    path = Path(name)
    if path.suffix != ".py":
        known = known_derivations()
        if name not in known:
            import difflib

            close = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {close[0]}?" if close else f"known are: {', '.join(known)}"
            raise UnreadableInput(f"no worked derivation is named {_quoted(name)}; {hint}")
        path = folder_of_derivations() / f"{name}.py"
    elif not path.is_file():
        raise UnreadableInput(f"there is no file {_quoted(name)}")
    elif not NAME.fullmatch(path.stem):
        raise UnreadableInput(f"{_quoted(path.name)}: the file name must be lower-case letters, digits and _")
    return path.stem, _derivation_in(path)


def _derivation_in(path: Path) -> Any:
    import contextlib
    import importlib.util
    import traceback

    from symtransformer.derivation import Derivation

    spec = importlib.util.spec_from_file_location(f"_derivation_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        with contextlib.redirect_stdout(sys.stderr):  # what the file prints is no part of a page
            spec.loader.exec_module(module)
    except SyntaxError as error:
        where = f"{path.name}, line {error.lineno}" if error.lineno else path.name
        raise UnreadableInput(f"{where}: {error.msg}") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == spec.origin]
        where = f"{path.name}, line {lines[-1]}" if lines else path.name
        raise UnreadableInput(f"{where}: {type(error).__name__}: {_one_line(str(error))}") from error
    finally:
        sys.dont_write_bytecode = before
    derivation = getattr(module, "derivation", None)
    if not isinstance(derivation, Derivation):
        raise UnreadableInput(f"{path.name}: expected a Derivation named `derivation`; derive(...) makes one")
    return derivation


# -- options shared by show and build -----------------------------------------------------------------
def _page_options(default_format: str) -> Callable[[Any], Any]:
    options = [
        click.option("--format", "formats", default=default_format, show_default=True, metavar="LIST",
                     help="tex, txt (latex and text mean the same), separated by commas."),
        click.option("--lang", "languages", default="en", show_default=True, metavar="LIST",
                     help="en, ja, separated by commas."),
        click.option("--detail", default="steps", show_default=True, type=click.Choice(DETAILS),
                     help="Results only; formula, numbers put in, result; or the arithmetic of every entry too."),
        click.option("--follow", default="", metavar="[STEP:]row|column:NUMBER",
                     help="The row or column to follow in color, as in Z:row:2; none for none."),
        click.option("--digits", default=4, show_default=True, type=int, help="Decimals of rounded numbers."),
        click.option("--zeros", default="keep", show_default=True, type=click.Choice(["keep", "trim"]),
                     help="Trailing zeros of rounded numbers."),
        click.option("--rounding", default="half-up", show_default=True, type=click.Choice(["half-up", "half-even"]),
                     help="Where a half goes; half-up means away from zero."),
    ]  # fmt: skip

    def add(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return add


class _Pages:
    """Pages of derivations under the options of one command."""

    def __init__(self, command: str, options: dict[str, Any]) -> None:
        from symtransformer.rendering import Style, checked_format, checked_language

        self.formats = _listed(options["formats"], checked_format)
        self.languages = _listed(options["languages"], checked_language)
        self.style = Style(options["digits"], options["zeros"], options["rounding"])
        self.detail, self.follow = options["detail"], options["follow"]
        self.command = f"symtransformer {command}"
        # what the page is made with, as it would be typed; format and language differ from page to page
        usual = {"detail": "steps", "follow": "", "digits": 4, "zeros": "keep", "rounding": "half-up"}
        self.changed = "".join(f" --{key} {options[key]}" for key in usual if options[key] != usual[key])

    def of(self, name: str, verified: Verified) -> Iterator[tuple[str, str, str]]:
        """Language, format and text of each page; `name` is a derivation's, or a file's without its folder."""
        from symtransformer.rendering import render

        follow = read_follow(self.follow, verified.derivation)
        for language in self.languages:
            for form in self.formats:
                command = f"{self.command} {name} --format {form} --lang {language}{self.changed}"
                text = render(
                    verified, form, language, detail=self.detail, style=self.style, follow=follow, command=command
                )
                yield language, form, text


def read_follow(text: str, derivation: Any) -> Any:
    """What --follow means for a derivation; None keeps the derivation's own."""
    from dataclasses import replace

    from symtransformer.derivation import Follow

    if not text:
        return None
    if text == "none":
        return False
    found = re.fullmatch(r"(?:([A-Za-z][A-Za-z0-9_]*):)?(row|column):([1-9][0-9]{0,3})", text)
    if found is None:
        raise UnreadableInput(
            f"--follow: expected [STEP:]row:NUMBER, [STEP:]column:NUMBER or none, got {_quoted(text)}"
        )
    step, axis, number = found.groups()
    own = derivation.follow
    name = step or (own.step if own is not None else derivation.steps[-1].name)
    derivation[name]  # raises with the names that exist
    chosen = Follow(name, axis, int(number) - 1)
    return replace(chosen)


def _listed(text: str, check: Callable[[str], str]) -> list[str]:
    items = [item.strip() for item in text.split(",") if item.strip()]
    if not items:
        raise UnreadableInput(f"expected a list separated by commas, got {_quoted(text)}")
    return list(dict.fromkeys(check(item) for item in items))


# -- the commands ----------------------------------------------------------------------------------------
@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="symtransformer")
def cli() -> None:
    """The mathematics of the Transformer: worked solutions in which every number is computed.

    \b
    symtransformer list                              what there is
    symtransformer show explainer_chapter_4          a worked derivation on the terminal
    symtransformer build explainer_chapter_4 --lang en,ja
    """


@cli.command("list")
@click.argument("what", default="all", type=click.Choice(["all", "derivations", "operations"]))
@click.option("--lang", "language", default="en", show_default=True, type=click.Choice(["en", "ja"]))
def list_command(what: str, language: str) -> None:
    """List the worked derivations and the operations."""
    rows: list[tuple[str, str]] = []
    if what in ("all", "derivations"):
        rows += [(name, load(name)[1].title.plain(language)) for name in known_derivations()]
    if what in ("all", "operations"):
        import symtransformer.operations
        from symtransformer.operation import REGISTRY

        assert symtransformer.operations
        rows += [(name, REGISTRY[name].title.plain(language)) for name in sorted(REGISTRY)]
    width = max(len(name) for name, _ in rows)
    for name, title in rows:
        click.echo(f"{name.ljust(width)}  {title}")


@cli.command()
@click.argument("name")
@_page_options("txt")
def show(name: str, **options: Any) -> None:
    """Print the worked derivation NAME, or that of a Python file of your own.

    A path ending in .py is run as a program: give only files that you trust. The name of
    the file is of lower-case letters, digits and _; the file sets a variable `derivation`.
    """
    from symtransformer.judge import verify

    pages = _Pages("show", options)
    verified = verify(load(name)[1])
    click.echo("\n".join(text for _, _, text in pages.of(Path(name).name, verified)), nl=False)
    verified.require_true()


@cli.command()
@click.argument("names", nargs=-1, metavar="[NAME|PATH]...")
@click.option("--out", default="output", show_default=True, metavar="DIR", help="Where pages go, as DIR/LANG/NAME.EXT.")
@_page_options("tex,txt")
def build(names: tuple[str, ...], out: str, **options: Any) -> None:
    """Write worked derivations to files; all of them, if none is named.

    A path ending in .py is run as a program: give only files that you trust. The name of
    the file is of lower-case letters, digits and _; the file sets a variable `derivation`.
    Files appear whole or not at all; nothing is written if a step is not true.
    """
    from symtransformer.judge import verify

    pages = _Pages("build", options)
    loaded: dict[str, Any] = {}
    for name in dict.fromkeys(names or known_derivations()):
        stem, derivation = load(name)
        if stem in loaded:
            raise UnreadableInput(f"two derivations are named {stem}; their pages would have the same file names")
        loaded[stem] = (Path(name).name, derivation)
    written: dict[Path, str] = {}
    for stem, (typed, derivation) in loaded.items():
        verified = verify(derivation).require_true()
        for language, form, text in pages.of(typed, verified):
            written[Path(out) / language / f"{stem}.{form}"] = text
    for path, text in written.items():
        write_whole(path, text)
        click.echo(path)


def write_whole(path: Path, text: str) -> None:
    """The file with this text, or no change at all, also when the process is killed."""
    import tempfile

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink():
            raise UnreadableInput(f"writing {path}: it is a symbolic link; remove it first")
        for old in path.parent.glob(".symtransformer-*.tmp"):
            if time.time() - old.stat().st_mtime > STALE_AFTER:
                old.unlink(missing_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=".symtransformer-", suffix=".tmp", dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UnreadableInput(f"writing {path}: {error.strerror or error}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


# -- the way out ----------------------------------------------------------------------------------------------
def _spelled_out(error: UnicodeError) -> tuple[str, int]:
    """What an old terminal cannot show, in plain letters."""
    assert isinstance(error, UnicodeEncodeError)
    text = error.object[error.start : error.end]
    return "".join(SPELLED_OUT.get(c, "?") for c in text), error.end


def _one_line(text: str) -> str:
    shown = "".join(c if c.isprintable() else " " for c in text)
    return shown if len(shown) <= 400 else shown[:399] + "…"


def _quoted(text: str) -> str:
    shown = "".join(c if c.isprintable() else "?" for c in text)
    return repr(shown if len(shown) <= 40 else shown[:39] + "…")


def main() -> None:
    """Run the command line; one clear line for whatever was wrong."""
    codecs.register_error("spelled_out", _spelled_out)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="spelled_out")
    try:
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
        _fail(error.format_message(), 2)
    except Refuted as error:
        _fail(str(error), 1)
    except SymtransformerError as error:
        _fail(str(error), 2)
    except (KeyboardInterrupt, click.Abort):
        _fail("stopped; nothing half-written", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the reader has seen enough
        sys.exit(0)
    except OSError as error:  # a full disk, say
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        _fail(f"standard output: {error.strerror or error}", 2)
    except RecursionError:
        _fail("the input is nested too deeply", 2)
    except Exception as error:
        if os.environ.get("SYMTRANSFORMER_TRACEBACK"):
            raise
        hint = "set SYMTRANSFORMER_TRACEBACK=1 to see where; if your file is right, please report it"
        _fail(f"{type(error).__name__}: {error} ({hint})", 2)


def _fail(message: str, code: int) -> None:
    click.echo(f"symtransformer: {_one_line(message)}", err=True)
    sys.exit(code)
