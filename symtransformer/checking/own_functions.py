r"""A document's own functions at a number: of f(x) = x² + 1, f(2) is 2² + 1.

Only what has one reading is put in: a letter that stands alone, never one among others that are written together.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass

from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation
from symtransformer.checking.prose import sentences
from symtransformer.checking.situation import Asked
from symtransformer.documents import Document, Relation
from symtransformer.reading.limits import FORMULA_CHARACTERS
from symtransformer.reading.side_functions import is_function
from symtransformer.reading.vocabulary import GREEK_SIGNS
from symtransformer.scalars import GREEK

LETTER = rf"(?:[A-Za-z]|\\(?:{'|'.join(GREEK)})(?![A-Za-z])|[α-ωΑ-Ω])"
BETWEEN = r"(?:\s|\\[,;! ]|\\left(?![A-Za-z]))*"
PRIME = r"(?:'|′|\^\s*\{?\s*\\prime\s*\}?)"
HEAD = re.compile(
    rf"\s*(?P<name>{LETTER}{PRIME}{{0,2}}){BETWEEN}\((?P<letters>{BETWEEN}{LETTER}{BETWEEN}(?:,{BETWEEN}{LETTER}{BETWEEN})*)(?:\\right)?\)\s*"
)
RUN = re.compile(r"\\?[A-Za-z]+|[α-ωΑ-Ω]")
CALLED = re.compile(rf"(?:{RUN.pattern}){PRIME}{{0,2}}")
BEFORE_BRACKETS = re.compile(rf"(?:{RUN.pattern})(?={BETWEEN}\()")
FUNCTION = r"(?:[Ss]igmoid|[Ll]ogistic|[Nn]on-?linearity|(?:[A-Za-z]+ )?[Ff]unction)"
ALONE = r"([A-Za-zα-ωΦ])(?![\w'’(^=])(?! ?=)"
TOLD = re.compile(
    rf"(?<![A-Za-z\\])([A-Za-zα-ωΦ]) ?\( ?[·⋅∙.] ?\)|\b{FUNCTION}(?: function)?,? {ALONE}|関数 ?{ALONE}"
    rf"|(?<![A-Za-z])([A-Za-zα-ωΦ]) (?:is|denotes|be) (?:the|an?) {FUNCTION}\b"
)
MAY_TELL = re.compile(rf"\( ?[·⋅∙.] ?\)|{FUNCTION}|関数")
SEPARATORS = re.compile(r"\\left(?![A-Za-z])|\\right(?![A-Za-z])|\\[,;! ]|\s")
NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")
BEFORE_A_NUMBER, BEHIND_A_NUMBER = "+-−*/·×({[,", "+-−*/·×^)}],"
CALLS_AT_MOST = 16  # in one side


@dataclass(frozen=True)
class OwnFunction:
    """name(letters) = body."""

    letters: tuple[str, ...]
    body: str
    line: int = 0

    def at(self, arguments: Sequence[str]) -> str | None:
        """The body with the arguments in place of the letters; None where a letter may be part of something else."""
        put, done = [], 0
        for found in RUN.finditer(self.body):
            run = _key(found.group())
            if run in self.letters:
                put += [
                    self.body[done : found.start()],
                    self._written(arguments[self.letters.index(run)], *found.span()),
                ]
                done = found.end()
            elif not found.group().startswith("\\") and any(x in run for x in self.letters) and not is_function(run):
                return None
        return "".join([*put, self.body[done:]])

    def _written(self, argument: str, start: int, end: int) -> str:
        """In braces above, in brackets elsewhere; a number among signs needs none."""
        before, behind = self.body[:start].rstrip()[-1:], self.body[end:].lstrip()[:1]
        if before == "^":
            return f"{{{argument}}}"
        is_alone = before in ("", *BEFORE_A_NUMBER) and behind in ("", *BEHIND_A_NUMBER)
        return argument if is_alone and NUMBER.fullmatch(argument) else f"({argument})"


class OwnFunctions:
    """What a document has given formulas for, by the letters that it calls them."""

    def __init__(self) -> None:
        self.by_name: dict[str, OwnFunction] = {}
        self.called: set[str] = set()  # names that stand for functions from here on, though they may have values
        self._told: list[tuple[str, tuple[int, int], str]] = []  # by words: file, place, name

    def add(self, document: Document) -> None:
        """Names that the words use as functions: the gate σ(·)."""
        for file, start, _, sentence in sentences(document):
            for found in TOLD.finditer(sentence) if MAY_TELL.search(sentence) else ():
                place = document.place(start)
                name = next(filter(None, found.groups()))
                self._told.append((file, (place.line, place.column), _key(name)))

    def come_to(self, relation: Relation) -> None:
        """What the words have said up to a relation."""
        at = relation.line, relation.column
        self.called |= {name for file, place, name in self._told if file == relation.file and place <= at}

    def given_before(self, left: str, right: str) -> OwnFunction | None:
        """The function of which an equation gives a formula, where it has had one."""
        head = _head_of(left, right)
        return self.by_name.get(head[0]) if head is not None else None

    def heed(self, equation: Equation, asked: Asked, has_value: bool) -> None:
        """Keep f(x) = ..., unless it is said of some x only, or not said to be so, or f has a value."""
        relation, saying = asked.relation, asked.saying
        self._heed_call(equation, relation)
        head = _head_of(relation.left.text, relation.right.text)
        if head is None or relation.sign not in ("=", ":="):
            return
        name, letters = head
        body = relation.right.text
        is_said_of_some = bool(saying.takes_back or saying.supposes == "if" or saying.conditions or relation.condition)
        is_given = equation.verdict in ("definition", "proved") and not (is_said_of_some or asked.is_pitfall)
        if is_given and name not in _runs(body) and not has_value:
            self.by_name[name] = OwnFunction(letters, body, relation.line)
        else:
            self.by_name.pop(name, None)

    def _heed_call(self, equation: Equation, relation: Relation) -> None:
        """N(x) = ... says that N is a function, unless it holds as a product; where x is not on the right, unless it may."""
        found = HEAD.fullmatch(relation.left.text)
        is_given = _head_of(relation.left.text, relation.right.text) is not None
        is_product = equation.kind == "number" and equation.verdict in (
            ACCEPTED if is_given else (*ACCEPTED, *ACCUSING)
        )
        if found is not None and relation.sign in ("=", ":=") and not is_product:
            self.called.add(_key(found["name"]))

    @staticmethod
    def name_given(left: str, right: str) -> str:
        """f, where f(x) = x² + 2 is said: of every x, also where x has a value; else nothing."""
        head = _head_of(left, right)
        return head[0] if head is not None else ""

    def called_in(self, text: str, values: Container[str]) -> str:
        """N in N(3) where the document uses N as a function and gives it a value, or e of e(x); it is no product."""
        names = {name for name in self.called if name in values} | ({"e"} & self.by_name.keys())
        for found in BEFORE_BRACKETS.finditer(text) if names else ():
            run = found.group()
            inside = _inside(text, text.index("(", found.end()) + 1)
            for name in (_key(run), "" if run.startswith("\\") else run[-1:]):
                is_product = inside is not None and any(name in _runs(argument) for argument in inside[0])
                if name in names and not is_product:  # g (1 - g)
                    return name
        return ""

    def put_in(self, text: str) -> str | None:
        """The text with each call of such a function written out in brackets; None where there is none, or it is not clear."""
        if not self.by_name or len(text) > FORMULA_CHARACTERS:
            return None
        made, changed = text, False
        for _ in range(CALLS_AT_MOST + 1):
            call = self._call(made)
            if call is None:
                return made if changed else None
            start, end, function, arguments = call
            written = function.at(arguments) if len(arguments) == len(function.letters) else None
            if written is None:
                return None
            is_all = not made[:start].strip() and not made[end:].strip()
            made, changed = written if is_all else f"{made[:start]}({written}){made[end:]}", True
            if len(made) > FORMULA_CHARACTERS:
                return None
        return None

    def _call(self, text: str) -> tuple[int, int, OwnFunction, list[str]] | None:
        """The innermost call that comes first."""
        for found in CALLED.finditer(text):
            function = self.by_name.get(_key(found.group()))
            opening = re.compile(rf"{BETWEEN}\(").match(text, found.end()) if function is not None else None
            if function is None or opening is None:
                continue
            inside = _inside(text, opening.end())
            if inside is None:
                continue
            arguments, end = inside
            if not any(_key(run.group()) in self.by_name for a in arguments for run in RUN.finditer(a)):
                return found.start(), end, function, arguments
        return None


def _key(run: str) -> str:
    r"""sigma for \sigma and σ, and f' for f^{\prime}."""
    primes = len(re.findall(PRIME, run))
    bare = re.sub(PRIME, "", run).strip()
    return GREEK_SIGNS.get(bare, bare.removeprefix("\\")) + "'" * primes


def _runs(text: str) -> set[str]:
    return {_key(run.group()) for run in RUN.finditer(text)}


def _head_of(left: str, right: str) -> tuple[str, tuple[str, ...]] | None:
    """f and (x,) of f(x) = ..., where every letter stands on the right side."""
    found = HEAD.fullmatch(left)
    if found is None:
        return None
    letters = tuple(map(_key, SEPARATORS.sub("", found["letters"]).split(",")))
    return (_key(found["name"]), letters) if len(set(letters)) == len(letters) and _runs(right) >= {*letters} else None


def _inside(text: str, start: int) -> tuple[list[str], int] | None:
    """The arguments of a call whose bracket is open, and where it ends."""
    depth, pieces, begin = 1, [], start
    for at in range(start, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0 or (depth == 1 and text[at] == "," and text[at - 1] != "\\"):
            pieces.append(text[begin:at].removesuffix("\\right").strip())
            begin = at + 1
        if depth == 0:
            return pieces, at + 1
    return None
