"""Where sizes come from: the last axes of the arrays, numbers of heads too."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from sympy import Expr, Integer, Symbol

from symtransformer.numpy_module.expressions import Writer
from symtransformer.symbols import Letter


def axes_of(letters: Sequence[Letter], heads: Mapping[Any, Any]) -> dict[Letter, tuple[Expr, ...]]:
    """The last axes of the array of each family: number of heads, if it has any, rows, columns."""
    members: dict[Letter, list[Letter]] = {}
    for letter in letters:
        members.setdefault(letter.family, []).append(letter)
    found = {}
    for family, own in members.items():
        counted = [heads[s] for x in own if x.head is not None for s in x.head.free_symbols if s in heads]
        numbers = [x.head + 1 for x in own if x.head is not None and x.head.is_Integer]
        count = counted[:1] or ([max(numbers)] if numbers else [])
        found[family] = (*count, *family.shape)
    return found


def sizes_from(axes: Mapping[Letter, tuple[Expr, ...]], writer: Writer) -> tuple[list[str], list[Symbol]]:
    """Lines that read each size from a shape, and the sizes that no shape tells."""
    lines: list[str] = []
    known: set[Any] = set()
    wanted = list(
        dict.fromkeys(s for sizes in axes.values() for size in sizes for s in sorted(size.free_symbols, key=str))
    )
    progress = True
    while progress:
        progress = False
        for letter, sizes in axes.items():
            name = writer.names.of(letter, letter.name)
            new = [size for size in sizes if size.is_Symbol and size not in known]
            if len(new) == len(sizes) == len(set(sizes)):
                names = ", ".join(ast.unparse(writer.scalar(size)) for size in sizes)
                lines.append(f"{names} = {name}.shape[-{len(sizes)}:]")
                known |= set(sizes)
                progress = True
                continue
            for place, size in enumerate(sizes, -len(sizes)):
                unknown = size.free_symbols - known
                if len(unknown) != 1:
                    continue
                (symbol,) = unknown
                others = size / symbol
                if symbol not in others.free_symbols:
                    rest = ast.unparse(writer.scalar(others))
                    divided = "" if others == 1 else f" // {rest}" if others.is_Atom else f" // ({rest})"
                    lines.append(f"{ast.unparse(writer.scalar(symbol))} = {name}.shape[{place}]{divided}")
                    known.add(symbol)
                    progress = True
    return lines, [symbol for symbol in wanted if symbol not in known]


def required(axes: Mapping[Letter, tuple[Expr, ...]], writer: Writer) -> list[str]:
    """Q=(Q, n, d_k) for each letter."""
    shown = []
    for letter, sizes in axes.items():
        name = writer.names.of(letter, letter.name)
        shown.append(f"{name}=({name}, {written_sizes(sizes, writer)})")
    return shown


def written_sizes(sizes: Sequence[Expr], writer: Writer) -> str:
    return ", ".join(ast.unparse(writer.scalar(size, whole=not isinstance(size, Integer))) for size in sizes)
