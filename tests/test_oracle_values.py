"""Every number of the oracle, claimed or derived, to all its 15 digits (by NumPy to 13), and as it is printed."""

from fractions import Fraction
from math import floor, log10

import pytest
from mpmath import mp, mpf
from oracle_reading import Figure, Table, as_mpf, assert_close, by_mpmath, decimal_text, flat
from oracle_tables import TABLES

from symtransformer.errors import LimitExceeded
from symtransformer.rendering.numbers import Style

VALUES = [(table, name) for table in TABLES for name in table.values]
PRINTED = [(table, name) for table, name in VALUES if table.document.item(name).get("kind") == "value"]
WITH_FORM = [(table, name) for table, name in VALUES if "closed_form" in table.document.item(name)]


def figures_of(table: Table, name: str) -> list[Figure]:
    found = table.values[name]
    return found if isinstance(found, list) else [found]


def cases(which):
    return [pytest.param(table, name, id=name) for table, name in which]


def cases_by_backend(which):
    pairs = [(table, name, backend) for table, name in which for backend in figures_of(table, name)[0].backends]
    return [pytest.param(*pair, id=f"{pair[1]}-{pair[2]}") for pair in pairs]


@pytest.fixture(autouse=True)
def sixty_digits():
    with mp.workdps(60):
        yield


@pytest.mark.parametrize(("table", "name", "backend"), cases_by_backend(VALUES))
def test_numbers_agree_in_all_digits(table, name, backend):
    item = table.document.item(name)
    numbers = [x for figure in figures_of(table, name) for x in figure.numbers(backend)]
    expected = flat(item["independently_computed"])
    if item.get("exact"):
        if backend == "numpy":  # doubles of the decimals that were given
            return assert_close(numbers, expected, mpf("2e-16"))
        assert [Fraction(str(x)) for x in numbers] == [Fraction(x) for x in expected]
    percent = 100 if item.get("unit") == "percent" else 1
    return assert_close([percent * x for x in numbers], expected)


@pytest.mark.parametrize(("table", "name"), cases(PRINTED))
def test_numbers_are_shown_as_printed(table, name):
    claim = table.document.item(name)
    percent = claim.get("unit") == "percent"
    places = int(claim["shown_digits"])
    style = Style(places=places, percent_places=places, zeros="trim")
    shown = [s.text for figure in figures_of(table, name) for s in figure.shown(style, percent)]
    assert [text.removesuffix("%") for text in shown] == [decimal_text(x) for x in flat(claim["expected"])]
    assert all(text.endswith("%") == percent for text in shown)


@pytest.mark.parametrize(("table", "name"), cases(WITH_FORM))
def test_closed_forms_agree_to_forty_digits(table, name):
    item = table.document.item(name)
    percent = 100 if item.get("unit") == "percent" else 1
    expected = [by_mpmath(form) for form in flat(item["closed_form"])]
    for backend in set(figures_of(table, name)[0].backends) - {"numpy"}:
        numbers = [percent * as_mpf(x) for f in figures_of(table, name) for x in f.numbers(backend, digits=50)]
        assert len(numbers) == len(expected)
        assert all(abs(a - b) < mpf("1e-40") for a, b in zip(numbers, expected, strict=True))


def test_what_is_called_too_long_exactly_is_refused_for_its_length():
    """The first of each table; the others are made from it."""
    long = {t.document.name: figures_of(t, n)[0] for t, n in reversed(VALUES) if figures_of(t, n)[0].too_long_exactly}
    assert set(long) == {"explainer-ch6"}
    for figure in long.values():
        with pytest.raises(LimitExceeded):
            figure.numbers("exact")


@pytest.mark.parametrize("right", ["0.587479000839610", "1.00000000000001", "-9.99999999999999", "262144", "0.00335"])
def test_one_unit_of_the_last_digit_is_noticed(right):
    """The comparison itself can fail: 0.6 units of the fifteenth digit are too much, 0.4 are rounding."""
    number = Fraction(right)
    unit = Fraction(10) ** (floor(log10(abs(number))) - 14)
    assert_close([number + unit * Fraction(4, 10)], [number])
    for share in (Fraction(6, 10), -1):
        with pytest.raises(AssertionError):
            assert_close([number + share * unit], [number])


def test_a_double_is_held_to_thirteen_digits():
    right = 0.587479000839610
    assert_close([right * (1 + 5e-14)], [Fraction(str(right))])
    with pytest.raises(AssertionError):
        assert_close([right * (1 + 2e-13)], [Fraction(str(right))])


@pytest.mark.parametrize("backend", ["exact", "digits"])
def test_another_last_digit_is_refused_in_every_number(backend):
    """Each number of the files once more, one unit of its fifteenth digit away: nothing that was rounded passes."""
    refused = 0
    for table, name in VALUES:
        item = table.document.item(name)
        if backend not in figures_of(table, name)[0].backends:
            continue
        percent = 100 if item.get("unit") == "percent" else 1
        numbers = [percent * x for figure in figures_of(table, name) for x in figure.numbers(backend)]
        for number, wanted in zip(numbers, flat(item["independently_computed"]), strict=True):
            exact = as_mpf(wanted)
            if exact == 0 or mp.isinf(exact):
                continue
            unit = mpf(10) ** (int(mp.floor(mp.log10(abs(exact)))) - 14)
            refused += 1
            with pytest.raises(AssertionError):
                assert_close([number], [exact + unit * mpf("1.001")])
    assert refused > 500
