"""What a formula may say under another well-known convention than the library's: formulas of one vector, and remarks."""

from __future__ import annotations

from dataclasses import dataclass

from symtransformer.checking.number_words import Note
from symtransformer.notation import Words


@dataclass(frozen=True)
class FormulaConvention:
    """`operation` computed by `formula`, in the letters x, gamma, beta, epsilon, p, y; d is the length of x."""

    operation: str
    formula: str
    note: Note


def _note(name: str, en: str, ja: str) -> Note:
    return Note(name, Words(en, ja))


SAMPLE_VARIANCE = _note(
    "sample_variance",
    "Right with the sample variance, which divides by d − 1; layer normalization divides by d.",
    "d − 1 で割る不偏分散（標本分散）を使えば正しい。レイヤー正規化では d で割る。",
)
EPS_OUTSIDE = _note(
    "eps_outside",
    "Right with ε added outside of the root; usually it stands inside.",
    "ε を根号の外で足す流儀なら正しい。ふつうは根号の中に入れる。",
)
TANH_GELU = _note("tanh_gelu", "Right as the tanh approximation of GELU.", "GELU の tanh による近似としては正しい。")
SIGMOID_GELU = _note(
    "sigmoid_gelu", "Right as the sigmoid approximation of GELU.", "GELU のシグモイドによる近似としては正しい。"
)
SMOOTHING = _note(
    "smoothing_others",
    "Right with label smoothing that gives ε / (K − 1) to each of the other classes; usually ε / K goes to all K.",
    "ε / (K − 1) を他のクラスに配るラベル平滑化なら正しい。ふつうは ε / K を K 個すべてに配る。",
)
CONVENTIONS = (
    FormulaConvention(
        "LayerNorm", "gamma (x - mean(x)) / sqrt(var(x) * d / (d - 1) + epsilon) + beta", SAMPLE_VARIANCE
    ),
    FormulaConvention("LayerNorm", "gamma (x - mean(x)) / (sqrt(var(x)) + epsilon) + beta", EPS_OUTSIDE),
    FormulaConvention(
        "LayerNorm", "gamma (x - mean(x)) / (sqrt(var(x) * d / (d - 1)) + epsilon) + beta", SAMPLE_VARIANCE
    ),
    FormulaConvention("RMSNorm", "gamma x / (sqrt(mean(x^2)) + epsilon)", EPS_OUTSIDE),
    FormulaConvention("GELU", "0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))", TANH_GELU),
    FormulaConvention("GELU", "x sigma(1.702 x)", SIGMOID_GELU),
    FormulaConvention("SmoothedTargets", "(1 - epsilon) x + (1 - x) epsilon / (d - 1)", SMOOTHING),
)
