r"""The parts of a claim's text: lines that define names, and the claim itself.

"dQ = G K where G = dS / sqrt(d_k)", or two lines, or a semicolon: what stands behind `where` defines, and so does
every line but the claim.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from symtransformer.reading.index_marks import Marked
from symtransformer.reading.problems import Span

WHERE = re.compile(
    r",?[ \t]*(?:\\(?:text|mathrm|quad|qquad)?\s*\{?\s*)?(?<![A-Za-z0-9_])(?:where|with)(?![A-Za-z0-9_])\s*\}?"
)
DISPLAY = re.compile(r"\$\$?|\\\[|\\\]|\\\(|\\\)|\\(?:begin|end)\s*\{(?:equation|align|aligned|gather)\*?\}")
LINES_AT_MOST = 20
NUMBERED = re.compile(  # the number of an equation
    r"(?:\\q?quad\s*|[ \t]{3,})\([0-9]{1,3}(?:\.[0-9]{1,3}){0,2}[a-z]?\)[ \t.]*$|\\tag\*?\s*\{[^{}\n]*\}", re.MULTILINE
)
OF_EQUATION = r"\([0-9]{1,3}(?:\.[0-9]{1,3}){0,2}[a-z]?\)"
OUTSIDE = re.compile(  # (3.1) beside a formula between dollars; in front of a formula it is no factor either
    rf"(?:(?<=\$)|(?<=\\\))|(?<=\\\]))[ \t.,;]*{OF_EQUATION}[ \t.]*$|^[ \t]*{OF_EQUATION}(?:[ \t]+(?=\S)|(?=\$|\\\(|\\\[))",
    re.MULTILINE,
)
TAGGED = re.compile(  # what stands behind a formula that `gradient` prints: [proved], [chain rule], [証明済み]
    r"(?<=\S)[ \t]+\[(?![^\n\]]*(?<![A-Za-z])(?!(?:as|at|by|for|in|of|on|over|to|with)[ -])[A-Za-z]+[ -]d?[a-z]\])"  # [softmax s] is none
    r"(?:(?:proved|tested, not proved|refuted|undecidable)(?::[^\n]*)?|(?=[^\n\]]*[A-Za-z]{4})[A-Za-z]+(?:,?[ -](?:[a-z]+|[A-Z]{2,}))+"
    r"|[^\n\[\]=]*[\u3040-\u30ff\u4e00-\u9fff][^\n\[\]]*)\][ \t]*$",
    re.MULTILINE,
)
PERHAPS_NUMBERED = re.compile(  # (3.1) at the end: the number of the equation, or a factor
    r"(?<=[A-Za-z0-9)\]}])[ \t]{1,2}\([0-9]{1,3}(?:\.[0-9]{1,3}){0,2}[a-z]?\)[ \t.]*$", re.MULTILINE
)
ELLIPSIS = re.compile(r"(?<!=1)(?<!= 1)\.\s*\.|…|⋯|\\(?:[lc]?dots[bcmio]?|textellipsis|hdots|mathellipsis)(?![A-Za-z])")
OPEN, CLOSE = "([{⟨", ")]}⟩"


@dataclass(frozen=True)
class Line:
    """One equation: where its two sides stand in the text."""

    left: Span
    right: Span


def without_display(text: str) -> str:
    """Dollar signs and the like around a formula, the number of the equation, and a printed verdict, as blanks."""
    return NUMBERED.sub(_blank, DISPLAY.sub(_blank, OUTSIDE.sub(_blank, TAGGED.sub(_blank, text))))


def without_number(text: str) -> str:
    """The text without what may be the number of an equation at its end."""
    return PERHAPS_NUMBERED.sub(_blank, text)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())


def lines_of(whole: Marked, defines: Callable[[str], bool]) -> tuple[list[Line], Line]:
    """The defining lines and the claim: the last line, or the first where only that has a known name on its left side."""
    text = whole.text
    if dots := ELLIPSIS.search(text):
        message = "dots stand for something that is left out, so that there is nothing to judge; write it out"
        raise whole.refuse(Span(*dots.span()), "ellipsis", message)
    found = WHERE.search(text)
    pieces = _pieces(text, 0, found.start() if found else len(text), ";\n")
    after = _pieces(text, found.end(), len(text), ";\n,") if found else []
    if not pieces:
        raise whole.refuse(Span(0, len(text)), "empty", "there is no claim; write one as dQ = dS K / sqrt(d_k)")
    if len(pieces) + len(after) > LINES_AT_MOST:
        raise whole.refuse(pieces[0], "too_long", f"a claim with more than {LINES_AT_MOST} lines")
    lines = [_line(whole, piece) for piece in (*pieces, *after)]
    own, later = lines[: len(pieces)], lines[len(pieces) :]
    first, last = (defines(text[x.left.start : x.left.end].strip()) for x in (own[0], own[-1]))
    if last and not first:
        return [*later, *own[1:]], own[0]
    return [*later, *own[:-1]], own[-1]


def _pieces(text: str, start: int, end: int, signs: str) -> list[Span]:
    """What stands between separators outside of brackets; a comma separates only where an equation follows."""
    found, depth, begin = [], 0, start
    for k in range(start, end):
        sign = text[k]
        depth += (sign in OPEN) - (sign in CLOSE)
        escaped = k > 0 and text[k - 1] == "\\"
        row_end = text.startswith("\\\\", k) and depth <= 0
        if not (row_end or (sign in signs and depth <= 0 and not escaped)):
            continue
        if sign == "," and "=" not in text[k + 1 : end].partition(",")[0]:
            continue
        found.append(Span(begin, k))
        begin = k + (2 if row_end else 1)
    found.append(Span(begin, end))
    return [span for span in found if text[span.start : span.end].strip(" \t\r\n.,&\\")]


def _line(whole: Marked, piece: Span) -> Line:
    """The two sides of the one = outside of brackets."""
    text, depth, places = whole.text, 0, []
    for k in range(piece.start, piece.end):
        depth += (text[k] in OPEN) - (text[k] in CLOSE)
        if text[k] == "=" and depth <= 0:
            places.append(k)
    if not places:
        raise whole.refuse(piece, "no_equation", "a claim is an equation, as in dQ = dS K / sqrt(d_k)")
    if len(places) > 1:
        raise whole.refuse(
            Span(places[1], places[1] + 1), "two_equations", "two = in one line; claim one equation at a time"
        )
    at = places[0]
    if re.search(r"[<>!≈≃]\Z|(?<!\\)~\Z", text[piece.start : at]) and text[at + 1 : at + 2] != "~":
        message = f"{text[at - 1]}= is no equality; a claim is an equation, as in dQ = dS K / sqrt(d_k)"
        raise whole.refuse(Span(at - 1, at + 1), "no_equation", message)
    left = text[piece.start : at]
    end = piece.start + len(left.rstrip(" &:\t\n"))
    begin = piece.start + len(left) - len(left.lstrip(" &\t\n"))
    right = text[at + 1 : piece.end]
    stop = at + 1 + len(right.rstrip(" .,&\t\n"))
    first = at + 1 + len(right) - len(right.lstrip(" &\t\n"))
    for a, b, side in ((begin, end, "left"), (first, stop, "right")):
        if a >= b:
            raise whole.refuse(Span(at, at + 1), "incomplete", f"there is nothing on the {side} side of the =")
    return Line(Span(begin, end), Span(first, stop))
