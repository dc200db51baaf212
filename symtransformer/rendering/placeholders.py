"""What stands in braces in the words of a page: {Q} for a letter, {Q:2} for its row 2; a slip there is an error of its own."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from difflib import get_close_matches

from symtransformer.errors import UnreadableInput
from symtransformer.notation import Words
from symtransformer.scalars import GREEK

# {Q} a letter, a size or a parameter; {Q:2} a row; {A:2:1} an entry; {e^s} a power of e
PLACEHOLDER = re.compile(
    r"\{(e\^)?((?:[a-z][a-z0-9]*\.)?[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)?)(?:\^\(([1-9]\d*)\))?(?::(\d+)(?::(\d+))?)?\}"
)
IN_BRACES = re.compile(r"[\\A-Za-z0-9]?\{([^\W\d_][^{}]*)\}")  # behind a Latin letter it is a command of TeX
USUAL_SIZES = frozenset(("d_model", "d_ff", "d_out", "n_vocab"))  # where a page has numbers for them


def require_known(words: Words | None, where: str, known: Container[str], names: Iterable[str]) -> None:
    """Every name in braces is one that the page knows, or a symbol of one letter that its words explain.

    Other braces are text, and are printed as they are, unless what they hold begins with such a name.
    """
    for language in ("en", "ja") if words is not None else ():
        for found in IN_BRACES.finditer(getattr(words, language)):
            braced = f"{{{found[1]}}}"
            placed = PLACEHOLDER.fullmatch(braced)
            if placed is None and re.split(r"[^\w.]", found[1])[0] not in known:
                continue
            if placed is not None and (placed[1] or placed[2] in known or _is_symbol(placed[2]) or found[0] != braced):
                continue
            close = get_close_matches(found[1], sorted(set(names)), 1)
            hint = f"; did you mean {{{close[0]}}}?" if close else ""
            raise UnreadableInput(
                f"the words of {where}, language {language}: {braced[:40]} is no step, input, size or parameter of "
                f"this derivation{hint}"
            )


def _is_symbol(name: str) -> bool:
    """i, e, Phi, c_i, W_O: what the words of a page may speak of by themselves."""
    base, _, low = name.partition("_")
    return name in USUAL_SIZES or ((len(base) == 1 or base in GREEK) and len(low) <= 1)
