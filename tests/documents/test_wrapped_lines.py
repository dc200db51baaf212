"""A formula that goes on in the next line: in sentences that are wrapped, and in lines that are marked."""

import pytest

from symtransformer.documents import read_document, relations


def pairs(text, name="a.txt"):
    found = relations(read_document(text.encode(), name))
    return [(" ".join(r.left.text.split()), r.sign, " ".join(r.right.text.split())) for r in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "> cat: p = h W\n>        ≈ [[1]] [[2]] +\n>          [[3]]\n>        ≈ 5\n",
            [("p", "=", "h W"), ("h W", "≈", "[[1]] [[2]] + [[3]]"), ("[[1]] [[2]] + [[3]]", "≈", "5")],
        ),
        (
            "> p = h W\n>     ≈ [[1, 2]]\n>       [[2], [1]]\n>     ≈ 4\n",
            [("p", "=", "h W"), ("h W", "≈", "[[1, 2]] [[2], [1]]"), ("[[1, 2]] [[2], [1]]", "≈", "4")],
        ),
        ("As before, gamma = 1, beta\n= 0, and no more.\n", [("gamma", "=", "1"), ("beta", "=", "0")]),
        ("That is 4 times as much: 4 × 4\n× 128 = 2048.\n", [("4 × 4 × 128", "=", "2048")]),
        ("There are 2048 × 8192 = 16,777,216 of them; 5 are left.\n", [("2048 × 8192", "=", "16,777,216")]),
        (
            "With X = N(H\n+ F(H)), and H = N(X + O).\n",
            [("X", "=", "N(H + F(H))"), ("H", "=", "N(X + O)")],
        ),
        ("  new.b_1 = b_1 - eta db_1\n", [("new.b_1", "=", "b_1 - eta db_1")]),
        ("  new.Lambda = new.C - new.x\n", [("new.Lambda", "=", "new.C - new.x")]),
        ("It is so. The sum is q = 3\n", [("q", "=", "3")]),
    ],
)
def test_lines_that_go_on(text, expected):
    assert pairs(text) == expected


@pytest.mark.parametrize(
    "labels",
    [
        r"\;\begin{matrix}\text{a} \\ \text{b.}\end{matrix}", r"\begin{array}{l}\text{a} \\ \text{b.}\end{array}",
        r"\begin{array}{l}\text{a} \\[2ex] \text{b.}\end{array}",
    ],
)  # fmt: skip
def test_names_of_rows_in_latex_are_no_part_of_the_formula(labels):
    text = (
        rf"\[ X = \begin{{bmatrix}}1 \\ 2\end{{bmatrix}}{labels} \]"
        "\n"
        r"\[ \text{cat}\colon q_{2} = x_{2} W \]"
    )
    assert pairs(text, "a.tex") == [("X", "=", r"\begin{bmatrix}1 \\ 2\end{bmatrix}"), ("q_{2}", "=", "x_{2} W")]


def test_a_matrix_of_numbers_behind_a_matrix_stays():
    for start, end in (("matrix}", "matrix}"), ("array}{l}", "array}")):
        text = rf"\[ X = \begin{{bmatrix}}1 & 2\end{{bmatrix}}\begin{{{start}3 \\ 4\end{{{end} \]"
        assert pairs(text, "a.tex")[0][2].endswith(rf"\end{{{end}")
