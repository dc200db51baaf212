"""Hostile documents: nothing runs, nothing appears, nothing is raised, and each is answered within two seconds and one GiB.

Time is that of the processor, and is measured against some arithmetic that is done beside it, so that neither a busy machine
nor a slower one makes a difference. A sample is checked by the command in processes
that the system itself limits.
"""

import json
import os
import resource
import subprocess
import sys
import time
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from hostile_documents import all_documents

from symtransformer.checking.checks import check
from symtransformer.checking.equations import VERDICTS
from symtransformer.errors import SymtransformerError
from symtransformer.rendering.check_report import render_report

DOCUMENTS = all_documents()
SECONDS, BYTES = 2.0, 1 << 30
SLACK = 1.5
ARITHMETIC = 0.1  # seconds for what `slowness` does, on the machine where two seconds are wanted
GROUPS = 24
LOADING = "x = [1, 2]\nsoftmax(x) = [0.1, 0.2]\nF = A B\nF = B A"  # makes the library load what it loads once


def group(name):
    return zlib.crc32(name.encode()) % GROUPS


def slowness():
    """How many times longer than wanted this machine takes now; at least once."""
    begun = time.process_time()
    total = 0
    for number in range(2_000_000):
        total += number * number % 7
    return max(1.0, (time.process_time() - begun) / ARITHMETIC)


def is_slow(spent):
    return spent > SECONDS * SLACK and spent > SECONDS * SLACK * slowness()


def timed(name):
    begun = time.process_time()
    report = check(DOCUMENTS[name], name=name)
    pages = [render_report(report, form, "ja", everything=True) for form in ("terminal", "lines", "json", "markdown")]
    return report, pages, time.process_time() - begun


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield
    assert os.listdir(tmp_path) == []


def test_there_are_enough():
    assert len(DOCUMENTS) >= 300
    assert len({zlib.crc32(content) for content in DOCUMENTS.values()}) >= len(DOCUMENTS) - 5


@pytest.mark.parametrize("part", range(GROUPS))
def test_each_is_answered_soon(part):
    check(LOADING)
    slow = []
    for name in sorted(n for n in DOCUMENTS if group(n) == part):
        report, pages, spent = timed(name)
        if is_slow(spent):  # what else the machine does may cost once, and not twice
            spent = min(spent, timed(name)[-1])
        for shown in pages:
            assert shown.isprintable() or {c for c in shown if not c.isprintable()} <= {"\n", "\u3000"}, name
            assert "root:" not in shown
        if is_slow(spent):
            slow.append((name, round(spent, 1)))
        lines = DOCUMENTS[name].count(b"\n") + DOCUMENTS[name].count(b"\r") + DOCUMENTS[name].count(b"\\n") + 20
        for equation in report.equations:
            assert equation.verdict in VERDICTS
            assert 1 <= equation.line <= lines
            assert equation.column >= 1
    assert slow == []


LIMITED = """
import resource, sys
from symtransformer.cli import main
from symtransformer.cli.check import check_command
import symtransformer.checking.checks, symtransformer.rendering.check_report
def limit():
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + {bytes}, used + {bytes}))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))
"""
# each document in a process of its own, which starts where the libraries are loaded already
EACH = """
import json, os
found = {}
for path in sys.argv[1:]:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(write, 2)
        os.close(read), os.close(write)
        limit()
        sys.argv = ["symtransformer", "check", "--jobs", "1", "--all", "--format", "json", path]
        main()
        sys.exit("the command did not end")
    os.close(write)
    with os.fdopen(read, errors="replace") as pipe:
        said = pipe.read()
    found[os.path.basename(path)] = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said
print(json.dumps(found))
"""
SAMPLE = [
    "squares.txt", "exps.txt", "shown_softmaxes_wide.txt", "tower_000.md", "tower_013.txt", "tower_096.txt", "entries_wrong.txt",
    "product_chain.txt", "chain_500_wrong.txt", "formula_binomial_40.txt", "latex_doubling.tex", "latex_write.tex", "laughs.html", "all.md",
    "call_00.md", "wrong_block.txt",
]  # fmt: skip


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """How each document of the sample ended, and what was said on standard error."""
    folder = tmp_path_factory.mktemp("hostile")
    for name in SAMPLE:
        (folder / name).write_bytes(DOCUMENTS[name])
    code = LIMITED.format(bytes=BYTES, seconds=8) + f"symtransformer.checking.checks.check({LOADING!r})\n" + EACH
    ran = subprocess.run(
        [sys.executable, "-c", code, *(str(folder / name) for name in SAMPLE)],
        capture_output=True, check=True, timeout=480, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, cwd=folder,
    )  # fmt: skip
    assert sorted(os.listdir(folder)) == sorted(SAMPLE)
    return json.loads(ran.stdout)


@pytest.mark.parametrize("name", SAMPLE)
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not tell how much memory is used")
def test_the_system_itself_limits_them(name, ended):
    """1 GiB and 8 s of the processor beyond what is loaded once; no byte may be written."""
    code, said = ended[name]
    assert code in (0, 1, 2), (code, said[-500:])
    assert "Traceback" not in said
    assert "internal" not in said
    assert "could not" not in said or name == "all.md"


VALUES = [
    "Q = __import__('os').system('touch owned')", "Q = '[[1, 2'", "Q = [[9e999999999]]", "Q = [[1], [2, 3]]", "Q = [[nan]]", "Q = [[1, inf]]", "Q = 2024-01-01",
    "Q = [" + "1," * 5000 + "1]", "Q = '9**9**9**9'", "Q = [['9^9^9^9']]", "'' = 1", "'Q K' = 1", "__class__ = 1", "'a\\u202e' = 1", "Q = true", "Q = {}", "Q = [[[1]]]",
    "x." * 100 + "y = 1", "Q = [['exp(exp(exp(exp(exp(exp(9))))))']]", "Q = '" + "(" * 500 + "'", "expression = '" + "a" * 5000 + "'",
    "expression = 'S = __import__(\"os\")'", "expression = 'S = Q^{9^9^9}'\n[values]\nQ = [[2]]", "expression = 5", "operation = 'os.system'", "expression = 'x = ' ",
    "\x00", "Q = 1\nQ = 2", "[values]\nQ = [[1]]\n[values]\nQ = [[2]]", "[[values]]\nQ = 1", "expression = 'S = softmax(Q)'\n[values]\nQ = 'open(\"owned\", \"w\")'",
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(VALUES)))
def test_hostile_values_to_check_against(number, command, tmp_path_factory):
    folder = tmp_path_factory.mktemp("values")
    (folder / "mine.toml").write_text(VALUES[number], encoding="utf-8")
    (folder / "a.md").write_text("$Q = [[1]]$, $S = 3$", encoding="utf-8")
    begun = time.process_time()
    code, out, err = command("check", "--against", folder / "mine.toml", folder / "a.md", "--format", "lines")
    assert time.process_time() - begun < SECONDS * SLACK
    assert code in (0, 1, 2)
    assert "Traceback" not in out + err
    assert err.count("\n") <= 3  # the message, and the place in the expression
    assert err == "" or err.startswith("symtransformer: ")


OPTIONS = [
    ["--name", "S=__import__('os')"], ["--name", "=" * 5000], ["--name", "\x00=a"], ["--encoding", "../../etc"], ["--encoding", "idna"], ["--encoding", "zlib"],
    ["--encoding", "unicode_escape"], ["--encoding", "x" * 5000], ["--folder", "/proc/self/fd"], ["--folder", "\u202e"], ["--kind", "latex'"], ["--lang", "ja_JP"],
    ["--jobs", "-99999999999999999999"], ["--jobs", "1e3"], ["--format", "json;touch owned"], ["--against", "../../etc/passwd"], ["--against", "/dev/zero"], ["--against", "|touch owned"],
    ["--against", "a" * 5000], ["--against", "os"], ["--against", "__main__"], ["--against", "\u202e.toml"],
]  # fmt: skip
PATHS = ["/dev/zero", "/dev/null", "/proc/self/mem", "/", "", "a" * 300, "a\nb", "\u202e", "~", "*", "|ls", "$(touch owned)", "/proc/self/environ/x", "../" * 500]  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: repr(o)[:40])
def test_hostile_options(options, command, tmp_path_factory):
    path = tmp_path_factory.mktemp("options") / "a.md"
    path.write_text("$1 + 1 = 3$", encoding="utf-8")
    begun = time.process_time()
    code, out, err = command("check", path, *options)
    assert time.process_time() - begun < SECONDS * SLACK
    assert code in (0, 1, 2)
    assert "Traceback" not in out + err
    assert err.count("\n") <= 1


@pytest.mark.parametrize("path", PATHS, ids=lambda p: repr(p)[:40])
def test_hostile_paths(path, command):
    begun = time.process_time()
    code, out, err = command("check", "--jobs", "1", "--", path)
    assert time.process_time() - begun < SECONDS * SLACK
    assert code in (0, 2)
    assert "Traceback" not in out + err
    assert err.count("\n") <= 1


SOURCES = [None, 5, 1.5, [], [1], ["a"], {}, object(), b"", "", "\ud800 = 1", "\x00", ("a = 1",), Path("nowhere"), [Path("\x00")], [Path(".")], bytearray(b"1 + 1 = 3"), memoryview(b"x")]  # fmt: skip


@pytest.mark.parametrize("number", range(len(SOURCES)))
def test_hostile_sources_in_python(number):
    """A report, or an error of the library."""
    with suppress(SymtransformerError):
        assert all(file.error.isprintable() for file in check(SOURCES[number]).files)


def test_the_limits_of_the_tests_are_limits():
    """A process with these limits cannot write, nor use more memory."""
    code = "import resource\n" + LIMITED[LIMITED.index("def limit") :].format(bytes=1 << 28, seconds=2) + "limit()"
    for attempt in ("bytearray(1 << 30)", "open('owned', 'w').write('x' * 10**6)", "while True: pass"):
        ran = subprocess.run([sys.executable, "-c", f"{code}\n{attempt}"], capture_output=True, check=False, timeout=60)
        assert ran.returncode != 0, attempt
    assert resource.getrlimit(resource.RLIMIT_CPU)[0] != 2
    Path("owned").unlink(missing_ok=True)
