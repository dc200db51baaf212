"""Which kind of document it is, seen from its content and from the end of its name."""

from __future__ import annotations

import json
import re

from symtransformer.documents.decoding import DocumentError
from symtransformer.reading.problems import quoted

SUFFIXES = {
    "tex": "latex", "ltx": "latex", "latex": "latex", "md": "markdown", "markdown": "markdown", "qmd": "markdown",
    "rmd": "markdown", "txt": "text", "text": "text", "ipynb": "notebook", "html": "html", "htm": "html",
    "xhtml": "html", "json": "json",
}  # fmt: skip
KINDS = ("latex", "markdown", "text", "notebook", "html", "json")
SEEN_OF = 20_000  # characters of the beginning that are looked at
HTML = re.compile(r"\A\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)?<(?:!doctype\s+html|html|head|body|math|div|p|table|h1)\b", re.I)  # fmt: skip
LATEX = re.compile(r"^[ \t]*\\(?:documentclass|begin\{document\}|usepackage|section\*?\{|newcommand)", re.MULTILINE)
MARKDOWN = re.compile(r"^(?:#{1,6} |```|~~~|\|.*\|[ \t]*\r?$)|\$", re.MULTILINE)


def kind_of(text: str, name: str, kind: str = "") -> str:
    """The kind that is asked for; else what the content says, else the suffix, else plain text."""
    if kind:
        if kind not in KINDS:
            raise DocumentError(name, "kind", f"{quoted(kind)} is no kind of document; known are {', '.join(KINDS)}")
        return kind
    suffix = SUFFIXES.get(name.rpartition(".")[2].lower(), "") if "." in name else ""
    start = text[:SEEN_OF]
    if suffix in ("json", "") and start.lstrip()[:1] == "{" and ('"nbformat"' in text and '"cells"' in text):
        return "notebook"
    if suffix in ("text", "") and re.search(r"^[ \t]*\\documentclass", start, re.MULTILINE):
        return "latex"
    return suffix or ("json" if _is_json(text) else _from_content(start))


def _is_json(text: str) -> bool:
    if text.lstrip()[:1] not in ("{", "["):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _from_content(start: str) -> str:
    if HTML.match(start):
        return "html"
    if LATEX.search(start):
        return "latex"
    return "markdown" if MARKDOWN.search(start) else "text"
