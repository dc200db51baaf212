"""What a section shows beside its steps: each number and each word of it, by another route."""

import re
from decimal import ROUND_HALF_UP, Decimal

import golden_cases
import pytest
from page_reading import chains, table, value
from sympy import Rational, S, pi, sqrt

from symtransformer import (
    Comparison,
    Counts,
    Fact,
    Section,
    Words,
    derive,
    dimension,
    matrix,
    parameter,
    render,
    verify,
)
from symtransformer.errors import NotSupported, Refuted, UnreadableInput
from symtransformer.operations import GELU, Exponential, Mask, ReLU, Scaling, Softmax

oo = S.Infinity
A_WORD = Words("Words", "言葉")


def page_of(expression, given, form="txt", language="en", names=None, **section):
    parts = Section(A_WORD, **section)
    return render(verify(derive(expression, names=names, values=given, sections=[parts])), form, language)


# -- facts ------------------------------------------------------------------------------------------------
def both(text):
    return Words(text, text.replace("boxes", "個"))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("{0} + {1} = {2} boxes", (6, 12, 18)), ("{0} × {1} = {2} boxes", (18, 8, 144)), ("{0} = {1} / {2} boxes", (64, 512, 8)),
        ("{0} = 8 × {1}: boxes", (512, 64)), ("({0} + {1}) × 2 = {2} boxes", (1, 2, 6)), ("{0} − {1} = {2} = 5 − 6 boxes", (2, 3, -1)),
        ("{0} · {0} = {1} boxes", (sqrt(2), 2)), ("boxes (see {0} = 2 · {1})", (1, Rational(1, 2))),
    ],
)  # fmt: skip
def test_relations_written_in_words_are_worked_out(text, numbers):
    fact = Fact(both(text), numbers)
    assert fact.numbers == tuple(map(S, numbers))
    for k in range(len(numbers)):
        planted = tuple(n + Rational(1, 1000) if j == k else n for j, n in enumerate(numbers))
        with pytest.raises(Refuted, match="is not true"):
            Fact(both(text), planted)


def test_the_other_language_is_checked_too():
    with pytest.raises(Refuted, match=r"6 × 12 = 18 is not true"):
        Fact(Words("{0} + {1} = {2} boxes", "{0} × {1} = {2} 個"), (6, 12, 18))


@pytest.mark.parametrize(
    ("text", "numbers", "options", "message"),
    [
        ("{0} heads = {1} boxes", (1, 1), {}, r"give equal=\(left, right\)"), ("{0} ≈ {1} boxes", (1, 1), {}, "only = is checked"),
        ("{0} < {1} boxes", (1, 2), {}, "only = is checked"), ("{0} boxes", (1, 2), {}, "do not match"),
        ("{0} and {2} boxes", (1, 2), {}, "do not match"), ("{0} + = {1} boxes", (1, 1), {}, "cannot be read"),
        ("{0} boxes", ("6",), {}, "expected a number"),
    ],
)  # fmt: skip
def test_facts_that_cannot_be_checked_are_refused(text, numbers, options, message):
    with pytest.raises(UnreadableInput, match=message):
        Fact(both(text), numbers, **options)


def test_a_relation_between_words_is_given_apart():
    Fact(both("{0} layers of {1} heads = {2} boxes"), (18, 8, 144), equal=("{0} × {1}", "{2}"))
    with pytest.raises(Refuted, match="145 = 144 is not true"):
        Fact(both("{0} boxes"), (145,), equal=("{0}", "144"))
    with pytest.raises(NotSupported, match="cannot be decided"):
        Fact(both("{0} boxes and {1}"), (pi, Rational(98696044, 10**7)), equal=("{0} × {0}", "{1}"))


@pytest.mark.parametrize(
    ("numbers", "equal"),
    [((50, 3), (1, 1)), ((50, 3), ("1", "1")), ((50, 3), ("{0}", "50")), ((50, 3), ("{0} + {1}", "{1} + {0}")), ((50, 3), ("{1}",))],
)  # fmt: skip
def test_what_is_given_apart_is_made_of_the_numbers(numbers, equal):
    with pytest.raises(UnreadableInput, match="equal"):
        Fact(both("{0} % = {1} boxes"), numbers, equal=equal)


TOUCHED = {
    "{0} x {1} = {2}": (2, 3, 3), "2 * {0} = {1}": (3, 3), "{0} ÷ {1} = {2}": (6, 2, 2), "√{0} = {1}": (4, 4), "2^{0} = {1}": (3, 3),
    "{0} = {1}.5": (2, 2), "{0} = {1}%": (2, 2), "{0} = {1}²": (4, 4), "log {0} = {1}": (4, 4), "{0} ± {1} = {2}": (1, 2, 2),
    "{0} ＝ {1}": (1, 2), "{0} ≡ {1}": (1, 1), "{0} ≒ {1}": (1, 1), "{0} equals {1}": (1, 2), "{0} ≦ {1}": (3, 2), "{0} = {1}½": (2, 2),
    "1,000 = {0}": (0,), "{0} = {1}e5": (2, 2), "{0} and {1} = {2}": (1, 2, 2), "twice {0} = {1}": (2, 2), "{0} = {1} squared": (2, 2),
    "{0} = {1}!": (3, 3), "half of {0} = {1}": (2, 2), "{0} は {1} に等しい": (1, 2), "{0} = {1} の 2 乗": (2, 2), "{0} = {1}乗": (2, 2),
    "{0} = {1} 万": (2, 2), "{0} == {1}": (2, 2), "{0} ~ {1}": (1, 2), "|{0}| = {1}": (-2, -2), "{0} = {1} × 10⁵": (10, 1), "{n} = {0}": (2,),
    "{n} + {0} = {1}": (2, 2), "{0} : {1} = {2}": (6, 3, 3), "{0} = {1} or more": (2, 2), "{0} – {1} = {2}": (5, 3, 3), "10 {0} = {1}": (2, 2),
}  # fmt: skip


@pytest.mark.parametrize("text", TOUCHED)
def test_nothing_beside_a_relation_changes_what_it_says(text):
    with pytest.raises((UnreadableInput, Refuted)):
        Fact(Words(text, text), TOUCHED[text])


def test_a_relation_that_needs_a_size_is_not_shown_without_it():
    n = dimension("n")
    fact = Fact(both("{0} = {1} boxes"), (n, 2 * n))
    with pytest.raises(NotSupported, match="n = 2\\*n is true depends on n"):
        render(derive(matrix("X", n, 2) + matrix("X", n, 2), sections=[Section(both("boxes"), facts=(fact,))]))


def test_facts_about_sizes_are_worked_out_on_the_page():
    n, m = dimension("n"), dimension("m")
    X = matrix("X", n, m)
    fact = Fact(Words("{n} × {m}: {0} × {1} = {2}.", "{n} × {m} は {0} × {1} = {2} です。"), (n, m, 6))
    assert "n × m: 2 × 3 = 6." in page_of(X + X, {X: [[1, 2, 3], [4, 5, 6]]}, facts=(fact,))
    with pytest.raises(Refuted, match="2 × 2 = 6 is not true"):
        page_of(X + X, {X: [[1, 2], [4, 5]]}, facts=(fact,))


def test_long_counts_are_grouped_in_both_targets():
    X = matrix("X", 1, 1)
    fact = Fact(Words("{0} and {1}.", "{0} と {1}。"), (63082496, 9999))
    assert "63,082,496 and 9999." in page_of(X + X, {X: [[1]]}, facts=(fact,))
    assert "$63{,}082{,}496$ と $9999$。" in page_of(X + X, {X: [[1]]}, "tex", "ja", facts=(fact,))


def test_counts_add_up():
    text = render(golden_cases.with_tables())
    head, rows = table(text, "Parameters by part")
    assert head == ["part", "number"]
    numbers = [int(row[-1].replace(",", "")) for row in rows]
    assert numbers == [4 * 512 * 512, 512 * 64, 4 * 512 * 512 + 512 * 64]
    with pytest.raises(UnreadableInput, match="rows of 2 cells"):
        Counts(A_WORD, (A_WORD, A_WORD), ((A_WORD, 1), (A_WORD,)))


# -- maps of shades ------------------------------------------------------------------------------------------
SCORES = matrix("S", 2, 3)
TINY = {SCORES: [[0, -30, -oo], [1, Rational(1, 2), 2]]}


def cells(page, caption):
    lines = page.partition(caption + "\n")[2].splitlines()
    return [re.findall(r"(-?[\d.]+|-∞)( [░▒▓█])?", re.sub(r"^..\s*\S+", "", line)) for line in lines[1:3]]


def test_exactly_zero_has_no_shade_and_rounded_zero_has_one():
    rows = cells(page_of(Softmax(SCORES), TINY, heat=("Y",)), "Y in shades of gray")
    assert rows[0] == [("1.0000", " █"), ("0.0000", " ░"), ("0", "")]
    page = page_of(Softmax(SCORES), TINY, "tex", heat=("Y",))
    assert r"\cellcolor{black!6}$0.0000$ & $0$ \\" in page
    assert r"\usepackage[table]{xcolor}" in page


def test_shades_are_quarters_of_the_range():
    values = {SCORES: [[0, 1, 2], [3, 4, -oo]]}
    rows = cells(page_of(Exponential(SCORES), values, heat=("S",)), "S in shades of gray")
    assert rows == [[("0", " ░"), ("1", " ▒"), ("2", " ▓")], [("3", " █"), ("4", " █"), ("-∞", "")]]
    page = page_of(Exponential(SCORES), values, heat=("S",))
    assert "░ ▒ ▓ █ are the four quarters of the range from 0 to 4;" in page.replace("\n", " ")
    page = page_of(Exponential(SCORES), values, "tex", heat=("S",))
    inks = [int(x) for x in re.findall(r"black!(\d+)\}", page)]
    assert inks == [6, 25, 45, 65, 85]
    assert re.findall(r"black!(\d+)\}\\textcolor\{white\}", page) == ["65", "85"]


@pytest.mark.parametrize(
    "numbers", [[[0, Rational(1, 4), 1]], [[5, 5, 5]], [[-2, -1, 0]], [[Rational(1, 3), 0, Rational(2, 3)]]]
)
def test_darker_means_larger(numbers):
    X = matrix("X", 1, 3)
    page = page_of(X + X, {X: numbers}, "tex", heat=("X",))
    row = page.partition("X$ in shades of gray")[2].partition("1} & ")[2].split("\n")[0].split(" & ")
    inks = [int(found[1]) if (found := re.search(r"black!(\d+)", cell)) else 0 for cell in row]
    order = sorted(range(3), key=lambda k: (numbers[0][k], k))
    assert [inks[k] for k in order] == sorted(inks)
    assert len(set(inks)) == len(set(numbers[0]))


# -- masks and activations --------------------------------------------------------------------------------------
def words_of(page, caption):
    return [line.split()[1:] for line in page.partition(caption + "\n")[2].splitlines()[1:3]]


@pytest.mark.parametrize(
    ("mask", "expected"),
    [
        ([[0, -oo, -oo], [0, 0, -oo]], [["usable", "hidden", "hidden"], ["usable", "usable", "hidden"]]),
        ([[0, 0, 0], [0, 0, 0]], [["usable"] * 3] * 2),
        ([[1, 0, 0], [1, 1, 0]], [["usable", "hidden", "hidden"], ["usable", "usable", "hidden"]]),
    ],
)
def test_a_mask_says_what_is_usable(mask, expected):
    M = matrix("M", 2, 3)
    page = page_of(Mask(SCORES, M), {SCORES: [[1, 2, 3], [4, 5, 6]], M: mask}, usable=("M",))
    assert words_of(page, "What M leaves usable and what it hides") == expected


def test_a_masked_score_of_zero_is_not_hidden():
    M = matrix("M", 2, 3)
    values = {SCORES: [[1, 0, 0], [1, 0, 1]], M: [[0, 0, 0]] * 2}
    page = page_of(Mask(SCORES, M), values, usable=("Y",))
    assert words_of(page, "What Y leaves usable and what it hides") == [["usable"] * 3] * 2


def test_an_activation_keeps_or_zeroes_each_component():
    H = matrix("H", 1, 4)
    page = page_of({"F": ReLU(H)}, {H: [[-2, 0, Rational(1, 3), 5]]}, steps=("F",), kept=("F",))
    _, rows = table(page, "What F does to each component")
    assert rows == [
        ["f_1", "-2", "0", "set", "to", "0"], ["f_2", "0", "0", "kept"], ["f_3", "1/3", "0.3333", "kept"], ["f_4", "5", "5", "kept"],
    ]  # fmt: skip
    page = page_of({"F": GELU(H)}, {H: [[-2, 0, Rational(1, 3), 5]]}, steps=("F",), kept=("F",))
    assert [row[-1] for row in table(page, "What F does to each component")[1]] == [
        "changed",
        "kept",
        "changed",
        "changed",
    ]


def test_only_an_activation_of_a_named_matrix_has_such_a_table():
    H = matrix("H", 1, 4)
    for expression in (ReLU(H + H), H @ H.T):
        with pytest.raises(UnreadableInput, match="must be an activation of one named matrix"):
            page_of({"F": expression}, {H: [[1, 2, 3, 4]]}, kept=("F",))


# -- comparisons ----------------------------------------------------------------------------------------------
def compared(page, name):
    found = [c for c in chains(page) if c.label in ("with the mask", "without") and c.left == name]
    after = [c for c in chains(page) if c.left == "difference"]
    return [value(c.terms[-1]) for c in found], after


def test_the_difference_is_that_of_the_unrounded_values_second_minus_first():
    page = render(golden_cases.with_tables())
    (first, second), differences = compared(page, "A")
    scores = [
        [Decimal(x) / Decimal(2).sqrt() for x in row]
        for row in ([1, 4, 5], ["0.33333333333333333", "-0.3333333333333333", "-3.3333333333333333"])
    ]
    powers = [[x.exp() for x in row] for row in scores]
    whole = [[p / sum(row) for p in row] for row in powers]
    masked = [[row[k] / sum(row[: i + 1]) if k <= i else Decimal(0) for k in range(3)] for i, row in enumerate(powers)]
    cut = [[[x.quantize(Decimal("0.0001"), ROUND_HALF_UP) for x in row] for row in rows] for rows in (
        masked, whole, [[b - a for a, b in zip(x, y, strict=True)] for x, y in zip(masked, whole, strict=True)]
    )]  # fmt: skip
    assert [first, second, value(differences[1].terms[-1])] == cut


def test_a_difference_of_infinities_is_shown_as_what_it_is():
    page = render(golden_cases.with_tables())
    assert "difference = [[0, ∞, ∞], [0, 0, ∞]]" in page
    scores, mask = matrix("R", 1, 3), matrix("M", 1, 3)
    section = {
        "values": {mask: [[-oo, 0, -oo]]},
        "compare": (Comparison("Y", Words("first", "前"), Words("second", "後")),),
    }
    values = {scores: [[1, 2, 3]], mask: [[-oo, -oo, 0]]}
    assert "difference = [[–, ∞, -∞]]" in page_of(Mask(scores, mask), values, **section)
    assert r"\text{difference} &= \begin{bmatrix}\text{--} & \infty & -\infty\end{bmatrix}" in page_of(
        Mask(scores, mask), values, "tex", **section
    )


def test_a_difference_that_the_shown_numbers_do_not_give_says_so():
    X = matrix("X", 1, 1)
    section = {
        "values": {X: [[Rational("1.99998")]]},
        "compare": (Comparison("Y", Words("a", "前"), Words("b", "後")),),
    }
    page = page_of(Scaling(X, 1, 3), {X: [[Rational("1.00002")]]}, **section)
    assert "a: Y ≈ 0.3333\n  b: Y ≈ 0.6667\n  difference ≈ 0.3333  (operands are rounded)" in page
    page = page_of(Scaling(X, 1, 3), {X: [[1]]}, **section)
    assert "a: Y ≈ 0.3333\n  b: Y ≈ 0.6667\n  difference ≈ 0.3333  (operands are rounded)" in page
    page = page_of(Scaling(X, 1, 4), {X: [[1]]}, **section)
    assert "difference ≈ 0.2500\n" in page


def test_two_steps_may_be_compared_and_what_cannot_be_is_refused():
    X = matrix("X", 1, 2)
    words = Words("a", "前"), Words("b", "後")
    both_steps = {"Y": X + X, "Z": Exponential(X)}
    page = page_of(both_steps, {X: [[0, 1]]}, compare=(Comparison("Y", *words, other="Z"),))
    assert "Y and Z side by side" in page
    assert "difference ≈ [[1, 0.7183]]" in page
    with pytest.raises(UnreadableInput, match="Y against itself"):
        page_of(both_steps, {X: [[0, 1]]}, compare=(Comparison("Y", *words),))
    with pytest.raises(UnreadableInput, match="different sizes"):
        page_of({"Y": X + X, "Z": X.T}, {X: [[0, 1]]}, compare=(Comparison("Y", *words, other="Z"),))
    with pytest.raises(UnreadableInput, match="no values outside"):
        page_of(both_steps, {}, values={X: [[0, 1]]}, compare=(Comparison("Y", *words),))


# -- records --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "options",
    [{"facts": ("6 boxes",)}, {"compare": ("A",)}, {"tables": (1,)}, {"heat": "A"}, {"steps": "A"}],
)
def test_a_section_takes_records_and_tuples_of_names(options):
    with pytest.raises(UnreadableInput, match="expects a tuple"):
        Section(A_WORD, **options)


def test_a_page_of_letters_has_no_tables():
    X = matrix("X", 2, 3)
    page = page_of(Softmax(X), {}, steps=("Y",), heat=("Y",), percent=("Y",), usable=("X",))
    assert "Y = softmax(X)" in page
    assert "shades" not in page


def test_a_table_that_is_wider_than_the_page_shrinks_and_a_narrow_one_does_not():
    X = matrix("X", 1, 2)
    narrow = Counts(A_WORD, (A_WORD, A_WORD), ((Words("a", "あ"), 1),))
    wide = Counts(A_WORD, (A_WORD, A_WORD), ((Words("a" * 40, "あ" * 40), Words("b" * 40, "い" * 40)),))
    assert "fittedtable" not in page_of(X + X, {}, "tex", tables=(narrow,))
    page = page_of(X + X, {}, "tex", tables=(narrow, wide))
    assert page.count(r"\fittedtable{%") == 1
    assert page.count(r"\newcommand{\fittedtable}") == 1


def test_a_step_that_does_not_depend_on_a_letter_has_its_digits_beside_one_that_does():
    X, W, t = matrix("X", 1, 2), matrix("W", 2, 2), parameter("t")
    given = {X: [[1, 0]], W: [[Rational(1, 3), 1], [t, 1 - t]]}
    page = page_of(Exponential(X @ W), given, names={X @ W: "S"}, steps=("S", "Y"))
    assert "[[0.3333, 1]]" in page  # 0 times t is 0
    assert "[[1.3956, 2.7183]]" in page  # e^(1/3), e


@pytest.mark.parametrize("subject", ["X W", 3, None, Softmax(matrix("S", 2, 2))])
def test_what_is_no_derivation_is_refused_by_name(subject):
    with pytest.raises(UnreadableInput, match=r"render: expected a derivation.*; derive\(expression\) makes one"):
        render(subject)
