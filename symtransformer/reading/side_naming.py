r"""What a run of letters is: a name of the scope, the entry of one, a function, a constant, or a product of letters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from sympy import Expr, Integer, S

from symtransformer.node import Node
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.side_cursor import Position
from symtransformer.reading.side_names import Known, Spelled, joined, letter_name, spelled
from symtransformer.reading.side_tokens import Token
from symtransformer.reading.side_values import Part
from symtransformer.symbols import Letter, parameter

CONSTANTS: dict[str, Expr] = {"e": S.Exp1, "pi": S.Pi, "inf": S.Infinity, "oo": S.Infinity}


LETTERS = re.compile(r"[^\W\d_][0-9\u0300-\u036F]*")  # each with the digits that belong to it
UNITS = frozenset(("KB", "MB", "GB", "TB", "PB"))  # behind a number; not the matrix M times the matrix B


class Naming(Position):
    """The names of one side."""

    scope: Mapping[str, Known]
    bound: dict[str, int]
    used: dict[str, None]
    seen: str
    is_latex: bool
    undefined: Token | None
    called: Any
    counted_call: Any
    is_function: Any
    entry_of_name: Any

    def named(self) -> Part:
        token, tokens = self.token(), self.tokens
        if token.kind == "word" and (part := self._spaced()):
            return part
        name = self._spelled(token)
        if token.text in self.bound and name.index is None:
            self.i += 1
            return Part(Integer(self.bound[token.text]), None, token.start, token.end)
        if name.marks and name.index is not None and (part := self._marked_entry(token, name)) is not None:
            return part
        for whole, end in name.names:
            if whole in self.scope and not (end < name.index_end and tokens[end].kind == "low"):
                self._refuse_two_readings(token, whole, end)
                self.i = end
                return self.known(whole, token.start, tokens[end - 1].end)
        if (part := self.counted_call(token) or self.called(token)) is not None:
            return part
        if name.index is not None and (part := self.entry_of_name(token, name)) is not None:
            return part
        if name.index is None and token.kind != "upright" and token.text in CONSTANTS:
            self.i += 1
            form = "e" if token.text == "e" else ""
            return Part(CONSTANTS[token.text], None, token.start, token.end, form=form)
        if token.text in ("nan", "NaN", "undefined", "未定義") and name.index is None:
            self.i, self.undefined = self.i + 1, token
            return Part(S.Zero, None, token.start, token.end)
        if token.kind == "word" and self._split(token):
            return self.named()
        raise self._unknown(name.names[-1][0], token.start, tokens[name.names[-1][1] - 1].end)

    def _spelled(self, token: Token) -> Spelled:
        r"""d\\gamma is one name where it is defined, else a product."""
        name = spelled(self.tokens, self.i, self.seen)
        if token.text == "d" and name.base != "d" and not any(n in self.scope for n, _ in name.names):
            if name.index is None or not any(n in self.scope for n in name.wholes()):
                return spelled(self.tokens, self.i, self.seen, "d")
        return name

    def _marked_entry(self, token: Token, name: Spelled) -> Part | None:
        """s^mask_2 is row 2 of S_mask, also where there is an s."""
        if any(whole in self.scope for whole, end in name.names if end == name.index_end):
            return None
        part: Part | None = self.entry_of_name(token, name)
        mark = name.marks[0]
        powers = (mark, f"{mark}_{joined(name.index or ())}")
        known = self.scope.get(name.base)
        if part is not None and known and known.shape is None and any(power in self.scope for power in powers):
            raise self.refuse(token, "ambiguous", f"a power, or an index of what is marked {mark}? use brackets")
        return part

    def _unknown(self, name: str, start: int, end: int) -> ReadingError:
        shown = "".join(c if c.isprintable() else "?" for c in name[:40])
        hint = "; a prime is no transpose" if name.endswith("'") else ""
        return self.refuse(Part(0, None, start, end), "unknown_name", f"{shown!r} is not defined before this{hint}")

    def known(self, name: str, start: int, end: int) -> Part:
        self.used[name] = None
        known = self.scope[name]
        if known.shape is None:
            return Part(symbol(name), None, start, end, name=name)
        return Part(S.One, letter(name, *known.shape), start, end, known.listed, name=name, is_mask=known.mask)

    def _spaced(self) -> Part | None:
        """A name of several words."""
        words, last = self.token().text, None
        for k in range(self.i + 1, min(self.i + 5, len(self.tokens))):
            if self.tokens[k].kind != "word":
                break
            words += " " + self.tokens[k].text
            last = (words, k) if words in self.scope else last
        if last is None:
            return None
        start, self.i = self.token().start, last[1] + 1
        return self.known(last[0], start, self.tokens[last[1]].end)

    def _refuse_two_readings(self, token: Token, name: str, end: int) -> None:
        if name == "O" and end < len(self.tokens) and self.tokens[end].kind == "(" and self.tokens[end].tight:
            raise self.refuse(
                token, "ambiguous", "O(...) may be how fast something grows; write O · (...) for a product"
            )
        if end < len(self.tokens) and self.tokens[end].kind == "(" and len(name) > 1 and self.is_function(name):
            raise self.refuse(token, "ambiguous", f"{name[:40]} is defined, and a function of that name is known")
        run = token.text
        is_run = self.is_latex and token.kind == "word" and len(run) > 1 and name.startswith(run)
        if is_run and all(letter in self.scope for letter in (*run[:-1], run[-1] + name[len(run) :])):
            message = (
                rf"{name[:40]} is a name that is defined, and a product of letters that are; use \mathrm or spaces"
            )
            raise self.refuse(token, "ambiguous", message)

    def _split(self, token: Token) -> bool:
        r"""A run of capitals, and in LaTeX any run, is a product of its letters where all of them are known."""
        pieces = LETTERS.findall(token.text)
        if token.text in UNITS and self.i and self.tokens[self.i - 1].kind == "number":
            return False
        if len(pieces) < 2 or "".join(pieces) != token.text or not (self.is_latex or token.text.isupper()):
            return False
        following = spelled(self.tokens, self.i, self.seen, pieces[-1])
        last = any(name in self.scope for name, _ in following.names) or self._could_be_entry(following)
        if not (last and all(p in self.scope or p in self.bound or p == "e" for p in pieces[:-1])):
            return False
        made, start = [], token.start
        for k, piece in enumerate(pieces):
            made.append(Token("word", piece, start, start + len(piece), k > 0 or token.tight))
            start += len(piece)
        self.tokens = [*self.tokens[: self.i], *made, *self.tokens[self.i + 1 :]]
        return True

    def is_product(self, run: str, end: int) -> bool:
        """Whether a run of letters in braces is no name but several letters, which no index behind the braces joins."""
        is_marked = end < len(self.tokens) and self.tokens[end].kind in ("low", "^", "raised", "T", "'")
        return run not in self.scope and len(LETTERS.findall(run)) > 1 and not is_marked

    def _could_be_entry(self, name: Spelled) -> bool:
        if name.base in self.scope:
            return True
        return (
            name.base in self.bound or name.base in CONSTANTS if name.index is None else name.base.upper() in self.scope
        )


@lru_cache(maxsize=4096)
def letter(name: str, rows: int, columns: int) -> Node:
    return Letter(letter_name(name), rows, columns)


@lru_cache(maxsize=4096)
def symbol(name: str) -> Expr:
    return parameter(letter_name(name))
