"""Every operation of the registry, as PyTorch has it or as it is written with PyTorch's own functions.

Arguments come as the operation takes them: tensors in double precision (a family of heads with one axis in front),
numbers, words, None for what is left out. Biases, gains and shifts are columns.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

DOUBLE = torch.float64
ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "ReLU": F.relu,
    "GELU": F.gelu,
    "GELUTanh": lambda x: F.gelu(x, approximate="tanh"),
    "SiLU": F.silu,
}


def _flat(column: Any) -> Any:
    return None if column is None else column.flatten()


def linear(x: Tensor, weight: Tensor, bias: Any = None) -> Tensor:
    return F.linear(x, weight.T, _flat(bias))


def attention(queries: Tensor, keys: Tensor, values: Tensor, mask: Any = None) -> Tensor:
    return F.scaled_dot_product_attention(queries[None], keys[None], values[None], mask)[0]


def layer_norm(x: Tensor, gain: Any, shift: Any, eps: float) -> Tensor:
    return F.layer_norm(x, x.shape[-1:], _flat(gain), _flat(shift), eps)


def feed_forward(x: Tensor, w_1: Tensor, b_1: Any, w_2: Tensor, b_2: Any, activation: str) -> Tensor:
    return linear(ACTIVATIONS[activation](linear(x, w_1, b_1)), w_2, b_2)


def _part(family: Any, head: int) -> Any:
    return None if family is None else family[head]


def heads(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, count: int, memory: Any = None, mask: Any = None,
    b_q: Any = None, b_k: Any = None, b_v: Any = None, b_o: Any = None,
) -> Tensor:  # fmt: skip
    return grouped(x, w_q, w_k, w_v, w_o, count, count, memory, mask, b_q, b_k, b_v, b_o)


def grouped(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, count: int, groups: int, memory: Any = None,
    mask: Any = None, b_q: Any = None, b_k: Any = None, b_v: Any = None, b_o: Any = None,
) -> Tensor:  # fmt: skip
    memory = x if memory is None else memory
    queries = torch.stack([linear(x, w_q[h], _part(b_q, h)) for h in range(count)])
    keys = torch.stack([linear(memory, w_k[g], _part(b_k, g)) for g in range(groups)])
    values = torch.stack([linear(memory, w_v[g], _part(b_v, g)) for g in range(groups)])
    found = F.scaled_dot_product_attention(queries[None], keys[None], values[None], mask, enable_gqa=count != groups)
    return linear(torch.cat(list(found[0]), dim=-1), w_o, b_o)


def _sub_layers(x: Tensor, norm: str, eps: float, parts: list[tuple[Callable[[Tensor], Tensor], Any, Any]]) -> Tensor:
    for sub_layer, gain, shift in parts:
        if norm == "post":
            x = layer_norm(x + sub_layer(x), gain, shift, eps)
        else:
            x = x + sub_layer(layer_norm(x, gain, shift, eps))
    return x


def encoder_layer(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, w_1: Tensor, b_1: Any, w_2: Tensor, b_2: Any,
    g_1: Any, s_1: Any, g_2: Any, s_2: Any, count: int, eps: float, activation: str, norm: str, mask: Any = None,
    label: Any = None, *biases: Any,
) -> Tensor:  # fmt: skip
    return _sub_layers(x, norm, eps, [
        (lambda rows: heads(rows, w_q, w_k, w_v, w_o, count, None, mask, *biases), g_1, s_1),
        (lambda rows: feed_forward(rows, w_1, b_1, w_2, b_2, activation), g_2, s_2),
    ])  # fmt: skip


def decoder_layer(
    x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, u_q: Tensor, u_k: Tensor,
    u_v: Tensor, u_o: Tensor, w_1: Tensor, b_1: Any, w_2: Tensor, b_2: Any, g_1: Any, s_1: Any, g_2: Any, s_2: Any,
    g_3: Any, s_3: Any, count: int, eps: float, activation: str, norm: str, mask: Any = None, cross_mask: Any = None,
    label: Any = None, *biases: Any,
) -> Tensor:  # fmt: skip
    return _sub_layers(x, norm, eps, [
        (lambda rows: heads(rows, w_q, w_k, w_v, w_o, count, None, mask, *biases[:4]), g_1, s_1),
        (lambda rows: heads(rows, u_q, u_k, u_v, u_o, count, memory, cross_mask, *biases[4:]), g_2, s_2),
        (lambda rows: feed_forward(rows, w_1, b_1, w_2, b_2, activation), g_3, s_3),
    ])  # fmt: skip


def cross_entropy(logits: Tensor, targets: Tensor, reduction: str) -> Tensor:
    losses = F.cross_entropy(logits, targets, reduction=reduction)
    return losses[:, None] if reduction == "none" else losses.reshape(1, 1)


def additive_scores(queries: Tensor, keys: Tensor, w: Tensor, u: Tensor, v: Tensor) -> Tensor:
    return (torch.tanh((queries @ w)[:, None] + (keys @ u)[None]) @ v)[..., 0]


def embedding(tokens: Tensor, table: Tensor, scaled: str) -> Tensor:
    return tokens @ table * (math.sqrt(table.shape[1]) if scaled == "yes" else 1)


def smoothed(targets: Tensor, epsilon: float, spread: str) -> Tensor:
    classes = targets.shape[1]
    if spread == "all":
        return (1 - epsilon) * targets + epsilon / classes
    return (1 - epsilon) * targets + epsilon / (classes - 1) * (1 - targets)


def turn(a: Tensor, pairing: str) -> Tensor:
    if pairing == "interleaved":
        return torch.stack((-a[:, 1::2], a[:, 0::2]), dim=-1).flatten(1)
    first, second = a.chunk(2, dim=-1)
    return torch.cat((-second, first), dim=-1)


def angles(rows: int, columns: int, start: float, base: float, pairing: str) -> Tensor:
    speeds = base ** (-torch.arange(0, columns, 2, dtype=DOUBLE) / columns)
    speeds = speeds.repeat_interleave(2) if pairing == "interleaved" else speeds.repeat(2)
    return torch.outer(start + torch.arange(rows, dtype=DOUBLE), speeds)


def rotated(a: Tensor, start: float, base: float, pairing: str) -> Tensor:
    phases = angles(*a.shape, start, base, pairing)
    return a * phases.cos() + turn(a, pairing) * phases.sin()


def row_mean_square(x: Tensor, eps: float) -> Tensor:
    return torch.sqrt((x * x).mean(-1, keepdim=True) + eps)


def hardmax(scores: Tensor) -> Tensor:
    largest = (scores == scores.amax(-1, keepdim=True)).to(DOUBLE)
    return largest / largest.sum(-1, keepdim=True) + 0 * scores


def swiglu(
    x: Tensor, w_1: Tensor, w_2: Tensor, w_3: Tensor, b_1: Any = None, b_2: Any = None, b_3: Any = None
) -> Tensor:
    return linear(F.silu(linear(x, w_1, b_1)) * linear(x, w_3, b_3), w_2, b_2)


def block(rows: Tensor, above: int, left: int, shape: tuple[int, int]) -> Tensor:
    """The rows among zeros."""
    return F.pad(rows, (left, shape[1] - left - rows.shape[1], above, shape[0] - above - rows.shape[0]))


NORMAL = torch.distributions.Normal(torch.tensor(0.0, dtype=DOUBLE), torch.tensor(1.0, dtype=DOUBLE))
FUNCTIONS: dict[str, Callable[..., Tensor]] = {
    "AddNorm": lambda x, update, gain, shift, eps: layer_norm(x + update, gain, shift, eps),
    "Addition": lambda *terms: torch.stack(terms).sum(0),
    "AdditiveAttention": lambda q, k, v, *weights: torch.softmax(additive_scores(q, k, *weights), -1) @ v,
    "AdditiveScores": additive_scores,
    "Broadcast": lambda column, columns: column.expand(-1, columns),
    "CachedAttention": lambda q, keys, k, values, v: attention(q, torch.cat((keys, k)), torch.cat((values, v))),
    "ColumnPad": lambda a, start, columns: block(a, 0, start, (len(a), columns)),
    "ColumnSlice": lambda a, start, width: a[:, start : start + width],
    "ColumnSum": lambda a: a.sum(0)[:, None],
    "Concatenation": lambda *parts: torch.cat(parts, dim=1),
    "Cosine": torch.cos,
    "CosineSimilarity": lambda a, b: F.cosine_similarity(a[:, None], b[None], dim=-1),
    "CrossAttention": lambda x, y, w_q, w_k, w_v, mask=None: attention(x @ w_q, y @ w_k, y @ w_v, mask),
    "CrossEntropy": cross_entropy,
    "DecoderLayer": decoder_layer,
    "Dropout": lambda x, kept, rate: x * kept / (1 - rate),
    "Embedding": embedding,
    "EncoderLayer": encoder_layer,
    "EntryDivision": torch.div,
    "Exponential": torch.exp,
    "FeedForward": feed_forward,
    "GELU": F.gelu,
    "GELUTanh": ACTIVATIONS["GELUTanh"],
    "GradientStep": lambda weights, slope, rate: weights - rate * slope,
    "GroupedQueryAttention": grouped,
    "Hadamard": torch.mul,
    "Hardmax": hardmax,
    "HeadConcatenation": lambda bodies, count: torch.cat(list(bodies), dim=1),
    "HeadSum": lambda bodies, count: bodies.sum(0),
    "Heaviside": lambda x: torch.heaviside(x.detach(), torch.zeros((), dtype=DOUBLE)) + 0 * x,
    "InfoNCE": lambda s, positives, temperature, reduction: cross_entropy(s / temperature, positives, reduction),
    "KeyValueMemory": feed_forward,
    "LayerNorm": layer_norm,
    "Linear": linear,
    "LogSumExp": lambda s: torch.logsumexp(s, -1, keepdim=True),
    "Logarithm": torch.log,
    "Mask": torch.add,
    "MultiHeadAttention": heads,
    "NormalDensity": lambda x: NORMAL.log_prob(x).exp(),
    "NormalDistribution": NORMAL.cdf,
    "PairTurn": turn,
    "PositionedEmbedding": lambda tokens, table, places, scaled: embedding(tokens, table, scaled) + places,
    "Product": torch.matmul,
    "RMSDivision": lambda x, eps: F.rms_norm(x, x.shape[-1:], eps=eps),
    "RMSNorm": lambda x, gain, eps: F.rms_norm(x, x.shape[-1:], _flat(gain), eps),
    "ReLU": F.relu,
    "RecurrentStep": lambda state, x, w, u, b=None: torch.tanh(linear(state, w, b) + x @ u),
    "RightShift": lambda rows, start: torch.cat((start, rows[:-1])),
    "RootMeanSquare": row_mean_square,
    "RotaryEmbedding": rotated,
    "Row": lambda a, index: a[index : index + 1],
    "RowConcatenation": lambda *parts: torch.cat(parts),
    "RowDivision": torch.div,
    "RowMean": lambda a: a.mean(1, keepdim=True),
    "RowPad": lambda a, start, rows: block(a, start, 0, (rows, a.shape[1])),
    "RowSlice": lambda a, start, count: a[start : start + count],
    "RowSum": lambda a: a.sum(1, keepdim=True),
    "ScaledDotProductAttention": attention,
    "Scaling": lambda a, factor, divisor: a * factor / divisor,
    "SiLU": F.silu,
    "Sigmoid": torch.sigmoid,
    "Sine": torch.sin,
    "SingleHead": lambda x, w_q, w_k, w_v, mask=None: attention(x @ w_q, x @ w_k, x @ w_v, mask),
    "SmoothedTargets": smoothed,
    "Softmax": lambda s: torch.softmax(s, -1),
    "SquareRoot": lambda x, added: torch.sqrt(x + added),
    "StandardDeviation": lambda x, eps: torch.sqrt(x.var(-1, correction=0, keepdim=True) + eps),
    "Standardization": lambda x, eps: F.layer_norm(x, x.shape[-1:], eps=eps),
    "SwiGLU": swiglu,
    "Tanh": torch.tanh,
    "TemperatureSoftmax": lambda logits, temperature: torch.softmax(logits / temperature, -1),
    "Transpose": lambda a: a.T,
}
