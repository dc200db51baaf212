"""The page of chapter 8 holds the oracle's figures, and every step of the proofs about it is proved, or else refused."""

import json
import runpy
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from mpmath import mp, mpf

from symtransformer import evaluate, matrix, verify
from symtransformer.judge import PROVED, REFUTED, judge_equation
from symtransformer.operations import (
    KeyValueMemory,
    ReLU,
    RowSlice,
    ScaledDotProductAttention,
    SingleHead,
    Softmax,
    Transpose,
)

ROOT = Path(__file__).parents[1]
PROOFS = ("proof_cross_entropy_forms", "proof_key_value_memory", "proof_kv_cache", "proof_softmax_shift")
ORACLE = json.loads(ROOT.joinpath("tests/oracle/explainer-ch8.json").read_text("utf-8"), parse_float=Fraction)
EXPECTED = {
    item["id"]: item["independently_computed"]
    for item in [*ORACLE["claims"], *ORACLE["derived"]]
    if "independently_computed" in item
}


def page(name):
    return runpy.run_path(str(ROOT / "derivations" / f"{name}.py"))


CHAPTER = page("explainer_chapter_8")
FIGURES = {
    "ch8.logits": ("L", None),
    "ch8.exp": ("U", None),
    "ch8.expsum": ("c", None),
    "ch8.p": ("P", None),
    "ch8.d.logp": ("Lambda", None),
    "ch8.loss": ("J", None),
    "ch8.d.loss_ls01": ("J_ls", None),
    "ch8.loss.p09": ("F", Fraction(9, 10)),
    "ch8.loss.p01": ("F", Fraction(1, 10)),
    "ch8.d.T_half": ("P_tau", Fraction(1, 2)),
    "ch8.d.T_two": ("P_tau", Fraction(2)),
}


def flat(value):
    return [x for part in value for x in flat(part)] if isinstance(value, list) else [value]


@pytest.mark.parametrize("name", FIGURES)
def test_figures_of_the_page(name):
    step, at = FIGURES[name]
    letter = {"F": CHAPTER["p"], "P_tau": CHAPTER["tau"]}.get(step)
    found = evaluate(CHAPTER["derivation"], {letter: at} if at else {}).digits(step, 25).tolist()
    with mp.workdps(40):
        pairs = zip(flat(found), flat(EXPECTED[name]), strict=True)
        assert all(abs(mpf(str(x)) - mpf(y.numerator) / y.denominator) < mpf("2e-14") * abs(mpf(str(x))) for x, y in pairs)  # fmt: skip


def test_the_page_is_proved_step_by_step():
    verified = verify(CHAPTER["derivation"])
    assert {name for name, verdict in verified.verdicts.items() if verdict.kind != PROVED} == set()
    assert len(verified.verdicts) > 40


def test_tables_of_tokens_say_what_the_oracle_says():
    taken = [step.chosen.ja for step in CHAPTER["RUN"].steps]
    assert taken == EXPECTED["ch8.d.gen_tokens"]
    assert [list(row[1:]) for row in CHAPTER["SHIFT"].rows] == [
        [CHAPTER["INPUTS"][k], CHAPTER["CANDIDATES"][k]] for k in range(5)
    ]
    assert [word.ja for word in CHAPTER["INPUTS"]] == EXPECTED["ch8.shift.in"]
    assert [group for group in CHAPTER["GROUPS"] if len(group) > 1] == [tuple(EXPECTED["ch8.d.tie"])]
    assert CHAPTER["TWO"].dropped_ties == (EXPECTED["ch8.d.tie"][1],)
    assert CHAPTER["RUN"].stopped_by == "end"
    assert CHAPTER["CUT"].stopped_by == "length"
    assert [step.chosen.ja for step in CHAPTER["CUT"].steps] == taken[:3]


def test_what_the_words_say_about_beams():
    """The tie in step 1, and that end alone wins where three sequences are kept."""
    two, three = CHAPTER["TWO_BEAMS"].rows, CHAPTER["THREE_BEAMS"].rows
    assert [row[1].ja for row in two[:2]] == ["猫", "は"]
    assert two[-2][1].ja == "猫 は 眠る 。 終了"
    assert three[0][1].ja == "終了"
    assert [row[2].evalf() for row in three] == sorted((row[2].evalf() for row in three), reverse=True)


# -- proofs ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", PROOFS)
def test_every_step_of_a_proof_is_proved(name):
    verified = verify(page(name)["derivation"])
    assert {step: verdict.kind for step, verdict in verified.verdicts.items() if verdict.kind != PROVED} == {}
    assert all("for all sizes" in verdict.reason for verdict in verified.verdicts.values())


@pytest.mark.parametrize("name", PROOFS)
def test_a_step_that_is_off_is_refused(name):
    """Each step in turn: another sign, and off by a thousandth."""
    derivation = page(name)["derivation"]
    bare = replace(derivation, sections=(), values=())
    for k, step in enumerate(derivation.steps):
        for wrong in (-step.expression, step.expression * Fraction(1001, 1000)):
            steps = list(derivation.steps)
            steps[k] = replace(step, expression=wrong)
            assert verify(replace(bare, steps=tuple(steps))).verdicts[step.name].kind == REFUTED, step.name


def test_what_a_proof_needs_is_needed():
    """Without the mask earlier rows change; rows of the first weight are no keys; unlike shifts change softmax."""
    cache, shift = page("proof_kv_cache"), page("proof_softmax_shift")
    unmasked = ScaledDotProductAttention(cache["QUERIES"], cache["KEYS"], cache["VALUES"])
    X, n = cache["X"], cache["n"]
    kept = SingleHead(X, cache["W_Q"], cache["W_K"], cache["W_V"])
    assert judge_equation(RowSlice(unmasked, 0, n), kept).kind == REFUTED

    square, other = matrix("W_1", 3, 3), matrix("W_2", 3, 2)
    rows = matrix("X", 2, 3)
    by_rows = KeyValueMemory(rows, Transpose(square), weight_2=other)
    assert judge_equation(by_rows, ReLU(rows @ square) @ other).kind == REFUTED
    assert judge_equation(KeyValueMemory(rows, square, weight_2=other), ReLU(rows @ square) @ other).kind == PROVED

    L = shift["L"]
    assert judge_equation(Softmax(L + matrix("D", *L.shape)), Softmax(L)).kind == REFUTED
