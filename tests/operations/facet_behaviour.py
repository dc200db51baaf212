"""Further checks of one operation: properties, batches, large inputs, words and notation."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from facet_cases import Case
from facet_checks import Refused, as_arrays, numpy_value, require
from sympy import S, latex

from symtransformer.errors import NotSupported
from symtransformer.exact import Exact
from symtransformer.operation import Primitive, Property, compute
from symtransformer.symbols import Letter

JAPANESE = r"[\u3040-\u30ff\u4e00-\u9fff]"
# Where a float64 has no room: e^x of a large x. Everything else takes entries of 1000.
LARGEST = {"Exponential": 700.0}
# −∞ by tests of their own, in test_infinite_entries.py: a single column; a product that is refused unless a factor is 0.
INFINITY_BY_HAND = {"Broadcast", "Hadamard"}


# -- properties ----------------------------------------------------------------------------------
def wrong_results(result: Any) -> list[Any]:
    """Results that no identity should accept all of: scaled, shifted, turned around, uneven."""
    steps = np.arange(1.0, result.size + 1).reshape(result.shape)
    return [result * 1.001, result + 0.01, result[..., ::-1] + 0.5, result * (1 + 0.01 * steps), result - steps]


def check_properties(case: Case) -> None:
    arguments = as_arrays(case)
    result = numpy_value(case, arguments)
    for prop in case.operation.properties:
        _check_property(case, prop, result, arguments)


def _check_property(case: Case, prop: Property, result: Any, arguments: list[Any]) -> None:
    require(isinstance(prop, Property), f"{case.name}: a property is no Property")
    held = prop.holds(result, *arguments)
    require(isinstance(held, (bool, np.bool_)), f"{case.name}: {prop.statement.en!r} answers {held!r}")
    require(bool(held), f"{case.name}: {prop.statement.en!r} does not hold")
    refused = [not prop.holds(wrong, *arguments) for wrong in wrong_results(result)]
    require(any(refused), f"{case.name}: {prop.statement.en!r} accepts every wrong result, so it says nothing")


# -- batches ----------------------------------------------------------------------------------------
def check_batches(first: Case, second: Case) -> None:
    """Leading axes, one and two of them, give what each member gives alone."""
    left, right = as_arrays(first), as_arrays(second)
    if not any(isinstance(a, np.ndarray) for a in left):
        return
    alone = np.stack([numpy_value(first, left), numpy_value(second, right)])
    stacked = [np.stack([a, b]) if isinstance(a, np.ndarray) else a for a, b in zip(left, right, strict=True)]
    together = first.operation.numpy(*stacked)
    require(together.shape == alone.shape, f"{first.name}: batch of shape {together.shape}, not {alone.shape}")
    require(np.allclose(together, alone, rtol=1e-13, atol=1e-14), f"{first.name}: a batch differs from its members")
    deeper = first.operation.numpy(*[a[None] if isinstance(a, np.ndarray) else a for a in stacked])
    require(deeper.shape == (1, *alone.shape), f"{first.name}: two batch axes give {deeper.shape}")
    require(np.allclose(deeper[0], alone, rtol=1e-13, atol=1e-14), f"{first.name}: two batch axes differ")


# -- large and infinite inputs ----------------------------------------------------------------------
def _loud(case: Case, arguments: list[Any]) -> Any:
    with warnings.catch_warnings(), np.errstate(over="raise", invalid="raise", divide="raise"):
        warnings.simplefilter("error")
        try:
            return numpy_value(case, arguments)
        except (FloatingPointError, RuntimeWarning) as error:
            raise Refused(f"{case.name}: {error}") from error


def check_large(case: Case) -> None:
    most = LARGEST.get(case.name, 1000.0)
    arguments = []
    for argument in as_arrays(case):
        if isinstance(argument, np.ndarray):
            large = np.where(argument > 0, most, -most)
            large[..., 0, 0] = most
            arguments.append(large)
        else:
            arguments.append(argument)
    result = _loud(case, arguments)
    masks = not case.letters and case.operation.__name__.endswith("Mask")
    finite = np.isfinite(result) | (np.isneginf(result) & masks)
    require(bool(finite.all()), f"{case.name}: not finite at entries of {most}")


def infinite_cases(case: Case) -> list[tuple[Letter, tuple[int, ...]]]:
    """Each matrix argument with its last entry of the first row to be −∞ (one entry stays)."""
    return [(a, (*([0] if case.heads else []), 0, int(a.shape[1]) - 1)) for a in case.letters if int(a.shape[1]) > 1]


def check_infinity(case: Case, letter: Letter, place: tuple[int, ...]) -> None:
    """−∞ where it is accepted: no nan, and the same places as in the exact value."""
    array = np.array(case.values[letter], dtype=float)
    array[place] = -np.inf
    arguments = [array if a is letter else b for a, b in zip(case.order, as_arrays(case), strict=True)]
    result = _loud(case, arguments)
    require(not np.isnan(result).any(), f"{case.name}: −∞ gives nan")

    def rows(member: Letter) -> Any:
        given = [list(row) for row in case.rows(member)]
        ours = member is letter or (case.heads and member is letter.of_head(0))
        if ours:
            given[place[-2]][place[-1]] = S.NegativeInfinity
        return given

    exact = compute(case.node, Exact(), rows)
    wanted = np.array([[float(x) for x in row] for row in exact])
    require(np.array_equal(np.isneginf(result), np.isneginf(wanted)), f"{case.name}: other places are −∞")
    require(np.array_equal(result == 0, wanted == 0), f"{case.name}: other places are exactly 0")
    finite = np.isfinite(wanted)
    require(np.allclose(result[finite], wanted[finite], rtol=1e-12), f"{case.name}: values beside −∞")


def check_infinity_refused(case: Case) -> None:
    """Where −∞ has no meaning the exact route says so."""
    letter, place = infinite_cases(case)[0]

    def rows(member: Letter) -> Any:
        given = [list(row) for row in case.rows(member)]
        if member is letter or (case.heads and member is letter.of_head(0)):
            given[place[-2]][place[-1]] = S.NegativeInfinity
        return given

    try:
        compute(case.node, Exact(), rows)
    except NotSupported:
        return
    raise Refused(f"{case.name}: −∞ is neither declared as accepted nor refused")


# -- words and notation --------------------------------------------------------------------------------
def check_words(operation: Any) -> None:
    for words in (operation.title, operation.explanation, *(p.statement for p in getattr(operation, "properties", ()))):
        require(bool(re.search(r"[A-Za-z]{3}", words.en)), f"{operation.__name__}: no English in {words}")
        require(words.en.isascii() or not re.search(JAPANESE, words.en), f"{operation.__name__}: {words.en}")
        require(bool(re.search(JAPANESE, words.ja)), f"{operation.__name__}: no Japanese")
    require(operation.explanation.en.endswith("."), f"{operation.__name__}: the explanation is no sentence")
    require(operation.explanation.ja.endswith("。"), f"{operation.__name__}: 説明が文になっていない")
    source = operation.source
    require(len(source.en.strip()) >= 8, f"{operation.__name__}: no source")
    require(source.en.isascii() or not re.search(JAPANESE, source.en), f"{operation.__name__}: {source.en}")
    require(bool(re.search(JAPANESE, source.ja)), f"{operation.__name__}: 出典が英語のまま")
    require(
        not re.search(r"\b(sections?|eq|eqs|et al|where|with|their|our|there|here)\b", source.ja),
        f"{operation.__name__}: {source.ja}",
    )
    require(bool(operation.__doc__) and ">>>" in operation.__doc__, f"{operation.__name__}: no docstring example")


def _balanced(text: str, pairs: str = "()[]{}") -> bool:
    closing = dict(zip(pairs[1::2], pairs[::2], strict=True))
    open_brackets: list[str] = []
    for sign in text:
        if sign in closing.values():
            open_brackets.append(sign)
        elif sign in closing and (not open_brackets or open_brackets.pop() != closing[sign]):
            return False
    return not open_brackets


def check_notation(case: Case) -> None:
    text, typeset = str(case.node), latex(case.node)
    for written in (text, typeset):
        require(bool(written.strip()), f"{case.name}: nothing is printed")
        require(_balanced(written), f"{case.name}: brackets do not match in {written!r}")
        require("None" not in written and "object at" not in written, f"{case.name}: {written!r}")
    for letter in case.letters:
        base = letter.name[0]
        require(base in text or base.lower() in text, f"{case.name}: {letter.name} is missing in {text!r}")
        require(base in typeset or base.lower() in typeset, f"{case.name}: {letter.name} is missing in {typeset!r}")
    for inside, outside in _look_alikes(case):
        for print_it in (str, latex):
            written = print_it(inside)
            require(written != print_it(outside), f"{case.name}: {written!r} has two meanings")


def _look_alikes(case: Case) -> list[tuple[Any, Any]]:
    """op(A + B, ...) and op(A, ...) + B; op(A B, ...) and op(A, ...) B; the same with B in front.

    Left out where both mean the same: sums of a sum.
    """
    first = case.letters[0] if case.letters else None
    if first is None or first.shape != case.node.shape:
        return []
    beside, left, right = (Letter("B", *s) for s in (first.shape, [first.shape[0]] * 2, [first.shape[1]] * 2))
    pairs: list[tuple[Any, Any]] = []
    if case.name not in ("Addition", "Mask"):
        pairs += [(first + beside, case.node + beside), (beside + first, beside + case.node)]
    pairs += [(first @ right, case.node @ right), (left @ first, left @ case.node)]
    return [(case.operation(*[new if a is first else a for a in case.node.args]), outside) for new, outside in pairs]


BEHAVIOUR_CHECKS: tuple[Callable[[Case], None], ...] = (check_large, check_notation)


def is_primitive(operation: Any) -> bool:
    return issubclass(operation, Primitive)
