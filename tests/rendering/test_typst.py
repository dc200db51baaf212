"""Pages as Typst and as PDF: every number of the text page stands on them, in both languages, on one kind of paper."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from golden_cases import DERIVATIONS, with_tables
from pdf_reading import alternatives_of, fonts_of, reader_of, squeezed, text_of

from symtransformer import Words, derive, matrix, verify
from symtransformer.cli.derivations import load
from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.rendering import Notation, render, render_file
from symtransformer.rendering.parts_flow import parts_of
from symtransformer.rendering.typst import SLICES, TypstPrinter
from symtransformer.rendering.typst_pdf import pdf

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
FONTS = Path(__file__).parents[2] / "symtransformer" / "rendering" / "fonts"


def shown_numbers(subject, language, **options):
    """The numbers of the text page, without its comment and what it says of its own shades."""
    lines = render(subject, "txt", language, **options).splitlines()
    return set(NUMBER.findall("\n".join(line for line in lines if not re.match("#|Shades:|濃淡：", line))))


def missing_numbers(subject, language, content, **options):
    return {n for n in shown_numbers(subject, language, **options) if "." in n} - set(NUMBER.findall(text_of(content)))


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", sorted(set(DERIVATIONS) - {"hostile"}))
def test_every_number_of_the_text_page_is_on_the_pdf(name, language):
    subject = DERIVATIONS[name]()
    content = render_file(subject, "pdf", language, detail="entries")
    assert not missing_numbers(subject, language, content, detail="entries")


def test_a_number_that_is_not_there_is_missed():
    subject = DERIVATIONS["masked_attention"]()
    source = render(subject, "typ", detail="entries")
    number = "0.6698"
    assert number in source
    assert number in missing_numbers(subject, "en", pdf(source.replace(number, "0.6689")), detail="entries")


def test_the_same_page_is_the_same_file():
    code = (
        "import hashlib, sys; sys.path.insert(0, sys.argv[1])\n"
        "from golden_cases import with_tables\n"
        "from symtransformer.rendering import render_file\n"
        "print(hashlib.sha256(render_file(with_tables(), 'pdf', 'ja')).hexdigest())"
    )
    sums = {hashlib.sha256(render_file(with_tables(), "pdf", "ja")).hexdigest()}
    run = subprocess.run(
        [sys.executable, "-c", code, str(Path(__file__).parent)],
        env={**os.environ, "PYTHONHASHSEED": "2"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert sums == {run.stdout.strip()}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_file_says_what_it_is_and_holds_its_fonts(language):
    content = render_file(with_tables(), "pdf", language)
    reader, fonts = reader_of(content), fonts_of(content)
    assert reader.metadata.title == {"en": "Maps, tables, comparisons", "ja": "図・表・比較"}[language]
    assert str(reader.trailer["/Root"]["/Lang"]).startswith(language)
    assert reader.trailer["/Root"]["/MarkInfo"]["/Marked"]
    assert all(fonts.values())
    assert len(fonts) >= 3
    assert any("BIZUD" in name for name in fonts) == (language == "ja")
    assert "/JavaScript" not in str(reader.trailer["/Root"])


def test_formulas_are_read_as_they_stand_on_the_text_page():
    subject = DERIVATIONS["masked_attention"]()
    content = render_file(subject, "pdf")
    assert b"pdfuaid:part" in content.replace(b"\n", b"")
    read = alternatives_of(content)
    page = "".join(line.removeprefix(">") for line in render(subject, "txt").split("\n"))
    page = "".join(page.split())
    assert len(read) > 60
    assert "= A V ≈ [[1, 0, 0], [0.3302, 0.6698, 0]] [[1], [2], [-3]] ≈ [[1], [1.6698]]" in read
    assert [text for text in read if "".join(text.split()) not in page and text != "…"] == [  # the drawing
        "S is made from Q, K. T is made from S, M. U is made from T. c is made from U. A is made from U, c. Z is made from A, V."
    ]


def test_what_is_followed_is_bold_and_its_digits_are_digits():
    subject = DERIVATIONS["masked_attention"]()
    source = render(subject, "typ")
    assert 'followed(bolder("' in source
    found = text_of(pdf(source))
    assert not any(0x1D7CE <= ord(c) <= 0x1D7FF for c in found)


def test_a_side_is_not_said_twice_where_it_is_followed():
    A, B = matrix("A", 1, 2), matrix("B", 2, 1)
    subject = verify(derive(A @ B, values={A: [[1, -2]], B: [[3], [-4]]}))
    typ = render(subject, "typ")
    assert typ.count('side("= 11", $= 11$)') == 1


def test_decimals_and_groups_follow_the_notation():
    comma = Notation(decimal=",")
    source = render(with_tables(), "typ", notation=comma)
    assert 'bolder("−0,2357")' in source
    assert '"1\u2009048\u2009576"' in source
    assert "−0,2357" in text_of(pdf(source))
    assert '"1,048,576"' in render(with_tables(), "typ")


@pytest.mark.parametrize(
    "notation",
    [
        Notation(labels="superscript", heads="subscript", separator=";"),
        Notation(transpose="⊤", matrices="bold", brackets="round"),
        Notation(matrices="bold-italic", decimal=",", names={"S": "Score", "W_1": "Wone"}),
    ],
)
def test_every_notation_is_mathematics_to_typst(notation):
    for name in ("with_tables", "two_heads"):
        assert render_file(DERIVATIONS[name](), "pdf", notation=notation, detail="problem").startswith(b"%PDF")


def test_a_missing_glyph_is_told_by_its_name():
    subject = derive(matrix("A", 1, 2) @ matrix("B", 2, 1), title=Words("A smile 😀", "笑顔"))
    with pytest.raises(NotSupported, match=re.escape("😀 (U+1F600)")) as told:
        render_file(subject, "pdf")
    assert "--format txt" in str(told.value)
    assert render_file(subject, "pdf", "ja")


@pytest.mark.parametrize("word", ["髙橋", "﨑", "薔薇", "鬱", "々〆ヶ", "①Ⅳ㍑", "ｱｲｳ", "▁the", "Ġthe", "αβγ", "Привет"])
def test_names_and_tokens_have_glyphs(word):
    subject = derive(matrix("A", 1, 2) @ matrix("B", 2, 1), title=Words(word, word))
    assert squeezed(word) in squeezed(text_of(render_file(subject, "pdf", "ja")))


def test_without_typst_a_line_says_what_to_do(monkeypatch):
    from symtransformer.rendering import typst_pdf

    typst_pdf._fonts.cache_clear()
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(NotSupported, match="pip install typst") as told:
        render_file(with_tables(), "pdf")
    assert "--format html" in str(told.value)
    assert "#chains" in render(with_tables(), "typ")


def test_fonts_are_the_ones_that_the_table_names():
    page = (FONTS / "README.md").read_text(encoding="utf-8")
    files = sorted(FONTS.glob("*.ttf"))
    assert len(files) == 2
    assert sum(path.stat().st_size for path in files) < 4_000_000
    for path in files:
        assert hashlib.sha256(path.read_bytes()).hexdigest() in page
        assert "SIL OPEN FONT LICENSE" in (FONTS / f"OFL-{path.stem.partition('-')[0]}.txt").read_text(encoding="utf-8")


def test_a_pdf_is_no_text():
    with pytest.raises(UnreadableInput, match="render_file"):
        render(with_tables(), "pdf")


def test_a_command_that_prints_says_where_a_pdf_goes(command, small, tmp_path):
    code, out, err = command("show", small, "--format", "pdf")
    assert (code, out) == (2, "")
    assert "build" in err
    values = tmp_path / "mine.toml"
    values.write_text('expression = "A B"\n[values]\nA = [[1, 2]]\nB = [[3], [4]]\n', encoding="utf-8")
    code, out, err = command("solve", "--values", values, "--format", "pdf")
    assert (code, out) == (2, "")
    assert "--out DIR" in err
    code, out, err = command("solve", "--values", values, "--format", "pdf", "--out", tmp_path / "made")
    assert (code, err) == (0, "")
    assert "11" in text_of((tmp_path / "made" / "en" / "mine.pdf").read_bytes())


def test_a_build_writes_both_languages(command, small, tmp_path):
    code, out, err = command("build", small, "--format", "pdf,typ", "--lang", "en,ja", "--out", tmp_path)
    assert (code, err) == (0, "")
    assert len(out.splitlines()) == 4
    assert "積" in text_of((tmp_path / "ja" / "small.pdf").read_bytes())


def test_what_is_too_wide_is_broken_and_stays_on_the_page():
    wide = DERIVATIONS["wide"]()
    assert not missing_numbers(wide, "en", render_file(wide, "pdf", detail="steps"), detail="steps")
    long_name = Words("x" * 300, "長" * 200)
    subject = replace(wide.derivation, title=long_name)
    assert squeezed("x" * 300) in squeezed(text_of(render_file(subject, "pdf")))


def test_a_long_drawing_goes_on_over_several_pages():
    """Each piece ends between two boxes, together they are the whole, and none is higher than a page."""
    derivation = load("explainer_chapter_6")[1]
    letters = {x.name: x for x in derivation.inputs} | {s.name: s.letter for s in derivation.steps}
    page = TypstPrinter("en", letters).block(parts_of(derivation, derivation.sections))
    tops = [float(y) for y in re.findall(r'viewBox=\\"0 ([0-9.]+) ', page)]
    heights = [float(y) for y in re.findall(r'viewBox=\\"0 [0-9.]+ [0-9.]+ ([0-9.]+)\\"', page)]
    assert len(tops) == len(heights) > 1
    assert tops == pytest.approx([sum(heights[:k]) for k in range(len(heights))])
    assert heights[0] <= SLICES[0]
    assert max(heights) <= SLICES[1]
    rects = {
        (float(y), float(h)) for y, h in re.findall(r'<rect [^>]*y=\\"([0-9.]+)\\"[^>]*height=\\"([0-9.]+)\\"', page)
    }
    assert len(rects) == page.count("<rect ") == 15  # each stands on one page only
    assert not [cut for cut in tops[1:] if any(y <= cut <= y + h for y, h in rects)]


def test_a_fraction_in_a_fraction_is_displayed():
    page = render(load("proof_attention_gradient")[1], "typ")
    assert re.search(r"frac\(display\(attach\(\(frac\(partial L, partial S\)\)", page)
    assert "dot.o frac(partial L, partial A)" in page
