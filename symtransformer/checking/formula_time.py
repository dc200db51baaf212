"""The time that one formula may take; asked between stages, each of which is limited by itself."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

SECONDS = 3.0
_END: ContextVar[float] = ContextVar("formula_end", default=float("inf"))


class OutOfTime(Exception):
    """The time is over; no `SymtransformerError`, so that nobody takes it for a reason of the formula."""


@contextmanager
def limited_time(seconds: float = SECONDS) -> Iterator[None]:
    token = _END.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _END.reset(token)


def check_time() -> None:
    """Raise where the time is over."""
    if time.monotonic() > _END.get():
        raise OutOfTime
