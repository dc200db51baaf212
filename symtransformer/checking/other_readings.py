r"""What else an equation may mean: 20M is twenty million, and e is what the document calls so. Who may be right by one
of its readings is not accused."""

from __future__ import annotations

import re
import time
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from symtransformer.checking import equation_words as words
from symtransformer.checking.numeric import Numeric
from symtransformer.checking.situation import SECONDS_AT_MOST, Situation
from symtransformer.checking.values import Undecided
from symtransformer.documents import Relation
from symtransformer.errors import SymtransformerError
from symtransformer.notation import Words
from symtransformer.reading.sides import Known, read_side

UNITS: Mapping[str, tuple[int, int]] = {  # so many tens, so many twos
    "k": (3, 0),
    "K": (3, 10),
    "M": (6, 20),
    "B": (9, 0),
    "G": (9, 30),
    "T": (12, 40),
}
UNIT = re.compile(r"(?<![\w.\\^])([0-9]{1,12}(?:\.[0-9]{1,12})?)\s?([kKMBGT])(?![A-Za-z0-9_^'({\[])")
UNIT_ALONE = re.compile(r"\s*(?:[0-9]{2,12}|[0-9]{1,12}\.[0-9]{1,12})([kKMBGT])\s*")
SCALED = re.compile(
    r"(?<=[0-9])(?:\s|~|\\[,;: ])*(?:\\(?:text|mathrm|textrm)\s*\{\s*\(?)?(?:thousand|million|billion|trillion|百万|[千万億兆])\)?\}?"
)
PERCENT_WORD = re.compile(
    r"(?<=[0-9])(?:\s|~|\\[,;: ])*(?:\\(?:text|mathrm|textrm)\s*\{\s*\(?)?(?:percent|パーセント)\)?\}?"
)
ONE_SIZE = r"[A-Za-z0-9_{}]{1,12}\s*(?:×|\\times(?![A-Za-z])|,)\s*[A-Za-z0-9_{}]{1,12}"
IN_BRACKETS = rf"(?:\\left\s*)?\(\s*{ONE_SIZE}\s*(?:\\right\s*)?\)"
BARE_SIZE = r"[A-Za-z0-9_{}]{1,12}\s*(?:×|\\times(?![A-Za-z]))\s*[A-Za-z0-9_{}]{1,12}"
IN_SQUARE = rf"(?:\\left\s*)?\[\s*{BARE_SIZE}\s*(?:\\right\s*)?\]"
ONE_OF_SIZES = rf"(?:{IN_BRACKETS}|{IN_SQUARE})"
SIZES = re.compile(
    rf"\s*(?:{ONE_OF_SIZES}(?:\s*(?:[·⋅*×@]|\\cdot|\\times)?\s*{ONE_OF_SIZES}){{1,5}}"
    rf"|{BARE_SIZE}(?:\s*(?:[·⋅*@]|\\cdot)\s*{BARE_SIZE}){{1,5}})\s*"  # 3×2 · 2×3
)
SIZE = re.compile(rf"\s*(?:{ONE_OF_SIZES}|{ONE_SIZE})\s*")
LISTS = re.compile(r"\s*\[[^\[\]]{0,200}\](?:\s*\+\s*\[[^\[\]]{0,200}\]){1,9}\s*")  # [1] + [2] is [1, 2] in programs
BESIDE = re.compile(r"\]\s*\+\s*\[")
OF_A_LETTER = re.compile(r"\s*\\?(?P<name>[A-Za-zα-ω]+)\s*(?:\\left)?\(\s*(?P<of>\\?[A-Za-zα-ω]+)\s*(?:\\right)?\)\s*")
D = r"(?:d|\\math(?:rm|sf)\s*\{\s*d\s*\})"
DERIVATIVE = re.compile(  # d/dx, whatever value d has
    rf"\\[dt]?frac\s*\{{\s*{D}\s*(?:\^\s*[0-9]\s*)?(?:\\?[A-Za-z]+\s*(?:\([a-z]\)\s*)?)?\}}\s*\{{\s*{D}\s*\\?[A-Za-z](?:[A-Za-z]*|_\w)\s*(?:\^\s*[0-9]\s*)?\}}|"
    r"(?<![A-Za-z0-9_\\])d(?:[A-Za-z](?:\([a-z]\))?)?\s*/\s*d[a-zα-ω](?![A-Za-z])"
)
SET_IN_BARS = re.compile(r"(?:\||\\[lr]?[vV]ert(?![A-Za-z])|\\mid(?![A-Za-z])|#)\s*(?:\\left|\\bigl?|\\Bigl?)?\s*\\\{")
PERCENT = re.compile(r"[0-9]\s*\\?[%％]")
A_NUMBER = re.compile(r"[0-9]*\.?[0-9]+")
BARE_NUMBER = re.compile(r"\s*[-−+]?[0-9]{1,12}(?:\.[0-9]{1,12})?\s*")
CONSTANT = {
    "e": re.compile(r"(?<![A-Za-z0-9_\\.])e(?![A-Za-z0-9_({])|\\mathrm\s*\{e\}"),
    "pi": re.compile(r"\\pi(?![A-Za-z_])|π(?!_)|(?<![A-Za-z0-9_\\])pi(?![A-Za-z0-9_(])"),
}
PERCENT_OF_IT = re.compile(
    r"(?P<of>[0-9.]{1,15})\s*(?P<sign>[+−-])\s*(?P<share>[0-9.]{1,9})\s*\\?[%％]\s*\Z"
)  # 200 + 5% is 210
LOGISTIC = re.compile(r"(?:\\sigma(?![A-Za-z_^])|σ|(?<![A-Za-z_\\])sigma)\s*(?=(?:\\left\s*)?\()")
LOGISTIC_OF_ONE = re.compile(LOGISTIC.pattern + r"(?:\\left\s*)?\(\s*[-−]?[0-9.]{1,12}\s*(?:\\right\s*)?\)")


@dataclass(frozen=True)
class Meaning:
    """Both sides as they are meant then, the names that are known, and what is said if it is right so."""

    left: str
    right: str
    scope: Mapping[str, Known]
    words: Words
    code: str


def is_of_sizes(relation: Relation) -> bool:
    """(3 × 4)(4 × 2) = 3 × 2 is said of the sizes of matrices."""
    return SIZES.fullmatch(relation.left.text) is not None and SIZE.fullmatch(relation.right.text) is not None


def counts_a_set(text: str) -> bool:
    r"""|\\{1, 2, 2\\}| is no norm of a vector.

    >>> counts_a_set(r"|\{1, 2, 2\}|"), counts_a_set("|[3, 4]|")
    (True, False)
    """
    return SET_IN_BARS.search(text) is not None


def is_derived(text: str, known: Container[str] = ()) -> bool:
    r"""Whether a derivative is written in it; d/dk is none where dk is `known`.

    >>> [is_derived(t) for t in (r"\frac{d}{dx} x^2", r"\frac{\mathrm{d}y}{\mathrm{d}x}", "d/dx x^2", r"\frac{d}{h}", "d / d_k")]
    [True, True, True, False, False]
    >>> is_derived("d/dk"), is_derived("d/dk", {"d", "dk"})
    (True, False)
    """
    return any(found.group().rpartition("/")[2].strip() not in known for found in DERIVATIVE.finditer(text))


def is_function_given(relation: Relation, scope: Mapping[str, Known]) -> bool:
    """f(x) = x² + 1 where f has a value: a letter before one in brackets, which stands on the right too."""
    found = OF_A_LETTER.fullmatch(relation.left.text)
    if found is None or found["name"] not in scope:
        return False
    return re.search(rf"(?<![A-Za-z\\]){re.escape(found['of'])}(?![A-Za-z])", relation.right.text) is not None


def has_logistic(relation: Relation, of_one: bool = False) -> bool:
    """σ(0), which is the logistic function to most, and a product where σ has a value."""
    pattern = LOGISTIC_OF_ONE if of_one else LOGISTIC
    return any(pattern.search(side.text) for side in (relation.left, relation.right))


def is_number_with_unit(text: str, scope: Mapping[str, Known]) -> bool:
    """18.9M, where there is a matrix M: a multiple of it, or millions?

    >>> known = {"M": Known((2, 2))}
    >>> is_number_with_unit("18.9M", known), is_number_with_unit("2M", known), is_number_with_unit("20K", known)
    (True, False, False)
    """
    found = UNIT_ALONE.fullmatch(text)
    return found is not None and found.group(1) in scope and scope[found.group(1)].shape is not None


def right_meaning(
    relation: Relation, language: str, numeric: Numeric, shown: Mapping[str, str], hundredths: str = ""
) -> Meaning | None:
    """The first other reading by which it is right; `hundredths` are what its sentence says that the number counts."""
    deadline = time.thread_time() + SECONDS_AT_MOST
    now = Situation(None, None, None, "≈", language, lambda: time.thread_time() > deadline)
    texts, scope = (relation.left.text, relation.right.text), numeric.definitions.scope
    for meaning in (*_of_hundredths(*texts, scope, hundredths), *meanings(*texts, scope, shown)):
        try:
            left, right = (read_side(text, meaning.scope, language) for text in (meaning.left, meaning.right))
            is_exact = meaning.code == "points" or (meaning.code == "logistic" and relation.sign != "≈")
            sign = "=" if is_exact else "≈"  # 25 points are not 20, however 20 may be rounded
            if numeric.agree(left, right, replace(now, relation=sign)):
                return meaning
        except (SymtransformerError, Undecided):
            continue
    return None


def meanings(left: str, right: str, scope: Mapping[str, Known], shown: Mapping[str, str]) -> Iterator[Meaning]:
    """Every other reading; `shown` are the digits that the document gives for e and π.

    >>> [(m.left, m.right) for m in meanings("4000 · 5000", "20M", {"M": Known((2, 2))}, {})]
    [('4000 · 5000', '20e6'), ('4000 · 5000', '(20 · 1048576)')]
    """
    for step in range(2):
        texts = [UNIT.sub(partial(_scaled, step=step), side) for side in (left, right)]
        if texts != [left, right]:
            yield Meaning(texts[0], texts[1], scope, words.UNIT, "unit")
    texts = [SCALED.sub("", side) for side in (left, right)]
    if texts != [left, right]:
        yield Meaning(texts[0], texts[1], scope, words.UNIT, "unit")
    if PERCENT_WORD.search(right) and not (PERCENT.search(left) or are_shares(left)):  # 37.5 - 12.5 = 25 percent
        yield Meaning(left, PERCENT_WORD.sub("", right), scope, words.UNIT, "unit")
    texts = [BESIDE.sub(", ", side) if LISTS.fullmatch(side) else side for side in (left, right)]
    if texts != [left, right]:
        yield Meaning(texts[0], texts[1], scope, words.LISTS, "lists")
    texts = [PERCENT_OF_IT.sub(r"\g<of> (1 \g<sign> \g<share>/100)", side) for side in (left, right)]
    if texts != [left, right]:
        yield Meaning(texts[0], texts[1], scope, words.PERCENT_OF_IT, "percent")
    texts = [LOGISTIC.sub("sigmoid", side) for side in (left, right)]
    if texts != [left, right]:
        yield Meaning(texts[0], texts[1], scope, words.LOGISTIC, "logistic")
    for name, pattern in CONSTANT.items():
        if not (pattern.search(left) or pattern.search(right)):
            continue
        if name in scope:
            yield Meaning(left, right, {n: k for n, k in scope.items() if n != name}, words.CONSTANT, "constant")
        elif name in shown:
            digits = f"({shown[name]})"
            yield Meaning(pattern.sub(digits, left), pattern.sub(digits, right), scope, words.CONSTANT, "constant")


def _of_hundredths(left: str, right: str, scope: Mapping[str, Known], told: str) -> Iterator[Meaning]:
    r"""30\% - 20\% = 10 percentage points: the number at the end counts hundredths.

    >>> [m.right for m in _of_hundredths("30% - 20%", "10", {}, "points")], [*_of_hundredths("30 - 20", "10", {}, "perhaps")]
    (['10%'], [])
    """
    if not told or BARE_NUMBER.fullmatch(right) is None:
        return
    if told == "percent" or PERCENT.search(left) or (told == "points" and are_shares(left)):
        yield Meaning(left, f"{right.strip()}%", scope, words.PERCENT if told == "percent" else words.POINTS, "points")
    elif told == "points" or are_shares(left):  # 1/4 = 25 percentage points, if 1/4 is a share
        yield Meaning(left, f"{right.strip()}%", scope, words.UNIT, "unit")


def counts_other_hundredths(relation: Relation, told: str) -> bool:
    """Whether it is right as a number, and not as what the sentence says that the number counts.

    0.375 - 0.125 = 0.25 percentage points: they are 25; of 37.5 - 12.5 they are 25, too.
    """
    left, right = relation.left.text, relation.right.text
    if told not in ("percent", "points") or BARE_NUMBER.fullmatch(right) is None:
        return False
    is_share = abs(float(right.strip().replace("−", "-"))) < 1
    return is_share or PERCENT.search(left) is not None or are_shares(left)


def are_shares(text: str) -> bool:
    """Whether every number in it is a share below 1, written with decimals: 0.375 - 0.125."""
    numbers = A_NUMBER.findall(text)
    return bool(numbers) and all(number.lstrip("0").startswith(".") for number in numbers)


def _scaled(found: re.Match[str], step: int) -> str:
    number, (tens, twos) = found.group(1), UNITS[found.group(2)]
    return f"({number} · {2**twos})" if step and twos else f"{number}e{tens}"
