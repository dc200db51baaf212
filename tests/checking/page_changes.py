"""Changes of one digit, sign, index, transpose, operator or name, at every place of a page where that can be."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import Any

from plain_pages import Tree
from plain_truth import DEFINITION, Judged
from plain_values import Unknown, leaves

KINDS = ("last digit by one", "last digit", "digit", "sign", "index", "transpose", "operator", "name")


@dataclass(frozen=True)
class Change:
    """`new` in place of source[start:end], in one side of one chain."""

    kind: str
    chain: int
    side: int
    start: int
    end: int
    new: str


def changes_of(page: Judged, language: str, draw: random.Random) -> list[Change]:
    """One change of every kind for every place where the page's equations are known to be true."""
    found: list[Change] = []
    spelled = spellings(page)
    for c, chain in enumerate(page.chains):
        for s, side in enumerate(chain.sides):
            around = page.truths[c][max(s - 1, 0) : s + 1]
            if side.tree is None or not any(t is True or t == DEFINITION for t in around):
                continue
            if any(t is not True and t != DEFINITION for t in around):
                continue
            made = [(kind, *change) for kind, change in number_changes(page, side.tree, draw)]
            made += [(kind, *change) for kind, change in sign_changes(side.tree)]
            if s or not page.defines[c]:
                made += [("index", *x) for x in index_changes(page, side.tree, draw)]
            if s:  # another name on the left is another definition
                made += [("name", *x) for x in name_changes(page, c, side.tree, spelled, draw)]
            if s:
                made += [("transpose", *x) for x in transpose_changes(page, side.tree, language)]
                made += [("operator", *x) for x in operator_changes(page, side.tree, draw)]
            found += [Change(kind, c, s, *change) for kind, *change in made]
    return found


def number_changes(page: Judged, tree: Tree, draw: random.Random) -> list[tuple[str, tuple[int, int, str]]]:
    found = []
    for _, text, (start, end) in leaves(tree, "number"):
        if page.source[start:end] != text:
            continue
        last = int(text[-1])
        near = [d for d in (last - 1, last + 1) if 0 <= d <= 9]
        far = [d for d in range(10) if abs(d - last) > 1]
        found.append(("last digit by one", (end - 1, end, str(draw.choice(near)))))
        found.append(("last digit", (end - 1, end, str(draw.choice(far)))))
        others = [i for i in range(len(text) - 1) if text[i] != "."]
        if others:
            i = draw.choice(others)
            least = 1 if i == 0 and text[1:2] != "." else 0
            new = draw.choice([d for d in range(least, 10) if d != int(text[i])])
            found.append(("digit", (start + i, start + i + 1, str(new))))
    return found


def sign_changes(tree: Tree) -> list[tuple[str, tuple[int, int, str]]]:
    """Of a number that stands alone, in a matrix or as a whole side."""
    cells = [cell for matrix in leaves(tree, "matrix") for row in matrix[1] for cell in row]
    found = []
    for cell in [tree, *cells]:
        if cell[0] == "number" and float(cell[1]) != 0:
            found.append(("sign", (cell[2][0], cell[2][0], "-")))
        if cell[0] == "-" and len(cell) == 3 and cell[1][0] == "number" and float(cell[1][1]) != 0:
            found.append(("sign", (*cell[2], "")))
    return found


def index_changes(page: Judged, tree: Tree, draw: random.Random) -> list[tuple[int, int, str]]:
    found = []
    for _, _name, (start, end) in leaves(tree, "name"):
        digits = [m.start() for m in re.finditer(r"(?<=[_{(\d])\d", page.source[start:end])]
        if digits:
            i = start + draw.choice(digits)
            found.append((i, i + 1, draw.choice([d for d in "123" if d != page.source[i]])))
        two = re.search(r"(\d)(\d)\}?$", page.source[start:end])
        if two and two.group(1) != two.group(2):
            found.append((start + two.start(), start + two.start() + 2, two.group(2) + two.group(1)))
    return found


def spellings(page: Judged) -> dict[tuple[int, int], dict[str, str]]:
    """Names of the page by their shape, as they are written."""
    found: dict[tuple[int, int], dict[str, str]] = {}
    for chain in page.chains:
        for side in chain.sides:
            for _, name, (start, end) in leaves(side.tree, "name"):
                if name in page.shapes:
                    found.setdefault(page.shapes[name], {})[name] = page.source[start:end]
    return found


def name_changes(page: Judged, c: int, tree: Tree, spelled: Any, draw: random.Random) -> list[tuple[int, int, str]]:
    found = []
    for _, name, (start, end) in leaves(tree, "name"):
        same_size = spelled.get(page.shapes.get(name), {})
        others = [text for other, text in same_size.items() if other != name and other in page.before[c]]
        if others:
            found.append((start, end, draw.choice(sorted(others))))
    return found


def transpose_changes(page: Judged, tree: Tree, language: str) -> list[tuple[int, int, str]]:
    mark = "^T" if language == "txt" else r"^{\mathsf T}"
    found = [(start, end, "") for _, _, (start, end) in leaves(tree, "T")]
    taken = {id(part[1]) for part in leaves(tree, "T")}
    for part in [*leaves(tree, "name"), *leaves(tree, "matrix")]:
        if id(part) in taken or (part[0] == "name" and language != "txt" and "^" in page.source[slice(*part[2])]):
            continue
        try:
            shape = page.values.value(part, {}).shape
        except (Unknown, KeyError):
            continue
        if shape != (1, 1):
            found.append((part[2][1], part[2][1], mark))
    return found


def operator_changes(page: Judged, tree: Tree, draw: random.Random) -> list[tuple[int, int, str]]:
    found = []
    for sign, others in {"+": "-", "-": "+", "×": "+", "⊙": "+⊘", "⊘": "⊙", "/": "+ ", "*": "+", "·": "+"}.items():
        for part in leaves(tree, sign):
            if len(part) != 4 or (part[3][0] == part[3][1] and sign != "·"):
                continue
            start, end = part[3]
            new = draw.choice(others)
            if sign == "·" and part[2][0] == "name" and "^" in part[2][1]:
                continue  # braces stand around such a name in LaTeX
            if sign == "·" and page.source[:start].endswith("{"):
                continue
            if new == " " and part[2][0] != "call" and part[2][0] != "name":
                new = "×"  # two numbers side by side are no product
            found.append((start, end, f" {new} " if sign == "·" else new))
    return found


def with_changes(source: str, changes: list[Change], language: str) -> str:
    for change in sorted(changes, key=lambda x: -x.start):
        new = change.new
        if language != "txt":
            new = {"×": r"\times ", "⊙": r"\odot ", "⊘": r"\oslash "}.get(new, new)
        source = source[: change.start] + new + source[change.end :]
    return source
