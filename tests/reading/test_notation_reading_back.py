"""What is printed in any notation is read back, under the same notation, as the same node."""

import itertools

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from sympy import Rational
from test_reading_back import expressions, has_nested_sum

from symtransformer.chosen_notation import CHOICES, Notation
from symtransformer.dialects import LATEX, TEXT
from symtransformer.documents.usual_notation import as_usual
from symtransformer.errors import UnreadableInput
from symtransformer.operation import REGISTRY
from symtransformer.operations import Scaling, Softmax
from symtransformer.reading import read_expression
from symtransformer.symbols import Letter, Literal, dimension, matrix
from symtransformer.writing import piece_of

NAMES = {"Q": "Query", "A": "Weights", "B": "A", "K": "K_cache"}
notations = st.builds(
    Notation,
    **{key: st.sampled_from(values) for key, values in CHOICES.items() if key not in ("decimal", "separator")},
    decimal=st.sampled_from([".", ","]),
    separator=st.sampled_from(["", ";"]),
    names=st.sampled_from([{}, NAMES]),
)


def usual(text, notation, known=()):
    translation = as_usual(notation, frozenset(known))
    return text if translation is None else translation.text(text)


def renamed_back(node, notation, letters):
    """The letters under their own names again."""
    own = {notation.renamed(name): name for name in letters}
    return node.xreplace({x: Letter(own[x.name], *x.shape) for x in node.atoms(Letter)})


@seed(2025)
@settings(max_examples=300, deadline=None, database=None)
@given(expressions(), notations)
def test_text_and_latex_of_any_notation_are_read_back_as_the_same_node(case, notation):
    node, letters = case
    written = [piece_of(node, dialect.chosen(notation)).text for dialect in (TEXT, LATEX)]
    if max(map(len, written)) > 4000 or not isinstance(node, tuple(REGISTRY.values())) or has_nested_sum(node):
        return
    shown = {notation.renamed(name): size for name, size in letters.items()}
    if len(shown) < len(letters):
        return  # two letters of one name are refused, as another test says
    for text in written:
        used = {x.name for x in node.atoms(Letter)}
        shapes = {notation.renamed(name): letters[name] for name in used}
        found = read_expression(usual(text, notation, shapes), shapes=shapes).expression
        assert renamed_back(found, notation, used) is node, text


ALL = [
    Notation(labels, heads, transpose)
    for labels, heads, transpose in itertools.product(CHOICES["labels"], CHOICES["heads"], ["", *CHOICES["transpose"]])
]


@pytest.mark.parametrize("notation", ALL, ids=lambda x: f"{x.labels}-{x.heads}-{x.transpose}")
def test_heads_are_read_back(notation):
    n, d = dimension("n"), dimension("d")
    X, sizes = matrix("X", n, d), {"X": ("n", "d"), "W_Q": ("d", 3), "K": (3, 2)}
    for head in (0, 11):
        queries, keys = X @ Letter("W_Q", d, 3, head), Letter("K", 3, 2, head)
        for node, dialect in ((Softmax(queries @ keys), TEXT), (Softmax(queries @ keys), LATEX), (keys.T, LATEX)):
            text = piece_of(node, dialect.chosen(notation)).text
            assert read_expression(usual(text, notation), shapes=sizes).expression is node, text


def test_decimals_and_lists_are_read_back_with_a_comma():
    notation = Notation(decimal=",", brackets="round", matrices="bold")
    left, right = Literal([[1, Rational(1, 2)]]), Literal([[Rational(1, 4), 2], [3, Rational(-7, 5)]])
    node = Scaling(left @ right, Rational(1, 8), 1)
    text, tex = (piece_of(node, dialect.chosen(notation)).text for dialect in (TEXT, LATEX))
    assert "0,5" in text
    assert "[[1; 0,5]]" in text
    assert "0{,}5" in tex
    assert r"\begin{pmatrix}" in tex
    assert "." not in text + tex
    for written in (text, tex):
        assert read_expression(usual(written, notation)).expression is node


def test_another_notation_reads_something_else():
    """The check can fail: what one notation prints is not read, or is read otherwise, under another."""
    written = piece_of(Literal([[Rational(1, 2), 1]]), TEXT.chosen(Notation(decimal=","))).text
    assert written == "[[0,5; 1]]"
    assert as_usual(Notation()) is None
    with pytest.raises(UnreadableInput):
        read_expression(written)
    raised = usual("W^{Q}", Notation(heads="subscript", labels="superscript"))
    assert raised == "W_{Q}"
    assert usual("W_{Q,2}", Notation(heads="subscript")) == "{W_{Q}^{(2)}}"
    assert usual("w_{1,12} and W^{T}", Notation("superscript", "subscript", decimal=",")) == "w_{1,12} and W^{T}"
