"""What a document's own formulas say: each name with its formula, what stands behind it, and the lines that are read for it."""

import pytest

from symtransformer import check
from symtransformer.checking.formula_definitions import Definition, capital, definition_of, is_gradient, matrix_form
from symtransformer.checking.formula_document import Document
from symtransformer.checking.formula_names import Names
from symtransformer.checking.formula_syntax import Call, Named, Number, Power, Terms
from symtransformer.checking.formula_writing import written


def document_of(*lines, known=None, **options):
    document = Document(Names(), known or {}, **options)
    for line in lines:
        document.add(*line.split(" = "))
    return document


def formulas(document):
    return {n: d.right and written(d.right) for n, d in document.definitions.items()}


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["S = Q K^T"], {"S": "Q K^T"}), (["S = Q K^T", "S = S / 2"], {"Sold1": "Q K^T", "S": "Sold1 / 2"}), (["S = Q K^T", "A = softmax(S)", "S = Q Q^T", "B = A S"], {"Sold1": "Q K^T", "A": "softmax(Sold1)", "S": "Q Q^T", "B": "A S"}),
        (["S = Q K^T", "S = Q K^T"], {"S": "Q K^T"}), (["S = S + 1"], {"S": "Sbefore + 1"}), (["Y = X", "Z = Y + 1"], {"Y": "X", "Z": "X + 1"}), (["Y = X", "Y = Y + 1"], {"Yold1": "X", "Y": "X + 1"}), (["Y = X", "Y = 2 X", "Z = Y"], {"Yold1": "X", "Y": "2 X", "Z": "Y"}),
        (["U = A", "V = U", "W = V + 1"], {"U": "A", "V": "A", "W": "A + 1"}), (["U_c = 3"], {"U_c": "3"}), (["U = A B", "U_c = 3", "V = U_c"], {"U": "A B", "U_c": "3", "V": "U_c"}), (["U = A B", "U_i = a_i"], {"Uold1": "A B", "U": "a_{i}"}),
        (["U = A B", "U_2 = 3"], {"U": "A B", "U_2": "3"}), (["S = Q K^T", r"s_{ij} = q_i \\cdot k_j".replace("\\\\", "\\")], {"S": "Q K^T"}), ([r"s_{ij} = q_i \cdot k_j", "S = 2 X"], {"s": "q_{i} · k_{j}", "S": "2 X"}),
        (["S = Q_i K_j^T"], {"S": None}), (["S = §"], {"S": None}), (["S = Q", "S = §", "T = S"], {"Sold1": "Q", "S": None, "T": "S"}), (["dS = dA V"], {}), (["dS = A V"], {"dS": "A V"}), (["a_{ii} = 3"], {}), (["a + b = 3"], {}), (["W_Q = 3", "W_Q = W_Q + 1"], {"W_Qold1": "3", "W_Q": "WQold1 + 1"}),
        (["A = B", "B = A"], {"A": "B"}), (["S = 1", "T = 2", "S = 1"], {"T": "2", "S": "1"}), (["S = 1", "S = S + 1", "S = S + 1"], {"Sold1": "1", "Sold2": "Sold1 + 1", "S": "Sold2 + 1"}), (["f(x) = x^2"], {}), (["f(x) = x W", "y = f(2)"], {"y": "f(2)"}),
    ],
)  # fmt: skip
def test_each_name_has_its_formula(lines, found):
    if any("W_Q" in line for line in lines):
        found = {("WQold1" if name == "W_Qold1" else name): text for name, text in found.items()}
    assert formulas(document_of(*lines)) == found
    assert [*formulas(document_of(*lines))] == [*found]  # in this order


def test_functions_squares_letters_and_names_that_stand_for_others():
    document = document_of("f(x) = x W", "g(x, y) = f(x) y", r"\sigma^2 = mean(x^2)", "Y = X", "Z = Y + 1")
    assert {n: (f.arguments, written(f.right)) for n, f in document.functions.items()} == {
        "f": (("x",), "x W"),
        "g": (("x", "y"), "f(x) y"),
    }
    assert document.definitions["sigma"].squared
    assert not document.definitions["Z"].squared
    assert document.aliases == {"Y": Named("X")}
    assert document.letters == {"sigma", "x", "X", "Y", "Z"}
    assert document.names.known == {"sigma", "Y", "Z"}
    document.add("Y", "2 X")
    assert document.aliases == {}


def test_the_former_name_is_shown_as_such():
    document = document_of("S = Q", "S = 2 S", "X = X W", "S = 3 S")
    assert document.names.inner == {"Sold1": "S⁽¹⁾", "Xbefore": "X⁽⁰⁾", "Sold2": "S⁽²⁾"}
    assert {"Sold1", "Sold2", "Xbefore"} <= document.letters


def test_only_so_many_formulas_are_kept():
    document = document_of(*(f"A_{{{k}}} = {k} B" for k in range(1, 203)))
    assert len(document.definitions) == 200
    assert "A_2" not in document.definitions
    assert {"A_3", "A_202"} <= document.definitions.keys()


def test_a_copy_is_one():
    document = document_of("S = Q K^T", "f(x) = x", "Y = X")
    other = document.copy()
    other.add("T", "2 S")
    other.add("g(x)", "x")
    other.add("R", "Z")
    assert "T" not in document.definitions
    assert "g" not in document.functions
    assert "R" not in document.aliases
    assert "T" not in document.letters
    assert formulas(other) == {"S": "Q K^T", "Y": "X", "T": "2 S", "R": "Z"}
    assert document.exact().is_exact
    assert not document.is_exact


@pytest.mark.parametrize(
    ("name", "found"),
    [("S", "S"), ("s", "S"), ("A", None), ("a", "a"), ("t", "t"), ("T", "t"), ("u", "u"), ("U", None), ("W_Q", "W_Q"), ("w_Q", "W_Q"), ("", None)],
)  # fmt: skip
def test_rows_and_entries_mean_their_matrix(name, found):
    document = document_of("S = Q K^T", "a = 2 b", r"t_{ij} = q_i \cdot k_j", "u = 3 b", "W_Q = B")
    assert (made := document.find(name)) is (None if found is None else document.definitions[found]), made
    exact = document.exact()
    assert exact.find(name) is (document.definitions[found] if found == name else None)


@pytest.mark.parametrize(
    ("names", "behind"),
    [
        (["Z"], ["S", "A", "Z"]), (["S"], ["S"]), (["A", "B"], ["S", "A", "B"]), (["Q"], []), (["s"], ["S"]), ([], []), (["C"], ["S", "A", "B", "C"]), (["L"], ["M", "L"]),
    ],
)  # fmt: skip
def test_what_a_name_rests_on_in_order(names, behind):
    document = document_of("S = Q K^T", "A = softmax(S)", "Z = A V", "B = S + 1", "C = A B", "L = M + 1", "M = 3 N")
    assert [d.name for d in document.behind(names)] == behind


def test_lines_are_what_the_readers_take():
    document = document_of(
        r"s_{ij} = q_i \cdot k_j",
        "A = softmax(S)",
        "Z = A V",
        r"\sigma^2 = mean(x^2)",
        "R = Z",
        "g = dZ A",
        "f(x) = x x^T",
        "h = f(Z) + S",
        "u_i = sin(v_i)",
    )
    assert document.lines(["Z"]) == [("S", "Q K^T"), ("A", "softmax(S)"), ("Z", "A V")]
    assert document.lines(["s"]) == [("S", "Q K^T")]
    assert document.lines(["h"])[-1] == ("h", "(Z) (Z)^T + S") or document.lines(["h"])[-1] == ("h", "Z Z^T + S")
    for name in ("sigma", "R", "g", "u"):
        assert document.matrix_line(document.definitions[name]) is None
    assert document.matrix_line(Definition("x", None)) is None
    assert document.lines([]) == []


@pytest.mark.parametrize(
    ("text", "everything", "found"),
    [
        ("f(y) + 1", False, "y W + 1"), ("softmax(y)", False, "softmax(y)"), ("softmax(y)", True, "2 y"), ("f(f(y))", False, "(y W) W"), ("f(y, z)", False, "f(y, z)"), ("g(y, z)", False, "(y W) z"), ("h(y)", False, "h(y)"), ("k(y)", False, "f(2) y"), ("p(y)", False, "u^2 + y"), ("q(y)", False, "2 (y^2)"), (r"\sigma^2", False, "mean(x^2)"), (r"\sigma^3", False, "sigma^3"),
        ("y^2", False, "y^2"), (r"\sqrt{\sigma^2}", False, "sqrt(mean(x^2))"), ("f(softmax(y))", True, "(2 y) W"), ("f(softmax(y))", False, "softmax(y) W"), ("u^2", False, "u^2"), ("unread(y)", False, "unread(y)"),
    ],
)  # fmt: skip
def test_own_functions_and_squares_are_written_out(text, everything, found):
    document = document_of(
        "f(x) = x W",
        "g(x, y) = f(x) y",
        r"\sigma^2 = mean(x^2)",
        "softmax(x) = 2 x",
        "u = 3",
        "unread(x) = §",
        "h(x) = h(x)",
        "k(W) = f(2) W",
        "p(a) = u^2 + a",
        r"q(\sigma) = 2 \sigma^2",
    )
    assert written(document.expanded(document.read(text, "\\" in text), everything)) == found


@pytest.mark.parametrize(("depth", "found"), [(1, "y + 1"), (2, "y + 1"), (3, "y + 1"), (4, "f(y)"), (5, "g(y)")])
def test_functions_of_functions_are_written_out_so_far(depth, found):
    document = document_of("f(x) = x + 1", *(f"{b}(x) = {a}(x)" for a, b in zip("fghu", "ghuv", strict=True)))
    assert written(document.expanded(document.read(f"{'fghuv'[depth - 1]}(y)"))) == found


@pytest.mark.parametrize(
    ("given", "right", "wrong"),
    [
        ("$f(x) = x W$. $g(x) = 2 f(x)$.", "g(Y) = 2 Y W", "g(Y) = 3 Y W"), ("$f(x) = x^2 + 1$. $g(y) = f(y + 1)$.", "g(x) = x^2 + 2 x + 2", "g(x) = x^2 + 2 x + 1"),
        ("$f(x) = x W$. $g(x) = f(f(x)) + x$.", "g(Y) = Y W W + Y", "g(Y) = Y W + Y"),
    ],
)  # fmt: skip
def test_functions_made_of_functions_are_judged(given, right, wrong):
    assert [check(f"{given} ${claim}$", name="a.md").equations[-1].verdict for claim in (right, wrong)] == [
        "proved",
        "refuted",
    ]


def test_a_letter_that_means_two_things_is_not_mixed_up():
    for claim in ("g(Y) = A W + Y", "g(Y) = A Y + Y"):
        assert check(f"$f(x) = x W$. $g(W) = f(A) + W$. ${claim}$", name="a.md").equations[-1].verdict == "undecidable"


@pytest.mark.parametrize(
    ("left", "right", "is_name"),
    [
        (Named("U", ("c",)), "3", True), (Named("U", ("i",)), "3", False), (Named("U", ("2",)), "3", False), (Named("U", ("c",)), "a_c", False), (Named("U", ("c",)), "§", False), (Named("U", ("c", "d")), "3", False), (Named("U"), "3", False), (Number("2"), "3", False),
        (Named("U", ("t",)), "3", False), (Named("U", ("q",)), "3", True),
    ],
)  # fmt: skip
def test_an_index_that_counts_nothing_is_a_part_of_the_name(left, right, is_name):
    document = Document(Names(), {})
    assert document.is_whole_name(left, right, False) is is_name
    assert f"U_{left.indices[0]}" in document.names.known if is_name else not document.names.known


@pytest.mark.parametrize(
    ("text", "name"), [("S", "S"), ("W_Q", "W_Q"), ("s_{ij}", ""), ("a + b", ""), ("§", ""), ("2", ""), ("α", "alpha")]
)
def test_a_name_alone(text, name):
    document = Document(Names(), {})
    assert document.canonical(text) == name
    assert document.remember(text) == name
    assert document.letters == ({name} if name else set())


def test_stars_are_entrywise_where_numpy_is_spoken():
    assert written(Document(Names(), {}).read("A * B")) == "A * B"
    assert written(Document(Names(), {}, True).read("A * B")) == written(Document(Names(), {}).read("A ⊙ B"))
    assert written(Document(Names(), {}).read("A * B + A @ C")).startswith(written(Document(Names(), {}).read("A ⊙ B")))


# -- what an equation defines -------------------------------------------------------------------------------------------
x, ONE = Named("x"), Number("1")


@pytest.mark.parametrize(
    ("left", "found"),
    [
        (x, ("x", (), None, False)), (Named("s", ("i", "j")), ("s", ("i", "j"), None, False)), (Named("s", ("i", "i")), None), (Named("s", ("2", "i")), None), (Power(x, Number("2")), ("x", (), None, True)), (Power(x, Number("3")), None),
        (Power(Named("x", ("i",)), Number("2")), ("x", ("i",), None, True)), (Power(ONE, Number("2")), None), (Call("f", (x, Named("y"))), ("f", (), ("x", "y"), False)), (Call("f", (ONE,)), None), (Call("f", (Named("x", ("i",)),)), None),
        (Call("f", (x,), (("eps", ONE),)), None), (ONE, None), (Terms((("+", x),)), None), (Call("f", (x, ONE)), None),
    ],
)  # fmt: skip
def test_what_an_equation_defines(left, found):
    made = definition_of(left, ONE)
    assert (made and (made.name, made.indices, made.arguments, made.squared)) == found
    assert made is None or made.right is ONE


def test_what_a_definition_uses():
    assert Definition("f", Call("g", (x, Named("W"))), arguments=("x",)).uses == ("W",)
    assert Definition("y", Call("g", (x, Named("W")))).uses == ("x", "W")
    assert Definition("y", None).uses == ()


@pytest.mark.parametrize(
    ("right", "indices", "squared", "is_alias"),
    [(x, (), False, True), (Named("x", ("i",)), (), False, False), (x, ("i",), False, False), (x, (), True, False), (ONE, (), False, False), (None, (), False, False)],
)  # fmt: skip
def test_a_name_for_a_name(right, indices, squared, is_alias):
    assert Definition("y", right, indices, squared=squared).is_alias is is_alias


@pytest.mark.parametrize(
    ("name", "expected"),
    [("dQ", True), ("ds", True), ("dW_Q", True), ("d", False), ("dk", True), ("dalpha", True), ("dxhat", True), ("dxtilde", True), ("dxprime", True), ("dxprimeprime", True), ("dWord3", True), ("delta", False), ("x", False), ("d_k", False), ("dVar", True), ("dff", False)],
)  # fmt: skip
def test_names_of_gradients(name, expected):
    assert is_gradient(Named(name)) is expected
    assert is_gradient(ONE) is False
    assert Definition("y", Terms((("+", x), ("-", Named(name))))).has_gradients is expected
    assert not Definition("y", None).has_gradients


@pytest.mark.parametrize(("name", "expected"), [("s", "S"), ("S", "S"), ("s_i", "S_i"), ("", ""), ("alpha", "Alpha"), ("xhat", "Xhat"), ("_", "_")])  # fmt: skip
def test_the_matrix_of_a_row(name, expected):
    assert capital(name) == expected


@pytest.mark.parametrize(
    ("name", "indices", "text", "found"),
    [
        ("s", ("i", "j"), r"q_i \cdot k_j", ("S", "Q K^T")), ("s", ("i", "j"), r"\frac{q_i \cdot k_j}{\sqrt{d_k}}", ("S", "Q K^T / sqrt(d_k)")), ("s", ("j", "i"), r"q_i \cdot k_j", ("S", "K Q^T")), ("c", ("i", "j"), r"\sum_k a_{ik} b_{kj}", ("C", "A B")),
        ("c", ("i", "j"), r"\sum_k a_{ki} b_{kj}", ("C", "A^T B")), ("b", ("i", "j"), "a_{ji}", ("B", "A^T")), ("a", ("i", "j"), r"\frac{e^{s_{ij}}}{\sum_k e^{s_{ik}}}", ("A", "softmax(S)")), ("p", ("i",), r"\frac{e^{z_i}}{\sum_k e^{z_k}}", ("p", "softmax(z)")),
        ("s", ("i", "j"), r"q_i \cdot k_j + 1", None), ("u", ("i",), r"\sin(v_i)", None),
    ],
)  # fmt: skip
def test_formulas_of_entries_as_formulas_of_matrices(name, indices, text, found):
    assert matrix_form(name, indices, Document(Names(), {}).read(text, True)) == found


def test_a_phrase_is_one_name_and_a_command_none():
    document = Document(Names(), {})
    assert (document.is_numpy, document.is_exact) == (False, False)
    assert document.left("Attention Weight") == Named("Word1")
    assert document.names.back("Word1") == "Attention Weight"
    assert document.left("S") == Named("S")
    assert document.left(r"\alpha", True) == Named("alpha")
    document.add("Attention Weight", "softmax(S)")
    document.add("Z", "Attention Weight + 1")
    assert formulas(document) == {"Word1": "softmax(S)", "Z": "Word1 + 1"}
    assert {"Word1", "Z", "S"} <= document.letters


@pytest.mark.parametrize(("text", "right"), [(r"\mathbf{S}", "Q K^T"), ("S", r"Q K^\top"), ("S", "Q K^T")])
def test_latex_on_either_side(text, right):
    document = Document(Names(), {})
    document.add(text, right)
    assert [(d.name, written(d.right)) for d in document.definitions.values()] == [("S", "Q K^T")]


def test_a_name_that_was_not_read_is_known_all_the_same():
    document = Document(Names(), {})
    document.add("attn", "§")
    assert "attn" in document.names.known
    assert document.definitions["attn"].right is None
    document.add("f(x)", "§")
    assert document.functions["f"].right is None


# -- each of these alone, as every formula runs through the same lines ----------------------------------------------------------
def test_a_letter_is_no_gradient():
    assert is_gradient(Named("x")) is False


def test_a_d_before_a_letter_is_one():
    assert is_gradient(Named("dQ")) is True


def test_a_number_is_none():
    assert is_gradient(ONE) is False


def test_a_name_defines_itself():
    assert definition_of(x, ONE) == Definition("x", ONE)


def test_an_entry_with_a_number_defines_nothing():
    assert definition_of(Named("s", ("2", "i")), ONE) is None


def test_a_square_defines_the_square():
    assert definition_of(Power(x, Number("2")), ONE).squared is True


def test_a_cube_defines_nothing():
    assert definition_of(Power(x, Number("3")), ONE) is None


def test_the_letters_of_a_function_are_not_used_by_it():
    assert Definition("f", Call("g", (x, Named("W"))), arguments=("x",)).uses == ("W",)


def test_another_letter_for_a_letter():
    assert Definition("y", x).is_alias is True


def test_a_name_that_is_not_there():
    assert document_of("S = Q K^T").find("T") is None


def test_a_row_means_its_matrix():
    assert document_of("S = Q K^T").find("s").name == "S"


def test_a_vector_is_no_row_of_itself():
    assert document_of("s = Q k").find("S") is None


def test_the_formulas_behind_one():
    assert [d.name for d in document_of("S = Q K^T", "A = softmax(S)", "B = 2 C").behind(["A"])] == ["S", "A"]
