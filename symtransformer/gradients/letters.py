"""Names of cotangents, and the letters by which somebody asks for a gradient."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable
from difflib import get_close_matches
from typing import Any

from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.node import Node, interned_letter
from symtransformer.scalars import other_letter, without_namespace
from symtransformer.symbols import NAME, DistributionLetter, Letter, is_name


def cotangent_name(name: str) -> str:
    """dQ for Q, enc1.dQ for enc1.Q."""
    place, dot, bare = name.rpartition(".")
    return f"{place}{dot}d{bare}"


class Namer:
    """Letters for cotangents and for what they are made from, with names that nothing else bears."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.taken = set(taken)
        self.parts: set[str] = set()  # names of parts, without the index that some have

    def cotangent(self, letter: Letter) -> Letter:
        """dQ for Q; dW_Q1 for the W_Q of head 1 alone."""
        name = self.name_of_cotangent(letter)
        if letter._facts.of_one_head:
            return Letter(name, *letter.shape)
        if type(letter) is Letter:
            return interned_letter(name, letter._facts)  # type: ignore[no-any-return]
        return Letter(name, *letter.shape, letter.head)

    def name_of_cotangent(self, letter: Letter) -> str:
        place, dot, bare = letter.name.rpartition(".")
        bare = f"d{bare}"
        if letter._facts.of_one_head:
            bare = f"{bare}{'' if '_' in letter.name else '_'}{letter.head + 1}"  # type: ignore[operator]
        return self._free(place + dot + bare, bare)

    def part(self, name: str, of: Letter, part: Node) -> Letter:
        """sigma for a part of a step, in the namespace and of the head of the step; enc1.sigma, and sigma_1 for R_1."""
        head = None if of._open_symbols.isdisjoint(part._symbols) else of.head
        return Letter(self.name_of_part(name, of, part._children[0]), *part.shape, head)

    def name_of_part(self, name: str, of: Letter, argument: Node | None) -> str:
        """The name of a part that is made from this argument; None stands for one that is no letter."""
        told = self._told_apart(name, argument, without_namespace(of.name)[0])
        return self._free(told, told.rpartition(".")[2])

    def _told_apart(self, name: str, argument: Node | None, place: str) -> str:
        """The name with the index of what the part is made from; another letter where the name means something else."""
        plain = f"{place}.{name}" if place else name
        low = without_namespace(argument.name)[1].partition("_")[2] if isinstance(argument, Letter) else ""
        if low and f"{plain}_{low}" not in self.taken and not (low.isdigit() and plain in self.taken):
            self.parts.add(plain)
            return f"{plain}_{low}"
        rows = any(re.fullmatch(rf"{re.escape(plain)}_[0-9]+", other) for other in self.taken)
        known = plain in self.parts or rows  # sigma2 beside sigma, and beside sigma_2, which would be its row 2
        self.parts.add(plain)
        if plain in self.taken and not known:
            return other_letter(plain, self.taken)
        return next(n for n in _numbered(plain) if self._looks_new(n)) if known else plain

    def _looks_new(self, name: str) -> bool:
        """Whether nothing has the name, nor one that is told from it by a low line only."""
        return self.taken.isdisjoint((name, re.sub("([0-9]+)$", r"_\1", name))) and name not in self.parts

    def _free(self, name: str, bare: str) -> str:
        """The name, or one like it that nothing bears; `bare` is what follows the namespace, which is that of a letter."""
        if name in self.taken or not is_name(bare):
            name = next(n for n in _numbered(name) if n not in self.taken)
        self.taken.add(name)
        return name


def _numbered(name: str) -> Iterable[str]:
    """sigma, sigma2, sigma3, ...; dW_Q, dW2_Q, ...: each a name."""
    place, bare = without_namespace(name)
    base, _, low = bare.partition("_")
    number = 1
    while True:
        mark = "" if number == 1 else str(number)
        shown = f"{base[: 16 - len(mark)]}{mark}" + (f"_{low[:15]}" if low else "")
        found = f"{place}.{shown}" if place else shown
        if NAME.fullmatch(found):
            yield found
        number += 1


def key_of(letter: Letter) -> str:
    """How a gradient is looked up: by the name of its letter, W_Q^(1) where it is that of one head."""
    return str(letter) if letter._facts.of_one_head else letter.name


def chosen_letters(
    wrt: Any, inputs: Iterable[Letter], steps: Iterable[Letter], numbers: Callable[[], Container[str]]
) -> tuple[Letter, ...]:
    """The letters that are meant: inputs, or the results of steps; all inputs where none is named."""
    inputs = tuple(inputs)
    if wrt is None:
        return tuple([x for x in inputs if not isinstance(x, DistributionLetter)])
    if isinstance(wrt, str):
        asked: list[Any] = [name.strip() for name in wrt.split(",") if name.strip()]
    else:
        asked = [wrt] if isinstance(wrt, Node) or not isinstance(wrt, Iterable) else list(wrt)
    if not asked:
        raise UnreadableInput(
            "differentiating: no letter is named; pass names, as in 'Q, K', or nothing for all inputs"
        )
    known = [*inputs, *steps]
    found: dict[Letter, None] = {}
    for one in asked:
        text = one.name if isinstance(one, Letter) else str(one)
        here = [x for x in known if text in (x.name, key_of(x))]
        if not here:
            close = get_close_matches(text, [key_of(x) for x in known], 1)
            hint = f"; did you mean {close[0]}?" if close else ""
            names = ", ".join(map(key_of, inputs))
            what = "is a number, and gradients are with respect to matrices" if text in numbers() else "is not an input"
            raise UnreadableInput(f"differentiating: {text[:40]} {what}; the inputs are {names}{hint}")
        found.update(dict.fromkeys(here))
    return tuple(found)


def require_one_form_of_heads(letters: Collection[Any]) -> None:
    """A letter stands for a family or for single heads, not for both: what they add up to would be lost."""
    facts: dict[str, Any] = {}
    unlike = set[str]()  # names of letters that differ in more than their names
    for letter in letters:
        if facts.setdefault(letter.name, letter._facts) is not letter._facts:
            unlike.add(letter.name)
    for name in sorted(unlike):
        heads = {letter.head for letter in letters if letter.name == name}
        if len(heads) > 1 and any(head is None or head.free_symbols for head in heads):
            raise NotSupported(
                f"differentiating: {name} stands for the family of all heads and for single heads at once; "
                "write the heads out, or use the family only"
            )
