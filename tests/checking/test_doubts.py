"""What makes a verdict doubtful, sentence by sentence: where a line stands, what stands beside it, and which letters it has."""

import pytest
from sympy import Integer, Rational

from symtransformer.checking.definitions import Definition, Definitions
from symtransformer.checking.doubts import (
    declared_in,
    ends_with_number,
    has_weights,
    headings_of,
    is_concluded,
    is_cut,
    is_in_a_sentence,
    is_in_another_unit,
    is_operator_unknown,
    is_supposed,
    undecided,
    without_doubt,
)
from symtransformer.checking.equations import EntryVerdict, Equation
from symtransformer.checking.number_words import Note
from symtransformer.documents import read_document, split
from symtransformer.documents.placed import Placed
from symtransformer.documents.records import Relation
from symtransformer.notation import Words
from symtransformer.reading.sides import Side
from symtransformer.symbols import Literal

SAID = Words("said", "言った")


def read(text, name="a.md"):
    document = read_document(text.encode(), name)
    return document, split(document)[0]


def last_of(text, name="a.md"):
    document, found = read(text, name)
    return document, found[-1]


def halves(left, right, sign="="):
    """The relation with one side of which no place is known, the one or the other."""
    sides = [Placed(left, range(len(left))), Placed(right, range(len(right)))]
    for k in (0, 1):
        known = [Placed(side.text, ()) if j == k else side for j, side in enumerate(sides)]
        yield Relation(known[0], sign, known[1], "a.md", 1, 1, 1, 0)


def relation_of(left, right, sign="=", chain=1):
    return Relation(Placed(left, ()), sign, Placed(right, ()), "a.md", 1, 1, chain, 0)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (r"$b \in \mathbb{R}^n$", {"b"}), (r"$b, c \in \mathbb{R}^n$", {"b", "c"}), (r"$\beta \in \mathbb{R}^d$", {"beta"}), (r"$x \in \mathbb{R}^n$", set()), (r"$b \in \mathbb{R}$", set()), (r"$\mathbf{c} = 1$", {"c"}),
        (r"$\bm{\theta}$", {"theta"}), (r"$\vec{b}$ and $\boldsymbol m$", {"b", "m"}), (r"$\mathbf{x}$", set()), (r"$\mathrm{c}$", set()), (r"$a + b \in \mathbb{R}^n$", {"b"}), ("$c = 1$", set()),
        (r"$b$ is here. " + "word " * 20 + r"$c \in \mathbb{R}^n$", {"c"}), ("Let $c$ be a vector. Then $c + c = 2 c$.", {"c"}), (r"$b \in \mathbf{R}^n$", {"b"}),
    ],
)  # fmt: skip
def test_letters_that_are_said_to_be_vectors(text, names):
    assert declared_in(read(text)[0]) >= names
    assert (declared_in(read(text)[0]) == frozenset()) is (not names)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("# One\ntext\n\n## Two\n", (1, 4)), ("a\n\nExercise 1\nb\n\nExercise 2", (3, 6)), ("Exercise one", ()), ("**Example 3** b", (1,)), ("問題 2\n\n例題1", (1, 3)), ("演習（3）", (1,)), ("#tag", ()), ("    # code", ()),
        ("problem 4", (1,)), ("【練習 1】", (1,)), ("text # One", ()), ("", ()),
    ],
)  # fmt: skip
def test_lines_with_a_heading(text, lines):
    assert headings_of(read(text)[0]) == lines


def test_headings_of_a_page_of_latex():
    text = "\\section{One}\n$a = 1$\n\\subsection*{Two}\n\\begin{example}\n\\sectional\n\\paragraph{Three}\n"
    assert headings_of(read(text, "a.tex")[0]) == (1, 3, 4, 6)


# -- letters that may mean something else ------------------------------------------------------------------------------
def without(verdict, left, right, definitions=None, declared=(), kind="formula", remarks=()):
    made = Equation("a.md", 1, 1, f"{left} = {right}", kind, verdict, SAID, remarks=remarks)
    found = without_doubt(made, relation_of(left, right), "latex", definitions or Definitions(), declared)
    assert (found is made) is (found.code == "")
    return found.verdict, found.code


@pytest.mark.parametrize(
    ("left", "right", "code"),
    [
        ("PE(3, 2)", "0.5", "own_encoding"), ("1 + PE(3,2)", "0.5", "own_encoding"), ("0.5", r"\mathrm{PE}(3, 2)", "own_encoding"), ("PE(3, i)", "x", ""), ("PE(3)", "x", ""), ("TYPE(3, 2)", "x", ""), ("PE(3, 2)", "[1, 2]", ""),
        ("PE(3, 2)", r"\begin{matrix} 1 \end{matrix}", ""), (r"\begin{matrix} PE(3, 2) \end{matrix}", "x", ""),
        ("|x|", "y", "matrix"), ("x", "|y + 2|", "matrix"), (r"\|x\|", "y", ""), ("||x||", "y", ""), ("|2|", "y", ""), ("‖x‖", "y", ""),
        (r"f \circ g", "y", "own_function"), ("y", "f ∘ g", "own_function"), ("h_1 ∘ F", "y", "own_function"), (r"A \circ B", "y", ""), (r"\phi \circ \psi", "y", "own_function"), (r"f \circle g", "y", ""),
        (r"\sigma(x)", "y", "own_function"), ("norm(x)", "y", "own_function"), (r"\operatorname{Linear}(x)", "y", "own_function"), ("y", r"\sigma(x)", ""), (r"\sigma(x + 1)", "y", ""), ("softmax(x)", "y", ""), (r"\sigma(x)_i", "y", "own_function"),
        (r"\phi(x)", "y", "own_function"), ("y", r"\varphi(x)", "own_function"), ("φ(x)", "y", "own_function"), (r"\phi(x)", r"\Phi(x)", ""), (r"\phi(x)", "Φ(x)", ""), (r"\phi(x)", "GELU(x)", ""), (r"\phi x", "y", ""), (r"\phi\left(x)", "y", "own_function"),
        (r"\phi(x)", "MYGELU(x)", "own_function"), ("x", "y", ""),
    ],
)  # fmt: skip
def test_nobody_is_accused_of_what_may_mean_something_else(left, right, code):
    assert without("refuted", left, right) == (("undecidable", code) if code else ("refuted", ""))


@pytest.mark.parametrize(
    ("verdict", "left", "right", "kind", "found"),
    [
        ("proved", "PE(3, 2)", "0.5", "formula", "proved"), ("wrong", "PE(3, 2)", "0.5", "number", "undecidable"), ("right", "PE(3, 2)", "0.5", "number", "right"), ("last_place", "PE(3, 2)", "0.5", "number", "undecidable"),
        ("proved", "|x|", "y", "formula", "proved"), ("shapes", "|x|", "y", "formula", "shapes"), ("proved", "f ∘ g", "y", "formula", "undecidable"), ("tested", r"\sigma(x)", "y", "formula", "tested"), ("shapes", r"\sigma(x)", "y", "formula", "undecidable"),
        ("wrong", "f ∘ g", "y", "number", "wrong"), ("definition", "f ∘ g", "y", "formula", "definition"), ("unparsed", "f ∘ g", "y", "formula", "unparsed"), ("proved", r"\phi(x)", "y", "formula", "proved"),
    ],
)  # fmt: skip
def test_what_is_accepted_is_doubted_less(verdict, left, right, kind, found):
    assert without(verdict, left, right, kind=kind)[0] == found


def test_letters_that_are_usually_numbers_and_are_not_here():
    matrices = Definitions()
    matrices.define(Definition("b", Literal([[1, 2]]), True, 1))
    matrices.define(Definition("x", Literal([[1, 2]]), True, 1))
    numbers = Definitions()
    numbers.define(Definition("b", Integer(3), False, 1))
    for verdict in ("proved", "refuted", "shapes", "tested"):
        assert without(verdict, "b x", "x b") == (verdict, "")
        assert without(verdict, "b x", "x b", declared={"b"}) == ("undecidable", "own_letter")
        assert without(verdict, "x", "x + b", declared={"b"}) == ("undecidable", "own_letter")
        assert without(verdict, "b x", "x b", declared={"x", "c"}) == (verdict, "")
        assert without(verdict, "b x", "x b", matrices) == ("undecidable", "own_letter")
        assert without(verdict, "b x", "x b", numbers) == (verdict, "")
    assert without("undecidable", "b x", "x b", declared={"b"}) == ("undecidable", "")
    made = Equation("a.md", 1, 1, "", "formula", "proved", SAID)
    found = without_doubt(made, relation_of("b c", "c b"), "latex", Definitions(), {"b", "c"})
    assert found.words.en.startswith("Not decided: b is usually")


ADDS_UP = Note("adds_up", Words("It holds if y adds up to 1.", "y の和が 1 なら成り立つ。"))


@pytest.mark.parametrize(
    ("entries", "remarks", "name", "is_open"),
    [
        ([1, 0, 0], (ADDS_UP,), "y", False), ([1, 1, 0], (ADDS_UP,), "y", True), ([0, 0, 0], (ADDS_UP,), "y", True), ([1, 1, 0], (), "y", False), ([1, 1, 0], (ADDS_UP,), "p", False), ([2, 0, 0], (ADDS_UP,), "y", True),
        ([1, 1, 0], (Note("other", ADDS_UP.words),), "y", False),
    ],
)  # fmt: skip
def test_values_that_have_to_add_up_to_1(entries, remarks, name, is_open):
    definitions = Definitions()
    definitions.define(Definition(name, Literal([entries]), True, 1))
    assert without("proved", "dz", "p - y", definitions, remarks=remarks) == (
        ("undecidable", "values") if is_open else ("proved", "")
    )


def test_digits_of_a_distribution_may_be_roundings():
    for total, is_open in (
        (Rational(99, 100), False),
        (Rational(101, 100), False),
        (Rational(98, 100), True),
        (Rational(102, 100), True),
    ):
        definitions = Definitions()
        definitions.define(Definition("y", Literal([[total - 1, 1]]), True, 1))
        verdict, _ = without("proved", "dz", "p - y", definitions, remarks=(ADDS_UP,))
        assert verdict == ("undecidable" if is_open else "proved"), total


def test_what_is_not_decided_says_nothing_of_what_would_be_right():
    note = Note("n", SAID)
    made = Equation(
        "a.md",
        3,
        4,
        "a = b",
        "number",
        "wrong",
        SAID,
        "wrong",
        "right",
        "7",
        "7",
        (EntryVerdict(1, 1, "1", "wrong", "2", SAID),),
        note,
        (note,),
        "x = 1",
        SAID,
        (note,),
        "code",
        2,
    )
    found = undecided(made, words := Words("open", "未定"), "why")
    assert found == Equation(
        "a.md", 3, 4, "a = b", "number", "undecidable", words, "wrong", "right", against=SAID, code="why"
    )


# -- where it stands -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("At $x = 1$ it is.", "a.md", True), ("$x = 1$", "a.md", True), ("$$x = 1$$", "a.md", False), ("x = 1", "a.txt", False), ("Then x = 1", "a.txt", True), ("2) x = 1", "a.txt", False), ("a) x = 1", "a.txt", False),
    ],
)  # fmt: skip
def test_in_a_sentence(text, name, expected):
    document, relation = last_of(text, name)
    where = document.passages[relation.passage].where
    assert is_in_a_sentence(document, relation, where) is expected
    assert is_in_a_sentence(document, relation, "inline") is True
    assert is_in_a_sentence(document, relation, "display") is False
    assert is_in_a_sentence(document, relation_of("x", "1"), "line") is False


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Therefore $x = 1$.", True), ("Hence, $x = 1$.", True), ("so $x = 1$.", True), ("Also $x = 1$.", False), (r"$\therefore x = 1$.", True), ("∴ $x = 1$", True), ("よって、$x = 1$。", True), ("したがって $x = 1$", True), ("Thus we get $x = 1$.", True),
        ("Thus we set $x = 1$.", False), ("So let $x = 1$.", False), ("よって $x = 1$ とおく。", True), ("よって新しい $x = 1$", False), ("so $x = 1$ or $x = 2$.", False), ("Therefore 2 of $x = 1$.", False), ("Therefore. Now $x = 1$.", False), ("Therefore it is so that $x = 1$.", False),
        ("Therefore " + "a " * 21 + "$x = 1$.", False), ("Therefore " + "a " * 19 + "$x = 1$.", True), ("Sofar $x = 1$.", False),
    ],
)  # fmt: skip
def test_behind_therefore(text, expected):
    document, relation = last_of(text)
    assert is_concluded(document, relation) is expected
    assert is_concluded(document, relation_of("x", "1")) is False


def test_one_of_several_is_no_conclusion():
    for words in ("or", "または", "か"):
        document, (first, second) = read(f"so $x = 1$ {words} $x = 2$.")
        assert not is_concluded(document, first)
        assert not is_concluded(document, second)
    document, (first,) = read("so $x = 1$ ordered.")
    assert is_concluded(document, first)


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("$x > 0$", "a.md", False), ("if $x > 0$", "a.md", True), ("and $x > 0$", "a.md", False), ("Therefore we have $x > 0$.", "a.md", False), ("$x > 0$ for all", "a.md", True), ("$i < j$", "a.md", True), ("$x > 0$ です。", "a.md", False), ("$x > 0$ のとき", "a.md", True),
        ("a = 1, x > 0", "a.txt", True), ("x > 0", "a.txt", False), ("Given that.\nx > 0", "a.txt", False), ("x > 0\nif it is", "a.txt", False), (r"\begin{align} x > 0 \end{align}", "a.tex", False), ("a $x > 0$ b", "a.md", False),
    ],
)  # fmt: skip
def test_an_inequality_may_be_a_condition(text, name, expected):
    document, relation = last_of(text, name)
    assert is_supposed(document, relation) is expected
    assert is_supposed(document, relation_of("x", "1", ">")) is True
    assert [is_supposed(document, half) for half in halves("x", "1", ">")] == [True, True]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("x = 1", "a.txt", False), ("\tx = 1", "a.txt", False), ("the sum of x = 1", "a.txt", True), ("the mean  of\tx = 1", "a.md", True), ("mod x = 1", "a.md", True), ("the words divided by x = 1", "a.txt", True), ("Note x = 1", "a.md", False),
        ("roof x = 1", "a.md", False), ("A x = 1", "a.txt", True), ("- A x = 1", "a.md", True), ("I x = 1", "a.txt", True), ("Aa x = 1", "a.txt", False), ("**Note:** x = 1", "a.md", False), ("**Note:** x = 1", "a.txt", True), ("**Note** x = 1", "a.md", True),
        ("x = 4 (2) = 8", "a.txt", True), ("y = a (2) = 8", "a.md", True), ("we get (2) + 1 = 3", "a.txt", False), ("1. (2) + 1 = 3", "a.txt", False), ("⊕x = 1", "a.txt", True), ("→x = 1", "a.txt", False), ("① x = 1", "a.txt", False), ("step 3. x = 1", "a.txt", False), ("トークン 1 = 0.2", "a.txt", True), ("say that 1 = 0.2", "a.md", True), ("say that 1.5 = 0.2", "a.md", True), ("say that 1.5x = 2", "a.md", False),
        ("say, 1 = 0.2", "a.txt", False), ("> x = 1", "a.md", False), ("- x = 1", "a.md", False), ("• x = 1", "a.txt", False), ("a, x = 1", "a.txt", False),
        ("|a|b|\n|-|-|\n| of | x = 1 |", "a.md", False), ("|a|b|\n|-|-|\n| A | x = 1 |", "a.md", False), ("|a|b|\n|-|-|\n| c | sum of x = 1 |", "a.md", True), ("the sum of $x = 1$", "a.tex", False), ("of x = 1", "a.html", True),
    ],
)  # fmt: skip
def test_what_is_cut_off_before_it(text, name, expected):
    document, relation = last_of(text, name)
    language = document.passages[relation.passage].language
    assert is_cut(document, relation, language) is expected
    assert is_cut(document, relation, "latex") is False
    assert is_cut(document, relation_of("x", "1"), "text") is False


@pytest.mark.parametrize(
    ("sign", "expected"),
    [("", False), ("⊕", True), ("∇", True), ("→", False), ("=", False), ("a", False), ("½", True), ("①", False), ("\u0301", True), ("\u2062", True), (" ", False), ("(", False), ("⊗", True)],
)  # fmt: skip
def test_signs_that_may_be_operators(sign, expected):
    assert is_operator_unknown(sign) is expected


@pytest.mark.parametrize(
    ("right", "expected"),
    [("4 (2)", True), ("4  (2.1)", True), (r"4 \quad (2)", False), (r"4 \, (2)", True), ("4(2)", False), ("4 (2) + 1", False), ("x (2)", False), ("4% (2)", True), ("4 (1234)", False), ("4 (a)", False), ("4~(12)", True)],
)  # fmt: skip
def test_a_number_in_brackets_at_the_end(right, expected):
    relation = relation_of("x", right, chain=3)
    assert ends_with_number(relation, None) is expected
    assert ends_with_number(relation, relation_of("y", "1", chain=4)) is expected
    assert ends_with_number(relation, relation_of("y", "1", chain=3)) is False


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"$\log_2 8 = 3$ nats", True), (r"$\log_2 8 = 3$ bits", False), (r"$\ln 8 = 2.08$ bits", True), (r"$\ln 8 = 2.08$ nats", False), (r"$\log_2 8 = 3$ ナット", True), (r"$\ln 8 = 2.08$ ビット", True), (r"$\ln 8 = 2.08$ bitsy", False), (r"$\ln 8 = 2.08$ or bits", False),
        (r"$\log_2 8 / 2 = 1.5$ nats", False), (r"$\frac{\ln 8}{\ln 2} = 3$ bits", False), (r"$\log_{2} 8 = 3$ nat", True), (r"$\log_{20} 8 = 3$ nats", False), (r"$\log_2 8 = 3 \text{ nats}$", True), (r"$\ln 8 = 2.08$ bit", True), (r"$\log 8 = 2.08$ bits", False),
    ],
)  # fmt: skip
def test_bits_and_nats(text, expected):
    document, relation = last_of(text)
    assert is_in_another_unit(document, relation) is expected
    assert is_in_another_unit(document, relation_of(r"\ln 8", "2.08")) is False
    assert [is_in_another_unit(document, half) for half in halves(r"\ln 8", "2.08")] == [False, False]


@pytest.mark.parametrize(("text", "expected"), [("x W", True), ("W_Q x", True), ("U x", True), ("K V", False), ("Wx", False), ("xW", False), ("Word x", False), ("x + 2 W^T", True), ("WU", True)])  # fmt: skip
def test_weights(text, expected):
    assert has_weights(Side(text, None)) is expected
