"""A formula between dollars that goes on outside of them: read with what touches it, or told as not clear; never without."""

import pytest

from symtransformer.checking.checks import check


def verdicts(text, name="a.md"):
    return [equation.verdict for equation in check(text, name=name).equations]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("ReLU$(-3) = 0$", "ReLU$(-3) = -3$"),
        ("ReLU$(-3) = 0$", "ReLU$(3) = 0$"),
        (r"ReLU$\left(-3\right) = 0$", r"ReLU$\left(-3\right) = 3$"),
        (r"exp\((0) = 1\)", r"exp\((0) = 0\)"),
        ("softmax$([0, 0]) = [0.5, 0.5]$", "softmax$([0, 0]) = [0, 0]$"),
        ("次に GELU$(0) = 0$ である。", "次に GELU$(0) = 0.5$ である。"),
        ("log$_2 8 = 3$", "log$_2 8 = 4$"),
        ("With $x = 3$ we have x$^2 = 9$.", "With $x = 3$ we have x$^2 = 3$."),
        ("<p>ReLU<math><mo>(</mo><mn>3</mn><mo>)</mo><mo>=</mo><mn>3</mn></math></p>",
         "<p>ReLU<math><mo>(</mo><mn>3</mn><mo>)</mo><mo>=</mo><mn>9</mn></math></p>"),
    ],
)  # fmt: skip
def test_a_name_that_touches_is_read_with_it(right, wrong):
    name = "a.html" if right.startswith("<") else "a.md"
    assert verdicts(right, name)[-1] == "right"
    assert verdicts(wrong, name)[-1] in ("wrong", "last_place")


@pytest.mark.parametrize(
    "text",
    [
        "f$(3) = 3$", "g$(3) = 9$", "foo$(3) = 3$", "foo$(3) = 9$", "-$2 + 1 = 3$", "−$2 + 1 = 3$", "2$(3 + 4) = 7$", "2$(3 + 4) = 14$",
        "√$16 = 4$", "√$16 = 16$", "4+$2 = 6$", "4+$2 = 2$", "6/$2 = 3$", "ReLU $(-3) = -3$", "ReLU $(-3) = 0$", r"exp $\left[0\right] = 1$",
        "3$\\cdot 4 = 12$", "3$\\cdot 4 = 4$",
    ],
)  # fmt: skip
def test_what_may_belong_to_it_leaves_it_open(text):
    report = check(text, name="a.md")
    assert {e.verdict for e in report.equations} <= {"unparsed", "undecidable", "unread"}, report.equations
    assert report.equations or report.files[0].unread


@pytest.mark.parametrize(
    "text",
    [
        "the value is $(2 + 3) = 5$", "so $2 + 3 = 5$", "(see $2 + 3 = 5$)", "和は$2 + 3 = 5$である", "the mean $(1 + 2 + 3)/3 = 2$",
        "**$2 + 3 = 5$**", "result:$2 + 3 = 5$", "the softmax $2 + 3 = 5$", "Step 3: $(2 + 3) = 5$", "1. $(2 + 3) = 5$", "和は$(2 + 3) = 5$",
        "The sum $(2 + 3) = 5$.", "- $2 + 3 = 5$",
    ],
)  # fmt: skip
def test_prose_beside_it_is_prose(text):
    assert verdicts(text) == ["right"]
    assert verdicts(text.replace("= 5", "= 6").replace("= 2$", "= 3$")) in (["wrong"], ["last_place"])


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (r"$L = \frac12 \|a - t\|^2$ with $t = [4, 2]$, so $L = 0.5$.", r"$L = \frac12 \|a - t\|^2$ with $t = [4, 2]$, so $L = 0.6$."),
        (r"$M = \frac1{2} (a \cdot t)$ with $t = [4, 2]$, so $M = 12$.", r"$M = \frac1{2} (a \cdot t)$ with $t = [4, 2]$, so $M = 24$."),
        (r"$\frac12 (u + v) = \frac{u}2 + \frac v2$", r"$\frac12 (u + v) = \frac{u}2 + \frac v3$"),
    ],
)  # fmt: skip
def test_fractions_take_one_sign_without_braces(right, wrong):
    given = "Let $a = [5, 2]$.\n\n"
    assert verdicts(given + right)[-1] in ("right", "proved")
    assert verdicts(given + wrong)[-1] in ("wrong", "last_place", "refuted")
