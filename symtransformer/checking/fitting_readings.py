"""Which of two readings of a side fits the other sides of its chain."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from symtransformer.node import Node
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.sides import Side


def with_fitting_readings(sides: list[Side | ReadingError]) -> list[Side | ReadingError]:
    """h^T g of two lists is a matrix beside a matrix, and a number beside a number."""
    sizes = {_size(side.value) for side in sides if isinstance(side, Side) and side.other is None}
    return [
        replace(side, value=side.other, other=None)
        if isinstance(side, Side) and side.other is not None and _size(side.other) in sizes
        else side
        for side in sides
    ]


def _size(value: Any) -> Any:
    return value.shape if isinstance(value, Node) else (1, 1)
