"""Lines computed from rounded lines: against a chain of decimals, and every printed line by its printed operands."""

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext

import golden_cases
import pytest
from page_reading import HasLetters, chains, table, value
from sympy import Rational

from symtransformer import (
    Derivation,
    Follow,
    Step,
    Style,
    Words,
    derive,
    dimension,
    head_index,
    matrix,
    render,
    verify,
)
from symtransformer.errors import NotSupported
from symtransformer.operations import (
    HeadConcatenation,
    Linear,
    RowDivision,
    ScaledDotProductAttention,
    Scaling,
    Softmax,
)

MODES = {"half-up": ROUND_HALF_UP, "half-even": ROUND_HALF_EVEN}
Q, K, V = matrix("Q", 2, 2), matrix("K", 3, 2), matrix("V", 3, 2)
GIVEN = {Q: [[1, 2], [3, -1]], K: [["0.5", 1], [2, "-0.25"], [0, 1]], V: [[1, 2], [3, "0.5"], [-1, 4]]}
GIVEN = {letter: [[Rational(x) for x in row] for row in rows] for letter, rows in GIVEN.items()}


def attention():
    return verify(derive(ScaledDotProductAttention(Q, K, V), stages=True, values=GIVEN, follow=Follow("Z", "row", 1)))


def by_decimals(places, mode):
    """S, A, Z of the same example, and Z unrounded: a calculator that forgets."""

    def cut(rows):
        unit = Decimal(1).scaleb(-places)
        return [[x.quantize(unit, MODES[mode]) for x in row] for row in rows]

    def times(left, right):
        return [[sum(a * b for a, b in zip(x, y, strict=True)) for y in zip(*right, strict=True)] for x in left]

    def softmax(rows, rounds=lambda r: r):
        powers = rounds([[x.exp() for x in row] for row in rows])
        sums = rounds([[sum(row)] for row in powers])
        return [[x / total for x in row] for row, (total,) in zip(powers, sums, strict=True)]

    with localcontext() as context:
        context.prec = 60
        q, k, v = ([[Decimal(str(float(x))) for x in row] for row in GIVEN[m]] for m in (Q, K, V))
        true = [[x / Decimal(2).sqrt() for x in row] for row in times(q, list(zip(*k, strict=True)))]
        scores = cut(true)
        weights = cut(softmax(scores, cut))
        return {"S": scores, "A": weights, "Z": cut(times(weights, v))}, times(softmax(true), v)


@pytest.mark.parametrize("mode", sorted(MODES))
@pytest.mark.parametrize("places", [1, 2, 3, 6])
def test_every_line_is_that_of_a_calculator_that_forgets(places, mode):
    page = render(attention(), style=Style(round_steps=places, rounding=mode))
    expected, true = by_decimals(places, mode)
    lines = {chain.left: chain for chain in chains(page)}
    for name, rows in expected.items():
        assert value(lines[name].terms[-1]) == rows, name
        assert lines[name].rights[-1][0] == "≈"
    farthest = max(abs(a - b) for x, y in zip(expected["Z"], true, strict=True) for a, b in zip(x, y, strict=True))
    size = (farthest.scaleb(places)).quantize(Decimal("0.01"), ROUND_HALF_UP)
    unit = format(Decimal(1).scaleb(-places), "f")
    assert f"Z differs from its unrounded value by up to ≈ {size} units of the last decimal (one unit is {unit})." in (
        page.replace("\n", " ")
    )


def wrong_lines(page, places):
    """Lines whose last numbers are not what the ones before give, to so many decimals, and that do not say so."""
    unit, wrong, seen = Decimal(1).scaleb(-places), [], 0
    for chain in chains(page):
        try:
            *_, operands, result = (value(term) for term in chain.terms[-2:])
        except (HasLetters, ValueError):
            continue
        seen += 1
        same = all(
            a == b or a.quantize(unit, ROUND_HALF_UP) == b
            for x, y in zip(operands, result, strict=True)
            for a, b in zip(x, y, strict=True)
        )
        if same == chain.rounded:
            wrong.append(chain.left)
    assert seen > 5
    return wrong


def test_printed_operands_give_the_printed_result_in_every_line():
    page = render(attention(), style=Style(round_steps=2), detail="entries")
    assert wrong_lines(page, 2) == []
    assert "operands are rounded" not in page
    assert "Exact values" not in page
    printed = next(c for c in chains(page) if c.left == "z_21")
    assert wrong_lines(page.replace(f"≈ {printed.terms[-1]}\n", "≈ 9.99\n"), 2) != []  # a planted number is seen


def test_the_sign_is_equal_only_where_the_unrounded_value_is_meant():
    exact, halves = matrix("X", 1, 2), matrix("W", 2, 1)
    third = RowDivision(exact, matrix("d", 1, 1))
    derivation = derive(
        {"Y": third @ halves}, names={third: "T"}, values={exact: [[1, 2]], "d": [[3]], halves: [[3], [3]]}
    )
    lines = {c.left: c for c in chains(render(verify(derivation), style=Style(round_steps=1)))}
    assert lines["T"].rights[-1] == ("≈", "[[0.3, 0.7]]")
    assert lines["Y"].rights[-1] == ("=", "3")  # 0.3 × 3 + 0.7 × 3, and truly 3
    lines = {c.left: c for c in chains(render(verify(derivation), style=Style(round_steps=0)))}
    assert [lines[name].rights[-1] for name in "TY"] == [("≈", "[[0, 1]]"), ("=", "3")]
    derivation = derive(
        {"Y": third @ halves}, names={third: "T"}, values={exact: [[1, 1]], "d": [[3]], halves: [[1], [2]]}
    )
    page = render(verify(derivation), style=Style(round_steps=1))
    assert {c.left: c.rights[-1] for c in chains(page)}["Y"] == ("≈", "0.9")  # exact in itself, but truly 1
    assert "Y differs from its unrounded value by up to 1 units" in page


def test_what_rounding_did_not_change_is_said_to_be_exact():
    page = render(verify(golden_cases.product()), style=Style(round_steps=3))
    assert "every line is rounded to 3 decimals" in page
    left, right = matrix("A", 1, 2), matrix("B", 2, 1)
    page = render(verify(derive(left @ right, values={left: [[1, 2]], right: [[3], [4]]})), style=Style(round_steps=3))
    assert "Although every line was rounded, Y has exactly its unrounded value." in page


def test_each_head_of_a_family_is_rounded_too():
    i, h, X = head_index(), dimension("h"), matrix("X", 1, 2)
    words = Words("a head", "ヘッド"), Words("A head.", "ヘッドです。")
    head = Linear(X, matrix("W", 2, 1).of_head(i))
    of_one = matrix("Z", 1, 1).of_head(i)
    steps = (
        Step(of_one, head, head, *words),
        Step(matrix("Y", 1, h), HeadConcatenation(of_one, i, h), HeadConcatenation(head, i, h), *words),
    )
    values = {X: [[Rational(1, 3), 1]], "W": [[[1], [2]], [[7], [-1]]], h: 2}
    derivation = Derivation(steps, Words("Heads", "ヘッド"), tuple(values.items()))
    lines = {c.left: c for c in chains(render(verify(derivation), style=Style(round_steps=2)))}
    assert lines["Y"].rights[-1] == ("≈", "[[2.33, 1.33]]")


def test_a_sum_that_is_rounded_to_zero_is_no_divisor():
    scores = matrix("S", 1, 2)
    derivation = verify(derive(Softmax(scores), stages=True, values={scores: [[-30, -31]]}))
    with pytest.raises(NotSupported, match=r"step Y, with every line rounded to 2 decimals: .*round to more decimals"):
        render(derivation, style=Style(round_steps=2))
    assert "0.731058" in render(derivation, style=Style(round_steps=20))


def test_several_last_lines_are_told_in_a_table():
    X = matrix("X", 1, 2)
    ends = {"Y": Scaling(X, 1, 3), "Z": X + X}
    page = render(verify(derive(ends, values={X: [[1, 2]]})), style=Style(round_steps=2))
    caption = "How far rounding every line has led, in units of the last decimal (one unit is 0.01)"
    assert table(page, caption)[1] == [["Y", "0.33"], ["Z", "0"]]
    page = render(verify(derive(ends, values={X: [[1, 2]]})), "tex", "ja", style=Style(round_steps=2))
    assert "$Y$ & $0.33$ \\\\\n$Z$ & $0$" in page
