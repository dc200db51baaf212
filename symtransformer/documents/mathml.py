r"""MathML in the notation of LaTeX, each character with the place of its element."""

from __future__ import annotations

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


@dataclass
class Element:
    """A node of the tree: its children are elements and pieces of text."""

    name: str
    origin: int
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element | Placed] = field(default_factory=list)


def tex_annotation(element: Element) -> Placed | None:
    """The LaTeX that the author wrote, where the page keeps it."""
    waiting = [element]
    while waiting:
        node = waiting.pop()
        if node.name == "annotation" and "tex" in node.attributes.get("encoding", "").lower():
            return joined(c for c in node.children if isinstance(c, Placed))
        waiting += [c for c in reversed(node.children) if isinstance(c, Element)]
    return None


def as_latex(element: Element) -> Placed:
    """The tree as a formula; it is never deeper than the reader of the page lets it be."""
    inside = [as_latex(c) for c in element.children if isinstance(c, Element) and c.name not in SILENT]
    name = element.name
    if name in SILENT:
        return made("", element.origin)
    if name in ("mi", "mn", "mo", "mtext", "ms"):
        return _token(element)
    if name == "mfrac" and len(inside) == 2:
        return _written(element, r"\frac{", inside[0], "}{", inside[1], "}")
    if name == "msqrt":
        return _written(element, r"\sqrt{", *inside, "}")
    if name == "mroot" and len(inside) == 2:
        return _written(element, r"\sqrt[", inside[1], "]{", inside[0], "}")
    if name in SCRIPTS and len(inside) == 2:
        return _scripted(element, inside, (SCRIPTS[name],))
    if name in BOTH_SCRIPTS and len(inside) == 3:
        return _scripted(element, inside, ("_", "^"))
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


def _token(element: Element) -> Placed:
    text = joined(c for c in element.children if isinstance(c, Placed)).strip()
    if element.name in ("mtext", "ms"):
        clean = "".join(c for c in text.text if c not in "{}\\")
        return _written(element, r"\text{", clean, "}") if clean.strip() else made(" ", element.origin)
    if element.name == "mi" and len(text.text) > 1 and text.text.isascii():
        return _written(
            element, r"\operatorname{" if text.text.isalpha() else "", text, "}" if text.text.isalpha() else ""
        )
    if text.text in OPERATORS:
        return made(OPERATORS[text.text], element.origin)
    if "\\" in text.text:
        return _written(element, text.text.replace("\\", r"\backslash "))
    spaced = element.name == "mo" and text.text.isalpha()
    return _written(element, " ", text, " ") if spaced else text


def _scripted(element: Element, inside: list[Placed], signs: tuple[str, ...]) -> Placed:
    base = (
        inside[0]
        if len(inside[0].text) <= 1 or inside[0].text.startswith("\\operatorname")
        else _written(element, "{", inside[0], "}")
    )
    pieces: list[str | Placed] = [base]
    for sign, script in zip(signs, inside[1:], strict=True):
        shown = "T" if script.text in ("⊤", "𝖳", "\u22a4") else script
        pieces += [sign + "{", shown, "}"]
    return _written(element, *pieces)


def _between(element: Element, pieces: list[Placed], separator: str) -> list[Placed]:
    result: list[Placed] = []
    for piece in pieces:
        result += [made(separator, element.origin), piece] if result else [piece]
    return result


def _written(element: Element, *pieces: str | Placed) -> Placed:
    return joined(made(p, element.origin) if isinstance(p, str) else p for p in pieces)
