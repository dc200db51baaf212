"""What a reader puts down of a document: formulas, marks, and what could not be read; each limit, n and n + 1."""

import pytest

from symtransformer.documents import DocumentError
from symtransformer.documents.collecting import Collector, depth_of
from symtransformer.documents.limits import CLAIMS, DEPTH, DISPLAY_CHARACTERS, FORMULA_CHARACTERS
from symtransformer.documents.placed import made


def collector(text="x"):
    found = Collector("a.md")
    return found, found.sources.add("a.md", text)


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        ("", 0), ("a", 0), ("(a)", 1), ("((a))", 2), ("(a)(b)", 1), ("([{a}])", 3), (")(a", 1), (")))(a)", 1), ("(a) ((b))", 2),
        (r"\begin{x}(a)\end{x}", 2), (r"\begin{x}a\end{x}", 2), (r"\beginning(a)", 1), (r"\end{x}", 1),
    ],
)  # fmt: skip
def test_how_deep_brackets_stand_inside_each_other(text, depth):
    assert depth_of(text) == depth


@pytest.mark.parametrize("where", ["inline", "display"])
@pytest.mark.parametrize(("length", "is_read"), [(FORMULA_CHARACTERS, True), (FORMULA_CHARACTERS + 1, False)])
def test_a_formula_is_so_long_at_most(where, length, is_read):
    text = " " + "a" * length + " "
    found, placed = collector(text)
    found.passage(placed, "latex", where)
    assert [p.text for p in found.passages] == [text.strip()] * is_read
    said = [("too_long", f"a formula of {length} characters; at most {FORMULA_CHARACTERS}", 1, 2)]
    assert [(p.code, p.message, p.line, p.column) for p in found.problems] == said * (not is_read)


@pytest.mark.parametrize(("extra", "is_read"), [(0, True), (1, False)])
def test_a_display_of_many_rows_is_so_long_at_most(extra, is_read):
    text = ("a" * 998 + "\\\\") * (DISPLAY_CHARACTERS // 1_000 - 1) + "b" * (1_000 + extra)
    assert len(text) == DISPLAY_CHARACTERS + extra
    found, placed = collector(text)
    found.passage(placed, "latex", "display")
    assert bool(found.passages) is is_read
    said = [("too_long", f"a formula of {len(text)} characters; at most {DISPLAY_CHARACTERS}")]
    assert [(p.code, p.message) for p in found.problems] == said * (not is_read)


def test_only_a_display_has_rows():
    text = "a" * 3_000 + "\\\\" + "b" * 3_000
    for where, is_read in (("display", True), ("inline", False)):
        found, placed = collector(text)
        found.passage(placed, "latex", where)
        assert bool(found.passages) is is_read


@pytest.mark.parametrize(("depth", "is_read"), [(DEPTH, True), (DEPTH + 1, False)])
def test_brackets_stand_so_deep_at_most(depth, is_read):
    found, placed = collector("(" * depth + "a" + ")" * depth)
    found.passage(placed, "latex", "inline")
    assert bool(found.passages) is is_read
    said = [("too_deep", f"more than {DEPTH} brackets inside each other")]
    assert [(p.code, p.message) for p in found.problems] == said * (not is_read)


def test_a_passage_is_stripped_and_knows_its_place():
    found, placed = collector("ab\n  ｘ ＝ １  ")
    found.passage(placed.cut(2), "text", "line", continues=True)
    (passage,) = found.passages
    assert (passage.text, passage.line, passage.column, passage.origins) == ("x = 1", 2, 3, (5, 6, 7, 8, 9))
    assert (passage.file, passage.language, passage.where, passage.cell, passage.continues) == (
        "a.md", "text", "line", None, True,
    )  # fmt: skip
    found.passage(made(" \n ", 0), "text", "line")
    assert len(found.passages) == 1
    found.passage(placed.cut(0, 2), "text", "line")
    assert found.passages[-1].continues is False


def test_so_many_passages_and_problems_at_most():
    found, placed = collector("\nx")
    found.passages = [None] * (CLAIMS - 1)
    found.problems = [None] * (CLAIMS - 1)
    found.passage(placed, "text", "line")
    found.problem("mark", "no mark", 1)
    assert (len(found.passages), len(found.problems)) == (CLAIMS, CLAIMS)
    with pytest.raises(DocumentError) as refused:
        found.passage(placed, "text", "line")
    assert (refused.value.code, refused.value.line) == ("too_many", 2)
    with pytest.raises(DocumentError) as refused:
        found.problem("mark", "no mark", 1)
    assert (refused.value.code, refused.value.line) == ("too_many", 2)


@pytest.mark.parametrize(
    ("text", "kind", "said", "rest"),
    [
        ("<!-- symtransformer: skip -->x", "skip", "", " " * 29 + "x"),
        ("% symtransformer: expect wrong\nx", "expect", "wrong", " " * 30 + "\nx"),
        ("# symtransformer: expect   wrong", "expect", "wrong", " " * 32),
        ("a // symtransformer: let x = 2", "let", "x = 2", "a " + " " * 28),
        ("%symtransformer:convention log=2", "convention", "log=2", " " * 32),
        ("<!-- symtransformer: let  x = 2  --> b", "let", "x = 2", " " * 36 + " b"),
    ],
)
def test_marks_and_what_is_left_of_the_text(text, kind, said, rest):
    found, placed = collector(text)
    left = found.marks_in(placed)
    assert [(m.kind, m.text) for m in found.marks] == [(kind, said)]
    assert (left.text, list(left.origins), found.problems) == (rest, list(range(len(text))), [])


def test_two_marks_each_at_its_place():
    found, placed = collector("a\n# symtransformer: skip\nb # symtransformer: let y = 1\nc")
    left = found.marks_in(placed)
    assert [(m.kind, m.line, m.column) for m in found.marks] == [("skip", 2, 1), ("let", 3, 3)]
    assert left.text.split() == ["a", "b", "c"]
    assert len(left.text) == len(placed.text)


@pytest.mark.parametrize(
    "said", ["", "skipp", "skip this", "expect", "expect wrong here", "expect right", "let", "convention ", "Skip"]
)
def test_what_is_no_mark_is_told(said):
    found, placed = collector(f"\n  # symtransformer: {said}")
    found.marks_in(placed)
    assert found.marks == []
    assert [(p.code, p.line, p.column) for p in found.problems] == [("mark", 2, 3)]
    assert "known are: skip, expect wrong, let NAME" in found.problems[0].message


@pytest.mark.parametrize(("length", "is_read"), [(FORMULA_CHARACTERS, True), (FORMULA_CHARACTERS + 1, False)])
def test_a_mark_is_so_long_at_most(length, is_read):
    found, placed = collector(f"# symtransformer: let {'x' * length}")
    found.marks_in(placed)
    assert [len(m.text) for m in found.marks] == [length] * is_read
    said = [("too_long", f"a mark of {length} characters; at most {FORMULA_CHARACTERS}")]
    assert [(p.code, p.message) for p in found.problems] == said * (not is_read)
