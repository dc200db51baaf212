"""When a line gives a name its value and when it claims something: each question that is asked of it, with its answer."""

from fractions import Fraction

import pytest
from sympy import Integer, Rational, S, sqrt
from test_computed_values import cells, engine_of, side_of

from symtransformer.checking.checks import check
from symtransformer.checking.computing import Computed
from symtransformer.checking.defining import _constant, _is_another_whole, _is_near, _is_word, _masks, _size
from symtransformer.checking.definitions import Definition
from symtransformer.checking.engine import Engine
from symtransformer.checking.engine_chain import open_equation
from symtransformer.checking.faulty_line import FaultyLine
from symtransformer.checking.situation import Asked
from symtransformer.documents.placed import Placed
from symtransformer.documents.records import Relation
from symtransformer.reading.problems import START, ReadingError
from symtransformer.reading.sides import read_side
from symtransformer.symbols import Literal

INF = S.Infinity


def given(exact, **more):
    return Definition("t", exact, False, 1, **more)


def asked(sign="=", line=9, **more):
    return Asked(Relation(Placed("t", ()), sign, Placed("1", ()), "a.md", line, 1, 1, 0), "text", **more)


def side(text):
    return read_side(text, {})


def value(text):
    return Engine().computing.from_start(side(text))


@pytest.mark.parametrize(
    ("text", "old", "expected"),
    [
        ("3.6", Rational(7, 2), True), ("3.84", Rational(7, 2), True), ("3.85", Rational(7, 2), False), ("3.16", Rational(7, 2), True), ("3.15", Rational(7, 2), False), ("-3.6", Rational(-7, 2), True), ("3.6", Rational(-7, 2), False),
        ("0", Integer(0), False), ("1.5", sqrt(2), True), ("1.6", sqrt(2), False), ("[1, 2]", Integer(1), False), ("3", Literal([[3]]), False), ("∞", Integer(3), False), ("3", INF, False), ("∞", INF, False), ("∞", -INF, False), ("0.001", Rational(1, 1001), True), ("1.1e-7", Rational(1, 10**7), False),
    ],
)  # fmt: skip
def test_within_a_tenth(text, old, expected):
    assert _is_near(value(text), given(old)) is expected


@pytest.mark.parametrize(
    ("old", "size"),
    [(Integer(3), 3), (Rational(-7, 2), Fraction(7, 2)), (sqrt(2), Fraction(1414214, 10**6)), (Rational(1, 10**7), 0), (Integer(0), 0), (Rational(6, 10**7), Fraction(1, 10**6)), (Rational(4, 10**7), 0)],
)  # fmt: skip
def test_how_large(old, size):
    assert _size(given(old)) == size


@pytest.mark.parametrize(
    ("text", "old", "expected"),
    [("0", Rational(1, 10), True), ("0", Integer(0), False), ("3", Integer(2), True), ("0.5", Rational(1, 10), False), ("[3]", Integer(2), False), ("1 + 2", Integer(2), False), ("3", Literal([[2]]), False), ("3%", Integer(2), False), ("[3, 4]", Integer(2), False)],
)  # fmt: skip
def test_another_whole_number(text, old, expected):
    assert _is_another_whole(side(text), given(old)) is expected


@pytest.mark.parametrize(
    ("rows", "old", "expected"),
    [
        ([[1, -INF]], [[1, 2]], True), ([[1, -INF]], [[1, -INF]], False), ([[1, -INF]], [[INF, 2]], False), ([[1, 2]], [[1, 2]], False), ([[1, -INF]], [[1, 2, 3]], False), ([[1, INF]], [[1, 2]], False), ([[1, 2], [3, -INF]], [[1, 2], [3, 4]], True),
        ([[1, 2], [3, -INF]], [[1, 2], [-INF, 4]], False), ([[-INF]], [[0]], True),
    ],
)  # fmt: skip
def test_now_masked(rows, old, expected):
    assert _masks(Computed(Literal(rows)), given(Literal(old))) is expected


def test_a_number_masks_nothing():
    assert _masks(Computed(Integer(3)), given(Literal([[1]]))) is False
    assert _masks(value("softmax([1, 2])"), given(Literal([[1, 2]]))) is False


@pytest.mark.parametrize(("name", "expected"), [("total", True), ("Sum", True), ("合計", True), ("t", False), ("x_合", True), ("totals", False), ("alpha", False)])  # fmt: skip
def test_words_for_results(name, expected):
    assert _is_word(name) is expected


# -- constants ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "text", "sign", "in_a_sentence", "verdict"),
    [
        ("e", "2.72", "=", False, "right"), ("e", "2.72", "≈", True, "right"), ("e", "2.72", ":=", False, None), ("e", "3", "=", False, None), ("e", "3", "≈", False, "right"), ("e", "5", "≈", False, "wrong"), ("e", "4", "≈", False, "last_place"), ("e", "2.82", "=", False, "wrong"), ("e", "2.82", "=", True, None),
        ("e", "2.82", "≈", True, "wrong"), ("e", "3.01", "=", False, "wrong"), ("e", "3.02", "=", False, None), ("e", "[2.72]", "=", False, None), ("e", "1 + 2", "=", False, None), ("e", "x", "=", False, None), ("pi", "22/7", "≈", False, "undecidable"),
        ("pi", "22/7", "=", False, "wrong"), ("pi", "3", "=", False, "right"), ("pi", "3.14", "=", True, "right"), ("pi", "3.15", "=", False, "last_place"), ("pi", "4.5", "=", False, None), ("e", "0/0", "=", False, None), ("pi", "0/0", "≈", False, None), ("e", "∞", "=", False, None), ("e", "-∞", "≈", False, "wrong"),
    ],
)  # fmt: skip
def test_constants(name, text, sign, in_a_sentence, verdict):
    given_side = read_side(text, engine_of(x="5").definitions.scope)
    question = asked(sign, is_in_a_sentence=in_a_sentence)
    found = _constant(name, given_side, question, open_equation(question.relation))
    assert (found and found.verdict) == verdict
    assert found is None or found.code == ("how_near" if verdict == "undecidable" else "")
    if verdict in ("wrong", "last_place"):
        assert found.right_value is not None
        assert found.from_start == verdict


# -- what is asked of a name that has a value ---------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("right", "question", "expected"),
    [
        ("12", {}, False), ("[7, 7]", {}, True), ("x + 1", {}, True), ("2 x - 1", {}, False), ("2 x - 1", {"sign": "≈"}, False), ("x + 1", {"sign": "≈"}, False), ("[x, 1]", {"sign": "≈"}, True), ("5", {}, False),
    ],
)  # fmt: skip
def test_a_name_that_was_computed(right, question, expected):
    """y = x + 2 with x = 3 is 5."""
    engine = engine_of(x="3", y="x + 2")
    engine.definitions.lines["y"] = 2
    assert engine.defining._replaces(engine.definitions["y"], side_of(engine, right), asked(**question)) is expected
    engine.defining.define("x", side("4"), 5)  # y is stale
    stale = engine.defining._replaces(engine.definitions["y"], side_of(engine, "12"), asked(is_concluded=True))
    assert stale is True


@pytest.mark.parametrize(
    ("old", "right", "question", "expected"),
    [
        ("7/2", "3.6", {}, False), ("7/2", "9", {}, True), ("7/2", "3.5", {}, False), ("3.5", "3.6", {}, True), ("3.5", "3.6", {"sign": "≈"}, False), ("3.5", "9.6", {"sign": "≈"}, True), ("0.1", "0", {}, True), ("2", "2", {}, False), ("2", "4", {}, True), ("2", "4", {"is_concluded": True}, False),
        ("2", "[4, 5]", {"is_concluded": True}, True), ("2", "4", {"is_concluded": True, "line": 0}, True), ("2.25", "2.3", {}, False), ("1/3", "0.33", {}, False), ("[1, 2]", "[1, 2]", {}, False), ("[1, 2]", "[1, 3]", {}, True), ("2", "1 + 3", {}, True), ("2", "1 + 1", {}, False),
    ],
)  # fmt: skip
def test_a_name_that_was_given(old, right, question, expected):
    engine = engine_of(t=old)
    assert engine.defining._replaces(engine.definitions["t"], side(right), asked(**question)) is expected


@pytest.mark.parametrize(
    ("right", "sign", "in_a_sentence", "expected"),
    [("9", "=", True, True), ("9", "=", False, False), ("9", "≈", True, False), ("5.2", "=", True, False), ("[9, 9]", "=", False, True)],
)  # fmt: skip
def test_numbers_alone_that_are_given_anew_in_a_sentence(right, sign, in_a_sentence, expected):
    engine = engine_of(y="2 + 3")
    question = asked(sign, is_in_a_sentence=in_a_sentence)
    assert engine.defining._replaces(engine.definitions["y"], side(right), question) is expected


def test_what_has_no_value_replaces_nothing():
    engine = engine_of(t="2", x="3")
    right = side_of(engine, "x + 1")
    engine.definitions.forget("x")
    assert engine.defining._replaces(engine.definitions["t"], right, asked()) is False
    assert engine.defining.define("u", right, 3) is False
    assert engine.defining.define("u", side("3"), 3) is True
    assert engine.defining._has_shape(engine.definitions["t"], right) is False
    assert engine.defining._has_shape(engine.definitions["t"], side("5")) is True
    assert engine.defining._has_shape(engine.definitions["t"], side("[5, 6]")) is False


def test_another_size_behind_another_heading():
    engine = engine_of(S="[[1, 2]] + [[3, 4]]")
    old, right = engine.definitions["S"], side("[[1, 2, 3]]")
    other = read_side("[1, 2, 3]", {})
    assert engine.defining._replaces(old, other, asked(line=9)) is False
    engine.definitions.headings = (5,)
    assert engine.defining._replaces(old, right, asked(line=9)) is (right.listed is False)
    assert engine.defining._replaces(old, side("[[5, 6]]"), asked(line=9)) is False
    assert engine.defining._replaces(old, side("[[1, 2], [3, 4]]"), asked(line=9)) is True
    assert engine.defining._replaces(old, side("[[1, 2], [3, 4]]"), asked(line=4)) is False


@pytest.mark.parametrize(
    ("line", "headings", "more", "concluded", "expected"),
    [(9, (), {}, True, True), (9, (), {}, False, False), (9, (5,), {}, True, False), (0, (), {}, True, False), (1, (), {}, True, True), (9, (), {"u": 9}, True, False), (9, (), {"u": 8}, True, True)],
)  # fmt: skip
def test_behind_therefore(line, headings, more, concluded, expected):
    engine = engine_of(t="2")
    for name, place in more.items():
        engine.defining.define(name, side("5"), place)
    engine.definitions.headings = headings
    question = asked(line=line, is_concluded=concluded)
    assert engine.defining._is_concluded(engine.definitions["t"], question) is expected


def test_behind_therefore_what_was_given_before_in_that_line_counts_not():
    engine = engine_of(u="5", t="2")
    engine.definitions.by_name["u"] = Definition("u", Integer(5), False, 9, version=1)
    assert engine.defining._is_concluded(engine.definitions["t"], asked(line=9, is_concluded=True)) is True
    engine.definitions.by_name["d"] = Definition("d", Integer(5), False, 9, version=99, is_implied=True)
    assert engine.defining._is_concluded(engine.definitions["t"], asked(line=9, is_concluded=True)) is True
    engine.definitions.by_name["t"] = Definition("t", Integer(5), False, 9, version=1)
    assert engine.defining._is_concluded(engine.definitions["t"], asked(line=9, is_concluded=True)) is True


@pytest.mark.parametrize(
    ("right", "question", "expected"),
    [
        ("5", {"is_in_a_sentence": True}, True), ("5", {}, False), ("2", {"is_in_a_sentence": True}, False), ("2.1", {"is_in_a_sentence": True}, False), ("5", {"is_in_a_sentence": True, "sign": "≈"}, False), ("[5, 6]", {"is_in_a_sentence": True}, False),
        ("1 + 4", {"is_in_a_sentence": True}, False),
    ],
)  # fmt: skip
def test_another_value_of_what_is_given_from_outside(right, question, expected):
    engine = Engine(
        {
            "t": Definition("t", Integer(2), False, 0, is_reference=True),
            "A": Definition("A", Literal([[2]]), False, 0, is_reference=True),
        }
    )
    assert engine.defining._is_supposed(engine.definitions["t"], side(right), asked(**question)) is expected
    assert engine.defining._is_supposed(engine.definitions["A"], side(right), asked(**question)) is False
    assert engine.defining._is_supposed(given(Integer(2)), side(right), asked(**question)) is False
    made = given(Integer(2), is_reference=True, side=side("1 + 1"))
    assert engine.defining._is_supposed(made, side(right), asked(**question)) is False


@pytest.mark.parametrize(
    ("message", "right", "found"),
    [
        ("index 3 of a matrix of size 2 x 3", "[1, 2, 3]", ("3", None)), ("index 3 of a matrix of size 2 x 3", "[1, 2]", None), ("index 3 of a matrix of size 2 x 3", "[[1], [2], [3]]", ("3", None)), ("index 3, 1 of a matrix of size 2 x 3", "5", ("3", "1")),
        ("index 3, 1 of a matrix of size 2 x 3", "[5, 6]", None), ("index 3 of a matrix of size 2 x 1", "5", ("3", None)), ("index 0 of a matrix of size 2 x 3", "[1, 2, 3]", None), ("index 3, 0 of a matrix of size 2 x 3", "5", None), ("something else", "5", None),
        ("index 3 of a matrix of size 2 x 1", "[5, 6]", None),
    ],
)  # fmt: skip
def test_beyond_a_matrix(message, right, found):
    match = Engine().defining._beyond(ReadingError("q_3", START, "shapes", message), side(right))
    assert (match and (match["row"], match["column"])) == found
    assert Engine().defining._beyond(ReadingError("q_3", START, "index", message), side(right)) is None


def test_a_row_is_a_part_unless_another_size_is_given():
    engine = engine_of(Q="[[1, 2], [3, 4]]")
    row = side_of(engine, "q_2")
    is_part = engine.defining._is_part
    assert is_part(row, side("[3, 5]")) is True
    assert is_part(row, side("[[3], [5]]")) is True
    assert is_part(row, side("[3, 5, 6]")) is False
    assert is_part(side("[3, 5]"), side("[3, 5]")) is False
    engine.definitions.forget("Q")
    assert is_part(row, side("[3, 5, 6]")) is True


def test_a_formula_gets_a_value_when_its_letters_have():
    engine = engine_of(x="2")
    engine.definitions.formulas["y"] = "x + 1"
    engine.definitions.lines["y"] = 4
    engine.defining._evaluate_formula("y")
    assert (engine.definitions["y"].exact, engine.definitions["y"].line) == (3, 4)
    engine.definitions.formulas.update(z="x + w", five="5", v="x + 3")
    for name in ("z", "five", "v"):
        engine.defining._evaluate_formula(name)
    assert "z" not in engine.definitions
    assert "five" not in engine.definitions
    assert engine.definitions["v"].line == 0


# -- what is kept ---------------------------------------------------------------------------------------------------------
def test_a_definition_keeps_what_it_was_made_from():
    engine = engine_of(x="2", A="[[5]]")
    define = engine.defining.define
    define("y", side_of(engine, "x + 1"), 7, True)
    define("z", side("9"), 8, True)
    define("w", side("3 + 4"), 9)
    define("x", side_of(engine, "x - 1"), 10)
    define("B", side_of(engine, "A + A"), 11)
    known = engine.definitions
    assert (known["y"].exact, known["y"].line, known["y"].is_near, known["y"].inputs) == (3, 7, False, (("x", 1),))
    assert known["y"].side.text == "x + 1"
    assert (known["z"].side, known["z"].is_near, known["z"].shown[0][0].text) == (None, True, "9")
    assert known["w"].side.text == "3 + 4"
    assert (known["x"].exact, known["x"].side) == (1, None)
    assert "y" in known.formulas
    assert "z" not in known.formulas
    assert known["B"].exact == 10
    define("L", side("[5]"), 12)
    assert known["L"].listed
    assert known["L"].exact == Literal([[5]])


@pytest.mark.parametrize(
    ("verdict", "faulty", "shown", "kept", "is_wrong"),
    [
        ("right", 3, "5", None, False), ("wrong", 3, "9", 3, True), ("last_place", 3, "5", 3, True), ("follows", 3, "9", 3, True), ("follows", 2, "9", 2, True), ("follows", 1, "9", 1, False), ("undecidable", 3, "5", None, False), ("undecidable", 3, "9", 3, False),
        ("undecidable", None, "9", None, False), ("right_if_rounded", None, "5", None, False), ("wrong", None, "9", None, True), ("follows", None, "9", None, False), ("follows", 3, "5", None, False),
    ],
)  # fmt: skip
def test_digits_that_are_shown(verdict, faulty, shown, kept, is_wrong):
    engine = engine_of(x="2", y="x + 3")  # 5, in line 2
    engine.defining.show("y", cells(shown), faulty and FaultyLine(faulty, "a.md"), verdict)
    found = engine.definitions["y"]
    assert (found.shown[0][0].text, found.faulty, found.is_wrong) == (shown, kept, is_wrong)


def test_digits_of_another_size_or_of_no_name_are_not_kept():
    engine = engine_of(y="2 + 3")
    before = engine.definitions["y"]
    engine.defining.show("y", cells("5 5"), None, "right")
    engine.defining.show("y", None, None, "right")
    engine.defining.show("z", cells("5"), None, "right")
    engine.defining.show(None, cells("5"), None, "right")
    assert engine.definitions["y"] is before
    engine.definitions.show("y", cells("9"), FaultyLine(1, "a.md"), False)
    engine.defining.show("y", cells("8"), None, "undecidable")
    assert engine.definitions["y"].faulty == 1  # still


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("Q = [[1, 2], [3, 4]]\nq_5 = [7, 8]", ["definition", "definition"]), ("x = [1, 2]\nx_4 = 5", ["definition", "undecidable"]), ("Q = [[1, 2], [3, 4]]\nQ_{5,1} = 7", ["definition", "shapes"]), ("y = x + 1\nx = 2\ny = 9", ["definition", "definition", "wrong"]),
        ("y = x + 1\nx = 2\ny = 3", ["definition", "definition", "right"]),
        ("t = ∞\nt ≈ 3", ["definition", "definition"]), ("e = 0/0\ne + 1 = 3", ["definition", "undecidable"]), ("π ≈ 0/0", ["definition"]), ("t = -∞\nt ≈ -∞", ["definition", "right"]), ("total = 3 + ∞\ntotal = 3", ["definition", "definition"]), ("t = 3\nt ≈ ∞", ["definition", "definition"]),
    ],
)  # fmt: skip
def test_lines_in_order(text, verdicts):
    assert [e.verdict for e in check(text, name="a.txt").equations] == verdicts
