"""Errors planted into every gradient: the exact check and the differences refuse each of them."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest
from test_every_operation import WITHOUT_MATRICES
from vjp_cases import BLOCKS, Subject, all_subjects, squares, subjects, with_other_values
from vjp_checks import Refused, UndecidedError, differences_of, slopes_of
from vjp_mutations import planted

from symtransformer import evaluate
from symtransformer.errors import NotSupported, ShapeError
from symtransformer.node import Node
from symtransformer.operation import REGISTRY
from symtransformer.symbols import Letter

NAMES = [name for name in all_subjects() if name not in WITHOUT_MATRICES]


def refuses(check: Any, letter: Letter, head: tuple[int, ...], wrong: Node) -> bool:
    try:
        check(letter, head, wrong)
    except (Refused, NotSupported):  # the latter where it has no value at all, as with the root of a negative number
        return True
    return False


def refusals(subject: Subject, letter: Letter, head: tuple[int, ...], wrong: Node) -> tuple[bool, bool]:
    checks = slopes_of(subject).check, differences_of(subject).check
    exact, numeric = (refuses(check, letter, head, wrong) for check in checks)
    return exact, numeric


def is_the_same_function(subject: Subject, right: Node, wrong: Node) -> bool:
    """Whether two gradients agree in doubles at other points: then what was planted is no error."""
    rng = np.random.default_rng(9)
    families = {x.name for x in subject.letters if x.head is not None}
    for _ in range(2):
        arrays = {}
        for name, rows in sorted(subject.values.items()):
            array = np.array(rows, dtype=object).astype(float)
            array = array * rng.uniform(0.5, 1.5, array.shape)
            arrays[name] = list(array) if name in families else array
        one, other = (evaluate(g, _used(arrays, g), backend="numpy") for g in (right, wrong))
        if not np.allclose(one, other, rtol=1e-9, atol=1e-9 * np.max(np.abs(one)) + 1e-15):
            return False
    return True


def _used(arrays: dict[str, Any], gradient: Node) -> dict[str, Any]:
    used = {x.name for x in gradient._free if isinstance(x, Letter)}
    return {name: a for name, a in arrays.items() if name in used}


def refuse_all(subject: Subject, most: int, sample: int = 0) -> Counter[str]:
    """Plant errors by every letter, at most so many of a kind; of a large subject a sample of all of them."""
    counted: Counter[str] = Counter()
    for route, gradients in subject.gradients.items():
        for letter in subject.letters:
            head, right = gradients[letter.name][-1]
            errors = list(planted(subject, letter, head, right, route, most, 3 * sample))
            harmful = 0
            for kind, wrong in errors:
                if sample and harmful == sample:
                    break
                try:
                    exact, numeric = refusals(subject, letter, head, wrong)
                    if not (exact and numeric):
                        others = [refusals(s, letter, head, wrong) for s in with_other_values(subject)]
                        exact, numeric = exact or any(e for e, _ in others), numeric or any(d for _, d in others)
                except (ShapeError, IndexError, UndecidedError):
                    counted["not tried"] += 1  # an index that does not exist; a root that is none in the field
                    continue
                if not (exact and numeric):
                    what = f"{subject.name}: {route} by {letter.name}: {kind}: {str(wrong)[:200]}"
                    assert exact == numeric, f"refused by one check only: {what}"
                    assert is_the_same_function(subject, right, wrong), f"not refused: {what}"
                    counted["no error: the same function"] += 1
                    continue
                counted[kind] += 1
                harmful += 1
            counted["letters"] += 1
            counted["letters with an error"] += harmful > 0
    return counted


# Many letters, or many heads: seconds each.
LARGE = {
    "DecoderLayer", "EncoderLayer", "GroupedQueryAttention", "MultiHeadAttention", "encoder and decoder",
    "heads over another sequence", "language model, tied", "two encoder layers, norm after and before",
}  # fmt: skip


@cache
def planted_in(name: str) -> Counter[str]:
    return sum((refuse_all(subject, 1) for subject in (*subjects(name), *squares(name))), Counter())


@pytest.mark.parametrize("name", [n for n in NAMES if n not in LARGE])
def test_planted_errors_are_refused(name):
    counted = planted_in(name)
    assert counted["letters with an error"] == counted["letters"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_many_planted_errors_are_refused(name):
    for subject in (*subjects(name), *squares(name)):
        counted = refuse_all(subject, 2, 1 if name in LARGE else 0)
        assert counted["letters with an error"] == counted["letters"] > 0


def test_errors_were_planted_everywhere():
    assert len(NAMES) == len(REGISTRY) - len(WITHOUT_MATRICES) + len(BLOCKS)
    counted = sum((planted_in(name) for name in NAMES if name not in LARGE), Counter())
    errors = {kind: k for kind, k in counted.items() if not kind.startswith(("letters", "no error", "not tried"))}
    print(f"{sum(errors.values())} planted, all refused by both checks: {errors}")
    print(dict(counted))
    assert sum(errors.values()) > 2000
    assert counted["letters with an error"] == counted["letters"]
    assert counted["no error: the same function"] < sum(errors.values()) / 20
    assert counted["not tried"] == 0
