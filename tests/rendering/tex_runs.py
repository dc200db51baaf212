"""TeX documents compiled in a folder of their own, and what can be read in them."""

import os
import shutil
import subprocess

import pytest

needs_tex = pytest.mark.skipif(
    shutil.which("lualatex") is None or shutil.which("pdftotext") is None, reason="needs LuaLaTeX and poppler"
)
PACKAGES = r"\usepackage{amsmath,amssymb,booktabs,graphicx,xcolor,colortbl,tikz}"


def compiled(folder, text, engine="lualatex"):
    """Return code, log and the words of the pages."""
    (folder / "document.tex").write_text(text, "utf-8")
    ran = subprocess.run(
        [engine, "-no-shell-escape", "-halt-on-error", "-interaction=nonstopmode", "document.tex"],
        cwd=folder, env={**os.environ, "openin_any": "p", "openout_any": "p", "max_print_line": "10000"},
        capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    log = (folder / "document.log").read_text("utf-8", errors="replace")
    if ran.returncode:
        return ran.returncode, log, ""
    shown = subprocess.run(["pdftotext", "-layout", "document.pdf", "-"], cwd=folder, capture_output=True, check=True)
    return 0, log, shown.stdout.decode("utf-8")


def article(body, head=r"\documentclass{article}"):
    return f"{head}\n{PACKAGES}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
