"""What an index formula says, as records: names with their indices, sums, products; no sizes yet."""

from __future__ import annotations

from dataclasses import dataclass

from symtransformer.reading.problems import Span


@dataclass(frozen=True)
class Part:
    span: Span


@dataclass(frozen=True)
class Number(Part):
    text: str


@dataclass(frozen=True)
class Named(Part):
    """A letter, a step or a size, with the indices below it: q_i, s_ij, W_Q, d_k; and its head, as in q^(h)_i."""

    name: str
    indices: tuple[str, ...]
    head: str = ""


@dataclass(frozen=True)
class Delta(Part):
    """1 where two indices are equal, else 0."""

    left: str
    right: str


@dataclass(frozen=True)
class Indexed(Part):
    """(S K)_ia: an entry or a row of what stands in brackets."""

    inner: Part
    indices: tuple[str, ...]


@dataclass(frozen=True)
class Total(Part):
    """Σ over a letter: from 1 to `upper`, or over its whole axis where that is empty; `condition` as ("!=", "i")."""

    letter: str
    upper: str
    condition: tuple[str, str] | None
    body: Part
    from_zero: bool = False  # as in Σ_{j=0}^{n-1}


@dataclass(frozen=True)
class Terms(Part):
    terms: tuple[tuple[str, Part], ...]  # each with + or -


@dataclass(frozen=True)
class Factors(Part):
    factors: tuple[tuple[str, Part], ...]  # each with the sign before it: "", "*", "." or "/" or "hadamard"


@dataclass(frozen=True)
class Power(Part):
    base: Part
    exponent: Part


@dataclass(frozen=True)
class Transposed(Part):
    inner: Part


@dataclass(frozen=True)
class Applied(Part):
    """exp, log, sqrt, tanh of a number, entry by entry; softmax of a row."""

    function: str
    inner: Part


@dataclass(frozen=True)
class Inner(Part):
    """⟨x, y⟩."""

    left: Part
    right: Part


@dataclass(frozen=True)
class Slope(Part):
    """∂a_ij/∂s_il, or ∂/∂s_il (...): the derivative of a number by an entry."""

    body: Part
    by: Part
