"""An index formula as it was read, in one spelling."""

from __future__ import annotations

import re
from typing import Any

from symtransformer.reading.index_syntax import (
    Applied,
    Delta,
    Factors,
    Indexed,
    Inner,
    Named,
    Number,
    Part,
    Power,
    Slope,
    Terms,
    Total,
    Transposed,
)

LINKS = {"": " ", "*": " * ", ".": " · ", "/": " / ", "hadamard": " ⊙ "}
RELATIONS = {"!=": "≠", "<=": "≤", ">=": "≥"}


def written(part: Any) -> str:
    """One line of text that is read back as the same formula.

    >>> from symtransformer.reading.index_grammar import parsed_formula
    >>> from symtransformer.reading.index_tokens import IndexTokenizer
    >>> text = r"\\frac{1}{\\sqrt{d_k}} \\sum_{j=1}^{m} S_{ij} k_j"
    >>> written(parsed_formula(text, IndexTokenizer(text, ["S", "K", "d_k"]).all()))
    '1 / sqrt(d_k) * Σ_{j=1}^{m} S_ij K_j'
    """
    if isinstance(part, Number):
        return part.text
    if isinstance(part, Named):
        name = part.name + (f"^({_plain(part.head)})" if part.head else "")
        return name + _below(part.indices) if "_" not in part.name or not part.indices else f"({name}){_below(part.indices)}"  # fmt: skip
    if isinstance(part, Delta):
        return "δ" + _below((part.left, part.right))
    if isinstance(part, Indexed):
        inner = _open(part.inner)
        shown = f"({written(inner)})" if isinstance(inner, Named) else _unit(part.inner)
        return shown + _below(part.indices)
    if isinstance(part, Total):
        return f"Σ{_range(part)} {_inside_product(part.body)}"
    if isinstance(part, Terms):
        return _sum(part)
    if isinstance(part, Factors):
        return _product(part)
    if isinstance(part, Power):
        return f"{_unit(part.base)}^{_unit(part.exponent)}"
    if isinstance(part, Transposed):
        return f"{_unit(part.inner)}^T"
    if isinstance(part, Inner):
        return f"⟨{written(part.left)}, {written(part.right)}⟩"
    if isinstance(part, Slope):
        by, body = written(part.by), _open(part.body)
        return f"∂{written(body)}/∂{by}" if isinstance(body, (Named, Indexed)) else f"∂/∂{by} ({written(body)})"
    assert isinstance(part, Applied)
    return f"{part.function}({written(_open(part.inner))})"


def _plain(index: str) -> str:
    return re.sub("‹[0-9]+›", "", index)


def _below(indices: tuple[str, ...]) -> str:
    if not indices:
        return ""
    names = [_plain(x) for x in indices]
    return "_" + ("".join(names) if all(len(x) == 1 for x in names) else "{" + ",".join(names) + "}")


def _range(part: Total) -> str:
    letter = _plain(part.letter)
    if part.condition is not None and part.upper:  # Σ_{i=j}^{n}
        relation, other = part.condition
        return f"_{{{letter}={_plain(other)}{' + 1' if relation == '>' else ''}}}^{{{part.upper}}}"
    if part.condition is not None:
        relation, other = part.condition
        letter += RELATIONS.get(relation, relation) + _plain(other)
    if part.upper:
        return f"_{{{letter}={0 if part.from_zero else 1}}}^{{{part.upper}}}"
    return f"_{letter}" if len(letter) == 1 else f"_{{{letter}}}"


def _open(part: Part) -> Part:
    """What stands in brackets, without them."""
    while isinstance(part, Terms) and len(part.terms) == 1 and part.terms[0][0] == "+":
        part = part.terms[0][1]
    return part


def _unit(part: Part) -> str:
    inner = _open(part)
    alone = isinstance(inner, (Number, Named, Delta, Applied, Inner, Indexed))
    return written(inner) if alone else f"({written(inner)})"


def _inside_product(part: Part) -> str:
    inner = _open(part)
    return f"({_sum(inner)})" if isinstance(inner, Terms) else written(inner)


def _sum(part: Terms) -> str:
    opened = _open(part)
    if not isinstance(opened, Terms):
        return written(opened)
    text = ""
    for k, (sign, term) in enumerate(opened.terms):
        shown = _inside_product(term)
        text += ("-" if sign == "-" else "") + shown if k == 0 else f" {sign} {shown}"
    return text


def _product(part: Factors) -> str:
    text, below = "", False
    for k, (sign, factor) in enumerate(part.factors):
        inner = _open(factor)
        compound = isinstance(inner, (Terms, Total)) or (isinstance(inner, Factors) and (sign == "/" or k > 0))
        last = k == len(part.factors) - 1
        shown = (
            written(inner)
            if not compound or (isinstance(inner, Total) and last and sign != "/")
            else f"({written(inner)})"
        )
        below = below or sign == "/"
        link = "*" if below and sign == "" else sign
        text += shown if k == 0 else LINKS[link] + shown
        if isinstance(inner, Factors) and k == 0:
            below = below or any(s == "/" for s, _ in inner.factors)
    return text
