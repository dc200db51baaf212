"""A page for a notebook in pieces: Markdown, and between it the drawings of the data flow, which no Markdown holds safely."""

from __future__ import annotations

from typing import Any

from symtransformer.rendering.document import Flow, PartsFlow
from symtransformer.rendering.formats import Format
from symtransformer.rendering.html_assets import macro
from symtransformer.rendering.html_blocks import HtmlBlocks
from symtransformer.rendering.html_drawings import told
from symtransformer.rendering.markdown import JupyterPrinter

MARK = "\ue002"  # around what belongs to a drawing; no words hold it, since it is not visible
_OWN = ".symtransformer-flow"  # what a notebook shows stands in one page with everything else
_STYLE = "".join(
    f"{_OWN} {rule}"
    for rule in (
        "path{fill:none;stroke:#444;stroke-width:1.3}", ".head{fill:#444;stroke:none}",
        "rect{fill:#fff;stroke:#000;stroke-width:1.2}", ".given{fill:#e4e4e4;stroke:none}", ".paper{stroke:none}",
        "text{font-family:'Latin Modern Roman','Times New Roman',serif}",
        ".said{font-size:14px;font-family:sans-serif;text-anchor:middle}", ".alone{fill:#444}", ".i{font-style:italic}",
        ".b{font-weight:bold}",
    )
)  # fmt: skip


class NotebookPrinter(JupyterPrinter):
    """Markdown, with a mark around each drawing and the sentences that say the same."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.drawing = HtmlBlocks(*arguments, **options)

    def flow(self, flow: Flow | PartsFlow) -> str:
        words, description, drawing = told(self.drawing, flow)
        svg = macro("in_notebook", drawing, _STYLE, self.sentence("flow_name"), description)
        return f"{self.escape(words)}\n\n{MARK}{description}{MARK}{svg}{MARK}"

    parts_flow = flow


PIECES = Format("notebook", "md", "notebook:NotebookPrinter")  # of no file


def pieces(text: str) -> tuple[str, list[tuple[str, str]], str]:
    """What stands in front, each drawing with its sentences, and what stands behind them.

    >>> pieces("a\\ue002b\\ue002c\\ue002d")
    ('a', [('b', 'c')], 'd')
    """
    first, *rest = (part.strip("\n") for part in text.split(MARK))
    drawings = [(rest[k], rest[k + 1]) for k in range(0, len(rest) - 1, 3)]
    return first, drawings, "\n\n".join(filter(None, rest[2::3]))
