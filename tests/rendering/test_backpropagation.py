"""Backpropagation by hand: every printed number computed anew from the printed inputs, gradients by moving what they are by."""

import re
import runpy
from dataclasses import replace
from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest
from further_formulas import given, product_of, softmax, transposed
from mpmath import log, mp, mpf, sqrt
from page_reading import chains, table, value

from symtransformer import evaluate, render, verify
from symtransformer.errors import Refuted, ShapeError
from symtransformer.operations import Hadamard, Scaling, Transpose

ROOT = Path(__file__).parents[2]
HALF, STEP, EPS = Decimal("0.00005"), mpf(10) ** -20, mpf(1) / 100_000
LANGUAGES, PAGES = ("en", "ja"), ("backpropagation_head", "backpropagation_layer")
RATE = mpf(1) / 10


@cache
def content(name):
    return runpy.run_path(str(ROOT / "derivations" / f"{name}.py"))


@cache
def verified(name):
    return verify(content(name)["derivation"])


@cache
def page(name, language="en", form="txt", detail="steps"):
    return render(verified(name), form, language, detail=detail)


@pytest.fixture(autouse=True)
def sixty_digits():
    with mp.workdps(60):
        yield


# -- both passes in plain numbers; nothing of the library is used ------------------------------------------------
def total(*matrices):
    return [[sum(parts) for parts in zip(*rows, strict=True)] for rows in zip(*matrices, strict=True)]


def times(factor, rows):
    return [[factor * x for x in row] for row in rows]


def normalized(rows):
    means = [sum(row) / len(row) for row in rows]
    spread = [sqrt(sum((x - m) ** 2 for x in row) / len(row) + EPS) for row, m in zip(rows, means, strict=True)]
    return [[(x - m) / s for x in row] for row, m, s in zip(rows, means, spread, strict=True)]


def affine(rows, weight, bias):
    return [[x + b for x, b in zip(row, transposed(bias)[0], strict=True)] for row in product_of(rows, weight)]


def scores(q, k):
    return times(1 / sqrt(mpf(2)), product_of(q, transposed(k)))


HEAD = {
    "Q": lambda v: product_of(v["X"], v["W_Q"]),
    "K": lambda v: product_of(v["X"], v["W_K"]),
    "V": lambda v: product_of(v["X"], v["W_V"]),
    "R": lambda v: product_of(v["Q"], transposed(v["K"])),
    "S": lambda v: times(1 / sqrt(mpf(2)), v["R"]),
    "A": lambda v: softmax(v["S"]),
    "Z": lambda v: product_of(v["A"], v["V"]),
    "D": lambda v: total(v["Z"], times(-1, v["Y"])),
    "J_row": lambda v: [[sum(x * x for x in row) / 2] for row in v["D"]],
    "L": lambda v: [[sum(row[0] for row in v["J_row"])]],
}


def of_head(k):
    return {
        f"Q_{k}": lambda v: product_of(v["X"], v[f"W_Q^({k})"]),
        f"K_{k}": lambda v: product_of(v["X"], v[f"W_K^({k})"]),
        f"V_{k}": lambda v: product_of(v["X"], v[f"W_V^({k})"]),
        f"S_{k}": lambda v: scores(v[f"Q_{k}"], v[f"K_{k}"]),
        f"A_{k}": lambda v: softmax(v[f"S_{k}"]),
        f"Z_{k}": lambda v: product_of(v[f"A_{k}"], v[f"V_{k}"]),
    }


LAYER = {
    **of_head(1),
    **of_head(2),
    "Z": lambda v: [a + b for a, b in zip(v["Z_1"], v["Z_2"], strict=True)],
    "O": lambda v: product_of(v["Z"], v["W_O"]),
    "R_A": lambda v: total(v["X"], v["O"]),
    "H": lambda v: normalized(v["R_A"]),
    "P": lambda v: affine(v["H"], v["W_1"], v["b_1"]),
    "F": lambda v: [[max(x, mpf(0)) for x in row] for row in v["P"]],
    "G": lambda v: affine(v["F"], v["W_2"], v["b_2"]),
    "R_F": lambda v: total(v["H"], v["G"]),
    "X_next": lambda v: normalized(v["R_F"]),
    "C": lambda v: product_of(v["X_next"], v["W_C"]),
    "Lambda": lambda v: [[log(x) for x in row] for row in softmax(v["C"])],
    "J_row": lambda v: [
        [-sum(y * x for y, x in zip(*rows, strict=True))] for rows in zip(v["Y"], v["Lambda"], strict=True)
    ],
    "L": lambda v: [[sum(row[0] for row in v["J_row"]) / 2]],
}
GRAPHS = dict(zip(PAGES, (HEAD, LAYER), strict=True))


def forward(graph, inputs, name="", place=(0, 0), by=0):
    """Every step in order; one entry of one matrix, given or made, moved by a little."""

    def moved(rows):
        return [[x + by * ((i, j) == place) for j, x in enumerate(row)] for i, row in enumerate(rows)]

    values = {key: moved(rows) if key == name else rows for key, rows in inputs.items()}
    for key, made in graph.items():
        values[key] = moved(made(values)) if key == name else made(values)
    return values


def slopes(graph, inputs, name):
    """The gradient by a matrix, given or made: each entry a little larger and smaller, everything behind it anew."""

    def slope(i, j):
        up, down = (forward(graph, inputs, name, (i, j), by)["L"][0][0] for by in (STEP, -STEP))
        return (up - down) / (2 * STEP)

    rows = forward(graph, inputs)[name]
    return [[slope(i, j) for j in range(len(rows[0]))] for i in range(len(rows))]


def weights_of(inputs):
    return [name for name in inputs if name[0] in "Wb"]


def shown_as(name):
    """W_Q1 for W_Q^(1)."""
    return re.sub(r"\^\((\d)\)", r"\1", name)


def normalized_back(first, back, mark, before, after, spread):
    """The means and the spread on the way back through a normalization."""
    rows = first[before]
    means = [sum(row) / len(row) for row in rows]
    return {
        f"mu_{mark}": [[sum(row) / len(row)] for row in back[after]],
        f"nu_{mark}": [
            [sum(x * y for x, y in zip(*pair, strict=True)) / len(pair[0])]
            for pair in zip(back[after], first[after], strict=True)
        ],
        spread: [[sqrt(sum((x - m) ** 2 for x in row) / len(row) + EPS)] for row, m in zip(rows, means, strict=True)],
    }


@cache
def computed(name, text):
    """Every number of a page that is no input, by its name there."""
    graph, inputs = GRAPHS[name], {k: v for k, v in given(text).items() if k not in ("M",)}
    first = forward(graph, inputs)
    back = {key: slopes(graph, inputs, key) for key in (*graph, *weights_of(inputs)) if key != "L"}
    if name.endswith("layer"):
        back["X"] = slopes(graph, inputs, "X")
    new = {w: total(inputs[w], times(-RATE, back[w])) for w in weights_of(inputs)}
    second = forward(graph, {**inputs, **new})
    rho = sum(x * x for w in weights_of(inputs) for row in back[w] for x in row)
    found = {key: first[key] for key in graph} | {f"d{shown_as(key)}": rows for key, rows in back.items()}
    found |= {f"new.{shown_as(w)}": rows for w, rows in new.items()} | {f"new.{key}": second[key] for key in graph}
    found["rho"] = [[rho]]
    if name.endswith("layer"):
        for k in (1, 2):
            found[f"M_{k}"] = total(*(product_of(back[f"{x}_{k}"], transposed(inputs[f"W_{x}^({k})"])) for x in "QKV"))
        found |= normalized_back(first, back, "F", "R_F", "X_next", "sigma_F")
        found |= normalized_back(first, back, "A", "R_A", "H", "sigma_A")
        found |= {"P_C": softmax(first["C"]), "new.P_C": softmax(second["C"])}
        return found | {"U": [[(first["L"][0][0] - second["L"][0][0]) / RATE]]}
    up, down = (forward(graph, inputs, "W_Q", (1, 0), by * mpf(1) / 100)["L"][0][0] for by in (1, -1))
    quotient, slope = (up - down) * 50, back["W_Q"][1][0]
    found |= {"U": [[quotient]], "G_M": [[slope]], "N": [[quotient - slope]]}
    found |= {f"rho_{w[-1]}": [[sum(x * x for row in back[w] for x in row)]] for w in weights_of(inputs)}
    return found | {"F": [[first["L"][0][0] - RATE * rho]]}


def wrong_lines(name, text):
    """Names whose printed result is not the number computed here, to the digits shown; all have to be there."""
    expected, wrong, read = computed(name, text), [], set()
    for chain in chains(text):
        if chain.left not in expected or len(chain.rights) < 2 or chain.label or chain.left in read:
            continue
        read.add(chain.left)
        sign, last = chain.rights[-1]
        true = [[Decimal(mp.nstr(x, 40)) for x in row] for row in expected[chain.left]]
        room = HALF if sign == "≈" else Decimal("1e-12")
        pairs = [(a, b) for pair in zip(value(last), true, strict=True) for a, b in zip(*pair, strict=True)]
        if any(abs(a - b) > room * (1 + Decimal("1e-9")) for a, b in pairs):
            wrong.append(chain.left)
    assert read == set(expected), (set(expected) - read, read - set(expected))
    return wrong


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_every_result_and_every_gradient_is_the_number_computed_apart(name, language):
    assert wrong_lines(name, page(name, language)) == []
    assert len(computed(name, page(name))) == {"backpropagation_head": 43, "backpropagation_layer": 111}[name]


@pytest.mark.parametrize(
    ("name", "letter"),
    [("backpropagation_head", x) for x in ("dS", "dK", "dW_V", "new.L", "rho", "U")]
    + [
        ("backpropagation_layer", x)
        for x in ("dX", "dR_A", "nu_F", "sigma_A", "db_1", "dW_Q2", "dF", "new.W_1", "new.P_C")
    ],
)
def test_a_digit_changed_on_a_page_is_found(name, letter):
    text = page(name)
    start = text.index(f"\n  {letter} = ")
    digit = list(re.finditer(r"\.\d\d\d(\d)", text[start : text.index("\n\n", start)]))[-1]
    at = start + digit.start(1)
    assert wrong_lines(name, f"{text[:at]}{(int(digit[1]) + 5) % 10}{text[at + 1 :]}") == [letter]


# -- what the words say -------------------------------------------------------------------------------------------
def test_every_component_of_the_head_comes_closer_to_its_target():
    found = computed("backpropagation_head", page("backpropagation_head"))
    assert all(
        abs(after) < abs(before)
        for rows in zip(found["D"], found["new.D"], strict=True)
        for before, after in zip(*rows, strict=True)
    )
    assert found["new.L"][0][0] < found["L"][0][0]
    assert all(abs(sum(row)) < mpf(10) ** -30 for row in found["dS"])


def test_a_tenth_of_the_step_leaves_a_hundredth_of_the_difference():
    rows = table(page("backpropagation_head"), "Values as h changes")[1]
    left = [abs(Decimal(row[-1])) for row in rows]
    assert [row[0] for row in rows] == ["1", "0.1", "0.01", "0.001"]
    assert 80 < left[0] / left[1] < 110
    assert 95 < left[1] / left[2] < 105


def test_the_layer_answers_as_the_words_say():
    found = computed("backpropagation_layer", page("backpropagation_layer"))
    cat, sleeps = found["P_C"]
    assert cat[1] == max(cat)  # taken for a verb
    assert found["new.P_C"][0][0] > cat[0]
    assert found["new.P_C"][1][1] > sleeps[1]
    assert all(x != 0 for row in found["P"] for x in row)
    assert all(
        (x > 0) or d == 0 for p, dp in zip(found["P"], found["dP"], strict=True) for x, d in zip(p, dp, strict=True)
    )


def test_the_fall_of_the_loss_comes_near_the_squares():
    rows = table(page("backpropagation_layer"), "Values as eta changes")[1]
    off = [abs(Decimal(row[3]) - Decimal(row[4])) for row in rows]
    assert off == sorted(off, reverse=True)
    assert off[-1] < Decimal("0.2")


# -- the judge, and both languages ---------------------------------------------------------------------------------
@pytest.mark.parametrize("name", PAGES)
def test_every_step_is_proved_and_gradients_beyond_their_definition(name):
    result = verified(name)
    gradients = [step.name for step in result.derivation.steps if step.derivative is not None]
    assert {verdict.kind for verdict in result.verdicts.values()} == {"proved"}
    assert len(gradients) == {"backpropagation_head": 12, "backpropagation_layer": 37}[name]


PLANTED = {
    "a missing 1/√d": ("backpropagation_head", "dR", lambda d: 1 * d["dS"].letter),
    "a missing transpose": ("backpropagation_head", "dK", lambda d: d["dR"].letter @ d["Q"].letter),
    "a sign": ("backpropagation_head", "dA", lambda d: -d["dA"].expression),
    "0.1 % more": ("backpropagation_layer", "dW_O", lambda d: Scaling(d["dW_O"].expression, 1001, 1000)),
    "one of two uses": ("backpropagation_layer", "dH", lambda d: 1 * d["dR_F"].letter),
    "the other head": ("backpropagation_layer", "dQ_1", lambda d: d["dQ_2"].expression),
    "ReLU forgotten": ("backpropagation_layer", "dP", lambda d: 1 * d["dF"].letter),
    "the diagonal of softmax": ("backpropagation_layer", "dS_1", lambda d: Hadamard(d["A_1"].letter, d["dA_1"].letter)),
    "rows for columns": ("backpropagation_layer", "dA_2", lambda d: Transpose(d["dA_2"].expression)),
}


@pytest.mark.parametrize("case", PLANTED)
def test_a_planted_gradient_is_not_accepted(case):
    name, step, wrong = PLANTED[case]
    gradient = content(name)["gradient"].derivation
    planted = replace(gradient[step], expression=wrong(gradient), coarse=None)
    steps = tuple(planted if s.name == step else s for s in gradient.steps)
    try:
        verdict = verify(replace(gradient, steps=steps)).verdicts[step]
    except (Refuted, ShapeError):  # sizes that do not fit, at once
        return
    assert verdict.kind != "proved"


@pytest.mark.parametrize("name", PAGES)
def test_both_languages_show_the_same_mathematics(name):
    english, japanese = (chains(page(name, language)) for language in LANGUAGES)
    assert len(english) == len(japanese) > 40
    for a, b in zip(english, japanese, strict=True):
        assert (a.rights, a.rounded) == (b.rights, b.rounded)
    for language in LANGUAGES:
        text = page(name, language)
        assert "!!" not in text
        assert not re.search(r"\{[^}]*\}", text)  # no letter in words is left open


@pytest.mark.parametrize("form", ["txt", "tex"])
@pytest.mark.parametrize("name", PAGES)
def test_levels_of_detail_tell_more_and_more(name, form):
    for language in LANGUAGES:
        lengths = [len(page(name, language, form, detail)) for detail in ("results", "steps", "entries")]
        assert lengths == sorted(lengths)
        assert lengths[0] < lengths[2]


def test_a_heading_names_the_letter_of_its_head():
    text = page("backpropagation_layer")
    assert re.search(r"^-- dW_V1: .*\bW_V\^\(1\)$", text, re.MULTILINE)
    assert "W_V^(1) is used in V_1." in text
    assert re.search(
        r"subsection.*\$\{W_\{V\}\^\{\(1\)\}\}\$\}\\label\{step:dW_V1\}$",
        page("backpropagation_layer", form="tex"),
        re.MULTILINE,
    )
    assert evaluate(content("backpropagation_layer")["derivation"]).numpy("dW_V1").shape == (4, 2)
