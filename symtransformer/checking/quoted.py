"""What a document holds and does not say itself: quotations, code, comments, what is struck out or not shown."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from symtransformer.documents import Document

# a token opens or closes a block; a fence does what comes next
FENCES = re.compile(r"^[ ]{0,3}(?P<name>`{3}(?!`*[^`\n]+`)|~{3})(?P<ends>)[^\n]*\n?", re.MULTILINE)
LISTINGS = re.compile(r"\\(?P<ends>begin|end)\{(?P<name>verbatim\*?|lstlisting|minted)\}")
ENVIRONMENTS = re.compile(
    r"\\(?P<ends>begin|end)\{(?P<name>verbatim\*?|lstlisting|minted|comment|quote|quotation|displayquote)\}"
)
LEFT_OUT = re.compile(r"\\(?P<ends>iffalse|fi)(?P<name>)(?![A-Za-z])")
PROGRAMS = re.compile(r"<(?P<ends>/?)(?P<name>pre|code)\b[^<>]{0,400}>", re.IGNORECASE)
TAG = re.compile(
    r"<(?P<closes>/?)(?:(?P<name>blockquote|q|pre|code|samp|kbd|del|s|strike|template|script|style|noscript)|(?P<other>[a-z][a-z0-9]{0,10}))\b"
    r"(?P<attributes>[^<>]{0,400})>",
    re.IGNORECASE,
)
HIDES = re.compile(
    r"\bhidden\b(?!\s*=\s*[\"']?until-found)|aria-hidden\s*=\s*[\"']?true|display\s*:\s*none|visibility\s*:\s*hidden",
    re.IGNORECASE,
)
COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
IN_WORDS = re.compile(
    r"(?<!`)`(?!`)[^`\n]{0,200}[^`\s] [^`\n]{0,200}`(?!`)|“[^”\n]{0,200}”|\"[^\"\n]{0,200}\"|「[^」\n]{0,100}」|~~[^~\n]{1,200}~~|^ {0,3}>[^\n]*",
    re.MULTILINE,
)
INDENTED = re.compile(r"(?<=\n)[^\n]*(?P<lines>(?:\n[ \t]*){1,9}(?:\n(?: {4}|\t)[^\n]*)+)")
ITEM = re.compile(r"[ \t]*(?:[-*+•・]|[0-9]{1,3}[.)])\s|[ \t]{2}")  # what is indented behind it goes on with it
IN_LATEX = re.compile(
    r"(?<!\\)%[^\n]*|\\verb\*?(?P<sign>[^\sA-Za-z*])[^\n]{0,200}?(?P=sign)|\\end\{document\}|“[^”\n]{0,200}”|``[^'\n]{0,200}''"
)


class Quoted:
    """Where in a document it is not the author who speaks, by the numbers of its characters.

    >>> from symtransformer.documents import read_document
    >>> page = read_document(b"<p>Let x be 4</p><pre>Let x be 5</pre>", "a.html")
    >>> [place in Quoted(page) for place in (5, 25)]
    [False, True]
    """

    def __init__(self, document: Document) -> None:
        sources = document.sources
        spans = [
            (base + first, base + last)
            for base, text in zip(sources.bases, sources.texts, strict=True)
            for first, last in _spans(text, document.kind)
        ]
        self.spans: list[tuple[int, int]] = []
        for first, last in sorted(spans):
            if self.spans and first <= self.spans[-1][1]:
                self.spans[-1] = self.spans[-1][0], max(last, self.spans[-1][1])
            else:
                self.spans.append((first, last))

    def __contains__(self, origin: int) -> bool:
        at = bisect_right(self.spans, (origin, float("inf"))) - 1
        return at >= 0 and origin < self.spans[at][1]


def blocks(text: str, tokens: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    r"""Where the inside of each block begins and ends; one that is not closed goes on to the end.

    >>> [text[a:b] for text in ("a <pre>b</pre> c",) for a, b in blocks(text, PROGRAMS)]
    ['b']
    """
    opened: re.Match[str] | None = None
    for token in tokens.finditer(text):
        if opened is None:
            opened = token if token["ends"] in ("", "begin", "iffalse") else None
        elif token["name"].lower() == opened["name"].lower() and (
            token["ends"] in ("/", "end", "fi") or tokens is FENCES
        ):
            yield opened.end(), token.start()
            opened = None
    if opened is not None:
        yield opened.end(), len(text)


def _spans(text: str, kind: str) -> Iterator[tuple[int, int]]:
    if kind == "latex":
        for found in IN_LATEX.finditer(text):
            yield found.start(), len(text) if found.group().startswith("\\end") else found.end()
        yield from blocks(text, ENVIRONMENTS)
        yield from blocks(text, LEFT_OUT)
        return
    yield from (found.span() for found in COMMENT.finditer(text))
    yield from _elements(text)
    if kind != "html":
        yield from blocks(text, FENCES)
        yield from (found.span() for found in IN_WORDS.finditer(text))
    if kind == "markdown":
        behind = INDENTED.finditer("\n\n\n" + text)  # also at the head
        yield from ((max(0, b.start("lines") - 3), b.end() - 3) for b in behind if not ITEM.match(b.group()))


def _elements(text: str) -> Iterator[tuple[int, int]]:
    """Elements that quote, show code or are not shown, each from its tag to that which closes it."""
    name, depth, start = "", 0, 0
    for tag in TAG.finditer(text) if "<" in text else ():
        own = (tag["name"] or tag["other"]).lower()
        if name:
            depth += (own == name) * (-1 if tag["closes"] else 1)
            if not depth:
                yield start, tag.end()
                name = ""
        elif (
            not tag["closes"]
            and not tag["attributes"].endswith("/")
            and (tag["name"] or HIDES.search(tag["attributes"]))
        ):
            name, depth, start = own, 1, tag.start()
    if name:
        yield start, len(text)
