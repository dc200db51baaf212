"""Every id of every file of the oracle stands in one table: covered, or nothing to compute."""

import json
from collections import Counter
from dataclasses import replace

import pytest
from oracle_reading import FOLDER, Document
from oracle_tables import TABLES

FILES = sorted(path.stem for path in FOLDER.glob("*.json"))


def ids_of(document):
    """The ids as they stand in the file, not as the reader of the tables sees them."""
    everything = json.loads(FOLDER.joinpath(f"{document.name}.json").read_text("utf-8"))
    return [item["id"] for item in (*everything["claims"], *everything["derived"])]


def check_coverage(ids, listed):
    """Every id in one table, and nothing else in any."""
    doubled = [name for name, times in Counter(listed).items() if times > 1]
    assert not doubled, f"in two tables: {doubled}"
    missing, foreign = sorted(set(ids) - set(listed)), sorted(set(listed) - set(ids))
    assert not missing, f"in no table: {missing}"
    assert not foreign, f"in no file: {foreign}"
    assert len(ids) == len(set(ids))


def covered(table):
    return {*table.values, *table.counts, *table.checks, *table.found}


def test_every_file_has_a_table():
    assert sorted(table.document.name for table in TABLES) == FILES
    assert len(FILES) == 8


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.document.name)
def test_every_id_stands_in_one_table(table):
    check_coverage(ids_of(table.document), table.listed)
    print(report(table))


WHY_LEFT = {"count": "stated", "value": "not computable", "statement": "words"}


def by_reason(table):
    """Every id once, by what became of it."""
    groups = {"covered": sorted(covered(table)), "stated": [], "not computable": [], "words": []}
    for name in sorted(frozenset().union(*table.left.values())):
        groups[WHY_LEFT[table.document.item(name)["kind"]]].append(name)
    return groups


def report(table):
    groups = by_reason(table)
    numbers = ", ".join(f"{len(names)} {reason}" for reason, names in groups.items())
    lines = [f"  {reason}: {', '.join(names)}" for reason, names in groups.items() if names and reason != "covered"]
    return "\n".join([f"{table.document.name}: {numbers}", *lines])


def test_the_report_counts_every_id_once():
    groups = [by_reason(table) for table in TABLES]
    totals = {reason: sum(len(group[reason]) for group in groups) for reason in groups[0]}
    print(totals)
    assert totals == TOTALS
    assert sum(totals.values()) == sum(len(ids_of(table.document)) for table in TABLES)


def test_what_is_stated_is_not_counted_as_covered():
    """A count that the source gives as a fact, moved to those left, leaves the covered ones."""
    other = next(table for table in TABLES if table.document.name == "explainer-other")
    assert not set(by_reason(other)["stated"]) & covered(other)
    fewer = replace(other, counts={k: v for k, v in other.counts.items() if k != "other.c.source_tokens"})
    fewer = replace(fewer, left={**other.left, "facts": frozenset({"other.c.source_tokens"})})
    before, after = by_reason(other), by_reason(fewer)
    assert len(after["covered"]) == len(before["covered"]) - 1
    assert len(after["stated"]) == len(before["stated"]) + 1


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.document.name)
def test_what_can_be_computed_is_not_left(table):
    """Only what the oracle itself calls not computable, facts, and words."""
    for name in table.left and frozenset().union(*table.left.values()):
        item = table.document.item(name)
        assert item.get("independently_computed") is None, name
        assert item.get("kind") in ("value", "count", "statement"), name
        if item["kind"] == "value":
            assert item["verdict"] == "not_computable", name
        if item["kind"] == "count":
            assert item["verdict"] == "stated", name
        assert item.get("assessment") not in ("wrong", "inconsistent"), name


def test_all_figures_of_the_oracle_are_counted():
    items = [
        table.document.item(name) | {"covered": name in covered(table)} for table in TABLES for name in table.listed
    ]
    claims = [item for item in items if "kind" in item]
    values = [item for item in claims if item["kind"] == "value" and item["verdict"] == "right"]
    formulas = [item for item in claims if item["kind"] == "formula"]
    counts = [item for item in claims if item["kind"] == "count" and item["independently_computed"] is not None]
    derived = [item for item in items if "kind" not in item]
    assert (len(values), len(formulas), len(counts), len(derived), len(claims)) == (199, 107, 80, 106, 638)
    assert all(item["covered"] for item in values + counts + formulas + derived)
    assert sum(item["covered"] for item in claims if item["kind"] == "statement") == STATEMENTS_COVERED


STATEMENTS_COVERED = 155
TOTALS = {"covered": 672, "stated": 23, "not computable": 2, "words": 47}


def test_an_id_in_no_table_is_noticed():
    ids = ids_of(Document("explainer-other"))
    listed = next(table for table in TABLES if table.document.name == "explainer-other").listed
    check_coverage(ids, listed)
    for other in ([*ids, "other.x"], ids[1:]):
        with pytest.raises(AssertionError, match="in no"):
            check_coverage(other, listed)
    with pytest.raises(AssertionError, match="in two tables"):
        check_coverage(ids, [*listed, listed[0]])
