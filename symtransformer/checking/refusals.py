"""Why an equation is not read, in both languages: the reader's message, and in Japanese what it says, with its names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from symtransformer.checking.number_words import undecided_for, unparsed_words
from symtransformer.notation import Words
from symtransformer.reading.claimed_number_words import REFUSALS
from symtransformer.reading.problems import ReadingError

Lacks = Callable[[str], str]
JAPANESE = {
    "after_slash": "分母がどこまでか定まらない",
    "ambiguous": "二通り以上に読める",
    "approximate": "丸めた数を含む式である",
    "arguments": "引数の数か種類が合わない",
    "axis": "どの軸に沿った計算か定まらない",
    "big_o": "O(…) は増え方を表すもので、検算の対象ではない",
    "braces": "範囲を波括弧で示す必要がある",
    "brackets": "関数がどこまで掛かるか定まらない。括弧を使う",
    "character": "式の中では意味を持たない文字がある",
    "column": "列ベクトルか行ベクトルか定まらない",
    "comma": "カンマの意味が定まらない",
    "command": "式の中では意味を持たない命令がある",
    "degrees": "度の記号は数のすぐ後に置く",
    "dots": "省略の点があり、値が定まらない",
    "empty": "式が書かれていない",
    "environment": "行列でない環境がある",
    "exponent": "指数がどこまでか定まらないか、読めない指数である",
    "fraction": "分数の分子と分母がどこまでか定まらない",
    "incomplete": "式が途中で終わっている",
    "index": "添字か冪か、またはどの番号かが定まらない",
    "infinity": "∞ は行列の成分か、単独でしか使えない",
    "keyword": "引数の名前が読めない",
    "lines": "式は一つだけ書く",
    "list_after": "数や式のすぐ後に並びがある",
    "matrix": "行列かどうか、またはどの行列かが定まらない",
    "name": "名前として読めない",
    "no_gradient": "この式には勾配がない",
    "no_value": "値のない名前がある",
    "number": "数か行列か、または数の書き方が合わない",
    "number_after": "数が記号なしに並んでいる",
    "number_and_matrix": "数と行列は足せない",
    "one_number": "一つの数が要るところである",
    "ones": "1 を並べたものの大きさが定まらない",
    "power": "e の冪は exp(…) と書く",
    "prime": "プライムは転置を表さない。K^T と書く",
    "refused": "この計算には使えない値や大きさである",
    "root": "根号がどこまでか、または何乗根かが定まらない",
    "sign": "符号が続いている。括弧を使う",
    "single": "一つの値にならない",
    "size": "大きさが定まらない",
    "subscript": "添字が読めない",
    "sum": "総和の範囲か、動く添字が定まらない",
    "superscript": "肩の文字が何を表すか定まらない",
    "syntax": "式の形として読めないところがある",
    "thousands": "数の中にカンマがある",
    "too_deep": "括弧の入れ子が深すぎる",
    "too_large": "行列が大きすぎる",
    "too_long": "式が長すぎる",
    "twice": "同じ引数が二度与えられている",
    "two_superscripts": "肩の文字が二つ重なっている",
    "undefined": "定義されない値は、単独か行列の成分でしか使えない",
    "unit": "数のすぐ後の文字が単位かどうか定まらない",
    "unknown_function": "読み方の定まらない関数がある",
    "unknown_name": "ここまでに定義されていない名前がある",
    "vectors": "二つのベクトルの積の意味が定まらない",
}
FITTING = {"product": "積", "product entry by entry": "成分ごとの積", "sum": "和", "inner product": "内積"}

_NAMED = [  # what a message says of a name, and that in Japanese
    (r"(?:a name no line defines: )?'(.+?)' is not defined before this", "{0} はここまでに定義されていない"),
    (r"'(.+?)' is nothing that is known here", "{0} が何を表すか、ここまでに書かれていない"),
    (r"(\S+) is nothing that is known here", "{0} が何を表すか、ここまでに書かれていない"),
    (r"(.+) has no value here", "{0} にはまだ値がない"),
    (r"no operation is called '(.+?)'", "{0} という演算は知られていない"),
    (r"the character (U\+\w+) has no meaning", "文字 {0} は式の中では意味を持たない"),
    (r"the command '(.+?)' has no meaning", "命令 {0} は式の中では意味を持たない"),
    (r"'(.+?)' has no meaning", "{0} は式の中では意味を持たない"),
    (r"'(.+?)' cannot stand here", "{0} はここに置けない"),
    (r"'(.+?)' behind a number", "数のすぐ後の {0} が単位かどうか定まらない"),
    (r"'(.+?)' is no name", "{0} は名前として読めない"),
    (r"'(.+?)' is a number; a matrix", "{0} は数である。ここには行列が要る"),
    (r"max is read of", "max は書かれた数についてか、max(0, x) の形だけを読む"),
    (r"min is read of", "min は書かれた数についてだけ読む"),
    (r"argmax counts", "argmax の番号が 0 からか 1 からか定まらない"),
    (r"(\w+) is not read", "{0} は読まない"),
    (r"(\w+) needs brackets", "{0} には括弧が要る"),
    (r"how far (\S+) goes is not clear", "{0} がどこまで掛かるか定まらない。括弧を使う"),
    (r"(\w+) takes one argument", "{0} の引数は一つである"),
    (r"(\w+) takes two matrices", "{0} の引数は二つの行列である"),
    (r"(\w+) is counted twice", "{0} が二度動いている"),
    (r"(\w+) is given twice", "{0} が二度与えられている"),
    (r"the expression is not complete; (.+) is missing", "式が途中で終わっている。{0} が足りない"),
    (r"how far (\w+) goes is not told", "{0} がどこまで動くか定まらない"),
    (r"there are indices on the right side and none", "右辺には添字があるのに左辺にはない"),
    (r"there are indices on the left side and none", "左辺には添字があるのに右辺にはない"),
    (r"a number and a matrix are not added", "数と行列は足せない"),
]
_SIZE = re.compile(r"([^,;:]+(?:\[.*?\])?|\[\[.*?\]\]|\[.*?\]) is (\S+) x (\S+?)(?=[,;]|$)")
_EQUAL = re.compile(r"(?:in an? ([a-z ]+), )?(\S+) and (\S+) must be equal")


def refusal(
    error: ReadingError, lines: Mapping[str, int] | None = None, is_open: bool = False, lacks: Lacks = lambda name: ""
) -> Words:
    """Not read, or not decided, and why; `lines` says where the document has a formula for a name, and `lacks` what has
    no value in it."""
    head = undecided_for if is_open else unparsed_words
    message = plain(error.message)
    named = re.match(r"'(.+?)' is not defined before this", message)
    if named and (line := (lines or {}).get(name := named.group(1))) is not None:
        missing = lacks(name)
        there = Words(
            f"line {line} has a formula for {name}, but {name} has no value yet"
            + (f", as {missing} has none" if missing else ""),
            f"{line} 行目に {name} の式はあるが、"
            + (f"{missing} の値がないので、" if missing else "")
            + f"{name} の値はまだない",
        )
        return head(there)
    if error.code == "shapes":
        return Words(f"The sizes do not fit: {message}.", f"大きさが合わない。{_sizes_in_japanese(message)}。")
    return head(Words(message, in_japanese(error.code, message)))


def plain(message: str) -> str:
    """The message with commands as they are written, and not as Python quotes them."""
    return re.sub(r"; known are: .*", "", message.replace("\\\\", "\\"), flags=re.DOTALL).removesuffix(".")


# why something is not computed, as far as the message tells it
REASONS = [
    (r"(?:.*: )?−∞ times a number that is not positive", "−∞ に正でない数を掛けている"),
    (r"(?:.*: )?an entry is \+∞", "+∞ になる成分がある"),
    (r".*infinite|.*∞", "無限大になる成分がある"),
    (r".*takes \(.*missing: (.+)", "引数が足りない（{0}）"),
    (r".*takes \(", "引数の数が合わない"),
    (r".*(?:undefined|not defined|division by|divided by 0|zero)", "値が定義されない"),
    (r".*(?:too large|too many|more than|at most|limit)", "大きさの上限を超える"),
    (r".*(?:must be equal|sizes|size| x )", "大きさが合わない"),
]


def reason_of(error: BaseException) -> Words:
    """Why something could not be computed, as a clause."""
    message = plain(" ".join(str(error).split())) or type(error).__name__
    code = getattr(error, "code", "")
    if code in JAPANESE or code in REFUSALS or code == "shapes":
        return Words(message, in_japanese(code, message))
    for pattern, japanese in REASONS:
        if found := re.match(pattern, message):
            return Words(message, japanese.format(*found.groups()))
    return Words(message, "この式の値を求める方法がない")


def in_japanese(code: str, message: str) -> str:
    """A reader's message as a clause in Japanese, with the name that it speaks of.

    >>> print(in_japanese("unknown_name", "'y' is not defined before this"))
    y はここまでに定義されていない
    >>> print(in_japanese("shapes", "K is 2 x 3, V is 4 x 5; 3 and 4 must be equal"))
    K は 2 × 3、V は 4 × 5 で、3 と 4 は等しくなければならない
    """
    message = plain(message)
    if code == "shapes":
        return _sizes_in_japanese(message)
    for pattern, japanese in _NAMED:
        if found := re.match(pattern, message):
            return japanese.format(*found.groups())
    if code in REFUSALS and (code not in JAPANESE or message == REFUSALS[code].en):
        return REFUSALS[code].ja
    clause = JAPANESE.get(code, "式として読めないところがある")
    quoted = re.search(r"'([^']+)'", message)
    return f"{clause}（{quoted.group(1)}）" if quoted else clause


def _sizes_in_japanese(message: str) -> str:
    """Which sizes there are, and which of them must be equal, as far as the message says it."""
    message, only, where = message.removeprefix("the sizes do not fit: ").partition("; they fit only if ")
    return _fitting(message) + (f"（{where} のときだけ合う）" if only else "")


def _fitting(message: str) -> str:
    sizes = "、".join(f"{name.strip()} は {rows} × {columns}" for name, rows, columns in _SIZE.findall(message))
    if found := _EQUAL.search(message):
        where, one, other = found.groups()
        first = f"{sizes} で、" if sizes else f"{FITTING[where]}では、" if where in FITTING else ""
        if one == "both":
            return f"{first}同じ大きさでなければならない"
        return f"{first}{one} と {other} は等しくなければならない"
    if found := re.search(r"(\S+) x (\S+), beside (\S+) x (\S+)", message):
        return "{} × {} と {} × {} は合わない".format(*found.groups())
    if "both must be equal" in message:
        return f"{sizes} で、同じ大きさでなければならない"
    if "square matrix" in message:
        return f"{sizes}：冪は正方行列にだけある"
    if found := re.match(r"row 1 has (\d+) entries, and this one has (\d+)", message):
        return "1 行目の成分は {} 個、この行は {} 個である".format(*found.groups())
    if found := re.match(r"index (.+) of a matrix of size (\S+) x (\S+)", message):
        return "{} × {} の行列に番号 {} の成分はない".format(*(found.group(k) for k in (2, 3, 1)))
    return f"{sizes} である" if sizes else "行や列の数が合わない"
