"""The statements of a row and the sides of a relation: commas, wide spaces, brackets, labels, units, rows that go on."""

import pytest

from symtransformer.documents import read_document, relations
from symtransformer.documents.abreast import columns, parted
from symtransformer.documents.lines import counts, formula_spans
from symtransformer.documents.placed import Placed
from symtransformer.documents.right_sides import right_of, whole
from symtransformer.documents.signs import signs_of
from symtransformer.documents.statements import claims_something, unwrapped


def read(text, name="a.md"):
    return [(r.left.text, r.sign, r.right.text) for r in relations(read_document(text.encode(), name))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$a = 1, b = 2$", [("a", "=", "1"), ("b", "=", "2")]), ("$a = 1; b = 2$", [("a", "=", "1"), ("b", "=", "2")]), ("$a = 1,000$", [("a", "=", "1,000")]), (r"$a = 1 \quad b = 2$", [("a", "=", "1"), ("b", "=", "2")]),
        (r"$a = 1 + \quad 2$", [("a", "=", "1 +   2")]), ("$a = b = 2$", [("a", "=", "b"), ("b", "=", "2")]), ("$(a = 1)$", [("a", "=", "1")]), ("$((a = 1))$", [("a", "=", "1")]),
        (r"$(a = 1) \Rightarrow (b = 2)$", [("a", "=", "1"), ("b", "=", "2")]), (r"$a = 1 \Rightarrow b = 2$", [("a", "=", "1"), ("b", "=", "2")]), (r"$a = 1 \quad (2)$", [("a", "=", "1")]),
        (r"$a = 1 \quad \text{for all } i$", [("a", "=", "1")]), (r"$a = 1, i \in S$", [("a", "=", "1")]), ("$a, b = 1, 2$", [("a, b", "=", "1, 2")]), ("$[1, 2] = a$", [("[1, 2]", "=", "a")]),
        (r"$\text{so } a = 1$", [("a", "=", "1")]), (r"$a = 3 \text{ GB}$", None), (r"$a = 1.$", [("a", "=", "1")]), (r"$a = 0.66...$", [("a", "=", "0.66...")]), ("$w_1: 2 + 3 = 5$", [("2 + 3", "=", "5")]),
        ("$1 : 2 = 0.5$", [("1 : 2", "=", "0.5")]), (r"$a \approx 1 \equiv b$", [("a", "≈", "1"), ("1", "≡", "b")]), ("$a := 1$", [("a", ":=", "1")]), (r"$a = 2 \times$", [("a", "=", "2")]),
        (r"$$\begin{aligned}a &= 1 \\ &= 2 \\ b &= 3\end{aligned}$$", [("a", "=", "1"), ("1", "=", "2"), ("b", "=", "3")]), (r"$$\begin{aligned}a &= 1 \\ &\quad + 2\end{aligned}$$", None),
        ("$2 > 1, a = 3$", [("a", "=", "3")]),
    ],
)  # fmt: skip
def test_relations_of_a_formula(text, expected):
    found = read(text)
    if expected is not None:
        assert [(" ".join(a.split()), s, " ".join(b.split())) for a, s, b in found] == [
            (" ".join(a.split()), s, " ".join(b.split())) for a, s, b in expected
        ]


def test_chains_and_rows_above():
    found = relations(
        read_document(b"$a = b = c$, $d = e$\n\n$$\\begin{aligned}f &= 1 \\\\ &= 2\\end{aligned}$$", "a.md")
    )
    assert [(r.left.text, r.chain, r.above, r.passage) for r in found] == [
        ("a", 1, False, 0), ("b", 1, False, 0), ("d", 2, False, 1), ("f", 3, False, 2), ("1", 3, True, 2),
    ]  # fmt: skip
    assert [(r.line, r.column) for r in found[:3]] == [(1, 4), (1, 8), (1, 17)]


@pytest.mark.parametrize(
    ("text", "inner"),
    [("(a = 1)", "a = 1"), ("((a = 1))", "a = 1"), ("(((a)))", "a"), ("((((a))))", "(a)"), ("(a) = (b)", "(a) = (b)"), (" (a) ", "a"), ("()", "()"), ("[a]", "[a]"), ("a", "a"), ("(a", "(a"), (r"\{a\}", "a"), ("(a) (b)", "(a) (b)")],
)  # fmt: skip
def test_brackets_around_a_whole_statement(text, inner):
    signs = signs_of(text)
    found = unwrapped(signs)
    assert "".join(s.text for s in found) == inner
    assert (found is signs) is (text == inner)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("a = 1", True),
        ("(a = 1)", True),
        ("f(a = 1)", False),
        ("(a = 1) => (b)", True),
        ("a => b", False),
        ("a", False),
        ("a -> (b -> (c = 1))", True),
        ("(a = 1) (b)", False),
    ],
)
def test_what_claims_something(text, claims):
    assert claims_something(signs_of(text)) is claims


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("a = 1   b = 2", ["a = 1", "b = 2"]), ("a = 1  b = 2", ["a = 1", "b = 2"]), ("a = 1 b = 2", ["a = 1 b = 2"]), ("a = 1\tb = 2", ["a = 1", "b = 2"]), ("a = 1   b", ["a = 1   b"]), ("a   b = 1", ["a   b = 1"]),
        ("a = 1 +   b = 2", ["a = 1 +   b = 2"]), ("a = 1   + b = 2", ["a = 1   + b = 2"]), ("a = (1   b = 2)", ["a = (1   b = 2)"]), ("a = 1   b = 2   c = 3", ["a = 1", "b = 2", "c = 3"]), ("a = 1   x   b = 2", ["a = 1   x", "b = 2"]),
        (r"a = \b   b = 2", [r"a = \b   b = 2"]), ("a   = 1   b   = 2", ["a   = 1", "b   = 2"]), ("a = [1,   2]   b = 2", ["a = [1,   2]", "b = 2"]), ("", [""]),
    ],
)  # fmt: skip
def test_equations_side_by_side(text, pieces):
    found = columns(Placed(text, range(len(text))))
    assert [p.text for p in found] == pieces
    assert all("".join(text[o] for o in p.origins) == p.text for p in found)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("K = [[1, 0],  V = [[5],\n     [0, 1]]       [6]]", ["K = [[1, 0], [0, 1]]", "V = [[5], [6]]"]), ("K = [[1],  V = [[5],\n [0]]", None), ("K = [1], V = [2]", ["K = [1]", "V = [2]"]), ("K = [1]", None), ("x K = [1], V = [2]", None),
        ("K = [[1]  V = [5]\n [2]]", ["K = [[1], [2]]", "V = [5]"]), ("K = [[1]  V = [[5]\n [2]] x [6]]", None), ("K = [[1]  V = [[5]\n [2]\n [3]] [6]]", None), ("K = [[1]  V = [[5]\n [2]] [6", None),
        ("K = [[1]  V = [[5]\n [2] [6]\n [3]] [7]]", ["K = [[1], [2], [3]]", "V = [[5], [6], [7]]"]), ("q K = [1], V = [2]", None), ("K = [1] q V = [2]", None), ("A = [1], B = [2], C = [3]", ["A = [1]", "B = [2]", "C = [3]"]),
    ],
)  # fmt: skip
def test_matrices_side_by_side(text, pieces):
    assert [p.text for p in parted(Placed(text, range(len(text))))] == ([text] if pieces is None else pieces)


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("x = 2 + 3 is", "2 + 3"), ("x = 2", "2"), ("x = -2 and", "-2"), ("x = 4,096 is", "4,096"), ("x = 4, 096.", "4, 096"), ("x = 3 million a", "3 million"), ("x = 3 millions", "3"), ("x = 25 percent", "25 percent"),
        ("x = 25 percent points", "25"), ("x = 合計です", "合計"), ("x = 3万", "3万"), ("x = 3人", "3"), ("x = 1, 2, 3.", "1, 2, 3"), ("x = 3番目", None), ("x = 3 plus 4 is", "3 plus 4"), ("x = 2 × 合計 + 3 です", "2 × 合計 + 3"),
        ("x = (2 + 3) × 4 is", "(2 + 3) × 4"), ("x = 2 (see below)", "2"), ("x = f(2) is", "f(2)"), ("x = |a| is", "|a|"), ("x =", None), ("x = 2 × -3 is", "2 × -3"), ("x = d出力です", "d出力"), ("x = 2 + 3 and -2", "2 + 3"),
    ],
)  # fmt: skip
def test_how_far_a_right_side_reaches(text, side):
    signs = signs_of(text)
    relation = next(i for i, s in enumerate(signs) if s.kind == "relation")
    end = right_of(signs, relation, len(signs))
    assert (None if end is None else text[signs[relation].end : end[0]].strip()) == side


@pytest.mark.parametrize(
    ("text", "end", "side"),
    [
        ("2ab c", 1, "2ab"),
        ("2 ab", 1, "2"),
        ("2(a) b", 1, "2(a)"),
        ("2(合)", 1, "2"),
        ("2/ヘッド", 1, "2"),
        ("2/a", 1, "2/a"),
        ("2", 1, "2"),
    ],
)
def test_nothing_is_cut_off_in_the_middle(text, end, side):
    signs = signs_of(text)
    found = whole(signs, (signs[end - 1].end, end), len(signs))
    assert text[: found[0]] == side
    assert whole(signs, None, len(signs)) is None


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("so 2 + 3 = 5 holds", ["2 + 3 = 5"]), ("a = 1. b = 2", ["a = 1", "b = 2"]), ("Q = Query", []), ("Q = [0, 1] is", ["Q = [0, 1]"]), ("(2 + 3 = 5)", ["2 + 3 = 5"]), ("f(eps=1)", []), ("GPU(80 / 2 = 40)", ["80 / 2 = 40"]),
        ("print(2 + 3 == 6)", []), ("2 × (3 + 4 = 14", []), ("$5 = 5", []), ("q . k = 5", []), (".5 = 5", []), ("the Q-K=V model", []), ("平均0 = 行目", []), ("x = y", ["x = y"]), ("the = word", []), ("10€ + 3 = 13", []),
        ("(see 2 + 3 = 5) and 1 + 1 = 2", ["2 + 3 = 5", "1 + 1 = 2"]), ("2 + 3 = 5 = 5", ["2 + 3 = 5 = 5"]), ("", []), ("x = {", []), ("2 ✕ 5 = 10", []), ("end. 5 = 5", ["5 = 5"]), ("a: 2 + 3 = 5", ["2 + 3 = 5"]),
    ],
)  # fmt: skip
def test_formulas_among_words(text, spans):
    assert [text[span.start : span.end] for span in formula_spans(signs_of(text), False)] == spans


@pytest.mark.parametrize(
    ("text", "may", "spans"),
    [
        ("= 5 so", True, ["= 5"]),
        ("= 5 so", False, []),
        ("  = 5", True, ["= 5"]),
        ("= 16人", True, []),
        ("= 16 the", True, ["= 16"]),
        ("= 16 x", True, ["= 16 x"]),
    ],
)
def test_lines_that_begin_with_a_sign(text, may, spans):
    found = formula_spans(signs_of(text), may)
    assert [text[span.start : span.end] for span in found] == spans
    assert all(span.continues for span in found)


def test_a_price_is_no_side():
    signs = signs_of("$5 = 6")
    assert counts(signs, 1, 3, (6, 6), False) is False
    assert counts(signs_of("5 = 6"), 0, 2, (5, 5), False) is True
