"""Sentences by which a document gives a symbol another meaning than the library's, in English and Japanese."""

from __future__ import annotations

import re
from dataclasses import dataclass

from symtransformer.notation import Words

IS = r"(?:denotes?|means?|represents?|stands? for|refers? to|is|are|be|as|will be)"
# what is denied, up to what is said instead
NOT = re.compile(
    r"\b(?:not|never|no longer|isn't|aren't|unlike|instead of|rather than)\b[^,;.()]*?(?=\bbut\b|[,;()]|\Z)",
    re.IGNORECASE,
)
JAPANESE_NOT = re.compile(r"[^、。，]{1,30}(?:では?な[くい])")


@dataclass(frozen=True)
class Meaning:
    """`said` are sentences that say it, `usual` one that says what the library takes; it `concerns` what is written so.

    One of its `keys` stands in every sentence that says it, in small letters.
    """

    name: str
    keys: tuple[str, ...]
    said: tuple[re.Pattern[str], ...]
    concerns: re.Pattern[str]
    words: Words
    usual: re.Pattern[str] | None = None
    declares: str = ""  # what a mark of the author would say


def doubt(en: str, ja: str) -> Words:
    """Why nothing that rests on it is decided."""
    return Words(f"Not decided: the document says in words that {en}.", f"判定できない。文書に{ja}と書かれている。")


def patterns(*texts: str) -> tuple[re.Pattern[str], ...]:
    """Of sentences in small and large letters."""
    return tuple(re.compile(text, re.IGNORECASE) for text in texts)


LOGARITHM = re.compile(
    r"(?<![A-Za-z])(?:log|logs)(?![A-Za-z]|\s*\}?\s*_|[0-9])|entropy|LogSumExp|logsumexp", re.IGNORECASE
)
BASES = {
    "e": None,
    **{
        base: Meaning("log", (), (), LOGARITHM, doubt(f"logarithms are to base {base}", f"対数の底は {base} である"))
        for base in ("2", "10")
    },
}
VARIANCE = re.compile(
    r"(?<![A-Za-z])(?:var|std)(?![A-Za-z])|LayerNorm|layernorm|分散|標準偏差|variance|deviation", re.IGNORECASE
)
SAMPLE = Meaning(
    "variance",
    ("var", "std", "deviation", "estimator", "分散", "標準偏差"),
    patterns(
        rf"\b(?:var|std|variances?|standard deviations?)(?:\([a-z]\))? {IS} (?:here |always )?(?:the )?(?:sample|unbiased)",
        r"\b(?:use|take|work with|with|using) (?:the )?(?:sample|unbiased) (?:variance|standard deviation|estimator|std)",
        r"\b(?:variance|standard deviation)s?\b[^.=]{0,40}(?:divid|divisor|denominator)[^.=]{0,20} ?[nNd] ?[-−–] ?1\b",
        r"(?:var|std|分散|標準偏差)(?:は|に|として|には)[^。=]{0,8}(?:不偏|標本)分散",
        r"(?:不偏|標本)分散を(?:用い|使)|分散[^。=]{0,10}[nNd] ?[-−–] ?1 ?で割",
    ),
    VARIANCE,
    doubt("the variance is the sample variance", "分散は不偏分散である"),
    declares="variance=sample",
)
FUNCTIONS = (
    r"tanh|hyperbolic tangent|relu|rectifi|gelu|silu|swish|softmax|softplus|step|sign\b|sine|cosine|identity|exponential|erf|"
    r"error function|activation|non-?linear|arbitrary"
)
FUNCTIONS_JA = r"活性化|非線形|任意|tanh|双曲線正接|relu|gelu|silu|softmax|ソフトマックス|恒等|符号|ステップ|指数"
A_VALUE = r"(?:of |to |is |= ?)?(?!1(?![0-9.])|1\.0*(?![0-9])|e\b)[0-9]"
MATRIX_PRODUCT = r"matrix (?:product|multiplication)|dot product|inner product|composition|convolution|outer product"
MATRIX_PRODUCT_JA = r"行列(?:の)?積|内積|合成|畳み込み|外積|直積"
ENTRYWISE = r"element-?wise|entry-?wise|hadamard|component-?wise|cross product|outer product|convolution|kronecker|tensor product"
ENTRYWISE_JA = r"要素ごと|成分ごと|アダマール|外積|畳み込み|クロネッカー|テンソル積"
MEANINGS = (
    Meaning(
        "sigma",
        ("σ",),
        patterns(
            rf"(?<!\w)σ(?:\([a-z·∙⋅]\))?,? ?(?:which )?(?:{IS}|:?=) ?(?:here )?(?:the |an? )?(?:[\w-]+ ){{0,2}}(?:{FUNCTIONS})",
            rf"(?<!\w)σ(?:\([a-z]\))? ?(?:は|を|として|には)[^。=]{{0,10}}(?:{FUNCTIONS_JA})",
            rf"(?<!\w)σ ?(?:for|the|we (?:denote|mean|understand)|:|\() ?(?:here )?(?:the |an? )?(?:[\w-]+ ){{0,2}}(?:{FUNCTIONS})(?!\()",
            rf"(?:{FUNCTIONS_JA})(?: ?関数)? ?(?:を|は) ?σ ?(?:と|で)",
            rf"(?:{FUNCTIONS})(?: function| activation)? (?:is |we )?(?:written|denoted|called)(?: as| by)? σ",
        ),
        re.compile(r"(?:\\sigma|σ)\s*(?:\\left|\\bigl?|\\Bigl?)?\s*[(\[]"),
        doubt("σ is another function than the sigmoid", "σ はシグモイドとは別の関数である"),
        re.compile(rf"σ(?:\([a-z·]\))?,? {IS} (?:the |an? )?(?:logistic|sigmoid)|σ(?:\([a-z]\))? ?は[^。=]{{0,8}}シグモイド", re.IGNORECASE),
    ),
    Meaning(
        "Phi",
        ("Φ", "φ"),
        patterns(
            rf"(?<!\w)Φ(?:\([a-z·]\))?,? {IS} (?:here )?(?:the |an? )?(?:[\w-]+ ){{0,2}}(?:{FUNCTIONS}|sigmoid|logistic|feature map|kernel)",
            rf"(?<!\w)Φ(?:\([a-z]\))? ?(?:は|を|として)[^。=]{{0,10}}(?:{FUNCTIONS_JA}|シグモイド|特徴写像|カーネル)",
        ),
        re.compile(r"(?:\\Phi|Φ)\s*(?:\\left)?\s*[(\[]"),
        doubt("Φ is another function than that of the normal distribution", "Φ は正規分布の分布関数とは別の関数である"),
        re.compile(r"Φ[^.。]{0,30}(?:normal|gaussian|cumulative|正規|累積)", re.IGNORECASE),
    ),
    Meaning(
        "hadamard",
        ("⊙", "∘"),
        patterns(
            rf"[⊙∘] {IS} (?:here )?(?:the |an? )?(?:usual |ordinary )?(?:{MATRIX_PRODUCT})",
            rf"[⊙∘] ?(?:は|を|で)[^。=]{{0,8}}(?:{MATRIX_PRODUCT_JA})",
        ),
        re.compile(r"⊙|∘|\\odot(?![a-z])|\\circ(?![a-z])"),
        doubt("⊙ or ∘ is no product entry by entry", "⊙ や ∘ は成分ごとの積ではない"),
    ),
    Meaning(
        "product",
        ("×", "·", "∗"),
        patterns(
            rf"[×·∗] {IS} (?:here )?(?:the |an? )?(?:usual )?(?:{ENTRYWISE})",
            rf"[×·∗] ?(?:は|を|で)[^。=]{{0,8}}(?:{ENTRYWISE_JA})",
        ),
        re.compile(r"[×·⋅*]|\\times(?![a-z])|\\cdot(?![a-z])|\\ast(?![a-z])"),
        doubt("×, · or * is another product than that of matrices and numbers", "×・·・* は行列や数の積とは別の積である"),
    ),
    Meaning(
        "degrees",
        ("degree", "度"),
        patterns(
            r"\b(?:angles?|arguments? of (?:sin|cos)|sin(?:e)?|cos(?:ine)?|trigonometric functions?)\b[^.=]{0,40}\b(?:in|as|take) degrees\b",
            r"(?:角度?|sin|cos|三角関数)[^。=]{0,14}度(?:数法|で|を単位|とする)",
            r"\b[A-Za-zα-ω] ?(?:=|≈|is|be|of) ?-?[0-9.]+ degrees?\b(?! (?:celsius|c\b|fahrenheit|of\b|kelvin))",
            r"[A-Za-zα-ω] ?(?:=|は|を|が) ?-?[0-9.]+ ?度(?![目数のC])",
            r"\b(?:angles?|sin|cos|tan)\b(?:[^.]|\.[0-9]){0,60}?(?:\b[0-9.]+ degrees\b|\bin degrees\b|\(degrees\))",
        ),
        re.compile(r"(?<![A-Za-z])(?:sin|cos|tan)(?![a-z])"),
        doubt("angles are in degrees", "角の単位は度である"),
    ),
    Meaning(
        "matrix_function",
        ("matrix", "matrices", "行列"),
        patterns(
            r"\bmatrix (?:exponential|logarithm|square root|sine|cosine|functions?)\b",
            r"\b(?:exponential|logarithm|square root)s? of (?:the |a |this |such a |square )?matri(?:x|ces)\b",
            r"行列(?:の)?(?:指数関数|指数|対数|平方根)",
        ),
        re.compile(
            r"(?:\\?(?:exp|sqrt|log|ln)(?![A-Za-z])|√)\s*(?:\\left)?\s*[({\[]?\s*(?:\\math\w+\s*\{)?\s*(?-i:[A-Z])(?![a-z])"
            r"|\be\s*\^\s*\{?\s*(?-i:[A-Z])",
            re.IGNORECASE,
        ),
        doubt("a function of a matrix is no function of its entries", "行列の関数は成分ごとの関数ではない"),
    ),
    Meaning(
        "softmax",
        ("temperature", "base", "温度", "底"),
        patterns(
            rf"\bsoftmax (?:function )?(?:here |always )?(?:with|at|uses|has|takes) (?:an? |the )?(?:temperature|base) {A_VALUE}",
            rf"\btemperature (?:in|of) (?:the |every |each )?softmax (?:is|=) {A_VALUE}",
            rf"(?:softmax|ソフトマックス) ?の(?:温度|底)(?:は|を|に) ?{A_VALUE}",
        ),
        re.compile(r"softmax(?![^=]*(?:/|÷|frac|T|tau|τ))", re.IGNORECASE),  # softmax(z / T) says it itself
        doubt("softmax has a temperature or a base of its own", "softmax には独自の温度や底がある"),
    ),
    Meaning(
        "columns",
        ("column", "列"),
        patterns(
            r"\bsoftmax (?:here )?(?:is|are|be) (?:here |always )?(?:taken|applied|computed|normalized)? ?(?:over|along|down|across|for each|per|by|to) "
            r"(?:the |each |every )?columns?\b(?! of)",
            r"\bsoftmax (?:is|works|acts|goes) (?:here |always )?(?:taken |applied |computed )?column-?wise",
            r"\bcolumn-?wise softmax\b",
            r"(?:softmax|ソフトマックス) ?(?:は|を)[^。=]{0,8}列(?:方向|ごと)",
            r"列(?:方向|ごと)の ?(?:softmax|ソフトマックス)を(?:用い|使|とる)",
        ),
        re.compile(r"softmax", re.IGNORECASE),
        doubt("softmax goes over columns", "softmax は列ごとにとる"),
    ),
    Meaning(
        "norm",
        ("norm", "‖", "|", "ノルム"),
        patterns(
            rf"(?:\bnorms?|[‖|]{{1,2}}[a-z·∙⋅]?[‖|]{{1,2}}) {IS} (?:here |always )?(?:the |an? )?(?:L_?1|[ℓl]_?1|ell_?1|1-norm|max|infinity|supremum|manhattan|taxicab|sum of|number of)",
            r"[‖|]{1,2}[a-z·]?[‖|]{1,2} ?(?:は|を|で)[^。=]{0,8}(?:L1|1-?ノルム|最大値|マンハッタン|絶対値の和)",
            r"(?:\A|[^=+\-*/· ] ?)(?:‖|\|\|?)[a-z](?:‖|\|\|?)(?:_\w)? ?(?::=|=) ?(?:sum|max|∑|Σ)",
        ),
        re.compile(r"‖|\|\||\\\||\\[lr]?[Vv]ert|\|[^|]{1,40}\||norm", re.IGNORECASE),
        doubt("the norm is not the Euclidean one", "ノルムはユークリッドノルムではない"),
    ),
    Meaning(
        "zero",
        ("0", "zero", "０", "ゼロ"),
        patterns(
            r"\b(?:rows|entries|components|elements|indices|index|subscripts?|vectors)\b[^.=]{0,30}\b(?:counted|count|start|starts|starting|begin|begins|numbered|run|runs) (?:from|at|with) (?:0|zero)\b",
            r"\bcount(?:ing)? (?:the )?(?:rows|columns|entries|components|elements|indices)(?: and (?:rows|columns))? (?:from|at) (?:0|zero)\b",
            r"\bindexing (?:starts|begins|is) (?:from|at|with) (?:0|zero)\b",
            r"\b(?:indices|indexing|index|subscripts?|rows|entries|components)\b[^.=]{0,20}\b(?:0|zero)-(?:based|indexed)",
            r"\b(?:0|zero)-based (?:indices|indexing|index|subscripts?)",
            r"(?:添字|添え字|インデックス|行番号|成分)[^。=]{0,10}(?:0|０|ゼロ) ?(?:から|始まり|を起点)",
            r"(?:\A|[,;(] ?)counting from (?:0|zero)\b",
            r"\b(?:0|zero)-indexed\b",
        ),
        re.compile(r"[A-Za-z]\s*_\s*\{?\s*[0-9]|[₀-₉]"),
        doubt("indices are counted from 0", "添字は 0 から数える"),
    ),
    Meaning(
        "e",
        ("e is", "e be", "e den", "e rep", "e sta", "e は", "eは", "e ref", "e mean", "e are", "e as", "e will"),
        patterns(
            rf"(?:\blet |\bwhere |\bhere |, |\A|\()e {IS} (?:here )?(?:the |an? |our )(?!(?:euler|base|exponential|number|constant|natural))[a-z]",
            r"(?:\A|[、。，, ])e ?は[^。=]{0,10}(?:誤差|埋め込み|ベクトル|行列|辺|要素)",
        ),
        re.compile(r"(?<![A-Za-z\\])e\s*(?:\^|²|³|[⁰-⁹])"),
        doubt("e is another thing than the base of the natural logarithm", "e は自然対数の底とは別のものである"),
        re.compile(r"\be (?:is|denotes) [^.=]{0,20}(?:euler|base|2\.71)|自然対数の底|ネイピア", re.IGNORECASE),
    ),
    Meaning(
        "pi",
        ("π",),
        patterns(
            rf"(?<!\w)π(?:\([^()]{{0,20}}\))? {IS} (?:here )?(?:the |an? |our )(?!(?:circle|ratio|number|constant|usual|circumference))[a-z]",
            r"(?<!\w)π ?は[^。=]{0,10}(?:方策|確率|事前|置換|分布)",
        ),
        re.compile(r"π|\\pi(?![a-z])"),
        doubt("π is another thing than 3.14159...", "π は円周率とは別のものである"),
    ),
)  # fmt: skip
OWN = doubt("this function has a formula of its own", "この関数の独自の式がある")
OWN_FUNCTIONS = (
    Meaning("sigma", (), (), MEANINGS[0].concerns, OWN),
    Meaning("norm", (), (), re.compile(r"(?:(?<![A-Za-z])norm|Norm)\}?\s*\("), OWN),
    Meaning("linear", (), (), re.compile(r"Linear\}?\s*\("), OWN),
)


def may_say(meaning: Meaning, small: str) -> bool:
    """Whether a sentence, in small letters, may say it; cheap to ask."""
    return any(key in small for key in meaning.keys)
