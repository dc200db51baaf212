"""No side is cut: each of these lines was read once as a shorter one, or lost."""

from __future__ import annotations

import pytest

from symtransformer.documents import read_document, relations, split


def sides(text: str, name: str = "a.txt") -> list[str]:
    return [f"{r.left.text} {r.sign} {r.right.text}" for r in relations(read_document(text.encode(), name))]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("0.5 × 2 ≒ 1、3.49≈3.5", ["0.5 × 2 ≈ 1", "3.49 ≈ 3.5"]),
        ("2 × 3 = 6, 4 = 2 + 2", ["2 × 3 = 6", "4 = 2 + 2"]),
        ("In step 3, 61 * 46 = 2806", ["61 * 46 = 2806"]),
        ("so 1, 2, 3 = x", ["1, 2, 3 = x"]),  # no number of its own is the left side
        (
            "It follows that q_1 / √(loss + 4.66) · 59 ≈ 8.87",
            ["q_1 / √(loss + 4.66) · 59 ≈ 8.87"],
        ),
        ("and q / (loss of text) · 59 ≈ 8.87", ["q / (loss of text) · 59 ≈ 8.87"]),
        ("mail a=b@example.org", []),
        ("and 6.88≈8.40% and log(x@9.74)≈62.", ["6.88 ≈ 8.40%", "log(x@9.74) ≈ 62"]),
        ("S = Q@K.T = [[1, 2]]", ["S = Q@K.T", "Q@K.T = [[1, 2]]"]),
        ("また-[0.5, -1.2] ≈ [0.5, -1.2] + 6", ["-[0.5, -1.2] ≈ [0.5, -1.2] + 6"]),
        ("dS = 1.45÷log((40%) × sqrt(2))", ["dS = 1.45÷log((40%) × sqrt(2))"]),
        ("手順3：5.31 × (合計) ≒ 3 × 2", ["5.31 × (合計) ≈ 3 × 2"]),
        ("6.88 = 92% and -log(0.5)·2 = 9", ["6.88 = 92%", "-log(0.5)·2 = 9"]),
        ("3 = 67 と -(9.65) = 42", ["3 = 67", "-(9.65) = 42"]),
        ("Then the score is loss = -(1.86 - 31)", ["loss = -(1.86 - 31)"]),
        ("It follows that -67 - 3.44 = 2", ["-67 - 3.44 = 2"]),
        ("1 ≈ -(合計 − 9.31) ≒ -43 です。", ["1 ≈ -(合計 − 9.31)", "-(合計 − 9.31) ≈ -43"]),
        ("4 ≈ ([1, 2] · loss) + [3, 4] ≒ 2", ["4 ≈ ([1, 2] · loss) + [3, 4]", "([1, 2] · loss) + [3, 4] ≈ 2"]),
        ("D = 2 (dSq ⊙ Delta) + divide(dH, sigma)", ["D = 2 (dSq ⊙ Delta) + divide(dH, sigma)"]),
        ("x = 2 (loss of text) + 3 = 7", ["x = 2 (loss of text) + 3", "2 (loss of text) + 3 = 7"]),
        ("and -合計≈[1, 2, 3]", ["-合計 ≈ [1, 2, 3]"]),
        ("2 = 3, -loss = 0.5", ["2 = 3", "-loss = 0.5"]),
        ("- loss = 0.5", ["loss = 0.5"]),  # an item of a list
        ("また合計=[1, 2]", ["合計 = [1, 2]"]),
        ("したがって合計 × 2 ≈ 85", ["合計 × 2 ≈ 85"]),
        ("よって(loss)+7⊙a = 2", ["(loss)+7⊙a = 2"]),
        ("x = 2 (state-of-the-art)", ["x = 2"]),
        ("x = 2 (two of 3) is small", ["x = 2"]),
        ("10 + 3 plus 4 = 7", ["10 + 3 plus 4 = 7"]),
        ("so 10 + 3 plus 4 = 7", ["10 + 3 plus 4 = 7"]),
        ("2 × 3 of 4 = 12", ["2 × 3 of 4 = 12"]),
    ],
)
def test_sides_are_whole(text, wanted):
    assert sides(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "3 plus 4 = 7", "2 times 3 = 6", "half of 8 = 4", "the sum of 3 and 4 = 7", "5 mod 3 = 2", "20% of 50 = 10",
        "2 to the power 3 = 8", "10 divided by 4 = 2.5", "3足す4 = 7", "3かける4 = 12", "50の20% = 10", "4:2 = 2",
        "∛8 = 2", "12 // 5 = 2", "2 ∧ 3 = 2", "5 % 3 = 2", "7 = 3 plus 4", "3 plus 4 + 5 = 12", "5 cm × 4 cm = 20 cm²",
        "d/dx x² = 2x",
    ],
)  # fmt: skip
def test_what_is_said_in_words_or_other_signs_is_not_cut_to_its_last_number(text):
    assert sides(text) == [text]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("手順2:4 = 4", "4 = 4"),
        ("also 4 = 4", "4 = 4"),
        ("the sum is 4 = 4", "4 = 4"),
        ("2番目は4 = 4", "4 = 4"),
        ("μ = 3 of the ten", "μ = 3"),
    ],
)
def test_words_that_introduce_a_number_are_left_out(text, wanted):
    assert sides(text) == [wanted]


def test_words_alone_are_no_side():
    assert sides("μ = mean of x") == []


@pytest.mark.parametrize(
    "text", ["2 ✕ 5 < 6", "q . 4 < 5", ".5 < 0.9", "10€ + 3 < 4", "2 × (3 + 4 < 8", "∫ 2 + 3 ≤ 6", "4 ✕ 5 ≠ 5"]
)
def test_a_comparison_behind_what_is_not_read_is_told_and_not_compared(text):
    document = read_document(text.encode(), "a.txt")
    assert [problem.code for problem in document.problems] == ["not_clear"]
    assert split(document)[0] == ()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2 × 5 < 16", ["2 × 5 < 16"]), ("Since 1. 3 < 5 holds, 0 < 1 < 2.", ["3 < 5", "0 < 1", "1 < 2"]), ("x: 3 < 5", ["3 < 5"]), ("(3 < 5)", ["3 < 5"]), ("so (see) 3 < 5", ["3 < 5"]), ("1. 3 < 5", ["3 < 5"]),
        ("3 < 5; 4 < 5", ["3 < 5", "4 < 5"]), ("損失は3 < 5 である。4 < 5", ["3 < 5", "4 < 5"]), ("ok → 4 < 5", ["4 < 5"]), ("2 × (3 + 4) < 15", ["2 × (3 + 4) < 15"]),
    ],
)  # fmt: skip
def test_a_comparison_that_stands_whole_is_read(text, wanted):
    document = read_document(text.encode(), "a.txt")
    assert [f"{r.left.text} {r.sign} {r.right.text}" for r in split(document)[0]] == wanted
    assert document.problems == ()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The ratio 6 : 3 = 2", "6 : 3 = 2"), ("so 6 : 3 = 2", "6 : 3 = 2"), ("So 6:3 = 2 holds.", "6:3 = 2"), ("The ratio 6:3 = 2", "6:3 = 2"), ("比 6 : 3 = 2", "6 : 3 = 2"), ("比は6:3 = 2", "6:3 = 2"), ("so 6: 3 = 2", "6: 3 = 2"), ("4:2 = 2", "4:2 = 2"), ("4: 2 = 2", "4: 2 = 2"),
        ("(2 + 4) : 3 = 2", "(2 + 4) : 3 = 2"), ("so (2 + 4):3 = 2", "(2 + 4):3 = 2"), ("(2 + 4): 3 = 2", "(2 + 4): 3 = 2"), ("so 4²:2 = 2", "4²:2 = 2"), ("4² : 2 = 2", "4² : 2 = 2"), ("so √4 : 2 = 2", "√4 : 2 = 2"), ("so √4:2 = 2", "√4:2 = 2"), ("sigmoid(0) : 2 = 2", "sigmoid(0) : 2 = 2"), ("sigmoid(0):2 = 2", "sigmoid(0):2 = 2"),
        ("3 + 6 : 3 = 5", "3 + 6 : 3 = 5"), ("2.5 : 5 = 0.5", "2.5 : 5 = 0.5"), ("-6 : 3 = -2", "-6 : 3 = -2"), ("2 × 6 : 3 = 4", "2 × 6 : 3 = 4"), ("1 : 2 + 3 = 3.5", "1 : 2 + 3 = 3.5"), ("so 1/2 : 3/4 = 2/3", "1/2 : 3/4 = 2/3"), ("1/2: 3/4 = 2/3", "1/2: 3/4 = 2/3"), ("so (1 + x) : 2 = 2", "(1 + x) : 2 = 2"), ("[4, 2] : 2 = [2, 1]", "[4, 2] : 2 = [2, 1]"),
        ("$4^2 : 2 = 2$", "4^2 : 2 = 2"), ("$(1+x) : 2 = 2$", "(1+x) : 2 = 2"), (r"$\sigma(0) : 2 = 2$", r"\sigma(0) : 2 = 2"), (r"$\sqrt{4} : 2 = 2$", r"\sqrt{4} : 2 = 2"), ("$f(x):2 = 2$", "f(x):2 = 2"), (r"$q \cdot k:2 = 2$", r"q \cdot k:2 = 2"), (r"$4²:2 = 2$", r"4²:2 = 2"), ("$x² : 2 = 2$", "x² : 2 = 2"),
    ],
)  # fmt: skip
def test_what_is_divided_by_a_colon_is_not_cut_off(text, wanted):
    assert sides(text, "a.md") == [wanted]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Step 4: 2 = 2", ["2 = 2"]), ("step 4 : 2 = 2", ["2 = 2"]), ("Step 4:2 = 2", ["2 = 2"]), ("次の手順4:2 = 2", ["2 = 2"]), ("層4：3 = 3", ["3 = 3"]), ("Trial 6: 3 = 3", ["3 = 3"]), ("(1): 2 + 3 = 5", ["2 + 3 = 5"]), ("(1) : 2 + 3 = 5", ["2 + 3 = 5"]), ("Batch (32): 3 = 3", ["3 = 3"]), ("1: 2 + 3 = 5", ["2 + 3 = 5"]),
        ("Step 1 : 2 + 3 = 5", ["2 + 3 = 5"]), ("f(2): 3 = 3", ["3 = 3"]), ("w_1: 2 = 2", ["2 = 2"]), ("x : 2 = 2", ["2 = 2"]), ("note: 2 = 2", ["2 = 2"]), ("損失：3 = 3", ["3 = 3"]), ("x = 2: 3 = 3", ["x = 2", "3 = 3"]), (": 3 = 3", ["3 = 3"]), ("[^1]: 4 + 5 = 9", ["4 + 5 = 9"]),
        ("$w_1 : 2 + 3 = 5$", ["2 + 3 = 5"]), ("$w_{1}:2 + 3 = 5$", ["2 + 3 = 5"]), (r"$q \cdot k: 1 \cdot 2 = 2$", [r"1 \cdot 2 = 2"]), (r"$\text{Step 1}: 2 = 2$", ["2 = 2"]), (r"$\text{loss} : 2 = 2$", ["2 = 2"]), ("$f(x): 2 = 2$", ["2 = 2"]),
    ],
)  # fmt: skip
def test_a_label_before_a_colon_is_no_part_of_a_side(text, wanted):
    assert sides(text, "a.md") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "10€ × 3 = 30", "⌊7/2⌋ × 2 = 6", "1 + 1) × 3 = 6", "so 1 + 1) * 3 = 6", "so 1 + 1)/3 = 2/3", "× 3 = 6", "tokens ✕ 5 = 10", "合計 ✖ 5 = 10", "10€*3 = 30", "10€ * 3 = 30", "10€/5 = 2", "x: × 3 = 6", "x is |-3| × 2 = 6", "‖a‖ ÷ 3 = 6", "the `x` × 3 = 6", "10€ × 3 > 20",
    ],
)  # fmt: skip
def test_a_side_that_has_lost_its_first_operand_is_told_and_not_judged(text):
    document = read_document(text.encode(), "a.txt")
    assert [problem.code for problem in document.problems] == ["not_clear"]
    assert split(document)[0] == ()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2 × 3 × 4 = 24", "2 × 3 × 4 = 24"), ("softmax(x) × 3 = 3", "softmax(x) × 3 = 3"), ("$x$ × 3 = 6", "x  × 3 = 6"), ("2 × |-3| = 6", "2 × |-3| = 6"), ("2 × √4 = 4", "2 × √4 = 4"), ("· 3 = 3", "3 = 3"), ("- 3 = 3", "3 = 3"), ("* 3 = 3", "3 = 3"), ("合計 × 3 = 6", "合計 × 3 = 6"),
        ("see: 2 × 3 = 6", "2 × 3 = 6"), ("The scores are 5, 2.5 and 2: 20 × 20 = 400", "20 × 20 = 400"), ("so (10 + 2) * 3 = 36", "(10 + 2) * 3 = 36"), ("10% × 30 = 3", "10% × 30 = 3"), ("✕ 2 + 2 = 5", "2 + 2 = 5"), ("x = 3万", "x = 3万"), ("2 × 1.5万 = 3万", "2 × 1.5万 = 3万"),
    ],
)  # fmt: skip
def test_a_side_that_begins_with_its_operand_is_read(text, wanted):
    document = read_document(text.encode(), "a.md")
    assert [f"{r.left.text} {r.sign} {r.right.text}" for r in split(document)[0]] == [wanted]
    assert document.problems == ()
