"""The rooms of the library and who may import whom, read from the line in CONTRIBUTING.md."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import types
from pathlib import Path

import pytest

import symtransformer

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "symtransformer"
FILES = sorted(PACKAGE.rglob("*.py"))
NAMES_AT_MOST = 25
# `X @ W` needs the product, and the product is written in terms of nodes: the one way back, by name only.
BRIDGES = {
    ("node", "symtransformer.operations"),
    ("display", "symtransformer.jupyter"),  # what a notebook shows, which needs every room to say
    ("rendering", "f'{__package__}.{module}'"),  # the printer of a format, below its own room
}
FORBIDDEN_CALLS = {"eval", "exec", "sympify", "parse_expr", "parse_latex", "compile_command", "__import__"}
FORBIDDEN_MODULES = {"resource", "signal"}


def rooms_in(text):
    """The names in the fenced line that begins with `errors →`."""
    inside, lines = False, []
    for line in text.splitlines():
        if line.startswith("```"):
            inside = not inside
        elif inside and line.strip().startswith("errors →"):
            lines.append(line)
    assert len(lines) == 1, f"expected one line `errors → ...` in a fenced block, found {len(lines)}"
    return [name.strip() for name in lines[0].split("→")]


def room_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(tree, room):
    """The full names of what a module imports, wherever the import stands; relative names resolved."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = ["symtransformer", room][: max(1, 3 - node.level)]
                base = ".".join([*above, base] if base else above)
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def called_by_name(tree):
    """Texts given to `import_module`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) == "import_module":
            argument = node.args[0]
            yield argument.value if isinstance(argument, ast.Constant) else ast.unparse(argument)


def _called(call):
    function = call.func
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


FENCE = {"checking/fence.py": {"signal", "resource"}}  # the one file that limits the process


def wrong_imports(source, room, rooms):
    """Imports that do not point to the left, or out to the worked derivations."""
    wrong = []
    for name in imported(ast.parse(source), room):
        parts = name.split(".")
        if parts[0] in {"derivations", *FORBIDDEN_MODULES} or name.startswith("symtransformer._derivations"):
            wrong.append(name)
        elif parts[0] == "symtransformer" and len(parts) > 1:
            other = parts[1]
            if other == room or other.startswith("__"):
                continue
            known = other in rooms and (room not in rooms or rooms.index(other) < rooms.index(room))
            wrong += [] if known else [name]
        elif name == "symtransformer":
            # `from symtransformer import x` gives the lazy names, so it may be any room
            wrong += [] if room == "cli" or f"{name}.__version__" in imported(ast.parse(source), room) else [name]
    return wrong


def wrong_calls(source):
    """Calls that would run somebody's text."""
    wrong = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        called = _called(node)
        lenient = called == "_sympify" and (len(node.args) != 1 or node.keywords)
        compiles = called == "compile" and isinstance(node.func, ast.Name)
        if called in FORBIDDEN_CALLS or lenient or compiles:
            wrong.append(ast.unparse(node))
        elif called == "S" and isinstance(node.func, ast.Name):  # S(text) is sympify
            texts = [a for a in node.args if isinstance(a, ast.JoinedStr) or isinstance(getattr(a, "value", None), str)]
            texts += [
                a for a in node.args if isinstance(a, ast.Call) and _called(a) in ("str", "format", "join", "repr")
            ]
            wrong += [ast.unparse(node)] if texts else []
    return wrong


@pytest.fixture(scope="module")
def rooms():
    return rooms_in((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))


def test_every_room_is_in_the_line(rooms):
    assert len(FILES) > 30
    assert len(set(rooms)) == len(rooms)
    assert {room_of(p) for p in FILES if not room_of(p).startswith("__")} == set(rooms)


def test_the_line_reads_as_agreed(rooms):
    wanted = ["errors", "node", "notation", "symbols", "operation", "operations"]
    assert rooms[:1] == wanted[:1]
    assert [r for r in rooms if r in wanted] == sorted(wanted, key=rooms.index)
    assert rooms[-2:] == ["cli", "jupyter"]  # the two surfaces


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_to_the_left(path, rooms):
    if path == PACKAGE / "__init__.py":
        assert list(imported(ast.parse(path.read_text(encoding="utf-8")), "__init__")) != []
        return
    wrong = set(wrong_imports(path.read_text(encoding="utf-8"), room_of(path), rooms))
    assert wrong - FENCE.get(str(path.relative_to(PACKAGE)), set()) == set()


def test_imports_by_name_are_the_known_ones():
    found = set()
    for path in FILES:
        if path.name == "__init__.py" and path.parent in (PACKAGE, PACKAGE / "operations"):
            continue  # these two load what is asked for, or what lies beside them
        found |= {(room_of(path), name) for name in called_by_name(ast.parse(path.read_text(encoding="utf-8")))}
    assert found == BRIDGES


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_nothing_runs_text(path):
    assert wrong_calls(path.read_text(encoding="utf-8")) == []


LINE = ["errors", "node", "notation", "symbols", "operation", "operations", "judge", "cli"]


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("node", "from symtransformer.operations import Softmax"),
        ("node", "def f():\n    from symtransformer.symbols import matrix"),
        ("errors", "import symtransformer.node"),
        ("errors", "from symtransformer import node"),
        ("operations", "from ..judge import verify"),
        ("operations", "from .. import judge"),
        ("judge", "import derivations.chapter"),
        ("judge", "from derivations import chapter"),
        ("cli", "from symtransformer.helpers import x"),
        ("cli", "import signal"),
        ("cli", "from resource import getrlimit"),
        ("judge", "from symtransformer import evaluate"),
    ],
)
def test_a_wrong_import_is_seen(room, source):
    assert wrong_imports(source, room, LINE) != []


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("cli", "from symtransformer import judge, __version__"),
        ("operations", "from .softmax import Softmax\nfrom symtransformer.operation import Primitive"),
        ("judge", "import sympy, symtransformer.node"),
    ],
)
def test_a_right_import_passes(room, source):
    assert wrong_imports(source, room, LINE) == []


@pytest.mark.parametrize(
    "source",
    ["eval(x)", "exec('a')", "sympify(x)", "sympy.sympify(x)", "parse_expr('x')", "S(str(x))", "S('x')", "S(f'{x}')", "compile(a, b, c)",
     "parse_latex(x)", "_sympify(x, strict=False)", "def f():\n    return sp.S.sympify(x)", "__import__('os')"],
)  # fmt: skip
def test_a_wrong_call_is_seen(source):
    assert len(wrong_calls(source)) == 1


def test_right_calls_pass():
    assert wrong_calls("_sympify(x)\nS(10)\nS(k)\nS.One\nre.compile('a')\nx.evalf()") == []


def test_the_line_is_read_from_its_block():
    assert rooms_in("text errors → x\n```\nerrors → node → cli\n```\n") == ["errors", "node", "cli"]
    for text in ("errors → node", "```\nerrors → a\nerrors → b\n```", ""):
        with pytest.raises(AssertionError, match="expected one line"):
            rooms_in(text)


# -- public names ---------------------------------------------------------------------------------------
def every_module():
    return [
        m.name for m in pkgutil.walk_packages(symtransformer.__path__, "symtransformer.") if "__main__" not in m.name
    ]


def test_public_names_survive_the_import_of_every_module():
    modules = every_module()
    assert len(modules) > 30
    for name in modules:
        importlib.import_module(name)
    assert len(symtransformer.__all__) <= NAMES_AT_MOST
    assert len(set(symtransformer.__all__)) == len(symtransformer.__all__)
    for name in symtransformer.__all__:
        value = getattr(symtransformer, name)
        assert not isinstance(value, types.ModuleType), name
        assert callable(value) or name == "__version__", name
    assert set(symtransformer.__all__) <= set(dir(symtransformer))
    with pytest.raises(AttributeError, match="no attribute"):
        symtransformer.nothing_of_this_name  # noqa: B018


def test_no_public_function_bears_the_name_of_a_module():
    modules = {name.rpartition(".")[2] for name in every_module()} & {room_of(p) for p in FILES}
    assert {"evaluation", "judge", "operation"} <= modules
    assert not modules & set(symtransformer.__all__)
    functions = set()
    for path in FILES:
        if room_of(path) == "cli":
            continue  # the last room, from which nobody imports
        body = ast.parse(path.read_text(encoding="utf-8")).body
        functions |= {
            e.name for e in body if isinstance(e, (ast.FunctionDef, ast.ClassDef)) and not e.name.startswith("_")
        }
    assert len(functions) > 60
    assert functions & modules == set()


def test_versions_agree():
    assert re.fullmatch(r"\d+\.\d+\.\d+", symtransformer.__version__)
