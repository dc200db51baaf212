"""What explains digits that are not right: a convention, a slip, the sign, the point, digits swapped; or nothing that is known."""

from dataclasses import replace

import pytest
from test_computed_values import cells, engine_of, side_of

from symtransformer import check
from symtransformer.checking.diagnosing import _Looking, _row_sums
from symtransformer.node import Node
from symtransformer.reading.sides import read_side
from symtransformer.symbols import Literal

MATRICES = "A = [[1, 2], [3, 4]]\nB = [[5, 6], [7, 8]]\n"  # A B = [[19, 22], [43, 50]]


def told(text):
    found = check(text, name="a.txt").equations[-1]
    return (
        found.verdict,
        found.convention and found.convention.name,
        [s.name for s in found.slips],
        [r.name for r in found.remarks],
    )


@pytest.mark.parametrize(
    ("text", "convention"),
    [
        ("x = 4\nlog x = 2", "log_base_2"), ("x = 4\nlog x = 0.602", "log_base_10"), ("x = [1, 2, 4]\nLayerNorm(x) = [-0.87, -0.22, 1.09]", "sample_variance"), ("x = [[1, 2]]\nW = [[1, 3], [5, 7]]\nx W = [[7, 19]]", "weights_stored_transposed"),
        ("x = 4\nlog x = 2\nlog 8 = 3", "log_base_2"), ("log 3 = 1.6", "log_base_2"),
    ],
)  # fmt: skip
def test_a_convention_says_nothing_of_the_other_value(text, convention):
    assert told(text) == ("by_convention", convention, [], [])


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("log 4 = 2\nlog 4 = 0.602", "undecidable"), ("log 4 = 0.602\nlog 4 = 2", "undecidable"), ("log 4 = 2\nlog 4 = 1.386", "right"), ("log_2 4 = 0.602", "wrong"), ("ln 4 = 2", "last_place"), ("ln 4 = 0.602", "wrong"),
    ],
)  # fmt: skip
def test_two_bases_in_one_document(text, verdict):
    found = check(text, name="a.txt").equations[-1]
    assert (found.verdict, found.code) == (verdict, "another_base" if verdict == "undecidable" else "")
    if verdict == "undecidable":
        assert "line 1 right" in found.words.en
        assert found.remarks == ()


@pytest.mark.parametrize(
    ("text", "slips", "remarks"),
    [
        ("q = [1, 2]\nk = [3, 4]\nq · k = -11", ["sign"], []), ("S = [[1, 2], [3, 4]]\nS^T = [[1, 3], [-2, 4]]", ["sign"], []), ("a = 12\n2 a = 42", ["digits_swapped"], []), ("a = 12\n2 a = 240", [], ["factor_10"]), ("a = 12\n2 a = 2.4", [], ["factor_10"]), ("a = 12\n2 a = 77", [], ["no_slip"]),
        ("sin(3) = 0.0523", ["degrees"], []), (MATRICES + "A B = [[23, 34], [31, 46]]", ["values_times_weights"], []), (MATRICES + "A B = [[19, 22], [43, 99]]", [], ["no_slip"]), (MATRICES + "A B = [[91, 22], [43, 50]]", ["digits_swapped"], []), (MATRICES + "A B = [[91, 22], [43, 99]]", [], ["no_slip"]),
        (MATRICES + "A B = [[91, 22], [34, 50]]", ["digits_swapped"], []), ("S = [[1, 2], [3, 4]]\nsoftmax(S) = [[0.12, 0.12], [0.88, 0.88]]", ["softmax_over_columns"], ["row_sum", "row_sum"]), (MATRICES + "A + B = [[-6, 8], [10, 12]]", ["sign"], []), (MATRICES + "A + B = [[-6, 8], [10, 99]]", [], None),
    ],
)  # fmt: skip
def test_what_explains_the_digits(text, slips, remarks):
    verdict, convention, found, said = told(text)
    assert (verdict, convention, found) == ("wrong", None, slips)
    assert remarks is None or said == remarks


def test_what_is_only_rounded_badly_has_no_slip():
    verdict, convention, slips, remarks = told("x = 1/3\n2 x = 0.66")
    assert (verdict, convention, slips) == ("last_place", None, [])
    assert "no_slip" not in remarks


def test_a_slip_before_it_is_looked_for_in_what_names_were_computed_from():
    given = "Q = [[1, 2]]\nK = [[3, 4]]\nV = [[5, 6]]\nd = 4\nS = Q K^T\n"
    assert told(given + "S / sqrt(d) = 5.5")[0] == "right"
    assert told(given + "S / sqrt(d) = 2.75")[0:1] == ("wrong",)


@pytest.mark.parametrize(
    ("rows", "text", "found"),
    [
        (["0.27 0.74"], "softmax([1, 2])", []), (["0.27 0.75"], "softmax([1, 2])", [(1, "1.02")]), (["0.27 0.73"], "softmax([1, 2])", []), (["0.3 0.6"], "softmax([1, 2])", []), (["0.3 0.61"], "softmax([1, 2])", [(1, "0.91")]), (["0.5 0.5", "0.5 0.8"], "softmax([[1, 1], [1, 1]])", [(2, "1.3")]), (["1/2 3/4"], "softmax([1, 2])", []),
        (["0.27 0.74"], "[1, 2]", []), (["0.27 0.74"], "3", []), (["0.333 0.333 0.333"], "softmax([1, 1, 1])", []), (["0.333 0.333 0.332"], "softmax([1, 1, 1])", [(1, "0.998")]), (["1 1"], "softmax([1, 2])", []), (["1 2"], "softmax([1, 2])", [(1, "3")]), (["0.9 1/4"], "softmax([1, 2])", []),
    ],
)  # fmt: skip
def test_rows_of_weights_that_do_not_add_up(rows, text, found):
    notes = _row_sums(cells(*rows), read_side(text, {}).value)
    assert [note.name for note in notes] == ["row_sum"] * len(found)
    for note, (row, total) in zip(notes, found, strict=True):
        assert f"row {row} add up to {total}, not to 1" in note.words.en


@pytest.mark.parametrize(
    ("shown", "text", "found"),
    [("5", "2 + 3", (False, False)), ("-5", "2 + 3", (True, True)), ("-5 4", "[5, 4]", (True, True)), ("-5 9", "[5, 4]", (True, False)), ("5 9", "[5, 4]", (False, False)), ("5", "[5, 4]", (False, False))],
)  # fmt: skip
def test_the_other_sign(shown, text, found):
    notes, is_all = _Looking(cells(shown)).sign((matrix(text), {}))
    assert (bool(notes), is_all) == found


def test_inputs_by_the_digits_shown_and_from_the_start():
    engine = engine_of(x=("1/3", "0.33"), A="[[1, 2]]", B="[[3, 4]]")
    diagnosis = engine.numeric.diagnosis
    found = diagnosis._inputs(side_of(engine, "x A"))
    values = [[str(v) for k, v in sorted(way.items(), key=lambda item: str(item[0])) if str(k) == "x"] for way in found]
    assert values == [["33/100"], ["1/3"]]
    assert all(len(way) == 3 for way in found)  # B too, which a slip may take for A
    assert len(diagnosis._inputs(side_of(engine, "A"))) == 1
    assert len(diagnosis._matrices()) == 2
    side = side_of(engine, "x")
    engine.definitions.forget("x")
    assert diagnosis._inputs(side) == []


def test_names_are_written_out():
    engine = engine_of(x="2", y="x + 1", z="y + x", A="[[1, 2]]", B="2 A", C="B + B", D=("A + A", "2 4"))
    out = engine.numeric.diagnosis._written_out
    assert out(side_of(engine, "x")) is None
    assert str(out(side_of(engine, "C")).value) == "2 A + 2 A"
    assert str(out(side_of(engine, "C"), depth=0).value) == "B + B"
    assert out(side_of(engine, "D")) is None
    assert str(out(side_of(engine, "D"), shown=True).value) == "A + A"
    engine.defining.define("A", read_side("[[5, 6]]", {}), 9)
    assert out(side_of(engine, "B")) is None  # A is another one by now


# -- each of these alone, as every line that is not right runs through them ---------------------------------------------------
def matrix(text):
    side = read_side(text, {})
    return side if isinstance(side.value, Node) else replace(side, value=Literal([[side.value]]))


def slips_of(text, *shown):
    return [note.name for note in _Looking(cells(*shown)).slips([[(matrix(text), {})]], 1.0)]


def test_digits_in_the_wrong_order():
    assert slips_of("12 + 12", "42") == ["digits_swapped"]


def test_digits_of_one_entry_in_the_wrong_order():
    assert slips_of("[24, 13]", "42 13") == ["digits_swapped"]


def test_digits_in_the_wrong_order_beside_another_mistake():
    assert slips_of("[24, 13]", "42 99") == []


def test_no_slip_at_all():
    assert slips_of("12 + 12", "77") == []


def test_what_is_shown_in_another_size_has_no_digits_swapped():
    assert slips_of("[24, 13]", "42") == []


def test_what_is_not_decided_is_no_slip():
    assert slips_of("log(log 0)", "42") == []
    assert _Looking(cells("42"))._misplaced(matrix("log(log 0)"), {}) == ()
    assert _Looking(cells("42"))._swapped(matrix("log(log 0)"), {}) == ()
    assert _Looking(cells("42")).sign((matrix("log(log 0)"), {})) == ((), False)


def test_rows_in_the_wrong_order():
    looking = _Looking(cells("3 4", "1 2"))
    (note,) = looking._misplaced(matrix("[[1, 2], [3, 4]]"), {})
    assert "row" in note.words.en
    assert looking._misplaced(matrix("[[1, 2], [3, 5]]"), {}) == ()
    assert looking._misplaced(matrix("[[1, 2, 3]]"), {}) == ()


def test_the_other_sign_alone():
    (note,), is_all = _Looking(cells("-24")).sign((matrix("12 + 12"), {}))
    assert (note.name, is_all) == ("sign", True)


def test_right_with_what_is_written():
    assert _Looking(cells("24")).gives(matrix("12 + 12").value, {})
    assert not _Looking(cells("25")).gives(matrix("12 + 12").value, {})


def test_a_sign_that_is_not_decided():
    assert _Looking(cells("42")).sign((matrix("log(log 0)"), {})) == ((), False)
