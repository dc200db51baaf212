"""The command `verify`: what it prints, and its exit codes."""

import json

import pytest
from claim_spellings import ATTENTION, STEPS

STEPS_BEHIND = (
    "S = Q K^T / sqrt(d_k)", "A = softmax(S)", "Z = A V", "dZ = ∂L/∂Z", "dA = dZ V^T",
    "dS = A ⊙ (dA - broadcast(rowsum(A ⊙ dA), m))",
)  # fmt: skip


def test_a_right_claim(command):
    code, out, err = command("verify", "dK = dS^T Q / sqrt(d_k)", "--for", ATTENTION)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "proved, for all sizes: the claim and the derived formula have the same entries",
        "  claim: dK = dS^T Q / sqrt(d_k)",
        "  derived: dK = dS^T Q / sqrt(d_k)",
        *(f"  where: {step}" for step in STEPS_BEHIND),
    ]


def test_a_wrong_claim_in_both_languages(command):
    code, out, err = command("verify", "dK = dS^T Q", "--for", ATTENTION, "--lang", "en,ja")
    assert (code, err) == (1, "")
    english, japanese = out.split("\n\n")
    assert english.startswith("refuted\n  claim: dK = dS^T Q\n  derived: dK = dS^T Q / sqrt(d_k)\n  where: S = Q K^T")
    assert "\n  for: d_k = " in english
    assert "  entry: (1, 1)\n  by the derived formula: " in english
    assert japanese.startswith("誤り\n  主張：dK = dS^T Q\n")
    assert english.count("\n") == japanese.rstrip("\n").count("\n")


def test_sizes_that_do_not_fit(command):
    code, out, _ = command("verify", "dK = dS Q", "--for", ATTENTION)
    assert code == 1
    assert "they fit only if m = n" in out


def test_an_expression_from_a_file(command, tmp_path):
    file = tmp_path / "attention.txt"
    file.write_text(STEPS, encoding="utf-8")
    assert command("verify", "dQ = dS0 K", "--file", file)[0] == 0
    assert command("verify", "dQ = dS K", "--file", file)[0] == 1


def test_json(command):
    code, out, _ = command("verify", "dq_i = Σ_j g_ij k_j", "--for", STEPS, "--name", "G=dS0", "--format", "json")
    found = json.loads(out)
    assert (code, found["version"], found["verdict"], found["counterexample"]) == (0, 1, "proved", None)
    code, out, _ = command("verify", "dq_i = Σ_j g_ij k_j", "--for", STEPS, "--name", "G=dS", "--format", "json")
    found = json.loads(out)
    assert (code, found["verdict"]) == (1, "refuted")
    assert set(found["counterexample"]) == {"sizes", "numbers", "matrices", "entry", "derived", "claimed"}
    assert set(found["reason"]) == set(found["scope"]) == {"en", "ja"}


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["dQ = dS ¿", "--for", ATTENTION], "¿"),
        (["dQ = dS K", "--for", "softmax(Q"], "not complete"),
        (["dQ = dS K", "--for", ATTENTION, "--name", "G"], "expected NAME=MEANING"),
        (["dQ = dS K", "--for", ATTENTION, "--lang", "fr"], "expected en or ja"),
        (["dQ = dS K"], "with --for"),
        (["dQ = dS K", "--for", ATTENTION, "--file", "x"], "both --for and --file are given"),
        (["-", "--for", "-"], "only one of"),
    ],
)
def test_what_cannot_be_read_exits_with_2(command, arguments, part):
    code, out, err = command("verify", *arguments)
    assert (code, out) == (2, "")
    assert part in err


def test_undecidable_is_told_and_strict_makes_it_a_failure(command):
    claim = "dA = exp(log(dZ V^T))"
    code, out, _ = command("verify", claim, "--for", ATTENTION)
    assert code == 0
    assert out.startswith("undecidable: ")
    assert out.endswith("The claim is neither proved nor refuted.\n")
    assert command("verify", claim, "--for", ATTENTION, "--strict")[0] == 1
