"""Expressions with values, and their gradients: every operation of the registry, blocks and small models."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from facet_cases import POSITIVE, Case, count_of_arguments, drawn, kinds_of_arguments, make_case
from sympy import Basic, Integer, Rational, S

from symtransformer.arguments import SIZE
from symtransformer.enclosures import Balls, ball, precision
from symtransformer.errors import ShapeError
from symtransformer.gradients import differentiate
from symtransformer.models import Configuration, encoder_decoder, language_model
from symtransformer.node import Node
from symtransformer.operation import REGISTRY, Primitive, compute, unfolded
from symtransformer.operations import (
    CausalMask,
    CrossEntropy,
    Embedding,
    EncoderLayer,
    Hadamard,
    InfoNCE,
    Mask,
    MultiHeadAttention,
    RotaryEmbedding,
    ScaledDotProductAttention,
    SmoothedTargets,
    Softmax,
)  # fmt: skip
from symtransformer.symbols import Letter, dimension, matrix, one_hot

Rows = list[list[Any]]


COTANGENT = "Cot"
Members = list[tuple[tuple[int, ...], Node]]  # the gradient itself, or that of each head with the head in front


@dataclass(eq=False)
class Subject:
    """An expression of letters with values; a family of heads has a list of values."""

    name: str
    node: Node
    letters: tuple[Letter, ...]
    values: dict[str, Any]
    gradients: dict[str, dict[str, Members]]  # by route, then by the name of the letter
    order: tuple[Any, ...] = ()  # letters and other arguments as the operation takes them

    @property
    def is_large(self) -> bool:
        return len(self.letters) > 6

    def places(self, letter: Letter) -> list[tuple[int, ...]]:
        """The places of all entries, with the head in front where the letter is a family."""
        rows, cols = (int(s) for s in letter.shape)
        heads = [()] if letter.head is None else [(k,) for k in range(len(self.values[letter.name]))]
        return [(*head, i, j) for head in heads for i in range(rows) for j in range(cols)]


def _members(letter: Letter, heads: int, gradient: Node) -> Members:
    if letter.head is None:
        return [((), gradient)]
    return [((k,), unfolded(gradient.xreplace({letter.head: Integer(k)}))) for k in range(heads)]


def subject_of(case: Case, name: str) -> Subject:
    """The gradients of one operation, by its own rule and by the sweep with letters for sizes."""
    cotangent = Letter(COTANGENT, *case.node.shape)
    values = {a.name: case.values[a] for a in case.letters}
    values[COTANGENT] = _cotangent_values(case.node, name)
    gradients: dict[str, dict[str, Members]] = {}
    if issubclass(case.operation, Primitive):
        rules = case.node.vjp(cotangent)  # type: ignore[attr-defined]
        assert len(rules) == len(case.letters), f"{name}: {len(rules)} rules for {len(case.letters)} matrices"
        pairs = zip(case.letters, rules, strict=True)
        gradients["vjp"] = {a.name: _members(a, len(case.values[a]), rule) for a, rule in pairs}
    if case.letters:
        gradients["sweep"] = _swept(case, {})
        if case.heads:
            gradients["sweep, h heads"] = _swept(case, _counts(case))
    return _with_units(Subject(name, case.node, tuple(case.letters), values, gradients, tuple(case.order)))


def _counts(case: Case) -> dict[str, Any]:
    """Letters for the number of heads, or of groups, of which there are so many heads each."""
    names = [p.name for p in case.operation.parameters]
    letter = dimension("h0")
    if "groups" not in names:
        return {names[names.index("head") + 1]: letter}
    return {"heads": case.heads // int(case.node.argument("groups")) * letter, "groups": letter}  # type: ignore[attr-defined]


def _swept(case: Case, counts: dict[str, Any]) -> dict[str, Members]:
    """By `differentiate`, with letters for sizes that get their numbers afterwards."""
    numbers = sorted({int(s) for a in case.letters for s in a.shape} - {1})
    sizes: dict[int, Any] = {k: dimension(f"s{k}") for k in numbers}
    of_all_heads = {k: k // case.heads for k in numbers if case.heads and k % case.heads == 0}
    heads = next(iter(counts.values()), case.heads)
    sizes |= {k: heads * sizes[width] for k, width in of_all_heads.items() if width in sizes}
    renamed = {a: Letter(a.name, *(sizes.get(int(s), s) for s in a.shape), *a.args[3:]) for a in case.letters}
    names = [p.name for p in case.operation.parameters]
    given = [(names[k] if counts else "", renamed.get(a, a)) for k, a in enumerate(case.node.args)]
    node = case.operation(*(counts.get(name, a) for name, a in given))
    back = {letter: Integer(k) for k, letter in sizes.items() if letter.is_Symbol}
    back |= {count: Integer(case.node.argument(n)) for n, count in counts.items() if count.is_Symbol}  # type: ignore[attr-defined]
    return _by_differentiate(node, back, {a.name: len(case.values[a]) for a in case.letters})


def _by_differentiate(node: Node, back: dict[Basic, Basic], heads: dict[str, int]) -> dict[str, Members]:
    gradient = differentiate(node, cotangent=Letter(COTANGENT, *node.shape))
    found: dict[str, Members] = {}
    for letter in gradient.wrt:
        formula = unfolded(gradient[letter].stands_for.xreplace(back))
        if letter.head is not None and letter.head.is_Integer:
            found.setdefault(letter.name, []).append(((int(letter.head),), formula))  # type: ignore[call-overload]
        else:
            found[letter.name] = _members(letter, heads[letter.name], formula)
    return found


def _cotangent_values(node: Node, name: str) -> Rows:
    rows, cols = (int(s) for s in node.shape)
    return [[x * Rational(29, 31) for x in row] for row in drawn(random.Random(f"cotangent of {name}"), rows, cols)]


# -- other points --------------------------------------------------------------------------------------------
class _Units(Balls):
    """Balls that note whether units of a network are active."""

    def __init__(self) -> None:
        self.active: list[bool] = []

    def relu(self, x: Any) -> Any:
        self.active.append(bool(x > 0))
        return super().relu(x)


def _some_are_active(subject: Subject) -> bool:
    """Of the units, if there are any, at least a quarter is active and a quarter is not.

    Where none is, the gradients of a network are 0, and nearly nothing that is planted there is an error.
    """
    units, values = _Units(), subject.values

    def leaf(letter: Letter) -> Any:
        rows = values[letter.name] if letter.head is None else values[letter.name][int(letter.head)]  # type: ignore[call-overload]
        return [[ball(S(x)) for x in row] for row in rows]

    with precision(100):
        compute(subject.node, units, leaf)
    few = len(units.active) / 4
    return few <= units.active.count(True) <= 3 * few or not units.active


def _again(rng: random.Random, rows: Any) -> Any:
    """Other numbers; zeros and ones stay, as they are masks and tokens, and so does a matrix of positive numbers."""
    if isinstance(rows[0][0], list):
        return [_again(rng, member) for member in rows]
    new = drawn(rng, len(rows), len(rows[0]), positive=all(x > 0 for row in rows for x in row))
    return [[x if x in (0, 1) else y for x, y in zip(*pair, strict=True)] for pair in zip(rows, new, strict=True)]


@cache
def elsewhere(subject: Subject, number: int) -> Subject:
    """The same expression at another point, at which other units of a network are active."""
    for attempt in range(100):
        rng = random.Random(f"{subject.name}, {number}, {attempt}")
        values = {name: _again(rng, rows) for name, rows in subject.values.items()}
        other = replace(subject, name=f"{subject.name}, point {number}", values=values)
        if _some_are_active(other):
            return other
    raise AssertionError(f"{subject.name}: no point at which some units are active")


def _with_units(subject: Subject) -> Subject:
    return subject if _some_are_active(subject) else replace(elsewhere(subject, 0), name=subject.name)


@cache
def of_operation(name: str) -> tuple[Subject, ...]:
    """The operation with its needed arguments, and with all of them; a primitive with every number in between."""
    operation = REGISTRY[name]
    counts = count_of_arguments(operation)
    if not issubclass(operation, Primitive):
        counts = sorted({counts[0], counts[-1]})
    return tuple(subject_of(make_case(operation, c), f"{name}/{c}") for c in counts)


@cache
def squares(name: str) -> tuple[Subject, ...]:
    """The same with every size 3 (or 1), at which a transpose too much is no matter of sizes; without heads."""
    if name not in REGISTRY:
        return ()
    found = []
    operation = REGISTRY[name]
    for count in count_of_arguments(operation)[-1:]:
        case = make_case(operation, count)
        if not case.letters or case.heads or SIZE in kinds_of_arguments(case.node):
            continue
        rng = random.Random(f"{name} of squares")
        new = {a: Letter(a.name, *(1 if s == 1 else 3 for s in a.shape)) for a in case.letters}
        try:
            node = operation(*(new.get(a, a) if isinstance(a, Letter) else a for a in case.node.args))
        except ShapeError:  # an even number of columns, say
            continue
        positive = name in POSITIVE
        case.values = {b: drawn(rng, *map(int, b.shape), "", positive) for b in new.values()}
        case.node, case.letters = node, list(new.values())
        case.order = [new.get(a, a) if isinstance(a, Letter) else a for a in case.order]
        found.append(subject_of(case, f"{name} of squares"))
    return tuple(found)


# -- blocks and models -------------------------------------------------------------------------------------
n, m, d, d_k, d_v, d_ff, h, K_ = (dimension(x) for x in ("n", "m", "d_model", "d_k", "d_v", "d_ff", "h", "K"))
SIZES = {n: 2, m: 3, d: 4, d_k: 2, d_v: 3, d_ff: 5, K_: 5, h: 2}
X, Y = matrix("X", n, d), matrix("Y", m, d)
Q, K, V = matrix("Q", n, d), matrix("K", m, d), matrix("V", m, d_v)
W_Q, W_K, W_V = matrix("W_Q", d, d_k), matrix("W_K", d, d_k), matrix("W_V", d, d_v)
W_O = matrix("W_O", h * d_v, d)
FFN = [matrix("W_1", d, d_ff), matrix("b_1", d_ff, 1), matrix("W_2", d_ff, d), matrix("b_2", d, 1)]
E, T, TARGETS = matrix("E", K_, d), matrix("T", n, K_), matrix("Y_n", n, K_)
A, B = matrix("A", n, m), matrix("B", n, m)
SMALL = {"layers": 1, "d_model": 4, "d_ff": 3, "heads": 2, "vocabulary": 5}

BLOCKS: dict[str, Any] = {
    "two uses of a step": Hadamard(A, A) + Hadamard(A, A) @ (A.T @ A),
    "attention under a causal mask": Softmax(Mask(X @ X.T, CausalMask(n))) @ X,
    "attention with rotary positions": ScaledDotProductAttention(RotaryEmbedding(Q, start=1), RotaryEmbedding(K), V),
    "self-attention, one matrix in three places": ScaledDotProductAttention(X, X, X),
    "heads over another sequence": MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads=h, memory=Y),
    "tied embedding": CrossEntropy(Embedding(T, E) @ E.T, TARGETS, reduction="sum"),
    "label smoothing": CrossEntropy(X @ E.T, SmoothedTargets(TARGETS, Rational(1, 10)), reduction="mean"),
    "InfoNCE of similarities": InfoNCE(X @ Y.T, B, Rational(1, 2)),
    "two encoder layers, norm after and before": EncoderLayer(
        EncoderLayer(X, W_Q, W_K, W_V, W_O, *FFN, heads=h), W_Q, W_K, W_V, W_O, *FFN, heads=h, norm="pre",
        activation="GELU", mask=CausalMask(n),
    ),
    "language model, tied": language_model(
        Configuration(**SMALL, norm="pre", activation="GELUTanh", final_norm=True, tied=True, scaled=True, positions=3,
                      attention_biases=True)),
    "encoder and decoder": encoder_decoder(Configuration(**SMALL, decoder_layers=1, tied=True)),
}  # fmt: skip
CONSTANT = {"T", "T_src", "T_tgt", "Y_n"}  # one-hot rows


@cache
def of_block(name: str) -> Subject:
    sizes: dict[Basic, Basic] = {size: Integer(k) for size, k in SIZES.items()}
    node = BLOCKS[name].xreplace(sizes)
    inputs = {a.name: a for a in sorted(node._free, key=str) if isinstance(a, Letter)}
    gradients = _by_differentiate(BLOCKS[name], sizes, dict.fromkeys(inputs, SIZES[h]))
    rng = random.Random(name)
    letters, values = [], {COTANGENT: _cotangent_values(node, name)}
    for letter in inputs.values():
        rows, cols = (int(s) for s in letter.shape)
        if letter.name in CONSTANT:
            values[letter.name] = one_hot([rng.randrange(cols) for _ in range(rows)], cols).matrix.tolist()
            continue
        letters.append(letter)
        of_heads = [drawn(rng, rows, cols) for _ in range(SIZES[h])]
        values[letter.name] = of_heads if letter.head is not None else of_heads[0]
    found = {"sweep": {a.name: gradients[a.name] for a in letters}}
    return _with_units(Subject(name, node, tuple(letters), values, found))


def all_subjects() -> list[str]:
    return [*sorted(REGISTRY), *BLOCKS]


def subjects(name: str) -> tuple[Subject, ...]:
    return (of_block(name),) if name in BLOCKS else of_operation(name)


__all__ = ["BLOCKS", "COTANGENT", "Members", "Subject", "all_subjects", "elsewhere", "squares", "subjects"]
