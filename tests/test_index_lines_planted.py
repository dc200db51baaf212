"""Wrong lines in index notation are refuted, and true formulas under wrong names are not shown as proved."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from sympy import Derivative, KroneckerDelta, Mul, Rational, Sum

from symtransformer import Section, Words, differentiate, dimension, matrix, render, verify
from symtransformer.errors import Refuted
from symtransformer.index_letters import index_letter, subformulas, with_letters
from symtransformer.index_notation import index_form, softmax_jacobian
from symtransformer.judge import judge_line
from symtransformer.operations import LayerNorm, ScaledDotProductAttention, SingleHead
from symtransformer.symbols import Entry

n, m, d, d_k, d_v = (dimension(name) for name in ("n", "m", "d", "d_k", "d_v"))
X, Q, K, V = matrix("X", n, d), matrix("Q", n, d_k), matrix("K", m, d_k), matrix("V", m, d_v)
SUBJECTS = {
    "attention": (ScaledDotProductAttention(Q, K, V), ("Q", "K", "V", "A", "S")),
    "head": (SingleHead(X, matrix("W_Q", d, d_k), matrix("W_K", d, d_k), matrix("W_V", d, d_v)), ("X", "W_Q", "W_K")),
    "norm": (LayerNorm(X, matrix("gamma", d, 1), matrix("beta", d, 1)), ("X", "gamma")),
}


@cache
def forms(subject):
    expression, names = SUBJECTS[subject]
    gradient = differentiate(expression)
    return gradient, tuple(index_form(gradient, name) for name in names)


# -- formulas ---------------------------------------------------------------------------------------------------
def deltas_dropped(formula):
    for delta in {p for p in subformulas(formula) if isinstance(p, KroneckerDelta)}:
        yield formula.xreplace({delta: 1})


def factors_dropped(formula):
    for product in {p for p in subformulas(formula) if isinstance(p, Mul)}:
        for factor in product.args:
            if factor.atoms(Entry) and not factor.atoms(Derivative):
                yield formula.xreplace({product: Mul(*(f for f in product.args if f is not factor))})


def entries_transposed(formula):
    """i and j swapped in one entry."""
    for entry in {p for p in subformulas(formula) if isinstance(p, Entry)}:
        if entry.i not in (entry.j, 0) and entry.j != 0:
            yield formula.xreplace({entry: Entry(entry.parent, entry.j, entry.i)})


def deltas_turned(formula):
    for delta in {p for p in subformulas(formula) if isinstance(p, KroneckerDelta)}:
        yield formula.xreplace({delta: 1 - delta})


def off_by_a_thousandth(formula):
    yield formula * Rational(1001, 1000)
    yield -formula


def one_sum_short(formula):
    for total in {p for p in subformulas(formula) if isinstance(p, Sum)}:
        letter, low, high = total.limits[0]
        yield formula.xreplace({total: Sum(total.function, (letter, low, high - 1), *total.limits[1:])})


MUTATIONS = (deltas_dropped, factors_dropped, entries_transposed, deltas_turned, off_by_a_thousandth, one_sum_short)


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda f: f.__name__)
def test_no_planted_error_is_proved(subject, mutation):
    gradient, found = forms(subject)
    kinds = []
    for form in found:
        for line in form.lines[::2] if subject == "head" else form.lines:
            for wrong in mutation(line.right):
                if wrong == line.right:
                    continue
                kinds.append(judge_line(replace(line, right=wrong), gradient.derivation).kind)
    assert kinds
    assert set(kinds) <= {"refuted", "undecidable"}, f"{kinds.count('proved')} proved, {kinds.count('tested')} tested"
    if mutation in (deltas_dropped, deltas_turned, off_by_a_thousandth):
        assert set(kinds) == {"refuted"}
    # a letter left alone counts nothing, a transposed place or a shorter sum does not fit: that is no claim to refute
    assert "refuted" in kinds or mutation in (entries_transposed, one_sum_short)


def test_row_and_column_of_the_table_are_told_apart():
    """Where both sizes are the same letter, g_ij against g_ji is refuted by numbers."""
    square, other, table = matrix("Q", n, d), matrix("K", n, d), matrix("G", n, n)
    gradient = differentiate(square @ other.T, cotangent=table)
    of_query, of_key = (index_form(gradient, name).lines[-1] for name in ("Q", "K"))
    i, j, c = map(index_letter, "ijc")
    assert judge_line(of_query).kind == judge_line(of_key).kind == "proved"
    turned = replace(of_query, right=Sum(table[j, i] * other[j, c], (j, 0, n - 1)))
    assert judge_line(turned).kind == "refuted"
    swapped = replace(of_query, right=Sum(table[i, j] * square[j, c], (j, 0, n - 1)))
    assert judge_line(swapped).kind == "refuted"
    turned = replace(of_key, right=Sum(table[j, i] * square[i, c], (i, 0, n - 1)))
    assert judge_line(turned).kind == "refuted"


def test_a_wrong_jacobian_of_softmax_is_refuted():
    lines = softmax_jacobian(matrix("S", n, m), matrix("A", n, m), matrix("U", n, m), matrix("c", n, 1))
    last = lines[-1]
    (bracket,) = [f for f in last.right.args if not isinstance(f, Entry)]
    (delta,) = last.right.atoms(KroneckerDelta)
    assert judge_line(replace(last, right=last.right.xreplace({bracket: delta}))).kind == "refuted"  # diagonal only
    assert judge_line(replace(last, right=last.right.xreplace({delta: 1}))).kind == "refuted"


# -- names -----------------------------------------------------------------------------------------------------
@cache
def table():
    gradient = differentiate(Q @ K.T, cotangent=matrix("G", n, m))
    return gradient, index_form(gradient, "Q")


def judged(line):
    return judge_line(line, table()[0].derivation)


def test_a_formula_with_a_letter_both_free_and_summed_is_not_decided():
    _, form = table()
    i, j, c = map(index_letter, "ijc")
    G, last = matrix("G", n, m), form.lines[-1]
    caught = judged(replace(last, right=Sum(G[j, j] * K[j, c], (j, 0, m - 1)) * Sum(G[i, j], (i, 0, n - 1))))
    assert caught.kind == "undecidable"
    assert "i is free in one place and summed over in another" in caught.reason
    assert judged(last).kind == "proved"
    assert judged(replace(last, left=Entry(last.left.parent, c, i))).kind in ("refuted", "undecidable")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda line: {"losses": ((line.left.parent, K),)}, "is not the gradient with respect to K"),
        (lambda line: {"losses": (*line.losses, (K, Q))}, "is not the gradient with respect to Q"),
        (lambda line: {"where": ((line.left.parent, 2 * dict(line.where)[line.left.parent]),)}, "what its step says"),
        (lambda line: {"where": (*line.where, (K, Q @ K.T @ K))}, "what its step says"),
        (lambda line: {"short": ((matrix("G", n, m), matrix("K", n, m)),)}, "K names two things"),
        (lambda line: {"loss": "Q"}, "Q names two things"),
        (lambda line: {"whole": (line.left.i,)}, "said of whole rows"),
    ],
)
def test_a_line_under_wrong_names_is_not_proved(change, words):
    line = table()[1].lines[-1]
    wrong = replace(line, **change(line))
    if "where" in change(line):
        wrong = replace(wrong, right=line.right * 2) if len(wrong.where) == 1 else wrong
    verdict = judged(wrong)
    assert verdict.kind == "undecidable"
    assert words in verdict.reason
    assert verdict.reason_ja != verdict.reason


def test_rows_are_only_said_of_what_adds_up_rows():
    line = table()[1].rows[0]
    assert judged(line).kind == "proved"
    c = line.whole[0]
    added = line.right + Q[line.left.i, c] * Q[line.left.i, c] ** 2 / Q[line.left.i, c] ** 3 - 1
    assert judged(replace(line, right=added)).kind == "proved"  # SymPy cancels it: the same line
    for wrong in (line.right * K[0, c], line.right + 1, line.right + Q[line.left.i, 0]):
        assert "said of whole rows" in judged(replace(line, right=wrong)).reason


def test_an_index_letter_that_looks_like_a_size_is_not_proved():
    line = table()[1].lines[-1]
    like_a_size = index_letter("d_k")
    assert like_a_size != d_k
    (letter,) = line.right.variables
    wrong = replace(line, right=Sum(with_letters(line.right.function, {letter: like_a_size}), (like_a_size, 0, m - 1)))
    verdict = judged(wrong)
    assert (verdict.kind, verdict.reason) == ("undecidable", "the index letter d_k is written like d_k")
    like_an_entry = index_letter("k")
    wrong = replace(
        line, right=Sum(with_letters(line.right.function, {letter: like_an_entry}), (like_an_entry, 0, m - 1))
    )
    assert "is written like K" in judged(wrong).reason


# -- pages -----------------------------------------------------------------------------------------------------
def page_with(lines):
    gradient, _ = table()
    section = Section(Words("Lines", "式"), lines=tuple(lines))
    return replace(gradient.derivation, sections=(section,))


def test_a_wrong_line_is_marked_on_the_page_and_refused():
    lines = list(table()[1].lines)
    lines[2] = replace(lines[2], right=2 * lines[2].right)
    verified = verify(page_with(lines))
    assert verified.count_lines("refuted") == 1
    assert verified.count_lines("proved") == len(lines) - 1
    for detail in ("steps", "entries"):
        page = render(verified, detail=detail)
        assert f"# index lines: {len(lines)}: {len(lines) - 1} proved, 0 tested, 0 undecidable, 1 refuted" in page
        assert "!! Line (3) is NOT true: one side is" in page
        assert "式 (3) は正しくありません" in render(verified, language="ja", detail=detail)
    with pytest.raises(Refuted, match="the index line"):
        verified.require_true()


def test_lines_that_nobody_judged_say_so():
    page = render(page_with(table()[1].lines))
    assert "The numbered lines that follow have not been verified." in page
    assert "index lines: 6, none verified" in page
