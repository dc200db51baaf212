r"""Derivatives of a loss as people write them: ∂L/∂Q, dL/dQ, \frac{\partial L}{\partial Q}, \bar Q, grad_Q, ∇_Q L become dQ, and \hat{x} becomes xhat.

What stands for what is known character by character, so that an error points into the text that was given.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from symtransformer.reading.limits import DEPTH, FORMULA_CHARACTERS
from symtransformer.reading.problems import ReadingError, Span, did_you_mean, quoted
from symtransformer.reading.vocabulary import GREEK_SIGNS
from symtransformer.scalars import GREEK

SET = r"\\(?:mathrm|text|operatorname|textrm|mathsf|mathbf|boldsymbol|bm|mathit)"
PARTIAL = rf"(?:∂|\\partial(?![A-Za-z])\s*|{SET}\s*\{{\s*d\s*\}}\s*|d(?=\s*[A-Za-z\\ℓ{{])\s*)"
LOSS = rf"(?P<loss>\\(?:mathcal|mathscr|mathrm|mathit)\s*\{{\s*L\s*\}}|\\(?:mathcal|mathscr)\s*L|{SET}\s*\{{\s*(?:loss|Loss|L)\s*\}}|\\ell(?![A-Za-z])|ℓ|ℒ|[Ll]oss(?![A-Za-z0-9_])|[LJ](?![A-Za-z0-9_]))"
GREEK_NAME = "|".join(sorted(GREEK, key=len, reverse=True))
BASE = rf"(?:{SET}\s*\{{\s*[A-Za-z][A-Za-z0-9]{{0,15}}\s*\}}|\\(?:{GREEK_NAME})(?![A-Za-z])|[{''.join(GREEK_SIGNS)}]|[A-Za-z][A-Za-z0-9]{{0,15}})"
LOW = rf"(?:_(?:\{{(?:[^{{}}\n]|\{{[^{{}}\n]{{0,20}}\}}){{1,40}}\}}|\((?:[^()\n]|\([^()\n]{{1,20}}\)){{1,40}}\)|(?:[A-Za-z0-9]|[α-ω](?![_^(])){{1,15}}|[{''.join(GREEK_SIGNS)}]))"
HIGH = r"(?:\^(?:\{(?!\s*(?:T|\\top|\\intercal|\\mathsf))(?:[^{}\n]|\{[^{}\n]{1,20}\}){1,40}\}|\((?:[0-9]{1,3}|[a-z])\)|[A-SU-Z](?![A-Za-z0-9])))"
VARIABLE = rf"(?P<place>[a-z][a-z0-9]{{0,7}}\.(?=[A-Za-z]))?(?P<base>{BASE})(?P<marks>(?:{LOW}|{HIGH}){{0,3}})"
GROUP = rf"(?:\\left\s*)?[(\[]\s*{VARIABLE}\s*(?:\\right\s*)?[)\]]\s*(?P<entry>{LOW})"
BRACED = rf"\{{\s*{VARIABLE}\s*\}}"

INDICATOR = r"(?<![A-Za-z0-9_.])(?:1|𝟙|\\(?:mathbb|mathbf|bm)\s*\{\s*[1I]\s*\}|\\mathbb\s*1)\s*_?\s*"
BESIDE_0 = (
    r"\s*(?P<what>(?:[^][(){}<>=≥≤\n]|\{[^{}\n]{1,20}\}){1,60}?)\s*"
    r"(?P<order>>=|<=|[><≥≤]|\\(?:gt|lt|geq?|leq?|geqslant|leqslant)(?![A-Za-z]))\s*0\s*"
)
STEPS = {">": "step({})", "<": "step(-({}))", "≥": "(1 - step(-({})))", "≤": "(1 - step({}))"}
ORDERS = {">=": "≥", "<=": "≤", "gt": ">", "lt": "<", "ge": "≥", "geq": "≥", "geqslant": "≥", "le": "≤", "leq": "≤", "leqslant": "≤"}  # fmt: skip
WORD = "(?<![A-Za-z0-9_.])"
GREEK_BASE = rf"\\(?:{GREEK_NAME})(?![A-Za-z])"
# behind a gradient of what is not named: ∇_Q = dS K, and not ∇_x ‖x‖, which is one of something else than the loss
ALONE = r"(?=\s*(?:\Z|[=≈≃<>≤≥≠+\-−±,.;:!?)\]}&^*@⊙\n]|\\\\|\\(?:approx|simeq|leq?|geq?|neq?|odot|q?quad|in|text|right|end)(?![A-Za-z])))"
HATS = {"hat": "hat", "widehat": "hat", "tilde": "tilde", "widetilde": "tilde", "\u0302": "hat", "\u0303": "tilde"}
PATTERNS: tuple[tuple[tuple[str, ...], str], ...] = (  # signs without which a pattern is not looked for, and the pattern
    (("frac",), rf"\\[dt]?frac\s*\{{\s*{PARTIAL}\s*{LOSS}\s*\}}\s*\{{\s*{PARTIAL}\s*(?P<opened>\{{\s*)?{VARIABLE}\s*(?(opened)\}}\s*)\}}"),
    (("frac",), rf"\\[dt]?frac\s*\{{\s*{PARTIAL}\s*{LOSS}\s*\}}\s*\{{\s*{PARTIAL}\s*{GROUP}\s*\}}"),
    (("/",), rf"(?<![A-Za-z0-9_]){PARTIAL}{LOSS}\s*/\s*{PARTIAL}{GROUP}"),
    (("/",), rf"(?<![A-Za-z0-9_]){PARTIAL}{LOSS}\s*/\s*\(\s*{PARTIAL}{VARIABLE}\s*\)"),
    (("/",), rf"(?<![A-Za-z0-9_]){PARTIAL}{LOSS}\s*/\s*{PARTIAL}{VARIABLE}"),
    (
        ("∇", "nabla"),
        rf"(?:∇|\\nabla(?![A-Za-z]))\s*_\s*(?:{BRACED}|(?P<bare>{BASE}(?:_[A-Za-z0-9]{{1,15}})?))(?:\s*(?:\\!|\\,)?\s*{LOSS}|{ALONE})",
    ),
    (("grad_",), rf"{WORD}grad_(?:{BRACED}|(?P<bare>[A-Za-z][A-Za-z0-9]{{0,15}}(?:_[A-Za-z0-9]{{1,15}})?))(?!\s+[a-z](?![A-Za-z0-9]))"),
    ((".grad",), rf"{WORD}(?P<base>[A-Za-z][A-Za-z0-9]{{0,15}})(?P<marks>_[A-Za-z0-9]{{1,15}})?\.grad(?![A-Za-z0-9_])"),
    (("bar", "overline"), rf"\\(?:bar|overline)\s*(?:{BRACED}|(?P<bare>{GREEK_BASE}|[A-Za-z](?![A-Za-z0-9])))"),
    (("\u0304",), "(?P<base>[A-Za-z])\u0304"),
    (("\\",), rf"{SET}\s*\{{\s*d\s*\}}\s*(?:\\!|\\,)?\s*{VARIABLE}"),
    (("\\",), rf"{SET}\s*\{{\s*d(?P<base>[A-Z][A-Za-z0-9]{{0,14}})\s*\}}(?P<marks>{LOW}?)"),
    (("d\\", "d \\"), rf"(?<![A-Za-z0-9_\\])d\s*(?P<base>{GREEK_BASE})(?P<marks>{LOW}{{0,2}})"),
    (tuple(GREEK_SIGNS), rf"(?<![A-Za-z0-9_\\])d\s*(?P<base>[{''.join(GREEK_SIGNS)}])(?P<marks>{LOW}{{0,2}})"),
    (("hat", "tilde"), r"\\(?P<hat>hat|widehat|tilde|widetilde)\s*(?:\{\s*(?P<base>[A-Za-z])\s*\}|(?P<bare>[A-Za-z](?![A-Za-z0-9])))"),
    (("√", "sqrt"), r"(?:√\s*|\\sqrt\s+(?![0-9][0-9.]|[A-Za-z][A-Za-z0-9]))(?P<root>[0-9]+|[A-Za-z][A-Za-z0-9]{0,15}(?:_[A-Za-z0-9]{1,15})?)"),
    (("[",), r"(?<=[A-Za-z0-9])\[\s*(?P<index>[a-z](?:\s*,\s*[a-z])?)\s*\]"),
    (
        ("=",),
        r"(?:(?<![A-Za-z0-9_.])(?:1|𝟙|\\(?:mathbb|mathbf|bm)\s*\{\s*[1I]\s*\})_?\s*(?:\[|\{|\\\{|\(|_\{)|\[)"
        r"\s*(?P<equal>[a-z]\s*=\s*[a-z])\s*(?:\]|\\?\}|\))",
    ),
    *(
        ((">", "<", "≥", "≤", "\\g", "\\l"), rf"{before}{opening}{BESIDE_0}{closing}")
        for before, opening, closing in (
            (rf"(?:{INDICATOR}|(?<![A-Za-z0-9_\]\}}]))", r"\[", r"\]"),
            (rf"(?:{INDICATOR}|(?<![A-Za-z0-9_\]\}}]))", r"\(", r"\)"),
            (INDICATOR, r"\\?\{", r"\\?\}"),
        )
    ),
    ((")",), r"(?:(?<=Σ_)|(?<=∑_)|(?<=sum_))\(\s*(?P<counted>[a-z])\s*=\s*(?P<first>[01]|[a-z](?:\s*\+\s*1)?)\s*\.\.\.?\s*(?P<top>(?:[^()\n=]|\([^()\n]{1,30}\)){1,50})\)"),
    (("**",), r"(?P<power>\*\*)"),
    (("⊤",), r"(?P<transposed>\^\s*\{\s*⊤\s*\}|\^?\s*⊤)"),
    (("np.", "numpy.", "jnp.", "torch."), r"(?<![A-Za-z0-9_.])(?P<module>np|numpy|jnp|torch)\.(?=[a-z]+\()"),
    (("\u0302", "\u0303"), "(?P<base>[A-Za-z])(?P<hat>[\u0302\u0303])"),
)  # fmt: skip
OF_A_LOSS = ("L", "J", "oss", "ℓ", "ℒ", "ell")


@dataclass(frozen=True)
class Marked:
    """A text with derivatives as names, and where each of its characters stood."""

    given: str
    text: str
    starts: tuple[int, ...]  # in `text`, of each piece
    origins: tuple[tuple[int, bool], ...]  # in `given`; whether the piece was copied

    def origin(self, place: int) -> int:
        if not self.origins:
            return 0  # the empty text
        k = max(0, bisect_right(self.starts, place) - 1)
        start, copied = self.origins[k]
        return min(len(self.given), start + (place - self.starts[k] if copied else 0))

    def refuse(self, span: Span, code: str, message: str) -> ReadingError:
        error = ReadingError(self.given, Span(self.origin(span.start), self.origin(span.end)), code, message)
        error.is_about = self.given
        return error

    def moved(self, error: ReadingError) -> ReadingError:
        """The same error about the text that was given; what `refuse` made is about that already."""
        is_placed = error.is_about is self.given
        lines = (self.given if is_placed else self.text).split("\n")
        place = sum(len(line) + 1 for line in lines[: error.line - 1]) + error.column - 1
        place = place if is_placed else self.origin(place)
        made = type(error)(self.given, Span(place, place), error.code, error.message)
        made.__cause__ = error.__cause__
        return made


def marked(text: str, known: Container[str] = (), gradients: Mapping[str, str] | None = None) -> Marked:
    """The text with every derivative of a loss as dQ; that of a letter L that is `known` for something else is none.

    `gradients` says which gradients have another name, as dX2, by their letters.
    """
    check_size(text)
    text = text.replace("\u00a0", " ")
    pieces: list[str] = []
    starts: list[int] = []
    origins: list[tuple[int, bool]] = []
    length = at = 0

    def add(piece: str, origin: int, copied: bool) -> None:
        nonlocal length
        if piece:
            pieces.append(piece)
            starts.append(length)
            origins.append((origin, copied))
            length += len(piece)

    for start, end, name in _found(text, known, gradients or {}):
        add(text[at:start], at, True)
        gap = bool(pieces) and pieces[-1][-1:].isalnum() and name[:1].isalnum()  # as in 2\bar{Q}
        add((" " if gap else "") + name + (" " if name and text[end : end + 1].isalnum() else ""), start, False)
        at = end
    add(text[at:], at, True)
    return Marked(text, "".join(pieces), tuple(starts), tuple(origins))


def check_size(text: str) -> None:
    """How long a text is, and how deep its brackets stand, before anything else looks at it."""
    if len(text) > FORMULA_CHARACTERS:
        span = Span(FORMULA_CHARACTERS, FORMULA_CHARACTERS)
        raise ReadingError(text, span, "too_long", f"more than {FORMULA_CHARACTERS} characters")
    depth = 0
    for k, sign in enumerate(text):
        depth = depth + 1 if sign in "([{⟨" else max(0, depth - 1) if sign in ")]}⟩" else depth
        if depth > DEPTH:
            raise ReadingError(text, Span(k, k + 1), "too_deep", f"more than {DEPTH} brackets inside each other")


def _found(text: str, known: Container[str], gradients: Mapping[str, str]) -> Iterable[tuple[int, int, str]]:
    """The derivatives from left to right, none inside another."""
    every: list[tuple[int, int, str]] = []
    for signs, pattern in PATTERNS:
        if not any(sign in text for sign in signs) or (signs == ("/",) and not any(sign in text for sign in OF_A_LOSS)):
            continue
        for match in re.finditer(pattern, text):
            _require_axis(text, match)
            groups = match.groupdict()
            base, marks = groups.get("base") or groups.get("bare") or "", groups.get("marks") or ""
            if groups.get("bare") and "_" in base:
                base, _, low = base.partition("_")
                marks = f"_{low}"
            name = _rewritten(groups) or _gradient(groups.get("place") or "", plain_base(base), marks, gradients)
            name = f"({name}){groups['entry']}" if groups.get("entry") else name
            name = "" if groups.get("module") else name
            if not any(start < match.end() and match.start() < end for start, end, _ in every) and (groups.get("loss") or "") not in known:  # fmt: skip
                every.append((match.start(), match.end(), name))
    return sorted(every)


def _gradient(place: str, base: str, marks: str, gradients: Mapping[str, str]) -> str:
    """dQ_{i}, or what the gradient by the letter is called that the name stands for."""
    first = re.match(rf"{LOW}|{HIGH}", marks)
    low = plain_mark(first.group()[1:]) if first else ""
    for letter in (*(f"{x}_{low}" for x in spellings(base) if low), *spellings(base)):
        if (name := gradients.get(f"{place}{letter}")) is not None:
            if name == f"{place}d{letter}":
                break
            return f"{name.partition('_')[0]}{marks}" if "_" in letter else f"{name}{marks}"
    return f"{place}d{base}{marks}"


def _require_axis(text: str, module: re.Match[str]) -> None:
    """np.mean(X) is one number, and np.sum(X, axis=1) has lost the axis that it is repeated over."""
    found = re.compile(r"(sum|mean)\(").match(text, module.end()) if module.groupdict().get("module") else None
    if found is None:
        return
    depth, end = 1, found.end()
    while end < len(text) and depth:
        depth += (text[end] in "([{") - (text[end] in ")]}")
        end += 1
    over = re.search(r"(?:(?:axis|dim)\s*=|,)\s*(-?[0-9])\s*(,\s*keepdims?\s*=\s*True\s*)?\)$", text[found.end() : end])
    if over is None or (over.group(1) not in ("0", "-2") and over.group(2) is None):
        what = f"{module.group()}{found.group(1)}"
        message = (
            f"{what} without axis and keepdims is no column here; write {what}(X, axis=1, keepdims=True) or axis=0"
        )
        raise ReadingError(text, Span(module.start(), end), "keyword", message)


def _rewritten(groups: Mapping[str, str | None]) -> str:
    """What else is brought into one spelling: hats, roots without brackets, entries as in programs, [j = k], and 1[p > 0]."""
    if hat := groups.get("hat"):
        return f"{groups.get('base') or groups.get('bare')}{HATS[hat]}"
    if order := groups.get("order"):
        return STEPS[ORDERS.get(order.lstrip("\\"), order)].format(groups["what"])
    if groups.get("power"):
        return "^"
    if counted := groups.get("counted"):
        return f"{{{counted}={groups['first']}}}^{{{groups['top']}}}"
    if groups.get("transposed"):
        return "^T"
    if root := groups.get("root"):
        return f"√({root})"
    if index := groups.get("index"):
        return f"_{{{index}}}"
    return "δ_{" + equal.replace("=", ",") + "}" if (equal := groups.get("equal")) else ""


def plain_base(base: str) -> str:
    r"""gamma for \gamma and γ, FFN for \mathrm{FFN}."""
    if base in GREEK_SIGNS:
        return GREEK_SIGNS[base]
    inner = re.fullmatch(rf"{SET}\s*\{{\s*([A-Za-z0-9]+)\s*\}}", base)
    return inner.group(1) if inner else base.lstrip("\\")


def plain_mark(mark: str) -> str:
    r"""model for {\mathrm{model}}, ij for {ij}."""
    mark = mark.strip()
    while mark.startswith("{") and mark.endswith("}"):
        mark = mark[1:-1].strip()
    return re.sub(r"\\(?:mathrm|text|operatorname|textrm|mathsf)\s*\{\s*([A-Za-z0-9]+)\s*\}", r"\1", mark)


def spellings(base: str) -> list[str]:
    """The name itself, then the capital letter of which it is a row or an entry."""
    found = [base]
    if base[:1].islower():
        found.append(base[0].upper() + base[1:])
        if base[0] == "d" and base[1:2].islower():
            found.insert(1, "d" + base[1].upper() + base[2:])
    return found


def unknown(word: str, known: Iterable[str]) -> str:
    """What is said of a name that nothing bears; of dS where there is no S, that there is none."""
    known = sorted(known)
    part = word[1:2].upper() + word[2:]
    by = [name[1:] for name in known if name[0] == "d" and name[1:] in known]
    if word[:1] == "d" and (named := {word[1:], part, part.partition("_")[0]} & {*known}):
        return f"{quoted(word)} is nothing that is known here: there is no gradient with respect to {min(named)}"
    if word[:1] != "d" or not part or not by or word.casefold() in map(str.casefold, known):
        return f"{quoted(word)} is nothing that is known here; {did_you_mean(word, known)}"
    return (
        f"{quoted(word)} would be the gradient with respect to {part}, and nothing is called {part} here, only "
        f"{', '.join(by)}; give the part a name in the expression, as in {part} = ..., or in a line of the claim"
    )
