"""Names for sizes that nothing gives: as the letters of this field usually have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain, count
from typing import Any

from sympy import S, Symbol

from symtransformer.node import Node, postorder
from symtransformer.operation import REGISTRY
from symtransformer.reading.sizes import Shape, Sizes, is_one
from symtransformer.reading.vocabulary import COLUMNS, LETTER_SIZES, ROWS, is_vector_name
from symtransformer.symbols import dimension

Names = tuple[tuple[str, ...], tuple[str, ...]]


def usual_sizes(letter: str) -> Names:
    """W_Q of any layer: d_model x d_k; W_Q2 and Q_1 as Q."""
    bare = letter.rpartition(".")[2]
    return LETTER_SIZES.get(bare) or LETTER_SIZES.get(bare.partition("_")[0]) or ((), ())


class SizeNames:
    """`taken` names mean something else; `asked` ones are sizes that an expression reads, such as the d_k of a root."""

    def __init__(self, sizes: Sizes, taken: Iterable[str], asked: Iterable[str]) -> None:
        self.sizes, self.taken, self.asked = sizes, set(taken), set(asked)

    def name_all(self, letters: Mapping[str, Shape], ones: Iterable[Any], plain: set[str]) -> None:
        shapes = list(letters.items())
        used = {symbol.name for _, shape in shapes for size in self.sizes.shape(shape) for symbol in size.free_symbols}
        self.taken |= used & self.asked  # found to be a size already
        for name, shape in shapes:
            for size, usual in zip(shape, usual_sizes(name), strict=True):
                self._name(size, usual, self.taken)
        for name, shape in shapes:
            if is_vector_name(name) and name not in plain:
                self._make_vector(shape)
        taken = self.taken | self.asked
        for _, shape in shapes:
            self._name(shape[0], chain(ROWS, (f"n_{k}" for k in count(1))), taken)
            self._name(shape[1], chain(COLUMNS, (f"d_{k}" for k in count(1))), taken)
        for rows in ones:
            self._name(rows, chain(ROWS, (f"n_{k}" for k in count(1))), taken)

    def _name(self, size: Any, names: Iterable[str], taken: set[str]) -> None:
        names = iter(names)
        for symbol in self.sizes.open_in(size):
            name = next((n for n in names if n not in taken), None)
            if name is not None:
                taken.add(name)
                self.sizes.found[symbol] = dimension(name)

    def _make_vector(self, shape: Shape) -> None:
        """A small letter has one row, or one column where its rows are not one."""
        rows, columns = self.sizes.shape(shape)
        if is_one(rows) or is_one(columns):
            return
        for size in (rows, columns):
            if size in self.sizes.unknown:
                self.sizes.make_equal(size, S.One)
                return

    def known_by_convention(self, letters: Mapping[str, Shape]) -> dict[Symbol, Any]:
        """d_k = 3 where an expression reads d_k and Q has 3 columns."""
        named = {symbol.name for shape in letters.values() for size in shape for symbol in size.free_symbols}
        found: dict[Symbol, set[Any]] = {}
        for name, shape in letters.items():
            for size, usual in zip(shape, usual_sizes(name), strict=True):
                for one in usual[:1]:
                    if one in self.asked and one not in named and size.is_Integer:
                        found.setdefault(dimension(one), set()).add(size)
        return {symbol: sizes.pop() for symbol, sizes in found.items() if len(sizes) == 1}


def unclear_roots(
    lines: Iterable[Node], letters: Mapping[str, Shape], known: Mapping[Any, Any], asked: Iterable[str]
) -> list[str]:
    """(Q P) (K P)^T / sqrt(d_k), where d_k is the columns of Q and not those of Q P."""
    in_shapes = {symbol for shape in letters.values() for size in shape for symbol in size.free_symbols}
    found = []
    for node in {x: None for line in lines for x in postorder(line) if isinstance(x, REGISTRY["Scaling"])}:
        argument, factor, divisor = node.args
        if isinstance(argument, REGISTRY["Product"]) and isinstance(argument.args[1], REGISTRY["Transpose"]):
            inner = argument.args[0].shape[1]
            for symbol in (factor.free_symbols | divisor.free_symbols) & (in_shapes | set(known)):
                if symbol.name.startswith("d_") and symbol.name in set(asked) and known.get(symbol, symbol) != inner:
                    found.append(symbol.name)
    return found
