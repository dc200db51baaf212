"""Lines of a claim that define names of its own, some of which are parts of the expression."""

from __future__ import annotations

import re
from typing import Any

from sympy import Symbol

from symtransformer.claims.lines import Line
from symtransformer.claims.sides import Sides, matrix_of
from symtransformer.claims.subject import Subject, subject_of
from symtransformer.derivation import written_out
from symtransformer.formulas import have_same_formula
from symtransformer.gradients import cotangent_name
from symtransformer.node import Node, postorder
from symtransformer.operation import unfolded
from symtransformer.reading.index_formulas import HABITS, IndexFormula
from symtransformer.reading.index_marks import spellings
from symtransformer.reading.index_ranges import Ranges
from symtransformer.symbols import Letter

DEFINED = re.compile(
    r"\s*(?P<base>[A-Za-z][A-Za-z0-9]{0,15})(?:_(?:\{(?P<braced>[^{}]{1,12})\}|(?P<low>[A-Za-z0-9]{1,15})))?\s*"
)
GRADIENT = re.compile(r"(?<![A-Za-z0-9_])d[A-Za-z]")
INDICES = re.compile(r"[a-z](?:\s*,?\s*[a-z])?")


class Definitions(Sides):
    """Names that the claim itself defines."""

    def is_new(self, left: str) -> bool:
        """Whether the left side of a line is a name that nothing bears."""
        found = DEFINED.fullmatch(left)
        low = found and (found.group("braced") or found.group("low"))
        name = found and (f"{found.group('base')}_{low}" if low else found.group("base"))
        known = {*self.nodes, *self.numbers}
        return found is not None and name not in known and not {s for s in spellings(found.group("base")) if s in known}

    def define(self, line: Line) -> None:
        found = DEFINED.fullmatch(self.text[line.left.start : line.left.end])
        if found is None:
            raise self.whole.refuse(line.left, "definition", "a line that defines has a name on its left side, as in G = dS / sqrt(d_k) or g_ij = ds_ij / sqrt(d_k)")  # fmt: skip
        base, low = found.group("base"), found.group("braced") or found.group("low") or ""
        indices = re.findall(r"[a-z]", low) if INDICES.fullmatch(low) and not {*re.findall("[a-z]", low)} & self.numbers.keys() else []  # fmt: skip
        name = base if indices or not low else f"{base}_{low}"
        for other in {name, name[0].upper() + name[1:]} if indices else {name}:
            hides = other in self.nodes and other not in self.subject.usual
            if other in self.defined or other in self.numbers or hides:
                message = f"{other} is the name of something else already; choose another"
                raise self.whole.refuse(line.left, "twice", message)
        value = self._indexed_definition(line, indices) if indices else self.matrices(line.right)[0]
        if not isinstance(value, Node):  # c = 1/sqrt(d_k)
            if name in self.used | self.nodes.keys():
                raise self.whole.refuse(line.left, "twice", f"{name} stands for a matrix already; choose another name")
            self.numbers[name] = value
            return
        node = value
        if {name, name[0].upper() + name[1:]} & self.used:
            message = (
                f"an earlier line takes {name} for a step of the expression; define it first, or choose another name"
            )
            raise self.whole.refuse(line.left, "twice", message)
        names = {x.name for x in node._free if isinstance(x, Letter)}
        self.used |= names | {x[1:] for x in names if x[0] == "d"}
        self._remember(name, node, line)

    def _indexed_definition(self, line: Line, indices: list[str]) -> Node:
        right = self.parsed(line.right)
        free = {x: x for x in indices}
        if len(free) != len(indices):
            raise self.whole.refuse(line.left, "index", "an index appears twice on the left side of a definition")
        made = []
        for habit in HABITS:
            ranges = Ranges(self.text, self.nodes, self.numbers, beginnings=self.beginnings)
            apart = ranges.bound_apart(right, free, [0])
            ranges.find(apart)
            for index in indices:
                if index not in ranges.sizes:
                    raise self.whole.refuse(line.left, "index", f"the index {index} does not appear on the right side")
            symbols: dict[str, Symbol] = {}
            value = IndexFormula(ranges, habit, symbols).value(apart)
            made.append(matrix_of(value, [(x, ranges.sizes[x]) for x in indices], symbols, lambda: self.whole.refuse(line.right, "index", "more indices than a matrix has")))  # fmt: skip
        if made[0] is not made[1] and not have_same_formula(*map(unfolded, made)):
            raise self.whole.refuse(
                line.right, "ambiguous", "this depends on whether a row is meant as a row or as a column; write entries"
            )
        return made[0]

    def _remember(self, name: str, node: Node, line: Line) -> None:
        """A defined name; where it is a part of the expression, derivatives by it are known as well."""
        forward_only = {s.name for s in node._free if isinstance(s, Letter)} <= (
            {step.name for step in self.subject.forward.steps} | {letter.name for letter in self.subject.forward.inputs}
        )
        if forward_only:
            whole = unfolded(written_out(node, self.subject.behind))
            for part in self._parts():
                if (
                    part.shape == whole.shape
                    and not isinstance(part, Letter)
                    and have_same_formula(unfolded(part), whole)
                ):
                    self._name_part(part, name, line)
                    return
        if name in self.subject.nodes or name[0].upper() + name[1:] in self.subject.steps:
            raise self.whole.refuse(
                line.left, "twice", f"{name} is a step of the expression, and this is not what it is"
            )
        self.defined[name] = node
        self.nodes[name] = node

    def _parts(self) -> list[Node]:
        return [p for p in postorder(*(unfolded(s.stands_for) for s in self.subject.forward.steps)) if p._children]

    def _name_part(self, part: Node, name: str, line: Line) -> None:
        """Another name for a step, with the gradient by it; a part that is no step becomes one."""
        step = next((s for s in self.subject.forward.steps if unfolded(s.stands_for) is part), None)
        if step is None:
            self._rename(part, name, line)
            return
        gradient = self.subject.nodes.get(self.subject.gradients.get(step.name, ""))
        for known in dict.fromkeys((name, self._capital_of(name, step.letter))):
            own = self._gradient_by(known, line)
            self.defined[known] = step.letter
            if gradient is not None:
                self.defined[own] = gradient
        self.nodes |= self.defined

    def _gradient_by(self, name: str, line: Line) -> str:
        """What the gradient by a defined name is called, which nothing else may be."""
        own = cotangent_name(name)
        if own in self.defined or self.is_input(own):
            message = f"{own} would be the gradient with respect to this, and is the name of something else already"
            raise self.whole.refuse(line.left, "twice", message)
        return own

    def _capital_of(self, name: str, letter: Letter) -> str:
        """a_ij are the entries of A: where A is the name of another step, which nobody chose, it now is that of this one."""
        capital = name[0].upper() + name[1:]
        is_usual = capital in self.subject.usual and self.nodes.get(capital) is not letter
        return capital if len(name) == 1 and name.islower() and is_usual else name

    def _rename(self, part: Node, name: str, line: Line) -> None:
        chosen = {**self.chosen, part: name}
        usable = name if name not in self.nodes or name in self.subject.usual else None
        if usable is None:
            return
        cap = name.upper()
        if len(name) == 1 and name.islower() and (cap not in self.nodes or cap in self.subject.usual):
            chosen[part] = cap  # s_ij are the entries of S
        self.chosen, before = chosen, self.subject
        self.subject = subject_of(self.subject.source, chosen)
        for letter in {x for node in self.defined.values() for x in node._free if isinstance(x, Letter)}:
            if _meaning(before, letter) is not _meaning(self.subject, letter):
                message = f"this gives {letter} another meaning than a line above does; write it first"
                raise self.whole.refuse(line.left, "twice", message)
        self.numbers |= self.subject.numbers
        self.take_names()
        is_matrix = self.text[line.left.start : line.left.end].strip() == name
        if is_matrix and chosen[part] != name:  # p = Q K^T; S = p
            own, gradient = self._gradient_by(name, line), self.subject.gradients.get(cap, "")
            self.defined[name] = self.nodes[cap]
            if gradient in self.nodes:
                self.defined[own] = self.nodes[gradient]
        self.nodes |= self.defined


def _meaning(subject: Subject, letter: Letter) -> Any:
    """What a letter stands for in terms of the inputs; of a gradient, what it is by."""
    step = subject.steps.get(letter.name)
    if step is not None and step.derivative is not None:
        return _meaning(subject, step.derivative.letter)
    if step is None:
        return subject.nodes.get(letter.name)
    return step.stands_for
