"""Slips in a feed-forward network φ(X W_1 + b_1) W_2 + b_2."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from sympy import Rational, S, sqrt

from symtransformer.checking.slips.patterns import absolute, is_repeated_row, ones
from symtransformer.checking.slips.records import Known, Slip, matching
from symtransformer.notation import Words
from symtransformer.operations.addition import Addition
from symtransformer.operations.gelu import GELU, GELUTanh
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.relu import ReLU
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.sigmoid import Sigmoid, SiLU
from symtransformer.operations.tanh import Tanh
from symtransformer.operations.transpose import Transpose

ACTIVATIONS = (ReLU, GELU, GELUTanh, SiLU, Sigmoid, Tanh)
LEAKS = (Rational(1, 100), Rational(1, 10), Rational(1, 5))


@dataclass(frozen=True)
class _Network:
    """The parts of a network; no bias where there is none."""

    rows: Any
    weight_1: Any
    bias_1: Any
    activation: Callable[[Any], Any]
    weight_2: Any
    bias_2: Any

    def inner(self) -> Any:
        return _shifted(Product(self.rows, self.weight_1), self.bias_1)

    def outer(self, active: Any) -> Any:
        return _shifted(Product(active, self.weight_2), self.bias_2)

    def __call__(self) -> Any:
        return self.outer(self.activation(self.inner()))


def _shifted(product: Any, bias: Any) -> Any:
    return product if bias is None else Addition(product, bias)


def _apart(node: Any, kind: type | tuple[type, ...]) -> Any:
    """A product with something of this kind on its left, and its bias."""
    if isinstance(node, Product) and isinstance(node.args[0], kind) and not isinstance(node.args[0], Ones):
        return node, None
    if isinstance(node, Addition) and len(node.args) == 2:
        for product, bias in (node.args, node.args[::-1]):
            if _apart(product, kind) and isinstance(product, Product) and is_repeated_row(bias):
                return product, bias
    return None


def _network(node: Any) -> _Network | None:
    outer = _apart(node, ACTIVATIONS)
    if not outer:
        return None
    active, weight_2 = outer[0].args
    inner = _apart(active.args[0], object)
    if not inner:
        return None
    rows, weight_1 = inner[0].args
    return _Network(rows, weight_1, inner[1], type(active), weight_2, outer[1])


def _found(node: Any, known: Known) -> tuple[_Network] | None:
    network = _network(node)
    return (network,) if network else None


_from_network = matching(_found)


def _without_bias_1(node: Any, known: Known) -> Iterator[Any]:
    found = _network(node)
    if found and found.bias_1 is not None:
        yield replace(found, bias_1=None)()


def _without_bias_2(node: Any, known: Known) -> Iterator[Any]:
    found = _network(node)
    if found and found.bias_2 is not None:
        yield replace(found, bias_2=None)()


def _bias_late(node: Any, known: Known) -> Iterator[Any]:
    found = _network(node)
    if found and found.bias_1 is not None:
        yield found.outer(Addition(found.activation(Product(found.rows, found.weight_1)), found.bias_1))


def _instead(*makes: Any) -> Any:
    return lambda node, known: (make(node.args[0]) for make in makes)


def _leaky(x: Any) -> Any:
    return [Addition(ReLU(x), Scaling(ReLU(-x), -leak, S.One)) for leak in LEAKS]


def _tanh_for_erf(x: Any) -> Any:
    return Scaling(Hadamard(x, Addition(ones(x), Tanh(Scaling(x, S.One, sqrt(2))))), S.One, 2)


def _activation_left_out(node: Any, known: Known) -> Iterator[Any]:
    yield from (node.args[:1] if isinstance(node, ACTIVATIONS) else _from_network(_linear)(node, known))


def _linear(net: _Network) -> Any:
    return net.outer(net.inner())


_PLACES = (Product, Addition)
FEED_FORWARD = (
    Slip(
        "activation_left_out",
        Words("The activation was left out.", "活性化関数を適用していない。"),
        (*_PLACES, *ACTIVATIONS), _activation_left_out,
    ),
    Slip(
        "activation_after_second",
        Words(
            "The activation was applied after the second linear map instead of between the two.",
            "活性化関数を、2 つの線形変換の間ではなく、2 つ目の後に適用している。",
        ),
        _PLACES, _from_network(lambda net: net.activation(net.outer(net.inner()))),
    ),
    Slip(
        "activation_on_input",
        Words(
            "The activation was applied to the input instead of the result of the first linear map.",
            "活性化関数を、1 つ目の線形変換の結果ではなく入力に適用している。",
        ),
        _PLACES, _from_network(lambda net: replace(net, rows=net.activation(net.rows), activation=lambda x: x)()),
    ),
    Slip(
        "activation_twice",
        Words(
            "The activation was applied after both linear maps.", "活性化関数を、2 つの線形変換の両方の後に適用している。"
        ),
        _PLACES, _from_network(lambda net: net.activation(net())),
    ),
    Slip("bias_1_left_out", Words("b_1 was left out.", "b_1 を足していない。"), _PLACES, _without_bias_1),
    Slip("bias_2_left_out", Words("b_2 was left out.", "b_2 を足していない。"), _PLACES, _without_bias_2),
    Slip(
        "bias_1_after_activation",
        Words(
            "b_1 was added after the activation instead of before it.", "b_1 を、活性化関数の前ではなく後に足している。"
        ),
        _PLACES, _bias_late,
    ),
    Slip(
        "weight_transposed",
        Words("A weight matrix was transposed.", "重み行列を転置して使っている。"),
        _PLACES, _from_network(
            lambda net: replace(net, weight_1=Transpose(net.weight_1))(),
            lambda net: replace(net, weight_2=Transpose(net.weight_2))(),
        ),
    ),
    Slip(
        "weights_swapped",
        Words("W_1 and W_2 were used in the other order.", "W_1 と W_2 の順序を取り違えている。"),
        _PLACES, _from_network(
            lambda net: replace(net, weight_1=net.weight_2, weight_2=net.weight_1)(),
            lambda net: replace(
                net, weight_1=net.weight_2, weight_2=net.weight_1, bias_1=net.bias_2, bias_2=net.bias_1
            )(),
        ),
    ),
    Slip(
        "absolute_for_relu",
        Words("The absolute value was taken instead of ReLU.", "ReLU ではなく絶対値をとっている。"),
        (ReLU,), _instead(absolute),
    ),
    Slip(
        "gelu_for_relu",
        Words("GELU was used instead of ReLU.", "ReLU ではなく GELU を使っている。"),
        (ReLU,), _instead(GELU, GELUTanh),
    ),
    Slip(
        "sigmoid_for_relu",
        Words("The sigmoid was used instead of ReLU.", "ReLU ではなくシグモイド関数を使っている。"),
        (ReLU,), _instead(Sigmoid),
    ),
    Slip(
        "leaky_for_relu",
        Words(
            "Leaky ReLU was used instead of ReLU: negative entries were made small, not 0.",
            "ReLU ではなく Leaky ReLU を使っている（負の成分を 0 にせず、小さくしただけである）。",
        ),
        (ReLU,), lambda node, known: _leaky(node.args[0]),
    ),
    Slip(
        "tanh_for_erf",
        Words("tanh was used in GELU in place of erf.", "GELU の中で erf の代わりに tanh を使っている。"),
        (GELU,), _instead(_tanh_for_erf),
    ),
)  # fmt: skip
