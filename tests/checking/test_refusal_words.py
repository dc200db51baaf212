"""Why something is not read, in both languages: every code has words, Japanese is Japanese, and the name is said."""

import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from symtransformer import check
from symtransformer.checking.refusals import JAPANESE, in_japanese
from symtransformer.reading.claimed_number_words import REFUSALS
from symtransformer.rendering.check_report import render_report

CODE = Path(__file__).parents[2] / "symtransformer"
RAISED = re.compile(
    r"""(?:refuse|refusal|ReadingError|undecidable|unparsed|Unread|Problem|NumberError)\(([^"']*?)"([a-z_]+)","""
)
OTHERWISE = re.compile(r"""\bcode="([a-z_]+)""")
REASONS = tomllib.loads((files("symtransformer.rendering.check_report") / "reasons.toml").read_text(encoding="utf-8"))
QUESTIONS = ("values_file.py", "expressions.py")  # what is asked in files of values, and not in documents
WORDS = {"is", "not", "the", "of", "and"}


def codes():
    """Every code that stands in the readers and in the checks."""
    for room in ("reading", "checking", "documents"):
        for path in (p for p in (CODE / room).rglob("*.py") if p.name not in QUESTIONS):
            text = path.read_text(encoding="utf-8")
            yield from (found.group(2) for found in RAISED.finditer(text))
            yield from OTHERWISE.findall(text)


def test_every_code_has_words_in_both_languages():
    found = set(codes())
    assert len(found) > 50
    assert sorted(found - set(REASONS)) == []
    assert set(JAPANESE) | set(REFUSALS) <= set(REASONS)
    for english, japanese in REASONS.values():
        assert "_" not in english + japanese
        assert re.search(r"[ぁ-ヿ一-龠]", japanese)


@pytest.mark.parametrize(
    ("code", "message", "said"),
    [
        ("unknown_name", "'y' is not defined before this", "y はここまでに定義されていない"),
        ("unknown_name", "'yy' is nothing that is known here; did you mean y?", "yy が何を表すか、ここまでに書かれていない"),
        ("command", r"the command '\\foo' has no meaning in a formula", r"命令 \foo は式の中では意味を持たない"),
        ("shapes", "Q is 2 x 3, K is 4 x 5; 3 and 4 must be equal", "Q は 2 × 3、K は 4 × 5 で、3 と 4 は等しくなければならない"),
        ("shapes", "K is 2 x 3, [[1, 2]] is 1 x 2; both must be equal", "K は 2 × 3、[[1, 2]] は 1 × 2 で、同じ大きさでなければならない"),
        ("never_heard_of", "'z' cannot be said", "式として読めないところがある（z）"),
    ],
)  # fmt: skip
def test_the_name_and_the_sizes_are_said(code, message, said):
    assert in_japanese(code, message) == said


def test_a_name_with_a_formula_and_no_value_is_not_called_undefined():
    text = "$A = \\operatorname{softmax}(S + M)$\n\n$A + 1 = 3$\n\n$b + 1 = 4$\n"
    words = [equation.words for equation in check(text, kind="markdown").equations]
    assert words[1].en == "Not read: line 1 has a formula for A, but A has no value yet, as S has none."
    assert words[1].ja == "読めない。1 行目に A の式はあるが、S の値がないので、A の値はまだない。"
    assert words[2].en == "Not read: 'b' is not defined before this."


DOCUMENTS = (
    r"$y + 1 = 3$", r"$\max(2, 3) = 3$", r"$\operatorname{argmax}([1, 2]) = 2$", r"$f = \foo{x} + 2$", r"$x = 1/2z$",
    r"$K = [[1, 2, 3], [4, 5, 6]]$ and $K K = [[1, 2]]$", r"$K = [[1, 2, 3], [4, 5, 6]]$, $K + [[1, 2]] = [[3, 4]]$",
    r"$W \in \mathbb{R}^{2 \times 3}$, $A = B$, $W W = 0$", r"$(1 + 2 = 3$", r"$\hat y = y' + 3 @ 4$, $\hat y = 2$",
    r"$Q = X W$, $\partial L/\partial Q = r + q$", r"<!-- symtransformer: skp --> $1 = 1$", r"$1 = 1$ <!-- symtransformer: let -->",
)  # fmt: skip


@pytest.mark.parametrize("text", DOCUMENTS)
def test_japanese_has_no_english_sentences(text):
    page = render_report(check(text, kind="markdown"), "lines", "ja", everything=True)
    message = re.sub(r"^\S+:\d+:\d+: \w+: ", "", page, flags=re.M)
    assert not WORDS & set(message.split()), page
    assert "_name" not in page


def test_a_mark_with_nothing_below_it_is_told():
    for mark in ("expect wrong", "skip"):
        report = check(f"$1 + 1 = 2$\n\n<!-- symtransformer: {mark} -->\n", kind="markdown")
        (place,) = report.files[0].unread
        assert (place.code, place.line) == ("idle", 3)
        assert "has no effect" in render_report(report, "lines")
        assert "効果がない" in render_report(report, "lines", "ja")
        assert report.exit_code() == 0
    assert check("<!-- symtransformer: skip -->\n\n$1 + 1 = 3$\n", kind="markdown").files[0].unread == ()
