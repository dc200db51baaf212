r"""Derivatives on the left side: of a loss by a name, d/dx of an expression, and f'(x) of a function that is known."""

from __future__ import annotations

import re

from symtransformer.checking.formula_calls import operation_of
from symtransformer.checking.formula_definitions import capital, is_gradient
from symtransformer.checking.formula_doubts import DIFFERENTIAL, is_forward
from symtransformer.checking.formula_loss import (
    ANYWHERE,
    OF_NAME,
    OPERATOR,
    by_loss,
    by_operator,
    by_own_formula,
    loss_of,
)
from symtransformer.checking.formula_sides import Sides
from symtransformer.checking.formula_signs import PLAIN_FUNCTIONS
from symtransformer.checking.formula_syntax import Call, Named, Part, every_part, names_in, renamed
from symtransformer.checking.formula_verdicts import (
    BOTH_SIDES,
    LOSS_UNSAID,
    OF_LOSS,
    OPERATOR_UNREAD,
    OTHER_SIGMA,
    OWN_FORMULAS,
    REFUTED,
    SHAPES,
    FormulaVerdict,
    new_names,
)
from symtransformer.reading import ReadingError
from symtransformer.reading.index_marks import PARTIAL
from symtransformer.scalars import GREEK

RESERVED = PLAIN_FUNCTIONS | {"norm2", "mean", "var", "Var", "sum", "std", "E"}
NO_PARTIAL = r"(?!\\partial(?![A-Za-z]))"
OF_ONE = rf"(?:{NO_PARTIAL}[^/∂]){{1,60}}?"
IN_BRACES = rf"(?:{NO_PARTIAL}[^∂]){{1,60}}?"
JACOBIAN = re.compile(  # of one letter by another, and no product of several
    rf"\s*(?:{PARTIAL}(?P<a>{OF_ONE})\s*/\s*{PARTIAL}(?P<b>{OF_ONE})|\\[dt]?frac\s*\{{\s*{PARTIAL}(?P<c>{IN_BRACES})\}}\s*\{{\s*{PARTIAL}(?P<d>{IN_BRACES})\}})\s*"
)
PRIMED_BRACKET = re.compile(r"\s*(?:\\left)?\((?P<of>.+?)(?:\\right)?\)\s*(?P<primes>'+)\s*", re.DOTALL)
MADE_OF_X = frozenset("fghuvyFGH") | {"phi", "psi", "sigma"}  # (f²)' is 2 f f'
PRIMED = re.compile(r"(?P<function>.+?)(?P<primes>(?:prime)+)")


class Derivatives(Sides):
    """Decides what is claimed of a derivative."""

    left_text = right_text = ""

    def _operator(self, left_text: str, right_text: str, latex: bool) -> FormulaVerdict | None:
        """d/dx of an expression, which is no quotient, and (x log x)' of one letter."""
        if (primed := PRIMED_BRACKET.fullmatch(left_text)) is not None and _is_one_bracket(primed["of"]):
            of = self.document.read(primed["of"], latex)
            letters = [n for n in names_in(of) if n not in ("e", "pi")]
            is_made = any(
                n in MADE_OF_X
                or (len(n) > 1 and n not in GREEK)
                or self.document.find(n)
                or n in self.document.functions
                for n in letters
            )
            if len(letters) != 1 or len(primed["primes"]) > 1 or is_made:
                return OPERATOR_UNREAD
            return self._differentiated(letters[0], of, self.document.read(right_text, latex))
        if not ANYWHERE.search(left_text) and not ANYWHERE.search(right_text):
            return None
        found = OPERATOR.fullmatch(left_text)
        if found is None or not found.group("of").strip() or ANYWHERE.search(found.group("of") + " " + right_text):
            return OPERATOR_UNREAD
        by = self.document.canonical(found.group(1) or found.group(2))
        if not by:
            return OPERATOR_UNREAD
        return self._differentiated(by, *(self.document.read(text, latex) for text in (found.group("of"), right_text)))

    def _of_own_name(self, left_text: str, right_text: str, latex: bool) -> FormulaVerdict | None:
        """dy/dx, where y has a formula; refuted only where nothing but x and y stands in it, as others may be matrices."""
        found = OF_NAME.fullmatch(left_text)
        if found is None:
            return None
        above, by = (self.document.canonical(name) for name in filter(None, found.groups()))
        own = self.document.definitions.get(above) or self.document.functions.get(above)
        is_plain = own is not None and own.right is not None and not own.indices and not own.squared
        if not by or not is_plain or own is None or own.right is None or own.arguments not in (None, (by,)):
            return None
        try:
            right = self.document.read(right_text, latex)
        except ReadingError:
            return None
        decision = by_own_formula(self.document, by, own.right, right)
        if decision is None:
            return None
        is_alone = {*names_in(own.right), *names_in(right)} <= {by, above, "e", "pi"}
        is_told = decision.is_accepted or (decision.kind == REFUTED and is_alone)
        return self.said(decision, OWN_FORMULAS) if is_told else None

    def _differentiated(self, by: str, of: Part, right: Part) -> FormulaVerdict:
        """d/dx of an expression; σ may be another function for which the line holds."""
        decision = by_operator(self.document, by, of, right)
        if decision is None:
            return OPERATOR_UNREAD
        if decision.kind == REFUTED and "sigma" not in self.document.functions:
            other = by_operator(self.document, by, *(renamed(side, "sigma", "tanh") for side in (of, right)))
            if other is not None and other.is_accepted:
                return OTHER_SIGMA
        return self.said(decision, BOTH_SIDES)

    def _primed(self, call: Call, right: Part) -> FormulaVerdict | None:
        """σ'(x) and f'(x) are derivatives of a function that is known; of another one the line gives the formula."""
        found = PRIMED.fullmatch(call.function)
        if found is None:
            return None
        of = Call(found["function"], call.arguments)
        if not self._is_known_function(of.function):
            is_equation = any(isinstance(p, Call) and p.function == of.function for p in every_part(right))
            return new_names(self.document.names.back(of.function)) if is_equation else None
        by = call.arguments[0]
        if found["primes"] != "prime" or len(call.arguments) > 1 or not isinstance(by, Named) or by.indices:
            return OPERATOR_UNREAD
        return self._differentiated(by.name, of, right)

    def _is_known_function(self, name: str) -> bool:
        own = self.document.functions.get(name)
        if own is not None and own.right is not None:
            return True
        return name in (*RESERVED, "sigma", "Phi") or operation_of(Call(name, ())) is not None

    def _is_primed_function(self, name: str, right: Part) -> bool:
        """σ' = σ(1 - σ), where σ is no name that has a formula: the derivative, its argument left out."""
        found = PRIMED.fullmatch(name)
        if found is None or not self._is_known_function(found["function"]) or self.document.find(found["function"]):
            return False
        every = [*every_part(right)]
        used = {p.function for p in every if isinstance(p, Call)} | {p.name for p in every if isinstance(p, Named)}
        return used == {found["function"]} or (found["function"] not in GREEK and len(found["function"]) > 1)

    def _gradient(self, left: Part, right: Part) -> FormulaVerdict:
        """By the document's own loss, where it has a formula for it; what is said of another loss is not refuted."""
        if is_forward(self.document, left, right, f"{self.left_text} {self.right_text}"):
            forward = self.claimed(left, right)
            return forward if forward.is_accepted else DIFFERENTIAL
        if any(map(is_gradient, every_part(right))):
            return self.claimed(left, right)
        loss = loss_of(self.document, self.left_text)
        if loss is not None and (found := by_loss(self.document, loss, left, right)) is not None:
            return self.said(found.decision, OWN_FORMULAS, remarks=found.remarks)
        verdict = self.claimed(left, right)
        if verdict.kind not in (REFUTED, SHAPES):
            return verdict
        letters = self.document.letters
        is_new = any(not {n, capital(n)} & letters for n in self.unsaid(right))
        if loss is not None:
            return OF_LOSS
        is_output = verdict.kind == REFUTED and verdict.right.isalnum()  # dY = Y, of which nothing but the loss decides
        return LOSS_UNSAID if is_new or is_output else verdict


def _is_one_bracket(inside: str) -> bool:
    """Whether the first bracket is closed by the last, as in (f(x) + 1)' and not in (a)(b)'."""
    depth = 0
    for c in inside:
        depth += (c == "(") - (c == ")")
        if depth < 0:
            return False
    return True
