"""PDF by the LuaLaTeX of the person who asks: what is missing is named, and nothing of a page is run."""

from __future__ import annotations

import shutil

import pytest
from golden_cases import DERIVATIONS
from pdf_reading import text_of

from symtransformer.errors import NotSupported
from symtransformer.rendering import render_file
from symtransformer.rendering.lualatex import _fault, pdf

needs_tex = pytest.mark.skipif(shutil.which("lualatex") is None, reason="there is no lualatex here")
START = r"\documentclass{article}\usepackage{fontspec}"


@pytest.mark.parametrize(
    ("log", "told"),
    [
        ("! LaTeX Error: File `booktabs.sty' not found.", "no booktabs.sty; on Debian: texlive-luatex"),
        ('! Package fontspec Error: The font "IPAexMincho" cannot be found.', "no font IPAexMincho"),
        ("Missing character: There is no 猫 (U+732B) in font [lmroman10]", "has no 猫 (U+732B)"),
        ("! Undefined control sequence.\nl.3", "lualatex says: Undefined control sequence."),
        ("", "nothing, and made no page"),
    ],
)
def test_a_log_is_told_in_a_line(log, told):
    reason = _fault(log, made=False)
    assert told in reason
    assert "--format pdf" in reason
    assert "\n" not in reason


def test_a_page_without_faults_has_none():
    assert _fault("This is LuaHBTeX\nOutput written on page.pdf", made=True) == ""
    assert _fault("Missing character: There is no x (U+0078) in font y", made=True) != ""


def test_without_an_engine_a_line_says_what_to_do(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NotSupported, match="texlive-luatex"):
        pdf(START)


@needs_tex
@pytest.mark.slow
def test_a_page_is_the_same_file_twice():
    first, second = (render_file(DERIVATIONS["masked_attention"](), "tex-pdf", "en") for _ in range(2))
    assert first == second
    assert "0.2689" in text_of(first) or "Masked attention" in text_of(first)


@needs_tex
@pytest.mark.slow
def test_nothing_of_a_page_is_run(tmp_path):
    mark = tmp_path / "run"
    for body in (rf"\immediate\write18{{touch {mark}}}", rf'\directlua{{os.execute("touch {mark}")}}'):
        pdf(rf"{START}\begin{{document}}{body}x\end{{document}}")
    assert not mark.exists()
    with pytest.raises(NotSupported):
        pdf(rf"{START}\begin{{document}}\input{{/etc/hostname}}x\end{{document}}")


@needs_tex
@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "told"),
    [(r"\setmainfont{No Such Font}\begin{document}x", "no font"), (r"\begin{document}猫", "U\\+732B")],
)
def test_a_font_or_a_glyph_that_is_missing_is_told(body, told):
    with pytest.raises(NotSupported, match=told):
        pdf(rf"{START}{body}\end{{document}}")
