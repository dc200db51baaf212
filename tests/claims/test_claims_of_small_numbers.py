"""Counterexamples: which numbers are tried, how they are shown, and what is said of a claim that has several readings."""

import random
import time
from types import SimpleNamespace

import flint
import pytest
from sympy import Integer, Rational, Symbol, oo

from symtransformer import derive, dimension, matrix, verify
from symtransformer.claims.counterexamples import TRIES, Trial, _number, shown_values, trials
from symtransformer.claims.jacobians import _unused
from symtransformer.claims.statement import read_statement
from symtransformer.claims.time_limit import OutOfTime, check_time, limited_time, steps_left
from symtransformer.reading import ReadingError
from symtransformer.symbols import DistributionLetter, permutation

n, d = dimension("n"), dimension("d")
X = matrix("X", n, d)
ATTENTION = "S = Q K^T / sqrt(d_k)\nA = softmax(S)\nZ = A V"


# -- numbers that are tried -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("halves", "positive", "entries"),
    [
        (False, False, {-1, 0, 1, 2}),
        (False, True, {1, 2, 3}),
        (True, True, {Rational(1, 2), 1, Rational(3, 2)}),
        (True, False, {Rational(k, 2) for k in range(-3, 4)}),
    ],
)
def test_entries_are_small_numbers(halves, positive, entries):
    source, seen = random.Random(7), set()
    for _ in range(20):
        trial = Trial({n: Integer(2), d: Integer(3)}, {}, halves, positive, source)
        made = trial.matrix(X)
        assert made.shape == (2, 3)
        assert trial.matrix(X) is made
        seen |= set(made)
    assert seen == entries


def test_rows_that_add_up_to_1_do():
    source = random.Random(7)
    for _ in range(10):
        made = Trial({n: Integer(2), d: Integer(3)}, {}, False, False, source).matrix(DistributionLetter("Y", n, d))
        assert [sum(made.row(i)) for i in range(2)] == [1, 1]
        assert all(0 < x < 1 for x in made)


def test_no_counterexample_is_large():
    """At most 400 entries."""
    wide = Trial({n: Integer(20), d: Integer(20)}, {}, False, False, random.Random(7))
    assert wide.matrix(X).shape == (20, 20)
    for rows, columns in ((20, 21), (401, 1), (1, 401)):
        with pytest.raises(ValueError, match="too large"):
            Trial({n: Integer(rows), d: Integer(columns)}, {}, False, False, random.Random(7)).matrix(X)


def test_a_permutation_is_one():
    made = Trial({n: Integer(3)}, {}, False, False, random.Random(7)).matrix(permutation("P", n))
    assert [sum(made.row(i)) for i in range(3)] == [sum(made.col(i)) for i in range(3)] == [1, 1, 1]
    assert set(made) == {0, 1}


@pytest.mark.parametrize(("taken", "expected"), [("", "G"), ("G", "G1"), ("G G1", "G2"), ("G1", "G"), ("Q H", "G")])
def test_a_name_for_what_comes_in_that_nothing_has(taken, expected):
    names = taken.split()
    subject = SimpleNamespace(nodes=dict.fromkeys(names[:1]), numbers=dict.fromkeys(names[1:]))
    assert _unused(subject) == expected


def test_sizes_are_2_and_3_and_unequal_ones_come_first():
    found = [(trial.sizes[d], trial.sizes[n], trial.halves, trial.positive) for trial in trials(X, X)]
    assert len(found) == TRIES
    assert {sizes[:2] for sizes in found} == {(2, 2), (2, 3), (3, 2), (3, 3)}
    assert all(a != b for a, b, *_ in found[:2])
    assert [halves for *_, halves, _ in found] == [k >= TRIES * 2 // 3 for k in range(TRIES)]
    assert [positive for *_, positive in found] == [k % 2 == 1 for k in range(TRIES)]


def test_letters_of_numbers():
    source = random.Random(7)
    assert {_number(Symbol("i", integer=True, nonnegative=True), source, 0) for _ in range(40)} == {0, 1}
    assert {_number(Symbol("k", integer=True, positive=True), source, 0) for _ in range(40)} == {1, 2}
    halves = {_number(Symbol("x"), source, 0) for _ in range(200)}
    assert halves == {Rational(k, m) for k in (1, 2, 3, 4) for m in (1, 2)}


@pytest.mark.parametrize(
    ("a", "b", "shown"),
    [
        (flint.arb(2), flint.arb(3), ("2", "3")),
        (flint.arb(1) / 3, flint.arb(3), ("≈ 0.333333", "3")),
        (flint.arb(1) / 3, flint.arb(1) / 3 + flint.arb("1e-9"), ("≈ 0.333333333333", "≈ 0.333333334333")),
        (flint.arb(0, "1e-30"), flint.arb(3), ("≈ 0", "3")),
        (flint.arb(12345678901), flint.arb(3), ("12345678901", "3")),
        (flint.arb(-123456), flint.arb(-123457), ("-123456", "-123457")),
        (flint.arb(10**12), flint.arb(3), ("≈ 1e+12", "3")),
        (oo, flint.arb(3), ("∞", "3")),
        (flint.arb(12345678), flint.arb(12345679), ("12345678", "12345679")),
    ],
)
def test_two_values_are_shown_with_as_many_digits_as_tell_them_apart(a, b, shown):
    assert shown_values(a, b) == shown


# -- what is read ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("claim", "kind", "layout"),
    [
        ("∂z_i/∂x_i = W", "proved", "columns"),
        ("∂z_i/∂x_i = W^T", "proved", "rows"),
        ("∂z_i/∂x_i = 2 W", "refuted", ""),
        ("∂z_i/∂x_i = 2 W^T", "refuted", ""),
    ],
)
def test_the_rows_or_the_columns_of_a_jacobian(claim, kind, layout):
    found = verify(claim, of="Z = X W")
    assert found.kind == kind
    assert layout in " ".join(note.en for note in found.notes)


@pytest.mark.parametrize("right", ["W", "W^T"])
def test_where_the_sizes_do_not_tell_rows_from_columns_nothing_is_chosen(right):
    square = derive({"Z": X @ matrix("W", d, d)})
    with pytest.raises(ReadingError, match="the rows of the right side, or its columns") as refused:
        verify(f"∂z_i/∂x_i = {right}", of=square)
    assert (refused.value.code, refused.value.line, refused.value.column) == ("ambiguous", 1, 1)
    assert verify(f"∂z_i/∂x_i = 2 {right}", of=square).kind == "refuted"


def test_two_layouts_of_the_same_matrix_are_one_reading():
    claim = "∂a_i/∂s_i = diag(a_i) - a_i a_i^T"  # is symmetric
    assert len(read_statement(claim, ATTENTION, {}).readings) <= 2
    assert verify(claim, of=ATTENTION).kind == "proved"
    assert verify(claim.replace("-", "+"), of=ATTENTION).kind == "refuted"


@pytest.mark.parametrize(
    ("claim", "place"),
    [
        ("dP = S; P = softmax(S); dP = S", 9),  # what dP is then, has two answers
        ("dP = S; P = softmax(S); dQ = dS K / sqrt(d_k)", 9),
        ("P = softmax(S); dP = S; dQ = dS K / sqrt(d_k)", 17),
        ("Score = 2 dS; score_ij = ds_ij; dQ = score K", 15),
        ("P = Q K^T; p_ij = ds_ij; dQ = dS K", 12),
    ],
)
def test_a_name_that_would_mean_two_things_is_refused(claim, place):
    with pytest.raises(ReadingError) as refused:
        verify(claim, of=ATTENTION)
    assert (refused.value.code, refused.value.line, refused.value.column) == ("twice", 1, place)


def test_a_part_with_another_name_has_its_gradient():
    assert verify("P = softmax(S); dP = dZ V^T", of=ATTENTION).kind == "proved"
    assert verify("P = softmax(S); dP = 2 dZ V^T", of=ATTENTION).kind == "refuted"


HEADS = "MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads=2)"


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        ("dZ_1 = dY[:, 1:d_v]", "proved"),
        ("dZ_1  =  dY[:,1:d_v]", "proved"),
        ("dZ_2 = dY[:, 1:d_v]", "refuted"),
        ("dZ_1 = 2 dY[:, 1:d_v]", "refuted"),
        ("dZ_1 = dY[:, 2:d_v]", "shapes"),
    ],
)
def test_columns_of_a_gradient_are_read_as_they_are_printed(claim, kind):
    found = verify(claim, of=HEADS)
    assert found.kind == kind
    if kind == "proved":
        assert (found.derived, found.claimed) == ("dZ_1 = dY[:, 1:d_v]", "dZ_1 = dY[:, 1:d_v]")


# -- time --------------------------------------------------------------------------------------------------------------
def test_there_is_as_much_time_as_was_given():
    assert steps_left(100) == 100
    check_time()
    with limited_time(1000.0):
        check_time()
        assert steps_left(100) == 100
        assert 900 * 15_000 < steps_left(10**9) <= 1000 * 15_000
        with limited_time(-1.0):
            assert steps_left(100) == 0
            with pytest.raises(OutOfTime):
                check_time()
        check_time()
    assert steps_left(10**12) == 10**12


def test_no_time_is_left_when_it_is_over():
    with limited_time(0.01):
        begun = time.thread_time()
        while time.thread_time() - begun < 0.02:
            pass
        with pytest.raises(OutOfTime):
            check_time()
