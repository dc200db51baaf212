"""MathML, what pages show of one formula, files that are read, bars and commas of numbers: each branch once."""

import pytest

from symtransformer.documents import read_document
from symtransformer.documents.bars import with_bars
from symtransformer.documents.collecting import Collector
from symtransformer.documents.conditions import condition_beside, condition_of
from symtransformer.documents.elements import without_elements
from symtransformer.documents.grouping import with_groups, without_commas
from symtransformer.documents.inputs import Inputs
from symtransformer.documents.limits import (
    CLAIMS,
    DOCUMENT_BYTES,
    INPUT_DEPTH,
    INPUT_FILES,
    LINE_CHARACTERS,
    TREE_DEPTH,
)
from symtransformer.documents.page_formulas import _is_drawn_so
from symtransformer.documents.paragraphs import Paragraph
from symtransformer.documents.placed import Placed, made
from symtransformer.documents.rows import _merged
from symtransformer.documents.signs import unmatched


def page(text):
    document = read_document(text.encode(), "a.html")
    return [p.text for p in document.passages], [p.code for p in document.problems]


def math(inner):
    passages, problems = page(f"<p><math>{inner}<mo>=</mo><mn>1</mn></math></p>")
    assert problems == []
    assert len(passages) == 1
    assert passages[0].endswith("=1")
    return passages[0][:-2]


@pytest.mark.parametrize(
    ("inner", "latex"),
    [
        ("<mi>x</mi>", "x"), ("<mi>x</mi><mi>y</mi>", "x y"), ("<mn>2</mn><mi>y</mi>", "2 y"), ("<mi>y</mi><mn>2</mn>", "y2"), ("<mfrac><mn>1</mn><mn>2</mn></mfrac>", r"\frac{1}{2}"), ("<msqrt><mn>2</mn></msqrt>", r"\sqrt{2}"),
        ("<mroot><mn>8</mn><mn>3</mn></mroot>", r"\sqrt[3]{8}"), ("<msub><mi>x</mi><mn>1</mn></msub>", "x_{1}"), ("<msup><mi>x</mi><mi>⊤</mi></msup>", "x^{T}"), ("<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>", "x_{1}^{2}"),
        ("<msub><mi>x</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>", "x_{ij}"), ("<msup><mrow><mn>1</mn><mn>2</mn></mrow><mn>2</mn></msup>", "{12}^{2}"), ("<msup><mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow><mn>2</mn></msup>", "(x)^{2}"),
        ("<msup><mrow><mo>(</mo><mi>x</mi><mo>)</mo><mo>(</mo><mi>y</mi><mo>)</mo></mrow><mn>2</mn></msup>", "{(x)(y)}^{2}"), ("<mi>softmax</mi>", r"\operatorname{softmax}"), ("<mi mathvariant='bold'>x</mi>", r"\mathbf{x}"), ("<mi>𝐱</mi>", r"\mathbf{x}"),
        ("<mi>𝑥</mi>", "x"), ("<mtext>for</mtext>", r"\text{for}"), ("<mfenced><mn>1</mn><mn>2</mn></mfenced>", "(1,2)"), ("<mfenced open='[' close=']'><mn>1</mn></mfenced>", "[1]"),
        ("<mo>{</mo><mi>x</mi><mo>}</mo>", r"\{x\}"), ("<mi>x</mi><mphantom><mn>2</mn></mphantom>", "x"), ("<mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable><mo>)</mo>", r"\begin{pmatrix}1 & 2\end{pmatrix}"),
        ("<mtable><mtr><mtd><mn>1</mn></mtd></mtr><mtr><mtd><mn>2</mn></mtd></mtr></mtable>", r"\begin{matrix}1 \\ 2\end{matrix}"), ("<mi mathvariant='normal'>a</mi><mi mathvariant='normal'>b</mi>", r"\mathrm{ab}"),
        ("<mi mathvariant='normal'>a</mi><mi mathvariant='normal'>b</mi><mn>2</mn>", r"\mathrm{ab2}"), ("<msub><mrow><mi>d</mi><mi>W</mi></mrow><mn>1</mn></msub>", r"\mathit{dW}_{1}"), ("<mi>x</mi><mo>mod</mo><mn>2</mn>", r"x\bmod 2"),
        ("<munder><mo>∑</mo><mi>i</mi></munder>", "∑_{i}"), ("<mn>5</mn><mo>%</mo>", r"5\%"),
    ],
)  # fmt: skip
def test_mathml_in_the_notation_of_latex(inner, latex):
    assert math(inner) == latex


@pytest.mark.parametrize(("depth", "problems"), [(TREE_DEPTH - 1, []), (TREE_DEPTH, ["too_deep"])])
def test_elements_stand_so_deep_at_most(depth, problems):
    assert page("<math>" + "<mrow>" * depth + "<mn>1</mn><mo>=</mo><mn>1</mn>" + "</mrow>" * depth + "</math>")[1] in (
        problems,
        ["too_deep"],
    )


@pytest.mark.parametrize(
    ("text", "passages", "problems"),
    [
        (r"<p>\(x = 1\)</p>", ["x = 1"], []), ("<p>2 + 3 = 5</p>", ["2 + 3 = 5"], []), ("<p>2 + 3</p><p>= 5</p>", None, None), (r'<img alt="{\displaystyle x = 1}">', [r"{\displaystyle x = 1}"], []),
        ('<img class="tex" alt="$x = 1$">', ["x = 1"], []), ('<img alt="x = 1">', [], []), ('<script type="math/tex">x = 1</script>', ["x = 1"], []), ('<script>x = 1</script>', [], []), ('<p style="display:none">x = 1</p>', [], ["hidden"]),
        ('<p hidden>x = 1</p><p>2 + 3 = 5</p>', ["2 + 3 = 5"], ["hidden"]), ('<p hidden>words</p>', [], []), ('<span class="math inline">x = 1</span>', ["x = 1"], []), ('<mjx-container></mjx-container>', [], ["drawn"]),
        ('<span data-tex="x = 1">x = 1</span>', ["x = 1"], []), ('<span data-tex="x = 12">x = 13</span>', ["x = 12", "x = 13"], []), ('<span data-tex="12">13</span>', ["12"], ["forms"]), ("<svg><text>x = 1</text></svg>", [], []),
        ('<math><semantics><mrow><mi>x</mi><mo>=</mo><mn>1</mn></mrow><annotation encoding="application/x-tex">x=1</annotation></semantics></math>', ["x=1"], []),
        ('<math><semantics><mrow><mi>x</mi><mo>=</mo><mn>1</mn></mrow><annotation encoding="application/x-tex">x=2</annotation></semantics></math>', ["x=1"], []),
        ("<p>10<sup>-5</sup> = 0.00001</p>", ["10^{-5} = 0.00001"], []), ("<table><tr><td>x = 1</td><td>y = 2</td></tr></table>", ["x = 1", "y = 2"], []), ('<pre class="language-python">x = 1</pre>', [], []),
        ('<code class="language-text">2 + 3 = 5</code>', ["2 + 3 = 5"], []), ("<p>1 + 1 = 2<br>2 + 2 = 4</p>", ["1 + 1 = 2", "2 + 2 = 4"], []), ("<head><title>x = 1</title></head>", [], []),
    ],
)  # fmt: skip
def test_what_a_page_shows(text, passages, problems):
    if passages is not None:
        assert page(text) == (passages, problems)


@pytest.mark.parametrize(
    ("drawn", "mathml", "same"),
    [
        ("12", "x_{1}=2", True),
        ("21", "1 2", True),
        ("12", "13", False),
        ("", "13", True),
        ("x", "13", True),
        ("112", "12", False),
        ("2", r"\frac{2}{}", True),
    ],
)
def test_digits_that_are_drawn(drawn, mathml, same):
    assert _is_drawn_so(drawn, mathml) is same


@pytest.mark.parametrize(
    ("text", "rewritten"),
    [
        ("a <math><mi>x</mi></math> b", "a $x$ b"), ("<math display='block'><mi>x</mi></math>", "$$x$$"), ("`<math><mi>x</mi></math>`", None), ("a <math><mi>x</mi>", None), ("<math>x<b></math>", None), ("x = 1", None),
        ("<math><mi>x</mi></math><math><mi>y</mi></math>", "$x$$y$"),
    ],
)  # fmt: skip
def test_mathml_among_markdown(text, rewritten):
    collector = Collector("a.md")
    found = without_elements(collector.sources.add("a.md", text), collector)
    assert found.text == (text if rewritten is None else rewritten)
    assert [p.code for p in collector.problems] == ["mathml"] * text.startswith("<math>x<b>")


def test_files_that_a_document_reads(tmp_path):
    folder = tmp_path / "here"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.tex").write_text("$x = 1$")
    (folder / "sub" / "b.tex").write_text("y")
    (folder / "big.tex").write_text("z" * DOCUMENT_BYTES)
    (folder / "bad.tex").write_bytes(b"\xff")
    (tmp_path / "out.tex").write_text("o")
    (folder / "link.tex").symlink_to(tmp_path / "out.tex")
    collector = Collector("m.tex")
    collector.sources.add("m.tex", "x")
    inputs = Inputs(folder)
    assert inputs.read("./a", 0, collector).text == "$x = 1$"
    assert inputs.read("sub/b.tex", 0, collector).text == "y"
    assert (inputs.files, inputs.bytes, inputs.open, collector.sources.names[1:]) == (
        2,
        8,
        ["a.tex", "sub/b.tex"],
        ["a.tex", "sub/b.tex"],
    )
    assert collector.problems == []
    for path, words in (
        ("a", "it reads itself"), ("../out", "only files below"), ("/etc/x", "only files below"), ("link", "a link"), ("none", "there is no such file"), ("sub", "no such file"),
        ("big", f"more than {DOCUMENT_BYTES} bytes"), ("bad", "not UTF-8 at byte 0"),
    ):  # fmt: skip
        assert inputs.read(path, 0, collector) is None
        assert words in collector.problems[-1].message
    inputs.leave()
    assert inputs.open == ["a.tex"]
    inputs.bytes = DOCUMENT_BYTES - 1
    assert inputs.read("sub/b", 0, collector).text == "y"  # to the last byte
    inputs.leave()
    assert inputs.read("sub/b", 0, collector) is None


def test_so_many_files_at_most(tmp_path):
    inputs = Inputs(tmp_path)
    for inputs.files, depth, said in (
        (INPUT_FILES - 1, INPUT_DEPTH - 1, ""),
        (INPUT_FILES, 0, "at most"),
        (0, INPUT_DEPTH, "at most"),
    ):
        inputs.open = ["x"] * depth
        assert inputs._refused("a").startswith(said)
        assert bool(inputs._refused("a")) is bool(said)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [("|x| = 3", ["|x|", "=", "3"]), ("||x|| = 3", ["||x||", "=", "3"]), ("2 |x| = 3", ["2", "|x|", "=", "3"]), ("a 2| x| = 3", None), ("|x = 3", None), ("|| = 3", None), ("|x| < 3", ["|x|", "<", "3"]), ("x| = 3", None), ("| x| = 3", None), ("2|x| = 3", None), ("|a, b| = 3", None)],
)  # fmt: skip
def test_bars_around_one_operand(text, pieces):
    found = [s.text for s in with_bars(unmatched(text)) if s.kind != "space"]
    assert found == ([s.text for s in unmatched(text) if s.kind != "space"] if pieces is None else pieces)


@pytest.mark.parametrize(
    ("text", "plain"),
    [("1,048,576 + 2,048", "1,048,576 + 2048"), ("2,048 + 1", "2,048 + 1"), ("1,048,576 + (2,048)", "1,048,576 + (2,048)"), ("1,048,576 = [2,048]", "1,048,576 = [2,048]"), ("(1) + 1,048,576 + 2,048", "(1) + 1,048,576 + 2048"), ("1{,}048{,}576 + 2{,}048", "1{,}048{,}576 + 2048")],
)  # fmt: skip
def test_commas_of_large_numbers(text, plain):
    assert without_commas(Placed(text, range(len(text)))).text == plain


def test_groups_beside_a_large_number():
    pieces = lambda text: [s.text for s in with_groups(unmatched(text)) if s.kind == "number"]  # noqa: E731
    assert pieces("1,048,576 786,432") == ["1,048,576", "786,432"]
    assert pieces("786,432") == ["786", "432"]
    assert pieces("1,048,576 786, 432") == ["1,048,576", "786", "432"]
    assert pieces("1,048,576 1786,432") == ["1,048,576", "1786", "432"]
    assert pieces("1,048,576 7,43") == ["1,048,576", "7", "43"]


def test_conditions():
    assert condition_beside(r"a_i = 0, i \neq j") == r"i \neq j"
    assert condition_beside("i = j, a = 1") == ""  # it is said of nothing before it
    assert condition_of("for i < j:") == "i < j"
    assert condition_of("a = b") == ""


@pytest.mark.parametrize(
    ("length", "formulas"), [(LINE_CHARACTERS, ["2 + 3 = 5", "x = 1"]), (LINE_CHARACTERS + 1, ["x = 1"])]
)
def test_a_paragraph_is_so_long_at_most(length, formulas):
    collector = Collector("a.tex")
    collector.sources.add("a.tex", "x")
    paragraph = Paragraph(collector)
    text = "2 + 3 = 5; "
    paragraph.add_text(made(text + "a" * (length - len(text) - 8) + " ", 0))
    paragraph.add_formula(made("x = 1", 0))
    paragraph.end()
    assert [p.text for p in collector.passages] == formulas
    assert (paragraph.pieces, paragraph.atoms, paragraph.length) == ([], [], 0)
    paragraph.add_formula(made("  ", 0))
    assert paragraph.atoms == []
    paragraph.atoms = [None] * CLAIMS
    with pytest.raises(Exception, match=f"more than {CLAIMS} formulas"):
        paragraph.add_formula(made("x", 0))


def test_pieces_that_overlap_are_one():
    piece = lambda start, end, begins=False, is_math=False: (start, end, begins, is_math)  # noqa: E731
    assert _merged([]) == []
    assert _merged([piece(3, 5), piece(0, 3)]) == [piece(0, 3), piece(3, 5)]
    assert _merged([piece(0, 4, True), piece(3, 5, False, True)]) == [piece(0, 5, True, True)]
    assert _merged([piece(0, 9), piece(3, 5), piece(8, 12)]) == [piece(0, 12)]
