"""Facts: words around exact numbers, in which every relation between the numbers is worked out and must be true."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from sympy import Dummy, Expr, MatrixBase, S

from symtransformer.errors import NotSupported, Refuted, UnreadableInput
from symtransformer.notation import Words
from symtransformer.symbols import exact_number
from symtransformer.zero import is_exactly_zero


def require_words(what: str, words: Any) -> None:
    """Texts are given in both languages."""
    if not isinstance(words, Words):
        raise UnreadableInput(f'{what}: expected Words("in English", "日本語で"), got {type(words).__name__}')


def frozen(value: Any) -> Any:
    """The same in containers that nobody can change later: what was judged stays what is shown."""
    if isinstance(value, (list, tuple)):
        return tuple(map(frozen, value))
    if isinstance(value, Mapping):
        return MappingProxyType({key: frozen(item) for key, item in value.items()})
    if isinstance(value, MatrixBase):
        return value.as_immutable()
    if hasattr(value, "setflags"):  # an array
        value = value.copy()
        value.setflags(write=False)
    return value


def freeze(record: Any, *names: str) -> None:
    for name in names:
        object.__setattr__(record, name, frozen(getattr(record, name)))


@dataclass(frozen=True)
class Fact:
    """A line of words in which {0}, {1}, ... are exact numbers.

    A relation written in the words is worked out and must be true: numbers, places, + − × / and =. It
    stands at the beginning or behind a sign such as a colon, or a word such as "is"; no sign and no word
    that changes its meaning may touch it. Where a side is made of words, `equal` says in places what
    must be equal: `equal=("{0} × {1}", "{2}")`. Letters of sizes may stand in the numbers: they take the
    values of the page.

    >>> from symtransformer import Words
    >>> fact = Fact(Words("{0} + {1} = {2} boxes.", "箱は {0} + {1} = {2} 個です。"), (6, 12, 18))
    >>> Fact(fact.words, (6, 12, 19))
    Traceback (most recent call last):
    symtransformer.errors.Refuted: a fact: 6 + 12 = 19 is not true
    """

    words: Words
    numbers: tuple[Any, ...] = ()
    equal: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        require_words("a fact", self.words)
        object.__setattr__(self, "numbers", tuple(exact_number(n, "a number of a fact") for n in self.numbers))
        for text in (self.words.en, self.words.ja):
            if places := _places(text) ^ set(range(len(self.numbers))):
                raise UnreadableInput(f"a fact: {{{min(places)}}} and the numbers given do not match in {text[:60]!r}")
        if self.equal is not None:
            self._check_equal()
        self._worked_out({}, may_be_open=True)

    def _check_equal(self) -> None:
        """Both sides are written in places, all places are in them, and not every number would do."""
        freeze(self, "equal")
        if self.equal is None or len(self.equal) != 2 or not all(isinstance(side, str) for side in self.equal):
            raise UnreadableInput('a fact: equal expects two texts with places, as in equal=("{0} × {1}", "{2}")')
        if _places("".join(self.equal)) != set(range(len(self.numbers))):
            raise UnreadableInput("a fact: every number must stand in equal")
        any_numbers = [Dummy() for _ in self.numbers]
        left, right = (_Reader(side, any_numbers).whole() for side in self.equal)
        if (left - right).expand() == 0:
            raise UnreadableInput("a fact: equal would hold for any numbers")

    def values(self, known: Mapping[Any, Any]) -> tuple[Expr, ...]:
        """The numbers with these sizes and parameters put in; `Refuted` where a relation does not hold."""
        return self._worked_out(known, may_be_open=False)

    def _worked_out(self, known: Mapping[Any, Any], may_be_open: bool) -> tuple[Expr, ...]:
        numbers = tuple(number.xreplace(dict(known)) for number in self.numbers)
        relations = [r.split("=") for text in (self.words.en, self.words.ja) for r in _relations(text, self.equal is not None)]  # fmt: skip
        for relation in [*relations, *([] if self.equal is None else [self.equal])]:
            shown = re.sub(
                r"\{(\d+)\}", lambda m: str(numbers[int(m[1])]), " = ".join(side.strip() for side in relation)
            )
            sides = [_Reader(side, numbers).whole() for side in relation]
            for left, right in pairwise(sides):
                _require_equal(left, right, shown, may_be_open)
        return numbers

    def answers(self) -> set[int]:
        """The places that a worksheet leaves open: the side of a relation that is one number; all if there is none."""
        found = set()
        for relation in _relations(self.words.en, self.equal is not None):
            alone = [int(m[1]) for side in relation.split("=") if (m := re.fullmatch(r"\s*\{(\d+)\}\s*", side))]
            found |= set(alone[-1:])
        return found or set(range(len(self.numbers)))


def _places(text: str) -> set[int]:
    return {int(k) for k in re.findall(r"\{(\d+)\}", text)}


# -- relations written in words ------------------------------------------------------------------------
_MAY_STAND_IN_ONE = re.compile(r"[\d{}()+\-−×·/=\s]+")
_LETTER = "\ufffc"  # stands for a letter in the words, such as {n}
_RELATING = re.compile(
    r"EQUAL|LESS-THAN|GREATER-THAN|IDENTICAL|APPROX|ALMOST|TILDE|CONGRUEN|EQUIVALEN|PROPORTION|ELEMENT OF|ARROW"
)
_EQUALS = re.compile(
    r"\}[^.{}]*\bequals?\b[^.{}]*\{|\}[^。{}]*\{\d+\}[^。{}]*(等しい|等しく|イコール)|\}[^。{}]*(等しい|等しく|イコール)[^。{}]*\{"
)
# behind these words a relation may begin, if no number stands before them; and before these it may not end
_BEFORE = re.compile(
    r"(?:^|[\s(])(?:is|are|makes?|gives?|keeps?|leaves?|needs?|takes?|has|have|and|so|thus|then|hence|because|since|that|see)\s+$"
    r"|(?:は|では|で|が|と|なら|ので|から|すると|つまり|それぞれ|合わせて|うち)\s*$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\s*(?:[A-Za-z]\b|(?:percent|per|times|plus|minus|over|divided|multiplied|squared|cubed|to the|mod|modulo|factorial|"
    r"dozens?|hundreds?|thousands?|millions?|billions?|trillions?|point|or|half|halves|thirds?|quarters?)\b|"
    r"倍|乗|分|割|パーセント|百|千|万|億|兆|点|足す|引く|掛け|かけ|割る|たす|ひく|階乗|以上|以下|より|未満|前後|ほど|くらい|ぐらい|または|か|の\s*[\d{]|から|個?ずつ)",
    re.IGNORECASE,
)


def _relations(text: str, told: bool) -> Iterator[str]:
    """The runs of numbers, signs and places that hold an equals sign; `told` where words may be a side."""
    text = re.sub(r"\{[^}\d][^}]*\}", _LETTER, text)
    raised = [c for c in text if unicodedata.category(c) == "No"]
    plain = "".join(c if unicodedata.category(c) == "No" else unicodedata.normalize("NFKC", c) for c in text)
    for sign in plain:
        if sign != "=" and _RELATING.search(unicodedata.name(sign, "")):
            raise UnreadableInput(f"a fact: only = is checked, so nothing else may relate numbers: {text[:60]!r}")
    if not told and _EQUALS.search(plain):
        raise UnreadableInput(
            f"a fact: what is equal in {text[:60]!r} is written with =, or given as equal=(left, right)"
        )
    for found in _MAY_STAND_IN_ONE.finditer(plain):
        run = found[0].strip()
        if "=" not in run:
            if not told and re.search(r"\}\s*\+\s*\{", run):
                raise UnreadableInput(
                    f"a fact: what {run[:40]!r} comes to is written with =, or given as equal=(left, right)"
                )
            continue
        if re.search(r"^[\s)]*=|=[\s(]*$", run):  # a side is made of words
            if not told:
                raise UnreadableInput(f"a fact: a side of = in {text[:60]!r} cannot be read; give equal=(left, right)")
            continue
        if not told and (raised or not _stands_alone(plain, found)):
            raise UnreadableInput(
                f"a fact: what stands beside {run[:40]!r} could change what it says; put a colon before it and a comma "
                "or a full stop behind it, or give equal=(left, right)"
            )
        while run[-1] == "(" or (run[-1] == ")" and run.count(")") > run.count("(")):
            run = run[:-1].rstrip()
        while run[0] == ")" or (run[0] == "(" and run.count("(") > run.count(")")):
            run = run[1:].lstrip()
        if not told:
            yield run


def _stands_alone(text: str, found: re.Match[str]) -> bool:
    """Whether nothing beside the run can be read as a part of it."""
    before, after = text[: found.start()], text[found.end() :]
    spaced = found[0][0].isspace()
    head = before + (" " if spaced else "")
    began = (
        not before
        or before[-1] in ";。「"
        or (spaced and before[-1] == ".")
        or (spaced and re.search(r"\S:$", before) is not None)
        or (before[-1] in ":、," and spaced >= (before[-1] == ",") and not re.search(r"[\d})]\s*.$", before))
        or (found[0].lstrip().startswith("(") and spaced and before[-1].isalpha() and not _AFTER.match(before[-1:]))
        or (
            (word := _BEFORE.search(head)) is not None
            and not re.search(r"[\d}]\s*$", head[: word.start() + 1].rstrip("("))
        )
    )
    tail = found[0][len(found[0].rstrip()) :] + after
    ended = (
        not tail.strip()
        or tail.lstrip()[0] in ":;、。」"
        or re.match(r"[.,](\s|$)", tail) is not None
        or (re.match(r"\s+[A-Za-z]|\s*[\u3040-\u30ff\u4e00-\u9fff]", tail) is not None and _AFTER.match(tail) is None)
    )
    return began and ended


def _require_equal(left: Expr, right: Expr, shown: str, may_be_open: bool) -> None:
    difference = (left - right).expand()
    if difference.free_symbols:
        if may_be_open:
            return  # decided where the sizes are known
        raise NotSupported(f"a fact: whether {shown} is true depends on {min(map(str, difference.free_symbols))}")
    zero = is_exactly_zero(difference)
    if zero is None:
        raise NotSupported(f"a fact: whether {shown} is true cannot be decided")
    if not zero:
        raise Refuted(f"a fact: {shown} is not true")


class _Reader:
    """{0} × ({1} + 2): sums of products of places and whole numbers."""

    def __init__(self, text: str, numbers: Sequence[Expr]) -> None:
        self.text, self.numbers = text.strip(), numbers
        self.tokens = re.findall(r"\{\d+\}|\d+|[()+×·/−-]|\S", text)

    def whole(self) -> Expr:
        value = self._sum()
        if self.tokens:
            raise UnreadableInput(f"a fact: {self.text[:60]!r} cannot be read as an expression")
        return value

    def _sum(self) -> Expr:
        value = self._product()
        while self.tokens and self.tokens[0] in "+-−":
            value = value + self._product() if self.tokens.pop(0) == "+" else value - self._product()
        return value

    def _product(self) -> Expr:
        value = self._factor()
        while self.tokens and self.tokens[0] in "×·/":
            value = value / self._factor() if self.tokens.pop(0) == "/" else value * self._factor()
        return value

    def _factor(self) -> Expr:
        token = self.tokens.pop(0) if self.tokens else ""
        if token in ("-", "−"):
            return -self._factor()
        if token == "(":
            value = self._sum()
            if self.tokens[:1] == [")"]:
                self.tokens.pop(0)
                return value
        elif token.isdigit():
            return S(int(token))
        elif token.startswith("{") and len(token) > 1:
            return self.numbers[int(token[1:-1])]
        raise UnreadableInput(f"a fact: {self.text[:60]!r} cannot be read as an expression")
