"""Claims about whole matrices, or about numbers: both sides without an index."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

from sympy import S

from symtransformer.claims.heads import HEADED, without_its_head
from symtransformer.claims.jacobian_lines import JacobianLines
from symtransformer.claims.lines import Line
from symtransformer.claims.parts import ROW
from symtransformer.claims.readings import Reading, Statement
from symtransformer.claims.sides import as_matrix
from symtransformer.errors import ShapeError
from symtransformer.node import Node, postorder
from symtransformer.notation import Words
from symtransformer.operation import REGISTRY
from symtransformer.operations.entry_formula import EntryFormula
from symtransformer.reading import ReadingError, ReadingShapeError
from symtransformer.symbols import Letter


class MatrixLines(JacobianLines):
    """Reads such a line in every way that fits."""

    def matrix_claim(self, line: Line, alone: str) -> Statement:
        """`alone` is the name on the left side, if it is one; where nothing else fits, a_4 is row 4 of A."""
        try:
            return self._matrix_claim(line, alone)
        except ReadingError:
            if not ROW.search(self.text, line.left.start, line.right.end):
                raise
            self.rows = True
            try:
                return self._matrix_claim(line, alone)
            except ReadingError:
                self.rows = False
            raise

    def _matrix_claim(self, line: Line, alone: str) -> Statement:
        self._require_one_head(line)
        self.heads = {t.head: getattr(self.nodes.get(t.text), "head", None) for t in self.tokens(line.left) if t.head} if HEADED.search(self.text, line.left.start, line.left.end) else {}  # fmt: skip
        lefts = [self.nodes[alone]] if alone else self.matrices(line.left)
        rights = self.matrices(line.right, lefts[0].shape if isinstance(lefts[0], Node) else None)
        readings: list[Reading] = []
        errors: list[ReadingShapeError] = []
        for left, right in product(lefts, rights):
            try:
                readings.append(self._same_size(line, *self._both_matrices(line, left, right)))
            except ReadingShapeError as error:
                errors.append(error)
        if not readings:
            raise errors[0]
        return self.stated(line, readings, self.nodes[alone] if alone else None)

    def _require_one_head(self, line: Line) -> None:
        """A claim for each head names it on both sides: dW_Q^(i) = X^T dQ^(i)."""
        left, right = ({x.group("head") for x in HEADED.finditer(self.text, side.start, side.end)} for side in (line.left, line.right))  # fmt: skip
        text = self.text[line.right.start : line.right.end]
        whole = self.text[line.left.start : line.right.end]
        if (left or right) and (bare := without_its_head(whole, self.nodes)):
            head = min(left or right)
            message = f"which head of {bare} is meant beside a head {head}? write it as {bare}^({head})"
            raise self.whole.refuse(line.right, "head", message)
        right = {
            x
            for x in right
            if x in left or not re.search(rf"[_{{,(]\s*{x}\s*[=}}]|(?:Σ|∑|sum)\s*_{x}(?![A-Za-z])", text)
        }
        if right and right != left:
            message = f"{min(right - left or right)} is a head on the right side, and neither one on the left side nor summed over"
            raise self.whole.refuse(line.right, "head", message)

    def _both_matrices(self, line: Line, left: Any, right: Any) -> tuple[Node, Node]:
        """A bare number beside a matrix stands for a matrix of that number."""
        if isinstance(left, Node) == isinstance(right, Node):
            return as_matrix(left), as_matrix(right)
        (rows, columns), number = (left.shape, right) if isinstance(left, Node) else (right.shape, left)
        if number != 0 and rows == columns != 1:
            message = f"{number} beside a square matrix could be a multiple of I, or this number in every entry; write I or ones({rows}, {columns})"
            raise self.whole.refuse(line.right, "ambiguous", message)
        ones = REGISTRY["Ones"](rows, columns)
        filled = ones if number == 1 else REGISTRY["Scaling"](ones, number, S.One)
        return (left, filled) if isinstance(left, Node) else (filled, right)

    def _same_size(self, line: Line, left: Node, right: Node) -> Reading:
        for a, b, what in zip(left.shape, right.shape, ("rows", "columns"), strict=True):
            if (a - b).expand() != 0:  # type: ignore[operator]
                shown = " and ".join(" x ".join(map(str, side.shape)) for side in (left, right))
                message = f"the two sides have the sizes {shown}: {a} and {b} {what} must be equal"
                error = ReadingShapeError(self.text, line.right, "shapes", message)
                raise error from ShapeError(message, sides=(a, b))
        given = " = ".join(" ".join(self.text[x.start : x.end].split()) for x in (line.left, line.right))
        by_formula = any(isinstance(node, EntryFormula) for node in postorder(left, right))
        return Reading(left, right, shown=given if by_formula else "")

    def stated(self, line: Line, readings: list[Reading], meant: Node | None) -> Statement:
        letter = meant if isinstance(meant, Letter) and meant.name in self.subject.steps else None
        if letter is not None:
            for reading in readings:
                if letter in reading.right._free:
                    raise self.whole.refuse(
                        line.right, "circular", f"the right side contains {letter}, which it should give"
                    )
        return Statement(self.subject, tuple(readings), letter, notes=self._how_counted(readings[0]))

    def _how_counted(self, reading: Reading) -> tuple[Words, ...]:
        """Parts such as [:, 1:3] count from 1 on a page and from 0 in Python; which of both fits is told."""
        found = {self.from_zero[side] for side in (reading.left, reading.right) if side in self.from_zero}
        words = {
            False: Words("parts such as [:, 2:3] were read as on a page: they count from 1 and include their end.",
                         "[:, 2:3] のような部分は、1 から数え終わりを含むものとして読みました。"),
            True: Words("parts such as [:, 2:3] were read as they count from 0, as in Python, without their end.",
                        "[:, 2:3] のような部分は、Python のように 0 から数え終わりを含まないものとして読みました。"),
        }  # fmt: skip
        return tuple(words[how] for how in sorted(found))
