"""The values of an evaluation, one line for each step, exact or rounded as on every page."""

from __future__ import annotations

from collections.abc import Iterator

from symtransformer.evaluation import Evaluation
from symtransformer.rendering.document import Chain, Document, Equations, Formula, Remark
from symtransformer.rendering.formats import FORMATS, checked_format
from symtransformer.rendering.numbers import Style
from symtransformer.rendering.page_numbers import PageNumbers
from symtransformer.rendering.words import checked_language
from symtransformer.writing import heads_of


class _Values(PageNumbers):
    def __init__(self, evaluation: Evaluation) -> None:
        super().__init__(evaluation.derivation, Style())
        self.evaluation = evaluation

    def chains(self) -> Iterator[Chain]:
        for step in self.derivation.steps:
            if step.letter.head is None or not step.letter.head.is_Symbol:  # no number stands for all heads at once
                grid = self._grid(step.letter)
                yield Chain(Formula(step.letter), ((self._sign(grid), grid),))


def render_values(evaluation: Evaluation, format: str, language: str) -> str:
    """The values of all steps as text in one format."""
    derivation, chains = evaluation.derivation, tuple(_Values(evaluation).chains())
    rounded = any(sign == "≈" for chain in chains for sign, _ in chain.rights)
    remarks = (Remark("rounded"),) if rounded else ()
    letters = {x.name: x for x in (*derivation.inputs, *(step.letter for step in derivation.steps))}
    heads = heads_of(*(side for step in derivation.steps for side in (step.letter, step.stands_for)))
    printer = FORMATS[checked_format(format)].printer_class()(checked_language(language), letters, heads)
    return printer.page(Document(derivation.title, (*remarks, Equations(chains)), ("symtransformer",)))
