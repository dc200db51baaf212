"""Why an equation is not read, in both languages: the reader's message, and its code in Japanese."""

from __future__ import annotations

from symtransformer.checking.number_words import unparsed_words
from symtransformer.notation import Words
from symtransformer.reading.claimed_number_words import REFUSALS
from symtransformer.reading.problems import ReadingError

JAPANESE = {
    "unknown_name": "ここまでに定義されていない名前がある",
    "no_value": "値のない名前がある",
    "unknown_function": "知らない関数がある",
    "syntax": "式の形として読めないところがある",
    "incomplete": "式が途中で終わっている",
    "shapes": "大きさが合わない",
    "command": "意味の分からない命令がある",
    "character": "式に使えない文字がある",
    "ambiguous": "二通りに読める",
    "dots": "省略の点があり、値が定まらない",
    "subscript": "添字が読めない",
    "number_after": "数が記号なしに並んでいる",
    "after_slash": "分母がどこまでか定まらない",
    "thousands": "数の中にカンマがある",
    "two_superscripts": "肩の文字が二つ重なっている",
    "too_deep": "括弧の入れ子が深すぎる",
    "matrix": "行列として読めない",
    "environment": "行列でない環境がある",
    "exponent": "指数がどこまでか定まらないか、読めない指数である",
    "no_gradient": "この式には勾配がない",
}


def refusal(error: ReadingError) -> Words:
    """Not read, and why."""
    if error.code in REFUSALS and (error.code not in JAPANESE or error.message == REFUSALS[error.code].en):
        return unparsed_words(REFUSALS[error.code])
    japanese = JAPANESE.get(error.code, f"式として読めない（{error.code}）")
    if error.code == "shapes":
        return Words(f"The sizes do not fit: {error.message}.", f"大きさが合わない：{error.message}。")
    return unparsed_words(Words(error.message, japanese))
