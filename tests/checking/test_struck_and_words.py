"""Equations that are partly struck out, and words before a formula that compute with it: asked of the document alone."""

import pytest

from symtransformer.checking.struck import BEFORE, is_partly_struck
from symtransformer.checking.words_that_compute import WORDS_AT_MOST, is_bare_name, is_computed_in_words
from symtransformer.documents import read_document, relations


def asked(of, text, name):
    document = read_document(text.encode(), name)
    return [of(document, relation) for relation in relations(document)]


@pytest.mark.parametrize(
    ("text", "struck"),
    [
        (r"$\cancel{2} + 2 = 4$", True),
        (r"$2 + \cancel{2} = 4$", True),
        (r"$2 + 2 = \cancel{4} 5$", True),
        (r"$2 + 2 = 4 \cancel{5}$", True),
        (r"$2 + 2 = 4$ \cancel{5}", False),
        (r"$\xcancel{2} + 2 = 4$", True),
        (r"$\bcancel{2} + 2 = 4$", True),
        (r"$\hcancel{2} + 2 = 4$", True),
        (r"$\sout{2} + 2 = 4$", True),
        (r"$\st{2} + 2 = 4$", True),
        (r"$\cancel 2 + 2 = 4$", True),
        (r"$2 + \cancel 2 + 1 = 3$", True),
        (r"\cancel{a $2 + 2 = 4$", False),
        (r"$\cancelto{0}{2} + 2 = 4$", True),
        (r"$\cancels{2} + 2 = 4$", False),
        (r"$\stackrel{2}{3} + 2 = 4$", False),
        (r"$\frac{\cancel{2} \cdot 3}{\cancel{2}} = 3$", False),
        (r"$\cancel{2} \cdot 3 / \cancel{2} = 3$", False),
        (r"$\cancel{2} \div \cancel{2} = 1$", False),
        (r"\cancel{$2 + 2 = 5$}", False),  # all of it
        (r"\cancel{x} $2 + 2 = 4$", False),
        (r"$2 + 2 = 4$", False),
        (r"$2 + 2 = 4 + \cancel{1}$", True),
        (r"$2 + 2 = \cancel{5}$", True),
        (r"$2 + 2 = \frac{\cancel{5} \cdot 4}{\cancel{5}}$", False),
        (r"$2 + \cancel{2 = 4$", True),
    ],
)
def test_a_part_in_latex(text, struck):
    assert asked(is_partly_struck, text, "a.tex")[:1] == [struck]


@pytest.mark.parametrize(
    ("text", "struck"),
    [
        ("~~2 +~~ 2 + 2 = 4", [True]),
        ("2 + 2 = ~~4~~ 5", [True]),
        ("~~x = 3~~ is wrong. 2 + 2 = 4", [False]),
        ("~~wrong~~ 2 + 2 = 4", [False]),
        ("~~wrong\n2 + 2 = 4", [False]),
        ("2 + 2 = 4 ~~wrong~~", [False]),
    ],
)
def test_a_part_in_plain_text(text, struck):
    assert asked(is_partly_struck, text, "a.txt")[-1:] == struck


@pytest.mark.parametrize(
    ("text", "struck"),
    [
        ("<p>2 + <s>2</s> + 2 = 4</p>", True),
        ("<p>2 + <DEL>2</del> + 2 = 4</p>", True),
        ('<p>2 + <strike class="a">2</strike> + 2 = 4</p>', True),
        ("<p>2 + <span>2</span> + 2 = 6</p>", False),
        ("<p>2 + <sup>2</sup> + 2 = 4</p>", False),
        ("<p><s>wrong</s> 2 + 2 = 4</p>", False),
        ("<p>2 · <s>2</s> / 2 = 2</p>", False),
        ("<p>2 + 2 = 4<s>5</s></p>", True),
        ("<p>2 + 2 = 5<s>4</s></p>", True),
        ('<math><mn>2</mn><mo>+</mo><menclose notation="updiagonalstrike"><mn>2</mn></menclose><mo>+</mo><mn>2</mn><mo>=</mo><mn>4</mn></math>', True),
        ('<math><menclose notation="box"><mn>2</mn></menclose><mo>+</mo><mn>2</mn><mo>=</mo><mn>4</mn></math>', False),
    ],
)  # fmt: skip
def test_a_part_on_a_page(text, struck):
    found = asked(is_partly_struck, text, "a.html")
    assert found[-1:] == [struck]


@pytest.mark.parametrize(("far", "struck"), [(BEFORE, True), (BEFORE + 1, False)])
def test_how_far_before_the_equation_it_looks(far, struck):
    text = r"\cancel{" + " " * (far - len(r"\cancel{$")) + "$2} + 2 = 4$"
    assert text.index("2}") == far
    assert asked(is_partly_struck, text, "a.tex") == [struck]


def test_how_long_the_equation_is_does_not_matter():
    zeros = "+ 0" * 600
    assert asked(is_partly_struck, rf"$\cancel{{2}} + 2 {zeros} = 4 {zeros}$", "a.tex") == [True]
    assert asked(is_partly_struck, rf"$2 {zeros} + \cancel{{2}} = 2$", "a.tex") == [True]


@pytest.mark.parametrize(
    ("text", "is_it"),
    [
        ("x", True), (" x_2 ", True), (r"\alpha", True), (r"\mathbf{x}", True), (r"\vec x_{12}", True), ("mean", True),
        ("x + 1", False), ("2", False), ("x^2", False), ("", False), ("x y", False), ("f(x)", False),
    ],
)  # fmt: skip
def test_a_name_alone(text, is_it):
    assert is_bare_name(text) is is_it


@pytest.mark.parametrize(
    ("text", "is_it"),
    [
        ("The square of $x = 9$", True),
        ("the square of the vector $x = 9$", True),
        ("the square of it, $x = 9$", False),
        ("twice $x = 9$", True),
        ("a twice $x + 1 = 9$", True),
        ("The sum of $y$ and $x = 9$", True),
        ("The sum of 2 and $x + 1 = 9$", True),
        ("The sum. Of 2 and $x = 9$", False),
        ("3 times $x + 1 = 9$", True),
        ("$y$ plus $x + 1 = 9$", True),
        ("many times $x = 9$", False),
        ("3倍の $x + 1 = 9$", True),
        ("the mean of $x = 9$", True),
        ("a mean of $x = 9$", False),
        ("the mean of $x + 1 = 9$", False),
        ("the mean of $[1, 2] = 9$", True),
        ("the mean of $x ≈ 9$", False),  # only of what is exact
        ("the square of $x ≈ 9$", True),
        ("50% of $8 = 4$", True),
        ("50% of $x = 4$", False),
        ("50% of $8 ≈ 4$", False),
        ("50% of $-8 = 4$", True),
        (r"exp $\frac{1}{2} = 4$", True),
        (r"of $\begin{pmatrix} 1 & 2 \end{pmatrix} = 4$", True),
        ("so $8 = 4$", False),
        ("8の$5 = 4$", True),
        ("$8 = 4$", False),
        ("of 8 = 4", False),  # nothing opens a formula
        ("of\n$8 = 4$", False),  # on its own line
    ],
)
def test_words_that_compute(text, is_it):
    assert asked(is_computed_in_words, text, "a.md")[-1] is is_it


def test_the_second_of_a_chain_is_no_left_side():
    assert asked(is_computed_in_words, "The square of $x = y = 9$", "a.md")[0] is True


def test_how_many_characters_before_the_formula_count():
    def of(words):
        return asked(is_computed_in_words, f"The sum of {words} and $x = 9$", "a.md")[-1]

    assert of("a" * 80) is False  # 82 with both spaces
    assert of("a" * 78) is True
    assert WORDS_AT_MOST > 100
