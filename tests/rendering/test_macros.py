"""Macros hold what the pages show: one for every value, in text and in formulas, and nothing that is not there."""

import re

import numpy as np
import pytest
from golden_cases import DERIVATIONS
from test_pages import chapter
from tex_runs import article, compiled, needs_tex

from symtransformer import render
from symtransformer.chosen_notation import Notation

SET = re.compile(r"^\\symset\{(\w+)/([^}]*)\}\{(.*)\}$", re.M)


def macros(subject, **options):
    found = SET.findall(render(subject, "texmacros", name="chapter", **options))
    keys = [(kind, key) for kind, key, _ in found]
    assert len(set(keys)) == len(keys)
    return {(kind, key): text for kind, key, text in found}


def attention():
    """The chapter's numbers by NumPy alone."""
    X, W_Q, W_K = np.eye(2), np.array([[0, 1], [1, 0]]), np.array([[1, 0], [0.5, 1]])
    V = np.array([[2, 0], [0, 4]])
    S = (X @ W_Q) @ (X @ W_K).T / np.sqrt(2)
    A = np.exp(S) / np.exp(S).sum(axis=1, keepdims=True)
    return {"S": S, "A": A, "Z": A @ V}


def test_the_values_are_those_of_the_chapter():
    found = macros(chapter())
    for name, matrix in attention().items():
        for (i, j), value in np.ndenumerate(matrix):
            assert float(found["value", f"{name}/{i + 1}/{j + 1}"]) == pytest.approx(value, abs=5.1e-5)
    assert found["exact", "S/2/2"] == r"\frac{\sqrt{2}}{4}"
    assert found["is", "S/2/2"] == r"\approx 0.3536"
    assert found["is", "W_K/2/1"] == "= 0.5"
    assert found["entry", "W_K/2/1"] == "w^{K}_{21}"
    assert found["formula", "S"] == r"\frac{R}{\sqrt{d_{k}}}"
    assert found["number", "d_k"] == "2"
    assert ("value", "S/3/1") not in found


@pytest.mark.parametrize("name", [name for name in DERIVATIONS if name not in ("refuted", "swept")])
def test_every_derivation_has_macros_whose_numbers_stand_on_its_page(name):
    subject = DERIVATIONS[name]()
    page = render(subject, "tex")
    found = macros(subject)
    assert found
    for (kind, key), text in found.items():
        if kind == "value" and key.split("/")[0] in {s.name for s in getattr(subject, "derivation", subject).steps}:
            assert text in page, key


def test_what_is_refuted_has_no_value():
    found = macros(DERIVATIONS["refuted"]())
    page = render(DERIVATIONS["refuted"](), "txt")
    assert "!!" in page
    steps = DERIVATIONS["refuted"]().derivation.steps
    assert {s.name for s in steps} - {key.split("/")[0] for kind, key in found if kind in ("value", "formula")}


def test_notation_and_digits_count():
    found = macros(chapter(), notation=Notation(decimal=",", labels="superscript"))
    assert found["value", "S/2/2"] == "0{,}3536"
    assert found["letter", "W_Q"] == "{W^{Q}}"


PROSE = r"""\input{chapter}
The weight \symentry{A}{2}{1}\ is \symvalue{A}{2}{1}, and $\symentry{S}{2}{2} \symis{S}{2}{2}$, or exactly
$\symexact{S}{2}{2}$; with $d_k = \symnumber{d_k}$, $\symletter{S} = \symformula{S} \symmatrixis{S}$."""


@needs_tex
@pytest.mark.parametrize("engine", ["lualatex", "pdflatex"])
def test_prose_with_macros_compiles_and_shows_the_numbers(tmp_path, engine):
    (tmp_path / "chapter.tex").write_text(render(chapter(), "texmacros", name="chapter"), "utf-8")
    code, log, words = compiled(tmp_path, article(PROSE), engine)
    assert code == 0, log[-500:]
    assert "Missing character" not in log
    assert "0.5875" in words
    assert "0.3536" in words


@needs_tex
def test_what_is_not_there_stops_tex(tmp_path):
    (tmp_path / "chapter.tex").write_text(render(chapter(), "texmacros", name="chapter"), "utf-8")
    for wrong, said in (
        (r"\symvalue{A}{3}{1}", "chapter has no value/A/3/1"),
        (r"\symuse{other}", "no values of other"),
    ):
        code, log, _ = compiled(tmp_path, article(rf"\input{{chapter}} {wrong}"))
        assert code != 0
        assert said in log


@needs_tex
def test_two_files_do_not_mix(tmp_path):
    (tmp_path / "one.tex").write_text(render(chapter(), "texmacros", name="one"), "utf-8")
    (tmp_path / "two.tex").write_text(render(DERIVATIONS["long_matrix"](), "texmacros", name="two"), "utf-8")
    body = r"\input{one}\input{two}\symuse{one} \symvalue{A}{2}{1} \symuse{two} \symletter{Y}"
    code, log, words = compiled(tmp_path, article(body))
    assert code == 0, log[-500:]
    assert "0.5875" in words
