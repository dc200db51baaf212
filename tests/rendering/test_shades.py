"""Heat maps and tables whose numbers lie near a border, are infinite, or were rounded on the way."""

from __future__ import annotations

import pytest
from sympy import Rational, oo

from symtransformer import Section, Style, Words, derive, dimension, matrix, render, verify
from symtransformer.errors import UnreadableInput
from symtransformer.operations import Hadamard, Mask, ReLU, ScaledDotProductAttention, Softmax

n, m = dimension("n"), dimension("m")
X, M = matrix("X", n, m), matrix("M", n, m)


def page(step, values, style=None, **section):
    part = Section(Words("A map", "図"), steps=("R",), **section)
    return render(verify(derive({"R": step}, values=values, sections=[part])), style=style)


@pytest.mark.parametrize(
    ("number", "shade"),
    [("0.2499", "░"), ("0.25", "▒"), ("0.4999", "▒"), ("0.5", "▓"), ("0.7499", "▓"), ("0.75", "█"), ("1", "█")],
)
def test_a_shade_is_that_of_the_quarter_that_the_number_lies_in(number, shade):
    shown = page(ReLU(X), {X: [[Rational(number), 0]]}, heat=("R",))
    assert f"{number} {shade}" in shown


def test_a_map_with_hidden_places_does_not_say_that_only_zeros_are_white():
    hidden = page(Mask(X, M), {X: [[0.5, 0.25]], M: [[0, -oo]]}, heat=("R",))
    legend = hidden[hidden.rindex("-∞") :]
    assert "shade" in legend.lower() or "dark" in legend.lower()
    assert "exactly 0" not in legend


def test_what_an_activation_keeps_is_decided_on_unrounded_numbers():
    shown = page(ReLU(X), {X: [[Rational(1, 1000), -1]]}, Style(round_steps=1), kept=("R",))
    row = next(line for line in shown.splitlines() if "r_1 " in line or "r_11" in line)
    assert "kept" in row
    assert "set to 0" not in row


def test_a_formula_behind_a_step_is_not_filled_in_where_steps_between_are_rounded():
    Q, K, V = (matrix(name, 2, 2) for name in "QKV")
    part = Section(Words("At once", "まとめて"), behind=(("Z", ()),))
    attention = derive(
        ScaledDotProductAttention(Q, K, V),
        values={Q: [[0, 1], [1, 0]], K: [[1, 0], [0.5, 1]], V: [[2, 0], [0, 4]]},
        sections=[part],
    )
    line = render(verify(attention), style=Style(round_steps=1)).split("Z = ")[1]
    assert "softmax([[" not in line.replace("\n", "")


def test_long_masked_rows_are_shown_with_their_infinities():
    size = 12
    scores = [[Rational(3 * i + 5 * j + 1, 7 + i + j) for j in range(size)] for i in range(size)]
    mask = [[0 if j <= i else -oo for j in range(size)] for i in range(size)]
    S, B = matrix("S", size, size), matrix("B", size, size)
    step = Mask(Softmax(S), B)
    shown = render(verify(derive(step, values={S: scores, B: mask})), detail="results")
    assert "-∞" in shown


def test_in_a_chain_of_rounded_steps_what_the_chain_keeps_is_kept():
    P, C = matrix("P", 1, 1), matrix("C", 1, 1)
    H = Hadamard(P, P)
    G = 10 * H - C
    part = Section(Words("A map", "図"), steps=("Z",), kept=("Z",))
    steps = derive(
        {"H": H, "G": G, "Z": ReLU(G)}, values={P: [[Rational(1, 2)]], C: [[Rational(14, 5)]]}, sections=[part]
    )
    row = next(
        line
        for line in render(verify(steps), style=Style(round_steps=1)).splitlines()
        if "z_1 " in line and "0.2" in line
    )
    assert row.split()[-1] == "kept"


def test_a_map_without_a_finite_number_is_refused():
    with pytest.raises(UnreadableInput, match="no finite number"):
        page(Mask(X, M), {X: [[0.5, 0.25]], M: [[-oo, -oo]]}, heat=("R",))
