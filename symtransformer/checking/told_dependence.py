"""Ways from a letter to a function that words tell and no formula has: L depends on y and also on x directly."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from symtransformer.checking.doubts import undecided
from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation
from symtransformer.checking.prose import sentences
from symtransformer.checking.told_meanings import JAPANESE_NOT, NOT
from symtransformer.documents import Document, Relation
from symtransformer.notation import Words

LETTER = re.compile(r"(?<![A-Za-z0-9\\∂])([A-Za-zα-ωℓ])(?:_(?:\{\w{1,6}\}|\w{1,6}))?(?![A-Za-z0-9'])")
FUNCTION = re.compile(
    r"\b(?:loss|objective|cost|output|network|criterion|gradient|chain rule|derivative)\b|損失|目的関数|コスト|出力|勾配|微分|(?<![A-Za-z])[LJEC](?![A-Za-z])|[ℓ]"
)
REACHES = re.compile(
    r"\b(?:depends?|depending|dependence|functions? of|feeds?|fed|enters?|entering|goes|go|flows?|influences?|affects?|acts?|appears?|occurs?|"
    r"contributes?|reach(?:es)?|uses?|used|sees?|takes?|involves?|contains?|paths?|routes?|branch(?:es)?|connection|shortcut|arguments?)\b|"
    r"依存|の関数|影響|入る|入り|使われ|使う|用い|現れ|寄与|経路|つなが|渡",
    re.IGNORECASE,
)
TWICE = re.compile(
    r"\b(?:directly|direct|also|too|as well|in addition|additionally|besides|both|twice|elsewhere|itself|explicitly|another|other|second|"
    r"separately|not only|several|two|skip|residual|shortcut|bypass(?:es)?|independently|again)\b|"
    r"直接|も(?![のし])|別の|他の|ほかの|さらに|加えて|二つ|2 ?つ|陽に|両方|再び|スキップ|残差",
    re.IGNORECASE,
)
THROUGH = re.compile(r"\b(?:through|via|by way of) (?:the )?[A-Za-z](?![A-Za-z])|[A-Za-z] ?を(?:通じ|通し|介し|経由)")
DIRECT = re.compile(r"direct|\bbesides\b|\bskip\b|直接|別の", re.IGNORECASE)
ALONE = re.compile(
    r"\b(?:only|solely|just|exclusively)\b (?:through|via|by|on)|だけ(?:を通|に依存|を介)|のみ(?:を通|に依存|を介)",
    re.IGNORECASE,
)
CALLED = re.compile(r"(?<![A-Za-z])[LJECFGfgℓ] ?\((?P<arguments>(?:[^()=]|\([^()]{0,20}\)){3,60})\)")  # L(y(x), x)
NOT_ONLY = re.compile(r"だけでなく|だけではなく|のみならず")
LISTED = re.compile(r"(?:depends? on|function of|takes|の関数|に依存)", re.IGNORECASE)
ARTICLE = re.compile(r"(?<![A-Za-z])a (?=[a-z]{2})")
D = r"(?:∂|\\partial(?![A-Za-z])|(?<![A-Za-z])d|\\(?:mathrm|text|operatorname)\s*\{\s*d\s*\})"
MARKS = r"(?:\\(?:mathbf|boldsymbol|bm|vec|mathrm)\s*\{?\s*)?"
QUOTIENT = re.compile(
    rf"{D}\s*{MARKS}(?P<of>\\?[A-Za-zℓ]+?)(?:_\{{?\w{{1,6}}\}}?)?\}}*\s*(?:/\s*\(?|\}}?\s*\{{)\s*{D}\s*{MARKS}(?P<by>\\?[A-Za-zα-ω]+)"
)
NABLA = re.compile(rf"(?:∇|\\nabla(?![A-Za-z]))\s*_\s*\{{?\s*{MARKS}(?P<by>\\?[A-Za-zα-ω]+)")
SHORT = re.compile(r"(?<![A-Za-z\\_^/{])d(?P<by>[A-Za-z])(?![A-Za-z])")
OTHER_WAY = Words(
    "Not decided: words of the document tell of another way from this letter to the function, and no formula has it.",
    "判定できない。文書によれば、この文字から関数へは別の経路もあり、その式がない。",
)


@dataclass
class ToldDependence:
    """Letters of which words say that a function depends on them in more than one way."""

    _told: list[tuple[str, frozenset[str]]] = field(default_factory=list)  # by file

    def add(self, document: Document) -> None:
        for file, _, _, sentence in sentences(document):
            if letters := letters_of_ways(sentence):
                self._told.append((file, letters))

    def heeded(self, equation: Equation, relation: Relation, formulas: Mapping[str, str]) -> Equation:
        """A gradient by one letter that is made of a gradient by another, where the first has its own way too."""
        if not self._told or equation.verdict not in (*ACCEPTED, *ACCUSING) or equation.kind != "formula":
            return equation
        left, right = gradients_in(relation.left.text), gradients_in(relation.right.text)
        for file, letters in self._told:
            for of, by in (*left, *right) if file == relation.file else ():
                others = {b for o, b in (*left, *right) if b != by and o in ("", of)}
                through = others if (of, by) in left else {b for b in others if by in formulas.get(b, "")}
                is_known = of in formulas and by in formulas[of]
                if by in letters and through and not is_known:
                    return undecided(equation, OTHER_WAY, "own_function")
        return equation


def letters_of_ways(sentence: str) -> frozenset[str]:
    """The letters that go into a function in several ways, by this sentence; or all of those that it is a function of.

    >>> sorted(letters_of_ways("The loss L depends on y and also on x directly"))
    ['L', 'x', 'y']
    >>> letters_of_ways("L depends on x only through y"), letters_of_ways("x is also used below")
    (frozenset(), frozenset())
    """
    said = ARTICLE.sub("", JAPANESE_NOT.sub("", NOT.sub("", NOT_ONLY.sub("と", sentence))))
    called = CALLED.search(said)
    if called is not None and "," in called["arguments"]:
        return frozenset(LETTER.findall(called["arguments"]))
    if not (REACHES.search(said) and FUNCTION.search(said)) or ALONE.search(said) is not None:
        return frozenset()
    if THROUGH.search(said) and not DIRECT.search(said):
        return frozenset()
    letters = frozenset(LETTER.findall(said))
    return letters if TWICE.search(said) or (LISTED.search(said) and len(letters) > 2) else frozenset()


def gradients_in(text: str) -> list[tuple[str, str]]:
    r"""What is differentiated, or nothing where that is not told, and by what.

    >>> gradients_in(r"\frac{\partial L}{\partial x_i}"), gradients_in("2 x ∂L/∂y"), gradients_in("dX W"), gradients_in(r"\nabla_x L")
    ([('L', 'x')], [('L', 'y')], [('', 'X')], [('', 'x')])
    """
    found = [(m["of"].lstrip("\\"), m["by"].lstrip("\\")) for m in QUOTIENT.finditer(text)]
    rest = QUOTIENT.sub(" ", text)
    return found + [("", m["by"].lstrip("\\")) for pattern in (NABLA, SHORT) for m in pattern.finditer(rest)]
