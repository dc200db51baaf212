"""What `build` writes: whole files or none, the same bytes for every hash seed, whatever the terminal can show."""

import os
import re
import subprocess
import sys

import pytest
from test_cli import OUR, refused

from symtransformer.cli.files import write_whole

LANGUAGES, FORMATS = ("en", "ja"), ("tex", "txt")
EVERYTHING = ("--lang", "en,ja", "--format", "tex,txt")


def files_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_build_writes_one_file_for_each_language_and_format_and_names_them(command, small, tmp_path):
    out_dir = tmp_path / "pages"
    code, out, err = command("build", small, "--out", out_dir, *EVERYTHING)
    expected = [f"{language}/small.{form}" for language in LANGUAGES for form in FORMATS]
    assert (code, err) == (0, "")
    assert out.splitlines() == [str(out_dir / name) for name in expected]
    assert files_in(out_dir) == expected
    for name in expected:
        path = out_dir / name
        content = path.read_bytes()
        language, form = path.parent.name, path.suffix[1:]
        assert f"command: symtransformer build small.py --format {form} --lang {language}\n" in content.decode()
        assert b"\r" not in content
        assert content.endswith(b"\n")
        assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_build_holds_the_pages_that_show_prints(command, small, tmp_path):
    assert command("build", small, "--out", tmp_path / "o", "--format", "text")[0] == 0
    shown = command("show", small)[1]
    assert (tmp_path / "o/en/small.txt").read_text("utf-8") == shown.replace(
        "symtransformer show", "symtransformer build", 1
    )


def test_a_refuted_step_makes_build_exit_1_and_write_nothing_at_all(command, small, refuted, tmp_path):
    out_dir = tmp_path / "pages"
    refused(command("build", small, refuted, "--out", out_dir), "step Y is not true: entry (", code=1)
    assert not out_dir.exists()


def test_two_derivations_of_one_name_are_refused(command, small, tmp_path):
    other = tmp_path / "other" / "small.py"
    other.parent.mkdir()
    other.write_bytes(small.read_bytes())
    refused(command("build", small, other, "--out", tmp_path / "pages"), "two derivations are named small")
    assert not (tmp_path / "pages").exists()


def test_one_bad_file_among_good_ones_writes_nothing(command, small, tmp_path):
    refused(command("build", small, tmp_path / "missing.py", "--out", tmp_path / "pages"), "there is no file")
    assert not (tmp_path / "pages").exists()


# -- what stands in the way -----------------------------------------------------------------------------
def test_a_file_where_a_folder_should_be_is_left_alone(command, small, tmp_path):
    for blocked in (tmp_path / "blocked", tmp_path / "pages" / "en"):
        blocked.parent.mkdir(exist_ok=True)
        blocked.write_text("mine")
    refused(command("build", small, "--out", tmp_path / "blocked"), "writing ", "blocked", "ot a directory")
    refused(command("build", small, "--out", tmp_path / "pages"), "writing ", "pages")
    assert files_in(tmp_path) == ["blocked", "pages/en", "small.py"]
    assert (tmp_path / "blocked").read_text() == (tmp_path / "pages" / "en").read_text() == "mine"


def test_a_folder_where_the_file_should_be_is_left_alone(command, small, tmp_path):
    (tmp_path / "o/en/small.txt").mkdir(parents=True)
    refused(command("build", small, "--out", tmp_path / "o", "--format", "txt"), "writing ", "directory")
    assert list((tmp_path / "o/en").iterdir()) == [tmp_path / "o/en/small.txt"]
    assert files_in(tmp_path / "o") == []


def test_a_symbolic_link_is_not_followed(command, small, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("mine")
    (tmp_path / "o/en").mkdir(parents=True)
    (tmp_path / "o/en/small.txt").symlink_to(secret)
    refused(
        command("build", small, "--out", tmp_path / "o", "--format", "txt"), "it is a symbolic link; remove it first"
    )
    assert secret.read_text() == "mine"
    assert (tmp_path / "o/en/small.txt").is_symlink()
    assert files_in(tmp_path / "o") == ["en/small.txt"]


def test_old_pages_are_replaced_and_leftovers_of_killed_runs_go_after_an_hour(command, small, tmp_path):
    folder = tmp_path / "o/en"
    folder.mkdir(parents=True)
    (folder / "small.txt").write_text("old")
    stale, fresh, other = (folder / name for name in (".symtransformer-a.tmp", ".symtransformer-b.tmp", "notes.tmp"))
    for path in (stale, fresh, other):
        path.write_text("x")
    os.utime(stale, (1, 1))
    os.utime(other, (1, 1))
    assert command("build", small, "--out", tmp_path / "o", "--format", "txt")[0] == 0
    assert files_in(folder) == [".symtransformer-b.tmp", "notes.tmp", "small.txt"]
    assert (folder / "small.txt").read_text("utf-8").startswith("# symtransformer")


# -- stopped in the middle ----------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["fsync", "replace", "chmod"])
@pytest.mark.parametrize(
    ("error", "code", "message"),
    [(KeyboardInterrupt(), 130, "stopped"), (OSError(28, "No space left on device"), 2, "No space left")],
)
def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(
    command, small, tmp_path, monkeypatch, name, error, code, message
):
    folder = tmp_path / "o/en"
    folder.mkdir(parents=True)
    (folder / "small.txt").write_text("old")

    def fail(*_):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(os, name, fail)
        result = command("build", small, "--out", tmp_path / "o", "--format", "txt")
    refused(result, message, code=code)
    assert files_in(folder) == ["small.txt"]
    assert (folder / "small.txt").read_text() == "old"


def test_a_content_that_cannot_be_written_leaves_no_file(tmp_path):
    with pytest.raises(TypeError):
        write_whole(tmp_path / "a.txt", "text and no bytes")
    assert list(tmp_path.iterdir()) == []


KILLED = """
import os, signal, sys
from symtransformer import cli
import symtransformer.judge, symtransformer.rendering

def die_at(name, call):
    real, calls = getattr(os, name), []
    def patched(*arguments):
        calls.append(1)
        if len(calls) == call:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*arguments)
    setattr(os, name, patched)

small, folder = sys.argv[1:]
for point in ("fsync:1", "replace:1", "fsync:2", "replace:2", "fsync:99"):
    child = os.fork()
    if child == 0:
        name, call = point.split(":")
        die_at(name, int(call))
        sys.argv = ["symtransformer", "build", small, "--out", f"{folder}/{point}"]
        cli.main()
    print(point, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_killed_build_leaves_old_or_new_files_and_no_half(small, tmp_path):
    points = {"fsync:1": (), "replace:1": (), "fsync:2": ("tex",), "replace:2": ("tex",), "fsync:99": ("tex", "txt")}
    for point in points:
        (tmp_path / point / "en").mkdir(parents=True)
        for form in FORMATS:
            (tmp_path / point / "en" / f"small.{form}").write_text("old")
    ran = subprocess.run([sys.executable, "-c", KILLED, small, tmp_path], capture_output=True, text=True, check=True)
    ends = [line for line in ran.stdout.splitlines() if ":" in line and not line.startswith("/")]
    assert ends == [f"{point} {0 if point == 'fsync:99' else -9}" for point in points]
    whole = {form: (tmp_path / "fsync:99" / "en" / f"small.{form}").read_bytes() for form in FORMATS}
    assert all(len(content) > 500 for content in whole.values())
    for point, new in points.items():
        for form in FORMATS:
            content = (tmp_path / point / "en" / f"small.{form}").read_bytes()
            assert content == (whole[form] if form in new else b"old"), point
        rest = [name for name in files_in(tmp_path / point / "en") if not name.startswith("small.")]
        assert all(re.fullmatch(r"\.symtransformer-\w+\.tmp", name) for name in rest)


# -- the same bytes everywhere ----------------------------------------------------------------------------
COMMANDS = """
import sys
from symtransformer.cli import main
def run(*arguments):
    sys.argv = ["symtransformer", *arguments]
    try:
        main()
    except SystemExit as ended:
        print("exit", ended.code)
        print("exit", ended.code, file=sys.stderr)
folder, small = sys.argv[1:]
run("list", "--lang", "ja")
for detail in ("results", "steps", "entries"):
    run("build", "explainer_chapter_4", small, "--out", f"{folder}/{detail}", "--lang", "en,ja", "--format", "tex,txt", "--detail", detail)
run("show", "explainer_chapter_4", "--lang", "ja,en", "--format", "txt,tex", "--detail", "entries")
for form in ("text", "latex", "json", "numpy"):
    run("gradient", "LayerNorm(X + softmax(Q K^T / sqrt(d_k)) V, gamma, beta)", "--lang", "en,ja", "--format", form)
run("show", "\\u2248\\u2299\\U0001f600")
run("--help")
"""


def test_bytes_are_the_same_for_every_hash_seed_and_run_and_cp932_shows_all(command, small, tmp_path):
    running = []
    for seed in range(5):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": str(seed),
            "PYTHONIOENCODING": "cp932",
            "PYTHONWARNINGS": "error",
        }
        arguments = [sys.executable, "-c", COMMANDS, "pages", str(small)]
        (tmp_path / str(seed)).mkdir()
        running.append(
            subprocess.Popen(
                arguments, env=environment, cwd=tmp_path / str(seed), stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        )
    results = [process.communicate(timeout=100) for process in running]
    pages = [
        {name: (tmp_path / str(seed) / name).read_bytes() for name in files_in(tmp_path / str(seed))}
        for seed in range(5)
    ]
    assert len(pages[0]) == 2 * 3 * 2 * 2
    assert all(found == pages[0] for found in pages)
    assert all(result == results[0] for result in results)
    shown, messages = (stream.decode("cp932").replace("\r\n", "\n") for stream in results[0])
    assert "Traceback" not in shown + messages
    assert [line for line in shown.splitlines() if line.startswith("exit")] == [
        f"exit {code}" for code in (0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0)
    ]
    (message,) = [line for line in messages.splitlines() if not line.startswith("exit")]
    assert message.startswith("symtransformer: no worked derivation is named '~=(.)?'; known are: ")
    assert "> 眠る: s_2 = r_2 / sqrt(d_k) = [[1, 0.5]] / sqrt(2) ~= [[0.7071, 0.3536]]" in shown
    for detail in ("results", "steps", "entries"):  # and a second run, in this process
        again = tmp_path / "again" / detail
        assert command("build", OUR, small, "--out", again, *EVERYTHING, "--detail", detail)[0] == 0
        for name in files_in(again):
            assert (again / name).read_bytes() == pages[0][f"pages/{detail}/{name}"], name


def test_a_reader_that_has_gone_and_a_full_disk_are_no_traceback():
    code = "import sys; from symtransformer.cli import main; sys.argv = ['symtransformer', 'list']; main()"
    ends, (reader, writer) = [], os.pipe()
    os.close(reader)
    with open("/dev/full", "wb") as full, open(writer, "wb") as gone:
        for stdout in (gone, full):
            ran = subprocess.run(
                [sys.executable, "-c", code], stdout=stdout, stderr=subprocess.PIPE, text=True, check=False
            )
            ends.append((ran.returncode, ran.stderr))
    assert ends == [(0, ""), (2, "symtransformer: standard output: No space left on device\n")]
