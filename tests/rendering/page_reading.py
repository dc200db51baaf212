"""Reads a text page back: its chains of equations, its tables, and the numbers, computed with decimals.

Nothing of the library is used here, so that what a page claims is checked by another route.
"""

import re
from dataclasses import dataclass
from decimal import Decimal, localcontext

PRECISION = 60
REMARKS = ("(operands are rounded)", "（式の中の数は丸めた値です）")
_TOKEN = re.compile(r"\s*(-∞|10\^-?\d+|\d+(?:\.\d+)?|[A-Za-z]\w*(?:\^[\w,]*(?:\(\d+\))?_?\w*)?|\^T|\^|[][(),×⊙/*+-])")


@dataclass(frozen=True)
class Chain:
    """left SIGN term SIGN term ... as printed."""

    left: str
    rights: tuple
    followed: bool
    label: str
    rounded: bool

    @property
    def terms(self):
        return [term for _, term in self.rights]


def chains(page):
    """Every chain of a page, with its continuation lines."""
    joined = []
    for line in page.splitlines():
        margin, rest = line[:2], line[2:]
        if joined and margin in ("  ", "> ") and _goes_on(joined[-1][1], rest):
            joined[-1] = (joined[-1][0], f"{joined[-1][1]} {rest.strip()}")
            continue
        if margin not in ("  ", "> ") or not re.search(r"(?:^|\s)[=≈] ", rest):
            continue
        if re.match(r" +[=≈] ", rest):
            joined[-1] = (joined[-1][0], f"{joined[-1][1]} {rest.strip()}")
        else:
            joined.append((margin, rest))
    return [_chain(margin, rest) for margin, rest in joined]


def _goes_on(text, line):
    """Whether a line goes on with the wide matrices of the line before."""
    return text.endswith((",", " +", " -", " ⊙")) or (bool(re.match(r" {4,}\[\[", line)) and text[-1] not in ".:")


def _chain(margin, text):
    rounded = any(remark in text for remark in REMARKS)
    for remark in REMARKS:
        text = text.replace(remark, "")
    text = re.sub(r"  [(（](?:rows: |行：).*$", "", text).strip()
    left, *rest = re.split(r" ([=≈]) ", text)
    label, _, left = left.rpartition(": ")
    rights = tuple(zip(rest[::2], (term.strip() for term in rest[1::2]), strict=True))
    return Chain(left, rights, margin == "> ", label, rounded)


def section(page, title):
    """The lines of one section or step, up to the next heading."""
    lines = page.splitlines()
    start = next(k for k, line in enumerate(lines) if line in (title, f"-- {title}"))
    ends = [
        k
        for k, line in enumerate(lines[start + 2 :], start + 2)
        if line.startswith("-- ") or re.fullmatch("-{4,}", line)
    ]
    return "\n".join(lines[start : ends[0] - (not lines[ends[0]].startswith("-- ")) if ends else None])


def table(page, caption):
    """Head and rows of a table, as texts."""
    lines = page.splitlines()
    start = lines.index(caption) + 1
    rows = []
    for line in lines[start:]:
        if not line.strip():
            break
        rows.append(line[2:].split())
    return rows[0], rows[1:]


# -- values of printed terms ------------------------------------------------------------------
class HasLetters(Exception):
    """The term is a formula, not numbers."""


def value(text):
    """A printed term as rows of decimals; a bare number is one row of one."""
    with localcontext() as context:
        context.prec = PRECISION
        reader = _Reader(text)
        result = reader.sum()
        assert not reader.tokens, f"cannot read the rest of {text!r}: {reader.tokens}"
    return result if isinstance(result, list) else [[result]]


class _Reader:
    def __init__(self, text):
        self.tokens, end = [], 0
        for found in _TOKEN.finditer(text):
            assert found.start() == end, f"cannot read {text[end:]!r}"
            self.tokens.append(found[1])
            end = found.end()
        assert not text[end:].strip(), f"cannot read {text[end:]!r}"

    def sum(self):
        total = self.product()
        while self.tokens and self.tokens[0] in ("+", "-", "-∞"):
            if self.tokens[0] == "-∞":
                total = _entrywise(total, self.product(), lambda a, b: a + b)
                continue
            sign = 1 if self.tokens.pop(0) == "+" else -1
            total = _entrywise(total, self.product(), lambda a, b, s=sign: a + s * b)
        return total

    def product(self):
        left = self.factor()
        while self.tokens and self.tokens[0] not in ("+", "-", "-∞", ")", "]", ","):
            sign = self.tokens.pop(0) if self.tokens[0] in "×⊙/*" else ""
            right = self.factor()
            if sign == "⊙":
                left = _entrywise(left, right, lambda a, b: a * b)
            else:
                left = _divided(left, right) if sign == "/" else _multiplied(left, right)
        return left

    def factor(self):
        token = self.tokens.pop(0)
        if token == "-":
            return _multiplied(Decimal(-1), self.factor())
        if token == "[":
            result = self.until("]")
            if isinstance(result[0], list):
                result = [row if isinstance(row[0], Decimal) else row[0] for row in result]
        elif token == "(":
            (result,) = self.until(")")
        elif token == "-∞":
            result = Decimal("-Infinity")
        elif token.startswith("10^"):
            result = Decimal(10) ** int(token[3:])
        elif token[0].isdigit():
            result = Decimal(token)
        elif self.tokens and self.tokens[0] == "(" and token in _FUNCTIONS:
            self.tokens.pop(0)
            result = _FUNCTIONS[token](*self.until(")"))
        elif token == "E":
            result = Decimal(1).exp()
        else:
            raise HasLetters(token)
        while self.tokens and self.tokens[0] == "^T":
            self.tokens.pop(0)
            result = [list(column) for column in zip(*result, strict=True)]
        return result

    def until(self, end):
        items = [self.sum()]
        while (token := self.tokens.pop(0)) != end:
            assert token == ",", f"expected a comma, got {token}"
            items.append(self.sum())
        return items


def _entrywise(left, right, function):
    if isinstance(left, Decimal):
        return function(left, right)
    return [[function(a, b) for a, b in zip(x, y, strict=True)] for x, y in zip(left, right, strict=True)]


def _each(matrix, function):
    return function(matrix) if isinstance(matrix, Decimal) else [[function(x) for x in row] for row in matrix]


def _multiplied(left, right):
    if isinstance(left, Decimal):
        return _each(right, lambda x: left * x)
    if isinstance(right, Decimal):
        return _each(left, lambda x: x * right)
    columns = list(zip(*right, strict=True))
    return [[sum((a * b for a, b in zip(row, column, strict=True)), Decimal(0)) for column in columns] for row in left]


def _divided(left, right):
    if isinstance(right, list):
        ((right,),) = right
    return _each(left, lambda x: x / right)


def _as_rows(value):
    return value if isinstance(value, list) else [[value]]  # a single number is printed without brackets


def _rowsum(matrix):
    return [[sum(row, Decimal(0))] for row in matrix]


def _divide(matrix, column):
    return [[x / c for x in row] for row, (c,) in zip(matrix, column, strict=True)]


def _softmax(matrix):
    powers = _each(matrix, lambda x: x.exp())
    return _divide(powers, _rowsum(powers))


def _norm(matrix, eps):
    rows = []
    for row in matrix:
        mean = sum(row, Decimal(0)) / len(row)
        variance = sum(((x - mean) ** 2 for x in row), Decimal(0)) / len(row)
        rows.append([(x - mean) / (variance + eps).sqrt() for x in row])
    return rows


def _causal(size):
    return [[Decimal("-Infinity") if j > i else Decimal(0) for j in range(int(size))] for i in range(int(size))]


_FUNCTIONS = {
    "norm": _norm,
    "causal": _causal,
    "broadcast": lambda column, width: [row * int(width) for row in _as_rows(column)],
    "ReLU": lambda x: _each(x, lambda a: max(a, Decimal(0))),
    "exp": lambda x: _each(x, lambda a: a.exp()),
    "sqrt": lambda x: x.sqrt(),
    "rowsum": lambda x: _rowsum(_as_rows(x)),
    "divide": lambda x, c: _divide(x, _as_rows(c)),
    "softmax": _softmax,
    "Concat": lambda *parts: [[x for row in rows for x in row] for rows in zip(*parts, strict=True)],
}
