"""A value that a sentence mentions in passing: the document's own goes on, and nothing is right by the mentioned one alone.

Expected: √16 = 4, √100 = 10, √49 = 7; what is right for one of the values only is left open, what is right for none is accused.
"""

import pytest

from symtransformer.checking.checks import check
from symtransformer.checking.equations import ACCEPTED, ACCUSING

OWN, OF_IT, OF_NONE = r"$\sqrt{n} = 4$", r"$\sqrt{n} = 10$", r"$\sqrt{n} = 7$"


def last(text):
    return check(text, name="a.md").equations[-1].verdict


MENTIONED = [
    "A larger model might use $n = 100$. Ours gives ",
    "Were $n = 100$, longer texts would fit. ",
    "Imagine $n = 100$: that is a lot. ",
    "Had we chosen $n = 100$, memory would be short. ",
    "Should $n = 100$ be used, memory is short. ",
    "Without the cache we'd need $n = 100$ rows. ",
    "With $n = 100$ instead, we would have more. ",
    "(If $n = 100$, then memory is short.) ",
    "For $n = 100$, memory is short. For our $n$, ",
    "Some students write $n = 100$, and get lost. ",
    "The wrong value $n = 100$ was printed in the first edition. ",
    "It would take $n = 100$ to get more. ",
    "Only when $n = 100$ is it too much. ",
    "Unless $n = 100$, it is enough. ",
    "The case $n = 100$ is treated in the appendix. ",
    "Compare $n = 36$ (base) and $n = 100$ (big). ",
    "In GPT-3, $n = 100$. ",
    "Here the default $n = 100$ is too big. ",
    "In the hypothetical case $n = 100$ it is. In fact ",
    "Consider briefly $n = 100$. That is a lot. End of digression. ",
    "> Remark. In the large model $n = 100$.\n\n",
    "| model | size |\n|---|---|\n| small | $n = 100$ |\n\n",
    "e.g. n = 100 would give sqrt(n) = 10\n\n",
    "n = 100?  No.\n\n",
    "A larger model might use\n$$n = 100$$\nOurs gives ",
    "A larger model might use:\n\n$$n = 100$$\n\nOurs gives ",
    "In GPT-3, $n = 100$. So our model has ",
    "In GPT-3, $n = 100$, and ours has ",
    "A model of theirs has\n$n = 100$\nand more. ",
    "$n = 100$ の場合は長い。我々の場合は ",
    "論文では $n = 100$ である。",
]


@pytest.mark.parametrize("words", MENTIONED)
def test_what_is_mentioned_in_passing_makes_nothing_right_and_accuses_nobody(words):
    given = "Let $n = 16$.\n\n" + words
    assert last(given + OF_IT) not in ACCEPTED
    assert last(given + OWN) not in ACCUSING
    assert last(given + OF_NONE) not in ACCEPTED
    if "36" not in words:
        assert last(given + r"$2 + 2 = 5$") in ACCUSING


GIVEN = [
    "Let $n = 100$. ",
    "Now $n = 100$. ",
    "Now let $n = 100$. ",
    "Set $m = 3$, $n = 100$ and $k = 5$. ",
    "We now use $n = 100$. ",
    "In GPT-3, $n = 49$. Let $n = 100$. ",
    "In GPT-3, $n = 49$. Let $n$ be $100$. ",
    "In GPT-3, $n = 49$.\n\n$n = 100$\n\n",
    "$n = 100$\n\n",
    "$$n = 100$$\n\n",
    "Here it grows.\n\n```math\nn = 100\n```\n\n",
    "New input:\n\n$n = 100$\n\n",
    "次に $n = 100$ とおく。",
    "$n$ を改めて $n = 100$ とする。",
    "$n = 100$ に変えると",
]


@pytest.mark.parametrize("words", GIVEN)
def test_what_is_clearly_given_replaces(words):
    given = "Let $n = 16$.\n\n" + words
    assert last(given + OF_IT) in ACCEPTED
    assert last(given + OWN) in ACCUSING
    assert last(given + OF_NONE) in ACCUSING


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"In GPT-3, $n = 100$ and $\sqrt{n} = 10$.", ACCEPTED),  # its own sentence
        (r"In GPT-3, $n = 100$ and $\sqrt{n} = 4$.", ("undecidable",)),
        (r"In GPT-3, $n = 100$ and $\sqrt{n} = 7$.", ACCUSING),
        ("In GPT-3, $n = 100$. " + OF_NONE, ACCUSING),
        ("In GPT-3, $n = 100$. So " + OF_IT, ACCEPTED),  # it goes on
        ("In GPT-3, $n = 100$. So " + OWN, ("undecidable",)),
        ("In GPT-3, $n = 100$. Ours is $n = 16$. " + OWN, ACCEPTED),  # and back
        ("In GPT-3, $n = 100$. Ours is $n = 16$. " + OF_IT, ACCUSING),
        ("Compare $n = 36$ and $n = 100$. " + r"$\sqrt{n} = 6$", ("undecidable",)),
        (r"In GPT-3, $n = 100$. Let $h = \sqrt{n}$. $2h = 20$", ("undecidable",)),
        (r"In GPT-3, $n = 100$. Let $h = \sqrt{n}$. $2h = 8$", ("undecidable",)),
        (r"In GPT-3, $n = 100$. Let $h = \sqrt{n}$. Let $n = 25$. $2h = 20$", ("undecidable",)),
        (r"In GPT-3, $n = 100$. Let $n = 25$. Let $h = \sqrt{n}$. $2h = 10$", ACCEPTED),
        ("In the large model $n = 100$. In the large model " + OF_IT, ACCEPTED),
        ("For $n = 100$ it is long. Then " + OF_IT, ACCEPTED),
        ("Let $r = 4$ (a typical choice is $r = 64$). $r + 1 = 65$", ("undecidable",)),
        ("Let $r = 4$ (a typical choice is $r = 64$). $r + 1 = 5$", ("undecidable",)),
        ("Let $r = 4$, unlike the paper, where $r = 64$. $r + 1 = 65$", ("undecidable",)),
    ],
)
def test_how_far_it_is_meant(text, expected):
    assert last("Let $n = 16$.\n\n" + text) in expected


def test_here_takes_back_what_the_sentence_said_by_the_value_before():
    found = check("Let $x = 4$. $x^2 = 16$ (here $x = 7$).", name="a.md").equations
    assert found[1].verdict == "undecidable"
    assert check("Let $x = 4$. $x^2 = 16$ (here $x = 4$).", name="a.md").equations[1].verdict in ACCEPTED


@pytest.mark.parametrize(
    "words", ["Note that", "Indeed,", "Observe that", "Recall that", "Check:", "実際、", "確かに", "なお、"]
)
def test_what_one_is_reminded_of_is_a_claim(words):
    given = f"$d = 512$. $k = 64$. {words} $k = d / "
    assert last(given + "8$.") in ACCEPTED
    assert last(given + "4$.") in ACCUSING
    assert last(given + "4$. $2 k = 128$") in ACCEPTED
    assert last(given + "4$. $2 k = 256$") in ACCUSING


@pytest.mark.parametrize("between", [". ", "\n\n"])
def test_a_plain_number_worked_out_anew_may_be_another_or_wrong(between):
    given = between.join(("$d = 512$", "$k = 64$", "$k = d / 4$", ""))
    found = check(given + "$2 k = 128$", name="a.md").equations
    assert (found[2].verdict, found[2].code) == ("undecidable", "in_passing")
    assert "new one, or be wrong" in found[2].words.en
    assert "誤り" in found[2].words.ja
    assert found[3].verdict == last(given + "$2 k = 256$") == "undecidable"
    assert last(given + "$2 k = 100$") in ACCUSING
    sure = between.join(("$d = 512$", "$k = 64$", "Let $k = d / 4$", ""))
    assert last(sure + "$2 k = 256$") in ACCEPTED
    assert last(sure + "$2 k = 128$") in ACCUSING


def test_then_does_not_silently_give_another_value():
    found = check("Let $x = 3$. Then $x = 4$ and $x + 1 = 5$.", name="a.md").equations
    assert [e.verdict for e in found[1:]] == ["undecidable", "undecidable"]
    found = check("Let $x = 3$. Then $x = 3$ and $x + 1 = 4$.", name="a.md").equations
    assert {e.verdict for e in found[1:]} <= {*ACCEPTED}
    assert last("Let $x = 3$. Then set $x = 4$. $x + 1 = 5$.") in ACCEPTED


@pytest.mark.parametrize(
    "again",
    [
        "Now let $f(x) = x + 5$. ",
        "Instead, let $f(x) = x + 5$. ",
        "We redefine $f(x) = x + 5$. ",
        "改めて $f(x) = x + 5$ とおく。",
    ],
)
def test_a_function_is_given_anew_in_words(again):
    assert last(f"$f(x) = x^2$. {again}$f(2) = 7$") in ACCEPTED
    assert last(f"$f(x) = x^2$. {again}$f(2) = 4$") in ACCUSING
    assert check("$f(x) = x^2$. And $f(x) = x + 5$.", name="a.md").equations[-1].verdict in ACCUSING
