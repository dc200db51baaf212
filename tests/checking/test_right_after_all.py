r"""Lines that are right by what the document says beside them, each with a twin that is wrong all the same."""

import pytest

from symtransformer import check
from symtransformer.checking.equations import ACCEPTED, ACCUSING


def last(document):
    return check(document, name="a.md").equations[-1]


LN, RMS = r"\mathrm{LayerNorm}", r"\mathrm{RMSNorm}"
OWN = rf"${LN}(x) = \frac{{x - \mu}}{{\sqrt{{\sigma^2 + \epsilon}}}}$. "


@pytest.mark.parametrize(
    ("document", "verdict"),
    [
        ("$LayerNorm(2x) = LayerNorm(x)$", "by_convention"),
        (rf"${RMS}(3x) = {RMS}(x)$", "by_convention"),
        (rf"${LN}({LN}(x)) = {LN}(x)$", "by_convention"),
        (rf"レイヤー正規化では ${LN}(2x) = {LN}(x)$ である。", "by_convention"),
        (rf"${LN}(x) = \frac{{x - \mu}}{{\sigma}}$. ${LN}(2x) = {LN}(x)$", "by_convention"),
        (rf"{OWN}${LN}(2x) = {LN}(x)$", "refuted"),  # the document's ε
        (rf"$\epsilon = 0.00001$. ${LN}(2x) = {LN}(x)$", "refuted"),
        (rf"${LN}(2x) = 2{LN}(x)$", "refuted"),
        (rf"${LN}(-x) = -{LN}(x)$", "proved"),
        (rf"${LN}(-x) = {LN}(x)$", "refuted"),
        (rf"${LN}(cx) = {LN}(x)$", "undecidable"),  # what c is, is not told
        (rf"${LN}(x) = \frac{{x - \mu}}{{\sqrt{{\sigma^2 + 10^{{-5}}}}}}$", "proved"),
        (rf"${LN}(x) = \frac{{x - \mu}}{{\sqrt{{\sigma^2 - 10^{{-5}}}}}}$", "refuted"),
    ],
)
def test_a_norm_without_eps(document, verdict):
    assert last(document).verdict == verdict


@pytest.mark.parametrize(
    ("document", "is_right"),
    [
        (r"The accuracy rose by $30\% - 20\% = 10$ percentage points.", True),
        (r"The accuracy rose by $30\% - 20\% = 11$ percentage points.", False),
        (r"The accuracy rose by $72.5\% - 68.1\% = 4.4$ points.", True),
        (r"In percentage points, $30\% - 20\% = 10$.", True),
        ("正解率は 30% − 20% = 10 ポイント上がった。", True),
        ("正解率は 30% − 20% = 12 ポイント上がった。", False),
        (r"差は $30\% - 20\% = 10$ である。", False),
        (r"Points: $30\% - 20\% = 10$", False),
        ("$0.3 - 0.2 = 10$ percentage points", True),
        ("$0.3 - 0.2 = 20$ percentage points", False),
        ("The gap in percentage points is 0.375 - 0.125 = 25.", True),
        ("The gap in percentage points is 0.375 - 0.125 = 26.", False),
        ("差は 0.375 - 0.125 = 25 パーセントポイントである。", True),
    ],
)
def test_percentage_points(document, is_right):
    found = last(document)
    assert found.verdict in (ACCEPTED if is_right else ACCUSING)
    assert (found.convention is not None and found.convention.name == "points") == is_right


@pytest.mark.parametrize(
    ("right", "other"),
    [  # the first is so; the second is another number, of which the words make hundredths
        ("0.375 - 0.125 = 25 percentage points", "0.375 - 0.125 = 0.25 percentage points"),
        ("37.5% - 12.5% = 25 percentage points", "37.5% - 12.5% = 0.25 percentage points"),
        ("差は 0.375 - 0.125 = 25 パーセントポイント。", "差は 0.375 - 0.125 = 0.25 パーセントポイント。"),
        ("0.375 - 0.125 = 25 percent", "0.375 - 0.125 = 0.25 percent"),
        (r"$0.375 - 0.125 = 25\text{ percent}$", r"$0.375 - 0.125 = 0.25\text{ percent}$"),
        ("0.375 - 0.125 = 25 パーセント", "0.375 - 0.125 = 0.25 パーセント"),
        ("a = 25 percent, so that 1 - a = 0.75", "a = 25 percent, so that 1 - a = -24"),
        ("0.375 - 0.125 = 0.25, which is 25 percentage points", "0.375 - 0.125 = 25, which is 25 percentage points larger"),
        ("0.5 + 0.25 = 0.75 points", "0.5 + 0.25 = 0.85 points"),
        ("1.5 - 0.5 = 1 percentage points", "1.5 - 0.5 = 3 percentage points"),
    ],
)  # fmt: skip
def test_hundredths_that_are_told_in_words(right, other):
    assert last(right).verdict in ACCEPTED
    assert last(other).verdict not in ACCEPTED


@pytest.mark.parametrize("text", ["37.5 - 12.5 = 25 percent", "p = 0.4, q = 0.3, p - q = 10 percentage points"])
def test_percentages_without_a_sign_are_not_accused(text):
    assert last(text).verdict not in ACCUSING


QK = "With $Q = XW_Q$ and $K = XW_K$, we have $QK^T = KQ^T$."


@pytest.mark.parametrize(
    ("document", "verdict"),
    [
        (f"Suppose W_K and W_Q are the same matrix. {QK}", "undecidable"),
        (f"The weights $W_Q$ and $W_K$ are shared. {QK}", "undecidable"),
        ("If $W_K$ and $W_Q$ are the same matrix, then $QK^T = KQ^T$.", "undecidable"),
        ("Suppose the queries and keys coincide. $QK^T = KQ^T$.", "undecidable"),
        ("$W_K$ と $W_Q$ が等しいとする。$Q = XW_Q$, $K = XW_K$ なので $QK^T = KQ^T$ である。", "undecidable"),
        (QK, "refuted"),
        (f"W_K and W_Q are not the same matrix. {QK}", "refuted"),
        ("$Q = XW_Q$, $K = XW_K$ なので $QK^T = KQ^T$ である。", "refuted"),
    ],
)
def test_letters_that_are_told_to_be_equal(document, verdict):
    assert last(document).verdict == verdict


@pytest.mark.parametrize(
    ("document", "verdict"),
    [
        ("If 2+2 were 5, i.e. $2 + 2 = 5$, then arithmetic would be broken.", "undecidable"),
        ("If 2 + 2 were 5, we would have $3 + 2 = 6$.", "undecidable"),
        ("もし 2+2 が 5 だったら、すなわち $2+2=5$ なら、算術は壊れる。", "undecidable"),
        ("$2+2=5$ なら、算術は壊れる。", "undecidable"),
        ("If 2+2 were 5, arithmetic would be broken, but in fact $2 + 2 = 5$.", "last_place"),
        ("もし 2+2 が 5 だったら算術は壊れるが、実際には $2+2=5$ である。", "last_place"),
        ("We add, i.e. $2 + 2 = 5$.", "last_place"),
        (r"Were the scale omitted, the score would be $3 \cdot 4 = 13$.", "last_place"),
        ("足すと、$2+2=5$ なので、次に進む。", "last_place"),
    ],
)
def test_what_is_only_supposed(document, verdict):
    assert last(document).verdict == verdict


@pytest.mark.parametrize(
    ("document", "verdicts"),
    [
        ("$x = 3$\n\n$x + 1 = 4$\n\nLet x be 4.\n\n$x + 1 = 5$. $x + 1 = 4$", ["right", "right", "last_place"]),
        ("$x = 3$。x は 4 とする。$x + 1 = 5$。$x + 1 = 4$。", ["right", "last_place"]),
        ("Let $x$ be $4$ and $y$ be $2$. $x + y = 6$. $x + y = 7$.", ["right", "last_place"]),
        (r"$d_k$ を $64$ とする。$\sqrt{d_k} = 8$。$\sqrt{d_k} = 6$。", ["right", "wrong"]),
        ("$x = 3$. When x is 4, $x + 1 = 5$. $x + 1 = 4$. $x + 1 = 6$.", ["undecidable", "right", "wrong"]),
        (
            "$x = 3$. $x$ が $4$ のとき $x + 1 = 5$ となる。$x + 1 = 4$。$x + 1 = 6$。",
            ["undecidable", "right", "wrong"],
        ),
        ("$x = 3$. Let x be 4-dimensional. $x + 1 = 4$. $x + 1 = 5$.", ["right", "last_place"]),
        ("$x = 3$. x is 4 or 5. $x + 1 = 4$.", ["right"]),
        ("$x = 3$. $x + 1 = 4$, then x becomes 4 and $x + 1 = 5$.", ["right", "right"]),
    ],
)
def test_a_value_told_in_words(document, verdicts):
    found = [e.verdict for e in check(document, name="a.md").equations]
    assert [v for v in found if v != "definition"] == verdicts


def test_values_told_on_a_web_page_are_those_that_are_seen():
    """Neither the words of a script nor those of a title give x a value; formulas in either notation do."""
    page = r"""<!DOCTYPE html><html><body><p>Let <i>x</i> be&nbsp;4.</p><p title="Let x be 7.">Then \(x + 1 = 5\).</p>
<script>var s = "Now x is 9. Let x be 9.";</script>
<p>Let <math><mi>x</mi></math> be <math><mn>6</mn></math>. Now \(x+1=7\), \(x + 1 = 5\).</p></body></html>"""
    found = check(page.encode(), name="a.html").equations
    assert [e.verdict for e in found] == ["right", "right", "wrong"]
