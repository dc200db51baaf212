"""Every name of every worked derivation, its rows and its entries are read back from how they are printed."""

import importlib.util
from functools import cache
from pathlib import Path

import pytest
from sympy import Integer

from symtransformer.dialects import LATEX, TEXT
from symtransformer.node import postorder
from symtransformer.operations.concatenation import ColumnSlice
from symtransformer.operations.rows import Row
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.sides import Known, letter_name, name_of_letter, read_name, read_side
from symtransformer.symbols import Letter
from symtransformer.writing import piece_of

DERIVATIONS = sorted((Path(__file__).parents[2] / "derivations").glob("*.py"))
DIALECTS = [(TEXT, "text"), (LATEX, "latex")]


@cache
def letters_of(path):
    """The letters of a derivation, except those of a head without a number."""
    spec = importlib.util.spec_from_file_location(f"names_of_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = {}
    for step in module.derivation.steps:
        for node in (step.letter, *postorder(step.expression)):
            if isinstance(node, Letter) and (node.head is None or node.head.is_Integer):
                found[node] = None
    return list(found)


def sizes(letter):
    return tuple(int(size) if size.is_Integer else 3 + k for k, size in enumerate(letter.shape))


def scope_of(path):
    return {name_of_letter(x.name, x.head): Known(sizes(x)) for x in letters_of(path)}


def read(text, scope, language):
    try:
        return read_side(text, scope, language).value
    except ReadingError as error:
        return error


def test_there_are_many_names():
    assert len(DERIVATIONS) >= 34
    assert sum(len(letters_of(path)) for path in DERIVATIONS) > 1000


@pytest.mark.parametrize("path", DERIVATIONS, ids=lambda path: path.stem)
def test_a_printed_name_is_read_as_one_name_of_its_own(path):
    for dialect, language in DIALECTS:
        names = {}
        for letter in letters_of(path):
            name = read_name(piece_of(letter, dialect).text, language)
            assert name not in names, (name, letter, names[name])
            names[name] = letter
            if not any(c.isdigit() for c in letter.name.rpartition(".")[2].partition("_")[0]):  # sigma2 is σ'
                assert name == name_of_letter(letter.name, letter.head)


@pytest.mark.parametrize("path", DERIVATIONS, ids=lambda path: path.stem)
def test_rows_and_entries_are_read_as_those_of_the_letter(path):
    """Up to 9 rows: w_16 of a matrix of 16 rows and 8 columns is row 16, or the entry in row 1 and column 6."""
    scope = scope_of(path)
    for dialect, language in DIALECTS:
        for letter in letters_of(path):
            (rows, columns), name = sizes(letter), name_of_letter(letter.name, letter.head)
            if rows > 9 or columns > 9 or any(c.isdigit() for c in letter.name.rpartition(".")[2].partition("_")[0]):
                continue
            plain = Letter(letter_name(name), rows, columns)
            head = (letter.head,) if letter.head is not None else ()
            of_size = Letter(letter.name, rows, columns, *head)
            row = Row(plain, Integer(rows - 1))
            printed = piece_of(Row(of_size, Integer(rows - 1)), dialect).text
            assert read(printed, scope, language) is row, (printed, name)
            if 1 not in (rows, columns):
                entry = dialect.entry_of(letter.name, letter.head, [str(rows), str(columns)])
                assert read(entry, scope, language) is ColumnSlice(row, Integer(columns - 1), Integer(1)), (entry, name)


@pytest.mark.parametrize(
    ("text", "language", "name"),
    [
        ("cross.W_Q", "text", "W_Q^cross"),
        (r"{W_{Q}^{\mathrm{cross}}}", "latex", "W_Q^cross"),
        ("enc1.X", "text", "X_enc1"),
        (r"{X^{\mathrm{enc1}}}", "latex", "X_enc1"),
        ("W_Q^(1)", "text", "W_Q^(1)"),
        (r"{W_{Q}^{(1)}}", "latex", "W_Q^(1)"),
        (r"\mathit{dQ}", "latex", "dQ"),
        (r"d\gamma", "latex", "dgamma"),
        ("s^mask_2", "text", "s_2^mask"),
        (r"s^{\mathrm{mask}}_{2}", "latex", "s_2^mask"),
        ("q^(1)_2", "text", "q_2^(1)"),
        ("K.T", "text", None),
        ("K.mT", "text", None),
        ("x.transpose(0, 1)", "text", None),
    ],
)
def test_marked_names(text, language, name):
    assert read_name(text, language) == name


SCOPE = {
    "S_mask": Known((3, 3)),
    "s": Known((1, 3), True),
    "X_b": Known((2, 2)),
    "x": Known(),
    "b": Known(),
    "C": Known((1, 4)),
}


def test_what_is_marked_comes_before_what_is_not():
    assert str(read_side("s^mask_2", SCOPE).value) == "s^mask_2"


def test_a_power_with_an_index_or_a_marked_index_is_refused():
    with pytest.raises(ReadingError, match="a power, or an index"):
        read_side("x^b_2", SCOPE)


def test_two_digits_are_row_and_column_where_one_index_does_not_fit():
    assert read_side("c_13", SCOPE).value.shape == (1, 1)
    with pytest.raises(ReadingError):
        read_side("c_15", SCOPE)
