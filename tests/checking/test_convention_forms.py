"""What each convention makes of an expression, form by form, and where it is none."""

import pytest
from sympy import Rational, S, log

from symtransformer.checking.conventions import (
    EPS_OF_FRAMEWORKS,
    _eps_of_frameworks,
    _mean_of_squares,
    _of_probabilities,
    _other_gelu,
    _other_spread,
    _to_base,
    _weight_as_stored,
    undoes,
)
from symtransformer.checking.declared import NAMES, Declared, holds_for
from symtransformer.operations.cross_entropy import SmoothedTargets
from symtransformer.operations.gelu import GELU, GELUTanh
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.logarithm import Logarithm
from symtransformer.operations.row_mean import RowMean
from symtransformer.operations.row_sum import RowSum
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.standardization import Standardization
from symtransformer.reading.sides import Known, read_side
from symtransformer.symbols import Literal

SCOPE = {
    "B": Known((2, 2)),
    "D": Known((2, 2)),
    "C": Known((2, 3)),
    "x": Known((1, 2)),
    "A": Known((2, 2)),
    "dS": Known((2, 2)),
}
P, Q = Literal([[Rational(1, 4), Rational(3, 4)]]), Literal([[1, 2]])


def node(text):
    return read_side(text, SCOPE).value


@pytest.mark.parametrize(
    ("text", "expected"),
    [("exp(log(B))", True), ("log(exp(B))", True), ("log(B)", False), ("exp(B)", False), ("log(B) + exp(B)", False), ("exp(B log(D))", True), ("exp(logsumexp(B))", True), ("log(B exp(D))", False)],
)  # fmt: skip
def test_what_a_base_would_undo(text, expected):
    assert undoes(node(text)) is expected


@pytest.mark.parametrize(
    ("text", "made"),
    [("x B", ["x B^T"]), ("D B", ["D B^T"]), ("x C", []), ("x B^T", []), ("x^T x", []), ("softmax(D) B", []), ("A B", []), ("dS B", []), ("B^T D", []), ("ones(2, 2) B", []), ("B ones(2, 2)", [])],
)  # fmt: skip
def test_weights_that_are_stored_transposed(text, made):
    found = [*_weight_as_stored(node(text), {})]
    assert found == [node(other) for other in made]


@pytest.mark.parametrize(
    ("given", "made"),
    [(Logarithm(P), [Logarithm(Softmax(P))]), (Logarithm(Q), []), (Logarithm(Softmax(P)), [Logarithm(P)]), (Logarithm(Softmax(Q)), [Logarithm(Softmax(Softmax(Q)))]), (Logarithm(Softmax(Softmax(Q))), [Logarithm(Softmax(Q))])],
)  # fmt: skip
def test_probabilities_for_logits(given, made):
    assert [*_of_probabilities(given, {})] == made


SQUARES, OTHERS = (
    Hadamard(Literal([[1, 2, 3]]), Literal([[1, 2, 3]])),
    Hadamard(Literal([[1, 2, 3]]), Literal([[1, 2, 4]])),
)
ONE_SQUARE = Hadamard(Literal([[3]]), Literal([[3]]))


@pytest.mark.parametrize(
    ("given", "made"),
    [
        (RowMean(SQUARES), [Scaling(RowSum(SQUARES), S.One, 2)]), (Scaling(RowSum(SQUARES), S.One, 3), [Scaling(RowSum(SQUARES), S.One, 2)]), (Scaling(RowSum(SQUARES), S.One, 2), []), (RowMean(OTHERS), []), (RowMean(Literal([[1, 2, 3]])), []), (RowMean(ONE_SQUARE), []),
        (Scaling(SQUARES, S.One, 3), []),
    ],
)  # fmt: skip
def test_the_mean_of_squares_by_one_less(given, made):
    assert [*_mean_of_squares(given, {})] == made


def test_forms_of_one_function():
    assert [*_other_gelu(GELU(Q), {})] == [GELUTanh(Q)]
    assert [*_other_gelu(GELUTanh(Q), {})] == [GELU(Q)]
    spread = SmoothedTargets(Literal([[0, 1]]), Rational(1, 10))
    (other,) = _other_spread(spread, {})
    assert other.argument("spread") == "others"
    assert [*_other_spread(other, {})] == [spread]
    assert [str(x) for x in _to_base(2)(Logarithm(Q), {})] == [str(Scaling(Logarithm(Q), S.One, log(2)))]
    assert [*_eps_of_frameworks(Standardization(Q, S.Zero), {})] == [
        Standardization(Q, eps) for eps in EPS_OF_FRAMEWORKS
    ]
    assert [*_eps_of_frameworks(Standardization(Q, Rational(1, 2)), {})] == []
    assert [float(x) for x in EPS_OF_FRAMEWORKS] == [1e-5, 1e-6, 1e-8, 1e-12, 1e-3]


# -- what is declared --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "expected"),
    [("log x", True), ("ln x", False), ("log_2 x", False), (r"\log_{10} x", False), ("log2 x", False), ("log10(x)", False), ("xln", True), (r"\ln x", False), ("log 2", True), ("x", True)],
)  # fmt: skip
def test_a_base_that_is_written_is_no_convention(text, expected):
    assert holds_for("log_base_2", text) is expected
    assert holds_for("log_base_10", text) is expected
    assert holds_for("sample_variance", text) is True


def test_one_convention_of_each_topic_is_declared():
    declared = Declared()
    assert [declared.adopt(text) for text in ("log = 2", "log=3", "log", "foo=2", "", "=", "variance = sample", *NAMES)] == [True, False, False, False, False, False, True, *[True] * len(NAMES)]  # fmt: skip
    declared = Declared()
    assert declared.leaves_open("log_base_2")
    declared.adopt("log=10")
    assert not declared.leaves_open("log_base_2")
    assert not declared.leaves_open("log_base_10")
    assert declared.leaves_open("sample_variance")
    declared.adopt("log=2")
    assert declared.by_topic == {"log": "2"}


def test_sides_are_read_as_it_is_declared():
    declared = Declared()
    side = read_side("log(B)", SCOPE)
    assert declared.read(side, {}) is side
    assert declared.applied_to(side) is None
    declared.adopt("variance=sample")
    assert declared.read(side, {}) is side
    declared.adopt("log=2")
    made = declared.read(side, {})
    assert str(made.value) != str(side.value)
    applied = declared.applied_to(made)
    assert (applied.name, applied.original, applied.convention.name) == ("log=2", side.value, "log_base_2")
    written = read_side("ln(B)", SCOPE)
    assert declared.read(written, {}).value == written.value
    number = read_side("5", SCOPE)
    assert declared.read(number, {}) is number
    assert declared.applied_to(number) is None
    usual = Declared()
    usual.adopt("log=e")
    assert usual.read(side, {}) is side
    both = Declared()
    both.adopt("log=2")
    both.adopt("variance=sample")
    mixed = read_side("log(B) + LayerNorm(B)", SCOPE)
    read = both.read(mixed, {})
    assert both.applied_to(read).original == mixed.value
    assert both.applied_to(read).name == "variance=sample"


@pytest.mark.parametrize(
    ("declared", "text", "stays"),
    [
        ("gelu=tanh", "GELUTanh(B)", True), ("gelu=tanh", "GELU(B)", False), ("smoothing=others", "SmoothedTargets(B, 0.1, spread=others)", True), ("smoothing=others", "SmoothedTargets(B, 0.1)", False), ("rope=halves", "rotate(B, pairing=halves)", True), ("rope=halves", "rotate(B)", False),
    ],
)  # fmt: skip
def test_what_is_written_in_the_declared_form_stays(declared, text, stays):
    given = Declared()
    given.adopt(declared)
    side = read_side(text, SCOPE)
    assert (given.read(side, {}).value == side.value) is stays
