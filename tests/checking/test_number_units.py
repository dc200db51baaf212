"""What else an equation of numbers may mean: units, words of ten, hundredths, lists, and what a document calls e or π."""

import pytest

from symtransformer import check
from symtransformer.checking.other_readings import _of_hundredths, are_shares, is_number_with_unit, meanings
from symtransformer.reading.sides import Known

MATRIX = {"M": Known((2, 2)), "K": Known((2, 2)), "t": Known()}


def read(left, right, scope=(), shown=()):
    return [(m.code, m.left, m.right) for m in meanings(left, right, dict(scope), dict(shown))]


@pytest.mark.parametrize(
    ("unit", "tens", "twos"),
    [
        ("k", 3, 1000), ("K", 3, 1024), ("M", 6, 1048576), ("B", 9, 10**9), ("G", 9, 1073741824), ("T", 12, 1099511627776),
    ],
)  # fmt: skip
def test_what_a_unit_counts(unit, tens, twos):
    second = f"2.5e{tens}" if twos == 10**tens else f"(2.5 · {twos})"
    assert read("x", f"2.5{unit}") == [("unit", "x", f"2.5e{tens}"), ("unit", "x", second)]
    assert read(f"3 {unit}", "x")[0] == ("unit", f"3e{tens}", "x")
    for text in (
        f"x_2{unit}",
        f"2{unit}x",
        f"2{unit}(3)",
        f"2{unit}^2",
        f"2{unit}_1",
        f"a2{unit}",
    ):  # a name, or a factor
        assert read(text, "1") == []


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("3 million", "3"), ("3 thousand", "3"), ("2.5 billion", "2.5"), ("3万", "3"), ("3億", "3"), (r"3\text{ million}", "3"), ("3~trillion", "3"),
    ],
)  # fmt: skip
def test_words_of_ten_may_be_left_out(text, meant):
    assert ("unit", "x", meant) in read("x", text)


def test_percent_in_words_is_the_number_before_it_where_nothing_else_is_a_share():
    assert read("37.5 - 12.5", "25 percent") == [("unit", "37.5 - 12.5", "25")]
    assert read("37.5 - 12.5", "25 パーセント") == [("unit", "37.5 - 12.5", "25")]
    assert read("0.375 - 0.125", "25 percent") == []
    assert read("37.5% - 12.5%", "25 percent") == []


def test_lists_may_be_put_one_behind_the_other():
    assert read("[1] + [2]", "[1, 2]") == [("lists", "[1, 2]", "[1, 2]")]
    assert read("[1] + [2, 3] + [4]", "x") == [("lists", "[1, 2, 3, 4]", "x")]
    assert read("[1] + 2", "3") == []


def test_constants_that_a_document_has_otherwise():
    given = {"e": Known(), "pi": Known()}
    assert read("e + 1", "3.7", given) == [("constant", "e + 1", "3.7")]
    assert [m.scope for m in meanings("e + 1", "3.7", given, {})] == [{"pi": Known()}]
    assert read("2π", "6.28", (), {"pi": "3.14"}) == [("constant", "2(3.14)", "6.28")]
    assert read("2e", "5", (), {"e": "2.5"}) == []  # 2e begins a power of ten
    assert read("1 + e", "3.5", (), {"e": "2.5"}) == [("constant", "1 + (2.5)", "3.5")]
    assert read("exp(1)", "2.7", given) == []
    assert read("3 + 4", "7", given, {"e": "2.5"}) == []


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("18.9M", True), ("20M", True), ("2M", False), ("2.5M", True), ("20K", True), ("20t", False), ("20k", False), ("20B", False), ("20Mx", False), ("M", False)],
)  # fmt: skip
def test_a_number_with_a_unit_that_is_a_matrix_too(text, is_one):
    assert is_number_with_unit(text, MATRIX) == is_one


@pytest.mark.parametrize(
    ("text", "are"),
    [("0.375 - 0.125", True), (".5", True), ("00.5", True), ("37.5 - 0.1", False), ("1", False), ("0", False), ("1.5", False), ("a - b", False)],
)  # fmt: skip
def test_shares_are_below_1_with_decimals(text, are):
    assert are_shares(text) == are


@pytest.mark.parametrize(
    ("left", "right", "told", "meant"),
    [
        ("30% - 20%", "10", "points", [("points", "10%")]), ("0.3 - 0.2", "10", "points", [("points", "10%")]), ("30 - 20", "10", "points", [("unit", "10%")]),
        ("30 - 20", "10", "percent", [("points", "10%")]), ("0.3 - 0.2", "10", "perhaps", [("unit", "10%")]), ("30% - 20%", "10", "perhaps", [("points", "10%")]),
        ("30 - 20", "10", "perhaps", []), ("30% - 20%", "10", "", []), ("30% - 20%", "a", "points", []), ("0.3 - 0.2", "-10", "points", [("points", "-10%")]),
    ],
)  # fmt: skip
def test_what_the_words_of_a_sentence_make_of_a_number(left, right, told, meant):
    assert [(m.code, m.right) for m in _of_hundredths(left, right, {}, told)] == meant


@pytest.mark.parametrize(
    ("document", "wanted"),
    [
        ("$M = [[1, 2], [3, 4]]$. $18.9M = 18900000$.", "unparsed unit"),
        ("$M = [[1, 2], [3, 4]]$. $3M = [[3, 6], [9, 12]]$.", "right "),
        ("$e = 2.5$. $e + 1 = 3.5$.", "right "),
        ("$e = 2.5$. $e + 1 = 3.718$.", "undecidable constant"),
        ("$e = 2.5$. $e + 1 = 4.718$.", "wrong "),
        ("$π ≈ 3.14$. $100π = 314$.", "undecidable constant"),
        ("$π ≈ 3.14$. $100π = 414$.", "wrong "),
        ("[1] + [2] = [1, 2]", "undecidable lists"),
        ("[1] + [2] = [3]", "right "),
        ("[1, 2] + [3] = [1, 2, 4]", "shapes shapes"),
        ("300万 = 3000000", "right "),
        ("300万 = 3000001", "last_place "),
    ],
)
def test_who_may_be_right_by_another_reading_is_not_accused(document, wanted):
    found = check(document, name="a.md").equations[-1]
    assert f"{found.verdict} {found.code}" == wanted


HOW_NEAR = "undecidable how_near"


@pytest.mark.parametrize(
    ("chain", "wanted"),
    [  # how near a fraction is meant to be is not said, so it is neither right nor wrong
        (r"1/3 \approx 0.33 \approx 1/4", ["right ", HOW_NEAR]), (r"\sqrt{2} \approx 1.414 \approx 3/2", ["right ", HOW_NEAR]),
        (r"\pi \approx 3.14159 \approx 22/7", ["right ", HOW_NEAR]), (r"\pi \approx 22/7", [HOW_NEAR]), (r"22/7 \approx \pi", [HOW_NEAR]),
        (r"e \approx 19/7", [HOW_NEAR]), (r"\pi \approx \sqrt{10}", [HOW_NEAR]), (r"1/3 \approx 1/4", [HOW_NEAR]),
        (r"1/3 \approx 0.33 \approx 1/3", ["right ", "right "]), (r"1/3 \approx 0.33 \approx 33/100", ["right ", "right "]), (r"4/6 \approx 0.67 \approx 2/3", ["right ", "right "]),
        (r"1/3 \approx 0.33 = 1/4", ["right ", "wrong "]), (r"1/3 \approx 0.33 \approx 0.25", ["right ", "wrong "]),
        (r"\sqrt{2} \approx 1.414 \approx 1/2 + 1", ["right ", "wrong "]), (r"\pi \approx 3.14", ["right "]), (r"\pi \approx 3.24", ["wrong "]), (r"\pi \approx 3.15", ["last_place "]),
        (r"\pi \approx 3", ["right "]), (r"e \approx 2.72", ["right "]), (r"e \approx 3.5", ["wrong "]), (r"0.67 \approx 2/3", ["right "]), (r"0.66 \approx 2/3", ["last_place "]),
        (r"0.5 \approx 2/3", ["wrong "]), ("7 = 3 + 4", ["right "]), ("[1, 2, 3] = [1, 2] + [3, 4]", ["shapes shapes"]),
    ],
)  # fmt: skip
def test_what_is_near_a_fraction_is_neither_right_nor_wrong(chain, wanted):
    found = check(f"${chain}$", name="a.md").equations
    assert [f"{e.verdict} {e.code}" for e in found] == wanted


@pytest.mark.parametrize(
    ("document", "wanted"),
    [
        ("$x = 5$. $x = 5.0$.", ["definition", "right"]),
        ("$x = 5$. $x = 5.02$.", ["definition", "definition"]),
        ("$x = 5$. $x = 6$. $2x = 12$. $2x = 10$.", ["definition", "definition", "right", "wrong"]),
        (r"$\mu = 1/3 = 0.33$. $\mu = 0.333$. $\mu \approx 0.3$. $3\mu = 1$.", ["definition", *["right"] * 4]),
        ("$Q = [[1, 2], [3, 4]]$, $d_k = 2$. $d_k = 3$. $\\sqrt{d_k} = 1.732$. $\\sqrt{d_k} = 1.414$.", ["definition"] * 3 + ["right", "wrong"]),
        ("$A = [[1, 2], [3, 4]]$. $a_{12} = 2$. $a_{21} = 9$. $a_1 = [1, 2]$. $a_2 = [1, 2]$.", ["definition", "right", "wrong", "right", "wrong"]),
        ("$A = [[1, 2], [3, 4]]$. $a_{33} = 1$.", ["definition", "shapes"]),
        ("$y = 0.5 · 3 = 1.5 = 1.6 = 3.2/2$. $2y = 3$. $2y = 3.2$.", ["definition", "right", "last_place", "follows", "right", "follows"]),
        ("$x = [1, 2]$. $[2, 4] = 2x$. $[2, 4, 6] = 2x$. $[2, 9] = 2x$.", ["definition", "right", "shapes", "wrong"]),
        ("$x = [1, 2]$. $y = x + z$. $2y = [1, 2]$.", ["definition", "definition", "unparsed"]),
    ],
)  # fmt: skip
def test_values_of_a_document_from_line_to_line(document, wanted):
    assert [e.verdict for e in check(document, name="a.md").equations] == wanted
