"""A page on a terminal: the plain text with a box around its title, bold headings, and what is followed in color."""

from __future__ import annotations

from symtransformer.rendering.document import Equations, Heading, HeatMap, Table, VerdictBlock
from symtransformer.rendering.text import TextPrinter, display_width

BOLD, FAINT, FOLLOWED, WRONG = "1", "2", "1;36", "1;31"
FOLLOWED_LINE = "> "


class TerminalPrinter(TextPrinter):
    """Blocks as text with escape sequences of color; without them it is the text page, but for the box."""

    def comment(self, lines: tuple[str, ...]) -> str:
        return painted(super().comment(lines), FAINT)

    def heading(self, block: Heading) -> str:
        text = super().heading(block)
        if block.level != 1:
            return painted(text, BOLD)
        title = text.splitlines()[0]
        line = "─" * (display_width(title) + 2)
        return painted(f"┌{line}┐\n│ {title} │\n└{line}┘", BOLD)

    def equations(self, block: Equations) -> str:
        return _followed(super().equations(block))

    def table(self, block: Table) -> str:
        return _followed(super().table(block))

    def heat_map(self, block: HeatMap) -> str:
        return _followed(super().heat_map(block))

    def verdict(self, block: VerdictBlock) -> str:
        return painted(super().verdict(block), WRONG)


def _followed(text: str) -> str:
    return "\n".join(painted(line, FOLLOWED) if line.startswith(FOLLOWED_LINE) else line for line in text.split("\n"))


def painted(text: str, code: str) -> str:
    """Each line in this color, so that a pager which shows one line alone shows it so, too."""
    return "\n".join(f"\x1b[{code}m{line}\x1b[0m" if line else line for line in text.split("\n"))
