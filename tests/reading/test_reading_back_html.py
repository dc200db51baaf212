"""What an HTML page says, holds as LaTeX, and shows as MathML once KaTeX has set it, is read back as the same node."""

import html
import re

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from katex_pages import ANNOTATION, NODE, read_in, set_by_katex
from test_reading_back import expressions, has_nested_sum

import symtransformer
from symtransformer import derive, render
from symtransformer.dialects import LATEX
from symtransformer.documents import read_document
from symtransformer.operation import REGISTRY
from symtransformer.reading import read_expression
from symtransformer.symbols import Letter, matrix
from symtransformer.writing import piece_of


def shown_as(tex, element):
    """As it is written, as it is set, and as MathML alone."""
    return (f'<span class="d" data-tex="{html.escape(tex)}"></span>', element, ANNOTATION.sub("", element))


def written(case):
    node, sizes = case
    text = piece_of(node, LATEX).text
    if len(text) > 4000 or not isinstance(node, tuple(REGISTRY.values())) or has_nested_sum(node):
        return None
    return node, {x.name: sizes[x.name] for x in node.atoms(Letter)}, text


def all_read_back(cases):
    found = [case for case in map(written, cases) if case is not None]
    for (node, shapes, text), element in zip(found, set_by_katex([c[2] for c in found]), strict=True):
        for page in shown_as(text, element):
            assert read_expression(read_in(page), shapes=shapes).expression is node, (text, read_in(page))
    return len(found)


def read_back(times, number, start):
    """How many trees were tried."""
    tried = []

    @seed(start)
    @settings(
        max_examples=times,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(st.lists(expressions(), min_size=number, max_size=number))
    def run(cases):
        tried.append(all_read_back(cases))

    run()
    return sum(tried)


@pytest.mark.skipif(NODE is None, reason="node is not installed: KaTeX cannot be run")
def test_what_is_set_is_read_back_as_the_same_node():
    assert read_back(2, 24, 2026) > 10


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="node is not installed: KaTeX cannot be run")
def test_a_thousand_trees_are_read_back():
    assert read_back(25, 60, 2027) > 700


MATHML = {  # by hand, as KaTeX 0.16 sets them: they are read without it
    r"\mathit{dW}_{Q}": "<msub><mrow><mi>d</mi><mi>W</mi></mrow><mi>Q</mi></msub>",
    r"W_{\mathrm{vocab}}": '<msub><mi>W</mi><mrow><mi mathvariant="normal">v</mi><mi mathvariant="normal">o</mi><mi mathvariant="normal">c</mi>'
    '<mi mathvariant="normal">a</mi><mi mathvariant="normal">b</mi></mrow></msub>',
    r"W_{Q}^{\mathrm{enc1}}": '<msubsup><mi>W</mi><mi>Q</mi><mrow><mi mathvariant="normal">e</mi><mi mathvariant="normal">n</mi>'
    '<mi mathvariant="normal">c</mi><mn mathvariant="normal">1</mn></mrow></msubsup>',
    r"\begin{bmatrix}1 & \mathbf{2}\end{bmatrix}^{T}": '<msup><mrow><mo fence="true">[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd>'
    '<mn mathvariant="bold">2</mn></mtd></mtr></mtable><mo fence="true">]</mo></mrow><mi mathvariant="sans-serif">T</mi></msup>',
    r"\operatorname{softmax} (S)": '<mi mathvariant="normal">softmax</mi><mo>\u2061</mo><mtext>\u2009\u2063</mtext><mrow><mo>(</mo><mi>S</mi><mo>)</mo></mrow>',
    r"q A": "<mi>q</mi><mi>A</mi>",
    r"x_{ij}": "<msub><mi>x</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>",
    r"\mathbf{A}": "<mi>\U0001d400</mi>",
    r"x": "<mi>\U0001d465</mi>",
}


@pytest.mark.parametrize("text", MATHML)
def test_mathml_is_rewritten_as(text):
    assert read_in(f"<math>{MATHML[text]}</math>") == text


@pytest.mark.parametrize(
    "element",
    ["<mmultiscripts><mi>x</mi><mn>1</mn><mn>2</mn></mmultiscripts>", "<mstack><mn>1</mn><mn>2</mn></mstack>"],
)
def test_what_has_no_reading_is_not_read_as_something_else(element):
    document = read_document(f"<p><math>{element}<mo>=</mo><mn>12</mn></math></p>".encode(), "a.html")
    report = symtransformer.check(f"<p><math>{element}<mo>=</mo><mn>12</mn></math></p>", name="a.html")
    assert document.passages[0].text.startswith("\\m")
    assert [e.verdict for e in report.equations] == ["unparsed"]


def test_a_page_holds_each_formula_as_latex_has_it():
    A, B = matrix("A", 2, 3), matrix("B", 3, 2)
    page = render(derive(A @ B + B.T @ A.T), "html")
    formulas = [html.unescape(text) for text in re.findall(r'data-tex="([^"]*)"', page)]
    assert r"= A B + B^{\mathsf T} A^{\mathsf T}" in formulas
