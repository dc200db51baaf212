r"""Names as people write them: W_Q, W^Q, \mathrm{Score}, 漆器, 出力₁, q_1, a_{21}, Q', each in one canonical spelling."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from symtransformer.reading.problems import ReadingError
from symtransformer.reading.side_patterns import LETTER
from symtransformer.reading.side_tokens import Token, folded, tokens_of
from symtransformer.scalars import GREEK
from symtransformer.symbols import NAME

_SETS = re.compile(
    r"\\(?:mathrm|text|operatorname|textrm|mathsf|mathtt|mathit|mathbf|textit|textbf|mbox|rm|bm|boldsymbol)\*?\s*"
)
_PART = re.compile(rf"(?:{LETTER}|[0-9*+\-()'_ ]|[\u0370-\u03FF])+")
_WORD_UP = r"\\(?:mathrm|text|operatorname|textrm|mathsf)\s*\{[^{}]*\}"
_ONE_MARK = (
    rf"(?:{_WORD_UP}|\\[A-Za-z]+|[A-Z]{{1,3}}|\([0-9A-Za-z]{{1,8}}\)|[*+\-]|[a-z][a-z0-9]{{1,14}}|[a-z](?=\s*\}}\s*_))"
)
_PLAIN_MARK = r"(?:'+|\([0-9A-Za-z]{1,8}\)|[A-Za-z][A-Za-z0-9]{0,14})"
_MARK = re.compile(
    rf"\^(?:({_PLAIN_MARK}(?:,{_PLAIN_MARK})*)(?=_[A-Za-z0-9(])|([A-Z])(?![A-Za-z0-9_])|([*+])"
    rf"|(\([0-9A-Za-z]{{1,8}}\))(?![A-Za-z0-9_])|\{{\s*({_ONE_MARK}(?:\s*,\s*{_ONE_MARK})*)\s*\}})"
)
# e^{ab} and e^\infty are powers; only a word that is set as one, a star or a prime makes a name of e
_POWER_OF_E = re.compile(
    rf"[{{\s]*(?:\\(?:mathrm|text|operatorname)\s*\{{\s*e\s*\}}|e)\s*\}}?\s*\^(?!\s*\{{?\s*(?:{_WORD_UP}|\\prime|[*+]))"
)
_RAISED_LETTERS = re.compile(r"(?P<base>[A-Za-z])\s*\^\s*\{\s*(?P<letters>[a-z]{2,6})\s*\}")
TITLE_CASE = re.compile(r"[A-Z][a-z]+")


@dataclass(frozen=True)
class Known:
    """A name that is defined: a number (no shape) or a matrix of known size.

    `listed`: written as a flat list [a, b, c], so that it may stand as a row or as a column. `mask`: it has
    entries −∞, so that adding it drops scores. `whole`: the value of a number that is whole, for sizes such as n.
    """

    shape: tuple[int, int] | None = None
    listed: bool = False
    mask: bool = False
    whole: int | None = None


@lru_cache(maxsize=4096)
def letter_name(name: str) -> str:
    """The name that the letter or symbol of a name bears: itself where letters may be called so, else a code for it."""
    if NAME.fullmatch(name) and "." not in name and name not in ("e", "I") and not name.startswith("zz"):
        return name
    digest = int.from_bytes(hashlib.sha256(name.encode()).digest())
    code = ""
    for _ in range(28):
        digest, digit = divmod(digest, 36)
        code += "0123456789abcdefghijklmnopqrstuvwxyz"[digit]
    return f"zz{code[:13]}_{code[13:]}"


def name_of_letter(name: str, head: Any = None) -> str:
    """The canonical name of a letter of an expression, as it is read where the letter is printed.

    >>> name_of_letter("cross.W_Q"), name_of_letter("enc1.X"), name_of_letter("Q", 0)
    ('W_Q^cross', 'X_enc1', 'Q^(1)')
    """
    place, _, bare = name.rpartition(".")
    marks = (place,) if place else ()
    return marked(bare, marks if head is None else (*marks, f"({head + 1})"))


@dataclass(frozen=True)
class Spelled:
    """A name with its marks: what may be its canonical name, longest first, and how many tokens each takes."""

    base: str
    index: tuple[str, ...] | None  # the parts of its index
    names: tuple[tuple[str, int], ...]
    index_end: int  # the token after its index
    marks: tuple[str, ...] = ()  # (1) of q^(1)_2, and mask of s^mask_2, which stand above the index

    def wholes(self) -> tuple[str, ...]:
        """The names that what it is an entry of may have: W_O for w^O_{11}, Q_1 or Q^(1) for q^(1)_2, dS for ds_{21}."""
        base, found = self.base, [self.base]
        plain = base.rstrip("'")
        if len(plain) == 1 or (self.marks and plain not in GREEK):
            found.append(base[0].upper() + base[1:])
        if len(plain) == 2 and plain[0] == "d":
            found.append("d" + base[1:].upper())
        elif plain.islower() and plain.isascii() and plain not in GREEK:
            found.append(base[0].upper() + base[1:])
        if not self.marks:
            return tuple(dict.fromkeys(found))
        if set(self.marks[0]) == {"'"}:  # the second sigma, sigma2, has a prime
            found, rest = [f"{b}{len(self.marks[0]) + 1}" for b in found], self.marks[1:]
            return tuple(marked(b, rest) for b in found)
        first, rest = self.marks[0].strip("()"), self.marks[1:]
        return tuple(
            dict.fromkeys([*(marked(f"{b}_{first}", rest) for b in found), *(marked(b, self.marks) for b in found)])
        )


def marked(name: str, marks: tuple[str, ...]) -> str:
    """A name with what stands above it: W_Q^cross, Q^(1); X_cross, since one word is read like an index."""
    if not marks:
        return name
    return (
        f"{name}_{marks[0]}"
        if len(marks) == 1 and marks[0].isalnum() and "_" not in name
        else f"{name}^{','.join(marks)}"
    )


def index_parts(low: str) -> tuple[str, ...] | None:
    """The parts of an index: ("2", "1") of 2,1; None where it is no index of a name."""
    plain = _SETS.sub("", low).replace("{", " ").replace("}", " ").replace("\\_", "_")
    plain = re.sub(r"\\([A-Za-z]+|[,; ])", lambda found: found.group(1) if found.group(1).isalpha() else " ", plain)
    parts = tuple(" ".join(part.split()) for part in plain.split(","))
    if any(len(part) > 40 or not _PART.fullmatch(part) for part in parts):
        return None
    return parts


def joined(parts: tuple[str, ...]) -> str:
    """21 of 2,1; with commas where one part has more than one character."""
    return ("" if all(len(part) == 1 for part in parts) else ",").join(part.replace(" ", "") for part in parts)


def spelled(tokens: list[Token], at: int, text: str, word: str | None = None) -> Spelled:
    """The name that begins with this token, with its primes, index and mark."""
    base, i = word if word is not None else tokens[at].text, at + 1
    count = len(tokens)
    place, _, base = base.rpartition(".")  # enc1.W_Q is W_Q of enc1
    marks: tuple[str, ...] = (place,) if place else ()
    if base == "d" and i < count and tokens[i].kind == "greek" and tokens[i].tight and word is None:
        base, i = base + tokens[i].text, i + 1
    while i < count and tokens[i].kind == "'":
        base, i = base + "'", i + 1
    index, index_end = None, i
    if i < count and tokens[i].kind == "low":
        index = index_parts(tokens[i].text)
        if index is None:
            return Spelled(base, None, ((marked(base, marks), i),), i, marks)
        i = index_end = i + 1
        while i < count and tokens[i].kind == "'":
            base, i = base + "'", i + 1
            index_end = i
    plain = base if index is None else f"{base}_{joined(index)}"
    names: list[tuple[str, int]] = [(marked(plain, marks), i)]
    if i < count and tokens[i].kind == "^" and (mark := _MARK.match(text, tokens[i].start)):
        marks += tuple(_mark(part) for part in next(g for g in mark.groups() if g).split(","))
        end = i + 1
        while end < count and tokens[end].start < mark.end():
            end += 1
        names.insert(0, (marked(plain, marks), end))
        index_end = end
        if end < count and tokens[end].kind == "low" and index is None and (after := index_parts(tokens[end].text)):
            names.insert(0, (f"{base}_{joined(after)}^{','.join(marks)}", end + 1))
            index, index_end = after, end + 1
    return Spelled(base, index, tuple(names), index_end, marks)


def _mark(text: str) -> str:
    """mask of \\mathrm{mask}."""
    word = _SETS.sub("", text).strip("{} \\")
    return "'" if word == "prime" else word


def is_latex_text(text: str, language: str) -> bool:
    return language in ("latex", "tex") or "\\" in text


def read_name(text: str, language: str = "text", scope: Mapping[str, Any] | None = None) -> str | None:
    """The canonical name where a side is one name and nothing else, else None.

    A run of capitals counts as a name, unless each of its letters is in the scope: then it is a product.

    >>> [read_name(t) for t in ("W_Q", "W^Q", r"\\mathrm{Score}", "出力₁", "a_{2,1}", "Q'", "2 x", "q k")]
    ['W_Q', 'W_Q', 'Score', '出力_1', 'a_21', "Q'", None, None]
    """
    text = folded(text).strip().rstrip(".,。")
    is_latex = is_latex_text(text, language)
    try:
        tokens = tokens_of(text, is_latex)
    except ReadingError:
        return None
    while len(tokens) > 2 and tokens[0].kind == "{" and tokens[-1].kind == "}":
        tokens = tokens[1:-1]
    if not tokens or tokens[0].kind not in ("word", "greek", "upright"):
        return None
    words = [t.text for t in tokens if t.kind == "word"]
    if len(words) == len(tokens) > 1:
        is_title = not is_latex and all(TITLE_CASE.fullmatch(word) for word in words)
        return " ".join(words) if is_title else None
    name, end = spelled(tokens, 0, text).names[0]
    if tokens[0].text == "d" and len(tokens) > 1 and tokens[1].kind == "greek" and "d" in (scope or {}):
        return None  # a product
    if tokens[0].text == "e" and "e" not in (scope or {}) and _POWER_OF_E.match(text):
        return None
    if end != len(tokens) or (tokens[0].kind == "word" and not _is_one_name(tokens[0].text, is_latex, scope or {})):
        return None
    return name


def is_power(text: str, scope: Mapping[str, Any]) -> bool:
    """Whether x^{ab} is a power: x, a and b all have values, so that it is no name with a mark.

    >>> is_power("x^{ab}", dict.fromkeys("abx")), is_power("W^{ab}", dict.fromkeys("ab"))
    (True, False)
    """
    found = _RAISED_LETTERS.fullmatch(folded(text).strip().rstrip(".,。"))
    return found is not None and all(name in scope for name in (found["base"], *found["letters"]))


def _is_one_name(run: str, is_latex: bool, scope: Mapping[str, Any]) -> bool:
    if run in scope or len(run.rstrip("0123456789")) == 1 or not run.isascii():
        return True
    if "." in run or re.fullmatch("d[A-Za-z]", run):
        return True
    if run.isupper():
        return not all(letter in scope for letter in run) and (not is_latex or len(run) > 2)
    return not is_latex or len(run) > 2
