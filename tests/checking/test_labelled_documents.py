"""Documents written by hand, each relation sign with its verdict: a scan of the raw text finds that no sign is missed.

Beside each document stands NAME.labels: for each sign `line:column verdict`, then names of remarks, slips or codes that
must be told with it. The labels were reckoned with mpmath and by finite differences, apart from the library.
"""

import re
from functools import cache
from pathlib import Path

import pytest

from symtransformer.checking.checks import check
from symtransformer.checking.equations import ACCEPTED, VERDICTS

DOCUMENTS = Path(__file__).parent / "documents"
NAMES = sorted(path.name for path in DOCUMENTS.iterdir() if path.is_file() and path.suffix != ".labels")
ENCODINGS = {"ffn_ja.txt": "Shift_JIS", "positions_ja.txt": "EUC-JP"}
PARTS = {"attention_by_hand.tex": ["parts/weights.tex"]}  # files of \input
PROSE = "prose"  # a sign that claims nothing: in words, in code, below a Σ
SIGN = re.compile(
    r":=|==|~=|[=≈≒≃≡＝]|\\{1,2}(?:approx|simeq|fallingdotseq|equiv|cong)(?![a-z])|&#61;|&asymp;|&#x2248;|\\u2248"
)
COMMENT = {
    "tex": r"(?<!\\)%[^\n]*", "md": r"<!--.*?-->", "html": r"<!--.*?-->|<[^>]*>", "txt": r"(?!)", "json": r"(?!)",
    "ipynb": r"(?!)",
}  # fmt: skip
NAMED_NUMBERS = re.compile(r'"[A-Za-z]\w*"(:)\s*\[*[-0-9]')  # "z": [1, 2] says z = [1, 2]
OPTIONAL = {"tested", "undecidable"}  # hard to bring about by hand

# Every way of writing that has to be read: the document, and the line with it.
NOTATION = [
    (r"\newcommand with arguments", "attention_by_hand.tex", r"\newcommand{\quot}[2]{\frac{#1}{#2}}"),
    (r"\DeclareMathOperator", "attention_by_hand.tex", r"\DeclareMathOperator{\softmax}{softmax}"),
    (r"\input below the folder", "attention_by_hand.tex", r"\input{parts/weights}"),
    ("Markdown, dollars", "masks.md", r"S = \begin{bmatrix} 1 & 2 & -1"),
    ("Markdown, brackets", "masks.md", r"\(a_{11} = 1\)"),
    ("Markdown, fenced mathematics", "masks.md", "```math"),
    ("Markdown, fenced text", "index_ja.md", "```text"),
    ("tables whose columns are steps", "masks.md", "| exponentials |"),
    ("plain text", "norms.txt", "mean: μ = (4 + (-1) + 3 + 2)/4 = 2"),
    ("Jupyter notebook", "loss.ipynb", '"cell_type": "markdown"'),
    ("MathML", "residual_mathml.html", "<msqrt>"),
    ("KaTeX", "temperature_katex.html", 'encoding="application/x-tex"'),
    ("MathJax", "mathjax_ja.html", r"\(\ell = [1, 2, -1]\)"),
    ("JSON answers", "answers.json", '"student": "A"'),
    ("full-width digits and signs", "zenkaku.txt", "exp(０．５) ≈ １．６４９"),
    ("bmatrix", "masks.md", r"\begin{bmatrix}"),
    ("pmatrix", "parts/weights.tex", r"\begin{pmatrix}"),
    ("a row in brackets", "norms.txt", "x = [4, -1, 3, 2]"),
    ("rows in brackets", "numpy_style.txt", "X := [[1, 0, 2], [0, 1, 1]]"),
    ("softmax of a list", "undefined.md", "softmax([-inf, -inf])"),
    (r"\operatorname{softmax}", "jacobian.md", r"\operatorname{softmax}(z)"),
    ("LayerNorm", "norms.txt", "LayerNorm(x)"),
    ("RMSNorm", "norms.txt", "RMSNorm(u)"),
    ("ReLU", "ffn_ja.txt", "ReLU(a)"),
    ("GELU", "ffn_ja.txt", "GELU(-1)"),
    ("K^T", "answers.json", "q K^T"),
    (r"K^\top", "answers.json", r"q K^{\\top}"),
    (r"K^{\mathsf T}", "answers.json", r"qK^{\\mathsf T}"),
    ("K.T", "numpy_style.txt", "Q @ K.T"),
    ("W^Q", "parts/weights.tex", "W^Q ="),
    ("·", "rounding.txt", "√2·√8/32"),
    ("×", "ffn_ja.txt", "2×2 + (-1)×0"),
    (r"\cdot", "unread.md", r"u \cdot u"),
    (r"\times", "heads_ja.md", r"\times1+"),
    ("÷", "norms.txt", "−4 ÷ 2.449"),
    ("@", "numpy_style.txt", "X @ W_Q"),
    ("⊙", "norms.txt", "γ ⊙ LayerNorm(x) + β"),
    (r"\odot", "backprop_head.md", r"A \odot"),
    ("juxtaposition", "masks.md", r"Z = AV"),
    ("√", "norms.txt", "√3.5 ≈ 1.871"),
    (r"\sqrt", "heads_ja.md", r"\sqrt{2}\approx1.414"),
    (r"\frac", "mathjax_ja.html", r"\frac{e^{1}}"),
    ("e^{...}", "masks.md", r"e^{-\infty} = 0"),
    ("exp", "zenkaku.txt", "exp(２)"),
    ("log", "loss.ipynb", r"-\\log p_1"),
    ("ln", "mathjax_ja.html", r"-\ln p_2"),
    ("log with a base", "steps.md", r"\log_2 8 = 3"),
    ("Σ", "index_ja.md", "Σ_j ds_ij k_j"),
    (r"\sum with bounds", "layernorm_gradient.tex", r"\sum_{i=1}^{n} x_i"),
    ("∂L/∂q_i", "index_ja.md", "∂L/∂q_i ="),
    ("Kronecker delta", "jacobian.md", r"\delta_{ij}"),
    ("−∞", "masks.md", r"-\infty"),
    ("≈", "scores_en.txt", "≈"),
    ("≒", "positions_ja.txt", "sin(3) ≒ 0.1411"),
    ("≃", "numpy_style.txt", "≃"),
    (r"\simeq", "sampling_ja.tex", r"\simeq"),
    (r"\fallingdotseq", "sampling_ja.tex", r"&\fallingdotseq"),
    (":=", "numpy_style.txt", "X := "),
    ("a chain a = b ≈ c", "steps.md", r"$t = 2/3 \approx 0.67$"),
    ("aligned blocks", "heads_ja.md", r"&\approx"),
    (r"\underbrace", "attention_by_hand.tex", r"\underbrace{1 \cdot 1"),
    (r"\color", "attention_by_hand.tex", r"\color{blue}"),
    (r"\bm", "attention_by_hand.tex", r"\bm{q}_1"),
    (r"\mathbf", "attention_by_hand.tex", r"\mathbf{Z}"),
    (r"\left, \right", "layernorm_gradient.tex", r"\left( \frac"),
    (r"\tag", "attention_by_hand.tex", r"\tag{2}"),
    (r"\label", "attention_by_hand.tex", r"\label{eq:q}"),
    ("spacing", "attention_by_hand.tex", r"\mathbf{A}\,\mathbf{V}"),
    (r"\text in Japanese", "sampling_ja.tex", r"\text{点数}"),
    ("Unicode minus", "norms.txt", "−3/1.871"),
    ("²", "norms.txt", "(4−2)²"),
    ("percentages", "masks.md", r"\%"),
    ("indices of several letters", "loss.ipynb", r"W_{\\text{vocab}}"),
    ("names in Japanese", "weighted_ja.txt", "出力₁ ="),
    ("a prime", "backprop_head.md", "W' ="),
    ("a row by its number", "attention_by_hand.tex", r"\bm{z}_2 ="),
    ("an entry by its indices", "attention_by_hand.tex", r"\color{blue}{a_{21}}"),
    ("a name defined anew", "unread.md", "$u = [3, 0]$"),
    ("a use before any definition", "unread.md", r"$u \cdot u = 5$"),
    ("Japanese prose without spaces", "heads_ja.md", r"なので、$d_k=d_{\text{model}}/h=2$となります"),
    ("formulas among Japanese words, without dollars", "weighted_ja.txt", "0.6×1+0.3×2+0.1×0=1.2であり"),
    ("prices", "heads_ja.md", "入場料は$5と$6です"),
    ("the mark skip", "masks.md", "<!-- symtransformer: skip -->"),
    ("the mark expect wrong", "attention_by_hand.tex", "% symtransformer: expect wrong"),
    ("the mark let", "steps.md", "<!-- symtransformer: let r = 7 -->"),
    ("the mark convention", "steps.md", "<!-- symtransformer: convention log=2 -->"),
    ("a minus before a rounded zero", "rounding.txt", "−0.00"),
    ("zeros that are no digits", "rounding.txt", "6652/10 ≈ 700"),
    ("ties", "rounding.txt", "√2·√8/32 ≈ 0.13"),
    ("digits that go on", "rounding.txt", "0.66..."),
    ("what is undefined", "undefined.md", r"\text{undefined}"),
    ("nan", "undefined.md", "[nan, nan]"),
    ("float noise", "loss.ipynb", "0.30000000000000004"),
]  # fmt: skip


def raw(name):
    text = (DOCUMENTS / name).read_bytes().decode(ENCODINGS.get(name, "utf-8-sig"))
    return text.replace("\r\n", "\n")


def scanned(name):
    """The places of all signs that relate in the raw text, comments and tags left out."""
    suffix = name.rsplit(".", 1)[1]
    text = re.sub(COMMENT[suffix], lambda m: re.sub(r"[^\n]", " ", m.group()), raw(name), flags=re.DOTALL)
    starts = [m.start() for m in SIGN.finditer(text)]
    if suffix == "json":
        starts += [m.start(1) for m in NAMED_NUMBERS.finditer(text)]
    return sorted((text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)) for at in starts)


def labels(name, of=".labels"):
    """(line, column) -> the verdict and what else must be told."""
    found = {}
    for line in (DOCUMENTS / f"{name}{of}").read_text(encoding="utf-8").splitlines():
        place, *said = line.split()
        row, column = map(int, place.split(":"))
        found[row, column] = said
    return found


def claims(name, of=".labels"):
    return {place: said for place, said in labels(name, of).items() if said[0] != PROSE}


ALL = [*NAMES, *(part for parts in PARTS.values() for part in parts)]


@pytest.mark.parametrize("name", ALL)
def test_every_sign_of_the_raw_text_has_a_label(name):
    assert scanned(name) == sorted(labels(name))


def differences(equations, wanted):
    """What differs from the labels, in words; `wanted` has the last part of the file name, line and column."""
    found = {(Path(e.file).name, e.line, e.column): e for e in equations}
    assert len(found) == len(equations)
    lines = []
    for place in sorted({*found, *wanted}):
        equation, said = found.get(place), wanted.get(place)
        if equation is None or said is None:
            lines.append(f"{place}: labelled {said}, found {equation and equation.text}")
            continue
        told = {equation.code, *(note.name for note in (*equation.slips, *equation.remarks))}
        told |= {equation.convention.name} if equation.convention else set()
        if equation.verdict != said[0] or not told.issuperset(said[1:]):
            lines.append(f"{place}: labelled {said}, found {equation.verdict} {sorted(told - {''})}: {equation.text}")
    return lines


@cache
def checked(name):
    return check(DOCUMENTS / name, encoding=ENCODINGS.get(name, ""), folder=DOCUMENTS)


def wanted(name, of=".labels"):
    places = {(Path(name).name, *place): said for place, said in claims(name, of).items()}
    for part in PARTS.get(name, []):
        places |= {(Path(part).name, *place): said for place, said in claims(part).items()}
    return places


@pytest.mark.parametrize("name", NAMES)
def test_every_sign_has_the_labelled_verdict(name):
    report = checked(name)
    assert not any(file.error for file in report.files)
    assert differences(report.equations, wanted(name)) == []


@pytest.mark.parametrize("name", NAMES)
def test_nothing_that_is_right_is_explained_by_a_slip(name):
    for equation in checked(name).equations:
        assert equation.verdict not in ACCEPTED or not equation.slips, equation.text


def test_files_in_order_share_their_definitions():
    chapters = ["chapter_1.md", "chapter_2.md"]
    report = check([DOCUMENTS / name for name in chapters], together=True)
    assert differences(report.equations, wanted("chapter_1.md") | wanted("chapter_2.md", ".together.labels")) == []


def test_a_pitfall_is_a_fault_only_where_it_is_right():
    expected = [e for name in NAMES for e in checked(name).equations if e.expected_wrong]
    assert len(expected) >= 5
    assert {e.verdict for e in expected} == {"right", "wrong"}
    for equation in expected:
        assert equation.is_fault == (equation.verdict == "right"), equation.text


@pytest.mark.parametrize("name", ENCODINGS)
def test_an_encoding_that_was_not_named_is_refused_by_name(name):
    report = check(DOCUMENTS / name)
    assert ENCODINGS[name] in report.files[0].error
    assert report.exit_code() == 2


@pytest.mark.parametrize("name", ["norms.txt", "masks.md", "attention_by_hand.tex"])
def test_bytes_are_checked_as_the_file_is(name):
    found = check((DOCUMENTS / name).read_bytes(), name=name, folder=DOCUMENTS)
    assert differences(found.equations, wanted(name)) == []


# -- what the documents hold ---------------------------------------------------------------------------------------
def test_there_are_documents_of_every_kind_and_both_languages():
    assert len(NAMES) >= 18
    assert {name.rsplit(".", 1)[1] for name in NAMES} == {"tex", "md", "txt", "ipynb", "html", "json"}
    japanese = [name for name in NAMES if re.search(r"[\u3041-\u3096]", raw(name))]
    assert 5 <= len(japanese) <= len(NAMES) - 5
    assert (DOCUMENTS / "zenkaku.txt").read_bytes().startswith(b"\xef\xbb\xbf")
    assert b"\r\n" in (DOCUMENTS / "zenkaku.txt").read_bytes()


def test_every_verdict_is_labelled_somewhere():
    said = [said[0] for name in ALL for said in claims(name).values()]
    assert set(said) | OPTIONAL == {*VERDICTS}
    assert len(said) >= 500


@pytest.mark.parametrize(("what", "document", "excerpt"), NOTATION, ids=[n[0] for n in NOTATION])
def test_every_notation_stands_in_a_document(what, document, excerpt):
    assert excerpt in raw(document), what
    assert document in ALL
