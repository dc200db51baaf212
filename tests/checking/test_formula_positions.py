r"""Sines and cosines of positions, and sizes beside matrices: what is the same, where the first difference is, what is no such claim."""

import pytest
from flint import arb
from sympy import Pow, Rational, cos, exp, log, sin, sqrt, tanh

from symtransformer.checking.formula_document import Document
from symtransformer.checking.formula_names import Names
from symtransformer.checking.formula_positions import POINTS, _ball, _NoNumber, judge_positions
from symtransformer.checking.formula_sizes import judge_sizes
from symtransformer.checking.formulas import judge_formula
from symtransformer.enclosures import precision

SINE, COSINE = "sin(pos/10000^{2i/d})", "cos(pos/10000^{2i/d})"


def judged(call, right, given=()):
    document = Document(Names(), {})
    for name, text in given:
        document.add(name, text)
    return judge_positions(document, document.read(call), document.read(right))


SAME = [
    ("PE(pos, 2i)", SINE, "proved"), ("PE(pos, 2i+1)", COSINE, "proved"), ("PE(pos, 1 + 2i)", COSINE, "proved"), ("PE(p, 2k)", "sin(p/10000^{2k/D})", "proved"),
    ("PE(pos, 2i)", "sin(pos * 10000^{-2i/d})", "proved"), ("PE(pos, 2i)", f"{SINE} + 2^64 - 2^64", "proved"),
    ("PE(pos, 2i)", "-sin(-pos/10000^{2i/d})", "proved"), ("PE(pos, 2i)", "sin(pos/100^{4i/d})", "tested"), ("PE(pos, 2i)", "sin(pos/100^{2i/d}/100^{2i/d})", "tested"),
    ("PE(pos, 2i)", "sin(pos exp(-2i/d * log(10000)))", "tested"), ("PE(pos, 2i)", f"{SINE} (sin(i)^2 + cos(i)^2)", "tested"),
    ("PE(pos, 2i)", "sin(pos/sqrt(10000)^{4i/d})", "tested"), ("PE(pos, 2i)", f"{SINE} + 0.5 - 1/2", "proved"), ("PE(pos, 2i)", "sin(sqrt(pos^2)/10000^{2i/d})", "proved"), ("PE(pos, 2i)", f"(-1)^{{2i}} {SINE}", "proved"), ("PE(pos, 2i)", f"{SINE} / 1 + 0 * pos", "proved"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "right", "kind"), SAME)
def test_the_same_entry_in_other_words(call, right, kind):
    found = judged(call, right)
    assert (found.kind, found.counterexample, found.right) == (kind, None, "")
    assert found.against.en == "judged against the library's sinusoidal positional encoding"


DIFFERENT = [
    ("PE(pos, 2i)", COSINE, "pos = 0, i = 0, d = 6"), ("PE(pos, 2i)", "sin(pos/10000^{i/d})", "pos = 1, i = 1, d = 6"), ("PE(pos, 2i)", "sin(pos/10000^{2i/6})", "pos = 1, i = 1, d = 8"),
    ("PE(pos, 2i)", f"{SINE} + i * (i - 1)", "pos = 0, i = 2, d = 6"), ("PE(pos, 2i)", f"{SINE} + (d - 6)", "pos = 0, i = 0, d = 8"),
    ("PE(pos, 2i)", f"{SINE} + pos * (pos - 1) * (pos - 2)", "pos = 5, i = 0, d = 6"), ("PE(pos, 2i)", f"{SINE} + pos * (pos - 1)", "pos = 2, i = 0, d = 6"),
    ("PE(p, 2k)", "sin(p/1000^{2k/n})", "p = 1, k = 1, n = 6"), ("PE(pos, 2i+1)", SINE, "pos = 0, i = 0, d = 6"), ("PE(pos, 2i)", "2 " + SINE, "pos = 1, i = 0, d = 6"),
    ("PE(pos, 2i)", f"{SINE} + 0.000001", "pos = 0, i = 0, d = 6"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "right", "at"), DIFFERENT)
def test_the_first_place_at_which_it_differs_and_what_is_right(call, right, at):
    found = judged(call, right)
    assert (found.kind, found.counterexample) == ("refuted", at)
    assert found.words.en == f"The two sides differ for {at}."
    position, pair, size = (part.partition(" = ")[0] for part in at.split(", "))
    assert found.right == f"{'cos' if '+1' in call else 'sin'}({position}/10000^(2{pair}/{size}))"


NO_SUCH = [
    ("PE(pos, 2i+2)", SINE), ("PE(pos, i)", SINE), ("PE(pos, 2i-1)", COSINE), ("PE(pos)", SINE), ("PE(pos, 2i, 3)", SINE), ("PE(2, 2i)", "sin(2)"), ("PE(pos, 2)", "sin(pos)"),
    ("PE(pos, 2 i k)", SINE), ("QPE(pos, 2i)", SINE), ("PE(pos, 2i)", "a b"), ("PE(pos, 2i)", "tanh(pos)"), ("PE(pos, 2i)", "sin(pos_i)"), ("PE(pos, 2i)", "sin(pos, i)"),
    ("PE(pos, 2i)", f"{SINE} * 0 / 0"), ("PE(pos, 2i)", f"{SINE} + 1/pos"), ("PE(pos, 2i)", f"{SINE} + log(pos)"), ("PE(pos, 2i)", f"{SINE} + 2^65 - 2^65"),
    ("PE(pos, 2i)", "sin(omega pos)"), ("PE(pos, 2i)", f"{SINE} + d_k - d_k"),
    ("PE(pos, 2i)", "sin(pos/b^{2i/6})"),
    ("PE(pos, 2i)", f"{SINE} + (1/2)^(-65)"), ("PE(pos, 2i)", "sin(pos, base=2)"), ("PE(pos, 2i)", f"Σ_k {SINE}"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "right"), NO_SUCH)
def test_what_is_no_formula_of_an_entry_is_left_to_others(call, right):
    assert judged(call, right) is None


W, V = ("w", "1/v"), ("v", "10000^{2i/d}")
GIVEN = [  # what is given before, and its wrong twin
    ("sin(pos w)", [("w", "1/10000^{2i/d}")], [("w", "1/1000^{2i/d}")]), ("sin(w pos)", [V, W], [("v", "10000^{i/d}"), W]), ("sin(pos w)", [W, V], [W, ("v", "100^{2i/d}")]),
    ("f(pos/10000^{2i/d})", [("f(x)", "sin(x)")], [("f(x)", "cos(x)")]),
]  # fmt: skip


@pytest.mark.parametrize(("right", "given", "wrong"), GIVEN)
def test_formulas_given_before_are_put_in(right, given, wrong):
    assert judged("PE(pos, 2i)", right, given).kind == "proved"
    assert judged("PE(pos, 2i)", right, wrong).kind == "refuted"
    assert judge_formula("PE(pos, 2i)", right, given).kind == "proved"
    assert judge_formula("PE(pos, 2i)", right, wrong).kind == "refuted"


@pytest.mark.parametrize("given", [[("w_i", "1/10000^{2i/d}")], [("w^2", "1/10000^{4i/d}")], [("w", "w + 1")]])
def test_formulas_of_another_form_are_not(given):
    assert judged("PE(pos, 2i)", "sin(pos w)", given) is None


def test_points_are_inside_of_the_table():
    assert all(2 * pair + 1 < columns for _, pair, columns in POINTS)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (Rational(3, 4), "0.75"), (sin(2), "0.909297426825681695396019866"), (cos(2), "-0.416146836547142386997568229"), (exp(sqrt(2)), "4.11325037878292751717358180"),
        (log(3), "1.09861228866810969139524523692"), (sqrt(2), "1.41421356237309504880168872"), (sqrt(2) + sqrt(3) + 1, "4.14626436994197234232913506"),
        (sqrt(2) * sin(1) * 2, "2.38003935811754372508499844537"), (Pow(3, sqrt(2)), "4.72880438783741494789428"), (sin(sqrt(2) + 1), "0.664914312686701041285039929307"),
    ],
)  # fmt: skip
def test_a_closed_number_by_balls(number, expected):
    with precision(128):
        ball = _ball(number)
        assert abs(ball.mid() - arb(expected)) < arb(10) ** -(len(expected) - 3)
        assert ball.rad() < 1e-30


def test_what_is_no_closed_number_has_no_ball():
    with pytest.raises(_NoNumber):
        _ball(tanh(sqrt(2)))


# -- sizes -----------------------------------------------------------------------------------------------------------
FIT = [
    ("[n, d_k] @ [d_k, m]", "[n, m]"), ("Q(n, d) @ K(d, m)", "S(n, m)"), ("[n, d] × [d, m]", "[n, m]"), ("[n, d] * [d, m]", "[n, m]"), ("[n, 64] @ [64, m]", "[n, m]"),
    ("[n, m]", "[n, d_k] @ [d_k, m]"), ("[n, a] @ [a, b] @ [b, m]", "[n, m]"), ("[n, d] @ [d, m]", "[n, k] @ [k, m]"), ("Q[n, d] @ W[d, d]", "Q[n, d]"), (" [ n , d ] @ [ d , m ] ", " [ n , m ] "),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right"), FIT)
def test_sizes_that_fit(left, right):
    assert judge_sizes(left, right).kind == "proved"
    assert judge_sizes(right, left).kind == "proved"
    assert judge_formula(left, right).kind == "proved"


UNFIT = [
    ("[n, d_k] @ [d_v, m]", "[n, m]", "d_k and d_v"), ("[n, d] @ [d, m]", "[n, d]", "m and d"), ("[n, d] @ [d, m]", "[m, n]", "n and m"), ("[n, d] @ [d, m]", "[k, m]", "n and k"),
    ("[n, 64] @ [32, m]", "[n, m]", "64 and 32"), ("[n, m]", "[n, d] @ [e, m]", "d and e"), ("[n, a] @ [a, b] @ [c, m]", "[n, m]", "b and c"),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "sizes"), UNFIT)
def test_sizes_that_do_not_fit_are_named(left, right, sizes):
    found = judge_sizes(left, right)
    assert (found.kind, found.words.en) == ("shapes", f"The sizes do not fit: {sizes} must be equal.")
    assert found.words.ja == f"大きさが合わない：{sizes.replace(' and ', ' と ')} は等しくなければならない。"
    assert found.against.en == "judged by the sizes that are written"


NO_SIZES = [
    ("[n, m]", "[n, m]"), ("[2, 3] @ [3, 4]", "[2, 4]"), ("[n, d] @ x", "[n, m]"), ("[n, d] @ [d, m]", "S"), ("A @ B", "C"), ("[n, d, k] @ [k, m]", "[n, m]"), ("", ""), ("[1, 2] * [3, 4]", "11"),
    ("[n, d] + [d, m]", "[n, m]"), ("[n, 1234567] @ [1234567, m]", "[n, m]"),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right"), NO_SIZES)
def test_what_is_no_product_of_sizes(left, right):
    assert judge_sizes(left, right) is None
