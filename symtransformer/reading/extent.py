"""How large a calculation may become, checked on sizes before anything is worked out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symtransformer.errors import LimitExceeded
from symtransformer.node import Node, postorder
from symtransformer.operation import REGISTRY, unfolded
from symtransformer.reading.limits import POWERS_OF_E
from symtransformer.reading.result import Reading
from symtransformer.symbols import MATRIX_ENTRIES_AT_MOST


def check_extent(reading: Reading, sizes: Mapping[Any, Any]) -> None:
    """Raise `LimitExceeded` for results of too many entries, and for powers of e too deep inside each other."""
    depths: dict[Node, int] = {}
    deep = tuple(
        REGISTRY[name] for name in ("Exponential", "Softmax", "LogSumExp", "GELUTanh", "Tanh") if name in REGISTRY
    )
    for name, line in reading.lines:
        for node in postorder(unfolded(line)):
            if not isinstance(node, Node):
                continue
            rows, columns = (size.xreplace(dict(sizes)) for size in node.shape)
            if rows.is_Integer and columns.is_Integer and rows * columns > MATRIX_ENTRIES_AT_MOST:
                where = f"{name}: " if name else ""
                message = f"{where}a matrix of {rows} x {columns} has more than {MATRIX_ENTRIES_AT_MOST} entries"
                raise LimitExceeded(message)
            inner = max((depths.get(a, 0) for a in node.args if isinstance(a, Node)), default=0)
            depths[node] = inner + isinstance(node, deep)
            if depths[node] > POWERS_OF_E:
                raise LimitExceeded(f"more than {POWERS_OF_E} softmax or other powers of e inside each other")
