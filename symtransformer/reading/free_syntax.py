r"""What a formula of letters without a meaning says: which signs stand where, as a tree, and nothing of what it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

# kinds of a part; what stands in `text` beside
NUMBER, NAME, WORD, FUNCTION, BIG = "number", "name", "word", "function", "big"
SUM, PRODUCT, SCRIPTED, BRACKETS, FRACTION, ROOT, ROWS, ITEMS, DOTS, SLOT, DECORATED = (
    "sum", "product", "scripted", "brackets", "fraction", "root", "rows", "items", "dots", "slot", "decorated",
)  # fmt: skip


@dataclass(frozen=True)
class Free:
    """One part: its kind, the signs that make it what it is (an operator, a bracket, a letter), and what is inside."""

    kind: str
    text: str = ""
    parts: tuple[Free, ...] = ()

    def __iter__(self) -> Iterator[Free]:
        """The part and all inside it, from left to right."""
        yield self
        for part in self.parts:
            yield from part


def letter_of(part: Free) -> str:
    r"""The letter that an index, an exponent, a prime, an accent or brackets dress; empty if it is no letter.

    >>> letter_of(Free(SCRIPTED, "_", (Free(NAME, "W"), Free(NAME, "i"))))
    'W'
    """
    while part.kind in (SCRIPTED, DECORATED):
        part = part.parts[0]
    return part.text if part.kind in (NAME, WORD) else ""


def head_of(part: Free) -> tuple[str, ...]:
    r"""The names that a left side gives a formula, as they are written: x_i, or F of F(x, y); none if it is no such side.

    >>> head_of(Free(PRODUCT, "", (Free(NAME, "L"), Free(BRACKETS, "()", (Free(NAME, "N"),)))))
    ('L',)
    """
    if letter_of(part):
        return (spelled(part),)
    if part.kind == ITEMS:
        found = [head_of(item) for item in part.parts]
        return tuple(name for names in found for name in names) if all(found) and set(part.text) == {","} else ()
    if part.kind == PRODUCT and not part.text.strip() and len(part.parts) == 2:
        name, given = part.parts
        is_given = given.kind == BRACKETS and given.text in ("()", "[]") and all(map(_is_argument, given.parts))
        return (spelled(name),) if letter_of(name) and is_given else ()
    return ()


def _is_argument(part: Free) -> bool:
    """A letter, or several with , ; | between them: no number and nothing computed."""
    if part.kind == ITEMS:
        return all(map(_is_argument, part.parts))
    return bool(letter_of(part))


def spelled(part: Free) -> str:
    """A short text that is the same for the same signs.

    >>> spelled(Free(SCRIPTED, "_", (Free(NAME, "W"), Free(NAME, "i"))))
    'W_{i}'
    """
    inner = [spelled(p) for p in part.parts]
    if part.kind == SCRIPTED:
        return inner[0] + "".join(f"{sign}{{{low}}}" for sign, low in zip(part.text, inner[1:], strict=False))
    if not inner:
        return part.text
    if part.kind == BRACKETS:
        return part.text[:1] + ",".join(inner) + part.text[1:]
    return f"{part.text}({','.join(inner)})"
