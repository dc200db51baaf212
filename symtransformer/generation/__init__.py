"""From logits to text: which candidate is taken, and what is done with it.

A row of logits is an expression of one row without letters, or anything that becomes one: a
list, a SymPy matrix. Which of two candidates is ahead is decided by balls with more and more
bits, a tie by the exact zero test; neither is ever decided by a float.

Tie rule, everywhere: of equal candidates the one with the lowest number (from 0) goes first,
and ties are reported. Of equal sequences the one whose first differing token is lower goes first.
"""

from __future__ import annotations

from symtransformer.generation.beams import Beam, beam_search
from symtransformer.generation.choosing import Choice, Distribution, distribution, greedy, ranking, sample
from symtransformer.generation.loop import Generation, GenerationStep, Model, generate

__all__ = [
    "Beam", "Choice", "Distribution", "Generation", "GenerationStep", "Model",
    "beam_search", "distribution", "generate", "greedy", "ranking", "sample",
]  # fmt: skip
