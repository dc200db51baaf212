r"""Functions by name: entry by entry, over a row, of two matrices, and every operation that the library knows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from sympy import Integer, S, log, sqrt

from symtransformer.node import Node
from symtransformer.operation import REGISTRY
from symtransformer.operations.addition import Addition
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.identity import Identity
from symtransformer.operations.row_mean import RowMean
from symtransformer.operations.row_sum import Broadcast, RowSum
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.standard_deviation import StandardDeviation
from symtransformer.operations.transpose import Transpose
from symtransformer.reading.side_names import Known
from symtransformer.reading.side_operations import Operations
from symtransformer.reading.side_tokens import Token
from symtransformer.reading.side_values import Part, shape, spread
from symtransformer.reading.vocabulary import UNCLEAR, function_named, known_functions

ENTRYWISE = {
    "exp": "Exponential", "log": "Logarithm", "ln": "Logarithm", "relu": "ReLU", "gelu": "GELU", "tanh": "Tanh",
    "sigmoid": "Sigmoid", "silu": "SiLU", "swish": "SiLU", "sin": "Sine", "cos": "Cosine", "gelutanh": "GELUTanh",
}  # fmt: skip
OVER_ROWS = {"softmax": "Softmax", "logsumexp": "LogSumExp", "hardmax": "Hardmax"}
STATISTICS = frozenset(("mean", "var", "std", "sum", "variance", "average"))
TWO = {"dot": ".", "matmul": "@"}
OWN = frozenset(
    ("max", "min", "sqrt", "abs", "transpose", "array", "tensor", "matrix", "log2", "log10", "diag", "erf", "erfc")
)
EXTREMES: dict[str, Any] = {"max": max, "min": min}
ERROR_FUNCTIONS = frozenset(("erf", "erfc"))
_POWER_BEFORE = frozenset(("sin", "cos", "tanh"))  # sin²(x) is (sin x)² to everybody; sin⁻¹ is not
_POWER_INSIDE = frozenset(("log", "ln", "log2", "log10", "sin", "cos"))  # log(x)^2 is written for both
UNCLEAR_HERE = {**UNCLEAR, "argmax": "argmax counts from 0 or from 1, which is not told"}


@cache
def functions() -> dict[str, Any]:
    return known_functions()


def is_function(word: str) -> bool:
    """Whether a word is read as a function where it is called."""
    plain = word.replace("_", "").casefold()
    own = plain in ENTRYWISE or plain in OVER_ROWS or plain in STATISTICS or plain in TWO or plain in OWN
    return own or function_named(word, functions()) is not None


class Functions(Operations):
    """Calls, with or without brackets."""

    scope: Mapping[str, Known]
    sum: Any
    operand: Any
    length: Any
    root_of: Any
    raised: Any
    divided: Any
    choices: set[str]

    def is_function(self, word: str) -> bool:
        return is_function(word)

    def called(self, token: Token) -> Part | None:
        """A function with its arguments; None where this is none."""
        word = token.text
        if len(word) == 1 or (token.kind == "greek" and word != "Phi"):
            return None
        plain = word.replace("_", "").casefold() if word != "LN" else "layernorm"  # ln is another function
        known = plain in ENTRYWISE or plain in OVER_ROWS or plain in STATISTICS or plain in TWO or plain in OWN
        operation = None if known else function_named(word, functions())
        following = self.tokens[self.i + 1].kind if self.i + 1 < len(self.tokens) else "end"
        if not known and operation is None:
            if plain in UNCLEAR_HERE and following in ("(", "[", "{"):
                raise self.refuse(token, "unknown_function", UNCLEAR_HERE[plain])
            return None
        if following == "low" and plain != "log":
            after = self.tokens[self.i + 2].kind if self.i + 2 < len(self.tokens) else ""
            if after not in ("(", "["):
                return None  # mean_x, attention_scores: a name
        if operation is not None and following not in ("(", "[", "low"):
            return None
        self.i += 1
        base = self._base(plain)
        power = self._power_before() if plain in _POWER_BEFORE else 1
        if self.kind in ("^", "raised", "T"):
            raise self.refuse(self.token(), "exponent", "a power of a function; write it behind the brackets")
        self.choices = {c for p in getattr(operation, "parameters", ()) for c in p.choices}
        arguments, keywords, end = self._arguments(token)
        place = Part(S.One, None, token.start, end)
        part = self._made(word, plain, operation, place, arguments, keywords, base)
        if plain in _POWER_INSIDE and self.kind in ("^", "raised"):
            message = f"a power of {word[:20]}, or of what it is taken of? use brackets around the whole"
            raise self.refuse(self.token(), "exponent", message)
        if power > 1:
            part = self.raised(part, Part(Integer(power), None, token.start, end))
        part.start, part.end = token.start, end
        part.form = "group" if self.tokens[self.i - 1].kind in (")", "]", "}") else "call without brackets"
        return part

    def _base(self, plain: str) -> int | None:
        """The base that stands below a logarithm."""
        if plain in ("log2", "log10"):
            return int(plain[3:])
        if self.kind != "low":
            return None
        low = self.token()
        if plain == "log" and re.fullmatch(r"[2-9]|[1-9][0-9]{1,3}", low.text.strip()):
            self.i += 1
            return int(low.text)
        if plain == "log" and low.text.strip() == "e":
            self.i += 1
            return None
        raise self.refuse(
            low, "subscript", "an index below a function; only a base that is a number, or e, is read: log_2, log_{10}"
        )

    def _power_before(self) -> int:
        """The 2 of sin²(x) and sin^{2} x; 1 where there is none."""
        kinds = [t.kind for t in self.tokens[self.i : self.i + 4]]
        for shape_of_it in (["raised"], ["^", "{", "number", "}"], ["^", "number"]):
            number = self.tokens[self.i + max(0, len(shape_of_it) // 2)].text if kinds[:1] == shape_of_it[:1] else ""
            if kinds[: len(shape_of_it)] == shape_of_it and re.fullmatch("[2-9]", number):
                self.i += len(shape_of_it)
                return int(number)
        return 1

    # -- arguments ------------------------------------------------------------------------------------------------------
    def _arguments(self, token: Token) -> tuple[list[Part], dict[str, Part], int]:
        opening = self.token()
        if opening.kind == "(":
            self.i += 1
            arguments, keywords, choices = [], {}, self.choices
            while True:
                keyword = self._keyword()
                if keyword in keywords:
                    raise self.refuse(self.token(), "twice", f"{keyword} is given twice")
                part = self._choice(choices) or self.sum()
                if keyword:
                    keywords[keyword] = part
                elif keywords:
                    raise self.refuse(part, "keyword", "after a keyword every argument has one")
                else:
                    arguments.append(part)
                if self.kind != ",":
                    break
                self.i += 1
            return arguments, keywords, self.take(")").end
        if opening.kind in ("[", "{"):
            part = self.operand()
            return [part], {}, part.end
        self._check_open(token)
        part = self.operand()
        self.deeper(-1)
        if self.kind in (".", "x", "*", "@", "/", "o"):
            raise self.refuse(self.token(), "brackets", f"how far {token.text[:20]} goes is not clear; use brackets")
        return [part], {}, part.end

    def _check_open(self, token: Token) -> None:
        if self.kind not in ("number", "word", "greek", "upright", "frac", "root", "begin", "|", "sum"):
            raise self.refuse(token, "brackets", f"{token.text[:20]} needs brackets: {token.text[:20]}(...)")
        self.deeper(1)

    def _keyword(self) -> str:
        """name= before an argument."""
        following = [t.kind for t in self.tokens[self.i : self.i + 3]]
        for kinds in (["word", "="], ["word", "low", "="]):
            if following[: len(kinds)] == kinds:
                words = [t.text for t in self.tokens[self.i : self.i + len(kinds) - 1]]
                self.i += len(kinds)
                return "_".join(words)
        return ""

    def _choice(self, choices: set[str]) -> Part | None:
        """A word among the arguments, such as GELU."""
        token = self.token()
        after = self.tokens[self.i + 1].kind if self.i + 1 < len(self.tokens) else ""
        if token.kind not in ("word", "upright") or token.text not in choices or after not in (",", ")"):
            return None
        self.i += 1
        return Part(token.text, None, token.start, token.end, form="choice")

    # -- results --------------------------------------------------------------------------------------------------------
    def _made(
        self, word: str, plain: str, operation: Any, place: Part, arguments: list[Part], keywords: dict[str, Part],
        base: int | None,
    ) -> Part:  # fmt: skip
        if plain in OVER_ROWS or plain in STATISTICS:
            self._check_axis(plain, keywords)
        elif operation is None and keywords:
            raise self.refuse(place, "keyword", f"{word[:20]} takes no keyword")
        if plain == "std" and len(arguments) == 2 and not keywords:  # with its eps, as it is printed
            operation = REGISTRY["StandardDeviation"]
        if plain == "divide" and len(arguments) == 2 and arguments[1].node is None and not keywords:
            self.divided(*arguments)
            arguments[0].cells = None
            return arguments[0]
        if operation is not None:
            return self.operation(word, operation, place, arguments, keywords)
        if plain in EXTREMES:
            return self._extreme(plain, place, arguments)
        if plain in ERROR_FUNCTIONS:
            return self._error_function(plain, place, arguments)
        if plain in TWO:
            if len(arguments) != 2 or any(a.node is None for a in arguments):
                raise self.refuse(place, "arguments", f"{word[:20]} takes two matrices")
            self.times(TWO[plain], *arguments)
            arguments[0].cells = None  # what is written in it is not what comes out
            return arguments[0]
        if len(arguments) > 1 and (plain in OVER_ROWS or plain in STATISTICS) and all(a.node is None for a in arguments):  # fmt: skip
            node = self.literal(place, [[a.factor for a in arguments]])
            arguments = [Part(S.One, node, place.start, place.end, True)]
        if len(arguments) != 1:
            raise self.refuse(place, "arguments", f"{word[:20]} takes one argument")
        return self._of_one(plain, place, arguments[0], base)

    def _of_one(self, plain: str, place: Part, part: Part, base: int | None) -> Part:
        if plain in ENTRYWISE or base is not None:
            made = self.entrywise_function(ENTRYWISE.get(plain, "Logarithm"), part)
            if base is not None:
                made.node = Scaling(made.node, S.One, log(Integer(base)))
            return made
        if plain in OVER_ROWS:
            if part.open:
                raise self.unknown_ones(part)
            if part.node is None or (part.cells is None and not part.name and shape(part.node) == (1, 1)):
                message = f"{plain} of one number; it is taken of all numbers together"
                raise self.refuse(part, "one_number", message)
            lying = _turned_row(part)
            row = self.as_row(part, plain) if lying is None else lying
            made = self.made(part, lambda: REGISTRY[OVER_ROWS[plain]](row))
            return Part(S.One, made if lying is None else Transpose(made), 0, 0, part.listed)
        if plain in STATISTICS:
            return self._statistic(plain, part)
        if plain == "sqrt":
            return self.root_of(part)  # type: ignore[no-any-return]
        if plain == "abs":
            if part.node is not None and shape(self.value(part)) != (1, 1):
                raise self.refuse(part, "matrix", "abs of a list could be its length or go entry by entry")
            return self.length(part)  # type: ignore[no-any-return]
        if part.node is None:
            raise self.refuse(part, "number", "a matrix is needed here")
        if plain == "diag":
            row = self.as_row(part, plain)
            size = shape(row)[1]
            if shape(row)[0] > 1:
                raise self.refuse(part, "matrix", "diag is read of a list: the matrix with it on its diagonal")
            return Part(S.One, Hadamard(Identity(Integer(size)), spread(row, size, size)), 0, 0)
        if plain == "transpose":
            return Part(S.One, Transpose(self.value(part)), 0, 0, part.listed)
        return Part(S.One, self.value(part), 0, 0, part.listed, cells=part.cells)  # array([0.5, 1]) shows its numbers

    def entrywise_function(self, name: str, part: Part) -> Part:
        if part.open:
            return self.of_ones(part, REGISTRY[name])
        node = self.node(part)
        return Part(S.One, self.made(part, lambda: REGISTRY[name](node)), part.start, part.end, part.listed)

    def _check_axis(self, plain: str, keywords: dict[str, Part]) -> None:
        for name, part in keywords.items():
            if name not in ("dim", "axis") or part.factor not in (Integer(-1), Integer(1)) or part.node is not None:
                raise self.refuse(part, "keyword", f"{plain} goes over rows: dim=-1, and nothing else")

    def _statistic(self, plain: str, part: Part) -> Part:
        node = self.as_row(part, plain)
        rows, columns = shape(node)
        if plain == "sum" and rows > 1:
            raise self.refuse(part, "axis", "the sum of a matrix could be of rows, of columns or of all; say which")
        if plain in ("mean", "average"):
            made: Node = RowMean(node)
        elif plain == "sum":
            made = RowSum(node)
        elif plain == "std":
            made = StandardDeviation(node, S.Zero)
        else:
            mean = RowMean(node)
            made = RowMean(_squares(node, mean if columns == 1 else Broadcast(mean, Integer(columns))))
        of_all = _of_all_entries(plain, node) if rows > 1 < columns else None
        return Part(S.One, made, 0, 0, other=of_all)

    def _error_function(self, plain: str, place: Part, arguments: list[Part]) -> Part:
        """erf(x) = 2 Φ(√2 x) - 1, and erfc(x) = 2 - 2 Φ(√2 x)."""
        if len(arguments) != 1 or shape(self.node(arguments[0])) != (1, 1):
            raise self.refuse(place, "arguments", f"{plain} is read of one number")
        twice = Scaling(
            REGISTRY["NormalDistribution"](Scaling(self.node(arguments[0]), sqrt(2), S.One)), Integer(2), S.One
        )
        sign, shift = (S.One, -1) if plain == "erf" else (S.NegativeOne, 2)
        signed = twice if sign is S.One else Scaling(twice, sign, S.One)
        return Part(S.One, Addition(signed, self.literal(place, [[Integer(shift)]])), 0, 0)

    def _extreme(self, plain: str, place: Part, arguments: list[Part]) -> Part:
        """The largest or smallest of several numbers; max(0, x) is ReLU."""
        if all(a.node is None and a.factor.is_Rational for a in arguments) and len(arguments) > 1:
            return Part(EXTREMES[plain](a.factor for a in arguments), None, 0, 0)
        zero = [a for a in arguments if a.node is None and a.factor == 0]
        if plain == "min" or len(arguments) != 2 or not zero:
            message = f"{plain} is read of numbers that are written" + (", and as max(0, x)" if plain == "max" else "")
            raise self.refuse(place, "unknown_function", message)
        other = arguments[1] if zero[0] is arguments[0] else arguments[0]
        return self.entrywise_function("ReLU", other)


def _squares(node: Node, mean: Node) -> Node:
    """The squares of what is left without the mean."""
    difference = Addition(node, Scaling(mean, S.NegativeOne, S.One))
    return Hadamard(difference, difference)


def _mean_of_all(matrix: Node) -> Node:
    rows, columns = shape(matrix)
    return Scaling(RowSum(Transpose(RowSum(matrix))), S.One, Integer(rows * columns))


def _of_all_entries(plain: str, matrix: Node) -> Node:
    """mean(A), var(A) or std(A) of a matrix as one number, as in NumPy."""
    mean = _mean_of_all(matrix)
    if plain in ("mean", "average"):
        return mean
    variance = _mean_of_all(_squares(matrix, spread(mean, *shape(matrix))))
    return variance if plain != "std" else REGISTRY["SquareRoot"](variance)


def _turned_row(part: Part) -> Node | None:
    """The row x of x^T: what is taken of the entries of a column that is written so is a column."""
    node = part.node
    inner = node.args[0] if isinstance(node, Transpose) and part.factor is S.One and not part.listed else None
    return inner if isinstance(inner, Node) and shape(inner)[0] == 1 < shape(inner)[1] else None
