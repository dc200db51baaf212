"""What the judge may say, and the seal on what it has said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NoReturn

from sympy import Expr

from symtransformer.derivation import Derivation
from symtransformer.display import DrawnInNotebooks, InNotebooks
from symtransformer.errors import NotSupported, Refuted
from symtransformer.evaluation import Evaluation
from symtransformer.notation import Words
from symtransformer.sections import IndexLine
from symtransformer.symbols import exact_number

PROVED, TESTED, REFUTED, UNDECIDABLE = "proved", "tested", "refuted", "undecidable"


@dataclass(frozen=True)
class Verdict(InNotebooks):
    """proved, tested, refuted or undecidable, and on what grounds."""

    kind: str
    reason: str
    points: int = 0
    residual: str = ""
    counterexample: tuple[tuple[str, Any], ...] = ()
    reason_ja: str = ""
    where_defined: bool = False  # equal wherever both sides have a value, which may not be everywhere
    by_definition: bool = False  # the step, written out, is what it stands for

    @property
    def words(self) -> Words:
        """The reason in both languages."""
        return Words(self.reason, self.reason_ja or self.reason)

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}"


SEAL = object()


class Verified(DrawnInNotebooks):
    """A derivation with a verdict for every step and index line. Only `verify` makes one, and nothing changes it."""

    __slots__ = ("_evaluations", "derivation", "lines", "verdicts")
    derivation: Derivation
    verdicts: Mapping[str, Verdict]
    lines: Mapping[IndexLine, Verdict]  # of all sections
    _evaluations: Mapping[Any, Evaluation]

    def __init__(
        self,
        seal: object,
        derivation: Derivation,
        evaluations: Mapping[Any, Evaluation],
        verdicts: Mapping[str, Verdict],
        lines: Mapping[IndexLine, Verdict] = MappingProxyType({}),
    ) -> None:
        if seal is not SEAL:
            raise NotSupported("only verify(...) makes a verified derivation")
        object.__setattr__(self, "derivation", derivation)
        object.__setattr__(self, "verdicts", MappingProxyType(dict(verdicts)))
        object.__setattr__(self, "lines", MappingProxyType(dict(lines)))
        object.__setattr__(self, "_evaluations", MappingProxyType(dict(evaluations)))

    def _refuse(self, *_: Any) -> NoReturn:
        raise NotSupported(
            "a verified derivation is neither changed nor copied; call verify(...) on the new derivation"
        )

    __setattr__ = __delattr__ = __reduce_ex__ = _refuse

    def __init_subclass__(cls) -> NoReturn:
        raise NotSupported("only verify(...) makes a verified derivation: Verified has no subclasses")

    def __bool__(self) -> bool:
        raise TypeError(
            "a verified derivation is not true or false by itself: call require_true(), or ask its verdicts"
        )

    @property
    def evaluation(self) -> Evaluation | None:
        """The values of the derivation itself, judged; None where it has none."""
        return self._evaluations.get(case_of({}))

    def evaluation_of(self, values: Mapping[Any, Any]) -> Evaluation | None:
        """The judged values of a section that has values of its own."""
        case = case_of(values)
        if case not in self._evaluations and values:
            raise NotSupported("these values were not judged; verify the derivation whose sections have them")
        return self._evaluations.get(case)

    def count(self, kind: str) -> int:
        """How many steps got this verdict."""
        return sum(v.kind == kind for v in self.verdicts.values())

    def count_lines(self, kind: str) -> int:
        """How many index lines got this verdict."""
        return sum(v.kind == kind for v in self.lines.values())

    @property
    def definitions(self) -> int:
        """How many of the proved steps are true by definition."""
        return sum(v.kind == PROVED and v.by_definition for v in self.verdicts.values())

    def require_true(self) -> Verified:
        """Itself, unless a step or an index line is refuted: then `Refuted` names the first."""
        for name, verdict in self.verdicts.items():
            if verdict.kind == REFUTED:
                raise Refuted(f"step {name} is not true: {verdict.reason}")
        for line, verdict in self.lines.items():
            if verdict.kind == REFUTED:
                raise Refuted(f"the index line {line.left} = {line.right} is not true: {verdict.reason}")
        return self


def refuted(reason: str, ja: str, counterexample: tuple[tuple[str, Any], ...] = ()) -> Verdict:
    return Verdict(REFUTED, reason, counterexample=counterexample, reason_ja=ja)


def sizes_do_not_fit(left: Any, right: Any) -> tuple[str, str]:
    return f"the sizes do not fit: {left} against {right}", f"大きさが合わない（{left} と {right}）"


def case_of(values: Mapping[Any, Any]) -> Any:
    return tuple(sorted((str(key), _exactly(value)) for key, value in values.items()))


def _exactly(value: Any) -> str:
    """The value as exact numbers: 0.3 and 0.1 + 0.2 print alike, and are two values."""
    if isinstance(value, Expr) and not getattr(value, "is_Matrix", False):
        return str(exact_number(value))
    if hasattr(value, "shape") or isinstance(value, (list, tuple)):
        rows = value.tolist() if hasattr(value, "tolist") else list(getattr(value, "matrix", value))
        return "[" + ", ".join(map(_exactly, rows)) + "]"
    return str(exact_number(value))
