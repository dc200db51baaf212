"""HTML as tags and text with their places, in one pass: a tag that does not end takes the rest, as in browsers."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from symtransformer.documents.placed import Placed, joined, made

TAG = re.compile(r"<(?=[A-Za-z/!?])")
NAME = re.compile(r"/?[A-Za-z][A-Za-z0-9:-]{0,60}")
IN_TAG = re.compile(r"[>\"']")
ATTRIBUTE = re.compile(
    r"""([A-Za-z_:][\w:.-]{0,60})(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]{1,200}))|(?=[\s/]|\Z))"""
)
OF_TAG = 200_000  # characters of attributes
ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?")
SETS_A_TEXT = "<>&$`|*_#\\[]{}~\"'!\n\r\t"
RAW = frozenset(("script", "style", "textarea", "title", "noscript", "iframe", "xmp"))


@dataclass(frozen=True)
class Tag:
    """An opening or closing tag; for raw elements such as script also what stands inside."""

    name: str
    origin: int
    closes: bool
    empty: bool
    attributes: dict[str, str]
    raw: Placed | None = None
    written: dict[str, Placed] = field(default_factory=dict)  # the values, with their places

    def value(self, name: str) -> Placed | None:
        """The value of an attribute, each character with its place."""
        found = self.written.get(name)
        return None if found is None else unescaped(found)


def events(text: Placed) -> Iterator[Tag | Placed]:
    """Tags, and between them pieces of text whose entities are characters."""
    whole, at, size = text.text, 0, len(text.text)
    while at < size:
        begins = TAG.search(whole, at)
        opening = begins.start() if begins else size
        if opening > at:
            yield unescaped(text.cut(at, opening))
            at = opening
        if at >= size:
            return
        if whole.startswith("<!--", at):
            end = whole.find("-->", at + 4)
            at = size if end < 0 else end + 3
            continue
        if whole.startswith("<![CDATA[", at):
            end = whole.find("]]>", at)
            end = size if end < 0 else end
            yield text.cut(at + 9, end)
            at = end + 3
            continue
        named = NAME.match(whole, at + 1)
        end = _end_of_tag(whole, at) if named else whole.find(">", at)
        if end < 0:
            return
        tag = _tag(text, at, end, named.group()) if named else None
        at = end + 1
        if tag is None:
            continue
        if tag.name in RAW and not tag.closes and not tag.empty:
            closing = re.compile(rf"</{tag.name}\b", re.IGNORECASE).search(whole, at)
            stop = closing.start() if closing else size
            yield replace(tag, empty=True, raw=text.cut(at, stop))
            at = stop if closing is None else max(stop, whole.find(">", stop) + 1) or size
            continue
        yield tag


def _end_of_tag(whole: str, at: int) -> int:
    """The sign > that is not inside quotes."""
    while (found := IN_TAG.search(whole, at)) is not None:
        if found.group() == ">":
            return found.start()
        at = whole.find(found.group(), found.end()) + 1
        if at == 0:
            return -1
    return -1


def _tag(text: Placed, start: int, end: int, name: str) -> Tag:
    begins = start + 1 + len(name)
    inside = text.text[begins:end]
    attributes: dict[str, str] = {}
    written: dict[str, Placed] = {}
    if len(inside) <= OF_TAG:
        for found in ATTRIBUTE.finditer(inside):
            which = next((k for k in (2, 3, 4) if found.group(k) is not None), 0)
            key = found.group(1).lower()
            if key not in attributes:
                attributes[key] = html.unescape(found.group(which)) if which else ""
                if which:
                    written[key] = text.cut(begins + found.start(which), begins + found.end(which))
    bare = name.lower().removeprefix("/").rpartition(":")[2]
    closes, empty = name.startswith("/"), inside.rstrip().endswith("/")
    return Tag(bare, text.origins[start], closes, empty, attributes, None, written)


def unescaped(text: Placed, signs_only: bool = False) -> Placed:
    """Entities as the characters that they mean, at the place of the ampersand; `signs_only` leaves what sets a text."""
    if "&" not in text.text:
        return text
    pieces, done = [], 0
    for found in ENTITY.finditer(text.text):
        meant = html.unescape(found.group())
        if meant == found.group() or "\0" in meant or any(0xD800 <= ord(c) < 0xE000 for c in meant):
            continue
        if signs_only and (len(meant) > 1 or meant in SETS_A_TEXT):
            continue
        pieces += [text.cut(done, found.start()), made(meant, text.origins[found.start()])]
        done = found.end()
    return joined([*pieces, text.cut(done)]).without_unseen()
