"""Mutation testing by its own command: `python tests/mutants.py --sample 40 --seed 1 [FILE...]`.

Small changes of the code, one at a time, each of which some test has to notice. Which tests run which line is found out
first, so that a change is tried only on those, the quick ones first; a line that no test runs is a survivor.
"""

import argparse
import ast
import copy
import importlib.util
import os
import random
import resource
import signal
import sys
import time
import traceback
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "symtransformer"
ROOMS = ("reading", "documents", "claims", "checking", "rendering", "cli")  # each is built on those before it
FILES = [
    *(f"checking/{name}.py" for name in (
        "claimed_values", "regions", "remarks", "values", "number_equations", "numeric", "defining", "definitions",
        "computing", "put_in_numbers", "equal_sides", "tracing", "rounded_operands", "termwise",
        "two_expressions", "situation", "inequalities", "function_values", "mask_signs",
    )),
    *sorted(str(path.relative_to(PACKAGE)) for path in (PACKAGE / "reading").glob("side*.py")),
    "reading/claimed_numbers.py",
    *(f"documents/{name}.py" for name in ("inequalities", "bars", "unread_signs")),
    *sorted(str(path.relative_to(PACKAGE)) for path in (PACKAGE / "rendering/check_report").glob("*.py")),
]  # fmt: skip
TESTS = {
    "checking": [
        "checking/test_engine_numbers.py", "checking/test_engine_chains.py", "checking/test_engine_shapes.py", "checking/test_number_verdicts.py",
        "checking/test_number_excuses.py", "checking/test_engine_two_expressions.py", "checking/test_engine_put_in.py",
        "checking/test_engine_definitions.py", "checking/test_engine_rounding.py", "checking/test_nothing_silent.py",
    ],
    "documents": ["checking/test_nothing_silent.py", "documents/test_small_signs.py", "documents/test_document_lines.py"],
    "reading": [
        "reading/test_sides.py", "reading/test_sides_names.py", "checking/test_claimed_numbers.py", "checking/test_engine_numbers.py",
        "checking/test_engine_shapes.py",
    ],
    "rendering": [f"rendering/test_check_report{name}.py" for name in ("", "_annotated", "_escaping", "_hostile", "_json")],
}  # fmt: skip
SECONDS_OF_TESTS, TESTS_AT_MOST = 12.0, 200
SWAPPED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot,
    ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Add, ast.Pow: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip

# Changes that no test can notice, as nothing else comes out:
# - `return False` to `return None` where only the truth is asked for (termwise._is_between, put_in_numbers._matched);
# - put_in_numbers.judged, `has_names or free_symbols` to `and`: a letter that is read without being known does not occur;
# - put_in_numbers._matched, `is or ==` to `and`: equal trees, if not the same one, are found equal part by part;
# - put_in_numbers._matched, `strict` of two pairs; two_expressions.ELSEWHERE, any other value does;
# - two_expressions._is_size, the default of `is_Integer`, which every number has.


# -- mutants --------------------------------------------------------------------------------------------------------
def mutants(source):
    """(line, what was done, mutated tree) of every small change."""
    tree = ast.parse(source)
    skipped = _not_code(tree)
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in skipped:
            continue
        for what in _changes(node):
            changed = copy.deepcopy(tree)
            twin = next(other for k, other in enumerate(ast.walk(changed)) if k == number)
            _change(twin, what)
            ast.fix_missing_locations(changed)
            yield node.lineno, f"{what}: {ast.unparse(node)[:70]}", changed


def _not_code(tree):
    """Annotations, docstrings, imports and the heads of dataclasses."""
    found = set()
    for node in ast.walk(tree):
        inner = []
        for field in ("annotation", "returns"):
            inner.append(getattr(node, field, None))
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            inner.append(node)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            inner += node.decorator_list
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Subscript)
            and isinstance(node.targets[0], ast.Name)
        ):
            inner += [node] if node.targets[0].id in ("Cells", "Job", "Source") else []
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inner.append(node)
        for part in inner:
            found |= {id(n) for n in ast.walk(part)} if part is not None else set()
    return found


def _changes(node):
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in SWAPPED:
        yield "other comparison"
        if isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
            yield "turned comparison"
    elif isinstance(node, (ast.BinOp, ast.BoolOp)) and type(node.op) in SWAPPED and not _is_of_text(node):
        yield "other operator"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield "operator left out"
    elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield "condition reversed"
    elif (
        isinstance(node, ast.Return)
        and node.value is not None
        and not (isinstance(node.value, ast.Constant) and node.value.value is None)
    ):
        yield "nothing returned"
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "other truth"
    elif isinstance(node, ast.Constant) and isinstance(node.value, int) and hasattr(node, "lineno"):
        yield "one more"
    elif isinstance(node, (ast.AugAssign, ast.Continue, ast.Break)) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield "left out"


def _is_of_text(node):
    return isinstance(node, ast.BinOp) and any(
        isinstance(side, (ast.JoinedStr, ast.List, ast.Tuple))
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in (node.left, node.right)
    )


def _change(node, what):
    if what == "other comparison":
        node.ops = [SWAPPED[type(node.ops[0])]()]
    elif what == "turned comparison":
        node.ops = [ast.Gt() if isinstance(node.ops[0], (ast.Lt, ast.LtE)) else ast.Lt()]
    elif what == "other operator":
        node.op = SWAPPED[type(node.op)]()
    elif what == "operator left out":
        _become(node, node.operand)
    elif what == "condition reversed":
        node.test = ast.UnaryOp(ast.Not(), node.test)
    elif what == "nothing returned":
        node.value = ast.Constant(None)
    elif what == "other truth":
        node.value = not node.value
    elif what == "one more":
        node.value += 1
    else:
        _become(node, ast.Pass())


def _become(node, other):
    at = {name: getattr(node, name) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")}
    node.__class__ = other.__class__
    node.__dict__.clear()
    node.__dict__.update({**other.__dict__, **at})


# -- running tests in a process of their own ------------------------------------------------------------------------
class Recorder:
    """Which lines of some files each test runs, and how long it takes."""

    def __init__(self, files):
        self.files, self.lines, self.seconds, self.now = files, {}, {}, None

    def _trace(self, frame, event, _):
        return self._line if frame.f_code.co_filename in self.files else None

    def _line(self, frame, event, _):
        self.now.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        self.now = self.lines[item.nodeid] = set()
        begun = time.process_time()
        sys.settrace(self._trace)
        yield
        sys.settrace(None)
        self.seconds[item.nodeid] = time.process_time() - begun


def in_child(work, seconds):
    """What `work()` gives, from a process of its own; None if it took too long or ended otherwise."""
    import pickle

    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        if not os.environ.get("MUTANTS_DEBUG"):
            os.dup2(null, 2)
        try:
            with os.fdopen(writing, "wb") as stream:
                pickle.dump(work(), stream)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        data = stream.read()
    os.waitpid(child, 0)
    return pickle.loads(data) if data else None


def run(items, *plugins):
    arguments = [
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-p",
        "no:randomly",
        "--rootdir",
        str(ROOT),
        "-c",
        str(ROOT / "pyproject.toml"),
    ]
    return int(pytest.main([*arguments, *items], plugins=list(plugins)))


def recorded(room, files):
    """Lines and seconds of every test of a room."""
    tests = [str(ROOT / "tests" / name) for name in TESTS[room] if (ROOT / "tests" / name).exists()]
    recorder = Recorder({str(PACKAGE / file) for file in files})

    def work():
        code = run(tests, recorder)
        return code, recorder.lines, recorder.seconds

    found = in_child(work, 1200)
    assert found is not None, "the tests did not end"
    assert found[0] == 0, f"the tests of {room} do not pass as they are"
    return found[1:]


def forget(file):
    """Modules that have to be loaded anew after a change of the file, so that the mutant is what they see."""
    later = ROOMS[ROOMS.index(file.split("/")[0]) :]
    for name in list(sys.modules):
        parts = name.split(".")
        if parts[0] == "symtransformer" and (len(parts) == 1 or parts[1] in later):
            del sys.modules[name]


class Mutated:
    """Gives the mutated module when it is imported."""

    def __init__(self, file, tree):
        self.name = "symtransformer." + file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        self.file, self.code = str(PACKAGE / file), compile(tree, str(PACKAGE / file), "exec")

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        folder = [str(Path(self.file).parent)] if self.file.endswith("__init__.py") else None
        return importlib.util.spec_from_file_location(name, self.file, loader=self, submodule_search_locations=folder)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(self.code, module.__dict__)


def is_killed(file, tree, items):
    def work():
        forget(file)
        sys.meta_path.insert(0, Mutated(file, tree))
        return run(items)

    return in_child(work, 4 * SECONDS_OF_TESTS + 20) != 0  # also if it did not end


def chosen(path, line, lines, seconds):
    """Tests that run the line, quick ones first; for what is run when it is imported, those that run the file."""
    found = [test for test, seen in lines.items() if (path, line) in seen]
    if not found and line in MODULE_LINES[path]:
        found = [test for test, seen in lines.items() if any(p == path for p, _ in seen)]
    total, kept = 0.0, []
    for test in sorted(found, key=seconds.get):
        total += seconds[test]
        if kept and (total > SECONDS_OF_TESTS or len(kept) >= TESTS_AT_MOST):
            break
        kept.append(test)
    return kept


MODULE_LINES = {}


def module_lines(source):
    """Lines that are run on import: all that are in no function."""
    inside = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            body = node.body if isinstance(node.body, list) else [node.body]
            inside |= {line for part in body for line in range(part.lineno, part.end_lineno + 1)}
    return {line for line in range(1, source.count("\n") + 2) if line not in inside}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--sample", type=int, default=40, help="mutants of each file; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float, default=0.85)
    given = parser.parse_args()
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    import mpmath  # noqa: F401  what is loaded before is not loaded anew for each mutant

    import symtransformer.checking.checks
    import symtransformer.cli.check
    import symtransformer.rendering.check_report  # noqa: F401

    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    files = [f for f in FILES if not given.files or any(name in f for name in given.files)]
    totals = [0, 0]
    for room in ROOMS:
        own = [f for f in files if f.startswith(room + "/")]
        if not own:
            continue
        lines, seconds = recorded(room, own)
        for file in own:
            source = (PACKAGE / file).read_text(encoding="utf-8")
            path = str(PACKAGE / file)
            MODULE_LINES[path] = module_lines(source)
            every = list(mutants(source))
            tried = (
                every if not given.sample else random.Random(given.seed).sample(every, min(given.sample, len(every)))
            )
            killed, survivors = 0, []
            for line, what, tree in sorted(tried, key=lambda m: m[0]):
                items = chosen(path, line, lines, seconds)
                if items and is_killed(file, tree, items):
                    killed += 1
                else:
                    survivors.append(f"   {file}:{line}: {what}" + ("" if items else "   (no test runs it)"))
            totals[0] += killed
            totals[1] += len(tried)
            print(f"{file}: {killed} of {len(tried)} killed", *survivors, sep="\n", flush=True)
    share = totals[0] / max(totals[1], 1)
    print(f"all: {totals[0]} of {totals[1]} killed, {100 * share:.1f} %")
    return 0 if share >= given.least else 1


if __name__ == "__main__":
    sys.exit(main())
