"""PDF of a Typst page, by the `typst` wheel: no other program, no file of the reader's, no network."""

from __future__ import annotations

import tempfile
from functools import cache
from importlib.resources import files
from typing import Any

from symtransformer.errors import NotSupported

STANDARD = "a-2u"  # for archives: every font embedded, every sign with its meaning; a missing glyph is an error


def pdf(source: str) -> bytes:
    """The page as PDF: the same bytes for the same page."""
    typst = _typst()
    with tempfile.TemporaryDirectory() as empty:
        try:
            return bytes(
                typst.compile(
                    source.encode(), root=empty, font_paths=_fonts(), package_path=empty, package_cache_path=empty,
                    pdf_standards=STANDARD, timestamp=0,
                )
            )  # fmt: skip
        except typst.TypstError as error:
            raise NotSupported(f"pdf: {error.diagnostic}") from None


@cache
def _fonts() -> Any:
    return _typst().Fonts(include_system_fonts=False, font_paths=[str(files(__package__) / "fonts")])


def _typst() -> Any:
    try:
        import typst
    except ImportError:
        raise NotSupported(
            "pdf: the package typst is not installed; pip install typst; "
            "meanwhile --format tex gives a page for LuaLaTeX, and --format typ one for any Typst"
        ) from None
    return typst
