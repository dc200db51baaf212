r"""Names as people write them: W_Q, W^Q, \mathrm{Score}, 漆器, 出力₁, q_1, a_{21}, Q', each in one canonical spelling."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from symtransformer.reading.problems import ReadingError
from symtransformer.reading.side_tokens import LETTER, Token, folded, tokens_of
from symtransformer.symbols import NAME

_SETS = re.compile(
    r"\\(?:mathrm|text|operatorname|textrm|mathsf|mathtt|mathit|mathbf|textit|textbf|mbox|rm|bm|boldsymbol)\*?\s*"
)
_PART = re.compile(rf"(?:{LETTER}|[0-9*+\-()'_ ]|[\u0370-\u03FF])+")
_MARK = re.compile(
    r"\^(?:([A-Z])(?![A-Za-z0-9_])|([*+])|\{\s*(\\(?:mathrm|text|operatorname|textrm|mathsf)\s*\{[^{}]*\}|[A-Z]{1,3}|\([0-9A-Za-z]{1,8}\)|[*+\-]|[a-z]{2,15})\s*\})"
)
TITLE_CASE = re.compile(r"[A-Z][a-z]+")


@dataclass(frozen=True)
class Known:
    """A name that is defined: a number (no shape) or a matrix of known size.

    `listed`: written as a flat list [a, b, c], so that it may stand as a row or as a column. `mask`: it has
    entries −∞, so that adding it drops scores.
    """

    shape: tuple[int, int] | None = None
    listed: bool = False
    mask: bool = False


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


@dataclass(frozen=True)
class Spelled:
    """A name with its marks: what may be its canonical name, longest first, and how many tokens each takes."""

    base: str
    index: tuple[str, ...] | None  # the parts of its index
    names: tuple[tuple[str, int], ...]
    index_end: int  # the token after its index


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
    while i < count and tokens[i].kind == "'":
        base, i = base + "'", i + 1
    index, index_end = None, i
    if i < count and tokens[i].kind == "low":
        index = index_parts(tokens[i].text)
        if index is None:
            return Spelled(base, None, ((base, i),), i)
        i = index_end = i + 1
        while i < count and tokens[i].kind == "'":
            base, i = base + "'", i + 1
            index_end = i
    plain = base if index is None else f"{base}_{joined(index)}"
    names: list[tuple[str, int]] = [(plain, i)]
    if i < count and tokens[i].kind == "^" and (mark := _MARK.match(text, tokens[i].start)):
        word = _SETS.sub("", next(g for g in mark.groups() if g)).strip("{} ")
        end = i + 1
        while end < count and tokens[end].start < mark.end():
            end += 1
        raised = f"{plain}_{word}" if word.isalpha() and index is None else f"{plain}^{word}"
        if end < count and tokens[end].kind == "low" and index is None and (after := index_parts(tokens[end].text)):
            names.insert(0, (f"{base}_{joined(after)}^{word}", end + 1))
        names.insert(0, (raised, end))
    return Spelled(base, index, tuple(names), index_end)


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
    if end != len(tokens) or (tokens[0].kind == "word" and not _is_one_name(tokens[0].text, is_latex, scope or {})):
        return None
    return name


def _is_one_name(run: str, is_latex: bool, scope: Mapping[str, Any]) -> bool:
    if run in scope or len(run.rstrip("0123456789")) == 1 or not run.isascii():
        return True
    if run.isupper():
        return not all(letter in scope for letter in run) and (not is_latex or len(run) > 2)
    return not is_latex or len(run) > 2
