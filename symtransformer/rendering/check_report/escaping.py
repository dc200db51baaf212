"""Somebody's text in a report: what a reader would not see is shown as an escape, in one way for every format."""

from __future__ import annotations

import re
import unicodedata

from symtransformer.reading.free_text import UNSEEN
from symtransformer.rendering.markdown_text import at_the_start, escape

_SPACES = re.compile(r"[ \t\r\n]+")
TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")  # the direction of text
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def is_seen(character: str) -> bool:
    """Whether it shows itself, and moves neither the cursor nor the text around it."""
    return (character.isprintable() and character not in UNSEEN) or unicodedata.category(character) == "Zs"


def escaped(text: str) -> str:
    r"""The text in one line, every character that is not seen as an escape.

    >>> escaped("a\x1b[31mb\u202ec\n")
    'a\\x1b[31mb\\u202ec\\n'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if is_seen(c) else _escape(c) for c in text)


def _escape(character: str) -> str:
    code = ord(character)
    if character in _NAMED:
        return _NAMED[character]
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def harmless(text: str) -> str:
    """A line of a document as it stands, without what moves the cursor or turns the text around."""
    return "".join(
        _escape(c) if c != "\t" and (c in TURNING or unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")) else c
        for c in text
    )


def one_line(text: str) -> str:
    """As `escaped`, with the ends of lines and tabs as spaces: for formulas and sentences."""
    return escaped(_SPACES.sub(" ", text).strip())


def columns(text: str) -> int:
    """Columns on a terminal: Japanese letters take two, marks on a letter none."""
    return sum(_width(c) for c in text)


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def filled_up(text: str, width: int) -> str:
    """With spaces behind it, so many columns wide."""
    return text + " " * (width - columns(text))


# -- Markdown -------------------------------------------------------------------------------------------
def markdown_words(text: str) -> str:
    r"""A sentence in which nothing is markup, a link or a mention.

    >>> print(markdown_words("a|b <i> $5$ *c*"))
    a\|b \<i\> \$5\$ \*c\*
    """
    return at_the_start(escape(one_line(text)).replace("[", r"\["))  # a report is not read for formulas


def markdown_code(text: str, in_table: bool = False) -> str:
    """A span of code, with as many backticks around it as it takes.

    >>> print(markdown_code("a`b"), markdown_code("a|b", in_table=True))
    ``a`b`` `a\\|b`
    """
    shown = one_line(text)
    fence = "`" * (_longest_run(shown) + 1)
    inside = f" {shown} " if shown[:1] in ("`", " ", "") or shown[-1:] in ("`", " ") else shown
    span = f"{fence}{inside}{fence}"
    return span.replace("|", "\\|") if in_table else span


def markdown_block(lines: list[str]) -> list[str]:
    """A fenced block of lines that are escaped already."""
    fence = "`" * max(3, *(_longest_run(line) + 1 for line in lines))
    return [f"{fence}text", *lines, fence]


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


# -- HTML -----------------------------------------------------------------------------------------------
def in_html_comment(text: str) -> str:
    """Text that cannot end the comment that it stands in."""
    return re.sub("-(?=-)", "- ", one_line(text))
