"""One token of a formula with letters, and its text in plain signs, from which the tokens are cut."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from symtransformer.checking.formula_signs import HIGH, LOW, SPELLINGS
from symtransformer.reading.index_marks import check_size, marked
from symtransformer.reading.problems import Span
from symtransformer.reading.short_fractions import with_braces

HATTED = re.compile(r"(?<![^\W\d_])[âĉêĝĥîĵôŝûŵŷẑãñõũỹẽĩÂĈÊĜĤÎĴÔŜÛŴŶẐÃÑÕŨỸẼĨ](?![^\W\d_])")  # ŷ is \\hat y


@dataclass(frozen=True)
class Token:
    """`kind` is NUMBER, NAME, T, SUM, FRAC, SQRT or the sign itself; a name has its base and its indices."""

    kind: str
    text: str
    span: Span
    base: str = ""
    indices: tuple[str, ...] = ()
    range: tuple[str, str, tuple[str, str] | None] | None = None
    bare: bool = False  # a function that needs no brackets: \log p
    pair: tuple[Any, ...] = ()  # of a derivative: what stands above and below


def plain(text: str) -> str:
    """Small digits above and below as ^{2} and _{1}, full-width signs as usual ones, derivatives of a loss as dQ."""
    check_size(text)
    text = "".join(unicodedata.normalize("NFKC", c) if "\uff00" <= c <= "\uffef" else c for c in text)
    text = HATTED.sub(lambda m: unicodedata.normalize("NFD", m.group()), text)
    text = re.sub(f"[{''.join(HIGH)}]+", lambda m: "^{" + "".join(HIGH[c] for c in m.group()) + "}", text)
    text = re.sub(f"[{''.join(LOW)}]+", lambda m: "_{" + "".join(LOW[c] for c in m.group()) + "}", text)
    text = re.sub(r"\^\s*\{?\s*\\prime\s*\}?|[′’]|\\prime", "'", text)
    text = with_braces(text)
    for pattern, meant in SPELLINGS:
        text = pattern.sub(meant, text)
    return marked(text.replace("\u3000", " ")).text
