"""Where the sentences of a document begin, also where a page ends in nothing but spaces and the ends of cells."""

from symtransformer.checking.checks import check
from symtransformer.checking.prose import sentences
from symtransformer.documents import read_document

PAGE = "<p>One and a half: 1 + 1 = 2.</p>\n<table>\n<tr><td>2 + 2 = 5</td></tr>\n</table>\n\n<br>\n<br>\n\n<p> </p>\n<br>\n"


def test_a_page_that_ends_in_spaces():
    document = read_document(PAGE.encode(), "a.html")
    found = [text for *_, text in sentences(document)]
    assert found[0].startswith("One and a half")
    assert all(text.strip() for text in found)
    assert [e.verdict for e in check(PAGE, name="a.html").equations] == ["right", "last_place"]


def test_a_table_behind_which_nothing_but_ends_of_lines_stands():
    page = "<table><tr><td>2 + 2 = 5</td></tr></table>" + "<br>\n" * 8
    assert [e.verdict for e in check(page, name="a.html").equations] == ["last_place"]


def test_spaces_alone_are_no_sentence():
    assert list(sentences(read_document(b"      ", "a.txt"))) == []
