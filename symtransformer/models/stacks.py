"""Stacks of layers, and whole models from tokens to logits, each as one expression.

The letters of a layer bear its name, such as `enc1.W_Q`; those that stand outside of the layers
are the embedding table E, learned positions P and the output weight W_vocab.
"""

from __future__ import annotations

from typing import Any

from sympy import Expr, S

from symtransformer.errors import ShapeError
from symtransformer.models.configuration import Configuration
from symtransformer.node import Node, as_node
from symtransformer.operations.decoder_layer import DecoderLayer
from symtransformer.operations.embedding import PositionedEmbedding
from symtransformer.operations.encoder_layer import EncoderLayer
from symtransformer.operations.layer_norm import LayerNorm
from symtransformer.operations.linear import Linear
from symtransformer.operations.masks import CausalMask
from symtransformer.operations.multi_head_attention import HEAD
from symtransformer.operations.rows import RowSlice
from symtransformer.operations.sinusoidal_encoding import SinusoidalEncoding
from symtransformer.symbols import Letter, dimension, matrix

Sizes = dict[str, Expr]


def encoder(config: Configuration, rows: Any = None, *, symbolic: bool = False) -> Node:
    """The encoder on rows X (n x d_model): layers enc1, enc2, ...

    >>> from symtransformer.models import BASE
    >>> encoder(BASE).shape
    (n, 512)
    """
    sizes = config.sizes(symbolic)
    top = _rows(rows, "X", "n", sizes)
    for k in range(1, config.layers + 1):
        top = EncoderLayer(top, label=f"enc{k}", **_layer(config, sizes, f"enc{k}"))
    return _finished(config, sizes, top, "enc")


def decoder_only(config: Configuration, rows: Any = None, *, symbolic: bool = False) -> Node:
    """A stack under a causal mask, without a second sequence, on rows X (n x d_model): layers dec1, dec2, ...

    >>> from symtransformer.models import GPT2
    >>> decoder_only(GPT2, symbolic=True).shape
    (n, d_model)
    """
    sizes = config.sizes(symbolic)
    top = _rows(rows, "X", "n", sizes)
    mask = CausalMask(top.shape[0])
    for k in range(1, config.layers + 1):
        top = EncoderLayer(top, mask=mask, label=f"dec{k}", **_layer(config, sizes, f"dec{k}"))
    return _finished(config, sizes, top, "dec")


def decoder(config: Configuration, rows: Any = None, memory: Any = None, *, symbolic: bool = False) -> Node:
    """The decoder on rows Y (n x d_model) with the encoder's rows H (m x d_model): layers dec1, dec2, ...

    >>> from symtransformer.models import BASE
    >>> decoder(BASE).shape
    (n, 512)
    """
    if not config.decoder_layers:
        raise ShapeError("decoder: this configuration has no decoder layers; use decoder_only, or set decoder_layers")
    sizes = config.sizes(symbolic)
    top, source = _rows(rows, "Y", "n", sizes), _rows(memory, "H", "m", sizes)
    mask = CausalMask(top.shape[0])
    for k in range(1, config.decoder_layers + 1):
        weights = _layer(config, sizes, f"dec{k}", cross=True)
        top = DecoderLayer(top, source, mask=mask, label=f"dec{k}", **weights)
    return _finished(config, sizes, top, "dec")


def encoder_decoder(config: Configuration, *, symbolic: bool = False) -> Node:
    """Logits (n x K) from one-hot tokens: T_src (m x K) through the encoder, T_tgt (n x K) through the decoder.

    >>> from symtransformer.models import BASE
    >>> encoder_decoder(BASE).shape
    (n, 37000)
    """
    sizes = config.sizes(symbolic)
    memory = encoder(config, embedded(config, "T_src", "m", symbolic=symbolic), symbolic=symbolic)
    top = decoder(config, embedded(config, "T_tgt", "n", symbolic=symbolic), memory, symbolic=symbolic)
    return _logits(config, sizes, top)


def language_model(config: Configuration, *, symbolic: bool = False) -> Node:
    """Logits (n x K) of a decoder-only model from one-hot tokens T (n x K).

    >>> from symtransformer.models import GPT2
    >>> language_model(GPT2).shape
    (n, 50257)
    """
    rows = embedded(config, "T", "n", symbolic=symbolic)
    return _logits(config, config.sizes(symbolic), decoder_only(config, rows, symbolic=symbolic))


def embedded(config: Configuration, tokens: str, rows: str, *, symbolic: bool = False) -> Node:
    """The rows that enter a stack: embeddings of one-hot tokens, times √d_model if so wanted, and positions."""
    sizes, count = config.sizes(symbolic), dimension(rows)
    if not symbolic and not config.vocabulary:
        raise ShapeError("embedding: this configuration has no vocabulary; set it, or start from rows")
    given, table = matrix(tokens, count, sizes["K"]), matrix("E", sizes["K"], sizes["d_model"])
    if config.positions:
        places = RowSlice(matrix("P", config.positions, sizes["d_model"]), 0, count)
    else:
        places = SinusoidalEncoding(count, sizes["d_model"])
    return PositionedEmbedding(given, table, places, scaled="yes" if config.scaled else "no")  # type: ignore[no-any-return]


def _rows(rows: Any, name: str, count: str, sizes: Sizes) -> Any:
    return matrix(name, dimension(count), sizes["d_model"]) if rows is None else as_node(rows)


def _logits(config: Configuration, sizes: Sizes, top: Node) -> Any:
    if config.tied:
        return Linear(top, matrix("E", sizes["K"], sizes["d_model"]).T)
    return Linear(top, matrix("W_vocab", sizes["d_model"], sizes["K"]))


def _finished(config: Configuration, sizes: Sizes, top: Node, stack: str) -> Any:
    """One more normalization, where the configuration has it: before it, a stack of pre-norm layers gives plain sums."""
    if not config.final_norm:
        return top
    if not config.norm_weights:
        return LayerNorm(top, eps=config.eps)
    gain, shift = (matrix(f"{stack}.{name}", sizes["d_model"], 1) for name in ("gamma", "beta"))
    return LayerNorm(top, gain=gain, shift=shift, eps=config.eps)


def _layer(config: Configuration, sizes: Sizes, label: str, cross: bool = False) -> dict[str, Any]:
    """The letters of one layer, and its variant, by the names of the layer's arguments."""
    d, inner = sizes["d_model"], sizes["d_ff"]
    given: dict[str, Any] = {
        "head": HEAD, "heads": sizes["h"], "eps": config.eps, "activation": config.activation, "norm": config.norm,
        "weight_1": matrix(f"{label}.W_1", d, inner), "weight_2": matrix(f"{label}.W_2", inner, d),
    }  # fmt: skip
    for prefix, letter in (("", "W"), ("cross_", "U"))[: 1 + cross]:
        given |= _attention(config, sizes, f"{label}.{letter}", f"{label}.{'c' if cross and prefix else 'b'}", prefix)
    if config.feed_forward_biases:
        given |= {"bias_1": matrix(f"{label}.b_1", inner, 1), "bias_2": matrix(f"{label}.b_2", d, 1)}
    if config.norm_weights:
        for k in range(1, 3 + cross):
            given |= {f"gain_{k}": matrix(f"{label}.gamma_{k}", d, 1), f"shift_{k}": matrix(f"{label}.beta_{k}", d, 1)}
    return given


def _attention(config: Configuration, sizes: Sizes, weight: str, bias: str, prefix: str) -> dict[str, Any]:
    """The weights of one multi-head attention: a family for queries, keys and values, one matrix behind them."""
    head = None if sizes["h"] == 1 else HEAD
    widths = {"Q": sizes["d_k"], "K": sizes["d_k"], "V": sizes["d_v"]}
    d, given = sizes["d_model"], {}
    for name, width in widths.items():
        given[f"{prefix}weight_{name}"] = Letter(f"{weight}_{name}", d, width, head)
        if config.attention_biases:
            given[f"{prefix}bias_{name}"] = Letter(f"{bias}_{name}", width, S.One, head)
    given[f"{prefix}weight_O"] = matrix(f"{weight}_O", sizes["h"] * sizes["d_v"], d)
    if config.attention_biases:
        given[f"{prefix}bias_O"] = matrix(f"{bias}_O", d, 1)
    return given
