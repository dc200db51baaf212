"""The command line: list, show, build, and one clear line for whatever is wrong."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from symtransformer import __version__
from symtransformer.cli import derivations
from symtransformer.cli.derivations import folder_of_derivations, known_derivations, load, title_of
from symtransformer.cli.messages import one_line, quoted

ROOT = Path(__file__).parents[1]
OUR = "explainer_chapter_4"


def refused(result, *parts, code=2):
    """One line on standard error, nothing on standard output, and the exit code."""
    assert result[0] == code, result
    assert result[1] == ""
    assert result[2].startswith("symtransformer: ")
    assert result[2].count("\n") == 1
    assert result[2].endswith("\n")
    for part in parts:
        assert part in result[2]
    return True


# -- list ------------------------------------------------------------------------------------------------
def test_list_names_every_derivation_and_operation_in_order(command):
    from symtransformer.operation import REGISTRY

    code, out, err = command("list")
    assert (code, err) == (0, "")
    names = [line.split("  ")[0] for line in out.splitlines()]
    files = sorted(path.stem for path in (ROOT / "derivations").glob("*.py"))
    assert names == [*files, *sorted(REGISTRY)]
    assert "One attention head, row by row" in out


def test_list_shows_how_an_operation_is_written_in_an_expression(command):
    lines = command("list", "operations")[1].splitlines()
    assert any(line.startswith("Softmax ") and line.endswith(": softmax(scores)") for line in lines)
    assert any(line.endswith("[mask])") and "Attention(queries, keys, values, " in line for line in lines)
    assert any("Concat(parts, ...)" in line for line in lines)


def test_list_reads_titles_off_the_files(monkeypatch, tmp_path):
    for name in known_derivations():
        for language in ("en", "ja"):
            page = (ROOT / f"output/{language}/{name}.txt").read_text(encoding="utf-8").split("\n\n")
            assert title_of(name, language) in page[1], name
    monkeypatch.setattr(derivations, "load", None)
    assert title_of(OUR, "en") == "One attention head, row by row"  # without running the file


def test_a_title_that_is_made_is_found_by_running_the_file(monkeypatch, tmp_path):
    text = "from symtransformer import Words, derive, matrix\nA = matrix('A', 2, 2)\n"
    (tmp_path / "made.py").write_text(
        text + "derivation = derive(A @ A, title=Words('Cubes'.replace('Cub', 'Squar'), '二乗'))\n"
    )
    monkeypatch.setattr(derivations, "folder_of_derivations", lambda: tmp_path)
    assert title_of("made", "en") == "Squares"


def test_list_takes_a_kind_and_a_language(command):
    listed = [line.split("  ", 1) for line in command("list", "derivations", "--lang", "ja")[1].splitlines()]
    assert [OUR, "1 ヘッドのアテンションを 1 行ずつ計算する"] in [[name, title.strip()] for name, title in listed]
    _, out, _ = command("list", "operations", "--lang", "ja")
    assert "Softmax" in out
    assert "各行の Softmax" in out
    assert OUR not in out
    refused(command("list", "pages"), "'pages' is not one of")
    refused(command("list", "--lang", "fr"), "'fr' is not one of 'en', 'ja'")


# -- show ------------------------------------------------------------------------------------------------
def test_show_prints_the_page_that_render_makes(command):
    code, out, err = command("show", OUR)
    assert (code, err) == (0, "")
    assert out.splitlines()[:3] == [
        f"# symtransformer {__version__}",
        f"# command: symtransformer show {OUR} --format txt --lang en",
        "# steps: 11: 11 proved, 0 tested, 0 undecidable, 0 refuted",
    ]
    from symtransformer import render, verify

    page = render(verify(load(OUR)[1]), "txt", "en", command=f"symtransformer show {OUR} --format txt --lang en")
    assert out == page


def test_show_takes_every_option_and_writes_it_into_the_comment(command, small):
    options = ["--format", "latex,text", "--lang", "ja, en", "--detail", "entries", "--follow", "Y:row:2", "--digits", "2",
               "--zeros", "trim", "--rounding", "half-even"]  # fmt: skip
    code, out, err = command("show", small, *options)
    assert (code, err) == (0, "")
    rest = "--detail entries --follow Y:row:2 --digits 2 --zeros trim --rounding half-even"
    heads = [line[2:] for line in out.splitlines() if "command: " in line]
    assert heads == [
        f"command: symtransformer show small.py --format {form} --lang {lang} {rest}"
        for lang in ("ja", "en")
        for form in ("tex", "txt")
    ]
    assert "> y_22 = a_21 b_12 + a_22 b_22 + a_23 b_32 = 4 × (-1) + 5 × 0 + 0.125 × 1 = -4 + 0 + 0.125 ≈ -3.88" in out


def test_the_formats_have_aliases_and_are_not_printed_twice(command, small):
    assert command("show", small, "--format", "latex")[1] == command("show", small, "--format", "tex")[1]
    assert command("show", small, "--format", "text,txt,text")[1] == command("show", small)[1]


def test_rounding_and_digits_change_what_is_shown(command, small):
    shown = {
        options: command("show", small, *options)[1]
        for options in ((), ("--digits", "2"), ("--digits", "2", "--rounding", "half-even"), ("--digits", "0"))
    }
    assert [("[-3.875]" in t or "-3.875]]" in t, "-3.88]]" in t, "-4]]" in t) for t in shown.values()] == [
        (True, False, False), (False, True, False), (False, True, False), (False, False, True),
    ]  # fmt: skip


def test_follow_takes_a_step_or_the_one_of_the_derivation_and_none(command, small):
    assert "Row 1 is followed" in command("show", small, "--follow", "row:1")[1]
    assert "Row 1 (cat) is followed" in command("show", OUR, "--follow", "row:1")[1]
    assert "is followed" not in command("show", OUR, "--follow", "none")[1]
    assert r"\followed \mathbf" in command("show", small, "--follow", "column:2", "--format", "tex")[1]


def test_show_of_a_refuted_derivation_says_so_on_both_streams_and_exits_1(command, refuted):
    code, out, err = command("show", refuted)
    assert code == 1
    assert "!! This step is NOT true: entry (" in out
    assert "0 proved, 0 tested, 0 undecidable, 1 refuted" in out
    assert err.startswith("symtransformer: step Y is not true: ")
    assert err.count("\n") == 1


def test_what_a_file_prints_is_no_part_of_the_page(command, small):
    small.write_text(small.read_text("utf-8") + "\nprint('working')\n", "utf-8")
    code, out, err = command("show", small)
    assert (code, err) == (0, "working\n")
    assert out.startswith("# symtransformer")


# -- bad input -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("verb", ["show", "build"])
@pytest.mark.parametrize(
    ("options", "parts"),
    [
        (["--format", "odt"], ["format: expected tex, ", "got 'odt'"]),
        (["--format", "docx"], ["'docx'"]), (["--format", "tex,doc"], ["'doc'"]), (["--format", "TEX"], ["'TEX'"]),
        (["--format", "\n\x1b[31m"], ["expected tex"]), (["--format", ","], ["separated by commas"]),
        (["--format", ""], ["separated by commas"]), (["--lang", "fr"], ["expected en or ja, got 'fr'"]),
        (["--lang", "en,xx"], ["'xx'"]), (["--detail", "all"], ["'results', 'steps', 'entries'"]),
        (["--digits", "-1"], ["expected 0 to 100 decimals, got -1"]), (["--digits", "101"], ["got 101"]),
        (["--digits", "9" * 30], ["expected 0 to 100"]), (["--digits", "four"], ["'four' is not a valid integer"]),
        (["--zeros", "drop"], ["'keep', 'trim'"]), (["--rounding", "down"], ["'half-up', 'half-even'"]),
        (["--follow", "row"], ["[STEP:]row:NUMBER"]), (["--follow", "row:0"], ["'row:0'"]), (["--follow", "Z:row:x"], ["'Z:row:x'"]),
        (["--follow", "Z:row:2\n"], ["'Z:row:2?'"]), (["--follow", "Q7:row:1"], ["there is no step 'Q7'", "the steps are Q, K"]),
        (["--follow", "X:row:1"], ["there is no step 'X'"]), (["--follow", "Z:row:3"], ["Z has no row 3; the last one is 2"]),
        (["--follow", "Z:column:99"], ["Z has no column 99"]), (["--colour"], ["--colour"]),
    ],
)  # fmt: skip
def test_bad_options_get_one_line_and_write_nothing(command, tmp_path, verb, options, parts):
    out = ["--out", tmp_path / "pages"] if verb == "build" else []
    assert refused(command(verb, OUR, *options, *out), *parts)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("explaner_chaptr_4", ["'explaner_chaptr_4'", "did you mean explainer_chapter_4?"]),
        ("nothing_like_it", ["known are: ", "explainer_chapter_4"]),
        ("../derivations/explainer_chapter_4", ["no worked derivation"]),
        ("a\x1b[31m\u202e\n" + "x" * 99, ["no worked derivation is named 'a?[31m??xxx", "…'"]),
        ("missing.py", ["there is no file 'missing.py'"]),
        ("folder.py", ["there is no file"]),
        ("Bad-Name.py", ["'Bad-Name.py': the file name must be lower-case letters, digits and _"]),
        ("日本.py", ["the file name must be"]),
        ("broken.py", ["broken.py, line 2: '(' was never closed"]),
        ("latin.py", ["latin.py, line 1: ", "utf-8"]),
        ("nul.py", ["nul.py: source code string cannot contain null bytes"]),
        ("raises.py", ["raises.py, line 3: ValueError: two lines"]),
        ("quits.py", ["quits.py, line 1: SystemExit: 0"]),
        ("deep.py", ["deep.py, line 1: RecursionError"]),
        ("without.py", ["without.py: expected a Derivation named `derivation`"]),
        ("mistyped.py", ["mistyped.py: expected a Derivation"]),
        ("misfit.py", ["misfit.py, line 2: ShapeError", "2 x 3"]),
    ],
)
@pytest.mark.parametrize("verb", ["show", "build"])
def test_bad_names_and_files_getone_line(command, tmp_path, monkeypatch, verb, name, parts):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.py").mkdir()
    files = {
        "Bad-Name.py": b"x = 1", "broken.py": b"x = 1\ny = (\n", "latin.py": b"x = '\xff'\n", "nul.py": b"x = 1\0\n", "日本.py": b"",
        "raises.py": b"def f():\n\n    raise ValueError('two\\nlines')\n\nf()\n", "quits.py": b"import sys; sys.exit(0)\n", "without.py": b"x = 1\n",
        "deep.py": b"f = lambda: f(); f()\n", "mistyped.py": b"derivation = 'Q = X W_Q'\n",
        "misfit.py": b"from symtransformer import matrix\nmatrix('A', 2, 3) @ matrix('B', 2, 3)\n",
    }  # fmt: skip
    for file, content in files.items():
        (tmp_path / file).write_bytes(content)
    before = sorted(tmp_path.iterdir())
    assert refused(command(verb, name), *parts)
    assert sorted(tmp_path.iterdir()) == before


def test_missing_and_unknown_commands_getone_line(command):
    refused(command("show"), "Missing argument 'NAME'")
    refused(command("paint"), "No such command 'paint'")
    refused(command("show", OUR, OUR), "unexpected extra argument")
    refused(command("--colour"), "No such option")


def test_no_command_help_and_version_are_results(command):
    code, out, err = command()
    assert (code, err) == (0, "")
    assert "build" in out
    for arguments in (["--help"], ["-h"], ["show", "--help"], ["build", "-h"]):
        code, out, err = command(*arguments)
        assert (code, err) == (0, "")
        assert out.startswith("Usage: symtransformer")
    assert "give only files that you trust" in " ".join(command("build", "--help")[1].split())
    assert command("--version")[1] == f"symtransformer, version {__version__}\n"


def test_messages_are_cut_and_hold_no_control_characters():
    assert one_line("a\nb\x1b[0m\u202ec") == "a b [0m c"
    assert (len(one_line("x" * 999)), one_line("x" * 400)) == (400, "x" * 400)
    assert quoted("é\x07") == "'é?'"


def test_the_derivations_are_those_of_the_clone():
    assert folder_of_derivations() == ROOT / "derivations"
    assert known_derivations() == sorted(path.stem for path in (ROOT / "derivations").glob("*.py"))


def test_help_loads_no_sympy():
    assert importlib.util.find_spec("sympy") is not None
    code = (
        "import sys; sys.argv = ['symtransformer', '--help']\n"
        "from symtransformer.cli import main\n"
        "try: main()\n"
        "except SystemExit as ended: assert ended.code == 0\n"
        "print(sorted({'sympy', 'numpy', 'flint', 'jinja2'} & set(sys.modules)), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("Usage: symtransformer")
    assert ran.stderr == "[]\n"
