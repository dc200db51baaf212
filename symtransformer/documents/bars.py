"""`|x|` and `||x||` before a sign that relates: one operand, and not a bar that operates."""

from __future__ import annotations

from symtransformer.documents.inequalities import comparison
from symtransformer.documents.signs import Sign

BARS = ("|", "‖", "∥")
SIGNS_INSIDE = 16


def with_bars(signs: list[Sign]) -> list[Sign]:
    """The signs, brackets not yet matched, with each such pair as one.

    >>> from symtransformer.documents.signs import unmatched
    >>> [s.text for s in with_bars(unmatched("so ||x|| = 3"))]
    ['so', ' ', '||x||', ' ', '=', ' ', '3']
    """
    if not any(sign.text in BARS for sign in signs):
        return signs
    made: list[Sign] = []
    for sign in signs:
        if sign.kind == "relation" or comparison(sign):
            _close(made)
        made.append(sign)
    return made


def _close(made: list[Sign]) -> None:
    """Joins what stands between bars at the end."""
    last = len(made) - 1
    while last >= 0 and made[last].kind == "space":
        last -= 1
    width = _width(made, last)
    if not width:
        return
    for at in range(last - width, max(last - width - SIGNS_INSIDE, 0) - 1, -1):
        if made[at].kind in ("relation", "other", "stop", "comma", "cjk", "plain"):
            return
        if made[at].text in BARS and at < last - width:
            first = at - width + 1
            if first >= 0 and _width(made, at) == width and _may_open(made, first, at):
                start, end = made[first].start, made[last].end
                text = "".join(sign.text for sign in made[first : last + 1])
                made[first : last + 1] = [Sign("command", text, start, end)]
            return


def _width(made: list[Sign], at: int) -> int:
    """How many bars end here, at most two."""
    width = 0
    while width < 2 and at - width >= 0 and made[at - width].text in BARS:
        width += 1
    return width


def _may_open(made: list[Sign], first: int, last: int) -> bool:
    """Something stands directly behind it, and nothing that it could close before it."""
    if made[last + 1].kind == "space":
        return False
    return first == 0 or made[first - 1].kind not in ("number", "close", "raised")
