"""Pages as other programs write them: each formula is read once, as it is seen, and a wrong one is found wherever it stands."""

import pytest

from symtransformer import check
from symtransformer.documents import read_document, relations

KATEX = (
    '<span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow>'
    "<mn>2</mn><mo>×</mo><mn>3</mn><mo>=</mo><mn>{0}</mn></mrow>"
    '<annotation encoding="application/x-tex">2 \\times 3 = {1}</annotation></semantics></math></span>'
    '<span class="katex-html" aria-hidden="true"><span class="base"><span class="strut" style="height:0.7278em;"></span>'
    '<span class="mord">2</span><span class="mspace" style="margin-right:0.2222em;"></span><span class="mbin">×</span></span>'
    '<span class="base"><span class="mord">3</span><span class="mrel">=</span></span>'
    '<span class="base"><span class="mord">{2}</span></span></span></span>'
)
ASSISTIVE = (
    '<mjx-assistive-mml unselectable="on" display="inline"><math xmlns="http://www.w3.org/1998/Math/MathML">'
    "<mn>2</mn><mo>&#xD7;</mo><mn>3</mn><mo>=</mo><mn>{0}</mn></math></mjx-assistive-mml>"
)
CHTML = (
    '<mjx-container class="MathJax CtxtMenu_Attached_0" jax="CHTML" tabindex="0" style="font-size: 113.1%; position: relative;">'
    '<mjx-math class="MJX-TEX" aria-hidden="true"><mjx-mn class="mjx-n"><mjx-c class="mjx-c32"></mjx-c></mjx-mn></mjx-math>'
    + ASSISTIVE
    + "</mjx-container>"
)
SVG = (
    '<mjx-container class="MathJax" jax="SVG"><svg xmlns="http://www.w3.org/2000/svg" role="img" aria-hidden="true"><g data-mml-node="math">'
    '<path d="M 2 3 L 7 7"></path></g></svg><mjx-assistive-mml role="presentation"><math><mn>2</mn><mo>×</mo><mn>3</mn><mo>=</mo><mn>{0}</mn></math>'
    "</mjx-assistive-mml></mjx-container>"
)
MATHJAX_4 = (
    '<mjx-container class="MathJax" jax="CHTML"><mjx-math data-latex="2 \\times 3 = {0}" aria-hidden="true">'
    '<mjx-mn data-latex="2"><mjx-c>2</mjx-c></mjx-mn><mjx-mo data-latex="=">=</mjx-mo></mjx-math></mjx-container>'
)
MATHJAX_2 = (
    '<span class="MathJax_Preview" style="color: inherit;"></span><span class="MathJax" id="MathJax-Element-1-Frame">'
    '<nobr aria-hidden="true"><span class="math">2×3=6</span></nobr><span class="MJX_Assistive_MathML" role="presentation"><math>'
    "<mn>2</mn></math></span></span>"
    '<script type="math/tex" id="MathJax-Element-1">2 \\times 3 = {0}</script>'
)
PANDOC_MATHML = (
    '<math display="inline" xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mn>2</mn><mo>×</mo><mn>3</mn><mo>=</mo><mn>{0}</mn>'
    '</mrow><annotation encoding="application/x-tex">2 \\times 3 = {0}</annotation></semantics></math>'
)
WIKIPEDIA = (
    '<span class="mwe-math-element mwe-math-element-inline"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;">'
    '<math xmlns="http://www.w3.org/1998/Math/MathML" alttext="{{\\displaystyle 2\\times 3={0}}}"><semantics><mrow class="MJX-TeXAtom-ORD">'
    '<mstyle displaystyle="true" scriptlevel="0"><mn>2</mn><mo>&#x00D7;<!-- × --></mo><mn>3</mn><mo>=</mo><mn>{0}</mn></mstyle></mrow>'
    '<annotation encoding="application/x-tex">{{\\displaystyle 2\\times 3={0}}}</annotation></semantics></math></span>'
    '<img src="https://wikimedia.org/math/render/svg/4f" class="mwe-math-fallback-image-inline mw-invert" aria-hidden="true" '
    'style="vertical-align: -0.338ex;" alt="{{\\displaystyle 2\\times 3={0}}}"></span>'
)
FORMS = {
    "dollars that KaTeX sets later": "$$2 \\times 3 = {0}$$",
    "brackets that MathJax sets later": "\\(2 \\times 3 = {0}\\)",
    "KaTeX": KATEX.replace("{1}", "{0}").replace("{2}", "{0}"),
    "MathJax 3, CHTML": CHTML,
    "MathJax 3, SVG": SVG,
    "MathJax 4": MATHJAX_4,
    "MathJax 2": MATHJAX_2,
    "MathML of pandoc": PANDOC_MATHML,
    "pandoc for KaTeX": '<span class="math inline">2 \\times 3 = {0}</span>',
    "pandoc for MathJax": '<span class="math inline">\\(2 \\times 3 = {0}\\)</span>',
    "Wikipedia": WIKIPEDIA,
    "a picture with its LaTeX": '<img class="latex" src="a.png" alt="2 \\times 3 = {0}">',
    "an attribute of an editor": '<span class="ql-formula" data-value="2 \\times 3 = {0}"><span contenteditable="false">'
    + KATEX.replace("{1}", "{0}").replace("{2}", "{0}")
    + "</span></span>",
    "a picture with data-tex": '<img eeimg="1" src="e.svg" alt="2 \\times 3 = {0}" data-tex="2 \\times 3 = {0}">',
    "text before a script": '<span data-tex="2 \\times 3 = {0}">2 × 3 = {0}</span>',
    "alttext of LaTeXML": '<math alttext="2\\times 3={0}" class="ltx_Math"><mrow><mn>2</mn><mo>×</mo><mn>3</mn><mo>=</mo><mn>{0}</mn></mrow></math>',
}


def page(form):
    return f"<!DOCTYPE html><html><body><h1>Work</h1><p>The product is {form}, as was asked.</p></body></html>"


def verdicts(form):
    return [e.verdict for e in check(page(form), name="a.html").equations]


def filled(form, number):
    return FORMS[form].replace("{{", "{").replace("}}", "}").replace("{0}", number)


@pytest.mark.parametrize("form", FORMS)
def test_a_formula_is_read_once_and_what_is_wrong_is_found(form):
    assert verdicts(filled(form, "6")) == ["right"]
    assert verdicts(filled(form, "9")) == ["wrong"]


@pytest.mark.parametrize("form", FORMS)
def test_every_character_of_it_has_a_place_in_the_page(form):
    text = page(filled(form, "6"))
    document = read_document(text.encode(), "a.html")
    (relation,) = relations(document)
    assert (relation.left.text.strip(), relation.right.text) in (
        (r"2 \times 3", "6"),
        (r"2\times 3", "6"),
        ("2×3", "6"),
    )
    assert text[relation.column - 1] == "="
    assert document.problems == ()


# -- what is kept out of sight ---------------------------------------------------------------------------------------
SAYS_6_SHOWS_9 = {
    "KaTeX": KATEX.format("9", "6", "9"),
    "pandoc": PANDOC_MATHML.replace("{0}", "9", 1).replace("{0}", "6"),
    "attribute of MathML": FORMS["alttext of LaTeXML"].replace("{0}", "6", 1).replace("{0}", "9"),
    "text and attribute": '<span data-tex="2 \\times 3 = 6">2 × 3 = 9</span>',
    "attribute and text": '<span data-tex="2 \\times 3 = 9">2 × 3 = 6</span>',
}


@pytest.mark.parametrize("form", SAYS_6_SHOWS_9)
def test_what_is_shown_is_judged_whatever_the_page_keeps(form):
    assert "wrong" in verdicts(SAYS_6_SHOWS_9[form])


@pytest.mark.parametrize(
    ("kept", "shown"),
    [
        ("Q K^T", "<mi>K</mi><msup><mi>Q</mi><mi>T</mi></msup>"),
        ("x^2 y", "<msup><mi>x</mi><mrow><mn>2</mn><mi>y</mi></mrow></msup>"),
        (r"\frac{1}{2} x", "<mfrac><mn>1</mn><mrow><mn>2</mn><mi>x</mi></mrow></mfrac>"),
        ("x_2", "<msup><mi>x</mi><mn>2</mn></msup>"),
        ("(a + b) c", "<mi>a</mi><mo>+</mo><mi>b</mi><mi>c</mi>"),
        (r"\frac{a}{b}", "<mi>a</mi><mi>b</mi>"),
        ("a - b", "<mi>a</mi><mo>+</mo><mi>b</mi>"),
    ],
)
def test_latex_that_differs_from_what_is_shown_is_not_read(kept, shown):
    text = f'<math><semantics><mrow><mi>S</mi><mo>=</mo>{shown}</mrow><annotation encoding="application/x-tex">S = {kept}</annotation></semantics></math>'
    (passage,) = read_document(text.encode(), "a.html").passages
    assert passage.language == "mathml"


@pytest.mark.parametrize(
    ("kept", "shown"),
    [
        (
            r"\mathbf{Q}\,K^{\top}",
            '<mi mathvariant="bold">Q</mi><msup><mi>K</mi><mi mathvariant="normal">⊤</mi></msup>',
        ),
        (
            r"\dfrac12 + x'_1",
            "<mfrac><mn>1</mn><mn>2</mn></mfrac><mo>+</mo><msubsup><mi>x</mi><mn>1</mn><mo>′</mo></msubsup>",
        ),
        (
            r"\begin{pmatrix} 1 & -2 \end{pmatrix}",
            '<mo fence="true">(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mo>−</mo><mn>2</mn></mtd></mtr></mtable><mo>)</mo>',
        ),
        (
            r"\color{red}{\operatorname{softmax}}\left(z\right)",
            '<mstyle mathcolor="red"><mi>softmax</mi></mstyle><mo>&#x2061;</mo><mrow><mo>(</mo><mi>z</mi><mo>)</mo></mrow>',
        ),
    ],
)
def test_latex_that_looks_like_what_is_shown_is_read(kept, shown):
    text = f'<math><semantics><mrow><mi>S</mi><mo>=</mo>{shown}</mrow><annotation encoding="application/x-tex">S = {kept}</annotation></semantics></math>'
    (passage,) = read_document(text.encode(), "a.html").passages
    assert passage.text == f"S = {kept}"


@pytest.mark.parametrize(
    ("form", "code"),
    [
        (
            '<span class="katex"><span class="katex-html" aria-hidden="true"><span class="mord">2 = 3</span></span></span>',
            "drawn",
        ),
        ('<mjx-container class="MathJax" jax="SVG"><svg><g></g></svg></mjx-container>', "drawn"),
        ('<span class="MathJax"><nobr aria-hidden="true">2 = 3</nobr></span>', "drawn"),
        (KATEX.format("6", "6", "9"), "drawn"),
        ("<span hidden>2 × 3 = 9</span>", "hidden"),
        ('<span hidden data-tex="2 \\times 3 = 7">6</span>', "hidden"),
    ],
)
def test_what_cannot_be_read_is_told(form, code):
    document = read_document(page(form).encode(), "a.html")
    assert [p.code for p in document.problems] == [code]
    assert document.passages == ()


def test_hidden_words_are_not_heard_and_hidden_repetitions_not_told():
    text = page(
        '$2 \\times 3 = 6$ <i hidden>is wrong</i></p><p><b data-tex="x = 2">x = 2</b></p><p hidden><b data-tex="x = \\mathbf{2}">x = 2</b>'
    )
    report = check(text, name="a.html")
    assert [e.verdict for e in report.equations] == ["right", "definition"]
    assert report.files[0].unread == ()


# -- what goes on where -------------------------------------------------------------------------------------------------
CHAINS = {
    "<div>\\(1 + 2\\)</div><div>\\(= 3\\)</div><div>\\(= 9\\)</div>": ["right", "wrong"],
    '<p><span data-tex="1 + 2">1 + 2</span></p>\n<p class="' + "x" * 500 + '"><span data-tex="= 3">= 3</span></p>': [
        "right"
    ],
    "<p>\\(1 + 2\\)</p><p>Then, for another reason, we have this.</p><p>\\(= 4\\)</p>": ["unparsed"],
    "<ul><li>\\(1 + 2\\)</li><li>\\(= 4\\)</li></ul>": ["unparsed"],
    "<h2>\\(1 + 2\\)</h2><p>\\(= 4\\)</p>": ["unparsed"],
}


@pytest.mark.parametrize("text", CHAINS)
def test_a_chain_goes_on_in_the_next_block_where_nothing_stands_between(text):
    assert [e.verdict for e in check(text, name="a.html").equations] == CHAINS[text]


@pytest.mark.parametrize(
    "script",
    [
        'MathJax = { tex: { macros: { half: ["\\\\frac{#1}{2}", 1], two: "9" } } };',
        "renderMathInElement(document.body, { macros: { '\\\\half': '\\\\frac{#1}{2}', \"\\\\two\": '9' } });",
        "katex.macros = {\n  '\\\\two': '9', // a number\n  '\\\\half': '\\\\frac{#1}{2}',\n};",
    ],
)
def test_commands_that_a_script_defines_are_known(script):
    text = f"<script>{script}</script><p>\\(\\half{{6}} = 3\\) and $\\half{{6}} = \\two$</p>"
    assert [e.verdict for e in check(text, name="a.html").equations] == ["right", "wrong"]
    assert [e.verdict for e in check(text.replace("script>", "pre>"), name="a.html").equations][-2:] != [
        "right",
        "wrong",
    ]


def test_words_around_a_formula_are_those_that_are_read():
    denied = "<p>It is <b class='is right'>wrong</b> that <span data-tex='2 + 2 = 5'>2 + 2 = 5</span>.</p>"
    assert [e.verdict for e in check(denied, name="a.html").equations] == [
        e.verdict for e in check("It is **wrong** that $2 + 2 = 5$.", name="a.md").equations
    ]
    struck = "<p><del>\\(2 + 2 = 5\\)</del></p>"
    assert [e.verdict for e in check(struck, name="a.html").equations] == [
        e.verdict for e in check("~~$2 + 2 = 5$~~", name="a.md").equations
    ]
    assert [e.verdict for e in check("<p title='it is wrong that'>\\(2 + 2 = 5\\)</p>", name="a.html").equations] == [
        "last_place"
    ]
