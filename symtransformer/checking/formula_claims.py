"""Equations with gradients or with indices: judged as claims about the document's own formulas, else the library's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from symtransformer.checking.formula_deciding import read_lines, readable, words_in
from symtransformer.checking.formula_definitions import GRADIENT, capital
from symtransformer.checking.formula_document import Document
from symtransformer.checking.formula_left_out import left_out
from symtransformer.checking.formula_syntax import Named, Part, changed, every_part, names_in
from symtransformer.checking.formula_verdicts import OWN_FORMULAS, STANDARD
from symtransformer.checking.formula_writing import written
from symtransformer.claims.claim import SHAPES, Claim
from symtransformer.claims.deciding import decided
from symtransformer.claims.subject import Subject, subject_of
from symtransformer.claims.time_limit import check_time
from symtransformer.errors import SymtransformerError
from symtransformer.node import Node, postorder
from symtransformer.notation import Words
from symtransformer.reading import Reading, ReadingError
from symtransformer.symbols import Letter

ATTENTION = [("S", "Q K^T / sqrt(d_k)"), ("A", "softmax(S)"), ("Z", "A V")]
STANDARDS: tuple[tuple[frozenset[str], list[tuple[str, str]], Words], ...] = (  # letters, lines, what it is
    (frozenset("QKVSAZ"), ATTENTION, STANDARD),
    (frozenset("pz"), [("p", "softmax(z)")], Words("judged against p = softmax(z)", "p = softmax(z) と比べた")),
    (frozenset("PS"), [("P", "softmax(S)")], Words("judged against P = softmax(S)", "P = softmax(S) と比べた")),
    (frozenset("yx"), [("y", "softmax(x)")], Words("judged against y = softmax(x)", "y = softmax(x) と比べた")),
    (frozenset("px"), [("p", "softmax(x)")], Words("judged against p = softmax(x)", "p = softmax(x) と比べた")),
    (frozenset("sz"), [("s", "softmax(z)")], Words("judged against s = softmax(z)", "s = softmax(z) と比べた")),
    (frozenset("XWY"), [("Y", "X W")], Words("judged against Y = X W", "Y = X W と比べた")),
)


NUMBERS = frozenset(("c", "alpha", "tau", "lambda", "eta", "epsilon", "eps", "T"))
EITHER = frozenset(("a", "b", "k", "t", "r", "beta", "gamma"))  # a number in one text, and a vector in another
LINES_AT_MOST = 40  # of the formulas that one claim rests on
Lines = dict[str, tuple[str, str]]


@dataclass(frozen=True)
class Judged:
    """The claim as it was judged, and against what."""

    claim: Claim
    against: Words
    is_usual: bool = False  # against formulas that the document does not give, though its letters are the usual ones
    is_partial: bool = False  # of one end of the document's formulas only, and the letter goes into another too
    left_out: tuple[str, ...] = ()  # names whose formulas were not put in, so that it says nothing of the document's


def variables(parts: tuple[Part, ...]) -> set[str]:
    """The letters in gradients and outside of them: dq_i is about Q."""
    found: set[str] = set()
    for part in parts:
        for name in names_in(part):
            match = GRADIENT.fullmatch(name)
            found.add(name[1:] if match else name)
    return found


def judge_claim(document: Document, *sides: Part, condition: str = "") -> Judged | ReadingError | None:
    """Left and right side, or the upper and the lower letter of a derivative and what it is.

    Of the first way to read it that makes it true; else of the first that can be read at all, or the first error.
    """
    outcomes = [
        _as_read(document, way, condition)
        for way in dict.fromkeys((tuple(_rows(document, side) for side in sides), sides))
    ]
    judged = [x for x in outcomes if isinstance(x, Judged)]
    if not any(x.claim.is_accepted for x in judged):
        numbers = _numbers(document, sides)
        again = _as_read(document, sides, condition, numbers) if numbers else None
        if isinstance(again, Judged) and (again.claim.is_accepted or not judged or judged[0].claim.kind == SHAPES):
            outcomes, judged = [again], [again]
    best = next((x for x in judged if x.claim.is_accepted and not x.is_partial), None)
    return best or next((x for x in judged if x.claim.is_accepted), None) or next(iter(judged), None) or outcomes[0]


def _numbers(document: Document, sides: tuple[Part, ...]) -> tuple[str, ...]:
    """Letters such as t in t S, of which nothing was said: they may be numbers."""
    names = variables(sides)
    names |= {n for d in document.behind(names) for n in d.uses}
    return tuple(sorted(n for n in names & (NUMBERS | EITHER) if document.find(n) is None))


def _as_read(
    document: Document, way: tuple[Part, ...], condition: str, numbers: tuple[str, ...] = ()
) -> Judged | ReadingError | None:
    shown = [written(side) for side in way]
    text = f"∂{shown[0]}/∂{shown[1]} = {shown[2]}" if len(way) == 3 else f"{shown[0]} = {shown[1]}"
    where = _where(document, variables(way))
    is_gradient = len(way) == 2 and any(GRADIENT.fullmatch(n) for n in names_in(way[0]))
    found: list[Judged] = []
    error: ReadingError | None = None
    for lines, against, is_part in _with_free_gradients(_subjects(document, way)):
        if len(lines) > LINES_AT_MOST:
            continue
        for claim in dict.fromkeys((text + where, text)):
            check_time()
            try:
                made = decided(claim, _subject(tuple(lines), numbers), {}, condition=condition if len(way) == 3 else "")
            except ReadingError as caught:
                error = error or caught
                continue
            except (SymtransformerError, ArithmeticError):
                continue
            usual = against is not OWN_FORMULAS and lines is not ATTENTION
            names = _left_out(document, way, made, lines) if len(way) == 3 else ()
            found.append(Judged(made, against, usual, is_part and is_gradient, names))
            break
        if found and found[-1].claim.is_accepted:
            return found[-1]
    return found[0] if found else error


def _with_free_gradients(subjects: Iterable[Any]) -> Iterator[Any]:
    """Each, and then the same without formulas of gradients: behind dA = D V^T, dS = A ⊙ (dA - ...) is of any dA."""
    for lines, against, is_part in subjects:
        yield lines, against, is_part
        plain = [line for line in lines if not GRADIENT.fullmatch(line[0])]
        if 0 < len(plain) < len(lines):
            yield plain, against, is_part


def _left_out(
    document: Document, way: tuple[Part, ...], made: Claim, lines: Iterable[tuple[str, str]]
) -> tuple[str, ...]:
    """What holds for every n holds for n = ‖w‖ too, unless w is the letter by which is differentiated."""
    upper, lower, right = way
    every, resting = left_out(document, variables((upper, right)), variables((lower,)), lines)
    return tuple(resting if made.is_accepted else every)


def _rows(document: Document, part: Part) -> Part:
    """q_i as a row of Q, where the document has both q and Q."""
    if isinstance(part, Named) and len(part.indices) == 1:
        start = 1 if GRADIENT.fullmatch(part.name) else 0
        small, large = part.name[start:], capital(part.name[start:])
        own = document.definitions.get(small)
        if small != large and large in document.letters and (own is None or not own.indices):
            return replace(part, name=part.name[:start] + large)
    return changed(part, lambda inner: _rows(document, inner))  # type: ignore[no-any-return]


@lru_cache(maxsize=64)
def _subject(lines: tuple[tuple[str, str], ...], numbers: tuple[str, ...] = ()) -> Subject:
    return subject_of(_read(lines, numbers))


def _read(lines: Iterable[tuple[str, str]], numbers: tuple[str, ...] = ()) -> Reading:
    lines, shapes = list(lines), dict.fromkeys(numbers, "number")
    text = "\n".join(f"{name} = {formula}" for name, formula in lines)
    return read_lines(text, shapes, words_in((), shapes, lines))


def _where(document: Document, names: set[str]) -> str:
    """Names that stand for gradients, as in g_ij = ∂L/∂s_ij."""
    found = [d for n in sorted(names) if (d := document.find(n)) is not None and d.has_gradients]
    heads = [f"{d.name}_{{{','.join(d.indices)}}}" if d.indices else d.name for d in found]
    return "".join(
        f"; {head} = {written(d.right)}" for head, d in zip(heads, found, strict=True) if d.right is not None
    )


def _subjects(document: Document, way: tuple[Part, ...]) -> Iterator[tuple[Any, Words, bool]]:
    """Lines, what they are, and whether the letter on the left side goes elsewhere too."""
    names = variables(way)
    made = [d.right for n in names if (d := document.find(n)) is not None and d.has_gradients and d.right is not None]
    names |= variables(tuple(made))
    if len(way) == 3:
        document = _without_own_formula(document, variables(way[1:2]))
    own = reached(document, variables(way[:1]), names) or reached(document, names, names)
    for k, lines in enumerate(own):
        yield lines, OWN_FORMULAS, len(own) > 1 and k > 0
    if own and len(way) == 2:
        return
    capitals = {capital(n) for n in names if len(n) == 1}
    for letters, lines, words in STANDARDS:
        wanted = names if all(x.islower() for x in letters) else capitals
        is_attention = lines is ATTENTION and len(capitals & letters) >= 2 and bool(capitals & {"S", "A", "Z"})
        if len(way) == 2 and all(x.islower() for x in letters):
            continue  # x and y are used for anything
        is_own = any(document.find(name) is not None for name, _ in lines)
        if (letters <= wanted or is_attention) and not is_own:
            yield lines, words, False


def _without_own_formula(document: Document, names: set[str]) -> Document:
    """Of ∂p_i/∂z_j, where z = W x: by z it is differentiated, whatever z is made of."""
    return document.without({d.name for n in names if (d := document.find(n)) is not None})


def reached(document: Document, names: set[str], others: set[str]) -> list[list[tuple[str, str]]]:
    """The document's formulas that the letters go into, to the end; one list for each way to join the ends.

    `others` are named there too, where they are parts of the ends.
    """
    about = {d.name for n in names if (d := document.find(n)) is not None} | names | {capital(n) for n in names}
    users: set[str] = set()
    for definition in document.definitions.values():  # in order, so that what depends on a user comes after it
        inside = {*definition.uses, *map(capital, definition.uses)}
        if definition.name in about or inside & (about | users):
            users.add(definition.name)
    users |= _users_by_content(document, users)
    behind = document.behind({*users, *others})
    if len(behind) > LINES_AT_MOST:
        return []
    every = {d.name: line for d in behind if (line := document.matrix_line(d)) is not None}
    kept = set(readable([*every.values()], {}))
    lines = {name: line for name, line in every.items() if line in kept}
    hidden = {d.name for d in behind if d.name not in lines and not d.is_alias and (d.right is None or d.name in users)}
    if any(hidden & set(d.uses) for d in behind if d.name in lines):
        return []  # what goes through a formula that is not read is not known
    users &= lines.keys()
    used = {x for n in users for x in document.definitions[n].uses}
    used |= {d.name for x in used if (d := document.find(x)) is not None}
    ends = [n for n in document.definitions if n in users and n not in used]
    parts = _inside(
        ends, [n for n in others if (d := document.find(n)) is not None and d.name in lines], lines, document
    )
    sinks = [n for n in ends if not any(n in inner for inner in parts.values())]
    found = [_joined(document, lines, [n], parts) for n in reversed(sinks)]
    if len(sinks) > 1:
        found.insert(0, _joined(document, lines, sinks, parts))
    return found


def _joined(document: Document, lines: Lines, sinks: list[str], inside: dict[str, list[str]]) -> list[tuple[str, str]]:
    """The lines behind the ends, the end last."""
    parts = [p for n in sinks for p in inside.get(n, ())]
    found = [lines[d.name] for d in document.behind([*parts, *sinks]) if d.name in lines and d.name not in sinks]
    found += [lines[n] for n in sinks]
    if len(sinks) > 1:
        found.append(("Joined", f"Concat({', '.join(lines[n][0] for n in sinks)})"))
    return found


def _inside(ends: list[str], others: list[str], lines: Lines, document: Document) -> dict[str, list[str]]:
    """Ends and other names that are parts of an end, as S = Q Kᵀ is of softmax(Q Kᵀ / √d_k): those are named there."""
    every = [*dict.fromkeys((*ends, *others))]
    nodes = _nodes(document, every, lines) if len(every) > 1 else {}
    parts = {n: set(postorder(nodes[n])) - {nodes[n]} for n in ends if n in nodes}
    return {n: [m for m in every if m != n and nodes.get(m) in parts.get(n, ())] for n in ends}


def _nodes(document: Document, names: Iterable[str], lines: Lines) -> dict[str, Node]:
    """What the names stand for in terms of the inputs, all with the same sizes."""
    check_time()
    names = list(names)
    own = tuple(lines[d.name] for d in document.behind(names) if d.name in lines)
    try:
        read = _read(own).names
    except SymtransformerError:
        return {}
    return {n: read[lines[n][0]] for n in names if n in lines and lines[n][0] in read}


def _users_by_content(document: Document, about: set[str]) -> set[str]:
    """Formulas that hold what is asked for without its name: O = softmax(Q Kᵀ) V, where P = softmax(S) and S = Q Kᵀ."""
    if not about or len(document.definitions) > LINES_AT_MOST:
        return set()
    every = {d.name: line for d in document.definitions.values() if (line := document.matrix_line(d)) is not None}
    kept = set(readable([every[d.name] for d in document.behind(every) if d.name in every], {}))
    nodes = _nodes(document, every, {name: line for name, line in every.items() if line in kept})
    wanted = {nodes[n] for n in about if n in nodes and not isinstance(nodes[n], Letter)}
    return {n for n, node in nodes.items() if n not in about and wanted & set(postorder(node))}


def has_indices(*parts: Part) -> bool:
    """Whether indices stand in it, or a sum over them."""
    return any(
        getattr(p, "indices", ()) or type(p).__name__ in ("Total", "Delta") for part in parts for p in every_part(part)
    )
