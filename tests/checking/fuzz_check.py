"""A fuzzer by its own command: `python tests/checking/fuzz_check.py --seconds 600 --seed 1`.

Documents by a grammar, valid and damaged; mutations of the labelled documents and of pages of `output/`; noise. Of each:
no exception, a verdict of the closed set for each relation, a report that its schema allows, places inside the file, in
time, the same when asked again and under another PYTHONHASHSEED; and changes that may not change a verdict.
"""

import argparse
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import time
import traceback
from importlib.resources import files as resources
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent / "rendering")]

import mpmath as mp  # noqa: E402
from json_schema import misfits  # noqa: E402

from symtransformer.checking.checks import check  # noqa: E402
from symtransformer.checking.equations import VERDICTS  # noqa: E402
from symtransformer.documents.placed import LINE_END  # noqa: E402
from symtransformer.rendering.check_report import render_report  # noqa: E402

SCHEMA = json.loads((resources("symtransformer.rendering.check_report") / "schema.json").read_text(encoding="utf-8"))
SECONDS_OF_ONE = 12.0  # of the processor: a document may hold several relations, each with a limit of its own
SUFFIXES = ("txt", "md", "tex", "html", "json", "ipynb")
ATOMS = ["x", "y", "q", "K", "Q", "V", "A", "z_1", "q_2", "a_{12}", "d_k", "W_Q", "漆器", "e", "π", "0", "1", "2", "0.5", "1/3", "66.7%", "-0.3", "√2", "−∞", "∞", "[1, 2]", "[[1, 0], [0, 1]]", "nan", r"\infty", r"\frac{1}{2}", r"\sqrt{2}", r"\begin{bmatrix}1 & 2\\3 & 4\end{bmatrix}", "1e400", "0.66..."]  # fmt: skip
OPERATORS = [" + ", " - ", "*", "/", "^", " @ ", " · ", " × ", " ", "⊙", r" \cdot ", r" \odot ", ", "]
FUNCTIONS = ["softmax", "LayerNorm", "exp", "log", "√", "GELU", "ReLU", "sum", "mean", "var", "sin", "tanh", r"\operatorname{softmax}", r"\exp", "RMSNorm", "ln", "sigmoid", "max"]  # fmt: skip
SIGNS = [" = ", " ≈ ", "=", " ≒ ", r" \approx ", " := ", " &= "]
NOISE = "$\\{}[]()=≈&|%#`'\"_^*+-−/.,:;<>0123456789abcxyzQKV \n\t。、はで\u202e\u200b\x00\ufeffé∂Σδ₁²"


# -- documents ------------------------------------------------------------------------------------------------------
def expression(rng, depth=3):
    kind = rng.random()
    if depth == 0 or kind < 0.35:
        return rng.choice(ATOMS)
    if kind < 0.7:
        return expression(rng, depth - 1) + rng.choice(OPERATORS) + expression(rng, depth - 1)
    if kind < 0.85:
        return f"{rng.choice(FUNCTIONS)}({expression(rng, depth - 1)})"
    if kind < 0.93:
        return f"({expression(rng, depth - 1)})"
    return f"{expression(rng, depth - 1)}^T"


def relation(rng):
    sides = [expression(rng) for _ in range(rng.choice([2, 2, 2, 3, 4]))]
    return "".join(side + rng.choice(SIGNS) for side in sides[:-1]) + sides[-1]


def document(rng):
    suffix = rng.choice(SUFFIXES)
    lines = [relation(rng) for _ in range(rng.randint(1, 6))]
    lines.insert(0, rng.choice(["x = 3", "q = [1, 2]", "K = [[1, 0], [0.5, 1]]", "F = A B", "d_k = 4"]))
    if suffix in ("md", "tex"):
        lines = [rng.choice(["${}$", "$${}$$", "so ${}$ and", r"\[{}\]"]).replace("{}", line) for line in lines]
    text = "\n".join(lines)
    if suffix == "html":
        text = "".join("<p>" + rng.choice(["${}$", "{}", r"\({}\)"]).replace("{}", line) + "</p>" for line in lines)
    if suffix == "json":
        text = json.dumps({f"k{i}": line for i, line in enumerate(lines)}, ensure_ascii=rng.random() < 0.5)
    if suffix == "ipynb":
        cells = [{"cell_type": "markdown", "source": [f"${line}$"]} for line in lines]
        text = json.dumps({"nbformat": 4, "cells": cells})
    return text.encode("utf-8", "surrogatepass"), f"a.{suffix}"


def seeds():
    paths = [p for p in (HERE / "documents").iterdir() if p.is_file() and p.suffix != ".labels"]
    paths += sorted(p for p in (ROOT / "output").rglob("*") if p.suffix in (".md", ".tex", ".html", ".ipynb"))[::7]
    return sorted(paths)


def window(rng, content):
    """A part of a long text, so that many are tried."""
    lines = content.splitlines(keepends=True)
    if len(lines) <= 25:
        return content
    at = rng.randrange(len(lines) - 20)
    return b"".join(lines[at : at + rng.randint(5, 20)])


def mutated(rng, content):
    text = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 5, 20])):
        at = rng.randrange(len(text) + 1)
        kind = rng.randrange(6)
        if kind == 0:
            text[at:at] = rng.choice(NOISE).encode("utf-8")
        elif kind == 1:
            del text[at : at + rng.randint(1, 8)]
        elif kind == 2 and at < len(text):
            text[at] = rng.randrange(256)
        elif kind == 3:
            text[at:at] = text[at : at + rng.randint(1, 40)] * rng.randint(1, 4)
        elif kind == 4:
            text[at:at] = expression(rng).encode("utf-8")
        else:
            other = rng.randrange(len(text) + 1)
            text[at:at] = text[other : other + rng.randint(1, 60)]
    return bytes(text)


def case(rng, known):
    kind = rng.random()
    if kind < 0.4:
        content, name = document(rng)
        return (mutated(rng, content) if rng.random() < 0.3 else content), name
    if kind < 0.9:
        path = rng.choice(known)
        content = path.read_bytes()
        if path.suffix in (".json", ".ipynb", ".html"):
            content = content if len(content) < 4_000 else content[:4_000]
        else:
            content = window(rng, content)
        return mutated(rng, content), path.name
    length = rng.choice([0, 1, 30, 300, 2_000])
    if rng.random() < 0.5:
        return bytes(rng.randrange(256) for _ in range(length)), f"a.{rng.choice(SUFFIXES)}"
    return "".join(rng.choice(NOISE) for _ in range(length)).encode(
        "utf-8", "surrogatepass"
    ), f"a.{rng.choice(SUFFIXES)}"


# -- what must hold --------------------------------------------------------------------------------------------------
def shown(report):
    return render_report(report, "json", "en", everything=True)


def faults(content, name):
    """All that does not hold of a document."""
    begun = time.process_time()
    report = check(content, name=name)
    spent = time.process_time() - begun
    found = [f"took {spent:.1f} s"] if spent > SECONDS_OF_ONE else []
    text = shown(report)
    found += misfits(json.loads(text), SCHEMA)
    for form in ("terminal", "lines", "markdown"):
        if re.search(
            r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]",
            render_report(report, form, "ja", everything=True),
        ):
            found.append(f"a control character in {form}")
    source = report.files[0].source
    lines = LINE_END.split(source)
    for equation in report.equations:
        if equation.verdict not in VERDICTS:
            found.append(f"no verdict: {equation.verdict}")
        if not (1 <= equation.line <= len(lines) and 1 <= equation.column <= len(lines[equation.line - 1]) + 1):
            found.append(f"no place: {equation.line}:{equation.column}")
    if spent < 1.0 and not _same(text, shown(check(content, name=name))):
        found.append("another report when asked again")
    return found, text


def _same(one, other):
    """Slips are looked for within a time, so that what took long may end otherwise."""
    return one == other or any("slips_open" in x for x in (one, other))


# -- changes that may not change a verdict ---------------------------------------------------------------------------
def number_text(value, places):
    return (
        mp.nstr(mp.nint(value * 10**places) / mp.mpf(10) ** places, 30, strip_zeros=False)
        if places > 0
        else str(int(mp.nint(value)))
    )


def rounded(value, places):
    scaled = int(mp.floor(value * mp.mpf(10) ** places + mp.mpf(1) / 2))
    sign, digits = ("-" if scaled < 0 else ""), str(abs(scaled)).rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def vector(values, places):
    return "[" + ", ".join(rounded(v, places) for v in values) + "]"


def softmax(row):
    e = [mp.exp(x) for x in row]
    return [x / mp.fsum(e) for x in e]


def said(text):
    return [(e.verdict, e.from_start) for e in check(text, name="a.txt").equations]


def properties(rng):
    """A calculation, changed so that its truth stays: what is said of it has to stay."""
    n = rng.randint(2, 4)
    row = [mp.mpf(rng.randint(-30, 30)) / 10 for _ in range(n)]
    places = rng.randint(2, 8)
    weights = softmax(row)
    name = rng.choice(["z", "Score", "s_1", "漆器", "u"])
    given = "[" + ", ".join(mp.nstr(x, 5) for x in row) + "]"
    right = f"{name} = {given}\np = softmax({name}) ≈ {vector(weights, places)}\n"
    off = [w + mp.mpf(rng.choice([7, -7, 40])) / 10**places if k == 0 else w for k, w in enumerate(weights)]
    wrong = f"{name} = {given}\np = softmax({name}) ≈ {vector(off, places)}\n"
    found = []

    def expect(what, text, verdict):
        got = [v for v, _ in said(text)]
        if got[-1:] != [verdict]:
            found.append(f"{what}: {got} for {text!r}")

    expect("right digits", right, "right")
    expect("wrong digits", wrong, "wrong")
    expect("more right digits", right.replace(vector(weights, places), vector(weights, places + 5)), "right")
    expect("a blank line", "\n\n" + right.replace("\n", "\n\n"), "right")
    other = rng.choice(["t", "Logits", "v_2", "点数"])
    expect("another name", right.replace(name, other), "right")
    expect("another name, wrong", wrong.replace(name, other), "wrong")
    moved = mp.mpf(rng.randint(-50, 50)) / 10
    shifted = "[" + ", ".join(mp.nstr(x + moved, 6) for x in row) + "]"
    expect("a shifted row", right.replace(given, shifted), "right")
    expect("a shifted row, wrong", wrong.replace(given, shifted), "wrong")
    order = rng.sample(range(n), n)
    d = rng.randint(1, 3)
    q = [rng.randint(-3, 3) for _ in range(d)]
    keys = [[rng.randint(-2, 3) for _ in range(d)] for _ in range(n)]
    values = [[rng.randint(-4, 4) for _ in range(2)] for _ in range(n)]
    share = softmax([mp.fsum(a * b for a, b in zip(q, key, strict=True)) / mp.sqrt(d) for key in keys])
    output = [mp.fsum(s * v[j] for s, v in zip(share, values, strict=True)) for j in range(2)]
    for rows in (range(n), order):
        head = f"q = [{q}]\nK = {[keys[k] for k in rows]}\nV = {[values[k] for k in rows]}\n"
        expect("permuted keys", f"{head}softmax(q K^T / √{d}) V ≈ {vector(output, places)}\n", "right")
        off = [output[0], output[1] + mp.mpf(9) / 10**places]
        expect("permuted keys, wrong", f"{head}softmax(q K^T / √{d}) V ≈ {vector(off, places)}\n", "wrong")
    value, power = mp.mpf(rng.randint(1, 999)) / rng.randint(1, 99), rng.randint(1, 6)
    above, below = rng.randint(1, 999), rng.choice([3, 7, 11, 13])
    value = mp.mpf(above) / below
    for unit, verdict in ((0, None), (2, None), (30, "wrong")):
        verdicts = {
            said(f"{above}*{10**j}/{below} ≈ {rounded((value + mp.mpf(unit) / 10**6) * 10**j, 6 - j)}")[-1][0]
            for j in (0, min(power, 5))
        }
        if len(verdicts) > 1 or (verdict and verdicts != {verdict}):
            found.append(f"scaled: {verdicts} for {above}/{below} and {unit} units")
    return found


# -- the run --------------------------------------------------------------------------------------------------------
def digest(kept):
    return [hashlib.sha256(shown(check(content, name=name)).encode()).hexdigest() for content, name in kept]


def under_another_seed(kept, folder):
    """Digests of the reports in a process with another PYTHONHASHSEED."""
    path = folder / "kept.json"
    path.write_text(json.dumps([[content.hex(), name] for content, name in kept]), encoding="utf-8")
    found = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, __file__, "--digests", str(path)]
        ran = subprocess.run(command, capture_output=True, check=True, env=environment)
        found.append(json.loads(ran.stdout))
    return [kept[k] for k, (one, other) in enumerate(zip(*found, strict=True)) if one != other]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--findings", type=Path, default=None, help="a folder that documents with findings are written to"
    )
    parser.add_argument("--digests", type=Path, default=None, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.digests:
        kept = [(bytes.fromhex(content), name) for content, name in json.loads(given.digests.read_text())]
        print(json.dumps(digest(kept)))
        return 0
    import tempfile

    rng, known = random.Random(given.seed), seeds()
    end, tried, asked, equations, kept, findings = time.monotonic() + given.seconds, 0, 0, 0, [], 0
    while time.monotonic() < end:
        content, name, found = b"", "", []
        try:
            if tried % 8 == 7:
                asked += 1
                found = properties(rng)
            else:
                content, name = case(rng, known)
                begun = time.monotonic()
                found, text = faults(content, name)
                equations += text.count('"verdict"')
                if len(kept) < 40 and time.monotonic() - begun < 0.5 and tried % 3 == 0 and "slips_open" not in text:
                    kept.append((content, name))
        except Exception:
            found = [traceback.format_exc()]
        tried += 1
        if found:
            findings += 1
            print(f"-- {name} (case {tried} of seed {given.seed})", *found, repr(content[:1500]), sep="\n", flush=True)
            if given.findings:
                given.findings.mkdir(parents=True, exist_ok=True)
                (given.findings / f"{given.seed}-{tried}-{name or 'property.txt'}").write_bytes(content)
    with tempfile.TemporaryDirectory() as folder:
        for content, name in under_another_seed(kept, Path(folder)):
            findings += 1
            print(f"-- {name}: another report under another PYTHONHASHSEED", repr(content[:1500]), sep="\n", flush=True)
    print(f"{tried} cases, {asked} of them properties, some {equations} verdicts: {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
