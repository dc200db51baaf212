"""Slips in numbers as they are written by hand: sin of a number, −∞ in a list, (x − μ) / √(v + ε), y = x + f."""

import math
import time

import pytest

from symtransformer import check

X = [2.0, 0.0, -1.0, 3.5]
MU = sum(X) / 4
V = sum((x - MU) ** 2 for x in X) / 4
EPS = 0.5
NORM = f"x = [2, 0, -1, 3.5]\nmu = {MU}\nv = {V}\neps = {EPS}\ny = (x - mu) / sqrt(v + eps) ≈ "


def listed(numbers):
    return "[" + ", ".join(f"{x:.4f}" for x in numbers) + "]"


def over(below):
    return listed([(x - MU) / below for x in X])


def softmax(row):
    powers = [math.exp(x) for x in row]
    return listed([p / sum(powers) for p in powers])


PLANTED = {
    "degrees": [f"sin(3) ≈ {math.sin(math.radians(3)):.4f}", f"cos([0.5, 2]) ≈ {listed([math.cos(math.radians(x)) for x in (0.5, 2)])}"],
    "sine_and_cosine_swapped": [f"sin(5) ≈ {math.cos(5):.3f}", f"t = 0.7\n2 cos(t) ≈ {2 * math.sin(0.7):.3f}"],
    "mask_minus_one": [f"softmax([1, 3, -∞]) ≈ {softmax([1, 3, -1])}", f"s = [1, -∞, 2.5]\nsoftmax(s) ≈ {softmax([1, -1, 2.5])}"],
    "mask_zero": [f"softmax([1, 3, -∞]) ≈ {softmax([1, 3, 0])}"],
    "mask_plus_one": [f"softmax([2, -∞, 3]) ≈ {softmax([2, 1, 3])}"],
    "no_residual": ["x = [2, -1, 1]\nf = [5.1, 0, 3]\ny = x + f = [5.1, 0, 3]"],
    "variance_for_root": [NORM + over(V + EPS), NORM + over(V)],
    "eps_left_out": [NORM + over(math.sqrt(V))],
    "root_eps_added": [NORM + over(math.sqrt(V) + math.sqrt(EPS))],
    "mean_not_subtracted": [NORM + listed([x / math.sqrt(V + EPS) for x in X])],
}  # fmt: skip
RIGHT = [
    f"sin(3) ≈ {math.sin(3):.4f}",
    f"softmax([1, 3, -∞]) ≈ {listed([*(math.exp(x) / (math.exp(1) + math.exp(3)) for x in (1, 3)), 0.0])}",
    "x = [2, -1, 1]\nf = [5.1, 0, 3]\ny = x + f = [7.1, -1, 4]",
    NORM + over(math.sqrt(V + EPS)),
]


def last(text):
    return check(text, name="notes.txt").files[0].equations[-1]


@pytest.mark.parametrize(("slip", "text"), [(slip, text) for slip, texts in PLANTED.items() for text in texts])
def test_it_is_named(slip, text):
    found = last(text)
    assert found.verdict == "wrong"
    assert slip in [note.name for note in found.slips], found


@pytest.mark.parametrize("text", RIGHT)
def test_nothing_is_said_of_what_is_right(text):
    found = last(text)
    assert (found.verdict, found.slips, found.convention) == ("right", (), None)


def test_two_scores_that_are_equal_hide_no_slip():
    """Both are the largest: argmax takes the first, and any of them may be subtracted."""
    powers = [math.exp(x) for x in (0.5, 0.5, -1)]
    above = listed([p / powers[0] / sum(powers) for p in powers])
    for slip, shown in (("argmax", "[1.0000, 0.0000, 0.0000]"), ("maximum_above_only", above)):
        found = last(f"Q = [[1, 0]]\nK = [[1, 3], [1, -2], [-2, 1]]\nsoftmax(Q K^T / 2) ≈ {shown}")
        assert slip in [note.name for note in found.slips]


def test_eps_outside_the_root_is_a_convention():
    found = last(NORM + over(math.sqrt(V) + EPS))
    assert (found.verdict, found.convention.name) == ("by_convention", "eps_outside_root")


def test_eps_of_frameworks_is_a_convention_and_another_is_not():
    small = [0.01, 0.03, 0.02, 0.08]
    mean = sum(small) / 4
    var = sum((x - mean) ** 2 for x in small) / 4
    verdicts = []
    for eps in (0, 1e-5, 1e-6, 1e-4):
        shown = listed([(x - mean) / math.sqrt(var + eps) for x in small])
        verdicts.append(last(f"x = [0.01, 0.03, 0.02, 0.08]\nLayerNorm(x) ≈ {shown}").verdict)
    assert verdicts == ["right", "by_convention", "by_convention", "wrong"]


def test_a_changed_entry_is_offered_where_several_fit():
    found = last("点数 = [1, 1]\nsoftmax(点数) ≈ [1.00, 1.00]")
    assert len(found.slips) > 1
    (telling,) = [note for note in found.remarks if note.name == "telling_entry"]
    assert "点数[1, 1] = 2 instead of 1" in telling.words.en
    assert "点数[1, 1]" in telling.words.ja


def test_a_document_has_a_time_for_all_its_slips(monkeypatch):
    monkeypatch.setattr("symtransformer.checking.diagnosing.SECONDS_FOR_ALL", 0.0)
    start = time.monotonic()
    found = last("x = [2, -1, 1]\nsoftmax(x) ≈ [0.2, 0.2, 0.5]")
    assert found.verdict == "wrong"
    assert "slips_open" in [note.name for note in found.remarks]
    assert time.monotonic() - start < 60


def test_numbers_that_are_put_in_without_the_scale_are_told():
    given = "q = [1, 3]\nK = [[2, 0], [0.5, 1]]\n"
    found = last(given + "q K^T / √2 = [1, 3] [[2, 0], [0.5, 1]]^T")
    assert (found.verdict, [note.name for note in found.slips]) == ("wrong", ["no_scale"])
    assert last(given + "q K^T / √2 = [1, 3] [[2, 0], [0.5, 1]]^T / √2").slips == ()
