"""The verdict on a claim: by normal form at three depths, then by small numbers, then by the judge's points."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from symtransformer.claims.claim import SHAPES, Claim
from symtransformer.claims.counterexamples import (
    FEW,
    WithSlopes,
    find,
    find_soon,
    jumps,
    without_value,
)
from symtransformer.claims.entry_counterexamples import find_at_entries
from symtransformer.claims.jacobians import Jacobian
from symtransformer.claims.lines import without_number
from symtransformer.claims.parts import counts_both_ways
from symtransformer.claims.readings import Reading, Statement
from symtransformer.claims.sides import COLUMN_SUMS, TWO_MEANINGS
from symtransformer.claims.statement import read_statement
from symtransformer.claims.subject import Subject, subject_of
from symtransformer.claims.telling import ALL_SIZES, claimed, derived, scope, steps_behind
from symtransformer.claims.time_limit import check_time, steps_left
from symtransformer.derivation import written_out
from symtransformer.domains import conditions
from symtransformer.enclosures import Balls
from symtransformer.errors import ShapeError, SymtransformerError
from symtransformer.formulas import have_same_formula
from symtransformer.formulas.same_formula import STEPS_AT_MOST
from symtransformer.judge import PROVED, REFUTED, TESTED, UNDECIDABLE, Verdict, judge_equation
from symtransformer.judge.assumptions import without_assumptions
from symtransformer.node import Node, substitute
from symtransformer.notation import Words
from symtransformer.operation import unfolded
from symtransformer.reading import ReadingError, ReadingShapeError
from symtransformer.reading.problems import Span
from symtransformer.symbols import DistributionLetter, Letter

CONDITION = re.compile(r"\s*([a-z])\s*(=|≠|!=|\\neq?|<=|≤|\\leq?|<|>=|≥|\\geq?|>)\s*([a-z])\s*")
HOLDS: Mapping[str, Callable[[int, int], bool]] = {
    "=": operator.eq, "≠": operator.ne, "!=": operator.ne, "\\ne": operator.ne, "\\neq": operator.ne, "<": operator.lt, ">": operator.gt,
    "<=": operator.le, "≤": operator.le, "\\le": operator.le, "\\leq": operator.le, ">=": operator.ge, "≥": operator.ge, "\\ge": operator.ge,
    "\\geq": operator.ge,
}  # fmt: skip
SHOWN = {"\\ne": "≠", "\\neq": "≠", "!=": "≠", "\\le": "≤", "\\leq": "≤", "\\ge": "≥", "\\geq": "≥"}
ENTRYWISE = re.compile(r"[⊙∘⊘]|\\(?:odot|circ|oslash)(?![A-Za-z])")
ENTRIES_AT_LEAST = 20
KINDS_BY_WEIGHT = (PROVED, TESTED, UNDECIDABLE, REFUTED)


def decided(text: str, of: Any, names: Any, distributions: Any = (), condition: str = "") -> Claim:
    """The claim read and judged; what cannot be read raises. A condition such as i = j or i ≠ j is one of Jacobians.

    (3) at its end is the number of the equation, unless it could be a factor, too, and that made a difference; nobody
    writes a factor as (3.1) or (3a), but where only that makes a claim right, it is not decided either.
    """
    plain = without_number(text) if isinstance(text, str) else text
    if plain == text:
        return _decided(text, of, names, distributions, condition)
    try:
        found = _decided(plain, of, names, distributions, condition)
    except SymtransformerError:
        return _decided(text, of, names, distributions, condition)
    try:
        other = _decided(text, of, names, distributions, condition)
    except SymtransformerError:
        return replace(found, text=text)
    if other.kind == found.kind or (other.is_accepted and found.is_accepted):
        return replace(found, text=text)
    number = text[len(plain.rstrip()) :].strip()
    if found.is_accepted and re.fullmatch(r"\([1-9][0-9]*(?:(?:\.[0-9]+)+[a-z]?|[a-z])\)\.?", number):
        said = Words(f"{number} at the end was read as the number of the equation.", f"末尾の {number} は式の番号として読みました。")  # fmt: skip
        return replace(found, text=text, notes=(*found.notes, said))
    what = f"{number} at the end could be the number of the equation, or a factor; write \\tag{{{number.strip('().')}}}, or * {number}"
    raise ReadingError(text, Span(len(plain.rstrip()) + 1, len(text)), "ambiguous", what)


def _decided(text: str, of: Any, names: Any, distributions: Any, condition: str) -> Claim:
    """A ⊙ B C is A ⊙ (B C); where (A ⊙ B) C alone would be right, nobody is said to be wrong."""
    found = _decided_as(text, of, names, distributions, condition, False)
    entrywise = ENTRYWISE.search(text) if isinstance(text, str) and found.kind in (REFUTED, SHAPES) else None
    if entrywise is None:
        return found
    try:
        other = _decided_as(text, of, names, distributions, condition, True)
    except SymtransformerError:
        return found
    if not other.is_accepted:
        return found
    what = "A ⊙ B C could be A ⊙ (B C), as it is read here, or (A ⊙ B) C, which would be right; write brackets"
    raise ReadingError(text, Span(*entrywise.span()), "ambiguous", what)


def _decided_as(text: str, of: Any, names: Any, distributions: Any, condition: str, tight: bool) -> Claim:
    try:
        statement = read_statement(text, of, names, distributions, tight)
    except ReadingShapeError as error:
        return _shapes(text, error, subject_of(of, distributions=distributions).notes)
    every = [(x, *_decision(text, x, condition)) for x in (statement, *statement.of_other_heads)]
    statement, verdict, example = max(every, key=lambda x: KINDS_BY_WEIGHT.index(x[1].kind))
    heads = _of_heads(statement, len(every), verdict) if len(every) > 1 else ()
    layout = () if statement.jacobian is None else statement.jacobian.notes
    notes = (
        *statement.subject.notes,
        *statement.notes,
        *heads,
        *layout,
        *(_under_an_assumption(statement) if verdict.kind == REFUTED else ()),
    )
    shown = derived(statement), claimed(statement), scope(statement, verdict)
    return Claim(text, verdict, *shown, example, notes, tuple(steps_behind(statement)))


def _decision(text: str, statement: Statement, condition: str) -> tuple[Verdict, Any]:
    """The verdict on the readings of a claim, which must agree, and the numbers that refute it."""
    decisions = [_decide(statement, reading, condition) for reading in statement.readings]
    if len({verdict.kind for verdict, _ in decisions}) > 1:
        raise _ambiguous(text, statement)
    return decisions[0]


def _of_heads(statement: Statement, count: int, verdict: Verdict) -> tuple[Words, ...]:
    """What is said of a claim for every head: that it was judged for each, or for which of them it fails."""
    head = statement.head
    if verdict.kind in (PROVED, TESTED):
        return (Words(f"judged for each of the {count} heads; head {head} is shown.",
                      f"{count} 個のヘッドのそれぞれについて判定しました。表示はヘッド {head} です。"),)  # fmt: skip
    return (Words(f"judged for each of the {count} heads; what is said is of head {head}.",
                  f"{count} 個のヘッドのそれぞれについて判定しました。結果はヘッド {head} についてのものです。"),)  # fmt: skip


def _under_an_assumption(statement: Statement) -> list[Words]:
    """What is refuted, and holds where the rows of a letter add up to 1."""
    behind, reading = statement.subject.behind, statement.readings[0]
    free = {x for side in (reading.left, reading.right) for x in side._free}
    own = {s.derivative.letter for s in statement.subject.steps.values() if s.derivative and s.letter in free}
    whole = [unfolded(written_out(side, behind)) for side in (reading.left, reading.right)]
    inputs = statement.subject.forward.inputs
    for letter in inputs if len(inputs) <= 6 else ():
        if (
            type(letter) is not Letter
            or letter.shape[1] == 1
            or letter in own
            or not any(letter in side._free for side in whole)
        ):
            continue
        rule = {letter: DistributionLetter(*letter.args)}
        left, right = (substitute(side, rule) for side in whole)
        if find(left, right, FEW) is None and have_same_formula(without_assumptions(left), without_assumptions(right)):
            name = letter.name
            return [Words(f"It holds if every row of {name} adds up to 1: --distributions {name}, in Python distributions=\"{name}\".",
                          f"{name} のどの行も合計が 1 なら成り立ちます：--distributions {name}（Python では distributions=\"{name}\"）。")]  # fmt: skip
    return []


def _ambiguous(text: str, statement: Statement) -> Exception:
    at = 0
    if any(r.habit for r in statement.readings):
        what = "this depends on whether a row such as q_i is meant as a row or as a column; write entries, or x · y for an inner product"
    elif statement.jacobian is not None:
        what = "the rows of the right side, or its columns, could stand for the entries above; write entries, as in ∂y_ij/∂x_ik = ..."
    elif counts_both_ways(text):
        what = "a part such as [:, 2:3] counts from 1 on a page and from 0 in Python, and both fit; write _{:,2:3}, which counts from 1"
    elif COLUMN_SUMS.search(text):
        what = "the sums of the columns could be a column, as colsum(X) is printed, or a row, and both fit; write X^T ones(n, 1) or ones(1, n) X"
    else:
        sign = TWO_MEANINGS.search(text)
        at = sign.start() if sign else 0
        what = "* could be the product of matrices or the product entry by entry, and both fit; write @ or ⊙"
        if sign and (sign.group() != "*" or text.startswith("**", at)):
            what = "a power could be the product of matrices or the power of each entry, and both fit; write X X or X ⊙ X"  # fmt: skip
    return ReadingError(text, Span(at, at), "ambiguous", what)


# -- one reading ------------------------------------------------------------------------------------------------
def _decide(statement: Statement, reading: Reading, condition: str = "") -> tuple[Verdict, Any]:
    subject = statement.subject
    if reading.jacobian is not None and condition:
        return _decide_where(reading.jacobian, subject, condition)
    sides = (reading.left, reading.right)
    whole = [unfolded(written_out(side, subject.behind)) for side in sides]
    slopes = _slopes(reading, subject, whole)
    for k, (left, right) in enumerate((*_shallow(statement, reading), tuple(whole))):
        check_time()
        if k == 1 and reading.jacobian is None and (example := find_soon(whole[0], whole[1], slopes)) is not None:
            return _refuted(example), example
        plain = without_assumptions(left), without_assumptions(right)
        if left is right or have_same_formula(*plain, steps_left(STEPS_AT_MOST)):
            verdict = _proved(left, right)
            if verdict.where_defined and (at := without_value(*whole)) is not None:
                return _without_value(at), None
            return verdict, None
    example = _where_they_differ(reading, subject, whole, slopes)
    if example is None and slopes is not None and (example := _where_they_differ(reading, subject, whole)) is not None:
        return _without_slope(example), None
    if example is not None:
        return _refuted(example), example
    check_time()
    if reading.jacobian is not None and jumps(*whole):
        return _undecided_step(), None
    return judge_equation(*whole), None


def _where_they_differ(reading: Reading, subject: Subject, whole: list[Node], slopes: Node | None = None) -> Any:
    if reading.jacobian is None:
        return find(whole[0], whole[1], slopes=slopes)
    numbers = Balls if slopes is None else WithSlopes
    return find_at_entries(reading.jacobian, lambda node: written_out(node, subject.behind), numbers=numbers)[0]


def _slopes(reading: Reading, subject: Subject, whole: list[Node]) -> Node | None:
    """The side that says what a gradient is, or a derivative, where a step from 0 to 1 stands in it."""
    if reading.jacobian is not None:
        side = unfolded(written_out(reading.jacobian.derived, subject.behind))
        return side if jumps(side) else None
    coming_in = subject.gradient.cotangent if subject.gradient is not None else None
    gradients = {coming_in, *(step.letter for step in subject.steps.values() if step.derivative is not None)}
    sides = (side for side, given in zip(whole, (reading.left, reading.right), strict=True) if given._free & gradients)
    side = next(sides, None)
    return side if side is not None and jumps(side) else None


def _decide_where(jacobian: Jacobian, subject: Subject, condition: str) -> tuple[Verdict, Any]:
    """At the entries whose indices fulfil the condition."""
    found = CONDITION.fullmatch(condition)
    holds = HOLDS.get(found.group(2)) if found else None
    indices = {str(s).rstrip("′") for s in jacobian.sizes}
    if found is None or holds is None or not {found.group(1), found.group(3)} <= indices:
        return Verdict(UNDECIDABLE, "the condition is not read", reason_ja="条件を読めない"), None
    a, b = found.group(1), found.group(3)
    example, compared = find_at_entries(
        jacobian, lambda node: written_out(node, subject.behind), lambda at: holds(at[a], at[b]), WithSlopes
    )
    if example is not None:
        return _refuted(example), example
    if compared < ENTRIES_AT_LEAST:
        return Verdict(UNDECIDABLE, "too few entries could be compared", reason_ja="比べられた成分が少なすぎる"), None
    shown = f"{a} {SHOWN.get(found.group(2), found.group(2))} {b}"
    reason = f"equal at the {compared} entries with {shown} that were compared"
    ja = f"比べた {compared} 個の成分（{shown}）ではすべて等しい"
    return Verdict(TESTED, reason, reason_ja=ja), None


def _shallow(statement: Statement, reading: Reading) -> list[tuple[Node, Node]]:
    """Both sides in terms of the steps, then with the backward steps written out: an identity there holds for all."""
    subject = statement.subject
    found: list[tuple[Node, Node]] = []
    if statement.letter is not None:
        step = subject.steps[statement.letter.name]
        found.append((substitute(reading.left, {statement.letter: step.definition}), reading.right))
    backward = subject.cotangents
    if not (statement.letter is not None and statement.letter not in backward):
        found.append((written_out(reading.left, backward), written_out(reading.right, backward)))
    return [(unfolded(left), unfolded(right)) for left, right in found]


def _proved(left: Node, right: Node) -> Verdict:
    everywhere = left is right or conditions(left) == conditions(right)
    where, ja = ("", "") if everywhere else (", wherever both are defined", "（両辺がともに値を持つところで）")
    return Verdict(
        PROVED,
        f"the claim and the derived formula have the same entries{where}",
        reason_ja=f"書かれた式と導出した式は成分ごとに一致する{ja}",
        where_defined=not everywhere,
    )


def _without_value(example: Any) -> Verdict:
    en = f"both are equal wherever both have a value, but the claim has none for {example.shown}, where the derived formula has one"
    ja = f"両辺がともに値を持つところでは一致するが、{example.shown} のとき、導出した式には値があるのに書かれた式には値がない"
    return Verdict(UNDECIDABLE, en, reason_ja=ja)


def _without_slope(example: Any) -> Verdict:
    en = f"a difference was found only where ReLU is taken of 0, at which it has no slope and the derived formula takes 0: for {example.shown}"
    ja = f"違いが見つかったのは、ReLU の引数が 0 になるところだけである。そこでは傾きがなく、導出した式は 0 とする（{example.shown} のとき）"
    return Verdict(UNDECIDABLE, en, reason_ja=ja)


def _undecided_step() -> Verdict:
    en = "equal at the small numbers that were tried, which decide nothing about a step from 0 to 1"
    ja = "試した小さな数では等しいが、0 から 1 へ飛ぶ関数については、それだけでは何も決まらない"
    return Verdict(UNDECIDABLE, en, reason_ja=ja)


def _refuted(example: Any) -> Verdict:
    en = f"entry {example.entry} is {example.derived} by the derived formula and {example.claimed} by the claim, for {example.shown}"
    ja = f"{example.entry} 成分は、導出した式では {example.derived}、書かれた式では {example.claimed} になる（{example.shown} のとき）"
    shown = (*example.sizes, *example.numbers, *example.matrices)
    return Verdict(REFUTED, en, counterexample=shown, reason_ja=ja)


def _shapes(text: str, error: ReadingShapeError, notes: tuple[Words, ...]) -> Claim:
    """Sizes that do not fit, or that fit only where two of them are equal."""
    cause: Any = error.__cause__
    sides = cause.sides if isinstance(cause, ShapeError) and cause.sides else None
    message = error.message
    only_en = only_ja = ""
    if sides is not None:
        a, b = sides
        both_numbers = not (a.free_symbols or b.free_symbols)
        only_en = "" if both_numbers else f"; they fit only if {a} = {b}"
        only_ja = "" if both_numbers else f"。{a} = {b} のときだけ合う"
        ja = f"大きさが合わない。{a} と {b} は等しくなければならない{only_ja}"
    else:
        ja = f"大きさが合わない（{message}）"
    verdict = Verdict(SHAPES, f"the sizes do not fit: {message}{only_en}", reason_ja=ja)
    return Claim(text, verdict, "", text.strip(), ALL_SIZES, notes=notes)


__all__ = ["Claim", "decided", "replace"]
