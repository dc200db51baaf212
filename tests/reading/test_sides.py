"""Sides of equations as people write them: the value by plain arithmetic, what is shown, and which names are used."""

from fractions import Fraction

import pytest
from mpmath import mp, mpf
from sympy import Integer, Rational, S, oo, sqrt

from symtransformer import evaluate
from symtransformer.node import Node
from symtransformer.operations import Exponential, Logarithm, Product, Scaling, Softmax
from symtransformer.reading.claimed_numbers import read_number
from symtransformer.reading.sides import Known, claimed, letter_name, read_name, read_side
from symtransformer.symbols import Letter, Literal, parameter

mp.dps = 40
VALUES = {
    "Q": [["1/2", "-1", "2"], ["0", "1", "3"]],
    "K": [["1", "0", "1"], ["2", "1", "0"], ["-1", "1/2", "1"], ["0", "3", "1"]],
    "V": [["1", "0"], ["0", "2"], ["3", "1"], ["-1", "1"]],
    "A": [["1/4", "3/4", "0", "0"], ["1/2", "1/8", "1/8", "1/4"]],
    "W": [["2", "1"], ["0", "-1"], ["1", "1"]],
    "W_Q": [["1", "0"], ["1/2", "1"]],
    "x": [["3", "-2"]],
    "v": [["1/5", "1/7", "2"]],
    "w": [["2", "3", "-1"]],
    "漆器": [["4/5", "1/5", "7/10"]],
    "出力_1": [["1", "5"]],
    "Q'": [["1", "2", "3"], ["4", "5", "7"]],
    "Score": [["21/10", "1/2", "-3/10"]],
    "c": [["2"], ["-3"]],
    "b": [["10", "20"]],
    "Attention Weight": [["1", "0"], ["1/2", "1/2"]],
    "W_self": [["1", "1"], ["0", "2"]],
}
LISTED = {"x", "v", "w", "漆器", "出力_1", "Score", "b"}
NUMBERS = {"d_k": "64", "tau": "1/2", "T": "2", "μ": "3", "mu": "1/3", "n_heads": "8"}
SCOPE = {name: Known((len(rows), len(rows[0])), name in LISTED) for name, rows in VALUES.items()}
SCOPE |= {name: Known() for name in NUMBERS}


def number(text):
    return mpf(Fraction(text).numerator) / Fraction(text).denominator


def M(name):
    return [[number(x) for x in row] for row in VALUES[name]]


def mul(a, b):
    return [[sum(x * y for x, y in zip(row, col, strict=True)) for col in zip(*b, strict=True)] for row in a]


def T(a):
    return [list(col) for col in zip(*a, strict=True)]


def by(a, k):
    return [[x * k for x in row] for row in a]


def plus(a, b):
    return [[x + y for x, y in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]


def softmax(a):
    return [[mp.e**x / sum(mp.e**y for y in row) for x in row] for row in a]


def each(f, a):
    return [[f(x) for x in row] for row in a]


def value_of(text, language="text"):
    """The value at VALUES and NUMBERS, 30 digits."""
    side = read_side(text, SCOPE, language)
    rule = {parameter(letter_name(n)): Rational(x) for n, x in NUMBERS.items()}
    value = side.value
    if not isinstance(value, Node):
        value = Literal([[value]])
    value = value.xreplace(rule)
    letters = {x: VALUES[n] for n in VALUES for x in value.atoms(Letter) if x.name == letter_name(n)}
    given = {x: [[Rational(e) for e in row] for row in rows] for x, rows in letters.items()}
    made = evaluate(value, given, digits=30)
    return [[mpf(str(e)) for e in row] for row in made.tolist()]


def same(made, meant):
    meant = meant if isinstance(meant, list) else [[meant]]
    assert [len(r) for r in made] == [len(r) for r in meant], (made, meant)
    return all(abs(x - y) < mpf(10) ** -25 for r, s in zip(made, meant, strict=True) for x, y in zip(r, s, strict=True))


ROW = [[mpf(2), mpf("0.5"), mpf(-1)]]
SCORES = by(mul(M("Q"), T(M("K"))), mpf(1) / 8)
PLAIN = [
    ("0.8×0.2 + 0.2×0.8 + 0.7×0.3", mpf("0.53")),
    ("1×0.5 + 0×1", mpf("0.5")),
    ("2.0281 ÷ 3.4522", mpf("2.0281") / mpf("3.4522")),
    ("0.5 − 1", -mpf("0.5")),
    ("１．５＋２×３", mpf("7.5")),
    ("-(0.2+0.3)", -mpf("0.5")),
    ("(-1)×0+1×1", mpf(1)),
    ("3 * -2", mpf(-6)),
    ("2(1+2)", mpf(6)),
    ("1 - 0.5544", mpf("0.4456")),
    ("66.5% × 2", mpf("1.33")),
    ("2^-1", mpf("0.5")),
    ("2**3", mpf(8)),
    ("2² + 10⁻¹", mpf("4.1")),
    ("-2^2", mpf(-4)),
    ("√512", mp.sqrt(512)),
    ("√(2+0.00001)", mp.sqrt(mpf("2.00001"))),
    ("√2·√8/32", mpf(1) / 8),
    ("√d_k", mpf(8)),
    ("1/√d_k", mpf(1) / 8),
    ("4^{1/2}", mpf(2)),
    ("e^0", mpf(1)),
    ("e^{-∞}", mpf(0)),
    ("e^{0.7071}", mp.exp(mpf("0.7071"))),
    ("e^(1+1)/2", mp.exp(2) / 2),
    ("exp(0.7071)", mp.exp(mpf("0.7071"))),
    ("e", mp.e),
    ("2 π", 2 * mp.pi),
    ("-log(0.5544)", -mp.log(mpf("0.5544"))),
    ("ln 2", mp.log(2)),
    ("log_2(10)", mp.log(10) / mp.log(2)),
    ("log2(10)", mp.log(10) / mp.log(2)),
    ("log10(5)", mp.log(5) / mp.log(10)),
    ("log(8)/log(2)", mpf(3)),
    ("1/(1+e^{-0.5})", 1 / (1 + mp.exp(mpf("-0.5")))),
    ("sigmoid(0.5)", 1 / (1 + mp.exp(mpf("-0.5")))),
    ("tanh(0.5)", mp.tanh(mpf("0.5"))),
    ("GELU(1.0)", mp.ncdf(1)),
    ("ReLU(-1.5)", mpf(0)),
    ("max(0, 1.5)", mpf("1.5")),
    ("max(-1.5, 0)", mpf(0)),
    ("|-3|", mpf(3)),
    ("(cos(0.5))² + {sin(0.5)}²", mpf(1)),
    ("mean([1, 2, 6])", mpf(3)),
    ("mean(1, 2, 6)", mpf(3)),
    ("var([1, 2, 6])", mpf(14) / 3),
    ("std([1, 2, 6])", mp.sqrt(mpf(14) / 3)),
    ("sum([1, 2, 6])", mpf(9)),
    ("μ + 1/3", mpf(2) / 3),
    ("n_heads × d_k", mpf(512)),
    ("0.77×出力₁", [[mpf("0.77"), mpf("3.85")]]),
    ("0.5875[2,0]+0.4125[0,4]+0[2,4]", [[mpf("1.175"), mpf("1.65")]]),
    ("(1, 2) + [0.5, 1]", [[mpf("1.5"), mpf(3)]]),
    ("[[1,0],[0.5,1]]", [[mpf(1), mpf(0)], [mpf("0.5"), mpf(1)]]),
    ("[8.17/10.56, 1.65/10.56]", [[mpf("8.17") / mpf("10.56"), mpf("1.65") / mpf("10.56")]]),
    ("[e^{0.5}, e^{-∞}, √2]", [[mp.exp(mpf("0.5")), mpf(0), mp.sqrt(2)]]),
    ("exp([2, 0.5, -1])", each(mp.exp, ROW)),
    ("Softmax([2, 0.5, -1])", softmax(ROW)),
    ("softmax(2, 0.5, -1)", softmax(ROW)),
    ("softmax([2, 0.5, -1])_2", softmax(ROW)[0][1]),
    ("softmax(Score)", softmax(M("Score"))),
    ("torch.softmax(Score, dim=-1)", softmax(M("Score"))),
    ("QK^T/√d_k", SCORES),
    ("Q @ K.T / √d_k", SCORES),
    ("Q K^⊤ / √d_k", SCORES),
    ("Q × Kᵀ / √d_k", SCORES),
    ("Q @ K.transpose(-2, -1) / sqrt(d_k)", SCORES),
    ("softmax(QK^T / √d_k)V", mul(softmax(SCORES), M("V"))),
    ("Attention(Q, K, V)", mul(softmax(by(SCORES, 8 / mp.sqrt(3))), M("V"))),
    ("Q' × Kᵀ", mul(M("Q'"), T(M("K")))),
    ("漆器 · [0.2, 0.8, 0.3]", mpf("0.53")),
    ("v · w", sum(x * y for x, y in zip(M("v")[0], M("w")[0], strict=True))),
    ("v w^T", sum(x * y for x, y in zip(M("v")[0], M("w")[0], strict=True))),
    ("⟨v, w⟩", sum(x * y for x, y in zip(M("v")[0], M("w")[0], strict=True))),
    ("np.dot(v, w)", sum(x * y for x, y in zip(M("v")[0], M("w")[0], strict=True))),
    ("v @ w", sum(x * y for x, y in zip(M("v")[0], M("w")[0], strict=True))),
    ("q_1 · k_2", sum(x * y for x, y in zip(M("Q")[0], M("K")[1], strict=True))),
    ("c · c", mpf(13)),
    ("|v|", mp.sqrt(sum(x * x for x in M("v")[0]))),
    ("‖v‖‖w‖", mp.sqrt(sum(x * x for x in M("v")[0])) * mp.sqrt(14)),
    ("v/|w|", by(M("v"), 1 / mp.sqrt(14))),
    ("v⊙w", [[x * y for x, y in zip(M("v")[0], M("w")[0], strict=True)]]),
    ("x W_Q", mul(M("x"), M("W_Q"))),
    ("x W^Q", mul(M("x"), M("W_Q"))),
    ("W x", mul(M("W"), T(M("x")))),
    ("W(W_Q x)", mul(M("W"), mul(M("W_Q"), T(M("x"))))),
    ("(W W_Q)x", mul(M("W"), mul(M("W_Q"), T(M("x"))))),
    ("x W_Q + b", plus(mul(M("x"), M("W_Q")), M("b"))),
    ("W W_Q + b", plus(mul(M("W"), M("W_Q")), [M("b")[0]] * 3)),
    ("ReLU(W W_Q - b)", each(lambda x: max(x, mpf(0)), plus(mul(M("W"), M("W_Q")), by([M("b")[0]] * 3, -1)))),
    ("(W_Q)^2", mul(M("W_Q"), M("W_Q"))),
    ("v^2", each(lambda x: x * x, M("v"))),
    ("x - mean(x)", [[mpf("2.5"), mpf("-2.5")]]),
    ("x/T", [[mpf("1.5"), mpf(-1)]]),
    ("x_1", mpf(3)),
    ("x₂", mpf(-2)),
    ("q_2", [M("Q")[1]]),
    ("a_21", mpf("0.5")),
    ("a_{2,1}", mpf("0.5")),
    ("A_{12}", mpf("0.75")),
    ("Σⱼ a_{2j}", mpf(1)),
    ("Attention Weight × W_Q", mul(M("Attention Weight"), M("W_Q"))),
    ("(W W_Q) ⊙ x", [[a * g for a, g in zip(row, M("x")[0], strict=True)] for row in mul(M("W"), M("W_Q"))]),
    ("x^T W_Q x", mul(mul(M("x"), M("W_Q")), T(M("x")))),
    ("x W_Q x", mul(mul(M("x"), M("W_Q")), T(M("x")))),
    ("v - 1/5", [[mpf(0), mpf(1) / 7 - mpf("0.2"), mpf("1.8")]]),
    ("c + 1", [[mpf(3)], [mpf(-2)]]),
    ("tensor([[1, 2], [3, 4]])", [[mpf(1), mpf(2)], [mpf(3), mpf(4)]]),
    ("e^2 QK^T", by(mul(M("Q"), T(M("K"))), mp.exp(2))),
    ("c [[3, 4, 5]]", [[mpf(6), mpf(8), mpf(10)], [mpf(-9), mpf(-12), mpf(-15)]]),
    ("(1,2,3) · (1,0,1)", mpf(4)),
    ("[512,128] · [1,1]", mpf(640)),
    ("log(0.5) × c", by(M("c"), mp.log(mpf("0.5")))),
    ("W × exp(1)", by(M("W"), mp.e)),
    ("W / exp(1)", by(M("W"), 1 / mp.e)),
    ("c / exp(1)", by(M("c"), 1 / mp.e)),
    ("[[1],[2]] + x", [[mpf(4)], [mpf(0)]]),
    ("(W x) + [1, 2, 3]", [[mpf(5), mpf(4), mpf(4)]]),
    ("[1, 2, 3] + W x", [[mpf(5), mpf(4), mpf(4)]]),
    ("Concat(x, b)", [[mpf(3), mpf(-2), mpf(10), mpf(20)]]),
]


@pytest.mark.parametrize(("text", "meant"), PLAIN)
def test_plain_text_has_the_value_of_plain_arithmetic(text, meant):
    assert same(value_of(text), meant)


def test_standardised_rows():
    row = M("v")[0]
    mean = sum(row) / 3
    spread = mp.sqrt(sum((x - mean) ** 2 for x in row) / 3)
    assert same(value_of("(v - mean(v)) / std(v)"), [[(x - mean) / spread for x in row]])
    widened = mp.sqrt(spread**2 + mpf("0.00001"))
    assert same(value_of("LayerNorm(v, 0.00001)"), [[(x - mean) / widened for x in row]])
    assert same(value_of("LayerNorm(v)"), [[(x - mean) / spread for x in row]])
    of_squares = mp.sqrt(sum(x * x for x in row) / 3 + mpf("0.25"))
    assert same(value_of("RMSNorm(v, eps=0.25)"), [[x / of_squares for x in row]])
    assert read_side("LayerNorm(x)", {"x": Known((1, 3)), "eps": Known()}).names == ("x", "eps")


LATEX = [
    (r"\operatorname{softmax}\left(\frac{QK^{\mathsf T}}{\sqrt{d_k}}\right)V", mul(softmax(SCORES), M("V"))),
    (r"\mathrm{softmax}\!\bigl(\dfrac{\mathbf{Q}\mathbf{K}^\top}{\sqrt{d_{k}}}\bigr)\,V", mul(softmax(SCORES), M("V"))),
    (r"\text{softmax}  (\frac{\bm{Q} \times \boldsymbol{K}^T}{\sqrt{d_k}} ) V", mul(softmax(SCORES), M("V"))),
    (r"{\color{red}{Q}}\cdot K^{\intercal}", mul(M("Q"), T(M("K")))),
    (r"\underbrace{QK^{\top}}_{\text{スコア } n \times m} / \sqrt{64} \tag{1}", SCORES),
    (r"\boxed{0.5} + \textcolor{blue}{0.25}\label{eq:a}", mpf("0.75")),
    (r"[0,1]\begin{bmatrix}1 & 0 \\ 0.5 & 1\end{bmatrix}", [[mpf("0.5"), mpf(1)]]),
    (r"\begin{bmatrix}1&2\\3&4\\5&6\end{bmatrix}\begin{pmatrix}1\\-1\end{pmatrix}", [[mpf(-1)]] * 3),
    (r"\begin{array}{cc}1&2\\[2pt]3&4\end{array}^{\mathrm T}", [[mpf(1), mpf(3)], [mpf(2), mpf(4)]]),
    (r"-\log(0.5544)", -mp.log(mpf("0.5544"))),
    (r"\log_{10} 100", mpf(2)),
    (r"\log_2 8", mpf(3)),
    (r"\ln 2 + \tanh(0.5)", mp.log(2) + mp.tanh(mpf("0.5"))),
    (r"\frac12 + \tfrac{1}{4}", mpf("0.75")),
    (r"\sqrt2 \cdot \sqrt{8}", mpf(4)),
    (r"\frac{e^{2}}{e^{2}+e^{1}+e^{0}}", mp.exp(2) / (mp.exp(2) + mp.e + 1)),
    (r"\frac{\exp(2)}{\sum_{k=1}^{3}\exp(k)}", mp.exp(2) / (mp.exp(1) + mp.exp(2) + mp.exp(3))),
    (r"1.2\times10^{-3}\cdot 2", mpf("0.0024")),
    (r"\sum_{j=1}^{2} x_j b_j", mpf(-10)),
    (r"\sum_{j} a_{1j} k_j", mul(M("A"), M("K"))[:1]),
    (r"\sum_{j=1}^{n} a_{2j}\,k_{j}", mul(M("A"), M("K"))[1:]),
    (r"\sum_{i=1}^{2}\sum_{j=1}^{4} a_{ij} \delta_{ij}", mpf("0.375")),
    (r"\sum_{j=2}^{3} j^2", mpf(13)),
    (r"\delta_{11} + \delta_{12}", mpf(1)),
    (r"\sum_{v=1}^{3} v + \sum_{T=1}^{2} T x_T", mpf(5)),
    (r"\mathrm{Score}\cdot 2", by(M("Score"), 2)),
    (r"x W_{\mathrm{self}}", mul(M("x"), M("W_self"))),
    (r"\lVert v\rVert^2", sum(x * x for x in M("v")[0])),
    (r"\left\| w \right\|", mp.sqrt(14)),
    (r"\langle v, w\rangle", sum(x * y for x, y in zip(M("v")[0], M("w")[0], strict=True))),
    (r"v \odot w", [[x * y for x, y in zip(M("v")[0], M("w")[0], strict=True)]]),
    (r"\max(0, -1.5)", mpf(0)),
    (r"100\% - 66.5\%", mpf("0.335")),
    (r"\operatorname{ReLU}(x)W_Q", [[mpf(3), mpf(0)]]),
    (r"Q^{\prime}K^\mathsf{T}", mul(M("Q'"), T(M("K")))),
    (r"{W}_{Q} x", mul(M("W_Q"), T(M("x")))),
    (r"\log \sum_{j=1}^{2} e^{j}", mp.log(mp.e + mp.exp(2))),
    (r"\left[\begin{array}{c|c}1&2\end{array}\right]^{\top}", [[mpf(1)], [mpf(2)]]),
    (r"\exp\left(-\frac{1}{2}\right)", mp.exp(mpf("-0.5"))),
    (r"x_{1}\,(W_Q)^{2}", by(mul(M("W_Q"), M("W_Q")), 3)),
]


@pytest.mark.parametrize(("text", "meant"), LATEX)
def test_latex_has_the_value_of_plain_arithmetic(text, meant):
    assert same(value_of(text, "latex"), meant)


@pytest.mark.parametrize("text", ["xW_Q", "QK^T", "x_1w_{11}+x_2w_{21}"])
def test_in_latex_single_letters_are_separate(text):
    meant = {
        "xW_Q": mul(M("x"), M("W_Q")),
        "QK^T": mul(M("Q"), T(M("K"))),
        "x_1w_{11}+x_2w_{21}": mpf(3 * 2),
    }[text]
    scope = {n: k for n, k in SCOPE.items() if n != "w"}
    side = read_side(text, scope, "latex")
    given = {x: [[Rational(e) for e in row] for row in VALUES[x.name]] for x in side.value.atoms(Letter)}
    assert same([[number(str(e)) for e in row] for row in evaluate(side.value, given).tolist()], meant)


# -- structure ----------------------------------------------------------------------------------------------------------
def test_the_value_keeps_what_was_written():
    Q, K, d_k = Letter("Q", 2, 3), Letter("K", 4, 3), parameter("d_k")
    made = read_side(r"\text{softmax}(\frac{QK^T}{\sqrt{d_k}})", SCOPE)
    assert made.value is Softmax(Scaling(Product(Q, K.T), 1, sqrt(d_k)))
    assert made.names == ("Q", "K", "d_k")
    half = Literal([[Rational("0.5544")]])
    assert read_side("-log(0.5544)", {}).value is Scaling(Logarithm(half), -1, 1)
    assert read_side("e^{-\\infty}", {}).value is Exponential(Literal([[-oo]]))
    assert read_side("2 A / 3", SCOPE).value is Scaling(Letter("A", 2, 4), 2, 3)


def test_letters_in_numbers_are_not_cancelled():
    """x/x is 1 only where x is not 0."""
    assert str(read_side("d_k/d_k", SCOPE).value) != "1"
    assert read_side("d_k/d_k", SCOPE).value.xreplace({parameter("d_k"): S.Zero}) is S.NaN


@pytest.mark.parametrize(
    ("text", "listed", "shape"),
    [("[0, 1]", True, (1, 2)), ("[[0, 1]]", False, (1, 2)), ("(0, 1)", True, (1, 2)), ("x", True, (1, 2)),
     ("W x", True, (3, 1)), ("x W_Q", True, (1, 2)), ("2x + b", True, (1, 2)), ("v + q_1", False, (1, 3)), ("q_1 + v", False, (1, 3)), ("v ⊙ w", True, (1, 3)),
     ("x - 1", True, (1, 2)), ("x/2", True, (1, 2)), ("x^T", True, (2, 1)), ("[[0],[1]] + x", False, (2, 1)), ("W x + W x", True, (3, 1)), ("softmax(W x)", True, (1, 3)),
     ("q_1", False, (1, 3)), (r"\begin{bmatrix}0 & 1\end{bmatrix}", False, (1, 2)), ("c", False, (2, 1))],
)  # fmt: skip
def test_flat_lists_are_marked(text, listed, shape):
    side = read_side(text, SCOPE)
    assert (side.listed, tuple(map(int, side.value.shape))) == (listed, shape)


# -- what is shown ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("0.53", [["0.53"]]),
        (" 66.5% ", [["66.5%"]]),
        ("√2/2", [["√2/2"]]),
        ("1/3", [["1/3"]]),
        (r"\boxed{0.53}", [["0.53"]]),
        ("(0.53)", [["0.53"]]),
        (r"\mathbf{\color{red}{-0.5}}", [["-0.5"]]),
        ("[nan, 0.5]", [["nan", "0.5"]]),
        ("−∞", [["−∞"]]),
        ("0.66...", [["0.66..."]]),
        ("[0.0055, 0.0000, −0.9943]", [["0.0055", "0.0000", "−0.9943"]]),
        ("[-1, 2]", [["-1", "2"]]),
        ("(1, 2)", [["1", "2"]]),
        ("[[1,0],[0.5,1]]", [["1", "0"], ["0.5", "1"]]),
        ("［１，　０．５０］", [["1", "0.50"]]),
        (r"\begin{bmatrix}0 & -1.414\\ 1.4 & 0\end{bmatrix}", [["0", "-1.414"], ["1.4", "0"]]),
        (r"\left[\,0.5,\; 66\%\right]", [["0.5", r"66\%"]]),
        (r"\begin{pmatrix}\frac{1}{2} & \color{red}{0.25}\end{pmatrix}", [[r"\frac{1}{2}", "0.25"]]),
        (r"\begin{bmatrix}{0.5} & 10^{-3}\end{bmatrix}", [["0.5", "10^{-3}"]]),
        ("[8.17/10.56, 0.5]", None),
        ("[1+1, 2]", None),
        ("2[1, 2]", None),
        ("-[1, 2]", None),
        ("[1, 2]^T", None),
        ("1 + 1", None),
        ("x", None),
        ("[x_1, 2]", None),
    ],
)
def test_shown_numbers(text, rows):
    shown = read_side(text, SCOPE).shown
    if rows is None:
        assert shown is None
        return
    claims = [[read_number(cell) for cell in row] for row in rows]
    plain = [[(c.kind, c.value, c.place, c.widest, c.radicand, c.is_negative, c.is_percent) for c in r] for r in claims]
    assert [
        [(c.kind, c.value, c.place, c.widest, c.radicand, c.is_negative, c.is_percent) for c in r] for r in shown
    ] == plain


@pytest.mark.parametrize("text", ["0.50", "-0.00", "12.3", "7", "700", "-1.250", "0.1e2", "66.5%", "1/3"])
def test_the_short_way_to_a_claim_is_that_of_read_number(text):
    assert claimed(text) == read_number(text)


def test_undefined_has_no_value():
    side = read_side("0/0", {})
    assert side.value is None
    assert side.shown[0][0].kind == "undefined"


# -- names ----------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "language", "name"),
    [("W_Q", "text", "W_Q"), ("W^Q", "text", "W_Q"), (r"W^{Q}", "latex", "W_Q"), (r"W_{\mathrm{self}}", "latex", "W_self"),
     (r"\mathrm{Score}", "latex", "Score"), ("Score", "text", "Score"), ("漆器", "text", "漆器"), ("出力₁", "text", "出力_1"),
     ("q_1", "text", "q_1"), ("q₁", "text", "q_1"), ("a_{21}", "text", "a_21"), ("a_{2,1}", "latex", "a_21"),
     ("a_{1,12}", "latex", "a_1,12"), ("Q'", "text", "Q'"), (r"Q^{\prime}", "latex", "Q'"), ("γ", "text", "gamma"),
     (r"\gamma", "latex", "gamma"), (r"\mathbf{x}", "latex", "x"), (r"h^{(2)}", "latex", "h^(2)"), ("d_model", "text", "d_model"),
     ("attention_scores", "text", "attention_scores"), ("Attention Weight", "text", "Attention Weight"), ("W1", "text", "W1"),
     (r"\hat{x}", "latex", "x\u0302"), (r"\mathcal{L}", "latex", "\U0001d4db"), (r"\vec{q}", "latex", "q"), (r"\ell_1", "latex", "ell_1"),
     ("K^T", "text", None), ("2 x", "text", None), ("q k", "text", None), ("x + y", "text", None), ("2", "text", None),
     ("[1, 2]", "text", None), ("", "text", None), ("QK", "latex", None), ("xW", "latex", None), (r"\frac{a}{b}", "latex", None),
     (r"\text{点数}", "latex", "点数"), ("Ｑ", "text", "Q"), ("W_i^Q", "text", "W_i^Q")],
)  # fmt: skip
def test_names_have_one_spelling(text, language, name):
    assert read_name(text, language) == name
    if name is not None and not (name.isascii() and " " in name):
        side = read_side(text, {name: Known((1, 2))}, language)
        assert (side.names, side.value.name) == ((name,), letter_name(name))


def test_a_run_of_capitals_is_a_product_where_its_letters_are_defined():
    assert read_name("QK", "text") == "QK"
    assert read_name("QK", "text", {"Q": 1, "K": 2}) is None


def test_names_that_letters_cannot_bear_have_codes_of_their_own():
    names = ["漆器", "Q'", "Q''", "a_1,12", "h^(2)", "e", "I", "Attention Weight", "zz", "W_Q", "x" * 50]
    codes = {letter_name(name) for name in names}
    assert len(codes) == len(names)
    assert letter_name("W_Q") == "W_Q"
    assert letter_name(letter_name("漆器")) != letter_name("漆器")
    for code in codes:
        Letter(code, 1, Integer(2))
