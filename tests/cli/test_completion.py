"""Completion as a shell asks for it: commands, options, names of derivations and of operations."""

import os
import shutil
import subprocess
import sys

import pytest

from symtransformer.cli.derivations import known_derivations


def completed(*words):
    """What a shell is offered for the last of these words."""
    environment = {
        **os.environ, "_SYMTRANSFORMER_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(["symtransformer", *words]), "COMP_CWORD": str(len(words)),
    }  # fmt: skip
    code = "from symtransformer.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, env=environment, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


def test_names_are_completed():
    assert completed("comp") == ["completion"]
    assert completed("show", "explainer_chapter_") == [
        n for n in known_derivations() if n.startswith("explainer_chapter_")
    ]
    assert completed("template", "layern") == ["LayerNorm"]
    assert "--check" in completed("build", "--")
    assert completed("check", "--against", "two_") == ["two_layers"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_each_shell(command, shell):
    code, out, err = command("completion", shell)
    assert (code, err) == (0, "")
    assert "_SYMTRANSFORMER_COMPLETE" in out
    assert "symtransformer" in out


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here that could read its script")
def test_bash_takes_the_script(command):
    script = command("completion", "bash")[1]
    assert subprocess.run(["bash", "-n"], check=False, input=script, text=True, timeout=20).returncode == 0


def test_no_other_shell_is_promised(command):
    code, out, err = command("completion", "tcsh")
    assert (code, out) == (2, "")
    assert "bash" in err
