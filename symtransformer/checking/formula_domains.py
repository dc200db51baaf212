"""Where a formula has a value: log x only for x > 0, 1/x only for x ≠ 0; told where the other side asks less."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symtransformer.checking.formula_document import Document
from symtransformer.checking.formula_syntax import (
    Call,
    Factors,
    Indexed,
    Named,
    Number,
    Part,
    Power,
    Terms,
    Total,
    Transposed,
    every_part,
)  # fmt: skip
from symtransformer.checking.formula_writing import written
from symtransformer.checking.number_words import Note
from symtransformer.notation import Words
from symtransformer.reading.vocabulary import is_size_name

LOGARITHMS = frozenset(("log", "ln"))
ALWAYS_POSITIVE = frozenset(("exp", "softmax", "Softmax", "sigma", "sigmoid", "Sigmoid"))
NEVER_ZERO = frozenset(("epsilon", "eps", "sigma", "tau", "T", "pi", "e"))  # as they are meant below a line
SHOWN_AT_MOST = 3
NAMES = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def domain_note(left: Part, right: Part) -> Note | None:
    """What one side asks of its letters and the other does not; None where both ask the same.

    >>> from symtransformer.checking.formula_syntax import Call, Named
    >>> print(domain_note(Call("exp", (Call("log", (Named("x"),)),)), Named("x")).words.en)
    It holds only where both sides have a value: for x > 0.
    """
    asked = [dict.fromkeys(_conditions(side)) for side in (left, right)]
    apart = [c for c in asked[0] if c not in asked[1]] + [c for c in asked[1] if c not in asked[0]]
    if not apart:
        return None
    positive = {text for text, sign in apart if sign == ">" and text.isidentifier()}
    apart = [c for c in apart if (c[1] == ">" and c[0] in positive) or not positive & set(NAMES.findall(c[0]))]
    shown = ", ".join(f"{text} {sign} 0" for text, sign in apart[:SHOWN_AT_MOST])
    return Note(
        "domain",
        Words(
            f"It holds only where both sides have a value: for {shown}.",
            f"両辺が値を持つところ（{shown}）だけで成り立つ。",
        ),
    )


def _conditions(side: Part) -> Iterator[tuple[str, str]]:
    """What must be positive, not negative, or not 0 for the side to have a value."""
    for part in every_part(side):
        if isinstance(part, Call) and part.function in LOGARITHMS and len(part.arguments) == 1:
            if not _is_positive(part.arguments[0]):
                yield written(part.arguments[0]), ">"
        elif isinstance(part, Call) and part.function == "sqrt" and len(part.arguments) == 1:
            if not _is_positive(part.arguments[0]) and not _is_square(part.arguments[0]):
                yield written(part.arguments[0]), "≥"
        elif isinstance(part, Factors):
            for sign, factor in part.factors:
                if sign == "/" and not _is_positive(factor) and not _has_root(factor):
                    yield written(factor), "≠"
        elif isinstance(part, Power) and isinstance(part.exponent, Terms) and not _is_positive(part.base):
            if part.exponent.terms[0][0] == "-" and not (isinstance(part.base, Named) and part.base.name == "e"):
                yield written(part.base), "≠"


def _is_positive(part: Part) -> bool:
    """Numbers, sizes, exponentials, weights, and sums and products of such."""
    if isinstance(part, Number):
        return True
    if isinstance(part, Named):
        return part.name in NEVER_ZERO or is_size_name(part.name)
    if isinstance(part, Indexed):
        return _is_positive(part.inner)
    if isinstance(part, Call):
        return part.function in ALWAYS_POSITIVE or (part.function == "sqrt" and _is_positive(part.arguments[0]))
    if isinstance(part, Total):
        return _is_positive(part.body)
    if isinstance(part, Power):
        return _is_positive(part.base)
    if isinstance(part, Terms):
        return all(s == "+" and (_is_positive(t) or _is_square(t)) for s, t in part.terms) and any(
            _is_positive(t) for _, t in part.terms
        )
    if isinstance(part, Factors):
        return all(_is_positive(factor) for _, factor in part.factors)
    return isinstance(part, Transposed) and _is_positive(part.inner)


def _is_square(part: Part) -> bool:
    """Never negative: σ², Σ x², a mean of such."""
    if isinstance(part, Power):
        return part.exponent == Number("2")
    if isinstance(part, Total):
        return _is_square(part.body) or _is_positive(part.body)
    if isinstance(part, Call):
        return part.function in ("var", "Var", "norm2") or (
            part.function in ("mean", "sum", "E") and _is_square(part.arguments[0])
        )
    if isinstance(part, Factors):
        return all(_is_square(factor) or _is_positive(factor) for _, factor in part.factors)
    return isinstance(part, Terms) and all(s == "+" and (_is_square(t) or _is_positive(t)) for s, t in part.terms)


def _has_root(part: Part) -> bool:
    """√(σ² + ε) below a line is what normalizes."""
    return isinstance(part, Call) and part.function in ("sqrt", "std", "norm2") and all(map(_is_square, part.arguments))


def may_be_imaginary(document: Document, *sides: Part) -> bool:
    """e^{iθ} and i sin θ, where i is no index and nothing is said of it."""
    if "i" in document.known or document.find("i") is not None:
        return False
    every = [p for side in sides for p in every_part(side)]
    powers: list[Part] = [p for p in every if isinstance(p, Call) and p.function == "exp"]
    powers += [
        p for p in every if isinstance(p, Factors) and any(getattr(f, "function", "") == "sin" for _, f in p.factors)
    ]
    return any(p == Named("i") for power in powers for p in every_part(power))
