"""Slips in gradients through softmax: its Jacobian, the gradient of the cross-entropy, dS."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sympy import S

from symtransformer.checking.slips.patterns import (
    base_name,
    is_weights,
    meaning,
    negated,
    ones,
)
from symtransformer.checking.slips.records import Known, Slip, matching
from symtransformer.notation import Words
from symtransformer.operations.addition import Addition
from symtransformer.operations.entry_division import EntryDivision
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.identity import Identity
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.row_sum import Broadcast
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.transpose import Transpose


# -- diag(p) − p pᵀ ---------------------------------------------------------------------------------------------------
def _jacobian(node: Any, known: Known) -> tuple[Any, Any, Any] | None:
    """The Jacobian, diag(p) and the column p."""
    if len(node.args) != 2:
        return None
    for diagonal, other in (node.args, node.args[::-1]):
        square = negated(other)
        if isinstance(square, Product) and Transpose(square.args[1]) is square.args[0]:
            left = square.args[0]
            if left.shape[1] == 1 != left.shape[0]:
                return node, diagonal, left
    return None


_of_jacobian = matching(_jacobian)


def _off_diagonal(node: Any) -> Any:
    return Hadamard(Addition(ones(node), -Identity(node.shape[0])), node)


def jacobian(p: Any) -> Any:
    """diag(p) − p pᵀ of a column."""
    size = p.shape[0]
    return Addition(Hadamard(Identity(size), Broadcast(p, size)), -Product(p, Transpose(p)))


def _of_logits(node: Any, known: Known) -> Iterator[Any]:
    found = _jacobian(node, known)
    if found is None:
        return
    p = found[2]
    bare = p.args[0] if isinstance(p, Transpose) else p
    logits = [letter for letter in known if base_name(letter) in ("z", "L", "logits", "s", "x")]
    softened = meaning(bare, known)
    if isinstance(softened, Softmax):
        logits.append(softened.args[0])
    for one in logits:
        if one.shape == bare.shape and one is not bare:
            yield jacobian(one if bare is p else Transpose(one))


JACOBIAN = (
    Slip(
        "jacobian_diagonal_only",
        Words(
            "Only the diagonal of the Jacobian of softmax was used.", "Softmax のヤコビ行列の対角成分だけを使っている。"
        ),
        (Addition,), _of_jacobian(lambda node, diagonal, p: Hadamard(Identity(node.shape[0]), node)),
    ),
    Slip(
        "jacobian_sign",
        Words("A sign in the Jacobian of softmax is wrong.", "Softmax のヤコビ行列の符号が違う。"),
        (Addition,), _of_jacobian(
            lambda node, diagonal, p: -node,
            lambda node, diagonal, p: Addition(diagonal, Product(p, Transpose(p))),
            lambda node, diagonal, p: Addition(node, Scaling(_off_diagonal(node), S(-2), S.One)),
        ),
    ),
    Slip(
        "jacobian_p_on_diagonal",
        Words(
            "The diagonal holds p_i instead of p_i (1 − p_i).", "対角成分を p_i (1 − p_i) ではなく p_i としている。"
        ),
        (Addition,), _of_jacobian(
            lambda node, diagonal, p: Addition(diagonal, _off_diagonal(node)), lambda node, diagonal, p: diagonal
        ),
    ),
    Slip(
        "jacobian_one_formula",
        Words(
            "p_i (1 − p_j) was used everywhere, off the diagonal too.",
            "対角以外の成分にも p_i (1 − p_j) を使っている。",
        ),
        (Addition,), _of_jacobian(
            lambda node, diagonal, p: Product(p, Transpose(Addition(ones(p), -p))),
            lambda node, diagonal, p: Product(Addition(ones(p), -p), Transpose(p)),
        ),
    ),
    Slip(
        "jacobian_of_logits",
        Words(
            "The logits were put into the Jacobian instead of the probabilities.",
            "ヤコビ行列に、確率ではなくロジットを入れている。",
        ),
        (Addition,), _of_logits,
    ),
)  # fmt: skip


# -- p − y ------------------------------------------------------------------------------------------------------------
def _difference(node: Any, known: Known) -> tuple[Any, Any] | None:
    if len(node.args) != 2:
        return None
    for p, other in (node.args, node.args[::-1]):
        targets = negated(other)
        if targets is not None and is_weights(p, known) and not isinstance(targets, (Broadcast, Ones, Product)):
            return p, targets
    return None


_of_difference = matching(_difference)


def _over_count(node: Any, known: Known) -> Iterator[Any]:
    if isinstance(node, Scaling):
        inner = node.args[0]
        if isinstance(inner, Addition) and _difference(inner, known) and node.args[1] == 1:
            yield inner
    elif _difference(node, known):
        yield from (Scaling(node, S.One, size) for size in dict.fromkeys(node.shape) if size != 1)


CROSS_ENTROPY_GRADIENT = (
    Slip(
        "p_minus_y_sign",
        Words("y − p was computed instead of p − y.", "p − y ではなく y − p を計算している。"),
        (Addition,), _of_difference(lambda p, y: Addition(y, -p)),
    ),
    Slip(
        "p_only",
        Words("The target was not subtracted: p instead of p − y.", "正解を引かず、p − y ではなく p としている。"),
        (Addition,), _of_difference(lambda p, y: p),
    ),
    Slip(
        "one_subtracted_everywhere",
        Words(
            "1 was subtracted from every entry, not only from that of the target.",
            "正解の成分だけでなく、すべての成分から 1 を引いている。",
        ),
        (Addition,), _of_difference(lambda p, y: Addition(p, -ones(p))),
    ),
    Slip(
        "difference_times_p",
        Words(
            "p − y was multiplied by p, or by p (1 − p), as the slope of another loss.",
            "p − y に、さらに p や p (1 − p) を掛けている。",
        ),
        (Addition,), _of_difference(
            lambda p, y: Hadamard(p, Addition(p, -y)),
            lambda p, y: Hadamard(Hadamard(p, Addition(ones(p), -p)), Addition(p, -y)),
        ),
    ),
    Slip(
        "minus_one_over_p",
        Words(
            "−y/p was taken, the derivative by the probability and not by the logit.",
            "ロジットではなく、確率についての微分 −y/p を使っている。",
        ),
        (Addition,), _of_difference(
            lambda p, y: -EntryDivision(y, p), lambda p, y: -EntryDivision(ones(p), p)
        ),
    ),
    Slip(
        "divided_by_count",
        Words(
            "It was divided by the number of rows or classes, or that division was left out.",
            "行数やクラス数で割っている（または割り忘れている）。",
        ),
        (Addition, Scaling), _over_count,
    ),
)  # fmt: skip
