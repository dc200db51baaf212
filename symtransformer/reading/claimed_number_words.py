"""Why a claimed number is not read, by code, in both languages."""

from __future__ import annotations

from symtransformer.notation import Words
from symtransformer.reading.limits import DIGITS, EXPONENT, FORMULA_CHARACTERS

REFUSALS: dict[str, Words] = {
    "empty": Words("no number stands here", "数が書かれていない"),
    "too_long": Words(f"more than {FORMULA_CHARACTERS} characters", f"{FORMULA_CHARACTERS} 文字を超えている"),
    "too_many_digits": Words(f"a number of more than {DIGITS} digits", f"{DIGITS} 桁を超える数"),
    "exponent": Words(f"a power of ten beyond 10^{EXPONENT}", f"10^{EXPONENT} を超える 10 の冪"),
    "comma": Words(
        "a comma or gap inside a number groups thousands or stands for the point; say which, or write neither",
        "数の中のカンマや空きが桁区切りか小数点か定まらない。どちらかを指定するか、使わずに書く",
    ),
    "point": Words(
        "a comma is the decimal sign here, so a point has no single meaning",
        "ここではカンマが小数点なので、点の意味が定まらない",
    ),
    "thousands": Words("groups of thousands have three digits each", "桁区切りのカンマは 3 桁ごとに置く"),
    "number": Words("a number has one decimal point, with digits on both sides", "小数点は一つで、前後に数字が要る"),
    "ellipsis": Words("dots that go on need decimals before them", "続きを表す点の前に小数部分が要る"),
    "sign": Words("one sign, + or -, stands before a number", "数の前の符号は + か - の一つだけ"),
    "digits": Words("digits are 0 to 9 only", "数字は 0 から 9 だけを使う"),
    "two_numbers": Words("two numbers side by side", "数が二つ並んでいる"),
    "mixed": Words(
        "a whole number beside a fraction is a sum or a product; write which",
        "整数と分数が並び、和か積か定まらない。どちらかを書く",
    ),
    "fraction": Words(
        "what stands below the slash is not clear; use brackets", "分母がどこまでか定まらない。括弧を使う"
    ),
    "braces": Words(r"in LaTeX, braces say how far \frac, \sqrt or ^ reach", r"\frac、\sqrt、^ の範囲は波括弧で示す"),
    "root": Words("the square root of a negative number", "負の数の平方根"),
    "division_by_zero": Words("a division by 0", "0 での割り算"),
    "form": Words("this is not a single number", "一つの数として読めない"),
}
