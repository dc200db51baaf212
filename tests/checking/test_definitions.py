"""Names with their values: sizes that matrices imply, versions, what is stale, what lacks a value, and what is brought back."""

import pytest
from sympy import Integer, Rational, S
from test_computed_values import cells, engine_of, side_of

from symtransformer import check
from symtransformer.checking.definitions import Definition, Definitions, _is_mask, _is_part_of
from symtransformer.checking.faulty_line import FaultyLine
from symtransformer.operations.softmax import Softmax
from symtransformer.symbols import Literal

INF = S.Infinity


def rows(n, m):
    return Literal([[i + j for j in range(m)] for i in range(n)])


def definitions_of(*given):
    """(name, rows, columns, line) of matrices, (name, number, line) of numbers."""
    made = Definitions()
    for name, *size, line in given:
        made.define(Definition(name, rows(*size) if len(size) == 2 else Integer(size[0]), False, line))
    return made


@pytest.mark.parametrize(
    ("given", "sizes"),
    [
        ([("Q", 2, 3, 1)], {"n": 2, "d_k": 3}), ([("K", 2, 3, 1)], {"m": 2, "d_k": 3}), ([("V", 2, 3, 1)], {"m": 2, "d_v": 3}), ([("X", 2, 3, 1)], {"n": 2, "d_model": 3}), ([("A", 2, 3, 1)], {}), ([("Q_1", 2, 3, 1)], {"n": 2, "d_k": 3}),
        ([("n", 7, 1), ("Q", 2, 3, 2)], {"n": 7, "d_k": 3}), ([("Q", 2, 3, 1), ("n", 7, 2)], {"n": 7, "d_k": 3}), ([("Q", 2, 3, 1), ("Q", 4, 5, 2)], {"n": 4, "d_k": 5}), ([("Q", 2, 3, 1), ("Q", 4, 5, 1)], {}), ([("Q_1", 2, 3, 1), ("Q_2", 2, 4, 2)], {"n": 2}),
        ([("Q_1", 2, 3, 1), ("Q_2", 2, 3, 2)], {"n": 2, "d_k": 3}), ([("Q", 2, 3, 1), ("K", 4, 3, 1)], {"n": 2, "d_k": 3, "m": 4}), ([("Q", 2, 3, 1), ("K", 4, 5, 1)], {"n": 2, "m": 4}), ([("Q", 2, 3, 1), ("K", 4, 5, 2)], {"n": 2, "d_k": 5, "m": 4}),
        ([("Q", 2, 3, 1), ("d_k", 9, 2), ("Q", 4, 5, 3)], {"n": 4, "d_k": 9}), ([("Q", 5, 1)], {}),
    ],
)  # fmt: skip
def test_sizes_that_matrices_imply(given, sizes):
    made = definitions_of(*given)
    found = {name: int(d.exact) for name, d in made.by_name.items() if name in ("n", "m", "d_k", "d_v", "d_model")}
    assert found == sizes
    own = {name for name, *size, _ in given if len(size) == 1}
    assert all(made[name].is_implied is (name not in own) for name in found)
    assert made.scope.keys() == made.by_name.keys()


@pytest.mark.parametrize(
    ("exact", "known"),
    [
        (Integer(3), (None, 3)), (Integer(0), (None, None)), (Integer(-2), (None, None)), (Rational(1, 2), (None, None)), (Integer(10**6), (None, 10**6)), (Integer(10**6 + 1), (None, None)), (Integer(1), (None, 1)), (rows(2, 3), ((2, 3), None)),
    ],
)  # fmt: skip
def test_what_is_known_of_a_value(exact, known):
    found = Definition("x", exact, True, 1).known
    assert (found.shape, found.whole) == known
    assert found.listed is (known[0] is not None)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(Literal([[0, -INF]]), True), (Literal([[0, 0]]), False), (Literal([[-INF, -INF]]), True), (Literal([[1, -INF]]), False), (Literal([[0, INF]]), False), (Softmax(Literal([[0, 1]])), False)],
)  # fmt: skip
def test_masks(value, expected):
    assert _is_mask(value) is expected
    assert Definition("M", value, False, 1).known.mask is expected


@pytest.mark.parametrize(
    ("name", "matrix", "expected"),
    [("q_2", "Q", True), ("Q", "Q", True), ("q_2", "K", False), ("qq_2", "Q", False), ("w_1", "W_Q", True), ("k", "K", True), ("Q_1", "q", True)],
)  # fmt: skip
def test_a_row_belongs_to_its_matrix(name, matrix, expected):
    assert _is_part_of(name, matrix) is expected


def test_what_has_a_formula_of_its_own_until_its_matrix_has_values():
    made = Definitions()
    for name in ("q_2", "k_i", "S_1", "q", "x_a", "alpha_1"):
        made.has_own(name, 3)
    assert made.own == {"q_2": 3, "k_i": 3, "S_1": 3, "alpha_1": 3}
    made.opaque["Q"] = 1
    made.opaque["B"] = 2
    made.define(Definition("Q", rows(2, 2), False, 5))
    assert made.own == {"k_i": 3, "S_1": 3, "alpha_1": 3}
    assert made.opaque == {"B": 2}
    made.define(Definition("S", rows(2, 2), False, 5))
    assert "S_1" in made.own  # a capital letter names no row
    made.define(Definition("s_1", Integer(2), False, 5))
    made.has_own("s_1", 6)
    assert "s_1" not in made.own


def test_a_formula_takes_the_value_away():
    made = definitions_of(("x", 2, 1), ("y", 3, 1))
    made.opaque["x"] = 1
    made.redefine("x", "2 z", 7)
    assert "x" not in made
    assert "x" not in made.scope
    assert "y" in made
    assert made.opaque == {}
    assert (made.formulas, made.lines) == ({"x": "2 z"}, {"x": 7})
    made.redefine("w", "3 z", 8)
    made.redefine("x", "4 z", 9)
    assert [*made.formulas] == ["w", "x"]
    assert made.lines["x"] == 9
    assert made.get("x") is None
    assert made.get(None) is None
    made.redefine("k_2", "z", 10)
    assert made.own == {"k_2": 10}
    assert made.judge.judge("2 x", "8 z").kind == "proved"


@pytest.mark.parametrize(
    ("formulas", "name", "lacks"),
    [
        ({"y": "x + 1"}, "y", "x"), ({"y": "a + 1"}, "y", ""), ({"z": "y + 1", "y": "x + 1"}, "z", "x"), ({"z": "y + 1", "y": "a + 1"}, "z", ""), ({"z": "§"}, "z", ""), ({"z": "y + x", "y": "a"}, "z", ""), ({"y": "z", "z": "y"}, "y", ""),
    ],
)  # fmt: skip
def test_the_name_that_a_formula_lacks(formulas, name, lacks):
    made = definitions_of(("a", 2, 1))
    for key, text in formulas.items():
        made.add_formula(key, text)
    found = made.lacks(name)
    assert found == lacks or (found in ("y", "") and formulas.get("z") == "y + x")


def test_versions_and_what_is_stale():
    engine = engine_of(x="2", y="x + 1", z="5")
    known = engine.definitions
    assert known.versions(["z", "x", "nothing"]) == (("x", 1), ("z", 3))
    assert not known.is_stale(known["y"])
    known.define(Definition("x", Integer(3), False, 4))
    assert known.is_stale(known["y"])
    assert known["x"].version == 4
    known.forget("x")
    assert known.is_stale(known["y"])
    assert not known.is_stale(known["z"])


@pytest.mark.parametrize(("first", "last", "headings", "expected"), [(1, 5, (3,), True), (3, 5, (3,), False), (1, 3, (3,), True), (1, 2, (3,), False), (1, 5, (), False), (5, 1, (3,), False), (1, 9, (0, 12), False)])  # fmt: skip
def test_a_heading_between_two_lines(first, last, headings, expected):
    made = Definitions()
    made.headings = headings
    assert made.are_apart(first, last) is expected


def test_the_first_line_that_is_not_right():
    engine = engine_of(x="2", y="3", z="4")
    known = engine.definitions
    assert known.faulty_line(["x", "y"]) is None
    known.show("y", cells("9"), FaultyLine(7, "a.md"), True)
    known.show("z", cells("9"), FaultyLine(5, "b.md"), False)
    known.file = "a.md"
    assert known.faulty_line(["x", "y"]) == 7
    assert str(known.faulty_line(["x", "y"])) == "7"
    assert str(known.faulty_line(["y", "z", "nothing"])) == "b.md:5"
    assert known.faulty_line(["x"]) is None
    assert (known["y"].is_wrong, known["z"].is_wrong, known["y"].exact) == (True, False, 3)


def test_what_is_kept_comes_back():
    engine = engine_of(x="2")
    known = engine.definitions
    known.add_formula("f", "2 g")
    kept = known.kept()
    known.define(Definition("x", Integer(9), False, 4))
    known.define(Definition("u", Integer(9), False, 4))
    known.add_formula("f", "3 g")
    known.opaque["o"] = 1
    known.has_own("q_1", 2)
    known.bring_back(kept)
    assert known["x"].exact == 2
    assert "u" not in known
    assert known.formulas == {"f": "2 g"}
    assert (known.opaque, known.own) == ({}, {})
    assert known.judge.judge("2 f", "4 g").kind == "proved"


def test_letters_of_a_side():
    engine = engine_of(b="2", a="3", A="[[1, 2]]")
    assert [*engine.definitions.letters(side_of(engine, "b + a"))] == ["a", "b"]
    assert [*engine.definitions.letters(side_of(engine, "b A"))] == ["A", "b"]
    assert engine.definitions.letters(side_of(engine, "5")) == {}
    reference = Definitions({"R": Definition("R", rows(2, 2), False, 0, is_reference=True)})
    assert [*reference.scope] == ["R"]
    assert "R" in reference


# -- each of these alone, as every document runs through the same lines --------------------------------------------------------
def test_1_is_a_size():
    assert Definition("n", Integer(1), False, 1).known.whole == 1


def test_0_is_no_size():
    assert Definition("n", Integer(0), False, 1).known.whole is None


def test_a_million_is_the_largest_size():
    assert Definition("n", Integer(10**6), False, 1).known.whole == 10**6
    assert Definition("n", Integer(10**6 + 1), False, 1).known.whole is None


def test_a_new_value_leaves_rows_of_other_matrices():
    made = Definitions()
    made.has_own("q_2", 3)
    made.define(Definition("K", rows(2, 2), False, 5))
    assert made.own == {"q_2": 3}


def test_a_new_matrix_takes_its_rows():
    made = Definitions()
    made.has_own("q_2", 3)
    made.define(Definition("Q", rows(2, 2), False, 5))
    assert made.own == {}


def test_implied_sizes_are_marked():
    made = definitions_of(("Q", 2, 3, 1), ("Q", 4, 5, 2))
    assert made["n"].is_implied
    assert not made["n"].listed
    assert made["n"].line == 2


def test_versions_count_up():
    made = definitions_of(("x", 2, 1), ("y", 3, 2), ("x", 4, 3))
    assert [made[name].version for name in "yx"] == [2, 3]


def test_the_next_form_of_a_matrix_is_no_row_of_it():
    given = "D = rowsum(A ⊙ B)\nD_1 = D = rowsum(A ⊙ (C V^T))\nD_2 = D_1 = rowsum(C ⊙ (A V))\nA = [[1, 2], [3, 4]]\nD = rowsum(A ⊙ A) = [[5], [25]]\n"
    found = check(f"{given}D_3 = D_2 = rowsum(A ⊙ A) = [[5], [25]]", name="a.txt").equations
    assert [e.verdict for e in found[-3:]] == ["definition", "definition", "right"]
    found = check(f"{given}D_3 = D_2 = rowsum(A ⊙ A) = [[5], [35]]", name="a.txt").equations
    assert found[-1].verdict == "wrong"
