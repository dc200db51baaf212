"""What is allowed for one relation is time of the processor: other work on the machine changes no verdict."""

import itertools
import time

from symtransformer import check

TEXT = "x = [1, 2]\nU = exp(x)\nsoftmax(x) = U / (exp(1) + exp(2)) = [0.2689, 0.7311]\n√2 + √3 ≤ 3.2\nexp(1) = 2.718\n"


def verdicts():
    return [e.verdict for e in check(TEXT).equations]


def test_a_clock_that_runs_on_changes_no_verdict(monkeypatch):
    clock = itertools.count(0, 100)
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    assert verdicts() == ["definition", "definition", "right", "right", "right", "right"]


def test_time_of_the_processor_that_runs_out_is_told(monkeypatch):
    spent = itertools.count(0, 100)
    monkeypatch.setattr(time, "thread_time", lambda: next(spent))
    found = check(TEXT).equations
    assert [e.verdict for e in found] == ["definition", "definition", *["undecidable"] * 4]
    assert {e.code for e in found[2:]} == {"deadline"}
