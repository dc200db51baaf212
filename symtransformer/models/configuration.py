"""The numbers that describe a model, and the models of the literature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sympy import Expr, Integer, Rational

from symtransformer.errors import ShapeError, UnreadableInput
from symtransformer.operations.feed_forward import ACTIVATIONS
from symtransformer.symbols import dimension

EPS = Rational(1, 100_000)


@dataclass(frozen=True)
class Configuration:
    """How many layers of which sizes, and which variants.

    `layers` are those of the encoder, or of the only stack; with `decoder_layers` there is a
    decoder as well. d_k and d_v are d_model / heads unless given. `positions` is the number of
    rows of a learned table of positions; without one positions are sines and cosines.

    >>> BASE.d_k, GPT2.d_ff
    (64, 3072)
    """

    layers: int
    d_model: int
    d_ff: int
    heads: int
    d_k: int = 0
    d_v: int = 0
    vocabulary: int = 0
    decoder_layers: int = 0
    norm: str = "post"
    activation: str = "ReLU"
    final_norm: bool = False  # one more normalization after the last layer of each stack
    tied: bool = False  # the output weight is the transposed embedding table
    scaled: bool = False  # embeddings times √d_model
    positions: int = 0
    attention_biases: bool = False
    feed_forward_biases: bool = True
    norm_weights: bool = True  # gains and shifts
    eps: Rational = EPS

    def __post_init__(self) -> None:
        for name in ("layers", "d_model", "d_ff", "heads"):
            if getattr(self, name) < 1:
                raise ShapeError(f"configuration: {name} must be at least 1, got {getattr(self, name)}")
        for name in ("d_k", "d_v"):
            if not getattr(self, name):
                width, rest = divmod(self.d_model, self.heads)
                if rest:
                    raise ShapeError(f"configuration: d_model = {self.d_model} does not divide by {self.heads} heads")
                object.__setattr__(self, name, width)
        if self.norm not in ("post", "pre") or self.activation not in ACTIVATIONS:
            raise UnreadableInput(f"configuration: unknown norm {self.norm!r} or activation {self.activation!r}")

    def sizes(self, symbolic: bool = False) -> dict[str, Expr]:
        """The sizes by name, as numbers or as letters of these names."""
        numbers = {
            "d_model": self.d_model, "d_k": self.d_k, "d_v": self.d_v, "d_ff": self.d_ff, "h": self.heads,
            "K": self.vocabulary,
        }  # fmt: skip
        if symbolic:
            return {name: dimension(name) for name in numbers}
        return {name: Integer(number) for name, number in numbers.items()}

    def values(self) -> dict[Any, Expr]:
        """What the letters for sizes stand for."""
        numbers = self.sizes()
        return {letter: numbers[name] for name, letter in self.sizes(symbolic=True).items() if numbers[name] > 0}


# Vaswani et al. 2017, table 3 (base) and section 5.1: about 37000 tokens shared by source and target.
BASE = Configuration(
    layers=6, decoder_layers=6, d_model=512, d_ff=2048, heads=8, vocabulary=37_000, tied=True, scaled=True
)  # fmt: skip
# Radford et al. 2019, the smallest model, as published in code.
GPT2 = Configuration(
    layers=12, d_model=768, d_ff=3072, heads=12, vocabulary=50_257, norm="pre", activation="GELUTanh",
    final_norm=True, tied=True, positions=1024, attention_biases=True,
)  # fmt: skip
# One layer on 8 components: a decoder-only model small enough to be shown, without biases, gains and shifts.
DEMO = Configuration(layers=1, d_model=8, d_ff=16, heads=2, feed_forward_biases=False, norm_weights=False)
# 16 heads of 128 components.
ARTICLE = Configuration(layers=1, d_model=2048, d_ff=8192, heads=16, activation="GELU")
