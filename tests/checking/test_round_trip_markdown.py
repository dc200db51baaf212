"""Markdown pages are read back as pages in LaTeX are: no relation lost, none called wrong, a planted error found."""

import re

import pytest
from output_pages import derivation_of
from test_round_trip import ACCEPTED, ACCUSING, NUMERIC, PREFACE, excused, of_latex

from symtransformer import check, render
from symtransformer.documents import read_document, relations
from symtransformer.errors import UnreadableInput
from symtransformer.reading import read_expression
from symtransformer.rendering import Notation

PROFILES = ("md", "md-github", "md-jupyter")
QUICK = {
    ("explainer_chapter_4", "md", "en"),
    ("explainer_chapter_4", "md-github", "ja"),
    ("training", "md-jupyter", "en"),
}
WITH_PARAMETER = re.compile(r"(?<![A-Za-z\\])(?:t|\\tau)(?![A-Za-z])")  # a letter that stands for every number
PROOFS = ("proof_softmax_gradient", "proof_attention_gradient")


def of_markdown(page):
    """Signs that relate, in formulas and in words."""
    return of_latex(r"\begin{document}" + re.sub(r"<!--.*?-->", "", page, flags=re.DOTALL).replace("≈", r"\approx "))


def in_time(cases):
    return [pytest.param(*case, marks=[] if case in QUICK else [pytest.mark.slow]) for case in cases]


CASES = [(stem, form, language) for stem in NUMERIC for form in PROFILES for language in ("en", "ja")]


@pytest.mark.parametrize(("stem", "form", "language"), in_time(CASES))
def test_every_relation_of_a_page_with_numbers_is_found_and_right(stem, form, language):
    page = render(derivation_of(stem), form, language)
    report = check(page, name="page.md", against=derivation_of(stem))
    assert len(relations(read_document(page.encode(), "page.md"))) == of_markdown(page) - PREFACE
    found = [e for e in report.equations if e.code not in ("condition", "deadline")]  # ε ≥ 0, in words; a slow machine
    left = [e for e in found if e.verdict not in ACCEPTED and not excused(stem, e)]
    assert not left, [(e.line, e.verdict, e.code, e.text[:100]) for e in left]
    assert sum(e.verdict == "right" for e in report.equations) > 50


def left_over(equations, stem, detail):
    """What is not right; for entries and results alone not everything can be told, but nothing is accused."""
    left = [e for e in equations if e.verdict not in ACCEPTED and not excused(stem, e)]
    if detail == "entries":
        assert len(left) < 0.1 * len(equations)
        return [e for e in left if e.verdict in ACCUSING]
    if detail == "results":
        return [e for e in left if e.verdict in ACCUSING or not WITH_PARAMETER.search(e.text)]
    return left


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("detail", ["results", "entries"])
@pytest.mark.parametrize("form", PROFILES)
@pytest.mark.parametrize("stem", NUMERIC)
def test_results_alone_and_every_entry(stem, form, detail, language):
    page = render(derivation_of(stem), form, language, detail=detail)
    report = check(page, name="page.md", against=derivation_of(stem))
    assert len(report.equations) == of_markdown(page) - PREFACE
    found = [e for e in report.equations if e.code not in ("condition", "deadline")]
    left = left_over(found, stem, detail)
    assert not left, [(e.line, e.verdict, e.code, e.text[:100]) for e in left]


@pytest.mark.parametrize("form", PROFILES)
def test_a_page_in_another_notation_is_read_back_in_it(form):
    notation = Notation(
        decimal=",", matrices="bold", brackets="round", transpose="⊤", labels="superscript", names={"S": "Score"}
    )
    derivation = derivation_of("explainer_chapter_4")
    page = render(derivation, form, "ja", notation=notation)
    assert "0{,}7071" in page
    report = check(page, name="page.md", against=derivation, notation=notation)
    assert {e.verdict for e in report.equations} == {"right", "definition"}
    assert len(report.equations) > 100


@pytest.mark.parametrize(("stem", "form"), [("explainer_chapter_4", "md-github"), *((s, "md") for s in PROOFS)])
def test_a_page_alone_accuses_nobody(stem, form):
    page = render(derivation_of(stem), form, "ja")
    equations = check(page, name="page.md").equations
    accused = [e for e in equations if e.verdict in ACCUSING and not excused(stem, e)]
    assert equations
    assert not accused, [(e.line, e.verdict, e.code, e.text[:100]) for e in accused]


@pytest.mark.parametrize("form", PROFILES)
@pytest.mark.parametrize("stem", ["explainer_chapter_4", *PROOFS])
def test_the_formula_of_every_step_is_read_as_the_tree_that_it_came_from(stem, form):
    derivation = derivation_of(stem)
    page = render(derivation, form, "ja")
    found = relations(read_document(page.encode(), "page.md"))
    shapes = {x.name: x.shape for x in (*derivation.inputs, *(step.letter for step in derivation.steps))}
    for step in derivation.steps:
        left = step.letter._written("latex")
        own = [r.right.text for r in found if r.left.text.strip() == left]
        assert ({step.expression, step.coarse} - {None}) & {read(text, shapes) for text in own}, (step.letter, own)


def read(text, shapes):
    try:
        return read_expression(text, shapes=shapes).expression
    except UnreadableInput:  # numbers, or a bare letter
        return None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"\mathbf{0.7071} & \mathbf{0.3536}", r"\mathbf{0.7071} & \mathbf{0.3546}"),
        (r"= \frac{R}{\sqrt{d_{k}}}", r"= \frac{R}{d_{k}}"),
        (r"= a_{2} V", r"= a_{1} V"),
        (r"e^{\sqrt{2}/4} \approx 1.4241", r"e^{\sqrt{2}/4} \approx 1.4142"),
    ],
)
@pytest.mark.parametrize("form", PROFILES)
def test_a_planted_error_is_found(form, old, new):
    page = render(derivation_of("explainer_chapter_4"), form, "ja")
    assert page.count(old) >= 1
    report = check(page.replace(old, new, 1), name="page.md", against=derivation_of("explainer_chapter_4"))
    assert any(e.verdict in ACCUSING for e in report.equations)
