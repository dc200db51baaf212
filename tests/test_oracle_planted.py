"""What the figures of the oracle must refuse: a changed digit, another convention that prints the same digits."""

import json
import math
from dataclasses import replace
from fractions import Fraction
from itertools import product

import oracle_reading
import pytest
import test_oracle_values
from oracle_reading import FOLDER, Document, assert_close, decimal_text, flat, of
from oracle_tables import TABLES, chapter_7, dot_products, gradients, layers, trees
from oracle_tables import article_numbers as article
from oracle_tables import chapter_5_numbers as chapter_5
from oracle_tables import chapter_6_numbers as chapter_6
from sympy import Rational

from symtransformer.errors import ShapeError
from symtransformer.models import BASE
from symtransformer.operations import (
    GELU,
    AddNorm,
    EncoderLayer,
    FeedForward,
    GELUTanh,
    Hadamard,
    Mask,
    Ones,
    Softmax,
)  # fmt: skip
from symtransformer.rendering.numbers import Style

TINY = Rational(1, 10**12)


def is_shown(figure, claim):
    """Whether the printed digits alone would accept it."""
    places = int(claim["shown_digits"])
    shown = figure.shown(Style(places=places, percent_places=places, zeros="trim"), claim.get("unit") == "percent")
    return [s.text.removesuffix("%") for s in shown] == [decimal_text(x) for x in flat(claim["expected"])]


def is_close(figure, item, backend="digits"):
    try:
        assert_close(figure.numbers(backend), flat(item["independently_computed"]))
    except AssertionError:
        return False
    return True


# -- a digit changed in a copy --------------------------------------------------------------------------
CHANGED = {  # file, id: a digit of the fifteen, and one of those printed
    ("explainer-ch4", "ch4.d.A10"): ("independently_computed", "0.58747900083961", "0.587479000839611"),
    ("explainer-ch5", "ch5.std2"): ("independently_computed", "1.07154699910387", "1.07154699910388"),
    ("explainer-ch5", "ch5.out"): ("expected", "0.845", "0.844"),
    ("explainer-ch6", "ch6.expsum.cat"): ("independently_computed", "3.45223400112845", "3.45223400112846"),
    ("explainer-ch6", "ch6.A"): ("expected", "0.2681", "0.2682"),
    ("explainer-ch7", "ch7.out.cat"): ("independently_computed", "0.634419358359655", "0.634419358359656"),
    ("explainer-ch8", "ch8.loss"): ("expected", "0.5899", "0.5898"),
    ("explainer-ch8", "ch8.d.dloss_dh"): ("independently_computed", "0.251847364529583", "0.251847364529584"),
    ("explainer-ch8", "ch8.d.dloss_dW"): ("independently_computed", "0.0203071443999213", "0.0203071443999214"),
    ("explainer-other", "other.d.sqrt512"): ("independently_computed", "22.6274169979695", "22.6274169979696"),
    ("geometry-ch9", "geo.dot.hakobi"): ("independently_computed", "0.66", "0.67"),
    ("attention-article", "art.gelu"): ("expected", "-0.16", "-0.15"),
}


@pytest.mark.parametrize(("key", "change"), CHANGED.items(), ids=[name for _, name in CHANGED])
def test_a_changed_digit_in_a_copy_is_refused(key, change, tmp_path, monkeypatch):
    (file, name), (field, digits, others) = key, change
    text = FOLDER.joinpath(f"{file}.json").read_text("utf-8")
    everything = json.loads(text)
    item = next(x for x in (*everything["claims"], *everything["derived"]) if x["id"] == name)
    written = json.dumps(item[field])
    assert digits in written
    item[field] = json.loads(written.replace(digits, others))
    tmp_path.joinpath(f"{file}.json").write_text(json.dumps(everything), encoding="utf-8")
    (table,) = (table for table in TABLES if table.document.name == file)
    judged = test_oracle_values.test_numbers_are_shown_as_printed
    arguments = () if field == "expected" else ("digits",)
    if arguments:
        judged = test_oracle_values.test_numbers_agree_in_all_digits
    judged(table, name, *arguments)
    monkeypatch.setattr(oracle_reading, "FOLDER", tmp_path)
    with pytest.raises(AssertionError):
        judged(replace(table, document=Document(file)), name, *arguments)


# -- conventions that the printed digits cannot tell apart -------------------------------------------------
def norms(eps):
    """The two normalizations of chapter 5 with another small number under the root."""
    five = chapter_5
    first = AddNorm(five.X, five.OUT, eps=eps)
    second = AddNorm(first, FeedForward(first, five.W_1, five.b_1, five.W_2, five.b_2), eps=eps)
    return {"ch5.norm1": of(first, five.VALUES, 0), "ch5.out": of(second, five.VALUES, 0)}


@pytest.mark.parametrize("name", ["ch5.norm1", "ch5.out"])
@pytest.mark.parametrize("eps", [0, TINY, Rational(1, 10**6)])
def test_another_eps_is_printed_alike_and_still_refused(name, eps):
    item = chapter_5.DOCUMENT.item(name)
    assert is_close(norms(Rational(1, 10**5))[name], item)
    assert is_shown(norms(eps)[name], item)
    assert not is_close(norms(eps)[name], item)


def test_another_eps_is_refused_in_a_whole_layer():
    seven = chapter_7
    other = EncoderLayer(
        seven.X,
        seven.W_Q,
        seven.W_K,
        seven.W_V,
        seven.W_O,
        seven.W_1,
        seven.b_1,
        seven.W_2,
        seven.b_2,
        heads=2,
        eps=TINY,
    )
    figure, item = replace(of(other, seven.VALUES), too_long_exactly=True), seven.DOCUMENT.item("ch7.out")
    assert is_shown(figure, item)
    assert not is_close(figure, item)


def test_the_tanh_form_of_gelu_is_printed_alike_and_still_refused():
    item = article.DOCUMENT.item("art.gelu")
    right, near = (of(operation(article.POINTS), {}, 0) for operation in (GELU, GELUTanh))
    assert is_shown(near, item)
    assert not is_close(near, item)
    assert is_shown(right, item)
    assert is_close(right, item)


def test_a_score_of_zero_instead_of_minus_infinity_is_refused():
    six = chapter_6
    item = six.DOCUMENT.item("ch6.softmax.cat")
    assert not is_close(six.number(Softmax(six.Hadamard(six.SCALED, six.ALLOWED)), six.CAT), item)
    assert is_close(six.number(Softmax(Mask(six.SCALED, six.CausalMask(3))), six.CAT), item)


def test_scores_that_are_not_scaled_are_refused():
    six = chapter_6
    assert not is_close(six.number(Softmax(six.DOTS), six.CAT), six.DOCUMENT.item("ch6.nomask.coef"))


# -- trees of the proof, of models and of values -------------------------------------------------------------
PLANTED_STEPS = {  # a step of the proof of the variance, and which check must not hold any more
    "S": ("stands_for", lambda right: 2 * right, dot_products.independent_terms),
    "V": ("expression", lambda right: right / 2, dot_products.independent_terms),
    "U": ("stands_for", lambda right: right / 3, dot_products.independent_terms),
    "T": ("stands_for", lambda right: right.args[0] / 2 @ right.args[1], dot_products.divided_terms),
    "N": ("stands_for", lambda right: 2 * right, dot_products.divided_terms),
    "M": ("expression", lambda right: right / 3, dot_products.terms_that_are_not_independent),
}


def holds(check):
    try:
        return check()
    except AssertionError:
        return False


@pytest.mark.parametrize("name", PLANTED_STEPS)
def test_a_wrong_step_of_the_variance_is_refused(name, monkeypatch):
    side, change, check = PLANTED_STEPS[name]
    assert holds(check)
    proof = dot_products.PROOF
    steps = [replace(s, **{side: change(getattr(s, side))}) if s.name == name else s for s in proof.steps]
    monkeypatch.setattr(dot_products, "PROOF", replace(proof, steps=tuple(steps)))
    assert not holds(check)


def test_sizes_are_those_of_the_tree():
    other = trees.sizes_of(replace(BASE, heads=4, d_k=0, d_v=0, layers=2, d_ff=100))
    assert (other.heads, other.d_k, other.layers, other.decoder_layers) == (4, 128, 2, 6)
    assert other.network == [512, 100, 512]


def test_values_of_another_shape_are_refused():
    five = chapter_5
    assert trees.shape_of(five.FFN, five.VALUES, "W_1") == [4, 6]
    with pytest.raises(ShapeError):
        trees.shape_of(five.FFN, {**five.VALUES, five.W_1: [row[:5] for row in five.GIVEN["W_1"]]}, "W_1")


def test_a_step_that_is_not_what_it_stands_for_is_not_read():
    layer = chapter_7.LAYER
    assert layers.reads(layer, "R_2", "N_1 + G")
    assert not layers.reads(layer, "R_2", "X + G")
    planted = [
        replace(s, expression=layer["O"].letter + layer["G"].letter) if s.name == "R_2" else s for s in layer.steps
    ]
    assert not layers.reads(replace(layer, steps=tuple(planted), values=()), "R_2", "O + G")


# -- gradients -----------------------------------------------------------------------------------------------
def judged(name):
    """One gradient of the oracle against the library, the oracle's numbers in a copy that can be changed."""
    wanted = gradients.DOCUMENT.derived[name]["independently_computed"]
    return gradients.LOSSES[name], {key: [list(row) for row in rows] for key, rows in wanted.items()}


@pytest.mark.parametrize("name", gradients.LOSSES)
def test_one_unit_of_the_last_digit_of_any_gradient_is_refused(name):
    """Each entry once: what is 0 becomes a little more."""
    loss, wanted = judged(name)
    assert gradients.agrees(*loss, wanted)
    changed = 0
    for key, rows in wanted.items():
        for i, j in product(range(2), repeat=2):
            right = rows[i][j]
            shift = Fraction(10) ** (math.floor(math.log10(abs(right))) - 14) if right else Fraction(1, 10**12)
            rows[i][j] = right + shift
            with pytest.raises(AssertionError):
                gradients.agrees(*loss, {key: rows})
            rows[i][j] = right
            changed += 1
    assert changed == 4 * len(gradients.NAMES)


WRONG_GRADIENTS = {  # a step of the way back, what is planted there, and a check that must not hold any more
    "scores not divided": ("dR", lambda d: d["dS"].letter * 1, "is_gradient_by_unscaled_scores"),
    "divided by d_k": ("dR", lambda d: d["dS"].letter / gradients.d_k, "everything_behind_the_score"),
    "diagonal of the Jacobian alone": (
        "dS",
        lambda d: Hadamard(Hadamard(d["A"].letter, d["dA"].letter), 1 * Ones(gradients.T, gradients.T) - d["A"].letter),
        "is_gradient_by_unscaled_scores",
    ),
    "keys and queries change places": ("dQ", lambda d: d["dR"].letter.T @ d["K"].letter, "sum_over_keys"),
    "a transpose is missing": ("dK", lambda d: d["dR"].letter @ d["Q"].letter, "sum_over_queries"),
    "a query gathers a column": ("dQ", lambda d: d["dR"].letter.T @ d["K"].letter, "query_gathers_its_row"),
    "a key gathers a row": ("dK", lambda d: d["dR"].letter @ d["Q"].letter, "key_gathers_its_column"),
    "the way back leaves out the weights": (
        "dS",
        lambda d: Hadamard(d["A"].letter, d["dZ"].letter @ d["V"].letter.T),
        "order_of_the_way_back",
    ),
}


@pytest.mark.parametrize("case", WRONG_GRADIENTS)
def test_a_planted_gradient_is_refused(case):
    name, planted, check = WRONG_GRADIENTS[case]
    asked = getattr(gradients, check)
    right = asked.__defaults__[0]
    assert holds(asked)
    other = planted(right)
    steps = [replace(s, expression=other, coarse=None) if s.name == name else s for s in right.steps]
    assert not holds(lambda: asked(replace(right, steps=tuple(steps))))
