"""Whether two sides are equal: read together with the formulas behind them, so that letters get fitting sizes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sympy import Symbol

from symtransformer.claims.counterexamples import Counterexample, find, find_soon, without_value
from symtransformer.claims.time_limit import check_time, steps_left
from symtransformer.domains import conditions
from symtransformer.errors import ShapeError, SymtransformerError
from symtransformer.formulas import have_same_formula
from symtransformer.formulas.same_formula import STEPS_AT_MOST
from symtransformer.judge import PROVED, REFUTED, UNDECIDABLE, Verdict, judge_equation
from symtransformer.judge.assumptions import without_assumptions
from symtransformer.node import Node, postorder, substitute
from symtransformer.operation import unfolded
from symtransformer.reading import Reading, ReadingError, read_expression
from symtransformer.reading.problems import START
from symtransformer.reading.vocabulary import function_named, is_greek_number, is_size_name, known_functions
from symtransformer.symbols import Letter, permutation

LEFT, RIGHT = "Leftside", "Rightside"
PERMUTATION = "P"
MEANT_POSITIVE = frozenset(("epsilon", "eps", "tau", "T", "sigma"))
OF_ROWS = frozenset(
    ("Softmax", "Standardization", "RMSDivision", "LogSumExp", "Hardmax", "StandardDeviation", "RowMean")
)
NAMES = re.compile(r"(?<![A-Za-z0-9_.])[A-Za-z][A-Za-z0-9_]*(?![A-Za-z0-9_(=])")


@dataclass(frozen=True)
class Decision:
    """The verdict, the numbers for which the sides differ, and sizes that do not fit."""

    kind: str
    reason: str
    reason_ja: str = ""
    example: Counterexample | None = None
    counterexample: str = ""
    sizes: tuple[Any, Any] | None = None  # that do not fit

    @property
    def is_accepted(self) -> bool:
        return self.kind in ("proved", "tested")


ONE_SIDED = Decision(
    UNDECIDABLE,
    "both sides are equal wherever both have a value, but one has none where the other has one",
    "両辺がともに値を持つところでは一致するが、一方だけが値を持つところがある",
)


def decide(left: Node, right: Node) -> Decision:
    """By normal form, then by small numbers, then by the judge's points."""
    check_time()
    whole = [unfolded(without_assumptions(side)) for side in (left, right)]
    if whole[0] is not whole[1] and (example := find_soon(*whole)) is not None:
        return refuted_by(example)
    if whole[0] is whole[1] or have_same_formula(whole[0], whole[1], steps_left(STEPS_AT_MOST)):
        everywhere = whole[0] is whole[1] or conditions(whole[0]) == conditions(whole[1])
        if not everywhere and without_value(whole[0], whole[1]) is not None:
            return ONE_SIDED
        where, ja = ("", "") if everywhere else (", wherever both are defined", "（両辺がともに値を持つところで）")
        return Decision(PROVED, f"both sides have the same entries{where}", f"両辺は成分ごとに一致する{ja}")
    example = find(whole[0], whole[1])
    if example is not None:
        return refuted_by(example)
    check_time()
    decision = of_verdict(judge_equation(*whole))
    return ONE_SIDED if decision.is_accepted and _is_without_value(*whole) else decision


def _is_without_value(left: Node, right: Node) -> bool:
    """Whether one side has a value where the other has none, as log c² and 2 log c for c < 0."""
    symbols = {s for side in (left, right) for s in side._mentions if isinstance(s, Symbol)}
    turned = {s: -s for s in symbols if not s.is_nonnegative and s.name not in MEANT_POSITIVE}
    pairs = [(left, right), tuple(side.xreplace(turned) for side in (left, right))]
    return any(without_value(a, b) is not None or without_value(b, a) is not None for a, b in pairs)


def refuted_by(example: Counterexample) -> Decision:
    en = f"entry {example.entry} is {example.derived} on the left side and {example.claimed} on the right side"
    ja = f"{example.entry} 成分は、左辺では {example.derived}、右辺では {example.claimed} になる"
    return Decision(REFUTED, en, ja, example, example.shown)


def of_verdict(verdict: Verdict) -> Decision:
    shown = ", ".join(f"{n} = {v}" for n, v in verdict.counterexample)
    return Decision(verdict.kind, verdict.reason, verdict.reason_ja or verdict.reason, counterexample=shown)


def of_shapes(error: ReadingError | ShapeError) -> Decision:
    cause: Any = error.__cause__ if isinstance(error, ReadingError) else error
    message = getattr(error, "message", str(error))
    sides = cause.sides if isinstance(cause, ShapeError) and cause.sides else None
    if sides is None:
        return Decision("shapes", f"the sizes do not fit: {message}", f"大きさが合わない：{message}")
    a, b = sides
    only = (
        ("", "")
        if not (a.free_symbols or b.free_symbols)
        else (f"; they fit only if {a} = {b}", f"。{a} = {b} のときだけ合う")
    )
    ja = f"大きさが合わない（{a} と {b}）{only[1]}"
    return Decision("shapes", f"the sizes do not fit: {message}{only[0]}", ja, sizes=(a, b))


def read_together(
    lines: list[tuple[str, str]], left: str, right: str, letters: Iterable[str], shapes: Mapping[str, Any]
) -> tuple[Node, Node]:
    """Both sides in terms of the inputs; raises `ReadingError`, or `ShapeError` where they never have one size."""
    every = [f"{name} = {text}" for name, text in lines]
    names = []
    for name, side in ((LEFT, left), (RIGHT, right)):
        names.append(side if NAMES.fullmatch(side) else name)  # a name alone is no line
        every += [] if NAMES.fullmatch(side) else [f"{name} = {side}"]
    words = words_in(letters, shapes, lines, left, right)
    steps = {name for name, _ in lines} | {LEFT, RIGHT}
    if steps.issuperset(names) and len(every) > 0:
        text = "\n".join(every)
        read = read_lines(text, dict(shapes), words).names
        if all(name in read for name in names):
            made = read[names[0]], read[names[1]]
            if (apart := _sizes_apart(*made)) is None:
                return _not_degenerate(text, made, shapes)
            both = made[0]._free & made[1]._free
            shared = {
                s for letter in both if isinstance(letter, Letter) for size in letter.shape for s in size.free_symbols
            }
            if apart[0].free_symbols | apart[1].free_symbols <= shared:
                raise ShapeError(
                    f"the left side is {_shown(made[0])} and the right side {_shown(made[1])}", sides=apart
                )
    text = "\n".join([*every, f"{names[0]} - {names[1]}"])
    reading = read_lines(text, dict(shapes), words)
    found = {**reading.letters, **reading.names}
    return _not_degenerate(text, (found[names[0]], found[names[1]]), shapes)


def read_lines(text: str, shapes: dict[str, Any], words: set[str]) -> Reading:
    """The lines read, each text once."""
    return _read_lines(text, tuple(sorted(shapes.items())), tuple(sorted(words)))


@lru_cache(maxsize=256)
def _read_lines(text: str, shapes: tuple[tuple[str, Any], ...], words: tuple[str, ...]) -> Reading:
    try:
        return read_expression(text, dict(shapes), matrices=words)
    except KeyError as error:
        raise ReadingError(text, START, "exponent", f"{error.args[0]} cannot stand where it does") from error


def _not_degenerate(text: str, sides: tuple[Node, Node], shapes: Mapping[str, Any]) -> tuple[Node, Node]:
    """Raise where it only fits if a letter is one number, or rows of one entry are normalized: that proves too much."""
    for node in postorder(*map(unfolded, sides)):
        single = isinstance(node, Letter) and node.shape == (1, 1) and node.name not in shapes
        if single or (type(node).__name__ in OF_ROWS and node._children and node._children[0].shape[1] == 1):
            message = f"{node} would be a single number" if single else f"{node} is about rows of one entry"
            raise ReadingError(text, START, "single", message)
    return sides


def _sizes_apart(left: Node, right: Node) -> tuple[Any, Any] | None:
    return next(((a, b) for a, b in zip(left.shape, right.shape, strict=True) if (a - b).expand() != 0), None)


def _shown(side: Node) -> str:
    return " x ".join(map(str, side.shape))


def readable(lines: list[tuple[str, str]], shapes: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Without the lines that cannot be read; their names are letters then."""
    if not lines or _can_be_read(tuple(lines)):
        return lines
    kept: list[tuple[str, str]] = []
    for line in lines:
        check_time()
        if _can_be_read((*kept, line)):
            kept.append(line)
    return kept


@lru_cache(maxsize=512)
def _can_be_read(lines: tuple[tuple[str, str], ...]) -> bool:
    try:
        read_lines("\n".join(f"{name} = {text}" for name, text in lines), {}, words_in((), {}, lines))
    except ReadingError as error:
        return error.code == "nothing_to_do"
    except SymtransformerError:
        return False
    return True


def read_alone(lines: Iterable[tuple[str, str]], right: str, letters: Iterable[str], shapes: Mapping[str, Any]) -> Node:
    every = [f"{name} = {text}" for name, text in lines]
    return read_lines("\n".join([*every, right]), dict(shapes), words_in(letters, shapes, lines, right)).expression


def words_in(
    letters: Iterable[str], shapes: Mapping[str, Any], lines: Iterable[tuple[str, str]], *sides: str
) -> set[str]:
    """Letters that the reader would not take for such by itself: words, and h or n where it is no size."""
    steps = {name for name, _ in lines}
    texts = [*sides, *(text for _, text in lines)]
    every = {*letters, *(x for text in texts for x in NAMES.findall(text))}
    functions = known_functions()
    return {
        x
        for x in every
        if x not in shapes
        and x not in steps
        and (x in letters or function_named(x, functions) is None)
        and _is_letter(x, texts)
    }


def _is_letter(name: str, texts: list[str]) -> bool:
    if is_size_name(name):
        return len(name) == 1 and any(
            re.search(
                rf"(?<![A-Za-z0-9_/(] ){name} (?:W|\()|(?<![A-Za-z_]){name} W|{name} \+ |\+ {name}(?![A-Za-z0-9_])|[A-Za-z](?<!ones)(?<!zeros)(?<!causal)\({name}[,)]|⊙ {name}(?![A-Za-z0-9_])|(?<![A-Za-z0-9_]){name} ⊙",
                t,
            )
            and not re.search(rf"sqrt\({name}\)|/ {name}", t)
            for t in texts
        )
    return (
        len(re.sub("[0-9]", "", name.partition("_")[0])) > 1 and not is_greek_number(name) and name not in ("pi", "eps")
    )


def compare(
    lines: list[tuple[str, str]], left: str, right: str, letters: Iterable[str], shapes: Mapping[str, Any]
) -> Decision:
    """Read and decided; what cannot be read raises, sizes that do not fit are a verdict."""
    try:
        sides = read_together(lines, left, right, letters, shapes)
    except ShapeError as error:
        return of_shapes(error)
    decision = decide(*sides)
    is_free = PERMUTATION in letters and PERMUTATION not in {name for name, _ in lines} and PERMUTATION not in shapes
    if decision.kind != REFUTED or not is_free:
        return decision
    return _if_permutation(decision, read_together, lines, left, right, letters, {**shapes, PERMUTATION: "n n"})


def _if_permutation(decision: Decision, read: Any, *given: Any) -> Decision:
    """The decision, but open where the sides are equal for any permutation matrix P: a text says so in words."""
    try:
        sides = read(*given)
        letter = next(x for side in sides for x in side._free if getattr(x, "name", "") == PERMUTATION)
        rule = {letter: permutation(PERMUTATION, letter.shape[0])}
        if not decide(*(substitute(side, rule) for side in sides)).is_accepted:
            return decision
    except (SymtransformerError, StopIteration):
        return decision
    en = f"it holds if {PERMUTATION} is a permutation matrix, and not for every matrix {PERMUTATION}"
    ja = f"{PERMUTATION} が置換行列なら成り立つが、任意の行列 {PERMUTATION} では成り立たない"
    return Decision(UNDECIDABLE, en, ja)
