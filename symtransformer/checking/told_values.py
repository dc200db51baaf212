"""Values that a document gives in words: "Let x be 4", "x は 4 とする"; "when x is 4" may hold for its sentence or for more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from symtransformer.checking.prose import SENTENCE_AT_MOST, SENTENCE_END
from symtransformer.checking.quoted import Quoted
from symtransformer.documents import Document
from symtransformer.reading.side_names import read_name

DRESS = re.compile(r"\\[()\[\]]|[$`{}\\*]|<[^<>\n]{0,40}>")  # $x$ and \(x\) are x
NAME = r"(?P<name>[A-Za-zα-ω][a-z]{0,6}(?:_[A-Za-z0-9]{1,6})?)"
NUMBER_WORDS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
VALUE = (
    rf"(?P<value>[-−]?[0-9]{{1,12}}(?:\.[0-9]{{1,12}})?%?|\[[-−0-9., ]{{1,80}}\]|\b(?:{'|'.join(NUMBER_WORDS)})\b|ゼロ)"
)
END = r"(?=\s*(?:\Z|[,;:](?![0-9])|[。、，]|\.(?:\s|\Z)|and\b|instead\b|from now\b|from here\b|now\b|again\b|here\b))"
MORE = r"(?:now |instead |again |here |the value of )?"
IS = r"(?:now |instead |again )?(?:be|is|to be|to|equals?|to equal|have the value|has the value)(?: now| again| instead| equal to)?"
GIVEN = (
    re.compile(rf"(?:\A|[,;:] ?|\b(?:and|now|then|instead|we|us|to|so|here) )(?:let|set|take|choose|put|fix|suppose|assume|change|reset)(?: us| that)? {MORE}{NAME},? {IS} {VALUE}{END}", re.IGNORECASE),
    re.compile(rf"(?:\A|[,;] ?|\b)(?:now|from (?:now|here) on),? {NAME} (?:is|equals|has the value) {VALUE}{END}", re.IGNORECASE),
    re.compile(rf"(?<![\w]){NAME} (?:is now|now is|now equals|becomes|now becomes|changes to|is changed to|is set to|is reset to) {VALUE}{END}"),
    re.compile(rf"(?<![\w]){NAME} ?(?:の値)? ?(?:を|は|が)、? ?(?:今度は|今後は|ここでは|改めて|新たに)?、? ?{VALUE} ?(?:とする|とおく|と置く|と定める|とします|とおきます|にする|にします|に変える|に変更する|に置き換える|に修正する|に訂正する|に更新する|に更新される|になる)(?=\s*(?:\Z|[。．、，,.]))"),
)  # fmt: skip
ALSO = re.compile(rf"(?:,? and|,) {NAME},? (?:be |to be |to |is |equals )?{VALUE}{END}")  # let x be 4 and y be 5
SUPPOSED = (
    re.compile(rf"(?<!not )(?<!never )(?<!n't )\b(?:let|set|take|choose|put|fix|suppose|assume)(?: us| that)? {MORE}{NAME},? {IS} {VALUE}{END}", re.IGNORECASE),
    re.compile(rf"\b(?:if|when|whenever|for|with|once|where)(?: we)?(?: let| set| take| have)? {NAME} (?:is|be|equals?|equal to|to|becomes) (?:equal to )?{VALUE}{END}", re.IGNORECASE),
    re.compile(rf"(?<![\w]){NAME} ?[がはを]、? ?{VALUE} ?(?:のとき|の時|の場合|なら|であれば|だとすると|とすると|とすれば|として|に変えると|にすると)"),
)  # fmt: skip
# one of these stands in every sentence that tells a value
MAY_TELL = re.compile(
    r"\b(?:let|set|take|choose|put|fix|suppose|assume|change|now|from|becomes|changes|changed|reset|if|when|whenever|for|with|once|where)\b|"
    r"と(?:する|おく|置く|定める|します|おきます|すると|すれば|して)|に(?:する|します|すると|変え|変更|置き換|修正|訂正|更新|なる)|の(?:とき|時|場合)|なら|であれば|だとすると",
    re.IGNORECASE,
)
CONDITION = re.compile(
    r"\b(?:if|unless|whether|cannot|can't|not|never|would|old|older|previous|previously|former|formerly|earlier|used to|wrongly|by mistake|another|other|elsewhere)\b|"
    r"もし|仮に|ない|以前|旧版|前回|別の|誤って|間違えて",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ToldValue:
    """A name and the digits told for it, from a character on; `is_supposed`: it may hold for its sentence only."""

    name: str
    value: str
    origin: int
    line: int
    is_supposed: bool = False


def values_told(document: Document) -> list[ToldValue]:
    """In the order of the document.

    >>> from symtransformer.documents import read_document
    >>> [(t.name, t.value) for t in values_told(read_document("Let $x$ be $4$ and y be 5. a を 2 とする。".encode(), "a.md"))]
    [('x', '4'), ('y', '5'), ('a', '2')]
    >>> [(t.name, t.value) for t in values_told(read_document(b"Let x be 4-dimensional. Let y be 4 times z.", "a.md"))]
    []
    """
    return sorted(_found(document), key=lambda told: told.origin)


def _found(document: Document) -> Iterator[ToldValue]:
    quoted = Quoted(document)
    for _, source in document.sources.read_texts():
        text, start = source.text, 0
        for end in SENTENCE_END.finditer(text):
            piece, start_of_piece = text[start : end.end()][:SENTENCE_AT_MOST], start
            start = end.end()
            if MAY_TELL.search(piece):
                plain, places = _bare(piece)
                for name, value, at, is_supposed in _in_sentence(plain):
                    origin = source.origins[start_of_piece + places[at]]
                    is_open = is_supposed or origin in quoted
                    yield ToldValue(name, value, origin, document.place(origin).line, is_open)


def _bare(piece: str) -> tuple[str, list[int]]:
    """The sentence without what sets it, on one line, and the place of each character."""
    kept: list[tuple[str, int]] = []
    done = 0
    for found in [*DRESS.finditer(piece), None]:
        last = len(piece) if found is None else found.start()
        for at in range(done, last):
            c = " " if piece[at].isspace() else piece[at]
            if not (c == " " and (not kept or kept[-1][0] == " ")):
                kept.append((c, at))
        done = len(piece) if found is None else found.end()
    return "".join(c for c, _ in kept), [at for _, at in kept]


def _in_sentence(plain: str) -> Iterator[tuple[str, str, int, bool]]:
    done: set[int] = set()
    for pattern in (*GIVEN, *SUPPOSED):
        for first in pattern.finditer(plain):
            if first.start("name") in done:
                continue
            done.add(first.start("name"))
            is_open = pattern in SUPPOSED or CONDITION.search(plain[: first.start("name")]) is not None
            found: re.Match[str] | None = first
            while found is not None:
                if (name := read_name(found["name"])) is not None:
                    yield name, number_told(found["value"]), found.start("name"), is_open
                found = ALSO.match(plain, found.end()) if pattern is GIVEN[0] else None


def number_told(value: str) -> str:
    """The digits.

    >>> number_told("four"), number_told("−2.5")
    ('4', '-2.5')
    """
    small = value.lower()
    if small in NUMBER_WORDS:
        return str(NUMBER_WORDS.index(small))
    return "0" if value == "ゼロ" else value.replace("−", "-")
