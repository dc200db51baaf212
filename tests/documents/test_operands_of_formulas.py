"""What is an operand and what is a word: letters, calls, brackets, names in quotes, and the ends of a side."""

import pytest

from symtransformer.documents.operands import _is_letter, _operates_on_names, is_mathy, is_mathy_word
from symtransformer.documents.sides import ends_before, is_number_in_brackets, left_of
from symtransformer.documents.signs import signs_of


@pytest.mark.parametrize(
    "word",
    [
        "x", "W", "Q", "x_1", "W_Q", "d_model", "W1", "QK", "ABCD", "LN", "FFN", "alpha", "dalpha", "eps", "sigma", "dx", "dQ", "dz",
        "Ax", "Kv", "Qk", "xB", "exp", "tanh", "x'", "H'", "np.X", "torch.W", "K.T", "ᵀ", "αβγ", "dt", "da", "Wq", "sqrt",
    ],
)  # fmt: skip
def test_letters_of_a_formula(word):
    assert _is_letter(word) is True


@pytest.mark.parametrize(
    "word",
    ["the", "is", "in", "to", "ABCDE", "Query", "loss", "de", "di", "do", "du", "By", "My", "Hz", "ok", "Eq", "that's", "don't", "softmax", "we", "Ab", "np"],
)  # fmt: skip
def test_words_of_a_language(word):
    assert _is_letter(word) is False


def mathy(text, at):
    signs = signs_of(text)
    return is_mathy(signs, next(i for i, s in enumerate(signs) if s.start == at))


CASES = [
    ("2 + x", 0, True), ("2 + x", 2, False), ("2 + x", 4, True), ("a = ...", 4, True), (r"\alpha", 0, True), ("3²", 1, True),
    ("scores[0]", 0, True), ("scores[]", 0, False), ("scores [0]", 0, False), ("scores(0)", 0, True), ("scores (0)", 0, False),
    ("softmax (x)", 0, True), ("softmax(x", 0, False), ("得点[0]", 0, False), ("mean  (x)", 0, True),
    ("(see below)", 0, False), ("(see below)", 10, False), ("(W_2 x)", 0, True), ("(W_2 x)", 6, True), ("[0, 1]", 0, True), ("[0, 1]", 5, True),
    ("()", 0, False), ("( x", 0, False), ("x )", 2, False), ("(x = 1)", 0, False), ("[x = 1]", 0, True), ("(nan)", 0, True), ("(well-known)", 0, False),
    ("softmax(Score)", 7, True), ("softmax(a. b)", 7, False), ("loss(x)", 4, True), ("loss(点数)", 4, False), ("softmax(点数)", 7, True),
    ("g_{ij}", 2, True), ("e^(ab)", 2, True), ("e^(点)", 2, True), ("e^(点 x)", 2, False), ("{the word}", 0, False),
    ("2 × (合計)", 4, True), ("(合計) × 2", 0, True), ("(合計)", 0, False), ("2 (合計)", 2, False),
    (r"\begin{pmatrix}1\end{pmatrix}", 0, True),
    ('"cat" = [1]', 0, True), ('a "cat" = [1]', 2, False), ('2 × "cat"', 4, True), ('2 - "cat"', 4, False), ('"cat" is', 0, False), ('E("cat") = 1', 2, True),
]  # fmt: skip


@pytest.mark.parametrize(("text", "at", "expected"), CASES)
def test_what_stands_in_formulas(text, at, expected):
    assert mathy(text, at) is expected


@pytest.mark.parametrize(
    ("text", "operates"),
    [
        ("(loss / 3.8)", True), ("(loss/3.8)", True), ("(loss/tokens)", False), ("(loss / tokens)", True), ("(loss - x)", True), ("(pre-trained)", False),
        ("(loss-3)", False), ("(2 + x)", False), ("(loss 2)", False), ("(loss + the mean)", False), ("(合計 - x)", True), ("(loss × 2)", True),
        ("(loss*2)", True), ("(loss + 2 = 3)", False), ("(loss: + 2)", False), ("((loss) + 2)", True), ("(loss +)", True), ("(2 loss + 3)", False),
    ],
)  # fmt: skip
def test_words_that_are_operands_of_their_own(text, operates):
    signs = signs_of(text)
    assert _operates_on_names(signs, 0, len(signs) - 1) is operates


@pytest.mark.parametrize(
    ("word", "is_one"), [("x", True), ("loss(x)", True), ("loss", False), ("2", False), ("exp", True)]
)
def test_words_of_formulas(word, is_one):
    assert is_mathy_word(signs_of(word), 0) is is_one


@pytest.mark.parametrize(
    ("word", "has_gap", "ends"),
    [
        ("損失は", False, True), ("損失", False, False), ("損失に", False, False), ("損失に", True, True), ("よって", False, True), ("は", True, True),
        ("は", False, False), ("is", True, True), ("is", False, False), ("Is", True, True), ("loss", True, False), ("から", True, False), ("値から", True, True),
    ],
)  # fmt: skip
def test_words_that_end_before_a_sign(word, has_gap, ends):
    assert ends_before(signs_of(word)[0], has_gap) is ends


@pytest.mark.parametrize(
    ("text", "is_label"),
    [("(2) x", True), ("( 2 ) x", True), ("(2)", True), ("f(2)", False), ("(2)(3)", False), ("4 + (2)", False), ("4+(2)", False), ("4 (2)", True),
     ("(2)²", False), ("(2 3)", False), ("(x)", False), (")(2)", False)],
)  # fmt: skip
def test_numbers_in_brackets_that_are_labels(text, is_label):
    signs = signs_of(text)
    first = next(i for i, s in enumerate(signs) if s.partner > i)
    assert is_number_in_brackets(signs, first, signs[first].partner) is is_label


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("2 + 3 = 5", "2 + 3"), ("x = 5", "x"), ("so x = 5", "x"), ("we get 2 + 3 = 5", "2 + 3"), ("-2 = 5", "-2"), ("- 2 = 5", "2"),
        ("x - 2 = 5", "x - 2"), ("(1) x = 2", "x"), ("f(2) x = 2", "f(2) x"), ("a x = 5", "x"), ("A Aᵀ = 5", "A Aᵀ"), ("the A x = 5", "x"),
        ("step 3 = 5", "3"), ("1, 2, 3 = 5", "1, 2, 3"), ("step 1, 3 = 5", "3"), ("5 cm × 4 cm = 20", "5 cm × 4 cm"), ("合計 = 5", "合計"),
        ("損失は -2 = 5", "-2"), ("値から2 + 3 = 5", "2 + 3"), ("-合計 = 3", "-合計"), ("また合計 = 3", "合計"), ("平均と合計 = 3", "平均と合計"),
        ("これは合計 = 3", "合計"), ("attention score = 3", "attention score"), ("and score = 3", "score"), ("the loss is score = 3", "score"),
        ("one two three four = 3", "four"), (" = 5", None), ("; = 5", None), ("x² = 5", "x²"), ("loss + 2 = 5", "loss + 2"),
        ("2 × -3 = -6", "2 × -3"), ("so 2 × -3 = -6", "2 × -3"), ("2 × 4 × -3 = -24", "2 × 4 × -3"), ("(2 + 1) × -3 = -9", "(2 + 1) × -3"), ("2 + -3 = -1", "2 + -3"), ("5 - -3 = 8", "5 - -3"), ("損失は2×-3 = -6", "2×-3"), ("よって2×-3 = -6", "2×-3"),
        ("loss × -3 = 5", "loss × -3"), ("A x = 5", "x"), ("A X = 5", "A X"), ("A X₁ = 5", "A X₁"), ("× -3 = 5", "-3"), ("+ 2 = 5", "2"), ("(2 + 3) × 4 = 5", "(2 + 3) × 4"), ("see (2 + 3) = 5", "(2 + 3)"),
    ],
)  # fmt: skip
def test_how_far_a_left_side_reaches(text, side):
    signs = signs_of(text)
    relations = [i for i, s in enumerate(signs) if s.kind == "relation"]
    low = relations[-2] + 1 if len(relations) > 1 else 0
    start = left_of(signs, relations[-1], low)
    assert (None if start is None else text[start : signs[relations[-1]].start].strip()) == side
