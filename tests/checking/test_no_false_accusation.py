"""A right line is never called wrong: by what a document says in words, by its own names, by units and marks.

Every document here was worked out by hand. What is accused in it stands beside it, and is really wrong: each way of
being careful is shown to be no way of overlooking.
"""

from __future__ import annotations

import pytest

from symtransformer import check
from symtransformer.checking.equations import ACCUSING


def accused(document: str) -> list[str]:
    return [e.text for e in check(document).equations if e.verdict in ACCUSING]


def verdict(document: str, index: int = -1) -> str:
    return check(document).equations[index].verdict


OWN_NAMES = [
    ("e = 3. e^2 = 9.", []),
    ("Let $e = 3$. Then $e^2 = 9$ and $e^2 = 8$.", ["e^2 = 8"]),
    ("e := 3, e^2 = 9", []),
    ("Let the error be $e = 2.5$. Then $2e = 5$.", []),
    ("e = 2.718, e^2 = 7.388", []),
    ("e = 2.718, e^2 = 9", ["e^2 = 9"]),
    ("$e = 0.1$, $e^2/(e^2 + e^1) = 0.731$", []),
    ("$\\pi = 3.14$, $1000\\pi = 3140$, $1000\\pi = 3150$", ["1000\\pi = 3150"]),
    ("$\\pi = 3$, $\\pi^2 = 9$", []),
    ("Let $\\pi = 0.5$. Then $2\\pi = 1$ and $\\pi^2 = 0.25$ and $4\\pi = 12.57$ and $4\\pi = 3$.", ["4\\pi = 3"]),
    ("$i = 2$, $i^2 = 4$, $i^2 = -1$", ["i^2 = -1"]),
]
NORMS = [
    ("x = [3, 4], norm(x) = 5", []),
    ("x = [3, 4]. ‖x‖ = 5, ||x|| = 5", []),
    ("$x = [3, 4]$. $\\lVert x\\rVert_2 = 5$, $||x|| = 5$, $\\|x\\|_2^2 = 25$", []),
    ("$x = [3, 4]$, $\\lVert x\\rVert_1 = 7$, $\\|x\\|_\\infty = 4$, $\\|x\\| = 7$", ["\\|x\\| = 7"]),
]
POSITIONS = [
    ("$PE(1, 1) = \\cos(1)$", []),
    ("$PE(1, 1) = \\cos(1) = 0.5403$, $PE(1, 0) = 0.8415$", []),
    ("$PE_{(1, 0)} = \\sin(1) = 0.841$", []),
    ("$PE(pos, 2i) = \\sin(pos / 10000^{2i/d})$", []),
    ("$PE(pos, 2i) = \\cos(pos / 10000^{2i/d})$", ["PE(pos, 2i) = \\cos(pos / 10000^{2i/d})"]),
    ("d_model = 4. PE(1, 0) = sin(1) ≈ 0.841, PE(1,2) = sin(0.01) ≈ 0.01, PE(1,3) ≈ 1.000", []),
    ("PE(1,2) = sin(0.01) ≈ 0.01, PE(0, 0) = 0, PE(0,1) = 1", []),
    ("Columns count from 1: PE(1, 1) = sin(1) = 0.8415", []),
    ("$PE(1, 1) = \\sin(1) = 0.5403$", ["\\sin(1) = 0.5403"]),
    ("PE(2, 4) = [[0, 1, 0, 1], [0.84, 0.54, 0.01, 1.00]]", []),
    ("PE(2, 4) = [[0, 1, 0, 1], [0.84, 0.54, 0.11, 1.00]]", ["PE(2, 4) = [[0, 1, 0, 1], [0.84, 0.54, 0.11, 1.00]]"]),
]
MARKS = [
    ("$h^{[1]} = [1, 2]$, $h^{[2]} = [3, 4]$, $h^{[1]} + h^{[2]} = [4, 6]$", []),
    ("$h = 3$. $h^{[1]} = 4$. $h^{(2)} = 5$. $h^2 = 9$. $h^2 = 5$.", ["h^2 = 5"]),
    ("$W = [[1, 2], [3, 4]]$. $W^{(2)} = [[0, 1], [1, 0]]$, $[1, 1] W^{(2)} = [1, 1]$", []),
    ("$a^{<1>} = [1, 2]$, $a^{\\langle 2 \\rangle} = 2a^{<1>} = [2, 5]$", ["2a^{(1)} = [2, 5]"]),
    ("a = 2, a^[1] = 3, a^[2] = 2 a^[1] = 6", []),
]
EQUATION_NUMBERS = [
    ("$2+2=4 \\qquad (2)$", []),
    ("$2+2=4 \\quad (3.1)$", []),
    ("$$2+2=4 \\quad (*)$$", []),
    ("$$2+2=4, \\quad (\\star)$$", []),
    ("$$x = 2 \\qquad (2)$$ $$x + 1 = 3 \\;\\;\\;\\; (3)$$ $$x + 1 = 4 \\quad (4)$$", ["x + 1 = 4"]),
    ("$$2+2=4 ~~~~ (2)$$ $$2+2=4 \\hspace{1cm} (3)$$ $$2+2=4 \\hfill (4)$$", []),
    ("$2+2=4 (2)$", []),
    ("$x = 3 (2) = 6$, $y = 3(2)$, $y + 1 = 7$, $y + 1 = 4$", ["y + 1 = 4"]),
    (
        "\\begin{align} 2+2 &= 4 \\quad (2) \\\\ 2 + 3 &= 5 \\qquad (3) \\\\ 2+2 &= 5 \\qquad (4)\\end{align}",
        ["2+2 = 5"],
    ),
    ("$$a = \\frac{1}{2}\\quad + 3 = 3.5$$", []),
]
UNITS = [
    ("M = 3. The model has 4000 × 5000 = 20M parameters.", []),
    ("$M = [[1, 2], [3, 4]]$. $N = 20M$, $12 \\cdot 768^2 \\cdot 12 = 84.9M$", []),
    ("$K = [[1, 0], [0, 1]]$. $2^{17} = 128K$. $2K = [[2, 0], [0, 3]]$", ["2K = [[2, 0], [0, 3]]"]),
    ("B = 2. 7B ≈ 7,000,000,000", []),
    ("T = 3. 3T = 12", ["3T = 12"]),
    ("512 × 126976 ≈ 65 million parameters, and 12 · 768² · 12 ≈ 85 million", []),
    ("512 × 126976 ≈ 66.0 million", ["512 × 126976 ≈ 66.0 million"]),
    ("$512 \\times 126976 \\approx 65 \\text{ million}$", []),
    ("Counted in millions, 3 × 5 = 15 million.", []),
    ("120 × 100 = 1.2万個", []),
    ("金額は 3 × 5 = 15 千円", []),
    ("120 × 100 = 1.4万個", ["120 × 100 = 1.4万"]),
    ("$2^{10} \\text{ MB} = 1 \\text{ GB}$, $60 \\text{ s} = 1 \\text{ min}$", []),
    ("8 × 64 = 512 dims, 2 + 3 = 5 個, 1.5 × 2 = 3 GB", []),
    ("8 × 64 = 511 dims, 2 + 3 = 6 個", ["8 × 64 = 511", "2 + 3 = 6"]),
]
DENIED = [
    ("It is wrong that 2+2=5.", []),
    ("3 + 4 = 8 is wrong, and 3 + 4 = 9.", ["3 + 4 = 9"]),
    ("The result $2+2=5$ is incorrect. $2 + 3 \\cdot 4 = 20$ would be a mistake.", []),
    ("It does not hold that $2 + 2 = 5$. 2 + 2 = 6 is not true.", []),
    ("One might think that $2 + 2 = 5$, but $2 + 2 = 6$.", ["2 + 2 = 6"]),
    ("A common mistake is to write $2^3 = 6$.", []),
    ("Wrong: $2+2=5$. Right: $2+2=6$.", ["2+2 = 6"]),
    ("❌ 2+2=5\n✅ 2+3=4\n", ["2+3 = 4"]),
    ("$2+2 = 5$ (wrong!)", []),
    ("2 + 2 = 5. This is wrong. 2 + 2 = 6. This is right.", ["2 + 2 = 6"]),
    ("$\\cancel{2+2=5}$, $2 + 2 = 4$", []),
    ("| Wrong | Right |\n|---|---|\n| $2+2=5$ | $2+2=4$ |\n| $2+2=6$ | $2+2=7$ |\n", ["2+2 = 7"]),
    ("3 + 4 = 8 ではない。3 + 4 = 9。", ["3 + 4 = 9"]),
    ("$3 + 4 = 8$ は誤り。$3 + 4 = 9$ は間違いである。", []),
    ("よくある間違い: $2^3 = 6$。正しくは $2^3 = 7$。", ["2^3 = 7"]),
    ("2 + 2 = 5 と思うかもしれない。", []),
    ("Is it true that 2 + 2 = 5?", []),
    ("3 + 4 = 8, not surprisingly.", ["3 + 4 = 8"]),
    ("It is wrong to divide by 3, since 2 + 2 = 5.", ["2 + 2 = 5"]),
    ("We might write 2 + 2 = 5.", ["2 + 2 = 5"]),
    ("The error is 3 - 1 = 4.", ["3 - 1 = 4"]),
    ("誤差は 3 - 1 = 4 である。", ["3 - 1 = 4"]),
    ("3 + 4 = 8 で間違いない。", ["3 + 4 = 8"]),
    ("2 + 2 = 5\n\nIs that so?", ["2 + 2 = 5"]),
    ("Why is 2 + 2 = 5?", ["2 + 2 = 5"]),
    ("Naively softmax is slow.\nThen 2 + 2 = 5\n", ["2 + 2 = 5"]),
]
CONDITIONS = [
    ("x = -3. For x > 0, |x| = x.", []),
    ("$x = -3$. For $x > 0$, $|x| = x$; for $x < 0$, $|x| = -x$. $|x| = 4$.", ["|x| = 4"]),
    ("$x = -3$ とする。$x > 0$ のとき $|x| = x$ である。$|x| = x$。", ["|x| = x"]),
    ("$x = -3$. $|x| = x$ if $x > 0$.", []),
    ("$\\sqrt{x^2} = x \\quad (x > 0)$", []),
    ("x = 2. If x = 0 then x + 1 = 1. 2x = 4. 2x = 5.", ["2x = 5"]),
    ("x = 2 とする。もし x = 0 なら x + 1 = 1 である。2x = 4。2x = 5。", ["2x = 5"]),
    ("If x = 0, then x + 1 = 2.", ["x + 1 = 2"]),
    ("x = 3. If x were 4, then 2x = 8. 2x = 8.", ["2x = 8"]),
    ("x = 2. For x = 3, 2x = 6. 3x = 9. 3x = 6. 3x = 8.", ["3x = 8"]),
    ("x = 4 とする。x = 9 のとき √x = 3。√x = 2。√x = 5。", ["√x = 5"]),
    ("For n > 1, 2 + 2 = 5.", ["2 + 2 = 5"]),
    ("x = 3. For the word x, 2x = 7.", ["2x = 7"]),
]


ROUNDED = [
    ("x = 1/3 ≈ 0.33, z = [2x, 1] ≈ [0.66, 1]", []),
    ("$x = 1/3 \\approx 0.33$, $z = [[2x, 1], [0, x]]$, $z \\approx [[0.66, 1], [0, 0.33]]$", []),
    ("x = 1/3 ≈ 0.33, z = [2x, 1] ≈ [0.68, 1]", ["[2x, 1] ≈ [0.68, 1]"]),
    ("c = 100·0.577 ≈ 57.735", []),
    ("$g = 1/\\sqrt{3} ≈ 0.577$. $c = 100 · 0.577 ≈ 57.735$", []),
    ("100/√3 = 100·0.577 ≈ 57.735", []),
    ("c = 100·0.577 ≈ 57.76", ["100·0.577 ≈ 57.76"]),
    ("$6 \\times 8.6 \\times 10^9 = 5.15 \\times 10^{10}$", []),
    ("$6 \\times 8.6 \\times 10^9 = 5.25 \\times 10^{10}$", ["6 \\times 8.6 \\times 10^9 = 5.25 \\times 10^{10}"]),
    ("$8.80 \\times 10^{12} / 6.87 \\times 10^{10} = 128$", []),
    ("$8.80 \\times 10^{12} / 6.87 \\times 10^{10} = 129$", ["8.80 \\times 10^{12} / 6.87 \\times 10^{10} = 129"]),
]
SIZES = [
    ("The two commute: $D E = E D$.", []),
    ("$X = [[1, 0], [0, 1], [1, 1]]$, $W^Q = [[1, 2], [3, 4]]$, $Q = X W^Q$. Heads: $Q_i = XW_i^Q$", []),
    ("$D = [[1, 2], [3, 4]]$, $E = [[1, 2, 3]]$, $D E = 5$", ["D E = 5"]),
    ("$Q K = K Q$", ["Q K = K Q"]),
    ("# 1\nS = [1, 2] + [0, 1] = [1, 3]\n\n# 2\nS = [[1, 0], [0, 1]]\n", []),
    ("S = [1, 2] + [0, 1] = [1, 3]\n\nS = [[1, 0], [0, 1]]\n", ["S = [[1, 0], [0, 1]]"]),
]


ATTACKED = [
    ("KL(p‖q) = 0.5 ln(0.5/0.25) + 0.5 ln(0.5/0.75) = 0.3466 - 0.2027 = 0.1438", []),
    ("KL(p‖q) = 0.5 ln(0.5/0.25) + 0.5 ln(0.5/0.75) = 0.3466 - 0.2027 = 0.1448", ["0.3466 - 0.2027 = 0.1448"]),
    ("32 × 128 = 4,096 tokens", []),
    ("32 × 128 = 4 tokens", ["32 × 128 = 4"]),
    ("Dot product: (0.1)(0.5) + (0.2)(0.3) = 0.05 + 0.06 = 0.11", []),
    ("Dot product: (0.1)(0.5) + (0.2)(0.3) = 0.05 + 0.06 = 0.12", ["0.05 + 0.06 = 0.12"]),
    ("(1) 2 + 3 = 5\n(2) 2 + (3) = 6\n", ["2 + (3) = 6"]),
    ("5 + 4 ≡ 2 (mod 7), and in binary, 1 + 1 = 10.", []),
    ("2 を法として 1 + 1 = 0。", []),
    ("The binary cross-entropy is 0.5 + 0.5 = 2.", ["0.5 + 0.5 = 2"]),
    (
        "[1, 2] + [3, 4] = [1, 2, 3, 4], [1, 2] + [3, 4] = [4, 6], [1, 2] + [3, 4] = [4, 7]",
        ["[1, 2] + [3, 4] = [4, 7]"],
    ),
    (
        "$z = [0, 1, 2]$, $\\text{softmax}(z) \\approx [0.090, 0.245, 0.665]$. $p_2 = 0.245$, $-\\ln p_2 = -\\ln(0.245) = 1.408$",
        [],
    ),
    (
        "$z = [0, 1, 2]$, $\\text{softmax}(z) \\approx [0.090, 0.245, 0.665]$. $p_2 = 0.245$, $-\\ln p_2 = 1.418$",
        ["-\\ln p_2 = 1.418"],
    ),
]


MORE_WORDS = [
    ("We check whether 2 + 2 = 5. We check 2 + 2 = 6.", ["2 + 2 = 6"]),
    ("2 × 3 = 5 としないこと。2 × 3 = 5 と間違えやすい。2 × 3 = 5 とする。", ["2 × 3 = 5"]),
    ("Prove or disprove: $(A+B)^2 = A^2 + 2AB + B^2$.", []),
    (
        "$T = 2$. As $T \\to 0$, $1/T = \\infty$. In the limit $T \\to \\infty$ we have $1/T = 0$. $1/T = 3$.",
        ["1/T = 3"],
    ),
    ("x = 3. 2x = 8 if x = 4.", []),
    ("x = 3. 2x = 8 if x = 3.", ["2x = 8"]),
    ("x = 3. Let x be 4; then 2x = 8.", []),
    ("Assume that 1 + 1 = 3. Then 1 + 2 = 4.", ["1 + 2 = 4"]),
    ("Alice says that 2 + 2 = 5. She is wrong.", []),
    ("Alice says that 2 + 2 = 5. She is right.", ["2 + 2 = 5"]),
    ("（誤）2 + 2 = 5　（正）2 + 2 = 6", ["2 + 2 = 6"]),
    ("“2 + 2 = 5” is a lie, and “2 + 2 = 6” is the truth.", ["2 + 2 = 6"]),
    ("$2 + 2 = 5$ だと思っていたが、$2 + 2 = 6$ だった。", ["2 + 2 = 6"]),
    ("$(AB)^T = A^T B^T$ is wrong.", []),
    ("$(AB)^T = A^T B^T$ is useful.", ["(AB)^T = A^T B^T"]),
    ("$\\mathrm{softmax}(2x) = 2\\,\\mathrm{softmax}(x)$ does not hold.", []),
]


@pytest.mark.parametrize(
    ("document", "wrong"),
    [
        *MORE_WORDS,
        *ATTACKED,
        *ROUNDED,
        *SIZES,
        *DENIED,
        *CONDITIONS,
        *OWN_NAMES,
        *NORMS,
        *POSITIONS,
        *MARKS,
        *EQUATION_NUMBERS,
        *UNITS,
    ],
)
def test_only_what_is_wrong_is_accused(document, wrong):
    assert accused(document) == wrong


def test_what_is_denied_and_right_is_remarked():
    (equation,) = check("3 + 4 = 7 is wrong.").equations
    assert equation.verdict == "right"
    assert [note.name for note in equation.remarks] == ["denied"]
    assert check("3 + 4 = 7.").equations[0].remarks == ()


def test_what_is_warned_of_is_judged_and_no_fault_of_the_document():
    report = check("$3 + 4 = 7$, and not $3 + 4 = 12$.")
    assert [e.verdict for e in report.equations] == ["right", "wrong"]
    assert report.exit_code() == 0
    assert check("$3 + 4 = 7$, and $3 + 4 = 12$.").exit_code() == 1


def test_a_supposition_ends_with_its_sentence():
    """x is 2 again, so that 2x = 0 is not called right."""
    assert verdict("x = 2. If x = 0 then x + 1 = 1. 2x = 0.") == "undecidable"
    assert verdict("x = 2. If x = 0 then x + 1 = 1. 2x = 4.") == "right"


def test_what_is_denied_defines_nothing():
    assert verdict("x = 2. It is not true that x = 3. x + 1 = 3.") == "right"
    assert accused("x = 2. It is not true that x = 3. x + 1 = 4.") == ["x + 1 = 4"]


@pytest.mark.parametrize(
    "line",
    [
        "exp(T/10) ≈ 4.06", "exp(T/10) = exp(1.4)", "T = 14", "T - 10 = 4", "exp(T/10) = 4.055/1.000",
    ],
)  # fmt: skip
def test_what_is_made_of_a_wrong_value_follows_from_it(line):
    """S is 6, and 7 is shown: T = 2S is 14 for the writer."""
    assert verdict(f"x = 2, S = 3x = 7. T = 2S. {line}.") == "follows"
    assert verdict(f"x = 2, S = 3x = 7. T = 2S. {line.replace('4', '5')}.") in ("wrong", "last_place")


def test_a_question_may_give_data():
    assert accused("d = 2. For $d = 4$, what is $d^2$? It is $d^2 = 16$.") == []


def test_one_of_several_values_is_no_conclusion():
    assert accused("B = 3 · 5. We need powers of 2, so $B = 8$ or $B = 4$.") == []


# -- side by side -----------------------------------------------------------------------------------------------------
SIDE_BY_SIDE = [  # a right line, and a wrong twin
    ("d = 512   h = 8   d/h = 64", "d = 512   h = 8   d/h = 46"),  # not 512 h = 8 d/h
    ("a1 = 2.718/3.325 = 0.817   a2 = 0.607/3.325 = 0.183", "a1 = 2.718/3.325 = 0.817   a2 = 0.607/3.325 = 0.138"),
    ("**Top-p, p = 0.9.** 0.8 + 0.1 = 0.9", "**Top-p, p = 0.9.** 0.8 + 0.1 = 1.9"),
    ("*Note:* 44.5 % + 36 % = 80.5 %", "*Note:* 44.5 % + 36 % = 90.5 %"),
    ("38,597,376 + 786,432 + 1,536 = 39,385,344", "38,597,376 + 786,432 + 1,536 = 39,358,344"),
    ("| I | weight |\n|---|---|\n| x | 3 / 4 = 0.75 |", "| I | weight |\n|---|---|\n| x | 3 / 4 = 0.57 |"),
]


@pytest.mark.parametrize(("right", "wrong"), SIDE_BY_SIDE)
def test_what_stands_beside_an_equation_is_no_part_of_it(right, wrong):
    assert {e.verdict for e in check(right, name="a.md").equations} <= {"right", "definition"}
    assert [e.verdict for e in check(wrong, name="a.md").equations if e.verdict not in ("right", "definition")] == [
        "wrong"
    ]


def test_a_logarithm_to_another_base_is_no_other_arithmetic():
    """In base 2 the loss of 2.3 is 3.3: what stands elsewhere is added as ever."""
    said = "\n\nIn base 2 it is 2.3/0.69 = 3.33."
    assert [verdict(line + said, 0) for line in ("2 + 3 = 5", "2 + 3 = 15")] == ["right", "wrong"]
    assert verdict("1 + 1 = 10" + "\n\nIn base 2 we have 1 + 1 = 10.", 0) == "undecidable"
