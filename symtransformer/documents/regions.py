r"""What is no prose in Markdown or plain text: math between dollars or brackets, fenced blocks, code, comments."""

from __future__ import annotations

import re
from dataclasses import dataclass

from symtransformer.documents.collecting import Collector
from symtransformer.documents.decoding import DocumentError
from symtransformer.documents.limits import DISPLAY_CHARACTERS, FORMULA_CHARACTERS, SIGNS
from symtransformer.documents.placed import LINE_END, Placed
from symtransformer.documents.signs import ROWS

# no fence has a backtick behind it on its line: ```x = 1``` is code among prose
OPENING = re.compile(
    r"""(?P<comment><!--)|(?P<fence>^[ ]{0,3}(?:`{3,}(?![^`\r\n]*`)|~{3,}))|(?P<escaped>\\[\\$`])|(?P<display>\$\$|\\\[)|(?P<inline>\$|\\\()
    |(?P<environment>\\begin\s*\{(?P<name>[A-Za-z]+\*?)\})|(?P<code>`+)""",
    re.MULTILINE | re.VERBOSE,
)
FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})[ \t]*\{?\.?([\w+-]*)[^\r\n]*(?:\r\n|\r|\n|\Z)")
CLOSING = {"$": "$", "$$": "$$", r"\(": r"\)", r"\[": r"\]"}
LONGEST = 4 * FORMULA_CHARACTERS  # a formula that is longer is none, but an end that is missing
OPTIONS = re.compile(r"(?:[ \t]{0,3}:[a-z-]{1,20}:[^\r\n]{0,200}(?:\r\n|\r|\n))+")  # :label: of a directive
CLOSING_FENCES = {c: re.compile(rf"^[ ]{{0,3}}{c}{{3,}}[ \t]*(?=[\r\n]|\Z)", re.MULTILINE) for c in "`~"}
PARAGRAPH_END = re.compile(r"(?:\r\n|\r(?!\n)|\n)[ \t]*(?:\r|\n)")
MATH_FENCES, TEXT_FENCES = (
    ("math", "latex", "tex", "katex"),
    ("", "text", "txt", "plain", "plaintext", "output", "console"),
)
UNFORMATTED = re.compile(r"\\(?:text|mbox|textrm)\s*\{[^{}]*\}")
WORDS = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff、。]|(?<![A-Za-z])[A-Za-z]{3,}[ ,]{1,9}[A-Za-z]{2,}[ ,]")


@dataclass(frozen=True)
class Region:
    """A piece of the text that is no prose: math, code, or a comment."""

    kind: str
    start: int
    end: int
    inner: tuple[int, int]


class Finder:
    """Where something comes next; each is looked for once, however often it is asked for."""

    def __init__(self, whole: str) -> None:
        self.whole = whole
        self.next: dict[str, int] = {}

    def find(self, wanted: str, start: int) -> int:
        """The place, or the end of the text."""
        if self.next.get(wanted, -1) < start:
            found = self.whole.find(wanted, start)
            self.next[wanted] = found if found >= 0 else len(self.whole)
        return self.next[wanted]

    def match(self, pattern: re.Pattern[str], start: int) -> int:
        if self.next.get(pattern.pattern, -1) < start:
            found = pattern.search(self.whole, start)
            self.next[pattern.pattern] = found.start() if found else len(self.whole)
        return self.next[pattern.pattern]


def regions(text: Placed, found: Collector) -> list[Region]:
    """Math, code and comments, in order."""
    whole, result, at = text.text, [], 0
    finder = Finder(whole)
    tried = 0
    while (opening := OPENING.search(whole, at)) is not None:
        tried += 1
        if tried > SIGNS:
            raise DocumentError(found.name, "too_many", f"more than {SIGNS} beginnings of formulas")
        kind = "environment" if opening.group("environment") else opening.lastgroup or ""
        region = _region(finder, kind, opening)
        if region is not None:
            result += [region] if region.kind else []
            at = max(region.end, opening.end())
            continue
        at = opening.end()
        if kind == "display" or (kind == "environment" and opening.group("name") in ROWS):
            found.problem("unclosed", "a formula begins here and does not end", text.origins[opening.start()])
    return result


def _region(finder: Finder, kind: str, opening: re.Match[str]) -> Region | None:
    """The whole of what begins here, or nothing if it does not end."""
    start, after = opening.span()
    end = len(finder.whole)
    if kind == "escaped":
        return Region("", start, after, (after, after))
    if kind == "fence":
        return _fenced(finder, start)
    if kind == "comment":
        end = finder.find("-->", after)
        return Region("comment", start, end + 3, (after, end)) if end < len(finder.whole) else None
    if kind == "code":
        return _code(finder, opening)
    if kind == "environment":
        closing = f"\\end{{{opening.group('name')}}}"
        end = finder.find(closing, after) if opening.group("name") in ROWS else end
        whole = (start, end + len(closing))
        closed = end < len(finder.whole) and end - after <= DISPLAY_CHARACTERS
        return Region("display", *whole, whole) if closed else None
    return _between_signs(finder, kind, opening)


def _code(finder: Finder, opening: re.Match[str]) -> Region | None:
    ticks, after = opening.group(), opening.end()
    end = finder.find(ticks, after) if len(ticks) <= 9 else len(finder.whole)
    close = end + len(ticks)
    if end == len(finder.whole) or finder.match(LINE_END, after) < end or finder.whole[close : close + 1] == "`":
        return None
    return Region("code", opening.start(), close, (after, end))


def _between_signs(finder: Finder, kind: str, opening: re.Match[str]) -> Region | None:
    after, whole = opening.end(), finder.whole
    closing = CLOSING[opening.group()]
    end = finder.find(closing, after)
    while end < len(whole) and closing == "$" and whole[end - 1] == "\\":
        end = finder.find(closing, end + 1)
    if end == len(whole) or end - after > LONGEST or finder.match(PARAGRAPH_END, after) < end:
        return None
    if closing == "$" and not _is_math(whole, after, end):
        return None
    ticked = closing == "$" and whole[after] == "`" == whole[end - 1] and end - after > 2  # $`x_1`$, as on code hosts
    return Region(kind, opening.start(), end + len(closing), (after + ticked, end - ticked))


def _closing_fence(finder: Finder, head: re.Match[str]) -> re.Match[str] | None:
    """The next line of as many signs, or more."""
    fence, pattern = head.group(1), CLOSING_FENCES[head.group(1)[0]]
    at = finder.match(pattern, head.end())
    while (close := pattern.match(finder.whole, at)) is not None and len(close.group().strip()) < len(fence):
        at = finder.match(pattern, close.end())
    return close


def _fenced(finder: Finder, start: int) -> Region:
    whole = finder.whole
    head = FENCE.match(whole, start)
    assert head is not None
    close = _closing_fence(finder, head)
    language = head.group(2).lower()
    options = OPTIONS.match(whole, head.end()) if language in MATH_FENCES else None
    inner = (options.end() if options else head.end(), close.start() if close else len(whole))
    kind = "display" if language in MATH_FENCES else "text" if language in TEXT_FENCES else "program"
    return Region(kind, start, close.end() if close else len(whole), inner)


def _is_math(whole: str, start: int, end: int) -> bool:
    r"""Whether dollars around this are no prices: `$5と$6`, `$5 and $6`."""
    inner = whole[start:end]
    if not inner.strip() or len(inner) > FORMULA_CHARACTERS or whole[end + 1 : end + 2].isdigit():
        return False
    bare = UNFORMATTED.sub("", inner)
    if inner[0].isspace() != inner[-1].isspace() and not re.search(r"\\[A-Za-z]|[_^]|=", bare):
        return False
    if inner[0].isdigit() and inner[-1].isspace():
        return False
    return not WORDS.search(bare) or bool(
        re.search(r"\\[A-Za-z]+|[_^]\{", bare) and not re.match(r"[0-9.,]+\s*[^\s\\0-9.,=+*/^_-]", inner)
    )
