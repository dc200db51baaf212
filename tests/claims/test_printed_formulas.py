"""Whatever `gradient` prints, as text and as LaTeX, is accepted as a claim about the same expression."""

import re
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "operations"))
from facet_cases import all_cases

from symtransformer import differentiate, verify
from symtransformer.chosen_notation import USUAL
from symtransformer.claims import statement
from symtransformer.cli.gradient_text import formula
from symtransformer.dialects import LATEX, TEXT
from symtransformer.errors import NotSupported, SymtransformerError
from symtransformer.index_notation import index_form
from symtransformer.operation import MATRICES, MATRIX, REGISTRY
from symtransformer.rendering.index_formulas import IndexFormulas
from symtransformer.writing import heads_of

OPERATIONS = [n for n, op in sorted(REGISTRY.items()) if any(p.kind in (MATRIX, MATRICES) for p in op.parameters)]
EXPRESSIONS = [
    "Y = X W + b",
    "LayerNorm(X, g, b)",
    "RMSNorm(X)",
    "CrossEntropy(L, Y)",
    "rotate(Q)",
    "softmax(Q K^T / sqrt(d_k)) V",
    "Attention(Q, K, V, mask=causal(n))",
    "MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads=2)",
    "MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads=h)",
    "GroupedQueryAttention(X, W_Q, W_K, W_V, W_O, heads=2, groups=1)",
    "FeedForward(X, W_1, b_1, W_2, b_2, activation=GELU)",
]
LAYER = "EncoderLayer(X, W_Q, W_K, W_V, W_O, W_1, W_2, heads=2, label=enc1)"
ONLY_AS_PRINTED = {  # signs that are read in no other claim, and why
    "text": {r"\[:, \d+\]|\[\d+\]": "one column counts from 1 on a page, and from 0 in Python"},
    "latex": {r"\)\}_\{\d+\}": "one row of a formula looks like an index"},
}


def subject(name):
    return differentiate(all_cases(REGISTRY[name])[-1].node) if name in REGISTRY else name


def printed(of):
    gradient = of if not isinstance(of, str) else statement.subject_of(of).gradient
    return [(form, text) for step in gradient.derivation.steps for form, text in formula(step, USUAL).items()]


def printed_entry_by_entry(of):
    """The lines of every gradient in index notation, as text and as LaTeX."""
    gradient = of if not isinstance(of, str) else statement.subject_of(of).gradient
    steps = gradient.derivation.steps
    heads = heads_of(*(side for step in steps for side in (step.letter, step.expression)))
    for letter in gradient.formulas:
        try:
            lines = index_form(gradient, letter).every_line
        except NotSupported:
            continue
        for writer in (IndexFormulas(line, dialect, heads) for line in lines for dialect in (TEXT, LATEX)):
            yield f"{writer.left()} = {' '.join(writer.right())}"


def kind_of(claim, of):
    try:
        return verify(claim, of=of).kind
    except SymtransformerError as error:
        return str(error)


@pytest.mark.parametrize("name", OPERATIONS + EXPRESSIONS)
def test_each_printed_formula_is_accepted(name, monkeypatch):
    of, as_printed = subject(name), statement._as_printed
    every = printed(of)
    assert len(every) >= 2
    for form, text in every:
        monkeypatch.setattr(statement, "_as_printed", lambda text, subject: None)
        kind = kind_of(text, of)
        if kind not in ("proved", "tested"):
            assert any(re.search(sign, text) for sign in ONLY_AS_PRINTED[form]), (name, text, kind)
            monkeypatch.setattr(statement, "_as_printed", as_printed)
            assert kind_of(text, of) in ("proved", "tested"), (name, text)


SOON = ("Y = X W + b", "softmax(Q K^T / sqrt(d_k)) V", "ColumnSlice", "HeadSum", "Tanh")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in SOON else pytest.mark.slow) for name in OPERATIONS + EXPRESSIONS],
)  # fmt: skip
def test_each_line_entry_by_entry_is_accepted(name):
    """One line in five of each, since they are many."""
    of = subject(name)
    for text in list(dict.fromkeys(printed_entry_by_entry(of)))[::5]:
        assert kind_of(text, of) in ("proved", "tested"), text


def test_lines_of_a_whole_layer_are_accepted_and_those_of_another_head_or_part_are_not():
    """Marks of a head and a layer at once, letters of sums of one sign, and a residual connection without its ∂."""
    of = statement.subject_of(LAYER).gradient
    every = list(dict.fromkeys(printed_entry_by_entry(of)))
    assert any("^{(1),enc1}" in text for text in every)
    assert not any(re.search(r"_\{?[a-z][0-9]|\\mathrm\{[a-z][0-9]\}_|∂r[^/]*/∂x", text) for text in every)
    text = "∂L/∂w^K,(2)_bc = Σ_i Σ_m ∂L/∂k^{(2),enc1}_im Σ_μ δ_bμ δ_cm x_iμ"
    assert text in every
    assert kind_of(text, of) == "proved"
    for wrong in (text.replace("k^{(2)", "k^{(1)"), text.replace("k^{", "v^{"), text.replace(" = ", " = 2 * ")):
        assert kind_of(wrong, of) == "refuted", wrong


def test_they_are_many():
    assert len(OPERATIONS) > 40
    assert sum(len(printed(subject(name))) for name in OPERATIONS + EXPRESSIONS) > 1200


@pytest.mark.parametrize("of", EXPRESSIONS[:7])
def test_twice_a_printed_formula_is_refused(of):
    refused = 0
    for form, text in printed(of):
        left, right = text.split(" = ", 1)
        if form == "text":
            kind = kind_of(f"{left} = 2 ({right})", of)
            assert kind not in ("proved", "tested"), text
            refused += kind == "refuted"
    assert refused


def test_a_part_of_the_columns_is_accepted_exactly_as_it_is_printed():
    of = "MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads=2)"
    parts = [text for _, text in printed(of) if re.search(r"\[:|_\{:", text)]
    assert len(parts) >= 2
    for text in parts[:2]:
        assert kind_of(text, of) == "proved"
        assert kind_of(text.replace(" ", "  "), of) == "proved"
        left, right = text.split(" = ")
        assert kind_of(f"{left} = 2 {right}", of) not in ("proved", "tested")
