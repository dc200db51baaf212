r"""The signs of a line or a formula, each with its kind: what relates, what operates, what opens and closes.

Both notations are read by one pattern, because people mix them. Nothing is decided here about meaning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

RELATIONS = {
    "=": "=", "==": "=", ":=": ":=", "≔": ":=", "≈": "≈", "≒": "≈", "≃": "≈", "≅": "≈", "~=": "≈", "≡": "≡",
    r"\approx": "≈", r"\simeq": "≈", r"\cong": "≈", r"\fallingdotseq": "≈", r"\approxeq": "≈", r"\equiv": "≡",
    r"\coloneqq": ":=", r"\coloneq": ":=", r"\triangleq": ":=", r"\doteq": "≈", r"\eq": "=", "≜": ":=", r"\risingdotseq": "≈",
}  # fmt: skip
# signs that relate but claim no equality: a side ends there
OTHERS = [r"\\not\s*=", "<=>", "<->", "<=", ">=", "=<", "!=", "=>", "->", "<-", "=/=", "[<>≤≥≦≧≠∝∈∉⊂⊆→←↔⇒⇐⇔↦↑↓∼≪≫]"]
OTHER_COMMANDS = frozenset([
    r"\ne", r"\neq", r"\le", r"\leq", r"\ge", r"\geq", r"\leqq", r"\geqq", r"\ll", r"\gg", r"\lt", r"\gt",
    r"\to", r"\rightarrow", r"\leftarrow", r"\Rightarrow", r"\Leftarrow", r"\implies", r"\iff",
    r"\Leftrightarrow", r"\leftrightarrow", r"\mapsto", r"\longrightarrow", r"\longmapsto", r"\propto", r"\sim",
    r"\in", r"\notin", r"\subset", r"\subseteq", r"\gets", r"\xrightarrow", r"\therefore", r"\because",
    r"\quad", r"\qquad", r"\downarrow", r"\uparrow", r"\leqslant", r"\geqslant",
])  # fmt: skip
BINARY = frozenset(
    [r"\cdot", r"\times", r"\div", r"\pm", r"\mp", r"\odot", r"\oslash", r"\otimes", r"\oplus", r"\circ", r"\ast"]
)
# environments whose rows are lines of the formula itself
ROWS = frozenset([
    "align", "align*", "aligned", "alignedat", "alignat", "alignat*", "gather", "gather*", "gathered", "split",
    "multline", "multline*", "eqnarray", "eqnarray*", "equation", "equation*", "flalign", "flalign*",
    "IEEEeqnarray", "math", "displaymath", "dmath", "dmath*",
])  # fmt: skip
MARK = r"(?:\([0-9]{1,3}\)|[A-Za-z][A-Za-z0-9]{0,14})"  # (1),dec1 of w^(1),dec1_33
OPERAND = r"[A-Za-z0-9)）\]］ᵀ\u2080-\u209c]"  # beside which ・ multiplies; among words it parts them
KINDS = [
    ("text", r"\\(?:text|mbox|textrm|textbf|textit|textsf|textnormal|intertext|hbox)\s*\{(?P<inner>[^{}]*)\}"),
    ("begin", r"\\begin\s*\{(?P<opened>[A-Za-z]+\*?)\}"),
    ("end", r"\\end\s*\{(?P<closed>[A-Za-z]+\*?)\}"),
    ("row", r"\\\\\*?(?:\[-?[0-9.]+\s*(?:pt|em|ex|mm|cm)\])?"),
    ("url", r"(?:https?|file|ftp)://[!-~]+|[\w.+-]{1,64}@[A-Za-z][\w-]{2,64}(?:\.[\w-]{1,64})*\.[a-z]{2,6}(?![\w(])"),
    ("other", "|".join(OTHERS)),
    ("open", r"\\left\s*(?:\\[A-Za-z]+|\\[{|]|[^\\\sA-Za-z])|\\(?:lbrack|lparen|lbrace)\b|\\\{|[(\[{（［]"),
    ("close", r"\\right\s*(?:\\[A-Za-z]+|\\[}|]|[^\\\sA-Za-z])|\\(?:rbrack|rparen|rbrace)\b|\\\}|[)\]}）］]"),
    ("command", r"\\(?:[A-Za-z]+\*?|[^A-Za-z])"),
    ("relation", r":=|==?|≔|≈|≒|≃|≅|≡|≜|~=|＝"),
    ("number", r"[¼½¾⅐-⅞]|[0-9]{1,3}(?:,[0-9]{3}){2,}(?![0-9,])|[0-9０-９]+(?:[.．][0-9０-９]+)*(?:[eE][-+−]?[0-9]+(?![A-Za-z0-9]))?"
     r"(?:[%％‰]|[ \u00a0\u202f][%％](?![ \t]*(?:[0-9(\[]|[A-Za-z](?![A-Za-z])))|[ ]?°(?![CFK℃]))?"),  # 33 %, but not 7 % 3; 60°
    ("plain", r"[A-Za-z]{3,}(?:-[A-Za-z]{3,})+"),
    (
        "word",
        r"√[0-9]+\.[0-9]+|(?:[a-z][a-z0-9]{0,15}\.(?=[A-Za-z](?![A-Za-z])|[Gg]amma\b|[A-Za-z]{2,7}_|Lambda\b|Delta\b|beta\b|mu\b|sigma\b))?"
        r"[A-Za-zＡ-Ｚａ-ｚ\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03ff\u1e00-\u1eff\u2100-\u214f∂∇√∛∜∑∏Σ∞]"
        r"[A-Za-z0-9Ａ-Ｚａ-ｚ０-９\u0300-\u036f\u0370-\u03ff\u2080-\u209c\u1d62-\u1d6a\u2c7c\u00b2\u00b3\u00b9\u2070-\u207f"
        r"\u1d2c-\u1d61\u207a-\u207f'′]*"
        rf"(?:\^{MARK}(?:,{MARK})*(?=_[A-Za-z0-9]))?(?:_[0-9]{{2,}},[0-9]+(?![0-9.])|_[0-9]+,[0-9]{{2,}}(?![0-9.])|(?:_[A-Za-z0-9]+)*)"
        r"(?:\.T(?![A-Za-z0-9])|(?:\.[a-z_]{2,20}){1,3}(?=\())?",
    ),
    ("raised", r"[\u00b2\u00b3\u00b9\u2070-\u207f\u1d40\u1d2c-\u1d61\u2080-\u209c\u22a4'′!]+"),
    ("cjk", r"[々〆ヶ\u3041-\u3096\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uff66-\uff9f\U00020000-\U0002ffff]+"),
    ("foreign", r"[^\W\d_]+"),
    ("dots", r"\.\.+|…|⋯"),
    ("stars", r"(?<![\w)\]}])(?<![\w)\]}] )\*\*|\*\*(?! ?[\w({\[])"),  # left over from what was bold
    ("operator", rf"(?<={OPERAND})・(?=[A-Za-z0-9√(（\[［])|(?<={OPERAND} )・(?= [A-Za-z0-9√(（\[［])|\*\*|(?<=[0-9])//(?=[0-9])|(?<=[0-9] )//(?= [0-9])|[∧∨∩∪∣]|%(?=[ \t]*(?:[0-9(\[]|[A-Za-z](?![A-Za-z])))|[-+−－＋±∓×÷·⋅∙*＊/／@⊙∘⊗⊕⊘∥‖|^＾_]"),
    ("ampersand", r"&"),
    ("quoted", r'"[^"\r\n=≈≒$`]{1,24}"|“[^”\r\n=≈≒$`]{1,24}”'),
    ("comma", r"[,，、]"),
    ("space", r"(?:[ \t\u00a0\u3000\u2000-\u200a\r\n]|~(?!=))+"),
    ("stop", r"."),
]  # fmt: skip


def _pattern(*without: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in KINDS if kind not in without), re.DOTALL)


SIGN = _pattern()
# quicker: what has a backslash in it, or an @ or ://, is tried only where there is one
SIGN_WITHOUT_COMMANDS = _pattern("text", "begin", "end", "row", "url", "command")
RELATING = re.compile(
    r"[=≈≒≃≅≡≔≜＝]|~=|\\(?:approx|simeq|cong|equiv|fallingdotseq|risingdotseq|coloneqq?|triangleq|doteq|eq)(?![A-Za-z])"
)


@dataclass(slots=True)
class Sign:
    """Kind and place in the text; `partner` is the index of the bracket that closes or opens it, else -1."""

    kind: str
    text: str
    start: int
    end: int
    partner: int = -1
    depth: int = 0


def signs_of(text: str) -> list[Sign]:
    """All signs of a text, brackets matched; one that has no partner stands for itself."""
    found = unmatched(text)
    match_brackets(found)
    return found


def unmatched(text: str, start: int = 0, end: int | None = None) -> list[Sign]:
    found = []
    pattern = SIGN if "\\" in text or "@" in text or "://" in text else SIGN_WITHOUT_COMMANDS
    for match in pattern.finditer(text, start, len(text) if end is None else end):
        kind, whole = match.lastgroup or "stop", match.group()
        first, last = match.span()
        if kind == "command":
            if whole in (r"\$", r"\#"):
                kind = "stop"
            else:
                kind = "relation" if whole in RELATIONS else "other" if whole in OTHER_COMMANDS else kind
        elif kind in ("begin", "end") and match.group("opened" if kind == "begin" else "closed") in ROWS:
            kind = "rows"
        found.append(Sign(kind, whole, first, last))
    return found


def match_brackets(signs: list[Sign]) -> None:
    """Braces close braces, environments close environments; [0, 1) is an interval."""
    stack: list[int] = []
    waiting = {"brace": 0, "env": 0, "bracket": 0}
    for at, sign in enumerate(signs):
        if sign.kind in ("open", "begin"):
            stack.append(at)
            waiting[_sort(sign)] += 1
        elif sign.kind in ("close", "end") and _closes(signs, stack, waiting, _sort(sign)):
            opener = stack.pop()
            while _sort(signs[opener]) != _sort(sign):
                waiting[_sort(signs[opener])] -= 1
                opener = stack.pop()
            waiting[_sort(sign)] -= 1
            sign.partner, signs[opener].partner = opener, at
    depth = 0
    for sign in signs:
        if sign.partner >= 0 and sign.kind in ("close", "end"):
            depth -= 1
        sign.depth = depth
        if sign.partner >= 0 and sign.kind in ("open", "begin"):
            depth += 1


def _closes(signs: list[Sign], stack: list[int], waiting: dict[str, int], sort: str) -> bool:
    """A bracket closes only what was opened inside the same braces."""
    return bool(stack) and (_sort(signs[stack[-1]]) == sort if sort == "bracket" else waiting[sort] > 0)


def _sort(sign: Sign) -> str:
    if sign.kind in ("begin", "end"):
        return "env"
    return "brace" if sign.text in "{}" else "bracket"
