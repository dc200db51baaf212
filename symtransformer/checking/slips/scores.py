"""Slips in the scores Q Kᵀ / √d_k, and in the product of weights and values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sympy import S, sqrt

from symtransformer.checking.slips.patterns import (
    base_name,
    is_gradient,
    is_scores,
    is_weights,
    masked,
    meaning,
    mentions_gradient,
    projections,
    without_factor,
)
from symtransformer.checking.slips.records import Known, Slip, matching, tried
from symtransformer.node import postorder
from symtransformer.notation import Words
from symtransformer.operations.concatenation import ColumnSlice
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.mask import Mask
from symtransformer.operations.product import Product
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.transpose import Transpose


def _scaled(node: Any, known: Known) -> Any:
    """The scores without their factor; nothing where the number does not scale them down."""
    argument = node.args[0]
    applies = is_scores(argument, known) and node.args[1] != node.args[2] and not mentions_gradient(argument)
    return argument if applies and node.args[1] == 1 else None


def _divided_by(*divisors: Any) -> Any:
    def alter(node: Any, known: Known) -> Iterator[Any]:
        scores = _scaled(node, known)
        if scores is not None:
            yield from (Scaling(scores, S.One, divisor(node)) for divisor in divisors)

    return alter


def _by_root_n(node: Any, known: Known) -> Iterator[Any]:
    """By the number of queries or of keys; one alone is no scale at all."""
    counts = [count for count in node.shape if count != 1]
    yield from _divided_by(*(lambda _, count=count: sqrt(count) for count in counts))(node, known)


def _multiplied(node: Any, known: Known) -> Iterator[Any]:
    scores = _scaled(node, known)
    if scores is not None:
        yield Scaling(scores, node.args[2], S.One)


def _by_model_width(node: Any, known: Known) -> Iterator[Any]:
    scores = _scaled(node, known)
    if scores is None:
        return
    widths: dict[Any, None] = {}
    for rows, weight in projections(meaning(scores, known), known):
        widths[rows.shape[1]] = None
        if isinstance(weight, ColumnSlice):
            widths[weight.args[0].shape[1]] = None
    for letter in known:
        if base_name(letter) == "X":
            widths[letter.shape[1]] = None
        elif base_name(letter) == "W" and letter.name[2:3] in ("Q", "K", "V"):
            widths[letter.shape[0]] = None
    for width in widths:
        if sqrt(width) != node.args[2]:
            yield Scaling(scores, S.One, sqrt(width))


def _after_softmax(node: Any, known: Known) -> Iterator[Any]:
    added = masked(node.args[0], known)
    inside = node.args[0] if added is None else added[0]
    if isinstance(inside, Scaling) and _scaled(inside, known) is not None:
        scores, factor, divisor = inside.args
        yield Scaling(Softmax(scores if added is None else Mask(scores, added[1])), factor, divisor)


def _score_product(node: Any) -> Any:
    """Q and K of Q Kᵀ; q and k of qᵀ k."""
    left, right = node.args
    if mentions_gradient(node):
        return None
    if isinstance(right, Transpose):
        return left, right.args[0], False
    return (left.args[0], right, True) if isinstance(left, Transpose) and left.args[0].shape[1] == 1 else None


def _key_as_it_is(node: Any, known: Known) -> Iterator[Any]:
    found = _score_product(node)
    if found and not found[2]:
        yield Product(found[0], found[1])


def _in_the_other_order(node: Any, known: Known) -> Iterator[Any]:
    found = _score_product(node)
    if found:
        query, key, upright = found
        yield Product(key, Transpose(query)) if not upright else Product(query, Transpose(key))


def _query_transposed(node: Any, known: Known) -> Iterator[Any]:
    found = _score_product(node)
    if found and not found[2]:
        yield Product(Transpose(found[0]), found[1])


def _entry_by_entry(node: Any, known: Known) -> Iterator[Any]:
    found = _score_product(node)
    if found:
        query, key, _ = found
        yield from tried((Hadamard, lambda q, k: Transpose(Hadamard(q, k))), query, key)


SCORES = (
    Slip(
        "no_scale",
        Words("The scores were not divided by √d_k.", "点数を √d_k で割っていない。"),
        (Scaling,), _divided_by(lambda node: S.One),
    ),
    Slip(
        "scale_by_d",
        Words("The scores were divided by d_k instead of √d_k.", "点数を √d_k ではなく d_k で割っている。"),
        (Scaling,), _divided_by(lambda node: node.args[2] ** 2),
    ),
    Slip(
        "scale_multiplied",
        Words("The scores were multiplied by √d_k instead of divided by it.", "点数を √d_k で割らずに、掛けている。"),
        (Scaling,), _multiplied,
    ),
    Slip(
        "scale_by_root_n",
        Words(
            "The scores were divided by the root of the number of tokens instead of √d_k.",
            "点数を √d_k ではなく、トークン数の平方根で割っている。",
        ),
        (Scaling,), _by_root_n,
    ),
    Slip(
        "scale_by_root_d_model",
        Words("The scores were divided by √d_model instead of √d_k.", "点数を √d_k ではなく √d_model で割っている。"),
        (Scaling,), _by_model_width,
    ),
    Slip(
        "key_not_transposed",
        Words("The keys were not transposed: Q K instead of Q Kᵀ.", "K を転置せず、Q Kᵀ ではなく Q K を計算している。"),
        (Product,), _key_as_it_is,
    ),
    Slip(
        "query_transposed",
        Words(
            "The queries were transposed instead of the keys: Qᵀ K instead of Q Kᵀ.",
            "K ではなく Q を転置し、Q Kᵀ ではなく Qᵀ K を計算している。",
        ),
        (Product,), _query_transposed,
    ),
    Slip(
        "scores_other_order",
        Words("K Qᵀ was computed instead of Q Kᵀ.", "Q Kᵀ ではなく K Qᵀ を計算している。"),
        (Product,), _in_the_other_order,
    ),
    Slip(
        "scores_entry_by_entry",
        Words(
            "Q and K were multiplied entry by entry instead of taking the matrix product Q Kᵀ.",
            "行列の積 Q Kᵀ ではなく、Q と K を成分ごとに掛けている。",
        ),
        (Product,), _entry_by_entry,
    ),
    Slip(
        "scale_after_softmax",
        Words(
            "The division by √d_k was done after softmax instead of before it.",
            "√d_k での割り算を、Softmax の前ではなく後に行っている。",
        ),
        (Softmax,), _after_softmax,
    ),
)  # fmt: skip


# -- weights times values ---------------------------------------------------------------------------------------
def _weighted(node: Any, known: Known) -> Any:
    weights, values = node.args
    applies = is_weights(weights, known) and not isinstance(values, Transpose) and not is_gradient(values)
    return (weights, values) if applies else None


_with = matching(_weighted)


def _operand(side: int, name: str) -> Any:
    """In place of V stands Q or K: those of the scores in the weights, and what is called so."""

    def alter(node: Any, known: Known) -> Iterator[Any]:
        found = _weighted(node, known)
        if found is None:
            return
        weights, values = found
        others = {letter: None for letter in known if base_name(letter) == name}
        for part in postorder(meaning(weights, known)):
            pair = _score_product(part) if isinstance(part, Product) and is_scores(part, known) else None
            if pair:
                others[without_factor(pair[side])[0]] = None
        for other in others:
            if other is not values:
                yield from tried((Product,), weights, other)

    return alter


WEIGHTING = (
    Slip(
        "weights_transposed",
        Words("The weights were transposed: Aᵀ V instead of A V.", "重みを転置し、A V ではなく Aᵀ V を計算している。"),
        (Product,), _with(lambda weights, values: Product(Transpose(weights), values)),
    ),
    Slip(
        "values_times_transposed_weights",
        Words("V Aᵀ was computed instead of A V.", "A V ではなく V Aᵀ を計算している。"),
        (Product,), _with(lambda weights, values: Product(values, Transpose(weights))),
    ),
    Slip(
        "values_times_weights",
        Words("V A was computed instead of A V.", "A V ではなく V A を計算している。"),
        (Product,), _with(lambda weights, values: Product(values, weights)),
    ),
    Slip(
        "keys_for_values",
        Words("The weights were multiplied by K instead of V.", "重みを V ではなく K に掛けている。"),
        (Product,), _operand(1, "K"),
    ),
    Slip(
        "queries_for_values",
        Words("The weights were multiplied by Q instead of V.", "重みを V ではなく Q に掛けている。"),
        (Product,), _operand(0, "Q"),
    ),
)  # fmt: skip
