"""Cross-entropy of rows of logits against rows of targets, from logits and not from probabilities."""

from __future__ import annotations

from typing import Any

from sympy import S

from symtransformer.arguments import CHOICE, SCALAR, Parameter
from symtransformer.errors import UnreadableInput
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages, require_same_shape
from symtransformer.operations.addition import Addition
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.log_sum_exp import LogSumExp
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.row_sum import Broadcast, RowSum
from symtransformer.operations.scaling import Scaling

REDUCTION = Parameter("reduction", CHOICE, default="mean", choices=("mean", "sum", "none"))


class CrossEntropy(Composite):
    """CrossEntropy(L, Y) = mean over rows i of −Σ_j Y_ij ln p_ij, with ln p_ij = L_ij − logsumexp(L)_i.

    L and Y are n x K; rows of Y are meant to be distributions, each a single 1 or numbers that add
    up to 1, and the formula is taken as it is for any others. A logit of −∞, a candidate that cannot
    be chosen, counts nothing where its target is 0, and is refused elsewhere. The result is 1 x 1; with `reduction="sum"` it is the
    sum over rows, with `reduction="none"` the column of the n losses. Which of them is meant has to
    be said: they differ by the factor n.

    Named parts: Lambda = ln p (log-probabilities), J_row (the loss of each row), and targets that are an operation, as Y_ls.

    >>> from symtransformer import dimension, matrix
    >>> n, K = dimension("n"), dimension("K")
    >>> L, Y = matrix("L", n, K), matrix("Y", n, K)
    >>> CrossEntropy(L, Y).shape, CrossEntropy(L, Y, reduction="none").shape
    ((1, 1), (n, 1))
    """

    __slots__ = ()
    parameters = (Parameter("logits"), Parameter("targets"), REDUCTION)
    title = Words("Cross-entropy", "交差エントロピー損失")
    explanation = Words(
        "The loss of a row is minus the sum of its log-probabilities, each times its target; if the target is a single "
        "1, that is minus the log-probability of one candidate. The log-probabilities are taken from the logits by "
        "subtracting their log-sum-exp, so no probability is computed that could vanish in rounding.",
        "各行の損失は、対数確率に正解の値を掛けて足し、負号を付けたものです。1 が 1 つだけでほかが 0 の正解なら、その候補の対数確率に"
        "負号を付けた値です。対数確率は、確率を経由せず、ロジットから log-sum-exp を引いて求めるので、確率が丸めで 0 になることはありません。",
    )
    source = Words(
        "Goodfellow, Bengio and Courville, Deep Learning, section 6.2.2.3",
        "Goodfellow・Bengio・Courville, Deep Learning, 6.2.2.3 節",
    )
    notation = Call("CrossEntropy")
    letter = "J"

    def definition(self) -> Stages:
        logits, targets = self.args[:2]
        require_same_shape(lambda: "cross-entropy of logits and targets", logits.shape, targets.shape)
        log_probabilities = Addition(logits, -Broadcast(LogSumExp(logits), logits.shape[1]))
        losses = -RowSum(Hadamard(targets, log_probabilities))
        how = self.argument("reduction")
        whole = reduced(losses, how)
        parts: tuple[tuple[str, Node], ...] = (("Lambda", log_probabilities),)
        words = {**_WORDS, "": REDUCED[how]}
        if isinstance(targets, Composite):
            parts = ((targets.letter, targets), *parts)
            words[targets.letter] = (targets.title, targets.explanation)
        return Stages(parts if whole is losses else (*parts, ("J_row", losses)), whole, words)


class SmoothedTargets(Composite):
    """SmoothedTargets(Y, ε) = (1 − ε) Y + ε/K: the share ε is spread evenly over all K candidates, the right one too.

    With `spread="others"` it is (1 − ε) Y + (1 − Y) ε/(K − 1): the right candidate keeps exactly
    1 − ε, the K − 1 others share ε. The two conventions are not the same for the same ε.

    >>> from symtransformer import dimension, matrix, parameter
    >>> SmoothedTargets(matrix("Y", dimension("n"), dimension("K")), parameter("epsilon")).shape
    (n, K)
    """

    __slots__ = ()
    parameters = (
        Parameter("targets"), Parameter("epsilon", SCALAR),
        Parameter("spread", CHOICE, default="all", choices=("all", "others")),
    )  # fmt: skip
    title = Words("Label smoothing, spread over all candidates", "ラベル平滑化（全候補に配る場合）")
    explanation = Words(
        "If a row holds a single 1, at the right candidate, a share {epsilon} of it is taken and spread evenly over all "
        "candidates, the right one included, which therefore keeps 1 − {epsilon} and its own part of the share.",
        "行の 1 が正解の位置に 1 つだけあるとき、その 1 のうち {epsilon} だけを、正解も含めた全候補に均等に配ります。"
        "そのため正解には、1 − {epsilon} に自分の分を加えた値が残ります。",
    )
    source = Words(
        "Szegedy et al. 2016, section 7, with uniform u(k) = 1/K; used with ε = 0.1 in Vaswani et al. 2017, 5.4",
        "Szegedy ほか 2016, 7 節で u(k) = 1/K（一様）の場合。Vaswani ほか 2017, 5.4 節では ε = 0.1",
    )
    notation = Call("SmoothedTargets")
    letter = "Y_ls"

    def definition(self) -> Stages:
        targets, epsilon = self.args[:2]
        if epsilon.is_negative or (epsilon - 1).is_positive:
            raise UnreadableInput(f"SmoothedTargets: epsilon must be 0 to 1, not {epsilon}")
        kept, ones, candidates = Scaling(targets, 1 - epsilon, S.One), Ones(*targets.shape), targets.shape[1]
        if self.argument("spread") == "all":
            return Stages((), Addition(kept, Scaling(ones, epsilon, candidates)))
        if candidates == 1:
            raise UnreadableInput("SmoothedTargets: there are no other candidates to spread over")
        rest = Scaling(Addition(ones, -targets), epsilon, candidates - 1)
        return Stages((), Addition(kept, rest), {"": _OTHERS})


class InfoNCE(Composite):
    """InfoNCE(S, Y, τ): cross-entropy of the similarities S / τ (n x m) with Y marking the positive of each row.

    Row i asks which of m documents belongs to query i: −ln(e^{s⁺/τ} / Σ_j e^{s_j/τ}), the positive
    being one of the terms below the line. Mean over the queries unless `reduction` says otherwise.

    Named part: L = S / τ.

    >>> from symtransformer import dimension, matrix, parameter
    >>> n, m = dimension("n"), dimension("m")
    >>> InfoNCE(matrix("S", n, m), matrix("Y", n, m), parameter("tau")).shape
    (1, 1)
    """

    __slots__ = ()
    parameters = (Parameter("similarities"), Parameter("positives"), Parameter("temperature", SCALAR), REDUCTION)
    title = Words("InfoNCE loss", "InfoNCE 損失")
    explanation = Words(
        "The similarities of a query to its positive and to the negatives are divided by the temperature and taken as "
        "logits; the loss is the cross-entropy with the positive, marked by a single 1 in the row, as the target.",
        "クエリと正例・負例との類似度を温度で割ってロジットとみなし、行の中の 1 つの 1 で示した正例を正解として、"
        "交差エントロピー損失を計算します。",
    )
    source = Words(
        "van den Oord, Li and Vinyals 2018, eq. (4); with similarity and temperature as in Chen et al. 2020, eq. (1)",
        "van den Oord・Li・Vinyals 2018, 式 (4)。類似度と温度は Chen ほか 2020, 式 (1) による",
    )
    notation = Call("InfoNCE")
    letter = "J"

    def definition(self) -> Stages:
        similarities, positives, temperature = self.args[:3]
        if temperature.is_nonpositive:
            raise UnreadableInput(f"InfoNCE: the temperature must be above 0, not {temperature}")
        logits = Scaling(similarities, S.One, temperature)
        whole = CrossEntropy(logits, positives, reduction=self.argument("reduction"))
        return Stages((("L", logits),), whole, _WORDS)


def reduced(losses: Node, how: str) -> Any:
    """The mean or the sum of a column of losses, or the column itself."""
    total = Product(Ones(S.One, losses.shape[0]), losses)
    return losses if how == "none" else total if how == "sum" else Scaling(total, S.One, losses.shape[0])


REDUCED = {
    "mean": (
        Words("Mean of the losses", "損失の平均"),
        Words(
            "The losses of all rows are added and divided by the number of rows.",
            "すべての行の損失を足し、行の数で割ります。",
        ),
    ),
    "sum": (
        Words("Sum of the losses", "損失の合計"),
        Words(
            "The losses of all rows are added, and not divided by the number of rows.",
            "すべての行の損失を足します。行の数では割りません。",
        ),
    ),
    "none": (
        Words("Loss of each row", "各行の損失"),
        Words(
            "The log-probabilities are multiplied by the targets, added, and given a minus sign. With a single 1 in the "
            "row, and else 0, that is minus the log-probability of that candidate.",
            "対数確率に正解の値を掛けて足し、負号を付けます。1 が 1 つだけでほかが 0 の行では、その候補の対数確率に負号を付けた値です。",
        ),
    ),
}
_WORDS = {
    "L": (
        Words("Similarities divided by the temperature", "温度で割った類似度"),
        Words("They take the place of logits.", "これをロジットとして使います。"),
    ),
    "Lambda": (
        Words("Log-probabilities", "対数確率"),
        Words(
            "From each logit the log-sum-exp of its row is subtracted; what is left is the logarithm of softmax.",
            "各ロジットから、その行の log-sum-exp を引きます。残りは Softmax の対数です。",
        ),
    ),
    "J_row": REDUCED["none"],
}
_OTHERS = (
    Words("Label smoothing, spread over the other candidates", "ラベル平滑化（ほかの候補だけに配る場合）"),
    Words(
        "If a row holds a single 1, at the right candidate, a share {epsilon} of it is spread evenly over the other "
        "candidates; the right one keeps exactly 1 − {epsilon}.",
        "行の 1 が正解の位置に 1 つだけあるとき、その 1 のうち {epsilon} だけを、正解以外の候補に均等に配ります。"
        "正解にはちょうど 1 − {epsilon} が残ります。",
    ),
)
