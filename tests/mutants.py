"""Mutation testing by its own command: `python tests/mutants.py --sample 40 --seed 1 [GROUP or FILE...]`.

Small changes of the code, one at a time, each of which some test has to notice. All are too many (some 23,000), so
that a sample of each group is drawn by the seed: another seed, other changes. Which tests run which line is found out
first, so that a change is tried only on those, the quick ones first; a line that no test runs is a survivor. With
`--remember FOLDER` the lines are found out again only for what has changed since the last time.
"""

import argparse
import ast
import functools
import os
import random
import re
import signal
import sys
from collections import Counter
from pathlib import Path

from mutation import runs
from mutation.changes import mutant, places
from mutation.runs import PACKAGE, ROOT

GROUPS = {  # code: which files of the package; tests: which of tests/, as patterns
    "verdicts": {
        "code": ["checking/*.py"],
        "tests": ["checking/test_*.py", "cli/test_check_*.py"],
    },
    "claims": {
        "code": ["claims/*.py"],
        "tests": [
            "claims/test_*.py", "checking/test_known_functions_on_the_left.py", "checking/test_gradients_of_a_loss.py",
            "checking/test_engine_formulas.py", "checking/test_spelled_formulas.py", "checking/test_reasons_told.py",
        ],
    },
    "reading": {
        "code": ["reading/*.py"],
        "tests": [
            "reading/test_*.py", "checking/test_*.py", "claims/test_claims*.py", "rendering/test_notation.py",
        ],
    },
    "documents": {
        "code": ["documents/*.py"],
        "tests": [
            "documents/test_*.py", "checking/test_*.py", "cli/test_check_command.py",
        ],
    },
    "escaping": {
        "code": [
            "reading/free_text.py", "rendering/check_report/*.py",
            *(f"rendering/{name}.py" for name in (
                "visible", "markdown_text", "typst_text", "latex_text", "latex_terms", "html_terms", "typst_terms", "terminal",
                "layout", "html_assets",
            )),
        ],
        "tests": [
            "rendering/test_check_report*.py", "rendering/test_html.py", "rendering/test_hostile_tex.py", "rendering/test_markdown.py",
            "rendering/test_typst*.py", "rendering/test_terminal.py", "rendering/test_latex_text.py", "rendering/test_own_template.py",
            "rendering/test_typesetting.py", "rendering/test_numbers.py", "rendering/test_notation.py", "reading/test_values_file.py",
        ],
    },
    "slips": {"code": ["checking/slips/*.py"], "tests": ["checking/test_*slip*.py", "checking/test_likely_mistakes.py"]},
}  # fmt: skip
SECONDS_OF_TESTS, TESTS_AT_MOST = 30.0, 400
NEARER = (
    10  # the tests of a room, in the folder of its name, are asked before those of others that take a tenth as long
)

# Changes that no test can notice, as nothing else comes out:
# - `return False` to `return None` where only the truth is asked for (termwise._is_between, put_in_numbers._matched,
#   counterexamples._has_no_value);
# - time_limit.check_time, `>` to `>=`: the time is never exactly that;
# - check_report/entries._is_inside, one character more behind: the pattern looks at two;
# - check_report/escaping._escape, from which code on \\u is written: U+0100 is seen, and not written so;
# - put_in_numbers.judged, `has_names or free_symbols` to `and`: a letter that is read without being known does not occur;
# - put_in_numbers._matched, `is or ==` to `and`: equal trees, if not the same one, are found equal part by part;
# - boxes.claim_box, `+` to `-`: a ball around 0 is the same on both sides;
# - checks._equations, origins from 1 on: no value is told before the first character;
# - diagnosing, what the seconds that are left are divided by: only how long is looked;
# - two_expressions.ELSEWHERE, any other value does;
# - two_expressions._is_size, the default of `is_Integer`, which every number has.


def matching(folder, patterns):
    return sorted({path for pattern in patterns for path in folder.glob(pattern) if path.name != "__init__.py"})


def sample(files, size, seed):
    """(file, line, what was done, mutated tree) of so many changes, in the order of the files."""
    sources = {path: path.read_text(encoding="utf-8") for path in files}
    every = [(path, *place) for path in files for place in places(sources[path])]
    drawn = random.Random(seed).sample(every, min(size, len(every))) if size else every
    for path, number, what in sorted(drawn):
        yield str(path.relative_to(PACKAGE)), *mutant(sources[path], number, what)


class Lines:
    """Which cases run a line."""

    def __init__(self, tests, files, folder):
        self.lines, self.seconds, self.usual, self.noted = {}, {}, {}, set()
        self.sources = {str(path.relative_to(PACKAGE)): path.read_text(encoding="utf-8") for path in files}
        for test in tests:
            lines, seconds = runs.recorded(test, files, folder)
            for case, seen in lines.items():
                for line in seen:
                    self.lines.setdefault(line, set()).add(case)
                for file in {file for file, _ in seen}:
                    self.lines.setdefault(file, set()).add(case)
            self.noted |= lines.keys()
            self.seconds |= seconds
        for case in self.noted:  # the longest case of each function, for those that were not noted
            function = case.split("[")[0]
            self.usual[function] = max(self.usual.get(function, 0.0), self.seconds[case])

    def cases(self, file, line):
        """Those of the room and quick ones first, and of each function first its quickest; of what is run on import, those that run what uses it.

        A function may be run on import too, as one that makes others: of these it is asked what runs the file.
        """
        nearest = (self.lines[place] for k in range(3) if (place := (file, line + k)) in self.lines)
        found = next(nearest, ())  # a condition over several lines is noted at the first one inside of it
        if not found:
            names = names_on_import(self.sources[file], line)
            found = (self.using(names) if names else ()) or self.lines.get(file, ())
        ranks, keys = Counter(), {}
        for case in sorted(found, key=lambda case: (self.seconds[case], case)):
            ranks[function := case.split("[")[0]] += 1
            nearness = NEARER if case.startswith(f"tests/{file.split('/')[0]}/") else 1
            keys[case] = self.seconds[case] * ranks[function] / nearness, case
        return self.in_time(sorted(keys, key=keys.__getitem__))

    def further(self, file, seed):
        """Some cases whose lines were not noted, as their function had taken its time, where others of it run the file."""
        functions = {case.split("[")[0] for case in self.lines.get(file, ())}
        found = [c for c in sorted(self.seconds) if c not in self.noted and c.split("[")[0] in functions]
        random.Random(seed).shuffle(found)
        return self.in_time(found)

    def in_time(self, cases):
        total, kept = 0.0, []
        for case in cases:
            total += max(self.seconds[case], 0 if case in self.noted else self.usual[case.split("[")[0]])
            if kept and (total > SECONDS_OF_TESTS or len(kept) >= TESTS_AT_MOST):
                break
            kept.append(case)
        return kept

    def using(self, names):
        pattern = re.compile(rf"\b(?:{'|'.join(names)})\b") if names else re.compile("(?!)")
        found = set()
        for file, source in self.sources.items():
            for k, text in enumerate(source.split("\n"), start=1):
                if pattern.search(text):
                    found |= self.lines.get((file, k), set())
        return found


def names_on_import(source, line):
    """Names that the statement of this line gives a value, if it is in no function; None if it is in one."""
    for statement in ast.parse(source).body:
        if statement.lineno <= line <= statement.end_lineno:
            inside = any(
                isinstance(node, (ast.FunctionDef, ast.Lambda)) and _has_in_its_body(node, line)
                for node in ast.walk(statement)
            )
            stored = (n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
            return None if inside else set(stored)
    return None


def _has_in_its_body(node, line):
    body = node.body if isinstance(node.body, list) else [node.body]
    return body[0].lineno <= line <= body[-1].end_lineno


@functools.cache
def stands_alone(case):
    return runs.killer("", None, [case], 120) is None


def noticed_by(file, tree, cases):
    """The case that notices the change, if there is one that passes without it, alone and on a busy machine."""
    limit = 2 * SECONDS_OF_TESTS + 10
    case = cases and runs.killer(file, tree, cases, limit)
    while case and not stands_alone(case):
        cases.remove(case)
        case = cases and runs.killer(file, tree, cases, limit)
    return case


def tried(group, files, given):
    """(killed, all) of a group; the survivors are printed."""
    tests = matching(ROOT / "tests", GROUPS[group]["tests"]) + [path for path in files if ">>>" in path.read_text()]
    runs.load(tests, files)
    lines = Lines(tests, files, given.remember)
    killed, all_of_them = 0, 0
    for file, line, what, tree in sample(files, given.sample, given.seed):
        cases = lines.cases(file, line)
        case = noticed_by(file, tree, cases) or noticed_by(file, tree, lines.further(file, given.seed))
        killed, all_of_them = killed + bool(case), all_of_them + 1
        said = f"killed by {case}" if case else f"SURVIVES {len(cases)} cases" if cases else "SURVIVES: no test runs it"
        if given.verbose or not case:
            print(f"   {file}:{line}: {what}   {said}", flush=True)
    print(
        f"{group}: {killed} of {all_of_them} killed, {100 * killed / max(all_of_them, 1):.0f} %, seed {given.seed}",
        flush=True,
    )
    return killed, all_of_them


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="groups, or parts of the names of files")
    parser.add_argument("--sample", type=int, default=40, help="mutants of each group; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float, default=0.85)
    parser.add_argument("--remember", type=Path, help="a folder for what is found out about lines")
    parser.add_argument("--verbose", action="store_true", help="also what is killed, and by which case")
    given = parser.parse_args()
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    reached = True
    for group, patterns in GROUPS.items():
        files = matching(PACKAGE, patterns["code"])
        if given.names and group not in given.names:
            parts = [name for name in given.names if name not in GROUPS]
            files = [path for path in files if any(part in str(path.relative_to(PACKAGE)) for part in parts)]
        if files:
            killed, of_them = tried(group, files, given)
            reached &= killed >= given.least * of_them
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
