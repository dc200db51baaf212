"""What a report says of one equation, in one language and in the order of reading; formats only lay it out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from symtransformer.checking.equations import ACCEPTED, ACCUSING, OPEN, Equation, FileReport, Unread
from symtransformer.notation import Words
from symtransformer.rendering.check_report.entries import (
    WrongEntry,
    count_of_entries,
    described,
    marked,
    wrong_entries,
)
from symtransformer.rendering.check_report.escaping import columns, one_line
from symtransformer.rendering.check_report.sentences import catalogue, said

ENTRIES_SHOWN = 12
COLUMNS_IN_A_LINE = 100  # of one formula in a report of one line


@dataclass(frozen=True)
class Row:
    """Something said of an equation under a label; `is_mathematics` where it is a formula and no sentence."""

    label: str
    texts: tuple[str, ...]
    is_mathematics: bool = False
    is_said_again: bool = False  # in another row, or entry by entry


@dataclass(frozen=True)
class Finding:
    """Everything said of one place. `text` is in one line, and `marks` are the parts of it that are not right."""

    file: str
    line: int
    column: int
    verdict: str
    label: str  # the verdict in words
    is_fault: bool
    text: str
    marks: tuple[tuple[int, int], ...]
    sentences: tuple[str, ...]
    entries: tuple[WrongEntry, ...]
    entries_left_out: int
    rows: tuple[Row, ...]

    @property
    def is_open(self) -> bool:
        return self.verdict in (*OPEN, "unread")


def findings_in(file: FileReport, language: str, wanted: Callable[[Equation | Unread], bool]) -> Iterator[Finding]:
    """Equations in their order, and places that are not read before the first that stands behind them."""
    places = sorted(file.unread, key=lambda place: (place.line, place.column), reverse=True)
    for equation in file.equations:
        while places and equation.file == file.file and _is_before(places[-1], equation):
            place = places.pop()
            if wanted(place):
                yield _unread(file.file, place, language)
        if wanted(equation):
            yield finding_of(equation, language)
    yield from (_unread(file.file, place, language) for place in reversed(places) if wanted(place))


def _is_before(place: Unread, equation: Equation) -> bool:
    return (place.line, place.column) < (equation.line, equation.column)


def wanted_where(everything: bool, open_too: bool) -> Callable[[Equation | Unread], bool]:
    """What is to be mended; if asked for, what is not read or not decided, or everything, as well."""

    def wanted(found: Equation | Unread) -> bool:
        if everything:
            return True
        if isinstance(found, Unread):
            return open_too
        return found.is_fault or (open_too and found.verdict in OPEN)

    return wanted


def finding_of(equation: Equation, language: str) -> Finding:
    wrong = wrong_entries(equation)
    is_right_after_all = equation.is_fault and equation.verdict in ACCEPTED
    label = said("group_kept_right" if is_right_after_all else f"verdict_{equation.verdict}", language)
    return Finding(
        equation.file, equation.line, equation.column, equation.verdict, label,
        equation.is_fault, one_line(equation.text), marked(equation), tuple(_sentences(equation, language)),
        tuple(described(entry, equation, language) for entry in wrong[:ENTRIES_SHOWN]),
        max(0, len(wrong) - ENTRIES_SHOWN), tuple(_rows(equation, language)),
    )  # fmt: skip


def message_of(finding: Finding, language: str) -> str:
    """What is to be known in one line, without the label of the verdict that stands before it.

    Of entries the first is told, since a sentence says how many they are; what is long stands in the other formats.
    """
    behind = colon(language)
    between = " " if language == "en" else ""
    said_first = between.join(finding.sentences)
    for label in (finding.label, finding.verdict):
        said_first = re.sub(rf"^{re.escape(label)}(?:: |。)", "", said_first, flags=re.IGNORECASE)
    parts = [said_first, *(f"{entry.which}{behind}{entry.sentence}" for entry in finding.entries[:1])]
    rows = (row for row in finding.rows if not row.is_said_again and not _is_long(row, finding))
    parts += [f"{row.label}{behind}{_in_a_row(row.texts, language)}" for row in rows]
    return between.join(_closed(part, language) for part in parts if part)


def _is_long(row: Row, finding: Finding) -> bool:
    """A whole matrix beside its first entry, or numbers without an end."""
    is_matrix = bool(finding.entries) and "[" in row.texts[0]
    return row.is_mathematics and (is_matrix or columns(row.texts[0]) > COLUMNS_IN_A_LINE)


def colon(language: str) -> str:
    return ": " if language == "en" else "："


def _in_a_row(texts: tuple[str, ...], language: str) -> str:
    """A set as one: what heads it, then its members between semicolons."""
    if len(texts) < 2:
        return "".join(texts)
    joint = "; " if language == "en" else "；"
    return texts[0].rstrip(":。") + colon(language) + joint.join(text.rstrip(".。") for text in texts[1:])


def _closed(part: str, language: str) -> str:
    return part if part.endswith((".", "。", "!", "?")) else part + ("." if language == "en" else "。")


# -- sentences ----------------------------------------------------------------------------------------------
def _sentences(equation: Equation, language: str) -> Iterator[str]:
    if equation.expected_wrong and equation.verdict in ACCUSING:
        yield said("kept_wrong", language)
    wrong, count = len(wrong_entries(equation)), count_of_entries(equation)
    if equation.verdict in ACCUSING and 0 < wrong <= count > 1:
        if equation.follows_from is not None:
            yield said("follows_from", language, line=equation.follows_from)
        yield said("entry_is_wrong" if wrong == 1 else "entries_are_wrong", language, number=wrong, count=count)
        return  # which ones, and what is right, is said of each
    yield equation.words.in_language(language)


def _rows(equation: Equation, language: str) -> Iterator[Row]:
    """The right value unless a sentence ends with it; then why, and what is to be known.

    Of what is not decided no right value is told.
    """
    is_told = equation.verdict not in OPEN
    value, line = (equation.right_value, equation.right_line) if is_told else (None, "")
    if value and (line or equation.entries or not _says(equation.words, value)):
        label = said("right_formula" if equation.kind == "formula" else "right_value", language)
        yield Row(label, (value,), True, is_said_again=line.endswith(value))
    if line:
        yield Row(said("right_line", language), (line,), True)
    slips = tuple(note.words.in_language(language) for note in equation.slips)
    if len(slips) == 1:
        yield Row(said("slip", language), slips)
    elif slips:
        yield Row(said("slips", language), (said("slips_as_a_set", language), *slips))
    if equation.convention is not None and equation.convention.words != equation.words:
        yield Row(said("convention", language), (equation.convention.words.in_language(language),))
    if equation.counterexample:
        yield Row(said("counterexample", language), (equation.counterexample,), True)
    if equation.against is not None:
        yield Row(said("against", language), (equation.against.in_language(language),))
    for note in (note for note in equation.remarks if note.words != equation.words):
        yield Row(said("remark", language), (note.words.in_language(language),))


def _says(words: Words, value: str) -> bool:
    """Whether the value stands in the words as it is, and not as a part of another."""
    found = re.search(rf"(?<![\w.]){re.escape(value)}(?!\w|\.\w)", words.en)
    return found is not None


# -- places that are not read -----------------------------------------------------------------------------
def words_of(place: Unread) -> Words:
    """Why a place is not read: in English with its details, in Japanese by the code, with the name that it speaks of."""
    key = f"unread_{place.code}"
    is_mark = place.code == "mark"  # "let is not read: K", in the writer's own words
    named = re.search(r"'([^']+)'|: ([^:;]+)(?:;|$)" if is_mark else r"'([^']+)'()", place.message)
    japanese = said(key if key in catalogue() else "unread_other", "ja")
    japanese += f"（{named.group(1) or named.group(2)}）" if named else ""
    return Words(place.message, japanese)


def _unread(file: str, place: Unread, language: str) -> Finding:
    label = said("verdict_idle" if place.code == "idle" else "verdict_unread", language)
    sentences = (words_of(place).in_language(language),)
    return Finding(file, place.line, place.column, "unread", label, False, "", (), sentences, (), 0, ())
