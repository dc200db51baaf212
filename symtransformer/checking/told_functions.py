"""Sentences that take the usual meaning from a function, from + and /, or from all numbers: exp denotes 2^x, modulo 5."""

from __future__ import annotations

import re

from symtransformer.checking.told_meanings import IS, OWN, Meaning, doubt, patterns

DENOTES = r"(?:here |always )?(?:denotes?|means?|stands? for|represents?|refers? to)(?!\w| that)"
FUNCTIONS = {  # as it is written -> what says that it is the usual one
    "exp": r"exponential(?! (?:function )?(?:to|with|of|in) (?:the )?base)|e\^|指数関数",
    "ln": "natural|base e|自然対数",
    "sqrt": "square root|平方根",
    "sin": "sine|正弦",
    "cos": "cosine|余弦",
    "tanh": "hyperbolic|双曲線",
    "max": "maximum|largest|greatest|最大",
    "min": "minimum|smallest|least|最小",
    "relu": "rectified|max|positive part|正の部分",
    "gelu": "gaussian|Φ|phi|ガウス",
    "silu": "σ|sigmoid|シグモイド",
    "sigmoid": r"logistic|1 ?/ ?\(1|ロジスティック",
    "floor": "largest integer|greatest|down|切り捨て",
    "ceil": "smallest integer|least|up|切り上げ",
    "round": "nearest|四捨五入",
    "det": "determinant|行列式",
    "mean": "average|sum|平均",
}


def _of_function(name: str, usual: str) -> Meaning:
    shown = rf"(?<![\w.]){name}(?:\([a-z·, ]{{0,5}}\))?"
    return Meaning(
        f"function {name}",
        (name,),
        patterns(
            rf"{shown} {DENOTES}",
            rf"\b(?:write|writing) {shown} for\b",
            rf"\blet {shown} (?:denote|be|mean|stand)\b",
            rf"\bby {shown} we (?:mean|denote|understand)\b",
            rf"{shown} ?(?:は|とは|を|で)[^。=]{{0,20}}(?:を表す|を意味|とする|と定める|のこと)",
        ),
        re.compile(rf"(?<![A-Za-z]){name}(?![A-Za-z])" + ("|√|\\\\sqrt" if name == "sqrt" else ""), re.IGNORECASE),
        doubt(f"{name} is another function than usual", f"{name} は通常とは別の関数である"),
        re.compile(rf"{shown}[^.。0-9]{{0,40}}(?:{usual})", re.IGNORECASE),
    )


OF_FUNCTIONS = (
    *(_of_function(name, usual) for name, usual in FUNCTIONS.items()),
    Meaning(
        "division",
        ("division", "/", "割り算", "除算"),
        patterns(
            rf"\bdivisions? {IS} (?:here |always |all )?(?:the |an? )?(?:integer|floor|truncat|rounded|whole)",
            r"[a-z]?/[a-z]? (?:for|denotes|means|is) (?:here )?(?:the )?(?:integer|whole|rounded|truncat)",
            r"(?:割り算|除算)は[^。=]{0,10}(?:整数|切り捨て)",
        ),
        re.compile(r"/|÷|\\[dt]?frac|\\div"),
        doubt("quotients are rounded", "商は整数に丸める"),
    ),
    Meaning(
        "plus",
        ("+",),
        patterns(
            rf"(?:\A|[ (])\+ {IS} (?:here |always )?(?!(?:the )?(?:usual |ordinary )?(?:addition|sum|plus))(?:the |an? )?[a-z]",
            r"\+ ?(?:は|を|で)[^。=]{0,10}(?:排他|最大|連結|結合)",
        ),
        re.compile(r"\+"),
        doubt("+ is no addition", "+ は足し算ではない"),
    ),
    Meaning(
        "arithmetic",
        ("mod", "base", "binary", "hex", "octal", "進", "法", "algebra", "semiring", "arithmetic", "z/", "gf", "field of"),
        patterns(
            r"\b(?:arithmetic|computations?|calculations?|numbers?|sums?|everything|operations?|work(?:ing)?|comput(?:e|ing)|calculat(?:e|ing)|values)\b"
            r"[^.=]{0,40}\b(?:modulo|mod) [0-9]",
            r"\A(?:here |now |then )?(?:modulo|mod) [0-9]{1,3} ?[,:]",
            r"\b(?:in|over) (?:z/[0-9]{1,3}z?|gf ?\(?[0-9]{1,3}\)?|the field of [0-9])(?![\w])",
            r"\b(?:numbers?|digits|values|figures)\b[^.=]{0,25}\b(?:are|is|in|written) (?:here )?(?:in )?(?:binary|hexadecimal|octal|hex|base (?!10\b)[0-9])",
            r"\A(?:here |all )?in (?:base (?!10\b)[0-9]{1,2}|binary|hexadecimal|octal)\b(?!,? (?:cross|class|label|mask|(?:it|this|that) (?:is|was|becomes|gives)\b))(?![^.]*log)",
            r"(?:数|計算|値)[^。=]{0,12}(?:二|八|十六|2|8|16) ?進",
            r"mod ?[0-9]{1,3} ?(?:で|として)(?:計算|考え)|を法として(?:計算|考え)",
            r"\b(?:max-plus|min-plus|tropical|boolean|saturating) (?:algebra|semiring|arithmetic)\b",
        ),
        re.compile(r"[0-9]"),
        doubt("numbers are added and multiplied in another way than usual", "数の計算は通常とは別の方法による"),
    ),
    Meaning(
        "scale",
        ("percent", "%", "％", "thousand", "million", "hundred", "パーセント", "千", "万", "百"),
        patterns(
            r"\b(?:all|the|these|following) (?:\w+ )?(?:values|numbers|entries|figures|amounts|counts|rates|probabilities)(?: \w+)? (?:are|is) "
            r"(?:given |shown |measured |expressed |counted |written )?(?:in|as) (?:units of )?(?:percent(?:ages)?|%|thousands?|millions?|hundreds?)\b",
            r"(?:値|数値?|単位)は[^。=]{0,8}(?:パーセント|[%％]|千|百万|万)(?:単位|で|である|とする)",
        ),
        re.compile(
            r"[0-9]\s*[-+−]\s*\\?[A-Za-z]|[A-Za-z]\w*\s*[-+−]\s*[0-9]|[A-Za-z]\w*\s*(?:[·⋅*×/]|\\cdot|\\times)\s*\\?[A-Za-z]|exp|log|\^"
        ),
        doubt("numbers are counted in another unit", "数の単位は 1 ではない"),
    ),
)  # fmt: skip
KNOWN = (
    *FUNCTIONS,
    "softmax",
    "layernorm",
    "rmsnorm",
    "log",
    "var",
    "std",
    "attention",
    "logsumexp",
    "tr",
    "trace",
    "elu",
    "swish",
    "erf",
    "erfc",
)
BY_CONVENTION = frozenset(("tanh_gelu", "sigmoid_gelu", "sample_variance", "smoothing_others"))  # another function
HEAD = re.compile(
    r"\s*(?:\\(?:mathrm|operatorname|text)\*?\s*\{\s*)?\\?(?P<name>[A-Za-z]+|Φ)\s*\}?\s*(?:\\left)?\s*\(\s*\\?(?P<of>[A-Za-z]+)(?:\s*,\s*\\?[A-Za-z]+)*\s*(?:\\right)?\)\s*"
)
PHI = re.compile(r"Phi(?![A-Za-z])|Φ")


def own_function(left: str, right: str) -> Meaning | None:
    """The function of the library that an equation says something of: ReLU(x) = min(0, x), for every x.

    >>> sides = [("ReLU(x)", "min(0, x)"), ("ReLU(x)", "[1, 2]"), ("ReLU(2)", "x"), ("f(x)", "x")]
    >>> [found.name if (found := own_function(*pair)) else None for pair in sides]
    ['function relu', None, None, None]
    """
    found = HEAD.fullmatch(left)
    name = found["name"].lower() if found is not None else ""
    is_phi = found is not None and PHI.fullmatch(found["name"]) is not None
    if (
        found is None
        or not (is_phi or name in KNOWN)
        or re.search(rf"(?<![A-Za-z]){found['of']}(?![A-Za-z])", right) is None
    ):
        return None
    concerned = PHI if is_phi else re.compile(rf"(?<![A-Za-z]){name}(?![A-Za-z])", re.IGNORECASE)
    return Meaning(f"function {name}", (), (), concerned, OWN)
