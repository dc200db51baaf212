r"""How signs, commands and marks of formulas are spelled, in LaTeX and plain text: tables and patterns."""

from __future__ import annotations

import re

from symtransformer.checking.formula_names import SIGNS
from symtransformer.reading.index_marks import LOSS
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
PRIME = re.compile(r"'+\s*(?:\\left)?\(")  # tanh'(x)
RAISED_WORD = re.compile(
    r"\\(?:mathrm|text|operatorname|textrm|mathsf)\s*\{([^{}]+)\}|([A-Z][A-Za-z]*|\([0-9a-z]+\)|[*+-]|[a-z]{2,})"
)
TRANSPOSED = re.compile(rf"\s*\^\s*(?:\{{\s*{RAISED_T}\s*\}}|{RAISED_T}(?![A-Za-z0-9_]))|ᵀ|\.T(?![A-Za-z0-9_])|\.(?:transpose|permute)\(\s*-?[0-9]\s*,\s*-?[0-9]\s*\)|\.t\(\)|⊤")  # fmt: skip
SUM = re.compile(r"(?:Σ|∑|\\sum(?![A-Za-z])|sum(?=\s*_))\s*(?:\\(?:no)?limits)?")
BRACED = r"\{((?:[^{}\n]|\{[^{}\n]{0,40}\}){0,60})\}"
RANGE = re.compile(
    r"\s*([a-z])\s*(?:(=)\s*1|(≠|!=|\\neq?(?![A-Za-z])|<=|≤|\\leq?(?![A-Za-z])|<|>=|≥|\\geq?(?![A-Za-z])|>)\s*([a-z]))?\s*"
)
RELATIONS = {"≠": "!=", "!=": "!=", "\\ne": "!=", "\\neq": "!=", "<=": "<=", "≤": "<=", "\\le": "<=", "\\leq": "<=", "<": "<",
             ">=": ">=", "≥": ">=", "\\ge": ">=", "\\geq": ">=", ">": ">"}  # fmt: skip
ONE = r"((?:[^{}\n]|\{(?:[^{}\n]|\{[^{}\n]{0,20}\}){0,30}\}){1,50})"
WORD = r"[A-Za-zΑ-ωℓ][A-Za-z0-9Α-ωℓ']*(?:_(?:\{[^{}\n]{1,20}\}|[A-Za-z0-9]+))?'*"
D = r"(?:∂|\\partial(?![A-Za-z]))\s*"
DERIVATIVE = re.compile(
    rf"\\[dt]?frac\s*\{{\s*{D}(?P<above>{ONE[1:-1]})\}}\s*\{{\s*{D}(?P<below>{ONE[1:-1]})\}}"
    rf"|{D}(?P<up>{WORD})\s*/\s*\(?\s*{D}(?P<low>{WORD})"
)
LOSS_ALONE = re.compile(rf"\s*(?:{LOSS})\s*")
SPELLINGS = (  # other ways to write what has one name here
    (re.compile(r"(?<![A-Za-z])(?:\\(?:text|mathrm|operatorname)\s*\{\s*PE\s*\}|PE)\s*_\s*\{\s*\(?\s*([A-Za-z]{1,9})\s*,\s*([^{}()]{1,20}?)\s*\)?\s*\}"), r"PE(\1, \2)"),
    (re.compile(r"\^\s*T(?=\s*(?:[A-Z]|[a-z](?![A-Za-z])))"), "^{T}"),  # S^TQ, w^Tx
    (re.compile(r"(?:\\delta|δ)\s*\\(?:wide)?(hat|tilde)\s*\{\s*([A-Z])\s*\}"), r"d\2\1"),
    (re.compile(r"(?:\\delta(?![A-Za-z])\s*|δ\s*)(?=[A-Z](?![A-Za-z]*\())"), "d"),  # δQ is the gradient by Q
    (re.compile(r"\\(hat|tilde|widehat|widetilde)\s*\{\s*([A-Za-z])\s*_\s*(\{[^{}]{1,12}\}|[A-Za-z0-9])\s*\}"), r"\\\1{\2}_\3"),
)  # fmt: skip
NO_LETTERS = frozenset([*SIGNS, "ᵀ"])
WORDS = frozenset(("pos", "eps"))  # one name, also where LaTeX would set a product
DOTS = re.compile(r"\.\.\.|…|⋯|\\(?:[lcvd]?dots[a-z]?)(?![A-Za-z])")
JOINING_WORDS = frozenset((
    "minus", "plus", "times", "over", "mod", "div", "per", "by", "divided by", "of", "and", "or", "xor", "not", "to", "if", "for", "when",
    "where", "with", "choose", "in", "on", "then", "else", "otherwise", "is", "are", "as", "at", "for all", "for each", "for every",
))  # fmt: skip
WORDS_WITH_BRACKETS = frozenset((
    "max", "min", "argmax", "argmin", "arg", "tr", "trace", "det", "rank", "sgn", "sign", "sup", "inf", "lim", "sum", "prod", "var",
    "std", "cov", "diag",
))  # fmt: skip
