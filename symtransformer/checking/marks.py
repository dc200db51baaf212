"""What the author of a document tells the program in comments: skip, expect wrong, let, convention."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from symtransformer.documents import Document, Mark, Placed, Relation


@dataclass
class Marks:
    """The marks of a document, each for the equations of its own line, or else of the next formula below it."""

    skipped: set[int] = field(default_factory=set)  # indices of relations
    expected_wrong: set[int] = field(default_factory=set)
    before: dict[int, list[Mark]] = field(default_factory=dict)  # let and convention, by the relation they come before
    after_all: list[Mark] = field(default_factory=list)
    idle: list[Mark] = field(default_factory=list)  # skip and expect that concern nothing


def marks_of(document: Document, relations: Sequence[Relation]) -> Marks:
    found = Marks()
    for mark in document.marks:
        if mark.kind in ("skip", "expect"):
            concerned = _concerned(mark, relations)
            (found.skipped if mark.kind == "skip" else found.expected_wrong).update(concerned)
            if not concerned:
                found.idle.append(mark)
            continue
        next_one = next((i for i, r in enumerate(relations) if _is_behind(mark, r)), None)
        if next_one is None:
            found.after_all.append(mark)
        else:
            found.before.setdefault(next_one, []).append(mark)
    return found


def _is_behind(mark: Mark, relation: Relation) -> bool:
    return relation.file == mark.file and (relation.line, relation.column) > (mark.line, mark.column)


def _concerned(mark: Mark, relations: Sequence[Relation]) -> list[int]:
    same_line = [i for i, r in enumerate(relations) if r.file == mark.file and r.line == mark.line]
    if same_line:
        return same_line
    first = next((i for i, r in enumerate(relations) if _is_behind(mark, r)), None)
    return [] if first is None else [i for i, r in enumerate(relations) if r.passage == relations[first].passage]


def relation_of_let(mark: Mark) -> Relation | None:
    """`let K = [[1, 0]]` as the relation that it writes; None where it has no equals sign."""
    name, equals, value = mark.text.partition("=")
    if not equals:
        return None
    left, right = (Placed(part.strip(), ()) for part in (name, value))
    return Relation(left, "=", right, mark.file, mark.line, mark.column, -1, -1)


__all__ = ["Marks", "marks_of", "relation_of_let"]
