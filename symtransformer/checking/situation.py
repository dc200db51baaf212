"""Where a relation stands: in which chain, in which language, and until when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from symtransformer.checking.computing import Computed
from symtransformer.checking.faulty_line import FaultyLine
from symtransformer.documents import Relation, Saying
from symtransformer.reading.sides import Side

SECONDS_AT_MOST = 2.0  # for one relation


@dataclass(frozen=True)
class Asked:
    """A relation with what the document says of it: the language of its passage, and whether it is a deliberate
    mistake, which defines nothing; whether it stands alone in a sentence, as `with B = 2048` does; whether the sentence
    draws it as a conclusion, as `hence x = 4` does; whether it may only suppose it, as `if x > 0` does; and what is said of its chain in words."""

    relation: Relation
    language: str
    is_pitfall: bool = False
    is_in_a_sentence: bool = False
    is_concluded: bool = False
    is_supposed: bool = False
    saying: Saying = field(default_factory=Saying)


@dataclass(frozen=True)
class Situation:
    """What is known where a relation stands.

    `head` is the value from the start that its chain begins with, None where nothing reaches it; `name` what the chain
    begins with; `faulty` the line of an
    earlier relation of the chain that is not right; `relation` is = or ≈; `language` that of the passage.
    """

    head: Computed | None
    name: str | None
    faulty: FaultyLine | None
    relation: str
    language: str
    expired: Callable[[], bool]
    first: Side | None = None  # the first side of its chain that can be read
