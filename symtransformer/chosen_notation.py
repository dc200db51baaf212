"""How an author writes things: which of the usual ways a page uses, where the field has several.

One record drives every target: a dialect takes its templates from it, and a reader maps them back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from symtransformer.errors import UnreadableInput

CHOICES = {
    "labels": ("subscript", "superscript"),
    "heads": ("superscript", "subscript"),
    "transpose": ("ᵀ", "⊤", "T"),
    "matrices": ("italic", "bold", "bold-italic"),
    "brackets": ("square", "round"),
    "decimal": (".", ","),
    "separator": (",", ";"),
}
NEW_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]{0,15}(_[A-Za-z0-9]{1,15})?")
_AFTER_RELATION = re.compile(r"([=≈<>≤≥] ?[-−]?[0-9]+)\.(?=[0-9])")


@dataclass(frozen=True)
class Notation:
    """One way to write: W_Q or W^Q, the mark of a head, transpose, bold, brackets, decimal sign, names of letters.

    `transpose` is empty where each target has its own mark; `separator` parts what stands in lists, and is ; where
    the decimal sign is a comma.

    >>> Notation(decimal=",").separator, Notation(names={"S": "Score"}).renamed("dS")
    (';', 'dScore')
    >>> Notation(heads="both")
    Traceback (most recent call last):
        ...
    symtransformer.errors.UnreadableInput: notation: heads: expected superscript or subscript, got 'both'
    """

    labels: str = "subscript"
    heads: str = "superscript"
    transpose: str = ""
    matrices: str = "italic"
    brackets: str = "square"
    decimal: str = "."
    separator: str = ""
    names: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for key, allowed in CHOICES.items():
            value = getattr(self, key)
            if value not in allowed and not (value == "" and key in ("transpose", "separator")):
                expected = ", ".join(allowed[:-1]) + " or " + allowed[-1]
                raise UnreadableInput(f"notation: {key}: expected {expected}, got {str(value)[:40]!r}")
        if self.decimal == self.separator == ",":
            raise UnreadableInput("notation: decimal and separator are both a comma; set separator to ';' or leave it")
        if not self.separator:
            object.__setattr__(self, "separator", ";" if self.decimal == "," else ",")
        self._check_names()

    def _check_names(self) -> None:
        owners: dict[str, str] = {}
        for old, new in self.names.items():
            if not isinstance(new, str) or not NEW_NAME.fullmatch(new) or new in ("e", "I"):
                raise UnreadableInput(
                    f"notation: names: {str(old)[:40]}: expected a name of letters and digits, at most one _ in it, "
                    f"got {str(new)[:40]!r}"
                )
            if new in owners:
                raise UnreadableInput(f"notation: names: {owners[new]} and {old} would both be named {new}")
            owners[new] = old

    @property
    def is_usual(self) -> bool:
        return self == USUAL

    @property
    def letters_are_usual(self) -> bool:
        """Whether labels and heads stand where they usually do."""
        return (self.labels, self.heads) == ("subscript", "superscript")

    def renamed(self, name: str) -> str:
        """The name that is shown; dS follows S, and enc1.S is S in the namespace enc1."""
        if not self.names:
            return name
        place, dot, bare = name.rpartition(".")
        if name in self.names:
            return place + dot + self.names[name] if place else self.names[name]
        if bare in self.names:
            return place + dot + self.names[bare]
        if bare[:1] == "d" and bare[1:] in self.names:
            return f"{place}{dot}d{self.names[bare[1:]]}"
        return name

    def is_raised(self, label: str) -> bool:
        """Whether this label of a name stands above: the Q of W_Q; a number or a small letter would look like a power."""
        return self.labels == "superscript" and label[:1].isalpha() and (len(label) > 1 or label.isupper())

    def in_prose(self, words: str) -> str:
        """Words with the decimals behind a relation in this notation; numbers of sections stay as they are."""
        return words if self.decimal == "." else _AFTER_RELATION.sub(r"\1,", words)


USUAL = Notation()
KEYS = tuple(f.name for f in fields(Notation))
