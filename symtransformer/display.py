"""What notebooks show of an object; `jupyter` says it, and is loaded only where one asks."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class InNotebooks:
    """Formulas instead of the text of Python, in Jupyter and everything that reads its protocol."""

    __slots__ = ()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """Plain text, and LaTeX or Markdown; the front end takes what it can show."""
        shown: dict[str, str] = import_module("symtransformer.jupyter").shown(self)
        return shown


class PrintedAsShown(InNotebooks):
    """What `print` shows is the text that a terminal shows."""

    __slots__ = ()

    def __str__(self) -> str:
        return self._repr_mimebundle_()["text/plain"]


class DrawnInNotebooks(InNotebooks):
    """A page with the drawing of its data flow, which stands between Markdown as a picture of its own."""

    __slots__ = ()

    def _ipython_display_(self) -> None:
        """Shows the page; says that it does not where there is no notebook, or nothing to draw."""
        import_module("symtransformer.jupyter").show_with_drawing(self)
