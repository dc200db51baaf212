"""Two hundred hostile names stand as text in pages, fragments and macros: nothing of them is run."""

import re

import pytest
from tex_runs import PACKAGES, article, compiled, needs_tex

from symtransformer import Section, Words, derive, matrix, render, verify
from symtransformer.operations import Softmax
from symtransformer.rendering.latex_text import escape

PAYLOADS = [
    r"\input{secret}", r"\include{secret}", r"\write18{touch pwned}", r"\immediate\write18{touch pwned}", "^^5cinput{secret}",
    r"^^5c^^77rite18{touch pwned}", "%", "% comment", "#1", "##", "&", "&&", "$", "$$", "$x$", "_", "a_b", "^", "~", "{", "}",
    "}{", "{}", "\\", "\\\\", r"\end{document}", r"\begin{document}", r"\catcode`\%=12", r"\def\x{\x}\x", r"\csname end\endcsname",
    r"\loop\iftrue\repeat", r"\expandafter\input\secret", r"\openin1=secret", r"\read1to\x", r"\directlua{os.execute('x')}",
    r"\lstinputlisting{secret}", r"\verbatiminput{secret}", r"\url{x}", r"\href{x}{y}", "<script>alert(1)</script>", "<!-- x -->",
    "&lt;", "`", "``x''", "`$(touch pwned)`", "$(touch pwned)", "; rm -rf", "| cat secret", "\u202e\u2066evil\u2069", "\u200fright",
    "a\u0000b", "a\x1bb", "a\nb", "a\r\n\\input{secret}", "a\tb", "\u2028\\input{secret}", "---", "--", "[CLS]", "]", "*", "\\*[1cm]",
    '"', "'", "''", "猫\\input{secret}", "｛全角｝", "？`", "?`", "!`",
]  # fmt: skip
WRAPPED = ["{}", "cat {}", "{}{}"]
NAMES = list(dict.fromkeys(wrap.format(*[p] * wrap.count("{}")) for wrap in WRAPPED for p in PAYLOADS))[:200]
SAFE = re.compile(
    r"(?:[^\\{}$&#%_^~<>`]|\\(?:textbackslash|textasciicircum|textasciitilde|textless|textgreater|textasciigrave)\{\}"
    r"|\\[{}$&#%_]|\$\\(?:approx|infty|surd|cdot|times|odot|oslash|le|ge|epsilon|delta|partial|sum)\$|\$-\$|\{\})*"
)


def test_there_are_two_hundred():
    assert len(NAMES) == 200


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_text_and_nothing_else(name):
    shown = escape(name)
    assert SAFE.fullmatch(shown), shown
    assert "\n" not in shown
    assert "--" not in shown  # which a font may join
    assert not SAFE.fullmatch(r"\input{secret}")  # the check can fail


def page(form, language="en"):
    n = 8
    S = matrix("S", n, 2)
    groups = [NAMES[k : k + n] for k in range(0, 200, n)]
    sections = tuple(
        Section(
            Words(*[f"{group[0]} ."] * 2), Words(*[" / ".join(group).replace("{", "(").replace("}", ")") + "."] * 2)
        )
        for group in groups
    )
    sections = (*sections, Section(Words("A", "あ"), inputs=("S",), steps=("Y",), percent=("Y",)))
    labels = {str(n): [Words(name, name) for name in NAMES[:n]]}
    subject = derive(
        Softmax(S),
        title=Words(NAMES[0], NAMES[0]),
        values={S: [[k, 1] for k in range(n)]},
        sections=sections,
        labels=labels,
    )
    return render(verify(subject), form, language, command=" ".join(NAMES), name=NAMES[0])


@pytest.mark.parametrize("form", ["tex", "tex-fragment", "texmacros"])
def test_pages_hold_no_command_of_a_name(form):
    text = page(form)
    body = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    known = r"\\(?:input|include|write|immediate|openin|read|catcode|directlua|lstinputlisting|verbatiminput|url|href|loop)\b"
    assert not re.search(known, body)
    assert "\x1b" not in text
    assert "\u202e" not in text
    for line in text.splitlines():
        if "touch pwned" in line:
            assert line.startswith("%") or r"\$" in line or r"\textbackslash" in line or r"\textasciicircum" in line


JAPANESE = r"""\usepackage[english]{babel}\babelprovide[import,onchar=ids fonts]{japanese}
\babelfont[japanese]{rm}{IPAexMincho}"""


@needs_tex
@pytest.mark.parametrize("form", ["tex", "tex-fragment", "texmacros"])
def test_it_compiles_and_nothing_is_run(tmp_path, form):
    (tmp_path / "secret.tex").write_text("LEAKED", "utf-8")
    (tmp_path / "given.tex").write_text(page(form, "ja"), "utf-8")
    text = (tmp_path / "given.tex").read_text("utf-8")
    if form != "tex":
        text = article("\\input{given}x", "\\documentclass{article}\n" + JAPANESE)
    code, log, words = compiled(tmp_path, text)
    assert code == 0, log[-800:]
    assert "LEAKED" not in words
    assert not (tmp_path / "pwned").exists()
    if form != "texmacros":
        assert r"\input" in words
        assert r"\write18" in words
    assert "LEAKED" in compiled(tmp_path, article(r"\input{secret}"))[2]  # the check can fail
    assert PACKAGES
