"""What stands around an equation in plain text: brackets that were forgotten, ratios, contractions, counting words, suppositions."""

import pytest

from symtransformer.checking.checks import check

OPEN = {"unparsed", "undecidable"}


def verdicts(text):
    report = check(text, name="a.md")
    return [e.verdict for e in report.equations] + ["unread" for file in report.files for _ in file.unread]


@pytest.mark.parametrize(
    "text",
    ["Q = [[1, 2]", "x = (1 + 2", "a = [1, 2", "2 * (3 + 4 = 14", "K = [[1, 2], [3, 4]", "The scores are s = [1, 2 and so on.", "2 × (3 + 4 = 7"],
)  # fmt: skip
def test_where_a_bracket_was_forgotten_it_is_told_and_nobody_accused(text):
    found = verdicts(text)
    assert found
    assert set(found) <= OPEN | {"unread"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Q = [[1, 2], [3, 4]]", ["definition"]), ("As (3 + 4 = 7\nsays) so.", ["right"]), ("2 * (3 + 4) = 14", ["right"]),
        ("(2 + 2 = 5", ["last_place"]),
    ],
)  # fmt: skip
def test_brackets_that_are_closed_or_of_the_sentence(text, expected):
    assert verdicts(text) == expected


@pytest.mark.parametrize(
    "text", [r"$\frac{2}{3} : \frac{3}{4} = \frac{8}{9}$", "1/2 : 3/4 = 2/3", "1: 2 = 0.5", "2:1 = 2", "$1 : 2 = 0.5$"]
)
def test_a_ratio_is_not_taken_for_a_label(text):
    assert set(verdicts(text)) <= OPEN


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("w_1: 0.5 + 0.2 = 0.7", "right"), ("(1): 0.5 + 0.2 = 0.8", "last_place"), ("Step 2: 3 + 4 = 8", "last_place"), ("layer 1: 3 = 3", "right"),
        ("$w_1: 2 \\cdot 3 = 7$", "last_place"), ("Total: 12 + 30 = 52", "wrong"),
    ],
)  # fmt: skip
def test_a_label_claims_nothing(text, expected):
    assert verdicts(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yes, that's 2 + 3 = 5.", ["right"]), ("Yes, that's 2 + 3 = 9.", ["wrong"]), ("So it's 2 + 2 = 4 and we're at 4 + 4 = 8.", ["right", "right"]),
        ("They’ll get 1 + 1 = 7.", ["wrong"]), ("x' = 3 and 2 x' = 6", ["definition", "right"]),
    ],
)  # fmt: skip
def test_a_contraction_is_no_name_with_a_prime(text, expected):
    assert verdicts(text) == expected


@pytest.mark.parametrize(
    "text", ["電気代は 0.4 kW × 8 台 × 57 時間 ＝ 128.4 kWh", "8 台 × 57 時間 = 456", "3 人 × 4 個 = 13"]
)
def test_a_counting_word_is_no_name_that_gets_a_value(text):
    assert set(verdicts(text)) <= OPEN


def test_a_word_alone_is_a_name():
    assert verdicts("時間 = 5\n\n時間 × 2 = 11") == ["definition", "last_place"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("If we had 1 + 1 = 3, then all would be lost.", "undecidable"),
        ("If somebody wrote 2 + 2 = 5, we would object.", "undecidable"),
        ("If the sum had been right, 2 + 2 = 5, the rest would follow.", "undecidable"),
        ("If a were omitted, we would have 2 + 2 = 5.", "last_place"),
        ("If a were omitted, 2 + 2 = 5.", "last_place"),
        ("As it had been, 2 + 2 = 5, the rest follows.", "last_place"),
        ("If the sum is needed, 2 + 2 = 5, the rest follows.", "last_place"),
    ],
)
def test_what_is_supposed_contrary_to_fact_is_not_judged(text, expected):
    assert verdicts(text) == [expected]


@pytest.mark.parametrize(
    "text",
    ["log₂ 8 = 4", "log_2 8 = 4", "log_{2}(8) = 4", "log2(8) = 4", r"$\log_2 8 = 4$", r"$\log\nolimits_2 8 = 4$", r"$\log{}_2 8 = 4$", "ｌｏｇ₂ 8 = 4",
     "log₁₀ 1000 = 1", "x = log₂(8) + 1 = 5", "ln 3 = 1.58", "h = log₂ 8\n\nh + 0 = 4"],
)  # fmt: skip
def test_a_base_that_is_written_leaves_no_other_convention(text):
    """log₂ 8 is 3; 3 / ln 2 = 4.3 would be a second logarithm."""
    assert "by_convention" not in verdicts(text)
    assert set(verdicts(text)) & {"wrong", "last_place", "unparsed"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("log 8 = 3", "by_convention"),
        ("log₂ 8 = 3", "right"),
        ("log 1000 = 3", "by_convention"),
        ("ln 8 = 2.079", "right"),
    ],
)
def test_logarithms_without_a_base(text, expected):
    assert verdicts(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$524288 / 1024 = 512$ KiB", ["right"]),
        ("$524288 / 1024 = 514$ KiB", ["undecidable"]),
        (r"$7 \cdot 10^9 \cdot 2 = 14$ GB", ["undecidable"]),  # 14 GB are 14 · 10⁹ bytes
        ("$2 + 3 = 4 + 1 = 5$ MB", ["right", "right"]),
        ("$2 + 3 = 6 = 5$ MB", ["last_place", "right"]),  # 5 is what the chain began with
        ("$0.5 = 512 / 1024$ MiB", ["right"]),
        ("$m = 24$ GB", ["unparsed"]),
        ("$m = 24$, $m + 1 = 25$ GB", ["definition", "unparsed"]),
        (r"$1.05 + 2.10 = 3.15$ million", ["undecidable"]),
    ],
)
def test_a_unit_behind_a_formula(text, expected):
    assert verdicts(text) == expected


CUT_OFF = [
    "2 ✕ 5 = 5", "2 ∗ 5 = 5", "3 • 4 = 4", "6 — 2 = 2", "6 ‒ 2 = 2", ".5 = 5", ".5 * 2 = 10", ".25 + 1 = 26", "x + .5 = 1", "10€ + 3 = 3", "2 ✕ 5 + 3 = 8", "6✖2=2",
    "3 ✕ sqrt(4) = 2", "5 & 2 = 2", "5″ 2 = 2", "5% ✕ 3 = 3", "q . k = 5", "3 ◦ 2 = 2", "5 ↑ 2 = 2", "5 ➗ 2 = 2", "`5` + 2 = 2", "[5](http://a.b) + 2 = 2",
    "5 ∼ 2 = 2", "5 ∝ 2 = 2", "5 ✖️ 2 = 2", "5 ∗∗ 2 = 2", "∫ 2 + 3 = 5", "「5」＋2 = 2", "【5】＋2 = 2", "5# + 2 = 2", "5 · $2 = 2$", r"5 + $\\sqrt{4} = 2$", "-$2 = 2$", "3/$2 = 2$", "2^$3 = 3$", "5 $+ 2 = 2$", "5 - $2 = 2$", "$10 = 2$ × 5", "$3 = 3$ + 1",
]  # fmt: skip


@pytest.mark.parametrize("text", CUT_OFF)
def test_a_side_of_which_a_part_is_not_read_is_no_side(text):
    """Neither right, as 2 = 2 would be, nor wrong."""
    found = verdicts(text)
    assert found
    assert set(found) <= OPEN | {"unread"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is so. 2 + 2 = 5", "last_place"), ("As 5 is odd: 2 + 2 = 5", "last_place"), ("- 2 + 2 = 5", "last_place"), ("• 2 + 2 = 5", "last_place"), ("— 2 + 2 = 5", "last_place"),
        ("the sum — 2 + 2 = 5 — is wrong", "undecidable"), ("we get 5; 2 + 2 = 5", "last_place"), ("(5) 2 + 2 = 5", "last_place"), ("so $2 + 2 = 5$ – and", "last_place"),
        ("5 &times; 2 = 2", "wrong"), ("5 &times; 2 = 10", "right"), ("&radic;16 = 4", "right"), ("3 &minus; 5 = &minus;2", "right"), ("3&sup2; = 9", "right"), ("- $2 + 2 = 5$", "last_place"),
    ],
)  # fmt: skip
def test_what_stands_before_a_side_may_end_there(text, expected):
    assert verdicts(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It takes $7200 = 2$ hours.", "undecidable"), ("It takes $7200 = 3$ hours.", "wrong"), (r"$512 \cdot 2 = 1$ **KiB**", "undecidable"), ("$16 = 2$ bytes", "undecidable"),
        ("It is $100 = 1$ m.", "undecidable"), ("It is $100 = 7$ m.", "wrong"), ("$300 = 3$ 百", "unparsed"), ("$12 = 1$ ダース", "unparsed"), ("$300 = 3$ 個", "wrong"),
        (r"所要時間は $3 \times 40 = 2$ 分。", "undecidable"), (r"所要時間は $3 \times 40 = 3$ 分。", "wrong"), (r"$3 \cdot 4 = 13$ bytes", "last_place"), ("$120 = 2$ layers", "wrong"),
        (r"$3 \cdot 4 = 12$ bytes", "right"), (r"$1/8 = 0.125$\,\% of all", "undecidable"), (r"$1/8 = 12.5$\,\% of all", "by_convention"), (r"$1/8 = 13.5$\,\% of all", "wrong"),
    ],
)  # fmt: skip
def test_a_unit_may_have_been_worked_in(text, expected):
    assert verdicts(text) == [expected]


@pytest.mark.parametrize(
    "text", [r"$(3 \times 4)(4 \times 2) = 3 \times 2$", "(3, 4) @ (4, 2) = (3, 2)", "$(3 × 4) · (4 × 2) = (3 × 2)$"]
)
def test_sizes_are_no_numbers(text):
    assert set(verdicts(text)) <= OPEN


@pytest.mark.parametrize(
    ("text", "accused"),
    [
        ("np.log(8) = 3", True), ("math.log(100) = 2", True), ("np.var([1, 2, 6]) = 7", True), ("log(8) = 3", False), ("var([1, 2, 6]) = 7", False), ("np.log(8) = 2.079", False),
        ("np.dot([1, 2], [3, 4]) = 11", False), ("np.dot([1, 2], [3, 4]) = [1, 2]", True), ("matmul([[1, 2]], [[3], [4]]) = [[11]]", False), ("matmul([[1, 2]], [[3], [4]]) = [[1, 2]]", True),
    ],
)  # fmt: skip
def test_functions_of_numpy(text, accused):
    assert ({*verdicts(text)} <= {"wrong", "last_place", "shapes"}) == accused


@pytest.mark.parametrize(
    "claim", [r"$\overline{x^2} = [1, 4]$", r"$\overline{x \cdot x} = 5$", r"$\overline{x} x = 5$"]
)
def test_an_overline_is_not_left_away(claim):
    assert set(verdicts(f"$x = [1, 2]$\n\n{claim}")[1:]) <= OPEN


@pytest.mark.parametrize("text", ["5 + 2 (tokens) = 8", "136800 円 = 1.368 万円", "2^3^ = 6", "2 個 = 3", "5（個）= 3"])
def test_what_ends_behind_a_number_is_told_as_unread(text):
    found = verdicts(text)
    assert found
    assert set(found) <= OPEN | {"unread"}


def test_a_sentence_that_ends_with_a_formula_cuts_nothing_off():
    assert verdicts("$A = [[1, 2], [3, 5]]$. det(A) = -1. det(A) = 2") == ["definition", "right", "wrong"]
    assert verdicts("We set $a = 2$. a + 1 = 4") == ["definition", "last_place"]
