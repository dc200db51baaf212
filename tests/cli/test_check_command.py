"""The command `check`: options, exit codes, what goes where; the checking itself is made up here."""

import json
import sys
import types
from dataclasses import replace
from pathlib import Path

import joblib
import pytest

from symtransformer.checking.equations import ACCEPTED, ACCUSING, OPEN, Equation, FileReport, Report
from symtransformer.chosen_notation import USUAL
from symtransformer.documents.kinds import KINDS as EVERY_KIND
from symtransformer.notation import Words
from symtransformer.rendering.check_report import REPORT_FORMATS

WORDS = Words("Wrong: it is 2.", "誤り。正しくは 2 である。")
MADE = Equation("", 1, 7, "1 + 1 = 3", "number", "wrong", WORDS, right_value="2")


class Checking:
    """Stands in for the check: a file's text is the verdict on its one equation."""

    def __init__(self):
        self.calls = []

    def __call__(self, source, **options):
        self.calls.append((source, options))
        if isinstance(source, list):
            return Report(tuple(self.of(path.read_text().strip(), str(path)) for path in source))
        return Report((self.of(source.decode().strip(), options["name"]),))

    def of(self, text, name):
        if text == "crash":
            raise ZeroDivisionError("of the program's own")
        if text == "none":
            return FileReport(name)
        verdict, _, code = text.partition(" ")
        expected = code == "expected"
        return FileReport(
            name, (replace(MADE, file=name, verdict=verdict, code=code, expected_wrong=expected),), source="1 + 1 = 3"
        )


@pytest.fixture
def checking(monkeypatch):
    made = types.ModuleType("symtransformer.checking.checks")
    made.check = Checking()
    monkeypatch.setitem(sys.modules, made.__name__, made)
    monkeypatch.delenv("SYMTRANSFORMER_TRACEBACK", raising=False)
    with joblib.parallel_config(backend="threading"):
        yield made.check


@pytest.fixture
def file(tmp_path):
    """Writes a file and gives its path."""

    def write(text, name="notes.md"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


# -- exit codes -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "code", "strict_code"),
    [
        *((verdict, 1, 1) for verdict in ACCUSING),
        *((verdict, 0, 0) for verdict in ACCEPTED),
        *((verdict, 0, 1) for verdict in OPEN),
        ("definition", 0, 0), ("skipped", 0, 0), ("none", 0, 0),
        ("wrong expected", 0, 0), ("right expected", 1, 1), ("proved expected", 1, 1),
    ],
)  # fmt: skip
def test_the_exit_code_says_whether_something_is_wrong(command, checking, file, text, code, strict_code):
    path = file(text)
    assert command("check", path)[::2] == (code, "")
    assert command("check", "--strict", path)[::2] == (strict_code, "")


def test_a_file_that_cannot_be_read_is_told_and_the_others_are_checked(command, checking, file, tmp_path):
    good, bad = file("right"), file("wrong", "bad.md")
    missing = tmp_path / "missing.md"
    code, out, err = command("check", "--format", "lines", "--all", good, missing, bad)
    assert code == 2
    assert err == f"symtransformer: {missing}: No such file or directory\n"
    assert [line.split(":")[0] for line in out.splitlines()] == [str(good), str(bad)]


def test_a_crash_in_one_file_is_no_end_of_the_others(command, checking, file):
    paths = [file("crash", "a.md"), file("wrong", "b.md"), file("crash", "c.md"), file("right", "d.md")]
    code, out, err = command("check", "--format", "json", *paths)
    assert code == 2
    assert err == "".join(
        f"symtransformer: {path}: could not be checked: internal (ZeroDivisionError)\n" for path in paths[::2]
    )
    data = json.loads(out)
    assert [entry["file"] for entry in data["files"]] == [str(path) for path in paths]
    assert [bool(entry["error"]) for entry in data["files"]] == [True, False, True, False]
    assert command("check", paths[0])[0] == 2


# -- formats -----------------------------------------------------------------------------------------------------
def test_json_stands_alone_on_standard_output(command, checking, file, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    code, out, err = command("check", "--format", "json", file("wrong", "a.md"), file("right", "b.md"))
    assert code == 1
    assert json.loads(out)["version"] == 1
    assert out.startswith("{")
    assert out.endswith("}\n")
    assert "checking" in err


@pytest.mark.parametrize("form", REPORT_FORMATS)
def test_every_format_in_both_languages(command, checking, file, form):
    path = file("wrong")
    for language, said in (("en", "it is 2"), ("ja", "正しくは 2")):
        code, out, err = command("check", path, "--format", form, "--lang", language)
        assert (code, err) == (1, "")
        assert said in out


def test_lines_are_for_editors(command, checking, file):
    path = file("wrong")
    assert command("check", "--format", "lines", path)[1] == f"{path}:1:7: wrong: it is 2.\n"


def test_all_and_strict_show_more(command, checking, file):
    right, unread = file("right", "a.md"), file("unparsed", "b.md")
    assert "a.md:1:7" not in command("check", right)[1]
    assert "a.md:1:7" in command("check", "--all", right)[1]
    assert "b.md:1:7" not in command("check", unread)[1]
    assert "b.md:1:7" in command("check", "--strict", unread)[1]


def test_a_notebook_is_not_annotated_and_the_others_are(command, checking, file):
    notebook, page = file("wrong", "a.ipynb"), file("wrong", "b.txt")
    code, out, err = command("check", "--format", "annotated", notebook, page)
    assert code == 2
    assert err == (
        f"symtransformer: {notebook}: --format annotated: a file of kind notebook has no comments; choose another format\n"
    )
    assert out.splitlines() == [f"==> {page} <==", "1 + 1 = 3", "#     ^ wrong: it is 2.", ""]
    assert command("check", "--format", "annotated", page)[1].splitlines() == ["1 + 1 = 3", "#     ^ wrong: it is 2."]


@pytest.mark.parametrize(("terminal", "setting", "color"), [(True, None, True), (False, None, False), (True, "1", False), (True, "", True)])  # fmt: skip
def test_color_is_for_terminals_that_want_it(command, checking, file, monkeypatch, terminal, setting, color):
    monkeypatch.delenv("NO_COLOR", raising=False)
    if setting is not None:
        monkeypatch.setenv("NO_COLOR", setting)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    assert ("\x1b[31m" in command("check", file("wrong"))[1]) is color
    assert "\x1b" not in command("check", "--format", "lines", file("wrong"))[1]


# -- what is handed on -----------------------------------------------------------------------------------------
def test_options_reach_the_check(command, checking, file, tmp_path):
    path = file("right")
    command("check", path, "--kind", "text", "--encoding", "Shift_JIS", "--folder", tmp_path)
    ((source, options),) = checking.calls
    assert source == b"right"
    assert options == {
        "name": str(path),
        "kind": "text",
        "encoding": "Shift_JIS",
        "folder": tmp_path,
        "notation": USUAL,
    }


def test_standard_input_is_read_once(command, checking, file, monkeypatch):
    class Stdin:
        class buffer:  # noqa: N801
            @staticmethod
            def read(limit):
                return b"wrong"[:limit]

    monkeypatch.setattr(sys, "stdin", Stdin)
    code, out, err = command("check", "-", "--format", "lines")
    assert (code, out, err) == (1, "<stdin>:1:7: wrong: it is 2.\n", "")
    code, out, _ = command("check", file("right"), "-", "--format", "lines")
    assert (code, out.count("\n")) == (1, 1)
    for arguments in (["-", "-"], ["--together", "-", file("right")]):
        code, out, err = command("check", *arguments)
        assert (code, out) == (2, "")
        assert err == "symtransformer: check: standard input can be read once, and not together with files\n"


def test_files_that_share_definitions_are_one_call(command, checking, file):
    paths = [file("right", "a.md"), file("wrong", "b.md")]
    code, out, _ = command("check", "--together", *paths, "--format", "lines")
    assert code == 1
    assert out.startswith(str(paths[1]))
    assert [source for source, _ in checking.calls] == [paths]
    assert checking.calls[0][1]["together"] is True


def test_each_file_is_a_call_of_its_own(command, checking, file):
    paths = [file("right", f"{k}.md") for k in range(5)]
    for jobs in ([], ["--jobs", "1"], ["--jobs", "3"]):
        checking.calls.clear()
        assert command("check", *paths, *jobs)[0] == 0
        assert sorted(options["name"] for _, options in checking.calls) == list(map(str, paths))


# -- refused --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Missing argument 'FILE...'"),
        (["a.md", "--format", "html"], "'html' is not one of 'terminal', 'lines'"),
        (["a.md", "--lang", "fr"], "'fr' is not one of 'en', 'ja'"),
        (["a.md", "--kind", "docx"], "'docx' is not one of 'latex'"),
        (["a.md", "--encoding", "klingon"], "--encoding: the encoding 'klingon' is not known; known are UTF-8"),
        (["a.md", "--folder", "no/such/folder"], "--folder: there is no folder 'no/such/folder'"),
        (["a.md", "--jobs", "0"], "--jobs: expected a number of processes"),
        (["a.md", "--jobs", "many"], "'many' is not a valid integer"),
        (["a.md", "--name", "S=Scores"], "--name: names are those of --against"),
        (["a.md", "--against", "no_such_page"], "no worked derivation is named 'no_such_page'"),
        (["a.md", "--against", "no/such.toml"], "reading 'no/such.toml'"),
    ],
)
def test_what_cannot_be_used_is_one_line(command, checking, arguments, said):
    code, out, err = command("check", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("symtransformer: ")
    assert err.count("\n") == 1
    assert said in err
    assert checking.calls == []


def test_names_of_files_are_data(command, checking, file):
    path = file("wrong", "a\x1b[31m\u202e.md")
    code, out, err = command("check", path, "--format", "lines")
    assert (code, err) == (1, "")
    assert "a\\x1b[31m\\u202e.md:1:7: wrong" in out
    path.unlink()
    code, out, err = command("check", path, "--format", "lines")
    assert (code, out) == (2, "")
    assert err.endswith("a\\x1b[31m\\u202e.md: No such file or directory\n")
    assert "\x1b" not in err


def test_the_command_knows_the_formats_and_kinds_of_the_library():
    from symtransformer.cli.check import FORMATS, KINDS

    assert FORMATS == REPORT_FORMATS
    assert KINDS == EVERY_KIND


# -- the hook -----------------------------------------------------------------------------------------------------------
HOOKS = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"


def hook():
    """The fields of the one hook; every line is `key: value`."""
    lines = HOOKS.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("- ")
    assert all(line.startswith("  ") for line in lines[1:])
    return dict(line[2:].split(": ", 1) for line in lines)


def test_the_hook_is_complete_and_takes_documents():
    import re

    found = hook()
    assert found["id"] == "symtransformer-check"
    assert found["language"] == "python"
    assert {"name", "description", "entry", "files"} <= set(found)
    for name in ("a.tex", "b/c.md", "d.ipynb", "e.html", "f.txt", "g.markdown"):
        assert re.search(found["files"], name)
    for name in ("a.py", "texts", "a.md.bak", "tex"):
        assert not re.search(found["files"], name)


def test_the_entry_of_the_hook_runs(command, checking, file):
    program, *arguments = hook()["entry"].split()
    assert program == "symtransformer"
    path = file("wrong")
    assert command(*arguments, path) == (1, f"{path}:1:7: wrong: it is 2.\n", "")
    assert command(*arguments, file("right")) == (0, "", "")
