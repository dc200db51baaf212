"""Heads as an indexed family: one body with a head letter, concatenated or added over all heads.

The expression does not grow with the number of heads, which may stay a letter; in NumPy a
family is one batch axis in front of the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from sympy import Expr, Integer, Mod, Sum, floor

from symtransformer.arguments import LETTER, SIZE, Parameter
from symtransformer.errors import NotSupported, ShapeError, UnreadableInput
from symtransformer.node import Node, postorder, substitute, symbols_of
from symtransformer.notation import Over, Words
from symtransformer.operation import Primitive, Property, entry_of, with_another_letter
from symtransformer.operations.concatenation import ColumnSlice, Concatenation
from symtransformer.operations.infinity import total


class HeadConcatenation(Primitive):
    """Concat over heads i = 1, ..., h of a body with letter i: an n x d body gives n x (h d).

    Its adjoint takes the columns of head i out: `ColumnSlice(G, i d, d)`.

    >>> from symtransformer import dimension, head_index, matrix
    >>> n, d_v, h, i = dimension("n"), dimension("d_v"), dimension("h"), head_index()
    >>> Z = matrix("Z", n, d_v).of_head(i)
    >>> HeadConcatenation(Z, i, h).shape
    (n, d_v*h)
    """

    __slots__ = ()
    parameters = (Parameter("body"), Parameter("head", LETTER), Parameter("count", SIZE))
    title = Words("Concatenation of all heads", "全ヘッドの連結")
    explanation = Words(
        "The outputs of all heads are written side by side, row by row.",
        "すべてのヘッドの出力を、行ごとに横へ並べます。",
    )
    gradient_words = Words(
        "Each head gets those columns of the cotangent in which its output stands.",
        "各ヘッドには、上流の勾配のうち、そのヘッドの出力が占める列が伝わります。",
    )
    source = Words(
        "Vaswani et al. 2017, section 3.2.2: Concat(head_1, ..., head_h)",
        "Vaswani ほか 2017, 3.2.2 節：Concat(head_1, ..., head_h)",
    )
    notation = Over("Concat")
    follows = (("row", 0, "row"),)
    accepts_infinity: ClassVar[bool] = True

    def find_shape(self) -> Any:
        body, _, count = _checked_family(self)
        return body.shape[0], count * body.shape[1]

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        body, head, _ = self.args
        width = body.shape[1]
        chosen, column = floor(j / width), Mod(j, width)
        return entry_of(body.xreplace({head: chosen}), i, column)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        body, head, _ = self.args
        return (ColumnSlice(cotangent, head * body.shape[1], body.shape[1]),)

    @staticmethod
    def numpy(bodies: Any, count: Any) -> Any:
        bodies = _with_head_axis(bodies, count)
        rows = np.moveaxis(bodies, -3, -2)
        return rows.reshape(*rows.shape[:-2], rows.shape[-2] * rows.shape[-1])

    def value(self, numbers: Any, bodies: Any, count: int) -> Any:
        return [[x for body in bodies for x in body[r]] for r in range(len(bodies[0]))]

    properties = (
        Property(
            Words("head 1 stands in the first columns", "先頭の列はヘッド 1 の出力"),
            lambda result, bodies, count: np.array_equal(result[..., : bodies.shape[-1]], bodies[0]),
        ),
    )


class HeadSum(Primitive):
    """The sum over heads i = 1, ..., h of a body with letter i: the adjoint of using one matrix in every head.

    >>> from symtransformer import dimension, head_index, matrix
    >>> n, d, h, i = dimension("n"), dimension("d"), dimension("h"), head_index()
    >>> HeadSum(matrix("G", n, d).of_head(i), i, h).shape
    (n, d)
    """

    __slots__ = ()
    parameters = (Parameter("body"), Parameter("head", LETTER), Parameter("count", SIZE))
    title = Words("Sum over all heads", "全ヘッドの和")
    explanation = Words(
        "What every head contributes is added up.",
        "すべてのヘッドからの寄与を足します。",
    )
    gradient_words = Words(
        "Through a sum over heads, the cotangent goes to every head unchanged.",
        "ヘッドについての和では、上流の勾配がそのまま各ヘッドに伝わります。",
    )
    source = Words("chain rule for a matrix that every head reads", "どのヘッドも使う行列についての連鎖律")
    notation = Over("Sum")
    follows = (("row", 0, "row"), ("column", 0, "column"))
    accepts_infinity: ClassVar[bool] = True

    def find_shape(self) -> Any:
        body, _, _ = _checked_family(self)
        return body.shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        body, head, count = self.args
        k = fresh()
        return Sum(entry_of(body.xreplace({head: k}), i, j), (k, 0, count - 1))

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (cotangent,)

    @staticmethod
    def numpy(bodies: Any, count: Any) -> Any:
        return np.sum(_with_head_axis(bodies, count), axis=-3)

    def value(self, numbers: Any, bodies: Any, count: int) -> Any:
        rows = zip(*bodies, strict=True)
        return [[total("HeadSum", entries) for entries in zip(*row, strict=True)] for row in rows]

    properties = (
        Property(
            Words("the order of the heads does not matter", "ヘッドの順序を変えても結果は同じ"),
            lambda result, bodies, count: np.allclose(HeadSum.numpy(bodies[..., ::-1, :, :], count), result),
        ),
    )


def _checked_family(family: Primitive) -> Any:
    body, head, count = family.args
    if not head.is_Symbol or not head.is_integer:
        raise UnreadableInput(f"{type(family).__name__}: the head letter must come from head_index(), not {head}")
    for node in postorder(body, stop=lambda node: head not in node._symbols) if body._families else ():
        if node.bound and head in node._symbols:
            raise NotSupported(f"{type(family).__name__}: a family inside a family may not use the outer letter {head}")
    if any(letter == head and other != count for letter, other in body._families):
        counted = f"the letter {head} already counts another number of heads inside"
        raise UnreadableInput(f"{type(family).__name__}: {counted}; use another letter")
    if any(head in symbols_of(size) for size in (count, *body.shape)):
        raise UnreadableInput(f"{type(family).__name__}: a size may not depend on the head letter {head}")
    alike = [s for s in body._symbols | symbols_of(count) if getattr(s, "name", "") == head.name]
    if body._names_a_letter(head.name) or any(s != head for s in alike):
        raise UnreadableInput(f"{type(family).__name__}: {head} also names something else inside; use another letter")
    return family.args


def _with_head_axis(bodies: Any, count: Any) -> Any:
    """The head axis stands before the rows; a body that is the same for all heads has length 1 there, or none."""
    if bodies.ndim > 2 and bodies.shape[-3] not in (1, count):
        raise ShapeError(f"heads: expected {count} on the axis before the rows, got an array of shape {bodies.shape}")
    return np.broadcast_to(bodies, (*bodies.shape[:-3], count, *bodies.shape[-2:]))


# -- head by head -------------------------------------------------------------------------------
def heads_apart(root: Node, known: dict[Node, Node] | None = None) -> Any:
    """Families whose number of heads is a number, head by head; `known` keeps what was taken apart before."""
    if not any(count.is_Integer for _, count in root._families):
        return root
    new: dict[Node, Node] = {} if known is None else known
    for node in postorder(root, stop=new.__contains__):
        if node in new:
            continue
        args = [new[a] if isinstance(a, Node) else a for a in node.args]
        whole = node if args == list(node.args) else node.func(*args)
        if isinstance(whole, HeadConcatenation) and whole.args[2].is_Integer:
            whole = Concatenation(*(member for member, _ in members(whole, whole.args[0])))
        new[node] = whole
    return new[root]


def counted_apart(root: Node, counts: dict[Any, Any], others: dict[Any, Any], taken: Callable[[], set[str]]) -> Any:
    """The same expression, with another letter for each number that is counted beside another one by the same letter.

    `counts` says what each letter counts, and `others` which letter stands for one that counted something else before;
    a letter that the letters inside bear, as the i of W_Q^(i), stays.
    """
    families = root._families if len(root._families) < 2 else sorted(root._families, key=str)
    if all(counts.setdefault(letter, count) == count for letter, count in families):
        return root
    new: dict[Node, Node] = {}
    for node in postorder(root):
        args: list[Any] = [new[a] if isinstance(a, Node) else a for a in node.args]
        if node.bound and counts.get(args[1], args[2]) != args[2]:
            body, letter, count = args
            if not any(x.head is not None and x.head.has(letter) for x in body._letters):
                key = letter, count
                if key not in others:
                    used = {*taken(), *map(str, counts), *map(str, others.values())}
                    others[key] = with_another_letter(body, letter, used)[1]
                    counts[others[key]] = count
                args[:2] = substitute(body, {letter: others[key]}), others[key]
        new[node] = node if all(a is b for a, b in zip(args, node.args, strict=True)) else node.func(*args)
    return new[root]


def members(family: Node, body: Any) -> list[tuple[Any, str]]:
    """A body for each head of a family, with its mark, where their number is known; equal ones bear the same mark."""
    for position in family.bound:
        head, count = family.args[position : position + 2]
        if count.is_Integer and (head in body._symbols or isinstance(family, HeadConcatenation)):
            bodies = [substitute(body, {head: Integer(k)}) for k in range(int(count))]  # type: ignore[call-overload]
            marks = {member: f"_{k}" for k, member in enumerate(dict.fromkeys(bodies), 1)}
            return [(member, marks[member]) for member in bodies]
    return [(body, "")]
