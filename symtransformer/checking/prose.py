r"""The sentences of a document, without what only sets them: $\sigma$ denotes $\tanh$ is σ denotes tanh."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symtransformer.documents import Document
from symtransformer.documents.placed import ABBREVIATED

SENTENCE_AT_MOST = 500
SENTENCE_END = re.compile(rf"[.!?;]{ABBREVIATED}(?=\s)|[。．！？；]|\n[ \t>]*\n|\Z")
COMMAND = re.compile(r"\\+(?:mathrm|mathbf|mathbb|operatorname|text|textbf|emph|bm|boldsymbol|left|right)(?![A-Za-z])")
SIGN_COMMANDS = {
    "sigma": "σ", "delta": "δ", "pi": "π", "Phi": "Φ", "odot": "⊙", "circ": "∘", "times": "×", "cdot": "·", "ast": "*",
    "ell": "ℓ", "sum": "∑", "Vert": "‖", "|": "‖", "lVert": "‖", "rVert": "‖", "alpha": "α", "beta": "β", "gamma": "γ", "theta": "θ",
    "lambda": "λ", "mu": "μ", "nu": "ν", "tau": "τ", "eta": "η", "epsilon": "ε", "varepsilon": "ε",
}  # fmt: skip
SIGN_COMMAND = re.compile(rf"\\+({'|'.join(map(re.escape, SIGN_COMMANDS))})(?![A-Za-z])")
DRESS = re.compile(r"[$`{}\\*]|<[^<>\n]{0,40}>")
LOOSE_MARK = re.compile(r"_(?![A-Za-z0-9])")
SIGMA = re.compile(r"\bsigma\b")
PRODUCT_SIGN = re.compile(r"(?<!\*)\*(?!\*)(?= (?:denotes|means|stands|is|は))")


def sentences(document: Document) -> Iterator[tuple[str, int, int, str]]:
    """File, the places where it begins and ends, and a sentence without dollars and braces."""
    for name, source in document.sources.read_texts():
        start, text, origins = 0, source.text, source.origins
        for end in SENTENCE_END.finditer(text):
            piece = text[start : end.start()]
            if len(piece) > 3 and not piece.isspace():
                begin = start + len(piece) - len(piece.lstrip())
                last = origins[end.start() - 1] + 1
                yield name, origins[begin], last, _plain(piece[:SENTENCE_AT_MOST])
            start = end.end()


def _plain(text: str) -> str:
    text = COMMAND.sub(" ", text)
    text = SIGMA.sub("σ", SIGN_COMMAND.sub(lambda found: SIGN_COMMANDS[found.group(1)], text))
    return " ".join(LOOSE_MARK.sub("", DRESS.sub("", PRODUCT_SIGN.sub("∗", text))).split())
