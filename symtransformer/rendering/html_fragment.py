r"""A document as a piece of HTML for a page that sets \(...\) itself, as a notebook does: no scripts, nothing that computes."""

from __future__ import annotations

from typing import Any, ClassVar

from markupsafe import Markup

from symtransformer.rendering.document import Document
from symtransformer.rendering.html_blocks import HtmlBlocks
from symtransformer.symbols import Letter

_STYLE = (
    ".symtransformer .heat td{background:#fff;color:#000;text-align:center}"
    ".symtransformer .heat :is(.on-light,.on-dark){background:rgb(calc(255 - var(--shade)*2.55),"
    "calc(255 - var(--shade)*2.55),calc(255 - var(--shade)*2.55))}"
    ".symtransformer .heat .on-dark{color:#fff}.symtransformer .marked{font-weight:700}"
    ".symtransformer .chain>div,.symtransformer .term,.symtransformer .line>div{display:inline-block;margin-right:.5em}"
    ".symtransformer [hidden]{display:none}"
)


class FragmentPrinter(HtmlBlocks):
    """Blocks as HTML whose formulas are left to the page around them."""

    followed_mark: ClassVar[str] = r"\color{steelblue}"

    def math(self, tex: str, text: str, display: bool = False, key: str = "") -> Markup:
        shown = tex.replace(r"\blank", r"\boxed{\quad\;\;}")
        return Markup(r"\({}{}\)").format(r"\displaystyle " if display else "", shown)

    def unmarked(self, text: str) -> str:
        return super().unmarked(text.replace(self.followed_mark, ""))

    def page(self, document: Document) -> str:
        blocks = [block for part in self.parts(document) for block in part["blocks"]]
        title = Markup("<h1>{}</h1>").format(self.words(document.title))
        whole = Markup("\n").join([title, *blocks])
        return Markup('<div class="symtransformer" lang="{}"><style>{}</style>\n{}\n</div>\n').format(
            self.language, Markup(_STYLE), whole
        )


def html_fragment(
    document: Document,
    language: str = "en",
    letters: dict[str, Letter] | None = None,
    heads: frozenset[Any] = frozenset(),
) -> str:
    r"""The document as one element whose formulas stand in \(...\).

    >>> from symtransformer import derive, matrix
    >>> from symtransformer.rendering.compose import compose
    >>> A = matrix("A", 1, 2)
    >>> steps = derive(A + A, values={A: [[1, 2]]})
    >>> fragment = html_fragment(compose(steps, detail="results"), "en", {"A": A, "Y": steps["Y"].letter})
    >>> r"\(\displaystyle = \begin{bmatrix}2 &amp; 4\end{bmatrix}\)" in fragment
    True
    """
    return str(FragmentPrinter(language, letters or {}, heads).page(document))
