"""Every planted error must be refuted, with a counterexample that plain NumPy confirms."""

import re
from dataclasses import replace

import numpy as np
import pytest
from plain_numpy import plain
from sympy import Integer, Rational, S, exp, oo, sqrt

import symtransformer.judge as judge_module
from symtransformer import derive, dimension, matrix, verify
from symtransformer.evaluation import Evaluation
from symtransformer.operations import (
    Concatenation,
    Exponential,
    Hadamard,
    Linear,
    Mask,
    Ones,
    Row,
    RowDivision,
    RowSum,
    ScaledDotProductAttention,
    SingleHead,
    Softmax,
)  # fmt: skip
from symtransformer.symbols import Literal
from symtransformer.values import letters_in

n, m, d_model, d_k, d_v = (dimension(name) for name in ("n", "m", "d_model", "d_k", "d_v"))
X = matrix("X", n, d_model)
W_Q, W_K, W_V = matrix("W_Q", d_model, d_k), matrix("W_K", d_model, d_k), matrix("W_V", d_model, d_v)
HEAD = derive(SingleHead(X, W_Q, W_K, W_V))
STAGES = derive(SingleHead(X, W_Q, W_K, W_V), stages=True)
# n queries, m keys; equal widths, so that V and K can be taken for each other; 3 tokens of 3, so that K fits without Kᵀ
CROSS = derive(ScaledDotProductAttention(matrix("Q", n, d_k), matrix("K", m, d_k), matrix("V", m, d_v)))
SAME_WIDTH = derive(SingleHead(X, W_Q, W_K, matrix("W_V", d_model, d_k)))
SQUARE = derive(SingleHead(matrix("X", 3, 2), *(matrix(name, 2, 3) for name in ("W_Q", "W_K", "W_V"))))
CAUSAL = [[0 if j <= i else -oo for j in range(3)] for i in range(3)]
SHIFTED = [[0 if j <= i + 1 else -oo for j in range(3)] for i in range(3)]
STRICT = [[0, -oo, -oo], [0, -oo, -oo], [0, 0, -oo]]
MASKED = derive(SingleHead(matrix("X", 3, 2), *(matrix(name, 2, 4) for name in ("W_Q", "W_K", "W_V")), Literal(CAUSAL)))
AFFINE = derive(Linear(X, W_Q, matrix("b", d_k, 1)))
TWO = derive(
    {"O": Linear(Concatenation(matrix("Z_1", n, d_k), matrix("Z_2", n, d_k)), matrix("W_O", 2 * d_k, d_model))}
)


def letters(derivation):
    return {step.name: step.letter for step in derivation.steps} | {letter.name: letter for letter in derivation.inputs}


H, U, C, E, Q, M = (letters(x) for x in (HEAD, STAGES, CROSS, SAME_WIDTH, SQUARE, MASKED))
SCORES = H["Q"] @ H["K"].T
PLANTED = {
    "score 0.1 % too large": (HEAD, "S", SCORES * Rational(1001, 1000) / sqrt(d_k)),
    "score 0.1 % too small": (HEAD, "S", SCORES / (sqrt(d_k) * Rational(1001, 1000))),
    "scores with Q and K swapped": (HEAD, "S", H["K"] @ H["Q"].T / sqrt(d_k)),
    "scores of Q with itself": (HEAD, "S", H["Q"] @ H["Q"].T / sqrt(d_k)),
    "sign of the scores": (HEAD, "S", -SCORES / sqrt(d_k)),
    "no scale": (HEAD, "S", SCORES),
    "scale by d_k": (HEAD, "S", SCORES / d_k),
    "scale by d_k multiplied": (HEAD, "S", SCORES * sqrt(d_k)),
    "scale by the number of tokens": (HEAD, "S", SCORES / sqrt(n)),
    "scale by d_model": (HEAD, "S", SCORES / sqrt(d_model)),
    "softmax over columns": (HEAD, "A", Softmax(H["S"].T).T),
    "softmax of the transpose": (HEAD, "A", Softmax(H["S"].T)),
    "softmax of the negative": (HEAD, "A", Softmax(-H["S"])),
    "softmax twice": (HEAD, "A", Softmax(Softmax(H["S"]))),
    "no softmax": (HEAD, "A", H["S"] + H["S"] - H["S"]),
    "scale again": (HEAD, "A", Softmax(H["S"] / sqrt(d_k))),
    "no exponential": (HEAD, "A", RowDivision(H["S"], RowSum(H["S"]))),
    "uniform weights": (HEAD, "A", Ones(n, n) / n),
    "weights transposed": (HEAD, "Z", H["A"].T @ H["V"]),
    "value off by 0.1 %": (HEAD, "Z", H["A"] @ H["V"] * Rational(999, 1000)),
    "scores for weights": (HEAD, "Z", H["S"] @ H["V"]),
    "Q from the key weight": (HEAD, "Q", X @ W_K),
    "sums not of the powers": (STAGES, "c", RowSum(U["S"])),
    "powers of the negative": (STAGES, "U", Exponential(-U["S"])),
    "divided by another sum": (STAGES, "A", RowDivision(U["U"], RowSum(U["S"]))),
    "values off by 0.1 %, n queries and m keys": (CROSS, "Z", C["A"] @ (C["V"] - C["V"] * Rational(1, 1000))),
    "K for V": (SAME_WIDTH, "Z", E["A"] @ E["K"]),
    "Q for V": (SAME_WIDTH, "Z", E["A"] @ E["Q"]),
    "V from the key weight": (SAME_WIDTH, "V", E["X"] @ E["W_K"]),
    "transpose dropped": (SQUARE, "S", Q["Q"] @ Q["K"] / sqrt(3)),
    "entry by entry": (SQUARE, "S", Hadamard(Q["Q"], Q["K"]) / sqrt(3)),
    "V times A": (SQUARE, "Z", Q["V"] @ Q["A"]),
    "one row for another": (SQUARE, "Z", Ones(3, 1) @ Row(Q["A"] @ Q["V"], 1)),
    "mask shifted": (MASKED, "A", Softmax(Mask(M["S"], Literal(SHIFTED)))),
    "mask without the diagonal": (MASKED, "A", Softmax(Mask(M["S"], Literal(STRICT)))),
    "mask forgotten": (MASKED, "A", Softmax(M["S"])),
    "mask of -1": (MASKED, "A", Softmax(M["S"] + Literal([[0, -1, -1], [0, 0, -1], [0, 0, 0]]))),
    "mask of -500": (MASKED, "A", Softmax(M["S"] + Literal([[0, -500, -500], [0, 0, -500], [0, 0, 0]]))),
    "mask after softmax": (MASKED, "A", Hadamard(Softmax(M["S"]), Literal([[1, 0, 0], [1, 1, 0], [1, 1, 1]]))),
    "bias forgotten": (AFFINE, "Y", X @ W_Q),
    "bias twice": (AFFINE, "Y", X @ W_Q + Ones(n, 1) @ matrix("b", d_k, 1).T * 2),
    "heads in another order": (
        TWO,
        "O",
        Concatenation(matrix("Z_2", n, d_k), matrix("Z_1", n, d_k)) @ matrix("W_O", 2 * d_k, d_model),
    ),
    "heads added": (
        TWO,
        "O",
        Concatenation(matrix("Z_1", n, d_k) + matrix("Z_2", n, d_k), matrix("Z_2", n, d_k))
        @ matrix("W_O", 2 * d_k, d_model),
    ),
}


def with_step(derivation, name, expression):
    steps = tuple(replace(s, expression=expression, coarse=None) if s.name == name else s for s in derivation.steps)
    return replace(derivation, steps=steps)


def apart(derivation, name, counterexample):
    """How far apart the two sides are at the counterexample, by plain NumPy."""
    values = {key: value for key, value in counterexample if isinstance(value, list)}
    numbers = {key: value for key, value in counterexample if not isinstance(value, list)}
    wanted = plain(derivation[name].stands_for, values, numbers)
    for step in derivation.steps:
        if step.name == name:
            break
        if {str(letter) for letter in letters_in(step.stands_for)} <= values.keys():
            values[str(step.letter)] = plain(step.stands_for, values, numbers)
    claimed = plain(derivation[name].expression, values, numbers)
    assert wanted.shape == claimed.shape
    return np.max(np.abs(wanted - claimed))


@pytest.mark.parametrize("name", PLANTED)
def test_planted_error_is_refuted(name):
    derivation, step, expression = PLANTED[name]
    assert derivation[step].expression is not expression
    wrong = with_step(derivation, step, expression)
    verified = verify(wrong)
    verdict = verified.verdicts[step]
    assert verdict.kind == "refuted"
    assert verified.count("refuted") == 1
    assert apart(wrong, step, verdict.counterexample) > (1e-300 if name == "mask of -500" else 1e-9)


def test_how_many_errors_were_planted():
    assert len(PLANTED) == 43


def test_without_the_error_the_same_derivations_are_proved():
    for derivation in (HEAD, STAGES, CROSS, SAME_WIDTH, SQUARE, MASKED, AFFINE, TWO):
        assert verify(derivation).count("proved") == len(derivation.steps)


def test_sizes_that_do_not_fit_are_refuted_without_a_number():
    verdict = verify(with_step(HEAD, "S", H["Q"] @ H["K"].T @ H["Q"])).verdicts["S"]
    assert str(verdict) == "refuted: the sizes do not fit: (n, n) against (n, d_k)"


def test_error_in_a_coarse_form_is_refuted_too():
    steps = tuple(replace(s, coarse=Softmax(s.coarse.args[0].T).T) if s.name == "A" else s for s in STAGES.steps)
    assert verify(replace(STAGES, steps=steps)).verdicts["A"].kind == "refuted"


VALUES = {
    "X": [[1, 0], [0, 1], [2, 1]],
    "W_Q": [[0, 1], [1, 0]],
    "W_K": [[1, 0], [Rational(1, 2), 1]],
    "W_V": [[2, 0], [0, 4]],
}


@pytest.mark.parametrize("step", ["Q", "K", "V", "S", "A", "Z"])
@pytest.mark.parametrize("error", [Rational(1, 1000), Rational(1, 10**12), Rational(-1, 10**28)])
def test_wrong_number_is_refuted(monkeypatch, step, error):
    class Tampered(Evaluation):
        def __getitem__(self, name):
            value = super().__getitem__(name)
            return (
                value + value.__class__(*value.shape, lambda i, j: error * int((i, j) == (1, 1)))
                if name == step
                else value
            )

    monkeypatch.setattr(judge_module, "Evaluation", Tampered)
    verified = verify(HEAD, VALUES)
    verdict = verified.verdicts[step]
    assert verdict.kind == "refuted"
    found = re.fullmatch(rf"entry \(2, 2\) of {step} is given as (\S+), but is (\S+)", verdict.reason)
    arrays = {name: np.array([[float(x) for x in row] for row in rows]) for name, rows in VALUES.items()}
    right = plain(HEAD[step].stands_for, arrays, {"n": 3, "d_model": 2, "d_k": 2, "d_v": 2})[1, 1]
    assert float(found[2]) == pytest.approx(right, rel=1e-5)
    assert float(found[1]) == pytest.approx(right + float(error), rel=1e-5)


@pytest.mark.parametrize("factor", [1 + Rational(1, 10**25), Integer(2), exp(Rational(1, 10**20))])
def test_tiny_numbers_are_compared_by_their_own_size(monkeypatch, factor):
    class Tampered(Evaluation):
        def __getitem__(self, name):
            return super().__getitem__(name) * (factor if name == "Y" else 1)

    tiny = derive(Exponential(matrix("B", 1, 1)))
    assert verify(tiny, {"B": [[-500]]}).verdicts["Y"].reason.endswith("; numbers agree to 30 digits")
    monkeypatch.setattr(judge_module, "Evaluation", Tampered)
    assert verify(tiny, {"B": [[-500]]}).verdicts["Y"].kind == "refuted"


def test_numbers_that_cancel_are_compared_with_more_bits(monkeypatch):
    class Tampered(Evaluation):
        def __getitem__(self, name):
            value = super().__getitem__(name)
            return value + value.__class__([[Rational(1, 10**5)]]) if name == "Y" else value

    difference = derive({"Y": matrix("B", 1, 1) + matrix("C", 1, 1)})
    values = {"B": [[exp(200)]], "C": [[sqrt(2) - exp(200)]]}  # to 192 bits, √2 is lost in e^200
    assert verify(difference, values).verdicts["Y"].reason.endswith("; numbers agree to 30 digits")
    monkeypatch.setattr(judge_module, "Evaluation", Tampered)
    assert verify(difference, values).verdicts["Y"].kind == "refuted"


def test_infinite_for_finite_is_refuted(monkeypatch):
    class Tampered(Evaluation):
        def __getitem__(self, name):
            value = super().__getitem__(name)
            return value.applyfunc(lambda x: S.NegativeInfinity) if name == "S" else value

    monkeypatch.setattr(judge_module, "Evaluation", Tampered)
    only_scores = derive({"S": SCORES.xreplace({H["Q"]: X @ W_Q, H["K"]: X @ W_K})})
    assert verify(only_scores, {key: VALUES[key] for key in ("X", "W_Q", "W_K")}).verdicts["S"].kind == "refuted"
