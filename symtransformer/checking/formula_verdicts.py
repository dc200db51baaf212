"""What is said of an equation with letters: the verdict, what it was judged against, and the numbers that refute it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from symtransformer.checking.number_words import Note, unparsed_words
from symtransformer.checking.refusals import in_japanese, plain
from symtransformer.notation import Words

DEFINITION, BY_CONVENTION, UNPARSED = "definition", "by_convention", "unparsed"
PROVED, TESTED, REFUTED, UNDECIDABLE, SHAPES = "proved", "tested", "refuted", "undecidable", "shapes"
FORMULA_KINDS = (DEFINITION, PROVED, TESTED, BY_CONVENTION, REFUTED, SHAPES, UNDECIDABLE, UNPARSED)
FORMER = re.compile(r"(\S+?)⁽[⁰¹²³⁴⁵⁶⁷⁸⁹]+⁾")
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
    defines: str = ""  # the left side, where the formula is one that later ones may use

    @property
    def is_accepted(self) -> bool:
        """Whether the equation was found true."""
        return self.kind in ACCEPTED

    def __bool__(self) -> bool:
        raise TypeError("a verdict is not true or false by itself: ask is_accepted or kind")


def in_names(found: FormulaVerdict, back: Callable[[str], str]) -> FormulaVerdict:
    """The verdict with every name that only the program uses as `back` shows it; what was a value before is told."""

    def shown(words: Words) -> Words:
        return Words(back(words.en), back(words.ja))

    example = found.counterexample and back(found.counterexample)
    remarks = tuple(Note(note.name, shown(note.words)) for note in found.remarks)
    made = replace(found, words=shown(found.words), counterexample=example, right=back(found.right), remarks=remarks)
    has_former = FORMER.search(" ".join((made.words.en, example or "", made.right)))
    return replace(made, remarks=(*remarks, former(has_former.group(1)))) if has_former else made


def former(name: str) -> Note:
    return Note(
        "former",
        Words(
            f"{name} with a number above it in brackets is one of the former meanings of {name}, the first being 1.",
            f"{name} の右肩の括弧の数は、何番目に与えられた {name} かを表す。",
        ),
    )


def given(name: str, *remarks: Note) -> FormulaVerdict:
    """A name gets its formula."""
    words = Words(
        f"A formula for {name} is given; there is nothing to check.", f"{name} の式を与えている。検算の対象ではない。"
    )
    return FormulaVerdict(DEFINITION, words, remarks=remarks)


def unparsed(code: str, message: str) -> FormulaVerdict:
    return FormulaVerdict(UNPARSED, unparsed_words(Words(plain(message), in_japanese(code, message))), code=code)


def undecidable(code: str, en: str, ja: str, *remarks: Note) -> FormulaVerdict:
    return FormulaVerdict(UNDECIDABLE, Words(en, ja), code=code, remarks=remarks)


LETTER_AND_FUNCTION = undecidable(
    "unknown_function",
    "Not decided: one name stands before brackets, as a function, and beside others without them.",
    "判定できない。同じ名前が、括弧の前では関数として、ほかのところでは括弧なしで使われている。",
)
DEADLINE = undecidable(
    "deadline", "It was not decided in the time that was given.", "決められた時間内に判定できなかった。"
)

UNSAID_SIZES = undecidable(
    "sizes",
    "Two sizes would have to be equal, and the document says neither.",
    "二つの大きさが等しくなければならないが、どちらも文書に書かれていない。",
)
CONDITIONAL = undecidable(
    "condition",
    "The equation is claimed under a condition that is not put in.",
    "この式には条件が付いており、その条件は代入されていない。",
)
DERIVATIVES = undecidable(
    "derivative",
    "Derivatives of one name by another are compared only where one stands alone on the left side.",
    "ある文字を別の文字で微分したものは、左辺に単独で置かれているときだけ比べられる。",
)
LAYOUT = undecidable(
    "derivative",
    "Not decided: whether the derivative by a whole matrix or vector is written as it lies or transposed is not told.",
    "判定できない。行列やベクトル全体での微分を、そのままの形で書くか転置して書くかが示されていない。",
)
OF_LOSS = undecidable(
    "loss",
    "The derivative of the document's own loss could not be compared with this.",
    "この文書の損失の式の微分とは比べられなかった。",
)
LOSS_UNSAID = undecidable(
    "loss",
    "The document gives no loss that this could be derived from, and not for every loss it holds.",
    "この式を導く損失が文書に書かれておらず、どの損失についても成り立つ式ではない。",
)
OPERATOR_UNREAD = undecidable(
    "derivative",
    "The derivative of an expression could not be compared with this.",
    "式の微分とは比べられなかった。",
)
OTHER_SIGMA = undecidable(
    "own_function",
    "It does not hold for the sigmoid, but for the hyperbolic tangent; which function σ is, the document does not say.",
    "シグモイドでは成り立たないが、双曲線正接なら成り立つ。σ がどの関数かは文書に書かれていない。",
)
IMAGINARY = undecidable(
    "imaginary",
    "It does not hold for every i; the letter may be the imaginary unit, which is not computed with here.",
    "i が任意の数なら成り立たない。i は虚数単位かもしれないが、ここでは複素数を計算しない。",
)
AT_SIZES = Note(
    "sizes", Words("It holds for the sizes that the document's values have.", "文書の値の大きさについて成り立つ。")
)
NO_SUBJECT = undecidable(
    "no_subject",
    "Nothing that was given before says what this is about.",
    "何についての式か、これまでの式からは分からない。",
)
NOT_USUAL = undecidable(
    "no_subject",
    "The document does not say what this is about, and it does not hold for what the letters usually mean.",
    "何についての式か文書に書かれておらず、文字のふつうの意味では成り立たない。",
)


def new_names(shown: str) -> FormulaVerdict:
    en = f"{shown}: nothing given before says what this is, so it cannot be checked; the equation may define it."
    return undecidable(
        "new_name", en, f"{shown} はこれまでに与えられていないので検算できない。この式が定義かもしれない。"
    )


def entry_or_name(shown: str) -> FormulaVerdict:
    en = f"Not decided: it does not hold if {shown} is an entry or a row, and {shown} may be a name of its own."
    return undecidable(
        "entry_or_name", en, f"判定できない。{shown} が成分や行なら成り立たないが、独立した名前かもしれない。"
    )


def square_given(shown: str) -> FormulaVerdict:
    en = f"The formula given for the square of {shown} is not the square of this."
    return undecidable("square", en, f"{shown} の 2 乗に与えられた式は、この式の 2 乗ではない。")


def values_unused(shown: str) -> FormulaVerdict:
    en = f"It does not hold for all values; whether it holds for those that the document gives {shown} is not decided."
    return undecidable(
        "values", en, f"すべての値については成り立たない。文書が {shown} に与えた値で成り立つかは判定していない。"
    )


def other_uses(shown: str) -> FormulaVerdict:
    en = f"It holds as far as {shown} goes through these steps; the letter goes into other formulas too."
    return undecidable(
        "other_uses", en, f"{shown} はこの経路については成り立つが、この文字はほかの式にも使われている。"
    )


def not_put_in(shown: str) -> FormulaVerdict:
    en = f"Not decided: the formula that the document gives for {shown} could not be put in before differentiating."
    return undecidable("not_put_in", en, f"判定できない。文書にある {shown} の式を代入して微分することができなかった。")


def unread_before(shown: str) -> FormulaVerdict:
    en = f"Not decided: the formula given for {shown} could not be read."
    return undecidable("unread_before", en, f"{shown} に与えられた式が読めなかったので、判定できない。")


def not_compared(title: Words) -> FormulaVerdict:
    en = f"It could not be compared with the library's {title.en.lower()}."
    return undecidable("not_compared", en, f"ライブラリの「{title.ja}」と比べられなかった。")


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
    return Note("not_used", Words(en, f"{name} の式は後の式の判定には使わない：{in_japanese('', message)}"))


def by_library(title: Words, variant: str = "") -> Words:
    more = (f" with {variant}", f"（{variant}）") if variant else ("", "")
    return Words(
        f"judged against the library's {title.en.lower()}{more[0]}", f"ライブラリの「{title.ja}」{more[1]}と比べた"
    )


OWN_FORMULAS = Words("judged against the document's own formulas", "この文書の式から導いて比べた")
SIZES_TOLD = Words("judged by the sizes that the document gives the letters", "文書が文字に与えた大きさで判定した")
BOTH_SIDES = Words("both sides were compared", "両辺を比べた")
STANDARD = Words(
    "judged against scaled dot-product attention, with S = Q Kᵀ / √d_k, A = softmax(S), Z = A V",
    "縮小付き内積注意（S = Q Kᵀ / √d_k, A = softmax(S), Z = A V）と比べた",
)
