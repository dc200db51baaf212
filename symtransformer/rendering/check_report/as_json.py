"""A report as one JSON object: `schema.json`, beside this file, says what stands where."""

from __future__ import annotations

import json
from typing import Any

from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation, FileReport, Report
from symtransformer.checking.number_words import Note
from symtransformer.notation import Words
from symtransformer.rendering.check_report.counting import summary_of
from symtransformer.rendering.check_report.escaping import is_seen
from symtransformer.rendering.check_report.findings import words_of

VERSION = 1


def as_json(report: Report) -> str:
    """Both languages in one object; a character that is not seen stands as its number."""
    lines = json.dumps(_report(report), ensure_ascii=False, indent=2).split("\n")
    return "".join(f"{line if line.isascii() and line.isprintable() else _with_escapes(line)}\n" for line in lines)


def _with_escapes(line: str) -> str:
    return "".join(c if is_seen(c) else json.dumps(c)[1:-1] for c in line)


def _report(report: Report) -> dict[str, Any]:
    return {"version": VERSION, "files": [_file(file) for file in report.files], "summary": _summary(report)}


def _file(file: FileReport) -> dict[str, Any]:
    return {
        "file": file.file,
        "error": file.error or None,
        "equations": [_equation(equation) for equation in file.equations],
        "unread": [
            {
                "code": place.code, "message": place.message, "words": _both(words_of(place)), "line": place.line,
                "column": place.column,
            }
            for place in file.unread
        ],
    }  # fmt: skip


def _equation(equation: Equation) -> dict[str, Any]:
    return {
        "file": equation.file,
        "line": equation.line,
        "column": equation.column,
        "text": equation.text,
        "kind": equation.kind,
        "verdict": equation.verdict,
        "local": equation.local,
        "from_start": equation.from_start,
        "right_value": equation.right_value,
        "entries": [
            {
                "row": entry.row, "column": entry.column, "shown": entry.shown, "verdict": entry.verdict,
                "right": entry.right, "message": _both(entry.words),
            }
            for entry in equation.entries
        ],
        "convention": None if equation.convention is None else equation.convention.name,
        "slips": [_note(slip) for slip in equation.slips],
        "counterexample": equation.counterexample,
        "remarks": [_note(remark) for remark in equation.remarks],
        "is_fault": equation.is_fault,
        "message": _both(equation.words),
        "right_line": equation.right_line or None,
        "code": equation.code or None,
        "against": None if equation.against is None else _both(equation.against),
        "convention_message": None if equation.convention is None else _both(equation.convention.words),
        "follows_from": equation.follows_from,
        "expected_wrong": equation.expected_wrong,
    }  # fmt: skip


def _note(note: Note) -> dict[str, Any]:
    return {"name": note.name, "message": _both(note.words)}


def _both(words: Words) -> dict[str, str]:
    return {language: words.in_language(language) for language in ("en", "ja")}


def _summary(report: Report) -> dict[str, Any]:
    summary = summary_of(report)
    return {
        "found": summary.found,
        "right": sum(e.verdict in ACCEPTED for e in report.equations),
        "wrong": sum(e.verdict in ACCUSING for e in report.equations),
        "faults": summary.faults,
        "verdicts": summary.verdicts,
        "unread": summary.reasons["unparsed"],
        "undecidable": summary.reasons["undecidable"],
        "unread_places": summary.places,
        "files": summary.files,
        "files_not_checked": summary.files_not_checked,
    }
