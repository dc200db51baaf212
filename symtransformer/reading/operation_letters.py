"""An operation as an expression of its usual letters, and the values file that asks for them."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from symtransformer.arguments import CHOICE, LABEL, LETTER, MATRICES, MATRIX, SCALAR, SIZE, Parameter
from symtransformer.errors import UnreadableInput
from symtransformer.operation import Operation
from symtransformer.reading.problems import quoted
from symtransformer.reading.vocabulary import function_named, known_functions, spellings_of
from symtransformer.symbols import NAME

LETTERS = {
    "input": "X", "queries": "Q", "keys": "K", "values": "V", "query": "q", "key": "k", "value": "v", "mask": "M",
    "query_weight": "W_Q", "key_weight": "W_K", "value_weight": "W_V", "score_weight": "v_a", "memory": "Y", "state_weight": "U", "input_weight": "W",
    "gain": "gamma", "shift": "beta", "scores": "S", "weight": "W", "bias": "b", "table": "E", "tokens": "T",
    "residual": "X", "update": "U", "logits": "L", "targets": "T", "divisors": "c", "state": "H", "column": "c",
    "row": "r", "cached_keys": "K_old", "cached_values": "V_old", "cross_mask": "M_2", "weights": "W", "gradient": "G",
}  # fmt: skip


@dataclass(frozen=True)
class Argument:
    """A parameter of an operation and the key that it has in a values file."""

    parameter: Parameter
    key: str

    @property
    def is_matrix(self) -> bool:
        return self.parameter.kind in (MATRIX, MATRICES)

    @property
    def is_number(self) -> bool:
        return self.parameter.kind in (SCALAR, SIZE)

    @property
    def is_word(self) -> bool:
        return self.parameter.kind in (CHOICE, LABEL)


def operation_named(name: str) -> type[Operation]:
    """An operation by its name, or by any usual spelling of it."""
    known = known_functions()
    found = function_named(name, known)
    if found is None:
        names = sorted({operation.__name__ for operation in known.values()})
        close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
        hint = f"did you mean {close[0]}?" if close else "symtransformer list operations names them all"
        raise UnreadableInput(f"no operation is named {quoted(name)}; {hint}")
    return found  # type: ignore[no-any-return]


def arguments_of(operation: type[Operation]) -> list[Argument]:
    """What a values file gives for each parameter; a letter that counts heads is none of them."""
    found: list[Argument] = []
    for parameter in operation.parameters:
        if parameter.kind == LETTER:
            continue
        if parameter.kind == MATRICES:
            found += [Argument(parameter, letter) for letter in ("A", "B")]
        elif parameter.kind == MATRIX:
            rows_first = parameter.name == "queries" and any(p.name == "weight_Q" for p in operation.parameters)
            name = "input" if rows_first else parameter.name  # queries are made from it
            found.append(Argument(parameter, _letter(name, {a.key for a in found})))
        else:
            found.append(Argument(parameter, parameter.name))
    return found


def _letter(name: str, taken: Collection[str]) -> str:
    """weight_Q is W_Q, cross_weight_Q is U_Q, bias_1 is b_1; what has no usual letter takes a free one."""
    cross, rest = name.startswith("cross_"), name.removeprefix("cross_")
    base, _, low = rest.rpartition("_") if len(rest.rpartition("_")[2]) == 1 else (rest, "", "")
    letter = LETTERS.get(name) or LETTERS.get(base, "A")
    if low:
        letter = f"{letter}_{low}" if "_" not in letter else letter
    if cross:
        letter = {"W": "U", "b": "c"}.get(letter[0], letter[0]) + letter[1:]
    candidates = [letter, *"ABCDFGHJPRUZ", *(f"N_{k}" for k in range(1, 99))]
    return next(c for c in candidates if c not in taken and NAME.fullmatch(c))


def as_expression(operation: type[Operation], given: dict[str, str], letters: Collection[str] | None = None) -> str:
    """The operation as it is written in an expression: matrices by letters, the rest as `given`, by key.

    Optional matrices are used where their letter is among `letters`; of an operation that takes
    any number of matrices, all of them.
    """
    arguments = arguments_of(operation)
    if arguments and arguments[0].parameter.kind == MATRICES:
        return f"{operation.__name__}({', '.join(letters or [a.key for a in arguments])})"
    written = []
    for argument in arguments:
        if argument.is_matrix and (argument.parameter.needed or (letters is not None and argument.key in letters)):
            written.append(f"{argument.parameter.name}={argument.key}")
        elif not argument.is_matrix and argument.key in given:
            written.append(f"{argument.parameter.name}={given[argument.key]}")
    return f"{operation.__name__}({', '.join(written)})"


def missing_arguments(operation: type[Operation], given: Collection[str]) -> list[Any]:
    """Numbers and words that have to be there and are not."""
    return [a for a in arguments_of(operation) if not a.is_matrix and a.parameter.needed and a.key not in given]


def signature(operation: type[Operation]) -> str:
    """How the operation is written in an expression: softmax(scores), LayerNorm(input, [gain], [shift], [eps])."""
    shown = []
    for parameter in operation.parameters:
        if parameter.kind != LETTER:
            several = "" if parameter.kind != MATRICES else ", ..."
            shown.append((parameter.name if parameter.needed else f"[{parameter.name}]") + several)
    return f"{spellings_of(operation)[0]}({', '.join(shown)})"
