"""Which argument of an operation is meant by what stands in its brackets, or that it cannot be told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import Expr

from symtransformer.arguments import (
    CHOICE,
    LABEL,
    LETTER,
    MATRICES,
    MATRIX,
    SCALAR,
    SIZE,
    Parameter,
    taken_in_order,
    without_words,
)
from symtransformer.node import Node
from symtransformer.operation import Operation
from symtransformer.reading import syntax
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.vocabulary import UNCLEAR, WITH_EPS, is_bias_name

Refuse = Callable[[syntax.Syntax, str, str], ReadingError]
Given = list[tuple[syntax.Syntax, Any]]


def check_call(
    place: syntax.Call,
    operation: type[Operation],
    given: Given,
    is_mask: Callable[[syntax.Syntax], bool],
    refuse: Refuse,
) -> None:
    """Raise where a keyword is given twice, or where it is not clear what a matrix without a keyword is."""
    names = [name for name, _ in place.keywords]
    for k, name in enumerate(names):
        if name in names[:k]:
            raise refuse(place.keywords[k][1], "twice", f"{name} is given twice")
    if not given and not names:
        wanted = ", ".join(p.name for p in operation.parameters if p.needed and p.kind != LETTER)
        raise refuse(place, "refused", f"{place.function} needs {wanted or 'matrices'} in its brackets")
    if place.function.casefold() in WITH_EPS and len(given) + len(names) == 1:
        raise refuse(place, "unknown_function", UNCLEAR[place.function.casefold()])
    if any(p.kind == MATRICES for p in operation.parameters):
        return
    _check_words_and_numbers(place, operation, given, refuse)
    matrices = [(part, value) for part, value in given if isinstance(value, Node)]
    if given and not matrices and not names and operation.parameters[0].kind == MATRIX:
        part, value = given[0]
        raise refuse(part, "refused", f"{place.function} is one of a matrix here, and {str(value)[:40]} is a number")
    pairs = _places_of(operation, [part for part, _ in matrices], set(names), place, refuse)
    for part, parameter in pairs:
        _check_name(place, part, parameter, is_mask(part), refuse)


def check_sizes(
    place: syntax.Call, operation: type[Operation], arguments: Given, keywords: Given, refuse: Refuse
) -> None:
    """Sizes are whole numbers, or letters that stand for such."""
    kinds = {p.name: p.kind for p in operation.parameters}
    found = [(part, value, name) for (name, _), (part, value) in zip(place.keywords, keywords, strict=True)]
    if taken_in_order(operation.parameters) or all(k in (SCALAR, SIZE) for k in kinds.values()):
        found += [(part, value, p.name) for (part, value), p in zip(arguments, operation.parameters, strict=False)]
    for part, value, name in found:
        if (
            kinds[name] == SIZE
            and isinstance(value, Expr)
            and not isinstance(value, Node)
            and value.is_integer is False
        ):
            raise refuse(part, "size", f"{name}: expected a whole number, got {value}")


def _check_words_and_numbers(place: syntax.Call, operation: type[Operation], given: Given, refuse: Refuse) -> None:
    free = [p for p in operation.parameters if p.name not in {name for name, _ in place.keywords}]
    if taken_in_order(operation.parameters):
        for (part, value), parameter in zip(given, free, strict=False):
            if parameter.kind in (SCALAR, SIZE, LETTER) and isinstance(value, Node):
                rest = ", ".join(f"{p.name}=..." for p in free if p.kind == MATRIX and not p.needed)
                hint = f"; of {rest} write the one that is meant" if rest else ""
                raise refuse(part, "matrix", f"{place.function}: a number is needed here, and this is a matrix{hint}")
        return
    numbers_and_matrices = [(part, value) for part, value in given if not isinstance(value, str)]
    for (part, value), parameter in zip(numbers_and_matrices, without_words(free), strict=False):
        if (parameter.kind == MATRIX) != isinstance(value, Node):
            wanted, found = ("a matrix", "a number") if parameter.kind == MATRIX else ("a number", "a matrix")
            message = f"{place.function}: {wanted} is needed here ({parameter.name}), and this is {found}"
            raise refuse(part, "matrix", message)
    words = [(part, value) for part, value in given if isinstance(value, str)]
    choices = [p for p in free if p.kind in (CHOICE, LABEL)]
    for k, (part, value) in enumerate(words):
        if (
            k >= len(choices)
            or (choices[k].kind == CHOICE and value not in choices[k].choices)
            or choices[k].kind == LABEL
        ):
            raise refuse(part, "keyword", f"{place.function}: what is {value}? write it with a keyword, once")


def _places_of(
    operation: type[Operation], matrices: list[syntax.Syntax], named: set[str], place: syntax.Call, refuse: Refuse
) -> list[tuple[syntax.Syntax, Parameter]]:
    """Each matrix without a keyword with the parameter that it is for."""
    every = [p for p in operation.parameters if p.kind == MATRIX]
    free = [p for p in every if p.name not in named]
    needed = [p for p in free if p.needed]
    chosen = needed if len(matrices) == len(needed) else free
    pairs = list(zip(matrices, chosen, strict=False))
    for part, parameter in pairs:
        before = [p for p in every[: every.index(parameter)] if p.name in named]
        if (chosen is free and before and not parameter.needed) or any(p.needed for p in before):
            names = ", ".join(p.name for p in every)
            raise refuse(
                part, "keyword", f"after {before[0].name}=... write a keyword here too; {place.function} has {names}"
            )
    if chosen is free and len(matrices) < len(free):
        last_needed = max((free.index(p) for p in needed), default=-1)
        between = [(part, p) for part, p in pairs if not p.needed and free.index(p) < last_needed]
        for part, parameter in between:
            if not (isinstance(part, syntax.Name) and parameter.name.startswith("bias") and is_bias_name(part.name)):
                raise refuse(
                    part,
                    "keyword",
                    f"is this {parameter.name}? write {parameter.name}=... if it is, and else the keyword that is meant",
                )
    return pairs


OF_ITS_NAME = {"W": ("weight", "score"), "b": ("bias", "shift"), "beta": ("shift", "bias"), "gamma": ("gain",)}


def _check_name(place: syntax.Call, part: syntax.Syntax, parameter: Parameter, is_mask: bool, refuse: Refuse) -> None:
    """A weight is no bias, a gain no shift, and a mask only a mask."""
    if is_mask and parameter.name not in ("mask", "cross_mask", "scores", "argument"):
        raise refuse(part, "keyword", f"a mask in the place of {parameter.name}; write mask=... before it")
    if not isinstance(part, syntax.Name):
        return
    usual = part.name.rpartition(".")[2].partition("_")[0]
    kind = next((k for k in ("weight", "bias", "gain", "shift") if k in parameter.name), "")
    if kind and usual in OF_ITS_NAME and kind not in OF_ITS_NAME[usual]:
        message = f"{part.name} stands in the place of {parameter.name} of {place.function}; if that is meant, write {parameter.name}={part.name}"
        raise refuse(part, "keyword", message)
