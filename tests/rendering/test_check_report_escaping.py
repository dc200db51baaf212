"""What nobody sees is shown; what would be markup is a letter; what is seen stays as it is."""

import pytest

from symtransformer.rendering.check_report.escaping import (
    columns,
    escaped,
    filled_up,
    harmless,
    in_html_comment,
    is_seen,
    markdown_block,
    markdown_code,
    markdown_words,
    one_line,
)

SEEN = "aé漢字　≈√∞⊙Σ′ \u00a0\u0301½²\\'\"$"
UNSEEN = {
    "\n": r"\n", "\r": r"\r", "\t": r"\t", "\0": r"\x00", "\x1b": r"\x1b", "\x7f": r"\x7f", "\x80": r"\x80",
    "\x9b": r"\x9b", "\xad": r"\xad", "\u034f": r"\u034f", "\u061c": r"\u061c", "\u200b": r"\u200b", "\u2028": r"\u2028",
    "\u202e": r"\u202e", "\u2066": r"\u2066", "\u3164": r"\u3164", "\ud800": r"\ud800", "\ue000": r"\ue000",
    "\ufeff": r"\ufeff", "\U000e0001": r"\U000e0001", "\U0010ffff": r"\U0010ffff",
}  # fmt: skip


def test_what_is_seen_stays():
    assert escaped(SEEN) == harmless(SEEN) == SEEN
    assert all(is_seen(c) for c in SEEN)


@pytest.mark.parametrize("character", UNSEEN, ids=ascii)
def test_what_is_not_seen_is_an_escape(character):
    assert escaped(f"a{character}b") == f"a{UNSEEN[character]}b"
    assert not is_seen(character)


def test_a_formula_of_several_lines_is_one():
    assert one_line(" a \r\n\t b\n") == "a b"
    assert one_line("a\x0bb") == r"a\x0bb"
    assert one_line("") == ""


def test_an_annotated_line_keeps_all_but_what_moves_the_cursor_or_turns_text():
    kept = "a\tb\u200b\ufeff\u3164"
    assert harmless(kept) == kept
    turning = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    for character in f"\x1b\x00\x7f\x9b\u2028\u2029\ud800{turning}":
        assert harmless(f"a{character}") == "a" + escaped(character)


def test_columns_are_those_of_a_terminal():
    assert [columns(text) for text in ("", "ab", "漢字", "ｱ", "Ａ", "e\u0301", "a\u20dd", "≈")] == [
        0,
        2,
        4,
        1,
        2,
        1,
        1,
        1,
    ]
    assert filled_up("漢", 4) == "漢  "
    assert filled_up("漢字", 3) == "漢字"


# -- Markdown -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1. a", r"1\. a"), ("12) a", r"12\) a"), ("- a", r"\- a"), ("+ a", r"\+ a"), ("=", r"\="), ("1.5 is right", r"1\.5 is right"),
        ("12 a", "12 a"), ("a - b + c = 1.", "a - b + c = 1."), ("# a", r"\# a"), ("a_b*c", r"a\_b\*c"), ("[a](b)", r"\[a\](b)"),
        ("a\\b", r"a\\b"), ("<b>&amp;", r"\<b\>\&amp;"), ("{a} ~b~ !c $d$ `e` f|g", r"\{a\} \~b\~ \!c \$d\$ \`e\` f\|g"),
        ("@you", "@<!-- -->you"), ("@ you", "@ you"), ("#12", r"\#<!-- -->12"), ("https://a.b", "https:<!-- -->/<!-- -->/a.b"),
        ("www.a.b", "www<!-- -->.a.b"), ("WWW.a", "WWW<!-- -->.a"), ("a\nb", "a b"),
    ],
)  # fmt: skip
def test_a_sentence_in_markdown_is_nothing_but_words(text, wanted):
    assert markdown_words(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a", "`a`"), ("a`b", "``a`b``"), ("a``b`c", "```a``b`c```"), ("`", "`` ` ``"), ("a`", "`` a` ``"), ("`a", "`` `a ``"),
        ("", "`  `"), ("a|b", "`a|b`"), ("a\nb", "`a b`"),
    ],
)  # fmt: skip
def test_code_in_markdown_cannot_be_left(text, wanted):
    assert markdown_code(text) == wanted


def test_code_in_a_table_keeps_the_columns():
    assert markdown_code("a|b|", in_table=True) == r"`a\|b\|`"


def test_a_block_has_a_fence_that_is_longer_than_any_in_it():
    assert markdown_block(["a"]) == ["```text", "a", "```"]
    assert markdown_block(["``"]) == ["```text", "``", "```"]
    assert markdown_block(["```"]) == ["````text", "```", "````"]
    assert markdown_block(["a `````", "``"]) == ["``````text", "a `````", "``", "``````"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a-b", "a-b"),
        ("a--b", "a- -b"),
        ("-->", "- ->"),
        ("---", "- - -"),
        ("--!>", "- -!>"),
        ("<!--", "<!- -"),
        ("a\n-b", "a -b"),
    ],
)
def test_a_comment_in_html_cannot_be_left(text, wanted):
    assert in_html_comment(text) == wanted
    assert "--" not in wanted
