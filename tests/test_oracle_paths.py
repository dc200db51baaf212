"""How many steps lie between the first position and the last: read off trees, and compared with the page that says it."""

import pytest
from oracle_reading import page
from oracle_tables.trees import attention_path, length_of_path, recurrent_path

from symtransformer import matrix
from symtransformer.operations import RecurrentStep, ScaledDotProductAttention, Tanh

SIZES = (2, 5, 8, 100)


def paths_of(positions):
    """Steps with a recurrent network, and with attention."""
    return positions, recurrent_path(positions), attention_path(positions)


def check_rows(rows):
    assert rows
    for row in rows:
        assert tuple(map(int, row)) == paths_of(int(row[0]))


def table_of_the_page():
    (table,) = (
        table
        for section in page("geometry").sections
        for table in section.tables
        if "first position" in table.caption.en
    )
    return table


@pytest.mark.parametrize("positions", SIZES)
def test_a_recurrent_chain_hands_on_n_minus_one_times_and_attention_once(positions):
    assert recurrent_path(positions) == positions - 1
    assert attention_path(positions) == 1


def test_the_first_input_goes_through_every_step_of_the_chain_and_the_others_through_fewer():
    h, w = matrix("U_h", 2, 2), matrix("U_x", 3, 2)
    state, inputs = matrix("T_0", 1, 2), [matrix(f"I_{k}", 1, 3) for k in range(4)]
    for row in inputs:
        state = RecurrentStep(state, row, h, w)
    assert [length_of_path(state, row, RecurrentStep) for row in inputs] == [4, 3, 2, 1]
    assert length_of_path(state, matrix("other", 1, 3), RecurrentStep) is None
    assert length_of_path(state, inputs[0], Tanh) == 0  # inside of the definition, not in the tree


def test_a_second_attention_on_top_is_seen():
    q = matrix("Q", 4, 2)
    once = ScaledDotProductAttention(q, q, q)
    assert length_of_path(ScaledDotProductAttention(once, q, q), q, ScaledDotProductAttention) == 2


def test_the_table_of_the_page_agrees_with_the_trees():
    check_rows(table_of_the_page().rows)
    assert len(table_of_the_page().rows) == 3


@pytest.mark.parametrize(
    "planted",
    [
        lambda k: (k, k, 2),
        lambda k: (k, k, 1),
        lambda k: (k, k - 1, 2),
        lambda k: (k, k - 2, 1),
        lambda k: (k, 1, k - 1),
    ],
)
def test_a_table_with_other_lengths_is_refused(planted):
    rows = table_of_the_page().rows
    for k in range(len(rows)):
        changed = [planted(int(row[0])) if j == k else row for j, row in enumerate(rows)]
        with pytest.raises(AssertionError):
            check_rows(changed)


def test_the_worked_chain_of_the_page_hands_the_first_token_on_twice():
    """Three states: the words of the page say that it has passed through two steps since."""
    chain = page("geometry")
    states = {name: chain.expanded(name) for name in ("T_1", "T_2", "T_3")}
    (first,) = (letter for letter in chain.inputs if letter.name == "I_1")
    lengths = [
        length_of_path(state, first, RecurrentStep) or length_of_path(state, first, Tanh) for state in states.values()
    ]
    assert [length - lengths[0] for length in lengths] == [0, 1, 2]
