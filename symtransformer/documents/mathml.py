r"""MathML in the notation of LaTeX, each character with the place of its element."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from symtransformer.documents.placed import Placed, joined, made

SCRIPTS = {"msub": "_", "msup": "^", "munder": "_", "mover": "^"}
BOTH_SCRIPTS = ("msubsup", "munderover")
SILENT = frozenset(
    ("annotation", "annotation-xml", "mspace", "mphantom", "none", "mprescripts", "maligngroup", "malignmark")
)
OPERATORS = {
    "\u2061": "",
    "\u2062": "",
    "\u2063": ",",
    "\u2064": "+",
    "\u2223": "|",
    "&": r"\&",
    "{": r"\{",
    "}": r"\}",
    "%": r"\%",
}


LAID_OUT = frozenset(("mfrac", "msqrt", "mroot", "mtable", "mtr", "mlabeledtr", "mfenced", *SCRIPTS, *BOTH_SCRIPTS))
TOKENS = ("mi", "mn", "mo", "mtext", "ms")
FENCED = {"[]": "bmatrix", "()": "pmatrix"}
ALONE = re.compile(
    r"\\(?:operatorname|mathrm|mathbf)\{[^{}]*\}|\\begin\{([bp]matrix)\}(?:(?!\\begin).)*\\end\{\1\}", re.DOTALL
)
UNKNOWN = frozenset(
    ("mmultiscripts", "mstack", "mlongdiv", "mscarries")
)  # how their parts belong together, is not read
NOT_SEEN = "\u2061\u2062\u2063\u2064\u200b\u2060\ufeff"
NO_LINE = re.compile(r"\s*0(?:\.0*)?(?:[a-z]{2}|%)?\s*")  # between two numbers: how many choices there are
GRADIENT = re.compile(r"d[A-Za-z]{1,8}")


@dataclass
class Element:
    """A node of the tree: its children are elements and pieces of text."""

    name: str
    origin: int
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element | Placed] = field(default_factory=list)
    latex: Placed | None = None  # that an attribute keeps


def tex_annotation(element: Element) -> Placed | None:
    """The LaTeX that the author wrote, where the page keeps it: in an annotation, or an attribute of the formula."""
    waiting = [element]
    while waiting:
        node = waiting.pop()
        if node.name == "annotation" and "tex" in node.attributes.get("encoding", "").lower():
            return joined(c for c in node.children if isinstance(c, Placed))
        waiting += [c for c in reversed(node.children) if isinstance(c, Element)]
    return element.latex


def as_latex(element: Element, in_script: bool = False) -> Placed:
    """The tree as a formula; it is never deeper than the reader of the page lets it be."""
    name = element.name
    if name in SILENT:
        return made("", element.origin)
    if name in TOKENS and not any(isinstance(c, Element) for c in element.children):
        return _token(element)
    if name == "mo" and "".join(c for c in _words(element) if c.isalpha()) == "mod":
        return made(r"\bmod ", element.origin)
    if name in UNKNOWN:
        return made(rf" \{name} ", element.origin)
    parts = [c for c in element.children if isinstance(c, Element) and c.name not in SILENT]
    if name not in LAID_OUT:
        return joined(_in_row(parts, in_script))
    scripts = name in SCRIPTS or name in BOTH_SCRIPTS
    inside = [as_latex(c, in_script or (scripts and k > 0)) for k, c in enumerate(parts)]
    if name == "mfrac" and len(inside) == 2:
        has_no_line = NO_LINE.fullmatch(element.attributes.get("linethickness", "")) is not None
        return _written(element, r"\binom{" if has_no_line else r"\frac{", inside[0], "}{", inside[1], "}")
    if name == "msqrt":
        return _written(element, r"\sqrt{", *_in_row(parts, in_script), "}")
    if name == "mroot" and len(inside) == 2:
        return _written(element, r"\sqrt[", inside[1], "]{", inside[0], "}")
    if name in SCRIPTS and len(inside) == 2:
        return _scripted(element, parts, inside, (SCRIPTS[name],))
    if name in BOTH_SCRIPTS and len(inside) == 3:
        return _scripted(element, parts, inside, ("_", "^"))
    if name == "mtable":
        return _written(element, r"\begin{matrix}", *_between(element, inside, r" \\ "), r"\end{matrix}")
    if name in ("mtr", "mlabeledtr"):
        return joined(_between(element, inside, " & "))
    if name == "mfenced":
        opening, closing = element.attributes.get("open", "("), element.attributes.get("close", ")")
        return _written(
            element, OPERATORS.get(opening, opening), *_between(element, inside, ","), OPERATORS.get(closing, closing)
        )
    return joined(inside)


def _words(element: Element) -> str:
    """The text of an element and of what is in it."""
    return "".join(c.text if isinstance(c, Placed) else _words(c) for c in element.children)


def _in_row(parts: list[Element], in_script: bool) -> list[Placed]:
    """What stands in a row: upright letters are a word, other letters are apart, but in an index."""
    pieces: list[Placed] = []
    at = 0
    while at < len(parts):
        end = at
        while end < len(parts) and _is_upright(parts[end]):
            end += 1
        if (environment := _fences(parts[at : at + 3])) is not None:
            table = as_latex(parts[at + 1], in_script)
            inner = table.cut(len(r"\begin{matrix}"), len(table.text) - len(r"\end{matrix}"))
            piece = _written(parts[at], rf"\begin{{{environment}}}", inner, rf"\end{{{environment}}}")
            at += 3
        elif end - at > 1:
            end += end < len(parts) and parts[end].name == "mn"
            letters = [_text_of(part) for part in parts[at:end]]
            piece, at = _written(parts[at], r"\mathrm{", *letters, "}"), end
        else:
            piece, at = as_latex(parts[at], in_script), at + 1
        if not in_script and pieces and pieces[-1].text[-1:].isalnum() and piece.text[:1].isalpha():
            pieces.append(made(" ", piece.origins[0]))
        pieces.append(piece)
    return pieces


def _fences(parts: list[Element]) -> str | None:
    """The environment of a table between brackets."""
    if len(parts) != 3 or [p.name for p in parts] != ["mo", "mtable", "mo"]:
        return None
    return FENCED.get(_text_of(parts[0]).text + _text_of(parts[2]).text)


def _is_upright(element: Element) -> bool:
    text = _text_of(element).text
    is_letter = len(text) == 1 and text.isascii() and text.isalpha()
    return element.name == "mi" and element.attributes.get("mathvariant") == "normal" and is_letter


def _text_of(element: Element) -> Placed:
    """Without what is not seen."""
    text = joined(c for c in element.children if isinstance(c, Placed))
    kept = [i for i, c in enumerate(text.text) if c not in NOT_SEEN]
    return Placed("".join(text.text[i] for i in kept), tuple(text.origins[i] for i in kept)).strip()


def _token(element: Element) -> Placed:
    if element.name == "mo" and (sign := "".join(c.text for c in element.children if isinstance(c, Placed)).strip()):
        if sign in OPERATORS:
            return made(OPERATORS[sign], element.origin)
    text = _text_of(element)
    if element.name == "mo" and text.text == "mod":
        return made(r"\bmod ", element.origin)
    if element.name in ("mtext", "ms"):
        clean = "".join(c for c in text.text if c not in "{}\\")
        return _written(element, r"\text{", clean, "}") if clean.strip() else made(" ", element.origin)
    text, is_bold = _usual_letters(text)
    if element.name == "mi" and len(text.text) > 1 and text.text.isascii():
        return _written(
            element, r"\operatorname{" if text.text.isalpha() else "", text, "}" if text.text.isalpha() else ""
        )
    if text.text in OPERATORS:
        return made(OPERATORS[text.text], element.origin)
    if "\\" in text.text:
        return _written(element, text.text.replace("\\", r"\backslash "))
    if element.name != "mo" and (is_bold or element.attributes.get("mathvariant", "").startswith("bold")):
        return _written(element, r"\mathbf{", text, "}")
    spaced = element.name == "mo" and text.text.isalpha()
    return _written(element, " ", text, " ") if spaced else text


def _usual_letters(text: Placed) -> tuple[Placed, bool]:
    """𝐀 is a bold A, and 𝑥 is x; each is one character for one."""
    if not any("\U0001d400" <= c <= "\U0001d7ff" for c in text.text):
        return text, False
    bold = all("BOLD" in unicodedata.name(c, "") for c in text.text)
    return Placed("".join(unicodedata.normalize("NFKC", c)[:1] for c in text.text), text.origins), bold


def _scripted(element: Element, parts: list[Element], inside: list[Placed], signs: tuple[str, ...]) -> Placed:
    name = _name_of_gradient(parts[0])
    base = (
        inside[0]
        if len(inside[0].text) <= 1 or ALONE.fullmatch(inside[0].text) or _is_in_brackets(inside[0].text)
        else _written(element, r"\mathit{", name, "}")
        if name is not None
        else _written(element, "{", inside[0], "}")
    )
    pieces: list[str | Placed] = [base]
    for sign, script in zip(signs, inside[1:], strict=True):
        shown = "T" if script.text in ("⊤", "𝖳", "\u22a4") else script
        pieces += [sign + "{", shown, "}"]
    return _written(element, *pieces)


def _is_in_brackets(text: str) -> bool:
    """Whether the first bracket is closed by the last one."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign in "([") - (sign in ")]")
        if depth == 0:
            return at == len(text) - 1
    return False


def _name_of_gradient(base: Element) -> Placed | None:
    """dW with an index, which is no product: its letters are held together."""
    parts = [c for c in base.children if isinstance(c, Element)]
    while len(parts) == 1 and parts[0].name in ("mrow", "mstyle"):
        parts = [c for c in parts[0].children if isinstance(c, Element)]
    name = joined(map(_text_of, parts))
    is_name = base.name != "mi" and all(p.name == "mi" for p in parts) and GRADIENT.fullmatch(name.text)
    return name if is_name else None


def _between(element: Element, pieces: list[Placed], separator: str) -> list[Placed]:
    result: list[Placed] = []
    for piece in pieces:
        result += [made(separator, element.origin), piece] if result else [piece]
    return result


def _written(element: Element, *pieces: str | Placed) -> Placed:
    return joined(made(p, element.origin) if isinstance(p, str) else p for p in pieces)
