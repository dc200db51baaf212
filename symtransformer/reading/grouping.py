"""The other grouping of a product entry by entry beside a product of matrices: A ⊙ B C as (A ⊙ B) C."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from symtransformer.reading.syntax import Chain, Entrywise


def from_left_to_right(written: Any) -> Any:
    """What was written, with ⊙ and ⊘ as strong as the product; what stands in brackets stays together."""
    if isinstance(written, tuple):
        return tuple(from_left_to_right(x) for x in written)
    if not is_dataclass(written):
        return written
    made: Any = replace(written, **{f.name: from_left_to_right(getattr(written, f.name)) for f in fields(written)})  # type: ignore[type-var]
    if not isinstance(made, Entrywise):
        return made
    result, *others = made.factors
    for factor in others:
        (_, first), *rest = factor.factors if isinstance(factor, Chain) else (("", factor),)
        result = Entrywise(result.span.to(first.span), (result, first), made.divided)
        if rest:
            result = Chain(made.span, (("", result), *rest))
    return result
