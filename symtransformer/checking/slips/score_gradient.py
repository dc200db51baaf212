"""Slips in the gradient by the scores, dS = A ⊙ (dA − Σ_k A dA)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sympy import S, sqrt

from symtransformer.checking.slips.patterns import (
    base_name,
    column_total,
    meaning,
    negated,
    ones,
    row_total,
    without_factor,
)
from symtransformer.checking.slips.records import Known, Slip, matching
from symtransformer.node import postorder
from symtransformer.notation import Words
from symtransformer.operations.addition import Addition
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.row_sum import Broadcast, RowSum
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.softmax import Softmax


def _through_softmax(node: Any, known: Known) -> tuple[Any, Any] | None:
    """A and dA."""
    for weights, difference in (node.args, node.args[::-1]):
        if not isinstance(difference, Addition) or len(difference.args) != 2:
            continue
        for above, other in (difference.args, difference.args[::-1]):
            mean = negated(other)
            if isinstance(mean, Broadcast) and isinstance(mean.args[0], RowSum):
                inside = mean.args[0].args[0]
                if isinstance(inside, Hadamard) and set(inside.args) == {weights, above}:
                    return weights, above
    return None


def through_softmax(weights: Any, above: Any) -> Any:
    """A ⊙ (dA − Σ_k A dA)."""
    return Hadamard(weights, Addition(above, -row_total(Hadamard(weights, above))))


_of_dS = matching(_through_softmax)


def _scores_for_weights(node: Any, known: Known) -> Iterator[Any]:
    found = _through_softmax(node, known)
    if found is None:
        return
    weights, above = found
    scores = {letter: None for letter in known if base_name(letter) in ("S", "Score", "s")}
    softened = meaning(weights, known)
    if isinstance(softened, Softmax):
        scores[softened.args[0]] = None
    for one in scores:
        if one.shape == weights.shape:
            yield through_softmax(one, above)
            yield Hadamard(one, Addition(above, -row_total(Hadamard(weights, above))))


def _with_scale(node: Any, known: Known) -> Iterator[Any]:
    if isinstance(node, Scaling):
        inner, factor = without_factor(node)
        if isinstance(inner, Hadamard) and _through_softmax(inner, known) and factor != -1:
            yield inner
    elif _through_softmax(node, known):
        for width in _key_widths(node, known):
            yield Scaling(node, S.One, sqrt(width))
            yield Scaling(node, sqrt(width), S.One)


def _key_widths(node: Any, known: Known) -> list[Any]:
    """d_k of the document: the columns of Q and K, and the square of what scores are divided by."""
    found = {letter.shape[1]: None for letter in known if base_name(letter) in ("Q", "K", "q", "k")}
    weights, _ = _through_softmax(node, known)  # type: ignore[misc]
    for part in postorder(meaning(weights, known)):
        if isinstance(part, Scaling) and part.args[1] == 1:
            found[part.args[2] ** 2] = None
    return [width for width in found if width != 1]


DS = (
    Slip(
        "dS_diagonal_only",
        Words(
            "Only the diagonal of the Jacobian of softmax was used: A ⊙ (1 − A) ⊙ dA.",
            "Softmax のヤコビ行列の対角成分だけを使い、A ⊙ (1 − A) ⊙ dA としている。",
        ),
        (Hadamard,), _of_dS(lambda A, dA: Hadamard(Hadamard(A, Addition(ones(A), -A)), dA)),
    ),
    Slip(
        "dS_unweighted_sum",
        Words(
            "The sum that is subtracted was not weighted by A.", "引く和に、重み A を掛けていない。"
        ),
        (Hadamard,), _of_dS(
            lambda A, dA: Hadamard(A, Addition(dA, -row_total(dA))),
            lambda A, dA: Hadamard(A, Addition(dA, -Scaling(row_total(dA), S.One, dA.shape[1]))),
        ),
    ),
    Slip(
        "dS_sum_over_columns",
        Words(
            "The sum that is subtracted was taken over the column instead of the row.",
            "引く和を、行ではなく列についてとっている。",
        ),
        (Hadamard,), _of_dS(lambda A, dA: Hadamard(A, Addition(dA, -column_total(Hadamard(A, dA))))),
    ),
    Slip(
        "dS_scores_for_weights",
        Words("The scores S were used in place of the weights A.", "重み A の代わりに点数 S を使っている。"),
        (Hadamard,), _scores_for_weights,
    ),
    Slip(
        "dS_sign",
        Words("A sign in dS is wrong.", "dS の符号が違う。"),
        (Hadamard,), _of_dS(
            lambda A, dA: -through_softmax(A, dA),
            lambda A, dA: Hadamard(A, Addition(dA, row_total(Hadamard(A, dA)))),
        ),
    ),
    Slip(
        "dS_scaled_or_not",
        Words(
            "The gradient by the scaled scores was taken for that by the unscaled ones, or the reverse: they differ by √d_k.",
            "√d_k で割った点数についての勾配と、割る前の点数についての勾配を取り違えている（√d_k 倍ずれる）。",
        ),
        (Hadamard, Scaling), _with_scale,
    ),
)  # fmt: skip
