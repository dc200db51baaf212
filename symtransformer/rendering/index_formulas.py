"""Formulas of entries as one line, or as they are set: Σ_j g_ij k_jc, ∂L/∂q_ic, δ_ij; every letter counts from 1."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sympy import Add, Derivative, Expr, KroneckerDelta, Mod, Mul, Pow, Rational, S, Sum, Symbol, exp
from sympy.printing.precedence import PRECEDENCE, precedence, precedence_traditional

from symtransformer.dialects import LOOSE, Dialect
from symtransformer.index_letters import subformulas
from symtransformer.node import Node, postorder
from symtransformer.notation import ADDITION, ATOM, FRACTION, PRODUCT, SUFFIX, Piece, from_one
from symtransformer.operation import unfolded
from symtransformer.reading.vocabulary import GREEK_SIGNS
from symtransformer.rendering.index_counting import Counting
from symtransformer.rendering.latex_text import readable
from symtransformer.scalars import decimal_of
from symtransformer.sections import IndexLine
from symtransformer.symbols import Entry, Letter
from symtransformer.writing import piece_of

GREEK_SIGN = {name: sign for sign, name in GREEK_SIGNS.items()}
SMALL = 10  # numbers over a larger one are written as decimals
FORMULAS = (Entry, KroneckerDelta, Sum, Derivative)  # what is written here; anything else is a number
OF_SUM = ADDITION + 1


class IndexFormulas:
    """Writes both sides of one line in one dialect."""

    def __init__(self, line: IndexLine, dialect: Dialect, heads: frozenset[Any]) -> None:
        self.line, self.dialect = line, dialect
        self._pieces: dict[Any, Piece] = {}
        self.counting = Counting(line.left, line.right)
        self.heads = heads | self.counting.letters
        self.stacked = dialect.stacked
        self.losses, self.short = dict(line.losses), dict(line.short)
        self.named = {unfolded(node): letter for letter, node in reversed(line.where) if letter not in self.losses}
        order = [x for letter, node in line.where for x in (letter, *postorder(node)) if isinstance(x, Letter)]
        self.ranks = {letter: rank for rank, letter in reversed(list(enumerate(order)))}  # the order of the definitions

    def left(self) -> str:
        return self.piece(self.line.left).text

    def right(self) -> list[str]:
        """The right side, its terms one by one."""
        right = self.line.right
        terms = self._terms(right) if isinstance(right, Add) else [self.piece(right).text]
        return list(map(readable, terms)) if self.dialect.name == "latex" else terms

    # -- kinds of formulas ---------------------------------------------------------------------------
    def piece(self, x: Any) -> Piece:
        """Written once, however often it is asked for: to be put in order, then to be printed."""
        if x not in self._pieces:
            self._pieces[x] = self._written(x)
        return self._pieces[x]

    def _written(self, x: Any) -> Piece:
        if not x.atoms(*FORMULAS):
            return self._number(self.counting.number(x))
        if isinstance(x, Entry):
            return self._entry(x)
        if isinstance(x, Sum):
            return self._sum(x)
        if isinstance(x, Derivative):
            return self._derivative(x)
        if isinstance(x, KroneckerDelta):
            return self._delta(x)
        if isinstance(x, Add):
            return self._add(x)
        if isinstance(x, Mul):
            return self._product(x)
        if isinstance(x, exp):
            inner = self.piece(x.args[0])
            return (
                Piece(self.dialect.power_of_e.format(inner.text), SUFFIX)
                if self.stacked
                else Piece(f"exp({inner.text})")
            )
        if isinstance(x, Pow):
            return self._power(x)
        return Piece(self.dialect.called(type(x).__name__, [self.piece(a).text for a in x.args]))

    def _number(self, x: Any) -> Piece:
        """What holds no entry, its letters counted from 1 already."""
        if isinstance(x, Rational) and x > 0 and x.q != 1 and (x.q <= SMALL or decimal_of(x) is None):
            shown = self.dialect.fraction.format(x.p, x.q) if self.stacked else f"{x.p}/{x.q}"
            return Piece(shown, FRACTION if self.stacked else LOOSE)
        if isinstance(x, Add):
            return Piece(_joined(sorted((self._number(a).text for a in x.args), key=_positive_first)), ADDITION)
        text = self.dialect.scalar(x)
        return Piece(text, ADDITION if text.startswith("-") or not isinstance(x, Expr) else self._level(x))

    def _level(self, x: Any) -> int:
        binding = (precedence_traditional if self.stacked else precedence)(x)
        if binding < PRECEDENCE["Mul"] or (self.stacked and x.has(Mod)):
            return ADDITION
        if x.as_numer_denom()[1] != 1:
            return FRACTION if self.stacked else LOOSE
        return PRODUCT if binding == PRECEDENCE["Mul"] else SUFFIX if binding <= PRECEDENCE["Pow"] else ATOM

    def _delta(self, x: KroneckerDelta) -> Piece:
        counted = any(self.counting.has(a) for a in x.args)  # n and 3 are two numbers, no places
        return Piece(self.dialect.low(self.dialect.symbols["delta"], [self._place(a, counted) for a in x.args]))

    def _place(self, place: Any, counted: bool = True) -> str:
        shown = self.counting.place(place) if counted else place
        ahead = not isinstance(shown, Add) or any(a.free_symbols and not _negative(a) for a in shown.args)
        return self._with_signs(self.dialect.index(shown) if ahead else self.dialect.scalar(shown))  # j + 1, and 4 - k

    def _with_signs(self, place: str) -> str:
        """x_iμ, as δ_ij: in a line of text a Greek letter that counts is one sign."""
        greek = {str(x) for x in self.counting.letters} & GREEK_SIGN.keys() if self.dialect.name == "text" else ()
        for name in greek:
            place = re.sub(rf"\b{name}\b", GREEK_SIGN[name], place)
        return place

    # -- entries ---------------------------------------------------------------------------------------
    def _entry(self, x: Entry) -> Piece:
        parent: Any = x.parent
        if isinstance(parent, Letter) and parent in self.losses and parent not in self.short:
            return self._of_loss(self._low_letter(self.losses[parent], x))
        parent = self.short.get(parent, parent)
        if isinstance(parent, Letter) or unfolded(parent) in self.named:
            return Piece(self._low_letter(parent, x))
        if len(self.line.whole) > 1 or (self.line.whole and 1 in parent.shape):
            return piece_of(parent, self.dialect, self._leaf, self.heads)
        shown = self._indices(parent, x)
        text = self.dialect.parentheses.format(piece_of(parent, self.dialect, self._leaf, self.heads).text)
        return Piece(self.dialect.low(text, shown) if shown else text)

    def _low_letter(self, parent: Any, x: Entry) -> str:
        letter = parent if isinstance(parent, Letter) else self.named[unfolded(parent)]
        shown = self._indices(letter, x)
        head = from_one(letter.head, self.heads)
        if not shown:
            return self.dialect.letter(letter.name, head)
        return self.dialect.entry_of(letter.name, head, shown)

    def _indices(self, parent: Node, x: Entry) -> list[str]:
        """The places as they are shown: counted from 1, those of a size 1 and those left out not at all."""
        pairs = [(k, size) for k, size in zip((x.i, x.j), parent.shape, strict=True) if k not in self.line.whole]
        kept = [k for k, size in pairs if size != 1] or ([] if self.line.whole else [x.i])
        return [self._place(k) for k in kept]

    def _of_loss(self, below: str, level: int = PRODUCT) -> Piece:
        loss = self.line.loss
        if self.stacked:
            return Piece(self._quotient(loss, below), FRACTION)
        return Piece(f"∂{loss}/∂{below}", level)

    def _leaf(self, node: Node) -> Piece | None:
        """Letters inside of a whole matrix."""
        if not isinstance(node, Letter):
            return None
        if node in self.short:
            return Piece(self.dialect.letter(self.short[node].name))
        if node in self.losses:
            of = self.losses[node]
            return self._of_loss(self.dialect.letter(of.name, from_one(of.head, self.heads)), LOOSE)
        return None

    def _derivative(self, x: Derivative) -> Piece:
        by = self._low_letter(x.variables[0].parent, x.variables[0])
        inner = self.piece(x.expr)
        if isinstance(x.expr, Entry):
            if self.stacked:
                return Piece(self._quotient(inner.text, by), FRACTION)
            return Piece(f"∂{inner.text}/∂{by}", PRODUCT)
        shown = self.dialect.parentheses.format(inner.text)
        return Piece(f"{self._quotient('', by)}{shown}" if self.stacked else f"∂/∂{by} {shown}", PRODUCT)

    def _quotient(self, above: str, below: str) -> str:
        """∂ above over ∂ below."""
        sign = self.dialect.symbols["partial"]
        return self.dialect.over_line((sign + above).rstrip(), sign + below)

    # -- sums and products -------------------------------------------------------------------------------
    def _sum(self, x: Sum) -> Piece:
        signs = []
        for letter, low, high in reversed(x.limits):
            shown = self._with_signs(self.dialect.scalar(letter))
            first, last = self._place(low), self._place(high)
            whole = not self.stacked and low == 0 and _sizes_counted(x.function, letter) == {high + 1}
            signs.append(f"Σ_{shown}" if whole else self.dialect.sum_sign(shown, first, last))
        return Piece(" ".join([*signs, self.dialect.fenced(self.piece(x.function), OF_SUM)]), OF_SUM)

    def _add(self, x: Add) -> Piece:
        return Piece(" ".join(self._terms(x)), ADDITION)

    def _terms(self, x: Add) -> list[str]:
        """The terms; numbers are added up before, so that k + 1 counted from 0 is k."""
        formulas = [a for a in x.args if a.atoms(*FORMULAS)]
        number = self.counting.number(Add(*(a for a in x.args if not a.atoms(*FORMULAS))))
        numbers = [] if number == 0 else [self._number(a).text for a in Add.make_args(number)]
        ordered = [(self._order_of_term(a), self.piece(a).text) for a in formulas]
        ordered += [((text.startswith("-"), False, [], text), text) for text in numbers]
        return _signed([text for _, text in sorted(ordered)])

    def _order_of_term(self, term: Any) -> Any:
        ranks = sorted(map(self._rank, term.atoms(Entry)))
        return self._is_negative(term), bool(term.atoms(Sum)), ranks, self.piece(term).text

    def _is_negative(self, term: Any) -> bool:
        return self.piece(term.function if isinstance(term, Sum) else term).text.startswith("-")

    def _rank(self, entry: Entry) -> int:
        parent: Any = self.losses.get(entry.parent, entry.parent)
        letter = parent if isinstance(parent, Letter) else self.named.get(unfolded(parent))
        return self.ranks.get(letter, -1) if letter is not None else -1

    def _product(self, x: Mul) -> Piece:
        """Number and what stands below the line, then the factors: first the gradient, last brackets and sums."""
        above: list[Any] = []
        below: list[Any] = []
        for factor in x.args:
            negative = isinstance(factor, Pow) and factor.exp.is_Rational and factor.exp < 0
            (below if negative else above).append(1 / factor if negative else factor)
        number = Mul(*(f for f in above if isinstance(f, Rational)))
        rest = [f for f in above if not isinstance(f, Rational)]
        sign, number = ("-", -number) if number < 0 else ("", number)
        decimal = decimal_of(number) if number.q > SMALL else None
        below += [Rational(number.q)] if number.q > 1 and decimal is None else []
        front = str(number.p) if decimal is None else self.dialect.with_decimal_sign(decimal)
        ordered = sorted(rest, key=self._order_of_factor)
        shown = [self._factor(f, k == len(ordered) - 1) for k, f in enumerate(ordered)]
        if shown and any(f.atoms(Entry) for f in below) and all(map(self._is_plain, ordered)):
            whole = self._side_by_side([front, *shown] if front != "1" else shown)
            shown = [self._fraction(whole, below)]
            if not self.stacked:
                return Piece(sign + shown[0][1:-1].replace("/", " / ", 1), ADDITION if sign else LOOSE)
        elif below:
            shown.insert(0, self._fraction(front, below))
        elif front != "1":
            shown.insert(0, front)
        level = ADDITION if sign else OF_SUM if any(isinstance(f, Sum) for f in ordered) else PRODUCT
        return Piece(sign + self._side_by_side(shown), level)

    def _side_by_side(self, factors: Sequence[str]) -> str:
        """The factors behind each other; 3 2^n would read as 32^n."""
        text = factors[0]
        for factor in factors[1:]:
            text += (self.dialect.times if text[-1].isdigit() and factor[0].isdigit() else " ") + factor
        return text

    def _is_plain(self, x: Any) -> bool:
        """An entry or a delta, which may stand above a line."""
        return isinstance(x, KroneckerDelta) or (isinstance(x, Entry) and x.parent not in self.losses)

    def _factor(self, x: Any, last: bool) -> str:
        piece = self.piece(x)
        return piece.text if last and isinstance(x, Sum) else self.dialect.fenced(piece, PRODUCT)

    def _fraction(self, front: str, below: list[Any]) -> str:
        scalars = Mul(*(f for f in below if not f.atoms(Entry)))
        pieces = [self.piece(f) for f in [scalars, *(f for f in below if f.atoms(Entry))] if f != 1]
        under = " ".join(self.dialect.fenced(p, PRODUCT) if len(pieces) > 1 else p.text for p in pieces)
        if self.stacked:
            return self.dialect.over_line(front, under)
        plain = len(pieces) == 1 and pieces[0].level >= SUFFIX
        return f"({front}/{under})" if plain else f"({front}/({under}))"

    def _order_of_factor(self, x: Any) -> Any:
        meets = any(
            k in self.line.whole for part in subformulas(x) if isinstance(part, Entry) for k in (part.i, part.j)
        )
        of_loss = isinstance(x, Entry) and (x.parent in self.losses or x.parent in self.short)
        kinds = [not of_loss, isinstance(x, Entry), isinstance(x, KroneckerDelta), isinstance(x, Derivative)]
        rank = 0 if of_loss else 2 if kinds[1] else 1 if kinds[2] else 4 if kinds[3] else 5 if isinstance(x, Sum) else 3
        rank = rank if x.atoms(*FORMULAS) else -1
        place = self._rank(x) if isinstance(x, Entry) else 0
        return bool(self.line.whole) and meets, rank, place, self.piece(x).text.replace("_(", "_")

    def _power(self, x: Pow) -> Piece:
        base = self.piece(x.base)
        if x.exp == S.Half:
            return Piece(self.dialect.radical.format(base.text))
        if x.exp.is_Rational and x.exp < 0:
            shown = self._fraction("1", [1 / x])
            return Piece(shown, FRACTION) if self.stacked else Piece(shown[1:-1], LOOSE)
        marked = not self.stacked and "^" in base.text  # w^Q_ib, squared
        shown = self.dialect.fenced(base, ATOM + marked)
        power = (
            Piece(f"{x.exp.p}/{x.exp.q}", LOOSE) if isinstance(x.exp, Rational) and x.exp.q != 1 else self.piece(x.exp)
        )
        exponent = power.text if self.stacked else self.dialect.fenced(power, ATOM)
        return Piece(self.dialect.raised(shown, exponent), SUFFIX)


def _negative(x: Any) -> bool:
    return bool(x.could_extract_minus_sign())


def _positive_first(text: str) -> tuple[bool, str]:
    return text.startswith("-"), text


def _signed(terms: Sequence[str]) -> list[str]:
    """The terms with their signs between them."""
    first, *rest = terms
    return [first, *(f"- {text[1:].lstrip()}" if text.startswith("-") else f"+ {text}" for text in rest)]


def _joined(terms: Sequence[str]) -> str:
    return " ".join(_signed(terms))


def _sizes_counted(formula: Any, letter: Symbol) -> set[Any]:
    """The sizes of the places in which the letter stands."""
    entries = [part for part in subformulas(formula) if isinstance(part, Entry)]
    pairs = [pair for e in entries for pair in zip((e.i, e.j), e.parent.shape, strict=True)]
    return {size for place, size in pairs if place == letter}
