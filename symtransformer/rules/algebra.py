"""Rules of matrix algebra that bring a cotangent into the form that a person writes.

A rule is an identity, left to right. One that does not fit gives None; the judge has proved each
on letters of any size (tests/rules). The rules end: numbers and minus signs only move outward, transposes
of products inward, transposes of other things outward, and every other rule leaves fewer operations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sympy import Rational, S

from symtransformer.node import Node
from symtransformer.notation import Words
from symtransformer.operations.addition import Addition
from symtransformer.operations.column_sum import ColumnSum
from symtransformer.operations.entry_division import EntryDivision
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.heads import HeadSum
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.rotary import PairTurn
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_mean import RowMean
from symtransformer.operations.row_sum import Broadcast, RowSum
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.transpose import Transpose

LINEAR_IN_FIRST = (RowSum, ColumnSum, RowMean, Broadcast, RowDivision, EntryDivision, PairTurn)


@dataclass(frozen=True)
class Rule:
    """One identity: its name, what it says in signs and in words, the operations at whose root it may fit, and the
    rewriting. With `inside`, it fits only where an argument of the root is one of these operations.
    """

    name: Words
    statement: str
    explanation: Words
    roots: tuple[type[Node], ...]
    rewrite: Callable[[Any], Node | None]
    inside: tuple[type[Node], ...] = ()


# -- transposes ------------------------------------------------------------------------------------
def _transpose_of_product(node: Node) -> Node | None:
    if isinstance(node, Transpose) and isinstance(inner := node.args[0], Product):
        left, right = inner.args
        return Product(Transpose(right), Transpose(left))
    return None


def _transpose_of_scaling(node: Node) -> Node | None:
    if isinstance(node, Transpose) and isinstance(inner := node.args[0], Scaling):
        body, factor, divisor = inner.args
        return Scaling(Transpose(body), factor, divisor)
    return None


def _transpose_of_sum(node: Node) -> Node | None:
    """Only where a term becomes simpler by it; what is transposed as a whole stays so."""
    if isinstance(node, Transpose) and isinstance(inner := node.args[0], Addition):
        if any(isinstance(term, (Product, Scaling, Transpose)) for term in inner.args):
            return Addition(*(Transpose(term) for term in inner.args))
    return None


def _sum_of_transposes(node: Node) -> Node | None:
    if isinstance(node, (Addition, Hadamard)) and all(isinstance(term, Transpose) for term in node.args):
        return Transpose(node.func(*(term.args[0] for term in node.args)))
    return None


def _transpose_of_ones(node: Node) -> Node | None:
    if isinstance(node, Transpose) and isinstance(inner := node.args[0], Ones):
        return Ones(*reversed(inner.shape))
    return None


# -- numbers ---------------------------------------------------------------------------------------
def _factor_out_of_product(node: Node) -> Node | None:
    if isinstance(node, (Product, Hadamard)):
        left, right = node.args
        if isinstance(left, Scaling):
            body, factor, divisor = left.args
            return Scaling(node.func(body, right), factor, divisor)
        if isinstance(right, Scaling):
            body, factor, divisor = right.args
            return Scaling(node.func(left, body), factor, divisor)
    return None


def _factor_out_of_function(node: Node) -> Node | None:
    if isinstance(node, LINEAR_IN_FIRST) and isinstance(inner := node.args[0], Scaling):
        body, factor, divisor = inner.args
        return Scaling(node.func(body, *node.args[1:]), factor, divisor)
    if isinstance(node, HeadSum) and isinstance(inner := node.args[0], Scaling):
        body, factor, divisor = inner.args
        if node.args[1] not in factor.free_symbols | divisor.free_symbols:
            return Scaling(HeadSum(body, *node.args[1:]), factor, divisor)
    return None


def _two_factors(node: Node) -> Node | None:
    if isinstance(node, Scaling) and isinstance(inner := node.args[0], Scaling):
        body, factor, divisor = inner.args
        return Scaling(body, *_reduced(factor * node.args[1], divisor * node.args[2]))
    return None


def _reduced(factor: Any, divisor: Any) -> tuple[Any, Any]:
    if isinstance(factor, Rational) and isinstance(divisor, Rational):
        ratio = factor / divisor
        return S(ratio.p), S(ratio.q)
    return (S.One, S.One) if factor == divisor else (factor, divisor)


# -- sums ------------------------------------------------------------------------------------------
def _sum_of_sums(node: Node) -> Node | None:
    if not isinstance(node, Addition):
        return None
    terms: list[Any] = []
    for term in node.args:
        if isinstance(term, Addition):
            terms += term.args
        elif isinstance(term, Scaling) and isinstance(term.args[0], Addition) and term.args[1:] == (-1, 1):
            terms += (-inner for inner in term.args[0].args)
        else:
            terms.append(term)
    return None if len(terms) == len(node.args) else Addition(*terms)


def _equal_terms(node: Node) -> Node | None:
    """A + A = 2 A, and what adds up to 0 is left out."""
    if not isinstance(node, Addition):
        return None
    terms = [term.args if isinstance(term, Scaling) else (term, S.One, S.One) for term in node.args]
    if len({(body, divisor) for body, factor, divisor in terms if factor is not S.Zero}) == len(terms):
        return None
    counted: dict[tuple[Any, Any], Any] = {}
    for body, factor, divisor in terms:
        counted[body, divisor] = counted.get((body, divisor), S.Zero) + factor
    left = {key: factor for key, factor in counted.items() if factor != 0}
    if len(left) == len(node.args):
        return None
    if not left:
        body, divisor = next(iter(counted))
        return Scaling(body, S.Zero, S.One)  # type: ignore[no-any-return]
    return Addition(*(Scaling(body, *_reduced(f, divisor)) for (body, divisor), f in left.items()))  # type: ignore[no-any-return]


def _common_divisor(node: Node) -> Node | None:
    if not isinstance(node, Addition) or not all(isinstance(term, Scaling) for term in node.args):
        return None
    divisors = {term.args[2] for term in node.args}
    if len(divisors) != 1 or divisors == {S.One}:
        return None
    return Scaling(Addition(*(Scaling(t.args[0], t.args[1], S.One) for t in node.args)), S.One, divisors.pop())  # type: ignore[no-any-return]


def _positive_term_first(node: Node) -> Node | None:
    if isinstance(node, Addition) and _is_negative(node.args[0]):
        first = next((term for term in node.args if not _is_negative(term)), None)
        if first is not None:
            return Addition(first, *(term for term in node.args if term is not first))
    return None


def _is_negative(term: Node) -> bool:
    return isinstance(term, Scaling) and bool(term.args[1].could_extract_minus_sign())


def _sums_over_heads(node: Node) -> Node | None:
    if not isinstance(node, Addition):
        return None
    bodies: dict[Any, list[Any]] = {}
    for term in node.args:
        if isinstance(term, HeadSum):
            bodies.setdefault(term.args[1:], []).append(term.args[0])
    counted = next((key for key, found in bodies.items() if len(found) > 1), None)
    if counted is None:
        return None
    whole = HeadSum(Addition(*bodies[counted]), *counted)
    rest = [term for term in node.args if not (isinstance(term, HeadSum) and term.args[1:] == counted)]
    return Addition(*rest, whole)


# -- ones ------------------------------------------------------------------------------------------
def _product_with_a_column_of_ones(node: Node) -> Node | None:
    if isinstance(node, Product) and isinstance(right := node.args[1], Ones) and right.shape[1] is S.One:
        left: Any = node.args[0]
        return left if right.shape[0] is S.One else RowSum(left)  # type: ignore[no-any-return]
    return None


def _product_with_a_row_of_ones(node: Node) -> Node | None:
    if isinstance(node, Product) and isinstance(left := node.args[0], Ones) and left.shape[0] is S.One:
        right: Any = node.args[1]
        if isinstance(right, Transpose):
            return Transpose(RowSum(right.args[0]))  # type: ignore[no-any-return]
        return ColumnSum(right) if right.shape[1] is S.One else Transpose(ColumnSum(right))  # type: ignore[no-any-return]
    return None


def _rows_of_a_transpose(node: Node) -> Node | None:
    if isinstance(node, RowSum) and isinstance(inner := node.args[0], Transpose):
        return ColumnSum(inner.args[0])  # type: ignore[no-any-return]
    return None


def _times_ones(node: Node) -> Node | None:
    if isinstance(node, Hadamard):
        left, right = node.args
        return right if isinstance(left, Ones) else left if isinstance(right, Ones) else None  # type: ignore[return-value]
    return None


def _repeated_ones(node: Node) -> Node | None:
    if isinstance(node, Broadcast) and isinstance(node.args[0], Ones):
        return Ones(*node.shape)
    return None


def _sum_of_equal_entries(node: Node) -> Node | None:
    if not isinstance(node, RowSum):
        return None
    inner: Any = node.args[0]
    if inner.shape[1] is S.One:
        return inner  # type: ignore[no-any-return]
    if isinstance(inner, Ones):
        return Scaling(Ones(inner.shape[0], S.One), inner.shape[1], S.One)
    if isinstance(inner, Broadcast):
        return Scaling(inner.args[0], inner.args[1], S.One)
    return None


RULES = (
    Rule(Words("transpose of a product", "積の転置"), "(A B)^T = B^T A^T",
        Words("The transpose of a product is the product of the transposes in reverse order.", "積の転置は、それぞれの転置を逆の順に掛けたものです。"), (Transpose,), _transpose_of_product, (Product,)),
    Rule(Words("transpose of a multiple", "定数倍の転置"), "(c A)^T = c A^T",
        Words("A number in front of a matrix stays in front of its transpose.", "行列に掛かる数は、転置してもそのまま掛かります。"), (Transpose,), _transpose_of_scaling, (Scaling,)),
    Rule(Words("transpose of a sum", "和の転置"), "(A + B)^T = A^T + B^T",
        Words("A sum may be transposed term by term.", "和の転置は、項ごとに転置した和です。"), (Transpose,), _transpose_of_sum, (Addition,)),
    Rule(Words("transpose of ones", "成分がすべて 1 の行列の転置"), "1^T = 1",
        Words("A matrix of ones stays a matrix of ones; only its sizes change places.", "成分がすべて 1 の行列は、転置しても成分がすべて 1 のままで、行数と列数だけが入れ替わります。"), (Transpose,), _transpose_of_ones, (Ones,)),
    Rule(
        Words("transposes added or multiplied entry by entry", "転置どうしの和・成分ごとの積"),
        "A^T ⊙ B^T = (A ⊙ B)^T",
        Words("Adding or multiplying entry by entry may come before or after the transposing.", "成分ごとの和や積は、転置の前に行っても後に行っても同じです。"), (Addition, Hadamard), _sum_of_transposes, (Transpose,),
    ),
    Rule(
        Words("taking a factor out of a product", "定数を積の外へ出す"),
        "(c A) B = c (A B)",
        Words("A number that multiplies one factor multiplies the whole product.", "因子の 1 つに掛かる数は、積全体に掛けることができます。"), (Product, Hadamard), _factor_out_of_product, (Scaling,),
    ),
    Rule(
        Words("taking a factor out of a linear operation", "定数を線形な演算の外へ出す"),
        "rowsum(c A) = c rowsum(A)",
        Words("A linear operation of a multiple is the same multiple of the operation.", "線形な演算では、数を掛けてから演算しても、演算してから数を掛けても同じです。"), (*LINEAR_IN_FIRST, HeadSum), _factor_out_of_function, (Scaling,),
    ),
    Rule(Words("merging two factors", "定数をまとめる"), "c (d A) = (c d) A",
        Words("Two numbers one after the other are one number, their product.", "続けて掛ける 2 つの数は、その積を 1 回掛けることに等しくなります。"), (Scaling,), _two_factors, (Scaling,)),
    Rule(Words("dropping brackets in a sum", "和の括弧を外す"), "(A + B) + C = A + B + C",
        Words("The terms of a sum within a sum are terms of the whole sum.", "和の中にある和の項は、全体の和の項になります。"), (Addition,), _sum_of_sums, (Addition, Scaling)),
    Rule(Words("collecting equal terms", "同じ項をまとめる"), "A + A = 2 A",
        Words("Equal terms are counted, and written once with their number in front.", "等しい項は数えて、その個数を掛けた 1 つの項にまとめます。"), (Addition,), _equal_terms),
    Rule(Words("merging sums over heads", "ヘッドについての和をまとめる"), "Σ A + Σ B = Σ (A + B)",
        Words("Two sums over the same heads are one sum of what stands in them.", "同じヘッドについての 2 つの和は、中身を足した 1 つの和になります。"), (Addition,), _sums_over_heads, (HeadSum,)),
    Rule(Words("common divisor", "共通の分母でくくる"), "A / c + B / c = (A + B) / c",
        Words("Terms over the same divisor are added first and divided once.", "分母が同じ項は、先に足してから 1 回だけ割ります。"), (Addition,), _common_divisor, (Scaling,)),
    Rule(Words("order of terms", "項の順序"), "-A + B = B - A",
        Words("A term without a minus sign is written first.", "負の符号の付かない項を先に書きます。"), (Addition,), _positive_term_first, (Scaling,)),
    Rule(Words("product with a column of ones", "成分がすべて 1 の列との積"), "A 1 = rowsum(A)",
        Words("A product with a column of ones adds up each row.", "成分がすべて 1 の列を右から掛けると、各行の合計になります。"), (Product,), _product_with_a_column_of_ones, (Ones,)),
    Rule(Words("product with a row of ones", "成分がすべて 1 の行との積"), "1^T A = colsum(A)^T",
        Words("A row of ones times a matrix adds up each of its columns.", "成分がすべて 1 の行を左から掛けると、各列の合計を並べた行になります。"), (Product,), _product_with_a_row_of_ones, (Ones,)),
    Rule(Words("product entry by entry with ones", "成分がすべて 1 の行列との成分ごとの積"), "A ⊙ 1 = A",
        Words("Multiplying every entry by 1 changes nothing.", "どの成分に 1 を掛けても変わりません。"), (Hadamard,), _times_ones, (Ones,)),
    Rule(Words("repeating ones", "1 だけの列の繰り返し"), "broadcast(1) = 1",
        Words("A column of ones that is repeated is a matrix of ones.", "成分がすべて 1 の列を繰り返して並べると、成分がすべて 1 の行列になります。"), (Broadcast,), _repeated_ones, (Ones,)),
    Rule(Words("row sums of a transpose", "転置の行ごとの合計"), "rowsum(A^T) = colsum(A)",
        Words("The rows of the transpose are the columns of the matrix.", "転置した行列の行は、もとの行列の列です。"), (RowSum,), _rows_of_a_transpose, (Transpose,)),
    Rule(
        Words("sum of equal entries", "等しい成分の合計"),
        "rowsum(broadcast(c, m)) = m c",
        Words("The sum of m equal entries is m times one of them.", "等しい m 個の成分の合計は、その 1 つの m 倍です。"), (RowSum,), _sum_of_equal_entries,
    ),
)  # fmt: skip
