"""Products and powers of letters that a document says are vectors: x x and x² have several meanings, or none."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from symtransformer.checking.doubts import IN_REALS, NAME, NAMES_AT_MOST, NAMES_BEFORE, undecided
from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation
from symtransformer.checking.prose import sentences
from symtransformer.checking.told_letters import IS, LIST, ONE
from symtransformer.checking.told_meanings import NOT
from symtransformer.documents import Document, Relation
from symtransformer.notation import Words

TOLD = (
    re.compile(rf"{LIST}{IS}(?P<what>[^.,;:=()]{{0,30}}?\b(?:row |column )?vectors?\b(?! of (?:matri|vectors)))"),
    re.compile(
        rf"{LIST} ?(?:は|を)、?(?P<what>[^。、，=A-Za-z0-9]{{0,12}}ベクトル)(?:とする|である|です|を表す|とおく)"
    ),
    re.compile(rf"\b(?:row |column )?vectors? (?=\w){LIST}(?![\w(^]| ?[=+])"),
    re.compile(rf"ベクトル ?{LIST}(?![\w(^]| ?[=+])"),
)
BOLD = re.compile(r"\\(?:mathbf|boldsymbol|bm|vec)\s*\{?\s*(\\?[a-z])(?![A-Za-z])\s*\}?")
A_TABLE = re.compile(r"\s*\{?[^{}$,;.]{0,12}(?:\\times|×)")  # behind R^
BY_ENTRIES = re.compile(
    r"element-?\s?wise|entry-?\s?wise|component-?\s?wise|coordinate-?\s?wise|hadamard|要素ごと|成分ごと|要素毎|アダマール|\\odot|⊙",
    re.IGNORECASE,
)
DRESS = re.compile(r"\\(?:mathbf|boldsymbol|bm|vec|left|right)(?![A-Za-z])|\\[,;:! ]|\\quad|[{}~]")
A_RUN = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")
BESIDE = r"\s*(?:\\cdot|\\times|[·⋅*×])?\s*"
BETWEEN = Words(
    "Not decided: the document says that letters of this product or power are vectors, and not which product is meant.",
    "判定できない。積や累乗の中の文字はベクトルとされており、どの積かが書かれていない。",
)


@dataclass
class ToldVectors:
    """The letters by file, and the files that say that they multiply entry by entry."""

    _letters: dict[str, set[str]] = field(default_factory=dict)
    _by_entries: set[str] = field(default_factory=set)

    def add(self, document: Document) -> None:
        for file, _, _, sentence in sentences(document):
            for pattern in TOLD if "ector" in sentence or "ベクトル" in sentence else ():
                for found in pattern.finditer(NOT.sub("", sentence)):
                    self._letters.setdefault(file, set()).update(ONE.findall(found["list"]))
        for file, source in document.sources.read_texts():
            letters = self._letters.setdefault(file, set())
            for found in IN_REALS.finditer(source.text):
                before = NAMES_BEFORE.search(source.text[max(0, found.start() - NAMES_AT_MOST) : found.start()])
                if A_TABLE.match(source.text, found.end()) is None and before is not None:
                    letters.update(n.lstrip("\\") for n in NAME.findall(before.group()) if n.islower())
            letters.update(name.lstrip("\\") for name in BOLD.findall(source.text))
            if BY_ENTRIES.search(source.text):
                self._by_entries.add(file)

    def heeded(self, equation: Equation, relation: Relation, language: str) -> Equation:
        """The equation, or the same undecided where vectors are multiplied in it, and nothing says how."""
        letters = self._letters.get(relation.file)
        if not letters or equation.verdict not in (*ACCEPTED, *ACCUSING) or equation.kind != "formula":
            return equation
        texts = relation.left.text, relation.right.text
        if relation.file in self._by_entries or not any(has_product(t, letters, language != "text") for t in texts):
            return equation
        return undecided(equation, BETWEEN, "own_letter")


def has_product(text: str, vectors: set[str], is_latex: bool = True) -> bool:
    r"""Whether two of the letters stand side by side, or one has a number as its power.

    >>> [has_product(text, {"x", "y"}) for text in (r"x\,x", "xy", "2 x^2", "x y^T", "x^T x", "x_i x_i", r"\exp(x)")]
    [True, True, True, False, False, False, False]
    """
    plain = " ".join(DRESS.sub(" ", text).split())
    if is_latex:
        plain = A_RUN.sub(lambda run: " ".join(run.group()), plain)
    one = "|".join(sorted(re.escape(v) for v in vectors))
    vector = rf"(?<![A-Za-z\\_^])(?:{one})(?![A-Za-z'])"
    alone = rf"{vector}(?!\s*[_^²³])"
    return re.search(rf"{vector}\s*(?:\^\s*[-−]?[0-9]|[²³])|{alone}{BESIDE}{alone}", plain) is not None
