"""From the relations of a document, in order, to the verdict on each of them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby

from sympy import S

from symtransformer.checking import equation_words as words
from symtransformer.checking.computing import Computed, Computing
from symtransformer.checking.declared_sizes import DeclaredSizes
from symtransformer.checking.defining import Defining
from symtransformer.checking.definitions import Definition, Definitions
from symtransformer.checking.doubts import undecided, without_doubt
from symtransformer.checking.engine_chain import Chain, open_equation
from symtransformer.checking.engine_letters import Lettered
from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation
from symtransformer.checking.faulty_line import FaultyLine
from symtransformer.checking.fitting_readings import with_fitting_readings
from symtransformer.checking.formula_equations import of_formula, refuted_gradient
from symtransformer.checking.formula_verdicts import LETTER_AND_FUNCTION
from symtransformer.checking.free_equations import FreeEquations
from symtransformer.checking.function_values import FunctionValues, defines_nothing
from symtransformer.checking.in_passing import InPassing
from symtransformer.checking.inequalities import HOLDS, Inequalities
from symtransformer.checking.mask_signs import without_subtracted_masks
from symtransformer.checking.norm_parameters import without_norm_parameters
from symtransformer.checking.number_words import UNDECIDABLE, Note
from symtransformer.checking.numeric import Numeric
from symtransformer.checking.opaque_names import opaque_in
from symtransformer.checking.open_links import behind_open_links
from symtransformer.checking.other_readings import (
    BARE_NUMBER,
    counts_a_set,
    counts_other_hundredths,
    has_logistic,
    is_derived,
    is_function_given,
    is_number_with_unit,
    is_of_sizes,
    right_meaning,
)
from symtransformer.checking.own_functions import OwnFunctions
from symtransformer.checking.random_variables import RandomVariables
from symtransformer.checking.refusals import reason_of
from symtransformer.checking.rounded_operands import decimals_in
from symtransformer.checking.situation import SECONDS_AT_MOST, Asked, Situation
from symtransformer.checking.suppositions import Suppositions
from symtransformer.checking.told_in_words import ToldInWords
from symtransformer.checking.told_values import ToldValue
from symtransformer.checking.units_behind import may_be_converted, units_left_out
from symtransformer.checking.values import Undecided
from symtransformer.documents import Relation
from symtransformer.documents.giving import ANEW
from symtransformer.errors import SymtransformerError
from symtransformer.notation import Words
from symtransformer.reading.problems import START, ReadingError
from symtransformer.reading.sides import Side, is_power, read_name, read_side

SHOWS_DIGITS = (*ACCEPTED, *ACCUSING, "definition", UNDECIDABLE)


class Engine:
    """Checks the relations of one document, or of several that share definitions."""

    def __init__(self, reference: dict[str, Definition] | None = None) -> None:
        self.definitions = Definitions(reference)
        self.computing = Computing(self.definitions)
        self.defining = Defining(self.definitions, self.computing)
        self.numeric = Numeric(self.definitions, self.computing)
        self.inequalities = Inequalities(self.computing)
        self.functions = FunctionValues(self.computing)
        self.own_functions = OwnFunctions()
        self.free = FreeEquations()
        self.declared: frozenset[str] = frozenset()  # letters that the document says are vectors or matrices
        self.sizes = DeclaredSizes()
        self.random = RandomVariables()
        self.lettered = Lettered(self.definitions, self.sizes)
        self.told = ToldInWords(self.numeric.diagnosis.declared)
        cases_of = self.told.cases_of
        self.in_passing = InPassing(self.definitions, Suppositions(self.definitions, cases_of), cases_of)

    def check(self, asked: Iterable[Asked]) -> Iterable[Equation]:
        """The relations in order."""
        for _, group in groupby(asked, key=lambda item: item.relation.chain):
            items = list(group)
            kept = self.definitions.kept() if any(item.is_pitfall for item in items) else None
            found = self.in_passing.check(items, self._chain)
            yield from behind_open_links(items, found, self._alone, self._forget)
            if kept is not None:
                self.definitions.bring_back(kept)

    def _alone(self, items: Sequence[Asked]) -> list[Equation]:
        """The verdicts on a chain that begins in another one; nothing is kept of it."""
        kept = self.in_passing.kept()
        found = self.in_passing.check(items, self._chain)
        self.in_passing.restore(kept)
        return found

    def _forget(self, items: Sequence[Asked]) -> None:
        """The value that a chain has given to the name it begins with, and that may be another one."""
        name, line = read_name(items[0].relation.left.text, items[0].language), items[0].relation.line

        def forget() -> None:
            if (known := self.definitions.get(name)) is not None and known.line == line and not known.is_reference:
                self.definitions.forget(known.name)
                self.definitions.opaque[known.name] = line

        self.in_passing.in_each(forget)

    def adopt(self, convention: str) -> bool:
        """Take a convention as declared, such as log=2; False if it is not known."""
        return self.told.adopt_mark(convention)

    def take(self, told: ToldValue) -> None:
        """A value that a sentence gives in words, which is no equation; or that holds if something is supposed."""
        old = self.definitions.get(told.name)
        if (old is not None and old.is_reference) or (told.is_supposed and old is None):
            return
        self.in_passing.in_each(partial(self._take, told))

    def _take(self, told: ToldValue) -> None:
        kept = self.definitions.kept()
        self.defining.define(told.name, read_side(told.value, {}), told.line)
        if told.is_supposed:
            self.in_passing.suppositions.suppose(kept, told.origin)

    def _chain(self, items: Sequence[Asked]) -> Iterable[Equation]:
        if items[0].relation.sign in HOLDS:
            yield from map(self._compared, items)
            return
        relations, language = [item.relation for item in items], items[0].language
        self.definitions.file = relations[0].file
        self.told.come_to(relations[0])
        self.own_functions.come_to(relations[0])
        texts = [relations[0].left.text, *(r.right.text for r in relations)]
        function = self.own_functions.name_given(texts[0], texts[1])
        has_value = function in self.definitions
        read = [self._read(text, language, k > 0 or not function) for k, text in enumerate(texts)]
        read, with_unit = units_left_out(texts, read, partial(self._read, language=language))
        sides = with_fitting_readings(read)
        name = None if is_power(texts[0], self.definitions.scope) else read_name(texts[0], language)
        chain = Chain(relations, language, name, sides, items[0])
        named = self._names_alone(chain, texts)
        for k, relation in enumerate(relations):
            right = sides[k + 1]
            if k < len(named) - 1:
                self.defining.define(named[k], sides[len(named)], relation.line)  # type: ignore[arg-type]
                yield replace(open_equation(relation), verdict="definition", words=words.DEFINED, code="")
                chain.name, chain.start = named[k + 1], k + 1
                continue
            if isinstance(right, Side) and relation.sign == "≈":
                self.numeric.note_places(right)
            equation = self.lettered.fair(chain, k, relation, self._judged(chain, k, relation))
            equation = self._otherwise(chain, relation, equation)
            if equation.verdict in ACCUSING and (with_unit & {k, k + 1} or self._is_converted(chain, k, relation)):
                equation = undecided(equation, words.UNIT, "unit")
            if equation.verdict in ACCUSING and is_of_sizes(relation):
                equation = undecided(equation, words.OF_SIZES, "ambiguous")
            if k == chain.start:
                equation = self._given_anew(equation, relation, chain.asked.saying.gives == ANEW)
                self.lettered.heed_names(chain, equation)
                self.free.come_to(relation, language)
            equation = chain.with_doubt(self._heard(chain, k, relation, equation))
            if k == chain.start:
                self.own_functions.heed(equation, chain.asked, has_value or chain.is_doubtful)
            chain.is_doubtful = chain.is_doubtful or equation.code == "own_encoding"
            if equation.verdict in ACCUSING:
                from_there = equation.follows_from if isinstance(equation.follows_from, FaultyLine) else None
                chain.faulty = chain.faulty or from_there or FaultyLine(equation.line, equation.file)
            if isinstance(right, Side) and equation.verdict in SHOWS_DIGITS:
                self.defining.show(chain.name, right.shown, chain.faulty, equation.verdict)
            yield _told(equation)

    def _compared(self, asked: Asked) -> Equation:
        """An inequality, which defines nothing."""
        left, right = (self._read(side.text, asked.language) for side in (asked.relation.left, asked.relation.right))
        return self.inequalities.judged(open_equation(asked.relation), asked, left, right)

    def _names_alone(self, chain: Chain, texts: Sequence[str]) -> list[str]:
        """The names that a chain begins with, a new value behind them: a = b = 3 defines both."""
        found: list[str] = []
        for text, side in zip(texts, chain.sides, strict=True):
            name = None if is_power(text, self.definitions.scope) else read_name(text, chain.language)
            if name is not None and (name in self.definitions or isinstance(side, ReadingError)):
                found.append(name)
                continue
            line = chain.relations[0].line
            is_new = isinstance(side, Side) and side.value is not None and self._is_new(found, side, line)
            return found if is_new else []
        return []

    def _is_new(self, names: Sequence[str], side: Side, line: int) -> bool:
        """None of the names has a value that was computed, and one has none, or two or more have another.

        d = d_model = 768: that d has none says so of d_model only behind another heading.
        """
        known = [self.definitions[name] for name in names if name in self.definitions]
        is_first = len(known) < len(names)
        if is_first and not (known and all(self.definitions.are_apart(d.line, line) for d in known)):
            return not known
        plain = (is_first or len(known) > 1) and all(
            d.side is None and not d.is_reference and not d.is_implied for d in known
        )
        value = self.computing.from_start(side) if plain else None
        return value is not None and not any(self.defining.agrees(value, d) for d in known)

    def _heard(self, chain: Chain, k: int, relation: Relation, equation: Equation) -> Equation:
        """What is read by the place of its signs only, and what numbers drawn for its letters tell."""
        if equation.verdict == "unparsed" and any(isinstance(s, Side) and s.shown for s in chain.sides[k : k + 2]):
            return equation  # numbers that are claimed of what has no value
        found = self.free.heard(equation, relation, chain.language, k == chain.start)
        if found.verdict in ACCEPTED and equation.verdict not in ACCEPTED:
            found = without_doubt(found, relation, chain.language, self.definitions, self.declared)
            return self.told.heeded(found, relation, chain.name, chain.language, self.definitions.formulas)
        return found

    def _otherwise(self, chain: Chain, relation: Relation, equation: Equation) -> Equation:
        """Nobody is accused who is right by another reading; nor is called right who is not by that of the sentence."""
        told = chain.asked.saying.hundredths if relation is chain.relations[-1] else ""
        if equation.verdict in ACCEPTED and counts_other_hundredths(relation, told):
            return undecided(equation, words.OTHER_HUNDREDTHS, "unit")
        if (
            equation.verdict == "refuted"
            and is_derived(relation.left.text)
            and BARE_NUMBER.fullmatch(relation.right.text)
        ):
            return undecided(equation, words.DERIVATIVE_SOMEWHERE, "derivative")
        is_unread = equation.verdict == "unparsed" and has_logistic(relation)
        is_product = equation.verdict in ACCEPTED and equation.kind == "number" and has_logistic(relation, of_one=True)
        if equation.verdict not in ACCUSING and not is_unread and not is_product:
            return equation
        meaning = right_meaning(relation, chain.language, self.numeric, self.defining.constants, told)
        if is_product:  # σ(1) = 2 where σ is 2: the logistic function of 1 is 0.73
            return (
                equation if meaning is not None else undecided(equation, LETTER_AND_FUNCTION.words, "unknown_function")
            )
        if meaning is None and equation.kind == "number" and is_function_given(relation, self.definitions.scope):
            return undecided(equation, LETTER_AND_FUNCTION.words, "unknown_function")
        if meaning is None or (is_unread and meaning.code != "logistic"):
            return equation
        found = undecided(equation, meaning.words, meaning.code)
        if meaning.code not in ("points", "logistic"):
            return found
        convention = Note(meaning.code, meaning.words)
        made = replace(found, verdict="by_convention", convention=convention, code="", local=None, from_start=None)
        return self.told.heeded(made, relation, chain.name, chain.language, self.definitions.formulas)

    def _read(self, text: str, language: str, with_own_functions: bool = True) -> Side | ReadingError:
        """A side; a division by 0 is one without a value."""
        own = opaque_in((text,), language, self.definitions.own)
        if own is not None:  # the document has a formula for it, so it is no row of a matrix
            return ReadingError(text, START, "no_value", f"{own} has no value here")
        if is_derived(text, self.definitions.scope):
            return ReadingError(text, START, "no_value", "a derivative has no value here")
        if counts_a_set(text):
            return ReadingError(text, START, "ambiguous", "bars around a set count it; a vector stands in [...]")
        if is_number_with_unit(text, self.definitions.scope):
            return ReadingError(text, START, "unit", "a unit, or a name? write · before a factor")
        if with_own_functions and (called := self.own_functions.called_in(text, self.definitions.scope)):
            code = "called" if called in self.definitions else "no_value"
            put_in = self._of_own_functions(text, language)
            return put_in or ReadingError(text, START, code, f"{called}(...) has no value here")
        try:
            return self.numeric.diagnosis.read(read_side(text, self.definitions.scope, language))
        except ReadingError as error:
            if error.code == "division_by_zero":
                return Side(text, S.NaN)
            known = self.functions.read(text, language)
            return known or (self._of_own_functions(text, language) if with_own_functions else None) or error

    def _is_converted(self, chain: Chain, k: int, relation: Relation) -> bool:
        """$7200 = 2$ hours, where no name stands."""
        left, is_last = chain.sides[k], relation is chain.relations[-1]
        if not (chain.asked.saying.has_unit and is_last and isinstance(left, Side) and not left.names):
            return False
        return may_be_converted(chain.sides[k + 1], self.computing.from_start(left))

    def _given_anew(self, equation: Equation, relation: Relation, is_anew: bool) -> Equation:
        """f(x) = cos x behind another heading than f(x) = x² + 1 is another f, and so is `now let f(x) = cos x`."""
        left, right = relation.left.text, relation.right.text
        before = self.own_functions.given_before(left, right) if equation.verdict == "refuted" else None
        if before is None or not (is_anew or self.definitions.are_apart(before.line, relation.line)):
            return equation
        self.definitions.judge.add(left.strip(), right)
        given = undecided(equation, words.DEFINED, "")
        return replace(given, verdict="definition", remarks=(words.redefined(before.line),))

    def _of_own_functions(self, text: str, language: str) -> Side | None:
        """f(2), with what the document says that f(x) is."""
        written = self.own_functions.put_in(text)
        if written is None:
            return None
        try:
            return self.numeric.diagnosis.read(read_side(written, self.definitions.scope, language))
        except ReadingError:
            return None

    def _judged(self, chain: Chain, k: int, relation: Relation) -> Equation:
        """The verdict, without what is doubtful."""
        found = defines_nothing(self._relation(chain, k, relation), relation.left.text)
        sides = chain.sides[k], chain.sides[k + 1]
        found = without_subtracted_masks(found, sides, self.definitions, partial(self._is_accepted, chain, k, relation))
        found = without_norm_parameters(found, sides, self.definitions)
        found = self.random.heeded(
            found, relation, partial(self._read, language=chain.language), self.definitions.scope
        )
        found = without_doubt(found, relation, chain.language, self.definitions, self.declared)
        return self.told.heeded(found, relation, chain.name, chain.language, self.definitions.formulas)

    def _is_accepted(self, chain: Chain, k: int, relation: Relation, left: Side, right: Side) -> bool:
        """Whether it would be right with these sides, whatever the chain begins with."""
        now = replace(self._situation(chain, k, relation), head=None, faulty=None)
        try:
            return self.numeric.judged(open_equation(relation), left, right, now).verdict in ACCEPTED
        except (SymtransformerError, Undecided):
            return False

    def _relation(self, chain: Chain, k: int, relation: Relation) -> Equation:
        left, right = chain.sides[k], chain.sides[k + 1]
        made = open_equation(relation)
        if any(isinstance(side, ReadingError) and side.code == "called" for side in (left, right)):
            return of_formula(made, LETTER_AND_FUNCTION)
        try:
            if k == chain.start and isinstance(right, Side):
                refuted = refuted_gradient(self.definitions, chain.name, right, relation, made)
                if refuted is not None:
                    self.defining.define(chain.name, right, relation.line)  # type: ignore[arg-type]
                    return refuted
                if (defined := self.defining.read(chain.name, left, right, relation, made, chain.asked)) is not None:
                    return self._of_size(defined, chain.name, right, relation)
                if isinstance(left, ReadingError) and chain.name in self.definitions:  # it has got its value only now
                    left = self._read(relation.left.text, chain.language)
            if isinstance(left, ReadingError):
                names_it = k == chain.start and chain.name is not None and isinstance(right, ReadingError)
                return self.lettered.judged(chain, k, made, right if names_it else left)  # type: ignore[arg-type]
            if isinstance(right, ReadingError):
                return self.lettered.judged(chain, k, made, right)
            found = self.numeric.judged(made, left, right, self._situation(chain, k, relation))
            if not left.goes_on or found.verdict not in ACCUSING:
                return found  # but 0.333... = 1/3 says the digits of 1/3
            return self.numeric.judged(made, right, left, replace(self._situation(chain, k, relation), head=None))
        except (SymtransformerError, Undecided) as error:
            said = reason_of(error)
            return replace(made, remarks=(Note("reason", Words(f"{said.en}.", f"{said.ja}。")),))

    def _of_size(self, defined: Equation, name: str | None, right: Side, relation: Relation) -> Equation:
        """The definition, unless the document says that what is defined has another size."""
        size = self.sizes.of(relation).get(name or "")
        value = self.computing.from_start(right)
        if defined.verdict != "definition" or size is None or value is None or not all(s.isdigit() for s in size):
            return defined
        told = tuple(map(int, size)) if len(size) == 2 else (1, int(size[0]))
        may_turn = right.listed or value.listed or len(size) == 1
        if value.shape == told or (may_turn and value.shape == told[::-1]):
            return defined
        return replace(defined, verdict="shapes", words=words.size_told(told, value.shape, len(size)), code="shapes")

    def _situation(self, chain: Chain, k: int, relation: Relation) -> Situation:
        deadline = time.thread_time() + SECONDS_AT_MOST
        sign = "≈" if relation.sign == "≈" else "="
        head = self._head(chain, k) if k > chain.start or chain.name in self.definitions else None
        return Situation(
            head,
            chain.name,
            chain.faulty or self._faulty_behind(chain, k),
            sign,
            chain.language,
            lambda: time.thread_time() > deadline,
            chain.first(k),
        )

    def _faulty_behind(self, chain: Chain, k: int) -> FaultyLine | None:
        """The line that is not right among those that the sides before go back to."""
        read = [s for s in chain.sides[: k + 1] if isinstance(s, Side) and s.shown is None and s.value is not None]
        lines = [self.definitions.faulty_line(self.definitions.letters(side)) for side in read]
        return min((line for line in lines if line is not None), default=None)

    def _head(self, chain: Chain, k: int) -> Computed | None:
        """The value from the start of what all sides of a chain claim to be."""
        if chain.is_doubtful:
            return None
        known = self.definitions.get(chain.name)
        if known is not None:
            return Computed(known.exact, known.listed)
        first = chain.first(k)
        if first is None or first.goes_on or (chain.is_rounded(first) and decimals_in(first.text)):
            return None  # behind ≈, its decimals are roundings of what could not be read; or digits were left off
        return self.computing.from_start(first)


def _told(equation: Equation) -> Equation:
    """With the place that it follows from as a remark, which names the file too."""
    line = equation.follows_from
    if not isinstance(line, FaultyLine):
        return equation
    return replace(equation, follows_from=int(line), remarks=(*equation.remarks, line.note))
