r"""What words change on the way, say of other cases and values, or take from a sign: twins, of which one is accepted.

Expected by the words: behind "double x" x is 6, so that x + 1 = 4 does not hold; what is said for every x is not said of x = 3.
"""

from __future__ import annotations

import pytest

from symtransformer.checking.checks import check
from symtransformer.checking.equations import ACCEPTED, ACCUSING


def last(text, name="a.md"):
    return check(text, name=name).equations[-1].verdict


U, CLAIM = "$u = x^2$\n\n", "$u + 1 = x^2 + 1$"
CHAIN = "\n\n$$y_i = x_i^2$$\n\n" + r"$$\frac{\partial L}{\partial x_i} = 2 x_i \frac{\partial L}{\partial y_i}$$"
X, NEXT = "x = 3. ", "x + 1 = 4."
CHANGED = [  # what leaves x as it is, and what changes it
    ("We will double x later. ", "Double x. "),
    ("If we doubled x we would get 6. ", "Then x is doubled. "),
    ("Twice x is 6. ", "We increase x by 1. "),
    ("x increases the loss. ", "x increases by one. "),
    ("Replace y by 4. ", "Replace x by 4. "),
    ("Swap y and z. ", "Swap x and y. "),
    ("x is 3. ", "After the update, x is 4. "),
    ("So x is 3.0, and we go on. ", "After one step x has become 2.9. "),
    ("x を 2 倍にすると 6 になる。", "x を 2 倍にする。"),
    ("x を用いる。", "次に x を 4 に置き換える。"),
    ("Let y be four. ", "From here on x is twice as large. "),
    ("In exercise 2 y is unknown. ", "In exercise 2 x is unknown. "),
]


@pytest.mark.parametrize(("same", "other"), CHANGED, ids=[str(k) for k in range(len(CHANGED))])
def test_what_words_change_is_not_what_it_was(same, other):
    assert last(X + same + NEXT) in ACCEPTED
    assert last(X + other + NEXT) not in (*ACCEPTED, *ACCUSING)


@pytest.mark.parametrize(
    ("same", "other"),
    [
        ("The first entry of A is 1. ", "The first row of A is now zero. "),
        ("The transpose of A is [[1, 3], [2, 4]]. ", "We swap the rows of A. "),
        ("Add the rows of A to get [4, 6]. ", "Add 1 to every entry of A. "),
        ("\n\n```python\nprint(A[0])\n```\n\n", "\n\n```python\nA[0] = 5\n```\n\n"),
    ],
)
def test_what_words_change_of_a_matrix_is_not_what_it_was(same, other):
    given, claimed = "A = [[1, 2], [3, 4]]. ", "A + A = [[2, 4], [6, 8]]."
    assert last(given + same + claimed) in ACCEPTED
    assert last(given + other + claimed) not in (*ACCEPTED, *ACCUSING)


def test_values_are_told_in_words_for_numbers():
    assert last("x = 3. Let x be four. x + 1 = 5.") in ACCEPTED
    assert last("x = 3. Let x be four. x + 1 = 4.") in ACCUSING


CASES = [  # what is right, open, and accused of nobody
    ("Case 1: x = 2. Case 2: x = 5. In case 2, x + 1 = 6.", "Case 1: x = 2. Case 2: x = 5. Back to case 1: x + 1 = 6."),
    ("Case 1: x = 2. Case 2: x = 5. Now x + 1 = 6.", "Case 1: x = 2. Case 2: x = 5. Back to case 1: x + 1 = 3."),
    (
        "For the small model n = 2. For the large one n = 3. In the large model n + 1 = 4.",
        "For the small model n = 2. For the large one n = 3. In the small model n + 1 = 4.",
    ),
    (
        "# Head 1\n\nq = 2\n\n# Head 2\n\nq = 5\n\nq + 1 = 6",
        "# Head 1\n\nq = 2\n\n# Head 2\n\nq = 5\n\n# Head 1\n\nq + 1 = 6",
    ),
    (
        "第 1 層では w = 2 である。第 2 層では w = 3 である。第 2 層では w + 1 = 4 である。",
        "第 1 層では w = 2 である。第 2 層では w = 3 である。第 1 層では w + 1 = 4 である。",
    ),
    (
        "Alice sets x = 2. Bob sets x = 5. Bob finds x + 1 = 6.",
        "Alice sets x = 2. Bob sets x = 5. Alice finds x + 1 = 6.",
    ),
]


@pytest.mark.parametrize(("same", "other"), CASES, ids=[str(k) for k in range(len(CASES))])
def test_a_case_has_the_values_that_were_told_for_it(same, other):
    assert last(same) in ACCEPTED
    assert last(other) not in (*ACCEPTED, *ACCUSING)


CONVENTIONS = [
    ("exp(x) means e^x. exp(3) = 20.086", "exp(x) means 2^x. exp(3) = 20.086"),
    ("ln denotes the natural logarithm. ln(8) = 2.079", "Here ln denotes the logarithm to base 2. ln(8) = 2.079"),
    ("sqrt means the square root. sqrt(4) = 2", "Throughout, sqrt means cube root. sqrt(4) = 2"),
    ("We use a/b for the quotient. 7/2 = 3.5", "We write a/b for the integer quotient. 7/2 = 3.5"),
    ("割り算は小数で表す。7/2 = 3.5", "割り算は整数除算とする。7/2 = 3.5"),
    ("The index is taken modulo n. 2 + 4 = 6", "All arithmetic is modulo 5. 2 + 4 = 6"),
    ("We use 32-bit numbers. 8 + 8 = 16", "Numbers are hexadecimal. 8 + 8 = 16"),
    ("The labels are binary. 10 + 10 = 20", "以下の数は二進数である。10 + 10 = 20"),
    ("+ is the usual addition. 3 + 1 = 4", "+ denotes exclusive or. 3 + 1 = 4"),
    ("All values are numbers. a = 25. 1 - a = -24", "All values are in percent. a = 25. 1 - a = -24"),
]


@pytest.mark.parametrize(("same", "other"), CONVENTIONS, ids=[str(k) for k in range(len(CONVENTIONS))])
def test_signs_that_mean_something_else_are_left_open(same, other):
    assert last(same) in ACCEPTED
    assert last(other) not in (*ACCEPTED, *ACCUSING)


@pytest.mark.parametrize(
    ("same", "other"),
    [
        ("ReLU(x) = max(0, x). ReLU(2) = 2", "In this text ReLU(x) = min(0, x). ReLU(2) = 2"),
        ("ReLU(x) = max(0, x). ReLU(2) = 2", "ReLU(x) = max(0, x) + 1. ReLU(2) = 2"),
        ("sigmoid(x) = 1 / (1 + exp(-x)). sigmoid(0) = 0.5", "sigmoid(x) = tanh(x) here. sigmoid(0) = 0.5"),
        (
            "We count rows from 1. A = [[1, 2], [3, 4]]. A_{11} = 1",
            "We count rows from 0. A = [[1, 2], [3, 4]]. A_{11} = 1",
        ),
    ],
)
def test_a_function_that_the_document_has_a_formula_of_its_own_for(same, other):
    assert last(same) in ACCEPTED
    assert last(other) not in (*ACCEPTED, *ACCUSING)


TOGETHER = [  # files that share what they define share what they say
    ("x = 3", "Let x be 5.", "x + 1 = 4"),
    ("x = 3", "Double x.", "x + 1 = 4"),
    ("x = 3", "```python\nx += 1\n```", "x + 1 = 4"),
    ("x = 3", "x ← 5", "x + 1 = 4"),
    ("u = x^2", "Now let u be arbitrary.", "u + 1 = x^2 + 1"),
    ("Here superscripts denote layers.", "Nothing.", "$x x = x^2$"),
    ("log is to base 2", "Nothing.", "log(8) = 2.079"),
    ("We work modulo 5.", "Nothing.", "2 + 4 = 6"),
    ("We use the sample variance.", "Nothing.", "var([1, 3]) = 1"),
    ("Let x be a vector.", "Nothing.", "$x^2 x = x^3$"),
    ("Indices are counted from 0.", "x = [5, 6].", "x_1 = 5"),
    ("The loss L depends on y and also on x directly.", "Nothing.", CHAIN),
]


@pytest.mark.parametrize("texts", TOGETHER, ids=[str(k) for k in range(len(TOGETHER))])
def test_files_together_share_what_is_said_in_them(texts, tmp_path):
    paths = [tmp_path / f"{k}.md" for k in range(3)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    said = [e.verdict for file in check(paths, together=True).files for e in file.equations]
    alone = [e.verdict for file in check([paths[-1]]).files for e in file.equations]
    assert said[-1] not in ACCEPTED
    assert "x + 1" in texts[-1] or "u + 1" in texts[-1] or "x_1" in texts[-1] or alone[-1] in ACCEPTED


@pytest.mark.parametrize("claim", ["x + 1 = 6", "x + 2 = 7"])
def test_values_in_words_hold_in_the_next_file(claim, tmp_path):
    paths = [tmp_path / f"{k}.md" for k in range(2)]
    for path, text in zip(paths, ("Let x be 5.", claim), strict=True):
        path.write_text(text)
    assert check(paths, together=True).files[1].equations[-1].verdict in ACCEPTED


ANEW = [  # in whatever words: what leaves u = x² as it is, and what gives u another meaning
    ("From this point on we write v for x.", "From this point, $u$ refers to the hidden state."),
    ("We use the symbol u for the square.", "We reuse the symbol u for the hidden state."),
    ("By abuse of notation, v also denotes x + 1.", "By abuse of notation, u also denotes x + 1."),
    ("In the sequel v stands for the output.", "In the sequel u stands for the output of the layer."),
    ("We write u for the energy.", "We write u for the output of the network instead."),
    ("v is redefined as the output.", "u is redefined as the output."),
    ("u は 2 乗である。", "以後、u は出力を表すものとする。"),
    ("v という文字は次から別の意味で使う。", "u という文字は次から別の意味で使う。"),
]


@pytest.mark.parametrize(("same", "other"), ANEW, ids=[str(k) for k in range(len(ANEW))])
def test_a_letter_with_another_meaning_keeps_no_formula(same, other):
    assert last(U + same + " " + CLAIM) in ACCEPTED
    assert last(U + other + " " + CLAIM) not in (*ACCEPTED, *ACCUSING)


FOR_OTHERS = [  # x = 3
    ("For every y, ", "For every x, "),
    ("For x in general we know nothing. But ", "For x in {1, 2}, "),
    ("任意の y に対して ", "任意の x に対して "),
    ("y が 5 のとき ", "x が 5 のとき "),
    ("Correction: y should be 4. ", "Correction: x should be 4. "),
    ("It is x that counts. ", "Oops, x was 4. "),
    ("y の値を 4 に修正する。", "x の値を 4 に修正する。"),
    ("x は正しい。", "訂正: x は 4 が正しい。"),
]


@pytest.mark.parametrize(("same", "other"), FOR_OTHERS, ids=[str(k) for k in range(len(FOR_OTHERS))])
def test_what_is_said_of_other_values_is_not_right_of_this_one(same, other):
    assert last(X + same + NEXT) in ACCEPTED
    assert last(X + other + NEXT) not in ACCEPTED


def test_the_size_of_a_set_is_no_norm():
    assert last(r"$|\{1, 2, 2\}| = 3$") == "unparsed"
    assert last(r"$\|[1, 2, 2]\| = 3$") in ACCEPTED


@pytest.mark.parametrize(
    ("same", "other"),
    [
        ("In base 10, that is: 2 + 2 = 4", "The quantity 2 + 2 = 4 (in base 3)."),
        ("10 + 10 = 20（十進数）", "10 + 10 = 20（二進数）"),
        (r"$\log_2 8 = 3$ in base 2", "2 + 2 = 4 in base 2"),
        ("5 + 7 = 12 in ten hours", "5 + 7 = 12 on a 10-hour clock."),
        ("200 + 100 = 300 in 32 bits", "With saturating addition, 200 + 100 = 300."),
        (r"$\mathbf{x} = 4$, $\mathbf{x} + 1 = 5$", r"$\mathbf{x} = 4$, $x = 3$, $\mathbf{x} + 1 = 4$"),
        (r"$\epsilon = 3$, $\varepsilon + 1 = 4$", r"$\epsilon = 4$, $\varepsilon = 3$, $\epsilon + 1 = 4$"),
        ("2\u200b + 2 = 4", "2\u200b2 + 2 = 4"),
        ("2 + 2\u00ad = 4", "2\u00ad2 + 2 = 4"),
        ("1\u20442 + 1\u20442 = 1", "1\u20442 + 1\u20442 = 2"),
    ],
)
def test_what_is_seen_and_told_beside_it_is_what_is_judged(same, other):
    assert last(same) in ACCEPTED
    assert last(other) not in ACCEPTED


def test_a_sign_that_is_not_read_cuts_nothing_off():
    """What stands behind it is no equation of its own: 3 ⊎ 2 + 2 = 4."""
    assert [e.verdict for e in check("3⊎2 + 2 = 4", name="a.md").equations] in ([], ["unparsed"])
    assert last("→2 + 2 = 4") in ACCEPTED
    assert last("<p>2&#8203;2 + 2 = 24</p>", "a.html") in ACCEPTED
    assert last("<p>2&shy;2 + 2 = 4</p>", "a.html") in ACCUSING


def test_what_ends_in_a_call_or_in_per_mille_is_not_passed_over():
    report = check("np.std([1, 3], ddof=1) = 1\n\n1‰ = 0.01", name="a.md").files[0]
    assert [u.code for u in report.unread] == ["not_clear"]
    assert [e.verdict for e in report.equations] == ["unparsed"]
