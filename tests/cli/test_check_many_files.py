"""Many files at a time: in the order given, whatever fails, on whichever backend somebody chooses."""

import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from itertools import repeat

import joblib
import pytest

from symtransformer.checking import fence
from symtransformer.checking.equations import FileReport
from symtransformer.checking.many_files import checked_files, guarded
from symtransformer.errors import UnreadableInput

NAMES = ["slow", "quick", "crash", "deep", "refused", "gone", "last"]
SAID = {
    "crash": "could not be checked: internal (ZeroDivisionError)",
    "deep": "could not be checked: internal (RecursionError)",
    "refused": "a.md: no such kind",
    "gone": "No such file or directory",
}


def job(name, waiting=0.2):
    """What may happen to a file."""
    if name == "slow":
        time.sleep(waiting)
    if name == "crash":
        1 / 0  # noqa: B018
    if name == "deep":
        raise RecursionError("maximum recursion depth exceeded")
    if name == "refused":
        raise UnreadableInput("a.md: no such kind")
    if name == "gone":
        raise FileNotFoundError(2, "No such file or directory")
    if name == "killed":
        os._exit(9)
    return FileReport(name, source=str(os.getpid()))


@pytest.fixture(autouse=True)
def _no_tracebacks(monkeypatch):
    monkeypatch.delenv("SYMTRANSFORMER_TRACEBACK", raising=False)


def said(reports):
    return [(report.file, report.error) for report in reports]


WANTED = [(name, SAID.get(name, "")) for name in NAMES]


def test_one_after_the_other():
    assert said(checked_files(NAMES, job, 1)) == WANTED
    assert said(checked_files(["quick"], job)) == [("quick", "")]
    assert said(checked_files([], job)) == []


def test_in_several_processes_in_the_order_given():
    reports = list(checked_files(NAMES, job, 2))
    assert said(reports) == WANTED
    assert str(os.getpid()) not in {report.source for report in reports}


@pytest.mark.parametrize("backend", ["threading", "sequential", "multiprocessing"])
@pytest.mark.filterwarnings("ignore:This process")  # that forking while threads run may not end
def test_a_backend_can_be_chosen(backend):
    """Also one that hands over all results at the end."""
    with joblib.parallel_config(backend=backend, n_jobs=2):
        reports = list(checked_files(NAMES, job))
    assert said(reports) == WANTED
    assert (str(os.getpid()) in {report.source for report in reports}) is (backend != "multiprocessing")


@pytest.mark.filterwarnings("ignore:A worker stopped")
def test_a_process_that_ends_takes_no_other_file_with_it():
    names = ["quick", "killed", "last", "crash"]
    assert said(checked_files(names, partial(job, waiting=0), 2)) == [
        ("quick", ""), ("killed", "could not be checked: internal (the process ended)"), ("last", ""), ("crash", SAID["crash"]),
    ]  # fmt: skip


def test_only_the_person_who_asks_for_it_sees_a_traceback(monkeypatch):
    monkeypatch.setenv("SYMTRANSFORMER_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        guarded(job, "crash")
    assert guarded(job, "refused").error == SAID["refused"]


# -- a file that takes too long -----------------------------------------------------------------------------------
def endless(name):
    """In Python, in one call of a C library, in memory, or swallowing what is raised."""
    if name == "python":
        while True:
            pass
    if name == "deaf":
        while True:
            with suppress(Exception):
                while True:
                    pass
    if name == "memory":
        return FileReport(name, source=str(len([bytearray(1 << 28) for _ in range(64)])))
    if name == "library":
        sum(repeat(0))
    return FileReport(name)


def test_a_file_that_takes_too_long_is_told_and_the_next_is_checked():
    names = ["python", "deaf", "memory", "last"]
    reports = [guarded(endless, name, seconds=0.3) for name in names]
    slow = "could not be checked: it took more than 0.3 s"
    assert said(reports) == [
        ("python", slow), ("deaf", slow), ("memory", "could not be checked: it took more than 2 GiB of memory"), ("last", ""),
    ]  # fmt: skip


def test_the_fence_leaves_nothing_behind():
    before = signal.getsignal(signal.SIGVTALRM), resource.getrlimit(resource.RLIMIT_AS)
    guarded(endless, "python", seconds=0.1)
    guarded(endless, "last", seconds=0.1)
    assert (signal.getsignal(signal.SIGVTALRM), resource.getrlimit(resource.RLIMIT_AS)) == before
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_less_memory_is_allowed_inside_of_the_fence_only(monkeypatch):
    monkeypatch.setattr(fence, "BYTES", 1 << 26)
    before = resource.getrlimit(resource.RLIMIT_AS)
    with fence.fenced(5.0):
        inside = resource.getrlimit(resource.RLIMIT_AS)
    assert 0 < inside[0] < (before[0] if before[0] > 0 else 1 << 62)
    assert inside[1] == before[1]
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_the_system_ends_what_hears_no_signal():
    """In a process of its own, which takes nobody with it."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import symtransformer.checking.fence as fence; fence.GRACE = 0.3\n"
        "from test_check_many_files import endless, guarded\nprint(guarded(endless, 'library', seconds=0.2))"
    )
    place = os.path.dirname(__file__)
    ran = subprocess.run([sys.executable, "-c", code, place], capture_output=True, check=False, timeout=60)
    assert ran.returncode == -signal.SIGPROF or b"more than 0.2 s" in ran.stdout
