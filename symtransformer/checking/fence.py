"""A second fence around one file: time of the processor and memory, kept by the system where Python cannot."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

SECONDS, GRACE = 60.0, 15.0
BYTES = 2 << 30


class OutOfSeconds(BaseException):
    """The time is over; no `Exception`, so that nobody takes it for a failure of a calculation and goes on."""


@contextmanager
def fenced(seconds: float = SECONDS) -> Iterator[None]:
    """Raises `OutOfSeconds` after so many seconds of the processor, and `MemoryError` beyond 2 GiB.

    A calculation inside one call of a C library hears no signal: after some seconds more the system ends its process,
    as SIGPROF does where nothing handles it. Where there are no such timers, or off the main thread, there is no fence.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def over(number: int, frame: Any) -> None:
        raise OutOfSeconds

    before = signal.signal(signal.SIGVTALRM, over)
    limits = _limit_memory()
    signal.setitimer(signal.ITIMER_PROF, seconds + GRACE)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGVTALRM, before)
        _set_limits(limits)


def _limit_memory() -> Any:
    """Allow so much more than is in use now; the limits of before, None where the system has none."""
    try:
        import resource
        from pathlib import Path

        used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        limits = resource.getrlimit(resource.RLIMIT_AS)
        bound = used + BYTES
        if limits[0] == resource.RLIM_INFINITY or limits[0] > bound:
            resource.setrlimit(resource.RLIMIT_AS, (bound, limits[1]))
        return limits
    except (ImportError, OSError, ValueError):
        return None


def _set_limits(limits: Any) -> None:
    if limits is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, limits)
