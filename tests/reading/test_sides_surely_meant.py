"""Spellings of one side that are no ambiguity: arrays of a program, a row that is turned, e with an exponent."""

from __future__ import annotations

import pytest

from symtransformer.checking.refusals import refusal
from symtransformer.reading.problems import ReadingError, ReadingShapeError
from symtransformer.reading.sides import Known, read_name, read_side


@pytest.mark.parametrize("text", ["array([0.27, 0.73])", "np.array([[0.27, 0.73]])", "torch.tensor([0.27, 0.73])"])
def test_an_array_shows_its_numbers(text):
    shown = read_side(text, {}).shown
    assert shown is not None
    assert [[(str(c.value), c.decimals) for c in row] for row in shown] == [[("27/100", 2), ("73/100", 2)]]


def test_what_is_worked_out_in_an_array_is_not_shown():
    assert read_side("array([1 + 1, 0.73])", {}).shown is None
    assert read_side("2 array([1, 0.73])", {}).shown is None


def test_softmax_of_a_row_that_is_turned_is_a_column():
    scope = {"H": Known((1, 3)), "Z": Known((3, 1))}
    assert read_side("softmax(H^T)", scope).value.shape == (3, 1)
    assert read_side("softmax([[5, 2.5, 2]]^T)", {}).value.shape == (3, 1)
    assert read_side("softmax(H)", scope).value.shape == (1, 3)
    with pytest.raises(ReadingError) as error:  # a column by its name: over its entries, or each alone?
        read_side("softmax(Z)", scope)
    assert error.value.code == "column"


@pytest.mark.parametrize("text", ["[[0, 1], [1, 0.5]] + sqrt(2)", "[[0, 1], [1, 0.5]] - 2"])
def test_a_number_and_a_matrix_that_is_written_out_do_not_fit(text):
    with pytest.raises(ReadingShapeError):
        read_side(text, {})


@pytest.mark.parametrize("text", ["A + 1", "1 - A", "1 - [[0, 1], [1, 0.5]]"])
def test_a_number_and_a_matrix_may_be_meant_entry_by_entry(text):
    with pytest.raises(ReadingError) as error:
        read_side(text, {"A": Known((2, 2))})
    assert error.value.code == "number_and_matrix"


@pytest.mark.parametrize("text", ["e^(2)", "e^{(2)}", "e^{(0.5)}"])
def test_e_with_an_exponent_in_brackets_is_no_name(text):
    assert read_name(text, "latex") is None
    value = read_side(text, {}, "latex").value
    assert str(value) == str(read_side("exp(2)" if "2" in text else "exp(0.5)", {}).value)
    assert read_name("h^(2)") == "h^(2)"


@pytest.mark.parametrize(("text", "said"), [("log(3)^2", "power of log"), ("1e401 + 1", "power of ten")])
def test_the_words_for_an_exponent_say_what_is_wrong_with_it(text, said):
    with pytest.raises(ReadingError) as error:
        read_side(text, {})
    assert error.value.code == "exponent"
    assert said in refusal(error.value).en


def test_attention_beside_a_d_k_that_is_no_size_of_k_speaks_of_any_matrices():
    scope = {"Q": Known((1, 2)), "K": Known((3, 2)), "V": Known((3, 4)), "d_k": Known(whole=2)}
    assert read_side("Attention(Q, K, V)", scope).value.shape == (1, 4)
    with pytest.raises(ReadingError) as error:
        read_side("Attention(Q, K, V)", {**scope, "d_k": Known(whole=64)})
    assert error.value.code == "no_value"
