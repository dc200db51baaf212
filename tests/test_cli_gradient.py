"""The command `gradient`: formulas, verdicts, formats, and one line where something is wrong."""

import json

import pytest

ATTENTION = "softmax(Q K^T / sqrt(d_k)) V"
FORMULAS = """\
  dQ = dS K / sqrt(d_k)  [proved]
  dK = dS^T Q / sqrt(d_k)  [proved]
  dV = A^T dZ  [proved]
"""


def test_attention_as_a_person_would_write_it(command):
    code, out, err = command("gradient", ATTENTION, "--wrt", "Q,K,V")
    assert (code, err) == (0, "")
    assert out.endswith("\nGradients\n\n" + FORMULAS)
    for line in ("S = Q K^T / sqrt(d_k)", "A = softmax(S)", "Z = A V", "dA = dZ V^T"):
        assert f"  {line}  [proved]\n" in out
    assert "  dS = A ⊙ (dA - broadcast(rowsum(A ⊙ dA), m))  [proved]\n" in out
    assert "Q is used in S." in out


def test_results_alone_in_both_languages(command):
    code, out, _ = command("gradient", ATTENTION, "--detail", "results", "--lang", "en,ja")
    assert code == 0
    sizes = "Q: n x d_k, K: m x d_k, V: m x d_v"
    forward = "Forward\n\n  S = Q K^T / sqrt(d_k)  [proved]\n  A = softmax(S)  [proved]\n  Z = A V  [proved]\n"
    about = "dZ stands for the gradient of a loss with respect to Z, and has the size of Z."
    assert out.startswith(
        f"Gradient of Z with respect to Q, K, V\n\nSizes: {sizes}\n\n{forward}\nBackward\n\n  {about}\n\n  dA = "
    )
    assert f"Gradients\n\n{FORMULAS}" in out
    assert f"Z の Q, K, V に関する勾配\n\n大きさ：{sizes}\n\n順方向\n\n  S = Q K^T / sqrt(d_k)  [証明済み]\n" in out
    assert "Softmax" not in out


def test_entry_by_entry_each_line_names_its_rule(command):
    code, out, _ = command("gradient", "Q K^T", "--wrt", "Q,K", "--detail", "entries", "--cotangent", "G")
    assert code == 0
    for line in ("∂L/∂q_i = Σ_j ∂L/∂y_ij k_j", "∂L/∂k_j = Σ_i ∂L/∂y_ij q_i"):
        assert f" {line}  [for whole rows]" in out
    assert "[chain rule]" in out
    assert out.count("(1) chain rule: ") == 1


def test_where_there_is_no_index_form_the_reason_is_given(command):
    code, out, _ = command("gradient", "ReLU(X)", "--detail", "entries")
    assert code == 0
    assert "Entry by entry: X\n\n  There is no index form here (" in out


def test_a_shared_line_is_counted_once_for_each_use(command):
    code, out, _ = command("gradient", "h = x ⊙ x\ny = h + h ⊙ h")
    assert code == 0
    assert "dh = dy + 2 (dy ⊙ h)" in out
    assert "dx = 2 (dh ⊙ x)" in out


def test_lines_from_a_file_and_a_result_on_the_way(command, tmp_path):
    path = tmp_path / "model.txt"
    path.write_text("# a comment\nA = softmax(S)\nZ = A V\n", encoding="utf-8")
    code, out, _ = command("gradient", "--file", path, "--wrt", "A", "--cotangent", "G")
    assert code == 0
    assert out.endswith("  dA = G V^T  [proved]\n")


def test_a_loss_has_the_cotangent_1_and_an_assumption_is_stated(command):
    code, out, _ = command("gradient", "CrossEntropy(L, Y)", "--wrt", "L", "--distributions", "Y")
    assert code == 0
    assert "J is the loss: its gradient with respect to itself is 1." in out
    assert out.endswith("Gradients\n\n  Every row of Y is assumed to add up to 1.\n  dL = (P - Y) / n  [proved]\n")
    _, out, _ = command("gradient", "CrossEntropy(L, Y)", "--wrt", "L")
    assert "rowsum(Y)" in out.splitlines()[-1]
    assert "assumed" not in out


def test_json_says_it_all(command):
    code, out, _ = command("gradient", ATTENTION, "--wrt", "Q", "--format", "json")
    data = json.loads(out)
    assert code == 0
    assert list(data) == ["version", "expression", "letters", "steps", "gradients", "assumptions"]
    assert (data["version"], data["expression"]) == (1, ATTENTION)
    assert data["letters"] == {"Q": ["n", "d_k"], "K": ["m", "d_k"], "V": ["m", "d_v"]}
    assert [(s["name"], s["kind"]) for s in data["steps"]] == [
        ("S", "forward"), ("A", "forward"), ("Z", "forward"), ("dA", "gradient"), ("dS", "gradient"), ("dQ", "gradient"),
    ]  # fmt: skip
    assert all(set(s) == {"name", "kind", "text", "latex", "rule", "verdict"} for s in data["steps"])
    assert {s["verdict"] for s in data["steps"]} == {"proved"}
    assert all(s["rule"]["en"] and s["rule"]["ja"] for s in data["steps"])
    assert data["gradients"]["Q"] == {
        "text": "dQ = dS K / sqrt(d_k)",
        "latex": r"\mathit{dQ} = \frac{\mathit{dS} \, K}{\sqrt{d_{k}}}",
    }


def test_latex_is_a_whole_document(command):
    code, out, _ = command("gradient", ATTENTION, "--format", "latex", "--lang", "ja")
    assert code == 0
    assert out.startswith("% symtransformer")
    assert out.rstrip().endswith(r"\end{document}")
    assert r"\mathit{dV} &= A^{\mathsf T} \, \mathit{dZ}" in out
    assert "検証されていません" not in out


def test_numpy_takes_the_letters_in_the_order_in_which_they_were_written(command):
    code, out, _ = command("gradient", "CrossEntropy(L, Y)", "--format", "numpy", "--wrt", "L")
    assert code == 0
    assert "def forward(L, Y):" in out
    assert "def gradient(L, Y, cotangent=None):" in out
    assert '        "L": of_shape(dL, L),\n    }' in out


def test_numpy_names_the_cotangent_and_takes_no_distributions(command):
    code, out, _ = command("gradient", "X W", "--format", "numpy", "--cotangent", "G")
    assert code == 0
    assert "def gradient(X, W, G):" in out
    code, out, err = command(
        "gradient", "CrossEntropy(L, Y)", "--wrt", "L", "--distributions", "Y", "--format", "numpy"
    )
    assert (code, out) == (2, "")
    assert err.startswith("symtransformer: --distributions: a NumPy module is for any numbers")
    code, out, err = command("gradient", "X W", "--format", "numpy", "--cotangent", "X")
    assert (code, out) == (2, "")
    assert "X stands for something else already" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((ATTENTION, "--wrt", "q"), "the inputs are Q, K, V"),
        (("X W_Q", "--wrt", "W_q"), "did you mean W_Q?"),
        (("A = B C\nD E", "--wrt", "B"), "does not depend on B"),
        ((ATTENTION, "--cotangent", "K"), "K stands for something else already"),
        ((ATTENTION, "--cotangent", "d Z"), "is not a name"),
        (("softmax(Q",), "a closing ) is missing"),
        (("Q",), "bare matrix"),
        ((), "give an expression or --file"),
        ((ATTENTION, "--file", "x.txt"), "give an expression or --file"),
        (("--file", "missing.txt"), "No such file"),
        ((ATTENTION, "--lang", "fr"), "expected en or ja"),
        ((ATTENTION, "--format", "pdf"), "pdf"),
    ],
)
def test_one_clear_line_where_something_is_wrong(command, arguments, message):
    code, out, err = command("gradient", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.startswith("symtransformer: ")
    assert "Traceback" not in err


def test_a_number_is_no_matrix_to_differentiate_by(command):
    code, _, err = command("gradient", "W - eta G", "--wrt", "eta")
    assert code == 2
    assert "eta is a number, and gradients are with respect to matrices; the inputs are W, G" in err


def test_the_cotangent_of_a_loss_may_be_said_to_be_1(command):
    plain = command("gradient", "CrossEntropy(L, Y)", "--wrt", "L")
    assert command("gradient", "CrossEntropy(L, Y)", "--wrt", "L", "--cotangent", "1") == plain
    code, out, err = command("gradient", "Q K^T", "--wrt", "Q", "--cotangent", "1")
    assert (code, out) == (2, "")
    assert err.startswith("symtransformer: --cotangent: 1 is for a loss, which is one number; the result is n x ")


@pytest.mark.parametrize(
    ("expression", "name"),
    [
        ("CrossEntropy(L, SmoothedTargets(Y, 0.1))", "Y2_ls"),
        ("RecurrentStep(RecurrentStep(s, x, W, U, b), y, W, U, b)", "H2_new"),
        ("GradientStep(GradientStep(W, G, eta), H, eta)", "W2_new"),
    ],
)
def test_two_parts_of_one_usual_name_are_told_apart(command, expression, name):
    code, out, err = command("gradient", expression)
    assert (code, err) == (0, "")
    assert f"{name} = " in out
    assert out.count("[proved]") > 3


def test_letters_of_one_sign_are_refused_where_entries_are_written(command):
    expression = "AdditiveAttention(Q, K, V, W, U, v)"
    code, out, err = command("gradient", expression, "--format", "latex")
    assert (code, out) == (2, "")
    assert "entries of V and of v would be written alike" in err
    code, out, err = command("gradient", expression, "--detail", "entries")
    assert (code, err) == (0, "")
    assert "There is no index form here" in out
    assert "∂L/∂v" not in out


@pytest.mark.parametrize(
    ("arguments", "said"), [(("I",), "no letter stands in it"), (("X W", "--wrt", ","), "wrt: expected letters")]
)
def test_a_gradient_by_no_letter_is_refused(command, arguments, said):
    code, out, err = command("gradient", *arguments)
    assert (code, out, said in err) == (2, "", True)
