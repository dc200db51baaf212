"""A convention that the author declares holds below the mark: what follows it is named, what is right only without it is not."""

import math

import pytest

from symtransformer import check
from symtransformer.checking.declared import NAMES, TOPICS
from symtransformer.checking.slips import SLIPS

X = [1.0, 2.0, 4.0, 4.5]
MEAN = sum(X) / len(X)
SQUARES = sum((x - MEAN) ** 2 for x in X)


def listed(numbers):
    return "[" + ", ".join(f"{x:.4f}" for x in numbers) + "]"


def normed(count, eps=0.0, outside=0.0):
    return listed([(x - MEAN) / (math.sqrt(SQUARES / count + eps) + outside) for x in X])


def gelu(x, is_tanh):
    inner = math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)) if is_tanh else math.erf(x / math.sqrt(2))
    return x * (1 + inner) / 2


CASES = {  # what is declared: the formula, its value under it, and without it
    "log=2": (r"\log 12", f"{math.log2(12):.4f}", f"{math.log(12):.4f}"),
    "log=10": (r"-\log 0.3", f"{-math.log10(0.3):.4f}", f"{-math.log(0.3):.4f}"),
    "variance=sample": (r"\operatorname{LayerNorm}(x)", normed(3), normed(4)),
    "eps=outside": (r"\operatorname{LayerNorm}(x, eps=0.5)", normed(4, outside=0.5), normed(4, eps=0.5)),
    "gelu=tanh": (r"\operatorname{GELU}(-2)", f"{gelu(-2, True):.5f}", f"{gelu(-2, False):.5f}"),
}


def verdicts(declared, formula, value):
    mark = f"<!-- symtransformer: convention {declared} -->\n\n" if declared else ""
    text = f"$x = [1, 2, 4, 4.5]$\n\n{mark}${formula} \\approx {value}$\n"
    equation = check(text, name="notes.md").files[0].equations[-1]
    return equation, [note.name for note in equation.remarks]


@pytest.mark.parametrize("declared", CASES)
def test_what_follows_it_is_named(declared):
    formula, value, _ = CASES[declared]
    topic, word = declared.split("=")
    found, _ = verdicts(declared, formula, value)
    assert (found.verdict, found.convention.name) == ("by_convention", TOPICS[topic][word])
    assert found.words == found.convention.words


@pytest.mark.parametrize("declared", CASES)
def test_what_is_right_only_without_it_is_not(declared):
    formula, _, usual = CASES[declared]
    assert verdicts("", formula, usual)[0].verdict == "right"
    found, remarks = verdicts(declared, formula, usual)
    assert found.verdict in ("wrong", "last_place")
    assert "declared_not_followed" in remarks
    assert declared in found.remarks[-1].words.en
    assert declared in found.remarks[-1].words.ja


@pytest.mark.parametrize("declared", CASES)
def test_the_usual_one_declared_excludes_the_other(declared):
    formula, value, usual = CASES[declared]
    topic = declared.partition("=")[0]
    usual_name = f"{topic}={next(iter(TOPICS[topic]))}"
    assert verdicts(usual_name, formula, usual)[0].verdict == "right"
    assert verdicts("", formula, value)[0].verdict == "by_convention"
    assert verdicts(usual_name, formula, value)[0].verdict in ("wrong", "last_place")


@pytest.mark.parametrize(("formula", "value"), [(r"\ln 8", "2.079"), (r"\log_{10} 1000", "3"), (r"\log_2 8", "3")])
def test_a_base_that_is_written_stays(formula, value):
    assert verdicts("log=10", formula, value)[0].verdict == "right"


def test_names_below_are_made_by_it():
    text = "<!-- symtransformer: convention log=2 -->\n$H = -\\log 0.125 = 3$, $2 H = 6$, $2 H \\approx 4.159$\n"
    found = [e.verdict for e in check(text, name="notes.md").files[0].equations]
    assert found == ["definition", "by_convention", "right", "wrong"]


def test_it_holds_only_below_the_mark():
    text = "$\\log 8 \\approx 2.079$\n\n<!-- symtransformer: convention log=2 -->\n\n$\\log 8 = 3$\n"
    assert [e.verdict for e in check(text, name="notes.md").files[0].equations] == ["right", "by_convention"]


def test_an_unknown_one_names_those_that_are_known():
    report = check("<!-- symtransformer: convention log=3 -->\n$1 + 1 = 2$\n", name="notes.md")
    (unread,) = report.files[0].unread
    assert unread.code == "mark"
    assert all(name in unread.message for name in NAMES)


def test_no_convention_bears_the_name_of_a_slip():
    assert not {name for words in TOPICS.values() for name in words.values()} & {slip.name for slip in SLIPS}
