"""Layers against the figures of chapters 5 to 7, against plain NumPy, and against layers with a planted mistake."""

import json
from pathlib import Path

import numpy as np
from sympy import Rational, exp, sqrt

from symtransformer import derive, evaluate, head_index, matrix, verify
from symtransformer.operations import (
    Addition,
    AddNorm,
    CausalMask,
    CrossAttention,
    DecoderLayer,
    EncoderLayer,
    FeedForward,
    LayerNorm,
    Linear,
)
from symtransformer.zero import is_exactly_zero

ORACLE = Path(__file__).resolve().parents[1] / "oracle"
CHAPTER = {k: json.loads((ORACLE / f"explainer-ch{k}.json").read_text(encoding="utf-8")) for k in (5, 6, 7)}
i = head_index("i")


def expected(name):
    document = CHAPTER[int(name[2])]
    (item,) = [x for x in [*document["claims"], *document["derived"]] if x["id"] == name]
    return np.atleast_2d(np.array(item["independently_computed"], dtype=float))


def column(numbers):
    return [[x] for x in numbers]


def assert_figures(value, name):
    assert np.allclose(np.array(value.tolist(), dtype=float), expected(name), rtol=1e-13, atol=1e-14), name


# -- chapter 7: two heads, both rows, and the next layer ----------------------------------------------------
def letters(prefix="", n=2, d=4, d_k=2, d_v=2, h=2, d_ff=6):
    own = {name: matrix(f"{prefix}{name}", d, w) for name, w in (("W_Q", d_k), ("W_K", d_k), ("W_V", d_v))}
    own |= {"W_O": matrix(f"{prefix}W_O", h * d_v, d), "W_1": matrix(f"{prefix}W_1", d, d_ff)}
    return own | {
        "b_1": matrix(f"{prefix}b_1", d_ff, 1), "W_2": matrix(f"{prefix}W_2", d_ff, d), "b_2": matrix(f"{prefix}b_2", d, 1),
    }  # fmt: skip


X = matrix("X", 2, 4)
OWN = letters()
LAYER = EncoderLayer(X, *OWN.values(), heads=2)


def values_of_chapter_7(own=OWN):
    given = CHAPTER[7]["inputs"]
    values = {own[name]: [given[f"{name}_{h}"] for h in (1, 2)] for name in ("W_Q", "W_K", "W_V")}
    values |= {own[name]: given[name] for name in ("W_O", "W_1", "W_2")}
    return values | {X: given["X"], own["b_1"]: column(given["b_1"]), own["b_2"]: column(given["b_2"])}


STEPS = {
    "S_1": None, "A_1": "ch7.d.h1.A", "Z_1": "ch7.d.h1.Z", "A_2": "ch7.d.h2.A", "Z_2": "ch7.d.h2.Z", "Y": "ch7.d.concat",
    "O": "ch7.d.O", "R_1": "ch7.d.add1", "N_1": "ch7.d.norm1", "P": "ch7.d.ffn_pre", "F": "ch7.d.ffn_relu",
    "G": "ch7.d.ffn_out", "R_2": "ch7.d.add2", "H": "ch7.d.out",
}  # fmt: skip


def test_chapter_7_step_by_step():
    worked = evaluate(derive(LAYER, values=values_of_chapter_7()))
    for step, name in STEPS.items():
        if name is not None:
            assert_figures(worked.digits(step, 20), name)
            assert np.allclose(worked.numpy(step), expected(name), rtol=1e-13, atol=1e-14)
    exact = worked["R_1"]
    assert_figures(exact.evalf(20), "ch7.d.add1")
    assert exact.has(Rational(1, 2))
    assert not exact.free_symbols


def test_chapter_7_is_verified_and_its_names_are_those_of_the_paper():
    derivation = derive(LAYER, values=values_of_chapter_7())
    assert [step.name for step in derivation.steps] == [
        "Q_1", "Q_2", "K_1", "K_2", "V_1", "V_2", "S_1", "S_2", "A_1", "A_2", "Z_1", "Z_2", "Y", "O",
        "R_1", "N_1", "P", "F", "G", "R_2", "H",
    ]  # fmt: skip
    assert verify(derivation).count("proved") == 21
    assert str(derivation["R_2"].expression) == "N_1 + G"
    assert derivation["R_1"].title.en.endswith("the input of the layer is added")
    assert "層への入力" in derivation["R_1"].title.ja
    assert "FFN への入力" in derivation["R_2"].title.ja


def test_the_queries_of_the_next_layer_are_made_from_this_one():
    given, first, second = CHAPTER[7]["inputs"], letters("enc1."), letters("enc2.")
    stack = EncoderLayer(
        EncoderLayer(X, *first.values(), heads=2, label="enc1"), *second.values(), heads=2, label="enc2"
    )
    values = values_of_chapter_7(first) | {
        second[name]: value
        for (name, _), value in zip(first.items(), [values_of_chapter_7(first)[x] for x in first.values()], strict=True)
    }
    values[second["W_Q"]] = [given["W_Q_layer2_head1"], given["W_Q_2"]]
    derivation = derive(stack, values=values)
    assert str(derivation["enc2.Q_1"].expression) == "enc1.H enc2.W_Q^(1)"
    worked = evaluate(derivation)
    assert_figures(worked.digits("enc2.Q_1", 20), "ch7.d.layer2.Q")
    assert_figures(worked.digits("enc1.H", 20), "ch7.out")
    assert derivation.steps[-1].name == "enc2.H"


# -- chapter 5: one row behind the heads ---------------------------------------------------------------------
def test_chapter_5_after_the_heads():
    given = CHAPTER[5]["inputs"]
    x, heads = matrix("x", 1, 4), matrix("C", 1, 4)
    own = letters()
    values = {own[name]: given[name] for name in ("W_O", "W_1", "W_2")} | {
        x: [given["x"]], heads: [given["head1"] + given["head2"]],
        own["b_1"]: column(given["b_1"]), own["b_2"]: column(given["b_2"]),
    }  # fmt: skip
    network = (own["W_1"], own["b_1"], own["W_2"], own["b_2"])
    first = AddNorm(x, Linear(heads, own["W_O"]))
    out = AddNorm(first, FeedForward(first, *network))
    worked = evaluate(derive({"N": first, "H": out}, stages=True, values=values))
    for step, name in (("N", "ch5.norm1"), ("P", "ch5.ffn.pre"), ("F", "ch5.ffn.relu"), ("H", "ch5.out")):
        assert_figures(worked.digits(step, 20), name)
    total = x + Linear(heads, own["W_O"])
    before = Addition(total, FeedForward(LayerNorm(total), *network))
    assert_figures(evaluate(before, values, digits=20), "ch5.d.out.prenorm")
    plain = AddNorm(x, Linear(heads, own["W_O"]), eps=0)
    assert_figures(evaluate(AddNorm(plain, FeedForward(plain, *network), eps=0), values, digits=20), "ch5.d.out.noeps")


# -- chapter 6: the decoder, one head ------------------------------------------------------------------------
def decoder_of_chapter_6(mask=None, norm="post"):
    y, memory = matrix("X", 3, 2), matrix("H_enc", 4, 2)
    squares = {
        name: matrix(name, 2, 2) for name in ("W_Q", "W_K", "W_V", "W_O", "U_Q", "U_K", "U_V", "U_O", "W_1", "W_2")
    }
    given = CHAPTER[6]["inputs"]
    values = {y: given["X"], memory: given["H_enc"], squares["W_O"]: given["W_O"], squares["U_O"]: given["W_O"]}
    for name in "QKV":
        values |= {squares[f"W_{name}"]: given[f"W_{name}_self"], squares[f"U_{name}"]: given[f"W_{name}_cross"]}
    values |= {squares["W_1"]: [[1, 2], [3, 5]], squares["W_2"]: [[1, 0], [2, 1]]}
    return DecoderLayer(y, memory, *squares.values(), mask=mask, norm=norm), values


def test_chapter_6_up_to_the_feed_forward_network():
    out, values = decoder_of_chapter_6(CausalMask(3))
    worked = evaluate(derive(out, values=values))
    for step, name in (
        ("S", "ch6.d.scaled_self"), ("A", "ch6.A"), ("Z", "ch6.d.Z_self"), ("R_1", "ch6.d.add1"), ("N_1", "ch6.d.s_dec"),
        ("Q_cross", "ch6.cross.Q"), ("K_cross", "ch6.cross.K"), ("S_cross", "ch6.d.scaled_cross"),
        ("A_cross", "ch6.cross.A"), ("Z_cross", "ch6.cross.Z"), ("R_2", "ch6.d.add2"), ("N_2", "ch6.d.norm2"),
    ):  # fmt: skip
        assert_figures(worked.digits(step, 20), name)
    assert worked["A"][1, 2] == 0


def test_chapter_6_without_the_mask_and_a_head_alone():
    out, values = decoder_of_chapter_6()
    worked = evaluate(derive(out, values=values))
    assert_figures(worked.digits("A", 20), "ch6.d.nomask.A")
    assert_figures(worked.digits("Z", 20), "ch6.d.nomask.Z")
    rows = matrix("N", 3, 2)
    cross = CrossAttention(rows, *(a for a in values if str(a) in ("H_enc", "U_Q", "U_K", "U_V")))
    masked, values = decoder_of_chapter_6(CausalMask(3))
    known = {rows: evaluate(derive(masked, values=values))["N_1"]}
    known |= {a: value for a, value in values.items() if str(a) in ("H_enc", "U_Q", "U_K", "U_V")}
    assert_figures(evaluate(cross, known, digits=20), "ch6.cross.Z")


def test_one_head_reads_well():
    out, _ = decoder_of_chapter_6(CausalMask(3))
    steps = derive(out).steps
    assert [step.name for step in steps][:8] == ["Q", "K", "V", "S", "A", "Z", "O", "R_1"]
    assert [str(step.expression) for step in steps][:7] == [
        "X W_Q", "X W_K", "X W_V", "Q K^T / sqrt(2)", "softmax(S + causal(3))", "A V", "Z W_O",
    ]  # fmt: skip
    sums = [step for step in steps if step.name.startswith("R_")]
    assert [str(step.expression) for step in sums] == ["X + O", "N_1 + O_cross", "N_2 + G"]
    assert len({step.title for step in sums}) == len({step.explanation for step in sums}) == 3


def test_a_zero_behind_the_root_of_a_layer_is_found():
    u, v = exp(Rational(1, 3)) + 1, sqrt(2) + exp(-1)
    root = sqrt(u * v + Rational(1, 100_000))
    assert is_exactly_zero((u - v) / root + (v - u) / root) is True
    assert is_exactly_zero((u - v) / root + (v - u) / sqrt(u * v + Rational(1, 100_001))) is not True
    assert is_exactly_zero((u - v) / root + (v - u) / root + Rational(1, 10**60)) is not True
    out, values = decoder_of_chapter_6(CausalMask(3))
    queries = evaluate(derive(out, values=values)).digits("Q_cross", 20)
    assert all(x == 0.0 for x in map(float, queries.col(1)))
