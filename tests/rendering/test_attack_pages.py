"""What a reader or an author may do to a page, and what it must still show then."""

import json
import math
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest
from golden_cases import swept
from pdf_reading import text_of

import symtransformer
from symtransformer import Words, derive, dimension, matrix, render, verify
from symtransformer.operations import Softmax
from symtransformer.rendering import render_file

KATEX = Path(symtransformer.__file__).parent / "rendering" / "assets" / "katex" / "katex.min.js"
RUNNER = Path(__file__).with_name("run_page.mjs")
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed: no JavaScript can be run")


def labelled(*labels):
    n = dimension("n")
    X = matrix("S", n, 2)
    values = {X: [[k, 1] for k in range(len(labels))]}
    return verify(
        derive(Softmax(X), title=Words("Labels", "ラベル"), labels={n: [Words(x, x) for x in labels]}, values=values)
    )


@needs_node
@pytest.mark.parametrize("t", ["0", "1/2", "3/5"])
def test_a_slider_moves_its_own_numbers_and_no_row_of_the_table_above_it(tmp_path, t):
    path = tmp_path / "page.html"
    path.write_text(render(swept(), "html", "en"), encoding="utf-8")
    table, slider = path.read_text("utf-8").split('class="slider"', 1)
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', slider, re.DOTALL)[1])
    given = json.dumps([{"cells": data["cells"], "parameters": [t]}])
    ran = subprocess.run([NODE, RUNNER, path], input=given, capture_output=True, text=True, check=True)
    numbers = [text for text, _ in json.loads(ran.stdout)[0]["numbers"]]

    def row_of(value):
        weight = 1 / (1 + math.exp(value))
        return ["50%", "0.5"] if value == 0 else [f"{100 * weight:.1f}%", f"{1 - weight:.4f}"]

    shown = [numbers[int(k)] for k in re.findall(r'<td[^>]*data-n="(\d+)"', table)]
    assert shown == [*row_of(0), *row_of(0.5), *row_of(2 / 3)]
    top, bottom = map(int, (*t.split("/"), "1")[:2])
    moved = [numbers[int(k)] for k in re.findall(r'<td[^>]*data-n="(\d+)"', slider)]
    assert moved == row_of(top / bottom)


@needs_node
def test_every_sign_of_ascii_in_a_label_is_one_that_the_formulas_of_a_page_can_hold():
    signs = "".join(map(chr, range(32, 127))).replace("{", "").replace("}", "")
    page = render(labelled(signs[:48], signs[48:]), "html", "en")
    code = (
        f'const katex = require({json.dumps(str(KATEX))}); const macros = {{ "\\\\followed": "", "\\\\blank": "", "\\\\gap": "" }};\n'
        "for (const tex of JSON.parse(require('fs').readFileSync(0, 'utf8')))"
        " katex.renderToString(tex, { throwOnError: true, strict: 'ignore', macros });"
    )
    formulas = [unescape(tex) for tex in re.findall(r'data-tex="([^"]*)"', page)]
    assert any(r"\grave" in tex for tex in formulas)
    ran = subprocess.run([NODE, "-e", code], input=json.dumps(formulas), capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_a_long_label_is_one_line_of_a_pdf_and_stands_beside_no_other_row():
    long = "a label that goes " + "on and " * 14 + "on"
    lines = text_of(render_file(labelled(long, "short"), "pdf", "en")).splitlines()
    assert any(long in " ".join(line.split()) for line in lines), lines
