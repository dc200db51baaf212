"""Values that a sentence mentions in passing: `a larger model might use n = 100` may be said of another model, or for good.

All states that may be meant are kept. What is right in some of them only is neither called right nor accused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from symtransformer.checking import equation_words as words
from symtransformer.checking.definitions import Definition, Definitions
from symtransformer.checking.doubts import undecided
from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation
from symtransformer.checking.situation import Asked
from symtransformer.checking.suppositions import CasesOf, Suppositions
from symtransformer.documents import Relation, Saying
from symtransformer.documents.giving import ANEW, CLEAR, DRAWN, MENTIONED, REMINDED
from symtransformer.node import Node
from symtransformer.reading.sides import read_name

STATES_AT_MOST = 4
PASSING, DOUBTFUL = "passing", "doubtful"
UNSURE = (MENTIONED, REMINDED, DRAWN)
State = tuple[Any, ...]


class InPassing:
    """The state in which all counts that was told, and others in which what was told in passing does not."""

    def __init__(self, definitions: Definitions, suppositions: Suppositions, cases_of: CasesOf) -> None:
        self.definitions, self.suppositions, self.cases_of = definitions, suppositions, cases_of
        self.others: list[State] = []  # the first: nothing that was told in passing counts
        self.clause = -1  # in which a value was last told in passing
        self.first: dict[str, int] = {}  # names that got their first value in a sentence, and where that begins
        self.cases: frozenset[str] = frozenset()  # that it speaks of

    def check(self, items: Sequence[Asked], run: Callable[[Sequence[Asked]], Iterable[Equation]]) -> list[Equation]:
        """The chain, in each of the states."""
        saying, relation = items[0].saying, items[0].relation
        name = read_name(relation.left.text, items[0].language)
        known = None if saying.supposes else self.definitions.get(name)
        if name is not None and known is None and saying.gives == MENTIONED:
            self.first[name] = saying.clause
        may_be_told = known is not None and (saying.gives in UNSURE or _is_plain(known))
        before = self._kept() if may_be_told or self.others else None
        found = [*self.suppositions.check(items, run)]
        if before is None:
            return found
        told = self._told(known, items) if may_be_told else ""
        after = self._kept()
        others, states = self._in_others(items, run)
        if told and others and others[0][0].verdict in ACCEPTED:  # what held before all that was told in passing
            self._bring_back(states[0])
            self.others = []
            return [o if f.verdict == "definition" else f for f, o in zip(found, others[0], strict=True)]
        is_here = self._is_said_there(saying, relation)
        for other in others:
            found = [
                _agreed(f, o, is_here, bool(told) and k == 0) for k, (f, o) in enumerate(zip(found, other, strict=True))
            ]
        self._bring_back(after)
        if told:
            assert before is not None
            states = [*self.others, before, *states]
            self.clause = -1 if told == DOUBTFUL else saying.clause
            self.cases = self.cases_of(relation)
            if told == DOUBTFUL:
                found = [undecided(found[0], words.ANOTHER_OR_WRONG, "in_passing"), *found[1:]]
        self.others = self._unlike(after, states)[:STATES_AT_MOST]
        return found

    def _told(self, known: Definition | None, items: Sequence[Asked]) -> str:
        """Whether a name has got another value that may not hold for good, or may be no value but a mistake."""
        now = self.definitions.get(known.name) if known is not None else None
        if known is None or now is None or known.is_implied or now.exact == known.exact:
            return ""
        gives, relation = items[0].saying.gives, items[0].relation
        is_of_several = len(items) > 1 and read_name(relation.right.text, items[0].language) is not None  # a = b = 3
        is_worked_out = bool(now.inputs) and now.name not in dict(now.inputs) and relation.sign != ":="
        is_clear = gives in (CLEAR, ANEW) or is_of_several
        if gives == DRAWN or (_is_plain(known) and is_worked_out and not is_clear):
            return DOUBTFUL
        is_first = 0 <= items[0].saying.clause == self.first.get(known.name, -1)  # at t = 0 one, at t = 1 the other
        return PASSING if gives in UNSURE and not is_first else ""

    def _is_said_there(self, saying: Saying, relation: Relation) -> bool:
        """In the sentence that tells a value in passing, in one that goes on with it, or in another of the same case."""
        if self.clause >= 0 and saying.goes_on:
            self.clause = saying.clause
        is_same = bool(self.cases) and self.cases == self.cases_of(relation)
        return 0 <= saying.clause == self.clause or is_same

    def _in_others(
        self, items: Sequence[Asked], run: Callable[[Sequence[Asked]], Iterable[Equation]]
    ) -> tuple[list[list[Equation]], list[State]]:
        found, states = [], []
        for state in self.others:
            self._bring_back(state)
            found.append([*self.suppositions.check(items, run)])
            states.append(self._kept())
        return found, states

    def in_each(self, take: Callable[[], None]) -> None:
        """What is given in words holds in each of the states."""
        take()
        mine, states = self._kept(), []
        for state in self.others:
            self._bring_back(state)
            take()
            states.append(self._kept())
        if states:
            self._bring_back(mine)
            self.others = self._unlike(mine, states)

    def kept(self) -> tuple[Any, ...]:
        """All that is known in all states, to come back to it."""
        known, supposed = self._kept()
        copies = tuple(part.copy() for part in known)
        return (copies, supposed), [*self.others], self.clause, {**self.first}, self.cases

    def restore(self, kept: tuple[Any, ...]) -> None:
        state, self.others, self.clause, self.first, self.cases = kept
        self._bring_back(state)

    def _kept(self) -> State:
        return self.definitions.kept(), self.suppositions.kept()

    def _bring_back(self, state: State) -> None:
        """A copy, as the state may be asked for again."""
        known, supposed = state
        self.definitions.bring_back(tuple(part.copy() for part in known))
        self.suppositions.bring_back(supposed)

    @staticmethod
    def _unlike(mine: State, others: list[State]) -> list[State]:
        """Those in which a name has another value than in mine, and than in those before."""
        found: list[State] = []
        seen = [_values(mine)]
        for state in others:
            values = _values(state)
            if values not in seen:
                seen.append(values)
                found.append(state)
        return found


def _values(state: State) -> tuple[Any, ...]:
    by_name, formulas = state[0][0], state[0][3]
    return {name: d.exact for name, d in by_name.items()}, formulas


def _is_plain(known: Definition) -> bool:
    """Given as a plain number."""
    return known.side is None and not isinstance(known.exact, Node)


def _agreed(equation: Equation, other: Equation, is_here: bool, is_told: bool) -> Equation:
    """`is_here`: the sentence itself tells the value, so that it may be said for that."""
    is_doubtful = (
        (equation.verdict in ACCUSING and other.verdict not in ACCUSING)
        or (equation.verdict in ACCEPTED and other.verdict not in ACCEPTED and not is_here)
        or (equation.verdict == "definition" and other.verdict in ACCUSING and not is_told)
    )
    return undecided(equation, words.IN_PASSING, "in_passing") if is_doubtful else equation
