"""What was found in checked documents, in five formats and two languages; nothing is decided here."""

from __future__ import annotations

from symtransformer.checking.equations import Report
from symtransformer.errors import UnreadableInput
from symtransformer.rendering.check_report.annotated import as_annotated, why_not_annotated
from symtransformer.rendering.check_report.as_json import as_json
from symtransformer.rendering.check_report.lines import as_lines
from symtransformer.rendering.check_report.markdown import as_markdown
from symtransformer.rendering.check_report.terminal import WIDTH, as_terminal
from symtransformer.rendering.words import checked_language

REPORT_FORMATS = ("terminal", "lines", "markdown", "json", "annotated")


def render_report(
    report: Report, format: str = "terminal", language: str = "en", *, everything: bool = False, strict: bool = False,
    color: bool = False, kind: str = "", width: int = WIDTH,
) -> str:  # fmt: skip
    r"""A report in one of `REPORT_FORMATS`, in English ('en') or Japanese ('ja'); JSON holds both languages.

    `everything` shows what is right, definitions and what is not read as well, `strict` what is not read or not
    decided; `kind` is that of the documents, where it was given; a report for a terminal is `width` columns wide. Raises `NotSupported` where a kind of
    document cannot be annotated.

    >>> from symtransformer.checking.equations import Equation, FileReport, Report
    >>> from symtransformer.notation import Words
    >>> wrong = Equation("a.md", 1, 4, "1/3 ≈ 0.34", "number", "wrong", Words("Wrong: it is 0.33.", "誤り。"))
    >>> print(render_report(Report((FileReport("a.md", (wrong,)),)), "lines"), end="")
    a.md:1:4: wrong: it is 0.33.
    """
    language = checked_language(language)
    if format == "json":
        return as_json(report)
    if format == "lines":
        return as_lines(report, language, everything)
    if format == "markdown":
        return as_markdown(report, language, everything, strict)
    if format == "annotated":
        return as_annotated(report, language, everything, strict, kind)
    if format != "terminal":
        raise UnreadableInput(f"format: expected {', '.join(REPORT_FORMATS)}, got {format[:40]!r}")
    return as_terminal(report, language, everything, strict, color, width)


__all__ = ["REPORT_FORMATS", "render_report", "why_not_annotated"]
