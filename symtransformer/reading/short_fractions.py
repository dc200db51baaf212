r"""Fractions as TeX takes them: \frac12, \frac1{n} and \frac{a}2 with each of their arguments in braces."""

from __future__ import annotations

import re

FRACTION = re.compile(r"\\[dtc]?frac(?![A-Za-z])")
FRACTIONS = 100  # more are left as they are
ARGUMENT = re.compile(r"\s*(?:\{|(?P<one>[A-Za-z0-9]))")


def with_braces(text: str) -> str:
    r"""Fractions as TeX takes them, each of their arguments in braces.

    >>> with_braces(r"\\frac12 x + \\frac1{\\frac n2} + \\frac{a}2")
    '\\\\frac{1}{2} x + \\\\frac{1}{\\\\frac{n}{2}} + \\\\frac{a}{2}'
    """
    for found in reversed([*FRACTION.finditer(text)][:FRACTIONS]):  # so that those inside of one come first
        end = found.end()
        arguments: list[str] = []
        while len(arguments) < 2 and (one := ARGUMENT.match(text, end)) is not None:
            inner, end = one["one"], one.end()
            if inner is None:
                inner, end = _braced(text, end)
            arguments.append(inner)
        if len(arguments) == 2:
            text = "".join([text[: found.end()], *("{" + argument + "}" for argument in arguments), text[end:]])
    return text


def _braced(text: str, start: int) -> tuple[str, int]:
    """What stands in braces that were opened right before, and where they end."""
    depth, at = 1, start
    while at < len(text) and depth:
        depth += (text[at] == "{") - (text[at] == "}")
        at += 1
    return text[start : at - (not depth)], at
