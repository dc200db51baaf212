"""What could be read as one thing and is meant as another: functions that are none, powers of e, marks above names."""

from __future__ import annotations

from symtransformer.reading import patterns
from symtransformer.reading.problems import ReadingError, Span, quoted
from symtransformer.reading.vocabulary import UNCLEAR, closest_function, is_size_name
from symtransformer.scalars import GREEK


class Unclear:
    """The checks of a tokenizer on its text and place."""

    text: str
    at: int
    latex: bool
    defined: set[str]

    def refuse(self, code: str, message: str, start: int | None = None) -> ReadingError:
        return ReadingError(self.text, Span(self.at if start is None else start, self.at), code, message)

    def _unknown_function(self, name: str, start: int) -> ReadingError:
        hint = UNCLEAR.get(name.partition("_")[0].casefold(), "")
        if not hint and (close := closest_function(name)):
            hint = f"did you mean {close}?"
        elif not hint and name.isupper():
            hint = "write a product with spaces, as in Q K (A + B)"
        elif not hint:
            hint = f"write {name[:16]} * (...) for a product"
        return self.refuse("unknown_function", f"no operation is called {quoted(name)}; {hint}", start)

    def _refuse_unclear_call(self, base: str, name: str, end: int) -> None:
        """What stands before a bracket like a function, and is none: mean(X), log_2(P), sigma(X), f(X)."""
        if {base, name} & self.defined or not patterns.OPENS.match(self.text, end):
            return
        adjoins = patterns.OPENS_AT_ONCE.match(self.text, end)
        is_letter = len(base) == 1 or base[1:].isdigit() or base in GREEK or is_size_name(base)
        if base in UNCLEAR or not is_letter or (adjoins and (base in GREEK or base in ("f", "g"))):
            start, self.at = self.at, end
            raise self._unknown_function(name, start)

    def _refuse_power_of_e(self, base: str, end: int) -> None:
        if base == "e" and base not in self.defined and patterns.RAISED.match(self.text, end):
            if not (patterns.RAISED_T_IN_LATEX if self.latex else patterns.RAISED_T).match(self.text, end):
                raise self.refuse("power", "write exp(...) for a power of e, entry by entry")

    def _refuse_unclear_mark(self, base: str, mark: str) -> None:
        """W^Q and W^{out} are names; A^{t}, d^{k} and W^{QT} could mean something else."""
        weight = base[0].isupper() or base == "b"
        if len(mark) > 1 and mark.endswith("T"):
            raise self.refuse(
                "superscript", f"is this a transpose? write {base}_{mark[:-1]}^T, or {base}_{mark} for a name"
            )
        if not weight or (len(mark) == 1 and mark.islower()):
            message = f"{mark} above {base} could be a power, a transpose or a part of the name; write {base}_{mark} for a name"
            raise self.refuse("superscript", message)

    def _is_one_name(self, run: str) -> bool:
        bare = run.rstrip("0123456789")
        return (
            len(bare) == 1
            or run in self.defined
            or bare in GREEK
            or is_size_name(run)
            or run in ("eps", "oo", "inf", "sqrt")
            or (run[0] == "d" and run[1:] in self.defined)
        )
