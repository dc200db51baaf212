"""Words before a formula that compute with its left side: nobody is accused, told right, or given a new value by the rest."""

import pytest

from symtransformer.checking.checks import check

GIVEN = "Let $x = 3$, $v = [1, 2, 3]$ and $u = [0, 1, 0]$.\n\n"


def verdicts(text, name="a.md"):
    return [e.verdict for e in check(GIVEN + text, name=name).equations[3:]]


@pytest.mark.parametrize(
    "text",
    [
        "The square of $x = 9$.", "Twice $x = 6$.", "Half of $x = 1.5$.", "The mean of $v = 2$.", "The norm of $v = 3.742$.",
        "The dot product of $v$ and $u = 2$.", "The sum of $x$ and $x = 6$.", "2倍の $x = 6$", "The logarithm of the number $x = 1.10$",
        "The inverse of $x = 1/3$", r"The root of \(x = 1.732\)", "Negative $x = -3$",
    ],
)  # fmt: skip
def test_a_name_keeps_its_value(text):
    for claim in (text, text.replace("=", "= 1 +"), text.replace("= ", "= x = ")):
        assert verdicts(claim)[0] == "unparsed"
        assert verdicts(f"{claim}\n\nNow $x + 1 = 4$, $v - u = [1, 1, 3]$.")[-2:] == ["right", "right"]


@pytest.mark.parametrize(
    "text",
    [
        r"$50\%$ of $8 = 4$.", "Half of $8 = 4$.", "The square of $3 = 9$.", "The square root of $9 + 16 = 5$.", "The sum of $2$ and $3 = 5$.",
        "Twice $4 = 8$.", "3 times $4 = 12$.", "The mean of $[1, 2, 3] = 2$.", "softmax of $[0, 0] = [0.5, 0.5]$.", "5 minus $3 = 2$.",
        r"8の$50\% = 4$。", "$[1, 2]$ dot $[3, 4] = 11$", r"half of $0.5 = 50\%$", r"twice $\frac{1}{2} = 0.5$", "exp $0 = 1$", "exp $0 = 0$",
    ],
)  # fmt: skip
def test_a_number_is_not_said_to_be_another(text):
    assert verdicts(text) == ["unparsed"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The value of $y = 5$.", ["definition"]),
        ("With a mean of $m = 3$ we have $m + 1 = 4$.", ["definition", "right"]),
        ("With a learning rate of $r = 0.1$ we have $2r = 0.3$.", ["definition", "last_place"]),
        ("The sum of $2 + 3 = 5$ and $x = 3$.", ["right", "right"]),
        ("The sum of the weights is $2 + 3 = 6$.", ["last_place"]),
        (r"They are divided by $\sqrt{2} = 1.414$, and $0.674 ≈ 0.67$.", ["right", "right"]),
        (r"They are multiplied by $1/4 = 0.24$.", ["last_place"]),
        (r"and $2/4 = 0.5$, or $2/4 = 0.6$", ["right", "last_place"]),
        (r"That is $50\% = 0.5$.", ["right"]),
        (r"That is $50\% = 0.6$.", ["last_place"]),
        (r"確率は $66.5\% = 0.656$。", ["wrong"]),
        ("Softmax $p = [0.5, 0.5]$, and $2p = [1, 1]$.", ["definition", "right"]),
    ],
)
def test_other_words_are_prose(text, expected):
    assert verdicts(text) == expected
