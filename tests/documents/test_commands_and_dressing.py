"""An author's own commands and what only sets a formula: what is put in their place, and where each character stands."""

import pytest

from symtransformer.documents import read_document, relations
from symtransformer.documents.alternatives import has_the_same_numbers, says_the_same, signs_shown
from symtransformer.documents.dressing import COLUMN, QUAD, undressed
from symtransformer.documents.limits import ALL_EXPANSIONS, EXPANSIONS, FORMULA_CHARACTERS, MACRO_CHARACTERS, MACROS
from symtransformer.documents.macros import DEFINING, Macro, Macros, group_after
from symtransformer.documents.placed import Placed


def defined(*texts):
    macros = Macros()
    said = []
    for text in texts:
        found = DEFINING.search(text)
        end, problem = macros.define(text, found)
        said.append((text[end:], problem))
    return macros, said


@pytest.mark.parametrize(
    ("text", "known", "rest"),
    [
        (r"\newcommand{\a}{x}y", {"a": Macro(0, "x")}, "y"), (r"\newcommand\a{x}y", {"a": Macro(0, "x")}, "y"), (r"\newcommand{\a}[2]{#1#2} z", {"a": Macro(2, "#1#2")}, " z"),
        (r"\newcommand*{\a}{x}", {"a": Macro(0, "x")}, ""), (r"\def\a{x}", {"a": Macro(0, "x")}, ""), (r"\let\a=\b c", {"a": Macro(0, r"\b")}, " c"), (r"\let\a\b", {"a": Macro(0, r"\b")}, ""),
        (r"\let\a=\a c", {}, " c"), (r"\let\frac=\b c", {}, " c"), (r"\let\a=x", {}, "=x"), (r"\DeclareMathOperator{\a}{arg}", {"a": Macro(0, r"\operatorname{arg}")}, ""),
        (r"\DeclareMathOperator*{\a}{arg}", {"a": Macro(0, r"\operatorname*{arg}")}, ""), (r"\newcommand{\a}{{x}}", {"a": Macro(0, "{x}")}, ""), (r"\newcommand{a}{x}", {}, "{a}{x}"),
        (r"\newcommand{\a}[1]{#1}", {"a": Macro(1, "#1")}, ""), (r"\newcommand{\a}{\}}y", {"a": Macro(0, r"\}")}, "y"), (r"\providecommand {\a} {x}", {"a": Macro(0, "x")}, ""),
    ],
)  # fmt: skip
def test_definitions(text, known, rest):
    macros, said = defined(text)
    assert macros.known == known
    assert said == [(rest, "")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"\newcommand{\a}[1][0]{#1}", "in a way that is not expanded"), (r"\def\a#1{x}", "in a way that is not expanded"), (r"\newcommand{\a}[1]{#2}", "other arguments than it says"),
        (r"\newcommand{\a}[1]{##1}", "other arguments than it says"), (r"\renewcommand{\frac}{x}", "a command of LaTeX itself"), (r"\newcommand{\a}{x", "in a way that is not expanded"),
        (r"\newcommand{\a}{#1}", "other arguments than it says"),
    ],
)  # fmt: skip
def test_definitions_that_are_not_expanded(text, words):
    macros, said = defined(text)
    assert macros.known == {}
    assert words in said[0][1]
    assert said[0][1].startswith("\\")


def test_how_long_and_how_many():
    assert defined(rf"\def\a{{{'x' * MACRO_CHARACTERS}}}")[0].known
    macros, said = defined(rf"\def\a{{{'x' * (MACRO_CHARACTERS + 1)}}}")
    assert not macros.known
    assert "too long" in said[0][1]
    macros = Macros(defined=MACROS - 1)
    for name in "ab":
        macros.define(rf"\def\{name}{{x}}", DEFINING.match(rf"\def\{name}{{x}}"))
    assert list(macros.known) == ["a"]


@pytest.mark.parametrize(
    ("formula", "expanded"),
    [
        (r"\a + 1", "x + 1"), (r"\f{1}{2}", r"\frac{1}{2}"), (r"\f12", r"\frac{1}{2}"), (r"\f{1}\a", r"\frac{1}{x}"), (r"\c y", r"\alpha y"), (r"\cy", r"\cy"), (r"\c{}y", r"\alpha{}y"),
        (r"\c 2", r"\alpha 2"), (r"\b", "x x"), (r"\beta", r"\beta"), (r"\f{1}", r"\frac{1}{}"), (r"\g{y}3", r"\hat y3"), (r"\h y", r"\alpha  y"),
    ],
)  # fmt: skip
def test_commands_are_replaced(formula, expanded):
    known = {
        "a": Macro(0, "x"),
        "b": Macro(0, r"\a \a"),
        "f": Macro(2, r"\frac{#1}{#2}"),
        "c": Macro(0, r"\alpha"),
        "g": Macro(1, r"\hat #1"),
        "h": Macro(0, r"\alpha "),
    }
    problems = []
    result = Macros(known).expand(Placed(formula, range(len(formula))), lambda *said: problems.append(said))
    assert (result.text.replace("  ", " ") if formula != r"\h y" else result.text, problems) == (expanded, [])


def test_a_letter_does_not_run_into_a_command():
    macros = Macros({"c": Macro(0, r"\alpha"), "g": Macro(1, "#1")})
    put = lambda text: macros.expand(Placed(text, range(20, 20 + len(text))), None)  # noqa: E731
    assert put(r"\g\c y").text.split() == [r"\alpha", "y"]
    result = put(r"\g{\beta}y")
    assert (result.text, list(result.origins)) == (r"\beta y", [23, 24, 25, 26, 27, 20, 29])
    assert put(r"\g{\beta}2").text == r"\beta2"
    plain = Placed("x", (0,))
    assert Macros().expand(plain, None) is plain


@pytest.mark.parametrize(("times", "ends"), [(EXPANSIONS, True), (EXPANSIONS + 1, False)])
def test_so_many_expansions_in_one_formula(times, ends):
    problems = []
    macros = Macros({"a": Macro(0, "x")})
    result = macros.expand(Placed(r"\a" * times, range(2 * times)), lambda *said: problems.append(said))
    assert (result is not None) is ends
    assert problems == [("macro", r"\a is expanded too often", 2 * EXPANSIONS)][: not ends]
    assert bool(macros.endless) is not ends


@pytest.mark.parametrize(("before", "ends"), [(ALL_EXPANSIONS - 1, True), (ALL_EXPANSIONS, False)])
def test_so_many_expansions_in_all(before, ends):
    macros = Macros({"a": Macro(0, "x")}, expanded=before)
    assert (macros.expand(Placed(r"\a", (0, 1)), lambda *said: None) is not None) is ends


@pytest.mark.parametrize(("length", "ends"), [(2 * FORMULA_CHARACTERS, True), (2 * FORMULA_CHARACTERS + 1, False)])
def test_no_command_is_expanded_in_what_is_too_long(length, ends):
    text = r"\a" + " " * (length - 2)
    assert (Macros({"a": Macro(0, "x")}).expand(Placed(text, range(length)), lambda *said: None) is not None) is ends


@pytest.mark.parametrize(
    ("text", "at", "inside"),
    [("{a}", 0, "a"), ("  {a}b", 0, "a"), ("{a{b}c}d", 0, "a{b}c"), (r"{a\}b}", 0, r"a\}b"), ("a{b}", 0, None), ("{a", 0, None), ("", 0, None), ("x{a}", 1, "a"), ("{}", 0, "")],
)  # fmt: skip
def test_the_group_that_follows(text, at, inside):
    found = group_after(text, at)
    assert (None if found is None else text[slice(*found)]) == inside


def test_a_group_is_so_long_at_most():
    assert group_after("{abc}", 0, 5) == (1, 4)
    assert group_after("{abc}", 0, 4) is None


@pytest.mark.parametrize(
    ("script", "known"),
    [
        (r'macros: { "\\R": "\\mathbb{R}", half: ["\\frac{#1}{2}", 1] }', {"R": Macro(0, r"\mathbb{R}"), "half": Macro(1, r"\frac{#1}{2}")}), (r"Macros = {a: 'x', // b\n}", {"a": Macro(0, "x")}),
        (r'macros: {f: "#1#2"}', {"f": Macro(2, "#1#2")}), (r'macros: {f: ["#2", 1]}', {}), (r'macros: {frac: "x"}', {}), (r'macro: {a: "x"}', {}), (r'macros: {f: "##"}', {}),
    ],
)  # fmt: skip
def test_commands_that_scripts_define(script, known):
    macros = Macros()
    macros.define_in_scripts(script)
    assert macros.known == known


@pytest.mark.parametrize(
    ("formula", "bare"),
    [
        (r"\left( a \right)", "( a )"), (r"\left. a \right|", "a |"), (r"a \, b", "a b"), (r"\boxed{x = 1}", "x = 1"), (r"\underbrace{a}_{b} = 1", "a = 1"), (r"\overbrace{a}^b = 1", "a = 1"),
        (r"\underbrace{a} = 1", "a = 1"), (r"\textcolor{red}{x} = 1", "x = 1"), (r"\color{red}{x} = 1", "x = 1"), (r"x = 1 \tag{2}", "x = 1"), (r"x \label{a} = 1", "x = 1"),
        (r"x &= 1", f"x {COLUMN}= 1"), (r"x \quad y", f"x {QUAD} y"), (r"x \hspace{1cm} y", f"x {QUAD} y"), (r"x \hspace{2pt} y", "x y"), (r"x ~~~ y", f"x {QUAD} y"), ("x ~~ y", "x ~~ y"),
        (r"\boxed{2}\boxed{3}", "[2 , 3 ]"), (r"\boxed{2}", "2"), (r"\boxed{2}\boxed{3}\boxed{-4}", "[2 , 3 , -4 ]"), (r"\begin{align}x &= 1\end{align}", f"x {COLUMN}= 1"),
        (r"\begin{aligned}[t]x\end{aligned}", "x"), (r"\begin{alignat}{2}x\end{alignat}", "x"), (r"\resizebox{1cm}{!}{$x = 1$}", "x = 1"), (r"\scalebox{0.5}{$x$}", "x"), ("x = 1", "x = 1"),
        (r"\stackrel{!}{=} 1", "= 1"), (r"x \hfill y", f"x {QUAD} y"), (r"\cancel{x}", "x"), (r"x \hspace{-1em} y", "x y"), (r"(a \quad b)", f"(a {QUAD} b)"), (r"(a ~~~ b)", "(a ~~~ b)"),
    ],
)  # fmt: skip
def test_what_dresses_a_formula_is_left_out(formula, bare):
    found = undressed(Placed(formula, range(len(formula))))
    assert "".join(found.text.replace(QUAD, "Q").split()) == "".join(bare.replace(QUAD, "Q").split())
    assert list(found.origins) == sorted(found.origins)
    assert all(
        formula[o] == c for o, c in zip(found.origins, found.text, strict=True) if c not in f" []{QUAD}{COLUMN},"
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("x^{2}_1", "x_1^2", True), (r"\frac12", r"\frac{1}{2}", True), (r"\frac12", r"\frac{2}{1}", False), (r"\sqrt2", r"\sqrt{2}", True), (r"\sqrt[3]{2}", r"\sqrt{2}", False), ("x'", r"x^{\prime}", True),
        (r"\mathbf{x} + 1", "x+1", True), ("x + 1", "x - 1", False), (r"\sum_{i}^{n}", "∑_i^n", True), (r"\color{red} x", "x", True), (r"\text{a b}", "ab", True), ("x_{12}", "x_12", False),
        (r"\begin{pmatrix}1\end{pmatrix}", "(1)", True), (r"\begin{bmatrix}1\end{bmatrix}", "(1)", False), (r"50\%", "50", True), ("a≔b", "a=b", True),
    ],
)  # fmt: skip
def test_two_forms_of_one_formula(one, other, same):
    assert says_the_same(one, other) is same
    assert says_the_same(other, one) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (r"x_1 = \frac{1}{2}", "x1 = 1/2", True), ("x = 12", "x = 13", False), ("x = 1 + 2", "x = 1 - 2", False), ("x = 1.5", "x = 1,5", True), ("x = 1", "x ≈ 1", False), (r"x \approx 1", "x ≈ 1", True),
        (r"\sum_{i=1}^{3} 2", "Σ 2", True), ("0{,}5", "0.5", True), ("1", "1 = 1", False), ("ones(2, 3) x", "1 x", True),
    ],
)  # fmt: skip
def test_two_forms_that_have_the_same_numbers(one, other, same):
    assert has_the_same_numbers(one, other) is same


def test_what_is_below_comes_before_what_is_above():
    assert signs_shown("x^a_b") == "x_{b}^{a}"
    assert signs_shown("x''") == "x^{''}"
    assert signs_shown("") == ""
    assert signs_shown("{x}}y") == "x"


def test_a_display_of_many_rows_is_expanded_whole():
    """Each row is short, all together are longer than one formula may be; what grows without end is stopped as before."""
    rows = r" \\ ".join(rf"x_{{{n}}} &= \wide{{{n} + {n}}} = {2 * n}" for n in range(100, 400))
    text = rf"\documentclass{{article}}\newcommand{{\wide}}[1]{{\left(#1\right)}}\begin{{document}}\begin{{align*}}{rows}\end{{align*}}\end{{document}}"
    document = read_document(text.encode(), "a.tex")
    assert document.problems == ()
    assert len(relations(document)) == 600
    growing = text.replace(r"{\left(#1\right)}", r"{\left(#1" + "+ 1" * 300 + r"\right)}")
    assert [p.code for p in read_document(growing.encode(), "a.tex").problems] == ["macro"]
