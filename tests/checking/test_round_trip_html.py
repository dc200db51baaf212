"""HTML pages are read back as those in LaTeX and Markdown are: no relation lost, none called wrong, each said once.

The relations are counted by `plain_html`, in what a browser sets. Where the text that stands there without scripts has
other numbers, as in exp(-2) for 1/e², it is judged as well.
"""

from functools import cache
from html import unescape

import pytest
from output_pages import derivation_of
from plain_html import Formulas, signs_of_html
from test_round_trip import ACCUSING, NUMERIC, PREFACE, excused
from test_round_trip_markdown import left_over, read

from symtransformer import check, render
from symtransformer.documents import read_document, relations
from symtransformer.rendering import Notation

QUICK = {("explainer_chapter_4", "steps", "en"), ("training", "results", "ja")}
DETAILS = ("results", "steps", "entries")
PROOFS = ("proof_softmax_gradient", "proof_attention_gradient")


@cache
def page_of(stem, language, detail="steps"):
    return render(derivation_of(stem), "html", language, detail=detail)


def is_set(page, equation):
    """Whether it stands in what a script sets, or among the words; not in the text that a script replaces."""
    line = page.split("\n")[equation.line - 1][: equation.column - 1]
    tag = line[line.rfind("<") :]
    return "data-tex" not in tag or ">" not in tag.partition('data-tex="')[2].partition('"')[2]


def in_time(cases):
    return [pytest.param(*case, marks=[] if case in QUICK else [pytest.mark.slow]) for case in cases]


CASES = [(stem, detail, language) for stem in NUMERIC for detail in DETAILS for language in ("en", "ja")]


@pytest.mark.parametrize(("stem", "detail", "language"), in_time(CASES))
def test_every_relation_of_a_page_with_numbers_is_found_and_right(stem, detail, language):
    page = page_of(stem, language, detail)
    report = check(page, name="page.html", against=derivation_of(stem))
    equations = [e for e in report.equations if e.code not in ("condition", "deadline")]
    assert sum(is_set(page, e) for e in report.equations) == signs_of_html(page) - PREFACE
    left = left_over(equations, stem, detail)
    assert not left, [(e.line, e.verdict, e.code, e.text[:100]) for e in left]
    assert sum(e.verdict == "right" for e in equations) > 20
    assert {u.code for file in report.files for u in file.unread} <= {"hidden", "inside"}  # sliders; bounds of sums


def test_what_a_script_may_show_is_told():
    page = page_of("explainer_chapter_4", "en")
    document = read_document(page.encode(), "page.html")
    sliders = [n for n, line in enumerate(page.split("\n"), 1) if 'class="slider"' in line]
    assert sliders
    assert [(p.code, p.line) for p in document.problems] == [("hidden", line) for line in sliders]
    hidden = Formulas(page).hidden
    assert any("=" in formula for formula in hidden)


def test_a_page_in_another_notation_is_read_back_in_it():
    notation = Notation(
        decimal=",", matrices="bold", brackets="round", transpose="⊤", labels="superscript", names={"S": "Score"}
    )
    derivation = derivation_of("explainer_chapter_4")
    page = render(derivation, "html", "ja", notation=notation)
    assert "0{,}7071" in page
    report = check(page, name="page.html", against=derivation, notation=notation)
    assert {e.verdict for e in report.equations} == {"right", "definition"}
    assert len(report.equations) > 100


@pytest.mark.parametrize("stem", ["explainer_chapter_4", *PROOFS])
def test_a_page_alone_accuses_nobody(stem):
    equations = check(page_of(stem, "ja"), name="page.html").equations
    assert equations
    accused = [e for e in equations if e.verdict in ACCUSING and not excused(stem, e)]
    assert not accused, [(e.line, e.verdict, e.code, e.text[:100]) for e in accused]


@pytest.mark.parametrize("stem", ["explainer_chapter_4", *PROOFS])
def test_the_formula_of_every_step_is_read_as_the_tree_that_it_came_from(stem):
    derivation = derivation_of(stem)
    found = relations(read_document(page_of(stem, "ja").encode(), "page.html"))
    shapes = {x.name: x.shape for x in (*derivation.inputs, *(step.letter for step in derivation.steps))}
    for step in derivation.steps:
        left = step.letter._written("latex")
        own = [r.right.text for r in found if r.left.text.strip() == left]
        assert ({step.expression, step.coarse} - {None}) & {read(text, shapes) for text in own}, (step.letter, own)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"\mathbf{0.7071} &amp; \followed \mathbf{0.3536}", r"\mathbf{0.7071} &amp; \followed \mathbf{0.3546}"),
        (r"= \frac{R}{\sqrt{d_{k}}}", r"= \frac{R}{d_{k}}"),
        (r"= a_{2} V", r"= a_{1} V"),
        (r"\approx 1.4241", r"\approx 1.4142"),
        ("= [[0, 0.7071], [0.7071, 0.3536]]", "= [[0, 0.7071], [0.7071, 0.3546]]"),  # what stands there without scripts
    ],
)
def test_a_planted_error_is_found(old, new):
    page = page_of("explainer_chapter_4", "ja")
    old = old if old in page else old.replace("= [[", "≈ [[")
    assert page.count(old) >= 1, old
    report = check(page.replace(old, new, 1), name="page.html", against=derivation_of("explainer_chapter_4"))
    assert any(e.verdict in ACCUSING for e in report.equations)


def test_the_scan_counts_what_is_set():
    page = '<p>a ≈ b <i data-tex="x_{i=1} = 2 \\approx y">= = =</i></p><div hidden><b data-tex="= 1"></b>=</div><script>a = 1</script>'
    assert signs_of_html(page) == 3
    assert [unescape(f) for f in Formulas(page).hidden] == ["= 1"]
