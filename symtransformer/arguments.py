"""Which argument of an operation is meant by what was given: in order, by kind, or by name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sympy import Basic, Expr, S
from sympy.core.symbol import Str
from sympy.core.sympify import SympifyError, _sympify

from symtransformer.errors import UnreadableInput
from symtransformer.node import ABSENT, Node, as_node
from symtransformer.symbols import exact_number, known_numbers

MATRIX, MATRICES, SCALAR, SIZE, LETTER = "matrix", "matrices", "scalar", "size", "letter"
CHOICE, LABEL = "choice", "label"
NAMESPACE = re.compile(r"[a-z][a-z0-9]{0,7}")


@dataclass(frozen=True)
class Parameter:
    """One argument of an operation: a matrix, several, a number, a size, a bound letter, one of some words, or a label.

    One with a default may be left out, and is then filled in; an optional one may be missing altogether.
    """

    name: str
    kind: str = MATRIX
    optional: bool = False
    default: Any = None
    choices: tuple[str, ...] = ()

    @property
    def needed(self) -> bool:
        return not self.optional and self.default is None


def by_name(
    what: str, parameters: Sequence[Parameter], arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Each argument under the name of its parameter; what is left out has none."""
    given: dict[str, Any] = {}
    if taken_in_order(parameters) or ABSENT in [a for a in arguments if isinstance(a, Str)]:
        if len(arguments) > len(parameters):
            raise _unlike(what, parameters, len(arguments))
        pairs = list(zip(parameters, arguments, strict=False))
    else:
        pairs = _by_kind([p for p in parameters if p.name not in keywords], arguments)
        if len(pairs) != len(arguments):
            raise _unlike(what, parameters, len(arguments))
    for parameter, argument in pairs:
        if not (isinstance(argument, Str) and argument == ABSENT):
            given[parameter.name] = argument
    known = {p.name for p in parameters}
    for name, argument in keywords.items():
        if name not in known or name in given:
            fault = "is given twice" if name in known else f"is none of its arguments {', '.join(sorted(known))}"
            raise UnreadableInput(f"{what}: {name} {fault}")
        if argument is not None:
            given[name] = argument
    return given


def taken_in_order(parameters: Sequence[Parameter]) -> bool:
    """Whether arguments are simply taken in order: nothing can be left out before something that is given."""
    optional = [p.optional for p in parameters]
    return optional == sorted(optional) and all(p.default is None for p in parameters)


def without_words(parameters: Sequence[Parameter]) -> list[Parameter]:
    """The places of matrices and numbers, where their order says which is which; none where a matrix may be left out."""
    if any(p.kind in (MATRICES, LETTER) or (p.kind == MATRIX and not p.needed) for p in parameters):
        return []
    return [p for p in parameters if p.kind not in (CHOICE, LABEL)]


def _by_kind(free: Sequence[Parameter], arguments: Sequence[Any]) -> list[tuple[Parameter, Any]]:
    """Matrices, words and numbers, each kind in order; as many matrices as are needed are those needed."""
    matrices = [a for a in arguments if _is_matrix(a)]
    words = [a for a in arguments if isinstance(a, (str, Str))]
    numbers = [a for a in arguments if not _is_matrix(a) and not isinstance(a, (str, Str))]
    wanted = [p for p in free if p.kind == MATRIX]
    needed = [p for p in wanted if p.needed]
    pairs = list(zip(needed if len(matrices) == len(needed) else wanted, matrices, strict=False))
    pairs += zip([p for p in free if p.kind in (CHOICE, LABEL)], words, strict=False)
    pairs += zip([p for p in free if p.kind in (SCALAR, SIZE, LETTER)], numbers, strict=False)
    return pairs


def _is_matrix(argument: Any) -> bool:
    return isinstance(argument, (Node, list)) or len(getattr(argument, "shape", ())) == 2


def _unlike(what: str, parameters: Sequence[Parameter], count: int) -> UnreadableInput:
    names = ", ".join(p.name for p in parameters)
    return UnreadableInput(f"{what} takes ({names}), got {count} arguments")


def are_in_place(places: tuple[bool, ...], arguments: tuple[Any, ...]) -> bool:
    """Whether all are given in order, and are already what they would be converted to; `places` says which are matrices."""
    if len(places) != len(arguments):
        return False
    for place, argument in zip(places, arguments):  # noqa: B905 - asked for every operation that is made
        if isinstance(argument, Node):
            if not place:
                return False
        elif place or not (isinstance(argument, Expr) and (argument.is_Integer or argument in known_numbers)):
            return False
    return True


def in_order_of(what: str, parameters: Sequence[Parameter], given: dict[str, Any]) -> tuple[Basic, ...]:
    """All arguments converted, in order, with defaults filled in and a mark where one is left out."""
    given = {**{p.name: p.default for p in parameters if p.default is not None}, **given}
    if missing := [p.name for p in parameters if p.needed and p.name not in given]:
        names = ", ".join(p.name for p in parameters)
        raise UnreadableInput(f"{what} takes ({names}); missing: {', '.join(missing)}")
    last = max((k for k, p in enumerate(parameters) if p.name in given), default=-1)
    return tuple(_converted(what, given[p.name], p) if p.name in given else ABSENT for p in parameters[: last + 1])


def _converted(what: str, argument: Any, parameter: Parameter) -> Basic:
    kind = parameter.kind
    if kind == MATRIX:
        return as_node(argument)
    if kind in (CHOICE, LABEL):
        return _word(what, argument, parameter)
    if isinstance(argument, Expr) and (_is_known(argument) or (argument.is_Mul and all(map(_is_known, argument.args)))):
        if not argument.is_Integer and len(known_numbers) < 3000:
            known_numbers.add(argument)
        return argument
    try:
        scalar: Basic = _sympify(argument)
    except SympifyError:
        scalar = S.NaN
    if not isinstance(scalar, Expr) or getattr(scalar, "is_Matrix", False) or scalar.has(S.NaN):
        raise UnreadableInput(f"{what}: expected a {kind}, got {str(argument)[:40]!r}")
    if scalar.has(S.Infinity, S.NegativeInfinity, S.ComplexInfinity):
        raise UnreadableInput(f"{what}: expected a finite {kind}, got {scalar}")
    number = exact_number(scalar, f"{what}: a {kind}")
    if number is argument and len(known_numbers) < 3000:
        known_numbers.add(number)
    return number


def _is_known(argument: Any) -> bool:
    return argument.is_Integer or argument in known_numbers


def _word(what: str, argument: Any, parameter: Parameter) -> Str:
    text = argument.name if isinstance(argument, Str) else argument
    fits = isinstance(text, str) and (
        text in parameter.choices if parameter.kind == CHOICE else bool(NAMESPACE.fullmatch(text))
    )
    if not fits:
        wanted = ", ".join(parameter.choices) or "a short name such as enc1"
        raise UnreadableInput(f"{what}: {parameter.name}: expected {wanted}, got {str(text)[:40]!r}")
    return Str(text)
