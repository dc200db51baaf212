r"""The signs and commands of index formulas, and what their indices look like."""

from __future__ import annotations

from symtransformer.reading.index_marks import GREEK_NAME
from symtransformer.reading.vocabulary import GREEK_SIGNS, SPACES

SIGNS = {
    "+": "PLUS", "-": "MINUS", "−": "MINUS", "*": "TIMES", "×": "TIMES", "·": "DOT", "⋅": "DOT", "/": "SLASH", "^": "CARET",
    "(": "OPEN", ")": "CLOSE", "[": "OPEN", "]": "CLOSE", "{": "OPEN", "}": "CLOSE", ",": "COMMA", "⊙": "HADAMARD", "∘": "HADAMARD",
    "⟨": "LANGLE", "⟩": "RANGLE", "<": "LANGLE", ">": "RANGLE", "@": "TIMES", "√": "SQRT", "∂": "PARTIAL",
}  # fmt: skip
COMMANDS = {
    "cdot": "DOT", "times": "TIMES", "odot": "HADAMARD", "circ": "HADAMARD", "frac": "FRAC", "dfrac": "FRAC", "tfrac": "FRAC",
    "sqrt": "SQRT", "langle": "LANGLE", "rangle": "RANGLE", "lbrack": "OPEN", "rbrack": "CLOSE", "partial": "PARTIAL",
}  # fmt: skip
FUNCTIONS = {
    name: name
    for name in (
        "exp",
        "log",
        "tanh",
        "softmax",
        "sqrt",
        "diag",
        "erf",
        "sin",
        "cos",
        "sigmoid",
        "ReLU",
        "GELU",
        "SiLU",
        "step",
        "Phi",
        "phi",
    )
}
FUNCTIONS |= {"ln": "log", "relu": "ReLU", "gelu": "GELU", "silu": "SiLU"}  # fmt: skip
SKIPPED = SPACES | {"limits", "nolimits", "Bigg", "bigg", "Biggl", "Biggr", "biggl", "biggr", "big"}
INDEX = rf"\\(?:{GREEK_NAME})(?![A-Za-z])|[a-z{''.join(GREEK_SIGNS)}]|[0-9]{{1,9}}"
BETWEEN = r"(?:\s|,|\\,|\\;|\\!|\\:|~)+"
LATEX_LOW = (
    rf"_\s*\\(?:{GREEK_NAME})(?![A-Za-z])|"
    r"_\s*(?:\{[^{}\n]{1,40}(?:\{[^{}\n]{0,20}\})?[^{}\n]{0,20}\}|[A-Za-z0-9]|\\(?:mathrm|text)\{[^{}\n]{1,16}\})"
)
