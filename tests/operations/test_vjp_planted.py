"""Errors planted into every gradient: the exact check and the differences refuse each of them."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest
from test_every_operation import WITHOUT_MATRICES
from vjp_cases import BLOCKS, Subject, all_subjects, elsewhere, squares, subjects
from vjp_checks import Refused, differences_of, slopes_of
from vjp_mutations import planted

from symtransformer import evaluate
from symtransformer.errors import NotSupported, ShapeError
from symtransformer.node import Node
from symtransformer.operation import REGISTRY
from symtransformer.symbols import Letter

POINTS = 4
NAMES = [name for name in all_subjects() if name not in WITHOUT_MATRICES]


def refuses(check: Any, *claim: Any) -> bool:
    try:
        check(*claim)
    except (Refused, NotSupported):  # the latter where it has no value at all, as with the root of a negative number
        return True
    return False


def refusals(subject: Subject, letter: Letter, head: tuple[int, ...], wrong: Node) -> tuple[bool, bool]:
    """Whether the exact check and the differences refuse it, at one of a few points.

    At one alone it may be right: a mask left out where every unit is active, say.
    """
    for number in range(POINTS):
        at = elsewhere(subject, number) if number else subject
        if refuses(differences_of(at).check, letter, head, wrong):
            return refuses(slopes_of(at).check, letter, head, wrong, subject.is_large), True
    return refuses(slopes_of(subject).check, letter, head, wrong), False


def is_the_same_function(subject: Subject, right: Node, wrong: Node) -> bool:
    """Whether two gradients agree in doubles at other points: then what was planted is no error."""
    for number in range(POINTS, POINTS + 3):
        values, families = elsewhere(subject, number).values, {x.name for x in subject.letters if x.head is not None}
        arrays: dict[str, Any] = {name: np.array(rows, dtype=object).astype(float) for name, rows in values.items()}
        arrays |= {name: list(arrays[name]) for name in families}
        one, other = (evaluate(g, _used(arrays, g), backend="numpy") for g in (right, wrong))
        if not np.allclose(one, other, rtol=1e-9, atol=1e-9 * np.max(np.abs(one)) + 1e-12):
            return False
    return True


def _used(arrays: dict[str, Any], gradient: Node) -> dict[str, Any]:
    used = {x.name for x in gradient._free if isinstance(x, Letter)}
    return {name: a for name, a in arrays.items() if name in used}


def refuse_all(subject: Subject, most: int) -> Counter[str]:
    """Plant errors by every letter, at most so many of a kind."""
    counted: Counter[str] = Counter()
    for route, gradients in subject.gradients.items():
        for letter in subject.letters:
            head, right = gradients[letter.name][-1]
            harmful = 0
            for kind, wrong in planted(subject, letter, head, right, route, most):
                try:
                    exact, numeric = refusals(subject, letter, head, wrong)
                except (ShapeError, IndexError):
                    counted["not tried"] += 1  # an index that does not exist
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
    "language model, tied", "two encoder layers, norm after and before",
}  # fmt: skip
QUICK = [name for name in NAMES if name not in LARGE]


@cache
def planted_in(name: str, most: int) -> Counter[str]:
    return sum((refuse_all(subject, most) for subject in (*subjects(name), *squares(name))), Counter())


def require_all(names: list[str], most: int, least: int) -> None:
    """Of all that was planted nothing is left out, and little is no error."""
    counted = sum((planted_in(name, most) for name in names), Counter())
    errors = {kind: k for kind, k in counted.items() if not kind.startswith(("letters", "no error", "not tried"))}
    print(f"{sum(errors.values())} planted, all refused by both checks: {errors}")
    print(dict(counted))
    assert sum(errors.values()) > least
    assert counted["letters with an error"] == counted["letters"]
    assert counted["no error: the same function"] < sum(errors.values()) / 10
    assert counted["not tried"] == 0


@pytest.mark.parametrize("name", QUICK)
def test_planted_errors_are_refused(name):
    counted = planted_in(name, 1)
    assert counted["letters with an error"] == counted["letters"] > 0


def test_errors_were_planted_everywhere():
    assert len(NAMES) == len(REGISTRY) - len(WITHOUT_MATRICES) + len(BLOCKS)
    require_all(QUICK, 1, 2000)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_many_planted_errors_are_refused(name):
    counted = planted_in(name, 2)
    assert counted["letters with an error"] == counted["letters"] > 0


@pytest.mark.slow
def test_many_errors_were_planted_everywhere():
    require_all(NAMES, 2, 8000)
