"""Documents as people write them, with values worked out by NumPy, and mistakes in every other of the marked places.

Each file in with_errors/ begins with NumPy for its numbers, up to ====, and then has the document. In it «value|format» is a
number, and ⟦right‖wrong⟧ a marked place with what is right and what is not; without ‖ another digit is put in. A ? before
either says that it is not decided, or not read, whether it is right: nobody is told the contrary.
"""

import html
import json
import math
import random
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from symtransformer.checking.checks import check
from symtransformer.checking.equations import ACCEPTED

FILES = {path.name.removesuffix(".txt"): path for path in sorted((Path(__file__).parent / "with_errors").glob("*.txt"))}
PLACE = re.compile("⟦(.*?)⟧", re.DOTALL)
NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
WRONG = {"wrong", "last_place", "refuted", "shapes", "follows"}
RIGHT = set(ACCEPTED)


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def layer_norm(x, ddof=0):
    return (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True, ddof=ddof)


def sigmoid(x):
    return 1 / (1 + np.exp(-np.asarray(x, float)))


def gelu(x):
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


NUMPY = {
    "np": np, "math": math, "A": lambda *rows: np.array(rows, float), "softmax": softmax, "ln": layer_norm, "sig": sigmoid, "gelu": gelu,
    "silu": lambda x: x * sigmoid(x), "gelut": lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "rms": lambda x: x / np.sqrt((x**2).mean()), "relu": lambda x: np.maximum(0, x), "exp": np.exp, "log": np.log, "sqrt": np.sqrt,
    "cos": np.cos, "sin": np.sin, "tanh": np.tanh, "sum": np.sum,
}  # fmt: skip


def shown(value, how):
    """0.731, [0.731, 0.269], or with pm, bm or pl before the format the same in LaTeX or round brackets."""
    style, _, digits = how.rpartition(":")
    value = np.asarray(value, float)
    texts = np.vectorize(lambda x: format(x, digits) if float(format(x, digits)) else format(0.0, digits))(value)
    if value.ndim == 0:
        return str(texts)
    if style in ("pm", "bm"):
        rows = r" \\ ".join(" & ".join(row) for row in np.atleast_2d(texts))
        return rf"\begin{{{style}atrix}} {rows} \end{{{style}atrix}}"
    if value.ndim == 2:
        return "[" + ", ".join("[" + ", ".join(row) + "]" for row in texts) + "]"
    return f"({', '.join(texts)})" if style == "pl" else f"[{', '.join(texts)}]"


def with_another_digit(text, rng):
    """One digit is at least two off, and none that stands before the point of a number alone."""
    found = rng.choice([*NUMBER.finditer(text)])
    digits = [i for i, c in enumerate(found[0]) if c.isdigit() and not (i == 0 and found[0].startswith("0."))]
    at = rng.choice(digits)
    digit = (int(found[0][at]) + rng.randint(2, 7)) % 10
    if digit == 0 and at == 0 and len(found[0]) > 1:
        digit = 5 if found[0][0] != "5" else 9
    at += found.start()
    return f"{text[:at]}{digit}{text[at + 1 :]}"


@cache
def template(name):
    numpy, _, body = FILES[name].read_text(encoding="utf-8").partition("====\n")
    values = dict(NUMPY)
    exec(numpy, values)
    return re.sub("«(.*?)[|]([^|»]*)»", lambda m: shown(eval(m[1], values), m[2]), body, flags=re.DOTALL)


def written(name, version):
    """The document, and its places: (what is put in, whether it is wrong, whether it is decided, line)."""
    rng, text, places, done = random.Random(name), "", [], 0
    body = template(name)
    for number, found in enumerate(PLACE.finditer(body)):
        right, _, other = found[1].partition("‖")
        wrong = other if other not in ("", "?") else other + with_another_digit(right.removeprefix("?"), rng)
        is_wrong = version > 0 and number % 2 == version - 1
        chosen = wrong if is_wrong else right
        text += body[done : found.start()]
        places.append((chosen.removeprefix("?"), is_wrong, not chosen.startswith("?"), text.count("\n") + 1))
        text, done = text + chosen.removeprefix("?"), found.end()
    text += body[done:]
    return notebook(text) if name.endswith(".ipynb") else text, places


def notebook(text):
    cells = []
    for part in text.split("\n%%%\n"):
        source, _, printed = part.removeprefix("#code\n").partition("\n#out\n")
        kind = "code" if part.startswith("#code\n") else "markdown"
        cell = {"cell_type": kind, "metadata": {}, "source": source}
        if kind == "code":
            cell |= {"execution_count": 1, "outputs": [{"output_type": "stream", "name": "stdout", "text": printed}]}
        cells.append(cell)
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def plain(text):
    return (
        re.sub(r"[\s$]|\\[,;!]", "", html.unescape(text)).replace("−", "-").replace(r"\approx", "≈").replace(r"\%", "%")
    )


def verdicts_at(report, place, name):
    """The verdicts of the equations in which the text of a place stands, in its lines."""
    text, _, _, line = place
    lines = range(line - 4, line + text.count("\n") + 5)
    near = [e for e in report.equations if name.endswith(".ipynb") or e.line in lines]
    return {e.verdict for e in near if plain(text) in plain(e.text)}


@pytest.mark.parametrize("version", [0, 1, 2])
@pytest.mark.parametrize("name", FILES)
def test_mistakes_are_found_and_nothing_else_is_accused(name, version):
    text, places = written(name, version)
    report = check(text, name=name)
    accused = [e for e in report.equations if e.verdict in WRONG]
    if version == 0:
        assert accused == []
    for place in places:
        found = verdicts_at(report, place, name)
        _, is_wrong, is_decided, _ = place
        assert found, (place, "silent")
        if is_wrong and is_decided:
            assert found & WRONG, (place, found)
        elif is_wrong:
            assert found - RIGHT, (place, found)
        elif is_decided and version == 0:
            assert found & RIGHT, (place, found)
    assert len(accused) >= sum(is_wrong and is_decided for _, is_wrong, is_decided, _ in places)
