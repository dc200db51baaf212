"""What could be read as another thing than was written is not called right: factorials, scripts of web pages, percent."""

import pytest

from symtransformer import check

ACCEPTED = {"right", "right_if_rounded", "by_convention", "proved", "tested"}
GIVEN = "x = [1, 3]\n\n{}\n\n"


def verdicts(text, name="notes.txt"):
    return [equation.verdict for equation in check(text, name=name).equations if equation.verdict != "definition"]


def test_a_factorial_before_an_equals_sign_is_no_unequal_sign():
    report = check("4!=3.178", name="notes.txt")
    assert (report.equations, [place.code for place in report.files[0].unread]) == ((), ["not_clear"])
    assert verdicts("4 != 3") == ["right"]
    assert verdicts("4 != 4") == ["wrong"]


@pytest.mark.parametrize("value", ["0.5", "2", "1"])
def test_a_fraction_of_scripts_is_not_read_by_its_lower_half(value):
    page = f"<p><sup>1</sup>/<sub>2</sub> = {value}</p>"
    assert not set(verdicts(page, "page.html")) & {*ACCEPTED, "wrong", "last_place"}


def test_scripts_of_a_name_or_number_are_read():
    assert verdicts("<p>2<sup>3</sup> = 8</p><p>2<sup>3</sup> = 9</p>", "page.html")[0] == "right"
    assert verdicts("<p>2<sup>3</sup> = 9</p>", "page.html") != ["right"]


@pytest.mark.parametrize(
    ("line", "is_right"),
    [
        ("33% + 33% + 33% = 100%", False),
        ("50% + 49% = 100%", False),
        ("33% + 33% + 33% = 99%", True),
        ("50% + 50% = 100%", True),
        ("1/3 = 33%", True),
        ("0.998 = 100%", True),  # to the percent shown
        ("1/3 ≈ 30%", True),
        ("1/4 + 1/4 + 0.49 = 100%", False),
    ],
)
def test_zeros_of_a_percentage_behind_equals_are_digits(line, is_right):
    assert (verdicts(line)[-1] in ACCEPTED) == is_right


@pytest.mark.parametrize("given", ["γ = [2, 2]", "β = [1, 1]", "γ = [2, 2], β = [1, 1]"])
@pytest.mark.parametrize("claimed", ["[-1, 1]", "[-1, 3]", "[5, 5]"])
def test_a_norm_without_the_parameters_that_are_given_is_not_decided(given, claimed):
    assert verdicts(GIVEN.format(given) + f"LayerNorm(x) = {claimed}") == ["undecidable"]


def test_a_norm_with_them_or_with_neutral_ones_is():
    given = GIVEN.format("γ = [2, 2], β = [1, 1]")
    assert verdicts(given + "LayerNorm(x, γ, β) = [-1, 3]") == ["right"]
    assert verdicts(given + "LayerNorm(x, γ, β) = [-1, 1]") == ["wrong"]
    assert verdicts(given + "γ ⊙ LayerNorm(x) + β = [-1, 3]") == ["right"]
    assert verdicts(given + "LayerNorm([1, 3, 5]) ≈ [-1.225, 0, 1.225]") == ["right"]  # of another size
    assert verdicts(GIVEN.format("γ = [1, 1], β = [0, 0]") + "LayerNorm(x) = [-1, 1]") == ["right"]
