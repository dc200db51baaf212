"""A formula as text for the library's readers: every product with its sign, every index in braces."""

from __future__ import annotations

from symtransformer.checking.formula_syntax import (
    Call,
    Delta,
    Derivative,
    Factors,
    Indexed,
    Named,
    Number,
    Part,
    Power,
    Terms,
    Total,
    Transposed,
    changed,
    parts_of,
)  # fmt: skip
from symtransformer.reading.vocabulary import is_size_name

USUAL = {
    "Softmax": "softmax",
    "SoftMax": "softmax",
    "sigma": "sigmoid",
    "RoPE": "rotate",
    "Relu": "ReLU",
    "relu": "ReLU",
    "gelu": "GELU",
}
SIGNS = {".": "· ", "*": "* "}
RELATIONS = {"!=": "≠", "<=": "≤", ">=": "≥"}


def written(part: Part) -> str:
    """The text of a formula; sums and products in brackets where they stand inside others."""
    if isinstance(part, Number):
        return part.text
    if isinstance(part, Named):
        return part.name + _below(part.indices)
    if isinstance(part, Derivative):
        return f"∂{written(part.above)}/∂{written(part.below)}"
    if isinstance(part, Delta):
        return f"δ_{{{part.left},{part.right}}}"
    if isinstance(part, Indexed):
        return f"({written(part.inner)}){_below(part.indices)}"
    if isinstance(part, Total):
        condition = (
            "".join((RELATIONS.get(part.condition[0], part.condition[0]), part.condition[1])) if part.condition else ""
        )
        below = f"{part.letter}=1" if part.upper else part.letter + condition
        upper = f"^{{{part.upper}}}" if part.upper else ""
        return f"Σ_{{{below}}}{upper} {_inside(part.body)}"
    if isinstance(part, Terms):
        return _terms(part)
    if isinstance(part, Factors):
        return _factors(part)
    if isinstance(part, Power):
        exponent = written(part.exponent)
        return f"{_inside(part.base)}^{exponent if isinstance(part.exponent, Number) else f'({exponent})'}"
    if isinstance(part, Transposed):
        return f"{_inside(part.inner)}^T"
    assert isinstance(part, Call)
    if part.function in ("max", "Max") and len(part.arguments) == 2 and Number("0") in part.arguments:
        return f"ReLU({written(next(a for a in part.arguments if a != Number('0')))})"
    words = [f"{name}={written(value)}" for name, value in part.words]
    return f"{USUAL.get(part.function, part.function)}({', '.join([*map(written, part.arguments), *words])})"


def _below(indices: tuple[str, ...]) -> str:
    return f"_{{{','.join(indices)}}}" if indices else ""


def _inside(part: Part) -> str:
    text = written(part)
    is_atom = isinstance(part, (Named, Number, Call, Delta))
    return text if is_atom or (isinstance(part, Transposed) and isinstance(part.inner, (Named, Call))) else f"({text})"


def _terms(part: Terms) -> str:
    if len(part.terms) == 1 and part.terms[0][0] == "+":
        return written(part.terms[0][1])
    pieces = [f"{sign} {_summand(term)}" for sign, term in part.terms]
    return " ".join(pieces).removeprefix("+ ").replace("- ", "-", 1) if pieces[0][0] == "-" else " ".join(pieces)[2:]


def _summand(part: Part) -> str:
    return f"({written(part)})" if isinstance(part, (Terms, Total)) else written(part)


def _factors(part: Factors) -> str:
    if any(sign == "⊙" for sign, _ in part.factors):
        return " ⊙ ".join(_inside(p) for _, p in part.factors)
    text = ""
    for k, (sign, factor) in enumerate(part.factors):
        inner = _inside(factor)
        if k == 0:
            text = "1.0" if inner == "1" and len(part.factors) > 1 and part.factors[1][0] != "/" else inner
        elif sign == "/":
            text = f"({text}) / {inner}" if k > 1 else f"{text} / {inner}"
        elif part.factors[k - 1][0] == "/" or isinstance(factor, Number):
            text = f"({text}) {'* ' if isinstance(factor, Number) else SIGNS.get(sign, '')}{inner}"
        else:
            text = f"{text} {SIGNS.get(sign, '')}{inner}"
    return text


def is_number(part: Part) -> bool:
    """Whether it is certainly a number: 2, 1/2, sqrt(d_k)."""
    if isinstance(part, Named):
        return is_size_name(part.name) or part.name == "pi"
    return isinstance(part, Number) or (
        bool(parts_of(part)) and all(map(is_number, parts_of(part))) and not isinstance(part, Total)
    )


def without_scale(part: Part) -> Part | None:
    """Q Kᵀ of Q Kᵀ / √d_k; None where nothing is multiplied or divided by a number."""
    while isinstance(part, Terms) and len(part.terms) == 1 and part.terms[0][0] == "+":
        part = part.terms[0][1]
    if not isinstance(part, Factors):
        return None
    kept = [(sign, p) for sign, p in part.factors if not is_number(p)]
    if len(kept) == len(part.factors) or not kept or kept[0][0] == "/":
        return None
    return Factors((("", kept[0][1]), *kept[1:])) if len(kept) > 1 else kept[0][1]


def with_stars_entrywise(part: Part) -> Part:
    """As NumPy means it: * goes entry by entry where no number stands beside it, and @ is the product."""
    part = changed(part, with_stars_entrywise)
    if not isinstance(part, Factors):
        return part
    (_, result), *others = part.factors
    chain: list[tuple[str, Part]] = [("", result)]
    for sign, factor in others:
        so_far = chain[0][1] if len(chain) == 1 else Factors(tuple(chain))
        if sign == "*" and not is_number(so_far) and not is_number(factor):
            chain = [("", Factors((("", so_far), ("⊙", factor))))]
        else:
            chain.append(("" if sign == "@" else sign, factor))
    return chain[0][1] if len(chain) == 1 else Factors(tuple(chain))
