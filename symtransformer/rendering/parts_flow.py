"""How the parts of a long page follow from one another: a box for each section, or each step, and what goes from one to the next."""

from __future__ import annotations

from collections.abc import Sequence

from symtransformer.derivation import Derivation, Section
from symtransformer.notation import Words
from symtransformer.rendering.document import FlowLink, FlowPart, PartsFlow
from symtransformer.symbols import Letter

LEAST, MOST = 4, 20  # boxes; more stand on no page
SHARED_AT_MOST = 3  # inputs with a box of their own; of more, each stands beside what uses it
RESULTS_AT_MOST = 5  # names in a box


def parts_of(derivation: Derivation, sections: Sequence[Section]) -> PartsFlow | None:
    """None where the sections are claims, not parts of a calculation, or where the drawing would help nobody."""
    if not derivation.values and not any("." in step.name for step in derivation.steps):
        return None
    boxes = _boxes(derivation, sections)
    if not LEAST <= len(boxes) <= MOST:
        return None
    home = {name: k for k, (_, names) in enumerate(boxes) for name in names}
    used = [_used(derivation, names, home) for _, names in boxes]
    if any(home.get(letter.name, k) > k for k, letters in enumerate(used) for letter in letters):
        return None
    links = {(home[x.name], k) for k, letters in enumerate(used) for x in letters if home.get(x.name, k) != k}
    joined = sorted({k for link in links for k in link})
    if len(joined) < LEAST:
        return None
    return _drawn(derivation, boxes, used, home, joined)


def _boxes(derivation: Derivation, sections: Sequence[Section]) -> list[tuple[Words, tuple[str, ...]]]:
    """The sections with the steps that they show first; the steps themselves where there are few sections."""
    seen: set[str] = set()
    boxes = []
    for section in sections:
        if names := tuple(name for name in section.steps if name not in seen):
            seen.update(names)
            boxes.append((section.title, names))
    if len(boxes) < LEAST:
        return [(derivation[name].title, (name,)) for _, names in boxes for name in names]
    return boxes


def _used(derivation: Derivation, names: tuple[str, ...], home: dict[str, int]) -> list[Letter]:
    """What the steps of a box are made from: inputs and steps of other boxes, also by way of steps that no box has."""
    found: dict[Letter, None] = {}
    inputs = {letter.name for letter in derivation.inputs}
    waiting, seen = list(reversed(names)), set[str]()
    while waiting:
        step = derivation[waiting.pop()]
        for letter in sorted(step.definition._letters, key=str):
            if letter.name in inputs or letter.name in home:
                if letter.name not in names:
                    found[letter] = None
            elif letter.name not in seen:
                seen.add(letter.name)
                waiting.append(letter.name)
    return list(found)


def _drawn(
    derivation: Derivation, boxes: list[tuple[Words, tuple[str, ...]]], used: list[list[Letter]], home: dict[str, int],
    joined: list[int],
) -> PartsFlow:  # fmt: skip
    given = [[x for x in derivation.inputs if x in used[k]] for k in joined]
    shared = [x for x in dict.fromkeys(x for letters in given for x in letters) if sum(x in g for g in given) > 1]
    shared = shared if len(shared) <= SHARED_AT_MOST else []
    first = len(shared)
    place = {k: first + i for i, k in enumerate(joined)}
    asked = {x.name for letters in used for x in letters}
    parts = [FlowPart(None, (letter,), ()) for letter in shared]
    carried: dict[tuple[int, int], list[Letter]] = {}
    for k, letters in zip(joined, given, strict=True):
        title, names = boxes[k]
        results = [n for n in names if n in asked] or list(names[-1:])
        shown = tuple(derivation[name].letter for name in results)
        parts.append(
            FlowPart(
                title, shown if len(shown) <= RESULTS_AT_MOST else (), tuple(x for x in letters if x not in shared)
            )
        )
        for x in used[k]:
            source = shared.index(x) if x in shared else place[home[x.name]] if x.name in home else None
            if source is not None:
                carried.setdefault((source, place[k]), []).append(x)
    links = tuple(FlowLink(a, b, tuple(dict.fromkeys(letters))) for (a, b), letters in sorted(carried.items()))
    return PartsFlow(tuple(parts), links)


def lanes_of(flow: PartsFlow) -> dict[int, int]:
    """For each box that something later than the next one uses, the lane beside the boxes in which that goes down."""
    ends = {link.start: max(x.end for x in flow.links if x.start == link.start) for link in flow.links}
    lanes: dict[int, int] = {}
    for start, end in sorted(ends.items(), key=lambda item: (item[1] - item[0], item)):
        if end == start + 1:
            continue
        # two that touch at a box go beside each other as well
        taken = {lanes[other] for other in lanes if other <= end and ends[other] >= start}
        lanes[start] = next(lane for lane in range(len(flow.parts)) if lane not in taken)
    return lanes
