"""Slips in a mask, which is to hide scores by −∞ before softmax."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sympy import S

from symtransformer.checking.slips.patterns import masked, meaning, ones, times, without_factor
from symtransformer.checking.slips.records import Known, Slip, matching, no_value, put_in
from symtransformer.exact import Exact
from symtransformer.node import Node
from symtransformer.notation import Words
from symtransformer.operation import compute
from symtransformer.operations.addition import Addition
from symtransformer.operations.exponential import Exponential
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.mask import Mask
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.transpose import Transpose
from symtransformer.symbols import Literal


def _masked_scores(node: Any, known: Known) -> tuple[Any, Any, Any] | None:
    """Scores, mask, and 1 where a score may be used, 0 where it is hidden."""
    found = masked(node.args[0], known)
    return (*found, Exponential(found[1])) if found else None


_from_mask = matching(_masked_scores)


def _hidden(usable: Any) -> Any:
    return Addition(ones(usable), -usable)


def _in_place(number: Any) -> Any:
    """The hidden scores are this number."""
    return lambda scores, mask, usable: Softmax(Addition(Hadamard(scores, usable), number * _hidden(usable)))


def _added(number: Any) -> Any:
    """The number is added to the hidden scores."""
    return lambda scores, mask, usable: Softmax(Addition(scores, number * _hidden(usable)))


def _own_place_hidden(node: Any, known: Known) -> Iterator[Any]:
    found = masked(node.args[0], known)
    if not found:
        return
    scores, mask = found
    marks = _numbers(mask, known)
    rows, columns = len(marks), len(marks[0])
    hidden = [
        [S.NegativeInfinity if i + columns - rows == j else x for j, x in enumerate(row)] for i, row in enumerate(marks)
    ]
    left = [any(x is not S.NegativeInfinity for x in row) for row in hidden]
    kept = [new if some else old for new, old, some in zip(hidden, marks, left, strict=True)]
    yield Softmax(Mask(scores, Literal(kept)))
    if not all(left):  # a row that sees nothing is written as zeros
        shown = Literal([[S(int(some))] * columns for some in left])
        yield Hadamard(Softmax(Mask(scores, Literal(kept))), shown)


def _written(number: Any) -> Any:
    """−∞ stands among the scores themselves, and the number in its place."""

    def alter(node: Any, known: Known) -> Iterator[Any]:
        rows, factor = without_factor(node.args[0])
        rows = meaning(rows, known)
        if isinstance(rows, Literal) and rows.matrix.has(S.NegativeInfinity):
            shown = [[number if x is S.NegativeInfinity else x for x in row] for row in rows.matrix.tolist()]
            yield from (Softmax(times(Literal(shown), by)) for by in dict.fromkeys((factor, S.One)))

    return alter


def _either(*alterations: Any) -> Any:
    return lambda node, known: [new for alter in alterations for new in alter(node, known)]


def _numbers(mask: Node, known: Known) -> list[list[Any]]:
    return compute(put_in(mask, known), Exact(), no_value)


MASKS = (
    Slip(
        "mask_left_out",
        Words("The mask was not applied.", "マスクを適用していない。"),
        (Softmax,), _from_mask(lambda scores, mask, usable: Softmax(scores)),
    ),
    Slip(
        "mask_transposed",
        Words(
            "The mask was transposed: earlier tokens were hidden instead of later ones.",
            "マスクが転置されていて、後ろではなく前のトークンが隠されている。",
        ),
        (Softmax,), _from_mask(lambda scores, mask, usable: Softmax(Mask(scores, Transpose(mask)))),
    ),
    Slip(
        "mask_hides_diagonal",
        Words("The mask also hides each token from itself.", "マスクが、各トークン自身の位置まで隠している。"),
        (Softmax,), _own_place_hidden,
    ),
    Slip(
        "mask_zero",
        Words(
            "Hidden scores were set to 0 instead of −∞, as by multiplying them by 0.",
            "隠す点数を −∞ ではなく 0 にしている（点数に 0 を掛けている）。",
        ),
        (Softmax,), _either(
            _from_mask(lambda scores, mask, usable: Softmax(Hadamard(scores, usable))), _written(S.Zero)
        ),
    ),
    Slip(
        "mask_minus_one",
        Words("−1 was used for hidden scores instead of −∞.", "隠す点数に −∞ ではなく −1 を使っている。"),
        (Softmax,), _either(_from_mask(_added(S.NegativeOne), _in_place(S.NegativeOne)), _written(S.NegativeOne)),
    ),
    Slip(
        "mask_plus_one",
        Words(
            "The mask was added as numbers 1 and 0 instead of −∞ and 0.",
            "マスクを −∞ と 0 ではなく、1 と 0 の数として足している。",
        ),
        (Softmax,), _either(
            _from_mask(_added(S.One), _in_place(S.One), lambda scores, mask, usable: Softmax(Addition(scores, usable))),
            _written(S.One),
        ),
    ),
    Slip(
        "mask_after_softmax",
        Words(
            "The mask was applied after softmax, and the rows were not made to add up to 1 again.",
            "Softmax の後にマスクを適用し、行の合計を 1 に直していない。",
        ),
        (Softmax,), _from_mask(lambda scores, mask, usable: Hadamard(Softmax(scores), usable)),
    ),
)  # fmt: skip
