"""`x = 3`, and then something is supposed: in its sentence it holds, and behind it nobody is accused who is right either way."""

import pytest

from symtransformer.checking.checks import check
from symtransformer.checking.suppositions import CHAINS

RIGHT, OFF = "right", "last_place"
SUPPOSED, CONDITIONAL = "supposed", "conditional"


def said(text, name="a.md"):
    """The verdict on each equation behind x = 3, or why there is none."""
    found = check("$x = 3$.\n\n" + text, name=name).equations[1:]
    return [e.code if e.verdict == "undecidable" else e.verdict for e in found if e.verdict != "definition"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # for its own sentence only
        ("If $x = 4$, then $2x = 8$.", [RIGHT]),
        ("If $x = 4$, then $2x = 6$.", ["wrong"]),
        ("If $x = 4$, then $2x = 7$.", [OFF]),
        ("If $x = 4$, then $2x = 8$. And $2x = 6$.", [RIGHT, RIGHT]),
        ("If $x = 4$, then $2x = 8$. And $2x = 8$.", [RIGHT, SUPPOSED]),
        ("If $x = 4$, then $2x = 8$. And $2x = 7$.", [RIGHT, OFF]),
        ("If $y = 4$, then $2y = 8$. And $2y = 8$.", [RIGHT, RIGHT]),  # y had no other value
        # from there on
        ("For $x = 4$ we have $2x = 8$. Then $2x = 8$.", [RIGHT, RIGHT]),
        ("For $x = 4$ we have $2x = 6$.", [SUPPOSED]),
        ("For $x = 4$ we have $2x = 8$. Then $2x = 6$.", [RIGHT, SUPPOSED]),
        ("For $x = 4$ we have $2x = 8$. Then $2x = 7$.", [RIGHT, OFF]),
        # in words: it may hold for its sentence only, or for more
        ("When x is 4, $2x = 8$.", [SUPPOSED]),
        ("When x is 4, $2x = 6$.", [SUPPOSED]),  # right without, but not with what its sentence says
        ("When x is 4, $2x = 7$.", [CONDITIONAL]),
        ("When x is 4, $2x = 8$. Now $2x = 8$.", [SUPPOSED, SUPPOSED]),
        ("When x is 4, $2x = 8$. Now $2x = 6$.", [SUPPOSED, RIGHT]),
        ("When x is 4, $2x = 8$. Now $2x = 7$.", [SUPPOSED, OFF]),
        # behind it
        ("$2x = 8$ if $x = 4$.", [CONDITIONAL]),
        ("$2x = 7$ if $x = 4$.", [CONDITIONAL]),
        ("$2x = 8$ when x is 4.", [CONDITIONAL]),
        ("$2x = 6$ when x is 3.", [RIGHT]),
        ("$1 + 1 = 3$ when x is 4.", [OFF]),  # nothing of x is in it
    ],
)
def test_what_is_supposed_of_a_value(text, expected):
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected", "remarks"),
    [
        ("It is not true that $2x = 8$.", ["denied"], set()),
        ("It is not true that $2x = 6$.", [RIGHT], {"denied"}),
        ("A common mistake is $2x = 8$.", ["denied"], set()),
        ("Is $2x = 8$?", ["asked"], set()),
        ("Is $2x = 6$?", [RIGHT], set()),
        ("Suppose that $2x = 8$.", [CONDITIONAL], set()),
        ("Suppose that $2x = 6$.", [RIGHT], set()),
        ("It is not true that $y = 8$.", ["denied"], set()),
        ("If we had $2x = 8$, then all would be lost.", [CONDITIONAL], set()),
        ("If we had $2x = 6$, then all would be well.", [RIGHT], set()),
        ("If somebody wrote $1 + 1 = 3$, we would object.", [CONDITIONAL], set()),
        ("If somebody wrote $1 + 1 = 2$, we would agree.", [RIGHT], set()),
    ],
)
def test_what_is_denied_asked_or_supposed(text, expected, remarks):
    assert said(text) == expected
    notes = {note.name for e in check("$x = 3$.\n\n" + text, name="a.md").equations[1:] for note in e.remarks}
    assert notes == remarks


def test_what_is_denied_gives_no_value():
    assert said("It is not true that $x = 8$. $2x = 6$.")[-1] == RIGHT
    assert said("It is not true that $x = 8$. $2x = 16$.")[-1] == "wrong"
    assert said("It is not true that $y = 8$. $2y = 16$.")[-1] not in (RIGHT, "wrong")


@pytest.mark.parametrize(("chains", "expected"), [(CHAINS - 1, SUPPOSED), (CHAINS, "wrong")])
def test_how_far_a_supposition_may_be_meant(chains, expected):
    between = " ".join(f"${k} = {k}$." for k in range(1, chains + 1))
    found = said(f"For $x = 4$ it is so. {between} $2x = 6$.")
    assert found == [RIGHT] * chains + [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("On a clock, $10 + 5 = 3$.", ["other_arithmetic"]),
        ("On a clock, $10 + 5 = 15$.", ["other_arithmetic"]),  # 15 is no hour
        (r"On a clock, $\log 1 = 0$.", [RIGHT]),  # a logarithm has a base of its own
        (r"On a clock, $\log 1 = 1$.", ["other_arithmetic"]),
        ("剰余では $2 + 2 = 1$。", ["other_arithmetic"]),
        ("剰余では $2 + 2 = 4$。", [RIGHT]),  # it holds there too
        ("On the wall, $10 + 5 = 3$.", ["wrong"]),
        ("2進数では $1 + 1 = 10$。$1 + 1 = 2$.", ["other_arithmetic", RIGHT]),
    ],
)
def test_another_arithmetic(text, expected):
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "verdicts", "expected_wrong"),
    [
        ("So $2x = 6$, not $2x = 8$.", [RIGHT, "wrong"], [False, True]),
        ("So $2x = 6$, and $2x = 8$.", [RIGHT, "wrong"], [False, False]),
        ("So $2x = 8$, not $2x = 6$.", ["wrong", RIGHT], [False, False]),
    ],
)
def test_what_is_warned_of_is_expected_to_be_wrong(text, verdicts, expected_wrong):
    found = check("$x = 3$.\n\n" + text, name="a.md").equations[1:]
    assert [e.verdict for e in found] == verdicts
    assert [e.expected_wrong for e in found] == expected_wrong
    again = check(f"$x = 3$.\n\n{text} $2x = 6$.", name="a.md").equations[-1]
    assert again.verdict == RIGHT
