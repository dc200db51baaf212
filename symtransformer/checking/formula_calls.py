"""An equation whose left side is a function: FFN(x) = ..., against the library's operation of that name.

A part that the formula leaves out (a mask, a gain, a shift, ε) is left out of the operation too, and one that it has is
given to it; the verdict says which variant was meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sympy import Integer, S

from symtransformer.arguments import CHOICE, MATRIX
from symtransformer.checking.formula_claims import has_indices
from symtransformer.checking.formula_conventions import CONVENTIONS
from symtransformer.checking.formula_deciding import Decision, compare, decide
from symtransformer.checking.formula_document import Document
from symtransformer.checking.formula_examples import without_one_size, without_values
from symtransformer.checking.formula_names import Names
from symtransformer.checking.formula_reading import read_formula
from symtransformer.checking.formula_row_claims import root_of
from symtransformer.checking.formula_rows import LENGTHS, NoReading, RowFormula
from symtransformer.checking.formula_syntax import (
    Call,
    Indexed,
    Named,
    Number,
    Part,
    Power,
    Terms,
    every_part,
    names_in,
)
from symtransformer.checking.formula_writing import USUAL, written
from symtransformer.checking.number_words import Note
from symtransformer.claims.time_limit import check_time
from symtransformer.errors import SymtransformerError
from symtransformer.node import Node
from symtransformer.operation import REGISTRY, Operation
from symtransformer.reading import ReadingError
from symtransformer.reading.numbers import decimal
from symtransformer.reading.vocabulary import function_named, is_size_name, known_functions
from symtransformer.symbols import Letter, dimension, parameter

EPS = ("epsilon", "eps")
GAINS, SHIFTS, MEANS, DEVIATIONS = ("gamma", "g", "w", "alpha"), ("beta", "b"), ("mu", "m"), ("sigma", "s")
NORMS = ("LayerNorm", "RMSNorm", "Standardization", "SmoothedTargets")
OF_ONE_VECTOR = {
    "Softmax": "Softmax", "Sigmoid": "Sigmoid", "GELU": "GELU", "SiLU": "SiLU", "ReLU": "ReLU", "Tanh": "Tanh",
    "NormalDistribution": "NormalDistribution", "LogSumExp": "LogSumExp", "GELUTanh": "GELUTanh",
}  # fmt: skip
ROLES = (("mask", ("M",)), ("gain", GAINS), ("shift", SHIFTS), ("weight", ("W", "w")), ("bias", ("b",)))


OF_ONE_SIZE = Decision(
    "undecidable",
    "it holds for the mean and the variance of x, but the formulas given for them are of one size only",
    "x の平均と分散については成り立つが、それらに与えられた式は一つの大きさについてのものである",
)


@dataclass(frozen=True)
class Found:
    """What came of one variant."""

    decision: Decision
    variant: str
    right: str
    note: Note | None = None  # of a convention


def is_usual(name: str, operation: type[Operation]) -> bool:
    """Whether formulas of the operation use the letter: a mask, a weight, a gain, a mean, ε; of eˣ none but sizes."""
    has_parts = operation.__name__ in NORMS or len(operation.parameters) > 1
    heads = {*EPS, *GAINS, *SHIFTS, *MEANS, *DEVIATIONS, *(head for _, heads in ROLES for head in heads)}
    return is_size_name(name) or (has_parts and (name in heads or name.partition("_")[0] in heads))


def operation_of(call: Call) -> type[Operation] | None:
    name = USUAL.get(call.function, call.function)
    return function_named(name, known_functions())  # type: ignore[no-any-return]


def judge_call(document: Document, left: Part, right: Part) -> list[Found]:
    """Every variant that could be read and decided, the best first; none where nothing could."""
    call = left.inner if isinstance(left, Indexed) else left
    assert isinstance(call, Call)
    operation = operation_of(call)
    if operation is None:
        return []
    if operation.__name__ not in ("LayerNorm", "RMSNorm", "Standardization"):
        return _judged(document, operation, call, left, right)
    document = without_values(document)
    found = _judged(document, operation, call, left, right)
    other = without_one_size(document) if not any(f.decision.is_accepted for f in found) else None
    if other is None:
        return found
    usual = _judged(other, operation, call, left, right)
    fits = next((f for f in usual if f.decision.is_accepted), None)
    return usual if fits is None else [Found(OF_ONE_SIZE, fits.variant, fits.right)]


def _judged(document: Document, operation: type[Operation], call: Call, left: Part, right: Part) -> list[Found]:
    right = document.expanded(right)
    found = [*_by_rows(document, operation, call, left, right)]
    if not any(f.decision.is_accepted for f in found) and not isinstance(left, Indexed):
        found += _by_matrices(document, operation, call, right)
    rank = {"proved": 0, "tested": 1}
    return sorted(
        found,
        key=lambda f: (
            rank.get(f.decision.kind, 3 if f.decision.kind != "undecidable" else 4) + 0.5 * (f.note is not None)
        ),
    )


# -- formulas of one vector -----------------------------------------------------------------------------------------
def _by_rows(document: Document, operation: type[Operation], call: Call, left: Part, right: Part) -> Iterator[Found]:
    name = operation.__name__
    if (name not in OF_ONE_VECTOR and name not in NORMS) or len(call.arguments) < 1:
        return
    if any(not isinstance(a, Named) or a.indices for a in call.arguments):
        return
    argument = call.arguments[0].name  # type: ignore[attr-defined]
    index = left.indices[0] if isinstance(left, Indexed) and len(left.indices) == 1 else ""
    d = dimension("d")
    x = Letter(argument, S.One, d)
    lengths: set[str] = set()
    for node, letters, formulas, variant in _variants(document, name, x, right, lengths):
        try:
            formula = RowFormula(letters, formulas, d, lengths=lengths)
            made = formula.node(right, index)
            decision = decide(node, made)
            if decision.kind == "refuted" and formula.has_maximum:  # not by any number in the place of max(x)
                two = {d: Integer(2)}
                pair, more = ({n: x.xreplace(two) for n, x in given.items()} for given in (letters, formulas))
                decision = decide(node.xreplace(two), RowFormula(pair, more, two[d]).node(right, index))
                if decision.kind != "refuted":
                    continue
            yield Found(decision, variant, str(node))
        except (NoReading, SymtransformerError, ArithmeticError):
            continue
        for convention in CONVENTIONS:
            check_time()
            if convention.operation == name:
                other = _by_convention(convention.formula, letters, formulas, argument, right, d)
                if other is not None:
                    yield Found(decide(other, made), variant, convention.formula, convention.note)


def approximates(document: Document, left: Part, right: Part) -> Note | None:
    """The convention by which x Φ(x) is 0.5 x (1 + tanh(...)): one side is the operation, the other its usual stand-in."""
    names = {n for side in (left, right) for n in names_in(side)} - {"pi"}
    if len(names) != 1 or has_indices(left, right) or any(n[:1].isupper() for n in names):
        return None
    for name in dict.fromkeys(c.operation for c in CONVENTIONS if c.operation in OF_ONE_VECTOR):
        call = Call(name, (Named(next(iter(names))),))
        found = [judge_call(document, call, side)[:1] for side in (left, right)]
        for one, other in (found, found[::-1]):
            exact = any(f.decision.is_accepted and f.note is None for f in one)
            near = [f.note for f in other if f.decision.is_accepted and f.note is not None]
            if exact and near:
                return near[0]
    return None


def _by_convention(text: str, letters: Any, formulas: Any, argument: str, right: Part, d: Any) -> Node | None:
    """The convention's formula in the letters of the document."""
    part = read_formula(text, Names({"gamma", "beta", "epsilon"}))
    usual: dict[str, Node] = {"x": letters[argument]}
    more = dict(formulas)
    for names, own, neutral in ((GAINS, "gamma", S.One), (SHIFTS, "beta", S.Zero)):
        given = next((n for n in names if n in letters and n != argument), None)
        if given is not None:
            usual[own] = letters[given]
        else:
            more[own] = neutral
    more["epsilon"] = formulas.get("‹eps›", S.Zero)
    try:
        return RowFormula(usual, more, d).node(part)
    except (NoReading, SymtransformerError):
        return None


def _variants(
    document: Document, name: str, x: Letter, right: Part, lengths: set[str]
) -> Iterator[tuple[Node, Any, Any, str]]:
    operation: Any = REGISTRY[name]
    d = x.shape[1]
    letters: dict[str, Node] = {x.name: x}
    if name in OF_ONE_VECTOR:
        yield operation(x), letters, {}, ""
        return
    used = names_in(right)
    if name == "SmoothedTargets":
        symbol = next((n for n in (*EPS, "alpha") if n in used), None)
        if symbol is not None:
            share = parameter(symbol)
            yield operation(x, share), letters, {symbol: share, "‹eps›": share}, ""
        return
    gain = next((n for n in GAINS if n in used and n != x.name), None)
    shift = next((n for n in SHIFTS if n in used and n != x.name), None)
    more: list[Node] = []
    shown: list[str] = []
    for own in (gain, shift):
        if own is not None:
            letters[own] = Letter(own, d, S.One)
            more.append(letters[own])
            shown.append(own)
    formulas = _statistics(document, x, used, lengths)
    for eps, symbol, text in _epsilons(right, used):
        with_eps = {**formulas, "‹eps›": eps, **({symbol: eps} if symbol else {})}
        words: dict[str, Any] = {"eps": eps}
        if gain is not None:
            words["gain"] = letters[gain]
        if shift is not None and name == "LayerNorm":
            words["shift"] = letters[shift]
        try:
            node = operation(x, **words) if name != "Standardization" else operation(x, eps)
        except SymtransformerError:
            continue
        yield node, letters, with_eps, ", ".join([*shown, text])


def _statistics(document: Document, x: Letter, used: tuple[str, ...], lengths: set[str]) -> dict[str, Any]:
    """What μ and σ stand for where the document does not say it: the mean, and the root of the population variance."""
    formula = RowFormula({x.name: x}, {}, x.shape[1])
    found: dict[str, Any] = {}
    for names, function in ((MEANS, "mean"), (DEVIATIONS, "std")):
        for name in names:
            if name in used and name != x.name:
                found[name] = formula.value(Call(function, (Named(x.name),))).number
    for definition in document.behind(used):
        if definition.right is None:
            found.pop(definition.name, None)
        if definition.right is None or definition.indices or definition.name == x.name:
            continue
        try:
            right = document.expanded(definition.right)
            right = root_of(definition, right) if definition.squared else right
            value = RowFormula({x.name: x}, found, x.shape[1], lengths=lengths).value(right)
        except (NoReading, SymtransformerError):
            found.pop(definition.name, None)  # it is not what is usually meant
            continue
        if value.is_number:
            found[definition.name] = value.number
    return found


def _epsilons(right: Part, used: tuple[str, ...]) -> Iterator[tuple[Any, str, str]]:
    """ε as it stands in the formula, and how it is shown."""
    symbol = next((e for e in EPS if e in used), None)
    if symbol is not None:
        yield parameter(symbol), symbol, "ε"
        return
    numbers = dict.fromkeys(x for p in every_part(right) if (x := _small_number(p)) is not None)
    for number in [*numbers][:3]:
        yield number, "", f"ε = {number}"
    yield S.Zero, "", "ε = 0"


def _small_number(part: Part) -> Any:
    """0.00001, 1e-5 and 10^{-5}; None for anything else."""
    if isinstance(part, Number) and ("." in part.text or "e" in part.text):
        return decimal(part.text)
    minus = part.exponent if isinstance(part, Power) and part.base == Number("10") else None
    if isinstance(minus, Terms) and len(minus.terms) == 1 and isinstance(minus.terms[0][1], Terms):
        minus = minus.terms[0][1]  # in braces
    is_small = isinstance(minus, Terms) and len(minus.terms) == 1 and minus.terms[0][0] == "-"
    count = minus.terms[0][1] if is_small else None  # type: ignore[union-attr]
    return decimal(f"1e-{count.text}") if isinstance(count, Number) and count.text.isdigit() else None


# -- formulas of matrices -------------------------------------------------------------------------------------------
def _by_matrices(document: Document, operation: type[Operation], call: Call, right: Part) -> Iterator[Found]:
    arguments = [written(a) for a in call.arguments]
    arguments_names = {n for a in call.arguments for n in names_in(a)}
    extras = [
        n
        for n in names_in(right)
        if n not in arguments_names and not is_size_name(n) and n not in LENGTHS - {"M", "K", "V", "H"}
    ]
    extras = [n for n in extras if document.find(n) is None or document.find(n).has_gradients]  # type: ignore[union-attr]
    lines = document.lines([n for n in names_in(right) if n not in arguments_names])
    names = {*arguments_names, *names_in(right)}
    for text, variant in _calls(operation, call, arguments, extras, right):
        try:
            yield Found(compare(lines, text, written(right), names, {}), variant, text)
        except ReadingError:
            continue


def _calls(
    operation: type[Operation], call: Call, arguments: list[str], extras: list[str], right: Part
) -> Iterator[tuple[str, str]]:
    parameters = [p for p in operation.parameters if p.kind == MATRIX]
    needed = [p for p in parameters if p.needed]
    taken = {p.name for p in (needed if len(arguments) <= len(needed) else parameters)[: len(arguments)]}
    words: list[str] = [f"{name}={written(value)}" for name, value in call.words]
    free = list(extras)
    for p in parameters:
        if p.name in taken:
            continue
        role = next((heads for kind, heads in ROLES if kind in p.name), ())
        name = next((n for n in free if n.partition("_")[0] in role and _same_number(n, p.name)), None)
        if name is not None:
            free.remove(name)
            words.append(f"{p.name}={name}")
    numbered = {p.name for p in parameters if not p.needed and p.name[-1].isdigit()}
    if 0 < len(numbered & ({w.partition("=")[0] for w in words} | taken)) < len(numbered):
        return  # with one bias of two the other one may have been forgotten
    functions = {p.function.casefold() for p in every_part(right) if isinstance(p, Call)}
    choices = [
        [f"{p.name}={c}" for c in p.choices if c.casefold() in functions]
        for p in operation.parameters
        if p.kind == CHOICE
    ]
    more = [c[0] for c in choices if c]
    for chosen in dict.fromkeys(((*words, *more), tuple(words))):
        yield f"{operation.__name__}({', '.join([*arguments, *chosen])})", ", ".join(chosen)


def _same_number(name: str, parameter_name: str) -> bool:
    """W_2 is no weight_1."""
    own, meant = (re.search(r"_?([0-9])$", x) for x in (name, parameter_name))
    return own is None or meant is None or own.group(1) == meant.group(1)
