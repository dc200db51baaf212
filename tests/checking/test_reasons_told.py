r"""The reason told is the true one: a counterexample that the claim allows, the line that a mistake comes from, what is not equal."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from symtransformer import check
from symtransformer.chosen_notation import Notation


def last(document, **options):
    return check(document, name="a.md", **options).equations[-1]


@pytest.mark.parametrize(
    ("document", "verdict"),
    [
        (r"Let $A$ and $B$ be $n \times n$ matrices. Then $AB = BA$.", "refuted"),
        (r"$A$ と $B$ を $n \times n$ 行列とする。$AB = BA$ である。", "refuted"),
        (r"$n$ 次正方行列 $A$, $B$ について $(AB)^T = A^T B^T$ である。", "refuted"),
        (r"$n$ 次正方行列 $A$, $B$ について $(AB)^T = B^T A^T$ である。", "proved"),
        (r"Let $A$ and $B$ be $n \times n$ matrices. Then $A(A + B) = A^2 + AB$.", "proved"),
        ("$AB = BA$", "shapes"),
    ],
)
def test_square_matrices_do_not_commute_by_numbers(document, verdict):
    found = last(document)
    assert found.verdict == verdict
    assert (found.counterexample is not None) == (verdict == "refuted")


SOFT = r"Let $p = \mathrm{softmax}(z)$ and $L = -\sum_i y_i \log p_i$. Then $\frac{\partial L}{\partial z} = "


def test_targets_add_up_to_1_in_a_counterexample():
    found = last(f"{SOFT}y - p$.")
    rows = re.search(r"y = \[\[([^\]]*)\]\]", found.counterexample)
    assert found.verdict == "refuted"
    assert "dL" not in found.counterexample
    assert sum(map(Fraction, rows.group(1).split(", "))) == 1
    assert last(f"{SOFT}p - y$.").verdict == "proved"


def test_a_derivative_is_refuted_by_one_small_number():
    assert last(r"$\frac{d}{dx} x^2 = 3x$").words.en == "For x = 1, the derivative is 2, and what is written gives 3."
    assert last(r"$\log'(x) = 1/x^2$").counterexample == "x = 2"


@pytest.mark.parametrize("line", [r"\frac{d}{dx} e^x = e^x", r"\sigma'(x) = \sigma(x)(1 - \sigma(x))"])
def test_no_phrase_of_the_program_is_told(line):
    assert not re.search("contract|cotangent", last(f"${line}$").words.en)


@pytest.mark.parametrize(
    ("claim", "right"),
    [
        ("A_{12} = 0.5", "softmax([[1, 2], [3, 4]])_{12} ≈ 0.73"),
        ("a_1 = [0.5, 0.5]", "softmax([[1, 2], [3, 4]])_1 ≈ [0.27, 0.73]"),
        (r"-\log a_{12} = 0.9", "-log(A_{12}) ≈ 0.31"),
    ],
)
def test_an_entry_is_written_as_people_write_it(claim, right):
    assert last(rf"$S = [[1, 2], [3, 4]]$. $A = \mathrm{{softmax}}(S)$. ${claim}$").right_line == right


@pytest.mark.parametrize(
    ("line", "en"),
    [
        ("2 + 2 = 5", "Wrong by 1 in the last place: it is exactly 4."),
        (r"2 + 2 \approx 5", "Wrong by 1 in the last place: it is exactly 4."),
        ("0.5 + 0.25 = 1", "Not equal: it is 0.75, which is only rounded to 1;"),
        ("e^{11} = 59874", "Not equal: it is 59874.14..., which is only rounded to 59874;"),
        ("1/3 = 0.34", "The last place is not right: it is 0.33."),
        ("3.6 + 0 = 5", "The last place is not right: it is 3.6."),
    ],
)
def test_a_whole_number_is_no_matter_of_rounding(line, en):
    found = last(f"${line}$")
    assert found.verdict == "last_place"
    assert found.words.en.startswith(en)
    assert not any("next one" in note.words.en for note in found.remarks) or "0.34" in line


def test_what_follows_names_its_line(tmp_path: Path):
    report = check("$a = 2 \\cdot 3 = 7$\n\n$b = a + 1 = 8$\n", name="a.md")
    found = report.equations[-1]
    assert (found.verdict, found.follows_from, type(found.follows_from)) == ("follows", 1, int)
    assert "line 1," in found.words.en
    assert found.remarks[-1].words.en.endswith("a.md:1")
    files = [tmp_path / "one.md", tmp_path / "two.md"]
    files[0].write_text("\n\n$a = 2 \\cdot 3 = 7$\n")
    files[1].write_text("$b = a + 1 = 8$\n")
    found = check(files, together=True).equations[-1]
    assert f"from {files[0]}:3, which" in found.words.en
    assert f"{files[0]}:3" in found.words.ja


def test_a_document_is_quoted_in_its_own_decimals():
    found = last("$x = 10,000 + 0{,}5 = 10,6$", notation=Notation(decimal=","))
    assert (found.text, found.verdict) == ("10,000 + 0{,}5 = 10,6", "last_place")
