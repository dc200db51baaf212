"""Cost of rendering every worked derivation against SymPy's own printers on the same named steps.

    python tests/benchmarks/render.py

Each step of a page is a formula, the same with the numbers of its letters put in, and its result; a
line in index notation is an equation. SymPy's printers get these as MatrixSymbol equations, matrices and formulas with
sums and deltas, once for each language and text format: `latex` for those that hold LaTeX and `str` for plain text. Both
are timed in one run, page by page as `build` goes, values computed before; nothing is asserted.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

from sympy import Eq, Function, ImmutableDenseMatrix, MatrixSymbol, latex

from symtransformer.cli.derivations import known_derivations, load
from symtransformer.errors import SymtransformerError
from symtransformer.evaluation import Evaluation
from symtransformer.judge import verify
from symtransformer.rendering import FORMATS, render
from symtransformer.symbols import Letter

LANGUAGES = ("en", "ja")
TEXTS = tuple(form for form in FORMATS.values() if not form.finish and form.name not in ("terminal",))
PLAIN = frozenset({"txt", "typ"})


def letters_of(node: Any) -> list[Letter]:
    return sorted((x for x in node._mentions if isinstance(x, Letter)), key=str)


def symbol(letter: Any) -> MatrixSymbol:
    return MatrixSymbol(str(letter), *letter.shape)


def equations(derivation: Any, evaluation: Evaluation | None) -> list[list[Any]]:
    """For each step what SymPy prints: the equation in letters, the matrices put in, the result."""
    found = []
    for step in derivation.steps:
        letters = letters_of(step.expression)
        name = type(step.expression).__name__
        parts: list[Any] = [Eq(symbol(step.letter), Function(name)(*map(symbol, letters)), evaluate=False)]
        for letter in [*letters, step.letter] if evaluation is not None else []:  # rounded, as a page shows them
            try:
                value = evaluation[letter.name] if letter.name in names(derivation) else evaluation.given.rows(letter)
            except SymtransformerError:
                continue
            matrix = ImmutableDenseMatrix(value)
            if all(entry.is_number for entry in matrix):
                parts.append(matrix.evalf(5))
        found.append(parts)
    found += [[Eq(line.left, line.right, evaluate=False)] for section in derivation.sections for line in section.lines]
    return found


def names(derivation: Any) -> set[str]:
    return {step.name for step in derivation.steps}


def main() -> None:
    every = {name: verify(load(name)[1]) for name in known_derivations()}
    for verified in every.values():  # values are computed and kept
        render(verified, "txt")
    steps = {
        name: equations(verified.derivation, Evaluation(verified.derivation) if verified.derivation.values else None)
        for name, verified in every.items()
    }
    for _ in range(2):  # the first warms caches
        ours, theirs = Counter[str](), Counter[str]()
        for name, verified in every.items():
            for language in LANGUAGES:
                for form in TEXTS:
                    start = time.perf_counter()
                    render(verified, form.name, language)
                    middle = time.perf_counter()
                    for parts in steps[name]:
                        for part in parts:
                            (str if form.name in PLAIN else latex)(part)
                    ours[form.name] += middle - start
                    theirs[form.name] += time.perf_counter() - middle
    print(f"{len(every)} derivations, {sum(map(len, steps.values()))} steps and lines, {len(LANGUAGES)} languages")
    ours["all"], theirs["all"] = sum(ours.values()), sum(theirs.values())
    for name, seconds in ours.items():
        print(f"{name:12} rendered {seconds:6.2f} s   SymPy {theirs[name]:6.2f} s   ratio {seconds / theirs[name]:.2f}")


if __name__ == "__main__":
    main()
