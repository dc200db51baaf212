"""No relation sign is passed over in silence: each is an item with a verdict, or a place that is told as not read.

Whole documents are scanned in `test_nothing_silent_documents.py`.
"""

from functools import cache

import pytest

from symtransformer.checking.checks import check


@cache
def report(text):
    return check(text)


def items(text):
    """The signs of a text by line and column, each with its verdict or the code of why it is not read."""
    found = report(text)
    told = {(e.line, e.column): e.verdict for e in found.equations}
    places = {(u.line, u.column): u.code for u in found.files[0].unread if u.code != "idle"}
    assert not told.keys() & places.keys()
    return told | places


def verdicts(text):
    return [e.verdict for e in report(text).equations]


# -- what was silent ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "text",
    [
        "||x|| = 9",
        "GPU(3 * 4 = 13)",
        "GPU(x + 1 = 3)",
        "The norm of it is ||x|| = 9.",
        "‖x‖ = 9",
        "The count |A| = 10 is small.",
        "½ + ¼ = ¾",
        "3 + 4 ~ 8",
        "0.3 < 0.2",
        "$0.3 < 0.2$",
        "2 + 2 ≠ 4",
        "5 >= 6",
        r"$\sqrt{2} \le 1.4$",
        "| a | b |\n|---|---|\n| 2 + 3 | = 6 |",
        "| step | value |\n|---|---|\n| norm | ||x|| = 9 |",
        r"\documentclass{article}\begin{document}In words 2 + 2 = 5.\end{document}",
        r"$$\underbrace{0.2 + 0.3}_{= 0.6}$$",
        "<p>3 &lt; 2</p>",
        "⌊2.5⌋ = 3",
        "<b>x</b> = 3",
        "2<sup>3</sup> = <b>9</b>",
        "⟨x, y⟩ = 3",
        "0.5 = .5",
        "p < .05",
        "3 ＜ 2",
        "$5 + $6 = $12",
        "5€ + 6€ = 12€",
        "x\t=\t3",
        "5 =",
        "= 5",
        "|x|² = 9",
        "x = ½",
        r"$x \overset{!}{=} 3$",
        r"$\boxed{x = 3}$",
        r"$[x = 3]$",
        r"$\mathbb{1}[i = j]$",
        r"$\frac{1}{x = 4}$",
        r"$\underset{x = 3}{\max}$",
        r"$x {=} 3$",
        r"$3 \leqslant 2$",
        r"$x \not= 3$",
        r"\documentclass{article}\begin{document}\caption{2 + 2 = 5}\end{document}",
        r"\documentclass{article}\begin{document}\begin{tabular}{ll} 2 + 2 & = 5 \\ \end{tabular}\end{document}",
    ],
)
def test_one_sign_is_one_item(text):
    assert len(items(text)) == 1, text


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (r"$$f(x) = \begin{cases} 1 & x > 0 \\ 0 & x \le 0 \end{cases}$$", 3),
        (r"$0 < x < 1$", 2),
        (r"$a = b < c \le d$", 3),
        (r"$M_{ij} = -\infty, \quad j > i$", 2),
        (r"$\sum_{i=1}^{3} i = 6$", 1),
        ("`LayerNorm(x, eps=0)` = [1, -1]", 1),
        ("x = 3 < 5", 2),
    ],
)
def test_each_sign_of_a_formula_is_one_item(text, count):
    assert len(items(text)) == count


@pytest.mark.parametrize(
    "text",
    [
        "Total = everything together",
        "An a -> b and a => b, and <b>bold</b> words.",
        "====\nTitle\n====",
        "`f(k=1)` is called",
        "Q-K=V is a variant of it",
        "It costs $5 and $6.",
        r"The set $\{1, 2\}$ and $x \in A$.",
        "see https://a.org/?x=1&y=2",
        r"$f(x = 3)$ and $x^{y = 3}$",
        r"$\lim_{x = 3} x$",
        "```python\nx = 5\n```",
        "合計は$11 = 11ドルでした。",
        "すべて1行目＝猫です。",
    ],
)
def test_prose_is_no_item(text):
    assert items(text) == {}


# -- inequalities ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("0.3 < 0.2", "wrong"),
        ("0.2 < 0.3", "right"),
        ("0.30 < 0.3", "wrong"),
        ("0.3 ≤ 0.30", "right"),
        ("2 + 2 ≠ 4", "wrong"),
        ("2 + 2 ≠ 5", "right"),
        ("5 >= 6", "wrong"),
        ("6 >= 6", "right"),
        ("7 > 7", "wrong"),
        ("1/3 < 0.3333333333333333", "wrong"),
        ("1/3 < 0.3333333333333334", "right"),
        (r"$\sqrt{2} \le 1.4142135623730950$", "wrong"),
        (r"$\sqrt{2} \le 1.4142135623730951$", "right"),
        (r"$\sqrt{8} \neq 2\sqrt{2}$", "wrong"),
        (r"$e^{-1} \lt \ln 2$", "right"),
        ("-∞ < 3", "right"),
        ("3 < -∞", "wrong"),
    ],
)
def test_an_inequality_of_numbers_is_judged(text, wanted):
    assert verdicts(text) == [wanted]


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        ("S ≥ 0", "wrong"),
        ("S ≥ -4", "right"),
        ("S > -4", "wrong"),
        ("S < 3", "wrong"),
        ("S ≤ 3", "right"),
        ("-5 < S", "right"),
        ("S ≠ 0", "right"),
        ("S < T", "right"),
        ("T ≤ S", "wrong"),
        ("S < U", "undecidable"),  # of another size
        ("S < R", "undecidable"),  # R is nothing
    ],
)
def test_an_inequality_of_values_is_judged_entry_by_entry(claim, wanted):
    text = f"S = [[1, 2], [3, -4]]\nT = [[2, 3], [4, 0]]\nU = [[1, 2, 3]]\n{claim}"
    assert verdicts(text)[-1] == wanted


@pytest.mark.parametrize(
    "sentence",
    [
        "If x < 1, nothing happens.",
        "For $x < 1$ it is zero.",
        "Values $x < 1$ are clipped.",
        "ReLUは x<1 で勾配0である。",
        "$x<1$のとき、出力は0である。",
        r"$y = 4, \quad x < 1$",
    ],
)
def test_a_condition_is_no_claim(sentence):
    assert report(f"x = 2\n\n{sentence}").equations[-1].verdict == "undecidable"


def test_rounded_values_that_decide_otherwise_leave_it_open():
    text = "a = 1/3 ≈ 0.33\na < 0.333"
    assert verdicts(text)[-1] == "undecidable"


def test_what_is_wrong_names_both_sides_in_both_languages():
    words = report("S = [[1, 2], [3, -4]]\nS ≥ 0").equations[-1].words
    assert words.en == "Wrong: in entry (2, 2) the left side is -4, and the right side is 0."
    assert words.ja == "誤り。成分 (2, 2) で左辺は -4、右辺は 0 である。"


# -- fractions in one sign, and bars -----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("½ + ¼ = ¾", "right"),
        ("½ + ¼ = ⅔", "wrong"),
        ("½ = 0.5", "right"),
        ("1½ = 1.5", "unparsed"),
        ("1 ½ = 3/2", "unparsed"),
        ("½x = 1", "unparsed"),
    ],
)
def test_a_fraction_in_one_sign(text, wanted):
    assert verdicts(text) == [wanted]


def test_bars_among_words_are_a_length():
    assert verdicts("x = [1, 2, 2]\nSo its length is ||x|| = 9, and not ||x|| = 3.")[1:] == ["wrong", "right"]


# -- claims, and no new definitions ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "sentence",
    [
        "Therefore x = 9.",
        "Hence, x = 9.",
        "Thus we get $x = 9$.",
        "So x = 9",
        "よって、$x = 9$ である。",
        "したがって x = 9",
        "ゆえに x = 9",
        r"$\therefore x = 9$",
    ],
)
def test_another_value_behind_therefore_is_a_claim(sentence):
    found = report(f"x = 3\n\n{sentence}").equations[-1]
    assert (found.verdict, found.right_value) == ("wrong", "3")


@pytest.mark.parametrize(
    "sentence", ["Now let x = 9.", "So let x = 9.", "With y = 2, so x = 9.", "x = 9", "次に $x = 9$ とおく。"]
)
def test_another_value_that_is_given_anew_is_a_definition(sentence):
    assert report(f"x = 3\n\n{sentence}").equations[-1].verdict == "definition"


@pytest.mark.parametrize(
    ("formula", "wanted"),
    [("softmax(2 S + M)", "refuted"), ("softmax(M + Q K^T)", "proved"), ("softmax(S)", "refuted")],
)
def test_another_formula_behind_therefore_is_a_claim(formula, wanted):
    text = "S = Q K^T\nA = softmax(S + M)\n"
    assert verdicts(f"{text}Therefore A = {formula}")[-1] == wanted
    assert verdicts(f"{text}A = softmax(2 S + M)")[-1] == "definition"


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        ("a_{31} = 2", "shapes"),
        ("a_{13} = 2", "shapes"),
        ("a_3 = [1, 2]", "definition"),  # with a remark
        ("a_3 = [1, 2, 3]", "definition"),  # of another size: another thing
        ("a_{21} = 3", "right"),
        ("x_4 = 5", "undecidable"),
        ("x_0 = 5", "definition"),  # before the first step
    ],
)
def test_what_is_beyond_a_matrix_is_no_definition(claim, wanted):
    assert verdicts(f"A = [[1, 2], [3, 4]]\nx = [5, 6, 7]\n{claim}")[-1] == wanted


def test_a_row_beyond_a_matrix_is_told_to_be_another_name():
    found = report("Q = [[1, 2, 3], [3, 4, 5]]\nq_3 = [1, 2, 3]\ns = q_3 q_1^T = 14").equations
    assert [e.verdict for e in found] == ["definition", "definition", "definition", "right"]
    assert [note.name for note in found[1].remarks] == ["another_row"]


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        ("det(A) = -2", "right"),
        (r"$\det(A) = 5$", "wrong"),
        (r"$\operatorname{tr}(A) = 5$", "right"),
        ("trace(A) = 9", "wrong"),
        ("rank(A) = 2", "right"),
        (r"$\operatorname{rank}(A) = 4$", "wrong"),
        ("max(x) = 3", "right"),
        ("max(x) = 7", "wrong"),
        ("min(A A^T) = 5", "right"),
        ("det(x) = 1", "undecidable"),  # no square
        ("det(B) = 1", "undecidable"),
        ("argmax(x) = 2", "undecidable"),
        ("trace(B) = 1", "undecidable"),
        ("rank(B) = 1", "undecidable"),
    ],
)
def test_functions_of_matrices_have_values_and_no_definitions(claim, wanted):
    text = f"A = [[1, 2], [3, 4]]\nx = [1, 2, 3]\n{claim}"
    assert verdicts(text)[-1] == wanted


def test_a_gradient_with_values_is_judged_by_the_loss_of_the_document():
    text = "z = [1, 2]\ny = [0, 1]\np = softmax(z)\n$L = -\\sum_i y_i \\ln p_i$\n"
    assert verdicts(f"{text}dz = y - p")[-1] == "refuted"
    assert verdicts(f"{text}dz = p - y")[-1] == "definition"
    assert verdicts(f"{text}dz = p - y = [0.269, -0.269]")[-1] == "right"


@pytest.mark.parametrize("claim", ["A = softmax(S - M)", "softmax(S - M) = [[1, 0], [0, 1]]"])
def test_a_mask_that_is_subtracted_is_told(claim):
    found = report(f"S = [[1, 2], [3, 4]]\nM = [[0, -∞], [0, 0]]\n{claim}").equations[-1]
    assert (found.verdict, found.code) == ("undecidable", "mask_sign")


def test_a_mask_that_is_added_is_judged():
    text = "S = [[1, 2], [3, 4]]\nM = [[0, -∞], [0, 0]]\nS + M = [[1, -∞], [3, 4]]\nS - [[1, 1], [1, 1]] = [[0, 1], [2, 3]]"
    assert verdicts(text)[2:] == ["right", "right"]


def test_what_is_not_decided_is_not_called_wrong():
    found = report("S = [[1, 2], [3, 4]]\n\nsoftmax(S X) = [[1, 0], [0, 1]]").equations[-1]
    assert "not right" not in found.words.en
