"""What is said of the equations of a document: one record for each relation sign, one for each file, one for all."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from symtransformer.checking.number_words import Note
from symtransformer.display import PrintedAsShown
from symtransformer.notation import Words

# What accuses, what is accepted, what stays open, and what claims nothing. `kind` is "number" or "formula".
ACCUSING = ("wrong", "last_place", "follows", "refuted", "shapes")
ACCEPTED = ("right", "right_if_rounded", "by_convention", "proved", "tested")
OPEN = ("unparsed", "undecidable")
NOTHING_CLAIMED = ("definition", "skipped")  # a value or formula that is given; what the author asked to leave out
VERDICTS = (*ACCUSING, *ACCEPTED, *OPEN, *NOTHING_CLAIMED)


@dataclass(frozen=True)
class EntryVerdict:
    """The verdict on one entry of what is shown; row and column count from 1."""

    row: int
    column: int
    shown: str
    verdict: str
    right: str
    words: Words


@dataclass(frozen=True)
class Equation:
    """`left relation right` as it is written, and the verdict on it; line and column, from 1, are those of the sign.

    `local` and `from_start` are the verdicts by the line's own numbers and by the document's definitions.
    `right_line` is the right side's formula with its own numbers put in, and `right_value` its value as the claim is
    rounded. `slips` are all mistakes that would give the digits shown. `code` says why it is unparsed or undecidable.
    """

    file: str
    line: int
    column: int
    text: str
    kind: str
    verdict: str
    words: Words
    local: str | None = None
    from_start: str | None = None
    right_value: str | None = None
    right_line: str = ""
    entries: tuple[EntryVerdict, ...] = ()
    convention: Note | None = None
    slips: tuple[Note, ...] = ()
    counterexample: str | None = None
    against: Words | None = None  # what a formula was judged against
    remarks: tuple[Note, ...] = ()
    code: str = ""
    follows_from: int | None = None  # the line that is not right
    expected_wrong: bool = False  # the author says that it is a pitfall

    @property
    def is_fault(self) -> bool:
        """Whether the document has to be mended here: what is wrong, or right where the author says that it is wrong."""
        if self.expected_wrong:
            return self.verdict in ACCEPTED
        return self.verdict in ACCUSING


@dataclass(frozen=True)
class Unread:
    """A place of a document that could not be read as mathematics, and why."""

    code: str
    message: str
    line: int
    column: int


@dataclass(frozen=True)
class FileReport:
    """The equations of one file in its order; `error` is why it could not be opened or decoded."""

    file: str
    equations: tuple[Equation, ...] = ()
    unread: tuple[Unread, ...] = ()
    error: str = ""
    source: str = ""  # the text, for a report that annotates it


@dataclass(frozen=True)
class Report(PrintedAsShown):
    """What was found in all files."""

    files: tuple[FileReport, ...]

    @property
    def equations(self) -> tuple[Equation, ...]:
        return tuple(equation for file in self.files for equation in file.equations)

    @property
    def counts(self) -> dict[str, int]:
        """How often each verdict was given, in the order of `VERDICTS`."""
        counted = Counter(equation.verdict for equation in self.equations)
        return {verdict: counted[verdict] for verdict in VERDICTS if counted[verdict]}

    def exit_code(self, strict: bool = False) -> int:
        """2 if a file could not be opened, 1 if something is not right (`strict`: or is not read or not decided), else 0."""
        if any(file.error for file in self.files):
            return 2
        is_open = strict and any(file.unread or any(e.verdict in OPEN for e in file.equations) for file in self.files)
        return 1 if is_open or any(e.is_fault for e in self.equations) else 0
