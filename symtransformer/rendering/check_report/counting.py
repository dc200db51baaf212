"""How many equations were found, and what came out: the summary of a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from symtransformer.checking.equations import ACCEPTED, ACCUSING, NOTHING_CLAIMED, Equation, Report
from symtransformer.rendering.check_report.sentences import reason, said

GROUPS = ("right", "not_right", "kept_right", "kept_wrong", "undecidable", "unparsed", "unclaimed")


def group_of(equation: Equation) -> str:
    """The one group that an equation is counted in; `kept`: the author says that it is wrong on purpose."""
    if equation.verdict in ACCEPTED:
        return "kept_right" if equation.expected_wrong else "right"
    if equation.verdict in ACCUSING:
        return "kept_wrong" if equation.expected_wrong else "not_right"
    return "unclaimed" if equation.verdict in NOTHING_CLAIMED else equation.verdict


@dataclass(frozen=True)
class Summary:
    """Counts of a report; `reasons` why equations are not read or not decided, `places` why other places are not read."""

    found: int
    groups: dict[str, int]
    verdicts: dict[str, int]
    reasons: dict[str, dict[str, int]]
    places: dict[str, int]
    faults: int
    files: int
    files_not_checked: int


def summary_of(report: Report) -> Summary:
    groups = Counter(group_of(equation) for equation in report.equations)
    reasons = {
        verdict: _most_first(e.code for e in report.equations if e.verdict == verdict)
        for verdict in ("unparsed", "undecidable")
    }
    return Summary(
        found=len(report.equations),
        groups={group: groups[group] for group in GROUPS},
        verdicts=report.counts,
        reasons=reasons,
        places=_most_first(place.code for file in report.files for place in file.unread),
        faults=sum(equation.is_fault for equation in report.equations),
        files=len(report.files),
        files_not_checked=sum(bool(file.error) for file in report.files),
    )


def _most_first(codes: Iterable[str]) -> dict[str, int]:
    counted = Counter(code or "other" for code in codes)
    return dict(sorted(counted.items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True)
class Line:
    """One line of the summary: what is counted, how many, and of what kinds they are."""

    label: str
    number: int
    parts: tuple[tuple[str, int], ...] = ()

    def in_parts(self, language: str, write: Callable[[str], str]) -> str:
        """The kinds with their numbers; `write` escapes a label."""
        return ("; " if language == "en" else "、").join(f"{write(label)} {number}" for label, number in self.parts)


def summary_lines(report: Report, language: str) -> list[Line]:
    """What was found, then each group that has something in it."""
    summary = summary_of(report)
    kinds: dict[str, Counter[str]] = {group: Counter() for group in GROUPS}
    for equation in report.equations:
        kinds[group_of(equation)][equation.verdict] += 1
    lines = [Line(said("found", language), summary.found)]
    for group, number in summary.groups.items():
        if group in summary.reasons:
            parts = _in_words(summary.reasons[group], language)
        else:
            parts = tuple((said(f"verdict_{v}", language), kinds[group][v]) for v in report.counts if kinds[group][v])
        is_clear = len(parts) == 1 and (group.startswith("kept") or parts[0][0] == said(f"group_{group}", language))
        if number or group in ("right", "not_right"):
            lines.append(Line(said(f"group_{group}", language), number, () if is_clear else parts))
    if summary.places:
        number = sum(summary.places.values())
        lines.append(Line(said("group_passages", language), number, _in_words(summary.places, language)))
    if summary.files_not_checked:
        lines.append(Line(said("group_files", language), summary.files_not_checked))
    return lines


def _in_words(counts: dict[str, int], language: str) -> tuple[tuple[str, int], ...]:
    """Codes that say the same are counted as one."""
    counted: Counter[str] = Counter()
    for code, number in counts.items():
        counted[reason(code, language)] += number
    return tuple(sorted(counted.items(), key=lambda item: -item[1]))


def closing_sentence(report: Report, language: str) -> str:
    """What is said where there is nothing to mend."""
    if not report.equations:
        return "" if any(file.error for file in report.files) else said("none_found", language)
    if any(equation.is_fault for equation in report.equations):
        return ""
    is_checked = any(equation.verdict in (*ACCEPTED, *ACCUSING) for equation in report.equations)
    if not is_checked:
        return said("none_checked", language)
    summary = summary_of(report)
    number = summary.groups["undecidable"] + summary.groups["unparsed"] + sum(summary.places.values())
    more = said("some_open", language, number=number) if number else ""
    return (" " if language == "en" and more else "").join((said("all_right", language), more))
