"""From a derivation to a page: the neutral document, then one printer for each target."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from symtransformer.chosen_notation import USUAL, Notation
from symtransformer.derivation import Derivation, Follow
from symtransformer.errors import UnreadableInput
from symtransformer.judge import Verified
from symtransformer.operation import Operation
from symtransformer.rendering.compose import DETAILS, comment_of, compose
from symtransformer.rendering.document import Document
from symtransformer.rendering.formats import FORMATS, Format, checked_format
from symtransformer.rendering.layout import OwnTemplate
from symtransformer.rendering.numbers import Style
from symtransformer.rendering.same_letters import require_unambiguous
from symtransformer.rendering.values_document import compose_values
from symtransformer.rendering.words import checked_language, languages
from symtransformer.writing import heads_of


def render(
    subject: Derivation | Verified, format: str = "txt", language: str = "en", *, detail: str = "steps",
    style: Style | None = None, follow: Follow | bool | None = None, only: tuple[str, ...] = (), row: int | None = None,
    command: str = "", notation: Notation = USUAL, template: OwnTemplate | None = None, name: str = "",
) -> str:  # fmt: skip
    """A derivation as a page in one format ('tex', 'txt', ...) and one language ('en' or 'ja').

    A derivation that `verify` has judged is shown as it is; in any other, each step says
    that it has not been verified. `detail` is 'results', 'steps', 'entries', or 'problem': a
    worksheet with empty boxes for the answers. `only` names the steps to print, and `row` (from 0)
    the row of each. `notation` says how names, heads, matrices and decimals are written; `template` is one of your own, and `name` what macros
    are kept under.

    >>> from symtransformer import derive, matrix, render, verify
    >>> from symtransformer.operations import Softmax
    >>> S = matrix("S", 1, 2)
    >>> page = render(verify(derive(Softmax(S), values={S: [[0, 1]]})), detail="results")
    >>> print(page.splitlines()[-1])
      Y ≈ [[0.2689, 0.7311]]
    """
    form = FORMATS[checked_format(format)]
    if form.finish:
        raise UnreadableInput(f"render: {form.name} is not text; render_file gives the content of its file")
    return _page(
        subject, form, language, detail=detail, style=style, follow=follow, only=only, row=row, command=command,
        notation=notation, template=template, name=name,
    )  # fmt: skip


def render_file(subject: Derivation | Verified, format: str, language: str = "en", **options: Any) -> bytes:
    """What stands in the file of a page, also in a format that is not text; the options are those of `render`."""
    form = FORMATS[checked_format(format)]
    content = form.finished(_page(subject, form, language, **options))
    return content.encode() if isinstance(content, str) else content


def render_pieces(subject: Derivation | Verified, language: str = "en") -> tuple[str, list[tuple[str, str]], str]:
    """A page for a notebook: Markdown, its drawings (sentences that say the same, and SVG), and the Markdown behind them."""
    from symtransformer.rendering.notebook import PIECES, pieces

    return pieces(_page(subject, PIECES, language))


def render_glossary(format: str, language: str = "en") -> bytes:
    """What stands in the file of the glossary, in any format."""
    from symtransformer.rendering.glossary import glossary

    form = FORMATS[checked_format(format)]
    content = form.finished(form.printer_class()(checked_language(language), {}).page(glossary()))
    return content.encode() if isinstance(content, str) else content


class _Same:
    """A subject that is only itself: equal ones of other objects are composed anew."""

    def __init__(self, subject: Derivation | Verified) -> None:
        self.subject = subject

    def __hash__(self) -> int:
        return id(self.subject)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.subject is self.subject


@lru_cache(maxsize=2)  # the pages of one derivation follow each other, in all languages and formats
def _composed(same: _Same, live: bool, **options: Any) -> Document:
    return compose(same.subject, live=live, **options)


def _page(
    subject: Derivation | Verified, form: Format, language: str, *, notation: Notation = USUAL,
    template: OwnTemplate | None = None, name: str = "", **options: Any,
) -> str:  # fmt: skip
    if not isinstance(subject, (Derivation, Verified)):
        got = "" if isinstance(subject, Operation) else f", got {type(subject).__name__}"
        reading = "; read_expression(text) reads an expression" if isinstance(subject, str) else ""
        raise UnreadableInput(f"render: expected a derivation{got}; derive(expression) makes one{reading}")
    make = form.printer_class()
    if template is not None and not make.takes_template:
        raise UnreadableInput(f"template: the format {form.name} has no place for one")
    if form.of_values:
        document = compose_values(subject, name=name, **options)
    else:
        command = options.pop("command", "")
        document = _composed(_Same(subject), make.live, **options)
        document = replace(document, comment=comment_of(subject, command))
    derivation = subject.derivation if isinstance(subject, Verified) else subject
    letters = {letter.name: letter for letter in derivation.inputs} | {s.name: s.letter for s in derivation.steps}
    heads = heads_of(*(side for step in derivation.steps for side in (step.letter, step.expression, step.stands_for)))
    require_unambiguous(notation, derivation)
    printer = make(checked_language(language), letters, heads, notation)
    printer.own_template = template
    return printer.page(document)


__all__ = [
    "DETAILS", "FORMATS", "Format", "Notation", "OwnTemplate", "Style", "checked_format", "checked_language", "languages",
    "render", "render_file", "render_glossary", "render_pieces", "require_unambiguous",
]  # fmt: skip
