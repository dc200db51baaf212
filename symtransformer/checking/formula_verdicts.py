"""What is said of an equation with letters: the verdict, what it was judged against, and the numbers that refute it."""

from __future__ import annotations

from dataclasses import dataclass

from symtransformer.checking.number_words import Note
from symtransformer.notation import Words

DEFINITION, BY_CONVENTION, UNPARSED = "definition", "by_convention", "unparsed"
PROVED, TESTED, REFUTED, UNDECIDABLE, SHAPES = "proved", "tested", "refuted", "undecidable", "shapes"
FORMULA_KINDS = (DEFINITION, PROVED, TESTED, BY_CONVENTION, REFUTED, SHAPES, UNDECIDABLE, UNPARSED)
ACCEPTED = (PROVED, TESTED, BY_CONVENTION)


@dataclass(frozen=True)
class FormulaVerdict:
    """`kind` is one of FORMULA_KINDS; `right` is what the right side should be, where it is known and it is not that."""

    kind: str
    words: Words
    against: Words | None = None
    counterexample: str | None = None
    code: str = ""
    remarks: tuple[Note, ...] = ()
    right: str = ""

    @property
    def is_accepted(self) -> bool:
        """Whether the equation was found true."""
        return self.kind in ACCEPTED

    def __bool__(self) -> bool:
        raise TypeError("a verdict is not true or false by itself: ask is_accepted or kind")


def given(name: str, *remarks: Note) -> FormulaVerdict:
    """A name gets its formula."""
    words = Words(
        f"A formula for {name} is given; there is nothing to check.", f"{name} の式を与えている。検算することはない。"
    )
    return FormulaVerdict(DEFINITION, words, remarks=remarks)


def unparsed(code: str, message: str) -> FormulaVerdict:
    return FormulaVerdict(UNPARSED, Words(f"It could not be read: {message}", f"読めなかった：{message}"), code=code)


def undecidable(code: str, en: str, ja: str, *remarks: Note) -> FormulaVerdict:
    return FormulaVerdict(UNDECIDABLE, Words(en, ja), code=code, remarks=remarks)


DEADLINE = undecidable(
    "deadline", "It was not decided in the time that was given.", "決められた時間内に判定できなかった。"
)

LIBRARY_FORM = {
    "sizes": Note("sizes", Words("The sizes are those that the document's values have.", "大きさは文書の値のもの。")),
    "number": Note(
        "number",
        Words("Small letters beside a vector were read as numbers.", "ベクトルに足した小文字は数として読んだ。"),
    ),
}


def redefined(name: str) -> Note:
    return Note(
        "redefined",
        Words(
            f"{name} had another formula before; from here on this one is used.",
            f"{name} には前に別の式があった。ここからはこの式を使う。",
        ),
    )


def not_used(name: str, message: str) -> Note:
    en = f"The formula of {name} is not used to judge later ones: {message}"
    return Note("not_used", Words(en, f"{name} の式は後の式の判定には使わない：{message}"))


def by_library(title: Words, variant: str = "") -> Words:
    more = (f" with {variant}", f"（{variant}）") if variant else ("", "")
    return Words(
        f"judged against the library's {title.en.lower()}{more[0]}", f"ライブラリの「{title.ja}」{more[1]}と比べた"
    )


OWN_FORMULAS = Words("judged against the document's own formulas", "文書自身の式と比べた")
BOTH_SIDES = Words("both sides were compared", "両辺を比べた")
STANDARD = Words(
    "judged against scaled dot-product attention, with S = Q Kᵀ / √d_k, A = softmax(S), Z = A V",
    "縮小付き内積注意（S = Q Kᵀ / √d_k, A = softmax(S), Z = A V）と比べた",
)
