"""solve, evaluate, template: end to end, own numbers without any Python."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import mpmath
import pytest
from test_cli import refused

ATTENTION = """expression = "softmax(Q K^T / sqrt(d_k)) V"
[values]
Q = [[1, 0.5, 0], [0, 2, 1]]
K = [[1, 1, 0], [0.25, 1, 2], [2, 0, 1], ["1/3", 0, 0]]
V = [[1, 0], [0, 3], [1, 1], [-2, 0.5]]
"""
FOUR_LINES = '''title = { en = "Masked attention", ja = "マスク付きアテンション" }
expression = """
A = softmax(Q K^T / sqrt(d_k) + causal(n))
Z = A V
O = Z W_O
N = LayerNorm(X + O)
"""
lang = "ja"
[values]
Q = [[1, 0], [0.5, 1], [0, 2]]
K = [[1, 1], [0, 1], [2, 0]]
V = [[1, 0, 2], [0, 3, 1], [1, 1, 1]]
W_O = [[1, 0], [0, 1], [1, -1]]
X = [["1/3", 0.25], [1, 1], [0, 2]]
[labels]
n = [{ en = "I", ja = "私" }, { en = "drink", ja = "飲む" }, { en = "tea", ja = "お茶" }]
[options]
digits = 6
'''


def run(*arguments, stdin=None):
    """The command line as a process of its own."""
    ran = subprocess.run(
        [sys.executable, "-m", "symtransformer", *map(str, arguments)],
        input=stdin, capture_output=True, text=True, check=False, encoding="utf-8",
    )  # fmt: skip
    return ran.returncode, ran.stdout, ran.stderr


@pytest.fixture
def file(tmp_path):
    def write(text, name="mine.toml"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return write


def numbers_in(text):
    return [[mpmath.mpf(x) for x in re.findall(r"-?[0-9.]+", row)] for row in re.findall(r"\[([^\[\]]*)\]", text)]


def attention_by_mpmath():
    with mpmath.workdps(50):
        Q = mpmath.matrix([[1, 0.5, 0], [0, 2, 1]])
        K = mpmath.matrix([[1, 1, 0], [0.25, 1, 2], [2, 0, 1], [mpmath.mpf(1) / 3, 0, 0]])
        V = mpmath.matrix([[1, 0], [0, 3], [1, 1], [-2, 0.5]])
        e = (Q * K.T / mpmath.sqrt(3)).apply(mpmath.exp)
        return [
            [sum(e[i, k] * V[k, j] for k in range(4)) / sum(e[i, k] for k in range(4)) for j in range(2)]
            for i in range(2)
        ]


def masked_by_mpmath():
    """The last line of FOUR_LINES, entry by entry."""
    with mpmath.workdps(50):
        Q, K = [[1, 0], [mpmath.mpf(1) / 2, 1], [0, 2]], [[1, 1], [0, 1], [2, 0]]
        V, W = [[1, 0, 2], [0, 3, 1], [1, 1, 1]], [[1, 0], [0, 1], [1, -1]]
        X = [[mpmath.mpf(1) / 3, mpmath.mpf(1) / 4], [1, 1], [0, 2]]
        rows = []
        for i in range(3):
            e = [mpmath.exp(sum(Q[i][c] * K[j][c] for c in range(2)) / mpmath.sqrt(2)) for j in range(i + 1)]
            z = [sum(e[j] * V[j][c] for j in range(i + 1)) / sum(e) for c in range(3)]
            r = [X[i][c] + sum(z[k] * W[k][c] for k in range(3)) for c in range(2)]
            mean = sum(r) / 2
            variance = sum((x - mean) ** 2 for x in r) / 2
            rows.append([(x - mean) / mpmath.sqrt(variance + mpmath.mpf(10) ** -5) for x in r])
        return rows


def close(found, wanted, places):
    return all(
        abs(x - y) <= mpmath.mpf(10) ** -places / 2
        for row, other in zip(found, wanted, strict=True)
        for x, y in zip(row, other, strict=True)
    )


def test_an_attention_by_its_expression(file):
    code, out, err = run("solve", "--values", file(ATTENTION), "--digits", "7")
    assert (code, err) == (0, "")
    assert out.splitlines()[1] == "# command: symtransformer solve --values mine.toml --format txt --lang en --digits 7"
    assert re.search(r"# steps: (\d+): \1 proved, 0 tested, 0 undecidable, 0 refuted", out)
    result = [line for line in out.splitlines() if "≈ [[" in line][-1]
    assert close(numbers_in(result.split("≈")[-1]), attention_by_mpmath(), 7)


def test_a_mask_a_projection_and_a_norm_in_four_lines_with_japanese_labels(file):
    code, out, err = run("solve", "--values", "-", stdin=FOUR_LINES)
    assert (code, err) == (0, "")
    assert "symtransformer solve --values - --format txt --lang ja --digits 6" in out
    assert "マスク付きアテンション" in out
    assert "私, 飲む, お茶" in out
    assert "proved, 0 tested, 0 undecidable, 0 refuted" in out
    result = [line for line in out.splitlines() if "≈ [[" in line][-1]
    assert close(numbers_in(result.split("≈")[-1].partition("（")[0]), masked_by_mpmath(), 6)
    for name in ("A", "Z", "O", "N"):
        assert f"-- {name}: " in out


def test_solve_writes_files_like_build(command, file, tmp_path):
    out = tmp_path / "pages"
    code, shown, err = command(
        "solve", "--values", file(FOUR_LINES), "--out", out, "--lang", "en,ja", "--format", "tex,txt"
    )
    assert (code, err) == (0, "")
    expected = [out / language / f"mine.{form}" for language in ("en", "ja") for form in ("tex", "txt")]
    assert shown.splitlines() == list(map(str, expected))
    assert all(path.read_text("utf-8").count("--digits 6") == 1 for path in expected)
    assert "Masked attention" in expected[0].read_text("utf-8")
    refused(
        command("solve", "--values", file(ATTENTION, "Mine.toml"), "--out", out), "'Mine.toml': the file name must be"
    )


def test_options_of_the_command_line_count_before_those_of_the_file(command, file):
    path = file(FOUR_LINES)
    assert "--lang en --digits 6" in command("solve", "--values", path, "--lang", "en")[1]
    assert "--lang ja --digits 2" in command("solve", "--values", path, "--digits", "2")[1]
    assert "--lang ja --significant 3" in command("solve", "--values", path, "--significant", "3")[1]
    refused(
        command("solve", "--values", file(FOUR_LINES + 'zeros = "off"\n')),
        "mine.toml, line 19: zeros: 'off' is not one of",
    )
    refused(
        command("solve", "--values", file(FOUR_LINES.replace("digits = 6", 'digits = "x"'))),
        "mine.toml, line 18: digits: ",
    )


@pytest.mark.parametrize(
    "options",
    [["--only", "Z,O"], ["--row", "2"], ["--detail", "problem"], ["--significant", "3"], ["--round-steps", "4"],
     ["--only", "Z", "--row", "3"], ["--follow", "Z:row:2"], ["--detail", "entries"]],
)  # fmt: skip
def test_every_option_of_the_pages_is_there(command, file, options):
    code, out, err = command("solve", "--values", file(FOUR_LINES.replace("digits = 6", "")), *options)
    assert (code, err) == (0, "")
    assert " ".join(options) in out


def test_only_and_row_take_what_exists(command, file):
    path = file(FOUR_LINES)
    only = command("solve", "--values", path, "--only", "Z")[1]
    assert "-- Z: " in only
    assert "-- O: " not in only
    refused(command("solve", "--values", path, "--only", "Y7"), "there is no step 'Y7'")
    refused(command("solve", "--values", path, "--row", "0"), "--row: rows are counted from 1, got 0")
    refused(command("solve", "--values", path, "--row", "4"), "there is no row 4")


def test_an_operation_may_be_named_on_the_command_line(command, file):
    text = ATTENTION.replace('expression = "softmax(Q K^T / sqrt(d_k)) V"\n', "")
    code, out, _ = command("solve", "Attention", "--values", file(text))
    assert code == 0
    assert "symtransformer solve Attention --values mine.toml" in out
    refused(command("solve", "--values", file(text)), "mine.toml: there is neither an operation nor an expression")
    refused(command("solve", "Atention", "--values", file(text)), "no operation is named 'Atention'")
    refused(
        command("solve", "Softmax", "--values", file(ATTENTION)), "an operation and an expression; give one of them"
    )
    refused(command("solve", "Softmax"), "which numbers? name a file with --values")


# -- evaluate --------------------------------------------------------------------------------------------------------
def test_evaluate_prints_numbers_only(file):
    expression = "softmax(Q K^T / sqrt(d_k)) V"
    path = file(ATTENTION)
    wanted = attention_by_mpmath()
    for options, places in ((["--digits", "9"], 9), (["--numpy"], 13), ([], 4)):
        code, out, err = run("evaluate", expression, "--values", path, *options)
        assert (code, err) == (0, "")
        assert close(numbers_in(out), wanted, places)
    code, out, _ = run("evaluate", r"\operatorname{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V", "--values", path)
    assert close(numbers_in(out), wanted, 4)


def test_evaluate_of_lines_gives_each_by_its_name(command):
    code, out, err = command("evaluate", "X = [[1, 0.5], [0, 2]]\nY = X X\nsoftmax(Y) / 2", "--digits", "3")
    assert (code, err) == (0, "")
    assert out == "Y = [[1, 1.5], [0, 4]]\n[[0.189, 0.311], [0.009, 0.491]]\n"
    assert command("evaluate", "[[1, 2]] [[1], [1/2]] / sqrt(2)", "--exact")[1] == "[[sqrt(2)]]\n"
    assert command("evaluate", "[[1/3, 1]] [[1], [1]]", "--significant", "3")[1] == "[[1.33]]\n"


def test_evaluate_asks_for_every_value(command):
    refused(command("evaluate", "Q K"), "Q (n x d_k) has no value; give it in [values], or by a line Q = [[...]]")
    refused(command("evaluate", "X = [[1]]\nX Y"), "Y (d_model x d) has no value")
    assert command("evaluate", "X = [[1, 2]]\nX / d")[1] == "[[1/d, 2/d]]\n"


def test_a_file_without_numbers_gives_a_page_of_formulas(command, file):
    code, out, err = command("solve", "--values", file("expression = 'softmax(Q K^T / sqrt(d_k)) V'"))
    assert (code, err) == (0, "")
    assert "R = Q K^T" in out or "Q K^T / sqrt(d_k)" in out


def test_evaluate_reads_standard_input():
    assert run("evaluate", "-", "--exact", stdin="X = [[1, 2]]\nX X^T\n") == (0, "[[5]]\n", "")


def test_shapes_are_printed_on_request(command, file):
    out = "Q: n d_k  # inferred\nK: m d_k  # inferred\nV: m d_v  # inferred\n# result: n d_v\n"
    assert command("evaluate", "softmax(Q K^T / sqrt(d_k)) V", "--shapes") == (0, out, "")
    path = file(ATTENTION)
    for words in (("solve",), ("evaluate", "softmax(Q K^T / sqrt(d_k)) V")):
        code, out, _ = command(*words, "--values", path, "--shapes")
        assert (code, out.splitlines()[1:]) == (
            0,
            ["K: 4 3  # m d_k, inferred", "V: 4 2  # m d_v, inferred", "# result: 2 2  # n d_v"],
        )


def test_an_error_points_at_the_character(file):
    code, out, err = run("evaluate", "softmax(Q K^T / sqrt(d_k) V)")
    assert (code, out) == (2, "")
    assert err == (
        "symtransformer: line 1, column 27: what stands below the / is not clear; use brackets, or * after it [after_slash]\n"
        "  softmax(Q K^T / sqrt(d_k) V)\n"
        "                            ^\n"
    )
    code, out, err = run(
        "solve", "--values", file('expression = """\nS = Q K^T\nA = softmax(S V)\n"""\n[values]\nQ = [[1]]\n')
    )
    assert code == 2
    code, out, err = run("evaluate", "Q: 2 3\nK: 2 3\nQ K\x1b[31m")
    assert (code, out) == (2, "")
    assert "\x1b" not in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ATTENTION.replace("[2, 0, 1], ", ""), "mine.toml, line 5: V: expected a matrix of size 3 x d_v (m x d_v; m from K), got 4 x 2"),
        (ATTENTION.replace("values", "vlaues"), "mine.toml, line 2: there is no key 'vlaues'; did you mean values?"),
        (ATTENTION.replace("[[1, 0], [0, 3]", "[[1, 0], [0]"), "mine.toml, line 5: V: row 1 has 2 entries, row 2 has 1"),
        (ATTENTION + '[labels]\nn = ["a\\u202e"]', "mine.toml, line 7: labels: the character U+202E"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_named_with_its_line(command, file, text, message):
    refused(command("solve", "--values", file(text)), message)


def test_files_that_cannot_be_read_are_no_traceback(command, tmp_path):
    refused(command("solve", "--values", tmp_path / "none.toml"), "reading ", "No such file")
    refused(command("solve", "--values", tmp_path), "reading ", "directory")
    (tmp_path / "latin.toml").write_bytes(b"x = 1\n# \xff")
    refused(command("solve", "--values", tmp_path / "latin.toml"), "latin.toml, line 2: this is not UTF-8")
    (tmp_path / "big.toml").write_bytes(b"#" * 2_000_001)
    refused(command("solve", "--values", tmp_path / "big.toml"), "big.toml: more than 2000000 bytes")
    refused(command("evaluate", "-", "--values", "-"), "only one of expression and values")
    refused(command("evaluate", "Q K", "--exact", "--numpy"), "choose one of")


def test_hostile_text_runs_nothing(command, file, tmp_path):
    mark = tmp_path / "mark"
    for text in (f"__import__('os').system('touch {mark}')", f"open('{mark}', 'w')", "().__class__.__bases__[0]"):
        assert command("evaluate", text)[0] == 2
        quoted = json.dumps(text)
        for contents in (
            f"expression = {quoted}",
            f"operation = {quoted}",
            f"expression = 'A B'\n[values]\nA = [[{quoted}]]",
        ):
            assert command("solve", "--values", file(contents))[0] == 2
    assert not mark.exists()


# -- template ----------------------------------------------------------------------------------------------------------
def test_a_template_is_filled_in_and_solved(command, file):
    code, out, err = command("template", "attention", "--lang", "ja")
    assert (code, err) == (0, "")
    assert 'operation = "ScaledDotProductAttention"\nlang = "ja"' in out
    assert "Q = []  # queries: n x d_k\nK = []  # keys: m x d_k\nV = []  # values: m x d_v" in out
    assert "# M = []  # mask: n x m、成分は 0 と -inf。因果マスクの例: [[0, -inf], [0, 0]]、省略可" in out
    english = command("template", "attention")[1]
    assert "# M = []  # mask: n x m, entries 0 and -inf; a causal one: [[0, -inf], [0, 0]], may be left out" in english
    refused(
        command("solve", "--values", file(out)),
        "mine.toml, line 7: Q: expected rows of numbers, as in [[1, 0], [0.5, 1]]",
    )
    filled = (
        out.replace("Q = []", "Q = [[1, 2]]")
        .replace("K = []", "K = [[0, 1], [1, 1]]")
        .replace("V = []", "V = [[1], [2]]")
    )
    code, page, err = command("solve", "--values", file(filled))
    assert (code, err) == (0, "")
    assert "proved" in page
    assert "--lang ja" in page
    refused(command("template", "Atention"), "no operation is named 'Atention'; did you mean")


# -- the bar -------------------------------------------------------------------------------------------------------------
def test_a_terminal_gets_a_bar_and_a_pipe_none(monkeypatch, capsys):
    from symtransformer.cli.commands import progress

    for terminal in (False, True):
        monkeypatch.setattr(sys.stderr, "isatty", lambda terminal=terminal: terminal, raising=False)
        with progress([1, 2], "working out") as items:
            assert list(items) == [1, 2]
        out, err = capsys.readouterr()
        assert out == ""
        assert ("working out" in err) is terminal


def test_the_values_file_of_the_readme_is_solved(command, file):
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(# masked\.toml\n.*?)```", readme, re.S)
    for language in ("en", "ja"):
        code, out, err = command("solve", "--values", file(block, "masked.toml"), "--lang", language)
        assert (code, err) == (0, "")
        assert re.search(r"# steps: (\d+): \1 proved", out)
    assert "お茶" in out
    assert command("evaluate", "softmax(Q K^T / sqrt(d_k)) V", "--values", file(block, "masked.toml"))[0] == 0


# -- what is said twice, too large, or no text -------------------------------------------------------------------------
def test_a_last_line_may_name_a_line_before_it(command):
    assert command("evaluate", "X = [[1, 2]]\nA = X X^T\nA")[:2] == (0, "A = [[5]]\n[[5]]\n")
    assert command("evaluate", "X = [[1, 2]]\nA = X X^T\nB = X X^T\nX^T B")[1].splitlines()[:2] == [
        "A = [[5]]",
        "B = [[5]]",
    ]


def test_numbers_that_cannot_be_written_are_no_traceback(command):
    text = "A = [[7, 2], [1, 3]]\nB = A^64\nC = B^64\nD = C^64"
    refused(command("evaluate", text), "a number above 1e5000 is not written")
    refused(command("evaluate", "causal(150)"), "a matrix of 150 x 150 has more than 4096 entries")


@pytest.mark.parametrize(
    ("content", "code"), [(b"\xef\xbb\xbfX = [[1, 2]]\nX X^T", 0), (b"\xff\xfeX\x00", 2), (b"\x83\x5c", 2)]
)
def test_standard_input_is_utf_8_with_a_mark_or_without(content, code):
    done = subprocess.run(
        [sys.executable, "-m", "symtransformer", "evaluate", "-"], input=content, capture_output=True, check=False
    )
    assert done.returncode == code
    assert done.stdout == (b"[[5]]\n" if code == 0 else b"")
    assert code == 0 or b"standard input, line 1: this is not UTF-8" in done.stderr


def test_a_pipe_with_a_name_is_no_file(command, tmp_path):
    os.mkfifo(tmp_path / "pipe.toml")
    refused(command("solve", "--values", tmp_path / "pipe.toml"), "this is no file")


def test_pages_appear_together_or_not_at_all(command, file, tmp_path):
    out = tmp_path / "out"
    (out / "ja" / "mine.txt").mkdir(parents=True)
    refused(command("solve", "--values", file(ATTENTION), "--lang", "en,ja", "--out", out), "it is a directory")
    assert not (out / "en").exists()


def test_the_language_may_stand_among_the_options(command, file):
    assert "--lang ja" in command("solve", "--values", file(ATTENTION + '[options]\nlang = "ja"\n'))[1]


@pytest.mark.parametrize("name", ["CachedAttention", "RecurrentStep", "MultiHead"])
def test_a_template_has_letters_and_sizes_that_fit_together(command, file, name):
    text = command("template", name)[1]
    sizes = {"n": 2, "m": 3, "d": 2, "d_k": 2, "d_v": 1, "d_model": 2, "d_memory": 4, "d_v*heads": 2, "1": 1}

    def rows(found):
        value = json.dumps([[1 + (i + j) % 3 for j in range(sizes[found[4]])] for i in range(sizes[found[3]])])
        return f"{found[2]} = {f'[{value}, {value}]' if 'each head' in found[0] else value}"

    filled = re.sub(r"(# )?(\w+) = \[\]  # (?:\w+: )(\S+) x ([^\s,]+).*", rows, text).replace("heads = 0", "heads = 2")
    code, page, err = command("solve", "--values", file(filled))
    assert (code, err) == (0, "")
    assert "proved" in page
