"""Equations with letters that have no value, as the engine meets them: judged as formulas, or told why not."""

from __future__ import annotations

import re
from dataclasses import replace

from symtransformer.checking import equation_words as words
from symtransformer.checking.declared_sizes import DeclaredSizes
from symtransformer.checking.definitions import Definitions
from symtransformer.checking.doubts import undecided
from symtransformer.checking.engine_chain import Chain
from symtransformer.checking.equations import ACCEPTED, ACCUSING, OPEN, Equation
from symtransformer.checking.formula_equations import of_formula
from symtransformer.checking.formula_verdicts import LETTER_AND_FUNCTION
from symtransformer.checking.number_words import UNDECIDABLE
from symtransformer.checking.opaque_names import opaque_in
from symtransformer.checking.refusals import refusal
from symtransformer.documents import Relation
from symtransformer.notation import Words
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.sides import Side

# why a side is rather a formula with letters than a number that cannot be read
OF_LETTERS = ("command", "derivative", "index", "no_value")


class Lettered:
    """Judges them by the formulas of one document."""

    def __init__(self, definitions: Definitions, sizes: DeclaredSizes) -> None:
        self.definitions, self.sizes = definitions, sizes

    def judged(self, chain: Chain, k: int, made: Equation, error: ReadingError) -> Equation:
        """An equation with letters, or one that cannot be read."""
        if error.code in ("shapes", "unit"):
            verdict = "shapes" if error.code == "shapes" else "unparsed"
            return replace(made, verdict=verdict, words=refusal(error), code=error.code)
        relation = chain.relations[k]
        known = {name: definition.known.shape for name, definition in self.definitions.by_name.items()}
        sides = relation.left.text, relation.right.text
        told = {name: size for name, size in self.sizes.of(relation).items() if name not in known}
        given = {"relation": relation.sign, "condition": relation.condition}
        given_at = self.definitions.lines.get(chain.name or "", 0)
        is_concluded = chain.asked.is_concluded and not self.definitions.are_apart(given_at, relation.line)
        found = self.definitions.judge.judge(*sides, known, is_concluded=is_concluded, told=told, **given)
        numbers = any(isinstance(side, Side) and side.shown for side in chain.sides[k : k + 2])
        if (
            numbers
            and error.code == "unknown_name"
            and (found.code == "new_name" or found.kind in ("refuted", "shapes"))
        ):
            # numbers claimed of a name that has no value: a condition, or a use before its definition
            return replace(made, verdict="unparsed", words=self._refusal(error), code=error.code)
        if found.kind == "unparsed" and error.code not in OF_LETTERS:
            return replace(made, verdict="unparsed", words=self._refusal(error), code=error.code)
        if found.kind == "definition" and chain.name is not None and k == chain.start:
            self.definitions.redefine(chain.name, relation.right.text, relation.line)
        elif found.defines and chain.name is None and k == chain.start:  # s_ij, σ², FFN(x)
            self.definitions.add_formula(found.defines, relation.right.text)
            called, bracket, _ = found.defines.partition("(")
            if bracket and called in self.definitions:  # g(x, y) = xy: it is no number any more, and g(2, 5) no product
                self.definitions.forget(called)
        return of_formula(made, found)

    def heed_names(self, chain: Chain, equation: Equation) -> None:
        """q_2 with a formula of its own letters is no row of the Q that has values."""
        if equation.kind != "formula" or chain.name is None:
            return
        is_given = equation.verdict == "definition" and chain.name[:1].isupper()  # D_2 = D_1, the next form of D
        if is_given or equation.verdict in ("proved", "tested"):
            self.definitions.has_own(chain.name, equation.line)

    def fair(self, chain: Chain, k: int, relation: Relation, equation: Equation) -> Equation:
        """Nobody is accused of what is made from a name whose definition could not be read, or from f(2) as f times 2."""
        if equation.verdict in (*ACCEPTED, *ACCUSING) and self._calls_a_number(relation):
            return undecided(equation, LETTER_AND_FUNCTION.words, "unknown_function")
        opaque = self.definitions.opaque
        is_unread = equation.verdict == "unparsed" or equation.code == "command"
        if k == chain.start and chain.name is not None and is_unread:
            if _stands_in(chain.name, relation.right.text):  # w = w − § gives w another value, whatever that is
                self.definitions.redefine(chain.name, relation.right.text, equation.line)
        if (
            k == chain.start
            and chain.name is not None
            and equation.verdict in OPEN
            and chain.name not in self.definitions
        ):
            opaque[chain.name] = equation.line
        if equation.verdict not in ("refuted", "shapes") or not opaque:
            return equation
        name = opaque_in((relation.left.text, relation.right.text), chain.language, opaque)
        if name is None:
            return equation
        said = words.not_read_before(name, opaque[name])
        return replace(
            equation, verdict=UNDECIDABLE, words=said, code="unread_before", counterexample=None, right_value=None
        )

    def _calls_a_number(self, relation: Relation) -> bool:
        """f(2), where f(x) has a formula and f a value, too."""
        called = {key.partition("(")[0] for key in self.definitions.formulas if "(" in key}
        names = [re.escape(name) for name in called if name in self.definitions]
        pattern = rf"(?<![A-Za-z])(?:{'|'.join(names)})\s*(?:\\left\s*)?\("
        return bool(names) and re.search(pattern, f"{relation.left.text} {relation.right.text}") is not None

    def _refusal(self, error: ReadingError) -> Words:
        return refusal(error, self.definitions.lines, lacks=self.definitions.lacks)


def _stands_in(name: str, text: str) -> bool:
    """Whether a name stands in a text that could not be read; not as the T of a transpose, nor below another name."""
    return re.search(rf"(?<![A-Za-z0-9\\^_])(?<![\^_]{{){re.escape(name)}(?![A-Za-z0-9_])", text) is not None
