"""Units at the end of sides, and values that are said once more in brackets."""

import pytest

from symtransformer import check
from symtransformer.checking.equations import ACCEPTED, ACCUSING


@pytest.mark.parametrize(
    "text",
    [
        r"$8\,\text{ビット} = 8\,\text{バイト}$", r"$1\,\text{キロバイト} = 1\,\text{バイト}$", r"$3\text{層} = 3\text{ヘッド}$", r"$8\,\text{ビット} = 1\,\text{バイト}$",
        r"$4\text{ kilobytes} = 4\text{ bytes}$", r"$1 \text{ epoch} = 1000$ steps.", r"$1 \text{ token} \approx 4$ characters", r"$1\text{文字} = 3$ バイト", r"$1 \text{ MAC} = 2$ FLOPs", r"$1\text{ epoch} = 1$",
    ],
)  # fmt: skip
def test_what_has_another_unit_is_neither_right_nor_wrong(text):
    assert check(text, name="a.md").equations[0].verdict not in (*ACCEPTED, *ACCUSING)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"$2\cdot 84.9\text{M} = 169.8\text{M}$", "right"), (r"$2\cdot 84.9\text{M} = 179.8\text{M}$", "wrong"), (r"$32\cdot1.7\,\mathrm{ms} \approx 54\,\mathrm{ms}$", "right"), (r"$32\cdot1.7\,\mathrm{ms} \approx 64\,\mathrm{ms}$", "wrong"),
        (r"$2 \cdot 3\,\text{層} = 6\,\text{層}$", "right"), (r"$2 \cdot 3\,\text{層} = 9\,\text{層}$", "wrong"), (r"$2 \cdot 3\text{ tokens} = 6$", "right"), (r"$2 \cdot 3 = 9\text{ tokens}$", "wrong"),
    ],
)  # fmt: skip
def test_one_unit_of_all_sides_counts_nothing(text, expected):
    assert check(text, name="a.md").equations[0].verdict == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"$1/4 = 0.25 (25\%)$", "right"), (r"$1/4 = 0.25 (26\%)$", "wrong"), (r"$1/4 = 0.35 (35\%)$", "wrong"), (r"$p_1 = 0.7\ (70\%)$, $p_2 = 0.3（30\%）$, $p_1 + p_2 = 1$", "right"), (r"$3/8 = 0.375 (3/8)$", "right"), (r"$3/8 = 0.375 (5/8)$", "wrong"),
        (r"$1/3 = 0.333 (33.3\%)$", "right"), (r"$1/3 = 0.333 (1/3)$", "right"), (r"$1/3 = 0.333 (34\%)$", "wrong"), ("$1 = 4 (1/4)$", "right"), ("$8 = 2 (4)$", "unparsed"),
    ],
)  # fmt: skip
def test_a_value_that_is_said_once_more_is_no_factor(text, expected):
    assert check(text, name="a.md").equations[-1].verdict == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"$200 + 5\% = 210$", "undecidable"), (r"$100 - 10\% = 90$", "undecidable"), ("250 + 10% = 275", "undecidable"), (r"$200 + 5\% = 215$", "wrong"), (r"$20\% + 5\% = 25\%$", "right"), (r"$20\% + 5\% = 27\%$", "wrong"),
    ],
)  # fmt: skip
def test_a_percentage_may_be_one_of_what_stands_before_it(text, expected):
    assert check(text, name="a.md").equations[-1].verdict == expected
