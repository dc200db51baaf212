"""The grammar (lark, LALR): from tokens to what was written, as records of `syntax`."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

from symtransformer.reading.problems import ReadingError, Span, quoted
from symtransformer.reading.syntax import (
    Call,
    Chain,
    Entrywise,
    Fraction,
    Given,
    Grouped,
    Infinity,
    Line,
    Name,
    Number,
    OnesColumn,
    Power,
    Root,
    Sum,
    Syntax,
    Transposed,
    Word,
)
from symtransformer.reading.tokens import Token

GRAMMAR = r"""
start: (line (NEWLINE line)*)?
line: [NAME AMPERSAND? EQUALS AMPERSAND?] sum
sum: MINUS? entrywise ((PLUS | MINUS) entrywise)*
entrywise: divided (HADAMARD divided)*
divided: chain (ENTRYWISE_SLASH chain)*
chain: factor (link? factor)*
!link: TIMES | AT | SLASH
factor: atom (TRANSPOSE | CARET exponent)*
exponent: MINUS? NUMBER        -> signed
        | MINUS? NAME          -> signed
        | LBRACE sum RBRACE    -> group
        | LPAR sum RPAR        -> group
?atom: NUMBER                  -> number
     | INFINITY                -> infinity
     | NAME                    -> name
     | WORD                    -> word
     | ONES                    -> ones
     | LPAR sum RPAR           -> group
     | LBRACE sum RBRACE       -> group
     | SQRT (LBRACE | LPAR) sum (RBRACE | RPAR)  -> root
     | FRAC LBRACE sum RBRACE LBRACE sum RBRACE -> fraction
     | FUNCTION LPAR [argument (COMMA argument)*] RPAR -> call
     | LSQB item (COMMA item)* RSQB -> listed
     | BEGIN cells (ROWEND cells)* ROWEND? END -> environment
argument: [WORD EQUALS] sum
item: sum
cells: sum (AMPERSAND sum)*
%declare NEWLINE NAME AMPERSAND EQUALS MINUS PLUS HADAMARD ENTRYWISE_SLASH TIMES AT SLASH TRANSPOSE CARET NUMBER LBRACE RBRACE
%declare LPAR RPAR INFINITY WORD ONES SQRT FRAC FUNCTION COMMA LSQB RSQB BEGIN END ROWEND
"""
SIGNS = {
    "NUMBER": "a number", "NAME": "a name", "FUNCTION": "a function", "RPAR": "a closing )", "RSQB": "a closing ]",
    "RBRACE": "a closing }", "LPAR": "an opening (", "LBRACE": "an opening {", "END": r"\\end", "COMMA": "a comma",
    "EQUALS": "=", "NEWLINE": "a new line", "$END": "the end",
}  # fmt: skip


@cache
def _parser() -> Any:
    from lark import Lark

    from symtransformer.reading.from_tokens import FromTokens

    return Lark(GRAMMAR, parser="lalr", lexer=FromTokens, cache=_place_of_tables())


def _place_of_tables() -> str | bool:
    """A file beside what Python compiles, where it may write that; lark makes it anew when the grammar changes."""
    folder = Path(__file__).parent / "__pycache__"
    may_write = folder.is_dir() and os.access(folder, os.W_OK) and not sys.dont_write_bytecode
    return str(folder / f"grammar.{sys.implementation.cache_tag}.lark") if may_write else False


def parsed(text: str, tokens: list[Token]) -> list[Line]:
    """The lines of a text, from its tokens."""
    from lark.exceptions import UnexpectedToken

    try:
        tree = _parser().parse(_without_empty_lines(tokens))
    except UnexpectedToken as error:
        raise _unexpected(text, tokens, error) from None
    try:
        return [_line(child) for child in tree.children if getattr(child, "data", "") == "line"]
    except _TwoSuperscriptsError as error:
        message = "two superscripts on one another; use brackets to say which is meant"
        raise ReadingError(text, error.span, "two_superscripts", message) from None


def _without_empty_lines(tokens: list[Token]) -> list[Token]:
    kept: list[Token] = []
    for token in tokens:
        if token.kind != "NEWLINE" or (kept and kept[-1].kind != "NEWLINE"):
            kept.append(token)
    return kept[:-1] if kept and kept[-1].kind == "NEWLINE" else kept


def _unexpected(text: str, tokens: list[Token], error: Any) -> ReadingError:
    token, expected = error.token, set(error.expected or ())
    if token.type == "$END":
        end = len(text.rstrip())
        opened = [t for t in ("RPAR", "RSQB", "RBRACE", "END") if t in expected]
        missing = f"; {SIGNS[opened[0]]} is missing" if opened else ""
        return ReadingError(text, Span(end, end), "incomplete", f"the expression is not complete{missing}")
    span = Span(token.start_pos, token.end_pos)
    before = [t for t in tokens if t.span.end <= token.start_pos]
    hint = f" after {quoted(before[-1].text)}" if before and before[-1].kind != "NEWLINE" else ""
    shown = "a new line" if token.type == "NEWLINE" else quoted(str(token))
    return ReadingError(text, span, "syntax", f"{shown} cannot stand here{hint}")


# -- lark's trees to records -----------------------------------------------------------------------------------
def _span(children: list[Any]) -> Span:
    places = [p for p in map(_place, children) if p is not None]
    return places[0].to(places[-1])


def _place(child: Any) -> Span | None:
    if isinstance(child, Syntax):
        return child.span
    return Span(child.start_pos, child.end_pos) if hasattr(child, "start_pos") else None


def _line(tree: Any) -> Line:
    *head, value = tree.children
    name = next((c for c in head if c is not None and c.type == "NAME"), None)
    made = _sum(value)
    return Line(made.span, str(name or ""), _place(name) or made.span, made)


def _sum(tree: Any) -> Syntax:
    sign, terms, places = "+", [], list(tree.children)
    for child in tree.children:
        if getattr(child, "type", "") in ("PLUS", "MINUS"):
            sign = "-" if child.type == "MINUS" else "+"
        else:
            terms.append((sign, _entrywise(child)))
    if len(terms) == 1 and terms[0][0] == "+":
        return terms[0][1]
    first = _place(places[0]) or terms[0][1].span
    return Sum(first.to(terms[-1][1].span), tuple(terms))


def _entrywise(tree: Any) -> Syntax:
    inner = _entrywise if tree.data == "entrywise" else _chain
    factors = tuple(inner(c) for c in tree.children if hasattr(c, "data"))
    if len(factors) == 1:
        return factors[0]
    return Entrywise(factors[0].span.to(factors[-1].span), factors, divided=tree.data == "divided")


def _chain(tree: Any) -> Syntax:
    sign, factors = "", []
    for child in tree.children:
        if child.data == "link":
            sign = str({"TIMES": "*", "AT": "@", "SLASH": "/"}[child.children[0].type])
        else:
            factors.append((sign, _factor(child)))
            sign = ""
    if len(factors) == 1:
        return factors[0][1]
    return Chain(factors[0][1].span.to(factors[-1][1].span), tuple(factors))


class _TwoSuperscriptsError(Exception):
    def __init__(self, span: Span) -> None:
        self.span = span


def _factor(tree: Any) -> Syntax:
    made = _atom(tree.children[0])
    raised = False
    for child in tree.children[1:]:
        above = not hasattr(child, "data") and str(child).startswith("^")
        if above and raised:
            raise _TwoSuperscriptsError(Span(child.start_pos, child.end_pos))
        raised = raised or above
        if getattr(child, "type", "") == "CARET":
            continue
        if hasattr(child, "data"):
            exponent = _exponent(child)
            made = Power(made.span.to(exponent.span), made, exponent)
        elif child.type == "TRANSPOSE":
            span = made.span.to(Span(child.start_pos, child.end_pos))
            made = (
                Transposed(span, made.argument, made.times + 1)
                if isinstance(made, Transposed)
                else Transposed(span, made, 1)
            )
    return made


def _exponent(tree: Any) -> Syntax:
    if tree.data == "group":
        inner = _sum(tree.children[1])
        return inner if tree.children[0].type == "LBRACE" else Grouped(_span(tree.children), inner)
    *minus, last = tree.children
    made: Syntax = Number(_span([last]), str(last)) if last.type == "NUMBER" else Name(_span([last]), str(last))
    return Sum(_span(tree.children), (("-", made),)) if minus else made


LEAVES = {"number": Number, "name": Name, "word": Word}


def _atom(tree: Any) -> Syntax:
    children = tree.children
    if tree.data in LEAVES:
        return LEAVES[tree.data](_span(children), str(children[0]))  # type: ignore[no-any-return, operator]
    if tree.data in ("ones", "infinity"):
        return (OnesColumn if tree.data == "ones" else Infinity)(_span(children))
    ends = [c for c in children if hasattr(c, "start_pos")]
    span = Span(ends[0].start_pos, ends[-1].end_pos)
    if tree.data == "group":
        inner = _sum(children[1])
        invisible = children[0].type == "LBRACE" and isinstance(inner, (Name, Number))
        return inner if invisible else Grouped(span, inner)
    if tree.data == "root":
        return Root(span, _sum(children[2]))
    if tree.data == "fraction":
        above, below = (c for c in children if hasattr(c, "data"))
        return Fraction(span, _sum(above), _sum(below))
    if tree.data == "call":
        return _call(span, children)
    if tree.data == "listed":
        return Given(span, tuple(_sum(c.children[0]) for c in children if hasattr(c, "data")))
    rows = [c for c in children if getattr(c, "data", "") == "cells"]
    return Given(span, tuple(_row(row) for row in rows))


def _row(tree: Any) -> Given:
    cells = tuple(_sum(c) for c in tree.children if hasattr(c, "data"))
    return Given(cells[0].span.to(cells[-1].span), cells)


def _call(span: Span, children: list[Any]) -> Syntax:
    function = str(children[0])
    arguments: list[Syntax] = []
    keywords: list[tuple[str, Syntax]] = []
    for child in children[1:]:
        if getattr(child, "data", "") != "argument":
            continue
        *head, value = child.children
        made = _sum(value)
        name = next((c for c in head if c is not None and c.type == "WORD"), None)
        if name is None:
            arguments.append(made)
        else:
            keywords.append((str(name), made))
    if function == "sqrt" and len(arguments) == 1 and not keywords:
        return Root(span, arguments[0])
    return Call(span, function, tuple(arguments), tuple(keywords))
