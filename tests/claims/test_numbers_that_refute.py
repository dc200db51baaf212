"""Numbers that refute a claim: which trials count, which entry is told, and how many entries of a Jacobian were compared."""

import random
from itertools import product

import flint
import pytest
from sympy import Integer, Piecewise, Rational, Symbol

from symtransformer import dimension, matrix, read_expression
from symtransformer.claims import deciding
from symtransformer.claims.counterexamples import Trial, WithSlopes, _exact, find, jumps, trials, without_value
from symtransformer.claims.entry_counterexamples import find_at_entries
from symtransformer.claims.statement import read_statement
from symtransformer.derivation import written_out
from symtransformer.enclosures import precision
from symtransformer.errors import NotSupported
from symtransformer.judge import TESTED, UNDECIDABLE
from symtransformer.node import as_node
from symtransformer.operations.entry_formula import EntryFormula
from symtransformer.symbols import DistributionLetter, Entry

n, d, m = dimension("n"), dimension("d"), dimension("m")
X, Y = matrix("X", n, d), matrix("Y", n, d)
TWO = matrix("X", 2, 2)
STEP = read_expression("X: n d\nheaviside(X)").expression
INVERSE = read_expression("X: n d\nX ⊘ X").expression
WEIGHTS = "S: n m\nA = softmax(S)"


def entries(example, name):
    return [x for row in dict(example.matrices)[name] for x in row]


# -- whole matrices ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("i", "j"), list(product((0, 1), repeat=2)))
def test_the_first_entry_that_differs_is_told(i, j):
    """Only one entry differs, and by 1."""
    more = as_node([[Integer((a, b) == (i, j)) for b in range(2)] for a in range(2)])
    found = find(TWO, TWO + more)
    assert found.entry == f"({i + 1}, {j + 1})"
    assert int(found.claimed) - int(found.derived) == 1
    assert found.derived == dict(found.matrices)["X"][i][j]


def test_of_several_entries_the_first_in_the_first_row_is_told():
    assert find(TWO, TWO + as_node([[Integer(0), Integer(1)], [Integer(1), Integer(1)]])).entry == "(1, 2)"


@pytest.mark.parametrize("digits", [20, 60, 100])
def test_a_difference_that_only_many_digits_show_is_found(digits):
    tiny = as_node([[Integer(0), Integer(0)], [Integer(0), Rational(1, 10**digits)]])
    found = find(TWO, TWO + tiny)
    assert found.entry == "(2, 2)"
    assert Rational(found.claimed) - Rational(found.derived) == Rational(1, 10**digits)


def test_trials_in_which_something_jumps_do_not_count():
    assert "0" in entries(find(X, Y), "X")
    found = find(X, Y, slopes=STEP)
    assert "0" not in entries(found, "X")
    assert dict(found.matrices)["Y"][0][0] == found.claimed != found.derived


def test_trials_without_a_value_do_not_count():
    found = find(INVERSE * 2, INVERSE)
    assert (found.derived, found.claimed) == ("2", "1")
    assert "0" not in entries(found, "X")
    assert find(INVERSE, INVERSE) is None
    assert without_value(INVERSE, INVERSE) is None
    assert "0" in entries(without_value(X, INVERSE), "X")


def test_of_five_sizes_every_choice_comes_and_of_six_not():
    def sides(count):
        sizes = [dimension(f"n_{k}") for k in range(count)]
        made = matrix("A0", sizes[0], sizes[1])
        for k in range(1, count - 1):
            made = made @ matrix(f"A{k}", sizes[k], sizes[k + 1])
        return made

    first = [tuple(int(x) for x in t.sizes.values()) for t in trials(sides(5), sides(5))]
    assert first == [c for c in product((2, 3), repeat=5) if len(set(c)) > 1][: len(first)]
    assert {tuple(int(x) for x in t.sizes.values()) for t in trials(sides(6), sides(6))} == {(2, 3, 2, 3, 2, 3)}


def test_weights_of_two_columns_are_1_2_or_3():
    source, seen = random.Random(3), set()
    for _ in range(60):
        seen |= set(
            Trial({n: Integer(2), d: Integer(2)}, {}, False, False, source).matrix(DistributionLetter("Y", n, d))
        )
    assert seen == {Rational(a, a + b) for a in (1, 2, 3) for b in (1, 2, 3)}


def test_a_letter_that_is_asked_for_again_keeps_its_numbers_and_another_gets_its_own():
    trial = Trial({n: Integer(3), d: Integer(3)}, {}, True, False, random.Random(5))
    assert trial.matrix(X) is trial.matrix(X)
    assert trial.matrix(X) != trial.matrix(Y)
    assert list(trial.matrices) == ["X", "Y"]
    assert [name for name, _ in trial.found("", "", "").matrices] == ["X", "Y"]


def test_where_a_step_has_a_slope():
    with precision(64):
        numbers = WithSlopes()
        assert (numbers.step(flint.arb(3)), numbers.step(flint.arb(-3))) == (1, 0)
        with pytest.raises(NotSupported, match="the step at 0"):
            numbers.step(flint.arb(0))


def test_what_jumps_between_entries():
    i, j = (Symbol(x, integer=True, nonnegative=True) for x in "ij")
    assert jumps(EntryFormula.of(n, d, i, j, Piecewise((Integer(1), i < j), (Integer(0), True))))
    assert not jumps(EntryFormula.of(n, d, i, j, Entry(X, i, j)))
    assert not jumps(EntryFormula.of(n, d, i, j, Entry(X, i, j)), X)


@pytest.mark.parametrize("name", ["softmax", "exp", "GELU", "tanh", "sigmoid"])
def test_what_is_not_rational_is_not_shown_exactly(name):
    trial = Trial({}, {}, False, True, random.Random(2))
    side = read_expression(f"X: 2 2\n{name}(X)").expression
    assert _exact(TWO, side, trial, 0, 0) is None
    assert _exact(TWO, TWO * 2, trial, 1, 0) == (str(trial.matrix(TWO)[1, 0]), str(2 * trial.matrix(TWO)[1, 0]))


# -- entries of a Jacobian ---------------------------------------------------------------------------------------------
def at_entries(claim, of, where=None):
    statement = read_statement(claim, of, {})
    return find_at_entries(statement.jacobian, lambda node: written_out(node, statement.subject.behind), where)


RIGHT = "∂a_ij/∂s_il = a_ij (δ_jl - a_il)"
SIZES = list(product((2, 3), repeat=2))  # of n and m; every choice six times among 24 trials
COMPARED = [
    (lambda at: at["j"] == at["l"], sum(n * m for n, m in SIZES)), (lambda at: at["i"] == 1 and at["l"] == 0, sum(m for _, m in SIZES)), (lambda at: at["j"] > 1, sum(n * m for n, m in SIZES if m == 3)), (lambda at: False, 0),
]  # fmt: skip


@pytest.mark.parametrize(("where", "count"), COMPARED)
def test_only_entries_that_fulfil_the_condition_are_compared(where, count):
    assert at_entries(RIGHT, WEIGHTS, where) == (None, 6 * count)


PLACES = [  # where, and the first entry with a difference there, from 1
    (None, "i = 1, j = 1, l = 1"), (lambda at: at["j"] != at["l"], "i = 1, j = 1, l = 2"), (lambda at: at["i"] == 1, "i = 2, j = 1, l = 1"), (lambda at: at["j"] == 1 and at["l"] == 1, "i = 1, j = 2, l = 2"),
]  # fmt: skip


@pytest.mark.parametrize(("where", "place"), PLACES)
def test_the_first_entry_of_a_jacobian_that_differs_is_told(where, place):
    found, compared = at_entries("∂a_ij/∂s_il = 2", WEIGHTS, where)
    assert (found.entry, compared) == (place, 1)
    assert found.claimed == "2"


def test_the_values_at_an_entry_are_those_of_both_sides():
    """∂y_ij/∂x_il is w_lj, so that twice of it differs at the first w that is not 0."""
    found, compared = at_entries("∂y_ij/∂x_il = 2 w_lj", "X: 2 3\nW: 3 2\nY = X W")
    (w,) = (rows for name, rows in found.matrices if name == "W")
    at = next((i, j, k) for i, j, k in product(range(2), range(2), range(3)) if w[k][j] != "0")
    assert found.entry == ", ".join(f"{x} = {k + 1}" for x, k in zip("ijl", at, strict=True))
    assert compared == 1 + at[2] + 3 * at[1] + 6 * at[0]
    assert (int(found.derived), int(found.claimed)) == (int(w[at[2]][at[1]]), 2 * int(w[at[2]][at[1]]))


@pytest.mark.parametrize(("compared", "kind"), [(0, UNDECIDABLE), (19, UNDECIDABLE), (20, TESTED), (21, TESTED)])
def test_so_many_entries_have_to_be_compared(monkeypatch, compared, kind):
    monkeypatch.setattr(deciding, "find_at_entries", lambda *given: (None, compared))
    verdict = deciding.decided(RIGHT, WEIGHTS, {}, condition="j = l").verdict
    assert verdict.kind == kind
    assert verdict.reason == (f"equal at the {compared} entries with j = l that were compared" if kind == TESTED else "too few entries could be compared")  # fmt: skip
    assert verdict.reason_ja == (f"比べた {compared} 個の成分（j = l）ではすべて等しい" if kind == TESTED else "比べられた成分が少なすぎる")  # fmt: skip


def test_a_condition_that_no_entry_fulfils_decides_nothing():
    found = deciding.decided(RIGHT, WEIGHTS, {}, condition="i < i")
    assert (found.kind, found.verdict.reason) == ("undecidable", "too few entries could be compared")
