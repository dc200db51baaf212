"""The time that one formula may take, where it is limited; asked between stages and before each trial."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

SECONDS = 1.8
STEPS_A_SECOND = 15_000
_END: ContextVar[float] = ContextVar("formula_end", default=float("inf"))


class OutOfTime(Exception):
    """The time is over; no `SymtransformerError`, so that nobody takes it for a reason of the formula."""


@contextmanager
def limited_time(seconds: float = SECONDS) -> Iterator[None]:
    token = _END.set(time.thread_time() + seconds)
    try:
        yield
    finally:
        _END.reset(token)


def steps_left(most: int) -> int:
    """How many steps a normal form may take, of so many at most."""
    seconds = _END.get() - time.thread_time()
    return most if seconds == float("inf") else max(0, min(most, int(seconds * STEPS_A_SECOND)))


def check_time() -> None:
    """Raise where the time is over."""
    if time.thread_time() > _END.get():
        raise OutOfTime
