"""Reports on checked documents: golden ones in both languages, what is shown when, which entry is marked, what is counted."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import check_report_cases as cases
import pytest

from symtransformer.checking.equations import OPEN, VERDICTS, EntryVerdict, FileReport, Report
from symtransformer.errors import UnreadableInput
from symtransformer.rendering.check_report import REPORT_FORMATS, render_report
from symtransformer.rendering.check_report.escaping import columns
from symtransformer.rendering.check_report.findings import finding_of

GOLDEN = Path(__file__).with_name("golden_check_reports")
WORDS = Path(__file__).parents[2] / "symtransformer/rendering/check_report/words.toml"
SUFFIX = {"terminal": "txt", "lines": "lines.txt", "markdown": "md", "json": "json", "annotated": "annotated.md"}
PAGES = {
    f"{name}.{language}.{SUFFIX[form]}": (name, form, language)
    for name in ("faults", "all")
    for form in REPORT_FORMATS
    for language in ("en", "ja")
    if form != "json" or (name, language) == ("all", "en")  # it holds both languages, and everything
}


def shown(report, form, language="en", **options):
    return render_report(report, form, language, **options)


def one(*equations, name="notes.md", **options):
    return Report((FileReport(name, equations, **options),))


# -- golden reports -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", PAGES)
def test_report_is_the_golden_one(name, rewrite_golden):
    case, form, language = PAGES[name]
    page = shown(cases.EVERYTHING, form, language, everything=case == "all")
    if rewrite_golden:
        (GOLDEN / name).write_text(page, encoding="utf-8", newline="\n")
    assert page == (GOLDEN / name).read_bytes().decode()


def test_every_golden_report_belongs_to_a_case():
    assert sorted(path.name for path in GOLDEN.iterdir()) == sorted(PAGES)


# -- words ----------------------------------------------------------------------------------------------------
def test_every_key_stands_in_both_languages_with_the_same_fields():
    catalogue = tomllib.loads(WORDS.read_text(encoding="utf-8"))
    assert len(catalogue) > 50
    for key, words in catalogue.items():
        assert set(words) == {"en", "ja"}, key
        fields = [sorted(set(re.findall(r"\{(\w+)\}", text))) for text in words.values()]
        assert fields[0] == fields[1] or key == "entry_is_wrong", key
        assert re.search(r"[ぁ-ヿ一-龠]", words["ja"]), key
    assert {f"verdict_{verdict}" for verdict in VERDICTS} <= set(catalogue)


def test_every_key_is_used():
    code = "\n".join(path.read_text(encoding="utf-8") for path in WORDS.parent.glob("*.py"))
    built = ("verdict_", "group_", "unread_")
    for key in tomllib.loads(WORDS.read_text(encoding="utf-8")):
        assert re.search(rf"""["']{key}["']""", code) or key.startswith(built), key


# -- what is shown when ------------------------------------------------------------------------------------
def order(page):
    return [int(line) for line in re.findall(r"^notes\.md:(\d+):", page, re.M)]


def test_without_more_only_what_is_not_right_is_shown_in_order():
    for form in ("terminal", "lines"):
        page = shown(cases.EVERYTHING, form)
        wanted = [e.line for e in cases.FAULTS] + ([26, 30, 31] if form == "lines" else [])
        assert sorted(order(page)) == sorted(wanted + ([2] if form == "lines" else []))
        assert order(page) == sorted(order(page))
        assert "1 + 1 = 3" not in page  # wrong on purpose


def test_strict_shows_what_is_open_as_well():
    assert 30 not in order(shown(cases.EVERYTHING, "terminal"))
    assert set(order(shown(cases.EVERYTHING, "terminal", strict=True))) >= {2, 26, 30, 31}
    assert 4 not in order(shown(cases.EVERYTHING, "terminal", strict=True))


@pytest.mark.parametrize("form", ["terminal", "lines", "markdown", "annotated"])
def test_all_shows_every_equation_and_place(form):
    files = cases.EVERYTHING.files
    page = shown(Report(files[:1]), form, everything=True)
    count = {"terminal": r"^notes\.md:", "lines": r"^notes\.md:", "markdown": "^### ", "annotated": r"^<!--[ \t]+\^ "}[
        form
    ]
    assert len(re.findall(count, page, re.M)) == len(files[0].equations) + len(files[0].unread)


@pytest.mark.parametrize("form", REPORT_FORMATS)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_what_a_learner_needs_stands_in_every_format(form, language):
    """The place, the digits that are right, all possible mistakes, the remark; in one line the first entry alone."""
    page = shown(one(cases.WEIGHTS, source=cases.SOURCE), form, language)
    digits = ("0.1562",) if form in ("lines", "annotated") else ("0.1562", "0.0702", "e^0.5")
    for said in (
        *digits,
        *(n.words.in_language(language).rstrip(".。") for n in cases.WEIGHTS.slips),
    ):
        assert said in page, said
    assert cases.EQUALS.words.in_language(language) in page
    assert re.search(r"\b7\b", page) or form == "annotated"


def test_mistakes_are_a_set_only_where_there_are_several():
    page = shown(one(cases.WEIGHTS), "terminal")
    assert "likely mistakes" in page
    assert "One of these would give the digits shown:" in page
    page = shown(one(cases.ONE), "terminal")
    assert re.search(r"likely mistake +A digit was copied wrongly\.", page)
    assert "One of these" not in page


@pytest.mark.parametrize(
    ("language", "is_said"), [("en", "Nothing has to be mended"), ("ja", "検査できた範囲に直すところはない。")]
)
def test_where_nothing_is_wrong_it_says_so_and_only_there(language, is_said):
    for form in ("terminal", "markdown"):
        assert is_said in shown(cases.CLEAN, form, language)
        assert is_said not in shown(cases.EVERYTHING, form, language)
        assert is_said not in shown(cases.EMPTY, form, language)
        unread = one(cases.UNPARSED)
        assert is_said not in shown(unread, form, language)  # nothing was checked
        assert is_said not in shown(Report((FileReport("a.md", error="no"),)), form, language)
    assert shown(cases.CLEAN, "lines") == ""
    assert "No equation was found." in shown(cases.EMPTY, "terminal")


# -- the entry is marked ------------------------------------------------------------------------------------
def marks(equation):
    found = finding_of(equation, "en")
    return [found.text[a:b] for a, b in found.marks], found.marks


def test_the_entries_that_are_not_right_are_marked_where_they_stand():
    assert marks(cases.WEIGHTS) == (["0.1664", "0.0701"], ((37, 43), (45, 51)))
    ((mark,), ((start, _),)) = marks(cases.MATRIX)
    assert mark == "1"
    assert cases.MATRIX.text[:start].endswith(r"\\ ")  # the third 1 of the line, not the first
    page = shown(one(cases.WEIGHTS), "terminal").splitlines()
    at = next(k for k, line in enumerate(page) if "softmax" in line)
    assert page[at].index("0.1664") == page[at + 1].index("^")
    assert page[at + 1].split() == ["^^^^^^", "^^^^^^"]


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("x ≈ [0.7736, 0.1664, 0.0701, 9]", "[0.7736, 0.1562, 0.0702]"),  # a number more than entries
        ("x ≈ [0.7736, 00.1664, 0.0701]", "[0.7736, 0.1562, 0.0702]"),  # the digits belong to another number
        ("x ≈ [0.7736, 0.16645, 0.0701]", "[0.7736, 0.1562, 0.0702]"),
        ("x ≈ [3/4, 0.1664, 0.0701]", "[0.7736, 0.1562, 0.0702]"),  # the first is not found
        ("x ≈ [a0.7736, 0.1664, 0.0701]", "[0.7736, 0.1562, 0.0702]"),  # a letter before or behind it
        ("x ≈ [0.7736, 0.1664x, 0.0701]", "[0.7736, 0.1562, 0.0702]"),
        ("x ≈ 0.1664", None),
    ],
)
def test_no_mark_where_it_is_not_certain(text, right):
    assert marks(replace(cases.WEIGHTS, text=text, right_value=right)) == ([], ())


def test_carets_stand_under_wide_letters():
    text = "漆器 ≈ [0.7736, 0.1664, 0.0701]"
    page = shown(one(replace(cases.WEIGHTS, text=text)), "terminal").splitlines()
    at = next(k for k, line in enumerate(page) if "漆器" in line)
    assert columns(page[at][: page[at].index("0.1664")]) == page[at + 1].index("^")
    assert columns("漆器e\u0301") == 5


def test_a_long_line_goes_on_below_with_its_marks():
    numbers = [f"0.{k:04}" for k in range(60)]
    entry = EntryVerdict(1, 50, "0.0049", "wrong", "0.5", cases.it_is("0.5"))
    right = [*numbers[:49], "0.5", *numbers[50:]]
    long = replace(
        cases.WEIGHTS, text=f"x ≈ [{', '.join(numbers)}]", right_value=f"[{', '.join(right)}]", entries=(entry,)
    )
    page = shown(one(long), "terminal").splitlines()
    ((at, under),) = [(k, line) for k, line in enumerate(page) if line.strip() and set(line.strip()) == {"^"}]
    assert page[at - 1][under.index("^") :].startswith("0.0049")
    assert all(columns(line) <= 100 for line in page[1:at])
    quoted = [
        line.removeprefix("    ") for line in page[1 : page.index("  1 of 60 entries is not right.")] if "^" not in line
    ]
    assert "".join(quoted) == long.text


def test_a_line_of_one_word_goes_on_where_it_has_to():
    """A space in front of a word that takes more than a line is no place to end the line at."""
    text = "x" * 96 + " " + "y" * 150
    page = shown(one(replace(cases.WEIGHTS, text=text, entries=())), "terminal").splitlines()
    quoted = [line.removeprefix("    ") for line in page if {" "} < set(line) <= {" ", "x", "y"}]
    assert quoted == ["x" * 96, " " + "y" * 95, "y" * 55]


def test_of_many_wrong_entries_the_first_are_shown_and_the_rest_counted():
    entries = tuple(
        EntryVerdict(i, j, "1", "wrong", "0", cases.it_is("0")) for i in (1, 2, 3, 4) for j in (1, 2, 3, 4, 5)
    )
    right = f"[{', '.join(['[0, 0, 0, 0, 0]'] * 4)}]"
    matrix = replace(cases.MATRIX, text="A = B", entries=entries, right_value=right)
    page = shown(one(matrix), "terminal")
    assert "20 of 20 entries are not right." in page
    assert page.count("1 should be 0") == 12
    assert "and 8 more entries" in page
    assert "row 3, column 2" in page
    assert "row 3, column 3" not in page
    assert "と" not in page
    assert "このほか 8 個の成分が正しくない。" in shown(one(matrix), "markdown", "ja")
    assert shown(one(matrix), "lines", "ja").endswith(
        "20 個の成分のうち 20 個が正しくない。第 1 行第 1 列：1 とあるが、正しくは 0。\n"
    )


@pytest.mark.parametrize("verdict", OPEN)
def test_of_what_is_not_decided_no_right_value_is_told(verdict):
    undecided = replace(cases.WEIGHTS, verdict=verdict, words=cases.UNDECIDED.words, code="deadline", slips=())
    for form in ("terminal", "lines", "markdown", "annotated"):
        page = shown(one(undecided, source=cases.SOURCE), form, strict=True, everything=True)
        assert "0.1562" not in page.replace(cases.SOURCE, "")
        assert "right value" not in page.lower()
        assert "^^" not in page
        assert "there was no time left" in page


# -- numbers at the end -------------------------------------------------------------------------------------------
def test_every_equation_is_counted_once():
    page = shown(cases.EVERYTHING, "terminal")
    counted = dict(re.findall(r"^([a-z][a-z ,]*?) {2,}(\d+)", page, re.M))
    assert counted == {
        "found": "19", "right": "6", "not right": "7", "marked as wrong, but right": "1", "wrong on purpose": "1",
        "undecidable": "1", "not read": "1", "nothing to check": "2", "places not read": "2", "files not checked": "1",
    }  # fmt: skip
    numbers = [int(counted[key]) for key in list(counted)[1:-2]]
    assert sum(numbers) == len(cases.EVERYTHING.equations) == 19
    assert re.search(r"^not read +1  name without a value 1$", page, re.M)
    assert re.search(r"^not right +7  wrong 3; last place wrong 1; follows from a wrong line 1;", page, re.M)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_columns_are_aligned_by_what_a_terminal_shows(language):
    page = shown(cases.EVERYTHING, "terminal", language)
    lines = [line for line in page.split("\n\n")[-1].splitlines() if not line.startswith(" ")]
    ends = {columns(re.match(r"^.*?  +\d+(?=  |$)", line).group()) for line in lines}
    assert len(ends) == 1


# -- a narrow terminal ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("width", [50, 60, 100])
def test_no_line_is_wider_than_the_terminal(language, width):
    page = shown(cases.EVERYTHING, "terminal", language, everything=True, width=width)
    assert max(columns(line) for line in page.splitlines()) <= width
    wide = shown(cases.EVERYTHING, "terminal", language, everything=True)
    assert re.sub(r"[\s^]+", "", page) == re.sub(r"[\s^]+", "", wide)  # nothing is left out


def test_where_something_is_open_it_is_counted_beside_nothing_to_mend():
    report = one(cases.RIGHT, cases.UNPARSED, cases.UNDECIDED, unread=cases.PLACES)
    assert "Nothing has to be mended in what could be checked. Not read or not decided: 4.\n" in shown(
        report, "terminal"
    )
    assert "読めないか判定できないところが 4 個ある。" in shown(report, "markdown", "ja")
    assert "Not read" not in shown(one(cases.RIGHT), "terminal")


# -- color ----------------------------------------------------------------------------------------------------------
def test_color_adds_nothing_but_color():
    plain = shown(cases.EVERYTHING, "terminal", everything=True)
    colored = shown(cases.EVERYTHING, "terminal", everything=True, color=True)
    assert "\x1b" not in plain
    assert colored.count("\x1b[31m") > len(cases.FAULTS)
    assert re.sub(r"\x1b\[\d+m", "", colored) == plain
    for form in ("lines", "markdown", "json", "annotated"):
        assert "\x1b" not in shown(cases.EVERYTHING, form, color=True)


# -- lines -----------------------------------------------------------------------------------------------------------
def test_a_line_has_place_verdict_and_message():
    assert shown(one(cases.LAST), "lines") == ("notes.md:14:7: last_place: The last place is not right: it is 0.67.\n")
    assert shown(one(cases.ONE), "lines") == (
        "notes.md:9:6: wrong: it is 1.41. likely mistake: A digit was copied wrongly.\n"
    )
    assert shown(one(cases.ONE), "lines", "ja") == (
        "notes.md:9:6: wrong: 正しくは 1.41 である。考えられる間違い：数字を写し間違えている。\n"
    )
    assert shown(one(cases.UNPARSED), "lines") == "notes.md:30:9: unparsed: [Score] is not defined.\n"


def test_languages_and_formats_are_known():
    with pytest.raises(UnreadableInput, match="language: expected en or ja"):
        shown(cases.CLEAN, "terminal", "fr")
    with pytest.raises(UnreadableInput, match="format: expected terminal, lines, markdown, json, annotated"):
        shown(cases.CLEAN, "html")


def test_both_languages_hold_the_same_numbers():
    numbers = r"\d+(?:\.\d+)?"
    for form in ("terminal", "markdown"):
        english, japanese = (shown(cases.EVERYTHING, form, language, everything=True) for language in ("en", "ja"))
        assert sorted(set(re.findall(numbers, english))) == sorted(set(re.findall(numbers, japanese)))


@pytest.mark.parametrize(
    ("equations", "code"),
    [(cases.FAULTS, "31"), ((cases.UNPARSED, cases.UNDECIDED), "33"), ((cases.RIGHT, cases.ROUNDED, cases.PROVED, cases.TESTED), "32")],
)  # fmt: skip
def test_only_what_is_right_is_green(equations, code):
    for equation in equations:
        page = shown(one(equation), "terminal", everything=True, color=True)
        assert re.match(r"\x1b\[1mnotes\.md:\d+:\d+\x1b\[0m  \x1b\[(\d+)m", page)[1] == code
