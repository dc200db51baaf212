"""What a formula says, as records: names with their indices, sums, products, functions; no sizes yet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Part:
    """A part of a formula."""


@dataclass(frozen=True)
class Number(Part):
    text: str


@dataclass(frozen=True)
class Named(Part):
    """A letter with the indices below it: X, q_i, s_ij; W_Q, d_k and V_1 are names of their own."""

    name: str
    indices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Delta(Part):
    left: str
    right: str


@dataclass(frozen=True)
class Derivative(Part):
    """∂a_i/∂z_j, of one name by another."""

    above: Named
    below: Named


@dataclass(frozen=True)
class Indexed(Part):
    """(S K)_ia, softmax(x)_i."""

    inner: Part
    indices: tuple[str, ...]


@dataclass(frozen=True)
class Total(Part):
    """A sum over a letter: up to `upper`, or over its whole axis where that is empty; `condition` as ("!=", "i")."""

    letter: str
    upper: str
    condition: tuple[str, str] | None
    body: Part


@dataclass(frozen=True)
class Terms(Part):
    terms: tuple[tuple[str, Part], ...]  # each with + or -


@dataclass(frozen=True)
class Factors(Part):
    factors: tuple[tuple[str, Part], ...]  # each with the sign before it: "", "*", "@", "." for ·, "⊙", "/"


@dataclass(frozen=True)
class Power(Part):
    base: Part
    exponent: Part


@dataclass(frozen=True)
class Transposed(Part):
    inner: Part


@dataclass(frozen=True)
class Call(Part):
    """A function of what stands in its brackets; `words` are keywords such as mask=M."""

    function: str
    arguments: tuple[Part, ...]
    words: tuple[tuple[str, Part], ...] = ()


def parts_of(part: Any) -> tuple[Part, ...]:
    """What stands inside, one level down."""
    found: list[Part] = []
    waiting = [getattr(part, f.name) for f in fields(part)]
    while waiting:
        value = waiting.pop(0)
        if isinstance(value, Part):
            found.append(value)
        elif isinstance(value, tuple):
            waiting[:0] = value
    return tuple(found)


def every_part(part: Part) -> Iterator[Part]:
    """The part and all inside it, from left to right."""
    yield part
    for inner in parts_of(part):
        yield from every_part(inner)


def names_in(part: Part) -> tuple[str, ...]:
    """The names in use, in order; no functions."""
    return tuple(dict.fromkeys(p.name for p in every_part(part) if isinstance(p, Named)))


def functions_in(*parts: Part) -> set[str]:
    """The functions that are called."""
    return {p.function for part in parts for p in every_part(part) if isinstance(p, Call)}


def free_indices(part: Part) -> set[str]:
    """The index letters that no sum binds."""
    found = {x for x in getattr(part, "indices", ()) if not x.isdigit()}
    found |= {part.left, part.right} if isinstance(part, Delta) else set()
    found |= {x for inner in parts_of(part) for x in free_indices(inner)}
    bound = part.letter if isinstance(part, Total) else ""
    return (found | ({part.condition[1]} if isinstance(part, Total) and part.condition else set())) - {bound}


def changed(part: Any, change: Any) -> Any:
    """The same with `change` applied to what stands inside, one level down."""
    return replace(part, **{f.name: _changed(getattr(part, f.name), change) for f in fields(part)})


def _changed(value: Any, change: Any) -> Any:
    if isinstance(value, Part):
        return change(value)
    if isinstance(value, tuple):
        return tuple(_changed(x, change) for x in value)
    return value


def put_in(part: Part, rule: dict[str, Part]) -> Part:
    """The formula with other parts for the names of the rule that have no indices."""
    if isinstance(part, Named) and part.name in rule:
        if not part.indices:
            return rule[part.name]
        meant = rule[part.name]
        return (
            replace(part, name=meant.name)
            if isinstance(meant, Named) and not meant.indices
            else Indexed(meant, part.indices)
        )
    return changed(part, lambda inner: put_in(inner, rule)) if is_dataclass(part) else part  # type: ignore[no-any-return]


def renamed(part: Part, function: str, other: str) -> Part:
    """The formula with another function wherever the one stands."""
    inner = changed(part, lambda p: renamed(p, function, other))
    return replace(inner, function=other) if isinstance(inner, Call) and inner.function == function else inner  # type: ignore[no-any-return]
