"""Pages with lines in index notation: what is written, in both languages and formats, at each level of detail."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from sympy import Sum

from symtransformer import Section, Words, derive, differentiate, dimension, matrix, render, verify
from symtransformer.dialects import LATEX, TEXT
from symtransformer.errors import UnreadableInput
from symtransformer.index_letters import index_letter
from symtransformer.index_notation import index_form, softmax_jacobian
from symtransformer.operations import LayerNorm
from symtransformer.rendering.index_formulas import IndexFormulas
from symtransformer.sections import IndexLine

FOLDER = Path(__file__).parents[2] / "derivations"
n, m, d = dimension("n"), dimension("m"), dimension("d")
i, j, c = map(index_letter, "ijc")


@cache
def page_of(detail="steps", form="txt", language="en"):
    return render(verified(), form, language, detail=detail)


@cache
def verified():
    spec = importlib.util.spec_from_file_location("proof_query_key_index", FOLDER / "proof_query_key_index.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return verify(module.derivation)


def written(line, dialect=TEXT):
    formulas = IndexFormulas(line, dialect, frozenset())
    return f"{formulas.left()} = {' '.join(formulas.right())}"


# -- the worked page -------------------------------------------------------------------------------------------
def test_every_step_and_every_line_of_the_page_is_proved():
    judged = verified()
    assert {verdict.kind for verdict in judged.verdicts.values()} == {"proved"}
    assert judged.count_lines("proved") == len(judged.lines) == 52
    assert "# index lines: 52: 52 proved, 0 tested, 0 undecidable, 0 refuted" in page_of()


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("detail", ["results", "steps", "entries"])
def test_the_page_says_the_formulas_of_the_chapter(detail, language):
    lines = [re.sub(r" +\[.*\]$", "", line) for line in page_of(detail, "txt", language).splitlines()]
    said = {re.sub(r"^ *\(\d+\) ", "", line) for line in lines}
    assert {
        "g_ij = (1/sqrt(d_k)) ∂L/∂t_ij" if detail == "results" else "g_ij = Σ_l Σ_p ∂L/∂t_lp ∂t_lp/∂s_ij",
        "∂L/∂q_i = Σ_j g_ij k_j",
        "∂L/∂k_j = Σ_i g_ij q_i",
        "∂L/∂Q = G K",
        "∂L/∂K = G^T Q",
        "∂L/∂w^Q_b = Σ_i x_ib ∂L/∂q_i",
        "∂L/∂w^K_b = Σ_i x_ib ∂L/∂k_i",
        "∂L/∂w^V_b = Σ_i x_ib ∂L/∂v_i",
        "∂L/∂v_j = Σ_i a_ij ∂L/∂z_i",
        "∂L/∂X = (∂L/∂Q) W_Q^T + (∂L/∂K) W_K^T + (∂L/∂V) W_V^T",
    } <= said


def test_rules_are_named_at_their_line_and_explained_once():
    page = page_of()
    assert page.count("[a delta in a sum picks one term]") == 6
    assert page.count("a delta in a sum picks one term: Only the term") == 1
    assert page_of("steps", "txt", "ja").count("δ を含む和は 1 項だけ残る：δ の 2 つの添字が等しい項だけが残り") == 1
    assert "[" not in page_of("results").split("The gradient with respect to a query")[1].split("In numbers")[0]


def test_numbers_of_lines_go_through_the_page():
    numbers = [int(k) for k in re.findall(r"^ +\((\d+)\) ", page_of(), re.M)]
    assert numbers == list(range(1, 53))
    assert [int(k) for k in re.findall(r"\\tag\{(\d+)\}", page_of("steps", "tex"))] == numbers


def test_a_worksheet_leaves_a_gap_for_each_result():
    page = page_of("problem")
    assert "∂L/∂q_i = ___" in page
    assert "Σ" not in page
    assert "δ" not in page


def test_latex_of_the_page():
    page = page_of("steps", "tex")
    assert r"\frac{\partial L}{\partial q_{i}} &= \sum_{j=1}^{n} g_{ij} k_{j}" in page
    assert r"\frac{\partial L}{\partial k_{j}} &= \sum_{i=1}^{n} g_{ij} q_{i}" in page
    assert r"\sum_{l=1}^{n} \sum_{j=1}^{n} g_{lj} \frac{\partial s_{lj}}{\partial q_{ic}}" in page
    assert r"\delta_{bc} \delta_{il}" in page
    assert page.count(r"\begin{align*}") == page.count(r"\end{align*}")
    japanese = page_of("steps", "tex", "ja")
    assert re.findall(r"\\tag\{\d+\}", japanese) == re.findall(r"\\tag\{\d+\}", page)
    assert r"\textit" not in japanese


def test_the_numbers_of_the_page_are_those_of_finite_differences():
    """dQ and dK on the page against central differences of softmax attention in NumPy."""
    X = np.array([[1, 0], [0, 1], [1, 1]], dtype=float)
    V, upstream = X @ np.array([[1.0], [-1]]), np.array([[1.0], [0], [2]])

    def loss(queries, keys):
        powers = np.exp(queries @ keys.T / np.sqrt(2))
        return np.sum(upstream * (powers / powers.sum(axis=1, keepdims=True) @ V))

    at = [X @ np.array([[1.0, 0], [0, 2]]), X @ np.array([[0.0, 1], [1, 0]])]
    page = page_of("results")
    for which, name in ((0, "dQ"), (1, "dK")):
        slopes = np.zeros_like(at[which])
        for place in np.ndindex(slopes.shape):
            sides = []
            for step in (1e-5, -1e-5):
                moved = [a.copy() for a in at]
                moved[which][place] += step
                sides.append(loss(*moved))
            slopes[place] = (sides[0] - sides[1]) / 2e-5
        shown = re.search(rf"^  {name} ≈ \[\[(.*)\]\]$", page, re.M)[1]
        rows = [[float(x) for x in row.split(", ")] for row in shown.split("], [")]
        assert np.allclose(rows, slopes, atol=6e-5), name


# -- how formulas are written ------------------------------------------------------------------------------------
def test_the_jacobian_of_softmax_as_it_is_written_by_hand():
    lines = softmax_jacobian(matrix("S", n, m), matrix("A", n, m), matrix("U", n, m), matrix("c", n, 1))
    assert [written(line) for line in lines] == [
        "∂a_ij/∂s_il = ∂/∂s_il (u_ij / c_i)",
        "∂a_ij/∂s_il = (1/c_i) ∂u_ij/∂s_il - (1/c_i^2) u_ij ∂c_i/∂s_il",
        "∂a_ij/∂s_il = (1/c_i) ∂u_ij/∂s_il - (1/c_i^2) u_ij Σ_p ∂u_ip/∂s_il",
        "∂a_ij/∂s_il = δ_jl u_ij / c_i - (1/c_i^2) u_ij Σ_p δ_lp u_ip",
        "∂a_ij/∂s_il = δ_jl u_ij / c_i - u_ij u_il / c_i^2",
        "∂a_ij/∂s_il = δ_jl a_ij - a_ij a_il",
        "∂a_ij/∂s_il = a_ij (δ_jl - a_il)",
    ]
    assert written(lines[-1], LATEX) == (
        r"\frac{\partial a_{ij}}{\partial s_{il}} = a_{ij} \left(\delta_{jl} - a_{il}\right)"
    )


def test_the_loss_gets_another_name_where_a_letter_bears_its_own():
    X = matrix("X", n, d)
    gradient = differentiate(LayerNorm(X, matrix("gamma", d, 1), matrix("beta", d, 1)))
    assert "L" in {step.name for step in gradient.derivation.steps}
    assert written(index_form(gradient, "X").lines[-1]) == (
        "∂J/∂x_ia = (1/sigma_i) (∂J/∂l_ia - (1/d) Σ_c ∂J/∂l_ic - (1/d) l_ia Σ_c ∂J/∂l_ic l_ic)"
    )


def test_a_sum_over_a_part_of_its_range_says_so():
    A, x = matrix("A", n, m), Words("rule", "規則")
    whole = IndexLine(A[i, 0], Sum(A[i, j], (j, 0, m - 1)), x, x)
    part = replace(whole, right=Sum(A[i, j], (j, 1, m - 1)))
    assert (written(whole), written(part)) == ("a_i1 = Σ_j a_ij", "a_i1 = Σ_(j=2..m) a_ij")
    assert written(part, LATEX) == r"a_{i1} = \sum_{j=2}^{m} a_{ij}"


def test_a_long_side_is_broken_before_a_sign():
    for line in page_of().splitlines():
        assert len(line) <= 100, line
    first = next(k for k, line in enumerate(page_of().splitlines()) if "∂L/∂x_ic = " in line)
    assert page_of().splitlines()[first + 1].lstrip().startswith("+ Σ_j Σ_b")


def test_lines_of_a_section_are_records():
    with pytest.raises(UnreadableInput, match=r"lines expects a tuple of IndexLine\(\.\.\.\)"):
        Section(Words("Lines", "式"), lines=("a = b",))
    section = Section(
        Words("Lines", "式"), lines=list(index_form(differentiate(derive(matrix("X", n, d).T)), "X").lines)
    )
    assert isinstance(section.lines, tuple)
