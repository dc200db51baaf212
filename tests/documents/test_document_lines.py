"""Formulas among prose: which signs claim something, and how far their sides reach."""

import pytest

from symtransformer.documents import read_document, relations


def claims(text, name="a.txt", **options):
    document = read_document(text.encode(), name, **options)
    return [f"{r.left.text} {r.sign} {r.right.text}" for r in relations(document)]


@pytest.mark.parametrize(
    "text",
    [
        "Q = Query", "Q = Query: what is looked for", "Encoder = reader", "バイアス = 「基準点の調整」", "K = 鍵、V = 値",
        "FFN = 知識の保存場所", "Q_bank · K_money = 高い（金融 ↔ 金融）", "W₂の各列 = Value（対応する出力）",
        "W₁, W₂ = 平均0、標準偏差0.02程度", "1行目＝猫、2行目＝眠る", "$QK^T$ ＝行：使うQ", "$Z$ ≈1行目：猫の出力",
        "https://example.org/?a=1&b=2", "mail a=b@example.org", 'href="a.html" title = "x"', "  year = {2026},", "=", "= =", "x =",
        "= 16人の分身", "a <= 1, b >= 2, c != 3, d => 4, e -> 5", "$5と$6", "$5と$6は同じ", "costs $5 and $6.", "$5, $6 and $7",
        "f(x=1) and g(eps = 0.1)", "LayerNorm(X, eps=1e-5)", "価格は$100、$200です", "it cost $11 = a lot", "",
    ],
)  # fmt: skip
def test_prose_claims_nothing(text):
    assert claims(text) == []
    assert claims(text, "a.md") == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The score is 112/8 = 14.", ["112/8 = 14"]),
        ("so x=1 and y=2", ["x = 1", "y = 2"]),
        ("原論文ではN＝6なので", ["N = 6"]),
        ("第3成分は2.0281 ÷ 5.0281 ≈ 0.4034です", ["2.0281 ÷ 5.0281 ≈ 0.4034"]),
        ("左：Q = [0, 1]右：Q = [1, 0]", ["Q = [0, 1]", "Q = [1, 0]"]),
        ("合計 = 8.17 + 1.65 = 9.82", ["合計 = 8.17 + 1.65", "8.17 + 1.65 = 9.82"]),
        ("運び · 漆器 = 0.40", ["運び · 漆器 = 0.40"]),
        ("2成分＋2成分＝4成分", ["2成分+2成分 = 4"]),
        ("x = 0.5 (50%)", ["x = 0.5"]),
        ("x = 0.5（約50%）", ["x = 0.5"]),
        ("x = 1, 2, 3", ["x = 1, 2, 3"]),
        ("1, 2, 3 = x", ["1, 2, 3 = x"]),
        ("約59%、Q = [0, 1]では", ["Q = [0, 1]"]),
        ("Q · K = |Q| × |K| × cos(θ)。", ["Q · K = |Q| × |K| × cos(θ)"]),
        ("S = Q @ K.transpose(-2, -1)  # scores", ["S = Q @ K.transpose(-2, -1)"]),
        ("y = W₁x線形変換", ["y = W₁x"]),
        ("Score = Q' × K'ᵀ / √d_k", ["Score = Q' × K'ᵀ / √d_k"]),
        ("Step 1 Q = X W_Q", ["Q = X W_Q"]),
        ("(1) x = 2", ["x = 2"]),
        ("- x = 2", ["x = 2"]),
        ("2 = −x", ["2 = −x"]),
        ("−x = −2", ["−x = −2"]),
        ("0.5×2 = 1 => 2 = 2", ["0.5×2 = 1", "2 = 2"]),
        ("y = 2 (x + 1)", ["y = 2 (x + 1)"]),
        ("2 (x + 1) = y", ["2 (x + 1) = y"]),
        ("(a+b) (c+d) = 4", ["(a+b) (c+d) = 4"]),
        ("the product 2 x = 4", ["2 x = 4"]),
        ("y = 2（x + 1）", ["y = 2(x + 1)"]),
        ("L = 2 loss + 1", ["L = 2 loss + 1"]),
        ("x = 3 + (see below)", ["x = 3 + (see below)"]),
        ("x = 3 (see below)", ["x = 3"]),
        ("x = 1 (2)", ["x = 1"]),
        ("g(1) f(2) = f(2) g(1)", ["g(1) f(2) = f(2) g(1)"]),
        ("x = 0.1 [[1, 2]]", ["x = 0.1 [[1, 2]]"]),
        ("E = [[1, 2]] [[3], [4]]", ["E = [[1, 2]] [[3], [4]]"]),
        ("x = a b\n      + c", ["x = a b\n      + c"]),
        ("x = a b\n- c is a bullet", ["x = a b"]),
        ("x = a +\nb", ["x = a +\nb"]),
        ("  S = [[1, 2]]\n      [[3], [4]]\n    = [[11]]", ["S = [[1, 2]] [[3], [4]]", "[[1, 2]] [[3], [4]] = [[11]]"]),
        ("alpha = beta", ["alpha = beta"]),
        ("new.W_O = W_O - eta dW_O", ["new.W_O = W_O - eta dW_O"]),
        ("Y = Sum(Z^(i), i = 1..h)", ["Y = Sum(Z^(i), i = 1..h)"]),
        ("Q [n, d] @ K.T [d, m] = 点数 [n, m]", ["Q [n, d] @ K.T [d, m] = 点数 [n, m]"]),
        ("a ≒ 0.3、b≃0.4", ["a ≈ 0.3", "b ≈ 0.4"]),
        ("X = [[1, 0],\n     [0, 1]]", ["X = [[1, 0],\n     [0, 1]]"]),
        ("a = 1\n  = 2/2\n\n\n\n= 3", ["a = 1", "1 = 2/2"]),
        ("$a$ = 3", ["a = 3"]),
        ("with $e$ $\\approx$ 2.71828.", ["e ≈ 2.71828"]),
        ("$x =$ 3 です", ["x = 3"]),
        ("Numbers after $\\approx$ are rounded", []),
        ("$1\\times2$ $+3$ $=5$", ["1\\times2   +3 = 5"]),
        ("$[1,2]$ × $W$ ＝ $[8,1]$", ["[1,2]   ×  W = [8,1]"]),
        ("値は$x = 1$、$y=2$です", ["x = 1", "y = 2"]),
        ("$\\text{点数}=1\\times k_1$", ["\\text{点数} = 1\\times k_1"]),
        ("\\(a = b\\) and \\[c \\equiv d\\]", ["a = b", "c ≡ d"]),
        ("$$\na = b\n$$", ["a = b"]),
        ("-\\log(0.5544)\\approx0.5899", ["-\\log(0.5544) ≈ 0.5899"]),
        ("Q=XW_Q,\\quad K=XW_K", ["Q = XW_Q", "K = XW_K"]),
        ("\\begin{bmatrix}1 & 2\\end{bmatrix} = [1, 2]", ["\\begin{bmatrix}1 & 2\\end{bmatrix} = [1, 2]"]),
    ],
)
def test_the_sides_of_a_claim(text, wanted):
    assert [" ".join(c.split()) for c in claims(text)] == [" ".join(c.split()) for c in wanted]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a = b \\approx c", ["a = b", "b ≈ c"]),
        ("a := b", ["a := b"]),
        ("a \\stackrel{\\text{def}}{=} b", ["a = b"]),
        ("a \\ne b = c \\le d", ["b = c"]),
        ("\\left( a = 1 \\right)", ["a = 1"]),
        ("(x = 1) \\Rightarrow (y = 2)", ["x = 1", "y = 2"]),
        ("\\sum_{i=1}^n x_i = 3, \\quad n = 2", ["\\sum_{i=1}^n x_i = 3", "n = 2"]),
        ("y = f(x), \\text{ for all } x \\in S", ["y = f(x)"]),
        ("p = 0.5 \\text{（四捨五入）}.", ["p = 0.5"]),
        ("\\text{loss} = 2\\,\\text{nats}", ["\\text{loss} = 2 \\text{nats}"]),
        ("\\textcolor{red}{a} = {\\color{blue} b}", ["a = { b}"]),
        ("\\underbrace{a+b}_{c = d} = e", ["a+b = e"]),
        ("\\boxed{a = 1} \\tag{3} \\label{eq:x=y}", ["a = 1"]),
        ("a &= b \\\\ &= c \\\\ d &= e", ["a = b", "b = c", "d = e"]),
        ("a &= b \\\\ &\\quad + c \\\\ &= d", ["a = b + c", "b + c = d"]),
        ("a = b \\\\ - c \\\\ = d", ["a = b - c", "b - c = d"]),
        ("a &= f\\bigl(b \\\\ &\\quad - c \\bigr) \\\\ &= d", ["a = f (b - c )", "f (b - c ) = d"]),
        ("a &= \\biggl[b \\\\* &\\odot \\biggl(c \\\\ + e\\biggr)\\biggr]", ["a = [b \\odot (c + e ) ]"]),
        ("P(x = 1) = 0.5", ["P(x = 1) = 0.5"]),
        (
            "a = \\resizebox{\\ifdim\\width>3cm 3cm\\else\\width\\fi}{!}{$\\displaystyle b + c$} = d",
            ["a = b + c", "b + c = d"],
        ),
        ("a = \\scalebox{0.8}{$b = c$}", ["a = b", "b = c"]),
        ("a = \\scalebox{0.8}{\\setlength{\\arraycolsep}{3pt}$b = c$}", ["a = b", "b = c"]),
        ("x = \\begin{cases} 1 & y = 0 \\end{cases}", ["x = \\begin{cases} 1 & y = 0 \\end{cases}"]),
        ("a^{b=c} = d", ["a^{b=c} = d"]),
        ("f = 1, 2", ["f = 1, 2"]),
    ],
)
def test_the_sides_of_a_display(text, wanted):
    assert [" ".join(c.split()) for c in claims(f"\\[{text}\\]", "a.tex")] == wanted


def test_a_name_before_a_truncated_side_is_never_half_read():
    """What is written without a space belongs together: it is taken whole, so that it is read or refused whole."""
    for written in ("12{,}000", "0.5e", "1.2.3", "W_Q[0]", "a_b_c^2", "3x^2y"):
        (claim,) = claims(f"x = {written} and so on")
        assert claim == f"x = {written}"


@pytest.mark.parametrize("text", ["d_k = 128 (16 × 8)", "y = 2 (3 + 4)", "y = 2（3 + 4）です"])
def test_a_product_or_a_remark_is_not_guessed(text):
    document = read_document(text.encode(), "a.txt")
    assert document.passages == ()
    assert [(p.code, p.line, p.column) for p in document.problems] == [("ambiguous", 1, 1)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("There are $5$ $\\times$ $5$\n= $25$ of them.", ["5 \\times 5 = 25"]),
        ("At $\\gamma$ = 1, \\emph{$\\beta$} = 0, it is 95\\% = 0.95.", ["\\gamma = 1", "\\beta = 0", "95% = 0.95"]),
        ("\\item 2 + 2 = 4\n\\includegraphics[width=5cm]{a=1.png}", ["2 + 2 = 4"]),
        ("$a$\n\n= $b$", []),
        ("\\textbf{Loss:} $A$ = softmax($S$)", ["A = softmax( S )"]),
    ],
)
def test_prose_of_latex_is_read_too(text, wanted):
    assert [" ".join(c.split()) for c in claims(text, "a.tex")] == wanted


def test_a_price_is_no_formula_and_dollars_in_full_width_are_none():
    assert claims("本は＄5 = 5ドル、ペンは$3です。$x = 1$ は式。", "a.md") == ["x = 1"]
    assert read_document(b"\\$x = 1\\$ costs", "a.md").passages == ()


def test_raised_and_lowered_text_of_web_pages_stays_so():
    page = "<p>Here 10<sup>-5</sup> = 0.00001, and x<sub>1</sub> = W<sub>Q</sub><sup>T</sup> x<sub>2</sub>.</p>"
    assert claims(page, "a.html") == ["10^{-5} = 0.00001", "x_{1} = W_{Q}^{T} x_{2}"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("At $t$~=~0 it reads one entry, at $t$~=~1 another; $2 + 1 = 3$.", ["t = 0", "t = 1", "2 + 1 = 3"]),
        ("So $1/4$~=~0.25 and $3 + 4$~=~8.", ["1/4 = 0.25", "3 + 4 = 8"]),
        ("So $1/3$~$\\approx$~0.33, and $1/3 ~= 0.33$.", ["1/3 ≈ 0.33", "1/3 ≈ 0.33"]),
    ],
)
def test_a_tie_among_words_of_latex_is_a_space(written, read):
    """$t$~=~1 had been read with the sign ~=, as being about 1, and lines below with another t were called wrong."""
    assert claims(written, "a.tex") == read
