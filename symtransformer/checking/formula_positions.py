"""PE(pos, 2i) = sin(pos / 10000^{2i/d}): sines and cosines of positions, entry by entry."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import product
from typing import Any

from sympy import Expr, Integer, Pow, Symbol, cos, exp, log, sin, sqrt

from symtransformer.checking.formula_document import Document
from symtransformer.checking.formula_syntax import Call, Factors, Named, Number, Part, Power, Terms, names_in, put_in
from symtransformer.checking.formula_verdicts import PROVED, REFUTED, TESTED, FormulaVerdict, by_library
from symtransformer.enclosures import Balls, precision
from symtransformer.judge.trials import apart_at_most
from symtransformer.notation import Words
from symtransformer.operations.sinusoidal_encoding import SinusoidalEncoding
from symtransformer.reading.numbers import decimal
from symtransformer.reading.vocabulary import is_size_name

FUNCTIONS: Mapping[str, Any] = {"sin": sin, "cos": cos, "exp": exp, "log": log, "sqrt": sqrt}
POINTS = tuple(product((0, 1, 2, 5), (0, 1, 2), (6, 8)))  # position, pair, columns
BASE = 10_000


class _NoNumber(Exception):
    pass


def judge_positions(document: Document, call: Call, right: Part) -> FormulaVerdict | None:
    """None where it is no formula of an entry of the encoding: PE(position, 2i) or PE(position, 2i + 1)."""
    if call.function != "PE" or len(call.arguments) != 2 or not isinstance(call.arguments[0], Named):
        return None
    p, i, d = (Symbol(x, integer=True, nonnegative=True) for x in ("pos", "i", "d"))
    position = call.arguments[0].name
    letters = [n for n in names_in(call.arguments[1]) if n != position]
    if len(letters) != 1:
        return None
    right = _put_in(document, right, (position, *letters))
    widths = [n for n in names_in(right) if n not in (position, *letters)]
    if len(widths) > 1 or not all(is_size_name(n) or n == "D" for n in widths):
        return None
    known = {position: p, letters[0]: i, **dict.fromkeys(widths, d)}
    try:
        column, claimed = _number(call.arguments[1], known), _number(right, known)
    except _NoNumber:
        return None
    odd = column - 2 * i
    if odd not in (0, 1):
        return None
    function, names = cos if odd else sin, (position, *letters, *(widths or ["d"]))
    derived = function(p / Pow(BASE, 2 * i / d))
    against = by_library(SinusoidalEncoding.title)
    if claimed == derived:
        words = Words("Both sides are the same entry.", "両辺は同じ成分である。")
        return FormulaVerdict(PROVED, words, against)
    shown = "{function}({0}/{base}^(2{1}/{2}))".format(*names, function=function, base=BASE)
    return _at_points(claimed, derived, dict(zip(names, (p, i, d), strict=True)), against, shown)


def _put_in(document: Document, part: Part, bound: Collection[str]) -> Part:
    """With what the document says of the names in it: ω in sin(ω pos)."""
    for _ in document.definitions:
        found = ((n, document.definitions.get(n)) for n in names_in(part) if n not in bound)
        rule = {
            n: d.right for n, d in found if d is not None and d.right is not None and not d.indices and not d.squared
        }
        part = put_in(part, rule)
    return document.expanded(part)


def _at_points(
    claimed: Expr, derived: Expr, letters: Mapping[str, Symbol], against: Words, right: str
) -> FormulaVerdict | None:
    for point in POINTS:
        rule = dict(zip(letters.values(), map(Integer, point), strict=True))
        try:
            with precision(128):
                apart = apart_at_most(*(_ball(side.xreplace(rule)) for side in (claimed, derived)))
        except (ArithmeticError, ValueError, _NoNumber):
            return None
        if apart is None:
            shown = ", ".join(f"{x} = {k}" for x, k in zip(letters, point, strict=True))
            words = Words(f"The two sides differ for {shown}.", f"{shown} のとき両辺は異なる。")
            return FormulaVerdict(REFUTED, words, against, shown, right=right)
    words = Words(
        "Both sides are equal at the positions and columns that were tried, up to d = 8.",
        "試した位置と列では両辺は等しい（d = 8 まで）。",
    )
    return FormulaVerdict(TESTED, words, against)


def _ball(number: Expr) -> Any:
    """A closed number by the library's balls."""
    balls = Balls()
    if number.is_Rational:
        return balls.scalar(number)
    parts = [_ball(a) for a in number.args]
    if number.is_Add or number.is_Mul:
        total = parts[0]
        for part in parts[1:]:
            total = total + part if number.is_Add else total * part
        return total
    if isinstance(number, (sin, cos)):
        return balls.apply("sin" if isinstance(number, sin) else "cos", parts[0])
    if isinstance(number, exp):
        return balls.exp(parts[0])
    if isinstance(number, log):
        return balls.apply("log", parts[0])
    if isinstance(number, Pow):
        return balls.exp(parts[1] * balls.apply("log", parts[0]))
    raise _NoNumber


def _number(part: Part, known: Mapping[str, Any]) -> Any:
    """A formula of numbers, in SymPy's own order."""
    if isinstance(part, Number):
        return decimal(part.text)
    if isinstance(part, Named) and part.name in known and not part.indices:
        return known[part.name]
    if isinstance(part, Terms):
        return sum((_number(p, known) if sign == "+" else -_number(p, known) for sign, p in part.terms), Integer(0))
    if isinstance(part, Factors):
        result: Any = Integer(1)
        for sign, p in part.factors:
            value = _number(p, known)
            if sign == "/" and value == 0:
                raise _NoNumber
            result = result / value if sign == "/" else result * value
        return result
    if isinstance(part, Power):
        base, exponent = _number(part.base, known), _number(part.exponent, known)
        if base.is_Rational and exponent.is_Rational and abs(exponent) > 64:
            raise _NoNumber
        return Pow(base, exponent)
    if isinstance(part, Call) and part.function in FUNCTIONS and len(part.arguments) == 1 and not part.words:
        return FUNCTIONS[part.function](_number(part.arguments[0], known))
    raise _NoNumber
