"""Tests run in processes of their own: which lines each of them runs, and whether one of them notices a change."""

import functools
import gc
import hashlib
import importlib
import importlib.util
import os
import pickle
import resource
import sys
import time
import traceback
import types
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "symtransformer"
ROOMS = (
    "reading",
    "documents",
    "claims",
    "checking",
    "rendering",
    "pictures",
    "cli",
    "jupyter",
)  # each is built on those before it
SECONDS_OF_A_TEST = 1.5  # for all cases of one test function together, while their lines are noted
CALLS_LOOKED_AT = 20  # of one function in one case
# rewriting assertions would import a file with doctests from the disk, and not as it is changed
ARGUMENTS = ("-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly", "--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml"),
)  # fmt: skip


def run(items, *plugins):
    return int(pytest.main([*ARGUMENTS, *items], plugins=list(plugins)))


def in_child(work, seconds):
    """What `work()` gives, from a process of its own; None if it took too long or ended otherwise."""
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


# -- which lines each test runs --------------------------------------------------------------------------------------
class Recorder:
    """Lines of some files that each test runs, and how long it takes."""

    def __init__(self, files):
        self.files, self.lines, self.seconds, self.now, self.spent = files, {}, {}, None, Counter()
        self.calls = Counter()

    def _trace(self, frame, event, _):
        if (code := frame.f_code).co_filename not in self.files or self.calls[code] > CALLS_LOOKED_AT:
            return None
        self.calls[code] += 1
        return self._line

    def _line(self, frame, event, _):
        self.now.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        function = item.nodeid.split("[")[0]
        self.now, self.calls, begun = set(), Counter(), time.process_time()
        if self.spent[function] > SECONDS_OF_A_TEST:
            item.add_marker(pytest.mark.skip)
        else:
            self.lines[item.nodeid] = self.now
            sys.settrace(self._trace)
        yield
        sys.settrace(None)
        self.seconds[item.nodeid] = time.process_time() - begun
        self.spent[function] += self.seconds[item.nodeid]

    def pytest_runtest_logreport(self, report):
        """What is in time only without this is left out."""
        if report.failed:
            self.lines.pop(report.nodeid, None)


def recorded(test, files, folder):
    """(lines, seconds) of every case of a file of tests, from the folder if the tests have not changed since."""
    names = {str(path): str(path.relative_to(PACKAGE)) for path in files}
    rooms = "-".join(sorted({name.rpartition("/")[0].replace("/", ".") for name in names.values()}))
    kept = folder and folder / f"{rooms}-{test.stem}-{hashlib.sha256(test.read_bytes()).hexdigest()[:16]}.pickle"
    if kept and kept.exists():
        return pickle.loads(kept.read_bytes())
    recorder = Recorder(names)
    found = in_child(lambda: (run([str(test)], recorder), recorder.lines, recorder.seconds), 1200)
    assert found is not None, f"{test} did not end"
    assert found[1] or found[0] == 5, f"{test} does not pass as it is"  # 5: nothing in it is run
    lines = {case: {(names[path], line) for path, line in seen} for case, seen in found[1].items()}
    if kept:
        folder.mkdir(exist_ok=True)
        kept.write_bytes(pickle.dumps((lines, found[2])))
    return lines, found[2]


# -- a changed file in place of that which is there -------------------------------------------------------------------
def replace(file, tree):
    """The changed functions in the place of those that are loaded; what is done on import takes a new import."""
    path = str(PACKAGE / file)
    before, after = compile((PACKAGE / file).read_text(encoding="utf-8"), path, "exec"), compile(tree, path, "exec")
    codes, others = _functions(before), _functions(after)
    changed = {key for key, inner in others.items() if codes.get(key) != inner}
    on_import = before.co_code != after.co_code or _plain(before) != _plain(after) or codes.keys() != others.keys()
    if on_import or any(len(others[key]) > 1 for key in changed):
        _import_anew(file, after)
        return
    for function in [f for f in gc.get_objects() if isinstance(f, types.FunctionType)]:
        code = function.__code__
        if code.co_filename == path and (key := _key(code)) in changed:
            function.__code__ = others[key][0]
    for cached in [f for f in gc.get_objects() if isinstance(f, functools._lru_cache_wrapper)]:
        if (cached.__module__ or "").startswith("symtransformer."):
            cached.cache_clear()


def _module(file):
    return "symtransformer." + file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def _key(code):
    return code.co_qualname, code.co_firstlineno, code.co_freevars


def _functions(code, found=None):
    """Every function of a module by its place; two lambdas of one line have the same."""
    found = {} if found is None else found
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            found.setdefault(_key(part), []).append(part)
            _functions(part, found)
    return found


def _plain(code):
    """Constants and names of what is done on import."""
    return [part.co_name if isinstance(part, types.CodeType) else repr(part) for part in code.co_consts], code.co_names


def _import_anew(file, code):
    later = ROOMS[ROOMS.index(file.split("/")[0]) :]
    for name, module in list(sys.modules.items()):
        parts = name.split(".")
        of_tests = (
            str(getattr(module, "__file__", None) or "").startswith(str(ROOT / "tests")) and parts[0] != "mutation"
        )
        if of_tests or (parts[0] == "symtransformer" and (len(parts) == 1 or parts[1] in later)):
            del sys.modules[name]
    sys.meta_path.insert(0, Mutated(file, code))


class Mutated:
    """Gives the mutated module when it is imported."""

    def __init__(self, file, code):
        self.name = _module(file)
        self.file, self.code = str(PACKAGE / file), code

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        folder = [str(Path(self.file).parent)] if self.file.endswith("__init__.py") else None
        return importlib.util.spec_from_file_location(name, self.file, loader=self, submodule_search_locations=folder)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(self.code, module.__dict__)


class Failed:
    """The first case that fails."""

    case = None

    def pytest_runtest_logreport(self, report):
        if report.failed and self.case is None:
            self.case = report.nodeid


def killer(file, tree, items, seconds):
    """The case that notices the change; the first of all if it does not even end or begin; None if none does."""

    def work():
        failed = Failed()
        if tree is not None:
            replace(file, tree)
        return run(["-x", *items], failed), failed.case

    code, case = in_child(work, seconds) or (1, None)
    return None if code == 0 else case or items[0]


def load(tests, files):
    """Modules of tests and those that are changed are loaded once, before the processes part."""
    for path in files:
        importlib.import_module(_module(str(path.relative_to(PACKAGE))))
    silent = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    code = run(["--collect-only", *map(str, tests)])
    os.dup2(silent, 1)
    assert code in (0, 5), "some tests cannot be loaded"
