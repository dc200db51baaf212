"""Formulas as KaTeX sets them on a page, and what is read of them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import symtransformer
from symtransformer.documents import read_document

NODE = shutil.which("node")
KATEX = Path(symtransformer.__file__).parent / "rendering" / "assets" / "katex" / "katex.min.js"
SET = """
const katex = require(process.argv[1]), macros = { "\\\\followed": "\\\\color{mediumblue}" };
const formulas = JSON.parse(require("fs").readFileSync(0, "utf-8"));
process.stdout.write(JSON.stringify(formulas.map((tex) => katex.renderToString(tex, { throwOnError: true, macros: { ...macros } }))));
"""
ANNOTATION = re.compile(r"<annotation.*?</annotation>", re.DOTALL)


def set_by_katex(formulas: list[str]) -> list[str]:
    """The formulas as elements of a page, as the scripts of our pages set them."""
    assert NODE is not None
    given = json.dumps([rf"\displaystyle {tex}" for tex in formulas])
    done = subprocess.run([NODE, "-e", SET, str(KATEX)], input=given, capture_output=True, text=True, check=True)
    elements: list[str] = json.loads(done.stdout)
    return elements


def read_in(page: str) -> str:
    document = read_document(f"<p>{page}</p>".encode(), "page.html")
    assert document.problems == ()
    (passage,) = document.passages
    return passage.text.replace(r"\displaystyle ", "")
