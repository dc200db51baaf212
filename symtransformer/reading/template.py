"""A values file to fill in for an operation: every letter with its size in a comment."""

from __future__ import annotations

from typing import Any

from symtransformer.arguments import CHOICE, LABEL, MATRICES, SIZE
from symtransformer.node import postorder
from symtransformer.notation import Words
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
    reading = _reading(operation, arguments)
    sizes = [a for a in arguments if a.parameter.kind == SIZE]
    values = [a for a in arguments if a.parameter.kind != SIZE]
    lines = [f"# {operation.title.plain(language)}", f'operation = "{operation.__name__}"', f'lang = "{language}"']
    lines += ['# title = "..."', ""]
    if sizes:
        lines += ["[sizes]", *(_line(operation, a, reading, language) for a in sizes), ""]
    if values:
        lines += ["[values]", *(_line(operation, a, reading, language) for a in values), ""]
    axis = next((str(s) for letter in reading.letters.values() for s in letter.shape if s.is_Symbol), "n")
    lines += ["# [labels]", f'# {axis} = ["...", {{ en = "...", ja = "..." }}]', "", "# [options]", "# digits = 4", ""]
    return "\n".join(lines)


def _reading(operation: type[Operation], arguments: list[Argument]) -> Reading:
    """The sizes of all letters together, with a letter for every number."""
    numbers = {a.key: a.key for a in arguments if a.is_number and a.parameter.default is None}
    numbers |= {
        a.key: a.parameter.choices[0] for a in arguments if a.is_word and a.parameter.choices and a.parameter.needed
    }
    numbers |= {"groups": "heads"} if "groups" in numbers else {}  # one for each head, as of letters it is not known
    shapes = {
        a.key: "size" if a.parameter.kind == SIZE else "number" for a in arguments if a.key in numbers and a.is_number
    }
    shapes |= {a.key: "m d_memory" for a in arguments if a.is_matrix and a.parameter.name == "memory"}
    letters = [a.key for a in arguments if a.is_matrix]
    return read_expression(as_expression(operation, numbers, letters), shapes, matrices=set(letters))


WORDS = {
    "each group": Words(
        "one matrix for each group: [[[...]], [[...]]]", "グループごとに 1 つの行列: [[[...]], [[...]]]"
    ),
    "each": Words("one matrix for each head: [[[...]], [[...]]]", "ヘッドごとに 1 つの行列: [[[...]], [[...]]]"),
    "mask": Words(
        "entries 0 and -inf; a causal one: [[0, -inf], [0, 0]]", "成分は 0 と -inf。因果マスクの例: [[0, -inf], [0, 0]]"
    ),
    "more": Words("and as many more as wanted", "いくつでも追加できる"),
    "size": Words("a whole number of at least 1", "1 以上の整数"),
    "place": Words("a whole number, counted from 0", "0 から数える整数"),
    "one of": Words("one of {}", "次のいずれか: {}"),
    "label": Words("a short name that its steps bear", "各ステップに付く短い名前"),
    "number": Words("a number", "数"),
    "memory": Words("without it d_memory is d_model", "省略すると d_memory は d_model に等しい"),
    "optional": Words("may be left out", "省略可"),
}


def _line(operation: type[Operation], argument: Argument, reading: Reading, language: str) -> str:
    parameter = argument.parameter
    if argument.is_matrix:
        rows, columns = reading.letters[argument.key].shape
        one_each = any(x.name == argument.key and x.head is not None for x in _leaves(reading))
        several = parameter.kind == MATRICES and argument.key == "B"
        in_group = parameter.name in getattr(operation, "of_each_group", ())
        said = {
            "each group": one_each and in_group,
            "each": one_each and not in_group,
            "mask": "mask" in parameter.name,
            "more": several,
            "memory": parameter.name == "memory" and not parameter.needed,
        }
        remarks = [f"{rows} x {columns}", *(WORDS[key].in_language(language) for key, is_so in said.items() if is_so)]
        value = "[]"
    elif parameter.kind == SIZE:
        value, remarks = "0", [WORDS["place" if argument.key in ("start", "index") else "size"].in_language(language)]
    elif parameter.kind == CHOICE:
        value = f'"{parameter.default or parameter.choices[0]}"'
        remarks = [WORDS["one of"].in_language(language).format(", ".join(parameter.choices))]
    elif parameter.kind == LABEL:
        value, remarks = '"enc1"', [WORDS["label"].in_language(language)]
    else:
        value = f'"{parameter.default}"' if parameter.default is not None else '""'
        remarks = [WORDS["number"].in_language(language)]
    what = "" if argument.is_matrix and len(argument.key) < 2 and parameter.kind == MATRICES else f"{parameter.name}: "
    what = what if argument.key != parameter.name else ""
    remarks += [] if parameter.needed else [WORDS["optional"].in_language(language)]
    joined = ("、" if language == "ja" else ", ").join(remarks)
    return f"{'' if parameter.needed else '# '}{argument.key} = {value}  # {what}{joined}"


def _leaves(reading: Reading) -> list[Any]:
    return [x for _, node in reading.lines for x in postorder(node) if isinstance(x, Letter)]
