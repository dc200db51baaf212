"""Documents of every kind: a separate scan counts the relation signs, and each is found or known to be no mathematics."""

import re
import unicodedata
from pathlib import Path

import pytest

from symtransformer.documents import read_document, relations

FIXTURES = Path(__file__).parent / "fixtures"
SIGN = re.compile(
    r":=|==|~=|[=≈≒≃≡＝]|\\{1,2}(?:approx|equiv|simeq)(?![a-z])|&#61;|&asymp;|&#x2261;|\\u2248"
)  # as they are spelled in the files
MEANING = {
    ":=": ":=", "==": "=", "~=": "≈", "=": "=", "＝": "=", "≈": "≈", "≒": "≈", "≃": "≈", "≡": "≡", "approx": "≈",
    "simeq": "≈", "equiv": "≡", "&#61;": "=", "&asymp;": "≈", "&#x2261;": "≡", "\\u2248": "≈",
}  # fmt: skip
# signs that are no claims, by hand: line, and what stands around the sign: prose, code, comments, prices, bounds of sums
NO_CLAIMS = {
    "aligned.md": [(10, "{i=1}"), (10, "\\varepsilon = 0"), (14, "x = 0")],
    "answers.json": [],
    "attention.tex": [
        (2, "margin=2cm"), (6, "Scores = weights"), (8, "d_k = 4"), (9, "q = 7"), (10, "= five"), (10, "a = b"),
        (17, "no = 1"), (39, "x = 1"), (39, "i=1"), (40, "i=2"), (45, "z = 3"),
    ],
    "book_notebook.json": [(2, "m = 1"), (4, "AAAA="), (7, "x = 3"), (7, "y = 2"), (10, "y = 2\"],"), (11, "x=1"), (11, "h = 1")],
    "full_width.txt": [],
    "garbled.txt": [(1, ")=P\\"), (2, ")=softmax"), (11, "バイアス ="), (12, "= 平均0"), (13, "= 成分"), (15, "year =")],
    "gradient_ja.tex": [(2, "j=1"), (4, "j=1")],
    "log.txt": [(11, "Encoder ="), (11, "Decoder ="), (13, "log = ln"), (15, "<=")],
    "notes.md": [
        (5, "= one hundred"), (7, "a=1"), (7, "b=2"), (7, "mode="), (18, "x = 1"), (18, "log=2"), (27, "x = 2"),
        (34, "Query ="),
    ],
    "notes_ja.md": [(3, "$11 ="), (7, "Q = 問い"), (7, "K = 鍵"), (8, "＝行列")],
    "page.html": [(2, "x = 1"), (2, "a = 1"), (2, "c=d"), (4, "K"), (4, "KT="), (11, "x = 1"), (14, "c = 3"), (15, "d = 4")],
    "page_mathml.html": [(4, "j")],
}  # fmt: skip
NAMED_NUMBERS = {"answers.json": [(4, 6), (5, 6), (6, 19)]}  # the colon of a key and its numbers says =


def load(name):
    content = (FIXTURES / name).read_bytes()
    return content.decode(), read_document(content, name)


def scanned(name, text):
    """Places of all relation signs in the file, tags and comments of web pages left out."""
    if name.endswith(".html"):
        text = re.sub(r"<!--.*?-->|<[^>]*>", lambda found: " " * len(found.group()), text, flags=re.DOTALL)
    lines = enumerate(text.split("\n"), 1)
    return {(number, sign.start() + 1): sign.group() for number, line in lines for sign in SIGN.finditer(line)}


def no_claims(name, text, signs):
    """The places of those signs of the list above: the first sign of the line that the excerpt covers, not yet taken."""
    lines, taken = text.split("\n"), set()
    for line, excerpt in NO_CLAIMS[name]:
        begin = lines[line - 1].find(excerpt)
        assert begin >= 0, (name, line, excerpt)
        end = begin + max(len(excerpt), 1)
        after = [p for p in sorted(signs) if p[0] == line and p[1] > begin and p not in taken]
        covered = [p for p in after if p[1] <= end] or after
        if covered and (name != "page.html" or covered[0][1] <= end or excerpt == "K"):
            taken.add(covered[0])
    return taken


def test_there_are_documents_of_every_kind():
    names = sorted(path.name for path in FIXTURES.iterdir())
    assert names == sorted(NO_CLAIMS)
    assert len(names) >= 12
    kinds = {load(name)[1].kind for name in names}
    assert kinds == {"latex", "markdown", "text", "notebook", "html", "json"}


@pytest.mark.parametrize("name", sorted(NO_CLAIMS))
def test_no_sign_is_lost_and_none_is_invented(name):
    text, document = load(name)
    signs = scanned(name, text)
    found = [(r.line, r.column) for r in relations(document)]
    assert len(set(found)) == len(found)
    wanted = (set(signs) - no_claims(name, text, signs)) | set(NAMED_NUMBERS.get(name, []))
    assert set(found) == wanted
    assert len(found) >= 4


@pytest.mark.parametrize("name", sorted(NO_CLAIMS))
def test_every_sign_is_the_one_that_stands_there(name):
    text, document = load(name)
    lines = text.split("\n")
    for relation in relations(document):
        if (relation.line, relation.column) in NAMED_NUMBERS.get(name, []):
            assert lines[relation.line - 1][relation.column - 1] == ":"
            continue
        there = SIGN.match(lines[relation.line - 1], relation.column - 1)
        assert there is not None
        assert relation.sign == MEANING[there.group().lstrip("\\") if "u2248" not in there.group() else "\\u2248"]
        assert relation.left.text
        assert relation.right.text


@pytest.mark.parametrize("name", sorted(NO_CLAIMS))
@pytest.mark.parametrize("form", ["as it is", "crlf", "bom"])
def test_each_character_of_a_passage_is_that_of_its_place(name, form):
    content = (FIXTURES / name).read_bytes()
    content = content.replace(b"\n", b"\r\n") if form == "crlf" else content
    content = b"\xef\xbb\xbf" + content if form == "bom" else content
    document = read_document(content, name)
    plain = read_document((FIXTURES / name).read_bytes(), name)
    places = [(p.line, p.column, p.language, p.where) for p in document.passages]
    assert places == [(p.line, p.column, p.language, p.where) for p in plain.passages]
    lines = (FIXTURES / name).read_text(encoding="utf-8").split("\n")
    same = 0
    for passage in document.passages:
        assert len(passage.text) == len(passage.origins)
        for character, origin in zip(passage.text, passage.origins, strict=True):
            place = document.place(origin)
            there = document.sources.character(origin)
            assert place.file == passage.file == name
            if there not in "\r\n":
                assert lines[place.line - 1][place.column - 1] == there
            same += there == character or unicodedata.normalize("NFKC", there) == character
        first = document.place(passage.origins[0])
        assert (passage.line, passage.column) == (first.line, first.column)
    rewritten = 0.2 if "mathml" in name else 0.6  # of MathML much is notation
    assert same >= rewritten * sum(len(p.text) for p in document.passages)


@pytest.mark.parametrize("name", [n for n in sorted(NO_CLAIMS) if n.endswith((".md", ".txt"))])
def test_the_text_at_line_and_column_is_the_passage(name):
    text, document = load(name)
    lines = text.split("\n")
    for passage in document.passages:
        if passage.where not in ("inline", "display") or "$" not in lines[passage.line - 1][passage.column - 1 :]:
            written = lines[passage.line - 1][passage.column - 1 :]
            start = passage.text.split("\n")[0].split("  ")[0]
            assert unicodedata.normalize("NFKC", written).startswith(unicodedata.normalize("NFKC", start))


def sides(name):
    return [(r.line, r.left.text, r.sign, r.right.text, r.above) for r in relations(load(name)[1])]


def test_what_stands_on_both_sides_in_latex():
    found = sides("attention.tex")
    softmax = r"\operatorname{softmax} (\frac{QK^\top}{\sqrt{d_k}} )"
    assert (12, "A", "=", softmax, False) in found
    assert (13, softmax, "=", r"\operatorname{softmax} (S )", True) in found
    assert (14, "O", "=", "Z W_O", False) in found
    assert (22, r"-\log 0.5544", "≈", "0.5899", False) in found
    assert (31, r"\frac{1 + 3}{2}", "=", "2.5", True) in found
    assert (35, "1 + 2", "=", "3", False) in found
    assert (43, r"\operatorname{FFN}(x)", "=", "3", False) in found
    assert (43, "4", "=", "2 + 2", False) in found
    multline = [tuple(" ".join(side.split()) for side in (f[1], f[3])) for f in found if f[0] in (25, 27)]
    assert multline == [("y", r"0.5 \times 2 + 1.5 \times 4"), (r"0.5 \times 2 + 1.5 \times 4", "7")]
    split = next(f for f in found if f[0] == 39)
    assert " ".join(split[3].split()) == r"\sum_{i=1}^n x_i + \prod_{i=2}^n x_i"


def test_what_stands_on_both_sides_in_prose():
    found = {(line, left, sign, right) for line, left, sign, right, _ in sides("notes_ja.md")}
    assert found >= {
        (4, "2.0281 ÷ 3.4522", "≈", "0.5875"), (5, "γ", "=", "1"), (5, "β", "=", "0"), (5, "0.5875×2", "≈", "1.175"),
        (6, "漆器 · 硯箱", "=", "0.8×0.1 + 0.2×0.9 + 0.7×0.2"), (7, "128次元", "=", "2^{7}"), (9, "1+2+3", "=", "6"),
        (12, "(−1)×1 + 2×0", "=", "−1"), (15, "0.77×V₁ + 0.16×V₂", "=", "[0.2, 0.8]"),
    }  # fmt: skip
    found = {(line, left, sign, right) for line, left, sign, right, _ in sides("log.txt")}
    assert found >= {
        (6, "[8.17/10.56, 1.65/10.56, 0.74/10.56]", "=", "[0.77, 0.16, 0.07]"), (10, "(1 + 2 + 3)/3", "=", "2"),
        (7, "Attention Weight", "=", "softmax(Score)"), (8, "Output", "=", "Attention Weight × V"),
        (12, "cos(θ)", ":=", "Q · K / (|Q| × |K|)"), (14, "x", "≈", "0.333"), (15, "0.6931", "=", "0.7"),
    }  # fmt: skip


def test_chains_are_numbered_and_rows_go_on_with_the_first():
    chains = [(r.line, r.chain) for r in relations(load("aligned.md")[1])]
    assert chains[:4] == [(4, 1), (4, 2), (5, 1), (7, 3)]
    found = relations(load("aligned.md")[1])[2]
    assert found.left.text == r"A \odot (G - r)"
    assert " ".join(found.right.text.split()).endswith(r"+ \begin{pmatrix} 0 & 0 \\ 1 & -1 \end{pmatrix}")
    assert [(f[1], f[3]) for f in sides("aligned.md") if f[0] == 12] == [("x", "1"), ("x^2", "1, 2")]


def test_cells_of_tables_know_their_column_and_row():
    _, document = load("notes.md")
    cells = {p.text: (p.cell.row, p.cell.column, p.cell.heading, p.cell.label) for p in document.passages if p.cell}
    assert cells["1×1 + 0×0 = 1"] == (2, 2, "score", "start")
    assert cells["0.7071"] == (2, 3, r"\div\sqrt{2}", "start")
    assert cells["−∞"] == (3, 4, "weight", "cat")
    _, document = load("page.html")
    cells = [(p.text, p.cell.row, p.cell.column, p.cell.heading) for p in document.passages if p.cell]
    assert cells == [("1 + 1 = 2", 2, 2, "softmax"), ("2 + 2 = 4", 2, 2, "softmax"), ("58.7%", 3, 2, "softmax")]
    _, document = load("garbled.txt")
    cells = [(p.text, p.cell.heading, p.cell.label) for p in document.passages if p.cell]
    assert ("0.3536", "√2で割る", "猫") in cells
    _, document = load("attention.tex")
    assert [(p.cell.row, p.cell.column) for p in document.passages if p.cell] == [(1, 1), (1, 2), (2, 1), (2, 2)]


def test_languages_and_places():
    for name, language, where in [
        ("page_mathml.html", "mathml", "display"), ("page_mathml.html", "mathml", "inline"), ("page.html", "latex", "display"),
        ("notes.md", "latex", "inline"), ("notes.md", "text", "code"), ("notes.md", "text", "table"), ("log.txt", "text", "line"),
        ("book_notebook.json", "text", "code"), ("book_notebook.json", "latex", "display"), ("answers.json", "latex", "inline"),
    ]:  # fmt: skip
        assert (language, where) in {(p.language, p.where) for p in load(name)[1].passages}, (name, language, where)


def test_marks_of_the_author():
    marks = [(m.kind, m.text, m.line, m.column) for m in load("attention.tex")[1].marks]
    assert marks == [("let", "d_k = 4", 8, 1), ("expect", "wrong", 30, 30)]
    assert [(m.kind, m.text, m.line) for m in load("notes.md")[1].marks] == [
        ("convention", "log=2", 18),
        ("skip", "", 28),
    ]
    assert [(m.kind, m.line) for m in load("book_notebook.json")[1].marks] == [("skip", 7)]
    assert [(m.kind, m.line) for m in load("page.html")[1].marks] == [("skip", 14)]
    document = read_document(b"# symtransformer: forget it\nx = 1 # symtransformer: skip this", "a.txt")
    assert [(p.code, p.line, p.column) for p in document.problems] == [("mark", 1, 1), ("mark", 2, 7)]
    assert document.marks == ()
    assert [p.text for p in document.passages] == ["x = 1"]


def test_problems_are_told_with_their_place():
    assert [(p.code, p.line) for p in load("garbled.txt")[1].problems] == [("doubled", 1), ("doubled", 2)]
    assert all(load(name)[1].problems == () for name in NO_CLAIMS if name != "garbled.txt")
