"""Sizes that a document tells: of which names, how large, and from where to where they hold."""

import pytest

from symtransformer import check
from symtransformer.checking.declared_sizes import DeclaredSizes, _names, _paragraph, _size
from symtransformer.documents import read_document


def told(text, line=10**6, column=1, name="a.md", file=None):
    sizes = DeclaredSizes()
    sizes.add(read_document(text.encode(), name))
    return sizes.at(file or name, (line, column))


SQUARE = ("2", "2")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"$A \in \mathbb{R}^{2 \times 3}$", {"A": ("2", "3")}), (r"$A \in \R^{2\times3}$", {"A": ("2", "3")}), (r"$A, B \in \mathbb{R}^{n \times m}$", {"A": ("n", "m"), "B": ("n", "m")}), ("A ∈ ℝ^(2×3)", {"A": ("2", "3")}),
        (r"$x \in \mathbb{R}^n$", {"x": ("n",)}), (r"$x \in \mathbb{R}^{10}$", {"x": ("10",)}), ("x ∈ R³", {"x": ("3",)}), ("A ∈ R²ˣ³", {"A": ("2", "3")}), (r"$W_Q \in \mathbb{R}^{d_k \times d}$", {"W_Q": ("d_k", "d")}),
        (r"$A \in \mathbb{R}^{2 \cdot 3}$", {"A": ("2", "3")}), (r"$A \in \mathbb{R}^{2 \times 3 \times 4}$", {}), (r"$A \in \mathbb{R}^{n+1}$", {}), (r"$A \in \mathbb{R}^{2}$", {"A": ("2",)}), (r"$A \in \mathbb{R}$", {}),
        (r"$A \in \mathbb{Z}^{2 \times 3}$", {}), (r"$A \int R^{2 \times 3}$", {}), (r"$\mathbf{x} \in \mathbb{R}^{d}$", {"x": ("d",)}), (r"$A \in \mathbb{R}^{\mathrm{d} \times 3}$", {"A": ("d", "3")}), ("A ∈ R^{2 x 3}", {"A": ("2", "3")}),
        (r"$A \\in \\mathbb{R}^{2 \\times 3}$", {"A": ("2", "3")}), ("A in R^{2×3}", {}), (r"$x_1, x_2 \in \mathbb{R}^{4}$", {"x_1": ("4",), "x_2": ("4",)}),
    ],
)  # fmt: skip
def test_elements_of_a_space(text, found):
    assert told(text) == found


@pytest.mark.parametrize("name", ["W_Q", "W_{Q}", r"W_{\mathrm{Q}}", r"\mathbf{W}_Q", r"\mathbf{W}_{Q}"])
@pytest.mark.parametrize(("size", "verdict"), [(r"2 \times 3", "shapes"), (r"3 \times 3", "proved")])
def test_a_name_with_braces_has_the_size_that_is_told(name, size, verdict):
    """A square of 2 × 3 does not exist, and was called proved."""
    text = rf"${name} \in \mathbb{{R}}^{{{size}}}$. Then $({name} {name})^T = {name}^T {name}^T$."
    assert check(text, name="a.md").equations[-1].verdict == verdict


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A is a 2 × 3 matrix.", {"A": ("2", "3")}), ("Let A be a real 2 by 3 matrix.", {"A": ("2", "3")}), ("A and B are two n x m matrices.", {"A": ("n", "m"), "B": ("n", "m")}), ("A denotes a 2 × 3 matrix.", {"A": ("2", "3")}),
        ("Take the 2 × 3 matrix A.", {"A": ("2", "3")}), ("Two 2 × 3 real matrices A, B.", {"A": ("2", "3"), "B": ("2", "3")}), ("A is a square matrix of size n.", {"A": ("n", "n")}), ("A, B are square matrices of order 4.", {"A": ("4", "4"), "B": ("4", "4")}),
        ("square matrices A and B of dimension 2", {"A": SQUARE, "B": SQUARE}), ("A は 2×3 行列とする。", {"A": ("2", "3")}), ("A と B を 2×3 の実行列とする。", {"A": ("2", "3"), "B": ("2", "3")}), ("A は 2 行 3 列の行列である。", {"A": ("2", "3")}),
        ("A は n 次の実正方行列とする。", {"A": ("n", "n")}), ("2 次正方行列 A を考える。", {"A": SQUARE}), ("2×3 の行列 A を考える。", {"A": ("2", "3")}), ("a is a 2 × 3 matrix.", {}), ("A is a 2 × 3 table.", {}), ("A は 2×3 の表である。", {}),
        ("BA is a 2 × 3 matrix.", {}), ("A_1 and A_2 are 2 × 3 matrices.", {"A_1": ("2", "3"), "A_2": ("2", "3")}), ("A, B, and C are arbitrary n × n matrices.", {"A": ("n", "n"), "B": ("n", "n"), "C": ("n", "n")}),
    ],
)  # fmt: skip
def test_sizes_in_words(text, found):
    assert told(text) == found


def test_the_last_that_was_told_before_a_place_holds_there():
    text = "Let $A ∈ R^{2×3}$.\n\nLet $A ∈ R^{4×5}$ and $A ∈ R^{6×7}$.\n"
    assert told(text, 1, 1) == {"A": ("2", "3")}  # in its own paragraph
    assert told(text, 2, 1) == {"A": ("2", "3")}
    assert told(text, 3, 5) == {"A": ("2", "3")}
    assert told(text, 3, 21) == {"A": ("4", "5")}
    assert told(text, 4, 1) == {"A": ("6", "7")}
    assert told(text, 4, 1, file="b.md") == {}


def test_what_cannot_be_used_takes_the_size_away():
    text = "Let $A ∈ R^{2×3}$, $B ∈ R^{2}$.\n\nNow $A ∈ R^{2×3×4}$."
    assert told(text, 2, 1) == {"A": ("2", "3"), "B": ("2",)}
    assert told(text, 4, 1) == {"B": ("2",)}


def test_what_is_told_behind_holds_for_its_own_paragraph_and_where_for_the_one_before():
    after = "First.\n\n$A B = C$, $A ∈ R^{2×3}$.\n"
    assert told(after, 1, 1) == {}
    assert told(after, 3, 1) == {"A": ("2", "3")}
    for word in ("where", "Where", "with", "here", "$where", "ここで、", "ただし"):
        text = f"First.\n\n$A B = C$\n\n{word} $A ∈ R^{{2×3}}$.\n"
        assert told(text, 1, 1) == {}, word
        assert told(text, 3, 1) == {"A": ("2", "3")}, word
    other = "First.\n\n$A B = C$\n\nNow $A ∈ R^{2×3}$.\n"
    assert told(other, 3, 1) == {}
    assert told("$A B = C$\n\nwhere $A ∈ R^{2×3}$.\n", 1, 1) == {"A": ("2", "3")}
    assert told("> $A B = C$\n>\n> where $A ∈ R^{2×3}$.\n", 1, 3) in ({}, {"A": ("2", "3")})


@pytest.mark.parametrize(
    ("text", "at", "start"),
    [
        ("abc", 2, 0), ("ab\n\ncd", 5, 4), ("ab\n\ncd\n\nef", 9, 8), ("ab\n \t>\ncd", 8, 7), ("ab\ncd", 4, 0), ("ab\n\nwhere", 6, 0), ("ab\n\ncd\n\nwhere", 11, 4), ("where ab", 7, 0), ("ab\n\nfor", 5, 4),
        ("x" * 3000, 2500, 500), ("x" * 3000, 1999, 0), ("x" * 3000 + "\n\nwhere A", 3008, 1008), ("ab\n\n" + "x" * 3000, 2500, 500), ("ab\n\n" + "x" * 3000, 1900, 4),
    ],
)  # fmt: skip
def test_where_the_paragraph_begins(text, at, start):
    assert _paragraph(text, at) == start


@pytest.mark.parametrize(
    ("text", "size"),
    [
        (r"2 \times 3", ("2", "3")), ("2×3", ("2", "3")), ("n", ("n",)), ("d_k", ("d_k",)), ("d_{model}", ("d_model",)), ("2×3×4", None), ("n+1", None), ("", None), ("2²", ("22",)), ("1234567", None), ("123456", ("123456",)),
        (r"\text{n} x \text{m}", ("n", "m")), (r"n \, \times \, m", ("n", "m")), ("nm", None), ("2·3", ("2", "3")),
    ],
)  # fmt: skip
def test_a_size_is_one_or_two_numbers_or_letters(text, size):
    assert _size(text) == size


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A", ["A"]), ("Let W_Q, W_K", ["W_Q", "W_K"]), ("A,B", ["A", "B"]), ("", []), (" , A", ["A"]), (r"\mathbf{x}", ["x"]), (r"let \mathrm{A}, b", ["A", "b"]), (r"{A}", ["A"]), ("W_{Q}, W_{K}", ["W_Q", "W_K"]), (r"\mathbf{W}_{Q}, \bm{x}", ["W_Q", "x"]), ("W^{Q}", ["W_Q"]), (r"\text{Let }A", ["A"]), ("{A", ["A"]), (r"W_{\text{in}}", ["W_in"]), (r"\alpha", ["alpha"]), ("2", []),
        ("abcdefghijklmnop_qrst", []),
    ],
)  # fmt: skip
def test_the_names_before_it(text, names):
    assert [*_names(text)] == names


def test_names_far_before_it_are_not_heard():
    near, far = "B" + " " * 75 + ", ", "B" + " " * 76 + ", "
    assert told(rf"${near}A \in \mathbb{{R}}^{{2}}$") == {"B": ("2",), "A": ("2",)}
    assert told(rf"${far}A \in \mathbb{{R}}^{{2}}$") == {"A": ("2",)}


def test_what_two_sentences_tell_is_in_the_order_of_their_places():
    """What formulas tell is found before what words tell, wherever that stands."""
    text = "Let $A ∈ R^{2×3}$.\n\nA is a 4 × 5 matrix.\n\nLet $A ∈ R^{6×7}$.\n"
    assert [told(text, line, 9)["A"][0] for line in (2, 4, 6)] == ["2", "4", "6"]
