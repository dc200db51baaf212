r"""The steps by which two formulas of entries are compared: which formulas are behind them, which sizes are equal, what is in doubt."""

import pytest

from symtransformer.checking.equations import Equation
from symtransformer.checking.free_doubts import check_numbers, check_opaque
from symtransformer.checking.free_equations import (
    FreeEquations,
    _is_made_of_a_function,
    _is_power,
    _outside_of_marks,
    _reason,
)
from symtransformer.checking.free_judging import (
    BENT,
    EXTREME,
    _Axes,
    _behind,
    _bent,
    _differentiated,
    _free,
    entries_equal,
    formula_of,
)
from symtransformer.checking.free_names import Entry, NotEntries, entry_of, plain_letters, without_marks
from symtransformer.notation import Words
from symtransformer.reading.free_formulas import read_free


def formulas(*given):
    made = [formula_of(read_free(left), read_free(right)) for left, right in given]
    return dict(m for m in made if m)


# -- what a line gives a formula -------------------------------------------------------------------------------------
HEADS = [
    ("a", "b c", ("a", ())), ("x_i", "y_i + 1", ("x", ("i",))), ("x_{ij}", "y_i + z_j", ("x", ("i", "j"))), ("L(N, D)", "a N + D", ("L", ())), ("x_2", "a + 1", ("x_2", ())), (r"\hat{x}_i", "x_i - 1", ("hat(x)", ("i",))),
    (r"\sigma^2", "a + b", ("sigma", ())), ("s^2", r"\sum_i x_i^2", ("s", ())), ("s^2", r"\text{mean}(x)", ("s", ())), ("s^2", "a^2 + b^2", None), ("s^3", "a + b", None), ("x_{2i}", "a + b", None), ("x_{ii}", "a + b", None),
    ("a", "2", None), ("a", "2 + 3", None), ("a", "b", None), ("a", "b_i", None), ("a", "a + 1", None), ("a b", "c + 1", None), ("a + b", "c + 1", None), ("2", "a + 1", None), ("x_i", "x_j + 1", None), ("a b c", "d + 1", None),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "expected"), HEADS)
def test_a_name_that_gets_a_formula(left, right, expected):
    found = formula_of(read_free(left), read_free(right))
    assert (found and (found[0], found[1][0])) == expected


def test_a_square_gives_the_root():
    _, (_, tree, plain) = formula_of(read_free(r"\sigma^2"), read_free("a b"))
    assert tree == read_free(r"\sqrt{a b}")
    assert plain == {"a", "b"}


COUNTS = [
    ("x_i + x_i", "2 x_i", 3), ("a + a", "2 a", 1), ("z_{ij} + z_{ij}", "2 z_{ij}", 8), ("x_i + y_j", "y_j + x_i", 8), (r"\sum_i (x_i^2 + x_i)", r"\sum_i x_i + \sum_i x_i^2", 1), (r"x_j^2 \sum_i 2 y_i^2", r"2 x_j^2 \sum_i y_i^2", 3),
    ("x_i", "y_i", 0), ("x_i + 1", "x_i", 0), ("a", "b", 0),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "count"), COUNTS)
def test_how_many_entries_were_compared(left, right, count):
    """Axes are 3 and 4 long, then 4 and 2, then 3 and 4 again: the least number counts."""
    assert entries_equal(read_free(left), read_free(right), {}) == count


def test_so_many_entries_are_compared_and_no_more():
    many = "_{i,j,k,l}"
    assert entries_equal(read_free(f"x{many} + x{many}"), read_free(f"2 x{many}"), {}) == 3 * 4 * 2 * 5
    assert entries_equal(read_free(f"x{many} + y_m + x{many}"), read_free(f"2 x{many} + y_m"), {}) == 0  # five sizes


EXTRA = [
    ("x + 3", "", ()), (r"\sqrt{x}", "r", ()), ("|x|", "r", ()), ("(x)", "", ()), ("u", "r", [("u", r"\sqrt{a} + 1")]), ("u", "", [("u", "a + 1")]), ("|x| + 39", "r", ()), ("|x| + 40", "re", ()), ("|x| + 0.026", "r", ()),
    ("|x| + 0.025", "re", ()), ("|x| + 0", "r", ()), ("|x| + 10^6", "re", ()), ("|x| + 2^y", "re", ()), ("|x| + y^2", "r", ()), ("|u|", "re", [("u", "a + 100")]), ("|x| + x_2", "r", ()),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected", "given"), EXTRA)
def test_roots_and_absolute_values_take_more_trials_and_far_numbers_still_more(text, expected, given):
    wanted = {"": "", "r": BENT, "re": BENT + EXTREME}[expected]
    assert _bent(read_free(text), read_free("y"), formulas(*given)) == wanted
    assert _bent(read_free("y"), read_free(text), formulas(*given)) == wanted


# -- what is behind --------------------------------------------------------------------------------------------------
CHAIN = [("u", "a + 1"), ("v", "u b"), ("w", "v + c"), ("t", "d + 1")]
BEHIND = [
    (["a + 1"], []), (["u"], ["u"]), (["w"], ["u", "v", "w"]), (["v", "t"], ["t", "u", "v"]), ([r"\frac{\partial L}{\partial u}"], ["u", "v", "w"]), ([r"\frac{\partial L}{\partial a}"], ["u", "v", "w"]),
    ([r"\frac{\partial M}{\partial u}"], ["u"]), ([r"\frac{\partial L}{\partial t}"], ["t"]), ([r"\frac{\partial w}{\partial u}"], ["u", "v", "w"]),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "expected"), BEHIND)
def test_formulas_that_letters_rest_on_and_for_a_loss_those_that_rest_on_them(texts, expected):
    assert sorted(_behind([*map(read_free, texts)], frozenset(), formulas(*CHAIN))) == expected


def test_a_loss_with_a_formula_is_none_that_is_drawn():
    given = formulas(*CHAIN, ("L", "t + 2"))
    assert sorted(_behind([read_free(r"\frac{\partial L}{\partial u}")], frozenset(), given)) == ["L", "t", "u"]


def test_what_is_differentiated():
    def of(text):
        return list(_differentiated(read_free(text), frozenset()))

    assert of(r"\frac{\partial L}{\partial x_i} + \frac{\partial y_i}{\partial x_j}") == [
        Entry("L"),
        Entry("y", ("i",)),
    ]
    assert of(r"\nabla_x") == [Entry("L")]
    assert of(r"\frac{\partial}{\partial x} y") == of(r"\frac{L}{x}") == of("x") == []


INDICES = [
    ("x_i y_j", "ij"), ("x_{2}", ""), ("z_{2i}", "i"), (r"\sum_i x_i y_j", "j"), (r"\sum_{i \neq j} x_i", "j"), (r"\sum_j \sum_{i \neq j} x_i", ""), ("1_{i = j}", "ij"), (r"\sum_i 1_{i = j}", "j"), (r"\nabla_{x_i}", "i"), (r"\sum_i x_i + y_i", "i"),
    (r"\frac{\partial x_i}{\partial x_j}", "ij"), (r"a \sum_i (x_i y_k)", "k"), (r"\sqrt{x_i}", "i"), ("a", ""), (r"x_i \sum_i y_i", "i"), ("x_i^2", "i"), ("2^{x_j}", "j"), (r"\delta_{ij}", "ij"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), INDICES)
def test_indices_that_no_sum_counts(text, expected):
    assert sorted(set(_free(read_free(text), frozenset()))) == sorted(expected)


# -- sizes -----------------------------------------------------------------------------------------------------------
def sizes(*texts, given=(), choice=(3, 4, 2, 5)):
    axes = _Axes()
    used = formulas(*given)
    for key, (letters, tree, own) in used.items():
        axes.head(key, letters)
        axes.read(key, tree, own)
    for text in texts:
        axes.read("", read_free(text), plain_letters(*map(read_free, texts)))
    axes.whole_lists(used)
    ends, lengths = axes.drawn(choice)
    return ends, {f"{scope}{item}": length for (scope, item), length in lengths.items() if not item.startswith("≤")}


def test_what_counts_the_same_axis_goes_equally_far():
    assert sizes("x_i y_j") == ({}, {"x[0]": 3, "i": 3, "y[0]": 4, "j": 4})
    assert sizes("x_i y_i") == ({}, {"x[0]": 3, "i": 3, "y[0]": 3})
    assert sizes("z_{ij} z_{ji}") == ({}, {"z[0]": 3, "i": 3, "z[1]": 3, "j": 3})
    assert sizes("z_{ij}", "x_j") == ({}, {"z[0]": 3, "i": 3, "z[1]": 4, "j": 4, "x[0]": 4})
    assert sizes("z_{2i}")[1] == {"z[0]": 3, "z[1]": 4, "i": 4}
    assert sizes(r"\sum_{i=1}^n x_i") == ({"n": 3}, {"i": 3, "x[0]": 3})
    assert sizes(r"\sum_{i=1}^n x_i \sum_{j=1}^n y_j") == ({"n": 3}, {"i": 3, "x[0]": 3, "j": 3, "y[0]": 3})
    assert sizes(r"\sum_{i \neq j} x_i")[1] == {"i": 3, "j": 3, "x[0]": 3}
    assert sizes("1_{i = j} x_i")[1] == {"i": 3, "j": 3, "x[0]": 3}
    assert sizes("a b") == ({}, {})
    assert sizes("x_i y_j", choice=(4, 2, 5, 3))[1] == {"x[0]": 4, "i": 4, "y[0]": 2, "j": 2}


def test_sizes_of_formulas_are_those_of_what_they_are_made_of():
    assert sizes("u_k", given=[("u_i", "x_i + y_i")])[1] == {"u[0]": 3, "ui": 3, "x[0]": 3, "y[0]": 3, "k": 3}
    assert sizes("U", given=[("U", r"\gamma X + \beta"), ("v", "X_i + 1")])[1]["gamma[0]"] == 3
    assert "epsilon[0]" not in sizes("U", given=[("U", r"X + \epsilon"), ("v", "X_i + 1")])[1]


def test_sizes_that_contradict_each_other_or_are_too_many():
    with pytest.raises(NotEntries, match="two ends of one sum"):
        sizes(r"\sum_{i=1}^n x_i + \sum_{i=1}^m x_i")
    assert len(sizes("x_i y_j z_k w_l")[1]) == 8
    with pytest.raises(NotEntries, match="too many sizes"):
        sizes("x_i y_j z_k w_l v_m")


# -- doubts ----------------------------------------------------------------------------------------------------------
def doubts(check, left, right="1", given=(), *more):
    trees, used = (read_free(left), read_free(right)), formulas(*given)
    try:
        check(trees, plain_letters(*trees), used, *more)
    except NotEntries:
        return True
    return False


def test_a_derivative_beside_a_letter_whose_formula_is_not_known():
    slope = r"\frac{\partial u}{\partial x}"
    assert not doubts(check_opaque, slope, "p", (), ())
    assert doubts(check_opaque, slope, "p", (), ("p",))
    assert doubts(check_opaque, slope, "p_2", (), ("p",))  # whatever its marks
    assert not doubts(check_opaque, slope, "p", (), ("x",))  # by which it is taken
    assert not doubts(check_opaque, "u", "p", (), ("p",))  # no derivative
    assert doubts(check_opaque, r"\nabla_x", "p", (), ("p",))
    assert not doubts(check_opaque, r"\nabla_x", "2 q", (), ("p", "x"))
    assert doubts(check_opaque, slope, "h_2", [("h_1", "x + y")], ())  # h_1 has a formula, so h_2 has one too
    assert not doubts(check_opaque, slope, "h_1", [("h_1", "x + y")], ())
    assert doubts(check_opaque, slope, "1", [("v", "p + y")], ("p",))


def test_letters_that_may_be_matrices():
    def doubt(left, right, given=(), loss="", every=()):
        return doubts(check_numbers, left, right, given, loss, formulas(*given, *every))

    assert doubt("A B", "B A")
    assert doubt("a b", "b a")
    assert not doubt(r"\frac{1}{a} b", "b / a")
    assert doubt("x_i y_i", "y_i x_i")  # rows of two matrices, perhaps
    assert not doubt("x_i^2 y_i^2", "y_i^2 x_i^2")
    assert doubt("e^A", "1 + A")
    assert not doubt(r"\frac{1}{A}", "1")
    assert not doubt("a + b", "b + a")
    assert not doubt(r"\log a \cdot 2", "1")
    assert not doubt("a b", "b a", every=[("c", "a^2 + d")])  # a number and a matrix change places
    assert doubt("a b", "b a", every=[("c", "e^2 + d")])
    assert not doubt(
        "a b", "b a", every=[("c", "a^2 + b^2")]
    )  # what is squared in one formula is a number in the others
    assert not doubt(r"\sum_{i=1}^n n a^2", r"n \sum_{i=1}^n a^2")  # the end of a sum is a number
    assert not doubt(r"\sum_{i=1}^n n B", r"B \sum_{i=1}^n n")
    assert doubt(r"\sum_{i=1}^n m B", r"B \sum_{i=1}^n m")
    assert not doubt(r"\alpha \beta", r"\beta \alpha")


# -- names -----------------------------------------------------------------------------------------------------------
MARKED = [
    ("x^{(1)}_i", Entry("x^(1)", ("i",))), ("x^{(i)}", Entry("x^(i)")), ("x^*", Entry("x^*")), (r"x^{\text{new}}", Entry("x^new")), ("x^{(a + b)}", None), ("x^2", None), ("x_{i,j}", Entry("x", ("i", "j"))), ("x_{i,a}", Entry("x_,(i,a)")),
    ("x_{i_j}", Entry("x_i_{j}")), (r"\bar{x}", Entry("bar(x)")), (r"\mathbf{x}", entry_of(read_free(r"\mathbf{x}"), frozenset())), ("x_{2i}", Entry("x", ("2", "i"))), ("n_i", Entry("n_i")), ("d_i", Entry("d_i")),
    (r"\partial", None), (r"\sqrt{x}_i", None), ("(x)_i", None), ("x'_i", Entry("'(x)", ("i",))),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), MARKED)
def test_marks_and_indices_of_a_letter(text, expected):
    assert entry_of(read_free(text), frozenset()) == expected


def test_a_letter_without_its_marks():
    assert [without_marks(x) for x in ("x", "x_1", "x^(1)", "x^(1)_2", "x_1^2", "hat(x)_i")] == [
        "x",
        "x",
        "x",
        "x",
        "x",
        "hat(x)",
    ]


# -- what is said of an equation -------------------------------------------------------------------------------------
POWERS = [
    ("a^{b+c}", "a^b a^c", True), ("x^n", "n x", True), ("x^n", "n y", False), ("h^{l+1}", "f(h^l)", False), ("W^{(2)}", "W^{(1)} + G", False), ("a_i", "a_i", False), ("x^2", "2 x", False), ("x^n", "x^{n-1} x", False), ("x^{n}", "x + n", True), ("a", "a^b", False),
    ("h^{l+1}", "l h^l", True), ("a^{b c}", "a", True),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "expected"), POWERS)
def test_a_power_on_the_left_side_is_no_name(left, right, expected):
    assert _is_power(read_free(left), read_free(right)) is expected


def test_what_stands_outside_of_marks():
    assert {p.text for p in _outside_of_marks(read_free("x_i^n + y (z + w)")) if p.kind == "name"} == {
        "x",
        "y",
        "z",
        "w",
    }


@pytest.mark.parametrize(
    ("left", "expected"),
    [(r"\sigma^2(x)", True), (r"\dot{\sigma}(x)", True), (r"\Phi'(x)", True), (r"\sigma(x)", False), (r"\sigma^2", False), (r"\sigma_i(x)", False), (r"\tau^2(x)", False), ("x", False)],
)  # fmt: skip
def test_what_is_made_of_a_known_function(left, expected):
    assert _is_made_of_a_function(read_free(left)) is expected


def told(code="character", en="Not read: so.", ja="読めない。そう。"):
    return Equation("", 1, 1, "", "formula", "unparsed", Words(en, ja), code=code)


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [
        ("a", r"b \dots c", "dots leave out a part of it"), ("a", r"\lim_{n} b", "limits are not compared"), ("a", r"\int b", "integrals are not compared"), (r"\nabla_x", "b", "gradients inside of a formula are not compared"),
        ("a", r"\frac{\partial b}{\partial c}", "derivatives inside of a formula are not compared"), ("a", r"\{b\}", "sets are not compared"), ("a", "b + c", "there is no rule by which this could be compared"),
        (r"\int a", r"\lim_n b", "integrals are not compared"),
    ],
)  # fmt: skip
def test_the_reason_is_the_first_sign_that_is_not_compared(left, right, said):
    assert _reason(told(), (read_free(left), read_free(right))).en == said


def test_the_reason_of_the_reader_is_kept_where_it_is_one_of_meaning():
    sides = read_free("a"), read_free("b")
    assert _reason(told("unknown_name"), sides) == Words("so", "そう")
    assert _reason(told("unknown_function"), sides) == Words("so", "そう")


# -- what is kept ----------------------------------------------------------------------------------------------------
def kept(*given, forgotten=()):
    free = FreeEquations()
    for left, right in given:
        free._keep(read_free(left), read_free(right))
    for text in forgotten:
        free._forget(text)
    return sorted(free._formulas), sorted(free._opaque)


KEPT = [
    ([("u", "a + 1")], (), ["u"], []), ([("u", "a + 1"), ("v", "u + 1")], (), ["u", "v"], []), ([("u", "a + 1"), ("v", "u + 1"), ("u", "b + 1")], (), ["u"], ["v"]), ([("u", "a + 1"), ("v", "u + 1"), ("u", "a + 1")], (), ["u", "v"], []),
    ([("u", "a + 1"), ("v", "u + 1"), ("w", "v + 1"), ("u", "b + 1")], (), ["u"], ["v", "w"]), ([("u", "2")], (), [], ["u"]), ([("u", "2"), ("u", "a + 1")], (), ["u"], []), ([("u", "a + 1"), ("u", "2")], (), [], ["u"]), ([("x_2", "a + 1")], (), ["x_2"], ["x"]),
    ([("L(x, y)", "x + 2 y")], (), ["L"], []), ([("u", "a + 1"), ("v", "u + 1"), ("t", "b + 1")], ["u"], ["t"], ["u", "v"]), ([("u", "a + 1"), ("v", "b + 1")], ["("], [], [""]), ([("u", "a + 1")], ["2"], [], [""]),
]  # fmt: skip


@pytest.mark.parametrize(("given", "forgotten", "formulas_left", "opaque"), KEPT)
def test_a_formula_holds_until_its_letters_get_another(given, forgotten, formulas_left, opaque):
    assert kept(*given, forgotten=forgotten) == (formulas_left, opaque)
