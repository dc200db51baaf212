"""A name that gets a new formula: what was made from the former one goes on meaning that, under whatever name."""

import pytest

from symtransformer import check

PROVED, REFUTED = "proved", "refuted"


@pytest.mark.parametrize(
    ("given", "right", "wrong"),
    [
        ("$S = Q K^T$. $T = S$. $S = 3 Q$.", "2 T = 2 Q K^T", "2 T = 6 Q"), ("$S = Q K^T$. $T = S$. $U = T$. $S = 3 Q$.", "2 U = 2 Q K^T", "2 U = 6 Q"), ("$S = Q K^T$. $T = S$. $S = 3 Q$. $U = T$.", "2 U = 2 T", "2 U = 2 S"),
        ("$Y = X W$. $H = Y$. $Y = 2 H$.", "2 Y = 4 X W", "2 Y = 2 X W"), ("$Y = X W$. $H = Y$. $Y = 2 H$.", "2 H = 2 X W", "2 H = 4 X W"), ("$H = X$. $X = 2 H$.", "2 H = X", "2 H = 2 X"), ("$r = x$. $x = x W$.", "r W = x", "r W = x W"),
        ("$r = x$. $x = x W_1$. $x = x W_2$. $y = x + r$.", "y - r = r W_1 W_2", "y - r = x W_1 W_2"), ("$Y = X W$. $X = 2 X$.", "2 Y = X W", "2 Y = 2 X W"), ("$f(x) = x W$. $W = 2 W$.", "2 f(Y) = Y W", "2 f(Y) = 2 Y W"),
        ("$S = Q K^T$. $A = S V$. $S = 2 S$. $B = S V$.", "B = 2 A", "2 B = A"), ("$S = Q K^T$. $S = 2 S$. $S = 3 S$.", "2 S = 12 Q K^T", "2 S = 6 Q K^T"), ("$Y = X W$. $X = A B$.", "2 Y = 2 A B W", "2 Y = 4 A B W"),
    ],
)  # fmt: skip
def test_what_was_made_from_the_former_value(given, right, wrong):
    assert check(f"{given} ${right}$", name="a.md").equations[-1].verdict == PROVED
    found = check(f"{given} ${wrong}$", name="a.md").equations[-1]
    assert (found.verdict, found.code) == (REFUTED, "")


def test_two_names_for_one_thing_are_one_whichever_was_given_first():
    for claim, verdict in (("2 A = 2 B", PROVED), ("A = B", PROVED), ("2 A = 3 B", REFUTED)):
        assert check(f"$A = B$. $B = A$. ${claim}$", name="a.md").equations[-1].verdict == verdict


@pytest.mark.parametrize(
    ("text", "verdict", "code"),
    [
        ("$T = A B$. $S = A B$. $T = § T$. $3 T = 3 S$", "undecidable", "unread_before"), (r"$T = A B$. $T = \oint T$. $2 T = 2 A B$", "undecidable", "unread_before"), (r"$T = A B$. $T = \oint \frac{T}{2}$. $2 T = 3 A B$", "undecidable", "unread_before"),
        (r"$T = A B$. $T = \oint B^T$. $2 T = 2 A B$", PROVED, ""), (r"$T = A B$. $T = \oint x_T$. $2 T = 2 A B$", PROVED, ""), (r"$T = A B$. $T = \oint x_{T}$. $2 T = 3 A B$", "undecidable", "unread_before"), ("$w = 0.5$. $w = w - § 3$. $w + 1 = 1.5$", "unparsed", "unknown_name"),
        (r"$w = 0.5$. $w = w - \eta \nabla L(w)$. $w + 1 = 1.4$", "unparsed", "unknown_name"), (r"$w = 0.5$. $w = w - \eta \nabla L(w)$. $w = 0.4$. $w + 1 = 1.4$", "right", ""), (r"$w = 0.5$. $w = v - § 3$. $w + 1 = 1.5$", "right", ""), ("$x = 2$. $x = x · 1$. $x + 1 = 3$", "right", ""),
        ("$w = 0.5$. $v = w - § 3$. $w + 1 = 1.5$", "right", ""),
    ],
)  # fmt: skip
def test_what_is_made_anew_of_itself_is_not_known_where_that_is_not_read(text, verdict, code):
    found = check(text, name="a.md").equations[-1]
    assert (found.verdict, found.code) == (verdict, code)
