"""From a derivation to a page: the neutral document, then one printer for each target."""

from __future__ import annotations

from symtransformer.derivation import Derivation, Follow
from symtransformer.errors import UnreadableInput
from symtransformer.judge import Verified
from symtransformer.operation import Operation
from symtransformer.rendering.compose import DETAILS, compose
from symtransformer.rendering.latex import LatexPrinter
from symtransformer.rendering.numbers import Style
from symtransformer.rendering.printer import Printer
from symtransformer.rendering.text import TextPrinter
from symtransformer.rendering.words import LANGUAGES, checked_language
from symtransformer.writing import heads_of

FORMATS: dict[str, type[Printer]] = {"tex": LatexPrinter, "txt": TextPrinter}
ALIASES = {"latex": "tex", "text": "txt"}


def checked_format(name: str) -> str:
    """The format that a name or an alias means."""
    chosen = ALIASES.get(name, name)
    if chosen not in FORMATS:
        known = ", ".join([*FORMATS, *ALIASES])
        raise UnreadableInput(f"format: expected {known}, got {name[:40]!r}")
    return chosen


def render(
    subject: Derivation | Verified, format: str = "txt", language: str = "en", *, detail: str = "steps",
    style: Style | None = None, follow: Follow | bool | None = None, only: tuple[str, ...] = (), row: int | None = None,
    command: str = "",
) -> str:  # fmt: skip
    """A derivation as a page in one format ('tex' or 'txt') and one language ('en' or 'ja').

    A derivation that `verify` has judged is shown as it is; in any other, each step says
    that it has not been verified. `detail` is 'results', 'steps', 'entries', or 'problem': a
    worksheet with empty boxes for the answers. `only` names the steps to print, and `row` (from 0)
    the row of each.

    >>> from symtransformer import derive, matrix, render, verify
    >>> from symtransformer.operations import Softmax
    >>> S = matrix("S", 1, 2)
    >>> page = render(verify(derive(Softmax(S), values={S: [[0, 1]]})), detail="results")
    >>> print(page.splitlines()[-1])
      Y ≈ [[0.2689, 0.7311]]
    """
    if isinstance(subject, Operation):
        raise UnreadableInput("render: expected a derivation; derive(expression) makes one")
    document = compose(subject, detail=detail, style=style, follow=follow, only=only, row=row, command=command)
    derivation = subject.derivation if isinstance(subject, Verified) else subject
    letters = {letter.name: letter for letter in derivation.inputs} | {s.name: s.letter for s in derivation.steps}
    heads = heads_of(*(side for step in derivation.steps for side in (step.letter, step.expression, step.stands_for)))
    return FORMATS[checked_format(format)](checked_language(language), letters, heads).page(document)


__all__ = ["ALIASES", "DETAILS", "FORMATS", "LANGUAGES", "Style", "checked_format", "checked_language", "render"]
