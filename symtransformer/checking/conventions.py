"""Conventions under which a value is right too: named where one explains the digits, and nobody is accused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sympy import Rational, S, log

from symtransformer.checking.number_words import Note
from symtransformer.checking.slips.diagnosis import Budget, Fits, Trials, alterations
from symtransformer.checking.slips.normalization import by, deviations, plus, squares
from symtransformer.checking.slips.patterns import is_gradient, is_scores, is_weights, meaning, probabilities
from symtransformer.checking.slips.records import Known, Slip
from symtransformer.checking.slips.written_norms import eps_outside
from symtransformer.node import Node, postorder
from symtransformer.notation import Words
from symtransformer.operations.cross_entropy import SmoothedTargets
from symtransformer.operations.exponential import Exponential
from symtransformer.operations.gelu import GELU, GELUTanh
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.log_sum_exp import LogSumExp
from symtransformer.operations.logarithm import Logarithm
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.rms_division import RMSDivision
from symtransformer.operations.root_mean_square import RootMeanSquare
from symtransformer.operations.rotary import HALVES, INTERLEAVED, PairTurn, RotaryAngles, RotaryEmbedding
from symtransformer.operations.row_mean import RowMean
from symtransformer.operations.row_sum import RowSum
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.square_root import SquareRoot
from symtransformer.operations.standard_deviation import StandardDeviation
from symtransformer.operations.standardization import Standardization
from symtransformer.operations.transpose import Transpose

LOGARITHMS = ("log_base_2", "log_base_10")
EPS_OF_FRAMEWORKS = tuple(Rational(1, 10**k) for k in (5, 6, 8, 12, 3))  # PyTorch, RMSNorm, BERT, Keras


class Convention(Slip):
    """A slip that is none: others do it so, and say so."""


def _sample_variance(rows: Any, eps: Any) -> Iterator[Any]:
    yield SquareRoot(Scaling(RowSum(squares(deviations(rows))), S.One, rows.shape[1] - 1), eps)


def _mean_of_squares(node: Any, known: Known) -> Iterator[Any]:
    """Σ (x − mean)² / (d − 1) where the variance itself is written out."""
    total = RowSum(node.args[0]) if isinstance(node, RowMean) else node.args[0]
    if (count := _squares_of_all(node)) > 1:
        yield Scaling(node.args[0], node.args[1], count - 1)
    counts = isinstance(node, RowMean) or (isinstance(total, RowSum) and node.args[2] == total.args[0].shape[1])
    if counts and isinstance(total, RowSum) and isinstance(total.args[0], Hadamard):
        inside = total.args[0]
        if inside.args[0] is inside.args[1] and inside.shape[1] != 1:
            yield Scaling(total, S.One, inside.shape[1] - 1)


def _squares_of_all(node: Any) -> int:
    """How many squares a quotient is the mean of, where it is one of all entries of a matrix, and not of a row; else 0."""
    total = node.args[0] if isinstance(node, Scaling) else None
    rows = total.args[0].args[0] if isinstance(total, RowSum) and isinstance(total.args[0], Transpose) else None
    inside = rows.args[0] if isinstance(rows, RowSum) else None
    if not isinstance(inside, Hadamard) or inside.args[0] is not inside.args[1]:
        return 0
    count = int(inside.shape[0] * inside.shape[1])
    return count if node.args[2] == count else 0


def _sample(node: Any, known: Known) -> Iterator[Any]:
    standard = isinstance(node, (Standardization, StandardDeviation))
    yield from (by(_sample_variance) if standard else _mean_of_squares)(node, known)


def _eps_outside(rows: Any, eps: Any) -> Iterator[Any]:
    yield plus(StandardDeviation(rows, S.Zero), eps)


def _eps_written_outside(node: Any, known: Known) -> Iterator[Any]:
    yield from (eps_outside if isinstance(node, Scaling) else by(_eps_outside))(node, known)


def _eps_of_frameworks(node: Any, known: Known) -> Iterator[Any]:
    rows, eps = node.args
    if eps == 0:
        yield from (type(node)(rows, other) for other in EPS_OF_FRAMEWORKS)


def _other_gelu(node: Any, known: Known) -> Iterator[Any]:
    yield (GELUTanh if isinstance(node, GELU) else GELU)(node.args[0])


def _to_base(base: int) -> Any:
    return lambda node, known: [Scaling(node, S.One, log(base))]


def undoes(expression: Node) -> bool:
    """exp(log x), log(exp x): to another base the one would no longer undo the other, and nobody means that."""
    nodes = [*postorder(expression)]
    if any(isinstance(n, Logarithm) and isinstance(n.args[0], Exponential) for n in nodes):
        return True
    powers = [n for n in nodes if isinstance(n, Exponential)]
    return any(isinstance(n, (Logarithm, LogSumExp)) for power in powers for n in postorder(power))


def has_base(expression: Node) -> bool:
    """log₂ x, which is read as log x / log 2."""
    divided = (n.args for n in postorder(expression) if isinstance(n, Scaling))
    return any(isinstance(inner, Logarithm) and isinstance(divisor, log) for inner, _, divisor in divided)


def _other_pairs(node: Any, known: Known) -> Iterator[Any]:
    *rest, _ = node.args
    yield type(node)(*rest, HALVES if node.argument("pairing") == INTERLEAVED else INTERLEAVED)


def _other_spread(node: Any, known: Known) -> Iterator[Any]:
    spread = "others" if node.argument("spread") == "all" else "all"
    yield SmoothedTargets(node.args[0], node.args[1], spread)


def _weight_as_stored(node: Any, known: Known) -> Iterator[Any]:
    """x Wᵀ for x W; neither scores, nor weights times values, nor what repeats a row."""
    left, weight = node.args
    plain = not isinstance(left, (Ones, Transpose)) and not isinstance(weight, (Transpose, Ones))
    if plain and weight.shape[0] == weight.shape[1] and not is_weights(left, known) and not is_gradient(left):
        if not is_scores(node, known):
            yield Product(left, Transpose(weight))


def _of_probabilities(node: Any, known: Known) -> Iterator[Any]:
    """−Σ y ln p where p was given in place of logits; and softmax of what is a softmax already."""
    inner = meaning(node.args[0], known)
    if isinstance(inner, Softmax) and probabilities(inner.args[0], known):
        yield Logarithm(inner.args[0])
    elif isinstance(inner, Softmax) or probabilities(node.args[0], known):
        yield Logarithm(Softmax(node.args[0]))


CONVENTIONS: tuple[Convention, ...] = (
    Convention(
        "sample_variance",
        Words(
            "Right with the sample variance, which is divided by d − 1 instead of d.",
            "d ではなく d − 1 で割る標本分散（不偏分散）を使えば正しい。",
        ),
        (Standardization, StandardDeviation, RowMean, Scaling), _sample,
    ),
    Convention(
        "eps_outside_root",
        Words("Right with ε added to the root instead of inside it.", "ε を根号の中ではなく外で足せば正しい。"),
        (Standardization, StandardDeviation, Scaling), _eps_written_outside,
    ),
    Convention(
        "eps_of_frameworks",
        Words(
            "Right with the small ε that frameworks add to the variance, such as 0.00001.",
            "フレームワークが分散に足す小さな ε（0.00001 など）を入れれば正しい。",
        ),
        (Standardization, StandardDeviation, RMSDivision, RootMeanSquare), _eps_of_frameworks,
    ),
    Convention(
        "tanh_gelu",
        Words(
            "Right with the other form of GELU: the approximation by tanh, or the exact one with erf.",
            "GELU のもう一方の形（tanh による近似、または erf による正確な式）を使えば正しい。",
        ),
        (GELU, GELUTanh), _other_gelu,
    ),
    Convention(
        "log_base_2",
        Words("Right with logarithms to base 2.", "底が 2 の対数を使えば正しい。"),
        (Logarithm, LogSumExp), _to_base(2),
    ),
    Convention(
        "log_base_10",
        Words("Right with logarithms to base 10.", "底が 10 の対数（常用対数）を使えば正しい。"),
        (Logarithm, LogSumExp), _to_base(10),
    ),
    Convention(
        "rotary_pairs",
        Words(
            "Right with the other pairs of columns in RoPE: neighbors, or one from each half.",
            "RoPE の列の組み方をもう一方（隣どうし、または前半と後半から 1 列ずつ）にすれば正しい。",
        ),
        (RotaryEmbedding, RotaryAngles, PairTurn), _other_pairs,
    ),
    Convention(
        "smoothing_spread",
        Words(
            "Right with label smoothing spread the other way: over all K classes, or over the K − 1 others.",
            "ラベル平滑化の配り方をもう一方（全 K クラス、または正解以外の K − 1 クラス）にすれば正しい。",
        ),
        (SmoothedTargets,), _other_spread,
    ),
    Convention(
        "weights_stored_transposed",
        Words(
            "Right with x Wᵀ, for weights that are stored transposed as in nn.Linear.",
            "重みが nn.Linear のように転置して保存されているとみて、x Wᵀ とすれば正しい。",
        ),
        (Product,), _weight_as_stored,
    ),
    Convention(
        "cross_entropy_of_probabilities",
        Words(
            "Right with the cross-entropy taken of probabilities where logits are meant, or the reverse.",
            "ロジットのところに確率を入れた（またはその逆の）交差エントロピーとすれば正しい。",
        ),
        (Logarithm,), _of_probabilities,
    ),
)  # fmt: skip


def by_convention(
    expression: Node,
    values: Mapping[Any, Any],
    fits: Fits,
    *,
    shape: tuple[Any, Any] | None = None,
    budget: Budget | None = None,
) -> Note | None:
    """The first convention under which the expression gives what is shown; None where it does so itself, or none does.

    A convention is followed everywhere: it is tried in all places at once.
    The arguments are those of `diagnose`.

    >>> from symtransformer.checking.slips import Shown
    >>> from symtransformer.checking import read_number
    >>> from symtransformer.operations.logarithm import Logarithm
    >>> from symtransformer.symbols import Literal
    >>> by_convention(Logarithm(Literal([[8]])), {}, Shown([[read_number("3")]])).name
    'log_base_2'
    """
    trials = Trials(values, fits, shape or expression.shape, budget or Budget())
    if trials.fit(expression):
        return None
    meant = tuple(
        c for c in CONVENTIONS if c.name not in LOGARITHMS or not (undoes(expression) or has_base(expression))
    )
    fitting = (c for c, altered in alterations(expression, values, meant, alone=False) if trials.fit(altered))
    return next((convention.note for convention in fitting), None)
