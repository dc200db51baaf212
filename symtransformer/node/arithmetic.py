"""Python's operators on nodes."""

from __future__ import annotations

from typing import Any

from sympy import S

from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.node.door import as_node, node_or_none, operator_named, scalar_or_none
from symtransformer.node.interned import Interned


class Arithmetic(Interned):
    """`+`, `@`, `*`, `/`, `**`, `.T`; what is no operation of matrices says so."""

    __slots__ = ()

    def _with(self, name: str, other: Any, swapped: bool = False) -> Any:
        try:
            other = as_node(other)
        except (UnreadableInput, NotSupported):
            return NotImplemented
        return operator_named(name)(*((other, self) if swapped else (self, other)))

    def __add__(self, other: Any) -> Any:
        return self._with("add", other)

    def __radd__(self, other: Any) -> Any:
        return self._with("add", other, swapped=True)

    def __neg__(self) -> Any:
        return operator_named("scale")(self, S.NegativeOne, S.One)

    def __sub__(self, other: Any) -> Any:
        other = node_or_none(other)
        return NotImplemented if other is None else self + (-other)

    def __rsub__(self, other: Any) -> Any:
        other = node_or_none(other)
        return NotImplemented if other is None else other + (-self)

    def __matmul__(self, other: Any) -> Any:
        return self._with("multiply", other)

    def __rmatmul__(self, other: Any) -> Any:
        return self._with("multiply", other, swapped=True)

    def __mul__(self, other: Any) -> Any:
        factor = scalar_or_none(other)
        return self._with("multiply", other) if factor is None else operator_named("scale")(self, factor, S.One)

    def __rmul__(self, other: Any) -> Any:
        factor = scalar_or_none(other)
        if factor is None:
            return self._with("multiply", other, swapped=True)
        return operator_named("scale")(self, factor, S.One)

    def __truediv__(self, other: Any) -> Any:
        divisor = scalar_or_none(other)
        return NotImplemented if divisor is None else operator_named("scale")(self, S.One, divisor)

    def __pow__(self, other: Any) -> Any:
        count = scalar_or_none(other)
        if count is None or not count.is_Integer or not 1 <= int(count) <= 64:
            raise NotSupported(f"power of a matrix: the exponent must be a whole number from 1 to 64, not {other}")
        result: Any = self
        for _ in range(int(count) - 1):
            result = result @ self
        return result

    def transpose(self) -> Any:
        return operator_named("transpose")(self)

    _eval_transpose = transpose
    adjoint = transpose  # entries are real
    _eval_adjoint = transpose

    def conjugate(self) -> Any:
        return self

    def inverse(self) -> Any:
        raise NotSupported("the inverse of a matrix is no operation of this library")

    inv = inverse
    _eval_inverse = inverse

    @property
    def I(self) -> Any:  # noqa: E743 - SymPy's name
        return self.inverse()

    def __abs__(self) -> Any:
        raise NotSupported("the absolute value of a matrix is no operation of this library")

    def __rtruediv__(self, other: Any) -> Any:
        raise NotSupported("a division by a matrix is not defined; divide entry by entry or by a number")

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice) or (isinstance(key, tuple) and any(isinstance(k, slice) for k in key)):
            raise NotSupported("slices: use Row(A, i) or ColumnSlice(A, start, width) of symtransformer.operations")
        return super().__getitem__(key)

    @property
    def T(self) -> Any:
        return self.transpose()
