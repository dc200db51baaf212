"""Layouts in which people write calculations down: every sign is found, and every side ends where it ends."""

import pytest

from symtransformer.documents import read_document, relations


def sides(text, name="a.md"):
    return [
        (" ".join(r.left.text.split()), r.sign, " ".join(r.right.text.split()))
        for r in relations(read_document(text.encode(), name))
    ]


def chains(text):
    return [r.chain for r in relations(read_document(text.encode(), "a.md"))]


CASES = {
    "a comma that groups thousands": (
        "$$12 \\times 1000^3 = 12,000,000,000 \\approx 1.2 \\times 10^{10}$$",
        [("12 \\times 1000^3", "=", "12,000,000,000"), ("12,000,000,000", "≈", "1.2 \\times 10^{10}")],
    ),
    "a number with one comma in a line where another has two": (
        "all: 38,597,376 + 786,432 + 85,054,464 + 1,536 = 124,439,808",
        [("38,597,376 + 786432 + 85,054,464 + 1536", "=", "124,439,808")],
    ),
    "a calculation in brackets that touch a word": (
        "80 GB の GPU(80 × 10^9 / 2^30 ≈ 74.5 GiB)には、print(2 + 3 == 6), f(n=3, k - 1)",
        [("80 × 10^9 / 2^30", "≈", "74.5")],
    ),
    "the mark of a footnote": (
        "2 + 3 = 5[^1] and $x = 7$[^note], [^2] = 3\n\n[^1]: 4 + 5 = 9",
        [("2 + 3", "=", "5"), ("x", "=", "7"), ("[^2]", "=", "3"), ("4 + 5", "=", "9")],
    ),
    "wide gaps between equations": (
        "d = 512   h = 8   d/h = 64\n\na1 = 3/4 = 0.75  2*3 = 6\t[1, 2] = y",
        [("d", "=", "512"), ("h", "=", "8"), ("d/h", "=", "64"), ("a1", "=", "3/4"), ("3/4", "=", "0.75"), ("2*3", "=", "6"), ("[1, 2]", "=", "y")],
    ),
    "wide gaps inside of one equation": (
        "x =   3   + 4   = 7\n\ny = f(2   = a,   3   = b)\n\nv = 2   u\n\ny = 2 **u** = 6",
        [("x", "=", "3 + 4"), ("3 + 4", "=", "7"), ("y", "=", "f(2 = a, 3 = b)"), ("v", "=", "2 u"), ("y", "=", "2 u"), ("2 u", "=", "6")],
    ),
    "a comma between letters and numbers still parts": (
        "$d=64,h=8$",
        [("d", "=", "64"), ("h", "=", "8")],
    ),
    "a display that begins with a sign": (
        "> $$ f = a + b $$\n> $$ = b + a $$\n\n>$$ = c $$",
        [("f", "=", "a + b"), ("a + b", "=", "b + a"), ("b + a", "=", "c")],
    ),
    "a display behind words has nothing on its left": (
        "$$ f = a $$\n\nand so\n\n$$ = b $$",
        [("f", "=", "a"), ("", "=", "b")],
    ),
    "a display behind a formula of the text": (
        "Per layer: $12d^2$\n\n$$= 12 \\cdot 4$$",
        [("12d^2", "=", "12 \\cdot 4")],
    ),
    "a display that goes on with an operator": (
        "$$x = 0.3 [1, 0]$$\n$$+ \\ 0.7 [0, 1] = [0.3, 0.7]$$",
        [("x", "=", "0.3 [1, 0] + 0.7 [0, 1]"), ("0.3 [1, 0] + 0.7 [0, 1]", "=", "[0.3, 0.7]")],
    ),
    "lines of text that begin with a sign": (
        "```\n= 0.3·[1, 0]\n+ 0.7·[0, 1]\n```\n\nso\n\n```\n= [0.3, 0.7]\n≈ [0, 1]\n```",
        [("", "=", "0.3·[1, 0] + 0.7·[0, 1]"), ("", "=", "[0.3, 0.7]"), ("[0.3, 0.7]", "≈", "[0, 1]")],
    ),
    "a chain over blocks, and a word that says so": (
        "```\nx = 2·y\n```\n\nSubstitute:\n\n```\n= 2·[1, 2]\n```\n\n```\n= [2, 4]\n```\n\nNow softmax:\n\n```\n= [0.1, 0.9]\n```",
        [("x", "=", "2·y"), ("2·y", "=", "2·[1, 2]"), ("2·[1, 2]", "=", "[2, 4]"), ("", "=", "[0.1, 0.9]")],
    ),
    "a chain over displays, and a word that says so": (
        "$$ f = (a + b)^2 $$\n\nExpanding:\n\n$$ = a^2 + 2ab + b^2 $$\n\nIn words:\n\n$$ = c $$",
        [("f", "=", "(a + b)^2"), ("(a + b)^2", "=", "a^2 + 2ab + b^2"), ("", "=", "c")],
    ),
    "names in quotes": (
        '```\n"sea" = [1, 2]\nScore("sea" → "salt") = Query("sea") · Key("salt")\n                     = 1·3\n```',
        [
            ("\\text{sea}", "=", "[1, 2]"),
            ("\\text{Score(sea → salt)}", "=", "\\text{Query(sea)} · \\text{Key(salt)}"),
            ("\\text{Query(sea)} · \\text{Key(salt)}", "=", "1·3"),
        ],
    ),
    "a word that joins": (
        "$$ \\mathrm{where}\\; h_i = f(X), \\text{and} \\; \\text{head} = 2 $$",
        [("h_i", "=", "f(X)"), ("\\text{head}", "=", "2")],
    ),
    "a capital letter inside a sentence": (
        "So A V = [2, 1] and this is a V = 3.", [("A V", "=", "[2, 1]"), ("V", "=", "3")],
    ),
    "commas in numbers": (
        "$1{,}048{,}576 + 2{,}048 = 1{,}050{,}624$, $f(1,048) + 1,048,576 = 4$, $2,048 = x$",
        [
            ("1{,}048{,}576 + 2048", "=", "1{,}050{,}624"), ("f(1,048) + 1,048,576", "=", "4"), ("2,048", "=", "x"),
        ],
    ),
    "the probability of a word": (
        "$P(\\text{sea}) = 0.7$, $F(\\text{sea}) = 2$, $\\text{softmax}(\\text{sea}) = 3$",
        [
            ("\\text{P(sea)}", "=", "0.7"), ("F(\\text{sea})", "=", "2"),
            ("\\text{softmax}(\\text{sea})", "=", "3"),
        ],
    ),
    "what is quoted in a sentence is a word": ('It finds that [MASK] = "cat" here, and "sea" = water.', []),
    "an index in brackets": ("```\nmask[i, j] = 1 + 2\n```", [("mask[i, j]", "=", "1 + 2")]),
    "a root alone": ("```\n標準偏差 = √256 = 16\n```", [("標準偏差", "=", "√256"), ("√256", "=", "16")]),
    "two formulas in a row of columns": (
        "$$\\begin{align} a &= b + 1 &\nc &= d \\\\ e &= f, & g &= h \\end{align}$$",
        [("a", "=", "b + 1"), ("c", "=", "d"), ("e", "=", "f"), ("g", "=", "h")],
    ),
    "columns around the sign": ("\\begin{eqnarray} a &=& b \\\\ &=& c \\end{eqnarray}", [("a", "=", "b"), ("b", "=", "c")]),
    "a remark in brackets": ("$A = B \\qquad (\\text{shape: } n \\times d)$", [("A", "=", "B")]),
    "a label inside the dollars": ("$w_1: -0.5 - 0.25 = -0.75$", [("-0.5 - 0.25", "=", "-0.75")]),
    "a name before the dollars": (
        "Step 2. Sum $= 1 + 2 = 3$. Each weight $= 1/3$.",
        [("\\text{Sum}", "=", "1 + 2"), ("1 + 2", "=", "3"), ("\\text{Each weight}", "=", "1/3")],
    ),
    "several words before a sign outside the dollars": (
        "Raw Scores = $\\frac{1}{2}$ \nKV cache size = $2 \\times 3$",
        [("\\text{Raw Scores}", "=", "\\frac{1}{2}"), ("\\text{KV cache size}", "=", "2 \\times 3")],
    ),
    "the name of a variant in a sentence": ("Then Q-K=V ties two of them, and Q = K - V is a formula", [("Q", "=", "K - V")]),
    "a root of a decimal number": ("```\n√1.25 ≈ 1.118 = 2.236 / √4.0\n```", [("√1.25", "≈", "1.118"), ("1.118", "=", "2.236 / √4.0")]),
    "a name of words that is an operand": (
        "$\\text{Output} = \\text{Attention Weights} \\times V$",
        [("\\text{Output}", "=", "\\text{Attention Weights} \\times V")],
    ),
    "words that join sentences": (
        "Given scores = [1, 2], the mean ≈ 0 and std ≈ 1!",
        [("scores", "=", "[1, 2]"), ("mean", "≈", "0"), ("std", "≈", "1")],
    ),
    "words that are no name": ("This is $= 3$ and 4 apples $= 5$", [("", "=", "3"), ("", "=", "5")]),
    "dollars that go on from the line before": (
        "KL $= 0.7(0.5) - 0.1$\n$= 0.35 - 0.1$\n$= 0.25$ nats.",
        [("\\text{KL}", "=", "0.7(0.5) - 0.1"), ("0.7(0.5) - 0.1", "=", "0.35 - 0.1"), ("0.35 - 0.1", "=", "0.25")],
    ),
    "a unit that multiplies": (
        "$2000000 \\approx 2$M and $3 \\cdot 10^{9} = 3$ GB and $1 + 1 = 2$ tokens",
        [
            ("2000000", "≈", "2 \\text{(M)}"), ("3 \\cdot 10^{9}", "=", "3 \\text{(GB)}"), ("1 + 1", "=", "2"),
        ],
    ),
    "so many times": ("a factor of $512 / 4 = 128\\times$", [("512 / 4", "=", "128")]),
    "rows that lost a backslash": (
        "\\[\nE = \\begin{bmatrix}\n1 & 0 \\\n0 & 2\n\\end{bmatrix}\n\\]",
        [("E", "=", "\\begin{bmatrix} 1 & 0 \\\\0 & 2 \\end{bmatrix}")],
    ),
    "a typographic prime": ("$H’ = H + 1$", [("H'", "=", "H + 1")]),
    "matrices abreast": (
        "```\nQ = [[2, 0]]    K = [[1, 0],    V = [[5],\n                     [0, 1]]         [10]]\n```",
        [("Q", "=", "[[2, 0]]"), ("K", "=", "[[1, 0], [0, 1]]"), ("V", "=", "[[5], [10]]")],
    ),
    "matrices abreast whose spaces are lost": (
        "```\nWq = [[1, 0], Wk = [[1, 1],\n[0, 1]] [2, 1]]\n```",
        [("Wq", "=", "[[1, 0], [0, 1]]"), ("Wk", "=", "[[1, 1], [2, 1]]")],
    ),
    "elements of MathML between the lines": (
        'So\n\n<math display="block">\n <mi>K</mi><mo>=</mo><mi>X</mi><msub><mi>W</mi><mi>k</mi></msub>\n</math>\n\n'
        "with <math><mi>h</mi><mo>=</mo><mn>8</mn></math> heads\n\n```html\n<math><mi>a</mi><mo>=</mo><mn>1</mn></math>\n```",
        [("K", "=", "X W_{k}"), ("h", "=", "8")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("layout", CASES)
def test_layout(layout):
    text, wanted = CASES[layout]
    assert sides(text) == wanted


@pytest.mark.parametrize("layout", CASES)
def test_each_sign_has_its_own_place(layout):
    text, wanted = CASES[layout]
    document = read_document(text.encode(), "a.md")
    lines = text.split("\n")
    places = [(r.line, r.column) for r in relations(document)]
    assert len(set(places)) == len(wanted)
    assert all(lines[line - 1][column - 1] in "=≈\\<" for line, column in places)


def test_rows_that_do_not_share_out_are_left_alone():
    text = "```\nA = [[1, 0],  B = [[5],\n     [0, 1]]\n```"
    assert ("A", "=", "[[1, 0]]") not in sides(text)
    assert not any(right == "[[1, 0], [0, 1]]" for _, _, right in sides(text))


def test_a_chain_goes_on_from_display_to_display():
    assert chains("$$ f = a $$\n$$ = b $$\n\ntext\n\n$$ = c $$\n$$ = d $$") == [1, 1, 2, 2]


def test_a_formula_that_claims_nothing_begins_a_chain_of_its_own():
    text = "$T = 4$\n\nPer layer: $2T + T^2$\n\n$$ = 8 + 16 = 24 $$"
    assert sides(text)[1:] == [("2T + T^2", "=", "8 + 16"), ("8 + 16", "=", "24")]
    assert chains(text) == [1, 2, 2]


def conditions(text):
    return [(r.left.text, r.condition) for r in relations(read_document(text.encode(), "a.md"))]


def test_conditions_on_indices():
    assert conditions("$$ a = b, \\quad i = j $$") == [("a", "i = j"), ("i", "i = j")]
    assert conditions("$$ a = b \\quad \\text{if } i \\neq j $$") == [("a", "i \\neq j")]
    assert conditions("$$ a = b, \\quad h = 8 $$") == [("a", ""), ("h", "")]
    assert conditions("If $i \\ne j$:\n$$ a = b $$") == [("a", "i \\ne j")]
    assert conditions("If $i \\ne j$:\n$$ a = b $$" + "\n" * 20 + "$$ c = d $$") == [("a", "i \\ne j"), ("c", "")]


@pytest.mark.parametrize(
    ("line", "sides"),
    [
        ("X = [[1, 2], [0, 1]], Y = X X = [[1, 4], [0, 1]]", ["X", "[[1, 2], [0, 1]]", "Y", "X X", "X X", "[[1, 4], [0, 1]]"]),
        ("k = [1, 2], q K^T = [1, 3.5]", ["k", "[1, 2]", "q K^T", "[1, 3.5]"]),
        ("S = [[1,2],[3,4]], S + M = [[1, -∞], [3,4]]", ["S", "[[1,2],[3,4]]", "S + M", "[[1, -∞], [3,4]]"]),
    ],
)  # fmt: skip
def test_a_product_before_a_matrix_is_not_cut_where_several_matrices_stand_in_a_line(line, sides):
    found = relations(read_document(line.encode(), "a.txt"))
    assert [side for r in found for side in (r.left.text, r.right.text)] == sides
