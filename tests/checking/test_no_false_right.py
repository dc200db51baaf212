r"""Nothing untrue is called right: for each way to it the document that showed it, and neighbors that stay right.

Every verdict follows from a line of arithmetic in the comment beside it, or from the document's own words.
"""

import pytest

from symtransformer import check

ACCEPTED = {"right", "right_if_rounded", "by_convention", "proved", "tested"}


def equations(text, name="notes.md"):
    return check(text, name=name).files[0].equations


def last(text, name="notes.md"):
    return equations(text, name)[-1]


def remarks(equation):
    return {note.name for note in equation.remarks}


# -- s² has a formula, and s has none ---------------------------------------------------------------------------------
SQUARES = ["$s^2 = v$", r"$\sigma^2 = v$", "$A^2 = B$", "$x_i^2 = v_i$"]


@pytest.mark.parametrize("given", SQUARES)
def test_a_square_says_nothing_of_what_is_squared(given):
    """s² = v with s = v would hold for v = 0 and v = 1 only."""
    name, _, value = given.strip("$").partition("^2 = ")
    equation = last(f"{given}\n\n${name} = {value}$\n")
    assert (equation.verdict, equation.code) == ("undecidable", "square")


@pytest.mark.parametrize(
    ("given", "claimed"),
    [
        ("$s^2 = v$", "1/s^2 = 1/v"),
        ("$s^2 = v$", "s^2 w = v w"),
        (r"$\sigma^2 = v$", r"\frac{1}{\sigma^2} = \frac{1}{v}"),
        ("σ² = a + b", "1/σ² = 1/(a + b)"),
        (r"$\sigma^2 = v$", r"\frac{1}{\sigma} = \frac{1}{\sqrt{v}}"),
    ],
)
def test_a_square_is_put_in_where_it_stands(given, claimed):
    assert last(f"{given}\n\n${claimed}$\n").verdict in ("proved", "tested")


@pytest.mark.parametrize("claimed", ["1/s^2 = v", "1/s^2 = 1/v^2", "s^2 w = w"])
def test_another_square_is_refuted(claimed):
    assert last(f"$s^2 = v$\n\n${claimed}$\n").verdict not in ACCEPTED


@pytest.mark.parametrize("given", ["$y^2 = x^2$", "$y^2 = (x w)^2$", "$y^2 = x^2 + 2xw + w^2$"])
@pytest.mark.parametrize("claimed", [r"\sqrt{y^2} = y", "|y| = y"])
def test_what_is_squared_may_be_negative(given, claimed):
    """y² = x² holds for y = -1 and x = 1, and √(y²) is 1 then."""
    assert last(f"{given}\n\n${claimed}$\n").verdict not in ACCEPTED


def test_a_deviation_is_not_negative():
    for claimed, right in [
        (r"\sqrt{v_i} = \sigma_i", True),
        (r"\sqrt{\sigma_i^2} = \sigma_i", True),
        (r"\sqrt{v_i} = -\sigma_i", False),
    ]:
        assert (last(f"$\\sigma_i^2 = v_i$\n\n${claimed}$\n").verdict in ACCEPTED) == right


def test_what_has_a_formula_has_a_square():
    """(a + b)² is a² + 2ab + b², and not a² + b²."""
    text = "$s = a + b$\n\n$s^2 = a^2 + 2 a b + b^2$\n\n$s^2 = a^2 + b^2$\n"
    assert [e.verdict for e in equations(text)] == ["definition", "proved", "refuted"]


def test_the_root_of_a_given_square_is_a_definition():
    variance = r"\frac{1}{d}\sum_{i=1}^{d} (x_i-\mu)^2"
    text = rf"$\sigma^2 = {variance}$" + "\n\n" + rf"$\sigma = \sqrt{{{variance}}}$" + "\n"
    assert last(text).verdict == "definition"
    assert last(text.replace(r"\sqrt", "")).code == "square"


# -- how far a root goes in TeX ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("claim", ["6.48", "4"])
@pytest.mark.parametrize(
    "root", [r"\sqrt42", r"\sqrt 42", r"2\sqrt42", r"1/\sqrt42", r"\sqrt42 + 1", r"\sqrt1.5", r"\sqrt[3]27"]
)
def test_a_root_of_two_digits_without_braces_is_not_read(root, claim):
    r"""TeX sets \sqrt42 as √4 followed by 2, which is 4 and not what the writer may mean."""
    equation = last(f"${root} = {claim}$\n")
    assert (equation.verdict, equation.code) == ("unparsed", "root")


def test_a_root_in_a_formula_is_cut_as_tex_cuts_it():
    assert last(r"$\sqrt42 x = \sqrt{42} x$" + "\n").verdict == "unparsed"
    assert last(r"$\sqrt{42} x = x \sqrt{42}$" + "\n").verdict == "proved"


@pytest.mark.parametrize(
    ("line", "verdict"),
    [(r"\sqrt{42} = 6.48", "right"), ("√42 = 6.48", "right"), ("√42 = 2.83", "wrong"), (r"\sqrt2 = 1.414", "right"),
     (r"\sqrt 2 = 1.414", "right"), ("√42 + 1 = 7.48", "right"), (r"\sqrt[3]{27} = 3", "right")],
)  # fmt: skip
def test_a_root_with_one_reading_is_read(line, verdict):
    """√42 = 6.4807, 2√2 = 2.83, √2 = 1.41421."""
    assert last(f"${line}$\n").verdict == verdict


# -- what has no value ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "line",
    ["1/0 = 1/0 + 1", "1/0 = 2/0", "0/0 = 0/0", r"\log(0) - \log(0) = 0", r"\log(0) - \log(0) = \log(0) - \log(0)", "1/0 = 0/0",
     r"\log 0 = \log 0 + 1", "[0/0, 1] = [0/0, 1]", "[1/0, 1] = [2/0, 1]", r"\frac{0}{0} = \frac{0}{0}", r"\frac{1}{0} = \frac{2}{0}",
     r"\operatorname{softmax}([-\infty, -\infty]) = \operatorname{softmax}([-\infty, -\infty])", r"\frac{0}{0} + 1 = \frac{0}{0}"],
)  # fmt: skip
def test_what_has_no_value_is_equal_to_nothing(line):
    assert last(f"${line}$\n").verdict not in ACCEPTED


@pytest.mark.parametrize(
    "line",
    ["0/0 = undefined", "1/0 = undefined", r"\log 0 = -\infty", "[1, -∞] + [1, 2] = [2, -∞]",
     "[1, -∞] + [1, 2] = [2, 1] + [0, -∞]"],
)  # fmt: skip
def test_what_is_said_to_have_no_value_is_right(line):
    assert last(f"{line}\n", "notes.txt" if "\\" not in line else "notes.md").verdict in ("right", "unparsed")
    text = f"${line}$\n" if "undefined" not in line else f"{line}\n"
    assert last(text).verdict == "right"


# -- where it holds ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("line", "told"),
    [(r"\log(c^2) = 2 \log c", "c > 0"), (r"e^{\log x} = x", "x > 0"), (r"\exp(\log(x)) = x", "x > 0"), (r"\frac{x y}{y} = x", "y ≠ 0"),
     (r"-\log(1/p) = \log p", "p > 0"), (r"\frac{c x}{c} = x", "c ≠ 0"), (r"\sqrt{x^2} = x", ""), (r"(\sqrt{x})^2 = x", "x ≥ 0"),
     (r"x^2 / x = x", "x ≠ 0"), (r"1/(1/x) = x", "x ≠ 0"), (r"(x^a)^b = x^{ab}", ""), (r"\log(x y) = \log x + \log y", ""), ("x/x = 1", "")],
)  # fmt: skip
def test_a_condition_on_letters_is_told(line, told):
    """log c² has a value for c = −1 and 2 log c has none; xy/y has none for y = 0; √x² is −x for x < 0."""
    equation = last(f"${line}$\n")
    if equation.verdict in ACCEPTED:
        assert told
        assert [note.words.en for note in equation.remarks if told in note.words.en]
        assert [note.words.ja for note in equation.remarks if told in note.words.ja]


@pytest.mark.parametrize(
    "line", [r"e^{a+b} = e^a e^b", r"\log e^x = x", r"\frac{Q K^T}{\sqrt{d_k}} = \frac{1}{\sqrt{d_k}} Q K^T", r"\frac{x}{2} = 0.5 x"]
)  # fmt: skip
def test_what_holds_everywhere_has_no_condition(line):
    equation = last(f"${line}$\n")
    assert equation.verdict in ("proved", "tested")
    assert "domain" not in remarks(equation)


# -- conventions ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "line",
    [r"\exp(\log(2)) = 1.35", r"e^{\log 2} = 1.35", r"e^{0.5 \log 9} = 1.61", r"\log(e^2) = 2.885", r"\log(\exp(3)) = 4.328"],
)  # fmt: skip
def test_no_base_is_taken_that_undoes_the_inverse(line):
    """e^{log₁₀ 2} = 1.351, e^{log₁₀ 3} = 1.611, log₂ e² = 2.885, log₂ e³ = 4.328: nobody means that."""
    assert last(f"${line}$\n").verdict == "wrong"


@pytest.mark.parametrize("line", [r"\exp(\log(2)) = 2", r"e^{\log 2} = 2", r"\log(e^2) = 2", r"e^{0.5 \log 9} = 3"])
def test_an_inverse_is_right(line):
    assert last(f"${line}$\n").verdict == "right"


def test_a_document_has_one_base_that_it_does_not_tell():
    found = equations("$\\log 8 = 3$\n\n$\\log 100 = 2$\n\n$\\log 16 = 4$\n")
    assert [e.verdict for e in found] == ["by_convention", "undecidable", "by_convention"]
    assert (found[1].code, "line 1" in found[1].words.en, "1 行目" in found[1].words.ja) == ("another_base", True, True)


@pytest.mark.parametrize(
    "text",
    [
        "$\\log_2 8 = 3$ and $\\log_{10} 100 = 2$, so $\\log 8 = 3$\n",
        "In base 2, $\\log 8 = 3$. In base ten, $\\log 100 = 2$.\n",
        "底を 2 とすると $\\log 8 = 3$。底を 10 とすると $\\log 100 = 2$。\n",
        "$\\log 100 = 2$, and the natural one is $\\log 100 \\approx 4.605$\n",
        "<!-- symtransformer: convention log=2 -->\n$\\log 8 = 3$\n\n<!-- symtransformer: convention log=10 -->\n$\\log 100 = 2$\n",
    ],
)
def test_bases_that_are_told_may_be_several(text):
    assert {e.verdict for e in equations(text)} <= {"right", "by_convention"}


# -- words inside of a formula ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "line",
    [
        r"a \text{ plus } a = 4", r"3\text{ mod }a = 6", r"6 \text{ div } a = 12", r"2 \text{ or } a = 4", r"a \text{ per } a = 4",
        r"5 \text{ dozen} = 5", r"2 \text{ hundred} = 2", r"5 \text{ percent} = 5", r"2 \text{万} = 2", r"\text{twice } a = 2",
    ],
)  # fmt: skip
def test_words_that_count_or_join_are_not_left_out(line):
    """2 + 2 is 4, and a a is too; 3 mod 2 is 1, 6 div 2 is 3, five dozen are 60."""
    assert last(f"$a = 2$\n\n${line}$\n").verdict not in ACCEPTED


@pytest.mark.parametrize(
    "line",
    [
        r"a \text{ minus } b = b \text{ minus } a", "a minus b = b minus a", r"a \operatorname{mod} b = b \operatorname{mod} a",
        r"\operatorname{max} A B = \operatorname{max} B A", r"\text{max } a = a\text{ max}",
    ],
)  # fmt: skip
def test_words_that_join_are_no_factors(line):
    assert last(f"${line}$\n").verdict not in ACCEPTED
    assert last(f"{line}\n").verdict not in ACCEPTED


@pytest.mark.parametrize(
    "line",
    [
        r"a = 2 \text{ (given)}",
        r"2 a = 4 \text{ as before}",
        r"\text{hence } 2 a = 4",
        r"a^2 = 4,\ \text{which is even}",
    ],
)
def test_remarks_are_left_out(line):
    assert last(f"$a = 2$\n\n${line}$\n").verdict == "right"


# -- letters that are functions ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "line",
    [
        "E(X) Y = E(X Y)", "E[X] Y = E[X Y]", r"\mathbb{E}[X] Y = \mathbb{E}[XY]", "P(X) Y = P(X Y)", "H(X) Y = H(X Y)",
        "F(X+Y) = F(X) + F(Y)", r"\mu(x+y) = \mu(x) + \mu(y)", "L(x+y) = L(x) + L(y)", "u(x+y) = u(x) + u(y)", "d(X) Y = d(X Y)",
        r"f \circ g = g \circ f", r"\phi \circ \psi = \psi \circ \phi", "f ∘ g = g ∘ f", r"f_1 \circ f_2 = f_2 \circ f_1",
    ],
)  # fmt: skip
def test_a_letter_before_one_in_brackets_may_be_any_function(line):
    """E[X] Y is not E[X Y], and f(g(x)) not g(f(x)): as products of letters they would be."""
    assert last(f"${line}$\n").verdict not in ACCEPTED


@pytest.mark.parametrize(
    "text",
    [
        "$W(X+Y) = WX + WY$", r"$\lambda(x+y) = \lambda x + \lambda y$", "$E = X W$\n\n$E(Y) Z = E(Y Z)$", r"$A \circ B = B \circ A$",
        "$F(X) = X W$\n\n$F(X+Y) = F(X) + F(Y)$", "$f(x) = x^2$\n\n$f(-x) = f(x)$", r"$i \circ c = c \circ i$",
    ],
)  # fmt: skip
def test_factors_before_brackets_stay_factors(text):
    assert last(f"{text}\n").verdict in ("proved", "tested")


# -- functions are no factors -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "claim",
    [
        "ReLU_1(x + y) = ReLU_1(x) + ReLU_1(y)",  # ReLU(1 - 2) is 0, and ReLU(1) + ReLU(-2) is 1
        r"\operatorname{ReLU}_1(x + y) = \operatorname{ReLU}_1(x) + \operatorname{ReLU}_1(y)",
        r"\mathrm{softmax}_1(x + y) = \mathrm{softmax}_1(x) + \mathrm{softmax}_1(y)",
        "ReLU x + ReLU y = ReLU (x + y)",
        "tanh_1 (x + y) = tanh_1 x + tanh_1 y",
        "FFN_1(x + y) = FFN_1(x) + FFN_1(y)",
        "LN_2 (x + y) = LN_2 (x) + LN_2 (y)",
        "h_1(x + y) = h_1(x) + h_1(y)",
        "Foo (x + y) = Foo x + Foo y",
    ],
)
def test_a_function_with_an_index_or_without_brackets_is_no_factor(claim):
    assert last(f"${claim}$").verdict not in ACCEPTED


@pytest.mark.parametrize(
    "claim", ["A_1 (x + y) = A_1 x + A_1 y", "W_1(x + y) = W_1 x + W_1 y", "QK_1 (x + y) = QK_1 x + QK_1 y", "a (x + y) = a x + a y"]
)  # fmt: skip
def test_a_letter_before_brackets_is_a_factor(claim):
    assert last(f"${claim}$").verdict == "proved"


def test_what_has_no_value_is_not_even_equal_to_itself():
    """log 0 − log 0 may be anything."""
    for line in ("log 0 - log 0 = log 0 - log 0", "2 log 0 - log 0 - log 0 = 2 log 0 - log 0 - log 0"):
        found = last(f"${line}$")
        assert (found.verdict, found.code) == ("undecidable", "no_value")


# -- X in a space ------------------------------------------------------------------------------------------------------
def test_a_space_is_no_condition():
    """Q = X W_Q is said for all of the document; (X W_Q)(X W_K)ᵀ = X W_Q W_Kᵀ Xᵀ."""
    given = (
        r"Let $X \in \mathbb{R}^{n \times d}$ and $W_Q, W_K \in \mathbb{R}^{d \times d_k}$, $Q = X W_Q$, $K = X W_K$."
    )
    assert last(given + r" $Q K^\top = X W_Q W_K^\top X^\top$.").verdict == "proved"
    assert last(given + r" $Q K^\top = X W_K W_Q^\top X^\top$.").verdict == "refuted"
    assert last(r"Let $x \in \mathbb{R}$, $y = x w$. $\sqrt{y^2} = y$.").verdict == "refuted"


@pytest.mark.parametrize(
    "condition", [r"x \in \mathbb{R}_+", r"x \in \mathbb{R}^+", r"x \in \mathbb{R}_{>0}", r"x \in \{0, 1\}"]
)
def test_a_part_of_a_space_is_a_condition(condition):
    """x² = x for 0 and 1, √(x²) = x for what is not negative: nobody is accused, and nothing is proved."""
    assert last(f"For ${condition}$, $\\sqrt{{x^2}} = x$.").verdict not in ("refuted", "proved", "tested")


# -- forgotten parts --------------------------------------------------------------------------------------------------
def test_one_bias_of_two_may_have_been_forgotten():
    right = [r"\max(0, x W_1 + b_1) W_2 + b_2", r"\max(0, x W_1) W_2"]
    wrong = [r"\max(0, x W_1) W_2 + b_2", r"\max(0, x W_1 + b_1) W_2"]
    assert [last(rf"$\mathrm{{FFN}}(x) = {side}$").verdict for side in right] == ["proved"] * 2
    assert not {last(rf"$\mathrm{{FFN}}(x) = {side}$").verdict for side in wrong} & ACCEPTED


# -- what the chain begins with, behind what is not decided ----------------------------------------------------------
@pytest.mark.parametrize(
    ("chain", "verdicts"),
    [
        ("0.3 · 0.5 + 0.7 · 0.2 = 0.15 + 0.14 = 0.29", ["right", "right"]),
        (
            "0.3 · 0.5 + 0.7 · 0.2 = 0.15 + 0.15 = 0.29",
            ["undecidable", "undecidable"],
        ),  # 0.29; 0.30 at most by roundings
        ("0.3 · 0.5 + 0.7 · 0.2 = 0.15 + 0.15 = 0.30", ["undecidable", "undecidable"]),
        ("0.3 · 0.5 + 0.7 · 0.2 = 0.15 + 0.41 = 0.29", ["wrong", "right"]),
    ],
)
def test_a_sum_that_is_not_decided_is_not_right_by_what_stands_before_it(chain, verdicts):
    assert [e.verdict for e in equations(chain)] == verdicts
