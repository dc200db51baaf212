"""All slips, in the order in which they are named."""

from __future__ import annotations

from symtransformer.checking.slips.block import BLOCK, HEADS
from symtransformer.checking.slips.entries import ENTRIES
from symtransformer.checking.slips.feed_forward import FEED_FORWARD
from symtransformer.checking.slips.linear_maps import LINEAR_MAP
from symtransformer.checking.slips.loss import LOSS
from symtransformer.checking.slips.masks import MASKS
from symtransformer.checking.slips.normalization_gradient import NORMALIZATION_GRADIENT
from symtransformer.checking.slips.positions import POSITIONS
from symtransformer.checking.slips.product_gradients import ATTENTION_GRADIENT, LINEAR_GRADIENT
from symtransformer.checking.slips.records import Slip
from symtransformer.checking.slips.rms_normalization import RMS_NORM
from symtransformer.checking.slips.score_gradient import DS
from symtransformer.checking.slips.scores import SCORES, WEIGHTING
from symtransformer.checking.slips.softmax import SOFTMAX, TEMPERATURE
from symtransformer.checking.slips.softmax_gradient import CROSS_ENTROPY_GRADIENT, JACOBIAN
from symtransformer.checking.slips.written_norms import LAYER_NORM_WRITTEN

SLIPS: tuple[Slip, ...] = (
    *ENTRIES, *SCORES, *SOFTMAX, *WEIGHTING, *MASKS, *TEMPERATURE, *LOSS, *LAYER_NORM_WRITTEN, *RMS_NORM,
    *FEED_FORWARD, *BLOCK, *HEADS, *JACOBIAN, *CROSS_ENTROPY_GRADIENT, *DS, *ATTENTION_GRADIENT, *NORMALIZATION_GRADIENT, *LINEAR_GRADIENT, *POSITIONS,
    *LINEAR_MAP,
)  # fmt: skip
