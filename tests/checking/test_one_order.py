"""Several files as one text: all of the first stands before all of the second, whatever their names and lengths."""

from symtransformer.checking.one_order import OneOrder
from symtransformer.documents import read_document, relations


def test_the_last_line_of_the_first_file_is_before_the_first_of_the_second():
    order = OneOrder()
    long, short = "\n" * 3000 + "$x = 1$", "$y = 2$"
    first, second, third = (
        order.of(read_document(text.encode(), name))
        for text, name in ((long, "z.md"), (short, "b.md"), (short, "a.md"))
    )
    last, next_one, after = first.place(len(long) - 1), second.place(0), third.place(0)
    assert last.line < next_one.line < after.line
    assert (last.file, next_one.file, next_one.column) == ("", "", 1)
    lines = []
    for text, name in ((long, "z.md"), (short, "b.md"), (short, "a.md")):
        (relation,) = map(order.relation, relations(read_document(text.encode(), name)))
        assert relation.file == ""
        lines.append(relation.line)
    assert lines == [last.line, next_one.line, after.line]
    assert {name for document in (first, second) for name, _ in document.sources.read_texts()} == {""}


def test_a_file_that_is_not_in_the_order_keeps_its_lines():
    (relation,) = relations(read_document(b"\n$x = 1$", "a.md"))
    assert OneOrder().relation(relation).line == relation.line == 2
