r"""How the text of a claim is cut into lines and sides, and how members of a family of heads are named in it: places stay."""

import pytest

from symtransformer import verify
from symtransformer.claims.heads import (
    _Above,
    families_of,
    of_each_head,
    spelled_in,
    with_names,
    without_heads,
    without_its_head,
)
from symtransformer.claims.lines import LINES_AT_MOST, _pieces, lines_of, without_display, without_number
from symtransformer.claims.subject import subject_of
from symtransformer.reading import ReadingError
from symtransformer.reading.index_marks import marked
from symtransformer.symbols import Letter, dimension

# -- what stands around a formula ------------------------------------------------------------------------------------
AROUND = [  # what is left of it, blanks cut off
    ("$a = b$", "a = b"), ("$$a = b$$ (3)", "a = b"), (r"\[a = b\]", "a = b"), (r"\(a\)", "a"), (r"\begin{equation}a\end{equation}", "a"), (r"\begin{align*}a &= b\end{align*}", "a &= b"), ("a = b   (3)", "a = b"), ("a = b  (3)", "a = b  (3)"),
    (r"a = b \qquad (3.1)", "a = b"), (r"a = b \quad (3.1a).", "a = b"), (r"a = b \tag{3}", "a = b"), (r"a = b \tag*{x}", "a = b"), ("(3) a = b", "a = b"), ("(3.1.2) $a = b$", "a = b"), ("(3.1.2.4) a", "(3.1.2.4) a"), ("a = b    (3)c", "a = b    (3)c"),
    ("a = b [proved]", "a = b"), ("a = b [chain rule]", "a = b"), ("a = b [softmax s]", "a = b [softmax s]"), ("a = b [tested, not proved: why]", "a = b"), ("a = b [証明済み]", "a = b"), ("X [1, 2]", "X [1, 2]"), ("a = b [as d]", "a = b [as d]"),
    ("(1234) a", "(1234) a"), ("$a = b$, (3)", "a = b"), ("$a = b$. (3)", "a = b"), ("a", "a"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "left"), AROUND)
def test_what_stands_around_a_formula_is_blank(text, left):
    found = without_display(text)
    assert found.strip() == left
    assert len(found) == len(text)
    assert all(new in (" ", old) for new, old in zip(found, text, strict=True))


NUMBERED = [
    ("a = b (3)", "a = b"), ("a = b  (3)", "a = b"), ("a = b   (3)", "a = b   (3)"), ("a = (b) (3)", "a = (b)"), ("a = b(3)", "a = b(3)"), ("a = b (3.1)", "a = b"), ("a = b (3.1a).", "a = b"), ("a = b (1234)", "a = b (1234)"),
    ("a = x} (3)", "a = x}"), ("a = + (3)", "a = + (3)"), ("a = b (3) c", "a = b (3) c"), ("a = b (3.1.2.3)", "a = b (3.1.2.3)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "left"), NUMBERED)
def test_what_may_be_the_number_of_an_equation(text, left):
    assert without_number(text).rstrip() == left
    assert len(without_number(text)) == len(text)


# -- lines -----------------------------------------------------------------------------------------------------------
def cut(text, known=("G", "c", "g_ij")):
    """(defining lines, claim), each as (left, right); `known` are names on whose left side nothing is claimed."""
    lines, claim = lines_of(marked(text), lambda name: name in known)
    return [(text[x.left.start : x.left.end], text[x.right.start : x.right.end]) for x in (*lines, claim)]


LINES = [
    ("a = b", [("a", "b")]), ("G = x; a = b", [("G", "x"), ("a", "b")]), ("a = b; G = x", [("G", "x"), ("a", "b")]), ("a = b\nG = x", [("G", "x"), ("a", "b")]), (r"a = b \\ G = x", [("G", "x"), ("a", "b")]), ("G = 1; c = 2", [("G", "1"), ("c", "2")]),
    ("a = b; d = e", [("a", "b"), ("d", "e")]), ("a = b; G = x; c = y", [("G", "x"), ("c", "y"), ("a", "b")]), ("G = x; a = b; c = y", [("G", "x"), ("a", "b"), ("c", "y")]),
    ("a = b where G = x", [("G", "x"), ("a", "b")]), ("a = b, where G = x", [("G", "x"), ("a", "b")]), ("a = b with G = x, c = 2", [("G", "x"), ("c", "2"), ("a", "b")]), ("a = b where G = f(x, y), c = 2", [("G", "f(x, y)"), ("c", "2"), ("a", "b")]),
    (r"a = b \text{where} G = x", [("G", "x"), ("a", "b")]), ("a = b where G = x; c = y", [("G", "x"), ("c", "y"), ("a", "b")]), ("a = b where G = x\nc = y", [("G", "x"), ("c", "y"), ("a", "b")]), ("G = x; a = b where c = y", [("c", "y"), ("G", "x"), ("a", "b")]),
    ("a = b where", [("a", "b")]), ("a = b; ;", [("a", "b")]), ("f(x = 1) = 2", [("f(x = 1)", "2")]), ("a = (b; c)", [("a", "(b; c)")]), ("a = {b = c}", [("a", "{b = c}")]), ("a = [b; c]", [("a", "[b; c]")]), ("a = ⟨b; c⟩", [("a", "⟨b; c⟩")]),
    (r"a = b\; c", [("a", r"b\; c")]), ("a = (b\n c)", [("a", "(b\n c)")]), ("x = 1, y", [("x", "1, y")]), ("a & = b &", [("a", "b")]), ("a := b", [("a", "b")]), ("a = b.", [("a", "b")]), ("a = b,", [("a", "b")]), ("a =& b", [("a", "b")]),
    ("wherever = a", [("wherever", "a")]), ("somewhere = a", [("somewhere", "a")]), ("a = 1..3", [("a", "1..3")]), (r"a \~= b", [("a \\~", "b")]), ("a ~=~ b", [("a ~", "~ b")]), ("a = )b; G = 2", [("G", "2"), ("a", ")b")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), LINES)
def test_lines_that_define_and_the_claim(text, expected):
    assert cut(text) == expected


UNCUT = [
    ("", "empty", 1), ("  ", "empty", 1), (" ; ", "empty", 1), ("a", "no_equation", 1), ("a = b; c", "no_equation", 7), ("a = b = c", "two_equations", 7), ("a == b", "two_equations", 4), ("a =", "incomplete", 3), ("= b", "incomplete", 1), ("a = .", "incomplete", 3),
    ("a <= b", "no_equation", 3), ("a >= b", "no_equation", 3), ("a != b", "no_equation", 3), ("a ~= b", "no_equation", 3), ("a ≈= b", "no_equation", 3), ("a = b ...", "ellipsis", 7), ("a = 2..3", "ellipsis", 6), ("a = b …", "ellipsis", 7), (r"a \dots b", "ellipsis", 3), ("a where c = 2", "no_equation", 1),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "column"), UNCUT)
def test_what_is_no_equation_is_refused_at_its_place(text, code, column):
    with pytest.raises(ReadingError) as caught:
        cut(text)
    assert (caught.value.code, caught.value.column) == (code, column)


def test_the_side_that_is_empty_is_told():
    for text, side in (("a =", "right"), ("= b", "left")):
        with pytest.raises(ReadingError, match=f"nothing on the {side} side"):
            cut(text)


def test_so_many_lines_are_read_and_no_more():
    assert len(cut("; ".join(["c = 2"] * LINES_AT_MOST))) == LINES_AT_MOST
    assert len(cut("a = b where " + ", ".join(["c = 2"] * (LINES_AT_MOST - 1)))) == LINES_AT_MOST
    for text in ("; ".join(["c = 2"] * (LINES_AT_MOST + 1)), "a = b where " + ", ".join(["c = 2"] * LINES_AT_MOST)):
        with pytest.raises(ReadingError, match="more than 20 lines"):
            cut(text)


def test_a_comma_separates_where_an_equation_follows():
    def pieces(text, signs=","):
        return [text[s.start : s.end] for s in _pieces(text, 0, len(text), signs)]

    assert pieces("a, b = c, d") == ["a", " b = c, d"]
    assert pieces("a = 1, b = 2") == ["a = 1", " b = 2"]
    assert pieces("f(a, b = 2), c = 3") == ["f(a, b = 2)", " c = 3"]
    assert pieces(r"a\\b\\c") == ["a", "b", "c"]
    assert pieces(r"(a\\b)\\c") == [r"(a\\b)", "c"]
    assert pieces("a; ; b", ";") == ["a", " b"]


# -- heads -----------------------------------------------------------------------------------------------------------
MARKS = [  # words, head, primes, whether it can be no power
    ("(1)", ((), "1", 0, True)), ("(i)", ((), "i", 0, True)), ("Q", (("Q",), "", 0, False)), ("Q,(1)", (("Q",), "1", 0, True)), ("(1),Q", (("Q",), "1", 0, True)), ("'", ((), "", 1, True)), ("'''", ((), "", 3, True)), (r"\prime\prime", ((), "", 2, True)), ("enc", (("enc",), "", 0, True)),
    (r"\mathrm{new}", (("new",), "", 0, True)), ("new,(i)", (("new",), "i", 0, True)), ("Q,'", (("Q",), "", 1, True)), ("1", None), ("(1234)", None), ("a+b", None), ("", None), ("(ab)", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), MARKS)
def test_what_stands_above_a_name(text, expected):
    found = _Above.of(text)
    assert (found and (found.words, found.head, found.primes, found.is_a_mark)) == expected


TWO = subject_of("MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads=2)")
FAMILY = subject_of("MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads=h)")


def test_members_and_families():
    assert TWO.members["W_Q", "1"] == "W_Q1"
    assert TWO.members["dQ", "2"] == "dQ_2"
    assert ("X", "1") not in TWO.members
    assert not {"Q", "W_Q", "dQ"} & TWO.nodes.keys()
    assert FAMILY.members == {}
    every = {f"{d}{x}" for d in ("", "d") for x in ("A", "K", "Q", "S", "V", "W_K", "W_Q", "W_V", "Z")}
    assert families_of(TWO.members, TWO.nodes) == families_of(FAMILY.members, FAMILY.nodes) == every


NAMED = [
    ("W_Q^(1)", "W_{Q1}"), ("W_Q^{(2)}", "W_{Q2}"), ("{W_{Q}^{(1)}}", "W_{Q1}"), ("W_{Q}^{(1)}", "W_{Q1}"), ("W^{Q,(1)}", "W_{Q1}"), ("w^{Q,(1)}_ab", "W_{Q1}_ab"), ("w^Q,(1)_ab", "W_{Q1}_ab"), ("w^{Q,(i)}_ab", "W_{Q}^(i)_ab"), ("q^(1)_jc", "Q_{1}_jc"),
    ("q^{(1)}_{jc}", "Q_{1}_{jc}"), ("q_{ic}^{(2)}", "Q_{2}_{ic}"), ("q_ic^(2)", "Q_{2}_ic"), ("Q^(1)", "Q_{1}"), ("dW_Q^(1)", "dW_{Q1}"), ("A^{(1)}", "A_{1}"), (r"\sqrt{W_Q^{(1)}}", r"\sqrt{   W_{Q1}}"), (r"\frac{Q^{(1)}}{2}", r"\frac{  Q_{1}}{2}"), ("{Q^{(1)}}^T", "Q_{1}^T"),
    ("Z^(2) + W_O", "Z_{2} + W_O"), ("X W_Q^(1) + X W_Q^(2)", "X  W_{Q1} + X  W_{Q2}"),
    *((same, same) for same in ("Q^(3)", "Q^(i)", "dQ^(i)", "dW_{Q}^(i)", "X^T", "X^(1)", "X^2", "Q'", "Q^{(1)T}", "W_O^(1)", "Q", "")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), NAMED)
def test_a_member_gets_its_name_and_places_stay(text, expected):
    found = with_names(text, TWO.members, TWO.nodes)
    assert found.strip() == expected
    assert len(found) == len(text)
    untouched = with_names(text, FAMILY.members, FAMILY.nodes)
    assert untouched == (text if "w^{Q,(i)}" not in text else "W_{Q}^(i)_ab")


PLACES = [
    ("W_Q^{enc}", "enc.W_{Q}"), ("W_{Q}^{enc}", "enc.W_{Q}"), ("W^{enc,Q}", "enc.W_{Q}"), ("X^{enc}", "enc.X"), ("k^new_il", "k_new_il"), ("k^{new}_{il}", "k_{new}_{il}"), ("k_{il}^{new}", "k_{new}_{il}"), ("K^{new}", "K_{new}"), (r"K^{\mathrm{new}}", "K_{new}"), ("sigma'", "sigma2"), (r"\sigma_{i}^{\prime}", "sigma2_{i}"),
    *((same, same) for same in ("X'", "x'_i", "X^{foo}", "w^Q_ab", "W^{foo}_ab", "X^T", "σ'", "mu'", "W_Q^{dec}")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), PLACES)
def test_layers_primes_and_words_above_a_name(text, expected):
    n = dimension("n")
    nodes = {
        x: Letter(x, n, n)
        for x in ("enc.W_Q", "enc.X", "X", "X2", "k_new", "K_new", "W_Q", "T", "x", "sigma", "sigma2")
    }
    found = with_names(text, {}, nodes)
    assert found.strip() == expected
    assert len(found) == len(text)


@pytest.mark.parametrize(
    "claim", ["dW_Q^{foo} = X^T dQ", "dW_{Q}^{dec} = X^T dQ", r"dW_Q^{\mathrm{new}} = X^T dQ", "dW_Q = X_Q^{foo} dQ"]
)
def test_a_mark_that_nothing_has_is_not_left_out(claim):
    of = "Q = X W_Q\nA = softmax(Q)"
    assert verify("dW_Q = X^T dQ", of=of).kind == "proved"
    with pytest.raises(ReadingError):
        verify(claim, of=of)


def each(text):
    return of_each_head(text, TWO.members, (0, text.index("=")))


def test_a_claim_for_every_head_is_written_for_each():
    assert each("dW_Q^(i) = X^T dQ^(i)") == [" dW_{Q1} = X^T dQ_{1}", " dW_{Q2} = X^T dQ_{2}"]
    assert each("dW_{Q}^(h) = X^T dQ^(h) + Q^(j)") == [
        "   dW_{Q1} = X^T dQ_{1} + Q^(j)",
        "   dW_{Q2} = X^T dQ_{2} + Q^(j)",
    ]
    assert each("dW_Q^(1) = X^T dQ^(1)") == each("W_O = Q^(i)") == each("X^(i) = Q^(i)") == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dQ^(i) = i dS^(i) K^(i)", "i counts heads and is an index in the same formula"), ("dQ^(i) = Σ_i dS^(i)", "i counts heads and is an index"), ("dQ^(i)_ic = dS^(i)_ij", "i counts heads and is an index"),
        ("dQ^(i) = X^(i)", "i counts heads of which there are not equally many; write a claim for each, as X^(1)"),
    ],
)  # fmt: skip
def test_a_letter_that_counts_heads_counts_nothing_else(text, said):
    with pytest.raises(ValueError, match=said.replace("^", r"\^").replace("(", r"\(").replace(")", r"\)")):
        each(text)


@pytest.mark.parametrize(("count", "is_read"), [(16, True), (17, False)])
def test_so_many_heads_at_once_and_no_more(count, is_read):
    members = {(name, str(k)): f"{name}_{k}" for name in ("Q", "dQ") for k in range(1, count + 1)}
    if is_read:
        assert len(of_each_head("dQ^(i) = Q^(i)", members, (0, 6))) == count
    else:
        with pytest.raises(ValueError, match="a claim for each of 17 heads at once"):
            of_each_head("dQ^(i) = Q^(i)", members, (0, 6))


def test_members_that_are_not_all_known():
    members = {("Q", "1"): "Q_1", ("Q", "3"): "Q_3"}
    with pytest.raises(ValueError, match="not equally many"):
        of_each_head("Q^(i) = 2", members, (0, 6))


def test_heads_that_are_letters_are_blank():
    assert without_heads("Q^(i) + K^(12) W_Q^(h)") == "Q     + K^(12) W_Q    "


BARE = [("Q", "Q"), ("Q^(i)", ""), ("W_Q", "W_Q"), ("W_{Q}", "W_Q"), ("Q + Q^(i)", "Q"), ("dQ", "dQ"), ("xQ", ""), ("Q_1", ""), ("Q(", ""), ("Q ^(i)", ""), ("aW_Q", ""), ("W_Qx", ""), ("X W_O", ""), ("2 Q", "Q"), ("Q^T", "Q")]  # fmt: skip


@pytest.mark.parametrize(("text", "name"), BARE)
def test_a_name_of_a_family_without_its_head(text, name):
    assert without_its_head(text, FAMILY.nodes) == name
    assert without_its_head(text, FAMILY.nodes, FAMILY.nodes["Q"].head) == name
    assert without_its_head(text, FAMILY.nodes, object()) == ""
    assert without_its_head(text, TWO.nodes) == ""


def test_how_a_name_is_spelled():
    assert spelled_in("Q") == r"(?<![A-Za-z0-9_.])(?<!_\{)Q(?![A-Za-z0-9])"
    assert "_{Q}" not in spelled_in("W_Q")
    assert r"(?:_\{Q\}|_Q)" in spelled_in("W_Q")
