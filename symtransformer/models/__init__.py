"""Whole models: a configuration, the stacks that it describes as one expression, their weights and counts."""

from __future__ import annotations

from symtransformer.models.configuration import ARTICLE, BASE, DEMO, GPT2, Configuration
from symtransformer.models.counting import Counts, counts, counts_of
from symtransformer.models.stacks import decoder, decoder_only, encoder, encoder_decoder, language_model
from symtransformer.models.weights import random_weights, weights_of

__all__ = [
    "ARTICLE", "BASE", "DEMO", "GPT2", "Configuration", "Counts", "counts", "counts_of", "decoder", "decoder_only",
    "encoder", "encoder_decoder", "language_model", "random_weights", "weights_of",
]  # fmt: skip
