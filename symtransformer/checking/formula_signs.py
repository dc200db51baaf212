r"""How signs, commands and marks of formulas are spelled, in LaTeX and plain text: tables and patterns."""

from __future__ import annotations

import re

from symtransformer.checking.formula_names import SIGNS
from symtransformer.reading.patterns import T as RAISED_T
from symtransformer.reading.vocabulary import SPACES

HIGH = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-", strict=True))
LOW = dict(zip("₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₗₘₙₐₓ", "0123456789ijklmnax", strict=True))
PAIRS = {"(": ")", "[": "]", "{": "}"}
OPERATORS = {
    "+": "+", "-": "-", "−": "-", "–": "-", "*": "*", "×": "×", "@": "@", "·": ".", "⋅": ".", "・": ".", "∙": ".", "/": "/", "÷": "/", "⊙": "⊙",
    "∘": "⊙", "^": "^", ",": ",", "=": "=", "&": "", "|": "|", "‖": "|", "√": "SQRT", "⟨": "<", "⟩": ">",
}  # fmt: skip
COMMAND_SIGNS = {
    "cdot": ".", "times": "×", "odot": "⊙", "circ": "⊙", "frac": "FRAC", "dfrac": "FRAC", "tfrac": "FRAC", "sqrt": "SQRT", "langle": "<",
    "rangle": ">", "lbrack": "[", "rbrack": "]", "{": "{", "}": "}", "lVert": "|", "rVert": "|", "|": "|", "Vert": "|", "lvert": "|",
    "rvert": "|", "div": "/", "vert": "|", "mid": "|",
}  # fmt: skip
SKIPPED = SPACES | {
    "Bigg",
    "bigg",
    "Biggl",
    "Biggr",
    "biggl",
    "biggr",
    "limits",
    "nolimits",
    "nonumber",
    "thinspace",
    "\n",
}
SET = frozenset((
    "mathrm", "text", "operatorname", "textrm", "mathsf", "mathtt", "textbf", "textit", "mathit", "mathbf", "boldsymbol", "bm", "mathcal",
    "mathbb", "mathnormal", "vec", "mathop",
))  # fmt: skip
PLAIN_FUNCTIONS = frozenset(("exp", "log", "ln", "tanh", "sin", "cos", "max", "min", "sqrt", "erf"))
TRANSPOSED = re.compile(rf"\s*\^\s*(?:\{{\s*{RAISED_T}\s*\}}|{RAISED_T}(?![A-Za-z0-9_]))|ᵀ|\.T(?![A-Za-z0-9_])|\.(?:transpose|permute)\(\s*-?[0-9]\s*,\s*-?[0-9]\s*\)|\.t\(\)|⊤")  # fmt: skip
SUM = re.compile(r"(?:Σ|∑|\\sum(?![A-Za-z])|sum(?=\s*_))\s*(?:\\(?:no)?limits)?")
BRACED = r"\{((?:[^{}\n]|\{[^{}\n]{0,40}\}){0,60})\}"
RANGE = re.compile(
    r"\s*([a-z])\s*(?:(=)\s*1|(≠|!=|\\neq?(?![A-Za-z])|<=|≤|\\leq?(?![A-Za-z])|<|>=|≥|\\geq?(?![A-Za-z])|>)\s*([a-z]))?\s*"
)
RELATIONS = {"≠": "!=", "!=": "!=", "\\ne": "!=", "\\neq": "!=", "<=": "<=", "≤": "<=", "\\le": "<=", "\\leq": "<=", "<": "<",
             ">=": ">=", "≥": ">=", "\\ge": ">=", "\\geq": ">=", ">": ">"}  # fmt: skip
NO_LETTERS = frozenset([*SIGNS, "ᵀ"])
WORDS = frozenset(("pos", "eps"))  # one name, also where LaTeX would set a product
DOTS = re.compile(r"\.\.\.|…|⋯|\\(?:[lcvd]?dots[a-z]?)(?![A-Za-z])")
