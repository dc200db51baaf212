"""Sizes that a document gives its letters are used in identities, in formulas, and for numbers.

Each verdict follows from the sizes alone: rows times columns, written beside it.
"""

import json
import re

import pytest

from symtransformer import check

ACCEPTED = {"right", "right_if_rounded", "by_convention", "proved", "tested"}


def equations(text, name="notes.md"):
    return check(text, name=name).files[0].equations


def last(text, name="notes.md"):
    return equations(text, name)[-1]


# -- sizes that are told ----------------------------------------------------------------------------------------------
TOLD_2_BY_3 = [
    r"$A \in \mathbb{R}^{2\times 3}$, $B \in \mathbb{R}^{2 \times 3}$.",
    "A, B ∈ R^{2×3}",
    "A ∈ ℝ^{2×3} and B ∈ ℝ^(2×3)",
    r"\(A, B \in \R^{2\times3}\)",
    "Let A be a 2 × 3 matrix. Let B be a 2 × 3 matrix.",
    "A は 2×3 行列、B は 2 行 3 列の行列とする。",
    r"$A,B\in\mathbb{R}^{n\times m}$",
]


@pytest.mark.parametrize("told", TOLD_2_BY_3)
def test_a_product_of_two_matrices_of_one_size_does_not_fit(told):
    """A B of 2 × 3 and 2 × 3 has inner sizes 3 and 2; A Bᵀ is 2 × 2."""
    unfit, defined, fit, added = equations(
        f"{told}\n\n$(A B)^T = B^T A^T$\n\n$C = A B$\n\n$(A B^T)^T = B A^T$\n\n$A + B = B + A$\n"
    )
    assert unfit.verdict == "shapes"
    assert defined.verdict == "shapes" or "n" in told.partition("R}")[2]
    assert (fit.verdict, added.verdict) == ("proved", "proved")


@pytest.mark.parametrize(
    ("told", "line", "verdict"),
    [
        ("$W ∈ R^{2×3}$, $x ∈ R^3$", "$y = W x$", "definition"),
        ("$W ∈ R^{2×3}$, $x ∈ R^2$", "$y = x W$", "definition"),
        ("$W ∈ R^{2×3}$, $x ∈ R^4$", "$y = W x$", "shapes"),
        ("$W ∈ R^{2×3}$, $x ∈ R^3$", "$(W x)^T = x^T W^T$", "proved"),
        ("$W ∈ R^{2×3}$, $x ∈ R^4$", "$(W x)^T = x^T W^T$", "shapes"),
        ("$A ∈ R^{2×3}$, $B ∈ R^{3×4}$, $C ∈ R^{2×4}$", "$C = A B$", "definition"),
        ("$A ∈ R^{2×3}$, $B ∈ R^{3×4}$, $C ∈ R^{4×2}$", "$C = A B$", "shapes"),
        ("$Q ∈ R^{n×d_k}$, $K ∈ R^{m×d_k}$", "$(Q K^T)^T = K Q^T$", "proved"),
        ("$Q ∈ R^{n×d_k}$, $K ∈ R^{m×d_k}$, $X ∈ R^{n×d}$", "$K = X W_K$", "definition"),
        (r"$A \in \mathbb{R}^{2\times 3\times 4}$", "$(A B)^T = B^T A^T$", "proved"),
        ("$u, v ∈ R^{n×1}$", "$u^T v = v^T u$", "proved"),
        ("$A ∈ R^{2×3}$, $B ∈ R^{2×3}$", "$c A + B = B + c A$", "proved"),
    ],
)
def test_sizes_told_in_words_are_used(told, line, verdict):
    assert last(f"{told}\n\n{line}\n").verdict == verdict


@pytest.mark.parametrize(
    ("size", "line", "verdict"),
    [("4×2", "W X", "definition"), ("4×3", "W X", "shapes"), ("3×4", "X W", "definition"), ("2×4", "X W", "shapes")],
)
def test_numbers_beside_what_is_told(size, line, verdict):
    """X is 2 × 3, by its entries."""
    found = last(f"$W ∈ R^{{{size}}}$ and $X = [[1, 2, 3], [4, 5, 6]]$\n\n$K = {line}$\n")
    assert found.verdict == verdict
    assert verdict != "shapes" or "X is 2 x 3" in found.words.en


def test_columns_have_no_product():
    """u v of n × 1 and n × 1 fits for n = 1 only."""
    assert last("$u, v ∈ R^{n×1}$\n\n$u v = v u$\n").verdict not in ACCEPTED


def test_sizes_told_behind_the_line_are_used():
    claim = "$(A B)^T = B^T A^T$"
    assert last(f"{claim}\n\nwhere $A ∈ R^{{2×3}}$ and $B ∈ R^{{2×3}}$.\n").verdict == "shapes"
    assert last(f"{claim} with $A ∈ R^{{2×3}}$ and $B ∈ R^{{2×3}}$.\n").verdict == "shapes"
    assert last(f"{claim}\n\nAnother exercise has $A ∈ R^{{2×3}}$ and $B ∈ R^{{2×3}}$.\n").verdict == "proved"


@pytest.mark.parametrize(
    ("told", "given", "verdict"),
    [
        ("$A ∈ R^{2×3}$", "A = [[1, 2], [3, 4]]", "shapes"),
        ("$A ∈ R^{2×2}$", "A = [[1, 2], [3, 4]]", "definition"),
        ("$x ∈ R^3$", "x = [1, 2]", "shapes"),
        ("$x ∈ R^3$", "x = [1, 2, 3]", "definition"),
        ("$x ∈ R^{3×1}$", "x = [1, 2, 3]", "definition"),
        ("$x ∈ R^n$", "x = [1, 2, 3]", "definition"),
        ("Let A be a 3 by 2 matrix.", "A = [[1, 2], [3, 4]]", "shapes"),
    ],
)
def test_numbers_have_the_size_that_is_told(told, given, verdict):
    equation = last(f"{told}\n\n{given}\n")
    assert equation.verdict == verdict
    assert verdict != "shapes" or re.search("[ぁ-ん]", equation.words.ja)


@pytest.mark.parametrize("line", [r"$(A B)^T = B^T A^T$", r"$\log 100 = 4.605$"])
@pytest.mark.parametrize("name", ["notes.ipynb", "notes.tex", "notes.html"])
def test_what_is_told_is_heeded_in_every_kind_of_document(name, line):
    told = r"Let $A, B \in \mathbb{R}^{2\times 3}$. Logarithms are to base 10."
    cells = [{"cell_type": "markdown", "metadata": {}, "source": [text]} for text in (told, line)]
    documents = {
        "notes.ipynb": json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}),
        "notes.tex": rf"\documentclass{{article}}\begin{{document}}{told}" + "\n\n" + line + r"\end{document}",
        "notes.html": f"<html><body><p>{told}</p><p>{line}</p></body></html>".replace("$(", r"\((").replace(
            "T$", r"T\)"
        ),
    }
    assert not [e for e in equations(documents[name], name) if e.verdict in ACCEPTED]
