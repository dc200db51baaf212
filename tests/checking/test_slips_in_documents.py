"""Every slip in a whole document as somebody writes it: found and named where it was planted, and nothing where it was not.

All cases in all spellings: python -m pytest tests/checking/test_slips_in_documents.py -m slow
"""

import random
import re
from fractions import Fraction

import pytest
from mpmath import inf
from planted_numbers import seeded, shown
from slip_cases import literals, numbers_by_name, right_rows
from slip_spellings import spellings
from test_slips import CASES

from symtransformer import check
from symtransformer.checking.slips import SLIPS

PLACES = 4
DRAWS_AT_MOST = 12
SAMPLE = 45
SIZES_TELL = ("heads_averaged", "heads_added", "db_not_summed")  # what is shown has other sizes
ALSO = dict.fromkeys(
    ("weight_transposed", "factor_transposed"), "weights_stored_transposed"
)  # the convention that one product alone may follow
# in columns that are written [:, 1:2], which is not read in a document
UNWRITTEN = re.compile(r"MultiHead")

WRITTEN = [
    pytest.param(case, spelling, id=f"{case.slip}-{k}-{n}")
    for k, case in enumerate(CASES)
    for n, spelling in enumerate(spellings(case.slip, str(case.build())))
]
FRESH = random.SystemRandom()


def decimal(x, places):
    units = f"{int(abs(x) * 10**places):0{places + 1}d}"
    return ("-" if x < 0 else "") + units[:-places] + "." + units[-places:]


def short(x):
    if x in (inf, -inf):
        return "∞" if x > 0 else "-∞"
    return decimal(Fraction(x), 3).rstrip("0").rstrip(".")


def as_text(rows):
    if len(rows) == len(rows[0]) == 1:
        return rows[0][0]
    lists = ["[" + ", ".join(row) + "]" for row in rows]
    return lists[0] if len(lists) == 1 else "[" + ", ".join(lists) + "]"


def as_latex(rows):
    body = r" \\ ".join(" & ".join(row) for row in rows).replace("∞", r"\infty ")
    return body if len(rows) == len(rows[0]) == 1 else rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"


def definition(name, rows, is_latex):
    cells = [[short(x) for x in row] for row in rows]
    if len(cells[0]) == 1:  # a column is written as a list
        cells = [[row[0] for row in cells]]
    if not is_latex:
        return f"{name} = {as_text(cells)}"
    name = rf"\{name}" if name in ("gamma", "beta") else re.sub(r"_(\w+)", r"_{\1}", name)
    return f"$${name} = {as_latex(cells)}$$\n"


def document(drawn, spelling, digits):
    is_latex = "$$" in spelling or r"\[" in spelling
    write = as_latex if is_latex else as_text
    lines = [definition(letter.name, rows, is_latex) for letter, rows in drawn.items()]
    width = next((len(rows[0]) for letter, rows in drawn.items() if letter.name in ("Q", "K")), 2)
    put_in = {"<d>": str(width), "<y1>": write(digits[:1]), "<y>": write(digits)}
    for mark, text in put_in.items():
        spelling = spelling.replace(mark, text)
    return "\n".join([*lines, spelling, ""]), "notes.md" if is_latex else "notes.txt"


def rounded_numbers(case, seed):
    """The numbers of the case, as they can be written with three decimals."""
    return {
        letter: [[x if x in (inf, -inf) else Fraction(short(x)) for x in row] for row in rows]
        for letter, rows in case.numbers(seed).items()
    }


def papers(case, spelling):
    """A document with the slip, and the same without it, on numbers where the slip is seen in the digits."""
    for _ in range(DRAWS_AT_MOST):
        drawn = rounded_numbers(case, FRESH.randrange(10**9))
        try:
            wrong = shown(case.planted(**numbers_by_name(drawn)), PLACES)
            right = shown(right_rows(case.build(), literals(drawn)), PLACES)
        except AssertionError:  # a value half way between two roundings
            continue
        rows = slice(1) if "<y1>" in spelling else slice(None)
        if far(wrong[rows], right[rows]) and max(abs(x) for row in wrong for x in row) < 10**9:
            tables = [[[decimal(x, PLACES) for x in row] for row in table] for table in (wrong, right)]
            return [document(drawn, spelling, table) for table in tables]
    return None


def far(rows, others):
    """Farther apart than the last place."""
    pairs = [(x, y) for row, other in zip(rows, others, strict=False) for x, y in zip(row, other, strict=False)]
    return any(abs(x - y) > Fraction(5, 10**PLACES) for x, y in pairs)


def checked(paper):
    text, name = paper
    return check(text, name=name).files[0].equations


def assert_found(case, spelling):
    made = papers(case, spelling)
    assert made is not None, "no draw shows the slip"
    *before, last = checked(made[0])
    assert not [e for e in before if e.is_fault], made[0]
    if last.convention is not None and last.convention.name == ALSO.get(case.slip):
        return
    names = [note.name for note in last.slips]
    assert last.verdict == ("shapes" if case.slip in SIZES_TELL else "wrong"), made[0]
    assert case.slip in names, (names, made[0])
    equations = checked(made[1])
    assert equations[-1].verdict == "right", made[1]
    assert not [e for e in equations if e.is_fault or e.slips], made[1]


@pytest.mark.slow
@pytest.mark.parametrize(("case", "spelling"), WRITTEN)
def test_a_planted_slip_is_named_in_every_spelling(case, spelling):
    assert_found(case, spelling)


@pytest.mark.parametrize("draw", range(SAMPLE))
def test_a_planted_slip_is_named_and_no_other_document_accused(draw):
    case, spelling = FRESH.choice(WRITTEN).values
    assert_found(case, spelling)


def test_every_slip_is_written_in_a_document():
    assert {param.values[0].slip for param in WRITTEN} == {slip.name for slip in SLIPS}
    assert all(spellings(c.slip, str(c.build())) or UNWRITTEN.match(str(c.build())) for c in CASES)


def test_the_generator_draws_anew():
    assert seeded("a").random() == seeded("a").random()
    case, spelling = WRITTEN[0].values
    assert papers(case, spelling) != papers(case, spelling)
