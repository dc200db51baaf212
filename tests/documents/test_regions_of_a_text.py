"""What is no prose, by its kind and its place: each sort of fence, its ends, and the limit of each."""

import pytest

from symtransformer.documents import DocumentError
from symtransformer.documents.collecting import Collector
from symtransformer.documents.limits import DISPLAY_CHARACTERS, FORMULA_CHARACTERS, SIGNS
from symtransformer.documents.regions import LONGEST, Finder, _is_math, regions


def found_in(text):
    """(kind, the whole, what is inside) of each region, and the codes of the problems with their columns."""
    collector = Collector("a.md")
    placed = collector.sources.add("a.md", text)
    found = regions(placed, collector)
    return [(r.kind, text[r.start : r.end], text[slice(*r.inner)]) for r in found], [
        (p.code, p.line, p.column) for p in collector.problems
    ]


CASES = [
    ("", [], []),
    ("a = 1", [], []),
    ("x $a=1$ y", [("inline", "$a=1$", "a=1")], []),
    (r"x \(a=1\) y", [("inline", r"\(a=1\)", "a=1")], []),
    ("$$a=1$$", [("display", "$$a=1$$", "a=1")], []),
    (r"\[a=1\]", [("display", r"\[a=1\]", "a=1")], []),
    ("$a$ and $b$", [("inline", "$a$", "a"), ("inline", "$b$", "b")], []),
    (r"\$5 and $a$", [("inline", "$a$", "a")], []),
    (r"\\$a$", [("inline", "$a$", "a")], []),
    (r"$a\$b$", [("inline", r"$a\$b$", r"a\$b")], []),
    (r"$a\$", [], []),
    ("$`a_1`$", [("inline", "$`a_1`$", "a_1")], []),
    ("$``$", [("inline", "$``$", "``")], []),  # nothing between the ticks
    ("$`a$", [("inline", "$`a$", "`a")], []),  # a tick on one side only
    ("<!-- $a$ --> $b$", [("comment", "<!-- $a$ -->", " $a$ "), ("inline", "$b$", "b")], []),
    ("<!-- $b$", [("inline", "$b$", "b")], []),
    ("`a=1` b", [("code", "`a=1`", "a=1")], []),
    ("``a`b`` c", [("code", "``a`b``", "a`b")], []),
    ("`a\nb`", [], []),
    ("`a`` b", [], []),  # the second fence is longer
    ("`" * 9 + "a" + "`" * 9, [("code", "`" * 9 + "a" + "`" * 9, "a")], []),
    ("b " + "`" * 9 + "a" + "`" * 9, [("code", "`" * 9 + "a" + "`" * 9, "a")], []),
    ("```a=1```\n$b$", [("code", "```a=1```", "a=1"), ("inline", "$b$", "b")], []),  # and no fence
    ("``` a `b` \n$c$", [("code", "`b`", "b"), ("inline", "$c$", "c")], []),
    ("~~~ a `b`\n$c$\n~~~", [("program", "~~~ a `b`\n$c$\n~~~", "$c$\n")], []),
    ("b " + "`" * 10 + "a" + "`" * 10, [], []),
    ("$a\nb$", [("inline", "$a\nb$", "a\nb")], []),
    ("$a\n\nb$", [], []),
    ("$$a\n\nb$$", [], [("unclosed", 1, 1), ("unclosed", 3, 2)]),
    ("x $$a", [], [("unclosed", 1, 3)]),
    (r"\[a", [], [("unclosed", 1, 1)]),
    (r"\(a", [], []),
    (
        r"\begin{align}a&=1\end{align}",
        [("display", r"\begin{align}a&=1\end{align}", r"\begin{align}a&=1\end{align}")],
        [],
    ),
    (r"x \begin{align}a", [], [("unclosed", 1, 3)]),
    (r"\begin{tabular}a\end{tabular}", [], []),
    (r"\begin{tabular}a", [], []),
    (r"\begin {align}a\end{align}", [("display", r"\begin {align}a\end{align}", r"\begin {align}a\end{align}")], []),
    ("```\na\n```\nb", [("text", "```\na\n```", "a\n")], []),
    ("```text\na\n```", [("text", "```text\na\n```", "a\n")], []),
    ("```math\na\n```", [("display", "```math\na\n```", "a\n")], []),
    ("```LaTeX\na\n```", [("display", "```LaTeX\na\n```", "a\n")], []),
    ("```{math}\n:label: x\na\n```", [("display", "```{math}\n:label: x\na\n```", "a\n")], []),
    ("```\n:label: x\na\n```", [("text", "```\n:label: x\na\n```", ":label: x\na\n")], []),
    ("```python\na = 1\n```", [("program", "```python\na = 1\n```", "a = 1\n")], []),
    ("~~~\na\n~~~", [("text", "~~~\na\n~~~", "a\n")], []),
    ("~~~\n```\n~~~", [("text", "~~~\n```\n~~~", "```\n")], []),
    ("````\n```\n````", [("text", "````\n```\n````", "```\n")], []),
    ("````\na\n`````", [("text", "````\na\n`````", "a\n")], []),
    ("```\na = 1", [("text", "```\na = 1", "a = 1")], []),
    ("   ```\na\n   ```", [("text", "   ```\na\n   ```", "a\n")], []),
]


@pytest.mark.parametrize(("text", "expected", "problems"), CASES, ids=lambda value: repr(value)[:30])
def test_regions_and_what_is_inside_of_them(text, expected, problems):
    assert found_in(text) == (expected, problems)


@pytest.mark.parametrize(("inside", "is_one"), [(LONGEST, True), (LONGEST + 1, False)])
def test_a_display_is_so_long_at_most(inside, is_one):
    found, problems = found_in(f"$${'a' * inside}$$")
    assert [kind for kind, _, _ in found] == ["display"] * is_one
    assert bool(problems) is not is_one


@pytest.mark.parametrize(("inside", "is_one"), [(FORMULA_CHARACTERS, True), (FORMULA_CHARACTERS + 1, False)])
def test_a_formula_in_a_line_is_so_long_at_most(inside, is_one):
    assert bool(found_in(f"${'a' * inside}$")[0]) is is_one


@pytest.mark.parametrize(("inside", "is_one"), [(DISPLAY_CHARACTERS, True), (DISPLAY_CHARACTERS + 1, False)])
def test_an_environment_is_so_long_at_most(inside, is_one):
    found, problems = found_in(rf"\begin{{align}}{'a' * inside}\end{{align}}")
    assert bool(found) is is_one
    assert bool(problems) is not is_one


def test_so_many_beginnings_at_most():
    assert found_in(r"\$" * SIGNS) == ([], [])
    with pytest.raises(DocumentError) as refused:
        found_in(r"\$" * (SIGNS + 1))
    assert refused.value.code == "too_many"


@pytest.mark.parametrize(
    ("text", "is_math"),
    [
        ("a", True),
        (" a ", True),
        ("", False),
        ("  ", False),
        (" a", False),  # $5 and $a is one price and a letter
        ("a ", False),
        (" a=1", True),
        ("x_1 ", True),
        (r" \alpha", True),
        ("5 and ", False),
        ("5", True),
        ("5 ", False),
        ("5=5 ", False),
        ("5と", False),
        (r"x = \text{平均}", True),
        (r"\alpha を", True),
        ("the mean of all", False),
        (r"5 and the \alpha rest ", False),
        ("ab cd ef", True),  # two letters are no words of a sentence
    ],
)
def test_dollars_that_are_no_prices(text, is_math):
    assert _is_math(f"${text}$", 1, len(text) + 1) is is_math


@pytest.mark.parametrize(("behind", "is_math"), [("5", False), (" 5", True), ("a", True), ("", True)])
def test_a_digit_behind_the_second_dollar_makes_prices(behind, is_math):
    assert _is_math(f"$a${behind}", 1, 2) is is_math


def test_a_finder_looks_from_where_it_is_asked():
    finder = Finder("ab ab")
    assert [finder.find("a", at) for at in (0, 1, 2, 3, 4)] == [0, 3, 3, 3, 5]
    assert [finder.find("z", at) for at in (0, 3)] == [5, 5]
