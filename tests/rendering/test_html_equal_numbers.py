"""What the script of a page proves to be equal, run by node: rewritings, and never what is only near."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

RUNNER = Path(__file__).with_name("equal_numbers.mjs")
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed: no JavaScript can be run")


def counts(seed, rounds, *planted):
    ran = subprocess.run(
        [NODE, RUNNER, str(seed), str(rounds), *planted], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_near_numbers_are_never_equal_and_rewritings_mostly_are():
    """Balls of 256 bits do not tell them apart where they come through exponentials and roots; those of 1024 bits do."""
    found = counts(1, 200)
    assert found["near"] > 40
    assert found["nearCalledEqual"] == 0
    assert found["proved"] > 0.9 * found["rewritten"] > 50


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("written(e)};", "0};"),  # powers of e with other exponents are one
        (
            "c = before ? N.sumOfTerms(before.c, own.c) : own.c",
            "c = before ? [] : own.c",
        ),  # terms cancel whatever they are
        ("overlap(a, b) && added", "overlap(a, b) || added"),  # near is equal
    ],
    ids=["exponents", "factors", "balls"],
)
def test_planted_errors_are_found(old, new):
    assert counts(1, 200, old, new)["nearCalledEqual"] > 0
