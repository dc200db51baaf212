"""LaTeX pages that `build` writes as the same tokens that a text page has."""

from __future__ import annotations

import re

from plain_tokens import OPERATORS, NotRead, Token

TEX_SIGNS = {"times": "×", "odot": "⊙", "oslash": "⊘", "approx": "≈", "cdot": "×"}
TEX_SKIPPED = {"!", ";", ",", "displaystyle", "bigl", "bigr", "*", "small"}
TEX_CALLS = {"log", "tanh", "sin", "cos", "exp"}


def tex_groups(source: str) -> list[list[Token]]:
    """The tokens of each chain of a LaTeX page: displays, cut at \\\\ before a line that does not go on, and at \\qquad."""
    display = r"\\begin\{(align\*|gather\*|aligned)\}(.*?)\\end\{\1\}"
    return groups_of(source, [found.span(2) for found in re.finditer(display, source, re.DOTALL)])


def markdown_groups(source: str) -> list[list[Token]]:
    """The same of a page in Markdown, whatever fences its displays off."""
    display = r"^(?:\$\$\n(.*?)\n\$\$|```math\n(.*?)\n```|\\begin\{align\*\}(.*?)\\end\{align\*\})$"
    spans = []
    for found in re.finditer(display, source, re.DOTALL | re.MULTILINE):
        start, end = found.span(found.lastindex or 0)
        inner = re.fullmatch(r"\\begin\{(aligned|gathered)\}(.*)\\end\{\1\}", source[start:end], re.DOTALL)
        spans.append((start + inner.start(2), start + inner.end(2)) if inner else (start, end))
    return groups_of(source, spans)


def groups_of(source: str, spans: list[tuple[int, int]]) -> list[list[Token]]:
    groups: list[list[Token]] = []
    for span in spans:
        rows: list[list[Token]] = [[]]
        for token in TexTokens(source, *span).all():
            if token.kind == "cut":
                rows.append([])
            else:
                rows[-1].append(token)
        for row in rows:
            goes_on = row and (row[0].kind == "relation" or (row[0].kind == "sign" and row[0].text in "+-"))
            if goes_on and groups:  # a long sum is broken before its signs
                groups[-1] += row
            elif row:
                groups.append(row)
    return groups


class TexTokens:
    """LaTeX as the same tokens that a text page has: \\frac{a}{b} as (a)/(b), a bmatrix as [[...]], e^{a} as exp(a)."""

    def __init__(self, source: str, start: int, end: int) -> None:
        self.source, self.at, self.end = source, start, end
        self.made: list[Token] = []
        self.followed = False
        self.in_cell = False  # where a bold 1 is a number

    def all(self) -> list[Token]:
        while self.at < self.end:
            self.step()
        return self.made

    def add(self, kind: str, text: str, start: int | None = None, end: int | None = None) -> None:
        start = self.at if start is None else start
        self.made.append(Token(kind, text, start, self.at if end is None else end))

    def group(self) -> tuple[int, int]:
        """The inside of the braces that begin here; goes behind them."""
        while self.source[self.at] in " \n":
            self.at += 1
        if self.source[self.at] != "{":
            raise NotRead(self.source[self.at : self.at + 20])
        depth, start = 0, self.at + 1
        while True:
            depth += {"{": 1, "}": -1}.get(self.source[self.at], 0)
            self.at += 1
            if depth == 0:
                return start, self.at - 1

    def inside(self, span: tuple[int, int], in_cell: bool = False) -> None:
        inner = TexTokens(self.source, *span)
        inner.in_cell = in_cell
        self.made += inner.all()

    def step(self) -> None:
        source, here = self.source, self.at
        char = source[here]
        if number := re.compile(r"\d+(?:\.\d+)?").match(source, here, self.end):
            self.at = number.end()
            self.add("number", number.group(), here)
        elif char == "\\":
            self.command()
        elif char.isalpha():
            self.at += 1
            self.name(char, here)
        elif char in "&~ \n}":
            self.at += 1
        elif char == "{":
            self.inside(self.group())
        elif char == "^":
            self.power()
        else:
            self.at += 1
            kind = "relation" if char == "=" else "sign" if char in OPERATORS + "()[]," else "other"
            self.add(kind, char, here)

    def power(self) -> None:
        here = self.at
        self.at += 1
        start, end = self.group()
        if self.source[start:end] in (r"\mathsf T", r"\top"):
            self.add("T", "^T", here)
        else:
            self.add("sup", "^", here)
            self.add("sign", "(", start, start)
            self.inside((start, end))
            self.add("sign", ")", end, end)

    def name(self, base: str, here: int) -> None:
        if base == "e" and self.source.startswith("^{", self.at):
            self.at += 1
            self.add("call", "exp", here)
            self.bracketed(self.group())
            return
        text, marks = (
            base,
            re.compile(
                r"([_^])\{((?:\\mathrm\{\w+\}|\\mathit\{\w+\}|\\[a-z]+|\(\w+\)|\w+)(?:,\(\w+\))?(?:\^\{\(?\w+\)?\})?)\}"
            ),
        )
        while mark := marks.match(self.source, self.at, self.end):
            inner = (
                re.sub(r"\\math\w+\{(\w+)\}", r"\1", mark.group(2)).replace("{", "").replace("}", "").replace("\\", "")
            )
            if mark.group(1) == "^" and inner.isdigit():
                break
            text, self.at = text + mark.group(1) + inner, mark.end()
        self.add("name", dotted(text), here)

    def bracketed(self, span: tuple[int, int]) -> None:
        self.add("sign", "(", span[0], span[0])
        self.inside(span)
        self.add("sign", ")", span[1], span[1])

    def command(self) -> None:
        here = self.at
        found = re.compile(r"\\([A-Za-z]+|.)\*?", re.DOTALL).match(self.source, here)
        assert found is not None
        word, self.at = found.group(1), found.end()
        if word in ("\\", "qquad"):
            space = re.compile(r"\[[0-9.]+(?:ex|em|pt)\]").match(self.source, self.at)
            self.at = space.end() if space else self.at
            self.add("cut", word, here)
        elif word in TEX_SIGNS:
            self.add("relation" if word == "approx" else "sign", TEX_SIGNS[word], here)
        elif word in ("frac", "dfrac"):
            self.add("sign", "(", here, here)
            self.bracketed(self.group())
            self.add("sign", "/", here, here)
            self.bracketed(self.group())
            self.add("sign", ")", self.at, self.at)
        elif word == "sqrt":
            self.add("call", "sqrt", here)
            self.bracketed(self.group())
        elif word in ("operatorname", "mathrm", "mathit"):
            start, end = self.group()
            if word == "operatorname":
                self.add("call", self.source[start:end].lstrip("\\"), here)
            else:
                self.name(self.source[start:end], here)
        elif word == "mathbf":
            span = self.group()
            if self.source[span[0] : span[1]] == "1" and not self.in_cell and not self.made_followed():
                self.add("other", "1", here)
            else:
                self.inside(span)
        elif word == "begin":
            self.matrix(here)
        elif word in ("text", "color"):
            self.group()
            if word == "text":
                self.add("other", word, here)
        elif word in ("colon", "quad"):
            self.annotation(word)
        elif word in ("left", "right"):
            return
        elif word == "infty":
            self.add("infinity", "∞", here)
        elif word in TEX_CALLS:
            self.add("call", word, here)
        elif word == "followed" or word in TEX_SKIPPED or word == " ":
            return
        elif word.isalpha():
            self.name(word, here)
        else:
            self.add("other", word, here)

    def made_followed(self) -> bool:
        return (
            self.source[: self.at].rstrip().endswith("}")
            and r"\followed \mathbf{1}" in self.source[self.at - 22 : self.at]
        )

    def annotation(self, word: str) -> None:
        """What is a label before a colon, or a note behind a \\quad, is no formula."""
        if word == "colon":
            while self.made and self.made[-1].kind != "cut":
                self.made.pop()
        elif note := re.compile(r"\s*\\text\{").match(self.source, self.at):
            self.at = note.end() - 1
            self.group()

    def matrix(self, here: int) -> None:
        kind = self.source[slice(*self.group())]
        close = self.source.index(rf"\end{{{kind}}}", self.at)
        if kind == "bmatrix":
            self.add("sign", "[", here, here)
            for start, end in _pieces(self.source, self.at, close, r"\\"):
                space = re.compile(r"\[[0-9.]+(?:ex|em|pt)\]").match(self.source, start, end)
                row = (space.end() if space else start, end)
                self.add("sign", "[", row[0], row[0])
                for i, cell in enumerate(_pieces(self.source, *row, "&")):
                    if i:
                        self.add("sign", ",", cell[0], cell[0])
                    self.inside(cell, in_cell=True)
                self.add("sign", "]", row[1], row[1])
                self.add("sign", ",", row[1], row[1])
            self.made[-1] = Token("sign", "]", close, close + len(rf"\end{{{kind}}}"))
        self.at = close + len(rf"\end{{{kind}}}")


def dotted(name: str) -> str:
    """W_Q^enc1 is enc1.W_Q in a text page, and W_Q^dec1,(1) is dec1.W_Q^(1)."""
    found = re.fullmatch(r"([A-Za-z]+(?:_\w+)?)\^([A-Za-z0-9]+)(?:,(\(\w+\)))?", name)  # and j^row_2 is row 2 of J_row
    if found is None:
        return name
    return f"{found.group(2)}.{found.group(1)}" + (f"^{found.group(3)}" if found.group(3) else "")


def _pieces(source: str, start: int, end: int, by: str) -> list[tuple[int, int]]:
    cuts = [m.start() for m in re.compile(re.escape(by)).finditer(source, start, end)]
    return list(zip([start] + [c + len(by) for c in cuts], [*cuts, end], strict=True))
