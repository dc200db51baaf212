r"""An author's own commands: \newcommand with arguments, \DeclareMathOperator; under limits, and nothing else of TeX."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from symtransformer.documents.limits import ALL_EXPANSIONS, EXPANSIONS, FORMULA_CHARACTERS, MACRO_CHARACTERS, MACROS
from symtransformer.documents.placed import Placed, joined, made

DEFINING = re.compile(
    r"\\(?P<how>newcommand|renewcommand|providecommand|DeclareMathOperator|def|let)(?P<star>\*?)(?![A-Za-z])"
)
NAME = re.compile(r"\s*(?:\{\s*\\([A-Za-z]+)\s*\}|\\([A-Za-z]+))")
SAME_AS = re.compile(r"\s*=?\s*\\([A-Za-z]+)")  # \let\a=\b
COUNT = re.compile(r"\s*\[([0-9])\]")
OPTIONAL = re.compile(r"\s*\[")
COMMAND = re.compile(r"\\([A-Za-z]+)")
# macros: { "\\R": "\\mathbb{R}", half: ["\\frac{#1}{2}", 1] }, as KaTeX and MathJax take them
SCRIPTED = re.compile(r"""["']?[mM]acros["']?\s*[:=]\s*\{""")
ENTRY = re.compile(
    r"""\s*(?:(?:"|')?(?:\\\\)?([A-Za-z]{1,40})(?:"|')?\s*:\s*(\[\s*)?(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)')(?(2)\s*,\s*([0-9])\s*\])\s*,?|//[^\n]*)"""
)
PARAMETER = re.compile(r"#([1-9#])")
# commands of LaTeX that are read as they are, whatever a document says of them
KEPT = frozenset(("begin", "end", "left", "right", "frac", "text", "input", "newcommand", "def"))


@dataclass(frozen=True)
class Macro:
    """So many arguments, and what stands in place of the command."""

    arguments: int
    body: str


@dataclass
class Macros:
    """The commands of one document."""

    known: dict[str, Macro] = field(default_factory=dict)
    endless: set[str] = field(default_factory=set)
    expanded: int = 0
    defined: int = 0  # definitions met, of whatever sort

    def define(self, text: str, at: re.Match[str]) -> tuple[int, str]:
        """Reads one definition; the place behind it, and a problem if it is of a sort that is not expanded."""
        self.defined += 1
        named = NAME.match(text, at.end())
        if named is None or self.defined > MACROS:
            return at.end(), ""
        name = named.group(1) or named.group(2)
        if at.group("how") == "let":
            same = SAME_AS.match(text, named.end())
            if same is not None and same.group(1) != name and name not in KEPT:
                self.known[name] = Macro(0, f"\\{same.group(1)}")
            return (same or named).end(), ""
        counted = COUNT.match(text, named.end()) if at.group("how") != "DeclareMathOperator" else None
        after = counted.end() if counted else named.end()
        optional = OPTIONAL.match(text, after) is not None
        body = group_after(text, after)
        if optional or body is None:
            return after, f"\\{name} is defined in a way that is not expanded"
        arguments = int(counted.group(1)) if counted else 0
        inner = text[body[0] : body[1]]
        if len(inner) > MACRO_CHARACTERS or name in KEPT:
            return body[1] + 1, f"\\{name} is not expanded: too long, too many, or a command of LaTeX itself"
        if any(m.group(1) == "#" or int(m.group(1)) > arguments for m in PARAMETER.finditer(inner)):
            return body[1] + 1, f"\\{name} has other arguments than it says"
        operator = at.group("how") == "DeclareMathOperator"
        self.known[name] = Macro(arguments, f"\\operatorname{at.group('star')}{{{inner}}}" if operator else inner)
        return body[1] + 1, ""

    def define_in_scripts(self, page: str) -> None:
        """What scripts of a page give KaTeX or MathJax as commands; nothing of it is run."""
        for begin in SCRIPTED.finditer(page):
            at = begin.end()
            while (entry := ENTRY.match(page, at)) is not None and entry.end() > at:
                at = entry.end()
                name, body = entry.group(1), entry.group(3) or entry.group(4) or ""
                self.defined += 1
                if name is None or name in KEPT or len(body) > MACRO_CHARACTERS or self.defined > MACROS:
                    continue
                inner = re.sub(r"\\(.)", r"\1", body)
                arguments = int(entry.group(5) or max(map(int, re.findall(r"#([1-9])", inner)), default=0))
                if all(m.group(1) != "#" and int(m.group(1)) <= arguments for m in PARAMETER.finditer(inner)):
                    self.known[name] = Macro(arguments, inner)

    def expand(
        self, formula: Placed, problem: Callable[[str, str, int], None], at_most: int = 2 * FORMULA_CHARACTERS
    ) -> Placed | None:
        """The formula without the author's commands, or nothing if that does not end."""
        if not self.known:
            return formula
        at, left = 0, EXPANSIONS
        while (found := COMMAND.search(formula.text, at)) is not None:
            name = found.group(1)
            macro = self.known.get(name)
            if macro is None:
                at = found.end()
                continue
            left -= 1
            self.expanded += 1
            if left < 0 or name in self.endless or self.expanded > ALL_EXPANSIONS or len(formula.text) > at_most:
                self.endless.add(name)
                problem("macro", f"\\{name} is expanded too often", formula.origins[found.start()])
                return None
            formula = self._once(formula, found, macro)
            at = found.start()
        return formula

    def _once(self, formula: Placed, found: re.Match[str], macro: Macro) -> Placed:
        origin = formula.origins[found.start()]
        end, arguments = found.end(), []
        for _ in range(macro.arguments):
            group = group_after(formula.text, end)
            if group is None:
                bare = re.compile(r"\s*(\\[A-Za-z]+|[^\s{}])").match(formula.text, end)
                span = bare.span(1) if bare else (end, end)
                arguments.append(formula.cut(*span))
                end = span[1]
            else:
                arguments.append(formula.cut(*group))
                end = group[1] + 1
        pieces, done = [], 0
        for parameter in PARAMETER.finditer(macro.body):
            pieces += [made(macro.body[done : parameter.start()], origin), arguments[int(parameter.group(1)) - 1]]
            done = parameter.end()
        pieces.append(made(macro.body[done:], origin))
        body = joined(pieces)
        rest = formula.cut(end)
        apart = bool(re.search(r"\\[A-Za-z]+\Z", body.text)) and rest.text[:1].isalpha()
        return joined([formula.cut(0, found.start()), body, made(" " if apart else "", origin), rest])


def group_after(text: str, at: int, limit: int = 2 * FORMULA_CHARACTERS) -> tuple[int, int] | None:
    """The inside of the braces that follow, spaces left out."""
    while at < len(text) and text[at].isspace():
        at += 1
    if text[at : at + 1] != "{":
        return None
    depth = 0
    for found in re.compile(r"\\.|[{}]", re.DOTALL).finditer(text, at, at + limit):
        depth += {"{": 1, "}": -1}.get(found.group(), 0)
        if depth == 0:
            return at + 1, found.start()
    return None
