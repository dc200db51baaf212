"""What is said of a wrong result names nothing that the expression does not have; expected values by plain Python."""

import math

import pytest

from symtransformer import check


def checked(text):
    return check(text, name="notes.txt").files[0].equations[-1]


def slips(text):
    found = checked(text)
    assert found.verdict == "wrong", found
    return [note.name for note in found.slips]


def remarks(text):
    return [note.name for note in checked(text).remarks]


def listed(rows):
    rows = rows if isinstance(rows[0], list) else [rows]
    text = ", ".join("[" + ", ".join(f"{x:.4f}" for x in row) + "]" for row in rows)
    return text if len(rows) == 1 else f"[{text}]"


def mul(a, b):
    return [[sum(x * y for x, y in zip(row, column, strict=True)) for column in zip(*b, strict=True)] for row in a]


def softmax(rows):
    powers = [[math.exp(x) for x in row] for row in rows]
    return [[p / sum(row) for p in row] for row in powers]


A, V = [[0.9, 0.1], [0.4, 0.6], [0.25, 0.75]], [[1.5, -2.5, 0.5], [3.25, 5.5, -4.75]]
Z = mul(A, V)
PRODUCT = f"A = {A}\nV = {V}\nZ = A V\n"


# -- places -------------------------------------------------------------------------------------------------------------
def test_the_indices_of_an_entry_are_swapped():
    assert slips(PRODUCT + f"z_12 = {Z[1][0]:.4f}") == ["index_swapped"]
    S = [[1, 2], [3, 5]]
    assert "index_swapped" in slips(f"S = {S}\nA = softmax(S)\nA_12 = {softmax(S)[1][0]:.3f}")


def test_the_next_entry_is_taken():
    S = [[1, 2], [3, 5]]
    assert "neighboring_entry" in slips(f"S = {S}\nA = softmax(S)\nA_12 = {softmax(S)[0][0]:.3f}")


@pytest.mark.parametrize(
    ("name", "shown", "says"),
    [
        ("rows_swapped", [Z[1], Z[0], Z[2]], "rows 1 and 2"),
        ("rows_swapped", [Z[2], Z[1], Z[0]], "rows 1 and 3"),
        ("columns_swapped", [[row[0], row[2], row[1]] for row in Z], "columns 2 and 3"),
        ("result_transposed", [list(column) for column in zip(*Z, strict=True)], "transposed"),
    ],
)
def test_right_numbers_in_other_places(name, shown, says):
    (note,) = checked(PRODUCT + f"A V ≈ {listed(shown)}").slips
    assert note.name == name
    assert says in note.words.en


def test_two_entries_of_a_list_are_swapped():
    (note,) = checked("x = [1, 2.5, -3]\n2 x = [2, -6.0, 5.0]").slips
    assert (note.name, note.words.en) == ("entries_swapped", "The entries 2 and 3 are swapped.")


def test_rows_in_other_places_with_one_planted_error_are_not_explained():
    shown = [Z[1], Z[0], [Z[2][0] + 0.4, *Z[2][1:]]]
    found = checked(PRODUCT + f"A V ≈ {listed(shown)}")
    assert (found.verdict, found.slips) == ("wrong", ())
    assert "no_slip" in [note.name for note in found.remarks]


# -- the sign -----------------------------------------------------------------------------------------------------------
def test_the_sign_is_the_slip_where_it_explains_every_entry():
    for text in ("0.2 + 0.74 = -0.94", "x = [1.5, -2]\n2 x = [-3.0, 4.0]"):
        found = checked(text)
        assert [note.words.en for note in found.slips] == ["With the other sign it would be right."]
        assert "no_slip" not in remarks(text)


def test_the_sign_of_some_entries_names_them():
    (note,) = checked("x = [1.5, -2, 4]\n2 x = [-3.0, -4.0, -8.0]").slips
    assert "(1, 1), (1, 3)" in note.words.en
    assert "(1, 1), (1, 3)" in note.words.ja
    found = checked("x = [1.5, -2, 4]\n2 x = [-3.0, -4.0, 9.5]")
    assert found.slips == ()
    assert [note.words.en for note in found.remarks if note.name == "sign"] == [
        "With the other sign it would be right in the entry (1, 1)."
    ]


# -- nothing absurd --------------------------------------------------------------------------------------------------------
X = [2, 4, 4, 7]
MEAN = sum(X) / 4


def test_rows_that_are_only_centered():
    assert slips(f"x = {X}\nLayerNorm(x) = {listed([x - MEAN for x in X])}") == ["deviation_not_divided"]


def test_two_slips_at_once_speak_of_what_the_expression_has():
    """The mean absolute deviation is written with ReLU here, and no ReLU stands in the document."""
    below = sum(0.9 * abs(x - MEAN) for x in X) / 4  # as with a Leaky ReLU
    names = slips(f"x = {X}\nLayerNorm(x) = {listed([(x - MEAN) / below for x in X])}")
    assert not [name for name in names if "relu" in name]


def test_an_activation_that_is_left_out():
    assert slips("h = [-1.5, 2]\nReLU(h) = [-1.5, 2]") == ["activation_left_out"]
    assert slips("H = [[-1.5, 2], [3, -4], [1, 0]]\nReLU(H) = [[-1.5, 2], [3, -4], [1, 0]]") == ["activation_left_out"]


def test_a_bias():
    x, W, b = [1, 2], [[1, 2, -1], [3, 5, 0.5]], [5.5, -10, 20]
    (product,) = mul([x], W)
    given = f"x = {x}\nW = {W}\nb = {b}\nx W + b = "
    assert slips(given + listed(product)) == ["bias_left_out"]
    assert slips(given + listed([p - q for p, q in zip(product, b, strict=True)])) == ["bias_subtracted"]
    assert checked(given + listed([p + q for p, q in zip(product, b, strict=True)])).verdict == "right"


def test_a_transposed_factor():
    square, T = [[0.5, 0.5], [0.2, 0.8]], [list(column) for column in zip(*[[0.5, 0.5], [0.2, 0.8]], strict=True)]
    assert "weights_transposed" in slips(f"A = {square}\nV = {V}\nA V = {listed(mul(T, V))}")
    Q, K = [[1, 2], [3, 5]], [[2, 1], [0, 7]]
    assert slips(f"Q = {Q}\nK = {K}\nQ K^T = {listed(mul([[1, 3], [2, 5]], K))}") == ["query_transposed"]


# -- the digits ------------------------------------------------------------------------------------------------------------
ROUNDING = {"truncated", "rounded_away", "one_unit", "padded_zeros"}


@pytest.mark.parametrize("text", ["2 + 2 = 5", "x = 3\nx^2 = 10", "3·5 = 10", "4·5 = 10", "2 + 2 = 3", "10·10 = 200"])
def test_whole_numbers_are_not_rounded(text):
    assert not ROUNDING & set(remarks(text))


def test_decimals_are():
    assert "truncated" in remarks("2 / 3 ≈ 0.66")
    assert "rounded_away" in remarks("1 / 3 ≈ 0.34")


def test_zeros_at_the_end_are_told_where_the_digits_before_them_say_something():
    assert "padded_zeros" in remarks("√2 ≈ 1.4140")
    for text in ("0.27 + 0.74 = 1.00", "1.15 + 1.15 = 2.0", "1.2 · 1.9 = 2.00"):
        assert "padded_zeros" not in remarks(text)
