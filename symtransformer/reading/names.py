"""Which names a text uses, in order, and which of them must be numbers."""

from __future__ import annotations

import re

from symtransformer.arguments import CHOICE, LABEL, SCALAR, SIZE, taken_in_order, without_words
from symtransformer.operation import Operation
from symtransformer.reading import syntax
from symtransformer.reading.problems import ReadingError, Span
from symtransformer.reading.vocabulary import function_named, is_greek_number, is_size_name
from symtransformer.scalars import GREEK


class Names:
    """Found by one walk over what was written."""

    def __init__(self, text: str, functions: dict[str, type[Operation]], matrices: set[str], scalars: set[str]) -> None:
        self.text, self.functions, self.matrices, self.scalars = text, functions, matrices, scalars
        self.seen: dict[str, Span] = {}
        self.numbers: dict[str, Span] = {}
        self.sizes: set[str] = set()  # numbers that stand where an operation takes a size, as r in ones(r, 1)
        self._in_size = False

    def look(self, place: syntax.Syntax, number: bool = False) -> None:
        if isinstance(place, syntax.Name):
            self._see(place.name, place.span, number)
        elif isinstance(place, syntax.Word):
            self._see(place.text, place.span, number)
        elif isinstance(place, syntax.Grouped):
            self.look(place.inner, number)
        elif isinstance(place, (syntax.Transposed, syntax.Root)):
            self.look(place.argument, isinstance(place, syntax.Root) and not self._is_capital(place.argument))
        elif isinstance(place, syntax.Power):
            self.look(place.base, number)
            if not isinstance(place.exponent, syntax.Grouped) or number:
                self.look(place.exponent, True)
        elif isinstance(place, syntax.Fraction):
            self.look(place.above, number or self._is_greek(place.above))
            self.look(place.below, self._is_number_below(place.below, number))
        elif isinstance(place, syntax.Chain):
            for k, (sign, part) in enumerate(place.factors):
                below = sign == "/" and self._is_number_below(part, number)
                in_front = k < len(place.factors) - 1 and self._is_greek(part)
                self.look(part, number or below or in_front)
        elif isinstance(place, syntax.Sum):
            for _, part in place.terms:
                self.look(part, number or (isinstance(part, syntax.Name) and part.name in ("eps", "epsilon")))
        elif isinstance(place, syntax.Entrywise):
            for part in place.factors:
                self.look(part, number)
        elif isinstance(place, syntax.Given):
            for part in place.rows:
                self.look(part, True)
        elif isinstance(place, syntax.Call):
            self._look_into_call(place)

    def _see(self, name: str, span: Span, number: bool) -> None:
        is_own = name in self.matrices or name in self.scalars or name in GREEK
        if not is_own and (name == "sqrt" or function_named(name, self.functions) is not None):
            raise ReadingError(self.text, span, "brackets", f"{name} needs brackets: {name}(...)")
        if name == "I" and not number and not is_own:
            return  # the identity matrix, as it is printed
        self.seen.setdefault(name, span)
        if name not in self.matrices and (number or name in self.scalars or is_size_name(name)):
            self.numbers.setdefault(name, span)
            self.sizes |= {name} if self._in_size else set()

    def _is_greek(self, part: syntax.Syntax) -> bool:
        """alpha X, 2 pi X: a Greek letter in front of a matrix is a number, unless a size was given for it."""
        return isinstance(part, syntax.Name) and is_greek_number(part.name)

    def _is_capital(self, part: syntax.Syntax) -> bool:
        """The root of a capital letter is taken entry by entry."""
        return isinstance(part, syntax.Name) and part.name[0].isupper()

    def _is_number_below(self, part: syntax.Syntax, number: bool) -> bool:
        while isinstance(part, syntax.Grouped):
            part = part.inner
        return number or isinstance(part, syntax.Name)

    def _look_into_call(self, place: syntax.Call) -> None:
        operation = function_named(place.function, self.functions)
        if operation is None:
            return
        kinds = {p.name: p.kind for p in operation.parameters}
        only_numbers = all(p.kind in (SCALAR, SIZE) for p in operation.parameters)
        choices = {c for p in operation.parameters for c in p.choices}
        ordered = operation.parameters if taken_in_order(operation.parameters) else without_words(operation.parameters)
        for k, part in enumerate(place.arguments):
            number = only_numbers
            if k < len(ordered):
                number = ordered[k].kind in (SCALAR, SIZE)
                self._in_size = ordered[k].kind == SIZE
            if not (isinstance(part, syntax.Name) and part.name in choices and part.name not in self.matrices):
                self.look(part, number)
            self._in_size = False
        for name, part in place.keywords:
            if kinds.get(name) not in (CHOICE, LABEL):
                self._in_size = kinds.get(name) == SIZE
                self.look(part, kinds.get(name) in (SCALAR, SIZE))
                self._in_size = False


def refuse_calls_of_letters(text: str, letters: set[str], functions: dict[str, type[Operation]]) -> None:
    """exp(X) where exp is the name of a line: it could be the function, or exp times X."""
    for name in sorted(x for x in letters if function_named(x, functions) is not None):
        if found := re.search(rf"(?<![A-Za-z0-9_]){name}\(", text):
            message = f"{name} is a letter here, and a function, too; give the letter another name, or write a product with a space, as in {name} (X)"
            raise ReadingError(text, Span(found.start(), found.end() - 1), "ambiguous", message)
