"""What is said of an equation as a whole, in both languages."""

from __future__ import annotations

from collections.abc import Sequence

from symtransformer.checking.equations import EntryVerdict
from symtransformer.checking.number_words import UNDECIDABLE, Note
from symtransformer.enclosures import BITS
from symtransformer.notation import Words

DEFINED = Words("Taken as given.", "与えられたものとする。")
DEFINED_FORMULA = Words("A formula is given.", "式による定義である。")
SKIPPED = Words("Left out, as the author asks.", "著者の指定により調べない。")
AGREE = Words(
    f"Tested, not proved: both sides agree to {BITS[-1]} bits.",
    f"両辺は {BITS[-1]} ビットまで一致する（証明はしていない）。",
)
EQUAL = Words("Right: both sides are equal.", "正しい。両辺は等しい。")
NUMBERS_PUT_IN = Words("Right: the numbers put in are right.", "正しい。代入した数はどれも正しい。")
TERMS_RIGHT = Words("Right: every term is right to the digits shown.", "正しい。どの項も示された桁まで正しい。")
NO_MEANING = Words("Not decided: one side has no value.", "判定できない。値のない辺がある。")
NEITHER_HAS_VALUE = Words(
    "Not decided: neither side has a finite value, so there is nothing that could be equal.",
    "判定できない。どちらの辺も有限な値を持たないので、等しいかどうかを問えない。",
)
NOT_TOLD = Words(
    "Not decided: taken exactly, the numbers on this line give another value; if they were rounded, it may be right.",
    "判定できない。この行の数をそのまま使うと別の値になるが、丸めた数なら正しいこともありうる。",
)
STRUCK = Words("Not read: a part of it is struck out.", "読めない。式の一部が消されている。")
NOT_WHOLE = Words("Not read: where the left side begins is not clear.", "読めない。左辺がどこから始まるか定まらない。")
NUMBER_BEHIND = Words(
    "Not read: the number in brackets at the end is a factor, or the number of the equation; write · for a product.",
    "読めない。末尾の括弧内の数が因数か式番号か定まらない。積なら · と書く。",
)
UNIT = Words(
    "Not decided: a letter or a word behind a number may be a unit, or a factor.",
    "判定できない。数の後の文字や語は単位とも因数とも読める。",
)
OF_SIZES = Words(
    "Not decided: it may be said of the sizes of matrices, and not of numbers.",
    "判定できない。数ではなく、行列の大きさについて述べているとも読める。",
)
CONSTANT = Words(
    "Not decided: e or π may be the constant, or what the document gives for it.",
    "判定できない。e や π が定数か、文書で与えた値か定まらない。",
)
OWN_ENCODING = Words(
    "Not decided: PE(a, b) may count from another position or column, or be laid out in another way.",
    "判定できない。PE(a, b) の位置や列の数え方、正弦と余弦の並べ方は文書によって違う。",
)
DENIED = Words(
    "Not judged: the document itself says that it does not hold.",
    "判定しない。文書自身が、成り立たないと述べている。",
)
DENIED_AND_RIGHT = Note(
    "denied",
    Words(
        "The words beside it seem to say that it does not hold, but it does.",
        "成り立たないと書かれているようだが、成り立つ。",
    ),
)
ASKED = Words("Not judged: it is a question.", "判定しない。問いかけである。")
BARS = Words(
    "Not decided: bars around a letter may be the absolute value of each entry, or a norm.",
    "判定できない。文字を囲む縦線は成分ごとの絶対値ともノルムとも読める。",
)
NOT_ADDING_UP = Words(
    "Not decided: it holds only for values that add up to 1, and those given before do not.",
    "判定できない。合計が 1 の値でだけ成り立つが、前に与えられた値の合計は 1 ではない。",
)
CONDITIONAL = Words(
    "Not decided: it is said under a condition on one of its names.",
    "判定できない。式の中の名前についての条件のもとで述べられている。",
)
ONLY_SUPPOSED = Words(
    "Not judged: the sentence supposes it, or says what would follow if it were so.",
    "判定しない。仮定として、または仮にそうなら何が言えるかとして述べられている。",
)
SUPPOSED_OR_NOT = Words(
    "Not decided: a name in it was supposed to have another value, and it is right by one of the two.",
    "判定できない。名前の一つに別の値が仮定されており、一方の値では正しい。",
)
IN_PASSING = Words(
    "Not decided: a sentence mentions another value of a name in it, and it is right by one of the values only.",
    "判定できない。式の中の名前に文中で別の値が挙げられており、どの値でも正しいわけではない。",
)
ANOTHER_OR_WRONG = Words(
    "Not decided: the name has another value, so this may give it a new one, or be wrong.",
    "判定できない。この名前にはすでに別の値があり、新しい値を与えているのか、誤りなのかが分からない。",
)
GIVEN_LATER = Words(
    "Not decided: the same sentence gives a name in it another value, which may be meant here too.",
    "判定できない。同じ文の後で、式の中の名前に別の値が与えられており、その値を指すかもしれない。",
)
LISTS = Words(
    "Not decided: + between lists may add them, or put one behind the other.",
    "判定できない。リストの間の + は和とも連結とも読める。",
)
OTHER_ARITHMETIC = Words(
    "Not decided: the sentence speaks of remainders, or of digits to another base.",
    "判定できない。剰余や、十進でない表記についての文である。",
)
HOW_NEAR = Words(
    "Not decided: ≈ before an exact number does not say how near it is meant.",
    "判定できない。≈ の後が厳密な数なので、どの程度近いという意味か定まらない。",
)
NORM_PARAMETERS = Words(
    "Not decided: the document gives γ or β a value, and the norm is written without them.",
    "判定できない。文書では γ や β に値が与えられているが、正規化の式には書かれていない。",
)
PERCENT = Words(
    "Right in percent, as the number is told: it counts hundredths.",
    "正しい。書かれているとおり、数の単位はパーセント（100 分の 1）である。",
)
OTHER_HUNDREDTHS = Words(
    "Not decided: the number alone would be right, but the words beside it make hundredths of it.",
    "判定できない。数だけなら正しいが、添えられた語によれば数の単位は 100 分の 1 である。",
)
POINTS = Words(
    "Right in percentage points, of which the sentence speaks: the number counts hundredths.",
    "正しい。文中にあるとおり、数の単位はパーセントポイント（100 分の 1）である。",
)
PERCENT_OF_IT = Words(
    "Not decided: it is right if the percentage is one of the number before it, as on a pocket calculator.",
    "判定できない。電卓のように、百分率を直前の数に対する割合とみれば正しい。",
)
DERIVATIVE_SOMEWHERE = Words(
    "Not decided: the number may be the derivative at one place.",
    "判定できない。この数は、ある点での微分係数かもしれない。",
)
LOGISTIC = Words(
    "Right with σ as the logistic function, 1/(1 + e^(−x)).",
    "σ をロジスティック関数（シグモイド）1/(1 + e^(−x)) とすれば正しい。",
)
OWN_FUNCTION = Words(
    "Not decided: the document may mean a function of its own by this name.",
    "判定できない。この名前は文書独自の関数かもしれない。",
)
ONLY_HERE = Words(
    "Not decided: it holds for the value that was given, and not for others.",
    "判定できない。与えられた値では成り立つが、ほかの値では成り立たない。",
)
TOO_LONG = Words("Not decided: there was no time left.", "判定できない。時間切れになった。")
FOUND_RIGHT = Note(
    "expected_wrong",
    Words("It is marked as a deliberate mistake, and is not wrong.", "わざと誤りとする印があるが、誤りではない。"),
)


def not_of_expression(value: str) -> Words:
    return Words(
        f"Wrong: the number is right for what the line begins with, but the expression before it has the value {value}.",
        f"誤り。数は行頭のものの値としては正しいが、その前の式の値は {value} である。",
    )


RESULT_ONLY = Note(
    "result_right_expression_wrong",
    Words(
        "The result is right, but the expression before it has another value.",
        "結果は正しいが、その前の式の値は別の数になる。",
    ),
)
NO_SLIP = Note(
    "no_slip", Words("No slip that is known here gives these digits.", "この値になる典型的な誤りは見つからない。")
)
SLIPS_OPEN = Note(
    "slips_open",
    Words(
        "Not all slips that are known here were tried: the time was up.",
        "典型的な誤りをすべては試していない（時間切れ）。",
    ),
)


def of_entries(kind: str, entries: Sequence[EntryVerdict], count: int, alone: Words) -> Words:
    """How many entries are not right, and what is said of the first."""
    named = [entry for entry in entries if entry.verdict == kind]
    if not named:
        return alone
    first = named[0]
    place = f"({first.row}, {first.column})"
    english = f"Entry {place}, shown as {first.shown}: {_lowered(first.words.en)}"
    japanese = f"成分 {place}（{first.shown}）：{first.words.ja}"
    if kind == UNDECIDABLE and len(entries) > 1:
        english = f"{len(entries)} of {count} entries are not decided. {english}"
        japanese = f"{count} 個の成分のうち {len(entries)} 個が判定できない。{japanese}"
    elif len(entries) > 1:
        english = f"{len(entries)} of {count} entries are not right. {english}"
        japanese = f"{count} 個の成分のうち {len(entries)} 個が正しくない。{japanese}"
    return Words(english, japanese)


def _lowered(text: str) -> str:
    return text[0].lower() + text[1:]


def unequal(right: str) -> Words:
    return Words(f"Wrong: the sides differ; the left side is {right}.", f"誤り。両辺が違う。左辺は {right} である。")


def sizes_differ(left: tuple[int, int], right: tuple[int, int]) -> Words:
    one, other = (" × ".join(map(str, shape)) for shape in (left, right))
    return Words(
        f"The sizes do not fit: the value is {one}, what is shown is {other}.",
        f"大きさが合わない。値は {one}、書かれているのは {other} である。",
    )


def size_told(told: tuple[int, ...], given: tuple[int, int], count: int) -> Words:
    size = " × ".join(map(str, told)) if count == 2 else f"a vector of {told[1]}"
    size_ja = " × ".join(map(str, told)) if count == 2 else f"長さ {told[1]} のベクトル"
    shown = " × ".join(map(str, given))
    return Words(
        f"The sizes do not fit: the document says it is {size}, what is given for it is {shown}.",
        f"大きさが合わない。文書によれば {size_ja} だが、与えられているのは {shown} である。",
    )


SUPPOSED = Note(
    "supposed",
    Words(
        "It is another value than the given one, and taken to hold for this sentence only.",
        "与えられた値と異なるので、この文だけの仮定とみなす。",
    ),
)


def own_letter(name: str) -> Words:
    return Words(
        f"Not decided: {name} is usually a number or a fixed matrix, and the document means another thing by it.",
        f"判定できない。{name} はふつう数や決まった行列を表すが、この文書では別のものを表している。",
    )


def not_read_before(name: str, line: int) -> Words:
    return Words(
        f"Not decided: what line {line} says of {name} could not be read.",
        f"判定できない。{name} についての {line} 行目が読めなかった。",
    )


def another_base(line: int) -> Words:
    return Words(
        f"Not decided: it would be right to another base than the one that makes line {line} right, and none is said.",
        f"判定できない。{line} 行目が正しくなる底とは別の底なら正しいが、底はどこにも書かれていない。",
    )


def beyond(name: str, rows: int, columns: int) -> Words:
    return Words(
        f"Not decided: the matrix that {name} would be a part of is {rows} × {columns}, and has no such part.",
        f"判定できない。{name} を含むはずの行列は {rows} × {columns} で、その番号の成分や行はない。",
    )


def another_row(name: str, rows: int) -> Note:
    return Note(
        "another_row",
        Words(
            f"The matrix that {name} could be a row of has {rows} rows; it is taken for a name of its own.",
            f"{name} が表すかもしれない行列の行は {rows} 個なので、別の名前とみなす。",
        ),
    )


def redefined(line: int) -> Note:
    return Note(
        "redefined",
        Words(f"It replaces what line {line} gave for it.", f"{line} 行目で与えた値を置き換える。"),
    )


def row_sum(row: int, total: str) -> Note:
    return Note(
        "row_sum",
        Words(
            f"The weights in row {row} add up to {total}, not to 1.",
            f"{row} 行目の重みの和は {total} で、1 になっていない。",
        ),
    )
