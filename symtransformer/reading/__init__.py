"""Reading what people write: expressions in plain text or LaTeX, and files with their values."""

from __future__ import annotations

from symtransformer.reading.documents import ValuesError
from symtransformer.reading.expressions import read_expression
from symtransformer.reading.problems import ReadingError, ReadingShapeError
from symtransformer.reading.result import Reading
from symtransformer.reading.values_file import ValuesFile, read_values

__all__ = [
    "Reading", "ReadingError", "ReadingShapeError", "ValuesError", "ValuesFile", "read_expression", "read_values",
]  # fmt: skip
