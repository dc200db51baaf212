"""A report for a terminal: what is not right in the order of the document, then how much was found."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from symtransformer.checking.equations import Report
from symtransformer.rendering.check_report.counting import closing_sentence, summary_lines
from symtransformer.rendering.check_report.escaping import columns, escaped, filled_up, one_line
from symtransformer.rendering.check_report.findings import Finding, Row, findings_in, wanted_where
from symtransformer.rendering.check_report.sentences import said
from symtransformer.rendering.text import wrapped

INDENT = "  "
WIDTH = 100  # columns; a longer line goes on below, so that marks stay under what they mark
NARROWEST, MARGIN, LEFT_FOR_TEXT = 40, 4, 16
Painted = Callable[[str, str], str]
RED, YELLOW, GREEN, BOLD = "31", "33", "32", "1"


def as_terminal(report: Report, language: str, everything: bool, strict: bool, color: bool, width: int = WIDTH) -> str:
    """Blocks of lines with an empty line between them; `strict` shows what is open as well."""
    painted = _painted if color else _plain
    width = max(NARROWEST, min(width, WIDTH)) - MARGIN
    wanted = wanted_where(everything, strict)
    blocks = [
        "\n".join(_block(finding, language, painted, width))
        for file in report.files
        for finding in findings_in(file, language, wanted)
    ]
    closing = closing_sentence(report, language)
    end = [*(_indented(closing, "", width) if closing else ()), *_summary(report, language, width)]
    blocks.append("\n".join(end))
    return "\n\n".join(blocks) + "\n"


def _painted(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m"


def _plain(text: str, code: str) -> str:
    return text


def _block(finding: Finding, language: str, painted: Painted, width: int) -> Iterator[str]:
    color = RED if finding.is_fault else YELLOW if finding.is_open else GREEN
    place = f"{escaped(finding.file)}:{finding.line}:{finding.column}"
    yield f"{painted(place, BOLD)}  {painted(finding.label, color)}"
    if finding.text:
        yield from (painted(line, RED) if is_mark else line for line, is_mark in _quoted(finding, width))
    for sentence in finding.sentences:
        yield from _indented(one_line(sentence), INDENT, width)
    yield from _rows(finding, language, width)


def _quoted(finding: Finding, width: int) -> Iterator[tuple[str, bool]]:
    """The line as it stands, and below it a line of carets where entries are not right."""
    indent = INDENT * 2
    for start, end in _pieces(finding.text, width):
        yield indent + finding.text[start:end], False
        under = "".join(
            ("^" if any(a <= k < b for a, b in finding.marks) else " ") * columns(finding.text[k])
            for k in range(start, end)
        )
        if under.strip():
            yield indent + under.rstrip(), True


def _pieces(text: str, most: int) -> Iterator[tuple[int, int]]:
    """Parts of a text that fit in a line, cut behind a space where there is one."""
    start = 0
    while start < len(text):
        end, width = start, 0
        while end < len(text) and (width := width + columns(text[end])) <= most:
            end += 1
        space = text.rfind(" ", start, end)
        if end < len(text) and space > start:
            end = space + 1
        yield start, end
        start = end


def _rows(finding: Finding, language: str, width: int) -> Iterator[str]:
    """Labels in a column, and beside them what they say."""
    rows = [Row(entry.which, (entry.sentence,)) for entry in finding.entries]
    if finding.entries_left_out:
        rows.append(Row("", (said("entries_left_out", language, number=finding.entries_left_out),)))
    rows += finding.rows
    widest = max((columns(row.label) for row in rows), default=0)
    for row in rows:
        for k, text in enumerate(row.texts):
            label = filled_up(row.label if k == 0 else "", widest)
            bullet = "- " if k else ""
            first = f"{INDENT}{label}  {bullet}"
            yield from _indented(one_line(text), first, width, " " * columns(first))


def _indented(text: str, first: str, width: int, further: str = "") -> Iterator[str]:
    """Sentences and formulas are broken into lines; formulas at spaces, so that their parts can be put together again."""
    further = further or first
    left = max(LEFT_FOR_TEXT, width - columns(first))
    lines = wrapped(text, left).splitlines() if columns(text) > left else [text]
    yield from ((first if k == 0 else further) + line for k, line in enumerate(lines))


def _summary(report: Report, language: str, width: int) -> Iterator[str]:
    lines = summary_lines(report, language)
    widest = max(columns(line.label) for line in lines)
    digits = max(len(str(line.number)) for line in lines)
    for line in lines:
        first = f"{filled_up(line.label, widest)}  {line.number:>{digits}}  "
        parts = line.in_parts(language, one_line)
        yield from _indented(parts, first, width, " " * columns(first)) if parts else [first.rstrip()]
