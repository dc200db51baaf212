"""Checking a claimed formula against the derived one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, overload

from symtransformer.errors import UnreadableInput
from symtransformer.judge import Verified
from symtransformer.judge import verify as verify_derivation

if TYPE_CHECKING:
    from symtransformer.claims.claim import Claim
    from symtransformer.derivation import Derivation


@overload
def verify(subject: Derivation, values: Mapping[Any, Any] | None = None) -> Verified: ...
@overload
def verify(subject: str, *, of: Any, names: Mapping[str, str] | None = None, distributions: Any = ()) -> Claim: ...
def verify(
    subject: Any, values: Mapping[Any, Any] | None = None, *, of: Any = None, names: Mapping[str, str] | None = None,
    distributions: Any = (),
) -> Any:  # fmt: skip
    """Judge every step of a derivation; or the text of a claim about the expression `of`.

    A claim may use the letters of the expression, the names of its steps (S, A, Z, ...) and of the gradients by
    them (dQ, ∂L/∂Q, grad_Q, ...), as matrices or with indices; `names` says what other names stand for. What cannot
    be read in one way only raises `ReadingError`, with the place. The rows of the letters in `distributions` are
    assumed to add up to 1. What comes back has no truth of its own: ask `kind` or `is_accepted`.

    >>> from symtransformer import verify
    >>> attention = "softmax(Q K^T / sqrt(d_k)) V"
    >>> verify("dK = G^T Q / sqrt(d_k)", of=attention, names={"G": "dS"}).kind
    'proved'
    >>> print(verify("∂L/∂q_i = Σ_j ds_ij k_j / n", of=attention).verdict.kind)
    refuted
    >>> print(verify("dQ = dS Q / sqrt(d_k)", of=attention))
    shapes: the sizes do not fit: dS is n x m, Q is n x d_k; m and n must be equal; they fit only if m = n
    """
    if not isinstance(subject, str):
        if of is not None or names is not None or distributions:
            raise UnreadableInput(
                "verify: of, names and distributions belong to the text of a claim, as in verify('dQ = ...', of=...)"
            )
        return verify_derivation(subject, values)
    if of is None:
        raise UnreadableInput(
            "verify: what is the claim about? give the expression, as in verify('dQ = ...', of='...')"
        )
    if values is not None:
        raise UnreadableInput("verify: a claim is judged for all values; give no values")
    from symtransformer.claims.deciding import decided

    return decided(subject, of, dict(names or {}), distributions)


__all__ = ["verify"]
