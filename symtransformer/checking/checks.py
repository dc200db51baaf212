"""A document that somebody wrote, checked: every equation gets a verdict."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from symtransformer.checking import equation_words as words
from symtransformer.checking.declared import NAMES
from symtransformer.checking.doubts import (
    declared_in,
    ends_with_number,
    headings_of,
    is_concluded,
    is_cut,
    is_in_a_sentence,
    is_in_another_unit,
    is_supposed,
)
from symtransformer.checking.engine import Engine
from symtransformer.checking.equations import ACCEPTED, Equation, FileReport, Report, Unread
from symtransformer.checking.given_later import as_given_later
from symtransformer.checking.inequalities import HOLDS
from symtransformer.checking.marks import Marks, marks_of, relation_of_let
from symtransformer.checking.situation import Asked
from symtransformer.checking.struck import is_partly_struck
from symtransformer.checking.told_values import values_told
from symtransformer.checking.words_that_compute import is_bare_name, is_computed_in_words
from symtransformer.chosen_notation import USUAL, Notation
from symtransformer.documents import Document, DocumentError, Relation, read_document, said_of, split, unread_signs
from symtransformer.documents.limits import NOTEBOOK_BYTES
from symtransformer.documents.placed import Placed
from symtransformer.documents.usual_notation import Translation, as_usual
from symtransformer.errors import UnreadableInput
from symtransformer.notation import Words

OWN_SIGNS = {(".", ","): ",", (".", "{"): "{,}", (",", ";"): ";"}  # what is read, and what stands there
IDLE = "This mark has no effect: no equation stands on its line or below it."
Source = str | bytes | Path | Sequence[Path]


def check(
    source: Source,
    *,
    name: str = "",
    kind: str = "",
    encoding: str = "",
    together: bool = False,
    against: Any = None,
    names: Mapping[str, str] | None = None,
    folder: Path | None = None,
    notation: Notation = USUAL,
) -> Report:
    r"""Every equation of a document with a verdict: right to the digits shown, wrong, proved, refuted, not read, ...

    `source` is the text of a document, its bytes, a `Path`, or several; with `together` they share what they define.
    `kind` is latex, markdown, text, notebook, html or json, and is seen from content and name if left out. `against` is
    a derivation, or values by name: its inputs count as defined, its steps as what the document ought to find; `names`
    says which name in it a name of the document stands for. \input is read only below `folder`. `notation` is how
    the document writes names, heads and decimals, as on a page that was made in it. A file that cannot be
    opened or decoded is an `error` in its report; the others are checked all the same.

    >>> from symtransformer import check
    >>> report = check("K = [[1, 0], [0.5, 1]], q = [1, 2], q K^T = [1, 3.5]")
    >>> [e.verdict for e in report.equations]
    ['definition', 'definition', 'wrong']
    >>> print(report.equations[2].words.en)
    Entry (1, 2), shown as 3.5: wrong: it is 2.5.
    """
    reference = _reference(against, names, notation)
    known = frozenset(reference or ())
    engine = Engine(reference)
    files = []
    for given, content in _contents(source, name):
        engine = engine if together else Engine(reference)
        if isinstance(content, FileReport):
            files.append(content)
            continue
        files.append(_checked(engine, content, given, kind, encoding, folder, as_usual(notation, known)))
    return Report(tuple(files))


def _contents(source: Any, name: str) -> list[tuple[str, bytes | FileReport]]:
    if isinstance(source, (bytes, bytearray)):
        return [(name or "-", bytes(source))]
    if isinstance(source, str):
        return [(name or "-", source.encode("utf-8", "surrogatepass"))]
    if isinstance(source, Path):
        return [_read(source)]
    if isinstance(source, Sequence) and all(isinstance(path, Path) for path in source):
        return [_read(path) for path in source]
    raise UnreadableInput(f"check: expected text, bytes or paths, got {type(source).__name__}")


def _read(path: Path) -> tuple[str, bytes | FileReport]:
    try:
        with path.open("rb") as stream:  # a device may have no end
            return str(path), stream.read(NOTEBOOK_BYTES + 1)
    except OSError as error:
        return str(path), FileReport(str(path), error=error.strerror or str(error))
    except ValueError:
        return str(path), FileReport(str(path), error="no name of a file")


def _checked(
    engine: Engine, content: bytes, name: str, kind: str, encoding: str, folder: Path | None, usual: Translation | None
) -> FileReport:
    try:
        document = read_document(content, name, kind, encoding, folder, usual)
        found, claimed = split(document)
    except DocumentError as error:
        return FileReport(name, error=str(error))
    marks = marks_of(document, found)
    unread = [
        Unread(p.code, p.message, p.line, p.column) for p in (*document.problems, *unread_signs(document, claimed))
    ]
    unread += [Unread("idle", IDLE, m.line, m.column) for m in marks.idle]
    equations = tuple(_equations(engine, document, found, marks, unread))
    equations = equations if usual is None else tuple(_as_written(document, found, equations))
    return FileReport(name, equations, tuple(unread), source=document.sources.texts[0])


def _equations(
    engine: Engine, document: Document, found: Sequence[Relation], marks: Marks, unread: list[Unread]
) -> list[Equation]:
    made: list[Equation] = []
    chain: list[Asked] = []
    engine.declared |= declared_in(document)
    engine.told.add(document, found)
    engine.own_functions.add(document)
    engine.definitions.headings = headings_of(document)
    engine.sizes.add(document)
    engine.random.add(document)
    lengths = Counter(relation.chain for relation in found)
    told = deque(values_told(document))
    cut: set[int] = set()  # chains of which the beginning is not read
    for i, relation in enumerate(found):
        if told and told[0].origin < min((o for o in relation.left.origins if o >= 0), default=-1):
            made += engine.check(_with_words(document, chain))
            chain = []
            while told and told[0].origin < relation.left.origins[0]:
                engine.take(told.popleft())
        if chain and (chain[0].relation.chain != relation.chain or i in marks.skipped):
            made += engine.check(_with_words(document, chain))
            chain = []
        for mark in marks.before.get(i, ()):
            _heed(engine, mark, unread)
        if i in marks.skipped:
            text = " ".join(f"{relation.left.text} {relation.sign} {relation.right.text}".split())
            made.append(
                Equation(relation.file, relation.line, relation.column, text, "number", "skipped", words.SKIPPED)
            )
            continue
        left_out = _left_out(document, relation, found[i + 1] if i + 1 < len(found) else None, cut)
        if left_out is not None:
            made += engine.check(_with_words(document, chain))
            chain = []
            made.append(left_out)
            continue
        passage = document.passages[relation.passage]
        alone = lengths[relation.chain] == 1 and is_in_a_sentence(document, relation, passage.where)
        said = is_concluded(document, relation), relation.sign in HOLDS and is_supposed(document, relation)
        chain.append(Asked(relation, passage.language, i in marks.expected_wrong, alone, *said))
    made += engine.check(_with_words(document, chain))
    for value in told:  # for another file
        engine.take(value)
    for mark in marks.after_all:
        _heed(engine, mark, unread)
    expected = {(found[i].file, found[i].line, found[i].column) for i in marks.expected_wrong}
    made = as_given_later(document, found, made)
    return [_with_expectation(e) if (e.file, e.line, e.column) in expected else e for e in made]


def _as_written(document: Document, found: Sequence[Relation], equations: Iterable[Equation]) -> Iterator[Equation]:
    """With the decimal signs and separators of the document where it is quoted."""
    places = {(r.file, r.line, r.column): r for r in found}
    for equation in equations:
        relation = places.get((equation.file, equation.line, equation.column))
        sides = [] if relation is None else [_own_signs(document, side) for side in (relation.left, relation.right)]
        text = " ".join(f"{sides[0]} {relation.sign} {sides[1]}".split()) if relation is not None else equation.text
        yield replace(equation, text=text)


def _own_signs(document: Document, side: Placed) -> str:
    pairs = zip(side.text, side.origins, strict=True)
    return "".join(OWN_SIGNS.get((c, document.sources.character(o)), c) if c in ".," else c for c, o in pairs)


def _with_words(document: Document, chain: list[Asked]) -> list[Asked]:
    """With what the sentence says of it."""
    if not chain:
        return chain
    cell = document.passages[chain[0].relation.passage].cell
    saying = said_of(document, [asked.relation for asked in chain], cell.heading if cell else "")
    return [replace(asked, saying=saying) for asked in chain]


def _left_out(document: Document, relation: Relation, following: Relation | None, cut: set[int]) -> Equation | None:
    """What is not judged, since its sides are not what was written, or a unit makes it something else."""
    language = document.passages[relation.passage].language
    if is_cut(document, relation, language) or is_computed_in_words(document, relation):
        cut.add(relation.chain)
        return _not_whole(relation, words.NOT_WHOLE, "cut")
    if relation.chain in cut and is_bare_name(relation.left.text):  # the square of x = x = 9 gives x no value
        return _not_whole(relation, words.NOT_WHOLE, "cut")
    if is_partly_struck(document, relation):
        return _not_whole(relation, words.STRUCK, "cut")
    if is_in_another_unit(document, relation):
        return replace(_not_whole(relation, words.UNIT, "unit"), verdict="undecidable")
    if ends_with_number(relation, following):
        return _not_whole(relation, words.NUMBER_BEHIND, "ambiguous")
    return None


def _not_whole(relation: Relation, said: Words, code: str) -> Equation:
    text = " ".join(f"{relation.left.text} {relation.sign} {relation.right.text}".split())
    return Equation(relation.file, relation.line, relation.column, text, "number", "unparsed", said, code=code)


def _with_expectation(equation: Equation) -> Equation:
    remarks = (*equation.remarks, words.FOUND_RIGHT) if equation.verdict in ACCEPTED else equation.remarks
    return replace(equation, expected_wrong=True, remarks=remarks)


def _heed(engine: Engine, mark: Any, unread: list[Unread]) -> None:
    """let and convention; what is not understood is said."""
    if mark.kind == "let":
        relation = relation_of_let(mark)
        found = list(engine.check([Asked(relation, "text")])) if relation is not None else []
        if not found or found[0].verdict != "definition":
            unread.append(Unread("mark", f"let is not read: {mark.text}", mark.line, mark.column))
    elif not engine.adopt(mark.text):
        unread.append(
            Unread("mark", f"convention is not known: {mark.text}; known: {', '.join(NAMES)}", mark.line, mark.column)
        )


def _reference(against: Any, names: Mapping[str, str] | None, notation: Notation) -> Any:
    if against is None:
        return None
    from symtransformer.checking.against import reference_of

    return reference_of(against, names or {}, notation)
