"""From bytes to a kind of document: encodings, limits of size, what the name and the content say."""

import json

import pytest

from symtransformer.documents import DocumentError, read_document
from symtransformer.documents.data import checked_json, leaves, named_numbers, string_value
from symtransformer.documents.decoding import check_size, decoded
from symtransformer.documents.document import _check_counts
from symtransformer.documents.kinds import SEEN_OF, kind_of
from symtransformer.documents.limits import DOCUMENT_BYTES, LINES, NOTEBOOK_BYTES, SIGNS, TREE_DEPTH
from symtransformer.documents.placed import Placed


def refused(call, *arguments):
    with pytest.raises(DocumentError) as error:
        call(*arguments)
    return error.value


@pytest.mark.parametrize(
    ("content", "encoding", "text"),
    [
        ("和".encode(), "", "和"), ("和".encode(), "UTF-8", "和"), ("\ufeff和".encode(), "", "和"), ("和".encode("utf-16"), "", "和"), (b"\xfe\xff\x54\x8c", "", "和"),
        ("和".encode("shift_jis"), "Shift_JIS", "和"), ("和".encode("euc_jp"), "euc-jp", "和"), ("①".encode("cp932"), "Windows-31J", "①"), (b"", "", ""), ("和".encode("utf-16"), "utf_16", "和"),
    ],
)  # fmt: skip
def test_encodings(content, encoding, text):
    assert decoded(content, "a.md", encoding) == text


def test_what_cannot_be_decoded_is_told():
    error = refused(decoded, "和と積".encode("euc_jp"), "a.md")
    assert (error.code, error.line) == ("encoding", None)
    assert str(error).startswith("a.md: not UTF-8 at byte 0; it could be ")
    assert "EUC-JP: name the encoding" in str(error)
    error = refused(decoded, b"ab\xff\xff\xff", "a.md")
    assert error.message == "not UTF-8 at byte 2; save it as UTF-8"
    assert refused(decoded, b"\xff\xff", "a.md", "euc-jp").message == "not EUC_JP at byte 0"
    assert refused(decoded, b"a", "a.md", "latin-1").code == "encoding"
    error = refused(decoded, b"a\nb\n\0", "a.md")
    assert (error.code, error.line, str(error)) == (
        "binary",
        3,
        "a.md, line 3: a NUL character; this is no text [binary]",
    )
    assert refused(decoded, b"\0", "a.md").line == 1


def test_so_many_bytes_at_most():
    check_size(b" " * DOCUMENT_BYTES, "a.md")
    assert (
        refused(check_size, b" " * (DOCUMENT_BYTES + 1), "a.md").message
        == f"{DOCUMENT_BYTES + 1} bytes; at most {DOCUMENT_BYTES}"
    )
    assert len(decoded(b" " * NOTEBOOK_BYTES, "a")) == NOTEBOOK_BYTES
    assert refused(decoded, b" " * (NOTEBOOK_BYTES + 1), "a").code == "too_long"
    assert refused(read_document, b" " * (DOCUMENT_BYTES + 1), "a.ipynb").code == "json"  # a notebook may be larger


@pytest.mark.parametrize("end", ["\n", "\r"])
def test_so_many_lines_at_most(end):
    _check_counts(end * LINES, "a.txt", "text")
    assert refused(_check_counts, end * (LINES + 1), "a.txt", "text").message == f"more than {LINES} lines"


@pytest.mark.parametrize("kind", ["latex", "markdown", "text"])
def test_so_many_signs_that_relate_at_most(kind):
    _check_counts("=" * SIGNS, "a", kind)
    _check_counts("=" * (SIGNS + 1), "a", "html")
    assert refused(_check_counts, "=" * (SIGNS + 1), "a", kind).message == f"more than {SIGNS} signs that relate"


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("", "a.tex", "latex"), ("", "a.LTX", "latex"), ("", "a.md", "markdown"), ("", "a.b.qmd", "markdown"), ("", "a.txt", "text"), ("", "a.html", "html"), ("", "a.json", "json"), ("", "a.ipynb", "notebook"),
        ("x", "tex", "text"), ("x", "a.zip", "text"), ("# x", "a", "markdown"), ("$x$", "a", "markdown"), ("```\nx", "a", "markdown"), ("| a |", "a", "markdown"), ("x = 1", "a", "text"),
        ("<p>x", "a", "html"), ("\n <!-- x --> <html>", "a", "html"), ("x <p>", "a", "text"), ("\\section{x}", "a", "latex"), (" \\documentclass{x}", "a.txt", "latex"), ("\\section{x}", "a.txt", "text"),
        (" \\documentclass{x}", "a.md", "markdown"), ('{"nbformat": 4, "cells": []}', "a", "notebook"), ('{"nbformat": 4, "cells": []}', "a.json", "notebook"), ('{"nbformat": 4}', "a.json", "json"),
        ('{"nbformat": 4, "cells": []}', "a.md", "markdown"), ("[1]", "a", "json"), ("{}", "a", "json"), ("[1", "a", "text"), ("1", "a", "text"), ("a" * SEEN_OF + "$x$", "a", "text"),
        ("a" * (SEEN_OF - 1) + "$x$", "a", "markdown"),
    ],
)  # fmt: skip
def test_which_kind_of_document_it_is(text, name, kind):
    assert kind_of(text, name) == kind


def test_the_kind_that_is_asked_for():
    assert kind_of("<p>", "a.md", "latex") == "latex"
    error = refused(kind_of, "", "a.md", "word")
    assert error.code == "kind"
    assert "known are latex, markdown, text, notebook, html, json" in error.message


@pytest.mark.parametrize(
    ("text", "code"),
    [("[" * TREE_DEPTH + "]" * TREE_DEPTH, None), ("[" * (TREE_DEPTH + 1) + "]" * (TREE_DEPTH + 1), "too_deep"), ("[" + "[]," * 200 + "1]", None), ('{"a": 1, "a": 2}', "json"),
     ('[{"a": 1}, {"a": 2}]', None), ("[NaN]", "json"), ("[Infinity]", "json"), ("[1,]", "json"), ('["[[[", 1]', None), ("[1.5e3, -2]", None)],
)  # fmt: skip
def test_what_is_json(text, code):
    if code is None:
        checked_json(text, "a.json")
    else:
        assert refused(checked_json, text, "a.json").code == code


def test_where_json_breaks_off():
    error = refused(checked_json, '{\n "a": }', "a.json")
    assert (error.line, error.message.split(":")[0]) == (2, "column 7")


def test_so_many_values_at_most():
    checked_json("[" + "1," * (4 * SIGNS - 1) + "1]", "a.json")
    assert refused(checked_json, "[" + "1," * (4 * SIGNS) + "1]", "a.json").code == "too_many"


def test_the_way_to_each_value():
    text = '{"a": [1, {"b": "x"}, []], "c": {}, "d": null, "e": "y"}'
    found = list(leaves(Placed(text, range(len(text)))))
    assert [(leaf.path, leaf.written.text, leaf.is_text) for leaf in found] == [
        (("a", 0), "1", False), (("a", 1, "b"), '"x"', True), (("d",), "null", False), (("e",), '"y"', True),
    ]  # fmt: skip
    assert found[1].value.text == "x"
    assert found[1].written.origins[0] == text.index('"x"')
    assert [leaf.path for leaf in leaves(Placed("[[1], [2, 3], 4]", range(16)))] == [(0, 0), (1, 0), (1, 1), (2,)]
    assert [leaf.path for leaf in leaves(Placed("1", (0,)))] == [()]


@pytest.mark.parametrize(
    ("written", "said", "origins"),
    [('"ab"', "ab", [1, 2]), (r'"a\nb"', "a\nb", [1, 2, 4]), (r'"\u00d7x"', "×x", [1, 7]), (r'"\ud835\udc00!"', "𝐀!", [1, 13]), ('""', "", []), (r'"\\a\""', '\\a"', [1, 3, 4]),
     (r'"\ud800"', "\ufffd", [1]), (r'"\u0000a"', "\ufffda", [1, 7])],
)  # fmt: skip
def test_what_a_string_says_and_where(written, said, origins):
    value = string_value(Placed(written, range(len(written))))
    assert (value.text, list(value.origins)) == (said, origins)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ('{"z": 1}', ["z = 1"]), ('{"z_2": [1, 2.5]}', ["z_2 = [1, 2.5]"]), ('{"z": [[1], [2]], "y": -3}', ["z = [[1], [2]]", "y = -3"]), ('{"z": "a"}', []), ('{"z": []}', ["z = []"]),
        ('{"z": {"y": 2}}', ["y = 2"]), ('{"z": [1, "a"]}', []), ('{"z": null}', []), ('{"a b": 1}', []), ('{"1": 1}', []), ("[1, 2]", []), ('{"z": [1, [2], 3]}', ["z = [1, [2], 3]"]),
    ],
)  # fmt: skip
def test_named_numbers(text, claims):
    found = list(named_numbers(Placed(text, range(len(text)))))
    assert [" ".join(c.text.split()) for c in found] == claims
    assert all(text[c.origins[c.text.index("=")]] == ":" for c in found)


def test_cells_and_outputs_of_a_notebook():
    cells = [
        {"cell_type": "markdown", "source": ["$2 + 3 ", "= 5$\n"]},
        {"cell_type": "code", "source": "x = 7", "outputs": [
            {"text": ["1 + 1 = 2\n"]}, 3,
            {"data": {"text/plain": "0 = 1", "text/latex": "$3 + 3 = 6$", "text/markdown": "0 = 2"}},
            {"data": {"text/plain": "4 + 4 = 8"}}, {"data": ["a = 1"]}, {"name": "b = 1"},
        ]},
        "a = 9", {"cell_type": "raw", "source": "5 + 5 = 10", "outputs": {"text": "a = 8"}}, {"cell_type": "markdown", "metadata": {"x": "a = 7"}, "source": ""},
    ]  # fmt: skip
    document = read_document(json.dumps({"nbformat": 4, "cells": cells}).encode(), "a.ipynb")
    assert [(p.text, p.where) for p in document.passages] == [
        ("2 + 3 = 5", "inline"), ("1 + 1 = 2", "code"), ("3 + 3 = 6", "inline"), ("4 + 4 = 8", "code"), ("5 + 5 = 10", "line"),
    ]  # fmt: skip
    assert refused(read_document, b'{"nbformat": 3}', "a.ipynb").code == "notebook"
    assert refused(read_document, b"[]", "a.ipynb").code == "notebook"
