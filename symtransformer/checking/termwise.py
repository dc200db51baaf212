r"""A formula, and then the same with numbers in it, compared as texts: `u / c ≈ 3.85 / 7.17`, `e^3 + e^2 ≈ 20.086 + 7.389`.

Both sides are taken apart as long as they have the same form: terms, factors, arguments of a function, brackets.
"""

from __future__ import annotations

import re

OPENING, CLOSING = "([{（［｛", ")]}）］｝"
ENDS_A_TERM = frozenset("0123456789)]}）］｝²³'′ᵀ")
FACTOR_SIGNS = re.compile(r"[/÷×·⋅*@⊙]|\\(?:cdot|times|div|odot)(?![A-Za-z])")
SPELLED = {"÷": "/", r"\div": "/", **dict.fromkeys(("×", "⋅", "*", r"\cdot", r"\times"), "·")}
CALL = re.compile(r"(\\?[A-Za-z]+|√)\s*(?=[({])")
PAIRS_AT_MOST = 64


def terms_of(text: str) -> list[str]:
    """The text cut at every + and - outside brackets that stands behind a term; each piece keeps its sign."""
    pieces, depth, start = [], 0, 0
    for at, c in enumerate(text):
        if c in OPENING:
            depth += 1
        elif c in CLOSING:
            depth -= 1
        elif c in "+-−＋" and depth == 0 and _is_between(text[start:at], text[at + 1 :]):
            pieces.append(text[start:at])
            start = at + (c in "+＋")
    return [piece.strip() for piece in (*pieces, text[start:])]


def parts_of(left: str, right: str) -> list[tuple[str, str]] | None:
    """The parts of both texts that stand in the same places and differ; None where the forms differ.

    >>> parts_of("sqrt(v + 0.1)", "sqrt(0.9 + 0.1)")
    [('v', '0.9')]
    >>> parts_of("2 / 3 · 10", "0.667 · 10"), parts_of("6 / 2 / 3", "6 / 0.667")
    ([('2 / 3', '0.667')], None)
    >>> parts_of("a / b", "0.9") is None
    True
    """
    found: list[tuple[str, str]] = []
    return found if _aligned(left, right, found) and found else None


def _aligned(left: str, right: str, found: list[tuple[str, str]], top: bool = True) -> bool:
    left, right = _bare(left), _bare(right)
    if " ".join(left.split()) == " ".join(right.split()):
        return True
    for cut in (terms_of, _factors_of, _arguments_of):
        pieces, others = cut(left), cut(right)
        if len(pieces) == len(others) > 1:
            return all(_aligned(a, b, found, False) for a, b in zip(pieces, others, strict=True))
    between = _between(_factors_of(left), _factors_of(right))
    if between is not None:
        found.append(between)
        return len(found) <= PAIRS_AT_MOST
    found.append((left, right))
    return not top and len(found) <= PAIRS_AT_MOST


def _factors_of(text: str) -> list[str]:
    """Factors and the signs between them; a sign alone is not cut."""
    pieces, start = [], 0
    for sign in FACTOR_SIGNS.finditer(text):
        if _depth(text[start : sign.start()]) == 0 and text[start : sign.start()].strip():
            pieces += [text[start : sign.start()], SPELLED.get(sign.group(), sign.group())]
            start = sign.end()
    return [*pieces, text[start:]]


def _between(pieces: list[str], others: list[str]) -> tuple[str, str] | None:
    """2/3 and 0.667 of 2/3 · 10 and 0.667 · 10: what differs between factors that are the same on both sides.

    Not behind a division: 6 / 2 / 3 is no 6 / 0.667.
    """
    short = min(len(pieces), len(others)) - 1
    same = [a.strip() == b.strip() for a, b in zip(pieces, others, strict=False)]
    first = next((i for i, is_same in enumerate(same) if not is_same), short)
    first = min(first, short) // 2 * 2
    last = 0
    while last < short - first and pieces[-1 - last].strip() == others[-1 - last].strip():
        last += 1
    last = last // 2 * 2
    if first + last == 0 or (first and pieces[first - 1] == "/"):
        return None
    left, right = (" ".join(x.strip() for x in side[first : len(side) - last]) for side in (pieces, others))
    return left, right


def _arguments_of(text: str) -> list[str]:
    r"""The name of a function and its arguments: softmax(x), \frac{a}{b}."""
    call = CALL.match(text.strip())
    if call is None:
        return [text]
    pieces, rest = [call.group(1)], text.strip()[call.end() :]
    while rest[:1] in ("(", "{"):
        end = next((i for i in range(1, len(rest)) if _depth(rest[: i + 1]) == 0), None)
        if end is None:
            return [text]
        pieces += _by_comma(rest[1:end])
        rest = rest[end + 1 :].lstrip()
    return [text] if rest else pieces


def _by_comma(text: str) -> list[str]:
    pieces, start = [], 0
    for at, c in enumerate(text):
        if c == "," and _depth(text[start:at]) == 0:
            pieces.append(text[start:at])
            start = at + 1
    return [*pieces, text[start:]]


def _depth(text: str) -> int:
    return sum((c in OPENING) - (c in CLOSING) for c in text)


def _bare(text: str) -> str:
    """Without brackets around the whole."""
    text = text.strip()
    while text[:1] == "(" and text[-1:] == ")" and all(_depth(text[: i + 1]) > 0 for i in range(len(text) - 1)):
        text = text[1:-1].strip()
    return text


def _is_between(before: str, behind: str) -> bool:
    """Whether a sign adds: a term stands before it, and neither a number in powers of ten nor a superscript."""
    before = before.rstrip()
    if re.search(r"(?<![A-Za-z_])[0-9.]*[0-9][eE]$", before):
        return False
    return bool(before) and (before[-1].isalnum() or before[-1] in ENDS_A_TERM) and bool(behind.strip())
