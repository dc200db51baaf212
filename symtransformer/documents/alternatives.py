r"""Where a page holds one formula in several forms, which of them is read: LaTeX, if it says what is shown.

A page may keep the LaTeX of what it shows, in an annotation, an attribute or a picture's words. Nobody sees that it does;
so it is read only where its numbers, letters and signs are those that are shown.
"""

from __future__ import annotations

import re
import unicodedata

from symtransformer.documents.limits import DISPLAY_CHARACTERS, TREE_DEPTH
from symtransformer.documents.markup import Tag
from symtransformer.documents.placed import Placed

ATTRIBUTES = (
    "data-tex",
    "data-latex",
    "data-katex",
    "data-math",
)  # LaTeX that a script sets in place of what stands there
FLAGS = ("true", "false", "inline", "display", "block", "on", "off", "katex", "mathjax")
# what shows no sign of its own, with its argument; then what only dresses the next sign
UNSHOWN = re.compile(
    r"\\(?:color|hspace\*?|vspace\*?|label|tag\*?|phantom|hphantom|vphantom|kern|hskip|mkern)\s*(?:\{[^{}]*\}|[-0-9.]+\s*[a-z]{2})"
    r"|\\(?:textcolor|colorbox|htmlClass|class)\s*\{[^{}]*\}|\\rule\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}\s*\{[^{}]*\}"
    r"|\\begin\s*\{array\}\s*\{[^{}]*\}|(?<=\\\\)\s*\[[^\]]*\]|(?<!\\)%[^\n]*\n"
)
ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{([A-Za-z]+)\*?\}")
COMMAND = re.compile(r"\\(?:([A-Za-z]+)\*?|(.))", re.DOTALL)
CHARACTERS = {
    "times": "×", "cdot": "·", "approx": "≈", "odot": "⊙", "infty": "∞", "top": "T", "intercal": "T", "ell": "l", "sum": "Σ",
    "prod": "Π", "partial": "∂", "nabla": "∇", "circ": "∘", "pm": "±", "oslash": "⊘", "div": "÷", "ne": "≠", "neq": "≠", "le": "≤",
    "leq": "≤", "ge": "≥", "geq": "≥", "equiv": "≡", "in": "∈", "varepsilon": "ε", "epsilon": "ε", "varphi": "φ", "phi": "φ",
    "otimes": "⊗", "oplus": "⊕", "simeq": "≃", "cong": "≅", "lt": "<", "gt": ">", "sim": "∼", "imath": "i", "jmath": "j", "prime": "'",
}  # fmt: skip
GREEK = {
    unicodedata.name(chr(code)).rsplit(" ", 1)[-1].lower(): chr(code) for code in range(0x3B1, 0x3CA) if code != 0x3C2
}
GREEK |= {name.capitalize(): letter.upper() for name, letter in GREEK.items()} | {"lambda": "λ", "Lambda": "Λ"}
NAMED = frozenset((
    "exp", "log", "ln", "sin", "cos", "tan", "tanh", "sinh", "cosh", "max", "min", "det", "dim", "arg", "lim", "sup", "inf", "gcd", "Pr",
    "ker", "mod", "bmod",
))  # fmt: skip
SAME = str.maketrans(
    {
        "−": "-",
        "⋅": "·",
        "∙": "·",
        "∑": "Σ",
        "∏": "Π",
        "⊤": "T",
        "Ω": "Ω",
        "µ": "μ",
        "ϕ": "φ",
        "ϵ": "ε",
        "∗": "*",
        "≔": "=",
        "′": "'",
    }
)
SHOWN = re.compile(r"[^\W_]|[=≈≃≅≡≠≤≥<>+\-×·*/⊙⊘⊗⊕∘÷±∞∂∇∈∼()\[\]&¶.,']")
PIECE = re.compile(r"\\[A-Za-z]+\*?|\\.|.", re.DOTALL)
FRACTIONS = (r"\frac", r"\dfrac", r"\tfrac", r"\cfrac")
FENCED = {"pmatrix": "()", "bmatrix": "[]"}
BOUNDS = re.compile(
    r"\\(?:sum|prod|max|min)\s*_\{[^{}]*\}\s*(?:\^\s*(?:\{[^{}]*\}|[^{}\\]))?|[Σ∑∏]_\([^()]*\)|,?\s*[a-z] ?= ?[^,()=]{1,20}\.\.[^,()=\s]{1,20}"
)
NAMES = re.compile(r"\\(?:mathrm|mathit|operatorname\*?)\s*\{[^{}]*\}|_\{(?:[^{}]|\{[^{}]*\})*\}")
IN_NAMES = re.compile(
    r"(?<![0-9])[^\W\d_]\w*(?:\.[^\W\d_]\w*)*(?:(?<=_)\([^()]*\))?|_[0-9]\w*|\[[^\[\]]*:[^\[\]]*\]|(?<=\))\[[0-9]+\]"
)
ONES = re.compile(r"(?<![A-Za-z])ones\([^()]*\)")  # how large it is, is no number of the formula
NUMBERS = re.compile(r"[0-9]+(?:[.,][0-9]+)*|[-+=≈≠≤≥]")


def signs_shown(formula: str) -> str:
    r"""The letters, digits and signs of a formula in LaTeX, and what is above, below or inside of what, in one way.

    >>> signs_shown(r"\displaystyle A^{\mathsf T} \approx \frac{\mathbf{1}}{\sqrt{d_k}}"), signs_shown(r"A^𝖳≈{\frac 1{\sqrt{d_{k}}}}")
    ('A^{T}≈F{1}{R{d_{k}}}', 'A^{T}≈F{1}{R{d_{k}}}')
    """
    if len(formula) > DISPLAY_CHARACTERS:
        return formula
    text = UNSHOWN.sub(" ", ENVIRONMENT.sub(_fence, formula))
    return _Pieces([p for p in PIECE.findall(text) if not p.isspace()]).all()


class _Pieces:
    """Goes through the pieces of a formula."""

    def __init__(self, pieces: list[str]) -> None:
        self.pieces, self.at, self.depth = pieces, 0, 0

    def all(self) -> str:
        """What is shown up to the end, or up to a brace that closes nothing here."""
        shown: list[str] = []
        while self.at < len(self.pieces) and self.pieces[self.at] != "}":
            shown.append(self.scripts() if self.pieces[self.at] in "_^'" else self.one())
        return "".join(shown)

    def scripts(self) -> str:
        """Below before above, in whatever order they are written."""
        found = {"_": "", "^": ""}
        while self.at < len(self.pieces) and (sign := self.pieces[self.at]) in "_^'":
            self.at += 1
            found["_" if sign == "_" else "^"] += self.one() if sign in "_^" else "'"
        return "".join(f"{sign}{{{script}}}" for sign, script in found.items() if script)

    def one(self) -> str:
        """The next piece with what belongs to it; braces that only hold together are left out."""
        self.depth += 1
        shown = ""
        if self.depth > TREE_DEPTH:
            self.at = len(self.pieces)  # the rest is told apart by nothing
        while not shown and self.at < len(self.pieces):
            piece = self.pieces[self.at]
            self.at += 1
            shown = self.beginning_with(piece)
            if not piece.startswith("\\") or (self.at < len(self.pieces) and self.pieces[self.at] in "}_^'"):
                break  # else it only dresses what follows
        self.depth -= 1
        return shown

    def beginning_with(self, piece: str) -> str:
        if piece == "{":
            inner = self.all()
            self.at += 1
            return inner
        if piece in FRACTIONS:
            above = self.one()
            return f"F{{{above}}}{{{self.one()}}}"
        if piece == r"\sqrt":
            which = ""
            if self.at < len(self.pieces) and self.pieces[self.at] == "[":
                end = next((k for k in range(self.at, len(self.pieces)) if self.pieces[k] == "]"), self.at)
                which = "".join(self.pieces[self.at : end + 1])
                self.at = end + 1
            return f"R{which}{{{self.one()}}}"
        plain = COMMAND.sub(_character, piece).translate(SAME)
        return "".join(SHOWN.findall(unicodedata.normalize("NFKC", plain).translate(SAME)))


def _fence(found: re.Match[str]) -> str:
    """The brackets of a matrix."""
    signs = FENCED.get(found.group(2), "")
    return " " if not signs else signs[0] if found.group(1) == "begin" else signs[1]


def _character(found: re.Match[str]) -> str:
    word = found.group(1)
    if word is None:
        return "¶" if found.group(2) == "\\" else found.group(2) if found.group(2) in "%{}&|" else " "
    return CHARACTERS.get(word) or GREEK.get(word) or (word if word in NAMED else " ")


def says_the_same(latex: str, shown: str) -> bool:
    """Whether LaTeX has the letters, digits and signs of what is shown, which is rewritten from MathML."""
    return signs_shown(latex) == signs_shown(shown)


def has_the_same_numbers(latex: str, shown: str) -> bool:
    r"""Whether LaTeX has the numbers, pluses, minuses and relations of what stands there in any notation.

    >>> has_the_same_numbers(r"= \frac{1}{2} - 0{,}5", "= 1/2 - 0,5"), has_the_same_numbers("x = 12", "x = 13")
    (True, False)
    """
    return _numbers(latex) == _numbers(shown)


def _numbers(formula: str) -> list[str]:
    """Those that are no part of a name, an index, or what a sum runs through; these have no common notation."""
    text = UNSHOWN.sub(" ", ENVIRONMENT.sub(" ", ONES.sub("1", BOUNDS.sub(" ", formula))))
    text = IN_NAMES.sub(" ", COMMAND.sub(_character, NAMES.sub(" ", text)).translate(SAME))
    return NUMBERS.findall(re.sub(r"(?<=[0-9])\{([.,])\}(?=[0-9])", r"\1", text).replace(",", "."))


def formula_in(tag: Tag) -> Placed | None:
    """LaTeX that an element keeps in an attribute."""
    names = ATTRIBUTES if "ql-formula" not in tag.attributes.get("class", "") else (*ATTRIBUTES, "data-value")
    for name in names:
        value = tag.value(name)
        if value is not None and value.text.strip() and value.text.strip() not in FLAGS:
            return value.strip()
    return None


def formula_of_picture(tag: Tag) -> Placed | None:
    r"""The words of a picture that is a formula: they are LaTeX, as in alt="{\displaystyle x = 1}"."""
    alt = tag.value("alt")
    if alt is None or tag.attributes.get("aria-hidden") == "true":
        return None
    classes = tag.attributes.get("class", "").lower()
    is_formula = any(part in classes for part in ("math", "latex", "tex", "equation", "formula"))
    if "\\" in alt.text or (is_formula and alt.text.strip()):
        return alt.strip().strip("$").strip()
    return None


__all__ = ["formula_in", "formula_of_picture", "has_the_same_numbers", "says_the_same", "signs_shown"]
