"""Index formulas of an HTML page, once KaTeX has set them: the numbers that a person would compute from what is shown."""

import mpmath
import pytest
from katex_pages import ANNOTATION, NODE, read_in, set_by_katex
from reading_back import plain
from test_index_reading_back import BY_HAND, FREE, LATEX, SIZES, Formulas, read_back, value, written

# what MathML has as one character, as the reader of index formulas knows it
COMMANDS = {
    "∑": r"\sum ", "δ": r"\delta ", "×": r"\times ", "−": "-", "⌊": r"\lfloor ", "⌋": r"\rfloor ", "|": "|",
    "≤": r"\leq ", "⋅": r"\cdot ",
}  # fmt: skip


def as_commands(text):
    for sign, command in COMMANDS.items():
        text = text.replace(sign, command)
    return text.replace(r"\sum _", r"\sum_")


def number_of(formula):
    """Nothing where it has none, or one that is complex."""
    try:
        expected = value(formula, {**SIZES, **FREE})
    except (ZeroDivisionError, OverflowError, TypeError, KeyError):
        return None
    return expected if isinstance(expected, mpmath.mpf) and abs(expected) < 1e12 else None


def checked(formulas):
    """How many were read, of those that have a number."""
    wanted = [(f, number) for f in formulas if (number := number_of(f)) is not None]
    texts = [written(formula, LATEX) for formula, _ in wanted]
    read = 0
    for (_, number), text, element in zip(wanted, texts, set_by_katex(texts), strict=True):
        assert read_in(element) == text
        shown = read_in(ANNOTATION.sub("", element))
        if "|" in shown:
            continue  # which bar opens and which closes is not shown
        found = read_back(plain(as_commands(shown)))
        assert abs(found - number) <= 1e-9 * max(1, abs(number)), (text, shown, found, number)
        read += 1
    return read


@pytest.mark.skipif(NODE is None, reason="node is not installed: KaTeX cannot be run")
def test_index_formulas_that_are_set():
    formulas = [formula for formula, _ in BY_HAND] + [Formulas(seed).formula() for seed in range(16)]
    assert checked(formulas) > 0.8 * len(formulas)
