"""The page of the README is a page: its Python block runs, verifies and prints in both languages."""

import re
import shlex
from pathlib import Path

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_page_of_ones_own_is_a_page(command, tmp_path):
    (block,) = [b for b in re.findall(r"```python\n(.*?)```", README, re.S) if b.startswith("# causal.py")]
    path = tmp_path / "causal.py"
    path.write_text(block, encoding="utf-8")
    for language in ("en", "ja"):
        code, out, err = command("show", str(path), "--lang", language, "--detail", "entries")
        assert (code, err) == (0, "")
        assert "7 proved, 0 tested, 0 undecidable, 0 refuted" in out
        assert "a_12 = u_12 / c_1 = 0 / " in out or "a_12 = u_12 / c_1 ≈ 0 / " in out  # masked: exactly 0
    assert "飲む: o_2 = " in out


def test_commands_print_what_the_page_shows(command):
    (block,) = re.findall(r"```console\n(.*?)```", README, re.S)
    shown = re.findall(r"^\$ symtransformer (.*)\n((?:(?!\$ ).*\n)*)", block, re.M)
    assert len(shown) == 2
    for line, expected in shown:
        assert command(*shlex.split(line)) == (0, expected, "")


def test_both_commands_are_one_line_each():
    commands = [b for b in re.findall(r"```sh\n(.*?)```", README, re.S) if "venv" in b]
    assert [c.count("\n") for c in commands] == [1, 1]
    assert "build explainer_chapter_4" in commands[0]
    assert commands[1].rstrip().endswith("-m pytest -n 2 --dist loadfile")
