"""Where it is not the author who speaks: each stretch of a document that is marked is quoted, and no character beside it."""

import pytest

from symtransformer.checking.quoted import ENVIRONMENTS, FENCES, LEFT_OUT, PROGRAMS, Quoted, blocks
from symtransformer.documents import read_document


def quoted(text, name):
    """The stretches that are quoted, with the characters that stand for them."""
    document = read_document(text.encode(), name)
    found = Quoted(document)
    marks = "".join("Q" if place in found else " " for place in range(len(text)))
    return [
        "".join(c for c, m in zip(part, marks_of, strict=True) if m == "Q") for part, marks_of in _runs(text, marks)
    ]


def _runs(text, marks):
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or marks[at] != marks[start]:
            if marks[start] == "Q":
                yield text[start:at], marks[start:at]
            start = at


@pytest.mark.parametrize(
    ("text", "tokens", "inside"),
    [
        ("a <pre>b</pre> c", PROGRAMS, ["b"]),
        ("a <pre>b</pre> c <code>d</code> e", PROGRAMS, ["b", "d"]),
        ("a <pre><code>b</code></pre> c", PROGRAMS, ["<code>b</code>"]),
        ("a </pre> b <PRE>c</pre>", PROGRAMS, ["c"]),
        ("a <pre>b", PROGRAMS, ["b"]),
        ("a <pre>b <pre>c</pre> d", PROGRAMS, ["b <pre>c"]),
        ("", PROGRAMS, []),
        ("x\n```\na\n```\nb\n~~~\nc\n~~~\nd", FENCES, ["a\n", "c\n"]),
        ("```\na\n~~~\nb\n```\nc", FENCES, ["a\n~~~\nb\n"]),
        ("```python\na\n", FENCES, ["a\n"]),
        (r"\begin{quote}a\end{quote}b\begin{comment}c\end{comment}", ENVIRONMENTS, ["a", "c"]),
        (r"\end{quote}a\begin{quote}b\end{comment}c\end{quote}d", ENVIRONMENTS, [r"b\end{comment}c"]),
        (r"\iffalse a\fi b \fi c", LEFT_OUT, [" a"]),
        (r"\iffalse a \iffalse b \fi c", LEFT_OUT, [r" a \iffalse b "]),
    ],
)
def test_the_inside_of_each_block(text, tokens, inside):
    assert [text[first:last] for first, last in blocks(text, tokens)] == inside


@pytest.mark.parametrize(
    ("text", "name", "parts"),
    [
        ("a <q>b</q> c", "a.html", ["<q>b</q>"]),
        ("a <Q>b</q> c <blockquote>d</blockquote>e", "a.html", ["<Q>b</q>", "<blockquote>d</blockquote>"]),
        ("a <q>b <q>c</q> d</q> e", "a.html", ["<q>b <q>c</q> d</q>"]),
        ("a <q>b <del>c</del> d</q> e", "a.html", ["<q>b <del>c</del> d</q>"]),
        ("a <q>b</q><q>c</q> d", "a.html", ["<q>b</q><q>c</q>"]),
        ("a <q>b", "a.html", ["<q>b"]),
        ("a </q> b", "a.html", []),
        ("a <q/> b", "a.html", []),
        ("a <p>b</p> c", "a.html", []),
        ("a <p hidden>b</p> c", "a.html", ["<p hidden>b</p>"]),
        ('a <p hidden="until-found">b</p> c', "a.html", []),
        (
            'a <div style="display:none">b <div>c</div> d</div> e',
            "a.html",
            ['<div style="display:none">b <div>c</div> d</div>'],
        ),
        ("a <!-- b --> c", "a.html", ["<!-- b -->"]),
        ("a <!-- b", "a.html", ["<!-- b"]),
        ("a `b = c` d", "a.html", []),
        ("a `b = c` d", "a.md", ["`b = c`"]),
        ("a `b` c", "a.md", []),
        ('a “b” c "d" e 「f」 g ~~h~~ i', "a.md", ["“b”", '"d"', "「f」", "~~h~~"]),
        ("a “b” c", "a.txt", ["“b”"]),
        ("a\n> b\nc", "a.md", ["> b"]),
        ("a\n```\nb\n```\nc", "a.md", ["b\n"]),
        ("a\n\n    b\n    c\n\nd", "a.md", ["\n\n    b\n    c"]),
        ("    b\n\nd", "a.md", ["    b"]),
        ("\n    b\n\nd", "a.md", ["\n    b"]),
        ("a\n\n\n    b\n\nd", "a.md", ["\n\n\n    b"]),
        ("- a\n\n\n    b\n\nd", "a.md", []),
        ("  a\n\n    b\n\nd", "a.md", []),
        ("a\n\n    - b\n\nd", "a.md", ["\n\n    - b"]),
        ("   b\n\nd", "a.md", []),
        ("a\n    b\n\nd", "a.md", []),
        ("a\n\n    b\n\nd", "a.txt", []),
        ("- a\n\n    b\n\nd", "a.md", []),
        ("1. a\n\n    b\n\nd", "a.md", []),
        ("a % b\nc", "a.tex", ["% b"]),
        (r"a \% b", "a.tex", []),
        (r"a \verb|b| c", "a.tex", [r"\verb|b|"]),
        (r"a ``b'' c “d” e", "a.tex", ["``b''", "“d”"]),
        (r"a \begin{quote}b\end{quote} c", "a.tex", ["b"]),
        (r"a \iffalse b\fi c", "a.tex", [" b"]),
        ("a\n\\end{document}\nb\nc", "a.tex", ["\\end{document}\nb\nc"]),
        ("a <q>b</q> c", "a.tex", []),
        ("a", "a.md", []),
        ("", "a.md", []),
    ],
)
def test_what_is_quoted_begins_and_ends_with_its_marks(text, name, parts):
    assert quoted(text, name) == parts


def test_stretches_that_touch_or_lie_in_one_another_are_one():
    page = read_document(b"a <q>b <!-- c </q> d --> e", "a.html")
    assert Quoted(page).spans == [(2, 24)]
    page = read_document(b"<q>a</q><s>b</s> c <del>d</del>", "a.html")
    assert Quoted(page).spans == [(0, 16), (19, 31)]
