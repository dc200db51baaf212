"""Whether a step is the gradient that it claims to be.

Decided without any operation's own product with its Jacobian: by the derivatives of the formulas of
entries, in normal form, for all sizes; else by forward differentiation at random points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import flint
from sympy import Basic, Integer, Rational, S

from symtransformer.derivation import Derivative, Step
from symtransformer.domains import Condition, conditions, functions_in_pieces
from symtransformer.enclosures import Balls, ball
from symtransformer.errors import NotSupported, SymtransformerError
from symtransformer.exact import Rows
from symtransformer.formulas.same_derivative import Claim, compare_with_derivative
from symtransformer.judge.degrees import Degrees, degrees_of, larger, together
from symtransformer.judge.duals import Dual, Duals
from symtransformer.judge.trials import apart_at_most, at_points, shown_apart
from symtransformer.judge.uses import Chain, Setting
from symtransformer.judge.verdicts import PROVED, REFUTED, TESTED, UNDECIDABLE, Verdict, refuted, sizes_do_not_fit
from symtransformer.node import Node
from symtransformer.operation import compute
from symtransformer.operations.heads import HeadSum
from symtransformer.operations.ones import Ones
from symtransformer.random_points import Point, size_letters, sizes_apart
from symtransformer.symbols import Letter


def judge_derivative(expression: Node, derivative: Derivative, steps: Iterable[Step] | Setting = ()) -> Verdict:
    """Whether the expression is the sum, over the uses (t, definition, dt) of a letter X, of Σ_pq dt_pq ∂t_pq/∂X.

    With the steps of the derivation, the uses must be all those on the way to the output of the claim, each with
    the gradient by it; without them, they are taken as they are given.

    >>> from symtransformer import dimension, matrix
    >>> n, m, d = dimension("n"), dimension("m"), dimension("d")
    >>> A, X, Y, dY = matrix("A", n, m), matrix("X", m, d), matrix("Y", n, d), matrix("dY", n, d)
    >>> print(judge_derivative(A.T @ dY, Derivative(X, ((Y, A @ X, dY),))))
    proved: the derivative of each entry formula, contracted with the cotangents, has the same entry formula, for all sizes
    >>> judge_derivative(2 * A.T @ dY, Derivative(X, ((Y, A @ X, dY),))).kind
    'refuted'
    """
    try:
        if derivative.letter.is_permutation:
            raise NotSupported("a permutation has no derivative")
        sizes = expression.shape, derivative.letter.shape
        if sizes[0] != sizes[1] and (found := sizes_apart(*sizes)) is not None:
            return refuted(*sizes_do_not_fit(*sizes), found)
        setting = steps if isinstance(steps, Setting) else Setting(steps)
        chain = Chain(expression, derivative, setting)
        if (told := chain.contradiction()) is not None:
            return refuted(*told)
        return _relying(_decided(chain), chain)
    except (SymtransformerError, ArithmeticError, RecursionError) as error:
        return Verdict(UNDECIDABLE, str(error), reason_ja=f"計算できなかった（{error}）")


def _decided(chain: Chain) -> Verdict:
    """By the first form of the claim that proves it, else by points."""
    tried: list[Claim] = []
    for claim in chain.of_letters():
        if claim not in tried:
            if (proof := _proof(claim)) is not None:
                return proof
            tried.append(claim)
    best = _tested_or_not(tried[-1])
    whole = chain.written_out()
    if best.kind == TESTED or whole in tried:
        return best
    best = _tested_or_not(whole)
    return best if best.kind == REFUTED else _proof(whole) or best


def _relying(verdict: Verdict, chain: Chain) -> Verdict:
    """The verdict, as far as the gradients that it is put together from are what they claim to be."""
    known = chain.setting.verdicts
    for letter in chain.relies_on if known is not None else ():
        before = known.get(letter) if known is not None else None
        if before is None or before.kind not in (PROVED, TESTED):
            reason = f"it relies on {letter}, which is not known to be the gradient that it claims to be"
            ja = f"{letter} が、主張どおりの勾配かどうか分かっていないので判定できない"
            return Verdict(UNDECIDABLE, reason, reason_ja=ja)
        if before.kind == TESTED and verdict.kind == PROVED:
            verdict = replace(
                verdict,
                kind=TESTED,
                points=before.points,
                residual=before.residual,
                reason=f"{verdict.reason}; but it relies on {letter}, which is tested",
                reason_ja=f"{verdict.reason_ja}。ただし {letter} は点で確かめただけである",
            )
    return verdict


def _proof(claim: Claim) -> Verdict | None:
    found = compare_with_derivative(claim)
    if not found.equal:
        return None
    en, ja = "", ""
    definitions = [use.definition for use in claim.uses]
    if found.edges:
        en += ", except where pieces of a function meet (there it has no slope)"
        ja += "。ただし、関数の場合分けの境目（傾きが定まらない点）は除く"
    met = [_conditions(use.definition, use.head, use.count) for use in claim.uses]
    elsewhere = _conditions(claim.expression, claim.variable.head, claim.count) != set().union(*met)
    if elsewhere:
        en += ", wherever both are defined"
        ja += "。両辺がともに値を持つところで成り立つ"
    scope = "for all sizes" if size_letters(claim.expression, *definitions) else "for the sizes named"
    return Verdict(
        PROVED,
        "the derivative of each entry formula, contracted with the cotangents, has the same entry formula, "
        f"{scope}{en}",
        reason_ja=f"各成分の式を微分し、上流の勾配を掛けて足し合わせたものは、この勾配と成分の式が一致する{ja}",
        where_defined=found.edges or elsewhere,
    )


def _conditions(root: Node, head: Any, count: Any) -> set[Condition]:
    """Where it has a value; a head letter counts no further than there are heads."""
    try:
        return conditions(root if count is None else HeadSum(root, head, count))
    except SymtransformerError:  # a family inside of it uses the letter as well
        return conditions(root)


def _tested_or_not(claim: Claim) -> Verdict:
    verdict = at_points(Contraction(claim))
    if verdict.kind != TESTED:
        return verdict
    if pieces := functions_in_pieces(*claim.nodes):
        reason = f"{verdict.reason}, but points decide nothing about {pieces}"
        return Verdict(UNDECIDABLE, reason, reason_ja=f"{verdict.reason_ja}。ただし {pieces} は点では判定できない")
    return replace(
        verdict,
        reason=f"compared with forward differentiation: {verdict.reason}",
        reason_ja=f"フォワードモードの微分と比べると、{verdict.reason_ja}",
    )


@dataclass(frozen=True)
class Contraction:
    """The expression against Σ dt_pq ∂t_pq/∂X, the variable moving in one random direction."""

    claim: Claim

    @property
    def roots(self) -> tuple[Node, ...]:
        counts = [c for c in (self.claim.count, *(use.count for use in self.claim.uses)) if c is not None]
        return (*self.claim.nodes, *(Ones(count, S.One) for count in counts))

    @property
    def degrees(self) -> Degrees:
        uses = [together(degrees_of(use.definition), degrees_of(use.cotangent)) for use in self.claim.uses]
        return together(degrees_of(self.claim.value), larger(degrees_of(self.claim.expression), *uses))

    def pairs(self, point: Point, memo: dict[Any, Rows]) -> Iterator[tuple[int, int, Any, Any]]:
        here = _Here(self.claim, point, memo)
        source = point.source
        direction = [
            [ball(Rational(source.randint(-(10**6), 10**6), source.randint(10**3, 10**4))) for _ in row]
            for row in here.gradient
        ]
        yield 0, 0, _inner(here.gradient, direction), here.slope(direction)

    def refuted(self, point: Point, i: int, j: int, a: Any, b: Any) -> Verdict:
        """The first entry that differs: the direction of one entry after the other."""
        here = _Here(self.claim, point, {})
        for p, row in enumerate(here.gradient):
            for q, x in enumerate(row):
                b = here.slope(
                    [[flint.arb((p, q) == (r, c)) for c in range(len(row))] for r in range(len(here.gradient))]
                )
                if apart_at_most(x, b) is None:
                    shown, place = shown_apart(x, b), f"({p + 1}, {q + 1})"
                    en = f"entry {place} is {shown[0]}, but the derivative is {shown[1]} for {here.point.described}"
                    ja = (
                        f"{place} 成分は {shown[0]} だが、微分すると {shown[1]} になる（{here.point.described} のとき）"
                    )
                    return refuted(en, ja, here.point.shown)
        raise NotSupported("a difference in a direction, but in no entry")


class _Here:
    """A claim at one point, for one head where the variable is a family."""

    def __init__(self, claim: Claim, point: Point, memo: dict[Any, Rows]) -> None:
        self.claim, self.memo = claim, memo
        self.head = claim.variable.head
        parameters = {k: v for k, v in point.parameters.items() if k not in {use.head for use in claim.uses}}
        self.known = {**parameters, **point.sizes}
        if claim.count is not None:
            drawn: Any = point.parameters.get(self.head, S.One)
            self.head = Integer(int(drawn) % self._count(claim.count))
            parameters[claim.variable.head] = self.head
        self.point = replace(point, parameters=parameters)
        self.variable: Letter = claim.variable.xreplace(parameters)
        self.gradient = self._balls(claim.expression, {})

    def slope(self, direction: Rows) -> Any:
        """Σ dt_pq times the slope of t_pq in this direction."""
        total, duals = flint.arb(0), dict[Any, Rows]()
        for use in self.claim.uses:
            heads: list[dict[Basic, Basic]] = [{}]
            if use.head is not None and use.count is not None:
                heads = [{use.head: Integer(k)} for k in range(self._count(use.count))]
            for own in heads:
                root = self._at(use.definition, own)
                rows = compute(root, Duals(), lambda x: self._leaf(x, direction), self.point.sizes, duals)
                total = total + _inner(self._balls(use.cotangent, own), [[_slope(x) for x in row] for row in rows])
        return total

    def _count(self, count: Any) -> int:
        return int(count.xreplace(self.known))

    def _at(self, root: Node, own: dict[Basic, Basic]) -> Node:
        return root.xreplace({**self.point.parameters, **own})  # type: ignore[no-any-return]

    def _balls(self, root: Node, own: dict[Basic, Basic]) -> Rows:
        return compute(self._at(root, own), Balls(), self.point.rows, self.point.sizes, self.memo)

    def _leaf(self, letter: Letter, direction: Rows) -> Rows:
        if letter.family != self.variable.family:
            return [[Dual(x) for x in row] for row in self.point.rows(letter)]
        values = self._value(letter.head)
        if letter.head != self.head:
            return [[Dual(x) for x in row] for row in values]
        return [[Dual(x, t) for x, t in zip(*rows, strict=True)] for rows in zip(values, direction, strict=True)]

    def _value(self, head: Any) -> Rows:
        """The value of the variable, of this head."""
        own, value = self.claim.variable.head, self.claim.value
        if head is None or head == own:
            return self._balls(value, {})
        if own is not None and own.is_Symbol:
            return self._balls(value, {own: head})
        if isinstance(value, Letter):
            return self.point.rows(value.of_head(head))
        raise NotSupported(f"a value of {self.claim.variable} for another head")


def _inner(left: Rows, right: Rows) -> Any:
    """Σ of the products of entries in the same place; nothing where nothing moves."""
    total = flint.arb(0)
    for rows in zip(left, right, strict=True):
        for a, b in zip(*rows, strict=True):
            if isinstance(a, Basic):
                raise NotSupported("an infinite entry of a gradient")
            if b is not None:
                total = total + a * b
    return total


def _slope(x: Any) -> Any:
    return x.t if isinstance(x, Dual) else None
