"""PDF of a Typst page, by the `typst` wheel: no other program, no file of the reader's, no network."""

from __future__ import annotations

import re
import tempfile
from functools import cache
from importlib.resources import files
from typing import Any

from symtransformer.errors import NotSupported

STANDARDS = ["a-2a", "ua-1"]  # for archives and for screen readers; a missing glyph is an error

ELSEWHERE = "--format txt, md, html or tex can show it, and --format typ is a source for Typst and fonts of your own"
_MISSING = re.compile(r'the text `"(.{1,20})"` could not be displayed')


def pdf(source: str) -> bytes:
    """The page as PDF: the same bytes for the same page."""
    typst = _typst()
    with tempfile.TemporaryDirectory() as empty:
        try:
            return bytes(
                typst.compile(
                    source.encode(), root=empty, font_paths=_fonts(), package_path=empty, package_cache_path=empty,
                    pdf_standards=STANDARDS, timestamp=0,
                )
            )  # fmt: skip
        except typst.TypstError as error:
            raise NotSupported(_reason(error.diagnostic)) from None


def _reason(diagnostic: str) -> str:
    """What Typst says, in a line: the signs that no font has, where it is that."""
    missing = dict.fromkeys(found[1] for found in _MISSING.finditer(diagnostic))
    if not missing:
        return f"pdf: Typst refuses the page: {diagnostic.splitlines()[0].removeprefix('error: ')}"
    signs = ", ".join(f"{text} ({' '.join(f'U+{ord(c):04X}' for c in text)})" for text in missing)
    return f"pdf: no font of the page has {signs}; {ELSEWHERE}"


@cache
def _fonts() -> Any:
    return _typst().Fonts(include_system_fonts=False, font_paths=[str(files(__package__) / "fonts")])


def _typst() -> Any:
    try:
        import typst
    except ImportError:
        raise NotSupported(
            "pdf: the Python package typst is not installed; pip install typst brings it. Without it, --format html is a "
            "page that a browser prints, --format tex one for LuaLaTeX, and --format typ one for any Typst"
        ) from None
    return typst
