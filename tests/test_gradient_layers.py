"""Layers that are read as one another: the gradient is that of the plain sweep, to the last letter."""

from __future__ import annotations

from dataclasses import replace

import pytest

import symtransformer.operations as ops
from symtransformer.derivation import Derivation
from symtransformer.gradients import Gradient, differentiate
from symtransformer.gradients.layers import Layers
from symtransformer.gradients.structure import Tape, letter_by_letter
from symtransformer.judge import verify
from symtransformer.models import BASE, GPT2, decoder_only, encoder, encoder_decoder, language_model
from symtransformer.node import Facts, Node, postorder
from symtransformer.symbols import DistributionLetter, dimension, head_index, matrix
from symtransformer.unfolding import derive

SMALL = replace(BASE, layers=4, decoder_layers=3, d_model=12, d_ff=7, heads=3, d_k=2, d_v=5)
n, d, m, i = *map(dimension, ("n", "d", "m")), head_index()
A, B, C, D = (matrix(name, n, n) for name in "ABCD")


def plain(monkeypatch: pytest.MonkeyPatch, subject: Derivation, *wrt: str) -> Gradient:
    with monkeypatch.context() as patch:
        patch.setattr(Layers, "write", lambda self, layer: False)
        return differentiate(subject, *wrt)


def repeated(monkeypatch: pytest.MonkeyPatch, subject: Derivation, *wrt: str) -> tuple[Gradient, int]:
    """The gradient, and how many layers were read as others."""
    write, count = Layers.write, []
    with monkeypatch.context() as patch:
        patch.setattr(Layers, "write", lambda self, layer: bool(count.append(write(self, layer)) or count[-1]))
        return differentiate(subject, *wrt), sum(count)


def refuted(gradient: Gradient) -> bool:
    return any(verdict.kind == "refuted" for verdict in verify(gradient.derivation).verdicts.values())


def check(monkeypatch: pytest.MonkeyPatch, subject: Derivation, times: int, *wrt: str) -> None:
    found, count = repeated(monkeypatch, subject, *wrt)
    expected = plain(monkeypatch, subject, *wrt)
    assert count == times
    assert [part.letter for part in found.parts] == [part.letter for part in expected.parts]
    assert [part.expression for part in found.parts] == [part.expression for part in expected.parts]
    assert found == expected
    assert found.formulas == expected.formulas
    assert found.derivation == expected.derivation


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("activation", ["ReLU", "GELUTanh"])
@pytest.mark.parametrize("symbolic", [True, False])
def test_a_model_has_the_gradient_of_the_plain_sweep(monkeypatch, norm, activation, symbolic):
    config = replace(SMALL, norm=norm, activation=activation, attention_biases=norm == "pre", final_norm=norm == "pre")
    check(monkeypatch, derive(encoder_decoder(config, symbolic=symbolic)), 5 if norm == "post" else 4)


def test_other_stacks(monkeypatch):
    check(monkeypatch, derive(decoder_only(GPT2, symbolic=True)), 11)
    check(monkeypatch, derive(language_model(replace(GPT2, layers=4), symbolic=True)), 3)
    check(monkeypatch, derive(encoder(SMALL, symbolic=True), stages=True), 2)


def test_some_letters_only(monkeypatch):
    steps = derive(encoder(SMALL, symbolic=True))
    check(monkeypatch, steps, 2, "X")
    check(monkeypatch, steps, 1, "enc1.W_Q")
    check(monkeypatch, steps, 0, "enc3.W_Q")
    check(monkeypatch, steps, 0, "enc2.W_Q, enc3.W_Q, enc3.gamma_1")
    check(monkeypatch, steps, 1, "enc1.W_O, enc2.W_Q, enc3.W_Q, enc3.S, enc2.H")


MATRICES = [f"weight_{w}" for w in "QKVO12"]
COLUMNS = ["bias_1", "bias_2", "gain_1", "shift_1", "gain_2", "shift_2"]


def layer(rows, name, **changed):
    given = {w: matrix(f"{name}.{w}", d, d) for w in MATRICES} | {b: matrix(f"{name}.{b}", d, 1) for b in COLUMNS}
    return ops.EncoderLayer(input=rows, label=name, **(given | changed))


def stack(count, changed=None):
    rows = matrix("X", n, d)
    for k in range(1, count + 1):
        rows = layer(rows, f"enc{k}", **(changed or {} if k == 2 else {}))
    return rows


@pytest.mark.parametrize(
    ("changed", "times"),
    [
        ({}, 3),
        ({"eps": 1}, 2),
        ({"activation": "GELU"}, 2),
        ({"mask": ops.CausalMask(n)}, 2),
        ({"weight_Q": matrix("enc3.weight_Q", d, d)}, 2),  # tied to another layer
        ({"weight_Q": matrix("enc2.weight_K", d, d)}, 2),  # tied to itself
        ({"bias_2": matrix("enc2.bias_1", d, 1)}, 2),
    ],
)
def test_a_layer_that_differs_is_swept_itself(monkeypatch, changed, times):
    check(monkeypatch, derive(stack(5, changed)), times)


def test_a_part_that_is_read_from_outside_is_not_overlooked(monkeypatch):
    inside = dict(stack(2).definition().parts)["R_1"]
    check(monkeypatch, derive(stack(4) + inside), 2)
    check(monkeypatch, derive(stack(4), names={inside: "U"}), 1)


def test_only_letters_may_differ():
    P = matrix("P", n, n)
    assert letter_by_letter([A @ B], [C @ D])[A] is C
    assert letter_by_letter([A @ B, B], [B @ A, A])[A] is B
    for old, new in (
        ([A @ B], [C @ C]),
        ([A @ A], [C @ D]),
        ([A @ B, A], [C @ D, D]),
        ([A @ B], [ops.Hadamard(A, B)]),
        ([A @ B], [A @ B.T]),
        ([A @ B], [A]),
        ([A], [A @ B]),
        ([A + B], [A + B + C]),
        ([2 * A], [3 * A]),
        ([A], [matrix("A", n, m)]),
        ([A], [A.of_head(i)]),
        ([A.of_head(i)], [A.of_head(1)]),
        ([P], [DistributionLetter("P", n, n)]),
        ([ops.Standardization(A)], [ops.Standardization(A, 1)]),
        ([ops.FeedForward(A, B, matrix("c", n, 1), C)], [ops.FeedForward(A, B, weight_2=C)]),
    ):
        assert letter_by_letter(old, new) is None, (old, new)


def test_a_layer_in_which_something_has_a_name_already_is_swept_itself(monkeypatch):
    monkeypatch.setattr(Tape, "play", lambda self, given, known: None)
    check(monkeypatch, derive(encoder(SMALL, symbolic=True)), 0)


def test_a_tape_stops_at_what_is_known():
    whole = (A @ B).T + A
    tape = Tape([A, B], [whole, A @ B])
    values = tape.play([C, D], set())
    assert values[tape.place[whole.number]] is (C @ D).T + C
    assert tape.play([C, D], {(C @ D).T.number}) is None
    assert tape.play([C, B], {(C @ D).T.number})[-1] is (C @ B).T + C


def test_assumed_row_sums_are_said_for_every_layer(monkeypatch):
    rows = [DistributionLetter(f"X{k}", n, d) for k in (1, 2, 3)]
    summed = [ops.Scaling(layer(rows[k], f"l{k}"), 1, 1 + k) for k in range(3)]
    check(monkeypatch, derive(summed[0] + summed[1] + summed[2]), 0)


def test_a_wrong_letter_is_refuted(monkeypatch):
    steps = derive(encoder(replace(SMALL, layers=3, d_model=2, d_ff=3, heads=1, d_k=2, d_v=2)))
    gradient, count = repeated(monkeypatch, steps)
    assert count == 1
    assert not refuted(gradient)
    write = Layers._write

    def swapped(self, old, values):
        one, other = (k for k, x in enumerate(old.structure.nodes) if x.is_letter and x.name.endswith((".Q", ".K")))
        values[one], values[other] = values[other], values[one]
        return write(self, old, values)

    monkeypatch.setattr(Layers, "_write", swapped)
    assert refuted(differentiate(steps))


@pytest.mark.parametrize("symbolic", [True, False])
def test_what_a_written_node_knows_is_what_it_would_find(symbolic):
    parts = differentiate(derive(encoder_decoder(SMALL, symbolic=symbolic))).parts
    for node in postorder(*(part.expression for part in parts), *(part.letter for part in parts)):
        assert node.shape == node._find_shape()
        known, found = node._facts, node._find_facts()
        assert all(getattr(known, fact) == getattr(found, fact) for fact in Facts.__slots__)
        assert node._children == tuple(a for a in node.args if isinstance(a, Node))
        assert node.func(*node.args) is node
