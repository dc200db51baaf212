"""Reports made by hand: every verdict, lists and matrices, sets of mistakes, included files, hostile texts.

The numbers of softmax([2.1, 0.5, -0.3]) are 0.77506, 0.15648, 0.07016 (mpmath at 50 digits).
"""

from symtransformer.checking.equations import EntryVerdict, Equation, FileReport, Report, Unread
from symtransformer.checking.number_words import Note
from symtransformer.notation import Words


def same(text):
    return Words(text, text)


def it_is(value):
    return Words(f"Wrong: it is {value}.", f"誤り。正しくは {value} である。")


BASE_2 = Note("softmax_base_2", Words("Powers of 2 were taken, not of e.", "e の冪でなく 2 の冪を使っている。"))
NO_EXP = Note("no_exp", Words("The exponential was left out.", "指数関数を掛け忘れている。"))
EQUALS = Note(
    "equals_rounded",
    Words("An equals sign stands before a rounded value; write ≈.", "丸めた値の前に等号がある。≈ と書く。"),
)
ON_PURPOSE = Note(
    "expected_wrong",
    Words("It is marked as a deliberate mistake, and is not wrong.", "わざと誤りとする印があるが、誤りではない。"),
)
SAMPLE = Note(
    "sample_variance", Words("Right with the sample variance (n - 1).", "標本分散（n - 1 で割る）なら正しい。")
)
PLACE = Words("The last place is not right: it is 0.0702.", "最後の桁が違う。正しくは 0.0702 である。")

WEIGHTS = Equation(
    "notes.md", 7, 38, "softmax([2.1, 0.5, -0.3]) ≈ [0.7736, 0.1664, 0.0701]", "number", "wrong",
    Words("2 of 3 entries are not right. Entry (1, 2), shown as 0.1664: wrong: it is 0.1562.",
          "3 個の成分のうち 2 個が正しくない。成分 (1, 2)（0.1664）：誤り。正しくは 0.1562 である。"),
    local="wrong", from_start="wrong", right_value="[0.7736, 0.1562, 0.0702]",
    right_line="[e^2.1, e^0.5, e^-0.3] / (e^2.1 + e^0.5 + e^-0.3)",
    entries=(
        EntryVerdict(1, 2, "0.1664", "wrong", "0.1562", it_is("0.1562")),
        EntryVerdict(1, 3, "0.0701", "last_place", "0.0702", PLACE),
    ),
    slips=(BASE_2, NO_EXP),
    remarks=(EQUALS,),
)  # fmt: skip
ONE = Equation(
    "notes.md", 9, 6, "|k| = √2 ≈ 1.44", "number", "wrong", it_is("1.41"), "wrong", None, "1.41",
    slips=(Note("digits", Words("A digit was copied wrongly.", "数字を写し間違えている。")),),
)  # fmt: skip
MATRIX = Equation(
    "notes.md", 12, 9, r"K^\top = \begin{bmatrix} 1 & 0.5 \\ 1 & 1 \end{bmatrix}", "number", "wrong",
    Words("Entry (2, 1), shown as 1: wrong: it is 0.", "成分 (2, 1)（1）：誤り。正しくは 0 である。"),
    right_value="[[1, 0.5], [0, 1]]", entries=(EntryVerdict(2, 1, "1", "wrong", "0", it_is("0")),),
)  # fmt: skip
LAST = Equation(
    "notes.md", 14, 7, "2/3 ≈ 0.66", "number", "last_place",
    Words("The last place is not right: it is 0.67.", "最後の桁が違う。正しくは 0.67 である。"), "last_place", None, "0.67",
)  # fmt: skip
FOLLOWS = Equation(
    "notes.md", 15, 7, "2 · 0.66 ≈ 1.32", "number", "follows",
    Words("It follows from line 14, which is not right; the right value is 1.33.",
          "計算は合っているが、14 行目の誤りを引き継いでいる。正しい値は 1.33 である。"),
    "right", "wrong", "1.33", follows_from=14,
)  # fmt: skip
REFUTED = Equation(
    "notes.md", 18, 14, r"\partial L/\partial Q = dS^T K", "formula", "refuted",
    Words("Refuted: the sides differ at small numbers.", "誤り。小さな数で両辺が異なる。"),
    right_value="dS K / sqrt(d_k)",
    counterexample="n = 2, m = 3, d_k = 2, Q = [[1, 0], [2, 1]]: entry (1, 1) is 3/2, and 5 by the claim",
    against=Words("judged against the formula in line 3", "3 行目の式と比べた"),
)  # fmt: skip
SHAPES = Equation(
    "notes.md", 20, 5, "A = Q K", "number", "shapes",
    Words("The sizes do not fit: Q is 2 × 3, K is 4 × 3.", "大きさが合わない。Q は 2 × 3、K は 4 × 3 である。"),
    code="shapes",
)  # fmt: skip
PITFALL = Equation(
    "notes.md", 24, 7, "1/4 = 0.25", "number", "right", Words("Exactly right.", "厳密に正しい。"),
    expected_wrong=True, remarks=(ON_PURPOSE,),
)  # fmt: skip
FAULTS = (WEIGHTS, ONE, MATRIX, LAST, FOLLOWS, REFUTED, SHAPES, PITFALL)

GIVEN = Equation(
    "notes.md", 3, 3, "q = [1, 2]", "number", "definition", Words("Taken as given.", "与えられたものとする。")
)
RIGHT = Equation("notes.md", 4, 9, "q · q = 5", "number", "right", Words("Exactly right.", "厳密に正しい。"))
ROUNDED = Equation(
    "notes.md", 5, 9, "0.33 · 2 ≈ 0.66", "number", "right_if_rounded",
    Words("Right if rounded numbers are used.", "丸めた数を使えば正しい。"), right_value="0.67",
)  # fmt: skip
OTHER_WAY = Equation(
    "notes.md", 27, 9, "Var(x) ≈ 1.25", "number", "by_convention", SAMPLE.words, right_value="0.94", convention=SAMPLE
)
PROVED = Equation("notes.md", 28, 5, "A^T A = (A^T A)^T", "formula", "proved", Words("Proved.", "証明できる。"))
TESTED = Equation("notes.md", 29, 5, "f = g", "formula", "tested", Words("Tested at 3 points.", "3 点で確かめた。"))
UNPARSED = Equation(
    "notes.md", 30, 9, "[Score] = qk", "number", "unparsed",
    Words("Not read: [Score] is not defined.", "読めない。ここまでに定義されていない名前がある。"), code="unknown_name",
)  # fmt: skip
UNDECIDED = Equation(
    "notes.md", 31, 9, "sin(1e300) ≈ 0.12", "number", "undecidable",
    Words("Not decided: there was no time left.", "判定できない。時間切れになった。"), code="deadline",
)  # fmt: skip
SKIPPED = Equation(
    "notes.md",
    32,
    9,
    "1 = 2",
    "number",
    "skipped",
    Words("Left out, as the author asks.", "著者の指定により調べない。"),
)
PLANTED = Equation("notes.md", 33, 9, "1 + 1 = 3", "number", "wrong", it_is("2"), right_value="2", expected_wrong=True)
BEFORE, BEHIND = (GIVEN, RIGHT, ROUNDED), (OTHER_WAY, PROVED, TESTED, UNPARSED, UNDECIDED, SKIPPED, PLANTED)
PLACES = (
    Unread("unclosed", "a formula begins here and does not end", 26, 4),
    Unread("mark", "'skp' is no mark; known are: skip, expect wrong", 2, 1),
)

SOURCE = "\n".join(
    {
        2: "<!-- symtransformer: skp -->", 3: "$q = [1, 2]$", 4: "$q · q = 5$", 5: "0.33 · 2 ≈ 0.66",
        7: "重みは $softmax([2.1, 0.5, -0.3]) ≈ [0.7736, 0.1664, 0.0701]$", 9: "$|k| = √2 ≈ 1.44$", 12: "\t$K^T = ...",
        14: "$2/3 ≈ 0.66$", 15: "2 · 0.66 ≈ 1.32", 18: "$dL/dQ = ...$", 20: "$A = Q K$", 24: "$1/4 = 0.25$", 26: "  $x",
        33: "1 + 1 = 3",
    }.get(number, "")
    for number in range(1, 34)
)  # fmt: skip

EVERYTHING = Report(
    (
        FileReport("notes.md", (*BEFORE, *FAULTS, *BEHIND), PLACES, source=SOURCE),
        FileReport("clean.txt", (Equation("clean.txt", 1, 5, "1 + 1 = 2", "number", "right", RIGHT.words),), source="1 + 1 = 2"),
        FileReport("lost.tex", error="No such file or directory"),
    )
)  # fmt: skip
CLEAN = Report((EVERYTHING.files[1],))
EMPTY = Report((FileReport("empty.md"),))
INCLUDED = Report(
    (
        FileReport(
            "main.tex",
            (
                Equation("part.tex", 2, 3, "1 + 1 = 3", "number", "wrong", it_is("2")),
                Equation("main.tex", 3, 7, "1 + 2 = 4", "number", "wrong", it_is("3")),
            ),
            source="\\input{part}\r\n% 行\r\n\t1 + 2 = 4",
        ),
    )
)

# -- texts that try to get out of where they are shown ---------------------------------------------------------
HOSTILE = (
    "\x1b[31mred\x1b[0m \x1b]0;title\x07", "\u202eevil\u2066", "a\u200bb\ufeff", "line\r\nnext\u2028third\x85", "```\n# head",
    "`a``b`", "| a | b |", "<script>alert(1)</script> --> <!-- ", "[x](javascript:alert(1))", "@somebody #12 www.a.b https://a.b",
    "$x$ \\(y\\) *bold* __b__ ~~c~~", "\ud83d", "\0", "\x9b31m", "- - ---> --!>", "=1+1", "",
)  # fmt: skip


def hostile(text):
    """The text wherever a text of somebody's can stand."""
    words = Words(f"Wrong: {text}.", f"誤り：{text}。")
    note = Note("slip", words)
    equation = Equation(
        f"a{text}.md", 1, 1, f"x{text} = 1", "number", "wrong", words, "wrong", "wrong", f"[1{text}, 2]", f"l{text}",
        (EntryVerdict(1, 1, f"1{text}", "wrong", text, words),), None, (note, note), f"c{text}", words, (note,), "", 3,
    )  # fmt: skip
    unparsed = Equation(f"a{text}.md", 2, 1, text, "number", "unparsed", words, code=f"code{text}")
    place = Unread(f"c{text}", f"m{text}", 1, 1)
    return Report((FileReport(f"a{text}.md", (equation, unparsed), (place,), source=f"x = 1\n{text}\n"),))
