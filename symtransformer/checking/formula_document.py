r"""The document's own formulas so far: what each name stands for, and the lines that the library's readers take."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from symtransformer.checking.formula_deciding import read_lines, readable, words_in
from symtransformer.checking.formula_definitions import GRADIENT, Definition, definition_of, matrix_form
from symtransformer.checking.formula_names import Names
from symtransformer.checking.formula_reading import read_formula
from symtransformer.checking.formula_syntax import (
    Call,
    Named,
    Number,
    Part,
    Power,
    changed,
    free_indices,
    put_in,
)
from symtransformer.checking.formula_writing import with_stars_entrywise, written
from symtransformer.claims.time_limit import check_time
from symtransformer.errors import SymtransformerError
from symtransformer.reading import ReadingError

FORMULAS_AT_MOST = 200
INSIDE_AT_MOST = 3  # functions made of functions
OF_VECTOR = re.compile(r"softmax\(([a-z]\w*)\)")
COUNTING = frozenset("ijklmnt")  # what counts rows and entries
KEPT = frozenset(("LayerNorm", "RMSNorm", "softmax", "Softmax", "sigmoid", "GELU", "ReLU", "SiLU", "tanh", "sigma"))


@dataclass
class Document:
    """Definitions in order; `known` are sizes and shapes of names that have values."""

    names: Names
    known: Mapping[str, Any]
    is_numpy: bool = False  # @ stands for products somewhere
    is_exact: bool = False  # a is a, and no row of A
    definitions: dict[str, Definition] = field(default_factory=dict)
    functions: dict[str, Definition] = field(default_factory=dict)
    aliases: dict[str, Part] = field(default_factory=dict)  # Y = X: the one stands for the other
    letters: set[str] = field(default_factory=set)  # every name seen so far
    told: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # sizes that the words give names

    def copy(self) -> Document:
        """The same, so that what is read from now on changes nothing here."""
        own = dict(self.definitions), dict(self.functions), dict(self.aliases), set(self.letters)
        return Document(self.names.copy(), self.known, self.is_numpy, self.is_exact, *own, self.told)

    def without(self, names: Iterable[str]) -> Document:
        """The same without what is said of these names."""
        gone = set(names)
        made = self.copy() if gone else self
        for name in gone:
            del made.definitions[name]
        return made

    def exact(self) -> Document:
        """The same where nothing has an index: the letter a is then no row of A."""
        return replace(self, is_exact=True)

    # -- reading ----------------------------------------------------------------------------------------------------
    def read(self, text: str, latex: bool = False) -> Part:
        """One side in safe names."""
        part = read_formula(self.names.with_phrases(text), self.names, self.functions, latex)
        return with_stars_entrywise(part) if self.is_numpy or "@" in text else part

    def left(self, text: str, latex: bool = False) -> Part:
        phrase = self.names.phrase(text.strip()) if "\\" not in text else None
        return Named(phrase) if phrase is not None else self.read(text, latex)

    def is_whole_name(self, left: Part, right: str, latex: bool) -> bool:
        """Whether U_c is one name: U has a formula, and c is no index of the right side; from now on it is."""
        if (
            not isinstance(left, Named)
            or len(left.indices) != 1
            or left.indices[0] in COUNTING
            or left.indices[0].isdigit()
        ):
            return False
        try:
            free = free_indices(self.read(right, latex))
        except ReadingError:
            return False
        if left.indices[0] in free:
            return False
        self.names.known.add(f"{left.name}_{left.indices[0]}")
        return True

    def canonical(self, text: str) -> str:
        try:
            part = self.left(text)
        except ReadingError:
            return ""
        return part.name if isinstance(part, Named) and not part.indices else ""

    def remember(self, text: str) -> str:
        """A name that stands for one thing, so that it is no product of letters."""
        if name := self.canonical(text):
            self.names.known.add(name)
            self.letters.add(name)
        return name

    def add(self, text: str, right: str) -> None:
        self.remember(text)
        latex = "\\" in text + right
        try:
            left = self.left(text, latex)
            if self.is_whole_name(left, right, latex):
                left = self.left(text, latex)
        except ReadingError:
            return
        try:
            value: Part | None = self.read(right, latex)
        except ReadingError:
            value = None
        made = definition_of(left, value)
        if made is not None and value is not None and free_indices(value) - {*made.indices} and not made.arguments:
            made = replace(made, right=None)  # S = Q_i K_jᵀ says it of one block only
        if made is None or (GRADIENT.fullmatch(made.name) and made.has_gradients):
            return
        if made.arguments is not None:
            self.functions[made.name] = made
            return
        self._take(made)

    def meant(self, part: Part, bound: Iterable[str] = ()) -> Part:
        """The formula without names that only stand for other names; those that are bound stand for themselves."""
        rule = {n: p for n, p in self.aliases.items() if n not in bound}
        return put_in(part, rule) if rule else part

    def _take(self, made: Definition) -> None:
        made = replace(made, right=self.meant(made.right)) if made.right is not None else made
        if made.right == Named(made.name, made.indices):
            return  # B = A where A stands for B
        self.aliases.pop(made.name, None)
        before = self.definitions.get(made.name)
        if made.indices and before is None and (whole := self.find(made.name)) is not None and not whole.indices:
            return  # what the entries of a matrix are that is known
        if before is not None and before.right != made.right:
            old = self._old(made.name)
            self.names.keep_former(old, made.name, int(old.rpartition("old")[2]))
            made = self._rename(made, old)
        elif made.name in made.uses:
            old = f"{made.name.replace('_', '')}before"
            self.names.keep_former(old, made.name, 0)
            made = self._rename(made, old)
        self.definitions.pop(made.name, None)
        self.definitions[made.name] = made
        if len(self.definitions) > FORMULAS_AT_MOST:
            del self.definitions[next(iter(self.definitions))]
        if made.is_alias and isinstance(made.right, Named) and made.right.name != made.name:
            self.aliases[made.name] = made.right
        self.letters |= {made.name, *made.uses}
        self.names.known.add(made.name)

    def _old(self, name: str) -> str:
        k = sum(n.startswith(f"{name.replace('_', '')}old") for n in self.definitions) + 1
        return f"{name.replace('_', '')}old{k}"

    def _rename(self, made: Definition, old: str) -> Definition:
        """The new definition in terms of the former value; what was made from that goes on meaning it."""
        name = made.name
        rule: dict[str, Part] = {name: Named(old)}

        def meaning(value: Definition) -> Definition:
            is_inside = value.right is not None and name in value.uses
            return replace(value, right=put_in(value.right, rule)) if is_inside and value.right else value

        self.definitions = {
            old if key == name else key: replace(value, name=old) if key == name else value
            for key, value in ((key, meaning(value)) for key, value in self.definitions.items())
        }
        self.functions = {key: meaning(value) for key, value in self.functions.items()}
        self.letters.add(old)
        self.aliases = {key: put_in(part, rule) for key, part in self.aliases.items()}
        return meaning(made)

    # -- what it says -----------------------------------------------------------------------------------------------
    def behind(self, names: Iterable[str]) -> list[Definition]:
        """The definitions that the names rest on, in order; rows and entries mean their matrix."""
        wanted: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            found = self.find(name)
            if found is not None and found.name not in wanted:
                wanted.add(found.name)
                waiting += found.uses
        return self._in_order(wanted)

    def _in_order(self, names: set[str]) -> list[Definition]:
        """Each behind those that it is made of; else as they stand in the document."""
        found: dict[str, Definition] = {}

        def take(definition: Definition, depth: int) -> None:
            for name in definition.uses if depth < len(names) else ():
                if (used := self.find(name)) is not None and used.name in names and used.name not in found:
                    take(used, depth + 1)
            found.setdefault(definition.name, definition)

        for definition in self.definitions.values():
            if definition.name in names:
                take(definition, 0)
        return [*found.values()]

    def find(self, name: str) -> Definition | None:
        if name in self.definitions:
            return self.definitions[name]
        if self.is_exact:
            return None
        capital = name[:1].upper() + name[1:]
        small = name[:1].lower() + name[1:]
        other = self.definitions.get(capital) or self.definitions.get(small)
        return other if other is not None and (other.name == capital or other.indices) else None

    def lines(self, names: Iterable[str]) -> list[tuple[str, str]]:
        """Matrix formulas (name, text) behind the names; what has no such form is left out."""
        found = []
        for definition in self.behind(names):
            made = self.matrix_line(definition)
            if made is not None:
                found.append(made)
        return readable(found, {})

    def matrix_line(self, definition: Definition) -> tuple[str, str] | None:
        if (
            definition.right is None
            or definition.squared
            or definition.has_gradients
            or isinstance(definition.right, Named)
        ):
            return None
        right = self.expanded(definition.right)
        if not definition.indices:
            return definition.name, written(right)
        made = matrix_form(definition.name, definition.indices, right)
        return self._of_column(*made) if made is not None else None

    def _of_column(self, name: str, text: str) -> tuple[str, str]:
        """p_i = e^{z_i} / Σ_j e^{z_j} of a column such as z = W x goes over its entries, and not along its rows."""
        found = OF_VECTOR.fullmatch(text)
        of = self.definitions.get(found[1]) if found is not None else None
        if found is None or of is None or of.indices or of.name == name:
            return name, text
        lines = self.lines([of.name])
        try:
            joined = "\n".join(f"{n} = {t}" for n, t in lines)
            node = read_lines(joined, {}, words_in((), {}, lines)).names.get(of.name)
        except SymtransformerError:
            return name, text
        is_column = node is not None and node.shape[1] == 1 and node.shape[0] != 1
        return (name, f"softmax({of.name}^T)^T") if is_column else (name, text)

    def expanded(self, part: Part, everything: bool = False, inside: tuple[Definition, ...] = ()) -> Part:
        """The document's own functions written out where they are called, and s² where it has a formula and s has none.

        Functions of the library's names are written out only for `everything`; `inside` are those whose formula it is.
        """
        check_time()
        if isinstance(part, Power) and part.exponent == Number("2") and isinstance(part.base, Named):
            square = self.definitions.get(part.base.name)
            if square is not None and square.squared and square.right is not None and _means_the_same(square, inside):
                if square.indices == part.base.indices:
                    return self.expanded(square.right, everything, inside)
        if isinstance(part, Call) and (everything or part.function not in KEPT) and len(inside) < INSIDE_AT_MOST:
            function = self.functions.get(part.function)
            if function is not None and function.right is not None and _means_the_same(function, inside):
                if len(function.arguments or ()) == len(part.arguments):
                    given = [self.expanded(a, everything, inside) for a in part.arguments]
                    body = self.expanded(function.right, everything, (*inside, function))
                    return put_in(body, dict(zip(function.arguments or (), given, strict=True)))
        return changed(part, lambda inner: self.expanded(inner, everything, inside))  # type: ignore[no-any-return]


def _means_the_same(definition: Definition, inside: tuple[Definition, ...]) -> bool:
    """Whether its letters mean inside of these functions what they mean outside; none is written out in itself."""
    names = {definition.name, *definition.uses}
    return not any(definition.name == function.name or names & {*(function.arguments or ())} for function in inside)
