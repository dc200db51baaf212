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
