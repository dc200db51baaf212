"""Three backticks that close on their line fence off code among prose, and nothing of what follows."""

import pytest

from symtransformer.checking.quoted import Quoted
from symtransformer.documents import read_document, relations


@pytest.mark.parametrize("fence", ["```", "````"])
def test_what_follows_code_in_three_backticks_is_read(fence):
    text = f"{fence}x = 2{fence}\n\nIt is $1 + 1 = 3$."
    document = read_document(text.encode(), "a.md")
    assert [(r.left.text, r.right.text) for r in relations(document)] == [("x", "2"), ("1 + 1", "3")]
    assert text.index("1 + 1") not in Quoted(document)


@pytest.mark.parametrize(
    ("fence", "name"), [("```", ""), ("```", "python"), ("````", ""), ("~~~", ""), ("~~~", " `a`")]
)
def test_what_follows_a_block_is_read_and_the_block_is_quoted(fence, name):
    text = f"{fence}{name}\nprint(2)\n{fence}\n\nIt is $1 + 1 = 3$."
    document = read_document(text.encode(), "a.md")
    assert [(r.left.text, r.right.text) for r in relations(document)] == [("1 + 1", "3")]
    assert text.index("1 + 1") not in Quoted(document)
    assert text.index("print") in Quoted(document)
