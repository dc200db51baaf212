r"""Bytes, encodings and kinds; an author's own macros; files of \input; notebooks and JSON."""

import json

import pytest

from symtransformer.documents import DocumentError, read_document, relations
from symtransformer.documents.limits import EXPANSIONS, INPUT_DEPTH, INPUT_FILES, MACRO_CHARACTERS


def texts(document):
    return [p.text for p in document.passages]


def problems(document):
    return [(p.code, p.line, p.column) for p in document.problems]


# -- bytes and kinds ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("encoding", ["Shift_JIS", "shift-jis", "SJIS", "CP932"])
def test_japanese_encodings_are_read_when_they_are_named(encoding):
    document = read_document("漆器 × 硯箱 = 0.40".encode("cp932"), "a.txt", encoding=encoding)
    assert texts(document) == ["漆器 × 硯箱 = 0.40"]
    assert texts(read_document("合計＝１".encode("euc_jp"), "a.txt", encoding="EUC-JP")) == ["合計=1"]
    assert texts(read_document("合計＝１".encode("utf-16"), "a.txt")) == ["合計=1"]


@pytest.mark.parametrize(
    ("content", "encoding", "said"),
    [
        ("漆器 = 1".encode("cp932"), "", "Shift_JIS"), ("合計です = 1".encode("euc_jp"), "", "EUC-JP"),
        (b"\xff\xff\xff", "", "save it as UTF-8"), ("合計 = 1".encode(), "latin-9", "'latin-9' is not known"),
        (b"\x81", "Shift_JIS", "not CP932"), ("合計 = 1".encode("cp932"), "utf-8", "Shift_JIS"),
    ],
)  # fmt: skip
def test_another_encoding_is_refused_by_name(content, encoding, said):
    with pytest.raises(DocumentError, match=said) as caught:
        read_document(content, "a.txt", encoding=encoding)
    assert caught.value.code == "encoding"
    assert str(caught.value).startswith("a.txt: ")


def test_binary_files_are_refused_with_their_line():
    with pytest.raises(DocumentError, match=r"a.md, line 2: a NUL character"):
        read_document(b"x = 1\ny\0 = 2", "a.md")


@pytest.mark.parametrize(
    ("content", "name", "kind"),
    [
        ("x = 1", "a.tex", "latex"), ("x = 1", "a.MD", "markdown"), ("x = 1", "a.txt", "text"), ("x", "a.htm", "html"),
        ("{}", "a.json", "json"), ('{"cells": [], "nbformat": 4}', "a.ipynb", "notebook"),
        ('{"cells": [], "nbformat": 4}', "a.json", "notebook"), ('{"cells": [], "nbformat": 4}', "-", "notebook"),
        ("\\documentclass{article}\n\\begin{document}$x$\\end{document}", "a.txt", "latex"), ("<!DOCTYPE html><p>x", "-", "html"),
        ("<math><mi>x</mi></math>", "-", "html"), ('["x = 1"]', "-", "json"), ("[[1, 0]] = X", "-", "text"),
        ("# Title\nx", "-", "markdown"), ("the $x$", "-", "markdown"), ("x = 1", "-", "text"), ("", "-", "text"),
        ("\\section{A}", "-", "latex"), ("x = 1", "noext", "text"), ("{not json}", "-", "text"),
    ],
)  # fmt: skip
def test_the_kind_is_seen(content, name, kind):
    assert read_document(content.encode(), name).kind == kind


def test_the_kind_may_be_said():
    document = read_document(b"$a = b$ and % c = 1", "a.txt", kind="latex")
    assert (document.kind, texts(document)) == ("latex", ["a = b"])
    with pytest.raises(DocumentError, match="'tex' is no kind of document"):
        read_document(b"", "a", kind="tex")


# -- macros --------------------------------------------------------------------------------------------------------
def test_macros_with_arguments_are_expanded_in_place():
    source = r"\newcommand{\pair}[2]{(#1, #2)}\newcommand\R{R}\DeclareMathOperator*{\am}{argmax}$\pair{a}{\R x} = \am \pair 1 2$"
    document = read_document(source.encode(), "a.tex")
    assert texts(document) == [r"(a, R x) = \operatorname*{argmax} (1, 2)"]
    (passage,) = document.passages
    columns = [document.place(origin).column for origin in passage.origins]
    at = source.index(r"$\pair") + 2
    assert columns[0] == columns[2] == at
    assert columns[1] == source.index("{a}") + 2
    assert columns[passage.text.index("=")] == source.index("=") + 1


@pytest.mark.parametrize(
    "definition",
    [
        r"\newcommand{\a}{\a}", r"\newcommand{\a}{\b}\newcommand{\b}{\a\a}", r"\newcommand{\a}[1]{\a{#1 #1}}",
        r"\def\a{\a x}",
    ],
)  # fmt: skip
def test_endless_macros_are_told_and_the_rest_is_read(definition):
    document = read_document((definition + "\n$\\a = 1$\n$x = 1$\n$\\a$").encode(), "a.tex")
    assert texts(document) == ["x = 1"]
    assert [(p.code, p.line) for p in document.problems] == [("macro", 2), ("macro", 4)]


def test_limits_of_macros():
    exactly = r"\newcommand{\a}{y}$" + r"\a" * EXPANSIONS + "$"
    assert texts(read_document(exactly.encode(), "a.tex")) == ["y" * EXPANSIONS]
    more = read_document(exactly.replace(r"}$", r"}$\a ").encode(), "a.tex")
    assert (texts(more), [p.code for p in more.problems]) == ([], ["macro"])
    long = "y" * MACRO_CHARACTERS
    assert texts(read_document(rf"\newcommand{{\a}}{{{long}}}$\a$".encode(), "a.tex")) == [long]
    refused = read_document(rf"\newcommand{{\a}}{{{long}y}}$\a$".encode(), "a.tex")
    assert (texts(refused), [p.code for p in refused.problems]) == ([r"\a"], ["macro"])


@pytest.mark.parametrize(
    "definition", [r"\newcommand{\a}[1][x]{y}", r"\newcommand{\frac}[2]{x}", r"\newcommand{\a}{#1}", r"\def\a#1{x}", r"\newcommand{\a}[2]{x #3}"]
)  # fmt: skip
def test_other_definitions_are_not_expanded(definition):
    document = read_document((definition + r" $\a{b} = \frac{1}{2}$").encode(), "a.tex")
    assert texts(document) == [r"\a{b} = \frac{1}{2}"]
    assert [p.code for p in document.problems] == ["macro"]


# -- \input --------------------------------------------------------------------------------------------------------
def test_files_below_the_folder_are_read_where_they_stand(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "macros.tex").write_text("\\newcommand{\\half}{0.5}\n% symtransformer: let n = 2\n")
    (tmp_path / "parts" / "one.tex").write_text("text\n\n  $b = \\half$\n", encoding="utf-8")
    main = b"\\input{macros}\n$a = 1$\\input{parts/one.tex}\n\\include{./parts/one} $c = 3$"
    document = read_document(main, "main.tex", folder=tmp_path)
    places = [(p.text, p.file, p.line, p.column) for p in document.passages]
    assert places == [
        ("a = 1", "main.tex", 2, 2), ("b = 0.5", "parts/one.tex", 3, 4), ("b = 0.5", "parts/one.tex", 3, 4),
        ("c = 3", "main.tex", 3, 24),
    ]  # fmt: skip
    assert [(r.file, r.line, r.column) for r in relations(document)][1] == ("parts/one.tex", 3, 6)
    assert [(m.file, m.line) for m in document.marks] == [("macros.tex", 2)]
    assert texts(read_document(main, "main.tex")) == ["a = 1", "c = 3"]


@pytest.mark.parametrize(
    "path",
    ["../secret", "/etc/passwd", "parts/../../secret", "secret.sty", "~/x", "a\\b", "missing", "link", "linked/file", "|ls", "$HOME", "",
     ".hidden", "main"],
)  # fmt: skip
def test_nothing_else_is_opened(tmp_path, path):
    folder = tmp_path / "here"
    (folder / "parts").mkdir(parents=True)
    secret = tmp_path / "secret.tex"
    secret.write_text("$s = 1$")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file.tex").write_text("$s = 1$")
    (folder / "secret.sty").write_text("$s = 1$")
    (folder / ".hidden.tex").write_text("$s = 1$")
    (folder / "link.tex").symlink_to(secret)
    (folder / "linked").symlink_to(tmp_path / "other")
    (folder / "main.tex").write_text("\\input{main}")
    document = read_document(f"\\input{{{path}}}\n$a = 1$".encode(), "main.tex", folder=folder)
    assert texts(document) == ["a = 1"]
    assert {p.code for p in document.problems} <= {"input"}
    assert document.problems or path == "$HOME"


def test_limits_of_input(tmp_path):
    for i in range(INPUT_DEPTH + 2):
        (tmp_path / f"f{i}.tex").write_text(f"$x = {i}$\\input{{f{i + 1}}}")
    deep = read_document(b"\\input{f0}", "main.tex", folder=tmp_path)
    assert len(deep.passages) == INPUT_DEPTH
    assert [p.code for p in deep.problems] == ["input"]
    (tmp_path / "one.tex").write_text("$x = 1$")
    for count, told in ((INPUT_FILES, 0), (INPUT_FILES + 1, 1)):
        document = read_document(b"\\input{one}" * count, "main.tex", folder=tmp_path)
        assert (len(document.passages), len(document.problems)) == (INPUT_FILES, told)


def test_an_input_in_another_encoding_is_told(tmp_path):
    (tmp_path / "sjis.tex").write_bytes("漆器 $x = 1$".encode("cp932"))
    document = read_document(b"\\input{sjis}", "main.tex", folder=tmp_path)
    assert [(p.code, "Shift_JIS" in p.message) for p in document.problems] == [("input", True)]


# -- JSON and notebooks -------------------------------------------------------------------------------------------
def test_escapes_have_the_place_of_their_backslash():
    document = read_document(rb'{"a": "\u5408\u8a08\t= 3 \\cdot 2"}', "a.json")
    (relation,) = relations(document)
    assert (relation.left.text, relation.right.text, relation.column) == ("合計", r"3 \cdot 2", 22)
    (passage,) = document.passages
    assert [document.place(o).column for o in passage.origins[:3]] == [8, 14, 20]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"a": 1, "a": 2}', "given twice"), ('{"a": NaN}', "NaN is no number"), ('{"a": -Infinity}', "-Infinity is no number"),
        ('{"a": 1', "line 1: column"), ("{\n'a': 1}", "line 2"), ("[" * 101 + "]" * 101, "brackets inside each other"), ("", "line 1"),
    ],
)  # fmt: skip
def test_broken_json_is_refused(content, said):
    with pytest.raises(DocumentError, match=said):
        read_document(content.encode(), "a.json")


def test_numbers_stay_as_they_are_written():
    document = read_document(b'{"z_2": 0.10, "W": [[1e5, -0.50]], "x y": 3, "mixed": [1, "a"], "n": true}', "a.json")
    assert texts(document) == ["z_2 = 0.10", "W = [[1e5, -0.50]]"]


def test_of_each_output_the_richest_text_is_read_and_no_code():
    outputs = [
        {"output_type": "stream", "text": "a = 1\nb = 2"},
        {"data": {"text/plain": "c = 1", "text/markdown": "$c = 2$", "text/html": "c = 3"}},
        {"data": {"text/latex": ["$d", " = 4$"], "text/plain": "d"}}, {"data": {"text/html": "e = 1", "image/png": "e=="}},
        {"output_type": "error", "evalue": "f = 1", "traceback": ["g = 1"]}, "nonsense", {"data": 3}, {"text": 5},
    ]  # fmt: skip
    cells = [{"cell_type": "code", "source": "x = 1", "outputs": outputs}, {"source": ["y = ", "2"]}, 7, {"outputs": 3}]
    document = read_document(json.dumps({"nbformat": 4, "cells": cells}).encode(), "a.ipynb")
    assert texts(document) == ["a = 1", "b = 2", "c = 2", "d = 4", "y = 2"]
    for broken in ("{}", "[]", '{"cells": 3}'):
        with pytest.raises(DocumentError, match="no list of cells"):
            read_document(broken.encode(), "a.ipynb")
