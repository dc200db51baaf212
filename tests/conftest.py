"""Which tests are run when, and their one option: golden pages are rewritten on request, never in continuous integration."""

import os
import zlib
from collections import Counter

import pytest

# what says nothing about versions of Python and SymPy that shorter tests do not say too, and takes long
ONCE = (
    "tests/checking/", "tests/claims/", "tests/cli/", "tests/documents/", "tests/reading/test_sides",
    "tests/test_flow.py", "tests/test_judge_derivatives.py", "tests/test_judge_fuzz.py", "tests/test_judge_lines.py", "tests/test_judge_records.py", "tests/test_index_",
    "tests/test_gradient_forms.py", "tests/test_gradient_layers.py", "tests/operations/test_layer_variants.py",
    "tests/test_formulas_derivatives.py", "tests/test_oracle_formulas.py",
    "tests/operations/test_every_gradient.py", "tests/operations/test_gradient_words.py",
    "tests/operations/test_index_forms.py", "tests/operations/test_numpy_modules.py",
    "tests/operations/test_planted_", "tests/operations/test_random_sizes.py", "tests/operations/test_vjp",
    "tests/operations/test_grouped_heads.py", "tests/rendering/test_backpropagation.py",
    "tests/rendering/test_further_pages.py", "tests/rendering/test_index_",
    "tests/browser/", "tests/rendering/test_elision.py", "tests/test_cli_own_numbers.py", "tests/reading/test_template.py",
    "tests/reading/test_values_file.py", "tests/reading/test_questions.py", "tests/rendering/test_flow_of_steps.py", "tests/rendering/test_fragment.py", "tests/rendering/test_hostile_tex.py",
    "tests/rendering/test_html", "tests/rendering/test_languages.py", "tests/rendering/test_lualatex.py", "tests/rendering/test_macros.py",
    "tests/rendering/test_markdown", "tests/rendering/test_notation.py", "tests/rendering/test_own_template.py", "tests/rendering/test_terminal.py",
    "tests/rendering/test_typst", "tests/test_jupyter.py", "tests/test_pictures.py", "tests/test_tutorial.py",
    "tests/test_chapter_8_and_proofs.py",
    "tests/test_cli_files.py::test_bytes_are_the_same",
    "tests/test_formulas_planted.py", "tests/test_numpy_module.py", "tests/test_oracle_planted.py",
    "tests/test_output.py", "tests/test_worked_proofs.py",
)  # fmt: skip

# Of many cases of one kind the usual run tries one in so many, and the first; `-m many` tries the others.
ONE_IN = {
    "tests/checking/test_checked_formulas_planted.py": 4,
    "tests/checking/test_hostile_documents.py::test_each_is_answered_soon": 4,
    "tests/checking/test_planted_pages.py": 4,
    "tests/checking/test_round_trip": 4,
    "tests/checking/test_slips.py": 4,
    "tests/checking/test_told_in_words.py": 4,
    "tests/claims/test_printed_formulas.py": 4,
    "tests/documents/test_document_limits.py": 4,
    "tests/operations/test_every_operation.py": 2,
    "tests/operations/test_grouped_heads.py": 4,
    "tests/operations/test_index_forms.py": 4,
    "tests/operations/test_planted_errors.py": 4,
    "tests/operations/test_random_sizes.py": 3,
    "tests/operations/test_vjp.py": 2,
    "tests/rendering/test_backpropagation.py": 2,
    "tests/rendering/test_further_pages.py": 3,
    "tests/rendering/test_notation.py": 2,
    "tests/rendering/test_typst.py": 3,
    "tests/test_chapter_8_and_proofs.py": 4,
    "tests/test_index_lines_planted.py": 4,
    "tests/test_judge_derivatives.py": 4,
    "tests/test_oracle_formulas.py": 2,
}


def pytest_ignore_collect(collection_path, config):
    """Files of which nothing would be run are not even read."""
    path = collection_path.relative_to(config.rootpath).as_posix() if collection_path.is_file() else ""
    return True if "not once" in config.option.markexpr and path.startswith(ONCE) else None


def pytest_collection_modifyitems(items):
    met = Counter()
    for item in items:
        if item.nodeid.startswith(ONCE):
            item.add_marker("once")
        one_in = next((n for start, n in ONE_IN.items() if item.nodeid.startswith(start)), 1)
        test = item.nodeid.partition("[")[0]
        if met[test] and zlib.crc32(item.nodeid.encode()) % one_in:
            item.add_marker("many")
        met[test] += 1


def pytest_addoption(parser):
    parser.addoption(
        "--rewrite-golden", action="store_true", help="write the golden pages anew; refused where CI is set"
    )


def pytest_configure(config):
    if config.getoption("--rewrite-golden") and os.environ.get("CI"):
        raise pytest.UsageError(
            "--rewrite-golden is refused where CI is set: rewrite at home, read the difference, commit it"
        )


@pytest.fixture
def rewrite_golden(request):
    return request.config.getoption("--rewrite-golden")


@pytest.fixture
def command(monkeypatch, capsys):
    """Runs the command line in this process: exit code, standard output, standard error."""

    def run(*arguments):
        from symtransformer.cli import main

        monkeypatch.setattr("sys.argv", ["symtransformer", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code, *capsys.readouterr()

    return run


SMALL = """
from symtransformer import Follow, Words, derive, matrix
A, B = matrix("A", 2, 3), matrix("B", 3, 2)
derivation = derive(A @ B, title=Words("A product", "積"), values={A: [[1, 2, 3], [4, 5, 0.125]], B: [[2, -1], [3, 0], [1, 1]]})
"""
PLANTED = """
from dataclasses import replace
(step,) = derivation.steps
derivation = replace(derivation, steps=(replace(step, expression=-step.expression),))
"""


@pytest.fixture
def small(tmp_path):
    """The path of a small derivation of one's own."""
    path = tmp_path / "small.py"
    path.write_text(SMALL, encoding="utf-8")
    return path


@pytest.fixture
def refuted(tmp_path):
    """The same with a wrong sign."""
    path = tmp_path / "refuted.py"
    path.write_text(SMALL + PLANTED, encoding="utf-8")
    return path
