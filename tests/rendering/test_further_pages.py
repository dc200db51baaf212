"""Training, two layers, alternatives: every printed number computed anew from the printed inputs, planted errors refused."""

import random
import re
import runpy
from dataclasses import replace
from decimal import Decimal
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from further_formulas import COMPUTED, as_arrays, contrast, cross_entropies, descended, given, mean_loss, smoothed
from mpmath import cos, log1p, mp, mpf, nint, pi, sqrt
from page_reading import chains, table, value
from plain_layers import layer

from symtransformer import matrix as letters
from symtransformer import render, verify
from symtransformer.operations import Hadamard, RecurrentStep, RowConcatenation, Scaling, Softmax

ROOT = Path(__file__).parents[2]
NAMES = ("training", "two_layers", "alternatives")
LANGUAGES = ("en", "ja")
HALF = Decimal("0.00005")


@cache
def content(name):
    return runpy.run_path(str(ROOT / "derivations" / f"{name}.py"))


@cache
def verified(name):
    return verify(content(name)["derivation"])


@cache
def page(name, language="en", form="txt"):
    return render(verified(name), form, language)


@pytest.fixture(autouse=True)
def fifty_digits():
    with mp.workdps(50):
        yield


def wrong_lines(name, text):
    """Names whose printed result is not the number computed here, to the digits shown; all have to be there."""
    expected = COMPUTED[name](text)
    wrong, read = [], set()
    for chain in chains(text):
        if chain.left not in expected or len(chain.rights) < 2 or chain.label or chain.left in read:
            continue
        read.add(chain.left)
        sign, last = chain.rights[-1]
        true = [[Decimal(mp.nstr(mpf(x), 30)) for x in row] for row in list(expected[chain.left])]
        room = HALF if sign == "≈" else Decimal("1e-12")
        shown = value(last)
        pairs = [(a, b) for pair in zip(shown, true, strict=True) for a, b in zip(*pair, strict=True)]
        if any(abs(a - b) > room * (1 + Decimal("1e-9")) for a, b in pairs):
            wrong.append(chain.left)
    assert read == set(expected)
    return wrong


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_every_result_is_the_number_computed_apart_from_the_printed_inputs(name, language):
    assert wrong_lines(name, page(name, language)) == []


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("training", "= [[2.5, 0, 5]]", "= [[2, 0, 4]]"),  # the factor 1/(1 - p) forgotten
        ("training", "= [[1.6, -0.8, 3.2]]", "= [[2, -1, 4]]"),
        ("training", "= [[0.925, 0.025, 0.025, 0.025]]", "= [[0.9, 0.025, 0.025, 0.025]]"),
        ("training", "≈ 0.4852", "≈ 0.4853"),
        ("training", "≈ [[-0.1489, 0.6181, -0.4692]", "≈ [[-0.1489, 0.6181, 0.4692]"),
        ("training", "/ 2 ≈ 0.8876", "/ 2 ≈ 0.8875"),
        ("training", "D = [[1, 0, 1]]", "D = [[1, 1, 1]]"),
        ("training", "Y_near = [[1, 0, 0, 0]]", "Y_near = [[0, 0, 1, 0]]"),
        ("two_layers", "≈ [[0.6161, 0.3839], [0.6327, 0.3673]]", "≈ [[0.6161, 0.3839], [0.6326, 0.3674]]"),
        ("two_layers", "enc2.W_O = [[0, 1, 0, 1]", "enc2.W_O = [[0, 1, 0, 2]"),
        ("alternatives", "[[1, 1, 1, 0, 0], [1, 1, 1, 0, 0], [1, 1, 1, 0, 0], [1, 1, 1, 0, 0], [1, 1, 1, 0, 0]]",
         "[[1, 1, 1, 1, 0], [1, 1, 1, 0, 0], [1, 1, 1, 0, 0], [1, 1, 1, 0, 0], [1, 1, 1, 0, 0]]"),
        ("alternatives", "≈ [[-0.3759, 0.3634]]", "≈ [[-0.3759, 0.3635]]"),
        ("alternatives", "v_a = [[2], [-1]]", "v_a = [[2], [1]]"),
    ],
)  # fmt: skip
def test_a_number_changed_on_a_page_is_found(name, right, wrong):
    text = page(name)
    assert right in text
    assert wrong_lines(name, text.replace(right, wrong))


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_show_the_same_mathematics(name):
    english, japanese = (chains(page(name, language)) for language in LANGUAGES)
    assert len(english) == len(japanese) > 30
    for a, b in zip(english, japanese, strict=True):
        assert (a.rights, a.rounded) == (b.rights, b.rounded)
        assert a.left in (b.left, "difference")
    for language in LANGUAGES:
        text = page(name, language)
        assert "!!" not in text
        assert not re.search(r"\{[^}]*\}", text)  # no letter in words is left open


# -- tables -----------------------------------------------------------------------------------------------------
def cells(caption, name="training"):
    return [[Decimal(cell.strip("%")) for cell in row] for row in table(page(name), caption)[1]]


def near(shown, true, places=4):
    return abs(shown - Decimal(mp.nstr(true, 30))) <= Decimal(5).scaleb(-places - 1)


def test_smoothing_at_every_share():
    g = given(page("training"))
    rows = cells("Values as epsilon changes")
    assert [row[0] for row in rows] == [Decimal(x) for x in ("0", "0.05", "0.1", "0.2", "0.5")]
    for share, *shown in rows:
        targets = [g["Y_S"][0], *smoothed(g["Y_S"][0], mpf(str(share)))]
        assert all(near(a, cross_entropies(g["S"], [t])[0]) for a, t in zip(shown, targets, strict=True))
    assert len(set(rows[0][1:])) == 1


def test_steps_of_every_length_and_one_that_is_too_long():
    g = given(page("training"))
    rows = cells("Values as eta changes")
    for eta, before, after, promised in rows:
        _, _, loss, foreseen = descended(g, mpf(str(eta)))
        assert near(before, mean_loss(g, g["W"]))
        assert near(after, loss)
        assert near(promised, foreseen)
    assert [after < before for _, before, after, _ in rows] == [False, True, True, True, True, False]
    assert rows[-1][2] > rows[-1][1]


def test_contrast_at_every_temperature():
    g = given(page("training"))
    for tau, *shown in cells("Values as tau changes"):
        _, shares, right, wrong = contrast(g, mpf(str(tau)))
        assert all(near(a / 100, p, 3) for a, p in zip(shown[:4], shares, strict=True))
        assert near(shown[4], right)
        assert near(shown[5], wrong)


def test_masks_are_all_there_and_their_mean_is_the_row():
    _, rows = table(page("training"), "The eight masks, and what each adds to the mean")
    numbers = [[Decimal(x) for x in row[-4:]] for row in rows]
    marks = [tuple(map(int, row[:3])) for row in rows[:-1]]
    assert marks == list(product((1, 0), repeat=3))
    fifth = Decimal("0.2")
    for mask, (chance, *parts) in zip(marks, numbers[:-1], strict=True):
        assert chance == fifth ** mask.count(0) * (1 - fifth) ** mask.count(1)
        assert parts == [chance * m * x / (1 - fifth) for m, x in zip(mask, (2, -1, 4), strict=True)]
    assert [sum(column) for column in zip(*numbers[:-1], strict=True)] == numbers[-1] == [1, 2, -1, 4]


def test_initial_values_are_those_of_the_seed():
    draw = random.Random(2).random
    radius, angle = ([mpf(draw()) for _ in range(20)] for _ in range(2))
    normal = [int(nint(20000 * sqrt(-2 * log1p(-r)) * cos(2 * pi * a))) for r, a in zip(radius, angle, strict=True)]
    g = given(page("training"))
    assert [int(nint(x * 10**6)) for row in g["W_vocab"] for x in row] == normal
    assert g["gamma"] == [[1]] * 4
    assert g["beta"] == [[0]] * 4
    assert g["b_vocab"] == [[0]] * 5


def test_layers_share_nothing_and_have_the_sizes_counted():
    weights = {name: rows for name, rows in given(page("two_layers")).items() if "." in name}
    assert len(weights) == 12
    counted = [int(x) for row in table(page("two_layers"), "Learned numbers of each layer")[1] for x in row[-2:]]
    per_layer = [sum(len(w) * len(w[0]) for n, w in weights.items() if n.startswith(k)) for k in ("enc1", "enc2")]
    assert counted[-2:] == per_layer == [sum(counted[:-2:2]), sum(counted[1:-2:2])]
    assert f"{per_layer[0]} + {per_layer[1]} − 0 = {sum(per_layer)}" in page("two_layers")
    derivation = content("two_layers")["derivation"]
    used = [{str(x) for x in derivation.expanded(f"enc{k}.H").free_symbols if "." in str(x)} for k in (1, 2)]
    assert used[0] == {name for name in weights if name.startswith("enc1")}
    assert used[1] == {*weights}


def test_another_set_of_weights_gives_another_output():
    text = page("two_layers")
    g = given(text)
    swapped = {n: g["enc1" + n[4:]] if n.startswith("enc2") else rows for n, rows in g.items()}
    arrays = as_arrays(swapped)
    rows = arrays["X"]
    for k in (1, 2):
        weights = {n[5:]: w for n, w in arrays.items() if n.startswith(f"enc{k}")}
        rows = layer(rows, {n: w[None] if n in ("W_Q", "W_K", "W_V") else w for n, w in weights.items()})
    (line,) = [chain for chain in chains(text) if chain.label == "weights of layer 1"]
    assert np.array(value(line.terms[-1]), float) == pytest.approx(rows, abs=6e-5)


# -- lengths of ways ----------------------------------------------------------------------------------------------
def test_ways_grow_with_the_text_in_a_recurrent_network_only():
    _, rows = table(page("alternatives"), "From the first token to the last result")
    assert [tuple(map(int, row)) for row in rows] == [(n, n - 1, 1) for n in (2, 4, 10, 100)]


def test_ways_are_counted_in_the_tree_that_is_there():
    joined = content("alternatives")["joined"]
    a, b, c, d = tokens = [letters(f"x_{k}", 1, 2) for k in range(1, 5)]
    h, W = letters("h", 1, 2), letters("W", 2, 2)

    def step(state, token):
        return RecurrentStep(state, token, W, W)

    def mixed(*rows):
        return Softmax(rows[-1] @ RowConcatenation(*rows).T) @ RowConcatenation(*rows)

    chain = step(step(step(step(h, a), b), c), d)
    assert joined(chain, a, {*tokens}) == 3
    assert joined(chain, c, {*tokens}) == 2  # what came before joins once, what comes after once
    assert joined(chain + a, a, {*tokens}) == 1  # a shortcut
    assert joined(mixed(*tokens), a, {*tokens}) == 1
    assert joined(mixed(mixed(a, b), mixed(c, d)), a, {*tokens}) == 2  # pairs first
    with pytest.raises(KeyError):
        joined(step(step(h, b), c), a, {*tokens})


def test_cells_of_the_masks():
    _, rows = table(page("alternatives"), "Cells of the four connection matrices")
    causal, padding = np.tril(np.ones((5, 5))), np.array([1, 1, 1, 0, 0])
    masks = (np.ones((5, 5)), causal, causal * 0 + padding, causal * padding)
    assert [tuple(map(int, row[-2:])) for row in rows] == [(int(m.sum()), 25 - int(m.sum())) for m in masks]


# -- planted errors -----------------------------------------------------------------------------------------------
def planted(name, step, wrong):
    """The verdict on a step with another right side, made from the letters of the page."""
    derivation = content(name)["derivation"]
    known = {str(letter): letter for letter in derivation.inputs} | {s.name: s.letter for s in derivation.steps}
    steps = []
    for s in derivation.steps:
        if s.name == step:
            steps.append(replace(s, expression=wrong(s.expression, known), coarse=None))
            break  # what comes after it has no part in its verdict
        steps.append(s)
    given = set().union(*(s.stands_for._mentions for s in steps))
    values = tuple((key, value) for key, value in derivation.values if key in given)
    shown = replace(derivation, steps=tuple(steps), values=values, sections=(), labels=(), follow=None)
    return verify(shown).verdicts[step].kind


PLANTED = [
    ("training", "Y_D", lambda right, at: Hadamard(at["X"], at["D"])),
    ("training", "E", lambda right, at: right.args[0] @ at["B"]),
    ("training", "E", lambda right, at: Scaling(right, 1001, 1000)),
    ("training", "E_B", lambda right, at: right.args[0] @ at["Y_all"]),
    ("training", "sigma", lambda right, at: Scaling(right, 999, 1000)),
    ("training", "T_others", lambda right, at: at["T_all"] + at["T_one"] - at["T_one"]),
    ("training", "G", lambda right, at: -right),
    ("training", "W_new", lambda right, at: at["W"] + (at["W"] - right)),
    ("training", "L_tau", lambda right, at: right / 2),
    ("training", "J_near", lambda right, at: right.xreplace({at["Y_near"]: at["Y_far"]})),
    ("two_layers", "enc2.Q", lambda right, at: at["X"] @ at["enc2.W_Q"]),
    ("two_layers", "enc2.K", lambda right, at: at["enc1.H"] @ at["enc1.W_K"]),
    ("two_layers", "enc2.R_1", lambda right, at: at["X"] + at["enc2.O"]),
    ("two_layers", "enc1.R_2", lambda right, at: at["X"] + at["enc1.G"]),
    ("two_layers", "enc2.H", lambda right, at: at["enc2.N_1"]),
    ("alternatives", "F_2", lambda right, at: at["F_1"] * 1 + at["F_1"] - at["F_1"]),
    ("alternatives", "Z", lambda right, at: Scaling(right, 1001, 1000)),
    ("alternatives", "T_3", lambda right, at: right.xreplace({at["T_2"]: at["T_1"]})),
    ("alternatives", "E_cp", lambda right, at: right.xreplace({at["M_cp"]: at["M_c"]})),
    ("alternatives", "N_h", lambda right, at: right.xreplace({at["Delta_h"]: at["h"]})),
    ("alternatives", "G_h", lambda right, at: right.xreplace({at["h"]: at["Delta_h"]})),
    ("alternatives", "H_pre", lambda right, at: right.xreplace({at["N_h"]: at["h"]})),
]


def test_the_pages_are_proved():
    for name in NAMES:
        assert {v.kind for v in verified(name).verdicts.values()} == {"proved"}


@pytest.mark.parametrize(("name", "step", "wrong"), PLANTED)
def test_a_planted_error_is_refuted(name, step, wrong):
    assert planted(name, step, wrong) == "refuted"
