"""A derivation as a neutral document: what is shown, in which order, at which level of detail."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from symtransformer import __version__
from symtransformer.derivation import Derivation, Follow, Section
from symtransformer.errors import UnreadableInput
from symtransformer.judge import PROVED, REFUTED, TESTED, UNDECIDABLE, Verified
from symtransformer.node import postorder
from symtransformer.notation import Words
from symtransformer.rendering.document import (
    Behind,
    Block,
    Document,
    Equations,
    Heading,
    Paragraph,
    Remark,
    Table,
)  # fmt: skip
from symtransformer.rendering.flow import flow_of
from symtransformer.rendering.numbers import Style, decimal_text
from symtransformer.rendering.page_lines import PageLines
from symtransformer.rendering.page_steps import PageSteps
from symtransformer.rendering.parts_flow import parts_of
from symtransformer.scalars import entry_name
from symtransformer.symbols import Letter

STEP, FARTHEST = Words("step", "ステップ"), Words("largest difference", "最大の差")
DETAILS = ("results", "steps", "entries", "problem")


def compose(
    subject: Derivation | Verified, *, detail: str = "steps", style: Style | None = None,
    follow: Follow | bool | None = None, only: tuple[str, ...] = (), row: int | None = None, command: str = "",
    live: bool = False,
) -> Document:  # fmt: skip
    """The document of a derivation; what is not verified is marked as such at its step.

    A `live` one says what its numbers were computed from, and what a slider would show.
    """
    if detail not in DETAILS:
        raise UnreadableInput(f"detail: expected {', '.join(DETAILS)}, got {detail[:40]!r}")
    derivation = subject.derivation if isinstance(subject, Verified) else subject
    chosen = derivation.follow if follow is None else follow if isinstance(follow, Follow) else None
    require_names_apart(derivation)
    page = _Page(subject, derivation, detail, style or Style(), chosen, only, row)
    page.live = live
    blocks = tuple(page.with_sizes(list(page.blocks())))
    behind = page.behind() if page.live else None
    return Document(derivation.title, blocks, comment_of(subject, command), behind, refuted=page.is_refuted)


def require_names_apart(derivation: Derivation) -> None:
    """Entries are written with small letters: Q and q, or Z_1 and head 1 of Z, would be read as one."""
    seen: dict[tuple[str, str], Letter] = {}
    letters = dict.fromkeys([*derivation.inputs, *(step.letter for step in derivation.steps)])
    families = {letter.name for letter in letters if letter.head is not None}
    for letter in letters:
        base, mark = entry_name(letter.name, letter.head)
        other = seen.setdefault((base, mark), letter)
        head_of, _, low = letter.name.partition("_")
        if low.isdigit() and head_of[0].islower() and any(x.name.lower() == head_of for x in letters):
            raise UnreadableInput(f"a page: {letter} would be written as row {low} of {head_of}; rename one")
        if other is not letter or (head_of != letter.name and mark.startswith("(") and head_of in families):
            name = other if other is not letter else head_of
            raise UnreadableInput(
                f"a page: entries of {letter} and of {name} would be written alike; rename one (on every page that has "
                "both, whether it writes out entries or not)"
            )


def comment_of(subject: Derivation | Verified, command: str) -> tuple[str, ...]:
    """What stands at the head of a page: version, command, and what the judge said."""
    return tuple(_comment(subject, command))


def _comment(subject: Derivation | Verified, command: str) -> Iterable[str]:
    derivation = subject.derivation if isinstance(subject, Verified) else subject
    yield f"symtransformer {__version__}"
    if command:
        yield f"command: {command}"
    if isinstance(subject, Verified):
        kinds = (PROVED, TESTED, UNDECIDABLE, REFUTED)
        yield f"steps: {len(derivation.steps)}: {', '.join(f'{subject.count(kind)} {kind}' for kind in kinds)}"
        if subject.lines:
            counts = ", ".join(f"{subject.count_lines(kind)} {kind}" for kind in kinds)
            yield f"index lines: {len(subject.lines)}: {counts}"
        if subject.definitions:
            yield f"proved: {subject.definitions} by definition, {subject.count(PROVED) - subject.definitions} beyond it"
    else:
        yield f"steps: {len(derivation.steps)}, none verified"
        if lines := sum(len(section.lines) for section in derivation.sections):
            yield f"index lines: {lines}, none verified"


class _Page(PageSteps):
    def __init__(
        self, subject: Any, derivation: Derivation, detail: str, style: Style, follow: Follow | None,
        only: tuple[str, ...], row: int | None,
    ) -> None:  # fmt: skip
        super().__init__(subject, derivation, detail, style, follow, row)
        self.follow = follow
        self.lines = PageLines(self.verified, detail)
        self.sections = derivation.sections or (self._whole(),)
        self.drawn = self.complete = not only and row is None
        if only or row is not None:
            self.sections = self._chosen(only)

    live = False

    @property
    def is_refuted(self) -> bool:
        return any(map(self._is_refuted, self.derivation.steps))

    def behind(self) -> Behind | None:
        """None where there is nothing to compute, or where it would be computed from what is not true."""
        base, verified = self._evaluation_of({}), self.verified
        if base is None or self.is_refuted:
            return None
        kinds = {} if verified is None else verified.verdicts
        proved = frozenset(name for name, verdict in kinds.items() if verdict.kind == PROVED)
        return Behind(self.derivation, proved, self.style, tuple(self.scopes.items()), base, self.blank)

    # -- the page -----------------------------------------------------------------------------
    def blocks(self) -> Iterable[Block]:
        yield Heading(self.derivation.title, 1)
        yield from self._about_numbers()
        if self.follow is not None:
            label = self._label(self.derivation[self.follow.step].letter, self.follow.axis, self.follow.index)
            yield Remark("followed", (("axis", self.follow.axis), ("number", self.follow.index + 1), ("label", label)))
        if self.detail != "results" and not self.blank and self.drawn:
            flow = flow_of(self.derivation, [name for section in self.sections for name in section.steps])
            parts = parts_of(self.derivation, self.sections) if flow is None else None
            if (drawing := flow or parts) is not None:
                yield drawing
        for section in self.sections:
            self.section, self.evaluation = section, self._evaluation_of(section.values)
            self._check_labels()
            self._check_follow()
            yield from self._section(section)
        if self.style.round_steps is not None and not self.blank:
            yield from self._how_far()

    def _about_numbers(self) -> Iterable[Block]:
        """How the numbers of the page were, or are to be, rounded."""
        if self._evaluation_of({}) is None:
            return
        style, places = self.style, (("number", self.style.decimals),)
        if self.blank:
            yield Remark("fill_in")
            if style.round_steps is not None:
                yield Remark("fill_in_rounded_steps", places)
            elif style.significant is not None:
                yield Remark("fill_in_significant", (("number", style.significant),))
            else:
                yield Remark("fill_in_places", places)
        elif style.round_steps is not None:
            yield Remark("rounded_steps", places)
        else:
            yield Remark("rounded")

    def _how_far(self) -> Iterable[Block]:
        """Of each shown step that no later one uses: how far rounding at every line has led from its value."""
        if (evaluation := self._evaluation_of({})) is None:
            return
        self.evaluation = evaluation
        shown = {name for section in self.sections for name in section.steps}
        steps = [step for step in self.derivation.steps if step.name in shown]
        used = {x.name for step in steps for x in postorder(step.expression) if isinstance(x, Letter)}
        places = self.style.decimals
        unit = decimal_text(1, places, trim=False)
        ends = [step for step in steps if step.name not in used and not self._is_refuted(step)]
        found = [(s.letter, most) for s in ends if (most := self._rounded_steps().farthest(s)) is not None]
        if len(found) > 1:
            yield Table((STEP, FARTHEST), (), tuple(found), Remark("rounded_steps_table", (("unit", unit),)))
        for letter, most in found if len(found) == 1 else ():
            if most.value == 0 and most.exact:
                yield Remark("rounded_steps_same", (("name", letter),))
            else:
                size = most.text if most.exact else f"≈ {most.text}"
                yield Remark("rounded_steps_end", (("name", letter), ("size", size), ("unit", unit)))

    def _check_follow(self) -> None:
        if self.follow is None:
            return
        letter, axis = self.derivation[self.follow.step].letter, self.follow.axis
        size: Any = letter.shape[0 if axis == "row" else 1]
        size = size if self.evaluation is None else size.xreplace(self._sizes())
        if size.is_Integer and self.follow.index >= size:
            raise UnreadableInput(f"following: {letter} has no {axis} {self.follow.index + 1}; the last one is {size}")

    def _whole(self) -> Section:
        names = tuple(step.name for step in self.derivation.steps)
        shown = () if self._evaluation_of({}) is None else tuple(self.inputs)
        return Section(Words("Steps", "計算の流れ"), inputs=shown, steps=names)

    def _chosen(self, only: tuple[str, ...]) -> tuple[Section, ...]:
        """The sections with only these steps; on a worksheet also what is given."""
        names = tuple(step.name for step in self.derivation.steps)
        if isinstance(only, str):
            raise UnreadableInput('only: expected a tuple of names, as in ("S", "A")')
        if unknown := [name for name in only if name not in names]:
            raise UnreadableInput(f"only: there is no step {unknown[0][:40]!r}; the steps are {', '.join(names)}")
        if self.row is not None:
            self._require_row(only or names, bool(only))
        wanted = only or names
        sections = [_with_only(section, wanted, self.blank) for section in self.sections]
        left_out = tuple(n for n in only if all(n not in section.steps for section in sections))
        if left_out:
            sections.append(Section(self._whole().title, steps=left_out))
        return tuple(section for section in sections if section.steps or section.inputs)

    def _require_row(self, names: tuple[str, ...], each: bool) -> None:
        """Each of these steps has the row, or at least one where none was named."""
        assert self.row is not None
        counts = {}
        self.evaluation = self._evaluation_of({})
        for name in names:
            rows = self.derivation[name].letter.shape[0]
            rows = rows if self.evaluation is None else rows.xreplace(self._sizes())
            if not rows.is_Integer:
                return
            counts[name] = int(rows)
        short = [name for name, rows in counts.items() if not 0 <= self.row < rows]
        if short and (each or len(short) == len(counts)):
            known = ", ".join(f"{name} has {counts[name]}" for name in short)
            raise UnreadableInput(f"row: there is no row {self.row + 1}, counted from 1; {known}")

    def _has_row(self, name: str) -> bool:
        rows: Any = self.derivation[name].letter.shape[0]
        rows = rows if self.evaluation is None else rows.xreplace(self._sizes())
        return self.row is None or not rows.is_Integer or self.row < rows

    def _section(self, section: Section) -> Iterable[Block]:
        steps = [self.derivation[name] for name in section.steps if self._has_row(name)]
        if self.row is not None and not steps and not section.inputs:
            return
        self._require_known_words(section)
        yield Heading(section.title, 2)
        if section.text is not None and self.detail != "results":
            yield Paragraph(section.text)
        chains = [chain for name in section.inputs for chain in self._input(name)]
        if chains:
            yield Equations(tuple(chains), side_by_side=True)
        self.defined.update(section.inputs)
        yield from self._counted(section)
        if section.rows_only and self.detail != "results":
            yield from self._rows_alone(steps)
        else:
            for step in steps:
                yield from self._step(step)
        yield from self.lines.blocks(section)
        for name, stops in section.behind:
            yield Equations((self._behind(name, stops),))
        yield from self._tables_of(section)
        if section.sweep is not None:
            table = self._sweep(section)
            yield replace(table, slider=self._slider(section)) if self.live and not self.blank else table


def _with_only(section: Section, names: tuple[str, ...], given: bool) -> Section:
    """The section with nothing but these steps, and with what is given if that is asked for."""

    def those(items: tuple[Any, ...], name: Callable[[Any], str] = str) -> tuple[Any, ...]:
        return tuple(item for item in items if name(item) in names)

    kept = those(section.steps)
    if not kept:
        return Section(section.title, section.text, section.inputs if given else (), values=section.values)
    return replace(
        section,
        text=section.text if given else None,
        inputs=section.inputs if given else (),
        steps=kept,
        percent=those(section.percent),
        sweep=None,
        behind=(),
        heat=those(section.heat),
        usable=those(section.usable),
        kept=those(section.kept),
        compare=those(section.compare, lambda c: c.step),
        facts=(),
        tables=(),
        lines=(),
    )
