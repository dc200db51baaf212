"""Signs that are part of a formula in one place and of its dress in another: minus, brackets, stars, percent."""

from __future__ import annotations

import pytest

from symtransformer.documents import read_document, relations


def sides(text: str, name: str = "a.txt") -> list[str]:
    return [f"{r.left.text} {r.sign} {r.right.text}" for r in relations(read_document(text.encode(), name))]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("損失は -ln(0.786) ≈ 0.241", "-ln(0.786) ≈ 0.241"),
        ("損失は－ln(０．７８６)≈０．２４１", "-ln(0.786) ≈ 0.241"),
        ("底を2にすると -log(0.786) ≈ 0.347", "-log(0.786) ≈ 0.347"),
        ("so the loss is -ln(0.786) ≈ 0.241", "-ln(0.786) ≈ 0.241"),
        ("差は -2 + 5 = 3 である。", "-2 + 5 = 3"),
        ("合計 - 1 = 3", "合計 - 1 = 3"),  # a name is an operand
        ("total - 1 = 3", "total - 1 = 3"),
    ],
)
def test_a_minus_behind_a_particle_is_the_sign_of_what_follows(text, wanted):
    assert sides(text) == [wanted]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("(2) + 3 = 5", "(2) + 3 = 5"),
        ("(8) ÷ (5/2) = 3.2", "(8) ÷ (5/2) = 3.2"),
        ("(1) -2 + 3 = 1", "-2 + 3 = 1"),
        ("(2) 3 + 4 = 7", "3 + 4 = 7"),
        ("(a) 2*5 = 10", "2*5 = 10"),
        ("(b) (2+3)*4 = 20", "(2+3)*4 = 20"),
        ("(iv) 2*5 = 10", "2*5 = 10"),
        ("(ア) 2*5 = 10", "2*5 = 10"),
        ("- (c) 2*5 = 10", "2*5 = 10"),
        ("(a) + 2 = 10", "(a) + 2 = 10"),
    ],
)
def test_brackets_at_the_beginning_are_a_label_unless_an_operator_follows(text, wanted):
    assert sides(text) == [wanted]
    assert sides(text, "a.md") == [wanted]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("- 1/3 ≈ **0.33**, and 2/3 ≈ __0.76__", ["1/3 ≈ 0.33", "2/3 ≈ 0.76"]),
        ("- $2 + 3 =$ **5** and $2 \\cdot 3 =$ **9**", ["2 + 3 = 5", "2 \\cdot 3 = 9"]),
        ("**1/3 ≈ 0.33**", ["1/3 ≈ 0.33"]),
        ("答えは**2+3=5**です。", ["2+3 = 5"]),
        ("2 + 2 = `5`", ["2 + 2 = 5"]),
        ("2**3 + 4**2 = 24", ["2**3 + 4**2 = 24"]),  # powers, as in Python
        ("2 ** 3 = 8", ["2 ** 3 = 8"]),
    ],
)
def test_a_result_in_bold_or_in_code_is_the_right_side(text, wanted):
    assert sides(text, "a.md") == wanted


def test_places_are_kept_where_stars_are_left_out():
    found = relations(read_document("x and 1/3 ≈ **0.33**".encode(), "a.md"))
    assert [(r.column, r.right.origins[0]) for r in found] == [(11, 14)]


def test_a_percent_sign_behind_a_space_belongs_to_its_number():
    assert sides("1/3 ≈ 33 % and 2/3 ≈ 76 %") == ["1/3 ≈ 33 %", "2/3 ≈ 76 %"]
    assert sides("7 % 3 = 1") == ["7 % 3 = 1"]  # the rest of a division is not cut to 3 = 1


def test_what_is_no_number_stands_in_lists():
    assert sides("softmax([-inf, -inf]) = [nan, nan]") == ["softmax([-inf, -inf]) = [nan, nan]"]
