"""PDF of a LaTeX page, by the LuaLaTeX of the person who asks: it may read and write below a folder of its own only."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from pathlib import Path

from symtransformer.errors import NotSupported

SECONDS = 180  # the first run on a machine builds its font tables
COMMAND = (
    "lualatex",
    "-no-shell-escape",
    "-halt-on-error",
    "-interaction=nonstopmode",
    "-jobname=page",
    r"\pdfvariable suppressoptionalinfo 512\relax\input{page.tex}",
)  # without an identifier made of the time
INSTEAD = "without it, --format pdf makes the page by Typst, and --format tex gives the source"
DEBIAN = "texlive-luatex texlive-latex-recommended texlive-pictures fonts-ipaexfont"
_FILE = re.compile(r"! LaTeX Error: File `([^']{1,80})' not found")
_FONT = re.compile(
    r'(?:The font "([^"]{1,80})" cannot be found|Font \S{1,80}="?(?:name:)?([\w ]{1,80})\S* at \S+ not loadable)'
)
_GLYPH = re.compile(r"Missing character: There is no (\S{1,20})(?: \(U\+([0-9A-F]{4,6})\))? in font")


def pdf(source: str) -> bytes:
    """The page as PDF; the same bytes for the same page and the same TeX."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "page.tex").write_text(source, encoding="utf-8")
        _run(folder)
        log = (
            (folder / "page.log").read_text(encoding="utf-8", errors="replace")
            if (folder / "page.log").exists()
            else ""
        )
        made = folder / "page.pdf"
        if reason := _fault(log, made.exists()):
            raise NotSupported(f"tex-pdf: {reason}")
        return made.read_bytes()


def _run(folder: Path) -> None:
    environment = {
        **os.environ, "openin_any": "p", "openout_any": "p", "max_print_line": "10000",
        "SOURCE_DATE_EPOCH": "0", "FORCE_SOURCE_DATE": "1",
    }  # fmt: skip
    try:
        subprocess.run(
            COMMAND, cwd=folder, env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=SECONDS,
            check=False,
        )  # fmt: skip
    except FileNotFoundError:
        raise NotSupported(
            f"tex-pdf: there is no lualatex on the path; on Debian it comes with {DEBIAN}, elsewhere with TeX Live or "
            f"MiKTeX; {INSTEAD}"
        ) from None
    except subprocess.TimeoutExpired:
        raise NotSupported(f"tex-pdf: lualatex took more than {SECONDS} seconds and was ended; {INSTEAD}") from None


def _fault(log: str, made: bool) -> str:
    """What a page may not have, in words; nothing where all is well."""
    if found := _FILE.search(log):
        return f"LaTeX has no {found[1]}; on Debian: {DEBIAN}; {INSTEAD}"
    if found := _FONT.search(log):
        return f"LaTeX has no font {found[1] or found[2]}; on Debian: {DEBIAN}; {INSTEAD}"
    if found := _GLYPH.search(log):
        return f"the font of the page has no {found[1]}{f' (U+{found[2]})' if found[2] else ''}; {INSTEAD}"
    error = re.search(r"^! (.{1,200})", log, re.MULTILINE)
    if error or not made:
        return f"lualatex says: {error[1] if error else 'nothing, and made no page'}; {INSTEAD}"
    return ""
