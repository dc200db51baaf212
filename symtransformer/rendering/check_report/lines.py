"""A report of one line for each finding, as editors and compilers write it: `file:line:column: verdict: message`."""

from __future__ import annotations

from symtransformer.checking.equations import Report
from symtransformer.rendering.check_report.escaping import escaped, one_line
from symtransformer.rendering.check_report.findings import findings_in, message_of, wanted_where


def as_lines(report: Report, language: str, everything: bool) -> str:
    """What is not right and what is not read or not decided; with `everything` the rest too."""
    return "".join(
        f"{escaped(finding.file)}:{finding.line}:{finding.column}: {finding.verdict}: "
        f"{one_line(message_of(finding, language))}\n"
        for file in report.files
        for finding in findings_in(file, language, wanted_where(everything, open_too=True))
    )
