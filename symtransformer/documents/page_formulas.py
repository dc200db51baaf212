"""Formulas of a web page: MathML, what a script sets, pictures; and which of several forms of one formula is read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from symtransformer.documents.alternatives import (
    formula_in,
    formula_of_picture,
    has_the_same_numbers,
    says_the_same,
    signs_shown,
)
from symtransformer.documents.collecting import Collector
from symtransformer.documents.hidden import HIDDEN, Hidden, is_hidden, is_rendered, is_styled_away
from symtransformer.documents.limits import TREE_DEPTH
from symtransformer.documents.macros import Macros
from symtransformer.documents.markup import Tag
from symtransformer.documents.mathml import Element, as_latex, tex_annotation
from symtransformer.documents.placed import Placed, Words, joined, made
from symtransformer.documents.signs import RELATING

EMPTY = frozenset([
    "br", "hr", "img", "input", "meta", "link", "area", "base", "col", "embed", "source", "track", "wbr",
])  # fmt: skip
UNSEEN = frozenset(
    (
        "svg",
        "head",
        "template",
        "select",
        "option",
        "datalist",
        "button",
        "mjx-math",
        "mjx-speech",
        "canvas",
        "object",
        "video",
        "audio",
    )
)
PROGRAMS = ("language-", "lang-", "highlight-source", "brush:", "sourcecode")
NO_FORMULA = frozenset(("td", "th", "tr", "table", "math", "body", "main", "section", "article", "ul", "ol"))
FORMULA_FENCES = {True: (r"\[", r"\]"), False: (r"\(", r"\)")}
FENCES = dict(FORMULA_FENCES.values())
DRAWN = "a formula that is drawn: neither its LaTeX nor its MathML stands beside it"
FORMS = "a formula, and text in its place for readers without scripts, that have other numbers"
DIFFERS = "a formula that is drawn with other digits than its MathML has"


@dataclass
class Frame:
    """An element whose inside is gathered by itself: it holds one formula in some form."""

    kind: str
    name: str
    outside: list[Placed]  # what was gathered before it
    latex: Placed | None = None
    origin: int = 0
    depth: int = 1  # elements of its name that are open
    has_elements: bool = False
    drawn: str = ""  # what is seen of it, where that is no text to be read


class FormulasOfPage:
    """What is gathered of a page, with its formulas between fences."""

    def __init__(self, found: Collector) -> None:
        self.found = found
        self.words = Words()
        self.block: list[Placed] = []
        self.unseen: list[str] = []  # open elements, from the first that is not read
        self.math: list[Element] = []
        self.frames: list[Frame] = []
        self.hidden: Hidden | None = None
        self.not_shown: frozenset[str] = frozenset()  # classes
        self.from_mathml: set[int] = set()
        self.drawn: list[int] = []  # pictures of formulas in the block, by MathJax 2
        self.scripted = 0  # and their LaTeX in scripts
        self.last_formula = ""
        self.last_shown = ""  # of MathML
        self.macros = Macros()

    def _put(self, *pieces: Placed) -> None:
        """What is read, and is part of the words unless it stands in a form that may be left out."""
        self.block += pieces
        for piece in pieces if not self.frames else ():
            self.words.add(piece)

    def _say(self, text: str, origin: int) -> None:
        if not self.frames:
            self.words.add(made(text, origin))

    def _expanded(self, text: Placed) -> Placed:
        """Without the commands that the page's scripts define."""
        return self.macros.expand(text, self.found.problem) or made(" ", text.origins[0]) if text.text else text

    def _on_its_own(self, block: Placed) -> Placed:
        """A formula that is a whole block is displayed."""
        block = self._expanded(block)
        inner = block.strip()
        opening, closing = FORMULA_FENCES[False]
        if not inner.text.startswith(opening) or inner.text.find(closing) != len(inner.text) - len(closing):
            return block
        opened, closed = (made(sign, inner.origins[at]) for sign, at in zip(FORMULA_FENCES[True], (0, -1), strict=True))
        return joined([opened, inner.cut(2, len(inner.text) - 2), closed])

    def _while_unseen(self, tag: Tag) -> None:
        self._look_for_latex(tag)
        if tag.closes:
            if tag.name in self.unseen[-TREE_DEPTH:]:
                while self.unseen.pop() != tag.name:
                    pass
                if not self.unseen:
                    self._end_hidden()
        elif not tag.empty and tag.name not in EMPTY:
            self.unseen.append(tag.name)

    # -- formulas ----------------------------------------------------------------------------------------------
    def _script(self, tag: Tag, raw: Placed) -> None:
        kind = tag.attributes.get("type", "").lower()
        if tag.name == "script" and kind.startswith("math/tex") and raw.text.strip():
            self._formula(raw, "mode=display" in kind.replace(" ", ""))
            self.scripted += 1

    def _formula(self, formula: Placed, display: bool, mathml: bool = False) -> None:
        opening, closing = FORMULA_FENCES[display]
        formula = formula.strip()
        if not formula.text:
            return
        if mathml:
            self.from_mathml.add(formula.origins[0])
        self.last_formula = signs_shown(formula.text)
        self._put(made(opening, formula.origins[0]), formula, made(closing, formula.origins[-1]))

    def _picture(self, tag: Tag) -> None:
        """A picture of a formula by its words, unless they only say again what stands before it."""
        latex = formula_in(tag) or formula_of_picture(tag)
        if latex is not None and signs_shown(latex.text) != self.last_formula:
            self._formula(latex, display=False)

    def _begins_formula(self, tag: Tag) -> bool:
        """Whether the tag opens a formula in some form, or what is not read; then it is taken up."""
        holds = not tag.empty and tag.name not in EMPTY
        if holds and is_hidden(tag, self.not_shown):
            self._open_unseen(tag)
            self.hidden = (
                Hidden(tag.origin) if "hidden" in tag.attributes or is_styled_away(tag, self.not_shown) else None
            )
            self._look_for_latex(tag)
        elif holds and (kind := self._frame_of(tag)) is not None:
            self.frames.append(Frame(kind, tag.name, self.block, formula_in(tag), tag.origin))
            self.block = []
        elif tag.name == "math":
            latex = tag.value("alttext") or formula_in(tag)
            self.math.append(Element("math", tag.origin, tag.attributes, latex=latex))
        elif tag.name == "img":
            self._picture(tag)
        elif holds and _is_unseen(tag):
            if is_rendered(tag) and "preview" not in tag.attributes.get("class", "").lower() and not self.frames:
                self.drawn.append(tag.origin)
            self._open_unseen(tag)
            self._look_for_latex(tag)
        else:
            return False
        return True

    def _open_unseen(self, tag: Tag) -> None:
        """Its end is not met as one of those inside of the frame."""
        if self.frames and self.frames[-1].name == tag.name:
            self.frames[-1].depth -= 1
        self.unseen.append(tag.name)

    def _text_unseen(self, text: str) -> None:
        if self.hidden is not None:
            self.hidden.texts.append(text)
        elif self.frames:
            self.frames[-1].drawn += text

    # -- elements that are gathered by themselves ------------------------------------------------------------------
    def _frame_of(self, tag: Tag) -> str | None:
        if self.frames or tag.name in NO_FORMULA:
            return None
        classes = tag.attributes.get("class", "").lower().split()
        if formula_in(tag) is not None:
            return "formula"
        if tag.name == "mjx-container" or "katex" in classes:
            return "drawn"
        return "bare" if "math" in classes and {"inline", "display", "js-render-math"} & {*classes} else None

    def _ends_frame(self, tag: Tag) -> bool:
        frame = self.frames[-1]
        frame.has_elements |= not tag.closes
        if tag.name == frame.name and not tag.empty:
            frame.depth += -1 if tag.closes else 1
        if frame.depth == 0:
            self._end_frame()
        return frame.depth == 0

    def _look_for_latex(self, tag: Tag) -> None:
        """MathJax 4 keeps the LaTeX with what it draws."""
        if self.hidden is not None and (latex := formula_in(tag)) is not None:
            self.hidden.formulas.append(latex.text)
        if self.frames and self.frames[-1].kind == "drawn" and self.frames[-1].latex is None and not tag.closes:
            self.frames[-1].latex = formula_in(tag)

    def _end_frame(self) -> None:
        frame = self.frames.pop()
        inside, self.block = joined(self.block), frame.outside
        if frame.kind == "formula" and frame.latex is not None:
            self._end_forms(frame.latex, inside)
        elif frame.kind == "bare" and not frame.has_elements and inside.text.strip()[:2] not in FENCES:
            self._formula(inside, display=False)
        elif frame.kind == "drawn" and inside.text.strip() and not _is_drawn_so(frame.drawn, self.last_shown):
            self.found.problem("drawn", DIFFERS, frame.origin)
        elif frame.kind == "drawn" and not inside.text.strip():
            if frame.latex is not None:
                self._formula(frame.latex, display=False)
            else:
                self.found.problem("drawn", DRAWN, frame.origin)
        else:
            self._put(inside)

    def _end_forms(self, latex: Placed, inside: Placed) -> None:
        """LaTeX that a script sets, and what stands there without it; both where they do not have the same numbers."""
        shown = inside.text.strip()
        bare = shown[2:-2] if FENCES.get(shown[:2]) == shown[-2:] else ""
        differs = not says_the_same(latex.text, bare) if bare else not has_the_same_numbers(latex.text, shown)
        self._formula(latex, display=False)
        if differs and shown and not RELATING.search(shown):
            self.found.problem("forms", FORMS, latex.origins[0])
        elif differs and shown:
            self._put(made("\n\n", inside.origins[0]), inside, made("\n\n", inside.origins[-1]))

    def _end_hidden(self) -> None:
        """What a script may show: where it is no more than what stands before it, nothing has to be said."""
        hidden, self.hidden = self.hidden, None
        if hidden is None:
            return
        repeats = hidden.formulas and all(signs_shown(formula) == self.last_formula for formula in hidden.formulas)
        if not repeats and any(RELATING.search(text) for text in (*hidden.formulas, *hidden.texts)):
            self.found.problem("hidden", HIDDEN, hidden.origin)

    # -- MathML ------------------------------------------------------------------------------------------------
    def _in_math(self, tag: Tag) -> None:
        if tag.closes:
            if any(e.name == tag.name for e in self.math):
                while self.math:
                    element = self.math.pop()
                    if self.math:
                        self.math[-1].children.append(element)
                    else:
                        self._end_math(element)
                    if element.name == tag.name:
                        break
            return
        element = Element(tag.name, tag.origin, tag.attributes)
        if tag.empty or tag.raw is not None or len(self.math) >= TREE_DEPTH:
            if len(self.math) == TREE_DEPTH and not tag.empty:
                self.found.problem(
                    "too_deep", f"more than {TREE_DEPTH} elements of MathML inside each other", tag.origin
                )
                self.math, self.unseen = [], ["math"]
                return
            self.math[-1].children.append(element)
        else:
            self.math.append(element)

    def _end_math(self, element: Element) -> None:
        """What is shown, as the author's LaTeX where that has the same signs."""
        shown, kept = as_latex(element), tex_annotation(element)
        self.last_shown = shown.text
        if kept is not None and (not shown.text.strip() or says_the_same(kept.text, shown.text)):
            shown, is_kept = kept, True
        else:
            is_kept = False
        self._formula(shown, element.attributes.get("display") == "block", mathml=not is_kept)


def _is_drawn_so(drawn: str, mathml: str) -> bool:
    """Whether what KaTeX draws has the digits of its MathML, in whatever order."""
    digits = re.findall(r"[0-9]", drawn)
    return not digits or sorted(digits) == re.findall(r"[0-9]", "".join(sorted(re.sub(r"\\[a-z]+", "", mathml))))


def _is_unseen(tag: Tag) -> bool:
    classes = tag.attributes.get("class", "").lower()
    if tag.name in UNSEEN:
        return True
    if tag.name in ("code", "pre", "div") and any(p in classes for p in PROGRAMS):
        return not any(p in classes for p in ("language-text", "language-plaintext", "language-none", "language-math"))
    return is_rendered(tag)
