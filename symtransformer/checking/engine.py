"""From the relations of a document, in order, to the verdict on each of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from symtransformer.checking import equation_words as words
from symtransformer.checking.computing import Computed, Computing, computed_from
from symtransformer.checking.definitions import Cells, Definition, Definitions
from symtransformer.checking.diagnosing import Diagnosis
from symtransformer.checking.equal_sides import judge_sides
from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation
from symtransformer.checking.formulas import judge_formula
from symtransformer.checking.number_equations import CellsVerdict, Routes, fits_shape, judge_cells
from symtransformer.checking.number_words import LAST_PLACE, RIGHT, UNDECIDABLE, WRONG, Note
from symtransformer.checking.put_in_numbers import PutIn
from symtransformer.checking.refusals import refusal
from symtransformer.checking.rounded_operands import DECIMALS_OF_A_ROUNDING, may_give
from symtransformer.documents import Relation
from symtransformer.errors import SymtransformerError
from symtransformer.notation import Words
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.sides import Side, read_name, read_side

SECONDS_AT_MOST = 2.0
DEFINES_ONLY = ("=", "≈", ":=")
# why a side is rather a formula with letters than a number
OF_LETTERS = ("unknown_name", "derivative", "index", "unknown_function", "delta", "sum", "call")


@dataclass
class _Chain:
    """Sides of `a = b ≈ c`, each read once; an error where one could not be."""

    relations: Sequence[Relation]
    name: str | None
    sides: list[Side | ReadingError]


class Engine:
    """Checks the relations of one document, or of several that share definitions."""

    def __init__(self, definitions: Definitions | None = None) -> None:
        self.language = "text"
        self.definitions = definitions or Definitions()
        self.computing = Computing(self.definitions)
        self.put_in = PutIn(self.definitions, self.computing)
        self.diagnosis = Diagnosis(self.definitions, self.computing)
        self.rounds_to: set[int] = set()  # decimals of the numbers that stand behind ≈

    def check(self, relations: Iterable[tuple[Relation, str]]) -> Iterable[Equation]:
        """Each relation with the language of its passage."""
        for _, group in groupby(relations, key=lambda pair: pair[0].chain):
            chain = list(group)
            yield from self._chain([r for r, _ in chain], chain[0][1])

    def adopt(self, convention: str) -> bool:
        """Take a convention as declared, such as log=2; False if it is not known."""
        return self.diagnosis.adopt(convention)

    # -- one chain -------------------------------------------------------------------------------------------
    def _chain(self, relations: Sequence[Relation], language: str) -> Iterable[Equation]:
        self.language = language
        texts = [relations[0].left.text, *(r.right.text for r in relations)]
        name = read_name(texts[0], language)
        chain = _Chain(relations, name, [self._read(text, language) for text in texts])
        head = self._head(chain)
        faulty: int | None = None
        for k, relation in enumerate(relations):
            deadline = time.monotonic() + SECONDS_AT_MOST
            equation = self._relation(chain, k, head, faulty, lambda: time.monotonic() > deadline)  # noqa: B023
            if k == 0 and equation.verdict == "definition":
                head = self._head(chain)
            faulty = self._remember(chain, k, equation, faulty)
            yield equation
            if relation.sign == "≈" and isinstance(chain.sides[k + 1], Side):
                self._note_places(chain.sides[k + 1])

    def _read(self, text: str, language: str) -> Side | ReadingError:
        try:
            return read_side(text, self.definitions.scope, language)
        except ReadingError as error:
            return error

    def _head(self, chain: _Chain) -> Computed | None:
        """The value from the start of what all sides of a chain claim to be."""
        known = self.definitions.get(chain.name)
        if known is not None:
            return Computed(known.exact, known.listed)
        first = chain.sides[0]
        return self.computing.from_start(first) if isinstance(first, Side) else None

    def _relation(
        self, chain: _Chain, k: int, head: Computed | None, faulty: int | None, expired: Callable[[], bool]
    ) -> Equation:
        relation, left, right = chain.relations[k], chain.sides[k], chain.sides[k + 1]
        made = self._equation(relation, "number")
        if k == 0 and isinstance(right, Side):
            defined = self._defined(chain, relation, right)
            if defined is not None:
                return replace(made, **defined)
        for side in (left, right):
            if isinstance(side, ReadingError):
                return self._unread(chain, k, made, side)
        assert isinstance(left, Side)
        assert isinstance(right, Side)
        try:
            return self._numbers(made, k, left, right, head, faulty, expired)
        except SymtransformerError as error:
            return replace(made, verdict=UNDECIDABLE, words=words.NO_MEANING, code="no_value", remarks=_said(error))

    # -- definitions -----------------------------------------------------------------------------------------
    def _defined(self, chain: _Chain, relation: Relation, right: Side) -> dict[str, Any] | None:
        """What a first relation says if it gives a name its value; None if it claims something."""
        name = chain.name
        if name is None or relation.sign not in DEFINES_ONLY:
            return None
        old = self.definitions.get(name)
        if old is None:
            if isinstance(chain.sides[0], Side) and chain.sides[0].names:
                return None  # row 2 of a matrix that is known
            self._define(name, right, relation)
            return {"verdict": "definition", "words": words.DEFINED}
        if old.is_reference:
            return None
        computes = right.shown is None
        value = self.computing.from_start(right)
        if value is None or value.node is old.exact:
            return None
        if not computes and old.side is not None and (old.shown is None or not self.definitions.is_stale(old)):
            return None  # the value of what was computed
        if computes and self._agrees(value, Computed(old.exact, old.listed)):
            return None
        self._define(name, right, relation)
        return {"verdict": "definition", "words": words.DEFINED, "remarks": (words.redefined(old.line),)}

    def _agrees(self, value: Computed, old: Computed) -> bool:
        return value.shape == old.shape and judge_sides(value, old).kind == RIGHT

    def _define(self, name: str, side: Side, relation: Relation) -> None:
        value = self.computing.from_start(side)
        if value is None:
            return
        exact = value.node
        if value.shape == (1, 1) and not side.listed and (number := value.exact_number()) is not None:
            exact = number
        letters = self.definitions.letters(side)
        computed = side if letters or side.shown is None else None
        inputs = self.definitions.versions(letters)
        faulty = self.definitions.faulty_line(letters)
        self.definitions.define(
            Definition(name, exact, side.listed, relation.line, side.shown, faulty, computed, inputs)
        )
        if letters:
            self.definitions.add_formula(name, side.text)

    def _remember(self, chain: _Chain, k: int, equation: Equation, faulty: int | None) -> int | None:
        """The digits last shown for the name that begins the chain, and the line where they go wrong."""
        if equation.verdict in ACCUSING:
            faulty = faulty or equation.follows_from or equation.line
        right = chain.sides[k + 1]
        known = self.definitions.get(chain.name)
        if known is not None and isinstance(right, Side) and right.shown is not None:
            if equation.verdict in (*ACCEPTED, *ACCUSING, "definition", UNDECIDABLE):
                self._show(known, right.shown, faulty or known.faulty)
        return faulty

    def _show(self, known: Definition, shown: Cells, faulty: int | None) -> None:
        size = len(shown), len(shown[0])
        if size == Computed(known.exact).shape:
            self.definitions.show(known.name, shown, faulty)

    def _note_places(self, side: Any) -> None:
        for row in side.shown or ():
            self.rounds_to |= {claim.places for claim in row if claim.place is not None}

    # -- formulas ----------------------------------------------------------------------------------------------
    def _unread(self, chain: _Chain, k: int, made: Equation, error: ReadingError) -> Equation:
        """An equation with letters, or one that cannot be read."""
        relation = chain.relations[k]
        if error.code == "shapes":
            return replace(made, kind="number", verdict="shapes", words=refusal(error), code="shapes")
        is_definition = k == 0 and chain.name is not None
        if error.code not in OF_LETTERS and not is_definition:
            return replace(made, verdict="unparsed", words=refusal(error), code=error.code)
        known = {name: d.known.shape for name, d in self.definitions.by_name.items()}
        found = judge_formula(relation.left.text, relation.right.text, tuple(self.definitions.formulas.items()), known)
        if found.kind == "definition" and chain.name is not None and k == 0:
            self.definitions.add_formula(chain.name, relation.right.text)
        return replace(
            made,
            kind="formula",
            verdict=found.kind,
            words=found.words,
            against=found.against,
            counterexample=found.counterexample,
            code=found.code,
            remarks=tuple(found.remarks),
            right_value=found.right or None,
        )

    # -- numbers -----------------------------------------------------------------------------------------------
    def _numbers(
        self, made: Equation, k: int, left: Side, right: Side, head: Computed | None, faulty: int | None, expired: Any
    ) -> Equation:
        claimed, other = (right, left) if right.shown is not None or left.shown is None else (left, right)
        source = self._source(other)
        start = head if k > 0 else self.computing.from_start(other) if self.definitions.letters(other) else None
        if claimed.shown is None:
            return self._sides(made, left, right, expired)
        local = self._local(source)
        if start is None and local is None:
            return replace(made, verdict=UNDECIDABLE, words=words.NO_MEANING, code="no_value")
        wrong_line = faulty or self.definitions.faulty_line(self.definitions.letters(source))
        routes = Routes(
            start,
            local,
            self.computing.range_of(source),
            (lambda d: self.computing.rounded(source, d)) if self.definitions.letters(source) else None,
            None if wrong_line is None else str(wrong_line),
            expired,
        )
        fitting = fits_shape(claimed.shown, claimed.listed, routes)
        if fitting is None:
            size = len(claimed.shown), len(claimed.shown[0])
            return replace(made, verdict="shapes", words=words.sizes_differ(routes.shape, size), code="shapes")
        found = judge_cells(claimed.shown, fitting, _relation_sign(made), claimed.listed)
        return self._explained(made, found, claimed, source, fitting, wrong_line, fitting is not routes)

    def _source(self, side: Side) -> Side:
        """What a name was computed from, for a name alone."""
        letters = self.definitions.letters(side)
        alone = len(letters) == 1 and side.value in letters.values()
        definition = self.definitions[next(iter(letters))] if alone else None
        return side if definition is None or definition.side is None else definition.side

    def _local(self, side: Side) -> Computed | None:
        """By the numbers shown."""
        if side.shown is not None:
            return computed_from(side.shown, not hasattr(side.value, "shape"), side.listed)
        return self.computing.by_shown(side)

    def _explained(
        self, made: Equation, found: CellsVerdict, claimed: Side, source: Side, routes: Routes,
        wrong_line: int | None, turned: bool,
    ) -> Equation:  # fmt: skip
        assert claimed.shown is not None
        equation = replace(
            made,
            verdict=found.kind,
            words=found.words,
            local=found.local,
            from_start=found.from_start,
            right_value=found.right,
            entries=found.entries,
            remarks=found.notes,
            code=found.code,
            follows_from=wrong_line if found.kind == "follows" else None,
        )
        if found.kind == LAST_PLACE and routes.start is None and self._may_be_rounded(claimed, source):
            return replace(equation, verdict=UNDECIDABLE, words=words.NOT_TOLD, code="rounded_operands")
        return self.diagnosis.explained(equation, claimed.shown, source, routes, turned)

    def _may_be_rounded(self, claimed: Side, source: Side) -> bool:
        """Numbers of at least three decimals, in a document that rounds to so many."""
        assert claimed.shown is not None
        places = {claim.places for row in claimed.shown for claim in row if claim.place is not None}
        if not places or min(places) < DECIMALS_OF_A_ROUNDING or not places & self.rounds_to:
            return False
        return may_give(source, claimed.shown, self.computing, self.definitions.scope, self.language)

    def _sides(self, made: Equation, left: Side, right: Side, expired: Any) -> Equation:
        """Two expressions: equal, or the same with numbers put in for what has a name."""
        one, other = self.computing.from_start(left), self.computing.from_start(right)
        if one is None or other is None:
            return replace(made, verdict=UNDECIDABLE, words=words.NO_MEANING, code="no_value")
        found = judge_sides(one, other, expired)
        if found.kind == WRONG and (put_in := self.put_in.judged(left, right, made)) is not None:
            return put_in
        return replace(made, verdict=found.kind, words=found.words, right_value=found.right, code=found.code)

    def _equation(self, relation: Relation, kind: str) -> Equation:
        text = " ".join(f"{relation.left.text} {relation.sign} {relation.right.text}".split())
        return Equation(
            relation.file, relation.line, relation.column, text, kind, "undecidable", words.NO_MEANING,
        )  # fmt: skip


def _relation_sign(made: Equation) -> str:
    return "≈" if " ≈ " in made.text else "="


def _said(error: Exception) -> tuple[Note, ...]:
    return (Note("reason", Words(str(error), str(error))),)

