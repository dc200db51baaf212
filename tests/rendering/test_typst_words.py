"""Words on a page as Typst sets them: titles, short calculations, words that stay with formulas."""

from __future__ import annotations

import re

import pytest
from pdf_reading import text_of

from symtransformer import Section, Words, derive, matrix
from symtransformer.rendering import render, render_file

A = matrix("A", 2, 2)
TOLD = "A share 1 − {p} of {n} ≥ 2 and 4 × 4 × 8 = 128, with ε above 0."


def page(title, told=TOLD):
    section = Section(Words("Part", "部分"), text=Words(told, told), steps=("Y",))
    return derive({"Y": A @ A}, title=Words(title, title), sections=[section])


@pytest.mark.parametrize(
    ("title", "lines"),
    [
        ("The feed-forward network as a key-value memory", 1),  # at 20 pt, the last word would stand alone
        ("位置の情報がないアテンションは順序を区別しない", 1),
        ("The gradients of attention with respect to queries, keys and values", 2),
    ],
)
def test_no_word_of_a_title_stands_alone(title, lines):
    text = text_of(render_file(page(title), "pdf", "ja" if title[0] > "~" else "en"))
    above = [line for line in text.splitlines() if line.strip()][:lines]
    assert "".join(above).replace(" ", "") == title.replace(" ", "")
    assert len(above[-1]) > 0.7 * len(above[0])


def test_no_line_ends_within_a_short_calculation():
    typst = render(page("Short"), "typ")
    for shown in (r"1~−~#f\(\"p\", \$p\$\);", r"#f\(\"n\", \$n\$\);~≥~2", r"4~× 4~× 8~\\= 128"):
        assert re.search(shown, typst), shown
    assert '#f("ε", $ε$);' in typst
    latex = render(page("Short"), "tex")
    for shown in ("1~$-$~$p$", r"$n$~$\ge$~2", r"4~$\times$ 4~$\times$ 8~= 128"):
        assert shown in latex


def test_words_stay_with_the_formulas_below_them():
    typst = render(page("Short"), "typ")
    assert "#lead[A share" not in typst  # a heading comes between
    below = typst.partition("#heading(level: 2)")[2]
    assert "#words[" not in below.partition("#chains(")[0]
