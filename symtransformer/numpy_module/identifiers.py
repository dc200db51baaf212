"""Names of letters, steps and sizes as names in Python, each its own."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Hashable, Iterable

RESERVED = frozenset(
    {*dir(builtins), *keyword.kwlist, *keyword.softkwlist, "np", "math", "sys", "forward", "gradient", "shapes"}
)


class Identifiers:
    """An identifier for each thing with a name: enc1_W_Q for enc1.W_Q, lambda_ for lambda.

    >>> names = Identifiers(["softmax"])
    >>> [names.of(name, name) for name in ("Q", "enc1.W_Q", "lambda", "softmax", "enc1_W_Q")]
    ['Q', 'enc1_W_Q', 'lambda_', 'softmax_', 'enc1_W_Q_']
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.taken = set(RESERVED) | set(taken)
        self.names: dict[Hashable, str] = {}

    def of(self, thing: Hashable, name: str) -> str:
        """The identifier of a thing that people call by this name."""
        if thing not in self.names:
            free = name.replace(".", "_")
            while free in self.taken:
                free += "_"
            assert free.isidentifier()
            assert free.isascii()
            self.taken.add(free)
            self.names[thing] = free
        return self.names[thing]
