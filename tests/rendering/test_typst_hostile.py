"""Whatever a token is called, its name is text on a PDF: nothing of it is run, read from a disk or fetched."""

from __future__ import annotations

import pytest
from hostile_names import NAMES
from pdf_reading import squeezed, text_of

from symtransformer.errors import NotSupported
from symtransformer.notation import Words
from symtransformer.rendering.document import Chain, Document, Equations, Heading, Remark, Table
from symtransformer.rendering.typst import TypstPrinter
from symtransformer.rendering.typst_pdf import pdf
from symtransformer.rendering.typst_text import escape
from symtransformer.rendering.visible import visible

COMMANDS = (
    '#import "x"', '#import "@preview/cetz:0.2.2"', '#eval("1+1")', '#read("/etc/passwd")', '#include "/etc/passwd"',
    '#image("x.png")', "#sys.inputs", "@label", "<label>", "//x", "/* x */", "/*", "*/", "#{", "#[", "]", "[", ")", "(",
    "#let x = 1", "$ #x $", "\\u{41}", '"a" + read("/etc/passwd")', '#"', '\\"', '"', "/ a: b", "http://a.b//c", "x" * 300,
    "#set page(width: 1cm)", "#" * 20, "#panic()", ";", "#h(1fr)", "1.", "2. a", "a#b", "a$b", "\\", "&", "a\\", "~~~~",
)  # fmt: skip
NO_GLYPH = {"안녕", "😀", "👩\u200d👩\u200d👧"}
ALL = [name for name in dict.fromkeys([*NAMES, *COMMANDS]) if visible(name).strip() and name not in NO_GLYPH]
PLACES = 7  # in which each name stands below


def page(name):
    words = Words(name, name)
    followed = Remark("followed", (("axis", "row"), ("number", 1), ("label", words)))
    blocks = (
        Heading(words, 2), followed, Table((words,), (words,), ((words,),)),
        Equations((Chain(words, (("=", words),), label=words),)),
    )  # fmt: skip
    return TypstPrinter("en", {}).page(Document(words, blocks, (f"made for {name}",)))


# A full stop that could begin an ellipsis or end the number of a list, and a quote that could turn, are no plain signs.
FULL_STOPS = {
    "a. b": "a. b", "a.": "a.", "a..": r"a\.\.", "a...b": r"a\.\.\.b", ".a": r"\.a", "1. a": r"1\. a", "猫.b": "猫.b", "a.b.c": "a.b.c",
    "a b.": "a b.", "it's": "it's", "'a'": r"\'a\'", "a'": r"a\'", "a' b": r"a\' b", "5'a": r"5\'a", "a'5": r"a\'5", "a!(b)": "a!(b)",
}  # fmt: skip


@pytest.mark.parametrize("text", FULL_STOPS)
def test_a_full_stop_and_a_quote_are_plain_within_words_alone(text):
    assert escape(text) == FULL_STOPS[text]


def test_a_long_word_may_end_a_line_within():
    assert escape("x" * 32) == "x" * 32
    assert escape("x" * 33) == "\u200b".join(["x" * 12, "x" * 12, "x" * 9])
    assert escape("x" * 36 + " y") == "x" * 12 + "\u200b" + "x" * 12 + "\u200b" + "x" * 12 + "\u200b y"


def test_there_are_enough_of_them():
    assert len(ALL) >= 230


@pytest.mark.parametrize("start", range(10))
def test_a_name_is_text_wherever_it_stands(start):
    for name in ALL[start::10]:
        found = squeezed(text_of(pdf(page(name))))
        assert found.count(squeezed(visible(name))) >= PLACES, name


@pytest.mark.parametrize("name", sorted(NO_GLYPH))
def test_a_name_without_glyphs_is_refused_by_its_code(name):
    with pytest.raises(NotSupported, match=f"U\\+{ord(name[0]):04X}"):
        pdf(page(name))


def test_a_page_that_is_not_ours_reads_and_fetches_nothing():
    for source in (
        '#read("/etc/hostname")',
        '#read("../../etc/hostname")',
        '#import "@preview/cetz:0.2.2"',
        '#image("a.png")',
    ):
        with pytest.raises(NotSupported, match="Typst refuses"):
            pdf(source)
