"""All slips, in the order in which they are named."""

from __future__ import annotations

from symtransformer.checking.slips.masks import MASKS
from symtransformer.checking.slips.records import Slip
from symtransformer.checking.slips.scores import SCORES, WEIGHTING
from symtransformer.checking.slips.softmax import SOFTMAX, TEMPERATURE

SLIPS: tuple[Slip, ...] = (*SCORES, *SOFTMAX, *WEIGHTING, *MASKS, *TEMPERATURE)
