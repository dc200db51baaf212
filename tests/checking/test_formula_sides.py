"""How two sides are compared, step by step: what was said of the letters, which of them may be numbers, and what is said of the decision."""

import pytest
from formula_trees import read, tree
from sympy import Integer, Symbol

from symtransformer.checking.formula_claims import EITHER, NUMBERS
from symtransformer.checking.formula_deciding import Decision
from symtransformer.checking.formula_document import Document
from symtransformer.checking.formula_loss import LOSSES, _is_behind, _is_entrywise, _letters, _plain, adds_up, loss_of
from symtransformer.checking.formula_names import Names
from symtransformer.checking.formula_row_claims import _by, judge_rows, root_of
from symtransformer.checking.formula_rows import NoReading
from symtransformer.checking.formula_sides import Sides, _sentence, is_unsaid
from symtransformer.checking.formula_verdicts import OWN_FORMULAS
from symtransformer.checking.formulas import Formulas
from symtransformer.checking.number_words import Note
from symtransformer.notation import Words


def document(*given, known=(), told=None):
    made = Document(Names(), dict(known))
    for name, text in given:
        made.add(name, text)
    made.told = told or {}
    return made


def sides(*given, **more):
    return Sides(document(*given, **more))


CHAIN = [("S", "Q K^T"), ("A", "softmax(S)")]
UNSAID = [
    ("x + y", (), (), ["x", "y"]), ("x + y", (), {"y": None}, ["x"]), ("S Q", CHAIN, (), ["Q"]), ("s_ij", CHAIN, (), []), ("n d_k d x", (), (), ["x"]), ("pi e x", (), (), ["x"]), ("z_i + b", (), (), ["b", "z"]), ("2", (), (), []), ("D H x", (), (), ["x"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "given", "known", "expected"), UNSAID)
def test_letters_that_nothing_was_said_of(text, given, known, expected):
    assert sides(*given, known=known).unsaid(read(text)) == expected


def test_letters_of_both_sides():
    assert sides().unsaid(read("x"), read("y")) == ["x", "y"]


def test_letters_that_may_be_numbers():
    may = next(iter(sorted(NUMBERS - EITHER)))
    either = next(iter(sorted(EITHER)))
    assert sides().numbers({may, either, "X", "S"}) == {may, either}
    assert sides(known={may: None}).numbers({may, either}) == {either}
    assert sides((may, "2 x")).numbers({may}) == set()
    assert sides(("S", f"{may} Q K^T")).numbers({"S"}) == {may}  # behind it
    assert sides(("S", f"{may} Q K^T")).numbers({"Q"}) == set()


def test_numbers_and_sizes_of_values():
    made = sides(
        known={"x": None, "A": (2, 3), "n": None, "B": (4, 5)}, told={"C": ("n", "d"), "D": ("n",), "E": ("k", "m")}
    )
    assert made._sizes({"x", "A", "n", "C", "D"}) == ({"x": "number"}, {"A": "2 3", "C": "n d"})
    assert made._sizes(set()) == ({}, {})


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [((Symbol("n"), Integer(1)), True), ((Integer(1), Symbol("n")), True), ((Integer(2), Integer(3)), False), ((Symbol("n"), Symbol("m")), False), (None, False)],
)  # fmt: skip
def test_sizes_that_fit_for_one_number_only(sizes, expected):
    assert is_unsaid(Decision("shapes", "", sizes=sizes)) is expected


def test_a_sentence_begins_large_and_ends_with_one_point():
    assert [_sentence(x) for x in ("it is", "It is.", "x")] == ["It is.", "It is.", "X."]


def test_what_is_said_of_a_decision():
    made = sides(("重み", "x"))
    name = made.document.names.safe("重み", "", "重み")
    note = Note("own", Words("so", "そう"))
    found = made.said(
        Decision("refuted", f"{name} is 2", f"{name} は 2", counterexample=f"{name} = 1"),
        OWN_FORMULAS,
        f"2 {name}",
        (note,),
    )
    assert (found.words, found.counterexample, found.right, found.remarks) == (
        Words("重み is 2.", "重み は 2"),
        "重み = 1",
        "2 重み",
        (note,),
    )
    found = made.said(Decision("proved", "so", counterexample="x = 1"), OWN_FORMULAS, "2 x")
    assert (found.words, found.counterexample, found.right) == (Words("So.", "so"), None, "")
    found = made.said(Decision("undecidable", "so", "そう"), OWN_FORMULAS, "2 x", (note,))
    assert (found.code, found.words, found.against, found.right, found.remarks) == (
        "undecidable",
        Words("So.", "そう"),
        None,
        "",
        (note,),
    )
    found = made.said(Decision("shapes", "n and m must be equal", counterexample="x = 1"), OWN_FORMULAS, "2 x")
    assert (found.counterexample, found.right) == (None, "2 x")
    assert found.words.ja.startswith("大きさが合わない。")


FORMER = [  # S is given twice: Q goes into the first one only
    ([("S", "Q K^T"), ("S", "X W")], "dQ", "dS K", True), ([("S", "Q K^T"), ("S", "X W")], "dX", "dS W^T", False), ([("S", "Q K^T")], "dQ", "dS K", False), ([("S", "Q K^T"), ("S", "Q W")], "dQ", "dS K", False), ([("S", "Q K^T"), ("S", "X W")], "Q", "dS K", False),
    ([("S", "Q K^T"), ("S", "X W")], "dV", "dS K", False),
]  # fmt: skip


@pytest.mark.parametrize(("given", "left", "right", "expected"), FORMER)
def test_a_gradient_by_what_went_into_a_former_formula(given, left, right, expected):
    made = sides(*given)
    assert made._is_of_former(made.document.read(left), made.document.read(right)) is expected


ROUTES = [("dS_2", "dS", (), True), ("dS_2", "dA", (), False), ("dS", "dS", (), False), ("dS_2", "dS S_2", (), False), ("dS_2", "dS s_2", (), False), ("S_2", "S", (), False), ("dS_2", "dS", [("S_2", "X W")], False), ("dS_Q", "dS", (), False), ("dS_2 + 1", "dS", (), False)]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "given", "expected"), ROUTES)
def test_a_second_formula_for_a_gradient(left, right, given, expected):
    made = sides(*given)
    assert bool(made._is_second_route(made.document.read(left), made.document.read(right))) is expected


ENDS = [("Σ_{j=1}^{m} s_ij", (), True), ("Σ_j s_ij", (), False), ("s_ij", (), False), ("Σ_{j=1}^{m} s_ij", {"S": (2, 3)}, False), ("Σ_{j=1}^{m} s_ij", {"Q": (2, 3)}, False), ("Σ_{j=1}^{m} s_ij", {"X": (2, 3)}, True), ("Σ_{j=1}^{m} ds_ij", (), False), ("Σ_{j=1}^{m} s_ij", {"S": None}, True)]  # fmt: skip


@pytest.mark.parametrize(("text", "known", "expected"), ENDS)
def test_a_sum_that_ends_at_a_size_of_which_nothing_is_said(text, known, expected):
    assert sides(*CHAIN, known=known)._ends_at_unsaid_size(read("1"), read(text)) is expected


def test_own_functions_with_a_mean_of_what_they_were_given():
    made = sides(("f(x)", "(x - mu) / sigma"), ("g(x)", "x^2"))
    assert made._has_statistics(read("f(2 x)"))
    assert not made._has_statistics(read("g(x)"), read("h(x)"))
    assert made._has_statistics(read("g(f(x))"))


# -- a loss ----------------------------------------------------------------------------------------------------------
OF_LOSS = [
    ("∂L/∂x", "L"), (r"\frac{\partial J}{\partial x}", "J"), ("dx", "L"), ("∂E/∂x", "L"), ("∂loss/∂x", "L"),
]  # fmt: skip


@pytest.mark.parametrize(("left", "name"), OF_LOSS)
def test_the_loss_that_the_left_side_names(left, name):
    made = document(("J", "sum(x^2)"), ("L", "sum(x)"))
    assert loss_of(made, left).name == name


def test_without_a_formula_there_is_no_loss():
    assert loss_of(document(("S", "Q K^T")), "∂L/∂x") is None
    assert loss_of(document(("L_i", "x_i^2")), "∂L/∂x") is None  # one for each entry
    assert {loss_of(document((name, "sum(x)")), "dx").name for name in ("L", "J", "loss", "ell")} == {
        "L",
        "J",
        "loss",
        "ell",
    }
    assert set(LOSSES) >= {"L", "J"}


ENTRYWISE = [
    ("x^2", True), ("x y", True), ("exp(x) + tanh(x)", True), ("Σ_i x_i", False), ("x^T", False), ("x_i", False), ("(x)_i", False), ("mean(x)", False), ("softmax(x)", False), ("Softmax(x)", False), ("max(x)", False), ("min(x, 0)", False), ("norm(x)", False), ("sum(x)", False),
    ("A B", False), ("A ⊙ B", True), ("A / B", True), ("2 A", True), ("x A", True), ("A * B", False), ("f(A B)", False), ("A + B", True),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ENTRYWISE)
def test_what_goes_entry_by_entry(text, expected):
    assert _is_entrywise(read(text)) is expected


PLAIN = [
    ("y^T x", "sum({y ⊙x})"), ("2 y^T x", "{2 yᵀ x}"), ("Y^T x", "{Yᵀ x}"), ("y^T / x", "{yᵀ /x}"), ("y^T · x", "sum({y ⊙x})"), ("f(y^T x)", "f(sum({y ⊙x}))"), ("x", "x"), ("x y^T", "{x yᵀ}"),
    ("CrossEntropy(z, y)", "(-sum({y ⊙log(softmax(z))}))"), ("CrossEntropy(p, y)", "CrossEntropy(p, y)"), ("CrossEntropy(z)", "CrossEntropy(z)"), ("CrossEntropy(z + 1, y)", "CrossEntropy((+z +1), y)"), ("CrossEntropy(logits, t)", "(-sum({t ⊙log(softmax(logits))}))"),
    ("CrossEntropy(z, y, axis=1)", "CrossEntropy(z, y, axis=1)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), PLAIN)
def test_products_and_losses_written_out(text, expected):
    assert tree(_plain(read(text))) == expected


def test_letters_that_may_be_distributions():
    made = document(("p", "softmax(z)"), ("L", "sum(y p)"))
    assert _letters(made, "z", read("L"), read("x")) == ["x", "y"]
    assert _letters(made, "y", read("L")) == ["z"]
    assert _letters(document(), "", read("x y z u v w")) == ["u", "v", "w", "x"]  # four of them


def test_what_is_reached_without_the_letter_itself():
    made = document(("u", "x^2"), ("v", "u + y"), ("x", "w + 1"))
    definitions = made.definitions
    assert _is_behind(made, definitions["v"], read("v"), read("1"), "x")
    assert _is_behind(made, definitions["u"], read("v"), read("1"), "x")
    assert _is_behind(made, definitions["u"], read("1"), read("u"), "x")
    assert not _is_behind(made, definitions["v"], read("u"), read("1"), "x")
    assert not _is_behind(made, definitions["u"], read("v"), read("1"), "v")
    assert not _is_behind(made, definitions["x"], read("v"), read("1"), "x")


def test_the_words_for_what_adds_up():
    assert adds_up("y") == Note("adds_up", Words("It holds if y adds up to 1.", "y の合計が 1 なら成り立つ。"))


# -- one vector ------------------------------------------------------------------------------------------------------
def test_the_letter_of_a_gradient():
    assert [_by(read(x)) for x in ("dx", "dx_i", "dQ", "x", "2 dx", "∂L/∂y")] == ["x", "x", "Q", "", "", "y"]


@pytest.mark.parametrize(("name", "text", "is_read"), [("sigma", "a + b", True), ("s", "mean(x^2)", True), ("s", "Σ_i x_i^2", True), ("s", "var(x)", True), ("s", "a + b", False), ("s", "a^2", False), ("s", "E[x + y]", True), ("s", "2 sum(x)", True)])  # fmt: skip
def test_the_root_of_a_square_that_is_a_mean_or_a_sum(name, text, is_read):
    definition = document((f"{name}^2", text)).definitions[name]
    assert definition.squared
    if is_read:
        assert tree(root_of(definition, definition.right)) == f"sqrt({tree(definition.right)})"
    else:
        with pytest.raises(NoReading, match=f"only the square of {name} is known"):
            root_of(definition, definition.right)


ROWS = [  # kind of the decision, None where it is no equation of one vector
    ([], "x + x", "2 x", "proved"), ([], "x + x", "3 x", "refuted"), ([], "x^T", "x", None), ([], "X", "2 X", None), ([], "x_i + x_i", "2 x_i", "proved"), ([], "x_i", "x_j", None), ([], "sum(x)", "x", None), ([], "x · y", "sum(x y)", "proved"), ([], "x · y", "y x", "proved"),
    ([("u", "2 x")], "u", "x + x", "proved"), ([("u", "2 x")], "u", "x", "refuted"), ([("u", "W x")], "u", "x", None), ([("u", "x^2"), ("v", "3 u")], "du", "3 dv", "proved"), ([("u", "x^2"), ("v", "3 u")], "du", "2 dv", "refuted"), ([("u", "x^2"), ("v", "3 u")], "du", "dw", None), ([("u", "x^2")], "du", "2 x", None),
    ([("u", "x^2")], "dx", "2 x du + dw", None), ([("u", "x^2")], "dx", "2 x du", "proved"), ([("u", "x^2")], "dx", "2 x du + dx", None), ([("u", "x^2")], "dx", "x", None),
    ([("u", "x^2"), ("v", "3 u"), ("w", "u")], "du", "3 dv", None), ([("u", "x^2"), ("v", "3 u"), ("w", "u")], "du", "3 dv + dw", "proved"), ([], "x - max(x)", "x - max(x)", "proved"), ([], "x - max(x)", "x", None), ([("u_ij", "x_i y_j")], "u", "x", None), ([], "d x", "Σ_i x", None), ([], "n + d", "d + n", None),
]  # fmt: skip


@pytest.mark.parametrize(("given", "left", "right", "kind"), ROWS)
def test_equations_of_one_vector(given, left, right, kind):
    made = document(*given)
    found = judge_rows(made, made.read(left), made.read(right))
    assert (found and found.kind) == kind


KEYS, UNREAD = [("S", "Q K^T")], [("Q", r"\foo X"), ("S", "Q K^T")]
NORM, DOUBLED = [("LayerNorm(x)", "(x - mu)/sigma")], [("sigmoid(x)", "1/(1 + exp(-2 x))")]
COMPARED = [  # before, sizes of values, left, right, kind, code or the name of a remark
    ([], {"A": (1, 3), "B": (3, 1)}, "A B", "B^T A^T", "proved", "sizes"), ([], {"A": (2, 3), "B": (3, 2)}, "A B", "B^T A^T", "undecidable", "values"), ([], {}, "A B", "B^T A^T", "shapes", ""), ([], {"A": (1, 1)}, "A A^T", "A^T A", "proved", "sizes"), ([], {"A": (2, 2)}, "A A^T", "A^T A", "undecidable", "values"),
    ([], {"A": (1, 1)}, "2 A", "2 A^T", "proved", "sizes"), ([], {"A": (1, 1)}, "2 A", "3 A^T", "undecidable", "values"), ([], {"A": (2, 3)}, "2 A", "2 A^T", "shapes", ""), ([], {}, "2 A", "2 A^T", "shapes", ""), ([], {"A": (2, 3)}, "2 A", "A + A", "proved", ""),
    (UNREAD, {}, "2 S", "3 Q K^T", "undecidable", "unread_before"), (UNREAD, {}, "2 S", "K Q^T", "undecidable", "unread_before"), (UNREAD, {}, "2 S", "2 Q K^T", "proved", ""), ([("Y", "X")], {}, "2 Y", "3 X", "refuted", ""), ([("Y", "X")], {}, "2 Y", "2 X", "proved", ""), ([("Q", "X"), ("S", "Q K")], {}, "2 S", "3 X K", "refuted", ""),
    (KEYS, {}, "t S", "t Q K^T", "proved", ""), (KEYS, {}, "t S", "2 t Q K^T", "refuted", ""), (KEYS, {}, "c S + c S", "2 c S", "proved", ""), (KEYS, {}, "c S + c S", "3 c S", "refuted", ""), ([("y", "1 + sigmoid(x)")], {}, "sigmoid(x) + 1", "y", "proved", ""), ([("y", "1 + sigmoid(x)")], {}, "sigmoid(x) + 1", "2 y", "refuted", ""),
    (DOUBLED, {}, "2 sigmoid(x)", "2/(1 + exp(-2 x))", "proved", ""), (DOUBLED, {}, "2 sigmoid(x)", "3/(1 + exp(-x))", "refuted", ""), (NORM, {}, "2 LayerNorm(x)", "2 (x - mu)/sigma", "proved", ""), (NORM, {}, "2 LayerNorm(2 x)", "2 LayerNorm(x)", "by_convention", "eps_0"), (NORM, {}, "2 LayerNorm(2 x)", "4 LayerNorm(x)", "refuted", ""),
]  # fmt: skip


@pytest.mark.parametrize(("given", "known", "left", "right", "kind", "told"), COMPARED)
def test_two_sides_by_all_sizes_and_by_those_that_values_have(given, known, left, right, kind, told):
    formulas = Formulas()
    for name, text in given:
        formulas.add(name, text)
    found = formulas.judge(left, right, known)
    assert found.kind == kind
    assert found.code == (told if kind == "undecidable" else "")
    assert [note.name for note in found.remarks] == ([told] if told and kind != "undecidable" else [])
