r"""Parts of a matrix formula that are read by themselves: where they end, of what they are a part, from where to where they go."""

import re

import pytest
from sympy import Integer, S, Symbol

from symtransformer import dimension, matrix, verify
from symtransformer.claims.parts import CALLED, COUNTED, CUT, PADDED, ROW, SUMMED, Parts, counts_both_ways
from symtransformer.claims.subject import subject_of
from symtransformer.reading import ReadingError

n, d, m = dimension("n"), dimension("d"), dimension("m")
SUBJECT = subject_of("Y = X W")
NODES = {"X": matrix("X", n, d), "W": matrix("W", d, m), "A": matrix("A", n, m), "k_new": matrix("k_new", n, d)}


def parts(**more):
    """Parts of formulas in which a name is read as the letter that it is."""

    def read(text, nodes, is_whole):
        return nodes.get(text.strip().strip("()"), Integer(7))

    return Parts(SUBJECT, NODES, {"n": n, "d": d, "m": m, "c": Integer(2)}, read, **more)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("X[:, 1:3]", True), ("X[2]", True), ("X_{:,1:3}", False), ("X W", False), ("X_{1:3,:}", False), ("[[1, 2]]", True), ("X[\n]", False)],
)  # fmt: skip
def test_what_may_count_from_0_or_from_1(text, expected):
    assert counts_both_ways(text) is expected


CLOSED = [("(a)", 0, 2), ("(a(b)c)d", 0, 6), ("a(b)", 1, 3), ("([a]{b})", 0, 7), ("()", 0, 1)]


@pytest.mark.parametrize(("text", "opening", "end"), CLOSED)
def test_where_a_bracket_is_closed(text, opening, end):
    assert parts()._close(text, opening) == end


def test_a_bracket_that_is_not_closed():
    with pytest.raises(ReadingError, match="'\\(' is not closed") as caught:
        parts()._close("a (b", 2)
    assert (caught.value.code, caught.value.column) == ("part", 3)


TERMS = [  # what a sum takes, from the given place
    ("A B + C", 0, "A B "), ("A B", 0, "A B"), ("A (B + C) D - E", 0, "A (B + C) D "), ("A) + B", 0, "A"), ("-A + B", 0, "-A "), (" A, B", 0, " A"), (r"A\, B + C", 0, r"A\, B "), ("A = B", 0, "A "), ("A − B", 0, "A "), (r"\, A", 0, r"\, A"), (r"A\right) B", 0, "A"), ("A B} C", 0, "A B"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "start", "expected"), TERMS)
def test_where_a_term_ends(text, start, expected):
    assert text[start : parts()._end_of_term(text, start)] == expected


BEFORE = [  # of what something is a part that stands at |
    ("X W|", "W"), ("X W_Q|", "W_Q"), ("X W_{Q}|", "W_{Q}"), ("(X W)|", "(X W)"), ("A (X W)|", "(X W)"), ("f(X)|", "f(X)"), ("A(X)|", "(X)"), (r"\operatorname{softmax}(X)|", r"\operatorname{softmax}(X)"), ("dX|", "dX"), ("2 X |", "X "), (r"\mathrm{dX}|", r"\mathrm{dX}"), ("{X W}|", "{X W}"), ("Q^(i)|", "Q^(i)"),
    ("f((X) W)|", "f((X) W)"), (r"A \left(X W\right)|", r"\left(X W\right)"), ("enc.X|", "enc.X"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), BEFORE)
def test_of_what_it_is_a_part(text, expected):
    text, place = text.replace("|", ""), text.index("|")
    start, end = parts()._before(text, place)
    assert text[start:end] == expected.rstrip()


@pytest.mark.parametrize("text", ["", "X +", "2", "X^2 "])
def test_it_is_a_part_of_something(text):
    with pytest.raises(ReadingError, match="it is not clear of what this is a part"):
        parts()._before(text, len(text))


RANGES = [  # text, size, counted from 0, the first place, the end
    ("1:3", d, False, 0, 3), ("1:3", d, True, 1, 3), ("2", d, False, 1, 2), ("2", d, True, 2, 3), (":3", d, False, 0, 3), (":3", d, True, 0, 3), ("2:", d, False, 1, d), ("2:", d, True, 2, d), ("c:c+1", d, False, 1, 3), ("n:m", d, False, n - 1, m), ("1:2n", d, True, 1, 2 * n),
]  # fmt: skip


@pytest.mark.parametrize(("text", "size", "from_zero", "first", "end"), RANGES)
def test_from_where_to_where(text, size, from_zero, first, end):
    found = parts()._range("", 0, text, size, from_zero)
    assert tuple(x.expand() if hasattr(x, "expand") else x for x in found) == (first, end)


def test_numbers_and_heads_as_places():
    head = Symbol("i", integer=True, nonnegative=True)
    made = parts(heads={"i": head})
    assert made._number("", 0, "i") == head + 1
    assert made._number("", 0, "i", from_zero=True) == head
    assert made._number("", 0, " 2 c ") == 4
    for piece in ("z", "(", ""):
        with pytest.raises(ReadingError, match="is no place or size that is known here"):
            made._number("", 0, piece)


CUTS = [  # shape of what is cut out
    ("X[1:3, :]", (3, d), (2, d)), ("X[:, 1:3]", (n, 3), (n, 2)), ("X[2, :]", (1, d), (1, d)), ("X[2]", (1, d), (1, d)), ("X[1:2, 2:3]", (2, 2), (1, 1)), ("X_{1:3,:}", (3, d), (3, d)), ("X_{:,2:3}", (n, 2), (n, 2)), ("X[:, :]", (n, d), (n, d)), ("X[:, 2:]", (n, d - 1), (n, d - 2)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "from_one", "from_zero"), CUTS)
def test_rows_and_columns_that_are_cut_out(text, from_one, from_zero):
    for counted, shape in ((False, from_one), (True, from_zero)):
        made = parts(from_zero=counted)
        node, start, end = made._cut(text, CUT.search(text))
        assert (start, end) == (0, len(text))
        assert tuple(x.expand() if hasattr(x, "expand") else x for x in node.shape) == shape


@pytest.mark.parametrize(
    ("text", "said"),
    [("X[1:3]", "expected rows and columns"), ("X[3:2, :]", "3:2 holds no row"), ("X[:, 3:2]", "3:2 holds no column"), ("X[1, 2, 3]", "expected rows and columns"), ("X[0, :]", "0 holds no row"), ("X[z, :]", "'z' is no place or size")],
)  # fmt: skip
def test_what_holds_no_row_or_column(text, said):
    with pytest.raises(ReadingError, match=said):
        parts()._cut(text, CUT.search(text))


def test_a_matrix_of_numbers_is_no_part():
    text = "[[1, 2]]"
    assert parts()._cut(text, CUT.search(text)) is None
    assert parts()._cut("2 + [1, 2]", CUT.search("2 + [1, 2]")) is None


ROWS = [("x_4", True), ("x_i", False), ("x_{4}", True), ("z_4", False), ("w_2", True), ("c_2", False), ("k_new", False)]


@pytest.mark.parametrize(("text", "is_row"), ROWS)
def test_a_small_letter_with_a_place_may_be_a_row(text, is_row):
    found = ROW.search(text)
    node = found and parts(rows=True)._row(text, found)
    assert bool(node) is is_row
    if is_row:
        assert node[0].shape[0] == 1


def test_a_row_of_a_head_that_is_counted():
    head = Symbol("i", integer=True, nonnegative=True)
    assert parts(rows=True, heads={"i": head})._row("x_i", ROW.search("x_i")) is not None


def test_a_part_gets_a_name_of_its_own_and_places_stay():
    made = parts()
    assert made._with("A X[1:2, :] B", (NODES["X"], 2, 11)) == "A (Pt1)     B"
    assert made._with("A X B", (NODES["X"], 2, 3)) == "A Pt2 B"
    assert sorted(made.found) == ["Pt1", "Pt2"]


def test_a_matrix_is_expected():
    with pytest.raises(ReadingError, match="a matrix is expected here, and this is a number"):
        parts()._node("foo", 0, 3)
    assert parts()._node("A X", 2, 3) is NODES["X"]
    assert parts()._alone("a\nbc", 2, 4) == " \nbc"


def test_spellings_of_sums_and_pads():
    assert CALLED.search("Sum (").group("name") == "Sum"
    assert CALLED.search("xSum(") is None
    assert COUNTED.search("Q^(i), i = 1..h").group("letter", "upper") == ("i", "h")
    assert COUNTED.search("Q^(i), i = 2..h") is None
    assert SUMMED.search(r"\sum_{i=1}^{h} Q").group("letter", "upper") == ("i", "h")
    assert SUMMED.search("Σ_i Q").group("letter", "upper", "short") == ("i", None, None)
    assert SUMMED.search("Σ_i^h Q").group("short") == "h"
    assert PADDED.search("pad[2 of 5](X)").group("name", "first", "size") == ("pad", "2", "5")
    assert PADDED.search(r"\operatorname{padrow}_{2/5}\left(X\right)").group("set", "low", "of") == ("padrow", "2", "5")


def test_a_pad_puts_columns_or_rows_of_zeros_around():
    text = "pad[2 of d](c_1)"
    made = parts()
    made.nodes = {**NODES, "c_1": matrix("c_1", n, S.One)}
    node, start, end = made._padded(text, PADDED.search(text))
    assert (node.shape, start, end) == ((n, d), 0, len(text))
    text = "padrow[2 of d](r_1)"
    made.nodes = {**NODES, "r_1": matrix("r_1", S.One, m)}
    node, start, end = made._padded(text, PADDED.search(text))
    assert (node.shape, start, end) == ((d, m), 0, len(text))


CLAIMS = [  # about Y = X W: what is so, and what is not
    ("Y[1:2, :] = X[1:2, :] W", "proved"), ("Y[1:2, :] = 2 X[1:2, :] W", "refuted"), ("Y_{:,1:2} = X W_{:,1:2}", "proved"), ("Y_{:,1:2} = X W_{:,2:3}", "refuted"), ("Y_{1:2,:} = X_{1:2,:} W", "proved"), ("Y_{1:2,:} = X_{2:3,:} W", "refuted"), ("Y[:, :] = X W", "proved"), ("dX_{1:2,:} = dY_{1:2,:} W^T", "proved"), ("dX_{1:2,:} = dY_{2:3,:} W^T", "refuted"), (r"\frac{\partial L}{\partial X}_{1:2,:} = dY_{1:2,:} W^T", "proved"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "kind"), CLAIMS)
def test_claims_about_parts(claim, kind):
    assert verify(claim, of="Y = X W").kind == kind


def test_patterns_take_no_more_than_their_part():
    assert re.fullmatch(CUT, "[1:2, :]")
    assert CUT.search("a_{ij}") is None
    assert CUT.search("a_{i:j}").group("low") == "i:j"
