"""Many documents at a time, in as many processes as there are; one that fails never stops the others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from typing import Any

from symtransformer.checking.equations import FileReport
from symtransformer.checking.fence import BYTES, SECONDS, OutOfSeconds, fenced
from symtransformer.errors import SymtransformerError

Job = Callable[[str], FileReport]
CRASHED = "could not be checked: internal"


def checked_files(names: Sequence[str], job: Job, jobs: int | None = None) -> Iterator[FileReport]:
    """What `job` says of each file, in the order given; `jobs` is the number of processes, as joblib counts it.

    No backend is named, so that `joblib.parallel_config` can choose one.
    """
    if len(names) < 2:
        yield from (guarded(job, name) for name in names)
        return
    done = 0
    try:
        for report in _in_parallel(jobs, job, names):
            yield report
            done += 1
    except BrokenExecutor:  # a process ended, with all that it had: each file that is left gets one of its own
        yield from (_alone(job, name) for name in names[done:])


def guarded(job: Job, name: str, seconds: float = SECONDS) -> FileReport:
    """What the job says of one file, or why it says nothing; it may take so many seconds of the processor."""
    try:
        with fenced(seconds):
            return job(name)
    except OutOfSeconds:
        return FileReport(name, error=f"could not be checked: it took more than {seconds:g} s")
    except MemoryError:
        return FileReport(name, error=f"could not be checked: it took more than {BYTES >> 30} GiB of memory")
    except SymtransformerError as error:
        return FileReport(name, error=str(error))
    except OSError as error:
        return FileReport(name, error=error.strerror or str(error))
    except Exception as error:
        if os.environ.get("SYMTRANSFORMER_TRACEBACK"):
            raise
        return FileReport(name, error=f"{CRASHED} ({type(error).__name__})")


def _in_parallel(jobs: int | None, job: Job, names: Sequence[str]) -> Any:
    from joblib import Parallel, delayed

    asked = {} if jobs is None else {"n_jobs": jobs}  # None would be 1 for older versions
    try:
        parallel = Parallel(**asked, return_as="generator")
    except ValueError:  # the chosen backend hands over all at the end
        parallel = Parallel(**asked)
    return parallel(delayed(guarded)(job, name) for name in names)


def _alone(job: Job, name: str) -> FileReport:
    try:
        (report,) = _in_parallel(2, job, [name])
    except BrokenExecutor:
        return FileReport(name, error=f"{CRASHED} (the process ended)")
    return report
