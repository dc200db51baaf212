"""Pages that `build` writes, with changes planted in them, checked: what became false is found, what stays true is not.

Whether an equation became false is decided by NumPy (`plain_truth`), never by what is tested.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from output_pages import Page, Place, Verdicts, verdicts_before
from page_changes import KINDS, Change, changes_of, with_changes
from plain_truth import DEFINITION, Judged, valued
from plain_values import Valued, is_shown

from symtransformer.checking.equations import ACCUSING, OPEN

# what becomes of a change; the first two are faults of what is tested
MISSED, FLAGGED = "missed", "right but accused"
NOT_TOLD, UNREAD = "not told", "not read before either"
FOUND, EXCUSED, TRUE, UNCLEAR = "found", "excused by its rounded operands", "stays true", "unclear"
OUTCOMES = (MISSED, FLAGGED, NOT_TOLD, UNREAD, FOUND, EXCUSED, TRUE, UNCLEAR)


@dataclass(frozen=True)
class Outcome:
    """What became of one change, or of a right line elsewhere; `said` are the verdicts there."""

    kind: str
    outcome: str
    page: Page
    place: Place
    said: tuple[str, ...]
    text: str
    planted: str = ""

    def __str__(self) -> str:
        where = f"{self.page.label}:{self.place[0]}:{self.place[1]}"
        return f"{self.outcome} ({self.kind}) {where} {'/'.join(self.said)}: {self.text}{self.planted}"


def plant(page: Page, copies: int, each: int, seed: int) -> list[Outcome]:
    """`copies` of the page with up to `each` changes in different chains that give no name another value."""
    old = page.unchanged()
    draw = random.Random(f"{page.label} {seed}")
    pool = by_kind(changes_of(old, page.language, draw))
    found: list[Outcome] = []
    for _ in range(copies):
        chosen: dict[int, Change] = {}
        for _try in range(4 * each):
            change = draw.choice(pool[draw.choice(sorted(pool))])
            if len(chosen) < each and change.chain not in chosen and stays_there(page, change):
                chosen[change.chain] = change
        found += together(page, list(chosen.values()))
    return found


def together(page: Page, changes: list[Change]) -> list[Outcome]:
    """All in one copy; where something seems to be amiss, each that may be the cause is tried again alone."""
    source = page.unchanged().source
    found = outcomes(page, changes, with_changes(source, changes, page.language))
    amiss = [o.outcome in (MISSED, FLAGGED, NOT_TOLD) for o in found]
    if len(changes) < 2 or not any(amiss):
        return found
    again = range(len(changes)) if any(amiss[len(changes) :]) else [i for i in range(len(changes)) if amiss[i]]
    kept = [found[i] for i in range(len(changes)) if i not in again]
    alone = [changes[i] for i in again]
    return kept + [o for x in alone for o in outcomes(page, [x], with_changes(source, [x], page.language))]


def plant_definitions(page: Page, copies: int, seed: int) -> list[Outcome]:
    """One change that gives a name another value, in a copy that ends some chains further down."""
    old = page.unchanged()
    draw = random.Random(f"{page.label} definitions {seed}")
    pool = [c for c in changes_of(old, page.language, draw) if c.side and old.defines[c.chain]]
    found: list[Outcome] = []
    while pool and len(found) < copies:
        change = draw.choice(pool)
        pool.remove(change)
        new = page.worked_out(with_changes(old.source, [change], page.language))
        if not is_same_form(old, new) or not moves(old, new, change):
            continue
        last = new.chains[min(change.chain + 10, len(new.chains) - 1)].sides[-1].end
        found += outcomes(page, [change], new.source[: new.source.find("\n\n", last)])
    return found


def by_kind(changes: list[Change]) -> dict[str, list[Change]]:
    found = {kind: [c for c in changes if c.kind == kind] for kind in KINDS}
    return {kind: group for kind, group in found.items() if group}


def stays_there(page: Page, change: Change) -> bool:
    """Whether the page keeps its chains, and no name gets another value."""
    old = page.unchanged()
    new = page.worked_out(with_changes(old.source, [change], page.language))
    return is_same_form(old, new) and not moves(old, new, change)


def is_same_form(a: Judged, b: Judged) -> bool:
    return [len(c.signs) for c in a.chains] == [len(c.signs) for c in b.chains]


def moves(old: Judged, new: Judged, change: Change) -> bool:
    """Whether the change gives a name another value, so that later lines are no longer what they were."""
    a, b = old.named[change.chain], new.named[change.chain]
    if not new.defines[change.chain] or (a is None and b is None):
        return False
    if a is None or b is None or a.value.shape != b.value.shape:
        return True
    finite = np.isfinite(a.value) & np.isfinite(b.value)
    return not np.allclose(a.value[finite], b.value[finite], rtol=1e-9, atol=1e-9)


def outcomes(page: Page, changes: list[Change], source: str) -> list[Outcome]:
    old, new = page.unchanged(), page.worked_out(with_changes(page.unchanged().source, changes, page.language))
    before = verdicts_before(page)
    try:
        said = page.verdicts(source)
    except Exception as error:  # whatever is raised is a fault of what is tested: whose change was it?
        if len(changes) > 1:
            return [o for change in changes for o in outcomes(page, [change], one_changed(page, change, source))]
        place = new.chains[changes[0].chain].places[0]
        return [Outcome(changes[0].kind, MISSED, page, place, (repr(error),), written(new, changes[0].chain))]
    last = source.count("\n") + 1
    made = [outcome(page, old, new, change, said, last) for change in changes]
    if any(new.named[change.chain] is None for change in changes if moves(old, new, change)):
        return made  # a name without a value: nothing below is true or false
    return made + list(flagged(page, old, new, changes, said, before))


def one_changed(page: Page, change: Change, cut: str) -> str:
    """The page with only this change; as far as it was checked."""
    whole = with_changes(page.unchanged().source, [change], page.language)
    return "".join(whole.splitlines(keepends=True)[: cut.count("\n") + 1])


def outcome(page: Page, old: Judged, new: Judged, change: Change, said: Verdicts, last: int) -> Outcome:
    """Of the first equation that became false: whether it, or the next one of its chain that did, is accused."""
    everywhere = moves(old, new, change)
    false = [
        (c, r)
        for c, truths in enumerate(new.truths)
        for r, truth in enumerate(truths)
        if truth is False and old.truths[c][r] is not False and (c == change.chain or everywhere)
    ]
    false = [(c, r) for c, r in false if new.chains[c].places[r][0] <= last]
    if not false:
        return _still_true(page, old, new, change, said)
    c, r = false[0]
    places = [new.chains[c].places[k] for d, k in false if d == c][:2]
    verdicts = tuple(said.get(place, "no verdict") for place in places)
    before_it = said.get(new.chains[c].places[max(change.side - 1, 0)]) if c == change.chain else None
    if any(v in ACCUSING for v in (*verdicts, before_it)):
        kind = FOUND
    elif verdicts_before(page).get(old.chains[c].places[r], "no verdict") in (*OPEN, "no verdict", "definition"):
        kind = UNREAD
    elif verdicts[0] in (*OPEN, "no verdict"):
        kind = NOT_TOLD
    else:
        kind = EXCUSED if verdicts[0] == "right_if_rounded" and comes_out_of_shown(new, c, r) else MISSED
    return Outcome(change.kind, kind, page, places[0], verdicts, written(new, c))


def _still_true(page: Page, old: Judged, new: Judged, change: Change, said: Verdicts) -> Outcome:
    """Nothing is false: true, or not to be told, as where a number that was put in is another but its product is not."""
    c, near = change.chain, range(max(change.side - 1, 0), min(change.side + 1, len(new.truths[change.chain])))
    put_in = change.side != len(new.chains[c].sides) - 1 and (change.kind in KINDS[:4] or _is_another(old, new, change))
    told = all(new.truths[c][r] is True or new.truths[c][r] == DEFINITION for r in near) and not put_in
    verdicts = tuple(said.get(new.chains[c].places[r], "no verdict") for r in near)
    before = [verdicts_before(page).get(old.chains[c].places[r]) for r in near]
    accused = any(v in ACCUSING and b not in ACCUSING for v, b in zip(verdicts, before, strict=True))
    kind = (FLAGGED if accused else TRUE) if told else UNCLEAR
    return Outcome(change.kind, kind, page, new.chains[c].places[near[0]], verdicts, written(new, c))


def _is_another(old: Judged, new: Judged, change: Change) -> bool:
    """Whether an operator gives its side another value, if one that is nearer than the roundings on it."""
    if change.kind != "operator":
        return False
    a, b = (valued(page.values, page.chains[change.chain].sides[change.side].tree) for page in (old, new))
    return isinstance(a, Valued) and isinstance(b, Valued) and not np.array_equal(a.value, b.value, equal_nan=True)


def comes_out_of_shown(new: Judged, c: int, r: int) -> bool:
    """Whether the numbers on the right are what the left side gives with the numbers that the page shows."""
    chain = new.chains[c]
    shown = valued(new.values, chain.sides[r + 1].tree)
    candidates = [valued(new.values, side.tree) for side in chain.sides[: r + 1]]
    known = new.values.known
    new.values.known = {**known, **new.shown}
    candidates += [valued(new.values, side.tree) for side in chain.sides[: r + 1]]
    new.values.known = known
    return isinstance(shown, Valued) and any(
        isinstance(v, Valued)
        and v.value.shape == shown.value.shape
        and bool((np.abs(v.value - shown.value) <= shown.radius + 1e-7).all())
        for v in candidates
    )


def flagged(
    page: Page, old: Judged, new: Judged, changes: list[Change], said: Verdicts, before: Verdicts
) -> Iterator[Outcome]:
    """Equations that stay true and are accused, outside of the changed sides and of what a changed formula heads."""
    changed = {change.chain: change.side for change in changes}
    planted = "".join(
        f"\n    after {'/'.join(map(str, old.chains[x.chain].places[0]))}: {old.source[x.start : x.end]!r} -> {x.new!r}"
        for x in changes
    )
    for c, truths in enumerate(new.truths):
        for r, truth in enumerate(truths):
            if truth is not True or old.truths[c][r] is not True or _is_touched(new, c, r, changed):
                continue
            verdict = said.get(new.chains[c].places[r], "no verdict")
            if verdict in ACCUSING and before.get(old.chains[c].places[r]) not in ACCUSING:
                yield Outcome("elsewhere", FLAGGED, page, new.chains[c].places[r], (verdict,), written(new, c), planted)


def _is_touched(new: Judged, c: int, r: int, changed: dict[int, int]) -> bool:
    if c not in changed:
        return False
    side, tree = changed[c], new.chains[c].sides[changed[c]].tree
    heads = side == 0 or (side == 1 and new.defines[c]) or (tree is not None and not is_shown(tree))
    return r >= side - 1 if heads else r in (side - 1, side)


def written(page: Judged, c: int) -> str:
    sides = page.chains[c].sides
    return " ".join(page.source[sides[0].start : sides[-1].end].split())


def figures(found: list[Outcome]) -> str:
    """How often each outcome, by kind of change."""
    counted = Counter((o.kind, o.outcome) for o in found)
    rows = [("", *OUTCOMES)]
    rows += [(kind, *(str(counted[kind, x]) for x in OUTCOMES)) for kind in (*KINDS, "elsewhere")]
    rows += [("in all", *(str(sum(counted[k, x] for k in KINDS)) for x in OUTCOMES))]
    return "\n".join(" | ".join(row) for row in rows)
