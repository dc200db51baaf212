"""What goes to the terminal: plain letters where it shows no others, one clear line where something is wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import click

VERDICTS = {  # one word for one thing, whichever command says it
    "en": {"proved": "proved", "tested": "tested, not proved", "refuted": "refuted", "undecidable": "undecidable"},
    "ja": {
        "proved": "証明済み",
        "tested": "数値で確認（証明はしていない）",
        "refuted": "誤り",
        "undecidable": "判定できない",
    },
}
SPELLED_OUT = {"≈": "~=", "−": "-", "∞": "oo", "⊙": "(.)", "×": "x", "√": "sqrt", "·": ".", "…": "..."}


def spelled_out(error: UnicodeError) -> tuple[str, int]:
    """What an old terminal cannot show, in plain letters."""
    assert isinstance(error, UnicodeEncodeError)
    text = error.object[error.start : error.end]
    return "".join(SPELLED_OUT.get(c, "?") for c in text), error.end


def one_line(text: str) -> str:
    shown = "".join(c if c.isprintable() else " " for c in text)
    return shown if len(shown) <= 400 else shown[:399] + "…"


def cut(text: str) -> str:
    shown = "".join(c if c.isprintable() else "?" for c in text)
    return shown if len(shown) <= 40 else shown[:39] + "…"


def quoted(text: str) -> str:
    return repr(cut(text))


def fail(message: str, code: int, lines: bool = False) -> None:
    """One line, or the three of an error that points at a character; then the end."""
    shown = "\n".join(map(one_line, message.splitlines())) if lines else one_line(message)
    click.echo(f"symtransformer: {shown}", err=True)
    sys.exit(code)


def shows_color() -> bool:
    """Whether standard output is a terminal, and nobody asks for plain text (NO_COLOR, TERM=dumb)."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout is not None and sys.stdout.isatty() and not plain


@contextmanager
def progress(items: Iterable[Any], label: str, length: int | None = None) -> Iterator[Iterable[Any]]:
    """The items, with a bar on a terminal, and with nothing in a pipe."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield items
        return
    with click.progressbar(items, length=length, label=label, file=sys.stderr) as bar:
        yield bar
