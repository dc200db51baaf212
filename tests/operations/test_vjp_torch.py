"""Gradients against those of PyTorch in double precision; `requirements-rivals.txt` says which PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sympy import Expr
from vjp_cases import COTANGENT, Subject, of_operation

from symtransformer import evaluate, matrix
from symtransformer.gradients import differentiate
from symtransformer.operation import REGISTRY
from symtransformer.operations import DecoderLayer, EncoderLayer, Hadamard, MultiHeadAttention
from symtransformer.symbols import Letter, head_index

torch = pytest.importorskip(
    "torch", reason="PyTorch is not installed; CONTRIBUTING.md says how gradients are compared with it"
)
import torch_functions  # noqa: E402

TOLERANCE = 1e-12
WITH_MATRICES = [name for name in sorted(REGISTRY) if of_operation(name)[-1].letters]
largest: dict[str, float] = {}


def plain(value: Any) -> Any:
    return [plain(x) for x in value] if isinstance(value, list) else float(value)


def arrays_of(subject: Subject) -> dict[str, Any]:
    return {name: np.array(plain(rows)) for name, rows in subject.values.items()}


def relative_error(found: Any, wanted: Any) -> float:
    """The largest difference, relative to the largest entry; by a bias of the keys the gradient is 0 but for rounding."""
    size = np.max(np.abs(wanted))
    return float(np.max(np.abs(found - wanted)) / (size if size > TOLERANCE else 1))


def compare(subject: Subject, result: Any, tensors: dict[str, Any], name: str) -> None:
    arrays = arrays_of(subject)
    value = evaluate(subject.node, given(subject, arrays, subject.node), backend="numpy")
    assert relative_error(value, result.detach().numpy()) < TOLERANCE, "the value"
    (result * torch.tensor(arrays[COTANGENT])).sum().backward()
    for route, gradients in subject.gradients.items():
        for letter in subject.letters:
            slope = tensors[letter.name].grad
            wanted = np.zeros_like(arrays[letter.name]) if slope is None else slope.numpy()
            mine = [evaluate(g, given(subject, arrays, g), backend="numpy") for _, g in gradients[letter.name]]
            found = mine[0] if letter.head is None else np.stack(mine)
            error = relative_error(found, wanted)
            largest[name] = max(largest.get(name, 0), error)
            assert error < TOLERANCE, f"{subject.name}: {route} by {letter.name} is off by {error:.1e}"


def given(subject: Subject, arrays: dict[str, Any], node: Any) -> dict[str, Any]:
    """The arrays that an expression needs, a family as a list."""
    families = {x.name for x in subject.letters if x.head is not None}
    used = {x.name for x in node._free if isinstance(x, Letter)}
    return {name: list(a) if name in families else a for name, a in arrays.items() if name in used}


@pytest.mark.parametrize("name", WITH_MATRICES)
def test_an_operation_has_the_gradient_of_pytorch(name):
    for subject in of_operation(name):
        tensors = {n: torch.tensor(a, requires_grad=n != COTANGENT) for n, a in arrays_of(subject).items()}
        arguments = [
            tensors[a.name] if isinstance(a, Letter) else float(a) if isinstance(a, Expr) else a for a in subject.order
        ]
        compare(subject, torch_functions.FUNCTIONS[name](*arguments), tensors, name)


def test_how_many_operations_were_compared():
    assert set(torch_functions.FUNCTIONS) == set(WITH_MATRICES)
    if set(largest) == set(WITH_MATRICES):
        print(f"{len(largest)} operations, largest relative error {max(largest.values()):.1e}")


# -- PyTorch's own layers -----------------------------------------------------------------------------------
ROWS, MEMORY, WIDTH, INNER, HEADS = 3, 4, 6, 5, 2


def attention_letters(prefix: str, place: str) -> dict[str, Any]:
    head, width = head_index("i"), WIDTH // HEADS
    of_head = {f"{place}weight_{x}": matrix(f"{prefix}W{x}", WIDTH, width).of_head(head) for x in "QKV"}
    of_head |= {f"{place}bias_{x}": matrix(f"{prefix}b{x}", width, 1).of_head(head) for x in "QKV"}
    shared = {
        f"{place}weight_O": matrix(f"{prefix}WO", WIDTH, WIDTH),
        f"{place}bias_O": matrix(f"{prefix}bO", WIDTH, 1),
    }
    return of_head | shared


def read_attention(module: Any, prefix: str, arrays: dict[str, Any], slopes: bool = False) -> None:
    """The weights of PyTorch's module, or their gradients, under the names of the letters."""
    pick = (lambda p: p.grad.numpy()) if slopes else (lambda p: p.detach().numpy())
    for letter, weight, bias in zip(
        "QKV", np.split(pick(module.in_proj_weight), 3), np.split(pick(module.in_proj_bias), 3), strict=True
    ):
        arrays[f"{prefix}W{letter}"] = [part.T for part in np.split(weight, HEADS)]
        arrays[f"{prefix}b{letter}"] = [part[:, None] for part in np.split(bias, HEADS)]
    arrays[f"{prefix}WO"], arrays[f"{prefix}bO"] = pick(module.out_proj.weight).T, pick(module.out_proj.bias)[:, None]


def read_layer(layer: Any, norms: int, slopes: bool = False) -> dict[str, Any]:
    pick = (lambda p: p.grad.numpy()) if slopes else (lambda p: p.detach().numpy())
    arrays: dict[str, Any] = {}
    read_attention(layer.self_attn, "s", arrays, slopes)
    if norms == 3:
        read_attention(layer.multihead_attn, "c", arrays, slopes)
    for k, part in enumerate((layer.linear1, layer.linear2)):
        arrays[f"W{k + 1}"], arrays[f"b{k + 1}"] = pick(part.weight).T, pick(part.bias)[:, None]
    for k in range(norms):
        norm = getattr(layer, f"norm{k + 1}")
        arrays[f"g{k + 1}"], arrays[f"s{k + 1}"] = pick(norm.weight)[:, None], pick(norm.bias)[:, None]
    return arrays


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize(("activation", "word"), [("relu", "ReLU"), ("gelu", "GELU")])
@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_a_layer_has_the_gradients_of_pytorchs_own(kind, activation, word, norm):
    torch.manual_seed(11)
    norms = 2 if kind == "encoder" else 3
    build = torch.nn.TransformerEncoderLayer if kind == "encoder" else torch.nn.TransformerDecoderLayer
    layer = build(
        WIDTH, HEADS, INNER, dropout=0, activation=activation, norm_first=norm == "pre", batch_first=True,
        dtype=torch.float64,
    )  # fmt: skip
    with torch.no_grad():
        for weights in layer.parameters():
            weights.copy_(torch.randn_like(weights) / 2)  # a softmax far from 0 and 1
    rng = np.random.default_rng(4)
    arrays = {"X": rng.normal(size=(ROWS, WIDTH)), "Y": rng.normal(size=(MEMORY, WIDTH))}
    inputs = {name: torch.tensor(a, requires_grad=True) for name, a in arrays.items()}
    weights = {"weight_1": matrix("W1", WIDTH, INNER), "weight_2": matrix("W2", INNER, WIDTH)}
    weights |= {"bias_1": matrix("b1", INNER, 1), "bias_2": matrix("b2", WIDTH, 1)}
    for k in range(1, norms + 1):
        weights |= {f"gain_{k}": matrix(f"g{k}", WIDTH, 1), f"shift_{k}": matrix(f"s{k}", WIDTH, 1)}
    weights |= attention_letters("s", "") | {"heads": HEADS, "norm": norm, "activation": word}
    X, Y = matrix("X", ROWS, WIDTH), matrix("Y", MEMORY, WIDTH)
    if kind == "encoder":
        node, result = EncoderLayer(X, **weights), layer(inputs["X"][None])[0]
        del arrays["Y"]
    else:
        node = DecoderLayer(X, Y, **weights, **attention_letters("c", "cross_"))
        result = layer(inputs["X"][None], inputs["Y"][None])[0]
    arrays |= read_layer(layer, norms)
    compare_layer(node, result, arrays, inputs, lambda: read_layer(layer, norms, slopes=True))


def test_heads_have_the_gradients_of_pytorchs_own():
    torch.manual_seed(5)
    module = torch.nn.MultiheadAttention(WIDTH, HEADS, dtype=torch.float64)
    with torch.no_grad():
        module.in_proj_bias.copy_(torch.randn_like(module.in_proj_bias))
    rng = np.random.default_rng(6)
    arrays = {"X": rng.normal(size=(ROWS, WIDTH)), "Y": rng.normal(size=(MEMORY, WIDTH))}
    inputs = {name: torch.tensor(a, requires_grad=True) for name, a in arrays.items()}
    node = MultiHeadAttention(
        matrix("X", ROWS, WIDTH), memory=matrix("Y", MEMORY, WIDTH), heads=HEADS, **attention_letters("s", "")
    )
    result, _ = module(inputs["X"], inputs["Y"], inputs["Y"])
    read_attention(module, "s", arrays)

    def slopes() -> dict[str, Any]:
        found: dict[str, Any] = {}
        read_attention(module, "s", found, slopes=True)
        return found

    compare_layer(node, result, arrays, inputs, slopes)


def compare_layer(node: Any, result: Any, arrays: dict[str, Any], inputs: dict[str, Any], slopes: Any) -> None:
    weights = np.random.default_rng(7).normal(size=tuple(result.shape))
    assert relative_error(evaluate(node, arrays, backend="numpy"), result.detach().numpy()) < TOLERANCE
    (result * torch.tensor(weights)).sum().backward()
    wanted = {name: x.grad.numpy() for name, x in inputs.items() if x.grad is not None} | slopes()
    gradient = differentiate(node, cotangent=matrix(COTANGENT, *node.shape))
    assert {x.name for x in gradient.wrt} == set(wanted)
    for letter in gradient.wrt:
        formula = gradient[letter].stands_for
        used = {x.name for x in formula._free if isinstance(x, Letter)}
        found = evaluate(
            formula, {k: v for k, v in (arrays | {COTANGENT: weights}).items() if k in used}, backend="numpy"
        )
        slope = wanted[letter.name] if letter.head is None else wanted[letter.name][int(letter.head)]
        error = relative_error(found, slope)
        assert error < TOLERANCE, f"{letter} is off by {error:.1e}"


def test_a_planted_error_is_refused():
    """The Jacobian of softmax by its diagonal only."""
    (subject,) = of_operation("Softmax")
    tensors = {n: torch.tensor(a, requires_grad=n != COTANGENT) for n, a in arrays_of(subject).items()}
    (letter,) = subject.letters
    wrong = Hadamard(subject.node, matrix(COTANGENT, *subject.node.shape))
    broken = Subject(
        subject.name, subject.node, subject.letters, subject.values, {"wrong": {letter.name: [((), wrong)]}}
    )
    with pytest.raises(AssertionError, match="wrong by"):
        compare(broken, torch.softmax(tensors[letter.name], -1), tensors, "planted")
    largest.pop("planted")
