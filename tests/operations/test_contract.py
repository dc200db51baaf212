"""The contract at import: a facet that is missing, doubled or foreign is refused, with the name of the file."""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
from pathlib import Path

import pytest

import symtransformer.operations as ops
from symtransformer.errors import ShapeError, UnreadableInput
from symtransformer.node import OPERATORS
from symtransformer.operation import COMPOSITE_FACETS, PRIMITIVE_FACETS, REGISTRY
from symtransformer.symbols import dimension, matrix


@pytest.fixture
def imported(tmp_path):
    """Import a text as the file `planted.py`; afterwards the registry is as before."""
    before, operators = dict(REGISTRY), dict(OPERATORS)

    def run(text: str):
        path: Path = tmp_path / "planted.py"
        path.write_text(text, encoding="utf-8")
        spec = importlib.util.spec_from_file_location("planted", path)
        module = importlib.util.module_from_spec(spec)
        sys.modules["planted"] = module
        spec.loader.exec_module(module)
        return module

    yield run
    sys.modules.pop("planted", None)
    REGISTRY.clear()
    REGISTRY.update(before)
    OPERATORS.clear()
    OPERATORS.update(operators)


def source_of(operation, new_name):
    """The file of an operation, its class under another name."""
    text = Path(inspect.getfile(operation)).read_text(encoding="utf-8")
    return re.sub(rf"\b{operation.__name__}\b", new_name, text)


def renamed_facet(text, facet):
    """The facet under a name that means nothing, so that it is missing."""
    found = re.compile(rf"^    ((?:def )?){facet}(?= =|\()", re.MULTILINE)
    assert len(found.findall(text)) == 1
    return found.sub(rf"    \1other_{facet}", text)


def test_a_complete_operation_is_taken_up(imported):
    module = imported(source_of(ops.Exponential, "Planted"))
    assert REGISTRY["Planted"] is module.Planted
    X = matrix("X", dimension("n"), 3)
    assert module.Planted(X) is module.Planted(X)
    assert module.Planted(X) != ops.Exponential(X)


@pytest.mark.parametrize("facet", sorted(PRIMITIVE_FACETS))
def test_a_missing_facet_of_a_primitive(imported, facet):
    text = renamed_facet(source_of(ops.Exponential, "Planted"), facet)
    with pytest.raises(TypeError, match=rf"^planted\.py: operation Planted lacks the facet {facet}$"):
        imported(text)
    assert "Planted" not in REGISTRY


@pytest.mark.parametrize("facet", sorted(COMPOSITE_FACETS))
def test_a_missing_facet_of_a_composite(imported, facet):
    text = renamed_facet(source_of(ops.Linear, "Planted"), facet)
    with pytest.raises(TypeError, match=rf"^planted\.py: operation Planted lacks the facet {facet}$"):
        imported(text)


@pytest.mark.parametrize("facet", ["title", "source", "notation", "follows", "letter"])
def test_a_doubled_value(imported, facet):
    text = source_of(ops.Linear if facet == "letter" else ops.Exponential, "Planted")
    line = re.search(rf"^    {facet} = .*(?:\n        .*)*(?:\n    \))?", text, re.MULTILINE).group()
    with pytest.raises(TypeError, match=rf"^planted\.py: facet '{facet}' of Planted is declared twice$"):
        imported(text.replace(line, f"{line}\n{line}"))


def test_a_doubled_method(imported):
    text = source_of(ops.Exponential, "Planted")
    doubled = text.replace("    @staticmethod\n", "    def find_shape(self):\n        return ()\n\n    @staticmethod\n")
    assert doubled != text
    with pytest.raises(TypeError, match=r"^planted\.py: facet 'find_shape' of Planted is declared twice$"):
        imported(doubled)


def test_a_facet_that_follows_from_the_definition(imported):
    text = source_of(ops.Linear, "Planted")
    with pytest.raises(TypeError, match=r"^planted\.py: operation Planted also declares element, which follow"):
        imported(text + "\n    def element(self, i, j, fresh):\n        return 0\n")


def test_a_doubled_name(imported):
    with pytest.raises(TypeError, match=r"^planted\.py: Exponential is already declared in exponential\.py$"):
        imported(source_of(ops.Exponential, "Exponential"))
    assert REGISTRY["Exponential"] is ops.Exponential


def test_words_in_one_language_only(imported):
    text = re.sub(r'title = Words\((".*?"), ".*?"\)', r'title = Words(\1, " ")', source_of(ops.Exponential, "Planted"))
    with pytest.raises(TypeError, match="words without a text in 'ja'"):
        imported(text)


# -- sizes and arguments that do not fit --------------------------------------------------------------
n, m, d = dimension("n"), dimension("m"), dimension("d")
X, Y, c, r = matrix("X", n, d), matrix("Y", m, d), matrix("c", n, 1), matrix("r", 1, d)


@pytest.mark.parametrize(
    "build",
    [
        lambda: X @ Y,
        lambda: X + Y,
        lambda: ops.Hadamard(X, X.T),
        lambda: ops.Mask(X, Y),
        lambda: ops.Concatenation(X, Y),
        lambda: ops.Broadcast(X, 3),
        lambda: ops.RowDivision(X, r),
        lambda: ops.RowPad(matrix("A", 4, 3), 0, 3),
        lambda: ops.RowSlice(matrix("A", 4, 3), 2, 3),
        lambda: ops.RowSlice(X, -1, 2),
        lambda: ops.RowConcatenation(X, matrix("A", 2, 3)),
        lambda: ops.PairTurn(matrix("A", 2, 3)),
        lambda: ops.RotaryAngles(2, 3),
        lambda: ops.RotaryEmbedding(matrix("A", 2, 3)).shape,
        lambda: ops.PaddingMask(2, 3, 4),
        lambda: ops.EntryDivision(X, Y),
        lambda: ops.RowPad(r, 3, 3),
        lambda: ops.Row(matrix("A", 2, 3), 2),
        lambda: ops.Row(X, -1),
        lambda: ops.ColumnSlice(matrix("A", 2, 3), 1, 3),
        lambda: ops.ColumnSlice(X, -1, 1),
        lambda: ops.ColumnPad(matrix("A", 2, 3), 1, 3),
        lambda: ops.ScaledDotProductAttention(X, Y, X).shape,
        lambda: ops.ScaledDotProductAttention(X, X.T, X).shape,
        lambda: ops.Linear(X, matrix("W", d, m), matrix("b", 1, m)).shape,
    ],
)
def test_sizes_that_do_not_fit(build):
    with pytest.raises(ShapeError, match=r"\S"):
        build()


@pytest.mark.parametrize(
    "build",
    [
        ops.Softmax,
        lambda: ops.Softmax(X, Y),
        lambda: ops.Softmax("X"),
        lambda: ops.Softmax(n),
        ops.Addition,
        lambda: ops.Scaling(X, "2", 1),
        lambda: ops.Scaling(X, 1, 0),
        lambda: ops.Scaling(X, X, 1),
        lambda: ops.Scaling(X, float("nan"), 1),
        lambda: ops.HeadSum(X, 2, 3),
        lambda: ops.HeadSum(X, n, n),
        lambda: ops.Linear(X),
        lambda: ops.Standardization(X, -1),
        lambda: ops.RMSDivision(X, eps=-1),
        lambda: ops.PairTurn(X, "thirds"),
        lambda: ops.SinusoidalEncoding(n, d, base=-2),
        lambda: ops.RotaryAngles(n, d, 0, 0),
    ],
)
def test_arguments_that_do_not_fit(build):
    with pytest.raises(UnreadableInput, match=r"\S"):
        build()
