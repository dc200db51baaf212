"""Properties of a matrix that a formula tells, A = A^T: nobody is accused of what holds under them; a claim is judged all the same."""

import pytest

from symtransformer import check
from symtransformer.checking.told_premises import letters_of_premise


@pytest.mark.parametrize(
    ("sentence", "letters"),
    [
        ("A = A^T", {"A"}), ("A = -A^T", {"A"}), ("P = P^2", {"P"}), ("P = P P", {"P"}), ("A = A^⊤", {"A"}), ("A = A^top", {"A"}), ("A = A", set()), ("A = B^T", set()), ("A = A^T B", set()), ("A = A B", set()), ("A = A^3", set()), ("X = X W", set()),
        ("A^T = A", set()), ("Let A^T = A", {"A"}), ("Suppose P^2 = P", {"P"}), ("if P P = P", {"P"}), ("A^T = -A とする", {"A"}), ("A^T = A のとき B", {"A"}), ("A^T = A である", set()), ("Let B = 2 A, then A^T = A", set()), ("If A^T = A, then B", {"A"}),
        ("so A^T = A", set()), ("Let B^T = A", set()), ("Let a^T = a", set()), ("Let A_1^T = A", set()), ("Let A^T = A + B", set()), ("Let A^T = A B", set()), ("A is symmetric", {"A"}), ("A is not symmetric", set()), ("Let W_Q and W_K be symmetric", {"W", "Q", "K"}),
        ("queries and keys are the same vectors as A", {"A", "Q", "K"}), ("", set()),
    ],
)  # fmt: skip
def test_letters_of_which_something_is_told(sentence, letters):
    assert letters_of_premise(sentence) == letters


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("$A = A^T$. Then $A B = A^T B$.", ["definition", "undecidable"]), ("Suppose $A^T = A$. Then $A B = A^T B$.", ["undecidable", "undecidable"]), ("$P = P^2$. Then $P^3 = P$.", ["definition", "undecidable"]),
        ("If $A^T = -A$, then $A B = -A^T B$.", ["undecidable", "undecidable"]), ("$A^T = A$. $A B = A^T B$", ["refuted", "refuted"]), ("Let $B = 2 A$, then $A^T = A$.", ["definition", "refuted"]), ("$A = A^T$. Then $B C = B^T C$.", ["definition", "refuted"]),
        ("$A = A^T$. Then $(A B)^T = B^T A^T$.", ["definition", "proved"]),
    ],
)  # fmt: skip
def test_what_holds_under_it_is_no_fault(text, verdicts):
    assert [e.verdict for e in check(text, name="a.md").equations] == verdicts
