"""What a document is checked against: the inputs and steps of a derivation, or values by name."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

from sympy import Expr

from symtransformer.checking.definitions import Definition
from symtransformer.chosen_notation import USUAL, Notation
from symtransformer.derivation import Derivation
from symtransformer.errors import UnreadableInput
from symtransformer.node import Node, substitute
from symtransformer.reading.sides import Side, letter_name, name_of_letter
from symtransformer.symbols import Letter, Literal
from symtransformer.values import letters_in

LINE = 0  # nowhere in the document


def reference_of(against: Any, names: Mapping[str, str], notation: Notation = USUAL) -> dict[str, Definition]:
    """Definitions by the names of the document, which its notation gives; `names` says what further ones stand for."""
    is_derived = isinstance(against, Derivation)
    found = _of_derivation(against, notation) if is_derived else _of_values(against, notation)
    for own, name in names.items():
        meant = notation.renamed(name)
        if meant not in found:
            known = ", ".join(found)
            raise UnreadableInput(f"against: there is no {name[:40]!r}; there are {known}")
        found[own] = Definition(**{**found[meant].__dict__, "name": own})
    return found


def _of_values(values: Any, notation: Notation) -> dict[str, Definition]:
    if not isinstance(values, Mapping):
        raise UnreadableInput(f"against: expected a derivation or values by name, got {type(values).__name__}")
    shown = {notation.renamed(str(name)): value for name, value in values.items()}
    return {name: _given(name, value) for name, value in shown.items()}


def _given(name: str, value: Any) -> Definition:
    if isinstance(value, Real):
        (value,) = Literal([[value]]).matrix.flat()
    exact = value if isinstance(value, (Expr, Literal)) else Literal(value)
    return Definition(name, exact, False, LINE, is_reference=True)


def _of_derivation(derivation: Derivation, notation: Notation) -> dict[str, Definition]:
    from symtransformer.evaluation import evaluate

    given = evaluate(derivation).given
    found = {}
    numbers = {**given.parameters, **given.sizes}
    for symbol, number in numbers.items():
        name = notation.renamed(str(symbol))
        found[name] = _given(name, number)
    letters: dict[Letter, Any] = {}
    for step in derivation.steps:
        for letter in letters_in(step.stands_for):
            if letter not in letters and (letter.head is None or letter.head.is_Integer):
                letters[letter] = Literal(given.rows(letter))
    for letter, value in letters.items():
        name = name_of_letter(notation.renamed(letter.name), letter.head)
        found[name] = _given(name, value)
    for step in derivation.steps:
        if step.letter.head is None or step.letter.head.is_Integer:
            name = name_of_letter(notation.renamed(step.letter.name), step.letter.head)
            side = _side(step.definition, numbers, notation)
            exact = substitute(step.stands_for, {**letters, **numbers})
            if side is not None:  # as the document will put it together
                rule = {x: found[x_name].exact for x_name, x in side_letters(side).items()}
                exact = substitute(side.value, rule)
            found[name] = Definition(name, exact, False, LINE, side=side, is_reference=True)
    return found


def _side(expression: Node, numbers: Mapping[Any, Any], notation: Notation) -> Side | None:
    """What a step is computed from, its letters by name; None where it belongs to a head."""
    value = substitute(expression, dict(numbers))
    letters = {name_of_letter(notation.renamed(x.name), x.head): x for x in letters_in(value)}
    if any(letter.head is not None and not letter.head.is_Integer for letter in letters.values()):
        return None
    renamed = substitute(value, {x: Letter(letter_name(name), *x.shape) for name, x in letters.items()})
    return Side(str(expression), renamed, names=tuple(letters))


def side_letters(side: Side) -> dict[str, Letter]:
    """The letters of a side by the names that they stand for."""
    coded = {letter_name(name): name for name in side.names}
    return {coded[x.name]: x for x in letters_in(side.value)}
