"""Slips in the gradient of layer normalization, (g − mean g − x̂ ⊙ mean(g ⊙ x̂)) / σ with g = dY ⊙ γ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symtransformer.checking.slips.patterns import base_name, is_gradient, meaning, negated, row_total
from symtransformer.checking.slips.records import Known, Slip, matching
from symtransformer.node import postorder, substitute
from symtransformer.notation import Words
from symtransformer.operations.addition import Addition
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_sum import Broadcast


@dataclass(frozen=True)
class _Gradient:
    """g, the mean of it, x̂ ⊙ mean(g ⊙ x̂), x̂ itself, and σ below the line."""

    above: Any
    mean: Any
    along: Any
    normed: Any
    sigma: Any

    def over_sigma(self, *terms: Any) -> Any:
        return RowDivision(Addition(*terms), self.sigma)

    def __call__(self) -> Any:
        return self.over_sigma(self.above, -self.mean, -self.along)

    def of(self, above: Any) -> _Gradient:
        """The same of another g."""
        rule = {self.above: above}
        return _Gradient(above, substitute(self.mean, rule), substitute(self.along, rule), self.normed, self.sigma)

    def gain(self, known: Known) -> tuple[Any, Any] | None:
        """dY and γ of g = dY ⊙ γ."""
        above = meaning(self.above, known)
        if not isinstance(above, Hadamard):
            return None
        for cotangent, gain in (above.args, above.args[::-1]):
            if is_gradient(cotangent) or any(base_name(x) in ("gamma", "g") for x in postorder(gain)):
                return cotangent, gain
        return above.args[0], above.args[1]


def _terms(node: Any) -> list[Any]:
    """The terms of a sum, those of sums in it too."""
    minus = negated(node)
    if isinstance(minus, Addition):
        return [-term for term in _terms(minus)]
    return [t for term in node.args for t in _terms(term)] if isinstance(node, Addition) else [node]


def _gradient(node: Any) -> _Gradient | None:
    terms = _terms(node.args[0])
    plain = [t for t in terms if negated(t) is None]
    taken = [negated(t) for t in terms if negated(t) is not None]
    along = [t for t in taken if isinstance(t, Hadamard)]
    if len(plain) != 1 or len(taken) != 2 or len(along) != 1:
        return None
    mean = next(t for t in taken if t is not along[0])
    for normed, other in (along[0].args, along[0].args[::-1]):
        if isinstance(other, Broadcast):
            return _Gradient(plain[0], mean, along[0], normed, node.args[1])
    return None


def _found(node: Any, known: Known) -> tuple[_Gradient] | None:
    found = _gradient(node)
    return (found,) if found else None


_of_gradient = matching(_found)


def _sums(g: _Gradient, mean: bool, along: bool) -> Any:
    first = row_total(g.above) if mean else g.mean
    second = Hadamard(g.normed, row_total(Hadamard(g.above, g.normed))) if along else g.along
    return g.over_sigma(g.above, -first, -second)


def _and_gain(node: Any, known: Known) -> tuple[Any, ...] | None:
    found = _gradient(node)
    parts = found.gain(known) if found else None
    return (found, *parts) if parts else None


_with_gain = matching(_and_gain)
_PLACE = (RowDivision,)
NORMALIZATION_GRADIENT = (
    Slip(
        "norm_direct_term_only",
        Words(
            "Only the direct term was kept; mean and standard deviation depend on the row too.",
            "直接の項だけを残している。平均と標準偏差も入力に依存する。",
        ),
        _PLACE, _of_gradient(lambda g: g.over_sigma(g.above)),
    ),
    Slip(
        "norm_mean_term_missing",
        Words("The term that comes through the mean is missing.", "平均を通る項が抜けている。"),
        _PLACE, _of_gradient(lambda g: g.over_sigma(g.above, -g.along)),
    ),
    Slip(
        "norm_along_term_missing",
        Words(
            "The term with x̂, which comes through the standard deviation, is missing.",
            "標準偏差を通る項（x̂ の項）が抜けている。",
        ),
        _PLACE, _of_gradient(lambda g: g.over_sigma(g.above, -g.mean)),
    ),
    Slip(
        "norm_sums_for_means",
        Words("Sums were taken instead of means: 1/d is missing.", "平均ではなく和をとっている（1/d が抜けている）。"),
        _PLACE, _of_gradient(
            lambda g: _sums(g, True, True), lambda g: _sums(g, True, False), lambda g: _sums(g, False, True)
        ),
    ),
    Slip(
        "norm_sigma_missing",
        Words("The division by σ is missing.", "σ で割っていない。"),
        _PLACE, _of_gradient(lambda g: Addition(g.above, -g.mean, -g.along)),
    ),
    Slip(
        "norm_sigma_squared",
        Words("It was divided by σ² instead of σ.", "σ ではなく σ² で割っている。"),
        _PLACE, _of_gradient(lambda g: RowDivision(g(), g.sigma)),
    ),
    Slip(
        "gain_after_means",
        Words(
            "γ was multiplied after subtracting the means instead of before.",
            "γ を、平均を引く前ではなく引いた後に掛けている。",
        ),
        _PLACE, _with_gain(lambda g, cotangent, gain: Hadamard(gain, g.of(cotangent)())),
    ),
    Slip(
        "gain_ignored",
        Words("γ was left out of the gradient.", "勾配に γ を掛けていない。"),
        _PLACE, _with_gain(lambda g, cotangent, gain: g.of(cotangent)()),
    ),
    Slip(
        "norm_gradient_sign",
        Words("A sign in the gradient of the normalization is wrong.", "正規化の勾配の符号が違う。"),
        _PLACE, _of_gradient(
            lambda g: -g(),
            lambda g: g.over_sigma(g.above, g.mean, -g.along),
            lambda g: g.over_sigma(g.above, -g.mean, g.along),
            lambda g: g.over_sigma(g.above, g.mean, g.along),
        ),
    ),
)  # fmt: skip
