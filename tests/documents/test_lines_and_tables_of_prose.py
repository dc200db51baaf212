"""Which lines belong together, what a table is, and which cells it has; each limit, n and n + 1."""

import pytest

from symtransformer.documents import prose, read_document
from symtransformer.documents.collecting import Collector
from symtransformer.documents.limits import JOINED_LINES, LINE_CHARACTERS
from symtransformer.documents.placed import Placed
from symtransformer.documents.regions import regions


def lines(text, in_code=False):
    collector = Collector("a.md")
    atoms = [r for r in regions(collector.sources.add("a.md", text), collector) if r.kind in ("inline", "code")]
    return [text[slice(*line)] for line in prose._logical_lines(text, 0, len(text), atoms, in_code)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb", ["a", "b"]), ("a\r\nb\rc\n", ["a", "b", "c"]), ("", []), ("\n", [""]), ("a", ["a"]),
        ("x = [1,\n2]\nb", ["x = [1,\n2]", "b"]), ("x = [1,\nb]", ["x = [1,", "b]"]), ("x = [[1, 2],\n [3, 4]]\n5", ["x = [[1, 2],\n [3, 4]]", "5"]),
        ("x = 1]\n2", ["x = 1]", "2"]), ("$a\nb$\nc", ["$a\nb$", "c"]), ("a\n$b$\nc", ["a", "$b$", "c"]),
        ("\\begin{x}\n1\n\\end{x}\n2", ["\\begin{x}\n1\n\\end{x}", "2"]), ("\\begin{x}[\n1]\\end{x}", ["\\begin{x}[\n1]\\end{x}"]),
        ("x = 2\n  + 3", ["x = 2\n  + 3"]), ("x = 2\n+ 3", ["x = 2", "+ 3"]), ("x = 2 +\n3", ["x = 2 +\n3"]), ("x = 2 +\n\n", ["x = 2 +", ""]), ("x\n  + 3", ["x", "  + 3"]),
        ("  x = 2\n  + 3", ["  x = 2", "  + 3"]), ("  x = 2\n   + 3", ["  x = 2\n   + 3"]), ("x = 2\n  - 3", ["x = 2", "  - 3"]), ("x = 2\n   - 3", ["x = 2\n   - 3"]),
        ("= 2\n - 3", ["= 2\n - 3"]), ("with a = 1, b\n= 0", ["with a = 1, b\n= 0"]), ("word\n= 0", ["word", "= 0"]), (" with a = 1, b\n= 0", [" with a = 1, b", "= 0"]),
        ("with 4\n× 128 = 512", ["with 4\n× 128 = 512"]), ("with 4\n× 128", ["with 4", "× 128"]), ("with a\n× 128 = 512", ["with a", "× 128 = 512"]),
        ("y = N(H\n+ F(H))", ["y = N(H\n+ F(H))"]), ("y = N(H)\n+ F(H)", ["y = N(H)", "+ F(H)"]), ("N(H\n+ F(H))", ["N(H", "+ F(H))"]),
        ("with 4\n+ 128 = 132", ["with 4", "+ 128 = 132"]),
    ],
)  # fmt: skip
def test_lines_that_are_one(text, expected):
    assert lines(text) == expected


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("  x = 2\n  + 3", 1),
        ("  x = 2\n + 3", 2),
        ("  x = 2\n  - 3", 2),
        ("  x = 2\n    - 3", 2),
        ("  x = 2\n     - 3", 1),
        ("x = 2\n* 3", 1),
        ("x = 2\n@ 3", 2),
    ],
)
def test_lines_of_a_block_of_text(text, count):
    assert len(lines(text, in_code=True)) == count


@pytest.mark.parametrize(("more", "count"), [(JOINED_LINES, 1), (JOINED_LINES + 1, 2)])
def test_a_bracket_stays_open_for_so_many_lines(more, count):
    assert len(lines("x = [" + "\n1," * more)) == count


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a\nb", 0), ("|a|\n|-|\n|1|\nb", 3), ("|a|\n|-|", 2), ("|a|", 0), ("|a|\n|b|", 0), ("a|b\n--|--\n1|2\n3|4\n\n5|6", 4), ("|a|\n---\n|b|", 0), ("a\n|-|\n|b|", 0),
        ("a\tb\n1\t2\nc", 2), ("a\tb\nc", 0), ("a\tb\tc\nd", 1), ("\ta\n\tb", 0), ("a\tb\n1\t2", 2), ("|a|\n|:-:|--:|\n|1|", 3), ("|a|\n|x-|\n|1|", 0),
    ],
)  # fmt: skip
def test_how_many_lines_are_a_table(text, rows):
    spans = prose._logical_lines(text, 0, len(text), [], False)
    assert prose._table_from(text, spans, 0) == rows


def test_a_table_may_begin_further_below():
    text = "x\n|a|\n|-|\n|1|\nb\tc\n1\t2"
    spans = prose._logical_lines(text, 0, len(text), [], False)
    assert [prose._table_from(text, spans, at) for at in range(6)] == [0, 3, 0, 0, 2, 0]


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("|a|b|", ["a", "b"]), ("a|b", ["a", "b"]), (" |a| b | ", ["a", " b "]), ("|a||b|", ["a", "", "b"]), ("||", [""]), ("|", [""]), ("a", ["a"]),
        (r"|a\|b|c|", [r"a\|b", "c"]), ("|$a|b$|c|", [" a|b ", "c"]), ("a\tb", ["a", "b"]), ("a\t\tb|c", ["a", "", "b|c"]), ("|`a|b`|", [" a|b "]), ("||a", ["", "a"]),
    ],
)  # fmt: skip
def test_cells_of_a_row(text, cells):
    collector = Collector("a.md")
    placed = collector.sources.add("a.md", text)
    atoms = [r for r in regions(placed, collector) if r.kind in ("inline", "code")]
    found = prose._cells(placed, 0, len(text), atoms)
    assert [cell.text for cell, _ in found] == cells
    for cell, inside in found:
        assert [text[o] for o, c in zip(cell.origins, cell.text, strict=True) if c != " "] == [
            c for c in cell.text if c != " "
        ]
        assert all(cell.text[a.start : a.end] == "a|b" for a in inside)


@pytest.mark.parametrize(("line", "separates"), [("|-|", True), ("---|---", True), (" :-: | -: ", True), ("", False), ("|", False), ("-x-", False), ("-" * 2_000, True), ("-" * 2_001, False)])  # fmt: skip
def test_the_line_below_a_head(line, separates):
    assert prose._separates(line) is separates


@pytest.mark.parametrize(
    ("at", "expected"), [(0, False), (2, False), (3, True), (4, True), (5, True), (6, False), (9, True), (11, False)]
)
def test_what_is_inside_of_a_formula(at, expected):
    text = "ab $c$ d $e$ f"
    collector = Collector("a.md")
    atoms = regions(collector.sources.add("a.md", text), collector)
    assert [(a.start, a.end) for a in atoms] == [(3, 6), (9, 12)]
    assert prose._is_inside(atoms, at if at != 11 else 12) is expected


def test_the_view_of_a_line():
    text = "ab $c$ d `e` f"
    collector = Collector("a.md")
    placed = collector.sources.add("a.md", text)
    view, inside = prose._view(placed, 1, len(text), regions(placed, collector))
    assert view.text == "b  c  d  e  f"
    assert list(view.origins) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
    assert [(a.kind, view.text[a.start : a.end]) for a in inside] == [("inline", "c"), ("code", "e")]
    plain, inside = prose._view(placed, 0, 2, [])
    assert (plain.text, inside) == ("ab", [])


@pytest.mark.parametrize(("length", "is_read"), [(LINE_CHARACTERS, True), (LINE_CHARACTERS + 1, False)])
def test_a_line_is_so_long_at_most(length, is_read):
    begin = "first\n2 + 3 = 5. "
    document = read_document((begin + "a" * (length - len("2 + 3 = 5. ")) + "\n4 + 3 = 7").encode(), "a.md")
    assert [p.text for p in document.passages] == ["2 + 3 = 5"] * is_read + ["4 + 3 = 7"]
    said = [("too_long", f"a line of {length} characters; at most {LINE_CHARACTERS}", 2, 1)]
    assert [(p.code, p.message, p.line, p.column) for p in document.problems] == said * (not is_read)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**x** = 2", "x   = 2"), ("__x__ = 2", "x   = 2"), ("- 2 + 3 = 5", "2 + 3 = 5"), ("1. 2 + 3 = 5", "2 + 3 = 5"), ("(2) 2 + 3 = 5", "2 + 3 = 5"),
        ("> 2 + 3 = 5", "2 + 3 = 5"), ("① 2 + 3 = 5", "2 + 3 = 5"), ("(2) + 3 = 5", "(2) + 3 = 5"), ("(a) 2 + 3 = 5", "2 + 3 = 5"), ("## 2 + 3 = 5", "2 + 3 = 5"),
        ("- [x] 2 + 3 = 5", "2 + 3 = 5"), ("2 + 3 = 5[^1]", "2 + 3 = 5"), ("-2 + 3 = 1", "-2 + 3 = 1"), ("- -2 + 3 = 1", "-2 + 3 = 1"), ("- (ii) 2 + 3 = 5", "2 + 3 = 5"),
    ],
)  # fmt: skip
def test_what_marks_a_line_is_no_part_of_it(text, expected):
    assert [p.text.strip() for p in read_document(text.encode(), "a.md").passages] == [expected]


@pytest.mark.parametrize(
    ("text", "passages"),
    [
        ("$$x = 1$$\n$$+ 2$$", ["x = 1 + 2"]), ("$$x = 1$$\n$$= 2$$", ["x = 1", "= 2"]), ("$$x$$\n$$+ 2$$", ["x", "+ 2"]), ("$$x = 1$$\nword\n$$+ 2$$", ["x = 1", "+ 2"]),
        ("$x = 1$\n$$+ 2$$", ["x = 1", "+ 2"]), ("$$x = 1$$\n$${} - 2$$", ["x = 1  - 2"]), ("$$x = 1$$\n$$- 2$$", ["x = 1", "- 2"]), ("$$ $$\n$$+ 2$$", ["+ 2"]),
        (r"$$x = 1$$" + "\n" + r"$$\quad 3$$", ["x = 1", r"\quad 3"]), (r"$$x = 1$$ $$\times 2$$", [r"x = 1 \times 2"]),
    ],
)  # fmt: skip
def test_displays_that_go_on(text, passages):
    assert [p.text for p in read_document(text.encode(), "a.md").passages] == passages


@pytest.mark.parametrize(
    ("text", "continues"),
    [
        ("$$x = 1$$\n$$= 2$$", True),
        ("$$x = 1$$\n\nSomebody else wrote this of cats.\n$$= 2$$", False),
        ("$$x = 1$$\n\nThus:\n$$= 2$$", True),
        ("$$x = 1$$\n$$y = 2$$", False),
    ],
)
def test_a_display_that_begins_with_a_sign_takes_up_the_one_before(text, continues):
    assert [p.continues for p in read_document(text.encode(), "a.md").passages] == [False, continues]


def test_a_text_without_anything():
    collector = Collector("a.md")
    prose.read_prose(Placed("", ()), collector)
    assert (collector.passages, collector.problems) == ([], [])
