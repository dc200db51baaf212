"""The engine from relation to relation: several names at once, functions and numbers of one name, sizes that are told, lines that follow."""

import pytest

from symtransformer import check

DEFINED, RIGHT, WRONG, LAST, FOLLOWS, OPEN, SHAPES = (
    "definition",
    "right",
    "wrong",
    "last_place",
    "follows",
    "undecidable",
    "shapes",
)


def equations(*lines, name="a.txt", **options):
    return check("\n".join(lines), name=name, **options).equations


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["a = b = 3", "a + b = 6"], [DEFINED, DEFINED, RIGHT]), (["a = b = c = 3", "a + b + c = 9"], [DEFINED, DEFINED, DEFINED, RIGHT]), (["d = 2", "d = d_model = 768", "d + d_model = 770"], [DEFINED, DEFINED, DEFINED, "unparsed"]),
        (["d = 2", "", "# Two", "", "d = d_model = 768", "d_model + d = 1536"], [DEFINED, DEFINED, DEFINED, RIGHT]), (["a = 2", "b = 3", "a = b = 5", "a + b = 10"], [DEFINED, DEFINED, DEFINED, DEFINED, RIGHT]), (["a = 2", "b = 3", "a = b = 3"], [DEFINED, DEFINED, DEFINED, RIGHT]),
        (["a = 2", "b = 1 + 2", "a = b = 9"], [DEFINED, DEFINED, DEFINED, WRONG]), (["a = 2", "a = 5 = b"], [DEFINED, DEFINED, "unparsed"]), (["a = 2", "b = 2", "a = b = 2"], [DEFINED, DEFINED, RIGHT, RIGHT]),
    ],
)  # fmt: skip
def test_names_that_a_chain_begins_with(lines, found):
    verdicts = [e.verdict for e in equations(*lines)]
    assert verdicts == found or (lines[0] == "d = 2" and "" not in lines and verdicts[:2] == found[:2])


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["x = 2", "y = x + 1 = 9", "y + 1 = 10"], [(DEFINED, None), (DEFINED, None), (WRONG, None), (FOLLOWS, 2)]), (["x = 2", "y = x + 1 = 3 = 7"], [(DEFINED, None), (DEFINED, None), (RIGHT, None), (WRONG, None)]), (["x = 2", "x + 1 = 9 = 9"], [(DEFINED, None), (WRONG, None), (FOLLOWS, 2)]),
        (["x = 2", "x + 1 = 9", "x + 1 = 3"], [(DEFINED, None), (WRONG, None), (RIGHT, None)]), (["x = 2", "y = x + 3 = 9", "z = y + 1 = 10 = 99"], [(DEFINED, None), (DEFINED, None), (WRONG, None), (DEFINED, None), (FOLLOWS, 2), (WRONG, None)]),
        (["x = 2", "y = x + 3 = 9", "y + x = 11 = 11"], [(DEFINED, None), (DEFINED, None), (WRONG, None), (FOLLOWS, 2), (FOLLOWS, 2)]),
    ],
)  # fmt: skip
def test_what_follows_from_a_wrong_line(lines, found):
    assert [(e.verdict, e.follows_from) for e in equations(*lines)] == found


@pytest.mark.parametrize(
    ("lines", "verdict", "code"),
    [
        (["f(x) = 2 x", "f = 3", "f(2) = 4"], OPEN, "unknown_function"), (["f(x) = 2 x", "f(2) = 4"], RIGHT, ""), (["f(x) = 2 x", "f(2) = 9"], WRONG, ""), (["g(x, y) = x y", "g(2, 3) = 6"], RIGHT, ""), (["g(x, y) = x y", "g(2, 3) = 9"], WRONG, ""),
        (["0.333... = 1/3"], RIGHT, ""), (["0.333... = 1/4"], WRONG, ""), (["x = 1/0", "x = 3"], OPEN, "no_value"), (["1/0 = 2"], OPEN, "no_value"), (["3 m = 6"], "unparsed", "unknown_name"), (["x = 2", "|x| = 2"], RIGHT, ""), (["x = 0.5 = 50%"], RIGHT, ""), (["accuracy = 3/4 = 75 percent"], RIGHT, ""),
        (["y = a + b", "2 y = 2 a + 2 b = 7"], "unparsed", "unknown_name"), (["x^2 = 4", "x = 2", "x^2 = 4"], RIGHT, ""), (["c c = 3"], "unparsed", "unknown_name"), (["x < 3"], OPEN, "unknown_name"), (["x = 2", "x + 1 < 4"], RIGHT, ""), (["x = 2", "x + 1 < 3"], WRONG, ""),
        (["q = [1, 2]", "q_5 = a b", "2 q_5 = 2 a b"], "proved", ""),
    ],
)  # fmt: skip
def test_what_one_line_comes_to(lines, verdict, code):
    found = equations(*lines)[-1]
    assert (found.verdict, found.code) == (verdict, code)


@pytest.mark.parametrize(
    ("told", "given", "verdict"),
    [
        ("A ∈ R^{2×3}", "A = [[1, 2], [3, 4]]", SHAPES), ("A ∈ R^{2×3}", "A = [[1, 2, 3], [3, 4, 5]]", DEFINED), ("a ∈ R^{2}", "a = [1, 2, 3]", SHAPES), ("a ∈ R^{3}", "a = [1, 2, 3]", DEFINED), ("a ∈ R^{3}", "a = [[1], [2], [3]]", DEFINED), ("A ∈ R^{3×1}", "A = [1, 2, 3]", DEFINED),
        ("A ∈ R^{n×1}", "A = [1, 2, 3]", DEFINED), ("A ∈ R^{2×3}", "A = [[1, 2], [3, 4], [5, 6]]", SHAPES), ("B ∈ R^{2×3}", "A = [[1, 2]]", DEFINED), ("a ∈ R^{3}", "a = 5", SHAPES), ("A ∈ R^{1×1}", "A = 5", DEFINED), ("A ∈ R^{4×1}", "A = [1, 2, 3]", SHAPES),
    ],
)  # fmt: skip
def test_values_have_the_size_that_is_told(told, given, verdict):
    found = equations(f"Let ${told}$.", f"Then ${given}$.", name="a.md")[-1]
    assert (found.verdict, found.code) == (verdict, "shapes" if verdict == SHAPES else "")
    if verdict == SHAPES and "," in given:
        assert "the document says it is" in found.words.en


def test_what_a_deliberate_mistake_gives_is_not_kept():
    text = "$x = 2$\n\n<!-- symtransformer: expect wrong -->\n\n$x = 7$\n\n$x + 1 = 3$"
    assert [e.verdict for e in check(text, name="a.md").equations][-1] == RIGHT


def test_a_name_whose_formula_is_not_read_accuses_nobody():
    found = equations("A = foo(§)", "$A B = B A$", name="a.md")
    assert found[-1].verdict in (SHAPES, OPEN)
    text = "$A = \\oint X$\n\n$A + A = 3 A$"
    found = check(text, name="a.md").equations
    assert found[-1].verdict == OPEN
    assert found[-1].code in ("unread_before", "new_name")


VALUES = r"$z = [1, 2]$, $y = [0, 1]$, $p = \operatorname{softmax}(z)$, $L = -\sum_i y_i \log p_i$. "
LISTS = "$h = [1, 2]$, $g = [3, 4]$. "


@pytest.mark.parametrize(
    ("text", "verdict", "code"),
    [
        (VALUES + "$dz = y - p$", "refuted", ""), (VALUES + "$dz = p - y$", DEFINED, ""), (VALUES + "$dz = y - p$. $dz = [-0.27, 0.27]$", RIGHT, ""), (VALUES + "$dz = [0.27, -0.27]$", DEFINED, ""), (r"$|\{1, 2\}| = 2$", "unparsed", "ambiguous"), (r"$|[3, 4]| = 5$", RIGHT, ""),
        ("The share is $3/4 = 75$ percent.", RIGHT, ""), ("The share is $3/4 = 0.75$ percent.", OPEN, "unit"), ("The gain is $0.3 - 0.2 = 10$ percentage points.", "by_convention", ""), ("The gain is $0.3 - 0.2 = 20$ percentage points.", WRONG, ""),
        ("$q = [1, 2]$. $q_2 = a + b$. $2 q_2 = 2 a + 2 b$", "proved", ""), ("$x = 2$. $x = 2 + y$. $x + 1 = 3$", "unparsed", "unknown_name"), ("$h^T g = 11$", "unparsed", "unknown_name"), (LISTS + "$h^T g = 11$", RIGHT, ""), (LISTS + "$h^T g = [[3, 4], [6, 8]]$", RIGHT, ""),
        (LISTS + "$h^T g = [[3, 4], [6, 11]]$", WRONG, ""), (LISTS + "$h^T g = 12.5$", WRONG, ""), ("$S = [[1, 2], [3, 4]]$. $M = [[0, -∞], [0, 0]]$. $S + M = [[1, -∞], [3, 4]]$", RIGHT, ""), (r"$x = [1, 2]$, $\gamma = [2, 2]$. $LayerNorm(x) = [-1, 1]$", OPEN, "norm_parameters"),
        ("$m = 2$. $3 m = 6$", RIGHT, ""),
    ],
)  # fmt: skip
def test_the_last_line_of_a_text(text, verdict, code):
    found = check(text, name="a.md").equations[-1]
    assert (found.verdict, found.code) == (verdict, code)
    if verdict == "by_convention":
        assert found.convention.name == "points"
        assert (found.local, found.from_start) == (None, None)


@pytest.mark.parametrize(
    ("lines", "verdict"),
    [
        (["x = 2", "y = 3 + x = 9", "2 y = 18 = 18"], FOLLOWS), (["x = 1/3 ≈ 0.333", "3 x ≈ 1.00"], RIGHT), (["x = 1/3 ≈ 0.333", "3 x ≈ 0.999"], "right_if_rounded"), (["x = 1/3 ≈ 0.333", "3 x ≈ 0.990"], WRONG), (["0.1 + 0.2 ≈ 0.3 = 0.3"], RIGHT),
    ],
)  # fmt: skip
def test_roundings_in_a_chain(lines, verdict):
    assert equations(*lines)[-1].verdict == verdict


# -- each of these alone, as every line with letters runs through them ---------------------------------------------------------
def test_letters_before_a_number_are_letters():
    found = equations("2 y = a b = 3")
    assert [(e.verdict, e.code) for e in found] == [(OPEN, "new_name"), ("unparsed", "unknown_name")]


def test_nobody_is_accused_of_a_name_that_was_not_read():
    assert equations("$A = \\oint X$", "", "$A + B = 3 B$", name="a.md")[-1].code == "unread_before"


def test_another_name_that_was_not_read_excuses_nothing():
    assert equations("$A = \\oint X$", "", "$B + C = 3 B$", name="a.md")[-1].code != "unread_before"


def test_a_formula_is_refuted():
    assert equations("$S = Q K^T$", "", "$2 S = 3 Q K^T$", name="a.md")[-1].verdict == "refuted"


def test_a_formula_is_proved():
    assert equations("$S = Q K^T$", "", "$2 S = 2 Q K^T$", name="a.md")[-1].verdict == "proved"


def test_a_formula_without_a_value_has_none():
    assert [e.verdict for e in equations("y = a + b", "2 y = 6")] == [DEFINED, "unparsed"]


def test_a_name_gets_a_value_after_its_formula():
    assert [e.verdict for e in equations("y = a + b", "a = 1", "b = 2", "y = 3")] == [DEFINED, DEFINED, DEFINED, RIGHT]
