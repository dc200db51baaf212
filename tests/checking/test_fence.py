"""The fence around one file: time and memory that the system keeps, and what is left as it was behind it."""

import resource
import signal
import threading

import pytest

from symtransformer.checking import fence
from symtransformer.checking.fence import BYTES, GRACE, OutOfSeconds, fenced

TIMERS = signal.ITIMER_VIRTUAL, signal.ITIMER_PROF


def left_of(timers=TIMERS):
    return [signal.getitimer(timer)[0] for timer in timers]


def test_the_timers_run_inside_and_not_behind_it():
    handler, limits = signal.getsignal(signal.SIGVTALRM), resource.getrlimit(resource.RLIMIT_AS)
    with fenced(7.0):
        assert signal.getsignal(signal.SIGVTALRM) is not handler
        seconds, again = signal.getitimer(signal.ITIMER_VIRTUAL)
        assert 5 < seconds <= 7.1
        assert again == 1.0
        assert 5 + GRACE < signal.getitimer(signal.ITIMER_PROF)[0] <= 7.2 + GRACE
    assert left_of() == [0.0, 0.0]
    assert signal.getsignal(signal.SIGVTALRM) is handler
    assert resource.getrlimit(resource.RLIMIT_AS) == limits


def test_it_ends_what_takes_too_long():
    with pytest.raises(OutOfSeconds), fenced(0.05):
        sum(1 for _ in iter(int, 1))  # without end, in steps between which signals are heard
    assert left_of() == [0.0, 0.0]
    assert not issubclass(OutOfSeconds, Exception)


def test_what_is_raised_inside_goes_on_and_all_is_as_before():
    limits = resource.getrlimit(resource.RLIMIT_AS)
    with pytest.raises(KeyError), fenced():
        raise KeyError
    assert left_of() == [0.0, 0.0]
    assert resource.getrlimit(resource.RLIMIT_AS) == limits


def test_so_much_memory_more_than_now():
    with open("/proc/self/statm", encoding="ascii") as stream:
        used = int(stream.read().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    with fenced():
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if before[0] != resource.RLIM_INFINITY and before[0] <= used + BYTES:
        assert soft == before[0]
    else:
        assert used <= soft - BYTES < used + (256 << 20)
    assert hard == before[1]


@pytest.mark.parametrize(("limit", "is_kept"), [(0, True), (1 << 46, False)])
def test_a_narrower_limit_of_before_is_kept(monkeypatch, limit, is_kept):
    limit = limit or 1 << 20
    set_to = []
    monkeypatch.setattr(resource, "getrlimit", lambda which: (limit, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", lambda which, limits: set_to.append(limits))
    assert fence._limit_memory() == (limit, resource.RLIM_INFINITY)
    assert (set_to == []) is is_kept
    fence._set_limits((limit, limit))
    assert set_to[-1] == (limit, limit)
    count = len(set_to)
    fence._set_limits(None)
    assert len(set_to) == count


def test_there_is_none_in_another_thread_or_without_timers(monkeypatch):
    found = []

    def work():
        with fenced(7.0):
            found.append(left_of())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    monkeypatch.delattr(signal, "setitimer")
    work()
    assert found == [[0.0, 0.0]] * 2
