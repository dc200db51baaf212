"""The JSON of a report is what its schema says, and the schema refuses anything else."""

import json
import re
from copy import deepcopy
from importlib.resources import files

import check_report_cases as cases
import pytest
from json_schema import misfits

from symtransformer.checking.equations import VERDICTS
from symtransformer.rendering.check_report import render_report

SCHEMA = json.loads((files("symtransformer.rendering.check_report") / "schema.json").read_text(encoding="utf-8"))
REPORTS = {
    "everything": cases.EVERYTHING, "clean": cases.CLEAN, "empty": cases.EMPTY, "included": cases.INCLUDED,
    **{f"hostile {k}": cases.hostile(text) for k, text in enumerate(cases.HOSTILE)},
}  # fmt: skip
# what the order of the fields is, as it is promised
FIRST_FIELDS = [
    "line", "column", "text", "kind", "verdict", "local", "from_start", "right_value", "entries", "convention", "slips",
    "counterexample", "remarks",
]  # fmt: skip


def data_of(report):
    return json.loads(render_report(report, "json"))


@pytest.mark.parametrize("name", REPORTS)
def test_every_report_is_as_the_schema_says(name):
    assert misfits(data_of(REPORTS[name]), SCHEMA) == []


def test_the_promised_fields_stand_there():
    data = data_of(cases.EVERYTHING)
    assert list(data) == ["version", "files", "summary"]
    assert data["version"] == 1
    equations = data["files"][0]["equations"]
    assert len(equations) == 18
    assert [key for key in equations[0] if key in FIRST_FIELDS] == FIRST_FIELDS
    weights = equations[3]
    assert weights["right_value"] == "[0.7736, 0.1562, 0.0702]"
    assert [(e["row"], e["column"], e["shown"], e["right"]) for e in weights["entries"]] == [
        (1, 2, "0.1664", "0.1562"), (1, 3, "0.0701", "0.0702"),
    ]  # fmt: skip
    assert [slip["name"] for slip in weights["slips"]] == ["softmax_base_2", "no_exp"]
    assert weights["slips"][0]["message"] == {"en": cases.BASE_2.words.en, "ja": cases.BASE_2.words.ja}
    assert [e["convention"] for e in equations if e["convention"]] == ["sample_variance"]
    assert [e["follows_from"] for e in equations if e["verdict"] == "follows"] == [14]
    assert data["files"][2] == {"file": "lost.tex", "error": "No such file or directory", "equations": [], "unread": []}


def test_the_summary_counts_what_is_listed():
    data = data_of(cases.EVERYTHING)
    every = [e for file in data["files"] for e in file["equations"]]
    summary = data["summary"]
    assert summary["found"] == len(every) == sum(summary["verdicts"].values())
    assert summary["verdicts"] == {v: n for v in VERDICTS if (n := sum(e["verdict"] == v for e in every))}
    assert (summary["right"], summary["wrong"], summary["faults"]) == (7, 8, 8)
    assert summary["unread"] == {"unknown_name": 1}
    assert summary["undecidable"] == {"deadline": 1}
    assert summary["unread_places"] == {"mark": 1, "unclosed": 1}
    assert (summary["files"], summary["files_not_checked"]) == (3, 1)


def test_a_language_and_an_option_change_nothing():
    wanted = render_report(cases.EVERYTHING, "json")
    assert render_report(cases.EVERYTHING, "json", "ja", everything=True, strict=True, color=True) == wanted


# -- the schema can say no ----------------------------------------------------------------------------------------
def places(value, path=()):
    """Every place in a value."""
    yield path
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(part, (*path, key))


def changed(data, path, change):
    """A copy with something else at one place."""
    copy = deepcopy(data)
    if not path:
        return change(copy)
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = change(inner[path[-1]])
    return copy


def test_a_missing_a_foreign_and_a_mistyped_field_are_refused_everywhere():
    data = data_of(cases.EVERYTHING)
    every = list(places(data))
    assert len(every) > 500
    for path in every:
        value = data
        for key in path:
            value = value[key]
        assert misfits(changed(data, path, lambda _: 0.5), SCHEMA), path
        if isinstance(value, dict):
            assert misfits(changed(data, path, lambda v: {**v, "more": "x"}), SCHEMA), path
            is_counting = len(path) == 2 and path[0] == "summary"
            for key in [] if is_counting else value:
                assert misfits(changed(data, path, lambda v, key=key: {k: x for k, x in v.items() if k != key}), SCHEMA)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("version",), 2), (("version",), True), (("files", 0, "equations", 0, "line"), 0),
        (("files", 0, "equations", 0, "line"), True), (("files", 0, "equations", 0, "verdict"), "rihgt"),
        (("files", 0, "equations", 0, "kind"), "word"), (("files", 0, "equations", 0, "message"), {"en": "x"}),
        (("summary", "verdicts"), {"right": 0}), (("summary", "found"), -1),
    ],
)  # fmt: skip
def test_other_values_are_refused(path, value):
    assert misfits(changed(data_of(cases.EVERYTHING), path, lambda _: value), SCHEMA)


def test_the_schema_knows_the_verdicts():
    assert SCHEMA["$defs"]["verdict"]["enum"] == list(VERDICTS)


def test_every_field_of_the_schema_is_used():
    text = render_report(cases.EVERYTHING, "json")
    for part in SCHEMA["$defs"].values():
        for key in part.get("properties", ()):
            assert re.search(rf'"{key}": ', text) or key in ("en", "ja")
