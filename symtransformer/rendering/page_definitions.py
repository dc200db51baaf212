"""What a page defines: each name that a step uses stands there before it, as a step, as what is given, or beside the step."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

from symtransformer.derivation import Derivation, Section, Step
from symtransformer.errors import UnreadableInput
from symtransformer.node import Node, postorder
from symtransformer.notation import Words
from symtransformer.rendering.document import Block, Chain, Equations, Formula, Heading, Paragraph, Remark, Statement
from symtransformer.rendering.numbers import Style, show_counted
from symtransformer.rendering.page_sections import PageSections
from symtransformer.rendering.placeholders import require_known


class PageDefinitions(PageSections, ABC):
    """Keeps what the page has defined so far."""

    detail: str

    def __init__(self, derivation: Derivation, style: Style) -> None:
        super().__init__(derivation, style)
        self.defined: set[str] = set()
        self.complete = True  # whether every name has to be defined; not where only some steps were asked for

    @abstractmethod
    def _step(self, step: Step) -> Iterable[Block]: ...
    @abstractmethod
    def _formula_chain(self, step: Step) -> Chain: ...
    @abstractmethod
    def _verdict(self, step: Step) -> Iterable[Block]: ...

    def _made_from(self, step: Step) -> Node:
        """The finer definition, or the step as one operation where the page does not show what that is made from."""
        if step.coarse is None or not self.complete:
            return step.expression
        made = {name for name in _names(step.expression) if name not in self.inputs}
        return step.expression if made <= self.defined else step.coarse

    def _used(self, step: Step) -> set[str]:
        return _names(step.definition) | _names(self._made_from(step))

    def _needed(self, steps: Iterable[Step]) -> list[str]:
        """The names that these steps use and that the page has not defined yet, each after what it is made from."""
        if not self.complete or self.detail == "results":
            return []
        own, found = set(self.defined), dict[str, None]()
        for step in steps:
            for name in sorted(self._used(step)):
                self._follow_back(name, own, found)
            own.add(step.name)
        order = [*self.inputs, *(step.name for step in self.derivation.steps)]
        return sorted(found, key=order.index)

    def _follow_back(self, name: str, own: set[str], found: dict[str, None]) -> None:
        waiting = [name]
        while waiting:
            name = waiting.pop()
            if name in own or name in found:
                continue
            if name not in self.inputs:
                found[name] = None
                waiting += sorted(_names(self.derivation[name].definition))
            elif self.evaluation is not None:  # without values, the words of the page say what is given
                found[name] = None

    def _definitions(self, steps: list[Step]) -> Iterable[Block]:
        """In one line each; but in full where the judge has something to say of one."""
        chains: list[Chain] = []
        for name in self._needed(steps):
            if name in self.inputs:
                chains += self._input(name)
            elif list(self._verdict(step := self.derivation[name])):
                yield from self._step(step)
            else:
                chains.append(self._formula_chain(step))
            self.defined.add(name)
        if chains:
            yield Remark("used_here")
            yield Equations(tuple(chains))

    def _input(self, name: str) -> Iterable[Chain]:
        if name not in self.inputs:
            raise UnreadableInput(f"section inputs: {name!r} is not an input; they are {', '.join(self.inputs)}")
        if self.evaluation is None:
            return
        for letter in (member for own in self.inputs[name] for member in self._members(own)):
            grid = self._grid(letter, self.marks.get(name, frozenset()))
            labels = [self._label(letter, "row", i) for i in range(len(grid.cells))]
            labeled = replace(grid, labels=tuple(w for w in labels if w is not None))
            yield Chain(Formula(letter), (("=", labeled),))

    def _require_known_words(self, section: Section) -> None:
        where = f'section "{section.title.en[:40]}"'
        for words in (section.title, section.text, *(fact.words for fact in section.facts)):
            require_known(words, where, self._known_names, self._known_names)
        for name in section.steps:
            for words in (self.derivation[name].title, self.derivation[name].explanation):
                require_known(words, f"step {name}", self._known_names, self._known_names)

    @cached_property
    def _known_names(self) -> set[str]:
        """Of steps, inputs, sizes and parameters."""
        steps, sections = self.derivation.steps, self.derivation.sections
        symbols = {str(s) for step in steps for x in (step.definition, step.expression) for s in x._symbols}
        symbols |= {str(section.sweep.parameter) for section in sections if section.sweep is not None}
        symbols |= {
            str(key) for values in (self.derivation.values, *(s.values.items() for s in sections)) for key, _ in values
        }
        return {*self.inputs, *(step.name for step in steps)} | symbols

    def with_sizes(self, blocks: list[Block]) -> list[Block]:
        """The blocks of a page, and before its first section the sizes that its words and formulas speak of."""
        own, *others = (self._evaluation_of(values) for values in ({}, *(x.values for x in self.derivation.sections)))
        if own is None or not self.complete or self.blank:
            return blocks
        spoken_of, sizes = set(_spoken_of(blocks)), own.given.sizes
        same = {s for s, n in sizes.items() if all(x is None or x.given.sizes.get(s) == n for x in others)}
        sizes = {str(s): sizes[s] for s in sizes if s in same and str(s) in spoken_of}
        if not sizes:
            return blocks
        shown = [f"{{{name}}} = {{{k}}}" for k, name in enumerate(sizes)]
        words = Words(f"Sizes: {', '.join(shown)}.", f"大きさ：{'、'.join(shown)}。")
        numbers = tuple(show_counted(number) for number in sizes.values())
        at = next((k for k, block in enumerate(blocks) if isinstance(block, Heading) and block.level > 1), len(blocks))
        return [*blocks[:at], Statement(words, numbers), *blocks[at:]]


def _spoken_of(blocks: list[Block]) -> Iterator[str]:
    """The names of sizes and numbers that stand in the words and formulas of a page."""
    for block in blocks:
        if isinstance(block, (Paragraph, Statement, Heading)):
            yield from re.findall(r"\{([A-Za-z]\w*)", block.words.en)
        for chain in block.chains if isinstance(block, Equations) else ():
            for _, term in chain.rights:
                for node in postorder(term.tree) if isinstance(term, Formula) else ():
                    arguments: Any = () if node.is_letter else node.args
                    yield from (str(s) for x in arguments if not isinstance(x, Node) for s in x.free_symbols)


def _names(node: Node) -> set[str]:
    return {letter.name for letter in node._letters}
