"""Expressions evaluated with plain NumPy: a second, short implementation for the tests to compare with.

It shares no code with the library's own NumPy route: it reads the class names and the arguments only.
"""

import numpy as np
from sympy import Rational

from symtransformer.node import postorder
from symtransformer.operation import unfolded
from symtransformer.symbols import Letter, Literal


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def padded(block, start, total, axis):
    whole = np.zeros((total, block.shape[1]) if axis == 0 else (block.shape[0], total))
    place = slice(start, start + block.shape[axis])
    if axis == 0:
        whole[place] = block
    else:
        whole[:, place] = block
    return whole


OPERATIONS = {
    "Addition": lambda *terms: sum(terms),
    "Broadcast": lambda column, width: np.tile(column, (1, int(width))),
    "ColumnPad": lambda block, start, total: padded(block, int(start), int(total), 1),
    "ColumnSlice": lambda argument, start, width: argument[:, int(start) : int(start + width)],
    "Concatenation": lambda *parts: np.hstack(parts),
    "Exponential": np.exp,
    "Hadamard": lambda left, right: left * right,
    "Mask": lambda scores, mask: scores + mask,
    "Ones": lambda rows, columns: np.ones((int(rows), int(columns))),
    "Product": lambda left, right: left @ right,
    "Row": lambda argument, index: argument[int(index)][None],
    "RowDivision": lambda argument, divisors: argument / divisors,
    "RowPad": lambda row, index, total: padded(row, int(index), int(total), 0),
    "RowSum": lambda argument: argument.sum(axis=1, keepdims=True),
    "Scaling": lambda argument, factor, divisor: argument * float(factor) / float(divisor),
    "Softmax": softmax,
    "Transpose": lambda argument: argument.T,
}


def plain(root, arrays, numbers=None):
    """The array of an expression, from arrays by the text of the letter and numbers by the text of the symbol."""
    known = {} if numbers is None else numbers
    root = unfolded(root)
    values = {}
    for node in postorder(root):
        if isinstance(node, Letter):
            values[node] = np.array(arrays[str(node)], dtype=float)
        elif isinstance(node, Literal):
            values[node] = np.array([[float(with_numbers(x, known)) for x in row] for row in node.matrix.tolist()])
        else:
            arguments = [values[a] if a in values else with_numbers(a, known) for a in node.args]
            values[node] = OPERATIONS[type(node).__name__](*arguments)
    return values[root]


def with_numbers(scalar, known):
    return scalar.xreplace({symbol: Rational(known[str(symbol)]) for symbol in scalar.free_symbols})
