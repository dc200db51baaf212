"""Which slips explain what is shown: each is tried wherever it applies, and all that fit are named."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from symtransformer.checking.number_words import Note
from symtransformer.checking.slips.catalog import SLIPS
from symtransformer.checking.slips.recognition import recognized
from symtransformer.checking.slips.records import Known, Slip, put_in, replaced
from symtransformer.checking.slips.views import views
from symtransformer.checking.values import Undecided
from symtransformer.errors import SymtransformerError
from symtransformer.node import Node, postorder, rebuild
from symtransformer.notation import Words

Fits = Callable[[Node], bool]


@dataclass
class Budget:
    """How many expressions may be evaluated, and whether time is up; `is_over` says that not all were tried."""

    evaluations: int = 2000
    expired: Callable[[], bool] = lambda: False
    is_over: bool = field(default=False, init=False)

    def take(self) -> bool:
        self.is_over = self.is_over or self.evaluations <= 0 or self.expired()
        self.evaluations -= not self.is_over
        return not self.is_over

    def while_it_lasts(self, tried: Iterable[Any]) -> Iterator[Any]:
        """What is to be tried, as long as there is time: altering costs time too where no size fits."""
        for item in tried:
            self.is_over = self.is_over or self.expired()
            if self.is_over:
                return
            yield item


def diagnose(
    expression: Node,
    values: Known,
    fits: Fits,
    slips: Iterable[Slip] = SLIPS,
    *,
    shape: tuple[Any, Any] | None = None,
    budget: Budget | None = None,
) -> tuple[Note, ...]:
    """All slips that give what is shown, in the order of the slips; () where the expression itself gives it.

    `values` are the named matrices of the document, put in after altering; `fits` says of an expression without
    letters whether its value is what is shown, and is asked only of those with the `shape` of what is shown (that of
    the expression unless given). Each slip is tried at every place where it applies, one place at a time, and in all
    of them at once.
    """
    budget = budget or Budget()
    trials = Trials(values, fits, shape or expression.shape, budget)
    if trials.fit(expression):
        return ()
    slips = tuple(slips)
    found: set[str] = set()
    for slip, altered in budget.while_it_lasts(alterations(expression, values, slips, found)):
        if trials.fit(altered):
            found.add(slip.name)
    named = [slip for slip in slips if slip.name in found]
    closest = [slip for slip in named if not slip.gives_way] or named
    return tuple({slip.name: slip.note for slip in closest}.values())


def diagnose_pairs(
    expression: Node,
    values: Known,
    fits: Fits,
    slips: Iterable[Slip] = SLIPS,
    *,
    shape: tuple[Any, Any] | None = None,
    budget: Budget | None = None,
) -> tuple[Note, ...]:
    """All pairs of slips that give what is shown; () where one slip, or none, does."""
    slips, budget = tuple(slip for slip in slips if slip.in_pairs), budget or Budget()
    trials = Trials(values, fits, shape or expression.shape, budget)
    if trials.fit(expression):
        return ()
    singles = list(dict.fromkeys(budget.while_it_lasts(alterations(expression, values, slips))))
    if any(trials.fit(altered) for _, altered in singles):
        return ()
    apply = {slip.name for slip, _ in singles}
    slips = tuple(slip for slip in slips if slip.name in apply)  # both speak of what the expression has
    order = {slip.name: k for k, slip in enumerate(slips)}
    found: dict[tuple[int, int], Note] = {}
    for first, once in singles:
        for second, twice in budget.while_it_lasts(alterations(once, values, slips, {first.name})):
            pair = sorted((first, second), key=lambda slip: order[slip.name])
            key = (order[pair[0].name], order[pair[1].name])
            if key not in found and trials.fit(twice):
                found[key] = _both(*pair)
    return tuple(found[key] for key in sorted(found))


def _both(first: Slip, second: Slip) -> Note:
    one, two = first.words, second.words
    words = Words(
        f"Possibly two slips at once. {one.en} {two.en}", f"二つの誤りが重なった可能性がある。{one.ja}{two.ja}"
    )
    return Note(f"{first.name}+{second.name}", words)


def alterations(
    expression: Node, values: Known, slips: tuple[Slip, ...], without: Collection[str] = (), alone: bool = True
) -> Iterator[tuple[Slip, Node]]:
    """Each slip with what the whole expression becomes by it: for every place, and for all places at once.

    Those named in `without` are left out, also where they come in on the way; not `alone` gives all places at once only.
    """
    made: dict[Node, dict[Slip, list[Node]]] = {}
    for view in views(recognized(expression, values)):
        places: dict[Slip, int] = {}
        for node in postorder(view):
            is_new = node not in made
            if is_new:
                made[node] = {slip: new for slip in slips if (new := slip.altered(node, values))}
            for slip, news in made[node].items():
                places[slip] = places.get(slip, 0) + 1
                if is_new and alone and slip.name not in without:
                    yield from ((slip, whole) for new in news for whole in _made(replaced, view, {node: new}))
        for slip, count in places.items():
            if slip.name not in without and (not alone or (slip.everywhere and count > 1)):
                yield from ((slip, altered) for altered in _everywhere(view, slip, values, made))


def _made(make: Callable[..., Any], *arguments: Any) -> Iterator[Any]:
    """What is made, where sizes fit."""
    with suppress(SymtransformerError):
        yield make(*arguments)


def _everywhere(view: Node, slip: Slip, values: Known, made: dict[Node, dict[Slip, list[Node]]]) -> Iterator[Node]:
    at = {node: made[node][slip] for node in postorder(view) if slip in made[node]}

    def visit(node: Node, args: list[Any], way: int) -> Any:
        same = all(a is b for a, b in zip(args, node.args, strict=True))
        whole = node if same else node.func(*args)
        news = slip.altered(whole, values) if node in at else []
        return news[min(way, len(news) - 1)] if news else whole

    for way in range(max(map(len, at.values()))):
        yield from _made(rebuild, view, lambda node, args, way=way: visit(node, args, way), lambda arg: arg)  # type: ignore[misc]


class Trials:
    """Asks of each distinct expression once whether it fits."""

    def __init__(self, values: Known, fits: Fits, shape: tuple[Any, Any], budget: Budget) -> None:
        self.values, self.fits, self.shape, self.budget = values, fits, tuple(shape), budget
        self.tried: dict[Node, bool] = {}

    def fit(self, expression: Node) -> bool:
        if expression.shape != self.shape:
            return False
        try:
            given = put_in(expression, self.values)
            if given not in self.tried:
                if not self.budget.take():
                    return False
                self.tried[given] = False
                self.tried[given] = self.fits(given)
            return self.tried[given]
        except (SymtransformerError, Undecided):  # the writer could not have computed it
            return False
