"""Counts of a model: attentions, heads, parameters by part; by formula, and from the letters of the expression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symtransformer.errors import NotSupported
from symtransformer.models.configuration import Configuration
from symtransformer.models.weights import (
    ATTENTION,
    EMBEDDING,
    NETWORK,
    NORM,
    OUTPUT,
    POSITIONS,
    RECURRENT,
    number_of,
    roles_in,
    walked,
)
from symtransformer.node import Node
from symtransformer.operation import Composite
from symtransformer.operations.additive_attention import AdditiveAttention
from symtransformer.operations.cached_attention import CachedAttention
from symtransformer.operations.cross_attention import CrossAttention
from symtransformer.operations.decoder_layer import DecoderLayer
from symtransformer.operations.encoder_layer import EncoderLayer
from symtransformer.operations.feed_forward import FeedForward
from symtransformer.operations.grouped_query_attention import GroupedQueryAttention
from symtransformer.operations.key_value_memory import KeyValueMemory
from symtransformer.operations.layer_norm import LayerNorm
from symtransformer.operations.multi_head_attention import MultiHeadAttention
from symtransformer.operations.rms_norm import RMSNorm
from symtransformer.operations.scaled_dot_product_attention import ScaledDotProductAttention
from symtransformer.operations.single_head import SingleHead
from symtransformer.operations.swiglu import SwiGLU
from symtransformer.symbols import Letter

ATTENTIONS = (
    MultiHeadAttention, GroupedQueryAttention, SingleHead, CrossAttention, AdditiveAttention, CachedAttention,
    ScaledDotProductAttention,
)  # fmt: skip
NETWORKS, NORMS = (FeedForward, SwiGLU, KeyValueMemory), (LayerNorm, RMSNorm)


@dataclass(frozen=True)
class Counts:
    """How much there is of what in a model; parameters are single numbers.

    Layers are told apart as in the original Transformer: `encoder_layers` have one attention each,
    `decoder_layers` two, the second over the rows of an encoder. A decoder-only model such as GPT-2
    has no layer of the second kind: its layers dec1, dec2, ..., and their attentions, are counted
    under `encoder_layers` and `encoder_attentions`. So are attentions that stand in no layer.
    """

    encoder_layers: int
    decoder_layers: int
    sub_layers: int  # attentions and feed-forward networks
    encoder_attentions: int
    decoder_attentions: int
    feed_forwards: int
    norms: int
    heads: int  # in all attentions together
    embedding_parameters: int
    position_parameters: int
    attention_parameters: int
    feed_forward_parameters: int
    norm_parameters: int
    output_parameters: int
    recurrent_parameters: int = 0

    @property
    def attentions(self) -> int:
        """All attentions: one in each encoder layer, two in each decoder layer."""
        return self.encoder_attentions + self.decoder_attentions

    @property
    def parameters(self) -> int:
        """All learned numbers."""
        return (
            self.embedding_parameters + self.position_parameters + self.attention_parameters
            + self.feed_forward_parameters + self.norm_parameters + self.output_parameters + self.recurrent_parameters
        )  # fmt: skip


def counts(config: Configuration) -> Counts:
    """Counts by formula, from the numbers of a configuration.

    >>> from symtransformer.models import BASE
    >>> found = counts(BASE)
    >>> found.attentions, found.heads, found.parameters
    (18, 144, 63045632)
    """
    first, second = config.layers, config.decoder_layers
    d, h, d_k, d_v, d_ff = config.d_model, config.heads, config.d_k, config.d_v, config.d_ff
    biases = (2 * h * d_k + h * d_v + d) * config.attention_biases
    attention = 2 * d * h * d_k + 2 * d * h * d_v + biases
    network = 2 * d * d_ff + (d_ff + d) * config.feed_forward_biases
    attentions, networks, stacks = first + 2 * second, first + second, 1 + (second > 0)
    norms = 2 * first + 3 * second + stacks * config.final_norm
    return Counts(
        encoder_layers=first,
        decoder_layers=second,
        sub_layers=attentions + networks,
        encoder_attentions=first,
        decoder_attentions=2 * second,
        feed_forwards=networks,
        norms=norms,
        heads=attentions * h,
        embedding_parameters=config.vocabulary * d,
        position_parameters=config.positions * d,
        attention_parameters=attentions * attention,
        feed_forward_parameters=networks * network,
        norm_parameters=2 * d * norms * config.norm_weights,
        output_parameters=0 if config.tied else config.vocabulary * d,
    )


def counts_of(model: Node) -> Counts:
    """The same counts from an expression: its operations, and the sizes of its letters.

    Attentions and networks of every kind are counted, an attention with a single head as one head.
    A letter is a parameter where it is the weight of an operation that has weights; one that is
    multiplied by itself, as in X @ W, is not known to be one.

    >>> from symtransformer.models import BASE, counts, encoder_decoder
    >>> counts_of(encoder_decoder(BASE)) == counts(BASE)
    True
    """
    nodes = list(walked(model))
    outermost: list[Any] = list(walked(model, closed=(*ATTENTIONS, *NETWORKS)))
    layers, decoders, attentions, networks, norms = (
        [node for node in outermost if isinstance(node, kinds)]
        for kinds in (EncoderLayer, DecoderLayer, ATTENTIONS, NETWORKS, NORMS)
    )
    in_decoder = {part for layer in decoders for _, part in layer.definition().parts}.intersection(attentions)
    sizes = dict.fromkeys((EMBEDDING, POSITIONS, ATTENTION, NETWORK, NORM, OUTPUT, RECURRENT), 0)
    for letter, role in roles_in(nodes).items():
        sizes[role.part] += number_of(letter.shape[0]) * number_of(letter.shape[1]) * number_of(role.members)
    return Counts(
        encoder_layers=len(layers),
        decoder_layers=len(decoders),
        sub_layers=len(attentions) + len(networks),
        encoder_attentions=len(attentions) - len(in_decoder),
        decoder_attentions=len(in_decoder),
        feed_forwards=len(networks),
        norms=len(norms),
        heads=sum(map(_heads, attentions)),
        embedding_parameters=sizes[EMBEDDING],
        position_parameters=sizes[POSITIONS],
        attention_parameters=sizes[ATTENTION],
        feed_forward_parameters=sizes[NETWORK],
        norm_parameters=sizes[NORM],
        output_parameters=sizes[OUTPUT],
        recurrent_parameters=sizes[RECURRENT],
    )


def _heads(attention: Composite) -> int:
    count = attention.argument("heads")
    if count is None and any(
        isinstance(x, Letter) and x.head is not None and not x.head.is_Integer for x in attention._free
    ):
        raise NotSupported(f"counting heads: {type(attention).__name__} of each head does not say how many there are")
    return 1 if count is None else number_of(count)
