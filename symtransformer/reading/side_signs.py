"""The signs and commands of sides, with the kind of token that each is: one character, or a word of the grammar."""

from __future__ import annotations

from symtransformer.reading.vocabulary import GREEK_SIGNS

SIGNS = {
    "+": "+", "-": "-", "−": "-", "·": ".", "⋅": ".", "・": ".", "•": ".", "×": "x", "*": "*", "@": "@", "∗": "*",
    "⊙": "o", "∘": "o", "⊘": "//", "/": "/", "÷": "/", "∕": "/", "^": "^", "(": "(", ")": ")", "[": "[", "]": "]", "{": "{",
    "}": "}", ",": ",", "&": "&", "√": "root", "∞": "infinity", "ᵀ": "T", "⊤": "T", "|": "|", "‖": "|", "∥": "|",
    "'": "'", "′": "'", "’": "'", "%": "%", "=": "=", "°": "degree", "⟨": "<", "⟩": ">", "〈": "<", "〉": ">",
}  # fmt: skip
COMMANDS = {
    "cdot": ".", "bullet": ".", "times": "x", "ast": "*", "odot": "o", "circ": "o", "oslash": "//", "div": "/", "frac": "frac",
    "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "sqrt": "root", "infty": "infinity", "lbrack": "[",
    "rbrack": "]", "|": "|", "Vert": "|", "vert": "|", "lVert": "|", "rVert": "|", "lvert": "|", "rvert": "|",
    "%": "%", "top": "T", "langle": "<", "rangle": ">", "{": "(", "}": ")",
}  # fmt: skip
SPACES = frozenset(
    [
        "!",
        ",",
        ";",
        ":",
        ">",
        "quad",
        "qquad",
        "left",
        "right",
        "big",
        "Big",
        "bigg",
        "Bigg",
        "bigl",
        "bigr",
        "Bigl",
        "Bigr",
        "biggl",
        "biggr",
        "Biggl",
        "Biggr",
        "displaystyle",
        "textstyle",
        "scriptstyle",
        "limits",
        "nolimits",
        "thinspace",
        "medspace",
        "thickspace",
        "negthinspace",
        "enspace",
        "middle",
        "nonumber",
        "notag",
        "boxed",
        "underbrace",
        "overbrace",
        "underline",
        "mathstrut",
        "strut",
        "small",
        "large",
        "normalsize",
        "hline",
    ]
) | {" ", "\n", "\t"}
UPRIGHT = frozenset(
    [
        "operatorname",
        "mathrm",
        "text",
        "textrm",
        "mathsf",
        "mathtt",
        "textit",
        "textbf",
        "mbox",
        "textsf",
        "texttt",
        "mathop",
    ]
)
FUNCTION_COMMANDS = frozenset(["exp", "log", "ln", "tanh", "sin", "cos", "max", "min", "arg", "lg"])
DOTS = frozenset(["dots", "ldots", "cdots", "dotsc", "dotsb", "vdots", "ddots"])
ENVIRONMENTS = frozenset(
    ["bmatrix", "pmatrix", "matrix", "smallmatrix", "array", "Bmatrix", "bsmallmatrix", "psmallmatrix"]
)
OPENING, CLOSING = frozenset(("(", "[", "{", "begin", "<")), frozenset((")", "]", "}", "end", ">"))
VARIANTS = {
    "varepsilon": "epsilon",
    "varphi": "phi",
    "vartheta": "theta",
    "varsigma": "sigma",
    "varrho": "rho",
    "ell": "ell",
}
_CAPITALS = {
    chr(ord(sign) - 32): name.capitalize() for sign, name in GREEK_SIGNS.items() if name.islower() and sign != "ς"
}
GREEK_LETTERS = {**_CAPITALS, **GREEK_SIGNS, "ϵ": "epsilon", "ϕ": "phi", "ϑ": "theta", "ο": "omicron"}
ACCENTS = {
    "hat": "\u0302", "widehat": "\u0302", "bar": "\u0304", "tilde": "\u0303", "widetilde": "\u0303", "dot": "\u0307", "vec": "",
}  # fmt: skip
