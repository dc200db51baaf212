"""What an HTML page carries in itself: KaTeX with the fonts it needs, style, scripts, and the templates."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from markupsafe import Markup

# Every page needs the first ones; the others where a command that asks for them stands in a formula.
FONTS = {
    "Main-Regular": "", "Math-Italic": "", "Size1-Regular": "", "Size2-Regular": "", "Size3-Regular": "", "Size4-Regular": "",
    "Main-Bold": r"\\mathbf|\\textbf", "Main-Italic": r"\\mathit|\\textit", "Math-BoldItalic": r"\\boldsymbol|\\bm\b",
    "AMS-Regular": r"\\mathbb|\\square|\\lessdot|\\bigstar|\\varnothing|\\surd", "Caligraphic-Regular": r"\\mathcal",
    "SansSerif-Regular": r"\\mathsf|\\textsf", "Typewriter-Regular": r"\\mathtt|\\texttt",
}  # fmt: skip
_FACE = re.compile(r"@font-face\{[^{}]*?src:url\(fonts/KaTeX_([A-Za-z0-9-]+)\.woff2\)[^{}]*\}")


@cache
def asset(name: str) -> bytes:
    """A file below `assets/`."""
    return (files(__package__) / "assets" / name).read_bytes()


@cache
def _environment() -> Any:
    from jinja2 import DictLoader, Environment, StrictUndefined

    folder = files(__package__) / "templates"
    names = ("page.html.j2", "blocks.html.j2", "live.html.j2")
    return Environment(
        loader=DictLoader({name: (folder / name).read_text(encoding="utf-8") for name in names}),
        undefined=StrictUndefined, autoescape=True, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip


@cache
def _blocks(file: str) -> Any:
    return _environment().get_template(file).module


def macro(name: str, *arguments: Any, file: str = "blocks.html.j2") -> Markup:
    """One block in its template; what is no markup yet is escaped there."""
    text: Markup = getattr(_blocks(file), name)(*arguments)
    return text


def style(formulas: str) -> str:
    """The style sheets, with the fonts that these formulas need in them."""

    return _style(tuple(name for name, asks in FONTS.items() if not asks or re.search(asks, formulas)))


@cache
def _style(fonts: tuple[str, ...]) -> str:
    def face(found: re.Match[str]) -> str:
        name = found[1]
        if name not in fonts:
            return ""
        data = base64.b64encode(asset(f"katex/fonts/KaTeX_{name}.woff2")).decode()
        head = found[0].partition("src:")[0].replace("font-display:block", "font-display:swap")
        return f'{head}src:url(data:font/woff2;base64,{data}) format("woff2")}}'

    return _FACE.sub(face, asset("katex/katex.min.css").decode()) + asset("page.css").decode()


@lru_cache(maxsize=16)
def script_hash(script: str) -> str:
    """A script as the head of a page names it: nothing else runs."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def in_script(json: str) -> str:
    """JSON that cannot end the element in which it stands."""
    for sign in "<>&\u2028\u2029":
        json = json.replace(sign, f"\\u{ord(sign):04x}")
    return json


def whole_page(
    *, language: str, title: str, comment: Sequence[str], contents: Sequence[tuple[str, Markup]],
    parts: Sequence[dict[str, Any]], words: dict[str, str], data: str = "", live: Sequence[str] = (),
) -> str:  # fmt: skip
    """The page; `data` is JSON for the scripts, which are named by what they contain."""
    scripts = [asset(name).decode() for name in ("katex/katex.min.js", "typeset.js")] + list(live)
    formulas = "".join(str(block) for part in parts for block in part["blocks"])
    text: str = _environment().get_template("page.html.j2").render(
        language=language, title=title, comment=comment, contents=contents, parts=parts, words=words,
        data=Markup(in_script(data)), scripts=[Markup(script) for script in scripts],
        hashes=Markup(" ".join(map(script_hash, scripts))), style=Markup(style(formulas)),
    )  # fmt: skip
    return text.rstrip() + "\n"
