"""The formats of a page: a name, the ending of its files, and the printer that writes it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from symtransformer.errors import UnreadableInput
from symtransformer.rendering.printer import Printer


@dataclass(frozen=True)
class Format:
    """One format; its printer is imported when it is used."""

    name: str
    extension: str  # of a file: NAME.EXTENSION
    printer: str  # "module:class", below this package
    aliases: tuple[str, ...] = ()
    finish: str = ""  # "module:function" from the printed text to the bytes of the file, if it is no text

    of_values: bool = False  # every value by itself instead of a page

    def printer_class(self) -> type[Printer]:
        return _found(self.printer)

    def finished(self, text: str) -> str | bytes:
        """What stands in the file."""
        return _found(self.finish)(text) if self.finish else text


FORMATS = {
    form.name: form
    for form in (
        Format("tex", "tex", "latex:LatexPrinter", ("latex",)),
        Format("tex-fragment", "fragment.tex", "latex_fragment:FragmentPrinter"),
        Format("texmacros", "macros.tex", "latex_macros:MacrosPrinter", of_values=True),
        Format("typ", "typ", "typst:TypstPrinter", ("typst",)),
        Format("pdf", "pdf", "typst:TypstPrinter", finish="typst_pdf:pdf"),
        Format("tex-pdf", "tex.pdf", "latex:LatexPrinter", finish="lualatex:pdf"),
        Format("txt", "txt", "text:TextPrinter", ("text",)),
        Format("terminal", "ansi", "terminal:TerminalPrinter"),
        Format("html", "html", "html:HtmlPrinter"),
        Format("md", "md", "markdown:MarkdownPrinter", ("markdown",)),
        Format("md-github", "github.md", "markdown:CodeHostPrinter"),
        Format("md-jupyter", "jupyter.md", "markdown:JupyterPrinter"),
    )
}


def checked_format(name: str) -> str:
    """The format that a name or an alias means."""
    for form in FORMATS.values():
        if name == form.name or name in form.aliases:
            return form.name
    known = ", ".join([*FORMATS, *(alias for form in FORMATS.values() for alias in form.aliases)])
    raise UnreadableInput(f"format: expected {known}, got {name[:40]!r}")


def _found(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(f"{__package__}.{module}"), name)
