"""What stands side by side in a text: `d = 512   h = 8`, and `K = [[1, 0],   V = [[5],` above `[0, 1]]   [10]]`."""

from __future__ import annotations

import re

from symtransformer.documents.placed import LINE_END, Placed, joined, made
from symtransformer.documents.signs import RELATING

HEAD = re.compile(r"(?<![\w.,'\[(])[^\W\d_][\w'′]{0,15}[ \t]*=[ \t]*(?=\[)")
ROW = re.compile(r"\[[^\[\]\r\n]*\]+,?")
BETWEEN = " \t,;"
GAP = re.compile(r"(?<=\S)(?:[ \t]{2,}|\t)(?=\S)")
EDGE = r"[-+−×÷·⋅*/^@⊙⊘=≈≒≡≃≅≔≜＝<>≤≥|]"
EDGE_BEHIND = re.compile(rf"(?:{EDGE}|[(\[{{,:])\Z")
EDGE_BEFORE = re.compile(rf"{EDGE}|[)\]}},]|:=|~=")


def columns(line: Placed) -> list[Placed]:
    """One text for each equation where a wide gap parts two of them; a gap beside an operator parts nothing.

    >>> from symtransformer.documents.placed import made
    >>> [piece.text for piece in columns(made("d = 512   h = 8   d/h = 64", 0))]
    ['d = 512', 'h = 8', 'd/h = 64']
    >>> [piece.text for piece in columns(made("y = 2   + 3   = 5   z", 0))]
    ['y = 2   + 3   = 5   z']
    """
    text, start, cuts = line.text, 0, []
    for gap in GAP.finditer(text) if len(RELATING.findall(text)) > 1 and "\\" not in text else ():
        before, behind = text[start : gap.start()], text[gap.end() :]
        until = GAP.search(behind)
        is_edge = EDGE_BEHIND.search(before) or EDGE_BEFORE.match(behind) or _depth_of(text[: gap.start()]) > 0
        if not is_edge and RELATING.search(before) and _relates(behind, until):
            cuts.append((gap.start(), gap.end()))
            start = gap.end()
    ends = [0, *(place for cut in cuts for place in cut), len(text)]
    return [line.cut(*span) for span in zip(ends[::2], ends[1::2], strict=True)]


def _relates(behind: str, gap: re.Match[str] | None) -> bool:
    """A sign that relates, before the next gap that may part something."""
    while gap is not None and (EDGE_BEFORE.match(behind, gap.end()) or EDGE_BEHIND.search(behind[: gap.start()])):
        gap = GAP.search(behind, gap.end())
    return RELATING.search(behind, 0, gap.start() if gap else len(behind)) is not None


def _depth_of(text: str) -> int:
    return sum((c in "([{（［") - (c in ")]}）］") for c in text)


def parted(lines: Placed) -> list[Placed]:
    """One text for each of the matrices, or the lines as they are where the rows do not share out evenly.

    >>> from symtransformer.documents.placed import Placed
    >>> text = "K = [[1, 0],  V = [[5],\\n     [0, 1]]       [6]]"
    >>> [piece.text for piece in parted(Placed(text, range(len(text))))]
    ['K = [[1, 0], [0, 1]]', 'V = [[5], [6]]']
    """
    first = LINE_END.search(lines.text)
    end = first.start() if first else len(lines.text)
    heads = [match.start() for match in HEAD.finditer(lines.text, 0, end) if _begins(lines.text[: match.start()])]
    if len(heads) < 2 or lines.text[: heads[0]].strip():
        return [lines]
    columns = [[lines.cut(*ends).strip(BETWEEN)] for ends in zip(heads, [*heads[1:], end], strict=True)]
    if any(_depth(column) > 0 for column in columns) and not _share_out(lines, end, columns):
        return [lines]
    return [joined(column) for column in columns] if all(_depth(c) == 0 for c in columns) else [lines]


def _begins(before: str) -> bool:
    """Behind nothing, or behind a row: the K of `q K = [1, 2]` is no head."""
    before = before.rstrip(BETWEEN)
    return not before or before.endswith("]")


def _share_out(lines: Placed, end: int, columns: list[list[Placed]]) -> bool:
    """Gives the pieces of each further line to the matrices that are still open, from left to right."""
    while end < len(lines.text):
        begin = LINE_END.match(lines.text, end)
        start = begin.end() if begin else end
        after = LINE_END.search(lines.text, start)
        end = after.start() if after else len(lines.text)
        rows = list(ROW.finditer(lines.text, start, end))
        waiting = [column for column in columns if _depth(column) > 0]
        if len(rows) != len(waiting) or ROW.sub("", lines.text[start:end]).strip():
            return False
        for column, row in zip(waiting, rows, strict=True):
            comma = "" if column[-1].text.endswith(",") else ","
            column += [made(comma + " ", lines.origins[row.start()]), lines.cut(*row.span()).strip(BETWEEN)]
    return True


def _depth(column: list[Placed]) -> int:
    text = "".join(piece.text for piece in column)
    return text.count("[") - text.count("]")
