"""Slips in a product of two matrices, and in X W + b, where nothing closer is known of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symtransformer.checking.slips.patterns import is_gradient, is_repeated_row, is_weights, mentions_gradient
from symtransformer.checking.slips.records import Known, Slip, matching, tried
from symtransformer.notation import Words
from symtransformer.operations.addition import Addition
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.transpose import Transpose


def _factors(node: Any, known: Known) -> Any:
    """Two matrices as they are; weights times values and what a gradient goes through have slips of their own."""
    left, right = node.args
    plain = not any(isinstance(part, (Transpose, Ones)) for part in node.args)
    if not plain or is_weights(left, known) or is_gradient(right) or mentions_gradient(left):
        return None
    return left, right


_of_factors = matching(_factors)


def _shifted(node: Any, known: Known) -> tuple[Any, Any] | None:
    """X W and its bias."""
    for product, bias in (node.args, node.args[::-1]) if len(node.args) == 2 else ():
        if isinstance(product, Product) and not isinstance(product.args[0], Ones) and is_repeated_row(bias):
            return product, bias
    return None


_of_sum = matching(_shifted)


def _transposed(node: Any, known: Known) -> Iterator[Any]:
    found = _factors(node, known)
    if found:
        left, right = found
        yield from tried((lambda: Product(Transpose(left), right), lambda: Product(left, Transpose(right))))


LINEAR_MAP = (
    Slip(
        "bias_left_out",
        Words("The bias was left out.", "バイアスを足していない。"),
        (Addition,), _of_sum(lambda product, bias: product), gives_way=True,
    ),
    Slip(
        "bias_subtracted",
        Words("The bias was subtracted instead of added.", "バイアスを足さずに、引いている。"),
        (Addition,), _of_sum(lambda product, bias: Addition(product, -bias)),
    ),
    Slip(
        "factor_transposed",
        Words("One factor of the product was transposed.", "積の一方の行列を転置して計算している。"),
        (Product,), _transposed, in_pairs=False, gives_way=True,
    ),
    Slip(
        "factors_swapped",
        Words("The factors of the product were multiplied in the other order.", "積の順序を逆にして計算している。"),
        (Product,), _of_factors(lambda left, right: Product(right, left)), in_pairs=False, gives_way=True,
    ),
    Slip(
        "factors_entry_by_entry",
        Words(
            "The matrices were multiplied entry by entry instead of rows by columns.",
            "行列の積ではなく、成分ごとの積を計算している。",
        ),
        (Product,), _of_factors(Hadamard), in_pairs=False, gives_way=True,
    ),
)  # fmt: skip
