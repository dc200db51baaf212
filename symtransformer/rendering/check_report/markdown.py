"""A report in Markdown, as code hosts show it: counts in a table, each finding under a heading of its own."""

from __future__ import annotations

from collections.abc import Iterator

from symtransformer.checking.equations import FileReport, Report
from symtransformer.rendering.check_report.counting import closing_sentence, summary_lines
from symtransformer.rendering.check_report.escaping import markdown_block, markdown_code, markdown_words
from symtransformer.rendering.check_report.findings import Finding, Row, colon, findings_in, wanted_where
from symtransformer.rendering.check_report.sentences import said


def as_markdown(report: Report, language: str, everything: bool, strict: bool) -> str:
    """Title and counts, then file by file what is not right."""
    blocks = [f"# {said('title', language)}"]
    closing = closing_sentence(report, language)
    blocks += [markdown_words(closing)] if closing else []
    blocks.append("\n".join(_counts(report, language)))
    for file in report.files:
        shown = list(findings_in(file, language, wanted_where(everything, strict)))
        if shown or file.error:
            blocks.append(f"## {markdown_code(file.file)}")
        if file.error:
            blocks.append(said("not_checked", language, reason=markdown_words(file.error)))
        for finding in shown:
            blocks += _finding(finding, file, language)
    return "\n\n".join(blocks) + "\n"


def _counts(report: Report, language: str) -> Iterator[str]:
    heads = [said(key, language) for key in ("equations", "number", "of_these")]
    yield _row(heads)
    yield "| --- | ---: | --- |"
    for line in summary_lines(report, language):
        yield _row([markdown_words(line.label), str(line.number), line.in_parts(language, markdown_words)])


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _finding(finding: Finding, file: FileReport, language: str) -> Iterator[str]:
    place = said("place", language, line=finding.line, column=finding.column)
    elsewhere = "" if finding.file == file.file else f" ({markdown_code(finding.file)})"
    yield f"### {place}{elsewhere}{colon(language)}{finding.label}"
    if finding.text:
        yield "\n".join(markdown_block([finding.text]))
    yield (" " if language == "en" else "").join(map(markdown_words, finding.sentences))
    if finding.entries:
        yield "\n".join(_entries(finding, language))
    if finding.entries_left_out:
        yield markdown_words(said("entries_left_out", language, number=finding.entries_left_out)) + _end(language)
    if finding.rows:
        yield "\n".join(line for row in finding.rows for line in _item(row, language))


def _end(language: str) -> str:
    return "." if language == "en" else "。"


def _entries(finding: Finding, language: str) -> Iterator[str]:
    yield _row([said(key, language) for key in ("entry_head", "shown_head", "right_head")])
    yield "| --- | ---: | ---: |"
    for entry in finding.entries:
        right = markdown_code(entry.right, in_table=True) if entry.right else markdown_words(entry.sentence)
        yield _row([entry.which, markdown_code(entry.shown, in_table=True), right])


def _item(row: Row, language: str) -> Iterator[str]:
    shown = [markdown_code(text) if row.is_mathematics else markdown_words(text) for text in row.texts]
    yield f"- **{row.label[:1].upper()}{row.label[1:]}**{colon(language)}{shown[0]}"
    yield from (f"  - {text}" for text in shown[1:])
