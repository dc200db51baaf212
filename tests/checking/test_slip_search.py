"""How slips are searched for: how many expressions are evaluated, in which order slips are named, and what would tell them apart."""

import pytest
from sympy import Integer, Rational, S, Symbol

from symtransformer import matrix
from symtransformer.checking.number_words import Note
from symtransformer.checking.slips.diagnosis import Budget, Trials, alterations, diagnose, diagnose_pairs
from symtransformer.checking.slips.records import Slip, matching, tried
from symtransformer.checking.slips.telling import NUMBERS, TellingEntry, _plain, telling_entry
from symtransformer.checking.values import Undecided
from symtransformer.errors import NotSupported
from symtransformer.notation import Words
from symtransformer.operations.addition import Addition
from symtransformer.operations.exponential import Exponential
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.transpose import Transpose
from symtransformer.symbols import Literal

X, Y = matrix("X", 2, 2), matrix("Y", 2, 2)
LEFT_OUT = Slip("left_out", Words("e was left out.", "e を忘れている。"), (Exponential,), lambda node, known: node.args)
TWICE = Slip("twice", Words("e twice.", "e を二度。"), (Exponential,), lambda node, known: [Exponential(node)])
FIRST = Slip("first", Words("One.", "一。"), (Addition,), lambda node, known: node.args, everywhere=False)
COARSE = Slip("coarse", Words("It.", "それ。"), (Exponential,), lambda node, known: node.args, gives_way=True)
ALONE = Slip("alone", Words("It.", "それ。"), (Exponential,), lambda node, known: node.args, in_pairs=False)


def is_one_of(*wanted):
    return lambda expression: expression in wanted


def named(notes):
    return [note.name for note in notes]


# -- a budget -----------------------------------------------------------------------------------------------------------
def test_so_many_evaluations_and_no_more():
    budget = Budget(2)
    assert [budget.take(), budget.is_over, budget.take(), budget.is_over, budget.take(), budget.is_over] == [
        True,
        False,
        True,
        False,
        False,
        True,
    ]
    assert budget.evaluations == 0
    assert Budget().take() is True
    assert Budget(5, lambda: True).take() is False


def test_what_is_tried_ends_with_the_time():
    times = iter([False, False, True])
    budget = Budget(5, lambda: next(times))
    assert [*budget.while_it_lasts("abcd")] == ["a", "b"]
    assert budget.is_over
    assert [*budget.while_it_lasts("abcd")] == []
    assert [*Budget().while_it_lasts("abcd")] == ["a", "b", "c", "d"]


def test_each_expression_is_asked_once():
    asked = []

    def fits(expression):
        asked.append(expression)
        return expression is Y

    budget = Budget()
    trials = Trials({}, fits, (2, 2), budget)
    assert [trials.fit(e) for e in (X, Y, X, Y)] == [False, True, False, True]
    assert asked == [X, Y]
    assert budget.evaluations == 1998
    assert trials.fit(matrix("Z", 2, 3)) is False  # of another size
    assert asked == [X, Y]
    assert Trials({X: Y}, is_one_of(Y), (2, 2), Budget()).fit(X) is True  # the value is put in
    assert Trials({}, is_one_of(Y), (2, 2), Budget(0)).fit(Y) is False


@pytest.mark.parametrize("error", [NotSupported("no"), Undecided("precision")])
def test_what_cannot_be_computed_does_not_fit(error):
    def fits(expression):
        raise error

    trials = Trials({}, fits, (2, 2), Budget())
    assert trials.fit(X) is False
    assert trials.fit(X) is False


# -- alterations --------------------------------------------------------------------------------------------------------
def test_one_place_at_a_time_and_all_at_once():
    node = Hadamard(Exponential(X), Exponential(Y))
    one, other, both = Hadamard(X, Exponential(Y)), Hadamard(Exponential(X), Y), Hadamard(X, Y)
    assert [e for _, e in alterations(node, {}, (LEFT_OUT,))] == [one, other, both]
    assert [e for _, e in alterations(node, {}, (LEFT_OUT,), alone=False)] == [both]
    assert [*alterations(node, {}, (LEFT_OUT,), {"left_out"})] == []
    assert [e for _, e in alterations(Exponential(X), {}, (LEFT_OUT,))] == [X]
    assert [e for _, e in alterations(Exponential(X), {}, (LEFT_OUT,), alone=False)] == [X]
    sums = Hadamard(Addition(X, Y), Addition(Y, X))
    found = [e for _, e in alterations(sums, {}, (FIRST,))]
    assert Hadamard(X, Addition(Y, X)) in found
    assert Hadamard(X, Y) not in found  # in one place only
    assert Hadamard(X, Y) not in [e for _, e in alterations(sums, {}, (FIRST,))]


def test_what_a_slip_leaves_as_it_is_is_none():
    same = Slip("same", Words("It.", "それ。"), (Exponential,), lambda node, known: [node, node.args[0], node.args[0]])
    assert same.altered(Exponential(X), {}) == [X]
    assert same.altered(X, {}) == []
    fails = Slip("fails", Words("It.", "それ。"), (Exponential,), _refused)
    assert fails.altered(Exponential(X), {}) == [X]  # what came before
    assert same.note.name == "same"


def _refused(node, known):
    yield node.args[0]
    raise NotSupported("no more")


def test_what_can_be_made_is_made():
    def no(x):
        raise NotSupported("no")

    assert [*tried((no, lambda x: x + 1, no, lambda x: x), 1)] == [2, 1]
    alter = matching(lambda node, known: (node, known) if node else None)(lambda node, known: node + known)
    assert [*alter(1, 2)] == [3]
    assert [*alter(0, 2)] == []


# -- diagnosis ----------------------------------------------------------------------------------------------------------
def test_all_slips_that_fit_are_named_in_their_order():
    node = Exponential(X)
    slips = (TWICE, LEFT_OUT)
    assert named(diagnose(node, {}, is_one_of(X, Exponential(node)), slips)) == ["twice", "left_out"]
    assert named(diagnose(node, {}, is_one_of(X), slips)) == ["left_out"]
    assert diagnose(node, {}, is_one_of(Y), slips) == ()
    assert diagnose(node, {}, is_one_of(X, node), slips) == ()  # it is right
    assert diagnose(node, {}, is_one_of(X), slips, budget=Budget(1)) == ()
    assert named(diagnose(node, {}, is_one_of(X), slips, budget=Budget(3))) == ["left_out"]
    assert diagnose(node, {}, is_one_of(X), slips, shape=(2, 3)) == ()


def test_who_knows_less_gives_way():
    node = Exponential(X)
    assert named(diagnose(node, {}, is_one_of(X), (COARSE, LEFT_OUT))) == ["left_out"]
    assert named(diagnose(node, {}, is_one_of(X), (COARSE, TWICE))) == ["coarse"]
    assert named(diagnose(node, {}, is_one_of(X), (LEFT_OUT, LEFT_OUT))) == ["left_out"]


def test_two_slips_only_where_no_single_one_fits():
    node = Addition(Exponential(X), Hadamard(Y, Y))
    squares = Slip(
        "square", Words("A square was left out.", "2 乗を忘れている。"), (Hadamard,), lambda node, known: node.args[:1]
    )
    slips, both = (LEFT_OUT, squares, TWICE), Addition(X, Y)
    (note,) = diagnose_pairs(node, {}, is_one_of(both), slips)
    assert note.name == "left_out+square"
    assert note.words.en == "Possibly two slips at once. e was left out. A square was left out."
    assert note.words.ja == "二つの誤りが重なった可能性がある。e を忘れている。2 乗を忘れている。"
    (turned,) = diagnose_pairs(node, {}, is_one_of(both), (squares, LEFT_OUT))
    assert turned.name == "square+left_out"
    assert diagnose_pairs(node, {}, is_one_of(both, Addition(X, Hadamard(Y, Y))), slips) == ()  # a single one fits
    assert diagnose_pairs(node, {}, is_one_of(both, node), slips) == ()  # it is right
    assert diagnose_pairs(node, {}, is_one_of(both), (ALONE, squares)) == ()
    assert diagnose_pairs(node, {}, is_one_of(both), slips, shape=(2, 3)) == ()
    assert diagnose_pairs(node, {}, is_one_of(both), slips, budget=Budget(2)) == ()


# -- what would tell them apart -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Integer(3), "3"), (Integer(-3), "-3"), (Rational(5, 10), "0.5"), (Rational(-7, 10), "-0.7"), (Rational(23, 10), "2.3"),
        (Rational(-13, 10), "-1.3"), (Rational(1, 3), "1/3"), (Rational(1, 4), "1/4"), (Integer(0), "0"), (Rational(21, 2), "10.5"),
    ],
)  # fmt: skip
def test_a_short_decimal(number, text):
    assert _plain(number) == text


@pytest.mark.parametrize(
    ("letter", "row", "column", "at"),
    [("Q", 1, 2, "q_12"), ("Q", 9, 9, "q_99"), ("Q", 10, 1, "Q[10, 1]"), ("Q", 1, 10, "Q[1, 10]"), ("W_Q", 1, 2, "W_Q[1, 2]"), ("q", 1, 2, "q[1, 2]")],
)  # fmt: skip
def test_the_words_of_an_entry(letter, row, column, at):
    note = TellingEntry(letter, row, column, Rational(1, 2), Integer(2)).note
    assert note.name == "telling_entry"
    assert note.words.en == f"With {at} = 0.5 instead of 2, the likely mistakes would show different digits."
    assert note.words.ja == f"{at} を 2 から 0.5 に変えて計算し直せば、どの誤りかを見分けられる。"


def test_one_entry_that_tells_slips_apart():
    """Of four scores that are equal, rows, columns and equal weights give the same: 2 in the first place parts them."""
    S1 = matrix("S", 2, 2)
    values = {S1: Literal([[1, 1], [1, 1]])}  # the same by rows, by columns and uniform
    node = Softmax(S1)

    def shown(expression):
        return True

    notes = [Note(name, Words("It.", "それ。")) for name in ("softmax_over_columns", "uniform_weights")]
    entry = telling_entry(node, values, shown, notes, 2)
    assert (entry.letter, entry.row, entry.column, entry.number, entry.instead_of) == ("S", 1, 1, 2, 1)
    assert telling_entry(node, values, shown, notes[:1], 2) is None  # one slip needs none
    assert telling_entry(node, values, lambda e: False, notes, 2) is None
    assert telling_entry(node, values, shown, notes, 2, budget=Budget(0)) is None
    assert (
        telling_entry(node, values, shown, [*notes, Note("no_minus", Words("It.", "それ。"))], 2) is None
    )  # which is impossible here
    hidden = {S1: Literal([[S.NegativeInfinity, 1], [1, 1]])}
    assert telling_entry(node, hidden, shown, notes, 2).column == 2  # −∞ of a mask stays
    assert NUMBERS[0] == 2


def test_letters_that_are_no_matrices_are_not_changed():
    t = Symbol("t")
    node = Scaling(Transpose(X), t, S.One)
    assert telling_entry(node, {t: Integer(2), X: Literal([[1, 2], [3, 4]])}, lambda e: True, [], 2) is None
