"""What notebooks show: by IPython itself, in both languages; and the magic that checks a cell."""

import json
import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from symtransformer import check, derive, differentiate, dimension, evaluate, matrix, render, verify
from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.jupyter import LANGUAGE, bundle_of, checked_cell, shown
from symtransformer.operations import ScaledDotProductAttention, SingleHead, Softmax

n, m, d_k, d_v = map(dimension, ("n", "m", "d_k", "d_v"))
Q, K, V = matrix("Q", n, d_k), matrix("K", m, d_k), matrix("V", m, d_v)
VALUES = {Q: [[1, 0], [0.5, 1]], K: [[1, 1], [0, 1], [2, 0]], V: [[1], [0], [3]]}
ATTENTION = ScaledDotProductAttention(Q, K, V)
CLAIM = "dK = dS^T Q / sqrt(d_k)"


@pytest.fixture(autouse=True)
def english(monkeypatch):
    monkeypatch.delenv(LANGUAGE, raising=False)


@pytest.fixture
def shell():
    pytest.importorskip("IPython")
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()
    shell.run_line_magic("load_ext", "symtransformer")
    yield shell
    shell.history_manager.end_session()


def test_an_expression_is_latex_and_plain_text():
    assert shown(Softmax(Q @ K.T)) == {
        "text/plain": "softmax(Q K^T)",
        "text/latex": r"$\displaystyle \operatorname{softmax}\!\left(Q K^{\mathsf T}\right)$",
    }
    assert shown(derive(ATTENTION)["S"])["text/latex"] == r"$\displaystyle S = \frac{Q K^{\mathsf T}}{\sqrt{d_{k}}}$"


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_derivation_is_its_page_without_the_comment(language, monkeypatch):
    monkeypatch.setenv(LANGUAGE, language)
    verified = verify(derive(ATTENTION, values=VALUES))
    bundle = shown(verified)
    assert list(bundle) == ["text/plain", "text/markdown"]
    assert render(verified, "md-jupyter", language).endswith("\n-->\n\n" + bundle["text/markdown"])
    assert render(verified, "txt", language).endswith("\n\n" + bundle["text/plain"] + "\n")
    assert "symtransformer 0" not in "".join(bundle.values())


def test_what_is_not_verified_says_so_and_what_is_refuted_too():
    assert shown(derive(ATTENTION))["text/markdown"].count("**This step has not been verified.**") == 3
    good = derive(ATTENTION)
    wrong = replace(good["S"], expression=good["S"].expression * 2)
    bundle = shown(verify(replace(good, steps=(wrong, *good.steps[1:]))))
    assert "This step is NOT true" in bundle["text/plain"]
    assert "**This step is NOT true" in bundle["text/markdown"]


def test_values_are_rounded_as_on_pages_and_exact_ones_have_an_equals_sign():
    W = matrix("W", 2, 2)
    bundle = shown(evaluate(derive({"P": W @ W, "A": Softmax(W @ W)}), {W: [[1, 0], [0, 0.5]]}))
    assert bundle["text/plain"].splitlines()[-2:] == [
        "  P = [[1, 0], [0, 0.25]]",
        "  A ≈ [[0.7311, 0.2689], [0.4378, 0.5622]]",  # 1/(1 + e^-1) and 1/(1 + e^0.25)
    ]
    assert r"A &\approx \begin{bmatrix}0.7311 & 0.2689" in bundle["text/markdown"]


def test_a_gradient_is_verified_when_it_is_shown():
    bundle = shown(differentiate(ATTENTION, "Q"))
    assert r"\mathit{dQ} = \frac{\mathit{dS} \, K}{\sqrt{d_{k}}}" in bundle["text/markdown"]
    assert "dQ = dS K / sqrt(d_k)" in bundle["text/plain"]
    assert "not been verified" not in bundle["text/markdown"]


@pytest.mark.parametrize(("claim", "words"), [
    (CLAIM, {"en": "**proved, for all sizes", "ja": "**証明済み（すべての大きさについて）"}),
    ("dK = dS^T Q / d_k", {"en": "**refuted**", "ja": "**誤り**"}),
    ("dK = dS Q", {"en": "**the sizes do not fit", "ja": "**大きさが合わない"}),
])  # fmt: skip
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_claim_says_what_was_found(claim, words, language):
    bundle = bundle_of(verify(claim, of="softmax(Q K^T / sqrt(d_k)) V"), language)
    assert bundle["text/markdown"].startswith(words[language])
    assert f"`{claim.split(' = ')[0]}" in bundle["text/markdown"]


def test_a_report_and_a_verdict():
    bundle = shown(check("1/3 ≈ 0.34"))
    assert "last place" in bundle["text/plain"]
    assert "`0.33`" in bundle["text/markdown"]
    verdict = verify(derive(ATTENTION)).verdicts["S"]
    assert shown(verdict)["text/markdown"].startswith("**proved**: ")
    assert bundle_of(verdict, "ja")["text/markdown"].startswith("**証明済み**")
    assert "same expression" not in bundle_of(verdict, "ja")["text/plain"]


def test_an_unknown_language_and_an_unknown_object_are_refused(monkeypatch):
    with pytest.raises(NotSupported):
        bundle_of(object(), "en")
    monkeypatch.setenv(LANGUAGE, "fr")
    with pytest.raises(UnreadableInput, match="en"):
        shown(Q)


def test_importing_the_library_loads_neither_this_nor_ipython():
    code = "import sys, symtransformer; print([m for m in sys.modules if m in ('IPython', 'sympy', 'symtransformer.jupyter')])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


# -- through IPython ----------------------------------------------------------------------------------------
def test_ipython_takes_latex_and_markdown_from_the_object_alone(shell):
    for subject, kind in ((Q @ K.T, "text/latex"), (differentiate(ATTENTION, "V"), "text/markdown")):
        formats, _ = shell.display_formatter.format(subject)
        assert formats == shown(subject)
        assert kind in formats


def published(shell, action):
    from IPython.core.displaypub import CapturingDisplayPublisher

    shell.display_pub = CapturingDisplayPublisher()
    action()
    return [output["data"] for output in shell.display_pub.outputs]


def displayed(shell, magic, line, cell):
    return published(shell, lambda: shell.run_cell_magic(magic, line, cell))


def in_a_notebook(shell, monkeypatch):
    shell.kernel = object()  # as a notebook has it
    monkeypatch.setattr("IPython.core.getipython.get_ipython", lambda: shell)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_notebook_draws_the_data_flow(shell, language, monkeypatch):
    monkeypatch.setenv(LANGUAGE, language)
    in_a_notebook(shell, monkeypatch)
    X, *weights = (
        matrix(name, *size) for name, size in (("X", (2, 3)), ("W_Q", (3, 2)), ("W_K", (3, 2)), ("W_V", (3, 1)))
    )
    verified = verify(derive(SingleHead(X, *weights)))
    first, drawn, rest = published(shell, lambda: shell.display_formatter.format(verified))
    whole = bundle_of(verified, language)
    assert [*first, *drawn, *rest] == [
        "text/plain",
        "text/markdown",
        "text/plain",
        "image/svg+xml",
        "text/plain",
        "text/markdown",
    ]
    picture = ElementTree.fromstring(drawn["image/svg+xml"])
    assert {x.text for x in picture.iter("{http://www.w3.org/2000/svg}tspan")} == set("QKVSAZXW")
    assert drawn["text/plain"] == picture.find("{http://www.w3.org/2000/svg}desc").text
    assert {"en": "A is made from S.", "ja": "A は S"}[language] in drawn["text/plain"]
    words = {"en": "How the steps use one another", "ja": "各段階のつながり"}[language]
    assert words in first["text/markdown"].splitlines()[-1]
    title = first["text/markdown"].split("\n\n")[:-1]
    assert "\n\n".join([*title, rest["text/markdown"]]) == whole["text/markdown"].strip("\n")
    assert rest["text/plain"] == whole["text/plain"]
    (style,) = [x.text for x in picture.iter("{http://www.w3.org/2000/svg}style")]
    assert all(
        rule.startswith(".symtransformer-flow ") for rule in style.split("}") if rule
    )  # nothing else in the notebook changes
    assert len(published(shell, lambda: shell.display_formatter.format(differentiate(ATTENTION, "V")))) == 3


def test_what_has_no_drawing_is_the_bundle_in_a_notebook_too(shell, monkeypatch):
    in_a_notebook(shell, monkeypatch)
    subject = derive(Softmax(Q))
    data = []
    assert published(shell, lambda: data.append(shell.display_formatter.format(subject)[0])) == []
    assert data == [shown(subject)]


NOTES = "Let $q = [1, 3]$, $K = [[2, 0], [0.5, 1]]$ and $d_k = 2$.\n\nThe scores are $q K^T / \\sqrt{d_k} ≈ [2.00, 3.50]$.\n"


def test_the_magic_shows_the_report_of_the_cell(shell):
    (data,) = displayed(shell, "check", "", NOTES)
    assert "1.41" in data["text/plain"]  # 2 / √2
    assert "2.47" in data["text/markdown"]  # 3.5 / √2
    assert "cell:4:" in data["text/plain"]  # as the notebook counts, whose first line is %%check
    assert data == bundle_of(check("\n" + NOTES, name="cell", kind="markdown"), "en")
    (data,) = displayed(shell, "check", "--lang ja", NOTES)
    assert "計算の検査結果" in data["text/markdown"]


def test_the_magic_checks_against_a_derivation_of_the_notebook(shell):
    cell = "$S = [[0.71, 0.00, 1.41], [1.06, 0.71, 0.71]]$"  # by hand: Q Kᵀ = [[1, 0, 2], [1.5, 1, 1]], divided by √2
    shell.user_ns["attention"] = verify(derive(ATTENTION, values=VALUES))
    (data,) = displayed(shell, "check", "--against attention", cell.replace("1.41", "1.44"))
    assert "1.41" in data["text/plain"]
    (right,) = displayed(shell, "check", "--against attention", cell.replace("=", "≈"))
    assert "`1.41`" not in right["text/markdown"]


@pytest.mark.parametrize("line", ["--lang fr", "--against nothing", "--against /tmp/x.py", "--nonsense", "x", '"'])
def test_wrong_options_are_one_clear_line(line):
    with pytest.raises(UnreadableInput) as error:
        checked_cell(line, NOTES, {})
    assert "\n" not in str(error.value)


def test_help_is_help(capsys):
    assert checked_cell("--help", NOTES, {}) is None
    assert "--against" in capsys.readouterr().out


def test_nothing_in_a_checked_cell_is_run(shell, tmp_path):
    displayed(shell, "check", "", f"open({str(tmp_path / 'x')!r}, 'w') = 1")
    assert not list(tmp_path.iterdir())


def test_bundles_are_json():
    for subject in (Q, derive(ATTENTION), check("1 = 1")):
        assert json.loads(json.dumps(shown(subject))) == shown(subject)
