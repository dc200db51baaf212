"""What an index form starts from: where a letter is used, what stands behind each name, and which letters count what."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from sympy import Expr, KroneckerDelta, S, Sum, Symbol
from sympy.functions.elementary.integers import floor
from sympy.functions.elementary.miscellaneous import Max, Min
from sympy.functions.elementary.piecewise import Piecewise

from symtransformer.derivation import Derivation, Step, written_out
from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.gradients import Gradient
from symtransformer.gradients.letters import key_of
from symtransformer.index_letters import index_letter, with_letters
from symtransformer.index_notation.conventions import Letters
from symtransformer.index_notation.jacobians import has_jacobian
from symtransformer.node import Node, postorder
from symtransformer.operation import Operation, unfolded
from symtransformer.operations.ones import Ones
from symtransformer.scalars import entry_name
from symtransformer.symbols import Entry, Letter

LOSSES = ("L", "J", "E", "Loss")  # the name of the loss, if no letter bears it


@dataclass(frozen=True)
class Use:
    """A step t = definition in which the letter stands, with ∂L/∂t."""

    letter: Letter
    definition: Node
    cotangent: Node
    head: Symbol | None = None  # counted by a sum of its own, where every head reads the same matrix
    heads: Any = S.One
    in_two_ways: bool = False  # directly, and through another letter of the definition


@dataclass(frozen=True)
class Setting:
    """Everything that the lines about one letter need."""

    letter: Letter
    gradient: Letter
    uses: tuple[Use, ...]
    where: tuple[tuple[Letter, Node], ...]
    losses: tuple[tuple[Letter, Letter], ...]
    letters: Letters
    places: tuple[Any, Any]  # the letters of the entry by which the loss is differentiated
    loss: str


def setting_of(gradient: Gradient, name: str) -> Setting:
    """The uses of the letter of this name, over the letters of their definitions."""
    derivation = gradient.derivation
    backward = _backward(gradient, name)
    assert backward.derivative is not None
    letter = backward.derivative.letter
    counts = {
        n.args[k]: n.args[k + 1] for s in derivation.steps for n in postorder(unfolded(s.definition)) for k in n.bound
    }
    through = _made_from(letter, derivation)
    uses = tuple(_use(letter, *use, counts, through) for use in backward.derivative.uses)
    _require_formulas(uses)
    where, losses = _names(derivation, backward, uses)
    letters = Letters([s for step in derivation.steps for s in (step.letter, step.definition)])
    loss = _loss_of(gradient, letters)
    _require_entries_apart([x for step in derivation.steps for x in (step.letter, *step.definition._letters)])
    return Setting(letter, backward.letter, uses, where, losses, letters, _places(letter, uses, letters), loss)


def _loss_of(gradient: Gradient, letters: Letters) -> str:
    """The name of what is differentiated; of a loss that is only spoken of, one that no letter bears."""
    if gradient.output.shape == (1, 1) and not isinstance(gradient.cotangent, Letter):
        return gradient.output.name
    return next(name for name in LOSSES if name.lower() not in letters.taken)


def _require_entries_apart(letters: Iterable[Letter]) -> None:
    """Entries are written with small letters, so that those of X and x would be read as one."""
    written: dict[tuple[str, str], Letter] = {}
    for letter in dict.fromkeys(letters):
        other = written.setdefault(entry_name(letter.name, letter.head), letter)
        if other is not letter:
            names = " and of ".join(sorted(map(str, (other, letter))))
            raise NotSupported(f"an index form: entries of {names} would be written alike; rename one")


def _backward(gradient: Gradient, name: str) -> Step:
    """The step that gives the gradient by the letter of this name; W_Q^(2) and W_Q2 are the second head of W_Q.

    What dX is called says nothing about X: an input may bear that name, so that the gradient by X has another.
    """
    found = [step for step in gradient.derivation.steps if step.derivative is not None]
    by = [step for step in found if step.derivative is not None and name in _names_of(step.derivative.letter, step)]
    if len(by) == 1:
        return by[0]
    names = ", ".join(key_of(step.derivative.letter) for step in by or found if step.derivative is not None)
    said = "each head has one; name one of" if by else "there are those with respect to"
    raise UnreadableInput(f"an index form: there is no gradient with respect to {name[:40]}; {said} {names}")


def _names_of(letter: Letter, step: Step) -> tuple[str, ...]:
    """W_Q, W_Q^(2), and W_Q2 where the gradient is called dW_Q2."""
    place, dot, bare = step.name.rpartition(".")
    return (letter.name, key_of(letter), *([f"{place}{dot}{bare[1:]}"] if letter.of_one_head else []))


def _made_from(letter: Letter, derivation: Derivation) -> set[Any]:
    """The families of all steps that the letter goes into, directly or not."""
    found: set[Any] = set()
    for step in derivation.steps:
        inside = {x for x in step.definition._free if isinstance(x, Letter)}
        if letter in inside or any(x.family in found for x in inside):
            found.add(step.letter.family)
    return found


def _use(
    letter: Letter, step: Letter, definition: Node, cotangent: Node, counts: dict[Any, Any], through: set[Any]
) -> Use:
    twice = any(x.family in through for x in definition._free if isinstance(x, Letter) and x is not letter)
    head = step.head if step.head is not None and step.head.is_Symbol else None
    if head is not None and letter.head == head:
        head = None  # every head uses its own
    if head is None:
        return Use(step, unfolded(definition), cotangent, in_two_ways=twice)
    if letter.head is not None or head not in counts:
        raise NotSupported(f"an index form: how the heads of {letter} and {step} belong together")
    return Use(step, unfolded(definition), cotangent, head, counts[head], twice)  # type: ignore[arg-type]


def _require_formulas(uses: tuple[Use, ...]) -> None:
    """Steps whose entries are chosen by cases, or at places that are worked out, have no index form here."""
    for use in uses:
        for node in postorder(use.definition):
            if node.bound:
                raise NotSupported(
                    f"an index form: {use.letter} is put together from heads, whose places are not letters"
                )
            if isinstance(node, Operation) and not has_jacobian(node):
                i, j = index_letter("row0"), index_letter("column0")
                formula = node.element(i, j, _numbered())  # type: ignore[attr-defined]
                if formula.has(Piecewise, Max, Min, floor) or formula.has(KroneckerDelta):
                    raise NotSupported(
                        f"an index form: the entries of {type(node).__name__} in {use.letter} are given by cases"
                    )


def _numbered() -> Callable[[], Symbol]:
    count = iter(range(1, 1000))
    return lambda: index_letter(f"place{next(count)}")


def _names(derivation: Derivation, backward: Step, uses: tuple[Use, ...]) -> tuple[Any, Any]:
    """What letters stand for: results of steps their operation, the gradient its matrix formula."""
    steps = {step.letter: step for step in derivation.steps}
    primary = {x for use in uses for x in (*use.definition._free, *use.cotangent._free) if isinstance(x, Letter)}
    behind: dict[Any, Node] = {}
    where: dict[Letter, Node] = {use.letter: use.definition for use in uses}
    for letter, step in steps.items():
        if letter in primary or letter is backward.letter:
            continue
        meant = unfolded(written_out(step.definition, behind))
        if letter in where or {x for x in meant._free if isinstance(x, Letter)} <= primary:
            behind[letter] = meant
            where.setdefault(letter, meant)
    where[backward.letter] = unfolded(written_out(backward.expression, behind))
    inside: dict[Any, Node] = {}  # results of uses in what other uses are made from
    for use in sorted((use for use in uses if use.letter in primary), key=lambda use: [*steps].index(use.letter)):
        inside[use.letter] = unfolded(written_out(use.definition, inside))
    where = {x: unfolded(written_out(node, inside)) for x, node in where.items()} if inside else where
    claim = backward.derivative
    assert claim is not None
    claims = {s.letter: s.derivative for s in derivation.steps if s.derivative is not None}
    losses = {x: c.letter for x, c in claims.items() if (c.output, c.cotangent) == (claim.output, claim.cotangent)}
    if isinstance(claim.cotangent, Letter) and claim.output is not None:
        losses[claim.cotangent] = claim.output
    met = {x for node in (*where.values(), *(u.cotangent for u in uses)) for x in node._free} | set(where)
    return tuple(where.items()), tuple((x, y) for x, y in losses.items() if x in met)


# -- the formula of an entry -------------------------------------------------------------------------
def down_to_letters(entry: Entry, fresh: Callable[[Any], Symbol]) -> Any:
    """The formula of an entry in entries of letters, and of operations whose Jacobian has a name."""
    node: Any = entry.parent
    if not isinstance(node, Operation) or has_jacobian(node):
        return entry
    if isinstance(node, Ones):
        return S.One
    numbered = _numbered()
    formula = node.element(entry.i, entry.j, numbered)  # type: ignore[attr-defined]
    return _settled(formula, fresh)


def _settled(formula: Any, fresh: Callable[[Any], Symbol]) -> Any:
    """Entries inside taken down as well; each sum with a letter of its own, none over a single value."""
    if isinstance(formula, Entry):
        return down_to_letters(formula, fresh)
    if isinstance(formula, Sum):
        body, limits = formula.function, []
        for letter, low, high in formula.limits:
            size = high - low + 1
            value = low if size == 1 else fresh(size)
            body = with_letters(body, {letter: value})
            limits += [] if size == 1 else [(value, low, high)]
        inner = _settled(body, fresh)
        return Sum(inner, *limits) if limits else inner
    if not formula.args or not isinstance(formula, Expr):
        return formula
    return formula.func(*(_settled(a, fresh) for a in formula.args))


# -- the letters of the entry ------------------------------------------------------------------------
def _places(letter: Letter, uses: tuple[Use, ...], letters: Letters) -> tuple[Any, Any]:
    """i and j of the result, where the only use hands them on; else the first letters for rows and columns."""
    if len(uses) > 1:
        row, column = letters.for_places(letter.shape)
        return row, column
    use = uses[0]
    i, j = letters.for_places(use.letter.shape)
    taken = {str(i), str(j)}
    count = iter(range(1, 1000))
    formula = down_to_letters(Entry(use.definition, i, j), lambda size: index_letter(f"inner{next(count)}"))
    met = {(e.i, e.j) for e in formula.atoms(Entry) if e.parent is letter}
    met |= {(e.i, None) for e in formula.atoms(Entry) if has_jacobian(e.parent) and letter in e.parent._free}
    counted = dict(zip((i, j), use.letter.shape, strict=True))
    found: list[Any] = []
    for axis in (0, 1):
        (shared,) = {place[axis] for place in met} if len({place[axis] for place in met}) == 1 else (None,)
        if letter.shape[axis] == 1:
            found.append(S.Zero)
        elif shared in counted and counted[shared] == letter.shape[axis] and shared not in found:
            found.append(shared)
        else:
            found.append(letters.of(letter.shape[axis], taken))
            taken.add(str(found[-1]))
    return found[0], found[1]
