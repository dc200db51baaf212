"""The document itself with a line below each one that has something not right: a caret under the sign, and why."""

from __future__ import annotations

from collections.abc import Iterator

from symtransformer.checking.equations import FileReport, Report
from symtransformer.documents.kinds import kind_of
from symtransformer.documents.placed import LINE_END
from symtransformer.errors import NotSupported
from symtransformer.rendering.check_report.escaping import columns, harmless, in_html_comment, one_line
from symtransformer.rendering.check_report.findings import Finding, colon, findings_in, message_of, wanted_where

COMMENTS = {"latex": ("% ", ""), "markdown": ("<!-- ", " -->"), "html": ("<!-- ", " -->"), "text": ("# ", "")}


def as_annotated(report: Report, language: str, everything: bool, strict: bool, kind: str = "") -> str:
    """One file as it is; of several, each with its name before it."""
    files = [file for file in report.files if not file.error]
    texts = [annotated(file, language, everything, strict, kind) for file in files]
    if len(report.files) == 1:
        return "".join(texts)
    return "".join(
        f"==> {one_line(file.file)} <==\n{text}{'' if text.endswith(chr(10)) else chr(10)}\n"
        for file, text in zip(files, texts, strict=True)
    )


def annotated(file: FileReport, language: str, everything: bool = False, strict: bool = False, kind: str = "") -> str:
    """The text of one file with its annotations; what is said of an included file stands at the end."""
    if problem := why_not_annotated(file, kind):
        raise NotSupported(f"{one_line(file.file)}: {problem}")
    kind = kind_of(file.source, file.file, kind)
    shown = list(findings_in(file, language, wanted_where(everything, strict)))
    by_line: dict[int, list[Finding]] = {}
    for finding in shown:
        if finding.file == file.file:
            by_line.setdefault(finding.line, []).append(finding)
    pieces: list[str] = []
    for number, (line, end) in enumerate(_lines(file.source), start=1):
        pieces.append(harmless(line) + end)
        if number in by_line and not end:
            pieces.append("\n")
        pieces += [
            _annotation(finding, line, kind, language) + (end or "\n")
            for finding in sorted(by_line.get(number, ()), key=lambda f: f.column)
        ]
    opening, closing = COMMENTS[kind]
    pieces += [
        f"{opening}{_said(f'{f.file}:{f.line}:{f.column}: {f.label}{colon(language)}', f, language, kind)}{closing}\n"
        for f in shown
        if f.file != file.file
    ]
    return "".join(pieces)


def why_not_annotated(file: FileReport, kind: str = "") -> str:
    """Why nothing can be written into a file; empty if it can."""
    found = kind_of(file.source, file.file, kind)
    if found in COMMENTS:
        return ""
    return f"--format annotated: a file of kind {found} has no comments; choose another format"


def _lines(source: str) -> Iterator[tuple[str, str]]:
    """Each line and what ends it."""
    start = 0
    for found in LINE_END.finditer(source):
        yield source[start : found.start()], found.group()
        start = found.end()
    if start < len(source):
        yield source[start:], ""


def _annotation(finding: Finding, line: str, kind: str, language: str) -> str:
    opening, closing = COMMENTS[kind]
    under = "".join("\t" if c == "\t" else " " * columns(c) for c in harmless(line[: finding.column - 1]))
    kept = under[len(opening) :] if not under[: len(opening)].strip(" ") else under.lstrip(" ")
    return f"{opening}{kept}^ {_said(f'{finding.label}{colon(language)}', finding, language, kind)}{closing}"


def _said(start: str, finding: Finding, language: str, kind: str) -> str:
    text = start + message_of(finding, language)
    return in_html_comment(text) if COMMENTS[kind][1] else one_line(text)
