"""Sentences by which a document gives a symbol another meaning than the library's, in English and Japanese."""

from __future__ import annotations

import re
from dataclasses import dataclass

from symtransformer.notation import Words

IS = r"(?:denotes?|means?|represents?|stands? for|refers? to|is|are|be|as|will be)"
NOT = re.compile(r"\b(?:not|never|no longer|isn't|aren't|unlike|instead of|rather than)\b|ではな|でなく")


@dataclass(frozen=True)
class Meaning:
    """`said` are sentences that say it, `usual` one that says what the library takes; it `concerns` what is written so."""

    name: str
    said: tuple[re.Pattern[str], ...]
    concerns: re.Pattern[str]
    words: Words
    usual: re.Pattern[str] | None = None


@dataclass(frozen=True)
class Choice:
    """A convention that may be declared, and the sentences that declare it."""

    said: tuple[re.Pattern[str], ...]
    meaning: Meaning | None  # None for what the library takes anyway
    mentions: re.Pattern[str] | None = None  # in its own sentence only


def _doubt(en: str, ja: str) -> Words:
    return Words(f"Not decided: the document says in words that {en}.", f"判定できない。文書に{ja}と書かれている。")


def _patterns(*texts: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(text, re.IGNORECASE) for text in texts)


LOGARITHM = re.compile(r"(?<![A-Za-z])(?:log|logs)(?![A-Za-z]|\s*_|[0-9])|entropy|LogSumExp|logsumexp", re.IGNORECASE)


def _base(number: str, words: str, kinds: str, kinds_ja: str) -> Choice:
    base = rf"base[- ]?(?:of )?(?:{words})\b"
    said = _patterns(
        rf"\blog(?:s|arithms?)?(?:\([a-z]\))? (?:(?:here|always|all|throughout|taken|everywhere) )*(?:{IS} )?"
        rf"(?:(?:here|always|all|taken|the|a|in|to|with|with respect to) )*{base}(?! of\b)",
        rf"\b(?:we (?:use|take|work with)|let|using|take|all|every) [^=]{{0,30}}?{base} ?(?:for )?(?:the |all )?log",
        rf"\blog(?:s|arithms?)?(?:\([a-z]\))? (?:here |always |all )*{IS} (?:here |always |all )*(?:the |a |in |to |taken )*"
        rf"(?:{base}|(?:{kinds}) log|log_?(?:{number})\b|(?:{kinds})(?:\Z|[ ,.)]))",
        rf"\b(?:we (?:use|take|work with)|all|using) (?:the )?(?:{kinds}) log",
        rf"(?:\blog(?:\([a-z]\))?|対数) ?(?:は|の|を|とは|で)?[^。=0-9]{{0,8}}(?:底|てい)[^。=0-9]{{0,4}}(?:{words})(?![0-9])",
        rf"底(?:を|は|が|に)? ?(?:{words}) ?(?:と(?:する|し|した)|の ?log|の対数(?:を|とする|である))",
        rf"\blog(?:\([a-z]\))? ?(?:は|を|とは)[^。=]{{0,8}}(?:{kinds_ja})",
    )
    mentions = re.compile(
        rf"\blog[^.]*\bbase[- ]?(?:of )?(?:{words})\b|\bbase[- ]?(?:of )?(?:{words})\b.*\blog"
        rf"|\b(?:{kinds}) log|(?:{kinds_ja})|底[^。=0-9]{{0,4}}(?:{words})(?![0-9])",
        re.IGNORECASE,
    )
    if number == "e":
        return Choice(said, None, mentions)
    words_said = _doubt(f"logarithms are to base {number}", f"対数の底は {number}")
    return Choice(said, Meaning("log", (), LOGARITHM, words_said), mentions)


BASES = {
    "2": _base("2", "2|two|二|２", "binary|dyadic", "二進対数|2進対数"),
    "10": _base("10", "10|ten|十|１０", "common|decimal|decadic", "常用対数"),
    "e": _base("e", "e", "natural|Napierian", "自然対数"),
}
VARIANCE = re.compile(
    r"(?<![A-Za-z])(?:var|std)(?![A-Za-z])|LayerNorm|layernorm|分散|標準偏差|variance|deviation", re.IGNORECASE
)
VARIANCES = {
    "sample": Choice(
        _patterns(
            rf"\b(?:var|std|variances?|standard deviations?)(?:\([a-z]\))? {IS} (?:here |always )?(?:the )?(?:sample|unbiased)",
            r"\bwe (?:use|take|work with) (?:the )?(?:sample|unbiased) (?:variance|standard deviation|estimator)",
            r"(?:var|std|分散|標準偏差)(?:は|に|として|には)[^。=]{0,8}(?:不偏|標本)分散",
            r"(?:不偏|標本)分散を(?:用い|使)",
        ),
        Meaning("variance", (), VARIANCE, _doubt("the variance is the sample variance", "分散は不偏分散である")),
    )
}
FUNCTIONS = r"tanh|hyperbolic tangent|relu|rectifi|gelu|silu|swish|softmax|softplus|step|sign\b|sine|cosine|identity|exponential|erf"
FUNCTIONS_JA = r"tanh|双曲線正接|relu|gelu|silu|softmax|ソフトマックス|恒等|符号|ステップ|指数"
MATRIX_PRODUCT = r"matrix (?:product|multiplication)|dot product|inner product|composition|convolution|outer product"
MATRIX_PRODUCT_JA = r"行列(?:の)?積|内積|合成|畳み込み|外積|直積"
ENTRYWISE = r"element-?wise|entry-?wise|hadamard|component-?wise|cross product|outer product|convolution|kronecker|tensor product"
ENTRYWISE_JA = r"要素ごと|成分ごと|アダマール|外積|畳み込み|クロネッカー|テンソル積"
MEANINGS = (
    Meaning(
        "sigma",
        _patterns(
            rf"(?<!\w)σ(?:\([a-z·∙⋅]\))?,? ?(?:which )?(?:{IS}|:?=) ?(?:here )?(?:the |an? )?(?:[\w-]+ ){{0,2}}(?:{FUNCTIONS})",
            rf"(?<!\w)σ(?:\([a-z]\))? ?(?:は|を|として|には)[^。=]{{0,10}}(?:{FUNCTIONS_JA})",
        ),
        re.compile(r"(?:\\sigma|σ)\s*(?:\\left|\\bigl?|\\Bigl?)?\s*[(\[]"),
        _doubt("σ is another function than the sigmoid", "σ はシグモイドとは別の関数である"),
        re.compile(rf"σ(?:\([a-z·]\))?,? {IS} (?:the |an? )?(?:logistic|sigmoid)|σ(?:\([a-z]\))? ?は[^。=]{{0,8}}シグモイド", re.IGNORECASE),
    ),
    Meaning(
        "Phi",
        _patterns(
            rf"(?<!\w)Φ(?:\([a-z·]\))?,? {IS} (?:here )?(?:the |an? )?(?:[\w-]+ ){{0,2}}(?:{FUNCTIONS}|sigmoid|logistic|feature map|kernel)",
            rf"(?<!\w)Φ(?:\([a-z]\))? ?(?:は|を|として)[^。=]{{0,10}}(?:{FUNCTIONS_JA}|シグモイド|特徴写像|カーネル)",
        ),
        re.compile(r"(?:\\Phi|Φ)\s*(?:\\left)?\s*[(\[]"),
        _doubt("Φ is another function than that of the normal distribution", "Φ は正規分布の分布関数とは別の関数である"),
        re.compile(r"Φ[^.。]{0,30}(?:normal|gaussian|cumulative|正規|累積)", re.IGNORECASE),
    ),
    Meaning(
        "hadamard",
        _patterns(
            rf"[⊙∘] {IS} (?:here )?(?:the |an? )?(?:usual |ordinary )?(?:{MATRIX_PRODUCT})",
            rf"[⊙∘] ?(?:は|を|で)[^。=]{{0,8}}(?:{MATRIX_PRODUCT_JA})",
        ),
        re.compile(r"⊙|∘|\\odot(?![a-z])|\\circ(?![a-z])"),
        _doubt("⊙ or ∘ is no product entry by entry", "⊙ や ∘ は成分ごとの積ではない"),
    ),
    Meaning(
        "product",
        _patterns(
            rf"[×·∗] {IS} (?:here )?(?:the |an? )?(?:usual )?(?:{ENTRYWISE})",
            rf"[×·∗] ?(?:は|を|で)[^。=]{{0,8}}(?:{ENTRYWISE_JA})",
        ),
        re.compile(r"[×·⋅*]|\\times(?![a-z])|\\cdot(?![a-z])|\\ast(?![a-z])"),
        _doubt("×, · or * is another product than that of matrices and numbers", "×・·・* は行列や数の積とは別の積である"),
    ),
    Meaning(
        "degrees",
        _patterns(
            r"\b(?:angles?|arguments? of (?:sin|cos)|sin(?:e)?|cos(?:ine)?|trigonometric functions?)\b[^.=]{0,40}\b(?:in|as|take) degrees\b",
            r"(?:角度?|sin|cos|三角関数)[^。=]{0,14}度(?:数法|で|を単位|とする)",
        ),
        re.compile(r"(?<![A-Za-z])(?:sin|cos|tan)(?![a-z])"),
        _doubt("angles are in degrees", "角の単位は度である"),
    ),
    Meaning(
        "columns",
        _patterns(
            r"\bsoftmax (?:here )?(?:is|are|be) (?:here |always )?(?:taken|applied|computed|normalized)? ?(?:over|along|down|across|for each|per|by|to) "
            r"(?:the |each |every )?columns?\b(?! of)",
            r"\bsoftmax (?:is|works|acts|goes) (?:here |always )?(?:taken |applied |computed )?column-?wise",
            r"\bcolumn-?wise softmax\b",
            r"(?:softmax|ソフトマックス) ?(?:は|を)[^。=]{0,8}列(?:方向|ごと)",
            r"列(?:方向|ごと)の ?(?:softmax|ソフトマックス)を(?:用い|使|とる)",
        ),
        re.compile(r"softmax", re.IGNORECASE),
        _doubt("softmax goes over columns", "softmax は列ごとにとる"),
    ),
    Meaning(
        "norm",
        _patterns(
            rf"(?:\bnorms?|[‖|]{{1,2}}[a-z·∙⋅]?[‖|]{{1,2}}) {IS} (?:here |always )?(?:the |an? )?(?:L_?1|ℓ_?1|1-norm|l1|max|infinity|supremum|manhattan|taxicab|sum of)",
            r"[‖|]{1,2}[a-z·]?[‖|]{1,2} ?(?:は|を|で)[^。=]{0,8}(?:L1|1-?ノルム|最大値|マンハッタン|絶対値の和)",
        ),
        re.compile(r"‖|\|\||\\\||\\[lr]?[Vv]ert|\|[^|]{1,40}\||norm", re.IGNORECASE),
        _doubt("the norm is not the Euclidean one", "ノルムはユークリッドノルムではない"),
    ),
    Meaning(
        "zero",
        _patterns(
            r"\b(?:rows|entries|components|elements|indices|index|subscripts?|vectors)\b[^.=]{0,30}\b(?:counted|count|start|starts|starting|begin|begins|numbered|run|runs) (?:from|at|with) (?:0|zero)\b",
            r"\bindexing (?:starts|begins|is) (?:from|at|with) (?:0|zero)\b",
            r"\b(?:indices|indexing|index|subscripts?|rows|entries|components)\b[^.=]{0,20}\b(?:0|zero)-(?:based|indexed)",
            r"\b(?:0|zero)-based (?:indices|indexing|index|subscripts?)",
            r"(?:添字|添え字|インデックス|行番号|成分)[^。=]{0,10}(?:0|０|ゼロ) ?(?:から|始まり|を起点)",
        ),
        re.compile(r"[A-Za-z]\s*_\s*\{?\s*[0-9]|[₀-₉]"),
        _doubt("indices are counted from 0", "添字は 0 から数える"),
    ),
    Meaning(
        "e",
        _patterns(
            rf"(?:\blet |\bwhere |\bhere |, |\A|\()e {IS} (?:here )?(?:the |an? |our )(?!(?:euler|base|exponential|number|constant|natural))[a-z]",
            r"(?:\A|[、。，, ])e ?は[^。=]{0,10}(?:誤差|埋め込み|ベクトル|行列|辺|要素)",
        ),
        re.compile(r"(?<![A-Za-z\\])e\s*(?:\^|²|³|[⁰-⁹])"),
        _doubt("e is another thing than the base of the natural logarithm", "e は自然対数の底とは別のものである"),
        re.compile(r"\be (?:is|denotes) [^.=]{0,20}(?:euler|base|2\.71)|自然対数の底|ネイピア", re.IGNORECASE),
    ),
    Meaning(
        "pi",
        _patterns(
            rf"(?<!\w)π(?:\([^()]{{0,20}}\))? {IS} (?:here )?(?:the |an? |our )(?!(?:circle|ratio|number|constant|usual|circumference))[a-z]",
            r"(?<!\w)π ?は[^。=]{0,10}(?:方策|確率|事前|置換|分布)",
        ),
        re.compile(r"π|\\pi(?![a-z])"),
        _doubt("π is another thing than 3.14159...", "π は円周率とは別のものである"),
    ),
)  # fmt: skip
OWN = _doubt("this function has a formula of its own", "この関数に独自の式が与えられると")
OWN_FUNCTIONS = (
    Meaning("sigma", (), MEANINGS[0].concerns, OWN),
    Meaning("norm", (), re.compile(r"(?:(?<![A-Za-z])norm|Norm)\}?\s*\("), OWN),
    Meaning("linear", (), re.compile(r"Linear\}?\s*\("), OWN),
)
VECTORS = re.compile(
    r"\b(?:vectors?|matrix|matrices|tensors?|columns?|rows?|lists?|embeddings?|functions?)\b|ベクトル|行列|テンソル|関数",
    re.IGNORECASE,
)


SIZES = re.compile(
    r"number|dimension|length|size|width|depth|index|count|entry|component|scalar|position|数|次元|番号|成分|位置",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class LetterMeaning:
    """A letter that is usually a number, or what `usual` words say."""

    name: str
    usual: re.Pattern[str] | None = None

    def is_other(self, said: str) -> bool:
        if self.usual is not None:
            return self.usual.search(said) is None
        return VECTORS.search(said) is not None and SIZES.search(said) is None


LETTERS = {
    **{x: LetterMeaning(x) for x in "TNbcdhmn"},
    **{
        sign: LetterMeaning(name)
        for sign, name in zip(
            "αβγθλμντηε",
            ["alpha", "beta", "gamma", "theta", "lambda", "mu", "nu", "tau", "eta", "epsilon"],
            strict=True,
        )
    },
    "I": LetterMeaning("I", re.compile(r"identity|unit matrix|単位行列|恒等", re.IGNORECASE)),
    "δ": LetterMeaning("delta", re.compile(r"kronecker|クロネッカー|delta function|デルタ", re.IGNORECASE)),
}
TOLD_LETTER = re.compile(
    r"(?<![\w^/+=-])(?P<letter>[TNbcdhmnIαβγθλμντηεδ])(?:_[a-z]{1,2})? (?:denotes|represents|stands for|is|be) "
    r"(?P<what>(?:the|an?|our|some|any|this) [^.,;:=()]{1,40})"
    r"|(?<![\w^/+=-])(?P<ja>[TNbcdhmnIαβγθλμντηεδ])(?:_[a-z]{1,2})? ?は、?(?P<was>[^。、，=A-Za-z0-9]{1,20})"
)
