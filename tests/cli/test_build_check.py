"""`build --check`: the files are what would be written, or the first line that differs is named, and nothing changes."""

import pytest


@pytest.fixture
def pages(command, small, tmp_path):
    assert command("build", small, "--out", tmp_path / "pages")[0] == 0
    return tmp_path / "pages/en"


def checked(command, small, pages):
    before = {path: path.read_bytes() for path in pages.iterdir()}
    code, out, err = command("build", small, "--out", pages.parent, "--check")
    assert {path: path.read_bytes() for path in pages.iterdir()} == before
    assert out == ""
    return code, err


def test_what_was_just_built_is_current(command, small, pages):
    assert checked(command, small, pages) == (0, "")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("23.125", "23.126", 1), "23.126"),
        (lambda text: text + "one line more\n", "the file ought to end here"),
        (lambda text: "\n".join(text.split("\n")[:3]) + "\n", "line 4: the file ends too early"),
        (lambda text: text.replace("\n", "\r\n", 1), "line 1: the end of the line is another one"),
        (lambda text: "", "line 1: the file ends too early"),
    ],
)
def test_any_change_is_found_and_its_first_line_named(command, small, pages, change, message):
    path = pages / "small.txt"
    text = path.read_text("utf-8")
    changed = change(text)
    assert changed != text
    path.write_bytes(changed.encode())
    code, err = checked(command, small, pages)
    assert code == 1
    assert err.startswith(f"symtransformer: {path}, line ")
    assert message in err
    assert err.count("\n") == 1


def test_the_line_named_is_the_line_that_was_changed(command, small, pages):
    path = pages / "small.tex"
    lines = path.read_text("utf-8").split("\n")
    for number in (1, 7, len(lines) - 1):
        path.write_text("\n".join([*lines[: number - 1], lines[number - 1] + "x", *lines[number:]]), "utf-8")
        code, err = checked(command, small, pages)
        assert (code, f"{path}, line {number}: " in err) == (1, True)


def test_a_missing_file_is_named_and_not_written(command, small, pages):
    (pages / "small.tex").unlink()
    (pages / "small.txt").write_text("x", "utf-8")
    code, err = checked(command, small, pages)
    assert code == 1
    assert err == f"symtransformer: {pages / 'small.tex'} is missing (and 1 more of 2 files)\n"
    assert not (pages / "small.tex").exists()
