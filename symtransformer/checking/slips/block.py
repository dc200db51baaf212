"""Slips around the parts of a layer: residual connections, normalization, heads side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, permutations
from typing import Any

from sympy import S

from symtransformer.checking.slips.patterns import base_name
from symtransformer.checking.slips.records import Known, Slip, matching, whole
from symtransformer.node import postorder, substitute
from symtransformer.notation import Words
from symtransformer.operations.add_norm import AddNorm
from symtransformer.operations.addition import Addition
from symtransformer.operations.concatenation import ColumnSlice, Concatenation
from symtransformer.operations.encoder_layer import EncoderLayer
from symtransformer.operations.heads import HeadConcatenation
from symtransformer.operations.layer_norm import LayerNorm
from symtransformer.operations.product import Product
from symtransformer.operations.scaling import Scaling
from symtransformer.symbols import Letter

ORDERS_AT_MOST = 24
_READ = ("x", "h", "z", "y", "u", "e", "input", "in", "入力")


@dataclass(frozen=True)
class _Block:
    """What a sub-layer read, what it made of it, and how the sum is normalized; `read` stands normalized in `update`."""

    read: Any
    update: Any
    options: dict[str, Any]
    is_post: bool

    def norm(self, rows: Any) -> Any:
        return LayerNorm(rows, **self.options)

    def of_raw(self) -> Any:
        """The sub-layer of rows that are not normalized."""
        return self.update if self.is_post else substitute(self.update, {self.norm(self.read): self.read})

    def of_normed(self) -> Any:
        return self.update if not self.is_post else substitute(self.update, {self.read: self.norm(self.read)})


def _block(node: Any) -> _Block | None:
    if isinstance(node, AddNorm):
        return _Block(node.args[0], node.args[1], _options(node), True)
    total = node.argument("input") if isinstance(node, LayerNorm) else node
    if not isinstance(total, Addition) or len(total.args) != 2:
        return None
    for read, update in (total.args, total.args[::-1]):
        if isinstance(node, LayerNorm) and _holds(update, read):
            return _Block(read, update, _options(node), True)
        if total is node:
            for norm in postorder(update):
                if isinstance(norm, LayerNorm) and norm.argument("input") is read:
                    return _Block(read, update, _options(norm), False)
    return None


def _holds(update: Any, read: Any) -> bool:
    return any(part is read for part in postorder(update)) and read._children != update._children


def _options(node: Any) -> dict[str, Any]:
    return {name: node.argument(name) for name in ("gain", "shift", "eps")}


def _found(node: Any, known: Known) -> tuple[_Block] | None:
    block = _block(node)
    return (block,) if block else None


_from_block = matching(_found)


def _other_order(block: _Block) -> Any:
    if block.is_post:
        return Addition(block.read, block.of_normed())
    return block.norm(Addition(block.read, block.of_raw()))


def _layer_in_other_order(node: Any, known: Known) -> Iterator[Any]:
    given = {p.name: node.argument(p.name) for p in node.parameters}
    given = {name: value for name, value in given.items() if value is not None}
    yield EncoderLayer(**{**given, "norm": "pre" if node.argument("norm") == "post" else "post"})


def _order(node: Any, known: Known) -> Iterator[Any]:
    if isinstance(node, EncoderLayer):
        yield from _layer_in_other_order(node, known)
    else:
        yield from _from_block(_other_order)(node, known)


def _second_from_first(node: Any, known: Known) -> Iterator[Any]:
    block = _block(node)
    if block is None:
        return
    before = _block(block.read)
    if before is not None:
        total = Addition(before.read, block.update)
        yield block.norm(total) if block.is_post else total


def _without_residual(node: Any, known: Known) -> Iterator[Any]:
    yield from _from_block(lambda block: _done(block, block.update))(node, known)
    if isinstance(node, Addition) and len(node.args) == 2 and all(isinstance(part, Letter) for part in node.args):
        for read, update in (node.args, node.args[::-1]):  # y = x + f, each shown above
            if base_name(read).lower() in _READ:
                yield update


def _done(block: _Block, rows: Any) -> Any:
    return block.norm(rows) if block.is_post else rows


_PLACES = (AddNorm, LayerNorm, Addition)
BLOCK = (
    Slip(
        "no_residual",
        Words(
            "The input of the sub-layer was not added to its output.", "サブレイヤーの出力に、その入力（残差）を足していない。"
        ),
        _PLACES, _without_residual,
    ),
    Slip(
        "residual_from_normed",
        Words(
            "The normalized rows were added as the residual, not the rows before normalizing.",
            "残差として、正規化する前の行ではなく、正規化した行を足している。",
        ),
        _PLACES, _from_block(lambda block: _done(block, Addition(block.norm(block.read), block.update))),
    ),
    Slip(
        "norm_in_other_place",
        Words(
            "Normalization stands in the other place: after the sum instead of before the sub-layer, or the reverse.",
            "正規化の位置が逆である（Pre-LN と Post-LN の取り違え）。",
        ),
        (*_PLACES, EncoderLayer), _order,
    ),
    Slip(
        "residual_or_norm_twice",
        Words("The residual was added, or the sum was normalized, twice.", "残差を二度足しているか、正規化を二度行っている。"),
        _PLACES, _from_block(
            lambda block: _done(block, Addition(block.read, block.read, block.update)),
            lambda block: block.norm(_done(block, Addition(block.read, block.update))),
        ),
    ),
    Slip(
        "second_residual_from_input",
        Words(
            "The second residual was taken from the input of the layer instead of the result of its first half.",
            "2 つ目の残差として、前半の結果ではなく層への入力を足している。",
        ),
        _PLACES, _second_from_first,
    ),
    Slip(
        "norm_of_update_only",
        Words(
            "Only the output of the sub-layer was normalized, not the sum with its input.",
            "入力との和ではなく、サブレイヤーの出力だけを正規化している。",
        ),
        _PLACES, _from_block(lambda block: Addition(block.read, block.norm(block.of_raw()))),
    ),
    Slip(
        "no_norm",
        Words("Nothing was normalized.", "正規化していない。"),
        _PLACES, _from_block(lambda block: Addition(block.read, block.of_raw())),
    ),
)  # fmt: skip


# -- heads ------------------------------------------------------------------------------------------------------------
def _heads(make: Any) -> Any:
    def alter(node: Any, known: Known) -> Iterator[Any]:
        if len({part.shape for part in node.args}) == 1:
            yield from make(node.args)

    return alter


def _interleaved(parts: tuple[Any, ...]) -> Iterator[Any]:
    width = whole(parts[0].shape[1])
    yield Concatenation(*(ColumnSlice(part, column, 1) for column in range(width) for part in parts))


def _reordered(parts: tuple[Any, ...]) -> Iterator[Any]:
    orders = [tuple(reversed(parts)), *islice(permutations(parts), ORDERS_AT_MOST)]
    yield from (Concatenation(*order) for order in dict.fromkeys(orders) if order != parts)


def _without_output_weight(node: Any, known: Known) -> Iterator[Any]:
    for product in (node, *node.args) if isinstance(node, Addition) else (node,):
        if isinstance(product, Product) and isinstance(product.args[0], (Concatenation, HeadConcatenation)):
            yield product.args[0]


HEADS = (
    Slip(
        "heads_averaged",
        Words(
            "The heads were averaged instead of written side by side.", "各ヘッドの出力を連結せず、平均している。"
        ),
        (Concatenation,), _heads(lambda parts: [Scaling(Addition(*parts), S.One, len(parts))]),
    ),
    Slip(
        "heads_added",
        Words("The heads were added instead of written side by side.", "各ヘッドの出力を連結せず、足している。"),
        (Concatenation,), _heads(lambda parts: [Addition(*parts)]),
    ),
    Slip(
        "heads_interleaved",
        Words(
            "The columns of the heads were interleaved instead of one head after the other.",
            "ヘッドを順に並べず、各ヘッドの列を交互に並べている。",
        ),
        (Concatenation,), _heads(_interleaved),
    ),
    Slip(
        "heads_in_other_order",
        Words("The heads were written side by side in another order.", "ヘッドを違う順序で連結している。"),
        (Concatenation,), _heads(_reordered),
    ),
    Slip(
        "output_weight_left_out",
        Words("W_O was left out after the heads.", "ヘッドを連結した後の W_O を掛けていない。"),
        (Product, Addition), _without_output_weight,
    ),
)  # fmt: skip
