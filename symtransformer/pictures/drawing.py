"""What both kinds of picture have in common: matplotlib, fonts, and SVG without dates."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from symtransformer.derivation import Derivation
from symtransformer.errors import NotSupported
from symtransformer.judge import Verified
from symtransformer.rendering.latex import LatexPrinter
from symtransformer.rendering.visible import visible
from symtransformer.rendering.words import checked_language
from symtransformer.writing import heads_of

FONTS = ["DejaVu Sans", "Noto Sans CJK JP", "Noto Sans JP", "Hiragino Sans", "Yu Gothic", "IPAexGothic", "sans-serif"]
SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none", "svg.hashsalt": "symtransformer", "font.size": 11, "axes.spines.top": False,
    "axes.spines.right": False, "mathtext.fontset": "cm",
}  # fmt: skip


@contextmanager
def figure(width: float, height: float) -> Iterator[tuple[Any, Any]]:
    """A figure of this size in inches and its axes, under the settings of all pictures."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise NotSupported(
            "a picture: matplotlib is not installed; pip install 'symtransformer[pictures]' brings it. "
            "Heat maps stand on the pages of show and build without it"
        ) from error
    with matplotlib.rc_context(SETTINGS):
        drawn = Figure(figsize=(width, height), layout="constrained")
        yield drawn, drawn.add_subplot()


def as_svg(drawn: Any, title: str) -> str:
    """The figure as SVG, its letters as text in the fonts of whoever looks at it."""
    buffer = io.BytesIO()
    with warnings.catch_warnings():  # letters that matplotlib's own font lacks are drawn by the reader's
        warnings.filterwarnings("ignore", message="Glyph .* missing from font", category=UserWarning)
        drawn.savefig(
            buffer, format="svg", metadata={"Date": None, "Creator": "symtransformer", "Title": visible(title)}
        )
    text = buffer.getvalue().decode()
    families = ", ".join(f"'{name}'" if " " in name else name for name in FONTS)
    text = text.replace("'DejaVu Sans', sans-serif", families).replace("'DejaVu Sans'", families)
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def printer_of(subject: Derivation | Verified, language: str) -> LatexPrinter:
    """The printer whose words and formulas stand beside the picture."""
    derivation = subject.derivation if isinstance(subject, Verified) else subject
    letters = {letter.name: letter for letter in derivation.inputs} | {s.name: s.letter for s in derivation.steps}
    return LatexPrinter(checked_language(language), letters, heads_of(*(step.expression for step in derivation.steps)))


def mathematics(latex: str) -> str:
    """A letter or an entry for matplotlib, which knows a part of LaTeX."""
    return f"${latex}$".replace(r"\mathrm", r"\mathdefault").replace(r"\text", r"\mathdefault")
