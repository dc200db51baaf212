"""One matrix formula of a claim: its tokens, the names that may stand in it, and its value once all sizes are known."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from sympy import Expr

from symtransformer.node import Node
from symtransformer.reading import syntax
from symtransformer.reading.claimed_matrices import OWN_FUNCTIONS, ClaimedFormula
from symtransformer.reading.grammar import parsed
from symtransformer.reading.grouping import from_left_to_right
from symtransformer.reading.index_marks import unknown
from symtransformer.reading.names import refuse_calls_of_letters
from symtransformer.reading.problems import START, ReadingError, Span
from symtransformer.reading.sizes import Sizes
from symtransformer.reading.tokens import Tokenizer
from symtransformer.reading.vocabulary import function_named, known_functions


def read_matrix_line(
    text: str, nodes: Mapping[str, Node], numbers: Mapping[str, Expr], how: Mapping[str, bool], wanted: Any = None
) -> Any:
    """The value of one formula, in the reading that `how` names: entrywise, repeating, lying, wide, tight.

    Letters are those in `nodes`; a node that is an operation is put in for its name. A size that nothing in the
    formula gives is that of `wanted`, rows and columns.
    """
    how = dict(how)
    is_tight = how.pop("tight", False)
    functions = known_functions()
    known = {*nodes, *numbers}

    def is_function(word: str) -> bool:
        return word not in known and (word in OWN_FUNCTIONS or function_named(word, functions) is not None)

    refuse_calls_of_letters(text, known, functions)
    lines = parsed(text, _tokens(text, is_function, known, functions))
    if len(lines) != 1:
        raise ReadingError(text, lines[1].span if lines else START, "lines", "expected one formula")
    written = from_left_to_right(lines[0].value) if is_tight else lines[0].value
    shapes = {name: node.shape for name, node in nodes.items()}
    _require_known(text, written, known, functions)
    sizes = Sizes(known)
    value: Any = None
    first: ClaimedFormula | None = None
    for final in (False, True):
        reading = ClaimedFormula(text, sizes, shapes, dict(numbers), functions, shapes, frozenset(), set(), final)  # type: ignore[arg-type]
        vars(reading).update(how, _signs={}, _bold_ones={} if first is None else first._bold_ones)
        if first is not None:
            reading.ones, reading.added_as_columns = first.ones, first.added_as_columns
        value = reading.value(written)
        first = reading
        if not final and isinstance(value, Node):
            for found, meant in zip(value.shape, wanted or (), strict=False):
                if sizes.open_in(found):
                    sizes.make_equal(found, meant)
            reading.settle_ones()
        if not final and isinstance(value, Node) and sizes.unknown.keys() & {s for size in sizes.shape(value.shape) for s in size.free_symbols}:  # fmt: skip
            raise ReadingError(text, written.span, "size", "the size of this is not determined")
    return value


def _tokens(text: str, is_function: Callable[[str], bool], known: set[str], functions: dict[str, Any]) -> list[Any]:
    words = {
        c for operation in functions.values() for p in operation.parameters for c in p.choices if not is_function(c)
    }
    try:
        return Tokenizer(text, is_function, known | words).all()
    except ReadingError as error:
        start = sum(len(line) + 1 for line in text.split("\n")[: error.line - 1]) + error.column - 1
        word = re.match(r"d[A-Za-z][A-Za-z0-9_]*", text[start:])
        if error.code != "unknown_name" or word is None:
            raise
        raise ReadingError(text, Span(start, start), error.code, unknown(word.group(), known)) from None


def _require_known(text: str, value: Any, known: set[str], functions: dict[str, Any]) -> None:
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting += part
        elif isinstance(part, syntax.Name) and part.name not in known and part.name != "I":
            raise ReadingError(text, part.span, "unknown_name", unknown(part.name, known))
        elif is_dataclass(part):
            if isinstance(part, syntax.Call):
                operation = function_named(part.function, functions)
                choices = {c for p in getattr(operation, "parameters", ()) for c in p.choices}
                waiting += [p for name, p in part.keywords if not isinstance(p, syntax.Word)]
                waiting += [p for p in part.arguments if not (isinstance(p, syntax.Name) and p.name in choices)]
            else:
                waiting += [getattr(part, f.name) for f in fields(part)]
