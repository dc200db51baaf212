"""What is said of a claim: the verdict, what was derived, what was read, and the numbers that refute it."""

from __future__ import annotations

from dataclasses import dataclass

from symtransformer.claims.counterexamples import Counterexample
from symtransformer.display import InNotebooks
from symtransformer.judge import Verdict
from symtransformer.notation import Words

SHAPES = "shapes"
KINDS = ("proved", "tested", "refuted", "undecidable", SHAPES)


@dataclass(frozen=True)
class Claim(InNotebooks):
    """A claimed formula beside the derived one; `verdict.kind` is proved, tested, refuted, undecidable or shapes."""

    text: str
    verdict: Verdict
    derived: str  # the equation that was derived, with named steps
    claimed: str  # the equation as it was read
    scope: Words
    counterexample: Counterexample | None = None
    notes: tuple[Words, ...] = ()
    steps: tuple[str, ...] = ()  # the steps that are named in what was derived or read, and those behind them

    @property
    def kind(self) -> str:
        return self.verdict.kind

    @property
    def is_accepted(self) -> bool:
        """Whether the claim was found true: proved, or equal at every point that was tried."""
        return self.kind in ("proved", "tested")

    def __bool__(self) -> bool:
        raise TypeError("a claim is not true or false by itself: ask is_accepted, or whether kind is 'proved'")

    def __str__(self) -> str:
        return str(self.verdict)
