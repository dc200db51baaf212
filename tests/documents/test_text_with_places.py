"""Texts whose characters know their places, and what stands around a place: first, last, in between, far away."""

import pytest

from symtransformer.documents.placed import FAR, SENTENCE, Place, Placed, Sources, Words, joined, made


def sources(*texts):
    found = Sources()
    return found, [found.add(f"{number}.md", text) for number, text in enumerate(texts)]


def test_cutting_and_stripping_keep_the_places():
    text = Placed("  x = 1 ", range(10, 18))
    assert text.cut(2, 3).fixed() == Placed("x", (12,))
    assert text.cut(5).fixed() == Placed("= 1 "[1:], (15, 16, 17))
    assert text.strip().fixed() == Placed("x = 1", (12, 13, 14, 15, 16))
    assert text.strip(" x").fixed() == Placed("= 1", (14, 15, 16))
    assert Placed("   ", range(3)).strip().fixed() == Placed("", ())
    assert Placed("", ()).strip().fixed() == Placed("", ())
    assert made("ab", 7).fixed() == Placed("ab", (7, 7))
    assert joined([made("a", 1), made("", 5), made("bc", 2)]).fixed() == Placed("abc", (1, 2, 2))


@pytest.mark.parametrize(
    ("text", "in_prose", "formula"),
    [("（１＋２）＝３", "（1+2）=3", "(1+2)=3"), ("a\u3000b\u00a0c", "a b c", "a b c"), ("1⁄2∕3", "1/2/3", "1/2/3"), ("H’", "H’", "H'"),
     ("＄＃＼｀｜", "＄＃＼｀｜", "＄＃＼｀｜"), ("［ｘ］", "［x］", "[x]"), ("！～", "!~", "!~"), ("｟", "｟", "｟")],
)  # fmt: skip
def test_full_width_signs_as_the_usual_ones(text, in_prose, formula):
    placed = Placed(text, range(len(text)))
    assert placed.folded(in_prose=True).text == in_prose
    assert placed.folded().text == formula


def test_what_nobody_sees_is_left_out():
    text = Placed("2\u200b2\ufeff=\u00ad4", range(7))
    assert text.without_unseen() == Placed("22=4", (0, 2, 4, 6))
    plain = Placed("22", range(2))
    assert plain.without_unseen() is plain


def test_places_count_from_one_in_each_file():
    found, (first, second) = sources("a\nb\r\nc\rd", "x\n\ny")
    text = "a\nb\r\nc\rd"
    at = {c: found.place(first.origins[text.index(c)]) for c in "abcd"}
    assert at == {c: Place("0.md", line, 1) for line, c in enumerate("abcd", 1)}
    assert found.place(first.origins[4]) == Place("0.md", 2, 3)  # the end of the line belongs to it
    assert found.place(second.origins[0]) == Place("1.md", 1, 1)
    assert found.place(second.origins[2]) == Place("1.md", 2, 1)
    assert found.place(second.origins[3]) == Place("1.md", 3, 1)
    assert not set(first.origins) & set(second.origins)
    assert [
        found.character(o) for o in (first.origins[0], first.origins[-1], second.origins[0], second.origins[-1])
    ] == list("adxy")


def test_what_stands_between_before_and_behind():
    found, (first, second) = sources("ab cd\nef gh", "x y")
    o, p = first.origins, second.origins
    assert found.between(o[1], o[3]) == " "
    assert found.between(o[1], o[2]) == ""
    assert found.between(o[3], o[1]) == ""
    assert found.between(p[0], p[2]) == " "
    assert [found.line_before(o[k]) for k in (0, 3, 5, 6, 9)] == ["", "ab ", "ab cd", "", "ef "]
    assert [found.line_before(k) for k in p] == ["", "x", "x "]
    assert found.written(o[1], o[3]) == "b c"
    assert found.written(p[0], p[2]) == "x y"
    assert found.written(o[0], p[1]) == "x "  # of the file that has the second
    assert found.beyond(o[1], 3) == " c"  # what stands before the third character from here
    assert (found.beginning(o[4], "cd"[:1]), found.ending(o[4], "xy")) == (o[3], o[4] + 3)


@pytest.mark.parametrize(("gap", "said"), [(FAR - 1, "." * (FAR - 1)), (FAR, "\0")])
def test_what_is_far_away_does_not_go_on(gap, said):
    found, (text,) = sources("a" + "." * gap + "b")
    assert found.between(text.origins[0], text.origins[-1]) == said


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("One. Two @ three. Four.", " Two ", " three"), ("Two @", "Two ", ""), ("@ three", "", " three"), ("@", "", ""),
        ("一。二@三。四", "二", "三"), ("a 1.5 @ 2.5 b. c", "a 1.5 ", " 2.5 b"), ("a, i.e. @ e.g. b! c", "a, i.e. ", " e.g. b"),
        ("a\n\nb @ c\n \nd", "b ", " c"), ("a\nb @ c\nd", "a\nb ", " c\nd"), ("x? y @ z! w", " y ", " z"),
        ("cf. @ resp. a vs. b w.r.t. c. d", "cf. ", " resp. a vs. b w.r.t. c"),
    ],
)  # fmt: skip
def test_the_sentence_around_a_formula(text, before, after):
    found, (_, placed) = sources("Before. @ after", text)
    origin = placed.origins[text.index("@")]
    assert found.sentence(origin, origin) == (before, after)


@pytest.mark.parametrize("extra", [0, 1])
def test_a_sentence_reaches_so_far(extra):
    found, (text,) = sources("a" * (SENTENCE + extra) + "@" + "b" * (SENTENCE + extra))
    origin = text.origins[SENTENCE + extra]
    assert found.sentence(origin, origin) == ("a" * SENTENCE, "b" * SENTENCE)


def page():
    """A page of two files, of which the second is set by tags."""
    found, (_, text) = sources("zz", "<p>Ab. <b>c</b> d. E</p>")
    words = found.words_of(text.origins[0])
    for start, end in ((3, 7), (10, 11), (15, 20)):
        words.add(text.cut(start, end))
    return found, text.origins


def test_of_a_web_page_what_is_read_counts():
    found, o = page()
    assert found.words_of(o[5]).said(0, 99) == "Ab. c d. E"
    assert found.between(o[4], o[16]) == ". c "
    assert found.line_before(o[10]) == "Ab. "
    assert found.sentence(o[10], o[10]) == (" ", " d")
    assert found.beginning(o[10], " ") == o[6]
    assert found.ending(o[10], " d") == o[17]
    assert found.ending(o[10], " d. E") == o[19]  # there is nothing behind it
    assert found.beyond(o[10], 3) == " d."
    assert [name for name, _ in found.read_texts()] == ["0.md", "1.md"]
    assert [placed.text for _, placed in found.read_texts()] == ["zz", "Ab. c d. E"]
    assert found.character(o[0]) == "<"


def test_words_of_a_page_only_go_forward():
    words = Words()
    words.add(Placed("ab", (5, 3)))
    words.add(Placed("c", (9,)))
    assert (list(words.origins), words.cut(0, 2), words.cut(2, 3)) == ([5, 5, 9], "ab", "c")
    words.add(Placed("\ufff9d\ufffb", (10, 11, 12)))
    assert (words.said(0, 9), words.cut(3, 4)) == ("abc d ", "\ufff9")


def test_a_side_comment_of_a_page_stands_between_nothing():
    found, (text,) = sources("a[note]b")
    words = found.words_of(0)
    words.add(text.cut(0, 1))
    words.add(Placed("\ufff9note\ufffb", text.origins[1:7]))
    words.add(text.cut(7))
    assert found.between(0, 7) == ""
    assert found.line_before(7) == "a note "
