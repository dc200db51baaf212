"""Slips in a loss −Σ y ln p."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sympy import S

from symtransformer.checking.slips.patterns import meaning, negated, ones, probabilities
from symtransformer.checking.slips.records import Known, Slip, matching, tried, whole
from symtransformer.node import postorder, substitute
from symtransformer.notation import Words
from symtransformer.operations.addition import Addition
from symtransformer.operations.concatenation import ColumnSlice
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.logarithm import Logarithm
from symtransformer.operations.product import Product
from symtransformer.operations.row_sum import RowSum
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.softmax import Softmax
from symtransformer.symbols import Literal


@dataclass(frozen=True)
class _Loss:
    """−Σ y ln p of each row; −ln p of each entry where there are no targets."""

    probabilities: Any
    targets: Any = None

    def picked(self, of: Any) -> Any:
        """The entry of the target."""
        return of if self.targets is None else RowSum(Hadamard(self.targets, of))


def _loss(node: Any) -> _Loss | None:
    inner = negated(node)
    if isinstance(inner, Logarithm):
        return _Loss(inner.args[0])
    if isinstance(inner, RowSum) and isinstance(inner.args[0], Hadamard):
        for targets, logs in (inner.args[0].args, inner.args[0].args[::-1]):
            if isinstance(logs, Logarithm):
                return _Loss(logs.args[0], targets)
    return None


def _found(node: Any, known: Known) -> tuple[_Loss] | None:
    loss = _loss(node)
    return (loss,) if loss else None


_from_loss = matching(_found)


def _of_logit(node: Any, known: Known) -> Iterator[Any]:
    loss = _loss(node)
    found: Any = meaning(loss.probabilities, known) if loss else None
    for part in postorder(found) if found is not None else ():
        if loss and isinstance(part, Softmax) and not probabilities(part.args[0], known):
            yield -Logarithm(loss.picked(substitute(found, {part: part.args[0]})))


def _squared(node: Any, known: Known) -> Iterator[Any]:
    loss = _loss(node)
    if loss is None:
        return
    apart = Addition(loss.probabilities, -(ones(loss.probabilities) if loss.targets is None else loss.targets))
    squares = Hadamard(apart, apart)
    total = squares if loss.targets is None else RowSum(squares)
    for divisor in (1, 2, apart.shape[1]):
        yield Scaling(total, S.One, divisor)
    right = Addition(ones(loss.picked(loss.probabilities)), -loss.picked(loss.probabilities))
    yield Hadamard(right, right)


def _neighbors(node: Any, known: Known) -> Iterator[Any]:
    loss = _loss(node)
    if loss is None:
        return
    if loss.targets is not None:
        size = whole(loss.targets.shape[1])
        for step in (1, -1):
            turn = Literal([[int(j == (i + step) % size) for j in range(size)] for i in range(size)])
            yield -RowSum(Hadamard(Product(loss.targets, turn), Logarithm(loss.probabilities)))
    elif isinstance(loss.probabilities, ColumnSlice) and loss.probabilities.args[2] == 1:
        row, place, _ = loss.probabilities.args
        for at in (place + 1, place - 1):
            yield from tried((lambda at: -Logarithm(ColumnSlice(row, at, 1)),), at)


def _complement(loss: _Loss) -> Any:
    picked = loss.picked(loss.probabilities)
    return Addition(ones(picked), -picked)


LOSS = (
    Slip(
        "no_minus",
        Words("The minus sign before the logarithm was left out.", "対数の前の負号を忘れている。"),
        (Scaling,), _from_loss(lambda loss: loss.picked(Logarithm(loss.probabilities))),
    ),
    Slip(
        "log_of_logit",
        Words(
            "The logarithm was taken of the logit, not of the probability.", "確率ではなく、ロジットの対数をとっている。"
        ),
        (Scaling,), _of_logit,
    ),
    Slip(
        "one_minus_p",
        Words("1 − p was taken as the loss instead of −log p.", "−log p ではなく 1 − p を損失としている。"),
        (Scaling,), _from_loss(_complement),
    ),
    Slip(
        "log_of_one_minus_p",
        Words("−log(1 − p) was taken instead of −log p.", "−log p ではなく −log(1 − p) を計算している。"),
        (Scaling,), _from_loss(lambda loss: -Logarithm(_complement(loss))),
    ),
    Slip(
        "neighboring_target",
        Words(
            "The probability of the class next to the target was used.", "正解の隣のクラスの確率を使っている。"
        ),
        (Scaling,), _neighbors,
    ),
    Slip(
        "squared_error",
        Words(
            "The squared error was computed instead of the cross-entropy.",
            "交差エントロピーではなく二乗誤差を計算している。",
        ),
        (Scaling,), _squared,
    ),
    Slip(
        "sum_over_classes",
        Words(
            "The logarithms of all classes were added, not only that of the target.",
            "正解だけでなく、すべてのクラスの対数を足している。",
        ),
        (Scaling,), _from_loss(lambda loss: -RowSum(Logarithm(loss.probabilities))),
    ),
)  # fmt: skip
