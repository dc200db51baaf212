"""What planted changes in whole pages have shown, each in a few lines: a right line below a wrong one is not accused,
and what cannot be true is not left open."""

import numpy as np
import pytest
from sympy import Matrix, S, log, sqrt

from symtransformer import check
from symtransformer.checking.equations import ACCUSING

SCORES = np.array([[0.0, 0.7071], [0.5, 1.0]])


def verdicts(text):
    return [equation.verdict for equation in check(text).equations]


def softmax(x):
    weights = np.exp(x - x.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def written(x):
    return str([[float(round(v, 4)) for v in row] for row in x.tolist()])


def test_digits_that_are_right_are_followed_by_right_lines_though_what_was_put_in_does_not_fit():
    text = "Q = [[0.8, 0.2, 0.7]]\nB = [[2, 3]]\n"
    text += "alpha = sqrt(rowsum(Q ⊙ Q)) = sqrt(rowsum([[0.8, 0.2, 0.7]] ⊙ [[0.8, 0.2, 0.7]]^T)) ≈ 1.0817\n"
    text += "N = alpha B ≈ 1.0817 [[2, 3]] ≈ "
    right = np.linalg.norm([0.8, 0.2, 0.7]) * np.array([[2.0, 3.0]])
    found = verdicts(text + written(right))
    assert found[3:5] == ["shapes", "shapes"]
    assert not set(ACCUSING) & set(found[-2:])
    assert verdicts(text + written(right + 0.5))[-1] == "wrong"


def test_digits_that_are_wrong_are_followed_still():
    text = (
        "X = [[1, 2], [3, 4]]\nW = [[1, 0], [0, 2]]\nQ = X W = [[1, 2], [3, 4]] [[1, 0], [0, 5]] = [[1, 10], [3, 20]]\n"
    )
    text += "P = Q / sqrt(2) = [[1, 10], [3, 20]] / sqrt(2) ≈ "
    found = verdicts(text + written(np.array([[1.0, 10.0], [3.0, 20.0]]) / np.sqrt(2)))
    assert found[-2:] == ["follows", "follows"]
    assert "wrong" in found


def test_the_writer_goes_on_from_wrong_digits_without_rounding_again():
    text = "H = [[0, -1, 1]] sqrt(2) ≈ [[0, -1.4142, 1.4142]]\nb = [[0, 2, 0]]\n"
    text += "P = H + b ≈ [[0, -1.4142, 1.4142]] + [[0, 1, 0]] ≈ [[0, -0.4142, 1.4142]]\n"
    text += "R = P / 3 ≈ [[0, -0.1381, 0.4714]]\nT = 100 (R ⊙ R) ≈ "
    given = np.array([[0.0, -0.4142, 1.4142]])
    assert verdicts(text + written(100 * (given / 3) ** 2))[-1] == "follows"
    assert verdicts(text + "[[0, 2.9062, 22.2219]]")[-1] == "wrong"


@pytest.mark.parametrize("mask", ["M", "causal(2)"])
def test_a_subtracted_mask_is_wrong_where_the_numbers_are_those_of_the_addition(mask):
    weights = softmax(SCORES + np.array([[0.0, -np.inf], [0.0, 0.0]]))
    text = f"S = {written(SCORES)}\nM = [[0, -∞], [0, 0]]\n"
    found = check(f"{text}softmax(S - {mask}) ≈ {written(weights)}").equations[-1]
    assert (found.verdict, [note.name for note in found.slips]) == ("wrong", ["mask_subtracted"])
    assert verdicts(f"{text}softmax(S + {mask}) ≈ {written(weights)}")[-1] == "right"
    assert verdicts(f"{text}softmax(S - {mask}) ≈ [[1, 0], [0.5, 0.5]]")[-1] == "undecidable"


def test_a_mask_that_is_subtracted_from_another_is_wrong_as_well():
    text = "S = [[1, 2], [3, 4]]\nM = [[0, -∞], [0, 0]]\n"
    assert verdicts(f"{text}S - M = [[1, -∞], [3, 4]]")[-1] == "wrong"
    assert verdicts(f"{text}N = [[0, 0], [-∞, 0]]\nM - N = [[0, -∞], [-∞, 0]]")[-1] == "wrong"
    assert verdicts(f"{text}S - M = [[1, 2], [3, 4]] + [[0, -∞], [0, 0]]")[-1] == "wrong"


def test_an_exact_form_that_does_not_give_the_digits_behind_it_is_wrong():
    text = "S = [[0, 1]]\nR = S / sqrt(2)\n"
    assert verdicts(f"{text}r_12 = sqrt(2)/2 ≈ 0.7071")[-2:] == ["right", "right"]
    assert verdicts(f"{text}r_12 = sqrt(3)/2 ≈ 0.7071")[-2:] == ["wrong", "wrong"]
    assert verdicts(f"{text}r_12 = sqrt(3)/2 ≈ 0.8660")[-2:] == ["wrong", "follows"]


def test_what_is_right_from_the_start_does_not_follow_from_wrong_numbers():
    """The mean of r ⊙ (r - mean r) is that of its squares, which stand in its place."""
    r = np.array([[1.1750, 2.6501]])
    spread = r - r.mean()
    text = f"r = [[1.1750, 2.6501]]\nmu = rowsum(r) / 2\nD = r - broadcast(mu, 2) ≈ {written(spread)}\n"
    text += f"sq = r ⊙ D ≈ {written(spread)} ⊙ {written(spread)} ≈ {written(spread**2)}\nvar = rowsum(sq) / 2 ≈ "
    assert np.isclose((r * spread).mean(), (spread**2).mean())
    found = verdicts(f"{text}rowsum({written(spread**2)}) / 2")
    assert found[5] == "wrong"
    assert found[-1] not in ACCUSING
    assert verdicts(f"{text}rowsum({written(spread**2 + 1)}) / 2")[-1] in ACCUSING


def test_a_formula_of_names_that_are_given_rounded_is_not_accused_by_exact_ones():
    loss, rho = np.log(2) + np.sqrt(2) / 10, np.sqrt(17.7182)
    given = {"F": Matrix([[log(2) + sqrt(2) / 10 - sqrt(S(177182) / 10000) / 10]])}
    text = f"L = {loss:.4f}\nrho = {rho:.4f}\nF = L - 0.1 rho"
    assert check(text, against=given).equations[-1].verdict not in ACCUSING
    assert check(text.replace("0.1 rho", "0.2 rho"), against=given).equations[-1].verdict in ACCUSING


@pytest.mark.parametrize("sign", ["=", "≈"])
def test_zeros_at_the_end_are_digits_beside_numbers_that_end_in_none(sign):
    """-25 is not put in as -20 beside 24, nor is it said to be -20 there; 1200 beside 350 has two digits, as that has."""
    given = "R = [[24, 4, 0, -25]]\nN = [[25, 5, 25, 25]]\n"
    right = f"C = R ⊘ N {sign} [[24, 4, 0, -25]] ⊘ [[25, 5, 25, 25]] = [[0.96, 0.8, 0, -1]]"
    assert verdicts(given + right)[2:] == ["definition", "right", "right"]
    assert verdicts(given + right.replace("-25", "-20"))[3] in ACCUSING
    assert verdicts(f"{given}R + 0 R {sign} [[24, 4, 0, -20]]")[-1] in ACCUSING
    assert verdicts(f"{given}R + 0 R {sign} [[24, 4, 0, -25]]")[-1] == "right"


def test_lists_of_as_many_digits_may_end_in_zeros():
    given = "B = [1234, 812, 351]\n"
    assert verdicts(f"{given}B + 0 B ≈ [1200, 810, 350]")[-1] == "right"
    assert verdicts(f"{given}B + 0 B ≈ [1230, 810, 350]")[-1] == "right"
    assert verdicts(f"{given}B + 0 B ≈ [1200, 812, 351]")[-1] in ACCUSING
    assert verdicts(f"{given}B + 0 B ≈ [1300, 810, 350]")[-1] in ACCUSING


def test_a_number_that_is_given_anew_as_a_matrix_of_itself_has_no_value_there():
    found = verdicts("Here tau = 1 is usual.\nL / tau = [[-1, 1]]   tau = [[-1/tau, 1/tau]]")
    assert found[-1] not in (*ACCUSING, "right")
