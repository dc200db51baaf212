"""3×2 · 2×3 = 3×3 is said of sizes; a list with commas and a product of numbers are not."""

import pytest

from symtransformer import check


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("QK^T: 3×2 · 2×3 = 3×3", "undecidable"), (r"$[3 \times 4] [4 \times 2] = [3 \times 2]$", "undecidable"), ("3×2 · 2×3 = 46", "wrong"), ("3×2 · 2×3 = 36", "right"), ("[1, 2] · [3, 4] = [3, 2]", "shapes"),
    ],
)  # fmt: skip
def test_sizes_are_told_from_numbers(text, expected):
    assert check(text, name="a.md").equations[0].verdict == expected
