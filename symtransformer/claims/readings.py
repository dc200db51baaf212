"""What was read of a claim: two expressions that ought to be equal, in every reading that fits."""

from __future__ import annotations

from dataclasses import dataclass

from symtransformer.claims.jacobians import Jacobian
from symtransformer.claims.subject import Subject
from symtransformer.node import Node
from symtransformer.notation import Words
from symtransformer.symbols import Letter


@dataclass(frozen=True)
class Reading:
    """Both sides in terms of the named letters; `habit` says what a row of a matrix was taken for, if it matters."""

    left: Node
    right: Node
    habit: str = ""
    shown: str = ""  # of an index formula: the equation as it was read
    jacobian: Jacobian | None = None  # in the layout of this reading


@dataclass(frozen=True)
class Statement:
    """What was read: the readings, and the letter whose derived formula is asked for, if it is one."""

    subject: Subject
    readings: tuple[Reading, ...]
    letter: Letter | None
    jacobian: Jacobian | None = None
    notes: tuple[Words, ...] = ()
    of_other_heads: tuple[Statement, ...] = ()  # the same claim for each further head, where it is one for every head
    head: str = ""  # of which head this one is


__all__ = ["Reading", "Statement"]
