"""The drawings of how things follow from one another, laid out for SVG: from top to bottom, so that a telephone is wide enough.

Boxes with what stands in them, lines with an arrowhead each; how all of it looks is said by templates and style sheets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from symtransformer.rendering.document import Flow, FlowNode, FlowPart, PartsFlow
from symtransformer.rendering.parts_flow import lanes_of
from symtransformer.rendering.svg_letters import Line, Run, letter_line, listed
from symtransformer.rendering.text import wrapped
from symtransformer.symbols import Letter

LETTER, ASIDE, WORDS = 17, 13, 14  # sizes of what stands in a box
EDGE, ROUND, HEAD = 4, 4, 7  # a margin around all, the corners of lines, the length of an arrowhead
APART, BETWEEN = 20, 34  # steps beside each other, and layers
LEAST_WIDE, HIGH, LOWER = 34, 30, 17  # a box of a step, and how much higher it is with what it alone uses
WIDE, GAP, LINE = 270, 16, 20  # a box of a part, what lies between two, and a line in it
PAD, PORT, LANE = 7, 5, 10  # in a box above and below, between arrows at a box, and between lanes
COLUMN = 0.53  # of a size: how wide a column of words is, as text counts them

Latex = Callable[[Letter], str]


@dataclass(frozen=True)
class Box:
    """A rectangle around its middle; `words` and `letters` stand in it, `small` ones are what is given to it alone."""

    kind: str  # step, given
    x: float
    y: float
    width: float
    height: float
    words: tuple[tuple[str, float, float], ...]  # text, and where its middle stands
    letters: tuple[Run, ...]
    small: tuple[Run, ...]


@dataclass(frozen=True)
class Drawing:
    """Boxes, and lines as SVG writes them."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    lines: tuple[str, ...]
    heads: tuple[str, ...]
    cuts: tuple[float, ...] = ()  # heights between boxes, where a page may end

    def slices(self, first: float, most: float) -> list[tuple[float, float]]:
        """Top and height of what pages hold, the first one so much and each other one `most`; all of it where that fits.

        >>> Drawing(1, 100, (), (), (), (20, 50, 70)).slices(30, 60)
        [(0, 20), (20, 50), (70, 30)]
        """
        if self.height <= most or not self.cuts:
            return [(0, self.height)]
        found: list[tuple[float, float]] = []
        top, room = 0.0, first
        for cut, following in pairwise((*self.cuts, self.height)):
            if following - top > room:
                found.append((_n(top), _n(cut - top)))
                top, room = cut, most
        return [*found, (_n(top), _n(self.height - top))]


def graph(flow: Flow, latex: Latex) -> Drawing:
    """The steps in layers, arrows from what is used to what uses it."""
    lines = [(letter_line(latex(node.letter), LETTER), _aside(node, latex)) for node in flow.nodes]
    widths = [max(LEAST_WIDE, *(line.width + 16 for line in own if line)) for own in lines]
    pitch = max(widths) + APART
    high = HIGH + (LOWER if any(node.aside for node in flow.nodes) else 0)
    down = high + BETWEEN
    places = [(node.x, node.y) for node in flow.nodes] + [place for edge in flow.edges for place in edge.through]
    top = max(y for _, y in places)
    across = (top - min(y for _, y in places)) * pitch + max(widths)

    def at(x: float, y: float) -> tuple[float, float]:
        return EDGE + max(widths) / 2 + (top - y) * pitch, EDGE + high / 2 + x * down

    boxes = [
        _step(node, *at(node.x, node.y), width, own) for node, width, own in zip(flow.nodes, widths, lines, strict=True)
    ]
    paths, heads = [], []
    for edge in flow.edges:
        start, end = boxes[edge.start], boxes[edge.end]
        points = [(start.x, start.y + start.height / 2), *(at(*place) for place in edge.through)]
        tip = (end.x, end.y - end.height / 2)
        paths.append(_curve([*points, (tip[0], tip[1] - HEAD + 1)]))
        heads.append(f"M{_n(tip[0])} {_n(tip[1])}l-3.5 -{HEAD}h7z")
    height = max(x for x, _ in places) * down + high
    return Drawing(
        _n(across + 2 * EDGE), _n(height + 2 * EDGE), tuple(boxes), tuple(paths), tuple(dict.fromkeys(heads))
    )


def _aside(node: FlowNode, latex: Latex) -> Line | None:
    return listed(map(latex, node.aside), ASIDE, 1000)[0] if node.aside else None


def _step(node: FlowNode, x: float, y: float, width: float, lines: tuple[Line, Line | None]) -> Box:
    line, aside = lines
    height = HIGH + LOWER if aside else HIGH
    base = y + 6 - (LOWER / 2 if aside else 0)
    small = aside.moved(x - aside.width / 2, base + LOWER) if aside else ()
    kind = "step" if node.is_step else "given"
    return Box(kind, x, y, _n(width), height, (), line.moved(x - line.width / 2, base), small)


def _curve(points: list[tuple[float, float]]) -> str:
    """Through all points, at each of them straight down."""
    text = f"M{_n(points[0][0])} {_n(points[0][1])}"
    for (x, y), (u, v) in pairwise(points):
        middle = _n((y + v) / 2)
        text += f"V{_n(v)}" if x == u else f"C{_n(x)} {middle} {_n(u)} {middle} {_n(u)} {_n(v)}"
    return text


def column(flow: PartsFlow, latex: Latex, titles: Sequence[str]) -> Drawing:
    """The parts below each other; what is used later than by the next one goes down in a lane on the right."""
    lanes = lanes_of(flow)
    boxes: list[Box] = []
    y = float(EDGE)
    for part, title in zip(flow.parts, titles, strict=True):
        box = _part(y, part, latex, title, len(_arriving(flow, lanes, len(boxes))))
        boxes.append(box)
        y += box.height + GAP
    paths, heads = [], []
    for link in flow.links:
        start, end = boxes[link.start], boxes[link.end]
        if link.end == link.start + 1:
            tip = end.y - end.height / 2
            paths.append(f"M{_n(start.x)} {_n(start.y + start.height / 2)}V{_n(tip - HEAD + 1)}")
            heads.append(f"M{_n(start.x)} {_n(tip)}l-3.5 -{HEAD}h7z")
            continue
        sources = _arriving(flow, lanes, link.end)
        right = EDGE + WIDE
        lane = right + (lanes[link.start] + 1) * LANE + HEAD
        first = start.y + (PORT if start.height > 4 * PORT else 0)
        last = end.y - PORT * ((len(sources) - 1) / 2 - sources.index(link.start)) - PORT / 2
        paths.append(
            f"M{right} {_n(first)}H{lane - ROUND}q{ROUND} 0 {ROUND} {ROUND}V{_n(last - ROUND)}q0 {ROUND} -{ROUND} {ROUND}H{right + HEAD - 1}"
        )
        heads.append(f"M{right} {_n(last)}l{HEAD} -3.5v7z")
    taken = (max(lanes.values()) + 1) * LANE + HEAD if lanes else 0
    cuts = tuple(_n(box.y + box.height / 2 + GAP / 2) for box in boxes[:-1])
    size = WIDE + taken + 2 * EDGE, _n(y - GAP + EDGE)
    return Drawing(*size, tuple(boxes), tuple(paths), tuple(dict.fromkeys(heads)), cuts)


def _arriving(flow: PartsFlow, lanes: dict[int, int], end: int) -> list[int]:
    """What comes to a part by a lane: the nearer lane comes in above, so that no two arrows meet."""
    return sorted((x.start for x in flow.links if x.end == end > x.start + 1), key=lambda start: lanes[start])


def _part(top: float, part: FlowPart, latex: Latex, words: str, arriving: int) -> Box:
    room = WIDE - 2 * PAD
    said = balanced(words, int(room / (COLUMN * WORDS))) if words else []
    results = listed(map(latex, part.results), LETTER - 2, room)
    given = listed(map(latex, part.given), ASIDE, room)
    heights = LINE * len(said) + (LINE + 1) * len(results) + LINE * len(given)
    height = max(2 * PAD + heights, PORT * (arriving + 1))
    x, y = EDGE + WIDE / 2, top + (height - heights) / 2
    titles = [(text, x, _n(y + LINE * (k + 0.72))) for k, text in enumerate(said)]
    y += LINE * len(said)
    letters = _centered(results, x, y, LINE + 1)
    y += (LINE + 1) * len(results)
    return Box(
        "given" if part.title is None else "step", x, _n(top + height / 2), WIDE, _n(height), tuple(titles), letters,
        _centered(given, x, y, LINE),
    )  # fmt: skip


def balanced(words: str, width: int) -> list[str]:
    """As few lines as fit, alike in length; Japanese ends them behind a phrase, if that takes no more lines.

    >>> balanced("Add: the input of the layer comes back", 36)
    ['Add: the input of', 'the layer comes back']
    >>> balanced("新しい重みで、もう一度順方向に計算する", 36)
    ['新しい重みで、もう一度順方向に', '計算する']
    """
    count = len(wrapped(words, width).split("\n"))
    widths = range(width // 3, width + 1)
    found = [lines for narrower in widths if len(lines := wrapped(words, narrower).split("\n")) == count]
    return next((lines for lines in found if all(map(_is_between_phrases, lines, lines[1:]))), found[0])


def _is_between_phrases(line: str, following: str) -> bool:
    """At a space of English, but not within Add & Norm; behind a mark or a particle of Japanese."""
    end, start = line[-1], following[0]
    if "&" in (end, start):
        return False
    return (end + start).isascii() or end in "、：・」）" or (_is_hiragana(end) and not _is_hiragana(start))


def _is_hiragana(sign: str) -> bool:
    return "ぁ" <= sign <= "ん"


def _centered(lines: Iterable[Line], x: float, y: float, apart: float) -> tuple[Run, ...]:
    return tuple(run for k, line in enumerate(lines) for run in line.moved(x - line.width / 2, y + apart * (k + 0.72)))


def _n(value: float) -> float | int:
    """A number without a point that says nothing."""
    shown = round(value, 1)
    return int(shown) if shown == int(shown) else shown
