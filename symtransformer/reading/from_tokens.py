"""The lexer of the grammar: the tokens are there already. Apart from it, so that the tables of the grammar can be kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lark import Token
from lark.lexer import Lexer


class FromTokens(Lexer):  # type: ignore[misc]
    """Hands on what `tokens` has found."""

    def __init__(self, configuration: Any) -> None:
        pass

    def lex(self, tokens: Any, parser_state: Any = None) -> Iterator[Any]:
        for token in getattr(tokens, "text", tokens):
            yield Token(token.kind, token.text, start_pos=token.span.start, end_pos=token.span.end)
