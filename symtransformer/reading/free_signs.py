r"""The signs of formulas whose letters need no meaning: commands by what they are, and the tokens of a text in LaTeX."""

from __future__ import annotations

import re
from dataclasses import dataclass

from symtransformer.reading.limits import DIGITS, FORMULA_CHARACTERS, TOKENS
from symtransformer.reading.problems import ReadingError, Span, quoted

RUN = "letters"  # the kind of letters beside each other
# what operates between two parts, and what relates them inside of brackets, of an index, or behind a comma
OPERATORS = {
    "+": "+", "-": "-", "−": "-", "–": "-", "±": "±", r"\pm": "±", r"\mp": "∓", "*": "*", "∗": "*", r"\ast": "*", "×": "×", r"\times": "×",
    "·": "·", "⋅": "·", r"\cdot": "·", "/": "/", "÷": "/", r"\div": "/", r"\odot": "⊙", "⊙": "⊙", r"\otimes": "⊗", "⊗": "⊗", r"\oplus": "⊕",
    "⊕": "⊕", r"\circ": "∘", "∘": "∘", r"\bmod": "mod", r"\mod": "mod", r"\cup": "∪", "∪": "∪", r"\cap": "∩", "∩": "∩", r"\setminus": "∖",
    r"\wedge": "∧", r"\land": "∧", r"\vee": "∨", r"\lor": "∨", r"\star": "⋆", "@": "@",
}  # fmt: skip
ADDING = frozenset("+-±∓∪∩∖∧∨⊕")
RELATING = {
    "=": "=", ":=": "=", "<": "<", ">": ">", "≤": "≤", "≥": "≥", "≠": "≠", r"\le": "≤", r"\leq": "≤", r"\leqslant": "≤", r"\ge": "≥",
    r"\geq": "≥", r"\geqslant": "≥", r"\lt": "<", r"\gt": ">", r"\ll": "<", r"\gg": ">", r"\ne": "≠", r"\neq": "≠", r"\in": "∈", "∈": "∈",
    r"\notin": "∉", r"\subset": "⊂", r"\subseteq": "⊂", r"\sim": "~", r"\to": "→", r"\rightarrow": "→", r"\mapsto": "→", "→": "→", r"\approx": "≈",
    "≈": "≈", r"\propto": "∝", r"\colon": ":", r"\mid": "|", r"\forall": "∀", "∀": "∀", r"\exists": "∃", r"\longrightarrow": "→",
}  # fmt: skip
FUNCTIONS = frozenset((
    "log", "ln", "exp", "sin", "cos", "tan", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "det", "dim", "ker", "deg", "gcd", "arg", "Pr",
    "cot", "sec", "csc",
))  # fmt: skip
BIG = frozenset((
    "sum", "prod", "int", "iint", "oint", "lim", "max", "min", "sup", "inf", "argmax", "argmin", "bigcup", "bigcap", "bigoplus", "bigotimes",
    "bigodot", "coprod", "limsup", "liminf",
))  # fmt: skip
ACCENTS = frozenset((
    "hat", "tilde", "bar", "vec", "dot", "ddot", "widehat", "widetilde", "overline", "underline", "overrightarrow", "overleftarrow", "check",
    "breve", "acute", "grave", "mathring",
))  # fmt: skip
BOLD = frozenset(("mathbf", "boldsymbol", "bm", "pmb"))
FONTS = frozenset((
    "mathcal", "mathbb", "mathrm", "mathit", "mathsf", "mathscr", "mathfrak", "mathtt", "mathnormal", "Bbb",
    "mathop", "mathrel", "mathbin", "ensuremath", "displaystyle", "boxed",
))  # fmt: skip
WORDS = frozenset(
    (
        "text",
        "textrm",
        "textbf",
        "textit",
        "textsf",
        "texttt",
        "textnormal",
        "operatorname",
        "operatorname*",
        "mbox",
        "hbox",
    )
)
SWITCHES = frozenset((
    "bf", "rm", "it", "tt", "sf", "cal", "limits", "nolimits", "displaystyle", "textstyle", "quad", "qquad", "enspace", "thinspace", "left",
    "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "Biggl", "Biggr", "middle", "nonumber", "hfill",
))  # fmt: skip
DOTS = frozenset(("dots", "ldots", "cdots", "vdots", "ddots", "dotsc", "dotsb", "hdots"))
OPENING = {
    "(": "(",
    "[": "[",
    r"\{": "{",
    r"\lbrace": "{",
    r"\lbrack": "[",
    r"\langle": "<",
    "⟨": "<",
    r"\lfloor": "⌊",
    r"\lceil": "⌈",
}
CLOSING = {
    ")": ")",
    "]": "]",
    "}": "}",
    r"\}": "}",
    r"\rbrace": "}",
    r"\rbrack": "]",
    r"\rangle": ">",
    "⟩": ">",
    r"\rfloor": "⌋",
    r"\rceil": "⌉",
}
MATCHING = {"(": ")]", "[": "])", "{": "}", "<": ">", "⌊": "⌋", "⌈": "⌉"}
BARS = {
    "|": "|",
    r"\vert": "|",
    r"\lvert": "|",
    r"\rvert": "|",
    "‖": "‖",
    r"\|": "‖",
    r"\Vert": "‖",
    r"\lVert": "‖",
    r"\rVert": "‖",
    "∥": "‖",
}
ONE_SIDED = (r"\lvert", r"\lVert", r"\rvert", r"\rVert")  # that open, and that close
LETTERS = frozenset((
    "alpha", "beta", "gamma", "delta", "epsilon", "varepsilon", "zeta", "eta", "theta", "vartheta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "pi", "varpi", "rho", "varrho", "sigma", "varsigma", "tau", "upsilon", "phi", "varphi", "chi", "psi", "omega", "Gamma", "Delta", "Theta",
    "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega", "ell", "hbar", "imath", "jmath", "Re", "Im", "infty", "emptyset", "nabla",
    "partial", "prime", "top", "intercal", "bot", "R", "N", "Z", "dagger", "varnothing", "aleph",
))  # fmt: skip
ENVIRONMENTS = frozenset(
    ("matrix", "pmatrix", "bmatrix", "vmatrix", "Vmatrix", "Bmatrix", "smallmatrix", "array", "cases", "dcases")
)
TOKEN = re.compile(
    r"(?P<space>[\s~]+|\\[,;:!> ])|(?P<row>\\\\(?:\[[^\]]{0,12}\])?)|(?P<begin>\\begin\s*\{[A-Za-z]{1,12}\*?\})|(?P<end>\\end\s*\{[A-Za-z]{1,12}\*?\})"
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<words>\\(?:text|textrm|textbf|textit|textsf|texttt|textnormal|operatorname\*?|mbox|hbox)\s*\{[^{}]{0,60}\})"
    r"|(?P<dots>\.\.\.|…|⋯)|(?P<command>\\(?:[A-Za-z]+|[{}|]))|(?P<letters>[A-Za-z]+)|(?P<letter>[^\W\d_])|(?P<prime>['′’])|(?P<sign>:=|.)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Sign:
    """kind: number, letters, letter, words, command, sign, prime, dots, begin, end or row; `gap`: a space stands before it."""

    kind: str
    text: str
    span: Span
    gap: bool = False


def signs_of(text: str) -> list[Sign]:
    """The tokens; a number with a comma, or more of them than there may be, is refused."""
    if len(text) > FORMULA_CHARACTERS:
        raise ReadingError(text, Span(0, 1), "too_long", f"more than {FORMULA_CHARACTERS} characters")
    found: list[Sign] = []
    gap = False
    for match in TOKEN.finditer(text):
        kind, whole, span = match.lastgroup or "sign", match.group(), Span(match.start(), match.end())
        if kind == "space":
            gap = True
            continue
        if kind == "number" and (
            len(whole) > DIGITS or re.match(r"\{,\}[0-9]|\.[0-9]", text[match.end() : match.end() + 4])
        ):
            raise ReadingError(text, span, "number", "a number has one decimal point and no comma")
        if kind == "sign" and whole not in OPERATORS and whole not in RELATING and whole not in "()[]{}|‖∥_^&,;:!⟨⟩%":
            raise ReadingError(text, span, "character", f"{quoted(whole)} has no meaning in a formula")
        if len(found) >= TOKENS:
            raise ReadingError(text, span, "too_long", f"more than {TOKENS} signs, names and numbers")
        found.append(Sign(kind, whole, span, gap))
        gap = False
    return found
