"""Every operation has a template, and the template, filled in with numbers, is solved."""

import re
from fractions import Fraction

import pytest

import symtransformer.operations  # noqa: F401 - fills the registry
from symtransformer import verify
from symtransformer.operation import REGISTRY
from symtransformer.reading import read_values
from symtransformer.reading.questions import question
from symtransformer.reading.template import template

LINE = re.compile(r"(#? ?)([A-Za-z_0-9]+) = (\[\]|0|\"\")  # (.*)")
SHAPE = re.compile(r"(?:^|: )([^,:]+) x ([^,:]+?)(,|$)")
SIZES = {
    "n": 2,
    "m": 3,
    "n_1": 4,
    "d": 2,
    "d_1": 4,
    "d_2": 3,
    "d_model": 4,
    "d_memory": 4,
    "d_k": 2,
    "d_v": 3,
    "d_ff": 3,
    "vocab": 3,
}
NUMBERS = {"index": 1, "start": 1, "width": 2, "columns": 6, "rows": 4, "count": 2, "heads": 2, "length": 2, "size": 3}
# what an operation asks of its numbers beyond their size
SPECIAL = {"RowSlice": {"start": 0}, "RowPad": {"rows": 5}, "PairTurn": {"m": 4}, "RotaryEmbedding": {"m": 4},
           "GroupedQueryAttention": {"heads": 4, "groups": 2}}  # fmt: skip
ONE_HOT = {"tokens", "targets", "positives"}


def size_of(text, sizes):
    total = 1
    for factor in text.strip("()").split("*"):
        total *= int(factor) if factor.isdigit() else sizes[factor]
    return total


def number(key, i, j, mask, one_hot, columns):
    if mask:
        return '"-inf"' if j > i else "0"
    if one_hot:
        return str(int(j == i % columns))
    return str(Fraction(1 + (3 * i + 5 * j + ord(key[0])) % 7, 4)).join('""')


def filled(text, name, optional):
    """The template with a number for every place, optional ones too if wanted."""
    sizes = {**SIZES, **NUMBERS, **SPECIAL.get(name, {})}
    lines = []
    for line in text.splitlines():
        found = LINE.fullmatch(line)
        if not found or (found[1] and not optional):
            lines.append(line)
            continue
        _, key, empty, comment = found.groups()
        if empty == "0":
            value = str(sizes[key])
        elif empty == '""':
            value = "0.5"
        else:
            rows, columns = (size_of(part, sizes) for part in SHAPE.search(comment).groups()[:2])
            one_hot, mask = comment.split(":")[0] in ONE_HOT, "-inf" in comment
            cells = [[number(key, i, j, mask, one_hot, columns) for j in range(columns)] for i in range(rows)]
            value = "[" + ", ".join("[" + ", ".join(row) + "]" for row in cells) + "]"
            if "each head" in comment:
                value = "[" + ", ".join([value] * sizes.get("heads" if "heads" in text else "count")) + "]"
            if "each group" in comment:
                value = "[" + ", ".join([value] * sizes["groups"]) + "]"
        lines.append(f"{key} = {value}")
    return "\n".join(lines)


def test_every_operation_has_a_template_of_its_own():
    texts = {name: template(operation) for name, operation in REGISTRY.items()}
    assert len(texts) >= 60
    assert all(f'operation = "{name}"' in text for name, text in texts.items())


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_a_template_filled_in_is_solved(name):
    text = filled(template(REGISTRY[name]), name, optional=False)
    verified = verify(question(read_values(text)).derivation())
    assert verified.require_true() is verified
    assert verified.derivation.steps[-1].stands_for is not None


OPTIONAL = sorted(name for name, o in REGISTRY.items() if any(p.kind == "matrix" and p.optional for p in o.parameters))


@pytest.mark.parametrize("name", OPTIONAL)
def test_a_template_with_everything_filled_in_is_solved(name):
    text = filled(template(REGISTRY[name]), name, optional=True)
    asked = question(read_values(text))
    assert set(asked.reading.letters) == {key for key, entry in read_values(text).values.items() if entry.levels > 0}
    verify(asked.derivation()).require_true()
