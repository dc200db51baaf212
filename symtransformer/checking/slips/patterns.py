"""What slips look for in an expression: scores, weights, gradients, a constant number above or below a line."""

from __future__ import annotations

import re
from typing import Any

from sympy import S

from symtransformer.checking.slips.records import Known
from symtransformer.node import postorder
from symtransformer.operations.addition import Addition
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.hardmax import Hardmax
from symtransformer.operations.linear import Linear
from symtransformer.operations.mask import Mask
from symtransformer.operations.masks import CausalMask, PaddingMask
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.relu import ReLU
from symtransformer.operations.row_sum import Broadcast, RowSum
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.transpose import Transpose
from symtransformer.symbols import Letter, Literal

_SCORES = re.compile(r"(s|score)[a-z]*(_?\w+)?", re.IGNORECASE)
_WEIGHTS = re.compile(r"(A|a|P|p|alpha|attn|weights?)(_?\d+|_[A-Za-z0-9]+)?")
_GRADIENT = re.compile(r"[dg][A-Z]\w*|(G|g|delta)(_\w+|\d+)?|grad(_?\w+)?")


def meaning(node: Any, known: Known) -> Any:
    """What a name stands for, where the document says so; else the node itself."""
    seen = set()
    while isinstance(node, Letter) and node in known and node not in seen:
        seen.add(node)
        node = known[node]
    return node


def base_name(node: Any) -> str:
    """K for K, K_1 and enc1.K; nothing for what is no letter."""
    return node.name.rpartition(".")[2].partition("_")[0] if isinstance(node, Letter) else ""


def negated(node: Any) -> Any:
    """X of −X; else None."""
    is_minus = isinstance(node, Scaling) and node.args[1] / node.args[2] == -1
    return node.args[0] if is_minus else None


def without_factor(node: Any) -> tuple[Any, Any]:
    """A matrix and the number that it is multiplied by, numbers of numbers taken together."""
    factor = S.One
    while isinstance(node, Scaling):
        node, factor = node.args[0], factor * node.args[1] / node.args[2]
    return node, factor


def times(node: Any, factor: Any) -> Any:
    """The node times a number, the node itself for 1."""
    return Scaling(node, factor, S.One)


def zeros(node: Any) -> Any:
    return Scaling(Ones(*node.shape), S.Zero, S.One)


def ones(node: Any) -> Any:
    return Ones(*node.shape)


def absolute(node: Any) -> Any:
    """|X| = X ⊙ sign, as the sum of both halves."""
    return Addition(ReLU(node), ReLU(-node))


def is_scores(node: Any, known: Known) -> bool:
    """Products of queries and keys: by what they are, or by their name."""
    node = without_factor(node)[0]
    if isinstance(node, Letter) and _SCORES.fullmatch(node.name):
        return True
    node = without_factor(meaning(node, known))[0]
    return isinstance(node, Product) and any(isinstance(a, Transpose) for a in node.args)


def is_weights(node: Any, known: Known) -> bool:
    """Attention weights: a softmax, something called A, or rows that add up to 1."""
    named = isinstance(node, Letter) and _WEIGHTS.fullmatch(node.name) and not is_gradient(node)
    return bool(named) or probabilities(node, known)


def probabilities(node: Any, known: Known) -> bool:
    """A softmax, or rows of numbers that add up to 1, rounded perhaps."""
    found = meaning(node, known)
    if isinstance(found, (Softmax, Hardmax)):
        return True
    if not isinstance(found, Literal):
        return False
    rows = found.matrix.tolist()
    return all(x.is_Rational and 0 <= x <= 1 for row in rows for x in row) and all(
        abs(sum(row) - 1) * 50 <= 1 for row in rows
    )


def is_gradient(node: Any) -> bool:
    """dS, G, delta: what comes from above."""
    return isinstance(node, Letter) and _GRADIENT.fullmatch(node.name.rpartition(".")[2]) is not None


def mentions_gradient(node: Any) -> bool:
    return any(is_gradient(part) for part in postorder(node) if not part._children)


def hides(mask: Any, known: Known) -> bool:
    """A mask that holds −∞."""
    found = meaning(mask, known)
    if isinstance(found, Transpose):
        return hides(found.args[0], known)
    return isinstance(found, (CausalMask, PaddingMask)) or (
        isinstance(found, Literal) and found.matrix.has(S.NegativeInfinity)
    )


def masked(node: Any, known: Known) -> tuple[Any, Any] | None:
    """Scores and the mask that is added to them."""
    if isinstance(node, Mask):
        return node.args[0], node.args[1]
    if isinstance(node, Addition) and len(node.args) == 2:
        for scores, mask in (node.args, node.args[::-1]):
            if hides(mask, known):
                return scores, mask
    return None


def row_total(node: Any) -> Any:
    """The sum of each row in every entry of the row."""
    return Broadcast(RowSum(node), node.shape[1])


def table_total(node: Any) -> Any:
    """The sum of all entries in every entry."""
    rows, columns = node.shape
    total = Product(Product(Ones(S.One, rows), node), Ones(columns, S.One))
    return Product(Product(Ones(rows, S.One), total), Ones(S.One, columns))


def largest(powers: Any, scores: Any) -> Any:
    """e to the largest score of each row, as a column."""
    return RowSum(Hadamard(Hardmax(scores), powers))


def projections(node: Any, known: Known) -> list[tuple[Any, Any]]:
    """X and W of every X W inside, also behind names."""
    found = []
    for part in postorder(node):
        for one in (part, meaning(part, known)):
            if isinstance(one, (Product, Linear)) and not isinstance(one.args[1], Transpose):
                found.append((one.args[0], one.args[1]))
    return found


def column_total(node: Any) -> Any:
    """The sum of each column in every entry of the column."""
    return Product(Ones(node.shape[0], node.shape[0]), node)


def is_repeated_row(node: Any) -> bool:
    """The same row everywhere, as 1 bᵀ is: a bias, γ or β."""
    if isinstance(node, Product) and isinstance(node.args[0], Ones):
        return True
    return bool(
        node.shape[0] == 1 and isinstance(node.args[0] if isinstance(node, Transpose) else node, (Letter, Literal))
    )
