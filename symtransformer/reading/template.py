"""A values file to fill in for an operation: every letter with its size in a comment."""

from __future__ import annotations

from typing import Any

from symtransformer.arguments import CHOICE, LABEL, MATRICES, SIZE
from symtransformer.node import postorder
from symtransformer.operation import Operation
from symtransformer.reading.expressions import read_expression
from symtransformer.reading.operation_letters import Argument, arguments_of, as_expression
from symtransformer.reading.result import Reading
from symtransformer.symbols import Letter


def template(operation: type[Operation], language: str = "en") -> str:
    """The text of a values file whose numbers are to be filled in.

    >>> from symtransformer.operations import Softmax
    >>> from symtransformer.reading.template import template
    >>> print(template(Softmax))
    # Softmax of each row
    operation = "Softmax"
    lang = "en"
    # title = "..."
    <BLANKLINE>
    [values]
    S = []  # scores: n x m
    <BLANKLINE>
    # [labels]
    # n = ["...", { en = "...", ja = "..." }]
    <BLANKLINE>
    # [options]
    # digits = 4
    <BLANKLINE>
    """
    arguments = arguments_of(operation)
    reading = _reading(operation, arguments, optional=False)
    whole = _reading(operation, arguments, optional=True)
    sizes = [a for a in arguments if a.parameter.kind == SIZE]
    values = [a for a in arguments if a.parameter.kind != SIZE]
    lines = [f"# {operation.title.plain(language)}", f'operation = "{operation.__name__}"', f'lang = "{language}"']
    lines += ['# title = "..."', ""]
    if sizes:
        lines += ["[sizes]", *(_line(a, reading) for a in sizes), ""]
    if values:
        lines += ["[values]", *(_line(a, reading if a.parameter.needed else whole) for a in values), ""]
    axis = next((str(s) for letter in reading.letters.values() for s in letter.shape if s.is_Symbol), "n")
    lines += ["# [labels]", f'# {axis} = ["...", {{ en = "...", ja = "..." }}]', "", "# [options]", "# digits = 4", ""]
    return "\n".join(lines)


def _reading(operation: type[Operation], arguments: list[Argument], optional: bool) -> Reading:
    """The sizes of the letters, with a letter for every number."""
    numbers = {a.key: a.key for a in arguments if a.is_number and a.parameter.default is None}
    numbers |= {
        a.key: a.parameter.choices[0] for a in arguments if a.is_word and a.parameter.choices and a.parameter.needed
    }
    shapes = {
        a.key: "size" if a.parameter.kind == SIZE else "number" for a in arguments if a.key in numbers and a.is_number
    }
    letters = [a.key for a in arguments if a.is_matrix and (optional or a.parameter.needed)]
    return read_expression(as_expression(operation, numbers, letters), shapes, matrices=set(letters))


def _line(argument: Argument, reading: Reading) -> str:
    parameter = argument.parameter
    mark = "" if parameter.needed else "# "
    if argument.is_matrix:
        rows, columns = reading.letters[argument.key].shape
        one_each = any(x.name == argument.key and x.head is not None for x in _leaves(reading))
        comment = f"{rows} x {columns}" + (", one matrix for each head: [[[...]], [[...]]]" if one_each else "")
        comment += ", entries 0 and -inf" if "mask" in parameter.name else ""
        comment += ", and as many more as wanted" if parameter.kind == MATRICES and argument.key == "B" else ""
        value = "[]"
    elif parameter.kind == SIZE:
        value, comment = "0", "a whole number"
    elif parameter.kind == CHOICE:
        value, comment = f'"{parameter.default or parameter.choices[0]}"', f"one of {', '.join(parameter.choices)}"
    elif parameter.kind == LABEL:
        value, comment = '"enc1"', "a short name that its steps bear"
    else:
        value, comment = f'"{parameter.default}"' if parameter.default is not None else '""', "a number"
    what = "" if argument.is_matrix and len(argument.key) < 2 and parameter.kind == MATRICES else f"{parameter.name}: "
    what = what if argument.key != parameter.name else ""
    optional = "" if parameter.needed else ", may be left out"
    return f"{mark}{argument.key} = {value}  # {what}{comment}{optional}"


def _leaves(reading: Reading) -> list[Any]:
    return [x for _, node in reading.lines for x in postorder(node) if isinstance(x, Letter)]
