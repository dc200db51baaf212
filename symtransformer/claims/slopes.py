"""Derivatives inside of a formula: the ∂y_jc/∂x_ia of a chain rule, worked out before the formula is judged."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from sympy import Basic, Derivative, Expr, Sum, Symbol

from symtransformer.claims.subject import Subject
from symtransformer.derivation import written_out
from symtransformer.errors import NotSupported
from symtransformer.index_letters import derivative, everywhere, index_letter, subformulas
from symtransformer.index_notation.jacobians import JACOBIANS, has_jacobian, jacobian_rule
from symtransformer.node import Node
from symtransformer.operation import Operation, unfolded
from symtransformer.rules.calculus import CALCULUS
from symtransformer.symbols import DistributionLetter, Entry, Letter

PARTS_AT_MOST, ROUNDS_AT_MOST = 2_000, 60


class Slopes:
    """The derivative of a formula by an entry of a letter or a step, by the steps of the expression."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.numbers = count(1)

    def __call__(self, body: Any, by: Entry) -> Any:
        letter: Any = by.parent
        forward = [*self.subject.forward.inputs, *(step.letter for step in self.subject.forward.steps)]
        if letter not in forward:
            raise NotSupported(f"a derivative by {letter}, which is neither an input nor a step forward")
        if isinstance(letter, DistributionLetter) or letter.is_permutation or letter.name in self.subject.distributions:
            raise NotSupported(f"a derivative by {letter}, whose entries are not free")
        whole = self._in_letters(self._put_in(body, self._between(body, letter)))
        formula: Any = derivative(whole, by)
        rules = (
            self._opened,
            *(r.rewrite for r in (*CALCULUS, *(jacobian_rule(k, lambda: self._letter) for k in JACOBIANS))),
        )
        for _ in range(ROUNDS_AT_MOST):
            for rewrite in rules:
                new = everywhere(rewrite, formula)
                if new is not None and new != formula:
                    formula = new
                    break
            else:
                break
        if not isinstance(formula, Expr) or formula.atoms(Derivative):
            raise NotSupported("this derivative is not worked out here; write its value")
        return formula

    def _between(self, body: Any, letter: Letter) -> dict[Basic, Node]:
        """What each step stands for in terms of the letter; one way only leads from it to the steps in the formula."""
        behind: dict[Basic, Node] = {}
        for step in self.subject.forward.steps:
            if step.letter is letter:
                behind = {}
                continue
            made_from = step.definition._free
            through = [behind[x] for x in made_from if x in behind]
            if (through and letter in made_from) or _TWO_WAYS in through:
                behind[step.letter] = _TWO_WAYS
            elif through or letter in made_from:
                behind[step.letter] = written_out(step.definition, behind)
        met = {x for part in _entries(body) for x in part.parent._free if isinstance(x, Letter)}  # type: ignore[attr-defined]
        forward = {*self.subject.forward.inputs, *(step.letter for step in self.subject.forward.steps)}
        for x in sorted(met - {letter}, key=str):
            if x not in forward and _is_gradient(x, self.subject):
                raise NotSupported(f"∂ of something with {x} in it: it is not clear whether {x} is held fixed; write {x} in front of the ∂")  # fmt: skip
            if behind.get(x) is _TWO_WAYS:
                raise NotSupported(f"{letter} goes into {x} itself and through another step, so that ∂ could mean two things; write the value of this derivative")  # fmt: skip
            if x in behind and letter in met:
                raise NotSupported(f"{x} depends on {letter}, too, so that ∂ could mean two things; write the value of this derivative")  # fmt: skip
        return behind

    def _put_in(self, formula: Any, behind: dict[Basic, Node]) -> Any:
        rule = {
            e: Entry(written_out(e.parent, behind), e.i, e.j)
            for e in _entries(formula)
            if e.parent._free & behind.keys()  # type: ignore[attr-defined]
        }
        return formula.xreplace(rule) if rule else formula

    def _in_letters(self, formula: Any) -> Any:
        """The formula in entries of letters; each sum gets a letter of its own."""
        if next(self.numbers) > PARTS_AT_MOST:
            raise NotSupported("a derivative of so long a formula; write its value")
        if isinstance(formula, Entry):
            node: Any = unfolded(formula.parent)  # type: ignore[arg-type]
            if not isinstance(node, Operation) or has_jacobian(node):
                return Entry(node, formula.i, formula.j)
            return self._in_letters(node.element(formula.i, formula.j, self._fresh))  # type: ignore[attr-defined]
        if isinstance(formula, Sum):
            return Sum(self._in_letters(formula.function), *formula.limits)
        if not formula.args:
            return formula
        return formula.func(*(self._in_letters(a) if isinstance(a, Expr) else a for a in formula.args))

    def _opened(self, formula: Any) -> Any:
        """The derivative of an entry of what a named Jacobian is that of, in entries of letters."""
        inner = formula.expr if isinstance(formula, Derivative) else None
        if not isinstance(inner, Entry) or isinstance(inner.parent, Letter) or has_jacobian(inner.parent):
            return None
        return derivative(self._in_letters(inner), formula.variables[0])

    def _letter(self, size: Any) -> Symbol:
        return self._fresh()

    def _fresh(self) -> Symbol:
        return index_letter(f"‹d{next(self.numbers)}›")


_TWO_WAYS: Any = object()


def _entries(formula: Any) -> Iterator[Entry]:
    return (part for part in subformulas(formula) if isinstance(part, Entry) and isinstance(part.parent, Node))


def _is_gradient(letter: Letter, subject: Subject) -> bool:
    coming_in = None if subject.gradient is None else subject.gradient.cotangent
    return letter is coming_in or letter.name in subject.steps
