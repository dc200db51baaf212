"""Conventions that the author of a document declares, such as log=2: they hold for all that stands below."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from symtransformer.checking.conventions import CONVENTIONS, LOGARITHMS, Convention
from symtransformer.checking.number_words import Note
from symtransformer.checking.slips.diagnosis import alterations
from symtransformer.node import Node
from symtransformer.notation import Words
from symtransformer.operations.gelu import GELUTanh
from symtransformer.operations.rotary import INTERLEAVED
from symtransformer.reading.side_tokens import folded
from symtransformer.reading.sides import Side

_BY_NAME = {convention.name: convention for convention in CONVENTIONS}
TOPICS: dict[str, dict[str, str | None]] = {  # what may be declared of each, and the convention that it stands for
    "log": {"e": None, "2": "log_base_2", "10": "log_base_10"},
    "variance": {"population": None, "sample": "sample_variance"},
    "eps": {"inside": None, "outside": "eps_outside_root"},
    "gelu": {"exact": None, "tanh": "tanh_gelu"},
    "rope": {"pairs": None, "halves": "rotary_pairs"},
    "smoothing": {"all": None, "others": "smoothing_spread"},
    "weights": {"plain": None, "transposed": "weights_stored_transposed"},
}
NAMES = tuple(f"{topic}={word}" for topic, words in TOPICS.items() for word in words)
WRITTEN_BASE = re.compile(  # a base that is written is no convention
    r"(?<![A-Za-z])ln(?![A-Za-z])|log[\s{}]*(?:\\(?:no)?limits)?[\s{}]*[_\u2080-\u2089]|log(?:2|10)"
    r"|(?<![A-Za-z])(?:np|numpy|math|torch|jnp|tf)\.(?:math\.)?log(?![A-Za-z0-9])"
)
OF_NUMPY = re.compile(r"(?<![A-Za-z])(?:np|numpy|jnp)\.(?:var|std)(?![A-Za-z])")  # which divides by n


def holds_for(convention: str, text: str) -> bool:
    """Whether the convention may be meant by what is written."""
    if convention == "sample_variance":
        return OF_NUMPY.search(text) is None
    return convention not in LOGARITHMS or WRITTEN_BASE.search(folded(text)) is None


@dataclass(frozen=True)
class _Applied:
    original: Node
    name: str
    convention: Convention


class Declared:
    """What is declared so far, and the sides that were read by it.

    >>> declared = Declared()
    >>> declared.adopt("log = 2"), declared.adopt("log = 3")
    (True, False)
    """

    def __init__(self) -> None:
        self.by_topic: dict[str, str] = {}
        self._applied: dict[Any, _Applied] = {}

    def adopt(self, text: str) -> bool:
        topic, _, word = "".join(text.split()).partition("=")
        if word not in TOPICS.get(topic, ()):
            return False
        self.by_topic[topic] = word
        return True

    def leaves_open(self, convention: str) -> bool:
        """Nothing is declared of what this convention is about."""
        return not any(convention in TOPICS[topic].values() for topic in self.by_topic)

    def read(self, side: Side, known: Mapping[Any, Any]) -> Side:
        """The side as it is meant under all that is declared."""
        for topic, word in self.by_topic.items():
            name = TOPICS[topic][word]
            if name is None or not isinstance(side.value, Node) or not holds_for(name, side.text):
                continue
            convention = _one_way(_BY_NAME[name])
            found = next((new for _, new in alterations(side.value, known, (convention,), alone=False)), None)
            if found is not None and found.shape == side.value.shape:
                before = self._applied.get(side.value)
                original = before.original if before else side.value
                self._applied[found] = _Applied(original, f"{topic}={word}", convention)
                side = replace(side, value=found)
        return side

    def applied_to(self, side: Side) -> _Applied | None:
        """What was applied when this was read."""
        applied = self._applied.get(side.value) if isinstance(side.value, Node) else None
        return applied if applied and holds_for(applied.convention.name, side.text) else None


def not_followed(name: str) -> Note:
    return Note(
        "declared_not_followed",
        Words(
            f"It would be right without the convention {name}, which the document declares.",
            f"文書が宣言している {name} の約束に従わなければ、正しい値である。",
        ),
    )


def _one_way(convention: Convention) -> Convention:
    """From the usual form to the declared one only; what is written in that form already stays."""

    def alter(node: Any, known: Any) -> Any:
        names = {parameter.name: node.argument(parameter.name) for parameter in getattr(node, "parameters", ())}
        is_usual = names.get("pairing", INTERLEAVED) == INTERLEAVED and names.get("spread", "all") == "all"
        return () if isinstance(node, GELUTanh) or not is_usual else convention.alter(node, known)

    return replace(convention, alter=alter)
