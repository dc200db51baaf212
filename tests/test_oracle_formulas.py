"""Every formula, statement, count and other result of the oracle that the library can show to hold."""

import pytest
from mpmath import mp
from oracle_reading import watched
from oracle_tables import TABLES, article_numbers, chapter_8_numbers, geometry_numbers
from oracle_tables.variance import SIGNS, independent_components, variance_of_dot_product
from sympy import Expr

from symtransformer import evaluate, matrix
from symtransformer.generation import greedy
from symtransformer.models import BASE
from symtransformer.operations import Ones, Softmax


def cases(which):
    return [pytest.param(table, name, id=name) for table in TABLES for name in getattr(table, which)]


@pytest.fixture(autouse=True)
def sixty_digits():
    with mp.workdps(60):
        yield


@pytest.mark.parametrize(("table", "name"), cases("checks"))
def test_formulas_and_statements_hold(table, name):
    assert found_by_the_library(table.checks[name])


@pytest.mark.parametrize(("table", "name"), cases("counts"))
def test_counts_come_out(table, name):
    item = table.document.item(name)
    found, expected = found_by_the_library(table.counts[name]), item.get("expected", item["independently_computed"])
    assert plain(found) == plain(expected)


@pytest.mark.parametrize(("table", "name"), cases("found"))
def test_other_results_come_out(table, name):
    item = table.document.item(name)
    assert found_by_the_library(table.found[name]) == item["independently_computed"]
    assert item.get("expected", item["independently_computed"]) == item["independently_computed"]


def found_by_the_library(call):
    """What a check gives, where the library was asked for it: figures of the test against each other show nothing."""
    found, asked = watched(call)
    assert asked, "the library was not asked"
    return found


@pytest.mark.parametrize(
    "call",
    [
        lambda: len(str(2**128)) - 1,
        lambda: article_numbers.DOCUMENT.inputs["scores"] == article_numbers.DOCUMENT.inputs["scores"],
        lambda: type(chapter_8_numbers.PROBABILITIES) is Softmax,
        lambda: BASE.d_k * BASE.heads,
        lambda: variance_of_dot_product(independent_components(SIGNS, 2), independent_components(SIGNS, 2)),
    ],
    ids=["powers", "inputs", "type", "configuration", "enumeration"],
)
def test_a_check_that_does_not_ask_the_library_is_refused(call):
    assert call()
    with pytest.raises(AssertionError, match="not asked"):
        found_by_the_library(call)


def test_a_check_that_asks_the_library_is_seen_to():
    for call in (
        lambda: evaluate(Ones(1, 2)),
        lambda: matrix("A", 1, 2) @ matrix("B", 2, 1),
        lambda: geometry_numbers.NUMBERS["geo.sqrt512"].numbers("numpy"),
        lambda: greedy([1, 2]),
    ):
        assert found_by_the_library(call)


def plain(value):
    """A count, or counts, as plain numbers."""
    if isinstance(value, (list, tuple)):
        return [plain(x) for x in value]
    assert not isinstance(value, Expr) or value.is_Integer, value
    return int(value)


def test_a_count_that_is_off_by_one_is_noticed():
    assert plain((2, 3)) != plain([3, 2])
    assert plain((2, 3)) == [2, 3]
