"""The errors of the library: one small family, so that one `except` catches all of them.

Every message says what was being done, what was expected, what came, and what to do.
"""

from __future__ import annotations

from typing import Any


class SymtransformerError(Exception):
    """Base of every error raised on purpose by this library."""


class NotSupported(SymtransformerError):
    """The request is understood, but the library has no sound answer to it."""


class UndefinedValue(NotSupported):
    """A number does not exist: a division by 0, the weights of a row that a mask hides completely."""


class ShapeError(SymtransformerError, ValueError):
    """The sizes of two matrices do not fit together; `sides` are the two that ought to be equal, if there are such."""

    def __init__(self, message: str, sides: tuple[Any, Any] | None = None) -> None:
        super().__init__(message)
        self.sides = sides


class UnreadableInput(SymtransformerError, ValueError):
    """A value, a name, a file or an option could not be read."""


class Refuted(SymtransformerError):
    """An equation that was claimed is not true."""


class OutOfDate(SymtransformerError):
    """A file is not what would be written today."""


class LimitExceeded(SymtransformerError):
    """The answer would be larger, or need more digits, than the stated limit."""
