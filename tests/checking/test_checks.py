"""A document from its text to its report: where it may come from, what its author marks, and what is left out of it."""

import pytest

from symtransformer import check
from symtransformer.checking.checks import IDLE
from symtransformer.chosen_notation import Notation
from symtransformer.errors import UnreadableInput

MARK = "<!-- symtransformer: {} -->"


def verdicts(*arguments, **options):
    return [e.verdict for e in check(*arguments, **options).equations]


def unread(text, name="a.md"):
    return [(u.code, u.line, u.column) for u in check(text, name=name).files[0].unread]


# -- where it comes from -------------------------------------------------------------------------------------------------
def test_text_bytes_and_paths(tmp_path):
    one, two = tmp_path / "one.md", tmp_path / "two.md"
    one.write_text("$x = 2$", encoding="utf-8")
    two.write_text("$x + 1 = 3$", encoding="utf-8")
    assert (
        verdicts("x = 2, x + 1 = 3")
        == verdicts(b"x = 2, x + 1 = 3")
        == verdicts(bytearray(b"x = 2, x + 1 = 3"))
        == ["definition", "right"]
    )
    assert [f.file for f in check("x = 2").files] == [f.file for f in check(b"x = 2").files] == ["-"]
    assert (
        [f.file for f in check("x = 2", name="a.txt").files]
        == [f.file for f in check(b"x = 2", name="a.txt").files]
        == ["a.txt"]
    )
    assert [f.file for f in check(one).files] == [str(one)]
    assert check(one).files[0].source == "$x = 2$"
    assert verdicts([one, two]) == ["definition", "unparsed"]
    assert verdicts([one, two], together=True) == ["definition", "right"]
    assert verdicts([two, one], together=True) == ["unparsed", "definition"]


def test_a_file_that_cannot_be_opened_is_an_error_and_the_others_are_checked(tmp_path):
    good, bad, missing = tmp_path / "one.md", tmp_path / "bad.md", tmp_path / "none.md"
    good.write_text("$x = 2$", encoding="utf-8")
    bad.write_bytes(b"\xff\xfe\xfa$x = 2$ \x80")
    report = check([missing, good, tmp_path / "a\x00b"], together=True)
    assert [bool(f.error) for f in report.files] == [True, False, True]
    assert report.files[0].error == "No such file or directory"
    assert report.files[2].error == "no name of a file"
    assert [f.file for f in report.files] == [str(missing), str(good), str(tmp_path / "a\x00b")]
    assert [len(f.equations) for f in report.files] == [0, 1, 0]
    assert check(tmp_path).files[0].error


@pytest.mark.parametrize(("source", "kind"), [(3, "int"), (None, "NoneType"), (["a.md"], "list"), ({"a": 1}, "dict")])
def test_what_is_no_document_is_refused(source, kind):
    with pytest.raises(UnreadableInput, match=f"expected text, bytes or paths, got {kind}"):
        check(source)


# -- marks of its author ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["$x = 2$", "skip", "$x + 1 = 5$ and $x = 2$", "$x + 1 = 3$"], ["definition", "skipped", "right", "right"]), (["skip", "$x = 2$", "$x + 1 = 3$"], ["skipped", "unparsed"]), (["$x = 2$", "skip", "$x + 1 = 4 = 5$", "$x + 1 = 5$"], ["definition", "skipped", "skipped", "wrong"]),
        (["$x = 2$", "let y = 3", "$x + y = 5$"], ["definition", "right"]), (["let y = 3", "let x = y + 1", "$x + y = 7$"], ["right"]), (["$x = 2$", "expect wrong", "$x + 1 = 5$", "$x + 1 = 5$"], ["definition", "wrong", "wrong"]),
        (["$x = 2$", "expect wrong", "$x = 7 = 8$", "$x + 1 = 3$"], ["definition", "wrong", "wrong", "right"]), (["convention log=2", r"$\log 8 = 3$"], ["by_convention"]), (["convention log=e", r"$\log 8 = 5$"], ["wrong"]), ([r"$\log 8 = 2.08$", "convention log=2", r"$\log 8 = 2.08$"], ["right", "wrong"]),
    ],
)  # fmt: skip
def test_what_its_author_marks(lines, found):
    text = "\n\n".join(line if "$" in line else MARK.format(line) for line in lines)
    assert verdicts(text, name="a.md") == found
    assert unread(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (MARK.format("skip"), [("idle", 1, 1)]), ("$x = 2$\n\n" + MARK.format("expect wrong"), [("idle", 3, 1)]), ("$x = 2$\n\n" + MARK.format("let y"), [("mark", 3, 1)]), (MARK.format("let y = §") + "\n\n$x = 2$", [("mark", 1, 1)]), (MARK.format("let 2 = 3") + "\n\n$x = 2$", [("mark", 1, 1)]),
        (MARK.format("convention log=7") + "\n\n$x = 2$", [("mark", 1, 1)]), ("$x = 2$\n\n" + MARK.format("convention log=7"), [("mark", 3, 1)]), ("$x = 2$\n\n" + MARK.format("let y = 3"), []), ("$x = 2$\n\n" + MARK.format("convention log=2"), []),
    ],
)  # fmt: skip
def test_marks_without_effect_are_told(text, found):
    assert unread(text) == found
    for entry in check(text, name="a.md").files[0].unread:
        assert entry.message == IDLE or entry.message.startswith(
            ("let is not read: ", "convention is not known: log=7; known: log=e, log=2")
        )


def test_what_is_given_at_the_end_holds_in_the_next_file(tmp_path):
    one, two = tmp_path / "one.md", tmp_path / "two.md"
    one.write_text("$x = 2$\n\n" + MARK.format("let y = 3") + "\n\nFrom here on, z is 4.", encoding="utf-8")
    two.write_text("$x + y = 5$, $y + z = 7$, $y + z = 10$", encoding="utf-8")
    assert verdicts([one, two], together=True)[1:] == ["right", "right", "wrong"]
    assert verdicts([one, two])[1:] == ["unparsed"] * 3


def test_a_pitfall_is_said_and_no_fault():
    text = "$x = 2$\n\n" + MARK.format("expect wrong") + "\n\n$x + 1 = {}$"
    wrong, right = (check(text.format(n), name="a.md").equations[-1] for n in (5, 3))
    assert (wrong.verdict, wrong.expected_wrong, wrong.is_fault) == ("wrong", True, False)
    assert (right.verdict, right.expected_wrong, right.is_fault) == ("right", True, True)
    assert [n.name for n in right.remarks] == ["expected_wrong"]
    assert "expected_wrong" not in [n.name for n in wrong.remarks]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Let $x$ be 4. $x + 1 = 5$. Now let $x$ be 6. $x + 1 = 7$, $x + 1 = 5$.", ["right", "right", "wrong"]), ("$y = 2$. Let $x$ be 4. $x + y = 6$", ["definition", "right"]), ("$x = 2$, $x + 1 = 3$. Let $x$ be 4. $x + 1 = 3$", ["definition", "right", "wrong"]),
    ],
)  # fmt: skip
def test_values_told_in_sentences_hold_from_there(text, found):
    assert verdicts(text, name="a.md") == found


# -- what is not judged -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("the square of x = x = 9", "a.txt", [("unparsed", "cut")] * 2), ("the square of x = 3 + 6 = 9", "a.txt", [("unparsed", "cut"), ("right", "")]), (r"$x = \cancel{2} 3 = 5$", "a.md", [("unparsed", "cut")] * 2), ("$x = 4 (2)$", "a.md", [("unparsed", "ambiguous")]), ("$x = 4 (2) = 8$", "a.md", [("definition", ""), ("right", "")]),
        (r"$\log_2 8 = 3$ nats", "a.md", [("undecidable", "unit")]), (r"$\log_2 8 = 3$ bits", "a.md", [("right", "")]), ("the sum of x = 3\n\nx = 4", "a.txt", [("unparsed", "cut"), ("definition", "")]),
    ],
)  # fmt: skip
def test_what_is_left_out(text, name, found):
    assert [(e.verdict, e.code) for e in check(text, name=name).equations] == found


# -- as it is written -----------------------------------------------------------------------------------------------------------
def test_decimal_commas_are_quoted_as_they_stand():
    german = Notation(decimal=",")
    text = "$x = 1{,}5$, $[x; 2] = [1{,}5; 3]$, $x + 1{,}25 = 2,75$"
    report = check(text, name="a.md", notation=german)
    assert [e.verdict for e in report.equations] == ["definition", "wrong", "right"]
    assert [e.text for e in report.equations] == ["x = 1{,}5", "[x; 2] = [1{,}5; 3]", "x + 1{,}25 = 2,75"]
    usual = check("$x = 1.5$, $[x, 2] = [1.5, 3]$", name="a.md")
    assert [e.text for e in usual.equations] == ["x = 1.5", "[x, 2] = [1.5, 3]"]


def test_what_it_is_checked_against():
    assert verdicts("t + 1 = 3", against={"t": 2}) == ["right"]
    assert verdicts("S + 1 = 3", against={"t": 2}, names={"S": "t"}) == ["right"]
    assert verdicts("A = [[1, 2]]", against={"A": [[1, 2]]}) == ["right"]
    assert verdicts("A = [[1, 9]]", against={"A": [[1, 2]]}) == ["wrong"]
    assert verdicts("t + 1 = 1.5, t = 0.9", against={"t": 0.5}) == ["right", "wrong"]
    assert verdicts("t = 3", against={}) == ["definition"]
    with pytest.raises(UnreadableInput, match="against: there is no 'u'; there are t, v"):
        check("t = 2", against={"t": 2, "v": 3}, names={"S": "u"})
    with pytest.raises(UnreadableInput, match=f"there is no '{'u' * 40}'"):
        check("t = 2", against={"t": 2}, names={"S": "u" * 41})
    with pytest.raises(UnreadableInput, match="expected a derivation or values by name, got int"):
        check("t = 2", against=3)


# -- each of these alone, as every document runs through the same lines -----------------------------------------------------------
def test_a_number_in_brackets_within_a_chain_is_a_factor():
    assert verdicts("$x = 4 (2) = 8$", name="a.md") == ["definition", "right"]


def test_a_number_in_brackets_at_the_end_is_none():
    assert verdicts("$x = 4 (2)$", name="a.md") == ["unparsed"]


def test_a_number_in_brackets_before_another_chain_is_none():
    assert verdicts("$x = 4 (2)$\n\n$y = 8$", name="a.md") == ["unparsed", "definition"]


def test_what_is_left_out_ends_a_chain():
    assert verdicts("the sum of x = 3\nx = 3\nx + 1 = 4", name="a.txt") == ["unparsed", "definition", "right"]


def test_what_is_skipped_gives_no_value():
    assert verdicts(MARK.format("skip") + "\n$x = 2$\n\n$x + 1 = 3$", name="a.md") == ["skipped", "unparsed"]


def test_text_of_what_is_skipped():
    (found,) = check(MARK.format("skip") + "\n$x  =  2$", name="a.md").equations
    assert (found.text, found.line, found.kind, found.words.en) == (
        "x = 2",
        2,
        "number",
        "Left out, as the author asks.",
    )


def test_a_value_told_before_the_first_line():
    assert verdicts("Let x be 4.\n\nx + 1 = 5", name="a.txt") == ["right"]


def test_a_value_told_between_two_lines():
    assert verdicts("x = 2\n\nLet x be 4.\n\nx + 1 = 5", name="a.txt") == ["definition", "right"]


def test_a_value_told_behind_the_last_line_holds_for_none_before():
    assert verdicts("x = 2\n\nx + 1 = 3\n\nLet x be 4.", name="a.txt") == ["definition", "right"]


def test_two_values_told_one_after_the_other():
    assert verdicts("Let x be 4.\n\nLet y be 5.\n\nx + y = 9", name="a.txt") == ["right"]


def test_a_line_alone_in_a_sentence_is_no_chain():
    assert verdicts("Sum = 3 + 4\n\nNow Sum = 12", name="a.txt") == ["definition", "definition"]


def test_therefore_is_heard():
    assert verdicts("x = 2\n\nTherefore x = 9", name="a.txt") == ["definition", "wrong"]


def test_a_condition_is_heard():
    assert verdicts("x = 2\n\nif x > 3 then", name="a.txt") == ["definition", "undecidable"]
    assert verdicts("x = 2\n\nx > 3", name="a.txt") == ["definition", "wrong"]


def test_one_file_after_another_knows_nothing():
    assert [f.equations[-1].verdict for f in check("x = 2\n\nx + 1 = 3").files] == ["right"]
    assert verdicts("x + 1 = 3") == ["unparsed"]


def test_a_mark_of_the_author_counts_more_than_words_beside_it():
    text = "<!-- symtransformer: expect wrong -->\nA pitfall: $2 + 2 = {}$.\n"
    wrong, right = (check(text.format(n), name="a.md") for n in (5, 4))
    assert wrong.equations[0].verdict == "last_place"
    assert wrong.equations[0].expected_wrong
    assert (wrong.exit_code(strict=True), right.exit_code()) == (0, 1)


def test_strict_means_places_that_are_not_read_too():
    report = check("7B 1 € = 1.1 $.\n", name="a.md")
    assert (report.equations, len(report.files[0].unread)) == ((), 1)
    assert (report.exit_code(), report.exit_code(strict=True)) == (0, 1)


def test_a_report_is_printed_as_a_terminal_shows_it():
    assert "it is exactly 4" in str(check("$2 + 2 = 5$"))
