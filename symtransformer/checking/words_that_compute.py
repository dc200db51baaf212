"""`The square of $x = 9$`, `$50\\%$ of $8 = 4$`: words before a formula do something with its left side, which is not whole then."""

from __future__ import annotations

import re

from symtransformer.documents import Document, Relation

WORDS_AT_MOST = 160  # characters before the formula
ARTICLE = r"(?:\s+(?:the|an?|this|that|vector|number|matrix|list|row))*\s*\Z"
# of anything
OPERATION = re.compile(
    r"(?<![A-Za-z])(?:(?:squares?|cubes?|roots?|halves|half|thirds?|quarters?|doubles?|reciprocals?|inverses?|transposes?|determinants?|traces?|"
    r"logs?|logarithms?|exponentials?|factorials?|softmax|sigmoid|relu|gelu|silu|tanh|sine?|cosine|derivatives?|negatives?|absolute values?)"
    rf"\s+of|twice|thrice|half|double|triple|negative){ARTICLE}",
    re.IGNORECASE,
)
# with what stands before it
SIGN = re.compile(rf"[0-9)\]}}$`][\s$]*(?:times|plus|minus|divided by|multiplied by){ARTICLE}", re.IGNORECASE)
# of two
OF_TWO = re.compile(
    r"(?<![A-Za-z])(?:products?|sums?|differences?|similarit(?:y|ies)|distances?|ratios?|quotients?|concatenation|averages?|means?|max(?:imum)?|"
    rf"min(?:imum)?)\s+(?:of|between)(?![A-Za-z])[^.;:。=≈]{{1,80}}(?<![A-Za-z])and{ARTICLE}|(?:倍|乗)の\s*\Z",
    re.IGNORECASE,
)
# of what stands alone: in `a mean of $m = 3$` the name is that of the mean
QUANTITY = re.compile(
    r"(?<![A-Za-z])(?P<article>an?\s+)?(?:[A-Za-z-]+\s+)?(?:means?|averages?|variances?|deviations?|norms?|magnitudes?|sums?|differences?|"
    rf"products?|maxim(?:um|a)|minim(?:um|a)|max|min|medians?)\s+of{ARTICLE}",
    re.IGNORECASE,
)
# of a number or a list alone, which nobody says to be another one
NUMBER = re.compile(
    rf"(?<![A-Za-z])(?:of|dot|cross|over|exp|ln|log|softmax|sigmoid|relu|gelu|tanh|sqrt){ARTICLE}|[のと倍]\s*\Z",
    re.IGNORECASE,
)
OPENED = re.compile(r"(?:\$\$?|\\\(|\\\[|`|<[^<>]*>|\s)+\Z")
DRESS = re.compile(r"\\(?:begin|end)\s*\{[a-z]*matrix\}|\\(?:left|right|[dt]?frac|%|,|;|\\)")
BARE_NAME = re.compile(
    r"\s*(?:\\?[A-Za-z]+|\\(?:mathbf|bm|boldsymbol|mathrm|vec)\s*\{?\s*\\?[A-Za-z]+\s*\}?)(?:_(?:\w|\{\w+\}))?\s*"
)


def is_bare_name(text: str) -> bool:
    return BARE_NAME.fullmatch(text) is not None


def is_computed_in_words(document: Document, relation: Relation) -> bool:
    """Whether words before the left side say what is done with it."""
    if not relation.left.origins or relation.above or not relation.left.text.strip():
        return False
    before = document.sources.line_before(relation.left.origins[0])[-WORDS_AT_MOST:]
    words = OPENED.sub("", before)
    if not words or words == before:
        return False
    left = relation.left.text
    if OPERATION.search(words) or OF_TWO.search(words) or SIGN.search(words):
        return True
    if relation.sign == "≈":
        return False  # 0.665 ≈ 0.67 is said of a number
    bare = re.sub(r"[\s\[\](){}.,;&%]", "", DRESS.sub("", left))
    is_number = bare.lstrip("-−+").isdigit()
    found = QUANTITY.search(words)
    if found is not None and not found["article"] and (is_number or is_bare_name(left)):
        return True
    return is_number and NUMBER.search(words) is not None
