"""Slips in the gradients of products: dQ, dK, dV, and those of a linear map."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sympy import S

from symtransformer.checking.slips.patterns import base_name, mentions_gradient, without_factor
from symtransformer.checking.slips.records import Known, Slip, tried
from symtransformer.node import postorder, substitute
from symtransformer.notation import Words
from symtransformer.operations.column_sum import ColumnSum
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.relu import Heaviside
from symtransformer.operations.row_sum import RowSum
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.transpose import Transpose


def _factor_of(node: Any) -> bool:
    """A gradient divided by something other than a sign."""
    return node.args[1] == 1 != node.args[2] and mentions_gradient(node.args[0])


def _scaled(make: Callable[[Any], Any]) -> Any:
    def alter(node: Any, known: Known) -> Iterator[Any]:
        if _factor_of(node):
            yield make(node)

    return alter


def _factors(node: Any) -> tuple[Any, Any] | None:
    """Both factors of a product in which a gradient stands."""
    return node.args if mentions_gradient(node) else None


def _named(known: Known, *names: str) -> list[Any]:
    return [letter for letter in known if base_name(letter) in names]


def _swapped(node: Any, known: Known) -> Iterator[Any]:
    """dS K becomes dSᵀ Q, and the reverse."""
    found = _factors(node)
    if found is None:
        return
    left, right = found
    name = base_name(without_factor(right)[0])
    if name in ("K", "k", "Q", "q"):
        others = _named(known, *({"K": "Q", "k": "q", "Q": "K", "q": "k"}[name],))
        for other in others:
            yield from tried((Product,), Transpose(left), other)


def _not_transposed(node: Any, known: Known) -> Iterator[Any]:
    found = _factors(node)
    if found and isinstance(found[0], Transpose) and not isinstance(found[1], Transpose):
        yield Product(found[0].args[0], found[1])


def _another_letter(pairs: dict[str, str], inside: tuple[type, ...]) -> Any:
    """One named matrix in place of another of the same size."""

    def alter(node: Any, known: Known) -> Iterator[Any]:
        if not mentions_gradient(node):
            return
        for part in postorder(node):
            name = base_name(part)
            for other in _named(known, pairs[name]) if name in pairs and isinstance(node, inside) else ():
                if other.shape == part.shape:
                    yield substitute(node, {part: other})

    return alter


def _weights_for_gradient(node: Any, known: Known) -> Iterator[Any]:
    yield from _another_letter({"dA": "A", "A": "dA", "dS": "S", "dP": "P", "P": "dP"}, (Product, Hadamard))(
        node, known
    )
    found = node.args if isinstance(node, Product) and mentions_gradient(node) else ()
    for part in found:
        bare = part.args[0] if isinstance(part, Transpose) else part
        name = base_name(bare)
        other = {"dS": ("A", "dA"), "A": ("dA",)}.get(name, ())
        for letter in _named(known, *other):
            if letter.shape == bare.shape:
                yield substitute(node, {bare: letter})


_PRODUCT = (Product,)
ATTENTION_GRADIENT = (
    Slip(
        "gradient_not_scaled",
        Words("The factor 1/√d_k was left out of the gradient.", "勾配に 1/√d_k を掛けていない。"),
        (Scaling,), _scaled(lambda node: node.args[0]),
    ),
    Slip(
        "gradient_scaled_twice",
        Words("The gradient was divided by √d_k twice.", "勾配を √d_k で二度割っている。"),
        (Scaling,), _scaled(lambda node: Scaling(node.args[0], S.One, node.args[2] ** 2)),
    ),
    Slip(
        "dQ_and_dK_swapped",
        Words("The formulas of dQ and dK were swapped.", "dQ と dK の式を取り違えている。"),
        _PRODUCT, _swapped,
    ),
    Slip(
        "gradient_not_transposed",
        Words(
            "The left matrix was not transposed, as it has to be in dK = dSᵀ Q and dV = Aᵀ dZ.",
            "dK = dSᵀ Q や dV = Aᵀ dZ で必要な、左の行列の転置をしていない。",
        ),
        _PRODUCT, _not_transposed,
    ),
    Slip(
        "Q_for_K",
        Words("Q was used in place of K, or K in place of Q.", "K の代わりに Q を（または Q の代わりに K を）使っている。"),
        _PRODUCT, _another_letter({"K": "Q", "Q": "K", "k": "q", "q": "k"}, _PRODUCT),
    ),
    Slip(
        "A_for_dA",
        Words(
            "The weights A were used in place of a gradient, or the reverse.",
            "勾配（dA など）の代わりに重み A を使っている（またはその逆）。",
        ),
        (Product, Hadamard), _weights_for_gradient,
    ),
)  # fmt: skip


# -- a linear map -------------------------------------------------------------------------------------------------------
def _other_way(node: Any, known: Known) -> Iterator[Any]:
    """dYᵀ X for Xᵀ dY."""
    found = _factors(node)
    if found and isinstance(found[0], Transpose):
        yield Transpose(node)


def _weight_as_it_is(node: Any, known: Known) -> Iterator[Any]:
    found = _factors(node)
    if found and isinstance(found[1], Transpose):
        yield Product(found[0], found[1].args[0])


def _bias_gradient(node: Any) -> Any:
    """dY of db = Σ of the rows of dY, in any of its forms; and whether db is a column."""
    if not mentions_gradient(node):
        return None
    if isinstance(node, ColumnSum):
        return node.args[0], True
    if isinstance(node, RowSum) and isinstance(node.args[0], Transpose):
        return node.args[0].args[0], True
    if isinstance(node, Product) and isinstance(node.args[0], Ones) and node.args[0].shape[0] == 1:
        return node.args[1], False
    if isinstance(node, Product) and isinstance(node.args[1], Ones) and isinstance(node.args[0], Transpose):
        return node.args[0].args[0], True
    return None


def _not_summed(node: Any, known: Known) -> Iterator[Any]:
    found = _bias_gradient(node)
    if found:
        yield found[0]


def _averaged(node: Any, known: Known) -> Iterator[Any]:
    found = _bias_gradient(node)
    if found:
        yield Scaling(node, S.One, found[0].shape[0])
    elif isinstance(node, Product) and _factors(node) and isinstance(node.args[0], Transpose):
        yield Scaling(node, S.One, node.args[0].args[0].shape[0])


def _relu_mask(node: Any) -> tuple[Any, Any] | None:
    for above, mask in (node.args, node.args[::-1]):
        if isinstance(mask, Heaviside):
            return above, mask.args[0]
    return None


def _mask_missing(node: Any, known: Known) -> Iterator[Any]:
    found = _relu_mask(node)
    if found:
        yield found[0]


def _mask_elsewhere(node: Any, known: Known) -> Iterator[Any]:
    """The mask of X, of W, or of the gradient itself in place of that of X W + b."""
    found = _relu_mask(node)
    if found is None:
        return
    above, inner = found
    inputs = {part: None for part in postorder(inner) if part is not inner}
    inputs |= dict.fromkeys(_named(known, "X", "x", "H", "input"))
    inputs |= {above: None}
    for other in inputs:
        if other is not inner and other.shape == above.shape and not isinstance(other, Scaling):
            yield Hadamard(above, Heaviside(other))


LINEAR_GRADIENT = (
    Slip(
        "dW_transposed",
        Words("dYᵀ X was computed instead of dW = Xᵀ dY.", "dW = Xᵀ dY ではなく dYᵀ X を計算している。"),
        _PRODUCT, _other_way,
    ),
    Slip(
        "weight_not_transposed",
        Words("W was not transposed in dX = dY Wᵀ.", "dX = dY Wᵀ で W を転置していない。"),
        _PRODUCT, _weight_as_it_is,
    ),
    Slip(
        "db_not_summed",
        Words("The rows were not added up in the gradient of b.", "b の勾配で、行について和をとっていない。"),
        (ColumnSum, RowSum, Product), _not_summed,
    ),
    Slip(
        "gradient_averaged",
        Words(
            "The gradient was averaged over the rows instead of added up.", "勾配を行について足さずに、平均している。"
        ),
        (ColumnSum, RowSum, Product), _averaged,
    ),
    Slip(
        "relu_mask_missing",
        Words(
            "The gradient was passed on even where ReLU gives 0.",
            "ReLU の出力が 0 になる成分にも、勾配を流している。",
        ),
        (Hadamard,), _mask_missing,
    ),
    Slip(
        "relu_mask_from_input",
        Words(
            "The entries where ReLU passes the gradient were taken from another matrix, not from the input of ReLU.",
            "ReLU が勾配を通す成分を、ReLU の入力ではなく別の行列から決めている。",
        ),
        (Hadamard,), _mask_elsewhere,
    ),
)  # fmt: skip
