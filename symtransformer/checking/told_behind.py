r"""Letters behind a derivative that are no constants, by words or by a formula that stands below: y = x/n, n the norm of x."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from symtransformer.checking.doubts import undecided
from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation
from symtransformer.checking.formula_derivatives import JACOBIAN
from symtransformer.checking.formula_loss import OPERATOR
from symtransformer.checking.prose import sentences
from symtransformer.checking.told_dependence import gradients_in
from symtransformer.documents import Document, Relation
from symtransformer.notation import Words
from symtransformer.reading.vocabulary import GREEK_SIGNS

ONE = r"[A-Za-zα-ωΛΣ](?:_\w{1,5})?(?:\^2|²)?"
LIST = rf"(?<![\w\\^]){ONE}(?:(?:, and |, | and ?| ?、 ?| ?と ?){ONE}(?![\w]))*(?!\w)"
LETTER = re.compile(r"(?<![A-Za-z_])[A-Za-zα-ωΛΣ](?![A-Za-z])")
IS = r" ?(?:(?:is|are|denotes?|be|represents?|stands? for|means?|being|as)\b|:=|=|:)(?: now| here| both| all)?"
OWNER = r"(?: respectively,?)?(?: (?:the|its|their|an?|our))?(?: [\w-]+){0,2}?"
STATISTIC = (
    r"(?:means?|averages?|variances?|standard[- ]deviations?|std|root[- ]mean[- ]squares?|rms|[\w-]*norms?|euclidean length|"
    r"(?:batch |layer |row |token )?statistics?|normali[sz](?:er|ing (?:factor|constant)))"
)
WEAK = r"(?:sums?|total|maxim(?:um|al)|minim(?:um|al)|max|min|largest|smallest|median|product|magnitude|square|root|inverse|reciprocal|exponential|logarithm)"
JAPANESE = r"(?:平均|分散|標準偏差|ノルム|平方根|RMS|統計量|総和|最大値|最小値)"
RESTS = (
    r"(?: also| itself| in turn| both| all)? (?:depends? on|varies with|vary with|changes? with|"
    r"(?:is|are|be)(?: an?| some| also| both)? (?:functions? of|computed|calculated|obtained|estimated|derived|made)(?: from| over| across| of)?)"
)
TOLD = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?P<list>{LIST}){IS}{OWNER} {STATISTIC}(?![\w-])",
        rf"(?P<list>{LIST}){IS}{OWNER} {WEAK}(?![\w-])[^,;.]{{0,30}}? (?:of|over) (?P<of>[^,;.=]{{1,40}})",
        rf"(?P<list>{LIST}){RESTS} (?P<of>[^,;.=]{{1,40}})",
        rf"\b{STATISTIC} (?:[^,;.=]{{1,30}} (?:by|written|denoted|called)(?: as| by)? )?\(?(?P<list>{LIST})(?! ?\()",
        rf"\b(?:its|their) length (?P<list>{LIST})(?! ?\()",
        rf"(?P<list>{LIST}) (?:normali[sz]es?|rescales?) (?P<of>[^,;.=]{{1,40}})",
        rf"(?P<list>{LIST}) ?(?:は|が|を|も)、?(?:それぞれ)?[^。、，=]{{0,16}}{JAPANESE}",
        rf"{JAPANESE}(?:値|量)?(?:を|が|は)? ?(?P<list>{LIST})",
        rf"(?P<list>{LIST}) ?(?:は|が|も)[^。、，=]{{0,16}}(?:に依存する|に依存し(?!な)|の関数)",
    )
)
FIXED = (
    r"(?:constants?|fixed|frozen|detached|running|moving|hyper-?parameters?|learn(?:ed|able|t)|trainable|parameters?|"
    r"independent|population|定数|固定|学習|パラメータ|依存しない|移動平均)"
)
CONSTANT = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?P<list>{LIST})(?:{IS}| held| kept| does not| do not)[^,;.]{{0,25}}?\b{FIXED}",
        rf"\b{FIXED}(?: \w+)? (?P<list>{LIST})",
        rf"(?P<list>{LIST}) (?:does|do) not depend",
        rf"(?P<list>{LIST}) ?(?:は|を|が)[^。、]{{0,12}}{FIXED}",
    )
)
SAID = re.compile(
    rf"(?P<list>{LIST})(?:{IS} (?:the |an? )?[a-z]|(?: ?は))|(?:\b(?:sigmoid|activation|function|parameter|scale|temperature) )(?P<other>{LIST})"
)
OF_DENSITY = re.compile(
    r"gaussian|normal(?:ly)? distribut|noise|prior|posterior|density|likelihood|ガウス|正規分布|雑音|密度",
    re.IGNORECASE,
)
STATISTICS = frozenset(("mu", "sigma"))
PARAMETERS = STATISTICS | {"gamma", "beta"}  # by them no statistic changes that is not said to
HEAD = re.compile(r"\s*(?P<name>\\?[A-Za-z]+|[α-ωΛΣ])(?:_(?:\w|\{[^{}]{1,9}\}))?(?:\s*\^\s*\{?2\}?|²)?\s*")
NAMES = re.compile(r"\\?[A-Za-z]+|[α-ωΛΣ]")
CALL = re.compile(r"\s*(?:'|\^\s*\\prime)?\s*(?:\\left\s*)?\(")
PRIMED = re.compile(r"\s*(?P<of>\\?[A-Za-z]+)\s*(?:'|\^\s*\{?\\prime\}?)\s*\(\s*(?P<by>\\?[A-Za-z]+)\s*\)\s*")
WRITTEN_BOLD = re.compile(r"\\(?:mathbf|mathsf|mathit|boldsymbol|bm|vec|mathrm)\s*\{\s*(\\?[A-Za-z]+)\s*\}")
MARKED = re.compile(r"\\(?:wide)?(hat|tilde|bar|overline)\s*\{?\s*\\?([A-Za-z]+)\s*\}?")
UPRIGHT = re.compile(r"\\(?:mathrm|operatorname|text)\*?\s*\{[^{}]*\}")
NOT_CONSTANT = Words(
    "Not decided: by the document's words or by a formula below, a letter in it depends on what is differentiated by.",
    "判定できない。文書の言葉や後に出てくる式によれば、式の中のある文字は微分する変数に依存する。",
)
MAY_BE_STATISTIC = Words(
    "Not decided: μ or σ usually is the mean or the standard deviation of the input, and nothing says that it is constant.",
    "判定できない。μ や σ はふつう入力の平均や標準偏差であり、定数だとは書かれていない。",
)


@dataclass(frozen=True)
class Given:
    """A formula for a name, and where it stands."""

    place: tuple[str, int, int]
    text: str


@dataclass
class ToldBehind:
    """What a document says anywhere of the letters in its formulas."""

    given: dict[str, list[Given]] = field(default_factory=dict)
    places: dict[tuple[str, int, int], int] = field(default_factory=dict)
    resting: dict[str, set[str]] = field(
        default_factory=dict
    )  # letter -> what it rests on; nothing, if that is not told
    fixed: set[str] = field(default_factory=set)
    said: set[str] = field(default_factory=set)

    def add(self, document: Document, relations: Sequence[Relation]) -> None:
        """What holds for all of its derivatives."""
        chain = None
        for relation in relations:
            place = relation.file, relation.line, relation.column
            self.places.setdefault(place, len(self.places))
            head = HEAD.fullmatch(_bare(relation.left.text))
            if head is not None and relation.chain != chain:
                self.given.setdefault(_key(head["name"]), []).append(Given(place, relation.right.text))
            chain = relation.chain
        for _, _, _, sentence in sentences(document):
            self._hear(sentence)

    def _take_turned(self, relation: Relation) -> None:
        """‖x‖ = n says of n what it rests on, too, where it is no claim that holds."""
        head, left = HEAD.fullmatch(_bare(relation.right.text)), _bare(relation.left.text)
        if head is None or HEAD.fullmatch(left) is not None or _derivative(relation) is not None:
            return
        if (name := _key(head["name"])) not in self.given and (letters := _names(left) - {name}):
            self.resting.setdefault(name, set()).update(letters)

    def _hear(self, sentence: str) -> None:
        if OF_DENSITY.search(sentence):
            self.said |= _letters(sentence)
            return
        fixed = {x for pattern in CONSTANT for m in pattern.finditer(sentence) for x in _letters(m["list"])}
        self.fixed |= fixed
        self.said |= {x for m in SAID.finditer(sentence) for x in _letters(m["list"] or m["other"])}
        for pattern in TOLD:
            for found in pattern.finditer(sentence):
                of = _letters(found["of"]) if "of" in pattern.groupindex else set()
                for x in _letters(found["list"]) - fixed:
                    self.resting.setdefault(x, set()).update(of or {""})

    def heeded(self, equation: Equation, relation: Relation) -> Equation:
        """The equation, or the same undecided where a letter that was kept constant depends on the variable."""
        if equation.verdict not in ACCEPTED:
            self._take_turned(relation)
        if equation.verdict not in (*ACCEPTED, *ACCUSING) or equation.kind != "formula":
            return equation
        asked = _derivative(relation)
        if asked is None:
            return equation
        of, by, texts = asked
        now = self.places.get((relation.file, relation.line, relation.column), len(self.places))
        own = [*texts, *(g.text for x in of for g in self.given.get(x, ()))]
        inside = self._behind(own, by)
        above = inside | self._behind([relation.right.text], by)
        is_told = any(self._rests(x, by) for x in above - of)
        if is_told or any(self._is_given_below(x, by, now) for x in inside | of):
            return undecided(equation, NOT_CONSTANT, "not_constant")
        unsaid = STATISTICS - of - self.given.keys() - self.fixed - self.said
        every = [*own, *(g.text for x in inside for g in self.given.get(x, ()))]
        is_open = any(unsaid & _names(text) and self._reaches([text], by) for text in every)
        return undecided(equation, MAY_BE_STATISTIC, "not_constant") if is_open and not by & PARAMETERS else equation

    def _behind(self, texts: Iterable[str], by: set[str]) -> set[str]:
        """The letters in the texts, and in the formulas of those, but for what stands behind the variable."""
        found: set[str] = set()
        waiting = [*texts]
        while waiting:
            new = _names(waiting.pop()) - found - by
            found |= new
            waiting += [g.text for x in new for g in self.given.get(x, ())]
        return found

    def _reaches(self, texts: Iterable[str], by: set[str]) -> bool:
        texts = [*texts]
        return any(
            by & _names(text)
            for text in (*texts, *(g.text for x in self._behind(texts, by) for g in self.given.get(x, ())))
        )

    def _rests(self, x: str, by: set[str]) -> bool:
        """By words."""
        on = self.resting.get(x)
        if on is None or x in self.fixed:
            return False
        named = on - {""}
        if named and (named & by or self._reaches((t.text for n in named for t in self.given.get(n, ())), by)):
            return True
        has_value = any(not _names(g.text) for g in self.given.get(x, ()))
        return "" in on and not has_value and not by & PARAMETERS

    def _is_given_below(self, x: str, by: set[str], now: int) -> bool:
        """Whether it gets its first formula only behind this place, and that is no constant."""
        given = self.given.get(x, [])
        if not given or any(self.places[g.place] < now for g in given):
            return False
        return any("softmax" not in g.text for g in given) and self._reaches((g.text for g in given), by)


def _derivative(relation: Relation) -> tuple[set[str], set[str], list[str]] | None:
    """What is differentiated by name, by what, and what is differentiated itself."""
    left, right = _bare(relation.left.text), _bare(relation.right.text)
    if (operator := OPERATOR.fullmatch(left)) is not None:
        return set(), {_key(operator[1] or operator[2])}, [operator["of"]]
    if (primed := PRIMED.fullmatch(left)) is not None:
        return {_key(primed["of"])}, {_key(primed["by"])}, []
    if (jacobian := JACOBIAN.fullmatch(left)) is not None:
        upper, lower = (HEAD.match(text) for text in (jacobian["a"] or jacobian["c"], jacobian["b"] or jacobian["d"]))
        pairs = [(upper["name"], lower["name"])] if upper is not None and lower is not None else []
    else:
        pairs = gradients_in(left)
    if not pairs:
        return None
    by = {_key(b) for _, b in pairs}
    others = {_key(b) for _, b in gradients_in(right)}
    return {_key(o) for o, _ in pairs if o} | (others - by), by, []


def _bare(text: str) -> str:
    r"""x for \mathbf{x}, and \hatx for \hat{x}, which is another letter."""
    return MARKED.sub(r"\\\1\2 ", WRITTEN_BOLD.sub(r" \1 ", text))


def _key(name: str) -> str:
    return GREEK_SIGNS.get(name, name.strip().removeprefix("\\"))


def _letters(text: str) -> set[str]:
    return {_key(x) for x in LETTER.findall(re.sub(r"_\w{1,5}", "", text))}


def _names(text: str) -> set[str]:
    """Every letter and every command, but functions before brackets."""
    return {*_names_in(UPRIGHT.sub(" ", _bare(text)))}


def _names_in(text: str) -> Iterator[str]:
    for found in NAMES.finditer(text):
        name = found.group()
        if _key(name) in STATISTICS and CALL.match(text, found.end()):
            continue
        yield _key(name)
        if not name.startswith("\\"):
            yield from name
