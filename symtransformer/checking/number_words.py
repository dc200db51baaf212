"""What is said of a claimed number: the words of every verdict and note, in both languages."""

from __future__ import annotations

from dataclasses import dataclass

from symtransformer.notation import Words

UNPARSED, UNDECIDABLE, RIGHT = "unparsed", "undecidable", "right"
RIGHT_IF_ROUNDED, FOLLOWS, LAST_PLACE, WRONG = "right_if_rounded", "follows", "last_place", "wrong"
KINDS = (UNPARSED, UNDECIDABLE, RIGHT, RIGHT_IF_ROUNDED, FOLLOWS, LAST_PLACE, WRONG)  # the first that applies


@dataclass(frozen=True)
class Note:
    """A remark on a verdict: its name, and what it says."""

    name: str
    words: Words


EQUALS_ROUNDED = Note(
    "equals_rounded",
    Words("An equals sign stands before a rounded value; write ≈.", "丸めた値の前に等号がある。≈ と書く。"),
)
NEGATIVE_ZERO = Note(
    "negative_zero", Words("A rounded 0 is shown with a minus sign.", "丸めて 0 になった値に負号が付いている。")
)
HALF_WAY = Note(
    "half_way",
    Words(
        "The value lies exactly half way between two roundings; both count as right.",
        "値は二つの丸めのちょうど中間にあり、どちらも正しいとみなす。",
    ),
)
WHOLE_ZEROS = Note(
    "whole_zeros",
    Words(
        "The zeros at the end are taken for places, not for digits that are known.",
        "末尾の 0 は位取りを表すだけで、有効な桁ではないと読んだ。",
    ),
)
NOT_FROM_SHOWN_OPERANDS = Note(
    "not_from_shown_operands",
    Words(
        "The rounded values shown do not give this result; computed from the start without rounding, it comes out.",
        "示された丸めた値からはこの結果にならないが、丸めずに最初から計算すればこの結果になる。",
    ),
)
SIGN = Note("sign", Words("With the other sign it would be right.", "符号が逆なら正しい。"))
PERCENT = Note(
    "percent",
    Words(
        "It is off by a factor of 100, as where a percent sign is left out or added.",
        "100 倍ずれている。百分率の記号の付け忘れや付けすぎで起こる。",
    ),
)
PADDED_ZEROS = Note(
    "padded_zeros",
    Words("Without the zeros at its end it would be right.", "末尾の 0 がなければ正しい。"),
)
CLAIMS_EXACTNESS = Note(
    "claims_exactness",
    Words(
        "Written as a fraction, a root or a power of ten, it claims to be exact.",
        "分数、根号、10 の冪で書かれた数は、厳密に等しいという主張になる。",
    ),
)
TRUNCATED = Note(
    "truncated",
    Words(
        "The digits were cut off where the last one had to be rounded up.",
        "最後の桁を切り上げるところで切り捨てている。",
    ),
)
ROUNDED_AWAY = Note(
    "rounded_away",
    Words(
        "The last digit was rounded up, though the next one is less than 5.",
        "次の桁が 5 未満なのに、最後の桁を切り上げている。",
    ),
)
ONE_UNIT = Note("one_unit", Words("It is one unit of the last place off.", "最後の桁が 1 だけずれている。"))
FLOAT_NOISE = Note(
    "float_noise",
    Words(
        "These are the digits of a binary number next to it, as programs print them.",
        "プログラムが表示する 2 進浮動小数点数の桁で、その誤差の範囲で正しい。",
    ),
)
NOT_FIRST_DIGITS = Note(
    "not_first_digits",
    Words(
        "Dots after the digits say that these are the first digits of the value; they are not.",
        "数字の後の点は値の先頭の桁であることを示すが、そうなっていない。",
    ),
)

COMMAS = {
    "thousands": Note(
        "comma_thousands",
        Words("Its commas are read as declared: they group thousands.", "カンマは、宣言のとおり桁区切りと読んだ。"),
    ),
    "decimal": Note(
        "comma_decimal",
        Words("Its comma is read as declared: it is the decimal sign.", "カンマは、宣言のとおり小数点と読んだ。"),
    ),
}


def factor_of_ten(places: int) -> Note:
    """The decimal point stands so many places too far to the right, or to the left where that is negative."""
    count, side, side_ja = abs(places), "right" if places > 0 else "left", "右" if places > 0 else "左"
    many = "place" if count == 1 else "places"
    return Note(
        "factor_10",
        Words(
            f"The decimal point stands {count} {many} too far to the {side}.",
            f"小数点が {count} 桁だけ{side_ja}にずれている。",
        ),
    )


# -- verdicts -----------------------------------------------------------------------------------------------
RIGHT_WORDS = Words("Right to the digits shown.", "示された桁まで正しい。")
EXACTLY_RIGHT = Words("Exactly right.", "厳密に正しい。")
UNDEFINED_RIGHT = Words("Right: the value is undefined.", "正しい。値は定義されない。")
INFINITE_RIGHT = Words("Right: the value is infinite.", "正しい。値は無限大である。")


def unparsed_words(reason: Words) -> Words:
    return Words(f"Not read: {reason.en}.", f"読めない。{reason.ja}。")


def undecided_for(reason: Words) -> Words:
    return Words(f"Not decided: {reason.en}.", f"判定できない。{reason.ja}。")


def undecided_words(code: str, boundary: str, bits: int) -> Words:
    if code == "deadline":
        return Words("Not decided: there was no time left.", "判定できない。時間切れになった。")
    if code == "no_value":
        return Words("Not decided: there is no value to compare with.", "判定できない。比べる値がない。")
    return Words(
        f"Not decided: the value and {boundary} are not told apart with {bits} bits, nor proved equal.",
        f"判定できない。値と {boundary} は {bits} ビットでも区別できず、等しいことも証明できない。",
    )


def from_shown_words(right: Words) -> Words:
    return Words(
        f"Right if rounded numbers are used: the numbers shown give it; without rounding in between it is {right.en}.",
        f"丸めた数を使えば正しい。表示された数からはこの値になるが、途中で丸めなければ {right.ja} である。",
    )


def rounded_words(places: int, right: Words) -> Words:
    many = "decimal" if places == 1 else "decimals"
    return Words(
        f"Right if every intermediate result is rounded to {places} {many}; without that it is {right.en}.",
        f"途中の結果をすべて小数第 {places} 位に丸めれば正しい。丸めなければ {right.ja} である。",
    )


def follows_words(line: str, right: Words | None) -> Words:
    """Without a right value where nothing reaches back to the start; the line is a number or a name."""
    there, there_ja = (f"line {line}", f"{line} 行目") if line.isdigit() else (line, f" {line} ")
    if right is None:
        return Words(
            f"It follows from {there}, which is not right.",
            f"計算は合っているが、{there_ja}の誤りを引き継いでいる。",
        )
    return Words(
        f"It follows from {there}, which is not right; the right value is {right.en}.",
        f"計算は合っているが、{there_ja}の誤りを引き継いでいる。正しい値は {right.ja} である。",
    )


def last_place_words(right: Words) -> Words:
    return Words(f"The last place is not right: it is {right.en}.", f"最後の桁が違う。正しくは {right.ja} である。")


def off_by_one_words(right: Words) -> Words:
    return Words(
        f"Wrong by 1 in the last place: it is exactly {right.en}.",
        f"最後の桁が 1 だけ違う。丸めではなく、ちょうど {right.ja} である。",
    )


def only_rounded_words(more: Words, claim: str) -> Words:
    return Words(
        f"Not equal: it is {more.en}, which is only rounded to {claim}; behind = a whole number stands for itself, so write ≈.",
        f"等しくない。値は {more.ja} で、丸めると {claim} になるだけである。= の後の整数はその数ちょうどを表すので、≈ と書く。",
    )


def wrong_words(right: Words) -> Words:
    return Words(f"Wrong: it is {right.en}.", f"誤り。正しくは {right.ja} である。")


UNDEFINED_VALUE = Words("undefined", "定義されない値")
NOT_SHOWN = Words("a number that is not decided to this place", "この桁までは定まらない数")
