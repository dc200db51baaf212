"""Slips in (x − μ) / √(v + ε), where μ, v and ε are numbers that the document worked out before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from sympy import Rational, S, sqrt

from symtransformer.checking.slips.normalization import LAYER_NORM
from symtransformer.checking.slips.patterns import is_scores, negated
from symtransformer.checking.slips.records import Alteration, Known, Slip
from symtransformer.operations.addition import Addition
from symtransformer.operations.row_sum import Broadcast
from symtransformer.operations.scaling import Scaling

_EPS = re.compile(r"(var)?eps(ilon)?(_\w+)?|ε")
_WIDTH = re.compile(r"(d|n|m|h|D|N)(_\w+)?")  # √d_k is no deviation


def variance_and_eps(node: Any, known: Known) -> tuple[Any, Any] | None:
    """v and ε of rows / √(v + ε); ε is 0 where nothing is added."""
    if not isinstance(node, Scaling) or node.args[1] != 1 or is_scores(node.args[0], known):
        return None
    below = node.args[2]
    if not below.is_Pow or below.exp != Rational(1, 2) or not below.base.free_symbols:
        return None
    if any(_WIDTH.fullmatch(symbol.name) for symbol in below.free_symbols):
        return None
    terms = below.base.args if below.base.is_Add else (below.base,)
    eps = [x for x in terms if x.is_Rational or (x.is_Symbol and _EPS.fullmatch(x.name))]
    return below.base - sum(eps), sum(eps, S.Zero)


def _below(make: Callable[[Any, Any], tuple[Any, ...]]) -> Alteration:
    """The same rows over something else."""

    def alter(node: Any, known: Known) -> Iterator[Any]:
        found = variance_and_eps(node, known)
        for below in make(*found) if found else ():
            yield Scaling(node.args[0], S.One, below)

    return alter


def _mean_kept(node: Any, known: Known) -> Iterator[Any]:
    above = node.args[0]
    if variance_and_eps(node, known) and isinstance(above, Addition) and len(above.args) == 2:
        for rows, mean in (above.args, above.args[::-1]):
            if isinstance(negated(mean), Broadcast) or isinstance(mean, Broadcast):
                yield Scaling(rows, S.One, node.args[2])


eps_outside = _below(lambda variance, eps: (sqrt(variance) + eps,) if eps else ())

_ALTERED: dict[str, Alteration] = {
    "variance_for_root": _below(lambda variance, eps: (variance + eps, variance)),
    "deviation_not_divided": lambda node, known: node.args[:1] if variance_and_eps(node, known) else (),
    "eps_left_out": _below(lambda variance, eps: (sqrt(variance),) if eps else ()),
    "root_eps_added": _below(lambda variance, eps: (sqrt(variance) + sqrt(eps),) if eps else ()),
    "mean_not_subtracted": _mean_kept,
}


def _also(slip: Slip, alter: Alteration) -> Slip:
    """The slip where it is written out in numbers, too."""
    return replace(
        slip,
        on=(*slip.on, Scaling),
        alter=lambda node, known: (alter if isinstance(node, Scaling) else slip.alter)(node, known),
    )


LAYER_NORM_WRITTEN: tuple[Slip, ...] = tuple(
    _also(slip, _ALTERED[slip.name]) if slip.name in _ALTERED else slip for slip in LAYER_NORM
)
